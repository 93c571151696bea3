//! What lies on the level as a whole: maps, rooms, regions, and the ways in and out.

use serde::{Deserialize, Serialize};

use super::{Expr, OrRandom, Statement};
use crate::source::{Span, Spanned, Text};
use crate::words::*;

/// NOMAP, or GEOMETRY with MAP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Map {
    /// NOMAP: the whole level.
    None,
    /// A drawn part.
    Drawn {
        /// Where it goes.
        position: MapPosition,
        /// Whether regions of the map become rooms, if said.
        keep_regions: Option<bool>,
        /// The rows.
        rows: MapRows,
    },
}

/// Where a map goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MapPosition {
    /// By alignment.
    Aligned {
        /// Horizontally.
        horizontal: Horizontal,
        /// Vertically.
        vertical: Vertical,
    },
    /// With its upper left corner on a square.
    At(Expr),
}

/// The rows of a MAP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapRows {
    /// Rows as written, without line ends; digits in them only number the lines.
    pub rows: Vec<Text>,
    /// The place of each row.
    #[serde(skip)]
    pub row_spans: Vec<Span>,
    /// From MAP to ENDMAP.
    pub span: Span,
}

/// ROOM or SUBROOM.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Room {
    /// Its type, or random.
    pub room_type: OrRandom<Spanned<Text>>,
    /// How likely it has that type, in percent, if said.
    pub chance: Option<Spanned<i32>>,
    /// Its light.
    pub light: OrRandom<Light>,
    /// Where it is.
    pub placement: RoomPlacement,
    /// Width and height, or random.
    pub size: OrRandom<(Spanned<i32>, Spanned<i32>)>,
    /// filled, irregular, joined and their opposites, as written.
    pub flags: Option<Vec<Spanned<RoomFlag>>>,
    /// What is in it.
    pub body: Vec<Statement>,
    /// Its NAME (3.4.3): what SUBROOM refers to.
    pub name: Option<Spanned<Text>>,
}

/// Where a room is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomPlacement {
    /// ROOM: in the level.
    Level {
        /// Place on the grid of 5 by 5 or (3.4.3) of 3 by 3, or random.
        position: OrRandom<Spanned<(i32, i32)>>,
        /// How it is placed in that cell, or random.
        alignment: OrRandom<(Horizontal, Vertical)>,
    },
    /// SUBROOM: in the room around it.
    Room {
        /// Place in that room, or random.
        position: OrRandom<Spanned<(i32, i32)>>,
        /// NAME of that room (3.4.3).
        parent: Option<Spanned<Text>>,
    },
}

/// A flag of a room or region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomFlag {
    /// filled, unfilled.
    Filling(Filling),
    /// regular, irregular.
    Irregular(Irregular),
    /// joined, unjoined.
    Joined(Joined),
}

/// REGION.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Where.
    pub area: Expr,
    /// Its light.
    pub light: OrRandom<Light>,
    /// Its room type, or random.
    pub room_type: OrRandom<Spanned<Text>>,
    /// filled, irregular, joined and their opposites, as written.
    pub flags: Option<Vec<Spanned<RoomFlag>>>,
    /// What is in it, if there is a block.
    pub body: Option<Vec<Statement>>,
}

/// A way into or out of the level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelRegion {
    /// Of what kind.
    pub kind: LevelRegionKind,
    /// Where it may be.
    pub inside: RegionSpec,
    /// Where it may not be.
    pub outside: RegionSpec,
}

/// The kinds of [`LevelRegion`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelRegionKind {
    /// STAIR.
    Stair(UpDown),
    /// PORTAL to a level.
    Portal(Spanned<Text>),
    /// TELEPORT_REGION, for all or only for arrivals from above or below.
    Teleport(Option<UpDown>),
    /// BRANCH.
    Branch,
}

/// A rectangle, in the map or (`levregion`) in the level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionSpec {
    /// Whether it counts from the level's corner.
    pub level: bool,
    /// x1, y1, x2, y2.
    pub corners: [i32; 4],
    /// Where it stands.
    pub span: Span,
}
