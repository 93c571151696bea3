//! Game data: terrain, monsters, objects, traps, room types, keywords, opcode numbers, limits and the version header of
//! level files.
//!
//! The data is in `ir/catalogs/NAME.toml`, one file per game; the build turns those files into the static tables of
//! [`ALL`]. The rest of splc contains no names or numbers of a game.

use std::borrow::Cow;

use crate::dungeon;
use crate::program::Opcode;
use crate::words::Group;

mod bits;
mod colors;
pub mod dialect;
mod features;
mod file;
mod load;
mod loader;
mod lookup;
mod shared;

pub use colors::Color;
pub use dialect::Dialect;
pub use features::{Feature, Features};
pub use file::{
    Comments, Draft, DungeonDraft, FunctionDraft, GROUPS as WORD_GROUPS, LIMITS as LIMIT_NAMES, LoaderDraft,
    MethodDraft, Numbers, PACKING as PACKING_NAMES, SpeciesDraft, TABLES as NUMBER_TABLES,
};
pub use load::{Beside, Catalogs, NothingBeside};
pub use loader::{Habit, Habits, LoaderRule, LoaderRules};
pub use lookup::Match;
pub use shared::Shared;

/// A name in a catalog: static in a built-in catalog, owned in one loaded at run time.
pub type Name = Cow<'static, str>;

/// A table in a catalog: static in a built-in catalog, owned in one loaded at run time.
pub type Table<T> = Cow<'static, [T]>;

/// Number of word groups, see [`Group`].
const GROUPS: usize = Group::ObjectFlag as usize + 1;

/// The data of one game.
#[derive(Clone, Debug)]
pub struct Catalog {
    /// Its name, e.g. `unnethack-6.0.4`.
    pub name: Name,
    /// Its display name.
    pub title: Name,
    /// The dialect of its des-files.
    pub dialect: Name,
    /// Name of the catalog that this one is a variant of.
    pub extends: Option<Name>,
    /// The format of its level files.
    pub format: Format,
    /// Features of its compiler that differ within its dialect family.
    pub features: Features,
    /// Constants for packing several numbers into one.
    pub packing: Packing,
    /// Its opcodes; the position is the number.
    pub opcodes: Table<Opcode>,
    /// Terrain number of each character, or -1.
    terrain: Table<i32>,
    /// Names of the terrain types; the position is the number.
    pub level_types: Table<Name>,
    /// One past the last terrain type. As the terrain of a map square, it is transparent.
    pub max_terrain: i32,
    /// Characters allowed in a MAP line, besides digits.
    pub map_characters: Name,
    /// Traps: name and number.
    pub traps: Table<(Name, i32)>,
    /// Room types: name and number.
    pub rooms: Table<(Name, i32)>,
    /// Symbols of the monster classes, from class 1.
    pub monster_classes: Name,
    /// Symbols of the object classes, from class 1.
    pub object_classes: Name,
    /// Monsters; the position is the number.
    pub monsters: Table<Species>,
    monsters_by_name: Table<u16>,
    monsters_by_folded_name: Table<u16>,
    /// Names of the males and females of a monster, if they differ from its name: number, male, female. Sorted by
    /// number.
    pub monster_forms: Table<(u16, Name, Name)>,
    /// Objects; the position is the number.
    pub objects: Table<Species>,
    objects_by_name: Table<u16>,
    objects_by_folded_name: Table<u16>,
    /// Descriptions of unidentified objects: number and description, sorted by number. Empty if levels cannot use them.
    pub object_descriptions: Table<(u16, Name)>,
    /// Further data for its level loader.
    pub loader: Loader,
    /// Core functions.
    pub core_functions: Table<CoreFunction>,
    /// Methods of variables.
    pub methods: Table<Method>,
    /// Words that its lexer recognises, sorted; other words are plain names to it.
    pub keywords: Table<Name>,
    /// Keywords of statements that take one place. No built-in game has any. Their opcodes are `place_1` and so on.
    pub place_statements: Table<Name>,
    /// Fields of the structures in its level files that differ from NetHack 3.4.3, one line for each, such as `door
    /// x:char y:char state:char artifact:short`. See [`parts::Layouts`](crate::parts::Layouts).
    pub structures: Table<Name>,
    /// Terrain types whose caves can be joined.
    pub joined_terrain: Table<Name>,
    /// Names of artifacts that doors can refer to, numbered from 0.
    pub artifacts: Table<Name>,
    /// Names of gods that altars can refer to, numbered from 0. Number 0 means no god.
    pub gods: Table<Name>,
    /// Words that its lexer recognises and no built-in game's lexer does, sorted.
    own_words: Table<(Name, OwnWord)>,
    /// Words that another game's lexer recognises and this one's does not, sorted.
    lacking_keywords: Table<Name>,
    /// The unsigned longs at the head of a level file, for each ABI.
    pub headers: Table<(Name, Table<u64>)>,
    /// Limits of the game.
    pub limits: Limits,
    /// Rules for dungeons.
    pub dungeon: dungeon::Rules,
    /// Numbers of the types of values.
    pub value_types: Table<(Name, i64)>,
    /// Numbers of the parts of a monster.
    pub monster_parts: Table<(Name, i64)>,
    /// Numbers of the parts of an object.
    pub object_parts: Table<(Name, i64)>,
    /// Numbers of the types of level regions.
    pub level_regions: Table<(Name, i64)>,
    /// Numbers of the styles of INIT_MAP.
    pub init_styles: Table<(Name, i64)>,
    /// Numbers of the directions of drawbridges.
    pub drawbridge_directions: Table<(Name, i64)>,
    words: [Table<(Name, i64)>; GROUPS],
}

/// The meaning of a word that only the game of a loaded catalog has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnWord {
    /// A level flag.
    Flag,
    /// The keyword of a statement that takes one place: `WORD: selection`.
    Statement,
    /// A detail of a monster: `word`, or `word: number`.
    MonsterDetail,
    /// A detail of an object.
    ObjectDetail,
    /// A material or flag of a door.
    DoorDetail,
    /// A word of a group; it can be used like the other words of the group.
    Of(Group),
}

/// The format of level files, if the game has any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A list of opcodes: the script dialects.
    Opcodes,
    /// Parts and rooms: NetHack 3.4.3.
    Parts,
    /// No level files: levels are Lua scripts that the game runs. NetHack 5.
    Lua,
}

/// Constants with which a game packs several numbers into one (`SP_MONST_PACK` and similar macros in
/// `include/sp_lev.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Added to the number of a monster or object (NetHack 3.6: 10, so that -1 stays positive).
    pub species_bias: i64,
    /// Added to the number of the light packed with terrain.
    pub light_bias: i64,
    /// The number of a random place.
    pub random_place: i64,
}

impl Packing {
    /// Packs the number of a monster or object with its class in the lower eight bits.
    pub fn species(self, number: i64, class: i64) -> i64 {
        ((number + self.species_bias) << 8) + (class & 0xff)
    }

    /// Packs the number of a light with the terrain in the lower eight bits.
    pub fn light(self, light: i64, terrain: i64) -> i64 {
        ((light + self.light_bias) << 8) + (terrain & 0xff)
    }
}

/// A species of monster or type of object.
#[derive(Clone, Debug)]
pub struct Species {
    /// Its name; empty if the game has none.
    pub name: Name,
    /// Symbol of its class.
    pub class: char,
    /// Habits that determine where it can be placed; empty for objects.
    pub habits: Habits,
}

/// A core function: a function of the game that scripts can call.
#[derive(Clone, Debug)]
pub struct CoreFunction {
    /// Its name.
    pub name: Name,
    /// Its number.
    pub number: i32,
    /// A letter for each parameter: `i`nteger, `s`tring, `c`oordinate, `r`egion, `O`bject, `M`onster.
    pub parameters: Name,
    /// The letter of its result.
    pub result: char,
}

/// A method of a variable.
#[derive(Clone, Debug)]
pub struct Method {
    /// Type of the variable, as in `value_types`.
    pub of: Name,
    /// Set if the variable is an array.
    pub array: bool,
    /// Its name.
    pub name: Name,
    /// Its number among the core functions.
    pub number: i32,
    /// The letter of its result.
    pub result: char,
}

/// Limits of a game; 0 if there is no limit.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // the fields are the catalog's keys, described there
pub struct Limits {
    pub columns: i32,
    pub rows: i32,
    pub map_width: i32,
    pub map_height: i32,
    pub level_name: i32,
    pub room_columns: i32,
    pub room_rows: i32,
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

/// Data that a game's level loader needs, besides names and numbers.
#[derive(Clone, Debug)]
pub struct Loader {
    /// Rules in which it differs from other loaders.
    pub rules: LoaderRules,
    /// One past the number of the last trap type.
    pub trap_types: i32,
    /// Trap number of the vibrating square, or 0 if it is not a trap.
    pub vibrating_square: i32,
    /// Room types that are filled with many monsters.
    pub stocked_rooms: Table<Name>,
    /// Items left in a place that has no exit.
    pub escape_items: Table<Name>,
    /// Objects that stack: first and last number of each range.
    pub merging_objects: Table<(u16, u16)>,
    /// Trap types that are created at random only from a certain difficulty on, in addition to those common to all
    /// games: number, difficulty. The difficulty is [`NEVER_RANDOM`] for types that never are.
    pub deep_traps: Table<(u16, u16)>,
}

/// The difficulty of trap types that are never created at random.
pub const NEVER_RANDOM: u16 = u16::MAX;

impl Opcode {
    /// Returns the opcode called `name`, for tables generated at build time.
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

/// Creates a name of a built-in catalog.
const fn name(text: &'static str) -> Name {
    Cow::Borrowed(text)
}

/// Creates a table of a built-in catalog.
const fn table<T: Clone>(entries: &'static [T]) -> Table<T> {
    Cow::Borrowed(entries)
}

include!(concat!(env!("OUT_DIR"), "/catalogs.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_species_is_found_by_its_name_and_class() {
        for catalog in ALL {
            for (at, species) in catalog.monsters.iter().enumerate().filter(|(_, species)| !species.name.is_empty()) {
                let (found, how) = catalog.monster(&species.name, Some(species.class)).expect(&species.name);
                assert!(found as usize <= at && how == Match::Exact, "{}: {}", catalog.name, species.name);
                assert_eq!(catalog.monsters[found as usize].name, species.name);
            }
            for species in catalog.objects.iter().filter(|species| !species.name.is_empty()) {
                let shouted = species.name.to_uppercase();
                let (found, _) = catalog.object(&shouted, Some(species.class)).expect(&species.name);
                assert!(catalog.objects[found as usize].name.eq_ignore_ascii_case(&species.name));
            }
        }
    }

    #[test]
    fn names_beside_the_name_belong_to_what_has_them() {
        let catalog = Catalog::by_name("nethack-5.0.0").unwrap();
        let of = |number: &u16| catalog.monsters[usize::from(*number)].name.as_ref();
        let forms = |name: &str| {
            let forms = catalog.monster_forms.iter().filter(|(_, male, female)| male == name || female == name);
            forms.map(|(number, ..)| of(number)).collect::<Vec<_>>()
        };
        assert_eq!(forms("gnome lord"), ["gnome leader"]);
        assert_eq!(forms("Elvenqueen"), ["elven monarch"]);
        assert_eq!(forms("priestess"), ["aligned cleric", "cleric"]);
        let (bag, _) = catalog.object("bag of holding", None).unwrap();
        let described = catalog.object_descriptions.iter().find(|(number, _)| i32::from(*number) == bag);
        assert_eq!(described.unwrap().1, "bag");
        assert!(ALL.iter().all(|game| !game.has_level_files() || game.monster_forms.is_empty()));
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
