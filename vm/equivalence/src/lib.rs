//! Comparison of two levels, of any games, as programs or parts.
//!
//! A level is defined by what a player meets in it: see [`Fact`]. Two levels are the same if they have the same
//! outcomes with the same probabilities, whatever draws they take on the way. There are three verdicts, and none of
//! them is a guess:
//!
//! - [`Proven`](Verdict::Proven): they have the same code; or every outcome of every draw was tried, from every state
//!   that a run can be in, and each outcome has exactly the same probability in both; or they are scripts that run
//!   the same statements with the same probabilities.
//! - [`Different`](Verdict::Different): a [`Fact`] is more probable in one level than in the other. If all outcomes
//!   were tried, both probabilities are exact. Otherwise both levels were run with many seeds, independently, and the
//!   numbers of levels in which the fact holds are too far apart for chance: identical levels would be called
//!   different with a probability below [`ERROR_PROBABILITY`], over all facts examined.
//! - [`NotDecided`](Verdict::NotDecided): neither. The verdict lists what was compared, and the size of differences
//!   that would have been found.
//!
//! Different levels from the same seed are not a difference: the two may take their draws in another order.
//! [`draw_for_draw`] checks this stricter condition, for translations that should not change a single draw.
//!
//! Names of one game are compared with those of another through [`Names`]. The games' own rules are part of the
//! comparison: each level runs by the rules of the catalog that it was prepared for.
//!
//! The result depends on the seeds only, not on the number of threads.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod behind;
mod certainty;
mod conditions;
mod distribution;
mod facts;
mod frozen;
mod limits;
mod lockstep;
mod merged;
mod names;
mod outcomes;
mod rational;
mod recorded;
mod sample;
mod statements;
mod together;

use std::sync::atomic::AtomicU64;

use splc_vm::{Machine, Prepared, Settings, SplitMix, Surroundings};

pub use behind::{Example, MadeWith};
pub use certainty::{ERROR_PROBABILITY, OVERSIGHT_PROBABILITY, Power, is_significant, power};
pub use conditions::Conditions;
pub use facts::{Aspect, Fact};
pub use frozen::{Frozen, compare_frozen};
pub use limits::USUAL_PATHS;
pub use names::Names;
pub use rational::Ratio;
pub use together::{Parting, PartingKind, Together};

use conditions::cases;
use distribution::{Compared, Interner};
use facts::Snapshot;
use limits::{CASES_TAKE, MAX_CASES, MOST_LIKELY_STATES};
use merged::{enumerate, is_likely_small};
use sample::{Counts, Requested, judge};

/// Options of a comparison.
#[derive(Clone, Debug)]
pub struct Options {
    /// The game around both levels.
    pub settings: Settings,
    /// Mapping from names of the first level's game to those of the second's.
    pub names: Names,
    /// Number of runs of each level, if trying every outcome would take too long.
    pub seeds: u64,
    /// First seed. The first level takes `seeds` seeds from there, the second those after them. The last four billion
    /// seeds are not used: a later first seed counts as the last that leaves room.
    pub first_seed: u64,
    /// Maximum number of runs spent on each level to try every outcome of every draw.
    pub paths: u64,
    /// Number of threads.
    pub threads: usize,
    /// Condition for ending the comparison.
    pub until: Until,
    /// Parts of the settings that are given: a proof does not go through their other values.
    pub given: Surroundings,
}

/// Condition for ending a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// At the first difference.
    Difference,
    /// After all seeds, so that further differences are found too.
    Seeds,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            settings: Settings::default(),
            names: Names::new(),
            seeds: 10_000,
            first_seed: 1,
            paths: USUAL_PATHS,
            threads: 1,
            until: Until::Difference,
            given: Surroundings::default(),
        }
    }
}

impl Options {
    /// Returns the options with a mapping of the games' own terrain.
    fn between(&self, first: &Prepared, second: &Prepared) -> Options {
        let mut options = self.clone();
        let (first, second) = (first.catalog(), second.catalog());
        if first.name != second.name {
            options.names.own_types(first, second);
        }
        options
    }

    /// Returns the first seed and the number of seeds of each of `sides`, one after the other.
    fn range(&self, sides: u64) -> (u64, u64) {
        // Threads count beyond the last seed, and must not overflow.
        const END: u64 = u64::MAX - (1 << 32);
        let first = self.first_seed.min(END - sides);
        (first, self.seeds.clamp(1, (END - first) / sides))
    }
}

/// Result of comparing two levels.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// They are the same.
    Proven(Proof, Conditions),
    /// They are different.
    Different(Box<Difference>),
    /// Nothing is certain.
    NotDecided(Undecided),
}

/// Proof that two levels are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// They have the same code for the same game.
    SameCode,
    /// They are scripts of one game that run the same statements with the same probabilities, whatever the game does
    /// with them.
    SameStatements,
    /// Every outcome has the same probability.
    EveryOutcome {
        /// Number of different outcomes.
        outcomes: u64,
        /// Number of sequences of draws of each level.
        paths: [u64; 2],
    },
    /// Every outcome was tried, and the probabilities are the same except for a negligible part. It arises because the
    /// games give up a search for a place after a number of tries and continue differently.
    AllBut {
        /// Number of different outcomes.
        outcomes: u64,
        /// Number of sequences of draws of each level.
        paths: [u64; 2],
        /// Upper bound on the share of all levels in which they differ.
        apart: Ratio,
    },
}

/// A difference between two levels.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The fact that is more probable in one of them.
    pub fact: Fact,
    /// Its probabilities.
    pub evidence: Evidence,
    /// For each other aspect that also differs, the most telling fact.
    pub also: Vec<Fact>,
    /// The games for which it was found.
    pub conditions: Conditions,
    /// Set if the levels would be the same if the loader never gave up a search for a place.
    pub by_searches: bool,
    /// An example of each level: one with the fact, from the level that has it more often, and one without.
    pub examples: [Example; 2],
}

/// Probability of a fact in each of two levels.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// Exact probabilities.
    Exact {
        /// In the first and in the second level.
        probabilities: [Ratio; 2],
    },
    /// Estimated by counting.
    Counted {
        /// Number of runs of the first and of the second level in which it holds.
        levels: [u64; 2],
        /// Number of runs of each level.
        of: u64,
        /// Upper bound on the probability that identical levels are called different.
        error: f64,
    },
}

/// Results if nothing is certain.
#[derive(Clone, Debug, PartialEq)]
pub struct Undecided {
    /// Number of runs of each level.
    pub seeds: u64,
    /// Number of facts compared.
    pub facts: u64,
    /// Differences that would have been found.
    pub power: Power,
    /// Comparison with equal draws.
    pub together: Together,
    /// The games for which the levels were compared.
    pub conditions: Conditions,
}

/// Compares two levels. `done` counts the runs while they are made: at most three for each seed, in addition to those
/// for every outcome.
pub fn compare(first: &Prepared, second: &Prepared, options: &Options, done: &AtomicU64) -> Verdict {
    let options = &options.between(first, second);
    if options.names.is_empty() && first.has_code_of(second) {
        return Verdict::Proven(Proof::SameCode, Conditions::default());
    }
    if options.names.is_empty() && lockstep::are_same(first, second, &options.settings) {
        return Verdict::Proven(Proof::SameStatements, Conditions::default());
    }
    let mut machine = Machine::new();
    let outcome = every_outcome(first, second, options, &options.settings, options.paths, &mut machine);
    if let Some(Tried { verdict: Tries::Different(difference), .. }) = outcome {
        return Verdict::Different(difference);
    }
    let by_outcome = match outcome {
        Some(Tried { verdict: Tries::Proven(proof), requested, .. }) if requested.is_empty() => {
            return Verdict::Proven(proof, Conditions::default());
        }
        tried => tried,
    };
    let by_statement =
        if options.names.is_empty() { same_statements(first, second, &options.settings, options.paths) } else { None };
    if let Some(requested) = by_statement {
        return in_games(first, second, options, requested, MAX_CASES, Proof::SameStatements, |settings| {
            if let Some(requested) = same_statements(first, second, settings, options.paths) {
                return Some(Tried { verdict: Tries::Proven(Proof::SameStatements), requested, runs: 0 });
            }
            let tried = every_outcome(first, second, options, settings, options.paths, &mut machine)?;
            matches!(tried.verdict, Tries::Different(_)).then_some(tried)
        });
    }
    if let Some(Tried { verdict: Tries::Proven(proof), requested, runs }) = by_outcome {
        let mut left = options.paths.saturating_mul(CASES_TAKE);
        let most = usize::try_from(left / runs.max(1)).unwrap_or(usize::MAX);
        let verdict = in_games(first, second, options, requested, most, proof, |settings| {
            let tried = every_outcome(first, second, options, settings, left.min(options.paths), &mut machine)?;
            left = left.saturating_sub(tried.runs);
            Some(tried)
        });
        return verdict;
    }
    counted(first, second, options, &options.settings, done)
}

/// Returns the parts of the game that two scripts queried, if they run the same statements.
fn same_statements(first: &Prepared, second: &Prepared, settings: &Settings, paths: u64) -> Option<Surroundings> {
    statements::are_same(first, second, settings, paths).or_else(|| recorded::are_same(first, second, settings, paths))
}

/// Compares two levels by counting.
fn counted(first: &Prepared, second: &Prepared, options: &Options, settings: &Settings, done: &AtomicU64) -> Verdict {
    // The second side runs the seeds after those of the first.
    let (first_seed, seeds) = options.range(2);
    let same = Names::new();
    let second_seed = first_seed + seeds;
    let requested = |program, names, first| Requested { program, settings, names, threads: options.threads, first };
    let sides = [requested(first, &options.names, first_seed), requested(second, &same, second_seed)];
    let mut counts = [Counts::new(), Counts::new()];
    // A clear difference is found before all seeds are run. Each check has its share of the error probability.
    let soon = options.until == Until::Difference && seeds > 2 * FIRST_LOOK;
    let looks: &[u64] = if soon { &[FIRST_LOOK, seeds] } else { &[seeds] };
    let error = ERROR_PROBABILITY / looks.len() as f64;
    let mut facts = 0;
    for &until in looks {
        for (side, counts) in sides.iter().zip(&mut counts) {
            counts.gather(side, side.first + counts.runs..side.first + until, done);
        }
        let judged = judge(&counts[0], &counts[1], error);
        facts = judged.facts;
        let mut found = judged.found.into_iter();
        if let Some((fact, one, two)) = found.next() {
            let with = |side: usize, wanted: bool| {
                let Requested { program, names, first, .. } = sides[side];
                seed_that(program, settings, names, first..first + until, &fact, wanted)
            };
            if let (Some(shown), Some(lacking)) = (with(0, one > two), with(1, one <= two)) {
                let evidence = Evidence::Counted { levels: [one, two], of: until, error: ERROR_PROBABILITY };
                let also = found.map(|(fact, ..)| fact).collect();
                let with = [shown, lacking].map(MadeWith::Seed);
                let requested = counts[0].queried.and(counts[1].queried);
                let found = (fact, also);
                let different = different(first, second, options, settings, found, evidence, with, requested);
                return Verdict::Different(different);
            }
        }
    }
    let together = together::seeds(first, second, options, first_seed..first_seed + seeds, done);
    let requested = counts[0].queried.and(counts[1].queried);
    let conditions = Conditions::fixed(requested, settings);
    Verdict::NotDecided(Undecided { seeds, facts, power: power(seeds, facts, error), together, conditions })
}

/// Number of runs before the first check.
const FIRST_LOOK: u64 = 500;

/// Checks that two levels take the same draws and get the same results from them, for translations. If there are few
/// enough sequences of draws, all are tried, otherwise the `seeds` of the options.
pub fn draw_for_draw(first: &Prepared, second: &Prepared, options: &Options, done: &AtomicU64) -> Together {
    let options = &options.between(first, second);
    if options.names.is_empty() && first.has_code_of(second) {
        return Together::SameCode;
    }
    let likely = together::has_few_paths(first, &options.settings, &mut Machine::new(), options.paths);
    if let Some(answer) = likely.then(|| together::every_path(first, second, options)).flatten() {
        return answer;
    }
    let (first_seed, seeds) = options.range(1);
    together::seeds(first, second, options, first_seed..first_seed + seeds, done)
}

/// Verdict from trying every outcome of both levels, or `None` if there are too many.
fn every_outcome(
    first: &Prepared,
    second: &Prepared,
    options: &Options,
    settings: &Settings,
    runs: u64,
    machine: &mut Machine,
) -> Option<Tried> {
    let names = &options.names;
    let most = runs as f64 * MOST_LIKELY_STATES;
    if ![first, second].into_iter().all(|level| is_likely_small(level, settings, machine, most)) {
        return None;
    }
    let mut interner = Interner::default();
    machine.forget_queried();
    let one = enumerate(first, settings, names, runs, machine, &mut interner)?;
    let two = enumerate(second, settings, &Names::new(), runs, machine, &mut interner)?;
    let requested = machine.queried();
    let paths = [one.paths, two.paths];
    let verdict = match distribution::difference(&one, &two, &interner)? {
        Compared::AllBut { outcomes, apart } => Tries::Proven(Proof::AllBut { outcomes, paths, apart }),
        Compared::Different(finding) => {
            let evidence = Evidence::Exact { probabilities: [finding.first, finding.second] };
            let with = finding.draws.map(MadeWith::Draws);
            let found = (finding.fact, finding.also);
            let mut difference = different(first, second, options, settings, found, evidence, with, requested);
            difference.by_searches = finding.by_searches;
            Tries::Different(difference)
        }
        Compared::Same => {
            let outcomes = one.outcomes.len() as u64;
            Tries::Proven(Proof::EveryOutcome { outcomes, paths })
        }
    };
    Some(Tried { verdict, requested, runs: one.runs + two.runs })
}

/// Result of a comparison in one game.
enum Tries {
    Proven(Proof),
    Different(Box<Difference>),
}

/// Result of trying every outcome in one game, with the parts of the game that the levels queried.
struct Tried {
    verdict: Tries,
    requested: Surroundings,
    /// Number of runs that it took.
    runs: u64,
}

/// Extends a proof to all games in which the levels can be: those with other values of the parts `asked` for. `proves`
/// compares the levels in another game; `None` means that it cannot.
fn in_games(
    first: &Prepared,
    second: &Prepared,
    options: &Options,
    mut requested: Surroundings,
    most: usize,
    mut proof: Proof,
    mut proves: impl FnMut(&Settings) -> Option<Tried>,
) -> Verdict {
    let Options { settings, given, .. } = options;
    let mut games = cases(settings, requested, *given, [first, second], most);
    let mut at = 0;
    while let Some(game) = games.settings.get(at) {
        at += 1;
        match proves(game) {
            Some(Tried { verdict: Tries::Proven(other), requested: here, .. }) => {
                proof = proof.and(other);
                // In another game, the levels may query more.
                if requested.and(here) != requested {
                    requested = requested.and(here);
                    games = cases(settings, requested, *given, [first, second], most);
                    at = 0;
                }
            }
            Some(Tried { verdict: Tries::Different(difference), .. }) => return Verdict::Different(difference),
            // Too many outcomes: a difference may still be found by counting.
            None => match counted(first, second, options, game, &AtomicU64::new(0)) {
                Verdict::Different(difference) => return Verdict::Different(difference),
                _ => return Verdict::Proven(proof, Conditions::fixed(requested, settings)),
            },
        }
    }
    Verdict::Proven(proof, games.conditions)
}

impl Proof {
    /// Returns the weaker of two proofs.
    fn and(self, other: Proof) -> Proof {
        match (&self, &other) {
            (Proof::AllBut { apart, .. }, Proof::AllBut { apart: more, .. }) if more > apart => other,
            (Proof::EveryOutcome { .. }, Proof::AllBut { .. }) => other,
            _ => self,
        }
    }
}

#[allow(clippy::too_many_arguments)]
fn different(
    first: &Prepared,
    second: &Prepared,
    options: &Options,
    settings: &Settings,
    (fact, also): (Fact, Vec<Fact>),
    evidence: Evidence,
    [with_first, with_second]: [MadeWith; 2],
    requested: Surroundings,
) -> Box<Difference> {
    let machine = &mut Machine::new();
    let names = &options.names;
    let conditions = Conditions::fixed(requested, settings);
    let examples = [
        behind::example(first, settings, names, &fact, with_first, machine),
        behind::example(second, settings, &Names::new(), &fact, with_second, machine),
    ];
    let in_words = |fact: Fact| Fact { what: names.with_names(&fact.what, first.catalog(), second.catalog()), ..fact };
    let (fact, also) = (in_words(fact), also.into_iter().map(in_words).collect());
    Box::new(Difference { fact, evidence, also, conditions, by_searches: false, examples })
}

/// First seed with which a fact holds or does not hold.
fn seed_that(
    program: &Prepared,
    settings: &Settings,
    names: &Names,
    seeds: std::ops::Range<u64>,
    fact: &Fact,
    wanted: bool,
) -> Option<u64> {
    let mut machine = Machine::new();
    let mut holds = |seed: u64| {
        let made = machine.run(program, settings, &mut SplitMix::new(seed), &mut ());
        Snapshot::of(made.as_ref().map(|level| *level), program.catalog(), names).has(fact)
    };
    seeds.into_iter().find(|&seed| holds(seed) == wanted)
}
