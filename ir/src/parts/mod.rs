//! The level format of NetHack 3.4.3: parts and rooms, each with lists of things, sorted by type.
//!
//! It is to a 3.4.3 level what [`Program`](crate::program::Program) is to a script: the flat form that a game loads.
//! [`lower::parts`](crate::lower::parts) generates it from a [`Level`](crate::level::Level), back ends write it, and
//! the VM runs it. It makes explicit some details that a des-file leaves open:
//!
//! - **Order.** The loader does not follow the order of statements. It creates one type of thing after the other, in
//!   the order of the fields of [`Part`] and of [`Room`], and within a type in the order of the lists.
//! - **Registers.** The lists of registers are shuffled before any thing of their part (or, in a level of rooms, of the
//!   level) is created. A thing that uses register `n` has `-n - 1` in place of its place or class; [`RANDOM`] is one
//!   below the last register.
//! - **Places** count from the upper left corner of the part's map, or of the room.
//! - **Numbers** are those of the game, truncated to the size of their field.
//!
//! Source: NetHack 3.4.3, `include/sp_lev.h` (structures), `util/lev_main.c` (order in the file), `src/sp_lev.c` (order
//! of loading).

use serde::Serialize;

use crate::source::{Charset, Span, Spanned, Text};

mod grid;
mod layout;
mod things;

pub use grid::Grid;
pub use layout::{Layout, Layouts};
pub use things::{ListGiver, ListTaker, Making, Step, StepTaker};

/// Returns the name after a door or an altar, if it is a quoted name and not a number.
pub(crate) fn quoted(written: &str) -> Option<&str> {
    written.strip_prefix('"')?.strip_suffix('"')
}

/// The word of OBJFLAGS for a buried object.
pub const BURIED: &str = "o_buried";

/// The word of OBJFLAGS for a lit object.
pub const LIT: &str = "o_lit";

/// The value of a place or class that is random: one below the last of the ten registers.
pub const RANDOM: i8 = -11;

/// The column of a random place in a random region. The row is the number of the region.
pub const IN_REGION: i8 = -60;

/// The column of a place register in list 0 of several; for other lists, the number of the list is subtracted. The
/// first list has another form, in which row and column are equal.
pub const IN_LIST: i8 = -20;

/// The alignment of a monster that has none written.
pub const NO_ALIGNMENT: i8 = RANDOM - 1;

/// The enchantment of an object if it is random.
pub const RANDOM_ENCHANTMENT: i16 = -127;

/// The byte after the version header in the level file of a level of rooms (`include/sp_lev.h`).
pub const ROOMS: u8 = 1;

/// The byte after the version header in the level file of a level of maps.
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
    /// `long`: a field widened or added by a variant.
    Long,
    /// `union { char *str; int len; }`: a field of the size of a pointer that contains the length of a string. The
    /// strings of a structure follow it.
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

/// A C structure of the level file: the types of its fields, and their values.
pub trait Structure: Sized {
    /// Its name among the `structures` of a catalog.
    const NAME: &'static str;

    /// Names and types of its fields in NetHack 3.4.3, in order.
    const FIELDS: &'static [(&'static str, FieldKind)];

    /// Names of the fields that only some variants have, in order; they come after the others.
    const MORE: &'static [&'static str];

    /// Passes the values of all fields to `take`, in order.
    fn each<'a>(&'a self, take: impl FnMut(Value<'a>));

    /// Reads it from the values of its fields, which `source` returns in order.
    ///
    /// # Errors
    /// Those of `source`.
    fn read<S: FieldSource>(source: &mut S) -> Result<Self, S::Error>;
}

/// A source of field values for a structure.
pub trait FieldSource {
    /// The error type.
    type Error;

    /// Reads a [`FieldKind::Char`].
    ///
    /// # Errors
    /// The reason it cannot be read.
    fn char(&mut self) -> Result<i8, Self::Error>;

    /// Reads a [`FieldKind::Short`].
    ///
    /// # Errors
    /// The reason it cannot be read.
    fn short(&mut self) -> Result<i16, Self::Error>;

    /// Reads a [`FieldKind::Int`].
    ///
    /// # Errors
    /// The reason it cannot be read.
    fn int(&mut self) -> Result<i32, Self::Error>;

    /// Reads the string of a [`FieldKind::TextLength`].
    ///
    /// # Errors
    /// The reason it cannot be read.
    fn text(&mut self) -> Result<Option<Text>, Self::Error>;
}

/// A Rust type that represents a C type.
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

/// Returns true if a field that only variants have is unset.
fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

macro_rules! structures {
    ($($(#[$doc:meta])* $name:ident $called:literal {
        $($(#[$field_doc:meta])* $field:ident: $type:ty,)*
        $(; $($(#[$more_doc:meta])* $more:ident: $more_type:ty,)*)?
    })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Hash, Default, Serialize)]
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
        /// Unused.
        padding: i8,
        /// Terrain of the ground.
        foreground: i8,
        /// Terrain around it.
        background: i8,
        /// Set if caves are smoothed.
        smoothed: i8,
        /// Set if caves are joined.
        joined: i8,
        /// Light; -1 is random.
        light: i8,
        /// Set if caves get walls; -1 is random.
        walled: i8,
        ;
        /// Set if the ice is frozen pools.
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
        /// Its wall; -1 is random.
        wall: i8,
        /// Its place on that wall; -1 is random.
        position: i8,
        /// Set if it is secret; -1 is random.
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
        /// Chance of its creation, in percent.
        chance: i8,
        /// Its number; -1 is random.
        kind: i8,
    }
    /// A monster.
    Monster "monster" {
        /// Its name, if it has one.
        name: Option<Text>,
        /// Disguise of a mimic.
        appear_as: Option<Text>,
        /// Its number; -1 for any of its class.
        number: i16,
        /// Its alignment: [`NO_ALIGNMENT`], [`RANDOM`], a register, or a mask.
        alignment: i8,
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// Chance of its creation, in percent.
        chance: i8,
        /// Symbol of its class.
        class: i8,
        /// Type of thing that `appear_as` names; 0 for none.
        appearance: i8,
        /// Set if it is peaceful; -1 if not specified.
        peaceful: i8,
        /// Set if it sleeps; -1 if not specified.
        asleep: i8,
    }
    /// An object.
    Object "object" {
        /// Its name, if it has one.
        name: Option<Text>,
        /// Number of the monster of a corpse, statue or similar object; -1 for none, -2 for a random one.
        corpse: i32,
        /// Its number; -1 for any of its class.
        number: i16,
        /// Its enchantment or charges; [`RANDOM_ENCHANTMENT`] if random.
        enchantment: i16,
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// Chance of its creation, in percent.
        chance: i8,
        /// Symbol of its class.
        class: i8,
        /// 1 if it is in a container, 2 if it is a container, otherwise 0.
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
        /// Number of its god.
        god: i32,
    }
    /// A drawbridge.
    Drawbridge "drawbridge" {
        /// Column of its span.
        x: i8,
        /// Row of its span.
        y: i8,
        /// Direction from there to its portcullis.
        direction: i8,
        /// Set if it is open.
        open: i8,
    }
    /// A MAZEWALK, which digs a maze.
    Walk "walk" {
        /// Start column.
        x: i8,
        /// Start row.
        y: i8,
        /// Initial direction.
        direction: i8,
    }
    /// A rectangle of walls that cannot be dug or walked through.
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
        /// Set if it leads up.
        up: i8,
    }
    /// Stairs.
    Stair "stair" {
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// Set if they lead up.
        up: i8,
    }
    /// A region of a map that becomes a room, or only sets the light.
    Region "region" {
        /// Left column.
        x1: i8,
        /// Upper row.
        y1: i8,
        /// Right column.
        x2: i8,
        /// Lower row.
        y2: i8,
        /// Room type; -1 is random. One more than the greatest type is added for rooms that are not stocked.
        kind: i8,
        /// Light; -1 is random.
        light: i8,
        /// Set if it is not a rectangle.
        irregular: i8,
    }
    /// An entry to or exit from the level.
    LevelRegion "level_region" {
        /// Left column of the allowed area.
        inside_x1: i8,
        /// Upper row of the allowed area.
        inside_y1: i8,
        /// Right column of the allowed area.
        inside_x2: i8,
        /// Lower row of the allowed area.
        inside_y2: i8,
        /// Left column of the excluded area.
        outside_x1: i8,
        /// Upper row of the excluded area.
        outside_y1: i8,
        /// Right column of the excluded area.
        outside_x2: i8,
        /// Lower row of the excluded area.
        outside_y2: i8,
        /// Set if `inside` counts from the level's corner.
        inside_level: i8,
        /// Set if `outside` counts from the level's corner.
        outside_level: i8,
        /// Its type.
        kind: i8,
        /// Unused.
        padding: i8,
        /// Destination of a portal.
        level: Option<Text>,
    }
    /// Gold.
    Gold "gold" {
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// Amount; -1 is random.
        amount: i32,
    }
    /// An engraving.
    Engraving "engraving" {
        /// Column.
        x: i8,
        /// Row.
        y: i8,
        /// Its text.
        text: Option<Text>,
        /// Its type; -1 is random.
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
        /// Number of the room it starts in; -1 joins all rooms with the game's own algorithm.
        from_room: i8,
        /// Wall of the first room.
        from_wall: i8,
        /// Number of the door in that wall.
        from_door: i8,
        /// Number of the room it leads to; -1 for none.
        to_room: i8,
        /// Wall of the second room.
        to_wall: i8,
        /// Number of the door in that wall.
        to_door: i8,
    }
    /// Properties of a room.
    RoomHeader "room_header" {
        /// Column on the grid of the level, or in the surrounding room; -1 is random.
        x: i8,
        /// Row on the grid of the level, or in the surrounding room; -1 is random.
        y: i8,
        /// Width; -1 is random.
        width: i8,
        /// Height; -1 is random.
        height: i8,
        /// Horizontal placement in its grid cell; -1 is random.
        horizontal: i8,
        /// Vertical placement in its grid cell; -1 is random.
        vertical: i8,
        /// Room type; -1 is random.
        kind: i8,
        /// Chance of that type, in percent; 0 if not specified.
        chance: i8,
        /// Light; -1 is random.
        light: i8,
        /// Set if it is stocked according to its type.
        filled: i8,
    }
}

/// A list of things, each with the span of its statement.
pub type List<T> = Vec<Spanned<T>>;

/// A level as NetHack 3.4.3 loads it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartsLevel {
    /// Its name.
    pub name: Text,
    /// Encoding of its strings.
    pub charset: Charset,
    /// INIT_MAP.
    pub init: Spanned<Init>,
    /// Sum of its flags.
    pub flags: i32,
    /// The texts of MESSAGE, separated by newlines.
    pub message: Text,
    /// The texts of HALLUMSG, which only some games have.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub hallucination: Text,
    /// Its parts or rooms.
    pub body: Body,
}

impl PartsLevel {
    /// Returns the level with every span *nowhere*. Two results are equal if the levels have the same content, whatever
    /// source they come from.
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

/// The content of a level.
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

/// A part of a maze. The fields are in the order in which the loader creates them.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Part {
    /// Horizontal placement, from 1 (left) to 5 (right).
    pub horizontal: i8,
    /// Vertical placement, from 1 (top) to 5 (bottom).
    pub vertical: i8,
    /// Its map; a single square of stone for NOMAP.
    pub map: Grid,
    /// The span of MAP or NOMAP.
    #[serde(skip)]
    pub span: Span,
    /// Entries to and exits from the level.
    pub level_regions: List<LevelRegion>,
    /// Regions for random places of things; only some games have them.
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
    /// MAZEWALKs, which wait until all parts are loaded.
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
    /// Things of one-place statements added by a catalog: a list for each statement, in the catalog's order.
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

/// The place registers of a part: one list, or several in some games.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PlaceRegisters {
    /// Columns and rows of the first list.
    pub first: Vec<(i8, i8)>,
    /// Columns and rows of the other lists: `RANDOM_PLACES[1]` and so on.
    pub others: Vec<Vec<(i8, i8)>>,
}

impl PlaceRegisters {
    /// Returns all lists; empty if there are no registers.
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
    /// The rooms. Rooms without a parent are created in this order, each followed by its subrooms.
    pub rooms: Vec<Room>,
    /// The corridors.
    pub corridors: List<Corridor>,
}

/// A room. The fields are in the order of the level file. The loader creates stairs, sinks, pools, fountains, altars,
/// doors, traps, monsters, objects, gold and engravings, in this order.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Room {
    /// Its name, if it has one.
    pub name: Option<Text>,
    /// Name of the surrounding room, for a subroom.
    pub parent: Option<Text>,
    /// Its properties.
    pub header: RoomHeader,
    /// The span of ROOM or SUBROOM.
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
    /// Things of one-place statements added by a catalog: a list for each statement, in the catalog's order.
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
