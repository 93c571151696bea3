//! The JSON Schemas of a level and a dungeon, derived from the types that are read.
//!
//! schemars derives the form of a value without the reader's own rules. Those are added here, following `reader`: the
//! place of a variant's name, keys that may be omitted, values that may be written bare, and internal variants.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use splc_ir::level::TAGGED;
use splc_ir::source::Span;

use super::reader::INTERNAL;
use super::{DUNGEON, DungeonHead, Form, Head, LEVEL};

const REFERENCE: &str = "#/$defs/";

/// Returns the schema of a level as JSON (draft 2020-12).
pub fn schema() -> Value {
    schema_of::<Head>(&LEVEL, "An splc level", "items")
}

/// Returns the schema of a dungeon as JSON (draft 2020-12).
pub fn dungeon() -> Value {
    schema_of::<DungeonHead>(&DUNGEON, "A game's dungeon as splc writes it", "dungeons")
}

/// Returns the schema of the documents of `form`, called `title`, with the required key `content`.
fn schema_of<T: JsonSchema>(form: &Form, title: &str, content: &str) -> Value {
    let mut root = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value();
    let Some(Value::Object(mut definitions)) = root.as_object_mut().and_then(|root| root.remove("$defs")) else {
        return root;
    };
    for (name, hidden) in INTERNAL {
        if let Some(definition) = definitions.get_mut(*name) {
            hide(definition, hidden);
        }
    }
    definitions.values_mut().for_each(refine);
    refine(&mut root);
    // Inner types come first.
    for (name, tag) in TAGGED.iter().rev() {
        if let Some(definition) = definitions.get(*name) {
            let tagged = with_tag(definition, tag, &definitions);
            definitions.insert((*name).to_owned(), tagged);
        }
    }
    if let Some(root) = root.as_object_mut() {
        root.insert("title".to_owned(), json!(title));
        // The keys that every document needs.
        root.insert("required".to_owned(), json!(["schema", "version", content]));
        keep_used(root, &mut definitions);
        root.insert("$defs".to_owned(), Value::Object(definitions));
        for (key, value) in [("schema", json!(form.schema)), ("version", json!(form.version))] {
            if let Some(Value::Object(properties)) = root.get_mut("properties") {
                properties.insert(key.to_owned(), json!({"const": value}));
            }
        }
    }
    root
}

/// Returns the variant of a form that consists of the variant's name alone.
fn named(form: &Value) -> Option<&str> {
    form.get("const").and_then(Value::as_str)
}

/// Returns the variant and content of a form that is an object with one key.
fn keyed(form: &Value) -> Option<(&str, &Value)> {
    let properties = form.get("properties")?.as_object()?;
    let (key, value) = properties.iter().next()?;
    (properties.len() == 1).then_some((key.as_str(), value))
}

/// Removes the internal variants.
fn hide(definition: &mut Value, hidden: &[&str]) {
    let is_hidden = |name: &Value| name.as_str().is_some_and(|name| hidden.contains(&name));
    if let Some(Value::Array(words)) = definition.get_mut("enum") {
        words.retain(|word| !is_hidden(word));
    }
    if let Some(Value::Array(forms)) = definition.get_mut("oneOf") {
        forms.retain(|form| !form.get("const").is_some_and(is_hidden));
        for form in forms {
            if let Some(Value::Array(words)) = form.get_mut("enum") {
                words.retain(|word| !is_hidden(word));
            }
        }
    }
}

/// Rewrites an enum so that its variant is named under `tag`, next to the keys of its content.
///
/// The result has one conditional case per variant, and the tag selects one of them. With a list of alternatives
/// (`oneOf`) a validator would go through a block once for each kind of statement that has a block, recursively.
fn with_tag(definition: &Value, tag: &str, definitions: &Map<String, Value>) -> Value {
    let (mut names, mut cases) = (Vec::new(), Vec::new());
    let case = |condition: Value, object: Value| json!({"if": {"properties": condition}, "then": object});
    for form in definition.get("oneOf").and_then(Value::as_array).into_iter().flatten() {
        let about = form.get("description");
        let words = form.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        for name in named(form).into_iter().chain(words) {
            names.push(json!(name));
            let object = json!({"type": "object", "additionalProperties": false});
            cases.push(case(json!({tag: {"const": name}}), with_name(object, tag, name, about)));
        }
        let Some((name, content)) = keyed(form) else { continue };
        names.push(json!(name));
        let content = resolved(content, definitions);
        let Some(inner_cases) = content.get("allOf").and_then(Value::as_array) else {
            cases.push(case(json!({tag: {"const": name}}), with_name(content.clone(), tag, name, about)));
            continue;
        };
        // The content has its own tag, which is required and known.
        let inner = json!({"required": content["required"], "properties": content["properties"]});
        cases.push(case(json!({tag: {"const": name}}), inner));
        for inner in inner_cases {
            let mut condition = json!({tag: {"const": name}});
            if let (Some(condition), Some(more)) = (condition.as_object_mut(), inner["if"]["properties"].as_object()) {
                condition.extend(more.clone());
            }
            let object = inner["then"].clone();
            let about = object.get("description").cloned();
            cases.push(case(condition, with_name(object, tag, name, about.as_ref())));
        }
    }
    let mut result = json!({"type": "object", "required": [tag], "properties": {tag: {"enum": names}}, "allOf": cases});
    if let Some(about) = definition.get("description") {
        result["description"] = about.clone();
    }
    result
}

fn resolved<'a>(schema: &'a Value, definitions: &'a Map<String, Value>) -> &'a Value {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix(REFERENCE));
    name.and_then(|name| definitions.get(name)).unwrap_or(schema)
}

/// Adds the name of a variant under `tag` to an object.
fn with_name(mut object: Value, tag: &str, name: &str, about: Option<&Value>) -> Value {
    if let Some(about) = about {
        object["description"] = about.clone();
    }
    let mut properties = Map::new();
    properties.insert(tag.to_owned(), json!({"const": name}));
    if let Some(Value::Object(others)) = object.get("properties") {
        properties.extend(others.clone());
    }
    object["properties"] = Value::Object(properties);
    let mut required = vec![json!(tag)];
    required.extend(object.get("required").and_then(Value::as_array).into_iter().flatten().cloned());
    object["required"] = Value::Array(required);
    object
}

/// Returns true if a key with this schema may be omitted: a span, or a list of any length.
fn may_be_left_out(schema: &Value) -> bool {
    let place = schema.get("$ref").and_then(Value::as_str) == Some(&format!("{REFERENCE}{}", Span::FORM));
    let list = schema.get("type").and_then(Value::as_str) == Some("array");
    place || list && schema.get("minItems").is_none() && schema.get("prefixItems").is_none()
}

/// Adds to a schema and its subschemas that some keys may be omitted, that some values may be written bare, and that no
/// other keys are allowed.
fn refine(schema: &mut Value) {
    match schema {
        Value::Array(schemas) => schemas.iter_mut().for_each(refine),
        Value::Object(object) => {
            object.values_mut().for_each(refine);
            // The only key of a form names it, so it cannot be left out, even if its value is a list.
            for form in object.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten() {
                let keys =
                    form.get("properties").and_then(Value::as_object).map(|keys| keys.keys().collect::<Vec<_>>());
                if let Some([key]) = keys.as_deref() {
                    form["required"] = json!([key]);
                }
            }
            if let Some(Value::String(about)) = object.get_mut("description") {
                *about = about.replace("`None`", "`null`");
            }
            let range = match object.get("format").and_then(Value::as_str) {
                Some("int32") => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
                Some("uint32") => Some((0, i64::from(u32::MAX))),
                _ => None,
            };
            if let Some((low, high)) = range {
                object.remove("format");
                object.insert("minimum".to_owned(), json!(low));
                object.insert("maximum".to_owned(), json!(high));
            }
            let Some(Value::Object(properties)) = object.get("properties") else {
                let bare = object.get("oneOf").and_then(Value::as_array).and_then(|forms| {
                    forms.iter().filter_map(keyed).find(|(name, _)| *name == "is").map(|(_, content)| content.clone())
                });
                if let Some(bare) = bare {
                    *schema = json!({"anyOf": [bare, schema.clone()]});
                }
                return;
            };
            let keys: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
            let bare = match keys.into_iter().collect::<Vec<_>>().as_slice() {
                ["node", "span"] => properties.get("node").cloned(),
                ["kind", "span"] => properties.get("kind").cloned(),
                _ => None,
            };
            let optional: Vec<String> =
                properties.iter().filter(|(_, value)| may_be_left_out(value)).map(|(key, _)| key.clone()).collect();
            if let Some(Value::Array(required)) = object.get_mut("required") {
                required.retain(|key| !optional.iter().any(|name| key == name));
            }
            object.insert("additionalProperties".to_owned(), json!(false));
            if let Some(bare) = bare {
                let about = object.remove("description");
                *schema = json!({"anyOf": [bare, schema.clone()]});
                if let Some(about) = about {
                    schema["description"] = about;
                }
            }
        }
        _ => {}
    }
}

/// Removes definitions that are no longer referenced.
fn keep_used(root: &Map<String, Value>, definitions: &mut Map<String, Value>) {
    fn references(schema: &Value, found: &mut Vec<String>) {
        match schema {
            Value::Array(schemas) => schemas.iter().for_each(|schema| references(schema, found)),
            Value::Object(object) => {
                let name = object.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix(REFERENCE));
                found.extend(name.map(str::to_owned));
                object.values().for_each(|schema| references(schema, found));
            }
            _ => {}
        }
    }
    let (mut used, mut open) = (BTreeSet::new(), Vec::new());
    root.values().for_each(|schema| references(schema, &mut open));
    while let Some(name) = open.pop() {
        if used.insert(name.clone()) {
            definitions.get(&name).into_iter().for_each(|schema| references(schema, &mut open));
        }
    }
    definitions.retain(|name, _| used.contains(name));
}
