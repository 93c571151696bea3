//! A writer of catalog files: a catalog in full, or only its differences from the catalog it extends.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::Color;
use super::super::fields::{Catalog, Name, Numbers};
use super::kinds::Fields;

/// Approximate line width of lists.
const WIDTH: usize = 110;

/// Returns the comment above a key: the source of its table.
pub type Comments<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Catalog {
    /// Returns the catalog file of this catalog, as an extension of `parent` if given. Reading it again gives the same
    /// catalog.
    pub fn write(&self, parent: Option<&Catalog>, comments: Comments<'_>) -> String {
        let mut writer = Writer { out: String::new(), sections: String::new(), comments, draft: self, parent };
        Fields::write(self, parent, &mut writer);
        writer.out + &writer.sections
    }

    /// Returns the tables of names in the order of the file: every name that a level can use for this game.
    pub fn named_entries(&self) -> Vec<(String, Vec<String>)> {
        self.entries(self)
    }
}

/// A catalog file being written.
pub struct Writer<'a> {
    out: String,
    /// The sections, which come after all other keys.
    sections: String,
    comments: Comments<'a>,
    /// The catalog.
    pub draft: &'a Catalog,
    /// The catalog that it extends.
    pub parent: Option<&'a Catalog>,
}

/// Quotes a string for TOML.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Formats a key for TOML, quoted if necessary.
pub fn key(text: &str) -> String {
    let is_bare =
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if is_bare { text.to_owned() } else { quoted(text) }
}

impl Writer<'_> {
    /// Writes the comment of a key.
    pub fn comment(&mut self, key: &str) {
        for line in (self.comments)(key).iter().flat_map(|text| text.lines()) {
            let _ = writeln!(self.out, "# {line}");
        }
    }

    /// Writes `text` as it is.
    pub fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Writes an empty line.
    pub fn blank(&mut self) {
        self.text("\n");
    }

    /// Writes a key without a comment.
    pub fn line(&mut self, key: &str, value: &str) {
        let _ = writeln!(self.out, "{key} = {value}");
    }

    /// Writes a key.
    pub fn value(&mut self, key: &str, value: &str) {
        self.comment(key);
        self.line(key, value);
    }

    /// Writes a section, whose keys `write` writes.
    pub fn section(&mut self, name: &str, write: impl FnOnce(&mut Self)) {
        std::mem::swap(&mut self.out, &mut self.sections);
        self.comment(name);
        let _ = writeln!(self.out, "[{name}]");
        write(self);
        std::mem::swap(&mut self.out, &mut self.sections);
    }

    /// Writes a list with several entries per line.
    pub fn list(&mut self, name: &str, entries: impl Iterator<Item = String>) {
        self.comment(name);
        self.filled(name, entries);
        self.blank();
    }

    /// Writes a list with several entries per line, without an empty line after it.
    fn filled(&mut self, name: &str, entries: impl Iterator<Item = String>) {
        let entries: Vec<String> = entries.collect();
        let short = entries.join(", ");
        if short.len() < WIDTH {
            self.line(name, &format!("[{short}]"));
            return;
        }
        let _ = write!(self.out, "{name} = [");
        let mut length = WIDTH;
        for entry in entries {
            if length + entry.len() > WIDTH {
                self.out.push_str("\n   ");
                length = 3;
            }
            let _ = write!(self.out, " {entry},");
            length += entry.len() + 2;
        }
        self.out.push_str("\n]\n");
    }

    /// Writes a list with one entry per line.
    pub fn rows(&mut self, name: &str, entries: impl Iterator<Item = String>) {
        self.comment(name);
        let _ = writeln!(self.out, "{name} = [");
        for entry in entries {
            let _ = writeln!(self.out, "    {entry},");
        }
        self.out.push_str("]\n\n");
    }

    /// Writes a list of names.
    pub fn names(&mut self, name: &str, names: &[Name]) {
        self.list(name, names.iter().map(|name| quoted(name)));
    }

    /// Writes the entries that `old` lacks as a section. A section without entries is written if there is no `old`.
    pub fn words(&mut self, name: &str, numbers: &[(Name, i64)], old: Option<&Numbers>) {
        let changed: Vec<_> = numbers.iter().filter(|entry| old.is_none_or(|old| !old.contains(entry))).collect();
        if changed.is_empty() && old.is_some() {
            return;
        }
        self.section(name, |writer| {
            for (word, number) in changed {
                writer.line(&key(word), &number.to_string());
            }
            writer.blank();
        });
    }

    /// Writes names by colour as a section, unless there are none. A name that is there several times is written once.
    pub fn colors(&mut self, name: &str, colors: impl Iterator<Item = (String, Color)>) {
        let mut names: BTreeMap<Color, Vec<String>> = BTreeMap::new();
        for (name, color) in colors {
            let known = names.entry(color).or_default();
            if !known.contains(&name) {
                known.push(name);
            }
        }
        if names.is_empty() {
            return;
        }
        self.section(name, |writer| {
            for (color, names) in names {
                writer.filled(color.as_str(), names.iter().map(|name| quoted(name)));
            }
            writer.blank();
        });
    }

    /// Returns true if the squares of maps differ from those of the parent, regardless of order.
    pub fn has_other_squares(&self) -> bool {
        let squares = |catalog: &Catalog| {
            let mut terrain = catalog.terrain.to_vec();
            terrain.sort_unstable();
            let mut characters: Vec<char> = catalog.map_characters.chars().collect();
            characters.sort_unstable();
            (catalog.level_types.clone(), terrain, characters)
        };
        self.parent.is_none_or(|parent| squares(parent) != squares(self.draft))
    }
}
