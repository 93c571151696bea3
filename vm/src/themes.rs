//! Themed rooms: the file `themerms.lua` of NetHack 5, from which the level maker furnishes ordinary levels.
//!
//! [`Prepared::with_rooms`] turns such a file into something that a [`Machine`](crate::Machine) runs like a level:
//! all rooms of an ordinary level, one themed room alone, or one fill alone. [`Themes`] are its entries. A [`Choice`]
//! is the probability of each of them, without any random draw.

use crate::level::Kind;
use crate::lua_plan::Task;
use crate::prepared::{Form, Prepared};

/// An entry of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: Option<String>,
    /// The line of its function, from 1.
    pub line: Option<usize>,
    /// Its frequency, if given.
    pub frequency: Option<i64>,
    /// The lowest difficulty, if given.
    pub least: Option<i64>,
    /// The highest difficulty, if given.
    pub most: Option<i64>,
    /// It has a function `eligible`.
    pub conditional: bool,
}

/// The entries of a file, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Themes {
    /// The rooms.
    pub rooms: Vec<Entry>,
    /// The fills.
    pub fills: Vec<Entry>,
}

impl Themes {
    /// Returns the entries of one list.
    pub fn of(&self, kind: Kind) -> &[Entry] {
        match kind {
            Kind::Room => &self.rooms,
            Kind::Fill => &self.fills,
        }
    }
}

/// An exact probability: a fraction in its lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// Above the line.
    pub numerator: u128,
    /// Below the line; never 0.
    pub denominator: u128,
}

impl Fraction {
    /// 0.
    pub const ZERO: Fraction = Fraction { numerator: 0, denominator: 1 };
    /// 1.
    pub const ONE: Fraction = Fraction { numerator: 1, denominator: 1 };

    /// Returns a fraction, or `None` if the denominator is 0.
    pub fn new(numerator: u128, denominator: u128) -> Option<Self> {
        let common = gcd(numerator, denominator);
        (denominator != 0).then(|| Fraction { numerator: numerator / common, denominator: denominator / common })
    }

    /// Returns the product, or `None` if it is too large.
    pub fn times(self, other: Fraction) -> Option<Self> {
        let (left, right) = (gcd(self.numerator, other.denominator), gcd(other.numerator, self.denominator));
        let numerator = (self.numerator / left).checked_mul(other.numerator / right)?;
        Fraction::new(numerator, (self.denominator / right).checked_mul(other.denominator / left)?)
    }

    /// Returns the sum, or `None` if it is too large.
    pub fn plus(self, other: Fraction) -> Option<Self> {
        let common = gcd(self.denominator, other.denominator);
        let (mine, theirs) = (other.denominator / common, self.denominator / common);
        let numerator = self.numerator.checked_mul(mine)?.checked_add(other.numerator.checked_mul(theirs)?)?;
        Fraction::new(numerator, self.denominator.checked_mul(mine)?)
    }

    /// Returns the nearest floating-point number.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

fn gcd(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.max(1)
}

/// The probabilities of all entries of one list, for one game around the level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The probability of each entry, in their order; empty if it could not be computed exactly.
    pub entries: Vec<Fraction>,
    /// The probability that none is chosen.
    pub none: Option<Fraction>,
    /// The reason for missing exact probabilities.
    pub unknown: Option<Unknown>,
    /// Fields of the room that the choice of a fill read, in alphabetical order.
    pub fields: Vec<String>,
    /// The error with which the file's function ended on some outcome.
    pub error: Option<String>,
}

/// The reason that a choice could not be computed exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The function that chooses draws in a way that has too many outcomes.
    TooManyOutcomes,
    /// The function takes too many steps.
    TooLong,
    /// The function does something else when it is called again.
    NotRepeatable,
    /// A fraction is too large.
    TooLarge,
}

/// The room that a fill is chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filled {
    /// Its columns.
    pub width: i32,
    /// Its rows.
    pub height: i32,
    /// Its light.
    pub lit: bool,
}

impl Prepared {
    /// Returns this file with what a run of it shall make, or `None` if it is not Lua.
    pub fn with_rooms(&self, task: Task) -> Option<Prepared> {
        let mut prepared = self.clone();
        match &mut prepared.form {
            Form::Lua(plan) => plan.task = Some(task),
            _ => return None,
        }
        Some(prepared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: u128, denominator: u128) -> Fraction {
        Fraction::new(numerator, denominator).unwrap()
    }

    #[test]
    fn fractions_are_in_their_lowest_terms() {
        assert_eq!(fraction(6, 8), Fraction { numerator: 3, denominator: 4 });
        assert_eq!(fraction(0, 8), Fraction::ZERO);
        assert_eq!(fraction(1, 6).plus(fraction(1, 3)), Some(fraction(1, 2)));
        assert_eq!(fraction(2, 3).times(fraction(3, 4)), Some(fraction(1, 2)));
        assert_eq!(Fraction::new(1, 0), None);
        assert_eq!(fraction(1, u128::MAX).plus(fraction(1, u128::MAX - 1)), None);
    }
}
