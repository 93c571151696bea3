//! The format of catalog files, and inheritance between them.
//!
//! Two programs share this reader: the build script turns the built-in catalogs into static tables, and
//! [`load`](super::load) creates catalogs at run time. The module therefore does not depend on the rest of the crate;
//! the names that a catalog may use (features, opcodes, ...) are passed to it as [`Known`].
//!
//! A file is read into a [`Draft`]: that of the catalog it `extends`, changed by the file. All mistakes are found in
//! one run, as [`Problem`]s. [`MAX_ENTRIES`] and similar limits bound the cost of a file.

mod changes;
mod check;
mod dungeon;
mod reader;
mod writer;

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

pub use changes::Numbers;
use changes::{Entry, Moved, NumberChanges, Position, Sequence, Shift, Step, change_numbers};
pub use dungeon::{DUNGEON_NUMBERS, DungeonDraft};
pub use reader::Place;
use reader::{Field, Section, near};
#[allow(unused_imports)] // the build script writes no catalogs
pub use writer::Comments;

/// The version of the catalog file format.
pub const SCHEMA: i64 = 1;

/// Most monsters, and most objects.
pub const MAX_SPECIES: usize = 20_000;

/// Most entries of any other table.
pub const MAX_ENTRIES: usize = 1024;

/// Most bytes of a name or other string.
pub const MAX_TEXT_BYTES: usize = 1024;

/// Most problems reported for one file.
pub const MAX_PROBLEMS: usize = 200;

/// The range of numbers for words, parts and similar entries: an int of the games.
const NUMBERS: RangeInclusive<i64> = i32::MIN as i64..=i32::MAX as i64;

/// Groups of `words`, in the order of [`Group`](crate::words::Group).
pub const GROUPS: &[&str] = &[
    "flag",
    "door_state",
    "direction",
    "alignment",
    "altar",
    "engraving",
    "curse",
    "attitude",
    "alertness",
    "appearance",
    "light",
    "filling",
    "irregular",
    "joined",
    "limited",
    "humidity",
    "gradient",
    "sound",
    "trapped",
    "horizontal",
    "vertical",
    "vertical_direction",
    "door_detail",
    "place_check",
    "object_flag",
];

/// Groups in which each word is a bit.
const BITS: &[&str] = &["flag", "door_state", "direction", "humidity", "object_flag"];

/// Tables of names with numbers, besides words, traps and room types.
pub const TABLES: &[&str] =
    &["value_types", "monster_parts", "object_parts", "level_regions", "init_styles", "drawbridge_directions"];

/// Limits of a game, each with the largest value that splc supports. A game may omit some of them.
pub const LIMITS: &[(&str, i64)] = &[
    ("columns", 80),
    ("rows", 21),
    ("map_width", 80),
    ("map_height", 21),
    ("level_name", 255),
    ("room_columns", 127),
    ("room_rows", 127),
    ("nesting", 100),
    ("switch_cases", 1000),
    ("switch_breaks", 1000),
    ("registers", 1000),
    ("room_types", 127),
    ("of_type", 32_767),
    ("message", 32_767),
    ("alignments", 127),
    ("parts", 127),
    ("rooms_and_subrooms", 127),
    ("subrooms", 127),
    ("non_passwall", 127),
    ("corridors", 32_767),
];

/// Constants for packed numbers.
pub const PACKING: &[&str] = &["species_bias", "light_bias", "random_place"];

/// The parts of the header of a level file (`version_info` in include/global.h of the games).
pub const HEADER_PARTS: &[&str] = &["incarnation", "feature_set", "entity_count", "struct_sizes1", "struct_sizes2"];

/// C types of the fields of structures in level files.
pub const FIELD_TYPES: &[&str] = &["char", "short", "int", "long", "text"];

/// Most unsigned longs in a header.
pub const MAX_HEADER: usize = 8;

/// The name of transparent terrain, which leaves the square below unchanged.
const SEE_THROUGH: &str = "see_through";

/// A mistake in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Its type.
    pub kind: Kind,
    /// Its place.
    pub place: Place,
    /// The message.
    pub message: String,
    /// Advice on how to fix it.
    pub help: Option<String>,
}

/// The type of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The file is not TOML.
    Syntax,
    /// A key, name or value that catalogs do not have.
    Entry,
    /// Two things that cannot both be true.
    Conflict,
}

/// The problems of a file, at most [`MAX_PROBLEMS`].
#[derive(Debug, Default)]
pub struct Problems {
    /// In the order in which they were found.
    pub list: Vec<Problem>,
}

impl Problems {
    fn push(&mut self, kind: Kind, place: Place, message: String, help: Option<String>) {
        if !self.is_full() {
            self.list.push(Problem { kind, place, message, help });
        }
    }

    fn is_full(&self) -> bool {
        self.list.len() >= MAX_PROBLEMS
    }

    fn missing(&mut self, section: &Section<'_, '_>, key: &str) {
        // A key that is present but wrong was already reported.
        if !section.has(key) {
            self.push(Kind::Entry, section.place(), format!("`{key}` is missing"), None);
        }
    }
}

/// The names that a catalog may use, in snake case.
#[derive(Debug)]
pub struct Known {
    /// Features of compilers.
    pub features: Vec<String>,
    /// Rules of level loaders.
    pub rules: Vec<String>,
    /// Habits of monsters.
    pub habits: Vec<String>,
    /// Opcodes. If absent, they are checked when the generated code is compiled.
    pub opcodes: Option<Vec<String>>,
    /// ABIs.
    pub abis: Vec<String>,
    /// Dialects.
    pub dialects: Vec<String>,
}

/// Formats of levels.
pub const FORMATS: &[&str] = &["opcodes", "parts", "lua"];

/// The format of games without level files: their levels are Lua scripts.
pub const LUA: &str = "lua";

/// A species of monster or type of object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpeciesDraft {
    /// Its name; empty if the game has none.
    pub name: String,
    /// Symbol of its class.
    pub class: char,
    /// Habits that determine where it can be placed.
    pub habits: Vec<String>,
    /// Further names: those of the males and females of a monster, or the description of an object.
    pub also: Vec<String>,
}

impl Entry for SpeciesDraft {
    fn name(&self) -> &str {
        &self.name
    }

    fn class(&self) -> Option<char> {
        Some(self.class)
    }
}

/// A core function.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDraft {
    /// Its name.
    pub name: String,
    /// Its number.
    pub number: i32,
    /// A letter for each parameter.
    pub parameters: String,
    /// The letter of its result.
    pub result: char,
}

/// A method of a variable.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodDraft {
    /// Type of the variable.
    pub of: String,
    /// Set if the variable is an array.
    pub array: bool,
    /// Its name.
    pub name: String,
    /// Its number.
    pub number: i32,
    /// The letter of its result.
    pub result: char,
}

/// Further data for a level loader.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoaderDraft {
    /// Rules in which it differs from other loaders.
    pub rules: Vec<String>,
    /// One past the number of the last trap type.
    pub trap_types: i64,
    /// Number of the vibrating square, or 0.
    pub vibrating_square: i64,
    /// Room types filled with many monsters.
    pub stocked_rooms: Vec<String>,
    /// Items left in places without an exit: a name, or name@class.
    pub escape_items: Vec<String>,
    /// Objects that stack: first and last number of each range.
    pub merging_objects: Vec<(u16, u16)>,
    /// Traps with a minimum difficulty: number, difficulty.
    pub deep_traps: Vec<(u16, u16)>,
}

/// The content of a catalog, in a form that can be changed.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)] // as the fields of `Catalog`
pub struct Draft {
    pub name: String,
    pub title: String,
    pub dialect: String,
    pub extends: Option<String>,
    pub format: String,
    pub features: Vec<String>,
    pub packing: [i64; PACKING.len()],
    pub opcodes: Vec<String>,
    /// Characters with their terrain; one past the last type is transparent.
    pub terrain: Vec<(char, usize)>,
    pub level_types: Vec<String>,
    pub map_characters: String,
    pub traps: Numbers,
    pub rooms: Numbers,
    pub monster_classes: String,
    pub object_classes: String,
    pub monsters: Vec<SpeciesDraft>,
    pub objects: Vec<SpeciesDraft>,
    pub loader: LoaderDraft,
    pub core_functions: Vec<FunctionDraft>,
    pub methods: Vec<MethodDraft>,
    /// Keywords of statements that take one place; the position is the index of the opcode, `place_1` and so on.
    pub place_statements: Vec<String>,
    pub structures: Vec<String>,
    pub joined_terrain: Vec<String>,
    pub artifacts: Vec<String>,
    pub gods: Vec<String>,
    /// Words of the lexer outside all word groups, sorted.
    pub keywords: Vec<String>,
    pub header: BTreeMap<String, Vec<u64>>,
    pub limits: [i64; LIMITS.len()],
    pub dungeon: DungeonDraft,
    /// In the order of [`TABLES`]; each sorted.
    pub tables: [Numbers; TABLES.len()],
    /// In the order of [`GROUPS`]; each sorted.
    pub words: [Numbers; GROUPS.len()],
}

impl Draft {
    /// Returns every word that the lexer recognises, sorted.
    pub fn all_keywords(&self) -> Vec<&str> {
        let words = self.words.iter().flatten().map(|(word, _)| word.as_str());
        let mut all: Vec<&str> = self.keywords.iter().map(String::as_str).chain(words).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Sorts the tables that are kept sorted.
    pub fn normalise(&mut self) {
        self.tables.iter_mut().chain(&mut self.words).for_each(|table| table.sort());
        let words = &self.words;
        self.keywords.retain(|word| !words.iter().flatten().any(|(known, _)| known == word));
        self.keywords.sort();
        self.keywords.dedup();
    }
}

/// Returns the name of the catalog that the file with this `text` extends, and the place of that name.
pub fn parent(text: &str) -> Option<(String, Place)> {
    let table = reader::parse(text, &mut Problems::default());
    let mut section = Section::new("", table.span(), table.get_ref());
    let field = section.take("extends")?;
    Some((field.text(&mut Problems::default())?.to_owned(), field.place()))
}

/// Returns the name that the catalog with this `text` gives itself.
pub fn own_name(text: &str) -> Option<String> {
    let table = reader::parse(text, &mut Problems::default());
    let mut section = Section::new("", table.span(), table.get_ref());
    section.text("name", &mut Problems::default()).map(str::to_owned)
}

/// Reads the catalog file `text`. `parent` is the catalog that it extends, if any.
///
/// Mistakes go to `problems`; the draft then contains the parts that could be read.
pub fn read(text: &str, parent: Option<Draft>, known: &Known, problems: &mut Problems) -> Draft {
    let table = reader::parse(text, problems);
    if !problems.list.is_empty() {
        // Further problems would only follow from the syntax error.
        return Draft::default();
    }
    let extends = parent.is_some();
    let mut edit = Edit { draft: parent.unwrap_or_default(), known, problems, places: HashMap::new() };
    let mut section = Section::new("", table.span(), table.get_ref());
    edit.identity(&mut section, extends);
    edit.compiler(&mut section, extends);
    edit.squares(&mut section, extends);
    edit.kinds(&mut section, extends);
    edit.loader(&mut section);
    edit.language(&mut section, extends);
    edit.header(&mut section, extends);
    edit.dungeon(&mut section);
    section.finish(edit.problems);
    edit.draft.normalise();
    if edit.problems.list.is_empty() {
        edit.check();
    }
    edit.draft
}

/// A draft being changed by a file.
struct Edit<'a> {
    draft: Draft,
    known: &'a Known,
    problems: &'a mut Problems,
    /// Places in this file, by the path of a key or entry, for reporting contradictions.
    places: HashMap<String, Place>,
}

impl Edit<'_> {
    fn note(&mut self, path: impl Into<String>, place: Place) {
        self.places.insert(path.into(), place);
    }

    /// Removes and returns a value that is required in a file without a parent.
    fn required<'a, 'i>(&mut self, section: &mut Section<'a, 'i>, key: &str, extends: bool) -> Option<Field<'a, 'i>> {
        let field = section.take(key);
        match &field {
            Some(field) => self.note(key, field.place()),
            None if extends => {}
            None => {
                let message = format!("`{key}` is missing");
                let help = "add it: a catalog that does not extend another one needs all keys".to_owned();
                self.problems.push(Kind::Entry, 0..0, message, Some(help));
            }
        }
        field
    }

    fn identity(&mut self, section: &mut Section<'_, '_>, extends: bool) {
        if let Some(schema) = self.required(section, "schema", extends)
            && let Some(number) = schema.integer(0..=i64::MAX, self.problems)
            && number != SCHEMA
        {
            let message = format!("unknown catalog schema {number}");
            self.problems.push(
                Kind::Entry,
                schema.place(),
                message,
                Some(format!("write {SCHEMA}, the current schema")),
            );
        }
        self.draft.extends = section.text("extends", self.problems).map(str::to_owned);
        if let Some(name) = self.required(section, "name", false)
            && let Some(text) = name.line(self.problems)
        {
            if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_')) {
                let message = format!("\"{text}\" is not a valid target name");
                let help = "use letters, digits, dashes and dots: slashem-0.0.7".to_owned();
                self.problems.push(Kind::Entry, name.place(), message, Some(help));
            }
            self.draft.name = text.to_owned();
        }
        if let Some(title) = self.required(section, "title", false) {
            self.draft.title = title.line(self.problems).unwrap_or_default().to_owned();
        }
        if let Some(dialect) = self.required(section, "dialect", extends)
            && let Some(name) = dialect.text(self.problems)
        {
            self.draft.dialect = name.to_owned();
            self.known_name("dialect", name, dialect.place(), |known| &known.dialects);
        }
        if let Some(format) = self.required(section, "format", extends)
            && let Some(name) = format.text(self.problems)
        {
            self.draft.format = name.to_owned();
            if !FORMATS.contains(&name) {
                let message = format!("unknown level file format \"{name}\"");
                let help = format!("write one of {}", FORMATS.join(" or "));
                self.problems.push(Kind::Entry, format.place(), message, Some(help));
            }
        }
    }

    /// Returns true if `name` is known, and reports a problem otherwise.
    fn known_name(&mut self, what: &str, name: &str, place: Place, among: impl Fn(&Known) -> &Vec<String>) -> bool {
        let known = among(self.known);
        let is_known = known.iter().any(|known| known == name);
        if !is_known {
            let help = near(name, known.iter().map(String::as_str));
            self.problems.push(Kind::Entry, place, format!("unknown {what} \"{name}\""), help);
        }
        is_known
    }

    fn known_opcode(&mut self, name: &str, place: Place) -> bool {
        static NONE: Vec<String> = Vec::new();
        self.known.opcodes.is_none()
            || self.known_name("opcode", name, place, |known| known.opcodes.as_ref().unwrap_or(&NONE))
    }

    /// Reads a list of names, in full or changed by `add_...` and `remove_...`.
    fn names(
        &mut self,
        section: &mut Section<'_, '_>,
        key: &str,
        names: &mut Vec<String>,
        mut is_known: impl FnMut(&mut Self, &mut String, Place) -> bool,
    ) -> bool {
        let given = section.take(key);
        let is_given = given.is_some();
        if let Some(field) = given {
            names.clear();
            self.note(&field.path, field.place());
            for (mut name, place) in field.texts(MAX_ENTRIES, self.problems) {
                if is_known(self, &mut name, place) {
                    names.push(name);
                }
            }
        }
        if let Some(field) = section.take(&format!("remove_{key}")) {
            for (mut name, place) in field.texts(MAX_ENTRIES, self.problems) {
                let plain = name.clone();
                // `is_known` normalises the spelling. The list contains only known names.
                if !is_known(self, &mut name, place.clone()) {
                    continue;
                }
                let before = names.len();
                names.retain(|known| *known != name);
                if names.len() == before {
                    let help = near(&name, names.iter().map(String::as_str));
                    self.problems.push(Kind::Entry, place, format!("`{key}` does not have \"{plain}\""), help);
                }
            }
        }
        if let Some(field) = section.take(&format!("add_{key}")) {
            for (mut name, place) in field.texts(MAX_ENTRIES, self.problems) {
                if is_known(self, &mut name, place) && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        is_given
    }

    fn compiler(&mut self, section: &mut Section<'_, '_>, extends: bool) {
        let mut features = std::mem::take(&mut self.draft.features);
        let given = self.names(section, "features", &mut features, |edit, name, place| {
            *name = name.replace('-', "_");
            edit.known_name("feature", name, place, |known| &known.features)
        });
        if !given && !extends {
            self.problems.push(Kind::Entry, 0..0, "`features` is missing".to_owned(), None);
        }
        self.draft.features = features;
        if let Some(mut packing) = section.section("packing", self.problems) {
            for (at, key) in PACKING.iter().enumerate() {
                if let Some(number) = packing.take(key).and_then(|field| field.integer(NUMBERS, self.problems)) {
                    self.draft.packing[at] = number;
                }
            }
            packing.finish(self.problems);
        }
        if let Some(field) = self.required(section, "opcodes", extends) {
            self.draft.opcodes = self.opcodes(&field);
        }
        let opcodes = std::mem::take(&mut self.draft.opcodes);
        let mut sequence = Sequence::new("opcode", opcodes);
        self.plain_changes(section, "opcodes", &mut sequence, |edit, name, place| edit.known_opcode(name, place));
        (self.draft.opcodes, _) = sequence.finish(self.problems);
    }

    fn opcodes(&mut self, field: &Field<'_, '_>) -> Vec<String> {
        let mut opcodes = field.texts(MAX_ENTRIES, self.problems);
        opcodes.retain(|(name, place)| self.known_opcode(name, place.clone()));
        opcodes.into_iter().map(|(name, _)| name).collect()
    }

    /// `remove_KEY = ["a"]`, `rename_KEY = { old = "new" }`, `add_KEY = [{ name = "a", after = "b" }]`.
    fn plain_changes(
        &mut self,
        section: &mut Section<'_, '_>,
        key: &str,
        sequence: &mut Sequence<String>,
        mut is_known: impl FnMut(&mut Self, &str, Place) -> bool,
    ) {
        if let Some(field) = section.take(&format!("remove_{key}")) {
            for (name, place) in field.texts(MAX_ENTRIES, self.problems) {
                sequence.remove(&name, &place, self.problems);
            }
        }
        if let Some(mut renamed) = section.section(&format!("rename_{key}"), self.problems) {
            for field in renamed.rest() {
                let Some(new) = field.line(self.problems) else { continue };
                if is_known(self, new, field.place()) {
                    sequence.change(field.name(), &field.key(), self.problems, |entry| *entry = new.to_owned());
                }
            }
        }
        if let Some(field) = section.take(&format!("add_{key}")) {
            for field in field.list(MAX_ENTRIES, self.problems) {
                let Some(mut entry) = field.section(self.problems) else { continue };
                let name = entry.take("name").and_then(|field| Some((field.line(self.problems)?, field.place())));
                let position = Position::read(&mut entry, self.problems);
                if name.is_none() {
                    self.problems.missing(&entry, "name");
                }
                entry.finish(self.problems);
                let Some((name, place)) = name else { continue };
                self.note(format!("{key}.{name}"), place.clone());
                if is_known(self, name, place) {
                    sequence.add(name.to_owned(), position, self.problems);
                }
            }
        }
    }

    fn squares(&mut self, section: &mut Section<'_, '_>, extends: bool) {
        if let Some(field) = self.required(section, "level_types", extends) {
            self.draft.level_types =
                field.texts(MAX_ENTRIES, self.problems).into_iter().map(|(name, _)| name).collect();
            self.draft.terrain.clear();
        }
        let mut sequence = Sequence::new("type of squares", std::mem::take(&mut self.draft.level_types));
        self.plain_changes(section, "level_types", &mut sequence, |_, _, _| true);
        let moved;
        (self.draft.level_types, moved) = sequence.finish(self.problems);
        self.draft.terrain.retain_mut(|(_, number)| match moved.number(*number) {
            Some(now) => {
                *number = now;
                true
            }
            None => false,
        });
        if let Some(field) = self.required(section, "max_terrain", extends)
            && let Some(number) = field.integer(0..=127, self.problems)
            && number != self.draft.level_types.len() as i64
        {
            let count = self.draft.level_types.len();
            let message = format!("`max_terrain` is {number}, but there are only {count} types of squares");
            self.problems.push(Kind::Conflict, field.place(), message, None);
        }
        if let Some(field) = self.required(section, "map_characters", extends) {
            self.draft.map_characters = field.text(self.problems).unwrap_or_default().to_owned();
        }
        if let Some(field) = self.required(section, "terrain", extends) {
            self.draft.terrain.clear();
            for field in field.list(MAX_ENTRIES, self.problems) {
                let Some([character, name, number]) = field.row(self.problems) else { continue };
                let (Some(character), Some(name), Some(number)) = (
                    character.character(self.problems),
                    name.text(self.problems),
                    number.integer(0..=127, self.problems),
                ) else {
                    continue;
                };
                self.note(format!("terrain.{character}"), field.place());
                let known = self.draft.level_types.get(number as usize).map_or(SEE_THROUGH, String::as_str);
                if known != name {
                    let message = format!("type {number} of squares is \"{known}\", not \"{name}\"");
                    self.problems.push(Kind::Conflict, field.place(), message, None);
                }
                self.draft.terrain.push((character, number as usize));
            }
        }
        if let Some(field) = section.take("remove_terrain") {
            for field in field.list(MAX_ENTRIES, self.problems) {
                let Some(character) = field.character(self.problems) else { continue };
                let before = self.draft.terrain.len();
                self.draft.terrain.retain(|&(known, _)| known != character);
                self.draft.map_characters.retain(|known| known != character);
                if self.draft.terrain.len() == before {
                    let message = format!("no terrain has the character '{}'", character.escape_debug());
                    self.problems.push(Kind::Entry, field.place(), message, None);
                }
            }
        }
        if let Some(field) = section.take("add_terrain") {
            for field in field.list(MAX_ENTRIES, self.problems) {
                self.add_terrain(&field);
            }
        }
    }

    fn add_terrain(&mut self, field: &Field<'_, '_>) {
        let Some(mut entry) = field.section(self.problems) else { return };
        let character = entry.take("character").and_then(|field| field.character(self.problems));
        let ty = entry.take("type").and_then(|field| Some((field.text(self.problems)?, field.place())));
        if character.is_none() {
            self.problems.missing(&entry, "character");
        }
        if ty.is_none() {
            self.problems.missing(&entry, "type");
        }
        entry.finish(self.problems);
        let (Some(character), Some((name, place))) = (character, ty) else { return };
        let types = &self.draft.level_types;
        let number = if name == SEE_THROUGH { Some(types.len()) } else { types.iter().position(|known| known == name) };
        let Some(number) = number else {
            let help = near(name, types.iter().map(String::as_str));
            let message = format!("`level_types` does not have \"{name}\"");
            self.problems.push(Kind::Entry, place, message, help);
            return;
        };
        self.note(format!("terrain.{character}"), field.place());
        // A later entry for the same character replaces the earlier one.
        self.draft.terrain.retain(|&(known, _)| known != character);
        self.draft.terrain.push((character, number));
        if !self.draft.map_characters.contains(character) {
            self.draft.map_characters.push(character);
        }
    }

    fn pairs(&mut self, field: &Field<'_, '_>, prefix: &str) -> Numbers {
        let mut pairs = Numbers::new();
        for field in field.list(MAX_ENTRIES, self.problems) {
            let Some([name, number]) = field.row(self.problems) else { continue };
            let (name, number) = (name.line(self.problems), number.integer(NUMBERS, self.problems));
            let (Some(name), Some(number)) = (name, number) else { continue };
            self.note(format!("{prefix}.{name}"), field.place());
            pairs.push((name.to_owned(), number));
        }
        pairs
    }

    /// Reads traps or room types: names with numbers that a file lists in order.
    fn numbered(
        &mut self,
        section: &mut Section<'_, '_>,
        key: &str,
        what: &str,
        numbers: &mut Numbers,
        extends: bool,
    ) -> Vec<Shift> {
        if let Some(field) = self.required(section, key, extends) {
            *numbers = self.pairs(&field, key);
        }
        let changes = NumberChanges {
            remove: section.take(&format!("remove_{key}")),
            rename: section.take(&format!("rename_{key}")),
            renumber: section.take(&format!("renumber_{key}")),
            add: section.take(&format!("add_{key}")),
        };
        let places = &mut self.places;
        let note = |name: &str, place: Place| {
            places.insert(format!("{key}.{name}"), place);
        };
        change_numbers(what, numbers, changes, Step::One, note, self.problems)
    }

    fn kinds(&mut self, section: &mut Section<'_, '_>, extends: bool) {
        let mut traps = std::mem::take(&mut self.draft.traps);
        let shifts = self.numbered(section, "traps", "trap", &mut traps, extends);
        let loader = &mut self.draft.loader;
        for shift in shifts {
            loader.trap_types = shift.apply(loader.trap_types);
            if loader.vibrating_square > 0 {
                loader.vibrating_square = shift.apply(loader.vibrating_square);
            }
            loader.deep_traps.iter_mut().for_each(|(trap, _)| *trap = shift.apply(i64::from(*trap)) as u16);
        }
        if extends {
            let last = traps.iter().map(|&(_, number)| number).max().unwrap_or(0);
            loader.trap_types = loader.trap_types.max(last.saturating_add(1));
        }
        self.draft.traps = traps;
        let mut rooms = std::mem::take(&mut self.draft.rooms);
        let shifts = self.numbered(section, "rooms", "room type", &mut rooms, extends);
        if let Some(at) = LIMITS.iter().position(|(name, _)| *name == "room_types") {
            let last = rooms.iter().map(|&(_, number)| number).max().unwrap_or(0);
            let most = &mut self.draft.limits[at];
            *most = shifts.into_iter().fold(*most, |most, shift| shift.apply(most));
            if extends {
                *most = (*most).max(last);
            }
        }
        self.draft.rooms = rooms;

        for (key, add) in [("monster_classes", "add_monster_classes"), ("object_classes", "add_object_classes")] {
            let given = self.required(section, key, extends);
            let given = given.and_then(|field| field.text(self.problems)).map(str::to_owned);
            let more = section.text(add, self.problems).unwrap_or_default();
            let classes = match key {
                "monster_classes" => &mut self.draft.monster_classes,
                _ => &mut self.draft.object_classes,
            };
            *classes = given.unwrap_or_else(|| std::mem::take(classes)) + more;
        }
        let monsters = std::mem::take(&mut self.draft.monsters);
        (self.draft.monsters, _) = self.species(section, "monsters", "monster", monsters, extends);
        let objects = std::mem::take(&mut self.draft.objects);
        let moved;
        (self.draft.objects, moved) = self.species(section, "objects", "object", objects, extends);
        let ranges = std::mem::take(&mut self.draft.loader.merging_objects);
        let ranges = ranges.into_iter().filter_map(|(first, last)| {
            let (first, last) = moved.range(usize::from(first), usize::from(last))?;
            Some((u16::try_from(first).ok()?, u16::try_from(last).ok()?))
        });
        self.draft.loader.merging_objects = ranges.collect();
    }

    fn habits(&mut self, field: &Field<'_, '_>) -> Vec<String> {
        let text = field.text(self.problems).unwrap_or_default();
        let mut habits: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        habits.retain(|habit| self.known_name("habit", habit, field.place(), |known| &known.habits));
        habits
    }

    /// Reads the further names of a monster or object.
    fn also(&mut self, field: &Field<'_, '_>, key: &str) -> Vec<String> {
        let most = if key == "monsters" { 2 } else { 1 };
        let names = field.texts(most, self.problems);
        if key == "monsters" && names.len() == 1 {
            let message = "a monster needs both names or neither: that of the male and that of the female".to_owned();
            self.problems.push(Kind::Entry, field.place(), message, None);
            return Vec::new();
        }
        names.into_iter().map(|(name, _)| name).collect()
    }

    fn species(
        &mut self,
        section: &mut Section<'_, '_>,
        key: &str,
        what: &'static str,
        mut table: Vec<SpeciesDraft>,
        extends: bool,
    ) -> (Vec<SpeciesDraft>, Moved) {
        if let Some(field) = self.required(section, key, extends) {
            table.clear();
            for field in field.list(MAX_SPECIES, self.problems) {
                // Objects have no habits.
                let (name, class, habits, also) = if key == "monsters" {
                    if field.length() == 5 {
                        let Some([name, class, habits, male, female]) = field.row(self.problems) else { continue };
                        (name, class, self.habits(&habits), vec![male, female])
                    } else {
                        let Some([name, class, habits]) = field.row(self.problems) else { continue };
                        (name, class, self.habits(&habits), Vec::new())
                    }
                } else if field.length() == 3 {
                    let Some([name, class, description]) = field.row(self.problems) else { continue };
                    (name, class, Vec::new(), vec![description])
                } else {
                    let Some([name, class]) = field.row(self.problems) else { continue };
                    (name, class, Vec::new(), Vec::new())
                };
                let (name, class) = (name.text(self.problems), class.character(self.problems));
                let also = also.iter().filter_map(|name| name.text(self.problems).map(str::to_owned)).collect();
                let (Some(name), Some(class)) = (name, class) else { continue };
                self.note(format!("{key}[{}]", table.len()), field.place());
                table.push(SpeciesDraft { name: name.to_owned(), class, habits, also });
            }
        }
        let mut sequence = Sequence::new(what, table);
        if let Some(field) = section.take(&format!("remove_{key}")) {
            for (name, place) in field.texts(MAX_SPECIES, self.problems) {
                sequence.remove(&name, &place, self.problems);
            }
        }
        if let Some(mut renamed) = section.section(&format!("rename_{key}"), self.problems) {
            for field in renamed.rest() {
                let Some(new) = field.line(self.problems) else { continue };
                self.note(format!("{key}.{new}"), field.place());
                sequence.change(field.name(), &field.key(), self.problems, |entry| entry.name = new.to_owned());
            }
        }
        if let Some(field) = section.take(&format!("change_{key}")) {
            for field in field.list(MAX_SPECIES, self.problems) {
                self.change_species(&field, key, &mut sequence);
            }
        }
        if let Some(field) = section.take(&format!("add_{key}")) {
            for field in field.list(MAX_SPECIES, self.problems) {
                self.add_species(&field, key, &mut sequence);
            }
        }
        sequence.finish(self.problems)
    }

    fn change_species(&mut self, field: &Field<'_, '_>, key: &str, sequence: &mut Sequence<SpeciesDraft>) {
        let Some(mut entry) = field.section(self.problems) else { return };
        let name = entry.take("name").and_then(|field| Some((field.text(self.problems)?, field.place())));
        let renamed = entry.take("rename").and_then(|field| field.line(self.problems));
        let class = entry.take("class").and_then(|field| field.character(self.problems));
        let habits = entry.take("habits").map(|field| self.habits(&field));
        let also = entry.take("also").map(|field| self.also(&field, key));
        if name.is_none() {
            self.problems.missing(&entry, "name");
        }
        entry.finish(self.problems);
        let Some((name, place)) = name else { return };
        self.note(format!("{key}.{}", renamed.unwrap_or(name)), field.place());
        sequence.change(name, &place, self.problems, |species| {
            if let Some(renamed) = renamed {
                species.name = renamed.to_owned();
            }
            species.class = class.unwrap_or(species.class);
            if let Some(habits) = habits {
                species.habits = habits;
            }
            if let Some(also) = also {
                species.also = also;
            }
        });
    }

    fn add_species(&mut self, field: &Field<'_, '_>, key: &str, sequence: &mut Sequence<SpeciesDraft>) {
        let Some(mut entry) = field.section(self.problems) else { return };
        let name = entry.take("name").and_then(|field| field.text(self.problems));
        let class = entry.take("class").and_then(|field| field.character(self.problems));
        let habits = entry.take("habits").map(|field| self.habits(&field)).unwrap_or_default();
        let also = entry.take("also").map(|field| self.also(&field, key)).unwrap_or_default();
        let position = Position::read(&mut entry, self.problems);
        for (key, missing) in [("name", name.is_none()), ("class", class.is_none())] {
            if missing {
                self.problems.missing(&entry, key);
            }
        }
        entry.finish(self.problems);
        let (Some(name), Some(class)) = (name, class) else { return };
        self.note(format!("{key}.{name}"), field.place());
        sequence.add(SpeciesDraft { name: name.to_owned(), class, habits, also }, position, self.problems);
    }

    fn loader(&mut self, section: &mut Section<'_, '_>) {
        let Some(mut section) = section.section("loader", self.problems) else { return };
        let mut loader = std::mem::take(&mut self.draft.loader);
        self.names(&mut section, "rules", &mut loader.rules, |edit, name, place| {
            *name = name.replace('-', "_");
            edit.known_name("loader rule", name, place, |known| &known.rules)
        });
        for (key, number) in
            [("trap_types", &mut loader.trap_types), ("vibrating_square", &mut loader.vibrating_square)]
        {
            if let Some(given) = section.take(key).and_then(|field| field.integer(0..=127, self.problems)) {
                *number = given;
            }
        }
        self.names(&mut section, "stocked_rooms", &mut loader.stocked_rooms, |edit, name, place| {
            edit.note(format!("stocked_rooms.{name}"), place);
            true
        });
        self.names(&mut section, "escape_items", &mut loader.escape_items, |edit, name, place| {
            edit.note(format!("escape_items.{name}"), place);
            true
        });
        for (key, pairs) in [("merging_objects", &mut loader.merging_objects), ("deep_traps", &mut loader.deep_traps)] {
            let Some(field) = section.take(key) else { continue };
            pairs.clear();
            self.note(key, field.place());
            for field in field.list(MAX_ENTRIES, self.problems) {
                let Some(row) = field.row::<2>(self.problems) else { continue };
                let [first, second] = row.map(|field| field.integer(0..=i64::from(u16::MAX), self.problems));
                if let (Some(first), Some(second)) = (first, second) {
                    pairs.push((first as u16, second as u16));
                }
            }
        }
        section.finish(self.problems);
        self.draft.loader = loader;
    }

    fn language(&mut self, section: &mut Section<'_, '_>, extends: bool) {
        if let Some(field) = self.required(section, "core_functions", extends) {
            self.draft.core_functions.clear();
            for field in field.list(MAX_ENTRIES, self.problems) {
                let Some([name, number, parameters, result]) = field.row(self.problems) else { continue };
                self.core_function(&field, Some(name), Some(number), Some(parameters), Some(result));
            }
        }
        if let Some(field) = section.take("remove_core_functions") {
            for (name, place) in field.texts(MAX_ENTRIES, self.problems) {
                let before = self.draft.core_functions.len();
                self.draft.core_functions.retain(|function| function.name != name);
                if self.draft.core_functions.len() == before {
                    let known = self.draft.core_functions.iter().map(|function| function.name.as_str());
                    let help = near(&name, known);
                    self.problems.push(Kind::Entry, place, format!("unknown core function \"{name}\""), help);
                }
            }
        }
        if let Some(field) = section.take("add_core_functions") {
            for field in field.list(MAX_ENTRIES, self.problems) {
                let Some(mut entry) = field.section(self.problems) else { continue };
                let [name, number, parameters, result] =
                    ["name", "number", "parameters", "result"].map(|key| entry.take(key));
                entry.finish(self.problems);
                self.core_function(&field, name, number, parameters, result);
            }
        }
        if let Some(field) = self.required(section, "methods", extends) {
            self.draft.methods.clear();
            for field in field.list(MAX_ENTRIES, self.problems) {
                let Some([of, array, name, number, result]) = field.row(self.problems) else { continue };
                let problems = &mut *self.problems;
                let method = (|| {
                    Some(MethodDraft {
                        of: of.text(problems)?.to_owned(),
                        array: array.truth(problems)?,
                        name: name.line(problems)?.to_owned(),
                        number: number.integer(0..=63, problems)? as i32,
                        result: result.character(problems)?,
                    })
                })();
                self.draft.methods.extend(method);
            }
        }
        let mut places = std::mem::take(&mut self.draft.place_statements);
        self.names(section, "place_statements", &mut places, |edit, name, place| {
            edit.note(format!("place_statements.{name}"), place);
            true
        });
        self.draft.place_statements = places;
        let mut structures = std::mem::take(&mut self.draft.structures);
        self.names(section, "structures", &mut structures, |edit, line, place| edit.structure(line, place));
        self.draft.structures = structures;
        let mut joined = std::mem::take(&mut self.draft.joined_terrain);
        self.names(section, "joined_terrain", &mut joined, |edit, name, place| {
            edit.note(format!("joined_terrain.{name}"), place);
            true
        });
        self.draft.joined_terrain = joined;
        let mut artifacts = std::mem::take(&mut self.draft.artifacts);
        self.names(section, "artifacts", &mut artifacts, |_, _, _| true);
        self.draft.artifacts = artifacts;
        let mut gods = std::mem::take(&mut self.draft.gods);
        self.names(section, "gods", &mut gods, |_, _, _| true);
        self.draft.gods = gods;
        let mut keywords = std::mem::take(&mut self.draft.keywords);
        let given = self.names(section, "keywords", &mut keywords, |_, _, _| true);
        if !given && !extends {
            self.problems.push(Kind::Entry, 0..0, "`keywords` is missing".to_owned(), None);
        }
        self.draft.keywords = keywords;

        if let Some(mut limits) = section.section("limits", self.problems) {
            for (at, (key, most)) in LIMITS.iter().enumerate() {
                if let Some(field) = limits.take(key)
                    && let Some(number) = field.integer(0..=*most, self.problems)
                {
                    self.note(format!("limits.{key}"), field.place());
                    self.draft.limits[at] = number;
                }
            }
            limits.finish(self.problems);
        }
        for (at, key) in TABLES.iter().enumerate() {
            let mut numbers = std::mem::take(&mut self.draft.tables[at]);
            let given = section.take(key);
            let changes = NumberChanges {
                remove: section.take(&format!("remove_{key}")),
                rename: section.take(&format!("rename_{key}")),
                renumber: None,
                add: section.take(&format!("add_{key}")),
            };
            self.merge(given, key, &mut numbers);
            let places = &mut self.places;
            let note = |name: &str, place: Place| {
                places.insert(format!("{key}.{name}"), place);
            };
            change_numbers(key, &mut numbers, changes, Step::One, note, self.problems);
            self.draft.tables[at] = numbers;
        }
        let [mut words, mut remove, mut rename, mut add] =
            ["words", "remove_words", "rename_words", "add_words"].map(|key| section.section(key, self.problems));
        for (at, group) in GROUPS.iter().enumerate() {
            let mut numbers = std::mem::take(&mut self.draft.words[at]);
            let given = words.as_mut().and_then(|section| section.take(group));
            let changes = NumberChanges {
                remove: remove.as_mut().and_then(|section| section.take(group)),
                rename: rename.as_mut().and_then(|section| section.take(group)),
                renumber: None,
                add: add.as_mut().and_then(|section| section.take(group)),
            };
            let path = format!("words.{group}");
            self.merge(given, &path, &mut numbers);
            let step = if BITS.contains(group) { Step::Bit } else { Step::One };
            let places = &mut self.places;
            let note = |name: &str, place: Place| {
                places.insert(format!("{path}.{name}"), place);
            };
            change_numbers(group, &mut numbers, changes, step, note, self.problems);
            self.draft.words[at] = numbers;
        }
        for section in [words, remove, rename, add].into_iter().flatten() {
            section.finish(self.problems);
        }
    }

    /// Returns true if a line of `structures` is valid: a name, and fields with their types.
    fn structure(&mut self, line: &str, place: Place) -> bool {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        let wrong = words.find(|field| {
            field.split_once(':').is_none_or(|(name, kind)| name.is_empty() || !FIELD_TYPES.contains(&kind))
        });
        if name.is_empty() || name.contains(':') || wrong.is_some() {
            let help = format!("write `door x:char y:char`; the types are {}", FIELD_TYPES.join(", "));
            let message = match wrong {
                Some(field) => format!("\"{field}\" is not a field and its type"),
                None => format!("\"{line}\" is not a structure"),
            };
            self.problems.push(Kind::Entry, place, message, Some(help));
            return false;
        }
        true
    }

    fn core_function(
        &mut self,
        field: &Field<'_, '_>,
        name: Option<Field<'_, '_>>,
        number: Option<Field<'_, '_>>,
        parameters: Option<Field<'_, '_>>,
        result: Option<Field<'_, '_>>,
    ) {
        let (Some(name), Some(number), Some(parameters), Some(result)) = (name, number, parameters, result) else {
            let message = "a core function needs a name, a number, parameters and a result".to_owned();
            self.problems.push(Kind::Entry, field.place(), message, None);
            return;
        };
        let problems = &mut *self.problems;
        let (name, number) = (name.line(problems), number.integer(0..=63, problems));
        let (parameters, result) = (parameters.text(problems), result.character(problems));
        let (Some(name), Some(number), Some(parameters), Some(result)) = (name, number, parameters, result) else {
            return;
        };
        self.note(format!("core_functions.{name}"), field.place());
        let parameters = parameters.to_owned();
        self.draft.core_functions.push(FunctionDraft {
            name: name.to_owned(),
            number: number as i32,
            parameters,
            result,
        });
    }

    /// Merges the table `given` into `numbers`, name by name.
    fn merge(&mut self, given: Option<Field<'_, '_>>, path: &str, numbers: &mut Numbers) {
        let Some(mut section) = given.and_then(|field| field.section(self.problems)) else { return };
        for field in section.rest().into_iter().take(MAX_ENTRIES) {
            let Some(number) = field.integer(NUMBERS, self.problems) else { continue };
            let name = field.name();
            self.places.insert(format!("{path}.{name}"), field.place());
            match numbers.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => *known = number,
                None => numbers.push((name.to_owned(), number)),
            }
        }
    }

    /// Reads the headers. A file that sets `header` sets it for every ABI, because headers of another game never match.
    /// `[header_parts]` changes single parts of it.
    fn header(&mut self, section: &mut Section<'_, '_>, extends: bool) {
        if let Some(mut header) =
            self.required(section, "header", extends).and_then(|field| field.section(self.problems))
        {
            self.draft.header.clear();
            for field in header.rest() {
                let abi = field.name().to_owned();
                if !self.known_name("ABI", &abi, field.key(), |known| &known.abis) {
                    continue;
                }
                let longs = field.list(MAX_HEADER, self.problems);
                let longs: Vec<u64> = longs.iter().filter_map(|long| long.long(u64::MAX, self.problems)).collect();
                self.note(format!("header.{abi}"), field.place());
                self.draft.header.insert(abi, longs);
            }
        }
        let Some(mut parts) = section.section("header_parts", self.problems) else { return };
        for (at, part) in HEADER_PARTS.iter().enumerate() {
            let Some(field) = parts.take(part) else { continue };
            let mut given: BTreeMap<String, u64> = BTreeMap::new();
            if field.is_section() {
                let Some(mut abis) = field.section(self.problems) else { continue };
                for field in abis.rest() {
                    let abi = field.name().to_owned();
                    if !self.draft.header.contains_key(&abi) {
                        let message = format!("there is no header for \"{abi}\"");
                        let help = near(&abi, self.draft.header.keys().map(String::as_str));
                        self.problems.push(Kind::Entry, field.key(), message, help);
                    } else if let Some(long) = field.long(u64::MAX, self.problems) {
                        given.insert(abi, long);
                    }
                }
            } else if let Some(long) = field.long(u64::MAX, self.problems) {
                given.extend(self.draft.header.keys().map(|abi| (abi.clone(), long)));
            }
            for (abi, long) in given {
                match self.draft.header.get_mut(&abi).and_then(|longs| longs.get_mut(at)) {
                    Some(known) => *known = long,
                    None => {
                        let message = format!("the header for \"{abi}\" has no `{part}`");
                        self.problems.push(Kind::Entry, field.key(), message, None);
                    }
                }
            }
        }
        parts.finish(self.problems);
    }
}
