//! Levels that depend on what they are while they are made: run once, with the seed of `--instantiate`.
//!
//! What the VM came to is written down as a program that computes nothing ([`splc_vm::course()`]), read back like a level
//! file, and goes over in the place of the level. For lists of things, what is below its maps may have to be one of them.

use std::collections::BTreeMap;

use splc_backends::level_file as writer;
use splc_frontends::level_file as reader;
use splc_ir::catalog::Format;
use splc_ir::level::{
    Expr, ExprKind, Level, Map, MapPosition, MapRows, Module, OrRandom, Region, Statement, StatementKind,
};
use splc_ir::loadable::Loadable;
use splc_ir::raise::raise;
use splc_ir::source::{FileId, Span, Spanned, Text};
use splc_ir::words::{Horizontal, Light, Vertical};
use splc_port::{Options, Ported, Settled, Verdict};
use splc_vm::{Background, Course, Form, Prepared, Settings, SplitMix};

use super::verify::loadables;
use crate::target::Target;

/// Ports `module` again, with what a run of `seed` came to in the place of each level that did not go over in `made`, if
/// that helps.
pub(super) fn settle(made: Ported, module: &Module, [from, to]: [&Target; 2], asked: &Options, seed: u64) -> Ported {
    let failed = |ported: &Ported| {
        let levels = ported.account.levels().enumerate();
        levels.filter(|(_, level)| level.verdict == Verdict::NotAtAll).map(|(at, _)| at).collect::<Vec<_>>()
    };
    let wanted = failed(&made);
    if wanted.is_empty() {
        return made;
    }
    let levels = loadables(module, from);
    if levels.len() != made.account.levels().count() {
        return made;
    }
    let runs = wanted.into_iter().filter_map(|at| Some((at, run(levels.get(at)?, [from, to], seed)?)));
    let settled: BTreeMap<usize, Settled> = runs.collect();
    if settled.is_empty() {
        return made;
    }
    // What is wrong with a level that does not go over like that either is told of the run: dice have settled the rest.
    splc_port::port(module, from.catalog(), to.catalog(), &Options { settled, ..asked.clone() })
}

/// What the level comes to in one run.
fn run(level: &Loadable, [from, to]: [&Target; 2], seed: u64) -> Option<Settled> {
    let (catalog, abi) = (from.catalog(), from.abi());
    let Loadable::Program(program) = level else { return None };
    let prepared = Prepared::new(program, catalog).ok()?;
    let form = if to.catalog().format == Format::Parts { Form::List } else { Form::Script };
    let rng = &mut SplitMix::new(seed);
    let Course { program: course, background, drawn, moved } =
        splc_vm::course(program, &prepared, &Settings::default(), form, rng).ok()?;
    let spans: Vec<_> = course.ops.iter().map(|op| op.span).collect();
    // Read like a file, so that its numbers become names.
    let bytes = writer::encode(&Loadable::Program(course), catalog, abi, from.header()).ok()?;
    let read = reader::read(&bytes, &program.name, FileId(0), catalog, abi).ok()?;
    let Loadable::Program(mut program) = read.level else { return None };
    for (op, span) in program.ops.iter_mut().zip(spans) {
        op.span = span;
    }
    let raised = raise(&Loadable::Program(program), catalog, abi);
    let mut level = raised.ok()?.module.levels().next().cloned()?;
    let out_of_reach = background.map_or(0, |background| put_below(&mut level, &background));
    Some(Settled { level, drawn, moved, out_of_reach })
}

/// The widest map of NetHack 3.4.3.
const WIDEST: usize = 76;

/// Puts maps of what is below all others first, in the place of INIT_MAP. Answers with how many squares that are not rock
/// none of them reaches.
fn put_below(level: &mut Level, background: &Background) -> usize {
    // Maps as high as a level begin in its first row: the widest of them in the third column on the left, and in the first
    // on the right. Places count from the second one as from the corner of the level.
    const LEFT: usize = 2;
    let from = |first: usize, horizontal| {
        let row = |row: &String| Text::from(row.chars().skip(first).take(WIDEST).collect::<String>());
        let rows: Vec<Text> = background.rows.iter().map(row).collect();
        let row_spans = vec![Span::NOWHERE; rows.len()];
        let rows = MapRows { rows, row_spans, span: Span::NOWHERE };
        let position = MapPosition::Aligned { horizontal, vertical: Vertical::Center };
        statement(StatementKind::Map(Map::Drawn { position, keep_regions: None, rows }))
    };
    let squares_from = |first: usize| {
        let squares = background.rows.iter().flat_map(move |row| row.chars().skip(first));
        squares.filter(|&square| square != ROCK).count()
    };
    level.body.retain(|statement| !matches!(statement.kind, StatementKind::InitMap(_)));
    let is_head = |statement: &Statement| matches!(statement.kind, StatementKind::Message { .. });
    let first = level.body.iter().position(|statement| !is_head(statement)).unwrap_or(level.body.len());
    let mut below = Vec::new();
    if squares_from(WIDEST) > squares_from(LEFT + WIDEST) {
        below.push(from(LEFT, Horizontal::Left));
    }
    below.push(from(0, Horizontal::Right));
    below.push(statement(StatementKind::Map(Map::None)));
    below.extend(background.light.iter().map(|&(lit, corners)| {
        let area = Expr { kind: ExprKind::Region { corners }, span: Span::NOWHERE };
        let light = OrRandom::Is(if lit { Light::Lit } else { Light::Unlit });
        let room_type = OrRandom::Is(Spanned::new(Text::from(ORDINARY), Span::NOWHERE));
        statement(StatementKind::Region(Region { area, light, room_type, flags: None, body: None }))
    }));
    level.body.splice(first..first, below);
    squares_from(LEFT + WIDEST)
}

/// The map character of rock, and the type of a room that is nothing else.
const ROCK: char = ' ';
const ORDINARY: &str = "ordinary";

fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: Span::NOWHERE }
}
