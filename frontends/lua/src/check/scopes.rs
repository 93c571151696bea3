//! Name resolution: the variable behind each name, the values assigned to it, and errors of Lua's compiler beyond
//! syntax.

use std::collections::{HashMap, HashSet};

use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::source::Span;

use super::Report;
use crate::tree::*;

/// The maximum number of locals in a function at the same time (Lua 5.4, `MAXVARS`).
const MAX_LOCALS: usize = 200;

/// The index of a local variable.
pub(super) type Local = usize;

/// Facts about a variable, from the whole script.
#[derive(Debug, Default)]
pub(super) struct Variable<'t> {
    /// The values assigned to it. `None` for a value without its own expression, such as a parameter or one of several
    /// results.
    pub values: Vec<Option<&'t Expression>>,
    /// True if it, or a table in it, may be changed out of sight.
    pub changed: bool,
    /// True if its table is shuffled.
    pub shuffled: bool,
    /// The list that it iterates over, if it is a loop variable.
    pub item_of: Option<&'t Expression>,
}

/// The use of an expression's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Only read.
    Read,
    /// Stored, passed on or changed.
    Kept,
    /// Shuffled.
    Shuffled,
}

/// The labels of a block, and the jumps in it.
#[derive(Debug)]
struct Jumps<'t> {
    labels: HashMap<&'t str, Span>,
    gotos: Vec<&'t Name>,
}

/// The names of a script, resolved.
#[derive(Debug, Default)]
pub(super) struct Scopes<'t> {
    /// The local variables.
    pub locals: Vec<Variable<'t>>,
    /// The names of the local variables.
    names: Vec<&'t str>,
    /// The local at the start offset of each use.
    uses: HashMap<u32, Local>,
    /// The globals that the script sets.
    pub globals: HashMap<&'t str, Variable<'t>>,
    /// The uses of globals, each with its name and span.
    pub read: Vec<(&'t str, Span)>,
    /// The places that set globals, each with its name and span.
    pub written: Vec<(&'t str, Span)>,
    /// The offsets of uses of globals that run once, in the order of the text, outside of functions and loops.
    pub in_order: HashSet<u32>,
    /// The places that declare locals, each with its name and span.
    pub declared: Vec<(&'t str, Span)>,
    /// The fields of global tables that the script sets, each with the name of its table.
    pub members: HashSet<(&'t str, &'t str)>,
    /// True if a function called by name creates a map.
    pub maps_in_functions: bool,
}

impl<'t> Scopes<'t> {
    /// Returns the names of all locals.
    pub fn locals_named(&self) -> &[&'t str] {
        &self.names
    }

    /// Returns the offset of each name that refers to a local, with the local.
    pub fn uses(&self) -> impl Iterator<Item = (u32, Local)> {
        self.uses.iter().map(|(&at, &local)| (at, local))
    }

    /// Returns the local that the name at `span` refers to.
    pub fn local(&self, span: Span) -> Option<Local> {
        self.uses.get(&span.start).copied()
    }

    /// Returns the variable that `name` at `span` refers to, if the script sets it.
    pub fn variable(&self, name: &str, span: Span) -> Option<&Variable<'t>> {
        match self.local(span) {
            Some(local) => self.locals.get(local),
            None => self.globals.get(name),
        }
    }
}

/// A local that is visible under a name.
#[derive(Clone, Copy)]
struct Visible {
    local: Local,
    constant: bool,
}

/// The state of an enclosing function.
struct Frame<'t> {
    /// The number of names visible before it.
    base: usize,
    varargs: bool,
    loops: usize,
    blocks: Vec<Jumps<'t>>,
}

pub(super) struct Resolver<'t, 'r, 'd> {
    scopes: Scopes<'t>,
    /// Visible names, in the order of their declaration.
    order: Vec<&'t str>,
    /// The locals that each name refers to, innermost last.
    visible: HashMap<&'t str, Vec<Visible>>,
    frames: Vec<Frame<'t>>,
    report: &'r mut Report<'d>,
}

/// Resolves all names of `chunk`.
pub(super) fn resolve<'t>(chunk: &'t Chunk, report: &mut Report<'_>) -> Scopes<'t> {
    let frame = Frame { base: 0, varargs: true, loops: 0, blocks: Vec::new() };
    let mut resolver =
        Resolver { scopes: Scopes::default(), order: Vec::new(), visible: HashMap::new(), frames: vec![frame], report };
    resolver.block(&chunk.body);
    resolver.scopes
}

impl<'t> Resolver<'t, '_, '_> {
    fn frame(&mut self) -> &mut Frame<'t> {
        if self.frames.is_empty() {
            self.frames.push(Frame { base: 0, varargs: true, loops: 0, blocks: Vec::new() });
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn refuse(&mut self, span: Span, message: String, help: &str) {
        self.report.push(Diagnostic::new(Code::LuaScope, span, message).with_help(help.to_owned()));
    }

    fn declare(&mut self, name: &'t Name, value: Option<&'t Expression>, constant: bool) -> Local {
        let local = self.scopes.locals.len();
        self.scopes.names.push(name.text.as_str());
        self.scopes.locals.push(Variable { values: vec![value], ..Variable::default() });
        if !name.span.is_nowhere() {
            self.scopes.uses.insert(name.span.start, local);
            self.scopes.declared.push((name.text.as_str(), name.span));
        }
        self.order.push(name.text.as_str());
        self.visible.entry(name.text.as_str()).or_default().push(Visible { local, constant });
        let base = self.frame().base;
        if self.order.len() - base == MAX_LOCALS + 1 {
            let message = format!("a function has at most {MAX_LOCALS} local variables at once");
            self.refuse(name.span, message, "move values into tables, or parts of the script between `do` and `end`");
        }
        local
    }

    fn block(&mut self, block: &'t Block) {
        self.scope(|resolver| resolver.statements(block));
    }

    /// Runs `work` in a new scope.
    fn scope(&mut self, work: impl FnOnce(&mut Self)) {
        let visible = self.order.len();
        self.frame().blocks.push(Jumps { labels: HashMap::new(), gotos: Vec::new() });
        work(self);
        for name in self.order.split_off(visible) {
            if let Some(known) = self.visible.get_mut(name) {
                known.pop();
            }
        }
        let Some(Jumps { labels, gotos }) = self.frame().blocks.pop() else { return };
        let open: Vec<&Name> = gotos.into_iter().filter(|goto| !labels.contains_key(goto.text.as_str())).collect();
        match self.frame().blocks.last_mut() {
            Some(outer) => outer.gotos.extend(open),
            None => {
                for goto in open {
                    let message = format!("there is no label `{}` for this `goto`", goto.text.as_str());
                    self.refuse(goto.span, message, "write ::name:: in this block or one around it");
                }
            }
        }
    }

    fn statements(&mut self, block: &'t Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn looped(&mut self, work: impl FnOnce(&mut Self)) {
        self.frame().loops += 1;
        self.scope(work);
        let frame = self.frame();
        frame.loops = frame.loops.saturating_sub(1);
    }

    fn statement(&mut self, statement: &'t Statement) {
        match &statement.kind {
            StatementKind::Local { names, values } => self.local(names, values),
            StatementKind::Assign { targets, values } => self.assign(targets, values),
            StatementKind::Call(call) => self.expression(call, Use::Read),
            StatementKind::Do(body) => self.block(body),
            StatementKind::While { condition, body } => {
                self.expression(condition, Use::Read);
                self.looped(|resolver| resolver.statements(body));
            }
            StatementKind::Repeat { body, condition } => self.looped(|resolver| {
                resolver.statements(body);
                resolver.expression(condition, Use::Read);
            }),
            StatementKind::If { branches, otherwise } => {
                for (condition, block) in branches {
                    self.expression(condition, Use::Read);
                    self.block(block);
                }
                if let Some(block) = otherwise {
                    self.block(block);
                }
            }
            StatementKind::NumericFor { variable, range, body } => {
                for value in range {
                    self.expression(value, Use::Read);
                }
                self.looped(|resolver| {
                    resolver.declare(variable, None, false);
                    resolver.statements(body);
                });
            }
            StatementKind::GenericFor { names, values, body } => self.generic_for(names, values, body),
            StatementKind::Function { name, fields, function } => {
                if fields.is_empty() {
                    self.set(name, None);
                } else {
                    self.set_member(&name.text, &fields[0]);
                    self.name(&name.text, name.span, Use::Kept);
                }
                self.function(function);
            }
            StatementKind::LocalFunction { name, function } => {
                self.declare(name, None, false);
                self.function(function);
            }
            StatementKind::Return(values) => self.all(values, Use::Kept),
            StatementKind::Break => {
                if self.frame().loops == 0 {
                    self.refuse(
                        statement.span,
                        "this `break` is not in a loop".to_owned(),
                        "remove it, or write `return`",
                    );
                }
            }
            StatementKind::Goto(name) => {
                if let Some(block) = self.frame().blocks.last_mut() {
                    block.gotos.push(name);
                }
            }
            StatementKind::Label(name) => self.label(name),
        }
    }

    fn label(&mut self, name: &'t Name) {
        let known = self.frame().blocks.iter().find_map(|block| block.labels.get(name.text.as_str()).copied());
        if let Some(first) = known {
            let message = format!("duplicate label `{}`", name.text.as_str());
            let problem =
                Diagnostic::new(Code::LuaScope, name.span, message).with_secondary(first, "first defined here");
            self.report.push(problem.with_help("give it another name"));
        }
        if let Some(block) = self.frame().blocks.last_mut() {
            block.labels.insert(name.text.as_str(), name.span);
        }
    }

    fn local(&mut self, names: &'t [(Name, Option<Name>)], values: &'t [Expression]) {
        // A value that gets a new name is followed under that name.
        for (at, value) in values.iter().enumerate() {
            let kept = if at < names.len() && !matches!(value.bare().kind, ExpressionKind::Name(_)) {
                Use::Read
            } else {
                Use::Kept
            };
            self.expression(value, kept);
        }
        for (at, (name, attribute)) in names.iter().enumerate() {
            let value = values.get(at).filter(|_| is_one_value(values, at, names.len()));
            let constant = attribute.is_some();
            self.declare(name, value, constant);
            if let Some(attribute) = attribute.as_ref().filter(|word| !matches!(word.text.as_str(), "const" | "close"))
            {
                let message = format!("unknown attribute `{}`", attribute.text.as_str());
                self.refuse(attribute.span, message, "use <const>, <close> or no attribute");
            }
        }
    }

    fn assign(&mut self, targets: &'t [Expression], values: &'t [Expression]) {
        self.all(values, Use::Kept);
        for (at, target) in targets.iter().enumerate() {
            let value = values.get(at).filter(|_| is_one_value(values, at, targets.len()));
            match &target.kind {
                ExpressionKind::Name(text) => self.set_name(text, target.span, value),
                ExpressionKind::Field(table, field) => {
                    if let ExpressionKind::Name(name) = &table.kind {
                        self.set_member(name, field);
                    }
                    self.expression(table, Use::Kept);
                }
                ExpressionKind::Index(table, key) => {
                    self.expression(table, Use::Kept);
                    self.expression(key, Use::Kept);
                }
                _ => self.expression(target, Use::Kept),
            }
        }
    }

    fn set_member(&mut self, table: &'t str, field: &'t Name) {
        if !self.is_local(table) {
            self.scopes.members.insert((table, field.text.as_str()));
        }
    }

    fn set(&mut self, name: &'t Name, value: Option<&'t Expression>) {
        self.set_name(&name.text, name.span, value);
    }

    fn set_name(&mut self, name: &'t str, span: Span, value: Option<&'t Expression>) {
        let found = self.visible.get(name).and_then(|known| known.last()).map(|known| (known.local, known.constant));
        match found {
            Some((local, constant)) => {
                self.scopes.uses.insert(span.start, local);
                self.scopes.locals[local].values.push(value);
                if constant {
                    let message = format!("`{name}` is a constant and cannot be set again");
                    self.refuse(span, message, "remove its attribute, or use another name");
                }
            }
            None => {
                self.scopes.written.push((name, span));
                self.scopes.globals.entry(name).or_default().values.push(value);
            }
        }
    }

    fn generic_for(&mut self, names: &'t [Name], values: &'t [Expression], body: &'t Block) {
        self.all(values, Use::Read);
        let list = match values {
            [Expression { kind: ExpressionKind::Call(call), .. }] if call.method.is_none() => match &call.callee.kind {
                ExpressionKind::Name(name) if matches!(name.as_str(), "ipairs" | "pairs") => call.arguments.first(),
                _ => None,
            },
            _ => None,
        };
        self.looped(|resolver| {
            for (at, name) in names.iter().enumerate() {
                let local = resolver.declare(name, None, false);
                if at == 1 {
                    resolver.scopes.locals[local].item_of = list;
                }
            }
            resolver.statements(body);
        });
    }

    fn function(&mut self, function: &'t Function) {
        let base = self.order.len();
        self.frames.push(Frame { base, varargs: function.varargs, loops: 0, blocks: Vec::new() });
        self.scope(|resolver| {
            for parameter in &function.parameters {
                resolver.declare(parameter, None, false);
            }
            resolver.statements(&function.body);
        });
        self.frames.pop();
    }

    fn all(&mut self, list: &'t [Expression], kept: Use) {
        for value in list {
            self.expression(value, kept);
        }
    }

    fn name(&mut self, name: &'t str, span: Span, kept: Use) {
        let found = self.visible.get(name).and_then(|known| known.last()).map(|known| known.local);
        let variable = match found {
            Some(local) => {
                self.scopes.uses.insert(span.start, local);
                self.scopes.locals.get_mut(local)
            }
            None => {
                self.scopes.read.push((name, span));
                if self.frames.len() == 1 && self.frame().loops == 0 {
                    self.scopes.in_order.insert(span.start);
                }
                // A global may be changed before the script sets it, so its entry may have to be created here.
                if kept == Use::Read { None } else { Some(self.scopes.globals.entry(name).or_default()) }
            }
        };
        if let Some(variable) = variable {
            variable.changed |= kept == Use::Kept;
            variable.shuffled |= kept == Use::Shuffled;
        }
    }

    fn expression(&mut self, expression: &'t Expression, kept: Use) {
        match &expression.kind {
            ExpressionKind::Name(name) => self.name(name, expression.span, kept),
            ExpressionKind::Varargs => {
                if !self.frame().varargs {
                    let message = "`...` outside a function with variable arguments".to_owned();
                    self.refuse(expression.span, message, "write `function (...)`");
                }
            }
            ExpressionKind::Function(function) => self.function(function),
            // An item of a table may itself be a table.
            ExpressionKind::Field(table, _) => self.expression(table, kept),
            ExpressionKind::Index(table, key) => {
                self.expression(table, kept);
                self.expression(key, Use::Read);
            }
            ExpressionKind::Call(call) => self.call(call),
            ExpressionKind::Table(entries) => {
                for entry in entries {
                    if let Entry::Keyed(key, _) = entry {
                        self.expression(key, Use::Kept);
                    }
                    self.expression(entry.value(), kept);
                }
            }
            ExpressionKind::Unary(_, operand) => self.expression(operand, Use::Read),
            ExpressionKind::Binary(operator, operands) => {
                let kept = if matches!(operator, BinaryOperator::And | BinaryOperator::Or) { kept } else { Use::Read };
                self.expression(&operands.0, kept);
                self.expression(&operands.1, kept);
            }
            ExpressionKind::Parenthesized(inner) => self.expression(inner, kept),
            ExpressionKind::Nil
            | ExpressionKind::Boolean(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Text(_)
            | ExpressionKind::Unread => {}
        }
    }

    fn call(&mut self, call: &'t Call) {
        // A method may change the value it is called on.
        self.expression(&call.callee, if call.method.is_some() { Use::Kept } else { Use::Read });
        let kept = match &call.callee.kind {
            ExpressionKind::Name(name) if call.method.is_none() && !self.is_local(name) => match name.as_str() {
                "shuffle" => Use::Shuffled,
                "ipairs" | "pairs" | "next" | "select" | "type" | "tostring" | "tonumber" | "percent" => Use::Read,
                _ => Use::Kept,
            },
            ExpressionKind::Field(table, name) => match &table.kind {
                ExpressionKind::Name(library) if !self.is_local(library) => {
                    if library.as_str() == "des" && name.text.as_str() == "map" && self.frames.len() > 1 {
                        self.scopes.maps_in_functions = true;
                    }
                    match (library.as_str(), name.text.as_str()) {
                        ("des" | "selection" | "nh" | "math" | "string", _) | ("table", "concat" | "unpack") => {
                            Use::Read
                        }
                        _ => Use::Kept,
                    }
                }
                _ => Use::Kept,
            },
            _ => Use::Kept,
        };
        self.all(&call.arguments, kept);
    }

    fn is_local(&self, name: &str) -> bool {
        self.visible.get(name).is_some_and(|known| !known.is_empty())
    }
}

/// Returns true if the value at `at` belongs to the name at `at` alone. If there are fewer values than names, the last
/// value may expand to several.
fn is_one_value(values: &[Expression], at: usize, names: usize) -> bool {
    let several = |value: &Expression| matches!(value.kind, ExpressionKind::Call(_) | ExpressionKind::Varargs);
    at + 1 < values.len()
        || names <= values.len()
        || values.get(at).is_some_and(|value| !several(value))
        || at + 1 == values.len()
}
