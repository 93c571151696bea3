//! Contents of a level other than its squares: rooms, monsters, objects, traps, texts, and data of the loader for
//! comparing levels.

use crate::limits::MAX_SUBROOMS;
use crate::terrain::Terrain;

/// A text stored in a [`Level`](super::Level); see [`Level::text`](super::Level::text).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LevelText {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A place: column and row.
pub type Place = (i32, i32);

/// A room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Room {
    /// First column within the walls.
    pub low_x: i32,
    /// First row within the walls.
    pub low_y: i32,
    /// Last column within the walls; -1 ends the list of rooms.
    pub high_x: i32,
    /// Last row within the walls.
    pub high_y: i32,
    /// Number of the room type in the game's catalog.
    pub kind: i32,
    /// True if the room is lit.
    pub lit: bool,
    /// Filling: 0 none, 1 by its type, 2 already filled.
    pub fill: u8,
    /// True if corridors may join it.
    pub joined: bool,
    /// Number of doors.
    pub doors: i32,
    /// Index of its first door in the list of doors.
    pub first_door: i32,
    /// True if the room is not a rectangle.
    pub irregular: bool,
    /// True if the game fills it by its type, for example a shop with wares or a zoo with animals.
    #[doc(hidden)]
    pub stocked: bool,
    #[doc(hidden)]
    pub subroom_count: u8,
    #[doc(hidden)]
    pub subrooms: [u8; MAX_SUBROOMS],
}

impl Room {
    pub(super) const NONE: Room = Room {
        low_x: 0,
        low_y: 0,
        high_x: -1,
        high_y: 0,
        kind: 0,
        lit: false,
        fill: 0,
        joined: false,
        doors: 0,
        first_door: 0,
        irregular: false,
        stocked: false,
        subroom_count: 0,
        subrooms: [0; MAX_SUBROOMS],
    };

    /// Number of columns within the walls.
    pub fn width(&self) -> i32 {
        self.high_x - self.low_x + 1
    }

    /// Number of rows within the walls.
    pub fn height(&self) -> i32 {
        self.high_y - self.low_y + 1
    }

    /// Returns true if a random place in the room can be any of its squares.
    pub(crate) fn is_box(&self) -> bool {
        !self.irregular && self.subroom_count == 0
    }

    /// Returns true if the place is in the room or its walls.
    pub fn has(&self, x: i32, y: i32) -> bool {
        x >= self.low_x - 1 && x <= self.high_x + 1 && y >= self.low_y - 1 && y <= self.high_y + 1
    }
}

/// A monster.
#[derive(Clone, Copy, Debug, PartialEq, Hash)]
pub struct Monster {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Number of its species; `None` if the game chooses.
    pub species: Option<u16>,
    /// True if only the class was given; `species` is then the first of the class.
    pub of_class: bool,
    /// Name of the individual.
    pub name: Option<LevelText>,
    /// Appearance: type (1 feature, 2 object, 3 monster) and name.
    pub appearance: Option<(i32, LevelText)>,
    /// Peaceful (1), hostile (0), or the game's default (-1).
    pub peaceful: i32,
    /// Asleep (1), awake (0), or the game's default (-1).
    pub asleep: i32,
    /// True if known to be female.
    #[doc(hidden)]
    pub female: bool,
    /// True if the monster waits for the hero.
    #[doc(hidden)]
    pub waiting: bool,
    /// Appearance in numbers: type (1 feature, 2 object, 3 monster) and number.
    #[doc(hidden)]
    pub shape: (i32, i32),
}

/// Location of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whereabouts {
    /// On the floor.
    Floor,
    /// Below the floor.
    Buried,
    /// In the object at this index.
    Contained(usize),
    /// In the inventory of the monster at this index.
    Carried(usize),
    /// Nowhere: its container was removed.
    Gone,
}

/// An object.
#[derive(Clone, Copy, Debug, PartialEq, Hash)]
pub struct Object {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Number of its class; 0 for any.
    pub class: usize,
    /// Number of its type; `None` if the game chooses.
    pub number: Option<u16>,
    /// Location.
    pub whereabouts: Whereabouts,
    /// Name of the individual.
    pub name: Option<LevelText>,
    /// Number of the monster that it is, or was, part of; -1 for none.
    pub monster: i32,
    /// The game's choice of that monster.
    #[doc(hidden)]
    pub drawn: Drawn,
    /// Quantity; -1 for the game's default.
    pub quantity: i32,
    /// Blessed (1), uncursed (2), cursed (3), or the game's default (-1).
    pub curse: i32,
    /// Enchantment or charges; -127 for the game's default.
    pub enchantment: i32,
}

/// The choice of the monster that an object is made of.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Drawn {
    /// None: the level names the species.
    #[default]
    Given,
    /// Within the class of the species (`mkclass`).
    OfClass,
    /// Among all species (`rndmonst`).
    Any,
}

/// Gold on the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gold {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Amount; 0 means that the game chooses it.
    pub amount: i64,
}

/// A trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trap {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Number of the trap type in the game's catalog.
    pub kind: i32,
    /// Tone of a squeaky board.
    #[doc(hidden)]
    pub note: i32,
    /// Name of the level that a portal leads to.
    #[doc(hidden)]
    pub target: Option<LevelText>,
    /// Number of levels down that a hole leads; 0 if unknown.
    #[doc(hidden)]
    pub down: i32,
    /// True if the hero knows the trap from the start.
    #[doc(hidden)]
    pub seen: bool,
    /// Destination of a teleport trap.
    #[doc(hidden)]
    pub fixed: Option<Place>,
    /// Place from which a boulder rolls.
    #[doc(hidden)]
    pub launch: Option<Place>,
}

/// Stairs or a ladder, of which there may be several.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stairway {
    pub x: i32,
    pub y: i32,
    pub up: bool,
    pub ladder: bool,
}

/// The two lists of a file of themed rooms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `themerooms`: rooms with their shape.
    Room,
    /// `themeroom_fills`: contents for rooms of any shape.
    Fill,
}

impl Kind {
    /// The word for an entry.
    pub fn noun(self) -> &'static str {
        match self {
            Kind::Room => "room",
            Kind::Fill => "fill",
        }
    }
}

/// A themed room or fill that the level maker chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThemeChoice {
    /// The list of the entry.
    pub kind: Kind,
    /// The number of the entry in its list, from 0.
    pub number: usize,
    /// False for a room that found no place.
    pub made: bool,
}

/// A part of the level in which no hero arrives, or no monster is generated.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Zone {
    /// Number of the level region type in the game; 7 for monsters.
    pub kind: i32,
    pub area: [i32; 4],
}

/// A cloud of gas.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cloud {
    pub damage: i32,
    /// Duration in turns; -1 for ever.
    pub turns: i32,
    pub squares: Vec<Place>,
}

/// A property that a level sets on a monster or object and that does not affect its place.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Detail {
    /// Position of the monster or object.
    pub of: usize,
    /// The property.
    pub kind: DetailKind,
}

/// Types of [`Detail`].
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DetailKind {
    /// A part, by its number in the game's catalog, with a number.
    Number(i64, i64),
    /// A part, by its number in the game's catalog, with a text.
    Text(i64, LevelText),
    /// A monster's alignment, as a mask.
    Alignment(i32),
    /// The monster has only the inventory that the level gives it.
    Inventory,
    /// The object is a container with only the contents that the level gives it.
    Container,
    /// The object is lit.
    Lit,
    /// A part by its name, with a number.
    Named(&'static str, i64),
    /// A property in words.
    Words(&'static str),
    /// The object is the prize of the level.
    Prize,
    /// A call of the game for this object: its wish, its timers.
    Call(LevelText),
}

/// A grave.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grave {
    pub x: i32,
    pub y: i32,
    /// Epitaph: none, a text of this level, or a random one.
    pub epitaph: Option<Epitaph>,
}

/// Epitaph of a [`Grave`].
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Epitaph {
    Random,
    Text(LevelText),
}

/// Monsters generated later (MON_GENERATION): the percentage for which the list is used. Each entry has its weight, a
/// mark for a class, and the number of the species or the symbol of the class.
#[doc(hidden)]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Generation {
    pub chance: Option<i64>,
    pub entries: Vec<[i64; 3]>,
}

/// Sounds heard now and then (SOUNDS): one in this many turns. Each sound has its type and its text.
#[doc(hidden)]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sounds {
    pub frequency: Option<i64>,
    pub entries: Vec<(i64, LevelText)>,
}

/// An engraving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Engraving {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Type of engraving: dust 1, engraved 2, burned 3, marked 4, blood 5, headstone 6.
    pub kind: i32,
    /// Engraved text.
    pub text: LevelText,
    /// True if it wears off.
    #[doc(hidden)]
    pub degrades: bool,
    /// True if it protects the objects on it.
    #[doc(hidden)]
    pub guards: bool,
}

/// A priest beside an altar: the altar's place, and its rank.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Priest {
    pub x: i32,
    pub y: i32,
    /// True for the high priest.
    pub high: bool,
}

/// Squares that take ore or kelp: one bit for each square, for diggable stone, pools, and moats.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ground([[u64; GROUND_WORDS]; 3]);

const GROUND_WORDS: usize = super::SQUARES.div_ceil(64);

impl Default for Ground {
    fn default() -> Self {
        Ground([[0; GROUND_WORDS]; 3])
    }
}

impl Ground {
    pub(super) fn add(&mut self, kind: usize, at: usize) {
        self.0[kind][at / 64] |= 1 << (at % 64);
    }

    /// Kind of the square at an index: 0 stone, 1 pool, 2 moat.
    pub fn kind(&self, at: usize) -> Option<usize> {
        (0..3).find(|&kind| self.0[kind].get(at / 64).is_some_and(|word| word & 1 << (at % 64) != 0))
    }

    /// Moves the squares.
    pub(crate) fn moved(&self, to: impl Fn(Place) -> Place) -> Self {
        let mut moved = Ground::default();
        for x in 0..super::COLUMNS {
            for y in 0..super::ROWS {
                let (new_x, new_y) = to((x, y));
                if let Some(kind) = self.kind(super::index(x, y)).filter(|_| super::is_ok(new_x, new_y)) {
                    moved.add(kind, super::index(new_x, new_y));
                }
            }
        }
        moved
    }
}

/// Region of arrival from other levels: inside one rectangle, outside another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Arrival {
    /// The first rectangle: x1, y1, x2, y2.
    pub within: [i32; 4],
    /// The second rectangle: x1, y1, x2, y2.
    pub outside: [i32; 4],
}

/// Flags of a level as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each field is the flag of its name
pub struct LevelFlags {
    pub maze: bool,
    pub no_teleport: bool,
    pub hard_floor: bool,
    pub no_magic_map: bool,
    pub short_sighted: bool,
    pub arboreal: bool,
    pub shroud: bool,
    pub stormy: bool,
    pub graveyard: bool,
    pub corridor_maze: bool,
    pub sky: bool,
    pub cavernous: bool,
    pub premapped: bool,
    /// A part of a level that the game inserts into other levels.
    pub random_vault: bool,
    pub sokoban: bool,
    /// 1 for hot, -1 for cold.
    pub temperature: i8,
    pub no_random_monsters: bool,
    pub no_death_drops: bool,
    pub no_auto_search: bool,
    pub fumaroles: bool,
    /// A priest was requested.
    pub temple: bool,
}

/// Flip applied to a finished level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mirror {
    /// Area that was flipped: first column and row, last column and row.
    pub area: [i32; 4],
    /// True if left and right were swapped.
    pub left_to_right: bool,
    /// True if top and bottom were swapped.
    pub top_to_bottom: bool,
}

impl Mirror {
    /// Maps a place to its place after the flip. The flip is its own inverse.
    pub fn place(&self, (x, y): Place) -> Place {
        let [min_x, min_y, max_x, max_y] = self.area;
        let flip_x = self.left_to_right && (min_x..=max_x).contains(&x);
        let flip_y = self.top_to_bottom && (min_y..=max_y).contains(&y);
        (if flip_x { max_x - x + min_x } else { x }, if flip_y { max_y - y + min_y } else { y })
    }

    /// Maps the terrain of a square to its shape after the flip.
    pub fn terrain(&self, terrain: Terrain) -> Terrain {
        terrain.flipped(self.left_to_right, self.top_to_bottom)
    }
}

/// Stairs and ladders; column 0 means that they do not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stairs {
    /// Stairs up.
    pub up: Place,
    /// Stairs down.
    pub down: Place,
    /// Ladder up.
    pub ladder_up: Place,
    /// Ladder down.
    pub ladder_down: Place,
    /// Stairs to another dungeon.
    pub branch: Place,
}
