//! Walls: building them around floors, joining them, hardening them.

use splc_ir::catalog::{Feature, LoaderRule};

use super::Loader;
use crate::error::Fault;
use crate::level::{COLUMNS, Level, ROWS, index, wall};
use crate::terrain::Terrain;

/// Shapes of walls by the directions in which they continue: north 8, south 4, east 2, west 1. Walls without a
/// direction keep their shape.
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

impl Loader<'_> {
    /// Removes and joins the walls of the whole level.
    pub fn wallify_level(&mut self) -> Result<(), Fault> {
        self.wallification(1, 0, COLUMNS - 1, ROWS - 1)
    }

    /// Removes walls within rock and joins the others (`wallification`).
    pub fn wallification(&mut self, x1: i32, y1: i32, x2: i32, y2: i32) -> Result<(), Fault> {
        let rows = rows_between(x1, y1, x2, y2)?;
        let mut columns = Columns::of(self.level, x1, x2, self.has(LoaderRule::WaterAndLavaJoinWalls));
        for x in x1..=x2 {
            let [left, here, right] = columns.around(x);
            let surrounded = around(left.solid) & above_and_below(here.solid) & around(right.solid);
            let inner = here.walls & surrounded & rows;
            for row in Rows(inner) {
                self.level.set_terrain(x, row, Terrain::STONE);
            }
            columns.remove_walls(x, inner);
        }
        self.join_walls(&columns, x1, x2, rows);
        Ok(())
    }

    /// Shapes walls so that they join (`wall_extends`, `fix_wall_spines`).
    pub fn extend_walls(&mut self, x1: i32, y1: i32, x2: i32, y2: i32) -> Result<(), Fault> {
        let rows = rows_between(x1, y1, x2, y2)?;
        let columns = Columns::of(self.level, x1, x2, self.has(LoaderRule::WaterAndLavaJoinWalls));
        self.join_walls(&columns, x1, x2, rows);
        Ok(())
    }

    /// Joins walls. A wall continues to a neighbouring wall unless both sides of the two squares are solid.
    fn join_walls(&mut self, columns: &Columns, x1: i32, x2: i32, rows: u32) {
        for x in x1..=x2 {
            let [left, here, right] = columns.around(x);
            let walls = here.walls & rows;
            if walls == 0 {
                continue;
            }
            let beside = left.filled() & right.filled();
            let north = (here.joining << 1) & !(beside & (beside << 1));
            let south = (here.joining >> 1) & !(beside & (beside >> 1));
            let enclosed = above_and_below(here.filled());
            let east = right.joining & !(enclosed & above_and_below(right.filled()));
            let west = left.joining & !(enclosed & above_and_below(left.filled()));
            let squares = self.level.terrain_of_column_mut(x, 0, ROWS - 1);
            // Most walls are straight.
            let (upright, level) = (north | south, east | west);
            for row in Rows(walls & upright & !level) {
                squares[row as usize] = Terrain::VERTICAL_WALL;
            }
            for row in Rows(walls & level & !upright) {
                squares[row as usize] = Terrain::HORIZONTAL_WALL;
            }
            for row in Rows(walls & upright & level) {
                let bit = |rows: u32| (rows >> (row + 1) & 1) as usize;
                let shape = bit(north) << 3 | bit(south) << 2 | bit(east) << 1 | bit(west);
                squares[row as usize] = SHAPES[shape];
            }
        }
    }

    /// Builds walls from the stone around floors in a region (`WALLIFY`). Negative corners are replaced by those of the
    /// last map. By the rules of some games the region extends around the map, but not beyond the level.
    pub fn wallify_or_map(&mut self, [x1, y1, x2, y2]: [i32; 4]) {
        let of_map = self.game.catalog.has(Feature::WallifyTakesRegions);
        let margin = i32::from(!of_map);
        let or = |given: i32, otherwise: i32| if given < 0 { otherwise } else { given };
        let x1 = or(x1, self.start_x - margin);
        let y1 = or(y1, self.start_y - margin);
        let x2 = or(x2, self.start_x + self.size_x + margin);
        let y2 = or(y2, self.start_y + self.size_y + margin);
        if of_map {
            self.wallify_unbounded([x1, y1, x2, y2]);
        } else {
            self.wallify(x1, y1, x2, y2);
        }
    }

    /// Builds walls from the stone around floors (`wallify_map` of `sp_lev.c`).
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

    /// Builds walls from the stone around floors, in a region that is not clipped: the row below the last is the first
    /// of the next column, as in the games' arrays. Squares past the last column count as stone. The games' walls there
    /// do no harm, because the squares of column 0 that they overwrite are never used.
    fn wallify_unbounded(&mut self, [x1, y1, x2, y2]: [i32; 4]) {
        let at = |x: i32, y: i32| usize::try_from(x * ROWS + y).unwrap_or(usize::MAX);
        for y in y1..=y2 {
            let (low_y, high_y) = ((y - 1).max(0), if y < y2 { y + 1 } else { y2 });
            for x in x1..=x2 {
                let squares = self.level.all_terrain();
                if squares.get(at(x, y)).is_some_and(|&terrain| terrain != Terrain::STONE) {
                    continue;
                }
                let (low_x, high_x) = ((x - 1).max(0), if x < x2 { x + 1 } else { x2 });
                let floor = (low_y..=high_y).find(|&row| {
                    (low_x..=high_x).any(|column| {
                        let terrain = squares.get(at(column, row));
                        terrain.is_some_and(|&terrain| terrain.is_room() || terrain == Terrain::CROSS_WALL)
                    })
                });
                if let Some(row) = floor {
                    let wall = if row != y { Terrain::HORIZONTAL_WALL } else { Terrain::VERTICAL_WALL };
                    if let Some(square) = self.level.all_terrain_mut().get_mut(at(x, y)) {
                        *square = wall;
                    }
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
            self.level.add_flags_to_column(x, y1, y2, property, |terrain| {
                let other =
                    (terrain == Terrain::TREE) | (terrain == Terrain::DEAD_TREE) | (terrain == Terrain::IRON_BARS);
                terrain.is_wall_or_stone() | (others & other)
            });
        }
    }

    /// Hardens every wall that the level itself did not place (`solidify_map`).
    pub fn solidify(&mut self) {
        self.level.add_flags_to_untouched(wall::NON_DIGGABLE | wall::NON_PASSABLE, Terrain::is_wall_or_stone);
    }

    /// Turns boundaries marked by cross walls into floor (`remove_boundary_syms`).
    pub fn remove_boundaries(&mut self) {
        let bounds = (0..COLUMNS - 1).any(|x| {
            let column = index(x, 0);
            self.level.all_terrain()[column..column + (ROWS - 1) as usize].contains(&Terrain::CROSS_WALL)
        });
        if !bounds {
            return;
        }
        let touched = !self.has(LoaderRule::MapsTouchNothing);
        for x in 0..self.maze_columns {
            for y in 0..self.maze_rows {
                if self.terrain(x, y) == Terrain::CROSS_WALL && self.level.is_touched(x, y) == touched {
                    self.level.set_terrain(x, y, Terrain::ROOM);
                }
            }
        }
    }
}

/// The rows of the map as bits: bit `y + 1` is row `y`, which leaves one bit for the row above the map and one for the
/// row below.
const MAP_ROWS: u32 = ((1 << ROWS) - 1) << 1;

/// Iterates over the rows that are set, topmost first.
struct Rows(u32);

impl Iterator for Rows {
    type Item = i32;

    #[inline]
    fn next(&mut self) -> Option<i32> {
        let bit = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (bit < u32::BITS).then_some(bit as i32 - 1)
    }
}

/// The rows `y1` to `y2`, if the bounds are within the level.
fn rows_between(x1: i32, y1: i32, x2: i32, y2: i32) -> Result<u32, Fault> {
    if x1 < 0 || x2 >= COLUMNS || x1 > x2 || y1 < 0 || y2 >= ROWS || y1 > y2 {
        return Err(Fault::WallBounds);
    }
    Ok((MAP_ROWS >> 1 >> y1 << y1 << 1) & ((2 << (y2 + 1)) - 1))
}

/// Rows with a bit set both above and below.
#[inline]
fn above_and_below(rows: u32) -> u32 {
    (rows << 1) & (rows >> 1)
}

/// Rows with a bit set above, below, and in the row itself.
#[inline]
fn around(rows: u32) -> u32 {
    rows & above_and_below(rows)
}

/// The data of a column needed to join walls.
#[derive(Clone, Copy, Default)]
struct Column {
    /// Walls that have shapes.
    walls: u32,
    /// Walls, stone, and everything outside the map.
    solid: u32,
    /// Walls, doors and bars (`iswall`).
    joining: u32,
}

impl Column {
    /// A column outside the map.
    const OUTSIDE: Column = Column { walls: 0, solid: !0, joining: 0 };

    fn of(squares: &[Terrain], liquids_join: bool) -> Column {
        let mut column = Column { solid: !MAP_ROWS, ..Column::default() };
        // Eight squares at a time; the last eight overlap, to end with the column.
        for start in [0, 8, ROWS as usize - 8] {
            let squares = Squares::of(squares.get(start..start + 8).unwrap_or_default());
            if squares.0 == 0 {
                // Nothing but stone.
                column.solid |= 0xff << (start + 1);
                continue;
            }
            let stone = squares.up_to(Terrain::STONE);
            let solid = squares.up_to(Terrain::OWN_WALL_4);
            let walls = squares.up_to(Terrain::T_RIGHT_WALL) & !stone;
            let doors = squares.with(Terrain::SECRET_DOOR) | squares.with(Terrain::DOOR);
            let mut joining = (solid & !stone) | doors | squares.with(Terrain::IRON_BARS);
            if liquids_join {
                joining |= squares.with(Terrain::WATER) | squares.with(Terrain::LAVA_WALL);
            }
            column.solid |= marked(solid) << (start + 1);
            column.walls |= marked(walls) << (start + 1);
            column.joining |= marked(joining) << (start + 1);
        }
        column
    }

    /// Stone, and everything that joins walls.
    #[inline]
    fn filled(self) -> u32 {
        self.solid | self.joining
    }
}

/// Eight squares in a word, one byte each. Queries mark the highest bits of the bytes.
#[derive(Clone, Copy)]
struct Squares(u64);

impl Squares {
    const EACH: u64 = 0x0101_0101_0101_0101;

    #[inline]
    fn of(squares: &[Terrain]) -> Self {
        Squares(squares.iter().rev().fold(0, |word, terrain| word << 8 | u64::from(terrain.number())))
    }

    /// Marks terrain up to and including `last` in the list of all terrain. The sum of a number and `127 - last` sets
    /// the highest bit if the number is greater. No terrain number is so large that the sum overflows into the next
    /// byte.
    #[inline]
    fn up_to(self, last: Terrain) -> u64 {
        !(self.0 + Self::EACH * u64::from(127 - last.number()))
    }

    /// Marks the given terrain.
    #[inline]
    fn with(self, terrain: Terrain) -> u64 {
        !((self.0 ^ (Self::EACH * u64::from(terrain.number()))) + Self::EACH * 127)
    }
}

/// Converts the marks of eight squares to bits, the lowest for the first square.
#[inline]
fn marked(marks: u64) -> u32 {
    // The product gathers the lowest bits of eight bytes in the highest byte.
    const TOGETHER: u64 = 0x0102_0408_1020_4080;
    ((marks >> 7 & Squares::EACH).wrapping_mul(TOGETHER) >> 56) as u32
}

/// The columns of an area, and their neighbours.
struct Columns([Column; COLUMNS as usize + 2]);

impl Columns {
    /// Loads the columns `x1` to `x2`.
    fn of(level: &Level, x1: i32, x2: i32, liquids_join: bool) -> Self {
        let mut columns = [Column::OUTSIDE; COLUMNS as usize + 2];
        for x in (x1 - 1).max(0)..=(x2 + 1).min(COLUMNS - 1) {
            columns[x as usize + 1] = Column::of(level.terrain_of_column(x), liquids_join);
        }
        Columns(columns)
    }

    /// Returns a column with those to its left and right. Column 0 is outside the map (`isok`).
    #[inline]
    fn around(&self, x: i32) -> [Column; 3] {
        let at = x as usize + 1;
        let beside = |at: usize| if at == 1 { Column::OUTSIDE } else { self.0[at] };
        [beside(at - 1), self.0[at], beside(at + 1)]
    }

    /// Turns walls into stone.
    #[inline]
    fn remove_walls(&mut self, x: i32, rows: u32) {
        let column = &mut self.0[x as usize + 1];
        column.walls &= !rows;
        column.joining &= !rows;
    }
}
