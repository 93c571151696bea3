//! The text of a script under construction: lines, indentation, comments.

use std::collections::{HashMap, VecDeque};

use splc_ir::level::{Statement, Trivia, TriviaKind};
use splc_ir::source::{FileId, Span};

use crate::comments::end_of_else;

/// Indentation of a block, as in the game's own files.
const INDENT: &str = "   ";

/// Comments not written yet, in order, by file.
pub(super) struct Comments {
    waiting: HashMap<FileId, VecDeque<Trivia>>,
    /// The first file with comments.
    main: Option<FileId>,
}

impl Comments {
    pub(super) fn new(trivia: &[Trivia]) -> Comments {
        let mut waiting: HashMap<FileId, VecDeque<Trivia>> = HashMap::new();
        for trivia in trivia {
            waiting.entry(trivia.span.file).or_default().push_back(trivia.clone());
        }
        Comments { waiting, main: trivia.first().map(|first| first.span.file) }
    }
}

pub(super) struct LuaText {
    text: String,
    depth: usize,
    lines: usize,
    comments: Comments,
}

impl LuaText {
    pub(super) fn new(comments: Comments) -> LuaText {
        LuaText { text: String::new(), depth: 0, lines: 0, comments }
    }

    /// Returns the text and the remaining comments.
    pub(super) fn finish(mut self) -> (String, Comments) {
        self.text.truncate(self.text.trim_end_matches('\n').len());
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        (self.text, self.comments)
    }

    /// Returns the number of the next line, from 1.
    pub(super) fn next_line(&self) -> usize {
        self.lines + 1
    }

    pub(super) fn indent(&mut self) {
        self.depth += 1;
    }

    pub(super) fn outdent(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Writes lines at the depth of the enclosing blocks. Rows of a map among them are not indented.
    pub(super) fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.text.push_str(INDENT);
        }
        self.edge(text);
    }

    /// Writes lines without indentation.
    pub(super) fn edge(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
        self.lines += 1 + text.matches('\n').count();
    }

    /// Writes an empty line, unless the text is empty or already ends with one.
    pub(super) fn blank_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
            self.lines += 1;
        }
    }

    /// Writes the comments before `span` in its file.
    pub(super) fn comments_before(&mut self, span: Span) {
        if !span.is_nowhere() {
            self.comments_until(span.file, span.start);
        }
    }

    /// Writes the remaining comments before the end of `span`, as at the end of its block.
    pub(super) fn comments_within(&mut self, span: Span) {
        if !span.is_nowhere() {
            self.comments_until(span.file, span.end);
        }
    }

    /// Writes the comments before the ELSE of the condition at `span`, whose second block is `otherwise`.
    pub(super) fn comments_before_else(&mut self, span: Span, otherwise: &[Statement]) {
        let waiting = self.comments.waiting.get(&span.file).into_iter().flatten();
        if let Some(end) = end_of_else(waiting, span, otherwise) {
            self.comments_until(span.file, end);
        }
    }

    /// Writes the comments at the end of the file.
    pub(super) fn last_comments(&mut self) {
        if let Some(file) = self.comments.main {
            self.comments_until(file, u32::MAX);
        }
    }

    fn comments_until(&mut self, file: FileId, end: u32) {
        loop {
            let Some(waiting) = self.comments.waiting.get_mut(&file) else { return };
            let Some(next) = waiting.pop_front() else { return };
            if next.span.start >= end {
                waiting.push_front(next);
                return;
            }
            match next.kind {
                TriviaKind::BlankLines => self.blank_line(),
                TriviaKind::Comment | TriviaKind::TrailingComment => {
                    let said = next.text.strip_prefix('#').unwrap_or(&next.text);
                    // After two dashes, a bracket may open a multi-line comment.
                    let apart = if said.starts_with('[') { " " } else { "" };
                    self.line(&format!("--{apart}{said}"));
                }
                // These have no meaning here.
                TriviaKind::Skipped | TriviaKind::Else => {}
            }
        }
    }
}
