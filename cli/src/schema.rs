//! `splc schema`: JSON Schemas of the JSON that splc reads and writes, generated from the types.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::Outcome;
use crate::arguments::Subject;
use crate::equiv::Answer;
use crate::port::Account;
use crate::report::json::Message;
use crate::run::Made;

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
