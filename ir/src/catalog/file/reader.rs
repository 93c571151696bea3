//! TOML values with their places, read by serde, and tables that report the keys that were never read.

use std::fmt;
use std::ops::{Deref, Range, RangeInclusive};

use serde::de::{Error, IntoDeserializer, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::fields::Name;
use super::{Kind, MAX_ENTRIES, MAX_TEXT_BYTES, Problem, Problems};
use crate::limits::MAX_CATALOG_TABLES;

/// Longest name, in bytes, for which similar names are searched.
const LONGEST_GUESSED: usize = 64;

/// A byte range in the text of a file.
pub type Place = Range<usize>;

/// Reads a value that serde knows no type for. A mistake is found within the value, so that it has its place.
struct Checked<T> {
    /// Messages call the value this.
    expected: &'static str,
    text: fn(&str) -> Option<T>,
    number: fn(u64) -> Option<T>,
}

impl<T> Visitor<'_> for Checked<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.text)(text).ok_or_else(|| E::custom(format!("must be {}", self.expected)))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        let read = u64::try_from(number).ok().and_then(self.number);
        read.ok_or_else(|| E::invalid_type(Unexpected::Signed(number), &self))
    }
}

/// Declares types that are read from strings or unsigned numbers.
macro_rules! checked {
    ($($(#[$about:meta])* $name:ident($type:ty) = $expected:literal, $text:expr, $number:expr;)*) => {$(
        $(#[$about])*
        #[derive(Clone)]
        pub struct $name(pub $type);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(Checked { expected: $expected, text: $text, number: $number })
            }
        }
    )*};
}

checked! {
    /// A string of at most [`MAX_TEXT_BYTES`].
    Text(String) = "a string of at most 1024 bytes", text, |_| None;
    /// A non-empty [`Text`] without control characters, suitable for display.
    Line(Text) = "a non-empty string without control characters", |line| {
        text(line).filter(|line| !line.is_empty() && !line.chars().any(char::is_control)).map(Line)
    }, |_| None;
    /// A single ASCII character.
    Character(char) = "a single ASCII character", |text| {
        let mut characters = text.chars();
        let character = characters.next().filter(char::is_ascii)?;
        characters.next().is_none().then_some(Character(character))
    }, |_| None;
    /// An unsigned number: a TOML integer, or a string of hexadecimal digits after `0x`.
    Long(u64) = "an unsigned number such as \"0x06000400\"", |text| {
        u64::from_str_radix(text.strip_prefix("0x")?, 16).ok().map(Long)
    }, |number| Some(Long(number));
}

fn text(text: &str) -> Option<Text> {
    (text.len() <= MAX_TEXT_BYTES).then(|| Text(text.to_owned()))
}

/// A number from `LEAST` to `MOST`.
#[derive(Clone, Copy)]
pub struct Within<const LEAST: i64, const MOST: i64>(pub i64);

impl<'de, const LEAST: i64, const MOST: i64> Deserialize<'de> for Within<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Numbers<const LEAST: i64, const MOST: i64>;

        impl<const LEAST: i64, const MOST: i64> Visitor<'_> for Numbers<LEAST, MOST> {
            type Value = i64;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "a number from {LEAST} to {MOST}")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<i64, E> {
                let range = LEAST..=MOST;
                if range.contains(&number) {
                    Ok(number)
                } else {
                    Err(E::invalid_value(Unexpected::Signed(number), &self))
                }
            }
        }

        deserializer.deserialize_i64(Numbers::<LEAST, MOST>).map(Within)
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Deref for Line {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<Text> for Name {
    fn from(text: Text) -> Name {
        Name::Owned(text.0)
    }
}

impl From<Line> for Name {
    fn from(line: Line) -> Name {
        line.0.into()
    }
}

/// A table whose keys are removed as they are read; the remaining keys are unknown.
pub struct Section<'i> {
    path: String,
    table: DeTable<'i>,
    /// Keys that were looked up: the keys a file may have.
    requested: Vec<String>,
}

/// A value with its key.
pub struct Field<'i> {
    /// Its key, with the keys of the enclosing tables.
    pub path: String,
    /// Its key.
    pub name: String,
    key: Place,
    value: Spanned<DeValue<'i>>,
}

impl<'i> Section<'i> {
    /// Creates a section from `table`, which is under `path`.
    pub fn new(path: String, table: DeTable<'i>) -> Self {
        Section { path, table, requested: Vec::new() }
    }

    fn field(&self, key: Spanned<impl AsRef<str>>, value: Spanned<DeValue<'i>>) -> Field<'i> {
        let name = key.get_ref().as_ref().to_owned();
        let path = if self.path.is_empty() { name.clone() } else { format!("{}.{name}", self.path) };
        Field { path, name, key: key.span(), value }
    }

    /// Removes and returns the value of `key`.
    pub fn take(&mut self, key: &str) -> Option<Field<'i>> {
        self.requested.push(key.to_owned());
        let (key, value) = self.table.remove_entry(key)?;
        Some(self.field(key, value))
    }

    /// Removes and returns the table value of `key`.
    pub fn section(&mut self, key: &str, problems: &mut Problems) -> Option<Section<'i>> {
        self.take(key).and_then(|field| field.section(problems))
    }

    /// Removes and returns the entries of the list `CHANGE_KEY`.
    pub fn changes<T: Deserialize<'i>>(&mut self, change: &str, key: &str, problems: &mut Problems) -> Vec<Spanned<T>> {
        let field = self.take(&format!("{change}_{key}"));
        field.map_or_else(Vec::new, |field| field.list(MAX_ENTRIES, problems))
    }

    /// Removes and returns all remaining values.
    pub fn rest(&mut self) -> Vec<Field<'i>> {
        let table = std::mem::take(&mut self.table);
        table.into_iter().map(|(key, value)| self.field(key, value)).collect()
    }

    /// Reports the keys that were never looked up.
    pub fn finish(mut self, problems: &mut Problems) {
        for field in self.rest() {
            let of = if self.path.is_empty() { "a catalog".to_owned() } else { format!("`{}`", self.path) };
            if problems.is_full() {
                break;
            }
            let help = near(&field.name, self.requested.iter().map(String::as_str));
            problems.push(Kind::Entry, field.key, format!("unknown key `{}` in {of}", field.name), help);
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

/// Reads a value; mistakes in it are reported with its `path`. A list has one of `lengths`, if there are any.
fn read<'i, T: Deserialize<'i>>(
    path: &str,
    value: Spanned<DeValue<'i>>,
    lengths: &[usize],
    problems: &mut Problems,
) -> Option<Spanned<T>> {
    let place = value.span();
    if let (Some(list), false) = (value.get_ref().as_array(), lengths.is_empty())
        && !lengths.contains(&list.len())
    {
        let needs: Vec<String> = lengths.iter().map(ToString::to_string).collect();
        let message = format!("`{path}` has {} values, but needs {}", list.len(), needs.join(" or "));
        problems.push(Kind::Entry, place, message, None);
        return None;
    }
    match T::deserialize(value.into_deserializer()) {
        Ok(read) => Some(Spanned::new(place, read)),
        Err(error) => {
            let place = error.span().unwrap_or(place);
            problems.push(Kind::Entry, place, format!("`{path}`: {}", error.message()), None);
            None
        }
    }
}

impl<'i> Field<'i> {
    /// Returns the place of the value.
    pub fn place(&self) -> Place {
        self.value.span()
    }

    /// Returns the place of the key.
    pub fn key(&self) -> Place {
        self.key.clone()
    }

    /// Reads the value.
    pub fn read<T: Deserialize<'i>>(self, problems: &mut Problems) -> Option<Spanned<T>> {
        read(&self.path, self.value, &[], problems)
    }

    /// Reads a list with one of `lengths`.
    pub fn row<T: Deserialize<'i>>(self, lengths: &[usize], problems: &mut Problems) -> Option<T> {
        read(&self.path, self.value, lengths, problems).map(Spanned::into_inner)
    }

    /// Reads the value as an integer in `range`.
    pub fn integer(self, range: RangeInclusive<i64>, problems: &mut Problems) -> Option<i64> {
        let (path, place) = (self.path.clone(), self.place());
        let Within(number) = self.read::<Within<{ i64::MIN }, { i64::MAX }>>(problems)?.into_inner();
        if !range.contains(&number) {
            let message = format!("`{path}` is {number}, which is out of range");
            let help = format!("use a number from {} to {}", range.start(), range.end());
            problems.push(Kind::Entry, place, message, Some(help));
            return None;
        }
        Some(number)
    }

    /// Returns the value as a table.
    pub fn section(self, problems: &mut Problems) -> Option<Section<'i>> {
        let place = self.place();
        match self.value.into_inner() {
            DeValue::Table(table) => Some(Section::new(self.path, table)),
            other => {
                let message = format!("`{}` must be a table, but is of type {}", self.path, other.type_str());
                problems.push(Kind::Entry, place, message, None);
                None
            }
        }
    }

    /// Returns true if the value is a list.
    pub fn is_list(&self) -> bool {
        self.value.get_ref().is_array()
    }

    /// Returns true if the value is a table.
    pub fn is_section(&self) -> bool {
        self.value.get_ref().is_table()
    }

    /// Reads the values of a list of at most `most`, skipping those with mistakes.
    pub fn list<T: Deserialize<'i>>(self, most: usize, problems: &mut Problems) -> Vec<Spanned<T>> {
        self.rows(most, &[], problems)
    }

    /// Reads the values of a list of at most `most`. If there are `lengths`, each value is a list with one of them.
    pub fn rows<T: Deserialize<'i>>(self, most: usize, lengths: &[usize], problems: &mut Problems) -> Vec<Spanned<T>> {
        let (path, place) = (self.path, self.value.span());
        let list = match self.value.into_inner() {
            DeValue::Array(list) => list,
            other => {
                let message = format!("`{path}` must be a list, but is of type {}", other.type_str());
                problems.push(Kind::Entry, place, message, None);
                return Vec::new();
            }
        };
        if list.len() > most {
            let message = format!("`{path}` has {} entries; at most {most} are read", list.len());
            problems.push(Kind::Entry, self.key, message, None);
        }
        let values = list.into_iter().take(most).enumerate();
        values.filter_map(|(at, value)| read(&format!("{path}[{at}]"), value, lengths, problems)).collect()
    }
}

/// Parses `text`. Syntax errors become problems; the table contains the parts that could be parsed.
pub fn parse<'i>(text: &'i str, problems: &mut Problems) -> DeTable<'i> {
    // Each of these characters can begin a table, which takes hundreds of bytes.
    if let Some((at, _)) = text.match_indices(['.', '[', '{']).nth(MAX_CATALOG_TABLES) {
        let message = format!("a catalog has at most {MAX_CATALOG_TABLES} tables");
        problems.list.push(Problem { kind: Kind::Syntax, place: at..at + 1, message, help: None });
        return DeTable::new();
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors.into_iter().take(super::MAX_PROBLEMS) {
        let place = error.span().unwrap_or(0..0);
        problems.list.push(Problem { kind: Kind::Syntax, place, message: error.message().to_owned(), help: None });
    }
    table.into_inner()
}
