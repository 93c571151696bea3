//! A drawn map: the squares that a MAP lays over a level, stored column by column like the level itself.

use crate::marks::laid_marks;
use crate::terrain::Terrain;

/// Properties of a column, computed before it is laid.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    /// Some squares are transparent.
    gaps: bool,
    /// Some squares are doors.
    doors: bool,
}

/// A drawn map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawing {
    rows: usize,
    terrain: Vec<Terrain>,
    /// Marks of the squares once laid; 0 for a transparent square.
    marks: Vec<u8>,
    columns: Vec<Column>,
}

#[derive(Clone, Copy)]
pub(crate) struct DrawnColumn<'a> {
    pub terrain: &'a [Terrain],
    pub marks: &'a [u8],
    pub gaps: bool,
    pub doors: bool,
}

impl Drawing {
    /// Draws the map from `bytes`, row by row, `columns` bytes per row. `terrain` translates each byte; `None` makes
    /// the square transparent.
    pub fn draw(&mut self, bytes: &[u8], columns: usize, terrain: impl Fn(u8) -> Option<Terrain>) {
        self.terrain.clear();
        self.marks.clear();
        self.columns.clear();
        self.rows = bytes.len() / columns.max(1);
        for column in 0..columns {
            let mut known = Column::default();
            for &byte in bytes.iter().skip(column).step_by(columns).take(self.rows) {
                let square = terrain(byte);
                known.gaps |= square.is_none();
                known.doors |= square.is_some_and(Terrain::is_door_or_secret);
                self.terrain.push(square.unwrap_or_default());
                self.marks.push(square.map_or(0, laid_marks));
            }
            self.columns.push(known);
        }
    }

    /// Number of squares.
    pub fn len(&self) -> usize {
        self.terrain.len()
    }

    /// Columns from left to right.
    pub fn columns(&self) -> impl Iterator<Item = DrawnColumn<'_>> {
        let rows = self.rows.max(1);
        let squares = self.terrain.chunks(rows).zip(self.marks.chunks(rows));
        squares.zip(&self.columns).map(|((terrain, marks), &Column { gaps, doors })| DrawnColumn {
            terrain,
            marks,
            gaps,
            doors,
        })
    }
}
