//! Values as Lua expressions.

use splc_ir::level::*;
use splc_ir::source::Span;
use splc_ir::words::{Humidity, Light};
use splc_lua::quoted;

use super::variables::Holds;
use super::{Printer, names};

/// Encloses lines in a long string of Lua, which no text among them can end. Lua skips the first line break.
pub(super) fn long_string(lines: &[String]) -> [String; 2] {
    let closes = |level: &usize| {
        let end = format!("]{}]", "=".repeat(*level));
        lines.iter().any(|line| line.contains(&end))
    };
    let level = (0..).find(|level| !closes(level)).unwrap_or_default();
    [format!("[{}[", "=".repeat(level)), format!("]{}]", "=".repeat(level))]
}

/// A place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// A square.
    At(i32, i32),
    /// A random place, the default of a missing place.
    Random,
    /// The value of an expression: a table with `x` and `y`.
    Value(String),
}

/// A monster or object.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Species {
    Random,
    Class(String),
    /// Its name, and its class if it must be given as well.
    Name(String, Option<String>),
    /// A variable and its possible contents.
    Value(String, Holds),
}

impl Place {
    /// Appends the keys of a table: `x = 3, y = 4`.
    pub(super) fn keys(&self, keys: &mut Vec<String>) {
        match self {
            Place::At(x, y) => keys.extend([format!("x = {x}"), format!("y = {y}")]),
            Place::Random => {}
            Place::Value(value) => keys.push(format!("coord = {value}")),
        }
    }
}

impl Printer<'_> {
    /// Formats an expression of any type.
    pub(super) fn value(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Integer(number) => number.to_string(),
            // The games of des-files roll at least one die with at least one side.
            ExprKind::Dice { count, sides } => format!("d({}, {})", count.max(&1), sides.max(&1)),
            ExprKind::String(text) => quoted(text),
            ExprKind::Coordinate { .. }
            | ExprKind::ComputedCoordinate { .. }
            | ExprKind::RandomCoordinate { .. }
            | ExprKind::SelectedCoordinate(_) => self.definite(expr),
            ExprKind::Region { corners: [x1, y1, x2, y2] } => format!("{{ {x1}, {y1}, {x2}, {y2} }}"),
            ExprKind::MapCharacter { character, light } => {
                if light.is_some() {
                    self.cannot(expr.span, "terrain with light as a value");
                }
                quoted(&character.to_string())
            }
            ExprKind::Monster(_) | ExprKind::Object(_) => match self.species(expr) {
                Species::Class(text) | Species::Name(text, None) | Species::Value(text, _) => text,
                Species::Name(text, Some(_)) => {
                    self.cannot(expr.span, "an object identified only by its class, as a value");
                    text
                }
                // A missing value is random, but a list cannot contain one.
                Species::Random => String::from("false"),
            },
            ExprKind::Selection(selection) => self.selection(selection),
            ExprKind::Variable(variable) => self.variable(variable),
            ExprKind::Method { variable, method, .. } => {
                let name = self.variables.name(&variable.node);
                match method.as_str() {
                    "length" => format!("#{name}"),
                    _ => format!("{name}.{method}"),
                }
            }
            ExprKind::CoreCall(call) => self.core_call(call, expr.span),
            ExprKind::Chain { first, rest } => self.chain(first, rest),
            ExprKind::Group(inner) => format!("({})", self.value(inner)),
            ExprKind::Checked { place, .. } => {
                self.cannot(expr.span, "a place with a keyword after it");
                self.value(place)
            }
            ExprKind::Random => String::from("-1"),
            ExprKind::Register { .. } | ExprKind::NamedRegister { .. } | ExprKind::Error => {
                self.cannot(expr.span, "a register");
                String::from("nil")
            }
        }
    }

    pub(super) fn variable(&mut self, variable: &Variable) -> String {
        let name = self.variables.name(&variable.name);
        match &variable.index {
            None => name,
            Some(index) => format!("{name}[{}]", self.index(&variable.name, &name, index)),
        }
    }

    /// Converts an index of `array`, called `name` here, from base 0 to base 1. In a des-file an index past the end
    /// wraps around (`get_variable` and similar functions in `src/sp_lev.c`). In Lua it yields nothing.
    fn index(&mut self, array: &str, name: &str, index: &Expr) -> String {
        let mut inner = index;
        while let ExprKind::Group(grouped) = &inner.kind {
            inner = grouped;
        }
        let lengths = self.variables.lengths(array);
        let range = self.range(inner);
        if let (Some((least, most)), Some((shortest, longest))) = (range, lengths)
            && least == most
            && shortest == longest
            && least >= 0
        {
            return (least % shortest).saturating_add(1).to_string();
        }
        let shortest = lengths.map_or(1, |(shortest, _)| shortest);
        let within = range.is_some_and(|(least, most)| least >= 0 && most < shortest);
        let value = self.value(inner);
        match (&inner.kind, within) {
            (ExprKind::Integer(number), true) => number.saturating_add(1).to_string(),
            (ExprKind::Integer(_) | ExprKind::Variable(_) | ExprKind::Dice { .. }, false) => {
                format!("{value} % #{name} + 1")
            }
            (_, false) => format!("({value}) % #{name} + 1"),
            (ExprKind::Variable(_) | ExprKind::Dice { .. }, true) => format!("{value} + 1"),
            (_, true) => format!("({value}) + 1"),
        }
    }

    /// Returns the minimum and maximum of a number, if known.
    pub(super) fn range(&self, number: &Expr) -> Option<(i64, i64)> {
        match &number.kind {
            ExprKind::Integer(number) => Some(((*number).into(), (*number).into())),
            ExprKind::Dice { count, sides } if *count >= 0 && *sides >= 1 => {
                let (count, sides) = (i64::from(*count), i64::from(*sides));
                Some((count, count.checked_mul(sides)?))
            }
            ExprKind::Variable(Variable { name, index: None, .. }) => {
                let (_, range) = self.counting.iter().rev().find(|(counted, _)| *counted == *name)?;
                *range
            }
            ExprKind::Group(inner) => self.range(inner),
            ExprKind::Chain { first, rest } => {
                rest.iter().try_fold(self.range(first)?, |(least, most), (operator, value)| {
                    let (smaller, greater) = self.range(value)?;
                    match operator {
                        Operator::Add => Some((least.checked_add(smaller)?, most.checked_add(greater)?)),
                        Operator::Subtract => Some((least.checked_sub(greater)?, most.checked_sub(smaller)?)),
                        Operator::Multiply if least >= 0 && smaller >= 0 => {
                            Some((least.checked_mul(smaller)?, most.checked_mul(greater)?))
                        }
                        _ => None,
                    }
                })
            }
            _ => None,
        }
    }

    /// Formats operators of equal precedence. Quotient and remainder are those of C: towards 0, with the sign of the
    /// dividend. For a divisor less than 1, the games' loaders return 0.
    fn chain(&mut self, first: &Expr, rest: &[(Operator, Expr)]) -> String {
        let binding = rest.first().map_or(0, |(operator, _)| operator.binding());
        let mut text = self.operand_of_chain(first, binding);
        let mut simple = is_natural(first);
        for (operator, value) in rest {
            let next = self.operand_of_chain(value, binding);
            let natural = simple && is_natural(value);
            let sure = self.range(value).is_some_and(|(least, _)| least >= 1);
            text = match operator {
                Operator::Add => format!("{text} + {next}"),
                Operator::Subtract if next.starts_with('-') => format!("{text} - ({next})"),
                Operator::Subtract => format!("{text} - {next}"),
                Operator::Multiply => format!("{text} * {next}"),
                Operator::Concatenate => format!("{text} .. {next}"),
                Operator::Divide | Operator::Remainder if !sure => {
                    let divided = match operator {
                        Operator::Divide => "math.tointeger(a / b - math.fmod(a / b, 1))",
                        _ => "math.fmod(a, b)",
                    };
                    format!("(function(a, b) return b < 1 and 0 or {divided} end)({text}, {next})")
                }
                Operator::Divide if natural => format!("{text} // {next}"),
                Operator::Remainder if natural => format!("{text} % {next}"),
                // A draw must be evaluated only once.
                Operator::Divide if text.contains('(') || next.contains('(') => {
                    format!("(function(a, b) return math.tointeger(a / b - math.fmod(a / b, 1)) end)({text}, {next})")
                }
                Operator::Divide => format!("math.tointeger(({text}) / ({next}) - math.fmod(({text}) / ({next}), 1))"),
                Operator::Remainder => format!("math.fmod({text}, {next})"),
            };
            simple = natural && *operator != Operator::Subtract;
        }
        text
    }

    /// Formats an operand of a chain. Levels that were not read from a source may lack the group around a chain that
    /// binds no closer.
    fn operand_of_chain(&mut self, expr: &Expr, binding: u8) -> String {
        let is_looser = |rest: &[(Operator, Expr)]| rest.first().is_some_and(|(first, _)| first.binding() <= binding);
        match &expr.kind {
            ExprKind::Chain { rest, .. } if is_looser(rest) => format!("({})", self.value(expr)),
            _ => self.value(expr),
        }
    }

    fn core_call(&mut self, call: &CoreCall, span: Span) -> String {
        let arguments: Vec<String> = call.arguments.iter().flatten().map(|argument| self.value(argument)).collect();
        match (call.function.node.as_str(), arguments.as_slice()) {
            ("level.difficulty", []) => String::from("nh.level_difficulty()"),
            ("level.depth", []) => String::from("u.depth"),
            ("hero.role", []) => String::from("u.role"),
            ("string" | "str", [number]) => format!("tostring({number})"),
            // Parsed as in C: the number at the beginning, or 0.
            ("integer" | "int", [text]) => {
                format!("(math.tointeger(tonumber(string.match({text}, \"^%s*[+-]?%d+\"))) or 0)")
            }
            ("coord", [x, y]) => format!("{{ x = {x}, y = {y} }}"),
            ("region", [x1, y1, x2, y2]) => format!("{{ {x1}, {y1}, {x2}, {y2} }}"),
            ("rnd", [sides]) => format!("math.random({sides})"),
            _ => {
                self.cannot(span, "a function of the game");
                String::from("nil")
            }
        }
    }

    pub(super) fn place(&mut self, expr: &Expr) -> Place {
        match &expr.kind {
            ExprKind::Coordinate { x: -1, y: -1 } => Place::Random,
            ExprKind::Coordinate { x, y } => Place::At(*x, *y),
            ExprKind::RandomCoordinate { humidity } => {
                if !humidity.is_empty() {
                    self.cannot(expr.span, "a random place with requirements");
                }
                Place::Random
            }
            ExprKind::Group(inner) => self.place(inner),
            _ => Place::Value(self.definite(expr)),
        }
    }

    /// Formats a place as a value: a table with `x` and `y`. A random place is drawn here, from all squares of the map
    /// or room.
    pub(super) fn definite(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Coordinate { x, y } => format!("{{ x = {x}, y = {y} }}"),
            ExprKind::ComputedCoordinate { x, y } => {
                let (x, y) = (self.value(x), self.value(y));
                format!("{{ x = {x}, y = {y} }}")
            }
            // The game's value for an unspecified place.
            ExprKind::RandomCoordinate { humidity } if humidity.iter().all(|word| word.node == Humidity::Dry) => {
                String::from("{ x = -1, y = -1 }")
            }
            ExprKind::RandomCoordinate { .. } => {
                self.cannot(expr.span, "a random place with requirements");
                String::from("nil")
            }
            ExprKind::SelectedCoordinate(selection) => format!("selection.rndcoord({})", self.selection(selection)),
            ExprKind::Group(inner) => self.definite(inner),
            _ => self.value(expr),
        }
    }

    /// Formats a place as two numbers.
    pub(super) fn two_numbers(&mut self, expr: &Expr) -> (String, String) {
        match &expr.kind {
            ExprKind::Coordinate { x, y } => (x.to_string(), y.to_string()),
            ExprKind::ComputedCoordinate { x, y } => (self.value(x), self.value(y)),
            ExprKind::Group(inner) => self.two_numbers(inner),
            _ => {
                let value = match &expr.kind {
                    // Functions of selections accept no random place: they treat -1 as a column off the level.
                    ExprKind::RandomCoordinate { .. } => {
                        String::from("selection.rndcoord(selection.set(selection.new()))")
                    }
                    _ => self.value(expr),
                };
                let name = self.once("place", value);
                (format!("{name}.x"), format!("{name}.y"))
            }
        }
    }

    /// Formats the corners of a region as four numbers.
    pub(super) fn corners(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Region { corners: [x1, y1, x2, y2] } => format!("{x1}, {y1}, {x2}, {y2}"),
            ExprKind::Group(inner) => self.corners(inner),
            _ => format!("table.unpack({})", self.value(expr)),
        }
    }

    /// Formats a region as a table.
    pub(super) fn region_value(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Region { corners: [x1, y1, x2, y2] } => format!("{{ {x1}, {y1}, {x2}, {y2} }}"),
            ExprKind::Group(inner) => self.region_value(inner),
            _ => self.value(expr),
        }
    }

    /// Formats terrain, with its light if given.
    pub(super) fn terrain(&mut self, expr: &Expr) -> (String, Option<i32>) {
        match &expr.kind {
            ExprKind::MapCharacter { character, light } => (quoted(&character.to_string()), light.map(light_number)),
            ExprKind::Group(inner) => self.terrain(inner),
            _ => (self.value(expr), None),
        }
    }

    pub(super) fn species(&mut self, expr: &Expr) -> Species {
        let class_of = |class: &char| Species::Class(quoted(&class.to_string()));
        match &expr.kind {
            ExprKind::Monster(SpeciesName::Random | SpeciesName::RandomAndName(_))
            | ExprKind::Object(SpeciesName::Random | SpeciesName::RandomAndName(_)) => Species::Random,
            ExprKind::Monster(SpeciesName::Class(class)) | ExprKind::Object(SpeciesName::Class(class)) => {
                class_of(class)
            }
            ExprKind::Monster(SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name)) => {
                Species::Name(quoted(name), None)
            }
            ExprKind::Object(SpeciesName::Name(name)) => self.object_name(name, None),
            ExprKind::Object(SpeciesName::ClassAndName(class, name)) => self.object_name(name, Some(*class)),
            ExprKind::Variable(variable) => {
                let holds = self.variables.holds(&variable.name);
                Species::Value(self.variable(variable), holds)
            }
            ExprKind::Group(inner) => self.species(inner),
            ExprKind::String(text) => Species::Name(quoted(text), None),
            _ => Species::Value(self.value(expr), Holds { classes: true, names: true, random: false }),
        }
    }

    fn object_name(&mut self, name: &str, class: Option<char>) -> Species {
        let (name, class) = names::object(self.catalog, name, class);
        Species::Name(quoted(&name), class.map(|class| quoted(&class.to_string())))
    }

    /// Returns a variable name that is not in use.
    pub(super) fn fresh(&mut self, base: &str) -> String {
        self.named += 1;
        format!("{base}_{}", self.named)
    }

    /// Returns an expression for a value that is used more than once. A variable or an array element is returned as it
    /// is; a draw or a table is stored in a variable first.
    pub(super) fn once(&mut self, base: &str, value: String) -> String {
        if !value.contains(['(', '{']) {
            return value;
        }
        let name = self.fresh(base);
        self.set(&name, &value);
        name
    }

    pub(super) fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Percent(percent) => format!("percent({})", percent.node),
            Condition::Compare { left, comparison, right } => {
                let (left, right) = (self.value(left), self.value(right));
                let sign = match comparison {
                    Comparison::NotEqual => "~=",
                    other => other.as_str(),
                };
                format!("{left} {sign} {right}")
            }
            Condition::NonZero(value) => {
                let value = self.value(value);
                format!("{value} ~= 0")
            }
        }
    }
}

/// Returns true if the value is never negative.
fn is_natural(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(number) => *number >= 0,
        ExprKind::Dice { .. } => true,
        ExprKind::Method { .. } => true,
        ExprKind::Group(inner) => is_natural(inner),
        ExprKind::Chain { first, rest } => {
            is_natural(first)
                && rest.iter().all(|(operator, value)| *operator != Operator::Subtract && is_natural(value))
        }
        _ => false,
    }
}

/// Returns the number for a light of terrain and rooms: -1 is random.
pub(super) fn light_number(light: OrRandom<Light>) -> i32 {
    match light {
        // Mines are lit at random.
        OrRandom::Random | OrRandom::Is(Light::MinesLight) => -1,
        OrRandom::Is(Light::Unlit) => 0,
        OrRandom::Is(Light::Lit) => 1,
    }
}
