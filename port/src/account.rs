//! The account of a port: the fate of each statement and the changes made to it.
//!
//! It lists every statement of the source exactly once, in source order, with the statements of the result that it
//! produced, and every statement of the result that a pass added. Statements of the result are counted in reading
//! order, so that a printer of the result can give their lines.

use serde::Serialize;
use splc_ir::source::Span;

use crate::stand_ins::Replaced;

/// Name of the JSON form of an account, written under `schema`.
pub const SCHEMA: &str = "splc-account";

/// Version of the JSON form of an account, incremented by every change visible to a reader.
pub const SCHEMA_VERSION: u32 = 1;

/// The consequence of a change for the generated level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The same level, written differently.
    Same,
    /// A different level: something is replaced, a detail is missing, or the target reads the same text differently.
    Differs,
    /// The statement is gone.
    Lost,
    /// The same level as far as the port goes, but the target treats it differently, however it is written.
    Game,
}

impl Effect {
    /// Returns true if the port itself changes the level.
    pub fn is_change(self) -> bool {
        matches!(self, Effect::Differs | Effect::Lost)
    }
}

/// A change to a statement or level, or a known fact about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Note {
    /// Name of the pass that made the change, one of [`PASSES`](crate::PASSES).
    pub pass: &'static str,
    /// The consequence for the level.
    pub effect: Effect,
    /// A description, as a sentence without a full stop.
    pub what: String,
    /// The level flag that it is about; empty for what acts like one.
    #[serde(skip)]
    pub flag: Option<String>,
    /// Its place in the source, if that is not the whole level or statement.
    #[serde(skip)]
    pub at: Option<Span>,
}

impl Note {
    /// Returns true if the notes differ at most in their places.
    pub(crate) fn is_like(&self, other: &Note) -> bool {
        (&self.what, &self.flag, self.effect, self.pass) == (&other.what, &other.flag, other.effect, other.pass)
    }
}

/// The fate of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Unchanged.
    Kept,
    /// In another form or at another place, or replaced by something else with the same effect.
    Changed,
    /// Gone.
    Lost,
}

/// A statement of the source and its fate.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its keyword in des-files.
    pub word: &'static str,
    /// Its span, possibly nowhere.
    pub span: Span,
    /// Its fate.
    pub outcome: Outcome,
    /// The changes made to it.
    pub notes: Vec<Note>,
    /// The statements of the result that it produced: positions in reading order, from 0.
    pub results: Vec<usize>,
}

/// A statement of the result that a pass added.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// Its keyword in des-files.
    pub word: &'static str,
    /// Its position in reading order, from 0.
    pub result: usize,
}

/// The overall result of porting a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Ported completely, perhaps in another form. The games may still treat it differently.
    Whole,
    /// Ported, with something that differs or is lost.
    WithChanges,
    /// Not ported.
    NotAtAll,
}

/// The subject of a [`Section`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SectionKind {
    /// A level.
    Level,
    /// A FUNCTION before the levels.
    Function,
}

/// Monsters generated later on a level. One of the games declares them with MON_GENERATION, the other has them built
/// in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonsterGeneration {
    /// The percentage of generated monsters chosen from this list.
    pub share: i32,
    /// Weight, species name and class. An empty name means any monster of the class.
    pub monsters: Vec<(i32, String, Option<char>)>,
}

/// The account of a level, or of a FUNCTION before the levels.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// A level or a function.
    pub kind: SectionKind,
    /// Its name.
    pub name: String,
    /// Its span, possibly nowhere.
    pub span: Span,
    /// The overall result.
    pub verdict: Verdict,
    /// Notes on the level as a whole: its head, its flags, the rules of the game.
    pub notes: Vec<Note>,
    /// Flags now written out that the source game implied by the level's name.
    pub unsaid_flags: Vec<String>,
    /// Monsters generated later, implied by the level's name in one of the games.
    pub monster_generation: Option<MonsterGeneration>,
    /// Its statements. Statements in a block follow the statement that owns the block.
    pub entries: Vec<Entry>,
    /// Statements added by passes.
    pub added: Vec<Added>,
}

impl Section {
    /// Returns the number of statements with this outcome.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.entries.iter().filter(|entry| entry.outcome == outcome).count()
    }

    /// Returns all notes, those on the level first.
    pub fn all_notes(&self) -> impl Iterator<Item = &Note> {
        self.notes.iter().chain(self.entries.iter().flat_map(|entry| &entry.notes))
    }
}

/// The account of a port.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// Its levels and functions, in the order of the source.
    pub sections: Vec<Section>,
    /// The replaced names, sorted and without duplicates.
    pub replaced: Vec<Replaced>,
}

impl Account {
    /// Returns the sections of levels.
    pub fn levels(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(|section| section.kind == SectionKind::Level)
    }
}
