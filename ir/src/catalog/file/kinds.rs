//! The kinds of fields: how a field is read from a catalog file, merged with the inherited value, and written.

use std::collections::{BTreeMap, HashMap};

use super::super::bits::{Named, Set};
use super::super::fields::{Catalog, CoreFunction, DungeonNumber, Look, Method, Name, Numbers, Species, Table};
use super::super::{Color, Group, Habit, Habits, Opcode, dialect};
use super::SEE_THROUGH;
use super::changes::{Moved, NumberChanges, Position, Sequence, Shift, Step, change_numbers};
pub use super::reader::Section;
use super::reader::{Field, Place, near};
pub use super::writer::Writer;
use super::writer::{key, quoted};
use super::{
    Edit, FIELD_TYPES, HEADER_PARTS, Kind as Type, MAX_ENTRIES, MAX_HEADER, MAX_SPECIES, NUMBERS, SCHEMA,
    name_and_class,
};

/// A kind of field, whose values are of type `T`.
pub trait Kind<T: PartialEq> {
    /// Changes `value`, which is inherited, as `section` says. Its key is `key`.
    fn read(&self, key: &str, value: &mut T, section: &mut Section<'_, '_>, edit: &mut Edit<'_>);

    /// Writes `value` among the keys outside sections.
    fn write_value(&self, _key: &str, _value: &T, _writer: &mut Writer<'_>) {}

    /// Writes `value` among the keys outside sections, unless it is inherited.
    fn write(&self, key: &str, value: &T, old: Option<&T>, writer: &mut Writer<'_>) {
        if old != Some(value) {
            self.write_value(key, value, writer);
        }
    }

    /// Writes the sections of `value`, which come after all other keys.
    fn write_section(&self, _key: &str, _value: &T, _old: Option<&T>, _writer: &mut Writer<'_>) {}

    /// Returns the names that a level can use, with the key of their table.
    fn entries(&self, _key: &str, _value: &T, _catalog: &Catalog) -> Vec<(String, Vec<String>)> {
        Vec::new()
    }

    /// Returns the keys of the field in a file, with their documentation.
    fn keys(&self, key: &str, doc: &'static str) -> Vec<(String, &'static str)> {
        vec![(key.to_owned(), doc)]
    }

    /// Replaces a number, unless it is 0 or `number` is out of range.
    fn replace(&self, _value: &mut T, _number: i64) {}

    /// Reports contradictions in `value`, after all changes.
    fn check(&self, _key: &str, _value: &T, _edit: &mut Edit<'_>) {}
}

/// A structure whose fields are declared with their kinds.
pub trait Fields: Default + PartialEq {
    /// Reads the fields of the structure that is at `at` in the draft.
    fn read(at: fn(&mut Catalog) -> &mut Self, section: &mut Section<'_, '_>, edit: &mut Edit<'_>);
    /// Writes the fields that are not inherited, except for sections.
    fn write(&self, old: Option<&Self>, writer: &mut Writer<'_>);
    /// Writes the sections that are not inherited.
    fn write_sections(&self, old: Option<&Self>, writer: &mut Writer<'_>);
    /// Returns the tables of names in the order of the file.
    fn entries(&self, catalog: &Catalog) -> Vec<(String, Vec<String>)>;
    /// Returns the keys in a file, with their documentation.
    fn keys() -> Vec<(String, &'static str)>;
    /// Reports contradictions in single fields.
    fn check(&self, edit: &mut Edit<'_>);
}

/// The catalog that a file extends. A file that extends none has the version of the format in its place.
pub struct Parent;

impl Kind<Option<Name>> for Parent {
    fn read(&self, key: &str, value: &mut Option<Name>, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        if let Some(schema) = edit.required(section, "schema")
            && let Some(number) = schema.integer(0..=i64::MAX, edit.problems)
            && number != SCHEMA
        {
            let message = format!("unknown catalog schema {number}");
            edit.problems.push(
                Type::Entry,
                schema.place(),
                message,
                Some(format!("write {SCHEMA}, the current schema")),
            );
        }
        *value = section.text(key, edit.problems).map(owned);
    }

    fn write(&self, key: &str, _: &Option<Name>, _: Option<&Option<Name>>, writer: &mut Writer<'_>) {
        writer.comment("");
        match writer.parent {
            Some(parent) => writer.value(key, &quoted(&parent.name)),
            None => writer.value("schema", &SCHEMA.to_string()),
        }
    }
}

/// The files that have to have a key.
#[derive(Clone, Copy, PartialEq)]
pub enum Need {
    /// All: the value is never inherited.
    Always,
    /// Those that extend no catalog.
    WithoutParent,
    /// None.
    Never,
}

impl Edit<'_> {
    fn needed<'a, 'i>(&mut self, section: &mut Section<'a, 'i>, key: &str, need: Need) -> Option<Field<'a, 'i>> {
        match need {
            Need::Always => self.always_required(section, key),
            Need::WithoutParent => self.required(section, key),
            Need::Never => section.take(key),
        }
    }
}

/// A text.
pub struct Text {
    /// The files that have to have it.
    pub need: Need,
    /// Reports a wrong text.
    pub check: fn(&mut Edit<'_>, &str, Place),
}

/// A text that is never inherited.
pub const TITLE: Text = Text { need: Need::Always, check: |_, _, _| {} };

impl Kind<Name> for Text {
    fn read(&self, key: &str, value: &mut Name, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let Some(field) = edit.needed(section, key, self.need) else { return };
        let is_line = self.need == Need::Always;
        if let Some(text) = if is_line { field.line(edit.problems) } else { field.text(edit.problems) } {
            (self.check)(edit, text, field.place());
            *value = owned(text);
        }
    }

    fn write(&self, key: &str, value: &Name, old: Option<&Name>, writer: &mut Writer<'_>) {
        if old != Some(value) || self.need == Need::Always {
            writer.value(key, &quoted(value));
        }
    }
}

/// A value with a name.
pub struct OneOf {
    /// The files that have to have it.
    pub need: Need,
    /// Returns the message for a wrong name, and advice.
    pub wrong: fn(&str) -> (String, String),
}

impl<T: Named> Kind<T> for OneOf {
    fn read(&self, key: &str, value: &mut T, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let Some(field) = edit.needed(section, key, self.need) else { return };
        let Some(name) = field.text(edit.problems) else { return };
        match T::named(name) {
            Some(named) => *value = named,
            None => {
                let (message, help) = (self.wrong)(name);
                edit.problems.push(Type::Entry, field.place(), message, Some(help));
            }
        }
    }

    fn write_value(&self, key: &str, value: &T, writer: &mut Writer<'_>) {
        writer.value(key, &quoted(&value.called()));
    }
}

/// Names in a list, given in full or changed by `add_KEY` and `remove_KEY`.
pub struct Names {
    /// Set if a file without a parent has to have the list.
    pub is_required: bool,
    /// Set if levels can use the names.
    pub is_compared: bool,
    /// Set if each name has a line of its own in the file.
    pub is_long: bool,
    /// Returns true if a name is valid, and reports it otherwise.
    pub check: fn(&mut Edit<'_>, &str, Place) -> bool,
}

/// Names that are not compared between games.
pub const NAMES: Names = Names { is_required: false, is_compared: false, is_long: false, check: |_, _, _| true };

/// Names that are compared between games.
pub const COMPARED: Names = Names { is_compared: true, ..NAMES };

impl Kind<Table<Name>> for Names {
    fn read(&self, key: &str, value: &mut Table<Name>, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let mut names = std::mem::take(value).into_owned();
        let given = edit.names(section, key, &mut names, |edit, name, place| {
            edit.note(format!("{key}.{name}"), place.clone());
            (self.check)(edit, name, place)
        });
        if self.is_required && !given && !edit.extends {
            edit.problems.push(Type::Entry, 0..0, format!("`{key}` is missing"), None);
        }
        *value = names.into();
    }

    fn write_value(&self, key: &str, value: &Table<Name>, writer: &mut Writer<'_>) {
        match self.is_long {
            true => writer.rows(key, value.iter().map(|name| quoted(name))),
            false => writer.names(key, value),
        }
    }

    fn entries(&self, key: &str, value: &Table<Name>, _: &Catalog) -> Vec<(String, Vec<String>)> {
        if self.is_compared { entry(key, value.iter()) } else { Vec::new() }
    }
}

/// A set of switches, changed like names. Dashes in their names count as underscores.
pub struct Switches {
    /// Messages call a switch this.
    pub what: &'static str,
    /// Set if a file without a parent has to have the list.
    pub is_required: bool,
}

impl<S: Set> Kind<S> for Switches {
    fn read(&self, key: &str, value: &mut S, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let mut names = value.names();
        let given = edit.names(section, key, &mut names, |edit, name, place| {
            *name = name.replace('-', "_");
            let known: Vec<Name> = S::Item::VALUES.iter().map(|item| item.called()).collect();
            edit.known(self.what, name, place, known.iter().map(|name| name.as_ref()))
        });
        if self.is_required && !given && !edit.extends {
            edit.problems.push(Type::Entry, 0..0, format!("`{key}` is missing"), None);
        }
        *value = S::of_names(&names);
    }

    fn write(&self, key: &str, value: &S, old: Option<&S>, writer: &mut Writer<'_>) {
        if self.is_required {
            // The names of the catalog end before its features.
            writer.blank();
        }
        if old != Some(value) {
            writer.names(key, &value.names());
        }
    }

    fn entries(&self, key: &str, value: &S, _: &Catalog) -> Vec<(String, Vec<String>)> {
        entry(key, value.names().iter())
    }
}

/// A number from the first to the second.
pub struct Integer(pub i64, pub i64);

/// A number that fits an int of the games.
pub const NUMBER: Integer = Integer(*NUMBERS.start(), *NUMBERS.end());

impl<T: Copy + Default + PartialEq + TryFrom<i64> + Into<i64>> Kind<T> for Integer {
    fn replace(&self, value: &mut T, number: i64) {
        if *value != T::default() && (self.0..=self.1).contains(&number) {
            *value = number.try_into().unwrap_or(*value);
        }
    }

    fn read(&self, key: &str, value: &mut T, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let Some(field) = section.take(key) else { return };
        if let Some(number) = field.integer(self.0..=self.1, edit.problems).and_then(|number| number.try_into().ok()) {
            *value = number;
        }
    }

    fn write_value(&self, key: &str, value: &T, writer: &mut Writer<'_>) {
        let number: i64 = (*value).into();
        writer.line(key, &number.to_string());
    }
}

/// A section, with the place of its structure.
pub struct Part<S> {
    /// Returns the structure.
    pub at: fn(&mut Catalog) -> &mut S,
    /// The fields to write if some differ from the inherited ones.
    pub written: Written,
}

/// The fields of a section to write.
pub enum Written {
    /// Those that differ from the inherited ones.
    Changed,
    /// Those that differ from the inherited ones, or from 0.
    Nonzero,
    /// All.
    All,
}

impl<S: Fields> Kind<S> for Part<S> {
    fn read(&self, key: &str, value: &mut S, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let Some(mut part) = section.section(key, edit.problems) else { return };
        std::mem::swap(value, (self.at)(&mut edit.draft));
        S::read(self.at, &mut part, edit);
        std::mem::swap(value, (self.at)(&mut edit.draft));
        part.finish(edit.problems);
    }

    fn write_section(&self, key: &str, value: &S, old: Option<&S>, writer: &mut Writer<'_>) {
        let zero = S::default();
        let old = if let Written::Nonzero = self.written { old.or(Some(&zero)) } else { old };
        if old == Some(value) {
            return;
        }
        writer.section(key);
        match self.written {
            Written::All => value.write(None, writer),
            _ => value.write(old, writer),
        }
        if let Written::Nonzero = self.written {
            writer.blank();
        }
    }

    fn entries(&self, key: &str, value: &S, catalog: &Catalog) -> Vec<(String, Vec<String>)> {
        value.entries(catalog).into_iter().map(|(inner, names)| (format!("{key}.{inner}"), names)).collect()
    }

    fn keys(&self, key: &str, _: &'static str) -> Vec<(String, &'static str)> {
        S::keys().into_iter().map(|(inner, doc)| (format!("{key}.{inner}"), doc)).collect()
    }
}

/// Opcodes, by number.
pub struct Opcodes;

impl Kind<Table<Opcode>> for Opcodes {
    fn read(&self, key: &str, value: &mut Table<Opcode>, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let is_known = |edit: &mut Edit<'_>, name: &str, place: Place| {
            Opcode::named(name).is_some()
                || edit.known("opcode", name, place, Opcode::VALUES.iter().map(|opcode| opcode.as_str()))
        };
        let mut names: Vec<Name> = value.iter().map(|opcode| owned(opcode.as_str())).collect();
        if let Some(field) = edit.required(section, key) {
            let mut given = field.texts(MAX_ENTRIES, edit.problems);
            given.retain(|(name, place)| is_known(edit, name, place.clone()));
            names = given.into_iter().map(|(name, _)| Name::Owned(name)).collect();
        }
        let mut sequence = Sequence::new("opcode", names);
        edit.plain_changes(section, key, &mut sequence, is_known);
        let (names, _) = sequence.finish(edit.problems);
        *value = names.iter().filter_map(|name| Opcode::named(name)).collect();
    }

    fn write_value(&self, key: &str, value: &Table<Opcode>, writer: &mut Writer<'_>) {
        writer.list(key, value.iter().map(|opcode| quoted(opcode.as_str())));
    }

    fn entries(&self, key: &str, value: &Table<Opcode>, _: &Catalog) -> Vec<(String, Vec<String>)> {
        entry(key, value.iter().map(|opcode| opcode.as_str()))
    }
}

/// Types of squares, by number. Terrain moves with its type.
pub struct LevelTypes;

impl Kind<Table<Name>> for LevelTypes {
    fn read(&self, key: &str, value: &mut Table<Name>, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        if let Some(field) = edit.required(section, key) {
            let names = field.texts(MAX_ENTRIES, edit.problems);
            *value = names.into_iter().map(|(name, _)| Name::Owned(name)).collect();
            edit.draft.terrain = Table::default();
        }
        let mut sequence = Sequence::new("type of squares", std::mem::take(value).into_owned());
        edit.plain_changes(section, key, &mut sequence, |_, _, _| true);
        let (types, moved) = sequence.finish(edit.problems);
        *value = types.into();
        edit.draft.terrain.to_mut().retain_mut(|(_, number)| match moved.number(*number) {
            Some(now) => {
                *number = now;
                true
            }
            None => false,
        });
    }

    fn write(&self, key: &str, value: &Table<Name>, _: Option<&Table<Name>>, writer: &mut Writer<'_>) {
        if writer.has_other_squares() {
            writer.names(key, value);
        }
    }

    fn entries(&self, key: &str, value: &Table<Name>, _: &Catalog) -> Vec<(String, Vec<String>)> {
        entry(key, value.iter())
    }
}

/// The number of types of squares. A file repeats it to say that it has them all.
pub struct MaxTerrain;

impl Kind<i32> for MaxTerrain {
    fn read(&self, key: &str, value: &mut i32, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let count = edit.draft.level_types.len();
        *value = count as i32;
        if let Some(field) = edit.required(section, key)
            && let Some(number) = field.integer(0..=127, edit.problems)
            && number != count as i64
        {
            let message = format!("`max_terrain` is {number}, but there are only {count} types of squares");
            edit.problems.push(Type::Conflict, field.place(), message, None);
        }
    }

    fn write(&self, key: &str, _: &i32, _: Option<&i32>, writer: &mut Writer<'_>) {
        if writer.has_other_squares() {
            writer.value(key, &writer.draft.level_types.len().to_string());
        }
    }
}

/// The characters that a map can contain.
pub struct MapCharacters;

impl Kind<Name> for MapCharacters {
    fn read(&self, key: &str, value: &mut Name, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        if let Some(field) = edit.required(section, key) {
            *value = owned(field.text(edit.problems).unwrap_or_default());
        }
    }

    fn write(&self, key: &str, value: &Name, _: Option<&Name>, writer: &mut Writer<'_>) {
        if writer.has_other_squares() {
            writer.value(key, &quoted(value));
            writer.blank();
        }
    }
}

/// The terrain of the map characters.
pub struct MapTerrain;

impl MapTerrain {
    fn add(value: &mut Vec<(char, usize)>, field: &Field<'_, '_>, edit: &mut Edit<'_>) {
        let Some(mut entry) = field.section(edit.problems) else { return };
        let character = entry.take("character").and_then(|field| field.character(edit.problems));
        let ty = entry.take("type").and_then(|field| Some((field.text(edit.problems)?, field.place())));
        if character.is_none() {
            edit.problems.missing(&entry, "character");
        }
        if ty.is_none() {
            edit.problems.missing(&entry, "type");
        }
        entry.finish(edit.problems);
        let (Some(character), Some((name, place))) = (character, ty) else { return };
        let types = &edit.draft.level_types;
        let number = if name == SEE_THROUGH { Some(types.len()) } else { types.iter().position(|known| known == name) };
        let Some(number) = number else {
            let help = near(name, types.iter().map(|name| name.as_ref()));
            let message = format!("`level_types` does not have \"{name}\"");
            edit.problems.push(Type::Entry, place, message, help);
            return;
        };
        edit.note(format!("terrain.{character}"), field.place());
        // A later entry for the same character replaces the earlier one.
        value.retain(|&(known, _)| known != character);
        value.push((character, number));
        let characters = &mut edit.draft.map_characters;
        if !characters.contains(character) {
            characters.to_mut().push(character);
        }
    }
}

impl Kind<Table<(char, usize)>> for MapTerrain {
    fn read(&self, key: &str, value: &mut Table<(char, usize)>, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let value = value.to_mut();
        if let Some(field) = edit.required(section, key) {
            value.clear();
            for field in field.list(MAX_ENTRIES, edit.problems) {
                let Some([character, name, number]) = field.row(edit.problems) else { continue };
                let (Some(character), Some(name), Some(number)) = (
                    character.character(edit.problems),
                    name.text(edit.problems),
                    number.integer(0..=127, edit.problems),
                ) else {
                    continue;
                };
                edit.note(format!("terrain.{character}"), field.place());
                let known = edit.draft.level_types.get(number as usize).map_or(SEE_THROUGH, |name| name.as_ref());
                if known != name {
                    let message = format!("type {number} of squares is \"{known}\", not \"{name}\"");
                    edit.problems.push(Type::Conflict, field.place(), message, None);
                }
                value.push((character, number as usize));
            }
        }
        for field in edit.changes(section, "remove", key) {
            let Some(character) = field.character(edit.problems) else { continue };
            let before = value.len();
            value.retain(|&(known, _)| known != character);
            edit.draft.map_characters.to_mut().retain(|known| known != character);
            if value.len() == before {
                let message = format!("no terrain has the character '{}'", character.escape_debug());
                edit.problems.push(Type::Entry, field.place(), message, None);
            }
        }
        for field in edit.changes(section, "add", key) {
            MapTerrain::add(value, &field, edit);
        }
    }

    fn write(
        &self,
        key: &str,
        value: &Table<(char, usize)>,
        _: Option<&Table<(char, usize)>>,
        writer: &mut Writer<'_>,
    ) {
        if writer.has_other_squares() {
            let types = &writer.draft.level_types;
            let row = |&(character, number): &(char, usize)| {
                let name = types.get(number).map_or(SEE_THROUGH, |name| name.as_ref());
                format!("[{}, {}, {number}]", quoted(&character.to_string()), quoted(name))
            };
            writer.rows(key, value.iter().map(row));
        }
    }

    fn entries(&self, key: &str, value: &Table<(char, usize)>, catalog: &Catalog) -> Vec<(String, Vec<String>)> {
        let name = |number: usize| catalog.level_types.get(number).map_or(SEE_THROUGH, |name| name.as_ref());
        entry(key, value.iter().map(|&(character, number)| format!("'{character}' {}", name(number))))
    }
}

/// Names with numbers, which a file lists in the order of the game.
pub struct Numbered {
    /// Messages call an entry this.
    pub what: &'static str,
    /// Changes other fields after the numbers of the table were shifted.
    pub moved: AfterShift,
}

/// Changes other fields after numbers of a table were shifted. Takes the table as it is now, and the shifts.
pub type AfterShift = fn(&mut Edit<'_>, &[(Name, i64)], Vec<Shift>);

impl Kind<Numbers> for Numbered {
    fn read(&self, key: &str, value: &mut Numbers, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        if let Some(field) = edit.required(section, key) {
            let mut pairs = Vec::new();
            for field in field.list(MAX_ENTRIES, edit.problems) {
                let Some([name, number]) = field.row(edit.problems) else { continue };
                let (name, number) = (name.line(edit.problems), number.integer(NUMBERS, edit.problems));
                let (Some(name), Some(number)) = (name, number) else { continue };
                edit.note(format!("{key}.{name}"), field.place());
                pairs.push((owned(name), number));
            }
            *value = pairs.into();
        }
        let changes = NumberChanges {
            remove: section.take(&format!("remove_{key}")),
            rename: section.take(&format!("rename_{key}")),
            renumber: section.take(&format!("renumber_{key}")),
            add: section.take(&format!("add_{key}")),
        };
        let shifts = edit.change_numbers(self.what, key, value, changes, Step::One);
        (self.moved)(edit, value, shifts);
    }

    fn write(&self, key: &str, value: &Numbers, old: Option<&Numbers>, writer: &mut Writer<'_>) {
        let sorted = |numbers: &Numbers| {
            let mut numbers = numbers.to_vec();
            numbers.sort();
            numbers
        };
        if old.is_none_or(|old| sorted(old) != sorted(value)) {
            writer.list(key, value.iter().map(|(name, number)| format!("[{}, {number}]", quoted(name))));
        }
    }

    fn entries(&self, key: &str, value: &Numbers, _: &Catalog) -> Vec<(String, Vec<String>)> {
        entry(key, value.iter().map(|(name, _)| name))
    }
}

/// Symbols of classes, from class 1.
pub struct Classes;

impl Kind<Name> for Classes {
    fn read(&self, key: &str, value: &mut Name, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        if let Some(given) = edit.required(section, key).and_then(|field| field.text(edit.problems)) {
            *value = owned(given);
        }
        let more = section.text(&format!("add_{key}"), edit.problems).unwrap_or_default();
        value.to_mut().push_str(more);
    }

    fn write_value(&self, key: &str, value: &Name, writer: &mut Writer<'_>) {
        writer.value(key, &quoted(value));
        writer.blank();
    }

    fn entries(&self, key: &str, value: &Name, _: &Catalog) -> Vec<(String, Vec<String>)> {
        entry(key, value.chars().filter(|c| *c != '\0'))
    }
}

/// Monsters or objects, by number, and the section of their colours.
pub struct AllSpecies {
    /// Messages call an entry this.
    pub what: &'static str,
    /// The section with their colours.
    pub colors: &'static str,
    /// Set for monsters, which have habits and two further names. Objects have one, their description.
    pub has_habits: bool,
}

impl AllSpecies {
    fn habits(field: &Field<'_, '_>, edit: &mut Edit<'_>) -> Habits {
        let text = field.text(edit.problems).unwrap_or_default();
        let names: Vec<String> = Habit::ALL.iter().map(|habit| habit.name()).collect();
        let known = |name: &&str| edit.known("habit", name, field.place(), names.iter().map(String::as_str));
        Habits::of_names(&text.split_whitespace().filter(known).collect::<Vec<_>>())
    }

    /// Reads the further names of a monster or object.
    fn also(&self, field: &Field<'_, '_>, edit: &mut Edit<'_>) -> Table<Name> {
        let names = field.texts(if self.has_habits { 2 } else { 1 }, edit.problems);
        if self.has_habits && names.len() == 1 {
            let message = "a monster needs both names or neither: that of the male and that of the female".to_owned();
            edit.problems.push(Type::Entry, field.place(), message, None);
            return Table::default();
        }
        names.into_iter().map(|(name, _)| Name::Owned(name)).collect()
    }

    /// Reads a row: `[name, class, habits, male, female]` or `[name, class, description]`; the further names are
    /// optional.
    fn row(&self, field: &Field<'_, '_>, edit: &mut Edit<'_>) -> Option<Species> {
        let (least, most) = if self.has_habits { (3, 5) } else { (2, 3) };
        let length = if field.length() == most { most } else { least };
        let fields = field.fields(length, edit.problems)?;
        let [name, class, rest @ ..] = &fields[..] else { return None };
        let (habits, also) = rest.split_at(usize::from(self.has_habits).min(rest.len()));
        let habits = habits.first().map(|habits| AllSpecies::habits(habits, edit)).unwrap_or_default();
        let (name, class) = (name.text(edit.problems), class.character(edit.problems));
        let also = also.iter().filter_map(|name| name.text(edit.problems).map(owned)).collect();
        Some(Species { name: owned(name?), class: class?, habits, also, color: None })
    }

    fn change(&self, key: &str, field: &Field<'_, '_>, sequence: &mut Sequence<Species>, edit: &mut Edit<'_>) {
        let Some(mut entry) = field.section(edit.problems) else { return };
        let name = entry.take("name").and_then(|field| Some((field.text(edit.problems)?, field.place())));
        let renamed = entry.take("rename").and_then(|field| field.line(edit.problems));
        let class = entry.take("class").and_then(|field| field.character(edit.problems));
        let habits = entry.take("habits").map(|field| AllSpecies::habits(&field, edit));
        let also = entry.take("also").map(|field| self.also(&field, edit));
        let color = entry.take("color").and_then(|field| edit.color(&field));
        if name.is_none() {
            edit.problems.missing(&entry, "name");
        }
        entry.finish(edit.problems);
        let Some((name, place)) = name else { return };
        edit.note(format!("{key}.{}", renamed.unwrap_or(name)), field.place());
        sequence.change(name, &place, edit.problems, |species| {
            if let Some(renamed) = renamed {
                species.name = owned(renamed);
            }
            species.class = class.unwrap_or(species.class);
            species.habits = habits.unwrap_or(species.habits);
            if let Some(also) = also {
                species.also = also;
            }
            species.color = color.or(species.color);
        });
    }

    fn add(&self, key: &str, field: &Field<'_, '_>, sequence: &mut Sequence<Species>, edit: &mut Edit<'_>) {
        let Some(mut entry) = field.section(edit.problems) else { return };
        let name = entry.take("name").and_then(|field| field.text(edit.problems));
        let class = entry.take("class").and_then(|field| field.character(edit.problems));
        let habits = entry.take("habits").map(|field| AllSpecies::habits(&field, edit)).unwrap_or_default();
        let also = entry.take("also").map(|field| self.also(&field, edit)).unwrap_or_default();
        let color = entry.take("color").and_then(|field| edit.color(&field));
        let position = Position::read(&mut entry, edit.problems);
        for (key, missing) in [("name", name.is_none()), ("class", class.is_none())] {
            if missing {
                edit.problems.missing(&entry, key);
            }
        }
        entry.finish(edit.problems);
        let (Some(name), Some(class)) = (name, class) else { return };
        edit.note(format!("{key}.{name}"), field.place());
        sequence.add(Species { name: owned(name), class, habits, also, color }, position, edit.problems);
    }

    /// Reads the section of colours: `red = ["fire ant", "cold@/"]`.
    fn read_colors(&self, table: &mut [Species], section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let Some(mut colors) = section.section(self.colors, edit.problems) else { return };
        let mut by_name: HashMap<Name, Vec<usize>> = HashMap::new();
        for (at, one) in table.iter().enumerate().filter(|(_, one)| !one.name.is_empty()) {
            by_name.entry(one.name.clone()).or_default().push(at);
        }
        for color in Color::ALL {
            let Some(field) = colors.take(color.as_str()) else { continue };
            for (name, place) in field.texts(MAX_SPECIES, edit.problems) {
                let of_class = || {
                    let (name, class) = name_and_class(&name)?;
                    Some((by_name.get(name)?, Some(class)))
                };
                let Some((found, class)) = by_name.get(name.as_str()).map(|found| (found, None)).or_else(of_class)
                else {
                    let help = near(&name, by_name.keys().map(|name| name.as_ref()));
                    let message = format!("unknown {} \"{name}\"", self.what);
                    edit.problems.push(Type::Entry, place, message, help);
                    continue;
                };
                for &at in found {
                    if class.is_none_or(|class| class == table[at].class) {
                        table[at].color = Some(*color);
                    }
                }
            }
        }
        colors.finish(edit.problems);
    }
}

impl Kind<Table<Species>> for AllSpecies {
    fn keys(&self, key: &str, doc: &'static str) -> Vec<(String, &'static str)> {
        vec![(key.to_owned(), doc), (self.colors.to_owned(), " Their colours, by name.")]
    }

    fn read(&self, key: &str, value: &mut Table<Species>, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let mut table = std::mem::take(value).into_owned();
        let old: HashMap<Name, Color> = table.iter().filter_map(named_color).collect();
        if let Some(field) = edit.required(section, key) {
            table.clear();
            for field in field.list(MAX_SPECIES, edit.problems) {
                let Some(species) = self.row(&field, edit) else { continue };
                edit.note(format!("{key}[{}]", table.len()), field.place());
                table.push(species);
            }
        }
        let mut sequence = Sequence::new(self.what, table);
        if let Some(field) = section.take(&format!("remove_{key}")) {
            for (name, place) in field.texts(MAX_SPECIES, edit.problems) {
                sequence.remove(&name, &place, edit.problems);
            }
        }
        if let Some(mut renamed) = section.section(&format!("rename_{key}"), edit.problems) {
            for field in renamed.rest() {
                let Some(new) = field.line(edit.problems) else { continue };
                edit.note(format!("{key}.{new}"), field.place());
                sequence.change(field.name(), &field.key(), edit.problems, |entry| entry.name = owned(new));
            }
        }
        if let Some(field) = section.take(&format!("change_{key}")) {
            for field in field.list(MAX_SPECIES, edit.problems) {
                self.change(key, &field, &mut sequence, edit);
            }
        }
        if let Some(field) = section.take(&format!("add_{key}")) {
            for field in field.list(MAX_SPECIES, edit.problems) {
                self.add(key, &field, &mut sequence, edit);
            }
        }
        let (mut table, moved) = sequence.finish(edit.problems);
        for one in table.iter_mut().filter(|one| one.color.is_none()) {
            // Species of the parent keep their colours.
            one.color = old.get(&one.name).copied();
        }
        self.read_colors(&mut table, section, edit);
        *value = table.into();
        match self.has_habits {
            true => edit.move_monsters(&moved),
            false => edit.move_objects(&moved),
        }
    }

    fn write(&self, key: &str, value: &Table<Species>, old: Option<&Table<Species>>, writer: &mut Writer<'_>) {
        let row = |one: &Species| {
            let habits = if self.has_habits { vec![quoted(&one.habits.names().join(" "))] } else { Vec::new() };
            let head = [quoted(&one.name), quoted(&one.class.to_string())];
            let also = one.also.iter().map(|name| quoted(name));
            format!("[{}]", head.into_iter().chain(habits).chain(also).collect::<Vec<_>>().join(", "))
        };
        let is_same = |(one, other): (&Species, &Species)| row(one) == row(other);
        if old.is_none_or(|old| old.len() != value.len() || !old.iter().zip(&**value).all(is_same)) {
            writer.rows(key, value.iter().map(row));
        }
    }

    fn write_section(&self, _: &str, value: &Table<Species>, old: Option<&Table<Species>>, writer: &mut Writer<'_>) {
        let old: HashMap<Name, Color> = old.into_iter().flat_map(|old| old.iter()).filter_map(named_color).collect();
        let mut known: HashMap<&str, Option<Color>> = HashMap::new();
        let mut several: Vec<&str> = Vec::new();
        for one in value.iter() {
            if known.insert(&one.name, one.color).is_some_and(|color| color != one.color) {
                several.push(&one.name);
            }
        }
        let named = value.iter().filter(|one| !one.name.is_empty());
        writer.colors(
            self.colors,
            named.filter_map(|one| {
                let is_one_of_several = several.contains(&one.name.as_ref());
                let color = one.color.filter(|color| is_one_of_several || old.get(&one.name) != Some(color))?;
                let name = if is_one_of_several { format!("{}@{}", one.name, one.class) } else { one.name.to_string() };
                Some((name, color))
            }),
        );
    }

    fn entries(&self, key: &str, value: &Table<Species>, _: &Catalog) -> Vec<(String, Vec<String>)> {
        let named = value.iter().filter(|one| !one.name.is_empty());
        entry(key, named.map(|one| format!("{}@{}", one.name, one.class)))
    }
}

/// Colours of traps.
pub struct TrapColors;

impl Kind<Table<(Name, Color)>> for TrapColors {
    fn read(&self, key: &str, value: &mut Table<(Name, Color)>, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let value = value.to_mut();
        if let Some(mut colors) = section.section(key, edit.problems) {
            for color in Color::ALL {
                let Some(field) = colors.take(color.as_str()) else { continue };
                for (name, place) in field.texts(MAX_ENTRIES, edit.problems) {
                    let traps = edit.draft.traps.iter().map(|(trap, _)| trap.as_ref());
                    if traps.clone().any(|trap| trap == name) {
                        value.retain(|(known, _)| *known != name);
                        value.push((Name::Owned(name), *color));
                    } else {
                        let message = format!("unknown trap \"{name}\"");
                        edit.problems.push(Type::Entry, place, message, near(&name, traps));
                    }
                }
            }
            colors.finish(edit.problems);
        }
        let traps = &edit.draft.traps;
        value.retain(|(known, _)| traps.iter().any(|(trap, _)| trap == known));
        value.sort();
    }

    fn write_section(
        &self,
        key: &str,
        value: &Table<(Name, Color)>,
        old: Option<&Table<(Name, Color)>>,
        writer: &mut Writer<'_>,
    ) {
        let new = value.iter().filter(|entry| old.is_none_or(|old| !old.contains(entry)));
        writer.colors(key, new.map(|(name, color)| (name.to_string(), *color)));
    }
}

/// Appearance of the types of squares: `carpet = [".", "red", "carpet", "room"]`. The last is the type that the game
/// treats alike, and may be missing.
pub struct Looks;

impl Kind<Table<Look>> for Looks {
    fn read(&self, key: &str, value: &mut Table<Look>, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let value = value.to_mut();
        let types = edit.draft.level_types.clone();
        let known = || types.iter().map(|name| name.as_ref());
        if let Some(mut looks) = section.section(key, edit.problems) {
            for field in looks.rest() {
                let of = field.name();
                let length = field.length().clamp(3, 4);
                let Some(row) = field.fields(length, edit.problems) else { continue };
                let [symbol, color, name, like @ ..] = &row[..] else { continue };
                let (symbol, color) = (symbol.character(edit.problems), edit.color(color));
                let name = name.line(edit.problems).map(owned);
                let like = like.first().and_then(|field| Some((field.text(edit.problems)?, field.place())));
                let mut is_known = edit.known("type of squares", of, field.key(), known());
                is_known &= like.clone().is_none_or(|(like, at)| edit.known("type of squares", like, at, known()));
                let (Some(symbol), Some(color), Some(name), true) = (symbol, color, name, is_known) else { continue };
                let like = owned(like.map_or("", |(like, _)| like));
                value.retain(|look| look.of != of);
                value.push(Look { of: owned(of), symbol, color, name, like });
            }
        }
        value.retain(|look| types.contains(&look.of));
        value.sort_by_key(|look| types.iter().position(|name| *name == look.of));
    }

    fn write_section(&self, name: &str, value: &Table<Look>, old: Option<&Table<Look>>, writer: &mut Writer<'_>) {
        let mut changed = value.iter().filter(|look| old.is_none_or(|old| !old.contains(look))).peekable();
        if changed.peek().is_none() {
            return;
        }
        writer.section(name);
        for look in changed {
            let like = Some(&look.like).filter(|like| !like.is_empty());
            let texts = [&look.symbol.to_string(), look.color.as_str(), &look.name];
            let row: Vec<String> = texts.into_iter().chain(like.map(|like| like.as_ref())).map(quoted).collect();
            writer.line(&key(&look.of), &format!("[{}]", row.join(", ")));
        }
        writer.blank();
    }
}

/// Functions of the game that scripts can call.
pub struct CoreFunctions;

impl CoreFunctions {
    fn add(
        value: &mut Vec<CoreFunction>,
        field: &Field<'_, '_>,
        [name, number, parameters, result]: [Option<Field<'_, '_>>; 4],
        edit: &mut Edit<'_>,
    ) {
        let (Some(name), Some(number), Some(parameters), Some(result)) = (name, number, parameters, result) else {
            let message = "a core function needs a name, a number, parameters and a result".to_owned();
            edit.problems.push(Type::Entry, field.place(), message, None);
            return;
        };
        let problems = &mut *edit.problems;
        let (name, number) = (name.line(problems), number.integer(0..=63, problems));
        let (parameters, result) = (parameters.text(problems), result.character(problems));
        let (Some(name), Some(number), Some(parameters), Some(result)) = (name, number, parameters, result) else {
            return;
        };
        edit.note(format!("core_functions.{name}"), field.place());
        value.push(CoreFunction { name: owned(name), number: number as i32, parameters: owned(parameters), result });
    }
}

impl Kind<Table<CoreFunction>> for CoreFunctions {
    fn read(&self, key: &str, value: &mut Table<CoreFunction>, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let value = value.to_mut();
        if let Some(field) = edit.required(section, key) {
            value.clear();
            for field in field.list(MAX_ENTRIES, edit.problems) {
                let Some(row) = field.row::<4>(edit.problems) else { continue };
                CoreFunctions::add(value, &field, row.map(Some), edit);
            }
        }
        if let Some(field) = section.take(&format!("remove_{key}")) {
            for (name, place) in field.texts(MAX_ENTRIES, edit.problems) {
                let before = value.len();
                value.retain(|function| function.name != name);
                if value.len() == before {
                    let help = near(&name, value.iter().map(|function| function.name.as_ref()));
                    edit.problems.push(Type::Entry, place, format!("unknown core function \"{name}\""), help);
                }
            }
        }
        for field in edit.changes(section, "add", key) {
            let Some(mut entry) = field.section(edit.problems) else { continue };
            let parts = ["name", "number", "parameters", "result"].map(|key| entry.take(key));
            entry.finish(edit.problems);
            CoreFunctions::add(value, &field, parts, edit);
        }
    }

    fn write_value(&self, key: &str, value: &Table<CoreFunction>, writer: &mut Writer<'_>) {
        let row = |function: &CoreFunction| {
            let (name, parameters) = (quoted(&function.name), quoted(&function.parameters));
            format!("[{name}, {}, {parameters}, {}]", function.number, quoted(&function.result.to_string()))
        };
        writer.rows(key, value.iter().map(row));
    }
}

/// Methods of variables.
pub struct Methods;

impl Kind<Table<Method>> for Methods {
    fn read(&self, key: &str, value: &mut Table<Method>, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let Some(field) = edit.required(section, key) else { return };
        let mut methods = Vec::new();
        for field in field.list(MAX_ENTRIES, edit.problems) {
            let Some([of, array, name, number, result]) = field.row(edit.problems) else { continue };
            let problems = &mut *edit.problems;
            methods.extend((|| {
                Some(Method {
                    of: owned(of.text(problems)?),
                    array: array.truth(problems)?,
                    name: owned(name.line(problems)?),
                    number: number.integer(0..=63, problems)? as i32,
                    result: result.character(problems)?,
                })
            })());
        }
        *value = methods.into();
    }

    fn write_value(&self, key: &str, value: &Table<Method>, writer: &mut Writer<'_>) {
        let row = |method: &Method| {
            let (of, name) = (quoted(&method.of), quoted(&method.name));
            let result = quoted(&method.result.to_string());
            format!("[{of}, {}, {name}, {}, {result}]", method.array, method.number)
        };
        writer.rows(key, value.iter().map(row));
    }
}

/// Pairs of numbers. Inherited ones shift when the file changes objects and traps, so they are always written.
pub struct Pairs;

impl Kind<Table<(u16, u16)>> for Pairs {
    fn read(&self, key: &str, value: &mut Table<(u16, u16)>, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let Some(field) = section.take(key) else { return };
        edit.note(key, field.place());
        let mut pairs = Vec::new();
        for field in field.list(MAX_ENTRIES, edit.problems) {
            let Some(row) = field.row::<2>(edit.problems) else { continue };
            let [first, second] = row.map(|field| field.integer(0..=i64::from(u16::MAX), edit.problems));
            if let (Some(first), Some(second)) = (first, second) {
                pairs.push((first as u16, second as u16));
            }
        }
        *value = pairs.into();
    }

    fn write(&self, key: &str, value: &Table<(u16, u16)>, _: Option<&Table<(u16, u16)>>, writer: &mut Writer<'_>) {
        writer.list(key, value.iter().map(|(first, second)| format!("[{first}, {second}]")));
    }
}

/// Returns true if `name` is a number of the file `dungeon`, and reports it otherwise.
pub fn is_dungeon_number(edit: &mut Edit<'_>, name: &str, place: Place) -> bool {
    edit.known("number of the file dungeon", name, place, DungeonNumber::ALL.iter().map(|number| number.as_str()))
}

/// A section of names with numbers, merged name by name and kept sorted.
pub struct NumberTable;

impl Kind<Numbers> for NumberTable {
    fn read(&self, key: &str, value: &mut Numbers, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let given = section.take(key);
        let changes = NumberChanges {
            remove: section.take(&format!("remove_{key}")),
            rename: section.take(&format!("rename_{key}")),
            renumber: None,
            add: section.take(&format!("add_{key}")),
        };
        edit.merge(given, key, value);
        edit.change_numbers(key, key, value, changes, Step::One);
        value.to_mut().sort();
    }

    fn check(&self, key: &str, value: &Numbers, edit: &mut Edit<'_>) {
        edit.twice(key, "entry", value);
        for (name, number) in value.iter().filter(|(_, number)| !(0..=255).contains(number)) {
            let message = format!("\"{name}\" has number {number}");
            edit.conflict(&[&format!("{key}.{name}")], message, Some("use a number from 0 to 255"));
        }
    }

    fn write(&self, key: &str, value: &Numbers, old: Option<&Numbers>, writer: &mut Writer<'_>) {
        let gone = gone(value, old);
        if !gone.is_empty() {
            writer.names(&format!("remove_{key}"), &gone);
        }
    }

    fn write_section(&self, key: &str, value: &Numbers, old: Option<&Numbers>, writer: &mut Writer<'_>) {
        writer.words(key, value, old);
    }

    fn entries(&self, key: &str, value: &Numbers, _: &Catalog) -> Vec<(String, Vec<String>)> {
        entry(key, value.iter().map(|(name, _)| name))
    }
}

/// The numbers of words, a section for each group.
pub struct Words;

type AllWords = [Numbers; Group::ALL.len()];

impl Kind<AllWords> for Words {
    fn read(&self, key: &str, value: &mut AllWords, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let [mut words, mut remove, mut rename, mut add] =
            ["", "remove_", "rename_", "add_"].map(|prefix| section.section(&format!("{prefix}{key}"), edit.problems));
        for (group, numbers) in Group::ALL.iter().zip(value) {
            let name = group.as_str();
            let given = words.as_mut().and_then(|section| section.take(name));
            let changes = NumberChanges {
                remove: remove.as_mut().and_then(|section| section.take(name)),
                rename: rename.as_mut().and_then(|section| section.take(name)),
                renumber: None,
                add: add.as_mut().and_then(|section| section.take(name)),
            };
            let path = format!("{key}.{name}");
            edit.merge(given, &path, numbers);
            let step = if group.is_bits() { Step::Bit } else { Step::One };
            edit.change_numbers(name, &path, numbers, changes, step);
        }
        for section in [words, remove, rename, add].into_iter().flatten() {
            section.finish(edit.problems);
        }
    }

    fn write_section(&self, key: &str, value: &AllWords, old: Option<&AllWords>, writer: &mut Writer<'_>) {
        let groups = || Group::ALL.iter().map(|group| (group.as_str(), *group as usize));
        for (name, at) in groups() {
            let old = old.map(|old| &old[at]);
            if value[at].iter().any(|entry| old.is_none_or(|old| !old.contains(entry))) {
                writer.words(&format!("{key}.{name}"), &value[at], old);
            }
        }
        let mut begun = false;
        for (name, at) in groups() {
            let gone = gone(&value[at], old.map(|old| &old[at]));
            if !gone.is_empty() {
                if !begun {
                    writer.section(&format!("remove_{key}"));
                }
                begun = true;
                writer.names(name, &gone);
            }
        }
    }

    fn entries(&self, key: &str, value: &AllWords, catalog: &Catalog) -> Vec<(String, Vec<String>)> {
        let groups = Group::ALL.iter().zip(value);
        let of =
            |(group, words): (&Group, _)| NumberTable.entries(&format!("{key}.{}", group.as_str()), words, catalog);
        groups.flat_map(of).collect()
    }
}

/// Names with numbers from the first to the second, merged name by name and kept sorted.
pub struct NamedIntegers(pub i64, pub i64);

/// Names, each defined (1) or not (0).
pub const DEFINES: NamedIntegers = NamedIntegers(0, 1);

impl Kind<Numbers> for NamedIntegers {
    fn read(&self, key: &str, value: &mut Numbers, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let Some(mut names) = section.section(key, edit.problems) else { return };
        let value = value.to_mut();
        for field in names.rest().into_iter().take(MAX_ENTRIES) {
            let Some(number) = field.integer(self.0..=self.1, edit.problems) else { continue };
            value.retain(|(known, _)| known != field.name());
            value.push((owned(field.name()), number));
        }
        value.sort();
    }

    fn write_value(&self, name: &str, value: &Numbers, writer: &mut Writer<'_>) {
        if value.is_empty() {
            return;
        }
        let numbers: Vec<String> = value.iter().map(|(name, number)| format!("{} = {number}", key(name))).collect();
        writer.line(name, &format!("{{ {} }}", numbers.join(", ")));
    }
}

/// The headers of level files. A file that sets `header` sets it for every ABI, because headers of another game never
/// match. `[header_parts]` changes single parts of it.
pub struct Headers;

type HeaderTable = Table<(Name, Table<u64>)>;

impl Kind<HeaderTable> for Headers {
    fn keys(&self, key: &str, doc: &'static str) -> Vec<(String, &'static str)> {
        vec![(key.to_owned(), doc), ("header_parts".to_owned(), " Single parts of the header, by name.")]
    }

    fn read(&self, key: &str, value: &mut HeaderTable, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        if let Some(mut header) = edit.required(section, key).and_then(|field| field.section(edit.problems)) {
            let mut headers: BTreeMap<Name, Table<u64>> = BTreeMap::new();
            for field in header.rest() {
                let abi = field.name();
                if edit.known("ABI", abi, field.key(), crate::abi::ALL.iter().map(|abi| abi.name)) {
                    let longs = field.list(MAX_HEADER, edit.problems);
                    let longs = longs.iter().filter_map(|long| long.long(u64::MAX, edit.problems)).collect();
                    edit.note(format!("{key}.{abi}"), field.place());
                    headers.insert(owned(abi), longs);
                }
            }
            *value = headers.into_iter().collect();
        }
        let Some(mut parts) = section.section("header_parts", edit.problems) else { return };
        let value = value.to_mut();
        for (at, part) in HEADER_PARTS.iter().enumerate() {
            let Some(field) = parts.take(part) else { continue };
            let mut given: BTreeMap<Name, u64> = BTreeMap::new();
            if field.is_section() {
                let Some(mut abis) = field.section(edit.problems) else { continue };
                for field in abis.rest() {
                    let abi = field.name();
                    if !value.iter().any(|(known, _)| known == abi) {
                        let message = format!("no header for the ABI \"{abi}\"");
                        let help = near(abi, value.iter().map(|(known, _)| known.as_ref()));
                        edit.problems.push(Type::Entry, field.key(), message, help);
                    } else if let Some(long) = field.long(u64::MAX, edit.problems) {
                        given.insert(owned(abi), long);
                    }
                }
            } else if let Some(long) = field.long(u64::MAX, edit.problems) {
                given.extend(value.iter().map(|(abi, _)| (abi.clone(), long)));
            }
            for (abi, long) in given {
                let header = value.iter_mut().find(|(known, _)| *known == abi);
                match header.and_then(|(_, longs)| longs.to_mut().get_mut(at)) {
                    Some(known) => *known = long,
                    None => {
                        let message = format!("the header for \"{abi}\" has no `{part}`");
                        edit.problems.push(Type::Entry, field.key(), message, None);
                    }
                }
            }
        }
        parts.finish(edit.problems);
    }

    fn write_section(&self, name: &str, value: &HeaderTable, old: Option<&HeaderTable>, writer: &mut Writer<'_>) {
        if old != Some(value) {
            writer.section(name);
            for (abi, longs) in value.iter() {
                let longs: Vec<String> = longs.iter().map(|long| format!("\"{long:#010x}\"")).collect();
                writer.line(&key(abi), &format!("[{}]", longs.join(", ")));
            }
            writer.text(&format!("# {}\n", HEADER_PARTS.join(", ")));
        }
    }
}

impl Edit<'_> {
    /// Reports a name that no target can have.
    pub fn target_name(&mut self, name: &str, place: Place) {
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_')) {
            let message = format!("\"{name}\" is not a valid target name");
            let help = "use letters, digits, dashes and dots: slashem-0.0.7".to_owned();
            self.problems.push(Type::Entry, place, message, Some(help));
        }
    }

    /// Reports a dialect that splc does not know.
    pub fn dialect(&mut self, name: &str, place: Place) {
        self.known("dialect", name, place, dialect::all().map(|dialect| dialect.name));
    }

    /// Moves the loader's traps after `traps` was changed.
    pub fn move_traps(&mut self, traps: &[(Name, i64)], shifts: Vec<Shift>) {
        let loader = &mut self.draft.loader;
        for shift in shifts {
            loader.trap_types = shift.apply(i64::from(loader.trap_types)) as i32;
            if loader.vibrating_square > 0 {
                loader.vibrating_square = shift.apply(i64::from(loader.vibrating_square)) as i32;
            }
            let deep = loader.deep_traps.to_mut();
            deep.iter_mut().for_each(|(trap, _)| *trap = shift.apply(i64::from(*trap)) as u16);
        }
        if self.extends {
            loader.trap_types = loader.trap_types.max(last(traps).saturating_add(1));
        }
    }

    /// Moves the last room type after `rooms` was changed.
    pub fn move_rooms(&mut self, rooms: &[(Name, i64)], shifts: Vec<Shift>) {
        let most = &mut self.draft.limits.room_types;
        *most = shifts.into_iter().fold(*most, |most, shift| shift.apply(i64::from(most)) as i32);
        if self.extends {
            *most = (*most).max(last(rooms));
        }
    }

    /// Moves the difficulties of monsters.
    fn move_monsters(&mut self, moved: &Moved) {
        let known = std::mem::take(&mut self.draft.loader.monster_difficulties);
        let known = known.iter().filter_map(|&(number, difficulty)| {
            let number = moved.number(usize::from(number))?;
            Some((u16::try_from(number).ok()?, difficulty))
        });
        self.draft.loader.monster_difficulties = known.collect();
    }

    /// Moves the objects that stack.
    fn move_objects(&mut self, moved: &Moved) {
        let ranges = std::mem::take(&mut self.draft.loader.merging_objects);
        let ranges = ranges.iter().filter_map(|&(first, last)| {
            let (first, last) = moved.range(usize::from(first), usize::from(last))?;
            Some((u16::try_from(first).ok()?, u16::try_from(last).ok()?))
        });
        self.draft.loader.merging_objects = ranges.collect();
    }

    /// Returns true if a line of `structures` is valid: a name, and fields with their types.
    pub fn structure(&mut self, line: &str, place: Place) -> bool {
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
            self.problems.push(Type::Entry, place, message, Some(help));
            return false;
        }
        true
    }

    /// Reads a colour.
    pub(super) fn color(&mut self, field: &Field<'_, '_>) -> Option<Color> {
        let name = field.text(self.problems)?;
        self.known("color", name, field.place(), Color::ALL.iter().map(|color| color.as_str()));
        Color::named(name)
    }

    /// Applies `changes` to `value`; messages call an entry a `what`.
    fn change_numbers(
        &mut self,
        what: &str,
        path: &str,
        value: &mut Numbers,
        changes: NumberChanges<'_, '_>,
        step: Step,
    ) -> Vec<Shift> {
        let places = &mut self.places;
        let note = |name: &str, place: Place| {
            places.insert(format!("{path}.{name}"), place);
        };
        change_numbers(what, value.to_mut(), changes, step, note, self.problems)
    }

    /// Merges the table `given` into `numbers`, name by name.
    fn merge(&mut self, given: Option<Field<'_, '_>>, path: &str, numbers: &mut Numbers) {
        let Some(mut section) = given.and_then(|field| field.section(self.problems)) else { return };
        let numbers = numbers.to_mut();
        for field in section.rest().into_iter().take(MAX_ENTRIES) {
            let Some(number) = field.integer(NUMBERS, self.problems) else { continue };
            let name = field.name();
            self.note(format!("{path}.{name}"), field.place());
            match numbers.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => *known = number,
                None => numbers.push((owned(name), number)),
            }
        }
    }
}

fn named_color(one: &Species) -> Option<(Name, Color)> {
    Some((one.name.clone(), one.color?))
}

fn owned(text: &str) -> Name {
    Name::Owned(text.to_owned())
}

/// Returns the last number.
fn last(numbers: &[(Name, i64)]) -> i32 {
    numbers.iter().map(|&(_, number)| number).max().unwrap_or(0) as i32
}

/// Returns the names of `old` that `new` lacks.
fn gone(new: &Numbers, old: Option<&Numbers>) -> Vec<Name> {
    let old = old.into_iter().flat_map(|old| old.iter());
    old.filter(|(name, _)| !new.iter().any(|(known, _)| known == name)).map(|(name, _)| name.clone()).collect()
}

fn entry(key: &str, names: impl Iterator<Item = impl ToString>) -> Vec<(String, Vec<String>)> {
    vec![(key.to_owned(), names.map(|name| name.to_string()).collect())]
}
