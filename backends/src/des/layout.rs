//! The layout of a des-file: indentation, blanks between tokens, blank lines. This implements `splc fmt`.
//!
//! Only the space between tokens changes. Every token and every comment is printed exactly once, in order and
//! unchanged. A MAP is a single token, since a blank in a row is terrain. Lines end where the author ended them. The
//! result therefore has the same tokens, and formatting it again changes nothing.
//!
//! - A block is indented by two blanks, and the statements of a CASE by two more. A continuation line is indented by
//!   two more than the line before.
//! - Several blank lines become one. There are none at the beginning of a block, before its end, or at the end of the
//!   file.
//! - The script dialects have a blank after commas and colons, but none in a place, a region or a size. NetHack 3.4.3
//!   has none at all, and its comments and statements begin in the first column.

use splc_ir::catalog::{Catalog, Format};
use splc_ir::source::{Lexeme, LexemeKind};

/// Indentation of a block, in blanks.
const INDENT: usize = 2;

/// Formats `text`, whose tokens and comments are `lexemes`, in order and without overlap.
///
/// The text between them must consist of blanks and line ends. All line ends between tokens become the first of
/// them.
pub fn lay_out(text: &str, lexemes: &[Lexeme], catalog: &Catalog) -> String {
    // A string may contain other line ends, which stay.
    let ends = lexemes.iter().map(|lexeme| lexeme.end);
    let starts = lexemes.iter().map(|lexeme| lexeme.start).chain([text.len()]);
    let mut between = [0].into_iter().chain(ends).zip(starts);
    let line_end = match between.find_map(|(end, start)| Some(end + text.get(end..start)?.find('\n')?)) {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    };
    let mut layout = Layout {
        text,
        lexemes,
        tight: tight_groups(text, lexemes),
        following: following(lexemes),
        nested: catalog.format == Format::Opcodes,
        line_end,
        out: String::with_capacity(text.len() + text.len() / 8),
        blocks: Vec::new(),
        switch: false,
        parentheses: 0,
    };
    layout.run();
    layout.out
}

/// An open block.
struct Block {
    /// Set for the block of a SWITCH.
    switch: bool,
    /// Set after its first CASE or DEFAULT.
    in_case: bool,
}

struct Layout<'a> {
    text: &'a str,
    lexemes: &'a [Lexeme],
    /// For each lexeme: true if a comma in the enclosing parentheses has no blank after it.
    tight: Vec<bool>,
    /// For each lexeme: the next lexeme that is not a comment.
    following: Vec<Option<usize>>,
    /// Set if the language has blocks, and blanks after commas.
    nested: bool,
    line_end: &'static str,
    out: String,
    blocks: Vec<Block>,
    /// Set if the next block is that of a SWITCH.
    switch: bool,
    parentheses: usize,
}

impl<'a> Layout<'a> {
    fn token(&self, at: usize) -> &'a str {
        let lexeme = &self.lexemes[at];
        &self.text[lexeme.start..lexeme.end]
    }

    fn run(&mut self) {
        for at in 0..self.lexemes.len() {
            let lexeme = self.lexemes[at];
            let before = at.checked_sub(1).map(|before| self.lexemes[before]);
            let gap = &self.text[before.map_or(0, |before| before.end)..lexeme.start];
            // A comment may include its line end.
            let newlines = gap.matches('\n').count()
                + before.map_or(0, |before| usize::from(self.text[..before.end].ends_with('\n')));
            let new_line = match before {
                None => true,
                Some(before) => newlines > 0 || before.kind != LexemeKind::Token || lexeme.kind != LexemeKind::Token,
            };
            if new_line {
                self.begin_line(at, before, newlines);
            } else if self.blank_between(at - 1, at) {
                self.out.push(' ');
            }
            self.put(at);
        }
        if !self.out.is_empty() {
            self.out.push_str(self.line_end);
        }
    }

    fn begin_line(&mut self, at: usize, before: Option<Lexeme>, newlines: usize) {
        let first = self.token(at);
        if before.is_some() {
            self.out.push_str(self.line_end);
            let after_opening = self.token(at - 1) == "{";
            if newlines > 1 && !after_opening && !(self.nested && first == "}") {
                self.out.push_str(self.line_end);
            }
        }
        if self.lexemes[at].kind == LexemeKind::Map || !self.nested && self.lexemes[at].kind == LexemeKind::Comment {
            return;
        }
        let depth = match self.lexemes[at].kind {
            // A comment is indented like the code that it precedes.
            LexemeKind::Comment => match self.following[at] {
                Some(next) if self.token(next) != "}" => self.depth(self.token(next)),
                _ => self.depth(""),
            },
            _ => self.depth(first) + usize::from(self.goes_on(at)),
        };
        self.out.extend(std::iter::repeat_n(' ', depth * INDENT));
    }

    /// Returns the depth of a line that begins with `first`.
    fn depth(&self, first: &str) -> usize {
        if !self.nested {
            return 0;
        }
        let Some((last, outer)) = self.blocks.split_last() else { return 0 };
        let outer: usize = outer.iter().map(|block| 1 + usize::from(block.switch && block.in_case)).sum();
        match first {
            "}" => outer,
            "CASE" | "DEFAULT" if last.switch => outer + 1,
            _ => outer + 1 + usize::from(last.switch && last.in_case),
        }
    }

    /// Returns true if the lexeme, which begins a line, continues the statement of the line before.
    fn goes_on(&self, at: usize) -> bool {
        let Some(before) = (0..at).rev().find(|&before| self.lexemes[before].kind != LexemeKind::Comment) else {
            return false;
        };
        if self.parentheses > 0 {
            return true;
        }
        let (last, first) = (self.token(before), self.token(at));
        let after_label = last == ":" && self.ends_label(before);
        (is_open_ended(last) && !after_label) || is_continuation(first)
    }

    /// Returns true if the colon ends `CASE n` or `DEFAULT`.
    fn ends_label(&self, colon: usize) -> bool {
        let word = |back: usize| colon.checked_sub(back).map(|at| self.token(at));
        word(1) == Some("DEFAULT") || word(2) == Some("CASE")
    }

    fn put(&mut self, at: usize) {
        let token = self.token(at);
        match self.lexemes[at].kind {
            LexemeKind::Comment => self.out.push_str(token.trim_end()),
            LexemeKind::Map => self.out.push_str(token),
            LexemeKind::Token => {
                self.out.push_str(token);
                match token {
                    "SWITCH" => self.switch = true,
                    "{" => self.blocks.push(Block { switch: std::mem::take(&mut self.switch), in_case: false }),
                    "}" => {
                        self.blocks.pop();
                    }
                    "CASE" | "DEFAULT" => {
                        if let Some(block) = self.blocks.last_mut() {
                            block.in_case = true;
                        }
                    }
                    "(" => self.parentheses += 1,
                    ")" => self.parentheses = self.parentheses.saturating_sub(1),
                    _ => {}
                }
            }
        }
    }

    /// Returns true if two tokens of a line are separated by a blank.
    fn blank_between(&self, before: usize, after: usize) -> bool {
        let (left, right) = (self.token(before), self.token(after));
        match (left, right) {
            // Two dots are the `to` of a FOR.
            (".", ".") => false,
            (_, "," | ":" | ")" | "]") | ("(" | "[", _) => false,
            ("|", _) => right.starts_with('"'),
            (_, "|") => left.starts_with('"'),
            (",", _) => self.nested && !self.tight[before],
            (":", _) => self.nested,
            (_, "(") => !is_call(left),
            (_, _) if right.starts_with('[') => !takes_bracket(left),
            _ if left.ends_with('[') => false,
            _ => true,
        }
    }
}

/// Returns true if a statement cannot end with the token.
fn is_open_ended(token: &str) -> bool {
    matches!(
        token,
        "," | ":"
            | "("
            | "["
            | "="
            | "+"
            | "-"
            | "*"
            | "/"
            | "%"
            | "."
            | "&"
            | "|"
            | "=="
            | "!="
            | "<>"
            | "<"
            | "<="
            | ">"
            | ">="
    )
}

/// Returns true if a statement cannot begin with the token.
fn is_continuation(token: &str) -> bool {
    matches!(token, "," | ":" | ")" | "]" | "=" | "+" | "-" | "*" | "/" | "%" | "." | "&" | "|" | "(")
}

/// Returns true if an opening parenthesis directly follows the token, as in a function call.
fn is_call(token: &str) -> bool {
    token.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && !matches!(token, "rect" | "fillrect" | "line" | "randline" | "floodfill" | "complement" | "TO" | "INCLUDE")
}

/// Returns true if an opening bracket directly follows the token: an index, or a chance before the colon.
fn takes_bracket(token: &str) -> bool {
    match token {
        "IF" | "LOOP" | "SWITCH" => false,
        _ => token.starts_with(|first: char| first.is_ascii_alphabetic() || first == '$'),
    }
}

/// Returns for each lexeme true if its innermost parentheses contain only numbers and words, as in places, regions and
/// sizes, and are not those of a call.
fn tight_groups(text: &str, lexemes: &[Lexeme]) -> Vec<bool> {
    let token = |at: usize| &text[lexemes[at].start..lexemes[at].end];
    let mut tight = vec![false; lexemes.len()];
    // The start of each open group, and true if its contents so far are plain.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for at in 0..lexemes.len() {
        match token(at) {
            "(" => {
                if let Some((_, plain)) = open.last_mut() {
                    *plain = false;
                }
                let call =
                    at.checked_sub(1).is_some_and(|before| is_call(token(before)) && token(before) != "levregion");
                open.push((at, !call));
            }
            ")" => {
                if let Some((start, true)) = open.pop() {
                    tight[start..at].fill(true);
                }
            }
            inner => {
                let plain = inner == ","
                    || inner
                        .starts_with(|first: char| first.is_ascii_alphanumeric() || matches!(first, '$' | '-' | '+'))
                        && inner.len() > usize::from(!inner.starts_with(|first: char| first.is_ascii_alphanumeric()));
                if let Some((_, all)) = open.last_mut() {
                    *all &= plain;
                }
            }
        }
    }
    tight
}

/// Returns for each lexeme the next lexeme that is not a comment.
fn following(lexemes: &[Lexeme]) -> Vec<Option<usize>> {
    let mut following = vec![None; lexemes.len()];
    let mut next = None;
    for (at, lexeme) in lexemes.iter().enumerate().rev() {
        following[at] = next;
        if lexeme.kind != LexemeKind::Comment {
            next = Some(at);
        }
    }
    following
}
