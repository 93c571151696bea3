//! Places in NetHack 3.4.3: of a part, of a register, of a room, and the search for random ones.

use splc_ir::parts::{IN_LIST, IN_REGION, RANDOM};

use super::Parts;
use crate::error::Fault;
use crate::level::{Place, is_ok};
use crate::loader::{Humidity, Loader, schar};
use crate::observer::Complaint;
use crate::terrain::Terrain;

/// Number of draws for a place before the game searches square by square, or gives up.
const TRIES: u32 = 100;

/// Number of tries for a place in a random region.
const REGION_TRIES: usize = 10_000;

/// Converts the number of a register to its index.
pub(super) fn register(number: i8) -> usize {
    (-1 - i32::from(number)) as usize
}

impl Parts<'_> {
    /// Requirements of water creatures, for which lava is as good (`is_ok_location`).
    pub(super) fn wet() -> Humidity {
        Humidity::WET.and(Humidity::HOT)
    }

    /// Requirements of things that may be on land, in water or in lava.
    pub(super) fn anywhere() -> Humidity {
        Humidity::DRY.and(Self::wet())
    }

    /// Converts a place of a part to a place of the level (`get_location`).
    pub(super) fn location(&mut self, x: i8, y: i8, humidity: Humidity) -> Result<Place, Fault> {
        let loader = &mut self.loader;
        let (start_x, start_y) = (loader.start_x, loader.start_y);
        let place = |x: i32, y: i32| (schar(start_x + x), schar(start_y + y));
        let (x, y) = match x {
            0.. => place(x.into(), y.into()),
            IN_REGION if !self.random_regions.is_empty() => return self.in_region(register(y), humidity),
            _ if x < IN_LIST && x > IN_LIST + RANDOM + 1 && !self.place_lists.is_empty() => {
                let list = self.place_lists.get(usize::from(IN_LIST.abs_diff(x)) - 1).ok_or(Fault::Register)?;
                let (column, row) = *list.get(register(y)).ok_or(Fault::Register)?;
                place(column.into(), row.into())
            }
            _ if x > RANDOM => {
                // Column and row each name a register.
                let column = self.place_registers.get(register(x)).ok_or(Fault::Register)?.0;
                let row = self.place_registers.get(register(y)).ok_or(Fault::Register)?.1;
                place(column.into(), row.into())
            }
            _ => {
                let is_good = |loader: &Loader<'_>, column: i32, row: i32| {
                    let (x, y) = place(column, row);
                    loader.is_ok_location(x, y, humidity)
                };
                let searched = loader.search_square(loader.size_x, loader.size_y, TRIES, is_good);
                let mut found = searched.flatten().map(|(column, row)| place(column, row));
                for _ in 0..if searched.is_some() { 0 } else { TRIES } {
                    let column = loader.rn2(loader.size_x);
                    let (x, y) = place(column, loader.rn2(loader.size_y));
                    if loader.is_ok_location(x, y, humidity) {
                        found = Some((x, y));
                        break;
                    }
                }
                found
                    .or_else(|| {
                        let columns = 0..loader.size_x;
                        let mut places =
                            columns.flat_map(|column| (0..loader.size_y).map(move |row| place(column, row)));
                        places.find(|&(x, y)| loader.is_ok_location(x, y, humidity))
                    })
                    .ok_or(Fault::NoPlace)?
            }
        };
        if is_ok(x, y) {
            return Ok((x, y));
        }
        loader.complain(Complaint::PlaceOffLevel);
        Ok((loader.maze_columns, loader.maze_rows))
    }

    /// Draws a place in a random region, outside the area that it excludes (SLASH'EM 0.0.7, sp_lev.c, `get_location`;
    /// the game tries endlessly).
    fn in_region(&mut self, number: usize, humidity: Humidity) -> Result<Place, Fault> {
        let region = self.random_regions.get(number).ok_or(Fault::Register)?.clone();
        let loader = &mut self.loader;
        let start = |level: i8| if level == 0 { (loader.start_x, loader.start_y) } else { (0, 0) };
        let ((inside_x, inside_y), (outside_x, outside_y)) = (start(region.inside_level), start(region.outside_level));
        let size = |from: i8, to: i8| i32::from(to) - i32::from(from) + 1;
        let (width, height) = (size(region.inside_x1, region.inside_x2), size(region.inside_y1, region.inside_y2));
        if width < 1 || height < 1 {
            return Err(Fault::NoPlace);
        }
        for _ in 0..REGION_TRIES {
            let x = loader.rn2(width) + i32::from(region.inside_x1) + inside_x;
            let y = loader.rn2(height) + i32::from(region.inside_y1) + inside_y;
            let is_outside = (outside_x + i32::from(region.outside_x1)..=outside_x + i32::from(region.outside_x2))
                .contains(&x)
                && (outside_y + i32::from(region.outside_y1)..=outside_y + i32::from(region.outside_y2)).contains(&y);
            if is_ok(x, y) && loader.is_ok_location(x, y, humidity) && !is_outside {
                return Ok((x, y));
            }
        }
        Err(Fault::NoPlace)
    }

    /// Converts a place of a room to a place of the level; negative coordinates are random (`get_room_loc`).
    pub(super) fn room_place(&mut self, x: i8, y: i8, number: usize) -> Result<Place, Fault> {
        let room = self.loader.level.rooms[number];
        if x < 0 && y < 0 {
            let (place, found) = self.loader.some_place(number);
            return if found { Ok(place) } else { Err(Fault::NoPlace) };
        }
        let x = if x < 0 { self.loader.rn2(room.width()) } else { x.into() };
        let y = if y < 0 { self.loader.rn2(room.height()) } else { y.into() };
        Ok((schar(room.low_x + x), schar(room.low_y + y)))
    }

    /// Like [`room_place`](Self::room_place), but on bare floor (`get_free_room_loc`).
    pub(super) fn free_room_place(&mut self, x: i8, y: i8, number: usize) -> Result<Place, Fault> {
        let room = self.loader.level.rooms[number];
        if x < 0 && y < 0 && room.is_box() {
            let is_floor = |loader: &Loader<'_>, column: i32, row: i32| {
                loader.terrain(room.low_x + column, room.low_y + row) == Terrain::ROOM
            };
            if let Some(ended) = self.loader.search_square(room.width(), room.height(), TRIES + 1, is_floor) {
                let (column, row) = ended.ok_or(Fault::NoPlace)?;
                return Ok((room.low_x + column, room.low_y + row));
            }
        }
        for _ in 0..=TRIES {
            let (x, y) = self.room_place(x, y, number)?;
            if self.loader.terrain(x, y) == Terrain::ROOM {
                return Ok((x, y));
            }
        }
        Err(Fault::NoPlace)
    }

    /// Converts a place of a room, or of the part if there is none.
    pub(super) fn place(&mut self, x: i8, y: i8, humidity: Humidity, room: Option<usize>) -> Result<Place, Fault> {
        match room {
            Some(room) => self.room_place(x, y, room),
            None => self.location(x, y, humidity),
        }
    }

    /// Converts a place for a thing that needs bare floor in a room.
    pub(super) fn free_place(&mut self, x: i8, y: i8, room: Option<usize>) -> Result<Place, Fault> {
        match room {
            Some(room) => self.free_room_place(x, y, room),
            None => self.location(x, y, Humidity::DRY),
        }
    }

    /// Converts the corners of an area of a part.
    pub(super) fn area(&mut self, x1: i8, y1: i8, x2: i8, y2: i8) -> Result<[i32; 4], Fault> {
        let (x1, y1) = self.location(x1, y1, Self::anywhere())?;
        let (x2, y2) = self.location(x2, y2, Self::anywhere())?;
        Ok([x1, y1, x2, y2])
    }
}
