//! Baselines: lists of known diagnostics, so that a check of an old tree reports only new ones.
//!
//! A baseline does not contain lines, so edits elsewhere in a file do not matter. Numbers in messages do not matter
//! either, because the number of seeds that show a finding varies with every edit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use splc_ir::diagnostic::{Diagnostic, Severity};

use super::Places;

/// Value of `schema` in a baseline file.
const SCHEMA: &str = "splc-baseline";

/// Version of the file format.
const VERSION: u32 = 1;

/// A list of known diagnostics. Notes are not listed.
#[derive(Debug, Default)]
pub struct Baseline {
    /// The number of times that each may appear again.
    left: BTreeMap<Entry, u32>,
    /// The diagnostics of this run.
    seen: BTreeMap<Entry, u32>,
    /// True if every diagnostic counts as listed, because the list is being made.
    takes_all: bool,
}

/// A diagnostic without its line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Entry {
    file: String,
    code: String,
    message: String,
}

/// The form of a file.
#[derive(Serialize, Deserialize)]
struct File {
    schema: String,
    version: u32,
    diagnostics: Vec<Counted>,
}

#[derive(Serialize, Deserialize)]
struct Counted {
    #[serde(flatten)]
    entry: Entry,
    count: u32,
}

impl Baseline {
    /// Returns a baseline that lists every diagnostic of this run.
    pub fn of_this_run() -> Self {
        Baseline { takes_all: true, ..Baseline::default() }
    }

    /// Reads the file that [`Baseline::text`] wrote.
    ///
    /// # Errors
    /// The problem, as a clause, if it is not a baseline of this version.
    pub fn read(text: &str) -> Result<Self, String> {
        let file: File = serde_json::from_str(text).map_err(|error| format!("not a baseline: {error}"))?;
        if (file.schema.as_str(), file.version) != (SCHEMA, VERSION) {
            return Err(format!("a baseline has `\"schema\": \"{SCHEMA}\", \"version\": {VERSION}`"));
        }
        let left = file.diagnostics.into_iter().map(|Counted { entry, count }| (entry, count)).collect();
        Ok(Baseline { left, ..Baseline::default() })
    }

    /// Returns false if the diagnostic is listed, once for each time that it is.
    pub(super) fn is_new(&mut self, diagnostic: &Diagnostic, places: &Places<'_>) -> bool {
        if diagnostic.severity == Severity::Note {
            return true;
        }
        let file = diagnostic.span.map(|span| places.name(span.file)).or(places.main()).unwrap_or_default();
        let mut message = String::new();
        for character in diagnostic.message.chars() {
            match (character.is_ascii_digit(), message.ends_with('#')) {
                (false, _) => message.push(character),
                (true, false) => message.push('#'),
                (true, true) => {}
            }
        }
        let entry = Entry { file: file.replace('\\', "/"), code: diagnostic.code.as_str().to_owned(), message };
        let left = self.left.get_mut(&entry).filter(|left| **left > 0);
        let is_new = left.is_none() && !self.takes_all;
        if let Some(left) = left {
            *left -= 1;
        }
        *self.seen.entry(entry).or_default() += 1;
        is_new
    }

    /// Returns the number of listed diagnostics that this run did not find: they were fixed.
    pub fn gone(&self) -> usize {
        self.left.values().map(|&left| left as usize).sum()
    }

    /// Returns the number of diagnostics of this run.
    pub fn seen(&self) -> usize {
        self.seen.values().map(|&seen| seen as usize).sum()
    }

    /// Returns the file that lists the diagnostics of this run.
    pub fn text(&self) -> String {
        let diagnostics = self.seen.iter().map(|(entry, &count)| Counted { entry: entry.clone(), count }).collect();
        let file = File { schema: SCHEMA.to_owned(), version: VERSION, diagnostics };
        // Maps with string keys always serialize.
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }
}
