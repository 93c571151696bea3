//! Checks of a Lua level before it runs.
//!
//! Names and calls are checked against the game: functions, keys of their tables, words, types, names of monsters and
//! objects, places within the map. Values are followed as far as they are constant: literals, variables that are set
//! once, items of lists, shuffled lists included. Anything that is only known at run time is left to `splc test`. The
//! checks never guess, so every finding is certain.
//!
//! The rules are those of NetHack 5.0.0, from [`functions`](super::functions), [`sandbox`] and [`names`].

mod aligned;
mod calls;
mod ground;
mod keyed;
mod kinds;
mod own;
mod scopes;
mod tables;
mod values;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use splc_ir::catalog::{Catalog, LoaderRule};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean, nearest};
use splc_ir::order::Order;
use splc_ir::source::Span;

use self::ground::Ground;
use self::scopes::resolve;
use self::values::{Known, Type, Value, Values};
use super::names::{self, Fit};
use super::own as additions;
use super::sandbox;
use super::tree::*;
use super::words;

/// Scripts of the game that run in its own Lua state as well: some servers let that state use files.
const OF_THE_GAME: &[&str] = &["nhcore", "nhlib"];

/// Checks the script `chunk` against the game of `catalog`. `name` is that of its file, without the suffix: the game's
/// own scripts may do more than a level.
pub fn check(chunk: &Chunk, name: &str, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    let mut report = Report { diagnostics, reported: HashSet::new() };
    let scopes = resolve(chunk, &mut report);
    let library = additions::globals(catalog).map(Rc::new);
    let values = Values::new(scopes, library.is_some(), catalog.loader.rules.has(LoaderRule::PlacesAreTwoNumbers));
    let mut judge = Judge {
        values,
        catalog,
        library,
        is_of_the_game: OF_THE_GAME.contains(&name),
        in_function: false,
        noted: HashSet::new(),
        report,
        ground: Ground::Level,
        in_room: false,
        rock: true,
        mapped: false,
        initialised: false,
        needed: HashSet::new(),
        numeric: HashSet::new(),
        excused: HashSet::new(),
        failing: HashSet::new(),
        called: None,
        from_zero: None,
    };
    judge.block(&chunk.body);
    judge.unset_globals();
}

/// A variable of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Its name.
    pub name: String,
    /// True if it is a local variable, a parameter or a loop variable.
    pub local: bool,
    /// The names that refer to it, in source order. That of a local begins with its declaration.
    pub places: Vec<Span>,
    /// The place that sets it first, or `None` if the script does not set it.
    pub declared: Option<Span>,
}

/// Returns the variables of a script: its locals, and the globals that it uses or sets.
pub fn bindings(chunk: &Chunk) -> Vec<Binding> {
    let mut diagnostics = Diagnostics::new();
    let scopes = resolve(chunk, &mut Report { diagnostics: &mut diagnostics, reported: HashSet::new() });
    let file = splc_ir::source::FileId(0);
    let new = |name: &&str| Binding { name: (*name).to_owned(), local: true, places: Vec::new(), declared: None };
    let mut all: Vec<Binding> = scopes.locals_named().iter().map(new).collect();
    for (start, local) in scopes.uses() {
        if let Some(binding) = all.get_mut(local) {
            let start = start as usize;
            binding.places.push(Span::new(file, start, start + binding.name.len()));
        }
    }
    let mut globals: std::collections::BTreeMap<&str, Binding> = std::collections::BTreeMap::new();
    let written = scopes.written.iter().map(|place| (place, true));
    for ((name, span), sets) in written.chain(scopes.read.iter().map(|place| (place, false))) {
        let binding = globals.entry(name).or_insert_with(|| Binding { local: false, ..new(name) });
        binding.places.push(*span);
        if sets {
            binding.declared = Some(binding.declared.map_or(*span, |known| known.min(*span)));
        }
    }
    all.retain(|binding| !binding.places.is_empty());
    for binding in &mut all {
        binding.places.order();
        binding.declared = binding.places.first().copied();
    }
    all.extend(globals.into_values().map(|mut binding| {
        binding.places.order();
        binding
    }));
    all
}

/// A filter in front of the diagnostics that drops repeated reports of a code at the same span.
struct Report<'d> {
    diagnostics: &'d mut Diagnostics,
    reported: HashSet<(Code, Span)>,
}

impl Report<'_> {
    /// Returns true if another diagnostic of `code` would not be shown. It is counted instead, which saves the work of
    /// building it.
    fn is_full(&mut self, code: Code) -> bool {
        let full = !self.diagnostics.keeps(code);
        if full {
            self.diagnostics.count(code, 1);
        }
        full
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        if let Some(span) = diagnostic.span
            && !self.reported.insert((diagnostic.code, span))
        {
            return;
        }
        self.diagnostics.push(diagnostic);
    }
}

struct Judge<'t, 'c, 'd> {
    values: Values<'t>,
    catalog: &'c Catalog,
    /// The globals of the game's own `nhlib.lua`, with the parameters of functions, if it has its own.
    library: Option<Rc<BTreeMap<String, Option<usize>>>>,
    /// True for a script that runs in the game's own Lua state.
    is_of_the_game: bool,
    /// True inside a function.
    in_function: bool,
    /// The game's own keys, words and functions that were already noted.
    noted: HashSet<(&'c str, &'c str)>,
    report: Report<'d>,
    /// The ground that coordinates are relative to.
    ground: Ground,
    /// True if the code may run inside a room. It stays true after a map created in the room.
    in_room: bool,
    /// True if the area around the map is solid rock.
    rock: bool,
    /// True once a map was created.
    mapped: bool,
    /// True once the level was filled.
    initialised: bool,
    /// The start offsets of names that are called or indexed.
    needed: HashSet<u32>,
    /// The start offsets of values that must be numbers.
    numeric: HashSet<u32>,
    /// The start offsets of names that were already reported for another reason.
    excused: HashSet<u32>,
    /// The arguments that must not be nil.
    failing: HashSet<Span>,
    /// The call whose callee is being checked.
    called: Option<&'t Call>,
    /// The variable and the limits of the innermost loop, if it begins at 0.
    from_zero: Option<(&'t str, &'t [Expression])>,
}

/// Adds the nearest of `names` as a suggestion for `span`, or else the text of `otherwise`.
fn near<'a>(
    diagnostic: Diagnostic,
    wanted: &str,
    names: impl Iterator<Item = &'a str> + Clone,
    span: Option<Span>,
    otherwise: impl FnOnce() -> String,
) -> Diagnostic {
    // A word cut short is likelier than another one.
    let longer =
        || names.clone().filter(|name| wanted.len() > 2 && name.len() > wanted.len() && name.starts_with(wanted));
    // Of `random` and `randomseed`, the first.
    if let Some(name) = longer().min_by_key(|name| name.len()).filter(|name| longer().all(|one| one.starts_with(name)))
    {
        let diagnostic = diagnostic.with_help(format!("did you mean \"{name}\"?"));
        return match span {
            Some(span) => diagnostic.with_suggestion(span, name, true),
            None => diagnostic,
        };
    }
    let found = nearest(wanted, names.clone());
    let diagnostic = match (found.as_slice(), span) {
        ([only], Some(span)) => diagnostic.with_suggestion(span, *only, true),
        ([only, ..], Some(span)) => diagnostic.with_suggestion(span, *only, false),
        _ => diagnostic,
    };
    diagnostic.with_help(did_you_mean(wanted, names).unwrap_or_else(otherwise))
}

/// The number of elements of `align`, the game's own list, which it shuffles (`nhlib.lua`).
const ALIGNMENTS: i64 = 3;

impl<'t> Judge<'t, '_, '_> {
    fn block(&mut self, block: &'t Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'t Statement) {
        match &statement.kind {
            StatementKind::Local { values, .. } => {
                self.expressions(values);
                self.shuffled(values);
            }
            StatementKind::Return(values) => self.expressions(values),
            StatementKind::Assign { targets, values } => {
                self.shuffled(values);
                self.expressions(values);
                for target in targets {
                    match &target.kind {
                        ExpressionKind::Name(_) => {}
                        ExpressionKind::Field(table, _) => {
                            self.needs(table);
                            self.expression(table);
                            self.has_fields(table);
                        }
                        ExpressionKind::Index(table, key) => {
                            self.needs(table);
                            self.expression(table);
                            self.expression(key);
                        }
                        _ => self.expression(target),
                    }
                }
            }
            StatementKind::Call(call) => {
                self.expression(call);
                self.unused_selection(call);
            }
            StatementKind::Do(body) => self.block(body),
            StatementKind::While { condition, body } => {
                self.ends(condition, true, body, statement.span, "while");
                self.expression(condition);
                self.looped(body);
            }
            StatementKind::Repeat { body, condition } => {
                self.ends(condition, false, body, statement.span, "repeat");
                self.expression(condition);
                self.looped(body);
            }
            StatementKind::If { branches, otherwise } => {
                let mut grounds = Vec::new();
                let before = self.ground.clone();
                for (condition, block) in branches {
                    self.ground = before.clone();
                    self.expression(condition);
                    self.block(block);
                    grounds.push(self.ground.clone());
                }
                self.ground = before;
                if let Some(block) = otherwise {
                    self.block(block);
                }
                if grounds.iter().any(|ground| *ground != self.ground) {
                    self.ground = Ground::Unknown;
                }
            }
            StatementKind::NumericFor { variable, range, body } => {
                self.expressions(range);
                let first = range.first().filter(|first| matches!(first.kind, ExpressionKind::Integer(0)));
                let from_zero = first.map(|_| (variable.text.as_str(), range.as_slice()));
                let outer = std::mem::replace(&mut self.from_zero, from_zero);
                self.looped(body);
                self.from_zero = outer;
            }
            StatementKind::GenericFor { values, body, .. } => {
                self.expressions(values);
                self.runs_over(values);
                self.looped(body);
            }
            StatementKind::Function { function, .. } | StatementKind::LocalFunction { function, .. } => {
                self.called_elsewhere(function);
            }
            StatementKind::Break | StatementKind::Goto(_) | StatementKind::Label(_) => {}
        }
    }

    /// Reports the result of `shuffle`, which has none: `places = shuffle(places)`.
    fn shuffled(&mut self, values: &'t [Expression]) {
        for value in values {
            let ExpressionKind::Call(call) = &value.bare().kind else { continue };
            let is_shuffle = matches!(self.values.one(&call.callee), Value::LuaFunction("", "shuffle"));
            if is_shuffle && self.library.is_none() {
                self.report.push(
                    Diagnostic::new(Code::LuaNil, value.span, "shuffle returns nothing: it changes its list")
                        .with_label("this is nil")
                        .with_help("call it alone, as in shuffle(list)"),
                );
            }
        }
    }

    /// Reports a loop without an end: its condition always has the value `goes_on`, and nothing leaves it.
    fn ends(&mut self, condition: &'t Expression, goes_on: bool, body: &'t Block, span: Span, word: &str) {
        let constant = match condition.bare().kind {
            ExpressionKind::Boolean(value) => value == goes_on,
            ExpressionKind::Integer(_) => goes_on,
            ExpressionKind::Nil => !goes_on,
            _ => false,
        };
        if !constant || is_left(body, false) {
            return;
        }
        let word = Span { end: span.start + word.len() as u32, ..span };
        let problem = Diagnostic::new(Code::OddNumber, word, "this loop never ends")
            .with_label("the game stops the script")
            .with_help("write `for i = 1, COUNT do`, or leave it with `break`");
        self.report.push(problem);
    }

    /// Checks a block that may run repeatedly. The ground at its end may be the ground at its start.
    fn looped(&mut self, body: &'t Block) {
        let before = self.ground.clone();
        if ground::makes_map(body) {
            self.ground = Ground::Unknown;
        }
        self.block(body);
        if self.ground != before {
            self.ground = Ground::Unknown;
        }
    }

    /// Checks the body of a function that runs at an unknown time.
    fn called_elsewhere(&mut self, function: &'t Function) {
        self.on(Ground::Unknown, function);
    }

    /// Checks the body of a function that runs on `ground`, and restores the ground afterwards.
    fn on(&mut self, ground: Ground, function: &'t Function) {
        let in_function = std::mem::replace(&mut self.in_function, true);
        let in_room = self.in_room;
        self.in_room |= matches!(ground, Ground::Unknown | Ground::Room { .. });
        let before = std::mem::replace(&mut self.ground, ground);
        self.block(&function.body);
        self.ground = before;
        self.in_room = in_room;
        self.in_function = in_function;
    }

    fn expressions(&mut self, list: &'t [Expression]) {
        for expression in list {
            self.expression(expression);
        }
    }

    fn expression(&mut self, expression: &'t Expression) {
        match &expression.kind {
            ExpressionKind::Function(function) => self.called_elsewhere(function),
            ExpressionKind::Field(table, name) => {
                self.needs(table);
                self.expression(table);
                self.field(table, name);
                self.field_of_list(table, name, expression.span);
            }
            ExpressionKind::Index(table, key) => {
                self.needs(table);
                self.expression(table);
                self.expression(key);
                self.item(table, key, expression.span);
                self.indexed_function(table, key, expression.span);
            }
            ExpressionKind::Call(call) => self.call(call, expression.span),
            ExpressionKind::Table(entries) => {
                for entry in entries {
                    if let Entry::Keyed(key, _) = entry {
                        self.expression(key);
                    }
                    self.expression(entry.value());
                }
                self.repeated_place(entries);
            }
            ExpressionKind::Unary(_, operand) => self.expression(operand),
            ExpressionKind::Binary(operator, operands) => {
                if self.chance_of_random(*operator, operands, expression.span) {
                    return;
                }
                self.one_of_selections(*operator, operands);
                self.expression(&operands.0);
                self.expression(&operands.1);
                self.sum_of_strings(*operator, operands, expression.span);
            }
            ExpressionKind::Parenthesized(inner) => self.expression(inner),
            _ => {}
        }
    }

    /// Reports `or` and `and` between selections, which are always one of the two.
    fn one_of_selections(&mut self, operator: BinaryOperator, operands: &'t (Expression, Expression)) {
        let (word, meant, used) = match operator {
            BinaryOperator::Or => ("or", "|", "first"),
            BinaryOperator::And => ("and", "&", "second"),
            _ => return,
        };
        let is_selection = |operand| self.values.one(operand).kind() == Some(Type::Selection);
        if !is_selection(&operands.0) || !is_selection(&operands.1) {
            return;
        }
        let gap = Span { start: operands.0.span.end, end: operands.1.span.start, ..operands.0.span };
        // `&&`
        let is_wrong =
            |known: &Diagnostic| known.span.is_some_and(|span| span.start >= gap.start && span.end <= gap.end);
        if self.report.diagnostics.iter().any(is_wrong) {
            return;
        }
        let is_plain = (gap.end - gap.start) as usize == word.len() + 2;
        let span = if is_plain { Span { start: gap.start + 1, end: gap.end - 1, ..gap } } else { gap };
        // `&` binds more tightly than `|`.
        let is_loose = |operand: &Expression| {
            matches!(operand.kind, ExpressionKind::Binary(BinaryOperator::BitOr | BinaryOperator::BitXor, _))
        };
        let is_alone = operator == BinaryOperator::Or || !(is_loose(&operands.0) || is_loose(&operands.1));
        let what = if operator == BinaryOperator::Or { "joins selections" } else { "gives the squares in both" };
        self.report.push(
            Diagnostic::new(Code::LuaIgnored, span, format!("`{word}` between selections gives one of them"))
                .with_label(format!("this is the {used} selection"))
                .with_help(format!("write `{meant}`, which {what}"))
                .with_suggestion(
                    span,
                    if is_plain { meant.to_owned() } else { format!(" {meant} ") },
                    is_plain && is_alone,
                ),
        );
    }

    /// Reports a field of a list: `places.length`, `places[1].x`.
    fn field_of_list(&mut self, table: &'t Expression, name: &Name, span: Span) {
        let is_list = |known: &Known<'t>| match &known.value {
            Value::Table(entries, _) => {
                !entries.is_empty() && entries.iter().all(|entry| matches!(entry, Entry::Item(_)))
            }
            _ => false,
        };
        let known = self.values.of(table);
        if known.is_empty() || !known.iter().all(is_list) {
            return;
        }
        let code = if self.failing.contains(&span) { Code::LuaNil } else { Code::LuaUnset };
        let problem = Diagnostic::new(code, span, format!("a list has no `{}`", name.text));
        let problem = problem.with_label("this is nil");
        let index = Span { start: table.span.end, ..span };
        self.report.push(match (name.text.as_str(), &table.bare().kind) {
            ("length" | "len" | "size" | "count", ExpressionKind::Name(list)) => {
                problem.with_help(format!("write #{list}")).with_suggestion(span, format!("#{list}"), true)
            }
            ("x", _) => problem.with_help("write [1] instead of .x").with_suggestion(index, "[1]", true),
            ("y", _) => problem.with_help("write [2] instead of .y").with_suggestion(index, "[2]", true),
            (key, _) => problem.with_help(format!("write a number in brackets, or give the value the key `{key}`")),
        });
    }

    /// Reports a function with an index, which was meant as a call: `percent[50]`.
    fn indexed_function(&mut self, table: &'t Expression, key: &'t Expression, span: Span) {
        let is_function =
            matches!(self.values.one(table), Value::Function | Value::GameFunction(..) | Value::LuaFunction(..));
        let ExpressionKind::Name(name) = &table.bare().kind else { return };
        if is_function {
            let name = name.as_str();
            let problem = Diagnostic::new(Code::LuaNil, span, format!("`{name}` is a function, not a list"));
            self.report.push(match &key.bare().kind {
                ExpressionKind::Integer(number) => {
                    let right = format!("{name}({number})");
                    problem.with_help(format!("write {right}")).with_suggestion(span, right, true)
                }
                _ => problem.with_help(format!("call it with parentheses: {name}(...)")),
            });
        }
    }

    /// Reports a place that a list of places has twice.
    fn repeated_place(&mut self, entries: &'t [Entry]) {
        let mut seen: BTreeMap<(i64, i64), Span> = BTreeMap::new();
        for entry in entries {
            let Entry::Item(item) = entry else { return };
            let ExpressionKind::Table(pair) = &item.bare().kind else { return };
            let [Entry::Item(x), Entry::Item(y)] = pair.as_slice() else { return };
            let (ExpressionKind::Integer(x), ExpressionKind::Integer(y)) = (&x.bare().kind, &y.bare().kind) else {
                return;
            };
            if let Some(&first) = seen.get(&(*x, *y)) {
                let message = format!("the list already has the place ({x},{y})");
                let problem = Diagnostic::new(Code::RepeatedPlace, item.span, message);
                self.report.push(problem.with_secondary(first, "first here"));
            } else {
                seen.insert((*x, *y), item.span);
            }
        }
    }

    /// Reports `+` between strings that are not numbers.
    fn sum_of_strings(&mut self, operator: BinaryOperator, operands: &'t (Expression, Expression), span: Span) {
        let is_word = |operand: &'t Expression| match &operand.bare().kind {
            ExpressionKind::Text(text) => !text.value.iter().any(u8::is_ascii_digit) && !text.value.is_empty(),
            _ => false,
        };
        if operator == BinaryOperator::Add && (is_word(&operands.0) || is_word(&operands.1)) {
            let problem = Diagnostic::new(Code::LuaNil, span, "strings cannot be added");
            self.report.push(problem.with_help("write `..` instead of `+` to join strings"));
        }
        // `nh.level_difficulty > 5`
        let orders = matches!(
            operator,
            BinaryOperator::Less
                | BinaryOperator::LessOrEqual
                | BinaryOperator::Greater
                | BinaryOperator::GreaterOrEqual
        );
        for operand in [&operands.0, &operands.1].into_iter().filter(|_| orders) {
            if let Value::GameFunction(library, function) = self.values.one(operand) {
                let name = format!("{}.{}", library.name, function.name);
                let at = Span { start: operand.span.end, ..operand.span };
                self.report.push(
                    Diagnostic::new(Code::LuaNil, operand.span, format!("{name} is a function, not a number"))
                        .with_help(format!("call it: {name}()"))
                        .with_suggestion(at, "()", function.forms.iter().any(|form| form.takes(0))),
                );
            }
        }
    }

    /// Reports a loop from 0 whose variable is the number of an item: `for i = 0, #list do ... list[i] ... end`.
    fn first_item(&mut self, table: &'t Expression, key: &'t Expression) {
        let (Some((variable, range)), ExpressionKind::Name(name)) = (self.from_zero, &key.kind) else { return };
        let known = self.values.of(table);
        let is_list = |known: &Known<'t>| match &known.value {
            Value::Table(entries, _) => {
                !entries.is_empty() && entries.iter().all(|entry| matches!(entry, Entry::Item(_)))
            }
            _ => false,
        };
        let [first, last, ..] = range else { return };
        if name.as_str() != variable || known.is_empty() || !known.iter().all(is_list) {
            return;
        }
        let problem =
            Diagnostic::new(Code::IndexRange, first.span, "the first element of a list has the number 1, not 0")
                .with_secondary(key.span, "this is 0 at first, so the element is nil")
                .with_help("write 1");
        let is_length = |value: &Expression| matches!(value.kind, ExpressionKind::Unary(UnaryOperator::Length, _));
        self.report.push(match &last.kind {
            // `for i = 0, #list - 1 do`
            ExpressionKind::Binary(BinaryOperator::Subtract, operands)
                if is_length(&operands.0) && matches!(operands.1.kind, ExpressionKind::Integer(1)) =>
            {
                let rest = Span { start: operands.0.span.end, ..last.span };
                problem.with_suggestion(first.span, "1", true).with_suggestion(rest, "", true)
            }
            _ => problem.with_suggestion(first.span, "1", is_length(last)),
        });
    }

    /// Reports the number of an item that a list does not have.
    fn item(&mut self, table: &'t Expression, key: &'t Expression, span: Span) {
        self.first_item(table, key);
        let ExpressionKind::Integer(number) = &key.kind else { return };
        if is_global(table, "align", &self.values) {
            if !(1..=ALIGNMENTS).contains(number) {
                self.no_element("`align`", ALIGNMENTS as usize, key.span, span, *number);
            }
            return;
        }
        let known = self.values.of(table);
        // Of several lists, a number that none of them has.
        let lists = known.iter().map(|known| match &known.value {
            Value::Table(entries, _) => Some(*entries),
            _ => None,
        });
        let Some(lists) = lists.collect::<Option<Vec<_>>>() else { return };
        let Some(entries) = lists.iter().max_by_key(|entries| entries.len()).copied() else { return };
        let plain = |entry: &Entry| match entry {
            Entry::Item(value) => {
                !matches!(value.bare().kind, ExpressionKind::Call(_) | ExpressionKind::Varargs | ExpressionKind::Unread)
            }
            _ => false,
        };
        let known = usize::try_from(*number).is_ok_and(|number| (1..=entries.len()).contains(&number));
        let is_plain = || lists.iter().all(|list| list.iter().all(plain));
        if known || entries.is_empty() || self.report.is_full(Code::IndexRange) || !is_plain() {
            return;
        }
        let list = match &table.bare().kind {
            ExpressionKind::Name(name) => format!("`{}`", name.as_str()),
            _ => "the list".to_owned(),
        };
        self.no_element(&list, entries.len(), key.span, span, *number);
    }

    /// Reports that `list`, with `count` elements, has no element `number`. `key` is its place, in the index at `span`.
    fn no_element(&mut self, list: &str, count: usize, key: Span, span: Span, number: i64) {
        let elements = splc_ir::wording::counted(count, "element");
        let help = match number {
            0 => format!("write 1 for the first of {elements}: Lua counts from 1"),
            _ => format!("the list has {elements}: use a number from 1 to {count}"),
        };
        // The game rejects nil for an argument.
        let (code, label) = match self.failing.contains(&span) {
            true => (Code::LuaNil, "this is nil, so the call fails"),
            false => (Code::IndexRange, "this is nil"),
        };
        let problem = Diagnostic::new(code, key, format!("{list} has no element {number}"));
        let problem = problem.with_label(label).with_help(help);
        // Other numbers in the script may count from 0 too.
        self.report.push(if number == 0 { problem.with_suggestion(key, "1", false) } else { problem });
    }

    fn needs(&mut self, expression: &Expression) {
        if let ExpressionKind::Name(name) = &expression.kind {
            self.needed.insert(expression.span.start);
            let is_lacking = sandbox::LACKING.iter().any(|(known, _)| *known == name.as_str());
            if self.is_of_the_game && self.in_function && is_lacking {
                self.excused.insert(expression.span.start);
            }
        }
    }

    /// Checks that a library has the field in `table.name`.
    fn field(&mut self, table: &'t Expression, name: &'t Name) {
        let word = name.text.as_str();
        let (library, members): (&str, Vec<&str>) = match self.values.one(table) {
            Value::Library(library) => {
                let mut members: Vec<&str> = library.functions.iter().map(|function| function.name).collect();
                if library.name == "u" {
                    members.extend(sandbox::HERO);
                }
                members.extend(additions::members(self.catalog, library.name));
                (library.name, members)
            }
            Value::LuaLibrary(library) => {
                let known = sandbox::LIBRARIES.iter().find(|(known, _)| *known == library);
                (library, known.map(|(_, members)| members.to_vec()).unwrap_or_default())
            }
            Value::Unknown if is_global(table, "nhc", &self.values) => {
                ("nhc", sandbox::CONSTANTS.iter().copied().chain(additions::members(self.catalog, "nhc")).collect())
            }
            Value::Typed(Type::Nil) => {
                let message = "nil has no fields".to_owned();
                self.report.push(
                    Diagnostic::new(Code::LuaNil, table.span, message)
                        .with_help("check the call that set it: it returns nothing"),
                );
                return;
            }
            _ => return,
        };
        let is_own = self.values.scopes.members.contains(&(library, word));
        if members.contains(&word) || is_own || self.report.is_full(Code::LuaFunction) {
            return;
        }
        let message = format!("{library} has no `{word}`");
        let mut problem = Diagnostic::new(Code::LuaFunction, name.span, message);
        let whole = format!("{library}.{word}");
        let outdated = sandbox::OUTDATED.iter().find(|(known, _)| *known == whole);
        problem = if let Some((_, instead)) = calls::OTHER_NAMES.iter().find(|(known, _)| *known == whole) {
            self.with_other_name(problem, &whole, instead, table.span.to(name.span))
        } else if let Some((_, instead)) = outdated {
            let problem = problem.with_note("removed in Lua 5.4");
            if instead.is_empty() { problem } else { problem.with_help(format!("write {instead}")) }
        } else {
            let first = members.iter().take(40).copied().collect::<Vec<_>>().join(", ");
            near(problem, word, members.iter().copied(), Some(name.span), || format!("use one of {first}"))
        };
        self.report.push(problem);
    }

    /// Reports a field access on a call that returns nothing.
    fn has_fields(&mut self, table: &'t Expression) {
        if let (Value::Typed(Type::Nil), ExpressionKind::Call(_)) = (self.values.one(table), &table.bare().kind) {
            let problem = Diagnostic::new(Code::LuaNil, table.span, "this call returns nothing, so it has no fields");
            self.report.push(problem.with_help("remove the field"));
        }
    }

    /// Checks that a loop can iterate over a value.
    fn runs_over(&mut self, values: &'t [Expression]) {
        let [only, rest @ ..] = values else { return };
        let kind = self.values.one(only).kind();
        if !rest.is_empty() && kind != Some(Type::Number) {
            return;
        }
        let help = match kind {
            Some(Type::Number) if !rest.is_empty() => "write `=` instead of `in`: `for i = FIRST, LAST do`",
            Some(Type::Number) => "write `for i = 1, LAST do`",
            Some(Type::Table) => "write `for i, value in ipairs(list) do`",
            Some(Type::Text | Type::Boolean | Type::Nil | Type::Selection) => "use the method `iterate` of a selection",
            _ => return,
        };
        let what = self.values.one(only).kind().map_or("this", Type::noun);
        let message = format!("`for ... in` cannot iterate over {what}");
        self.report.push(Diagnostic::new(Code::LuaNil, only.span, message).with_help(help));
    }

    /// Reports a global that is needed before the script first sets it, at `first`.
    fn used_before_set(&mut self, name: &str, span: Span, first: Span) {
        let needed = self.needed.contains(&span.start);
        if !needed && !self.failing.contains(&span)
            || !self.values.scopes.in_order.contains(&span.start)
            || first.start < span.start
        {
            return;
        }
        let is_function = self.values.scopes.globals.get(name).is_some_and(|variable| {
            variable
                .values
                .iter()
                .all(|value| value.is_none_or(|value| matches!(value.kind, ExpressionKind::Function(_))))
        });
        let label = match needed {
            true => "it is nil here, which cannot be called and has no fields",
            false => "it is nil here, so the call fails",
        };
        let help = match is_function {
            true => format!("move the function {name} above this call"),
            false => format!("set `{name}` above this line"),
        };
        self.report.push(
            Diagnostic::new(Code::LuaNil, span, format!("`{name}` is used before it is set"))
                .with_label(label)
                .with_secondary(first, "it is set only here")
                .with_help(help),
        );
    }

    /// Reports globals that are read but never set.
    fn unset_globals(&mut self) {
        let read = std::mem::take(&mut self.values.scopes.read);
        let (mut reported, mut seen) = (HashSet::new(), HashSet::new());
        let scopes = &self.values.scopes;
        let mut first_set: HashMap<&str, Span> = HashMap::new();
        for &(name, place) in &scopes.written {
            let first = first_set.entry(name).or_insert(place);
            if place.start < first.start {
                *first = place;
            }
        }
        let mut declared: HashMap<&str, Vec<Span>> = HashMap::new();
        for &(name, place) in &scopes.declared {
            declared.entry(name).or_default().push(place);
        }
        let own = scopes.globals.iter().filter(|(_, variable)| !variable.values.is_empty()).map(|(name, _)| *name);
        let mut known: Vec<&str> = own.chain(scopes.locals_named().iter().copied()).collect();
        let library = self.library.clone();
        known.extend(own::globals(library.as_deref()));
        known.extend(["true", "false"]);
        known.order();
        known.dedup();
        for (name, span) in read {
            let set = self.values.scopes.globals.get(name).is_some_and(|variable| !variable.values.is_empty());
            if self.excused.contains(&span.start) {
                continue;
            }
            let numeric = self.numeric.contains(&span.start);
            // Later uses may depend on a condition.
            let is_first = seen.insert(name);
            if let Some(&first) = first_set.get(name).filter(|_| set && is_first && !self.is_global(name)) {
                self.used_before_set(name, span, first);
            }
            if set
                || self.is_global(name)
                || !reported.insert((name, self.needed.contains(&span.start) || self.failing.contains(&span), numeric))
            {
                continue;
            }
            if let Some((_, instead)) = sandbox::LACKING.iter().find(|(known, _)| *known == name) {
                let message = format!("levels of {} cannot use Lua's `{name}`", self.catalog.title);
                let mut problem = Diagnostic::new(Code::LuaFunction, span, message)
                    .with_note("the game gives levels no access to files, other programs or its internals");
                if !instead.is_empty() {
                    problem = problem.with_help(*instead);
                }
                self.report.push(problem);
                continue;
            }
            if let Some((_, instead)) = sandbox::OUTDATED.iter().find(|(known, _)| *known == name) {
                let message = format!("Lua 5.4 does not have `{name}`");
                let mut problem =
                    Diagnostic::new(Code::LuaFunction, span, message).with_note("only earlier versions of Lua have it");
                if !instead.is_empty() {
                    problem = problem.with_help(format!("write {instead}")).with_suggestion(span, *instead, false);
                }
                self.report.push(problem);
                continue;
            }
            if self.report.is_full(Code::LuaUnset) {
                continue;
            }
            let function = words::DES_WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            let needed = self.needed.contains(&span.start);
            let (code, label) = match needed {
                true => (Code::LuaNil, "it is nil, which cannot be called and has no fields"),
                false if self.failing.contains(&span) => (Code::LuaNil, "it is nil, so the call fails"),
                false => (Code::LuaUnset, "it is nil"),
            };
            let places = declared.get(name).map_or(&[][..], Vec::as_slice);
            if let Some(&place) = places.iter().find(|place| place.start > span.start).or(places.last()) {
                let problem = Diagnostic::new(code, span, format!("the local `{name}` is not visible here"));
                let later = place.start > span.start;
                let problem = problem.with_label(label).with_secondary(
                    place,
                    if later { "it is defined only here" } else { "it is local to this block or function" },
                );
                self.report.push(problem.with_help(match later {
                    true => format!("move the definition of `{name}` above this line"),
                    false => format!("declare it before that block: local {name}"),
                }));
                continue;
            }
            let problem = Diagnostic::new(code, span, format!("`{name}` is never set")).with_label(label);
            let truth = match name {
                "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" => Some(true),
                "False" | "FALSE" | "no" | "No" | "NO" | "off" => Some(false),
                _ => None,
            };
            if let Some(truth) = truth.filter(|_| !needed) {
                let right = if numeric { u8::from(truth).to_string() } else { truth.to_string() };
                let help = if numeric { format!("write {right}: this is a number") } else { format!("write {right}") };
                self.report.push(problem.with_help(help).with_suggestion(span, right, true));
                continue;
            }
            let help = || match name {
                "up" | "down" | "lit" | "unlit" | "open" | "closed" | "locked" | "nodoor" | "north" | "south"
                | "east" | "west" => {
                    format!("write \"{name}\": a string needs quotes")
                }
                "random" => "leave it out: what is not given is random".to_owned(),
                "null" | "NULL" | "None" | "undefined" => "write nil".to_owned(),
                _ if crate::libraries::function("des", name).is_some() => format!("did you mean des.{name}?"),
                _ if crate::libraries::function("nh", name).is_some() => format!("did you mean nh.{name}?"),
                _ => match function {
                    Some((_, instead)) => format!("did you mean {instead}?"),
                    None => "set it, or put it in quotes if it is a string".to_owned(),
                },
            };
            let is_name = names::monster(self.catalog, name).is_some_and(|found| found.fit == Fit::Whole)
                || names::object(self.catalog, name, None).is_some();
            if is_name && !needed {
                let quoted = format!("\"{name}\"");
                let problem = problem.with_help(format!("write {quoted}: a string needs quotes"));
                self.report.push(problem.with_suggestion(span, quoted, true));
                continue;
            }
            let problem = match help() {
                special if ["did you mean", "write ", "leave "].iter().any(|head| special.starts_with(head)) => {
                    problem.with_help(special)
                }
                usual => {
                    let problem = near(problem, name, known.iter().copied(), None, || usual);
                    match nearest(name, known.iter().copied()).as_slice() {
                        [only] => problem.with_suggestion(span, *only, false),
                        _ => problem,
                    }
                }
            };
            self.report.push(problem);
        }
    }
}

/// Returns true if a statement of `block` may leave the loop around it. In a loop inside of that, `break` does not.
fn is_left(block: &Block, inner: bool) -> bool {
    block.statements.iter().any(|statement| match &statement.kind {
        StatementKind::Break => !inner,
        StatementKind::Return(_) | StatementKind::Goto(_) => true,
        StatementKind::Do(body) => is_left(body, inner),
        StatementKind::If { branches, otherwise } => {
            branches.iter().map(|(_, body)| body).chain(otherwise).any(|body| is_left(body, inner))
        }
        StatementKind::While { body, .. }
        | StatementKind::Repeat { body, .. }
        | StatementKind::NumericFor { body, .. }
        | StatementKind::GenericFor { body, .. } => is_left(body, true),
        // `error`, or a function that calls it.
        StatementKind::Call(call) => matches!(&call.kind, ExpressionKind::Call(call)
            if matches!(&call.callee.kind, ExpressionKind::Name(_))),
        _ => false,
    })
}

/// Returns true if `expression` is the game's own global `name`.
fn is_global(expression: &Expression, name: &str, values: &Values<'_>) -> bool {
    matches!(&expression.kind, ExpressionKind::Name(found) if found.as_str() == name)
        && values.scopes.variable(name, expression.span).is_none_or(|variable| variable.values.is_empty())
}
