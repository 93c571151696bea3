//! What a level means in itself: types of values, scopes of variables, functions and registers, places of BREAK and
//! SWITCH.
//!
//! Any module is resolved, for any target, however it came about: parsed, read from JSON, read back from a level
//! file, ported, built by a program. It is an error to use what is not defined or to write a value of one type
//! where another is needed. Besides judging, resolving writes down what it finds out, so that whoever comes after
//! need not ask again:
//!
//! - a [`Variable`] gets the type of what it holds, a [`Definition`] the type of its value;
//! - `random`, `'x'` and `"name"` become the monster or object that their place asks for ([`coerce`]);
//! - `$x.y` becomes a [method](ExprKind::Method), a selection that is only a variable becomes
//!   [that](SelectionKind::Variable), a filter by terrain becomes [that](SelectionKind::FilterTerrain).
//!
//! A resolved module may be resolved again, which changes nothing and says the same. The text of the source is not
//! asked for; a front end that could not read all of it says in [`Unread`] what it saw there, and nothing is
//! complained about that likely follows.
//!
//! The rules are those of `util/lev_comp.y` of UnNetHack 6.0.4 and its relatives, and of NetHack 3.4.3 for registers.
//! There the lexer asks the table of variables for the type of each `$name`, and a wrong type is a syntax error;
//! here any value may stand anywhere at first, and this pass says what was expected. Three things are not judged
//! here: what a target cannot say at all, the names and limits of a game ([`check`](crate::check)), and
//! how something is spelt, which is up to the front ends.
//!
//! This is a walk of its own beside [`visit`](crate::visit), since it hands something down that no other walk does:
//! the type that each place asks for. `statements` and `selections` say it for every place there is;
//! `values` finds out what a value is; `scopes` and `registers` know the names; `definitions` and `calls` are
//! about what gives and takes values by name.

mod calls;
mod definitions;
mod registers;
mod scopes;
mod selections;
mod statements;
mod values;

pub use values::coerce;

use std::collections::HashMap;

use crate::catalog::{Catalog, Feature};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean};
use crate::level::*;
use crate::source::{Span, Text};
use registers::Registers;
use scopes::{FunctionState, VariableState};

/// Resolves all of `module` for the game of `catalog`. What is wrong goes into `diagnostics`, but for what likely
/// follows from parts of the source that could not be read ([`Module::unread`]).
pub fn resolve(module: &mut Module, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    let Module { items, unread, .. } = module;
    let mut resolver = Resolver {
        catalog,
        diagnostics,
        unread,
        variables: HashMap::new(),
        functions: HashMap::new(),
        registers: Registers::default(),
        in_function: None,
        in_switch: 0,
        breakable: 0,
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
    functions: HashMap<Text, FunctionState>,
    registers: Registers,
    /// The name of the FUNCTION around.
    in_function: Option<Span>,
    in_switch: usize,
    /// How many blocks around can be left by BREAK.
    breakable: usize,
    /// How many IFs, chances and LOOPs are around.
    conditionals: i32,
    /// How many FORs are around.
    loops: i32,
}

/// What a value was found to be; `None` if that was wrong, and told.
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
        self.forget_variables();
    }

    /// Says that the game lacks `what`, unless it has `feature`.
    fn require(&mut self, feature: Feature, span: Span, what: &str) {
        if !self.catalog.has(feature) {
            let message = format!("{} does not have {what}", self.catalog.title);
            self.push(Diagnostic::new(Code::WrongDialect, span, message));
        }
    }
}

/// A sentence that offers the names nearest to `name`, if a diagnostic of `code` would still be shown: looking for them
/// in a long list for each of many mistakes would take its time.
fn near<'n>(
    diagnostics: &Diagnostics,
    code: Code,
    name: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Option<String> {
    if diagnostics.keeps(code) { did_you_mean(name, known) } else { None }
}
