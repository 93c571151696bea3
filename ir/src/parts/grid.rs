//! The squares of a map, as terrain numbers.

use serde::Serialize;

use crate::catalog::Catalog;
use crate::level::MapRows;
use crate::source::Text;

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
        const NO_SQUARE: u8 = u8::MAX - 1;
        let of_byte = |byte: usize| match byte {
            0x80..0xc0 => NO_SQUARE,
            _ => catalog.terrain(byte as u8 as char).map_or(Grid::UNKNOWN, |terrain| terrain as u8),
        };
        let mut terrain: [u8; 256] = std::array::from_fn(of_byte);
        terrain[usize::from(b'0')..=usize::from(b'9')].fill(NO_SQUARE);
        let drawn = |row: &Text| row.bytes().filter(|&byte| terrain[usize::from(byte)] != NO_SQUARE).count();
        let width = rows.rows.iter().map(drawn).max().unwrap_or(0).min(Grid::MAX_SIDE);
        let height = rows.rows.len().min(Grid::MAX_SIDE);
        let stone = catalog.terrain(' ').unwrap_or(0) as u8;
        let mut squares = vec![stone; width * height];
        if width > 0 {
            for (row, squares) in rows.rows.iter().zip(squares.chunks_exact_mut(width)) {
                let known = row.bytes().map(|byte| terrain[usize::from(byte)]).filter(|&terrain| terrain != NO_SQUARE);
                for (square, terrain) in squares.iter_mut().zip(known) {
                    *square = terrain;
                }
            }
        }
        Grid { width, height, squares }
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
