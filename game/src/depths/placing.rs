//! The placement of the special levels of one dungeon: all draws of `place_level` at once.

use std::collections::{BTreeMap, HashMap};

use splc_ir::dungeon::Level;

use super::{Distribution, Problem};
use crate::limits::{MAX_PRESENCES, MAX_STATES};

/// Maximum number of levels of a dungeon (`MAXLEVEL`). Places are counted from 1.
pub const MOST_LEVELS: usize = 32;

/// A level to place.
#[derive(Clone, Debug)]
pub struct Placing {
    name: String,
    base: i32,
    random: i32,
    /// The index of the level relative to which its place is given.
    pub chain: Option<usize>,
    /// The probability that it exists.
    pub presence: f64,
}

/// A range of consecutive places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub start: i32,
    pub count: i32,
}

/// Returns the range of places of something called `name` in a dungeon of `size` levels. `from` is the place of the
/// level relative to which it is given, if any (`level_range`).
///
/// # Errors
/// [`Problem::GameEnds`] if it lies outside the dungeon.
pub fn span(name: &str, base: i32, random: i32, from: Option<i32>, size: i32) -> Result<Span, Problem> {
    // Both have 16 bits in the file.
    let (base, random) = (i32::from(base as i16), i32::from(random as i16));
    let start = match from {
        Some(0) => return Err(Problem::GameEnds(format!("{name} is chained to a level that does not always exist"))),
        Some(from) => from + base,
        None if base < 0 => size + base + 1,
        None => base,
    };
    if start < 1 || start > size {
        let message = format!("{name} would be on level {start} of a dungeon with {size}");
        return Err(Problem::GameEnds(message));
    }
    let count = match random {
        -1 => size - start + 1,
        0 => 1,
        _ => random.min(size - start + 1),
    };
    if count < 1 {
        return Err(Problem::GameEnds(format!("{name} has a range of {random} places")));
    }
    Ok(Span { start, count })
}

impl Placing {
    /// Creates the placement of `level`. `chain` is the index of the level relative to which its place is given.
    pub fn new(level: &Level, chain: Option<usize>) -> Self {
        Placing {
            name: format!("\"{}\"", level.name.node),
            base: level.place.base,
            random: level.place.random,
            chain,
            // The level does not exist if the chance is at most a number drawn from 0 to 99.
            presence: f64::from(level.chance.clamp(0, 100)) / 100.0,
        }
    }

    fn span(&self, from: Option<i32>, size: i32) -> Result<Span, Problem> {
        span(&self.name, self.base, self.random, from, size)
    }
}

/// The places of a dungeon's levels.
pub struct Places {
    /// For each level, the probability of each place.
    pub levels: Vec<Distribution>,
    /// The joint distribution of the requested levels: their places in order, 0 for a missing level, and the
    /// probability.
    pub together: BTreeMap<Vec<u8>, f64>,
}

/// A set of places, one bit each.
type Set = u64;

/// Returns the places in `span`.
pub fn set(span: Span) -> Set {
    ((1 << span.count) - 1) << span.start
}

/// Computes all possible placements of `levels` in a dungeon of `size` levels, with the joint distribution of the
/// levels with the indices in `together`.
///
/// # Errors
/// As [`super::depths`].
pub fn place(levels: &[Placing], size: i32, together: &[usize]) -> Result<Places, Problem> {
    let plan = Plan::new(levels, size, together)?;
    let uncertain: Vec<usize> = (0..levels.len()).filter(|&at| (0.0..1.0).contains(&levels[at].presence)).collect();
    let mut places = Places { levels: vec![Distribution::new(); levels.len()], together: BTreeMap::new() };
    let independent = plan.follow(&Presence::Drawn, 1.0, &mut places)?;
    if independent {
        return Ok(places);
    }
    // The set of existing levels decides where the others can be, so each case is computed separately.
    if uncertain.len() > MAX_PRESENCES {
        let message = format!("{} optional levels depend on each other's places", uncertain.len());
        return Err(Problem::TooManyWays(message));
    }
    places = Places { levels: vec![Distribution::new(); levels.len()], together: BTreeMap::new() };
    for case in 0..1_u32 << uncertain.len() {
        let mut present = vec![true; levels.len()];
        let mut weight = 1.0;
        for (bit, &at) in uncertain.iter().enumerate() {
            present[at] = case & (1 << bit) != 0;
            weight *= if present[at] { levels[at].presence } else { 1.0 - levels[at].presence };
        }
        if weight > 0.0 {
            plan.follow(&Presence::Known(present), weight, &mut places)?;
        }
    }
    Ok(places)
}

/// The set of existing levels.
enum Presence {
    /// Each level is drawn.
    Drawn,
    /// Exactly these levels.
    Known(Vec<bool>),
    /// All possible levels.
    All,
    /// The levels that always exist.
    Certain,
}

impl Presence {
    fn of(&self, plan: &Plan<'_>, level: usize) -> f64 {
        match self {
            Presence::Drawn => plan.levels[level].presence,
            Presence::Known(present) => f64::from(u8::from(present[level])),
            Presence::All => 1.0,
            Presence::Certain => f64::from(u8::from(plan.levels[level].presence >= 1.0)),
        }
    }
}

/// The data computed before the first draw.
struct Plan<'a> {
    levels: &'a [Placing],
    size: i32,
    /// For the step of each level and the end: the sets of equivalent places.
    kinds: Vec<Vec<Set>>,
    /// For the step of each level and the end: earlier levels whose places are tracked.
    kept: Vec<Vec<usize>>,
    together: Vec<usize>,
}

/// The tracked state of the levels placed so far: the places of tracked levels, then the number of taken places of each
/// kind.
type State = Vec<u8>;

/// The probability of a state, in total and with each place free.
#[derive(Clone)]
struct Weight {
    all: f64,
    free: [f64; MOST_LEVELS + 1],
}

impl<'a> Plan<'a> {
    fn new(levels: &'a [Placing], size: i32, together: &[usize]) -> Result<Self, Problem> {
        // All places where each level can be.
        let mut possible: Vec<Set> = Vec::with_capacity(levels.len());
        for level in levels {
            let mut places = 0;
            match level.chain {
                None => places = set(level.span(None, size)?),
                Some(chain) => {
                    if levels[chain].presence < 1.0 {
                        level.span(Some(0), size)?;
                    }
                    for from in bits(possible[chain]) {
                        places |= set(level.span(Some(from), size)?);
                    }
                }
            }
            possible.push(places);
        }
        let count = levels.len();
        let is_kept = |level: usize, step: usize| {
            together.contains(&level) || levels[step..].iter().any(|later| later.chain == Some(level))
        };
        let mut kinds = Vec::with_capacity(count + 1);
        let mut kept = Vec::with_capacity(count + 1);
        for step in 0..=count {
            // Places are distinguished by the ranges of all later levels.
            let mut parts = vec![((1_u64 << size) - 1) << 1];
            let mut split = |by: Set| {
                parts = parts.iter().flat_map(|&part| [part & by, part & !by]).filter(|&part| part != 0).collect();
            };
            for level in step..count {
                match levels[level].chain {
                    None => split(set(levels[level].span(None, size)?)),
                    Some(chain) => {
                        for from in bits(possible[chain]) {
                            split(set(levels[level].span(Some(from), size)?));
                        }
                    }
                }
                if is_kept(level, level + 1) {
                    bits(possible[level]).for_each(|place| split(1 << place));
                }
            }
            kinds.push(parts);
            kept.push((0..step).filter(|&level| is_kept(level, step)).collect());
        }
        Ok(Plan { levels, size, kinds, kept, together: together.to_vec() })
    }

    /// Returns the places where level `step` can be in `state`.
    fn range(&self, step: usize, state: &State) -> Result<Set, Problem> {
        let from = self.levels[step].chain.map(|chain| {
            let at = self.kept[step].iter().position(|&kept| kept == chain);
            at.map_or(0, |at| i32::from(state[at]))
        });
        Ok(set(self.levels[step].span(from, self.size)?))
    }

    /// Returns the free places in the range of level `step`: the index of each kind and the number of free places.
    fn choices(&self, step: usize, state: &State) -> Result<Vec<(usize, u8)>, Problem> {
        let range = self.range(step, state)?;
        let first = self.kept[step].len();
        let kinds = self.kinds[step].iter().enumerate().filter(|&(_, &kind)| kind & range != 0);
        let choices = kinds.map(|(number, kind)| (number, kind.count_ones() as u8 - state[first + number]));
        Ok(choices.filter(|&(_, free)| free > 0).collect())
    }

    /// Returns the state after a level is placed in a place of the kind `chosen`, or does not exist.
    fn next(&self, step: usize, state: &State, chosen: Option<usize>) -> State {
        let (kept, later) = (&self.kept[step], &self.kept[step + 1]);
        // For a tracked level, each kind is a single place.
        let place = |level: usize| match kept.iter().position(|&known| known == level) {
            Some(at) => state[at],
            None => chosen.map_or(0, |kind| self.kinds[step][kind].trailing_zeros() as u8),
        };
        let mut next: State = later.iter().map(|&level| place(level)).collect();
        let first = kept.len();
        for &kind in &self.kinds[step + 1] {
            let parts = self.kinds[step].iter().enumerate().filter(|&(_, &part)| part & kind != 0);
            next.push(parts.map(|(number, _)| state[first + number] + u8::from(chosen == Some(number))).sum());
        }
        next
    }

    /// Returns true if level `step` and all later levels find places in `state`.
    fn fits(&self, step: usize, state: &State, presence: &Presence, known: &mut Fits) -> Result<bool, Problem> {
        if step == self.levels.len() {
            return Ok(true);
        }
        if let Some(&fits) = known[step].get(state) {
            return Ok(fits);
        }
        let mut fits = false;
        if presence.of(self, step) == 0.0 {
            fits = self.fits(step + 1, &self.next(step, state, None), presence, known)?;
        } else {
            for (kind, _) in self.choices(step, state)? {
                if self.fits(step + 1, &self.next(step, state, Some(kind)), presence, known)? {
                    fits = true;
                    break;
                }
            }
        }
        if known[step].len() >= MAX_STATES {
            return Err(too_many_states());
        }
        known[step].insert(state.clone(), fits);
        Ok(fits)
    }

    /// Follows all placements and adds their results, multiplied by `weight`, to `places`. Returns `false` if the
    /// places open to a level depend on which later levels exist, which [`Presence::Drawn`] cannot track.
    fn follow(&self, presence: &Presence, weight: f64, places: &mut Places) -> Result<bool, Problem> {
        let count = self.levels.len();
        let mut at_most: Fits = vec![HashMap::new(); count];
        let mut at_least: Fits = vec![HashMap::new(); count];
        let mut free = [0.0; MOST_LEVELS + 1];
        free[1..=self.size as usize].fill(weight);
        let first: State = vec![0; self.kinds[0].len()];
        let mut states = BTreeMap::from([(first, Weight { all: weight, free })]);
        for step in 0..count {
            let mut later: BTreeMap<State, Weight> = BTreeMap::new();
            for (state, weight) in &states {
                let there = presence.of(self, step);
                if there < 1.0 {
                    add(&mut later, self.next(step, state, None), weight, 1.0 - there, None);
                }
                if there == 0.0 {
                    continue;
                }
                let mut open = Vec::new();
                for (kind, free) in self.choices(step, state)? {
                    let next = self.next(step, state, Some(kind));
                    let fits = match presence {
                        Presence::Drawn => {
                            let all = self.fits(step + 1, &next, &Presence::All, &mut at_most)?;
                            let certain = self.fits(step + 1, &next, &Presence::Certain, &mut at_least)?;
                            if all != certain {
                                return Ok(false);
                            }
                            all
                        }
                        known => self.fits(step + 1, &next, known, &mut at_most)?,
                    };
                    if fits {
                        open.push((kind, free, next));
                    }
                }
                let total: u32 = open.iter().map(|&(_, free, _)| u32::from(free)).sum();
                if total == 0 {
                    let message = format!("{} has no possible place next to the other levels", self.levels[step].name);
                    return Err(Problem::GameEnds(message));
                }
                for (kind, free, next) in open {
                    let set = self.kinds[step][kind];
                    for place in bits(set) {
                        let here = weight.free[place as usize] * there / f64::from(total);
                        if here > 0.0 {
                            *places.levels[step].entry(place).or_default() += here;
                        }
                    }
                    let share = there * f64::from(free) / f64::from(total);
                    add(&mut later, next, weight, share, Some((set, free)));
                }
            }
            if later.len() > MAX_STATES {
                return Err(too_many_states());
            }
            states = later;
        }
        let kept = &self.kept[count];
        for (state, weight) in states {
            let place = |level: &usize| kept.iter().position(|known| known == level).map_or(0, |at| state[at]);
            let key: Vec<u8> = self.together.iter().map(place).collect();
            *places.together.entry(key).or_default() += weight.all;
        }
        Ok(true)
    }
}

/// For each step, states with a known answer to [`Plan::fits`].
type Fits = Vec<HashMap<State, bool>>;

fn too_many_states() -> Problem {
    Problem::TooManyWays("the levels have too many possible arrangements".to_owned())
}

/// Adds `share` of `weight` to the state `next`. `taken` is the kind of the place that was taken, and the number of its
/// places that were free before.
fn add(states: &mut BTreeMap<State, Weight>, next: State, weight: &Weight, share: f64, taken: Option<(Set, u8)>) {
    let sum = states.entry(next).or_insert_with(|| Weight { all: 0.0, free: [0.0; MOST_LEVELS + 1] });
    sum.all += weight.all * share;
    for place in 1..=MOST_LEVELS {
        let stays = match taken {
            // Each free place is equally likely to be taken.
            Some((set, free)) if set & (1 << place) != 0 => f64::from(free - 1) / f64::from(free),
            _ => 1.0,
        };
        sum.free[place] += weight.free[place] * share * stays;
    }
}

/// Returns the places in `set`.
fn bits(set: Set) -> impl Iterator<Item = i32> {
    (1..=MOST_LEVELS as i32).filter(move |place| set & (1 << place) != 0)
}
