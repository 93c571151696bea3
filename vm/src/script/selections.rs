//! Selections: sets of squares, made and combined.

use splc_ir::catalog::LoaderRule;
use splc_ir::program::Opcode;
use splc_ir::value::ValueType;

use super::Script;
use super::core::pack_place;
use crate::error::Fault;
use crate::level::{COLUMNS, ROWS, is_ok};
use crate::loader::{Spread, schar, schar_of, square_root};
use crate::observer::Observer;
use crate::rng::Rng;
use crate::selection::{Growth, Selection};
use crate::value::Value;

/// Kinds of filters.
const BY_CHANCE: i64 = 0;
const BY_SELECTION: i64 = 1;
const BY_TERRAIN: i64 = 2;
/// Shape of a gradient; all others are radial.
const SQUARE: i64 = 1;
/// How often a random line is divided.
const DIVISIONS: i32 = 12;

impl<R: Rng, O: Observer> Script<'_, R, O> {
    fn need_selection(&mut self) -> Result<Selection, Fault> {
        match self.need(ValueType::Selection, "what is selected from")? {
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

    /// A place for a selection: anywhere.
    fn place(&mut self, packed: i64) -> (i32, i32) {
        self.loader.location_of(packed, self.loader.anywhere(), self.room())
    }

    /// Runs an opcode that makes a selection, or a place of one.
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
                self.random_line(&mut selection, from, to, schar_of(rough), DIVISIONS)?;
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
                if self.loader.has(LoaderRule::FloodsOverrun) {
                    self.loader.spread_to_the_brim(&mut selection, (x, y))?;
                } else if !self.loader.has(LoaderRule::FloodfillSelectsNothing) {
                    let terrain = self.loader.terrain(x, y);
                    self.loader.spread(&mut selection, (x, y), Spread::Same(terrain));
                }
                selection
            }
            Opcode::SelEllipse => {
                let outline = self.need_number(ValueType::Integer, "whether the ellipse is filled")?;
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

    /// Both ends of a line, moved into the level.
    fn line_ends(&mut self, from: i64, to: i64) -> ((i32, i32), (i32, i32)) {
        let (x1, y1) = self.place(from);
        let (x2, y2) = self.place(to);
        ((x1.max(0), y1.max(0)), (x2.min(COLUMNS - 1), y2.min(ROWS - 1)))
    }

    /// A rectangle, filled or not.
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

    /// Takes a part of a selection.
    fn filter(&mut self) -> Result<Selection, Fault> {
        match self.need_number(ValueType::Integer, "the kind of filter")? {
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

    /// Adds a line that strays at random (`selection_do_randline`). SporkHack 0.7.0 takes its numbers from C's `rand`, which
    /// nothing seeds; a draw stands for each of them.
    fn random_line(
        &mut self,
        selection: &mut Selection,
        (x1, y1): (i32, i32),
        (x2, y2): (i32, i32),
        rough: i32,
        divisions: i32,
    ) -> Result<(), Fault> {
        if divisions < 1 {
            return Ok(());
        }
        if (x1, y1) == (x2, y2) {
            selection.add(x1, y1);
            return Ok(());
        }
        let rough = schar(rough.min((x2 - x1).abs().max((y2 - y1).abs())));
        let (middle_x, middle_y) = ((x1 + x2) / 2, (y1 + y2) / 2);
        let (mut x, mut y) = (middle_x, middle_y);
        if rough >= 2 {
            loop {
                x = middle_x + self.loader.rn2(rough) - rough / 2;
                y = middle_y + self.loader.rn2(rough) - rough / 2;
                if (0..COLUMNS).contains(&x) && (0..ROWS).contains(&y) {
                    break;
                }
                self.loader.check_draws()?;
            }
        }
        selection.add(x, y);
        let rough = schar(rough * 2 / 3);
        let middle = (schar(x), schar(y));
        self.random_line(selection, (x1, y1), middle, rough, divisions - 1)?;
        self.random_line(selection, middle, (x2, y2), rough, divisions - 1)
    }

    /// Squares, the likelier the farther they are from a line (`selection_do_gradient`).
    fn gradient(&mut self) -> Result<Selection, Fault> {
        let shape = self.need_number(ValueType::Integer, "the shape of the gradient")?;
        let limited = self.need_number(ValueType::Integer, "whether the gradient is limited")? != 0;
        let to = self.need_number(ValueType::Coordinate, "the end of the gradient")?;
        let from = self.need_number(ValueType::Coordinate, "the start of the gradient")?;
        let most = self.need_number(ValueType::Integer, "the greatest distance")?;
        let least = self.need_number(ValueType::Integer, "the least distance")?;
        let (x, y) = self.place(from);
        let (x2, y2) = self.place(to);
        let (least, most) = (least.min(most), least.max(most));
        let span = most.wrapping_sub(least).max(1);
        let far = |column: i32, row: i32| line_distance((x, y), (x2, y2), (column, row));
        let mut selection = Selection::new();
        for column in 0..COLUMNS {
            for row in 0..ROWS {
                let straight = far(column, row);
                let distance = if shape == SQUARE {
                    let near = far(x, row).max(far(column, y));
                    let other = far(x2, row).max(far(column, y2));
                    straight.min(near.min(other))
                } else {
                    straight
                };
                if distance >= least
                    && (!limited || distance <= most)
                    && distance.wrapping_sub(least) > i64::from(self.loader.rn2(span as i32))
                {
                    selection.add(column, row);
                }
            }
        }
        Ok(selection)
    }
}

/// Distance of a square from a line, as the games reckon it, in single precision (`line_dist_coord`).
fn line_distance((x1, y1): (i32, i32), (x2, y2): (i32, i32), (x, y): (i32, i32)) -> i64 {
    let [x1, y1, x2, y2, x, y] = [x1, y1, x2, y2, x, y].map(i64::from);
    let (px, py) = (x2 - x1, y2 - y1);
    if px == 0 && py == 0 {
        return square_root((x1 - x) * (x1 - x) + (y1 - y) * (y1 - y));
    }
    let along = ((x - x1) * px + (y - y1) * py) as f32 / (px * px + py * py) as f32;
    let along = along.clamp(0.0, 1.0);
    let near_x = (x1 as f32 + along * px as f32) as i64;
    let near_y = (y1 as f32 + along * py as f32) as i64;
    square_root((near_x - x) * (near_x - x) + (near_y - y) * (near_y - y))
}
