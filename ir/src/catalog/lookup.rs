//! Names to numbers and back. The games' compilers search their tables from the first entry on; the indices give the
//! same answers.

use super::{ALL, Catalog, CoreFunction, Dialect, Feature, Format, OwnWord, Species};
use crate::program::{Opcode, Unknown};
use crate::value::SpeciesName;
use crate::words::Group;

impl Dialect {
    /// The dialect that `catalog`'s game reads.
    pub fn of(catalog: &Catalog) -> Option<&'static Dialect> {
        Dialect::by_name(&catalog.dialect)
    }

    /// The game that is meant when nothing else is said.
    pub fn default_target(&self) -> Option<&'static Catalog> {
        Catalog::by_name(self.default_target)
    }
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

    /// Whether the game has level files, and a compiler that makes them of des-files.
    pub fn has_level_files(&self) -> bool {
        self.format != Format::Lua
    }

    /// Whether its levels are scripts, not lists of things.
    pub fn is_script(&self) -> bool {
        self.format != Format::Parts
    }

    /// Whether the game has `feature`.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// Whether `word` is one that the game's lexer knows.
    pub fn is_keyword(&self, word: &str) -> bool {
        self.keywords.binary_search_by(|known| known.as_ref().cmp(word)).is_ok()
    }

    /// Whether `word`, which some game's lexer knows, is a plain name to this one's. Asked for every word of a
    /// source, so the list is short.
    pub fn lacks_keyword(&self, word: &str) -> bool {
        self.lacking_keywords.binary_search_by(|known| known.as_ref().cmp(word)).is_ok()
    }

    /// What `word` is, if no built-in game's lexer knows it and this one's does.
    pub fn own_word(&self, word: &str) -> Option<OwnWord> {
        let at = self.own_words.binary_search_by(|(known, _)| known.as_ref().cmp(word)).ok()?;
        self.own_words.get(at).map(|(_, kind)| *kind)
    }

    /// The longest word that `text` begins with, of those that no built-in game's lexer knows and this one's does.
    pub fn own_word_at<'a>(&self, text: &'a str) -> Option<(&'a str, OwnWord)> {
        let begins = self.own_words.iter().filter(|(word, _)| text.starts_with(word.as_ref()));
        let (word, kind) = begins.max_by_key(|(word, _)| word.len())?;
        Some((text.get(..word.len())?, *kind))
    }

    /// Whether the game's lexer knows words that no built-in game's knows.
    pub fn has_own_words(&self) -> bool {
        !self.own_words.is_empty()
    }

    /// The opcode of the statement of one place that begins with `word`.
    pub fn place_opcode(&self, word: &str) -> Option<Opcode> {
        const OPCODES: [Opcode; 8] = [
            Opcode::Place1,
            Opcode::Place2,
            Opcode::Place3,
            Opcode::Place4,
            Opcode::Place5,
            Opcode::Place6,
            Opcode::Place7,
            Opcode::Place8,
        ];
        let at = self.place_statements.iter().position(|known| known == word)?;
        OPCODES.get(at).copied()
    }

    /// Number of `word` in `group`.
    pub fn word(&self, group: Group, word: &str) -> Option<i64> {
        self.words[group as usize].iter().find(|(key, _)| key == word).map(|&(_, number)| number)
    }

    /// The words of `group`.
    pub fn words(&self, group: Group) -> impl Iterator<Item = &str> {
        self.words[group as usize].iter().map(|(word, _)| word.as_ref())
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
        self.level_types.iter().position(|known| known == name).map(|at| at as i32)
    }

    /// Whether caves of the terrain `number` can be joined: those of corridors and of the floors of rooms, unless the
    /// game says which.
    pub fn can_be_joined(&self, number: i32) -> bool {
        let is = |name: &str| self.level_type(name) == Some(number);
        if self.joined_terrain.is_empty() {
            is("corr") || is("room")
        } else {
            self.joined_terrain.iter().any(|name| is(name))
        }
    }

    /// Number of an artifact.
    pub fn artifact(&self, name: &str) -> Option<i32> {
        self.artifacts.iter().position(|known| known == name).map(|at| at as i32)
    }

    /// Number of a god.
    pub fn god(&self, name: &str) -> Option<i32> {
        self.gods.iter().position(|known| known == name && !known.is_empty()).map(|at| at as i32)
    }

    /// Number of a trap.
    pub fn trap(&self, name: &str) -> Option<i32> {
        self.traps.iter().find(|(known, _)| known == name).map(|&(_, number)| number)
    }

    /// Number of a room type.
    pub fn room(&self, name: &str) -> Option<i32> {
        self.rooms.iter().find(|(known, _)| known == name).map(|&(_, number)| number)
    }

    /// Number of the monster class with this symbol, from 1.
    pub fn monster_class(&self, symbol: char) -> Option<usize> {
        self.monster_classes.chars().position(|known| known == symbol).map(|at| at + 1)
    }

    /// Number of the object class with this symbol, from 1.
    pub fn object_class(&self, symbol: char) -> Option<usize> {
        self.object_classes.chars().position(|known| known == symbol).map(|at| at + 1)
    }

    /// Number of the monster `name`, of class `class` if that is given. If no monster is called so, that is the first of
    /// which males or females are.
    pub fn monster(&self, name: &str, class: Option<char>) -> Option<(i32, Match)> {
        find(&self.monsters, &self.monsters_by_name, &self.monsters_by_folded_name, name, class)
            .or_else(|| self.forms_of(name, class).next().map(|number| (number, Match::IgnoringCase)))
    }

    /// The monsters of class `class`, if that is given, of which `name` is the name of the males or that of the females.
    pub fn forms_of(&self, name: &str, class: Option<char>) -> impl Iterator<Item = i32> {
        self.monster_forms
            .iter()
            .filter(move |(_, male, female)| [male, female].iter().any(|form| form.eq_ignore_ascii_case(name)))
            .map(|&(number, ..)| number)
            .filter(move |&number| class.is_none_or(|class| self.monsters[usize::from(number)].class == class))
            .map(i32::from)
    }

    /// Number of the object `name`, of class `class` if that is given.
    pub fn object(&self, name: &str, class: Option<char>) -> Option<(i32, Match)> {
        find(&self.objects, &self.objects_by_name, &self.objects_by_folded_name, name, class)
    }

    /// The core function `name`.
    pub fn core_function(&self, name: &str) -> Option<&CoreFunction> {
        self.core_functions.iter().find(|function| function.name == name)
    }

    /// Number of `opcode`.
    pub fn opcode(&self, opcode: Opcode) -> Option<i32> {
        self.opcodes.iter().position(|&known| known == opcode).map(|at| at as i32)
    }

    /// Number of a value type.
    pub fn value_type(&self, name: &str) -> Option<i64> {
        self.value_types.iter().find(|(key, _)| key == name).map(|&(_, number)| number)
    }

    /// The header of a level file for the ABI of that name.
    pub fn header(&self, abi: &str) -> Option<&[u64]> {
        self.headers.iter().find(|(name, _)| name == abi).map(|(_, longs)| longs.as_ref())
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
    let start = by_name.partition_point(|&at| species[usize::from(at)].name.as_ref() < name);
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
