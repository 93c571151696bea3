//! Lua levels of NetHack 5, as a careful author would write them.
//!
//! The input is a tree that contains nothing that NetHack 5 lacks ([`splc_ir::lacks`]) and uses its names. The caller
//! has already handled differences between its loader and that of the level's own game. The output is a script for each
//! level, which evaluates expressions and draws in the order of the tree:
//!
//! - Statements are calls of `des`, blocks are functions (`contents`, `inventory`), and conditions and loops are those
//!   of Lua.
//! - A key is written out if its default in the game differs from the tree: the light of a solid fill, the filling of a
//!   region, the chances of dice.
//! - Variables are locals, declared at the first assignment, or at the top if that is within a block. Arrays count from
//!   1.
//! - FUNCTIONs are local functions, written in the file of each level that needs them. They are at its top if they come
//!   from an earlier level or from a block, after which they would be out of scope in Lua.
//!
//! Relies on the [catalog](Catalog) for names, and on `src/sp_lev.c`, `src/nhlsel.c` and `dat/nhlib.lua` of NetHack
//! 5.0.0 for the arguments of each function.

mod names;
mod places;
mod selections;
mod statements;
mod text;
mod things;
mod values;
mod variables;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use splc_ir::catalog::Catalog;
use splc_ir::level::{Function, Item, Level, Module, Statement, StatementKind};
use splc_ir::source::{Span, Text};
use splc_ir::visit::{Visit, walk};

use crate::comments::{BlockEnds, Comments, Kept};
use crate::des::Unprintable;
use places::Places;
use text::LuaText;
use variables::{MOST_FUNCTIONS, MOST_NAMED, Variables};

/// The levels of a file as scripts.
#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    /// A script for each level, in order.
    pub scripts: Vec<Script>,
    /// The line of each statement of the module in its script, from 1, in reading order. 0 for a statement in no
    /// script, such as a function that no level calls.
    pub lines: Vec<usize>,
}

/// A level as a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// The name of the level. The game loads `NAME.lua`.
    pub level: Text,
    /// The text of the script.
    pub text: String,
}

/// Writes each level of `module`, with the comments among its [trivia](Module::trivia).
///
/// # Errors
/// Everything that a script of NetHack 5 cannot express.
pub fn print(module: &Module, catalog: &Catalog) -> Result<Printed, Vec<Unprintable>> {
    let order = Order::of(module);
    let mut lines = vec![0; order.len()];
    let mut scripts = Vec::new();
    let mut problems = Vec::new();
    let mut comments = Comments::of(module, BlockEnds::Written);
    let (notice, preface) = (comments.notice(), comments.preface());
    let levels: Vec<&Level> = module.levels().collect();
    let known = Known::of(module);
    for (at, level) in levels.iter().enumerate() {
        let mut printer = Printer {
            catalog,
            out: LuaText::new(comments),
            order: &order,
            lines: &mut lines,
            begun: Vec::new(),
            problems: &mut problems,
            variables: Variables::default(),
            places: Places::default(),
            corrmaze: level.flags.iter().flatten().any(|flag| flag.node == "corrmaze"),
            is_tower: level.name.node.starts_with("wizard"),
            mapped: false,
            extent: WHOLE_LEVEL,
            exits: Exits::default(),
            leaving: Vec::new(),
            counting: Vec::new(),
            lifted: HashSet::new(),
            borrowed: Vec::new(),
            ends_block: false,
            functions: 0,
            named: 0,
            set: 0,
        };
        printer.out.comments(&notice);
        match at {
            0 => printer.out.comments(&preface),
            _ if !notice.is_empty() => printer.out.blank_line(),
            _ => {}
        }
        printer.script(&known, at, level);
        let next = levels.get(at + 1).map(|next| next.span);
        printer.out.last_comments(level.span, next);
        let borrowed = std::mem::take(&mut printer.borrowed);
        let (finished, begun) = (printer.out.finish(), printer.begun);
        for statement in begun {
            if let Some(line) = lines.get_mut(statement)
                && let Some(&last) = finished.lines.get(*line)
            {
                *line = last;
            }
        }
        comments = finished.rest;
        borrowed.into_iter().for_each(|kept| comments.restore(kept));
        scripts.push(Script { level: level.name.node.clone(), text: finished.text });
    }
    if problems.is_empty() { Ok(Printed { scripts, lines }) } else { Err(problems) }
}

/// The position of each statement in reading order, keyed by address, because two statements may be equal.
struct Order(HashMap<*const Statement, usize>);

impl Order {
    fn of(module: &Module) -> Order {
        struct Counting(HashMap<*const Statement, usize>);

        impl<'tree> Visit<'tree> for Counting {
            fn statement(&mut self, statement: &'tree Statement) {
                let next = self.0.len();
                self.0.insert(std::ptr::from_ref(statement), next);
                walk::statement(self, statement);
            }
        }

        let mut counting = Counting(HashMap::new());
        counting.module(module);
        Order(counting.0)
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

/// The columns and rows of a level.
const WHOLE_LEVEL: (i32, i32) = (79, 21);

/// The variable set once EXIT has been executed.
const FINISHED: &str = "finished";

/// The construct that BREAK leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaving {
    /// A Lua loop.
    Loop,
    /// A function: contents, an inventory.
    Function,
}

struct Printer<'a> {
    catalog: &'a Catalog,
    out: LuaText,
    order: &'a Order,
    lines: &'a mut Vec<usize>,
    /// The statements whose lines this script sets.
    begun: Vec<usize>,
    problems: &'a mut Vec<Unprintable>,
    variables: Variables,
    places: Places,
    /// Set if the level has the flag `corrmaze`, which makes mazes of corridors.
    corrmaze: bool,
    /// Set in a level of the Wizard's Tower.
    is_tower: bool,
    exits: Exits,
    /// Set if a map may have moved the origin of coordinates.
    mapped: bool,
    /// The columns and rows from that origin that are certainly on the level.
    extent: (i32, i32),
    /// The enclosing blocks that BREAK can leave, innermost last.
    leaving: Vec<Leaving>,
    /// The variables of the enclosing FORs, innermost last, with their ranges if known.
    counting: Vec<(Text, Option<(i64, i64)>)>,
    /// The number of functions so far.
    functions: usize,
    /// The number of names that the printer has given to variables, and the number of those already set.
    named: usize,
    set: usize,
    /// The FUNCTIONs written at the top, by address.
    lifted: HashSet<*const Function>,
    /// Comments of functions that other scripts also need.
    borrowed: Vec<Kept>,
    /// Set if the next statement is the last of its Lua block.
    ends_block: bool,
}

impl Printer<'_> {
    fn script(&mut self, known: &Known<'_>, number: usize, level: &Level) {
        self.out.comments_before(level.span);
        self.out.comments_before(level.name.span);
        let lifted = known.lifted(number, level);
        let functions: Vec<&Function> = lifted.iter().map(|defined| defined.function).collect();
        self.lifted = functions.iter().map(|function| std::ptr::from_ref::<Function>(function)).collect();
        self.variables = Variables::of(&functions, level);
        self.places = Places::of(&functions, level);
        let mut flags: Vec<String> = Vec::new();
        for flag in level.flags.iter().flatten().map(|flag| splc_lua::quoted(&flag.node)) {
            if !flags.contains(&flag) {
                flags.push(flag);
            }
        }
        if !flags.is_empty() {
            self.line(&format!("des.level_flags({})", flags.join(", ")));
        }
        self.exits = Exits::among(&functions, level);
        if self.exits.within {
            self.line(&format!("local {FINISHED} = false"));
        }
        self.hoisted(&self.variables.hoisted.clone());
        for Defined { function, statement } in lifted {
            self.function(function, statement);
        }
        self.block(&level.body);
        self.out.comments_within(level.span);
    }

    /// Declares variables at the top, several per line.
    fn hoisted(&mut self, names: &[String]) {
        const IN_A_LINE: usize = 8;
        for names in names.chunks(IN_A_LINE) {
            self.line(&format!("local {}", names.join(", ")));
        }
    }

    fn function(&mut self, function: &Function, statement: Option<&Statement>) {
        // Other levels may write the function as well.
        self.borrowed.push(self.out.comments.copy(function.span));
        self.out.blank_line();
        self.out.comments_before(function.span);
        let outer = self.variables.enter(function, self.catalog);
        let parameters: Vec<String> =
            function.parameters.iter().map(|parameter| self.variables.name(&parameter.name.node)).collect();
        let name = self.variables.function(&function.name.node);
        if let Some(statement) = statement {
            self.here(statement);
        }
        self.functions += 1;
        let local = if self.functions <= MOST_FUNCTIONS { "local " } else { "" };
        self.line(&format!("{local}function {name}({})", parameters.join(", ")));
        self.out.indent();
        self.hoisted(&self.variables.hoisted_here());
        self.leaving.push(Leaving::Function);
        self.block(&function.body);
        self.leaving.pop();
        self.out.comments_within(function.span);
        self.out.outdent();
        self.line("end");
        self.out.blank_line();
        self.variables.leave(outer);
    }

    /// Sets one or two variables with [fresh](Self::fresh) names.
    fn set(&mut self, names: &str, value: &str) {
        self.set += names.split(',').count();
        let local = if self.set <= MOST_NAMED { "local " } else { "" };
        self.line(&format!("{local}{names} = {value}"));
    }

    /// Writes the check after a call that may have ended the level.
    fn return_if_finished(&mut self) {
        self.line(&format!("if {FINISHED} then return end"));
    }

    fn block(&mut self, statements: &[Statement]) {
        for (at, statement) in statements.iter().enumerate() {
            self.out.comments_before(statement.span);
            self.ends_block = at + 1 == statements.len();
            self.statement(statement);
        }
    }

    /// Writes a line at the depth of the enclosing blocks.
    fn line(&mut self, text: &str) {
        self.out.line(text);
    }

    /// Records that the statement begins on the next line.
    fn here(&mut self, statement: &Statement) {
        if let Some(&at) = self.order.0.get(&std::ptr::from_ref(statement))
            && let Some(line) = self.lines.get_mut(at)
            && *line == 0
        {
            *line = self.out.next_line();
            self.begun.push(at);
        }
    }

    fn cannot(&mut self, span: Span, what: &'static str) {
        self.problems.push(Unprintable { span, what });
    }
}

/// The places from which EXIT ends the level inside a Lua function.
#[derive(Default)]
struct Exits {
    /// The FUNCTIONs that may end the level.
    functions: HashSet<Text>,
    /// Set if any Lua function may end the level: one of these, or a block of contents.
    within: bool,
}

impl Exits {
    fn among(functions: &[&Function], level: &Level) -> Exits {
        struct All<'e>(&'e mut Exits);

        impl<'tree> Visit<'tree> for All<'_> {
            fn function(&mut self, function: &'tree Function) {
                walk::function(self, function);
                if self.0.of(&function.body) {
                    self.0.functions.insert(function.name.node.clone());
                    self.0.within = true;
                }
            }

            fn statement(&mut self, statement: &'tree Statement) {
                let body = match &statement.kind {
                    StatementKind::Room(room) => Some(&room.body),
                    StatementKind::Region(region) => region.body.as_ref(),
                    StatementKind::Monster(monster) => monster.inventory.as_ref(),
                    StatementKind::Object(object) => object.contents.as_ref(),
                    _ => None,
                };
                self.0.within |= body.is_some_and(|body| self.0.of(body));
                walk::statement(self, statement);
            }
        }

        let mut exits = Exits::default();
        // A function can only call earlier functions.
        functions.iter().for_each(|function| All(&mut exits).function(function));
        All(&mut exits).level(level);
        exits
    }

    /// Returns true if one of these statements may end the level.
    fn of(&self, statements: &[Statement]) -> bool {
        struct Looking<'e>(&'e Exits, bool);

        impl<'tree> Visit<'tree> for Looking<'_> {
            fn statement(&mut self, statement: &'tree Statement) {
                self.1 |= match &statement.kind {
                    StatementKind::Exit => true,
                    StatementKind::Call { function, .. } => self.0.functions.contains(&function.node),
                    _ => false,
                };
                walk::statement(self, statement);
            }
        }

        let mut looking = Looking(self, false);
        statements.iter().for_each(|statement| looking.statement(statement));
        looking.1
    }
}

/// The position of a FUNCTION relative to a level that may call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Before the level: at the top of the file, or in an earlier level.
    Before,
    /// In a block of the level, after which it would be out of scope in Lua.
    Within,
    /// In the level itself.
    Here,
}

/// The names of the functions that are called.
struct Calls<'t>(HashSet<&'t Text>, Vec<&'t Text>);

impl<'tree> Visit<'tree> for Calls<'tree> {
    fn statement(&mut self, statement: &'tree Statement) {
        if let StatementKind::Call { function, .. } = &statement.kind
            && self.0.insert(&function.node)
        {
            self.1.push(&function.node);
        }
        walk::statement(self, statement);
    }
}

/// A FUNCTION, and its statement if it is defined in a level.
#[derive(Clone, Copy)]
struct Defined<'m> {
    function: &'m Function,
    statement: Option<&'m Statement>,
}

/// The functions of a module, in the order of their definitions.
#[derive(Default)]
struct Known<'t> {
    functions: Vec<(Defined<'t>, Standing)>,
    /// The positions of the functions with each name.
    by_name: HashMap<&'t Text, Vec<usize>>,
    /// For each level, the positions of its own functions.
    of_level: Vec<Range<usize>>,
    /// The number of enclosing blocks of the level.
    depth: usize,
}

impl<'t> Known<'t> {
    fn of(module: &'t Module) -> Known<'t> {
        let mut known = Known::default();
        for item in module.all_items() {
            match item {
                Item::Function(function) => known.add(Defined { function, statement: None }, Standing::Before),
                Item::Level(level) => {
                    let start = known.functions.len();
                    known.level(level);
                    known.of_level.push(start..known.functions.len());
                }
                Item::Include { .. } => {}
            }
        }
        known
    }

    fn add(&mut self, defined: Defined<'t>, standing: Standing) {
        self.by_name.entry(&defined.function.name.node).or_default().push(self.functions.len());
        self.functions.push((defined, standing));
    }

    /// Returns the functions to write at the top of the script of `level`, the one with this number, in order: earlier
    /// functions that it calls, functions in its blocks, and all functions that these call.
    fn lifted(&self, number: usize, level: &'t Level) -> Vec<Defined<'t>> {
        let Some(own) = self.of_level.get(number).cloned() else { return Vec::new() };
        let mut calls = Calls(HashSet::new(), Vec::new());
        calls.level(level);
        let mut calls_at_top = Calls(HashSet::new(), Vec::new());
        let mut found = Vec::new();
        // A function can only call earlier functions. Functions outside the level are examined if they are called.
        let mut examined: BTreeSet<usize> = own.clone().collect();
        let mut before = own.end;
        loop {
            for name in calls.1.drain(..) {
                let positions = self.by_name.get(name).into_iter().flatten();
                examined.extend(positions.copied().filter(|&at| at < before.min(own.start)));
            }
            let Some(at) = examined.pop_last() else { break };
            before = at;
            let (defined, standing) = self.functions[at];
            let name = &defined.function.name.node;
            let goes = match standing {
                _ if !own.contains(&at) => calls.0.contains(name),
                Standing::Within => true,
                _ => calls_at_top.0.contains(name),
            };
            if goes {
                calls.function(defined.function);
                calls_at_top.function(defined.function);
                found.push(defined);
            }
        }
        found.reverse();
        found
    }
}

impl<'tree> Visit<'tree> for Known<'tree> {
    fn statement(&mut self, statement: &'tree Statement) {
        if let StatementKind::Function(function) = &statement.kind {
            let standing = if self.depth == 0 { Standing::Here } else { Standing::Within };
            return self.add(Defined { function, statement: Some(statement) }, standing);
        }
        self.depth += 1;
        walk::statement(self, statement);
        self.depth -= 1;
    }
}
