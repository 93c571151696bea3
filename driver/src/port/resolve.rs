//! Runs levels that depend on themselves during generation once, with the seed of `--instantiate`.
//!
//! The result of the run is written as a program that computes nothing ([`splc_vm::course()`]), read back like a level
//! file, and ported in place of the level. For lists of things, the background may have to become a map.

use std::collections::BTreeMap;

use splc_backends::level_file as writer;
use splc_frontends::level_file as reader;
use splc_ir::catalog::Format;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::level::{
    Expr, ExprKind, Level, Map, MapPosition, MapRows, Module, OrRandom, Region, Statement, StatementKind,
};
use splc_ir::loadable::Loadable;
use splc_ir::raise::raise;
use splc_ir::source::{FileId, Span, Spanned, Text};
use splc_ir::wording::visible;
use splc_ir::words::{Horizontal, Light, Vertical};
use splc_port::{Options, Ported, Resolved, Verdict};
use splc_vm::{Background, Course, Form, Prepared, Settings, SplitMix, VmError};

use super::verify::loadables;
use crate::target::Target;

/// Ports `module` again, with each level that failed in `made` replaced by the result of a run with `seed`, if that
/// helps.
pub(super) fn resolve(
    mut made: Ported,
    module: &Module,
    [from, to]: [&Target; 2],
    requested: &Options,
    seed: u64,
) -> Ported {
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
    let (mut resolved, mut unmade) = (BTreeMap::new(), Vec::new());
    for at in wanted {
        match levels.get(at).map(|level| run(level, [from, to], seed)) {
            Some(Ok(run)) => {
                resolved.extend(run.map(|run| (at, run)));
            }
            Some(Err(error)) => unmade.push((at, error)),
            None => {}
        }
    }
    if !resolved.is_empty() {
        // If a level still fails, its errors are about the run, because dice have resolved the rest.
        made = splc_port::port(module, from.catalog(), to.catalog(), &Options { resolved, ..requested.clone() });
    }
    for (at, error) in unmade {
        let Some(level) = made.account.levels().nth(at) else { continue };
        let what = format!("the level {} fails to load with seed {seed}: {error}", visible(&level.name));
        let place = error.span.unwrap_or(level.span);
        let help = "try another seed";
        made.diagnostics.push(Diagnostic::new(Code::PortImpossible, place, what).with_help(help));
    }
    made
}

/// Runs the level once, or returns `None` if a script cannot express the result.
fn run(level: &Loadable, [from, to]: [&Target; 2], seed: u64) -> Result<Option<Resolved>, VmError> {
    let Loadable::Program(program) = level else { return Ok(None) };
    let Ok(prepared) = Prepared::new(program, from.catalog()) else { return Ok(None) };
    let form = if to.catalog().format == Format::Parts { Form::List } else { Form::Script };
    let rng = &mut SplitMix::new(seed);
    let course = splc_vm::course(program, &prepared, &Settings::default(), form, rng)?;
    Ok(written(course, &program.name, from))
}

/// Converts a course to statements.
fn written(course: Course, name: &str, from: &Target) -> Option<Resolved> {
    let (catalog, abi) = (from.catalog(), from.abi());
    let Course { program: course, background, drawn, moved } = course;
    let spans: Vec<_> = course.ops.iter().map(|op| op.span).collect();
    // Read it like a file to turn numbers into names.
    let bytes = writer::encode(&Loadable::Program(course), catalog, abi, from.header()).ok()?;
    let read = reader::read(&bytes, name, FileId(0), catalog, abi).ok()?;
    let Loadable::Program(mut program) = read.level else { return None };
    for (op, span) in program.ops.iter_mut().zip(spans) {
        op.span = span;
    }
    let raised = raise(&Loadable::Program(program), catalog, abi);
    let mut level = raised.ok()?.module.levels().next().cloned()?;
    let out_of_reach = background.map_or(0, |background| put_below(&mut level, &background));
    Some(Resolved { level, drawn, moved, out_of_reach })
}

/// The width of the widest map of NetHack 3.4.3.
const WIDEST: usize = 76;

/// Inserts maps of the background before all others, in place of INIT_MAP. Returns the number of squares other than
/// rock that no map reaches.
fn put_below(level: &mut Level, background: &Background) -> usize {
    // Maps as high as a level begin in its first row. The widest of them begin in the third column at `left`, and in
    // the first at `right`. After the second map, coordinates count as from the corner of the level.
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

/// The map character of rock, and the room type of an ordinary room.
const ROCK: char = ' ';
const ORDINARY: &str = "ordinary";

fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: Span::NOWHERE }
}
