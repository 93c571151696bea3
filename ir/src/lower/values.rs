//! Values pushed before a statement acts.

use super::*;

impl Lowering<'_> {
    pub(super) fn directions(&mut self, directions: &[Spanned<Direction>]) {
        let words = directions.iter().map(|direction| Text::const_new(direction.node.as_str())).collect();
        self.named(Named::Words(Group::Direction, words));
    }

    pub(super) fn alignment(&mut self, alignment: AlignmentSpec) {
        match alignment {
            AlignmentSpec::Is(word) => self.word(Group::Alignment, word.as_str()),
            AlignmentSpec::Register(index) => self.integer(-index.node - 1),
            AlignmentSpec::Random => self.integer(-self.catalog.limits.registers - 1),
        }
    }

    pub(super) fn variable(&mut self, name: &str) {
        self.push(Operand::Variable(Text::from(name)));
    }

    pub(super) fn use_variable(&mut self, variable: &Variable) {
        if let Some(index) = &variable.index {
            self.expr(index);
        }
        self.variable(&variable.name);
    }

    pub(super) fn core_call(&mut self, call: &CoreCall) {
        for argument in call.arguments.iter().flatten() {
            self.expr(argument);
        }
        self.named(Named::CoreFunction(call.function.node.clone()));
        self.op(Opcode::CoreFunc);
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        // Later opcodes belong to the statement again.
        let outer = std::mem::replace(&mut self.span, expr.span);
        match &expr.kind {
            ExprKind::Integer(number) => self.integer(*number),
            ExprKind::Dice { count, sides } => {
                self.integer(*count);
                self.integer(*sides);
                self.op(Opcode::Dice);
            }
            ExprKind::String(text) => self.push(Operand::String(Some(text.clone()))),
            ExprKind::Coordinate { x, y } => self.push(Operand::Coordinate(Coordinate::At { x: *x, y: *y })),
            ExprKind::RandomCoordinate { humidity } => {
                let words = humidity.iter().map(|word| Text::const_new(word.node.as_str())).collect();
                self.push(Operand::Coordinate(Coordinate::Random(words)));
            }
            ExprKind::ComputedCoordinate { x, y } => {
                self.expr(x);
                self.expr(y);
                self.named(Named::ValueType(ValueType::Coordinate));
                self.named(Named::ValueType(ValueType::Integer));
                self.op(Opcode::ConvertType);
            }
            ExprKind::SelectedCoordinate(selection) => {
                self.selection(selection);
                self.op(Opcode::SelRndCoord);
            }
            ExprKind::Region { corners } => self.push(Operand::Region(*corners)),
            ExprKind::MapCharacter { character, light } => {
                self.push(Operand::MapCharacter { symbol: *character, light: light_code(*light) });
            }
            ExprKind::Monster(name) => self.push(Operand::Monster(name.clone())),
            ExprKind::Object(name) => self.push(Operand::Object(name.clone())),
            ExprKind::Selection(selection) => self.selection(selection),
            ExprKind::Variable(variable) => self.use_variable(variable),
            ExprKind::Method { variable, method, .. } => {
                self.variable(&variable.node);
                self.named(Named::Method(method.clone()));
                self.op(Opcode::CoreFunc);
            }
            ExprKind::CoreCall(call) => self.core_call(call),
            ExprKind::Chain { first, rest } => {
                self.expr(first);
                for (operator, value) in rest {
                    self.expr(value);
                    self.op(match operator {
                        Operator::Add | Operator::Concatenate => Opcode::MathAdd,
                        Operator::Subtract => Opcode::MathSub,
                        Operator::Multiply => Opcode::MathMul,
                        Operator::Divide => Opcode::MathDiv,
                        Operator::Remainder => Opcode::MathMod,
                    });
                }
            }
            ExprKind::Group(inner) => self.expr(inner),
            ExprKind::Random => self.integer(-1),
            ExprKind::Register { .. } | ExprKind::NamedRegister { .. } | ExprKind::Checked { .. } | ExprKind::Error => {
                self.refuse();
            }
        }
        self.span = outer;
    }

    pub(super) fn selection(&mut self, selection: &Selection) {
        // Later opcodes belong to the statement again.
        let outer = std::mem::replace(&mut self.span, selection.span);
        match &selection.kind {
            SelectionKind::Point(place) => self.on_expr(place, Opcode::SelPoint),
            SelectionKind::Rectangle(region) => self.on_expr(region, Opcode::SelRect),
            SelectionKind::FilledRectangle(region) => self.on_expr(region, Opcode::SelFillRect),
            SelectionKind::Line(from, to) => {
                self.expr(from);
                self.expr(to);
                self.op(Opcode::SelLine);
            }
            SelectionKind::RandomLine(from, to, roughness) => {
                self.expr(from);
                self.expr(to);
                self.expr(roughness);
                self.op(Opcode::SelRndLine);
            }
            SelectionKind::Grow { directions, selection } => {
                self.selection(selection);
                match directions {
                    Some(directions) => self.directions(directions),
                    None => {
                        let words = Direction::ALL.iter().map(|word| Text::const_new(word.as_str())).collect();
                        self.named(Named::Words(Group::Direction, words));
                    }
                }
                self.op(Opcode::SelGrow);
            }
            SelectionKind::FilterPercent { percent, selection } => {
                self.selection(selection);
                self.integer(percent.node);
                self.integer(0);
                self.op(Opcode::SelFilter);
            }
            SelectionKind::FilterSelection { filter, selection } => {
                self.selection(filter);
                self.selection(selection);
                self.integer(1);
                self.op(Opcode::SelFilter);
            }
            SelectionKind::FilterTerrain { terrain, selection } => {
                self.expr(terrain);
                self.selection(selection);
                self.integer(2);
                self.op(Opcode::SelFilter);
            }
            SelectionKind::FloodFill(place) => self.on_expr(place, Opcode::SelFlood),
            SelectionKind::Circle { center, radius, filling } => {
                self.expr(center);
                self.expr(radius);
                self.op(Opcode::Copy);
                self.filling(*filling);
                self.op(Opcode::SelEllipse);
            }
            SelectionKind::Ellipse { center, x_radius, y_radius, filling } => {
                self.expr(center);
                self.expr(x_radius);
                self.expr(y_radius);
                self.filling(*filling);
                self.op(Opcode::SelEllipse);
            }
            SelectionKind::Gradient { gradient, minimum, maximum, limited, center, center2 } => {
                self.expr(minimum);
                self.expr(maximum);
                self.expr(center);
                match center2 {
                    Some(center2) => self.expr(center2),
                    None => self.op(Opcode::Copy),
                }
                match limited {
                    Some(limited) => self.word(Group::Limited, limited.as_str()),
                    None => self.named_number(Role::Word(Group::Limited), 0),
                }
                self.word(Group::Gradient, gradient.as_str());
                self.op(Opcode::SelGradient);
            }
            SelectionKind::Complement(selection) => self.on_selection(selection, Opcode::SelComplement),
            SelectionKind::Variable(variable) => self.use_variable(variable),
            SelectionKind::Group(selection) => self.selection(selection),
            SelectionKind::Union(parts) => {
                parts.iter().for_each(|part| self.selection(part));
                (1..parts.len()).for_each(|_| self.op(Opcode::SelAdd));
            }
            SelectionKind::Error => self.refuse(),
        }
        self.span = outer;
    }

    pub(super) fn filling(&mut self, filling: Option<Filling>) {
        match filling {
            Some(filling) => self.word(Group::Filling, filling.as_str()),
            None => self.named_number(Role::Word(Group::Filling), 1),
        }
    }
}

/// Returns the code of light next to terrain.
pub fn light_code(light: Option<OrRandom<Light>>) -> LightCode {
    match light {
        None => LightCode::Unchanged,
        Some(OrRandom::Random) => LightCode::Random,
        Some(OrRandom::Is(Light::Unlit)) => LightCode::Unlit,
        // No game has terrain with mines light: see `lacks`.
        Some(OrRandom::Is(Light::Lit | Light::MinesLight)) => LightCode::Lit,
    }
}
