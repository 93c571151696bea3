//! Monsters and objects, with all that a des-file can say of them.

use serde::{Deserialize, Serialize};

use super::{AlignmentSpec, Expr, OrRandom, Statement};
use crate::source::{Spanned, Text};
use crate::words::*;

/// MONSTER.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Monster {
    /// Which.
    pub monster: Expr,
    /// Where.
    pub place: Expr,
    /// What else is known of it, in order.
    pub details: Vec<Spanned<MonsterDetail>>,
    /// What it carries: statements, if there is a block.
    pub inventory: Option<Vec<Statement>>,
}

/// A detail of a monster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
}

/// Which traps a monster knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Object {
    /// Which.
    pub object: Expr,
    /// What else is known of it, in order; its place is one of these.
    pub details: Vec<Spanned<ObjectDetail>>,
    /// What it contains: statements, for a CONTAINER.
    pub contents: Option<Vec<Statement>>,
}

/// A detail of an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObjectDetail {
    /// Where it lies.
    Place(Expr),
    /// `contained` (3.4.3): it is in the CONTAINER before it.
    Contained,
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
}
