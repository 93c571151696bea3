//! Strings that lost their closing quote. To the compiler, such a string ends at the next quote, lines later, and from
//! there on strings and other text are swapped.

use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::reread::Correction;
use splc_ir::source::{FileId, Span};

/// Most strings of a file that are closed, and most strings tried for each. Every try costs a pass through the text.
const MOST: usize = 4;

/// Returns `text` with the strings closed at the end of their lines that have most likely lost their closing quote.
/// `quotes_of` finds the quotes of a text.
pub(crate) fn closed(text: &str, file: FileId, quotes_of: impl Fn(&str) -> Quotes) -> Option<Correction> {
    let (mut right, mut errors) = (None, Vec::new());
    let mut known = quotes_of(text);
    while errors.len() < MOST {
        let now: &str = right.as_deref().unwrap_or(text);
        // A string that is meant to have several lines leaves its closing quote behind, which opens another.
        let found = known.long.iter().take(MOST).find_map(|&(start, _)| {
            // Elsewhere, as in `pit"` or `"a "b" c"`, another quote is missing or too many.
            if !now[..start].trim_end().ends_with([',', ':', '(', '{', '=']) {
                return None;
            }
            let closed = closed_at(now, start)?;
            let quotes = quotes_of(&closed);
            (quotes.long.len() < known.long.len() && quotes.open <= known.open).then_some((start, closed, quotes))
        });
        let Some((start, closed, quotes)) = found else { break };
        let length = text[start..].find(['\r', '\n']).unwrap_or(0);
        errors.push(
            Diagnostic::new(
                Code::UnterminatedString,
                Span::new(file, start, start + length),
                "this string is not closed",
            )
            .with_label("begins here")
            .with_help("close it with `\"` on its line"),
        );
        (right, known) = (Some(closed), quotes);
    }
    right.map(|right| (right, errors))
}

/// The strings of a text that are longer than a line.
#[derive(Default)]
pub(crate) struct Quotes {
    /// Their starts and ends.
    pub(crate) long: Vec<(usize, usize)>,
    /// The number of strings without an end.
    pub(crate) open: usize,
}

/// Returns `text` with the string at `start` closed at the end of its line. The quote replaces the line end or, if the
/// next line must begin a line, the last character.
fn closed_at(text: &str, start: usize) -> Option<String> {
    let length = text[start..].find(['\r', '\n'])?;
    let (line, next) = text[start..].split_at(length);
    let is_bound = |next: &str| next.starts_with('#') || next.starts_with("MAP") || next.starts_with("ENDMAP");
    let (at, blanks) = if is_bound(next.trim_start()) {
        let (at, last) = line.char_indices().next_back().filter(|&(at, _)| at > 0)?;
        (start + at, last.len_utf8() - 1)
    } else {
        (start + length, 0)
    };
    let mut closed = String::with_capacity(text.len());
    closed.push_str(&text[..at]);
    closed.extend(std::iter::repeat_n(' ', blanks));
    closed.push('"');
    closed.push_str(&text[at + blanks + 1..]);
    Some(closed)
}
