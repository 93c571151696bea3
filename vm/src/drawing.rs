//! A drawn map: the squares that a MAP lays over a level, column by column as the level has them.

use crate::marks::laid_marks;
use crate::terrain::Terrain;

/// What there is to know of a column before it is laid.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    /// Whether some of its squares leave what is there.
    gaps: bool,
    /// Whether there are doors in it.
    doors: bool,
}

/// A drawn map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawing {
    rows: usize,
    terrain: Vec<Terrain>,
    /// Marks of the squares in the level; none where what is there is left.
    marks: Vec<u8>,
    columns: Vec<Column>,
}

/// A column of a drawn map.
#[derive(Clone, Copy)]
pub(crate) struct DrawnColumn<'a> {
    pub terrain: &'a [Terrain],
    pub marks: &'a [u8],
    pub gaps: bool,
    pub doors: bool,
}

impl Drawing {
    /// Draws `bytes`, row by row, of which each says what its square is; `None` leaves what is there. `columns` is
    /// how many a row has.
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

    /// How many squares it has.
    pub fn len(&self) -> usize {
        self.terrain.len()
    }

    /// Its columns, from the left to the right.
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
