//! Corrections found by trying: small edits at errors for which the parser knows no correction.
//!
//! A parser that meets an unexpected token can only name those that it expected. [`guess`] tries what people do about
//! such an error: it removes a sign or a pair of brackets, writes another sign, adds one, or adds a value. An edit is
//! offered if the text with it has one error less and none in its place, and if no other edit of its kind does as well.

use splc_ir::diagnostic::{Code, Diagnostic, Mistake, Severity, Suggestion};
use splc_ir::source::{Source, Span};

use crate::read::{Content, Read};
use crate::repair::{MAIN, in_same_charset};

/// The largest file, in bytes, for which edits are tried. Each try reads the file again.
const MAX_BYTES: usize = 1 << 15;

/// The most errors of a file for which edits are tried.
const MAX_ERRORS: usize = 3;

/// The longest statement that is shown corrected, in bytes.
const SHOWN: usize = 76;

/// The dashes that word processors write for `-`.
const DASHES: &str = "\u{2010}\u{2011}\u{2013}\u{2014}\u{2212}";

/// The signs of a language.
struct Signs {
    comment: &'static str,
    /// Those that may be written instead of another.
    instead: &'static [&'static str],
    /// Those that may be missing.
    missing: &'static [&'static str],
    /// True if `random` may be missing.
    values: bool,
}

const OF_DES_FILES: Signs =
    Signs { comment: "#", instead: &[",", ":", ")", "]"], missing: &[",", ":", ")", "]", "("], values: true };

const OF_SCRIPTS: Signs = Signs {
    comment: "--",
    instead: &[",", "=", ")", "}", "]"],
    missing: &[",", "=", ")", "}", "]", "(", " then", " do", " end"],
    values: false,
};

/// Offers corrections for the syntax errors of `read` without one. `again` reads another text as `read` was read, or
/// returns `None` if nobody waits for the result any more.
pub(crate) fn guess(read: &mut Read, again: &mut impl FnMut(Vec<u8>) -> Option<Read>) {
    let signs = if matches!(read.content, Content::Script(_)) { &OF_SCRIPTS } else { &OF_DES_FILES };
    let Source { text, charset, .. } = read.sources.get(MAIN);
    let is_unexplained = |known: &Diagnostic| {
        known.severity == Severity::Error
            && matches!(known.code, Code::Syntax | Code::Lexical)
            && known.suggestions.is_empty()
            && known.noticed.is_none()
            && known.span.is_some_and(|span| span.file == MAIN)
            && matches!(
                known.message.mistake(),
                Some(Mistake::Expected { .. } | Mistake::Unexpected(_) | Mistake::Stray(_) | Mistake::NotRegion)
            )
    };
    let unexplained = read.diagnostics.iter().filter(|known| is_unexplained(known)).count();
    if unexplained == 0 || unexplained > MAX_ERRORS || text.len() > MAX_BYTES || read.diagnostics.dropped() > 0 {
        return;
    }
    let Some(old) = unread_lines(read) else { return };
    let mut found = Vec::new();
    for (number, known) in read.diagnostics.iter().enumerate().filter(|(_, known)| is_unexplained(known)) {
        let Some(line) = known.span.and_then(|span| Line::at(text, span.start as usize, signs)) else { continue };
        let on_line = line_of(read, known).unwrap_or_default();
        let others = read.diagnostics.iter().filter(|other| {
            other.severity != Severity::Note && !other.code.is_unread() && line_of(read, other) == Some(on_line)
        });
        let others: Vec<Code> = others.map(|other| other.code).collect();
        let mut accepts = |edits: &[Edit]| -> Option<bool> {
            let next = again(in_same_charset(&applied(text, edits), *charset)?)?;
            Some(is_better(&old, &others, &next, on_line))
        };
        if let Some(guess) = line.guess(&mut accepts) {
            found.push((number, guess.kind, guess.advice(text, &line)));
        }
    }
    for (number, kind, (help, edits)) in found {
        let Some(known) = read.diagnostics.iter_mut().nth(number) else { continue };
        let is_stray = matches!(known.message.mistake(), Some(Mistake::Stray(_)));
        match kind {
            // The words that are valid there are a choice.
            Kind::AddValue => known.message = "a value is missing here".into(),
            _ => known.notes.clear(),
        }
        if !is_stray {
            known.help = Some(help);
        }
        known.suggestions = edits;
    }
}

/// Returns the lines of the errors about text that cannot be read, or `None` if one is in another file.
fn unread_lines(read: &Read) -> Option<Vec<usize>> {
    let unread = read.diagnostics.iter().filter(|known| known.severity == Severity::Error && known.code.is_unread());
    unread.map(|known| line_of(read, known)).collect()
}

/// Returns the line of a diagnostic in the main file.
fn line_of(read: &Read, known: &Diagnostic) -> Option<usize> {
    let span = known.span.filter(|span| span.file == MAIN)?;
    Some(read.sources.line_column(MAIN, span.start).0)
}

/// Returns true if a text read with an edit on the line `number` has fewer errors than one with errors on the lines
/// `old`, none of them a new one, and on that line nothing that was not `known` there.
fn is_better(old: &[usize], known: &[Code], after: &Read, number: usize) -> bool {
    let Some(new) = unread_lines(after) else { return false };
    let on_line = |one: &&Diagnostic| one.severity != Severity::Note && line_of(after, one) == Some(number);
    let spoils = after.diagnostics.iter().filter(on_line).any(|one| !known.contains(&one.code));
    new.len() < old.len() && new.iter().all(|line| old.contains(line)) && !spoils
}

/// A replacement of a range of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edit {
    start: usize,
    end: usize,
    new: &'static str,
}

/// Returns the text with edits, which are in order.
fn applied(text: &str, edits: &[Edit]) -> String {
    let (mut result, mut done) = (String::with_capacity(text.len() + 16), 0);
    for edit in edits {
        result.push_str(&text[done..edit.start]);
        result.push_str(edit.new);
        done = edit.end;
    }
    result.push_str(&text[done..]);
    result
}

/// A kind of edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    RemoveSign,
    RemoveBrackets,
    ReplaceSign,
    AddSign,
    RemoveValue,
    AddValue,
}

/// Edits that correct an error.
struct Guess {
    kind: Kind,
    edits: Vec<Edit>,
}

impl Guess {
    /// Returns the help line and the edits for a diagnostic. A value that is added or removed is not certain: it
    /// is the author's choice.
    fn advice(self, text: &str, line: &Line<'_>) -> (String, Vec<Suggestion>) {
        let corrected = line.corrected(&self.edits);
        let corrected = corrected.trim();
        let removed = self.edits.first().map_or("", |edit| &text[edit.start..edit.end]);
        let what = match self.kind {
            Kind::RemoveSign | Kind::RemoveValue => format!("remove the `{removed}`"),
            Kind::RemoveBrackets => "remove the brackets".to_owned(),
            Kind::ReplaceSign | Kind::AddSign | Kind::AddValue => String::new(),
        };
        let help = match (what.is_empty(), corrected.len() <= SHOWN) {
            (true, _) => format!("write {corrected}"),
            (false, true) => format!("{what}: {corrected}"),
            (false, false) => what,
        };
        let edit = |edit: Edit| Suggestion {
            span: Span::new(MAIN, edit.start, edit.end),
            replacement: edit.new.to_owned(),
            applicable: !matches!(self.kind, Kind::AddValue | Kind::RemoveValue),
        };
        (help, self.edits.into_iter().map(edit).collect())
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// The line of an error.
struct Line<'t> {
    signs: &'static Signs,
    text: &'t str,
    start: usize,
    /// Its tokens: strings, characters in quotes, words and numbers, and signs, each with its range in the file.
    tokens: Vec<(usize, usize)>,
    /// The index of the unexpected token. It is the number of tokens at the end of the line.
    at: usize,
}

impl<'t> Line<'t> {
    /// Returns the line of `at`, or `None` if it has a comment or an open string.
    fn at(text: &'t str, at: usize, signs: &'static Signs) -> Option<Self> {
        let start = text.get(..at)?.rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
        let line = text[start..].split(['\n', '\r']).next().unwrap_or("");
        let bytes = line.as_bytes();
        if line.contains(signs.comment) {
            return None;
        }
        let mut tokens = Vec::new();
        let mut next = 0;
        while next < bytes.len() {
            let length = match bytes[next] {
                b' ' | b'\t' => {
                    next += 1;
                    continue;
                }
                b'"' => line[next + 1..].find('"')? + 2,
                b'\'' => line[next + 1..].char_indices().skip(1).find(|(_, letter)| *letter == '\'')?.0 + 2,
                byte if is_word(byte) => bytes[next..].iter().take_while(|&&byte| is_word(byte)).count(),
                _ => line[next..].chars().next()?.len_utf8(),
            };
            tokens.push((start + next, start + next + length));
            next += length;
        }
        let index = tokens.partition_point(|&(_, end)| end <= at);
        Some(Line { signs, text: line, start, tokens, at: index })
    }

    /// Returns the line with edits.
    fn corrected(&self, edits: &[Edit]) -> String {
        let within =
            edits.iter().map(|edit| Edit { start: edit.start - self.start, end: edit.end - self.start, new: edit.new });
        applied(self.text, &within.collect::<Vec<_>>())
    }

    fn token(&self, index: usize) -> &'t str {
        self.tokens.get(index).map_or("", |&(start, end)| &self.text[start - self.start..end - self.start])
    }

    fn is_word(&self, index: usize) -> bool {
        self.token(index).starts_with(|letter: char| letter.is_alphanumeric() || "_$".contains(letter))
    }

    /// Returns the index of the bracket that belongs to the one at `index`.
    fn other(&self, index: usize) -> Option<usize> {
        let (pairs, token) = (["()", "[]", "{}"], self.token(index));
        let pair = pairs.into_iter().find(|pair| token.len() == 1 && pair.contains(token))?;
        let (open, close) = pair.split_at(1);
        let mut depth = 0_i32;
        let mut count = |other: &usize| {
            depth += i32::from(self.token(*other) == open) - i32::from(self.token(*other) == close);
            depth == 0
        };
        match token == open {
            true => (index..self.tokens.len()).find(&mut count),
            false => (0..=index).rev().find(&mut count),
        }
    }

    /// Returns true if the sign at `index` is not part of a value, and separates no words.
    fn is_removable(&self, index: usize) -> bool {
        let ends = |index: usize| self.tokens.get(index).map(|&(_, end)| end);
        let starts = |index: usize| self.tokens.get(index).map(|&(start, _)| start);
        let joins = index.checked_sub(1).is_some_and(|before| {
            self.is_word(before)
                && self.is_word(index + 1)
                && ends(before) == starts(index)
                && ends(index) == starts(index + 1)
        });
        !joins && !"%-!$#".contains(self.token(index))
    }

    /// Returns the edits to try, by kind, in the order in which they are tried.
    fn edits(&self) -> Vec<(Kind, Vec<Vec<Edit>>)> {
        let is_sign = |index: usize| self.token(index).chars().count() == 1 && !self.is_word(index);
        let is_bracket = |index: usize| self.token(index).len() == 1 && "()[]{}".contains(self.token(index));
        let replaced = |index: usize, new: &'static str| {
            let (start, end) = self.tokens[index];
            Edit { start, end, new }
        };
        // A keyword and its colon remain.
        let near: Vec<usize> = [Some(self.at), self.at.checked_sub(1)].into_iter().flatten().collect();
        let near = || near.iter().copied().filter(|&index| index > 0 && index < self.tokens.len());
        let removed = near().filter(|&index| is_sign(index) && self.is_removable(index));
        let removed = removed.map(|index| vec![replaced(index, "")]).collect();
        let both = |index: usize, new: [&'static str; 2]| {
            let other = self.other(index)?;
            let (first, last) = (index.min(other), index.max(other));
            (first < last).then(|| vec![replaced(first, new[0]), replaced(last, new[1])])
        };
        let brackets = near().filter(|&index| is_bracket(index)).filter_map(|index| both(index, ["", ""])).collect();
        let mut others: Vec<Vec<Edit>> = Vec::new();
        for index in near().filter(|&index| is_sign(index)) {
            if DASHES.contains(self.token(index)) {
                others.push(vec![replaced(index, "-")]);
            }
            if is_bracket(index) {
                others.extend([["(", ")"], ["[", "]"]].into_iter().filter_map(|pair| both(index, pair)));
            }
            let instead = self.signs.instead.iter().filter(|sign| **sign != self.token(index));
            others.extend(instead.map(|sign| vec![replaced(index, sign)]));
        }
        let before = self.at.checked_sub(1).and_then(|index| self.tokens.get(index));
        let end = before.map_or(self.start, |&(_, end)| end);
        let next = self.tokens.get(self.at).map_or(end, |&(start, _)| start);
        let inserted = |at: usize, new: &'static str| vec![Edit { start: at, end: at, new }];
        let signs = self.signs.missing.iter().map(|sign| inserted(end, sign)).collect();
        let values = match (self.signs.values, next > end) {
            (false, _) => Vec::new(),
            (true, true) => vec![inserted(next, "random, "), inserted(end, ", random")],
            (true, false) => vec![inserted(end, "random,"), inserted(end, ",random")],
        };
        // `north|east` where one value belongs.
        let pair = (self.at..self.tokens.len()).next().filter(|&index| is_sign(index) && index + 1 < self.tokens.len());
        let pair =
            pair.filter(|&index| !is_bracket(index) && !is_sign(index + 1) && !"+-*/".contains(self.token(index)));
        let both = pair.map(|index| vec![Edit { start: self.tokens[index].0, end: self.tokens[index + 1].1, new: "" }]);
        vec![
            (Kind::RemoveSign, removed),
            (Kind::RemoveBrackets, brackets),
            (Kind::ReplaceSign, others),
            (Kind::AddSign, signs),
            (Kind::RemoveValue, both.into_iter().collect()),
            (Kind::AddValue, values),
        ]
    }

    /// Returns the edits that correct the line, if exactly one of the first kind that does is enough.
    fn guess(&self, accepts: &mut impl FnMut(&[Edit]) -> Option<bool>) -> Option<Guess> {
        for (kind, choices) in self.edits() {
            let mut good: Option<Vec<Edit>> = None;
            for edits in choices {
                // Removing either of two equal signs is the same.
                let is_same = good.as_ref().is_some_and(|good| self.corrected(good) == self.corrected(&edits));
                if is_same || !accepts(&edits)? {
                    continue;
                }
                if good.is_some() {
                    return None;
                }
                good = Some(edits);
            }
            if let Some(edits) = good {
                return Some(Guess { kind, edits });
            }
        }
        None
    }
}
