//! The schemas that splc prints are those of its types.
//!
//! The types have schemas only with the feature `schema`, which every other build lacks. With `UPDATE_SNAPSHOTS=1` the
//! schemas are written.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use clap::ValueEnum;
use splc_cli::schema::{Subject, generate, text};

#[test]
fn the_shipped_schemas_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let mut wrong = Vec::new();
    for subject in Subject::value_variants() {
        let generated = generate(*subject);
        if generated == text(*subject) {
            continue;
        }
        let name = format!("{}.json", subject.to_possible_value().unwrap().get_name());
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            std::fs::write(folder.join(&name), generated).unwrap();
        }
        wrong.push(name);
    }
    assert!(wrong.is_empty(), "not those of the types: {wrong:?}");
}
