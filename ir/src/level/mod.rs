//! Levels as people write them: statements and expressions, names and structure.
//!
//! # The ideas
//!
//! A *module* is what one des-file holds: functions and levels. A *level* is a name, flags and a
//! list of statements. A *statement* makes something of the level (a map, a room, a monster) or
//! decides what is made (IF, SWITCH, LOOP, FOR, function calls). An *expression* gives a value when
//! its statement runs: a number, a text, a place, a region, a piece of terrain, a monster, an object,
//! a selection of squares.
//!
//! Nothing is folded and nothing is numbered here. `(';',"giant eel")` stays those two names, `lit`
//! stays that word, `1+2` stays a sum, a FUNCTION is not yet copied to where it is called. So a level
//! can be printed back as source, run, drawn, or ported to a game with other numbers. What gets
//! numbers is [`Program`](crate::program::Program), made by [`lower`](crate::lower).
//!
//! Values evaluate in the order in which they are written, and a statement acts after all of its
//! values are there. Coordinates count from the last MAP's upper left corner, or from the room that
//! a block belongs to.
//!
//! Every node has a [`Span`]. Types ([`Type`]) are resolved by the front end: a [`Variable`] says what
//! it holds where it is used.

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

/// What the JSON form of these types is called; a document says it under `schema`.
pub const SCHEMA: &str = "splc-level";

/// Version of the JSON form of these types; raised by every change that a reader would notice.
pub const SCHEMA_VERSION: u32 = 2;

/// Types whose JSON form has the name of the variant under a key of its own, beside the other keys: the type and that
/// key. Any other enum is an object with one key, the variant's name, or just that name.
///
/// serde's own `tag` would do the same, but reads such a value through a buffer that forgets where in the text it
/// stands; splc's reader of JSON has no need of that.
pub const TAGGED: &[(&str, &str)] =
    &[("Item", "item"), ("StatementKind", "statement"), ("InitMap", "style"), ("Map", "map"), ("RoomPlacement", "in")];

/// The key under which the JSON form of the type `name` has its variant's name, if it is one of [`TAGGED`].
pub fn tag_of(name: &str) -> Option<&'static str> {
    TAGGED.iter().find(|&&(tagged, _)| tagged == name).map(|&(_, key)| key)
}

/// What one source file holds.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Module {
    /// How its texts turn into bytes.
    pub charset: Charset,
    /// Functions, included files and levels, in order.
    pub items: Vec<Item>,
    /// What could not be read of its source.
    #[serde(skip)]
    pub unread: Unread,
    /// Comments and blank lines of its files, in order, if whoever read it has asked for them.
    #[serde(skip)]
    pub trivia: Vec<Trivia>,
}

impl Module {
    /// All items in order, those of an included file behind its INCLUDE.
    pub fn all_items(&self) -> impl Iterator<Item = &Item> {
        // Files that are read, the including ones first.
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

    /// The levels, in order.
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
        /// What is in the file.
        items: Vec<Item>,
    },
    /// A LEVEL or MAZE.
    Level(Level),
}

/// One level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Level {
    /// Name as written: `%i` or `%02i` in it stands for the level's number in its file.
    pub name: Spanned<Text>,
    /// How the level is declared.
    pub kind: LevelKind,
    /// The words of FLAGS, or `None` without that line, which means the same as none.
    pub flags: Option<Vec<Spanned<Text>>>,
    /// What is made, in order.
    pub body: Vec<Statement>,
    /// The whole level.
    pub span: Span,
}

/// How a level is declared.
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
    /// What it does.
    pub body: Vec<Statement>,
    /// The whole definition.
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
    /// What it holds.
    pub value: ValueType,
    /// Whether it holds many of them.
    pub array: bool,
}

impl Type {
    /// A single value.
    pub const fn of(value: ValueType) -> Self {
        Type { value, array: false }
    }

    /// An array.
    pub const fn array(value: ValueType) -> Self {
        Type { value, array: true }
    }

    /// The type with its article, for messages.
    pub fn describe(self) -> String {
        let one = self.value.describe();
        if self.array { format!("{one} array") } else { one.to_owned() }
    }
}

/// A word, or `random`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OrRandom<T> {
    /// `random`.
    Random,
    /// The word.
    Is(T),
}

impl<T> OrRandom<T> {
    /// Applies `function` to the word.
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
    /// The number, or -1 for `random`.
    pub fn number(&self) -> i32 {
        match self {
            OrRandom::Random => -1,
            OrRandom::Is(number) => number.node,
        }
    }
}
