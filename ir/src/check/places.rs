//! Squares and regions of a level.

use super::judge::Judge;
use crate::catalog::Feature;
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::source::{Span, Spanned};
use crate::words::Humidity;

impl Judge<'_> {
    /// Returns the greatest column and row of a place if no map is drawn: one row beyond the level, as in all of the
    /// games' compilers (NetHack 3.4.3, lev_comp, `map_definition`).
    pub(crate) fn quirk_level_bounds(&self) -> (i32, i32) {
        (self.catalog.limits.columns - 1, self.catalog.limits.rows)
    }

    /// Checks that a square is on the level, whatever its origin.
    pub(super) fn coordinate(&mut self, x: i32, y: i32, span: Span) {
        let (columns, rows) = (self.catalog.limits.columns, self.catalog.limits.rows);
        if !((0..columns).contains(&x) && (0..rows).contains(&y)) {
            let is_swapped = (0..columns).contains(&y) && (0..rows).contains(&x);
            let range = format!("a level has columns 0 to {} and rows 0 to {}", columns - 1, rows - 1);
            let problem = Diagnostic::new(Code::CoordinateRange, span, format!("({x},{y}) is outside the level"));
            self.push(problem.with_help(match is_swapped {
                true => format!("did you mean ({y},{x})? The column comes first: {range}"),
                false => range,
            }));
        }
    }

    /// Checks the order of two corners, upper left first. Returns true if it is correct. `most` is the greatest column
    /// and row of the map.
    pub(crate) fn corners(&mut self, [x1, y1, x2, y2]: [i32; 4], span: Span, most: (i32, i32)) -> bool {
        if x1 <= x2 && y1 <= y2 {
            return true;
        }
        // A number that does not fit was reported, and is read as another.
        let too_large = |known: &Diagnostic| {
            let inside = |known: Span| known.file == span.file && (span.start..span.end).contains(&known.start);
            known.code == Code::NumberRange && known.span.is_some_and(inside)
        };
        if self.diagnostics.iter().any(too_large) {
            return false;
        }
        let fixed = format!("({},{},{},{})", x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2));
        let diagnostic = Diagnostic::new(Code::RegionRange, span, "the corners of the region are swapped");
        // The second pair may be the width and the height.
        let (right, bottom) = (x1.saturating_add(x2).saturating_sub(1), y1.saturating_add(y2).saturating_sub(1));
        self.push(match x1 > 0 && x2 > 0 && y2 > 0 && right <= most.0 && bottom <= most.1 {
            true => {
                let sized = format!("({x1},{y1},{right},{bottom})");
                diagnostic
                    .with_help(format!("write {fixed}, or {sized} if {x2} and {y2} are the width and the height"))
                    .with_suggestion(span, fixed, false)
                    .with_suggestion(span, sized, false)
            }
            false => diagnostic
                .with_help(format!("write {fixed}: the upper left corner first"))
                .with_suggestion(span, fixed, false),
        });
        false
    }

    /// Reports a region that is not stored as it is written: each of its numbers is one byte of the level file.
    pub(super) fn stored_region(&mut self, corners: [i32; 4], span: Span) {
        if let Some(number) = corners.into_iter().find(|number| !(0..=255).contains(number)) {
            self.push(
                Diagnostic::new(Code::NumberCut, span, format!("{number} does not fit in the level file"))
                    .with_label("only its lowest 8 bits are kept")
                    .with_help("count columns and rows from the upper left corner of the last map, (0,0)"),
            );
            return;
        }
        let (columns, rows) = (self.catalog.limits.columns, self.catalog.limits.rows);
        // Levels of the games themselves reach one row beyond it.
        if let Some((name, value, ..)) = outside(corners, (0, 0), (columns - 1, rows)) {
            self.push(
                Diagnostic::new(Code::OutsideMap, span, "this region reaches beyond the level")
                    .with_label(format!("{name} is {value}"))
                    .with_help(format!(
                        "a level has {columns} columns and {rows} rows: use at most ({},{})",
                        columns - 1,
                        rows - 1
                    )),
            );
        }
    }

    /// Checks a region relative to the corner of the level.
    pub(crate) fn level_region(&mut self, region: &RegionSpec) {
        let (columns, rows) = (self.catalog.limits.columns, self.catalog.limits.rows);
        let may_be_empty = self.catalog.has(Feature::EmptyLevelRegions);
        if may_be_empty && region.corners == [columns, rows, columns, rows] {
            return;
        }
        let least_column = if may_be_empty { 0 } else { 1 };
        if let Some((name, value, least, most)) = outside(region.corners, (least_column, 0), (columns - 1, rows - 1)) {
            let help = match value {
                0 if least == 1 => "write 1: the first column of a level is 1",
                _ => "count a levregion from the corner of the level",
            };
            self.push(
                Diagnostic::new(Code::RegionRange, region.span, "the region is outside the level")
                    .with_label(format!("{name} is {value}, but must be from {least} to {most}"))
                    .with_help(help),
            );
        }
    }

    /// Reports a region that only the map of an earlier level makes valid.
    pub(super) fn inherited_region(&mut self, region: &RegionSpec) {
        if outside(region.corners, (0, 0), (0, 0)).is_some() {
            self.push(
                Diagnostic::new(Code::InheritedRegion, region.span, "this region is valid only after another level")
                    .with_label("its own level has no MAP before it")
                    .with_note(format!("{} compares it with the last map of the file", self.catalog.title))
                    .with_help("draw a map before it, or write levregion(...) to count from the corner of the level"),
            );
        }
    }

    /// Checks a region relative to the corner of the last map. `most` is the map's greatest column and row. Returns
    /// true if it is valid.
    pub(super) fn map_region(&mut self, region: &RegionSpec, most: (i32, i32)) -> bool {
        let outside = outside(region.corners, (0, 0), most);
        if let Some((name, value, least, most)) = outside {
            self.push(
                Diagnostic::new(Code::RegionRange, region.span, "the region is outside the map")
                    .with_label(format!("{name} is {value}, but must be from {least} to {most}"))
                    .with_help(
                        "count the region from the corner of the last MAP, or write levregion(...) to count from that \
                         of the level",
                    ),
            );
        }
        outside.is_none()
    }

    pub(super) fn humidity(&mut self, words: &[Spanned<Humidity>]) {
        let mut seen: Vec<Humidity> = Vec::new();
        for word in words {
            if seen.contains(&word.node) {
                let message = format!("duplicate '{}'", word.node.as_str());
                self.push(Diagnostic::new(Code::RepeatedHumidity, word.span, message));
            } else {
                seen.push(word.node);
            }
        }
    }
}

/// Returns the first of `corners` outside the range from `least` to `most`: its name, value, minimum and maximum.
fn outside(corners: [i32; 4], least: (i32, i32), most: (i32, i32)) -> Option<(&'static str, i32, i32, i32)> {
    let [x1, y1, x2, y2] = corners;
    [("x1", x1, least.0, most.0), ("y1", y1, least.1, most.1), ("x2", x2, least.0, most.0), ("y2", y2, least.1, most.1)]
        .into_iter()
        .find(|&(_, value, least, most)| value < least || value > most)
}
