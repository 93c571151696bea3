//! Stairs that a level lacks.

use splc_ir::level::{LevelKind, LevelRegionKind, StatementKind};
use splc_ir::visit::{Visit, walk};
use splc_ir::words::UpDown;

use super::rewrite::{Rewrite, Subject, extent};
use crate::view::View;

/// Returns the changes that add the missing stairs of the level, if the cursor is in its first lines, in a MAP or at
/// other stairs.
pub(super) fn missing(view: &View, subject: &Subject) -> Vec<Rewrite> {
    let Some(level) = subject.level else { return Vec::new() };
    let is_about_stairs = subject.around.last().is_none_or(|statement| {
        matches!(statement.kind, StatementKind::Map(_) | StatementKind::Stair { .. } | StatementKind::Ladder { .. })
    });
    // In the rooms of 3.4.3, each stair needs a room of its own.
    if !is_about_stairs || subject.function.is_some() || matches!(level.kind, LevelKind::Rooms) {
        return Vec::new();
    }
    let Some(end) = level.body.last().and_then(|last| extent(view, last)).map(|last| last.end) else {
        return Vec::new();
    };
    let blank = if view.is_parts() { "" } else { " " };
    let mut known = Known(Vec::new());
    known.level(level);
    let add = |direction: UpDown| {
        let word = direction.as_str();
        let new = format!("\nSTAIR:{blank}random,{blank}{word}");
        Rewrite::new(format!("Add a STAIR {word}"), vec![(end..end, new)])
    };
    [UpDown::Up, UpDown::Down].into_iter().filter(|direction| !known.0.contains(direction)).map(add).collect()
}

/// Collects the directions of the stairs and ladders of a level.
struct Known(Vec<UpDown>);

impl<'t> Visit<'t> for Known {
    fn statement(&mut self, statement: &'t splc_ir::level::Statement) {
        match &statement.kind {
            StatementKind::Stair { direction, .. } | StatementKind::Ladder { direction, .. } => self.0.push(*direction),
            StatementKind::LevelRegion(region) => {
                if let LevelRegionKind::Stair(direction) = region.kind {
                    self.0.push(direction);
                }
            }
            // The stairs of a function are those of the level that calls it.
            StatementKind::Call { .. } => self.0.extend([UpDown::Up, UpDown::Down]),
            _ => {}
        }
        walk::statement(self, statement);
    }
}
