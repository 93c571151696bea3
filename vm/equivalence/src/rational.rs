//! Exact probabilities.

use std::fmt;

use num_bigint::BigUint;
use num_rational::Ratio as Fraction;

use crate::limits::MAX_PROBABILITY_BITS;

/// An exact fraction in lowest terms, with a limit on its size.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ratio(Fraction<BigUint>);

impl Ratio {
    /// Probability 0.
    pub fn zero() -> Ratio {
        Ratio(Fraction::from_integer(BigUint::ZERO))
    }

    /// Probability 1.
    pub fn one() -> Ratio {
        Ratio(Fraction::from_integer(1_u32.into()))
    }

    /// Returns one in `denominator`, or `None` if that is 0.
    pub fn one_in(denominator: u128) -> Option<Ratio> {
        Ratio::new(1_u32.into(), denominator.into())
    }

    /// Returns `numerator` in `denominator`, or `None` if it is too large or the denominator is 0.
    pub(crate) fn new(numerator: BigUint, denominator: BigUint) -> Option<Ratio> {
        (denominator != BigUint::ZERO).then(|| Fraction::new(numerator, denominator)).and_then(Ratio::limited)
    }

    fn limited(fraction: Fraction<BigUint>) -> Option<Ratio> {
        (fraction.denom().bits() <= MAX_PROBABILITY_BITS).then_some(Ratio(fraction))
    }

    pub(crate) fn numerator(&self) -> &BigUint {
        self.0.numer()
    }

    pub(crate) fn denominator(&self) -> &BigUint {
        self.0.denom()
    }

    /// Returns true for probability 0.
    pub fn is_never(&self) -> bool {
        *self.numerator() == BigUint::ZERO
    }

    /// Returns true for probability 1.
    pub fn is_always(&self) -> bool {
        self.numerator() == self.denominator()
    }

    /// Returns the sum, or `None` if it is too large.
    pub fn plus(&self, other: &Ratio) -> Option<Ratio> {
        Ratio::limited(&self.0 + &other.0)
    }

    /// Returns the difference, or `None` if `other` is greater or the result is too large.
    pub fn minus(&self, other: &Ratio) -> Option<Ratio> {
        (other <= self).then(|| &self.0 - &other.0).and_then(Ratio::limited)
    }

    /// Returns the product, or `None` if it is too large.
    pub fn times(&self, other: &Ratio) -> Option<Ratio> {
        // Probability 1 is common.
        match (self.is_always(), other.is_always()) {
            (_, true) => Some(self.clone()),
            (true, _) => Some(other.clone()),
            _ => Ratio::limited(&self.0 * &other.0),
        }
    }

    /// Returns the quotient by `whole`, or `None` if `whole` is 0 or the result is too large.
    pub(crate) fn over(&self, whole: &Ratio) -> Option<Ratio> {
        (!whole.is_never()).then(|| &self.0 / &whole.0).and_then(Ratio::limited)
    }

    /// Returns the power, or `None` if it is too large.
    pub(crate) fn to_the(&self, power: u32) -> Option<Ratio> {
        if self.denominator().bits().saturating_sub(1).saturating_mul(power.into()) > MAX_PROBABILITY_BITS {
            return None;
        }
        // Powers of coprime numbers are coprime.
        Ratio::limited(Fraction::new_raw(self.numerator().pow(power), self.denominator().pow(power)))
    }

    /// Converts to the nearest floating point number, approximately.
    pub fn to_f64(&self) -> f64 {
        // Leading digits of each number, and the count of the digits after them.
        let parts = |number: &BigUint| {
            let below = number.bits().saturating_sub(64);
            let first = (number >> below).iter_u64_digits().next().unwrap_or(0);
            (first as f64, below as f64)
        };
        let ((above, above_digits), (below, below_digits)) = (parts(self.numerator()), parts(self.denominator()));
        above / below * (above_digits - below_digits).exp2()
    }

    /// Formats the fraction with all its digits, of which there may be hundreds.
    pub fn in_full(&self) -> String {
        self.0.to_string()
    }
}

impl fmt::Display for Ratio {
    /// Formats the fraction, or an approximation if it is too long to read.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Maximum size of a readable denominator in bits; beyond it, an approximation is clearer.
        const READABLE_BITS: u64 = 40;
        if self.denominator().bits() <= READABLE_BITS {
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
    use std::cmp::Ordering;

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
