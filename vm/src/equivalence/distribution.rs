//! Exact distributions of what two levels come to, and in what they differ.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::facts::{Aspect, Fact, Snapshot, Square, detail_fact, light_fact, terrain_fact};
use super::rational::Ratio;
use crate::level::{ROWS, SQUARES};

/// Columns and facts that were met, as numbers: outcomes share most of them.
#[derive(Default)]
pub(super) struct Interner {
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
pub(super) struct Outcome {
    /// None if the level could not be made.
    columns: Box<[u32]>,
    facts: Box<[u32]>,
}

/// How likely an outcome is, and draws that lead to it.
pub(super) struct Weight {
    pub probability: Ratio,
    pub draws: Box<[u32]>,
}

/// What a level can come to.
pub(super) struct Distribution {
    pub outcomes: BTreeMap<Outcome, Weight>,
    /// How many ways of drawing there are.
    pub paths: u64,
}

/// A fact whose probabilities differ, with both, and draws that show it: of the first level, of the second.
pub(super) struct Finding {
    pub fact: Fact,
    pub first: Ratio,
    pub second: Ratio,
    /// Of each other aspect, the fact that tells most.
    pub also: Vec<Fact>,
    pub draws: [Box<[u32]>; 2],
}

/// The same for both: nothing is found. Else the fact that tells most, the simplest of those that tell alike.
pub(super) fn difference(
    one: &Distribution,
    two: &Distribution,
    interner: &Interner,
) -> Result<Option<Finding>, DoesNotFit> {
    let probability = |weight: Option<&Weight>| weight.map_or(Ratio::ZERO, |weight| weight.probability);
    let all: BTreeSet<&Outcome> = one.outcomes.keys().chain(two.outcomes.keys()).collect();
    let differs = |outcome: &&Outcome| probability(one.outcomes.get(outcome)) != probability(two.outcomes.get(outcome));
    let Some(whole) = all.iter().copied().find(differs) else { return Ok(None) };
    let mut best: BTreeMap<Aspect, (Ratio, Fact, Ratio, Ratio)> = BTreeMap::new();
    let mut consider = |fact: Fact, first: Ratio, second: Ratio| {
        let Some(distance) = distance(first, second).filter(|distance| *distance > Ratio::ZERO) else { return };
        let better = best
            .get(&fact.aspect)
            .is_none_or(|(most, known, ..)| distance > *most || (distance == *most && fact.rank() < known.rank()));
        if better {
            best.insert(fact.aspect, (distance, fact, first, second));
        }
    };
    let add = |sum: &mut Ratio, more: Ratio| -> Result<(), DoesNotFit> {
        *sum = sum.plus(more).ok_or(DoesNotFit)?;
        Ok(())
    };
    // How likely each fact and each column is, for both.
    let mut facts: BTreeMap<u32, [Ratio; 2]> = BTreeMap::new();
    let mut columns: BTreeMap<(usize, u32), [Ratio; 2]> = BTreeMap::new();
    for (side, distribution) in [one, two].into_iter().enumerate() {
        for (outcome, weight) in &distribution.outcomes {
            for &fact in &outcome.facts {
                add(&mut facts.entry(fact).or_insert([Ratio::ZERO; 2])[side], weight.probability)?;
            }
            for (at, &column) in outcome.columns.iter().enumerate() {
                add(&mut columns.entry((at, column)).or_insert([Ratio::ZERO; 2])[side], weight.probability)?;
            }
        }
    }
    for (fact, [first, second]) in facts {
        consider(interner.fact_list[fact as usize].clone(), first, second);
    }
    for x in 0..SQUARES / ROWS as usize {
        let here: Vec<(&[Square], [Ratio; 2])> = columns
            .range((x, 0)..=(x, u32::MAX))
            .map(|(&(_, id), &both)| (&*interner.column_list[id as usize], both))
            .collect();
        if here.iter().all(|(_, [first, second])| first == second) {
            continue;
        }
        for y in 0..ROWS as usize {
            let mut of_square: BTreeMap<Fact, [Ratio; 2]> = BTreeMap::new();
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
                    let sums = of_square.entry(fact).or_insert([Ratio::ZERO; 2]);
                    for (sum, &more) in sums.iter_mut().zip(both) {
                        add(sum, more)?;
                    }
                }
            }
            for (fact, [first, second]) in of_square {
                consider(fact, first, second);
            }
        }
    }
    let mut best: Vec<(Ratio, Fact, Ratio, Ratio)> = best.into_values().collect();
    best.sort_by(|(one, fact, ..), (other, another, ..)| other.cmp(one).then_with(|| fact.rank().cmp(&another.rank())));
    let mut best = best.into_iter();
    let Some((_, fact, first, second)) = best.next() else {
        // Every fact alone is as likely, but not all together.
        let (first, second) = (probability(one.outcomes.get(whole)), probability(two.outcomes.get(whole)));
        let fact = interner.snapshot(whole).whole();
        let draws = examples(one, two, first > second, |outcome| outcome == whole);
        return Ok(draws.map(|draws| Finding { fact, first, second, also: Vec::new(), draws }));
    };
    let also = best.map(|(_, fact, ..)| fact).collect();
    let draws = examples(one, two, first > second, |outcome| interner.snapshot(outcome).has(&fact));
    Ok(draws.map(|draws| Finding { fact, first, second, also, draws }))
}

/// A sum of probabilities that does not fit 128 bits.
#[derive(Debug)]
pub(super) struct DoesNotFit;

fn distance(one: Ratio, other: Ratio) -> Option<Ratio> {
    let (less, more) = if one < other { (one, other) } else { (other, one) };
    more.minus(less)
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
