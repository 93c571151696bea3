//! What NetHack 3.4.3 loads: parts and rooms, each with lists of things, kind after kind.
//!
//! This is to a 3.4.3 level what [`Program`](crate::program::Program) is to a scripted one: the flat form
//! that a game takes. [`lower`] makes it from a [`Level`](crate::level::Level); back ends write it, and the
//! VM runs it. What the des-file leaves unsaid is said here:
//!
//! - **Order.** The loader does not go statement by statement. It makes one kind of thing after the other, in
//!   the order of the fields of [`Part`] and of [`Room`], and within a kind in the order of the lists.
//! - **Registers.** The lists of registers are shuffled before anything of their part (or, in a level of
//!   rooms, of the level) is made. A thing that uses register `n` has `-n - 1` where its place or class would
//!   be; [`RANDOM`] is one below the last register.
//! - **Places** count from the upper left corner of the part's map, or of the room.
//! - **Numbers** are those of the game, cut to the size of the field that holds them.
//!
//! Source: NetHack 3.4.3, `include/sp_lev.h` (structures), `util/lev_main.c` (order in the file),
//! `src/sp_lev.c` (order of loading).

use serde::Serialize;

use crate::source::{Charset, Span, Spanned, Text};

mod check;
mod grid;
mod layout;
mod lower;
mod things;

pub(crate) use check::{Terrain as Squares, check};
pub use grid::Grid;
pub use layout::{Layout, Layouts};
pub use lower::{lower, lower_each, lower_level};
pub use things::{ListGiver, ListTaker, Making, Step, StepTaker};

/// The name in what stands behind a door or an altar, if it is one and not a number: names have their quotes.
pub(crate) fn quoted(written: &str) -> Option<&str> {
    written.strip_prefix('"')?.strip_suffix('"')
}

/// The word of OBJFLAGS for a buried object.
pub const BURIED: &str = "o_buried";

/// The word of OBJFLAGS for an object that is alight.
pub const LIT: &str = "o_lit";

/// Stands where a place or class would be, for a random one: one below the last of the ten registers.
pub const RANDOM: i8 = -11;

/// Stands where the column of a place would be, for a random place in a random region, whose number is that of the row.
pub const IN_REGION: i8 = -60;

/// Stands where the column of a place would be, for a register of the list of places with the number 0, less by that
/// number; the first list has another way, in which the row stands for the column, too.
pub const IN_LIST: i8 = -20;

/// Stands where a monster's alignment would be, if nothing is said about it.
pub const NO_ALIGNMENT: i8 = RANDOM - 1;

/// Stands where an object's enchantment would be, if it is random.
pub const RANDOM_ENCHANTMENT: i16 = -127;

/// Byte behind the version header of the level file of a level of rooms (`include/sp_lev.h`).
pub const ROOMS: u8 = 1;

/// Byte behind the version header of the level file of a level of maps.
pub const MAZE: u8 = 2;

/// The C type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// `char`, `xchar`, `schar`, `boolean`: one byte.
    Char,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `long`: what a variant widens, or adds.
    Long,
    /// `union { char *str; int len; }`: as large as a pointer, it holds the length of a text. The texts of a
    /// structure follow it.
    TextLength,
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A [`FieldKind::Char`].
    Char(i8),
    /// A [`FieldKind::Short`].
    Short(i16),
    /// A [`FieldKind::Int`].
    Int(i32),
    /// A [`FieldKind::TextLength`] and its text.
    Text(Option<&'a str>),
}

/// A C structure of the level file: what its fields are, and their values.
pub trait Structure: Sized {
    /// Its name among the `structures` of a catalog.
    const NAME: &'static str;

    /// Names and types of the fields that it has in NetHack 3.4.3, in order.
    const FIELDS: &'static [(&'static str, FieldKind)];

    /// Names of the fields that it has in some variants, in order; they come behind the others.
    const MORE: &'static [&'static str];

    /// Hands the values of all fields to `take`, in order.
    fn each<'a>(&'a self, take: impl FnMut(Value<'a>));

    /// Makes it from the values of its fields, which `source` gives in order.
    ///
    /// # Errors
    /// Those of `source`.
    fn read<S: FieldSource>(source: &mut S) -> Result<Self, S::Error>;
}

/// Where the values of a structure's fields come from.
pub trait FieldSource {
    /// What can go wrong.
    type Error;

    /// The value of a [`FieldKind::Char`].
    ///
    /// # Errors
    /// Whatever keeps it from being read.
    fn char(&mut self) -> Result<i8, Self::Error>;

    /// The value of a [`FieldKind::Short`].
    ///
    /// # Errors
    /// Whatever keeps it from being read.
    fn short(&mut self) -> Result<i16, Self::Error>;

    /// The value of a [`FieldKind::Int`].
    ///
    /// # Errors
    /// Whatever keeps it from being read.
    fn int(&mut self) -> Result<i32, Self::Error>;

    /// The text whose length a [`FieldKind::TextLength`] holds.
    ///
    /// # Errors
    /// Whatever keeps it from being read.
    fn text(&mut self) -> Result<Option<Text>, Self::Error>;
}

/// A Rust type that stands for a C type.
trait Field: Sized {
    const KIND: FieldKind;
    fn value(&self) -> Value<'_>;
    fn read<S: FieldSource>(source: &mut S) -> Result<Self, S::Error>;
}

impl Field for i8 {
    const KIND: FieldKind = FieldKind::Char;
    fn value(&self) -> Value<'_> {
        Value::Char(*self)
    }
    fn read<S: FieldSource>(source: &mut S) -> Result<Self, S::Error> {
        source.char()
    }
}

impl Field for i16 {
    const KIND: FieldKind = FieldKind::Short;
    fn value(&self) -> Value<'_> {
        Value::Short(*self)
    }
    fn read<S: FieldSource>(source: &mut S) -> Result<Self, S::Error> {
        source.short()
    }
}

impl Field for i32 {
    const KIND: FieldKind = FieldKind::Int;
    fn value(&self) -> Value<'_> {
        Value::Int(*self)
    }
    fn read<S: FieldSource>(source: &mut S) -> Result<Self, S::Error> {
        source.int()
    }
}

impl Field for Option<Text> {
    const KIND: FieldKind = FieldKind::TextLength;
    fn value(&self) -> Value<'_> {
        Value::Text(self.as_deref())
    }
    fn read<S: FieldSource>(source: &mut S) -> Result<Self, S::Error> {
        source.text()
    }
}

/// Whether a field that only variants have holds nothing.
fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

macro_rules! structures {
    ($($(#[$doc:meta])* $name:ident $called:literal {
        $($(#[$field_doc:meta])* $field:ident: $type:ty,)*
        $(; $($(#[$more_doc:meta])* $more:ident: $more_type:ty,)*)?
    })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Default, Serialize)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
            $($(
                $(#[$more_doc])*
                #[serde(skip_serializing_if = "is_zero")]
                pub $more: $more_type,
            )*)?
        }

        impl Structure for $name {
            const NAME: &'static str = $called;

            const FIELDS: &'static [(&'static str, FieldKind)] =
                &[$((stringify!($field), <$type as Field>::KIND),)*];

            const MORE: &'static [&'static str] = &[$($(stringify!($more),)*)?];

            fn each<'a>(&'a self, mut take: impl FnMut(Value<'a>)) {
                $(take(Field::value(&self.$field));)*
                $($(take(Field::value(&self.$more));)*)?
            }

            fn read<S: FieldSource>(source: &mut S) -> Result<Self, S::Error> {
                Ok($name { $($field: Field::read(source)?,)* $($($more: Field::read(source)?,)*)? })
            }
        }
    )*};
}

structures! {
    /// INIT_MAP.
    Init "init" {
        /// 1 if there is an INIT_MAP.
        present: i8,
        /// Nothing.
        padding: i8,
        /// Terrain of the ground.
        foreground: i8,
        /// Terrain around it.
        background: i8,
        /// Whether caves are smoothed.
        smoothed: i8,
        /// Whether caves are joined.
        joined: i8,
        /// Light; -1 is random.
        light: i8,
        /// Whether walls are put around caves; -1 is random.
        walled: i8,
        ;
        /// Whether the ice is that of pools.
        iced: i8,
    }
    /// A door of a map.
    Door "door" {
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// Its state; -1 is random.
        state: i8,
        ;
        /// Number of the artifact that opens it, or of its text.
        artifact: i16,
    }
    /// A door of a room.
    RoomDoor "room_door" {
        /// The wall that it is in; -1 is random.
        wall: i8,
        /// Its place on that wall; -1 is random.
        position: i8,
        /// Whether it is secret; -1 is random.
        secret: i8,
        /// Its state; -1 is random.
        state: i8,
        ;
        /// Number of the artifact that opens it, or of its text.
        artifact: i16,
    }
    /// A trap.
    Trap "trap" {
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// How likely it is made, in percent.
        chance: i8,
        /// Its number; -1 is random.
        kind: i8,
    }
    /// A monster.
    Monster "monster" {
        /// Its name, if it has one.
        name: Option<Text>,
        /// What it looks like, for mimics.
        appear_as: Option<Text>,
        /// Its number; -1 for any of its class.
        number: i16,
        /// Its alignment: [`NO_ALIGNMENT`], [`RANDOM`], a register, or a mask.
        alignment: i8,
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// How likely it is made, in percent.
        chance: i8,
        /// Symbol of its class.
        class: i8,
        /// Kind of thing that `appear_as` names; 0 for none.
        appearance: i8,
        /// Whether it is peaceful; -1 if nothing is said.
        peaceful: i8,
        /// Whether it sleeps; -1 if nothing is said.
        asleep: i8,
    }
    /// An object.
    Object "object" {
        /// Its name, if it has one.
        name: Option<Text>,
        /// Number of the monster that it is of; -1 for none, -2 for a random one.
        corpse: i32,
        /// Its number; -1 for any of its class.
        number: i16,
        /// Its enchantment or charges; [`RANDOM_ENCHANTMENT`] if random.
        enchantment: i16,
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// How likely it is made, in percent.
        chance: i8,
        /// Symbol of its class.
        class: i8,
        /// 1 for what is in a container, 2 for a container, 0 for others.
        containment: i8,
        /// Number of its curse word; -1 is random.
        curse: i8,
        ;
        /// Sum of its OBJFLAGS.
        flags: i32,
    }
    /// An altar.
    Altar "altar" {
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// Its alignment: [`RANDOM`], a register, or a mask.
        alignment: i8,
        /// Its type; -1 is random.
        kind: i8,
        ;
        /// Number of the god whose it is.
        god: i32,
    }
    /// A drawbridge.
    Drawbridge "drawbridge" {
        /// Column of its span.
        x: i8,
        /// Row of its span.
        y: i8,
        /// Where its portcullis is from there.
        direction: i8,
        /// Whether it is open.
        open: i8,
    }
    /// A walk that makes a maze.
    Walk "walk" {
        /// Column where it starts.
        x: i8,
        /// Row where it starts.
        y: i8,
        /// Where it goes first.
        direction: i8,
    }
    /// Squares that are protected: walls that cannot be dug or walked through.
    Protected "protected" {
        /// Left column.
        x1: i8,
        /// Upper row.
        y1: i8,
        /// Right column.
        x2: i8,
        /// Lower row.
        y2: i8,
    }
    /// A ladder.
    Ladder "ladder" {
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// Whether it leads up.
        up: i8,
    }
    /// Stairs.
    Stair "stair" {
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// Whether they lead up.
        up: i8,
    }
    /// A region of a map that becomes a room, or only gets its light.
    Region "region" {
        /// Left column.
        x1: i8,
        /// Upper row.
        y1: i8,
        /// Right column.
        x2: i8,
        /// Lower row.
        y2: i8,
        /// Room type; more by one than the greatest for those that are not stocked; -1 is random.
        kind: i8,
        /// Light; -1 is random.
        light: i8,
        /// Whether it is not a rectangle.
        irregular: i8,
    }
    /// A way into or out of the level.
    LevelRegion "level_region" {
        /// Left column of where it may be.
        inside_x1: i8,
        /// Upper row of where it may be.
        inside_y1: i8,
        /// Right column of where it may be.
        inside_x2: i8,
        /// Lower row of where it may be.
        inside_y2: i8,
        /// Left column of where it may not be.
        outside_x1: i8,
        /// Upper row of where it may not be.
        outside_y1: i8,
        /// Right column of where it may not be.
        outside_x2: i8,
        /// Lower row of where it may not be.
        outside_y2: i8,
        /// Whether `inside` counts from the level's corner.
        inside_level: i8,
        /// Whether `outside` counts from the level's corner.
        outside_level: i8,
        /// Its kind.
        kind: i8,
        /// Nothing.
        padding: i8,
        /// The level that a portal leads to.
        level: Option<Text>,
    }
    /// Gold.
    Gold "gold" {
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// How much; -1 is random.
        amount: i32,
    }
    /// An engraving.
    Engraving "engraving" {
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// What it says.
        text: Option<Text>,
        /// How it is made; -1 is random.
        kind: i8,
    }
    /// A fountain, sink or pool.
    Feature "feature" {
        /// Column.
        x: i8,
        /// Row.
        y: i8,
    }
    /// A corridor.
    Corridor "corridor" {
        /// Number of the room that it starts from; -1 joins all rooms as the game does.
        from_room: i8,
        /// Its wall.
        from_wall: i8,
        /// Number of its door.
        from_door: i8,
        /// Number of the room that it leads to; -1 for none.
        to_room: i8,
        /// Its wall.
        to_wall: i8,
        /// Number of its door.
        to_door: i8,
    }
    /// What a room is like.
    RoomHeader "room_header" {
        /// Place on the grid of the level, or in the room around it; -1 is random.
        x: i8,
        /// The same for the row.
        y: i8,
        /// Width; -1 is random.
        width: i8,
        /// Height; -1 is random.
        height: i8,
        /// Placement in its cell of the grid; -1 is random.
        horizontal: i8,
        /// The same for the vertical.
        vertical: i8,
        /// Room type; -1 is random.
        kind: i8,
        /// How likely it has that type, in percent; 0 if nothing is said.
        chance: i8,
        /// Light; -1 is random.
        light: i8,
        /// Whether it is stocked as its type has it.
        filled: i8,
    }
}

/// A list of things, each with the statement that makes it.
pub type List<T> = Vec<Spanned<T>>;

/// A level as NetHack 3.4.3 loads it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartsLevel {
    /// Its name.
    pub name: Text,
    /// How its texts turn into bytes.
    pub charset: Charset,
    /// INIT_MAP.
    pub init: Spanned<Init>,
    /// Sum of its flags.
    pub flags: i32,
    /// The texts of MESSAGE, with line ends between them.
    pub message: Text,
    /// Those of HALLUMSG, which only some games have.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub hallucination: Text,
    /// What it is made of.
    pub body: Body,
}

impl PartsLevel {
    /// The same level with every span *nowhere*: two that are equal then are made of the same things, whatever text or
    /// bytes they come from.
    pub fn without_spans(&self) -> PartsLevel {
        fn clear<T>(list: &mut List<T>) {
            list.iter_mut().for_each(|thing| thing.span = Span::default());
        }
        macro_rules! clear {
            ($of:expr; $($list:ident)*) => { $(clear(&mut $of.$list);)* };
        }
        let mut level = self.clone();
        level.init.span = Span::default();
        match &mut level.body {
            Body::Maze(maze) => {
                for part in &mut maze.parts {
                    part.span = Span::default();
                    clear!(part; level_regions random_regions regions doors drawbridges walks non_diggable non_passwall ladders stairs);
                    clear!(part; altars fountains traps monsters objects gold engravings);
                    part.places.iter_mut().for_each(clear);
                }
            }
            Body::Rooms(rooms) => {
                clear!(rooms; corridors);
                for room in &mut rooms.rooms {
                    room.span = Span::default();
                    clear!(room; doors stairs altars fountains sinks pools traps monsters objects gold engravings);
                    room.places.iter_mut().for_each(clear);
                }
            }
        }
        level
    }
}

/// What a level is made of.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Maps on a background.
    Maze(Maze),
    /// Rooms and corridors.
    Rooms(Rooms),
}

/// A level of maps.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Maze {
    /// Terrain that fills the level; -1 is a maze.
    pub filling: i8,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// A part of a maze, in the order in which the loader makes it.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Part {
    /// Horizontal placement, from 1 (left) to 5 (right).
    pub horizontal: i8,
    /// Vertical placement, from 1 (top) to 5 (bottom).
    pub vertical: i8,
    /// Its map; one square of stone for NOMAP.
    pub map: Grid,
    /// The MAP, or NOMAP.
    #[serde(skip)]
    pub span: Span,
    /// Ways into and out of the level.
    pub level_regions: List<LevelRegion>,
    /// Regions in which things have random places; only some games have them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub random_regions: List<LevelRegion>,
    /// Object registers: symbols of classes.
    pub object_registers: Vec<i8>,
    /// Place registers: columns and rows.
    pub place_registers: PlaceRegisters,
    /// Monster registers: symbols of classes.
    pub monster_registers: Vec<i8>,
    /// Regions.
    pub regions: List<Region>,
    /// Doors.
    pub doors: List<Door>,
    /// Drawbridges.
    pub drawbridges: List<Drawbridge>,
    /// MAZEWALKs; they are kept until all parts are loaded.
    pub walks: List<Walk>,
    /// NON_DIGGABLE.
    pub non_diggable: List<Protected>,
    /// NON_PASSWALL.
    pub non_passwall: List<Protected>,
    /// Ladders.
    pub ladders: List<Ladder>,
    /// Stairs.
    pub stairs: List<Stair>,
    /// Altars.
    pub altars: List<Altar>,
    /// Fountains.
    pub fountains: List<Feature>,
    /// What statements of one place make that a catalog adds: a list for each of them, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<List<Feature>>,
    /// Traps.
    pub traps: List<Trap>,
    /// Monsters.
    pub monsters: List<Monster>,
    /// Objects.
    pub objects: List<Object>,
    /// Gold.
    pub gold: List<Gold>,
    /// Engravings.
    pub engravings: List<Engraving>,
}

/// The registers of places of a part: a list, or, in some games, several.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PlaceRegisters {
    /// Columns and rows of the first list.
    pub first: Vec<(i8, i8)>,
    /// Those of the others: `RANDOM_PLACES[1]` and so on.
    pub others: Vec<Vec<(i8, i8)>>,
}

impl PlaceRegisters {
    /// All lists; none if the first one is empty.
    pub fn lists(&self) -> Vec<&[(i8, i8)]> {
        let all = std::iter::once(&self.first).chain(&self.others).map(Vec::as_slice);
        if self.first.is_empty() && self.others.is_empty() { Vec::new() } else { all.collect() }
    }
}

impl Serialize for PlaceRegisters {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.others.is_empty() { self.first.serialize(serializer) } else { self.lists().serialize(serializer) }
    }
}

/// A level of rooms.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Rooms {
    /// Object registers: symbols of classes.
    pub object_registers: Vec<i8>,
    /// Monster registers: symbols of classes.
    pub monster_registers: Vec<i8>,
    /// The rooms; those without a parent are made in this order, each followed by its subrooms.
    pub rooms: Vec<Room>,
    /// The corridors.
    pub corridors: List<Corridor>,
}

/// A room, in the order of the level file. The loader makes stairs, sinks, pools, fountains, altars, doors,
/// traps, monsters, objects, gold and engravings, in this order.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Room {
    /// Its name, if it has one.
    pub name: Option<Text>,
    /// Name of the room around it, for a subroom.
    pub parent: Option<Text>,
    /// What it is like.
    pub header: RoomHeader,
    /// The ROOM or SUBROOM.
    #[serde(skip)]
    pub span: Span,
    /// Doors.
    pub doors: List<RoomDoor>,
    /// Stairs.
    pub stairs: List<Stair>,
    /// Altars.
    pub altars: List<Altar>,
    /// Fountains.
    pub fountains: List<Feature>,
    /// Sinks.
    pub sinks: List<Feature>,
    /// Pools.
    pub pools: List<Feature>,
    /// What statements of one place make that a catalog adds: a list for each of them, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<List<Feature>>,
    /// Traps.
    pub traps: List<Trap>,
    /// Monsters.
    pub monsters: List<Monster>,
    /// Objects.
    pub objects: List<Object>,
    /// Gold.
    pub gold: List<Gold>,
    /// Engravings.
    pub engravings: List<Engraving>,
}
