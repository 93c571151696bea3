//! Small questions about levels that many passes ask.

use splc_ir::level::*;

/// The last column and row of a level, in coordinates of a part without a map.
pub(crate) const LAST_PLACE: (i32, i32) = (78, 20);

/// Returns the levels of a module without INCLUDEs.
pub(crate) fn levels(module: &mut Module) -> impl Iterator<Item = &mut Level> {
    module.items.iter_mut().filter_map(|item| match item {
        Item::Level(level) => Some(level),
        Item::Function(_) | Item::Include { .. } => None,
    })
}

/// Splits a body into the statements before the first MAP and the parts, each beginning with its MAP.
pub(crate) fn parts(body: &mut Vec<Statement>) -> Vec<Vec<Statement>> {
    let mut parts = vec![Vec::new()];
    for statement in body.drain(..) {
        match (&statement.kind, parts.last_mut()) {
            (StatementKind::Map(_), _) | (_, None) => parts.push(vec![statement]),
            (_, Some(part)) => part.push(statement),
        }
    }
    parts
}

/// Returns the statement without its chance.
pub(crate) fn bare(statement: &Statement) -> &StatementKind {
    match &statement.kind {
        StatementKind::Chance { then, .. } => &then.kind,
        kind => kind,
    }
}

/// Returns true if the place is any square of the level or map.
pub(crate) fn is_anywhere(place: &Expr) -> bool {
    matches!(place.kind, ExprKind::RandomCoordinate { .. })
}
