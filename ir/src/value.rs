//! Types of values, and names of monsters and objects, shared by levels, programs and catalogs.

use serde::{Deserialize, Serialize};

use crate::source::Text;

/// The type of a value.
///
/// A level has values of the types from [`Integer`](ValueType::Integer) to [`Selection`](ValueType::Selection).
/// [`Null`](ValueType::Null) and [`Variable`](ValueType::Variable) exist only on the stack of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    /// Nothing.
    Null,
    /// An integer.
    Integer,
    /// A string.
    String,
    /// A reference to a variable by its name.
    Variable,
    /// A coordinate.
    Coordinate,
    /// A rectangle.
    Region,
    /// A terrain type, optionally with light.
    MapCharacter,
    /// A monster or class of monsters.
    Monster,
    /// An object or class of objects.
    Object,
    /// A set of squares. Programs create it at run time; a level file cannot contain one.
    Selection,
}

impl ValueType {
    /// Every type that a level file can contain.
    pub const PUSHED: &'static [ValueType] = &[
        ValueType::Null,
        ValueType::Integer,
        ValueType::String,
        ValueType::Variable,
        ValueType::Coordinate,
        ValueType::Region,
        ValueType::MapCharacter,
        ValueType::Monster,
        ValueType::Object,
    ];

    /// Returns its name in the catalog's `value_types`.
    pub const fn as_str(self) -> &'static str {
        match self {
            ValueType::Null => "null",
            ValueType::Integer => "int",
            ValueType::String => "string",
            ValueType::Variable => "variable",
            ValueType::Coordinate => "coordinate",
            ValueType::Region => "region",
            ValueType::MapCharacter => "map_character",
            ValueType::Monster => "monster",
            ValueType::Object => "object",
            ValueType::Selection => "selection",
        }
    }

    /// Returns its letter in the signatures of core functions (`core_functions` of a catalog), or a space if values of
    /// the type cannot be passed.
    pub const fn letter(self) -> char {
        match self {
            ValueType::Null | ValueType::Variable => ' ',
            ValueType::Integer => 'i',
            ValueType::String => 's',
            ValueType::Coordinate => 'c',
            ValueType::Region => 'r',
            ValueType::MapCharacter => 'm',
            ValueType::Monster => 'M',
            ValueType::Object => 'O',
            ValueType::Selection => 'S',
        }
    }

    /// Returns the type for a letter in the signature of a core function.
    pub const fn of_letter(letter: char) -> Option<ValueType> {
        Some(match letter {
            'i' => ValueType::Integer,
            's' => ValueType::String,
            'c' => ValueType::Coordinate,
            'r' => ValueType::Region,
            'm' => ValueType::MapCharacter,
            'M' => ValueType::Monster,
            'O' => ValueType::Object,
            _ => return None,
        })
    }

    /// Returns the type with its article, for messages.
    pub const fn describe(self) -> &'static str {
        match self {
            ValueType::Null => "nothing",
            ValueType::Integer => "an integer",
            ValueType::String => "a string",
            ValueType::Variable => "a variable",
            ValueType::Coordinate => "a coordinate",
            ValueType::Region => "a region",
            ValueType::MapCharacter => "a map character",
            ValueType::Monster => "a monster",
            ValueType::Object => "an object",
            ValueType::Selection => "a selection",
        }
    }
}

/// A monster or object as a des-file names it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SpeciesName {
    /// `random`.
    Random,
    /// `'x'`.
    Class(char),
    /// `"name"`.
    Name(Text),
    /// `('x',"name")`.
    ClassAndName(char, Text),
    /// `random,"name"` (3.4.3): the game picks a random one and ignores the name.
    RandomAndName(Text),
}
