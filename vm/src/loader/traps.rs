//! Traps: random types, and their effects on their squares.

use splc_ir::catalog::LoaderRule;

use super::Loader;
use super::places::{Humidity, coordinate};
use crate::error::Fault;
use crate::level::{Place, Trap, bridge, is_ok};
use crate::observer::Observer;
use crate::settings::Surrounding;
use crate::terrain::Terrain;

/// Maximum number of levels that a hole leads down: the deepest dungeon has about as many levels.
const DEEPEST_FALL: i32 = 24;
/// A boulder rolls from a place nearer than this (`BOLT_LIM`).
const FARTHEST_LAUNCH: i32 = 8;
/// Number of tones of squeaky boards.
const NOTES: usize = 12;

/// Wishes for a trap other than its type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrapWishes {
    /// True to put a spider on a web.
    pub spider: bool,
    /// True if the hero knows the trap from the start.
    pub seen: bool,
    /// True if the trap may have a victim.
    pub victim: bool,
    /// Destination of a teleport trap.
    pub fixed: Option<Place>,
    /// Place from which a boulder rolls, relative to the trap.
    pub launch: Option<Place>,
}

impl TrapWishes {
    /// Default wishes.
    pub const NONE: TrapWishes = TrapWishes { spider: true, seen: false, victim: true, fixed: None, launch: None };
}

impl Loader<'_> {
    /// Draws a random type suitable for a special level (`rndtrap`).
    pub fn random_trap(&mut self) -> Result<i32, Fault> {
        let traps = self.game.traps;
        let flags = self.level.level_flags;
        let is_bad = |loader: &Self, kind: i32| {
            kind == traps.hole
                || kind == traps.vibrating_square
                || kind == traps.magic_portal
                || loader.game.is_never_random(kind)
                || (kind == traps.trap_door && flags.hard_floor)
                || ((kind == traps.level_teleport || kind == traps.teleport) && flags.no_teleport)
        };
        if let Some(found) = self.search_number(traps.count - 1, |loader, at| u32::from(!is_bad(loader, at + 1))) {
            return Ok(found + 1);
        }
        loop {
            let kind = self.rnd(traps.count - 1);
            if !is_bad(self, kind) {
                return Ok(kind);
            }
            self.check_draws()?;
        }
    }

    /// Makes a trap requested by a script (`create_trap`).
    pub fn create_trap(
        &mut self,
        kind: i32,
        place: i64,
        wishes: &TrapWishes,
        room: Option<usize>,
    ) -> Result<(), Fault> {
        self.draw_certain_chance();
        let vibrates = kind == self.game.traps.vibrating_square && kind != 0;
        if vibrates && self.has(LoaderRule::VibratingSquareFindsItsPlace) {
            let (x, y) = self.vibrating_place();
            self.make_trap(x, y, kind);
            return Ok(());
        }
        let (x, y) = match room {
            Some(room) => self.free_place(place, room)?,
            None => {
                if coordinate(place, Humidity::DRY).0.is_none() {
                    let (x, y) = (self.start_x, self.start_y);
                    self.observer.random_trap([x, y, x + self.size_x - 1, y + self.size_y - 1]);
                }
                let mut tries = 0;
                loop {
                    let (x, y) = self.location_of(place, Humidity::DRY, None);
                    if !matches!(self.terrain(x, y), Terrain::STAIRS | Terrain::LADDER) {
                        break (x, y);
                    }
                    tries += 1;
                    if tries > 100 {
                        return Ok(());
                    }
                }
            }
        };
        self.set_wanted_trap(kind, x, y, wishes)
    }

    /// Draws a place for the vibrating square: far from the stairs up, and not in line with them
    /// (`pick_vibrasquare_location`).
    fn vibrating_place(&mut self) -> Place {
        const FIRST: i32 = 2;
        const X_MARGIN: i32 = 4;
        const Y_MARGIN: i32 = 3;
        const DISTANCE: i32 = 11;
        const TRIES: i32 = 1000;
        let columns = self.maze_columns - FIRST - 2 * X_MARGIN - 1;
        let rows = self.maze_rows - FIRST - 2 * Y_MARGIN - 1;
        let mut tries = 0;
        loop {
            let x = self.rn1(columns, FIRST + X_MARGIN + 1);
            let y = self.rn1(rows, FIRST + Y_MARGIN + 1);
            tries += 1;
            let up = self.level.stairways.iter().rev().find(|known| known.up && !known.ladder);
            let Some(&crate::level::Stairway { x: up_x, y: up_y, .. }) = up.filter(|_| tries <= TRIES) else {
                return (x, y);
            };
            let (far_x, far_y) = ((x - up_x).abs(), (y - up_y).abs());
            let near = far_x == 0 || far_y == 0 || far_x == far_y || far_x.max(far_y) <= DISTANCE;
            if !near && self.terrain(x, y).is_space() && !self.is_occupied(x, y) {
                return (x, y);
            }
        }
    }

    /// Returns true if a place is occupied (`occupied`).
    pub fn is_occupied(&self, x: i32, y: i32) -> bool {
        self.level.trap_at(x, y).is_some()
            || self.terrain(x, y).is_furniture()
            || self.is_lava(x, y)
            || self.is_pool(x, y)
    }

    /// Sets a trap with everything that belongs to it. An invalid type becomes random (`mktrap`).
    pub fn set_trap(&mut self, kind: i32, x: i32, y: i32) -> Result<(), Fault> {
        self.set_wanted_trap(kind, x, y, &TrapWishes::NONE)
    }

    fn set_wanted_trap(&mut self, kind: i32, x: i32, y: i32, wishes: &TrapWishes) -> Result<(), Fault> {
        let traps = self.game.traps;
        if self.has(LoaderRule::LavaTakesNoTraps) && self.is_lava(x, y) {
            return Ok(());
        }
        if self.is_pool(x, y) || (self.has(LoaderRule::SwampsTakeNoTraps) && self.terrain(x, y) == Terrain::BOG) {
            return Ok(());
        }
        let is_given = kind > 0 && kind < traps.count;
        let mut kind = if is_given { kind } else { self.random_trap_for_depth(wishes)? };
        if traps.is_hole(kind) && self.level.level_flags.hard_floor {
            if is_given {
                self.complain(crate::observer::Complaint::HoleInHardFloor);
            }
            kind = traps.falling_rock;
        }
        if is_given && self.level.trap_at(x, y).is_some() {
            self.complain(crate::observer::Complaint::TrapReplaced);
        }
        let made = self.make_trap(x, y, kind);
        if let Some(trap) = self.level.trap_at(x, y).filter(|_| made) {
            let launch = wishes.launch.filter(|_| kind == traps.rolling_boulder);
            let launch = launch.and_then(|offset| self.launch_place((x, y), offset));
            let known = &mut self.level.traps[trap];
            known.seen |= wishes.seen;
            known.fixed = wishes.fixed.filter(|_| kind == traps.teleport);
            known.launch = launch;
        }
        let victims = made && wishes.victim && self.has(LoaderRule::TrapVictims);
        let roles = self.has(LoaderRule::TrapVictimsHadRoles);
        let deadly = kind < traps.hole || roles && kind == traps.magic;
        let kills = kind != traps.board && kind != traps.rust && !traps.is_pit(kind) && deadly;
        let rare = wishes.spider && self.has(LoaderRule::SpidersAreRare) && kind == traps.web;
        let difficulty = if victims && kills || rare {
            self.ask(Surrounding::Difficulty).difficulty
        } else {
            self.settings.difficulty
        };
        if !wishes.spider {
        } else if self.has(LoaderRule::SpidersAreRare) {
            if difficulty >= 7 && self.rn2(7) < 6 && kind == traps.web {
                self.make_monster(self.game.giant_spider, false, x, y);
            }
        } else if kind == traps.web && (made || self.has(LoaderRule::SpidersWithoutWebs)) {
            self.make_monster(self.game.giant_spider, false, x, y);
        }
        if victims && difficulty <= self.rnd(4) && kills {
            let exploded = roles && kind == traps.land_mine;
            if let Some(trap) = self.level.trap_at(x, y).filter(|_| exploded) {
                let known = &mut self.level.traps[trap];
                (known.kind, known.seen) = (traps.pit, true);
            }
            self.leave_victim(kind, x, y, exploded)?;
        }
        Ok(())
    }

    /// Draws a random type that is not too difficult here (`mktrap`).
    fn random_trap_for_depth(&mut self, wishes: &TrapWishes) -> Result<i32, Fault> {
        let traps = self.game.traps;
        let difficulty = self.ask(Surrounding::Difficulty).difficulty;
        let no_teleport = self.level.level_flags.no_teleport;
        /// One hole in this many is kept.
        const HOLES: i32 = 7;
        let is_bad = |loader: &Self, kind: i32| {
            kind == traps.magic_portal
                || kind == traps.vibrating_square
                || (difficulty < 2 && (kind == traps.rolling_boulder || kind == traps.sleep_gas))
                || (kind == traps.level_teleport && (difficulty < 5 || no_teleport))
                || (kind == traps.spiked_pit && difficulty < 5)
                || (kind == traps.land_mine && difficulty < 6)
                || (kind == traps.web && difficulty < 7 && wishes.spider)
                || loader.is_trap_of_no_square(kind)
                || (difficulty < 8 && (kind == traps.statue || kind == traps.polymorph))
                || kind == traps.fire
                || (kind == traps.cold && traps.cold != 0)
                || (kind == traps.teleport && no_teleport)
                || loader.game.is_too_deep(kind, difficulty)
        };
        let goodness = |loader: &Self, at: i32| match at + 1 {
            bad if is_bad(loader, bad) => 0,
            hole if hole == traps.hole => HOLES as u32,
            _ => 1,
        };
        if let Some(found) = self.search_number(traps.count - 1, goodness) {
            return Ok(found + 1);
        }
        loop {
            let kind = self.rnd(traps.count - 1);
            if !is_bad(self, kind) && (kind != traps.hole || self.rn2(HOLES) == 0) {
                return Ok(kind);
            }
            self.check_draws()?;
        }
    }

    /// Puts a victim's remains on a trap (`mktrap_victim`).
    fn leave_victim(&mut self, kind: i32, x: i32, y: i32, exploded: bool) -> Result<(), Fault> {
        let object =
            |name: &str, class: Option<char>| self.game.catalog.object(name, class).map_or(-1, |(number, _)| number);
        let (arrow, dart, rock) = (object("arrow", None), object("dart", None), object("rock", None));
        let candles = [object("wax candle", None), object("tallow candle", None)];
        let corpse = object("corpse", None);
        // Arrows, darts and rocks are the first trap types, in this order.
        if let Some(&missile) = [arrow, dart, rock].get((kind - 1) as usize) {
            self.make_object(missile, x, y);
        }
        loop {
            let class = [')', '(', '%', '*'][self.rn2(4) as usize % 4];
            let class = self.game.object_class(class).unwrap_or(0);
            self.make_object_of_class(class, x, y);
            if exploded {
                // Fragile things break, but the first of each class is not fragile.
                self.rn2(100);
            }
            if self.rn2(5) != 0 {
                break;
            }
            self.check_draws()?;
        }
        let victim = match self.rn2(15) {
            0 => {
                let asleep = kind == self.game.traps.sleep_gas && !(self.settings.difficulty <= 2 && self.rn2(2) != 0);
                if asleep { "human" } else { "elf" }
            }
            1 | 2 => "dwarf",
            3..=5 => "orc",
            6..=9 => {
                if self.rn2(10) == 0 {
                    let candle = candles[usize::from(self.rn2(4) != 0)];
                    self.make_object(candle, x, y);
                }
                "gnome"
            }
            _ => "human",
        };
        let number = |name: &str| self.game.catalog.monster(name, None).map(|(number, _)| number);
        let (victim, roles) = (number(victim), (number("human"), number("archeologist"), number("wizard")));
        let victim = match roles {
            (human, Some(first), Some(last))
                if victim == human && self.has(LoaderRule::TrapVictimsHadRoles) && self.rn2(25) != 0 =>
            {
                // The last role has no victims.
                Some(self.rn1(last - first, first))
            }
            _ => victim,
        };
        let object = self.make_object(corpse, x, y);
        self.level.objects[object].monster = victim.unwrap_or(-1);
        Ok(())
    }

    /// Returns the place at an offset from a trap if a boulder can roll from there: in line with the trap, not too far,
    /// and without an obstacle between them (`linedup`).
    fn launch_place(&self, (x, y): Place, (dx, dy): Place) -> Option<Place> {
        let far = dx.abs().max(dy.abs());
        let in_line = dx == 0 || dy == 0 || dx.abs() == dy.abs();
        let place @ (from_x, from_y) = (x + dx, y + dy);
        if !in_line || !(1..FARTHEST_LAUNCH).contains(&far) || !is_ok(from_x, from_y) {
            return None;
        }
        let clear = (0..far).all(|step| {
            let (x, y) = (x + step * dx.signum(), y + step * dy.signum());
            let terrain = self.terrain(x, y);
            !terrain.is_rock() && !matches!(terrain, Terrain::WATER | Terrain::LAVA_WALL) && !self.is_closed_door(x, y)
        });
        clear.then_some(place)
    }

    /// Finds the wall that a magic beam comes from, and chooses the beam (`maketrap`).
    fn aim_beam(&mut self, x: i32, y: i32) {
        const AROUND: [Place; 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        // One beam in this many is of another type; the first success counts.
        const OTHER_BEAMS: [i32; 6] = [15, 10, 10, 7, 7, 5];
        let start = self.rn2(8);
        for turn in 0..8 {
            let (dx, dy) = AROUND[((start + turn) % 8) as usize & 7];
            for distance in 1..8 {
                let (wall_x, wall_y) = (x + dx * distance, y + dy * distance);
                if is_ok(wall_x, wall_y) && self.terrain(wall_x, wall_y).is_wall_or_stone() {
                    OTHER_BEAMS.into_iter().any(|chance| self.rn2(chance) == 0);
                    return;
                }
            }
        }
    }

    /// Returns true for traps of doors and chests.
    fn is_trap_of_no_square(&self, kind: i32) -> bool {
        self.has(LoaderRule::DoorsAndChestsAreTraps) && kind >= self.game.traps.count - 2
    }

    /// Returns true if a square cannot have a trap (`maketrap` of NetHack 5.0.0).
    fn takes_no_trap(&self, x: i32, y: i32, kind: i32) -> bool {
        let traps = self.game.traps;
        let portal = kind == traps.magic_portal;
        match self.terrain(x, y) {
            Terrain::STAIRS | Terrain::LADDER => true,
            Terrain::DRAWBRIDGE_UP if portal => true,
            Terrain::AIR | Terrain::CLOUD if !portal => true,
            terrain if terrain.is_furniture() => kind != traps.pit && kind != traps.hole,
            _ => self.is_pool(x, y) || self.is_lava(x, y),
        }
    }

    /// Sets a trap (`maketrap`). Returns false if something else is in the way.
    pub fn make_trap(&mut self, x: i32, y: i32, kind: i32) -> bool {
        let traps = self.game.traps;
        let detailed = self.has(LoaderRule::TracesAreDetailed);
        if detailed {
            self.report(crate::observer::Event::Trap { x, y, kind });
        }
        if self.is_trap_of_no_square(kind) {
            return false;
        }
        let old = self.level.trap_at(x, y);
        if let Some(old) = old {
            let there = self.level.traps[old].kind;
            if there == traps.magic_portal || (there == traps.vibrating_square && there != 0) {
                return false;
            }
        } else if self.has(LoaderRule::TrapsNeedTheirGround) {
            if self.takes_no_trap(x, y, kind) {
                return false;
            }
        } else if !self.has(LoaderRule::TrapsOnFurniture) {
            let terrain = self.terrain(x, y);
            let diggable = terrain == Terrain::GRAVE && (kind == traps.pit || kind == traps.hole);
            if terrain.is_furniture() && !diggable {
                return false;
            }
        }
        if !detailed {
            self.report(crate::observer::Event::Trap { x, y, kind });
        }
        let mut note = 0;
        if kind == traps.board && self.has(LoaderRule::TunedBoards) {
            let mut used = [false; NOTES];
            for (at, trap) in self.level.traps.iter().enumerate() {
                if trap.kind == traps.board && Some(at) != old {
                    used[trap.note as usize % NOTES] = true;
                }
            }
            let free = used.iter().filter(|&&used| !used).count();
            note = if free > 0 {
                let pick = self.rn2(free as i32) as usize;
                used.iter().enumerate().filter(|&(_, &used)| !used).nth(pick).map_or(0, |(note, _)| note as i32)
            } else {
                self.rn2(NOTES as i32)
            };
        }
        if kind == traps.magic_beam && kind != 0 {
            self.aim_beam(x, y);
        }
        let mut down = 0;
        if traps.is_hole(kind) && self.has(LoaderRule::HolesChooseTheirDepth) {
            while down < DEEPEST_FALL {
                down += 1;
                if self.rn2(4) != 0 {
                    break;
                }
            }
        }
        if traps.is_pit(kind) || traps.is_hole(kind) {
            let terrain = self.terrain(x, y);
            if terrain == Terrain::DRAWBRIDGE_UP && self.has(LoaderRule::TrapsNeedTheirGround) {
                let direction = self.level.flags(x, y) & !bridge::BELOW;
                self.level.set_flags(x, y, direction | bridge::FLOOR_BELOW);
            } else {
                self.level.set_flags(x, y, 0);
            }
            if terrain.is_room() {
                self.level.set_terrain(x, y, Terrain::ROOM);
            } else if matches!(terrain, Terrain::STONE | Terrain::SECRET_CORRIDOR) {
                self.level.set_terrain(x, y, Terrain::CORRIDOR);
            } else if terrain.is_wall() || terrain == Terrain::SECRET_DOOR {
                let flags = self.level.level_flags;
                let floor = if flags.maze {
                    Terrain::ROOM
                } else if flags.cavernous {
                    Terrain::CORRIDOR
                } else {
                    Terrain::DOOR
                };
                self.level.set_terrain(x, y, floor);
            }
            self.unearth(x, y);
        }
        match old {
            Some(old) => {
                self.level.traps[old] =
                    Trap { x, y, kind, note, target: None, down, seen: kind == traps.hole, fixed: None, launch: None };
            }
            None => self.level.add_trap(Trap {
                x,
                y,
                kind,
                note,
                target: None,
                down,
                seen: kind == traps.hole,
                fixed: None,
                launch: None,
            }),
        }
        true
    }
}
