//! Levels as people write them: statements and expressions, names and structure.
//!
//! # Concepts
//!
//! A *module* is the content of one des-file: functions and levels. A *level* is a name, flags and a list of
//! statements. A *statement* adds to the level (a map, a room, a monster) or controls other statements (IF, SWITCH,
//! LOOP, FOR, function calls). An *expression* has a value when its statement runs: a number, a string, a place, a
//! region, a piece of terrain, a monster, an object or a selection of squares.
//!
//! Nothing is folded or numbered here. `(';',"giant eel")` keeps both names, `lit` stays a word, `1+2` stays a sum, and
//! a FUNCTION is not yet copied to its call sites. So a level can be printed back as source, run, drawn, or ported to a
//! game with other numbers. The numbered form is [`Program`](crate::program::Program), built by
//! [`lower`](crate::lower).
//!
//! Values are evaluated in source order, and a statement acts once all its values are known. Coordinates are relative
//! to the upper left corner of the last MAP, or to the room whose block contains them.
//!
//! Every node has a [`Span`]. The front end resolves types ([`Type`]): each [`Variable`] carries the type that it has
//! at that point.

mod area;
mod expression;
mod selection;
mod statement;
mod thing;
mod trivia;
mod unread;

use serde::{Deserialize, Serialize};

pub use self::area::*;
pub use self::expression::*;
pub use self::selection::*;
pub use self::statement::*;
pub use self::thing::*;
pub use self::trivia::*;
pub use self::unread::Unread;
use crate::source::{Charset, Span, Spanned, Text};
pub use crate::value::{SpeciesName, ValueType};

/// The name of the JSON form of these types, which a document gives under `schema`.
pub const SCHEMA: &str = "splc-level";

/// The version of the JSON form of these types, raised by every change that readers can notice.
pub const SCHEMA_VERSION: u32 = 2;

/// The types whose JSON form has the variant's name under a separate key, next to the other keys: each with that key.
/// Any other enum is an object with the variant's name as its only key, or just that name.
///
/// serde's own `tag` would do the same, but reads such a value through a buffer that loses its position in the text.
/// splc's JSON reader does not need the buffer.
pub const TAGGED: &[(&str, &str)] =
    &[("Item", "item"), ("StatementKind", "statement"), ("InitMap", "style"), ("Map", "map"), ("RoomPlacement", "in")];

/// Returns the key under which the JSON form of type `name` has its variant's name, if it is one of [`TAGGED`].
pub fn tag_of(name: &str) -> Option<&'static str> {
    TAGGED.iter().find(|&&(tagged, _)| tagged == name).map(|&(_, key)| key)
}

/// The content of one source file.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Module {
    /// The character set in which its strings become bytes.
    pub charset: Charset,
    /// Functions, included files and levels, in order.
    pub items: Vec<Item>,
    /// The parts of its source that could not be read.
    #[serde(skip)]
    pub unread: Unread,
    /// Comments and blank lines of its files, in order, if the reader was asked to keep them.
    #[serde(skip)]
    pub trivia: Vec<Trivia>,
}

impl Module {
    /// Returns all items in order, those of an included file after its INCLUDE.
    pub fn all_items(&self) -> impl Iterator<Item = &Item> {
        // Files being read, the including ones first.
        let mut open = vec![self.items.iter()];
        std::iter::from_fn(move || {
            loop {
                match open.last_mut()?.next() {
                    Some(item) => {
                        if let Item::Include { items, .. } = item {
                            open.push(items.iter());
                        }
                        return Some(item);
                    }
                    None => open.pop(),
                };
            }
        })
    }

    /// Returns the levels, in order.
    pub fn levels(&self) -> impl Iterator<Item = &Level> {
        self.all_items().filter_map(|item| match item {
            Item::Level(level) => Some(level),
            _ => None,
        })
    }
}

/// A top-level part of a module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// A FUNCTION before the first level.
    Function(Function),
    /// An INCLUDE.
    Include {
        /// The file's name as written.
        path: Spanned<Text>,
        /// The items of the file.
        items: Vec<Item>,
    },
    /// A LEVEL or MAZE.
    Level(Level),
}

/// One level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Level {
    /// Its name, as written. `%i` or `%02i` in it represents the level's number in its file.
    pub name: Spanned<Text>,
    /// Its kind of declaration.
    pub kind: LevelKind,
    /// The words of FLAGS, or `None` without that line, which means the same as an empty list.
    pub flags: Option<Vec<Spanned<Text>>>,
    /// Its statements, in order.
    pub body: Vec<Statement>,
    /// The span of the whole level.
    pub span: Span,
}

/// The kind of a level's declaration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LevelKind {
    /// `LEVEL: "name"` of the script dialects.
    Script,
    /// `LEVEL: "name"` of 3.4.3: rooms and corridors.
    Rooms,
    /// `MAZE: "name", filling`: maps on a background of maze (`random`) or of one terrain.
    Maze {
        /// The map character that fills the level, or `None` for `random`.
        filling: Option<Spanned<char>>,
    },
}

/// A FUNCTION.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Function {
    /// Its name.
    pub name: Spanned<Text>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its statements.
    pub body: Vec<Statement>,
    /// The span of the whole definition.
    pub span: Span,
}

/// A parameter of a FUNCTION.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parameter {
    /// The variable, with its `$`.
    pub name: Spanned<Text>,
    /// Its type: integer or string.
    pub ty: Type,
}

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Type {
    /// The type of its value, or of each element of an array.
    pub value: ValueType,
    /// True if it is an array.
    pub array: bool,
}

impl Type {
    /// Returns the type of a single value.
    pub const fn of(value: ValueType) -> Self {
        Type { value, array: false }
    }

    /// Returns the type of an array.
    pub const fn array(value: ValueType) -> Self {
        Type { value, array: true }
    }

    /// Returns the type with its article, for messages.
    pub fn describe(self) -> String {
        let one = self.value.describe();
        if self.array { format!("{one} array") } else { one.to_owned() }
    }
}

/// A value, or `random`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OrRandom<T> {
    /// `random`.
    Random,
    /// The value.
    Is(T),
}

impl<T> OrRandom<T> {
    /// Applies `function` to the value.
    pub fn map<U>(&self, function: impl FnOnce(T) -> U) -> OrRandom<U>
    where
        T: Copy,
    {
        match self {
            OrRandom::Random => OrRandom::Random,
            OrRandom::Is(word) => OrRandom::Is(function(*word)),
        }
    }
}

impl OrRandom<Spanned<i32>> {
    /// Returns the number, or -1 for `random`.
    pub fn number(&self) -> i32 {
        match self {
            OrRandom::Random => -1,
            OrRandom::Is(number) => number.node,
        }
    }
}
