//! Statistical certainty of a difference between counts, and the size of differences that would have been detected.
//!
//! Both levels are run equally often, with independent draws. If both had the same outcomes with the same
//! probabilities, every assignment of the generated levels to the two sides would be equally likely. The number of
//! levels with a fact that belong to the first side is then hypergeometrically distributed (Fisher's exact test),
//! whatever the fact and however it depends on others. Each fact observed may be wrong with an equal share of the total
//! error probability (Bonferroni), so that the probability of any false alarm is below that total.

/// The probability that identical levels are called different.
pub const ERROR_PROBABILITY: f64 = 1e-10;

/// The probability that a difference of the reported size is missed.
pub const OVERSIGHT_PROBABILITY: f64 = 1e-3;

/// Bound on the rounding error in the logarithm of a probability.
const ROUNDING: f64 = 1e-3;

/// Logarithm of `number!`.
fn ln_factorial(number: u64) -> f64 {
    if number < 32 {
        return (2..=number).map(|factor| (factor as f64).ln()).sum();
    }
    // Stirling's series; the error is below 1e-13.
    let x = number as f64 + 1.0;
    let square = x * x;
    (x - 0.5) * x.ln() - x
        + 0.918_938_533_204_672_8
        + (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * square)) / square) / x
}

fn ln_choose(from: u64, chosen: u64) -> f64 {
    ln_factorial(from) - ln_factorial(chosen) - ln_factorial(from - chosen)
}

/// Logarithm of a p-value. If the `first + second` levels with a fact are assigned at random to two sides of `runs`
/// levels each, it is the probability that the two counts are at least as far apart as these.
pub fn ln_p_value(first: u64, second: u64, runs: u64) -> f64 {
    let (more, both) = (first.max(second), first + second);
    if first == second || runs == 0 {
        return 0.0;
    }
    let ln_probability =
        |count: u64| ln_choose(both, count) + ln_choose(2 * runs - both, runs - count) - ln_choose(2 * runs, runs);
    let start = ln_probability(more);
    // Further terms as fractions of the first: they fall ever faster.
    let (mut sum, mut term, mut count) = (1.0, 1.0, more);
    while count < both.min(runs) {
        let (k, rest) = (count as f64, (2 * runs - both) as f64);
        term *= (both as f64 - k) * (runs as f64 - k) / ((k + 1.0) * (rest - runs as f64 + k + 1.0));
        sum += term;
        count += 1;
        if term < 1e-17 * sum {
            break;
        }
    }
    (start + f64::ln(sum) + std::f64::consts::LN_2).min(0.0)
}

/// Returns true if the counts of a fact distinguish two sides of `runs` levels, given the number of `facts` examined
/// and the total error probability.
pub fn is_significant(first: u64, second: u64, runs: u64, facts: u64, error: f64) -> bool {
    // A distance below five standard deviations is never certain.
    let (distance, both) = (first.abs_diff(second) as f64, (first + second) as f64);
    distance * distance > 25.0 * both && ln_p_value(first, second, runs) < (error / facts.max(1) as f64).ln() - ROUNDING
}

/// Sizes of differences that would have been found, except with [`OVERSIGHT_PROBABILITY`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// Minimum probability of a fact that the other side never has; `None` if not even a certain fact would be found.
    pub never: Option<f64>,
    /// Minimum difference between two probabilities of a fact, whatever they are; `None` if no difference would be
    /// found.
    pub anywhere: Option<f64>,
}

/// Computes the differences found with `runs` runs of each side and `facts` facts.
pub fn power(runs: u64, facts: u64, error: f64) -> Power {
    let differs = |first, second| is_significant(first, second, runs, facts, error);
    // The smallest number in 1..=most that satisfies the monotonic condition `holds`.
    let least = |most: u64, holds: &dyn Fn(u64) -> bool| {
        let (mut low, mut high) = (1, most + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        (low <= most).then_some(low)
    };
    let oversight = OVERSIGHT_PROBABILITY.ln();
    let never = least(runs, &|count| differs(count, 0)).and_then(|needed| {
        // Chernoff: fewer than needed occur with a probability below exp(-runs * divergence).
        let share = (needed - 1) as f64 / runs as f64;
        let overlooked = |probability: f64| {
            let part = |of: f64, to: f64| if of > 0.0 { of * (of / to).ln() } else { 0.0 };
            let divergence = part(share, probability) + part(1.0 - share, 1.0 - probability);
            -(runs as f64) * divergence > oversight
        };
        let (mut low, mut high) = (share, 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if overlooked(middle) { low = middle } else { high = middle }
        }
        (high < 1.0).then_some(high)
    });
    // Counts deviate most when half of all levels have the fact.
    let half = runs / 2;
    let anywhere = least(half, &|count| differs(half + count, half - count)).and_then(|needed| {
        // Hoeffding: bound on the shortfall of the difference.
        let short = (runs as f64 * -oversight).sqrt();
        let distance = (2.0 * needed as f64 + short) / runs as f64;
        (distance <= 1.0).then_some(distance)
    });
    Power { never, anywhere }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_are_exact_enough() {
        let mut sum = 0.0;
        for number in 1..=2000_u64 {
            sum += (number as f64).ln();
            assert!((ln_factorial(number) - sum).abs() < 1e-9 * sum.max(1.0), "{number}");
        }
    }

    /// Compares with an enumeration of all assignments.
    #[test]
    fn the_test_is_fishers() {
        for runs in 1..7_u64 {
            for first in 0..=runs {
                for second in 0..=runs {
                    let both = first + second;
                    let ways = |count: u64| (ln_choose(both, count) + ln_choose(2 * runs - both, runs - count)).exp();
                    let fits = |count: &u64| both - count <= runs && *count <= runs;
                    let all: f64 = (0..=both).filter(fits).map(ways).sum();
                    let tail: f64 = (first.max(second)..=both).filter(fits).map(ways).sum();
                    let expected = if first == second { 1.0 } else { (2.0 * tail / all).min(1.0) };
                    let given = ln_p_value(first, second, runs).exp();
                    assert!((given - expected).abs() < 1e-9, "{first} {second} of {runs}: {given} {expected}");
                }
            }
        }
    }

    #[test]
    fn what_is_found_is_said() {
        let Power { never, anywhere } = power(10_000, 50_000, ERROR_PROBABILITY);
        let (never, anywhere) = (never.unwrap(), anywhere.unwrap());
        assert!(never > 0.004 && never < 0.012, "{never}");
        assert!(anywhere > 0.05 && anywhere < 0.1, "{anywhere}");
        assert_eq!(power(10, 1, ERROR_PROBABILITY), Power { never: None, anywhere: None });
    }
}
