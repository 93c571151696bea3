//! Variables of a level as locals of a script: their names, declarations and contents.

use std::collections::{HashMap, HashSet};

use splc_ir::catalog::{Catalog, Feature};
use splc_ir::level::*;
use splc_ir::source::{Span, Text};
use splc_ir::visit::{NameRole, Visit, walk};

/// Words that cannot name a local, or would shadow something that a level needs.
const TAKEN: &[&str] = &[
    "and",
    "break",
    "do",
    "else",
    "elseif",
    "end",
    "false",
    "for",
    "function",
    "goto",
    "if",
    "in",
    "local",
    "nil",
    "not",
    "or",
    "repeat",
    "return",
    "then",
    "true",
    "until",
    "while",
    "des",
    "selection",
    "nh",
    "nhc",
    "u",
    "obj",
    "math",
    "table",
    "string",
    "align",
    "shuffle",
    "percent",
    "d",
    "x",
    "y",
    "ax",
    "ay",
    "ipairs",
    "pairs",
    "finished",
];

// A Lua function has at most 200 locals (`LUAI_MAXVARS`), with four for each enclosing loop, and 255 registers, of
// which the values of a table need up to 50. Beyond these limits, variables, functions and the printer's names are
// global.
const MOST_LOCALS: usize = 80;
pub(super) const MOST_FUNCTIONS: usize = 20;
pub(super) const MOST_NAMED: usize = 60;

/// The possible contents of a variable of monsters or objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Holds {
    /// Classes.
    pub classes: bool,
    /// Names.
    pub names: bool,
    /// Random values, represented by `false`.
    pub random: bool,
}

/// The variables of a level, or of one of its functions.
#[derive(Debug, Default)]
pub(super) struct Variables {
    functions: HashMap<Text, String>,
    function_names: HashSet<String>,
    holds: HashMap<Text, Holds>,
    /// The minimum and maximum length of each array, if known.
    lengths: HashMap<Text, Option<(i64, i64)>>,
    /// The minimum of each number, if known.
    minima: HashMap<Text, Option<i64>>,
    /// Variables declared at the top of the level.
    pub hoisted: Vec<String>,
    names: Names,
    own: Own,
}

/// The names of the visible variables.
#[derive(Debug, Default)]
struct Names {
    of: HashMap<Text, String>,
    taken: HashSet<String>,
    /// For each name that was taken, the number from which others may be free.
    numbers: HashMap<String, usize>,
}

/// Properties of the variables of the level or function that is being written.
#[derive(Debug, Default)]
struct Own {
    /// Variables declared at their first assignment, and not declared yet.
    undeclared: HashSet<Text>,
    /// Variables not declared by a FOR, although one may count with them.
    outliving: HashSet<Text>,
    /// Names to declare at the top.
    here: Vec<String>,
    /// Variables that are new in this function, with the earlier name of each.
    added: Vec<(Text, Option<String>)>,
}

/// The variables around a function, while it is being written.
pub(super) struct Outer {
    own: Own,
    /// Their names, unless the function sees them too.
    names: Option<Names>,
}

impl Names {
    /// Returns a name like `name` that is used neither in this scope nor by one of `functions`.
    fn unused(&mut self, name: &str, functions: &HashSet<String>) -> String {
        let number = self.numbers.entry(name.to_owned()).or_insert(1);
        loop {
            let called = if *number == 1 { name.to_owned() } else { format!("{name}_{number}") };
            *number += 1;
            if !functions.contains(&called) && self.taken.insert(called.clone()) {
                return called;
            }
        }
    }
}

impl Variables {
    pub(super) fn of(functions: &[&Function], level: &Level) -> Variables {
        let mut variables = Variables::default();
        let mut defined = Functions(Vec::new());
        functions.iter().for_each(|function| defined.function(function));
        defined.level(level);
        let (mut names, none) = (Names::default(), HashSet::new());
        for name in defined.0 {
            if !variables.functions.contains_key(name) {
                variables.functions.insert(name.clone(), names.unused(&identifier(name), &none));
            }
        }
        variables.function_names = names.taken;
        variables.add(&level.body);
        let mut holds = Contents(HashMap::new());
        functions.iter().for_each(|function| holds.function(function));
        holds.level(level);
        variables.holds = holds.0;
        let mut lengths = Lengths(HashMap::new());
        functions.iter().for_each(|function| lengths.function(function));
        lengths.level(level);
        variables.lengths = lengths.0;
        let mut minima = Minima(HashMap::new());
        functions.iter().for_each(|function| minima.function(function));
        minima.level(level);
        variables.minima = minima.0;
        variables.hoisted = std::mem::take(&mut variables.own.here);
        variables
    }

    /// Gives `variable` a name.
    fn name_it(&mut self, variable: &Text) -> String {
        let called = self.names.unused(&identifier(variable), &self.function_names);
        let earlier = self.names.of.insert(variable.clone(), called.clone());
        self.own.added.push((variable.clone(), earlier));
        called
    }

    /// Adds the variables of a body.
    fn add(&mut self, body: &[Statement]) {
        let mut found = Found { order: Vec::new(), first: HashMap::new(), depth: 0 };
        body.iter().for_each(|statement| found.statement(statement));
        let globals = found.order.len() > MOST_LOCALS;
        for name in found.order {
            if self.names.of.contains_key(name) {
                continue;
            }
            let called = self.name_it(name);
            match found.first.get(name) {
                _ if globals => {
                    self.own.outliving.insert(name.clone());
                }
                Some(First::Defined) => {
                    self.own.outliving.insert(name.clone());
                    self.own.undeclared.insert(name.clone());
                }
                Some(First::Loop) => {}
                _ => {
                    self.own.outliving.insert(name.clone());
                    self.own.here.push(called);
                }
            }
        }
    }

    /// Enters a function with its own variables, and returns the outer ones.
    pub(super) fn enter(&mut self, function: &Function, catalog: &Catalog) -> Outer {
        let sees_outer = catalog.has(Feature::OneScope);
        let names = (!sees_outer).then(|| std::mem::take(&mut self.names));
        let outer = Outer { own: std::mem::take(&mut self.own), names };
        for parameter in &function.parameters {
            self.name_it(&parameter.name.node);
        }
        self.add(&function.body);
        outer
    }

    /// Leaves a function, after which the variables are those of `outer` again.
    pub(super) fn leave(&mut self, outer: Outer) {
        let own = std::mem::replace(&mut self.own, outer.own);
        match outer.names {
            Some(names) => self.names = names,
            None => {
                for (variable, earlier) in own.added.into_iter().rev() {
                    let called = match earlier {
                        Some(earlier) => self.names.of.insert(variable, earlier),
                        None => self.names.of.remove(&variable),
                    };
                    if let Some(called) = called {
                        self.names.taken.remove(&called);
                        // Names with numbers are free again.
                        self.names.numbers = HashMap::new();
                    }
                }
            }
        }
    }

    pub(super) fn hoisted_here(&self) -> Vec<String> {
        self.own.here.clone()
    }

    pub(super) fn name(&self, name: &str) -> String {
        self.names.of.get(name).cloned().unwrap_or_else(|| identifier(name))
    }

    pub(super) fn function(&self, name: &str) -> String {
        self.functions.get(name).cloned().unwrap_or_else(|| identifier(name))
    }

    /// Returns true if this is the variable's first assignment, which must declare it.
    pub(super) fn declares(&mut self, name: &str) -> bool {
        self.own.undeclared.remove(name)
    }

    /// Returns true if the variable of a FOR is visible after the loop.
    pub(super) fn outlives(&self, name: &str) -> bool {
        self.own.outliving.contains(name)
    }

    /// Returns the minimum and maximum length of the arrays of that name, at least 1, if known.
    pub(super) fn lengths(&self, name: &str) -> Option<(i64, i64)> {
        self.lengths.get(name).copied().flatten()
    }

    /// Returns the minimum of the numbers of that name, if known.
    pub(super) fn minimum(&self, name: &str) -> Option<i64> {
        self.minima.get(name).copied().flatten()
    }

    pub(super) fn holds(&self, name: &str) -> Holds {
        self.holds.get(name).copied().unwrap_or(Holds { classes: true, names: true, random: false })
    }
}

/// Converts a name to a Lua identifier.
fn identifier(name: &str) -> String {
    let mut letters: String =
        name.trim_start_matches('$').chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if letters.is_empty() || letters.starts_with(|first: char| first.is_ascii_digit()) {
        letters.insert(0, '_');
    }
    if TAKEN.contains(&letters.as_str()) {
        letters.push('_');
    }
    letters
}

struct Functions<'t>(Vec<&'t Text>);

impl<'tree> Visit<'tree> for Functions<'tree> {
    fn function(&mut self, function: &'tree Function) {
        self.0.push(&function.name.node);
        walk::function(self, function);
    }
}

/// The first occurrence of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    /// Set by a statement of the body itself.
    Defined,
    /// As the variable of a FOR, outside of which it is not used.
    Loop,
    /// Any other occurrence.
    Within,
}

/// The variables of a body in order of occurrence.
struct Found<'t> {
    order: Vec<&'t Text>,
    first: HashMap<&'t Text, First>,
    depth: usize,
}

impl<'t> Found<'t> {
    fn occurs(&mut self, name: &'t Text, how: First) {
        if !self.first.contains_key(name) {
            self.order.push(name);
            self.first.insert(name, how);
        } else if self.first.get(name) == Some(&First::Loop) {
            self.first.insert(name, First::Within);
        }
    }
}

impl<'tree> Visit<'tree> for Found<'tree> {
    fn statement(&mut self, statement: &'tree Statement) {
        self.depth += 1;
        match &statement.kind {
            StatementKind::Define { variable, value } => {
                match value {
                    Definition::Value { value, .. } => self.expression(value),
                    Definition::Array { values, .. } => values.iter().for_each(|value| self.expression(value)),
                    Definition::Copy { variable, .. } => self.occurs(&variable.node, First::Within),
                }
                self.occurs(&variable.node, if self.depth == 1 { First::Defined } else { First::Within });
            }
            StatementKind::For { variable, from, to, body } => {
                self.expression(from);
                self.expression(to);
                // Code that sets it, or reads it after the loop, needs a variable that outlives the loop.
                let mut inside = Found { order: Vec::new(), first: HashMap::new(), depth: self.depth };
                body.iter().for_each(|statement| inside.statement(statement));
                let is_set = Setting::of(body).contains(&&variable.node);
                self.occurs(&variable.node, if is_set { First::Within } else { First::Loop });
                for name in inside.order {
                    let how = inside.first.get(name).copied().unwrap_or(First::Within);
                    if *name != variable.node {
                        self.occurs(name, how);
                    }
                }
            }
            // A function has its own variables.
            StatementKind::Function(_) => {}
            _ => walk::statement(self, statement),
        }
        self.depth -= 1;
    }

    fn name(&mut self, role: NameRole, name: &'tree Text, _: Span) {
        if role == NameRole::Variable {
            self.occurs(name, First::Within);
        }
    }
}

/// The variables that statements set.
struct Setting<'t>(Vec<&'t Text>);

impl<'t> Setting<'t> {
    fn of(body: &'t [Statement]) -> Vec<&'t Text> {
        let mut setting = Setting(Vec::new());
        body.iter().for_each(|statement| setting.statement(statement));
        setting.0
    }
}

impl<'tree> Visit<'tree> for Setting<'tree> {
    fn statement(&mut self, statement: &'tree Statement) {
        match &statement.kind {
            StatementKind::Define { variable, .. } | StatementKind::For { variable, .. } => {
                self.0.push(&variable.node);
            }
            _ => {}
        }
        walk::statement(self, statement);
    }
}

/// The possible contents of variables of monsters and objects.
struct Contents(HashMap<Text, Holds>);

impl<'tree> Visit<'tree> for Contents {
    fn statement(&mut self, statement: &'tree Statement) {
        if let StatementKind::Define { variable, value } = &statement.kind {
            let values: &[Expr] = match value {
                Definition::Value { value, .. } => std::slice::from_ref(value),
                Definition::Array { values, .. } => values,
                Definition::Copy { .. } => &[],
            };
            for value in values {
                let holds = self.0.entry(variable.node.clone()).or_default();
                match &value.kind {
                    ExprKind::Monster(name) | ExprKind::Object(name) => match name {
                        SpeciesName::Class(_) => holds.classes = true,
                        SpeciesName::Random | SpeciesName::RandomAndName(_) => holds.random = true,
                        SpeciesName::Name(_) | SpeciesName::ClassAndName(..) => holds.names = true,
                    },
                    // Another variable's contents can be anything.
                    _ => *holds = Holds { classes: true, names: true, random: true },
                }
            }
        }
        walk::statement(self, statement);
    }
}

/// The lengths of arrays, from all assignments to variables of their names.
struct Lengths(HashMap<Text, Option<(i64, i64)>>);

impl<'tree> Visit<'tree> for Lengths {
    fn statement(&mut self, statement: &'tree Statement) {
        if let StatementKind::Define { variable, value } = &statement.kind {
            let length = match value {
                Definition::Array { values, .. } => i64::try_from(values.len()).ok().filter(|&length| length > 0),
                Definition::Value { .. } | Definition::Copy { .. } => None,
            };
            let known = self.0.entry(variable.node.clone()).or_insert(length.map(|length| (length, length)));
            *known = known.zip(length).map(|((least, most), length)| (least.min(length), most.max(length)));
        }
        walk::statement(self, statement);
    }

    fn function(&mut self, function: &'tree Function) {
        for parameter in &function.parameters {
            self.0.insert(parameter.name.node.clone(), None);
        }
        walk::function(self, function);
    }
}

/// The minima of numbers, from all assignments to variables of their names.
struct Minima(HashMap<Text, Option<i64>>);

impl Minima {
    /// Returns the minimum of a number without variables.
    fn of(number: &Expr) -> Option<i64> {
        match &number.kind {
            ExprKind::Integer(number) => Some((*number).into()),
            ExprKind::Dice { count, sides } if *count >= 0 && *sides >= 1 => Some((*count).into()),
            ExprKind::Group(inner) => Minima::of(inner),
            ExprKind::Chain { first, rest } => {
                rest.iter().try_fold(Minima::of(first)?, |least, (operator, value)| match (operator, &value.kind) {
                    (Operator::Add, _) => least.checked_add(Minima::of(value)?),
                    (Operator::Subtract, ExprKind::Integer(number)) => least.checked_sub((*number).into()),
                    _ => None,
                })
            }
            _ => None,
        }
    }
}

impl<'tree> Visit<'tree> for Minima {
    fn statement(&mut self, statement: &'tree Statement) {
        match &statement.kind {
            StatementKind::Define { variable, value } => {
                let least = match value {
                    Definition::Value { value, .. } => Minima::of(value),
                    Definition::Array { .. } | Definition::Copy { .. } => None,
                };
                let known = self.0.entry(variable.node.clone()).or_insert(least);
                *known = known.zip(least).map(|(known, least)| known.min(least));
            }
            StatementKind::For { variable, .. } => {
                self.0.insert(variable.node.clone(), None);
            }
            _ => {}
        }
        walk::statement(self, statement);
    }

    fn function(&mut self, function: &'tree Function) {
        for parameter in &function.parameters {
            self.0.insert(parameter.name.node.clone(), None);
        }
        walk::function(self, function);
    }
}
