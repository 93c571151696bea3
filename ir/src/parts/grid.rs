//! The squares of a map, as terrain numbers.

use serde::Serialize;

use crate::catalog::Catalog;
use crate::level::MapRows;
use crate::source::count_bytes;

/// A rectangle of terrain.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Grid {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Terrain numbers, row by row; [`Grid::UNKNOWN`] where the source is damaged.
    pub squares: Vec<u8>,
}

impl Grid {
    /// An unknown square: the source has a character there that is not a map character.
    pub const UNKNOWN: u8 = u8::MAX;

    /// Most columns and rows kept: far more than a level allows, which is an error of its own.
    pub const MAX_SIDE: usize = 255;

    /// Returns the squares of `rows`. Digits only number the lines and are dropped; short rows are padded with stone
    /// (NetHack 3.4.3, `scan_map`).
    pub fn new(rows: &MapRows, catalog: &Catalog) -> Grid {
        // The first byte of a character determines its terrain: only ASCII characters have any.
        let mut terrain = [Grid::UNKNOWN; 256];
        for (terrain, &number) in terrain.iter_mut().zip(catalog.terrain_numbers()) {
            *terrain = u8::try_from(number).unwrap_or(Grid::UNKNOWN);
        }
        let width = rows.rows.iter().map(|row| Grid::columns(row)).max().unwrap_or(0).min(Grid::MAX_SIDE);
        let height = rows.rows.len().min(Grid::MAX_SIDE);
        let stone = catalog.terrain(' ').unwrap_or(0) as u8;
        let mut squares = vec![stone; width * height];
        if width > 0 {
            for (row, squares) in rows.rows.iter().zip(squares.chunks_exact_mut(width)) {
                for (square, byte) in squares.iter_mut().zip(row.bytes().filter(|&byte| Grid::is_square(byte))) {
                    *square = terrain[usize::from(byte)];
                }
            }
        }
        Grid { width, height, squares }
    }

    /// Returns the number of squares that `row` draws.
    pub(crate) fn columns(row: &str) -> usize {
        count_bytes(row.as_bytes(), Grid::is_square)
    }

    /// Returns true for the first byte of any character but a digit.
    fn is_square(byte: u8) -> bool {
        !byte.is_ascii_digit() && !(0x80..0xc0).contains(&byte)
    }

    /// Returns a single square of stone, the map of NOMAP.
    pub fn single(catalog: &Catalog) -> Grid {
        Grid { width: 1, height: 1, squares: vec![catalog.terrain(' ').unwrap_or(0) as u8] }
    }

    /// Returns the terrain of a square, or `None` outside.
    pub fn get(&self, x: i32, y: i32) -> Option<u8> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        if x >= self.width { None } else { self.squares.get(y * self.width + x).copied() }
    }

    /// Applies WALLIFY: stone next to a room square becomes wall. The squares are processed in order, row by row. The
    /// wall is horizontal or vertical depending on whether the first neighbour found is in the same row (NetHack 3.4.3,
    /// `wallify_map`).
    pub fn wallify(&mut self, catalog: &Catalog) {
        let number = |name: &str| catalog.level_type(name).unwrap_or(-1) as u8;
        let (stone, room, crosswall) = (number("stone"), number("room"), number("crosswall"));
        let (horizontal, vertical) = (number("hwall"), number("vwall"));
        for y in 0..self.height {
            for x in 0..self.width {
                if self.squares[y * self.width + x] != stone {
                    continue;
                }
                let columns = x.saturating_sub(1)..=(x + 1).min(self.width - 1);
                let neighbour = (y.saturating_sub(1)..=(y + 1).min(self.height - 1)).find(|&row| {
                    columns.clone().any(|column| {
                        let terrain = self.squares[row * self.width + column];
                        terrain != Grid::UNKNOWN && (terrain >= room || terrain == crosswall)
                    })
                });
                if let Some(row) = neighbour {
                    self.squares[y * self.width + x] = if row == y { vertical } else { horizontal };
                }
            }
        }
    }
}
