//! Proof that two Lua scripts of one game run the same statements, whatever the loader does with them.
//!
//! The effect of a statement depends only on the level so far and on its arguments, and the script's draws are
//! independent of the loader's. So two scripts generate the same level if they run the same sequences of statements
//! with the same probabilities. The statements are only recorded ([`Machine::record`]), so the script's own draws can
//! be enumerated, however much the loader leaves to chance.

use std::collections::HashMap;

use splc_vm::{Machine, Prepared, Rng, Search, Settings, SplitMix, Surroundings};

use crate::limits::MOST_LIKELY_STATES;
use crate::outcomes::{Outcomes, ways};
use crate::rational::Ratio;

/// Returns `None` if it is unknown whether both scripts run the same statements, and otherwise the parts of the game
/// around the level that the scripts queried. Each script is recorded at most `paths` times.
pub(crate) fn are_same(first: &Prepared, second: &Prepared, settings: &Settings, paths: u64) -> Option<Surroundings> {
    if first.game.catalog != second.game.catalog {
        return None;
    }
    let mut machine = Machine::new();
    if ![first, second].into_iter().all(|level| is_likely_small(level, settings, &mut machine, paths)) {
        return None;
    }
    machine.forget_queried();
    let one = sequences(first, settings, &mut machine, paths)?;
    let two = sequences(second, settings, &mut machine, paths)?;
    (one == two).then(|| machine.queried())
}

/// Returns the probability of each sequence of statements.
fn sequences(level: &Prepared, settings: &Settings, machine: &mut Machine, paths: u64) -> Option<HashMap<u128, Ratio>> {
    let mut outcomes = Outcomes::default();
    let mut sequences: HashMap<u128, Ratio> = HashMap::new();
    for _ in 0..paths {
        let said = machine.record(level, settings, &mut outcomes)?;
        let [probability, _] = outcomes.probability()?;
        let sum = sequences.entry(said).or_insert_with(Ratio::zero);
        *sum = sum.plus(&probability)?;
        if !outcomes.advance() {
            return Some(sequences);
        }
    }
    None
}

/// Returns true if enumerating the script's draws is worth trying.
fn is_likely_small(level: &Prepared, settings: &Settings, machine: &mut Machine, paths: u64) -> bool {
    /// Number of sample runs.
    const LOOKS: u64 = 8;
    (0..LOOKS).any(|seed| {
        let mut counting = Counting { source: SplitMix::new(seed), paths: 1.0 };
        machine.record(level, settings, &mut counting).is_some() && counting.paths <= paths as f64 * MOST_LIKELY_STATES
    })
}

/// Counts the paths of a script as if they all made the same draws.
struct Counting {
    source: SplitMix,
    paths: f64,
}

impl Rng for Counting {
    fn takes_searches(&self) -> bool {
        true
    }

    fn search(&mut self, search: Search) -> Option<usize> {
        self.paths *= ways(&search) as f64;
        let all = (search.good.len() + usize::from(search.bad.is_some())) as u32;
        let taken = self.source.below(all.max(1)) as usize;
        (taken < search.good.len()).then_some(taken)
    }

    fn below(&mut self, below: u32) -> u32 {
        self.paths *= f64::from(below);
        self.source.below(below)
    }
}
