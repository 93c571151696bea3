//! Doors: their places, their states, and the rooms that they belong to.

use splc_ir::catalog::LoaderRule;

use super::{EAST, Loader, NORTH, SOUTH, WEST};
use crate::level::{COLUMNS, FIRST_ROOM_NUMBER, ROWS, door, is_ok};
use crate::limits::MAX_DOORS;
use crate::observer::Complaint;
use crate::settings::Surrounding;
use crate::terrain::Terrain;

/// A script's request for a door in a room's wall; -1 is random.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoomDoorRequest {
    pub wall: i32,
    pub position: i32,
    pub secret: i32,
    pub state: i32,
}

impl Loader<'_> {
    /// Draws a random state: none, broken, open, closed or locked (`rnddoor`).
    pub fn random_door_state(&mut self) -> i32 {
        (1 << self.rn2(5)) >> 1
    }

    /// Returns true if a door is next to the place (`bydoor`).
    fn is_by_door(&self, x: i32, y: i32) -> bool {
        [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            .iter()
            .any(|&(x, y)| is_ok(x, y) && self.terrain(x, y).is_door_or_secret())
    }

    /// Returns true if a door is next to the place, for code that follows walls (`bydoor`).
    pub fn is_beside_door(&self, x: i32, y: i32) -> bool {
        self.is_by_door(x, y)
    }

    /// Returns true if a door can be made at the place (`okdoor`).
    pub fn is_ok_door(&self, x: i32, y: i32) -> bool {
        let near_door = self.is_by_door(x, y);
        if self.has(LoaderRule::DoorsNeedAnOpening) {
            let mut beside = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)].into_iter();
            let wall = matches!(self.terrain(x, y), Terrain::HORIZONTAL_WALL | Terrain::VERTICAL_WALL);
            return wall && !near_door && beside.any(|(x, y)| is_ok(x, y) && !self.terrain(x, y).is_rock());
        }
        matches!(self.terrain(x, y), Terrain::HORIZONTAL_WALL | Terrain::VERTICAL_WALL)
            && self.level.door_count < MAX_DOORS
            && !near_door
    }

    /// Adds a door to a room (`add_door`).
    pub fn add_door(&mut self, x: i32, y: i32, room: usize) {
        let level = &mut *self.level;
        let count = level.door_count;
        if self.game.rules.has(LoaderRule::DoorsListedOnce) {
            let first = level.rooms[room].first_door.max(0) as usize;
            let last = (first + level.rooms[room].doors.max(0) as usize).min(level.doors.len());
            if level.doors.get(first..last).is_some_and(|doors| doors.contains(&(x, y))) {
                return;
            }
        }
        let at;
        if self.game.rules.has(LoaderRule::DoorsByRoom) {
            if level.rooms[room].doors == 0 {
                level.rooms[room].first_door = count as i32;
            }
            level.rooms[room].doors += 1;
            let first = level.rooms[room].first_door;
            at = (first.max(0) as usize).min(count);
            let lists = [0..level.room_count, crate::level::SUBROOMS..crate::level::SUBROOMS + level.subroom_count];
            for other in lists.into_iter().flatten() {
                let Some(other_room) = level.rooms.get_mut(other) else { continue };
                if other != room && other_room.doors != 0 && other_room.first_door >= first {
                    other_room.first_door += 1;
                }
            }
        } else {
            level.rooms[room].doors += 1;
            let next = level.rooms.get(room + 1).filter(|next| next.high_x >= 0);
            at = next.map_or(count, |next| (next.first_door.max(0) as usize).min(count));
            for later in level.rooms[room + 1..].iter_mut().take_while(|later| later.high_x >= 0) {
                later.first_door += 1;
            }
        }
        // One door more than fits is dropped; the games write it past the end of their list.
        if count < level.doors.len() {
            level.doors.copy_within(at..count, at + 1);
            level.doors[at] = (x, y);
            level.door_count += 1;
        }
    }

    /// Makes a door with a random state (`dosdoor`).
    fn make_door(&mut self, x: i32, y: i32, room: usize, mut terrain: Terrain) {
        let shop = self.room_at(x, y, |room| room.kind >= self.game.rooms.shop).is_some();
        if !self.terrain(x, y).is_wall() {
            terrain = Terrain::DOOR;
        }
        self.level.set_terrain(x, y, terrain);
        let difficulty = self.ask(Surrounding::Difficulty).difficulty;
        let mut state;
        if terrain == Terrain::DOOR {
            if self.rn2(3) == 0 {
                state = if self.rn2(5) == 0 {
                    door::OPEN
                } else if self.rn2(6) == 0 {
                    door::LOCKED
                } else {
                    door::CLOSED
                };
                if state != door::OPEN && !shop && difficulty >= 5 && self.rn2(25) == 0 {
                    state |= door::TRAPPED;
                }
            } else {
                state = if shop { door::OPEN } else { door::NO_DOOR };
            }
            if state & door::TRAPPED != 0 && difficulty >= 9 && self.rn2(5) == 0 {
                state = door::NO_DOOR;
                self.make_monster(self.game.first_of_class(b'm'), true, x, y);
            }
        } else {
            state = if shop || self.rn2(5) == 0 { door::LOCKED } else { door::CLOSED };
            if !shop && difficulty >= 4 && self.rn2(20) == 0 {
                state |= door::TRAPPED;
            }
        }
        self.level.set_flags(x, y, state);
        self.add_door(x, y, room);
    }

    /// Returns true if the level is deep enough for random secret doors and corridors (`maybe_sdoor`).
    pub fn may_have_secrets(&mut self) -> bool {
        !self.has(LoaderRule::ShallowLevelsHaveNoSecrets) || self.ask(Surrounding::Depth).depth > 2
    }

    /// Makes a door at the end of a random corridor (`dodoor`).
    pub fn make_corridor_door(&mut self, x: i32, y: i32, room: usize) {
        if self.level.door_count >= MAX_DOORS {
            self.complain(Complaint::TooManyDoors);
            return;
        }
        let secret = self.has(LoaderRule::SecretDoors) && self.may_have_secrets() && self.rn2(8) == 0;
        self.make_door(x, y, room, if secret { Terrain::SECRET_DOOR } else { Terrain::DOOR });
    }

    /// Makes a door in a wall of a room (`create_door`).
    pub fn create_room_door(&mut self, mut request: RoomDoorRequest, number: usize) {
        if request.secret == -1 {
            request.secret = self.rn2(2);
        }
        if request.state == -1 {
            if request.secret == 0 {
                if self.rn2(3) == 0 {
                    request.state = if self.rn2(5) == 0 {
                        door::OPEN
                    } else if self.rn2(6) == 0 {
                        door::LOCKED
                    } else {
                        door::CLOSED
                    };
                    if request.state != door::OPEN && self.rn2(25) == 0 {
                        request.state |= door::TRAPPED;
                    }
                } else {
                    request.state = door::NO_DOOR;
                }
            } else {
                request.state = if self.rn2(5) == 0 { door::LOCKED } else { door::CLOSED };
                if self.rn2(20) == 0 {
                    request.state |= door::TRAPPED;
                }
            }
        }
        if request.wall == -1 && self.has(LoaderRule::RandomWallsAreAny) {
            request.wall = NORTH | SOUTH | EAST | WEST;
        }
        let room = self.level.rooms[number];
        let draws_wall = self.has(LoaderRule::DoorsDrawTheirWall);
        let tries = if self.has(LoaderRule::DoorsTriedAHundredTimes) { 100 } else { 101 };
        for _ in 0..tries {
            let wall = if request.wall == -1 { 1 << self.rn2(4) } else { request.wall };
            let bit = if draws_wall { wall } else { [NORTH, SOUTH, WEST, EAST][self.rn2(4) as usize & 3] };
            if wall & bit == 0 {
                continue;
            }
            let horizontal = bit == NORTH || bit == SOUTH;
            let last = if horizontal { room.high_x - room.low_x } else { room.high_y - room.low_y };
            let length = if draws_wall { last } else { last + 1 };
            let sure = length == 1 && self.has(LoaderRule::OneSquareTakesNoDoorDraw);
            let along = match request.position {
                -1 if sure => 0,
                -1 => self.rn2(length),
                position => position,
            };
            let ((x, y), (dx, dy)) = match bit {
                NORTH => ((room.low_x + along, room.low_y - 1), (0, -1)),
                SOUTH => ((room.low_x + along, room.high_y + 1), (0, 1)),
                WEST => ((room.low_x - 1, room.low_y + along), (-1, 0)),
                _ => ((room.high_x + 1, room.low_y + along), (1, 0)),
            };
            if (!draws_wall && self.terrain(x + dx, y + dy).is_rock()) || !self.is_ok_door(x, y) {
                continue;
            }
            if self.has(LoaderRule::DoorsJoinAtOnce) {
                self.add_door(x, y, number);
            }
            let terrain = if request.secret != 0 { Terrain::SECRET_DOOR } else { Terrain::DOOR };
            if !self.can_be_overwritten(x, y, Some(terrain)) {
                return;
            }
            self.level.set_terrain(x, y, terrain);
            self.level.set_flags(x, y, request.state);
            self.door_made = Some((x, y));
            return;
        }
        self.complain(Complaint::DoorPlace);
    }

    /// Determines if a door runs horizontally (`set_door_orientation`).
    pub fn orient_door(&mut self, x: i32, y: i32) {
        let wall = |x: i32, y: i32| {
            is_ok(x, y) && {
                let terrain = self.terrain(x, y);
                terrain.is_wall() || terrain.is_door_or_secret()
            }
        };
        let mut sides = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)].map(|(x, y)| wall(x, y));
        if sides == [false; 4] {
            let rock = |x: i32, y: i32| !is_ok(x, y) || self.terrain(x, y).joins_doors();
            sides = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)].map(|(x, y)| rock(x, y));
        }
        let [left, right, up, down] = sides;
        self.level.set_horizontal(x, y, (left || right) && !(up && down));
    }

    /// Only sets the orientation of every door, as the game of a list does.
    pub fn turn_doors(&mut self) {
        for x in 0..COLUMNS {
            for y in 0..ROWS {
                if self.terrain(x, y).is_door_or_secret() {
                    self.orient_door(x, y);
                }
            }
        }
    }

    /// Sets the orientation and the rooms of every door (`link_doors_rooms`).
    pub fn link_doors(&mut self) {
        let mut found = std::mem::take(&mut self.scratch.squares);
        found.clear();
        // Most parts of a level have no door, and checking many squares at once is faster.
        const PART: usize = 48;
        for (part, squares) in self.level.all_terrain().chunks(PART).enumerate() {
            if squares.iter().fold(false, |any, terrain| any | terrain.is_door_or_secret()) {
                let doors = squares.iter().zip(part * PART..).filter(|(terrain, _)| terrain.is_door_or_secret());
                found.extend(doors.map(|(_, at)| at as u16));
            }
        }
        // The games go row by row.
        found.sort_unstable_by_key(|&at| (i32::from(at) % ROWS, i32::from(at) / ROWS));
        for &at in &found {
            let (x, y) = (i32::from(at) / ROWS, i32::from(at) % ROWS);
            self.orient_door(x, y);
            for room in 0..self.level.room_count {
                self.link_door(x, y, room);
                for subroom in 0..usize::from(self.level.rooms[room].subroom_count) {
                    self.link_door(x, y, usize::from(self.level.rooms[room].subrooms[subroom]));
                }
            }
        }
        self.scratch.squares = found;
    }

    /// Returns true if a square is directly next to a square of a room, but not inside the room itself
    /// (`shared_with_room`).
    fn is_beside_room(&self, x: i32, y: i32, room: usize) -> bool {
        let known = &self.level.rooms[room];
        let mark = room as i32 + FIRST_ROOM_NUMBER;
        let of_room = |x: i32, y: i32| is_ok(x, y) && self.level.room_number(x, y) == mark;
        if !is_ok(x, y) || (of_room(x, y) && !self.level.is_edge(x, y)) {
            return false;
        }
        (of_room(x - 1, y) && x - 1 <= known.high_x)
            || (of_room(x + 1, y) && x + 1 >= known.low_x)
            || (of_room(x, y - 1) && y - 1 <= known.high_y)
            || (of_room(x, y + 1) && y + 1 >= known.low_y)
    }

    /// Assigns the doors in a completed room and its walls to the room, and likewise for its subrooms
    /// (`add_doors_to_room`).
    pub fn add_doors_to(&mut self, room: usize) {
        if !self.has(LoaderRule::DoorsBelongToWhatTheyTouch) {
            return;
        }
        let known = self.level.rooms[room];
        for x in known.low_x - 1..=known.high_x + 1 {
            for y in known.low_y - 1..=known.high_y + 1 {
                if self.terrain(x, y).is_door_or_secret() {
                    self.link_door(x, y, room);
                }
            }
        }
        for &subroom in &known.subrooms[..usize::from(known.subroom_count)] {
            self.add_doors_to(usize::from(subroom));
        }
    }

    /// Assigns a door to a room if it is in the room or its walls.
    pub fn link_door(&mut self, x: i32, y: i32, room: usize) {
        let known = &self.level.rooms[room];
        if self.has(LoaderRule::DoorsBelongToWhatTheyTouch) {
            let mark = room as i32 + FIRST_ROOM_NUMBER;
            let within = !known.irregular && known.has(x, y);
            if known.high_x >= 0 && (within || self.level.room_number(x, y) == mark || self.is_beside_room(x, y, room))
            {
                self.add_door(x, y, room);
            }
            return;
        }
        if known.high_x >= 0 && self.level.door_count < MAX_DOORS && known.has(x, y) {
            self.add_door(x, y, room);
        }
    }
}
