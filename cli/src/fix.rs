//! `splc fix`: applies the edits that diagnostics offer and that need no second thought.
//!
//! A des-file is read and judged as when it is compiled; the edits of its diagnostics that a machine may apply
//! are applied, and so again until there are none left, as one mistake can hide another. All files are then
//! written, or none. Files that a des-file includes are not changed: nobody named them.

use std::collections::BTreeMap;
use std::io::{IsTerminal, stdout};
use std::path::PathBuf;

use similar::TextDiff;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevels, Suggestion};
use splc_ir::source::{Charset, FileId, SourceMap};

use crate::Outcome;
use crate::arguments::{Emit, Fix};
use crate::compile::{Compilation, Game, Made, game, told_game};
use crate::input::Input;
use crate::output::{write_files, write_standard};
use crate::report::places::Places;
use crate::report::{Ending, Reporter, counted, visible};

/// How often a file is judged again after edits: edits that call for one another never end otherwise.
const MAX_ROUNDS: usize = 50;

/// Lines around a change that `--dry-run` shows.
const CONTEXT_LINES: usize = 3;

/// Mends the files that `fix` names; returns [`Outcome::Fine`] if all of them are then without errors.
pub fn run(fix: &Fix, lints: &LintLevels) -> Outcome {
    let mut reporter = Reporter::new(fix.sources.message_format, fix.sources.color);
    let outcome = mend_all(fix, lints, &mut reporter).unwrap_or_else(|problem| {
        reporter.report_alone(*problem);
        Outcome::Trouble
    });
    reporter.finish(Ending::Mending);
    outcome
}

fn mend_all(fix: &Fix, lints: &LintLevels, reporter: &mut Reporter) -> Result<Outcome, Box<Diagnostic>> {
    let inputs = Input::list(&fix.sources.files);
    if inputs.contains(&Input::Standard) {
        let problem = Diagnostic::new(Code::Usage, None, "the standard input cannot be mended");
        return Err(Box::new(problem.with_help("name the des-files: splc fix FILE...")));
    }
    let named = game(&fix.sources)?;
    let mut outcome = Outcome::Fine;
    let mut said = Vec::new();
    let mut changed: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for input in &inputs {
        let before = match input.read() {
            Ok(bytes) => bytes,
            Err(problem) => {
                outcome = outcome.max(Outcome::Trouble);
                reporter.report_alone(*problem);
                continue;
            }
        };
        let told;
        let (game, note) = match &named {
            Some(game) => (game, None),
            None => {
                let (game, note) = told_game(fix.sources.abi, &before, &input.name())?;
                told = game;
                (&told, Some(note))
            }
        };
        let mut mended = mend(game, input, before.clone(), lints);
        note.into_iter().for_each(|note| mended.diagnostics.push(note));
        if mended.compilation_failed {
            outcome = outcome.max(Outcome::InputErrors);
        }
        if let (false, Some(path)) = (mended.changes.is_empty(), input.path()) {
            if fix.dry_run {
                said.extend(difference(&input.name(), &before, &mended.bytes));
            } else {
                let count = counted(mended.changes.len(), "change");
                said.extend(format!("{}: {count}\n", visible(&input.name())).into_bytes());
                mended.changes.iter().for_each(|change| said.extend(format!("  {change}\n").into_bytes()));
            }
            changed.push((path.to_owned(), mended.bytes));
        }
        reporter.report(mended.diagnostics, &mended.sources);
    }
    if !fix.dry_run {
        write_files(&changed)?;
    }
    if changed.is_empty() && outcome == Outcome::Fine {
        said.extend(b"nothing to change\n");
    }
    write_standard(&said)?;
    Ok(outcome)
}

// --- Mending one file

/// A des-file after its edits.
struct Mended {
    bytes: Vec<u8>,
    /// Each edit in one line.
    changes: Vec<String>,
    /// What is left to say, and about what.
    diagnostics: Diagnostics,
    sources: SourceMap,
    compilation_failed: bool,
}

fn mend(game: &Game, input: &Input, mut bytes: Vec<u8>, lints: &LintLevels) -> Mended {
    let mut changes = Vec::new();
    for round in 0.. {
        let mut made = Made::default();
        let mut diagnostics = Diagnostics::with_lints(lints.clone());
        let mut compilation = Compilation::new(game, Emit::Lev, input, 0, &mut made);
        compilation.compile(bytes.clone(), &mut diagnostics);
        let Compilation { sources, .. } = compilation;
        diagnostics.sort();
        let edits = if round < MAX_ROUNDS { edits(diagnostics.iter(), &sources) } else { BTreeMap::new() };
        if edits.is_empty() {
            let compilation_failed = diagnostics.has_errors();
            return Mended { bytes, changes, diagnostics, sources, compilation_failed };
        }
        bytes = apply(&edits, &sources, &mut changes);
    }
    unreachable!("the last round has no edits")
}

/// An edit, and what it is for.
type Edits<'a> = BTreeMap<u32, (&'a Suggestion, &'a Diagnostic)>;

/// The edits of `diagnostics` that may be applied, by where they begin; they do not overlap.
///
/// The edits of one diagnostic belong together: either all are taken or none.
fn edits<'a>(diagnostics: impl Iterator<Item = &'a Diagnostic>, sources: &SourceMap) -> Edits<'a> {
    let main = FileId(0);
    let Source { text, charset } = source(sources, main);
    let mut taken = Edits::new();
    for diagnostic in diagnostics {
        let fits = |edit: &Suggestion| {
            let range = edit.span.start as usize..edit.span.end as usize;
            edit.applicable
                && edit.span.file == main
                && text.get(range).is_some_and(|old| old != edit.replacement)
                && (charset == Charset::Utf8 || edit.replacement.is_ascii())
        };
        if diagnostic.suggestions.is_empty() || !diagnostic.suggestions.iter().all(fits) {
            continue;
        }
        let mut all = taken.clone();
        if diagnostic.suggestions.iter().all(|edit| take(&mut all, edit, diagnostic)) {
            taken = all;
        }
    }
    taken
}

struct Source<'a> {
    text: &'a str,
    charset: Charset,
}

fn source(sources: &SourceMap, file: FileId) -> Source<'_> {
    let source = sources.get(file);
    Source { text: &source.text, charset: source.charset }
}

/// Adds `edit` to `taken` if it overlaps none of them.
fn take<'a>(taken: &mut Edits<'a>, edit: &'a Suggestion, diagnostic: &'a Diagnostic) -> bool {
    let (start, end) = (edit.span.start, edit.span.end);
    let before = taken.range(..=start).next_back().is_some_and(|(_, (other, _))| {
        // Two insertions at one place have no order.
        other.span.end > start || other.span.start == start
    });
    let after = taken.range(start..).next().is_some_and(|(&other, _)| other < end);
    if before || after {
        return false;
    }
    taken.insert(start, (edit, diagnostic));
    true
}

/// The main file with `edits` made, and what they are added to `changes`.
fn apply(edits: &Edits<'_>, sources: &SourceMap, changes: &mut Vec<String>) -> Vec<u8> {
    let main = FileId(0);
    let places = Places::new(sources);
    let Source { text, charset } = source(sources, main);
    let mut mended = String::with_capacity(text.len());
    let mut at = 0;
    for (edit, diagnostic) in edits.values() {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        mended.push_str(&text[at..start]);
        mended.push_str(&edit.replacement);
        at = end;
        let place = places.locate(main, edit.span.start);
        let what = match (&text[start..end], edit.replacement.as_str()) {
            ("", new) => format!("`{new}` inserted"),
            (old, "") => format!("`{old}` removed"),
            (old, new) => format!("`{old}` is now `{new}`"),
        };
        let why = format!("{}: {}", diagnostic.code.as_str(), diagnostic.message);
        changes.push(visible(&format!("{}:{}: {what} ({why})", place.line, place.column)).into_owned());
    }
    mended.push_str(&text[at..]);
    let mut bytes = Vec::with_capacity(mended.len());
    charset.encode_into(&mended, &mut bytes);
    bytes
}

// --- Showing what would change

/// What tells `before` and `after` apart, in the form that `patch` takes.
fn difference(name: &str, before: &[u8], after: &[u8]) -> Vec<u8> {
    let diff = TextDiff::from_lines(before, after);
    let mut text = format!("--- {name}\n+++ {name}\n", name = visible(name)).into_bytes();
    let mut unified = diff.unified_diff();
    // Hunk by hunk, as only a hunk writes bytes that are not UTF-8 as they are.
    for hunk in unified.context_radius(CONTEXT_LINES).iter_hunks() {
        // A buffer in memory takes all.
        let _ = hunk.to_writer(&mut text);
    }
    if stdout().is_terminal() {
        let shown: Vec<String> =
            String::from_utf8_lossy(&text).split('\n').map(|line| visible(line).into_owned()).collect();
        return shown.join("\n").into_bytes();
    }
    text
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
