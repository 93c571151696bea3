//! Dumps are read back unchanged.

use serde_json::Value;
use splc_ir::check;
use splc_ir::diagnostic::Diagnostics;

use super::*;

#[test]
fn dumps_are_read_back_unchanged() {
    let (mut modules, mut with_errors, mut level_count, mut wrong) = (0, 0, 0, Vec::new());
    for (path, catalog) in all_des_files() {
        let original = des_file(&path, catalog, true);
        if original.diagnostics.has_errors() {
            with_errors += 1;
            continue;
        }
        let text = dump(&original, catalog);
        let mut again = match document(&text) {
            Ok(again) => again,
            Err((_, problems)) => {
                wrong.push(format!("{}: {:?}", path.display(), problems[0]));
                continue;
            }
        };
        // The places are kept, and the results derived from them are the same.
        if again.module != original.module {
            wrong.push(format!("{}: another module", path.display()));
        }
        if dump(&again, catalog) != text {
            wrong.push(format!("{}: another dump", path.display()));
        }
        let mut diagnostics = Diagnostics::new();
        check::check(&mut again.module, catalog, &mut diagnostics);
        let (expected, found) = (level_files(&original.module, catalog), level_files(&again.module, catalog));
        if diagnostics.has_errors() || found != expected {
            wrong.push(format!("{}: other level files", path.display()));
        }
        modules += 1;
        level_count += found.len();
    }
    println!("{modules} documents read back, {level_count} level files identical; {with_errors} des-files with errors");
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(5)]);
    assert!(modules > 60 && level_count > 400, "{modules} documents, {level_count} level files");
}

/// Removes the places from a document.
pub fn without_places(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(without_places),
        Value::Object(object) => {
            object.retain(|key, _| !(key.ends_with("span") || key.ends_with("_spans") || key == "files"));
            object.values_mut().for_each(without_places);
            let bare = match object.keys().map(String::as_str).collect::<Vec<_>>().as_slice() {
                ["node"] => object.remove("node"),
                ["is"] => object.remove("is"),
                // The kind of a statement, too; it has its own name.
                ["kind"] => object.remove("kind"),
                _ => None,
            };
            if let Some(bare) = bare {
                *value = bare;
            }
        }
        _ => {}
    }
}

/// Removes all optional keys from a document.
fn remove_optional_keys(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(remove_optional_keys),
        Value::Object(object) => {
            object.values_mut().for_each(remove_optional_keys);
            // In `{"teleport": null}` the key is the form.
            let empty = Value::Array(Vec::new());
            // An empty block differs from a missing block.
            let list = |key: &str| ["details", "parameters", "humidity", "entries", "files"].contains(&key);
            object.retain(|key, value| key == "teleport" || !(value.is_null() || list(key) && *value == empty));
        }
        _ => {}
    }
}

#[test]
fn places_and_optional_keys_may_be_omitted() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (path, catalog) in all_des_files() {
        let mut original = des_file(&path, catalog, true);
        if original.diagnostics.has_errors() {
            continue;
        }
        let mut value: Value = serde_json::from_str(&dump(&original, catalog)).unwrap();
        without_places(&mut value);
        remove_optional_keys(&mut value);
        if let Some(items) = value.as_object_mut() {
            items.entry("items").or_insert(Value::Array(Vec::new()));
        }
        let text = serde_json::to_string_pretty(&value).unwrap();
        let mut again = match document(&text) {
            Ok(again) => again,
            Err((_, problems)) => {
                wrong.push(format!("{}: {:?}", path.display(), problems[0]));
                continue;
            }
        };
        let mut diagnostics = Diagnostics::new();
        check::check(&mut again.module, catalog, &mut diagnostics);
        if diagnostics.has_errors() {
            wrong.push(format!("{}: {:?}", path.display(), diagnostics.iter().next()));
        }
        if level_files(&again.module, catalog) != level_files(&original.module, catalog) {
            wrong.push(format!("{}: other level files", path.display()));
        }
        original.module = again.module;
        original.sources = again.sources;
        // It gets places in the JSON text, and can be dumped with them.
        if document(&dump(&original, catalog)).map(|third| third.module).ok().as_ref() != Some(&original.module) {
            wrong.push(format!("{}: places in JSON are lost", path.display()));
        }
        count += 1;
    }
    println!("{count} documents read without places");
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(5)]);
    assert!(count > 60, "{count}");
}
