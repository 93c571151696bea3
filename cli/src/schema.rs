//! `splc schema`: JSON Schemas of the JSON that splc reads and writes, generated from the types.

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::Outcome;
use crate::equiv::Answer;
use crate::port::Account;
use crate::report::json::Message;
use crate::run::Made;

/// `splc schema`.
#[derive(Debug, Args)]
pub struct Schema {
    /// Format to describe
    #[arg(value_name = "WHAT", value_enum)]
    pub subject: Subject,
}

/// What there is a schema of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Subject {
    /// Levels: the output of `--emit json`, and input in place of a des-file
    Level,
    /// Dungeons: the output of `splc dungeon compile --emit json`, and input in place of dungeon.def
    Dungeon,
    /// Each line of `splc run --json`
    Run,
    /// Each line of `--message-format json`
    Diagnostics,
    /// Each element of the list that `splc port --account` writes, one per input
    Account,
    /// Each line of `splc equiv --message-format json`
    Equivalence,
}

/// Prints the schema of `subject` (draft 2020-12).
pub fn run(subject: Subject) -> Outcome {
    let schema = match subject {
        Subject::Level => splc_frontends::json::schema::schema(),
        Subject::Dungeon => splc_frontends::json::schema::dungeon(),
        Subject::Run => written::<Made<'_>>(),
        Subject::Diagnostics => written::<Message<'_>>(),
        Subject::Account => written::<Account>(),
        Subject::Equivalence => written::<Answer<'_>>(),
    };
    // A JSON value always serializes.
    let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    crate::print(&(text + "\n"))
}

/// Returns the schema of a serialized `T`.
fn written<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().to_value()
}
