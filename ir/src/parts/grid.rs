//! The squares of a map: its rows as terrain numbers.

use serde::Serialize;

use crate::catalog::Catalog;
use crate::level::MapRows;
use crate::source::Text;

/// A rectangle of terrain.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Grid {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Terrain numbers, row after row; [`Grid::UNKNOWN`] where the source is damaged.
    pub squares: Vec<u8>,
}

impl Grid {
    /// A square that is not known: the source has something there that is no map character.
    pub const UNKNOWN: u8 = u8::MAX;

    /// Most columns and rows that are kept: far more than fit a level, which is an error by then.
    pub const MAX_SIDE: usize = 255;

    /// The squares of `rows`. Digits only number the lines and are dropped; short rows are filled up with
    /// stone (NetHack 3.4.3, `scan_map`).
    pub fn new(rows: &MapRows, catalog: &Catalog) -> Grid {
        let drawn = |row: &Text| row.chars().filter(|character| !character.is_ascii_digit()).count();
        let width = rows.rows.iter().map(drawn).max().unwrap_or(0).min(Grid::MAX_SIDE);
        let height = rows.rows.len().min(Grid::MAX_SIDE);
        let stone = catalog.terrain(' ').unwrap_or(0) as u8;
        let mut squares = Vec::with_capacity(width * height);
        for row in rows.rows.iter().take(height) {
            let end = squares.len() + width;
            for character in row.chars().filter(|character| !character.is_ascii_digit()).take(width) {
                squares.push(catalog.terrain(character).map_or(Grid::UNKNOWN, |terrain| terrain as u8));
            }
            squares.resize(end, stone);
        }
        Grid { width, height, squares }
    }

    /// One square of stone, which stands for NOMAP.
    pub fn single(catalog: &Catalog) -> Grid {
        Grid { width: 1, height: 1, squares: vec![catalog.terrain(' ').unwrap_or(0) as u8] }
    }

    /// The terrain of a square, or `None` outside.
    pub fn get(&self, x: i32, y: i32) -> Option<u8> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        if x >= self.width { None } else { self.squares.get(y * self.width + x).copied() }
    }

    /// WALLIFY: stone beside a room square becomes wall. The squares are looked at in their order, row by
    /// row; what decides between the kinds of wall is whether the first neighbour found is in the same row
    /// (NetHack 3.4.3, `wallify_map`).
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
