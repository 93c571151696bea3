//! Where random numbers come from.
//!
//! Every random decision of a level is one [`Rng::below`], in the order in which the game's loader takes it.
//! What a game makes of a draw (`rn2`, `rnd`, `rn1`, dice) is the loader's business.
//!
//! Some decisions are a loop: something is drawn again and again until it is good. Who goes through all that can come
//! takes such a [`Search`] as a whole; all others take its draws.

/// A source of draws.
pub trait Rng {
    /// Whether it takes a [`Search`] as a whole now.
    #[inline]
    fn takes_searches(&self) -> bool {
        false
    }

    /// Which of its good outcomes a search comes to; `None`: none of them.
    #[inline]
    fn search(&mut self, search: Search) -> Option<usize> {
        let _ = search;
        None
    }

    /// A number in `0..below`; `below` is at least 1.
    fn below(&mut self, below: u32) -> u32;

    /// The stream itself, if it is the reference stream: most levels are made with it, and the loader is built for it.
    fn reference_stream(&mut self) -> Option<&mut SplitMix> {
        None
    }

    /// Takes a draw below each number of `below`, all of them so many `times`, whose outcomes nobody wants.
    fn pass_over(&mut self, below: &[u32], times: u32) {
        for _ in 0..times {
            for &below in below {
                self.below(below);
            }
        }
    }
}

/// Something that is drawn again and again until it is good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// What is good.
    pub good: Vec<Candidate>,
    /// All that is not, with the draws of one of it; `None` if everything is good.
    pub bad: Option<Candidate>,
    /// How often is drawn at most; `None`: for ever.
    pub tries: Option<u32>,
}

/// An outcome of one try of a [`Search`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// How likely it is, compared with the others.
    pub weight: u32,
    /// What is drawn then.
    pub draws: Draws,
}

/// The draws of one try: one or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// One.
    One([u32; 1]),
    /// Two.
    Two([u32; 2]),
}

impl Draws {
    /// What is drawn, in order.
    pub fn as_slice(&self) -> &[u32] {
        match self {
            Draws::One(draws) => draws,
            Draws::Two(draws) => draws,
        }
    }
}

impl<R: Rng + ?Sized> Rng for &mut R {
    #[inline]
    fn takes_searches(&self) -> bool {
        (**self).takes_searches()
    }

    #[inline]
    fn search(&mut self, search: Search) -> Option<usize> {
        (**self).search(search)
    }

    #[inline]
    fn below(&mut self, below: u32) -> u32 {
        (**self).below(below)
    }

    #[inline]
    fn reference_stream(&mut self) -> Option<&mut SplitMix> {
        (**self).reference_stream()
    }

    #[inline]
    fn pass_over(&mut self, below: &[u32], times: u32) {
        (**self).pass_over(below, times);
    }
}

/// The reference stream: SplitMix64, of which the upper half is reduced by division, as in the reference traces.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The stream of that seed.
    pub fn new(seed: u64) -> Self {
        SplitMix(seed)
    }
}

/// What SplitMix64 adds to its state with every number.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

impl Rng for SplitMix {
    #[inline]
    fn reference_stream(&mut self) -> Option<&mut SplitMix> {
        Some(self)
    }

    /// The state is a counter.
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

/// One draw: below what, and what came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draw {
    /// The number of outcomes.
    pub below: u32,
    /// The outcome.
    pub result: u32,
}

/// Remembers the draws of another source.
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

    /// What was drawn so far.
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

/// Gives the numbers of a list, one after the other; afterwards, and where a number does not fit, 0.
#[derive(Clone, Debug)]
pub struct Scripted<'a> {
    results: &'a [u32],
    taken: usize,
    misfits: usize,
}

impl<'a> Scripted<'a> {
    /// Gives `results`.
    pub fn new(results: &'a [u32]) -> Self {
        Scripted { results, taken: 0, misfits: 0 }
    }

    /// How many draws were taken.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// How many draws the list had no fitting number for.
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

/// Goes through every outcome of a program that draws little: run it, ask for the [probability] of what came,
/// and [advance] until that says that there is nothing more.
///
/// [probability]: Exhaustive::probability
/// [advance]: Exhaustive::advance
#[derive(Clone, Debug, Default)]
pub struct Exhaustive {
    path: Vec<Draw>,
    taken: usize,
}

impl Exhaustive {
    /// Begins with the outcome in which every draw gives 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// The draws of the outcome that was run.
    pub fn draws(&self) -> &[Draw] {
        &self.path[..self.taken.min(self.path.len())]
    }

    /// The probability of the outcome that was run, as the number of equally likely outcomes like it: one in so
    /// many. `None` if that does not fit 128 bits.
    pub fn probability(&self) -> Option<u128> {
        self.draws().iter().try_fold(1_u128, |product, draw| product.checked_mul(draw.below.into()))
    }

    /// Goes on to the next outcome; false after the last one.
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
        // A program draws alike after like draws, so what is on the path fits.
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
        // The first words of the generator's published test vector for seed 1234567, upper halves.
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
