//! Places on the map of a part, or in a room.

use super::{Checker, Setting};
use crate::diagnostic::{Code, Diagnostic, Mistake};
use crate::level::*;
use crate::source::Span;

/// The likely meaning of a place or region that is outside of the map.
pub(super) enum Meant {
    /// The column and row in the right order.
    Swapped(i32, i32),
    /// The part of a region on the map.
    Within([i32; 4]),
}

impl Checker<'_> {
    /// Checks a number that is stored in one byte.
    pub(super) fn narrow(&mut self, number: i32, span: Span) {
        if i8::try_from(number).is_err() {
            self.judge.push(
                Diagnostic::new(Code::NumberCut, span, format!("{number} does not fit in the level file"))
                    .with_label(format!("becomes {}", number as i8)),
            );
        }
    }

    /// Checks that a place is on the map or, if it may be anywhere, fits the level file.
    pub(super) fn place_range(&mut self, place: &Expr) {
        let ExprKind::Coordinate { x, y } = place.kind else { return };
        if self.is_free() {
            self.narrow(x, place.span);
            self.narrow(y, place.span);
        } else if !self.is_on_map(place) {
            let swapped = match (&place.kind, self.looked_at()) {
                (&ExprKind::Coordinate { x, y }, Some(grid)) => {
                    grid.get(y, x).filter(|&square| !self.terrain.is_rock(square)).map(|_| Meant::Swapped(y, x))
                }
                _ => None,
            };
            self.out_of_map(Code::CoordinateRange, place.span, "place", swapped);
        }
    }

    /// Returns true if places may be anywhere.
    fn is_free(&self) -> bool {
        self.free_places || matches!(self.place, Setting::Room | Setting::Unknown | Setting::Level)
    }

    /// Returns true if a place may be on the map.
    pub(super) fn is_on_map(&self, place: &Expr) -> bool {
        let ExprKind::Coordinate { x, y } = place.kind else { return true };
        let Some((width, height)) = self.bounds() else { return true };
        self.is_free() || (0..=width).contains(&x) && (0..=height).contains(&y)
    }

    /// Reports a place or a region outside the map. `meant` is its likely meaning.
    pub(super) fn out_of_map(&mut self, code: Code, span: Span, what: &str, meant: Option<Meant>) {
        let Some((width, height)) = self.bounds() else { return };
        let diagnostic = Diagnostic::new(code, span, format!("this {what} is outside the map"));
        let diagnostic = match &self.place {
            Setting::Map(_) if width < 0 || height < 0 => diagnostic.with_label("the map of this part is empty"),
            Setting::Map(_) => {
                diagnostic.with_label(format!("the map goes from (0,0) to ({width},{height})")).with_help(
                    "count columns and rows from the upper left corner of the part's map, (0,0); the column comes \
                     first",
                )
            }
            _ => diagnostic.with_label(format!("the level goes from (0,0) to ({width},{height})")),
        };
        let diagnostic = match meant {
            Some(Meant::Swapped(x, y)) => diagnostic
                .with_help(format!("write ({x},{y}): the column comes first, then the row"))
                .with_suggestion(span, format!("({x},{y})"), false),
            Some(Meant::Within([x1, y1, x2, y2])) => {
                let right = format!("({x1},{y1},{x2},{y2})");
                diagnostic
                    .with_help(format!("write {right} up to the edge of the map"))
                    .with_suggestion(span, right, false)
            }
            None => diagnostic,
        };
        self.judge.push(diagnostic);
    }

    /// Returns the column and row of a fixed place, both from 0.
    pub(super) fn square(&self, place: &Expr) -> Option<(i32, i32)> {
        let (x, y) = match &place.kind {
            ExprKind::Coordinate { x, y } => (*x, *y),
            // A register below 0 is a square; see `quirk_register` in the lowering code.
            ExprKind::Register { of: RegisterKind::Place, index } => {
                let square = index.node.checked_neg()?.checked_sub(1)?;
                (square, square)
            }
            _ => return None,
        };
        (x >= 0 && y >= 0).then_some((x, y))
    }

    /// Returns the square of a place that is in rock or on a door of the part's map.
    pub(super) fn solid_at(&self, place: &Expr) -> Option<(i32, i32)> {
        let (x, y) = self.square(place)?;
        let square = self.looked_at()?.get(x, y)?;
        self.terrain.is_solid(square).then_some((x, y))
    }

    /// Reports the places of RANDOM_PLACES that are in walls. The game shuffles them, so that a thing may be at any.
    fn registers_in_walls(&mut self) {
        for (span, (x, y)) in std::mem::take(&mut self.in_walls) {
            self.judge.push(
                Diagnostic::new(
                    Code::PlacedInWall,
                    span,
                    format!("a place of RANDOM_PLACES is in a wall at ({x},{y})"),
                )
                .with_note("the game shuffles the places, so a thing may be at any of them")
                .with_help("count columns and rows from the upper left corner of the part's map, (0,0)"),
            );
        }
    }

    /// Warns about things placed in rock or on a door (NetHack 3.4.3, `check_coord`).
    pub(super) fn in_wall(&mut self, place: &Expr, what: &str) {
        if let ExprKind::Register { of: RegisterKind::Place, index } = &place.kind
            && index.node >= 0
        {
            self.registers_in_walls();
            return;
        }
        let Some((x, y)) = self.square(place) else { return };
        let Some(grid) = self.looked_at() else {
            if self.is_on_map(place) {
                self.crashes(place.span);
            }
            return;
        };
        let Some(square) = grid.get(x, y) else { return };
        if self.terrain.is_solid(square) {
            let on = self.terrain.words(square);
            let span = place.span;
            self.judge.push(
                Diagnostic::new(Code::PlacedInWall, span, Mistake::InWall { thing: what.to_string(), place: (x, y) })
                    .with_label(format!("the map has {on} there"))
                    .with_help("count columns and rows from the upper left corner of the part's map, (0,0)"),
            );
        }
    }

    /// Reports a fixed place before the first map of a level: the game's compiler accesses a map that does not exist.
    fn crashes(&mut self, span: Span) {
        if !matches!(self.place, Setting::NoMap) || std::mem::replace(&mut self.crash_reported, true) {
            return;
        }
        let message = "the game's own compiler crashes on a fixed place in a level without a MAP";
        self.judge.push(
            Diagnostic::new(Code::CompilerCrashes, span, message)
                .with_label("splc compiles the level as written")
                .with_help("draw a map or write random for the place, so that other compilers can compile the level"),
        );
    }

    pub(super) fn needs_map(&mut self, span: Span, what: &str) {
        self.judge.push(
            Diagnostic::new(Code::NeedsMap, span, format!("{what} needs a MAP"))
                .with_label("this part begins with NOMAP")
                .with_note("the game's own compiler reads a missing map here and crashes")
                .with_help("draw the part with GEOMETRY and MAP"),
        );
    }
}
