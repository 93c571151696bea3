//! Judging levels: finds problems in finished levels, and compares two levels.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;
use std::thread;

use pyo3::prelude::*;
use splc_driver::test::{self, Found, Plan};
use splc_equivalence as equivalence;
use splc_equivalence::{Evidence, MadeWith, Proof, Verdict};
use splc_ir::diagnostic::Diagnostics;
use splc_vm::Progress;

use crate::diagnostics::{Row, rows};
use crate::level::{Around, Level, settings};
use crate::requested::{Requested, Source, input, no_target};

/// The diagnostic; level, number of seeds with it, number of all seeds; the first seed, its place, and its picture.
type Finding = (Row, (String, u64, u64), (Option<u64>, Option<(i32, i32)>, Vec<String>));

/// Returns the diagnostics of the source, and the findings in its levels with the seeds from `first` to `last`.
#[pyfunction]
pub fn test_levels(
    py: Python<'_>,
    source: Source,
    requested: &Requested,
    first: u64,
    last: u64,
    threads: Option<NonZeroUsize>,
    around: Around,
) -> PyResult<(Vec<Row>, Vec<Finding>)> {
    let mut includes = requested.includes();
    let loaded =
        py.detach(|| splc_driver::load(input(&source), &requested.options, &mut includes)).map_err(no_target)?;
    let settings = settings(around, loaded.target.catalog())?;
    let threads = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    Ok(py.detach(|| {
        let plan = Plan { settings, seeds: first..=last, threads, needs: Default::default() };
        let progress = Progress::default();
        let mut findings = Vec::new();
        for level in &loaded.levels {
            for found in test::test(&loaded, level, &plan, &requested.options.lints, &progress) {
                let Found { diagnostic, level, seeds, of, first, place, picture, .. } = found;
                let mut one = Diagnostics::new();
                one.push(diagnostic);
                let row = rows(one, &loaded.sources, &HashMap::new()).pop();
                findings.extend(row.map(|row| (row, (level, seeds, of), (first, place, picture))));
            }
        }
        (rows(loaded.diagnostics, &loaded.sources, &HashMap::new()), findings)
    }))
}

/// `proven`, `different` or `not decided`; the reason; a seed of each level that shows a difference, if applicable.
type Answer = (&'static str, String, Option<(u64, u64)>);

/// Compares two levels.
#[pyfunction]
pub fn equiv(
    py: Python<'_>,
    one: &Level,
    other: &Level,
    seeds: u64,
    threads: Option<NonZeroUsize>,
) -> PyResult<Answer> {
    let threads = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let options = equivalence::Options { seeds, threads, ..equivalence::Options::default() };
    let done = AtomicU64::new(0);
    let verdict = py.detach(|| equivalence::compare(&one.program, &other.program, &options, &done));
    let conditions = match &verdict {
        Verdict::Proven(_, conditions) => conditions.in_words(),
        Verdict::Different(difference) => difference.conditions.in_words(),
        Verdict::NotDecided(undecided) => undecided.conditions.in_words(),
    };
    let (answer, words, shown): Answer = match verdict {
        Verdict::Proven(Proof::SameCode, _) => ("proven", "they have the same code".to_owned(), None),
        Verdict::Proven(Proof::SameStatements, _) => {
            ("proven", "they have the same statements with the same probabilities".to_owned(), None)
        }
        Verdict::Proven(Proof::EveryOutcome { outcomes, .. }, _) => {
            ("proven", format!("all {outcomes} possible levels have the same probability in both"), None)
        }
        Verdict::Proven(Proof::AllBut { outcomes, apart, .. }, _) => {
            let words =
                format!("all {outcomes} possible levels have the same probability, except for {apart} in total");
            ("proven", words, None)
        }
        Verdict::Different(difference) => {
            let fact = difference.fact.to_string();
            let how = match &difference.evidence {
                Evidence::Exact { probabilities: [one, other] } => format!("probability {one} and {other}"),
                Evidence::Counted { levels: [one, other], of, .. } => format!("in {one} and {other} of {of} levels"),
            };
            let shown = match (&difference.examples[0].with, &difference.examples[1].with) {
                (MadeWith::Seed(one), MadeWith::Seed(other)) => Some((*one, *other)),
                _ => None,
            };
            ("different", format!("{fact}: {how}"), shown)
        }
        Verdict::NotDecided(undecided) => {
            let words = format!("{} levels of each show no difference in {} facts", undecided.seeds, undecided.facts);
            ("not decided", words, None)
        }
    };
    let words = match conditions {
        Some(conditions) => format!("{words} ({conditions})"),
        None => words,
    };
    Ok((answer, words, shown))
}

/// True if the levels are proven the same, the number of levels if known, and the facts that are lost and added.
type Frozen = (bool, Option<u64>, Vec<String>, Vec<String>);

/// Compares what `frozen` makes with what `level` makes with `seed`: true if it provably always makes just that,
/// the number of levels that it can make if known, and the facts that it lacks, and that it adds.
#[pyfunction]
pub fn compare_frozen(
    py: Python<'_>,
    level: &Level,
    seed: u64,
    frozen: &Level,
    seeds: u64,
    around: Around,
) -> PyResult<Frozen> {
    let settings = settings(around, &level.catalog)?;
    let options = equivalence::Options { seeds, settings, ..equivalence::Options::default() };
    let found = py.detach(|| equivalence::compare_frozen(&level.program, seed, &frozen.program, &options));
    let words = |facts: &[equivalence::Fact]| facts.iter().map(ToString::to_string).collect();
    Ok((found.is_proven(), found.outcomes, words(&found.lost), words(&found.added)))
}
