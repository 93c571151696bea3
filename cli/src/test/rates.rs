//! Statistics of rates: intervals of confidence, and the comparison of two rates.

/// The quantile of the normal distribution for 95 % on both sides.
const QUANTILE: f64 = 1.959_964;

/// Returns the 95 % interval of a rate that was seen as `seeds` of `of` (the score interval of Wilson).
pub(super) fn interval(seeds: u64, of: u64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let (count, rate) = (of as f64, seeds as f64 / of as f64);
    let square = QUANTILE * QUANTILE;
    let middle = (rate + square / (2.0 * count)) / (1.0 + square / count);
    let half =
        QUANTILE / (1.0 + square / count) * (rate * (1.0 - rate) / count + square / (4.0 * count * count)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// Returns a rate in words: a percentage, or one in so many if it is small.
pub(super) fn in_words(rate: f64) -> String {
    const RARE: f64 = 0.001;
    if rate <= 0.0 {
        "never".to_owned()
    } else if rate < RARE {
        format!("1 in {:.0}", 1.0 / rate)
    } else {
        format!("{:.1} %", 100.0 * rate)
    }
}

/// Returns the probability that two rates which are the same differ at least as much as `a` of `of_a` and `b` of
/// `of_b` do: the two-sided exact test of Fisher.
pub(super) fn same(a: u64, of_a: u64, b: u64, of_b: u64) -> f64 {
    let marked = a + b;
    let all = of_a + of_b;
    // Rates that differ less than rounding does are equal.
    const SLACK: f64 = 1e-7;
    let chance = |x: u64| choose(of_a, x) + choose(of_b, marked - x) - choose(all, marked);
    let observed = chance(a);
    let (least, most) = (marked.saturating_sub(of_b), marked.min(of_a));
    let total: f64 = (least..=most).map(chance).filter(|&chance| chance <= observed + SLACK).map(f64::exp).sum();
    total.min(1.0)
}

/// Returns the logarithm of a binomial coefficient.
fn choose(n: u64, k: u64) -> f64 {
    factorial(n) - factorial(k) - factorial(n - k)
}

/// Returns the logarithm of `n!`, for large `n` by the series of Stirling.
fn factorial(n: u64) -> f64 {
    const FEW: u64 = 32;
    if n < FEW {
        return (2..=n).map(|number| (number as f64).ln()).sum();
    }
    let n = n as f64;
    n * n.ln() - n + 0.5 * (2.0 * std::f64::consts::PI * n).ln() + 1.0 / (12.0 * n) - 1.0 / (360.0 * n.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-4
    }

    #[test]
    fn intervals_are_those_of_wilson() {
        // R: prop.test(3, 200, correct = FALSE) and prop.test(0, 1000, correct = FALSE)
        let (low, high) = interval(3, 200);
        assert!(is_near(low, 0.005_11) && is_near(high, 0.043_17), "{low} {high}");
        let (low, high) = interval(0, 1000);
        assert!(is_near(low, 0.0) && is_near(high, 0.003_83), "{low} {high}");
    }

    #[test]
    fn rates_are_compared_as_by_fisher() {
        // Fisher's tea: fisher.test(matrix(c(3, 1, 1, 3), 2)); and fisher.test(matrix(c(8, 192, 0, 200), 2))
        assert!(is_near(same(3, 4, 1, 4), 0.485_71));
        assert!(is_near(same(8, 200, 0, 200), 0.007_27));
        assert!(is_near(same(5, 100, 5, 100), 1.0));
    }

    #[test]
    fn the_series_joins_the_sum() {
        let sum: f64 = (2..=40).map(|number| f64::from(number).ln()).sum();
        assert!((factorial(40) - sum).abs() < 1e-9);
    }
}
