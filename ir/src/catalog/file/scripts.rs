//! The kinds of the fields of `[lua]`: what a game adds for its Lua levels.
//!
//! Functions, keys and values are named in full, as levels write them: `functions."nh.weather"`, `keys."des.door"`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::super::fields::{Catalog, Name, OwnFunction, OwnKey, Table, ValueKind};
use super::kinds::{Kind, Section, Writer};
use super::reader::{Field, Place, Text};
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
    fn read(&self, key: &str, value: &mut Name, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let Some(field) = section.take(key) else { return };
        let Some(text) = field.read::<String>(edit.problems) else { return };
        if text.get_ref().len() > MAX_LIBRARY_BYTES {
            let message = format!("`{key}` is longer than {MAX_LIBRARY_BYTES} bytes");
            edit.problems.push(Type::Entry, text.span(), message, None);
            return;
        }
        *value = text.into_inner().into();
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

    fn value_kind(&mut self, name: &Spanned<Text>) -> Option<ValueKind> {
        self.named("kind of values", name)
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct Function {
    takes: Option<Vec<Spanned<Text>>>,
    gives: Option<Spanned<Text>>,
}

impl Kind<Table<OwnFunction>> for OwnFunctions {
    fn read(&self, key: &str, value: &mut Table<OwnFunction>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let Some(mut functions) = section.section(key, edit.problems) else { return };
        for field in functions.rest().into_iter().take(MAX_ENTRIES) {
            let (name, place) = (field.name.clone(), field.key());
            let Some(function) = field.read::<Function>(edit.problems) else { continue };
            let Function { takes, gives } = function.into_inner();
            let argument = |kind: Spanned<Text>| {
                let plain = kind.get_ref().strip_suffix(OPTIONAL);
                let required = plain.is_none();
                let plain = Spanned::new(kind.span(), plain.unwrap_or(kind.get_ref()));
                edit.named("kind of values", &plain).map(|kind| (kind, required))
            };
            let takes = takes.map(|takes| takes.into_iter().take(MAX_ENTRIES).filter_map(argument).collect());
            let gives = gives.and_then(|gives| edit.value_kind(&gives)).unwrap_or(ValueKind::Nothing);
            if edit.full_name(&name, place, LIBRARIES) {
                put(value, OwnFunction { name: name.clone().into(), takes, gives }, |known| known.name == name);
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
    fn one(function: &str, field: Field<'_>, edit: &mut Edit<'_>) -> Option<OwnKey> {
        let name = field.name.clone();
        let (kind, words) = if field.is_list() {
            let words = field.list::<Text>(MAX_ENTRIES, edit.problems).into_iter();
            (ValueKind::Word, words.map(|word| (word.into_inner().into(), Name::default())).collect())
        } else if field.is_section() {
            let words = field.read::<BTreeMap<String, Text>>(edit.problems)?.into_inner();
            let words = words.into_iter().take(MAX_ENTRIES);
            (ValueKind::Word, words.map(|(word, like)| (word.into(), like.into())).collect())
        } else {
            let kind = field.read(edit.problems)?;
            (edit.value_kind(&kind)?, Table::default())
        };
        Some(OwnKey { function: function.to_owned().into(), name: name.into(), kind, words })
    }
}

impl Kind<Table<OwnKey>> for OwnKeys {
    fn read(&self, key: &str, value: &mut Table<OwnKey>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let Some(mut functions) = section.section(key, edit.problems) else { return };
        for function in functions.rest().into_iter().take(MAX_ENTRIES) {
            let (name, place) = (function.name.clone(), function.key());
            let Some(mut keys) = function.section(edit.problems) else { continue };
            if !edit.full_name(&name, place, LIBRARIES) {
                continue;
            }
            for field in keys.rest() {
                if value.len() >= MAX_ENTRIES {
                    let message = format!("`{key}` has more than {MAX_ENTRIES} entries");
                    edit.problems.push(Type::Entry, field.key(), message, None);
                    break;
                }
                let Some(one) = OwnKeys::one(&name, field, edit) else { continue };
                let key = one.name.clone();
                put(value, one, |known| known.function == name && known.name == key);
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
    fn read(&self, key: &str, value: &mut Table<(Name, ValueKind)>, section: &mut Section<'_>, edit: &mut Edit<'_>) {
        let Some(mut values) = section.section(key, edit.problems) else { return };
        for field in values.rest().into_iter().take(MAX_ENTRIES) {
            let (name, place) = (field.name.clone(), field.key());
            let Some(kind) = field.read(edit.problems) else { continue };
            if let (Some(kind), true) = (edit.value_kind(&kind), edit.full_name(&name, place, TABLES)) {
                put(value, (name.clone().into(), kind), |(known, _)| *known == name);
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
