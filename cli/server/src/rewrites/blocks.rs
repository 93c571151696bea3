//! Conditions around statements.

use splc_ir::catalog::Feature;
use splc_ir::level::{Map, Statement, StatementKind};
use splc_ir::visit::{Visit, walk};

use super::rewrite::{Rewrite, Subject, extent, indent};
use crate::view::View;

/// Returns the changes that add a condition to the statements, or remove one.
pub(super) fn rewrites(view: &View, subject: &Subject) -> Vec<Rewrite> {
    let mut found = Vec::new();
    let statements = subject.statements();
    let (Some(first), Some(last)) = (statements.first(), statements.last()) else { return found };
    let (Some(start), Some(end)) = (extent(view, first), extent(view, last)) else { return found };
    let range = start.start..end.end;
    let Some(text) = view.text().get(range.clone()) else { return found };
    if view.catalog().is_script() && statements.iter().all(|statement| can_be_conditional(&statement.kind)) {
        if !statements.iter().any(|statement| draws_map(statement)) {
            let indent = indent(view, range.start);
            let body: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
            let new = format!("IF [50%] {{\n{indent}{}\n{indent}}}", body.join("\n"));
            found.push(Rewrite::new("Wrap in IF [50%]", vec![(range.clone(), new)]));
        }
        let has_block = |statement: &Statement| {
            matches!(statement.kind, StatementKind::If { .. } | StatementKind::Loop { .. } | StatementKind::For { .. })
        };
        // SporkHack, which has one scope, writes the chance after the keyword.
        if statements.len() == 1 && !view.catalog().has(Feature::OneScope) && !has_block(first) {
            let new = "[50%]: ".to_owned();
            found.push(Rewrite::new("Give it a chance of 50%", vec![(range.start..range.start, new)]));
        }
    }
    if let ([only], StatementKind::If { then, otherwise: None, .. }) = (statements.as_slice(), &first.kind)
        && let ([inner], Some(range)) = (then.as_slice(), view.span(only.span))
        && let Some(inner) = extent(view, inner)
    {
        // The braces go, the statement stays.
        let new = view.text()[inner].to_owned();
        found.push(Rewrite::new("Remove the condition", vec![(range, new)]));
    }
    found
}

/// Returns true if a statement can be in the block of an IF, and means something there.
fn can_be_conditional(kind: &StatementKind) -> bool {
    !matches!(
        kind,
        StatementKind::InitMap(_)
            | StatementKind::Map(_)
            | StatementKind::Function(_)
            | StatementKind::Define { .. }
            | StatementKind::Chance { .. }
            | StatementKind::Break
            | StatementKind::Registers { .. }
            | StatementKind::VaultGeneration { .. }
            | StatementKind::VaultDepth { .. }
            | StatementKind::Error
    )
}

/// Returns true if a statement contains a MAP, whose rows cannot be indented.
pub(super) fn draws_map(statement: &Statement) -> bool {
    struct Drawn(bool);
    impl<'t> Visit<'t> for Drawn {
        fn statement(&mut self, statement: &'t Statement) {
            self.0 |= matches!(statement.kind, StatementKind::Map(Map::Drawn { .. }));
            walk::statement(self, statement);
        }
    }
    let mut drawn = Drawn(false);
    drawn.statement(statement);
    drawn.0
}
