//! Levels of the script dialects.
//!
//! Statements are generated in source order, so that the state at each point (variables, functions, the size of the
//! last map, the enclosing blocks) is known when the next one is generated.

mod statements;
mod values;

use splc_ir::catalog::{Catalog, Feature};
use splc_ir::lacks::{Node, Setting, lacks};
use splc_ir::level::*;
use splc_ir::source::{Span, Text};
use splc_ir::words::Group;

use crate::names::{Names, letters};
use crate::{Choices, spanned, statement};

/// Generates a file: functions, and one or more levels.
pub(super) fn module(catalog: &Catalog, names: &Names, choices: &mut Choices, size: usize) -> Module {
    let mut script = Script {
        names,
        catalog,
        choices,
        left: size,
        variables: Vec::new(),
        functions: Vec::new(),
        named: 0,
        map: (0, 0),
        around: Around::default(),
        in_function: false,
        vault: false,
    };
    let mut items = Vec::new();
    if catalog.has(Feature::Functions) && catalog.has(Feature::HeaderStatements) {
        while script.functions.len() < 2 && script.choices.percent(20) {
            let function = script.function();
            items.push(Item::Function(function));
        }
    }
    for number in 0..=usize::from(script.choices.percent(10)) {
        if number > 0 {
            script.left = size / 2;
        }
        let level = script.level(number);
        items.push(Item::Level(level));
    }
    Module { items, ..Module::default() }
}

/// The surroundings of a statement.
#[derive(Clone, Copy, Default)]
struct Around {
    /// The number of enclosing blocks.
    depth: usize,
    /// True if BREAK may leave one of them.
    breakable: bool,
    switch: bool,
    /// The number of enclosing IFs, chances and LOOPs, and of enclosing FORs.
    conditionals: i32,
    loops: i32,
    /// True inside a container or inventory.
    container: bool,
    room: bool,
    /// True inside any block below the level itself.
    nested: bool,
}

struct Variable {
    name: Text,
    ty: Type,
}

struct Script<'a, 'c> {
    names: &'a Names,
    catalog: &'a Catalog,
    choices: &'c mut Choices,
    /// The number of statements left to generate.
    left: usize,
    variables: Vec<Variable>,
    functions: Vec<(Text, Vec<ValueType>)>,
    /// The number of invented names.
    named: usize,
    /// The greatest column and row of the last map.
    map: (i32, i32),
    around: Around,
    in_function: bool,
    vault: bool,
}

impl Script<'_, '_> {
    fn has(&self, feature: Feature) -> bool {
        self.catalog.has(feature)
    }

    fn whole_level(&mut self) {
        self.map = (self.catalog.limits.columns - 1, self.catalog.limits.rows);
    }

    /// Returns a new name.
    fn new_name(&mut self, prefix: &str) -> Text {
        loop {
            let name = letters(prefix, self.named);
            self.named += 1;
            if !self.catalog.is_keyword(&name) && self.catalog.core_function(&name).is_none() {
                return name;
            }
        }
    }

    fn level(&mut self, number: usize) -> Level {
        self.variables.clear();
        // The compilers remember the last map of the previous level, but a level should not depend on that.
        self.map = (0, 0);
        let counted = self.has(Feature::NumberedLevels) && self.choices.percent(5);
        let name = if counted { format!("n{number}-%02i") } else { format!("lev{number}") };
        let mazes = self.catalog.is_keyword("MAZE");
        let kind = match self.choices.below(if mazes { 6 } else { 1 }) {
            4 => LevelKind::Maze { filling: None },
            5 => LevelKind::Maze { filling: Some(spanned(self.choices.pick(&self.names.terrain))) },
            _ => LevelKind::Script,
        };
        if matches!(kind, LevelKind::Maze { .. }) {
            self.whole_level();
        }
        let words: Vec<&Text> = self.names.flags.iter().collect();
        let flags: Vec<_> = self.choices.some(&words, 4).into_iter().map(|flag| spanned(flag.clone())).collect();
        self.vault &= self.has(Feature::VaultRemembered);
        self.vault |= flags.iter().any(|flag| flag.node == "rndvault");
        let flags = if flags.is_empty() { None } else { Some(flags) };
        self.around = Around::default();
        let body = self.block(100);
        Level { name: spanned(Text::from(name)), kind, flags, body, span: Span::NOWHERE }
    }

    /// Generates a FUNCTION, which can be called from then on.
    fn function(&mut self) -> Function {
        let name = self.new_name("go");
        let known = self.variables.len();
        let outer = if self.has(Feature::OneScope) { None } else { Some(std::mem::take(&mut self.variables)) };
        let around = std::mem::take(&mut self.around);
        (self.around.depth, self.around.nested) = (around.depth + 1, true);
        self.in_function = true;
        let mut parameters = Vec::new();
        while self.has(Feature::FunctionParameters) && parameters.len() < 3 && self.choices.percent(40) {
            let value = self.choices.pick(&[ValueType::Integer, ValueType::String]);
            let name = self.new_name("$p");
            self.variables.push(Variable { name: name.clone(), ty: Type::of(value) });
            parameters.push(Parameter { name: spanned(name), ty: Type::of(value) });
        }
        let body = self.block(70);
        self.in_function = false;
        self.around = around;
        match outer {
            Some(outer) => self.variables = outer,
            // With a single scope, variables set by a function only exist if it is called.
            None => self.variables.truncate(known),
        }
        self.functions.push((name.clone(), parameters.iter().map(|parameter| parameter.ty.value).collect()));
        Function { name: spanned(name), parameters, body, span: Span::NOWHERE }
    }

    /// Generates statements, each after the first with a probability of `percent`.
    fn block(&mut self, mut percent: usize) -> Vec<Statement> {
        let mut statements = Vec::new();
        while self.left > 0 && self.choices.percent(percent) {
            self.left -= 1;
            if let Some(made) = self.possible() {
                statements.push(made);
            }
            percent = percent.min(if self.around.depth == 0 { 97 } else { 70 });
        }
        statements
    }

    /// Generates the body of a block. `change` updates the surroundings for it.
    fn inside(&mut self, change: impl FnOnce(&mut Around)) -> Vec<Statement> {
        let around = self.around;
        self.around.depth += 1;
        self.around.nested = true;
        change(&mut self.around);
        let statements = self.block(80);
        self.around = around;
        statements
    }

    /// Generates a statement that the game can contain. Returns `None` if the drawn statement is impossible.
    fn possible(&mut self) -> Option<Statement> {
        let (map, variables, functions) = (self.map, self.variables.len(), self.functions.len());
        let made = statement(self.kind()?);
        let setting = if self.around.room { Setting::Room } else { Setting::Level };
        if lacks(Node::Statement(&made, setting), self.catalog).is_empty() {
            return Some(made);
        }
        // Undo the effects of the rejected statement.
        self.map = map;
        self.variables.truncate(variables);
        self.functions.truncate(functions);
        None
    }

    fn word<T: Copy>(&mut self, group: Group, all: &[T], word: impl Fn(T) -> &'static str) -> T {
        let known: Vec<T> = all.iter().copied().filter(|&one| self.catalog.word(group, word(one)).is_some()).collect();
        if known.is_empty() { all[0] } else { self.choices.pick(&known) }
    }
}
