//! The parts of a game's catalog that the loader looks up before it starts.

use splc_ir::catalog::{
    Catalog, Feature, Habit, Habits, LoaderRules, NEVER_RANDOM, Name, Shared, Table, name_and_class,
};
use splc_ir::words::{Alignment, Group};

use crate::level::door;
use crate::schar::schar;
use crate::terrain::Terrain;

/// Purpose of a level region.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegionKind {
    DownStairs,
    UpStairs,
    Portal,
    Branch,
    Teleport,
    TeleportFromBelow,
    TeleportFromAbove,
}

impl RegionKind {
    /// Number of the purpose, the same in all games (`LR_DOWNSTAIR` and similar).
    pub fn number(self) -> i32 {
        match self {
            RegionKind::DownStairs => 0,
            RegionKind::UpStairs => 1,
            RegionKind::Portal => 2,
            RegionKind::Branch => 3,
            RegionKind::Teleport => 4,
            RegionKind::TeleportFromBelow => 5,
            RegionKind::TeleportFromAbove => 6,
        }
    }
}

/// Styles of level initialisation.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitStyle {
    None,
    SolidFill,
    MazeGrid,
    Mines,
    Sheol,
    Rogue,
}

/// Numbers of the traps that the loader refers to by name; 0 if the game lacks the trap.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Traps {
    pub falling_rock: i32,
    pub board: i32,
    pub land_mine: i32,
    pub rolling_boulder: i32,
    pub sleep_gas: i32,
    pub rust: i32,
    pub fire: i32,
    pub cold: i32,
    pub pit: i32,
    pub spiked_pit: i32,
    pub hole: i32,
    pub trap_door: i32,
    pub teleport: i32,
    pub level_teleport: i32,
    pub magic: i32,
    pub magic_portal: i32,
    pub web: i32,
    pub statue: i32,
    pub polymorph: i32,
    /// 0 if the game has no such trap.
    pub magic_beam: i32,
    pub vibrating_square: i32,
    /// One past the last trap.
    pub count: i32,
}

impl Traps {
    pub fn is_pit(&self, kind: i32) -> bool {
        kind == self.pit || kind == self.spiked_pit
    }

    pub fn is_hole(&self, kind: i32) -> bool {
        kind == self.hole || kind == self.trap_door
    }
}

/// Numbers of the room types that the loader refers to by name; -100 if the game lacks the type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Rooms {
    pub vault: i32,
    pub temple: i32,
    /// The first shop type.
    pub shop: i32,
    /// The last room type.
    pub last: i32,
}

/// Bits of the FLAGS keywords.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct FlagBits {
    pub no_teleport: i64,
    pub hard_floor: i64,
    pub no_magic_map: i64,
    pub short_sighted: i64,
    pub arboreal: i64,
    pub no_flip_x: i64,
    pub no_flip_y: i64,
    pub maze: i64,
    pub premapped: i64,
    pub shroud: i64,
    pub stormy: i64,
    pub graveyard: i64,
    pub iced_pools: i64,
    pub solidify: i64,
    pub corridor_maze: i64,
    pub inaccessibles: i64,
    pub sky: i64,
    pub random_vault: i64,
}

/// Flags whose meaning the loader knows. UnNetHack's loader ignores `sheol`.
const KNOWN_FLAGS: &[&str] = &[
    "noteleport",
    "hardfloor",
    "nommap",
    "shortsighted",
    "arboreal",
    "noflipx",
    "noflipy",
    "noflip",
    "mazelevel",
    "premapped",
    "shroud",
    "stormy",
    "graveyard",
    "icedpools",
    "solidify",
    "corrmaze",
    "inaccessibles",
    "sky",
    "rndvault",
    "sheol",
];

/// Details that a script can set on a monster.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MonsterPart {
    Peaceful,
    Alignment,
    Asleep,
    Appearance,
    Name,
    /// Details that do not affect its place.
    Other,
}

/// Details that a script can set on an object.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectPart {
    Enchantment,
    Curse,
    Monster,
    Name,
    Quantity,
    Buried,
    Lit,
    Place,
    /// Details that do not affect its place.
    Other,
}

/// A function of the game that a script can call.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreFunction {
    DiscordianHoliday,
    PirateDay,
    AprilFoolsDay,
    PiDay,
    TowelDay,
    Midnight,
    Night,
    Friday13,
    MoonPhase,
    Date,
    Difficulty,
    Depth,
    ObjectAt,
    MonsterAt,
    HeroName,
    HeroRole,
    HeroRace,
    HeroCarries,
    ToText,
    ToNumber,
    ToPlace,
    ToRegion,
    Random,
    RoomWidth,
    RoomHeight,
    RoomX,
    RoomY,
    PlaceX,
    PlaceY,
    Length,
}

impl CoreFunction {
    /// Returns true if the result depends on the clock.
    pub fn is_of_clock(self) -> bool {
        matches!(
            self,
            CoreFunction::DiscordianHoliday
                | CoreFunction::PirateDay
                | CoreFunction::AprilFoolsDay
                | CoreFunction::PiDay
                | CoreFunction::TowelDay
                | CoreFunction::Midnight
                | CoreFunction::Night
                | CoreFunction::Friday13
                | CoreFunction::MoonPhase
                | CoreFunction::Date
        )
    }

    /// Functions by their script names.
    const NAMES: &'static [(&'static str, CoreFunction)] = &[
        ("time.discordian_holiday", CoreFunction::DiscordianHoliday),
        ("time.pirateday", CoreFunction::PirateDay),
        ("time.aprilfoolsday", CoreFunction::AprilFoolsDay),
        ("time.piday", CoreFunction::PiDay),
        ("time.towelday", CoreFunction::TowelDay),
        ("time.midnight", CoreFunction::Midnight),
        ("time.night", CoreFunction::Night),
        ("time.friday_13th", CoreFunction::Friday13),
        ("time.phase_of_the_moon", CoreFunction::MoonPhase),
        ("time.yyyymmdd", CoreFunction::Date),
        ("level.difficulty", CoreFunction::Difficulty),
        ("level.depth", CoreFunction::Depth),
        ("level.obj_at", CoreFunction::ObjectAt),
        ("level.mon_at", CoreFunction::MonsterAt),
        ("hero.name", CoreFunction::HeroName),
        ("hero.role", CoreFunction::HeroRole),
        ("hero.race", CoreFunction::HeroRace),
        ("hero.carrying", CoreFunction::HeroCarries),
        ("string", CoreFunction::ToText),
        ("integer", CoreFunction::ToNumber),
        ("coord", CoreFunction::ToPlace),
        ("region", CoreFunction::ToRegion),
        ("rnd", CoreFunction::Random),
        ("room.width", CoreFunction::RoomWidth),
        ("room.height", CoreFunction::RoomHeight),
        ("room.x", CoreFunction::RoomX),
        ("room.y", CoreFunction::RoomY),
    ];

    /// Methods of variables by their script names.
    const METHODS: &'static [(&'static str, CoreFunction)] =
        &[("x", CoreFunction::PlaceX), ("y", CoreFunction::PlaceY), ("length", CoreFunction::Length)];
}

/// A game as the loader needs it.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Game {
    pub catalog: Shared,
    pub rules: LoaderRules,
    pub traps: Traps,
    pub rooms: Rooms,
    pub flag_bits: FlagBits,
    /// Flags that only this game has, whose meaning the loader does not know.
    pub own_flags: Vec<(Box<str>, i64)>,
    pub regions: [(i64, RegionKind); 7],
    pub init_styles: [(i64, InitStyle); 6],
    pub boulder: i32,
    pub giant_spider: Option<u16>,
    pub giant_eel: Option<u16>,
    pub minotaur: Option<u16>,
    pub floating_eye: Option<u16>,
    /// The only unique monster that the game makes again.
    pub high_cleric: Option<u16>,
    pub long_worm: Option<u16>,
    /// Number of the scroll of scare monster.
    pub scare_monster: i32,
    /// Numbers of the gold and gem classes.
    pub gold_class: usize,
    pub gem_class: usize,
    pub rock_class: usize,
    /// Number of the saddle.
    pub saddle: i32,
    /// Numbers of the hero's alignment, and of a different one.
    pub coaligned: i32,
    pub noncoaligned: i32,
    pub escape_items: [i32; 8],
    pub escape_item_count: usize,
    /// One past the last part number.
    pub monster_parts_end: i64,
    pub object_parts_end: i64,
    monster_parts: [MonsterPart; 32],
    object_parts: [ObjectPart; 32],
    core_functions: [Option<CoreFunction>; 64],
    terrains: [Option<Terrain>; 128],
    /// Floors of the game's own where random things are put (`is_ok_location`); `None` if all of them are.
    dry: Option<Vec<Terrain>>,
    /// Terrain where heroes and stairs are put (`bad_location`).
    landing: Vec<Terrain>,
    map_squares: [Option<Terrain>; 256],
    /// States of doors that have other numbers here than on a square.
    door_states: Vec<(i32, i32)>,
    door_flags: (i32, i32),
    stocked: [bool; 64],
    first_of_class: [Option<u16>; 128],
    monster_classes: [bool; 128],
    object_classes: [Option<u8>; 128],
}

impl Traps {
    fn of(catalog: &Catalog) -> Self {
        let trap = |name: &str| catalog.trap(name).unwrap_or(0);
        Traps {
            falling_rock: trap("falling rock"),
            board: trap("board"),
            land_mine: trap("land mine"),
            rolling_boulder: trap("rolling boulder"),
            sleep_gas: trap("sleep gas"),
            rust: trap("rust"),
            fire: trap("fire"),
            cold: trap("cold"),
            pit: trap("pit"),
            spiked_pit: trap("spiked pit"),
            hole: trap("hole"),
            trap_door: trap("trap door"),
            teleport: trap("teleport"),
            level_teleport: trap("level teleport"),
            magic: trap("magic"),
            magic_portal: trap("magic portal"),
            web: trap("web"),
            statue: trap("statue"),
            polymorph: trap("polymorph"),
            magic_beam: trap("magic beam"),
            vibrating_square: catalog.loader.vibrating_square,
            count: catalog.loader.trap_types,
        }
    }
}

impl Rooms {
    fn of(catalog: &Catalog) -> Self {
        let room = |name: &str| catalog.room(name).unwrap_or(NO_ROOM);
        Rooms { vault: room("vault"), temple: room("temple"), shop: room("shop"), last: catalog.limits.room_types }
    }
}

impl FlagBits {
    fn of(catalog: &Catalog) -> Self {
        let flag = |name: &str| catalog.word(Group::Flag, name).unwrap_or(0);
        FlagBits {
            no_teleport: flag("noteleport"),
            hard_floor: flag("hardfloor"),
            no_magic_map: flag("nommap"),
            short_sighted: flag("shortsighted"),
            arboreal: flag("arboreal"),
            no_flip_x: flag("noflipx"),
            no_flip_y: flag("noflipy"),
            maze: flag("mazelevel"),
            premapped: flag("premapped"),
            shroud: flag("shroud"),
            stormy: flag("stormy"),
            graveyard: flag("graveyard"),
            iced_pools: flag("icedpools"),
            solidify: flag("solidify"),
            corridor_maze: flag("corrmaze"),
            inaccessibles: flag("inaccessibles"),
            sky: flag("sky"),
            random_vault: flag("rndvault"),
        }
    }
}

impl MonsterPart {
    fn called(name: &str) -> Option<Self> {
        Some(match name {
            "peaceful" => MonsterPart::Peaceful,
            "align" => MonsterPart::Alignment,
            "asleep" => MonsterPart::Asleep,
            "appear" => MonsterPart::Appearance,
            "name" => MonsterPart::Name,
            _ => return None,
        })
    }
}

impl ObjectPart {
    fn called(name: &str) -> Option<Self> {
        Some(match name {
            "spe" => ObjectPart::Enchantment,
            "curse" => ObjectPart::Curse,
            "corpsenm" => ObjectPart::Monster,
            "name" => ObjectPart::Name,
            "quan" => ObjectPart::Quantity,
            "buried" => ObjectPart::Buried,
            "lit" => ObjectPart::Lit,
            "coord" => ObjectPart::Place,
            _ => return None,
        })
    }
}

/// The number of a room type that a game lacks.
const NO_ROOM: i32 = -100;

fn number_of(table: &[(Name, i64)], name: &str) -> Option<i64> {
    table.iter().find(|(key, _)| key == name).map(|&(_, number)| number)
}

/// Returns the parts of `table` by their numbers.
fn numbered<T: Copy>(table: &[(Name, i64)], other: T, called: impl Fn(&str) -> Option<T>) -> [T; 32] {
    let mut parts = [other; 32];
    for (name, number) in table {
        if let (Some(slot), Some(part)) = (parts.get_mut(*number as usize), called(name)) {
            *slot = part;
        }
    }
    parts
}

fn terrains(catalog: &Catalog) -> [Option<Terrain>; 128] {
    let mut terrains = [None; 128];
    for (slot, word) in terrains.iter_mut().zip(catalog.level_types.iter()) {
        *slot = Terrain::of_type(word, catalog);
    }
    terrains
}

/// Returns the terrain of each byte of a compiled map, which is a signed number more than the terrain's.
fn map_squares(terrains: &[Option<Terrain>; 128]) -> [Option<Terrain>; 256] {
    let mut squares = [None; 256];
    for (slot, byte) in squares.iter_mut().zip(0_i32..) {
        let number = schar(byte - 1);
        *slot = usize::try_from(number).ok().and_then(|number| terrains[number]);
    }
    squares
}

/// Returns the numbers of the states of doors in levels, with the bits of each on a square.
fn door_states(catalog: &Catalog) -> Vec<(i32, i32)> {
    let states = [
        ("locked", door::LOCKED),
        ("closed", door::CLOSED),
        ("open", door::OPEN),
        ("broken", door::BROKEN),
        ("nodoor", door::NO_DOOR),
        ("secret", door::SECRET),
    ];
    let number = |word| i32::try_from(catalog.word(Group::DoorState, word)?).ok();
    states.into_iter().filter_map(|(word, bits)| Some((number(word)?, bits))).collect()
}

/// Returns the flags that a level adds to the number of a state, and among them the flag of a trapped door.
fn door_flags(catalog: &Catalog) -> (i32, i32) {
    if catalog.has(Feature::DoorsHaveMaterials) {
        return (0, 0);
    }
    let number = |word| catalog.word(Group::DoorDetail, word).and_then(|number| i32::try_from(number).ok());
    (
        catalog.words(Group::DoorDetail).filter_map(number).fold(0, |all, flag| all | flag),
        number("trapped").unwrap_or(0),
    )
}

/// Returns true for the room types that the loader stocks.
fn stocked(catalog: &Catalog) -> [bool; 64] {
    let mut stocked = [false; 64];
    for name in catalog.loader.stocked_rooms.iter() {
        if let Some(slot) = stocked.get_mut(catalog.room(name).unwrap_or(NO_ROOM).max(0) as usize) {
            *slot = true;
        }
    }
    stocked
}

fn first_of_class(catalog: &Catalog) -> [Option<u16>; 128] {
    let mut first = [None; 128];
    for (number, species) in catalog.monsters.iter().enumerate().rev() {
        if let Some(slot) = first.get_mut(species.class as usize) {
            *slot = Some(number as u16);
        }
    }
    first
}

fn core_functions(catalog: &Catalog) -> [Option<CoreFunction>; 64] {
    let functions = CoreFunction::NAMES
        .iter()
        .filter_map(|&(name, function)| Some((catalog.core_function(name)?.number, function)));
    let methods = CoreFunction::METHODS.iter().filter_map(|&(name, function)| {
        Some((catalog.methods.iter().find(|method| method.name == name)?.number, function))
    });
    let mut numbered = [None; 64];
    for (number, function) in functions.chain(methods) {
        if let Some(slot) = numbered.get_mut(number as usize) {
            *slot = Some(function);
        }
    }
    numbered
}

impl Game {
    pub fn new(shared: Shared) -> Self {
        let catalog = &*shared;
        let alignment = |word: Alignment| {
            let number = catalog.word(Group::Alignment, word.as_str());
            number.and_then(|number| i32::try_from(number).ok()).unwrap_or(i32::MIN)
        };
        let monster = |name: &str| catalog.monster(name, None).and_then(|(number, _)| u16::try_from(number).ok());
        let object = |name: &str| {
            let (name, class) = name_and_class(name).map_or((name, None), |(name, class)| (name, Some(class)));
            catalog.object(name, class).map_or(-1, |(number, _)| number)
        };
        let region = |name: &str, kind| (number_of(&catalog.level_regions, name).unwrap_or(i64::MIN), kind);
        let style = |name: &str, kind| (number_of(&catalog.init_styles, name).unwrap_or(i64::MIN), kind);
        let types_of =
            |names: &Table<Name>| names.iter().filter_map(|word| Terrain::of_type(word, catalog)).collect::<Vec<_>>();
        let mut escape_items = [-1; 8];
        for (slot, name) in escape_items.iter_mut().zip(catalog.loader.escape_items.iter()) {
            *slot = object(name);
        }
        let end = |parts: &[(Name, i64)]| parts.iter().find(|(name, _)| name == "end").map_or(0, |&(_, end)| end);
        let terrains = terrains(catalog);
        let map_squares = map_squares(&terrains);
        Game {
            catalog: shared.clone(),
            monster_parts_end: end(&catalog.monster_parts),
            object_parts_end: end(&catalog.object_parts),
            monster_parts: numbered(&catalog.monster_parts, MonsterPart::Other, MonsterPart::called),
            object_parts: numbered(&catalog.object_parts, ObjectPart::Other, ObjectPart::called),
            core_functions: core_functions(catalog),
            rules: catalog.loader.rules,
            traps: Traps::of(catalog),
            rooms: Rooms::of(catalog),
            flag_bits: FlagBits::of(catalog),
            own_flags: {
                let words = catalog.words(Group::Flag).filter(|word| !KNOWN_FLAGS.contains(word));
                words.filter_map(|word| Some((word.into(), catalog.word(Group::Flag, word)?))).collect()
            },
            regions: [
                region("down_stairs", RegionKind::DownStairs),
                region("up_stairs", RegionKind::UpStairs),
                region("portal", RegionKind::Portal),
                region("branch", RegionKind::Branch),
                region("teleport", RegionKind::Teleport),
                region("up_teleport", RegionKind::TeleportFromBelow),
                region("down_teleport", RegionKind::TeleportFromAbove),
            ],
            init_styles: [
                style("none", InitStyle::None),
                style("solidfill", InitStyle::SolidFill),
                style("mazegrid", InitStyle::MazeGrid),
                style("mines", InitStyle::Mines),
                style("sheol", InitStyle::Sheol),
                style("rogue", InitStyle::Rogue),
            ],
            boulder: object("boulder"),
            giant_spider: monster("giant spider"),
            giant_eel: monster("giant eel"),
            minotaur: monster("minotaur"),
            floating_eye: monster("floating eye"),
            high_cleric: monster("high cleric"),
            long_worm: monster("long worm"),
            scare_monster: object("scare monster@?"),
            gold_class: catalog.object_class('$').unwrap_or(0),
            gem_class: catalog.object_class('*').unwrap_or(0),
            rock_class: catalog.object_class('`').unwrap_or(0),
            saddle: object("saddle"),
            coaligned: alignment(Alignment::Coaligned),
            noncoaligned: alignment(Alignment::Noncoaligned),
            escape_items,
            escape_item_count: catalog.loader.escape_items.len().min(8),
            terrains,
            dry: Some(&catalog.loader.dry_terrain).filter(|names| !names.is_empty()).map(types_of),
            landing: match types_of(&catalog.loader.landing_terrain) {
                types if types.is_empty() => vec![Terrain::ROOM, Terrain::AIR],
                types => types,
            },
            map_squares,
            door_states: door_states(catalog),
            door_flags: door_flags(catalog),
            stocked: stocked(catalog),
            first_of_class: first_of_class(catalog),
            monster_classes: std::array::from_fn(|symbol| catalog.monster_class(symbol as u8 as char).is_some()),
            object_classes: std::array::from_fn(|symbol| {
                catalog.object_class(symbol as u8 as char).map(|number| number as u8)
            }),
        }
    }

    /// Returns the terrain with the game's `number`, or `None` if it is not a terrain (`MAX_TYPE` and above).
    #[inline]
    pub fn terrain(&self, number: i32) -> Option<Terrain> {
        self.terrains.get(usize::try_from(number).ok()?).copied().flatten()
    }

    /// Returns true if random things are put on this floor of the game's own.
    pub fn is_dry(&self, terrain: Terrain) -> bool {
        self.dry.as_ref().is_none_or(|dry| dry.contains(&terrain))
    }

    /// Returns true if heroes and stairs are put on the terrain.
    pub fn has_landing_on(&self, terrain: Terrain) -> bool {
        self.landing.contains(&terrain)
    }

    /// Returns the terrain of a MAP byte, which is the terrain's number plus one. `None` is a transparent square.
    #[inline]
    pub fn map_square(&self, byte: u8) -> Option<Terrain> {
        self.map_squares[usize::from(byte)]
    }

    /// Returns the state of a door as the bits of a square, and the flags in it that a square has no bits for.
    pub fn door_state(&self, number: i32) -> (i32, i64) {
        let (flags, trapped) = self.door_flags;
        let states = || self.door_states.iter();
        let flagged = || states().find(|&&(own, _)| number & own == own && number & !own & !flags == 0);
        let Some(&(own, bits)) = states().find(|&&(own, _)| own == number).or_else(flagged) else {
            return (number, 0);
        };
        let given = number & !own;
        let sprung = if given & trapped != 0 { door::TRAPPED } else { 0 };
        (bits | sprung, (given & !trapped).into())
    }

    /// Returns the number of a door's state in levels, from the bits of its square without a trap.
    pub fn door_number(&self, bits: i32) -> i32 {
        self.door_states.iter().find(|&&(_, known)| known == bits).map_or(bits, |&(own, _)| own)
    }

    pub fn monster_part(&self, number: i64) -> MonsterPart {
        let part = usize::try_from(number).ok().and_then(|number| self.monster_parts.get(number));
        part.copied().unwrap_or(MonsterPart::Other)
    }

    pub fn object_part(&self, number: i64) -> ObjectPart {
        let part = usize::try_from(number).ok().and_then(|number| self.object_parts.get(number));
        part.copied().unwrap_or(ObjectPart::Other)
    }

    pub fn core_function(&self, number: i64) -> Option<CoreFunction> {
        self.core_functions.get(usize::try_from(number).ok()?).copied().flatten()
    }

    /// Returns true if the game fills rooms of this type.
    pub fn is_stocked(&self, room: i32) -> bool {
        usize::try_from(room).is_ok_and(|room| self.stocked.get(room).copied().unwrap_or(false))
    }

    /// Returns the first species of the class with this symbol, or `None` if the class does not exist.
    pub fn first_of_class(&self, symbol: u8) -> Option<u16> {
        self.first_of_class.get(usize::from(symbol)).copied().flatten()
    }

    /// Returns true if a monster of a species can be made to look like another species. Vampires choose among few; any
    /// shape-changer stands for their own shape (`validvamp`).
    pub fn can_look_like(&self, species: Option<u16>, shape: u16) -> bool {
        let name =
            |species: u16| self.catalog.monsters.get(usize::from(species)).map_or("", |known| known.name.as_ref());
        let is_vampire = self.class(species) == Some('V') && self.habits(species).has(Habit::Shapeshifter);
        let Some(vampire) = species.filter(|_| is_vampire) else { return true };
        match name(shape) {
            "fog cloud" | "vampire bat" => true,
            "wolf" => name(vampire) != "vampire",
            _ => self.keeps_its_shape(species, shape),
        }
    }

    /// Returns true if a vampire that is to look like another species keeps its own shape: a unique one does, and any
    /// vampire if the species changes its shape, too.
    pub fn keeps_its_shape(&self, vampire: Option<u16>, shape: u16) -> bool {
        self.habits(Some(shape)).has(Habit::Shapeshifter) || self.habits(vampire).has(Habit::Unique)
    }

    /// Returns true if this game restricts random traps of this type to a greater difficulty. The restrictions that all
    /// games share are not included.
    pub fn is_too_deep(&self, trap: i32, difficulty: i32) -> bool {
        let deep = self.catalog.loader.deep_traps.iter();
        deep.clone().any(|&(kind, least)| i32::from(kind) == trap && difficulty < i32::from(least))
    }

    /// Returns true if this game never generates traps of this type at random. Those that no game generates at random
    /// are not included.
    pub fn is_never_random(&self, trap: i32) -> bool {
        let deep = self.catalog.loader.deep_traps.iter();
        deep.clone().any(|&(kind, least)| i32::from(kind) == trap && least == NEVER_RANDOM)
    }

    /// Returns true if objects of this number stack.
    pub fn merges(&self, object: i32) -> bool {
        let ranges = self.catalog.loader.merging_objects.iter();
        ranges.clone().any(|&(first, last)| (i32::from(first)..=i32::from(last)).contains(&object))
    }

    /// Habits of a species; none for an unknown one.
    pub fn habits(&self, species: Option<u16>) -> Habits {
        let species = species.and_then(|number| self.catalog.monsters.get(usize::from(number)));
        species.map_or(Habits::of(&[]), |species| species.habits)
    }

    /// Returns true if the game gives nothing to the species or, if `of_class` is true, to any of its class.
    pub fn carries_nothing(&self, species: Option<u16>, of_class: bool) -> bool {
        let class = self.class(species).filter(|_| of_class);
        let mut of_class = self.catalog.monsters.iter().filter(|species| Some(species.class) == class);
        self.habits(species).has(Habit::CarriesNothing)
            && of_class.all(|species| species.habits.has(Habit::CarriesNothing))
    }

    /// Returns true if the class with this symbol has species.
    #[inline]
    pub fn has_monster_class(&self, symbol: char) -> bool {
        self.monster_classes.get(symbol as usize).copied().unwrap_or(false)
    }

    /// Number of the object class with this symbol, counted from 1.
    #[inline]
    pub fn object_class(&self, symbol: char) -> Option<usize> {
        self.object_classes.get(symbol as usize).copied().flatten().map(usize::from)
    }

    /// Symbol of the species' class.
    pub fn class(&self, species: Option<u16>) -> Option<char> {
        Some(self.catalog.monsters.get(usize::from(species?))?.class)
    }
}

/// Returns true if these habits make a monster amphibious in the games' sense.
pub(crate) fn is_amphibious(habits: Habits) -> bool {
    habits.has(Habit::Amphibious) || habits.has(Habit::Breathless)
}
