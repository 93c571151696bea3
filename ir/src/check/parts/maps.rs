//! The maps of parts: their size and terrain.

use super::counts::KINDS;
use super::{Checker, Setting};
use crate::catalog::Catalog;
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::parts::Grid;
use crate::source::Text;

/// Terrain numbers that the checks use.
pub(crate) struct Terrain {
    /// First terrain that is not rock.
    pub(super) pool: u8,
    pub(super) door: u8,
    pub(super) secret_door: u8,
    bars: u8,
    /// Last terrain that is a wall.
    pub(super) drawbridge_wall: u8,
    /// First terrain that is part of a room.
    pub(super) room: u8,
}

impl Terrain {
    pub(crate) fn new(catalog: &Catalog) -> Terrain {
        let number = |name: &str| catalog.level_type(name).unwrap_or(0) as u8;
        Terrain {
            pool: number("pool"),
            door: number("door"),
            secret_door: number("sdoor"),
            bars: number("ironbars"),
            drawbridge_wall: number("dbwall"),
            room: number("room"),
        }
    }

    pub(crate) fn is_rock(&self, square: u8) -> bool {
        square < self.pool
    }

    pub(super) fn is_solid(&self, square: u8) -> bool {
        self.is_rock(square) || square == self.door
    }

    pub(crate) fn is_wall(&self, square: u8) -> bool {
        (square > 0 && square <= self.drawbridge_wall) || square == Grid::UNKNOWN
    }

    pub(crate) fn has_door(&self, square: u8) -> bool {
        square == self.door || square == self.secret_door || square == Grid::UNKNOWN
    }

    pub(crate) fn is_door(&self, square: u8) -> bool {
        square == self.door
    }

    /// Returns true if a door can adjoin it like a wall.
    pub(crate) fn holds_door(&self, square: u8) -> bool {
        self.is_rock(square) || square == self.bars || square == self.door
    }

    /// Returns a description of solid terrain.
    pub(crate) fn words(&self, square: u8) -> &'static str {
        match square {
            0 => "solid rock",
            _ if square == self.door => "a door",
            _ if square == self.secret_door => "a secret door",
            _ if self.is_wall(square) => "a wall",
            _ => "a solid square",
        }
    }
}

impl Checker<'_> {
    pub(super) fn begin_part(&mut self, map: &Map) {
        self.counts = [0; KINDS];
        self.in_walls.clear();
        if let Setting::Map(grid) = std::mem::replace(&mut self.place, Setting::Unknown) {
            self.earlier = Some(grid);
        }
        self.place = match map {
            Map::None => Setting::NoMap,
            Map::Drawn { rows, .. } => {
                self.map_rows(rows);
                Setting::Map(Grid::new(rows, self.judge.catalog))
            }
        };
    }

    fn map_rows(&mut self, rows: &MapRows) {
        let (most_width, most_height) =
            (self.judge.catalog.limits.map_width as usize, self.judge.catalog.limits.map_height as usize);
        let trimmed =
            |row: &str| Grid::columns(row.trim_end_matches(|last: char| last == ' ' || last.is_ascii_digit()));
        // A row with a replacement character has no known width.
        let is_unsure = |row: &str| !row.is_ascii() && row.contains('\u{FFFD}');
        let drawn = |row: &str| if is_unsure(row) { 0 } else { Grid::columns(row) };
        let width = rows.rows.iter().map(|row| drawn(row)).max().unwrap_or(0);
        // The width without trailing blanks.
        let widest = rows.rows.iter().map(|row| trimmed(row)).max().unwrap_or(0);
        self.unsure_rows = rows.rows.iter().map(|row| is_unsure(row) || drawn(row) > most_width).collect();
        let row_span = |at: usize| rows.row_spans.get(at).copied().unwrap_or(rows.span);
        if width > most_width {
            let at = rows.rows.iter().position(|row| drawn(row) > most_width).unwrap_or(0);
            let row = rows.rows.get(at).map_or("", Text::as_str);
            let blanks = drawn(row) - trimmed(row);
            let mut diagnostic = Diagnostic::new(Code::MapSize, row_span(at), "the map is too large: too wide")
                .with_label(format!("{} columns", drawn(row)))
                .with_note(format!("a map has at most {most_width} columns and {most_height} rows"));
            if blanks > 0 {
                diagnostic =
                    diagnostic.with_help(format!("remove the {blanks} columns of blanks at the end of the line"));
            }
            self.judge.push(diagnostic);
        } else if let Some(at) = rows.rows.iter().position(|row| {
            let numbered = row.trim_end_matches(|last: char| last.is_ascii_digit());
            numbered.len() < row.len() && numbered.ends_with(' ') && drawn(row) == width && widest < width
        }) {
            let row = rows.rows.get(at).map_or("", Text::as_str);
            let blanks = drawn(row) - trimmed(row);
            self.judge.push(
                Diagnostic::new(
                    Code::MapBlanks,
                    row_span(at),
                    "the row number leaves blanks at the end of this map line",
                )
                .with_note("digits in a map number its lines and are dropped; the blanks before them are not")
                .with_label(format!("blanks make the map {blanks} columns wider"))
                .with_help("remove the row number and the blanks before it"),
            );
        }
        if rows.rows.len() > most_height {
            self.judge.push(
                Diagnostic::new(Code::MapSize, row_span(most_height), "the map is too large: too high")
                    .with_label(format!("row {} of {}", most_height + 1, rows.rows.len()))
                    .with_note(format!("a map has at most {most_width} columns and {most_height} rows")),
            );
        }
    }

    /// Returns the greatest column and row of a place in the part.
    pub(super) fn bounds(&self) -> Option<(i32, i32)> {
        match &self.place {
            Setting::Map(grid) => Some((grid.width as i32 - 1, grid.height as i32 - 1)),
            Setting::NoMap => Some(self.judge.quirk_level_bounds()),
            _ => None,
        }
    }
}
