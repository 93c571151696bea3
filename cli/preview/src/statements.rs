//! Statements as the page refers to them: a file, and a range of lines and columns.

use std::collections::HashMap;

use serde::Serialize;
use splc_ir::source::{Form, Source, SourceMap, Span};
use splc_vm::Prepared;

/// A position in a text: line from 1, and column from 0 in UTF-16 units, as JavaScript counts them.
pub type Position = [usize; 2];

/// A statement in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// Number of the source.
    pub source: u32,
    /// Its start.
    pub from: Position,
    /// Its end.
    pub to: Position,
}

/// Returns the position of the byte at `offset`.
pub fn position(source: &Source, offset: usize) -> Position {
    let place = source.place(offset);
    let before = source.text.get(place.line_start..source.floor(offset)).unwrap_or("");
    [place.line, before.encode_utf16().count()]
}

/// Returns the offset of a position, or `None` if the source has no such line.
pub fn offset(source: &Source, [line, column]: Position) -> Option<usize> {
    if line == 0 || line > source.line_count() {
        return None;
    }
    let text = source.line(line);
    let start = text.as_ptr() as usize - source.text.as_ptr() as usize;
    let mut units = 0;
    for (at, character) in text.char_indices() {
        if units >= column {
            return Some(start + at);
        }
        units += character.len_utf16();
    }
    Some(start + text.trim_end_matches(['\r', '\n']).len())
}

/// The statements that an answer refers to, each once.
pub struct Statements<'a> {
    sources: &'a SourceMap,
    program: &'a Prepared,
    list: Vec<Statement>,
    known: HashMap<Span, Option<usize>>,
}

impl<'a> Statements<'a> {
    /// Creates a list for the steps of `program`.
    pub fn new(program: &'a Prepared, sources: &'a SourceMap) -> Self {
        Statements { sources, program, list: Vec::new(), known: HashMap::new() }
    }

    /// Returns the number of the statement of a step; `None` if there is no text of it.
    pub fn of_step(&mut self, at: usize) -> Option<usize> {
        self.of(self.program.span(at)?)
    }

    /// Returns the number of the statement with that span; `None` if there is no text of it.
    pub fn of(&mut self, span: Span) -> Option<usize> {
        if let Some(&known) = self.known.get(&span) {
            return known;
        }
        let source = self.sources.get(span.file);
        let shown = source.form == Form::Text && !self.sources.text(span).is_empty();
        let number = shown.then(|| {
            self.list.push(statement(source, span));
            self.list.len() - 1
        });
        self.known.insert(span, number);
        number
    }

    /// Returns the statements, in the order of their numbers.
    pub fn list(self) -> Vec<Statement> {
        self.list
    }
}

/// Converts a span of `source`.
pub fn statement(source: &Source, span: Span) -> Statement {
    let range = source.range(span);
    Statement { source: span.file.0, from: position(source, range.start), to: position(source, range.end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_as_javascript_does() {
        let mut sources = SourceMap::new();
        let file = sources.add("x.des", None, "a\n\u{1f409}\u{e9}b\n".into());
        let source = sources.get(file);
        assert_eq!(position(source, 0), [1, 0]);
        assert_eq!(position(source, 2 + 4 + 2), [2, 3]);
        for at in [0, 1, 2, 6, 8, 9, 10] {
            assert_eq!(offset(source, position(source, at)), Some(at), "{at}");
        }
        assert_eq!(offset(source, [0, 0]), None);
        assert_eq!(offset(source, [9, 0]), None);
    }
}
