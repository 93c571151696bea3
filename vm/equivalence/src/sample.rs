//! Frequencies of facts over many seeds.

use splc_ir::order::Order;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use splc_vm::internals::on_each;
use splc_vm::{Machine, Prepared, ROWS, SQUARES, Settings, SplitMix, Surroundings, Terrain};

use crate::certainty::is_significant;
use crate::facts::{Aspect, Fact, Snapshot, detail_fact, light_fact, terrain_fact};
use crate::limits::{MAX_FACTS, MAX_WHOLE_LEVELS};
use crate::names::Names;

/// Frequencies of facts.
///
/// Too many facts are thinned out by their hashes, so that the facts kept depend on the facts alone, not on the order
/// in which they were found: a fact whose level is below [`Counts::thinness`] is dropped.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    pub runs: u64,
    terrain: Vec<u32>,
    lit: Vec<u32>,
    /// For each square, its details with their frequencies.
    details: Vec<Vec<(u32, u32)>>,
    facts: HashMap<Fact, u32>,
    thinness: u32,
    /// Parts of the game that the runs have queried.
    pub queried: Surroundings,
}

/// Returns true if a fact is still counted after thinning out `thinness` times.
fn endures(fact: &Fact, thinness: u32) -> bool {
    let endurance = || {
        let mut hasher = DefaultHasher::new();
        fact.hash(&mut hasher);
        hasher.finish().leading_zeros()
    };
    thinness == 0 || endurance() >= thinness
}

/// Adds to the frequency of a square's detail. A linear search suffices, because squares have few different details.
fn add(details: &mut Vec<(u32, u32)>, detail: u32, count: u32) {
    match details.iter_mut().find(|(known, _)| *known == detail) {
        Some((_, known)) => *known += count,
        None => details.push((detail, count)),
    }
}

fn count_of(details: &[(u32, u32)], detail: u32) -> u32 {
    details.iter().find(|(known, _)| *known == detail).map_or(0, |(_, count)| *count)
}

impl Counts {
    pub fn new() -> Self {
        Counts {
            runs: 0,
            terrain: vec![0; SQUARES * Terrain::ALL.len()],
            lit: vec![0; SQUARES],
            details: vec![Vec::new(); SQUARES],
            facts: HashMap::new(),
            thinness: 0,
            queried: Surroundings::default(),
        }
    }

    fn count(&mut self, snapshot: Snapshot, whole: bool) {
        self.runs += 1;
        for (at, square) in snapshot.squares.iter().enumerate() {
            self.terrain[at * Terrain::ALL.len() + usize::from(square.terrain().number())] += 1;
            self.lit[at] += u32::from(square.is_lit());
            if square.detail() != 0 {
                add(&mut self.details[at], u32::from(square.terrain().number()) << 16 | square.detail(), 1);
            }
        }
        let whole = whole.then(|| snapshot.whole());
        for fact in snapshot.facts.into_iter().chain(whole) {
            if endures(&fact, self.thinness) {
                *self.facts.entry(fact).or_default() += 1;
            }
        }
        self.thin();
    }

    fn thin(&mut self) {
        while self.facts.len() > MAX_FACTS {
            self.thinness += 1;
            let thinness = self.thinness;
            self.facts.retain(|fact, _| endures(fact, thinness));
        }
    }

    fn merge(&mut self, other: Counts) {
        self.runs += other.runs;
        self.queried = self.queried.and(other.queried);
        for (mine, theirs) in [(&mut self.terrain, other.terrain), (&mut self.lit, other.lit)] {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        }
        for (mine, theirs) in self.details.iter_mut().zip(other.details) {
            theirs.into_iter().for_each(|(detail, count)| add(mine, detail, count));
        }
        self.thinness = self.thinness.max(other.thinness);
        let thinness = self.thinness;
        self.facts.retain(|fact, _| endures(fact, thinness));
        for (fact, count) in other.facts {
            if endures(&fact, thinness) {
                *self.facts.entry(fact).or_default() += count;
            }
        }
        self.thin();
    }

    /// Runs the level with these seeds as well.
    pub fn gather(&mut self, requested: &Requested<'_>, seeds: Range<u64>, done: &AtomicU64) {
        /// Number of seeds that a thread takes at a time.
        const PORTION: u64 = 16;
        let next = AtomicU64::new(seeds.start);
        let work = || {
            let mut machine = Machine::new();
            let mut counts = Counts::new();
            loop {
                let start = next.fetch_add(PORTION, Ordering::Relaxed);
                if start >= seeds.end {
                    counts.queried = machine.queried();
                    return counts;
                }
                for seed in start..(start + PORTION).min(seeds.end) {
                    let made = machine.run(requested.program, requested.settings, &mut SplitMix::new(seed), &mut ());
                    let made = made.as_ref().map(|level| *level);
                    let snapshot = Snapshot::of(made, requested.program.catalog(), requested.names);
                    counts.count(snapshot, seed - requested.first < MAX_WHOLE_LEVELS);
                    done.fetch_add(1, Ordering::Relaxed);
                }
            }
        };
        self.merge(on_each(requested.threads, work, Counts::merge));
    }
}

/// One side of a comparison.
pub(crate) struct Requested<'a> {
    pub program: &'a Prepared,
    pub settings: &'a Settings,
    pub names: &'a Names,
    pub threads: usize,
    /// First seed of this side.
    pub first: u64,
}

/// Result of comparing the counts of two levels.
pub(crate) struct Judged {
    /// Number of facts compared.
    pub facts: u64,
    /// Facts that distinguish the levels, with the count of each level: for each aspect the most telling fact, sorted
    /// with the most telling of all first.
    pub found: Vec<(Fact, u64, u64)>,
}

/// Compares the counts of two levels that were run equally often. `error` is the total error probability.
pub(crate) fn judge(one: &Counts, two: &Counts, error: f64) -> Judged {
    let thinness = one.thinness.max(two.thinness);
    let squares = 0..SQUARES;
    let terrains = Terrain::ALL.len();
    let place = |at: usize| (at as i32 / ROWS, at as i32 % ROWS);
    // A comparison of facts that hold in every level cannot fail, but counting them is harmless.
    let met = one.terrain.iter().zip(&two.terrain).chain(one.lit.iter().zip(&two.lit));
    let mut facts = met.filter(|(one, two)| **one + **two > 0).count() as u64;
    let mut details: Vec<(usize, u32)> = Vec::new();
    for (at, (one, two)) in one.details.iter().zip(&two.details).enumerate() {
        details.extend(one.iter().chain(two).map(|(detail, _)| (at, *detail)));
    }
    details.sort_unstable();
    details.dedup();
    let mut things: Vec<&Fact> =
        one.facts.keys().chain(two.facts.keys()).filter(|fact| endures(fact, thinness)).collect();
    things.sort_unstable();
    things.dedup();
    // The facts thinned out might have been compared too, so their estimated number counts, twice over.
    facts += details.len() as u64 + ((things.len() as u64) << (if thinness > 0 { thinness + 1 } else { 0 }));
    let mut best: BTreeMap<Aspect, (u64, Fact, u64, u64)> = BTreeMap::new();
    let mut consider = |aspect: Aspect, first: u32, second: u32, fact: &dyn Fn() -> Fact| {
        let (first, second) = (u64::from(first), u64::from(second));
        if first == second || !is_significant(first, second, one.runs, facts, error) {
            return;
        }
        let distance = first.abs_diff(second);
        let known = best.get(&aspect);
        if known.is_some_and(|(most, ..)| distance < *most) {
            return;
        }
        let fact = fact();
        if known.is_none_or(|(most, known, ..)| distance > *most || fact.rank() < known.rank()) {
            best.insert(aspect, (distance, fact, first, second));
        }
    };
    for at in squares {
        for &terrain in Terrain::ALL {
            let key = at * terrains + usize::from(terrain.number());
            consider(Aspect::Terrain, one.terrain[key], two.terrain[key], &|| terrain_fact(place(at), terrain));
        }
        consider(Aspect::Light, one.lit[at], two.lit[at], &|| light_fact(place(at)));
    }
    for &(at, detail) in &details {
        let terrain = Terrain::ALL.get((detail >> 16) as usize).copied().unwrap_or_default();
        let counts = [&one.details[at], &two.details[at]].map(|details| count_of(details, detail));
        consider(Aspect::Feature, counts[0], counts[1], &|| detail_fact(place(at), terrain, detail & 0xffff));
    }
    let count_of = |map: &HashMap<Fact, u32>, fact: &Fact| map.get(fact).copied().unwrap_or(0);
    for fact in things {
        consider(fact.aspect, count_of(&one.facts, fact), count_of(&two.facts, fact), &|| fact.clone());
    }
    let mut found: Vec<(u64, Fact, u64, u64)> = best.into_values().collect();
    found.order_by(|(one, fact, ..), (other, another, ..)| {
        other.cmp(one).then_with(|| fact.rank().cmp(&another.rank()))
    });
    Judged { facts, found: found.into_iter().map(|(_, fact, first, second)| (fact, first, second)).collect() }
}
