//! The kinds of the fields of `[lua]`: what a game adds for its Lua levels.
//!
//! Functions, keys and values are named in full, as levels write them: `functions."nh.weather"`, `keys."des.door"`.

use super::super::bits::Named;
use super::super::fields::{Catalog, Name, OwnFunction, OwnKey, Table, ValueKind};
use super::kinds::{Kind, Section, Writer};
use super::reader::{Field, Place, near};
use super::writer::{key as bare, quoted};
use super::{Edit, Kind as Type, MAX_ENTRIES, MAX_LIBRARY_BYTES};

/// The libraries that a game can add functions to.
const LIBRARIES: &[&str] = &["des", "nh", "obj", "selection", "u"];

/// The tables that a game can add values to.
const TABLES: &[&str] = &["nhc", "u"];

/// The mark of an optional argument, after its kind.
const OPTIONAL: char = '?';

/// The text of a script, on several lines.
pub struct Library;

impl Kind<Name> for Library {
    fn read(&self, key: &str, value: &mut Name, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let Some(field) = section.take(key) else { return };
        if let Some(text) = field.text_of(MAX_LIBRARY_BYTES, edit.problems) {
            *value = Name::Owned(text.to_owned());
        }
    }

    fn write_value(&self, key: &str, value: &Name, writer: &mut Writer<'_>) {
        const FENCE: &str = "'''";
        let is_plain = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
        // TOML drops the first line end.
        let text = if !value.contains(FENCE) && !value.ends_with('\'') && value.chars().all(is_plain) {
            format!("{FENCE}\n{value}{FENCE}")
        } else {
            quoted(value)
        };
        writer.value(key, &text);
    }
}

impl Edit<'_> {
    /// Returns true if `name` is a name in one of these tables: `nh.weather`.
    fn full_name(&mut self, name: &str, place: Place, tables: &[&str]) -> bool {
        let known = |table: &str| tables.contains(&table);
        let is_word = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        let fits = name.split_once('.').is_some_and(|(table, word)| known(table) && is_word(word));
        if !fits {
            let message = format!("\"{name}\" is not a full name");
            let help = format!("write {}, a dot, and the name", tables.join(" or "));
            self.problems.push(Type::Entry, place, message, Some(help));
        }
        fits
    }

    /// Reads the name of a kind of values.
    fn value_kind(&mut self, name: &str, place: Place) -> Option<ValueKind> {
        let kind = ValueKind::named(name);
        if kind.is_none() {
            let names = || ValueKind::ALL.iter().map(|kind| kind.as_str());
            let help = near(name, names()).unwrap_or_else(|| format!("use {}", names().collect::<Vec<_>>().join(", ")));
            self.problems.push(Type::Entry, place, format!("unknown kind of values \"{name}\""), Some(help));
        }
        kind
    }
}

/// Adds `one`, replacing an entry that is the same thing.
fn put<T: Clone>(table: &mut Table<T>, one: T, same: impl Fn(&T) -> bool) {
    let table = table.to_mut();
    match table.iter_mut().find(|known| same(known)) {
        Some(known) => *known = one,
        None => table.push(one),
    }
}

/// Functions by name: `"nh.weather" = { takes = ["number", "text?"], gives = "text" }`. Without `takes`, all arguments
/// are accepted.
pub struct OwnFunctions;

impl Kind<Table<OwnFunction>> for OwnFunctions {
    fn read(&self, key: &str, value: &mut Table<OwnFunction>, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let Some(mut functions) = section.section(key, edit.problems) else { return };
        for field in functions.rest().into_iter().take(MAX_ENTRIES) {
            let Some(mut parts) = field.section(edit.problems) else { continue };
            let takes = parts.take("takes").map(|field| {
                let mut kinds = Vec::new();
                for (name, place) in field.texts(MAX_ENTRIES, edit.problems) {
                    let plain = name.strip_suffix(OPTIONAL);
                    if let Some(kind) = edit.value_kind(plain.unwrap_or(&name), place) {
                        kinds.push((kind, plain.is_none()));
                    }
                }
                kinds.into()
            });
            let gives = parts.take("gives").and_then(|field| {
                let name = field.text(edit.problems)?;
                edit.value_kind(name, field.place())
            });
            parts.finish(edit.problems);
            let name = field.name();
            if edit.full_name(name, field.key(), LIBRARIES) {
                let gives = gives.unwrap_or(ValueKind::Nothing);
                put(value, OwnFunction { name: Name::Owned(name.to_owned()), takes, gives }, |known| {
                    known.name == name
                });
            }
        }
        value.to_mut().sort_by(|one, other| one.name.cmp(&other.name));
    }

    fn write(&self, key: &str, value: &Table<OwnFunction>, old: Option<&Table<OwnFunction>>, writer: &mut Writer<'_>) {
        for function in value.iter().filter(|function| old.is_none_or(|old| !old.contains(function))) {
            let kind = |&(kind, required): &(ValueKind, bool)| {
                let mark = if required { String::new() } else { OPTIONAL.to_string() };
                quoted(&format!("{}{mark}", kind.as_str()))
            };
            let takes = function.takes.as_ref().map(|takes| {
                let kinds: Vec<String> = takes.iter().map(kind).collect();
                format!("takes = [{}]", kinds.join(", "))
            });
            let gives = Some(function.gives).filter(|gives| *gives != ValueKind::Nothing);
            let gives = gives.map(|gives| format!("gives = {}", quoted(gives.as_str())));
            let parts: Vec<String> = takes.into_iter().chain(gives).collect();
            let parts = if parts.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", parts.join(", ")) };
            writer.line(&format!("{key}.{}", quoted(&function.name)), &parts);
        }
    }

    fn entries(&self, key: &str, value: &Table<OwnFunction>, _: &Catalog) -> Vec<(String, Vec<String>)> {
        named(key, value.iter().map(|function| function.name.to_string()))
    }
}

/// Keys by function: `"des.door" = { iron = "boolean", state = { ajar = "open" }, material = ["oak", "ash"] }`. A list
/// has words; a table has words with the words that they are like.
pub struct OwnKeys;

impl OwnKeys {
    fn one(function: &str, field: &Field<'_, '_>, edit: &mut Edit<'_>) -> Option<OwnKey> {
        let (kind, words) = if field.is_list() {
            let words = field.texts(MAX_ENTRIES, edit.problems).into_iter();
            (ValueKind::Word, words.map(|(word, _)| (Name::Owned(word), Name::default())).collect())
        } else if field.is_section() {
            let words = field.section(edit.problems)?.rest().into_iter().take(MAX_ENTRIES);
            let row = |field: Field<'_, '_>| {
                let like = field.text(edit.problems)?.to_owned();
                Some((Name::Owned(field.name().to_owned()), Name::Owned(like)))
            };
            (ValueKind::Word, words.filter_map(row).collect())
        } else {
            let name = field.text(edit.problems)?;
            (edit.value_kind(name, field.place())?, Table::default())
        };
        Some(OwnKey {
            function: Name::Owned(function.to_owned()),
            name: Name::Owned(field.name().to_owned()),
            kind,
            words,
        })
    }
}

impl Kind<Table<OwnKey>> for OwnKeys {
    fn read(&self, key: &str, value: &mut Table<OwnKey>, section: &mut Section<'_, '_>, edit: &mut Edit<'_>) {
        let Some(mut functions) = section.section(key, edit.problems) else { return };
        for function in functions.rest().into_iter().take(MAX_ENTRIES) {
            let Some(mut keys) = function.section(edit.problems) else { continue };
            if !edit.full_name(function.name(), function.key(), LIBRARIES) {
                continue;
            }
            for field in keys.rest() {
                if value.len() >= MAX_ENTRIES {
                    let message = format!("`{key}` has more than {MAX_ENTRIES} entries");
                    edit.problems.push(Type::Entry, field.key(), message, None);
                    break;
                }
                let Some(one) = OwnKeys::one(function.name(), &field, edit) else { continue };
                let (of, name) = (one.function.clone(), one.name.clone());
                put(value, one, |known| known.function == of && known.name == name);
            }
        }
        value.to_mut().sort_by(|one, other| (&one.function, &one.name).cmp(&(&other.function, &other.name)));
    }

    fn write(&self, key: &str, value: &Table<OwnKey>, old: Option<&Table<OwnKey>>, writer: &mut Writer<'_>) {
        for one in value.iter().filter(|one| old.is_none_or(|old| !old.contains(one))) {
            let has_likes = one.words.iter().any(|(_, like)| !like.is_empty());
            let kind = if has_likes {
                let words = one.words.iter().map(|(word, like)| format!("{} = {}", bare(word), quoted(like)));
                format!("{{ {} }}", words.collect::<Vec<_>>().join(", "))
            } else if !one.words.is_empty() {
                let words = one.words.iter().map(|(word, _)| quoted(word));
                format!("[{}]", words.collect::<Vec<_>>().join(", "))
            } else {
                quoted(one.kind.as_str())
            };
            writer.line(&format!("{key}.{}.{}", quoted(&one.function), bare(&one.name)), &kind);
        }
    }

    fn entries(&self, key: &str, value: &Table<OwnKey>, _: &Catalog) -> Vec<(String, Vec<String>)> {
        named(key, value.iter().map(|one| format!("{}.{}", one.function, one.name)))
    }
}

/// Values by name: `"u.pets" = "number"`.
pub struct OwnValues;

impl Kind<Table<(Name, ValueKind)>> for OwnValues {
    fn read(
        &self,
        key: &str,
        value: &mut Table<(Name, ValueKind)>,
        section: &mut Section<'_, '_>,
        edit: &mut Edit<'_>,
    ) {
        let Some(mut values) = section.section(key, edit.problems) else { return };
        for field in values.rest().into_iter().take(MAX_ENTRIES) {
            let Some(kind) = field.text(edit.problems) else { continue };
            let (kind, name) = (edit.value_kind(kind, field.place()), field.name());
            if let (Some(kind), true) = (kind, edit.full_name(name, field.key(), TABLES)) {
                put(value, (Name::Owned(name.to_owned()), kind), |(known, _)| known == name);
            }
        }
        value.to_mut().sort();
    }

    fn write(
        &self,
        key: &str,
        value: &Table<(Name, ValueKind)>,
        old: Option<&Table<(Name, ValueKind)>>,
        writer: &mut Writer<'_>,
    ) {
        for one in value.iter().filter(|one| old.is_none_or(|old| !old.contains(one))) {
            writer.line(&format!("{key}.{}", quoted(&one.0)), &quoted(one.1.as_str()));
        }
    }

    fn entries(&self, key: &str, value: &Table<(Name, ValueKind)>, _: &Catalog) -> Vec<(String, Vec<String>)> {
        named(key, value.iter().map(|(name, _)| name.to_string()))
    }
}

fn named(key: &str, names: impl Iterator<Item = String>) -> Vec<(String, Vec<String>)> {
    vec![(key.to_owned(), names.collect())]
}
