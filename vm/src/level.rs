//! A level, built by the loader.
//!
//! Squares are stored column by column, as in the games' `level` structure, so that a row number past the end of one
//! column reaches into the next column, as in the games. Places outside the level read as stone and cannot be written.

mod things;

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::digest::Digest;
use crate::drawing::Drawing;
use crate::limits::{MAX_DOORS, MAX_LEVEL_TEXT_BYTES, MAX_ROOMS};
use crate::marks::{BOULDER, EDGE, HORIZONTAL, LIKE_TREE, LIT, TOUCHED, swap_marks};
use crate::terrain::Terrain;
pub use things::{
    Arrival, Engraving, Gold, LevelFlags, LevelText, Mirror, Monster, Object, Place, Room, Stairs, ThemeChoice, Trap,
    Whereabouts,
};
#[doc(hidden)]
pub use things::{Cloud, Generation, Grave, Ground, Priest, Sounds, Stairway, Zone};
pub use things::{Detail, DetailKind, Drawn, Epitaph, Kind};

/// Columns of a level (`COLNO`); column 0 is not part of the map.
pub const COLUMNS: i32 = 80;
/// Rows of a level (`ROWNO`).
pub const ROWS: i32 = 21;
/// Number of squares in a level.
pub const SQUARES: usize = (COLUMNS * ROWS) as usize;
/// Room number on the squares of the first room (`ROOMOFFSET`).
pub const FIRST_ROOM_NUMBER: i32 = 3;
/// Room number on squares shared by several rooms (`SHARED`).
pub(crate) const SHARED: u8 = 1;
/// Index of the first subroom in the list of rooms: the games keep both in one array.
pub const SUBROOMS: usize = MAX_ROOMS + 1;
const ROOM_SLOTS: usize = SUBROOMS * 2;

/// States of a door, in the square's flags.
#[doc(hidden)]
pub mod door {
    pub const NO_DOOR: i32 = 0;
    pub const BROKEN: i32 = 1;
    pub const OPEN: i32 = 2;
    pub const CLOSED: i32 = 4;
    pub const LOCKED: i32 = 8;
    pub const TRAPPED: i32 = 16;
    /// Occurs only in scripts, never on a square.
    pub const SECRET: i32 = 32;
}

/// Protections of a wall, in the square's flags.
#[doc(hidden)]
pub mod wall {
    pub const NON_DIGGABLE: i32 = 8;
    pub const NON_PASSABLE: i32 = 16;
}

/// Parts of a drawbridge, in the square's flags.
#[doc(hidden)]
pub mod bridge {
    pub const NORTH: i32 = 0;
    pub const SOUTH: i32 = 1;
    pub const EAST: i32 = 2;
    pub const WEST: i32 = 3;
    pub const DIRECTION: i32 = 3;
    pub const MOAT_BELOW: i32 = 0;
    pub const LAVA_BELOW: i32 = 4;
    pub const FLOOR_BELOW: i32 = 16;
    pub const BELOW: i32 = 28;
}

/// Marks of features, in the square's flags.
#[doc(hidden)]
pub mod feature {
    pub const LOOTED: i32 = 1;
    pub const WARNED: i32 = 2;
    pub const SWARM: i32 = 2;
    pub const PUDDING: i32 = 1;
    pub const DISHWASHER: i32 = 2;
    pub const RING: i32 = 4;
}

/// The bits of a square's flags that the games keep.
const FLAGS: i32 = 0x1f;

/// A level.
#[derive(Clone, Debug)]
pub struct Level {
    terrain: [Terrain; SQUARES],
    flags: [u8; SQUARES],
    marks: [u8; SQUARES],
    random_light: bool,
    room_at: [u8; SQUARES],
    monster_at: [u16; SQUARES],
    trap_at: [u16; SQUARES],
    #[doc(hidden)]
    pub rooms: [Room; ROOM_SLOTS],
    #[doc(hidden)]
    pub room_count: usize,
    #[doc(hidden)]
    pub subroom_count: usize,
    #[doc(hidden)]
    pub doors: [Place; MAX_DOORS + 1],
    #[doc(hidden)]
    pub door_count: usize,
    #[doc(hidden)]
    pub stairs: Stairs,
    #[doc(hidden)]
    pub stairs_up_room: Option<usize>,
    #[doc(hidden)]
    pub stairs_down_room: Option<usize>,
    #[doc(hidden)]
    pub level_flags: LevelFlags,
    #[doc(hidden)]
    pub arrival_from_below: Arrival,
    #[doc(hidden)]
    pub arrival_from_above: Arrival,
    #[doc(hidden)]
    pub branches: Vec<Arrival>,
    #[doc(hidden)]
    pub mirror: Option<Mirror>,
    #[doc(hidden)]
    pub monsters: Vec<Monster>,
    #[doc(hidden)]
    pub objects: Vec<Object>,
    #[doc(hidden)]
    pub gold: Vec<Gold>,
    /// Number of objects that existed when each gold was placed.
    #[doc(hidden)]
    pub gold_after: Vec<usize>,
    #[doc(hidden)]
    pub stairways: Vec<Stairway>,
    #[doc(hidden)]
    pub zones: Vec<Zone>,
    #[doc(hidden)]
    pub clouds: Vec<Cloud>,
    #[doc(hidden)]
    pub traps: Vec<Trap>,
    #[doc(hidden)]
    pub engravings: Vec<Engraving>,
    #[doc(hidden)]
    pub messages: Vec<LevelText>,
    // Data that the games keep elsewhere. It is needed to compare levels.
    #[doc(hidden)]
    pub monster_details: Vec<Detail>,
    #[doc(hidden)]
    pub object_details: Vec<Detail>,
    #[doc(hidden)]
    pub graves: Vec<Grave>,
    #[doc(hidden)]
    pub branch: Option<Place>,
    #[doc(hidden)]
    pub generation: Generation,
    #[doc(hidden)]
    pub sounds: Sounds,
    #[doc(hidden)]
    pub ore: Vec<[i64; 4]>,
    /// Ground at the time of each MINERALIZE, at the position in [`Level::ore`] from which it counts.
    #[doc(hidden)]
    pub grounds: Vec<(usize, Ground)>,
    #[doc(hidden)]
    pub priests: Vec<Priest>,
    /// The themed rooms and fills that the level maker chose, in order.
    #[doc(hidden)]
    pub themes: Vec<ThemeChoice>,
    /// Materials of doors, or flags that their squares have no bits for, in games that have them.
    #[doc(hidden)]
    pub materials: BTreeMap<Place, i64>,
    /// Calls of functions that act on the running game, not on the level.
    #[doc(hidden)]
    pub calls: Vec<LevelText>,
    /// Flags that only the game itself has.
    #[doc(hidden)]
    pub own_flags: Vec<LevelText>,
    texts: String,
    /// True after a text that exceeded the limit, and is not stored.
    #[doc(hidden)]
    pub texts_overflow: bool,
}

impl Default for Level {
    fn default() -> Self {
        Level {
            terrain: [Terrain::STONE; SQUARES],
            flags: [0; SQUARES],
            marks: [0; SQUARES],
            random_light: false,
            room_at: [0; SQUARES],
            monster_at: [0; SQUARES],
            trap_at: [0; SQUARES],
            rooms: [Room::NONE; ROOM_SLOTS],
            room_count: 0,
            subroom_count: 0,
            doors: [(0, 0); MAX_DOORS + 1],
            door_count: 0,
            stairs: Stairs::default(),
            stairs_up_room: None,
            stairs_down_room: None,
            level_flags: LevelFlags::default(),
            arrival_from_below: Arrival::default(),
            arrival_from_above: Arrival::default(),
            branches: Vec::new(),
            mirror: None,
            monsters: Vec::new(),
            objects: Vec::new(),
            gold: Vec::new(),
            gold_after: Vec::new(),
            stairways: Vec::new(),
            zones: Vec::new(),
            clouds: Vec::new(),
            traps: Vec::new(),
            engravings: Vec::new(),
            messages: Vec::new(),
            monster_details: Vec::new(),
            object_details: Vec::new(),
            graves: Vec::new(),
            branch: None,
            generation: Generation::default(),
            sounds: Sounds::default(),
            ore: Vec::new(),
            grounds: Vec::new(),
            priests: Vec::new(),
            themes: Vec::new(),
            materials: BTreeMap::new(),
            calls: Vec::new(),
            own_flags: Vec::new(),
            texts: String::new(),
            texts_overflow: false,
        }
    }
}

/// Position of a place in the arrays, possibly past their end if the place is outside the level.
#[inline]
pub fn index(x: i32, y: i32) -> usize {
    (x * ROWS + y) as usize
}

/// Returns true if the place is on the map (`isok`).
#[inline]
pub fn is_ok(x: i32, y: i32) -> bool {
    (1..COLUMNS).contains(&x) && (0..ROWS).contains(&y)
}

impl Level {
    /// Creates an empty level, all stone.
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties the level but keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.terrain.fill(Terrain::STONE);
        self.flags.fill(0);
        self.marks.fill(0);
        self.random_light = false;
        self.room_at.fill(0);
        self.monster_at.fill(0);
        self.trap_at.fill(0);
        // Only slots in use, and the end of each list, can differ from empty slots.
        self.rooms[..=self.room_count.min(ROOM_SLOTS - 1)].fill(Room::NONE);
        let last = (SUBROOMS + self.subroom_count).min(ROOM_SLOTS - 1);
        self.rooms[SUBROOMS..=last].fill(Room::NONE);
        self.doors[..=self.door_count.min(MAX_DOORS)].fill((0, 0));
        self.room_count = 0;
        self.subroom_count = 0;
        self.door_count = 0;
        self.stairs = Stairs::default();
        self.stairs_up_room = None;
        self.stairs_down_room = None;
        self.level_flags = LevelFlags::default();
        self.arrival_from_below = Arrival::default();
        self.arrival_from_above = Arrival::default();
        self.branches.clear();
        self.mirror = None;
        self.monsters.clear();
        self.objects.clear();
        self.gold.clear();
        self.gold_after.clear();
        self.stairways.clear();
        self.zones.clear();
        self.clouds.clear();
        self.traps.clear();
        self.engravings.clear();
        self.messages.clear();
        self.monster_details.clear();
        self.object_details.clear();
        self.graves.clear();
        self.branch = None;
        self.generation.chance = None;
        self.generation.entries.clear();
        self.sounds.frequency = None;
        self.sounds.entries.clear();
        self.ore.clear();
        self.grounds.clear();
        self.priests.clear();
        self.themes.clear();
        self.materials.clear();
        self.calls.clear();
        self.own_flags.clear();
        self.texts.clear();
        self.texts_overflow = false;
    }

    // Queries.

    /// Terrain of the square; stone outside the level.
    #[inline]
    pub fn terrain(&self, x: i32, y: i32) -> Terrain {
        self.terrain.get(index(x, y)).copied().unwrap_or_default()
    }

    /// Returns true if the square is lit.
    #[inline]
    pub fn is_lit(&self, x: i32, y: i32) -> bool {
        self.mark(x, y, LIT)
    }

    /// Returns true if the door, wall or bars in the square run horizontally (`horizontal`).
    #[inline]
    pub fn is_horizontal(&self, x: i32, y: i32) -> bool {
        self.mark(x, y, HORIZONTAL)
    }

    /// Returns true if the secret door in the square looks like a tree.
    #[doc(hidden)]
    pub fn is_like_tree(&self, x: i32, y: i32) -> bool {
        self.mark(x, y, LIKE_TREE)
    }

    /// Returns true if the square bounds a room.
    #[inline]
    pub fn is_edge(&self, x: i32, y: i32) -> bool {
        self.mark(x, y, EDGE)
    }

    /// Further data about the terrain: state of a door, mask of an altar, bits of walls and bridges (`rm.flags`).
    #[inline]
    pub fn flags(&self, x: i32, y: i32) -> i32 {
        self.flags.get(index(x, y)).copied().unwrap_or_default().into()
    }

    /// Room number of the square: 0 for none, 1 for shared, 3 and above for rooms.
    #[inline]
    pub fn room_number(&self, x: i32, y: i32) -> i32 {
        self.room_at.get(index(x, y)).copied().unwrap_or_default().into()
    }

    /// The themed rooms and fills that the level maker chose, in order. Fills follow the room that they are in.
    pub fn themes(&self) -> &[ThemeChoice] {
        &self.themes
    }

    /// Rooms, without subrooms.
    pub fn rooms(&self) -> &[Room] {
        &self.rooms[..self.room_count.min(ROOM_SLOTS)]
    }

    /// Subrooms of all rooms.
    pub fn subrooms(&self) -> &[Room] {
        &self.rooms[SUBROOMS..(SUBROOMS + self.subroom_count).min(ROOM_SLOTS)]
    }

    /// Stairs and ladders.
    pub fn stairs(&self) -> &Stairs {
        &self.stairs
    }

    /// Flags of the level as a whole.
    pub fn level_flags(&self) -> &LevelFlags {
        &self.level_flags
    }

    /// Region where a hero coming up from below arrives.
    pub fn arrival_from_below(&self) -> &Arrival {
        &self.arrival_from_below
    }

    /// Region where a hero coming down from above arrives.
    pub fn arrival_from_above(&self) -> &Arrival {
        &self.arrival_from_above
    }

    /// Regions for the stairs to another dungeon, if the game has a branch here.
    pub fn branches(&self) -> &[Arrival] {
        &self.branches
    }

    /// Flip applied to the level, if any.
    pub fn mirror(&self) -> Option<&Mirror> {
        self.mirror.as_ref()
    }

    /// Monsters, in the order in which they were made.
    pub fn monsters(&self) -> &[Monster] {
        &self.monsters
    }

    /// Objects, in the order in which they were made.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// Gold on the floor.
    pub fn gold(&self) -> &[Gold] {
        &self.gold
    }

    /// Traps, oldest first.
    pub fn traps(&self) -> &[Trap] {
        &self.traps
    }

    /// Engravings, oldest first.
    pub fn engravings(&self) -> &[Engraving] {
        &self.engravings
    }

    /// Messages shown to the player on arrival.
    pub fn messages(&self) -> impl Iterator<Item = &str> {
        self.messages.iter().map(|&text| self.text(text))
    }

    /// A text of this level.
    pub fn text(&self, text: LevelText) -> &str {
        self.texts.get(text.start as usize..text.end as usize).unwrap_or_default()
    }

    /// Index in [`Level::monsters`] of the monster at that place.
    #[inline]
    pub fn monster_at(&self, x: i32, y: i32) -> Option<usize> {
        let number = self.monster_at.get(index(x, y)).copied().unwrap_or_default();
        usize::from(number).checked_sub(1)
    }

    /// Index in [`Level::traps`] of the trap at that place.
    #[inline]
    pub fn trap_at(&self, x: i32, y: i32) -> Option<usize> {
        let number = self.trap_at.get(index(x, y)).copied().unwrap_or_default();
        usize::from(number).checked_sub(1)
    }

    // Changes by the loader.

    #[inline]
    fn mark(&self, x: i32, y: i32, mark: u8) -> bool {
        self.marks.get(index(x, y)).is_some_and(|marks| marks & mark != 0)
    }

    #[inline]
    fn set_mark(&mut self, x: i32, y: i32, mark: u8, on: bool) {
        if let Some(marks) = self.marks.get_mut(index(x, y)) {
            *marks = if on { *marks | mark } else { *marks & !mark };
        }
    }

    #[inline]
    #[doc(hidden)]
    pub fn set_terrain(&mut self, x: i32, y: i32, terrain: Terrain) {
        if let Some(square) = self.terrain.get_mut(index(x, y)) {
            *square = terrain;
        }
    }

    /// Returns true if the game drew the light of a solid level, and no region of the level says what it is.
    pub fn has_random_light(&self) -> bool {
        self.random_light
    }

    pub(crate) fn set_random_light(&mut self, is_random: bool) {
        self.random_light = is_random;
    }

    #[inline]
    pub(crate) fn set_lit(&mut self, x: i32, y: i32, lit: bool) {
        self.set_mark(x, y, LIT, lit);
    }

    #[inline]
    #[doc(hidden)]
    pub fn set_horizontal(&mut self, x: i32, y: i32, horizontal: bool) {
        self.set_mark(x, y, HORIZONTAL, horizontal);
    }

    #[inline]
    pub(crate) fn set_edge(&mut self, x: i32, y: i32, edge: bool) {
        self.set_mark(x, y, EDGE, edge);
    }

    /// Returns true if the level itself placed something there (`SpLev_Map`).
    #[inline]
    pub(crate) fn is_touched(&self, x: i32, y: i32) -> bool {
        self.mark(x, y, TOUCHED)
    }

    #[inline]
    pub(crate) fn touch(&mut self, x: i32, y: i32) {
        self.set_mark(x, y, TOUCHED, true);
    }

    #[inline]
    pub(crate) fn has_boulder(&self, x: i32, y: i32) -> bool {
        self.mark(x, y, BOULDER)
    }

    pub(crate) fn set_like_tree(&mut self, x: i32, y: i32) {
        self.set_mark(x, y, LIKE_TREE, true);
    }

    #[inline]
    pub(crate) fn set_boulder(&mut self, x: i32, y: i32, on: bool) {
        self.set_mark(x, y, BOULDER, on);
    }

    #[inline]
    #[doc(hidden)]
    pub fn set_flags(&mut self, x: i32, y: i32, flags: i32) {
        if let Some(square) = self.flags.get_mut(index(x, y)) {
            *square = (flags & FLAGS) as u8;
        }
    }

    /// Sets the room number, of which the games keep six bits.
    #[inline]
    pub(crate) fn set_room_number(&mut self, x: i32, y: i32, number: i32) {
        if let Some(square) = self.room_at.get_mut(index(x, y)) {
            *square = (number & 0x3f) as u8;
        }
    }

    /// Terrain of all squares, column by column.
    #[inline]
    pub fn all_terrain(&self) -> &[Terrain; SQUARES] {
        &self.terrain
    }

    #[inline]
    pub(crate) fn all_terrain_mut(&mut self) -> &mut [Terrain; SQUARES] {
        &mut self.terrain
    }

    /// Flags of all squares, column by column.
    pub fn all_flags(&self) -> &[u8; SQUARES] {
        &self.flags
    }

    /// Unlights all squares of the map.
    pub(crate) fn darken(&mut self) {
        for marks in &mut self.marks[ROWS as usize..] {
            *marks &= !LIT;
        }
    }

    // Whole columns. The squares of a column are adjacent in the arrays, so a column costs little more than a single
    // square. Parts outside the level are cut off.

    /// Array range of the rows `y1` to `y2` of a column; empty if the column is outside the level.
    #[inline]
    fn column(x: i32, y1: i32, y2: i32) -> Range<usize> {
        let (y1, y2) = (y1.max(0), y2.min(ROWS - 1));
        if !(0..COLUMNS).contains(&x) || y1 > y2 {
            return 0..0;
        }
        index(x, y1)..index(x, y2) + 1
    }

    #[inline]
    pub(crate) fn terrain_of_column(&self, x: i32) -> &[Terrain] {
        &self.terrain[Self::column(x, 0, ROWS - 1)]
    }

    /// Mutable terrain of the rows `y1` to `y2` of a column.
    #[inline]
    pub(crate) fn terrain_of_column_mut(&mut self, x: i32, y1: i32, y2: i32) -> &mut [Terrain] {
        &mut self.terrain[Self::column(x, y1, y2)]
    }

    /// Lights or unlights the squares in rows `y1` to `y2` of a column whose terrain satisfies `is`.
    #[inline]
    pub(crate) fn light_column(&mut self, x: i32, y1: i32, y2: i32, lit: bool, is: impl Fn(Terrain) -> bool) {
        let range = Self::column(x, y1, y2);
        let light = if lit { LIT } else { 0 };
        for (marks, &terrain) in self.marks[range.clone()].iter_mut().zip(&self.terrain[range]) {
            let changed = (*marks & !LIT) | light;
            *marks = if is(terrain) { changed } else { *marks };
        }
    }

    /// Adds bits to the flags of the squares in rows `y1` to `y2` of a column whose terrain satisfies `is`.
    #[inline]
    pub(crate) fn add_flags_to_column(&mut self, x: i32, y1: i32, y2: i32, bits: i32, is: impl Fn(Terrain) -> bool) {
        let range = Self::column(x, y1, y2);
        let bits = (bits & FLAGS) as u8;
        for (flags, &terrain) in self.flags[range.clone()].iter_mut().zip(&self.terrain[range]) {
            *flags |= if is(terrain) { bits } else { 0 };
        }
    }

    /// Adds bits to the flags of all squares that the level itself has not touched and whose terrain satisfies `is`.
    pub(crate) fn add_flags_to_untouched(&mut self, bits: i32, is: impl Fn(Terrain) -> bool) {
        let bits = (bits & FLAGS) as u8;
        for ((flags, &terrain), marks) in self.flags.iter_mut().zip(&self.terrain).zip(&self.marks) {
            *flags |= if is(terrain) & (marks & TOUCHED == 0) { bits } else { 0 };
        }
    }

    /// Lays a drawn map over the level with its upper left corner at a place. Doors run horizontally if the map has a
    /// wall to their left (`load_maze`, `spo_map`).
    pub(crate) fn lay(&mut self, (left, y): Place, drawing: &Drawing, laying: Laying) {
        // Squares that are already touched stay touched.
        let (kept, set) = match laying {
            Laying::Touching => (BOULDER, !0),
            Laying::Untouching => (BOULDER | TOUCHED, !TOUCHED),
        };
        for (x, column) in (left..).zip(drawing.columns()) {
            let last = y.saturating_add(column.terrain.len() as i32 - 1);
            let range = Self::column(x, y, last.min(ROWS - 1));
            let Some(terrain) = column.terrain.get(..range.len()) else { continue };
            let marks = &column.marks[..range.len()];
            if column.gaps || !self.objects.is_empty() || laying == Laying::Untouching {
                let squares = range.clone().zip(terrain.iter().zip(marks)).filter(|(_, (_, marks))| **marks != 0);
                for (at, (&terrain, &marks)) in squares {
                    self.terrain[at] = terrain;
                    self.marks[at] = (self.marks[at] & kept) | (marks & set);
                    self.flags[at] = 0;
                    self.room_at[at] = 0;
                }
            } else {
                self.terrain[range.clone()].copy_from_slice(terrain);
                self.marks[range.clone()].copy_from_slice(marks);
                self.flags[range.clone()].fill(0);
                self.room_at[range.clone()].fill(0);
            }
            if column.doors {
                self.hang_doors(range, marks, x != left);
            }
        }
    }

    /// Sets the closed state and orientation of the doors that a map laid.
    fn hang_doors(&mut self, range: Range<usize>, laid: &[u8], within: bool) {
        for (at, _) in range.zip(laid).filter(|(_, marks)| **marks != 0) {
            if !self.terrain[at].is_door_or_secret() {
                continue;
            }
            if self.terrain[at] == Terrain::SECRET_DOOR {
                self.flags[at] = door::CLOSED as u8;
            }
            let left = at.checked_sub(ROWS as usize).filter(|_| within);
            if left.is_some_and(|left| self.terrain[left].is_wall() || self.marks[left] & HORIZONTAL != 0) {
                self.marks[at] |= HORIZONTAL;
            }
        }
    }

    /// Clears everything about a square except its terrain, its light, its boulder and its touched mark.
    pub(crate) fn clear_square(&mut self, x: i32, y: i32) {
        let at = index(x, y);
        if at < SQUARES {
            self.flags[at] = 0;
            self.room_at[at] = 0;
            self.marks[at] &= LIT | TOUCHED | BOULDER;
        }
    }

    /// Clears the room numbers of all squares of the map.
    pub(crate) fn forget_room_numbers(&mut self) {
        self.room_at[ROWS as usize..].fill(0);
    }

    /// Removes all rooms.
    pub(crate) fn forget_rooms(&mut self) {
        self.forget_room_numbers();
        self.rooms[..=self.room_count.min(ROOM_SLOTS - 1)].fill(Room::NONE);
        let last = (SUBROOMS + self.subroom_count).min(ROOM_SLOTS - 1);
        self.rooms[SUBROOMS..=last].fill(Room::NONE);
        self.room_count = 0;
        self.subroom_count = 0;
    }

    /// Swaps the rows `y1` to `y2` of two columns with all their terrain, but not the things on it. The touched marks
    /// stay.
    pub(crate) fn swap_columns(&mut self, left: i32, right: i32, y1: i32, y2: i32) {
        let (one, other) = (Self::column(left.min(right), y1, y2), Self::column(left.max(right), y1, y2));
        if left == right || one.len() != other.len() {
            return;
        }
        fn swap<T>(squares: &mut [T], one: &Range<usize>, other: &Range<usize>) {
            let (head, tail) = squares.split_at_mut(other.start);
            head[one.clone()].swap_with_slice(&mut tail[..other.len()]);
        }
        swap(&mut self.terrain, &one, &other);
        swap(&mut self.flags, &one, &other);
        swap(&mut self.room_at, &one, &other);
        let (head, tail) = self.marks.split_at_mut(other.start);
        for (one, other) in head[one].iter_mut().zip(&mut tail[..other.len()]) {
            swap_marks(one, other);
        }
    }

    /// Reverses the rows `y1` to `y2` of a column with all their terrain, but not the things on it. The touched marks
    /// stay.
    pub(crate) fn reverse_column(&mut self, x: i32, y1: i32, y2: i32) {
        let range = Self::column(x, y1, y2);
        self.terrain[range.clone()].reverse();
        self.flags[range.clone()].reverse();
        self.room_at[range.clone()].reverse();
        let marks = &mut self.marks[range];
        let (head, tail) = marks.split_at_mut(marks.len() / 2);
        for (one, other) in head.iter_mut().zip(tail.iter_mut().rev()) {
            swap_marks(one, other);
        }
    }

    /// Stores a text. The loader checks `texts_overflow` before the next statement and at the end.
    pub(crate) fn keep_text(&mut self, text: &str) -> LevelText {
        let start = self.texts.len() as u32;
        if self.texts.len() + text.len() > MAX_LEVEL_TEXT_BYTES {
            self.texts_overflow = true;
        } else {
            self.texts.push_str(text);
        }
        LevelText { start, end: self.texts.len() as u32 }
    }

    /// Notes a flag that only the game itself has, once.
    pub(crate) fn note_flag(&mut self, word: &str) {
        if !self.own_flags.iter().any(|&known| self.text(known) == word) {
            let text = self.keep_text(word);
            self.own_flags.push(text);
        }
    }

    /// Records a MINERALIZE, and the ground on which it works.
    pub(crate) fn mineralize(&mut self, frequencies: [i64; 4]) {
        let ground = self.ground();
        if self.grounds.last().is_none_or(|(_, last)| *last != ground) {
            self.grounds.push((self.ore.len(), ground));
        }
        self.ore.push(frequencies);
    }

    /// The squares that take ore or kelp. Column 0 is not looked at (`mineralize`).
    #[doc(hidden)]
    pub fn ground(&self) -> Ground {
        let mut ground = Ground::default();
        for (at, (&terrain, &flags)) in self.terrain.iter().zip(&self.flags).enumerate().skip(ROWS as usize) {
            let kind = match terrain {
                Terrain::STONE if i32::from(flags) & wall::NON_DIGGABLE == 0 => 0,
                Terrain::POOL => 1,
                Terrain::MOAT => 2,
                _ => continue,
            };
            ground.add(kind, at);
        }
        ground
    }

    pub(crate) fn set_monster_at(&mut self, x: i32, y: i32, monster: Option<usize>) {
        if let Some(square) = self.monster_at.get_mut(index(x, y)) {
            *square = monster.map_or(0, |monster| (monster + 1) as u16);
        }
    }

    pub(crate) fn add_trap(&mut self, trap: Trap) {
        self.traps.push(trap);
        if let Some(square) = self.trap_at.get_mut(index(trap.x, trap.y)) {
            *square = self.traps.len() as u16;
        }
    }

    pub(crate) fn remove_trap(&mut self, trap: usize) {
        if trap < self.traps.len() {
            self.traps.remove(trap);
            self.index_traps();
        }
    }

    /// Rebuilds the map of monsters after their places have changed.
    pub fn index_monsters(&mut self) {
        self.monster_at.fill(0);
        for at in 0..self.monsters.len() {
            let Monster { x, y, .. } = self.monsters[at];
            self.set_monster_at(x, y, Some(at));
        }
    }

    /// Rebuilds the map of traps after their places have changed.
    pub fn index_traps(&mut self) {
        self.trap_at.fill(0);
        for (at, trap) in self.traps.iter().enumerate() {
            if let Some(square) = self.trap_at.get_mut(index(trap.x, trap.y)) {
                *square = (at + 1) as u16;
            }
        }
    }
}

impl Level {
    /// Hashes everything on the level and the data that the loader keeps with it.
    pub(crate) fn digest(&self, digest: &mut Digest) {
        // No `..`: a new field must be considered here.
        let Level {
            terrain,
            flags,
            marks,
            // No statement reads it.
            random_light: _,
            room_at,
            monster_at,
            trap_at,
            rooms,
            room_count,
            subroom_count,
            doors,
            door_count,
            stairs,
            stairs_up_room,
            stairs_down_room,
            level_flags,
            arrival_from_below,
            arrival_from_above,
            branches,
            mirror,
            monsters,
            objects,
            gold,
            gold_after,
            stairways,
            zones,
            clouds,
            traps,
            engravings,
            messages,
            monster_details,
            object_details,
            graves,
            branch,
            generation,
            sounds,
            ore,
            grounds,
            priests,
            themes,
            materials,
            calls,
            own_flags,
            texts,
            texts_overflow,
        } = self;
        digest.write(&terrain.map(Terrain::number));
        ([flags, marks, room_at], [monster_at, trap_at]).hash(digest);
        // Most slots are empty. Their count ends the list.
        let filled = rooms.iter().enumerate().filter(|(_, room)| **room != Room::NONE);
        filled.for_each(|slot| slot.hash(digest));
        ROOM_SLOTS.hash(digest);
        (room_count, subroom_count, &doors[..=*door_count], door_count).hash(digest);
        (stairs, stairs_up_room, stairs_down_room, level_flags).hash(digest);
        (arrival_from_below, arrival_from_above, branches, mirror, branch).hash(digest);
        (monsters, objects, gold, traps, engravings, messages).hash(digest);
        (monster_details, object_details, graves, generation, sounds, ore).hash(digest);
        (gold_after, stairways, zones, clouds, texts, texts_overflow).hash(digest);
        (grounds, priests, themes, materials, calls, own_flags).hash(digest);
    }
}

/// Tells whether a map marks its squares as touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Laying {
    Touching,
    Untouching,
}
