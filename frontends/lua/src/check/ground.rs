//! The ground of coordinates: the latest map, the room around a call, or the level.

use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::source::Span;

use super::Judge;
use super::values::{Known, Value};
use crate::tree::*;

/// The size of a level without its column 0 (NetHack 5.0.0, `reset_xystart_size`).
const LEVEL: (i64, i64) = (79, 21);

/// The area that coordinates are relative to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ground {
    /// Not known before the level runs.
    Unknown,
    /// The whole level.
    Level,
    /// A map.
    Map {
        /// Its size.
        size: (i64, i64),
        /// The column and row of its upper left corner on the level, if known.
        origin: Option<(i64, i64)>,
        /// The span of the call that creates it.
        span: Span,
    },
    /// A room, whose size may be unknown.
    Room {
        /// Its size.
        size: Option<(i64, i64)>,
        /// The span of the call that creates it.
        span: Span,
    },
}

/// The treatment of the walls around a room and the rock around a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walls {
    /// Only squares within them are valid.
    Within,
    /// They are valid too, as for terrain.
    Too,
    /// They are valid too, for a door.
    Door,
}

impl Walls {
    /// Returns the treatment for the function `name` of `des`.
    pub fn of(name: &str) -> Walls {
        match name {
            "door" => Walls::Door,
            "terrain" | "replace_terrain" | "feature" | "mazewalk" | "drawbridge" | "exclusion" => Walls::Too,
            _ => Walls::Within,
        }
    }
}

/// A place as written. Coordinates that are not constant are `None`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub x: Option<i64>,
    pub y: Option<i64>,
    pub span: Span,
}

impl Place {
    /// Returns the place with these coordinates.
    pub fn of(x: &[Known<'_>], y: &[Known<'_>], span: Span) -> Place {
        Place { x: integer(x), y: integer(y), span }
    }
}

/// Returns the number, if `known` is a single integer.
pub(super) fn integer(known: &[Known<'_>]) -> Option<i64> {
    let [Known { value, .. }] = known else { return None };
    match value {
        Value::Integer(number) => Some(*number),
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e9 => Some(*number as i64),
        _ => None,
    }
}

impl Judge<'_, '_, '_> {
    /// Reports a place where nothing can be placed.
    pub(super) fn place(&mut self, place: Place, walls: Walls) {
        let Place { x, y, span } = place;
        if let (Some(-1), Some(-1)) = (x, y) {
            return;
        }
        if let Some(x) = x.filter(|&x| x < 0) {
            let message = format!("x is {x}, so the game picks a random place");
            let problem = Diagnostic::new(Code::LuaHalfPlace, span, message)
                .with_label("y is ignored")
                .with_help("omit the place for a random one; columns start at 0");
            self.report.push(problem);
            return;
        }
        let shown = |value: Option<i64>| value.map_or("?".to_owned(), |value| value.to_string());
        let written = format!("({},{})", shown(x), shown(y));
        let beyond =
            |value: Option<i64>, first: i64, size: i64| value.is_some_and(|value| value < first || value >= size);
        match &self.ground {
            Ground::Unknown | Ground::Room { size: None, .. } => {}
            Ground::Level => {
                if beyond(x, 0, LEVEL.0) || beyond(y, 0, LEVEL.1) {
                    self.outside(format!("{written} is outside the level"), span, "level", LEVEL, None);
                }
            }
            Ground::Room { size: Some(size), span: made } => {
                let over = i64::from(walls != Walls::Within);
                if beyond(x, 0, size.0.saturating_add(over)) || beyond(y, -over, size.1.saturating_add(over)) {
                    let (size, made) = (*size, Some(*made));
                    self.outside(format!("{written} is outside the room"), span, "room", size, made);
                }
            }
            Ground::Map { size, origin, span: made } => {
                let (size, origin, made) = (*size, *origin, Some(*made));
                let of_level = |value: Option<i64>, start: i64, first: i64, last: i64| {
                    value.is_some_and(|value| !(first..=last).contains(&start.saturating_add(value)))
                };
                let gone =
                    origin.is_some_and(|(left, top)| of_level(x, left, 1, LEVEL.0) || of_level(y, top, 0, LEVEL.1 - 1));
                if gone {
                    self.outside(format!("{written} is outside the level"), span, "map", size, made);
                } else if self.rock && walls == Walls::Within && (beyond(x, 0, size.0) || beyond(y, 0, size.1)) {
                    self.outside(format!("{written} is outside the map, in solid rock"), span, "map", size, made);
                }
            }
        }
    }

    fn outside(&mut self, message: String, span: Span, noun: &str, (width, height): (i64, i64), made: Option<Span>) {
        let help = format!("use the {noun}'s columns 0 to {} and rows 0 to {}", width - 1, height - 1);
        let mut problem = Diagnostic::new(Code::OutsideMap, span, message).with_help(help);
        if let Some(made) = made {
            problem = problem.with_secondary(made, format!("the {noun} is created here"));
        }
        self.report.push(problem);
    }

    /// Reports an area without squares, or without squares on the ground.
    pub(super) fn area(&mut self, corners: [Option<i64>; 4], span: Span, ground: Option<&Ground>) {
        let [x1, y1, x2, y2] = corners;
        let swapped = |first: Option<i64>, last: Option<i64>| matches!((first, last), (Some(first), Some(last)) if first > last && last >= 0);
        if swapped(x1, x2) || swapped(y1, y2) {
            let message = "the corners of this area are swapped, so it has no squares".to_owned();
            let problem = Diagnostic::new(Code::LuaCorners, span, message)
                .with_label("expected the upper left and the lower right corner");
            self.report.push(problem.with_help("write the smaller x and y first"));
            return;
        }
        let ground = ground.unwrap_or(&self.ground);
        let (size, (left, top), noun, made) = match ground {
            Ground::Level => (LEVEL, (1, 0), "level", None),
            Ground::Map { size, origin: Some(origin), span } => (*size, *origin, "map", Some(*span)),
            _ => return,
        };
        let after =
            |value: Option<i64>, start: i64, last: i64| value.is_some_and(|value| start.saturating_add(value) > last);
        let before = |value: Option<i64>, start: i64| value.is_some_and(|value| start.saturating_add(value) < 0);
        if after(x1, left, LEVEL.0) || after(y1, top, LEVEL.1 - 1) || before(x2, left) || before(y2, top) {
            self.outside("this area is outside the level".to_owned(), span, noun, size, made);
        }
    }
}

/// Returns the upper left corner of an aligned map (NetHack 5.0.0, `lspo_map`).
pub(super) fn aligned(size: (i64, i64), horizontal: &str, vertical: &str, initialised: bool) -> Option<(i64, i64)> {
    // The last even column and row of mazes.
    let (last_x, last_y) = (78, 20);
    let x = match horizontal {
        "left" => {
            if initialised {
                1
            } else {
                3
            }
        }
        "half-left" => 2 + (last_x - 2 - size.0) / 4,
        "center" => 2 + (last_x - 2 - size.0) / 2,
        "half-right" => 2 + (last_x - 2 - size.0) * 3 / 4,
        "right" => last_x - size.0 - 1,
        _ => return None,
    };
    let mut y = match vertical {
        "top" => 3,
        "center" => 2 + (last_y - 2 - size.1) / 2,
        "bottom" => last_y - size.1 - 1,
        _ => return None,
    };
    let odd = |value: i64| if value % 2 == 0 { value + 1 } else { value };
    let x = odd(x);
    y = odd(y);
    if y < 0 || y + size.1 > LEVEL.1 {
        y += if y > 0 { -2 } else { 2 };
        if size.1 == LEVEL.1 || y < 0 || y + size.1 > LEVEL.1 {
            y = 0;
        }
    }
    Some((x, y))
}

/// Returns true if a block creates a map, or calls anything named `map`.
pub(super) fn makes_map(block: &Block) -> bool {
    fn in_expression(expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Call(call) => {
                let map = matches!(&call.callee.kind, ExpressionKind::Field(_, name) if name.text.as_str() == "map");
                map || in_expression(&call.callee) || call.arguments.iter().any(in_expression)
            }
            ExpressionKind::Table(entries) => entries.iter().any(|entry| in_expression(entry.value())),
            ExpressionKind::Function(function) => makes_map(&function.body),
            ExpressionKind::Parenthesized(inner) | ExpressionKind::Unary(_, inner) => in_expression(inner),
            ExpressionKind::Binary(_, operands) => in_expression(&operands.0) || in_expression(&operands.1),
            _ => false,
        }
    }
    block.statements.iter().any(|statement| match &statement.kind {
        StatementKind::Local { values, .. } | StatementKind::Assign { values, .. } => values.iter().any(in_expression),
        StatementKind::Call(call) => in_expression(call),
        StatementKind::Do(body)
        | StatementKind::While { body, .. }
        | StatementKind::Repeat { body, .. }
        | StatementKind::NumericFor { body, .. }
        | StatementKind::GenericFor { body, .. } => makes_map(body),
        StatementKind::If { branches, otherwise } => {
            branches.iter().any(|(_, block)| makes_map(block)) || otherwise.as_ref().is_some_and(makes_map)
        }
        _ => false,
    })
}
