//! The closed sets of keywords that des-files use as values: door states, directions, alignments.
//!
//! Every set is an enum; each variant has its word as des-files write it. The number of a word depends on the game and
//! comes from its [catalog](crate::catalog): look it up with [`Catalog::word`](crate::catalog::Catalog::word) by the
//! set's [`Group`] and the word.

use std::fmt;

use serde::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

pub use crate::catalog::Group;

impl Serialize for Group {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit_variant("Group", *self as u32, self.as_str())
    }
}

/// Deserializes a word of a set: the parser of a word, and every word.
struct OneOf<T>(fn(&str) -> Option<T>, &'static [&'static str]);

impl<'de, T> Visitor<'de> for OneOf<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a keyword")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<T, A::Error> {
        let (value, rest) = data.variant_seed(self)?;
        rest.unit_variant()?;
        Ok(value)
    }

    fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<T, E> {
        (self.0)(word).ok_or_else(|| E::unknown_variant(word, self.1))
    }
}

impl<'de, T> DeserializeSeed<'de> for OneOf<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident: $group:ident { $($variant:ident = $word:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)] // each variant is the word it carries
        pub enum $name { $($variant,)* }

        impl $name {
            /// The group of the set in a catalog.
            pub const GROUP: Group = Group::$group;

            /// Every value of the set.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The words, as des-files write them.
            pub const WORDS: &'static [&'static str] = &[$($word,)*];

            /// Returns the word as a des-file writes it.
            pub const fn as_str(self) -> &'static str { match self { $($name::$variant => $word,)* } }

            /// Returns the value of `word`.
            pub fn from_word(word: &str) -> Option<Self> { match word { $($word => Some($name::$variant),)* _ => None } }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_unit_variant(stringify!($name), *self as u32, self.as_str())
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({"type": "string", "enum": $name::WORDS})
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_enum(stringify!($name), $name::WORDS, OneOf($name::from_word, $name::WORDS))
            }
        }
    )*};
}

impl Direction {
    /// Returns the only direction in which `is` is true of the square beside `place`, with that square.
    pub fn only(place: (i32, i32), is: impl Fn((i32, i32)) -> bool) -> Option<(Self, (i32, i32))> {
        let beside = Direction::ALL.iter().map(|direction| (*direction, direction.from(place)));
        let mut found = beside.filter(|(_, square)| is(*square));
        found.next().filter(|_| found.next().is_none())
    }

    /// Returns the square one step from `(x, y)` in this direction.
    pub fn from(self, (x, y): (i32, i32)) -> (i32, i32) {
        match self {
            Direction::North => (x, y.saturating_sub(1)),
            Direction::South => (x, y.saturating_add(1)),
            Direction::East => (x.saturating_add(1), y),
            Direction::West => (x.saturating_sub(1), y),
        }
    }
}

words! {
    /// State of a door, drawbridge or container lid.
    DoorState: DoorState { Open = "open", Closed = "closed", Locked = "locked", NoDoor = "nodoor", Broken = "broken", Secret = "secret" }
    /// Compass direction.
    Direction: Direction { North = "north", East = "east", South = "south", West = "west" }
    /// Alignment of an altar or monster.
    Alignment: Alignment { NoAlign = "noalign", Law = "law", Neutral = "neutral", Chaos = "chaos", Coaligned = "coaligned", Noncoaligned = "noncoaligned" }
    /// Type of an altar.
    AltarType: Altar { Altar = "altar", Shrine = "shrine", Sanctum = "sanctum" }
    /// Technique of an engraving.
    EngravingType: Engraving { Dust = "dust", Engrave = "engrave", Burn = "burn", Mark = "mark", Blood = "blood" }
    /// Blessed or cursed state of an object.
    Curse: Curse { Blessed = "blessed", Uncursed = "uncursed", Cursed = "cursed" }
    /// Attitude of a monster.
    Attitude: Attitude { Peaceful = "peaceful", Hostile = "hostile" }
    /// Sleeping state of a monster.
    Alertness: Alertness { Asleep = "asleep", Awake = "awake" }
    /// Type of thing that a mimic imitates.
    Appearance: Appearance { Feature = "m_feature", Monster = "m_monster", Object = "m_object" }
    /// Light of a room, region or terrain.
    Light: Light { Lit = "lit", Unlit = "unlit", MinesLight = "mineslight" }
    /// Contents of a room: filled according to its type, or left empty.
    Filling: Filling { Filled = "filled", Unfilled = "unfilled" }
    /// Shape of a region: rectangular or not.
    Irregular: Irregular { Regular = "regular", Irregular = "irregular" }
    /// Connection of a room to random corridors.
    Joined: Joined { Joined = "joined", Unjoined = "unjoined" }
    /// Extent of a gradient: up to its maximum distance or beyond.
    Limited: Limited { Limited = "limited", Unlimited = "unlimited" }
    /// Terrain for a random place.
    Humidity: Humidity { Dry = "dry", Wet = "wet", Hot = "hot", Solid = "solid", Any = "any" }
    /// Shape of a gradient.
    GradientType: Gradient { Radial = "radial", Square = "square" }
    /// Delivery of a level sound to the player.
    SoundType: Sound { Hear = "hear", Pline = "pline", Verbal = "verbal", Feel = "feel" }
    /// Trapped state of a container.
    Trapped: Trapped { Trapped = "trapped", NotTrapped = "not_trapped" }
    /// Horizontal placement of a map or room.
    Horizontal: Horizontal { Left = "left", HalfLeft = "half-left", Center = "center", HalfRight = "half-right", Right = "right" }
    /// Vertical placement of a map or room.
    Vertical: Vertical { Top = "top", Center = "center", Bottom = "bottom" }
    /// Direction of stairs, ladders and arrival.
    UpDown: VerticalDirection { Up = "up", Down = "down" }
}

/// The features as which a monster can appear: names of map symbols (`defsyms`, NetHack 3.4.3 to 5.0.0). Variants have
/// more.
const FEATURES: [&str; 27] = [
    "air",
    "altar",
    "broken door",
    "closed door",
    "cloud",
    "corridor",
    "dark part of a room",
    "doorway",
    "floor of a room",
    "fountain",
    "grave",
    "ice",
    "iron bars",
    "ladder down",
    "ladder up",
    "lit corridor",
    "lowered drawbridge",
    "molten lava",
    "open door",
    "opulent throne",
    "raised drawbridge",
    "sink",
    "staircase down",
    "staircase up",
    "tree",
    "wall",
    "water",
];

/// Returns the feature that `name` misspells. A name that is not similar to any can be one of a variant.
pub fn misspelt_feature(name: &str) -> Option<&'static str> {
    if FEATURES.contains(&name) {
        return None;
    }
    crate::diagnostic::nearest(name, FEATURES).first().copied()
}
