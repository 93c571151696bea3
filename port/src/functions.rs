//! Inlines FUNCTIONs for games that lack them.

use std::collections::{HashMap, HashSet};

use splc_ir::catalog::Feature;
use splc_ir::level::*;
use splc_ir::limits::MAX_OPCODES;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::visit::{NameRole, Visit, VisitMut, walk, walk_mut};

use crate::left_over::lose;
use crate::work::Work;

/// The maximum nesting depth of calls.
const MOST_CALLS: usize = 64;

/// The maximum number of statements inlined into a level. More would not fit a level file anyway.
const MOST_STATEMENTS: usize = MAX_OPCODES / 4;

/// Replaces calls with the bodies of the functions, if the target lacks functions, or lacks parameters and they are
/// used. Each call gets its own variables. Even if a compiler has a single scope ([`Feature::OneScope`]), its loader
/// does not.
pub(crate) fn inlined(work: &mut Work<'_>, module: &mut Module) {
    let needless =
        work.to.has(Feature::Functions) && (work.to.has(Feature::FunctionParameters) || !has_parameters(module));
    if needless {
        return;
    }
    let mut inliner = Inliner {
        work,
        functions: HashMap::new(),
        called: HashSet::new(),
        in_level: HashSet::new(),
        used: HashSet::new(),
        depth: 0,
        made: 0,
        too_deep: false,
    };
    for item in std::mem::take(&mut module.items) {
        match item {
            Item::Function(function) => inliner.define(function),
            Item::Level(mut level) => {
                let mut names = Names(HashSet::new());
                names.level(&level);
                inliner.used = names.0;
                inliner.made = 0;
                inliner.block(&mut level.body);
                if std::mem::take(&mut inliner.too_deep) {
                    inliner.work.fail(level.span, "its functions call each other endlessly or too often");
                }
                module.items.push(Item::Level(level));
            }
            Item::Include { .. } => {}
        }
    }
    let Inliner { work, functions, called, in_level, .. } = inliner;
    for (name, function) in functions.iter().filter(|(name, _)| !called.contains(*name)) {
        if in_level.contains(name) {
            let mut untouched = NeverCalled(work);
            function.body.iter().for_each(|statement| untouched.statement(statement));
            continue;
        }
        work.same(function.span, format!("{name} is never called"));
        for statement in &function.body {
            lose(work, statement, "the function is never called");
        }
    }
}

fn has_parameters(module: &Module) -> bool {
    struct Find(bool);

    impl<'tree> Visit<'tree> for Find {
        fn function(&mut self, function: &'tree Function) {
            self.0 |= !function.parameters.is_empty();
            walk::function(self, function);
        }
    }

    let mut find = Find(false);
    find.module(module);
    find.0
}

/// The names of all variables.
struct Names(HashSet<Text>);

impl<'tree> Visit<'tree> for Names {
    fn name(&mut self, role: NameRole, name: &'tree Text, _: Span) {
        if role == NameRole::Variable {
            self.0.insert(name.clone());
        }
    }
}

struct Inliner<'w, 'a> {
    work: &'w mut Work<'a>,
    functions: HashMap<Text, Function>,
    called: HashSet<Text>,
    /// Functions defined inside a level. Their names are global to the file, so other levels can call them.
    in_level: HashSet<Text>,
    /// Names of variables in use in the level.
    used: HashSet<Text>,
    depth: usize,
    made: usize,
    too_deep: bool,
}

impl Inliner<'_, '_> {
    fn define(&mut self, function: Function) {
        self.work.same(function.span, "it is inlined where it is called");
        self.functions.insert(function.name.node.clone(), function);
    }

    fn call(&mut self, name: &Text, arguments: &[Expr], span: Span) -> Option<Vec<Statement>> {
        let function = self.functions.get(name)?.clone();
        if self.depth >= MOST_CALLS || self.made >= MOST_STATEMENTS {
            self.too_deep = true;
            return Some(Vec::new());
        }
        self.called.insert(name.clone());
        self.work.same(span, format!("{name}() is inlined"));
        let mut body = function.body;
        let mut head = Vec::new();
        let own = own_variables(&function.parameters, &body);
        let renamed: HashMap<Text, Text> = own.into_iter().map(|name| (name.clone(), self.fresh(&name))).collect();
        let mut rename = Rename(&renamed);
        body.iter_mut().for_each(|statement| rename.statement(statement));
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let name = renamed.get(&parameter.name.node).unwrap_or(&parameter.name.node).clone();
            let value = Definition::Value { ty: parameter.ty.value, value: argument.clone() };
            let kind = StatementKind::Define { variable: Spanned::new(name, Span::NOWHERE), value };
            head.push(Statement { kind, span });
        }
        self.depth += 1;
        self.block(&mut body);
        self.depth -= 1;
        self.made += body.len();
        head.extend(body);
        Some(head)
    }

    /// Returns a variable name not yet used in the level, and marks it as used.
    fn fresh(&mut self, name: &Text) -> Text {
        let mut number = 0_usize;
        loop {
            let mut candidate = name.clone();
            if number > 0 {
                let mut rest = number;
                while rest > 0 {
                    candidate.push(char::from(b'a' + (rest % 26) as u8));
                    rest /= 26;
                }
            }
            if self.used.insert(candidate.clone()) {
                return candidate;
            }
            number += 1;
        }
    }
}

/// Notes that the statements of a function defined in a level are never executed.
struct NeverCalled<'w, 'a>(&'w mut Work<'a>);

impl<'tree> Visit<'tree> for NeverCalled<'_, '_> {
    fn statement(&mut self, statement: &'tree Statement) {
        self.0.same(statement.span, "the function is never called");
        walk::statement(self, statement);
    }
}

/// Returns the variables that a function sets.
fn own_variables(parameters: &[Parameter], body: &[Statement]) -> Vec<Text> {
    struct Own(Vec<Text>);

    impl<'tree> Visit<'tree> for Own {
        fn statement(&mut self, statement: &'tree Statement) {
            if let StatementKind::Define { variable, .. } | StatementKind::For { variable, .. } = &statement.kind
                && !self.0.contains(&variable.node)
            {
                self.0.push(variable.node.clone());
            }
            walk::statement(self, statement);
        }
    }

    let mut own = Own(parameters.iter().map(|parameter| parameter.name.node.clone()).collect());
    body.iter().for_each(|statement| own.statement(statement));
    own.0
}

/// Renames variables.
pub(crate) struct Rename<'r>(pub &'r HashMap<Text, Text>);

impl VisitMut for Rename<'_> {
    fn name(&mut self, role: NameRole, name: &mut Text, _: Span) {
        if role == NameRole::Variable
            && let Some(other) = self.0.get(name)
        {
            *name = other.clone();
        }
    }
}

impl VisitMut for Inliner<'_, '_> {
    fn block(&mut self, statements: &mut Vec<Statement>) {
        let mut done = Vec::with_capacity(statements.len());
        for mut statement in std::mem::take(statements) {
            let span = statement.span;
            match statement.kind {
                StatementKind::Function(mut function) => {
                    function.span = span;
                    self.in_level.insert(function.name.node.clone());
                    self.define(function);
                }
                StatementKind::Call { ref function, ref arguments } => match self.call(&function.node, arguments, span)
                {
                    Some(body) => done.extend(body),
                    None => done.push(statement),
                },
                StatementKind::Chance { condition, then } if matches!(then.kind, StatementKind::Call { .. }) => {
                    let mut then = vec![*then];
                    self.block(&mut then);
                    done.push(Statement { kind: StatementKind::If { condition, then, otherwise: None }, span });
                    self.work.same(span, "the chance becomes an IF around the inlined function");
                }
                _ => {
                    walk_mut::statement(self, &mut statement);
                    done.push(statement);
                }
            }
        }
        *statements = done;
    }
}
