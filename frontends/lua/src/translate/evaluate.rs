//! The values of expressions.

use std::rc::Rc;

use splc_ir::level::{Comparison, CoreCall, Expr, ExprKind, Operator};
use splc_ir::source::{Span, Spanned, Text};

use super::run::{COUNTER, Run};
use super::values::{Drawn, Logic, Number, Result, Stop, Table, Thing, Value, expr};
use crate::tree::{BinaryOperator, Call, Entry, Expression, ExpressionKind as Kind, UnaryOperator};

/// Libraries that a level may use.
const LIBRARIES: &[&str] = &["des", "selection", "nh", "u", "math", "string", "table", "obj"];

/// Functions without a library that a level may use.
const GLOBALS: &[&str] = &[
    "percent",
    "shuffle",
    "d",
    "monkfoodshop",
    "ipairs",
    "pairs",
    "align",
    "hell_tweaks",
    "tostring",
    "type",
    "pline",
];

pub(super) const IS_DRAWN: &str = "a des-file cannot compute this from a draw";

impl<'t> Run<'t, '_> {
    /// Evaluates a list; the last call in it gives all of its results.
    pub fn values(&mut self, list: &'t [Expression], scope: usize) -> Result<Vec<Value<'t>>> {
        let mut values = Vec::new();
        for (at, expression) in list.iter().enumerate() {
            if at + 1 == list.len() && matches!(expression.kind, Kind::Call(_)) {
                values.extend(self.many(expression, scope)?);
            } else {
                values.push(self.value(expression, scope)?);
            }
        }
        Ok(values)
    }

    /// Evaluates a call with all of its results.
    pub fn many(&mut self, expression: &'t Expression, scope: usize) -> Result<Vec<Value<'t>>> {
        let Kind::Call(call) = &expression.bare().kind else { return Ok(vec![self.value(expression, scope)?]) };
        self.deeper(expression.span, |run| run.function(call, expression.span, scope))
    }

    fn function(&mut self, call: &'t Call, span: Span, scope: usize) -> Result<Vec<Value<'t>>> {
        let (callee, mut arguments) = match &call.method {
            None => (self.value(&call.callee, scope)?, Vec::new()),
            Some(method) => {
                let of = self.value(&call.callee, scope)?;
                let function = match &of {
                    Value::Selection(_) => format!("selection.{}", method.text),
                    Value::Text(_) => format!("string.{}", method.text),
                    Value::Unknown(what) if *what != COUNTER => return Stop::lacks(span, *what),
                    _ => return Stop::lacks(span, "a method of this value"),
                };
                (Value::Game(Rc::from(function)), vec![of])
            }
        };
        arguments.extend(self.values(&call.arguments, scope)?);
        match callee {
            Value::Function(closure) => self.call(closure, arguments, span),
            Value::Game(name) => self.game(&name, arguments, span),
            Value::Unknown(what) => Stop::lacks(span, what),
            _ => Stop::lacks(span, "a call of this value"),
        }
    }

    pub fn value(&mut self, expression: &'t Expression, scope: usize) -> Result<Value<'t>> {
        let value = self.deeper(expression.span, |run| run.evaluated(expression, scope))?;
        self.weigh(&value, expression.span)?;
        Ok(value)
    }

    fn evaluated(&mut self, expression: &'t Expression, scope: usize) -> Result<Value<'t>> {
        let span = expression.span;
        Ok(match &expression.kind {
            Kind::Nil => Value::Nil,
            Kind::Boolean(truth) => Value::Boolean(*truth),
            Kind::Integer(number) => Value::Integer(*number),
            Kind::Float(number) => Value::Float(*number),
            Kind::Text(text) => match text.as_str() {
                Some(text) => Value::Text(Rc::from(text)),
                None => return Stop::lacks(span, "a string that is not text"),
            },
            Kind::Function(function) => Value::Function(super::values::Closure { function, scope }),
            Kind::Name(name) => match self.look_up(name, scope) {
                Some((_, Value::Unknown(COUNTER), _)) => return Stop::lacks(span, COUNTER),
                Some((_, value, _)) => value,
                None if LIBRARIES.contains(&name.as_str()) || GLOBALS.contains(&name.as_str()) => {
                    Value::Game(Rc::from(name.as_str()))
                }
                None => Value::Nil,
            },
            Kind::Parenthesized(inner) => self.value(inner, scope)?,
            Kind::Call(_) => self.many(expression, scope)?.into_iter().next().unwrap_or(Value::Nil),
            Kind::Field(of, name) => {
                let of = self.value(of, scope)?;
                self.field(of, &name.text, span)?
            }
            Kind::Index(of, index) => {
                let base = base_name(of);
                let of = self.value(of, scope)?;
                let index = self.value(index, scope)?;
                self.element(of, index, base, span)?
            }
            Kind::Table(entries) => {
                let mut table = Table::default();
                for entry in entries {
                    match entry {
                        Entry::Item(value) => {
                            let value = self.value(value, scope)?;
                            let value = self.bound(value, "value", span)?;
                            table.items.push(value);
                        }
                        Entry::Named(name, value) => {
                            let value = self.value(value, scope)?;
                            table.named.insert(Rc::from(name.text.as_str()), value);
                        }
                        Entry::Keyed(key, value) => match self.value(key, scope)? {
                            Value::Text(name) => {
                                let value = self.value(value, scope)?;
                                table.named.insert(name, value);
                            }
                            Value::Integer(number) if usize::try_from(number) == Ok(table.items.len() + 1) => {
                                let value = self.value(value, scope)?;
                                table.items.push(value);
                            }
                            _ => return Stop::lacks(span, "a table with these keys"),
                        },
                    }
                }
                Value::Table(self.add(Thing::Table(table)))
            }
            Kind::Unary(operator, operand) => {
                let operand = self.value(operand, scope)?;
                self.unary(*operator, operand, span)?
            }
            Kind::Binary(operator, sides) if matches!(operator, BinaryOperator::And | BinaryOperator::Or) => {
                self.choice(*operator == BinaryOperator::And, &sides.0, &sides.1, scope, span)?
            }
            Kind::Binary(..) => {
                // The left sides of a long sum are nested as deep as the sum is long.
                let (mut rest, mut left) = (Vec::new(), expression);
                while let Kind::Binary(operator, sides) = &left.kind
                    && !matches!(operator, BinaryOperator::And | BinaryOperator::Or)
                {
                    rest.push((*operator, &sides.1, left.span));
                    left = &sides.0;
                }
                let mut value = self.value(left, scope)?;
                for (operator, right, span) in rest.into_iter().rev() {
                    self.step(span)?;
                    value = self.binary(operator, value, right, scope, span)?;
                    self.weigh(&value, span)?;
                }
                value
            }
            Kind::Varargs => return Stop::lacks(span, "a function with any number of arguments"),
            Kind::Unread => return Stop::lacks(span, "invalid syntax"),
        })
    }

    fn field(&mut self, of: Value<'t>, name: &Text, span: Span) -> Result<Value<'t>> {
        Ok(match of {
            Value::Game(library) if &*library == "u" => match name.as_str() {
                "role" | "depth" => {
                    let function = if name.as_str() == "role" { "hero.role" } else { "level.depth" };
                    self.answer(function, span)
                }
                _ => Value::Unknown("a des-file does not know the hero"),
            },
            Value::Game(library) => Value::Game(Rc::from(format!("{library}.{name}"))),
            Value::Table(at) => {
                let value = self.table(at).and_then(|table| table.named.get(name.as_str())).cloned();
                value.unwrap_or(Value::Nil)
            }
            Value::Unknown(what) => return Stop::lacks(span, what),
            Value::Place(_) => Value::Unknown("a des-file cannot take a place that is drawn apart"),
            _ => return Stop::lacks(span, "a field of this value"),
        })
    }

    /// Returns the answer of a function of the game.
    pub fn answer(&mut self, function: &str, span: Span) -> Value<'t> {
        let call =
            CoreCall { function: Box::new(Spanned::new(Text::from(function), span)), arguments: Some(Vec::new()) };
        let expr = expr(ExprKind::CoreCall(call), span);
        Value::Number(Number { expr, least: 0, most: i64::from(i32::MAX), draw: None })
    }

    fn element(&mut self, of: Value<'t>, index: Value<'t>, base: &str, span: Span) -> Result<Value<'t>> {
        match (of, index) {
            (Value::Table(at), Value::Integer(number)) => {
                let item = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
                let value = item.and_then(|item| self.table(at)?.items.get(item)).cloned();
                Ok(value.unwrap_or(Value::Nil))
            }
            (Value::Table(at), Value::Text(name)) => {
                Ok(self.table(at).and_then(|table| table.named.get(&name)).cloned().unwrap_or(Value::Nil))
            }
            (Value::Table(at), Value::Number(number)) => {
                let Some(table) = self.table(at) else { return Ok(Value::Nil) };
                let within =
                    number.least >= 1 && usize::try_from(number.most).is_ok_and(|most| most <= table.items.len());
                let plain = |value: &Value<'t>| match value {
                    Value::Text(_) | Value::Integer(_) => true,
                    Value::Table(at) => {
                        self.table(*at).is_some_and(|table| table.items.len() == 2 || table.named.len() == 2)
                    }
                    _ => false,
                };
                if !within || !table.items.iter().all(plain) {
                    return self.needs(&number, span);
                }
                let array = self.array(at, base, span, false)?;
                match number.plus(-1) {
                    Some(index) => Ok(Value::Element { array, index }),
                    None => Stop::lacks(span, IS_DRAWN),
                }
            }
            (Value::Game(name), Value::Integer(number)) if &*name == "align" => {
                Ok(i32::try_from(number.saturating_sub(1)).map_or(Value::Nil, Value::Alignment))
            }
            (Value::Unknown(what), _) | (_, Value::Unknown(what)) => Stop::lacks(span, what),
            _ => Stop::lacks(span, "an element of this value"),
        }
    }

    fn unary(&mut self, operator: UnaryOperator, operand: Value<'t>, span: Span) -> Result<Value<'t>> {
        Ok(match (operator, operand) {
            (UnaryOperator::Minus, Value::Integer(number)) => Value::Integer(number.wrapping_neg()),
            (UnaryOperator::Minus, Value::Float(number)) => Value::Float(-number),
            (UnaryOperator::Minus, Value::Number(number)) => {
                let zero = Number::known(0, span).and_then(|zero| zero.with(Operator::Subtract, number));
                zero.map_or(Value::Unknown(IS_DRAWN), Value::Number)
            }
            (UnaryOperator::Not, Value::Condition(Drawn { condition, draw })) => {
                Value::Condition(Drawn { condition: condition.negated(), draw })
            }
            (UnaryOperator::Not, value) => match value.truth() {
                Some(truth) => Value::Boolean(!truth),
                None => value,
            },
            (UnaryOperator::Length, Value::Table(at)) => {
                Value::Integer(self.table(at).map_or(0, |table| table.items.len()) as i64)
            }
            (UnaryOperator::Length, Value::Text(text)) => Value::Integer(text.len() as i64),
            (UnaryOperator::Minus | UnaryOperator::BitNot, value @ Value::Selection(_)) => {
                return self.selection_function("negate", vec![value], span);
            }
            (_, Value::Unknown(what)) => Value::Unknown(what),
            _ => Value::Unknown(IS_DRAWN),
        })
    }

    /// Evaluates `and` or `or`.
    fn choice(
        &mut self,
        is_and: bool,
        left: &'t Expression,
        right: &'t Expression,
        scope: usize,
        span: Span,
    ) -> Result<Value<'t>> {
        let first = self.value(left, scope)?;
        match (first.truth(), first) {
            (Some(truth), first) => {
                if truth == is_and {
                    self.value(right, scope)
                } else {
                    Ok(first)
                }
            }
            (None, Value::Condition(drawn)) => {
                let second = self.value(right, scope)?;
                match (second, drawn) {
                    (Value::Boolean(truth), drawn) if truth == is_and => Ok(Value::Condition(drawn)),
                    (Value::Boolean(truth), _) => Ok(Value::Boolean(truth)),
                    (Value::Condition(other), drawn) => {
                        let (one, other) = (Box::new(drawn.condition), Box::new(other.condition));
                        let logic = if is_and { Logic::Both(one, other) } else { Logic::Either(one, other) };
                        Ok(self.draw_condition(logic))
                    }
                    (_, Drawn { draw: Some(draw), .. }) => Err(Stop::Draw(draw, span)),
                    _ => Stop::lacks(span, IS_DRAWN),
                }
            }
            (None, value) => Ok(value),
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        first: Value<'t>,
        right: &'t Expression,
        scope: usize,
        span: Span,
    ) -> Result<Value<'t>> {
        use BinaryOperator as Op;
        let second = self.value(right, scope)?;
        if let (Value::Selection(_), Value::Selection(_)) = (&first, &second) {
            return self.combined(operator, first, second, span);
        }
        Ok(match (first, second) {
            (Value::Integer(one), Value::Integer(other)) => match integers(operator, one, other) {
                Some(value) => value,
                None => return Stop::lacks(span, "this sum"),
            },
            (Value::Unknown(what), _) | (_, Value::Unknown(what)) => Value::Unknown(what),
            (Value::Number(one), Value::Integer(other)) => {
                let Some(other) = Number::known(other, span) else { return Ok(Value::Unknown(IS_DRAWN)) };
                self.numbers(operator, one, other)
            }
            (Value::Integer(one), Value::Number(other)) => {
                let Some(one) = Number::known(one, span) else { return Ok(Value::Unknown(IS_DRAWN)) };
                self.numbers(operator, one, other)
            }
            (Value::Number(one), Value::Number(other)) => self.numbers(operator, one, other),
            (one @ (Value::Integer(_) | Value::Float(_)), other @ (Value::Integer(_) | Value::Float(_))) => {
                let float = |value: &Value<'_>| match value {
                    Value::Integer(number) => *number as f64,
                    Value::Float(number) => *number,
                    _ => f64::NAN,
                };
                let (one, other) = (float(&one), float(&other));
                match operator {
                    Op::Add => Value::Float(one + other),
                    Op::Subtract => Value::Float(one - other),
                    Op::Multiply => Value::Float(one * other),
                    Op::Divide => Value::Float(one / other),
                    Op::FloorDivide => Value::Float((one / other).floor()),
                    Op::Modulo => Value::Float(one - (one / other).floor() * other),
                    Op::Less => Value::Boolean(one < other),
                    Op::LessOrEqual => Value::Boolean(one <= other),
                    Op::Greater => Value::Boolean(one > other),
                    Op::GreaterOrEqual => Value::Boolean(one >= other),
                    Op::Equal => Value::Boolean(one == other),
                    Op::NotEqual => Value::Boolean(one != other),
                    _ => return Stop::lacks(span, "this sum"),
                }
            }
            (Value::Text(one), Value::Text(other)) if operator == Op::Concatenate => {
                Value::Text(Rc::from(format!("{one}{other}")))
            }
            (Value::Text(one), Value::Integer(other)) if operator == Op::Concatenate => {
                Value::Text(Rc::from(format!("{one}{other}")))
            }
            (Value::Element { index, .. }, _) | (_, Value::Element { index, .. }) => return self.needs(&index, span),
            (Value::Condition(Drawn { draw: Some(draw), .. }), _)
            | (_, Value::Condition(Drawn { draw: Some(draw), .. })) => {
                return Err(Stop::Draw(draw, span));
            }
            (one, other) if matches!(operator, Op::Equal | Op::NotEqual) => {
                let same = match (&one, &other) {
                    (Value::Nil, Value::Nil) => true,
                    (Value::Text(one), Value::Text(other)) => one == other,
                    (Value::Boolean(one), Value::Boolean(other)) => one == other,
                    (Value::Table(one), Value::Table(other)) | (Value::Selection(one), Value::Selection(other)) => {
                        one == other
                    }
                    _ => false,
                };
                Value::Boolean(same == (operator == Op::Equal))
            }
            _ => return Stop::lacks(span, "a des-file cannot combine these values"),
        })
    }

    /// Combines numbers of which one is drawn.
    fn numbers(&mut self, operator: BinaryOperator, one: Number, other: Number) -> Value<'t> {
        use BinaryOperator as Op;
        let comparison = match operator {
            Op::Equal => Some(Comparison::Equal),
            Op::NotEqual => Some(Comparison::NotEqual),
            Op::Less => Some(Comparison::Less),
            Op::LessOrEqual => Some(Comparison::LessEqual),
            Op::Greater => Some(Comparison::Greater),
            Op::GreaterOrEqual => Some(Comparison::GreaterEqual),
            _ => None,
        };
        if let Some(comparison) = comparison {
            // `1d3 - 1 == 0` is `1d3 == 1`.
            let known = if let ExprKind::Integer(number) = other.expr.kind { Some(number) } else { None };
            let (one, other) = match (apart(&one.expr), known) {
                (Some((drawn, added)), Some(number)) => {
                    (drawn, expr(ExprKind::Integer(number.saturating_sub(added)), other.expr.span))
                }
                _ => (one.expr, other.expr),
            };
            return self.draw_condition(Logic::compare(one, comparison, other));
        }
        let operator = match operator {
            Op::Add => Operator::Add,
            Op::Subtract => Operator::Subtract,
            Op::Multiply => Operator::Multiply,
            Op::FloorDivide => Operator::Divide,
            Op::Modulo => Operator::Remainder,
            _ => return Value::Unknown(IS_DRAWN),
        };
        one.with(operator, other).map_or(Value::Unknown(IS_DRAWN), Value::Number)
    }

    /// Returns the pairs of a loop over a table.
    pub fn pairs(&mut self, values: &'t [Expression], scope: usize, span: Span) -> Result<Vec<(Value<'t>, Value<'t>)>> {
        let [Expression { kind: Kind::Call(call), .. }] = values else {
            return Stop::lacks(span, "a loop with this iterator");
        };
        let (Value::Game(function), [argument]) = (self.value(&call.callee, scope)?, call.arguments.as_slice()) else {
            return Stop::lacks(span, "a loop with this iterator");
        };
        let table = match self.value(argument, scope)? {
            Value::Table(at) => self.table(at).cloned().unwrap_or_default(),
            _ => return Stop::lacks(span, "a loop over this value"),
        };
        let items = (1..).map(Value::Integer).zip(table.items);
        match &*function {
            "ipairs" => Ok(items.collect()),
            "pairs" if table.named.is_empty() => Ok(items.collect()),
            _ => Stop::lacks(span, "a loop over keys without an order"),
        }
    }
}

/// Returns a value and the number that is added to it.
fn apart(sum: &Expr) -> Option<(Expr, i32)> {
    let ExprKind::Chain { first, rest } = &sum.kind else { return None };
    match rest.as_slice() {
        [(Operator::Add, Expr { kind: ExprKind::Integer(number), .. })] => Some(((**first).clone(), *number)),
        [(Operator::Subtract, Expr { kind: ExprKind::Integer(number), .. })] => {
            Some(((**first).clone(), number.checked_neg()?))
        }
        _ => None,
    }
}

/// Returns the name of the variable that an expression reads.
fn base_name(expression: &Expression) -> &str {
    match &expression.bare().kind {
        Kind::Name(name) => name.as_str(),
        _ => "list",
    }
}

fn integers(operator: BinaryOperator, one: i64, other: i64) -> Option<Value<'static>> {
    use BinaryOperator as Op;
    Some(match operator {
        Op::Add => Value::Integer(one.wrapping_add(other)),
        Op::Subtract => Value::Integer(one.wrapping_sub(other)),
        Op::Multiply => Value::Integer(one.wrapping_mul(other)),
        Op::FloorDivide if other > 0 => Value::Integer(one.div_euclid(other)),
        Op::Modulo if other > 0 => Value::Integer(one.rem_euclid(other)),
        Op::Divide => Value::Float(one as f64 / other as f64),
        Op::Less => Value::Boolean(one < other),
        Op::LessOrEqual => Value::Boolean(one <= other),
        Op::Greater => Value::Boolean(one > other),
        Op::GreaterOrEqual => Value::Boolean(one >= other),
        Op::Equal => Value::Boolean(one == other),
        Op::NotEqual => Value::Boolean(one != other),
        Op::Concatenate => Value::Text(Rc::from(format!("{one}{other}"))),
        _ => return None,
    })
}
