//! What a game knows: terrain, monsters, objects, traps, room types, keywords, opcode numbers, limits and
//! the version header of its level files.
//!
//! All of it is data, in `ir/catalogs/NAME.toml`, one file a game; the build turns those files into the
//! static tables behind [`ALL`]. Nothing else in splc knows a name or a number of a game.

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

/// A name of a game: of a built-in catalog's own text, or read while the program runs.
pub type Name = Cow<'static, str>;

/// A table of a game: static in a built-in catalog, owned by one that was read while the program runs.
pub type Table<T> = Cow<'static, [T]>;

/// How many groups of words there are, see [`Group`].
const GROUPS: usize = Group::ObjectFlag as usize + 1;

/// What one game knows.
#[derive(Clone, Debug)]
pub struct Catalog {
    /// Its name, e.g. `unnethack-6.0.4`.
    pub name: Name,
    /// Its name for people.
    pub title: Name,
    /// The language of its des-files.
    pub dialect: Name,
    /// Name of the catalog that this one is a variant of.
    pub extends: Option<Name>,
    /// What its level files are made of.
    pub format: Format,
    /// In what its compiler differs from the others of its dialect family.
    pub features: Features,
    /// How it packs several numbers into one.
    pub packing: Packing,
    /// Its opcodes; the position is the number.
    pub opcodes: Table<Opcode>,
    /// Terrain number of each character, -1 for none.
    terrain: Table<i32>,
    /// Names of the types of squares; the position is the number.
    pub level_types: Table<Name>,
    /// One past the last type of squares; as terrain of a map: what is below shows through.
    pub max_terrain: i32,
    /// Characters that a MAP line may hold, besides digits.
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
    /// What a male and a female monster are called, where that differs from its name: number, male, female. By number.
    pub monster_forms: Table<(u16, Name, Name)>,
    /// Objects; the position is the number.
    pub objects: Table<Species>,
    objects_by_name: Table<u16>,
    objects_by_folded_name: Table<u16>,
    /// What objects are called that are not known yet: number and description, by number. Empty where no level can say it.
    pub object_descriptions: Table<(u16, Name)>,
    /// What its level loader needs to know besides.
    pub loader: Loader,
    /// Core functions.
    pub core_functions: Table<CoreFunction>,
    /// Methods of variables.
    pub methods: Table<Method>,
    /// Words that its lexer knows, sorted; others are plain names to it.
    pub keywords: Table<Name>,
    /// Words that begin statements of one place, which no built-in game has; their opcodes are `place_1` and so on.
    pub place_statements: Table<Name>,
    /// Fields of the structures of its level files, where they are not those of NetHack 3.4.3: a line for each, such as
    /// `door x:char y:char state:char artifact:short`; see [`parts::Layouts`](crate::parts::Layouts).
    pub structures: Table<Name>,
    /// Names of the types of squares whose caves can be joined.
    pub joined_terrain: Table<Name>,
    /// Names of artifacts that doors can refer to; the number of the first is 0.
    pub artifacts: Table<Name>,
    /// Names of gods that altars can refer to; the number of the first is 0, which is that of none.
    pub gods: Table<Name>,
    /// Words that no built-in game's lexer knows and this one's does, sorted.
    own_words: Table<(Name, OwnWord)>,
    /// Words that another game's lexer knows and this one's does not, sorted.
    lacking_keywords: Table<Name>,
    /// The unsigned longs at the head of a level file, for each ABI.
    pub headers: Table<(Name, Table<u64>)>,
    /// Limits of the game.
    pub limits: Limits,
    /// What it knows of dungeons.
    pub dungeon: dungeon::Rules,
    /// Numbers of the types of values.
    pub value_types: Table<(Name, i64)>,
    /// Numbers of the parts of a monster.
    pub monster_parts: Table<(Name, i64)>,
    /// Numbers of the parts of an object.
    pub object_parts: Table<(Name, i64)>,
    /// Numbers of the kinds of level regions.
    pub level_regions: Table<(Name, i64)>,
    /// Numbers of the styles of INIT_MAP.
    pub init_styles: Table<(Name, i64)>,
    /// Numbers of the directions of drawbridges.
    pub drawbridge_directions: Table<(Name, i64)>,
    words: [Table<(Name, i64)>; GROUPS],
}

/// What a word is that only the game of a catalog has that was read while the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnWord {
    /// A level flag.
    Flag,
    /// The beginning of a statement of one place: `WORD: selection`.
    Statement,
    /// A detail of a monster: `word`, or `word: number`.
    MonsterDetail,
    /// A detail of an object.
    ObjectDetail,
    /// A material or flag of a door.
    DoorDetail,
    /// A word of a group that the other words of the group can stand for.
    Of(Group),
}

/// What level files are made of, if there are any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A list of opcodes: the script dialects.
    Opcodes,
    /// Parts and rooms: NetHack 3.4.3.
    Parts,
    /// There are none; levels are Lua scripts, which the game runs: NetHack 5.
    Lua,
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
#[derive(Clone, Debug)]
pub struct Species {
    /// Its name; empty where the game has none.
    pub name: Name,
    /// Symbol of its class.
    pub class: char,
    /// What tells where it can be; empty for objects.
    pub habits: Habits,
}

/// A core function: what a script can ask the game.
#[derive(Clone, Debug)]
pub struct CoreFunction {
    /// Its name.
    pub name: Name,
    /// Its number.
    pub number: i32,
    /// A letter for each parameter: `i`nteger, `s`tring, `c`oordinate, `r`egion, `O`bject, `M`onster.
    pub parameters: Name,
    /// A letter for its result.
    pub result: char,
}

/// A method of a variable.
#[derive(Clone, Debug)]
pub struct Method {
    /// Type of the variable, as in `value_types`.
    pub of: Name,
    /// Whether the variable is an array.
    pub array: bool,
    /// Its name.
    pub name: Name,
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

/// What a game's level loader needs to know besides names and numbers.
#[derive(Clone, Debug)]
pub struct Loader {
    /// In what it differs from the other loaders.
    pub rules: LoaderRules,
    /// One past the number of the last trap type.
    pub trap_types: i32,
    /// Number of the vibrating square among the traps; 0 if it is none.
    pub vibrating_square: i32,
    /// Room types that are filled with a crowd of monsters.
    pub stocked_rooms: Table<Name>,
    /// What is left in a place that nobody can leave.
    pub escape_items: Table<Name>,
    /// Objects of which several lie in one heap: first and last number of each range.
    pub merging_objects: Table<(u16, u16)>,
    /// Trap types that come at random only from some difficulty on, besides those of all games: number, difficulty;
    /// [`NEVER_RANDOM`] for those that never do.
    pub deep_traps: Table<(u16, u16)>,
}

/// The difficulty from which on traps come at random that never do.
pub const NEVER_RANDOM: u16 = u16::MAX;

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

/// A name of a built-in catalog.
const fn name(text: &'static str) -> Name {
    Cow::Borrowed(text)
}

/// A table of a built-in catalog.
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
