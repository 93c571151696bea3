//! Functions: the call replaced by the body, and statements made into a function.

use std::ops::Range;

use gen_lsp_types as lsp;
use splc_frontends::vocabulary;
use splc_ir::catalog::Feature;
use splc_ir::level::*;
use splc_ir::source::{FileId, Text};
use splc_ir::visit::{Visit, walk};

use super::blocks::draws_map;
use super::rewrite::{Rewrite, Subject, extent, indent};
use crate::names::Kind;
use crate::view::View;

/// Blanks of one more level of indentation.
const STEP: &str = "  ";

/// Finds the definition of a function.
struct Definitions<'n, 't> {
    name: &'n Text,
    found: Option<&'t Function>,
}

impl<'t> Visit<'t> for Definitions<'_, 't> {
    fn function(&mut self, function: &'t Function) {
        if function.name.node == *self.name {
            self.found = Some(function);
        }
        walk::function(self, function);
    }
}

/// Looks for statements that mean something else outside of their function.
#[derive(Default)]
struct Bound {
    is_bound: bool,
}

impl<'t> Visit<'t> for Bound {
    fn statement(&mut self, statement: &'t Statement) {
        self.is_bound |= matches!(
            statement.kind,
            StatementKind::Exit | StatementKind::Function(_) | StatementKind::InitMap(_) | StatementKind::Error
        );
        walk::statement(self, statement);
    }
}

/// Returns true if the statements mean the same in a function and at its call.
fn can_move<'t>(statements: impl IntoIterator<Item = &'t Statement> + Clone) -> bool {
    let mut bound = Bound::default();
    statements.clone().into_iter().for_each(|statement| bound.statement(statement));
    let leaves = |statement: &Statement| statement.has_break() || draws_map(statement);
    !bound.is_bound && !statements.into_iter().any(leaves)
}

/// Returns the change of the call under the cursor into the statements of its function. Parameters become variables,
/// which keeps the moment at which an argument is evaluated.
pub(super) fn inline(view: &View, subject: &Subject) -> Vec<Rewrite> {
    inlined(view, subject).into_iter().collect()
}

fn inlined(view: &View, subject: &Subject) -> Option<Rewrite> {
    let [outer @ .., call] = subject.around.as_slice() else { return None };
    let StatementKind::Call { function: name, arguments } = &call.kind else { return None };
    let mut definitions = Definitions { name: &name.node, found: None };
    definitions.module(view.module()?);
    let function = definitions.found?;
    if !can_move(&function.body) || function.parameters.len() != arguments.len() || function.body.is_empty() {
        return None;
    }
    let range = extent(view, call)?;
    let names = view.names();
    let scope = names.scope(range.start);
    let own = names.scope(view.span(function.span)?.start + 1);
    // In the game with one scope, variables of a function are those of the level.
    if !view.catalog().has(Feature::OneScope) {
        let in_function = |used: &&crate::names::Use| used.kind == Kind::Variable && used.scope == own;
        let is_taken = |name: &Text| {
            names.uses.iter().any(|used| used.kind == Kind::Variable && used.scope == scope && used.name == *name)
        };
        if scope == own || names.uses.iter().filter(in_function).any(|used| is_taken(&used.name)) {
            return None;
        }
    }
    let mut lines = Vec::new();
    for (parameter, argument) in function.parameters.iter().zip(arguments) {
        let value = view.text().get(view.span(argument.span)?)?;
        lines.push(format!("{} = {value}", parameter.name.node));
    }
    let is_single = matches!(outer.last().map(|statement| &statement.kind), Some(StatementKind::Chance { .. }));
    if is_single && (!lines.is_empty() || function.body.len() != 1) {
        return None;
    }
    lines.extend(body(view, function)?);
    let indent = indent(view, range.start);
    let new = lines.join(&format!("\n{indent}"));
    let new = new.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    Some(Rewrite::new(format!("Inline {}", name.node), vec![(range, new)]).of_kind(lsp::CodeActionKind::RefactorInline))
}

/// Returns the lines between the braces of a function, without their common indentation.
fn body(view: &View, function: &Function) -> Option<Vec<String>> {
    let range = view.span(function.span)?;
    let text = view.text().get(range)?;
    let inner = text.get(text.find('{')? + 1..text.rfind('}')?)?;
    let lines: Vec<&str> = inner.lines().collect();
    let first = lines.iter().position(|line| !line.trim().is_empty())?;
    let last = lines.iter().rposition(|line| !line.trim().is_empty())?;
    let lines = &lines[first..=last];
    let blanks = |line: &&&str| line.len() - line.trim_start().len();
    // Text after the opening brace has no indentation of its own.
    let common = if first == 0 {
        0
    } else {
        lines.iter().filter(|line| !line.trim().is_empty()).map(|line| blanks(&line)).min()?
    };
    let dedented = |line: &&str| line.get(common..).unwrap_or("").trim_end().to_owned();
    let mut lines: Vec<String> = lines.iter().map(dedented).collect();
    if first == 0 {
        lines[0] = lines[0].trim_start().to_owned();
    }
    Some(lines)
}

/// Returns the change of the selected statements into a call of a new function. Variables from outside become its
/// parameters.
pub(super) fn extract(view: &View, subject: &Subject) -> Vec<Rewrite> {
    extracted(view, subject).into_iter().collect()
}

fn extracted(view: &View, subject: &Subject) -> Option<Rewrite> {
    let (first, last) = (subject.selected.first()?, subject.selected.last()?);
    vocabulary::syntax("FUNCTION", view.catalog())?;
    if !can_move(subject.selected) {
        return None;
    }
    let range = extent(view, first)?.start..extent(view, last)?.end;
    let around = subject.function.map(|function| function.span).or(subject.level.map(|level| level.span))?;
    let at = view.span(around)?.start;
    let arguments = arguments(view, &range)?;
    let call = |list: Vec<String>, name: &str| format!("{name}({})", list.join(", "));
    let name = free_name(view);
    let declared = arguments.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
    let text = view.text().get(range.clone())?;
    let old = indent(view, range.start);
    let lines = text.lines().map(|line| line.strip_prefix(old).unwrap_or(line).trim_end());
    let body: Vec<String> =
        lines.map(|line| if line.is_empty() { String::new() } else { format!("{STEP}{line}") }).collect();
    let function = format!("FUNCTION {} {{\n{}\n}}\n", call(declared, &name), body.join("\n"));
    let passed = arguments.into_iter().map(|(name, _)| name.to_string()).collect();
    let edits = vec![(at..at, function), (range, call(passed, &name))];
    Some(Rewrite::new("Extract into a FUNCTION", edits).of_kind(lsp::CodeActionKind::RefactorExtract))
}

/// Returns the variables that the statements in `range` take from outside, with their types. `None` if a variable
/// cannot be passed, or is set inside and used outside.
fn arguments(view: &View, range: &Range<usize>) -> Option<Vec<(Text, &'static str)>> {
    if view.catalog().has(Feature::OneScope) {
        return Some(Vec::new());
    }
    let names = view.names();
    let scope = names.scope(range.start);
    let is_inside =
        |used: &&crate::names::Use| used.span.file == FileId(0) && range.contains(&(used.span.start as usize));
    let variables = || names.uses.iter().filter(|used| used.kind == Kind::Variable && used.scope == scope);
    let mut seen: Vec<&Text> = Vec::new();
    let mut arguments = Vec::new();
    for used in variables().filter(is_inside) {
        if seen.contains(&&used.name) {
            continue;
        }
        seen.push(&used.name);
        let same = |other: &&crate::names::Use| other.name == used.name;
        let is_set = variables().filter(same).filter(is_inside).any(|other| other.defines);
        let is_outside = variables().filter(same).any(|other| !is_inside(&other));
        if is_set && is_outside {
            return None;
        }
        if !is_set {
            let variable = names.variables.get(&(scope, used.name.clone()))?;
            let ty = match (variable.ty.value, variable.ty.array) {
                (ValueType::Integer, false) => "int",
                (ValueType::String, false) => "string",
                _ => return None,
            };
            arguments.push((used.name.clone(), ty));
        }
    }
    Some(arguments)
}

/// Returns a name that no function has.
fn free_name(view: &View) -> String {
    let is_taken = |name: &str| view.names().uses.iter().any(|used| used.kind == Kind::Function && used.name == *name);
    let mut name = "extracted".to_owned();
    for number in 2.. {
        if !is_taken(&name) {
            break;
        }
        name = format!("extracted_{number}");
    }
    name
}
