//! Calls, keys and words that a game's catalog adds to those of NetHack 5.0.0.

use std::collections::BTreeMap;

use splc_ir::catalog::{OwnFunction, ValueKind};
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::source::Span;
use splc_ir::wording::counted;

use super::Judge;
use super::kinds::{Said, Slot, in_c};
use super::values::{Candidates, Type, Value};
use crate::functions::Need;
use crate::libraries;
use crate::own as additions;
use crate::sandbox;
use crate::tree::*;

impl<'t, 'c> Judge<'t, 'c, '_> {
    /// Returns true if a level has a global of this name before it sets any.
    pub(super) fn is_global(&self, name: &str) -> bool {
        match self.library.as_deref() {
            Some(own) => own.contains_key(name) || sandbox::globals_without_library().any(|known| known == name),
            None => sandbox::is_global(name),
        }
    }

    /// Returns true if the function `name` of `library` takes as many arguments as in NetHack 5.0.0, `most`.
    pub(super) fn is_usual(&self, library: &str, name: &str, most: usize) -> bool {
        match self.library.as_deref() {
            Some(own) if library.is_empty() => own.get(name).is_some_and(|count| *count == Some(most)),
            _ => true,
        }
    }

    /// Returns the function of the catalog that is called.
    pub(super) fn own_function(&self, call: &'t Call) -> Option<&'c OwnFunction> {
        if self.catalog.lua.functions.is_empty() {
            return None;
        }
        let (library, name) = match (&call.method, &call.callee.bare().kind) {
            (Some(method), _) => match self.values.one(&call.callee) {
                Value::Typed(Type::Selection) => ("selection", method),
                Value::Typed(Type::Object) => ("obj", method),
                _ => return None,
            },
            (None, ExpressionKind::Field(table, name)) => match self.values.one(table) {
                Value::Library(library) => (library.name, name),
                _ => return None,
            },
            _ => return None,
        };
        additions::function(self.catalog, &format!("{library}.{}", name.text.as_str()))
    }

    /// Checks a call of a function of the catalog.
    pub(super) fn own_call(&mut self, function: &'c OwnFunction, call: &'t Call) {
        for argument in &call.arguments {
            self.expression(argument);
        }
        let name = function.name.as_ref();
        let is_known = name.split_once('.').is_some_and(|(library, name)| libraries::function(library, name).is_some());
        if !is_known {
            let end = match function.gives {
                ValueKind::Nothing => String::new(),
                gives => format!(", and gives {}", stand_in(gives)),
            };
            self.without_effect((name, ""), call.callee.span, format!("{name} has no effect in splc{end}"));
        }
        let Some(kinds) = &function.takes else { return };
        let arguments: Vec<&'t Expression> = call.method.iter().map(|_| &call.callee).chain(&call.arguments).collect();
        let least = kinds.iter().filter(|(_, required)| *required).count();
        let found = arguments.len();
        if !self.is_open(&call.arguments) && !(least..=kinds.len()).contains(&found) {
            let wanted = if least == kinds.len() {
                counted(least, "argument")
            } else {
                format!("{least} to {}", counted(kinds.len(), "argument"))
            };
            let message = format!("{name} takes {wanted}, found {found}");
            let help = format!("see `functions` in the catalog of {}", self.catalog.title);
            self.report.push(Diagnostic::new(Code::LuaArguments, call.span, message).with_help(help));
            return;
        }
        for (argument, (kind, required)) in arguments.into_iter().zip(kinds.iter()) {
            let known = self.values.of(argument);
            let need = if *required { Need::Required } else { Need::Optional };
            let slot = Slot { call: name, name: "argument", key: true, class: None };
            self.content(additions::kind(*kind), need, &known, argument.span, slot);
        }
    }

    /// Checks an entry of a table if its key is one that the catalog adds. Returns false for other keys.
    pub(super) fn own_key(&mut self, function: &str, key: &str, entry: &'t Entry) -> bool {
        let Some(own) = additions::key(self.catalog, function, key) else { return false };
        let is_known = function.split_once('.').and_then(|(library, name)| libraries::function(library, name));
        if is_known.is_some_and(|function| function.key(self.catalog, key).is_some()) {
            return false;
        }
        let value = entry.value();
        let span = match entry {
            Entry::Named(name, _) => name.span,
            Entry::Keyed(key, _) => key.span,
            Entry::Item(value) => value.span,
        };
        self.without_effect(
            (&own.function, &own.name),
            span,
            format!("the key `{key}` of {function} has no effect in splc"),
        );
        let known = self.values.of(value);
        let slot = Slot { call: function, name: key, key: true, class: None };
        if own.kind == ValueKind::Word && !own.words.is_empty() {
            self.word_of_key(&known, value, slot);
        } else {
            self.content(additions::kind(own.kind), Need::Optional, &known, value.span, slot);
        }
        true
    }

    /// Checks that the values of a key are words of the catalog.
    fn word_of_key(&mut self, known: &Candidates<'t>, value: &'t Expression, slot: Slot<'_>) {
        let kind = crate::kinds::Kind::TextOrFunction;
        self.content(kind, Need::Optional, known, value.span, slot);
        let words: Vec<&'c str> = self.own_words(slot).collect();
        for one in known {
            let Value::Text(text, _) = &one.value else { continue };
            let Ok(text) = std::str::from_utf8(in_c(text)) else { continue };
            if !words.contains(&text) {
                self.word(&words, &Said { text, span: one.span, inner: None, used: None }, slot);
            }
        }
    }

    /// Returns the words that the catalog adds to a key or argument.
    pub(super) fn own_words(&self, slot: Slot<'_>) -> impl Iterator<Item = &'c str> + use<'c> {
        let key = additions::key(self.catalog, slot.call, slot.name);
        key.into_iter().flat_map(|key| key.words.iter().map(|(word, _)| word.as_ref()))
    }

    /// Returns true if the catalog adds `word` to those that a key or argument accepts.
    pub(super) fn own_word(&mut self, word: &str, span: Span, slot: Slot<'_>) -> bool {
        let key = additions::key(self.catalog, slot.call, slot.name);
        let found = key.and_then(|key| Some((key, key.words.iter().find(|(known, _)| known == word)?)));
        let Some((key, (own, like))) = found else { return false };
        if like.is_empty() {
            let message = format!("\"{word}\" as the {} of {} has no effect in splc", slot.name, slot.call);
            self.without_effect((&key.function, own), span, message);
        }
        true
    }

    /// Notes the first use of an addition that splc accepts without effect.
    fn without_effect(&mut self, what: (&'c str, &'c str), span: Span, message: String) {
        if self.noted.insert(what) {
            let note = format!("the catalog of {} declares it", self.catalog.title);
            self.report.push(Diagnostic::new(Code::WithoutEffect, span, message).with_note(note));
        }
    }
}

/// Returns all globals of a level before it sets any. `library` has those of the game's own `nhlib.lua`.
pub(super) fn globals(library: Option<&BTreeMap<String, Option<usize>>>) -> Vec<&str> {
    let Some(own) = library else { return sandbox::globals().collect() };
    let mut all: Vec<&str> = sandbox::globals_without_library().collect();
    all.extend(own.keys().map(String::as_str));
    all
}

/// Describes the value that splc gives in place of a result.
fn stand_in(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Boolean => "false",
        ValueKind::Number | ValueKind::NumberOrRandom => "0",
        ValueKind::Selection => "an empty selection",
        ValueKind::Object => "no object",
        ValueKind::Place => "the place 0, 0",
        ValueKind::Table | ValueKind::Region => "an empty table",
        ValueKind::Any | ValueKind::Nothing | ValueKind::Function => "nil",
        _ => "an empty string",
    }
}
