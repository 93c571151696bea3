//! The state of a translation, and the control flow of the script.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use splc_ir::catalog::Catalog;
use splc_ir::level::{Case, Condition, Definition, Expr, ExprKind, Statement, StatementKind};
use splc_ir::limits::{MAX_TRANSLATION_DEPTH, MAX_TRANSLATION_WORK};
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::value::ValueType;
use splc_ir::visit::{VisitMut, walk_mut};

use super::values::{Array, Closure, Drawn, Keys, Logic, Number, Result, Stop, Table, Thing, Value, expr, variable};
use super::work::Size;
use super::{Names, Note, Untranslatable};
use crate::tree;
use crate::tree::{Block, StatementKind as Lua};

/// The work of a step: a statement, an iteration or a call.
const STEP: usize = 5;

/// The work of a statement of the level.
const STATEMENT: usize = 100;

/// The most values of a draw for which a statement is written several times.
pub(super) const MAX_SPLIT: u64 = 16;

/// The most iterations of a loop that is unrolled.
const MAX_UNROLLED: i64 = 200;

/// The columns and rows of a level.
pub(super) const WHOLE_LEVEL: (i32, i32) = (79, 21);

/// The way in which a block ends.
#[derive(Clone, Debug)]
pub(super) enum Flow<'t> {
    On,
    Break,
    Return(Vec<Value<'t>>),
}

#[derive(Debug, Default)]
struct Scope<'t> {
    variables: HashMap<Text, (Value<'t>, Span)>,
    parent: Option<usize>,
}

/// A block of the level being written, with the number of things that existed before it.
#[derive(Debug)]
struct Output {
    statements: Vec<Statement>,
    things: usize,
}

/// A change that can be undone.
#[derive(Debug)]
enum Undo<'t> {
    Thing(usize, Thing<'t>),
    Variable(usize, Text, Option<(Value<'t>, Span)>),
}

/// A point to which the state can be restored.
#[derive(Clone, Debug)]
struct Mark {
    things: usize,
    scopes: usize,
    arrays: usize,
    blocks: Vec<usize>,
    flags: usize,
    notes: usize,
    undo: usize,
    draws: usize,
    origin: usize,
    extent: (i32, i32),
}

/// A draw of the level.
#[derive(Clone, Debug)]
enum Draw {
    Number { least: i64, most: i64 },
    Condition(Logic),
}

pub(super) struct Run<'t, 'c> {
    pub catalog: &'c Catalog,
    things: Vec<Thing<'t>>,
    scopes: Vec<Scope<'t>>,
    pub arrays: Vec<Array<'t>>,
    /// The arrays of tables that the level only reads.
    array_of: HashMap<usize, usize>,
    /// The variables to which tables were first assigned.
    table_names: HashMap<usize, (Text, Span)>,
    blocks: Vec<Output>,
    flags: Vec<Spanned<Text>>,
    notes: Vec<Note>,
    /// The keys of the tables of calls that are being translated.
    pub keys: RefCell<Vec<Keys<'t>>>,
    names: Names,
    undo: Vec<Undo<'t>>,
    draws: Vec<Draw>,
    forced: HashMap<usize, Value<'t>>,
    /// Things and scopes before these numbers must not change.
    floor: (usize, usize),
    /// The map or room by which coordinates count, and the number of them so far.
    pub origin: usize,
    origins: usize,
    /// The columns and rows of the map, or of the level.
    pub extent: (i32, i32),
    /// Set in a room.
    pub in_room: bool,
    /// Set in the contents of an object or monster.
    pub in_thing: bool,
    work: usize,
    depth: usize,
    /// The span of the current statement of the script.
    pub here: Span,
}

impl<'t, 'c> Run<'t, 'c> {
    pub fn new(catalog: &'c Catalog) -> Self {
        Run {
            catalog,
            things: Vec::new(),
            scopes: vec![Scope::default()],
            arrays: Vec::new(),
            array_of: HashMap::new(),
            table_names: HashMap::new(),
            blocks: vec![Output { statements: Vec::new(), things: 0 }],
            flags: Vec::new(),
            notes: Vec::new(),
            keys: RefCell::default(),
            names: Names::default(),
            undo: Vec::new(),
            draws: Vec::new(),
            forced: HashMap::new(),
            floor: (0, 0),
            origin: 0,
            origins: 0,
            extent: WHOLE_LEVEL,
            in_room: false,
            in_thing: false,
            work: 0,
            depth: 0,
            here: Span::NOWHERE,
        }
    }

    /// Translates the whole script.
    pub fn chunk(&mut self, body: &'t Block) -> std::result::Result<(), Untranslatable> {
        match self.block(body, 0, Some(Top)).and_then(|_| self.charge(0, self.here)) {
            Ok(()) => Ok(()),
            Err(Stop::Lacks(reason)) => Err(reason),
            Err(Stop::Outer(span) | Stop::Draw(_, span)) => {
                let what = "this depends on a draw in a way that a des-file cannot express".to_owned();
                Err(Untranslatable { span, what })
            }
        }
    }

    /// Returns the flags, the statements and the notes. `span` is that of the script.
    ///
    /// # Errors
    /// A level that is too large.
    pub fn finish(mut self, span: Span) -> std::result::Result<Finished, Untranslatable> {
        let mut body = self.blocks.pop().map(|output| output.statements).unwrap_or_default();
        if self.flags.iter().any(|flag| flag.node.as_str() == "corrmaze") {
            WalksOnFloor.block(&mut body);
        }
        match self.fill(&mut body, span) {
            Err(Stop::Lacks(reason)) => Err(reason),
            _ => Ok((self.flags, body, self.notes)),
        }
    }

    /// Writes the values of arrays into their definitions in `body`. Unused ones are removed.
    fn fill(&mut self, body: &mut Vec<Statement>, span: Span) -> Result<()> {
        struct Arrays<'a, 't> {
            known: &'a [Array<'t>],
            work: usize,
        }

        impl VisitMut for Arrays<'_, '_> {
            fn block(&mut self, statements: &mut Vec<Statement>) {
                let mut unused = None;
                statements.retain_mut(|statement| {
                    let removed = unused.take();
                    match &mut statement.kind {
                        StatementKind::Define { variable, value: Definition::Array { ty, values } }
                            if *ty == UNFILLED =>
                        {
                            let number = match values.first().map(|number| &number.kind) {
                                Some(ExprKind::Integer(number)) => usize::try_from(*number).ok(),
                                _ => None,
                            };
                            let array = number.and_then(|number| self.known.get(number));
                            let Some((kind, all)) = array.and_then(|array| array.of.as_ref()) else {
                                // The level never uses it.
                                unused = Some(variable.node.clone());
                                return false;
                            };
                            self.work += all.len();
                            // An array in many branches is copied to each of them.
                            if self.work <= MAX_TRANSLATION_WORK {
                                (*ty, *values) = (*kind, all.clone());
                            }
                            true
                        }
                        StatementKind::Shuffle { variable } => removed.as_ref() != Some(&variable.node),
                        _ => true,
                    }
                });
                walk_mut::block(self, statements);
            }
        }

        let mut arrays = Arrays { known: &self.arrays, work: self.work };
        arrays.block(body);
        let work = arrays.work;
        self.work = work;
        self.charge(0, span)
    }

    fn mark(&self) -> Mark {
        Mark {
            things: self.things.len(),
            scopes: self.scopes.len(),
            arrays: self.arrays.len(),
            blocks: self.blocks.iter().map(|output| output.statements.len()).collect(),
            flags: self.flags.len(),
            notes: self.notes.len(),
            undo: self.undo.len(),
            draws: self.draws.len(),
            origin: self.origin,
            extent: self.extent,
        }
    }

    fn restore(&mut self, mark: &Mark) {
        for undo in self.undo.drain(mark.undo..).rev().collect::<Vec<_>>() {
            match undo {
                Undo::Thing(at, thing) => self.things[at] = thing,
                Undo::Variable(scope, name, Some(value)) => {
                    self.scopes[scope].variables.insert(name, value);
                }
                Undo::Variable(scope, name, None) => {
                    self.scopes[scope].variables.remove(&name);
                }
            }
        }
        self.things.truncate(mark.things);
        self.scopes.truncate(mark.scopes);
        for array in self.arrays.drain(mark.arrays..) {
            self.array_of.remove(&array.table);
        }
        self.blocks.truncate(mark.blocks.len());
        for (output, &length) in self.blocks.iter_mut().zip(&mark.blocks) {
            output.statements.truncate(length);
        }
        self.flags.truncate(mark.flags);
        self.notes.truncate(mark.notes);
        self.draws.truncate(mark.draws);
        (self.origin, self.extent) = (mark.origin, mark.extent);
    }

    /// Charges work: nodes of the tree that are made or copied, and about as much for everything else.
    pub fn charge(&mut self, work: usize, span: Span) -> Result<()> {
        self.work = self.work.saturating_add(work);
        if self.work > MAX_TRANSLATION_WORK { Stop::lacks(span, TOO_LARGE) } else { Ok(()) }
    }

    /// Charges a statement, an iteration or a call.
    pub fn step(&mut self, span: Span) -> Result<()> {
        self.charge(STEP, span)
    }

    /// Charges a value that was evaluated, with the contents of its table or selection, which whoever uses it may copy.
    pub fn weigh(&mut self, value: &Value<'t>, span: Span) -> Result<()> {
        let size = match value {
            Value::Table(at) | Value::Selection(at) => self.things.get(*at).map(Size::of_thing).unwrap_or_default(),
            value => Size::of_value(value),
        };
        if size.depth > MAX_TRANSLATION_DEPTH {
            return Stop::lacks(span, TOO_DEEP);
        }
        self.charge(size.nodes, span)
    }

    /// Runs something one level deeper.
    pub fn deeper<T>(&mut self, span: Span, what: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_TRANSLATION_DEPTH {
            return Stop::lacks(span, TOO_DEEP);
        }
        self.depth += 1;
        let result = what(self);
        self.depth -= 1;
        result
    }

    pub fn emit(&mut self, kind: StatementKind, span: Span) {
        // The next step fails if this was too much.
        self.work = self.work.saturating_add(STATEMENT);
        if let Some(output) = self.blocks.last_mut() {
            output.statements.push(Statement { kind, span });
        }
    }

    pub fn note(&mut self, what: impl Into<String>) {
        self.notes.push(Note { span: self.here, what: what.into(), lost: false });
    }

    pub fn lost(&mut self, what: impl Into<String>) {
        self.notes.push(Note { span: self.here, what: what.into(), lost: true });
    }

    pub fn flag(&mut self, flag: Spanned<Text>) -> Result<()> {
        if self.blocks.len() > 1 {
            return Stop::lacks(flag.span, "a des-file cannot set a level flag in a branch or loop");
        }
        if !self.flags.iter().any(|known| known.node == flag.node) {
            self.flags.push(flag);
        }
        Ok(())
    }

    /// Runs something that writes a block of the level.
    pub fn nested<T>(&mut self, what: impl FnOnce(&mut Self) -> Result<T>) -> Result<(T, Vec<Statement>)> {
        self.blocks.push(Output { statements: Vec::new(), things: self.things.len() });
        let depth = self.blocks.len();
        let result = what(self);
        // A failure may have left further blocks.
        self.blocks.truncate(depth);
        let statements = self.blocks.pop().map(|output| output.statements).unwrap_or_default();
        Ok((result?, statements))
    }

    /// Runs something that must not change what exists.
    fn inside<T>(&mut self, what: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = std::mem::replace(&mut self.floor, (self.things.len(), self.scopes.len()));
        let result = what(self);
        self.floor = outer;
        result
    }

    /// Begins a map or room, by which coordinates count.
    pub fn enter(&mut self) {
        self.origins += 1;
        self.origin = self.origins;
    }

    // Things and variables

    pub fn add(&mut self, thing: Thing<'t>) -> usize {
        self.things.push(thing);
        self.things.len() - 1
    }

    pub fn table(&self, at: usize) -> Option<&Table<'t>> {
        match self.things.get(at) {
            Some(Thing::Table(table)) => Some(table),
            _ => None,
        }
    }

    pub fn thing(&self, at: usize) -> Option<&Thing<'t>> {
        self.things.get(at)
    }

    /// Returns a thing to change.
    pub fn change(&mut self, at: usize, span: Span) -> Result<&mut Thing<'t>> {
        if at < self.floor.0 {
            return Err(Stop::Outer(span));
        }
        if self.array_of.contains_key(&at) {
            return Stop::lacks(span, "a table changes after the level has drawn from it");
        }
        match self.things.get_mut(at) {
            Some(thing) => {
                self.undo.push(Undo::Thing(at, thing.clone()));
                Ok(thing)
            }
            None => Stop::lacks(span, "this value cannot be changed"),
        }
    }

    pub fn scope(&mut self, parent: usize) -> usize {
        self.scopes.push(Scope { variables: HashMap::new(), parent: Some(parent) });
        self.scopes.len() - 1
    }

    pub fn look_up(&self, name: &str, scope: usize) -> Option<(usize, Value<'t>, Span)> {
        let mut at = Some(scope);
        while let Some(scope) = at {
            if let Some((value, span)) = self.scopes[scope].variables.get(&Text::from(name)) {
                return Some((scope, value.clone(), *span));
            }
            at = self.scopes[scope].parent;
        }
        None
    }

    pub fn set(&mut self, scope: usize, name: &str, value: Value<'t>, declared: Span, span: Span) -> Result<()> {
        if scope < self.floor.1 {
            return Err(Stop::Outer(span));
        }
        let old = self.scopes[scope].variables.insert(Text::from(name), (value, declared));
        self.undo.push(Undo::Variable(scope, Text::from(name), old));
        Ok(())
    }

    /// Returns the value that a variable of the script gets: draws are stored in a variable of the level.
    pub fn bound(&mut self, value: Value<'t>, name: &str, span: Span) -> Result<Value<'t>> {
        let define = |run: &mut Self, value: Expr, ty: ValueType, kind| {
            let variable = run.names.of(name, span, kind);
            let value = Definition::Value { ty, value };
            run.emit(
                StatementKind::Define { variable: Spanned::new(variable.clone(), Span::NOWHERE), value },
                run.here,
            );
            variable
        };
        Ok(match value {
            Value::Number(number) if !matches!(number.expr.kind, ExprKind::Variable(_)) => {
                let Number { expr: value, least, most, draw } = number;
                let name = define(self, value, ValueType::Integer, "number");
                let expr = expr(variable(&name, ValueType::Integer), span);
                Value::Number(Number { expr, least, most, draw })
            }
            Value::Place(place) if !matches!(place.kind, ExprKind::Variable(_)) => {
                let name = define(self, place, ValueType::Coordinate, "place");
                Value::Place(expr(variable(&name, ValueType::Coordinate), span))
            }
            Value::Table(at) => {
                self.table_names.insert(at, (Text::from(name), span));
                Value::Table(at)
            }
            Value::Selection(at) => {
                self.bind_selection(at, span, |run, selection| {
                    let value = expr(ExprKind::Selection(Box::new(selection)), span);
                    define(run, value, ValueType::Selection, "selection")
                })?;
                Value::Selection(at)
            }
            // A condition is drawn where it is tested, so a variable that is tested later is decided now.
            Value::Condition(Drawn { draw: Some(draw), .. }) => return Err(Stop::Draw(draw, span)),
            Value::Condition(_) => return Stop::lacks(span, "a des-file has no variables for conditions"),
            value => value,
        })
    }

    // Arrays of the level

    /// Creates an array for the elements of a table, at the end of the block in which the table was created, or here
    /// if it is shuffled.
    pub fn array(&mut self, table: usize, base: &str, span: Span, shuffled: bool) -> Result<usize> {
        if let Some(&array) = self.array_of.get(&table).filter(|_| !shuffled) {
            return Ok(array);
        }
        let Some(values) = self.table(table).map(|table| table.items.clone()) else {
            return Stop::lacks(span, "this is not a table");
        };
        let (base, span) = match self.table_names.get(&table) {
            Some((name, span)) => (name.to_string(), *span),
            None => (base.to_owned(), span),
        };
        let mut name = self.names.of(&base, span, if shuffled { "shuffled" } else { "array" });
        let number = self.arrays.len();
        // A table of an earlier iteration or call may still be used.
        self.charge(number, span)?;
        if self.arrays.iter().any(|known| known.name == name) {
            name = self.names.another(&base);
        }
        self.arrays.push(Array { name: name.clone(), table, values, of: None });
        let mut block = self.blocks.len() - 1;
        while !shuffled && block > 0 && self.blocks[block].things > table {
            block -= 1;
        }
        let placeholder = i32::try_from(number).unwrap_or(i32::MAX);
        let value = Definition::Array { ty: UNFILLED, values: vec![expr(ExprKind::Integer(placeholder), span)] };
        let variable = Spanned::new(name, Span::NOWHERE);
        let here = self.here;
        let statements = &mut self.blocks[block].statements;
        statements.push(Statement { kind: StatementKind::Define { variable: variable.clone(), value }, span: here });
        if shuffled {
            statements.push(Statement { kind: StatementKind::Shuffle { variable }, span: here });
        } else {
            self.array_of.insert(table, number);
        }
        Ok(number)
    }

    // Draws

    /// Draws a number, unless its value is being tried.
    pub fn draw_number(&mut self, least: i64, most: i64, span: Span) -> Result<Value<'t>> {
        if least >= most {
            return Ok(Value::Integer(least));
        }
        let draw = self.draws.len();
        self.draws.push(Draw::Number { least, most });
        if let Some(value) = self.forced.get(&draw) {
            return Ok(value.clone());
        }
        match Number::uniform(least, most, draw, span) {
            Some(number) => Ok(Value::Number(number)),
            None => Stop::lacks(span, "the number is out of range"),
        }
    }

    /// Draws a condition, unless its value is being tried.
    pub fn draw_condition(&mut self, condition: Logic) -> Value<'t> {
        let draw = self.draws.len();
        self.draws.push(Draw::Condition(condition.clone()));
        match self.forced.get(&draw) {
            Some(value) => value.clone(),
            None => Value::Condition(Drawn { condition, draw: Some(draw) }),
        }
    }

    /// Returns the error for a number that must be known.
    pub fn needs<T>(&self, number: &Number, span: Span) -> Result<T> {
        match number.draw {
            Some(draw) => Err(Stop::Draw(draw, span)),
            None => Stop::lacks(span, "a des-file needs a known number here"),
        }
    }

    // Control flow

    /// Translates a block from its statement `from` on.
    pub fn block(&mut self, block: &'t Block, scope: usize, top: Option<Top>) -> Result<Flow<'t>> {
        self.deeper(Span::NOWHERE, |run| run.rest(&block.statements, 0, scope, top))
    }

    fn rest(
        &mut self,
        statements: &'t [tree::Statement],
        from: usize,
        scope: usize,
        top: Option<Top>,
    ) -> Result<Flow<'t>> {
        let mut marks: Vec<(usize, Mark)> = Vec::new();
        let mut at = from;
        while let Some(statement) = statements.get(at) {
            let mark = self.mark();
            // Only statements that draw can be split.
            let outer = std::mem::replace(&mut self.here, statement.span);
            let result = self.statement(statement, scope);
            self.here = outer;
            match result {
                Ok(Flow::On) => {
                    if self.draws.len() > mark.draws {
                        marks.push((at, mark));
                    }
                    at += 1;
                }
                Ok(flow) => return Ok(flow),
                Err(Stop::Draw(draw, span)) => {
                    marks.push((at, mark));
                    let Some((first, mark)) = marks.iter().rev().find(|(_, mark)| mark.draws <= draw).cloned() else {
                        return Err(Stop::Draw(draw, span));
                    };
                    marks.truncate(marks.partition_point(|(other, _)| *other < first));
                    let alone = first == at;
                    if alone {
                        match self.split(statements, first, scope, &mark, (draw, span), None) {
                            Ok(_) => {
                                at += 1;
                                continue;
                            }
                            Err(Stop::Outer(_)) => {}
                            Err(stop) => return Err(stop),
                        }
                    }
                    return self.split(statements, first, scope, &mark, (draw, span), Some(top));
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok(Flow::On)
    }

    /// Writes a statement once for each value of a draw, with the rest of its block if `rest` is given.
    fn split(
        &mut self,
        statements: &'t [tree::Statement],
        at: usize,
        scope: usize,
        mark: &Mark,
        (draw, span): (usize, Span),
        rest: Option<Option<Top>>,
    ) -> Result<Flow<'t>> {
        let kind = self.draws.get(draw).cloned();
        let values: Vec<Value<'t>> = match &kind {
            Some(Draw::Condition(_)) => vec![Value::Boolean(true), Value::Boolean(false)],
            Some(Draw::Number { least, most }) if most.abs_diff(*least) < MAX_SPLIT => {
                (*least..=*most).map(Value::Integer).collect()
            }
            Some(Draw::Number { .. }) => {
                return Stop::lacks(span, "this must be known, and the draw has too many values");
            }
            None => return Err(Stop::Draw(draw, span)),
        };
        let statement = &statements[at];
        let mut cases = Vec::new();
        // The values share most notes.
        let (mut notes, mut known) = (Vec::new(), HashSet::new());
        for value in values {
            self.restore(mark);
            self.step(span)?;
            self.forced.insert(draw, value);
            let outer = std::mem::replace(&mut self.here, statement.span);
            let result = self.deeper(span, |run| {
                run.nested(|run| match rest {
                    None => run.inside(|run| run.statement(statement, scope)),
                    Some(top) => match run.statement(statement, scope)? {
                        Flow::On => run.rest(statements, at + 1, scope, top),
                        flow => Ok(flow),
                    },
                })
            });
            self.here = outer;
            self.forced.remove(&draw);
            // The caller restores its own state after a failure.
            let (flow, mut body) = match result {
                // A draw that was made for one of the values only.
                Err(Stop::Draw(later, span)) if later > draw => {
                    let what = "its draws depend on each other";
                    return if rest.is_none() { Err(Stop::Outer(span)) } else { Stop::lacks(span, what) };
                }
                result => result?,
            };
            // The arrays of this value end with it.
            self.fill(&mut body, span)?;
            let is_top = matches!(rest, Some(Some(Top)));
            match flow {
                Flow::On => {}
                _ if rest.is_none() => return Err(Stop::Outer(span)),
                Flow::Return(_) if is_top => {}
                _ => return Err(Stop::Draw(draw, span)),
            }
            cases.push(body);
            self.charge(self.notes.len() - mark.notes, span)?;
            notes.extend(self.notes.drain(mark.notes..).filter(|note| known.insert(note.clone())));
        }
        self.restore(mark);
        self.notes.append(&mut notes);
        // The draw is made now.
        let here = statement.span;
        match kind {
            // Its value no longer matters.
            _ if cases.windows(2).all(|pair| pair[0] == pair[1]) => {
                for Statement { kind, span } in cases.pop().unwrap_or_default() {
                    self.emit(kind, span);
                }
            }
            Some(Draw::Condition(condition)) => {
                let otherwise = cases.pop().unwrap_or_default();
                let then = cases.pop().unwrap_or_default();
                self.branch(condition, then, otherwise, here)?;
            }
            _ => {
                let cases: Vec<Case> = (0..)
                    .zip(cases)
                    .map(|(value, mut body)| {
                        body.push(Statement { kind: StatementKind::Break, span: Span::NOWHERE });
                        Case { value: Some(Spanned::new(value, Span::NOWHERE)), body, span: Span::NOWHERE }
                    })
                    .collect();
                let value = expr(ExprKind::Integer(cases.len() as i32), here);
                self.emit(StatementKind::Switch { value, cases }, here);
            }
        }
        Ok(Flow::On)
    }

    /// Writes a branch of the level.
    fn branch(&mut self, condition: Logic, then: Vec<Statement>, otherwise: Vec<Statement>, span: Span) -> Result<()> {
        match condition {
            Logic::Not(inner) => self.branch(*inner, otherwise, then, span)?,
            Logic::Both(one, other) => {
                let copy = self.copied(&otherwise, span)?;
                let ((), body) = self.nested(|run| run.branch(*other, then, copy, span))?;
                self.branch(*one, body, otherwise, span)?;
            }
            Logic::Either(one, other) => {
                let copy = self.copied(&then, span)?;
                let ((), body) = self.nested(|run| run.branch(*other, copy, otherwise, span))?;
                self.branch(*one, then, body, span)?;
            }
            Logic::Plain(condition) => match (then.is_empty(), otherwise.is_empty()) {
                (true, true) => {}
                (false, true) => {
                    self.emit(StatementKind::If { condition, then, otherwise: None }, span);
                }
                (true, false) => {
                    let negated = match condition {
                        Condition::Percent(percent) => {
                            Condition::Percent(Spanned::new(100 - percent.node, percent.span))
                        }
                        Condition::Compare { .. } => match Logic::Plain(condition).negated() {
                            Logic::Plain(condition) => condition,
                            _ => return Ok(()),
                        },
                        condition => {
                            let then = Vec::new();
                            self.emit(StatementKind::If { condition, then, otherwise: Some(otherwise) }, span);
                            return Ok(());
                        }
                    };
                    self.emit(StatementKind::If { condition: negated, then: otherwise, otherwise: None }, span);
                }
                (false, false) => {
                    self.emit(StatementKind::If { condition, then, otherwise: Some(otherwise) }, span);
                }
            },
        }
        Ok(())
    }

    /// Copies statements.
    fn copied(&mut self, statements: &[Statement], span: Span) -> Result<Vec<Statement>> {
        self.charge(Size::of_statements(statements).nodes.saturating_mul(STATEMENT), span)?;
        Ok(statements.to_vec())
    }

    fn statement(&mut self, statement: &'t tree::Statement, scope: usize) -> Result<Flow<'t>> {
        self.step(statement.span)?;
        let span = statement.span;
        match &statement.kind {
            Lua::Local { names, values } => {
                let values = self.values(values, scope)?;
                for (at, (name, attribute)) in names.iter().enumerate() {
                    if attribute.as_ref().is_some_and(|attribute| attribute.text.as_str() == "close") {
                        return Stop::lacks(name.span, "a variable that is closed");
                    }
                    let value = values.get(at).cloned().unwrap_or(Value::Nil);
                    let value = self.bound(value, &name.text, name.span)?;
                    self.set(scope, &name.text, value, name.span, span)?;
                }
            }
            Lua::Assign { targets, values } => {
                let values = self.values(values, scope)?;
                for (at, target) in targets.iter().enumerate() {
                    let value = values.get(at).cloned().unwrap_or(Value::Nil);
                    self.assign(target, value, scope, span)?;
                }
            }
            Lua::Call(call) => {
                self.many(call, scope)?;
            }
            Lua::Do(body) => {
                let inner = self.scope(scope);
                return self.block(body, inner, None);
            }
            Lua::If { branches, otherwise } => return self.choose(branches, otherwise.as_ref(), scope, span),
            Lua::NumericFor { variable, range, body } => return self.count(variable, range, body, scope, span),
            Lua::GenericFor { names, values, body } => {
                let pairs = self.pairs(values, scope, span)?;
                for (key, value) in pairs {
                    self.step(span)?;
                    let inner = self.scope(scope);
                    for (name, value) in names.iter().zip([key, value]) {
                        self.set(inner, &name.text, value, name.span, span)?;
                    }
                    match self.block(body, inner, None)? {
                        Flow::On => {}
                        Flow::Break => break,
                        flow => return Ok(flow),
                    }
                }
            }
            Lua::While { condition, body } => loop {
                self.step(span)?;
                if !self.known_truth(condition, scope)? {
                    break;
                }
                let inner = self.scope(scope);
                match self.block(body, inner, None)? {
                    Flow::On => {}
                    Flow::Break => break,
                    flow => return Ok(flow),
                }
            },
            Lua::Repeat { body, condition } => loop {
                self.step(span)?;
                let inner = self.scope(scope);
                match self.block(body, inner, None)? {
                    Flow::On => {}
                    Flow::Break => break,
                    flow => return Ok(flow),
                }
                if self.known_truth(condition, inner)? {
                    break;
                }
            },
            Lua::Function { name, fields, function } if fields.is_empty() => {
                let value = Value::Function(Closure { function, scope });
                let at = self.look_up(&name.text, scope).map_or(0, |(scope, ..)| scope);
                self.set(at, &name.text, value, name.span, span)?;
            }
            Lua::LocalFunction { name, function } => {
                let value = Value::Function(Closure { function, scope });
                self.set(scope, &name.text, value, name.span, span)?;
            }
            Lua::Return(values) => return Ok(Flow::Return(self.values(values, scope)?)),
            Lua::Break => return Ok(Flow::Break),
            Lua::Function { .. } => return Stop::lacks(span, "a function in a table"),
            Lua::Goto(_) | Lua::Label(_) => return Stop::lacks(span, "a des-file has no goto"),
        }
        Ok(Flow::On)
    }

    fn known_truth(&mut self, condition: &'t tree::Expression, scope: usize) -> Result<bool> {
        let value = self.value(condition, scope)?;
        match (value.truth(), value) {
            (Some(truth), _) => Ok(truth),
            (None, Value::Condition(Drawn { draw: Some(draw), .. })) => Err(Stop::Draw(draw, condition.span)),
            (None, Value::Unknown(what)) => Stop::lacks(condition.span, what),
            (None, _) => Stop::lacks(condition.span, "a des-file has no loop with this condition"),
        }
    }

    fn assign(&mut self, target: &'t tree::Expression, value: Value<'t>, scope: usize, span: Span) -> Result<()> {
        use tree::ExpressionKind as Kind;
        let (table, key) = match &target.kind {
            Kind::Name(name) => {
                let (scope, declared) = match self.look_up(name, scope) {
                    Some((scope, _, declared)) => (scope, declared),
                    None => (0, target.span),
                };
                if scope < self.floor.1 {
                    return Err(Stop::Outer(span));
                }
                let value = self.bound(value, name, declared)?;
                return self.set(scope, name, value, declared, span);
            }
            Kind::Field(table, name) => (table, Value::Text(Rc::from(name.text.as_str()))),
            Kind::Index(table, key) => (table, self.value(key, scope)?),
            _ => return Stop::lacks(target.span, "this cannot be assigned to"),
        };
        let Value::Table(at) = self.value(table, scope)? else {
            return Stop::lacks(target.span, "a des-file cannot change this");
        };
        let value = self.bound(value, "value", target.span)?;
        let Thing::Table(table) = self.change(at, span)? else {
            return Stop::lacks(target.span, "this is not a table");
        };
        match key {
            Value::Integer(number) => match usize::try_from(number.saturating_sub(1)) {
                Ok(at) if at < table.items.len() => table.items[at] = value,
                Ok(at) if at == table.items.len() => table.items.push(value),
                _ => return Stop::lacks(target.span, "a table with gaps"),
            },
            Value::Text(name) => {
                table.named.insert(name, value);
            }
            _ => return Stop::lacks(target.span, "a des-file cannot change an entry that is drawn"),
        }
        Ok(())
    }

    fn choose(
        &mut self,
        branches: &'t [(tree::Expression, Block)],
        otherwise: Option<&'t Block>,
        scope: usize,
        span: Span,
    ) -> Result<Flow<'t>> {
        let Some(((condition, body), rest)) = branches.split_first() else {
            return match otherwise {
                Some(body) => {
                    let inner = self.scope(scope);
                    self.block(body, inner, None)
                }
                None => Ok(Flow::On),
            };
        };
        let value = self.value(condition, scope)?;
        let drawn = match (value.truth(), value) {
            (Some(true), _) => {
                let inner = self.scope(scope);
                return self.block(body, inner, None);
            }
            (Some(false), _) => return self.choose(rest, otherwise, scope, span),
            (None, Value::Condition(drawn)) => drawn,
            (None, Value::Unknown(what)) => return Stop::lacks(condition.span, what),
            (None, _) => return Stop::lacks(condition.span, "a des-file cannot test this"),
        };
        let mark = self.mark();
        let made = self.deeper(span, |run| {
            run.inside(|run| {
                let then = run.nested(|run| {
                    let inner = run.scope(scope);
                    run.block(body, inner, None)
                })?;
                let otherwise = run.nested(|run| run.choose(rest, otherwise, scope, span))?;
                Ok((then, otherwise))
            })
        });
        let outer = match made {
            Ok(((Flow::On, then), (Flow::On, otherwise))) => {
                self.branch(drawn.condition, then, otherwise, span)?;
                return Ok(Flow::On);
            }
            Ok(_) => span,
            Err(Stop::Outer(span)) => span,
            Err(stop) => return Err(stop),
        };
        self.restore(&mark);
        // The values after the statement depend on the branch.
        match drawn.draw {
            Some(draw) => Err(Stop::Draw(draw, outer)),
            None => Err(Stop::Outer(outer)),
        }
    }

    fn count(
        &mut self,
        name: &'t tree::Name,
        range: &'t [tree::Expression],
        body: &'t Block,
        scope: usize,
        span: Span,
    ) -> Result<Flow<'t>> {
        let mut ends = Vec::new();
        for end in range {
            ends.push(self.value(end, scope)?);
        }
        if ends.len() == 2 {
            ends.push(Value::Integer(1));
        }
        let (first, last, step) = match ends.as_slice() {
            [Value::Integer(first), last, Value::Integer(step)] => (*first, last.clone(), *step),
            [Value::Number(number), ..] => return self.needs(number, span),
            _ => return Stop::lacks(span, "a des-file has no loop with these bounds"),
        };
        let mark = self.mark();
        // First as a LOOP that does not know its number.
        let count = match &last {
            Value::Integer(last) if step != 0 => {
                rounds(first, *last, step).and_then(|count| Number::known(count, span))
            }
            Value::Number(last) if step == 1 => 1_i64.checked_sub(first).and_then(|added| last.clone().plus(added)),
            _ => None,
        };
        let Some(count) = count else { return Stop::lacks(span, "a des-file has no loop with these bounds") };
        if count.most <= 0 {
            return Ok(Flow::On);
        }
        if count.most > 1 {
            let made = self.looped(name, Value::Unknown(COUNTER), body, scope, span);
            match made {
                Ok(Some(body)) => {
                    let looped = StatementKind::Loop { count: count.expr.clone(), body };
                    return Ok(self.at_least_once(count, looped, span));
                }
                Ok(None) | Err(Stop::Outer(_)) => self.restore(&mark),
                Err(stop) => return Err(stop),
            }
        }
        let Value::Integer(last) = last else {
            let Value::Number(last) = last else { return Ok(Flow::On) };
            let variable_name = self.names.of(&name.text, name.span, "number");
            let number = Number {
                expr: expr(variable(&variable_name, ValueType::Integer), span),
                least: first,
                most: last.most,
                draw: None,
            };
            let made = self.looped(name, Value::Number(number), body, scope, span);
            return match (made, Number::known(first, span)) {
                (Ok(Some(body)), Some(from)) => {
                    let to = Box::new(last.expr);
                    let variable = Spanned::new(variable_name, name.span);
                    let kind = StatementKind::For { variable, from: from.expr, to, body };
                    if last.least < first {
                        return Stop::lacks(span, "a loop that may not run at all");
                    }
                    self.emit(kind, span);
                    Ok(Flow::On)
                }
                (Err(Stop::Lacks(reason)), _) => Err(Stop::Lacks(reason)),
                _ => {
                    self.restore(&mark);
                    self.needs(&count, span)
                }
            };
        };
        let mut at = first;
        let mut rounds = 0;
        while (step > 0 && at <= last) || (step < 0 && at >= last) {
            self.step(span)?;
            rounds += 1;
            if rounds > MAX_UNROLLED {
                return Stop::lacks(span, "a loop with too many different rounds");
            }
            let inner = self.scope(scope);
            self.set(inner, &name.text, Value::Integer(at), name.span, span)?;
            match self.block(body, inner, None)? {
                Flow::On => {}
                Flow::Break => break,
                flow => return Ok(flow),
            }
            // Lua ends a loop before its counter overflows.
            let Some(next) = at.checked_add(step) else { break };
            at = next;
        }
        Ok(Flow::On)
    }

    /// Translates the body of a loop of the level, or returns `None` if its rounds differ.
    fn looped(
        &mut self,
        name: &'t tree::Name,
        value: Value<'t>,
        body: &'t Block,
        scope: usize,
        span: Span,
    ) -> Result<Option<Vec<Statement>>> {
        let draws = self.draws.len();
        let made = self.deeper(span, |run| {
            run.inside(|run| {
                run.nested(|run| {
                    let inner = run.scope(scope);
                    run.set(inner, &name.text, value, name.span, span)?;
                    run.block(body, inner, None)
                })
            })
        });
        match made {
            Ok((Flow::On, body)) => Ok(Some(body)),
            Ok(_) => Ok(None),
            Err(Stop::Draw(draw, _)) if draw >= draws => Ok(None),
            Err(Stop::Lacks(reason)) if reason.what == COUNTER => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    /// Writes a LOOP, whose block runs at least once, so that it also runs zero times.
    fn at_least_once(&mut self, count: Number, looped: StatementKind, span: Span) -> Flow<'t> {
        if count.least > 0 {
            self.emit(looped, span);
            return Flow::On;
        }
        let name = self.names.of("times", span, "times");
        let value = Definition::Value { ty: ValueType::Integer, value: count.expr };
        self.emit(StatementKind::Define { variable: Spanned::new(name.clone(), Span::NOWHERE), value }, span);
        let times = expr(variable(&name, ValueType::Integer), span);
        let StatementKind::Loop { body, .. } = looped else { return Flow::On };
        let looped = StatementKind::Loop { count: times.clone(), body };
        let condition = Condition::Compare {
            left: times,
            comparison: splc_ir::level::Comparison::Greater,
            right: expr(ExprKind::Integer(0), span),
        };
        let then = vec![Statement { kind: looped, span }];
        self.emit(StatementKind::If { condition, then, otherwise: None }, span);
        Flow::On
    }

    /// Calls a function of the script.
    pub fn call(&mut self, closure: Closure<'t>, arguments: Vec<Value<'t>>, span: Span) -> Result<Vec<Value<'t>>> {
        let Closure { function, scope } = closure;
        if function.varargs {
            return Stop::lacks(span, "a function with any number of arguments");
        }
        self.step(span)?;
        let inner = self.scope(scope);
        for (at, parameter) in function.parameters.iter().enumerate() {
            let value = arguments.get(at).cloned().unwrap_or(Value::Nil);
            let value = self.bound(value, &parameter.text, parameter.span)?;
            self.set(inner, &parameter.text, value, parameter.span, span)?;
        }
        match self.block(&function.body, inner, None)? {
            Flow::Return(values) => Ok(values),
            _ => Ok(Vec::new()),
        }
    }
}

/// Names the filling of mazes: with the flag `corrmaze`, des-files fill a maze with corridors unless it is named, but
/// NetHack 5 with floor.
struct WalksOnFloor;

impl VisitMut for WalksOnFloor {
    fn statement(&mut self, statement: &mut Statement) {
        if let StatementKind::MazeWalk { stocked, filling: filling @ None, .. } = &mut statement.kind {
            *filling = Some(Spanned::new('.', statement.span));
            // In des-files, a filling follows the other.
            *stocked = stocked.or(Some(true));
        }
        walk_mut::statement(self, statement);
    }
}

/// Returns the number of rounds of a numeric loop, or `None` if it is out of range.
fn rounds(first: i64, last: i64, step: i64) -> Option<i64> {
    last.checked_sub(first)?.checked_div(step)?.checked_add(1).map(|rounds| rounds.max(0))
}

/// The flags, the statements and the notes of a translation.
type Finished = (Vec<Spanned<Text>>, Vec<Statement>, Vec<Note>);

/// The type of an array whose only value is its number among the arrays, until its values are known.
const UNFILLED: ValueType = ValueType::Null;

const TOO_LARGE: &str = "written out without its draws, the level is too large";

const TOO_DEEP: &str = "it is nested too deeply";

/// The body of the script itself, which ends at a `return`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Top;

/// The value of a loop's counter in a LOOP.
pub(super) const COUNTER: &str = "the round of a LOOP";
