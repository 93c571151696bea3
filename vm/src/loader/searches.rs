//! Loops of the games that draw something again and again until it is good, for those who take them as a whole.
//!
//! Where such a loop stands, it first asks here. The answer is `None` for whoever wants the draws one by one, and then
//! the loop runs as the game's does; so this file decides nothing of what a level is.

use super::Loader;
use crate::level::Place;
use crate::observer::Observer;
use crate::rng::{Candidate, Draws, Rng, Search};

/// Of so many, chances are said.
const HUNDRED: i32 = 100;

/// How a search ended: with what was found, if anything was.
pub(crate) type Ended<T> = Option<T>;

impl<R: Rng, O: Observer> Loader<'_, R, O> {
    /// A search for a column and a row below these that are good, with so many tries.
    #[inline]
    pub fn search_square(
        &mut self,
        columns: i32,
        rows: i32,
        tries: u32,
        is_good: impl Fn(&Self, i32, i32) -> bool,
    ) -> Option<Ended<Place>> {
        if self.rng.takes_searches() { self.search_all_squares(columns, rows, tries, is_good) } else { None }
    }

    #[cold]
    fn search_all_squares(
        &mut self,
        columns: i32,
        rows: i32,
        tries: u32,
        is_good: impl Fn(&Self, i32, i32) -> bool,
    ) -> Option<Ended<Place>> {
        if columns <= 0 || rows <= 0 {
            // Then the game draws less.
            return None;
        }
        let squares = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
        let (good, bad): (Vec<Place>, Vec<Place>) = squares.partition(|&(column, row)| is_good(self, column, row));
        let draws = |(column, row): Place| Draws::Two([column as u32, row as u32]);
        let search = Search {
            good: good.iter().map(|&place| Candidate { weight: 1, draws: draws(place) }).collect(),
            bad: bad.first().map(|&place| Candidate { weight: bad.len() as u32, draws: draws(place) }),
            tries: Some(tries),
        };
        Some(self.rng.search(search).and_then(|at| good.get(at)).copied())
    }

    /// Whether what comes so many times in a hundred comes: one draw, of which only that matters.
    #[inline]
    pub fn happens(&mut self, percent: i32) -> bool {
        if self.rng.takes_searches() { self.takes_chance(percent) } else { self.rn2(HUNDRED) < percent }
    }

    #[cold]
    fn takes_chance(&mut self, percent: i32) -> bool {
        let percent = percent.clamp(0, HUNDRED) as u32;
        let candidate =
            |weight: u32, draw: u32| (weight > 0).then_some(Candidate { weight, draws: Draws::One([draw]) });
        let good = candidate(percent, 0).into_iter().collect();
        self.rng.search(Search { good, bad: candidate(HUNDRED as u32 - percent, percent), tries: Some(1) }).is_some()
    }

    /// A search for a number below `below` that is good, for ever. A number can be good at one in so many of the times
    /// only that it comes, which the game finds out by one more draw, of 0: `goodness` says in how many; 0 is never.
    #[inline]
    pub fn search_number(&mut self, below: i32, goodness: impl Fn(&Self, i32) -> u32) -> Option<i32> {
        if self.rng.takes_searches() { self.search_all_numbers(below, goodness) } else { None }
    }

    #[cold]
    fn search_all_numbers(&mut self, below: i32, goodness: impl Fn(&Self, i32) -> u32) -> Option<i32> {
        let one_in: Vec<(i32, u32)> = (0..below).map(|number| (number, goodness(self, number))).collect();
        // Weights are whole numbers: as many as all of those that are asked for divide.
        let whole = one_in.iter().filter(|(_, one_in)| *one_in > 0).map(|(_, one_in)| *one_in).product::<u32>();
        let (mut good, mut bad_weight, mut bad_draws) = (Vec::new(), 0, None);
        for &(number, one_in) in &one_in {
            let weight = whole.checked_div(one_in).unwrap_or(0);
            bad_weight += whole - weight;
            match one_in {
                0 => bad_draws = Some(Draws::One([number as u32])),
                1 => good.push(Candidate { weight, draws: Draws::One([number as u32]) }),
                _ => {
                    good.push(Candidate { weight, draws: Draws::Two([number as u32, 0]) });
                    bad_draws = bad_draws.or(Some(Draws::Two([number as u32, 1])));
                }
            }
        }
        if good.is_empty() {
            return None;
        }
        let found: Vec<i32> = good.iter().map(|candidate| candidate.draws.as_slice()[0] as i32).collect();
        let bad = bad_draws.map(|draws| Candidate { weight: bad_weight, draws });
        self.rng.search(Search { good, bad, tries: None }).and_then(|at| found.get(at)).copied()
    }
}
