//! Equivalence of two levels: proofs, counterexamples, and undecided cases.

mod arguments;
mod corpus;
mod doors;
mod edits;
mod merged;
mod pairs;
mod scripts;
mod searches;
mod statements;
mod verdicts;

use std::sync::atomic::AtomicU64;

use splc_driver::games::Dialect;
use splc_driver::{Input, NoIncludes, Options, Wanted, load};
use splc_equivalence as equivalence;
use splc_equivalence::Verdict;
use splc_vm::{Prepared, Surrounding};

/// Prepares the level of a des-file.
pub fn prepared(dialect: &str, text: &str) -> Prepared {
    let wanted = Wanted { dialect: Dialect::by_name(dialect), ..Wanted::default() };
    let options = Options { wanted, ..Options::default() };
    let mut loaded = load(Input::new("x.des", text), &options, &mut NoIncludes).unwrap();
    assert!(!loaded.diagnostics.has_errors(), "{:#?}", loaded.diagnostics.iter().collect::<Vec<_>>());
    loaded.levels.remove(0).program
}

/// Returns the verdict on two levels in the game of the default settings alone.
pub fn verdict_here(first: &Prepared, second: &Prepared, seeds: u64) -> Verdict {
    let mut options = equivalence::Options { seeds, threads: 2, ..equivalence::Options::default() };
    Surrounding::ALL.into_iter().for_each(|part| options.given.add(part));
    equivalence::compare(first, second, &options, &AtomicU64::new(0))
}

/// Returns the verdict on two levels with the given number of seeds.
pub fn verdict(first: &Prepared, second: &Prepared, seeds: u64) -> Verdict {
    let options = equivalence::Options { seeds, threads: 2, ..equivalence::Options::default() };
    equivalence::compare(first, second, &options, &AtomicU64::new(0))
}
