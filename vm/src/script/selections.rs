//! Selections: sets of squares, created and combined.

use splc_ir::catalog::LoaderRule;
use splc_ir::program::{Opcode, operands};

use super::core::pack_place;
use super::{Script, Stop};
use crate::error::Fault;
use crate::level::{COLUMNS, ROWS, is_ok};
use crate::loader::{DIVISIONS, Gradient, schar, schar_of};
use crate::selection::{Growth, Selection};

/// Types of filters.
const BY_CHANCE: i64 = 0;
const BY_SELECTION: i64 = 1;
const BY_TERRAIN: i64 = 2;
/// Shape of a square gradient; all others are radial.
const SQUARE: i64 = 1;
/// Name of a selection in the error of an opcode that needs one.
const SELECTION: &str = "the selection to choose from";

impl Script<'_> {
    /// Resolves a place for a selection, which may be anywhere.
    fn place(&mut self, packed: i64) -> (i32, i32) {
        self.loader.location_of(packed, self.loader.anywhere(), self.room())
    }

    /// Runs an opcode that creates a selection, or takes a place of one.
    pub(super) fn select(&mut self, code: Opcode) -> Result<(), Stop> {
        let mut selection = Selection::new();
        match code {
            Opcode::SelAdd => {
                let operands::SelAdd { right, left } = self.need([SELECTION; 2])?;
                selection = right.union(&left);
            }
            Opcode::SelComplement => {
                let operands::SelComplement { selection: given } = self.need([SELECTION])?;
                selection = given.complement();
            }
            Opcode::SelFilter => selection = self.filter()?,
            Opcode::SelPoint => {
                let operands::SelPoint { place } = self.need(["the point"])?;
                let (x, y) = self.place(place);
                selection.add(x, y);
            }
            Opcode::SelRect => {
                let operands::SelRect { region } = self.need(["the rectangle"])?;
                selection = self.rectangle(region, false);
            }
            Opcode::SelFillRect => {
                let operands::SelFillRect { region } = self.need(["the rectangle"])?;
                selection = self.rectangle(region, true);
            }
            Opcode::SelLine => {
                // The game draws the line from the end that it pops first.
                let operands::SelLine { to, from } = self.need(["the start of the line", "the end of the line"])?;
                let (start, end) = self.line_ends(to, from);
                if !selection.add_line(start, end) {
                    return Err(Fault::EndlessLine.into());
                }
            }
            Opcode::SelRndLine => {
                let names = ["the roughness of the line", "the start of the line", "the end of the line"];
                let operands::SelRndLine { roughness, to, from } = self.need(names)?;
                let (start, end) = self.line_ends(to, from);
                self.loader.random_line(&mut selection, start, end, schar_of(roughness), DIVISIONS)?;
            }
            Opcode::SelGrow => {
                let operands::SelGrow { directions, selection: given } =
                    self.need(["the direction of growth", SELECTION])?;
                selection = given;
                let backward = self.loader.has(LoaderRule::GrowsBackwards);
                selection.grow(directions as i32, if backward { Growth::Backward } else { Growth::Forward });
            }
            Opcode::SelFlood => {
                let operands::SelFlood { place } = self.need(["the start of the flood"])?;
                let (x, y) = self.place(place);
                if !is_ok(x, y) {
                    return Ok(());
                }
                self.loader.flood(&mut selection, (x, y), false)?;
            }
            Opcode::SelEllipse => {
                let operands::SelEllipse { filling, y_radius, x_radius, center } = self.need([
                    "the filling of the ellipse",
                    "the height of the ellipse",
                    "the width of the ellipse",
                    "the center of the ellipse",
                ])?;
                let center = self.place(center);
                selection.add_ellipse(center, x_radius as i32, y_radius as i32, filling as i32 == 0);
            }
            Opcode::SelGradient => selection = self.gradient()?,
            _ => {
                let operands::SelRndCoord { selection } = self.need([SELECTION])?;
                let place = match self.loader.random_square(&selection) {
                    Some((x, y)) => (schar(x - self.loader.start_x), schar(y - self.loader.start_y)),
                    None => (-1, -1),
                };
                return Ok(self.memory.push(pack_place(place.0.into(), place.1.into()))?);
            }
        }
        let value = self.memory.keep_selection(selection)?;
        Ok(self.memory.push(value)?)
    }

    /// Resolves both ends of a line and moves them into the level.
    fn line_ends(&mut self, start: i64, end: i64) -> ((i32, i32), (i32, i32)) {
        let (x1, y1) = self.place(start);
        let (x2, y2) = self.place(end);
        ((x1.max(0), y1.max(0)), (x2.min(COLUMNS - 1), y2.min(ROWS - 1)))
    }

    /// Creates a rectangle, filled or not.
    fn rectangle(&mut self, region: i64, filled: bool) -> Selection {
        let [x1, y1, x2, y2] = [0, 8, 16, 24].map(|shift| (region >> shift & 0xff) as i32);
        let (x1, y1, x2, y2) = (x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2));
        let (x1, y1) = self.loader.location(x1, y1, self.loader.anywhere(), self.room());
        let (x2, y2) = self.loader.location(x2, y2, self.loader.anywhere(), self.room());
        let (x1, y1) = (x1.max(0), y1.max(0));
        let (x2, y2) = (x2.min(COLUMNS - 1), y2.min(ROWS - 1));
        let mut selection = Selection::new();
        if filled {
            for x in x1..=x2 {
                for y in y1..=y2 {
                    selection.add(x, y);
                }
            }
        } else {
            for x in x1..=x2 {
                selection.add(x, y1);
                selection.add(x, y2);
            }
            for y in y1..=y2 {
                selection.add(x1, y);
                selection.add(x2, y);
            }
        }
        selection
    }

    /// Takes a subset of a selection.
    fn filter(&mut self) -> Result<Selection, Stop> {
        let operands::Filter { kind } = self.need(["the type of the filter"])?;
        match kind {
            BY_CHANCE => {
                let operands::ChanceFilter { chance, selection } = self.need(["the chance", SELECTION])?;
                let mut left = selection;
                for (x, y) in selection.iter() {
                    if self.loader.rn2(100) >= chance as i32 {
                        left.remove(x, y);
                    }
                }
                Ok(left)
            }
            BY_SELECTION => {
                let operands::Intersection { selection, filter } = self.need([SELECTION; 2])?;
                Ok(selection.intersection(&filter))
            }
            BY_TERRAIN => {
                let operands::TerrainFilter { selection, terrain } = self.need([SELECTION, "the terrain"])?;
                let (terrain, light) = self.map_character(terrain);
                let mut left = Selection::new();
                for (x, y) in selection.iter() {
                    if Some(self.loader.terrain(x, y)) != terrain {
                        continue;
                    }
                    let taken = match light {
                        -1 => self.loader.rn2(2) != 0,
                        0 | 1 => i32::from(self.loader.level.is_lit(x, y)) == light,
                        _ => true,
                    };
                    if taken {
                        left.add(x, y);
                    }
                }
                Ok(left)
            }
            _ => Err(Fault::Filter.into()),
        }
    }

    /// Creates a gradient: squares with a probability that grows with their distance from a line
    /// (`selection_do_gradient`).
    fn gradient(&mut self) -> Result<Selection, Stop> {
        let operands::SelGradient { gradient, limited, to, from, maximum, minimum } = self.need([
            "the shape of the gradient",
            "the limit of the gradient",
            "the end of the gradient",
            "the start of the gradient",
            "the greatest distance",
            "the least distance",
        ])?;
        let (from, to) = (self.place(from), self.place(to));
        let (limited, square) = (limited != 0, gradient == SQUARE);
        Ok(self.loader.gradient(&Gradient { from, to, least: minimum, most: maximum, limited, square }))
    }
}
