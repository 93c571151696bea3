//! The types of values, and how a monster or object is named: what levels, programs and catalogs have in common.

use serde::{Deserialize, Serialize};

use crate::source::Text;

/// The type of a value.
///
/// A level has values of the types from [`Integer`](ValueType::Integer) to [`Selection`](ValueType::Selection).
/// [`Null`](ValueType::Null) and [`Variable`](ValueType::Variable) exist on the stack of a program alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    /// Nothing.
    Null,
    /// A whole number.
    Integer,
    /// A text.
    String,
    /// A variable's name, which stands for what it holds.
    Variable,
    /// A place.
    Coordinate,
    /// A rectangle.
    Region,
    /// A piece of terrain, perhaps with light.
    MapCharacter,
    /// A monster or class of monsters.
    Monster,
    /// An object or class of objects.
    Object,
    /// A set of squares. A program makes it while it runs; no level file holds one.
    Selection,
}

impl ValueType {
    /// All that a level file can hold.
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

    /// Its name in the catalog's `value_types`.
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

    /// Its letter in the signatures of core functions (`core_functions` of a catalog); a space for what cannot be
    /// handed over.
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

    /// The type of a letter in the signature of a core function.
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

    /// The type with its article, for messages.
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
    /// `random,"name"` (3.4.3): the game makes a random one, whatever the name says.
    RandomAndName(Text),
}
