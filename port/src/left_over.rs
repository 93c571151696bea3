//! Drops the statements that the target still cannot express, each with a note.

use std::collections::HashMap;

use splc_ir::catalog::{Feature, Format};
use splc_ir::check::check;
use splc_ir::diagnostic::{Diagnostics, Severity};
use splc_ir::lacks::{Node, lacks};
use splc_ir::level::*;
use splc_ir::source::Span;
use splc_ir::visit::{Visit, VisitMut, walk, walk_mut};

use crate::origins::{Origin, traced};
use crate::work::Work;

/// The maximum number of rounds. A dropped statement may have been needed by one that was kept.
const ROUNDS: usize = 64;

/// Drops whatever the target rejects, until it rejects nothing. A level whose head is rejected cannot be ported.
pub(crate) fn left_over(work: &mut Work<'_>, module: &mut Module) {
    for _ in 0..ROUNDS {
        let refused = refused(work, module);
        if refused.is_empty() {
            return;
        }
        take_out(work, module, &refused);
    }
    for item in &module.items {
        if let Item::Level(level) = item {
            work.fail(level.span, "the level depends on too many features that the target lacks");
        }
    }
}

/// Returns the origin of a level or function.
fn head(item: &Item) -> Option<Origin> {
    match item {
        Item::Level(level) => Origin::of(level.span),
        Item::Function(function) => Origin::of(function.span),
        Item::Include { .. } => None,
    }
}

/// Returns the statements, levels and functions that the target rejects, each with the first reason.
fn refused(work: &Work<'_>, module: &Module) -> HashMap<Origin, String> {
    // The origins of a level run from its own to that of the next item.
    let heads: Vec<Origin> = module.items.iter().filter_map(head).collect();
    let next = |head: Origin| heads.iter().copied().find(|&other| other > head);
    let failed = |span: Span| {
        Origin::of(span).is_some_and(|head| {
            let inside = |origin: Origin| origin >= head && next(head).is_none_or(|next| origin < next);
            work.failures.iter().any(|&(origin, ..)| inside(origin))
        })
    };
    let mut traced = traced(module);
    traced.items.retain(|item| match item {
        Item::Level(level) => !failed(level.span),
        Item::Function(_) | Item::Include { .. } => work.to.format != Format::Parts,
    });
    let mut refused = HashMap::new();
    for lack in lacks(Node::Module(&traced), work.to) {
        if let Some(origin) = Origin::of(lack.span) {
            refused.entry(origin).or_insert_with(|| lack.diagnostic(work.to).message.to_string());
        }
    }
    if work.to.has(Feature::DashedWords) {
        let mut dashes = Dashes(Vec::new());
        dashes.module(&traced);
        for (span, what) in dashes.0 {
            if let Some(origin) = Origin::of(span) {
                refused.entry(origin).or_insert_with(|| format!("{} cannot express {what}", work.to.title));
            }
        }
    }
    let mut diagnostics = Diagnostics::new();
    check(&mut traced, work.to, &mut diagnostics);
    for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error) {
        if let Some(origin) = diagnostic.span.and_then(Origin::of) {
            refused.entry(origin).or_insert_with(|| diagnostic.message.to_string());
        }
    }
    refused
}

/// Constructs spelt with a dash, for languages in which a dash is a letter.
struct Dashes(Vec<(Span, &'static str)>);

impl<'tree> Visit<'tree> for Dashes {
    fn expression(&mut self, expression: &'tree Expr) {
        if let ExprKind::Chain { rest, .. } = &expression.kind
            && rest.iter().any(|(operator, _)| *operator == Operator::Subtract)
        {
            self.0.push((expression.span, "a difference"));
        }
        walk::expression(self, expression);
    }

    fn selection(&mut self, selection: &'tree Selection) {
        if let SelectionKind::Gradient { .. } = &selection.kind {
            self.0.push((selection.span, "the range of a gradient"));
        }
        walk::selection(self, selection);
    }
}

/// Drops the statements among `refused`. Anything else in it cannot be ported.
fn take_out(work: &mut Work<'_>, module: &mut Module, refused: &HashMap<Origin, String>) {
    struct Taking<'w, 'a, 'r> {
        work: &'w mut Work<'a>,
        refused: &'r HashMap<Origin, String>,
        /// The current level or function.
        item: Span,
        /// True in a block that may run several times.
        repeats: bool,
        /// True if a SOUNDS was dropped from the level.
        sounds: bool,
    }

    impl Taking<'_, '_, '_> {
        /// Returns the reason to drop the statement, if any. A chance is dropped with its statement.
        fn reason(&self, statement: &Statement) -> Option<String> {
            let own = Origin::of(statement.span).and_then(|origin| self.refused.get(&origin));
            match &statement.kind {
                StatementKind::Chance { then, .. } if own.is_none() => self.reason(then),
                _ => own.cloned(),
            }
        }

        /// Notes that the level has more than one SOUNDS. The source game leaves the values of all but the first on its
        /// stack, where loops and other statements find them (UnNetHack 6.0.4, `spo_level_sounds`).
        fn second_sounds(&mut self, statement: &Statement) {
            let kind = match &statement.kind {
                StatementKind::Chance { then, .. } => &then.kind,
                kind => kind,
            };
            if matches!(kind, StatementKind::Sounds { .. })
                && (self.repeats || std::mem::replace(&mut self.sounds, true))
            {
                let what = format!("a second SOUNDS breaks the statements after it in {}", self.work.from.title);
                self.work.differs(self.item, what);
            }
        }
    }

    impl VisitMut for Taking<'_, '_, '_> {
        fn level(&mut self, level: &mut Level) {
            if let Some(reason) = Origin::of(level.span).and_then(|origin| self.refused.get(&origin)) {
                self.work.fail(level.span, reason.clone());
            }
            (self.item, self.repeats, self.sounds) = (level.span, false, false);
            walk_mut::level(self, level);
        }

        fn function(&mut self, function: &mut Function) {
            if let Some(reason) = Origin::of(function.span).and_then(|origin| self.refused.get(&origin)) {
                self.work.fail(function.span, reason.clone());
            }
            (self.item, self.repeats, self.sounds) = (function.span, true, false);
            walk_mut::function(self, function);
        }

        fn block(&mut self, statements: &mut Vec<Statement>) {
            statements.retain(|statement| match self.reason(statement) {
                Some(reason) => {
                    self.second_sounds(statement);
                    lose(self.work, statement, &reason);
                    false
                }
                None => true,
            });
            walk_mut::block(self, statements);
        }

        fn statement(&mut self, statement: &mut Statement) {
            let repeats = matches!(statement.kind, StatementKind::Loop { .. } | StatementKind::For { .. });
            let outer = self.repeats;
            self.repeats |= repeats;
            walk_mut::statement(self, statement);
            self.repeats = outer;
        }
    }

    Taking { work, refused, item: Span::NOWHERE, repeats: false, sounds: false }.module(module);
}

/// Notes that `statement` and its contents are lost.
pub(crate) fn lose(work: &mut Work<'_>, statement: &Statement, reason: &str) {
    struct Inside<'w, 'a>(&'w mut Work<'a>);

    impl<'tree> Visit<'tree> for Inside<'_, '_> {
        fn statement(&mut self, statement: &'tree Statement) {
            self.0.lost(statement.span, "the block around it is lost");
            walk::statement(self, statement);
        }
    }

    work.lost(statement.span, reason);
    walk::statement(&mut Inside(work), statement);
}
