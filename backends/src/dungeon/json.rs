//! A description as JSON, for other programs: `splc schema dungeon` is its schema.
//!
//! Places in a text are left out, so that what is written is what one would write by hand.

use serde_json::{Map, Value, json};
use splc_ir::catalog::Catalog;
use splc_ir::dungeon::{Description, SCHEMA, SCHEMA_VERSION};

/// The document of `description`, which is for the game of `catalog`, with a newline at its end.
pub fn print(description: &Description, catalog: &Catalog) -> String {
    let mut document = Map::new();
    document.insert("schema".to_owned(), json!(SCHEMA));
    document.insert("version".to_owned(), json!(SCHEMA_VERSION));
    document.insert("target".to_owned(), json!(catalog.name));
    // Descriptions have neither keys that are not texts nor numbers that JSON lacks.
    if let Ok(Value::Object(parts)) = serde_json::to_value(description) {
        document.extend(parts.into_iter().map(|(key, value)| (key, without_places(value))));
    }
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// `value` without the places in it; what has nothing but a value and its place is that value.
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
