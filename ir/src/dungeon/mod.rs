//! The dungeon: which levels a game has, and where they are.
//!
//! A [`Description`] is what a `dungeon.def` says and what the binary file `dungeon` holds, which a game reads when it
//! begins. It names dungeons, their special levels and the branches between them; where each comes to lie is drawn by
//! the game. All four games speak one language and write one layout (`util/dgn_comp.y`, `include/dgn_file.h`); in what
//! they differ is in the catalog.
//!
//! [`check`](mod@check) judges a description by what the games' own compiler refuses, and by what it overlooks.

use serde::{Deserialize, Serialize};

use crate::source::{Charset, Span, Spanned, Text};

pub mod check;
mod rules;

pub use self::rules::{Controls, Presence, Rules};

/// What the JSON form of a description is called; a document says it under `schema`.
pub const SCHEMA: &str = "splc-dungeon";

/// Version of the JSON form; raised by every change that a reader would notice.
pub const SCHEMA_VERSION: u32 = 1;

/// All dungeons of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Description {
    /// How its texts become bytes.
    #[serde(default)]
    pub charset: Charset,
    /// The dungeons; the first one is where a game begins.
    pub dungeons: Vec<Dungeon>,
}

/// One dungeon: a row of levels, one below the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dungeon {
    /// Where it is described.
    pub span: Span,
    /// Its name, e.g. `The Gnomish Mines`.
    pub name: Spanned<Text>,
    /// What its files of bones are called by.
    pub bones: Spanned<Bones>,
    /// How many levels it has.
    pub size: Range,
    /// How often there is such a dungeon, in percent; 0: always.
    pub chance: i32,
    /// The level that the branch to it leads to: 1 is the top, -1 the bottom; 0: the top.
    pub entry: i32,
    /// What its levels are named after that are not described: `tower` makes `tower1`, `tower2` and so on. Empty if
    /// they are not named.
    pub prototype: Spanned<Text>,
    /// Names that PROTOFILE gave before the last one took their place.
    ///
    /// Quirk: the games' compiler writes a name over the one before (`strcpy` in `util/dgn_comp.y`), so that the end of
    /// a longer one stays in the file behind it. No game looks at it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overwritten: Vec<Text>,
    /// What it is like.
    pub traits: Vec<Trait>,
    /// What only NetHack 5 says of it.
    #[serde(default)]
    pub lua: InLua,
    /// Its levels and branches, in the order in which they are described.
    pub items: Vec<Item>,
}

impl Dungeon {
    /// Its special levels.
    pub fn levels(&self) -> impl DoubleEndedIterator<Item = &Level> {
        self.items.iter().filter_map(|item| match item {
            Item::Level(level) => Some(level),
            Item::Branch(_) => None,
        })
    }

    /// The branches that begin in it.
    pub fn branches(&self) -> impl DoubleEndedIterator<Item = &Branch> {
        self.items.iter().filter_map(|item| match item {
            Item::Branch(branch) => Some(branch),
            Item::Level(_) => None,
        })
    }

    /// The number among its levels of the one that a branch chained to `name` is counted from: the first of that name.
    pub fn branch_chained(&self, name: &str) -> Option<usize> {
        self.levels().position(|level| level.name.node == *name)
    }

    /// The number among its levels of the one that a level chained to `name` is counted from.
    ///
    /// Quirk: when the games' compiler looks for it (`getchain` in `util/dgn_comp.y`), it has the new level already, but
    /// has not counted it yet, and so it begins behind the first level of the dungeon.
    pub fn level_chained(&self, name: &str) -> Option<usize> {
        self.levels().skip(1).position(|level| level.name.node == *name).map(|at| at + 1)
    }
}

/// What a `dungeon.lua` says of a dungeon and a `dungeon.def` cannot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InLua {
    /// The level that fills it where no other is; empty: rooms and corridors, or mazes.
    #[serde(default)]
    pub filling: Text,
    /// The file of themed rooms for its ordinary levels; empty: none.
    #[serde(default)]
    pub theme_rooms: Text,
    /// Whether no branch leads to it.
    #[serde(default)]
    pub unconnected: bool,
}

impl InLua {
    /// Whether it says nothing.
    pub fn is_nothing(&self) -> bool {
        *self == InLua::default()
    }
}

/// A special level or a branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
// A level has items, too, which are written in another way.
#[serde(rename = "DungeonItem", rename_all = "snake_case")]
pub enum Item {
    /// A special level.
    Level(Level),
    /// A branch.
    Branch(Branch),
}

/// A special level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Level {
    /// Where it is described.
    pub span: Span,
    /// Its name, which is that of its level file.
    pub name: Spanned<Text>,
    /// What its file of bones is called by.
    pub bones: Spanned<Bones>,
    /// The level that its place is counted from, if not from the top or the bottom of the dungeon; an empty name is
    /// as good as none.
    pub chain: Option<Spanned<Text>>,
    /// Where it can be.
    pub place: Range,
    /// How often there is such a level, in percent.
    pub chance: i32,
    /// How many variants it has; the game takes one of `NAME-1`, `NAME-2` and so on. 0: just the one, `NAME`.
    pub variants: i32,
    /// What it is like.
    pub traits: Vec<Trait>,
}

/// A branch: the way from one dungeon to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Branch {
    /// Where it is described.
    pub span: Span,
    /// The dungeon that it leads to.
    pub target: Spanned<Text>,
    /// The level that its place is counted from, if not from the top or the bottom of the dungeon; an empty name is
    /// as good as none.
    pub chain: Option<Spanned<Text>>,
    /// Where it can begin.
    pub place: Range,
    /// What it is made of.
    pub connection: Connection,
    /// Where it leads.
    pub direction: Direction,
}

/// What files of bones are called by; `None`: no bones are left there.
pub type Bones = Option<char>;

/// A place or a number with a random part: `(5, 3)` is 5, 6 or 7.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Range {
    /// Where it stands.
    pub span: Span,
    /// The least. Of a place, one below zero is counted from the bottom: -1 is the lowest level.
    pub base: i32,
    /// How many there are to choose from; 0 is one, and of a place, -1 is all down to the bottom.
    pub random: i32,
}

/// What a dungeon or a level is like, with the number that stands for it in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Trait {
    /// A town.
    Town = 0x01,
    /// In hell: nobody prays there.
    Hellish = 0x02,
    /// What is not described is a maze.
    Mazelike = 0x04,
    /// It looks like the game Rogue.
    Roguelike = 0x08,
    /// Its monsters are chaotic.
    Chaotic = 0x10,
    /// Its monsters are neutral.
    Neutral = 0x20,
    /// Its monsters are lawful.
    Lawful = 0x40,
}

impl Trait {
    /// Every trait, in the order of their numbers.
    pub const ALL: &'static [Trait] = &[
        Trait::Town,
        Trait::Hellish,
        Trait::Mazelike,
        Trait::Roguelike,
        Trait::Chaotic,
        Trait::Neutral,
        Trait::Lawful,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Trait::Town => "town",
            Trait::Hellish => "hellish",
            Trait::Mazelike => "mazelike",
            Trait::Roguelike => "roguelike",
            Trait::Chaotic => "chaotic",
            Trait::Neutral => "neutral",
            Trait::Lawful => "lawful",
        }
    }

    /// Whether it is an alignment.
    pub fn is_alignment(self) -> bool {
        matches!(self, Trait::Chaotic | Trait::Neutral | Trait::Lawful)
    }

    /// The number of all of `traits`.
    pub fn bits(traits: &[Trait]) -> i32 {
        traits.iter().fold(0, |bits, &one| bits | one as i32)
    }
}

/// What a branch is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Connection {
    /// Stairs at both ends.
    #[default]
    Stair = 0,
    /// No stairs at the lower end.
    NoUp = 1,
    /// No stairs at the upper end.
    NoDown = 2,
    /// A magic portal at both ends.
    Portal = 3,
}

impl Connection {
    /// Every connection, in the order of their numbers.
    pub const ALL: &'static [Connection] =
        &[Connection::Stair, Connection::NoUp, Connection::NoDown, Connection::Portal];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Connection::Stair => "stair",
            Connection::NoUp => "no_up",
            Connection::NoDown => "no_down",
            Connection::Portal => "portal",
        }
    }
}

/// Where a branch leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Down.
    #[default]
    Down = 0,
    /// Up.
    Up = 1,
}

impl Direction {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Down => "down",
            Direction::Up => "up",
        }
    }
}
