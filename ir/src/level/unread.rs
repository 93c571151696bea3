//! The parts of a source that could not be read.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span, Text};

/// A record of the parts of a source that could not be read, filled in by front ends after syntax errors. Diagnostics
/// that likely follow from those parts are suppressed.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Unread {
    /// Variables (`$x`) that the unread text seems to set, and functions (`x`) that it seems to define, with the first
    /// place where it does.
    names: BTreeMap<Text, (FileId, u32)>,
    /// The lines with syntax errors, sorted. Each has its file, first byte and end.
    lines: Vec<(FileId, u32, u32)>,
    /// The blocks of statements that could not be read, each from its opening to its closing brace.
    blocks: Vec<Span>,
    /// True if anything could not be read.
    any: bool,
}

impl Unread {
    /// Records the names that `text` seems to set or define. Parts of `text` were skipped.
    pub fn skipped(&mut self, file: FileId, text: &str) {
        self.any = true;
        let mut names: Vec<(&str, usize)> = Vec::new();
        let mut bare: Vec<(&str, usize)> = Vec::new();
        for (at, _) in text.match_indices('=') {
            if text[at + 1..].starts_with('=') {
                continue;
            }
            let before = text[..at].trim_end_matches([' ', '\t']);
            let name = before.trim_end_matches(is_name);
            if name.ends_with('$') {
                names.push((&before[name.len() - 1..], at));
            }
        }
        for (at, word) in text.match_indices("FUNCTION") {
            let start = at;
            let after = &text[at + word.len()..];
            // `FUNCTION: name(...)` is a common mistake.
            if !after.starts_with([' ', '\t', ':']) {
                continue;
            }
            let after = after.trim_start_matches([' ', '\t', ':']);
            let length = after.find(|letter| !is_name(letter)).unwrap_or(after.len());
            names.push((&after[..length], at));
            let header = after[length..].split(['{', '\n']).next().unwrap_or("");
            for (at, _) in header.match_indices('$') {
                let name = &header[at + 1..];
                let length = name.find(|letter| !is_name(letter)).unwrap_or(name.len());
                names.push((&header[at..at + 1 + length], start));
            }
            // `FUNCTION f(int n)`
            bare.extend(header.split(|letter| !is_name(letter)).map(|name| (name, start)));
        }
        let names = names.into_iter().map(|(name, at)| (Text::from(name), at));
        for (name, at) in names.chain(bare.into_iter().map(|(name, at)| (Text::from(format!("${name}")), at))) {
            let place = (file, at as u32);
            self.names.entry(name).and_modify(|first| *first = place.min(*first)).or_insert(place);
        }
    }

    /// Records a line with a syntax error, from its first byte to its line end.
    pub fn line(&mut self, line: Span) {
        let line = (line.file, line.start, line.end);
        if let Err(at) = self.lines.binary_search(&line) {
            self.lines.insert(at, line);
        }
    }

    /// Records the block of a statement that could not be read. Its contents may have been meant for a container or a
    /// room.
    pub fn block(&mut self, block: Span) {
        self.blocks.push(block);
    }

    /// Returns true if `diagnostic` concerns the place of an object on the line or in the block of an unread statement.
    pub(crate) fn explains_place(&self, diagnostic: &Diagnostic) -> bool {
        let inside = |span: Span| {
            self.blocks.iter().any(|block| block.file == span.file && (block.start..block.end).contains(&span.start))
        };
        diagnostic.code == Code::ObjectPlace
            && diagnostic.span.is_some_and(|span| inside(span) || self.has_line_of(span))
    }

    /// Returns true if the unread text seems to define the variable (`$x`) or function (`x`) before it is used at
    /// `span`.
    pub(crate) fn mentions(&self, name: &str, span: Span) -> bool {
        self.names.get(name).is_some_and(|&(file, start)| file != span.file || start < span.start)
    }

    /// Returns true if `diagnostic` likely follows from an unread part: it is on the line of a syntax error, or reports
    /// a BREAK without a block that may have been lost.
    pub(crate) fn explains(&self, diagnostic: &Diagnostic) -> bool {
        let code = diagnostic.code;
        self.any
            && !code.is_unread()
            && (code == Code::StrayBreak || diagnostic.span.is_some_and(|span| self.has_line_of(span)))
    }

    /// Returns true if `span` begins on a line with a syntax error.
    pub fn has_line_of(&self, span: Span) -> bool {
        let before = self.lines.partition_point(|&(file, start, _)| (file, start) <= (span.file, span.start));
        before > 0 && self.lines[before - 1].0 == span.file && self.lines[before - 1].2 >= span.start
    }
}

fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.')
}
