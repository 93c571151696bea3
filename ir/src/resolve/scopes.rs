//! Variables and functions: their definitions, types and scopes.

use std::collections::BTreeMap;

use super::{Found, Resolver};
use crate::catalog::Feature;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::level::*;
use crate::order::Order;
use crate::source::{Span, Spanned, Text};
use crate::visit::{Visit, walk};

pub(super) struct VariableState {
    /// Its type, or `None` if its definition was wrong. In that case every use is accepted.
    pub(super) ty: Option<Type>,
    pub(super) span: Span,
    pub(super) used: bool,
    /// The type as which it was used last, if it has another.
    pub(super) mistaken: Option<ValueType>,
    /// The number of elements, if it is an array of known length.
    pub(super) length: Option<usize>,
    /// The least and the greatest value, in a FOR with constant limits and without conditions.
    pub(super) counts: Option<(i32, i32)>,
    /// True if it is set outside of functions.
    of_level: bool,
    /// The last function that sets it.
    of_function: Option<Span>,
}

impl VariableState {
    fn new(ty: Found, span: Span, used: bool, function: Option<Span>) -> Self {
        let (length, counts) = (None, None);
        VariableState {
            ty,
            span,
            used,
            mistaken: None,
            length,
            counts,
            of_level: function.is_none(),
            of_function: function,
        }
    }
}

pub(super) struct FunctionState {
    pub(super) span: Span,
    pub(super) parameters: Vec<Type>,
}

impl Resolver<'_> {
    /// Reports the variables at the end of their scope that nothing has used.
    pub(super) fn unused_variables(&mut self) {
        let mut unused: Vec<(Span, Text)> = self
            .variables
            .iter()
            .filter(|(_, state)| !state.used && state.ty.is_some())
            .map(|(name, state)| (state.span, name.clone()))
            .collect();
        unused.order();
        for (span, name) in unused {
            self.push(Diagnostic::new(Code::UnusedVariable, span, format!("variable '{name}' is never used")));
        }
    }

    pub(super) fn define(&mut self, name: &Spanned<Text>, ty: Found) {
        if name.node.contains('.') {
            self.push(
                Diagnostic::new(Code::UnknownVariable, name.span, format!("'{}' is not a variable", name.node))
                    .with_help("set the variable as a whole: the part after the dot is a method"),
            );
            return;
        }
        let function = self.in_function;
        match self.variables.get_mut(&name.node) {
            Some(old) => {
                old.counts = None;
                old.of_level |= function.is_none();
                old.of_function = function.or(old.of_function);
                if let (Some(old_type), Some(new_type)) = (old.ty, ty)
                    && old_type != new_type
                {
                    let (old_span, message) = (
                        old.span,
                        format!(
                            "variable '{}' is {} and cannot become {}",
                            name.node,
                            old_type.describe(),
                            new_type.describe()
                        ),
                    );
                    self.push(
                        Diagnostic::new(Code::TypeMismatch, name.span, message)
                            .with_secondary(old_span, "first set here")
                            .with_help("use another variable name"),
                    );
                }
            }
            None => {
                let span = name.span;
                self.variables.insert(name.node.clone(), VariableState::new(ty, span, false, function));
            }
        }
    }

    /// Returns the type of the variable used at `span`, or `None` after reporting that it is unknown.
    pub(super) fn use_variable(&mut self, name: &str, span: Span) -> Found {
        let function = self.in_function;
        if let Some(state) = self.variables.get_mut(name) {
            state.used = true;
            let (ty, set) = (state.ty, state.span);
            let is_seen = if function.is_some() { state.of_function == function } else { state.of_level };
            if !is_seen && ty.is_some() {
                self.lost_variable(name, span, set);
            }
            return ty;
        }
        if !self.unread.mentions(name, span) {
            let defined = self.variables.iter().filter(|(_, state)| state.ty.is_some());
            let known = self.diagnostics.near(Code::UnknownVariable, name, defined.map(|(name, _)| name.as_str()));
            let problem = Diagnostic::new(Code::UnknownVariable, span, format!("variable '{name}' is not defined"));
            if function.is_none() {
                self.early.push((Text::from(name), span));
            }
            let of_level = self.around.iter().rev().find_map(|outer| outer.get(name)).map(|state| state.span);
            self.push(match (of_level, self.ended.get(name)) {
                (Some(set), _) => problem
                    .with_label("a FUNCTION does not see the variables of the level")
                    .with_secondary(set, "set here, outside of the function")
                    .with_help(match self.catalog.has(Feature::FunctionParameters) {
                        true => "set it in the function, or pass its value as a parameter",
                        false => "set it in the function",
                    }),
                (None, Some(&set)) => problem
                    .with_label("not set in this level")
                    .with_secondary(set, "set here, in another level")
                    .with_help(format!("set it in this level too: {name} = ...")),
                (None, None) => problem
                    .with_label("never set before this line")
                    .with_help(known.unwrap_or_else(|| format!("set it first: {name} = ..."))),
            });
        }
        self.variables.insert(Text::from(name), VariableState::new(None, span, true, function));
        None
    }

    /// Completes the reports about variables that the level sets after their use.
    pub(super) fn set_later(&mut self, body: &[Statement]) {
        /// The first statement that sets each of some variables.
        struct Sets(BTreeMap<Text, Span>);

        impl Visit<'_> for Sets {
            fn statement(&mut self, statement: &Statement) {
                match &statement.kind {
                    StatementKind::Define { variable, .. } => {
                        self.0.entry(variable.node.clone()).or_insert(statement.span);
                    }
                    StatementKind::Function(_) => {}
                    _ => walk::statement(self, statement),
                }
            }

            fn expression(&mut self, _: &Expr) {}

            fn selection(&mut self, _: &Selection) {}
        }

        let early = std::mem::take(&mut self.early);
        if early.is_empty() {
            return;
        }
        let mut sets = Sets(BTreeMap::new());
        body.iter().for_each(|statement| sets.statement(statement));
        for (name, used) in early {
            let Some(&set) = sets.0.get(&name).filter(|set| set.file == used.file && set.start > used.end) else {
                continue;
            };
            let is_use = |known: &&mut Diagnostic| known.code == Code::UnknownVariable && known.span == Some(used);
            if let Some(known) = self.diagnostics.iter_mut().find(is_use) {
                known.message = format!("variable '{name}' is used before it is set").into();
                known.label = "not set yet".into();
                known.labels = vec![Label { span: set, message: "set here".into() }];
                known.help = Some("move the line that sets it before this one".into());
                known.suggestions.clear();
            }
        }
    }

    /// Reports a use of a variable that only another function, or the level, sets. Their compiler has a single scope,
    /// but a function that runs has its own variables (SporkHack 0.7.0, `opvar_var_conversion`).
    fn lost_variable(&mut self, name: &str, span: Span, set: Span) {
        let title = &self.catalog.title;
        let (message, help) = match self.in_function {
            Some(_) => (format!("{title} does not find '{name}' in a FUNCTION"), "set it in the function"),
            None => (format!("{title} does not find '{name}' outside of its FUNCTION"), "set it in the level"),
        };
        self.push(
            Diagnostic::new(Code::LostVariable, span, message)
                .with_label("crashes the game")
                .with_secondary(set, "set here")
                .with_help(help),
        );
    }

    pub(super) fn function(&mut self, function: &mut Function) {
        let name = &function.name;
        if let Some(outer) = self.in_function {
            self.push(
                Diagnostic::new(
                    Code::NestedFunction,
                    name.span,
                    format!("function '{}' is defined inside another function", name.node),
                )
                .with_secondary(outer, "the outer function")
                .with_help("define it before the other one: a function can call those above it"),
            );
        }
        if self.catalog.core_function(&name.node).is_some() {
            self.push(
                Diagnostic::new(
                    Code::DuplicateFunction,
                    name.span,
                    format!("'{}' is a function of the game", name.node),
                )
                .with_help("use another name"),
            );
        }
        if let Some(old) = self.functions.get(&name.node) {
            let old = old.span;
            self.push(
                Diagnostic::new(
                    Code::DuplicateFunction,
                    name.span,
                    format!("function '{}' is already defined", name.node),
                )
                .with_secondary(old, "first defined here")
                .with_help("use another name"),
            );
        }
        // SporkHack has a single scope.
        let has_scope = !self.catalog.has(Feature::OneScope);
        if has_scope {
            self.around.push(std::mem::take(&mut self.variables));
        }
        let outer = self.in_function.replace(name.span);
        let breakable = std::mem::take(&mut self.breakable);
        let around = std::mem::replace(&mut self.breakable_around, breakable);
        for parameter in &function.parameters {
            self.define(&parameter.name, Some(parameter.ty));
        }
        if let [first, .., last] | [first @ last] = function.parameters.as_slice()
            && !self.catalog.has(Feature::FunctionParameters)
        {
            let message = format!("functions of {} have no parameters", self.catalog.title);
            let help = format!("write FUNCTION {}(), and the values in its block", name.node);
            let span = first.name.span.to(last.name.span);
            self.push(Diagnostic::new(Code::WrongDialect, span, message).with_help(help));
        }
        self.functions.insert(
            name.node.clone(),
            FunctionState {
                span: name.span,
                parameters: function.parameters.iter().map(|parameter| parameter.ty).collect(),
            },
        );
        self.block(&mut function.body);
        if has_scope {
            self.unused_variables();
            self.variables = self.around.pop().unwrap_or_default();
        }
        self.in_function = outer;
        (self.breakable, self.breakable_around) = (breakable, around);
    }
}
