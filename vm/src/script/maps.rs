//! MAP: a drawn part of the level (`spo_map`).

use splc_ir::program::{OperandStack, operands};

use super::{Script, Stop};
use crate::error::Fault;
use crate::level::{COLUMNS, ROWS};
use crate::loader::{Humidity, Squares, coordinate, schar, schar_of};
use crate::value::TextRef;

/// Styles of map placement.
const BY_WORDS: i64 = 1;
const BY_PLACE: i64 = 2;

impl Script<'_> {
    /// Lays a map over the level.
    pub(super) fn map(&mut self) -> Result<(), Stop> {
        let operands::Map { width, height, rows, keeps_regions } = self.operands()?;
        let operands::Placement { placement } = self.operands()?;
        let place = if placement == BY_WORDS {
            let operands::AlignedMap { alignment } = self.operands()?;
            alignment
        } else {
            let operands::PlacedMap { place } = self.operands()?;
            place
        };
        let before = (self.loader.start_x, self.loader.start_y, self.loader.size_x, self.loader.size_y);
        let (size_x, size_y) = (schar_of(width), schar_of(height));
        self.find_corner(placement, place, size_x, size_y)?;
        if size_x <= 1 && size_y <= 1 {
            (self.loader.start_x, self.loader.start_y) = (1, 0);
            (self.loader.size_x, self.loader.size_y) = (COLUMNS - 1, ROWS);
        } else {
            self.draw_map(rows, size_x, size_y)?;
        }
        if keeps_regions == 0 {
            (self.loader.start_x, self.loader.start_y, self.loader.size_x, self.loader.size_y) = before;
        }
        Ok(())
    }

    /// Sets the extent of a map: its size, and its corner by its placement.
    fn find_corner(&mut self, placement: i64, place: i64, size_x: i32, size_y: i32) -> Result<(), Fault> {
        let room = self.room();
        let loader = &mut self.loader;
        let (word_x, word_y) = coordinate(place, Humidity::ANY).0.unwrap_or((-1, -1));
        (loader.size_x, loader.size_y) = (size_x, size_y);
        match placement {
            BY_WORDS => {
                match schar(word_x) {
                    1 => loader.start_x = if loader.init_present { 1 } else { 3 },
                    2 => loader.start_x = 2 + (loader.maze_columns - 2 - size_x) / 4,
                    3 => loader.start_x = 2 + (loader.maze_columns - 2 - size_x) / 2,
                    4 => loader.start_x = 2 + (loader.maze_columns - 2 - size_x) * 3 / 4,
                    5 => loader.start_x = loader.maze_columns - size_x - 1,
                    _ => {}
                }
                match schar(word_y) {
                    1 => loader.start_y = 3,
                    3 => loader.start_y = 2 + (loader.maze_rows - 2 - size_y) / 2,
                    5 => loader.start_y = loader.maze_rows - size_y - 1,
                    _ => {}
                }
                loader.start_x = schar(loader.start_x);
                loader.start_y = schar(loader.start_y);
                // Mazes are carved on odd columns and rows.
                if loader.start_x % 2 == 0 {
                    loader.start_x += 1;
                }
                if loader.start_y % 2 == 0 {
                    loader.start_y += 1;
                }
            }
            BY_PLACE => {
                if room.is_none() {
                    (loader.start_x, loader.start_y) = (1, 0);
                    loader.size_x = schar(COLUMNS - 1 - size_x);
                    loader.size_y = schar(ROWS - size_y);
                }
                let humidity = loader.anywhere().and(Humidity::SOLID);
                let (x, y) = loader.location_of(place, humidity, room);
                (loader.size_x, loader.size_y) = (size_x, size_y);
                (loader.start_x, loader.start_y) = (x, y);
            }
            _ => {}
        }
        loader.move_map_onto_level(size_y)
    }

    /// Draws the squares of a map at its corner.
    fn draw_map(&mut self, rows: TextRef, size_x: i32, size_y: i32) -> Result<(), Fault> {
        let bytes = self.memory.text(&self.prepared.bytes, rows);
        let area = (size_x.max(0) * size_y.max(0)) as usize;
        let bytes = bytes.get(..area).ok_or(Fault::MapData)?;
        let drawn = self.prepared.maps.get(&(rows, size_x)).filter(|drawn| drawn.len() == area);
        let squares = Squares { bytes, columns: size_x, drawn, lit: false };
        self.loader.lay_map(&squares, |loader, byte| loader.game.map_square(byte), self.joined);
        Ok(())
    }
}
