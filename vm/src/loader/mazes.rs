//! Mazes: the grid, the walk that carves them, and their random contents.

use splc_ir::catalog::LoaderRule;

use super::places::Humidity;
use super::{EAST, Loader, NORTH, SOUTH, WEST, schar};
use crate::error::Fault;
use crate::level::{Place, is_ok};
use crate::observer::{Complaint, Observer};
use crate::rng::Rng;
use crate::terrain::Terrain;

/// Maximum attempts to find a place in a maze before the game takes any place.
const MAZE_TRIES: i32 = 2000;

impl Loader<'_> {
    /// Fills the level with one terrain and light (`lvlfill_solid`).
    pub fn fill_solid(&mut self, filling: Option<Terrain>, light: i32) {
        if self.has(LoaderRule::FillsClearSquares) {
            for x in 2..=self.maze_columns {
                for y in 0..=self.maze_rows {
                    if self.can_be_overwritten(x, y, filling) {
                        self.set_terrain_and_light(x, y, filling, light);
                        self.level.clear_square(x, y);
                    }
                }
            }
            return;
        }
        for x in 2..=self.maze_columns {
            if light == -1 {
                for y in 0..=self.maze_rows {
                    self.set_terrain_and_light(x, y, filling, light);
                }
                continue;
            }
            if let Some(filling) = filling {
                self.level.terrain_of_column_mut(x, 0, self.maze_rows).fill(filling);
            }
            if filling == Some(Terrain::LAVA) || light != -2 {
                let lit = filling == Some(Terrain::LAVA) || light & 1 != 0;
                self.level.light_column(x, 0, self.maze_rows, lit, |_| true);
            }
        }
    }

    /// Fills the level with the grid of a maze: stone where both coordinates are odd (`lvlfill_maze_grid`).
    pub fn fill_maze_grid(&mut self, filling: Option<Terrain>) {
        let corridors = self.level.level_flags.corridor_maze;
        for x in 2..=self.maze_columns {
            for y in 0..=self.maze_rows {
                if corridors || y < 2 || (x % 2 != 0 && y % 2 != 0) {
                    self.level.set_terrain(x, y, Terrain::STONE);
                } else if let Some(filling) = filling {
                    self.level.set_terrain(x, y, filling);
                }
            }
        }
    }

    /// Returns true if a maze can be extended from a place in a direction (`okay`).
    fn can_dig(&self, (x, y): Place, direction: usize) -> bool {
        let (x, y) = step(step((x, y), direction), direction);
        x >= 3 && y >= 3 && x <= self.maze_columns && y <= self.maze_rows && self.terrain(x, y) == Terrain::STONE
    }

    /// Carves a maze, starting at a place (`walkfrom`).
    ///
    /// The games' function calls itself after each step and forgets where the step began, so that a square is visited
    /// only twice: parts of a maze may stay uncarved.
    pub fn walk_maze(&mut self, start: Place, floor: Terrain) {
        let touches = self.has(LoaderRule::TouchedIsMaze);
        let pack = |(x, y): Place| u16::from(x as u8) << 8 | u16::from(y as u8);
        let mut way = std::mem::take(&mut self.scratch.squares);
        way.clear();
        way.push(pack(start));
        let mut entered = true;
        while let Some(last) = way.last_mut() {
            let here = (schar(i32::from(*last >> 8)), schar(i32::from(*last)));
            if entered && self.terrain(here.0, here.1) != Terrain::DOOR {
                self.level.set_terrain(here.0, here.1, floor);
                self.level.set_flags(here.0, here.1, 0);
                if touches {
                    self.level.touch(here.0, here.1);
                }
            }
            let mut choices = [0; 4];
            let mut count = 0;
            for direction in 0..4 {
                if self.can_dig(here, direction) {
                    choices[count] = direction;
                    count += 1;
                }
            }
            if count == 0 {
                way.pop();
                entered = false;
                continue;
            }
            let direction = choices[self.rn2(count as i32) as usize & 3];
            let between = step(here, direction);
            let next = step(between, direction);
            self.level.set_terrain(between.0, between.1, floor);
            if touches {
                self.level.touch(between.0, between.1);
                self.level.touch(next.0, next.1);
            }
            *last = pack(next);
            way.push(pack(next));
            entered = true;
        }
        self.scratch.squares = way;
    }

    /// Carves a maze next to a place, as requested by MAZEWALK (`spo_mazewalk`).
    pub fn mazewalk(&mut self, (mut x, mut y): Place, direction: i32, floor: i64, stocked: bool) -> Result<(), Fault> {
        if !is_ok(x, y) {
            return Ok(());
        }
        let corridors = self.level.level_flags.corridor_maze;
        let floor = if floor < 1 {
            if corridors { Terrain::CORRIDOR } else { Terrain::ROOM }
        } else {
            self.game.terrain(floor as i32).unwrap_or(Terrain::STONE)
        };
        match direction {
            NORTH => y -= 1,
            SOUTH => y += 1,
            EAST => x += 1,
            WEST => x -= 1,
            _ => self.complain(Complaint::MazewalkDirection),
        }
        if self.terrain(x, y) != Terrain::DOOR {
            self.level.set_terrain(x, y, floor);
            self.level.set_flags(x, y, 0);
        }
        // A maze is on odd columns and rows.
        if x % 2 == 0 {
            x += if direction == EAST { 1 } else { -1 };
            self.level.set_terrain(x, y, floor);
            self.level.set_flags(x, y, 0);
        }
        if y % 2 == 0 {
            y += if direction == SOUTH { 1 } else { -1 };
        }
        // Stone as floor would be dug again and again.
        if floor == Terrain::STONE {
            return Err(Fault::Hangs);
        }
        self.walk_maze((x, y), floor);
        if stocked {
            self.stock_maze()?;
        }
        Ok(())
    }

    /// Returns true if a maze may get a thing at the place when it is stocked.
    fn is_maze_place(&self, x: i32, y: i32, humidity: Humidity) -> bool {
        x % 2 != 0
            && y % 2 != 0
            && self.level.is_touched(x, y) == self.has(LoaderRule::TouchedIsMaze)
            && self.is_ok_location(x, y, humidity)
    }

    /// Returns true if the part of a maze that is stocked has a place for a thing.
    fn has_maze_place(&self, humidity: Humidity) -> bool {
        let mut columns = (3..self.maze_columns).step_by(2);
        columns.any(|x| (3..self.maze_rows).step_by(2).any(|y| self.is_maze_place(x, y, humidity)))
    }

    /// Draws a place in the part of a maze that is stocked (`maze1xy`). If it has no suitable place (`hopeless`), the
    /// last place drawn is used.
    fn maze_place(&mut self, humidity: Humidity, hopeless: bool) -> Place {
        let (columns, rows) = (self.maze_columns - 3, self.maze_rows - 3);
        let mut tries = MAZE_TRIES;
        // The maps of MiniHack's mazes leave no place, which would cost some 100,000 draws a level.
        if hopeless && columns > 0 && rows > 0 {
            let count = 2 * tries as u64;
            if self.observer.pass_over(count) {
                self.rng.pass_over(&[columns as u32, rows as u32], tries as u32);
                self.draws += count;
                tries = 0;
            }
        }
        loop {
            let x = self.rn1(columns, 3);
            let y = self.rn1(rows, 3);
            tries -= 1;
            if tries < 0 || self.is_maze_place(x, y, humidity) {
                return (x, y);
            }
        }
    }

    /// Puts random things into a maze, in proportion to its size (`fill_empty_maze`).
    pub fn stock_maze(&mut self) -> Result<(), Fault> {
        let touched_is_maze = self.has(LoaderRule::TouchedIsMaze);
        let all = (self.maze_columns - 2) * (self.maze_rows - 2);
        let by_area = self.has(LoaderRule::MazesStockedByArea);
        let most = if by_area { all } else { all / 2 };
        let dry = Humidity::DRY;
        let wet = by_area || self.has(LoaderRule::MazeMonstersGetWet);
        let for_monsters = if wet { dry.and(Humidity::WET).and(Humidity::HOT) } else { dry };
        let mut count = all;
        for x in 2..self.maze_columns {
            for y in 0..self.maze_rows {
                if self.level.is_touched(x, y) != touched_is_maze {
                    count -= 1;
                }
            }
        }
        if count <= most / 10 {
            return Ok(());
        }
        let factor = count * 100 / most;
        let mut no_dry_place = !self.has_maze_place(dry);
        let no_monster_place = if wet { !self.has_maze_place(for_monsters) } else { no_dry_place };
        for _ in 0..self.rnd(20 * factor / 100) {
            let (x, y) = self.maze_place(dry, no_dry_place);
            let class = if self.rn2(2) != 0 { self.game.gem_class } else { 0 };
            self.make_object_of_class(class, x, y);
        }
        for _ in 0..self.rnd(12 * factor / 100) {
            let (x, y) = self.maze_place(dry, no_dry_place);
            let traps = self.game.traps;
            let open = self.level.trap_at(x, y).map(|trap| self.level.traps[trap].kind);
            let open = open.is_some_and(|kind| traps.is_pit(kind) || traps.is_hole(kind));
            if open && self.has(LoaderRule::BouldersSparePits) {
                continue;
            }
            self.make_object(self.game.boulder, x, y);
        }
        for _ in 0..self.rn2(2) {
            let (x, y) = self.maze_place(dry, no_dry_place);
            self.make_monster(self.game.minotaur, false, x, y);
        }
        for _ in 0..self.rnd(12 * factor / 100) {
            let (x, y) = self.maze_place(for_monsters, no_monster_place);
            self.make_monster(None, false, x, y);
        }
        for _ in 0..self.rn2(15 * factor / 100) {
            let (x, y) = self.maze_place(dry, no_dry_place);
            self.make_gold(0, x, y);
        }
        for _ in 0..self.rn2(15 * factor / 100) {
            let (x, y) = self.maze_place(dry, no_dry_place);
            let mut kind = self.random_trap()?;
            if self.level.has_boulder(x, y) {
                while self.game.traps.is_pit(kind) || self.game.traps.is_hole(kind) {
                    kind = self.random_trap()?;
                    self.check_draws()?;
                }
            }
            let before = self.terrain(x, y);
            self.make_trap(x, y, kind);
            // A pit in rock turns it into floor.
            if self.terrain(x, y) != before {
                no_dry_place = !self.has_maze_place(dry);
            }
        }
        Ok(())
    }
}

/// Takes one step: 0 up, 1 right, 2 down, 3 left.
fn step((x, y): Place, direction: usize) -> Place {
    match direction {
        0 => (x, y - 1),
        1 => (x + 1, y),
        2 => (x, y + 1),
        _ => (x - 1, y),
    }
}
