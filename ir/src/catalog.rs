//! What a game knows: terrain, monsters, objects, traps, room types, keywords, opcode numbers, limits and
//! the version header of its level files.
//!
//! All of it is data, in `ir/catalogs/NAME.toml`, one file a game; the build turns those files into the
//! static tables behind [`ALL`]. Nothing else in splc knows a name or a number of a game.

use crate::program::{Opcode, Unknown};
use crate::value::SpeciesName;
use crate::words::Group;

/// What one game knows.
#[derive(Debug)]
pub struct Catalog {
    /// Its name, e.g. `unnethack-6.0.4`.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The language of its des-files.
    pub dialect: &'static str,
    /// Name of the catalog that this one is a variant of.
    pub extends: Option<&'static str>,
    /// What its level files are made of.
    pub format: Format,
    /// In what its compiler differs from the others of its dialect family.
    pub features: Features,
    /// How it packs several numbers into one.
    pub packing: Packing,
    /// Its opcodes; the position is the number.
    pub opcodes: &'static [Opcode],
    terrain: &'static [i32; 128],
    /// Names of the types of squares; the position is the number.
    pub level_types: &'static [&'static str],
    /// One past the last type of squares; as terrain of a map: what is below shows through.
    pub max_terrain: i32,
    /// Characters that a MAP line may hold, besides digits.
    pub map_characters: &'static str,
    /// Traps: name and number.
    pub traps: &'static [(&'static str, i32)],
    /// Room types: name and number.
    pub rooms: &'static [(&'static str, i32)],
    /// Symbols of the monster classes, from class 1.
    pub monster_classes: &'static str,
    /// Symbols of the object classes, from class 1.
    pub object_classes: &'static str,
    /// Monsters; the position is the number.
    pub monsters: &'static [Species],
    monsters_by_name: &'static [u16],
    monsters_by_folded_name: &'static [u16],
    /// Objects; the position is the number.
    pub objects: &'static [Species],
    objects_by_name: &'static [u16],
    objects_by_folded_name: &'static [u16],
    /// What its level loader needs to know besides.
    pub loader: Loader,
    /// Core functions.
    pub core_functions: &'static [CoreFunction],
    /// Methods of variables.
    pub methods: &'static [Method],
    /// Words that its lexer knows, sorted; others are plain names to it.
    pub keywords: &'static [&'static str],
    /// Words that another game's lexer knows and this one's does not, sorted.
    lacking_keywords: &'static [&'static str],
    /// The unsigned longs at the head of a level file, for each ABI.
    pub headers: &'static [(&'static str, &'static [u64])],
    /// Limits of the game.
    pub limits: Limits,
    /// Numbers of the types of values.
    pub value_types: &'static [(&'static str, i64)],
    /// Numbers of the parts of a monster.
    pub monster_parts: &'static [(&'static str, i64)],
    /// Numbers of the parts of an object.
    pub object_parts: &'static [(&'static str, i64)],
    /// Numbers of the kinds of level regions.
    pub level_regions: &'static [(&'static str, i64)],
    /// Numbers of the styles of INIT_MAP.
    pub init_styles: &'static [(&'static str, i64)],
    /// Numbers of the directions of drawbridges.
    pub drawbridge_directions: &'static [(&'static str, i64)],
    words: &'static [&'static [(&'static str, i64)]],
}

/// What level files are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A list of opcodes: the script dialects.
    Opcodes,
    /// Parts and rooms: NetHack 3.4.3.
    Parts,
}

/// How a game packs several numbers into one (`SP_MONST_PACK` and its like in `include/sp_lev.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Added to the number of a monster or object (NetHack 3.6: 10, so that -1 stays positive).
    pub species_bias: i64,
    /// Added to the number of the light beside terrain.
    pub light_bias: i64,
    /// The place that is random.
    pub random_place: i64,
}

impl Packing {
    /// The number of a monster or object with its class below it.
    pub fn species(self, number: i64, class: i64) -> i64 {
        ((number + self.species_bias) << 8) + (class & 0xff)
    }

    /// The number of light with terrain below it.
    pub fn light(self, light: i64, terrain: i64) -> i64 {
        ((light + self.light_bias) << 8) + (terrain & 0xff)
    }
}

/// A kind of monster or object.
#[derive(Debug)]
pub struct Species {
    /// Its name; empty where the game has none.
    pub name: &'static str,
    /// Symbol of its class.
    pub class: char,
    /// What tells where it can be; empty for objects.
    pub habits: Habits,
}

/// A core function: what a script can ask the game.
#[derive(Debug)]
pub struct CoreFunction {
    /// Its name.
    pub name: &'static str,
    /// Its number.
    pub number: i32,
    /// A letter for each parameter: `i`nteger, `s`tring, `c`oordinate, `r`egion, `O`bject, `M`onster.
    pub parameters: &'static str,
    /// A letter for its result.
    pub result: char,
}

/// A method of a variable.
#[derive(Debug)]
pub struct Method {
    /// Type of the variable, as in `value_types`.
    pub of: &'static str,
    /// Whether the variable is an array.
    pub array: bool,
    /// Its name.
    pub name: &'static str,
    /// Its number among the core functions.
    pub number: i32,
    /// A letter for its result.
    pub result: char,
}

/// Limits of a game; 0 where it has none.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // the fields are the catalog's keys, described there
pub struct Limits {
    pub columns: i32,
    pub rows: i32,
    pub map_width: i32,
    pub map_height: i32,
    pub level_name: i32,
    pub nesting: i32,
    pub switch_cases: i32,
    pub switch_breaks: i32,
    pub registers: i32,
    pub room_types: i32,
    pub of_type: i32,
    pub message: i32,
    pub alignments: i32,
    pub parts: i32,
    pub rooms_and_subrooms: i32,
    pub subrooms: i32,
    pub non_passwall: i32,
    pub corridors: i32,
}

/// What a game's level loader needs to know besides names and numbers.
#[derive(Clone, Copy, Debug)]
pub struct Loader {
    /// In what it differs from the other loaders.
    pub rules: LoaderRules,
    /// One past the number of the last trap type.
    pub trap_types: i32,
    /// Number of the vibrating square among the traps; 0 if it is none.
    pub vibrating_square: i32,
    /// Room types that are filled with a crowd of monsters.
    pub stocked_rooms: &'static [&'static str],
    /// What is left in a place that nobody can leave.
    pub escape_items: &'static [&'static str],
    /// Objects of which several lie in one heap: first and last number of each range.
    pub merging_objects: &'static [(u16, u16)],
    /// Trap types that come at random only from some difficulty on, besides those of all games: number, difficulty.
    pub deep_traps: &'static [(u16, u16)],
}

/// Declares an enum and the set of its values as bits.
macro_rules! bit_set {
    (
        $(#[$item_doc:meta])* enum $item:ident;
        $(#[$set_doc:meta])* struct $set:ident($bits:ty);
        $($(#[$doc:meta])* $variant:ident,)*
    ) => {
        $(#[$item_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $item { $($(#[$doc])* $variant,)* }

        impl $item {
            /// Every value.
            pub const ALL: &'static [$item] = &[$($item::$variant,)*];
        }

        $(#[$set_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $set($bits);

        impl $set {
            /// The set of these.
            pub const fn of(items: &[$item]) -> Self {
                let mut bits = 0;
                let mut at = 0;
                while at < items.len() {
                    bits |= 1 << items[at] as $bits;
                    at += 1;
                }
                $set(bits)
            }

            /// Whether `item` is in it.
            pub const fn has(self, item: $item) -> bool {
                self.0 & (1 << item as $bits) != 0
            }
        }
    };
}

bit_set! {
    /// What a monster is or does, as far as it tells where the monster can be.
    enum Habit;
    /// A set of [`Habit`]s.
    struct Habits(u64);
    /// Swims.
    Swim,
    /// Flies.
    Fly,
    /// Clings to ceilings.
    Cling,
    /// Walks through walls.
    WalkWalls,
    /// Flows under doors.
    Amorphous,
    /// Lives in water and out of it.
    Amphibious,
    /// Does not breathe.
    Breathless,
    /// Throws boulders.
    ThrowsRocks,
    /// Likes lava.
    LavaOk,
    /// Is made of flames.
    Flaming,
    /// Floats without flying.
    Floater,
    /// Has no body.
    Noncorporeal,
}

bit_set! {
    /// A point in which the level loaders of the games differ: the name says what a loader does that has it.
    enum LoaderRule;
    /// A set of [`LoaderRule`]s.
    struct LoaderRules(u128);
    /// A finished level is flipped at random, left to right and top to bottom.
    RandomFlips,
    /// Random corridors come in four styles, and rooms can stay unjoined (`makecorridors`).
    CorridorStyles,
    /// A random place on a wall of one square takes no draw (`finddpos`).
    OnePlaceTakesNoDraw,
    /// One corridor square in a hundred is secret (`dig_corridor`); without the rule it is open.
    SecretCorridors,
    /// Corridors change direction at random (`dig_corridor`).
    WindingCorridors,
    /// A new door goes before the other doors of its room (`add_door`); without the rule, before those of the
    /// next room.
    DoorsByRoom,
    /// A door made by ROOMDOOR belongs to its room at once (`create_door`), not only when the level is done.
    DoorsJoinAtOnce,
    /// One door of a random corridor in eight is secret (`dodoor`).
    SecretDoors,
    /// A room with a given place or size is made smaller, or not at all, where it would touch something
    /// (`create_room`).
    RoomsCheckedAgain,
    /// The walls of a subroom are joined without looking at the walls themselves (`do_room_or_subroom`).
    SubroomWallsUnjoined,
    /// WALLIFY looks at column 0 (`wallify_map`).
    WallifyLooksAtEdge,
    /// "Touched by the level" means dug by MAZEWALK, too, and is where a maze is stocked (`fill_empty_maze`,
    /// `maze1xy`, `walkfrom`); without the rule, a maze is stocked where the level did not touch it.
    TouchedIsMaze,
    /// grow() grows away from its directions, and into corners for each of them (`selection_do_grow`).
    GrowsBackwards,
    /// floodfill() selects nothing (`selection_floodfill` lacks its test).
    FloodfillSelectsNothing,
    /// TERRAIN leaves stairs alone (`sel_set_ter`).
    TerrainSparesStairs,
    /// The way out of a closed place is a door (`generate_way_out_method`); without the rule, a secret door.
    OpenWaysOut,
    /// An irregular region spreads over every kind of floor, and no secret door bounds it (`flood_fill_rm`).
    RegionsOverAnyFloor,
    /// Terrain of INIT_MAP may be "none", and caverns start unlit (`mkmap`).
    CavernsMayLackTerrain,
    /// Walled and joined caverns are filled behind their walls, if a filling is given (`mkmap`).
    CavernsFilledBehind,
    /// Ice of caverns remembers what is below it (`finish_map`).
    CavernsFreezePools,
    /// A level region that finds no place takes worse ones, and then any on the level (`place_lregion`).
    LaxRegions,
    /// A place outside the level is complained about (`get_location`), and an appearance that makes no sense is
    /// a warning, too (`create_monster`); without the rule, that is an error of the game.
    PlacesAreWarnedOf,
    /// A portal to a random plane finds none outside the planes (`fixup_special`).
    RandomPlanes,
    /// No trap is put in a swamp (`mktrap`).
    SwampsTakeNoTraps,
    /// A trap may come with somebody whom it killed (`mktrap`).
    TrapVictims,
    /// A web has its spider only deep down, and not always (`mktrap`).
    SpidersAreRare,
    /// Squeaky boards are tuned (`maketrap`).
    TunedBoards,
    /// Corridors of the rogue style are sometimes secret (`corr`).
    SecretRogueCorridors,
    /// A premapped level has no secret doors and corridors (`sokoban_detect`).
    PremappingOpensDoors,
    /// What is below a raised drawbridge tells whether one can stand there (`accessible`).
    RaisedBridgesAreLookedUnder,
    /// Trees can be made impassable to those who walk through walls (`may_passwall`).
    TreesCanBeImpassable,
    /// Engravings stay with the level while it is made, and move with it; without the rule the reference
    /// traces only note them.
    EngravingsAreKept,
    /// The wall of a door made by ROOMDOOR is drawn once, its last place is never drawn, and rock behind it is no
    /// hindrance (`create_door`).
    DoorsDrawTheirWall,
    /// The search for a place near another looks at one side after the other, and does not end at the farthest
    /// edge of the level (`enexto`).
    NearPlacesBySides,
    /// A floating eye can be over lava (`goodpos`).
    EyesHoverOverLava,
    /// A trap can be set on stairs, fountains and the like (`maketrap`).
    TrapsOnFurniture,
    /// The spider of a web comes even where the web cannot be (`mktrap`).
    SpidersWithoutWebs,
    /// Only walls and stone can be hardened, not trees and bars (`set_wall_property`).
    OnlyWallsHarden,
    /// No secret door bounds an irregular region (`flood_fill_rm`).
    SecretDoorsBoundNothing,
    /// A maze is stocked for all of its squares, not for the half of them that can be floor, and its monsters may
    /// be in water (`load_maze`).
    MazesStockedByArea,
    /// The row at the top is left out where a level region may be anywhere (`place_lregion`).
    RegionsBelowTopRow,
    /// The reference traces say nothing of the monster that an object is of.
    MonstersOfObjectsUnnoted,
    /// A mimic does not take the shape of a monster (`create_monster`).
    MimicsAreNoMonsters,
    /// A random room is tried anywhere on the level, again and again; there is no list of free rectangles, and a room
    /// with a given place may be anywhere (`create_room`).
    RoomsWithoutRectangles,
    /// Where a place may be anything, a random one still is floor, water or lava, and none may be outside of the
    /// level (`get_location`).
    AnywhereIsWetOrDry,
    /// A place outside the level is complained about as something broken (`get_location`).
    PlacesAreComplainedOf,
    /// A MAP does not touch its squares, nor does DOOR, and cross walls become floor where nothing touched them
    /// (`spo_map`, `remove_boundary_syms`).
    MapsTouchNothing,
    /// DOOR makes a door that belongs to its rooms at once and keeps the direction of what was there; nothing looks at
    /// doors when the level is done (`sel_set_door`).
    DoorsAreDoneAtOnce,
    /// A random place for a monster is dry floor; for one that swims, water or lava as well, for an eel nothing else
    /// (`create_monster`).
    SwimmersAloneGetWet,
    /// A given place in a room that is no bare floor is not exchanged for a random one: the game gives up
    /// (`get_free_room_loc`).
    GivenPlacesHaveToBeFree,
    /// A function finds its parameters in reverse order, and variables among them unread (`spo_call`).
    ParametersAreReversed,
    /// RETURN outside of a function does nothing (`spo_return`).
    ReturnNeedsNoFunction,
    /// A vault may have pools with eels in two of its squares (`fill_room`).
    VaultsMayBeAquariums,
    /// WALLIFY takes a region only, and where it gives no bounds, those of the map (`spo_wallify`).
    WallifyTakesRegions,
    /// SPILL takes its terrain and light as two numbers, and the light first (`spo_spill`).
    SpillTakesNumbers,
    /// That a region is filled is a flag of its own, not part of its type (`spo_region`).
    FilledIsAFlag,
    /// A room in a room that found no place takes its values from the stack as well (`spo_room`).
    FailedRoomsTakeValues,
    /// A door in a wall of one square takes no draw for its place (`create_door`).
    OneSquareTakesNoDoorDraw,
    /// INIT_MAP changes nothing in where a MAP goes, and its ice has nothing below it (`spo_map`).
    InitLeavesMaps,
    /// Stairs and portals find their places when the level has been shown to the hero (`fixup_special`).
    RegionsPlacedLast,
    /// Of a message, 79 bytes are read to the first line end, and `%` and a letter stand for something about the hero
    /// (`spo_message`, `string_subst`).
    MessagesAreSubstituted,
    /// The messages of a level are said, line by line, as soon as it is done (`fixup_special`).
    MessagesAreSaid,
    /// Stairs in a room leave a trap below them (`spo_stair`).
    StairsInRoomsKeepTraps,
    /// Monsters that a maze is stocked with may be in water and lava (`fill_empty_maze`).
    MazeMonstersGetWet,
    /// floodfill() remembers squares more than once, and the game gives up when they are too many
    /// (`selection_floodfill`).
    FloodsOverrun,
    /// Corridors join every room, whatever it asks for, and a region that is a room counts as joined to the first one
    /// (`join`, `spo_region`).
    EveryRoomIsJoined,
    /// A drawbridge for which it is drawn whether it is open is so with the higher number (`create_drawbridge`).
    HighDrawOpensBridges,
}

bit_set! {
    /// A point in which the compilers of one dialect family differ.
    enum Feature;
    /// A set of [`Feature`]s.
    struct Features(u64);
    /// There are FUNCTIONs. NetHack 3.6 has the grammar for them, but its lexer lets no name through.
    Functions,
    /// FUNCTIONs take parameters.
    FunctionParameters,
    /// FUNCTION and INCLUDE may stand before the first LEVEL.
    HeaderStatements,
    /// `%i` in the name of a level is a counter.
    NumberedLevels,
    /// A ROOM's flags are not read; what is taken for them is the number of the word that was read
    /// before, which is that of the vertical alignment (UnNetHack 6.0.4, NetHack 3.6).
    RoomFlagsFromAlignment,
    /// An error is told with the line of the last colon before it, if it is not the parser that finds it.
    ErrorsByColon,
    /// Numbers are handed over in `int`s where `long`s are read; see
    /// [`NarrowInteger`](crate::program::Operand::NarrowInteger).
    NarrowIntegers,
    /// A level file is written over an older one without cutting it off first.
    NoTruncation,
    /// Random vaults: the flag `rndvault`, VAULTGEN and the list `vaults.dat`.
    RandomVaults,
    /// SporkHack's older script language: chances before the colon, constant FOR, BREAK only in SWITCH, values
    /// without variables where later compilers take them, one scope for all variables.
    OldScript,
    /// `random` squares may say how they are to be: `random[dry]`.
    RandomHumidity,
    /// A word is made of letters, digits and dashes, so `1-5` is one and `-` is never an operator; variables
    /// have letters only (NetHack 3.6, lev_comp.l).
    DashedWords,
    /// The ends of `line` and `randline` are joined by a comma, not a dash.
    CommaLines,
}

/// How a name was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// To the letter.
    Exact,
    /// Only with the case of letters ignored.
    IgnoringCase,
}

impl Catalog {
    /// The catalog of that name.
    pub fn by_name(name: &str) -> Option<&'static Catalog> {
        ALL.iter().copied().find(|catalog| catalog.name == name)
    }

    /// Whether the game has `feature`.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// Whether `word` is one that the game's lexer knows.
    pub fn is_keyword(&self, word: &str) -> bool {
        self.keywords.binary_search(&word).is_ok()
    }

    /// Whether `word`, which some game's lexer knows, is a plain name to this one's. Asked for every word of a
    /// source, so the list is short.
    pub fn lacks_keyword(&self, word: &str) -> bool {
        self.lacking_keywords.binary_search(&word).is_ok()
    }

    /// Number of `word` in `group`.
    pub fn word(&self, group: Group, word: &str) -> Option<i64> {
        self.words[group as usize].iter().find(|(key, _)| *key == word).map(|&(_, number)| number)
    }

    /// The words of `group`.
    pub fn words(&self, group: Group) -> impl Iterator<Item = &'static str> {
        self.words[group as usize].iter().map(|&(word, _)| word)
    }

    /// Terrain number of a map character.
    pub fn terrain(&self, character: char) -> Option<i32> {
        self.terrain.get(character as usize).copied().filter(|&number| number >= 0)
    }

    /// The map character of a terrain number.
    pub fn map_character(&self, terrain: i32) -> Option<char> {
        (0..128_u8).map(char::from).find(|&character| self.terrain(character) == Some(terrain))
    }

    /// Number of a type of squares by its name in `level_types`.
    pub fn level_type(&self, name: &str) -> Option<i32> {
        self.level_types.iter().position(|&known| known == name).map(|at| at as i32)
    }

    /// Number of a trap.
    pub fn trap(&self, name: &str) -> Option<i32> {
        self.traps.iter().find(|(known, _)| *known == name).map(|&(_, number)| number)
    }

    /// Number of a room type.
    pub fn room(&self, name: &str) -> Option<i32> {
        self.rooms.iter().find(|(known, _)| *known == name).map(|&(_, number)| number)
    }

    /// Number of the monster class with this symbol, from 1.
    pub fn monster_class(&self, symbol: char) -> Option<usize> {
        self.monster_classes.chars().position(|known| known == symbol).map(|at| at + 1)
    }

    /// Number of the object class with this symbol, from 1.
    pub fn object_class(&self, symbol: char) -> Option<usize> {
        self.object_classes.chars().position(|known| known == symbol).map(|at| at + 1)
    }

    /// Number of the monster `name`, of class `class` if that is given.
    pub fn monster(&self, name: &str, class: Option<char>) -> Option<(i32, Match)> {
        find(self.monsters, self.monsters_by_name, self.monsters_by_folded_name, name, class)
    }

    /// Number of the object `name`, of class `class` if that is given.
    pub fn object(&self, name: &str, class: Option<char>) -> Option<(i32, Match)> {
        find(self.objects, self.objects_by_name, self.objects_by_folded_name, name, class)
    }

    /// The core function `name`.
    pub fn core_function(&self, name: &str) -> Option<&'static CoreFunction> {
        self.core_functions.iter().find(|function| function.name == name)
    }

    /// Number of `opcode`.
    pub fn opcode(&self, opcode: Opcode) -> Option<i32> {
        self.opcodes.iter().position(|&known| known == opcode).map(|at| at as i32)
    }

    /// Number of a value type.
    pub fn value_type(&self, name: &str) -> Option<i64> {
        self.value_types.iter().find(|(key, _)| *key == name).map(|&(_, number)| number)
    }

    /// The header of a level file for the ABI of that name.
    pub fn header(&self, abi: &str) -> Option<&'static [u64]> {
        self.headers.iter().find(|(name, _)| *name == abi).map(|&(_, longs)| longs)
    }

    /// A monster as the games pack it: number in the upper part, class symbol in the lower eight bits.
    ///
    /// # Errors
    /// [`Unknown`] if the game does not have it.
    pub fn pack_monster(&self, name: &SpeciesName) -> Result<i64, Unknown> {
        let unknown = |name: &str| Unknown { what: "monster", name: name.to_owned() };
        let (number, class) = match name {
            SpeciesName::Random | SpeciesName::RandomAndName(_) => return Ok(-1),
            SpeciesName::Class(class) => {
                self.monster_class(*class).ok_or_else(|| unknown(&class.to_string()))?;
                (-1, *class)
            }
            SpeciesName::Name(name) => {
                let (number, _) = self.monster(name, None).ok_or_else(|| unknown(name))?;
                (number, self.monsters[number as usize].class)
            }
            SpeciesName::ClassAndName(class, name) => {
                (self.monster(name, Some(*class)).ok_or_else(|| unknown(name))?.0, *class)
            }
        };
        Ok(self.packing.species(i64::from(number), class as i64))
    }

    /// An object as the games pack it; the class of one given by name alone is 1, "this very one".
    ///
    /// # Errors
    /// [`Unknown`] if the game does not have it.
    pub fn pack_object(&self, name: &SpeciesName) -> Result<i64, Unknown> {
        let unknown = |name: &str| Unknown { what: "object", name: name.to_owned() };
        let (number, class) = match name {
            SpeciesName::Random | SpeciesName::RandomAndName(_) => return Ok(-1),
            SpeciesName::Class(class) => {
                self.object_class(*class).ok_or_else(|| unknown(&class.to_string()))?;
                (-1, *class as i64)
            }
            SpeciesName::Name(name) => (self.object(name, None).ok_or_else(|| unknown(name))?.0, 1),
            SpeciesName::ClassAndName(class, name) => {
                (self.object(name, Some(*class)).ok_or_else(|| unknown(name))?.0, *class as i64)
            }
        };
        Ok(self.packing.species(i64::from(number), class))
    }
}

/// The first species called `name`; an exact match goes before one that ignores case (all of the games'
/// compilers: `get_monster_id`, `get_object_id`).
fn find(
    species: &[Species],
    by_name: &[u16],
    by_folded_name: &[u16],
    name: &str,
    class: Option<char>,
) -> Option<(i32, Match)> {
    let fits = |&at: &u16| class.is_none_or(|class| species[usize::from(at)].class == class);
    let start = by_name.partition_point(|&at| species[usize::from(at)].name < name);
    let exact = by_name[start..].iter().take_while(|&&at| species[usize::from(at)].name == name).copied().find(fits);
    if let Some(at) = exact {
        return Some((i32::from(at), Match::Exact));
    }
    let compare = |at: u16| {
        let known = species[usize::from(at)].name.bytes().map(|byte| byte.to_ascii_lowercase());
        known.cmp(name.bytes().map(|byte| byte.to_ascii_lowercase()))
    };
    let start = by_folded_name.partition_point(|&at| compare(at).is_lt());
    let folded = by_folded_name[start..].iter().take_while(|&&at| compare(at).is_eq()).copied().find(fits);
    folded.map(|at| (i32::from(at), Match::IgnoringCase))
}

impl Opcode {
    /// The opcode of that name, for tables made at build time.
    const fn from_catalog(name: &str) -> Opcode {
        let mut at = 0;
        while at < Opcode::ALL.len() {
            if same(Opcode::ALL[at].as_str().as_bytes(), name.as_bytes()) {
                return Opcode::ALL[at];
            }
            at += 1;
        }
        panic!("a catalog has an opcode that `program::Opcode` lacks")
    }
}

const fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

include!(concat!(env!("OUT_DIR"), "/catalogs.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_species_is_found_by_its_name_and_class() {
        for catalog in ALL {
            for (at, species) in catalog.monsters.iter().enumerate().filter(|(_, species)| !species.name.is_empty()) {
                let (found, how) = catalog.monster(species.name, Some(species.class)).expect(species.name);
                assert!(found as usize <= at && how == Match::Exact, "{}: {}", catalog.name, species.name);
                assert_eq!(catalog.monsters[found as usize].name, species.name);
            }
            for species in catalog.objects.iter().filter(|species| !species.name.is_empty()) {
                let shouted = species.name.to_uppercase();
                let (found, _) = catalog.object(&shouted, Some(species.class)).expect(species.name);
                assert!(catalog.objects[found as usize].name.eq_ignore_ascii_case(species.name));
            }
        }
    }

    #[test]
    fn a_name_of_another_class_is_not_found() {
        for catalog in ALL {
            assert!(catalog.monster("giant ant", Some('d')).is_none());
            assert!(catalog.monster("giant antt", None).is_none());
            assert!(catalog.object("long sword", Some('!')).is_none());
        }
    }
}
