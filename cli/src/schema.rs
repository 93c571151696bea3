//! `splc schema`: JSON Schemas of the JSON that splc reads and writes, generated from the types.

use clap::{Args, ValueEnum};

use crate::Outcome;

/// `splc schema`.
#[derive(Debug, Args)]
pub struct Schema {
    /// Format to describe
    #[arg(value_name = "WHAT", value_enum)]
    pub subject: Subject,
}

/// A format that has a schema.
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
    /// The project file, splc.toml
    Project,
}

/// Prints the schema of `subject` (draft 2020-12).
pub fn run(subject: Subject) -> Outcome {
    crate::print(text(subject))
}

/// Returns the schema of `subject` as `splc schema` prints it. The feature `schema` writes the files: making them
/// needs a megabyte of code.
pub fn text(subject: Subject) -> &'static str {
    match subject {
        Subject::Level => include_str!("../schemas/level.json"),
        Subject::Dungeon => include_str!("../schemas/dungeon.json"),
        Subject::Run => include_str!("../schemas/run.json"),
        Subject::Diagnostics => include_str!("../schemas/diagnostics.json"),
        Subject::Account => include_str!("../schemas/account.json"),
        Subject::Equivalence => include_str!("../schemas/equivalence.json"),
        Subject::Project => include_str!("../schemas/project.json"),
    }
}

/// Generates the schema of `subject` from the types.
#[cfg(feature = "schema")]
pub fn generate(subject: Subject) -> String {
    use crate::equiv::Answer;
    use crate::port::Account;
    use crate::report::json::Message;
    use crate::run::Made;

    fn written<T: schemars::JsonSchema>() -> serde_json::Value {
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        settings.into_generator().into_root_schema_for::<T>().to_value()
    }
    let schema = match subject {
        Subject::Level => splc_frontends::json::schema::schema(),
        Subject::Dungeon => splc_frontends::json::schema::dungeon(),
        Subject::Run => written::<Made<'_>>(),
        Subject::Diagnostics => written::<Message<'_>>(),
        Subject::Account => written::<Account>(),
        Subject::Equivalence => written::<Answer<'_>>(),
        Subject::Project => {
            let settings = schemars::generate::SchemaSettings::draft2020_12();
            settings.into_generator().into_root_schema_for::<splc_project::Settings>().to_value()
        }
    };
    // A JSON value always serializes.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}
