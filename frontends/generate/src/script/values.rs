//! Values and selections.

use splc_ir::catalog::Feature;
use splc_ir::level::*;
use splc_ir::source::Text;
use splc_ir::words::*;

use super::Script;
use crate::names::text;
use crate::{expression, selection, spanned};

/// The maximum nesting of generated values.
const DEEPEST_VALUE: usize = 3;

impl Script<'_, '_> {
    /// Returns the names of the variables of a type.
    fn variables_of(&self, ty: Type) -> Vec<Text> {
        self.variables.iter().filter(|known| known.ty == ty).map(|known| known.name.clone()).collect()
    }

    /// Returns a variable of this type, or an element of an array, if there is one.
    fn variable(&mut self, value: ValueType, depth: usize) -> Option<ExprKind> {
        let single = self.variables_of(Type::of(value));
        let arrays = if value == ValueType::Selection { Vec::new() } else { self.variables_of(Type::array(value)) };
        let at = self.choices.below(single.len() + arrays.len() + 1).checked_sub(1)?;
        if let Some(name) = single.get(at) {
            return Some(ExprKind::Variable(Variable { name: name.clone(), index: None, ty: Type::of(value) }));
        }
        let name = arrays.get(at - single.len())?.clone();
        let index = Some(Box::new(self.number(depth + 1)));
        Some(ExprKind::Variable(Variable { name, index, ty: Type::array(value) }))
    }

    /// Returns a call of a core function with a result of this type.
    fn core_call(&mut self, value: ValueType, depth: usize) -> Option<ExprKind> {
        if depth >= DEEPEST_VALUE {
            return None;
        }
        let fitting = self.catalog.core_functions.iter().filter(|function| {
            ValueType::of_letter(function.result) == Some(value)
                && function.parameters.chars().all(|letter| ValueType::of_letter(letter).is_some())
        });
        let fitting: Vec<_> = fitting.collect();
        let at = self.choices.below(fitting.len() + 1).checked_sub(1)?;
        let function = fitting[at];
        let arguments: Vec<Expr> = function
            .parameters
            .chars()
            .filter_map(ValueType::of_letter)
            .map(|wanted| match wanted {
                ValueType::Object => {
                    expression(ExprKind::Object(SpeciesName::Name(self.names.object_name(self.choices))))
                }
                wanted => self.value(wanted, depth + 1),
            })
            .collect();
        let arguments = if arguments.is_empty() { None } else { Some(arguments) };
        Some(ExprKind::CoreCall(CoreCall {
            function: Box::new(spanned(Text::from(function.name.as_ref()))),
            arguments,
        }))
    }

    /// Generates a value of this type.
    pub(super) fn value(&mut self, wanted: ValueType, depth: usize) -> Expr {
        match wanted {
            ValueType::Integer => self.number(depth),
            ValueType::String => self.text(depth),
            _ => self.atom(wanted, depth),
        }
    }

    /// Generates a sum of products.
    pub(super) fn number(&mut self, depth: usize) -> Expr {
        let first = self.product(depth);
        if depth >= DEEPEST_VALUE || !self.choices.percent(15) {
            return first;
        }
        // If words may contain dashes, `-` is not an operator.
        let operators: &[Operator] =
            if self.has(Feature::DashedWords) { &[Operator::Add] } else { &[Operator::Add, Operator::Subtract] };
        let mut rest = Vec::new();
        while rest.is_empty() || (rest.len() < 3 && self.choices.percent(30)) {
            let operator = self.choices.pick(operators);
            rest.push((operator, self.product(depth + 1)));
        }
        expression(ExprKind::Chain { first: Box::new(first), rest })
    }

    fn product(&mut self, depth: usize) -> Expr {
        let first = self.factor(depth);
        if depth >= DEEPEST_VALUE || !self.choices.percent(10) {
            return first;
        }
        let operator = self.choices.pick(&[Operator::Multiply, Operator::Divide, Operator::Remainder]);
        let rest = vec![(operator, self.factor(depth + 1))];
        expression(ExprKind::Chain { first: Box::new(first), rest })
    }

    fn factor(&mut self, depth: usize) -> Expr {
        if depth < DEEPEST_VALUE && self.choices.percent(8) {
            let inner = match self.choices.below(3) {
                2 if !self.has(Feature::DashedWords) => expression(ExprKind::Integer(-self.choices.between(1, 9))),
                _ => self.number(depth + 1),
            };
            return expression(ExprKind::Group(Box::new(inner)));
        }
        self.atom(ValueType::Integer, depth)
    }

    /// Generates a string, sometimes a concatenation.
    pub(super) fn text(&mut self, depth: usize) -> Expr {
        let first = self.atom(ValueType::String, depth);
        if depth >= DEEPEST_VALUE || !self.choices.percent(12) {
            return first;
        }
        let rest = vec![(Operator::Concatenate, self.atom(ValueType::String, depth + 1))];
        expression(ExprKind::Chain { first: Box::new(first), rest })
    }

    /// Generates a value that is not a chain of operators.
    pub(super) fn atom(&mut self, wanted: ValueType, depth: usize) -> Expr {
        let found = match self.choices.below(8) {
            5 | 6 => self.variable(wanted, depth),
            7 => self.core_call(wanted, depth),
            _ => None,
        };
        match found {
            Some(kind) => expression(kind),
            None => self.literal(wanted, depth),
        }
    }

    /// Generates a literal, without variables and calls except inside selections.
    pub(super) fn literal(&mut self, wanted: ValueType, depth: usize) -> Expr {
        let choices = &mut *self.choices;
        expression(match wanted {
            ValueType::Integer => match choices.below(8) {
                6 => ExprKind::Dice { count: choices.between(1, 4), sides: choices.between(1, 9) },
                7 => return self.method(),
                _ => ExprKind::Integer(choices.between(0, 12)),
            },
            ValueType::String => ExprKind::String(text(choices)),
            ValueType::Coordinate => return self.written_place(depth),
            ValueType::Region => ExprKind::Region { corners: self.corners((self.columns(), self.rows())) },
            ValueType::MapCharacter => {
                let character = choices.pick(&self.names.terrain);
                let light = match choices.below(5) {
                    3 => Some(OrRandom::Random),
                    4 => Some(OrRandom::Is(choices.pick(Light::ALL))),
                    _ => None,
                };
                ExprKind::MapCharacter { character, light }
            }
            ValueType::Monster => ExprKind::Monster(self.names.monster(choices)),
            ValueType::Object => ExprKind::Object(self.names.object(choices)),
            ValueType::Selection => ExprKind::Selection(Box::new(self.selection(depth))),
            ValueType::Null | ValueType::Variable => ExprKind::Integer(0),
        })
    }

    /// Generates a method call on a variable, or a number.
    fn method(&mut self) -> Expr {
        let fits = |of: &Type, value: &str, array: bool| of.value.as_str() == value && of.array == array;
        let all: Vec<(Text, Type, Text)> = self
            .catalog
            .methods
            .iter()
            .flat_map(|method| {
                let of = self.variables.iter().filter(move |known| fits(&known.ty, &method.of, method.array));
                of.map(|known| (known.name.clone(), known.ty, Text::from(method.name.as_ref())))
            })
            .collect();
        match self.choices.below(all.len() + 1).checked_sub(1) {
            None => expression(ExprKind::Integer(1)),
            Some(at) => {
                let (name, ty, method) = all[at].clone();
                expression(ExprKind::Method { variable: Box::new(spanned(name)), ty, method })
            }
        }
    }

    fn columns(&self) -> i32 {
        self.catalog.limits.columns - 1
    }

    fn rows(&self) -> i32 {
        self.catalog.limits.rows - 1
    }

    /// Generates the corners of a rectangle within these greatest columns and rows.
    pub(super) fn corners(&mut self, (columns, rows): (i32, i32)) -> [i32; 4] {
        let (x1, y1) = (self.choices.between(0, columns), self.choices.between(0, rows));
        [x1, y1, self.choices.between(x1, columns.min(x1 + 20)), self.choices.between(y1, rows.min(y1 + 9))]
    }

    /// Generates a literal square.
    pub(super) fn square(&mut self) -> Expr {
        let (columns, rows) = if self.map == (0, 0) { (self.columns(), self.rows()) } else { self.map };
        let (x, y) = (self.choices.between(0, columns), self.choices.between(0, rows.min(self.rows())));
        expression(ExprKind::Coordinate { x, y })
    }

    fn written_place(&mut self, depth: usize) -> Expr {
        match self.choices.below(12) {
            6 | 7 => expression(ExprKind::RandomCoordinate { humidity: Vec::new() }),
            8 if self.has(Feature::RandomHumidity) => {
                let known: Vec<Humidity> = self.known_words(Humidity::GROUP, Humidity::ALL, Humidity::as_str);
                let mut humidity: Vec<_> = self.choices.some(&known, 3).into_iter().map(spanned).collect();
                if humidity.is_empty() {
                    humidity.extend(known.first().copied().map(spanned));
                }
                expression(ExprKind::RandomCoordinate { humidity })
            }
            9 | 10 if depth < DEEPEST_VALUE => {
                expression(ExprKind::SelectedCoordinate(Box::new(self.selection(depth + 1))))
            }
            11 if self.has(Feature::ComputedCoordinates) => {
                let (x, y) = (self.number(depth + 1), self.number(depth + 1));
                let plain = |value: &Expr| matches!(value.kind, ExprKind::Integer(_));
                if plain(&x) && plain(&y) {
                    return self.square();
                }
                expression(ExprKind::ComputedCoordinate { x: Box::new(x), y: Box::new(y) })
            }
            _ => self.square(),
        }
    }

    fn known_words<T: Copy>(&self, group: Group, all: &[T], word: impl Fn(T) -> &'static str) -> Vec<T> {
        all.iter().copied().filter(|&one| self.catalog.word(group, word(one)).is_some()).collect()
    }

    /// Generates a number in a place where some dialects do not accept a variable.
    pub(super) fn plain_number(&mut self) -> Expr {
        if self.has(Feature::ValuesWithoutVariables) {
            return expression(ExprKind::Integer(self.choices.between(0, 30)));
        }
        self.number(1)
    }

    /// Generates a set of squares.
    pub(super) fn selection(&mut self, depth: usize) -> Selection {
        if depth < DEEPEST_VALUE && self.choices.percent(15) {
            let mut parts = vec![self.part(depth + 1), self.part(depth + 1)];
            while parts.len() < 4 && self.choices.percent(30) {
                parts.push(self.part(depth + 1));
            }
            return selection(SelectionKind::Union(parts));
        }
        self.part(depth)
    }

    /// Generates a set of squares other than a union.
    fn part(&mut self, depth: usize) -> Selection {
        let inner = depth < DEEPEST_VALUE;
        selection(match self.choices.below(19) {
            4 => SelectionKind::Rectangle(self.atom(ValueType::Region, depth + 1)),
            5 | 6 => SelectionKind::FilledRectangle(self.atom(ValueType::Region, depth + 1)),
            7 => SelectionKind::Line(
                self.atom(ValueType::Coordinate, depth + 1),
                Box::new(self.atom(ValueType::Coordinate, depth + 1)),
            ),
            8 => {
                let (from, to) =
                    (self.atom(ValueType::Coordinate, depth + 1), self.atom(ValueType::Coordinate, depth + 1));
                SelectionKind::RandomLine(from, Box::new(to), Box::new(self.plain_number()))
            }
            9 if inner => {
                let directions = match self.choices.below(3) {
                    2 => Some(self.directions()),
                    _ => None,
                };
                SelectionKind::Grow { directions, selection: Box::new(self.selection(depth + 1)) }
            }
            10 if inner => {
                let percent = spanned(self.choices.between(0, 100));
                SelectionKind::FilterPercent { percent, selection: Box::new(self.selection(depth + 1)) }
            }
            11 if inner => SelectionKind::FilterSelection {
                filter: Box::new(self.selection(depth + 1)),
                selection: Box::new(self.selection(depth + 1)),
            },
            12 if inner && !self.has(Feature::FiltersWithoutTerrain) => {
                let single = self.variables_of(Type::of(ValueType::MapCharacter));
                let terrain = match self.choices.below(single.len() + 1).checked_sub(1) {
                    Some(at) => expression(ExprKind::Variable(Variable {
                        name: single[at].clone(),
                        index: None,
                        ty: Type::of(ValueType::MapCharacter),
                    })),
                    None => self.literal(ValueType::MapCharacter, depth),
                };
                SelectionKind::FilterTerrain { terrain, selection: Box::new(self.selection(depth + 1)) }
            }
            13 => SelectionKind::FloodFill(self.atom(ValueType::Coordinate, depth + 1)),
            14 => {
                let center = self.atom(ValueType::Coordinate, depth + 1);
                SelectionKind::Circle { center, radius: Box::new(self.plain_number()), filling: self.filling() }
            }
            15 => {
                let center = self.atom(ValueType::Coordinate, depth + 1);
                let (x_radius, y_radius) = (Box::new(self.plain_number()), Box::new(self.plain_number()));
                SelectionKind::Ellipse { center, x_radius, y_radius, filling: self.filling() }
            }
            // A gradient has a dash between its limits, which must be an operator.
            16 if !self.has(Feature::DashedWords) => self.gradient(depth),
            17 if inner => SelectionKind::Complement(Box::new(self.part(depth + 1))),
            18 if inner => match self.variable(ValueType::Selection, depth) {
                Some(ExprKind::Variable(variable)) => SelectionKind::Variable(variable),
                _ => SelectionKind::Group(Box::new(self.selection(depth + 1))),
            },
            _ => SelectionKind::Point(self.atom(ValueType::Coordinate, depth + 1)),
        })
    }

    fn filling(&mut self) -> Option<Filling> {
        match self.choices.below(3) {
            1 => Some(Filling::Filled),
            2 => Some(Filling::Unfilled),
            _ => None,
        }
    }

    fn gradient(&mut self, depth: usize) -> SelectionKind {
        let gradient = self.choices.pick(GradientType::ALL);
        let (minimum, maximum) = (self.atom(ValueType::Integer, depth + 1), self.atom(ValueType::Integer, depth + 1));
        let limited = match self.choices.below(3) {
            1 => Some(Limited::Limited),
            2 => Some(Limited::Unlimited),
            _ => None,
        };
        let center = self.atom(ValueType::Coordinate, depth + 1);
        let center2 = if self.choices.percent(30) { Some(self.atom(ValueType::Coordinate, depth + 1)) } else { None };
        SelectionKind::Gradient {
            gradient,
            minimum: Box::new(minimum),
            maximum: Box::new(maximum),
            limited,
            center,
            center2: center2.map(Box::new),
        }
    }

    /// Generates one or more different directions.
    pub(super) fn directions(&mut self) -> Vec<splc_ir::source::Spanned<Direction>> {
        let mut directions: Vec<_> = self.choices.some(Direction::ALL, 4).into_iter().map(spanned).collect();
        if directions.is_empty() {
            directions.push(spanned(Direction::North));
        }
        directions
    }
}
