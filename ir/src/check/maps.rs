//! Maps: their characters, their size, and the filling of a level.

use super::judge::Judge;
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::source::{Span, Spanned};

impl Judge<'_> {
    /// Returns a sentence that lists every map character.
    pub(crate) fn map_characters(&self) -> String {
        format!("the map characters are {}", self.catalog.map_characters.trim_end())
    }

    /// Checks a map character used as a value.
    pub(super) fn terrain(&mut self, character: char, span: Span) {
        if self.catalog.terrain(character).is_none() {
            let message = format!("'{}' is not a map character", character.escape_debug());
            let diagnostic = Diagnostic::new(Code::UnknownTerrain, span, message).with_note(self.map_characters());
            let capital = character.to_ascii_uppercase();
            self.push(match self.catalog.terrain(capital) {
                Some(_) => diagnostic.with_help(format!("write '{capital}'")),
                None => diagnostic,
            });
        }
    }

    /// Checks the filling of a maze. `becomes` describes the effect of an unknown character.
    pub(crate) fn maze_filling(&mut self, filling: Spanned<char>, code: Code, becomes: &'static str) {
        if self.catalog.terrain(filling.node).is_none() {
            let message = format!("'{}' is not a map character", filling.node.escape_debug());
            self.push(
                Diagnostic::new(code, filling.span, message).with_label(becomes).with_note(self.map_characters()),
            );
        }
    }

    pub(crate) fn init_map(&mut self, init: &InitMap) {
        match init {
            InitMap::Solid { filling, .. } | InitMap::MazeGrid { filling } => {
                self.solid_terrain(*filling, "the filling");
            }
            InitMap::Mines { foreground, background, joined, filling, .. } => {
                self.solid_terrain(*foreground, "the ground");
                self.solid_terrain(*background, "the background");
                self.joined(*foreground, *joined);
                if let Some(filling) = filling
                    && self.catalog.terrain(filling.node).is_none()
                {
                    self.solid_terrain(*filling, "the filling");
                }
            }
            InitMap::Sheol | InitMap::Rogue => {
                let style = if matches!(init, InitMap::Sheol) { "sheol" } else { "rogue" };
                // The lexer has checked this for its own dialect only.
                if !self.catalog.init_styles.iter().any(|(known, _)| *known == style) {
                    let message = format!("{} does not have the INIT_MAP style {style}", self.catalog.title);
                    self.push(Diagnostic::new(Code::Target, None, message));
                }
            }
        }
    }

    /// Checks the terrain that a level is filled with: it must be known and not transparent.
    fn solid_terrain(&mut self, character: Spanned<char>, what: &str) {
        let most = self.catalog.max_terrain;
        if self.catalog.terrain(character.node).is_none_or(|number| number >= most && most > 0) {
            let message = format!("INIT_MAP: '{}' cannot be {what}", character.node.escape_debug());
            self.push(Diagnostic::new(Code::InitMap, character.span, message).with_note(self.map_characters()));
        }
    }

    /// Checks the terrain of joined caves. Joining digs, which is only possible if the ground is room floor or
    /// corridor.
    fn joined(&mut self, ground: Spanned<char>, joined: Spanned<bool>) {
        let Some(number) = self.catalog.terrain(ground.node) else { return };
        if joined.node && !self.catalog.can_be_joined(number) {
            self.push(
                Diagnostic::new(Code::InitMap, ground.span, "INIT_MAP: caves of this terrain cannot be joined")
                    .with_secondary(joined.span, "joined caves")
                    .with_help("write '.' or '#' as the foreground, or false for joined"),
            );
        }
    }

    /// Checks every character of the rows of a map.
    pub(super) fn rows(&mut self, rows: &MapRows) {
        let limits = &self.catalog.limits;
        let (most_width, most_height) = (limits.map_width.max(0) as usize, limits.map_height.max(0) as usize);
        for (at, row) in rows.rows.iter().enumerate() {
            let row_span = rows.row_spans.get(at).copied().unwrap_or(rows.span);
            let is_known = |byte: u8| self.catalog.terrain(char::from(byte)).is_some();
            // Fast path: most rows contain only known characters.
            if row.bytes().all(is_known) {
                continue;
            }
            self.digit_within(row, row_span);
            for (at, byte) in row.bytes().enumerate() {
                let character = char::from(byte);
                if !byte.is_ascii_digit() && !is_known(byte) {
                    let start = row_span.start.saturating_add(at as u32);
                    let span = Span { start, end: start.saturating_add(1), ..row_span };
                    let message = format!("'{character}' is not a map character");
                    self.push(Diagnostic::new(Code::UnknownMapCharacter, span, message).with_label("becomes stone"));
                }
            }
        }
        let (width, height) = (rows.width(), rows.rows.len());
        if width > most_width || height > most_height {
            let mut diagnostic = Diagnostic::new(
                Code::MapSize,
                Span { end: rows.span.start.saturating_add("MAP".len() as u32), ..rows.span },
                format!("the map is {width} columns by {height} rows; the maximum is {most_width} by {most_height}"),
            );
            let longest = rows.rows.iter().zip(&rows.row_spans).find(|(row, _)| row.len() > most_width);
            if let Some((row, &row_span)) = longest {
                if row.ends_with(' ') && row.trim_end().len() <= most_width {
                    diagnostic = diagnostic.with_help("remove the blanks at the ends of rows: they count");
                }
                diagnostic = diagnostic.with_secondary(row_span, format!("{} columns", row.len()));
            }
            self.push(diagnostic);
        }
    }

    /// Reports a digit between the squares of a row. Digits before or after them number the rows.
    fn digit_within(&mut self, row: &str, span: Span) {
        let is_digit = |letter: char| letter.is_ascii_digit();
        let squares = row.trim_start().trim_start_matches(is_digit);
        let from = row.len() - squares.len();
        let squares = squares.trim_end().trim_end_matches(is_digit);
        let Some(at) = squares.find(is_digit) else { return };
        let is_map = |letter: char| is_digit(letter) || self.catalog.terrain(letter).is_some();
        if squares[at..].trim_start_matches(is_digit).contains(is_digit) || !squares.chars().all(is_map) {
            return;
        }
        let start = span.start.saturating_add((from + at) as u32);
        let message = "digits are dropped from a map: this line is shorter than it looks";
        self.push(
            Diagnostic::new(Code::UnevenMapLine, Span { start, end: start.saturating_add(1), ..span }, message)
                .with_help("write the square that was meant here"),
        );
    }
}
