//! The account of a port: what became of each statement, and what was done to it.
//!
//! It names every statement of the source exactly once, in the order of the source, with the statements of the result
//! that came of it, and every statement of the result that nobody wrote. Statements of the result are counted in the
//! order of reading, so that whoever prints the result can say on which lines they stand.

use serde::Serialize;
use splc_ir::source::Span;

use crate::stand_ins::Replaced;

/// What the JSON form of an account is called; a document says it under `schema`.
pub const SCHEMA: &str = "splc-account";

/// Version of the JSON form of an account; raised by every change that a reader would notice.
pub const SCHEMA_VERSION: u32 = 1;

/// What a change means for the level that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The same, in other words.
    Same,
    /// Something else: another thing stands there, a detail is missing, or the game takes the same words otherwise.
    Differs,
    /// The statement is not there any more.
    Lost,
    /// The same as far as a port goes; but the target does something else with it, whatever is written.
    Game,
}

impl Effect {
    /// Whether the port itself is not the same level any more.
    pub fn is_change(self) -> bool {
        matches!(self, Effect::Differs | Effect::Lost)
    }
}

/// Something that was done to a statement or level, or that is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Note {
    /// The pass that did it: a name of [`PASSES`](crate::PASSES).
    pub pass: &'static str,
    /// What it means for the level.
    pub effect: Effect,
    /// What it is, as a sentence without a full stop.
    pub what: String,
}

/// What became of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is there as it was.
    Kept,
    /// It is there in another form or at another place, or something else does what it did.
    Changed,
    /// It is not there any more.
    Lost,
}

/// A statement of the source, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The word by which des-files call it.
    pub word: &'static str,
    /// Where it stands; perhaps nowhere.
    pub span: Span,
    /// What became of it.
    pub outcome: Outcome,
    /// What was done.
    pub notes: Vec<Note>,
    /// The statements of the result that came of it: their places in the order of reading, from 0.
    pub results: Vec<usize>,
}

/// A statement of the result that nobody wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// The word by which des-files call it.
    pub word: &'static str,
    /// Its place in the order of reading, from 0.
    pub result: usize,
}

/// How a level went over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// All of it, in whatever words; the games may still take them otherwise.
    Whole,
    /// With something that differs or is lost.
    WithChanges,
    /// Not at all.
    NotAtAll,
}

/// What a [`Section`] is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SectionKind {
    /// A level.
    Level,
    /// A FUNCTION before the levels.
    Function,
}

/// Monsters that come later on a level, which MON_GENERATION says in one of the games and the other knows by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonstersToCome {
    /// How many of a hundred are of these.
    pub share: i32,
    /// Each with its weight: a species by its name, or (without one) any of a class.
    pub monsters: Vec<(i32, String, Option<char>)>,
}

/// The account of a level, or of a FUNCTION before the levels.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Which of them.
    pub kind: SectionKind,
    /// Its name.
    pub name: String,
    /// Where it stands; perhaps nowhere.
    pub span: Span,
    /// How it went over.
    pub verdict: Verdict,
    /// What concerns all of it: its head, its flags, the rules of the game.
    pub notes: Vec<Note>,
    /// Flags that it says now, and that it had without saying so: the game that it comes from knows it by its name.
    pub unsaid_flags: Vec<String>,
    /// Monsters that come later, without the level's saying so in one of the games.
    pub monsters_to_come: Option<MonstersToCome>,
    /// Its statements, those in blocks behind the one that has the block.
    pub entries: Vec<Entry>,
    /// What nobody wrote.
    pub added: Vec<Added>,
}

impl Section {
    /// How many statements came to `outcome`.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.entries.iter().filter(|entry| entry.outcome == outcome).count()
    }

    /// All notes, those of the level first.
    pub fn all_notes(&self) -> impl Iterator<Item = &Note> {
        self.notes.iter().chain(self.entries.iter().flat_map(|entry| &entry.notes))
    }
}

/// The account of a port.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// Its levels and functions, in the order of the source.
    pub sections: Vec<Section>,
    /// The names for which others stand, in order and each once.
    pub replaced: Vec<Replaced>,
}

impl Account {
    /// The levels.
    pub fn levels(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(|section| section.kind == SectionKind::Level)
    }
}
