//! Types for the table of opcodes: the values an opcode takes from the stack and leaves there.

use super::Role;
use crate::catalog::LoaderRule;
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
    /// The first list in games whose loader has the rule, the second in other games.
    ByGame(LoaderRule, &'static [Takes], &'static [Takes]),
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
