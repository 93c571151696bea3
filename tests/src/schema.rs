//! A validator for the subset of JSON Schema that splc's own schemas use. Any other keyword is an error.
//!
//! Other validators have some forty dependencies (for formats and references that these schemas do not have), which
//! everyone who runs the tests would build.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Returns the schema of levels that splc ships.
///
/// # Panics
/// Panics if it is not JSON.
pub fn of_levels() -> Value {
    serde_json::from_str(splc_cli::schema::text(splc_cli::schema::Subject::Level)).expect("the schema is JSON")
}

/// A schema with its definitions.
pub struct Schema(Value);

impl Schema {
    /// Creates a validator for a schema of the draft 2020-12.
    pub fn new(schema: Value) -> Self {
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        Schema(schema)
    }

    /// Checks `value` against the schema.
    ///
    /// # Errors
    /// Returns the path of an invalid value and the keyword that it violates.
    pub fn validate(&self, value: &Value) -> Result<(), String> {
        self.check(&self.0, value, "")
    }

    fn check(&self, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
        let keywords = match schema {
            Value::Bool(true) => return Ok(()),
            Value::Object(keywords) => keywords,
            _ => return Err(format!("{path}: nothing fits")),
        };
        keywords.iter().try_for_each(|(keyword, rule)| self.keyword(keyword, rule, keywords, value, path))
    }

    fn keyword(
        &self,
        keyword: &str,
        rule: &Value,
        all: &Map<String, Value>,
        value: &Value,
        path: &str,
    ) -> Result<(), String> {
        let list = || rule.as_array().expect("a list");
        let fits = match keyword {
            "$schema" | "$defs" | "title" | "description" | "format" | "default" => true,
            "$ref" => {
                let name = rule.as_str().and_then(|name| name.strip_prefix("#/$defs/")).expect("a definition");
                return self.check(self.0["$defs"].get(name).expect(name), value, path);
            }
            "const" => rule == value,
            "enum" => list().contains(value),
            "allOf" => return list().iter().try_for_each(|schema| self.check(schema, value, path)),
            "if" if self.check(rule, value, path).is_err() => true,
            "if" => return self.check(all.get("then").expect("what then"), value, path),
            "then" => true,
            "anyOf" | "oneOf" => {
                let results: Vec<_> = list().iter().map(|form| self.check(form, value, path)).collect();
                match results.iter().filter(|result| result.is_ok()).count() {
                    0 => return results.into_iter().find(Result::is_err).unwrap_or(Ok(())),
                    1 => true,
                    _ => keyword == "anyOf",
                }
            }
            "type" => {
                let is = |kind: &Value| match (kind.as_str().expect("a type"), value) {
                    ("null", Value::Null) | ("boolean", Value::Bool(_)) | ("string", Value::String(_)) => true,
                    ("array", Value::Array(_)) | ("object", Value::Object(_)) | ("number", Value::Number(_)) => true,
                    ("integer", Value::Number(number)) => number.as_f64().is_some_and(|number| number.fract() == 0.0),
                    _ => false,
                };
                rule.as_array().map_or_else(|| is(rule), |kinds| kinds.iter().any(is))
            }
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().expect("a number")),
            "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().expect("a number")),
            "minLength" => {
                value.as_str().is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().expect("a length"))
            }
            "maxLength" => {
                value.as_str().is_none_or(|text| text.chars().count() as u64 <= rule.as_u64().expect("a length"))
            }
            "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().expect("a count")),
            "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= rule.as_u64().expect("a count")),
            "prefixItems" | "items" => {
                let before = all.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                return value.as_array().into_iter().flatten().enumerate().try_for_each(|(at, item)| {
                    let rule = match keyword {
                        "items" => (at >= before).then_some(rule),
                        _ => list().get(at),
                    };
                    rule.map_or(Ok(()), |rule| self.check(rule, item, &format!("{path}[{at}]")))
                });
            }
            "properties" => {
                return value.as_object().into_iter().flatten().try_for_each(|(key, value)| {
                    rule.get(key).map_or(Ok(()), |rule| self.check(rule, value, &format!("{path}.{key}")))
                });
            }
            "required" => value
                .as_object()
                .is_none_or(|object| list().iter().all(|key| object.contains_key(key.as_str().expect("a key")))),
            "additionalProperties" if *rule == Value::Bool(false) => {
                let known =
                    |key: &String| all.get("properties").is_some_and(|properties| properties.get(key).is_some());
                value.as_object().is_none_or(|object| object.keys().all(known))
            }
            other => panic!("{other} is a keyword that is not known here"),
        };
        if fits {
            Ok(())
        } else {
            Err(format!("{path}: {keyword} {}", &rule.to_string().chars().take(80).collect::<String>()))
        }
    }

    /// Returns the alternatives of the schema that `value` and its content use: forms, keywords, optional values. Each
    /// is named after the type that has it.
    pub fn alternatives(&self, value: &Value) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.look(&self.0, value, "", &mut found);
        found
    }

    fn look(&self, schema: &Value, value: &Value, place: &str, found: &mut BTreeSet<String>) {
        let Some(keywords) = schema.as_object() else { return };
        if let Value::Bool(_) | Value::Null = value {
            found.insert(format!("{place} is {value}"));
        }
        for (keyword, rule) in keywords {
            let list = || rule.as_array().into_iter().flatten();
            match keyword.as_str() {
                "$ref" => {
                    let name = rule.as_str().and_then(|name| name.strip_prefix("#/$defs/")).expect("a definition");
                    self.look(&self.0["$defs"][name], value, name, found);
                }
                "enum" => _ = value.as_str().map(|word| found.insert(format!("{place} is {word}"))),
                "allOf" => list().for_each(|schema| self.look(schema, value, place, found)),
                "if" if self.check(rule, value, place).is_ok() => {
                    keywords.get("then").into_iter().for_each(|then| self.look(then, value, place, found));
                }
                "anyOf" | "oneOf" => {
                    for form in list().filter(|form| self.check(form, value, place).is_ok()) {
                        found.insert(format!("{place} is {}", label(form)));
                        self.look(form, value, place, found);
                    }
                }
                "prefixItems" | "items" => {
                    let before = keywords.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                        let rule = if keyword == "items" { (at >= before).then_some(rule) } else { rule.get(at) };
                        rule.into_iter().for_each(|rule| self.look(rule, item, place, found));
                    }
                }
                "properties" => {
                    for (key, value) in value.as_object().into_iter().flatten() {
                        rule.get(key)
                            .into_iter()
                            .for_each(|rule| self.look(rule, value, &format!("{place}.{key}"), found));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the distinguishing mark of a form: its constant, its type, or its key.
fn label(form: &Value) -> String {
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if let Some(name) = form["$ref"].as_str() {
        return name.trim_start_matches("#/$defs/").to_owned();
    }
    if let Some(value) = form.get("const") {
        return word(value);
    }
    let properties = form["properties"].as_object().into_iter().flatten();
    if let Some(tag) = properties.filter_map(|(_, rule)| rule.get("const")).next() {
        return word(tag);
    }
    if let Some([key]) = form["required"].as_array().map(Vec::as_slice) {
        return word(key);
    }
    form.get("type").map_or_else(|| "something".to_owned(), word)
}
