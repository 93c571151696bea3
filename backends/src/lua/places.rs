//! Places that may not be a square: random places, and places outside the map or from a possibly empty selection.
//!
//! The games of des-files skip a door, terrain or maze at a place of the second type (a negative coordinate relative to
//! the map counts as off the level), and draw a random place when it is used. In NetHack 5 both a random place and a
//! place of an empty selection are x = -1, y = -1. If a square is required, this is an error, or the door of a room.

use std::collections::HashMap;

use splc_ir::level::*;
use splc_ir::source::Text;
use splc_ir::visit::{Visit, walk};

use super::WHOLE_LEVEL;

/// The possible values of a place other than a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Besides {
    /// Possibly a random place, drawn when it is used.
    pub random: bool,
    /// Of a selection: possibly empty, or with a place left of the map or above it.
    pub nothing: bool,
}

impl Besides {
    const NEITHER: Besides = Besides { random: false, nothing: false };

    fn or(self, other: Besides) -> Besides {
        Besides { random: self.random || other.random, nothing: self.nothing || other.nothing }
    }
}

/// The possible values of the level's variables of places and selections.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    variables: HashMap<Text, Besides>,
    /// The columns and rows present in every map of the level.
    extent: (i32, i32),
}

impl Places {
    pub(super) fn of(functions: &[&Function], level: &Level) -> Places {
        let mut found = Found { extent: WHOLE_LEVEL, definitions: Vec::new() };
        functions.iter().for_each(|function| found.function(function));
        found.level(level);
        let mut places = Places { variables: HashMap::new(), extent: found.extent };
        // Each round propagates values through one more variable. The possible values only grow, so this terminates.
        loop {
            let mut changed = false;
            for (variable, value) in &found.definitions {
                let besides = match value {
                    Definition::Value { value, .. } => places.place(value),
                    Definition::Array { values, .. } => {
                        values.iter().fold(Besides::NEITHER, |all, value| all.or(places.place(value)))
                    }
                    Definition::Copy { variable, .. } => places.variable(&variable.node),
                };
                let known = places.variables.entry((*variable).clone()).or_default();
                changed |= known.or(besides) != *known;
                *known = known.or(besides);
            }
            if !changed {
                return places;
            }
        }
    }

    fn variable(&self, name: &str) -> Besides {
        self.variables.get(name).copied().unwrap_or_default()
    }

    /// Returns the possible values of a place or selection other than a square. Computed numbers are assumed to be
    /// valid.
    pub(super) fn place(&self, place: &Expr) -> Besides {
        match &place.kind {
            ExprKind::Coordinate { x: -1, y: -1 } | ExprKind::RandomCoordinate { .. } => {
                Besides { random: true, nothing: false }
            }
            // An empty selection gives -1, -1, which every loader of des-files uses as a random place.
            ExprKind::SelectedCoordinate(selection) => Besides { random: self.is_doubtful(selection), nothing: false },
            ExprKind::Selection(selection) => Besides { random: false, nothing: self.is_doubtful(selection) },
            ExprKind::Variable(variable) => self.variable(&variable.name),
            ExprKind::Group(inner) => self.place(inner),
            _ => Besides::NEITHER,
        }
    }

    /// Returns true if a place can be used directly: a random place must be drawn first, and a place with a number
    /// beyond the level must be checked.
    pub(super) fn is_used_as_it_is(&self, place: &Expr) -> bool {
        !self.place(place).random && !is_off_level(place)
    }

    /// Returns true if a selection may be empty, or contain a place left of the map or above it.
    fn is_doubtful(&self, selection: &Selection) -> bool {
        match &selection.kind {
            SelectionKind::Point(place) => !self.is_there(place),
            // The corners belong to the selection.
            SelectionKind::Rectangle(region) | SelectionKind::FilledRectangle(region) => match region.kind {
                ExprKind::Region { corners: [x1, y1, x2, y2] } => x1 > x2 || y1 > y2 || !self.is_square(x1, y1),
                _ => false,
            },
            // So do the ends.
            SelectionKind::Line(from, to) | SelectionKind::RandomLine(from, to, _) => {
                !self.is_there(from) || !self.is_there(to)
            }
            SelectionKind::FloodFill(place) => self.extent != WHOLE_LEVEL || !self.is_there(place),
            SelectionKind::Grow { selection, .. } => self.extent != WHOLE_LEVEL || self.is_doubtful(selection),
            SelectionKind::Group(selection) => self.is_doubtful(selection),
            SelectionKind::Union(parts) => parts.iter().any(|part| self.is_doubtful(part)),
            SelectionKind::Variable(variable) => self.variable(&variable.name).nothing,
            SelectionKind::Circle { .. }
            | SelectionKind::Ellipse { .. }
            | SelectionKind::FilterPercent { .. }
            | SelectionKind::FilterSelection { .. }
            | SelectionKind::FilterTerrain { .. }
            | SelectionKind::Gradient { .. }
            | SelectionKind::Complement(_)
            | SelectionKind::Error => true,
        }
    }

    /// Returns true if a place is on the level, or is computed and assumed to be.
    fn is_there(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Coordinate { x: -1, y: -1 } => true,
            ExprKind::Coordinate { x, y } => self.is_square(*x, *y),
            ExprKind::Group(inner) => self.is_there(inner),
            _ => !self.place(place).nothing,
        }
    }

    fn is_square(&self, x: i32, y: i32) -> bool {
        (0..self.extent.0).contains(&x) && (0..self.extent.1).contains(&y)
    }
}

/// Returns true if a number of a computed place is a literal beyond any square.
fn is_off_level(place: &Expr) -> bool {
    let is_off =
        |number: &Expr, size: i32| matches!(number.kind, ExprKind::Integer(number) if !(-size..size).contains(&number));
    match &place.kind {
        ExprKind::ComputedCoordinate { x, y } => is_off(x, WHOLE_LEVEL.0) || is_off(y, WHOLE_LEVEL.1),
        ExprKind::Group(inner) => is_off_level(inner),
        _ => false,
    }
}

/// The definitions in a level, and the columns and rows present in all its maps.
struct Found<'t> {
    extent: (i32, i32),
    definitions: Vec<(&'t Text, &'t Definition)>,
}

impl<'tree> Visit<'tree> for Found<'tree> {
    fn statement(&mut self, statement: &'tree Statement) {
        match &statement.kind {
            StatementKind::Define { variable, value } => self.definitions.push((&variable.node, value)),
            StatementKind::Map(Map::Drawn { rows, keep_regions, .. }) if *keep_regions != Some(false) => {
                let of = |most: i32, size: usize| i32::try_from(size).map_or(most, |size| most.min(size));
                self.extent = (of(self.extent.0, rows.width()), of(self.extent.1, rows.rows.len()));
            }
            _ => {}
        }
        walk::statement(self, statement);
    }
}
