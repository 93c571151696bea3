//! The areas of a level: maps, rooms, regions, and the ways in and out.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Expr, OrRandom, Statement, StatementKind};
use crate::source::{Span, Spanned, Text, count_bytes};
use crate::words::*;

/// NOMAP, or GEOMETRY with MAP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Map {
    /// NOMAP: no map, the whole level.
    None,
    /// A map drawn in the source.
    Drawn {
        /// Its position on the level.
        position: MapPosition,
        /// Set if regions of the map become rooms; `None` if not written.
        keep_regions: Option<bool>,
        /// Its rows.
        rows: MapRows,
    },
}

/// The position of a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// The drawing of a MAP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MapRows {
    /// Rows as written, without line ends. Digits in them only number the lines.
    pub rows: Vec<Text>,
    /// The span of each row.
    pub row_spans: Vec<Span>,
    /// From MAP to ENDMAP.
    pub span: Span,
}

impl MapRows {
    /// Returns the bytes of a row without the digits that only number it.
    pub(crate) fn drawn(row: &str) -> Cow<'_, [u8]> {
        match Self::numbering(row) {
            0 => row.as_bytes().into(),
            _ => row.bytes().filter(|byte| !byte.is_ascii_digit()).collect(),
        }
    }

    /// Returns the number of digits in a row.
    pub(crate) fn numbering(row: &str) -> usize {
        count_bytes(row.as_bytes(), |byte| byte.is_ascii_digit())
    }
}

/// ROOM or SUBROOM.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Room {
    /// Its type, or random.
    pub room_type: OrRandom<Spanned<Text>>,
    /// The chance that it has that type, in percent, if written.
    pub chance: Option<Spanned<i32>>,
    /// Its light.
    pub light: OrRandom<Light>,
    /// Its position and the room around it.
    pub placement: RoomPlacement,
    /// Width and height, or random.
    pub size: OrRandom<(Spanned<i32>, Spanned<i32>)>,
    /// filled, irregular, joined and their opposites, in source order.
    pub flags: Option<Vec<Spanned<RoomFlag>>>,
    /// Its contents.
    pub body: Vec<Statement>,
    /// Its NAME (3.4.3), by which a SUBROOM refers to it.
    pub name: Option<Spanned<Text>>,
    /// Its index in the room list of a 3.4.3 level file, from 0; see [`listed_rooms`]. `None` if it has the index that
    /// source order gives it, with each room followed by its subrooms.
    #[serde(default)]
    pub order: Option<u32>,
}

/// The position of a room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RoomPlacement {
    /// ROOM: in the level.
    Level {
        /// Cell of the 5 by 5 grid, or of the 3 by 3 grid of 3.4.3, or random.
        position: OrRandom<Spanned<(i32, i32)>>,
        /// Alignment within that cell, or random.
        alignment: OrRandom<(Horizontal, Vertical)>,
    },
    /// SUBROOM: in the room whose block contains it.
    Room {
        /// Position in that room, or random.
        position: OrRandom<Spanned<(i32, i32)>>,
        /// In 3.4.3, the span of the parent room's NAME; otherwise nowhere.
        #[serde(default)]
        parent_span: Span,
    },
    /// A SUBROOM of 3.4.3 without a valid parent: the NAME it gives is that of no room, of itself, of one of its own
    /// subrooms, or of a room nested too deeply ([`MAX_SUBROOM_NESTING`]). Level files can contain such a room.
    ///
    /// [`MAX_SUBROOM_NESTING`]: crate::limits::MAX_SUBROOM_NESTING
    Stray {
        /// Position in the parent room, or random.
        position: OrRandom<Spanned<(i32, i32)>>,
        /// The NAME it gives for its parent.
        parent: Spanned<Text>,
    },
}

/// A room in the order of a 3.4.3 level file.
#[derive(Clone, Copy, Debug)]
pub struct ListedRoom<'a> {
    /// The room.
    pub room: &'a Room,
    /// The span of its statement. In 3.4.3 a subroom can be written after other rooms; its span then lies outside that
    /// of its parent.
    pub span: Span,
    /// The index of its parent in the list, for a subroom.
    pub around: Option<usize>,
}

/// Returns the rooms of a level with this body, subrooms included, in the order in which a 3.4.3 level file lists them
/// and its CORRIDORs number them.
///
/// Each room takes the index that its [`order`](Room::order) names. Rooms without an order, or with an impossible one,
/// take the remaining indices in source order. Rooms inside IF, LOOP and similar statements are not listed: 3.4.3 has
/// no such statements.
pub fn listed_rooms(body: &[Statement]) -> Vec<ListedRoom<'_>> {
    fn read<'a>(body: &'a [Statement], around: Option<usize>, rooms: &mut Vec<ListedRoom<'a>>) {
        for statement in body {
            if let StatementKind::Room(room) = &statement.kind {
                let at = rooms.len();
                rooms.push(ListedRoom { room, span: statement.span, around });
                read(&room.body, Some(at), rooms);
            }
        }
    }
    let mut rooms = Vec::new();
    read(body, None, &mut rooms);
    if rooms.iter().all(|listed| listed.room.order.is_none()) {
        return rooms;
    }
    // `reading` maps a list index to the source order of its room; `placed` is the inverse.
    let mut reading: Vec<Option<usize>> = vec![None; rooms.len()];
    for (at, listed) in rooms.iter().enumerate() {
        if let Some(slot) = listed.room.order.and_then(|order| reading.get_mut(order as usize))
            && slot.is_none()
        {
            *slot = Some(at);
        }
    }
    let mut placed = vec![usize::MAX; rooms.len()];
    reading.iter().enumerate().for_each(|(place, at)| at.iter().for_each(|&at| placed[at] = place));
    let mut left = (0..rooms.len()).filter(|&place| reading[place].is_none());
    for place in placed.iter_mut().filter(|place| **place == usize::MAX) {
        *place = left.next().unwrap_or(0);
    }
    let mut list = rooms.clone();
    for (listed, &place) in rooms.into_iter().zip(&placed) {
        list[place] = ListedRoom { around: listed.around.map(|around| placed[around]), ..listed };
    }
    list
}

/// Returns the number of rooms around `room`, or `None` if it contains itself or is nested too deeply
/// ([`MAX_SUBROOM_NESTING`]). In that case it is [`RoomPlacement::Stray`]. `around` has the parent of each room.
///
/// [`MAX_SUBROOM_NESTING`]: crate::limits::MAX_SUBROOM_NESTING
pub fn subroom_depth(around: &[Option<usize>], room: usize) -> Option<usize> {
    let mut at = room;
    for depth in 0..=crate::limits::MAX_SUBROOM_NESTING {
        match around[at] {
            None => return Some(depth),
            Some(outer) => at = outer,
        }
    }
    None
}

/// A flag of a room or region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Region {
    /// Its squares.
    pub area: Expr,
    /// Its light.
    pub light: OrRandom<Light>,
    /// Its room type, or random.
    pub room_type: OrRandom<Spanned<Text>>,
    /// filled, irregular, joined and their opposites, in source order.
    pub flags: Option<Vec<Spanned<RoomFlag>>>,
    /// Its contents, if it has a block. An empty block means the same as none.
    pub body: Option<Vec<Statement>>,
}

/// A way into or out of the level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LevelRegion {
    /// Its kind.
    pub kind: LevelRegionKind,
    /// The area in which it may be.
    pub inside: RegionSpec,
    /// The area in which it may not be.
    pub outside: RegionSpec,
}

/// The kind of a [`LevelRegion`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// RANDOM_REGION: places nothing, but defines the area that `region[0]` with its number refers to (SLASH'EM 0.0.7,
    /// lev_comp.y).
    Register(Spanned<i32>),
}

/// A rectangle, relative to the map or, as `levregion`, to the level.
///
/// Unlike [`ExprKind::Region`](super::ExprKind::Region) it is not a value: its numbers are part of the statement, and
/// no language accepts a variable for it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegionSpec {
    /// True if it is relative to the corner of the level.
    pub level: bool,
    /// x1, y1, x2, y2.
    pub corners: [i32; 4],
    /// Its span in the source.
    pub span: Span,
}
