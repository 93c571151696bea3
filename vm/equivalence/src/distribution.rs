//! Exact distributions of the outcomes of two levels, and their differences.

use splc_ir::order::Order;
use std::collections::{BTreeMap, HashMap, HashSet};

use num_bigint::BigUint;
use num_integer::Integer;
use splc_vm::{ROWS, SQUARES};

use crate::facts::{Aspect, Fact, Snapshot, Square, detail_fact, light_fact, terrain_fact};
use crate::limits::{MAX_CORRELATION_STEPS, MAX_PROBABILITY_BITS, NEGLIGIBLE_ONE_IN};
use crate::rational::Ratio;

/// Numbers for columns and facts, which most outcomes share.
#[derive(Default)]
pub(crate) struct Interner {
    columns: HashMap<Box<[Square]>, u32>,
    column_list: Vec<Box<[Square]>>,
    facts: HashMap<Fact, u32>,
    fact_list: Vec<Fact>,
}

impl Interner {
    /// Converts a snapshot to numbers: its columns, then its facts in order.
    pub fn outcome(&mut self, snapshot: &Snapshot) -> Outcome {
        let columns = snapshot.squares.chunks(ROWS as usize).map(|column| {
            if let Some(&known) = self.columns.get(column) {
                return known;
            }
            let number = self.column_list.len() as u32;
            self.column_list.push(column.into());
            self.columns.insert(column.into(), number);
            number
        });
        let columns = columns.collect();
        let facts = snapshot.facts.iter().map(|fact| {
            if let Some(&known) = self.facts.get(fact) {
                return known;
            }
            let number = self.fact_list.len() as u32;
            self.fact_list.push(fact.clone());
            self.facts.insert(fact.clone(), number);
            number
        });
        Outcome { columns, facts: facts.collect() }
    }
}

/// Outcome of a run, as numbers of an [`Interner`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Outcome {
    /// Empty if the run failed.
    columns: Box<[u32]>,
    facts: Box<[u32]>,
}

/// Probability of an outcome, and draws that lead to it.
pub(crate) struct Weight {
    /// The probability, and the same if no search for a place failed that can succeed.
    pub probability: [Ratio; 2],
    pub draws: Box<[u32]>,
}

/// Distribution of a level's outcomes.
pub(crate) struct Distribution {
    pub outcomes: BTreeMap<Outcome, Weight>,
    /// Number of sequences of draws.
    pub paths: u64,
    /// Number of runs that it took to find them.
    pub runs: u64,
}

impl Distribution {
    /// Probability of the outcomes that satisfy a condition.
    fn probability_of(&self, has: impl Fn(&Outcome) -> bool) -> Option<Ratio> {
        let mut with = self.outcomes.iter().filter(|(outcome, _)| has(outcome));
        with.try_fold(Ratio::zero(), |sum, (_, weight)| sum.plus(&weight.probability[0]))
    }
}

/// A fact whose probabilities differ, with both probabilities, and draws that show it: those of the first level, then
/// of the second.
pub(crate) struct Finding {
    pub fact: Fact,
    pub first: Ratio,
    pub second: Ratio,
    /// The most telling fact of each other aspect.
    pub also: Vec<Fact>,
    /// Set if the levels would be the same if no search for a place failed.
    pub by_searches: bool,
    pub draws: [Box<[u32]>; 2],
}

/// Result of comparing two distributions.
pub(crate) enum Compared {
    /// Every outcome has the same probability.
    Same,
    /// The probabilities would be equal if no search for a place failed, and so few fail that the difference is
    /// [negligible](NEGLIGIBLE_ONE_IN).
    AllBut { outcomes: u64, apart: Ratio },
    /// A fact differs: the most telling one, and the simplest of equally telling ones.
    Different(Box<Finding>),
}

/// Probabilities of two distributions as multiples of a common unit, which makes sums exact and cheap.
struct Weights<'d> {
    of: BTreeMap<&'d Outcome, [BigUint; 2]>,
    unit: BigUint,
}

impl<'d> Weights<'d> {
    /// Returns `None` if the common unit is too large.
    fn new(both: [&'d Distribution; 2], which: usize) -> Option<Self> {
        let mut unit = BigUint::from(1_u32);
        for weight in both.iter().flat_map(|distribution| distribution.outcomes.values()) {
            let denominator = weight.probability[which].denominator();
            if !unit.is_multiple_of(denominator) {
                unit = unit.lcm(denominator);
                if unit.bits() > MAX_PROBABILITY_BITS {
                    return None;
                }
            }
        }
        let mut of: BTreeMap<&Outcome, [BigUint; 2]> = BTreeMap::new();
        for (side, distribution) in both.into_iter().enumerate() {
            for (outcome, Weight { probability, .. }) in &distribution.outcomes {
                let units = probability[which].numerator() * (&unit / probability[which].denominator());
                of.entry(outcome).or_default()[side] = units;
            }
        }
        Some(Weights { of, unit })
    }

    fn ratio(&self, units: BigUint) -> Option<Ratio> {
        Ratio::new(units, self.unit.clone())
    }
}

fn distance([one, other]: &[BigUint; 2]) -> BigUint {
    if one < other { other - one } else { one - other }
}

/// Compares two distributions. Returns `None` if a number is too large.
pub(crate) fn difference(one: &Distribution, two: &Distribution, interner: &Interner) -> Option<Compared> {
    const REAL: usize = 0;
    const IDEAL: usize = 1;
    let real = Weights::new([one, two], REAL)?;
    if real.of.values().all(|[first, second]| first == second) {
        return Some(Compared::Same);
    }
    let ideal = Weights::new([one, two], IDEAL)?;
    let is_alike = ideal.of.values().all(|[first, second]| first == second);
    if is_alike {
        // Every excess of one side is a deficit elsewhere, so each difference counts twice.
        let apart = real.of.values().map(distance).sum::<BigUint>();
        if &apart * NEGLIGIBLE_ONE_IN < &real.unit * 2_u32 {
            let apart = Ratio::new(apart, &real.unit * 2_u32)?;
            return Some(Compared::AllBut { outcomes: real.of.len() as u64, apart });
        }
    }
    // A difference without failed searches is not hidden by theirs.
    let weights = if is_alike { real } else { ideal };
    let (&whole, whole_weights) = weights.of.iter().find(|(_, [first, second])| first != second)?;
    let mut best: BTreeMap<Aspect, (BigUint, Fact, [BigUint; 2])> = BTreeMap::new();
    let mut consider = |fact: Fact, both: [BigUint; 2]| {
        let distance = distance(&both);
        if distance == BigUint::ZERO {
            return;
        }
        let better = best
            .get(&fact.aspect)
            .is_none_or(|(most, known, ..)| distance > *most || (distance == *most && fact.rank() < known.rank()));
        if better {
            best.insert(fact.aspect, (distance, fact, both));
        }
    };
    // Probabilities of each fact and each column on both sides.
    let mut facts: BTreeMap<u32, [BigUint; 2]> = BTreeMap::new();
    let mut columns: BTreeMap<(usize, u32), [BigUint; 2]> = BTreeMap::new();
    for (outcome, both) in &weights.of {
        for &fact in &outcome.facts {
            add(facts.entry(fact).or_default(), both);
        }
        for (at, &column) in outcome.columns.iter().enumerate() {
            add(columns.entry((at, column)).or_default(), both);
        }
    }
    for (fact, both) in facts {
        consider(interner.fact_list[fact as usize].clone(), both);
    }
    for x in 0..SQUARES / ROWS as usize {
        let here: Vec<(&[Square], &[BigUint; 2])> = columns
            .range((x, 0)..=(x, u32::MAX))
            .map(|(&(_, id), both)| (&*interner.column_list[id as usize], both))
            .collect();
        if here.iter().all(|(_, [first, second])| first == second) {
            continue;
        }
        for y in 0..ROWS as usize {
            let mut of_square: BTreeMap<Fact, [BigUint; 2]> = BTreeMap::new();
            for (column, both) in &here {
                let (square, place) = (column[y], (x as i32, y as i32));
                let mut facts = vec![terrain_fact(place, square.terrain())];
                if square.is_lit() {
                    facts.push(light_fact(place));
                }
                if square.detail() != 0 {
                    facts.push(detail_fact(place, square.terrain(), square.detail()));
                }
                for fact in facts {
                    add(of_square.entry(fact).or_default(), both);
                }
            }
            for (fact, both) in of_square {
                consider(fact, both);
            }
        }
    }
    let mut best: Vec<(BigUint, Fact, [BigUint; 2])> = best.into_values().collect();
    best.order_by(|(one, fact, ..), (other, another, ..)| {
        other.cmp(one).then_with(|| fact.rank().cmp(&another.rank()))
    });
    let mut best = best.into_iter();
    let mut together = Vec::new();
    let (fact, [first, second], also) = match best.next() {
        Some((_, fact, both)) => (fact, both, best.map(|(_, fact, ..)| fact).collect()),
        // Every single fact is equally likely, but not their combination.
        None => match correlation(&weights, interner) {
            Some((facts, both)) => {
                let what: Vec<String> = facts.iter().map(ToString::to_string).collect();
                together = facts;
                let what = what.join(" together with ");
                (Fact { aspect: Aspect::Whole, place: None, what, count: 1 }, both, Vec::new())
            }
            None => (interner.snapshot(whole).whole(), whole_weights.clone(), Vec::new()),
        },
    };
    let has = |outcome: &Outcome| match fact.aspect {
        Aspect::Whole if together.is_empty() => outcome == whole,
        Aspect::Whole => {
            let snapshot = interner.snapshot(outcome);
            together.iter().all(|fact| snapshot.has(fact))
        }
        _ => interner.snapshot(outcome).has(&fact),
    };
    let draws = examples(one, two, first > second, has)?;
    let (first, second) = match is_alike {
        true => (weights.ratio(first)?, weights.ratio(second)?),
        false => (one.probability_of(has)?, two.probability_of(has)?),
    };
    Some(Compared::Different(Box::new(Finding { fact, first, second, also, by_searches: is_alike, draws })))
}

/// Returns the fewest facts that are together more probable in one level than in the other, though each of them is
/// equally probable in both, with the probabilities. `None` if there are too many outcomes or facts to compare.
fn correlation(weights: &Weights<'_>, interner: &Interner) -> Option<(Vec<Fact>, [BigUint; 2])> {
    let differs = |both: &[BigUint; 2]| both[0] != both[1];
    let snapshots: Vec<(Snapshot, &[BigUint; 2])> =
        weights.of.iter().map(|(outcome, both)| (interner.snapshot(outcome), both)).collect();
    let differing = snapshots.iter().filter(|(_, both)| differs(both)).map(|(snapshot, _)| snapshot);
    // All varying facts of an outcome, of which no other differing outcome has more, differ together.
    let (first, _) = snapshots.first()?;
    let mut varies = vec![false; first.squares.len()];
    for (snapshot, _) in &snapshots {
        if snapshot.squares.len() != varies.len() {
            return None;
        }
        let squares = snapshot.squares.iter().zip(&first.squares);
        squares.zip(&mut varies).for_each(|((square, first), varies)| *varies |= square != first);
    }
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for &fact in weights.of.keys().flat_map(|outcome| &outcome.facts) {
        *counts.entry(fact).or_default() += 1;
    }
    let always: HashSet<&Fact> = counts
        .iter()
        .filter(|(_, count)| **count == snapshots.len())
        .map(|(&fact, _)| &interner.fact_list[fact as usize])
        .collect();
    let facts_of = |snapshot: &Snapshot| -> Vec<Fact> {
        let facts = snapshot.facts.iter().filter(|fact| !always.contains(fact)).cloned();
        facts.chain(snapshot.of_squares(|at| varies[at])).collect()
    };
    let mut facts = differing.map(facts_of).max_by_key(Vec::len)?;
    if facts.len().saturating_mul(facts.len()).saturating_mul(snapshots.len()) > MAX_CORRELATION_STEPS {
        return None;
    }
    // The least notable are dropped first.
    facts.order_by_key(|fact| std::cmp::Reverse((fact.is_ground(), fact.place.is_none(), fact.count, fact.aspect)));
    let holding: Vec<Vec<bool>> =
        snapshots.iter().map(|(snapshot, _)| facts.iter().map(|fact| snapshot.has(fact)).collect()).collect();
    let sum = |kept: &[usize]| {
        let mut sum = [BigUint::ZERO, BigUint::ZERO];
        for ((_, both), holds) in snapshots.iter().zip(&holding) {
            if kept.iter().all(|&at| holds[at]) {
                add(&mut sum, both);
            }
        }
        sum
    };
    let mut kept: Vec<usize> = (0..facts.len()).collect();
    for at in 0..facts.len() {
        let fewer: Vec<usize> = kept.iter().copied().filter(|&kept| kept != at).collect();
        if differs(&sum(&fewer)) {
            kept = fewer;
        }
    }
    let both = sum(&kept);
    differs(&both).then(|| (kept.iter().rev().map(|&at| facts[at].clone()).collect(), both))
}

fn add(sums: &mut [BigUint; 2], more: &[BigUint; 2]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

/// Finds the most probable outcomes that show a difference: one with the fact, from the level that has it more often,
/// and one without it from the other.
fn examples(
    one: &Distribution,
    two: &Distribution,
    first_has: bool,
    has: impl Fn(&Outcome) -> bool,
) -> Option<[Box<[u32]>; 2]> {
    let likeliest = |distribution: &Distribution, wanted: bool| {
        let fitting = distribution.outcomes.iter().filter(|(outcome, _)| has(outcome) == wanted);
        let best = fitting.reduce(|best, next| if next.1.probability > best.1.probability { next } else { best });
        best.map(|(_, weight)| weight.draws.clone())
    };
    Some([likeliest(one, first_has)?, likeliest(two, !first_has)?])
}

impl Interner {
    fn snapshot(&self, outcome: &Outcome) -> Snapshot {
        Snapshot {
            squares: outcome.columns.iter().flat_map(|&id| self.column_list[id as usize].iter().copied()).collect(),
            facts: outcome.facts.iter().map(|&id| self.fact_list[id as usize].clone()).collect(),
        }
    }
}
