//! What lies on the level as a whole: maps, rooms, regions, and the ways in and out.

use serde::{Deserialize, Serialize};

use super::{Expr, OrRandom, Statement, StatementKind};
use crate::source::{Span, Spanned, Text};
use crate::words::*;

/// NOMAP, or GEOMETRY with MAP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// The rows of a MAP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MapRows {
    /// Rows as written, without line ends; digits in them only number the lines.
    pub rows: Vec<Text>,
    /// The place of each row.
    pub row_spans: Vec<Span>,
    /// From MAP to ENDMAP.
    pub span: Span,
}

/// ROOM or SUBROOM.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Its place in the list of rooms of a 3.4.3 level file, from 0; see [`listed_rooms`]. `None` if that is the place
    /// that reading gives it, where each room is followed by the subrooms in it.
    #[serde(default)]
    pub order: Option<u32>,
}

/// Where a room is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RoomPlacement {
    /// ROOM: in the level.
    Level {
        /// Place on the grid of 5 by 5 or (3.4.3) of 3 by 3, or random.
        position: OrRandom<Spanned<(i32, i32)>>,
        /// How it is placed in that cell, or random.
        alignment: OrRandom<(Horizontal, Vertical)>,
    },
    /// SUBROOM: in the room in whose block it stands.
    Room {
        /// Place in that room, or random.
        position: OrRandom<Spanned<(i32, i32)>>,
        /// Where 3.4.3 has the NAME of that room; else nowhere.
        #[serde(default)]
        parent_span: Span,
    },
    /// SUBROOM of 3.4.3 that is in no room: what it gives for the room around it is the NAME of no room, of itself, of
    /// a room that is in it, or of one that is in too many others ([`MAX_SUBROOM_NESTING`]). Level files can hold it.
    ///
    /// [`MAX_SUBROOM_NESTING`]: crate::limits::MAX_SUBROOM_NESTING
    Stray {
        /// Place in that room, or random.
        position: OrRandom<Spanned<(i32, i32)>>,
        /// The NAME that it gives.
        parent: Spanned<Text>,
    },
}

/// A room in the order of a 3.4.3 level file.
#[derive(Clone, Copy, Debug)]
pub struct ListedRoom<'a> {
    /// The room.
    pub room: &'a Room,
    /// Its statement. Where 3.4.3 has a subroom behind other rooms, this does not lie in that of the room around it.
    pub span: Span,
    /// The place in the list of the room around it, for a subroom.
    pub around: Option<usize>,
}

/// The rooms of a level with this body, subrooms among them, in the order in which a 3.4.3 level file lists and its
/// CORRIDORs number them.
///
/// Each is where its [`order`](Room::order) says; those that say nothing, or what cannot be, take the places that are
/// left, in the order of reading. Rooms that IF, LOOP and their like make are not listed: 3.4.3 has no such thing.
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
    // Which room of the reading order is at each place, and the other way round.
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

/// In how many others the room at `room` of a list is, where `around` tells for each of the list which one it is in;
/// `None` if it is in itself, or in too many ([`MAX_SUBROOM_NESTING`]): then it is [`RoomPlacement::Stray`].
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
    /// Where.
    pub area: Expr,
    /// Its light.
    pub light: OrRandom<Light>,
    /// Its room type, or random.
    pub room_type: OrRandom<Spanned<Text>>,
    /// filled, irregular, joined and their opposites, as written.
    pub flags: Option<Vec<Spanned<RoomFlag>>>,
    /// What is in it, if there is a block; an empty one means the same as none.
    pub body: Option<Vec<Statement>>,
}

/// A way into or out of the level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// RANDOM_REGION: nothing by itself, but a place for what says `region[0]` with its number (SLASH'EM 0.0.7,
    /// lev_comp.y).
    Register(Spanned<i32>),
}

/// A rectangle, in the map or (`levregion`) in the level.
///
/// It is not a value like [`ExprKind::Region`](super::ExprKind::Region): its numbers stand in the statement, and no
/// language takes a variable for it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegionSpec {
    /// Whether it counts from the level's corner.
    pub level: bool,
    /// x1, y1, x2, y2.
    pub corners: [i32; 4],
    /// Where it stands.
    pub span: Span,
}
