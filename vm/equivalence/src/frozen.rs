//! Frozen levels: does a level always make exactly what another makes with one seed?

use std::collections::BTreeSet;

use splc_vm::{Level, Machine, Prepared, ROWS, SplitMix, VmError};

use crate::Options;
use crate::distribution::Interner;
use crate::facts::{Fact, Snapshot, detail_fact, light_fact, terrain_fact};
use crate::merged::enumerate;
use crate::names::Names;

/// The result of comparing a frozen level with the level of one seed.
#[derive(Clone, Debug)]
pub struct Frozen {
    /// Facts of the level of that seed that the frozen level lacks on some run, in order.
    pub lost: Vec<Fact>,
    /// Facts that the frozen level has on some run, but not the level of that seed, in order.
    pub added: Vec<Fact>,
    /// Number of different levels that the frozen level can make. `None` if some seeds showed a difference, or if
    /// trying every outcome would take too long.
    pub outcomes: Option<u64>,
}

impl Frozen {
    /// Returns true if the frozen level makes exactly that level on every run.
    pub fn is_proven(&self) -> bool {
        self.outcomes == Some(1) && self.lost.is_empty() && self.added.is_empty()
    }
}

/// Compares what `frozen` makes with what `level` makes with `seed`. Both must be for the same game.
pub fn compare_frozen(level: &Prepared, seed: u64, frozen: &Prepared, options: &Options) -> Frozen {
    let settings = &options.settings;
    let mut machine = Machine::new();
    let taken = |made: Result<&Level, &VmError>, of: &Prepared| Snapshot::of(made, of.catalog(), &Names::new());
    let made = machine.run(level, settings, &mut SplitMix::new(seed), &mut ());
    let wanted = taken(made.as_ref().map(|level| &**level), level);
    let (mut lost, mut added) = (BTreeSet::new(), BTreeSet::new());
    for seed in 1..=options.seeds {
        let made = machine.run(frozen, settings, &mut SplitMix::new(seed), &mut ());
        let found = taken(made.as_ref().map(|level| &**level), frozen);
        if found != wanted {
            lost.extend(missing(&wanted, &found));
            added.extend(missing(&found, &wanted));
        }
    }
    let mut outcomes = None;
    if lost.is_empty() && added.is_empty() {
        // Its draws hardly matter, so that the states stay few however many draws there are.
        let tried = enumerate(frozen, settings, &Names::new(), options.paths, &mut machine, &mut Interner::default());
        outcomes = tried.map(|tried| tried.outcomes.len() as u64);
    }
    Frozen { lost: lost.into_iter().collect(), added: added.into_iter().collect(), outcomes }
}

/// Returns the facts of one level that another lacks.
fn missing(of: &Snapshot, from: &Snapshot) -> Vec<Fact> {
    let mut all: Vec<Fact> = of.facts.iter().filter(|fact| from.facts.binary_search(fact).is_err()).cloned().collect();
    for (at, one) in of.squares.iter().enumerate() {
        let other = from.squares.get(at).copied().unwrap_or_default();
        let place = (at as i32 / ROWS, at as i32 % ROWS);
        if one.terrain() != other.terrain() {
            all.push(terrain_fact(place, one.terrain()));
        } else if one.detail() != 0 && one.detail() != other.detail() {
            all.push(detail_fact(place, one.terrain(), one.detail()));
        }
        if one.is_lit() && !other.is_lit() {
            all.push(light_fact(place));
        }
    }
    all
}
