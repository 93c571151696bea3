//! The final work after a script has run: doors, rooms, boundaries, walls, flips, regions.

use splc_ir::catalog::LoaderRule;

use super::Loader;
use super::flip::Flips;
use super::places::Humidity;
use crate::error::Fault;
use crate::level::{COLUMNS, ROWS, SUBROOMS, Whereabouts};
use crate::observer::{Event, Observer};
use crate::settings::Surrounding;
use crate::terrain::Terrain;

/// A script's requests for the final work.
#[derive(Clone, Copy, Debug, Hash)]
pub(crate) struct Wishes {
    pub flips: Flips,
    pub ways_out: bool,
    pub solid: bool,
    pub premapped: bool,
}

impl Loader<'_> {
    /// Finishes the level (the end of `sp_level_coder`).
    pub fn finish(&mut self, wishes: &Wishes) -> Result<(), Fault> {
        self.check_limits()?;
        if !self.has(LoaderRule::DoorsAreDoneAtOnce) {
            self.link_doors();
        }
        if self.has(LoaderRule::RoomsAreFilledLater) {
            self.note_rooms_to_fill();
        } else {
            self.fill_rooms();
        }
        self.remove_boundaries();
        if wishes.ways_out {
            self.ensure_ways_out()?;
        }
        if self.has(LoaderRule::LiquidsAreCleared) {
            self.clear_liquids();
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
        let regions_last = self.has(LoaderRule::RegionsPlacedLast);
        if !regions_last {
            self.place_regions()?;
        }
        if wishes.premapped {
            self.premap();
        }
        if regions_last {
            self.place_regions()?;
        }
        if self.has(LoaderRule::MessagesAreSaid) {
            self.say_messages();
        }
        Ok(())
    }

    /// Removes things that cannot be on water or lava: boulders, most traps, engravings (`map_cleanup`).
    fn clear_liquids(&mut self) {
        for x in 0..COLUMNS {
            for y in 0..ROWS {
                let terrain = self.terrain(x, y);
                let pool =
                    terrain.number() >= Terrain::POOL.number() && terrain.number() <= Terrain::DRAWBRIDGE_UP.number();
                if !pool && !terrain.is_lava() {
                    continue;
                }
                if self.level.has_boulder(x, y) {
                    for at in 0..self.level.objects.len() {
                        let object = self.level.objects[at];
                        if self.is_boulder(object.class, object.number)
                            && (object.x, object.y) == (x, y)
                            && object.whereabouts == Whereabouts::Floor
                        {
                            self.level.objects[at].whereabouts = Whereabouts::Gone;
                        }
                    }
                    self.level.set_boulder(x, y, false);
                }
                if let Some(trap) = self.level.trap_at(x, y) {
                    let kind = self.level.traps[trap].kind;
                    let traps = self.game.traps;
                    if kind != traps.magic_portal && kind != traps.vibrating_square {
                        self.level.remove_trap(trap);
                    }
                }
                self.remove_engraving(x, y);
            }
        }
    }

    /// Shows the messages. An empty line counts, except at the end.
    fn say_messages(&mut self) {
        let (level, observer) = (&*self.level, &mut self.observer);
        let mut messages = level.messages.iter().peekable();
        while let Some(&message) = messages.next() {
            let text = level.text(message);
            let last = messages.peek().is_none();
            let lines = text.strip_suffix('\n').filter(|_| last).unwrap_or(text);
            if last && text.is_empty() {
                return;
            }
            for line in lines.split('\n') {
                observer.event(Event::Said(line));
            }
        }
    }

    /// Marks the rooms that the game fills once the loader is done (`fill_special_room`).
    fn note_rooms_to_fill(&mut self) {
        const NORMAL: u8 = 1;
        let kinds = self.game.rooms;
        for number in (0..self.level.room_count).chain(SUBROOMS..SUBROOMS + self.level.subroom_count) {
            let room = &mut self.level.rooms[number];
            let filled = room.kind >= kinds.shop || room.kind == kinds.vault || self.game.is_stocked(room.kind);
            room.stocked = room.kind > 0 && room.fill == NORMAL && filled;
        }
    }

    /// Fills the rooms to be filled (`fill_rooms`).
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

    /// Fills a room according to its type (`fill_room`).
    pub fn fill_room(&mut self, number: usize, filled_already: bool) {
        let room = self.level.rooms[number];
        let kinds = self.game.rooms;
        if room.kind == 0 {
            return;
        }
        // The game notes the type of a room that counts as filled, too.
        self.level.rooms[number].fill = if filled_already { 2 } else { 1 };
        if filled_already {
            return;
        }
        let shop = room.kind >= kinds.shop;
        self.level.rooms[number].stocked = shop || (room.kind != kinds.vault && self.game.is_stocked(room.kind));
        if shop {
            self.report(Event::ShopStocked { kind: room.kind - kinds.shop, x: room.low_x, y: room.low_y });
        } else if room.kind == kinds.vault {
            for x in room.low_x..=room.high_x {
                for y in room.low_y..=room.high_y {
                    let most = self.ask(Surrounding::Depth).depth.saturating_abs().saturating_mul(100);
                    let amount = self.rn1(most, 51);
                    self.make_gold(amount.into(), x, y);
                }
            }
            if self.has(LoaderRule::VaultsMayBeAquariums) && self.rn2(2) != 0 {
                for (x, y) in [(0, 0), (1, 1)] {
                    let (x, y) = self.location(x, y, Humidity::DRY, Some(number));
                    self.set_feature_at(x, y, Terrain::POOL);
                }
                for (x, y) in [(room.low_x, room.low_y), (room.high_x, room.high_y)] {
                    if self.rn2(3) == 0 {
                        self.make_monster(self.game.giant_eel, false, x, y);
                    }
                }
            }
        } else if self.game.is_stocked(room.kind) {
            self.report(Event::RoomFilled { kind: room.kind, x: room.low_x, y: room.low_y });
        }
    }

    /// Reveals the level to the hero (`sokoban_detect`).
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
        if self.has(LoaderRule::PremappingUnlocksDoors) {
            for x in 1..COLUMNS {
                for y in 0..ROWS {
                    if self.terrain(x, y) == Terrain::SECRET_DOOR {
                        self.level.set_flags(x, y, 0);
                    }
                }
            }
        }
        self.report(Event::Premapped);
    }
}
