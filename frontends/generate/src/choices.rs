//! The source of the choices for a generated level.

/// A stream of choices: endless from a seed, or from a list. After the end of the list every choice is the simplest
/// one.
///
/// A shorter list, or one with smaller numbers, generates a smaller level. So property tests can shrink a level by
/// shrinking numbers.
#[derive(Clone, Debug)]
pub struct Choices {
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    /// The state of a SplitMix64.
    Stream(u64),
    /// The rest of a list.
    List(std::vec::IntoIter<u32>),
}

impl Choices {
    /// Returns the endless choices of a seed.
    pub fn of_seed(seed: u64) -> Self {
        Choices { source: Source::Stream(seed) }
    }

    /// Returns the choices of a list. After its end all are 0.
    pub fn of_list(list: Vec<u32>) -> Self {
        Choices { source: Source::List(list.into_iter()) }
    }

    fn next(&mut self) -> u32 {
        match &mut self.source {
            Source::List(list) => list.next().unwrap_or(0),
            Source::Stream(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut word = *state;
                word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
                ((word ^ word >> 31) >> 32) as u32
            }
        }
    }

    /// Returns a number in `0..below`, or 0 if that is empty. The simplest is 0.
    pub fn below(&mut self, below: usize) -> usize {
        if below <= 1 { 0 } else { self.next() as usize % below }
    }

    /// Returns a number from `least` to `most`. The simplest is `least`.
    pub fn between(&mut self, least: i32, most: i32) -> i32 {
        let count = i64::from(most) - i64::from(least) + 1;
        least + self.below(usize::try_from(count).unwrap_or(1)) as i32
    }

    /// Returns true with a probability of `percent`. The simplest is false.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent.min(100)
    }

    /// Returns an element of a list, which must not be empty. The simplest is the first.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Returns up to `most` elements of a list, each at most once, in order.
    pub fn some<T: Copy>(&mut self, list: &[T], most: usize) -> Vec<T> {
        let mut left = most.min(list.len());
        let mut picked = Vec::new();
        for &item in list {
            if left > 0 && self.percent(25) {
                picked.push(item);
                left -= 1;
            }
        }
        picked
    }
}
