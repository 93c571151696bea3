//! The arguments of the game's functions as expressions of the level.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use splc_ir::level::{Expr, ExprKind, Selection, SelectionKind, SpeciesName, Type, Variable};
use splc_ir::source::{Span, Text};
use splc_ir::value::ValueType;

use super::run::{MAX_SPLIT, Run};
use super::values::{Drawn, Keys, Result, Stop, Value, expr};
use crate::names;

/// The keys of a table, taken out one by one. The call that reads them notes those that nothing takes.
pub(super) struct Fields<'t> {
    named: Keys<'t>,
    pub span: Span,
}

impl<'t> Fields<'t> {
    pub fn take(&mut self, key: &str) -> Value<'t> {
        self.named.borrow_mut().remove(key).unwrap_or(Value::Nil)
    }
}

impl<'t> Run<'t, '_> {
    pub fn fields(&self, value: Option<&Value<'t>>, span: Span) -> Result<Fields<'t>> {
        let named = match value {
            None | Some(Value::Nil) => BTreeMap::new(),
            Some(Value::Table(at)) => self.table(*at).map(|table| table.named.clone()).unwrap_or_default(),
            // A square that is drawn is a table with its column and row.
            Some(place @ (Value::Place(_) | Value::Element { .. })) => {
                BTreeMap::from([(Rc::from("coord"), place.clone())])
            }
            Some(_) => return Stop::lacks(span, "arguments that are not a table"),
        };
        let named = Rc::new(RefCell::new(named));
        self.keys.borrow_mut().push(Rc::clone(&named));
        Ok(Fields { named, span })
    }

    /// Runs a call of the game, and notes the keys of its table that it does not take.
    pub fn with_keys<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let first = self.keys.borrow().len();
        let result = call(self);
        let left = self.keys.borrow_mut().split_off(first);
        if result.is_ok() {
            for keys in left {
                for (key, value) in keys.take() {
                    if !matches!(value, Value::Nil) {
                        self.note(format!("a des-file has no counterpart for the key `{key}`"));
                    }
                }
            }
        }
        result
    }

    pub fn integer(&self, value: &Value<'t>, span: Span) -> Result<i32> {
        match value {
            Value::Integer(number) => match i32::try_from(*number) {
                Ok(number) => Ok(number),
                Err(_) => Stop::lacks(span, "a number out of range"),
            },
            Value::Boolean(truth) => Ok((*truth).into()),
            Value::Float(number) if number.fract() == 0.0 => Ok(*number as i32),
            Value::Text(text) if text.parse::<i32>().is_ok() => Ok(text.parse().unwrap_or_default()),
            Value::Number(number) => self.needs(number, span),
            Value::Element { index, .. } => self.needs(index, span),
            Value::Condition(Drawn { draw: Some(draw), .. }) => Err(Stop::Draw(*draw, span)),
            Value::Unknown(what) => Stop::lacks(span, *what),
            _ => Stop::lacks(span, "a des-file needs a number here"),
        }
    }

    /// Returns a number that is given, or `usual`.
    pub fn integer_or(&self, value: &Value<'t>, usual: i32, span: Span) -> Result<i32> {
        match value {
            Value::Nil => Ok(usual),
            Value::Text(text) if &**text == "random" => Ok(-1),
            value => self.integer(value, span),
        }
    }

    /// Returns a number, perhaps drawn.
    pub fn number(&mut self, value: &Value<'t>, span: Span) -> Result<Expr> {
        match value {
            Value::Number(number) => Ok(number.expr.clone()),
            Value::Element { .. } => self.array_element(value, ValueType::Integer, span),
            value => Ok(expr(ExprKind::Integer(self.integer(value, span)?), span)),
        }
    }

    /// Returns true, false, or nothing if it is missing or random.
    pub fn truth(&self, value: &Value<'t>, span: Span) -> Result<Option<bool>> {
        Ok(match value {
            Value::Nil => None,
            Value::Text(text) if &**text == "random" => None,
            value => match self.integer(value, span)? {
                -1 => None,
                number => Some(number != 0),
            },
        })
    }

    /// Returns a known text.
    pub fn word(&self, value: &Value<'t>, span: Span) -> Result<Option<Rc<str>>> {
        match value {
            Value::Nil => Ok(None),
            Value::Text(text) => Ok(Some(Rc::clone(text))),
            Value::Element { index, .. } => self.needs(index, span),
            Value::Integer(number) => Ok(Some(Rc::from(number.to_string()))),
            Value::Condition(Drawn { draw: Some(draw), .. }) => Err(Stop::Draw(*draw, span)),
            Value::Unknown(what) => Stop::lacks(span, *what),
            _ => Stop::lacks(span, "a des-file needs a known text here"),
        }
    }

    /// Returns a text, perhaps an element of an array.
    pub fn text(&mut self, value: &Value<'t>, span: Span) -> Result<Expr> {
        match value {
            Value::Element { .. } => self.array_element(value, ValueType::String, span),
            value => {
                let text = self.word(value, span)?.unwrap_or_else(|| Rc::from(""));
                Ok(expr(ExprKind::String(Text::from(text.to_string())), span))
            }
        }
    }

    /// Returns the two numbers of a place.
    fn pair(&self, value: &Value<'t>) -> Option<(Value<'t>, Value<'t>)> {
        let Value::Table(at) = value else { return None };
        let table = self.table(*at)?;
        match table.items.as_slice() {
            [x, y] => Some((x.clone(), y.clone())),
            _ => Some((table.named.get("x")?.clone(), table.named.get("y")?.clone())),
        }
    }

    /// Returns a place, or a random one if it is missing.
    pub fn place(&mut self, value: &Value<'t>, span: Span) -> Result<Expr> {
        match value {
            Value::Nil => Ok(expr(ExprKind::RandomCoordinate { humidity: Vec::new() }, span)),
            Value::Place(place) => Ok(place.clone()),
            Value::Element { .. } => self.array_element(value, ValueType::Coordinate, span),
            Value::Unknown(what) => Stop::lacks(span, *what),
            value => match self.pair(value) {
                Some((x, y)) => self.at(&x, &y, span),
                None => Stop::lacks(span, "a des-file needs a place here"),
            },
        }
    }

    pub fn at(&mut self, x: &Value<'t>, y: &Value<'t>, span: Span) -> Result<Expr> {
        let kind = match (x, y) {
            (Value::Number(number), _) | (_, Value::Number(number)) if self.is_short(number) => {
                return self.needs(number, span);
            }
            (Value::Number(_), _) | (_, Value::Number(_)) => {
                ExprKind::ComputedCoordinate { x: Box::new(self.number(x, span)?), y: Box::new(self.number(y, span)?) }
            }
            _ => match (self.integer(x, span)?, self.integer(y, span)?) {
                (-1, -1) => ExprKind::RandomCoordinate { humidity: Vec::new() },
                (x, y) => ExprKind::Coordinate { x, y },
            },
        };
        Ok(expr(kind, span))
    }

    /// Returns true if a draw has few values, so that a statement can be written for each of them.
    fn is_short(&self, number: &super::values::Number) -> bool {
        number.draw.is_some() && number.most.abs_diff(number.least) < MAX_SPLIT
    }

    /// Takes the place out of the keys `coord`, `x` and `y`.
    pub fn place_in(&mut self, fields: &mut Fields<'t>) -> Result<Expr> {
        let span = fields.span;
        let (x, y, coord) = (fields.take("x"), fields.take("y"), fields.take("coord"));
        match (&x, &y) {
            (Value::Nil, Value::Nil) => self.place(&coord, span),
            _ => self.at(&x, &y, span),
        }
    }

    /// Takes a place out of the arguments from `from` on: nothing, a place, or two numbers.
    pub fn place_from(&mut self, arguments: &[Value<'t>], from: usize, span: Span) -> Result<Expr> {
        match arguments.get(from..).unwrap_or_default() {
            [] => self.place(&Value::Nil, span),
            [place] => self.place(place, span),
            [x, y, ..] => self.at(x, y, span),
        }
    }

    /// Takes known corners out of the keys `region`, or `x1` and so on.
    pub fn corners(&mut self, fields: &mut Fields<'t>) -> Result<Option<[i32; 4]>> {
        let region = fields.take("region");
        let named = ["x1", "y1", "x2", "y2"].map(|key| fields.take(key));
        match region {
            Value::Nil if matches!(named[0], Value::Nil) => Ok(None),
            Value::Nil => self.four(&named, fields.span).map(Some),
            region => self.area(&region, fields.span).map(Some),
        }
    }

    /// Returns the corners in a table.
    pub fn area(&mut self, value: &Value<'t>, span: Span) -> Result<[i32; 4]> {
        let Value::Table(at) = value else { return Stop::lacks(span, "a des-file needs a known region here") };
        let Some(table) = self.table(*at).cloned() else { return Stop::lacks(span, "this is not a table") };
        if table.items.len() == 4 {
            return self.four(&table.items, span);
        }
        let of = |key: &str| table.named.get(key).cloned().unwrap_or(Value::Nil);
        self.four(&[of("x1"), of("y1"), of("x2"), of("y2")], span)
    }

    pub fn four(&self, values: &[Value<'t>], span: Span) -> Result<[i32; 4]> {
        let [x1, y1, x2, y2] = values else { return Stop::lacks(span, "a des-file needs four numbers here") };
        Ok([self.integer(x1, span)?, self.integer(y1, span)?, self.integer(x2, span)?, self.integer(y2, span)?])
    }

    /// Returns terrain.
    pub fn terrain(&mut self, value: &Value<'t>, span: Span) -> Result<Expr> {
        match value {
            Value::Element { .. } => self.array_element(value, ValueType::MapCharacter, span),
            value => {
                let character = self.character(value, span)?;
                Ok(expr(ExprKind::MapCharacter { character, light: None }, span))
            }
        }
    }

    pub fn character(&self, value: &Value<'t>, span: Span) -> Result<char> {
        let text = self.word(value, span)?;
        let mut letters = text.as_deref().unwrap_or_default().chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => Ok(letter),
            _ => Stop::lacks(span, "terrain is one map character"),
        }
    }

    /// Returns an element of an array, whose values are of the type `ty` from now on.
    pub fn array_element(&mut self, value: &Value<'t>, ty: ValueType, span: Span) -> Result<Expr> {
        let Value::Element { array, index } = value else { return Stop::lacks(span, "this is not an element") };
        let Some(known) = self.arrays.get(*array) else { return Stop::lacks(span, "this is not an element") };
        match &known.of {
            Some((other, _)) if *other == ty => {}
            Some(_) => return Stop::lacks(span, "its table has values for two purposes"),
            None => {
                let mut values = Vec::new();
                for value in known.values.clone() {
                    values.push(match ty {
                        ValueType::Coordinate => self.place(&value, span)?,
                        ValueType::MapCharacter => self.terrain(&value, span)?,
                        ValueType::Integer => self.number(&value, span)?,
                        ValueType::Monster => {
                            let (species, _) = self.monster_name(&value, span)?;
                            expr(ExprKind::Monster(species), span)
                        }
                        ValueType::Object => expr(ExprKind::Object(self.object_name(&value, None, span)?), span),
                        _ => self.text(&value, span)?,
                    });
                }
                self.arrays[*array].of = Some((ty, values));
            }
        }
        let name = self.arrays[*array].name.clone();
        let index = Some(Box::new(index.expr.clone()));
        Ok(expr(ExprKind::Variable(Variable { name, index, ty: Type::array(ty) }), span))
    }

    /// Returns the monster or class that a text names, and true or false if the name implies a sex.
    pub fn monster_name(&mut self, value: &Value<'t>, span: Span) -> Result<(SpeciesName, Option<bool>)> {
        let Some(name) = self.word(value, span)? else { return Ok((SpeciesName::Random, None)) };
        let mut letters = name.chars();
        if let (Some(class), None) = (letters.next(), letters.next()) {
            return Ok((SpeciesName::Class(class), None));
        }
        let Some(found) = names::monster(self.catalog, &name) else {
            return Stop::lacks(span, format!("the game finds no monster named \"{name}\""));
        };
        let species = &self.catalog.monsters[found.number];
        let female = match found.gender {
            names::Gender::Male => Some(false),
            names::Gender::Female => Some(true),
            names::Gender::Either => None,
        };
        Ok((SpeciesName::ClassAndName(species.class, Text::from(species.name.as_ref())), female))
    }

    /// Returns the object or class that a text names.
    pub fn object_name(&mut self, value: &Value<'t>, class: Option<char>, span: Span) -> Result<SpeciesName> {
        let Some(name) = self.word(value, span)?.filter(|name| !name.is_empty()) else {
            return Ok(class.map_or(SpeciesName::Random, SpeciesName::Class));
        };
        let mut letters = name.chars();
        if let (Some(class), None) = (letters.next(), letters.next()) {
            return Ok(SpeciesName::Class(class));
        }
        let Some(found) = names::object(self.catalog, &name, class) else {
            return Stop::lacks(span, format!("the game finds no object named \"{name}\""));
        };
        let species = &self.catalog.objects[found.number];
        Ok(SpeciesName::ClassAndName(species.class, Text::from(species.name.as_ref())))
    }

    /// Returns the squares at a place.
    pub fn point(&mut self, place: Expr) -> Selection {
        let span = place.span;
        Selection { kind: SelectionKind::Point(place), span }
    }
}
