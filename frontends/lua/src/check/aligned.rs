//! Arguments that fit no form of a function: the cheapest edits that make them fit one.

use std::ops::Range;

use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::statements;
use splc_ir::statements::align::{self, Alignment, Cost, Step, align};

use super::calls::{Called, runs};
use super::keyed::written;
use super::kinds::place_of;
use super::values::{Candidates, Known, Type, Value};
use super::{Judge, ground};
use crate::functions::{Form, Kind, Need};
use crate::names;
use crate::tree::{Entry, Expression, ExpressionKind};

/// The most arguments that are one value: the corners of a region.
const LONGEST: usize = 4;

/// Arguments laid over the slots of a form.
struct Aligned {
    form: &'static Form,
    alignment: Alignment,
}

/// The kind of an argument, the values that are written as it, and the cost of the fit.
type Taken = (Kind, Range<usize>, Cost);

/// Returns the arguments of an alignment, in the order of the form.
fn taken(form: &Form, alignment: &Alignment) -> Vec<Taken> {
    let taken = |step: &Step| match step {
        Step::Take { slot, values, fit } => Some((form.arguments[*slot].kind, values.clone(), *fit)),
        Step::Insert { .. } => None,
    };
    alignment.steps.iter().filter_map(taken).collect()
}

/// Returns the only possible value of an argument, if it is a string.
fn text<'k>(known: &'k Candidates<'_>) -> Option<&'k str> {
    match known.as_slice() {
        [Known { value: Value::Text(text, _), .. }] => std::str::from_utf8(text).ok(),
        _ => None,
    }
}

impl<'t> Judge<'t, '_, '_> {
    /// Reports arguments in the wrong order, or written as several values or as a string, with the edits that are
    /// needed. Arguments that are missing or superfluous are another matter.
    pub(super) fn aligned(&mut self, called: &Called<'_, 't>, fits: bool) -> bool {
        let &Called { name, function, arguments, known, receiver, call } = called;
        let forms = function.forms.iter().filter(|form| !form.repeated && receiver.is_none());
        let mut found: Vec<Aligned> = Vec::new();
        for form in forms {
            let need = |need| match need {
                Need::Required => statements::Need::Required,
                Need::Optional => statements::Need::Optional,
            };
            let slots = form.arguments.iter().map(|slot| align::Wanted { need: need(slot.need), inserted: None });
            let slots: Vec<align::Wanted> = slots.collect();
            let fit = |values: Range<usize>, slot: usize| self.fit(form.arguments[slot].kind, &known[values]);
            let all = align(known.len(), &slots, LONGEST, 2, fit);
            found.extend(all.into_iter().map(|alignment| Aligned { form, alignment }));
        }
        found.retain(|one| one.alignment.dropped.is_empty());
        found.sort_by_key(|one| one.alignment.cost);
        let Some(Aligned { form, alignment }) = found.first().filter(|best| best.alignment.cost > 0) else {
            return false;
        };
        let taken = taken(form, alignment);
        let written = |taken: &[Taken]| -> Option<Vec<String>> {
            taken.iter().map(|(kind, values, _)| rewritten(*kind, &arguments[values.clone()])).collect()
        };
        let new = written(&taken);
        // What stays the same at both ends is not part of the edit.
        let is_kept = |at: usize, old: usize| taken[at].1 == (old..old + 1) && taken[at].2 == 0;
        let head = (0..taken.len()).take_while(|&at| is_kept(at, at)).count();
        let left = taken.len() - head;
        let tail = (0..left).take_while(|back| is_kept(taken.len() - 1 - back, arguments.len() - 1 - back)).count();
        let (Some(first), Some(last)) = (arguments.get(head), arguments.get(arguments.len() - 1 - tail)) else {
            return false;
        };
        let whole = if first.span.start <= last.span.start { first.span.to(last.span) } else { call.span };
        let what = taken.iter().find(|(_, values, _)| values.len() > 1).map(|(kind, ..)| *kind);
        let message = match what {
            Some(Kind::Selection) => format!("{name} takes a selection, not four numbers"),
            Some(Kind::Place) => format!("{name} takes its place in braces"),
            Some(Kind::Region) => format!("{name} takes its region in braces"),
            Some(_) => format!("{name} takes no class before a name"),
            None if alignment.transposed => format!("the arguments of {name} are in the wrong order"),
            None => format!("{name} takes its place in braces, found a string"),
        };
        let code = match (fits, runs(function, known)) {
            (true, _) => Code::LuaWord,
            (false, true) => Code::LuaIgnored,
            (false, false) => Code::LuaArguments,
        };
        let label = if code == Code::LuaIgnored { "the game ignores this call" } else { "" };
        let problem = Diagnostic::new(code, whole, message).with_label(label);
        // Another form may have the same arguments.
        let next = found.iter().find(|other| written(&self::taken(other.form, &other.alignment)) != new);
        let is_certain = next.is_none_or(|next| next.alignment.cost >= alignment.cost + align::MARGIN);
        self.report.push(match new {
            Some(new) => problem.with_help(format!("write {name}({})", new.join(", "))).with_suggestion(
                whole,
                new[head..new.len() - tail].join(", "),
                is_certain,
            ),
            None => problem.with_help(format!("write {}", super::calls::usage(name, function, false))),
        });
        true
    }

    /// Returns the cost of writing `values` as one value of `kind`, or `None` if they cannot be meant as that.
    fn fit(&self, kind: Kind, values: &[Candidates<'t>]) -> Option<Cost> {
        let are_numbers = || values.iter().all(|known| ground::integer(known).is_some());
        let is_name = |name: &str| match kind {
            Kind::MonsterOrClass => names::monster(self.catalog, name).is_some(),
            Kind::ObjectOrClass => names::object(self.catalog, name, None).is_some(),
            Kind::Trap => self.catalog.traps.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)),
            _ => false,
        };
        let [value] = values else {
            let texts: Option<Vec<&str>> = values.iter().map(text).collect();
            return match (kind, values.len(), texts.as_deref()) {
                (Kind::Place, 2, _) | (Kind::Selection | Kind::Region, 4, _) if are_numbers() => Some(align::REGROUPED),
                // `"[", "plate mail"`
                (_, 2, Some([class, name])) if class.chars().count() == 1 && is_name(name) => Some(align::REGROUPED),
                _ => None,
            };
        };
        if let (Some(text), Kind::Place) = (text(value), kind) {
            return place_of(text.as_bytes()).map(|_| align::RESPELLED);
        }
        let is = |kind: Type| move |known: &Known<'_>| known.value.kind() == Some(kind);
        let has_keys = |entries: &[Entry]| !entries.iter().all(|entry| matches!(entry, Entry::Item(_)));
        match (kind, text(value)) {
            (Kind::Keys, _) => None,
            (Kind::Place | Kind::Region, _) if super::calls::table_of(value).is_some_and(has_keys) => None,
            // A function may return a name, but is likelier to be the contents.
            (Kind::MonsterOrClass | Kind::ObjectOrClass | Kind::Trap, _) if value.iter().any(is(Type::Function)) => {
                None
            }
            (Kind::Integer, Some(_)) => None,
            (Kind::Word(words), Some(text)) => words.accepts(self.catalog, text).then_some(0),
            (Kind::MonsterOrClass | Kind::ObjectOrClass | Kind::Trap, Some(text)) => {
                Some(if text.chars().count() == 1 || is_name(text) { 0 } else { align::MISSPELT })
            }
            // A number becomes a string, but is likelier to be a number.
            (Kind::Text, None) if value.iter().all(is(Type::Number)) => None,
            _ => super::calls::may_be(kind, value).then_some(0),
        }
    }
}

/// Returns the text of a value of `kind` that is written as `values`.
fn rewritten(kind: Kind, values: &[&Expression]) -> Option<String> {
    let all: Option<Vec<String>> = values.iter().map(|value| written(value)).collect();
    Some(match (kind, values) {
        (Kind::Place, [Expression { kind: ExpressionKind::Text(text), .. }]) => place_of(&text.value)?,
        (_, [_]) => all?.remove(0),
        (Kind::Selection, _) => format!("selection.area({})", all?.join(", ")),
        (Kind::Place | Kind::Region, _) => format!("{{{}}}", all?.join(",")),
        _ => all?.pop()?,
    })
}
