//! The possible values of an expression, as far as they are known before the script runs.
//!
//! A variable that is set once has that value, unless a table in it may be changed. An item of a shuffled table, or at
//! an unknown index, can be any of the items.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use splc_ir::source::Span;

use super::scopes::{Scopes, Variable};
use crate::functions::{self, Gives, Library};
use crate::libraries;
use crate::sandbox;
use crate::tree::*;

/// The maximum number of values tracked for an expression.
const MAX_CANDIDATES: usize = 64;

/// The maximum length of a computed string, in bytes.
const MAX_TEXT: usize = 1 << 14;

/// The maximum depth to which expressions and variables are followed.
const MAX_STEPS: usize = 1500;

/// A value, or partial knowledge of one.
#[derive(Clone, Debug)]
pub(super) enum Value<'t> {
    Unknown,
    /// A value of known type.
    Typed(Type),
    Nil,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    /// A string, with its literal if it is one.
    Text(Rc<[u8]>, Option<&'t TextLiteral>),
    Table(&'t [Entry], Order),
    Function,
    Library(&'static Library),
    GameFunction(&'static Library, &'static functions::Function),
    /// A standard Lua library, by name.
    LuaLibrary(&'static str),
    /// A function of Lua or of `nhlib.lua`: the name of its library, or an empty string, and its own name.
    LuaFunction(&'static str, &'static str),
}

/// The order of the items of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Written,
    Shuffled,
}

/// Types as distinguished by Lua and the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Nil,
    Boolean,
    Number,
    Text,
    Table,
    /// A table with `x` and `y`.
    Place,
    Function,
    Selection,
    Object,
}

impl Type {
    /// Returns a noun phrase for a value of this type, for messages.
    pub fn noun(self) -> &'static str {
        match self {
            Type::Nil => "nil",
            Type::Boolean => "a boolean",
            Type::Number => "a number",
            Type::Text => "a string",
            Type::Table | Type::Place => "a table",
            Type::Function => "a function",
            Type::Selection => "a selection",
            Type::Object => "an object",
        }
    }
}

impl Value<'_> {
    /// Returns its type, if known.
    pub fn kind(&self) -> Option<Type> {
        Some(match self {
            Value::Unknown => return None,
            Value::Typed(kind) => *kind,
            Value::Nil => Type::Nil,
            Value::Boolean(_) => Type::Boolean,
            Value::Integer(_) | Value::Float(_) => Type::Number,
            Value::Text(..) => Type::Text,
            Value::Table(..) | Value::Library(_) | Value::LuaLibrary(_) => Type::Table,
            Value::Function | Value::GameFunction(..) | Value::LuaFunction(..) => Type::Function,
        })
    }

    /// Returns its truth in a condition, if known.
    fn truth(&self) -> Option<bool> {
        match self {
            Value::Nil | Value::Boolean(false) | Value::Typed(Type::Nil) => Some(false),
            Value::Unknown | Value::Typed(Type::Boolean) => None,
            _ => Some(true),
        }
    }
}

/// A value, with the span of the expression that it comes from.
#[derive(Clone, Debug)]
pub(super) struct Known<'t> {
    pub value: Value<'t>,
    pub span: Span,
}

/// The possible values of an expression, including [`Value::Unknown`] if it can be anything.
pub(super) type Candidates<'t> = Vec<Known<'t>>;

enum Memo<'t> {
    Busy,
    Done(Candidates<'t>),
}

/// The values of expressions, with a cache for variables.
pub(super) struct Values<'t> {
    pub scopes: Scopes<'t>,
    /// True if the game has its own `nhlib.lua`, whose functions may differ.
    own_library: bool,
    places_are_numbers: bool,
    memo: RefCell<HashMap<*const Variable<'t>, Memo<'t>>>,
    steps: Cell<usize>,
}

impl<'t> Values<'t> {
    pub fn new(scopes: Scopes<'t>, own_library: bool, places_are_numbers: bool) -> Self {
        Values { scopes, own_library, places_are_numbers, memo: RefCell::default(), steps: Cell::new(0) }
    }

    /// Returns the possible values of `expression`.
    pub fn of(&self, expression: &'t Expression) -> Candidates<'t> {
        if self.steps.get() > MAX_STEPS {
            return vec![Known { value: Value::Unknown, span: expression.span }];
        }
        self.steps.set(self.steps.get() + 1);
        let found = self.followed(expression);
        self.steps.set(self.steps.get() - 1);
        found
    }

    fn followed(&self, expression: &'t Expression) -> Candidates<'t> {
        let one = |value| vec![Known { value, span: expression.span }];
        match &expression.kind {
            ExpressionKind::Nil => one(Value::Nil),
            ExpressionKind::Boolean(value) => one(Value::Boolean(*value)),
            ExpressionKind::Integer(value) => one(Value::Integer(*value)),
            ExpressionKind::Float(value) => one(Value::Float(*value)),
            ExpressionKind::Text(text) => one(Value::Text(Rc::from(text.value.as_slice()), Some(text))),
            ExpressionKind::Function(_) => one(Value::Function),
            ExpressionKind::Table(entries) => one(Value::Table(entries, Order::Written)),
            ExpressionKind::Parenthesized(inner) => self.of(inner),
            ExpressionKind::Name(name) => self.name(name, expression.span),
            ExpressionKind::Field(table, name) => self.field(&self.of(table), name.text.as_str(), expression.span),
            ExpressionKind::Index(table, key) => self.index(&self.of(table), &self.of(key), expression.span),
            ExpressionKind::Call(call) => one(self.call(call)),
            ExpressionKind::Unary(operator, operand) => self.unary(*operator, self.of(operand), expression.span),
            ExpressionKind::Binary(operator, operands) => self.binary(*operator, operands, expression.span),
            ExpressionKind::Varargs | ExpressionKind::Unread => one(Value::Unknown),
        }
    }

    /// Returns the only value of `expression`, its type if all values share one, or `Unknown`.
    pub fn one(&self, expression: &'t Expression) -> Value<'t> {
        match self.of(expression).as_slice() {
            [only] => only.value.clone(),
            several => {
                let kind = several.first().and_then(|first| first.value.kind());
                let same = several.iter().all(|known| known.value.kind() == kind);
                kind.filter(|_| same).map_or(Value::Unknown, Value::Typed)
            }
        }
    }

    fn name(&self, name: &str, span: Span) -> Candidates<'t> {
        let unknown = || vec![Known { value: Value::Unknown, span }];
        if let Some(variable) = self.scopes.variable(name, span)
            && !variable.values.is_empty()
        {
            return self.variable(variable, span);
        }
        let value = if let Some(library) = libraries::library(name) {
            Value::Library(library)
        } else if let Some((library, _)) = sandbox::LIBRARIES.iter().find(|(known, _)| *known == name) {
            Value::LuaLibrary(library)
        } else if let Some(known) = sandbox::BASE.iter().find(|known| **known == name) {
            Value::LuaFunction("", known)
        } else if let Some((known, _)) = sandbox::GAME.iter().find(|(known, call)| *known == name && call.is_some()) {
            Value::LuaFunction("", known)
        } else {
            return unknown();
        };
        vec![Known { value, span }]
    }

    fn variable(&self, variable: &Variable<'t>, span: Span) -> Candidates<'t> {
        let unknown = |span| vec![Known { value: Value::Unknown, span }];
        let key: *const Variable<'t> = variable;
        match self.memo.borrow().get(&key) {
            Some(Memo::Done(known)) => return known.clone(),
            Some(Memo::Busy) => return unknown(span),
            None => {}
        }
        self.memo.borrow_mut().insert(key, Memo::Busy);
        let found = match (variable.values.as_slice(), variable.item_of) {
            ([None], Some(list)) => self.items(&self.of(list), span),
            ([Some(value)], _) => self.resolved(variable, value),
            // Set several times: only a common type is known.
            (several, _) => {
                let kinds: Option<Vec<Type>> =
                    several.iter().map(|value| value.and_then(|value| self.one(value).kind())).collect();
                let kind = kinds
                    .as_deref()
                    .and_then(|kinds| kinds.first().filter(|first| kinds.iter().all(|kind| kind == *first)));
                match kind {
                    // A table in it is not tracked, and nil is rarely the final value.
                    Some(Type::Nil) | None => unknown(span),
                    Some(kind) => vec![Known { value: Value::Typed(*kind), span }],
                }
            }
        };
        self.memo.borrow_mut().insert(key, Memo::Done(found.clone()));
        found
    }

    /// Returns the values of a variable whose only assignment is `value`.
    fn resolved(&self, variable: &Variable<'t>, value: &'t Expression) -> Candidates<'t> {
        let mut found = self.of(value);
        for known in &mut found {
            match known.value {
                Value::Table(..) if variable.changed => known.value = Value::Typed(Type::Table),
                Value::Table(entries, _) if variable.shuffled => known.value = Value::Table(entries, Order::Shuffled),
                // A local initialised with nil gets its value out of sight.
                Value::Nil => known.value = Value::Unknown,
                _ => {}
            }
        }
        found
    }

    /// Returns all items of the lists `tables`.
    fn items(&self, tables: &[Known<'t>], span: Span) -> Candidates<'t> {
        let mut found = Vec::new();
        for table in tables {
            match table.value {
                Value::Table(entries, _) => {
                    for entry in entries {
                        let values = match entry {
                            Entry::Item(value) => self.of(value),
                            Entry::Named(..) | Entry::Keyed(..) => vec![Known { value: Value::Unknown, span }],
                        };
                        found.extend(values);
                        if found.len() > MAX_CANDIDATES {
                            return vec![Known { value: Value::Unknown, span }];
                        }
                    }
                }
                _ => found.push(Known { value: Value::Unknown, span }),
            }
        }
        if found.is_empty() {
            found.push(Known { value: Value::Unknown, span });
        }
        found
    }

    /// Returns the values of `tables.name`.
    fn field(&self, tables: &[Known<'t>], name: &str, span: Span) -> Candidates<'t> {
        let mut found = Vec::new();
        for table in tables {
            let value = match &table.value {
                Value::Library(Library { name: library, .. }) | Value::LuaLibrary(library)
                    if self.scopes.members.contains(&(*library, name)) =>
                {
                    Value::Unknown
                }
                Value::Library(library) => {
                    library.function(name).map_or(Value::Unknown, |function| Value::GameFunction(library, function))
                }
                Value::LuaLibrary(library) => {
                    let known = sandbox::LIBRARIES.iter().find(|(known, _)| known == library);
                    let member = known.and_then(|(_, members)| members.iter().find(|member| **member == name));
                    match (member, name) {
                        (Some(_), "pi" | "huge" | "maxinteger" | "mininteger") => Value::Typed(Type::Number),
                        (Some(member), _) => Value::LuaFunction(library, member),
                        (None, _) => Value::Unknown,
                    }
                }
                Value::Typed(Type::Place) if matches!(name, "x" | "y") => Value::Typed(Type::Number),
                Value::Table(entries, _) => {
                    let named = entries.iter().find_map(|entry| match entry {
                        Entry::Named(key, value) if key.text.as_str() == name => Some(value),
                        _ => None,
                    });
                    match named {
                        Some(value) => {
                            found.extend(self.of(value));
                            continue;
                        }
                        None => Value::Unknown,
                    }
                }
                _ => Value::Unknown,
            };
            found.push(Known { value, span });
            if found.len() > MAX_CANDIDATES {
                return vec![Known { value: Value::Unknown, span }];
            }
        }
        found
    }

    /// Returns the values of `tables[keys]`.
    fn index(&self, tables: &[Known<'t>], keys: &[Known<'t>], span: Span) -> Candidates<'t> {
        let [key] = keys else { return self.items(tables, span) };
        if let Value::Text(name, _) = &key.value {
            return match std::str::from_utf8(name) {
                Ok(name) => self.field(tables, name, span),
                Err(_) => vec![Known { value: Value::Unknown, span }],
            };
        }
        let Value::Integer(number) = key.value else { return self.items(tables, span) };
        let mut found = Vec::new();
        for table in tables {
            match table.value {
                Value::Table(entries, Order::Written)
                    if entries.iter().all(|entry| matches!(entry, Entry::Item(_))) =>
                {
                    let entry = usize::try_from(number).ok().and_then(|number| entries.get(number.checked_sub(1)?));
                    match entry {
                        Some(entry) => found.extend(self.of(entry.value())),
                        None => found.push(Known { value: Value::Unknown, span }),
                    }
                }
                _ => found.extend(self.items(std::slice::from_ref(table), span)),
            }
            if found.len() > MAX_CANDIDATES {
                return vec![Known { value: Value::Unknown, span }];
            }
        }
        found
    }

    /// Returns the result of a call.
    fn call(&self, call: &'t Call) -> Value<'t> {
        let function = match &call.method {
            Some(name) => match self.one(&call.callee) {
                Value::Typed(Type::Selection) => libraries::function("selection", name.text.as_str()),
                Value::Library(library) => library.function(name.text.as_str()),
                Value::Typed(Type::Object) => libraries::function("obj", name.text.as_str()),
                _ => None,
            },
            None => match self.one(&call.callee) {
                Value::GameFunction(_, function) => Some(function),
                Value::LuaFunction("", name)
                    if self.own_library && sandbox::GAME.iter().any(|(own, _)| *own == name) =>
                {
                    return Value::Unknown;
                }
                Value::LuaFunction(library, name) => return lua_result(library, name),
                _ => None,
            },
        };
        let Some(function) = function else { return Value::Unknown };
        match function.gives {
            Gives::Selection => Value::Typed(Type::Selection),
            Gives::Object => Value::Typed(Type::Object),
            Gives::Place if self.places_are_numbers => Value::Unknown,
            Gives::Place => Value::Typed(Type::Place),
            Gives::Number => Value::Typed(Type::Number),
            Gives::Nothing => Value::Typed(Type::Nil),
            // Functions that return a string may also return nil.
            Gives::Text | Gives::Other => Value::Unknown,
        }
    }

    fn unary(&self, operator: UnaryOperator, operands: Candidates<'t>, span: Span) -> Candidates<'t> {
        let apply = |known: &Known<'t>| {
            match (operator, &known.value) {
            (UnaryOperator::Minus, Value::Integer(number)) => Value::Integer(number.wrapping_neg()),
            (UnaryOperator::Minus, Value::Float(number)) => Value::Float(-number),
            (UnaryOperator::Minus | UnaryOperator::BitNot, Value::Typed(Type::Selection)) => Value::Typed(Type::Selection),
            (UnaryOperator::Minus | UnaryOperator::BitNot, value) if value.kind() == Some(Type::Number) => {
                Value::Typed(Type::Number)
            }
            (UnaryOperator::Not, value) => {
                value.truth().map_or(Value::Typed(Type::Boolean), |truth| Value::Boolean(!truth))
            }
            (UnaryOperator::Length, Value::Table(entries, _))
                if entries.iter().all(|entry| matches!(entry, Entry::Item(value) if !matches!(value.kind, ExpressionKind::Call(_) | ExpressionKind::Varargs | ExpressionKind::Nil))) =>
            {
                Value::Integer(entries.len() as i64)
            }
            (UnaryOperator::Length, _) => Value::Typed(Type::Number),
            _ => Value::Unknown,
        }
        };
        operands.iter().map(|known| Known { value: apply(known), span }).collect()
    }

    fn binary(&self, operator: BinaryOperator, operands: &'t (Expression, Expression), span: Span) -> Candidates<'t> {
        let (left, mut right) = (self.of(&operands.0), self.of(&operands.1));
        if operator == BinaryOperator::And {
            right.retain(|known| may_be(&operands.0, &operands.1, &known.value));
        }
        if matches!(operator, BinaryOperator::And | BinaryOperator::Or) {
            return either(operator, left, right);
        }
        if left.len() * right.len() > MAX_CANDIDATES {
            return vec![Known { value: Value::Unknown, span }];
        }
        let mut found = Vec::new();
        for left in &left {
            found
                .extend(right.iter().map(|right| Known { value: combined(operator, &left.value, &right.value), span }));
        }
        found
    }
}

/// Returns true if `it` can have `value` while `condition` is true. Only conditions such as `#it == 1` are understood,
/// alone or at the end of an `and`.
fn may_be(condition: &Expression, it: &Expression, value: &Value<'_>) -> bool {
    let last = match &condition.bare().kind {
        ExpressionKind::Binary(BinaryOperator::And, sides) => &sides.1,
        _ => condition,
    };
    let ExpressionKind::Binary(operator, sides) = &last.bare().kind else { return true };
    let (ExpressionKind::Unary(UnaryOperator::Length, measured), ExpressionKind::Integer(length)) =
        (&sides.0.bare().kind, &sides.1.bare().kind)
    else {
        return true;
    };
    let Value::Text(text, _) = value else { return true };
    let order = (text.len() as i64).cmp(length);
    let holds = match operator {
        BinaryOperator::Less => order.is_lt(),
        BinaryOperator::Greater => order.is_gt(),
        BinaryOperator::LessOrEqual => order.is_le(),
        BinaryOperator::GreaterOrEqual => order.is_ge(),
        BinaryOperator::NotEqual => order.is_ne(),
        BinaryOperator::Equal => order.is_eq(),
        _ => return true,
    };
    holds || !is_same_variable(measured, it)
}

/// Returns true if both are the same variable, or the same field or item of it.
fn is_same_variable(one: &Expression, other: &Expression) -> bool {
    match (&one.bare().kind, &other.bare().kind) {
        (ExpressionKind::Name(one), ExpressionKind::Name(other)) => one == other,
        (ExpressionKind::Integer(one), ExpressionKind::Integer(other)) => one == other,
        (ExpressionKind::Index(one, key), ExpressionKind::Index(other, other_key)) => {
            is_same_variable(one, other) && is_same_variable(key, other_key)
        }
        (ExpressionKind::Field(one, name), ExpressionKind::Field(other, other_name)) => {
            is_same_variable(one, other) && name.text == other_name.text
        }
        _ => false,
    }
}

/// Returns the values of `left and right` or `left or right`.
fn either<'t>(operator: BinaryOperator, left: Candidates<'t>, right: Candidates<'t>) -> Candidates<'t> {
    // The truth of the left value that selects the right one.
    let through = operator == BinaryOperator::And;
    let mut found = Vec::new();
    let mut goes_on = false;
    for known in left {
        match known.value.truth() {
            Some(truth) if truth == through => goes_on = true,
            Some(_) => found.push(known),
            // A boolean is the result only if it has the opposite truth.
            None if matches!(known.value, Value::Typed(Type::Boolean)) => {
                goes_on = true;
                found.push(Known { value: Value::Boolean(!through), span: known.span });
            }
            None => {
                goes_on = true;
                // For `and`, a left value that is the result is nil or false.
                let value = if through { Value::Nil } else { Value::Unknown };
                found.push(Known { value, span: known.span });
            }
        }
    }
    if goes_on {
        found.extend(right);
    }
    if found.len() > MAX_CANDIDATES {
        found.truncate(1);
        found[0].value = Value::Unknown;
    }
    found
}

/// Returns the result of an operator.
fn combined<'t>(operator: BinaryOperator, left: &Value<'t>, right: &Value<'t>) -> Value<'t> {
    use BinaryOperator::*;
    match operator {
        Less | Greater | LessOrEqual | GreaterOrEqual | NotEqual | Equal => Value::Typed(Type::Boolean),
        Concatenate => {
            let text = |value: &Value<'t>| match value {
                Value::Text(text, _) => Some(text.to_vec()),
                Value::Integer(number) => Some(number.to_string().into_bytes()),
                _ => None,
            };
            match (text(left), text(right)) {
                (Some(mut left), Some(right)) if left.len() + right.len() <= MAX_TEXT => {
                    left.extend(right);
                    Value::Text(Rc::from(left), None)
                }
                _ => Value::Typed(Type::Text),
            }
        }
        BitAnd | BitOr | BitXor | Add | Subtract
            if left.kind() == Some(Type::Selection) || right.kind() == Some(Type::Selection) =>
        {
            Value::Typed(Type::Selection)
        }
        _ => {
            if let (Value::Integer(left), Value::Integer(right)) = (left, right) {
                let (left, right) = (*left, *right);
                return match operator {
                    Add => Value::Integer(left.wrapping_add(right)),
                    Subtract => Value::Integer(left.wrapping_sub(right)),
                    Multiply => Value::Integer(left.wrapping_mul(right)),
                    Divide if right != 0 => Value::Float(left as f64 / right as f64),
                    FloorDivide if right > 0 => Value::Integer(left.div_euclid(right)),
                    Modulo if right > 0 => Value::Integer(left.rem_euclid(right)),
                    _ => Value::Typed(Type::Number),
                };
            }
            // Unless both types are known, operators such as `&` may work on selections.
            match (left.kind(), right.kind()) {
                (Some(Type::Number), Some(Type::Number)) => Value::Typed(Type::Number),
                _ => Value::Unknown,
            }
        }
    }
}

/// Returns the result of a function of Lua or of `nhlib.lua`.
fn lua_result<'t>(library: &str, name: &str) -> Value<'t> {
    match (library, name) {
        ("", "percent") => Value::Typed(Type::Boolean),
        ("", "d") | ("math", "random" | "floor" | "ceil" | "abs" | "sqrt") => Value::Typed(Type::Number),
        ("", "tostring" | "type" | "monkfoodshop")
        | ("string", "format" | "rep" | "sub" | "lower" | "upper")
        | ("table", "concat") => Value::Typed(Type::Text),
        ("", "shuffle" | "hell_tweaks" | "pline") => Value::Typed(Type::Nil),
        _ => Value::Unknown,
    }
}
