//! The rows of a MAP, line by line: the meaning of each line to lev_comp, or the meaning its author must have intended.
//!
//! Inside a map, lev_comp still recognises its other tokens: tabs before a row and comments are skipped, and any other
//! text is a syntax error.

use std::ops::Range;

use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::level::MapRows;
use splc_ir::source::{Span, Text};
use splc_ir::wording::{Conjunction, listed};

use super::{Lexer, STATEMENT_WORDS};
use crate::teach::Unread;
use crate::teach::words::{dialects_drawing, tabs_before_row, tabs_in_row};

/// A line of a map.
struct Line<'input> {
    /// The text without its line end.
    text: &'input str,
    /// True if it has a line end.
    is_whole: bool,
    /// The start of the next line.
    next: usize,
}

/// The kind of a line in a map. Offsets count from its first byte.
enum Kind {
    /// A row, from here to the end of the line. Before it there may be tabs, or tabs and blanks that end in a tab.
    Row(usize),
    /// A comment.
    Comment,
    /// Another line MAP, which is skipped.
    Map,
    /// The word ENDMAP.
    End(Range<usize>),
    /// The keyword of a statement that is in the map by accident: rows follow it.
    StatementWithin(Range<usize>),
    /// The keyword of a statement after a map without ENDMAP.
    StatementBehind(Range<usize>),
    /// A word that was meant as ENDMAP.
    MeantAsEnd(Diagnostic),
    /// A row with invalid characters.
    Stranger,
}

/// Returns the length of the variable if `text` begins with an assignment, such as `$places = { (1,1) }`.
fn assigned(text: &str) -> Option<usize> {
    let name = text.strip_prefix('$')?;
    let length = 1 + name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    (length > 1 && text[length..].trim_start_matches([' ', '\t']).starts_with('=')).then_some(length)
}

impl<'input> Lexer<'input> {
    /// Reads a MAP whose first row begins at the lexer's position. `start` is the start of the word MAP.
    pub(super) fn map(&mut self, start: usize) -> MapRows {
        let word = self.span(start, start + "MAP".len());
        let (mut rows, mut row_spans) = (Vec::new(), Vec::new());
        // Start after the line end of the word MAP.
        let mut at = start + "MAP".len();
        at += self.text[at..].find('\n').map_or(0, |newline| newline + 1);
        // Only the first error is reported.
        let mut reported = false;
        let mut ended = false;
        let end = loop {
            if at == self.text.len() {
                let problem = Diagnostic::new(Code::MapText, self.span(at, at), "the file ends inside a MAP");
                self.diagnose_map(problem.with_help("close the map with a line ENDMAP"), word);
                break at;
            }
            let read = self.line_of_map(at);
            let line = read.text;
            let here = |range: &Range<usize>| self.span(at + range.start, at + range.end);
            match self.kind_of_line(at, &read) {
                Kind::Row(from) => {
                    if from > 0 && line[..from].bytes().all(|byte| byte == b'\t') {
                        self.diagnose(tabs_before_row(here(&(0..from))));
                    }
                    row_spans.push(self.span(at + from, at + line.len()));
                    rows.push(Text::from(&line[from..]));
                }
                Kind::Comment => {}
                Kind::Map => {
                    let again = Diagnostic::new(Code::Ignored, here(&(0..line.len())), "MAP inside a map");
                    self.diagnose_map(again.with_label("has no effect"), word);
                }
                Kind::End(range) => {
                    ended = true;
                    break at + range.end;
                }
                Kind::StatementWithin(range) => {
                    let statement = &line[range.clone()];
                    let message = format!("{statement} inside a map");
                    let help = match statement {
                        "GEOMETRY" => "move it before the line MAP",
                        _ => "move it after ENDMAP, or before GEOMETRY",
                    };
                    let problem = Diagnostic::new(Code::MapText, here(&range), message)
                        .with_label("a map contains only rows until its ENDMAP")
                        .with_help(help);
                    self.diagnose_map(problem, word);
                    reported = true;
                }
                Kind::StatementBehind(range) => {
                    let problem = Diagnostic::new(Code::MapText, here(&range), "this MAP has no ENDMAP")
                        .with_label("a statement cannot be in a map")
                        .with_help("close the map with a line ENDMAP");
                    self.diagnose_map(problem, word);
                    break at;
                }
                Kind::MeantAsEnd(problem) => {
                    self.diagnose(problem);
                    ended = true;
                    reported = true;
                    break at + line.len();
                }
                Kind::Stranger => {
                    if !reported {
                        reported = true;
                        let problem = self.stranger(at, line, rows.len());
                        self.diagnose(problem);
                    }
                    // Invalid characters become blanks, so that later rows keep their positions.
                    let cleaned = line.chars().map(|character| if self.is_in_map(character) { character } else { ' ' });
                    rows.push(cleaned.take(self.catalog.limits.map_width as usize).collect());
                    row_spans.push(self.span(at, at + line.len()));
                }
            }
            at = read.next;
        };
        if !ended || reported {
            // Do not also report the size of a map with errors.
            let most = self.catalog.limits.map_height as usize;
            rows.truncate(most);
            row_spans.truncate(most);
        }
        self.inner.bump(end.saturating_sub(self.inner.span().end));
        MapRows { rows, row_spans, span: self.span(start, end) }
    }

    fn diagnose_map(&mut self, problem: Diagnostic, word: Span) {
        self.diagnose(problem.with_secondary(word, "the map begins here"));
    }

    /// Reads the line at `at`.
    fn line_of_map(&self, at: usize) -> Line<'input> {
        let rest = &self.text[at..];
        let newline = memchr::memchr(b'\n', rest.as_bytes());
        let text = &rest[..newline.unwrap_or(rest.len())];
        Line {
            text: text.strip_suffix('\r').unwrap_or(text),
            is_whole: newline.is_some(),
            next: at + newline.map_or(rest.len(), |newline| newline + 1),
        }
    }

    fn kind_of_line(&self, at: usize, line: &Line<'_>) -> Kind {
        let text = line.text;
        let trimmed = text.trim_start_matches([' ', '\t']);
        let indent = text.len() - trimmed.len();
        if line.is_whole {
            if self.is_row(text) {
                return Kind::Row(0);
            }
            if trimmed.starts_with('#') {
                return Kind::Comment;
            }
            if text == "MAP" {
                return Kind::Map;
            }
        }
        if let Some(after) = trimmed.strip_prefix("ENDMAP")
            && !after.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_')
        {
            return Kind::End(indent..indent + "ENDMAP".len());
        }
        if line.is_whole
            && let Some(tab) = text.rfind('\t')
            && text[..tab].trim_matches([' ', '\t']).is_empty()
            && self.is_row(&text[tab + 1..])
        {
            return Kind::Row(tab + 1);
        }
        // A statement that is not a row means that ENDMAP is missing.
        let length = trimmed.bytes().take_while(|byte| byte.is_ascii_uppercase() || *byte == b'_').count();
        if length == 0
            && let Some(length) = assigned(trimmed)
        {
            return Kind::StatementBehind(indent..indent + length);
        }
        if length > 2 && STATEMENT_WORDS.contains(&&trimmed[..length]) {
            let word = indent..indent + length;
            // If rows follow, the statement is in the map by accident. The games' compilers read it as if it came
            // before the map.
            let next_line = self.text[line.next..].lines().next().unwrap_or("");
            let rows_follow = next_line.trim_end().len() > 2 && self.is_row(next_line.trim_end_matches('\r'));
            return if rows_follow { Kind::StatementWithin(word) } else { Kind::StatementBehind(word) };
        }
        Unread::end_of_map(self.file, at, text).map_or(Kind::Stranger, Kind::MeantAsEnd)
    }

    fn is_row(&self, text: &str) -> bool {
        text.bytes().all(|byte| self.in_map[usize::from(byte)])
    }

    /// Returns true if the line around `at` could be a row of a map, judging by the characters near `at`.
    pub(super) fn is_in_row(&self, at: usize) -> bool {
        const GLANCE: usize = 256;
        let (before, after) = self.text.as_bytes().split_at(at);
        let is_row = |byte: &u8| self.in_map[usize::from(*byte)];
        let in_line = |byte: &&u8| !matches!(**byte, b'\n' | b'\r');
        before.iter().rev().take(GLANCE).take_while(in_line).all(is_row)
            && after.iter().take(GLANCE).take_while(in_line).all(is_row)
    }

    fn is_in_map(&self, character: char) -> bool {
        u8::try_from(character).is_ok_and(|byte| byte.is_ascii() && self.in_map[usize::from(byte)])
    }

    /// Returns the error for a line at `at` that would be the row with this index.
    fn stranger(&self, at: usize, line: &str, row: usize) -> Diagnostic {
        let bad = line.char_indices().find(|(_, character)| !self.is_in_map(*character));
        let (message, span, help) = match bad {
            Some((from, character)) => (
                Unread::not_in_map(character),
                self.span(at + from, at + from + character.len_utf8()),
                Unread::drawn(character, &line[..from], row, &self.text[at..], self.catalog),
            ),
            None => {
                let end = self.span(at + line.len(), at + line.len());
                ("the last map row has no line end".to_owned(), end, None)
            }
        };
        if let Some((_, '\t')) = bad {
            // The rows before and after it.
            let before = self.text[..at].lines().next_back();
            let after = self.text[at + line.len()..].lines().nth(1);
            return tabs_in_row(line, [before, after].into_iter().flatten(), |from, to| self.span(at + from, at + to));
        }
        let characters = self.catalog.map_characters.trim_end();
        let blank = if self.is_in_map(' ') { " and the space" } else { "" };
        let problem = Diagnostic::new(Code::MapText, span, message)
            .with_note(format!("the map characters of {} are {characters}{blank}", self.catalog.title));
        let others = bad.map(|(_, character)| dialects_drawing(character, self.catalog)).unwrap_or_default();
        match help {
            Some(help) => problem.with_help(help),
            None if !others.is_empty() => problem
                .with_label(format!("only in {}", listed(others, Conjunction::And)))
                .with_help(format!("draw terrain that {} has, such as `.` or `}}`", self.catalog.title)),
            None if bad.is_some() => problem.with_help("draw one of the map characters there, such as `.` or `|`"),
            None => problem,
        }
    }
}
