//! Exact probabilities.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigUint;
use num_integer::Integer;

use crate::limits::MAX_PROBABILITY_BITS;

/// An exact fraction in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: BigUint,
    denominator: BigUint,
}

impl Ratio {
    /// Probability 0.
    pub fn zero() -> Ratio {
        Ratio::whole(0)
    }

    /// Probability 1.
    pub fn one() -> Ratio {
        Ratio::whole(1)
    }

    fn whole(number: u32) -> Ratio {
        Ratio { numerator: number.into(), denominator: 1_u32.into() }
    }

    /// Returns one in `denominator`, or `None` if that is 0.
    pub fn one_in(denominator: u128) -> Option<Ratio> {
        (denominator > 0).then(|| Ratio { numerator: 1_u32.into(), denominator: denominator.into() })
    }

    /// Returns `numerator` in `denominator`, or `None` if it is too large or the denominator is 0.
    pub(crate) fn new(numerator: BigUint, denominator: BigUint) -> Option<Ratio> {
        let common = numerator.gcd(&denominator);
        if common == BigUint::ZERO || denominator == BigUint::ZERO {
            return None;
        }
        let reduced = Ratio { numerator: numerator / &common, denominator: denominator / &common };
        (reduced.denominator.bits() <= MAX_PROBABILITY_BITS).then_some(reduced)
    }

    pub(crate) fn numerator(&self) -> &BigUint {
        &self.numerator
    }

    pub(crate) fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// Returns true for probability 0.
    pub fn is_never(&self) -> bool {
        *self == Ratio::zero()
    }

    /// Returns true for probability 1.
    pub fn is_always(&self) -> bool {
        self.numerator == self.denominator
    }

    /// Returns the sum, or `None` if it is too large.
    pub fn plus(&self, other: &Ratio) -> Option<Ratio> {
        if self.denominator == other.denominator {
            return Ratio::new(&self.numerator + &other.numerator, self.denominator.clone());
        }
        let common = self.denominator.gcd(&other.denominator);
        let (mine, theirs) = (&other.denominator / &common, &self.denominator / &common);
        Ratio::new(&self.numerator * &mine + &other.numerator * theirs, &self.denominator * mine)
    }

    /// Returns the difference, or `None` if `other` is greater or the result is too large.
    pub fn minus(&self, other: &Ratio) -> Option<Ratio> {
        let (whole, part) = (&self.numerator * &other.denominator, &other.numerator * &self.denominator);
        (part <= whole).then(|| Ratio::new(whole - part, &self.denominator * &other.denominator)).flatten()
    }

    /// Returns the product, or `None` if it is too large.
    pub fn times(&self, other: &Ratio) -> Option<Ratio> {
        // Probability 1 is common.
        if other.is_always() {
            return Some(self.clone());
        }
        if self.is_always() {
            return Some(other.clone());
        }
        Ratio::new(&self.numerator * &other.numerator, &self.denominator * &other.denominator)
    }

    /// Returns the quotient by `whole`, or `None` if `whole` is 0 or the result is too large.
    pub(crate) fn over(&self, whole: &Ratio) -> Option<Ratio> {
        Ratio::new(&self.numerator * &whole.denominator, &self.denominator * &whole.numerator)
    }

    /// Returns the power, or `None` if it is too large.
    pub(crate) fn to_the(&self, power: u32) -> Option<Ratio> {
        if self.denominator.bits().saturating_sub(1).saturating_mul(power.into()) > MAX_PROBABILITY_BITS {
            return None;
        }
        // Powers of coprime numbers are coprime.
        let power = Ratio { numerator: self.numerator.pow(power), denominator: self.denominator.pow(power) };
        (power.denominator.bits() <= MAX_PROBABILITY_BITS).then_some(power)
    }

    /// Converts to the nearest floating point number, approximately.
    pub fn to_f64(&self) -> f64 {
        // Leading digits of each number, and the count of the digits after them.
        let parts = |number: &BigUint| {
            let below = number.bits().saturating_sub(64);
            let first = (number >> below).iter_u64_digits().next().unwrap_or(0);
            (first as f64, below as f64)
        };
        let ((above, above_digits), (below, below_digits)) = (parts(&self.numerator), parts(&self.denominator));
        above / below * (above_digits - below_digits).exp2()
    }

    /// Formats the fraction with all its digits, of which there may be hundreds.
    pub fn in_full(&self) -> String {
        if self.denominator == BigUint::from(1_u32) {
            return self.numerator.to_string();
        }
        format!("{}/{}", self.numerator, self.denominator)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

impl fmt::Display for Ratio {
    /// Formats the fraction, or an approximation if it is too long to read.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Maximum size of a readable denominator in bits; beyond it, an approximation is clearer.
        const READABLE_BITS: u64 = 40;
        if self.denominator.bits() <= READABLE_BITS {
            return formatter.write_str(&self.in_full());
        }
        match self.to_f64() {
            small if small < 1e-4 => write!(formatter, "about {small:.3e}"),
            share => write!(formatter, "about {share:.6}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: u128, denominator: u128) -> Ratio {
        Ratio::new(numerator.into(), denominator.into()).unwrap()
    }

    #[test]
    fn sums_are_exact_and_reduced() {
        assert_eq!(ratio(1, 6).plus(&ratio(1, 3)), Some(ratio(1, 2)));
        assert_eq!(ratio(2, 3).times(&ratio(3, 4)), Some(ratio(1, 2)));
        assert_eq!(ratio(2, 3).minus(&ratio(1, 6)), Some(ratio(1, 2)));
        assert_eq!(ratio(1, 6).minus(&ratio(2, 3)), None);
        let whole = (0..300).try_fold(Ratio::zero(), |sum, _| sum.plus(&ratio(1, 300)));
        assert_eq!(whole, Some(Ratio::one()));
        assert_eq!(ratio(2, 3).to_the(3), Some(ratio(8, 27)));
    }

    #[test]
    fn what_is_too_long_does_not_fit() {
        let half = ratio(1, 2);
        assert!(half.to_the(MAX_PROBABILITY_BITS as u32 - 1).is_some());
        assert_eq!(half.to_the(u32::MAX), None);
        let small = half.to_the(MAX_PROBABILITY_BITS as u32 - 1).unwrap();
        assert_eq!(small.times(&small), None);
    }

    #[test]
    fn order_is_that_of_the_fractions() {
        let large = u128::MAX;
        assert!(ratio(large - 1, large) < Ratio::one());
        assert!(ratio(1, large - 1) > ratio(1, large));
        assert!(ratio(large - 2, large - 1) < ratio(large - 1, large));
        assert_eq!(ratio(3, 7).cmp(&ratio(3, 7)), Ordering::Equal);
        assert!(Ratio::zero() < ratio(1, large));
    }

    #[test]
    fn long_fractions_are_rounded_for_people() {
        assert_eq!(ratio(1, 4).to_string(), "1/4");
        assert_eq!(Ratio::one().to_string(), "1");
        let third = ratio(1, 3).times(&Ratio::one().minus(&ratio(2, 3).to_the(100).unwrap()).unwrap()).unwrap();
        assert_eq!(third.to_string(), "about 0.333333");
        assert_eq!(ratio(2, 3).to_the(100).unwrap().to_string(), "about 2.460e-18");
        assert!((ratio(2, 3).to_the(100).unwrap().to_f64() - (2.0_f64 / 3.0).powi(100)).abs() < 1e-30);
    }
}
