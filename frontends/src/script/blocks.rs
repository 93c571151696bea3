//! Blocks in parentheses or brackets instead of braces: `MONSTER: 'o', random [ ... ]`.
//!
//! One wrong pair makes all statements between it unreadable. So the text is read again with braces in its place, which
//! have the same length, and only the pair is reported.

use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::source::{FileId, Span};

/// Statements that have a block.
const WORDS: [&str; 10] =
    ["MONSTER", "OBJECT", "CONTAINER", "ROOM", "SUBROOM", "IF", "ELSE", "LOOP", "FOR", "FUNCTION"];

/// The largest number of openings that are followed, and the largest number of bytes for each.
const MAX_BLOCKS: usize = 100;
const MAX_BYTES: usize = 20_000;

/// Returns the text with braces around its blocks, and a diagnostic for each pair that has other brackets.
pub(super) fn in_braces(text: &str, file: FileId) -> Option<(String, Vec<Diagnostic>)> {
    let (mut right, mut found) = (text.to_owned(), Vec::new());
    let (mut at, mut tried) = (0, 0);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(open) = opening(text, start, line).filter(|_| tried < MAX_BLOCKS) else { continue };
        tried += 1;
        let Some(close) = closing(text, open) else { continue };
        let span = |at: usize| Span::new(file, at, at + 1);
        let mut diagnostic = Diagnostic::new(Code::Syntax, span(open), "a block must be in braces")
            .with_secondary(span(close), "its end")
            .with_help("write `{` and `}`")
            .with_suggestion(span(open), "{", true);
        right.replace_range(open..=open, "{");
        right.replace_range(close..=close, "}");
        let ahead = text[..open].trim_end();
        if ahead.ends_with(',') {
            let blank = if ahead.len() == open { " " } else { "" };
            diagnostic = diagnostic.with_suggestion(span(ahead.len() - 1), blank, true);
            right.replace_range(ahead.len() - 1..ahead.len(), " ");
        }
        found.push(diagnostic.with_suggestion(span(close), "}", true));
    }
    (!found.is_empty()).then_some((right, found))
}

/// Returns the offset of a bracket on `line`, at `start`, that a statement follows.
fn opening(text: &str, start: usize, line: &str) -> Option<usize> {
    let words = line.trim_start();
    let length = words.bytes().take_while(u8::is_ascii_uppercase).count();
    if !WORDS.contains(&&words[..length]) {
        return None;
    }
    let begins_statement = |rest: &str| {
        let rest = rest.trim_start();
        let word = rest.bytes().take_while(|byte| byte.is_ascii_uppercase() || *byte == b'_').count();
        word > 1 && rest[word..].trim_start().starts_with(':')
    };
    let mut brackets = line.match_indices(['[', '(']).map(|(at, _)| at).filter(|&at| line[..at].ends_with([' ', ',']));
    brackets.find(|&at| begins_statement(&text[start + at + 1..])).map(|at| start + at)
}

/// Returns the offset of the bracket that closes the one at `open`, if nothing follows it on its line.
fn closing(text: &str, open: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (opening, closing) = (bytes[open], if bytes[open] == b'(' { b')' } else { b']' });
    let (mut at, mut depth) = (open + 1, 0_usize);
    while at < bytes.len().min(open + MAX_BYTES) {
        match bytes[at] {
            b'"' => at += text[at + 1..].find(['"', '\n']).map_or(0, |length| length + 1),
            // A character in quotes.
            b'\'' if bytes.get(at + 2) == Some(&b'\'') => at += 2,
            byte if byte == opening => depth += 1,
            byte if byte == closing && depth > 0 => depth -= 1,
            byte if byte == closing => {
                let rest = text[at + 1..].split('\n').next().unwrap_or("");
                return rest.trim().is_empty().then_some(at);
            }
            _ => {}
        }
        at += 1;
    }
    None
}
