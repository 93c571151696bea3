//! Semantic analysis of a level: types of values, scopes of variables, functions and registers, valid places for BREAK
//! and SWITCH.
//!
//! Any module can be resolved, for any target and from any source: parsed, read from JSON, read back from a level file,
//! ported, or built by a program. Using an undefined name, or a value of the wrong type, is an error. Besides reporting
//! errors, this pass stores its results in the module for later passes:
//!
//! - a [`Variable`] gets the type of its value, a [`Definition`] the type of the value it assigns;
//! - `random`, `'x'` and `"name"` become a monster or an object where one is expected ([`coerce`]);
//! - `$x.y` becomes a [method](ExprKind::Method), a selection that is only a variable becomes
//!   [`SelectionKind::Variable`], a filter by terrain becomes [`SelectionKind::FilterTerrain`].
//!
//! Resolving a resolved module again changes nothing and reports the same diagnostics. The source text is not needed. A
//! front end that could not read all of it records what it saw there in [`Unread`], and diagnostics that likely follow
//! from those parts are suppressed.
//!
//! The rules are those of `util/lev_comp.y` of UnNetHack 6.0.4 and its relatives, and of NetHack 3.4.3 for registers.
//! Their lexer looks up the type of each `$name` in the table of variables, so a wrong type is a syntax error there.
//! Here the syntax allows any value anywhere, and this pass reports the expected type. Three checks are elsewhere:
//! constructs that a target lacks ([`lacks`](crate::lacks)), the names and limits of a game ([`check`](crate::check)),
//! and spelling, which is up to the front ends.
//!
//! This pass does not use the walks of [`visit`](crate::visit), because it passes down the expected type of each value.
//! `statements` and `selections` know the expected types, and `values` infers the actual ones. `scopes` and `registers`
//! track names, and `definitions` and `calls` handle assignments, arguments and results.

mod calls;
mod definitions;
mod registers;
mod scopes;
mod selections;
mod statements;
mod values;

pub use values::coerce;

use std::collections::HashMap;

use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::level::*;
use crate::source::{Span, Text};
use crate::visit::{Visit, walk};
use registers::Registers;
use scopes::{FunctionState, VariableState};

/// Resolves all of `module` for the game of `catalog`. Errors go to `diagnostics`, except those that likely follow from
/// unread parts of the source ([`Module::unread`]).
pub fn resolve(module: &mut Module, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    let mut definitions = Definitions::default();
    definitions.items(&module.items);
    let Module { items, unread, .. } = module;
    let mut resolver = Resolver {
        catalog,
        diagnostics,
        unread,
        variables: HashMap::new(),
        ended: HashMap::new(),
        around: Vec::new(),
        early: Vec::new(),
        functions: HashMap::new(),
        definitions: definitions.0,
        registers: Registers::default(),
        in_function: None,
        in_switch: 0,
        breakable: 0,
        breakable_around: 0,
        conditionals: 0,
        loops: 0,
    };
    resolver.items(items);
}

struct Resolver<'a> {
    catalog: &'a Catalog,
    diagnostics: &'a mut Diagnostics,
    unread: &'a Unread,
    variables: HashMap<Text, VariableState>,
    /// The variables around the current function, which it does not see.
    around: Vec<HashMap<Text, VariableState>>,
    /// The variables of earlier levels, and where each was set.
    ended: HashMap<Text, Span>,
    /// The variables that are used before the level sets them, if it does.
    early: Vec<(Text, Span)>,
    functions: HashMap<Text, FunctionState>,
    /// The functions that the module defines anywhere.
    definitions: HashMap<Text, Span>,
    registers: Registers,
    /// The name of the enclosing FUNCTION.
    in_function: Option<Span>,
    in_switch: usize,
    /// The number of enclosing blocks that BREAK can leave.
    breakable: usize,
    /// The number of those around the enclosing FUNCTION.
    breakable_around: usize,
    /// The number of enclosing IFs, chances and LOOPs.
    conditionals: i32,
    /// The number of enclosing FORs.
    loops: i32,
}

/// The names of all functions of a module, each with its first definition.
#[derive(Default)]
struct Definitions(HashMap<Text, Span>);

impl Definitions {
    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Include { items, .. } => self.items(items),
                Item::Function(function) => self.function(function),
                Item::Level(level) => level.body.iter().for_each(|statement| self.statement(statement)),
            }
        }
    }

    fn function(&mut self, function: &Function) {
        self.0.entry(function.name.node.clone()).or_insert(function.name.span);
        function.body.iter().for_each(|statement| self.statement(statement));
    }
}

impl Visit<'_> for Definitions {
    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Function(function) => self.function(function),
            _ => walk::statement(self, statement),
        }
    }

    // Every module is searched, and values contain no definitions.
    fn expression(&mut self, _: &Expr) {}

    fn selection(&mut self, _: &Selection) {}
}

/// The inferred type of a value, or `None` after an error that was reported.
type Found = Option<Type>;

impl Resolver<'_> {
    fn items(&mut self, items: &mut [Item]) {
        for item in items {
            match item {
                Item::Include { items, .. } => self.items(items),
                Item::Function(function) => self.function(function),
                Item::Level(level) => self.level(level),
            }
        }
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        if !self.unread.explains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn level(&mut self, level: &mut Level) {
        self.variables.clear();
        self.registers.begin_level(&level.kind);
        self.block(&mut level.body);
        self.set_later(&level.body);
        self.unused_variables();
        let set = self.variables.drain().filter(|(_, state)| state.ty.is_some());
        self.ended.extend(set.map(|(name, state)| (name, state.span)));
    }
}
