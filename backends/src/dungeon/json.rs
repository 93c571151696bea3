//! A description as JSON, for other programs. `splc schema dungeon` prints its schema.
//!
//! Spans are left out, so that the output looks as if written by hand.

use serde_json::{Map, Value, json};
use splc_ir::catalog::Catalog;
use splc_ir::dungeon::{Description, SCHEMA, SCHEMA_VERSION};

/// Returns the document of `description` for the game of `catalog`, with a final newline.
pub fn print(description: &Description, catalog: &Catalog) -> String {
    let mut document = Map::new();
    document.insert("schema".to_owned(), json!(SCHEMA));
    document.insert("version".to_owned(), json!(SCHEMA_VERSION));
    document.insert("target".to_owned(), json!(catalog.name));
    // Serialisation cannot fail: all keys are strings, and all numbers exist in JSON.
    if let Ok(Value::Object(parts)) = serde_json::to_value(description) {
        document.extend(parts.into_iter().map(|(key, value)| (key, without_places(value))));
    }
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// Removes the spans in `value`. An object with only a value and its span becomes that value.
fn without_places(value: Value) -> Value {
    match value {
        Value::Array(values) => values.into_iter().map(without_places).collect(),
        Value::Object(mut object) => {
            object.remove("span");
            match object.remove("node") {
                Some(node) => without_places(node),
                None => object.into_iter().map(|(key, value)| (key, without_places(value))).collect(),
            }
        }
        other => other,
    }
}
