//! A map and all places on it, mirrored.

use std::ops::Range;

use splc_ir::level::*;
use splc_ir::source::{Span, Text};
use splc_ir::visit::Visit;
use splc_ir::words::Direction;

use super::places::{Places, functions_with_places, renumbered};
use super::rewrite::{Rewrite, Subject};
use crate::view::View;

/// An axis of a mirror.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    LeftRight,
    TopBottom,
}

/// Returns the changes that mirror the map under the cursor with the statements that refer to it. None if a place on it
/// is computed, or belongs to another map or to a function as well.
pub(super) fn mirrors(view: &View, subject: &Subject) -> Vec<Rewrite> {
    let (Some(level), None, [.., here]) = (subject.level, subject.function, subject.around.as_slice()) else {
        return Vec::new();
    };
    let StatementKind::Map(Map::Drawn { rows, .. }) = &here.kind else { return Vec::new() };
    let Some(at) = level.body.iter().position(|statement| std::ptr::eq(statement, *here)) else { return Vec::new() };
    let Some(places) = of_map(view, level, at) else { return Vec::new() };
    [("Mirror left and right", Axis::LeftRight), ("Mirror top and bottom", Axis::TopBottom)]
        .into_iter()
        .filter_map(|(title, axis)| Some(Rewrite::new(title, edits(view, rows, &places, axis)?)))
        .collect()
}

/// Returns the places on the map that is statement `at` of a level.
fn of_map<'v>(view: &'v View, level: &Level, at: usize) -> Option<Places<'v>> {
    let is_map = |statement: &Statement| matches!(statement.kind, StatementKind::Map(_));
    let after = &level.body[at + 1..];
    let after = &after[..after.iter().position(is_map).unwrap_or(after.len())];
    let mut places = Places::new(view);
    after.iter().for_each(|statement| places.statement(statement));
    let is_alone = level.body.iter().filter(|statement| is_map(statement)).count() == 1;
    let is_definition = |statement: &&Statement| matches!(statement.kind, StatementKind::Define { .. });
    if is_alone {
        // A place in a variable is counted from the map where it is used.
        level.body[..at].iter().filter(is_definition).for_each(|statement| places.statement(statement));
        let mut before = Places::new(view);
        let others = level.body[..at].iter().filter(|statement| !is_definition(statement));
        others.for_each(|statement| before.statement(statement));
        if !before.variables.is_empty() || before.draws_map {
            return None;
        }
    } else if !places.variables.is_empty() || after.iter().any(|statement| is_definition(&statement)) {
        return None;
    }
    let known: Vec<Text> = functions_with_places(view, view.module()?);
    let is_shared = places.calls.iter().any(|called| known.contains(called));
    (!places.is_hidden && !places.draws_map && !is_shared).then_some(places)
}

fn edits(view: &View, rows: &MapRows, places: &Places, axis: Axis) -> Option<Vec<(Range<usize>, String)>> {
    // Digits number the rows, and are not squares.
    if rows.rows.iter().any(|row| row.contains(|square: char| square.is_ascii_digit() || square == '\t')) {
        return None;
    }
    // The game reads some rows without their first blanks.
    let is_written = |(row, span): (&Text, &Span)| {
        view.span(*span).is_some_and(|range| {
            let line = view.text.line(view.text.line_of(range.start));
            line.start == range.start && view.text().get(line).is_some_and(|text| text == row.as_str())
        })
    };
    if !rows.rows.iter().zip(&rows.row_spans).all(is_written) {
        return None;
    }
    let width = rows.rows.iter().map(|row| row.chars().count()).max()?;
    let (last_x, last_y) = (i32::try_from(width).ok()? - 1, i32::try_from(rows.rows.len()).ok()? - 1);
    let mut edits = Vec::new();
    for (number, span) in rows.row_spans.iter().enumerate() {
        let new = match axis {
            Axis::LeftRight => {
                let row = &rows.rows[number];
                let padding = " ".repeat(width - row.chars().count());
                padding + &row.chars().rev().collect::<String>()
            }
            Axis::TopBottom => rows.rows[rows.rows.len() - 1 - number].to_string(),
        };
        edits.push((view.span(*span)?, new));
    }
    for written in places.written.iter().filter(|written| !written.of_level && !written.excludes_nothing()) {
        let flipped = |number: i32, last: i32| last.checked_sub(number);
        let new = match (axis, written.numbers.as_slice()) {
            (Axis::LeftRight, &[x, y]) => vec![flipped(x, last_x)?, y],
            (Axis::TopBottom, &[x, y]) => vec![x, flipped(y, last_y)?],
            (Axis::LeftRight, &[x1, y1, x2, y2]) => vec![flipped(x2, last_x)?, y1, flipped(x1, last_x)?, y2],
            (Axis::TopBottom, &[x1, y1, x2, y2]) => vec![x1, flipped(y2, last_y)?, x2, flipped(y1, last_y)?],
            _ => return None,
        };
        edits.push((written.range.clone(), renumbered(view.text().get(written.range.clone())?, &new)?));
    }
    for (range, direction) in &places.directions {
        let new = match (axis, direction) {
            (Axis::LeftRight, Direction::East) => Direction::West,
            (Axis::LeftRight, Direction::West) => Direction::East,
            (Axis::TopBottom, Direction::North) => Direction::South,
            (Axis::TopBottom, Direction::South) => Direction::North,
            _ => continue,
        };
        edits.push((range.clone(), new.as_str().to_owned()));
    }
    Some(edits)
}
