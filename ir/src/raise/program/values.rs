//! Values on the stack, as expressions, and the ways opcodes pop them.

use super::*;
use crate::level::{Selection, SelectionKind, ValueType};

/// A value on the stack.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    /// Nesting depth of its expression.
    depth: usize,
    /// The opcode that pushed it.
    at: usize,
}

/// The content of an [`Item`].
#[derive(Clone, Debug)]
pub(super) enum ItemKind {
    /// The operand of the push at that position.
    Pushed(usize),
    /// A computed value, with its type if known.
    Computed(Expr, Option<ValueType>),
    /// A selection.
    Selection(Selection),
    /// A union of selections, the last one first.
    Union(Vec<Selection>),
    /// A copy of the value below it.
    Copied,
    /// A random number below this value.
    Drawn(Expr),
    /// Two compared values. The flag is set if the right one is the upper bound of a drawn number.
    Compared(Box<(Expr, Expr, bool)>),
}

/// A popped expression.
pub(super) struct Taken {
    pub(super) expr: Expr,
    pub(super) ty: Option<ValueType>,
    depth: usize,
}

impl<'a> Raising<'a> {
    fn put(&mut self, kind: ItemKind, depth: usize, at: usize) -> Result<(), RaiseError> {
        if depth > MAX_NESTING {
            return self.wrong(at, "values are nested too deeply");
        }
        self.stack.push(Item { kind, depth, at });
        Ok(())
    }

    fn put_expr(
        &mut self,
        kind: ExprKind,
        ty: Option<ValueType>,
        depth: usize,
        start: Span,
        at: usize,
    ) -> Result<(), RaiseError> {
        let span = start.to(self.ops[at].span);
        self.put(ItemKind::Computed(expr(kind, span), ty), depth, at)
    }

    fn put_selection(&mut self, kind: SelectionKind, depth: usize, start: Span, at: usize) -> Result<(), RaiseError> {
        let span = start.to(self.ops[at].span);
        self.put(ItemKind::Selection(Selection { kind, span }), depth, at)
    }

    /// Pushes a popped expression again.
    pub(super) fn put_back(&mut self, taken: Taken, at: usize) -> Result<(), RaiseError> {
        self.put(ItemKind::Computed(taken.expr, taken.ty), taken.depth, at)
    }

    /// Returns the number of values that the block has on the stack.
    pub(super) fn count(&self) -> usize {
        self.stack.len() - self.floor
    }

    pub(super) fn pop(&mut self, at: usize) -> Result<Item, RaiseError> {
        match self.stack.len() > self.floor {
            true => self.stack.pop().map_or_else(|| self.wrong(at, "the opcode takes a missing value"), Ok),
            false => self.wrong(at, "the opcode takes a missing value"),
        }
    }

    /// Pops a pushed operand.
    pub(super) fn operand(&mut self, at: usize) -> Result<&'a Operand, RaiseError> {
        let item = self.pop(at)?;
        let ops: &'a [Op] = self.ops;
        match item.kind {
            ItemKind::Pushed(pushed) => match &ops[pushed].operand {
                Some(operand) => Ok(operand),
                None => self.wrong(pushed, "the push has no value"),
            },
            _ => self.wrong(at, "the value is computed, but must be fixed"),
        }
    }

    /// Pops a pushed number.
    pub(super) fn number(&mut self, at: usize) -> Result<i64, RaiseError> {
        let operand = self.operand(at)?.clone();
        match operand.resolve(self.catalog) {
            Ok(Value::Number(ValueType::Integer, number)) => Ok(number),
            Ok(Value::Narrow(ValueType::Integer, number)) => Ok(number.into()),
            _ => self.wrong(at, "expected a number on the stack"),
        }
    }

    pub(super) fn int(&mut self, at: usize) -> Result<i32, RaiseError> {
        let number = self.number(at)?;
        i32::try_from(number).or_else(|_| self.wrong(at, format!("no des-file has the number {number}")))
    }

    /// Pops a number. The flag is set if it is a -1 inserted by the game's compiler.
    pub(super) fn is_narrow(&mut self, at: usize) -> Result<(i32, bool), RaiseError> {
        let cut = matches!(self.stack.last().map(|item| &item.kind), Some(ItemKind::Pushed(pushed))
            if matches!(self.ops[*pushed].operand, Some(Operand::NarrowInteger(_))));
        let number = self.int(at)?;
        Ok((number, number == -1 && (cut || !self.narrow)))
    }

    pub(super) fn truth(&mut self, at: usize) -> Result<bool, RaiseError> {
        match self.number(at)? {
            0 => Ok(false),
            1 => Ok(true),
            other => self.wrong(at, format!("{other} is neither true nor false")),
        }
    }

    pub(super) fn truth_or_random(&mut self, at: usize) -> Result<OrRandom<bool>, RaiseError> {
        match self.number(at)? {
            -1 => Ok(OrRandom::Random),
            0 => Ok(OrRandom::Is(false)),
            1 => Ok(OrRandom::Is(true)),
            other => self.wrong(at, format!("{other} is neither true nor false")),
        }
    }

    /// Returns the word of a number.
    pub(super) fn word_of<T>(
        &self,
        number: i64,
        group: Group,
        from_word: fn(&str) -> Option<T>,
        at: usize,
    ) -> Result<T, RaiseError> {
        let mut words = self.catalog.words(group).filter(|word| self.catalog.word(group, word) == Some(number));
        match words.find_map(from_word) {
            Some(word) => Ok(word),
            None => self.wrong(at, format!("{} has no keyword for the number {number} here", self.catalog.title)),
        }
    }

    pub(super) fn word<T>(
        &mut self,
        group: Group,
        from_word: fn(&str) -> Option<T>,
        at: usize,
    ) -> Result<T, RaiseError> {
        let number = self.number(at)?;
        self.word_of(number, group, from_word, at)
    }

    pub(super) fn word_or_random<T>(
        &mut self,
        group: Group,
        from_word: fn(&str) -> Option<T>,
        at: usize,
    ) -> Result<OrRandom<T>, RaiseError> {
        match self.number(at)? {
            -1 => Ok(OrRandom::Random),
            number => self.word_of(number, group, from_word, at).map(OrRandom::Is),
        }
    }

    /// Pops a number and returns its name in its role.
    pub(super) fn named(&mut self, role: Role, at: usize) -> Result<Named, RaiseError> {
        let number = self.number(at)?;
        match role.operand(number, self.catalog) {
            Some(Operand::Named(named)) => Ok(named),
            _ => self.wrong(at, format!("{} has no name for the number {number} here", self.catalog.title)),
        }
    }

    /// Pops terrain as a plain number and returns its map character.
    pub(super) fn terrain(&mut self, at: usize) -> Result<Spanned<char>, RaiseError> {
        match self.named(Role::Terrain, at)? {
            Named::Terrain(Some(character)) => Ok(Spanned::new(character, self.ops[at].span)),
            _ => self.wrong(at, "terrain is missing"),
        }
    }

    /// Pops a string that may be missing.
    pub(super) fn optional_text(&mut self, at: usize) -> Result<Option<Text>, RaiseError> {
        match self.operand(at)? {
            Operand::String(text) => Ok(text.clone().filter(|text| !text.is_empty())),
            _ => self.wrong(at, "expected a string on the stack"),
        }
    }

    /// Pops the name of a variable that is set or shuffled.
    pub(super) fn variable_name(&mut self, at: usize) -> Result<Spanned<Text>, RaiseError> {
        let span = self.stack.last().map_or(self.ops[at].span, |item| self.ops[item.at].span);
        match self.operand(at)? {
            Operand::String(Some(name)) => Ok(Spanned::new(name.clone(), span)),
            _ => self.wrong(at, "expected the name of a variable on the stack"),
        }
    }

    /// Pops any expression.
    pub(super) fn expr(&mut self, at: usize) -> Result<Expr, RaiseError> {
        self.take(at).map(|taken| taken.expr)
    }

    /// Pops any expression, with its type.
    pub(super) fn take(&mut self, at: usize) -> Result<Taken, RaiseError> {
        let item = self.pop(at)?;
        let Item { depth, .. } = item;
        match item.kind {
            ItemKind::Pushed(pushed) => self.pushed(pushed),
            ItemKind::Computed(expr, ty) => Ok(Taken { expr, ty, depth }),
            ItemKind::Selection(_) | ItemKind::Union(_) => {
                let selection = self.selection_of(item)?;
                let span = selection.span;
                let expr = expr(ExprKind::Selection(Box::new(selection)), span);
                Ok(Taken { expr, ty: Some(ValueType::Selection), depth })
            }
            ItemKind::Copied | ItemKind::Drawn(_) | ItemKind::Compared(_) => {
                self.wrong(item.at, "no des-file uses this value like this")
            }
        }
    }

    /// Returns the expression pushed at `at`. For an array, also pops the index below its name.
    fn pushed(&mut self, at: usize) -> Result<Taken, RaiseError> {
        let ops = self.ops;
        let op = &ops[at];
        let Some(operand) = &op.operand else { return self.wrong(at, "the push has no value") };
        let mut ty = operand.value_type();
        let mut depth = 0;
        let kind = match operand {
            Operand::String(text) => ExprKind::String(text.clone().unwrap_or_default()),
            Operand::Variable(name) => {
                let name = name.clone();
                let held = self.scope.get(&name).copied();
                let array = held.map(|held| held.array).or_else(|| self.arrays.get(name.as_str()).copied());
                let Some(array) = array else {
                    return self.wrong(at, format!("variable '{name}' is used but never set"));
                };
                let mut index = None;
                if array {
                    let taken = self.take(at)?;
                    depth = taken.depth + 1;
                    index = Some(Box::new(taken.expr));
                }
                if depth > MAX_NESTING {
                    return self.wrong(at, "values are nested too deeply");
                }
                let kind =
                    ExprKind::Variable(Variable { name, index, ty: held.unwrap_or(Type::of(ValueType::Integer)) });
                return Ok(Taken { expr: expr(kind, op.span), ty: held.map(|held| held.value), depth });
            }
            Operand::Coordinate(Coordinate::At { x, y }) => ExprKind::Coordinate { x: *x, y: *y },
            Operand::Coordinate(Coordinate::Random(words)) => {
                let words = words.iter().filter_map(|word| Humidity::from_word(word));
                ExprKind::RandomCoordinate { humidity: words.map(|word| Spanned::new(word, op.span)).collect() }
            }
            // A corner is stored in a byte; above 127 it is read as a negative number. The compilers refuse swapped
            // corners, so the second number of such a pair did not fit in its byte.
            Operand::Region(corners) => {
                let [x1, y1, x2, y2] = corners.map(|corner| corner & 0xff);
                let after = |first: i32, second: i32| if second < first { second + 0x100 } else { second };
                ExprKind::Region { corners: [x1, y1, after(x1, x2), after(y1, y2)] }
            }
            Operand::NarrowEverywhere => ExprKind::Region { corners: [0xff; 4] },
            Operand::MapCharacter { symbol, light } => {
                let light = match light {
                    LightCode::Unchanged => None,
                    LightCode::Random => Some(OrRandom::Random),
                    LightCode::Unlit => Some(OrRandom::Is(Light::Unlit)),
                    LightCode::Lit => Some(OrRandom::Is(Light::Lit)),
                };
                ExprKind::MapCharacter { character: *symbol, light }
            }
            Operand::NarrowMapCharacter(symbol) => ExprKind::MapCharacter { character: *symbol, light: None },
            Operand::Monster(name) => ExprKind::Monster(name.clone()),
            Operand::Object(name) => ExprKind::Object(name.clone()),
            Operand::Raw(of, number) if *of != ValueType::Integer => {
                return self.wrong(at, format!("{} has no {} {number}", self.catalog.title, of.as_str()));
            }
            Operand::Rows(_) => return self.wrong(at, "a map is not a value in a des-file"),
            _ => match number(op, self.catalog).and_then(|number| i32::try_from(number).ok()) {
                Some(number) => {
                    ty = ValueType::Integer;
                    ExprKind::Integer(number)
                }
                None => return self.wrong(at, "no des-file has this number"),
            },
        };
        Ok(Taken { expr: expr(kind, op.span), ty: Some(ty), depth })
    }

    /// Pops a selection.
    pub(super) fn selection(&mut self, at: usize) -> Result<Selection, RaiseError> {
        let item = self.pop(at)?;
        match item.kind {
            ItemKind::Pushed(pushed) => {
                let taken = self.pushed(pushed)?;
                let span = taken.expr.span;
                match taken.expr.kind {
                    ExprKind::Variable(variable) => Ok(Selection { kind: SelectionKind::Variable(variable), span }),
                    _ => self.wrong(pushed, "expected a selection on the stack"),
                }
            }
            _ => self.selection_of(item),
        }
    }

    fn selection_of(&self, item: Item) -> Result<Selection, RaiseError> {
        match item.kind {
            ItemKind::Selection(selection) => Ok(selection),
            ItemKind::Union(mut parts) => {
                parts.reverse();
                let span = match parts.as_slice() {
                    [first, .., last] => first.span.to(last.span),
                    _ => Span::NOWHERE,
                };
                Ok(Selection { kind: SelectionKind::Union(parts), span })
            }
            ItemKind::Computed(Expr { kind: ExprKind::Selection(selection), .. }, _) => Ok(*selection),
            _ => self.wrong(item.at, "expected a selection on the stack"),
        }
    }

    fn boxed(&mut self, at: usize) -> Result<(Box<Selection>, usize), RaiseError> {
        let depth = self.stack.last().map_or(0, |item| item.depth);
        Ok((Box::new(self.selection(at)?), depth + 1))
    }

    /// Reads the opcode at `at` if it only computes a value. Returns true if it does.
    pub(super) fn value(&mut self, at: usize) -> Result<bool, RaiseError> {
        let code = self.ops[at].code;
        match code {
            Opcode::Push => self.put(ItemKind::Pushed(at), 0, at)?,
            Opcode::Copy => match self.count() {
                0 => return self.wrong(at, "the opcode copies a missing value"),
                _ => self.put(ItemKind::Copied, 0, at)?,
            },
            Opcode::Rn2 => {
                let taken = self.take(at)?;
                self.put(ItemKind::Drawn(taken.expr), taken.depth, at)?;
            }
            Opcode::Cmp => {
                let right = self.pop(at)?;
                let (right, drawn) = match right.kind {
                    ItemKind::Drawn(below) => (below, true),
                    _ => {
                        self.stack.push(right);
                        (self.expr(at)?, false)
                    }
                };
                let left = self.expr(at)?;
                self.put(ItemKind::Compared(Box::new((left, right, drawn))), 0, at)?;
            }
            Opcode::MathAdd | Opcode::MathSub | Opcode::MathMul | Opcode::MathDiv | Opcode::MathMod => {
                self.chain(code, at)?;
            }
            Opcode::Dice => {
                let sides = self.int(at)?;
                let start = self.stack.last().map_or(Span::NOWHERE, |item| self.ops[item.at].span);
                let count = self.int(at)?;
                self.put_expr(ExprKind::Dice { count, sides }, Some(ValueType::Integer), 0, start, at)?;
            }
            Opcode::CoreFunc => self.core_function(at)?,
            Opcode::ConvertType => {
                let types = (self.named(Role::TypeOfValues, at)?, self.named(Role::TypeOfValues, at)?);
                if types != (Named::ValueType(ValueType::Integer), Named::ValueType(ValueType::Coordinate)) {
                    return self.wrong(at, "no des-file converts these types");
                }
                let (y, x) = (self.take(at)?, self.take(at)?);
                let (depth, start) = (x.depth.max(y.depth) + 1, x.expr.span);
                let kind = ExprKind::ComputedCoordinate { x: Box::new(x.expr), y: Box::new(y.expr) };
                self.put_expr(kind, Some(ValueType::Coordinate), depth, start, at)?;
            }
            Opcode::SelRndCoord => {
                let (selection, depth) = self.boxed(at)?;
                let start = selection.span;
                let kind = ExprKind::SelectedCoordinate(selection);
                self.put_expr(kind, Some(ValueType::Coordinate), depth, start, at)?;
            }
            _ => return self.made_selection(code, at),
        }
        Ok(true)
    }

    fn chain(&mut self, code: Opcode, at: usize) -> Result<(), RaiseError> {
        let (right, left) = (self.take(at)?, self.take(at)?);
        let text = left.ty == Some(ValueType::String) || right.ty == Some(ValueType::String);
        let operator = match code {
            Opcode::MathAdd if text => Operator::Concatenate,
            Opcode::MathAdd => Operator::Add,
            Opcode::MathSub => Operator::Subtract,
            Opcode::MathMul => Operator::Multiply,
            Opcode::MathDiv => Operator::Divide,
            _ => Operator::Remainder,
        };
        let ty = if text { ValueType::String } else { ValueType::Integer };
        let start = left.expr.span;
        let binding_of = |rest: &[(Operator, Expr)]| rest.first().map_or(u8::MAX, |(first, _)| first.binding());
        let binding = operator.binding();
        // A source needs parentheses around a chain that binds no closer.
        let grouped = |Taken { expr: value, depth, .. }: Taken, least: u8| match &value.kind {
            ExprKind::Chain { rest, .. } if binding_of(rest) < least => {
                let span = value.span;
                (expr(ExprKind::Group(Box::new(value)), span), depth + 1)
            }
            _ => (value, depth),
        };
        let (right, right_depth) = grouped(right, binding + 1);
        let (left, left_depth) = grouped(left, binding);
        let mut depth = left_depth.max(right_depth + 1);
        let kind = match left.kind {
            ExprKind::Chain { first, mut rest } if binding_of(&rest) == binding => {
                rest.push((operator, right));
                ExprKind::Chain { first, rest }
            }
            _ => {
                depth = left_depth.max(right_depth) + 1;
                ExprKind::Chain { first: Box::new(left), rest: vec![(operator, right)] }
            }
        };
        self.put_expr(kind, Some(ty), depth, start, at)
    }

    fn core_function(&mut self, at: usize) -> Result<(), RaiseError> {
        let span = self.ops[at].span;
        match self.named(Role::CoreFunction, at)? {
            Named::CoreFunction(name) => {
                let Some(function) = self.catalog.core_function(&name) else {
                    return self.wrong(at, "no des-file calls this function");
                };
                let count = function.parameters.chars().count();
                let result = ValueType::of_letter(function.result);
                let mut depth = 0;
                let mut arguments = Vec::with_capacity(count);
                for _ in 0..count {
                    let taken = self.take(at)?;
                    depth = depth.max(taken.depth);
                    arguments.push(taken.expr);
                }
                arguments.reverse();
                let start = arguments.first().map_or(span, |argument| argument.span);
                let arguments = (count > 0).then_some(arguments);
                let kind = ExprKind::CoreCall(CoreCall { function: Box::new(Spanned::new(name, span)), arguments });
                self.put_expr(kind, result, depth + 1, start, at)
            }
            Named::Method(method) => match self.operand(at)? {
                Operand::Variable(name) => {
                    let variable = Box::new(Spanned::new(name.clone(), span));
                    let ty = self.scope.get(&variable.node).copied().unwrap_or(Type::of(ValueType::Integer));
                    let kind = ExprKind::Method { variable, ty, method };
                    self.put_expr(kind, Some(ValueType::Integer), 0, span, at)
                }
                _ => self.wrong(at, "the method is not called on a variable"),
            },
            _ => self.wrong(at, "no des-file calls this function"),
        }
    }

    fn filling(&mut self, at: usize) -> Result<Option<Filling>, RaiseError> {
        // Filled is the default.
        Ok(match self.number(at)? {
            1 => None,
            number => Some(self.word_of(number, Group::Filling, Filling::from_word, at)?),
        })
    }

    fn made_selection(&mut self, code: Opcode, at: usize) -> Result<bool, RaiseError> {
        let depth_of = |taken: &[&Taken]| taken.iter().map(|taken| taken.depth).max().unwrap_or(0) + 1;
        let (kind, depth, start) = match code {
            Opcode::SelPoint | Opcode::SelRect | Opcode::SelFillRect | Opcode::SelFlood => {
                let of = self.take(at)?;
                let (depth, start) = (of.depth + 1, of.expr.span);
                let kind = match code {
                    Opcode::SelPoint => SelectionKind::Point,
                    Opcode::SelRect => SelectionKind::Rectangle,
                    Opcode::SelFillRect => SelectionKind::FilledRectangle,
                    _ => SelectionKind::FloodFill,
                };
                (kind(of.expr), depth, start)
            }
            Opcode::SelLine => {
                let (to, from) = (self.take(at)?, self.take(at)?);
                let (depth, start) = (depth_of(&[&to, &from]), from.expr.span);
                (SelectionKind::Line(from.expr, Box::new(to.expr)), depth, start)
            }
            Opcode::SelRndLine => {
                let (roughness, to, from) = (self.take(at)?, self.take(at)?, self.take(at)?);
                let (depth, start) = (depth_of(&[&roughness, &to, &from]), from.expr.span);
                (SelectionKind::RandomLine(from.expr, Box::new(to.expr), Box::new(roughness.expr)), depth, start)
            }
            Opcode::SelGrow => {
                let number = self.number(at)?;
                let all = Direction::ALL.iter().filter_map(|word| self.catalog.word(Group::Direction, word.as_str()));
                let directions = match number == all.fold(0, |all, bits| all | bits) {
                    true => None,
                    false => Some(self.directions(number, at)?),
                };
                let (selection, depth) = self.boxed(at)?;
                let start = selection.span;
                (SelectionKind::Grow { directions, selection }, depth, start)
            }
            Opcode::SelFilter => match self.number(at)? {
                0 => {
                    let percent = Spanned::new(self.int(at)?, self.ops[at].span);
                    let (selection, depth) = self.boxed(at)?;
                    let start = selection.span;
                    (SelectionKind::FilterPercent { percent, selection }, depth, start)
                }
                1 => {
                    let (selection, depth) = self.boxed(at)?;
                    let (filter, filter_depth) = self.boxed(at)?;
                    let start = filter.span;
                    (SelectionKind::FilterSelection { filter, selection }, depth.max(filter_depth), start)
                }
                2 => {
                    let (selection, depth) = self.boxed(at)?;
                    let terrain = self.take(at)?;
                    let (depth, start) = (depth.max(terrain.depth + 1), terrain.expr.span);
                    (SelectionKind::FilterTerrain { terrain: terrain.expr, selection }, depth, start)
                }
                other => return self.wrong(at, format!("there is no filter type {other}")),
            },
            Opcode::SelEllipse => {
                let filling = self.filling(at)?;
                let copied = self.take_copied(at)?;
                let x_radius = self.take(at)?;
                let y_radius = if copied { None } else { Some(self.take(at)?) };
                // The vertical radius was on top.
                let (x_radius, y_radius) = match y_radius {
                    Some(below) => (below, Some(x_radius)),
                    None => (x_radius, None),
                };
                let center = self.take(at)?;
                let depth = depth_of(&[&center, &x_radius]).max(y_radius.as_ref().map_or(0, |taken| taken.depth + 1));
                let start = center.expr.span;
                let (center, radius) = (center.expr, Box::new(x_radius.expr));
                let kind = match y_radius {
                    None => SelectionKind::Circle { center, radius, filling },
                    Some(y_radius) => {
                        SelectionKind::Ellipse { center, x_radius: radius, y_radius: Box::new(y_radius.expr), filling }
                    }
                };
                (kind, depth, start)
            }
            Opcode::SelGradient => {
                let gradient = self.word(Group::Gradient, GradientType::from_word, at)?;
                let limited = match self.number(at)? {
                    0 => None,
                    number => Some(self.word_of(number, Group::Limited, Limited::from_word, at)?),
                };
                let center2 = if self.take_copied(at)? { None } else { Some(self.take(at)?) };
                let (center, maximum, minimum) = (self.take(at)?, self.take(at)?, self.take(at)?);
                let depth = depth_of(&[&center, &maximum, &minimum]);
                let depth = depth.max(center2.as_ref().map_or(0, |taken| taken.depth + 1));
                let start = minimum.expr.span;
                let kind = SelectionKind::Gradient {
                    gradient,
                    minimum: Box::new(minimum.expr),
                    maximum: Box::new(maximum.expr),
                    limited,
                    center: center.expr,
                    center2: center2.map(|taken| Box::new(taken.expr)),
                };
                (kind, depth, start)
            }
            Opcode::SelComplement => {
                let (selection, depth) = self.boxed(at)?;
                let start = selection.span;
                (SelectionKind::Complement(selection), depth, start)
            }
            Opcode::SelAdd => {
                let right_item = self.pop(at)?;
                let right_depth = right_item.depth;
                // Merge the left operand into a union on the right: `a & b & c` is added from the end.
                let mut parts = match right_item.kind {
                    ItemKind::Union(parts) => parts,
                    _ => {
                        self.stack.push(right_item);
                        vec![self.selection(at)?]
                    }
                };
                let left_depth = self.stack.last().map_or(0, |item| item.depth);
                parts.push(self.selection(at)?);
                self.put(ItemKind::Union(parts), right_depth.max(left_depth + 1), at)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        self.put_selection(kind, depth, start, at)?;
        Ok(true)
    }

    /// Pops a copy of the value below it, if one is on top. Returns true if so.
    fn take_copied(&mut self, at: usize) -> Result<bool, RaiseError> {
        let copied = matches!(self.stack.last().map(|item| &item.kind), Some(ItemKind::Copied));
        if copied {
            self.pop(at)?;
        }
        Ok(copied)
    }

    /// Returns the directions whose bits or-ed are `number`.
    pub(super) fn directions(&self, number: i64, at: usize) -> Result<Vec<Spanned<Direction>>, RaiseError> {
        let words = words_of_bits(number, Group::Direction, self.catalog).unwrap_or_default();
        let span = self.ops[at].span;
        let words: Vec<_> = words.iter().filter_map(|word| Direction::from_word(word)).collect();
        match words.is_empty() {
            true => self.wrong(at, format!("{number} is not a set of directions")),
            false => Ok(words.into_iter().map(|word| Spanned::new(word, span)).collect()),
        }
    }
}
