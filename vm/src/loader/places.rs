//! Places: those given by a script, and the search for random ones.

use splc_ir::catalog::LoaderRule;

use super::{Loader, schar};
use crate::error::Fault;
use crate::level::{FIRST_ROOM_NUMBER, Place, is_ok};
use crate::observer::Complaint;
use crate::terrain::Terrain;

/// Requirements for a place, as bits. The numbers are the same in all games (`DRY`, `WET`, ...).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Humidity(i32);

impl Humidity {
    pub const DRY: Humidity = Humidity(1);
    pub const WET: Humidity = Humidity(2);
    pub const HOT: Humidity = Humidity(4);
    pub const SOLID: Humidity = Humidity(8);
    /// Anywhere, even outside the level.
    pub const ANY: Humidity = Humidity(16);
    /// If there is no place, return (-1, -1) without a complaint.
    pub const QUIET: Humidity = Humidity(32);
    /// Like dry, but furniture is allowed.
    pub const SPACE: Humidity = Humidity(64);
    /// Ground for random stairs: floor, corridors, ice.
    pub const STAIRS: Humidity = Humidity(128);
    /// Floor, water or lava.
    pub const WET_OR_DRY: Humidity = Humidity(1 | 2 | 4);

    /// Requirements satisfied by the terrain, except for water and lava.
    #[inline]
    fn on(terrain: Terrain) -> Humidity {
        ON_TERRAIN[usize::from(terrain.number() % 128)]
    }

    pub fn and(self, other: Humidity) -> Humidity {
        Humidity(self.0 | other.0)
    }

    pub fn has(self, other: Humidity) -> bool {
        self.0 & other.0 != 0
    }
}

/// Requirements satisfied by each terrain, except for pools and lava, which a drawbridge may hide.
const ON_TERRAIN: [Humidity; 128] = {
    let mut on = [Humidity(0); 128];
    let mut at = 0;
    while at < Terrain::ALL.len() {
        let terrain = Terrain::ALL[at];
        let dry = matches!(terrain, Terrain::ROOM | Terrain::AIR | Terrain::CLOUD | Terrain::ICE | Terrain::CORRIDOR)
            || terrain.is_own_floor();
        on[terrain.number() as usize] = Humidity(
            if terrain.is_rock() { Humidity::SOLID.0 } else { 0 }
                | if dry { Humidity::DRY.0 } else { 0 }
                | if terrain.is_space() { Humidity::SPACE.0 } else { 0 },
        );
        at += 1;
    }
    on
};

const IS_RANDOM: i64 = 0x0100_0000;

/// Number of draws for a place before the games search square by square.
const TRIES: u32 = 100;

/// Packs a place; (-1, -1) is random (`SP_COORD_PACK`).
pub(crate) fn pack(x: i64, y: i64) -> i64 {
    if (x, y) == (-1, -1) { IS_RANDOM } else { pack_given(x, y) }
}

/// Packs a place that is not random, even if both coordinates are -1.
pub(crate) fn pack_given(x: i64, y: i64) -> i64 {
    (x & 0xff) + ((y & 0xff) << 16)
}

/// Unpacks a place. A random place is `None` with its requirements.
pub(crate) fn coordinate(packed: i64, otherwise: Humidity) -> (Option<Place>, Humidity) {
    if packed & IS_RANDOM != 0 {
        let wanted = (packed & !IS_RANDOM) as i32;
        (None, if packed & !IS_RANDOM == 0 { otherwise } else { Humidity(wanted) })
    } else {
        (Some(((packed & 0xff) as i32, (packed >> 16 & 0xff) as i32)), otherwise)
    }
}

impl Loader<'_> {
    /// Requirements for a place that may be anything.
    #[inline]
    pub fn anywhere(&self) -> Humidity {
        if self.has(LoaderRule::AnywhereIsWetOrDry) { Humidity::WET_OR_DRY } else { Humidity::ANY }
    }

    /// Draws a column of a room (`somex`).
    pub fn some_x(&mut self, room: usize) -> i32 {
        let room = self.level.rooms[room];
        self.rn1(room.width(), room.low_x)
    }

    /// Draws a row of a room (`somey`).
    pub fn some_y(&mut self, room: usize) -> i32 {
        let room = self.level.rooms[room];
        self.rn1(room.height(), room.low_y)
    }

    /// Draws a place in a room, outside its subrooms. The flag is false if there is none (`somexy`).
    pub fn some_place(&mut self, number: usize) -> (Place, bool) {
        let room = self.level.rooms[number];
        if room.irregular {
            let mark = number as i32 + FIRST_ROOM_NUMBER;
            let is_inside = |loader: &Self, column: i32, row: i32| {
                let (x, y) = (room.low_x + column, room.low_y + row);
                !loader.level.is_edge(x, y) && loader.level.room_number(x, y) == mark
            };
            let searched = self.search_square(room.width(), room.height(), TRIES, is_inside);
            if let Some(Some((column, row))) = searched {
                return ((room.low_x + column, room.low_y + row), true);
            }
            for _ in 0..if searched.is_some() { 0 } else { TRIES } {
                let (x, y) = (self.some_x(number), self.some_y(number));
                if !self.level.is_edge(x, y) && self.level.room_number(x, y) == mark {
                    return ((x, y), true);
                }
            }
            for x in room.low_x..=room.high_x {
                for y in room.low_y..=room.high_y {
                    if !self.level.is_edge(x, y) && self.level.room_number(x, y) == mark {
                        return ((x, y), true);
                    }
                }
            }
            return ((room.high_x + 1, room.high_y + 1), false);
        }
        if room.subroom_count == 0 {
            return ((self.some_x(number), self.some_y(number)), true);
        }
        let mut place = (0, 0);
        for tries in 1..=100 {
            place = (self.some_x(number), self.some_y(number));
            if self.terrain(place.0, place.1).is_wall() {
                continue;
            }
            let subrooms = &room.subrooms[..usize::from(room.subroom_count)];
            if !subrooms.iter().any(|&subroom| self.is_inside(usize::from(subroom), place.0, place.1)) {
                // A success on the last try counts as failure (`try_cnt >= 100`).
                return (place, tries < 100);
            }
        }
        (place, false)
    }

    /// Returns true if the place satisfies `humidity` (`is_ok_location`).
    pub fn is_ok_location(&self, x: i32, y: i32, humidity: Humidity) -> bool {
        if humidity.has(Humidity::STAIRS) {
            return matches!(self.terrain(x, y), Terrain::ROOM | Terrain::CORRIDOR | Terrain::ICE);
        }
        if humidity.has(Humidity::ANY) {
            return true;
        }
        if self.has(LoaderRule::DryIsSpaceWithoutBoulders) {
            let solid = humidity.has(Humidity::SOLID);
            let dry = humidity.has(Humidity::DRY) || humidity.has(Humidity::SPACE);
            let terrain = self.terrain(x, y);
            return (solid && terrain.is_rock())
                || (dry && terrain.is_space() && (solid || !self.level.has_boulder(x, y)))
                || (humidity.has(Humidity::WET) && self.is_pool(x, y))
                || (humidity.has(Humidity::HOT) && self.is_lava(x, y));
        }
        let terrain = self.terrain(x, y);
        humidity.has(Humidity::on(terrain)) && !(terrain.is_own_floor() && self.is_unsuitable(terrain, humidity))
            || (humidity.has(Humidity::WET) && self.is_pool(x, y))
            || (humidity.has(Humidity::HOT) && self.is_lava(x, y))
    }

    /// Returns true for a floor of the game's own where nothing is put at random, although it can be walked.
    fn is_unsuitable(&self, terrain: Terrain, humidity: Humidity) -> bool {
        !humidity.has(Humidity::SPACE) && !self.game.is_dry(terrain)
    }

    /// Returns true if a place is in a room or its walls (`inside_room`).
    pub fn is_inside(&self, room: usize, x: i32, y: i32) -> bool {
        let known = &self.level.rooms[room];
        if known.irregular && self.has(LoaderRule::IrregularRoomsByNumber) {
            return !self.level.is_edge(x, y) && self.level.room_number(x, y) == room as i32 + FIRST_ROOM_NUMBER;
        }
        known.has(x, y)
    }

    /// Converts a script's place to a place of the level. A negative column requests a random place (`get_location`).
    pub fn location(&mut self, x: i32, y: i32, humidity: Humidity, room: Option<usize>) -> Place {
        let (first_x, first_y, columns, rows) = match room {
            Some(room) => {
                let room = &self.level.rooms[room];
                (room.low_x, room.low_y, room.width(), room.height())
            }
            None => (self.start_x, self.start_y, self.size_x, self.size_y),
        };
        let (mut x, mut y) = (self.narrow(x), self.narrow(y));
        if x >= 0 {
            (x, y) = (self.narrow(x + first_x), self.narrow(y + first_y));
        } else {
            let mut found = false;
            let is_box = room.is_none_or(|room| self.level.rooms[room].is_box());
            let any_square = room.is_some() && self.has(LoaderRule::RoomPlacesAreAnySquare);
            let is_good = |loader: &Self, column: i32, row: i32| {
                // As in the loop below, squares of a room are not narrowed to the games' integers.
                let place = (first_x + column, first_y + row);
                let (x, y) = if room.is_some() { place } else { (schar(place.0), schar(place.1)) };
                any_square || loader.is_ok_location(x, y, humidity)
            };
            let searched = if is_box { self.search_square(columns, rows, TRIES, is_good) } else { None };
            if let Some(Some((column, row))) = searched {
                (x, y, found) = (schar(first_x + column), schar(first_y + row), true);
            }
            for _ in 0..if searched.is_some() { 0 } else { TRIES } {
                (x, y) = match room {
                    Some(room) => self.some_place(room).0,
                    None => (schar(first_x + self.rn2(columns)), schar(first_y + self.rn2(rows))),
                };
                if any_square || self.is_ok_location(x, y, humidity) {
                    found = true;
                    break;
                }
            }
            if !found {
                'search: for column in 0..columns {
                    for row in 0..rows {
                        (x, y) = (schar(first_x + column), schar(first_y + row));
                        if self.is_ok_location(x, y, humidity) {
                            found = true;
                            break 'search;
                        }
                    }
                }
            }
            if !found {
                if humidity.has(Humidity::QUIET) {
                    (x, y) = (-1, -1);
                } else {
                    self.complain(Complaint::NoPlace);
                }
            }
        }
        if !humidity.has(Humidity::ANY) && !is_ok(x, y) { self.place_outside(humidity) } else { (x, y) }
    }

    /// Replaces a place outside the level (`get_location`).
    #[cold]
    fn place_outside(&mut self, humidity: Humidity) -> Place {
        if humidity.has(Humidity::QUIET) {
            return (-1, -1);
        }
        if self.has(LoaderRule::PlacesAreWarnedOf) {
            self.complain(Complaint::PlaceOutside);
        } else if self.has(LoaderRule::PlacesAreComplainedOf) {
            self.complain(Complaint::PlaceOffLevel);
        }
        (self.maze_columns, self.maze_rows)
    }

    /// Resolves a packed coordinate (`get_location_coord`).
    pub fn location_of(&mut self, packed: i64, humidity: Humidity, room: Option<usize>) -> Place {
        let (place, wanted) = coordinate(packed, humidity);
        let random = place.is_none();
        let (x, y) = place.unwrap_or((-1, -1));
        let wanted = if random { wanted.and(Humidity::QUIET) } else { wanted };
        let found = self.location(x, y, wanted, room);
        if found == (-1, -1) && random { self.location(-1, -1, humidity, room) } else { found }
    }

    /// Finds a place for a feature of a level or room, or returns `None` if all are occupied (`lspo_feature`,
    /// `create_feature`).
    pub fn feature_place(&mut self, packed: i64, room: Option<usize>) -> Option<Place> {
        const TRIES: u32 = 200;
        let random = coordinate(packed, Humidity::DRY).0.is_none();
        let dry = random && self.has(LoaderRule::RandomFeaturesNeedDryGround);
        let humidity = if dry { Humidity::DRY } else { self.anywhere() };
        let choosy = random && room.is_some() && self.has(LoaderRule::FeaturesLookForRoom);
        for _ in 0..TRIES {
            let (x, y) = self.location_of(packed, humidity, room);
            if !choosy || !self.is_occupied(x, y) {
                return Some((x, y));
            }
        }
        None
    }

    /// Finds a place on the bare floor of a room (`get_free_room_loc`).
    pub fn free_place(&mut self, packed: i64, room: usize) -> Result<Place, Fault> {
        let (mut x, mut y) = self.location_of(packed, Humidity::DRY, Some(room));
        if self.terrain(x, y) != Terrain::ROOM {
            let given = match coordinate(packed, Humidity::DRY).0 {
                Some((x, y)) if self.has(LoaderRule::GivenPlacesHaveToBeFree) => (schar(x), schar(y)),
                _ => (-1, -1),
            };
            let mut tries = 0;
            let area = self.level.rooms[room];
            if let ((..0, ..0), true) = (given, area.is_box()) {
                let is_floor = |loader: &Self, column: i32, row: i32| {
                    loader.terrain(area.low_x + column, area.low_y + row) == Terrain::ROOM
                };
                if let Some(ended) = self.search_square(area.width(), area.height(), TRIES + 1, is_floor) {
                    let (column, row) = ended.ok_or(Fault::NoPlace)?;
                    return Ok((area.low_x + column, area.low_y + row));
                }
            }
            loop {
                (x, y) = match given {
                    (..0, ..0) => {
                        let (place, found) = self.some_place(room);
                        if !found {
                            return Err(Fault::NoPlace);
                        }
                        place
                    }
                    (x, y) => {
                        let room = self.level.rooms[room];
                        let x = if x < 0 { self.rn2(room.width()) } else { x };
                        let y = if y < 0 { self.rn2(room.height()) } else { y };
                        (schar(x + room.low_x), schar(y + room.low_y))
                    }
                };
                if self.terrain(x, y) == Terrain::ROOM {
                    break;
                }
                tries += 1;
                if tries > 100 {
                    return Err(Fault::NoPlace);
                }
            }
        }
        Ok((x, y))
    }
}
