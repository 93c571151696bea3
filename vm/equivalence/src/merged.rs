//! The exact distribution of a level's outcomes, if many sequences of draws lead through the same states.
//!
//! A level with ten chances has 100^10 sequences of draws, but between two steps it is in one of 2^10 states. So
//! instead of every sequence, the search tries every outcome of the next drawing step from each state found. A state is
//! reached again by replaying the draws that first led to it. Two runs are in the same state if their
//! [digests](Observer::state) are equal. A place that is drawn until it fits is one decision ([`Outcomes`]).
//! Probabilities add up along the graph of states, which has no cycles: a script that returned to an earlier state
//! would never end.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use splc_vm::{Complaint, Fault, Flow, Machine, Observer, Prepared, Rng, Search, Settings, SplitMix, View};

use crate::distribution::{Distribution, Interner, Outcome, Weight};
use crate::facts::Snapshot;
use crate::names::Names;
use crate::outcomes::{Outcomes, ways};
use crate::rational::Ratio;

/// A run from one state to the next.
struct Walk {
    /// Draws that lead to the state.
    prefix: Box<[u32]>,
    taken: usize,
    /// Outcomes of the step that draws next.
    fresh: Outcomes,
    has_drawn: bool,
    /// State before the coming step, once the fresh draws are taken.
    state: Option<u128>,
    /// A later step draws: the state before it is the next one.
    is_over: bool,
    /// Draws for that later step.
    waste: SplitMix,
    /// The run depends on its elapsed length.
    is_timed: bool,
}

/// The run's source of draws and its observer, which share the walk.
struct Half<'a>(&'a RefCell<Walk>);

impl Rng for Half<'_> {
    fn takes_searches(&self) -> bool {
        let walk = self.0.borrow();
        walk.taken == walk.prefix.len() && walk.state.is_none()
    }

    fn search(&mut self, search: Search) -> Option<usize> {
        let walk = &mut *self.0.borrow_mut();
        walk.has_drawn = true;
        walk.fresh.search(search)
    }

    fn below(&mut self, below: u32) -> u32 {
        let walk = &mut *self.0.borrow_mut();
        if let Some(&known) = walk.prefix.get(walk.taken) {
            walk.taken += 1;
            return known;
        }
        if walk.state.is_some() {
            walk.is_over = true;
            // The result is not used, but a loop that waits for a number must get it.
            return walk.waste.below(below);
        }
        walk.has_drawn = true;
        walk.fresh.below(below)
    }
}

impl Observer for Half<'_> {
    fn complaint(&mut self, complaint: Complaint) {
        if complaint == Complaint::TooMuchTime {
            self.0.borrow_mut().is_timed = true;
        }
    }

    fn follows_states(&self) -> bool {
        true
    }

    fn wants_state(&self) -> bool {
        let walk = self.0.borrow();
        walk.has_drawn && !walk.is_over
    }

    fn state(&mut self, state: u128) {
        self.0.borrow_mut().state = Some(state);
    }

    fn step(&mut self, _: &View<'_>) -> Flow {
        if self.0.borrow().is_over { Flow::Stop } else { Flow::Continue }
    }
}

/// End of a run from a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    State(usize),
    Outcome(usize),
}

/// Probability, and number of sequences of draws.
#[derive(Clone)]
struct Share {
    /// Probability, and the same if no search for a place failed.
    probability: [Ratio; 2],
    paths: u64,
}

impl Share {
    fn none() -> Share {
        Share { probability: [Ratio::zero(), Ratio::zero()], paths: 0 }
    }

    fn add(&mut self, more: &Share) -> Option<()> {
        for (sum, more) in self.probability.iter_mut().zip(&more.probability) {
            *sum = sum.plus(more)?;
        }
        self.paths = self.paths.saturating_add(more.paths);
        Some(())
    }

    fn of(&self, whole: &Share) -> Option<Share> {
        let [real, ideal] = &self.probability;
        let probability = [real.times(&whole.probability[0])?, ideal.times(&whole.probability[1])?];
        Some(Share { probability, paths: self.paths.saturating_mul(whole.paths) })
    }
}

/// A state: draws that lead to it, and its successors.
struct State {
    example: Box<[u32]>,
    next: Vec<(End, Share)>,
}

/// A single draw below this number is a chance in percent.
const CHANCE: usize = 100;

/// Returns true if [`enumerate`] is worth trying. Estimates the number of states from sample runs: each step multiplies
/// it by its number of outcomes, or by two if its only draw is a chance in percent.
pub(crate) fn is_likely_small(program: &Prepared, settings: &Settings, machine: &mut Machine, most: f64) -> bool {
    /// Number of sample runs.
    const LOOKS: u64 = 8;
    (0..LOOKS).any(|seed| {
        let counting = RefCell::new(Counting { source: SplitMix::new(seed), step: Vec::new(), states: 1.0 });
        let _ = machine.run(program, settings, &mut Counter(&counting), &mut Counter(&counting));
        let mut counting = counting.into_inner();
        counting.end_step();
        counting.states <= most
    })
}

/// Estimate of the number of states reached by a run.
struct Counting {
    source: SplitMix,
    /// Number of outcomes of each decision in the current step.
    step: Vec<usize>,
    states: f64,
}

impl Counting {
    fn end_step(&mut self) {
        self.states *= match *self.step {
            [CHANCE] => 2.0,
            ref ways => ways.iter().map(|&ways| ways as f64).product::<f64>(),
        };
        self.step.clear();
    }
}

/// The run's source of draws and its observer.
struct Counter<'a>(&'a RefCell<Counting>);

impl Rng for Counter<'_> {
    fn takes_searches(&self) -> bool {
        true
    }

    fn search(&mut self, search: Search) -> Option<usize> {
        let counting = &mut *self.0.borrow_mut();
        counting.step.push(ways(&search));
        let good = u32::try_from(search.good.len()).ok().filter(|&good| good > 0)?;
        Some(counting.source.below(good) as usize)
    }

    fn below(&mut self, below: u32) -> u32 {
        let counting = &mut *self.0.borrow_mut();
        counting.step.push(below as usize);
        counting.source.below(below)
    }
}

impl Observer for Counter<'_> {
    fn step(&mut self, _: &View<'_>) -> Flow {
        self.0.borrow_mut().end_step();
        Flow::Continue
    }

    fn finishing(&mut self, view: &View<'_>) {
        self.step(view);
    }
}

/// Tries every outcome from every state. Returns `None` if that takes more than `runs` runs, if a probability is too
/// large to represent, or if the outcome depends on limits of time and memory.
pub(crate) fn enumerate(
    program: &Prepared,
    settings: &Settings,
    names: &Names,
    runs: u64,
    machine: &mut Machine,
    interner: &mut Interner,
) -> Option<Distribution> {
    let mut left = runs;
    machine.forget_alignments();
    'again: loop {
        let known = machine.alignments_matter();
        let mut graph = Graph::default();
        let mut at = 0;
        while at < graph.states.len() {
            graph.explore(at, program, settings, names, &mut left, machine, interner)?;
            at += 1;
            // States that differ only in the alignments were merged; start again.
            if machine.alignments_matter() != known {
                continue 'again;
            }
        }
        return Some(Distribution { runs: runs - left, ..graph.distribution()? });
    }
}

/// States and outcomes found. The first state is the beginning.
struct Graph {
    states: Vec<State>,
    numbers: HashMap<u128, usize>,
    outcomes: Vec<(Outcome, Box<[u32]>)>,
    outcome_numbers: HashMap<Outcome, usize>,
}

impl Default for Graph {
    fn default() -> Self {
        let beginning = State { example: Box::default(), next: Vec::new() };
        Graph {
            states: vec![beginning],
            numbers: HashMap::new(),
            outcomes: Vec::new(),
            outcome_numbers: HashMap::new(),
        }
    }
}

impl Graph {
    /// Tries every outcome of the step that draws next.
    #[allow(clippy::too_many_arguments)]
    fn explore(
        &mut self,
        at: usize,
        program: &Prepared,
        settings: &Settings,
        names: &Names,
        left: &mut u64,
        machine: &mut Machine,
        interner: &mut Interner,
    ) -> Option<()> {
        let walk = RefCell::new(Walk {
            prefix: self.states[at].example.clone(),
            taken: 0,
            fresh: Outcomes::default(),
            has_drawn: false,
            state: None,
            is_over: false,
            waste: SplitMix::new(0),
            is_timed: false,
        });
        let mut next: BTreeMap<End, Share> = BTreeMap::new();
        loop {
            *left = left.checked_sub(1)?;
            let made = machine.run(program, settings, &mut Half(&walk), &mut Half(&walk));
            let walk = &mut *walk.borrow_mut();
            let is_limited = |fault: &Fault| matches!(fault, Fault::Hangs | Fault::Memory | Fault::Steps | Fault::Work);
            let is_limited = !walk.is_over && made.as_ref().is_err_and(|error| is_limited(&error.fault));
            if walk.is_timed || is_limited {
                return None;
            }
            let draws = || walk.prefix.iter().copied().chain(walk.fresh.draws());
            let end = match walk.state.filter(|_| walk.is_over) {
                Some(state) => End::State(*self.numbers.entry(state).or_insert_with(|| {
                    self.states.push(State { example: draws().collect(), next: Vec::new() });
                    self.states.len() - 1
                })),
                None => {
                    let snapshot = Snapshot::of(made.as_ref().map(|level| *level), program.catalog(), names);
                    let outcome = interner.outcome(&snapshot);
                    End::Outcome(match self.outcome_numbers.get(&outcome) {
                        Some(&number) => number,
                        None => {
                            self.outcomes.push((outcome.clone(), draws().collect()));
                            self.outcome_numbers.insert(outcome, self.outcomes.len() - 1);
                            self.outcomes.len() - 1
                        }
                    })
                }
            };
            let probability = walk.fresh.probability()?;
            next.entry(end).or_insert_with(Share::none).add(&Share { probability, paths: 1 })?;
            (walk.taken, walk.has_drawn, walk.state, walk.is_over) = (0, false, None, false);
            if !walk.fresh.advance() {
                break;
            }
        }
        self.states[at].next = next.into_iter().collect();
        Some(())
    }

    /// Computes the probability of each outcome. A state passes its probability on once all its predecessors have.
    fn distribution(self) -> Option<Distribution> {
        let mut waits = vec![0_usize; self.states.len()];
        for (end, _) in self.states.iter().flat_map(|state| &state.next) {
            if let End::State(next) = end {
                waits[*next] += 1;
            }
        }
        let mut reached = vec![Share::none(); self.states.len()];
        let mut outcomes = vec![Share::none(); self.outcomes.len()];
        reached[0] = Share { probability: [Ratio::one(), Ratio::one()], paths: 1 };
        let mut ready = vec![0];
        let mut done = 0;
        while let Some(at) = ready.pop() {
            done += 1;
            for (end, share) in &self.states[at].next {
                let share = share.of(&reached[at])?;
                match *end {
                    End::Outcome(outcome) => outcomes[outcome].add(&share)?,
                    End::State(next) => {
                        reached[next].add(&share)?;
                        waits[next] -= 1;
                        if waits[next] == 0 {
                            ready.push(next);
                        }
                    }
                }
            }
        }
        // A cycle waits for itself.
        if done < self.states.len() {
            return None;
        }
        let paths = outcomes.iter().fold(0, |sum: u64, share| sum.saturating_add(share.paths));
        let with_shares = self.outcomes.into_iter().zip(outcomes);
        let weighed =
            with_shares.map(|((outcome, draws), Share { probability, .. })| (outcome, Weight { probability, draws }));
        Some(Distribution { outcomes: weighed.collect(), paths, runs: 0 })
    }
}
