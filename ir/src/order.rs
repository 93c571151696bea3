//! Sorting of lists that are too short to be worth code of their own.
//!
//! The standard library's sorts are compiled for each type and each order: 8 kB for every call. Here only the order is.
//! Positions are sorted by a function that is compiled once, and the elements are moved to them.

use std::cmp::Ordering;

/// Sorting that keeps the order of equal elements, like that of the standard library.
pub trait Order<T> {
    /// Sorts by `compare`.
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Sorts by a key.
    fn order_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K);

    /// Sorts by the elements themselves.
    fn order(&mut self)
    where
        T: Ord;
}

impl<T> Order<T> for [T] {
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        if self.len() > 1 {
            let order = sorted(self.len(), &|one, other| compare(&self[one], &self[other]));
            arrange(self, order);
        }
    }

    fn order_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.order_by(|one, other| key(one).cmp(&key(other)));
    }

    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }
}

/// Returns the positions of `count` elements in order.
fn sorted(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&one, &other| compare(one, other));
    order
}

/// Moves the element at `order[at]` to `at`, for every position.
fn arrange<T>(list: &mut [T], mut order: Vec<usize>) {
    for start in 0..order.len() {
        // The elements of a cycle move by one place each.
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start {
                break;
            }
            list.swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_as_by_the_standard_library() {
        // Every list of five numbers below five, each with its position.
        for number in 0..5_usize.pow(5) {
            let list: Vec<(usize, usize)> = (0..5).map(|at| (number / 5_usize.pow(at) % 5, at as usize)).collect();
            let (mut ours, mut theirs) = (list.clone(), list);
            ours.order_by_key(|&(digit, _)| std::cmp::Reverse(digit));
            theirs.sort_by_key(|&(digit, _)| std::cmp::Reverse(digit));
            assert_eq!(ours, theirs);
            ours.order();
            theirs.sort();
            assert_eq!(ours, theirs);
        }
    }
}
