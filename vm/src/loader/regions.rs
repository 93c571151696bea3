//! Regions: those that become rooms, and those for stairs, portals and arrivals.

use splc_ir::catalog::{Feature, LoaderRule};
use splc_ir::dungeon::Presence;

use super::caverns::Flood;
use super::places::Humidity;
use super::rooms::Building;
use super::{Loader, schar};
use crate::error::Fault;
use crate::game::RegionKind;
use crate::level::{Arrival, COLUMNS, FIRST_ROOM_NUMBER, LevelText, Place, ROWS, Room, Stairway, is_ok};
use crate::limits::MAX_ROOMS;
use crate::observer::{Complaint, Event};
use crate::terrain::Terrain;

/// A level region: inside one rectangle, outside another.
#[derive(Clone, Copy, Debug, Hash)]
pub(crate) struct LevelRegion {
    pub within: [i32; 4],
    pub outside: [i32; 4],
    pub kind: Option<RegionKind>,
    /// Name of the level that a portal leads to.
    pub target: LevelText,
    /// Line of the script that requests it, from 1; 0 if unknown.
    pub line: usize,
}

/// A script's request for a region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegionRequest {
    pub area: [i32; 4],
    pub kind: i64,
    pub light: i64,
    /// True if the region is declared as already filled although its type is not.
    pub filled: bool,
    pub irregular: bool,
    pub joined: bool,
}

/// The work that a region needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Only its light is set.
    LightOnly,
    /// It becomes a room.
    Room,
}

/// Selection of a place for a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// Other places can be tried.
    Many,
    /// Only this place is possible: obstacles are removed.
    Only,
}

/// The name by which a level requests any of the elemental planes.
const RANDOM_PLANE: &str = "random_plane";

/// Number of draws for a place in a region before the search square by square (`place_lregion`).
const TRIES: u32 = 200;

impl Loader<'_> {
    /// Turns a region into a room, or only lights it (`spo_region`). Returns the room's number.
    pub fn create_region(&mut self, request: &RegionRequest) -> Result<Option<usize>, Fault> {
        let lit = if request.light < 0 { self.random_light() } else { request.light as i8 != 0 };
        let [x1, y1, x2, y2] = request.area;
        let (x1, y1) = self.location(x1, y1, self.anywhere(), None);
        let (x2, y2) = self.location(x2, y2, self.anywhere(), None);
        self.make_region(request, [x1, y1, x2, y2], lit)
    }

    /// Turns the squares between two places of the level into a room, or only lights them. Returns the room's number.
    pub fn make_region(
        &mut self,
        request: &RegionRequest,
        [x1, y1, x2, y2]: [i32; 4],
        lit: bool,
    ) -> Result<Option<usize>, Fault> {
        let last = i64::from(self.game.rooms.last);
        let (filled_already, kind) = match request.kind {
            kind if self.game.catalog.has(Feature::FilledIsAFlag) => (request.filled, kind),
            kind if kind > last => (true, kind - last - 1),
            kind => (false, kind),
        };
        let fill = if kind == 0 { None } else { Some(if filled_already { 2 } else { 1 }) };
        let need = if kind == 0 && !request.irregular && !filled_already { Need::LightOnly } else { Need::Room };
        self.declare_region(request, kind, need, fill, [x1, y1, x2, y2], lit)
    }

    /// Turns squares into a room or lights them, with the need for a room and its filling decided (`lspo_region`).
    pub fn declare_region(
        &mut self,
        request: &RegionRequest,
        kind: i64,
        need: Need,
        fill: Option<u8>,
        [x1, y1, x2, y2]: [i32; 4],
        lit: bool,
    ) -> Result<Option<usize>, Fault> {
        let no_room_needed = need == Need::LightOnly;
        if no_room_needed || self.level.room_count >= MAX_ROOMS {
            if !no_room_needed {
                self.complain(Complaint::TooManyRooms);
            }
            self.light_region([x1, y1, x2, y2], lit);
            return Ok(None);
        }
        let number = self.level.room_count;
        let room = &mut self.level.rooms[number];
        if let Some(fill) = fill {
            room.fill = fill;
        }
        room.joined = request.joined;
        let kind = schar(kind as i32);
        if request.irregular {
            self.flooded = [x1, x1, y1, y1];
            if !self.has(LoaderRule::EveryRoomIsJoined) {
                self.scratch.joined[number] = number as i32;
            }
            self.flood_fill(x1, y1, number as i32 + FIRST_ROOM_NUMBER, lit, Flood::Room)?;
            let [low_x, high_x, low_y, high_y] = self.flooded;
            self.add_room([low_x, low_y, high_x, high_y], false, kind, Building::Declared)?;
            let room = &mut self.level.rooms[number];
            room.lit = lit;
            room.irregular = true;
        } else {
            self.add_room([x1, y1, x2, y2], lit, kind, Building::Declared)?;
            self.mark_room(number);
        }
        Ok(Some(number))
    }

    /// Adds a room in the shape of the floor connected to a place, and marks the given room as irregular
    /// (`spo_topography`).
    pub fn follow_topography(&mut self, place: i64, room: usize) -> Result<(), Fault> {
        let (x, y) = self.location_of(place, self.anywhere(), Some(room));
        let Room { kind, lit, .. } = self.level.rooms[room];
        self.flooded = [x, x, y, y];
        self.flood_fill(x, y, self.level.room_count as i32 + FIRST_ROOM_NUMBER, lit, Flood::Room)?;
        let [low_x, high_x, low_y, high_y] = self.flooded;
        self.add_room([low_x, low_y, high_x, high_y], false, kind, Building::Declared)?;
        self.level.rooms[room].irregular = true;
        Ok(())
    }

    /// Returns true if nothing can be placed there (`bad_location`). `laxity` grows from try to try.
    fn is_bad_location(&self, x: i32, y: i32, [x1, y1, x2, y2]: [i32; 4], laxity: i32) -> bool {
        let terrain = self.terrain(x, y);
        let excluded = x >= x1 && x <= x2 && y >= y1 && y <= y2;
        if self.level.trap_at(x, y).is_some() || excluded {
            return true;
        }
        if self.has(LoaderRule::LaxRegions) {
            if laxity < 2 && terrain.is_furniture() {
                return true;
            }
        } else if terrain.is_furniture() || self.is_lava(x, y) || self.is_pool(x, y) {
            return true;
        }
        let good = self.game.has_landing_on(terrain)
            || (terrain == Terrain::CORRIDOR && self.level.level_flags.maze)
            || (laxity > 0 && matches!(terrain, Terrain::ICE | Terrain::CLOUD))
            || (laxity > 1 && terrain.is_accessible() && !matches!(terrain, Terrain::STAIRS | Terrain::LADDER))
            || (laxity > 2 && (terrain.is_water() || matches!(terrain, Terrain::LAVA | Terrain::BOG)));
        !good
    }

    /// Puts stairs, a portal or a branch at a place, if possible (`put_lregion_here`).
    fn put_region(
        &mut self,
        (x, y): Place,
        region: &LevelRegion,
        kind: RegionKind,
        choice: Choice,
        laxity: i32,
    ) -> bool {
        let LevelRegion { outside, target, .. } = *region;
        if self.is_bad_location(x, y, outside, laxity) || self.is_excluded(x, y, kind) {
            if choice == Choice::Many {
                return false;
            }
            if let Some(trap) = self.level.trap_at(x, y) {
                let there = self.level.traps[trap].kind;
                if there != self.game.traps.magic_portal && there != self.game.traps.vibrating_square {
                    self.level.remove_trap(trap);
                }
            }
            if self.is_bad_location(x, y, outside, laxity) || self.is_excluded(x, y, kind) {
                return false;
            }
        }
        match kind {
            RegionKind::Portal => {
                if !self.make_trap(x, y, self.game.traps.magic_portal) {
                    self.complain(Complaint::PortalOnPortal);
                } else if let Some(portal) = self.level.trap_at(x, y) {
                    self.level.traps[portal].target = Some(target);
                }
            }
            RegionKind::UpStairs => self.make_stairs(x, y, true, None),
            RegionKind::DownStairs => self.make_stairs(x, y, false, None),
            // The settings have no branch, so nothing is built in its place.
            RegionKind::Branch => self.level.branch = Some((x, y)),
            // Places of arrival are chosen when somebody arrives.
            RegionKind::Teleport | RegionKind::TeleportFromBelow | RegionKind::TeleportFromAbove => {}
        }
        true
    }

    /// Returns true if a place is in an exclusion zone for this purpose (`is_exclusion_zone`).
    fn is_excluded(&self, x: i32, y: i32, kind: RegionKind) -> bool {
        const TELEPORT: i32 = 4;
        let kinds: &[i32] = match kind {
            RegionKind::DownStairs => &[0],
            RegionKind::UpStairs => &[1],
            RegionKind::Portal => &[2],
            RegionKind::Branch => &[3],
            RegionKind::Teleport => &[TELEPORT],
            RegionKind::TeleportFromBelow => &[5, TELEPORT],
            RegionKind::TeleportFromAbove => &[6, TELEPORT],
        };
        self.level.zones.iter().any(|zone| {
            let [x1, y1, x2, y2] = zone.area;
            kinds.contains(&zone.kind) && (x1..=x2).contains(&x) && (y1..=y2).contains(&y)
        })
    }

    /// Finds a place in a region and puts the thing there (`place_lregion`).
    fn place_region(&mut self, within: [i32; 4], region: &LevelRegion, kind: RegionKind) -> Result<bool, Fault> {
        let lax = self.has(LoaderRule::LaxRegions);
        let [mut x1, mut y1, mut x2, mut y2] = within;
        if x1 == 0 {
            // A branch without a region goes into a room.
            if kind == RegionKind::Branch && self.level.room_count > 0 {
                return Ok(true);
            }
            let top = i32::from(self.has(LoaderRule::RegionsBelowTopRow));
            (x1, y1, x2, y2) = (if lax { 0 } else { 1 }, top, COLUMNS - 1, ROWS - 1);
        }
        if self.has(LoaderRule::RegionsAreClamped) {
            (x1, y1, x2, y2) = (x1.max(1), y1.max(0), x2.min(COLUMNS - 1), y2.min(ROWS - 1));
        }
        // A draw below an invalid bound gives squares far outside the level (`RND` in `src/rnd.c`).
        if (x1 > x2 || y1 > y2) && self.has(LoaderRule::TracesAreDetailed) {
            self.scratch.wrong_region = region.line;
            return Err(Fault::EmptyRegion);
        }
        let most_lax = if lax { 4 } else { 0 };
        for laxity in 0..=most_lax {
            let choice = if x1 == x2 && y1 == y2 { Choice::Only } else { Choice::Many };
            // If other places can be tried, a bad square is left as it is.
            let is_good = |loader: &Self, column: i32, row: i32| {
                let (x, y) = (schar(x1 + column), schar(y1 + row));
                !loader.is_bad_location(x, y, region.outside, laxity) && !loader.is_excluded(x, y, kind)
            };
            let searched = match choice {
                Choice::Many => self.search_square(x2 - x1 + 1, y2 - y1 + 1, TRIES, is_good),
                Choice::Only => None,
            };
            if let Some(Some((column, row))) = searched {
                let place = (schar(x1 + column), schar(y1 + row));
                if self.put_region(place, region, kind, choice, laxity) {
                    return Ok(true);
                }
            }
            for _ in 0..if searched.is_some() { 0 } else { TRIES } {
                let x = schar(self.rn1(x2 - x1 + 1, x1));
                let y = schar(self.rn1(y2 - y1 + 1, y1));
                if self.put_region((x, y), region, kind, choice, laxity) {
                    return Ok(true);
                }
            }
            for x in x1..=x2 {
                for y in y1..=y2 {
                    if self.put_region((x, y), region, kind, Choice::Only, laxity) {
                        return Ok(true);
                    }
                }
            }
        }
        if self.has(LoaderRule::TracesAreDetailed) {
            self.complain(Complaint::RegionKindPlace(kind.number()));
        } else if !lax {
            self.complain(Complaint::RegionPlace);
        }
        Ok(false)
    }

    /// Returns true if no level of the dungeon has the name that a portal leads to. If the levels are unknown, the
    /// level is assumed to exist.
    fn is_missing(&self, target: LevelText) -> bool {
        self.game.catalog.dungeon.presence(self.level.text(target)) == Some(Presence::Never)
    }

    /// Places the contents of the level regions (`fixup_special`).
    ///
    /// # Errors
    /// If a portal leads to a level that the dungeon lacks, in a game that does not check for it.
    pub fn place_regions(&mut self) -> Result<(), Fault> {
        for at in 0..self.scratch.regions.len() {
            let region = self.scratch.regions[at];
            let Some(kind) = region.kind else { continue };
            let arrival = Arrival { within: region.within, outside: region.outside };
            match kind {
                RegionKind::Teleport => {
                    self.level.arrival_from_below = arrival;
                    self.level.arrival_from_above = arrival;
                }
                RegionKind::TeleportFromBelow => self.level.arrival_from_below = arrival,
                RegionKind::TeleportFromAbove => self.level.arrival_from_above = arrival,
                RegionKind::Portal
                    if self.has(LoaderRule::RandomPlanes) && self.level.text(region.target) == RANDOM_PLANE =>
                {
                    self.report(Event::Said("get_next_elemental_plane not in Endgame."));
                    self.complain(Complaint::NoSuchLevel);
                }
                RegionKind::Portal if self.is_missing(region.target) => {
                    if !self.has(LoaderRule::RandomPlanes) {
                        self.scratch.wrong_region = region.line;
                        let level = self.level.text(region.target).to_owned();
                        let catalog = &self.game.catalog;
                        let dungeon = catalog.dungeon.dungeon_in_words(&catalog.title);
                        return Err(Fault::MissingLevel { level, dungeon });
                    }
                    self.complain(Complaint::NoSuchLevel);
                }
                RegionKind::Portal | RegionKind::UpStairs | RegionKind::DownStairs | RegionKind::Branch => {
                    if kind == RegionKind::Branch {
                        self.level.branches.push(arrival);
                    }
                    let placed = self.place_region(region.within, &region, kind)?;
                    if !placed && self.has(LoaderRule::LaxRegions) && !self.place_region([0; 4], &region, kind)? {
                        self.complain(Complaint::RegionPlace);
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes stairs (`mkstairs`).
    pub fn make_stairs(&mut self, x: i32, y: i32, up: bool, room: Option<usize>) {
        const UP: i32 = 1;
        const DOWN: i32 = 2;
        if x == 0 {
            self.complain(Complaint::BogusStairs);
            return;
        }
        self.judge_stair_ground(x, y);
        if self.terrain(x, y).is_wall() && !self.has(LoaderRule::StairsFindFloor) {
            self.complain(Complaint::StairsInWall);
        }
        if up {
            self.level.stairs.up = (x, y);
            self.level.stairs_up_room = room;
        } else {
            self.level.stairs.down = (x, y);
            self.level.stairs_down_room = room;
        }
        self.level.stairways.push(Stairway { x, y, up, ladder: false });
        self.level.set_terrain(x, y, Terrain::STAIRS);
        self.level.set_flags(x, y, if up { UP } else { DOWN });
    }

    /// Complains about stairs on unsuitable ground, in a game that searches for floor.
    fn judge_stair_ground(&mut self, x: i32, y: i32) {
        let good = matches!(self.terrain(x, y), Terrain::ROOM | Terrain::CORRIDOR | Terrain::ICE);
        if !good && self.has(LoaderRule::StairsFindFloor) {
            self.complain(Complaint::StairsGround);
        }
    }

    /// Makes stairs or a ladder requested by a script, in a game that searches for floor (`l_create_stairway`).
    fn create_stairway(&mut self, place: i64, up: bool, ladder: bool, room: Option<usize>) {
        let given = super::coordinate(place, Humidity::DRY).0.is_some();
        let (x, y) = self.location_of(place, if given { Humidity::DRY } else { Humidity::STAIRS }, room);
        if let Some(trap) = self.level.trap_at(x, y) {
            self.level.remove_trap(trap);
        }
        self.level.touch(x, y);
        if ladder {
            self.make_ladder(x, y, up);
            return;
        }
        if !is_ok(x, y) {
            self.complain(Complaint::BogusStairs);
            return;
        }
        if given {
            self.level.set_terrain(x, y, Terrain::ROOM);
        }
        if matches!(self.terrain(x, y), Terrain::STAIRS | Terrain::LADDER) {
            self.judge_stair_ground(x, y);
            // The existing stairs or ladder stay unchanged.
            self.level.stairways.push(Stairway { x, y, up, ladder: false });
            return;
        }
        self.make_stairs(x, y, up, room);
    }

    /// Makes stairs requested by a script (`spo_stair`).
    pub fn create_stairs(&mut self, place: i64, up: bool, room: Option<usize>) {
        if self.has(LoaderRule::StairsFindFloor) {
            return self.create_stairway(place, up, false, room);
        }
        let (x, y) = match room {
            Some(room) if self.has(LoaderRule::RoomPlacesAreAnySquare) => match self.free_place(place, room) {
                Ok(place) => place,
                Err(_) => return self.complain(Complaint::NoPlace),
            },
            _ => self.place_for_stairs(place, room),
        };
        let stays = room.is_some() && self.has(LoaderRule::StairsInRoomsKeepTraps);
        if let Some(trap) = self.level.trap_at(x, y).filter(|_| !stays) {
            self.level.remove_trap(trap);
        }
        self.make_stairs(x, y, up, room);
        self.level.touch(x, y);
    }

    /// Finds a place for stairs that may be elsewhere than on the floor of a room (`load_maze`).
    fn place_for_stairs(&mut self, place: i64, room: Option<usize>) -> Place {
        /// The second of two stairs is farther than this from the first, if possible.
        const NEAR: i32 = 8;
        const TRIES: u32 = 100;
        let mut found = self.location_of(place, Humidity::DRY, room);
        if self.has(LoaderRule::StairsKeepApart) && room.is_none() {
            if let Some(last) = self.last_stairs {
                for _ in 0..TRIES {
                    if (found.0 - last.0).abs().max((found.1 - last.1).abs()) > NEAR {
                        break;
                    }
                    found = self.location_of(place, Humidity::DRY, room);
                }
            }
            self.last_stairs = Some(found);
        }
        found
    }

    /// Makes a ladder requested by a script (`spo_ladder`).
    pub fn create_ladder(&mut self, place: i64, up: bool, room: Option<usize>) {
        if self.has(LoaderRule::StairsFindFloor) {
            return self.create_stairway(place, up, true, room);
        }
        let (x, y) = self.location_of(place, Humidity::DRY, room);
        self.make_ladder(x, y, up);
        self.level.touch(x, y);
    }

    /// Makes a ladder.
    pub fn make_ladder(&mut self, x: i32, y: i32, up: bool) {
        self.level.stairways.push(Stairway { x, y, up, ladder: true });
        self.level.set_terrain(x, y, Terrain::LADDER);
        if up {
            self.level.stairs.ladder_up = (x, y);
        } else {
            self.level.stairs.ladder_down = (x, y);
        }
        self.level.set_flags(x, y, if up { 1 } else { 2 });
    }

    /// Stores a level region. Corners that are not "of the level" are relative to the map (`spo_levregion`).
    pub fn add_region(&mut self, within: ([i32; 4], bool), outside: ([i32; 4], bool), kind: i64, target: &str) {
        let mut absolute = |([x1, y1, x2, y2], of_level): ([i32; 4], bool)| {
            if of_level {
                return [x1, y1, x2, y2].map(|number| self.narrow(number));
            }
            let (x1, y1) = self.location(x1, y1, self.anywhere(), None);
            let (x2, y2) = self.location(x2, y2, self.anywhere(), None);
            [x1, y1, x2, y2]
        };
        let (within, outside) = (absolute(within), absolute(outside));
        let kind = schar(kind as i32);
        let known = self.game.regions.iter().find(|(number, _)| *number == i64::from(kind));
        let kind = known.map(|&(_, kind)| kind);
        let target = self.level.keep_text(target);
        self.scratch.regions.push(LevelRegion { within, outside, kind, target, line: 0 });
    }
}
