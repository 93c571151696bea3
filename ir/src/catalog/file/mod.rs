//! The format of catalog files, and inheritance between them.
//!
//! Two programs share this reader: the build script turns the built-in catalogs into static tables, and
//! [`load`](super::load) creates catalogs at run time. The module therefore does not depend on the rest of the crate.
//!
//! A file changes the catalog that it `extends`, field by field: [`fields`](super::fields) declares the fields, and
//! [`kinds`] reads and writes them. All mistakes are found in one run, as [`Problem`]s. [`MAX_ENTRIES`] and similar
//! limits bound the cost of a file.

mod changes;
mod check;
pub mod kinds;
mod reader;
pub mod scripts;
mod writer;

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::fields::{Catalog, Name};
use changes::{Position, Sequence};
use kinds::Fields;
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

/// Most bytes of a game's `nhlib.lua`.
pub const MAX_LIBRARY_BYTES: usize = 1 << 17;

/// Most problems reported for one file.
pub const MAX_PROBLEMS: usize = 200;

/// The range of numbers for words, parts and similar entries: an int of the games.
const NUMBERS: RangeInclusive<i64> = i32::MIN as i64..=i32::MAX as i64;

/// The parts of the header of a level file (`version_info` in include/global.h of the games).
pub const HEADER_PARTS: &[&str] = &["incarnation", "feature_set", "entity_count", "struct_sizes1", "struct_sizes2"];

/// C types of the fields of structures in level files.
pub const FIELD_TYPES: &[&str] = &["char", "short", "int", "long", "text"];

/// Most unsigned longs in a header.
pub const MAX_HEADER: usize = 8;

/// The name of transparent terrain, which leaves the square below unchanged.
const SEE_THROUGH: &str = "see_through";

/// Splits `name@class`. The class can itself be an at sign: `werewolf@@`.
pub fn name_and_class(text: &str) -> Option<(&str, char)> {
    let class = text.chars().next_back()?;
    Some((text.strip_suffix(class)?.strip_suffix('@')?, class))
}

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
/// Mistakes go to `problems`; the catalog then contains the parts that could be read. It has no lookups yet.
pub fn read(text: &str, parent: Option<Catalog>, problems: &mut Problems) -> Catalog {
    let table = reader::parse(text, problems);
    if !problems.list.is_empty() {
        // Further problems would only follow from the syntax error.
        return Catalog::default();
    }
    let extends = parent.is_some();
    let mut edit = Edit { draft: parent.unwrap_or_default(), extends, problems, places: HashMap::new() };
    let mut section = Section::new("", table.span(), table.get_ref());
    Catalog::read(|catalog| catalog, &mut section, &mut edit);
    section.finish(edit.problems);
    let mut draft = std::mem::take(&mut edit.draft);
    draft.normalise();
    if edit.problems.list.is_empty() {
        edit.check(&draft);
    }
    draft
}

/// A catalog being changed by a file.
pub struct Edit<'a> {
    /// The catalog.
    pub draft: Catalog,
    /// Set if the file extends a catalog.
    extends: bool,
    problems: &'a mut Problems,
    /// Places in this file, by the path of a key or entry, for reporting contradictions.
    places: HashMap<String, Place>,
}

impl Edit<'_> {
    fn note(&mut self, path: impl Into<String>, place: Place) {
        self.places.insert(path.into(), place);
    }

    /// Removes and returns a value that is required in a file without a parent.
    fn required<'a, 'i>(&mut self, section: &mut Section<'a, 'i>, key: &str) -> Option<Field<'a, 'i>> {
        let field = section.take(key);
        match &field {
            Some(field) => self.note(key, field.place()),
            None if self.extends => {}
            None => {
                let message = format!("`{key}` is missing");
                let help = "add it: a catalog that does not extend another one needs all keys".to_owned();
                self.problems.push(Kind::Entry, 0..0, message, Some(help));
            }
        }
        field
    }

    /// Returns the value of a key that every file has.
    fn always_required<'a, 'i>(&mut self, section: &mut Section<'a, 'i>, key: &str) -> Option<Field<'a, 'i>> {
        let extends = std::mem::take(&mut self.extends);
        let field = self.required(section, key);
        self.extends = extends;
        field
    }

    /// Returns true if `name` is among `known`, and reports a problem otherwise.
    fn known<'k>(
        &mut self,
        what: &str,
        name: &str,
        place: Place,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> bool {
        let is_known = known.clone().any(|known| known == name);
        if !is_known {
            self.problems.push(Kind::Entry, place, format!("unknown {what} \"{name}\""), near(name, known));
        }
        is_known
    }

    /// Returns the entries of the list `CHANGE_KEY`.
    fn changes<'a, 'i>(&mut self, section: &mut Section<'a, 'i>, change: &str, key: &str) -> Vec<Field<'a, 'i>> {
        let field = section.take(&format!("{change}_{key}"));
        field.map_or_else(Vec::new, |field| field.list(MAX_ENTRIES, self.problems))
    }

    /// Reads a list of names, in full or changed by `add_...` and `remove_...`.
    fn names(
        &mut self,
        section: &mut Section<'_, '_>,
        key: &str,
        names: &mut Vec<Name>,
        mut is_known: impl FnMut(&mut Self, &mut String, Place) -> bool,
    ) -> bool {
        let given = section.take(key);
        let is_given = given.is_some();
        if let Some(field) = given {
            names.clear();
            self.note(&field.path, field.place());
            for (mut name, place) in field.texts(MAX_ENTRIES, self.problems) {
                if is_known(self, &mut name, place) {
                    names.push(Name::Owned(name));
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
                    let help = near(&name, names.iter().map(|name| name.as_ref()));
                    self.problems.push(Kind::Entry, place, format!("`{key}` does not have \"{plain}\""), help);
                }
            }
        }
        if let Some(field) = section.take(&format!("add_{key}")) {
            for (mut name, place) in field.texts(MAX_ENTRIES, self.problems) {
                if is_known(self, &mut name, place) && !names.iter().any(|known| *known == name) {
                    names.push(Name::Owned(name));
                }
            }
        }
        is_given
    }

    /// `remove_KEY = ["a"]`, `rename_KEY = { old = "new" }`, `add_KEY = [{ name = "a", after = "b" }]`.
    fn plain_changes(
        &mut self,
        section: &mut Section<'_, '_>,
        key: &str,
        sequence: &mut Sequence<Name>,
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
                    sequence.change(field.name(), &field.key(), self.problems, |entry| {
                        *entry = Name::Owned(new.to_owned())
                    });
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
                    sequence.add(Name::Owned(name.to_owned()), position, self.problems);
                }
            }
        }
    }
}
