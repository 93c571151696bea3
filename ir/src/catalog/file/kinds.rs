//! The kinds of fields: how a field is read from a catalog file, merged with the inherited value, and written.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use toml::Spanned;

use super::super::bits::{Named, Set};
use super::super::fields::{Catalog, CoreFunction, DungeonNumber, Look, Method, Name, Numbers, Species, Table};
use super::super::{Color, Group, Habits, Opcode, dialect};
use super::SEE_THROUGH;
use super::changes::{Beside, Moved, Number};
pub use super::reader::Section;
use super::reader::{Character, Field, Line, Long, Place, Text, Within, near};
pub use super::writer::Writer;
use super::writer::{key, quoted};
use super::{
    Edit, FIELD_TYPES, HEADER_PARTS, Kind as Type, MAX_ENTRIES, MAX_HEADER, MAX_SPECIES, NUMBERS, SCHEMA,
    name_and_class,
};

/// A kind of field, whose values are of type `T`.
pub trait Kind<T: PartialEq> {
    /// Changes `value`, which is inherited, as `section` says. Its key is `key`.
    fn read(&self, key: &str, value: &mut T, section: &mut Section<'_>, edit: &mut Edit<'_>);

    /// Writes `value` among the keys outside sections.
    fn write_value(&self, _key: &str, _value: &T, _writer: &mut Writer<'_>) {}

    /// Writes `value` among the keys outside sections, unless it is inherited.
    fn write(&self, key: &str, value: &T, old: Option<&T>, writer: &mut Writer<'_>) {
        if old != Some(value) {
            self.write_value(key, value, writer);
        }
    }

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
}

/// A structure whose fields are declared with their kinds.
pub trait Fields: Default + PartialEq {
    /// Reads the fields of the structure that is at `at` in the draft.
    fn read(at: fn(&mut Catalog) -> &mut Self, section: &mut Section<'_>, edit: &mut Edit<'_>);
    /// Writes the fields that are not inherited.
    fn write(&self, old: Option<&Self>, writer: &mut Writer<'_>);
    /// Returns the tables of names in the order of the file.
    fn entries(&self, catalog: &Catalog) -> Vec<(String, Vec<String>)>;
    /// Returns the keys in a file, with their documentation.
    fn keys() -> Vec<(String, &'static str)>;
}

/// The catalog that a file extends. A file that extends none has the version of the format in its place.
pub struct Parent;

impl Kind<Option<Name>> for Parent {
    fn read(&self, key: &str, value: &mut Option<Name>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        if let Some(schema) = edit.needed(section, "schema", Need::WithoutParent)
            && let Some(schema) = schema.read::<Number>(edit.problems)
            && schema.get_ref().0 != SCHEMA
        {
            let message = format!("unknown catalog schema {}", schema.get_ref().0);
            let help = format!("write {SCHEMA}, the current schema");
            edit.problems.push(Type::Entry, schema.span(), message, Some(help));
        }
        let parent = section.take(key).and_then(|field| field.read::<Text>(edit.problems));
        *value = parent.map(|name| name.into_inner().into());
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

/// A string.
pub struct StringOf {
    /// The files that have to have it.
    pub need: Need,
    /// Reports a wrong string.
    pub check: fn(&mut Edit<'_>, &str, Place),
}

/// A string that is never inherited, and is shown to people.
pub const TITLE: StringOf = StringOf { need: Need::Always, check: |_, _, _| {} };

impl Kind<Name> for StringOf {
    fn read(&self, key: &str, value: &mut Name, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let Some(field) = edit.needed(section, key, self.need) else { return };
        let place = field.place();
        let text: Option<Name> = match self.need {
            Need::Always => field.read::<Line>(edit.problems).map(|line| line.into_inner().into()),
            _ => field.read::<Text>(edit.problems).map(|text| text.into_inner().into()),
        };
        if let Some(text) = text {
            (self.check)(edit, &text, place);
            *value = text;
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
    /// Messages call it this.
    pub what: &'static str,
}

impl<T: Named> Kind<T> for OneOf {
    fn read(&self, key: &str, value: &mut T, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let Some(name) = edit.needed(section, key, self.need).and_then(|field| field.read::<Text>(edit.problems))
        else {
            return;
        };
        *value = edit.named(self.what, &name).unwrap_or(*value);
    }

    fn write_value(&self, key: &str, value: &T, writer: &mut Writer<'_>) {
        writer.value(key, &quoted(&value.called()));
    }
}

/// Names in a list, given in full or changed by `add_KEY` and `remove_KEY`.
pub struct Names {
    /// The files that have to have the list.
    pub need: Need,
    /// Set if levels can use the names.
    pub is_compared: bool,
    /// Set if each name has a line of its own in the file.
    pub is_long: bool,
    /// Returns true if a name is valid, and reports it otherwise.
    pub check: fn(&mut Edit<'_>, &str, Place) -> bool,
}

/// Names that are not compared between games.
pub const NAMES: Names = Names { need: Need::Never, is_compared: false, is_long: false, check: |_, _, _| true };

/// Names that are compared between games.
pub const COMPARED: Names = Names { is_compared: true, ..NAMES };

impl Kind<Table<Name>> for Names {
    fn read(&self, key: &str, value: &mut Table<Name>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let mut names = std::mem::take(value).into_owned();
        edit.names(section, key, self.need, &mut names, |edit, name, place| {
            edit.note(format!("{key}.{name}"), place.clone());
            (self.check)(edit, &name, place).then_some(name)
        });
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
    /// The files that have to have the list.
    pub need: Need,
}

impl<S: Set> Kind<S> for Switches {
    fn read(&self, key: &str, value: &mut S, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let mut names = value.names();
        edit.names(section, key, self.need, &mut names, |edit, name, place| {
            let name = Spanned::new(place, name.replace('-', "_"));
            edit.named::<S::Item>(self.what, &name).map(|item| item.called())
        });
        *value = S::of_names(&names);
    }

    fn write(&self, key: &str, value: &S, old: Option<&S>, writer: &mut Writer<'_>) {
        if self.need == Need::WithoutParent {
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

    fn read(&self, key: &str, value: &mut T, section: &mut Section<'_>, edit: &mut Edit<'_>) {
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
    fn read(&self, key: &str, value: &mut S, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let Some(mut part) = section.section(key, edit.problems) else { return };
        std::mem::swap(value, (self.at)(&mut edit.draft));
        S::read(self.at, &mut part, edit);
        std::mem::swap(value, (self.at)(&mut edit.draft));
        part.finish(edit.problems);
    }

    fn write(&self, key: &str, value: &S, old: Option<&S>, writer: &mut Writer<'_>) {
        let zero = S::default();
        let old = if let Written::Nonzero = self.written { old.or(Some(&zero)) } else { old };
        if old == Some(value) {
            return;
        }
        writer.section(key, |writer| {
            value.write(if let Written::All = self.written { None } else { old }, writer);
            if let Written::Nonzero = self.written {
                writer.blank();
            }
        });
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
    fn read(&self, key: &str, value: &mut Table<Opcode>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let is_known = |edit: &mut Edit<'_>, name: &str, place: Place| {
            Opcode::named(name).is_some()
                || edit.known("opcode", name, place, Opcode::VALUES.iter().map(|opcode| opcode.as_str()))
        };
        let mut names: Vec<Name> = value.iter().map(|opcode| owned(opcode.as_str())).collect();
        if let Some(field) = edit.required(section, key) {
            let mut given = field.list::<Text>(MAX_ENTRIES, edit.problems);
            given.retain(|name| is_known(edit, name.get_ref(), name.span()));
            names = names_of(given);
        }
        let (names, _) = edit.name_sequence(("opcode", key), names, section, is_known);
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
    fn read(&self, key: &str, value: &mut Table<Name>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        if let Some(field) = edit.required(section, key) {
            *value = names_of(field.list(MAX_ENTRIES, edit.problems)).into();
            edit.draft.terrain = Table::default();
        }
        let types = std::mem::take(value).into_owned();
        let (types, moved) = edit.name_sequence(("type of squares", key), types, section, |_, _, _| true);
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
    fn read(&self, key: &str, value: &mut i32, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let count = edit.draft.level_types.len();
        *value = count as i32;
        if let Some(field) = edit.required(section, key)
            && let place = field.place()
            && let Some(number) = field.integer(0..=127, edit.problems)
            && number != count as i64
        {
            let message = format!("`max_terrain` is {number}, but there are only {count} types of squares");
            edit.problems.push(Type::Conflict, place, message, None);
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
    fn read(&self, key: &str, value: &mut Name, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        if let Some(field) = edit.required(section, key) {
            *value = field.read::<Text>(edit.problems).map(|text| text.into_inner().into()).unwrap_or_default();
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

/// An entry of `add_terrain`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct NewTerrain {
    character: Character,
    r#type: Spanned<Text>,
}

impl Kind<Table<(char, usize)>> for MapTerrain {
    fn read(&self, key: &str, value: &mut Table<(char, usize)>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let value = value.to_mut();
        if let Some(field) = edit.required(section, key) {
            value.clear();
            for row in field.rows::<(Character, Text, Within<0, 127>)>(MAX_ENTRIES, &[3], edit.problems) {
                let (place, (Character(character), name, Within(number))) = (row.span(), row.into_inner());
                edit.note(format!("terrain.{character}"), place.clone());
                let known = edit.draft.level_types.get(number as usize).map_or(SEE_THROUGH, |name| name.as_ref());
                if known != &*name {
                    let message = format!("type {number} of squares is \"{known}\", not \"{}\"", &*name);
                    edit.problems.push(Type::Conflict, place, message, None);
                }
                value.push((character, number as usize));
            }
        }
        for removed in section.changes::<Character>("remove", key, edit.problems) {
            let Character(character) = *removed.get_ref();
            let before = value.len();
            value.retain(|&(known, _)| known != character);
            edit.draft.map_characters.to_mut().retain(|known| known != character);
            if value.len() == before {
                let message = format!("no terrain has the character '{}'", character.escape_debug());
                edit.problems.push(Type::Entry, removed.span(), message, None);
            }
        }
        for new in section.changes::<NewTerrain>("add", key, edit.problems) {
            let (place, NewTerrain { character: Character(character), r#type: name }) = (new.span(), new.into_inner());
            let types = &edit.draft.level_types;
            let number = match &**name.get_ref() {
                SEE_THROUGH => Some(types.len()),
                name => types.iter().position(|known| known == name),
            };
            let Some(number) = number else {
                let help = near(name.get_ref(), types.iter().map(|name| name.as_ref()));
                let message = format!("`level_types` does not have \"{}\"", &**name.get_ref());
                edit.problems.push(Type::Entry, name.span(), message, help);
                continue;
            };
            edit.note(format!("terrain.{character}"), place);
            // A later entry for the same character replaces the earlier one.
            value.retain(|&(known, _)| known != character);
            value.push((character, number));
            let characters = &mut edit.draft.map_characters;
            if !characters.contains(character) {
                characters.to_mut().push(character);
            }
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

/// Changes other fields after numbers of a table were shifted. Takes the table as it is now, and the
/// numbers from which others were shifted up by one.
pub type AfterShift = fn(&mut Edit<'_>, &[(Name, i64)], Vec<i64>);

impl Kind<Numbers> for Numbered {
    fn read(&self, key: &str, value: &mut Numbers, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        if let Some(field) = edit.required(section, key) {
            let mut pairs = Vec::new();
            for row in field.rows::<(Line, Number)>(MAX_ENTRIES, &[2], edit.problems) {
                let (place, (name, Within(number))) = (row.span(), row.into_inner());
                edit.note(format!("{key}.{}", &*name), place);
                pairs.push((name.into(), number));
            }
            *value = pairs.into();
        }
        let remove = section.changes("remove", key, edit.problems);
        let shifts = edit.change_numbers(self.what, key, value, remove, section, key);
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
    fn read(&self, key: &str, value: &mut Name, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        if let Some(given) = edit.required(section, key).and_then(|field| field.read::<Text>(edit.problems)) {
            *value = given.into_inner().into();
        }
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

/// An entry of `monsters`: name, class, habits, and the names of males and females, if they differ.
#[derive(Deserialize)]
struct MonsterRow(Text, Character, Spanned<Text>, #[serde(default)] Option<Text>, #[serde(default)] Option<Text>);

/// An entry of `objects`: name, class and description.
#[derive(Deserialize)]
struct ObjectRow(Text, Character, #[serde(default)] Option<Text>);

/// An entry of `add_monsters` or `add_objects`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct NewSpecies {
    name: Text,
    class: Character,
    habits: Option<Spanned<Text>>,
    also: Option<Spanned<Vec<Text>>>,
    color: Option<Spanned<Text>>,
    after: Option<Spanned<Text>>,
    before: Option<Spanned<Text>>,
}

impl Edit<'_> {
    fn habits(&mut self, habits: &Spanned<Text>) -> Habits {
        let words = habits.get_ref().split_whitespace().map(|word| Spanned::new(habits.span(), word));
        words.filter_map(|word| self.named("habit", &word)).fold(Habits::default(), Habits::with)
    }
}

impl AllSpecies {
    fn rows(&self, field: Field<'_>, edit: &mut Edit<'_>) -> Vec<Spanned<Species>> {
        if self.has_habits {
            let rows = field.rows::<MonsterRow>(MAX_SPECIES, &[3, 5], edit.problems);
            let row = |row: Spanned<MonsterRow>| {
                let (place, MonsterRow(name, class, habits, male, female)) = (row.span(), row.into_inner());
                let also = male.into_iter().chain(female).map(Name::from).collect();
                let habits = edit.habits(&habits);
                Spanned::new(place, Species { name: name.into(), class: class.0, habits, also, color: None })
            };
            return rows.into_iter().map(row).collect();
        }
        let rows = field.rows::<ObjectRow>(MAX_SPECIES, &[2, 3], edit.problems);
        let row = |row: Spanned<ObjectRow>| {
            let (place, ObjectRow(name, class, also)) = (row.span(), row.into_inner());
            let also = also.into_iter().map(Name::from).collect();
            Spanned::new(place, Species { name: name.into(), class: class.0, also, ..Species::default() })
        };
        rows.into_iter().map(row).collect()
    }

    fn new_species(&self, key: &str, new: Spanned<NewSpecies>, edit: &mut Edit<'_>) -> (Species, Option<Beside>) {
        let (place, new) = (new.span(), new.into_inner());
        edit.note(format!("{key}.{}", &*new.name), place.clone());
        let habits = new.habits.map(|habits| edit.habits(&habits)).unwrap_or_default();
        let mut also = Table::default();
        if let Some(names) = new.also {
            let most = if self.has_habits { 2 } else { 1 };
            if names.get_ref().len() == most {
                also = names.into_inner().into_iter().map(Name::from).collect();
            } else {
                let message = format!("`also` has {} names, but needs {most}", names.get_ref().len());
                let help = self.has_habits.then(|| "write that of the male and that of the female".to_owned());
                edit.problems.push(Type::Entry, names.span(), message, help);
            }
        }
        let color = new.color.and_then(|color| edit.named("color", &color));
        let beside = edit.beside(place, false, new.after, new.before);
        (Species { name: new.name.into(), class: new.class.0, habits, also, color }, beside)
    }

    /// Reads the section of colours: `red = ["fire ant", "cold@/"]`.
    fn read_colors(&self, table: &mut [Species], section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let mut by_name: HashMap<Name, Vec<usize>> = HashMap::new();
        for (at, one) in table.iter().enumerate().filter(|(_, one)| !one.name.is_empty()) {
            by_name.entry(one.name.clone()).or_default().push(at);
        }
        for (color, name) in edit.colors(section, self.colors) {
            let of_class = || {
                let (name, class) = name_and_class(name.get_ref())?;
                Some((by_name.get(name)?, Some(class)))
            };
            let found = by_name.get(&**name.get_ref()).map(|found| (found, None)).or_else(of_class);
            let Some((found, class)) = found else {
                edit.known(self.what, name.get_ref(), name.span(), by_name.keys().map(|name| name.as_ref()));
                continue;
            };
            for &at in found {
                if class.is_none_or(|class| class == table[at].class) {
                    table[at].color = Some(color);
                }
            }
        }
    }
}

impl Kind<Table<Species>> for AllSpecies {
    fn keys(&self, key: &str, doc: &'static str) -> Vec<(String, &'static str)> {
        vec![(key.to_owned(), doc), (self.colors.to_owned(), " Their colours, by name.")]
    }

    fn read(&self, key: &str, value: &mut Table<Species>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let mut table = std::mem::take(value).into_owned();
        let old: HashMap<Name, Color> = table.iter().filter_map(named_color).collect();
        if let Some(field) = edit.required(section, key) {
            table.clear();
            for species in self.rows(field, edit) {
                edit.note(format!("{key}[{}]", table.len()), species.span());
                table.push(species.into_inner());
            }
        }
        let (mut table, moved) =
            edit.sequence((self.what, key), table, section, |edit, new| Some(self.new_species(key, new, edit)));
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
    fn read(&self, key: &str, value: &mut Table<(Name, Color)>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let value = value.to_mut();
        for (color, name) in edit.colors(section, key) {
            let traps = edit.draft.traps.clone();
            if edit.known("trap", name.get_ref(), name.span(), traps.iter().map(|(trap, _)| trap.as_ref())) {
                value.retain(|(known, _)| *known != **name.get_ref());
                value.push((name.into_inner().into(), color));
            }
        }
        let traps = &edit.draft.traps;
        value.retain(|(known, _)| traps.iter().any(|(trap, _)| trap == known));
        value.sort();
    }

    fn write(
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

/// The symbol, colour and name of a type of squares, and the type that it is like.
#[derive(Deserialize)]
struct LookRow(Character, Spanned<Text>, Line, #[serde(default)] Option<Spanned<Text>>);

impl Kind<Table<Look>> for Looks {
    fn read(&self, key: &str, value: &mut Table<Look>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let value = value.to_mut();
        let types = edit.draft.level_types.clone();
        let known = || types.iter().map(|name| name.as_ref());
        if let Some(mut looks) = section.section(key, edit.problems) {
            for field in looks.rest() {
                let (of, at) = (field.name.clone(), field.key());
                let Some(LookRow(symbol, color, name, like)) = field.row(&[3, 4], edit.problems) else { continue };
                let color = edit.named("color", &color);
                let mut is_known = edit.known("type of squares", &of, at, known());
                if let Some(like) = &like {
                    is_known &= edit.known("type of squares", like.get_ref(), like.span(), known());
                }
                let (Some(color), true) = (color, is_known) else { continue };
                let like = like.map(|like| like.into_inner().into()).unwrap_or_default();
                value.retain(|look| look.of != of);
                value.push(Look { of: of.into(), symbol: symbol.0, color, name: name.into(), like });
            }
        }
        value.retain(|look| types.contains(&look.of));
        value.sort_by_key(|look| types.iter().position(|name| *name == look.of));
    }

    fn write(&self, name: &str, value: &Table<Look>, old: Option<&Table<Look>>, writer: &mut Writer<'_>) {
        let mut changed = value.iter().filter(|look| old.is_none_or(|old| !old.contains(look))).peekable();
        if changed.peek().is_none() {
            return;
        }
        writer.section(name, |writer| {
            for look in changed {
                let like = Some(&look.like).filter(|like| !like.is_empty());
                let texts = [&look.symbol.to_string(), look.color.as_str(), &look.name];
                let row: Vec<String> = texts.into_iter().chain(like.map(|like| like.as_ref())).map(quoted).collect();
                writer.line(&key(&look.of), &format!("[{}]", row.join(", ")));
            }
            writer.blank();
        });
    }
}

/// The number of a core function.
type CoreNumber = Within<0, 63>;

/// Functions of the game that scripts can call.
pub struct CoreFunctions;

impl Kind<Table<CoreFunction>> for CoreFunctions {
    fn read(&self, key: &str, value: &mut Table<CoreFunction>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let Some(field) = edit.required(section, key) else { return };
        let mut functions = Vec::new();
        for row in field.rows::<(Line, CoreNumber, Text, Character)>(MAX_ENTRIES, &[4], edit.problems) {
            let (place, (name, Within(number), parameters, Character(result))) = (row.span(), row.into_inner());
            let number = number as i32;
            edit.note(format!("{key}.{}", &*name), place);
            functions.push(CoreFunction { name: name.into(), number, parameters: parameters.into(), result });
        }
        *value = functions.into();
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
    fn read(&self, key: &str, value: &mut Table<Method>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let Some(field) = edit.required(section, key) else { return };
        let mut methods = Vec::new();
        for row in field.rows::<(Text, bool, Line, CoreNumber, Character)>(MAX_ENTRIES, &[5], edit.problems) {
            let (of, array, name, Within(number), Character(result)) = row.into_inner();
            methods.push(Method { of: of.into(), array, name: name.into(), number: number as i32, result });
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
    fn read(&self, key: &str, value: &mut Table<(u16, u16)>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let Some(field) = section.take(key) else { return };
        edit.note(key, field.place());
        let pairs = field.rows::<[Within<0, 65535>; 2]>(MAX_ENTRIES, &[2], edit.problems);
        *value = pairs.iter().map(|pair| pair.get_ref().map(|Within(number)| number as u16).into()).collect();
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
    fn read(&self, key: &str, value: &mut Numbers, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        edit.merge(section.take(key), key, value);
        let remove = section.changes("remove", key, edit.problems);
        edit.change_numbers(key, key, value, remove, section, key);
        value.to_mut().sort();
    }

    fn write(&self, key: &str, value: &Numbers, old: Option<&Numbers>, writer: &mut Writer<'_>) {
        let gone = gone(value, old);
        if !gone.is_empty() {
            writer.names(&format!("remove_{key}"), &gone);
        }
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
    fn read(&self, key: &str, value: &mut AllWords, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let [mut words, mut remove] =
            ["", "remove_"].map(|prefix| section.section(&format!("{prefix}{key}"), edit.problems));
        for (group, numbers) in Group::ALL.iter().zip(value) {
            let name = group.as_str();
            let path = format!("{key}.{name}");
            edit.merge(words.as_mut().and_then(|section| section.take(name)), &path, numbers);
            let gone = remove.as_mut().and_then(|section| section.take(name));
            let gone = gone.map(|field| field.list(MAX_ENTRIES, edit.problems)).unwrap_or_default();
            edit.remove_numbers(name, numbers, gone);
        }
        for section in [words, remove].into_iter().flatten() {
            section.finish(edit.problems);
        }
    }

    fn write(&self, key: &str, value: &AllWords, old: Option<&AllWords>, writer: &mut Writer<'_>) {
        let groups = || Group::ALL.iter().map(|group| (group.as_str(), *group as usize));
        for (name, at) in groups() {
            let old = old.map(|old| &old[at]);
            if value[at].iter().any(|entry| old.is_none_or(|old| !old.contains(entry))) {
                writer.words(&format!("{key}.{name}"), &value[at], old);
            }
        }
        let gone = groups().map(|(name, at)| (name, gone(&value[at], old.map(|old| &old[at]))));
        let mut gone = gone.filter(|(_, gone)| !gone.is_empty()).peekable();
        if gone.peek().is_some() {
            writer.section(&format!("remove_{key}"), |writer| gone.for_each(|(name, gone)| writer.names(name, &gone)));
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
    fn read(&self, key: &str, value: &mut Numbers, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let Some(mut names) = section.section(key, edit.problems) else { return };
        let value = value.to_mut();
        for field in names.rest().into_iter().take(MAX_ENTRIES) {
            let name = field.name.clone();
            let Some(number) = field.integer(self.0..=self.1, edit.problems) else { continue };
            value.retain(|(known, _)| *known != name);
            value.push((name.into(), number));
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

    fn read(&self, key: &str, value: &mut HeaderTable, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        if let Some(mut header) = edit.required(section, key).and_then(|field| field.section(edit.problems)) {
            let mut headers: BTreeMap<Name, Table<u64>> = BTreeMap::new();
            for field in header.rest() {
                let (abi, at, place) = (field.name.clone(), field.key(), field.place());
                if edit.known("ABI", &abi, at, crate::abi::ALL.iter().map(|abi| abi.name)) {
                    let longs = field.list::<Long>(MAX_HEADER, edit.problems);
                    edit.note(format!("{key}.{abi}"), place);
                    headers.insert(abi.into(), longs.iter().map(|long| long.get_ref().0).collect());
                }
            }
            *value = headers.into_iter().collect();
        }
        let Some(mut parts) = section.section("header_parts", edit.problems) else { return };
        let value = value.to_mut();
        for (at, part) in HEADER_PARTS.iter().enumerate() {
            let Some(field) = parts.take(part) else { continue };
            let place = field.key();
            let mut given: BTreeMap<Name, u64> = BTreeMap::new();
            if field.is_section() {
                let Some(mut abis) = field.section(edit.problems) else { continue };
                for field in abis.rest() {
                    let abi = field.name.clone();
                    if !value.iter().any(|(known, _)| *known == abi) {
                        let message = format!("no header for the ABI \"{abi}\"");
                        let help = near(&abi, value.iter().map(|(known, _)| known.as_ref()));
                        edit.problems.push(Type::Entry, field.key(), message, help);
                    } else if let Some(long) = field.read::<Long>(edit.problems) {
                        given.insert(abi.into(), long.into_inner().0);
                    }
                }
            } else if let Some(long) = field.read::<Long>(edit.problems) {
                given.extend(value.iter().map(|(abi, _)| (abi.clone(), long.get_ref().0)));
            }
            for (abi, long) in given {
                let header = value.iter_mut().find(|(known, _)| *known == abi);
                match header.and_then(|(_, longs)| longs.to_mut().get_mut(at)) {
                    Some(known) => *known = long,
                    None => {
                        let message = format!("the header for \"{abi}\" has no `{part}`");
                        edit.problems.push(Type::Entry, place.clone(), message, None);
                    }
                }
            }
        }
        parts.finish(edit.problems);
    }

    fn write_value(&self, name: &str, value: &HeaderTable, writer: &mut Writer<'_>) {
        writer.section(name, |writer| {
            for (abi, longs) in value.iter() {
                let longs: Vec<String> = longs.iter().map(|long| format!("\"{long:#010x}\"")).collect();
                writer.line(&key(abi), &format!("[{}]", longs.join(", ")));
            }
            writer.text(&format!("# {}\n", HEADER_PARTS.join(", ")));
        });
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
    pub fn move_traps(&mut self, traps: &[(Name, i64)], shifts: Vec<i64>) {
        let loader = &mut self.draft.loader;
        for from in shifts {
            let moved = |number: i64| number + i64::from(number >= from);
            loader.trap_types = moved(i64::from(loader.trap_types)) as i32;
            if loader.vibrating_square > 0 {
                loader.vibrating_square = moved(i64::from(loader.vibrating_square)) as i32;
            }
            let deep = loader.deep_traps.to_mut();
            deep.iter_mut().for_each(|(trap, _)| *trap = moved(i64::from(*trap)) as u16);
        }
        if self.extends {
            loader.trap_types = loader.trap_types.max(last(traps).saturating_add(1));
        }
    }

    /// Moves the last room type after `rooms` was changed.
    pub fn move_rooms(&mut self, rooms: &[(Name, i64)], shifts: Vec<i64>) {
        let most = &mut self.draft.limits.room_types;
        *most = shifts.into_iter().fold(*most, |most, from| most + i32::from(i64::from(most) >= from));
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

    /// Reads a section of names by colour.
    fn colors(&mut self, section: &mut Section<'_>, key: &str) -> Vec<(Color, Spanned<Text>)> {
        let Some(mut colors) = section.section(key, self.problems) else { return Vec::new() };
        let mut all = Vec::new();
        for color in Color::ALL {
            let names = colors.take(color.as_str()).map(|field| field.list(MAX_SPECIES, self.problems));
            all.extend(names.into_iter().flatten().map(|name| (*color, name)));
        }
        colors.finish(self.problems);
        all
    }

    /// Merges the table `given` into `numbers`, name by name.
    fn merge(&mut self, given: Option<Field<'_>>, path: &str, numbers: &mut Numbers) {
        let Some(mut section) = given.and_then(|field| field.section(self.problems)) else { return };
        let numbers = numbers.to_mut();
        for field in section.rest().into_iter().take(MAX_ENTRIES) {
            let (name, place) = (field.name.clone(), field.place());
            let Some(number) = field.integer(NUMBERS, self.problems) else { continue };
            self.note(format!("{path}.{name}"), place);
            match numbers.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = number,
                None => numbers.push((name.into(), number)),
            }
        }
    }
}

fn named_color(one: &Species) -> Option<(Name, Color)> {
    Some((one.name.clone(), one.color?))
}

fn names_of(names: Vec<Spanned<Text>>) -> Vec<Name> {
    names.into_iter().map(|name| name.into_inner().into()).collect()
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
