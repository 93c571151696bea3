//! Monsters and objects, with all that a des-file can say of them.

use serde::{Deserialize, Serialize};

use super::{AlignmentSpec, Expr, OrRandom, Statement};
use crate::source::{Span, Spanned, Text};
use crate::words::*;

/// MONSTER.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Monster {
    /// Which.
    pub monster: Expr,
    /// Where.
    pub place: Expr,
    /// What else is known of it, in order.
    pub details: Vec<Spanned<MonsterDetail>>,
    /// What it carries: statements. An empty block takes away what the game would give it; `None` leaves that.
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
    /// What it looks like: `m_object "boulder"`.
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
    /// A detail that a catalog adds, by its name among the parts of a monster.
    Own(OwnDetail),
}

/// A detail that a catalog adds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OwnDetail {
    /// Its word, which is its name among the parts.
    pub word: Text,
    /// Its value; 1 if none is written.
    pub value: Option<Expr>,
}

/// Which traps a monster knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SeenTraps {
    /// All.
    All,
    /// These; `all` after the last `|` if set.
    These {
        /// Their names.
        traps: Vec<Spanned<Text>>,
        /// Whether the list ends in `all`.
        and_all: bool,
    },
}

/// OBJECT or CONTAINER.
///
/// What is in a container stands in its block, whichever language it comes from. NetHack 3.4.3 has no blocks: there,
/// `contained` means the last CONTAINER before it, and the order of all objects of a part or room shows in the level
/// file. So an object with a place of its own that 3.4.3 has between a container and what it contains stands in the
/// block too, and its place says that it is not contained. An object without a place that is in no block was
/// `contained` without a CONTAINER before it in its part or room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Object {
    /// Which.
    pub object: Expr,
    /// What else is known of it, in order; its place is one of these.
    pub details: Vec<Spanned<ObjectDetail>>,
    /// What it contains: statements, for a CONTAINER. One that is empty has an empty list; `None` is an OBJECT.
    pub contents: Option<Vec<Statement>>,
    /// Where the word `contained` of 3.4.3 stands that is the reason why it has no place; else nowhere.
    #[serde(default)]
    pub contained_span: Span,
}

impl Object {
    /// Where it is to be, if that is said.
    pub fn place(&self) -> Option<&Expr> {
        self.details.iter().find_map(|detail| match &detail.node {
            ObjectDetail::Place(place) => Some(place),
            _ => None,
        })
    }
}

/// A detail of an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ObjectDetail {
    /// Where it lies.
    Place(Expr),
    /// blessed, uncursed, cursed.
    Curse(OrRandom<Curse>),
    /// montype: what monster a corpse, egg, statue or figurine is of.
    MonsterType(Expr),
    /// Enchantment or charges.
    Enchantment(Expr),
    /// name: what it is called.
    Name(Expr),
    /// quantity.
    Quantity(Expr),
    /// buried.
    Buried,
    /// lit, unlit.
    Light(Light),
    /// eroded: how much.
    Eroded(Expr),
    /// erodeproof.
    Erodeproof,
    /// locked, broken.
    State(DoorState),
    /// trapped, not_trapped.
    Trapped(Trapped),
    /// recharged: how often.
    Recharged(Expr),
    /// invisible.
    Invisible,
    /// greased.
    Greased,
    /// A detail that a catalog adds, by its name among the parts of an object.
    Own(OwnDetail),
}
