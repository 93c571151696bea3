//! Types for the table of opcodes: the values an opcode takes from the stack and leaves there.

use super::{Named, Operand, Role};
use crate::catalog::{Catalog, Feature};
use crate::value::ValueType;

/// The values an opcode takes and leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signature {
    /// Values taken, in order: the last value pushed first.
    pub takes: &'static [Takes],
    /// Values left, in the order in which they are pushed.
    pub gives: &'static [Gives],
}

/// A parameter of an opcode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name, unique among the parameters of an opcode unless it is repeated.
    pub name: &'static str,
    /// Its meaning.
    pub role: Role,
}

/// One step of taking values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Takes {
    /// One value.
    One(Parameter),
    /// These steps, repeated as often as the last [`Role::Count`] taken by the opcode says.
    Repeat(&'static [Takes]),
    /// The steps of the first case that matches the number `below` values under the top of the stack.
    Choice {
        /// Number of values above that number.
        below: usize,
        /// Cases, each with its steps.
        cases: &'static [(Case, &'static [Takes])],
    },
    /// The first list in games that have the feature, the second in other games.
    ByGame(Feature, &'static [Takes], &'static [Takes]),
    /// The number of a part, the values of the part, and so on up to an end mark.
    Parts(Parts),
    /// The arguments of the core function or method whose number was taken last, from the catalog.
    Arguments,
}

/// A condition on the number that decides a [`Takes::Choice`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Case {
    /// Less than this.
    Below(i64),
    /// This number.
    Is(i64),
    /// The number of a style of INIT_MAP.
    Style(&'static str),
    /// The number of a value type.
    Type(ValueType),
    /// Any other number.
    Otherwise,
}

/// The parts of a monster or object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    /// The catalog table that numbers them: [`Role::MonsterPart`] or [`Role::ObjectPart`].
    pub role: Role,
    /// The values of each part, by its name in that table. A part that is not listed takes one value of any type.
    pub details: &'static [(&'static str, &'static [Takes])],
}

/// Name of the part that ends a list of parts.
pub const END_OF_PARTS: &str = "end";

/// A value that an opcode leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// A value of this type.
    Value(ValueType),
    /// The operand of the push.
    Operand,
    /// The first value it took.
    Taken,
    /// A value of the type it took last: a sum of numbers, or a concatenated string.
    Sum,
    /// The result of [`Opcode::ConvertType`](super::Opcode::ConvertType): a place, or two numbers.
    Converted,
    /// The result of the core function or method, from the catalog.
    Result,
    /// The values returned by the called function: unknown to the opcodes around the call.
    Returned,
}

/// A machine that takes the values of an opcode one by one, as [`Signature::follow`] says.
pub trait Taker {
    /// The reason a value cannot be taken.
    type Stop;

    /// Takes a value. Returns its number if it is known and the role [decides](Role::decides).
    ///
    /// # Errors
    /// Those of the machine.
    fn take(&mut self, parameter: Parameter) -> Result<Option<i64>, Self::Stop>;

    /// Returns the integer `below` values under the top of the stack, if it is known.
    fn number_below(&self, below: usize) -> Option<i64>;

    /// Returns true if the stack is empty, so that a repetition ends however large its count is.
    fn is_empty(&mut self) -> bool;

    /// Returns the error for values that depend on an unknown number, or on one that is not in the table.
    fn undecided(&self) -> Self::Stop;
}

/// The numbers among the taken values on which other values depend, as far as they are known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decided {
    /// The last [`Role::Count`].
    pub count: Option<i64>,
    /// The [`Role::CoreFunction`].
    pub function: Option<i64>,
    /// The last [`Role::TypeOfValues`].
    pub value_type: Option<i64>,
}

impl Signature {
    /// Makes `machine` take the values of the opcode, in order.
    ///
    /// # Errors
    /// The first one of `machine`.
    pub fn follow<T: Taker>(&self, catalog: &Catalog, machine: &mut T) -> Result<Decided, T::Stop> {
        let mut walk = Walk { catalog, machine, decided: Decided::default() };
        walk.all(self.takes)?;
        Ok(walk.decided)
    }
}

struct Walk<'a, T> {
    catalog: &'a Catalog,
    machine: &'a mut T,
    decided: Decided,
}

impl<T: Taker> Walk<'_, T> {
    fn all(&mut self, takes: &[Takes]) -> Result<(), T::Stop> {
        takes.iter().try_for_each(|take| match take {
            Takes::One(parameter) => self.one(*parameter),
            Takes::Repeat(takes) => self.repeat(takes),
            Takes::Choice { below, cases } => self.choice(*below, cases),
            Takes::ByGame(feature, with, without) => self.all(if self.catalog.has(*feature) { with } else { without }),
            Takes::Parts(parts) => self.parts(parts),
            Takes::Arguments => self.arguments(),
        })
    }

    fn known<N>(&self, number: Option<N>) -> Result<N, T::Stop> {
        number.ok_or_else(|| self.machine.undecided())
    }

    fn one(&mut self, parameter: Parameter) -> Result<(), T::Stop> {
        let number = self.machine.take(parameter)?;
        match parameter.role {
            Role::Count => self.decided.count = number,
            Role::CoreFunction => self.decided.function = number,
            Role::TypeOfValues => self.decided.value_type = number,
            _ => {}
        }
        Ok(())
    }

    fn repeat(&mut self, takes: &[Takes]) -> Result<(), T::Stop> {
        for _ in 0..self.known(self.decided.count)? {
            if self.machine.is_empty() {
                return Err(self.machine.undecided());
            }
            self.all(takes)?;
        }
        Ok(())
    }

    fn choice(&mut self, below: usize, cases: &[(Case, &[Takes])]) -> Result<(), T::Stop> {
        let number = self.known(self.machine.number_below(below))?;
        let fits = |case: &Case| match case {
            Case::Below(limit) => number < *limit,
            Case::Is(wanted) => number == *wanted,
            Case::Style(style) => Named::InitStyle((*style).into()).number(self.catalog) == Ok(number),
            Case::Type(of) => self.catalog.value_type(of.as_str()) == Some(number),
            Case::Otherwise => true,
        };
        let (_, takes) = self.known(cases.iter().find(|(case, _)| fits(case)))?;
        self.all(takes)
    }

    fn parts(&mut self, parts: &Parts) -> Result<(), T::Stop> {
        loop {
            let number = self.known(self.machine.number_below(0))?;
            self.one(Parameter { name: "part", role: parts.role })?;
            let name = match parts.role.operand(number, self.catalog) {
                Some(Operand::Named(Named::MonsterPart(name) | Named::ObjectPart(name))) => name,
                _ => return Err(self.machine.undecided()),
            };
            if name == END_OF_PARTS {
                return Ok(());
            }
            match parts.details.iter().find(|(known, _)| name == *known) {
                Some((_, takes)) => self.all(takes)?,
                None => self.one(Parameter { name: "detail", role: Role::Any })?,
            }
        }
    }

    /// Takes the arguments of the core function or method, the last one first.
    fn arguments(&mut self) -> Result<(), T::Stop> {
        let number = self.known(self.decided.function)?;
        let catalog = self.catalog;
        if let Some(function) = catalog.core_functions.iter().find(|known| i64::from(known.number) == number) {
            return function.parameters.chars().rev().try_for_each(|letter| {
                let role = self.known(Role::of_letter(letter))?;
                self.one(Parameter { name: "argument", role })
            });
        }
        let method = self.known(catalog.methods.iter().find(|known| i64::from(known.number) == number))?;
        let role = match ValueType::PUSHED.iter().find(|known| *known.as_str() == *method.of) {
            Some(of) if !method.array => self.known(Role::of_type(*of))?,
            _ => Role::Variable,
        };
        self.one(Parameter { name: "of", role })
    }
}
