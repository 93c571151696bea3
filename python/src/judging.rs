//! Judging levels: finds problems in finished levels, and compares two levels.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;
use std::thread;

use pyo3::prelude::*;
use splc_driver::freeze::{FreezeError, freeze as freezing};
use splc_driver::test::{self, Found, Plan};
use splc_equivalence as equivalence;
use splc_equivalence::{Evidence, MadeWith, Proof, Verdict};
use splc_ir::diagnostic::Diagnostics;
use splc_vm::Progress;

use crate::around::{Around, settings};
use crate::diagnostics::{Row, rows};
use crate::level::Level;
use crate::requested::{Requested, Source, input, no_target};
use crate::threads::threads;

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
    #[pyo3(from_py_with = threads)] threads: Option<NonZeroUsize>,
    around: Around,
) -> PyResult<(Vec<Row>, Vec<Finding>)> {
    let mut includes = requested.includes();
    let loaded =
        py.detach(|| splc_driver::load(input(&source), &requested.options, &mut includes)).map_err(no_target)?;
    let settings = settings(around, loaded.target.catalog())?;
    let threads = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    Ok(py.detach(|| {
        let plan = Plan { settings, seeds: first..=last, threads, needs: Default::default(), vary: Default::default() };
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
    #[pyo3(from_py_with = threads)] threads: Option<NonZeroUsize>,
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

/// The source, true if it provably always makes just the level, and the facts that it lacks, and that it adds.
type Frozen = (String, bool, Vec<String>, Vec<String>);

/// The frozen level, or else the reason; the errors of its source.
type Freezing = (Option<Frozen>, String, Vec<Row>);

/// Freezes the level of one seed.
#[pyfunction]
pub fn freeze(py: Python<'_>, level: &Level, seed: u64, around: Around) -> PyResult<Freezing> {
    let settings = settings(around, &level.catalog)?;
    let frozen = py.detach(|| freezing(&level.name, &level.program, &level.catalog, seed, &settings));
    let words = |facts: &[equivalence::Fact]| facts.iter().map(ToString::to_string).collect();
    Ok(match frozen {
        Ok(made) => (Some((made.text, made.proven, words(&made.lost), words(&made.added))), String::new(), Vec::new()),
        Err(FreezeError::Run(error)) => (None, error.to_string(), Vec::new()),
        Err(FreezeError::Unwritable(reason)) => (None, reason.to_string(), Vec::new()),
        Err(FreezeError::Target(error)) => return Err(no_target(error)),
        Err(FreezeError::Source(problem)) => {
            let (diagnostics, sources) = *problem;
            let reason = "the frozen level cannot be compiled".to_owned();
            (None, reason, rows(diagnostics, &sources, &HashMap::new()))
        }
    })
}
