//! Exact distributions of what two levels come to, and in what they differ.

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigUint;
use num_integer::Integer;
use splc_vm::{ROWS, SQUARES};

use crate::facts::{Aspect, Fact, Snapshot, Square, detail_fact, light_fact, terrain_fact};
use crate::limits::{MAX_PROBABILITY_BITS, NEGLIGIBLE_ONE_IN};
use crate::rational::Ratio;

/// Columns and facts that were met, as numbers: outcomes share most of them.
#[derive(Default)]
pub(crate) struct Interner {
    columns: HashMap<Box<[Square]>, u32>,
    column_list: Vec<Box<[Square]>>,
    facts: HashMap<Fact, u32>,
    fact_list: Vec<Fact>,
}

impl Interner {
    /// The snapshot as numbers: its columns, then its facts in their order.
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

/// What a run came to, as numbers of an [`Interner`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Outcome {
    /// None if the level could not be made.
    columns: Box<[u32]>,
    facts: Box<[u32]>,
}

/// How likely an outcome is, and draws that lead to it.
pub(crate) struct Weight {
    pub probability: Ratio,
    pub draws: Box<[u32]>,
}

/// What a level can come to.
pub(crate) struct Distribution {
    pub outcomes: BTreeMap<Outcome, Weight>,
    /// How many ways of drawing there are.
    pub paths: u64,
}

/// A fact whose probabilities differ, with both, and draws that show it: of the first level, of the second.
pub(crate) struct Finding {
    pub fact: Fact,
    pub first: Ratio,
    pub second: Ratio,
    /// Of each other aspect, the fact that tells most.
    pub also: Vec<Fact>,
    pub draws: [Box<[u32]>; 2],
}

/// What two distributions are to each other.
pub(crate) enum Compared {
    /// Every outcome has the same probability.
    Same,
    /// The probabilities are the same but for less than [counts](NEGLIGIBLE_ONE_IN).
    AllBut { outcomes: u64, apart: Ratio },
    /// A fact differs: the one that tells most, the simplest of those that tell alike.
    Different(Box<Finding>),
}

/// The probabilities of two distributions, as whole numbers of the same unit: sums of them are exact, and cheap.
struct Weights<'d> {
    of: BTreeMap<&'d Outcome, [BigUint; 2]>,
    unit: BigUint,
}

impl<'d> Weights<'d> {
    /// `None` if there is no such unit that fits.
    fn new(both: [&'d Distribution; 2]) -> Option<Self> {
        let mut unit = BigUint::from(1_u32);
        for weight in both.iter().flat_map(|distribution| distribution.outcomes.values()) {
            let denominator = weight.probability.denominator();
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
                let units = probability.numerator() * (&unit / probability.denominator());
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

/// Compares two distributions; `None` if something does not fit.
pub(crate) fn difference(one: &Distribution, two: &Distribution, interner: &Interner) -> Option<Compared> {
    let weights = Weights::new([one, two])?;
    let Some((&whole, whole_weights)) = weights.of.iter().find(|(_, [first, second])| first != second) else {
        return Some(Compared::Same);
    };
    // What one has more of, the other has less of elsewhere.
    let apart = weights.of.values().map(distance).sum::<BigUint>();
    if &apart * NEGLIGIBLE_ONE_IN < &weights.unit * 2_u32 {
        let apart = Ratio::new(apart, &weights.unit * 2_u32)?;
        return Some(Compared::AllBut { outcomes: weights.of.len() as u64, apart });
    }
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
    // How likely each fact and each column is, for both.
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
    best.sort_by(|(one, fact, ..), (other, another, ..)| other.cmp(one).then_with(|| fact.rank().cmp(&another.rank())));
    let mut best = best.into_iter();
    let (fact, [first, second], also) = match best.next() {
        Some((_, fact, both)) => (fact, both, best.map(|(_, fact, ..)| fact).collect()),
        // Every fact alone is as likely, but not all together.
        None => (interner.snapshot(whole).whole(), whole_weights.clone(), Vec::new()),
    };
    let (first, second) = (weights.ratio(first)?, weights.ratio(second)?);
    let draws = match fact.aspect {
        Aspect::Whole => examples(one, two, first > second, |outcome| outcome == whole),
        _ => examples(one, two, first > second, |outcome| interner.snapshot(outcome).has(&fact)),
    }?;
    Some(Compared::Different(Box::new(Finding { fact, first, second, also, draws })))
}

fn add(sums: &mut [BigUint; 2], more: &[BigUint; 2]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

/// The likeliest outcomes that show a difference: one that has the fact, of the level that has it more often, and one
/// of the other that lacks it.
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
