//! The parts of a source that could not be read.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span, Text};

/// A record of the parts of a source that could not be read, filled in by front ends after syntax errors. Diagnostics
/// that likely follow from those parts are suppressed.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Unread {
    /// Variables (`$x`) that the unread text seems to set, and functions (`x`) that it seems to define.
    names: BTreeSet<Text>,
    /// The lines with syntax errors, sorted. Each has its file, first byte and end.
    lines: Vec<(FileId, u32, u32)>,
    /// The blocks of statements that could not be read, each from its opening to its closing brace.
    blocks: Vec<Span>,
    /// True if anything could not be read.
    any: bool,
}

impl Unread {
    /// Records the names that `text` seems to set or define. Parts of `text` were skipped.
    pub fn skipped(&mut self, text: &str) {
        self.any = true;
        for (at, _) in text.match_indices('=') {
            if text[at + 1..].starts_with('=') {
                continue;
            }
            let before = text[..at].trim_end_matches([' ', '\t']);
            let name = before.trim_end_matches(is_name);
            if name.ends_with('$') {
                self.names.insert(Text::from(&before[name.len() - 1..]));
            }
        }
        for (at, word) in text.match_indices("FUNCTION") {
            let after = &text[at + word.len()..];
            if !after.starts_with([' ', '\t']) {
                continue;
            }
            let after = after.trim_start_matches([' ', '\t']);
            let length = after.find(|letter| !is_name(letter)).unwrap_or(after.len());
            self.names.insert(Text::from(&after[..length]));
            let header = after[length..].split(['{', '\n']).next().unwrap_or("");
            for (at, _) in header.match_indices('$') {
                let name = &header[at + 1..];
                let length = name.find(|letter| !is_name(letter)).unwrap_or(name.len());
                self.names.insert(Text::from(&header[at..at + 1 + length]));
            }
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

    /// Returns true if the unread text seems to define the variable (`$x`) or function (`x`).
    pub(crate) fn mentions(&self, name: &str) -> bool {
        self.names.contains(name)
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
