//! Levels of each game, ported to the others: what goes over compiles, prints and reads back the same.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;

use splc_backends::des;
use splc_ir::catalog::Catalog;
use splc_ir::check::check;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::lacks::{Node, lacks};
use splc_ir::level::Module;
use splc_ir::source::SourceMap;
use splc_ir::visit::says_the_same;
use splc_port::{Options, Outcome, Ported, Verdict, port};
use splc_tests::Beside;
use splc_tests::reference::{self, files};

fn catalog(name: &str) -> &'static Catalog {
    Catalog::by_name(name).unwrap()
}

/// Reads the text of a des-file, with what is wrong with it.
fn read(bytes: Vec<u8>, name: &str, catalog: &Catalog) -> (Module, Diagnostics, SourceMap) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, Some(name.into()), bytes);
    let mut diagnostics = Diagnostics::new();
    let mut module = splc_frontends::parse(&mut sources, file, catalog, &mut Beside, &mut diagnostics);
    check(&mut module, catalog, &mut diagnostics);
    (module, diagnostics, sources)
}

/// What is wrong with a port, if anything is.
fn mistake(ported: &Ported, to: &Catalog, name: &str) -> Option<String> {
    let mut module = ported.module.clone();
    if let Some(lack) = lacks(Node::Module(&module), to).first() {
        return Some(format!("{name}: {:?}", lack.construct));
    }
    let mut diagnostics = Diagnostics::new();
    check(&mut module, to, &mut diagnostics);
    if let Some(first) =
        diagnostics.iter().find(|diagnostic| diagnostic.severity == splc_ir::diagnostic::Severity::Error)
    {
        return Some(format!("{name}: {first:?}"));
    }
    let text = match des::print(&module, to) {
        Ok(text) => text,
        Err(problems) => return Some(format!("{name}: {problems:?}")),
    };
    let mut bytes = Vec::new();
    module.charset.encode_into(&text, &mut bytes);
    let (again, diagnostics, sources) = read(bytes, "ported.des", to);
    if diagnostics.has_errors() {
        let first = diagnostics.iter().next().unwrap();
        let line = first.span.map(|span| sources.line_column(span.file, span.start).0);
        let line = line.and_then(|line| text.lines().nth(line - 1)).unwrap_or("");
        return Some(format!("{name}: {}: {line}", first.message));
    }
    if !says_the_same(&module, &again) {
        return Some(format!("{name}: reads back otherwise\n{text}"));
    }
    None
}

/// How levels went over.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    whole: usize,
    changed: usize,
    not: usize,
}

/// Ports every des-file of a game, and counts its levels.
fn count(from: &str, to: &str) -> Counts {
    let (from, to) = (catalog(from), catalog(to));
    let mut counts = Counts::default();
    let mut wrong = Vec::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for path in files(&reference::game(&from.name).join("des"), ".des") {
        let name = path.display().to_string();
        let (module, diagnostics, _) = read(std::fs::read(&path).unwrap(), &name, from);
        if diagnostics.has_errors() {
            continue;
        }
        let ported = port(&module, from, to, &Options::default());
        for level in ported.account.levels() {
            match level.verdict {
                Verdict::Whole => counts.whole += 1,
                Verdict::WithChanges => counts.changed += 1,
                Verdict::NotAtAll => counts.not += 1,
            }
            for note in level.all_notes().filter(|note| note.effect != splc_port::Effect::Same) {
                *reasons.entry(format!("{} {:?}: {}", note.pass, note.effect, note.what)).or_default() += 1;
            }
            for entry in &level.entries {
                assert!(
                    entry.outcome == Outcome::Lost || !entry.results.is_empty() || !entry.notes.is_empty(),
                    "{name}: {entry:?} is gone without a word"
                );
            }
        }
        wrong.extend(mistake(&ported, to, &name));
    }
    println!("{} to {}: {counts:?}", from.name, to.name);
    if std::env::var_os("SPLC_PORT_REASONS").is_some() {
        for (reason, count) in &reasons {
            println!("  {count} {reason}");
        }
    }
    assert!(wrong.is_empty(), "{} files, the first: {}", wrong.len(), wrong[0]);
    counts
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn every_level_of_nethack_343_goes_over_to_scripts() {
    for to in ["unnethack-6.0.4", "sporkhack-0.7.0", "nethack-3.6.7"] {
        let counts = count("nethack-3.4.3", to);
        assert_eq!(counts.whole + counts.changed + counts.not, 113);
    }
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn scripts_go_over_to_nethack_343_as_far_as_lists_can_say_them() {
    for (from, levels) in [("unnethack-6.0.4", 305), ("sporkhack-0.7.0", 162), ("nethack-3.6.7", 120)] {
        let counts = count(from, "nethack-3.4.3");
        assert_eq!(counts.whole + counts.changed + counts.not, levels, "{from}");
        assert!(counts.whole > 0 && counts.changed > 0 && counts.not > 0, "{from}: {counts:?}");
    }
}
