//! Baselines: lists of known diagnostics, so that a check of an old tree reports only new ones.
//!
//! A baseline does not contain lines, so edits elsewhere in a file do not matter. Numbers in messages do not matter
//! either, because the number of seeds that show a finding varies with every edit.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use splc_ir::diagnostic::{Code, Diagnostic, Severity};
use splc_ir::limits::MAX_BASELINE_BYTES;
use splc_ir::wording::visible;

use super::Places;
use crate::input;

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
    /// Names of the files of this run.
    checked: BTreeSet<String>,
    /// The folder of the list, to which the names of files are relative.
    folder: Option<PathBuf>,
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
    /// Returns a baseline that lists every diagnostic of this run, for the file at `path`.
    pub fn of_this_run(path: &Path) -> Self {
        Baseline { takes_all: true, folder: folder(path), ..Baseline::default() }
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// The problem, if it can't be read or is not a baseline of this version.
    pub fn open(path: &Path) -> Result<Self, Box<Diagnostic>> {
        let bytes = input::read_file(path, MAX_BASELINE_BYTES)
            .map_err(|problem| Box::new(problem.with_help("`--write-baseline FILE` creates it")))?;
        let baseline = Baseline::read(&String::from_utf8_lossy(&bytes)).map_err(|problem| {
            let name = path.display().to_string();
            Box::new(Diagnostic::new(Code::Usage, None, format!("{}: {problem}", visible(&name))))
        })?;
        Ok(Baseline { folder: folder(path), ..baseline })
    }

    /// Reads the file that [`Baseline::text`] wrote. A problem is a clause.
    fn read(text: &str) -> Result<Self, String> {
        let file: File = serde_json::from_str(text).map_err(|error| format!("not a baseline: {error}"))?;
        if (file.schema.as_str(), file.version) != (SCHEMA, VERSION) {
            return Err(format!("a baseline has `\"schema\": \"{SCHEMA}\", \"version\": {VERSION}`"));
        }
        let left = file.diagnostics.into_iter().map(|Counted { entry, count }| (entry, count)).collect();
        Ok(Baseline { left, ..Baseline::default() })
    }

    /// Notes the main file of `places` as one of this run. A diagnostic of another file can't have been fixed.
    pub(super) fn note_checked(&mut self, places: &Places<'_>) {
        let name = places.main().map(|name| self.listed(name));
        self.checked.extend(name);
    }

    /// Returns false if the diagnostic is listed, once for each time that it is.
    pub(super) fn is_new(&mut self, diagnostic: &Diagnostic, places: &Places<'_>) -> bool {
        if diagnostic.severity == Severity::Note {
            return true;
        }
        let file = diagnostic.span.map(|span| places.name(span.file)).or(places.main()).unwrap_or_default();
        let mut message = String::new();
        for character in diagnostic.message.text().chars() {
            match (character.is_ascii_digit(), message.ends_with('#')) {
                (false, _) => message.push(character),
                (true, false) => message.push('#'),
                (true, true) => {}
            }
        }
        let entry = Entry { file: self.listed(file), code: diagnostic.code.as_str().to_owned(), message };
        let left = self.left.get_mut(&entry).filter(|left| **left > 0);
        let is_new = left.is_none() && !self.takes_all;
        if let Some(left) = left {
            *left -= 1;
        }
        *self.seen.entry(entry).or_default() += 1;
        is_new
    }

    /// Returns the name of a file as the list has it: the same on every system and from every current folder, if the
    /// file is below the folder of the list.
    fn listed(&self, name: &str) -> String {
        let path = self.folder.as_ref().and_then(|folder| {
            let path = fs::canonicalize(name).ok()?;
            Some(path.strip_prefix(folder).ok()?.to_string_lossy().into_owned())
        });
        path.as_deref().unwrap_or(name).replace('\\', "/")
    }

    /// Returns the number of listed diagnostics of the files of this run that it did not find: they were fixed.
    pub fn gone(&self) -> usize {
        let of_this_run = self.left.iter().filter(|(entry, _)| self.checked.contains(&entry.file));
        of_this_run.map(|(_, &left)| left as usize).sum()
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

/// Returns the folder of the file at `path`.
fn folder(path: &Path) -> Option<PathBuf> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    fs::canonicalize(parent.unwrap_or(Path::new("."))).ok()
}
