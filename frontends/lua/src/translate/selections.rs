//! The functions of `selection`.

use std::rc::Rc;

use splc_ir::level::{Expr, ExprKind, Selection, SelectionKind, Type, Variable};
use splc_ir::order::Order;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::value::ValueType;
use splc_ir::words::{Direction, Filling, GradientType};

use super::run::Run;
use super::values::{Result, Squares, Stop, Table, Thing, Value, expr};
use crate::tree::BinaryOperator;

/// The origin of a selection that is a variable of the level: it no longer depends on a map or room.
const ANYWHERE: usize = usize::MAX;

impl<'t> Run<'t, '_> {
    fn give(&mut self, of: Option<Selection>) -> Value<'t> {
        let origin = self.origin;
        Value::Selection(self.add(Thing::Selection(Squares { of, origin, dealt: None })))
    }

    /// Returns the expression of a selection, `None` if it is empty.
    pub fn squares(&mut self, value: &Value<'t>, span: Span) -> Result<Option<Selection>> {
        let Value::Selection(at) = value else {
            return match value {
                Value::Unknown(what) => Stop::lacks(span, *what),
                _ => Stop::lacks(span, "a des-file needs a selection here"),
            };
        };
        let Some(Thing::Selection(Squares { of, origin, dealt })) = self.thing(*at) else {
            return Stop::lacks(span, "this is not a selection");
        };
        if dealt.is_some() {
            return Stop::lacks(span, "a selection from which squares were removed");
        }
        if of.is_some() && *origin != ANYWHERE && *origin != self.origin {
            return Stop::lacks(span, "a selection that was made before the map or room");
        }
        Ok(of.clone())
    }

    /// Returns the expression of a selection.
    pub fn selected(&mut self, value: &Value<'t>, span: Span) -> Result<Selection> {
        Ok(match self.squares(value, span)? {
            Some(of) => of,
            None => nothing(span),
        })
    }

    /// Stores a selection in a variable of the level, unless it is a few known squares.
    pub fn bind_selection(
        &mut self,
        at: usize,
        span: Span,
        define: impl FnOnce(&mut Self, Selection) -> Text,
    ) -> Result<()> {
        let Some(Thing::Selection(Squares { of: Some(of), origin, .. })) = self.thing(at) else { return Ok(()) };
        if matches!(of.kind, SelectionKind::Variable(_)) || is_short(of) || *origin != self.origin {
            return Ok(());
        }
        let of = of.clone();
        // It is a variable from now on, wherever it was made.
        let name = define(self, of);
        let kind = SelectionKind::Variable(Variable { name, index: None, ty: Type::of(ValueType::Selection) });
        if let Thing::Selection(squares) = self.change(at, span)? {
            squares.of = Some(Selection { kind, span });
            squares.origin = ANYWHERE;
        }
        Ok(())
    }

    pub fn combined(
        &mut self,
        operator: BinaryOperator,
        one: Value<'t>,
        other: Value<'t>,
        span: Span,
    ) -> Result<Value<'t>> {
        let (one, other) = (self.squares(&one, span)?, self.squares(&other, span)?);
        let of = match operator {
            BinaryOperator::BitOr | BinaryOperator::Add => match (one, other) {
                (Some(one), Some(other)) => Some(union(one, other, span)),
                (one, other) => one.or(other),
            },
            BinaryOperator::BitAnd => one.zip(other).map(|(one, other)| both(one, other, span)),
            BinaryOperator::Subtract => match (one, other) {
                (Some(one), Some(other)) => {
                    let rest = Selection { kind: SelectionKind::Complement(Box::new(grouped(other))), span };
                    Some(both(rest, one, span))
                }
                (one, _) => one,
            },
            _ => return Stop::lacks(span, "a des-file cannot combine selections in this way"),
        };
        Ok(self.give(of))
    }

    /// Calls a function of `selection`.
    pub fn selection_function(&mut self, name: &str, arguments: Vec<Value<'t>>, span: Span) -> Result<Value<'t>> {
        let mut arguments = arguments;
        // A method of a selection adds to it.
        let mut base = None;
        if matches!(name, "line" | "randline" | "rect" | "fillrect" | "area" | "circle" | "ellipse")
            && matches!(arguments.first(), Some(Value::Selection(_)))
        {
            let of = arguments.remove(0);
            base = self.squares(&of, span)?;
        }
        let numbers = |run: &mut Self, count: usize| -> Result<Vec<Expr>> {
            let mut all = Vec::new();
            for at in 0..count {
                all.push(run.number(arguments.get(at).unwrap_or(&Value::Nil), span)?);
            }
            Ok(all)
        };
        let kind = match name {
            "new" => return Ok(self.give(None)),
            "clone" => {
                let of = self.squares(arguments.first().unwrap_or(&Value::Nil), span)?;
                return Ok(self.give(of));
            }
            "set" => return self.set_square(arguments, span),
            "rect" | "area" | "fillrect" => {
                let corners = self.four(arguments.get(..4).unwrap_or_default(), span)?;
                let region = expr(ExprKind::Region { corners }, span);
                if name == "rect" { SelectionKind::Rectangle(region) } else { SelectionKind::FilledRectangle(region) }
            }
            "line" | "randline" => {
                let from = self.at_numbers(&arguments, 0, span)?;
                let to = Box::new(self.at_numbers(&arguments, 2, span)?);
                // The games of des-files draw a line from its second end.
                match name {
                    "line" => SelectionKind::Line(*to, Box::new(from)),
                    _ => {
                        let roughness = self.number(arguments.get(4).unwrap_or(&Value::Integer(7)), span)?;
                        SelectionKind::RandomLine(*to, Box::new(from), Box::new(roughness))
                    }
                }
            }
            "floodfill" => {
                if self.truth(arguments.get(2).unwrap_or(&Value::Nil), span)? == Some(true) {
                    return Stop::lacks(span, "a floodfill across corners");
                }
                SelectionKind::FloodFill(self.at_numbers(&arguments, 0, span)?)
            }
            "circle" | "ellipse" => {
                let center = self.at_numbers(&arguments, 0, span)?;
                let mut radii = numbers(self, if name == "circle" { 3 } else { 4 })?.split_off(2).into_iter();
                let count = radii.len();
                let filled = arguments.get(2 + count).unwrap_or(&Value::Nil);
                // To the games of des-files, `filled` is an outline.
                let filling = match self.integer_or(filled, 0, span)? {
                    0 => Filling::Filled,
                    _ => Filling::Unfilled,
                };
                let first = Box::new(radii.next().unwrap_or_else(|| expr(ExprKind::Integer(0), span)));
                match radii.next() {
                    None => SelectionKind::Circle { center, radius: first, filling: Some(filling) },
                    Some(second) => SelectionKind::Ellipse {
                        center,
                        x_radius: first,
                        y_radius: Box::new(second),
                        filling: Some(filling),
                    },
                }
            }
            "negate" => match arguments.first() {
                None => return Ok(self.give(Some(everything(span)))),
                Some(of) => match self.squares(of, span)? {
                    None => return Ok(self.give(Some(everything(span)))),
                    Some(of) => match of.kind {
                        SelectionKind::Complement(inner) => return Ok(self.give(Some(*inner))),
                        kind => SelectionKind::Complement(Box::new(grouped(Selection { kind, span }))),
                    },
                },
            },
            "grow" => {
                let selection = Box::new(self.selected(arguments.first().unwrap_or(&Value::Nil), span)?);
                let directions = match self.word(arguments.get(1).unwrap_or(&Value::Nil), span)?.as_deref() {
                    None | Some("all") => None,
                    Some(word) => Some(vec![Spanned::new(self.direction(word, span)?, span)]),
                };
                SelectionKind::Grow { directions, selection }
            }
            "percentage" => {
                let selection = Box::new(self.selected(arguments.first().unwrap_or(&Value::Nil), span)?);
                let percent = self.integer(arguments.get(1).unwrap_or(&Value::Nil), span)?;
                SelectionKind::FilterPercent { percent: Spanned::new(percent, span), selection }
            }
            "filter_mapchar" => {
                let selection = Box::new(self.selected(arguments.first().unwrap_or(&Value::Nil), span)?);
                let terrain = self.terrain(arguments.get(1).unwrap_or(&Value::Nil), span)?;
                if !matches!(arguments.get(2), None | Some(Value::Nil)) {
                    return Stop::lacks(span, "a selection of terrain with its light");
                }
                SelectionKind::FilterTerrain { terrain, selection }
            }
            "match" => {
                let fragment = self.word(arguments.first().unwrap_or(&Value::Nil), span)?;
                let mut letters = fragment.as_deref().unwrap_or_default().trim_end_matches('\n').chars();
                match (letters.next(), letters.next()) {
                    (Some(character), None) => {
                        let terrain = expr(ExprKind::MapCharacter { character, light: None }, span);
                        SelectionKind::FilterTerrain { terrain, selection: Box::new(everything(span)) }
                    }
                    _ => return Stop::lacks(span, "a des-file cannot look for a piece of a map"),
                }
            }
            "gradient" => return self.gradient(arguments.first(), span),
            "rndcoord" => return self.random_square(arguments, span),
            "iterate" => return self.iterate(arguments, span),
            "bounds" | "numpoints" | "get" | "describe_size" => {
                return Stop::lacks(span, "a des-file cannot look at the squares of a selection");
            }
            _ => return Stop::lacks(span, format!("selection.{name}")),
        };
        let made = Selection { kind, span };
        let of = match base {
            Some(base) => union(base, made, span),
            None => made,
        };
        Ok(self.give(Some(of)))
    }

    /// Returns a direction. A random one is drawn.
    pub fn direction(&mut self, word: &str, span: Span) -> Result<Direction> {
        if let Some(direction) = Direction::from_word(word) {
            return Ok(direction);
        }
        let drawn = self.draw_number(0, Direction::ALL.len() as i64 - 1, span)?;
        match usize::try_from(self.integer(&drawn, span)?).ok().and_then(|at| Direction::ALL.get(at)) {
            Some(direction) => Ok(*direction),
            None => Stop::lacks(span, format!("the direction {word}")),
        }
    }

    /// Returns the place in two numbers among the arguments.
    fn at_numbers(&mut self, arguments: &[Value<'t>], from: usize, span: Span) -> Result<Expr> {
        match arguments.get(from..from + 2) {
            Some([x, y]) => self.at(x, y, span),
            _ => Stop::lacks(span, "a des-file needs two numbers here"),
        }
    }

    fn set_square(&mut self, arguments: Vec<Value<'t>>, span: Span) -> Result<Value<'t>> {
        let (of, rest) = match arguments.split_first() {
            Some((of @ Value::Selection(_), rest)) => (of.clone(), rest),
            _ => (self.give(None), arguments.as_slice()),
        };
        let place = match rest {
            [] => expr(ExprKind::RandomCoordinate { humidity: Vec::new() }, span),
            [x, y] => self.at(x, y, span)?,
            [x, y, Value::Integer(1)] => self.at(x, y, span)?,
            _ => return Stop::lacks(span, "a des-file cannot remove a square"),
        };
        let squares = self.squares(&of, span)?;
        let point = self.point(place);
        let origin = self.origin;
        let Value::Selection(at) = of else { return Ok(of) };
        if let Thing::Selection(known) = self.change(at, span)? {
            known.origin = match (&squares, known.origin) {
                (Some(_), ANYWHERE) => origin,
                (None, _) => origin,
                (_, known) => known,
            };
            known.of = Some(match squares {
                None => point,
                Some(squares) => union(squares, point, span),
            });
        }
        Ok(of)
    }

    fn gradient(&mut self, table: Option<&Value<'t>>, span: Span) -> Result<Value<'t>> {
        let mut fields = self.fields(table, span)?;
        let gradient = match self.word(&fields.take("type"), span)?.as_deref() {
            Some("square") => GradientType::Square,
            _ => GradientType::Radial,
        };
        let (x, y, x2, y2) = (fields.take("x"), fields.take("y"), fields.take("x2"), fields.take("y2"));
        let center = self.at(&x, &y, span)?;
        let center2 = match (&x2, &y2) {
            (Value::Nil, Value::Nil) => None,
            _ => Some(Box::new(self.at(&x2, &y2, span)?)),
        };
        let (least, most) = (fields.take("mindist"), fields.take("maxdist"));
        let minimum = Box::new(match least {
            Value::Nil => expr(ExprKind::Integer(0), span),
            least => self.number(&least, span)?,
        });
        let maximum = Box::new(self.number(&most, span)?);
        self.note("the gradient is written as its complement, since games with des-files draw it inverted");
        let kind = SelectionKind::Gradient { gradient, minimum, maximum, limited: None, center, center2 };
        let kind = SelectionKind::Complement(Box::new(Selection { kind, span }));
        Ok(self.give(Some(Selection { kind, span })))
    }

    fn random_square(&mut self, arguments: Vec<Value<'t>>, span: Span) -> Result<Value<'t>> {
        let of = arguments.first().cloned().unwrap_or(Value::Nil);
        let removes = self.truth(arguments.get(1).unwrap_or(&Value::Nil), span)? == Some(true);
        if !removes {
            let squares = self.selected(&of, span)?;
            if may_be_empty(&squares) {
                self.note("if its selection has no square of the level, games with des-files choose a random place");
            }
            return Ok(Value::Place(expr(ExprKind::SelectedCoordinate(Box::new(squares)), span)));
        }
        let Value::Selection(at) = of else { return Stop::lacks(span, "this is not a selection") };
        // Squares drawn one by one are a shuffled list.
        let dealt = match self.thing(at) {
            Some(Thing::Selection(squares)) => squares.dealt,
            _ => None,
        };
        let (array, next) = match dealt {
            Some(dealt) => dealt,
            None => {
                let squares = self.squares(&of, span)?;
                let mut points = Vec::new();
                let Some(()) = squares.as_ref().and_then(|squares| known_points(squares, &mut points)) else {
                    // One square of several: it may be removed later.
                    let Some(squares) = squares else { return Stop::lacks(span, "a square of an empty selection") };
                    self.note("a square that is drawn stays in its selection");
                    return Ok(Value::Place(expr(ExprKind::SelectedCoordinate(Box::new(squares)), span)));
                };
                points.order();
                points.dedup();
                self.charge(points.len(), span)?;
                let mut items = Vec::new();
                for (x, y) in points {
                    let pair = vec![Value::Integer(x.into()), Value::Integer(y.into())];
                    let table = Table { items: pair, ..Table::default() };
                    items.push(Value::Table(self.add(Thing::Table(table))));
                }
                let table = self.add(Thing::Table(Table { items, ..Table::default() }));
                (self.array(table, "place", span, true)?, 0)
            }
        };
        let length = self.arrays.get(array).map_or(0, |array| array.values.len());
        if next >= length {
            return Stop::lacks(span, "a square of an empty selection");
        }
        if let Thing::Selection(squares) = self.change(at, span)? {
            squares.dealt = Some((array, next + 1));
        }
        match super::values::Number::known(next as i64, span) {
            Some(index) => Ok(Value::Element { array, index }),
            None => Stop::lacks(span, "this is not a square"),
        }
    }

    /// Calls a function for each square of a known selection.
    fn iterate(&mut self, arguments: Vec<Value<'t>>, span: Span) -> Result<Value<'t>> {
        let [of, Value::Function(function)] = arguments.as_slice() else {
            return Stop::lacks(span, "an iteration without a function");
        };
        let mut points = Vec::new();
        if let Some(squares) = self.squares(of, span)?
            && known_points(&squares, &mut points).is_none()
        {
            return Stop::lacks(span, "a des-file cannot go through the squares of a selection");
        }
        points.order();
        points.dedup();
        for (x, y) in points {
            self.call(*function, vec![Value::Integer(x.into()), Value::Integer(y.into())], span)?;
        }
        Ok(Value::Nil)
    }
}

/// The selection without squares.
fn nothing(span: Span) -> Selection {
    let point = Selection { kind: SelectionKind::Point(expr(ExprKind::Coordinate { x: 0, y: 0 }, span)), span };
    let percent = Spanned::new(0, span);
    Selection { kind: SelectionKind::FilterPercent { percent, selection: Box::new(point) }, span }
}

/// All squares of the level.
fn everything(span: Span) -> Selection {
    Selection { kind: SelectionKind::Complement(Box::new(nothing(span))), span }
}

fn grouped(of: Selection) -> Selection {
    match of.kind {
        SelectionKind::Union(_) => {
            let span = of.span;
            Selection { kind: SelectionKind::Group(Box::new(of)), span }
        }
        _ => of,
    }
}

fn union(one: Selection, other: Selection, span: Span) -> Selection {
    let mut parts = match one.kind {
        SelectionKind::Union(parts) => parts,
        _ => vec![one],
    };
    match other.kind {
        SelectionKind::Union(more) => parts.extend(more),
        _ => parts.push(other),
    }
    Selection { kind: SelectionKind::Union(parts), span }
}

fn both(one: Selection, other: Selection, span: Span) -> Selection {
    let (filter, selection) = (Box::new(grouped(one)), Box::new(grouped(other)));
    Selection { kind: SelectionKind::FilterSelection { filter, selection }, span }
}

/// Returns true for known areas and squares.
fn is_short(of: &Selection) -> bool {
    match &of.kind {
        SelectionKind::Point(Expr { kind: ExprKind::Coordinate { .. }, .. })
        | SelectionKind::FilledRectangle(_)
        | SelectionKind::Rectangle(_) => true,
        SelectionKind::Union(parts) => parts.iter().all(is_short),
        _ => false,
    }
}

/// The most squares of a selection that are gone through one by one.
const MAX_POINTS: usize = 2000;

/// Adds the squares of a selection of known squares.
fn known_points(of: &Selection, points: &mut Vec<(i32, i32)>) -> Option<()> {
    match &of.kind {
        SelectionKind::Point(Expr { kind: ExprKind::Coordinate { x, y }, .. }) => points.push((*x, *y)),
        SelectionKind::FilledRectangle(Expr { kind: ExprKind::Region { corners: [x1, y1, x2, y2] }, .. })
            if (0..80).contains(x1) && (0..80).contains(x2) && (0..22).contains(y1) && (0..22).contains(y2) =>
        {
            for x in *x1..=*x2 {
                points.extend((*y1..=*y2).map(|y| (x, y)));
            }
        }
        SelectionKind::Union(parts) => {
            for part in parts {
                known_points(part, points)?;
            }
        }
        SelectionKind::Group(inner) => known_points(inner, points)?,
        _ => return None,
    }
    (points.len() <= MAX_POINTS).then_some(())
}

/// Returns the known area of a selection, if it is one.
pub(super) fn areas(of: &Selection) -> Option<Vec<[i32; 4]>> {
    match &of.kind {
        SelectionKind::FilledRectangle(Expr { kind: ExprKind::Region { corners }, .. }) => Some(vec![*corners]),
        SelectionKind::Point(Expr { kind: ExprKind::Coordinate { x, y }, .. }) => Some(vec![[*x, *y, *x, *y]]),
        SelectionKind::Union(parts) => {
            let parts: Option<Vec<Vec<[i32; 4]>>> = parts.iter().map(areas).collect();
            Some(parts?.concat())
        }
        SelectionKind::Group(inner) => areas(inner),
        _ => None,
    }
}

/// Returns true if a selection was made by an operation that can leave it empty, or with column 0 alone. A filter by
/// terrain is assumed to find some.
fn may_be_empty(of: &Selection) -> bool {
    match &of.kind {
        SelectionKind::FilterPercent { .. } | SelectionKind::FilterSelection { .. } | SelectionKind::Complement(_) => {
            true
        }
        SelectionKind::Group(inner) => may_be_empty(inner),
        SelectionKind::Union(parts) => parts.iter().all(may_be_empty),
        _ => false,
    }
}

/// Converts a text to the game's own type.
pub(super) fn text(text: &Rc<str>) -> Text {
    Text::from(text.to_string())
}
