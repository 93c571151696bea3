//! The text of a script under construction: lines, indentation, comments.

use splc_ir::level::{Statement, Trivia, TriviaKind};
use splc_ir::source::Span;

use crate::comments::{Comments, in_one_line};

/// Indentation of a block, as in the game's own files.
const INDENT: &str = "   ";

/// The maximum length of a line of code.
const WIDTH: usize = 100;

/// The minimum number of equal statements in a row that are written as a loop.
const LEAST_REPEATED: usize = 4;

/// Returns the byte before which to break code: the last place within `width` that is in the fewest brackets, or the
/// first one after that. Code breaks after a comma and before an operator, never in a string.
fn line_break(code: &str, width: usize) -> Option<usize> {
    const OPERATORS: [&str; 6] = [" | ", " & ", " .. ", " or ", " and ", " + "];
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    let mut best: Option<(i32, usize)> = None;
    for (column, (at, character)) in code.char_indices().enumerate() {
        if column > width && best.is_some() {
            break;
        }
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
            continue;
        }
        match character {
            '"' => in_string = true,
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            ' ' if at > 0 => {
                let is_place = code[..at].ends_with(',') || OPERATORS.iter().any(|sign| code[at..].starts_with(sign));
                if is_place && best.is_none_or(|(least, _)| depth <= least) {
                    best = Some((depth, at));
                }
            }
            _ => {}
        }
    }
    best.map(|(_, at)| at)
}

pub(super) struct LuaText {
    text: String,
    depth: usize,
    lines: usize,
    /// The lines, from 0, that are whole statements and do not use `i`.
    whole: Vec<usize>,
    pub(super) comments: Comments,
}

/// A finished text.
pub(super) struct Finished {
    pub(super) text: String,
    /// The number of each line in the text, from 1, by its number when it was written.
    pub(super) lines: Vec<usize>,
    /// The comments that are not in it.
    pub(super) rest: Comments,
}

impl LuaText {
    pub(super) fn new(comments: Comments) -> LuaText {
        LuaText { text: String::new(), depth: 0, lines: 0, whole: Vec::new(), comments }
    }

    /// Returns the text, in which equal statements in a row are a loop.
    pub(super) fn finish(self) -> Finished {
        let written: Vec<&str> = self.text.trim_end_matches('\n').split('\n').collect();
        let (mut text, mut lines) = (String::with_capacity(self.text.len()), vec![0]);
        let (mut next, mut at, mut whole) = (1, 0, self.whole.iter().copied().peekable());
        while let Some(&line) = written.get(at) {
            while whole.next_if(|&known| known < at).is_some() {}
            let equal = |known: &usize, count: usize| *known == at + count && written.get(*known) == Some(&line);
            let mut count = 0;
            while whole.next_if(|known| equal(known, count)).is_some() {
                count += 1;
            }
            if count >= LEAST_REPEATED {
                let outer = &line[..line.len() - line.trim_start().len()];
                let head = format!("for i = 1, {count} do\n");
                text.extend([outer, head.as_str(), INDENT, line, "\n", outer, "end\n"]);
                lines.extend(std::iter::repeat_n(next + 1, count));
                next += 3;
            } else {
                count = count.max(1);
                for _ in 0..count {
                    text.extend([line, "\n"]);
                    lines.push(next);
                    next += 1;
                }
            }
            at += count;
        }
        if self.text.is_empty() {
            text.clear();
        }
        Finished { text, lines, rest: self.comments }
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

    /// Returns true if code fits into a line at this depth.
    pub(super) fn fits(&self, text: &str) -> bool {
        self.depth * INDENT.len() + text.chars().count() <= WIDTH
    }

    /// Writes code at the depth of the enclosing blocks, in several lines if it is long.
    pub(super) fn line(&mut self, text: &str) {
        let first = self.lines;
        self.broken(text, self.depth + 1);
        // The variable of a loop around it could be `i` as well.
        let is_i = |word: &str| word == "i";
        if self.lines == first + 1
            && text.starts_with("des.")
            && text.ends_with(')')
            && !text.split(|next: char| !next.is_alphanumeric() && next != '_').any(is_i)
        {
            self.whole.push(first);
        }
    }

    /// Writes the values of a table in as many lines as they need.
    pub(super) fn values(&mut self, values: &str) {
        self.broken(values, self.depth);
    }

    /// Writes code, whose second and later lines are at another depth.
    fn broken(&mut self, text: &str, later: usize) {
        let (mut rest, outer) = (text, self.depth);
        while !self.fits(rest) {
            let Some(at) = line_break(rest, WIDTH.saturating_sub(self.depth * INDENT.len())) else { break };
            self.whole_line(rest[..at].trim_end());
            rest = rest[at..].trim_start();
            self.depth = later;
        }
        self.whole_line(rest);
        self.depth = outer;
    }

    /// Writes a line at the depth of the enclosing blocks.
    fn whole_line(&mut self, text: &str) {
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

    /// Writes the comments of the node at `span`.
    pub(super) fn comments_before(&mut self, span: Span) {
        let comments = self.comments.before(span);
        self.comments(&comments);
    }

    /// Writes the comments at the end of the block that ends with `span`.
    pub(super) fn comments_within(&mut self, span: Span) {
        let comments = self.comments.within(span);
        self.comments(&comments);
    }

    /// Writes the comments before the ELSE of the condition at `span`, whose second block is `otherwise`.
    pub(super) fn comments_before_else(&mut self, span: Span, otherwise: &[Statement]) {
        let comments = self.comments.before_else(span, otherwise);
        self.comments(&comments);
    }

    /// Writes the remaining comments from `span` to the level or function at `next`, or to the end of the file.
    pub(super) fn last_comments(&mut self, span: Span, next: Option<Span>) {
        let comments = self.comments.rest(span, next);
        self.comments(&comments);
    }

    pub(super) fn comments(&mut self, comments: &[Trivia]) {
        for next in comments {
            match next.kind {
                // A block begins without one.
                TriviaKind::BlankLines if self.text.ends_with(" do\n") || self.text.ends_with(" then\n") => {}
                TriviaKind::BlankLines => self.blank_line(),
                TriviaKind::Comment | TriviaKind::TrailingComment => {
                    let text = in_one_line(&next.text);
                    let said = text.strip_prefix('#').unwrap_or(&text);
                    // After two dashes, a bracket may open a multi-line comment.
                    let apart = if said.starts_with('[') { " " } else { "" };
                    self.whole_line(&format!("--{apart}{said}"));
                }
                // These have no meaning here.
                TriviaKind::Skipped | TriviaKind::Else => {}
            }
        }
    }
}
