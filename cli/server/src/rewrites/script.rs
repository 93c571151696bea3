//! Changes of the statements of a Lua level.

use std::ops::Range;

use splc_ir::catalog::Catalog;
use splc_ir::level::SpeciesName;
use splc_ir::source::Span;
use splc_ir::visit::SpeciesRole;
use splc_lua::functions::{Argument, Form};
use splc_lua::kinds::Kind;
use splc_lua::tree::{Block, Call, Entry, Expression, ExpressionKind, Statement, StatementKind, TextLiteral};

use super::rewrite::{Rewrite, WAYS, indent, move_title};
use crate::knowledge::species;
use crate::script::{CallSite, Node, calls, nodes};
use crate::view::View;

/// Blanks of one more level of indentation.
const STEP: &str = "  ";

/// Returns the changes of the statements at `range`.
pub(super) fn rewrites(view: &View, range: &Range<usize>) -> Vec<Rewrite> {
    let mut blocks = Vec::new();
    nodes(&view.chunk().body, &mut |node| {
        if let Node::Block(block) = node {
            blocks.push(block);
        }
    });
    let (selected, here) = subject(view, &blocks, range);
    let mut found = missing_stairs(view, here, range);
    let statements = if selected.is_empty() { here.map(std::slice::from_ref).unwrap_or_default() } else { selected };
    if let Some(extent) = extent(view, statements) {
        let inside = Inside { view, range: extent, statements, blocks: &blocks };
        found.extend(inside.with_chance());
        found.extend(inside.moved());
        if selected.is_empty() {
            found.extend(inside.with_keys());
        } else {
            found.extend(inside.extracted());
        }
    }
    found
}

/// Returns the selected statements, and the innermost statement at the start of `range`.
fn subject<'t>(view: &View, blocks: &[&'t Block], range: &Range<usize>) -> (&'t [Statement], Option<&'t Statement>) {
    let span = |statement: &Statement| view.span(statement.span).unwrap_or(usize::MAX..usize::MAX);
    let whole = |block: &&'t Block| {
        let list = &block.statements;
        let first = list.iter().position(|statement| span(statement).end > range.start)?;
        let last = list.iter().rposition(|statement| span(statement).start < range.end)?;
        let selected = list.get(first..=last)?;
        let is_whole = |statement: &Statement| {
            let inner = span(statement);
            range.start <= inner.start && inner.end <= range.end
        };
        (!selected.is_empty() && selected.iter().all(is_whole)).then_some(selected)
    };
    let is_here = |statement: &&Statement| (span(statement).start..=span(statement).end).contains(&range.start);
    // The blocks are in source order, each before those in it.
    let selected = blocks.iter().find_map(whole).unwrap_or_default();
    (selected, blocks.iter().rev().find_map(|block| block.statements.iter().find(is_here)))
}

fn extent(view: &View, statements: &[Statement]) -> Option<Range<usize>> {
    Some(view.span(statements.first()?.span)?.start..view.span(statements.last()?.span)?.end)
}

/// Some statements of one block.
struct Inside<'a, 't> {
    view: &'a View,
    range: Range<usize>,
    statements: &'t [Statement],
    /// All blocks of the script.
    blocks: &'a [&'t Block],
}

impl<'t> Inside<'_, 't> {
    fn contains(&self, span: Span) -> bool {
        self.view.span(span).is_some_and(|inner| self.range.start <= inner.start && inner.end <= self.range.end)
    }

    fn text(&self) -> &str {
        self.view.text().get(self.range.clone()).unwrap_or_default()
    }

    /// Returns the lines of the statements with one more level of indentation, or `None` if a string would change.
    fn indented(&self) -> Option<String> {
        let mut is_long = false;
        self.expressions(|expression| {
            let is_text = matches!(expression.kind, ExpressionKind::Text(_));
            let text = self.view.span(expression.span).and_then(|range| self.view.text().get(range));
            is_long |= is_text && text.is_some_and(|text| text.contains('\n'));
        });
        let lines = self.text().lines().enumerate().map(|(number, line)| match (number, line.trim().is_empty()) {
            (0, _) => format!("{}{STEP}{line}", indent(self.view, self.range.start)),
            (_, true) => String::new(),
            (_, false) => format!("{STEP}{line}"),
        });
        (!is_long).then(|| lines.collect::<Vec<_>>().join("\n"))
    }

    fn expressions(&self, mut work: impl FnMut(&'t Expression)) {
        let Some(&whole) = self.blocks.first() else { return };
        nodes(whole, &mut |node| match node {
            Node::Expression(expression) if self.contains(expression.span) => work(expression),
            Node::Expression(_) | Node::Block(_) => {}
        });
    }

    /// Returns the calls of functions of the game in the statements.
    fn calls(&self) -> Vec<CallSite<'_>> {
        calls(self.view).into_iter().filter(|site| self.contains(site.call.span)).collect()
    }

    /// Returns the change that puts the statements into an `if`.
    fn with_chance(&self) -> Option<Rewrite> {
        let is_plain = |statement: &Statement| {
            use StatementKind as Is;
            matches!(
                statement.kind,
                Is::Call(_) | Is::Assign { .. } | Is::Do(_) | Is::While { .. } | Is::Repeat { .. } | Is::If { .. }
            ) || matches!(statement.kind, Is::NumericFor { .. } | Is::GenericFor { .. })
        };
        if !self.statements.iter().all(is_plain) {
            return None;
        }
        let indent = indent(self.view, self.range.start);
        let new = format!("if percent(50) then\n{}\n{indent}end", self.indented()?);
        Some(Rewrite::new("Wrap in if percent(50)", vec![(self.range.clone(), new)]))
    }

    /// Returns the changes that move everything in the statements by one square.
    fn moved(&self) -> Vec<Rewrite> {
        let Some(places) = self.places().filter(|places| !places.is_empty()) else { return Vec::new() };
        let one = |(way, [dx, dy]): (&str, [i32; 2])| {
            let edit = |(range, value, axis): &(Range<usize>, i64, Axis)| {
                let new = value + i64::from(if *axis == Axis::X { dx } else { dy });
                (new >= 0).then(|| (range.clone(), new.to_string()))
            };
            let edits: Option<Vec<_>> = places.iter().map(edit).collect();
            // Coordinates that the step leaves as they are need no edit.
            let changes =
                |(range, new): &(Range<usize>, String)| self.view.text().get(range.clone()) != Some(new.as_str());
            let edits: Vec<_> = edits?.into_iter().filter(changes).collect();
            Some(Rewrite::new(move_title(way), edits).without_new_warnings())
        };
        WAYS.into_iter().filter_map(one).filter(|rewrite| !rewrite.edits.is_empty()).collect()
    }

    /// Returns the coordinates in the statements. `None` if a place is computed, or counted from something that moves.
    fn places(&self) -> Option<Vec<(Range<usize>, i64, Axis)>> {
        let mut found = Coordinates { view: self.view, list: Vec::new() };
        let mut is_hidden = false;
        self.expressions(|expression| {
            // Methods change selections in place.
            is_hidden |= matches!(&expression.kind, ExpressionKind::Call(call) if call.method.is_some());
        });
        for site in self.calls() {
            // The places of rooms are those of a grid, and things in rooms and maps are counted from them.
            if is_hidden || matches!(site.function.name, "room" | "map" | "levregion" | "teleport_region") {
                return None;
            }
            if let [Expression { kind: ExpressionKind::Table(entries), .. }] = site.call.arguments.as_slice()
                && site.function.takes_keys()
            {
                for entry in entries {
                    let Entry::Named(name, value) = entry else { return None };
                    let kind = site.function.key(self.view.catalog(), name.text.as_str())?.kind;
                    found.add(name.text.as_str(), kind, value)?;
                }
            } else {
                for (argument, value) in
                    fitting(site.function.forms, site.call)?.arguments.iter().zip(&site.call.arguments)
                {
                    found.add(argument.name, argument.kind, value)?;
                }
            }
        }
        Some(found.list)
    }

    /// Returns the change of the call under the cursor into one with a table of keys, which means the same.
    fn with_keys(&self) -> Option<Rewrite> {
        let [Statement { kind: StatementKind::Call(expression), .. }] = self.statements else { return None };
        let ExpressionKind::Call(call) = &expression.kind else { return None };
        let site = calls(self.view).into_iter().find(|site| std::ptr::eq::<Call>(site.call, &**call))?;
        let catalog = self.view.catalog();
        let form = fitting(site.function.forms, call)?;
        if !site.function.takes_keys() || call.arguments.is_empty() {
            return None;
        }
        let entry = |(argument, value): (&Argument, &Expression)| {
            let key = key_of(argument, value, catalog)?;
            site.function.key(catalog, key)?;
            let text = self.view.text().get(self.view.span(value.span)?)?;
            Some(format!("{key} = {text}"))
        };
        let entries: Option<Vec<String>> = form.arguments.iter().zip(&call.arguments).map(entry).collect();
        let new = format!("({{ {} }})", entries?.join(", "));
        Some(Rewrite::new("Write the arguments as keys", vec![(self.view.span(call.span)?, new)]))
    }

    /// Returns the change of the statements into a call of a new function.
    fn extracted(&self) -> Option<Rewrite> {
        use StatementKind as Is;
        let leaves = |statement: &&Statement| {
            matches!(statement.kind, Is::Return(_) | Is::Break | Is::Goto(_) | Is::Label(_))
                && self.contains(statement.span)
        };
        if self.blocks.iter().flat_map(|block| &block.statements).any(|statement| leaves(&statement)) {
            return None;
        }
        // A local variable must not be needed after its function.
        let stays = self.view.bindings().iter().filter(|binding| binding.local).all(|binding| {
            let is_inside = binding.declared.is_some_and(|span| self.contains(span));
            !is_inside || binding.places.iter().all(|place| self.contains(*place))
        });
        let mut has_varargs = false;
        self.expressions(|expression| has_varargs |= matches!(expression.kind, ExpressionKind::Varargs));
        let name = "extracted";
        if !stays || has_varargs || self.view.text().contains(name) {
            return None;
        }
        let indent = indent(self.view, self.range.start);
        let body = self.indented().unwrap_or_else(|| self.text().to_owned());
        let new = format!("local function {name}()\n{body}\n{indent}end\n{indent}{name}()");
        let kind = gen_lsp_types::CodeActionKind::RefactorExtract;
        Some(Rewrite::new("Extract into a function", vec![(self.range.clone(), new)]).of_kind(kind))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    X,
    Y,
}

/// The literal coordinates of some calls.
struct Coordinates<'v> {
    view: &'v View,
    list: Vec<(Range<usize>, i64, Axis)>,
}

impl Coordinates<'_> {
    /// Adds the coordinates in an argument or the value of a key. `None` if they are computed.
    fn add(&mut self, name: &str, kind: Kind, value: &Expression) -> Option<()> {
        match (name, kind) {
            ("x" | "x1" | "x2", Kind::Integer) => self.number(value, Axis::X),
            ("y" | "y1" | "y2", Kind::Integer) => self.number(value, Axis::Y),
            // Others are counted from the thing.
            (_, Kind::Place) if !matches!(name, "coord" | "place") => None,
            (_, Kind::Place | Kind::Region) => {
                let ExpressionKind::Table(entries) = &value.bare().kind else { return None };
                for (number, entry) in entries.iter().enumerate() {
                    match entry {
                        Entry::Item(value) => self.number(value, if number % 2 == 0 { Axis::X } else { Axis::Y })?,
                        Entry::Named(name, value) => self.add(name.text.as_str(), Kind::Integer, value)?,
                        Entry::Keyed(..) => return None,
                    }
                }
                Some(())
            }
            // A selection that is not made here.
            (_, Kind::Selection) => matches!(value.bare().kind, ExpressionKind::Call(_)).then_some(()),
            _ => Some(()),
        }
    }

    fn number(&mut self, value: &Expression, axis: Axis) -> Option<()> {
        let ExpressionKind::Integer(number) = value.kind else { return None };
        self.list.push((self.view.span(value.span)?, number, axis));
        Some(())
    }
}

/// Returns the form of a function that a call uses, as far as its literals show it. `None` if several fit.
fn fitting(forms: &'static [Form], call: &Call) -> Option<&'static Form> {
    let fits = |argument: &Argument, value: &Expression| {
        use ExpressionKind as Is;
        match (&value.bare().kind, argument.kind) {
            (Is::Integer(_), Kind::Integer | Kind::IntegerOrRandom) => true,
            (Is::Integer(_), _) => false,
            (Is::Table(_), Kind::Place | Kind::Region | Kind::Keys) => true,
            (Is::Table(_) | Is::Text(_), Kind::Integer | Kind::Place | Kind::Region | Kind::Keys) => false,
            (Is::Text(_), Kind::Selection) | (Is::Table(_), _) => false,
            _ => true,
        }
    };
    let is_fitting = |form: &&Form| {
        form.arguments.len() == call.arguments.len()
            && form.arguments.iter().zip(&call.arguments).all(|(argument, value)| fits(argument, value))
    };
    let mut found = forms.iter().filter(is_fitting);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Returns the key that has the meaning of an argument.
fn key_of(argument: &Argument, value: &Expression, catalog: &Catalog) -> Option<&'static str> {
    let role = match argument.kind {
        Kind::MonsterOrClass => SpeciesRole::Monster,
        Kind::ObjectOrClass => SpeciesRole::Object,
        _ => {
            return match argument.name {
                "direction" => Some("dir"),
                "place" => Some("coord"),
                name => Some(name),
            };
        }
    };
    // A name that the game does not know means something else as a key.
    let ExpressionKind::Text(text) = &value.bare().kind else { return None };
    let text = TextLiteral::as_str(text)?;
    if text.chars().count() == 1 {
        return Some("class");
    }
    species(catalog, role, &SpeciesName::Name(text.into())).map(|_| "id")
}

/// Returns the changes that add the missing stairs of the level, if the cursor is at a map or at other stairs.
fn missing_stairs(view: &View, here: Option<&Statement>, range: &Range<usize>) -> Vec<Rewrite> {
    let Some(end) = extent(view, &view.chunk().body.statements).map(|all| all.end) else { return Vec::new() };
    let mut known = Vec::new();
    let mut is_about_stairs = here.is_none();
    for site in calls(view) {
        if !matches!(site.function.name, "stair" | "ladder" | "levregion" | "map") {
            continue;
        }
        let of_statement = here.and_then(|here| view.span(here.span));
        is_about_stairs |= view.span(site.call.span).is_some_and(|call| {
            of_statement.is_some_and(|of| of.start <= call.start && call.end <= of.end && of.start <= range.start)
        });
        if site.function.name == "map" {
            continue;
        }
        let mut words = Vec::new();
        for argument in &site.call.arguments {
            match &argument.bare().kind {
                ExpressionKind::Text(text) => words.extend(text.as_str()),
                ExpressionKind::Table(entries) => {
                    words.extend(entries.iter().filter_map(|entry| match entry.value() {
                        Expression { kind: ExpressionKind::Text(text), .. } => text.as_str(),
                        _ => None,
                    }))
                }
                _ => {}
            }
        }
        let of = |way: &str| words.contains(&way) || words.iter().any(|word| *word == format!("stair-{way}"));
        match (of("up"), of("down"), site.function.name) {
            (true, _, _) => known.push("up"),
            (_, true, _) => known.push("down"),
            // The direction is computed, or the usual one.
            (_, _, "levregion") => {}
            _ => known.extend(["up", "down"]),
        }
    }
    if !is_about_stairs {
        return Vec::new();
    }
    let add = |way: &&str| {
        Rewrite::new(format!("Add a des.stair {way}"), vec![(end..end, format!("\ndes.stair(\"{way}\")"))])
    };
    ["up", "down"].iter().filter(|way| !known.contains(way)).map(add).collect()
}
