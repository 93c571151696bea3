//! Enumeration of a run's outcomes, with searches taken as a whole.
//!
//! A search draws again until a result is good ([`Search`]). If one try fails with probability `q`, `n` tries fail with
//! probability `qⁿ`, and each good outcome has its share of `1 - qⁿ`. The run therefore branches into the good outcomes
//! and one failure, instead of all sequences of draws.

use splc_vm::{Draw, Rng, Search};

use crate::rational::Ratio;

/// A decision of a run.
#[derive(Clone, Debug)]
enum Fork {
    Draw(Draw),
    /// A search and the index of its good outcome; the index after the last means failure.
    Search(Search, usize),
}

/// Enumerates all outcomes, like [`Exhaustive`](crate::rng::Exhaustive).
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcomes {
    path: Vec<Fork>,
    taken: usize,
}

impl Outcomes {
    fn taken(&self) -> &[Fork] {
        &self.path[..self.taken.min(self.path.len())]
    }

    /// Draws that lead to the outcome of the last run.
    pub fn draws(&self) -> impl Iterator<Item = u32> {
        self.taken().iter().flat_map(Fork::draws)
    }

    /// Probability of the outcome of the last run, and its probability if no search for a place ever failed that can
    /// succeed. `None` if one is too large to represent.
    pub fn probability(&self) -> Option<[Ratio; 2]> {
        let mut draws = 1_u128;
        let (mut probability, mut ideal) = (Ratio::one(), Ratio::one());
        for fork in self.taken() {
            match fork {
                Fork::Draw(draw) => draws = draws.checked_mul(draw.below.into())?,
                Fork::Search(search, result) => {
                    probability = probability.times(&share(search, *result)?)?;
                    ideal = ideal.times(&ideal_share(search, *result)?)?;
                }
            }
        }
        let drawn = Ratio::one_in(draws)?;
        Some([probability.times(&drawn)?, ideal.times(&drawn)?])
    }

    /// Moves to the next outcome. Returns false after the last one.
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.taken);
        self.taken = 0;
        while let Some(last) = self.path.last_mut() {
            if last.advance() {
                return true;
            }
            self.path.pop();
        }
        false
    }
}

impl Fork {
    fn advance(&mut self) -> bool {
        match self {
            Fork::Draw(draw) => {
                draw.result += 1;
                draw.result < draw.below
            }
            Fork::Search(search, result) => {
                *result += 1;
                *result < ways(search)
            }
        }
    }

    /// Draws of the decision, in order.
    fn draws(&self) -> Vec<u32> {
        match self {
            Fork::Draw(draw) => vec![draw.result],
            Fork::Search(search, result) => match (search.good.get(*result), search.bad) {
                (Some(good), _) => good.draws.as_slice().to_vec(),
                (None, Some(bad)) => bad.draws.as_slice().repeat(search.tries.unwrap_or(0) as usize),
                (None, None) => Vec::new(),
            },
        }
    }
}

/// Number of outcomes of a search.
pub(crate) fn ways(search: &Search) -> usize {
    let can_fail = search.bad.is_some() && search.tries.is_some();
    search.good.len() + usize::from(can_fail)
}

/// Probability that a search ends with an outcome.
fn share(search: &Search, result: usize) -> Option<Ratio> {
    let good: u64 = search.good.iter().map(|candidate| u64::from(candidate.weight)).sum();
    let bad = search.bad.map_or(0, |candidate| u64::from(candidate.weight));
    let nothing = match search.tries {
        Some(tries) => Ratio::new(bad.into(), (good + bad).into())?.to_the(tries)?,
        None => Ratio::zero(),
    };
    match search.good.get(result) {
        Some(found) => {
            let of_good = Ratio::new(found.weight.into(), good.into())?;
            Ratio::one().minus(&nothing)?.times(&of_good)
        }
        None => Some(nothing),
    }
}

/// Probability that a search ends with an outcome if it has as many tries as it needs.
fn ideal_share(search: &Search, result: usize) -> Option<Ratio> {
    let good: u64 = search.good.iter().map(|candidate| u64::from(candidate.weight)).sum();
    match search.good.get(result) {
        Some(found) => Ratio::new(found.weight.into(), good.into()),
        None if search.good.is_empty() => Some(Ratio::one()),
        None => Some(Ratio::zero()),
    }
}

impl Rng for Outcomes {
    fn takes_searches(&self) -> bool {
        true
    }

    fn search(&mut self, search: Search) -> Option<usize> {
        let good = search.good.len();
        if self.taken == self.path.len() {
            self.path.push(Fork::Search(search, 0));
        }
        // A program makes the same searches after the same draws.
        let result = match &self.path[self.taken] {
            Fork::Search(_, result) => *result,
            Fork::Draw(draw) => draw.result as usize,
        };
        self.taken += 1;
        (result < good).then_some(result)
    }

    fn below(&mut self, below: u32) -> u32 {
        if self.taken == self.path.len() {
            self.path.push(Fork::Draw(Draw { below, result: 0 }));
        }
        let result = match &self.path[self.taken] {
            Fork::Draw(draw) => draw.result,
            Fork::Search(_, result) => *result as u32,
        };
        self.taken += 1;
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use splc_vm::{Candidate, Draws};

    fn candidate(weight: u32, draw: u32) -> Candidate {
        Candidate { weight, draws: Draws::One([draw]) }
    }

    /// Compares with an enumeration of all draws of all tries.
    #[test]
    fn a_search_has_the_outcomes_of_its_tries() {
        for (good, bad, tries) in [(1, 1, 1), (1, 3, 3), (2, 3, 4), (3, 0, 5), (0, 2, 3), (2, 1, 6)] {
            let of = good + bad;
            let ways = u128::pow(of as u128, tries);
            let mut expected = vec![Ratio::zero(); good + 1];
            for way in 0..ways {
                let drawn = (0..tries).map(|at| (way / u128::pow(of as u128, at)) as usize % of);
                let found = drawn.into_iter().find(|&drawn| drawn < good).unwrap_or(good);
                expected[found] = expected[found].plus(&Ratio::one_in(ways).unwrap()).unwrap();
            }
            let search = Search {
                good: (0..good as u32).map(|at| candidate(1, at)).collect(),
                bad: (bad > 0).then(|| candidate(bad as u32, good as u32)),
                tries: Some(tries),
            };
            let mut outcomes = Outcomes::default();
            let mut found = vec![Ratio::zero(); good + 1];
            loop {
                let result = outcomes.search(search.clone());
                let draws: Vec<u32> = outcomes.draws().collect();
                assert!(draws.iter().rev().skip(1).all(|&drawn| drawn as usize >= good));
                assert_eq!(draws.last().filter(|&&drawn| (drawn as usize) < good).map(|&drawn| drawn as usize), result);
                found[result.unwrap_or(good)] = outcomes.probability().unwrap()[0].clone();
                if !outcomes.advance() {
                    break;
                }
            }
            assert_eq!(found, expected, "{good} good of {of}, {tries} tries");
        }
    }

    /// One hole stays in one of seven draws; the other nineteen of the twenty stay every time.
    #[test]
    fn weights_count() {
        let mut good: Vec<Candidate> = (0..19).map(|at| candidate(7, at)).collect();
        good.push(Candidate { weight: 1, draws: Draws::Two([19, 0]) });
        let search = Search { good, bad: Some(Candidate { weight: 6, draws: Draws::Two([19, 1]) }), tries: None };
        let mut outcomes = Outcomes::default();
        let mut found = Vec::new();
        loop {
            outcomes.search(search.clone());
            found.push(outcomes.probability().unwrap()[0].clone());
            if !outcomes.advance() {
                break;
            }
        }
        assert_eq!(found.len(), 20);
        assert_eq!((found[0].to_string(), found[19].to_string()), ("7/134".to_owned(), "1/134".to_owned()));
    }

    #[test]
    fn searches_and_draws_go_together() {
        let search = Search { good: vec![candidate(1, 0)], bad: Some(candidate(1, 1)), tries: Some(2) };
        let mut outcomes = Outcomes::default();
        let mut seen = Vec::new();
        loop {
            let coin = outcomes.below(2);
            let found = if coin == 0 { outcomes.search(search.clone()) } else { None };
            seen.push((
                coin,
                found,
                outcomes.probability().unwrap()[0].to_string(),
                outcomes.draws().collect::<Vec<u32>>(),
            ));
            if !outcomes.advance() {
                break;
            }
        }
        let expected = [
            (0, Some(0), "3/8".to_owned(), vec![0, 0]),
            (0, None, "1/8".to_owned(), vec![0, 1, 1]),
            (1, None, "1/2".to_owned(), vec![1]),
        ];
        assert_eq!(seen, expected);
    }
}
