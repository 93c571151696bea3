//! Changes of terrain: TERRAIN, REPLACE_TERRAIN, SPILL, WALLWALK, doors and features by selection.

use splc_ir::catalog::LoaderRule;

use super::{EAST, ICED_MOAT, ICED_POOL, Loader, NORTH, SOUTH, WEST, schar};
use crate::error::Fault;
use crate::level::{COLUMNS, Place, ROWS, door, is_ok};
use crate::terrain::Terrain;

/// Takes one step in a direction given as a wall bit, or none for any other value.
fn toward((x, y): Place, direction: i32) -> Place {
    match direction {
        NORTH => (x, y - 1),
        SOUTH => (x, y + 1),
        WEST => (x - 1, y),
        EAST => (x + 1, y),
        _ => (x, y),
    }
}

impl Loader<'_> {
    /// Sets the terrain of one square (`sel_set_ter`).
    pub fn set_terrain_at(&mut self, x: i32, y: i32, terrain: Option<Terrain>, light: i32) {
        if self.has(LoaderRule::TerrainSparesStairs) && self.terrain(x, y) == Terrain::STAIRS {
            return;
        }
        let changed = self.can_be_overwritten(x, y, terrain);
        self.set_terrain_and_light(x, y, terrain, light);
        if !changed {
            return;
        }
        let now = self.terrain(x, y);
        if self.has(LoaderRule::TerrainSetsDetails) {
            match now {
                Terrain::HORIZONTAL_WALL | Terrain::IRON_BARS => self.level.set_horizontal(x, y, true),
                Terrain::ICE if self.init_present => {
                    self.level.set_flags(x, y, if self.iced_pools { ICED_POOL } else { ICED_MOAT });
                }
                Terrain::CLOUD => self.remove_engraving(x, y),
                _ => {}
            }
        }
        if now.is_door_or_secret() {
            if now == Terrain::SECRET_DOOR {
                self.level.set_flags(x, y, door::CLOSED);
            }
            if x != 0 && (self.terrain(x - 1, y).is_wall() || self.level.is_horizontal(x - 1, y)) {
                self.level.set_horizontal(x, y, true);
            }
        }
    }

    /// Puts a fountain, sink or pool on a square (`sel_set_feature`).
    pub fn set_feature_at(&mut self, x: i32, y: i32, feature: Terrain) {
        if !self.terrain(x, y).is_furniture() {
            self.level.set_terrain(x, y, feature);
        }
    }

    /// Puts a door on a square (`sel_set_door`).
    pub fn set_door_at(&mut self, x: i32, y: i32, mut state: i32) {
        if !self.terrain(x, y).is_door_or_secret() {
            let secret = state & door::SECRET != 0;
            self.level.set_terrain(x, y, if secret { Terrain::SECRET_DOOR } else { Terrain::DOOR });
        }
        if state & door::SECRET != 0 {
            state = schar(state & !door::SECRET).max(door::CLOSED);
        }
        if self.has(LoaderRule::DoorsAreDoneAtOnce) {
            self.level.set_flags(x, y, state);
            for room in 0..self.level.room_count {
                self.link_door(x, y, room);
            }
            return;
        }
        self.orient_door(x, y);
        self.level.set_flags(x, y, state);
        self.level.touch(x, y);
    }

    /// Replaces one terrain with another, with a chance for each square (`replace_terrain`).
    pub fn replace_terrain(
        &mut self,
        [x1, y1, x2, y2]: [i32; 4],
        from: Option<Terrain>,
        to: Option<Terrain>,
        light: i32,
        chance: i32,
        room: Option<usize>,
    ) {
        let Some(to) = to else { return };
        let (x1, y1) = self.location(x1, y1, self.anywhere(), room);
        let (x2, y2) = self.location(x2, y2, self.anywhere(), room);
        for x in x1.max(0)..=x2.min(COLUMNS - 1) {
            for y in y1.max(0)..=y2.min(ROWS - 1) {
                if Some(self.terrain(x, y)) == from && self.happens(chance) {
                    self.set_terrain_and_light(x, y, Some(to), light);
                }
            }
        }
    }

    /// Spills terrain from a wall, or from a place, in a direction (`spill_terrain`).
    pub fn spill(
        &mut self,
        from: Option<Place>,
        terrain: Option<Terrain>,
        light: i32,
        direction: i32,
        count: i32,
        room: Option<usize>,
    ) -> Result<(), Fault> {
        let Some(terrain) = terrain else { return Ok(()) };
        let mut here = None;
        match from.filter(|&(x, y)| x >= 0 && y >= 0) {
            Some((x, y)) => here = Some(self.location(x, y, self.anywhere(), room)),
            None => {
                let (x, y) = from.unwrap_or((-1, -1));
                if ![NORTH, SOUTH, WEST, EAST].contains(&direction) {
                    self.location(x, y, self.anywhere(), room);
                    return Ok(());
                }
                for _ in 0..500 {
                    let (x, y) = self.location(x, y, self.anywhere(), room);
                    // Opposite to the direction there must be a wall, which is broken through.
                    let opposite = match direction {
                        NORTH => SOUTH,
                        SOUTH => NORTH,
                        WEST => EAST,
                        _ => WEST,
                    };
                    let (wall_x, wall_y) = toward((x, y), opposite);
                    if is_ok(wall_x, wall_y) && self.terrain(wall_x, wall_y).is_wall() {
                        self.set_terrain_and_light(wall_x, wall_y, Some(terrain), light);
                        here = Some((x, y));
                        break;
                    }
                }
            }
        }
        let Some((mut x, mut y)) = here else { return Ok(()) };
        let mut last = -1;
        for _ in 0..count {
            self.set_terrain_and_light(x, y, Some(terrain), light);
            let mut way;
            let mut tries = 0;
            loop {
                tries += 1;
                let (mut next_x, mut next_y);
                loop {
                    way = self.rn2(5);
                    way = if way > 3 { direction } else { 1 << way };
                    (next_x, next_y) = toward((x, y), way);
                    if is_ok(next_x, next_y) {
                        break;
                    }
                    self.check_draws()?;
                }
                let again = way == last || self.terrain(next_x, next_y) == terrain;
                if !again || tries >= 200 {
                    break;
                }
            }
            (x, y) = toward((x, y), way);
            last = way;
        }
        Ok(())
    }

    /// Walks along a wall and changes the squares next to it (`wallwalk_right`).
    pub fn wallwalk(
        &mut self,
        (start_x, start_y): Place,
        to: Terrain,
        light: i32,
        on: Terrain,
        chance: i32,
    ) -> Result<(), Fault> {
        let (mut x, mut y) = (start_x, start_y);
        if !is_ok(x, y) || self.terrain(x, y) != on {
            return Ok(());
        }
        let mut direction = 1;
        // Bounds a walk that never returns to its start: once everything is changed, it takes no more draws.
        for _ in 0..crate::level::SQUARES * 8 {
            if self.level.trap_at(x, y).is_none()
                && !self.is_beside_door(x, y)
                && self.terrain(x, y) == on
                && chance >= self.rn2(100)
            {
                self.set_terrain_and_light(x, y, Some(to), light);
            }
            let mut turns = 0;
            let (before_x, before_y) = (x, y);
            loop {
                let (next_x, next_y) = match direction % 4 {
                    0 => (x, y - 1),
                    1 => (x + 1, y),
                    2 => (x, y + 1),
                    _ => (x - 1, y),
                };
                let free = is_ok(next_x, next_y) && {
                    let terrain = self.terrain(next_x, next_y);
                    terrain == on || terrain == to
                };
                if free {
                    (x, y) = (next_x, next_y);
                    direction = (direction + 3) % 4;
                } else {
                    direction += 1;
                    turns += 1;
                }
                if (x, y) != (before_x, before_y) || turns >= 5 {
                    break;
                }
            }
            if (x, y) == (start_x, start_y) {
                return Ok(());
            }
        }
        Err(Fault::Hangs)
    }
}
