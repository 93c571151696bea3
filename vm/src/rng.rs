//! Sources of random numbers.
//!
//! Every random decision of a level is one [`Rng::below`], in the order of the game's loader. The loader derives the
//! game's own functions (`rn2`, `rnd`, `rn1`, dice) from it.
//!
//! Some decisions are a loop: a draw is repeated until it is good. A source that enumerates all outcomes takes such a
//! [`Search`] as a whole; all others take its individual draws.

/// A source of draws.
pub trait Rng {
    /// Returns true if the source currently takes a [`Search`] as a whole.
    #[inline]
    fn takes_searches(&self) -> bool {
        false
    }

    /// Returns the index of the good outcome in which a search ends, or `None` if it fails.
    #[inline]
    fn search(&mut self, search: Search) -> Option<usize> {
        let _ = search;
        None
    }

    /// Returns a number in `0..below`. `below` is at least 1.
    fn below(&mut self, below: u32) -> u32;

    /// Returns the reference stream, if this is it. Its draws are faster than those of other sources.
    fn reference_stream(&mut self) -> Option<&mut SplitMix> {
        None
    }

    /// Takes a draw below each number in `below`, the whole list `times` times, and ignores the results.
    fn pass_over(&mut self, below: &[u32], times: u32) {
        for _ in 0..times {
            for &below in below {
                self.below(below);
            }
        }
    }
}

/// A draw that is repeated until it is good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The good outcomes.
    pub good: Vec<Candidate>,
    /// All other outcomes together, with the draws of one of them; `None` if every outcome is good.
    pub bad: Option<Candidate>,
    /// Maximum number of tries; `None` for no limit.
    pub tries: Option<u32>,
}

/// An outcome of one try in a [`Search`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Relative weight of the outcome.
    pub weight: u32,
    /// Draws taken in this outcome.
    pub draws: Draws,
}

/// The draws of one try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// A single draw.
    One([u32; 1]),
    /// Two draws.
    Two([u32; 2]),
}

impl Draws {
    /// Bounds of the draws, in order.
    pub fn as_slice(&self) -> &[u32] {
        match self {
            Draws::One(draws) => draws,
            Draws::Two(draws) => draws,
        }
    }
}

/// The source of a run. Most levels are run on the reference stream, so its draws are not calls through a table.
pub(crate) enum Source<'a> {
    Stream(&'a mut SplitMix),
    Other(&'a mut dyn Rng),
}

impl Rng for Source<'_> {
    #[inline]
    fn takes_searches(&self) -> bool {
        match self {
            Source::Stream(_) => false,
            Source::Other(rng) => rng.takes_searches(),
        }
    }

    #[inline]
    fn search(&mut self, search: Search) -> Option<usize> {
        match self {
            Source::Stream(stream) => stream.search(search),
            Source::Other(rng) => rng.search(search),
        }
    }

    #[inline]
    fn below(&mut self, below: u32) -> u32 {
        match self {
            Source::Stream(stream) => stream.below(below),
            Source::Other(rng) => rng.below(below),
        }
    }

    #[inline]
    fn pass_over(&mut self, below: &[u32], times: u32) {
        match self {
            Source::Stream(stream) => stream.pass_over(below, times),
            Source::Other(rng) => rng.pass_over(below, times),
        }
    }
}

/// The reference stream: SplitMix64, whose upper half is reduced by division, as in the reference traces.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// Creates the stream of a seed.
    pub fn new(seed: u64) -> Self {
        SplitMix(seed)
    }
}

/// The increment of SplitMix64's state for each number.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

impl Rng for SplitMix {
    #[inline]
    fn reference_stream(&mut self) -> Option<&mut SplitMix> {
        Some(self)
    }

    /// The state is a counter, so skipping is one addition.
    #[inline]
    fn pass_over(&mut self, below: &[u32], times: u32) {
        self.0 = self.0.wrapping_add(GAMMA.wrapping_mul(below.len() as u64 * u64::from(times)));
    }

    #[inline]
    fn below(&mut self, below: u32) -> u32 {
        self.0 = self.0.wrapping_add(GAMMA);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        (word >> 32) as u32 % below.max(1)
    }
}

/// A draw with its bound and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draw {
    /// Number of outcomes.
    pub below: u32,
    /// Outcome.
    pub result: u32,
}

/// Records the draws of another source.
#[derive(Clone, Debug)]
pub struct Recording<R> {
    source: R,
    draws: Vec<Draw>,
}

impl<R: Rng> Recording<R> {
    /// Records `source`.
    pub fn new(source: R) -> Self {
        Recording { source, draws: Vec::new() }
    }

    /// Draws so far.
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }
}

impl<R: Rng> Rng for Recording<R> {
    fn below(&mut self, below: u32) -> u32 {
        let result = self.source.below(below);
        self.draws.push(Draw { below, result });
        result
    }
}

/// Returns the numbers of a list in order. After its end, and if a number is out of range, returns 0.
#[derive(Clone, Debug)]
pub struct Scripted<'a> {
    results: &'a [u32],
    taken: usize,
    misfits: usize,
}

impl<'a> Scripted<'a> {
    /// Creates a source that returns `results`.
    pub fn new(results: &'a [u32]) -> Self {
        Scripted { results, taken: 0, misfits: 0 }
    }

    /// Number of draws taken.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// Number of draws for which the list had no number in range.
    pub fn misfits(&self) -> usize {
        self.misfits
    }
}

impl Rng for Scripted<'_> {
    fn below(&mut self, below: u32) -> u32 {
        let result = self.results.get(self.taken).copied().filter(|&result| result < below);
        self.taken += 1;
        self.misfits += usize::from(result.is_none());
        result.unwrap_or(0)
    }
}

/// Enumerates every outcome of a program with few draws: run it, read the [probability] of the outcome, and [advance]
/// until there are no more.
///
/// [probability]: Exhaustive::probability
/// [advance]: Exhaustive::advance
#[derive(Clone, Debug, Default)]
pub struct Exhaustive {
    path: Vec<Draw>,
    taken: usize,
}

impl Exhaustive {
    /// Starts with the outcome in which every draw is 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// Draws of the last run.
    pub fn draws(&self) -> &[Draw] {
        &self.path[..self.taken.min(self.path.len())]
    }

    /// Probability of the last run, as the denominator of one in N. `None` if N does not fit into 128 bits.
    pub fn probability(&self) -> Option<u128> {
        self.draws().iter().try_fold(1_u128, |product, draw| product.checked_mul(draw.below.into()))
    }

    /// Moves to the next outcome. Returns false after the last one.
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.taken);
        self.taken = 0;
        while let Some(last) = self.path.last_mut() {
            last.result += 1;
            if last.result < last.below {
                return true;
            }
            self.path.pop();
        }
        false
    }
}

impl Rng for Exhaustive {
    fn below(&mut self, below: u32) -> u32 {
        if self.taken == self.path.len() {
            self.path.push(Draw { below, result: 0 });
        }
        // A program takes the same draws after the same results, so the path is in range.
        let result = self.path[self.taken].result;
        self.taken += 1;
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_splitmix64() {
        // First values of the generator's published test vector for seed 1234567, upper halves.
        let mut stream = SplitMix::new(1_234_567);
        let words = [6_457_827_717_110_365_317_u64, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        for word in words {
            assert_eq!(stream.below(1_000_000_007), (word >> 32) as u32 % 1_000_000_007);
        }
    }

    #[test]
    fn passing_over_draws_is_drawing() {
        let (mut passing, mut drawing) = (SplitMix::new(7), SplitMix::new(7));
        passing.pass_over(&[73, 15], 2000);
        for _ in 0..4000 {
            drawing.below(9);
        }
        assert_eq!(passing.below(1_000_000), drawing.below(1_000_000));
        let mut recording = Recording::new(SplitMix::new(7));
        recording.pass_over(&[73, 15], 2);
        let below: Vec<u32> = recording.draws().iter().map(|draw| draw.below).collect();
        assert_eq!(below, [73, 15, 73, 15]);
    }

    #[test]
    fn every_outcome_comes_once() {
        let mut source = Exhaustive::new();
        let mut outcomes = Vec::new();
        loop {
            let coin = source.below(2);
            let die = if coin == 1 { source.below(3) } else { 9 };
            outcomes.push((coin, die, source.probability()));
            if !source.advance() {
                break;
            }
        }
        let expected = [(0, 9, Some(2)), (1, 0, Some(6)), (1, 1, Some(6)), (1, 2, Some(6))];
        assert_eq!(outcomes, expected);
    }

    #[test]
    fn a_script_says_when_it_does_not_fit() {
        let mut source = Scripted::new(&[3, 7]);
        assert_eq!([source.below(4), source.below(4), source.below(4)], [3, 0, 0]);
        assert_eq!((source.taken(), source.misfits()), (3, 2));
    }
}
