//! A TOML reader with source places. It checks the types of values and reports keys that were never read.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::{Kind, Problem, Problems};
use crate::limits::MAX_CATALOG_TABLES;

/// Longest name, in bytes, for which similar names are searched.
const LONGEST_GUESSED: usize = 64;

/// A byte range in the text of a file.
pub type Place = Range<usize>;

/// A table whose keys are removed as they are read; the remaining keys are unknown.
pub struct Section<'a, 'i> {
    path: String,
    place: Place,
    fields: BTreeMap<&'a str, Field<'a, 'i>>,
    /// Keys that were looked up: the keys a file may have.
    requested: Vec<String>,
    /// Keys that were looked up and found.
    taken: Vec<String>,
}

/// A value with its key.
#[derive(Clone)]
pub struct Field<'a, 'i> {
    /// Its key, with the keys of the enclosing tables.
    pub path: String,
    name: &'a str,
    key: Place,
    value: &'a Spanned<DeValue<'i>>,
}

impl<'a, 'i> Section<'a, 'i> {
    /// Creates a section from `table`, at `place` under `path`.
    pub fn new(path: &str, place: Place, table: &'a DeTable<'i>) -> Self {
        let fields = table.iter().map(|(key, value)| {
            let name: &str = key.get_ref();
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            (name, Field { path, name, key: key.span(), value })
        });
        Section { path: path.to_owned(), place, fields: fields.collect(), requested: Vec::new(), taken: Vec::new() }
    }

    /// Returns its place.
    pub fn place(&self) -> Place {
        self.place.clone()
    }

    /// Removes and returns the value of `key`.
    pub fn take(&mut self, key: &str) -> Option<Field<'a, 'i>> {
        self.requested.push(key.to_owned());
        let field = self.fields.remove(key);
        if field.is_some() {
            self.taken.push(key.to_owned());
        }
        field
    }

    /// Returns true if `key` was looked up and found.
    pub fn has(&self, key: &str) -> bool {
        self.taken.iter().any(|taken| taken == key)
    }

    /// Removes and returns the string value of `key`.
    pub fn text(&mut self, key: &str, problems: &mut Problems) -> Option<&'a str> {
        self.take(key).and_then(|field| field.text(problems))
    }

    /// Removes and returns the table value of `key`.
    pub fn section(&mut self, key: &str, problems: &mut Problems) -> Option<Section<'a, 'i>> {
        self.take(key).and_then(|field| field.section(problems))
    }

    /// Removes and returns all remaining values.
    pub fn rest(&mut self) -> Vec<Field<'a, 'i>> {
        std::mem::take(&mut self.fields).into_values().collect()
    }

    /// Reports the keys that were never looked up.
    pub fn finish(self, problems: &mut Problems) {
        for (name, field) in self.fields {
            let of = if self.path.is_empty() { "a catalog".to_owned() } else { format!("`{}`", self.path) };
            if problems.is_full() {
                break;
            }
            let help = near(name, self.requested.iter().map(String::as_str));
            problems.push(Kind::Entry, field.key, format!("unknown key `{name}` in {of}"), help);
        }
    }
}

/// Returns a `did you mean` question if one of `known` is similar to `name`.
pub fn near<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<String> {
    if name.len() > LONGEST_GUESSED {
        return None;
    }
    let most = (name.chars().count() / 3).clamp(1, 4);
    let distance = |known: &str| strsim::osa_distance(&name.to_lowercase(), &known.to_lowercase());
    let close = known.filter(|known| known.len().abs_diff(name.len()) <= most).map(|known| (distance(known), known));
    let best = close.filter(|&(distance, _)| distance <= most).min()?;
    Some(format!("did you mean `{}`?", best.1))
}

impl<'a, 'i> Field<'a, 'i> {
    /// Returns its key; empty in a list.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Returns the place of the value.
    pub fn place(&self) -> Place {
        self.value.span()
    }

    /// Returns the place of the key.
    pub fn key(&self) -> Place {
        self.key.clone()
    }

    fn expected(&self, what: &str, problems: &mut Problems) {
        let found = self.value.get_ref().type_str();
        let message = format!("`{}` must be {what}, but is of type {found}", self.path);
        problems.push(Kind::Entry, self.place(), message, None);
    }

    /// Returns the value as a string.
    pub fn text(&self, problems: &mut Problems) -> Option<&'a str> {
        self.text_of(super::MAX_TEXT_BYTES, problems)
    }

    /// Returns the value as a string of at most `most` bytes.
    pub fn text_of(&self, most: usize, problems: &mut Problems) -> Option<&'a str> {
        let value: &'a DeValue<'i> = self.value.get_ref();
        let Some(text) = value.as_str() else {
            self.expected("a string", problems);
            return None;
        };
        if text.len() > most {
            let message = format!("`{}` is longer than {most} bytes", self.path);
            problems.push(Kind::Entry, self.place(), message, None);
            return None;
        }
        Some(text)
    }

    /// Returns the value as a string without control characters, suitable for display.
    pub fn line(&self, problems: &mut Problems) -> Option<&'a str> {
        let text = self.text(problems)?;
        if text.is_empty() || text.chars().any(char::is_control) {
            let message = format!("`{}` must be a non-empty string without control characters", self.path);
            problems.push(Kind::Entry, self.place(), message, None);
            return None;
        }
        Some(text)
    }

    /// Returns the value as a single character.
    pub fn character(&self, problems: &mut Problems) -> Option<char> {
        let text = self.text(problems)?;
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) if character.is_ascii() => Some(character),
            _ => {
                let message = format!("`{}` must be a single ASCII character", self.path);
                problems.push(Kind::Entry, self.place(), message, None);
                None
            }
        }
    }

    /// Returns the value as an integer in `range`.
    pub fn integer(&self, range: RangeInclusive<i64>, problems: &mut Problems) -> Option<i64> {
        let Some(integer) = self.value.get_ref().as_integer() else {
            self.expected("an integer", problems);
            return None;
        };
        let number =
            i64::from_str_radix(integer.as_str(), integer.radix()).ok().filter(|number| range.contains(number));
        if number.is_none() {
            let (least, most) = (range.start(), range.end());
            let message = format!("`{}` is {}, which is out of range", self.path, integer.as_str());
            problems.push(Kind::Entry, self.place(), message, Some(format!("use a number from {least} to {most}")));
        }
        number
    }

    /// Returns the value as a boolean.
    pub fn truth(&self, problems: &mut Problems) -> Option<bool> {
        let truth = self.value.get_ref().as_bool();
        if truth.is_none() {
            self.expected("true or false", problems);
        }
        truth
    }

    /// Returns the value as an unsigned integer: a number, or a string of hexadecimal digits after `0x`.
    pub fn long(&self, most: u64, problems: &mut Problems) -> Option<u64> {
        let number = match self.value.get_ref() {
            DeValue::String(text) => text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok()),
            DeValue::Integer(integer) => u64::from_str_radix(integer.as_str(), integer.radix()).ok(),
            _ => None,
        };
        let number = number.filter(|&number| number <= most);
        if number.is_none() {
            let message = format!("`{}` must be an unsigned number such as \"0x06000400\"", self.path);
            problems.push(Kind::Entry, self.place(), message, Some(format!("use a number up to {most:#x}")));
        }
        number
    }

    /// Returns the value as a table.
    pub fn section(&self, problems: &mut Problems) -> Option<Section<'a, 'i>> {
        let value: &'a DeValue<'i> = self.value.get_ref();
        let Some(table) = value.as_table() else {
            self.expected("a table", problems);
            return None;
        };
        Some(Section::new(&self.path, self.place(), table))
    }

    /// Returns true if the value is a list.
    pub fn is_list(&self) -> bool {
        self.value.get_ref().is_array()
    }

    /// Returns true if the value is a table.
    pub fn is_section(&self) -> bool {
        self.value.get_ref().is_table()
    }

    fn array(&self, problems: &mut Problems) -> Option<&'a DeArray<'i>> {
        let value: &'a DeValue<'i> = self.value.get_ref();
        let array = value.as_array();
        if array.is_none() {
            self.expected("a list", problems);
        }
        array
    }

    /// Returns the values of a list of at most `most`.
    pub fn list(&self, most: usize, problems: &mut Problems) -> Vec<Field<'a, 'i>> {
        let Some(array) = self.array(problems) else { return Vec::new() };
        if array.len() > most {
            let message = format!("`{}` has {} entries; at most {most} are read", self.path, array.len());
            problems.push(Kind::Entry, self.key(), message, None);
        }
        let entries = array.iter().take(most).enumerate();
        entries
            .map(|(at, value)| Field { path: format!("{}[{at}]", self.path), name: "", key: value.span(), value })
            .collect()
    }

    /// Returns the strings of a list, with their places.
    pub fn texts(&self, most: usize, problems: &mut Problems) -> Vec<(String, Place)> {
        let fields = self.list(most, problems);
        fields.iter().filter_map(|field| Some((field.text(problems)?.to_owned(), field.place()))).collect()
    }

    /// Returns the length of the list, or 0 if the value is not a list.
    pub fn length(&self) -> usize {
        self.value.get_ref().as_array().map_or(0, |list| list.len())
    }

    /// Returns the values of a list of exactly `N`.
    pub fn row<const N: usize>(&self, problems: &mut Problems) -> Option<[Field<'a, 'i>; N]> {
        self.fields(N, problems)?.try_into().ok()
    }

    /// Returns the values of a list of exactly `length`.
    pub fn fields(&self, length: usize, problems: &mut Problems) -> Option<Vec<Field<'a, 'i>>> {
        let fields = self.list(length, problems);
        if fields.len() == length {
            return Some(fields);
        }
        if self.value.get_ref().is_array() {
            let message = format!("`{}` has {} values, but needs {length}", self.path, fields.len());
            problems.push(Kind::Entry, self.place(), message, None);
        }
        None
    }
}

/// Parses `text`. Syntax errors become problems; the table contains the parts that could be parsed.
pub fn parse<'i>(text: &'i str, problems: &mut Problems) -> Spanned<DeTable<'i>> {
    // Each of these characters can begin a table, which takes hundreds of bytes.
    if let Some((at, _)) = text.match_indices(['.', '[', '{']).nth(MAX_CATALOG_TABLES) {
        let message = format!("a catalog has at most {MAX_CATALOG_TABLES} tables");
        problems.list.push(Problem { kind: Kind::Syntax, place: at..at + 1, message, help: None });
        return DeTable::parse_recoverable("").0;
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let place = error.span().unwrap_or(0..0);
        problems.list.push(Problem { kind: Kind::Syntax, place, message: error.message().to_owned(), help: None });
        if problems.list.len() >= super::MAX_PROBLEMS {
            break;
        }
    }
    table
}
