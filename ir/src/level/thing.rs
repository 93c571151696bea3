//! Monsters and objects, with every detail that a des-file can give them.

use serde::{Deserialize, Serialize};

use super::{AlignmentSpec, Expr, OrRandom, Statement};
use crate::source::{Span, Spanned, Text};
use crate::words::*;

/// MONSTER.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Monster {
    /// Its class or species.
    pub monster: Expr,
    /// Its square.
    pub place: Expr,
    /// Further details, in order.
    pub details: Vec<Spanned<MonsterDetail>>,
    /// Its inventory, as statements. An empty block removes the inventory the game would give it; `None` keeps that.
    pub inventory: Option<Vec<Statement>>,
}

/// A detail of a monster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MonsterDetail {
    /// Its name.
    Name(Expr),
    /// peaceful, hostile.
    Attitude(OrRandom<Attitude>),
    /// asleep, awake.
    Alertness(OrRandom<Alertness>),
    /// Its alignment.
    Alignment(AlignmentSpec),
    /// Its disguise: `m_object "boulder"`.
    Appearance(Appearance, Expr),
    /// female.
    Female,
    /// invisible.
    Invisible,
    /// cancelled.
    Cancelled,
    /// revived.
    Revived,
    /// avenge.
    Avenge,
    /// fleeing: turns.
    Fleeing(Expr),
    /// blinded: turns.
    Blinded(Expr),
    /// paralyzed: turns.
    Paralyzed(Expr),
    /// stunned.
    Stunned,
    /// confused.
    Confused,
    /// seen_traps.
    SeenTraps(SeenTraps),
    /// A catalog-defined detail, by its name among the parts of a monster.
    Own(OwnDetail),
}

/// A catalog-defined detail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OwnDetail {
    /// Its word, which is also its name among the parts.
    pub word: Text,
    /// Its value, or `None` for 1.
    pub value: Option<Expr>,
}

/// The trap types that a monster has seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SeenTraps {
    /// All trap types.
    All,
    /// A list of trap types.
    These {
        /// Their names.
        traps: Vec<Spanned<Text>>,
        /// True if the list ends in `all`.
        and_all: bool,
    },
}

/// OBJECT or CONTAINER.
///
/// The contents of a container are in its block, whatever the source language. NetHack 3.4.3 has no blocks: there,
/// `contained` refers to the last CONTAINER before it, and the level file keeps the order of all objects of a part or
/// room. So if 3.4.3 has an object with its own place between a container and its contents, that object is in the block
/// too, and its place marks it as not contained. An object without a place and outside any block was `contained`
/// without a CONTAINER before it in its part or room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Object {
    /// Its class or species.
    pub object: Expr,
    /// Further details, in order, including its place.
    pub details: Vec<Spanned<ObjectDetail>>,
    /// The contents of a CONTAINER, as statements: an empty list if it is empty. `None` for an OBJECT.
    pub contents: Option<Vec<Statement>>,
    /// The span of the word `contained` (3.4.3) that explains a missing place; otherwise nowhere.
    #[serde(default)]
    pub contained_span: Span,
}

impl Object {
    /// Returns its place, if given.
    pub fn place(&self) -> Option<&Expr> {
        self.details.iter().find_map(|detail| match &detail.node {
            ObjectDetail::Place(place) => Some(place),
            _ => None,
        })
    }
}

/// The objects that NetHack 5 makes of a given monster; earlier games note one for any object. `lspo_object` reads the
/// key `montype` only for these, but also without a table, so `des.object("statue", 3, 4)` fails.
pub const OBJECTS_OF_MONSTERS: [&str; 5] = ["statue", "egg", "corpse", "tin", "figurine"];

/// A detail of an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ObjectDetail {
    /// Its square.
    Place(Expr),
    /// blessed, uncursed, cursed.
    Curse(OrRandom<Curse>),
    /// montype: the monster of a corpse, egg, statue or figurine.
    MonsterType(Expr),
    /// Enchantment or charges.
    Enchantment(Expr),
    /// name: its individual name.
    Name(Expr),
    /// quantity.
    Quantity(Expr),
    /// buried.
    Buried,
    /// lit, unlit.
    Light(Light),
    /// eroded: the degree of erosion.
    Eroded(Expr),
    /// erodeproof.
    Erodeproof,
    /// locked, broken.
    State(DoorState),
    /// trapped, not_trapped.
    Trapped(Trapped),
    /// recharged: the number of times.
    Recharged(Expr),
    /// invisible.
    Invisible,
    /// greased.
    Greased,
    /// A catalog-defined detail, by its name among the parts of an object.
    Own(OwnDetail),
}
