//! What an opcode takes from the stack and leaves there: the types that the table of opcodes is made of.

use super::Role;
use crate::catalog::LoaderRule;
use crate::value::ValueType;

/// What an opcode takes and leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signature {
    /// What it takes, in order: the value that was pushed last first.
    pub takes: &'static [Takes],
    /// What it leaves, in the order in which it pushes.
    pub gives: &'static [Gives],
}

/// A value that an opcode takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// What it is called: unique among the parameters of an opcode, but for those that are repeated.
    pub name: &'static str,
    /// What it means.
    pub role: Role,
}

/// One step of taking values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Takes {
    /// One value.
    One(Parameter),
    /// These, as often as the last [`Role::Count`] that the opcode took says.
    Repeat(&'static [Takes]),
    /// The list of the first case that fits the number which lies `below` values under the uppermost.
    Choice {
        /// How many values are above that number.
        below: usize,
        /// Cases and what is taken in each.
        cases: &'static [(Case, &'static [Takes])],
    },
    /// The first list in games whose loader has the rule, the second in others.
    ByGame(LoaderRule, &'static [Takes], &'static [Takes]),
    /// The number of a part, what belongs to the part, and so on until an end mark.
    Parts(Parts),
    /// What the core function or method takes whose number was taken last, by the catalog.
    Arguments,
}

/// What a number that decides what else is taken is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Case {
    /// Less than this.
    Below(i64),
    /// This number.
    Is(i64),
    /// The number of a style of INIT_MAP.
    Style(&'static str),
    /// The number of a type of values.
    Type(ValueType),
    /// Any other.
    Otherwise,
}

/// The parts of a monster or object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    /// Which catalog table numbers them: [`Role::MonsterPart`] or [`Role::ObjectPart`].
    pub role: Role,
    /// What belongs to each, by its name in that table. Of a part that is not listed one value is taken, whatever it is.
    pub details: &'static [(&'static str, &'static [Takes])],
}

/// Name of the part that ends a list of parts.
pub const END_OF_PARTS: &str = "end";

/// What an opcode leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// A value of this type.
    Value(ValueType),
    /// What the push has with it.
    Operand,
    /// What it took first.
    Taken,
    /// A value of the type of what it took last: a sum of numbers, or joined texts.
    Sum,
    /// What [`Opcode::ConvertType`](super::Opcode::ConvertType) makes: a place, or two numbers.
    Converted,
    /// What the core function or method gives, by the catalog.
    Result,
    /// What the function returns that is called: for the opcodes around the call, anything.
    Returned,
}
