//! Where the choices of a made-up level come from.

/// A stream of choices: endless from a seed, or a list behind which every choice is the simplest one.
///
/// A shorter list, or one of smaller numbers, makes a smaller level. So whoever looks for the smallest level that shows
/// something, as property tests do when they shrink, need only shrink numbers.
#[derive(Clone, Debug)]
pub struct Choices {
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    /// State of a SplitMix64.
    Stream(u64),
    /// What is left of a list.
    List(std::vec::IntoIter<u32>),
}

impl Choices {
    /// The endless choices of a seed.
    pub fn of_seed(seed: u64) -> Self {
        Choices { source: Source::Stream(seed) }
    }

    /// The choices of a list; behind its end all are 0.
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

    /// A number in `0..below`, or 0 if there is none. The simplest is 0.
    pub fn below(&mut self, below: usize) -> usize {
        if below <= 1 { 0 } else { self.next() as usize % below }
    }

    /// A number from `least` to `most`. The simplest is `least`.
    pub fn between(&mut self, least: i32, most: i32) -> i32 {
        let count = i64::from(most) - i64::from(least) + 1;
        least + self.below(usize::try_from(count).unwrap_or(1)) as i32
    }

    /// True in so many of 100 cases. The simplest is false.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent.min(100)
    }

    /// One of a list that is not empty. The simplest is the first.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Some of a list, each once, in its order; all of them are 0 to `most`.
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
