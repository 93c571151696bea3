//! What the reader of a source could not read.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span, Text};

/// What is known of the parts of a source that could not be read: only a front end that met syntax errors has
/// something to say here. Nothing is complained about that likely follows from them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Unread {
    /// Variables (`$x`) that the unread text seems to set, and functions (`x`) that it seems to define.
    names: BTreeSet<Text>,
    /// The lines with syntax errors, sorted.
    lines: Vec<(FileId, u32, u32)>,
    /// The blocks of statements that could not be read: from the brace to the one that closes it.
    blocks: Vec<Span>,
    /// Whether anything was unread.
    any: bool,
}

impl Unread {
    /// Remembers what `text` seems to set and define, parts of which were skipped.
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

    /// Remembers a line with a syntax error, from its first byte up to its line end.
    pub fn line(&mut self, line: Span) {
        let line = (line.file, line.start, line.end);
        if let Err(at) = self.lines.binary_search(&line) {
            self.lines.insert(at, line);
        }
    }

    /// Remembers the block of a statement that could not be read: what is in it may have been meant for the inside of a
    /// container or a room.
    pub fn block(&mut self, block: Span) {
        self.blocks.push(block);
    }

    /// Whether `diagnostic` is about the place of an object in a block, or in the line, of an unread statement.
    pub(crate) fn explains_place(&self, diagnostic: &Diagnostic) -> bool {
        let inside = |span: Span| {
            self.blocks.iter().any(|block| block.file == span.file && (block.start..block.end).contains(&span.start))
        };
        diagnostic.code == Code::ObjectPlace
            && diagnostic.span.is_some_and(|span| inside(span) || self.has_line_of(span))
    }

    /// Whether the unread text seems to define the variable (`$x`) or function (`x`).
    pub(crate) fn mentions(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether `diagnostic` likely follows from what was unread: it is in the line of a syntax error, or says that a
    /// BREAK has no block, which may have been lost.
    pub(crate) fn explains(&self, diagnostic: &Diagnostic) -> bool {
        let code = diagnostic.code;
        self.any
            && !code.is_unread()
            && (code == Code::StrayBreak || diagnostic.span.is_some_and(|span| self.has_line_of(span)))
    }

    /// Whether `span` begins in a line with a syntax error.
    pub fn has_line_of(&self, span: Span) -> bool {
        let before = self.lines.partition_point(|&(file, start, _)| (file, start) <= (span.file, span.start));
        before > 0 && self.lines[before - 1].0 == span.file && self.lines[before - 1].2 >= span.start
    }
}

fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.')
}
