//! Walks over a tree: no walk skips anything, and both kinds visit the nodes in the same order.

use std::path::{Path, PathBuf};

use serde_json::Value;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::level::{Module, SpeciesName};
use splc_ir::source::{SourceMap, Span, Text};
use splc_ir::visit::{NameRole, SpeciesRole, Visit, VisitMut, forget_places, says_the_same, walk, walk_mut};
use splc_ir::words::Group;
use splc_tests::{Beside, corpus_files};

/// An item that a walk visits.
#[derive(Debug, PartialEq)]
enum Event {
    Statement,
    Expression,
    Selection,
    Condition,
    Name(NameRole, Text, Span),
    Species(SpeciesRole, SpeciesName, Span),
    Character(char, Span),
    Text(Text, Span),
    Word(Group, &'static str, Span),
    Span(Span),
}

#[derive(Default)]
struct Reader(Vec<Event>);

#[derive(Default)]
struct Changer(Vec<Event>);

macro_rules! note {
    ($Visit:ty, $Noter:ident, $walk:ident, [$($reference:tt)+]) => {
        impl $Visit for $Noter {
            fn statement(&mut self, node: $($reference)+ splc_ir::level::Statement) {
                self.0.push(Event::Statement);
                $walk::statement(self, node);
            }
            fn expression(&mut self, node: $($reference)+ splc_ir::level::Expr) {
                self.0.push(Event::Expression);
                $walk::expression(self, node);
            }
            fn selection(&mut self, node: $($reference)+ splc_ir::level::Selection) {
                self.0.push(Event::Selection);
                $walk::selection(self, node);
            }
            fn condition(&mut self, node: $($reference)+ splc_ir::level::Condition) {
                self.0.push(Event::Condition);
                $walk::condition(self, node);
            }
            fn name(&mut self, role: NameRole, name: $($reference)+ Text, span: Span) {
                self.0.push(Event::Name(role, name.clone(), span));
            }
            fn species(&mut self, role: SpeciesRole, name: $($reference)+ SpeciesName, span: Span) {
                self.0.push(Event::Species(role, name.clone(), span));
            }
            fn map_character(&mut self, character: $($reference)+ char, span: Span) {
                self.0.push(Event::Character(*character, span));
            }
            fn text(&mut self, text: $($reference)+ Text, span: Span) {
                self.0.push(Event::Text(text.clone(), span));
            }
            fn word(&mut self, group: Group, word: &'static str, span: Span) {
                self.0.push(Event::Word(group, word, span));
            }
            fn span(&mut self, span: $($reference)+ Span) {
                self.0.push(Event::Span(*span));
            }
        }
    };
}

note!(Visit<'_>, Reader, walk, [&]);
note!(VisitMut, Changer, walk_mut, [&mut]);

/// Returns the corpus, read for its games.
fn modules() -> Vec<(PathBuf, Module)> {
    let modules: Vec<_> = corpus_files().map(|(path, catalog)| (path.clone(), read(&path, catalog))).collect();
    assert!(modules.len() > 50, "{}", modules.len());
    modules
}

fn read(path: &Path, catalog: &'static Catalog) -> Module {
    let mut sources = SourceMap::new();
    let file = sources.add(path.to_string_lossy(), Some(path.to_owned()), std::fs::read(path).unwrap());
    splc_frontends::parse(&mut sources, file, catalog, &mut Beside, &mut Diagnostics::new())
}

#[test]
fn both_walks_visit_the_same_nodes_in_the_same_order() {
    for (path, mut module) in modules() {
        let mut reader = Reader::default();
        reader.module(&module);
        let unchanged = module.clone();
        let mut changer = Changer::default();
        changer.module(&mut module);
        assert_eq!(reader.0, changer.0, "{}", path.display());
        assert_eq!(module, unchanged);
    }
}

/// Collects every text, map character and place in a dump.
fn dumped(value: &Value, spans: &mut Vec<Span>, texts: &mut usize) {
    let number = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
    match value {
        Value::Array(values) => values.iter().for_each(|value| dumped(value, spans, texts)),
        Value::Object(object) => {
            for (key, value) in object {
                match (key.as_str(), value) {
                    ("row_spans", Value::Array(rows)) => {
                        for span in rows {
                            let file = splc_ir::source::FileId(number(&span[0]));
                            spans.push(Span { file, start: number(&span[1]), end: number(&span[2]) });
                        }
                    }
                    ("span" | "walls_span" | "parent_span" | "contained_span", span) if span.is_null() => {
                        spans.push(Span::NOWHERE)
                    }
                    ("span" | "walls_span" | "parent_span" | "contained_span", span) => {
                        let file = splc_ir::source::FileId(number(&span[0]));
                        spans.push(Span { file, start: number(&span[1]), end: number(&span[2]) });
                    }
                    // A string, not a field of a statement with that name.
                    ("string", Value::String(_)) => *texts += 1,
                    (_, value) => dumped(value, spans, texts),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn a_walk_visits_every_place_and_text_of_a_dump() {
    let (mut all_spans, mut all_texts) = (0, 0);
    for (path, module) in modules() {
        let mut reader = Reader::default();
        reader.module(&module);
        let mut walked: Vec<Span> = reader
            .0
            .iter()
            .filter_map(|event| if let Event::Span(span) = event { Some(*span) } else { None })
            .collect();
        let (mut spans, mut texts) = (Vec::new(), 0);
        dumped(&serde_json::to_value(&module).unwrap(), &mut spans, &mut texts);
        walked.sort();
        spans.sort();
        assert_eq!(walked, spans, "{}", path.display());
        assert_eq!(
            reader.0.iter().filter(|event| matches!(event, Event::Text(..))).count(),
            texts,
            "{}",
            path.display()
        );
        all_spans += spans.len();
        all_texts += texts;
    }
    assert!(all_spans > 10_000 && all_texts > 100, "{all_spans} places, {all_texts} texts");
}
#[test]
fn comparing_content_ignores_places() {
    let read = |text: &str, target: &str| {
        let mut sources = SourceMap::new();
        let file = sources.add("x.des", None, text.as_bytes().to_vec());
        let catalog = Catalog::by_name(target).unwrap();
        splc_frontends::parse(&mut sources, file, catalog, &mut Beside, &mut Diagnostics::new())
    };
    let cases = [
        (
            "unnethack-6.0.4",
            "LEVEL: \"a\"\nMAP\n..\nENDMAP\nMONSTER: ('a',\"fire ant\"), (1,2), asleep\n[50%]: GOLD: 1+2, random\n",
        ),
        (
            "nethack-3.4.3",
            "LEVEL:\"a\"\nROOM:\"ordinary\",lit,random,random,random\nNAME:\"x\"\nCONTAINER:'(',\"chest\",(1,1)\nOBJECT:'(',random,contained\nSUBROOM:\"zoo\",lit,(1,1),(2,2),\"x\"\n",
        ),
    ];
    for (target, text) in cases {
        let module = read(text, target);
        let mut moved = read(&format!("# a comment\n\n{text}"), target);
        assert!(module != moved && says_the_same(&module, &moved), "{target}");
        let mut other = read(&text.replace("lit", "unlit").replace("asleep", "awake"), target);
        assert!(!says_the_same(&module, &other), "{target}");
        // Without places nothing else distinguishes the two.
        for module in [&mut moved, &mut other] {
            forget_places(module);
            let mut reader = Reader::default();
            reader.module(module);
            assert!(reader.0.iter().all(|event| !matches!(event, Event::Span(span) if !span.is_nowhere())), "{target}");
        }
    }
}
