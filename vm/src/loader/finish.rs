//! What is done when the script has run: doors, rooms, boundaries, walls, flips, regions.

use splc_ir::catalog::LoaderRule;

use super::Loader;
use super::flip::Flips;
use crate::error::Fault;
use crate::level::{COLUMNS, ROWS};
use crate::observer::{Event, Observer};
use crate::rng::Rng;
use crate::terrain::Terrain;

/// What a script wants done with its level at the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wishes {
    pub flips: Flips,
    pub ways_out: bool,
    pub solid: bool,
    pub premapped: bool,
}

impl<R: Rng, O: Observer> Loader<'_, R, O> {
    /// Finishes the level (the end of `sp_level_coder`).
    pub fn finish(&mut self, wishes: &Wishes) -> Result<(), Fault> {
        self.link_doors();
        self.fill_rooms();
        self.remove_boundaries();
        if wishes.ways_out {
            self.ensure_ways_out()?;
        }
        if !self.level.level_flags.corridor_maze {
            self.wallification(1, 0, COLUMNS - 1, ROWS - 1)?;
        }
        if self.has(LoaderRule::RandomFlips) {
            self.flip_at_random(wishes.flips)?;
        }
        if wishes.solid {
            self.solidify();
        }
        self.place_regions();
        if wishes.premapped {
            self.premap();
        }
        Ok(())
    }

    /// Fills the rooms that want it (`fill_rooms`).
    fn fill_rooms(&mut self) {
        for number in 0..self.level.room_count {
            let room = self.level.rooms[number];
            if room.fill != 0 {
                self.fill_room(number, room.fill == 2);
            }
            for &subroom in &room.subrooms[..usize::from(room.subroom_count)] {
                let subroom = usize::from(subroom);
                if self.level.rooms[subroom].fill != 0 {
                    self.fill_room(subroom, false);
                }
            }
        }
    }

    /// Fills a room as its type asks (`fill_room`).
    pub fn fill_room(&mut self, number: usize, filled_already: bool) {
        let room = self.level.rooms[number];
        let kinds = self.game.rooms;
        if room.kind == 0 || filled_already {
            return;
        }
        if room.kind >= kinds.shop {
            self.tell(Event::ShopStocked { kind: room.kind - kinds.shop, x: room.low_x, y: room.low_y });
        } else if room.kind == kinds.vault {
            for x in room.low_x..=room.high_x {
                for y in room.low_y..=room.high_y {
                    let most = self.settings.depth.saturating_abs().saturating_mul(100);
                    let amount = self.rn1(most, 51);
                    self.make_gold(amount.into(), x, y);
                }
            }
        } else if self.game.is_stocked(room.kind) {
            self.tell(Event::RoomFilled { kind: room.kind, x: room.low_x, y: room.low_y });
        }
    }

    /// Shows the level to the hero (`sokoban_detect`).
    fn premap(&mut self) {
        self.level.level_flags.premapped = true;
        if self.has(LoaderRule::PremappingOpensDoors) {
            for terrain in &mut self.level.all_terrain_mut()[ROWS as usize..] {
                match *terrain {
                    Terrain::SECRET_DOOR => *terrain = Terrain::DOOR,
                    Terrain::SECRET_CORRIDOR => *terrain = Terrain::CORRIDOR,
                    _ => {}
                }
            }
        }
        self.tell(Event::Premapped);
    }
}
