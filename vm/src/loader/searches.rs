//! Loops of the games that repeat a draw until it is good, for sources that take them as a whole.
//!
//! Each such loop first calls a function of this file. The function returns `None` for sources that take individual
//! draws, and then the loop runs as in the game. So this file never affects the generated level.

use super::Loader;
use crate::level::Place;
use crate::rng::{Candidate, Draws, Rng, Search};

/// Chances are percentages.
const HUNDRED: i32 = 100;

/// End of a search: the result, or `None` if the search failed.
pub(crate) type Ended<T> = Option<T>;

impl Loader<'_> {
    /// Searches for a good column and row below these bounds, in at most `tries` tries.
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
            // In this case the game takes fewer draws.
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

    /// Returns true with a probability of `percent`. Takes one draw, of which only this result matters.
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

    /// Searches without limit for a good number below `below`. `goodness` returns N for a number that is good one in N
    /// times, which the game decides by one more draw that must be 0. It returns 0 for a number that is never good.
    #[inline]
    pub fn search_number(&mut self, below: i32, goodness: impl Fn(&Self, i32) -> u32) -> Option<i32> {
        if self.rng.takes_searches() { self.search_all_numbers(below, goodness) } else { None }
    }

    #[cold]
    fn search_all_numbers(&mut self, below: i32, goodness: impl Fn(&Self, i32) -> u32) -> Option<i32> {
        let one_in: Vec<(i32, u32)> = (0..below).map(|number| (number, goodness(self, number))).collect();
        // Weights are whole numbers, so scale them by a common multiple of all the values.
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
