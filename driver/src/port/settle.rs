//! Levels that depend on what they are while they are made: run once, with the seed of `--instantiate`.
//!
//! What the VM came to is written down as a program that computes nothing ([`splc_vm::course()`]), read back like a level
//! file, and goes over in the place of the level.

use std::collections::BTreeMap;

use splc_backends::level_file as writer;
use splc_frontends::level_file as reader;
use splc_ir::level::{Level, Module};
use splc_ir::loadable::Loadable;
use splc_ir::raise::raise;
use splc_ir::source::FileId;
use splc_port::{Options, Ported, Verdict};
use splc_vm::{Prepared, Settings, SplitMix};

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
    let runs = wanted.into_iter().filter_map(|at| Some((at, run(levels.get(at)?, from, seed)?)));
    let mut settled: BTreeMap<usize, Level> = runs.collect();
    while !settled.is_empty() {
        let asked = Options { settled: settled.clone(), ..asked.clone() };
        let again = splc_port::port(module, from.catalog(), to.catalog(), &asked);
        let still = failed(&again);
        let before = settled.len();
        settled.retain(|at, _| !still.contains(at));
        if settled.len() == before {
            return again;
        }
    }
    made
}

/// What the level comes to in one run.
fn run(level: &Loadable, target: &Target, seed: u64) -> Option<Level> {
    let (catalog, abi) = (target.catalog(), target.abi());
    let Loadable::Program(program) = level else { return None };
    let prepared = Prepared::new(program, catalog).ok()?;
    let course = splc_vm::course(program, &prepared, &Settings::default(), &mut SplitMix::new(seed)).ok()?;
    let spans: Vec<_> = course.ops.iter().map(|op| op.span).collect();
    // Read like a file, so that its numbers become names.
    let bytes = writer::encode(&Loadable::Program(course), catalog, abi, target.header()).ok()?;
    let read = reader::read(&bytes, &program.name, FileId(0), catalog, abi).ok()?;
    let Loadable::Program(mut program) = read.level else { return None };
    for (op, span) in program.ops.iter_mut().zip(spans) {
        op.span = span;
    }
    let raised = raise(&Loadable::Program(program), catalog, abi);
    raised.ok()?.module.levels().next().cloned()
}
