//! Looks past errors whose correction is certain.
//!
//! A statement that cannot be read hides its other mistakes, and can make correct text elsewhere look wrong: after a
//! misspelt FUNCTION every call of it is an error. [`look_past`] reads the text again with the certain edits of its
//! errors applied. The errors that remain are real, and are reported with the corrected ones; errors that have gone
//! were only consequences. An edit that leaves an error in its own place is not offered as certain.
//!
//! Names and places are checked only in a text that can be read. [`look_around`] therefore reads it once more without
//! the lines that cannot be read, if nothing depends on them, and adds the errors of the other lines.

use std::collections::{BTreeMap, HashMap, HashSet};

use splc_frontends::Includes;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Severity, Suggestion};
use splc_ir::order::Order;
use splc_ir::source::{Charset, FileId, Source, Span};

use crate::compile::encoded;
use crate::fix::take_all;
use crate::guess::guess;
use crate::input::{Form, Input, Recognised};
use crate::options::Options;
use crate::read::{Content, Judging, Read, des_file};
use crate::target::Reported;

/// The maximum number of times that one correction can reveal another.
const MAX_STEPS: usize = 4;

/// The maximum number of attempts, each without the edits that the previous one refuted.
const MAX_ATTEMPTS: usize = 3;

/// The largest file, in bytes, that is read again.
const MAX_BYTES: usize = 1 << 20;

pub(crate) const MAIN: FileId = FileId(0);

impl Recognised {
    /// Parses and checks it, and looks past the errors whose correction is certain.
    pub fn read(self, options: &Options, includes: &mut dyn Includes) -> Read {
        self.read_once(options, includes).past_errors(options, includes, &|| true)
    }
}

impl Read {
    /// Looks past the errors whose correction is certain, as long as `goes_on`.
    pub(crate) fn past_errors(
        self,
        options: &Options,
        includes: &mut dyn Includes,
        goes_on: &dyn Fn() -> bool,
    ) -> Read {
        let script = match self.content {
            Content::DesFile(_) => false,
            Content::Script(_) => true,
            Content::Document(_) | Content::LevelFile(_) => return self,
        };
        let Source { name, path, .. } = self.sources.get(FileId(0));
        let (name, place, target) = (name.clone(), path.clone(), self.target.clone());
        let mut again = |bytes: Vec<u8>| {
            let input = Input { name: name.clone(), place: place.clone(), bytes };
            let reported = Reported::known(target.clone());
            goes_on().then(|| match script {
                true => Recognised { input, form: Form::Lua, reported }.read_once(options, includes),
                false => des_file(input, reported, options, includes).checked(Judging::Meaning),
            })
        };
        let mut read = self;
        guess(&mut read, &mut again);
        let read = look_past(read, &mut again);
        if script { read } else { look_around(read, &mut again) }
    }
}

/// Adds the errors that are found when the lines with unreadable statements are left out.
fn look_around(mut read: Read, again: &mut impl FnMut(Vec<u8>) -> Option<Read>) -> Read {
    let Some(bytes) = without_unread(&read) else { return read };
    let Some(next) = again(bytes) else { return read };
    let is_complete = next.sources.len() == read.sources.len() && next.diagnostics.dropped() == 0;
    if !is_complete || next.diagnostics.iter().any(is_unread) {
        return read;
    }
    for known in next.diagnostics.into_vec() {
        let is_new = !read.diagnostics.iter().any(|other| other.code == known.code && other.span == known.span);
        if known.severity == Severity::Error && is_new {
            read.diagnostics.push(known);
        }
    }
    read
}

fn is_unread(known: &Diagnostic) -> bool {
    known.severity == Severity::Error && known.code.is_unread()
}

/// Returns the text with blanks in place of the lines that cannot be read, or `None` if there are none, or if others
/// depend on them.
fn without_unread(read: &Read) -> Option<Vec<u8>> {
    let Source { text, charset, .. } = read.sources.get(MAIN);
    if read.diagnostics.dropped() > 0 || text.len() > MAX_BYTES {
        return None;
    }
    let mut lines = Vec::new();
    for known in read.diagnostics.iter().filter(|known| is_unread(known)) {
        let at = known.span.filter(|span| span.file == MAIN)?.start as usize;
        let start = text.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        if !is_separate(&text[start..end]) {
            return None;
        }
        lines.push(start..end);
    }
    lines.sort_unstable_by_key(|line| line.start);
    lines.dedup();
    let last = lines.last()?.end;
    let (mut blanked, mut done) = (String::with_capacity(text.len()), 0);
    for line in lines {
        blanked.push_str(&text[done..line.start]);
        blanked.extend(std::iter::repeat_n(' ', line.len()));
        done = line.end;
    }
    blanked.push_str(&text[last..]);
    in_same_charset(&blanked, *charset)
}

/// Returns the text in `charset`, or `None` if it would be read in another one: without its last stray byte, a Latin-1
/// file can be UTF-8.
pub(crate) fn in_same_charset(text: &str, charset: Charset) -> Option<Vec<u8>> {
    let bytes = encoded(charset, text);
    let stays = charset == Charset::Utf8 || text.is_ascii() || std::str::from_utf8(&bytes).is_err();
    stays.then_some(bytes)
}

/// Returns true if a line is one statement that no other one needs: it opens no block and sets nothing.
fn is_separate(line: &str) -> bool {
    const STATEMENTS: [&str; 19] = [
        "ALTAR",
        "DOOR",
        "DRAWBRIDGE",
        "ENGRAVING",
        "FOUNTAIN",
        "GOLD",
        "GRAVE",
        "LADDER",
        "MESSAGE",
        "MONSTER",
        "NON_DIGGABLE",
        "NON_PASSWALL",
        "OBJECT",
        "REGION",
        "ROOMDOOR",
        "SINK",
        "STAIR",
        "TERRAIN",
        "TRAP",
    ];
    let line = line.trim();
    let after_chance = line.split_once("]:").filter(|_| line.starts_with('[')).map_or(line, |(_, rest)| rest);
    let statement = after_chance.trim_start();
    let word = statement.split(|letter: char| !(letter.is_ascii_uppercase() || letter == '_')).next().unwrap_or("");
    STATEMENTS.contains(&word)
        && !statement.contains(['{', '}', '='])
        && statement.matches('"').count().is_multiple_of(2)
}

/// Replaces the diagnostics of `read` with those found when its certain corrections are made. `again` reads another
/// text as `read` was read, or returns `None` if nobody waits for the result any more.
fn look_past(mut read: Read, mut again: impl FnMut(Vec<u8>) -> Option<Read>) -> Read {
    let Source { text, charset, .. } = read.sources.get(MAIN);
    if !read.diagnostics.has_errors() || read.diagnostics.dropped() > 0 || text.len() > MAX_BYTES {
        return read;
    }
    let mut refuted: HashSet<Refuted> = HashSet::new();
    for _ in 0..MAX_ATTEMPTS {
        let mut attempt = Attempt::new(text, *charset);
        let known = refuted.len();
        let Some(last) = attempt.correct(&read, &mut refuted, &mut again) else { return read };
        if refuted.len() > known {
            continue;
        }
        let mut found = attempt.corrected;
        let (own, others): (Vec<_>, Vec<_>) =
            read.diagnostics.iter().cloned().partition(|known| known.severity == Severity::Note);
        found.extend(own);
        match last {
            // Nothing was certain, so nothing was hidden.
            None => found.extend(others),
            Some(last) => {
                // The survey of a whole level says nothing before its errors are corrected.
                let surveyed = |known: &Diagnostic| Code::SURVEY.contains(&known.code);
                found.extend(others.into_iter().filter(surveyed));
                let rest = last.into_vec().into_iter().filter(|known| known.severity != Severity::Note);
                let rest = rest.filter(|known| !surveyed(known));
                found.extend(rest.map(|known| attempt.text.original(known)));
            }
        }
        for known in &mut found {
            if known.suggestions.iter().any(|edit| refuted.contains(&Refuted::new(edit))) {
                known.suggestions.iter_mut().for_each(|edit| edit.applicable = false);
            }
        }
        read.diagnostics.take();
        found.into_iter().for_each(|known| read.diagnostics.push(known));
        return read;
    }
    // Too many edits are wrong to trust the rest.
    for known in read.diagnostics.iter_mut().filter(|known| known.severity == Severity::Error) {
        known.suggestions.iter_mut().for_each(|edit| edit.applicable = false);
    }
    read
}

/// An edit that leaves an error in its own place.
#[derive(PartialEq, Eq, Hash)]
struct Refuted {
    start: u32,
    end: u32,
    replacement: String,
}

impl Refuted {
    fn new(edit: &Suggestion) -> Self {
        Refuted { start: edit.span.start, end: edit.span.end, replacement: edit.replacement.clone() }
    }
}

/// An attempt to correct a text in steps.
struct Attempt<'t> {
    text: Edited<'t>,
    charset: Charset,
    /// The errors corrected so far, with places in the original text.
    corrected: Vec<Diagnostic>,
    /// The edits made so far, in the original text.
    made: Vec<Suggestion>,
}

impl<'t> Attempt<'t> {
    fn new(text: &'t str, charset: Charset) -> Self {
        Attempt { text: Edited::new(text), charset, corrected: Vec::new(), made: Vec::new() }
    }

    /// Makes the certain corrections in `read`, and those that they reveal. Returns the diagnostics of the corrected
    /// text, an inner `None` if there was nothing to correct, or an outer one if the corrected text includes other
    /// files or was not read.
    fn correct(
        &mut self,
        read: &Read,
        refuted: &mut HashSet<Refuted>,
        again: &mut impl FnMut(Vec<u8>) -> Option<Read>,
    ) -> Option<Option<Diagnostics>> {
        let mut last: Option<Diagnostics> = None;
        for _ in 0..MAX_STEPS {
            let current = last.as_ref().unwrap_or(&read.diagnostics);
            let (mut edits, mut taken) = (Vec::new(), BTreeMap::new());
            for error in current.iter().filter(|known| known.severity == Severity::Error) {
                let original = self.text.original(error.clone());
                // An edit that needs another beside it was wrong. The error remains, and refutes it below.
                let beside = |span: Span| self.text.touched(span, error.code.is_unread()).next().is_some();
                if error.span.is_some_and(|span| span.file == MAIN && beside(span)) {
                    continue;
                }
                let certain = !original.suggestions.is_empty()
                    && original.suggestions.iter().all(|edit| {
                        edit.applicable
                            && edit.span.file == MAIN
                            && (self.charset == Charset::Utf8 || edit.replacement.is_ascii())
                            && !refuted.contains(&Refuted::new(edit))
                    });
                if certain && take_all(&mut taken, &error.suggestions) {
                    edits.extend(error.suggestions.iter().cloned());
                    self.made.extend(original.suggestions.iter().cloned());
                    self.corrected.push(original);
                }
            }
            if edits.is_empty() {
                break;
            }
            edits.order_by_key(|edit| edit.span.start);
            self.text.apply(&edits);
            let next = again(in_same_charset(&self.text.text, self.charset)?)?;
            let same_files = next.sources.len() == read.sources.len();
            if !same_files || next.diagnostics.dropped() > 0 {
                return None;
            }
            last = Some(next.diagnostics);
        }
        let Some(last) = last else { return Some(None) };
        self.made.order_by_key(|edit| edit.span.start);
        let known = Known::new(self, &read.diagnostics);
        for error in last.iter().filter(|known| known.severity == Severity::Error) {
            let Some(span) = error.span.filter(|span| span.file == MAIN) else { continue };
            let mut wrong: Vec<Part> = self.text.touched(span, error.code.is_unread()).copied().collect();
            if error.code.is_unread() || error.code == Code::TypeMismatch {
                wrong.extend(self.failed(&known, self.text.span(span).start));
            }
            if error.code == Code::LuaArguments {
                wrong.extend(self.called_with(span));
            }
            if wrong.is_empty() && error.code.is_unread() {
                wrong.extend(self.misread_from(&known, span));
            }
            for part in &wrong {
                let first = self.made.partition_point(|edit| edit.span.start < part.start);
                let of_part = self.made[first..].iter().take_while(|edit| edit.span.start <= part.end);
                refuted.extend(of_part.filter(|edit| edit.span.end <= part.end).map(Refuted::new));
            }
        }
        Some(Some(last))
    }
}

/// The lines and places of errors and edits in the original text.
struct Known<'a> {
    /// The offsets at which the lines begin.
    lines: Vec<u32>,
    /// The edits made on each line.
    on_line: HashMap<usize, Vec<&'a Suggestion>>,
    /// The edits of the corrected errors, by the start of the error.
    corrected: HashMap<u32, Vec<&'a Suggestion>>,
    /// The lines with an error that kept text from being read, or with an edit.
    misread: HashSet<usize>,
}

impl<'a> Known<'a> {
    fn new(attempt: &'a Attempt<'_>, before: &Diagnostics) -> Self {
        let text = attempt.text.original;
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).map(|newline| newline as u32 + 1).collect();
        let mut known = Known { lines, on_line: HashMap::new(), corrected: HashMap::new(), misread: HashSet::new() };
        for edit in &attempt.made {
            known.on_line.entry(known.line(edit.span.start)).or_default().push(edit);
        }
        for error in &attempt.corrected {
            if let Some(span) = error.span.filter(|span| span.file == MAIN) {
                known.corrected.entry(span.start).or_default().extend(&error.suggestions);
            }
        }
        let unread = before.iter().filter(|known| known.code.is_unread()).filter_map(|known| known.span);
        let edited = attempt.made.iter().map(|edit| edit.span);
        let spans = unread.chain(edited).filter(|span| span.file == MAIN);
        known.misread = spans.map(|span| known.line(span.start)).collect();
        known
    }

    /// Returns the number of the line of `offset`, from 0.
    fn line(&self, offset: u32) -> usize {
        self.lines.partition_point(|&start| start <= offset)
    }
}

impl Attempt<'_> {
    /// Returns the replacements that leave an error at `at` in the original: those on its line, and those of an error
    /// that was already reported there.
    fn failed(&self, known: &Known<'_>, at: u32) -> Vec<Part> {
        let remain = known.corrected.get(&at).into_iter().flatten();
        let on_line = known.on_line.get(&known.line(at)).into_iter().flatten();
        let replaced = |edit: &&Suggestion| {
            let first = self.text.parts.partition_point(|part| part.end < edit.span.start);
            let near = self.text.parts[first..].iter().take_while(|part| part.start <= edit.span.start);
            near.filter(|part| part.new && edit.span.end <= part.end).copied().collect::<Vec<_>>()
        };
        remain.chain(on_line).flat_map(replaced).collect()
    }

    /// Returns the replacement of the name of the function that is called with the arguments at `span`: a name whose
    /// function does not take them was a wrong guess.
    fn called_with(&self, span: Span) -> Option<Part> {
        let parts = &self.text.parts;
        let part = parts[..parts.partition_point(|part| part.at < span.start)].iter().rev().find(|part| part.new)?;
        let between = self.text.text.get((part.at + part.length) as usize..span.start as usize)?;
        (between.trim_start() == "(" || between == "({").then_some(*part)
    }

    /// Returns the replacement from which the text is read wrongly, if the error at `span` of the edited text is on a
    /// line that had neither an error nor an edit.
    fn misread_from(&self, known: &Known<'_>, span: Span) -> Option<Part> {
        if known.misread.contains(&known.line(self.text.span(span).start)) {
            return None;
        }
        let parts = &self.text.parts;
        let (earlier, later) = parts.split_at(parts.partition_point(|part| part.at < span.start));
        earlier.iter().rev().chain(later).find(|part| part.new).copied()
    }
}

/// A text with edits, of which every part knows its place in the original.
struct Edited<'t> {
    original: &'t str,
    text: String,
    parts: Vec<Part>,
}

/// A part of an edited text.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Its offset in the edited text.
    at: u32,
    /// Its length in the edited text.
    length: u32,
    /// The range in the original that it is, or that it replaces.
    start: u32,
    end: u32,
    /// True if it replaces the range.
    new: bool,
}

impl<'t> Edited<'t> {
    fn new(original: &'t str) -> Self {
        let length = original.len() as u32;
        let parts = vec![Part { at: 0, length, start: 0, end: length, new: false }];
        Edited { original, text: original.to_owned(), parts }
    }

    /// Applies `edits`, which are in order and do not overlap.
    fn apply(&mut self, edits: &[Suggestion]) {
        let mut text = String::with_capacity(self.text.len());
        let mut parts: Vec<Part> = Vec::new();
        let mut done = 0;
        for edit in edits {
            let Span { start, end, .. } = edit.span;
            self.copy(done, start, &mut text, &mut parts);
            let length = edit.replacement.len() as u32;
            let (from, _) = self.place(start);
            let (_, to) = self.place(end);
            parts.push(Part { at: text.len() as u32, length, start: from, end: to.max(from), new: true });
            text.push_str(&edit.replacement);
            done = end;
        }
        self.copy(done, self.text.len() as u32, &mut text, &mut parts);
        (self.text, self.parts) = (text, parts);
    }

    /// Copies `from..to` of the text, with its parts.
    fn copy(&self, from: u32, to: u32, text: &mut String, parts: &mut Vec<Part>) {
        let first = self.parts.partition_point(|part| part.at + part.length < from);
        for part in self.parts[first..].iter().take_while(|part| part.at <= to) {
            let (start, end) = (part.at.max(from), (part.at + part.length).min(to));
            if start > end || (start == end && !(part.new && part.at >= from && part.length == 0)) {
                continue;
            }
            let at = text.len() as u32;
            text.push_str(&self.text[start as usize..end as usize]);
            let (length, skipped) = (end - start, start - part.at);
            parts.push(match part.new {
                true => Part { at, length, ..*part },
                false => {
                    Part { at, length, start: part.start + skipped, end: part.start + skipped + length, new: false }
                }
            });
        }
    }

    /// Returns the smallest range of the original that contains `offset` of the edited text.
    fn place(&self, offset: u32) -> (u32, u32) {
        let index = self.parts.partition_point(|part| part.at + part.length <= offset);
        let Some(part) = self.parts.get(index) else {
            let end = self.original.len() as u32;
            return (end, end);
        };
        match part.new {
            true if offset == part.at => (part.start, part.start),
            true => (part.start, part.end),
            false => {
                let at = part.start + (offset - part.at);
                (at, at)
            }
        }
    }

    fn span(&self, span: Span) -> Span {
        if span.file != MAIN || span.is_nowhere() {
            return span;
        }
        let start = self.place(span.start).0;
        let last = span.end.checked_sub(1).filter(|_| span.end > span.start);
        let end = last.and_then(|last| {
            let part = self.parts.get(self.parts.partition_point(|part| part.at + part.length <= last))?;
            Some(if part.new { part.end } else { part.start + (last - part.at) + 1 })
        });
        Span { start, end: end.map_or(start, |end| end.max(start)), ..span }
    }

    /// Returns `diagnostic` with its places in the original text. Edits of replaced text are not certain.
    fn original(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.span = diagnostic.span.map(|span| self.span(span));
        diagnostic.noticed = diagnostic.noticed.map(|span| self.span(span));
        diagnostic.labels.iter_mut().for_each(|label| label.span = self.span(label.span));
        for edit in &mut diagnostic.suggestions {
            let replaced = edit.span.file == MAIN
                && self.around(edit.span.start, edit.span.end).any(|part| {
                    part.new
                        && part.at < edit.span.end.max(edit.span.start + 1)
                        && edit.span.start < part.at + part.length
                });
            edit.applicable &= !replaced;
            edit.span = self.span(edit.span);
        }
        diagnostic
    }

    /// Returns the replacements that an error at `span` concerns. A syntax error also concerns the replacement before
    /// it.
    fn touched(&self, span: Span, unread: bool) -> impl Iterator<Item = &Part> {
        let Span { start, end, .. } = span;
        let is_near = move |part: &&Part| {
            let gap = self.text.get((part.at + part.length) as usize..start as usize);
            gap.is_some_and(|gap| gap.bytes().all(|byte| matches!(byte, b' ' | b'\t')))
        };
        let past = self.parts.partition_point(|part| part.at + part.length < start);
        let before = self.parts[..past].iter().rev().take_while(move |part| unread && is_near(part));
        let within = self.around(start, end.max(start + 1)).filter(move |part| {
            let (from, to) = (part.at, part.at + part.length);
            (from < end.max(start + 1) && start < to.max(from + u32::from(unread))) || (unread && to == start)
        });
        before.chain(within).filter(|part| part.new)
    }

    /// Returns the parts that overlap or touch `start..end` of the edited text.
    fn around(&self, start: u32, end: u32) -> impl Iterator<Item = &Part> {
        let first = self.parts.partition_point(|part| part.at + part.length < start);
        self.parts[first..].iter().take_while(move |part| part.at <= end)
    }
}

#[cfg(test)]
mod tests {
    use splc_ir::diagnostic::Code;

    use super::*;

    fn edit(start: usize, end: usize, replacement: &str) -> Suggestion {
        Suggestion { span: Span::new(MAIN, start, end), replacement: replacement.to_owned(), applicable: true }
    }

    #[test]
    fn places_are_those_of_the_original() {
        let mut text = Edited::new("one two three");
        text.apply(&[edit(0, 3, "first"), edit(7, 7, ",")]);
        assert_eq!(text.text, "first two, three");
        let at = |start, end| {
            let span = text.span(Span::new(MAIN, start, end));
            &"one two three"[span.start as usize..span.end as usize]
        };
        assert_eq!((at(0, 5), at(6, 9), at(11, 16), at(0, 16)), ("one", "two", "three", "one two three"));
        text.apply(&[edit(6, 9, "2")]);
        assert_eq!(text.text, "first 2, three");
        let span = text.span(Span::new(MAIN, 9, 14));
        assert_eq!((span.start, span.end), (8, 13));
    }

    #[test]
    fn an_edit_is_concerned_by_an_error_in_it_or_after_it() {
        let mut text = Edited::new("GOLD: 10d");
        text.apply(&[edit(8, 8, ",")]);
        let concerned = |start, end, unread| text.touched(Span::new(MAIN, start, end), unread).count();
        assert_eq!((concerned(9, 10, true), concerned(9, 10, false), concerned(0, 4, true)), (1, 0, 0));
    }

    #[test]
    fn edits_of_replaced_text_are_not_certain() {
        let mut text = Edited::new("(-1,0)");
        text.apply(&[edit(1, 3, "(-1)")]);
        let error = Diagnostic::new(Code::Syntax, Span::new(MAIN, 2, 4), "x");
        let error = error.with_suggestion(Span::new(MAIN, 2, 4), "(-1)", true);
        assert!(!text.original(error).suggestions[0].applicable);
    }
}
