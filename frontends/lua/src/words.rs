//! The words that keys and arguments of the game's functions take, and their meanings.
//!
//! Source: NetHack 5.0.0, `sp_lev.c` and `nhlsel.c`. The catalog of another game may add words.

use std::fmt::Debug;

use splc_ir::catalog::dialect::LUA;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::words::Group;

/// The meaning of a word's number in a catalog.
type Meaning<T> = fn(i64) -> T;

/// The words of a key or argument, each with its meaning.
#[derive(Debug)]
pub struct Words<T: 'static> {
    /// The words of NetHack 5.0.0.
    own: &'static [(&'static str, T)],
    /// The group of a catalog whose further words are accepted too, with the meaning of a number.
    more: Option<(Group, Meaning<T>)>,
    /// True if upper case and lower case are the same.
    folded: bool,
}

/// A list of words, whatever their meanings.
pub trait WordList: Debug + Sync {
    /// Returns the words in the game of `catalog`, in the order of the game's list.
    fn all<'c>(&self, catalog: &'c Catalog) -> Vec<&'c str>;

    /// Returns true if the game of `catalog` accepts `text`.
    fn accepts(&self, catalog: &Catalog, text: &str) -> bool;
}

/// Returns the catalog whose words a level uses. A game without Lua levels runs them with the words of NetHack 5.
fn in_lua(catalog: &Catalog) -> &Catalog {
    if catalog.format == Format::Lua { catalog } else { LUA.default_target().unwrap_or(catalog) }
}

impl<T: Copy> Words<T> {
    const fn new(own: &'static [(&'static str, T)]) -> Self {
        Words { own, more: None, folded: false }
    }

    const fn and(own: &'static [(&'static str, T)], group: Group, meaning: Meaning<T>) -> Self {
        Words { own, more: Some((group, meaning)), folded: false }
    }

    /// Returns the meaning of the first word.
    pub fn first(&self) -> Option<T> {
        self.own.first().map(|(_, meaning)| *meaning)
    }

    /// Returns the meaning of `text` in the game of `catalog`.
    pub fn meaning(&self, catalog: &Catalog, text: &str) -> Option<T> {
        let is = |word: &str| if self.folded { word.eq_ignore_ascii_case(text) } else { word == text };
        if let Some((_, meaning)) = self.own.iter().find(|(word, _)| is(word)) {
            return Some(*meaning);
        }
        let (group, meaning) = self.more?;
        let catalog = in_lua(catalog);
        let word = catalog.words(group).find(|word| is(word))?;
        catalog.word(group, word).map(meaning)
    }
}

impl<T: Copy + Debug + Sync> WordList for Words<T> {
    fn all<'c>(&self, catalog: &'c Catalog) -> Vec<&'c str> {
        let mut all: Vec<&str> = self.own.iter().map(|(word, _)| *word).collect();
        if let Some((group, _)) = self.more {
            all.extend(in_lua(catalog).words(group).filter(|word| !self.own.iter().any(|(known, _)| known == word)));
        }
        all
    }

    fn accepts(&self, catalog: &Catalog, text: &str) -> bool {
        self.meaning(catalog, text).is_some()
    }
}

/// The number of a direction in a set of directions (`W_NORTH` and so on).
const NORTH: i32 = 1;
const SOUTH: i32 = 2;
const EAST: i32 = 4;
const WEST: i32 = 8;

/// The number of a word that leaves the choice to the game, where the game has no number of its own for it.
pub const RANDOM: i32 = -1;

/// The number of a random alignment.
pub const RANDOM_ALIGNMENT: i32 = -12;

fn narrow(number: i64) -> i32 {
    number as i32
}

/// The state of a door, as in the square's flags.
pub const DOOR_STATES: &Words<i32> = &Words::and(
    &[("random", RANDOM), ("open", 2), ("closed", 4), ("locked", 8), ("nodoor", 0), ("broken", 1), ("secret", 32)],
    Group::DoorState,
    narrow,
);

/// A set of directions.
pub const WALLS: &Words<i32> = &Words::new(&[
    ("all", NORTH | SOUTH | EAST | WEST),
    ("random", RANDOM),
    ("north", NORTH),
    ("west", WEST),
    ("east", EAST),
    ("south", SOUTH),
]);

/// The walls at which a corridor starts; 0 if it cannot.
pub const CORRIDOR_WALLS: &Words<i32> =
    &Words::new(&[("all", 0), ("random", 0), ("north", NORTH), ("west", WEST), ("east", EAST), ("south", SOUTH)]);

/// A direction.
pub const DIRECTIONS: &Words<i32> =
    &Words::new(&[("north", NORTH), ("south", SOUTH), ("east", EAST), ("west", WEST), ("random", RANDOM)]);

/// The direction of a drawbridge, as in the square's flags.
pub const BRIDGE_DIRECTIONS: &Words<i32> =
    &Words::new(&[("north", 0), ("south", 1), ("east", 2), ("west", 3), ("random", RANDOM)]);

/// The state of a drawbridge: 1 if it is open.
pub const BRIDGE_STATES: &Words<i32> = &Words::new(&[("open", 1), ("closed", 0), ("random", RANDOM)]);

/// The direction of stairs: true for up.
pub const STAIRS: &Words<bool> = &Words::new(&[("down", false), ("up", true)]);

/// An alignment.
pub const ALIGNMENTS: &Words<i32> = &Words::and(
    &[
        ("noalign", 0),
        ("law", 4),
        ("neutral", 2),
        ("chaos", 1),
        ("coaligned", 3),
        ("noncoaligned", 7),
        ("random", RANDOM_ALIGNMENT),
    ],
    Group::Alignment,
    narrow,
);

/// The type of an altar.
pub const ALTARS: &Words<i32> = &Words::and(&[("altar", 0), ("shrine", 1), ("sanctum", 2)], Group::Altar, narrow);

/// A feature of a square, by the name of its terrain.
pub const FEATURES: &Words<&str> = &Words::new(&[
    ("fountain", "fountain"),
    ("sink", "sink"),
    ("pool", "pool"),
    ("throne", "throne"),
    ("tree", "tree"),
]);

/// The type of an engraving.
pub const ENGRAVINGS: &Words<i32> =
    &Words::and(&[("dust", 1), ("engrave", 2), ("burn", 3), ("mark", 4), ("blood", 5)], Group::Engraving, narrow);

/// The curse state of an object.
pub const CURSES: &Words<i32> = &Words::and(
    &[
        ("random", 0),
        ("blessed", 1),
        ("uncursed", 2),
        ("cursed", 3),
        ("not-cursed", 4),
        ("not-uncursed", 5),
        ("not-blessed", 6),
    ],
    Group::Curse,
    narrow,
);

/// The column of a map; -1 for placement by coordinates.
pub const MAP_COLUMNS: &Words<i32> =
    &Words::new(&[("left", 1), ("half-left", 2), ("center", 3), ("half-right", 4), ("right", 5), ("none", -1)]);

/// The row of a map; -1 for placement by coordinates.
pub const MAP_ROWS: &Words<i32> = &Words::new(&[("top", 1), ("center", 3), ("bottom", 5), ("none", -1)]);

/// The horizontal alignment of a room in its part of the level.
pub const ROOM_COLUMNS: &Words<i32> = &Words::new(&[
    ("left", 1),
    ("half-left", 2),
    ("center", 3),
    ("half-right", 4),
    ("right", 5),
    ("none", -1),
    ("random", RANDOM),
]);

/// The vertical alignment of a room in its part of the level.
pub const ROOM_ROWS: &Words<i32> =
    &Words::new(&[("top", 1), ("center", 3), ("bottom", 5), ("none", -1), ("random", RANDOM)]);

/// A style of level initialisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the styles of the game
pub enum Style {
    SolidFill,
    MazeGrid,
    Maze,
    Rogue,
    Mines,
    Swamp,
}

/// The style of a level's initialisation.
pub const STYLES: &Words<Style> = &Words::new(&[
    ("solidfill", Style::SolidFill),
    ("mazegrid", Style::MazeGrid),
    ("maze", Style::Maze),
    ("rogue", Style::Rogue),
    ("mines", Style::Mines),
    ("swamp", Style::Swamp),
]);

/// The type of a level region, by its name in a catalog's `level_regions`.
pub const LEVEL_REGIONS: &Words<&str> = &Words::new(&[
    ("stair-down", "down_stairs"),
    ("stair-up", "up_stairs"),
    ("portal", "portal"),
    ("branch", "branch"),
    ("teleport", "teleport"),
    ("teleport-up", "up_teleport"),
    ("teleport-down", "down_teleport"),
]);

/// The direction of arrivals by teleportation, as a type of level region.
pub const ARRIVALS: &Words<&str> =
    &Words::new(&[("both", "teleport"), ("down", "down_teleport"), ("up", "up_teleport")]);

/// The type of an exclusion zone.
pub const EXCLUSIONS: &Words<i32> =
    &Words::new(&[("teleport", 4), ("teleport-up", 5), ("teleport-down", 6), ("monster-generation", 7)]);

/// The property of a wall, as in the square's flags.
pub const WALL_PROPERTIES: &Words<i32> = &Words::new(&[("nondiggable", 8), ("nonpasswall", 16)]);

/// Lit or unlit.
pub const LIGHTS: &Words<bool> = &Words::new(&[("unlit", false), ("lit", true)]);

/// The shape of a gradient: true for a square.
pub const GRADIENTS: &Words<bool> = &Words::new(&[("radial", false), ("square", true)]);

/// A timer of an object or square. Timers matter only while somebody plays.
pub const TIMERS: &Words<()> = &Words::new(&[
    ("rot-organic", ()),
    ("rot-corpse", ()),
    ("revive-mon", ()),
    ("zombify-mon", ()),
    ("burn-obj", ()),
    ("hatch-egg", ()),
    ("fig-transform", ()),
    ("shrink-glob", ()),
    ("melt-ice", ()),
]);

/// The number of entries that can be picked from a menu.
pub const PICKS: &Words<()> = &Words::new(&[("none", ()), ("one", ()), ("any", ())]);

macro_rules! flags {
    ($($flag:ident $word:literal,)*) => {
        /// A level flag.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)] // each is named like its word
        pub enum LevelFlag {
            $($flag,)*
            /// A flag that the catalog of another game adds. It has no effect that splc knows.
            Added,
        }

        /// A level flag.
        pub const LEVEL_FLAGS: &Words<LevelFlag> = &Words {
            own: &[$(($word, LevelFlag::$flag)),*],
            more: Some((Group::Flag, |_| LevelFlag::Added)),
            folded: true,
        };
    };
}

flags! {
    NoTeleport "noteleport",
    HardFloor "hardfloor",
    NoMagicMap "nommap",
    ShortSighted "shortsighted",
    Arboreal "arboreal",
    Maze "mazelevel",
    Shroud "shroud",
    Graveyard "graveyard",
    IcedPools "icedpools",
    CorridorMaze "corrmaze",
    Premapped "premapped",
    Solidify "solidify",
    Sokoban "sokoban",
    Inaccessibles "inaccessibles",
    NoFlipX "noflipx",
    NoFlipY "noflipy",
    NoFlip "noflip",
    Temperate "temperate",
    Hot "hot",
    Cold "cold",
    NoRandomMonsters "nomongen",
    NoDeathDrops "nodeathdrops",
    NoAutoSearch "noautosearch",
    Fumaroles "fumaroles",
    Stormy "stormy",
}

/// Keywords of des-files, with the equivalent functions.
pub(crate) const DES_WORDS: &[(&str, &str)] = &[
    ("ALTAR", "des.altar"),
    ("BRANCH", "des.levregion"),
    ("DOOR", "des.door"),
    ("ENGRAVING", "des.engraving"),
    ("FLAGS", "des.level_flags"),
    ("FOUNTAIN", "des.feature"),
    ("GOLD", "des.gold"),
    ("LADDER", "des.ladder"),
    ("MAP", "des.map"),
    ("MAZEWALK", "des.mazewalk"),
    ("MESSAGE", "des.message"),
    ("MONSTER", "des.monster"),
    ("NON_DIGGABLE", "des.non_diggable"),
    ("OBJECT", "des.object"),
    ("REGION", "des.region"),
    ("ROOM", "des.room"),
    ("SHUFFLE", "shuffle"),
    ("STAIR", "des.stair"),
    ("TERRAIN", "des.terrain"),
    ("TRAP", "des.trap"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalog_has_the_same_words_and_numbers() {
        let catalog = Catalog::by_name("nethack-5.0.0").unwrap();
        for words in [DOOR_STATES, ALIGNMENTS, ALTARS, ENGRAVINGS, CURSES] {
            let (group, _) = words.more.unwrap();
            for word in catalog.words(group) {
                let own = words.own.iter().find(|(known, _)| *known == word).map(|&(_, number)| i64::from(number));
                assert_eq!(own, catalog.word(group, word), "{word}");
            }
        }
        for (word, _) in LEVEL_FLAGS.own {
            assert!(catalog.word(Group::Flag, word).is_some(), "{word}");
        }
        assert_eq!(catalog.words(Group::Flag).count(), LEVEL_FLAGS.own.len());
    }

    #[test]
    fn words_are_unique_and_flags_ignore_case() {
        let catalog = Catalog::by_name("nethack-5.0.0").unwrap();
        let mut flags = LEVEL_FLAGS.all(catalog);
        flags.sort_unstable();
        flags.dedup();
        assert_eq!(flags.len(), LEVEL_FLAGS.own.len());
        assert_eq!(LEVEL_FLAGS.meaning(catalog, "NoFlip"), Some(LevelFlag::NoFlip));
        assert_eq!(DOOR_STATES.meaning(catalog, "Open"), None);
    }
}
