//! Rooms and subrooms: their places, walls, floors and light, and the room numbers on their squares.

use splc_ir::catalog::LoaderRule;

use super::rectangles::Rectangle;
use super::{Loader, schar};
use crate::error::Fault;
use crate::level::{COLUMNS, FIRST_ROOM_NUMBER, ROWS, Room, SHARED, SUBROOMS};
use crate::limits::{MAX_SUBROOMS, ROOM_TRIES};
use crate::terrain::Terrain;

/// A script's request for a room; -1 is random.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoomRequest {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
    pub align_x: i32,
    pub align_y: i32,
    pub kind: i32,
    /// Percentage for the room to get its type; 0 means certain.
    pub chance: i32,
    pub light: i32,
    pub filled: bool,
    pub joined: bool,
}

/// Walls of a separate room or of a subroom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Room,
    Subroom,
}

/// A room is built, or only declared on existing squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Building {
    Built,
    Declared,
}

const LEFT_OR_TOP: i32 = 1;
const CENTER: i32 = 3;
const RIGHT_OR_BOTTOM: i32 = 5;

impl Loader<'_> {
    /// Shrinks a room until nothing is near it. Returns the new first column, width, first row and height, or `None` if
    /// nothing is left of it (`check_room`).
    fn check_room(&mut self, low: (i32, i32), size: (i32, i32), vault: bool) -> Option<[i32; 4]> {
        let ((mut low_x, mut low_y), (dx, dy)) = (low, size);
        let themed = self.making.themed;
        let (mut high_x, mut high_y) = (low_x + dx, low_y + dy);
        let (x_limit, y_limit) = if vault { (5, 4) } else { (4, 3) };
        low_x = low_x.max(3);
        low_y = low_y.max(2);
        high_x = high_x.min(COLUMNS - 3);
        high_y = high_y.min(ROWS - 3);
        'check: loop {
            if high_x <= low_x || high_y <= low_y {
                return None;
            }
            for x in low_x - x_limit..=high_x + x_limit {
                if x <= 0 || x >= COLUMNS {
                    continue;
                }
                for y in (low_y - y_limit).max(0)..=(high_y + y_limit).min(ROWS - 1) {
                    if self.terrain(x, y) == Terrain::STONE {
                        continue;
                    }
                    if self.rn2(3) == 0 || themed {
                        return None;
                    }
                    if x < low_x {
                        low_x = x + x_limit + 1;
                    } else {
                        high_x = x - x_limit - 1;
                    }
                    if y < low_y {
                        low_y = y + y_limit + 1;
                    } else {
                        high_y = y - y_limit - 1;
                    }
                    continue 'check;
                }
            }
            let smaller = (high_x - low_x, high_y - low_y);
            let changed = low_x != low.0 && smaller.0 != dx && low_y != low.1 && smaller.1 != dy;
            // Other functions of the level maker would rather have a smaller room than none.
            return (!(themed && changed)).then_some([low_x, smaller.0, low_y, smaller.1]);
        }
    }

    /// Makes a room. Returns false if there is no place for it (`create_room`).
    pub fn create_room(&mut self, request: &RoomRequest, kind: i32) -> Result<bool, Fault> {
        let kind = if kind == -1 { 0 } else { kind };
        let vault = kind == self.game.rooms.vault;
        let (x_limit, y_limit) = if vault { (5, 4) } else { (4, 3) };
        let lit = if request.light == -1 { self.random_light() } else { request.light != 0 };

        let anywhere = self.has(LoaderRule::RoomsWithoutRectangles);
        let most_tries = if anywhere { ROOM_TRIES } else { 100 };
        let mut tries = 0;
        let (outer, inner, low_x, low_y, width, height) = loop {
            let found =
                if (request.x < 0 && request.y < 0 && request.width < 0 && request.align_x < 0 && request.align_y < 0)
                    || vault
                {
                    let outer = if anywhere { Some(self.rectangle_anywhere()) } else { self.random_rectangle() };
                    let Some(outer) = outer else { return Ok(false) };
                    self.random_room(outer, vault, x_limit, y_limit)
                } else {
                    self.partly_random_room(request, vault)
                };
            tries += 1;
            match found {
                Some(found) => break found,
                None if tries > most_tries => return Ok(false),
                None => self.check_draws()?,
            }
        };
        if !anywhere {
            self.scratch.rectangles.split(outer, &inner);
        }
        if vault {
            let room = &mut self.level.rooms[self.level.room_count];
            room.low_x = low_x;
            room.low_y = low_y;
        } else {
            let number = self.level.room_count;
            self.scratch.joined[number.min(self.scratch.joined.len() - 1)] = number as i32;
            self.add_room([low_x, low_y, low_x + width - 1, low_y + height - 1], lit, kind, Building::Built)?;
        }
        Ok(true)
    }

    /// Reserves a place for a vault, which is made after the corridors (`create_vault`).
    pub fn reserve_vault(&mut self) -> Result<(), Fault> {
        let request = RoomRequest {
            x: -1,
            y: -1,
            width: 2,
            height: 2,
            align_x: -1,
            align_y: -1,
            kind: self.game.rooms.vault,
            chance: 0,
            light: 1,
            filled: false,
            joined: true,
        };
        if self.create_room(&request, request.kind)? {
            let place = &mut self.level.rooms[self.level.room_count];
            self.making.vault = Some((place.low_x, place.low_y));
            place.high_x = -1;
        }
        Ok(())
    }

    /// Draws a rectangle anywhere on the level as the bounds of a room.
    fn rectangle_anywhere(&mut self) -> Rectangle {
        let mut stretch = |length: i32, margin: i32| {
            let mut high = self.rn2(length - margin);
            loop {
                let low = self.rn2(length - high);
                if low <= high {
                    return (low, high);
                }
                high = low;
            }
        };
        let (low_x, high_x) = stretch(COLUMNS, 3);
        let (low_y, high_y) = stretch(ROWS, 2);
        Rectangle { low_x, low_y, high_x, high_y }
    }

    /// Draws a place in `outer` for a room that is completely random.
    #[allow(clippy::type_complexity)]
    fn random_room(
        &mut self,
        outer: Rectangle,
        vault: bool,
        x_limit: i32,
        y_limit: i32,
    ) -> Option<(Rectangle, Rectangle, i32, i32, i32, i32)> {
        let Rectangle { low_x: lx, low_y: ly, high_x: hx, high_y: hy } = outer;
        let (dx, mut dy);
        if vault {
            (dx, dy) = (1, 1);
        } else {
            dx = 2 + self.rn2(if hx - lx > 28 { 12 } else { 8 });
            dy = 2 + self.rn2(4);
            if dx * dy > 50 {
                dy = 50 / dx;
            }
        }
        let x_border = if lx > 0 && hx < COLUMNS - 1 { 2 * x_limit } else { x_limit + 1 };
        let y_border = if ly > 0 && hy < ROWS - 1 { 2 * y_limit } else { y_limit + 1 };
        if hx - lx < dx + 3 + x_border || hy - ly < dy + 3 + y_border {
            return None;
        }
        let from_x = if lx > 0 { lx } else { 3 };
        let from_y = if ly > 0 { ly } else { 2 };
        let x = lx + if lx > 0 { x_limit } else { 3 } + self.rn2(hx - from_x - dx - x_border + 1);
        let mut y = ly + if ly > 0 { y_limit } else { 2 } + self.rn2(hy - from_y - dy - y_border + 1);
        let rooms = self.level.room_count as i32;
        if ly == 0 && hy >= ROWS - 1 && (rooms == 0 || self.rn2(rooms) == 0) && y + dy > ROWS / 2 {
            y = self.rn1(3, 2);
            if rooms < 4 && dy > 1 {
                dy -= 1;
            }
        }
        let [x, dx, y, dy] = self.check_room((x, y), (dx, dy), vault)?;
        let (width, height) = (dx + 1, dy + 1);
        let inner = Rectangle { low_x: x - 1, low_y: y - 1, high_x: x + width, high_y: y + height };
        Some((outer, inner, x, y, width, height))
    }

    /// Draws a place for a room that is partly given.
    #[allow(clippy::type_complexity)]
    fn partly_random_room(
        &mut self,
        request: &RoomRequest,
        vault: bool,
    ) -> Option<(Rectangle, Rectangle, i32, i32, i32, i32)> {
        let RoomRequest { mut x, mut y, mut width, mut height, mut align_x, mut align_y, .. } = *request;
        let mut margin = 0;
        if x < 0 && y < 0 {
            x = self.rnd(5);
            y = self.rnd(5);
            margin = 1;
        }
        if width < 0 || height < 0 {
            width = self.rn1(15, 3);
            height = self.rn1(8, 2);
        }
        if align_x == -1 {
            align_x = self.rnd(3);
        }
        if align_y == -1 {
            align_y = self.rnd(3);
        }
        let mut low_x = schar((x - 1) * COLUMNS / 5 + 1);
        let mut low_y = schar((y - 1) * ROWS / 5 + 1);
        match align_x {
            RIGHT_OR_BOTTOM => low_x = schar(low_x + COLUMNS / 5 - width),
            CENTER => low_x = schar(low_x + (COLUMNS / 5 - width) / 2),
            _ => {}
        }
        match align_y {
            RIGHT_OR_BOTTOM => low_y = schar(low_y + ROWS / 5 - height),
            CENTER => low_y = schar(low_y + (ROWS / 5 - height) / 2),
            LEFT_OR_TOP => {}
            _ => {}
        }
        if low_x + width - 1 > COLUMNS - 2 {
            low_x = schar(COLUMNS - width - 3);
        }
        low_x = low_x.max(2);
        if low_y + height - 1 > ROWS - 2 {
            low_y = schar(ROWS - height - 3);
        }
        low_y = low_y.max(2);
        let inner = Rectangle {
            low_x: low_x - 1,
            low_y: low_y - 1,
            high_x: schar(low_x + width + margin),
            high_y: schar(low_y + height + margin),
        };
        if self.has(LoaderRule::RoomsWithoutRectangles) {
            return Some((inner, inner, low_x, low_y, width, height));
        }
        let outer = self.scratch.rectangles.around(&inner)?;
        if self.has(LoaderRule::RoomsCheckedAgain) {
            // Only the corner of the smaller room is used, not its size.
            let [x, _, y, _] = self.check_room((low_x, low_y), (schar(width), schar(height)), vault)?;
            (low_x, low_y) = (x, y);
        }
        Some((outer, inner, low_x, low_y, width, height))
    }

    /// Makes a subroom. Returns false if its parent is too small (`create_subroom`).
    pub fn create_subroom(&mut self, parent: usize, request: &RoomRequest, kind: i32) -> Result<bool, Fault> {
        let room = self.level.rooms[parent];
        let (columns, rows) = (room.width(), room.height());
        if columns < 4 || rows < 4 {
            return Ok(false);
        }
        let RoomRequest { mut x, mut y, width: mut w, height: mut h, .. } = *request;
        if w == -1 {
            w = self.rnd(columns - 3);
        }
        if h == -1 {
            h = self.rnd(rows - 3);
        }
        let far = self.has(LoaderRule::SubroomsReachTheFarWall);
        if x == -1 {
            x = if far { self.rnd(columns - w) } else { self.rnd(columns - w - 1) - 1 };
        }
        if y == -1 {
            y = if far { self.rnd(rows - h) } else { self.rnd(rows - h - 1) - 1 };
        }
        if x == 1 {
            x = 0;
        }
        if y == 1 {
            y = 0;
        }
        if x + w + 1 == columns {
            x += 1;
        }
        if y + h + 1 == rows {
            y += 1;
        }
        let kind = if kind == -1 { 0 } else { kind };
        let lit = if request.light == -1 { self.random_light() } else { request.light != 0 };

        let number = SUBROOMS + self.level.subroom_count;
        let place = usize::from(room.subroom_count);
        if number + 1 >= self.level.rooms.len() || place >= MAX_SUBROOMS {
            return Err(Fault::TooManyRooms);
        }
        let (low_x, low_y) = (room.low_x + x, room.low_y + y);
        let bounds = [low_x, low_y, low_x + w - 1, low_y + h - 1];
        self.make_room(number, bounds, lit, kind, Building::Built, Kind::Subroom)?;
        let room = &mut self.level.rooms[parent];
        room.subrooms[place] = number as u8;
        room.subroom_count += 1;
        self.level.rooms[number + 1].high_x = -1;
        self.level.subroom_count += 1;
        Ok(true)
    }

    /// Makes a room, or a subroom of `parent`, requested by a script (`build_room`).
    pub fn build_room(&mut self, request: &RoomRequest, parent: Option<usize>) -> Result<Option<usize>, Fault> {
        let typed = request.chance == 0 || self.happens(request.chance);
        let kind = if typed { request.kind } else { 0 };
        let (number, made) = match parent {
            Some(parent) => (SUBROOMS + self.level.subroom_count, self.create_subroom(parent, request, kind)?),
            None => (self.level.room_count, self.create_room(request, kind)?),
        };
        if !made {
            return Ok(None);
        }
        self.mark_room(number);
        let room = &mut self.level.rooms[number];
        room.fill = u8::from(request.filled);
        room.joined = request.joined;
        if let Some(parent) = parent.filter(|_| self.has(LoaderRule::SubroomsMakeRoomsIrregular)) {
            self.level.rooms[parent].irregular = true;
        }
        Ok(Some(number))
    }

    /// Adds a room with the given first column and row, last column and row (`add_room`).
    pub fn add_room(&mut self, bounds: [i32; 4], lit: bool, kind: i32, building: Building) -> Result<(), Fault> {
        let number = self.level.room_count;
        if number + 1 >= self.level.rooms.len() {
            return Err(Fault::TooManyRooms);
        }
        self.make_room(number, bounds, lit, kind, building, Kind::Room)?;
        self.level.rooms[number + 1].high_x = -1;
        self.level.room_count += 1;
        Ok(())
    }

    /// Makes the room with a number (`do_room_or_subroom`).
    fn make_room(
        &mut self,
        number: usize,
        [mut low_x, mut low_y, mut high_x, mut high_y]: [i32; 4],
        lit: bool,
        kind: i32,
        building: Building,
        what: Kind,
    ) -> Result<(), Fault> {
        // The outermost squares leave no space for walls.
        if low_x == 0 {
            low_x += 1;
        }
        if low_y == 0 {
            low_y += 1;
        }
        high_x = high_x.min(COLUMNS - 2);
        high_y = high_y.min(ROWS - 2);
        if lit {
            for x in low_x - 1..=high_x + 1 {
                // Light continues past the end of a column into the next, like the games' pointer.
                let first = (low_y - 1).max(0);
                for step in 0..=(high_y + 1 - (low_y - 1)) {
                    self.level.set_lit(x, first + step, true);
                }
            }
        }
        let first_door = self.level.door_count as i32;
        self.level.rooms[number] = Room {
            low_x: schar(low_x),
            low_y: schar(low_y),
            high_x: schar(high_x),
            high_y: schar(high_y),
            kind: schar(kind),
            lit,
            doors: 0,
            first_door: schar(first_door),
            irregular: false,
            subroom_count: 0,
            ..self.level.rooms[number]
        };
        if building == Building::Declared {
            return Ok(());
        }
        self.level.rooms[number].joined = true;
        // If a wall has no opposite side, the games never reach its end.
        let (across, down) = (high_x - low_x + 2, high_y - low_y + 2);
        if across <= 0 || down <= 0 {
            return Err(Fault::RoomSize);
        }
        for x in low_x - 1..=high_x + 1 {
            for y in (low_y - 1..=high_y + 1).step_by(down as usize) {
                self.level.set_terrain(x, y, Terrain::HORIZONTAL_WALL);
                self.level.set_horizontal(x, y, true);
            }
        }
        for x in (low_x - 1..=high_x + 1).step_by(across as usize) {
            for y in low_y..=high_y {
                self.level.set_terrain(x, y, Terrain::VERTICAL_WALL);
                self.level.set_horizontal(x, y, false);
            }
        }
        for x in low_x..=high_x {
            for y in low_y..=high_y {
                self.level.set_terrain(x, y, Terrain::ROOM);
            }
        }
        if what == Kind::Room {
            self.level.set_terrain(low_x - 1, low_y - 1, Terrain::TOP_LEFT_CORNER);
            self.level.set_terrain(high_x + 1, low_y - 1, Terrain::TOP_RIGHT_CORNER);
            self.level.set_terrain(low_x - 1, high_y + 1, Terrain::BOTTOM_LEFT_CORNER);
            self.level.set_terrain(high_x + 1, high_y + 1, Terrain::BOTTOM_RIGHT_CORNER);
        }
        match what {
            Kind::Subroom if self.has(LoaderRule::SubroomWallsUnjoined) => {
                self.wallification(low_x, low_y, high_x, high_y)
            }
            Kind::Room if !self.has(LoaderRule::SubroomWallsUnjoined) => Ok(()),
            _ => self.wallification(low_x - 1, low_y - 1, high_x + 1, high_y + 1),
        }
    }

    /// Sets a room's number on its squares (`topologize`).
    pub fn mark_room(&mut self, number: usize) {
        let room = self.level.rooms[number];
        let mark = number as i32 + FIRST_ROOM_NUMBER;
        let (low_x, low_y, high_x, high_y) = (room.low_x, room.low_y, room.high_x, room.high_y);
        if self.level.room_number(low_x, low_y) == mark || room.irregular {
            return;
        }
        for x in low_x..=high_x {
            for y in low_y..=high_y {
                self.level.set_room_number(x, y, mark);
            }
        }
        let mut bound = |x: i32, y: i32| {
            self.level.set_edge(x, y, true);
            let mark = if self.level.room_number(x, y) != 0 { i32::from(SHARED) } else { mark };
            self.level.set_room_number(x, y, mark);
        };
        for x in low_x - 1..=high_x + 1 {
            for y in (low_y - 1..=high_y + 1).step_by((high_y - low_y + 2).max(1) as usize) {
                bound(x, y);
            }
        }
        for x in (low_x - 1..=high_x + 1).step_by((high_x - low_x + 2).max(1) as usize) {
            for y in low_y..=high_y {
                bound(x, y);
            }
        }
        for at in 0..usize::from(room.subroom_count) {
            self.mark_room(usize::from(room.subrooms[at]));
        }
    }

    /// Returns the room at a place that `fits`; of several, the last found (`in_rooms`).
    pub fn room_at(&self, x: i32, y: i32, fits: impl Fn(&Room) -> bool) -> Option<usize> {
        let fitting = |mark: i32| {
            let number = usize::try_from(mark - FIRST_ROOM_NUMBER).ok()?;
            self.level.rooms.get(number).filter(|room| fits(room)).map(|_| number)
        };
        match self.level.room_number(x, y) {
            0 => None,
            1 | 2 => {
                let step: i32 = if self.level.room_number(x, y) == 1 { 2 } else { 1 };
                let (mut min_x, mut max_x) = (x - 1, x + 1);
                if x < 1 {
                    min_x += step;
                } else if x >= COLUMNS {
                    max_x -= step;
                }
                let (mut min_y, mut rows) = (y - 1, 2);
                if min_y < 0 {
                    min_y += step;
                    rows -= step;
                } else if min_y + rows >= ROWS {
                    rows -= step;
                }
                let mut last = None;
                let mut seen = [None; 4];
                for x in (min_x..=max_x).step_by(step as usize) {
                    for row in (0..=rows.max(0)).step_by(step as usize) {
                        let mark = self.level.room_number(x, min_y + row);
                        if mark < FIRST_ROOM_NUMBER || seen.contains(&Some(mark)) {
                            continue;
                        }
                        if let Some(number) = fitting(mark) {
                            last = Some(number);
                            if let Some(slot) = seen.iter_mut().find(|slot| slot.is_none()) {
                                *slot = Some(mark);
                            }
                        }
                    }
                }
                last
            }
            mark => fitting(mark),
        }
    }

    /// Sets the light of a region that is not a room (`light_region`).
    pub fn light_region(&mut self, [mut x1, mut y1, mut x2, mut y2]: [i32; 4], lit: bool) {
        if lit {
            x1 = (x1 - 1).max(1);
            x2 = (x2 + 1).min(COLUMNS - 1);
            y1 = (y1 - 1).max(0);
            y2 = (y2 + 1).min(ROWS - 1);
        }
        for x in x1..=x2 {
            self.level.light_column(x, y1, y2, lit, |terrain| !terrain.is_lava());
        }
    }
}
