//! Exact probabilities.

use std::cmp::Ordering;
use std::fmt;

/// An exact fraction, of whole numbers without a common divisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: u128,
    denominator: u128,
}

impl Ratio {
    /// Nothing: what never happens.
    pub const ZERO: Ratio = Ratio { numerator: 0, denominator: 1 };
    /// All: what always happens.
    pub const ONE: Ratio = Ratio { numerator: 1, denominator: 1 };

    /// One in so many; `None` if that is 0.
    pub fn one_in(denominator: u128) -> Option<Ratio> {
        (denominator > 0).then_some(Ratio { numerator: 1, denominator })
    }

    /// The number above the line.
    pub fn numerator(self) -> u128 {
        self.numerator
    }

    /// The number below the line.
    pub fn denominator(self) -> u128 {
        self.denominator
    }

    /// The sum; `None` if it does not fit.
    pub fn plus(self, other: Ratio) -> Option<Ratio> {
        let common = divisor(self.denominator, other.denominator);
        let (mine, theirs) = (other.denominator / common, self.denominator / common);
        let denominator = self.denominator.checked_mul(mine)?;
        let numerator = self.numerator.checked_mul(mine)?.checked_add(other.numerator.checked_mul(theirs)?)?;
        let common = divisor(numerator, denominator);
        Some(Ratio { numerator: numerator / common, denominator: denominator / common })
    }

    /// What is left; `None` if `other` is more, or if it does not fit.
    pub fn minus(self, other: Ratio) -> Option<Ratio> {
        let common = divisor(self.denominator, other.denominator);
        let (mine, theirs) = (other.denominator / common, self.denominator / common);
        let denominator = self.denominator.checked_mul(mine)?;
        let numerator = self.numerator.checked_mul(mine)?.checked_sub(other.numerator.checked_mul(theirs)?)?;
        let common = divisor(numerator, denominator);
        Some(Ratio { numerator: numerator / common, denominator: denominator / common })
    }

    /// The product; `None` if it does not fit.
    pub fn times(self, other: Ratio) -> Option<Ratio> {
        let (one, two) = (divisor(self.numerator, other.denominator), divisor(other.numerator, self.denominator));
        Some(Ratio {
            numerator: (self.numerator / one).checked_mul(other.numerator / two)?,
            denominator: (self.denominator / two).checked_mul(other.denominator / one)?,
        })
    }

    /// About the same as a floating point number.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

/// The greatest common divisor; 1 at least.
fn divisor(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.max(1)
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    /// By continued fractions, so that no product has to fit.
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut one, mut other) = ((self.numerator, self.denominator), (other.numerator, other.denominator));
        loop {
            match (one.0 / one.1).cmp(&(other.0 / other.1)) {
                Ordering::Equal => {}
                order => return order,
            }
            match (one.0 % one.1, other.0 % other.1) {
                (0, 0) => return Ordering::Equal,
                (0, _) => return Ordering::Less,
                (_, 0) => return Ordering::Greater,
                // Of two remainders, that with the smaller reciprocal is the larger: the sides change.
                (rest, other_rest) => (one, other) = ((other.1, other_rest), (one.1, rest)),
            }
        }
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            return write!(formatter, "{}", self.numerator);
        }
        write!(formatter, "{}/{}", self.numerator, self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: u128, denominator: u128) -> Ratio {
        Ratio { numerator, denominator }
    }

    #[test]
    fn sums_are_exact_and_reduced() {
        assert_eq!(ratio(1, 6).plus(ratio(1, 3)), Some(ratio(1, 2)));
        assert_eq!(ratio(1, u128::MAX).plus(ratio(1, 2)), None);
        assert_eq!(ratio(2, 3).times(ratio(3, 4)), Some(ratio(1, 2)));
        let whole = (0..300).try_fold(Ratio::ZERO, |sum, _| sum.plus(ratio(1, 300)));
        assert_eq!(whole, Some(Ratio::ONE));
    }

    #[test]
    fn order_needs_no_products() {
        let large = u128::MAX;
        assert!(ratio(large - 1, large) < Ratio::ONE);
        assert!(ratio(1, large - 1) > ratio(1, large));
        assert!(ratio(large - 2, large - 1) < ratio(large - 1, large));
        assert_eq!(ratio(3, 7).cmp(&ratio(3, 7)), Ordering::Equal);
        assert!(Ratio::ZERO < ratio(1, large));
    }
}
