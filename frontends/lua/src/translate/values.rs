//! The values of a translation: known, or expressions of the level.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use splc_ir::level::{Comparison, Condition, Expr, ExprKind, Operator, Selection, Variable};
use splc_ir::source::{Span, Text};
use splc_ir::value::ValueType;

use super::Untranslatable;
use crate::tree;

/// The reason why something is not translated as it is.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    /// It changes a variable from outside of a branch or loop.
    Outer(Span),
    /// It needs the value of a draw.
    Draw(usize, Span),
    /// It has no counterpart.
    Lacks(Untranslatable),
}

pub(super) type Result<T> = std::result::Result<T, Stop>;

impl Stop {
    pub fn lacks<T>(span: Span, what: impl Into<String>) -> Result<T> {
        Err(Stop::Lacks(Untranslatable { span, what: what.into() }))
    }
}

/// A value of the script.
#[derive(Clone, Debug)]
pub(super) enum Value<'t> {
    Nil,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    Text(Rc<str>),
    Table(usize),
    Selection(usize),
    Function(Closure<'t>),
    /// A function or library of the game, such as `des.monster` or `math`.
    Game(Rc<str>),
    /// A number that the level draws.
    Number(Number),
    /// A condition that the level draws.
    Condition(Drawn),
    /// A place that the level draws.
    Place(Expr),
    /// An element of an array of the level.
    Element {
        array: usize,
        index: Number,
    },
    /// `align[n]`, from 0.
    Alignment(i32),
    /// Something that a des-file cannot express.
    Unknown(&'static str),
}

/// A function with its scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closure<'t> {
    pub function: &'t tree::Function,
    pub scope: usize,
}

/// A number that the level draws.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub expr: Expr,
    pub least: i64,
    pub most: i64,
    /// The draw on which it depends, if it can be split.
    pub draw: Option<usize>,
}

/// A condition that the level draws, with its draw.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub condition: Logic,
    pub draw: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Logic {
    Plain(Condition),
    Not(Box<Logic>),
    Both(Box<Logic>, Box<Logic>),
    Either(Box<Logic>, Box<Logic>),
}

/// An object of the script that can change.
#[derive(Clone, Debug)]
pub(super) enum Thing<'t> {
    Table(Table<'t>),
    Selection(Squares),
}

/// The keys of a table that a call has not taken out yet.
pub(super) type Keys<'t> = Rc<RefCell<BTreeMap<Rc<str>, Value<'t>>>>;

#[derive(Clone, Debug, Default)]
pub(super) struct Table<'t> {
    pub items: Vec<Value<'t>>,
    pub named: BTreeMap<Rc<str>, Value<'t>>,
}

/// A selection: its expression, `None` if it is empty.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    pub of: Option<Selection>,
    /// The number of the map or room by which its coordinates count.
    pub origin: usize,
    /// The array of its squares once they are drawn one by one, and the next of them.
    pub dealt: Option<(usize, usize)>,
}

/// An array of the level.
#[derive(Clone, Debug)]
pub(super) struct Array<'t> {
    pub name: Text,
    /// The table that it was made of.
    pub table: usize,
    pub values: Vec<Value<'t>>,
    /// The type of its values and their expressions, once it is used.
    pub of: Option<(ValueType, Vec<Expr>)>,
}

impl Value<'_> {
    /// Returns its truth, if it is known.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Value::Nil | Value::Boolean(false) => Some(false),
            Value::Condition(_) | Value::Unknown(_) => None,
            _ => Some(true),
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

pub(super) fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

pub(super) fn variable(name: &Text, ty: ValueType) -> ExprKind {
    ExprKind::Variable(Variable { name: name.clone(), index: None, ty: splc_ir::level::Type::of(ty) })
}

impl Number {
    /// Creates a number that is drawn from `least` to `most`, all of them equally likely.
    pub fn uniform(least: i64, most: i64, draw: usize, span: Span) -> Option<Number> {
        let sides = i32::try_from(most.checked_sub(least)?.checked_add(1)?).ok()?;
        let number = Number {
            expr: expr(ExprKind::Dice { count: 1, sides }, span),
            least: 1,
            most: sides.into(),
            draw: Some(draw),
        };
        number.plus(least.checked_sub(1)?)
    }

    /// Adds a known number.
    pub fn plus(self, other: i64) -> Option<Number> {
        let (operator, amount) =
            if other < 0 { (Operator::Subtract, other.checked_neg()?) } else { (Operator::Add, other) };
        if amount == 0 {
            return Some(self);
        }
        let value = expr(ExprKind::Integer(i32::try_from(amount).ok()?), self.expr.span);
        let span = self.expr.span;
        let kind = ExprKind::Chain { first: Box::new(grouped(self.expr)), rest: vec![(operator, value)] };
        Some(Number {
            expr: expr(kind, span),
            least: self.least.checked_add(other)?,
            most: self.most.checked_add(other)?,
            draw: self.draw,
        })
    }

    /// Combines it with another.
    pub fn with(self, operator: Operator, other: Number) -> Option<Number> {
        let ends = |apply: fn(i64, i64) -> Option<i64>| {
            let all = [
                (self.least, other.least),
                (self.least, other.most),
                (self.most, other.least),
                (self.most, other.most),
            ];
            let all: Option<Vec<i64>> = all.into_iter().map(|(one, two)| apply(one, two)).collect();
            let all = all?;
            Some((*all.iter().min()?, *all.iter().max()?))
        };
        let (least, most) = match operator {
            Operator::Add => ends(i64::checked_add)?,
            Operator::Subtract => ends(i64::checked_sub)?,
            Operator::Multiply => ends(i64::checked_mul)?,
            Operator::Divide if self.least >= 0 && other.least > 0 => ends(i64::checked_div)?,
            Operator::Remainder if self.least >= 0 && other.least > 0 => (0, other.most - 1),
            _ => return None,
        };
        let draw = self.draw.or(other.draw);
        let span = self.expr.span;
        let rest = vec![(operator, grouped(other.expr))];
        let kind = ExprKind::Chain { first: Box::new(grouped(self.expr)), rest };
        Some(Number { expr: expr(kind, span), least, most, draw })
    }

    /// Creates a known number.
    pub fn known(number: i64, span: Span) -> Option<Number> {
        let kind = ExprKind::Integer(i32::try_from(number).ok()?);
        Some(Number { expr: expr(kind, span), least: number, most: number, draw: None })
    }
}

/// Returns an operand, in parentheses if it is a sum.
fn grouped(operand: Expr) -> Expr {
    match operand.kind {
        ExprKind::Chain { .. } => {
            let span = operand.span;
            expr(ExprKind::Group(Box::new(operand)), span)
        }
        _ => operand,
    }
}

impl Logic {
    pub fn compare(left: Expr, comparison: Comparison, right: Expr) -> Logic {
        Logic::Plain(Condition::Compare { left, comparison, right })
    }

    pub fn negated(self) -> Logic {
        match self {
            Logic::Not(inner) => *inner,
            Logic::Plain(Condition::Compare { left, comparison, right }) => {
                let comparison = match comparison {
                    Comparison::Equal => Comparison::NotEqual,
                    Comparison::NotEqual => Comparison::Equal,
                    Comparison::Less => Comparison::GreaterEqual,
                    Comparison::LessEqual => Comparison::Greater,
                    Comparison::Greater => Comparison::LessEqual,
                    Comparison::GreaterEqual => Comparison::Less,
                };
                Logic::Plain(Condition::Compare { left, comparison, right })
            }
            logic => Logic::Not(Box::new(logic)),
        }
    }
}
