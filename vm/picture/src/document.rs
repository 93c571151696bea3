//! A finished level as data for other programs, written by `splc run --json`.
//!
//! Columns (`x`) go from 1 to 79, rows (`y`) from 0 to 20, as in the game. Each row of the map is a string of 79
//! characters that starts at column 1. Things are listed in the order in which they were made. `container` and
//! `carrier` are 0-based positions in the lists of objects and monsters.

use serde::Serialize;
use splc_ir::catalog::Catalog;
use splc_vm::{Arrival, COLUMNS, Level, Place, ROWS, Room, Terrain, Whereabouts};

use crate::picture::{Picture, class_symbol, object_kind_name, room_kind, species_name, terrain_name, trap_name};

/// A finished level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Document {
    /// Rows of terrain, in the letters of [`Terrain::trace_mark`] (walls by their shape).
    pub terrain: Vec<String>,
    /// Rows of symbols as the game draws them, things on top.
    pub picture: Vec<String>,
    /// Rows of light: `1` lit, `0` unlit.
    pub light: Vec<String>,
    /// Meanings of the letters that occur in `terrain`.
    pub key: Vec<(char, String)>,
    /// Flags of the level that are set.
    pub flags: Vec<&'static str>,
    /// Doors and secret doors, row by row.
    pub doors: Vec<DoorEntry>,
    /// Altars, row by row.
    pub altars: Vec<AltarEntry>,
    /// Rooms, in the order of their numbers.
    pub rooms: Vec<RoomEntry>,
    /// Subrooms of all rooms.
    pub subrooms: Vec<RoomEntry>,
    /// Stairs and ladders that exist.
    pub stairs: Vec<StairsEntry>,
    /// Region where a hero coming from below arrives, if the level sets one.
    pub arrival_from_below: Option<ArrivalEntry>,
    /// Region where a hero coming from above arrives, if the level sets one.
    pub arrival_from_above: Option<ArrivalEntry>,
    /// Regions for the stairs to another dungeon, if the game has a branch here and the level sets them.
    pub branches: Vec<ArrivalEntry>,
    /// Flip applied to the finished level, if any. All coordinates are those after the flip.
    pub mirrored: Option<MirrorEntry>,
    /// Monsters.
    pub monsters: Vec<MonsterEntry>,
    /// Objects.
    pub objects: Vec<ObjectEntry>,
    /// Gold on the floor.
    pub gold: Vec<GoldEntry>,
    /// Traps.
    pub traps: Vec<TrapEntry>,
    /// Engravings.
    pub engravings: Vec<EngravingEntry>,
    /// Messages shown to the player on arrival.
    pub messages: Vec<String>,
}

/// A door.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)] // x and y are column and row, as everywhere
pub struct DoorEntry {
    pub x: i32,
    pub y: i32,
    /// True for a secret door.
    pub secret: bool,
    /// State of the door in plain words, e.g. "locked door".
    pub state: String,
    /// State of the door as the game's bits.
    pub mask: i32,
    /// True if the door is in a horizontal wall.
    pub horizontal: bool,
}

/// An altar.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct AltarEntry {
    pub x: i32,
    pub y: i32,
    /// Description, e.g. "lawful altar".
    pub what: String,
    /// The game's bits.
    pub mask: i32,
}

/// A room.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoomEntry {
    /// First and last column and row inside the walls: x1, y1, x2, y2.
    pub area: [i32; 4],
    /// Room type.
    pub kind: String,
    /// True if the room is lit.
    pub lit: bool,
    /// True if the room is not a rectangle.
    pub irregular: bool,
    /// Number of doors.
    pub doors: i32,
    /// Contents that the game adds when it generates the level, if any.
    pub filling: Option<String>,
}

/// Flip applied to a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MirrorEntry {
    /// Area that was flipped: x1, y1, x2, y2.
    pub area: [i32; 4],
    /// True if left and right were swapped.
    pub left_to_right: bool,
    /// True if top and bottom were swapped.
    pub top_to_bottom: bool,
}

/// Stairs or a ladder.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct StairsEntry {
    pub x: i32,
    pub y: i32,
    /// `up`, `down`, `ladder up`, `ladder down` or `branch`.
    pub what: &'static str,
}

/// Region of arrival: inside one rectangle and outside another (x1, y1, x2, y2).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct ArrivalEntry {
    pub within: [i32; 4],
    pub outside: [i32; 4],
}

/// A monster.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct MonsterEntry {
    pub x: i32,
    pub y: i32,
    /// Requested monster: a species, `any h` for a class, or `any monster`.
    pub what: String,
    /// Number of the requested species, or of the first species of the requested class.
    pub species: Option<u16>,
    /// Name of the individual.
    pub name: Option<String>,
    /// Appearance, if disguised.
    pub appearance: Option<String>,
    /// True if peaceful, false if hostile; absent if the level does not say.
    pub peaceful: Option<bool>,
    /// True if asleep, false if awake; absent if the level does not say.
    pub asleep: Option<bool>,
}

/// An object.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct ObjectEntry {
    pub x: i32,
    pub y: i32,
    /// Requested object: a type, `any (` for a class, or `any object`.
    pub what: String,
    /// Number of the requested object type, if the level names one.
    pub number: Option<u16>,
    /// `floor`, `buried`, `contained`, `carried` or `gone` (its container was removed).
    pub whereabouts: &'static str,
    /// Position of the object that contains it.
    pub container: Option<usize>,
    /// Position of the monster that carries it.
    pub carrier: Option<usize>,
    /// Name of the individual.
    pub name: Option<String>,
    /// Species of the monster that it is, or was, part of.
    pub monster: Option<String>,
    /// Quantity, if the level sets it.
    pub quantity: Option<i32>,
    /// `blessed`, `uncursed` or `cursed`, if the level sets it.
    pub curse: Option<&'static str>,
    /// Enchantment or charges, if the level sets them.
    pub enchantment: Option<i32>,
}

/// Gold on the floor.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct GoldEntry {
    pub x: i32,
    pub y: i32,
    /// Amount; 0 means that the game chooses it.
    pub amount: i64,
}

/// A trap.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct TrapEntry {
    pub x: i32,
    pub y: i32,
    /// Name of the trap type.
    pub what: String,
}

/// An engraving.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct EngravingEntry {
    pub x: i32,
    pub y: i32,
    /// `dust`, `engraved`, `burned`, `marked`, `blood` or `headstone`.
    pub how: &'static str,
    /// Engraved text.
    pub text: String,
}

impl Document {
    /// Converts a level of `catalog`'s game.
    pub fn of(level: &Level, catalog: &Catalog) -> Self {
        let rows = |character: &dyn Fn(i32, i32) -> char| -> Vec<String> {
            (0..ROWS).map(|y| (1..COLUMNS).map(|x| character(x, y)).collect()).collect()
        };
        let mark = |terrain: Terrain| char::from(terrain.trace_mark());
        let squares = || (0..ROWS).flat_map(|y| (1..COLUMNS).map(move |x| (x, y)));
        let occurs = |terrain: Terrain| squares().any(|(x, y)| level.terrain(x, y) == terrain);
        let picture = Picture::of(level, catalog);
        let doors = squares().filter(|&(x, y)| level.terrain(x, y).is_door_or_secret());
        let altars = squares().filter(|&(x, y)| level.terrain(x, y) == Terrain::ALTAR);
        let text = |text| level.text(text).to_owned();
        Document {
            terrain: rows(&|x, y| mark(level.terrain(x, y))),
            picture: picture.rows().map(|row| row.iter().map(|square| square.symbol).collect()).collect(),
            light: rows(&|x, y| if level.is_lit(x, y) { '1' } else { '0' }),
            key: Terrain::ALL
                .iter()
                .filter(|&&it| occurs(it))
                .map(|&it| (mark(it), terrain_name(it, catalog)))
                .collect(),
            flags: flags(level),
            doors: doors
                .map(|(x, y)| {
                    let (terrain, mask) = (level.terrain(x, y), level.flags(x, y));
                    DoorEntry {
                        x,
                        y,
                        secret: terrain == Terrain::SECRET_DOOR,
                        state: crate::picture::door_name(terrain, mask),
                        mask,
                        horizontal: level.is_horizontal(x, y),
                    }
                })
                .collect(),
            altars: altars
                .map(|(x, y)| {
                    let mask = level.flags(x, y);
                    AltarEntry { x, y, what: crate::picture::altar_name(mask), mask }
                })
                .collect(),
            rooms: level.rooms().iter().map(|room| room_entry(room, catalog)).collect(),
            subrooms: level.subrooms().iter().map(|room| room_entry(room, catalog)).collect(),
            stairs: stairs(level),
            arrival_from_below: arrival(level.arrival_from_below()),
            arrival_from_above: arrival(level.arrival_from_above()),
            branches: level.branches().iter().filter_map(arrival).collect(),
            mirrored: level.mirror().map(|mirror| MirrorEntry {
                area: mirror.area,
                left_to_right: mirror.left_to_right,
                top_to_bottom: mirror.top_to_bottom,
            }),
            monsters: level
                .monsters()
                .iter()
                .map(|monster| MonsterEntry {
                    x: monster.x,
                    y: monster.y,
                    what: monster_kind(monster.species, monster.of_class, catalog),
                    species: monster.species,
                    name: monster.name.map(text),
                    appearance: monster.appearance.map(|(_, name)| text(name)),
                    peaceful: truth(monster.peaceful),
                    asleep: truth(monster.asleep),
                })
                .collect(),
            objects: level.objects().iter().map(|object| object_entry(object, level, catalog)).collect(),
            gold: level.gold().iter().map(|gold| GoldEntry { x: gold.x, y: gold.y, amount: gold.amount }).collect(),
            traps: level
                .traps()
                .iter()
                .map(|trap| TrapEntry { x: trap.x, y: trap.y, what: trap_name(trap.kind, catalog) })
                .collect(),
            engravings: level
                .engravings()
                .iter()
                .map(|engraving| EngravingEntry {
                    x: engraving.x,
                    y: engraving.y,
                    how: match engraving.kind {
                        1 => "dust",
                        2 => "engraved",
                        3 => "burned",
                        4 => "marked",
                        5 => "blood",
                        _ => "headstone",
                    },
                    text: text(engraving.text),
                })
                .collect(),
            messages: level.messages().map(str::to_owned).collect(),
        }
    }
}

/// The `what` of a monster: its species, `any h` for a class, or `any monster`.
fn monster_kind(species: Option<u16>, of_class: bool, catalog: &Catalog) -> String {
    match species.and_then(|species| catalog.monsters.get(usize::from(species))) {
        Some(class) if of_class => format!("any {}", class.class),
        Some(_) => species_name(species, of_class, catalog),
        None => "any monster".to_owned(),
    }
}

/// The `what` of an object: its kind, `any (` for a class, or `any object`.
fn object_kind(class: usize, number: Option<u16>, catalog: &Catalog) -> String {
    if number.is_some_and(|number| usize::from(number) < catalog.objects.len()) {
        return object_kind_name(class, number, catalog);
    }
    match class_symbol(class, catalog) {
        Some(symbol) => format!("any {symbol}"),
        None => "any object".to_owned(),
    }
}

/// Decodes a detail that is 1 for yes, 0 for no, and anything else for the game's default.
fn truth(detail: i32) -> Option<bool> {
    match detail {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// Names of the flags that are set.
pub fn flags(level: &Level) -> Vec<&'static str> {
    let flags = level.level_flags();
    let all = [
        ("maze", flags.maze),
        ("noteleport", flags.no_teleport),
        ("hardfloor", flags.hard_floor),
        ("nommap", flags.no_magic_map),
        ("shortsighted", flags.short_sighted),
        ("arboreal", flags.arboreal),
        ("shroud", flags.shroud),
        ("stormy", flags.stormy),
        ("graveyard", flags.graveyard),
        ("corrmaze", flags.corridor_maze),
        ("sky", flags.sky),
        ("cavernous", flags.cavernous),
        ("premapped", flags.premapped),
        ("sokoban", flags.sokoban),
        ("hot", flags.temperature > 0),
        ("cold", flags.temperature < 0),
        ("nomongen", flags.no_random_monsters),
        ("nodeathdrops", flags.no_death_drops),
        ("noautosearch", flags.no_auto_search),
        ("fumaroles", flags.fumaroles),
    ];
    all.into_iter().filter(|&(_, on)| on).map(|(name, _)| name).collect()
}

fn room_entry(room: &Room, catalog: &Catalog) -> RoomEntry {
    RoomEntry {
        area: [room.low_x, room.low_y, room.high_x, room.high_y],
        kind: room_kind(room.kind, catalog),
        lit: room.lit,
        irregular: room.irregular,
        doors: room.doors,
        filling: crate::picture::filling(room, catalog),
    }
}

fn stairs(level: &Level) -> Vec<StairsEntry> {
    let stairs = level.stairs();
    let all: [(&'static str, Place); 5] = [
        ("up", stairs.up),
        ("down", stairs.down),
        ("ladder up", stairs.ladder_up),
        ("ladder down", stairs.ladder_down),
        ("branch", stairs.branch),
    ];
    all.into_iter().filter(|(_, (x, _))| *x != 0).map(|(what, (x, y))| StairsEntry { x, y, what }).collect()
}

fn arrival(arrival: &Arrival) -> Option<ArrivalEntry> {
    (*arrival != Arrival::default()).then_some(ArrivalEntry { within: arrival.within, outside: arrival.outside })
}

fn object_entry(object: &splc_vm::Object, level: &Level, catalog: &Catalog) -> ObjectEntry {
    /// The value for "as usual" (`spe` of a script's object).
    const USUAL: i32 = -127;
    let (whereabouts, container, carrier) = match object.whereabouts {
        Whereabouts::Floor => ("floor", None, None),
        Whereabouts::Buried => ("buried", None, None),
        Whereabouts::Contained(at) => ("contained", Some(at), None),
        Whereabouts::Carried(at) => ("carried", None, Some(at)),
        Whereabouts::Gone => ("gone", None, None),
    };
    let monster = usize::try_from(object.monster).ok().and_then(|monster| catalog.monsters.get(monster));
    ObjectEntry {
        x: object.x,
        y: object.y,
        what: object_kind(object.class, object.number, catalog),
        number: object.number,
        whereabouts,
        container,
        carrier,
        name: object.name.map(|name| level.text(name).to_owned()),
        monster: monster.map(|monster| monster.name.to_string()),
        quantity: (object.quantity >= 0).then_some(object.quantity),
        curse: match object.curse {
            1 => Some("blessed"),
            2 => Some("uncursed"),
            3 => Some("cursed"),
            _ => None,
        },
        enchantment: (object.enchantment != USUAL).then_some(object.enchantment),
    }
}
