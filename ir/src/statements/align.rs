//! The cheapest ways to lay the values that were written over the slots of a form.
//!
//! A statement that cannot be read has values in a wrong order, of a wrong kind, too many or too few. [`align`] finds
//! the edits that make it one of the form, cheapest first. It searches over (slot, set of values used), so its cost is
//! bounded by the few values and slots of a statement. How well a value fits a slot is the language's matter: the
//! caller says so, and all other costs are here.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::ops::Range;

use super::Need;
use crate::limits::{MAX_ALIGNED, MAX_ALIGNMENT_STEPS};

/// The cost of an edit. A value that needs no edit costs nothing.
pub type Cost = u32;

/// A value whose text changes, but not its meaning: `"lit"` for `lit`.
pub const RESPELLED: Cost = 2;
/// A sign that is missing or wrong.
pub const SIGN: Cost = 2;
/// A word that means the same in another game, or in English.
pub const SYNONYM: Cost = 3;
/// Several values that are one: `3, 4` for `(3,4)`.
pub const REGROUPED: Cost = 3;
/// A name that is spelt wrongly.
pub const MISSPELT: Cost = 4;
/// Two values in the wrong order.
pub const TRANSPOSED: Cost = 4;
/// A value that is missing, and has a default.
pub const INSERTED: Cost = 7;
/// A value that no slot takes.
pub const DROPPED: Cost = 9;
/// A value that only may be meant: `3` for `up`.
pub const GUESSED: Cost = 8;
/// A form of another game.
pub const FOREIGN: Cost = 2;
/// The least difference to the next alignment that makes the cheapest one certain.
pub const MARGIN: Cost = 2;
/// The highest cost of an alignment that is worth proposing.
pub const MOST: Cost = 24;

/// The part of a slot that the algorithm looks at.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Required, optional or repeated.
    pub need: Need,
    /// The cost of adding its default, if it has one.
    pub inserted: Option<Cost>,
}

/// A step of an alignment, in the order of the slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// These values, written one after another, are the value of the slot.
    Take {
        /// The slot.
        slot: usize,
        /// The values: more than one if they are regrouped.
        values: Range<usize>,
        /// The cost of the fit.
        fit: Cost,
    },
    /// The default of the slot is added.
    Insert {
        /// The slot.
        slot: usize,
    },
}

/// One way to lay the values over the slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alignment {
    /// Its cost: 0 if the values are those of the form.
    pub cost: Cost,
    /// The values of the slots, in order.
    pub steps: Vec<Step>,
    /// The values that no slot takes.
    pub dropped: Vec<usize>,
    /// True if values are taken in another order than they are written in.
    pub transposed: bool,
}

/// A partial alignment: the cost so far, the next slot, the values used, the values taken by that slot.
#[derive(Clone, PartialEq, Eq)]
struct Partial {
    cost: Cost,
    slot: usize,
    used: u32,
    taken: bool,
    transposed: bool,
    steps: Vec<Step>,
}

impl Ord for Partial {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // The earlier values in earlier slots come first among equals, so that the result does not depend on the heap.
        let key = |one: &Self| (one.cost, Reverse(one.slot), one.used);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Partial {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the `most` cheapest alignments of `values` values with `slots`, cheapest first. `fit` returns the cost of
/// taking some values, one after another, as the value of a slot, or `None` if it cannot take them. Up to `longest`
/// values are taken together.
///
/// Statements with more than [`MAX_ALIGNED`] values have no alignment.
pub fn align(
    values: usize,
    slots: &[Wanted],
    longest: usize,
    most: usize,
    mut fit: impl FnMut(Range<usize>, usize) -> Option<Cost>,
) -> Vec<Alignment> {
    let mut found: Vec<Alignment> = Vec::new();
    if values > MAX_ALIGNED {
        return found;
    }
    let mut fits: HashMap<(usize, usize, usize), Option<Cost>> = HashMap::new();
    let mut seen: HashMap<(usize, u32, bool), usize> = HashMap::new();
    let unused = if slots.is_empty() { values as u32 * DROPPED } else { 0 };
    let start = Partial { cost: unused, slot: 0, used: 0, taken: false, transposed: false, steps: Vec::new() };
    let mut heap = BinaryHeap::from([Reverse(start)]);
    for _ in 0..MAX_ALIGNMENT_STEPS {
        let Some(Reverse(at)) = heap.pop().filter(|_| found.len() < most) else { break };
        let times = seen.entry((at.slot, at.used, at.taken)).or_default();
        *times += 1;
        if *times > most || at.cost > MOST {
            continue;
        }
        let Some(slot) = slots.get(at.slot) else {
            let dropped: Vec<usize> = (0..values).filter(|value| at.used & (1 << value) == 0).collect();
            found.push(Alignment { cost: at.cost, steps: at.steps, dropped, transposed: at.transposed });
            continue;
        };
        // The slot stays empty, or has all its values.
        let is_last = at.slot + 1 == slots.len();
        let left = values as u32 - at.used.count_ones();
        let next = |cost: Cost, steps: Vec<Step>| Partial {
            cost: cost + if is_last { left * DROPPED } else { 0 },
            slot: at.slot + 1,
            taken: false,
            steps,
            ..at.clone()
        };
        if at.taken || matches!(slot.need, Need::Optional | Need::Repeated) {
            heap.push(Reverse(next(at.cost, at.steps.clone())));
        } else if let Some(inserted) = slot.inserted {
            let steps = at.steps.iter().cloned().chain([Step::Insert { slot: at.slot }]);
            heap.push(Reverse(next(at.cost + inserted, steps.collect())));
        }
        if at.taken && !matches!(slot.need, Need::Repeated | Need::Some) {
            continue;
        }
        for first in (0..values).filter(|value| at.used & (1 << value) == 0) {
            let free = (first..values).take_while(|value| at.used & (1 << value) == 0).take(longest);
            for last in free {
                let key = (first, last, at.slot);
                let Some(cost) = *fits.entry(key).or_insert_with(|| fit(first..last + 1, at.slot)) else { continue };
                let mask = ((1_u32 << (last + 1 - first)) - 1) << first;
                let later = (at.used >> last).count_ones();
                // Values of one slot keep their order: another order would mean the same.
                if at.taken && later > 0 && at.steps.last().is_some_and(|step| is_after(step, at.slot, last)) {
                    continue;
                }
                let steps = at.steps.iter().cloned();
                let taken = Step::Take { slot: at.slot, values: first..last + 1, fit: cost };
                // Values that move together are out of order once.
                let goes_on = matches!(at.steps.last(), Some(Step::Take { values, .. }) if values.end == first);
                let moved = if goes_on { 0 } else { TRANSPOSED * later.min(1) };
                heap.push(Reverse(Partial {
                    cost: at.cost + cost + moved,
                    used: at.used | mask,
                    taken: true,
                    transposed: at.transposed || later > 0,
                    steps: steps.chain([taken]).collect(),
                    ..at.clone()
                }));
            }
        }
    }
    found
}

/// Returns true if a step took a value after `value` for the slot.
fn is_after(step: &Step, of: usize, value: usize) -> bool {
    matches!(step, Step::Take { slot, values, .. } if *slot == of && values.start > value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Aligns words with slots, each of which takes the words that begin with its letter: in lower case required, in
    /// upper case repeated. A word in upper case fits only roughly; `?` marks optional slots, `+` default values.
    fn aligned(words: &str, slots: &str) -> Vec<(Cost, String)> {
        let words: Vec<&str> = words.split_whitespace().collect();
        let slots: Vec<&str> = slots.split_whitespace().collect();
        let needs: Vec<Wanted> = slots
            .iter()
            .map(|slot| Wanted {
                need: match slot {
                    slot if slot.contains('?') => Need::Optional,
                    slot if slot.contains('*') => Need::Repeated,
                    _ => Need::Required,
                },
                inserted: slot.contains('+').then_some(INSERTED),
            })
            .collect();
        let fit = |values: Range<usize>, slot: usize| {
            let letter = |text: &str| text.chars().next();
            let joined = values.len() > 1;
            let fits = words[values.clone()].iter().all(|word| letter(&word.to_lowercase()) == letter(slots[slot]));
            let rough = words[values].iter().any(|word| word.starts_with(char::is_uppercase));
            fits.then_some(if joined { REGROUPED } else { 0 } + if rough { RESPELLED } else { 0 })
        };
        let list = align(words.len(), &needs, 2, 3, fit);
        let shown = |step: &Step| match step {
            Step::Take { values, .. } => words[values.clone()].join("-"),
            Step::Insert { slot } => format!("+{}", &slots[*slot][..1]),
        };
        list.iter()
            .map(|one| {
                let dropped = one.dropped.iter().map(|&value| format!("!{}", words[value]));
                (one.cost, one.steps.iter().map(shown).chain(dropped).collect::<Vec<_>>().join(" "))
            })
            .collect()
    }

    fn best(words: &str, slots: &str) -> (Cost, String) {
        aligned(words, slots).into_iter().next().unwrap_or_default()
    }

    #[test]
    fn values_that_fit_cost_nothing() {
        assert_eq!(best("a b", "a b"), (0, "a b".to_owned()));
        assert_eq!(best("a d1 d2 d3", "a b? d*"), (0, "a d1 d2 d3".to_owned()));
    }

    #[test]
    fn each_edit_has_its_cost() {
        assert_eq!(best("a B", "a b"), (RESPELLED, "a B".to_owned()));
        assert_eq!(best("b a", "a b"), (TRANSPOSED, "a b".to_owned()));
        assert_eq!(best("a", "a b+"), (INSERTED, "a +b".to_owned()));
        assert_eq!(best("a x b", "a b"), (DROPPED, "a b !x".to_owned()));
        assert_eq!(best("a1 a2 b", "a b"), (REGROUPED, "a1-a2 b".to_owned()));
        assert_eq!(best("d a d", "a d*"), (TRANSPOSED, "a d d".to_owned()));
        assert_eq!(aligned("b1 b2 a", "a b b").first(), Some(&(TRANSPOSED, "a b1 b2".to_owned())));
        assert_eq!(aligned("b1 b2 a", "a b b").get(1).map(|next| next.0), Some(2 * TRANSPOSED));
    }

    #[test]
    fn all_edits_of_a_statement_are_found_together() {
        assert_eq!(best("B x a", "a b c+"), (TRANSPOSED + RESPELLED + DROPPED + INSERTED, "a B +c !x".to_owned()));
    }

    #[test]
    fn the_next_cheapest_follows() {
        let list = aligned("a1 a2", "a a?");
        assert_eq!(list.first(), Some(&(0, "a1 a2".to_owned())));
        assert!(list.windows(2).all(|pair| pair[0].0 <= pair[1].0) && list.len() == 3);
    }

    #[test]
    fn a_statement_that_cannot_be_completed_has_none() {
        assert_eq!(aligned("x", "a b"), []);
        assert_eq!(best("x", ""), (DROPPED, "!x".to_owned()));
        assert_eq!(aligned(&"a ".repeat(MAX_ALIGNED + 1), "a*"), []);
    }
}
