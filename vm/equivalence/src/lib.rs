//! Whether two levels make the same level: of any games, programs or parts.
//!
//! What a level is, is what a player meets: see [`Fact`]. Two levels are the same if they come to the same things with
//! the same probabilities, whatever they draw on the way. There are three answers, and none of them is a guess:
//!
//! - [`Proven`](Verdict::Proven): they have the same code; or every outcome of every draw was tried, from every state
//!   that a run can be in, and each thing that they can come to has exactly the same probability in both; or they are
//!   scripts that say the same statements with the same probabilities.
//! - [`Different`](Verdict::Different): a [`Fact`] is more probable in the one than in the other. If all outcomes were
//!   tried, both probabilities are exact. Else both levels were made with many seeds, independently, and the numbers of
//!   levels in which the fact holds are so far apart that levels which are alike would be called different with a
//!   probability below [`ERROR_PROBABILITY`], all facts that were looked at taken together.
//! - [`NotDecided`](Verdict::NotDecided): neither. It says what was compared, and which differences would have been
//!   found.
//!
//! That two levels come to something else with the same seed is not a difference: they may take their draws in another
//! order. [`draw_for_draw`] asks that stronger question, for translations that should not change a single draw.
//!
//! Names of one game are compared with those of another through [`Names`]. The games' own rules are part of what is
//! compared: each level is made by the rules of the catalog that it was prepared for.
//!
//! What is found depends on the seeds alone, not on the number of threads.

mod behind;
mod certainty;
mod distribution;
mod facts;
mod limits;
mod merged;
mod names;
mod outcomes;
mod rational;
mod sample;
mod statements;
mod together;

use std::sync::atomic::AtomicU64;

use splc_vm::{Machine, Prepared, Settings, SplitMix};

pub use behind::{Example, MadeWith};
pub use certainty::{ERROR_PROBABILITY, OVERSIGHT_PROBABILITY, Power, power};
pub use facts::{Aspect, Fact};
pub use limits::USUAL_PATHS;
pub use names::Names;
pub use rational::Ratio;
pub use together::{Parting, PartingKind, Together};

use distribution::{Compared, Interner};
use facts::Snapshot;
use limits::MOST_LIKELY_STATES;
use merged::{enumerate, is_likely_small};
use sample::{Asked, Counts, judge};

/// How two levels are compared.
#[derive(Clone, Debug)]
pub struct Options {
    /// The game around both.
    pub settings: Settings,
    /// What the names of the first level's game are in the second's.
    pub names: Names,
    /// How many levels are made of each, if trying every outcome would be too much.
    pub seeds: u64,
    /// The first seed: the first level takes `seeds` from there on, the second those behind them.
    pub first_seed: u64,
    /// How many runs may be spent on each level to try every outcome of every draw.
    pub paths: u64,
    /// How many threads make levels.
    pub threads: usize,
    /// When there is enough.
    pub until: Until,
}

/// When levels have been compared enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// As soon as they differ.
    Difference,
    /// With all seeds: so that whatever else differs is found, too.
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
        }
    }
}

/// Whether two levels make the same level.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// They do.
    Proven(Proof),
    /// They do not.
    Different(Box<Difference>),
    /// Nothing is certain.
    NotDecided(Undecided),
}

/// Why two levels are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// They have the same code for the same game.
    SameCode,
    /// They are scripts of one game that say the same statements with the same probabilities, whatever the game makes of
    /// those.
    SameStatements,
    /// Every outcome has the same probability.
    EveryOutcome {
        /// How many different levels they can come to.
        outcomes: u64,
        /// How many ways of drawing lead there, of each.
        paths: [u64; 2],
    },
    /// Every outcome was tried, and the probabilities are the same but for so little that nobody can meet it: the games
    /// give up a search for a place after so many tries, and go on in another way.
    AllBut {
        /// How many different levels they can come to.
        outcomes: u64,
        /// How many ways of drawing lead there, of each.
        paths: [u64; 2],
        /// In how large a share of all levels they part at most.
        apart: Ratio,
    },
}

/// A difference of two levels.
#[derive(Clone, Debug)]
pub struct Difference {
    /// What is more probable in one of them.
    pub fact: Fact,
    /// How probable it is.
    pub evidence: Evidence,
    /// Of each other aspect in which they differ, too, the fact that tells most.
    pub also: Vec<Fact>,
    /// A level of each that shows it: one with the fact, of the side that has it more often, and one without.
    pub examples: [Example; 2],
}

/// How probable a fact is in each of two levels.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// Exactly.
    Exact {
        /// In the first and in the second.
        probabilities: [Ratio; 2],
    },
    /// As far as counting tells.
    Counted {
        /// In how many levels of the first and of the second it held.
        levels: [u64; 2],
        /// Of how many each.
        of: u64,
        /// Levels that are alike are called different with less than this probability.
        error: f64,
    },
}

/// What is known if nothing is certain.
#[derive(Clone, Debug, PartialEq)]
pub struct Undecided {
    /// How many levels of each were compared.
    pub seeds: u64,
    /// In how many facts.
    pub facts: u64,
    /// Which differences would have been found.
    pub power: Power,
    /// What they do with the same draws.
    pub together: Together,
}

/// Compares two levels. `done` counts the levels that are made, while that goes on: three for each seed at most, besides
/// those of every outcome.
pub fn compare(first: &Prepared, second: &Prepared, options: &Options, done: &AtomicU64) -> Verdict {
    if options.names.is_empty() && first.has_code_of(second) {
        return Verdict::Proven(Proof::SameCode);
    }
    let mut machine = Machine::new();
    if let Some(verdict) = every_outcome(first, second, options, &mut machine) {
        return verdict;
    }
    if options.names.is_empty() && statements::are_same(first, second, &options.settings) {
        return Verdict::Proven(Proof::SameStatements);
    }
    let seeds = options.seeds.clamp(1, (u64::MAX - options.first_seed) / 4);
    let same = Names::new();
    let second_seed = options.first_seed + seeds;
    let asked =
        |program, names, first| Asked { program, settings: &options.settings, names, threads: options.threads, first };
    let sides = [asked(first, &options.names, options.first_seed), asked(second, &same, second_seed)];
    let mut counts = [Counts::new(), Counts::new()];
    // A difference that shows soon need not wait for all seeds. Each look has its share of the error.
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
                let Asked { program, names, first, .. } = sides[side];
                seed_that(program, &options.settings, names, first..first + until, &fact, wanted)
            };
            if let (Some(shown), Some(lacking)) = (with(0, one > two), with(1, one <= two)) {
                let evidence = Evidence::Counted { levels: [one, two], of: until, error: ERROR_PROBABILITY };
                let also = found.map(|(fact, ..)| fact).collect();
                return different(first, second, options, (fact, also), evidence, [shown, lacking].map(MadeWith::Seed));
            }
        }
    }
    let range = options.first_seed..options.first_seed + seeds;
    let together = together::seeds(first, second, options, range, done);
    Verdict::NotDecided(Undecided { seeds, facts, power: power(seeds, facts, error), together })
}

/// So many levels are looked at before all are made.
const FIRST_LOOK: u64 = 500;

/// Whether two levels take the same draws and come to the same with them: for translations. If there are not too many
/// ways of drawing, all are tried, else the `seeds` of the options.
pub fn draw_for_draw(first: &Prepared, second: &Prepared, options: &Options, done: &AtomicU64) -> Together {
    if options.names.is_empty() && first.has_code_of(second) {
        return Together::SameCode;
    }
    let likely = together::has_few_paths(first, &options.settings, &mut Machine::new(), options.paths);
    if let Some(answer) = likely.then(|| together::every_path(first, second, options)).flatten() {
        return answer;
    }
    let seeds = options.seeds.clamp(1, u64::MAX - options.first_seed);
    together::seeds(first, second, options, options.first_seed..options.first_seed + seeds, done)
}

/// The verdict if every outcome of both can be tried.
fn every_outcome(first: &Prepared, second: &Prepared, options: &Options, machine: &mut Machine) -> Option<Verdict> {
    let Options { settings, names, paths, .. } = options;
    let most = *paths as f64 * MOST_LIKELY_STATES;
    if ![first, second].into_iter().all(|level| is_likely_small(level, settings, machine, most)) {
        return None;
    }
    let mut interner = Interner::default();
    let one = enumerate(first, settings, names, *paths, machine, &mut interner)?;
    let two = enumerate(second, settings, &Names::new(), *paths, machine, &mut interner)?;
    let paths = [one.paths, two.paths];
    match distribution::difference(&one, &two, &interner)? {
        Compared::AllBut { outcomes, apart } => Some(Verdict::Proven(Proof::AllBut { outcomes, paths, apart })),
        Compared::Different(finding) => {
            let evidence = Evidence::Exact { probabilities: [finding.first, finding.second] };
            let with = finding.draws.map(MadeWith::Draws);
            Some(different(first, second, options, (finding.fact, finding.also), evidence, with))
        }
        Compared::Same => {
            let outcomes = one.outcomes.len() as u64;
            Some(Verdict::Proven(Proof::EveryOutcome { outcomes, paths }))
        }
    }
}

fn different(
    first: &Prepared,
    second: &Prepared,
    options: &Options,
    (fact, also): (Fact, Vec<Fact>),
    evidence: Evidence,
    [with_first, with_second]: [MadeWith; 2],
) -> Verdict {
    let machine = &mut Machine::new();
    let Options { settings, names, .. } = options;
    let examples = [
        behind::example(first, settings, names, &fact, with_first, machine),
        behind::example(second, settings, &Names::new(), &fact, with_second, machine),
    ];
    Verdict::Different(Box::new(Difference { fact, evidence, also, examples }))
}

/// The first seed with which a fact holds, or does not.
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
