//! Corridors between given or random doors.

use splc_ir::catalog::LoaderRule;

use super::{EAST, Loader, NORTH, SOUTH, WEST};
use crate::error::Fault;
use crate::level::{COLUMNS, FIRST_ROOM_NUMBER, Place, ROWS, is_ok};
use crate::limits::MAX_DOORS;
use crate::observer::Complaint;
use crate::terrain::Terrain;

/// One end of a corridor, as given by a script.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorridorEnd {
    pub room: i32,
    pub wall: i32,
    pub door: i32,
}

/// A corridor must reach its end, or may stop on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    Sure,
    MayFail,
}

impl Loader<'_> {
    /// Digs a corridor of `floor` through `rock`. Returns false if it gets stuck (`dig_corridor`).
    pub fn dig_corridor(&mut self, from: Place, to: Place, aim: Aim, floor: Terrain, rock: Terrain) -> bool {
        let ((mut x, mut y), (to_x, to_y)) = (from, to);
        if x <= 0 || y <= 0 || to_x <= 0 || to_y <= 0 {
            return false;
        }
        if x > COLUMNS - 1 || to_x > COLUMNS - 1 || y > ROWS - 1 || to_y > ROWS - 1 {
            return false;
        }
        let (mut dx, mut dy) = if to_x > x {
            (1, 0)
        } else if to_y > y {
            (0, 1)
        } else if to_x < x {
            (-1, 0)
        } else {
            (0, -1)
        };
        x -= dx;
        y -= dy;
        let mut steps = 0;
        while x != to_x || y != to_y {
            steps += 1;
            if steps > 501 || (aim == Aim::MayFail && self.rn2(35) == 0) {
                return false;
            }
            x += dx;
            y += dy;
            if x >= COLUMNS - 1 || x <= 0 || y <= 0 || y >= ROWS - 1 {
                return false;
            }
            let here = self.terrain(x, y);
            if here == rock {
                self.dug += 1;
                if floor != Terrain::CORRIDOR || !self.may_have_secrets() || self.rn2(100) != 0 {
                    self.level.set_terrain(x, y, floor);
                    if aim == Aim::MayFail && self.rn2(50) == 0 {
                        self.make_object(self.game.boulder, x, y);
                    }
                } else {
                    let secret = self.has(LoaderRule::SecretCorridors);
                    let terrain = if secret { Terrain::SECRET_CORRIDOR } else { Terrain::CORRIDOR };
                    self.level.set_terrain(x, y, terrain);
                }
            } else if here != floor && here != Terrain::SECRET_CORRIDOR {
                return false;
            }

            let (mut far_x, mut far_y) = ((x - to_x).abs(), (y - to_y).abs());
            if self.has(LoaderRule::WindingCorridors) {
                if far_x > far_y && far_y != 0 && self.rn2(far_x - far_y + 1) == 0 {
                    far_x = 0;
                } else if far_y > far_x && far_x != 0 && self.rn2(far_y - far_x + 1) == 0 {
                    far_y = 0;
                }
            }
            let free = |terrain: Terrain| terrain == rock || terrain == floor || terrain == Terrain::SECRET_CORRIDOR;
            if dy != 0 && far_x > far_y {
                let turn = if x > to_x { -1 } else { 1 };
                if free(self.terrain(x + turn, y)) {
                    (dx, dy) = (turn, 0);
                    continue;
                }
            } else if dx != 0 && far_y > far_x {
                let turn = if y > to_y { -1 } else { 1 };
                if free(self.terrain(x, y + turn)) {
                    (dx, dy) = (0, turn);
                    continue;
                }
            }
            if free(self.terrain(x + dx, y + dy)) {
                continue;
            }
            if dx != 0 {
                (dx, dy) = (0, if to_y < y { -1 } else { 1 });
            } else {
                (dx, dy) = (if to_x < x { -1 } else { 1 }, 0);
            }
            if free(self.terrain(x + dx, y + dy)) {
                continue;
            }
            (dx, dy) = (-dx, -dy);
        }
        true
    }

    /// Finds a place for a door in a stretch of wall (`finddpos`).
    fn find_door_place(&mut self, [low_x, low_y, high_x, high_y]: [i32; 4]) -> Place {
        let sure = self.has(LoaderRule::OnePlaceTakesNoDraw);
        let x = if sure && low_x == high_x { low_x } else { low_x + self.rn2(high_x - low_x + 1) };
        let y = if sure && low_y == high_y { low_y } else { low_y + self.rn2(high_y - low_y + 1) };
        if self.is_ok_door(x, y) {
            return (x, y);
        }
        let places = || (low_x..=high_x).flat_map(move |x| (low_y..=high_y).map(move |y| (x, y)));
        places()
            .find(|&(x, y)| self.is_ok_door(x, y))
            .or_else(|| places().find(|&(x, y)| self.terrain(x, y).is_door_or_secret()))
            .unwrap_or((low_x, high_y))
    }

    /// Finds a place for a door that leads into a room, in the wall on one side of it (`finddpos` of NetHack 5.0.0).
    fn find_leading_place(&mut self, room: usize, (dx, dy): Place) -> Option<Place> {
        const TRIES: i32 = 20;
        let known = self.level.rooms[room];
        let [low_x, low_y, high_x, high_y] = match (dx, dy) {
            (0, -1) => [known.low_x, known.low_y - 1, known.high_x, known.low_y - 1],
            (0, 1) => [known.low_x, known.high_y + 1, known.high_x, known.high_y + 1],
            (-1, 0) => [known.low_x - 1, known.low_y, known.low_x - 1, known.high_y],
            _ => [known.high_x + 1, known.low_y, known.high_x + 1, known.high_y],
        };
        for _ in 0..TRIES {
            let x = if high_x != low_x { self.rn1(high_x - low_x + 1, low_x) } else { low_x };
            let y = if high_y != low_y { self.rn1(high_y - low_y + 1, low_y) } else { low_y };
            if let Some(place) = self.leading_place(room, (x, y), (-dx, -dy)) {
                return Some(place);
            }
        }
        let mut places = (low_x..=high_x).flat_map(|x| (low_y..=high_y).map(move |y| (x, y)));
        places.find_map(|place| self.leading_place(room, place, (-dx, -dy)))
    }

    /// Finds the first place for a door on the way from there into the room (`finddpos_shift`).
    fn leading_place(&self, room: usize, (x, y): Place, (dx, dy): Place) -> Option<Place> {
        if self.leads_into(room, (x, y), (dx, dy)) {
            return Some((x, y));
        }
        let known = &self.level.rooms[room];
        if !known.irregular {
            return None;
        }
        let open = |terrain: Terrain| matches!(terrain, Terrain::STONE | Terrain::CORRIDOR);
        let (mut x, mut y) = (x, y);
        while is_ok(x, y) && open(self.terrain(x, y)) {
            (x, y) = (x + dx, y + dy);
            if self.leads_into(room, (x, y), (dx, dy)) {
                return Some((x, y));
            }
            let within = (known.low_x..=known.high_x).contains(&x) && (known.low_y..=known.high_y).contains(&y);
            if !open(self.terrain(x, y)) || !within {
                break;
            }
        }
        None
    }

    /// Returns true if a door at a place would lead into a room that may be joined (`good_rm_wall_doorpos`).
    fn leads_into(&self, room: usize, (x, y): Place, (dx, dy): Place) -> bool {
        let wall = matches!(
            self.terrain(x, y),
            Terrain::HORIZONTAL_WALL | Terrain::VERTICAL_WALL | Terrain::DOOR | Terrain::SECRET_DOOR
        );
        let (inner_x, inner_y) = (x + dx, y + dy);
        is_ok(x, y)
            && self.is_to_be_joined(room)
            && wall
            && !self.is_beside_door(x, y)
            && is_ok(inner_x, inner_y)
            && !self.terrain(inner_x, inner_y).is_rock()
            && self.level.room_number(inner_x, inner_y) == room as i32 + FIRST_ROOM_NUMBER
    }

    /// Joins two rooms by a corridor that is dug before its doors are made (`join` of NetHack 5.0.0).
    fn join_by_corridor(&mut self, one: usize, other: usize, aim: Aim) {
        let (from, to) = (self.level.rooms[one], self.level.rooms[other]);
        if !(self.is_to_be_joined(one) && self.is_to_be_joined(other)) || to.high_x < 0 || from.high_x < 0 {
            return;
        }
        let (dx, dy) = if to.low_x > from.high_x {
            (1, 0)
        } else if to.high_y < from.low_y {
            (0, -1)
        } else if to.high_x < from.low_x {
            (-1, 0)
        } else {
            (0, 1)
        };
        let Some((x, y)) = self.find_leading_place(one, (dx, dy)) else { return };
        let Some((to_x, to_y)) = self.find_leading_place(other, (-dx, -dy)) else { return };
        if aim == Aim::MayFail && self.terrain(x + dx, y + dy) != Terrain::STONE {
            return;
        }
        let floor = if self.level.level_flags.arboreal { Terrain::ROOM } else { Terrain::CORRIDOR };
        self.dug = 0;
        let through = self.dig_corridor((x + dx, y + dy), (to_x - dx, to_y - dy), aim, floor, Terrain::STONE);
        if self.dug > 0 && (self.is_ok_door(x, y) || aim == Aim::Sure) {
            self.make_corridor_door(x, y, one);
        }
        if !through {
            return;
        }
        if self.is_ok_door(to_x, to_y) || aim == Aim::Sure {
            self.make_corridor_door(to_x, to_y, other);
        }
        let joined = &mut self.scratch.joined;
        if joined[one] < joined[other] {
            joined[other] = joined[one];
        } else {
            joined[one] = joined[other];
        }
    }

    /// Returns true if corridors may join a room.
    fn is_to_be_joined(&self, room: usize) -> bool {
        self.level.rooms[room].joined || self.has(LoaderRule::EveryRoomIsJoined)
    }

    /// Joins two rooms by a corridor (`join`).
    fn join(&mut self, one: usize, other: usize, aim: Aim) {
        if self.has(LoaderRule::CorridorsDugBeforeDoors) {
            return self.join_by_corridor(one, other, aim);
        }
        let (from, to) = (self.level.rooms[one], self.level.rooms[other]);
        if self.has(LoaderRule::CorridorStyles) && !(self.is_to_be_joined(one) && self.is_to_be_joined(other)) {
            return;
        }
        if to.high_x < 0 || from.high_x < 0 || self.level.door_count >= MAX_DOORS {
            return;
        }
        let (dx, dy, near, far);
        if to.low_x > from.high_x {
            (dx, dy) = (1, 0);
            near = [from.high_x + 1, from.low_y, from.high_x + 1, from.high_y];
            far = [to.low_x - 1, to.low_y, to.low_x - 1, to.high_y];
        } else if to.high_y < from.low_y {
            (dx, dy) = (0, -1);
            near = [from.low_x, from.low_y - 1, from.high_x, from.low_y - 1];
            far = [to.low_x, to.high_y + 1, to.high_x, to.high_y + 1];
        } else if to.high_x < from.low_x {
            (dx, dy) = (-1, 0);
            near = [from.low_x - 1, from.low_y, from.low_x - 1, from.high_y];
            far = [to.high_x + 1, to.low_y, to.high_x + 1, to.high_y];
        } else {
            (dx, dy) = (0, 1);
            near = [from.low_x, from.high_y + 1, from.high_x, from.high_y + 1];
            far = [to.low_x, to.low_y - 1, to.high_x, to.low_y - 1];
        }
        let (x, y) = self.find_door_place(near);
        let (to_x, to_y) = self.find_door_place(far);
        if aim == Aim::MayFail && self.terrain(x + dx, y + dy) != Terrain::STONE {
            return;
        }
        if self.is_ok_door(x, y) || aim == Aim::Sure {
            self.make_corridor_door(x, y, one);
        }
        let floor = if self.level.level_flags.arboreal { Terrain::ROOM } else { Terrain::CORRIDOR };
        if !self.dig_corridor((x + dx, y + dy), (to_x - dx, to_y - dy), aim, floor, Terrain::STONE) {
            return;
        }
        if self.is_ok_door(to_x, to_y) || aim == Aim::Sure {
            self.make_corridor_door(to_x, to_y, other);
        }
        let joined = &mut self.scratch.joined;
        let low = joined[one].min(joined[other]);
        if joined[one] < joined[other] {
            joined[other] = low;
        } else {
            joined[one] = low;
        }
    }

    /// Joins the rooms of the level at random (`makecorridors`).
    pub fn make_corridors(&mut self, style: i32) -> Result<(), Fault> {
        let rooms = self.level.room_count;
        let style = match (self.has(LoaderRule::CorridorStyles), style) {
            (false, _) => 0,
            (true, -1) => self.rn2(4),
            (true, style) => style,
        };
        match style {
            // Join each room to a random room.
            1 => {
                let mut tries = 0;
                for one in 0..rooms.saturating_sub(usize::from(rooms <= 1)) {
                    let mut other;
                    loop {
                        other = self.rn2(rooms as i32 - 1) as usize;
                        let room = self.level.rooms[other];
                        let bad = one == other || room.doors != 0 || !self.is_to_be_joined(other);
                        if !bad {
                            break;
                        }
                        tries += 1;
                        if tries > 100 {
                            break;
                        }
                    }
                    if tries >= 100 {
                        other = (0..rooms - 1)
                            .find(|&other| self.level.rooms[other].doors == 0 && one != other)
                            .unwrap_or(rooms - 1);
                    }
                    if one == other {
                        other += 1;
                    }
                    self.join(one, other, Aim::Sure);
                }
            }
            // Join the rooms in a circle.
            2 if rooms > 1 => {
                for one in 0..rooms {
                    if !self.is_to_be_joined(one) {
                        continue;
                    }
                    let mut other = one;
                    let mut tries = 0;
                    loop {
                        other = (other + 1) % rooms;
                        if self.is_to_be_joined(other) {
                            break;
                        }
                        tries += 1;
                        if tries >= rooms {
                            break;
                        }
                    }
                    self.join(one, other, Aim::Sure);
                }
            }
            // Join all rooms to the first.
            3 if rooms > 1 => {
                let first = (0..rooms).find(|&room| self.is_to_be_joined(room));
                if let Some(first) = first {
                    for one in (0..rooms).filter(|&one| one != first) {
                        self.join(one, first, Aim::Sure);
                    }
                }
            }
            2 | 3 => {}
            _ => self.make_usual_corridors(rooms),
        }
        self.check_draws()
    }

    /// Makes the corridors of ordinary levels.
    fn make_usual_corridors(&mut self, rooms: usize) {
        for one in 0..rooms.saturating_sub(1) {
            self.join(one, one + 1, Aim::Sure);
            if self.rn2(50) == 0 {
                break;
            }
        }
        for one in 0..rooms.saturating_sub(2) {
            if self.scratch.joined[one] != self.scratch.joined[one + 2] {
                self.join(one, one + 2, Aim::Sure);
            }
        }
        for one in 0..rooms {
            let mut any = false;
            for other in 0..rooms {
                if self.scratch.joined[one] != self.scratch.joined[other] {
                    self.join(one, other, Aim::Sure);
                    any = true;
                }
            }
            if !any {
                break;
            }
        }
        if rooms > 2 {
            let rooms = rooms as i32;
            for _ in 0..self.rn2(rooms) + 4 {
                let one = self.rn2(rooms);
                let mut other = self.rn2(rooms - 2);
                if other >= one {
                    other += 2;
                }
                self.join(one as usize, other as usize, Aim::MayFail);
            }
        }
    }

    /// Finds a door in a wall of a room by its number from the start of the wall (`search_door`). Past the end of the
    /// list of rooms, the games read other memory, find no door there, and go on.
    fn search_door(&mut self, room: i32, wall: i32, mut count: i32) -> Result<Option<Place>, Fault> {
        let room = usize::try_from(room).ok().and_then(|room| self.level.rooms.get(room).copied());
        let Some(room) = room else {
            self.complain(Complaint::CorridorRoom);
            return Ok(None);
        };
        let wall = match wall {
            SOUTH if self.has(LoaderRule::CorridorWallsAsNamed) => NORTH,
            NORTH if self.has(LoaderRule::CorridorWallsAsNamed) => SOUTH,
            wall => wall,
        };
        // North is at the bottom, as in the older games.
        let ((mut x, mut y), (dx, dy)) = match wall {
            NORTH => ((room.low_x, room.high_y + 1), (1, 0)),
            SOUTH => ((room.low_x, room.low_y - 1), (1, 0)),
            EAST => ((room.high_x + 1, room.low_y), (0, 1)),
            WEST => ((room.low_x - 1, room.low_y), (0, 1)),
            _ => return Err(Fault::CorridorWall),
        };
        while x <= room.high_x + 1 && y <= room.high_y + 1 {
            if self.terrain(x, y).is_door_or_secret() {
                if count <= 0 {
                    return Ok(Some((x, y)));
                }
                count -= 1;
            }
            x += dx;
            y += dy;
        }
        Ok(None)
    }

    /// Checks that existing stairs lie in their recorded room, and otherwise records the room they lie in
    /// (`fix_stair_rooms`). The games read the room in which the stairs were made, and stop if there is none.
    fn fix_stairs_rooms(&mut self) -> Result<(), Fault> {
        let within = |room: &crate::level::Room, (x, y): Place| {
            room.low_x <= x && x <= room.high_x && room.low_y <= y && y <= room.high_y
        };
        let stairs = self.level.stairs;
        for (place, known) in [(stairs.down, self.level.stairs_down_room), (stairs.up, self.level.stairs_up_room)] {
            if place.0 == 0 || within(&self.level.rooms[known.ok_or(Fault::StairsRoom)?], place) {
                continue;
            }
            let room = self.level.rooms().iter().position(|room| within(room, place)).ok_or(Fault::StairsRoom)?;
            if place == stairs.down {
                self.level.stairs_down_room = Some(room);
            } else {
                self.level.stairs_up_room = Some(room);
            }
        }
        Ok(())
    }

    /// Sorts the rooms by their first columns. The numbers on the squares do not change (`sort_rooms`).
    fn sort_rooms(&mut self) {
        let level = &mut *self.level;
        let Some(rooms) = level.rooms.get_mut(..level.room_count) else { return };
        for last in 1..rooms.len() {
            let place = rooms[..last].partition_point(|room| room.low_x <= rooms[last].low_x);
            rooms[place..=last].rotate_right(1);
        }
    }

    /// Makes a corridor requested by a script (`create_corridor`).
    pub fn create_corridor(&mut self, from: CorridorEnd, to: CorridorEnd) -> Result<(), Fault> {
        if from.room == -1 {
            if self.has(LoaderRule::RoomsSortedBeforeJoining) {
                self.sort_rooms();
            }
            if !self.has(LoaderRule::CorridorsDugBeforeDoors) {
                self.fix_stairs_rooms()?;
            }
            return self.make_corridors(from.door);
        }
        let Some((mut x, mut y)) = self.search_door(from.room, from.wall, from.door)? else { return Ok(()) };
        if to.room == -1 {
            return Ok(());
        }
        let Some((mut to_x, mut to_y)) = self.search_door(to.room, to.wall, to.door)? else { return Ok(()) };
        let step = |x: &mut i32, y: &mut i32, wall: i32| match wall {
            NORTH => *y -= 1,
            SOUTH => *y += 1,
            WEST => *x -= 1,
            EAST => *x += 1,
            _ => {}
        };
        step(&mut x, &mut y, from.wall);
        step(&mut to_x, &mut to_y, to.wall);
        self.dig_corridor((x, y), (to_x, to_y), Aim::Sure, Terrain::CORRIDOR, Terrain::STONE);
        Ok(())
    }
}
