//! The dungeon: the levels of a game and their places.
//!
//! A [`Description`] is the content of a `dungeon.def`, and of the binary file `dungeon` that a game reads at startup.
//! It lists dungeons, their special levels and the branches between them; the game draws their exact places. All four
//! games share one language and one file layout (`util/dgn_comp.y`, `include/dgn_file.h`). Their differences are in the
//! catalog.
//!
//! [`check`](mod@check) reports mistakes that the games' own compiler rejects, and mistakes that it overlooks.

use serde::{Deserialize, Serialize};

use crate::catalog::Name;
use crate::source::{Charset, Span, Spanned, Text};

pub mod check;
mod rules;

pub use self::rules::{Controls, DungeonNumber, Presence, Rules};

/// The name of the JSON form of a description, the value of `schema` in a document.
pub const SCHEMA: &str = "splc-dungeon";

/// Version of the JSON form, raised by every change that readers would notice.
pub const SCHEMA_VERSION: u32 = 1;

/// All dungeons of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Description {
    /// Encoding of its strings.
    #[serde(default)]
    pub charset: Charset,
    /// The dungeons. A game begins in the first one.
    pub dungeons: Vec<Dungeon>,
}

/// The ways that a level has to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// A way up.
    pub up: bool,
    /// A way down.
    pub down: bool,
    /// True if nothing is below the level, so that nobody can fall out of it.
    pub bottom: bool,
    /// True if a branch to another dungeon may begin there, or a branch leads there.
    pub branch: bool,
}

impl Description {
    /// Returns the number of other dungeons with the name of `dungeon`, which is one of them. dNAO makes one of all.
    pub fn alternates(&self, dungeon: &Dungeon) -> usize {
        let named = self.dungeons.iter().filter(|other| other.name.node == dungeon.name.node).count();
        named.saturating_sub(1)
    }

    /// Returns the ways that the level file `name` needs because of its certain place in its dungeon: no way up from
    /// the top, and none down from the bottom. The way to another dungeon is not among them: the game makes it. Quest
    /// levels of any role are those whose names begin with `quest_prefix`.
    pub fn ways(&self, name: &str, quest_prefix: &str) -> Ways {
        let is_called = |level: &&Level| {
            let known: &str = &level.name.node;
            let quest = || {
                let rest = known.strip_prefix(quest_prefix).filter(|_| !quest_prefix.is_empty())?;
                Some(name.split_once('-')?.1.eq_ignore_ascii_case(rest))
            };
            // A variant has a number after the name.
            let variant = || {
                let number: i32 = name.strip_prefix(known)?.strip_prefix('-')?.parse().ok()?;
                Some((1..=level.variants).contains(&number))
            };
            (level.variants == 0 && known == name)
                || variant().unwrap_or_default()
                || (level.variants == 0 && quest().unwrap_or_default())
        };
        for (number, dungeon) in self.dungeons.iter().enumerate() {
            let Some(level) = dungeon.levels().find(is_called) else { continue };
            let (shallow, deep) = dungeon.places(level);
            // The bottom is where the least dungeon ends.
            let is_last = level.place.base == -1 && level.place.random.abs() <= 1 && level.chain.is_none();
            // The last level of the first dungeon leads to the next one (`Can_fall_thru`).
            let bottom = number > 0 && (is_last || (shallow >= dungeon.size.base && dungeon.size.random <= 1));
            let is_entry = match dungeon.entry {
                0 | 1 => shallow <= 1,
                -1 => deep >= dungeon.size.base,
                _ => true,
            };
            let branch = number == 0 || is_entry || dungeon.branches().next().is_some();
            return Ways { up: shallow > 1, down: deep < dungeon.size.base, bottom, branch };
        }
        Ways::default()
    }
}

/// One dungeon: a sequence of levels, from top to bottom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dungeon {
    /// Its source.
    pub span: Span,
    /// Its name, e.g. `The Gnomish Mines`.
    pub name: Spanned<Text>,
    /// Letter of its bones files.
    pub bones: Spanned<Bones>,
    /// Number of levels.
    pub size: Range,
    /// Chance that the dungeon exists, in percent; 0: always.
    pub chance: i32,
    /// The level at which the branch to it arrives: 1 is the top, -1 the bottom; 0: the top.
    pub entry: i32,
    /// Base name of its undescribed levels: `tower` results in `tower1`, `tower2` and so on. Empty if they have no
    /// names.
    pub prototype: Spanned<Text>,
    /// Names given by earlier PROTOFILE statements, before the last one replaced them.
    ///
    /// Quirk: the games' compiler copies each name over the previous one (`strcpy` in `util/dgn_comp.y`), so that the
    /// end of a longer one remains in the file after it. No game reads it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overwritten: Vec<Text>,
    /// Its traits.
    pub traits: Vec<Trait>,
    /// Properties that only NetHack 5 has.
    #[serde(default)]
    pub lua: InLua,
    /// Its levels and branches, in source order.
    pub items: Vec<Item>,
}

impl Dungeon {
    /// Returns its special levels.
    pub fn levels(&self) -> impl DoubleEndedIterator<Item = &Level> {
        self.items.iter().filter_map(|item| match item {
            Item::Level(level) => Some(level),
            Item::Branch(_) => None,
        })
    }

    /// Returns the least and the greatest place that a level can have, from 1, in a dungeon of the least size.
    fn places(&self, level: &Level) -> (i32, i32) {
        let mut found = (0, 0);
        let mut wanted = Some(level);
        // Each step follows one chain; a longer sequence is a circle.
        for _ in self.levels() {
            let Some(level) = wanted else { break };
            let Range { base, random, .. } = level.place;
            let spread = if random < 0 { self.size.base } else { (random - 1).max(0) };
            let chain = level.chain.as_ref().map(|chain| &chain.node).filter(|chain| !chain.is_empty());
            let base = if chain.is_none() && base < 0 { self.size.base + base + 1 } else { base };
            found = (found.0 + base, found.1 + base + spread);
            wanted = chain.and_then(|chain| self.levels().find(|other| other.name.node == *chain));
        }
        (found.0, found.1.min(self.size.base))
    }

    /// Returns the branches that begin in it.
    pub fn branches(&self) -> impl DoubleEndedIterator<Item = &Branch> {
        self.items.iter().filter_map(|item| match item {
            Item::Branch(branch) => Some(branch),
            Item::Level(_) => None,
        })
    }

    /// Returns the index of the level that a branch chained to `name` is counted from: the first level of that name.
    pub fn branch_chained(&self, name: &str) -> Option<usize> {
        self.levels().position(|level| level.name.node == *name)
    }

    /// Returns the index of the level that a level chained to `name` is counted from.
    ///
    /// Quirk: during the search, the games' compiler (`getchain` in `util/dgn_comp.y`) has already stored the new level
    /// but not yet counted it, so the search begins after the first level of the dungeon.
    pub fn level_chained(&self, name: &str) -> Option<usize> {
        self.levels().skip(1).position(|level| level.name.node == *name).map(|at| at + 1)
    }
}

/// Properties of a dungeon that a `dungeon.lua` can express and a `dungeon.def` cannot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InLua {
    /// The level used for places without a special level. Empty: rooms and corridors, or mazes.
    #[serde(default)]
    pub filling: Text,
    /// The file of themed rooms for its ordinary levels, or empty.
    #[serde(default)]
    pub theme_rooms: Text,
    /// Set if no branch leads to it.
    #[serde(default)]
    pub unconnected: bool,
}

impl InLua {
    /// Returns true if no property is set.
    pub fn is_nothing(&self) -> bool {
        *self == InLua::default()
    }
}

/// A special level or a branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
// Levels also have a type named Item, with another JSON form.
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
    /// Its source.
    pub span: Span,
    /// Its name, which is also the name of its level file.
    pub name: Spanned<Text>,
    /// Letter of its bones file.
    pub bones: Spanned<Bones>,
    /// The level that its place is counted from, in place of the top or bottom of the dungeon. An empty name counts as
    /// absent.
    pub chain: Option<Spanned<Text>>,
    /// Its possible places.
    pub place: Range,
    /// Chance that the level exists, in percent.
    pub chance: i32,
    /// Number of variants; the game picks one of `NAME-1`, `NAME-2` and so on. 0: only `NAME`.
    pub variants: i32,
    /// Its traits.
    pub traits: Vec<Trait>,
}

/// A branch: the connection from one dungeon to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Branch {
    /// Its source.
    pub span: Span,
    /// The dungeon it leads to.
    pub target: Spanned<Text>,
    /// The level that its place is counted from, in place of the top or bottom of the dungeon. An empty name counts as
    /// absent.
    pub chain: Option<Spanned<Text>>,
    /// Its possible places.
    pub place: Range,
    /// Its stairs or portal.
    pub connection: Connection,
    /// Its direction.
    pub direction: Direction,
    /// The level of the other dungeon at which it arrives, as in [`Dungeon::entry`], in games whose dungeons have no
    /// such level of their own (SLASH'EM).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub entry: i32,
}

fn is_zero(number: &i32) -> bool {
    *number == 0
}

/// The letter of bones files; `None`: no bones are left.
pub type Bones = Option<char>;

/// A place or a number with a random part: `(5, 3)` is 5, 6 or 7.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Range {
    /// Its source.
    pub span: Span,
    /// The minimum. A negative place counts from the bottom: -1 is the lowest level.
    pub base: i32,
    /// Number of possible values. 0 means one; -1, in a place, means all down to the bottom.
    pub random: i32,
}

/// A property of a dungeon or level: town, hellish, mazelike, roguelike, chaotic, neutral, lawful, or one that only
/// some games have. [`Rules::bit`] is its bit in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "String", into = "String")]
pub enum Trait {
    /// A town.
    Town,
    /// In hell: prayer does not work.
    Hellish,
    /// Levels that are not described are mazes.
    Mazelike,
    /// Displayed like the game Rogue.
    Roguelike,
    /// Its monsters are chaotic.
    Chaotic,
    /// Its monsters are neutral.
    Neutral,
    /// Its monsters are lawful.
    Lawful,
    /// A property that only some games have, by its keyword.
    Own(Name),
}

impl From<String> for Trait {
    fn from(word: String) -> Self {
        let known = Trait::ALL.iter().find(|known| known.word() == word).cloned();
        known.unwrap_or(Trait::Own(Name::Owned(word)))
    }
}

impl From<Trait> for String {
    fn from(one: Trait) -> Self {
        one.word().to_owned()
    }
}

impl Trait {
    /// The traits that every game has, in the order of their numbers.
    pub const ALL: &'static [Trait] = &[
        Trait::Town,
        Trait::Hellish,
        Trait::Mazelike,
        Trait::Roguelike,
        Trait::Chaotic,
        Trait::Neutral,
        Trait::Lawful,
    ];

    /// Returns its keyword.
    pub fn word(&self) -> &str {
        match self {
            Trait::Own(word) => word,
            Trait::Town => "town",
            Trait::Hellish => "hellish",
            Trait::Mazelike => "mazelike",
            Trait::Roguelike => "roguelike",
            Trait::Chaotic => "chaotic",
            Trait::Neutral => "neutral",
            Trait::Lawful => "lawful",
        }
    }

    /// Returns true if it is an alignment.
    pub fn is_alignment(&self) -> bool {
        matches!(self, Trait::Chaotic | Trait::Neutral | Trait::Lawful)
    }
}

/// The type of connection of a branch.
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

    /// Returns its keyword.
    pub fn word(self) -> &'static str {
        match self {
            Connection::Stair => "stair",
            Connection::NoUp => "no_up",
            Connection::NoDown => "no_down",
            Connection::Portal => "portal",
        }
    }
}

/// The direction of a branch.
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
    /// Returns its keyword.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Down => "down",
            Direction::Up => "up",
        }
    }
}
