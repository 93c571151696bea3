//! Values and selections of the script dialects.

use splc_ir::level::*;
use splc_ir::source::Span;
use splc_ir::words::*;

use super::script::Script;

/// The binding strength of a value's context. A looser value needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Strings joined with `.`: anything is allowed.
    Joined,
    /// A sum.
    Sum,
    /// An operand of a sum: a product.
    Product,
    /// An operand of a product.
    Primary,
}

fn rank_of(operator: Operator) -> Rank {
    match operator {
        Operator::Concatenate => Rank::Joined,
        Operator::Add | Operator::Subtract => Rank::Sum,
        Operator::Multiply | Operator::Divide | Operator::Remainder => Rank::Product,
    }
}

impl Script<'_> {
    /// Writes a value where the grammar allows sums or joined strings.
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.ranked(expr, Rank::Joined);
    }

    /// Writes a value where the grammar allows sums.
    pub(super) fn sum(&mut self, expr: &Expr) {
        self.ranked(expr, Rank::Sum);
    }

    fn ranked(&mut self, expr: &Expr, rank: Rank) {
        match &expr.kind {
            ExprKind::Integer(number) if *number < 0 => {
                self.out.push("(");
                self.out.number(*number);
                self.out.push(")");
            }
            ExprKind::Group(inner) => {
                self.out.push("(");
                match inner.kind {
                    // The sign and its digits are one token to the lexer.
                    ExprKind::Integer(number) if number < 0 => self.out.number(number),
                    _ => self.ranked(inner, Rank::Sum),
                }
                self.out.push(")");
            }
            ExprKind::Chain { first, rest } => self.chain(first, rest, expr.span, rank),
            _ => self.atom(expr),
        }
    }

    fn chain(&mut self, first: &Expr, rest: &[(Operator, Expr)], span: Span, around: Rank) {
        let Some(own) = rest.first().map(|(operator, _)| rank_of(*operator)) else { return self.ranked(first, around) };
        let separated = own < around;
        if separated && own == Rank::Joined {
            self.out.cannot(span, "strings joined within a sum");
        }
        if separated {
            self.out.push("(");
        }
        let inner = match own {
            Rank::Joined => Rank::Sum,
            Rank::Sum => Rank::Product,
            Rank::Product | Rank::Primary => Rank::Primary,
        };
        self.ranked(first, inner);
        for (operator, value) in rest {
            if *operator == Operator::Subtract && self.spelling.dashes_are_words {
                self.out.cannot(span, "a difference");
            }
            self.out.push(" ");
            self.out.push(operator.as_str());
            self.out.push(" ");
            self.ranked(value, inner);
        }
        if separated {
            self.out.push(")");
        }
    }

    /// Writes a value where the grammar allows no operators.
    pub(super) fn atom(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Integer(number) if *number < 0 => self.out.cannot(expr.span, "a negative number here"),
            ExprKind::Integer(number) => self.out.number(*number),
            ExprKind::Dice { count, sides } => {
                self.out.natural(*count, expr.span);
                self.out.push("d");
                self.out.natural(*sides, expr.span);
            }
            ExprKind::String(text) => self.out.quoted(text, expr.span),
            ExprKind::Coordinate { x, y } => self.out.pair(*x, *y, expr.span),
            ExprKind::ComputedCoordinate { x, y } => self.computed_coordinate(x, y),
            ExprKind::RandomCoordinate { humidity } => {
                self.out.push("random");
                for (at, word) in humidity.iter().enumerate() {
                    self.out.push(if at == 0 { "[" } else { "," });
                    self.out.push(word.node.as_str());
                }
                if !humidity.is_empty() {
                    self.out.push("]");
                }
            }
            ExprKind::SelectedCoordinate(selection) => {
                self.out.push("rndcoord(");
                self.selection(selection);
                self.out.push(")");
            }
            ExprKind::Region { corners } => self.out.corners(*corners, expr.span),
            ExprKind::MapCharacter { character, light: None } => self.out.character(*character, expr.span),
            ExprKind::MapCharacter { character, light: Some(light) } => {
                self.out.push("(");
                self.out.character(*character, expr.span);
                self.out.push(", ");
                self.out.or_random(light, |out, light| out.push(light.as_str()));
                self.out.push(")");
            }
            ExprKind::Monster(name) | ExprKind::Object(name) => self.species(name, expr.span),
            ExprKind::Selection(selection) => self.selection(selection),
            ExprKind::Variable(variable) => self.variable(variable, expr.span),
            ExprKind::Method { variable, method, .. } => {
                self.variable_name(&variable.node, variable.span);
                self.out.push(".");
                self.out.push(method);
            }
            ExprKind::CoreCall(call) => self.core_call(call),
            ExprKind::Group(_) | ExprKind::Chain { .. } => self.out.cannot(expr.span, "a computed value here"),
            ExprKind::Register { .. } | ExprKind::NamedRegister { .. } => self.out.cannot(expr.span, "a register"),
            ExprKind::Checked { .. } => self.out.cannot(expr.span, "a place with a keyword after it"),
            ExprKind::Random => self.out.cannot(expr.span, "a random number"),
            ExprKind::Error => self.out.cannot(expr.span, "invalid syntax"),
        }
    }

    /// Writes `($x,$y)` if both are plain and the dialect has that form, otherwise `coord(x, y)`.
    fn computed_coordinate(&mut self, x: &Expr, y: &Expr) {
        let plain = |value: &Expr| match &value.kind {
            ExprKind::Variable(variable) => variable.index.is_none(),
            ExprKind::Integer(number) => *number >= 0,
            _ => false,
        };
        let numbers = |value: &Expr| matches!(value.kind, ExprKind::Integer(_));
        if plain(x) && plain(y) && !(numbers(x) && numbers(y)) {
            self.out.push("(");
            self.atom(x);
            self.out.push(",");
            self.atom(y);
        } else {
            self.out.push("coord(");
            self.sum(x);
            self.out.push(", ");
            self.sum(y);
        }
        self.out.push(")");
    }

    pub(super) fn species(&mut self, name: &SpeciesName, span: Span) {
        match name {
            SpeciesName::Random => self.out.push("random"),
            SpeciesName::Class(class) => self.out.character(*class, span),
            SpeciesName::Name(name) => self.out.quoted(name, span),
            SpeciesName::ClassAndName(class, name) => {
                self.out.push("(");
                self.out.character(*class, span);
                self.out.push(", ");
                self.out.quoted(name, span);
                self.out.push(")");
            }
            SpeciesName::RandomAndName(_) => self.out.cannot(span, "a name for a random species"),
        }
    }

    fn variable(&mut self, variable: &Variable, span: Span) {
        self.variable_name(&variable.name, span);
        if let Some(index) = &variable.index {
            self.out.push("[");
            self.sum(index);
            self.out.push("]");
        }
    }

    pub(super) fn core_call(&mut self, call: &CoreCall) {
        self.out.push(&call.function.node);
        let Some(arguments) = &call.arguments else { return };
        self.out.push("(");
        for (at, argument) in arguments.iter().enumerate() {
            if at > 0 {
                self.out.push(", ");
            }
            match &argument.kind {
                ExprKind::Object(SpeciesName::Name(_)) => {
                    self.out.push(self.spelling.object);
                    self.out.push(": ");
                    self.atom(argument);
                }
                ExprKind::Monster(_) => {
                    self.out.push(self.spelling.monster);
                    self.out.push(": ");
                    self.atom(argument);
                }
                _ => self.expr(argument),
            }
        }
        self.out.push(")");
    }

    // --- Selections

    /// Writes a selection where a union is allowed.
    pub(super) fn selection(&mut self, selection: &Selection) {
        match &selection.kind {
            SelectionKind::Union(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    if at > 0 {
                        self.out.push(" & ");
                    }
                    self.selection_part(part);
                }
            }
            _ => self.selection_part(selection),
        }
    }

    /// Writes a selection where no union is allowed.
    fn selection_part(&mut self, selection: &Selection) {
        match &selection.kind {
            SelectionKind::Point(place) => self.atom(place),
            SelectionKind::Rectangle(region) => self.shape("rect ", region),
            SelectionKind::FilledRectangle(region) => self.shape("fillrect ", region),
            SelectionKind::Line(from, to) => self.line("line ", from, to),
            SelectionKind::RandomLine(from, to, roughness) => {
                self.line("randline ", from, to);
                self.out.push(", ");
                self.sum(roughness);
            }
            SelectionKind::Grow { directions, selection } => {
                self.out.push("grow(");
                if let Some(directions) = directions {
                    self.directions(directions);
                    self.out.push(", ");
                }
                self.selection(selection);
                self.out.push(")");
            }
            SelectionKind::FilterPercent { percent, selection } => {
                self.out.push("filter(");
                self.out.natural(percent.node, percent.span);
                self.out.push("%, ");
                self.selection(selection);
                self.out.push(")");
            }
            SelectionKind::FilterSelection { filter, selection } => {
                self.out.push("filter(");
                self.selection(filter);
                self.out.push(", ");
                self.selection(selection);
                self.out.push(")");
            }
            SelectionKind::FilterTerrain { terrain, selection } => {
                self.out.push("filter(");
                self.atom(terrain);
                self.out.push(", ");
                self.selection(selection);
                self.out.push(")");
            }
            SelectionKind::FloodFill(place) => self.shape("floodfill ", place),
            SelectionKind::Circle { center, radius, filling } => {
                self.out.push("circle(");
                self.atom(center);
                self.out.push(", ");
                self.sum(radius);
                self.filling(*filling);
            }
            SelectionKind::Ellipse { center, x_radius, y_radius, filling } => {
                self.out.push("ellipse(");
                self.atom(center);
                self.out.push(", ");
                self.sum(x_radius);
                self.out.push(", ");
                self.sum(y_radius);
                self.filling(*filling);
            }
            SelectionKind::Gradient { gradient, minimum, maximum, limited, center, center2 } => {
                self.out.push("gradient(");
                self.out.push(gradient.as_str());
                self.out.push(", (");
                self.sum(minimum);
                if self.spelling.dashes_are_words && !self.spelling.comma_gradients {
                    self.out.cannot(selection.span, "the range of a gradient");
                }
                self.out.push(if self.spelling.comma_gradients { ", " } else { " - " });
                self.ranked(maximum, Rank::Product);
                if let Some(limited) = limited {
                    self.out.push(", ");
                    self.out.push(limited.as_str());
                }
                self.out.push("), ");
                self.atom(center);
                if let Some(center2) = center2 {
                    self.out.push(", ");
                    self.atom(center2);
                }
                self.out.push(")");
            }
            SelectionKind::Complement(selection) => {
                self.out.push("complement ");
                self.selection_part(selection);
            }
            SelectionKind::Variable(variable) => self.variable(variable, selection.span),
            SelectionKind::Group(selection) => {
                self.out.push("(");
                self.selection(selection);
                self.out.push(")");
            }
            SelectionKind::Union(_) => {
                self.out.push("(");
                self.selection(selection);
                self.out.push(")");
            }
            SelectionKind::Error => self.out.cannot(selection.span, "invalid syntax"),
        }
    }

    fn shape(&mut self, word: &str, value: &Expr) {
        self.out.push(word);
        self.atom(value);
    }

    fn line(&mut self, word: &str, from: &Expr, to: &Expr) {
        self.shape(word, from);
        self.out.push(if self.spelling.comma_lines { ", " } else { " - " });
        self.atom(to);
    }

    fn filling(&mut self, filling: Option<Filling>) {
        if let Some(filling) = filling {
            self.out.push(", ");
            self.out.push(filling.as_str());
        }
        self.out.push(")");
    }
}
