//! Files with one mistake each: every mistake is found on its line, and nothing else is reported.
//!
//! The first line of a file lists its mistakes (`# expect: KIND at line N; ...`). The messages of splc are kept in
//! `tests/snapshots/errors`, one file per dialect, for review (see `splc_tests::snapshots`).

use std::collections::BTreeSet;
use std::fmt::Write as _;

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Severity;
use splc_tests::reference::files;
use splc_tests::{Compiled, compile, corpus, snapshots, workspace};

/// Returns the lines, from 1, that should have mistakes according to the file.
fn expected(text: &str) -> BTreeSet<usize> {
    let first = text.lines().next().unwrap_or("");
    first
        .split("at line ")
        .skip(1)
        .filter_map(|rest| rest.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok())
        .collect()
}

/// Returns the lines of the file itself on which splc finds errors.
fn found(compiled: &Compiled) -> BTreeSet<usize> {
    let errors = compiled.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors
        .filter_map(|diagnostic| diagnostic.span)
        .filter(|span| span.file.0 == 0)
        .map(|span| compiled.sources.line_column(span.file, span.start).0)
        .collect()
}

/// Deliberate differences between the announced and the found lines, with the reasons.
type Deliberate = &'static [(&'static str, &'static str)];

fn errors(dialect: &str, target: &str, deliberate: Deliberate) {
    let catalog = Catalog::by_name(target).unwrap();
    let folder = corpus(&format!("errors/{dialect}"));
    let mut snapshot = String::new();
    let (mut same, mut wrong, mut names) = (0, Vec::new(), BTreeSet::new());
    for path in files(&folder, ".des") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let compiled = compile(bytes, Some(&path), catalog);
        writeln!(snapshot, "== {name}").unwrap();
        for (message, diagnostic) in compiled.messages().iter().zip(compiled.diagnostics.iter()) {
            writeln!(snapshot, "{message}").unwrap();
            if let Some(help) = &diagnostic.help {
                writeln!(snapshot, "    help: {help}").unwrap();
            }
        }
        let (expected, found) = (expected(&text), found(&compiled));
        names.insert(name.clone());
        let listed = ALL.iter().chain(deliberate).any(|(known, _)| *known == name);
        if expected.is_empty() && !listed {
            wrong.push(format!("{name}: its first line announces no mistake"));
        } else if (expected == found) != listed {
            same += 1;
        } else if listed {
            wrong.push(format!("{name}: listed as different, but is not"));
        } else {
            wrong.push(format!("{name}: announced {expected:?}, found {found:?}: {:?}", compiled.messages()));
        }
    }
    println!("corpus/errors/{dialect}: {same} files judged as announced, {} not", wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (name, _) in deliberate {
        assert!(names.contains(*name), "{name} is listed as different, but is not there");
    }
    snapshots::compare_file(&workspace().join(format!("tests/snapshots/errors/{dialect}.txt")), &snapshot);
}

/// Differences in every dialect.
const ALL: Deliberate = &[
    ("comment-at-end", "a comment may end the file"),
    ("level-name-twice", "a warning: the shipped Monk.des of UnNetHack does it"),
    ("many-mistakes", "its first line announces no lines; all thirty are found"),
    ("map-too-tall", "shown where the map begins"),
    ("map-too-wide", "shown where the map begins"),
    ("missing-closing-brace", "shown at the brace that is not closed"),
    ("old-monster", "the OBJECT of the old form is found, too"),
    ("old-random-places", "the use of the place is found, too"),
    ("unknown-room-type", "a warning, as with the game's compiler"),
    ("unterminated-string", "the next quote ends the string, and the one after it opens another"),
];

#[test]
fn unnethack_mistakes_are_found() {
    errors(
        "unnethack",
        "unnethack-6.0.4",
        &[
            ("container-without-block", "shown at the statement that lacks it"),
            ("geometry-without-map", "shown at the GEOMETRY that lacks it"),
            ("include-circle", "shown in the included file"),
            ("include-mistake", "shown in the included file"),
            ("include-too-deep", "shown in the included file"),
            ("parameter-type", "the call is looked at, too"),
            ("missing-opening-brace", "shown at the statement that lacks it"),
            ("missing-place", "shown at the statement that lacks it"),
            ("old-stair", "shown at the statement that lacks it"),
            ("room-without-block", "shown at the statement that lacks it"),
            ("warnings-only", "warnings"),
        ],
    );
}

#[test]
fn nethack36_mistakes_are_found() {
    errors(
        "nethack36",
        "nethack-3.6.7",
        &[
            ("maze-bad-filling", "a warning: the compiler accepts it"),
            ("numbered-name", "the name is taken as it is"),
            ("warnings-only", "warnings"),
        ],
    );
}

#[test]
fn sporkhack_mistakes_are_found() {
    errors(
        "sporkhack",
        "sporkhack-0.7.0",
        &[
            ("percent-over-100", "a warning: the compiler accepts it"),
            ("region-block", "shown at the statement"),
            ("string-array", "the compiler crashes on it"),
            ("throne-on-map", "a warning: the compiler accepts it"),
        ],
    );
}
