//! The tables of `docs/reference/json.md`, generated from the types by way of the schema.

use serde_json::{Map, Value};

use super::*;

/// Generates the tables.
struct Tables {
    definitions: Map<String, Value>,
}

impl Tables {
    fn new() -> Self {
        let mut schema = splc_tests::schema::of_levels();
        let Value::Object(definitions) = schema["$defs"].take() else { panic!("there are definitions") };
        Tables { definitions }
    }

    fn definition(&self, schema: &Value) -> Option<(&str, &Value)> {
        let name = schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
        self.definitions.get_key_value(name).map(|(name, value)| (name.as_str(), value))
    }

    /// For a type that may be written bare, returns the bare value and the form with a name around it.
    fn bare(definition: &Value) -> Option<(&Value, &Value)> {
        match definition.get("anyOf")?.as_array()?.as_slice() {
            [bare, form] if form.get("type").is_none_or(|kind| kind != "null") => Some((bare, form)),
            _ => None,
        }
    }

    /// Returns the keywords of a type that is one of several keywords.
    fn words(definition: &Value) -> Option<Vec<String>> {
        let words = match (definition.get("enum"), definition.get("oneOf")) {
            (Some(words), _) => words.as_array()?.clone(),
            (None, Some(forms)) => {
                let mut words = Vec::new();
                for form in forms.as_array()? {
                    match (form.get("const"), form.get("enum")) {
                        (Some(word), _) => words.push(word.clone()),
                        (None, Some(more)) => words.extend(more.as_array()?.iter().cloned()),
                        _ => return None,
                    }
                }
                words
            }
            _ => return None,
        };
        words.iter().map(|word| Some(format!("`{}`", word.as_str()?))).collect()
    }

    fn is_words(definition: &Value) -> Option<String> {
        let words = Self::words(definition)?;
        let (last, most) = words.split_last()?;
        Some(if most.is_empty() { last.clone() } else { format!("{} or {last}", most.join(", ")) })
    }

    /// Describes a value in a few words.
    fn value(&self, schema: &Value) -> String {
        if let Some((name, definition)) = self.definition(schema) {
            return match (name, Self::bare(definition)) {
                ("Expr", _) => "expr".to_owned(),
                ("Selection", _) => "selection".to_owned(),
                ("Statement", _) => "statement".to_owned(),
                ("Span", _) => "span".to_owned(),
                (name, Some((bare, _))) if name.starts_with("Spanned") => self.value(bare) + "@",
                (name, Some((bare, _))) if name.starts_with("OrRandom") => self.value(bare) + " or `random`",
                (name, _) => format!("*{name}*"),
            };
        }
        if let Some(forms) = schema.get("anyOf").and_then(Value::as_array) {
            if let Some((bare, form)) = Self::bare(schema) {
                let random = form.get("oneOf").is_some();
                return self.value(bare) + if random { " or `random`" } else { "@" };
            }
            let forms: Vec<String> = forms.iter().map(|form| self.value(form)).collect();
            return forms.join(" or ");
        }
        if let Some(word) = schema.get("const").and_then(Value::as_str) {
            return format!("`{word}`");
        }
        if let Some(words) = Self::is_words(schema) {
            return words;
        }
        let kinds: Vec<&str> = match schema.get("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => panic!("{schema} is something new"),
        };
        let kinds: Vec<String> = kinds.into_iter().map(|kind| self.kind(kind, schema)).collect();
        kinds.join(" or ")
    }

    fn kind(&self, kind: &str, schema: &Value) -> String {
        match kind {
            "null" => "`null`".to_owned(),
            "integer" => "number".to_owned(),
            "string" if schema.get("maxLength").is_some() => "character".to_owned(),
            "string" => "text".to_owned(),
            "array" => {
                if let Some(items) = schema.get("prefixItems").and_then(Value::as_array) {
                    let items: Vec<String> = items.iter().map(|item| self.value(item)).collect();
                    return format!("[{}]", items.join(", "));
                }
                let item = self.value(&schema["items"]);
                match schema.get("minItems").and_then(Value::as_u64) {
                    Some(count) => format!("list of {count} {item}"),
                    None if item == "statement" => "block".to_owned(),
                    None => format!("list of {item}"),
                }
            }
            "object" => format!("{{{}}}", self.keys(schema, "").join(", ")),
            kind => kind.to_owned(),
        }
    }

    /// Describes the keys of an object except for `tag`.
    fn keys(&self, object: &Value, tag: &str) -> Vec<String> {
        let properties = object.get("properties").and_then(Value::as_object);
        let others = properties.into_iter().flatten().filter(|(key, _)| *key != tag);
        let key = |(key, value): (&String, &Value)| {
            let note = about(value);
            let note = note.trim_end_matches('.');
            let note = if note.is_empty() { String::new() } else { format!(" ({})", lower_first(note)) };
            format!("`{key}` {}{note}", self.value(value))
        };
        others.map(key).collect()
    }

    /// Returns the name, content and meaning of each form of a type.
    fn forms(&self, name: &str) -> Vec<(String, String, String)> {
        let definition = &self.definitions[name];
        let definition = Self::bare(definition).map_or(definition, |(_, form)| form);
        // For a tagged type, the case of each variant that has all of its keys.
        let cases = definition.get("allOf").and_then(Value::as_array).map(|cases| {
            let whole = |case: &Value| case["then"].get("additionalProperties").map(|_| case["then"].clone());
            cases.iter().filter_map(whole).collect::<Vec<_>>()
        });
        let Some(forms) = cases.or_else(|| definition.get("oneOf").and_then(Value::as_array).cloned()) else {
            let Some(properties) = definition.get("properties").and_then(Value::as_object) else { return Vec::new() };
            let row = |(key, value): (&String, &Value)| (format!("`{key}`"), self.value(value), about(value));
            return properties.iter().map(row).collect();
        };
        let mut rows = Vec::new();
        for form in &forms {
            let words = form.get("enum").and_then(Value::as_array).into_iter().flatten();
            for word in form.get("const").into_iter().chain(words).filter_map(Value::as_str) {
                rows.push((format!("`{word}`"), "alone".to_owned(), about(form)));
            }
            if let Some(properties) = form.get("properties").and_then(Value::as_object) {
                let tag = properties.iter().next().and_then(|(key, value)| value.get("const").map(|name| (key, name)));
                match tag {
                    Some((tag, name)) => {
                        let name = name.as_str().unwrap_or_default();
                        rows.push((format!("`{name}`"), self.keys(form, tag).join(", "), about(form)));
                    }
                    None => {
                        let (key, value) = properties.iter().next().unwrap();
                        rows.push((format!("`{key}`"), self.value(value), about(form)));
                    }
                }
            }
        }
        rows
    }

    /// Returns the table of a type, with the given column titles.
    fn table(&self, name: &str, titles: [&str; 3]) -> String {
        let mut table = format!("| {} | {} | {} |\n| --- | --- | --- |\n", titles[0], titles[1], titles[2]);
        for (name, content, about) in self.forms(name) {
            table.push_str(&format!("| {name} | {about} | {content} |\n"));
        }
        table
    }

    /// Returns the tables of all types that have no separate section.
    fn others(&self) -> String {
        let own = ["Item", "Statement", "StatementKind", "Expr", "ExprKind", "Selection", "SelectionKind", "Span"];
        let mut text = String::new();
        for (name, definition) in &self.definitions {
            let wrapped = name.starts_with("Spanned") || name.starts_with("OrRandom");
            if own.contains(&name.as_str()) || wrapped {
                continue;
            }
            if let Some(words) = Self::is_words(definition) {
                let note = about(definition);
                text.push_str(&format!("*{name}*: {}{words}\n\n", if note.is_empty() { note } else { note + " " }));
                continue;
            }
            let what = if definition.get("oneOf").or(definition.get("allOf")).is_some() { "form" } else { "key" };
            text.push_str(&format!("*{name}*: {}\n\n", about(definition)));
            text.push_str(&self.table(name, [what, "what it is", "value"]));
            text.push('\n');
        }
        text
    }
}

/// Returns `text` as the continuation of a sentence. A word in capitals stays unchanged.
fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    match (characters.next(), characters.clone().next()) {
        (Some(first), second) if !second.is_some_and(char::is_uppercase) => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}

/// Returns the doc comment of a type on one line.
fn about(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str).unwrap_or("");
    let text = text.lines().filter(|line| !line.contains("`]: ")).collect::<Vec<_>>().join(" ");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Links in the doc comments have no target here.
    let mut parts = text.split("`](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain = plain + "`" + part.split_once(')').map_or(part, |(_, rest)| rest);
    }
    plain.replace('|', "\\|").replace("[`", "`").replace("`]", "`")
}

#[test]
fn the_tables_are_generated_from_the_types() {
    let tables = Tables::new();
    let expected = [
        ("Items", tables.table("Item", ["`item`", "what it is", "other keys"])),
        ("Statements", tables.table("StatementKind", ["`statement`", "des-file", "other keys"])),
        ("Expressions", tables.table("ExprKind", ["form", "what it is", "value"])),
        ("Selections", tables.table("SelectionKind", ["form", "what it is", "value"])),
        ("Other values", tables.others()),
    ];
    let path = workspace().join("docs/reference/json.md");
    let description = std::fs::read_to_string(&path).unwrap();
    let mut missing = String::new();
    for (heading, table) in expected {
        let section = description.split("\n## ").find(|section| section.starts_with(heading)).unwrap_or("");
        if !section.contains(table.trim_end()) {
            missing.push_str(&format!("## {heading}\n\n{}\n\n", table.trim_end()));
        }
    }
    assert!(missing.is_empty(), "{} should have:\n\n{missing}", path.display());
}
