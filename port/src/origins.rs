//! Tracks the origin of each statement while passes move, copy and rewrite it.
//!
//! Before the first pass every statement gets a number, which it carries in place of its span. Everything that a pass
//! derives from a statement carries the same number. After the last pass the numbers show the fate of each statement,
//! and the spans are restored. An account therefore needs no source text: it also works for levels read from JSON or
//! from a level file.

use splc_ir::lacks::word;
use splc_ir::level::*;
use splc_ir::source::{FileId, Span};
use splc_ir::visit::{Visit, VisitMut, walk, walk_mut};

use crate::account::{Account, Added, Effect, Entry, MonsterGeneration, Note, Outcome, Section, SectionKind, Verdict};

/// The file of a span that carries a number.
const NUMBERED: FileId = FileId(u32::MAX - 1);

/// A statement, level or function of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Origin(u32);

impl Origin {
    /// Returns the origin that `span` carries.
    pub fn of(span: Span) -> Option<Origin> {
        (span.file == NUMBERED).then_some(Origin(span.start))
    }

    fn span(self) -> Span {
        Span { file: NUMBERED, start: self.0, end: self.0 }
    }
}

/// The item at an origin.
#[derive(Clone, Debug)]
enum What {
    Section(SectionKind, String),
    Statement(&'static str),
}

#[derive(Clone, Debug)]
struct Known {
    what: What,
    span: Span,
    notes: Vec<Note>,
    unsaid_flags: Vec<String>,
    monster_generation: Option<MonsterGeneration>,
}

/// All origins of a module and the notes on them.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    known: Vec<Known>,
}

impl Origins {
    /// Numbers all of `module`, in which INCLUDEs have already been flattened.
    pub fn number(module: &mut Module) -> Origins {
        let mut origins = Origins::default();
        for item in &mut module.items {
            match item {
                Item::Level(level) => {
                    let what = What::Section(SectionKind::Level, level.name.node.to_string());
                    level.span = origins.add(what, level.name.span.somewhere().unwrap_or(level.span));
                    origins.block(&mut level.body);
                }
                Item::Function(function) => {
                    let what = What::Section(SectionKind::Function, function.name.node.to_string());
                    function.span = origins.add(what, function.span);
                    origins.block(&mut function.body);
                }
                Item::Include { .. } => {}
            }
        }
        origins
    }

    fn add(&mut self, what: What, span: Span) -> Span {
        self.known.push(Known { what, span, notes: Vec::new(), unsaid_flags: Vec::new(), monster_generation: None });
        Origin(self.known.len() as u32 - 1).span()
    }

    /// Returns the source span of a numbered `span`, or any other span unchanged.
    pub fn place(&self, span: Span) -> Span {
        Origin::of(span).map_or(span, |origin| self.known[origin.0 as usize].span)
    }

    /// Returns true if `span` carries the number of a statement.
    pub fn is_statement(&self, span: Span) -> bool {
        let known = Origin::of(span).and_then(|origin| self.known.get(origin.0 as usize));
        known.is_some_and(|known| matches!(known.what, What::Statement(_)))
    }

    /// Returns the level or function that contains an origin or is that origin.
    pub fn section(&self, origin: Origin) -> Origin {
        let is_section = |at: &usize| matches!(self.known[*at].what, What::Section(..));
        let at = (0..=origin.0 as usize).rev().find(is_section).unwrap_or(0);
        Origin(at as u32)
    }

    /// Adds a note to the origin of `span`. Does nothing for an added statement.
    pub fn note(&mut self, span: Span, note: Note) {
        if let Some(origin) = Origin::of(span) {
            let notes = &mut self.known[origin.0 as usize].notes;
            // A note that occurs at several places of a level is given at the first.
            if !notes.iter().any(|known| known.is_like(&note)) {
                notes.push(note);
            }
        }
    }

    /// Records a flag that the level at `span` had implicitly.
    pub fn unsaid_flag(&mut self, span: Span, flag: &str) {
        if let Some(origin) = Origin::of(span) {
            self.known[origin.0 as usize].unsaid_flags.push(flag.to_owned());
        }
    }

    /// Records the monsters generated later on the level at `span`, which one of the games has built in.
    pub fn monster_generation(&mut self, span: Span, monsters: MonsterGeneration) {
        if let Some(origin) = Origin::of(span) {
            self.known[origin.0 as usize].monster_generation = Some(monsters);
        }
    }

    /// Restores the spans in `module` and returns the account. `failed` lists origins that could not be ported.
    pub fn resolve(self, module: &mut Module, failed: &[Origin]) -> Account {
        // The origin and the keyword of each statement of the result, in reading order.
        struct Results(Vec<(Option<Origin>, &'static str)>);

        impl<'tree> Visit<'tree> for Results {
            fn statement(&mut self, statement: &'tree Statement) {
                self.0.push((Origin::of(statement.span), word(&statement.kind)));
                walk::statement(self, statement);
            }
        }

        let mut results: Vec<Vec<usize>> = vec![Vec::new(); self.known.len()];
        let mut added: Vec<Vec<Added>> = vec![Vec::new(); self.known.len()];
        let mut seen = Results(Vec::new());
        for item in &module.items {
            let (span, first) = match item {
                Item::Level(level) => (level.span, seen.0.len()),
                Item::Function(function) => (function.span, seen.0.len()),
                Item::Include { .. } => continue,
            };
            seen.item(item);
            for (at, (origin, word)) in seen.0.iter().enumerate().skip(first) {
                match (origin, Origin::of(span)) {
                    (Some(origin), _) => results[origin.0 as usize].push(at),
                    (None, Some(section)) => added[section.0 as usize].push(Added { word, result: at }),
                    (None, None) => {}
                }
            }
        }

        let mut account = Account::default();
        for (at, known) in self.known.iter().enumerate() {
            match &known.what {
                What::Section(kind, name) => account.sections.push(Section {
                    kind: *kind,
                    name: name.clone(),
                    span: known.span,
                    verdict: Verdict::Whole,
                    notes: known.notes.clone(),
                    unsaid_flags: known.unsaid_flags.clone(),
                    monster_generation: known.monster_generation.clone(),
                    entries: Vec::new(),
                    added: std::mem::take(&mut added[at]),
                }),
                What::Statement(word) => {
                    let lost = known.notes.iter().any(|note| note.effect == Effect::Lost);
                    let outcome = match (lost, known.notes.iter().all(|note| note.effect == Effect::Game)) {
                        (true, _) => Outcome::Lost,
                        (false, true) => Outcome::Kept,
                        (false, false) => Outcome::Changed,
                    };
                    if let Some(section) = account.sections.last_mut() {
                        section.entries.push(Entry {
                            word,
                            span: known.span,
                            outcome,
                            notes: known.notes.clone(),
                            results: std::mem::take(&mut results[at]),
                        });
                    }
                }
            }
        }
        let mut at = 0;
        for section in &mut account.sections {
            let origins = at..at + 1 + section.entries.len();
            at = origins.end;
            section.verdict = if failed.iter().any(|origin| origins.contains(&(origin.0 as usize))) {
                section.entries.iter_mut().for_each(|entry| entry.outcome = Outcome::Lost);
                Verdict::NotAtAll
            } else if section.kind == SectionKind::Function && !failed.is_empty() {
                section.entries.iter_mut().for_each(leave_behind);
                Verdict::of_notes(section.all_notes())
            } else {
                Verdict::of_notes(section.all_notes())
            };
        }
        PutBack { known: &self.known }.module(module);
        account
    }

    fn block(&mut self, body: &mut [Statement]) {
        for statement in body {
            self.statement(statement);
        }
    }
}

impl VisitMut for Origins {
    fn statement(&mut self, statement: &mut Statement) {
        statement.span = self.add(What::Statement(word(&statement.kind)), statement.span);
        walk_mut::statement(self, statement);
    }
}

/// Marks a statement of a FUNCTION as lost if the levels that call it were not ported, which leaves it without results.
fn leave_behind(entry: &mut Entry) {
    if entry.results.is_empty() && entry.notes.iter().all(|note| note.effect == Effect::Game) {
        entry.outcome = Outcome::Lost;
        let what = "the level that calls its FUNCTION is not ported".to_owned();
        entry.notes.push(Note { pass: LEFT_BEHIND, effect: Effect::Lost, what, flag: None, at: None });
    }
}

/// The pass that inlines functions.
const LEFT_BEHIND: &str = "unrolled";

impl Verdict {
    /// Returns the verdict on a level or function with these notes, if it was ported.
    fn of_notes<'n>(mut notes: impl Iterator<Item = &'n Note>) -> Verdict {
        if notes.any(|note| note.effect.is_change()) { Verdict::WithChanges } else { Verdict::Whole }
    }
}

struct PutBack<'a> {
    known: &'a [Known],
}

impl VisitMut for PutBack<'_> {
    fn span(&mut self, span: &mut Span) {
        if let Some(origin) = Origin::of(*span) {
            *span = self.known[origin.0 as usize].span;
        }
    }
}

/// Returns a copy of `module` in which every span is that of the enclosing statement, level or function, so that a
/// diagnostic about any part identifies its origin.
pub(crate) fn traced(module: &Module) -> Module {
    struct Trace(Span);

    impl Trace {
        fn within(&mut self, span: Span, walk: impl FnOnce(&mut Self)) {
            let outer = std::mem::replace(&mut self.0, span);
            walk(self);
            self.0 = outer;
        }
    }

    impl VisitMut for Trace {
        fn level(&mut self, level: &mut Level) {
            self.within(level.span, |trace| walk_mut::level(trace, level));
        }

        fn function(&mut self, function: &mut Function) {
            // A function in a level is a statement.
            let span = Origin::of(function.span).map_or(self.0, |_| function.span);
            self.within(span, |trace| walk_mut::function(trace, function));
        }

        fn statement(&mut self, statement: &mut Statement) {
            // An added statement is reported at the enclosing origin.
            let span = Origin::of(statement.span).map_or(self.0, |_| statement.span);
            self.within(span, |trace| walk_mut::statement(trace, statement));
        }

        fn span(&mut self, span: &mut Span) {
            *span = self.0;
        }
    }

    let mut module = module.clone();
    module.trivia = Vec::new();
    Trace(Span::NOWHERE).module(&mut module);
    module
}
