//! Values: their inferred types, and the types expected of them.

use super::scopes::VariableState;
use super::{Found, Resolver};
use crate::catalog::{Feature, Method};
use crate::check::meant;
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::order::Order;
use crate::source::{Span, Spanned, Text};
use crate::wording::{Conjunction, counted, listed};

/// Returns an example of a value of type `ty`.
pub(super) fn example(ty: ValueType) -> &'static str {
    match ty {
        // No value of a level has these types.
        ValueType::Null | ValueType::Variable => ty.describe(),
        ValueType::Integer => "a number, dice as in 2d6, or a sum",
        ValueType::String => "a string in double quotes",
        ValueType::Coordinate => "(x,y), random, or a variable that contains a place",
        ValueType::Region => "(x1,y1,x2,y2)",
        ValueType::MapCharacter => "terrain, as in '.' or ('.',lit)",
        ValueType::Monster | ValueType::Object => "\"name\", 'class', ('class',\"name\") or random",
        ValueType::Selection => "(x,y), rect (x1,y1,x2,y2), fillrect (x1,y1,x2,y2), ...",
    }
}

/// Converts a value to the expected type: `random`, `'x'` and `"name"` have different meanings in different places.
pub fn coerce(expr: &mut Expr, want: ValueType) {
    let named = match want {
        ValueType::Monster => ExprKind::Monster,
        ValueType::Object => ExprKind::Object,
        _ => return,
    };
    let kind = std::mem::replace(&mut expr.kind, ExprKind::Error);
    expr.kind = match kind {
        ExprKind::RandomCoordinate { humidity } if humidity.is_empty() => named(SpeciesName::Random),
        ExprKind::MapCharacter { character, light: None } => named(SpeciesName::Class(character)),
        ExprKind::String(name) => named(SpeciesName::Name(name)),
        ExprKind::Object(name @ SpeciesName::ClassAndName(..)) => named(name),
        kind => kind,
    };
}

impl Resolver<'_> {
    pub(super) fn mismatch(&mut self, span: Span, want: ValueType, found: impl AsRef<str>) {
        self.push(
            Diagnostic::new(
                Code::TypeMismatch,
                span,
                format!("expected {}, found {}", want.describe(), found.as_ref()),
            )
            .with_help(format!("write {}", example(want))),
        );
    }

    /// Returns the names of up to three variables that are arrays of values of the type `want`.
    fn arrays_of(&self, want: ValueType) -> Vec<String> {
        let is_one = |state: &VariableState| state.ty.is_some_and(|ty| ty.array && ty.value == want);
        let known = self.variables.iter().filter(|(_, state)| is_one(state));
        let mut names: Vec<String> = known.map(|(name, _)| name.to_string()).collect();
        names.order();
        names.truncate(3);
        names
    }

    /// Resolves a number that SporkHack does not accept as a variable (`math_expr`).
    pub(super) fn math(&mut self, expr: &mut Expr) {
        self.value(expr, ValueType::Integer);
        if self.catalog.has(Feature::ValuesWithoutVariables) {
            self.no_variable(expr);
        }
    }

    pub(super) fn no_variable(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Variable(_) => {
                let message = format!("{} allows no variable here", self.catalog.title);
                self.push(
                    Diagnostic::new(Code::WrongDialect, expr.span, message)
                        .with_help("write a number, or dice as in 2d6"),
                );
            }
            ExprKind::Group(inner) => self.no_variable(inner),
            ExprKind::Chain { first, rest } => {
                self.no_variable(first);
                rest.iter().for_each(|(_, value)| self.no_variable(value));
            }
            _ => {}
        }
    }

    /// Checks a number that SporkHack must know at compile time.
    pub(super) fn bare_number(&mut self, expr: &Expr) {
        if !matches!(expr.kind, ExprKind::Integer(_) | ExprKind::Error) {
            let message = format!("{} allows only a literal number here", self.catalog.title);
            let help = match &expr.kind {
                ExprKind::Variable(variable) => format!("write the number itself instead of {}", variable.name),
                _ => "write a number, such as 5".to_owned(),
            };
            self.push(Diagnostic::new(Code::WrongDialect, expr.span, message).with_help(help));
        }
    }

    /// Checks a value that SporkHack accepts only as a literal, not from a variable or selection.
    pub(super) fn written_out(&mut self, value: &Expr, ty: ValueType) {
        let computed = matches!(
            value.kind,
            ExprKind::Variable(_) | ExprKind::SelectedCoordinate(_) | ExprKind::ComputedCoordinate { .. }
        );
        if computed {
            let message =
                format!("{} allows only {} that is written literally here", self.catalog.title, ty.describe());
            self.push(
                Diagnostic::new(Code::TypeMismatch, value.span, message).with_help(format!("write {}", example(ty))),
            );
        }
    }

    /// Reports a literal in the form of another type. Returns true if it did.
    fn miswritten(&mut self, expr: &Expr, want: ValueType) -> bool {
        let (message, right, from) = match (&expr.kind, want) {
            (ExprKind::String(text), ValueType::Integer)
                if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                ("a number takes no quotes", text.to_string(), expr.span)
            }
            (ExprKind::String(text), ValueType::Coordinate | ValueType::Region)
                if text.as_str() == "random" || (text.starts_with('(') && text.ends_with(')')) =>
            {
                ("a place takes no quotes", text.to_string(), expr.span)
            }
            (ExprKind::String(text), ValueType::MapCharacter) if text.chars().count() == 1 && !text.contains('\'') => {
                ("a map character must be in single quotes", format!("'{text}'"), expr.span)
            }
            (ExprKind::String(text), ValueType::MapCharacter) => match meant::terrain(self.catalog, text) {
                Some(drawn) => ("terrain must be written as its map character", format!("'{drawn}'"), expr.span),
                None => return false,
            },
            (ExprKind::Selection(selection), ValueType::Region) => match &selection.kind {
                SelectionKind::Rectangle(area) | SelectionKind::FilledRectangle(area) => match area.kind {
                    ExprKind::Region { corners: [x1, y1, x2, y2] } => {
                        ("a region is only its corners", format!("({x1},{y1},{x2},{y2})"), expr.span)
                    }
                    _ => return false,
                },
                _ => return false,
            },
            (ExprKind::Group(inner), ValueType::String) => match &inner.kind {
                ExprKind::String(text) => ("a string takes no parentheses", format!("\"{text}\""), expr.span),
                _ => return false,
            },
            _ => return false,
        };
        self.push(
            Diagnostic::new(Code::TypeMismatch, from, message)
                .with_help(format!("write {right}"))
                .with_suggestion(from, right, true),
        );
        true
    }

    /// Makes `expr` a value of type `want`, or reports a type mismatch.
    pub(super) fn value(&mut self, expr: &mut Expr, want: ValueType) {
        coerce(expr, want);
        if self.miswritten(expr, want) {
            expr.kind = ExprKind::Error;
            return;
        }
        let Some(found) = self.infer(expr) else { return };
        if found == Type::of(want) {
            return;
        }
        if found == Type::array(want) {
            let name = match &expr.kind {
                ExprKind::Variable(variable) => variable.name.as_str(),
                _ => "$x",
            };
            self.push(
                Diagnostic::new(
                    Code::TypeMismatch,
                    expr.span,
                    format!("expected {}, found an array of them", want.describe()),
                )
                .with_help(format!("write an index: {name}[0] for the first")),
            );
        } else {
            let mut message = found.describe();
            if let ExprKind::Variable(variable) = &expr.kind {
                let is_area = found == Type::of(ValueType::Selection) && want == ValueType::Coordinate;
                if is_area && self.catalog.is_keyword("rndcoord") {
                    let message = format!("variable '{}' is a selection, not a place", variable.name);
                    let right = format!("rndcoord({})", variable.name);
                    self.push(
                        Diagnostic::new(Code::TypeMismatch, expr.span, message)
                            .with_help(format!("write {right} for one of its squares"))
                            .with_suggestion(expr.span, right, true),
                    );
                    return;
                }
                message = format!("variable '{}', which is {message}", variable.name);
                let index = variable.index.as_ref().map(|index| match &index.kind {
                    ExprKind::Integer(number) => number.to_string(),
                    ExprKind::Variable(Variable { name, index: None, .. }) => name.to_string(),
                    _ => "...".to_owned(),
                });
                let others = self.arrays_of(want);
                if let Some(index) = index.filter(|_| !others.is_empty()) {
                    let message = format!("expected {}, found {message}", want.describe());
                    let written = others.iter().map(|name| format!("{name}[{index}]"));
                    let help = format!("write {}", listed(written, Conjunction::Or));
                    let diagnostic = Diagnostic::new(Code::TypeMismatch, expr.span, message).with_help(help);
                    let name = Span { end: expr.span.start + variable.name.len() as u32, ..expr.span };
                    self.push(match others.as_slice() {
                        [only] => diagnostic.with_suggestion(name, only, false),
                        _ => diagnostic,
                    });
                    return;
                }
                // A variable whose definition has the wrong type is wrong in each of its uses.
                if let Some(state) = self.variables.get_mut(&variable.name) {
                    if state.mistaken.replace(want) == Some(want) {
                        return;
                    }
                    let message = format!("expected {}, found {message}", want.describe());
                    let mut problem = Diagnostic::new(Code::TypeMismatch, expr.span, message);
                    if state.span != expr.span {
                        let kind = state.ty.unwrap_or(found).describe();
                        problem = problem.with_secondary(state.span, format!("set here to {kind}"));
                    }
                    let prefix = match want {
                        ValueType::Monster => "monster: ",
                        ValueType::Object => "object: ",
                        ValueType::MapCharacter => "terrain: ",
                        _ => "",
                    };
                    let is_array = state.ty.is_some_and(|ty| ty.array);
                    let (what, values) = match is_array {
                        true => (Type::array(want).describe(), "{ values }"),
                        false => (Type::of(want).describe(), "value"),
                    };
                    self.push(match prefix {
                        "" => problem.with_help(format!("write {}", example(want))),
                        _ => problem.with_help(format!(
                            "set it to {what}, as in {} = {prefix}{values}, or write {} here",
                            variable.name,
                            example(want),
                        )),
                    });
                    return;
                }
            }
            if matches!(&expr.kind, ExprKind::RandomCoordinate { humidity } if humidity.is_empty()) {
                message = "random".to_owned();
            }
            self.mismatch(expr.span, want, message);
        }
    }

    /// Returns the type of a value, inferred from its form, and reports errors inside it.
    pub(super) fn infer(&mut self, expr: &mut Expr) -> Found {
        let span = expr.span;
        let ty = match &mut expr.kind {
            ExprKind::Integer(_) | ExprKind::Dice { .. } => ValueType::Integer,
            ExprKind::String(_) => ValueType::String,
            ExprKind::Coordinate { .. } | ExprKind::RandomCoordinate { .. } => ValueType::Coordinate,
            ExprKind::SelectedCoordinate(selection) => {
                self.selection(selection);
                ValueType::Coordinate
            }
            ExprKind::ComputedCoordinate { x, y } => {
                self.value(x, ValueType::Integer);
                self.value(y, ValueType::Integer);
                if !self.catalog.has(Feature::ComputedCoordinates) {
                    let computes = self.catalog.core_function("coord").is_some();
                    let diagnostic = match computes {
                        true => Diagnostic::new(Code::WrongDialect, span, "a place is computed with coord")
                            .with_help("write coord before the parentheses, as in coord($x,2)")
                            .with_suggestion(Span { end: span.start, ..span }, "coord", true),
                        false => {
                            let message = format!("{} cannot build a coordinate from variables", self.catalog.title);
                            Diagnostic::new(Code::WrongDialect, span, message)
                                .with_help("set a variable to the place, as in $place = (1,2), or use rndcoord")
                        }
                    };
                    self.push(diagnostic);
                }
                ValueType::Coordinate
            }
            ExprKind::Region { .. } => ValueType::Region,
            ExprKind::MapCharacter { .. } => ValueType::MapCharacter,
            ExprKind::Monster(_) => ValueType::Monster,
            ExprKind::Object(_) => ValueType::Object,
            ExprKind::Selection(selection) => {
                self.selection(selection);
                ValueType::Selection
            }
            ExprKind::Variable(_) => return self.variable(expr),
            ExprKind::Method { variable, ty, method } => {
                let (name, method) = (variable.clone(), method.clone());
                let of = self.method(&name, &method, span)?;
                *ty = of.unwrap_or(*ty);
                ValueType::Integer
            }
            ExprKind::CoreCall(call) => return self.core_call(call),
            ExprKind::Chain { first, rest } => {
                if self.sum_of_texts(span, first, rest) || self.fraction(first, rest) {
                    return None;
                }
                let want = match rest.first() {
                    Some((Operator::Concatenate, _)) => ValueType::String,
                    _ => ValueType::Integer,
                };
                self.value(first, want);
                for (_, value) in rest {
                    self.value(value, want);
                }
                want
            }
            ExprKind::Group(inner) => {
                self.value(inner, ValueType::Integer);
                ValueType::Integer
            }
            ExprKind::Checked { place, word: _ } => {
                self.value(place, ValueType::Coordinate);
                ValueType::Coordinate
            }
            ExprKind::Random => ValueType::Integer,
            ExprKind::Register { of, index } | ExprKind::NamedRegister { of, index, .. } => {
                self.register(*of, *index);
                match of {
                    RegisterKind::Object => ValueType::Object,
                    RegisterKind::Monster => ValueType::Monster,
                    _ => ValueType::Coordinate,
                }
            }
            ExprKind::Error => return None,
        };
        Some(Type::of(ty))
    }

    /// Returns true, and reports an error, if a number has a fraction. To the games, its dot joins two strings.
    fn fraction(&mut self, first: &Expr, rest: &[(Operator, Expr)]) -> bool {
        let last = match &first.kind {
            ExprKind::Chain { rest, .. } => rest.last().map_or(first, |(_, last)| last),
            _ => first,
        };
        let [(Operator::Concatenate, after), ..] = rest else { return false };
        let digits = match &after.kind {
            ExprKind::Chain { first, .. } => first,
            _ => after,
        };
        let (ExprKind::Integer(whole), ExprKind::Integer(_)) = (&last.kind, &digits.kind) else { return false };
        if last.span.end.checked_add(1) != Some(digits.span.start) {
            return false;
        }
        self.push(
            Diagnostic::new(Code::TypeMismatch, last.span.to(digits.span), "a number cannot have a fraction")
                .with_help(format!("write a whole number: {whole} or {}", whole.saturating_add(1))),
        );
        true
    }

    /// Returns true, and reports an error, if strings are added.
    fn sum_of_texts(&mut self, span: Span, first: &Expr, rest: &[(Operator, Expr)]) -> bool {
        let is_text = |value: &Expr| matches!(value.kind, ExprKind::String(_));
        let adds = rest.iter().all(|(operator, _)| *operator == Operator::Add);
        if !adds || !is_text(first) && !rest.iter().any(|(_, value)| is_text(value)) {
            return false;
        }
        self.push(
            Diagnostic::new(Code::TypeMismatch, span, "strings cannot be added")
                .with_help("join them with a dot, as in \"one\" . \"two\", or write one string"),
        );
        true
    }

    fn variable(&mut self, expr: &mut Expr) -> Found {
        let span = expr.span;
        let ExprKind::Variable(variable) = &mut expr.kind else { return None };
        if let Some((name, method)) = variable.name.split_once('.') {
            let (name, method) = (Text::from(name), Text::from(method));
            let name = Spanned::new(name, span);
            let of = self.method(&name, &method, span)?;
            expr.kind =
                ExprKind::Method { variable: Box::new(name), ty: of.unwrap_or(Type::of(ValueType::Integer)), method };
            return Some(Type::of(ValueType::Integer));
        }
        let mut index = variable.index.take();
        if let Some(index) = &mut index {
            self.value(index, ValueType::Integer);
        }
        let name = variable.name.clone();
        let found = self.use_variable(&name, span);
        let ExprKind::Variable(variable) = &mut expr.kind else { return None };
        let indexed = index.is_some();
        let constant = index.as_ref().and_then(|index| match index.kind {
            ExprKind::Integer(number) => usize::try_from(number).ok().map(|number| (number, index.span)),
            _ => None,
        });
        let least = index.as_ref().and_then(|index| match index.kind {
            ExprKind::Dice { count, .. } => usize::try_from(count).ok().map(|count| (count, index.span)),
            _ => None,
        });
        let counted_to = index.as_ref().and_then(|index| match &index.kind {
            ExprKind::Variable(Variable { name, index: None, .. }) => {
                let (least, greatest) = self.variables.get(name).and_then(|state| state.counts)?;
                Some((name.clone(), usize::try_from(least).ok()?, usize::try_from(greatest).ok()?, index.span))
            }
            _ => None,
        });
        variable.index = index;
        let ty = found?;
        variable.ty = ty;
        match (ty.array, indexed) {
            (true, true) => {
                let length = self.variables.get(&name).and_then(|state| state.length);
                if let (Some((number, at)), Some(length)) = (constant, length)
                    && number >= length
                {
                    let defined = self.variables.get(&name).map_or(at, |state| state.span);
                    let message = format!("'{name}' has no element {number}");
                    let help = format!(
                        "the array has {}: use an index from 0 to {}",
                        counted(length, "element"),
                        length.saturating_sub(1)
                    );
                    let diagnostic = Diagnostic::new(Code::IndexRange, at, message).with_secondary(defined, "set here");
                    self.push(diagnostic.with_help(help));
                }
                if let (Some((counter, least, greatest, at)), Some(length)) = (counted_to, length)
                    && greatest >= length
                {
                    let message = format!("'{name}' has no element {greatest}, to which '{counter}' counts");
                    let help = match greatest - least {
                        last if least > 0 && last < length => {
                            format!("indices begin at 0: write FOR {counter} = 0 TO {last}")
                        }
                        _ => format!("the array has {}: count to {}", counted(length, "element"), length - 1),
                    };
                    self.push(Diagnostic::new(Code::IndexRange, at, message).with_help(help));
                }
                if let Some((least @ 1.., at)) = least {
                    let message = match least {
                        1 => format!("the dice never choose the first element of '{name}'"),
                        _ => format!("the dice never choose the first {least} elements of '{name}'"),
                    };
                    let diagnostic = Diagnostic::new(Code::IndexRange, at, message);
                    self.push(diagnostic.with_help(format!("indices begin at 0: subtract {least} from the dice")));
                }
                Some(Type::of(ty.value))
            }
            (_, false) => Some(ty),
            (false, true) => {
                self.push(Diagnostic::new(
                    Code::TypeMismatch,
                    span,
                    format!("variable '{name}' is {} and takes no index", ty.describe()),
                ));
                None
            }
        }
    }

    /// Returns the type of the variable in `variable.method`, or `Some(None)` if it is unknown. Returns `None` after
    /// reporting that the type has no such method.
    fn method(&mut self, variable: &Spanned<Text>, method: &str, span: Span) -> Option<Found> {
        let name = &variable.node;
        let ty = self.use_variable(name, variable.span);
        let known = |of: Type| {
            let fits =
                |known: &Method| *known.name == *method && known.of == of.value.as_str() && known.array == of.array;
            self.catalog.methods.iter().any(fits)
        };
        if let Some(of) = ty
            && !known(of)
        {
            let message = format!("'{name}' is {}, which has no method '{method}'", of.describe());
            let mut diagnostic = Diagnostic::new(Code::TypeMismatch, span, message);
            if self.catalog.methods.is_empty() {
                diagnostic = diagnostic.with_note(format!("{} does not have methods", self.catalog.title));
            } else {
                diagnostic = diagnostic.with_help("use .x and .y of coordinates, or .length of arrays");
            }
            self.push(diagnostic);
            return None;
        }
        Some(ty)
    }
}
