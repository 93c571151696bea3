//! Values that do not depend on the dice.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use splc_ir::level::*;
use splc_ir::order::Order;
use splc_ir::source::{Span, Spanned, Text};

/// The value of a variable.
#[derive(Clone, Debug)]
pub(crate) enum Held {
    /// A single value.
    One(ExprKind),
    /// An array, in order.
    Array(Vec<ExprKind>),
    /// A shuffled array, which lists represent as registers.
    Registers(RegisterKind, usize),
    /// A value that depends on the dice, with the reason.
    Unknown(&'static str),
}

/// The variables of a level or of a call.
pub(crate) type Scope = HashMap<Text, Held>;

/// The reason why a value is unknown.
pub(crate) type Unknown = String;

/// Dice for chance that a list cannot leave to the game. The same seed always gives the same results.
///
/// They do not reproduce the draws of a game: the resulting level is one of its possible outcomes, but not the outcome
/// of the same seed elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    state: Rc<Cell<u64>>,
    thrown: Rc<Cell<usize>>,
}

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice { state: Rc::new(Cell::new(seed)), thrown: Rc::default() }
    }

    /// Returns independent dice, so that the results for one level do not depend on the number of throws for another.
    pub fn fork(&self) -> Self {
        Dice::new(self.next())
    }

    /// Returns a number from 0 to `sides - 1`, or 0 if `sides` is less than 1.
    pub fn below(&self, sides: i32) -> i32 {
        self.thrown.set(self.thrown.get() + 1);
        // The upper half of the product: as even a distribution as 64 bits allow.
        ((u128::from(self.next()) * sides.max(1) as u128) >> 64) as i32
    }

    /// Advances the generator (SplitMix64, by Steele, Lea and Flood).
    fn next(&self) -> u64 {
        let state = self.state.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.state.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns the number of throws.
    pub fn thrown(&self) -> usize {
        self.thrown.get()
    }

    fn roll(&self, count: i32, sides: i32) -> i32 {
        /// A limit beyond any sensible level, because a script can request any number of dice.
        const MOST: i32 = 10_000;
        (0..count.clamp(0, MOST)).map(|_| self.below(sides) + 1).sum()
    }
}

/// The context for evaluating a value.
pub(crate) struct Knowledge<'s> {
    pub scope: &'s Scope,
    /// Dice for the rest, if it is to be resolved.
    pub dice: Option<Dice>,
}

const RANDOM: &str = "its value is random";

/// Evaluates `expr` as far as possible, to a literal, a random value or a register.
pub(crate) fn value(expr: &Expr, known: &Knowledge<'_>) -> Result<ExprKind, Unknown> {
    let computed = match &expr.kind {
        ExprKind::Group(inner) => value(inner, known)?,
        ExprKind::Variable(variable) => variable_value(variable, known)?,
        ExprKind::Chain { first, rest } => chain(first, rest, known)?,
        ExprKind::ComputedCoordinate { x, y } => match (integer(x, known)?, integer(y, known)?) {
            // The column is one byte with a sign, and a place left of the level is any place (`get_location`).
            (x, _) if (x as i8).is_negative() => ExprKind::RandomCoordinate { humidity: Vec::new() },
            (x, y) => ExprKind::Coordinate { x, y },
        },
        ExprKind::Selection(selection) => ExprKind::Selection(Box::new(self::selection(selection, known)?)),
        ExprKind::SelectedCoordinate(selection) => {
            let selection = self::selection(selection, known)?;
            match (squares(&selection).as_deref(), &known.dice) {
                (Some(&[(x, y)]), _) => ExprKind::Coordinate { x, y },
                (Some(squares @ [_, ..]), Some(dice)) => {
                    let (x, y) = squares[dice.below(squares.len() as i32) as usize];
                    ExprKind::Coordinate { x, y }
                }
                _ => return Err("a place in a selection is drawn when the level is loaded".to_owned()),
            }
        }
        ExprKind::Method { .. } | ExprKind::CoreCall(_) => {
            return Err("it depends on the game when the level is loaded".to_owned());
        }
        ExprKind::Dice { count, sides } => match &known.dice {
            Some(dice) => ExprKind::Integer(dice.roll(*count, *sides)),
            None => expr.kind.clone(),
        },
        literal => literal.clone(),
    };
    Ok(computed)
}

fn variable_value(variable: &Variable, known: &Knowledge<'_>) -> Result<ExprKind, Unknown> {
    let name = &variable.name;
    let index = match &variable.index {
        Some(index) => Some(integer(index, known)?),
        None => None,
    };
    match (known.scope.get(name), index) {
        (Some(Held::One(value)), None) => Ok(value.clone()),
        (Some(Held::Array(values)), Some(index)) => {
            let value = usize::try_from(index).ok().and_then(|index| values.get(index));
            value.cloned().ok_or_else(|| format!("{name} has no value {index}"))
        }
        (Some(&Held::Registers(of, count)), Some(index)) if (0..count as i32).contains(&index) => {
            Ok(ExprKind::Register { of, index: Spanned::new(index, Span::NOWHERE) })
        }
        (Some(Held::Registers(..)), _) => Err(format!("{name} has no such value")),
        (Some(Held::Unknown(why)), _) => Err(format!("{name} is unknown before the level is loaded: {why}")),
        _ => Err(format!("{name} is unknown here")),
    }
}

fn chain(first: &Expr, rest: &[(Operator, Expr)], known: &Knowledge<'_>) -> Result<ExprKind, Unknown> {
    let mut left = value(first, known)?;
    for (operator, right) in rest {
        let right = value(right, known)?;
        left = match (left, operator, right) {
            (ExprKind::Integer(left), operator, ExprKind::Integer(right)) => {
                let computed = match operator {
                    Operator::Add => Some(left.wrapping_add(right)),
                    Operator::Subtract => Some(left.wrapping_sub(right)),
                    Operator::Multiply => Some(left.wrapping_mul(right)),
                    Operator::Divide => left.checked_div(right),
                    Operator::Remainder => left.checked_rem(right),
                    Operator::Concatenate => None,
                };
                ExprKind::Integer(computed.ok_or("a division by zero")?)
            }
            (ExprKind::String(mut left), Operator::Concatenate, ExprKind::String(right)) => {
                left.push_str(&right);
                ExprKind::String(left)
            }
            _ => return Err(RANDOM.to_owned()),
        };
    }
    Ok(left)
}

/// Evaluates `expr` to a number.
pub(crate) fn integer(expr: &Expr, known: &Knowledge<'_>) -> Result<i32, Unknown> {
    match value(expr, known)? {
        ExprKind::Integer(number) => Ok(number),
        _ => Err(RANDOM.to_owned()),
    }
}

/// Evaluates `expr` and fails if the result is drawn at random.
pub(super) fn certain(expr: &Expr, known: &Knowledge<'_>) -> Result<ExprKind, Unknown> {
    let known = value(expr, known)?;
    let random = match &known {
        ExprKind::Dice { .. } | ExprKind::RandomCoordinate { .. } | ExprKind::Random | ExprKind::Register { .. } => {
            true
        }
        ExprKind::Monster(species) | ExprKind::Object(species) => *species == SpeciesName::Random,
        ExprKind::Selection(selection) => squares(selection).is_none(),
        _ => false,
    };
    if random { Err(RANDOM.to_owned()) } else { Ok(known) }
}

/// Returns `selection` with its expressions evaluated.
pub(super) fn selection(selection: &Selection, known: &Knowledge<'_>) -> Result<Selection, Unknown> {
    let with = |expr: &Expr| Ok::<Expr, Unknown>(Expr { kind: value(expr, known)?, span: expr.span });
    let inner = |inner: &Selection| Ok::<Box<Selection>, Unknown>(Box::new(self::selection(inner, known)?));
    let kind = match &selection.kind {
        SelectionKind::Group(inner) => return self::selection(inner, known),
        SelectionKind::Point(place) => SelectionKind::Point(with(place)?),
        SelectionKind::Rectangle(region) => SelectionKind::Rectangle(with(region)?),
        SelectionKind::FilledRectangle(region) => SelectionKind::FilledRectangle(with(region)?),
        SelectionKind::Line(from, to) => SelectionKind::Line(with(from)?, Box::new(with(to)?)),
        SelectionKind::Union(parts) => {
            let parts: Result<_, Unknown> = parts.iter().map(|part| self::selection(part, known)).collect();
            SelectionKind::Union(parts?)
        }
        SelectionKind::FilterSelection { filter, selection } => {
            SelectionKind::FilterSelection { filter: inner(filter)?, selection: inner(selection)? }
        }
        SelectionKind::FilterPercent { percent, selection: filtered } => match (&known.dice, inner(filtered)?) {
            (Some(dice), filtered) => match squares(&filtered) {
                Some(all) => {
                    let stay = all.into_iter().filter(|_| dice.below(100) < percent.node);
                    SelectionKind::Union(stay.map(|(x, y)| point(x, y, selection.span)).collect())
                }
                None => SelectionKind::FilterPercent { percent: *percent, selection: filtered },
            },
            (None, filtered) => SelectionKind::FilterPercent { percent: *percent, selection: filtered },
        },
        SelectionKind::Variable(variable) => match variable_value(variable, known)? {
            ExprKind::Selection(known) => return Ok(Selection { kind: known.kind, span: selection.span }),
            place @ ExprKind::Coordinate { .. } => SelectionKind::Point(Expr { kind: place, span: selection.span }),
            _ => return Err(RANDOM.to_owned()),
        },
        other => other.clone(),
    };
    Ok(Selection { kind, span: selection.span })
}

fn point(x: i32, y: i32, span: Span) -> Selection {
    Selection { kind: SelectionKind::Point(Expr { kind: ExprKind::Coordinate { x, y }, span }), span }
}

/// Returns the squares of `selection`, each once, row by row, or `None` if they depend on the dice or the map.
///
/// Only horizontal, vertical and diagonal lines are known. The course of any other line depends on the loader.
pub(super) fn squares(selection: &Selection) -> Option<Vec<(i32, i32)>> {
    let mut squares = unsorted(selection)?;
    squares.order_by_key(|&(x, y)| (y, x));
    squares.dedup();
    Some(squares)
}

/// A bound on coordinates, larger than any level.
const EDGE: i32 = 128;

fn unsorted(selection: &Selection) -> Option<Vec<(i32, i32)>> {
    let region = |expr: &Expr| match expr.kind {
        ExprKind::Region { corners: [x1, y1, x2, y2] } if [x1, y1, x2, y2].iter().all(|edge| edge.abs() < EDGE) => {
            Some([x1, y1, x2, y2])
        }
        _ => None,
    };
    let place = |expr: &Expr| match expr.kind {
        ExprKind::Coordinate { x, y } if x.abs() < EDGE && y.abs() < EDGE => Some((x, y)),
        _ => None,
    };
    Some(match &selection.kind {
        SelectionKind::Group(inner) => return unsorted(inner),
        SelectionKind::Point(expr) => vec![place(expr)?],
        SelectionKind::FilledRectangle(expr) => {
            let [x1, y1, x2, y2] = region(expr)?;
            (y1..=y2).flat_map(|y| (x1..=x2).map(move |x| (x, y))).collect()
        }
        SelectionKind::Rectangle(expr) => {
            let [x1, y1, x2, y2] = region(expr)?;
            let all = (y1..=y2).flat_map(|y| (x1..=x2).map(move |x| (x, y)));
            all.filter(|&(x, y)| x == x1 || x == x2 || y == y1 || y == y2).collect()
        }
        SelectionKind::Line(from, to) => {
            let ((x1, y1), (x2, y2)) = (place(from)?, place(to)?);
            let (across, down) = (x2.checked_sub(x1)?, y2.checked_sub(y1)?);
            if across != 0 && down != 0 && across.unsigned_abs() != down.unsigned_abs() {
                return None;
            }
            let steps = across.abs().max(down.abs());
            (0..=steps).map(|step| (x1 + step * across.signum(), y1 + step * down.signum())).collect()
        }
        SelectionKind::Union(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(squares(part)?);
            }
            all
        }
        SelectionKind::FilterSelection { filter, selection } => {
            let (filter, all) = (squares(filter)?, squares(selection)?);
            all.into_iter().filter(|square| filter.contains(square)).collect()
        }
        _ => return None,
    })
}
