//! Selections: sets of squares, created and combined.

use splc_ir::catalog::LoaderRule;
use splc_ir::program::Opcode;
use splc_ir::value::ValueType;

use super::Script;
use super::core::pack_place;
use crate::error::Fault;
use crate::level::{COLUMNS, ROWS, is_ok};
use crate::loader::{DIVISIONS, Gradient, schar, schar_of};
use crate::observer::Observer;
use crate::rng::Rng;
use crate::selection::{Growth, Selection};
use crate::value::Value;

/// Types of filters.
const BY_CHANCE: i64 = 0;
const BY_SELECTION: i64 = 1;
const BY_TERRAIN: i64 = 2;
/// Shape of a square gradient; all others are radial.
const SQUARE: i64 = 1;

impl<R: Rng, O: Observer> Script<'_, R, O> {
    fn need_selection(&mut self) -> Result<Selection, Fault> {
        match self.need(ValueType::Selection, "the selection to choose from")? {
            Value::Selection(at) => Ok(self.memory.selection(at)),
            _ => Err(Fault::Filter),
        }
    }

    fn need_number(&mut self, wanted: ValueType, what: &'static str) -> Result<i64, Fault> {
        self.need(wanted, what).map(Value::number)
    }

    fn push_selection(&mut self, selection: Selection) -> Result<(), Fault> {
        let value = self.memory.keep_selection(selection)?;
        self.memory.push(value)
    }

    /// Resolves a place for a selection, which may be anywhere.
    fn place(&mut self, packed: i64) -> (i32, i32) {
        self.loader.location_of(packed, self.loader.anywhere(), self.room())
    }

    /// Runs an opcode that creates a selection, or takes a place of one.
    pub fn select(&mut self, code: Opcode) -> Result<(), Fault> {
        let selection = match code {
            Opcode::SelAdd => {
                let one = self.need_selection()?;
                one.union(&self.need_selection()?)
            }
            Opcode::SelComplement => self.need_selection()?.complement(),
            Opcode::SelFilter => self.filter()?,
            Opcode::SelPoint => {
                let place = self.need_number(ValueType::Coordinate, "the point")?;
                let (x, y) = self.place(place);
                let mut selection = Selection::new();
                selection.add(x, y);
                selection
            }
            Opcode::SelRect | Opcode::SelFillRect => self.rectangle(code == Opcode::SelFillRect)?,
            Opcode::SelLine => {
                let from = self.need_number(ValueType::Coordinate, "the start of the line")?;
                let to = self.need_number(ValueType::Coordinate, "the end of the line")?;
                let (from, to) = self.line_ends(from, to);
                let mut selection = Selection::new();
                if !selection.add_line(from, to) {
                    return Err(Fault::EndlessLine);
                }
                selection
            }
            Opcode::SelRndLine => {
                let rough = self.need_number(ValueType::Integer, "the roughness of the line")?;
                let from = self.need_number(ValueType::Coordinate, "the start of the line")?;
                let to = self.need_number(ValueType::Coordinate, "the end of the line")?;
                let (from, to) = self.line_ends(from, to);
                let mut selection = Selection::new();
                self.loader.random_line(&mut selection, from, to, schar_of(rough), DIVISIONS)?;
                selection
            }
            Opcode::SelGrow => {
                let directions = self.need_number(ValueType::Integer, "the direction of growth")?;
                let mut selection = self.need_selection()?;
                let backward = self.loader.has(LoaderRule::GrowsBackwards);
                selection.grow(directions as i32, if backward { Growth::Backward } else { Growth::Forward });
                selection
            }
            Opcode::SelFlood => {
                let place = self.need_number(ValueType::Coordinate, "the start of the flood")?;
                let (x, y) = self.place(place);
                if !is_ok(x, y) {
                    return Ok(());
                }
                let mut selection = Selection::new();
                self.loader.flood(&mut selection, (x, y), false)?;
                selection
            }
            Opcode::SelEllipse => {
                let outline = self.need_number(ValueType::Integer, "the filling of the ellipse")?;
                let height = self.need_number(ValueType::Integer, "the height of the ellipse")?;
                let width = self.need_number(ValueType::Integer, "the width of the ellipse")?;
                let center = self.need_number(ValueType::Coordinate, "the center of the ellipse")?;
                let center = self.place(center);
                let mut selection = Selection::new();
                selection.add_ellipse(center, width as i32, height as i32, outline as i32 == 0);
                selection
            }
            Opcode::SelGradient => self.gradient()?,
            _ => {
                let selection = self.need_selection()?;
                let place = match self.loader.random_square(&selection) {
                    Some((x, y)) => (schar(x - self.loader.start_x), schar(y - self.loader.start_y)),
                    None => (-1, -1),
                };
                return self.memory.push(pack_place(place.0.into(), place.1.into()));
            }
        };
        self.push_selection(selection)
    }

    /// Resolves both ends of a line and moves them into the level.
    fn line_ends(&mut self, from: i64, to: i64) -> ((i32, i32), (i32, i32)) {
        let (x1, y1) = self.place(from);
        let (x2, y2) = self.place(to);
        ((x1.max(0), y1.max(0)), (x2.min(COLUMNS - 1), y2.min(ROWS - 1)))
    }

    /// Creates a rectangle, filled or not.
    fn rectangle(&mut self, filled: bool) -> Result<Selection, Fault> {
        let region = self.need_number(ValueType::Region, "the rectangle")?;
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
        Ok(selection)
    }

    /// Takes a subset of a selection.
    fn filter(&mut self) -> Result<Selection, Fault> {
        match self.need_number(ValueType::Integer, "the type of the filter")? {
            BY_CHANCE => {
                let percent = self.need_number(ValueType::Integer, "the chance")? as i32;
                let selection = self.need_selection()?;
                let mut left = selection;
                for (x, y) in selection.iter() {
                    if self.loader.rn2(100) >= percent {
                        left.remove(x, y);
                    }
                }
                Ok(left)
            }
            BY_SELECTION => {
                let one = self.need_selection()?;
                Ok(one.intersection(&self.need_selection()?))
            }
            BY_TERRAIN => {
                let selection = self.need_selection()?;
                let wanted = self.need_number(ValueType::MapCharacter, "the terrain")?;
                let (terrain, light) = self.map_character(wanted);
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
            _ => Err(Fault::Filter),
        }
    }

    /// Creates a gradient: squares with a probability that grows with their distance from a line
    /// (`selection_do_gradient`).
    fn gradient(&mut self) -> Result<Selection, Fault> {
        let shape = self.need_number(ValueType::Integer, "the shape of the gradient")?;
        let limited = self.need_number(ValueType::Integer, "the limit of the gradient")? != 0;
        let to = self.need_number(ValueType::Coordinate, "the end of the gradient")?;
        let from = self.need_number(ValueType::Coordinate, "the start of the gradient")?;
        let most = self.need_number(ValueType::Integer, "the greatest distance")?;
        let least = self.need_number(ValueType::Integer, "the least distance")?;
        let (from, to) = (self.place(from), self.place(to));
        Ok(self.loader.gradient(&Gradient { from, to, least, most, limited, square: shape == SQUARE }))
    }
}
