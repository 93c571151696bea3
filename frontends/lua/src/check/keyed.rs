//! Positional values, written as a table with a key for each.

use super::Judge;
use super::values::{Type, Value};
use crate::functions::{Function, Kind};
use crate::keys::Key;
use crate::names::{self, Fit};
use crate::tree::*;

/// Values with their keys, for a help line.
pub(super) struct Keyed {
    /// The table with its braces: `{ id = "newt", x = 3, y = 2 }`.
    pub table: String,
    /// True if every value has its key, so that a fix can write the table.
    pub complete: bool,
}

/// Returns the source of a simple expression, or `None` if it may be long.
pub(super) fn written(expression: &Expression) -> Option<String> {
    let list = |items: &mut dyn Iterator<Item = Option<String>>| items.collect::<Option<Vec<String>>>();
    Some(match &expression.kind {
        ExpressionKind::Nil => "nil".to_owned(),
        ExpressionKind::Boolean(value) => value.to_string(),
        ExpressionKind::Integer(number) => number.to_string(),
        ExpressionKind::Text(text) => {
            let text = text.as_str().filter(|text| !text.contains(['"', '\\', '\n', '\r', '\0']))?;
            format!("\"{text}\"")
        }
        ExpressionKind::Name(name) => name.as_str().to_owned(),
        ExpressionKind::Field(table, name) => format!("{}.{}", written(table)?, name.text.as_str()),
        ExpressionKind::Index(table, key) => format!("{}[{}]", written(table)?, written(key)?),
        ExpressionKind::Unary(UnaryOperator::Minus, operand) => format!("-{}", written(operand)?),
        ExpressionKind::Parenthesized(inner) => format!("({})", written(inner)?),
        ExpressionKind::Call(call) => {
            let arguments = list(&mut call.arguments.iter().map(written))?.join(", ");
            let method = call.method.as_ref().map_or(String::new(), |name| format!(":{}", name.text.as_str()));
            format!("{}{method}({arguments})", written(&call.callee)?)
        }
        ExpressionKind::Table(entries) => {
            let entries = list(&mut entries.iter().map(written_entry))?;
            if items(expression).is_some() {
                format!("{{{}}}", entries.join(","))
            } else {
                format!("{{ {} }}", entries.join(", "))
            }
        }
        _ => return None,
    })
}

fn written_entry(entry: &Entry) -> Option<String> {
    Some(match entry {
        Entry::Item(value) => written(value)?,
        Entry::Named(key, value) => format!("{} = {}", key.text.as_str(), written(value)?),
        Entry::Keyed(..) => return None,
    })
}

/// Returns the items of a table without keys.
fn items(expression: &Expression) -> Option<Vec<&Expression>> {
    let ExpressionKind::Table(entries) = &expression.bare().kind else { return None };
    entries
        .iter()
        .map(|entry| match entry {
            Entry::Item(value) => Some(value),
            Entry::Named(..) | Entry::Keyed(..) => None,
        })
        .collect()
}

impl<'t> Judge<'t, '_, '_> {
    /// Returns true if an expression is certainly a number.
    fn is_number(&self, value: &'t Expression) -> bool {
        self.values.one(value).kind() == Some(Type::Number)
    }

    /// Returns true if an expression is a list of `count` numbers.
    pub(super) fn is_numbers(&self, value: &'t Expression, count: usize) -> bool {
        items(value).is_some_and(|items| items.len() == count && items.iter().all(|item| self.is_number(item)))
    }

    /// Returns the table that positional values were likely meant as: each value with the key that takes it.
    pub(super) fn keyed(&self, function: &'static Function, values: &[&'t Expression]) -> Keyed {
        let mut made = Made { keys: Vec::new(), function, complete: true };
        let first_is_amount =
            function.forms.iter().any(|form| form.arguments.first().is_some_and(|first| first.name == "amount"));
        let mut at = 0;
        while let Some(&value) = values.get(at) {
            let numbers = values[at..].iter().take(4).take_while(|value| self.is_number(value)).count();
            let text = |range: std::ops::Range<usize>| {
                values[range].iter().map(|value| written(value)).collect::<Option<Vec<String>>>()
            };
            let area = made.free(self, &["region", "exclude"]);
            if let (4, Some(area), Some(corners)) = (numbers, area, text(at..values.len().min(at + 4))) {
                made.push(area, format!("{{{}}}", corners.join(",")));
                at += 4;
                continue;
            }
            let is_place = numbers >= 2 && made.free(self, &["x"]).is_some() && made.free(self, &["coord"]).is_some();
            if is_place
                && !(first_is_amount && numbers == 3 && at == 0)
                && let Some([x, y]) = text(at..at + 2).as_deref()
            {
                made.push("x", x.clone());
                made.push("y", y.clone());
                at += 2;
                continue;
            }
            self.one_keyed(&mut made, value, at == 0);
            at += 1;
        }
        Keyed { table: format!("{{ {} }}", made.entries().join(", ")), complete: made.complete }
    }

    /// Adds a single value to a table.
    fn one_keyed(&self, made: &mut Made, value: &'t Expression, first: bool) {
        let text = written(value);
        match &value.bare().kind {
            ExpressionKind::Function(_) => match made.free(self, &["contents", "inventory"]) {
                Some(key) => made.incomplete(key, "function() ... end".to_owned()),
                None => made.incomplete("KEY", "function() ... end".to_owned()),
            },
            ExpressionKind::Table(entries) if items(value).is_none() => {
                let is_place = entries
                    .iter()
                    .all(|entry| matches!(entry, Entry::Named(key, _) if matches!(key.text.as_str(), "x" | "y")));
                for entry in entries {
                    match entry {
                        Entry::Named(key, inner)
                            if is_place || made.function.key(self.catalog, key.text.as_str()).is_some() =>
                        {
                            match written(inner) {
                                Some(text) => made.push(key.text.as_str(), text),
                                None => made.incomplete(key.text.as_str(), "...".to_owned()),
                            }
                        }
                        _ => made.incomplete("KEY", "...".to_owned()),
                    }
                }
            }
            _ if self.is_numbers(value, 4)
                && let Some(text) = &text
                && let Some(key) = made.free(self, &["region", "exclude"]) =>
            {
                made.push(key, text.clone());
            }
            _ if self.is_numbers(value, 2)
                && let Some(text) = text.clone()
                && let Some(key) = made.free(self, &["coord"]) =>
            {
                made.push(key, text);
            }
            ExpressionKind::Text(literal) if literal.as_str().is_some() && text.is_some() => {
                self.word_keyed(made, literal.as_str().unwrap_or_default());
            }
            _ => match (self.values.one(value), text) {
                (value, Some(text)) if value.kind() == Some(Type::Selection) => {
                    let corners = text.strip_prefix("selection.area(").and_then(|rest| rest.strip_suffix(')'));
                    let corners = corners.filter(|corners| corners.split(',').count() == 4 && !corners.contains('('));
                    match (made.free(self, &["selection"]), made.free(self, &["region"]), corners) {
                        (Some(key), ..) => made.push(key, text),
                        (None, Some(key), Some(corners)) => {
                            made.push(key, format!("{{{}}}", corners.replace(", ", ",")))
                        }
                        _ => made.incomplete("KEY", text),
                    }
                }
                (Value::Typed(Type::Place), Some(text)) if let Some(key) = made.free(self, &["coord"]) => {
                    made.push(key, text);
                }
                (value, Some(text)) if value.kind() == Some(Type::Number) => {
                    let keys: &[&str] = if first { &["amount"] } else { &["amount", "quantity", "chance"] };
                    match made.free(self, keys) {
                        Some(key) => made.push(key, text),
                        None => made.incomplete("KEY", text),
                    }
                }
                (_, Some(text)) => made.incomplete("KEY", text),
                (_, None) => made.incomplete("KEY", "...".to_owned()),
            },
        }
    }

    /// Adds a string to a table, with the key that takes it.
    fn word_keyed(&self, made: &mut Made, word: &str) {
        let quoted = format!("\"{word}\"");
        let single = {
            let mut characters = word.chars();
            characters.next().filter(|_| characters.next().is_none())
        };
        let light = match word {
            "lit" => Some(true),
            "unlit" => Some(false),
            _ => None,
        };
        if let (Some(light), Some(key)) = (light, made.key(self, "lit")) {
            let light = if matches!(key.kind, Kind::Boolean) { light.to_string() } else { u8::from(light).to_string() };
            made.push("lit", light);
            return;
        }
        let opposite = match word {
            "hostile" => Some("peaceful"),
            "awake" => Some("asleep"),
            _ => None,
        };
        if let Some(key) = opposite.and_then(|key| made.free(self, &[key])) {
            made.push(key, "false".to_owned());
            return;
        }
        // The values that the game picks by itself.
        if word == "random" {
            return;
        }
        let takes = |key: &Key| match key.kind {
            Kind::Word(words) => words.accepts(self.catalog, word),
            Kind::Room => self.catalog.room(word).is_some(),
            Kind::Trap => self.catalog.traps.iter().any(|(name, _)| name.eq_ignore_ascii_case(word)),
            Kind::Monster => {
                single.is_none() && names::monster(self.catalog, word).is_some_and(|found| found.fit != Fit::Beginning)
            }
            Kind::Object => single.is_none() && names::object(self.catalog, word, None).is_some(),
            Kind::MonsterClass => single.is_some_and(|class| self.catalog.monster_class(class).is_some()),
            Kind::ObjectClass => single.is_some_and(|class| self.catalog.object_class(class).is_some()),
            Kind::MapCharacter => single.is_some_and(|character| self.catalog.terrain(character).is_some()),
            Kind::Boolean => key.name == word,
            _ => false,
        };
        // As in des-files, the terrain to replace is before the new one.
        let earlier = made.key(self, "fromterrain").filter(|key| takes(key));
        let keys = made.function.keys(self.catalog);
        let found = earlier.or_else(|| keys.clone().find(|key| made.is_free(key.name) && takes(key)));
        match found {
            Some(key) if matches!(key.kind, Kind::Boolean) => made.push(key.name, "true".to_owned()),
            Some(key) => made.push(key.name, quoted),
            None => match made.free(self, &["text"]) {
                Some(key) => made.push(key, quoted),
                None => made.incomplete("KEY", quoted),
            },
        }
    }
}

/// The table so far.
struct Made {
    keys: Vec<(String, String)>,
    function: &'static Function,
    complete: bool,
}

impl Made {
    fn is_free(&self, key: &str) -> bool {
        !self.keys.iter().any(|(used, _)| used == key)
    }

    /// Returns a key of the function that has no value yet.
    fn key(&self, judge: &Judge<'_, '_, '_>, name: &str) -> Option<&'static Key> {
        self.function.key(judge.catalog, name).filter(|key| self.is_free(key.name))
    }

    /// Returns the first of `names` that is such a key.
    fn free(&self, judge: &Judge<'_, '_, '_>, names: &[&'static str]) -> Option<&'static str> {
        names.iter().copied().find(|name| self.key(judge, name).is_some())
    }

    fn push(&mut self, key: &str, value: String) {
        self.keys.push((key.to_owned(), value));
    }

    /// Adds a value that the author must complete.
    fn incomplete(&mut self, key: &str, value: String) {
        self.complete = false;
        self.push(key, value);
    }

    /// Returns the entries of the table. An excluded area of zeros excludes nothing.
    fn entries(&self) -> Vec<String> {
        let all = self.keys.iter().filter(|(key, value)| key != "exclude" || value != "{0,0,0,0}");
        all.map(|(key, value)| format!("{key} = {value}")).collect()
    }
}
