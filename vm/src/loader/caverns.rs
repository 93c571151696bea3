//! Caverns: INIT_MAP of the style "mines" (`mkmap.c`), the flood fill that finds their parts, and the removal of their
//! rooms under a map.

use splc_ir::catalog::LoaderRule;

use super::corridors::Aim;
use super::rooms::Building;
use super::{Loader, schar};
use crate::error::Fault;
use crate::level::{COLUMNS, FIRST_ROOM_NUMBER, ROWS, Room, SHARED, SQUARES, index, is_ok};
use crate::limits::MAX_ROOMS;
use crate::observer::Complaint;
use crate::terrain::Terrain;

/// The area of caverns: columns 1 to 78, rows 0 to 19.
const WIDTH: i32 = COLUMNS - 2;
const HEIGHT: i32 = ROWS - 1;
/// The highest room number that fits into a square.
const MAX_ROOM_NUMBER: i32 = 63;
/// Flags of ice over a pool and over a moat (`ICED_POOL`, `ICED_MOAT`).
pub(crate) const ICED_POOL: i32 = 8;
pub(crate) const ICED_MOAT: i32 = 16;

/// A script's request for caverns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CavernRequest {
    pub floor: Option<Terrain>,
    pub rock: Option<Terrain>,
    pub smooth: bool,
    pub joined: bool,
    pub light: i32,
    pub walled: bool,
    pub filling: Option<Terrain>,
    /// True if a filling was given.
    pub filled: bool,
}

/// The extent of a flood fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flood {
    /// Terrain equal to that at its start.
    Same,
    /// Floors and everything on them; surrounding walls and doors become part of the room.
    Room,
}

impl Loader<'_> {
    /// Fills the level and makes caverns in it (`splev_initlev`). NetHack 5 fills it with the floor by default.
    pub fn fill_and_make_caverns(&mut self, request: &CavernRequest) -> Result<(), Fault> {
        if request.filled || self.has(LoaderRule::CavernRoomsAreForgotten) {
            self.fill_solid(if request.filled { request.filling } else { request.floor }, 0);
        }
        self.make_caverns(request)
    }

    /// Makes caverns (`mkmap`).
    pub fn make_caverns(&mut self, request: &CavernRequest) -> Result<(), Fault> {
        let lit = if request.light < 0 { self.random_light() } else { request.light != 0 };
        if let Some(rock) = request.rock {
            self.level.all_terrain_mut()[ROWS as usize..].fill(rock);
            if self.has(LoaderRule::CavernsMayLackTerrain) {
                self.level.darken();
            }
            if self.has(LoaderRule::CavernRoomsAreForgotten) {
                self.level.forget_room_numbers();
            }
        }
        self.scatter(request.rock, request.floor)?;
        self.smooth_first(request.rock, request.floor);
        self.smooth_again(request.rock, request.floor, |near| near == 5);
        if request.smooth {
            for _ in 0..2 {
                self.smooth_again(request.rock, request.floor, |near| near < 3);
            }
        }
        if request.joined {
            self.join_caverns(request.rock, request.floor)?;
        }
        self.finish_caverns(request, lit);
        let fills = self.has(LoaderRule::CavernsFilledBehind);
        if request.walled && request.joined && (!fills || request.filled) {
            self.level.level_flags.maze = false;
            self.level.level_flags.cavernous = true;
            if let (true, Some(rock), Some(filling)) = (fills, request.rock, request.filling) {
                for x in 1..COLUMNS {
                    for y in 0..ROWS {
                        if self.terrain(x, y) == rock {
                            self.level.set_terrain(x, y, filling);
                            if filling == Terrain::LAVA {
                                self.level.set_lit(x, y, true);
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Turns random squares into floor until two in five are floor (`init_fill`).
    fn scatter(&mut self, rock: Option<Terrain>, floor: Option<Terrain>) -> Result<(), Fault> {
        let Some(floor) = floor else { return Ok(()) };
        let limit = WIDTH * HEIGHT * 2 / 5;
        let mut count = 0;
        while count < limit {
            let x = self.rn1(WIDTH - 1, 2);
            let y = self.rnd(HEIGHT - 1);
            if Some(self.terrain(x, y)) == rock {
                self.level.set_terrain(x, y, floor);
                count += 1;
            } else {
                self.check_draws()?;
            }
        }
        Ok(())
    }

    /// Counts the floors among the eight surrounding squares. Squares outside count as rock (`get_map`).
    fn floors_around(&self, x: i32, y: i32, rock: Option<Terrain>, floor: Option<Terrain>) -> i32 {
        let mut count = 0;
        for (dx, dy) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let (x, y) = (x + dx, y + dy);
            let inside = x > 0 && y >= 0 && x <= WIDTH && y < HEIGHT;
            let terrain = if inside { Some(self.terrain(x, y)) } else { rock };
            count += i32::from(terrain == floor);
        }
        count
    }

    /// Turns floor with few neighbours into rock, and squares with many into floor, one square after the other
    /// (`pass_one`).
    fn smooth_first(&mut self, rock: Option<Terrain>, floor: Option<Terrain>) {
        for x in 2..=WIDTH {
            for y in 1..HEIGHT {
                let terrain = match self.floors_around(x, y, rock, floor) {
                    0..=2 => rock,
                    5..=8 => floor,
                    _ => None,
                };
                if let Some(terrain) = terrain {
                    self.level.set_terrain(x, y, terrain);
                }
            }
        }
    }

    /// Turns squares into rock by the number of floors around them, all at once (`pass_two`, `pass_three`).
    fn smooth_again(&mut self, rock: Option<Terrain>, floor: Option<Terrain>, dies: impl Fn(i32) -> bool) {
        let mut next = std::mem::replace(&mut self.scratch.terrain, [Terrain::STONE; SQUARES]);
        next.copy_from_slice(self.level.all_terrain());
        if let Some(rock_terrain) = rock {
            for x in 2..=WIDTH {
                for y in 1..HEIGHT {
                    if dies(self.floors_around(x, y, rock, floor)) {
                        next[index(x, y)] = rock_terrain;
                    }
                }
            }
        }
        self.level.all_terrain_mut().copy_from_slice(&next);
        self.scratch.terrain = next;
    }

    /// Turns the parts of the caverns into rooms and joins them (`join_map`).
    fn join_caverns(&mut self, rock: Option<Terrain>, floor: Option<Terrain>) -> Result<(), Fault> {
        let (Some(floor), rock) = (floor, rock.unwrap_or(Terrain::STONE)) else { return Ok(()) };
        'parts: for x in 2..=WIDTH {
            for y in 1..HEIGHT {
                if self.terrain(x, y) != floor || self.level.room_number(x, y) != 0 {
                    continue;
                }
                self.flooded = [x, x, y, y];
                self.flooded_squares = 0;
                let number = self.level.room_count as i32 + FIRST_ROOM_NUMBER;
                self.flood_fill(x, y, number, false, Flood::Same)?;
                let [low_x, high_x, low_y, high_y] = self.flooded;
                if self.flooded_squares > 3 {
                    self.add_room([low_x, low_y, high_x, high_y], false, 0, Building::Declared)?;
                    let room = self.level.room_count - 1;
                    self.level.rooms[room].irregular = true;
                    if self.level.room_count >= MAX_ROOMS * 2 {
                        break 'parts;
                    }
                } else {
                    // Fill tiny parts, so that nobody ends up in one.
                    for x in low_x..=high_x {
                        for y in low_y..=high_y {
                            if self.level.room_number(x, y) == number {
                                self.level.set_terrain(x, y, rock);
                                self.level.set_room_number(x, y, 0);
                            }
                        }
                    }
                }
            }
        }
        let mut one = 0;
        for other in 1..self.level.room_count {
            let (mut from, found) = self.some_place(one);
            let (mut to, also) = if found { self.some_place(other) } else { ((0, 0), false) };
            let (first, second) = (self.level.rooms[one], self.level.rooms[other]);
            if !found || !also {
                self.complain(Complaint::JoinPlace);
                let middle = |room: &Room| {
                    (room.low_x + (room.high_x - room.low_x) / 2, room.low_y + (room.high_y - room.low_y) / 2)
                };
                (from, to) = (middle(&first), middle(&second));
            }
            self.dig_corridor(from, to, Aim::Sure, floor, rock);
            if second.low_x > first.high_x
                || ((second.low_y > first.high_y || second.high_y < first.low_y) && self.rn2(3) != 0)
            {
                one = other;
            }
        }
        if self.has(LoaderRule::CavernRoomsAreForgotten) {
            self.level.forget_rooms();
        }
        Ok(())
    }

    /// Sets walls and light (`finish_map`).
    fn finish_caverns(&mut self, request: &CavernRequest, lit: bool) {
        if request.walled && self.has(LoaderRule::CavernsAreWallified) {
            self.wallify(1, 0, COLUMNS - 1, ROWS - 1);
        } else if request.walled {
            self.wallify_rooms();
        }
        if lit {
            let shines = |terrain: Terrain| {
                let is = |of: Option<Terrain>| of == Some(terrain) && !terrain.is_rock();
                is(request.floor)
                    || is(request.rock)
                    || (terrain == Terrain::TREE && request.rock == Some(Terrain::TREE))
                    || (request.walled && terrain.is_wall())
            };
            for x in 1..COLUMNS {
                for y in 0..ROWS {
                    if shines(self.terrain(x, y)) {
                        self.level.set_lit(x, y, true);
                    }
                }
            }
            for room in 0..self.level.room_count {
                self.level.rooms[room].lit = true;
            }
        }
        let freezes = self.has(LoaderRule::CavernsFreezePools);
        for x in 1..COLUMNS {
            for y in 0..ROWS {
                match self.terrain(x, y) {
                    Terrain::LAVA => self.level.set_lit(x, y, true),
                    Terrain::ICE if freezes => {
                        let frozen = if self.iced_pools { ICED_POOL } else { ICED_MOAT };
                        self.level.set_flags(x, y, frozen);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Turns the stone around bare floor into walls (`wallify_map` of `mkmap.c`). The last of the three rows of
    /// neighbours with floor determines the direction of the wall.
    pub fn wallify_rooms(&mut self) {
        for x in 1..COLUMNS {
            for y in 0..ROWS {
                if self.terrain(x, y) != Terrain::STONE {
                    continue;
                }
                let has_floor = |row: i32| {
                    (x - 1..=x + 1).any(|column| is_ok(column, row) && self.terrain(column, row) == Terrain::ROOM)
                };
                let wall = if has_floor(y + 1) {
                    Some(Terrain::HORIZONTAL_WALL)
                } else if has_floor(y) {
                    Some(Terrain::VERTICAL_WALL)
                } else if has_floor(y - 1) {
                    Some(Terrain::HORIZONTAL_WALL)
                } else {
                    None
                };
                if let Some(wall) = wall {
                    self.level.set_terrain(x, y, wall);
                }
            }
        }
    }

    /// Numbers all squares connected to a place (`flood_fill_rm`). Their bounds and count are stored in `flooded` and
    /// `flooded_squares`.
    pub fn flood_fill(&mut self, x: i32, y: i32, number: i32, lit: bool, flood: Flood) -> Result<(), Fault> {
        // A greater number would be truncated on the squares, and the fill would never end.
        if number > MAX_ROOM_NUMBER {
            return Err(Fault::TooManyRooms);
        }
        self.flood_from(x, y, number, lit, flood);
        Ok(())
    }

    fn flood_from(&mut self, mut x: i32, y: i32, number: i32, lit: bool, flood: Flood) {
        let start = self.terrain(x, y);
        let any_floor = self.has(LoaderRule::RegionsOverAnyFloor);
        let belongs_at_start = |loader: &Self, x: i32, y: i32| match flood {
            _ if any_floor && !is_ok(x, y) => false,
            Flood::Room => loader.terrain(x, y).is_room(),
            Flood::Same => loader.terrain(x, y) == start,
        };
        let belongs = |loader: &Self, x: i32, y: i32| match flood {
            Flood::Room if any_floor => is_ok(x, y) && loader.terrain(x, y).is_room(),
            _ if any_floor => is_ok(x, y) && loader.terrain(x, y) == start,
            _ => loader.terrain(x, y) == start,
        };
        while x > 0 && belongs_at_start(self, x, y) && self.level.room_number(x, y) != number {
            x -= 1;
        }
        x += 1;
        self.flooded[0] = self.flooded[0].min(x);
        self.flooded[2] = self.flooded[2].min(y);
        let first = x;
        let mut column = first;
        while column <= WIDTH && belongs(self, column, y) {
            self.level.set_room_number(column, y, number);
            self.level.set_lit(column, y, lit);
            if flood == Flood::Room {
                self.flood_edges(if column == first { column - 1 } else { column }, column + 1, y, number, lit);
            }
            self.flooded_squares += 1;
            column += 1;
        }
        let past = column;
        for row in [y - 1, y + 1] {
            if !is_ok(first, row) {
                continue;
            }
            for column in first..past {
                let enter = |loader: &mut Self, x: i32| {
                    if belongs(loader, x, row) && loader.level.room_number(x, row) != number {
                        loader.flood_from(x, row, number, lit, flood);
                    }
                };
                if belongs(self, column, row) {
                    enter(self, column);
                } else {
                    if column > first || is_ok(column - 1, row) {
                        enter(self, column - 1);
                    }
                    if column < past - 1 || is_ok(column + 1, row) {
                        enter(self, column + 1);
                    }
                }
            }
        }
        if past > self.flooded[1] {
            self.flooded[1] = past - 1;
        }
        if y > self.flooded[3] {
            self.flooded[3] = y;
        }
    }

    /// Makes the walls and doors around a square part of the room.
    fn flood_edges(&mut self, first: i32, last: i32, row: i32, number: i32, lit: bool) {
        for x in first..=last {
            for y in row - 1..=row + 1 {
                if !is_ok(x, y) {
                    continue;
                }
                let terrain = self.terrain(x, y);
                let secret = terrain == Terrain::SECRET_DOOR
                    && !self.has(LoaderRule::RegionsOverAnyFloor)
                    && !self.has(LoaderRule::SecretDoorsBoundNothing);
                if terrain.is_wall() || terrain == Terrain::DOOR || secret {
                    self.level.set_edge(x, y, true);
                    if lit {
                        self.level.set_lit(x, y, true);
                    }
                    let known = self.level.room_number(x, y);
                    if known == 0 && self.has(LoaderRule::EdgesBelongToTheirRoom) {
                        self.level.set_room_number(x, y, number);
                    } else if known != number {
                        self.level.set_room_number(x, y, SHARED.into());
                    }
                }
            }
        }
    }

    /// Removes the rooms of caverns now covered by a map, given by its first column and row, and one past the last
    /// (`remove_rooms`).
    pub fn remove_rooms(&mut self, [low_x, low_y, high_x, high_y]: [i32; 4]) {
        for number in (0..self.level.room_count).rev() {
            let room = self.level.rooms[number];
            if room.high_x < low_x || room.low_x >= high_x || room.high_y < low_y || room.low_y >= high_y {
                continue;
            }
            if room.low_x < low_x || room.high_x >= high_x || room.low_y < low_y || room.high_y >= high_y {
                if !room.irregular {
                    self.complain(Complaint::RegularRoomInJoinedMap);
                }
            } else {
                self.remove_room(number);
            }
        }
    }

    /// Removes a room; the last room takes its number (`remove_room`).
    fn remove_room(&mut self, number: usize) {
        self.level.room_count -= 1;
        let last = self.level.room_count;
        if number != last {
            let room = self.level.rooms[last];
            self.level.rooms[number] = room;
            let old = last as i32 + FIRST_ROOM_NUMBER;
            for x in room.low_x..=room.high_x {
                for y in room.low_y..=room.high_y {
                    if self.level.room_number(x, y) == old {
                        self.level.set_room_number(x, y, number as i32 + FIRST_ROOM_NUMBER);
                    }
                }
            }
        }
        self.level.rooms[last].high_x = schar(-1);
    }
}
