//! Levels resolved by a run: the output of a machine replaces the script.
//!
//! Dice resolve the draws of a script (`poorer::unrolled`), but not a dependence on the level during generation, for
//! which it must be run. A caller that has a machine passes the result of the run
//! ([`Options::resolved`](crate::Options::resolved)), which is then ported like any other level.

use std::collections::{BTreeMap, HashMap, HashSet};

use splc_ir::level::*;
use splc_ir::order::Order;
use splc_ir::source::Span;
use splc_ir::visit::{Visit, VisitMut, says_the_same, walk, walk_mut};
use splc_ir::wording::counted;

use crate::tree::levels;
use crate::work::Work;

/// The number of statements searched, backwards, for one that encloses a statement of a run.
const MOST_AROUND: usize = 1000;

/// Replaces each level that was resolved by a run with the result.
pub(crate) fn resolved(work: &mut Work<'_>, module: &mut Module) {
    let of_module = work.resolved;
    if of_module.is_empty() {
        return;
    }
    let mut functions = Written::default();
    for item in &module.items {
        if let Item::Function(function) = item {
            function.body.iter().for_each(|statement| functions.statement(statement));
        }
    }
    for (at, level) in levels(module).enumerate() {
        let Some(made) = of_module.get(&at) else { continue };
        work.differs(level.span, "it is the result of one run, with the seed of --instantiate");
        let mut written = functions.clone();
        level.body.iter().for_each(|statement| written.statement(statement));
        let of_functions = functions.statements.len();
        if made.out_of_reach > 0 {
            let squares = counted(made.out_of_reach, "square");
            work.differs(level.span, format!("no map of 3.4.3 reaches {squares} at the right edge: they stay rock"));
        }
        level.body = made.level.body.clone();
        if let LevelKind::Maze { .. } = level.kind {
            // The statements of the run already include the filling.
            (level.kind, level.flags) = (made.level.kind, made.level.flags.clone());
        }
        let mut carry = Carry { sources: Sources::new(&written.statements, work), results: BTreeMap::new() };
        level.body.iter_mut().for_each(|statement| carry.statement(statement));
        let Carry { sources, results } = carry;
        let drawn: HashSet<usize> = made.drawn.iter().filter_map(|&span| sources.of(span)).collect();
        let moved: HashSet<usize> = made.moved.iter().filter_map(|&span| sources.of(span)).collect();
        for (at, statement) in written.statements.iter().enumerate() {
            if moved.contains(&at) {
                work.differs(statement.span, "part of it was above the map, and is now at its edge");
            }
            if drawn.contains(&at) {
                work.differs(statement.span, "its result in that run is drawn in the map");
                work.reached.insert(statement.span);
                continue;
            }
            match results.get(&at).map(Vec::as_slice) {
                Some([one]) if says_the_same(one, statement) => work.reached.insert(statement.span),
                Some([one]) if is_without_block(one, statement) => {
                    work.same(statement.span, "the contents of its block follow it, at their places in that run");
                    work.reached.insert(statement.span)
                }
                Some(_) => {
                    work.differs(statement.span, "it is replaced with its result in that run");
                    work.reached.insert(statement.span)
                }
                None if at < of_functions => false,
                None if decides(&statement.kind) => {
                    work.same(statement.span, "it is decided by that run");
                    false
                }
                None => {
                    work.differs(statement.span, "it had no result in that run");
                    false
                }
            };
        }
    }
}

/// Returns true if `one` is a REGION equal to `written` except for its block.
fn is_without_block(one: &Statement, written: &Statement) -> bool {
    let (StatementKind::Region(region), StatementKind::Region(_)) = (&one.kind, &written.kind) else { return false };
    let mut bare = written.clone();
    if let StatementKind::Region(bare) = &mut bare.kind {
        bare.body.clone_from(&region.body);
    }
    says_the_same(one, &bare)
}

/// Returns true if a statement only controls others.
fn decides(statement: &StatementKind) -> bool {
    matches!(
        statement,
        StatementKind::Define { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Function(_)
            | StatementKind::Call { .. }
            | StatementKind::If { .. }
            | StatementKind::Chance { .. }
            | StatementKind::Switch { .. }
            | StatementKind::For { .. }
            | StatementKind::Loop { .. }
            | StatementKind::Break
            | StatementKind::Exit
    )
}

/// The statements of the source with their numbers. Statements in a block follow the statement that owns the block.
#[derive(Clone, Default)]
struct Written {
    statements: Vec<Statement>,
}

impl<'tree> Visit<'tree> for Written {
    fn statement(&mut self, statement: &'tree Statement) {
        self.statements.push(statement.clone());
        walk::statement(self, statement);
    }
}

/// Maps places of the source to statements.
struct Sources {
    exact: HashMap<Span, usize>,
    /// Statements sorted by start, enclosing ones first.
    ordered: Vec<(Span, usize)>,
    numbers: Vec<Span>,
}

impl Sources {
    fn new(written: &[Statement], work: &Work<'_>) -> Self {
        let places = || written.iter().enumerate().map(|(at, statement)| (work.origins.place(statement.span), at));
        let mut ordered: Vec<(Span, usize)> = places().filter(|(span, _)| !span.is_nowhere()).collect();
        ordered.order_by_key(|(span, _)| (span.file, span.start, std::cmp::Reverse(span.end)));
        let numbers = written.iter().map(|statement| statement.span).collect();
        Sources { exact: ordered.iter().copied().collect(), ordered, numbers }
    }

    /// Returns the innermost statement at `span`.
    fn of(&self, span: Span) -> Option<usize> {
        if let Some(&at) = self.exact.get(&span) {
            return Some(at);
        }
        let behind = self.ordered.partition_point(|(known, _)| (known.file, known.start) <= (span.file, span.start));
        let before = self.ordered[..behind].iter().rev().take(MOST_AROUND);
        let around = |known: &Span| known.file == span.file && known.start <= span.start && span.end <= known.end;
        before.clone().find(|(known, _)| around(known)).map(|&(_, at)| at)
    }
}

/// Gives statements of a run the numbers of their source statements.
struct Carry {
    sources: Sources,
    /// The results of each source statement.
    results: BTreeMap<usize, Vec<Statement>>,
}

impl VisitMut for Carry {
    fn statement(&mut self, statement: &mut Statement) {
        let source = statement.span.somewhere().and_then(|span| self.sources.of(span));
        statement.span = Span::NOWHERE;
        if let Some(at) = source {
            self.results.entry(at).or_default().push(statement.clone());
            statement.span = self.sources.numbers[at];
        }
        walk_mut::statement(self, statement);
    }
}
