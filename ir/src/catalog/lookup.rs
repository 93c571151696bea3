//! Lookups between names and numbers. The games' compilers search their tables from the first entry on; the indices
//! return the same results.

use super::{
    ALL, ByName, Catalog, Color, CoreFunction, Dialect, Feature, Format, Look, Name, OwnWord, Species, dialect,
};
use crate::program::{Opcode, Unknown};
use crate::value::SpeciesName;
use crate::words::Group;

impl Dialect {
    /// Returns the dialect of `catalog`'s game.
    pub fn of(catalog: &Catalog) -> Option<&'static Dialect> {
        Dialect::by_name(&catalog.dialect)
    }

    /// Returns the target if none is given.
    pub fn default_target(&self) -> Option<&'static Catalog> {
        Catalog::by_name(self.default_target)
    }
}

/// The quality of a name match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// The names are identical.
    Exact,
    /// The names differ in case.
    IgnoringCase,
}

/// Returns the titles of those of `dialects` whose usual game has something.
fn titles(dialects: impl Iterator<Item = &'static Dialect>, has: impl Fn(&Catalog) -> bool) -> Vec<&'static str> {
    let usual = dialects.filter(|dialect| dialect.default_target().is_some_and(&has));
    usual.map(|dialect| dialect.title).collect()
}

impl Catalog {
    /// Returns the built-in catalog called `name`.
    pub fn by_name(name: &str) -> Option<&'static Catalog> {
        ALL.iter().copied().find(|catalog| catalog.name == name)
    }

    /// Returns the titles of the dialects of des-files whose usual game has something.
    pub fn dialects_where(has: impl Fn(&Catalog) -> bool) -> Vec<&'static str> {
        titles(dialect::ALL.iter(), has)
    }

    /// Returns the titles of those dialects, and of Lua's.
    pub fn games_where(has: impl Fn(&Catalog) -> bool) -> Vec<&'static str> {
        titles(dialect::all(), has)
    }

    /// Returns true if the game has level files and a compiler that produces them from des-files.
    pub fn has_level_files(&self) -> bool {
        self.format != Format::Lua
    }

    /// Returns true if its levels are scripts, not lists of things.
    pub fn is_script(&self) -> bool {
        self.format != Format::Parts
    }

    /// Returns true if the game has `feature`.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// Returns the words that the game's lexer recognises, sorted. It takes other words for plain names.
    pub fn all_keywords(&self) -> &[Name] {
        &self.index.keywords
    }

    /// Returns the names of the males and females of monsters, if they differ from the monster's name: number, male,
    /// female. Sorted by number.
    pub fn monster_forms(&self) -> &[(u16, Name, Name)] {
        &self.index.monster_forms
    }

    /// Returns the descriptions of unidentified objects: number and description, sorted by number. Empty if levels
    /// cannot use them.
    pub fn object_descriptions(&self) -> &[(u16, Name)] {
        &self.index.object_descriptions
    }

    /// Returns the appearance of the type of squares `name`.
    pub fn look(&self, name: &str) -> Option<&Look> {
        self.looks.iter().find(|look| look.of == name)
    }

    /// Returns the colour of the trap called `name`, if known.
    pub fn trap_color(&self, name: &str) -> Option<Color> {
        self.trap_colors.iter().find(|(known, _)| known == name).map(|&(_, color)| color)
    }

    /// Returns true if the game's lexer recognises `word`.
    pub fn is_keyword(&self, word: &str) -> bool {
        self.index.keywords.binary_search_by(|known| known.as_ref().cmp(word)).is_ok()
    }

    /// Returns true if `word` is a keyword to another game's lexer and a plain name to this one's. Called for every
    /// word of a source, so the list is kept short.
    pub fn lacks_keyword(&self, word: &str) -> bool {
        self.index.lacking_keywords.binary_search_by(|known| known.as_ref().cmp(word)).is_ok()
    }

    /// Returns the meaning of `word` if this game's lexer recognises it and no built-in game's lexer does.
    pub fn own_word(&self, word: &str) -> Option<OwnWord> {
        let at = self.index.own_words.binary_search_by(|(known, _)| known.as_ref().cmp(word)).ok()?;
        self.index.own_words.get(at).map(|(_, kind)| *kind)
    }

    /// Returns the longest prefix of `text` that this game's lexer recognises as a word and no built-in game's lexer
    /// does.
    pub fn own_word_at<'a>(&self, text: &'a str) -> Option<(&'a str, OwnWord)> {
        let begins = self.index.own_words.iter().filter(|(word, _)| text.starts_with(word.as_ref()));
        let (word, kind) = begins.max_by_key(|(word, _)| word.len())?;
        Some((text.get(..word.len())?, *kind))
    }

    /// Returns true if the game's lexer recognises words that no built-in game's lexer does.
    pub fn has_own_words(&self) -> bool {
        !self.index.own_words.is_empty()
    }

    /// Returns the opcode of the one-place statement that begins with `word`.
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

    /// Returns the number of `word` in `group`.
    pub fn word(&self, group: Group, word: &str) -> Option<i64> {
        self.words[group as usize].iter().find(|(key, _)| key == word).map(|&(_, number)| number)
    }

    /// Returns the words of `group`.
    pub fn words(&self, group: Group) -> impl Iterator<Item = &str> {
        self.words[group as usize].iter().map(|(word, _)| word.as_ref())
    }

    /// Returns the terrain number of a map character.
    pub fn terrain(&self, character: char) -> Option<i32> {
        self.index.terrain.get(character as usize).copied().filter(|&number| number >= 0)
    }

    /// Returns the terrain number of each ASCII character, -1 for those that are not map characters.
    pub(crate) fn terrain_numbers(&self) -> &[i32] {
        &self.index.terrain
    }

    /// Returns the map character of a terrain number.
    pub fn map_character(&self, terrain: i32) -> Option<char> {
        (0..128_u8).map(char::from).find(|&character| self.terrain(character) == Some(terrain))
    }

    /// Returns the number of a terrain type, by its name in `level_types`.
    pub fn level_type(&self, name: &str) -> Option<i32> {
        self.level_types.iter().position(|known| known == name).map(|at| at as i32)
    }

    /// Returns true if caves of the terrain `number` can be joined: those of corridors and room floors, unless the
    /// catalog lists others.
    pub fn can_be_joined(&self, number: i32) -> bool {
        let is = |name: &str| self.level_type(name) == Some(number);
        if self.joined_terrain.is_empty() {
            is("corr") || is("room")
        } else {
            self.joined_terrain.iter().any(|name| is(name))
        }
    }

    /// Returns the number of an artifact.
    pub fn artifact(&self, name: &str) -> Option<i32> {
        self.artifacts.iter().position(|known| known == name).map(|at| at as i32)
    }

    /// Returns the number of a god.
    pub fn god(&self, name: &str) -> Option<i32> {
        self.gods.iter().position(|known| known == name && !known.is_empty()).map(|at| at as i32)
    }

    /// Returns the number of a trap.
    pub fn trap(&self, name: &str) -> Option<i32> {
        self.traps.iter().find(|(known, _)| known == name).map(|&(_, number)| number as i32)
    }

    /// Returns the number of a room type.
    pub fn room(&self, name: &str) -> Option<i32> {
        self.rooms.iter().find(|(known, _)| known == name).map(|&(_, number)| number as i32)
    }

    /// Returns the number of the monster class with this symbol, from 1.
    pub fn monster_class(&self, symbol: char) -> Option<usize> {
        self.monster_classes.chars().position(|known| known == symbol).map(|at| at + 1)
    }

    /// Returns the number of the object class with this symbol, from 1.
    pub fn object_class(&self, symbol: char) -> Option<usize> {
        self.object_classes.chars().position(|known| known == symbol).map(|at| at + 1)
    }

    /// Returns the number of the monster `name`, of class `class` if given. If there is none, returns the first monster
    /// whose males or females are called `name`.
    pub fn monster(&self, name: &str, class: Option<char>) -> Option<(i32, Match)> {
        find(&self.monsters, &self.index.monsters, name, class)
            .or_else(|| self.forms_of(name, class).next().map(|number| (number, Match::IgnoringCase)))
    }

    /// Returns the difficulties of the monsters by their numbers; none if the catalog does not have that of each.
    pub fn difficulties(&self) -> Vec<u16> {
        let known = &self.loader.monster_difficulties;
        if known.len() != self.monsters.len() {
            return Vec::new();
        }
        let mut all = vec![0; known.len()];
        for &(number, difficulty) in known.iter() {
            if let Some(slot) = all.get_mut(usize::from(number)) {
                *slot = difficulty;
            }
        }
        all
    }

    /// Returns the monsters, of class `class` if given, whose males or females are called `name`.
    pub fn forms_of(&self, name: &str, class: Option<char>) -> impl Iterator<Item = i32> {
        self.monster_forms()
            .iter()
            .filter(move |(_, male, female)| [male, female].iter().any(|form| form.eq_ignore_ascii_case(name)))
            .map(|&(number, ..)| number)
            .filter(move |&number| class.is_none_or(|class| self.monsters[usize::from(number)].class == class))
            .map(i32::from)
    }

    /// Returns the number of the object `name`, of class `class` if given.
    pub fn object(&self, name: &str, class: Option<char>) -> Option<(i32, Match)> {
        find(&self.objects, &self.index.objects, name, class)
    }

    /// Returns the core function `name`.
    pub fn core_function(&self, name: &str) -> Option<&CoreFunction> {
        self.core_functions.iter().find(|function| function.name == name)
    }

    /// Returns the number of `opcode`.
    pub fn opcode(&self, opcode: Opcode) -> Option<i32> {
        self.opcodes.iter().position(|&known| known == opcode).map(|at| at as i32)
    }

    /// Returns the number of a value type.
    pub fn value_type(&self, name: &str) -> Option<i64> {
        self.value_types.iter().find(|(key, _)| key == name).map(|&(_, number)| number)
    }

    /// Returns the header of a level file for the ABI called `abi`.
    pub fn header(&self, abi: &str) -> Option<&[u64]> {
        self.headers.iter().find(|(name, _)| name == abi).map(|(_, longs)| longs.as_ref())
    }

    /// Packs a monster as the games do: the number in the upper part, the class symbol in the lower eight bits.
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

    /// Packs an object as the games do. If only a name is given, the class is 1, meaning this exact object.
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

/// Returns the first species called `name`. An exact match takes precedence over one that ignores case (all of the
/// games' compilers: `get_monster_id`, `get_object_id`).
fn find(
    species: &[Species],
    ByName { exact: by_name, folded: by_folded_name }: &ByName,
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
