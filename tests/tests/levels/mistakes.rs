//! Messages for common mistakes: `corpus/mistakes/DIALECT/mistakes.txt`, each compiled separately. `messages.txt` next
//! to it has the messages, which were reviewed against the rubric in `corpus/mistakes/README.md`. `UPDATE_SNAPSHOTS=1`
//! rewrites the messages (see `splc_tests::snapshots`).
//!
//! Part of the rubric is checked here: each mistake is reported once, on its own lines, with a suggestion. The
//! exceptions are in `exceptions.txt`, with the reasons.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use splc_driver::{Input, NoIncludes, Options, Wanted, lua, read};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Diagnostic, Diagnostics, Severity};
use splc_ir::source::SourceMap;
use splc_tests::{corpus, snapshots};

const DIALECTS: [(&str, &str); 5] = [
    ("nethack343", "nethack-3.4.3"),
    ("nethack36", "nethack-3.6.7"),
    ("nethack5", "nethack-5.0.0"),
    ("sporkhack", "sporkhack-0.7.0"),
    ("unnethack", "unnethack-6.0.4"),
];

/// A file with a mistake.
struct Mistake {
    title: String,
    text: String,
    /// Lines of the mistake: first and last, from 1.
    lines: (usize, usize),
}

fn folder(dialect: &str) -> PathBuf {
    corpus(&format!("mistakes/{dialect}"))
}

/// Minimum number of mistakes in the list of a dialect.
const LEAST_IN_LUA: usize = 100;

/// Returns the mistakes in the list of `dialect`.
fn mistakes(dialect: &str) -> Vec<Mistake> {
    let list = fs::read_to_string(folder(dialect).join("mistakes.txt")).unwrap();
    let mut frames = BTreeMap::from([("whole", "@@\n".to_owned())]);
    let mut found: Vec<Mistake> = Vec::new();
    for part in list.split("\n=== ").skip(1) {
        let (head, text) = part.split_once('\n').expect("a title stands alone in its line");
        let text = text.trim_end_matches('\n').to_owned() + "\n";
        if let Some(name) = head.strip_prefix("frame ") {
            frames.insert(name, text);
            continue;
        }
        let (frame, title) = head.split_once(": ").expect("a title comes after its frame");
        let (before, after) = frames[frame].split_once("@@\n").expect("a frame has a hole");
        let first = before.lines().count() + 1;
        let lines = (first, first + text.lines().count() - 1);
        found.push(Mistake { title: head.to_owned(), text: format!("{before}{text}{after}"), lines });
        assert!(!title.is_empty());
    }
    found
}

/// Returns the messages for a mistake as text, and the violation of the rubric, if any.
fn judge(mistake: &Mistake, target: &str) -> (String, Option<String>) {
    let wanted = Wanted { catalog: Some(Catalog::by_name(target).unwrap().into()), ..Wanted::default() };
    let options = Options { wanted, ..Options::default() };
    let (sources, mut diagnostics) = if target == "nethack-5.0.0" {
        let script = lua::check(Input::new("x.lua", mistake.text.as_str()), &options).unwrap();
        (script.sources, script.diagnostics)
    } else {
        let read = read(Input::new("x.des", mistake.text.as_str()), &options, &mut NoIncludes).unwrap();
        (read.sources, read.diagnostics)
    };
    let again = |text: &str| match target {
        "nethack-5.0.0" => lua::check(Input::new("x.lua", text), &options).unwrap().diagnostics,
        _ => read(Input::new("x.des", text), &options, &mut NoIncludes).unwrap().diagnostics,
    };
    diagnostics.sort();
    let mut text = String::new();
    let mut misses = Vec::new();
    if diagnostics.iter().next().is_none() {
        misses.push("is not told".to_owned());
    }
    if diagnostics.iter().count() > 1 {
        misses.push(format!("is told {} times", diagnostics.iter().count()));
    }
    for diagnostic in diagnostics.iter() {
        let line = write(&mut text, diagnostic, &sources);
        misses.extend(refused(&mistake.text, diagnostic, &diagnostics, &again));
        if !(mistake.lines.0..=mistake.lines.1).contains(&line) {
            misses.push(format!("is told in line {line}"));
        }
        if diagnostic.help.is_none() && diagnostic.notes.is_empty() && diagnostic.label.is_empty() {
            misses.push("has no help".to_owned());
        }
    }
    (text, (!misses.is_empty()).then(|| misses.join(", ")))
}

/// Applies the edits of `diagnostic` and returns the reason why the text with them is not accepted, if there is one.
fn refused(
    text: &str,
    diagnostic: &Diagnostic,
    before: &Diagnostics,
    again: &dyn Fn(&str) -> Diagnostics,
) -> Option<String> {
    let mut edits: Vec<_> = diagnostic.suggestions.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let first = edits.last()?.span.start as usize;
    let mut fixed = text.to_owned();
    for edit in &edits {
        fixed.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.replacement);
    }
    // The lines that the edits change.
    let until = fixed.len() - (text.len() - edits[0].span.end as usize);
    let start = fixed[..first].rfind('\n').map_or(0, |newline| newline + 1);
    let end = fixed[until..].find('\n').map_or(fixed.len(), |newline| until + newline);
    let after = again(&fixed);
    let known =
        |error: &Diagnostic| before.iter().any(|known| known.code == error.code && known.message == error.message);
    let errors = after.iter().filter(|error| error.severity == Severity::Error);
    let mut new = errors.filter(|error| error.span.is_some_and(|span| (start..=end).contains(&(span.start as usize))));
    let new = new.find(|error| !known(error) || error.message == diagnostic.message)?;
    Some(format!("its edits lead to {}: {}", new.code.as_str(), new.message))
}

/// Writes `diagnostic` as people see it. Returns its line, 0 if it has none.
fn write(text: &mut String, diagnostic: &Diagnostic, sources: &SourceMap) -> usize {
    let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
    let mut place = 0;
    if let Some(span) = diagnostic.span {
        let source = sources.get(span.file);
        let (line, column) = sources.line_column(span.file, span.start);
        place = line;
        let shown = source.text.lines().nth(line - 1).unwrap_or("");
        let end = (span.end as usize).min(source.text.len()).max(span.start as usize);
        let width = source.text[span.start as usize..end].lines().next().unwrap_or("").chars().count().max(1);
        writeln!(text, "{line:4} | {}", shown.replace('\t', " ")).unwrap();
        let label = &diagnostic.label;
        writeln!(text, "     | {}{} {label}", " ".repeat(column - 1), "^".repeat(width)).unwrap();
        while text.ends_with(" \n") {
            text.truncate(text.len() - 2);
            text.push('\n');
        }
    }
    writeln!(text, "{severity}[{}]: {}", diagnostic.code.as_str(), diagnostic.message).unwrap();
    for label in &diagnostic.labels {
        let line = sources.line_column(label.span.file, label.span.start).0;
        writeln!(text, "  line {line}: {}", label.message).unwrap();
    }
    for note in &diagnostic.notes {
        writeln!(text, "  note: {note}").unwrap();
    }
    if let Some(help) = &diagnostic.help {
        writeln!(text, "  help: {help}").unwrap();
    }
    for edit in diagnostic.suggestions.iter().filter(|edit| edit.applicable) {
        let old = &sources.get(edit.span.file).text[edit.span.start as usize..edit.span.end as usize];
        writeln!(text, "  fix: `{old}` -> `{}`", edit.replacement).unwrap();
    }
    place
}

/// Returns the titles in `exceptions.txt`: `TITLE -- REASON` lines.
fn exceptions(dialect: &str) -> BTreeSet<String> {
    let list = fs::read_to_string(folder(dialect).join("exceptions.txt")).unwrap_or_default();
    let titles = list.lines().filter_map(|line| line.split_once(" -- ")).map(|(title, reason)| {
        assert!(!reason.is_empty());
        title.to_owned()
    });
    titles.collect()
}

#[test]
fn each_mistake_has_a_helpful_message() {
    let mut wrong = Vec::new();
    let mut counts = (0, 0);
    for (dialect, target) in DIALECTS {
        let mut said = String::new();
        let mut exceptions = exceptions(dialect);
        let list = mistakes(dialect);
        assert!(dialect != "nethack5" || list.len() >= LEAST_IN_LUA, "{}", list.len());
        for mistake in list {
            let (text, misses) = judge(&mistake, target);
            writeln!(said, "=== {}\n{text}", mistake.title).unwrap();
            counts.0 += 1;
            match (misses, exceptions.remove(&mistake.title)) {
                (None, _) => {}
                (Some(_), true) => counts.1 += 1,
                (Some(misses), false) => wrong.push(format!("{dialect}: {}: {misses}", mistake.title)),
            }
        }
        assert!(exceptions.is_empty(), "{dialect}: exceptions without a mistake: {exceptions:?}");
        compare_snapshot_later(dialect, &said, &mut wrong);
    }
    println!("{} mistakes, {} of them exceptions", counts.0, counts.1);
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(counts.0 >= 300 && counts.1 * 20 < counts.0, "{counts:?}");
}

/// Compares the messages of a dialect without failing yet, so that the other dialects are compared as well.
fn compare_snapshot_later(dialect: &str, said: &str, wrong: &mut Vec<String>) {
    let path = folder(dialect).join("messages.txt");
    let compared = std::panic::catch_unwind(|| snapshots::compare_file(&path, said));
    if compared.is_err() {
        wrong.push(format!("{dialect}: messages.txt has changed"));
    }
}
