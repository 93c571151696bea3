//! Tables passed to the game's functions: their keys, combinations of keys, and maps.

use std::collections::{HashMap, HashSet};

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic, nearest};
use splc_ir::reread;
use splc_ir::source::Span;
use splc_ir::wording::{Conjunction, counted, help_for_tabs, listed, spaces_for_tabs, unseen};

use super::calls::table_of;
use super::ground::{Ground, Place, Walls, aligned, integer};
use super::keyed::Keyed;
use super::kinds::{Said, Slot};
use super::values::{Candidates, Type, Value};
use super::{Judge, near};
use crate::functions::{self, Kind, Need};
use crate::libraries;
use crate::names::{self, Fit};
use crate::own as additions;
use crate::tree::*;
use crate::words;

/// The maximum number of columns and rows of a map (NetHack 5.0.0, `COLNO - 1` and `ROWNO`).
const MAP: (usize, usize) = (79, 21);

/// The entries of a table by name.
struct Keys<'t> {
    entries: &'t [Entry],
    span: Span,
    call: Span,
}

impl<'t> Keys<'t> {
    fn get(&self, name: &str) -> Option<&'t Expression> {
        // If a name is repeated, the last entry counts.
        self.entries.iter().rev().find_map(|entry| match entry {
            Entry::Named(key, value) if key.text.as_str() == name => Some(value),
            Entry::Keyed(Expression { kind: ExpressionKind::Text(text), .. }, value) if text.as_str() == Some(name) => {
                Some(value)
            }
            _ => None,
        })
    }

    /// Returns true if a key that the function does not know was likely meant as `name`.
    fn misspells(&self, name: &str, is_known: impl Fn(&str) -> bool) -> bool {
        self.entries.iter().any(|entry| match entry {
            Entry::Named(key, _) => {
                let word = key.text.as_str();
                !is_known(word) && (name.len() == 1 && word.len() == 1 || !nearest(word, [name]).is_empty())
            }
            _ => false,
        })
    }

    /// Returns true if a key of another game, or an everyday word, was likely meant as `name`.
    fn means(&self, function: &str, name: &str) -> bool {
        self.entries.iter().any(|entry| match entry {
            Entry::Named(key, _) => meant_key(function, key.text.as_str()) == Some(name),
            _ => false,
        })
    }

    fn key_span(&self, name: &str) -> Option<Span> {
        self.entries.iter().find_map(|entry| match entry {
            Entry::Named(key, _) if key.text.as_str() == name => Some(key.span),
            _ => None,
        })
    }

    fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns true if the table may have computed keys.
    fn is_open(&self) -> bool {
        self.entries
            .iter()
            .any(|entry| matches!(entry, Entry::Keyed(key, _) if !matches!(key.kind, ExpressionKind::Text(_))))
    }

    /// Returns the span at which missing keys are reported.
    fn place(&self) -> Span {
        if self.span.end >= self.call.start && self.span.start <= self.call.end { self.span } else { self.call }
    }
}

impl<'t> Judge<'t, '_, '_> {
    /// Checks the table of a call.
    pub(super) fn keys(
        &mut self,
        name: &str,
        function: &'static functions::Function,
        entries: &'t [Entry],
        whole: &'t Expression,
        call: &'t Call,
    ) {
        let keys = Keys { entries, span: whole.span, call: call.span };
        if self.bare_place(name, function, &keys, whole) {
            return;
        }
        self.names_of_keys(name, function, &keys);
        self.missing_keys(name, function, &keys);
        self.own_rules(name, function, &keys);
        let class = keys.get("class").and_then(|class| match self.values.one(class) {
            Value::Text(text, _) if text.len() == 1 => Some(char::from(text[0])),
            _ => None,
        });
        let word = |entry: &'t Entry| match entry {
            Entry::Named(key, _) => Some(key.text.as_str()),
            Entry::Keyed(Expression { kind: ExpressionKind::Text(text), .. }, _) => Some(text.as_str().unwrap_or("")),
            _ => None,
        };
        let used: HashMap<&str, usize> =
            entries.iter().enumerate().filter_map(|(at, entry)| Some((word(entry)?, at))).collect();
        let mut inside = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let Some(key) = word(entry) else { continue };
            let value = entry.value();
            if let ExpressionKind::Function(body) = &value.bare().kind {
                inside.push((key, body));
            }
            // The value of a repeated key is the last one; the others were reported.
            if used.get(key) != Some(&at) || self.own_key(name, key, entry) {
                continue;
            }
            let Some(known_key) = function.key(self.catalog, key) else { continue };
            if key == "selection" && self.selection_unread(name, &keys, value) {
                continue;
            }
            // A key for objects of some names is not read without a name, which was reported.
            if name == "des.object" && !known_key.only.is_empty() && !keys.has("id") {
                continue;
            }
            let known = self.values.of(value);
            let slot = Slot { call: name, name: key, key: true, class };
            self.content(known_key.kind, known_key.need, &known, value.span, slot);
        }
        self.places_of_keys(name, function, &keys);
        // Functions that run immediately, each on its own ground.
        let is_map = name == "des.map";
        let map = keys.get("map").filter(|_| is_map).map(|map| self.values.of(map));
        let ground = match name {
            "des.map" => map.as_ref().map_or(Ground::Unknown, |map| self.map_ground(map, Some(&keys), call)),
            "des.room" => Ground::Room { size: self.room_size(&keys), span: call.callee.span },
            "des.region" => Ground::Room { size: None, span: call.callee.span },
            _ => self.ground.clone(),
        };
        for (key, function) in inside {
            if matches!(key, "contents" | "inventory") {
                self.on(ground.clone(), function);
            } else {
                self.called_elsewhere(function);
            }
        }
        if is_map {
            let contents = keys.get("contents").map(|contents| self.values.one(contents));
            match contents.and_then(|contents| contents.kind()) {
                Some(Type::Function) => self.ground = Ground::Level,
                None if keys.has("contents") => self.ground = Ground::Unknown,
                _ => self.ground = ground,
            }
            self.another_map();
        }
        match name {
            "des.level_init" => self.level_init(&keys),
            "des.mazewalk" => self.rock = false,
            _ => {}
        }
    }

    /// Reports a place or an area in the place of the table: `des.teleport_region({ 1, 1, 3, 3 })`.
    fn bare_place(
        &mut self,
        name: &str,
        function: &'static functions::Function,
        keys: &Keys<'t>,
        whole: &'t Expression,
    ) -> bool {
        let key = match keys.entries.len() {
            4 => "region",
            2 => "coord",
            _ => return false,
        };
        if function.key(self.catalog, key).is_none()
            || !self.is_numbers(whole, keys.entries.len())
            || keys.place() != keys.span
            || self.report.is_full(Code::LuaKey)
        {
            return false;
        }
        let Keyed { table, complete } = self.keyed(function, &[whole]);
        let (code, message) = match lacks_key(self.catalog, name, function, |_| false) {
            true => (Code::LuaMissingKey, format!("{name} needs a key for each value in its table")),
            false => (Code::LuaKey, format!("{name} ignores values without keys")),
        };
        let problem = Diagnostic::new(code, whole.span, message).with_help(format!("write {name}({table})"));
        self.report.push(problem.with_suggestion(whole.span, table, complete));
        true
    }

    /// Reports a selection beside a place or an area, which the game then does not read.
    fn selection_unread(&mut self, name: &str, keys: &Keys<'t>, selection: &'t Expression) -> bool {
        let other = match name {
            "des.terrain" | "des.gas_cloud" => ["coord", "x"].into_iter().find(|key| keys.has(key)),
            "des.replace_terrain" => ["region", "x1"].into_iter().find(|key| keys.has(key)),
            _ => None,
        };
        // -1 is a random place.
        let other = other.filter(|key| {
            keys.get(key).is_some_and(|value| !matches!(self.values.one(value), Value::Integer(-1) | Value::Unknown))
        });
        let Some(other) = other else { return false };
        let message = format!("{name} ignores its selection: it has {other}");
        let problem = Diagnostic::new(Code::LuaIgnored, selection.span, message);
        self.report.push(problem.with_help("remove one of them"));
        true
    }

    /// Reports keys that the function does not read.
    fn names_of_keys(&mut self, name: &str, function: &'static functions::Function, keys: &Keys<'t>) {
        let own = additions::keys(self.catalog, name).iter().map(|key| key.name.as_ref());
        let known = function.keys(self.catalog).map(|key| key.name).chain(own);
        let mut seen: HashSet<&str> = HashSet::new();
        let items = keys.entries.iter().filter_map(|entry| match entry {
            Entry::Item(value) if !matches!(value.kind, ExpressionKind::Unread) => Some(value),
            _ => None,
        });
        let items: Vec<&Expression> = items.collect();
        if let [first, .., last] = items[..]
            && items.len() == keys.entries.len()
            && !self.report.is_full(Code::LuaKey)
        {
            // Do not also report them as unknown names.
            self.excused.extend(items.iter().map(|value| value.span.start));
            let all = known.clone().collect::<Vec<_>>().join(", ");
            let message = format!("{name} ignores values without keys");
            let problem = Diagnostic::new(Code::LuaKey, first.span.to(last.span), message);
            let fits = function.forms.iter().any(|form| form.takes(items.len()));
            let Keyed { table, complete } = self.keyed(function, &items);
            // `des.trap({ "pit", 7, 4 })`, of which both corrections are right.
            if complete && keys.place() == keys.span {
                let problem = problem.with_help(format!("write {name}({table})"));
                self.report.push(problem.with_suggestion(keys.span, table, true));
                return;
            }
            self.report.push(problem.with_help(match fits {
                true => format!("remove the braces: {name}(...); or write a key before each value: {all}"),
                false => format!("write a key before each value: {all}"),
            }));
            return;
        }
        for (at, entry) in keys.entries.iter().enumerate() {
            match entry {
                Entry::Named(key, value) => {
                    let word = key.text.as_str();
                    if !seen.insert(word) {
                        let message = format!("duplicate key `{word}`; the last one is used");
                        self.report
                            .push(Diagnostic::new(Code::LuaIgnored, key.span, message).with_help("remove one of them"));
                    }
                    let is_known = function.key(self.catalog, word).is_some()
                        || additions::key(self.catalog, name, word).is_some();
                    if is_known || self.report.is_full(Code::LuaKey) {
                        continue;
                    }
                    let problem = Diagnostic::new(Code::LuaKey, key.span, format!("{name} has no key `{word}`"));
                    if let Some(meant) = opposite_key(name, word) {
                        self.report.push(with_opposite(problem, meant, key.span, value));
                        continue;
                    }
                    let is_true = matches!(value.bare().kind, ExpressionKind::Boolean(true));
                    if let ("des.object", "blessed" | "cursed" | "uncursed", true) = (name, word, is_true) {
                        let right = format!("buc=\"{word}\"");
                        let problem = problem.with_help(format!("write {right}"));
                        self.report.push(problem.with_suggestion(key.span.to(value.span), right, true));
                        continue;
                    }
                    let problem = match meant_key(name, word)
                        .filter(|meant| function.key(self.catalog, meant).is_some())
                    {
                        Some(meant) => problem.with_help(format!("write {meant}")).with_suggestion(
                            key.span,
                            meant,
                            function.key(self.catalog, meant).is_some_and(|key| fits(key.kind, value)),
                        ),
                        None => near(problem, word, known.clone().filter(|key| !keys.has(key)), Some(key.span), || {
                            format!("valid keys are {}", known.clone().collect::<Vec<_>>().join(", "))
                        }),
                    };
                    self.report.push(problem);
                }
                // A text that could not be read, or the value of a required key, which is reported as missing.
                Entry::Item(value) if matches!(value.kind, ExpressionKind::Unread) => {}
                Entry::Item(value) if self.is_bare_map(function, keys, value) => {}
                // `coord = 3, 2`
                Entry::Item(Expression { kind: ExpressionKind::Integer(row), span, .. })
                    if let Some(Entry::Named(
                        key,
                        Expression { kind: ExpressionKind::Integer(column), span: first, .. },
                    )) = at.checked_sub(1).and_then(|before| keys.entries.get(before))
                        && key.text.as_str() == "coord" =>
                {
                    let right = format!("{{ {column},{row} }}");
                    let span = first.to(*span);
                    let problem = Diagnostic::new(Code::LuaArguments, span, "a place needs braces")
                        .with_help(format!("write coord = {right}"))
                        .with_suggestion(span, right, true);
                    self.report.push(problem);
                    self.excused.insert(first.start);
                }
                // `{ type = "pit", 12, 2 }`
                Entry::Item(Expression { kind: ExpressionKind::Integer(column), span, .. })
                    if let Some(Entry::Item(Expression { kind: ExpressionKind::Integer(row), span: last, .. })) =
                        keys.entries.get(at + 1)
                        && items.len() == 2
                        && ["x", "y"].iter().all(|key| function.key(self.catalog, key).is_some() && !keys.has(key)) =>
                {
                    let right = format!("x = {column}, y = {row}");
                    let span = span.to(*last);
                    let message = format!("{name} ignores values without keys");
                    let problem = Diagnostic::new(Code::LuaKey, span, message)
                        .with_help(format!("write {right}"))
                        .with_suggestion(span, right, true);
                    self.report.push(problem);
                    self.excused.insert(last.start);
                }
                Entry::Item(value) if self.excused.contains(&value.span.start) => {}
                Entry::Item(value) if !self.report.is_full(Code::LuaKey) => {
                    let message = format!("{name} ignores a value without a key");
                    let problem = Diagnostic::new(Code::LuaKey, value.span, message);
                    // Do not also report it as an unknown name.
                    self.excused.insert(value.span.start);
                    let is_key = |callee: &Expression| match &callee.kind {
                        ExpressionKind::Name(name) => function.key(self.catalog, name.as_str()).is_some(),
                        _ => false,
                    };
                    // `{ "up", x = 2, y = 2 }`
                    let takes = |key: &&crate::keys::Key, text: &[u8]| match key.kind {
                        Kind::Word(words) => str::from_utf8(text).is_ok_and(|text| words.accepts(self.catalog, text)),
                        _ => false,
                    };
                    if let ExpressionKind::Text(text) = &value.bare().kind
                        && let Some(key) = function.keys(self.catalog).find(|key| takes(key, &text.value))
                        && !keys.has(key.name)
                    {
                        let start = Span { end: value.span.start, ..value.span };
                        let right = format!("{} = ", key.name);
                        let written = format!("{right}\"{}\"", String::from_utf8_lossy(&text.value));
                        let problem = problem.with_help(format!("write {written}")).with_suggestion(start, right, true);
                        self.report.push(problem);
                        continue;
                    }
                    let help = match &value.bare().kind {
                        ExpressionKind::Name(key) if function.key(self.catalog, key.as_str()).is_some() => {
                            format!("write {} = ...: a key needs its value", key.as_str())
                        }
                        ExpressionKind::Text(_) if function.key(self.catalog, "id").is_some() => {
                            "write id = ... before it".to_owned()
                        }
                        ExpressionKind::Text(_) if function.key(self.catalog, "type").is_some() => {
                            "write type = ... before it".to_owned()
                        }
                        ExpressionKind::Table(_) if function.key(self.catalog, "coord").is_some() => {
                            "write coord = ... before it".to_owned()
                        }
                        ExpressionKind::Function(_) if function.key(self.catalog, "contents").is_some() => {
                            "write contents = ... before it".to_owned()
                        }
                        ExpressionKind::Name(_) => "write a key before it, or remove it".to_owned(),
                        // `id "dagger"` is a call.
                        ExpressionKind::Call(call) if is_key(&call.callee) => {
                            "write `=` between the key and its value".to_owned()
                        }
                        _ => format!("valid keys are {}", known.clone().collect::<Vec<_>>().join(", ")),
                    };
                    self.report.push(problem.with_help(help));
                }
                Entry::Item(_) | Entry::Keyed(..) => {}
            }
        }
    }

    /// Returns true if `value` is the map of a table without the key `map`.
    fn is_bare_map(&self, function: &'static functions::Function, keys: &Keys<'t>, value: &Expression) -> bool {
        let map = function.keys(self.catalog).find(|key| matches!(key.kind, Kind::Map));
        map.is_some_and(|map| map.need == Need::Required && !keys.has(map.name))
            && matches!(value.bare().kind, ExpressionKind::Text(_))
    }

    fn missing_keys(&mut self, name: &str, function: &'static functions::Function, keys: &Keys<'t>) {
        if keys.is_open() {
            return;
        }
        for key in function.keys(self.catalog).filter(|key| key.need == Need::Required && !keys.has(key.name)) {
            // A misspelt key is reported as such.
            let misspelt = keys.entries.iter().any(|entry| match entry {
                Entry::Named(found, _) => {
                    let word = found.text.as_str();
                    function.key(self.catalog, word).is_none()
                        && (meant_key(name, word) == Some(key.name) || nearest(word, [key.name]).len() == 1)
                }
                _ => false,
            });
            if misspelt {
                continue;
            }
            let message = format!("{name} needs the key `{}`", key.name);
            let example = match key.kind {
                Kind::Region => "{ x1, y1, x2, y2 }",
                Kind::Map => "[[...]]",
                Kind::MapCharacter => "\".\"",
                Kind::Word(words) => words.all(self.catalog).first().copied().unwrap_or("..."),
                Kind::Text => "\"...\"",
                _ => "...",
            };
            let example = if let Kind::Word(_) = key.kind { format!("\"{example}\"") } else { example.to_owned() };
            let problem = Diagnostic::new(Code::LuaMissingKey, keys.place(), message)
                .with_label("missing in this table")
                .with_help(format!("write {} = {example}", key.name));
            self.report.push(problem);
        }
    }

    fn lacks(&mut self, keys: &Keys<'t>, message: String, help: &str) {
        if keys.is_open() {
            return;
        }
        self.report.push(Diagnostic::new(Code::LuaMissingKey, keys.place(), message).with_help(help.to_owned()));
    }

    /// Checks what `des.replace_terrain` replaces, and with what.
    fn replaced(&mut self, function: &'static functions::Function, keys: &Keys<'t>) {
        let name = "des.replace_terrain";
        if let Some(to) = keys.get("toterrain")
            && let Value::Text(letter, _) = self.values.one(to)
            && let kind @ (b"x" | b"w") = &*letter
        {
            let what = if kind == b"x" { "any terrain" } else { "any wall" };
            let message = format!("{name} does nothing: `{}` stands for {what}", String::from_utf8_lossy(kind));
            let problem = Diagnostic::new(Code::PassedOver, to.span, message);
            self.report.push(problem.with_help("write the terrain that is made, e.g. toterrain = \".\""));
            return;
        }
        let meant = |key: &&str| {
            keys.misspells(key, |word| function.key(self.catalog, word).is_some()) || keys.means(name, key)
        };
        let sources = ["fromterrain", "mapfragment"];
        if !sources.iter().any(|key| keys.has(key)) && !sources.iter().any(meant) {
            let message = format!("{name} has no terrain to replace");
            self.lacks(keys, message, "write fromterrain = \".\", or mapfragment = [[...]]");
        }
    }

    /// Checks combinations of keys, for each function.
    fn own_rules(&mut self, name: &str, function: &'static functions::Function, keys: &Keys<'t>) {
        let place = keys.has("coord") || keys.has("x") || keys.has("y");
        let area = keys.has("region") || ["x1", "y1", "x2", "y2"].iter().any(|key| keys.has(key));
        self.name_of_kind(name, keys);
        match name {
            "des.map" => {
                let aligned = keys.has("halign") || keys.has("valign");
                // In a function it may be a room of an ordinary level, which the game positions.
                let chosen = self.ground == Ground::Unknown;
                if !place && !aligned && !chosen {
                    let help = "write halign = \"center\", valign = \"center\", or des.map([[...]]), which is centred";
                    self.lacks(keys, "des.map has no position".to_owned(), help);
                } else if aligned && keys.has("halign") != keys.has("valign") {
                    let missing = if keys.has("halign") { "valign" } else { "halign" };
                    if keys.misspells(missing, |word| function.key(self.catalog, word).is_some()) {
                        return;
                    }
                    if keys.is_open() {
                        return;
                    }
                    // The game keeps the corner of the map before (`lspo_map`).
                    let message = format!("des.map has no {missing}: it needs an alignment in both directions");
                    let kept = if missing == "halign" { "column" } else { "row" };
                    let label = format!("keeps the {kept} of the map before");
                    let problem = Diagnostic::new(Code::LuaHalfPlace, keys.place(), message).with_label(label);
                    self.report.push(problem.with_help("write both halign and valign"));
                }
            }
            "des.room" => {
                for (one, other) in [("x", "y"), ("w", "h")] {
                    if !keys.has("coord") && keys.has(one) != keys.has(other) && !keys.is_open() {
                        let (given, missing) = if keys.has(one) { (one, other) } else { (other, one) };
                        let span = keys.key_span(given).unwrap_or_else(|| keys.place());
                        let message = format!("a room needs both {one} and {other}, or neither");
                        self.report.push(
                            Diagnostic::new(Code::LuaMissingKey, span, message)
                                .with_help(format!("add {missing} = ..., or remove {given} for a random one")),
                        );
                    }
                }
            }
            "des.drawbridge" if !place => {
                self.lacks(keys, "a drawbridge needs a place".to_owned(), "write x = X, y = Y, or coord = { X, Y }");
            }
            "des.terrain" | "des.gas_cloud" if !place && !keys.has("selection") => {
                let message = format!("{name} has no place");
                self.lacks(keys, message, "write x = X, y = Y, coord = { X, Y }, or selection = ...");
            }
            "des.replace_terrain" => self.replaced(function, keys),
            "des.region" | "des.wall_property" if !area => {
                self.lacks(keys, format!("{name} needs the key `region`"), "write region = { x1, y1, x2, y2 }");
            }
            "des.region" => self.filling(keys),
            "des.door" => self.door(place, keys),
            "des.object" => self.keys_of_object(function, keys),
            "des.feature" => {
                if let Some(Value::Text(kind, _)) = keys.get("type").map(|kind| self.values.one(kind)) {
                    self.keys_of(name, function, &String::from_utf8_lossy(&kind), keys);
                }
            }
            "des.levregion" => {
                let kind = keys.get("type").map(|kind| self.values.one(kind));
                if let (Some(Value::Text(kind, _)), Some(span)) = (kind, keys.key_span("name")) {
                    if &*kind != b"portal" {
                        let message = "only a portal can have a name".to_owned();
                        let problem =
                            Diagnostic::new(Code::LuaIgnored, span, message).with_label("the game ignores it");
                        self.report.push(problem.with_help("write type = \"portal\", or remove the name"));
                    } else if let Some(name) = keys.get("name") {
                        let slot = Slot { call: "des.levregion", name: "name", key: true, class: None };
                        let known = self.values.of(name);
                        self.content(Kind::Destination, Need::Optional, &known, name.span, slot);
                    }
                }
            }
            _ => {}
        }
        // A place with only one coordinate.
        if function.key(self.catalog, "x").is_some()
            && function.key(self.catalog, "x2").is_none()
            && !matches!(name, "des.room" | "nh.abscoord")
        {
            let half = keys.has("x") != keys.has("y");
            let missing = if keys.has("x") { "y" } else { "x" };
            let misspelt = keys.misspells(missing, |word| function.key(self.catalog, word).is_some());
            if half && !keys.is_open() && !misspelt {
                let (there, missing) = if keys.has("x") { ("x", "y") } else { ("y", "x") };
                let span = keys.key_span(there).unwrap_or(keys.place());
                let message = format!("{name} has {there}, but no {missing}");
                let label = if there == "x" { "the row becomes -1" } else { "the place becomes random" };
                let problem = Diagnostic::new(Code::LuaHalfPlace, span, message).with_label(label);
                self.report.push(problem.with_help(format!("write {missing} as well, or omit both")));
            }
            if let Some(span) = keys.key_span("coord").filter(|_| keys.has("x") && keys.has("y")) {
                let problem =
                    Diagnostic::new(Code::LuaIgnored, span, format!("{name} ignores coord if x and y are given"));
                self.report.push(problem.with_help("remove one of them"));
            }
        }
    }

    /// Reports the name of a kind of monster or object as the name of a random one: `des.monster({ name = "gnome" })`.
    fn name_of_kind(&mut self, function: &str, keys: &Keys<'t>) {
        let Some((name, at)) = keys.get("name").zip(keys.key_span("name")) else { return };
        if keys.has("id") || keys.is_open() || keys.misspells("id", |word| word == "name") || keys.means(function, "id")
        {
            return;
        }
        let ExpressionKind::Text(text) = &name.bare().kind else { return };
        let Some(text) = text.as_str() else { return };
        let class = keys.get("class").map(|class| self.values.one(class));
        let of_class = |number: char| match &class {
            None => true,
            Some(Value::Text(class, _)) => *class.as_ref() == *number.to_string().as_bytes(),
            Some(_) => false,
        };
        let kind = match function {
            "des.monster" => {
                let found = names::monster(self.catalog, text).filter(|found| found.fit == Fit::Whole);
                found.filter(|found| of_class(self.catalog.monsters[found.number].class)).map(|_| "monster")
            }
            "des.object" => {
                let found = names::object(self.catalog, text, None).filter(|found| !found.described);
                found.filter(|found| of_class(self.catalog.objects[found.number].class)).map(|_| "object")
            }
            _ => None,
        };
        let Some(kind) = kind else { return };
        self.report.push(
            Diagnostic::new(Code::LuaRandom, at, format!("`name` does not choose the {kind}"))
                .with_label(format!("a random {kind} is called \"{text}\""))
                .with_help(format!("write id = \"{text}\""))
                .with_suggestion(at, "id", true),
        );
    }

    /// Checks that a region of a special type says how it is filled. By default it is empty, also of a
    /// shopkeeper. Only des.room fills its room by default.
    fn filling(&mut self, keys: &Keys<'t>) {
        let is_known = |word: &str| {
            libraries::function("des", "region").is_some_and(|region| region.key(self.catalog, word).is_some())
        };
        let given = keys.has("filled") || keys.means("des.region", "filled") || keys.misspells("filled", is_known);
        let Some(kind) = keys.get("type").filter(|_| !given && !keys.is_open()) else { return };
        let Value::Text(text, _) = self.values.one(kind) else { return };
        let Ok(text) = std::str::from_utf8(&text) else { return };
        let number = self.catalog.room(text);
        let shop = self.catalog.room("shop");
        // The priest of a temple comes with its altar.
        let is_special = number.is_some()
            && ((shop.is_some() && number >= shop)
                || self.catalog.loader.stocked_rooms.iter().any(|room| room == text));
        if is_special {
            let problem = Diagnostic::new(Code::LuaUnfilled, kind.span, format!("this {text} stays empty"));
            let problem = problem.with_help("write filled = 1, or filled = 0 if it is meant to be empty");
            self.report.push(problem.with_label("without the key `filled`, the game does not fill it"));
        }
    }

    /// Checks a door. Without a place, it goes into a wall of the room around it.
    fn door(&mut self, place: bool, keys: &Keys<'t>) {
        if !place && !self.in_room && matches!(self.ground, Ground::Map { .. } | Ground::Level) {
            let message = "a door outside a room needs a place".to_owned();
            self.lacks(
                keys,
                message,
                "write x = X, y = Y, or coord = { X, Y }; only a door in the contents of a room can omit it",
            );
        }
        for key in ["wall", "pos"] {
            if let Some(span) = keys.key_span(key).filter(|_| place) {
                let problem =
                    Diagnostic::new(Code::LuaIgnored, span, format!("des.door ignores {key} if the place is given"));
                self.report.push(problem.with_help("remove one of them"));
            }
        }
    }

    /// Reports keys that the named object does not have.
    fn keys_of_object(&mut self, function: &'static functions::Function, keys: &Keys<'t>) {
        let Some(id) = keys.get("id") else {
            // Without a name, the game does not look up a species.
            if let Some(span) = keys.key_span("montype") {
                let message = "des.object uses montype only for a corpse, statue, egg, tin or figurine".to_owned();
                let problem = Diagnostic::new(Code::LuaIgnored, span, message);
                self.report.push(problem.with_help("write id = \"corpse\", or the id of another of these objects"));
            }
            return;
        };
        let Value::Text(id, _) = self.values.one(id) else { return };
        let found = std::str::from_utf8(&id).ok().and_then(|id| names::object(self.catalog, id, None));
        if let Some(found) = found {
            self.keys_of("des.object", function, self.catalog.objects[found.number].name.as_ref(), keys);
        }
    }

    /// Reports keys that `thing`, a feature or an object, does not have.
    fn keys_of(&mut self, name: &str, function: &'static functions::Function, thing: &str, keys: &Keys<'t>) {
        for key in function.keys(self.catalog).filter(|key| !key.only.is_empty() && !key.only.contains(&thing)) {
            if let Some(span) = keys.key_span(key.name) {
                let message = format!("{name} ignores {} for a {thing}", key.name);
                let problem = Diagnostic::new(Code::LuaIgnored, span, message);
                self.report.push(problem.with_help(format!("use it for a {}", listed(key.only, Conjunction::Or))));
            }
        }
    }

    /// Checks the places and areas among the keys.
    fn places_of_keys(&mut self, name: &str, function: &'static functions::Function, keys: &Keys<'t>) {
        let all = |judge: &Self, names: [&str; 4]| {
            names.map(|name| keys.get(name).and_then(|value| integer(&judge.values.of(value))))
        };
        if matches!(name, "des.room" | "des.map" | "selection.gradient" | "des.gas_cloud" | "nh.abscoord") {
            return;
        }
        let walls = Walls::of(function.name);
        if let (Some(x), Some(y)) = (keys.get("x"), keys.get("y")) {
            let span = if x.span.start < y.span.start { x.span.to(y.span) } else { y.span.to(x.span) };
            let span = if keys.span.start <= span.start { span } else { keys.call };
            let place = Place::of(&self.values.of(x), &self.values.of(y), span);
            self.place(place, walls);
        }
        if let Some(coord) = keys.get("coord") {
            let known = self.values.of(coord);
            self.place_table(&known, walls);
        }
        if function.key(self.catalog, "x1").is_some() && keys.has("x1") {
            let corners = all(self, ["x1", "y1", "x2", "y2"]);
            self.area(corners, keys.span, None);
        }
        for key in ["region", "exclude"] {
            let Some(region) = keys.get(key) else { continue };
            // Arrival areas are relative to the map, unless these keys say that they are relative to the level.
            let level = keys.get(if key == "region" { "region_islev" } else { "exclude_islev" });
            let level = level.map(|level| self.values.one(level));
            let ground = match level {
                None | Some(Value::Boolean(false) | Value::Integer(0)) => None,
                Some(Value::Boolean(true) | Value::Integer(1)) => Some(Ground::Level),
                Some(_) => Some(Ground::Unknown),
            };
            let known = self.values.of(region);
            if let Some([Entry::Item(x1), Entry::Item(y1), Entry::Item(x2), Entry::Item(y2)]) = table_of(&known) {
                let corners = [x1, y1, x2, y2].map(|value| integer(&self.values.of(value)));
                if corners != [Some(-1); 4] && corners != [Some(0); 4] {
                    self.area(corners, region.span, ground.as_ref());
                }
            }
        }
    }

    /// Returns the size of a room, if it is given.
    fn room_size(&self, keys: &Keys<'t>) -> Option<(i64, i64)> {
        let number = |key| keys.get(key).and_then(|value| integer(&self.values.of(value))).filter(|&size| size > 0);
        Some((number("w")?, number("h")?))
    }

    /// Records a map that is created from its text alone.
    pub(super) fn map_made(&mut self, known: &[Candidates<'t>], call: &'t Call) {
        self.ground = match known {
            [map] => self.map_ground(map, None, call),
            _ => Ground::Unknown,
        };
        self.another_map();
    }

    /// Records a map. Around a second map there may be the first one instead of rock.
    fn another_map(&mut self) {
        self.rock &= !self.mapped;
        self.mapped = true;
    }

    /// Records the filling of a level. It is rock only if the level is filled with it.
    fn level_init(&mut self, keys: &Keys<'t>) {
        self.initialised = true;
        let is = |key: &str, wanted: &[u8]| match keys.get(key).map(|value| self.values.one(value)) {
            Some(Value::Text(text, _)) => *text == *wanted,
            Some(_) => false,
            None => key == "style",
        };
        self.rock = is("style", b"solidfill") && is("fg", b" ") && !keys.is_open();
    }

    /// Returns the ground of a map.
    fn map_ground(&self, map: &Candidates<'t>, keys: Option<&Keys<'t>>, call: &'t Call) -> Ground {
        let mut sizes = map.iter().map(|known| match &known.value {
            Value::Text(text, _) => Some(size_of(text)),
            _ => None,
        });
        let first = sizes.next().flatten();
        match first {
            Some(size) if sizes.all(|other| other == Some(size)) => {
                Ground::Map { size, origin: self.origin(size, keys), span: call.callee.span }
            }
            _ => Ground::Unknown,
        }
    }

    /// Returns the upper left corner of a map on the level.
    fn origin(&self, size: (i64, i64), keys: Option<&Keys<'t>>) -> Option<(i64, i64)> {
        let Some(keys) = keys else { return aligned(size, "center", "center", self.initialised) };
        if let (Some(x), Some(y)) = (keys.get("x"), keys.get("y")) {
            let inside_room = matches!(self.ground, Ground::Unknown | Ground::Room { .. });
            let place = (integer(&self.values.of(x))?, integer(&self.values.of(y))?);
            return (!inside_room).then_some(place);
        }
        let word = |key| match self.values.one(keys.get(key)?) {
            Value::Text(text, _) => String::from_utf8(text.to_vec()).ok(),
            _ => None,
        };
        aligned(size, &word("halign")?, &word("valign")?, self.initialised)
    }

    /// Reports the first line of a map that is a statement of a des-file: `ENDMAP`, `GEOMETRY:center,center`.
    fn statements_in_map(
        &mut self,
        lines: &[&str],
        has_last_break: bool,
        can_edit: bool,
        span: &dyn Fn(usize, usize) -> Span,
    ) -> bool {
        let mut at = 0;
        for (number, line) in lines.iter().enumerate() {
            let written = line.trim();
            let length = written.bytes().take_while(|byte| byte.is_ascii_uppercase() || *byte == b'_').count();
            let (word, rest) = written.split_at(length);
            let is_end = rest.is_empty() && matches!(word, "ENDMAP" | "MAP");
            let is_statement = rest.trim_start().starts_with(':')
                && (matches!(word, "GEOMETRY" | "REGION" | "MAZE" | "LEVEL" | "NOMAP")
                    || words::DES_WORDS.iter().any(|(known, _)| *known == word));
            if !is_end && !is_statement {
                at += line.len() + 1;
                continue;
            }
            let from = at + line.len() - line.trim_start().len();
            let problem = Diagnostic::new(Code::LuaMap, span(from, word.len()), format!("{word} is not part of a map"));
            let problem = match word {
                "GEOMETRY" => problem.with_label("this is a statement of des-files").with_help(
                    "delete this line, and write des.map({ halign = \"center\", valign = \"center\", map = [[...]] })",
                ),
                _ if is_statement => problem
                    .with_label("this is a statement of des-files")
                    .with_help("move it after the map, and write it as a Lua call"),
                _ => {
                    let break_after = usize::from(number + 1 < lines.len() || has_last_break);
                    let problem = problem
                        .with_label("in Lua, a map begins with `[[` and ends with `]]`")
                        .with_help("delete this line");
                    match can_edit {
                        true => problem.with_suggestion(span(at, line.len() + break_after), "", true),
                        false => problem,
                    }
                }
            };
            self.report.push(problem);
            return true;
        }
        false
    }

    /// Checks the text of a map: its characters and the lengths of its lines.
    pub(super) fn map_text(&mut self, text: &str, said: &Said<'_>) {
        let start = said.inner.map(|inner| inner.start as usize);
        let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or(text).split('\n').collect();
        let span = |at: usize, length: usize| match start {
            Some(start) => Span::new(said.span.file, start + at, start + at + length),
            None => said.span,
        };
        let width = |line: &str| line.chars().filter(|character| !character.is_ascii_digit()).count();
        let widest = lines.iter().map(|line| width(line)).max().unwrap_or(0);
        if text.is_empty() {
            let problem =
                Diagnostic::new(Code::LuaMap, said.span, "this map is empty").with_help("draw the map in lines");
            self.report.push(problem);
            return;
        }
        if lines.len() > MAP.1 || widest > MAP.0 {
            let (columns, rows) = (counted(widest, "column"), counted(lines.len(), "row"));
            let message = format!("this map has {columns} and {rows}, but a level has {} and {}", MAP.0, MAP.1);
            self.report.push(Diagnostic::new(Code::MapSize, said.span, message).with_help("make it smaller"));
            return;
        }
        if self.statements_in_map(&lines, text.ends_with('\n'), start.is_some(), &span) {
            return;
        }
        let mut at = 0;
        let mut short: Option<(usize, &str)> = None;
        let mut unknown: Option<(char, usize, usize)> = None;
        for (number, line) in lines.iter().enumerate() {
            // The last line may be shorter, because nothing follows it.
            if width(line) != widest && number + 1 < lines.len() && short.is_none() {
                short = Some((at, line));
            }
            for (offset, character) in line.char_indices() {
                let known = self.catalog.terrain(character).is_some() || character.is_ascii_digit();
                if !known && unknown.is_none() {
                    unknown = Some((character, at + offset, character.len_utf8()));
                }
            }
            at += line.len() + 1;
        }
        let conflicts = start.filter(|_| unknown.is_some()).and_then(|start| {
            let (_, errors) = reread::without_conflicts(text, said.span.file, "")?;
            Some(errors.into_iter().map(move |error| error.moved(start)))
        });
        if let Some(conflicts) = conflicts {
            for mut conflict in conflicts {
                // The game skips the squares of the markers.
                (conflict.code, conflict.severity) = (Code::LuaMap, Code::LuaMap.severity());
                self.report.push(conflict);
            }
            return;
        }
        if let Some((character, at, length)) = unknown {
            let message = match character {
                '\r' => "a carriage return is not a map character".to_owned(),
                '\t' => "a tab is not a map character".to_owned(),
                _ => match unseen(character) {
                    Some(name) => format!("{name} is not a map character"),
                    None => format!("'{character}' is not a map character"),
                },
            };
            let all = self.catalog.map_characters.trim();
            let problem =
                Diagnostic::new(Code::LuaMap, span(at, length), message).with_label("the square does not change");
            if character == '\t'
                && start.is_some()
                && let Some(problem) = spaces_in_row(problem.clone(), text, at, &span)
            {
                self.report.push(problem);
                return;
            }
            let problem = problem.with_help(match terrain_letter(character) {
                Some(meant) => format!("write '{meant}'"),
                None if character == '\t' => "write the spaces that it was meant as".to_owned(),
                None => format!("use one of the map characters: a space and {all}"),
            });
            self.report.push(problem);
        }
        if let Some((at, line)) = short {
            let digits = line.bytes().any(|byte| byte.is_ascii_digit());
            let message = format!("this map line has {} characters, but others have {widest}", width(line));
            let problem = Diagnostic::new(Code::LuaMap, span(at, line.len().max(1)), message)
                .with_label("all lines below shift to the left")
                .with_note(if digits {
                    "digits do not count: the game removes them"
                } else {
                    "the game finds each line by the length of the longest line"
                })
                .with_help("pad it with 'x', which keeps the square below, or with spaces for stone");
            self.report.push(problem);
        }
    }
}

/// Adds the edits that replace the tabs in the row of a map at `at` by spaces, if those make it as wide as a neighbour.
fn spaces_in_row(
    problem: Diagnostic,
    text: &str,
    at: usize,
    span: &dyn Fn(usize, usize) -> Span,
) -> Option<Diagnostic> {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let mut lines = text[start..].lines();
    let row = lines.next()?;
    let neighbours = [text[..start].lines().next_back(), lines.next()];
    let spaces = spaces_for_tabs(row, neighbours.into_iter().flatten())?;
    let problem = problem.with_help(help_for_tabs(&spaces));
    let edit = |problem: Diagnostic, (tab, spaces): (usize, String)| {
        problem.with_suggestion(span(start + tab, 1), spaces, true)
    };
    Some(spaces.into_iter().fold(problem, edit))
}

/// Returns true if a table lacks a key that the game requires.
pub(super) fn lacks_key(
    catalog: &Catalog,
    name: &str,
    function: &'static functions::Function,
    has: impl Fn(&str) -> bool,
) -> bool {
    let place = || has("coord") || has("x");
    let mut required = function.keys(catalog).filter(|key| key.need == Need::Required);
    required.any(|key| !has(key.name))
        || match name {
            "des.region" | "des.wall_property" => !has("region") && !has("x1"),
            "des.drawbridge" => !place(),
            "des.terrain" | "des.gas_cloud" => !place() && !has("selection"),
            _ => false,
        }
}

/// Returns the number of columns and rows of a map.
fn size_of(text: &[u8]) -> (i64, i64) {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let widths =
        text.split(|&byte| byte == b'\n').map(|line| line.iter().filter(|byte| !byte.is_ascii_digit()).count());
    let (width, height) = widths.fold((0, 0), |(width, height): (usize, usize), one| (width.max(one), height + 1));
    (width as i64, height as i64)
}

/// Returns the map character that another letter was likely meant as.
pub(super) fn terrain_letter(character: char) -> Option<char> {
    Some(match character {
        'X' | ',' | ':' => '.',
        '~' | '=' => '}',
        't' => 'T',
        'f' => 'F',
        'l' => 'L',
        'i' => 'I',
        'p' => 'P',
        's' => 'S',
        'h' => 'H',
        'k' => 'K',
        'c' => 'C',
        'a' => 'A',
        'w' | 'z' => '|',
        _ => return None,
    })
}

/// Returns the key that a key of another game, or an everyday word, was likely meant as.
fn meant_key(function: &str, word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    Some(match (function, lower.as_str()) {
        ("des.monster" | "des.object", "type" | "species" | "kind" | "name_id") => "id",
        ("des.object", "blessed" | "cursed" | "curse" | "bless" | "curse_state") => "buc",
        ("des.object", "amount" | "count" | "number" | "qty" | "quan") => "quantity",
        ("des.object", "enchantment" | "enchant" | "plus" | "charges") => "spe",
        ("des.object", "monster" | "corpsenm" | "corpse") => "montype",
        ("des.object", "eroded_proof" | "erosion") => "eroded",
        ("des.gold", "quantity" | "count") => "amount",
        ("des.monster", "alignment") => "align",
        ("des.altar", "alignment") => "align",
        ("des.monster", "sleeping" | "sleep") => "asleep",
        ("des.monster", "contents" | "contains" | "content" | "inv" | "items") => "inventory",
        ("des.object" | "des.room" | "des.map" | "des.region", "contains" | "content" | "inventory" | "items") => {
            "contents"
        }
        ("des.monster", "appearance" | "appear" | "mimic") => "appear_as",
        ("des.monster", "invis") => "invisible",
        ("des.door" | "des.drawbridge", "type" | "door") => "state",
        ("des.room" | "des.region", "light" | "lighting") => "lit",
        ("des.room", "width") => "w",
        ("des.room", "height") => "h",
        ("des.map", "text" | "data") => "map",
        ("des.map", "align" | "xalign") => "halign",
        ("des.map", "yalign") => "valign",
        ("des.room" | "des.region", "fill" | "needfill") => "filled",
        ("des.room", "halign") => "xalign",
        ("des.room", "valign") => "yalign",
        ("des.engraving", "message" | "txt") => "text",
        ("des.terrain" | "des.mazewalk", "type" | "terrain" | "ter") => "typ",
        ("des.terrain" | "des.gas_cloud" | "des.replace_terrain", "sel") => "selection",
        ("des.replace_terrain", "from" | "fromter") => "fromterrain",
        ("des.replace_terrain", "to" | "toter") => "toterrain",
        ("des.stair" | "des.ladder" | "des.mazewalk" | "des.drawbridge" | "des.teleport_region", "direction") => "dir",
        ("des.levregion" | "des.teleport_region" | "des.exclusion" | "des.region", "area") => "region",
        (_, "coords" | "coordinate" | "place" | "pos" | "location" | "loc") => "coord",
        _ => return None,
    })
}

/// Returns the key that takes the opposite of the value that was likely meant.
fn opposite_key(function: &str, word: &str) -> Option<&'static str> {
    Some(match (function, word) {
        ("des.monster", "hostile" | "angry") => "peaceful",
        ("des.monster", "awake") => "asleep",
        _ => return None,
    })
}

/// Adds the help to write the key `meant` with the opposite of `value`, for a key at `key`.
fn with_opposite(problem: Diagnostic, meant: &str, key: Span, value: &Expression) -> Diagnostic {
    let right = match value.bare().kind {
        ExpressionKind::Boolean(is_set) => format!("{meant}={}", !is_set),
        ExpressionKind::Integer(number @ (0 | 1)) => format!("{meant}={}", 1 - number),
        _ => return problem.with_help(format!("write {meant} with the opposite value")),
    };
    problem.with_help(format!("write {right}")).with_suggestion(key.to(value.span), right, true)
}

/// Returns true if a value fits a kind well enough to rename its key automatically.
fn fits(kind: Kind, value: &Expression) -> bool {
    match &value.bare().kind {
        ExpressionKind::Text(_) => {
            !matches!(kind, Kind::Integer | Kind::Boolean | Kind::Place | Kind::Region | Kind::Word(_))
        }
        ExpressionKind::Integer(_) => matches!(kind, Kind::Integer | Kind::IntegerOrRandom),
        ExpressionKind::Boolean(_) => matches!(kind, Kind::Boolean),
        ExpressionKind::Function(_) => matches!(kind, Kind::Contents),
        ExpressionKind::Table(_) => matches!(kind, Kind::Place | Kind::Region),
        _ => false,
    }
}
