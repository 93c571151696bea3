//! The checks of a module depend on its content, not on its origin.

use std::path::PathBuf;

use splc_ir::catalog::Catalog;
use splc_ir::check::check;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevel, LintLevels, Severity};
use splc_ir::level::{Item, LevelKind, Module, Statement, StatementKind, Unread};
use splc_ir::resolve::resolve;
use splc_ir::source::{SourceMap, Span};
use splc_ir::visit::VisitMut;
use splc_tests::reference::{self, files};
use splc_tests::{Beside, GAMES, corpus};

/// Returns every des-file of the corpus (valid and invalid), of the games themselves, and the damaged ones.
fn inputs() -> Vec<(PathBuf, &'static Catalog)> {
    let mut inputs = Vec::new();
    for (folder, target) in GAMES {
        let catalog = Catalog::by_name(target).unwrap();
        let mut folders = vec![corpus(folder), corpus("errors").join(folder)];
        if let Some(game) = reference::find(target) {
            folders.extend([game.join("des"), game.join("damaged")]);
        }
        inputs.extend(folders.iter().flat_map(|folder| files(folder, ".des")).map(|path| (path, catalog)));
    }
    assert!(inputs.len() > 300, "{}", inputs.len());
    inputs
}

/// Returns diagnostics that keep every message.
fn all() -> Diagnostics {
    let mut lints = LintLevels::default();
    Code::ALL.iter().for_each(|&code| lints.set(code, LintLevel::Warn));
    Diagnostics::with_lints(lints)
}

fn read((path, catalog): &(PathBuf, &'static Catalog)) -> (Module, Diagnostics) {
    let mut sources = SourceMap::new();
    let file = sources.add(path.to_string_lossy(), Some(path.clone()), std::fs::read(path).unwrap());
    let mut diagnostics = all();
    let module = splc_frontends::parse(&mut sources, file, catalog, &mut Beside, &mut diagnostics);
    (module, diagnostics)
}

#[test]
fn resolving_is_idempotent() {
    let (mut changed, mut said) = (0, 0);
    for input in inputs() {
        let (mut module, _) = read(&input);
        let parsed = module.clone();
        let mut first = all();
        resolve(&mut module, input.1, &mut first);
        let mut again = module.clone();
        let mut second = all();
        resolve(&mut again, input.1, &mut second);
        assert!(module == again, "{}: the second time changes something", input.0.display());
        assert_eq!(first.into_vec(), second.clone().into_vec(), "{}", input.0.display());
        changed += usize::from(parsed != module);
        said += usize::from(second.iter().next().is_some());
    }
    // Some names were resolved, and some files had errors.
    assert!(changed > 100 && said > 50, "{changed} files changed, {said} complained about");
}

/// Removes every place from a tree.
struct Nowhere;

impl VisitMut for Nowhere {
    fn span(&mut self, span: &mut Span) {
        *span = Span::default();
    }
}

#[test]
fn a_module_without_places_has_the_same_diagnostics() {
    let codes = |diagnostics: &Diagnostics| {
        // An error without a place may be in any level, and hides its lints.
        let is_hidden = |code: Code| diagnostics.has_errors() && code.severity() != Severity::Error;
        let kept = diagnostics.iter().map(|diagnostic| diagnostic.code).filter(|&code| !is_hidden(code));
        let mut codes: Vec<&str> = kept.map(Code::as_str).collect();
        codes.sort_unstable();
        codes
    };
    let (mut judged, mut said) = (0, 0);
    for input in inputs() {
        let (mut module, found) = read(&input);
        // A part that could not be read is only identified by its place, and suppresses messages near it.
        let unread = |known: &Diagnostic| known.code.is_unread();
        if module.unread != Unread::default() || found.iter().any(unread) {
            continue;
        }
        let mut placeless = module.clone();
        Nowhere.module(&mut placeless);
        let (mut with, mut without) = (all(), all());
        check(&mut module, input.1, &mut with);
        check(&mut placeless, input.1, &mut without);
        assert_eq!(codes(&with), codes(&without), "{}", input.0.display());
        judged += 1;
        said += codes(&with).len();
    }
    assert!(judged > 200 && said > 200, "{judged} files, {said} diagnostics");
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn misplaced_statements_of_343_are_reported_for_any_origin() {
    let mut judged = 0;
    for input in inputs().into_iter().filter(|(_, catalog)| catalog.name == "nethack-3.4.3") {
        let (mut module, found) = read(&input);
        let mut right = found.clone();
        check(&mut module.clone(), input.1, &mut right);
        if right.has_errors() {
            continue;
        }
        let mut expected = Vec::new();
        for item in &mut module.items {
            let Item::Level(level) = item else { continue };
            match level.kind {
                // Without its first part, a maze has things before the next part, or no part at all.
                LevelKind::Maze { .. } => {
                    let part = |statement: &Statement| matches!(statement.kind, StatementKind::Map(_));
                    let first = level.body.iter().position(part).unwrap();
                    level.body.remove(first);
                    let next = level.body.get(first);
                    // An empty part is not missed if another one follows.
                    match next {
                        Some(next) if part(next) => {}
                        Some(_) => expected.push(Code::Placement),
                        None => expected.push(Code::EmptyMaze),
                    }
                }
                _ => {
                    // Statements outside rooms come before all rooms, or after them.
                    let rooms = level.body.iter().filter(|known| matches!(known.kind, StatementKind::Room(_))).count();
                    if (1..level.body.len()).contains(&rooms) {
                        level.body.reverse();
                        expected.push(Code::Placement);
                    }
                }
            }
        }
        let mut diagnostics = all();
        check(&mut module, input.1, &mut diagnostics);
        let reported: Vec<Code> = diagnostics
            .iter()
            .map(|diagnostic| diagnostic.code)
            .filter(|code| matches!(code, Code::Placement | Code::EmptyMaze))
            .collect();
        assert_eq!(reported, expected, "{}", input.0.display());
        judged += expected.len();
    }
    assert!(judged > 50, "{judged}");
}

#[test]
fn a_flood_of_unknown_names_is_counted() {
    let catalog = Catalog::by_name("unnethack-6.0.4").unwrap();
    let mut text = "LEVEL: \"x\"\n".to_owned();
    let names = 20_000;
    for at in 0..names {
        text.push_str(&format!("$known{at} = {at}\nGOLD: $unknown{at}, random\nMONSTER: \"newt{at}\", random\n"));
    }
    let compiled = splc_tests::compile(text.into_bytes(), None, catalog);
    assert_eq!(compiled.diagnostics.errors(), 2 * names);
}
