//! Single values of arguments and keys.

use splc_ir::catalog::Catalog;
use splc_ir::check::meant;
use splc_ir::diagnostic::{Code, Diagnostic, nearest};
use splc_ir::source::Span;
use splc_ir::visit::SpeciesRole;
use splc_ir::wording::{Conjunction, listed};
use splc_ir::words::misspelt_feature;

use super::ground::{Place, Walls, integer};
use super::values::{Candidates, Known, Type, Value};
use super::{Judge, near, tables};
use crate::functions::{BOOLEAN_WORDS, Kind, Need, boolean_word};
use crate::names::{self, Fit, Gender};
use crate::tree::*;

/// The argument or key that takes a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot<'a> {
    /// The function, e.g. `des.door`.
    pub call: &'a str,
    /// The name of the argument or key.
    pub name: &'a str,
    /// True for a key.
    pub key: bool,
    /// The class of objects given in the same table.
    pub class: Option<char>,
}

/// Returns true if `kind` accepts a value of the type `found`.
pub(super) fn takes(kind: Kind, found: Type, value: &Value<'_>) -> bool {
    match kind {
        Kind::Any | Kind::Truth => true,
        Kind::Boolean => matches!(found, Type::Boolean | Type::Number | Type::Text),
        Kind::Integer | Kind::IntegerOrRandom => match value {
            Value::Text(text, _) => is_number(text) || matches!(kind, Kind::IntegerOrRandom),
            Value::Typed(Type::Text) => true,
            _ => found == Type::Number,
        },
        Kind::Text | Kind::Map | Kind::MapFragment | Kind::Destination => matches!(found, Type::Text | Type::Number),
        Kind::TextOrFunction => matches!(found, Type::Text | Type::Function),
        Kind::Monster | Kind::Object | Kind::Montype | Kind::Appearance | Kind::MonsterClass | Kind::ObjectClass => {
            matches!(found, Type::Text | Type::Function)
        }
        Kind::Word(_) | Kind::MonsterOrClass | Kind::ObjectOrClass | Kind::Trap | Kind::Room | Kind::MapCharacter => {
            matches!(found, Type::Text | Type::Function)
        }
        Kind::Place | Kind::Region | Kind::Keys | Kind::Table => matches!(found, Type::Table | Type::Place),
        Kind::Selection => found == Type::Selection,
        Kind::Contents | Kind::Function => found == Type::Function,
        Kind::ObjectHandle => found == Type::Object,
    }
}

/// Returns a noun phrase for the values that `kind` accepts, for messages.
pub(super) fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Any | Kind::Truth => "a value",
        Kind::Boolean => "true or false",
        Kind::Integer => "a number",
        Kind::IntegerOrRandom => "a number or \"random\"",
        Kind::Place => "a place in braces",
        Kind::Region => "four numbers in braces",
        Kind::Keys | Kind::Table => "a table",
        Kind::Selection => "a selection",
        Kind::Contents | Kind::Function => "a function",
        Kind::ObjectHandle => "an object",
        _ => "a string",
    }
}

fn is_number(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.trim().parse::<f64>().is_ok_and(|number| number.fract() == 0.0))
}

/// Returns the offset and length of a string within its quotes, if it has no escapes.
fn inside(literal: Option<&TextLiteral>) -> Option<(u32, usize)> {
    literal.and_then(|literal| match literal.form {
        TextForm::Plain(start) => Some((start, literal.value.len())),
        TextForm::Escaped => None,
    })
}

/// Returns the place that a string was meant as: `"3,2"`, `"(3,2)"`.
pub(super) fn place_of(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let (x, y) = text.trim_start_matches(['(', '{']).trim_end_matches([')', '}']).split_once(',')?;
    let (x, y): (u8, u8) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
    Some(format!("{{{x},{y}}}"))
}

/// Returns the part of a string that the game reads, up to its first NUL (`luaL_checkstring`).
pub(super) fn in_c(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// A string to check.
pub(super) struct Said<'a> {
    pub text: &'a str,
    /// Its span, with the quotes.
    pub span: Span,
    /// Its span without the quotes, if it can be replaced there.
    pub inner: Option<Span>,
    /// The span of its use, if that is elsewhere.
    pub used: Option<Span>,
}

impl Said<'_> {
    fn problem(&self, code: Code, message: String) -> Diagnostic {
        let problem = Diagnostic::new(code, self.span, message);
        match self.used {
            Some(used) => problem.with_secondary(used, "used here"),
            None => problem,
        }
    }
}

impl<'t> Judge<'t, '_, '_> {
    /// Checks every possible value of an argument or key.
    pub(super) fn content(&mut self, kind: Kind, need: Need, known: &Candidates<'t>, used: Span, slot: Slot<'_>) {
        if matches!(kind, Kind::Integer | Kind::IntegerOrRandom) {
            self.numeric.insert(used.start);
        }
        for one in known {
            // A missing optional value is valid.
            let call_of_nothing = matches!(kind, Kind::Contents) && matches!(one.value, Value::Typed(Type::Nil));
            if matches!(one.value, Value::Nil | Value::Typed(Type::Nil)) && need == Need::Optional && !call_of_nothing {
                continue;
            }
            self.one(kind, one, used, slot, known.len());
        }
    }

    fn one(&mut self, kind: Kind, known: &Known<'t>, used: Span, slot: Slot<'_>, of: usize) {
        let Some(found) = known.value.kind() else { return };
        let elsewhere = (known.span.start < used.start || known.span.end > used.end).then_some(used);
        if !takes(kind, found, &known.value) {
            // Arguments with a single value were checked with the form.
            if slot.key || of > 1 {
                self.wrong_type(kind, known, found, elsewhere, slot);
            }
            return;
        }
        match &known.value {
            Value::Text(text, literal) => {
                let Ok(text) = std::str::from_utf8(in_c(text)) else { return };
                let inner =
                    inside(*literal).map(|(start, length)| Span { start, end: start + length as u32, ..known.span });
                let said = Said { text, span: known.span, inner, used: elsewhere };
                match kind {
                    Kind::Map => {
                        self.map_text(text, &said);
                    }
                    Kind::Boolean if text == "random" && self.light_may_be_random(kind, slot) => {}
                    _ => self.text(kind, &said, slot),
                }
            }
            Value::Integer(-1) if self.light_may_be_random(kind, slot) => {}
            Value::Integer(number) if matches!(kind, Kind::Boolean) && !(0..=1).contains(number) => {
                let message = format!("{} takes true or false for {}, found {number}", slot.call, slot.name);
                let problem = Diagnostic::new(Code::LuaArguments, known.span, message)
                    .with_label("expected true or false")
                    .with_help("write true or false, or omit it to let the game choose");
                self.report.push(problem);
            }
            Value::Float(number)
                if matches!(kind, Kind::Integer | Kind::IntegerOrRandom | Kind::Boolean) && number.fract() != 0.0 =>
            {
                let message = format!("{} takes a whole number for {}, found {number}", slot.call, slot.name);
                let problem = Diagnostic::new(Code::LuaArguments, known.span, message)
                    .with_help("divide with `//`, or round with math.floor");
                self.report.push(problem);
            }
            Value::Table(entries, _) if matches!(kind, Kind::Place) => self.place_shape(entries, known.span, slot),
            Value::Table(entries, _) if matches!(kind, Kind::Region) => self.region_shape(entries, known.span, slot),
            _ => {}
        }
    }

    fn wrong_type(&mut self, kind: Kind, known: &Known<'t>, found: Type, elsewhere: Option<Span>, slot: Slot<'_>) {
        // It is reported with the row after it.
        if matches!(kind, Kind::Place) && self.excused.contains(&known.span.start) {
            return;
        }
        let wanted = noun(kind);
        // The game only looks for a function, and ignores any other value.
        if matches!(kind, Kind::Contents) {
            let harmless = matches!(found, Type::Number | Type::Boolean) || matches!(known.value, Value::Nil);
            if !harmless {
                let reason = if found == Type::Nil { "the call returns nothing" } else { "it is not a function" };
                let message = format!("{} ignores its {}: {reason}", slot.call, slot.name);
                let help = format!("write {} = function() ... end", slot.name);
                let problem = Diagnostic::new(Code::LuaIgnored, known.span, message).with_help(help);
                self.report.push(problem);
            }
            return;
        }
        let message = format!("{} takes {wanted} for {}, found {}", slot.call, slot.name, found.noun());
        let mut problem =
            Diagnostic::new(Code::LuaArguments, known.span, message).with_label(format!("expected {wanted}"));
        if let Some(used) = elsewhere {
            problem = problem.with_secondary(used, "used here");
        }
        let light = slot.name == "lit";
        problem = match (&known.value, kind) {
            (Value::Boolean(value), Kind::Integer) if light || slot.name == "filled" => {
                let number = i64::from(*value);
                problem.with_help(format!("write {number}: here, {} is a number", slot.name)).with_suggestion(
                    known.span,
                    number.to_string(),
                    elsewhere.is_none(),
                )
            }
            (Value::Text(text, _), Kind::Integer) if light && light_number(text).is_some() => {
                let number = light_number(text).unwrap_or_default();
                problem.with_help(format!("write {number}")).with_suggestion(known.span, number, elsewhere.is_none())
            }
            (Value::Text(text, _), Kind::Integer) if percentage(text).is_some() => {
                let number = percentage(text).unwrap_or_default();
                problem.with_help(format!("write {number}, without quotes and percent sign")).with_suggestion(
                    known.span,
                    number,
                    elsewhere.is_none(),
                )
            }
            (_, Kind::Integer) if found == Type::Text => problem.with_help(match slot.name {
                "filled" => "write 0 for unfilled, or 1 for filled",
                "lit" => "write 0 or 1, or omit it for random light",
                _ => "write a number without quotes",
            }),
            (Value::Text(text, _), Kind::Place) if let Some(place) = place_of(text) => {
                problem.with_help(format!("write {place}")).with_suggestion(known.span, place, elsewhere.is_none())
            }
            (_, Kind::Place) => problem.with_help("write { x, y }"),
            (_, Kind::Region) => problem.with_help("write { x1, y1, x2, y2 }"),
            (_, Kind::Boolean) => problem.with_help("write true or false"),
            (_, Kind::Selection) => problem.with_help("create a selection, e.g. with selection.area(x1, y1, x2, y2)"),
            (_, Kind::TextOrFunction) if found == Type::Number => problem.with_help("put it in quotes"),
            _ => problem.with_help(format!("write {wanted}")),
        };
        self.report.push(problem);
    }

    /// Returns true for the light of a new level in a game with a library of its own, from before NetHack 5.0.0.
    fn light_may_be_random(&self, kind: Kind, slot: Slot<'_>) -> bool {
        matches!(kind, Kind::Boolean)
            && slot.call == "des.level_init"
            && slot.name == "lit"
            && !self.catalog.lua.library.is_empty()
    }

    fn text(&mut self, kind: Kind, said: &Said<'_>, slot: Slot<'_>) {
        match kind {
            Kind::Word(words)
                if !words.accepts(self.catalog, said.text) && !self.own_word(said.text, said.span, slot) =>
            {
                let own = self.own_words(slot);
                self.word(&words.all(self.catalog).into_iter().chain(own).collect::<Vec<_>>(), said, slot);
            }
            Kind::Boolean => self.boolean(said, slot),
            Kind::IntegerOrRandom if !said.text.eq_ignore_ascii_case("random") && !is_number(said.text.as_bytes()) => {
                let (call, name, text) = (slot.call, slot.name, said.text);
                let message = format!("{call} takes a number or \"random\" for {name}, found \"{text}\"");
                let problem = said.problem(Code::LuaArguments, message);
                let dice = text
                    .split_once('d')
                    .filter(|(count, sides)| is_number(count.as_bytes()) && is_number(sides.as_bytes()));
                self.report.push(match dice {
                    Some((count, sides)) => {
                        let right = format!("d({count},{sides})");
                        let problem = problem.with_help(format!("write {right}"));
                        problem.with_suggestion(said.span, right, said.used.is_none())
                    }
                    None => problem.with_help("omit it to let the game choose"),
                });
            }
            Kind::Monster => self.monster(said, Code::UnknownMonster),
            Kind::MonsterOrClass => match single(said.text) {
                Some(class) => self.monster_class(class, said),
                None => self.monster(said, Code::UnknownMonsterName),
            },
            Kind::MonsterClass => match single(said.text) {
                Some(class) => self.monster_class(class, said),
                None => self.class_of_several(said, slot, "monster"),
            },
            Kind::Object | Kind::ObjectOrClass if said.text.is_empty() => {
                let message = "an empty name is a random object";
                let problem = said.problem(Code::LuaRandom, message.to_owned());
                self.report.push(problem.with_help("omit it, or write the name of an object"));
            }
            Kind::ObjectOrClass => match single(said.text) {
                Some(class) => self.object_class(class, said),
                None => self.object(said, None),
            },
            Kind::Object => self.object(said, slot.class),
            Kind::ObjectClass => match single(said.text) {
                Some(class) => self.object_class(class, said),
                None => self.class_of_several(said, slot, "object"),
            },
            Kind::Montype => self.montype(said),
            Kind::Appearance => self.appearance(said),
            Kind::Trap => self.trap(said, slot),
            Kind::Room => self.room(said),
            Kind::Destination => self.destination(said),
            Kind::MapCharacter => self.map_character(said, slot),
            _ => {}
        }
    }

    pub(super) fn word(&mut self, words: &[&str], said: &Said<'_>, slot: Slot<'_>) {
        if self.report.is_full(Code::LuaWord) {
            return;
        }
        let message = if slot.name == "flag" {
            format!("unknown level flag \"{}\"", said.text)
        } else {
            format!("the {} of {} cannot be \"{}\"", slot.name, slot.call, said.text)
        };
        let problem = said.problem(Code::LuaWord, message);
        let parts: Vec<&str> = said.text.split([' ', ',']).filter(|part| !part.is_empty()).collect();
        if parts.len() > 1 && slot.name == "flag" && parts.iter().all(|part| words.contains(part)) {
            let flags = parts.iter().map(|part| format!("\"{part}\"")).collect::<Vec<_>>().join(", ");
            let problem = problem.with_help(format!("write each flag as a string of its own: {flags}"));
            self.report.push(problem.with_suggestion(said.span, flags, said.used.is_none()));
            return;
        }
        let meant = meant_word(said.text).filter(|meant| words.contains(meant));
        let problem = match meant.or_else(|| words.iter().copied().find(|word| word.eq_ignore_ascii_case(said.text))) {
            Some(meant) => {
                let problem = problem.with_help(format!("write \"{meant}\""));
                match said.inner {
                    Some(inner) => problem.with_suggestion(inner, meant, true),
                    None => problem,
                }
            }
            None if matches!(said.text, "altar" | "alter") && slot.call == "des.feature" => {
                problem.with_help("write des.altar(...): an altar is not a feature")
            }
            None if slot.call == "des.feature"
                && let Some(letter) = meant::terrain(self.catalog, said.text) =>
            {
                problem.with_help(format!("{} is terrain: write des.terrain(x, y, \"{letter}\")", said.text))
            }
            None if slot.call == "des.region" && !slot.key && self.catalog.room(said.text).is_some() => {
                let name = &said.text;
                problem.with_help(format!(
                    "this form sets the light alone: write des.region({{ region={{x1,y1,x2,y2}}, lit=1, \
                     type=\"{name}\", filled=1 }})"
                ))
            }
            None => near(problem, said.text, words.iter().copied(), said.inner, || {
                format!("use {}", listed(words.iter().map(|word| format!("\"{word}\"")), Conjunction::Or))
            }),
        };
        self.report.push(problem);
    }

    fn boolean(&mut self, said: &Said<'_>, slot: Slot<'_>) {
        let lower = said.text.to_lowercase();
        let meant = match lower.as_str() {
            "true" | "yes" | "on" | "1" => Some("true"),
            "false" | "no" | "off" | "0" => Some("false"),
            _ => None,
        };
        let problem = match boolean_word(said.text) {
            Some(position) => {
                let taken = if position == 0 { "false" } else { "true" };
                let message = format!("the game reads \"{}\" as {taken}", said.text);
                said.problem(Code::LuaBoolean, message)
                    .with_note(format!("it counts the words {} from 0, and 0 is false", BOOLEAN_WORDS.map_quoted()))
            }
            None => {
                let message = format!("{} takes true or false for {}, found \"{}\"", slot.call, slot.name, said.text);
                said.problem(Code::LuaArguments, message).with_label("expected true or false")
            }
        };
        let problem = match meant {
            Some(meant) => problem.with_help(format!("write {meant}, without quotes")).with_suggestion(
                said.span,
                meant,
                said.inner.is_some(),
            ),
            None if lower == "random" => problem.with_help(format!("omit {} to let the game choose", slot.name)),
            None => problem.with_help("write true or false, without quotes"),
        };
        self.report.push(problem);
    }

    fn monster(&mut self, said: &Said<'_>, code: Code) {
        let catalog = self.catalog;
        let Some(found) = names::monster(catalog, said.text) else {
            if self.report.is_full(code) {
                return;
            }
            let message = format!("{} has no monster \"{}\"", catalog.title, said.text);
            let problem = said.problem(code, message);
            let problem =
                if code == Code::UnknownMonsterName { problem.with_label("becomes a random monster") } else { problem };
            self.report.push(advise(problem, catalog, SpeciesRole::Monster, said, None));
            return;
        };
        let species = &catalog.monsters[found.number].name;
        let called: Vec<usize> = names::monsters_called(catalog, said.text).collect();
        if let (Fit::Whole, [_, others @ ..]) = (found.fit, called.as_slice()) {
            let mut others: Vec<&str> = others.iter().map(|&other| catalog.monsters[other].name.as_ref()).collect();
            others.retain(|other| other != species);
            others.dedup();
            if !others.is_empty() {
                let others = listed(others.iter().map(|other| format!("\"{other}\"")), Conjunction::Or);
                let message =
                    format!("\"{}\" is the name of several monsters; the game takes \"{species}\"", said.text);
                let mut problem =
                    said.problem(Code::LuaAmbiguous, message).with_help(format!("write \"{species}\", or {others}"));
                if let Some(inner) = said.inner {
                    problem = problem.with_suggestion(inner, species.as_ref(), false);
                }
                self.report.push(problem);
                return;
            }
        }
        if found.fit == Fit::Beginning {
            let message = format!("the game reads \"{}\" only as \"{species}\"", said.text);
            // A longer name may be meant: "human mumy".
            let meant = nearest(said.text, catalog.monsters.iter().map(|monster| monster.name.as_ref()));
            let meant = meant.first().copied().filter(|&meant| meant != species);
            let help = match meant {
                Some(meant) => format!("did you mean \"{meant}\"?"),
                None => format!("write \"{species}\""),
            };
            let mut problem = said.problem(Code::LuaLooseName, message).with_help(help);
            if let Some(inner) = said.inner {
                problem = problem.with_suggestion(inner, meant.unwrap_or(species.as_ref()), false);
            }
            self.report.push(problem);
            return;
        }
        if found.gender != Gender::Either && found.fit == Fit::Whole {
            let sex = if found.gender == Gender::Male { "males" } else { "females" };
            let message = format!("\"{}\" means only {sex} of \"{species}\"", said.text);
            let problem = said.problem(Code::LuaGendered, message).with_help(format!("write \"{species}\" for both"));
            self.report.push(problem);
        }
    }

    fn montype(&mut self, said: &Said<'_>) {
        let catalog = self.catalog;
        if matches!(said.text.to_ascii_lowercase().as_str(), "spinach" | "empty") {
            return;
        }
        if let Some(class) = single(said.text) {
            return self.monster_class(class, said);
        }
        if names::corpse(catalog, said.text).is_none() && !self.report.is_full(Code::UnknownMonster) {
            let message = format!("{} has no monster \"{}\"", catalog.title, said.text);
            let mut problem = said.problem(Code::UnknownMonster, message);
            problem = match names::monster(catalog, said.text) {
                // Only des.monster accepts other spellings.
                Some(found) => {
                    let species = catalog.monsters[found.number].name.to_string();
                    let problem = problem.with_help(format!("write \"{species}\": only its own name is valid here"));
                    match said.inner {
                        Some(inner) => problem.with_suggestion(inner, species, true),
                        None => problem,
                    }
                }
                None => advise(problem, catalog, SpeciesRole::Monster, said, None),
            };
            self.report.push(problem);
        }
    }

    fn object(&mut self, said: &Said<'_>, class: Option<char>) {
        let catalog = self.catalog;
        let Some(found) = names::object(catalog, said.text, class) else {
            if self.report.is_full(Code::UnknownObject) {
                return;
            }
            let (bare, requested) = names::object_name(said.text, class);
            let message = match requested.filter(|_| names::object(catalog, bare, None).is_some()) {
                Some(class) => format!("{} has no object \"{bare}\" of class \"{class}\"", catalog.title),
                None => format!("{} has no object \"{}\"", catalog.title, said.text),
            };
            let problem = said.problem(Code::UnknownObject, message);
            let is_whole = |number: usize| object_in_full(catalog, number) == bare;
            let other =
                names::object(catalog, bare, None).filter(|found| requested.is_some() && is_whole(found.number));
            let problem = match other.and_then(|found| catalog.objects.get(found.number)) {
                Some(species) => problem.with_help(format!(
                    "\"{bare}\" is of class \"{}\": write that class, or leave it out",
                    species.class.escape_debug()
                )),
                None => advise(problem, catalog, SpeciesRole::Object, said, requested),
            };
            self.report.push(problem);
            return;
        };
        let (bare, class) = names::object_name(said.text, class.filter(|&class| catalog.object_class(class).is_some()));
        let all: Vec<usize> = names::objects_called(catalog, bare, class).collect();
        if let [first, others @ ..] = all.as_slice() {
            if others.is_empty() {
                return;
            }
            let full = |number: usize| object_in_full(catalog, number);
            let others = listed(others.iter().map(|&other| format!("\"{}\"", full(other))), Conjunction::Or);
            let message =
                format!("\"{}\" is the name of several objects; the game takes the {}", said.text, full(*first));
            let mut problem =
                said.problem(Code::LuaAmbiguous, message).with_help(format!("write \"{}\", or {others}", full(*first)));
            if let Some(inner) = said.inner {
                problem = problem.with_suggestion(inner, full(*first), false);
            }
            self.report.push(problem);
        } else if found.described {
            let looks = catalog.object_descriptions().iter().filter(|(_, known)| known.eq_ignore_ascii_case(bare));
            let looks: Vec<usize> = looks.map(|(number, _)| usize::from(*number)).collect();
            let name = object_in_full(catalog, found.number);
            if looks.len() > 1 {
                let message =
                    format!("\"{}\" is the appearance of several objects; the game takes the {name}", said.text);
                let problem = said
                    .problem(Code::LuaAmbiguous, message)
                    .with_help(format!("write \"{name}\", or the name of another object"));
                self.report.push(problem);
            }
        }
    }

    fn monster_class(&mut self, class: char, said: &Said<'_>) {
        if self.catalog.monster_class(class).is_none() {
            let known: String = self.catalog.monster_classes.chars().filter(|known| !known.is_control()).collect();
            let message = format!("no class of monsters has the symbol \"{class}\"");
            let problem = said.problem(Code::UnknownMonster, message).with_note("the game ends with an error");
            self.report.push(problem.with_help(format!("use one of the classes of monsters: {known}")));
        }
    }

    fn object_class(&mut self, class: char, said: &Said<'_>) {
        if self.catalog.object_class(class).is_none() {
            let known: String = self.catalog.object_classes.chars().filter(|known| !known.is_control()).collect();
            let message = format!("no class of objects has the symbol \"{class}\"");
            let problem = said.problem(Code::UnknownObject, message).with_note("the game ends with an error");
            self.report.push(problem.with_help(format!("use one of the classes of objects: {known}")));
        }
    }

    fn class_of_several(&mut self, said: &Said<'_>, slot: Slot<'_>, what: &str) {
        let message = format!("a class must be one character; {} ignores \"{}\"", slot.call, said.text);
        let name = match what {
            "monster" => names::monster(self.catalog, said.text).map(|found| self.catalog.monsters[found.number].class),
            _ => names::object(self.catalog, said.text, None).map(|found| self.catalog.objects[found.number].class),
        };
        let problem = said.problem(Code::LuaRandom, message).with_label(format!("becomes a random {what}"));
        self.report.push(match name {
            Some(class) => problem.with_help(format!("write id = \"{}\", or class = \"{class}\"", said.text)),
            None => problem.with_help(format!(
                "write the symbol of a class, such as \"{}\"",
                if what == "monster" { 'D' } else { '%' }
            )),
        });
    }

    fn appearance(&mut self, said: &Said<'_>) {
        let catalog = self.catalog;
        let Some((kind, name)) = said.text.split_once(':').filter(|(kind, _)| matches!(*kind, "obj" | "mon" | "ter"))
        else {
            let message = format!("the appear_as of des.monster cannot be \"{}\"", said.text);
            let problem = said.problem(Code::LuaWord, message);
            self.report
                .push(problem.with_help("write \"obj:\", \"mon:\" or \"ter:\" and a name, as in \"obj:boulder\""));
            return;
        };
        let inner = said.inner.map(|inner| Span { start: inner.start + kind.len() as u32 + 1, ..inner });
        let part = Said { text: name, span: said.span, inner, used: said.used };
        match kind {
            "mon" if !name.eq_ignore_ascii_case("random") => self.monster(&part, Code::UnknownMonster),
            "obj" if !catalog.objects.iter().any(|known| known.name == name) => {
                let message = format!("{} has no object \"{name}\"", catalog.title);
                let problem = part.problem(Code::UnknownObject, message);
                self.report.push(advise(problem, catalog, SpeciesRole::Object, &part, None));
            }
            "ter" => {
                if let Some(right) = misspelt_feature(name) {
                    let problem = part.problem(Code::UnknownObjectName, format!("unknown feature \"{name}\""));
                    let problem = problem.with_label("the monster appears as itself");
                    self.report.push(problem.with_help(format!("did you mean \"{right}\"?")));
                }
            }
            _ => {}
        }
    }

    fn trap(&mut self, said: &Said<'_>, slot: Slot<'_>) {
        let catalog = self.catalog;
        let known = || catalog.traps.iter().map(|(name, _)| name.as_ref());
        if said.text.eq_ignore_ascii_case("random") || known().any(|name| name.eq_ignore_ascii_case(said.text)) {
            return;
        }
        let code = if slot.key { Code::LuaRandom } else { Code::UnknownTrap };
        if self.report.is_full(code) {
            return;
        }
        let mut problem = said.problem(code, format!("unknown trap \"{}\"", said.text));
        if slot.key {
            problem = problem.with_label("becomes a random trap");
        }
        self.report.push(meant_or_near(problem, said, meant::trap(catalog, said.text), known(), "traps"));
    }

    /// Checks the destination of a portal.
    fn destination(&mut self, said: &Said<'_>) {
        let rules = &self.catalog.dungeon;
        let Some((message, label)) = rules.portal_nowhere(said.text, &self.catalog.title) else { return };
        let mut problem = said.problem(Code::PortalNowhere, message).with_label(label);
        if rules.described_in.is_none() {
            problem = problem.with_note("another dungeon can be passed with --dungeon-file dungeon.lua");
        }
        let levels = rules.special_levels.iter().map(AsRef::as_ref);
        self.report.push(near(problem, said.text, levels, said.inner, || {
            "write the name of a level of the dungeon".to_owned()
        }));
    }

    fn room(&mut self, said: &Said<'_>) {
        let catalog = self.catalog;
        let known = || catalog.rooms.iter().map(|(name, _)| name.as_ref());
        if said.text.is_empty()
            || known().any(|name| name.eq_ignore_ascii_case(said.text))
            || self.report.is_full(Code::UnknownRoom)
        {
            return;
        }
        let problem = said
            .problem(Code::UnknownRoom, format!("unknown room type \"{}\"", said.text))
            .with_label("becomes an ordinary room");
        let (meant, guess) = meant::room(catalog, said.text).unzip();
        let mut problem = meant_or_near(problem, said, meant, known(), "room types");
        problem.suggestions.iter_mut().for_each(|edit| edit.applicable &= guess != Some(true));
        self.report.push(problem);
    }

    fn map_character(&mut self, said: &Said<'_>, slot: Slot<'_>) {
        let character = single(said.text);
        let is_known = |character: char| self.catalog.terrain(character).is_some() || character == 'w';
        if character.is_some_and(is_known) || said.text.is_empty() && slot.key {
            return;
        }
        let message = match character {
            Some(character) => format!("unknown map character \"{character}\""),
            None => format!("{} takes one map character for its {}, found \"{}\"", slot.call, slot.name, said.text),
        };
        let all = self.catalog.map_characters.trim();
        let mut problem = said.problem(Code::UnknownTerrain, message);
        let letter = character.and_then(tables::terrain_letter);
        problem = match letter.or_else(|| meant::terrain(self.catalog, said.text)) {
            Some(meant) => {
                let problem = problem.with_help(format!(
                    "write \"{}\"",
                    if meant == '\\' { "\\\\".to_owned() } else { meant.to_string() }
                ));
                match said.inner.filter(|_| meant != '\\') {
                    Some(inner) => problem.with_suggestion(inner, meant.to_string(), true),
                    None => problem,
                }
            }
            None => problem.with_help(format!("use one of the map characters: a space and {all}")),
        };
        self.report.push(problem);
    }

    /// Checks that a table has the shape of a place: two numbers, or `x` and `y`.
    fn place_shape(&mut self, entries: &'t [Entry], span: Span, slot: Slot<'_>) {
        let named = |name: &str| {
            entries.iter().find_map(|entry| match entry {
                Entry::Named(key, value) if key.text.as_str() == name => Some(value),
                _ => None,
            })
        };
        let items: Vec<&'t Expression> = entries
            .iter()
            .filter_map(|entry| match entry {
                Entry::Item(value) => Some(value),
                Entry::Named(..) | Entry::Keyed(..) => None,
            })
            .collect();
        let keyed = entries.iter().any(|entry| matches!(entry, Entry::Keyed(..)));
        // The last item may expand to several values.
        let open =
            items.last().is_some_and(|last| matches!(last.kind, ExpressionKind::Call(_) | ExpressionKind::Varargs));
        let (x, y) = match (named("x"), named("y"), items.as_slice()) {
            (Some(x), Some(y), _) => (x, y),
            (None, _, [x, y]) => (*x, *y),
            _ if keyed || open => return,
            _ => {
                let found = match items.len() {
                    0 => "found none".to_owned(),
                    number => format!("found {number}"),
                };
                let message = format!("a place must have two numbers, {found}");
                let problem = Diagnostic::new(Code::LuaArguments, span, message)
                    .with_label(format!("expected the {} of {}", slot.name, slot.call))
                    .with_help("write { x, y }, or { x = X, y = Y }");
                self.report.push(problem);
                return;
            }
        };
        for part in [x, y] {
            let known = self.values.of(part);
            let slot = Slot { name: if std::ptr::eq(part, x) { "x" } else { "y" }, key: true, ..slot };
            self.content(Kind::Integer, Need::Required, &known, part.span, slot);
        }
    }

    /// Checks that a table has the shape of an area: four numbers.
    fn region_shape(&mut self, entries: &'t [Entry], span: Span, slot: Slot<'_>) {
        let items = entries.iter().filter(|entry| matches!(entry, Entry::Item(_)));
        let open = entries
            .last()
            .is_some_and(|last| matches!(last.value().kind, ExpressionKind::Call(_) | ExpressionKind::Varargs));
        let number = items.count();
        if number == 4 || open {
            for (at, entry) in entries.iter().enumerate().take(4) {
                let known = self.values.of(entry.value());
                let name = ["x1", "y1", "x2", "y2"][at];
                self.content(
                    Kind::Integer,
                    Need::Required,
                    &known,
                    entry.value().span,
                    Slot { name, key: true, ..slot },
                );
            }
            return;
        }
        let named = entries.iter().any(
            |entry| matches!(entry, Entry::Named(key, _) if matches!(key.text.as_str(), "x1" | "y1" | "x2" | "y2")),
        );
        let message = format!("the {} of {} must have four numbers, found {number}", slot.name, slot.call);
        let problem = Diagnostic::new(Code::LuaArguments, span, message);
        self.report.push(problem.with_help(if named {
            "remove the names: { x1, y1, x2, y2 }"
        } else {
            "write { x1, y1, x2, y2 }: the upper left and the lower right corner"
        }));
    }

    /// Checks a place given as a table.
    pub(super) fn place_table(&mut self, known: &Candidates<'t>, walls: Walls) {
        for one in known {
            let Value::Table(entries, _) = one.value else { continue };
            let named = |name: &str| {
                entries.iter().find_map(|entry| match entry {
                    Entry::Named(key, value) if key.text.as_str() == name => Some(value),
                    _ => None,
                })
            };
            let (x, y) = match (named("x"), named("y"), entries) {
                (Some(x), Some(y), _) => (x, y),
                (None, None, [Entry::Item(x), Entry::Item(y)]) => (x, y),
                _ => continue,
            };
            let place = Place { x: integer(&self.values.of(x)), y: integer(&self.values.of(y)), span: one.span };
            self.place(place, walls);
        }
    }
}

/// Lists of quoted words, for messages.
trait Quoted {
    fn map_quoted(&self) -> String;
}

impl Quoted for [&str] {
    fn map_quoted(&self) -> String {
        listed(self.iter().map(|word| format!("\"{word}\"")), Conjunction::And)
    }
}

/// Returns the only character of a string.
fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// Returns the name of an object, prefixed with the word for its class if the name lacks it.
fn object_in_full(catalog: &Catalog, number: usize) -> String {
    let Some(species) = catalog.objects.get(number) else { return String::new() };
    let prefix = match species.class {
        '=' => "ring of ",
        '!' => "potion of ",
        '?' => "scroll of ",
        '+' => "spellbook of ",
        '/' => "wand of ",
        _ => "",
    };
    if species.name.starts_with(prefix) { species.name.to_string() } else { format!("{prefix}{}", species.name) }
}

/// Adds advice on a misspelt name of a monster or object.
fn advise(
    problem: Diagnostic,
    catalog: &Catalog,
    role: SpeciesRole,
    said: &Said<'_>,
    class: Option<char>,
) -> Diagnostic {
    let all: Vec<&str> = match role {
        SpeciesRole::Monster => names::monster_names(catalog).collect(),
        SpeciesRole::Object => catalog.objects.iter().map(|species| species.name.as_ref()).collect(),
    };
    if said.text.is_empty() {
        return problem.with_help("omit it for a random one");
    }
    if let Some(renamed) = RENAMED.iter().find(|(old, _)| old.eq_ignore_ascii_case(said.text)).map(|(_, new)| *new) {
        let problem = problem.with_note("renamed in NetHack 5").with_help(format!("write \"{renamed}\""));
        return match said.inner {
            Some(inner) => problem.with_suggestion(inner, renamed, true),
            None => problem,
        };
    }
    let lower = said.text.to_lowercase();
    let (bare, class_of_name) = names::object_name(&lower, class);
    let near = nearest(bare, all.iter().copied());
    let meant = meant::species(catalog, role, said.text, None);
    let found = meant.as_ref().and_then(|meant| meant.species.map(|species| (species, meant.certain)));
    if let Some((species, certain)) = found {
        let number = catalog.objects.iter().position(|known| std::ptr::eq(known, species));
        let name = match (role, number) {
            (SpeciesRole::Object, Some(number)) => object_in_full(catalog, number),
            _ => species.name.to_string(),
        };
        let keys = meant.map(|meant| meant.why).unwrap_or_default();
        let help = match certain {
            _ if !keys.is_empty() => format!("write {{ id = \"{name}\", {keys} }}"),
            true => format!("write \"{name}\""),
            false => format!("did you mean \"{name}\"?"),
        };
        let problem = problem.with_help(help);
        return match said.inner {
            Some(inner) if keys.is_empty() => problem.with_suggestion(inner, name, certain),
            _ => problem,
        };
    }
    // A name with the word for its class is suggested with it.
    let prefixed = class_of_name.filter(|_| role == SpeciesRole::Object && bare != lower);
    let in_full: Vec<String> = near
        .iter()
        .filter_map(|name| {
            catalog.objects.iter().position(|known| Some(known.class) == prefixed && known.name == *name)
        })
        .map(|number| object_in_full(catalog, number))
        .collect();
    let near: Vec<&str> = if in_full.is_empty() { near } else { in_full.iter().map(String::as_str).collect() };
    if !near.is_empty() {
        let quoted = near.iter().map(|name| format!("\"{name}\""));
        let problem = problem.with_help(format!("did you mean {}?", listed(quoted, Conjunction::Or)));
        return match (near.as_slice(), said.inner) {
            ([only], Some(inner)) => problem.with_suggestion(inner, *only, false),
            _ => problem,
        };
    }
    match meant {
        Some(meant) if !meant.why.contains("statement") => problem.with_help(meant.why),
        _ => problem.with_help(match role {
            SpeciesRole::Monster => "write a monster name, or a class such as \"o\"",
            SpeciesRole::Object if bare.contains("gold") => "create gold with des.gold({ amount = 100 })",
            SpeciesRole::Object => "write an object name, or a class such as \"!\"",
        }),
    }
}

/// Monsters and objects that NetHack 5 renamed and does not find by their old name.
const RENAMED: &[(&str, &str)] = &[
    ("Elvenqueen", "elven monarch"),
    ("caveman corpse", "cave dweller"),
    ("scroll of light source", "scroll of light"),
    ("slime mold", "fruit"),
];

/// Returns the game's word for a common mistake.
fn meant_word(text: &str) -> Option<&'static str> {
    Some(match text.to_ascii_lowercase().as_str() {
        "lawful" => "law",
        "chaotic" => "chaos",
        "unaligned" | "none" | "no" | "moloch" => "noalign",
        "balance" => "neutral",
        "shut" => "closed",
        "no door" | "doorway" | "empty" => "nodoor",
        "n" => "north",
        "s" => "south",
        "e" => "east",
        "w" => "west",
        "any" => "all",
        "engraved" => "engrave",
        "burned" | "burnt" => "burn",
        "marked" => "mark",
        "solid" | "solid fill" | "fill" => "solidfill",
        "grid" | "maze grid" => "mazegrid",
        "mine" | "cave" => "mines",
        "noflip_x" => "noflipx",
        "noflip_y" => "noflipy",
        "hardfloors" => "hardfloor",
        "middle" | "centre" => "center",
        "holy" => "blessed",
        "unholy" => "cursed",
        "middle-left" => "half-left",
        "middle-right" => "half-right",
        "left" => "west",
        "right" => "east",
        "stairs-up" | "up-stair" | "upstair" | "upstairs" | "stair up" => "stair-up",
        "stairs-down" | "down-stair" | "downstair" | "downstairs" | "stair down" => "stair-down",
        "non_diggable" | "undiggable" | "non-diggable" => "nondiggable",
        "non_passwall" | "non-passwall" => "nonpasswall",
        _ => return None,
    })
}

/// Adds advice on a misspelt name of a table.
fn meant_or_near<'a>(
    problem: Diagnostic,
    said: &Said<'_>,
    meant: Option<&str>,
    names: impl Iterator<Item = &'a str> + Clone,
    what: &str,
) -> Diagnostic {
    match meant {
        Some(meant) => {
            let problem = problem.with_help(format!("write \"{meant}\""));
            match said.inner {
                Some(inner) => problem.with_suggestion(inner, meant, true),
                None => problem,
            }
        }
        None => {
            let all = names.clone();
            near(problem, said.text, names, said.inner, || {
                format!("the {what} are {}", all.collect::<Vec<_>>().join(", "))
            })
        }
    }
}

/// Returns the number for the light of a room in words, if it has one.
fn light_number(text: &[u8]) -> Option<&'static str> {
    match text {
        b"lit" | b"yes" | b"on" | b"true" => Some("1"),
        b"unlit" | b"no" | b"off" | b"false" | b"dark" => Some("0"),
        b"random" => Some("-1"),
        _ => None,
    }
}

/// Returns the number of a percentage: `"50%"`.
fn percentage(text: &[u8]) -> Option<&str> {
    let number = std::str::from_utf8(text).ok()?.trim().strip_suffix('%')?.trim_end();
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}
