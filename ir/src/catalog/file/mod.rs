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
use std::ops::{Deref, RangeInclusive};

use toml::Spanned;

use super::bits::Named;
use super::fields::{Catalog, Name};
use kinds::{Fields, Need};
pub use reader::Place;
use reader::{Field, Section, Text, near};
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

/// Most names that a message lists.
const MAX_LISTED: usize = 24;

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
}

/// Returns the name of the catalog that the file with this `text` extends, and the place of that name.
pub fn parent(text: &str) -> Option<(String, Place)> {
    named(text, "extends").map(|name| (name.get_ref().to_string(), name.span()))
}

/// Returns the name that the catalog with this `text` gives itself.
pub fn own_name(text: &str) -> Option<String> {
    named(text, "name").map(|name| name.get_ref().to_string())
}

fn named(text: &str, key: &str) -> Option<Spanned<Text>> {
    let mut problems = Problems::default();
    Section::new(String::new(), reader::parse(text, &mut problems)).take(key)?.read(&mut problems)
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
    let mut section = Section::new(String::new(), table);
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

    /// Removes and returns a value that some files have to have.
    fn needed<'i>(&mut self, section: &mut Section<'i>, key: &str, need: Need) -> Option<Field<'i>> {
        let field = section.take(key);
        match &field {
            Some(field) => self.note(key, field.place()),
            None if need == Need::Never || need == Need::WithoutParent && self.extends => {}
            None => {
                let message = format!("`{key}` is missing");
                let help = "add it: a catalog that does not extend another one needs all keys".to_owned();
                self.problems.push(Kind::Entry, 0..0, message, Some(help));
            }
        }
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
            let help = if self.problems.is_full() { None } else { near(name, known) };
            self.problems.push(Kind::Entry, place, format!("unknown {what} \"{name}\""), help);
        }
        is_known
    }

    /// Returns the value called `name`; messages call it a `what`.
    fn named<T: Named>(&mut self, what: &str, name: &Spanned<impl Deref<Target = str>>) -> Option<T> {
        let (place, name) = (name.span(), &**name.get_ref());
        let value = T::named(name);
        if value.is_none() {
            let known: Vec<Name> = T::VALUES.iter().map(|value| value.called()).collect();
            let help = near(name, known.iter().map(|known| known.as_ref()));
            let help = help.or_else(|| (known.len() <= MAX_LISTED).then(|| format!("use {}", known.join(", "))));
            self.problems.push(Kind::Entry, place, format!("unknown {what} \"{name}\""), help);
        }
        value
    }

    /// Returns the value of a key that a file without a parent has to have.
    fn required<'i>(&mut self, section: &mut Section<'i>, key: &str) -> Option<Field<'i>> {
        self.needed(section, key, Need::WithoutParent)
    }

    /// Reads a list of names, in full or changed by `remove_...` and `add_...`.
    fn names(
        &mut self,
        section: &mut Section<'_>,
        key: &str,
        need: Need,
        names: &mut Vec<Name>,
        mut check: impl FnMut(&mut Self, Name, Place) -> Option<Name>,
    ) {
        if let Some(field) = self.needed(section, key, need) {
            names.clear();
            for name in field.list::<Text>(MAX_ENTRIES, self.problems) {
                let place = name.span();
                names.extend(check(self, name.into_inner().into(), place));
            }
        }
        for name in section.changes::<Text>("remove", key, self.problems) {
            let (place, plain) = (name.span(), name.into_inner());
            // The list contains only valid names, as `check` spells them.
            let Some(name) = check(self, plain.clone().into(), place.clone()) else { continue };
            let before = names.len();
            names.retain(|known| *known != name);
            if names.len() == before {
                let help = near(&name, names.iter().map(|name| name.as_ref()));
                self.problems.push(Kind::Entry, place, format!("`{key}` does not have \"{}\"", &*plain), help);
            }
        }
        for name in section.changes::<Text>("add", key, self.problems) {
            let place = name.span();
            let name = check(self, name.into_inner().into(), place);
            if let Some(name) = name.filter(|name| !names.contains(name)) {
                names.push(name);
            }
        }
    }
}
