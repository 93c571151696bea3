//! Applies the edits of diagnostics that are safe to apply automatically.
//!
//! A des-file is read and checked as for compilation, and the machine-applicable edits of its diagnostics are applied.
//! This repeats until there are none left, as one error can hide another. Included files are not changed, because the
//! user did not name them.

use std::collections::BTreeMap;
use std::fmt;

use splc_backends::output::LEVEL_FILE;
use splc_frontends::Includes;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Suggestion};
use splc_ir::source::{Charset, FileId, Source, SourceMap};

use crate::compile::{Compiler, Judged};
use crate::input::{Accepts, Input};
use crate::options::Options;
use crate::read::{Content, read_as};
use crate::target::{Target, TargetError};

/// The maximum number of rounds, for edits that keep triggering each other.
const MAX_ROUNDS: usize = 50;

/// The result of fixing a des-file.
#[derive(Clone, Debug)]
pub struct Mended {
    /// The game of the des-file.
    pub target: Target,
    /// The fixed file.
    pub bytes: Vec<u8>,
    /// The changes. Positions refer to the text before the round of edits that made the change.
    pub changes: Vec<Change>,
    /// The remaining diagnostics.
    pub diagnostics: Diagnostics,
    /// The texts to which the diagnostics refer.
    pub sources: SourceMap,
}

/// An applied edit. Displayed as a line: position, edit, reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The old text.
    pub old: String,
    /// The new text.
    pub new: String,
    /// The code of the diagnostic.
    pub code: Code,
    /// The message of the diagnostic.
    pub message: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Change { line, column, old, new, code, message } = self;
        write!(f, "{line}:{column}: ")?;
        match (old.as_str(), new.as_str()) {
            ("", new) => write!(f, "`{new}` inserted"),
            (old, "") => write!(f, "`{old}` removed"),
            (old, new) => write!(f, "`{old}` is now `{new}`"),
        }?;
        write!(f, " ({}: {message})", code.as_str())
    }
}

/// Fixes a des-file as far as possible without review.
///
/// # Errors
/// If its game cannot be determined.
pub fn mend(input: &Input, options: &Options, includes: &mut dyn Includes) -> Result<Mended, TargetError> {
    let mut options = options.clone();
    let mut note = None;
    let mut bytes = input.bytes.clone();
    let mut changes = Vec::new();
    for round in 0.. {
        let again = Input { bytes: bytes.clone(), ..input.clone() };
        let mut read = read_as(again, Accepts::Sources, &options, includes)?;
        if round == 0 {
            // The game detected from the original text stays the same in all rounds.
            options.wanted.matched = Some(read.target.clone());
            note = read.diagnostics.iter().find(|known| known.code == Code::Dialect).cloned();
            read.diagnostics.retain(|known| known.code != Code::Dialect);
        }
        let (target, sources, mut diagnostics) = match read.content {
            // A Lua script is not compiled, only checked.
            Content::Script(_) => (read.target, read.sources, read.diagnostics),
            _ => {
                let mut compiler = Compiler::new(&LEVEL_FILE, options.clone());
                let Judged { target, sources, diagnostics, .. } = compiler.compile_read(read, String::new());
                (target, sources, diagnostics)
            }
        };
        diagnostics.sort();
        let edits = if round < MAX_ROUNDS { edits(diagnostics.iter(), &sources) } else { BTreeMap::new() };
        if edits.is_empty() {
            note.into_iter().for_each(|note| diagnostics.push(note));
            return Ok(Mended { target, bytes, changes, diagnostics, sources });
        }
        bytes = apply(&edits, &sources, &mut changes);
    }
    unreachable!("the last round has no edits")
}

/// Edits by start, with their diagnostics.
type Edits<'a> = BTreeMap<u32, (&'a Suggestion, &'a Diagnostic)>;

/// Returns the machine-applicable edits of `diagnostics` by start, without overlap.
///
/// The edits of one diagnostic belong together: either all or none are returned.
fn edits<'a>(diagnostics: impl Iterator<Item = &'a Diagnostic>, sources: &SourceMap) -> Edits<'a> {
    let main = FileId(0);
    let Source { text, charset, .. } = sources.get(main);
    let mut taken = Edits::new();
    for diagnostic in diagnostics {
        let fits = |edit: &Suggestion| {
            let range = edit.span.start as usize..edit.span.end as usize;
            edit.applicable
                && edit.span.file == main
                && text.get(range).is_some_and(|old| old != edit.replacement)
                && (*charset == Charset::Utf8 || edit.replacement.is_ascii())
        };
        if diagnostic.suggestions.is_empty() || !diagnostic.suggestions.iter().all(fits) {
            continue;
        }
        let fitting = diagnostic.suggestions.iter().take_while(|edit| take(&mut taken, edit, diagnostic)).count();
        if fitting < diagnostic.suggestions.len() {
            for edit in &diagnostic.suggestions[..fitting] {
                taken.remove(&edit.span.start);
            }
        }
    }
    taken
}

/// Adds `edit` to `taken` unless it overlaps another edit. Returns true if it was added.
fn take<'a>(taken: &mut Edits<'a>, edit: &'a Suggestion, diagnostic: &'a Diagnostic) -> bool {
    let (start, end) = (edit.span.start, edit.span.end);
    let before = taken.range(..=start).next_back().is_some_and(|(_, (other, _))| {
        // Two insertions at one position have no order.
        other.span.end > start || other.span.start == start
    });
    let after = taken.range(start..).next().is_some_and(|(&other, _)| other < end);
    if before || after {
        return false;
    }
    taken.insert(start, (edit, diagnostic));
    true
}

/// Returns the main file with `edits` applied, and adds them to `changes`.
fn apply(edits: &Edits<'_>, sources: &SourceMap, changes: &mut Vec<Change>) -> Vec<u8> {
    let main = FileId(0);
    let Source { text, charset, .. } = sources.get(main);
    let mut mended = String::with_capacity(text.len());
    let mut at = 0;
    for (edit, diagnostic) in edits.values() {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        mended.push_str(&text[at..start]);
        mended.push_str(&edit.replacement);
        at = end;
        let (line, column) = sources.line_column(main, edit.span.start);
        changes.push(Change {
            line,
            column,
            old: text[start..end].to_owned(),
            new: edit.replacement.clone(),
            code: diagnostic.code,
            message: diagnostic.message.to_string(),
        });
    }
    mended.push_str(&text[at..]);
    let mut bytes = Vec::with_capacity(mended.len());
    charset.encode_into(&mended, &mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use splc_ir::source::Span;

    use super::*;

    fn sources(text: &str) -> SourceMap {
        let mut sources = SourceMap::new();
        sources.add("x.des", None, text.into());
        sources
    }

    fn diagnostic(edits: &[(usize, usize, &str)]) -> Diagnostic {
        let new = Diagnostic::new(Code::Syntax, None, "wrong");
        edits.iter().fold(new, |diagnostic, &(start, end, text)| {
            diagnostic.with_suggestion(Span::new(FileId(0), start, end), text, true)
        })
    }

    fn applied(text: &str, diagnostics: &[Diagnostic]) -> String {
        let sources = sources(text);
        let edits = edits(diagnostics.iter(), &sources);
        String::from_utf8(apply(&edits, &sources, &mut Vec::new())).unwrap()
    }

    #[test]
    fn edits_are_applied_in_the_order_of_the_text() {
        assert_eq!(applied("abcdef", &[diagnostic(&[(4, 5, "E")]), diagnostic(&[(0, 1, ""), (2, 2, "-")])]), "b-cdEf");
    }

    #[test]
    fn of_edits_that_overlap_the_first_is_applied() {
        let first = diagnostic(&[(1, 3, "X")]);
        for other in [(0, 2), (1, 3), (1, 1), (2, 2), (2, 5), (0, 6)] {
            assert_eq!(applied("abcdef", &[first.clone(), diagnostic(&[(other.0, other.1, "Y")])]), "aXdef");
        }
        assert_eq!(applied("abcdef", &[first.clone(), diagnostic(&[(3, 4, "Y")])]), "aXYef");
        assert_eq!(applied("abcdef", &[first, diagnostic(&[(0, 1, "Y")])]), "YXdef");
    }

    #[test]
    fn edits_of_one_diagnostic_belong_together() {
        let first = diagnostic(&[(1, 3, "X")]);
        assert_eq!(applied("abcdef", &[first, diagnostic(&[(5, 6, "F"), (2, 4, "Y")])]), "aXdef");
    }

    #[test]
    fn what_needs_a_second_thought_is_not_applied() {
        let mut doubtful = diagnostic(&[(0, 1, "X")]);
        doubtful.suggestions[0].applicable = false;
        assert_eq!(applied("abc", &[doubtful]), "abc");
        assert_eq!(applied("abc", &[diagnostic(&[(2, 9, "X")])]), "abc");
    }
}
