//! Applies the edits of diagnostics that are safe to apply automatically.
//!
//! A des-file is read and checked as for compilation, and the machine-applicable edits of its diagnostics are applied.
//! The result is read again: edits that do not leave fewer problems, or that add one, are found by bisection and
//! dropped. This repeats until there are none left, as one error can hide another. Included files are not changed,
//! because the user did not name them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use splc_backends::output::LEVEL_FILE;
use splc_frontends::Includes;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Message, Readers, Severity, Suggestion};
use splc_ir::limits::MAX_TRIED_BYTES;
use splc_ir::order::Order;
use splc_ir::source::{Charset, FileId, Source, SourceMap};

use crate::compile::{Compiler, Judged};
use crate::games::{DIALECTS, Dialect, usual_abi};
use crate::input::{Accepts, Input};
use crate::options::Options;
use crate::read::{Content, Judging, des_file, read_as};
use crate::target::{Reported, Target, TargetError};

/// The maximum number of texts read to prove edits. Most files need one for each time that an error hides another.
const MAX_TRIALS: usize = 256;

/// The number of bytes before and after a correction by which it is recognised.
const NEAR: usize = 80;

/// The result of fixing a des-file.
#[derive(Clone, Debug)]
pub struct Fixed {
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
/// Every edit is proved before it is made: the text with it must have fewer errors, and none that it did not have
/// before.
///
/// # Errors
/// If its game cannot be determined, or if it is not a des-file of that game: another dialect reads it without errors.
pub fn correct(input: &Input, options: &Options, includes: &mut dyn Includes) -> Result<Fixed, TargetError> {
    let mut options = options.clone();
    options.lints.set_readers(Readers::Programs);
    let mut state = State::read(input.clone(), &options, includes)?;
    // The game detected from the original text stays the same in all rounds.
    let target = state.target.clone();
    options.wanted.matched = Some(target.clone());
    let errors = state.diagnostics.errors();
    let other = if errors > 0 && state.is_des_file { reader(input, &state.target, &options, includes) } else { None };
    let refusal = |dialect| TargetError::ReadsAs { name: input.name.clone(), target: target.clone(), dialect };
    // A single mistake may be of this dialect nevertheless.
    if let (Some(dialect), 2..) = (other, errors) {
        return Err(refusal(dialect));
    }
    let note = state.diagnostics.iter().find(|known| known.code == Code::Dialect).cloned();
    state.diagnostics.retain(|known| known.code != Code::Dialect);
    let mut search = Search { input, options, includes, trials: MAX_TRIALS, rejected: HashSet::new() };
    let mut changes = Vec::new();
    while let Some((better, made)) = search.step(&state)? {
        changes.extend(made);
        state = better;
    }
    let State { target, bytes, sources, mut diagnostics, .. } = state;
    let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count();
    if let (Some(dialect), false) = (other, changes.is_empty())
        && (diagnostics.has_errors() || lines(&bytes) < lines(&input.bytes))
    {
        return Err(refusal(dialect));
    }
    note.into_iter().for_each(|note| diagnostics.push(note));
    let diagnostics = diagnostics.for_readers(Readers::People);
    Ok(Fixed { target, bytes, changes, diagnostics, sources })
}

/// Returns another dialect that reads `input`, a des-file, without errors.
fn reader(input: &Input, target: &Target, options: &Options, includes: &mut dyn Includes) -> Option<&'static Dialect> {
    let others = DIALECTS.iter().filter(|other| other.name != target.catalog().dialect);
    others.filter(|_| input.bytes.len() <= MAX_TRIED_BYTES).find(|other| {
        let catalog = other.default_target().map(|catalog| Target::new(catalog, usual_abi(catalog)));
        let Some(Ok(target)) = catalog else { return false };
        let parsed = des_file(input.clone(), Reported::known(target), options, includes);
        !parsed.checked(Judging::Meaning).diagnostics.has_errors()
    })
}

/// A text and its diagnosis.
struct State {
    target: Target,
    bytes: Vec<u8>,
    sources: SourceMap,
    diagnostics: Diagnostics,
    is_des_file: bool,
}

impl State {
    fn read(input: Input, options: &Options, includes: &mut dyn Includes) -> Result<State, TargetError> {
        let bytes = input.bytes.clone();
        let read = read_as(input, Accepts::Sources, options, includes)?;
        let is_des_file = matches!(read.content, Content::DesFile(_));
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
        Ok(State { target, bytes, sources, diagnostics, is_des_file })
    }

    /// Returns true if this text has fewer problems of `severity` than `before`, at least one for each of `edits`
    /// corrected diagnostics, and no new ones.
    fn improves(&self, before: &State, severity: Severity, edits: usize) -> bool {
        let count = |state: &State, severity| match severity {
            Severity::Error => state.diagnostics.errors(),
            _ => state.diagnostics.warnings(),
        };
        count(self, severity) + edits <= count(before, severity)
            && self.is_subset(before, Severity::Error)
            && (severity == Severity::Error || self.is_subset(before, severity))
    }

    /// Returns true if it has no problem of `severity` that `before` does not have. If `before` has too many to keep,
    /// only their number is known.
    fn is_subset(&self, before: &State, severity: Severity) -> bool {
        let of = |state: &'_ State| -> Vec<(Code, Message)> {
            let list = state.diagnostics.iter().filter(|known| known.severity == severity);
            list.map(|known| (known.code, known.message.clone())).collect()
        };
        if before.diagnostics.dropped() > 0 {
            return true;
        }
        let mut known: HashMap<(Code, Message), usize> = HashMap::new();
        of(before).into_iter().for_each(|problem| *known.entry(problem).or_default() += 1);
        of(self).into_iter().all(|problem| {
            let left = known.get_mut(&problem).filter(|left| **left > 0);
            left.map(|left| *left -= 1).is_some()
        })
    }
}

/// A diagnostic with certain edits.
type Correction<'a> = &'a Diagnostic;

/// The search for edits that improve a text.
struct Search<'a> {
    input: &'a Input,
    options: Options,
    includes: &'a mut dyn Includes,
    /// The number of texts that may still be read.
    trials: usize,
    /// Corrections that do not improve the text: the line, the message and the first edit.
    rejected: HashSet<(String, Option<Message>, String)>,
}

impl Search<'_> {
    /// Returns a better text than `state`, with the changes made, or `None` if there is none.
    fn step(&mut self, state: &State) -> Result<Option<(State, Vec<Change>)>, TargetError> {
        // Errors first: a warning may be a consequence of one.
        for severity in [Severity::Error, Severity::Warning] {
            let of = state.diagnostics.iter().filter(|known| known.severity == severity);
            let fresh: Vec<_> = of.filter(|known| !self.rejected.contains(&key(known, &state.sources))).collect();
            let corrections = corrections(fresh.into_iter(), &state.sources);
            if let Some(found) = self.try_all(state, severity, &corrections)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Tries all `corrections` together, then halves of them, until some improve the text.
    fn try_all(
        &mut self,
        state: &State,
        severity: Severity,
        corrections: &[Correction<'_>],
    ) -> Result<Option<(State, Vec<Change>)>, TargetError> {
        if corrections.is_empty() || self.trials == 0 {
            return Ok(None);
        }
        self.trials -= 1;
        let mut changes = Vec::new();
        let bytes = apply(corrections, &state.sources, &mut changes);
        let input = Input { bytes, ..self.input.clone() };
        let mut better = State::read(input, &self.options, self.includes)?;
        better.diagnostics.retain(|known| known.code != Code::Dialect);
        if better.improves(state, severity, corrections.len()) {
            return Ok(Some((better, changes)));
        }
        if let [only] = corrections {
            self.rejected.insert(key(only, &state.sources));
            return Ok(None);
        }
        let (first, second) = corrections.split_at(corrections.len() / 2);
        match self.try_all(state, severity, first)? {
            Some(found) => Ok(Some(found)),
            None => self.try_all(state, severity, second),
        }
    }
}

/// Identifies a correction, wherever edits before it have moved it.
fn key(correction: Correction<'_>, sources: &SourceMap) -> (String, Option<Message>, String) {
    let Some(edit) = correction.suggestions.first() else { return Default::default() };
    let source = sources.get(edit.span.file);
    let at = source.floor(edit.span.start as usize);
    // The part of its line that is near it: a line may be long, and have many corrections.
    let near = source.floor(at.saturating_sub(NEAR))..source.floor((at + NEAR).min(source.text.len()));
    let before = source.text[near.start..at].rsplit('\n').next().unwrap_or_default();
    let after = source.text[at..near.end].split('\n').next().unwrap_or_default();
    (format!("{before}{after}"), Some(correction.message.clone()), edit.replacement.clone())
}

/// Returns the diagnostics whose edits can be applied together, without overlap.
///
/// The edits of one diagnostic belong together: either all or none are applied.
fn corrections<'a>(diagnostics: impl Iterator<Item = &'a Diagnostic>, sources: &SourceMap) -> Vec<Correction<'a>> {
    let main = FileId(0);
    let Source { text, charset, .. } = sources.get(main);
    let mut taken = BTreeMap::new();
    let mut corrections = Vec::new();
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
        if take_all(&mut taken, &diagnostic.suggestions) {
            corrections.push(diagnostic);
        }
    }
    corrections
}

/// Adds all of `edits` to `taken`, or none if one overlaps another. Returns true if they were added.
pub(crate) fn take_all(taken: &mut BTreeMap<u32, u32>, edits: &[Suggestion]) -> bool {
    let fitting = edits.iter().take_while(|edit| take(taken, edit)).count();
    if fitting < edits.len() {
        for edit in &edits[..fitting] {
            taken.remove(&edit.span.start);
        }
    }
    fitting == edits.len()
}

/// Adds `edit` to `taken`, the ends of edits by their starts, unless it overlaps another. Returns true if it was added.
fn take(taken: &mut BTreeMap<u32, u32>, edit: &Suggestion) -> bool {
    let (start, end) = (edit.span.start, edit.span.end);
    // Two insertions at one position have no order.
    let before = taken.range(..=start).next_back().is_some_and(|(&other, &past)| past > start || other == start);
    let after = taken.range(start..).next().is_some_and(|(&other, _)| other < end);
    if before || after {
        return false;
    }
    taken.insert(start, end);
    true
}

/// Returns the main file with `corrections` applied, and adds them to `changes`.
fn apply(corrections: &[Correction<'_>], sources: &SourceMap, changes: &mut Vec<Change>) -> Vec<u8> {
    let main = FileId(0);
    let Source { text, charset, .. } = sources.get(main);
    let mut fixed = String::with_capacity(text.len());
    let mut at = 0;
    let edits =
        corrections.iter().flat_map(|&diagnostic| diagnostic.suggestions.iter().map(move |edit| (edit, diagnostic)));
    let mut edits: Vec<_> = edits.collect();
    edits.order_by_key(|(edit, _)| edit.span.start);
    for (edit, diagnostic) in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        fixed.push_str(&text[at..start]);
        fixed.push_str(&edit.replacement);
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
    fixed.push_str(&text[at..]);
    let mut bytes = Vec::with_capacity(fixed.len());
    charset.encode_into(&fixed, &mut bytes);
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
        let corrections = corrections(diagnostics.iter(), &sources);
        String::from_utf8(apply(&corrections, &sources, &mut Vec::new())).unwrap()
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
