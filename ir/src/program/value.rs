//! Values: operands as a game has them on its stack.

use std::fmt;

use crate::value::ValueType;

/// An operand as the game has it on its stack.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// A number of some type.
    Number(ValueType, i64),
    /// A number of the given type.
    Narrow(ValueType, i32),
    /// A text or a variable's name.
    Text(ValueType, &'a str),
    /// A string or a variable's name.
    Bytes(Vec<u8>),
}

/// A name that a target does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// A name that the target does not have.
    pub what: &'static str,
    /// The type of name.
    pub name: String,
}

impl fmt::Display for Unknown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} \"{}\"", self.what, self.name)
    }
}

pub(super) fn unknown(what: &'static str, name: impl fmt::Display) -> Unknown {
    Unknown { what, name: name.to_string() }
}
