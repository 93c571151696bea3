//! Styles of level initialisation that only NetHack 5.0.0 has: mazes of wide corridors, swamps.

use super::{Loader, MAZE_COLUMNS, MAZE_ROWS};
use crate::error::Fault;
use crate::level::{COLUMNS, ROWS, SQUARES, index};
use crate::terrain::Terrain;

/// A request for a maze.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MazeRequest {
    /// Width of corridors in squares; -1 is random.
    pub corridor: i32,
    /// Width of walls in squares; -1 is random.
    pub wall: i32,
    /// True to keep dead ends.
    pub dead_ends: bool,
}

/// Maximum width of corridors and walls.
const WIDEST: i32 = 5;

impl Loader<'_> {
    /// Carves a maze into the whole level (`create_maze`).
    pub fn create_maze(&mut self, request: &MazeRequest) -> Result<(), Fault> {
        let (columns, rows) = (self.maze_columns, self.maze_rows);
        let mut corridor = request.corridor;
        if corridor == -1 {
            corridor = self.rnd(4);
        }
        let mut wall = request.wall;
        if wall == -1 {
            wall = self.rnd(4) - corridor;
        }
        let (wall, corridor) = (wall.clamp(1, WIDEST), corridor.clamp(1, WIDEST));
        let scale = corridor + wall;
        let (across, down) = (columns / scale, rows / scale);
        let corridors = self.level.level_flags.corridor_maze;
        let last = if corridors { 1 } else { 0 };
        for x in 2..=across * 2 - last {
            for y in 2..=down * 2 - last {
                let stone = corridors || (x % 2 != 0 && y % 2 != 0);
                self.level.set_terrain(x, y, if stone { Terrain::STONE } else { Terrain::HORIZONTAL_WALL });
            }
        }
        (self.maze_columns, self.maze_rows) = (across * 2, down * 2);
        let start_x = 3 + 2 * self.rn2((self.maze_columns >> 1) - 1);
        let start_y = 3 + 2 * self.rn2((self.maze_rows >> 1) - 1);
        let floor = if corridors { Terrain::CORRIDOR } else { Terrain::ROOM };
        self.walk_maze((start_x, start_y), floor);
        if !request.dead_ends {
            self.open_dead_ends(floor);
        }
        (self.maze_columns, self.maze_rows) = (columns, rows);
        if scale > 2 {
            self.widen_maze(corridor, wall, (across, down));
        }
        Ok(())
    }

    /// Returns true if a square is within the walls of a maze (`maze_inbounds`).
    fn is_in_maze(&self, x: i32, y: i32) -> bool {
        x >= 2 && y >= 2 && x < self.maze_columns && y < self.maze_rows
    }

    /// Opens every dead end that can be opened (`maze_remove_deadends`).
    fn open_dead_ends(&mut self, floor: Terrain) {
        for x in 2..self.maze_columns {
            for y in 2..self.maze_rows {
                if !self.terrain(x, y).is_accessible() || x % 2 == 0 || y % 2 == 0 {
                    continue;
                }
                let (mut ways, mut closed) = (Vec::with_capacity(4), 0);
                for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                    if !self.is_in_maze(x + dx, y + dy) || !self.is_in_maze(x + 2 * dx, y + 2 * dy) {
                        closed += 1;
                    } else if !self.terrain(x + dx, y + dy).is_accessible()
                        && self.terrain(x + 2 * dx, y + 2 * dy).is_accessible()
                    {
                        ways.push((x + dx, y + dy));
                        closed += 1;
                    }
                }
                if closed >= 3 && !ways.is_empty() {
                    let (x, y) = ways[self.rn2(ways.len() as i32) as usize % ways.len()];
                    self.level.set_terrain(x, y, floor);
                }
            }
        }
    }

    /// Widens the corridors and walls of a maze; the walls at its edge stay thin.
    fn widen_maze(&mut self, corridor: i32, wall: i32, (across, down): (i32, i32)) {
        let mut narrow = std::mem::replace(&mut self.scratch.terrain, [Terrain::STONE; SQUARES]);
        narrow.copy_from_slice(self.level.all_terrain());
        let thickness = |at: i32, end: i32| match at {
            at if at % 2 != 0 => corridor,
            at if at == 2 || at == end => 1,
            _ => wall,
        };
        let (mut x, mut wide_x) = (2, 2);
        while wide_x < self.maze_columns && x < COLUMNS {
            let columns = thickness(x, across * 2);
            let (mut y, mut wide_y) = (2, 2);
            while wide_y < self.maze_rows && y < ROWS {
                let rows = thickness(y, down * 2);
                for dx in 0..columns {
                    for dy in 0..rows {
                        if wide_x + dx < self.maze_columns && wide_y + dy < self.maze_rows {
                            let kept = x < MAZE_COLUMNS && y < MAZE_ROWS;
                            let terrain = if kept { narrow[index(x, y)] } else { Terrain::STONE };
                            self.level.set_terrain(wide_x + dx, wide_y + dy, terrain);
                        }
                    }
                }
                wide_y += rows;
                y += 1;
            }
            wide_x += columns;
            x += 1;
        }
        self.scratch.terrain = narrow;
    }

    /// Fills the level with connected islands of `floor` in `water` (`lvlfill_swamp`).
    pub fn fill_swamp(&mut self, floor: Option<Terrain>, water: Option<Terrain>, light: i32) {
        self.fill_solid(water, light);
        for x in (2..=self.maze_columns.min(COLUMNS - 2)).step_by(2) {
            for y in (0..=self.maze_rows.min(ROWS - 2)).step_by(2) {
                self.set_terrain_and_light(x, y, floor, light);
                let beside = [(x + 1, y), (x, y + 1), (x + 1, y + 1)];
                if beside.iter().all(|&(x, y)| Some(self.terrain(x, y)) == water) {
                    let (x, y) = beside[self.rn2(3) as usize % 3];
                    self.set_terrain_and_light(x, y, floor, light);
                }
            }
        }
    }
}
