//! Comparison of two levels run with the same draws.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use splc_vm::internals::helpers;
use splc_vm::{Exhaustive, Flow, Machine, Observer, Prepared, Recording, Rng, Scripted, Settings, SplitMix, View};

use crate::Options;
use crate::behind::MadeWith;
use crate::facts::{Fact, Snapshot};
use crate::limits::{MAX_RECORDED_DRAWS, MIN_LIKELY_PATHS};
use crate::names::Names;

/// Behaviour of two levels with the same draws.
#[derive(Clone, Debug, PartialEq)]
pub enum Together {
    /// They have the same code for the same game.
    SameCode,
    /// For all draws, both take the same draws and have the same outcome. This is a proof.
    Always {
        /// Number of sequences of draws.
        paths: u64,
    },
    /// They did so for all seeds tried.
    SoFar {
        /// Number of seeds.
        seeds: u64,
    },
    /// They diverge.
    Separated(Box<Parting>),
}

/// The point at which two levels with the same draws diverge. Their distributions may still be equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// Draws of the first level.
    pub with: MadeWith,
    /// Type of the divergence.
    pub kind: PartingKind,
}

/// Type of a divergence.
#[derive(Clone, Debug, PartialEq)]
pub enum PartingKind {
    /// They take different draws.
    Draw {
        /// Number of draws in common.
        number: u64,
        /// Bound of the first level's next draw, and its step; `None` if it draws no more.
        first: Option<(u32, usize)>,
        /// Bound of the second level's next draw, and its step; `None` if it draws no more.
        second: Option<(u32, usize)>,
    },
    /// They take the same draws, but this fact holds in only one of them.
    Outcome(Fact),
}

/// A draw: its bound, its result, and the number of the step.
type Drawn = (u32, u32, usize);

/// Records the draws.
#[derive(Default)]
struct Writer {
    draws: Vec<Drawn>,
    at: usize,
    overfull: bool,
}

impl Observer for Writer {
    fn draw(&mut self, below: i32, result: i32) {
        if self.draws.len() < MAX_RECORDED_DRAWS {
            self.draws.push((below as u32, result as u32, self.at));
        } else {
            self.overfull = true;
        }
    }

    fn step(&mut self, view: &View<'_>) -> Flow {
        self.at = view.at();
        Flow::Continue
    }

    fn finishing(&mut self, view: &View<'_>) {
        self.at = view.at();
    }
}

/// Two programs with separate machines.
struct Pair<'a> {
    programs: [&'a Prepared; 2],
    options: &'a Options,
    machine: Machine,
    writers: [Writer; 2],
}

impl<'a> Pair<'a> {
    fn new(first: &'a Prepared, second: &'a Prepared, options: &'a Options) -> Self {
        let writers = [Writer::default(), Writer::default()];
        Pair { programs: [first, second], options, machine: Machine::new(), writers }
    }

    fn run(&mut self, side: usize, rng: &mut dyn Rng) -> Snapshot {
        let writer = &mut self.writers[side];
        writer.draws.clear();
        (writer.at, writer.overfull) = (0, false);
        let made = self.machine.run(self.programs[side], &self.options.settings, rng, writer);
        let same = Names::new();
        let names = if side == 0 { &self.options.names } else { &same };
        Snapshot::of(made.as_ref().map(|level| *level), self.programs[side].catalog(), names)
    }

    /// Finds the difference between the runs.
    fn parting(&self, first: &Snapshot, second: &Snapshot) -> Option<PartingKind> {
        let [one, two] = &self.writers;
        let alike = one.draws.iter().zip(&two.draws).take_while(|((one, ..), (two, ..))| one == two).count();
        let [one, two] = [one, two].map(|writer| writer.draws.get(alike).map(|&(below, _, at)| (below, at)));
        if one.is_some() || two.is_some() {
            return Some(PartingKind::Draw { number: alike as u64, first: one, second: two });
        }
        first.first_difference(second).map(PartingKind::Outcome)
    }

    /// Returns true if there were too many draws to record them all.
    fn is_overfull(&self) -> bool {
        self.writers.iter().any(|writer| writer.overfull)
    }
}

/// Returns true if trying every path is worthwhile: with far more paths than the limit, all the runs would be wasted.
pub(crate) fn has_few_paths(program: &Prepared, settings: &Settings, machine: &mut Machine, paths: u64) -> bool {
    /// Number of sample runs.
    const LOOKS: u64 = 8;
    let most = paths as f64 * MIN_LIKELY_PATHS;
    (0..LOOKS).any(|seed| {
        let mut rng = Recording::new(SplitMix::new(seed));
        let _ = machine.run(program, settings, &mut rng, &mut ());
        rng.draws().iter().map(|draw| f64::from(draw.below)).product::<f64>() <= most
    })
}

/// Tries every sequence of draws. Returns `None` if there are more than `paths`.
pub(crate) fn every_path(first: &Prepared, second: &Prepared, options: &Options) -> Option<Together> {
    let mut pair = Pair::new(first, second, options);
    let mut rng = Exhaustive::new();
    let mut paths = 0;
    loop {
        if paths == options.paths {
            return None;
        }
        paths += 1;
        let one = pair.run(0, &mut rng);
        if pair.is_overfull() {
            return None;
        }
        let results: Vec<u32> = rng.draws().iter().map(|draw| draw.result).collect();
        let two = pair.run(1, &mut Scripted::new(&results));
        if let Some(kind) = pair.parting(&one, &two) {
            let with = MadeWith::Draws(results.into());
            return Some(Together::Separated(Box::new(Parting { with, kind })));
        }
        if !rng.advance() {
            return Some(Together::Always { paths });
        }
    }
}

/// Tries many seeds. Returns the divergence with the lowest seed.
pub(crate) fn seeds(
    first: &Prepared,
    second: &Prepared,
    options: &Options,
    seeds: Range<u64>,
    done: &AtomicU64,
) -> Together {
    /// Number of seeds that a thread takes at a time.
    const PORTION: u64 = 16;
    let next = AtomicU64::new(seeds.start);
    let separated = AtomicU64::new(seeds.end);
    let work = || {
        let mut pair = Pair::new(first, second, options);
        loop {
            let start = next.fetch_add(PORTION, Ordering::Relaxed);
            if start >= separated.load(Ordering::Relaxed) {
                return;
            }
            for seed in start..(start + PORTION).min(seeds.end) {
                let one = pair.run(0, &mut SplitMix::new(seed));
                let two = pair.run(1, &mut SplitMix::new(seed));
                done.fetch_add(1, Ordering::Relaxed);
                if pair.parting(&one, &two).is_some() {
                    separated.fetch_min(seed, Ordering::Relaxed);
                    break;
                }
            }
        }
    };
    thread::scope(|scope| {
        helpers(scope, options.threads, &work);
        work();
    });
    let seed = separated.into_inner();
    if seed == seeds.end {
        return Together::SoFar { seeds: seeds.end - seeds.start };
    }
    let mut pair = Pair::new(first, second, options);
    let one = pair.run(0, &mut SplitMix::new(seed));
    let two = pair.run(1, &mut SplitMix::new(seed));
    match pair.parting(&one, &two) {
        Some(kind) => Together::Separated(Box::new(Parting { with: MadeWith::Seed(seed), kind })),
        // A run depends on its draws alone, so it always diverges again.
        None => Together::SoFar { seeds: seed - seeds.start },
    }
}
