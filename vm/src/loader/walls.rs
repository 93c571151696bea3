//! Walls: made around floors, joined to each other, hardened.

use splc_ir::catalog::LoaderRule;

use super::Loader;
use crate::error::Fault;
use crate::level::{COLUMNS, ROWS, index, is_ok, wall};
use crate::observer::Observer;
use crate::rng::Rng;
use crate::terrain::Terrain;

/// Shapes of walls by the directions in which they go on: north 8, south 4, east 2, west 1. With none they
/// stay what they are.
const SHAPES: [Terrain; 16] = [
    Terrain::VERTICAL_WALL,
    Terrain::HORIZONTAL_WALL,
    Terrain::HORIZONTAL_WALL,
    Terrain::HORIZONTAL_WALL,
    Terrain::VERTICAL_WALL,
    Terrain::TOP_RIGHT_CORNER,
    Terrain::TOP_LEFT_CORNER,
    Terrain::T_DOWN_WALL,
    Terrain::VERTICAL_WALL,
    Terrain::BOTTOM_RIGHT_CORNER,
    Terrain::BOTTOM_LEFT_CORNER,
    Terrain::T_UP_WALL,
    Terrain::VERTICAL_WALL,
    Terrain::T_LEFT_WALL,
    Terrain::T_RIGHT_WALL,
    Terrain::CROSS_WALL,
];

impl<R: Rng, O: Observer> Loader<'_, R, O> {
    /// Removes walls within rock and joins the others (`wallification`).
    pub fn wallification(&mut self, x1: i32, y1: i32, x2: i32, y2: i32) -> Result<(), Fault> {
        if x1 < 0 || x2 >= COLUMNS || x1 > x2 || y1 < 0 || y2 >= ROWS || y1 > y2 {
            return Err(Fault::WallBounds);
        }
        let solid = |terrain: &Self, x: i32, y: i32| !is_ok(x, y) || terrain.terrain(x, y).is_wall_or_stone();
        for x in x1..=x2 {
            for y in y1..=y2 {
                let here = self.terrain(x, y);
                if here.is_wall()
                    && here != Terrain::DRAWBRIDGE_WALL
                    && solid(self, x - 1, y - 1)
                    && solid(self, x - 1, y)
                    && solid(self, x - 1, y + 1)
                    && solid(self, x, y - 1)
                    && solid(self, x, y + 1)
                    && solid(self, x + 1, y - 1)
                    && solid(self, x + 1, y)
                    && solid(self, x + 1, y + 1)
                {
                    self.level.set_terrain(x, y, Terrain::STONE);
                }
            }
        }
        self.extend_walls(x1, y1, x2, y2)
    }

    /// Gives walls the shapes that join them (`wall_extends`, `fix_wall_spines`).
    pub fn extend_walls(&mut self, x1: i32, y1: i32, x2: i32, y2: i32) -> Result<(), Fault> {
        if x1 < 0 || x2 >= COLUMNS || x1 > x2 || y1 < 0 || y2 >= ROWS || y1 > y2 {
            return Err(Fault::WallBounds);
        }
        for x in x1..=x2 {
            for y in y1..=y2 {
                let here = self.terrain(x, y);
                if !here.is_wall() || here == Terrain::DRAWBRIDGE_WALL {
                    continue;
                }
                let filled = |dx: i32, dy: i32| {
                    let (x, y) = (x + dx, y + dy);
                    !is_ok(x, y) || self.terrain(x, y) == Terrain::STONE || self.is_wall_like(x, y)
                };
                let wall = |dx: i32, dy: i32| is_ok(x + dx, y + dy) && self.is_wall_like(x + dx, y + dy);
                // A wall goes on to where a wall is, unless rock is on both sides of it here and there.
                let along =
                    |dy: i32| wall(0, dy) && !(filled(-1, 0) && filled(1, 0) && filled(-1, dy) && filled(1, dy));
                let across =
                    |dx: i32| wall(dx, 0) && !(filled(0, -1) && filled(0, 1) && filled(dx, -1) && filled(dx, 1));
                let shape = usize::from(along(-1)) << 3
                    | usize::from(along(1)) << 2
                    | usize::from(across(1)) << 1
                    | usize::from(across(-1));
                if shape != 0 {
                    self.level.set_terrain(x, y, SHAPES[shape]);
                }
            }
        }
        Ok(())
    }

    /// Walls, doors and bars (`iswall`).
    fn is_wall_like(&self, x: i32, y: i32) -> bool {
        let terrain = self.terrain(x, y);
        terrain.is_wall() || terrain.is_door_or_secret() || terrain == Terrain::IRON_BARS
    }

    /// Makes walls of the stone around floors (`wallify_map` of `sp_lev.c`).
    pub fn wallify(&mut self, x1: i32, y1: i32, x2: i32, y2: i32) {
        let (x1, y1) = (x1.max(1), y1.max(0));
        let (x2, y2) = (x2.min(COLUMNS - 1), y2.min(ROWS - 1));
        let first_column = if self.has(LoaderRule::WallifyLooksAtEdge) { 0 } else { 1 };
        for y in y1..=y2 {
            let (low_y, high_y) = (if y > 0 { y - 1 } else { 0 }, if y < y2 { y + 1 } else { y2 });
            for x in x1..=x2 {
                if self.terrain(x, y) != Terrain::STONE {
                    continue;
                }
                let low_x = if x > first_column { x - 1 } else { first_column };
                let high_x = if x < x2 { x + 1 } else { x2 };
                let floor = (low_y..=high_y).find(|&row| {
                    (low_x..=high_x).any(|column| {
                        let terrain = self.terrain(column, row);
                        terrain.is_room() || terrain == Terrain::CROSS_WALL
                    })
                });
                if let Some(row) = floor {
                    let wall = if row != y { Terrain::HORIZONTAL_WALL } else { Terrain::VERTICAL_WALL };
                    self.level.set_terrain(x, y, wall);
                }
            }
        }
    }

    /// Hardens the walls of a region (`set_wall_property`).
    pub fn set_wall_property(&mut self, [x1, y1, x2, y2]: [i32; 4], property: i32) {
        let (x1, x2) = (x1.max(1), x2.min(COLUMNS - 1));
        let (y1, y2) = (y1.max(0), y2.min(ROWS - 1));
        let others = !self.has(LoaderRule::OnlyWallsHarden);
        for x in x1..=x2 {
            for y in y1..=y2 {
                let terrain = self.terrain(x, y);
                if terrain.is_wall_or_stone()
                    || (others && matches!(terrain, Terrain::TREE | Terrain::DEAD_TREE | Terrain::IRON_BARS))
                {
                    self.level.set_flags(x, y, self.level.flags(x, y) | property);
                }
            }
        }
    }

    /// Hardens every wall that the level did not put there itself (`solidify_map`).
    pub fn solidify(&mut self) {
        for x in 0..COLUMNS {
            for y in 0..ROWS {
                if self.terrain(x, y).is_wall_or_stone() && !self.level.is_touched(x, y) {
                    let flags = self.level.flags(x, y) | wall::NON_DIGGABLE | wall::NON_PASSABLE;
                    self.level.set_flags(x, y, flags);
                }
            }
        }
    }

    /// Makes floor of the boundaries that a level marks by cross walls (`remove_boundary_syms`).
    pub fn remove_boundaries(&mut self) {
        let bounds = (0..COLUMNS - 1).any(|x| {
            let column = index(x, 0);
            self.level.all_terrain()[column..column + (ROWS - 1) as usize].contains(&Terrain::CROSS_WALL)
        });
        if !bounds {
            return;
        }
        for x in 0..self.maze_columns {
            for y in 0..self.maze_rows {
                if self.terrain(x, y) == Terrain::CROSS_WALL && self.level.is_touched(x, y) {
                    self.level.set_terrain(x, y, Terrain::ROOM);
                }
            }
        }
    }
}
