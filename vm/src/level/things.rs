//! What a level is made of besides its squares: rooms, monsters, objects, traps, texts, and what the loader keeps for those
//! who compare levels.

use crate::limits::MAX_SUBROOMS;

/// A text that a [`Level`](super::Level) keeps; see [`Level::text`](super::Level::text).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelText {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A place: column and row.
pub type Place = (i32, i32);

/// A room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// First column within the walls.
    pub low_x: i32,
    /// First row within the walls.
    pub low_y: i32,
    /// Last column within the walls; -1 ends the list of rooms.
    pub high_x: i32,
    /// Last row within the walls.
    pub high_y: i32,
    /// Number of its type, as the game's catalog has it.
    pub kind: i32,
    /// Whether it is lit.
    pub lit: bool,
    /// How it is filled: 0 not at all, 1 as its type asks, 2 it was filled already.
    pub fill: u8,
    /// Whether corridors may join it.
    pub joined: bool,
    /// How many doors it has.
    pub doors: i32,
    /// The first of its doors in the list of doors.
    pub first_door: i32,
    /// Whether it is no rectangle.
    pub irregular: bool,
    /// Whether the game fills it as its type asks: a shop with wares, a zoo with animals.
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

    /// Columns within the walls.
    pub fn width(&self) -> i32 {
        self.high_x - self.low_x + 1
    }

    /// Rows within the walls.
    pub fn height(&self) -> i32 {
        self.high_y - self.low_y + 1
    }

    /// Whether a random place in it is any of its squares.
    pub(crate) fn is_box(&self) -> bool {
        !self.irregular && self.subroom_count == 0
    }

    /// Whether the place is in the room or its walls.
    pub fn has(&self, x: i32, y: i32) -> bool {
        x >= self.low_x - 1 && x <= self.high_x + 1 && y >= self.low_y - 1 && y <= self.high_y + 1
    }
}

/// A monster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Monster {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Number of its species; `None`: the game chooses.
    pub species: Option<u16>,
    /// Whether only its class was given; `species` is then the first of the class.
    pub of_class: bool,
    /// Its name.
    pub name: Option<LevelText>,
    /// What it looks like: kind (1 feature, 2 object, 3 monster) and name.
    pub appearance: Option<(i32, LevelText)>,
    /// Peaceful (1) or hostile (0); -1: as usual.
    pub peaceful: i32,
    /// Asleep (1) or awake (0); -1: as usual.
    pub asleep: i32,
    /// Whether it is known to be female.
    #[doc(hidden)]
    pub female: bool,
    /// Whether it waits for the hero.
    #[doc(hidden)]
    pub waiting: bool,
    /// What it looks like in numbers: kind (1 feature, 2 object, 3 monster) and number.
    #[doc(hidden)]
    pub shape: (i32, i32),
}

/// Where an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// On the floor.
    Floor,
    /// Below the floor.
    Buried,
    /// In the object of this index.
    Contained(usize),
    /// In the inventory of the monster of this index.
    Carried(usize),
    /// Nowhere: its container was removed.
    Gone,
}

/// An object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Object {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Number of its class; 0: any.
    pub class: usize,
    /// Its number; `None`: the game chooses.
    pub number: Option<u16>,
    /// Where it is.
    pub whereabouts: Whereabouts,
    /// Its name.
    pub name: Option<LevelText>,
    /// Number of the monster that it is, or was, part of; -1: none.
    pub monster: i32,
    /// How many; -1: as usual.
    pub quantity: i32,
    /// Blessed (1), uncursed (2) or cursed (3); -1: as usual.
    pub curse: i32,
    /// Enchantment or charges; -127: as usual.
    pub enchantment: i32,
}

/// Gold on the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gold {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// How much; 0: as much as the game likes.
    pub amount: i64,
}

/// A trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Its number, as the game's catalog has it.
    pub kind: i32,
    /// The tone of a squeaky board.
    #[doc(hidden)]
    pub note: i32,
    /// Name of the level that a portal leads to.
    #[doc(hidden)]
    pub target: Option<LevelText>,
    /// How many levels down a hole leads; 0 where that is not known.
    #[doc(hidden)]
    pub down: i32,
    /// Whether the hero knows it from the start.
    #[doc(hidden)]
    pub seen: bool,
    /// Where a teleport trap leads.
    #[doc(hidden)]
    pub fixed: Option<Place>,
}

/// Stairs or a ladder, where there may be several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Stairway {
    pub x: i32,
    pub y: i32,
    pub up: bool,
    pub ladder: bool,
}

/// A part of the level in which nobody arrives, or no monster comes of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Zone {
    /// As the game numbers level regions; 7: monsters.
    pub kind: i32,
    pub area: [i32; 4],
}

/// A cloud of gas.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Cloud {
    pub damage: i32,
    /// How many turns it stays; -1: for ever.
    pub turns: i32,
    pub squares: Vec<Place>,
}

/// Something that a level says of a monster or object, and that changes nothing in where it goes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    /// Position of the monster or object.
    pub of: usize,
    /// Which detail.
    pub kind: DetailKind,
}

/// The kinds of [`Detail`].
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetailKind {
    /// A part that the game's catalog gives a number to, and a number.
    Number(i64, i64),
    /// The same with a text.
    Text(i64, LevelText),
    /// A monster's alignment, as a mask.
    Alignment(i32),
    /// A monster has what the level gives it, and nothing else.
    Inventory,
    /// An object is a container, and holds what the level puts into it, and nothing else.
    Container,
    /// An object burns.
    Lit,
}

/// A grave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Grave {
    pub x: i32,
    pub y: i32,
    /// What stands on it: `None`, nothing; or a text of this level; or something random.
    pub epitaph: Option<Epitaph>,
}

/// What stands on a [`Grave`].
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Epitaph {
    Random,
    Text(LevelText),
}

/// Which monsters come later (MON_GENERATION): how often the list is used, and of each entry its weight, whether it is
/// a class, and the number of the species or symbol of the class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct Generation {
    pub chance: Option<i64>,
    pub entries: Vec<[i64; 3]>,
}

/// What is heard now and then (SOUNDS): one in how many turns, and of each sound its kind and what it says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct Sounds {
    pub frequency: Option<i64>,
    pub entries: Vec<(i64, LevelText)>,
}

/// An engraving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engraving {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// How it is engraved: dust 1, engraved 2, burned 3, marked 4, blood 5, headstone 6.
    pub kind: i32,
    /// What it says.
    pub text: LevelText,
}

/// Where somebody arrives who comes from another level: within one rectangle, outside of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Columns and rows of the first rectangle: x1, y1, x2, y2.
    pub within: [i32; 4],
    /// The same of the second.
    pub outside: [i32; 4],
}

/// What holds for a level as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // each is the flag it is named for
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
    /// A part of a level that a game puts into others.
    pub random_vault: bool,
    pub sokoban: bool,
    /// 1 hot, -1 cold.
    pub temperature: i8,
    pub no_random_monsters: bool,
    pub no_death_drops: bool,
    pub no_auto_search: bool,
    pub fumaroles: bool,
    /// Whether a priest was asked for.
    pub temple: bool,
}

/// How a finished level was flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// The part of the level that was flipped: first column and row, last column and row.
    pub area: [i32; 4],
    /// Whether left and right changed places.
    pub left_to_right: bool,
    /// Whether top and bottom changed places.
    pub top_to_bottom: bool,
}

impl Mirror {
    /// Where that place went; asked of where it went, where it was.
    pub fn place(&self, (x, y): Place) -> Place {
        let [min_x, min_y, max_x, max_y] = self.area;
        let flip_x = self.left_to_right && (min_x..=max_x).contains(&x);
        let flip_y = self.top_to_bottom && (min_y..=max_y).contains(&y);
        (if flip_x { max_x - x + min_x } else { x }, if flip_y { max_y - y + min_y } else { y })
    }
}

/// Stairs and ladders; column 0 means that there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
