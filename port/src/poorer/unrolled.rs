//! Evaluates a script to a list, without calls, loops, conditions and variables.

use std::collections::{HashMap, HashSet};

use splc_ir::level::*;
use splc_ir::limits::MAX_NESTING;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::visit::{Visit, VisitMut, walk, walk_mut};
use splc_ir::words::DoorState;

use super::known::{Dice, Held, Knowledge, Scope, Unknown, certain, integer, selection, value};
use crate::account::Effect;
use crate::left_over::lose;
use crate::tree::levels;
use crate::work::Work;

/// The maximum number of statements of a level, far more than a level file can contain.
const MOST_STATEMENTS: usize = 20_000;

/// Evaluates every level of `module` and inlines functions.
pub(crate) fn unrolled(work: &mut Work<'_>, module: &mut Module) {
    // Function names are global to the file: a level may call a function defined in an earlier level.
    let functions = functions_of(module);
    for item in &mut module.items {
        if let Item::Function(function) = item {
            work.same(function.span, "a FUNCTION is inlined where it is called");
            function.body.clear();
        }
    }
    let dice = work.dice.map(Dice::new);
    let mut called = HashSet::new();
    for level in levels(module) {
        let mut unroll = Unroll {
            work,
            functions: &functions,
            made: 0,
            registers: Vec::new(),
            in_part: false,
            has_rooms: level.body.iter().any(|statement| matches!(statement.kind, StatementKind::Room(_))),
            level: level.span,
            failed: false,
            dice: dice.as_ref().map(Dice::fork),
            reached: HashSet::new(),
        };
        let body = std::mem::take(&mut level.body);
        let mut scope = Scope::new();
        let mut made = Vec::new();
        let _ = unroll.block(&body, &mut scope, &mut made, 0);
        level.body = made;
        let Unroll { failed, reached, .. } = unroll;
        let why = if failed { "the block around it cannot be ported" } else { "it is never reached" };
        let effect = if failed { Effect::Lost } else { Effect::Same };
        let mut unreached = Unreached { reached: &reached, spans: Vec::new() };
        body.iter().for_each(|statement| unreached.statement(statement));
        for span in unreached.spans {
            work.note(span, effect, why);
        }
        called.extend(reached);
        called.extend(&work.reached);
    }
    for function in functions.values() {
        let mut unreached = Unreached { reached: &called, spans: Vec::new() };
        function.body.iter().for_each(|statement| unreached.statement(statement));
        for span in unreached.spans {
            work.same(span, "it is never reached");
        }
    }
}

/// Returns the FUNCTIONs of a module by name.
fn functions_of(module: &Module) -> HashMap<Text, Function> {
    struct Functions(HashMap<Text, Function>);

    impl<'tree> Visit<'tree> for Functions {
        fn function(&mut self, function: &'tree Function) {
            self.0.insert(function.name.node.clone(), function.clone());
        }
    }

    let mut functions = Functions(HashMap::new());
    functions.module(module);
    functions.0
}

/// Finds statements that were never executed. Those of a FUNCTION are checked after all levels.
struct Unreached<'r> {
    reached: &'r HashSet<Span>,
    spans: Vec<Span>,
}

impl<'tree> Visit<'tree> for Unreached<'_> {
    fn function(&mut self, _: &'tree Function) {}

    fn statement(&mut self, statement: &'tree Statement) {
        if !self.reached.contains(&statement.span) {
            self.spans.push(statement.span);
        }
        walk::statement(self, statement);
    }
}

/// The way a block ended.
#[derive(PartialEq)]
enum End {
    Through,
    Break,
    Exit,
    /// A limit was exceeded.
    TooMuch,
}

struct Unroll<'w, 'a> {
    work: &'w mut Work<'a>,
    functions: &'w HashMap<Text, Function>,
    made: usize,
    /// Registers of the current part. An array shuffled before the first map belongs to the first part.
    registers: Vec<RegisterKind>,
    /// Set once a map has begun a part.
    in_part: bool,
    /// Set if the level has rooms, which have no registers for places.
    has_rooms: bool,
    level: Span,
    /// Set if part of the level cannot be ported.
    failed: bool,
    /// Dice for chance that a list cannot leave to the game, with `--instantiate`.
    dice: Option<Dice>,
    /// Statements that were executed.
    reached: HashSet<Span>,
}

impl Unroll<'_, '_> {
    fn known<'s>(&self, scope: &'s Scope) -> Knowledge<'s> {
        Knowledge { scope, dice: self.dice.clone() }
    }

    /// Returns the number of throws of the dice.
    fn thrown(&self) -> usize {
        self.dice.as_ref().map_or(0, Dice::thrown)
    }

    /// Notes the evaluation of a statement: equivalent, unless the dice were thrown for it since `before`.
    fn resolved(&mut self, before: usize, span: Span, what: &str) {
        if self.thrown() == before {
            self.work.same(span, what);
        } else {
            self.work.differs(span, format!("{what}, as drawn for --instantiate"));
        }
    }

    fn fail(&mut self, span: Span, what: impl Into<String>) {
        // A statement added by a pass is reported at its level.
        let span = if span.is_nowhere() { self.level } else { span };
        let what = what.into();
        self.work.lost(span, what.clone());
        self.work.fail_by_chance(span, what);
        self.failed = true;
    }

    fn block(&mut self, body: &[Statement], scope: &mut Scope, made: &mut Vec<Statement>, depth: usize) -> End {
        if depth > 2 * MAX_NESTING {
            self.fail(self.level, "calls and blocks are nested too deeply");
            return End::TooMuch;
        }
        for statement in body {
            let end = self.statement(statement, scope, made, depth);
            if end != End::Through {
                return end;
            }
        }
        End::Through
    }

    fn statement(&mut self, statement: &Statement, scope: &mut Scope, made: &mut Vec<Statement>, depth: usize) -> End {
        let span = statement.span;
        self.reached.insert(span);
        self.made += 1;
        if self.made > MOST_STATEMENTS {
            self.fail(span, format!("the level has more than {MOST_STATEMENTS} statements"));
            return End::TooMuch;
        }
        match &statement.kind {
            StatementKind::Function(_) => self.work.same(span, "a FUNCTION is inlined where it is called"),
            StatementKind::Call { function, arguments } => {
                let Some(callee) = self.functions.get(&function.node) else {
                    self.fail(span, format!("unknown function {}", function.node));
                    return End::Through;
                };
                let mut inner = Scope::new();
                for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                    let held = match certain(argument, &self.known(scope)) {
                        Ok(known) => Held::One(known),
                        Err(_) => Held::Unknown("it has a random value"),
                    };
                    inner.insert(parameter.name.node.clone(), held);
                }
                self.work.same(span, "the FUNCTION is inlined");
                // EXIT ends the level, even inside a function.
                match self.block(&callee.body, &mut inner, made, depth + 1) {
                    End::Break => {}
                    end => return end,
                }
            }
            StatementKind::Define { variable, value } => self.define(variable, value, span, scope),
            StatementKind::Shuffle { variable } => self.shuffle(variable, span, scope, made),
            StatementKind::If { condition, then, otherwise } => {
                return self.condition(condition, then, otherwise.as_deref(), span, scope, made, depth);
            }
            StatementKind::Chance { condition, then } => {
                return self.condition(condition, std::slice::from_ref(then), None, span, scope, made, depth);
            }
            StatementKind::Switch { value, cases } => return self.switch(value, cases, span, scope, made, depth),
            StatementKind::Loop { count, body } => match (self.thrown(), integer(count, &self.known(scope))) {
                // A script tests the count after each iteration.
                (before, Ok(count)) => {
                    self.resolved(before, span, "the LOOP is unrolled");
                    for _ in 0..count.max(1) {
                        match self.block(body, scope, made, depth + 1) {
                            End::Through => {}
                            End::Break => break,
                            end => return end,
                        }
                    }
                }
                (_, Err(why)) => self.fail(span, format!("the count of this LOOP is unknown: {why}")),
            },
            StatementKind::For { variable, from, to, body } => {
                match (self.thrown(), integer(from, &self.known(scope)), integer(to, &self.known(scope))) {
                    (before, Ok(from), Ok(to)) => {
                        self.resolved(before, span, "the FOR is unrolled");
                        let step = if from <= to { 1 } else { -1 };
                        let mut number = from;
                        loop {
                            scope.insert(variable.node.clone(), Held::One(ExprKind::Integer(number)));
                            match self.block(body, scope, made, depth + 1) {
                                End::Through => {}
                                End::Break => break,
                                end => return end,
                            }
                            if number == to {
                                break;
                            }
                            number += step;
                        }
                    }
                    (_, Err(why), _) | (_, _, Err(why)) => {
                        self.fail(span, format!("the bounds of this FOR are unknown: {why}"));
                    }
                }
            }
            StatementKind::Break => {
                self.work.same(span, "statements after BREAK are removed");
                return End::Break;
            }
            StatementKind::Exit => {
                self.work.same(span, "statements after EXIT are removed");
                return End::Exit;
            }
            _ => {
                if matches!(statement.kind, StatementKind::Map(_)) && std::mem::replace(&mut self.in_part, true) {
                    self.registers.clear();
                    for held in scope.values_mut().filter(|held| matches!(held, Held::Registers(..))) {
                        *held = Held::Unknown("it is shuffled for the previous part");
                    }
                }
                let made_of = self.with_values(statement, scope, depth);
                made.extend(made_of);
            }
        }
        End::Through
    }

    fn define(&mut self, variable: &Spanned<Text>, value: &Definition, span: Span, scope: &mut Scope) {
        let before = self.thrown();
        let known = self.known(scope);
        let held = match value {
            Definition::Value { value, .. } => match certain(value, &known) {
                Ok(known) => Held::One(known),
                Err(_) => Held::Unknown("it is drawn when the level is loaded"),
            },
            Definition::Array { values, .. } => {
                let values: Result<Vec<ExprKind>, Unknown> = values.iter().map(|expr| certain(expr, &known)).collect();
                values.map_or(Held::Unknown("one of its values is drawn when the level is loaded"), Held::Array)
            }
            Definition::Copy { variable, .. } => {
                scope.get(&variable.node).cloned().unwrap_or(Held::Unknown("it is a copy of an unknown value"))
            }
        };
        self.resolved(before, span, "its uses are replaced with its value");
        scope.insert(variable.node.clone(), held);
    }

    /// Turns a shuffled array into registers, if its values allow it.
    fn shuffle(&mut self, variable: &Spanned<Text>, span: Span, scope: &mut Scope, made: &mut Vec<Statement>) {
        let values = match scope.get(&variable.node) {
            Some(Held::Array(values)) if values.len() > 1 => values.clone(),
            // An array of at most one value needs no shuffling.
            Some(Held::Array(_)) => return self.work.same(span, "an array of one value is not shuffled"),
            _ => return self.fail(span, format!("the values of {} are unknown when it is shuffled", variable.node)),
        };
        let of = values.iter().try_fold(None, |of, value| {
            let this = match value {
                ExprKind::Coordinate { .. } => RegisterKind::Place,
                ExprKind::Monster(SpeciesName::Class(_)) => RegisterKind::Monster,
                ExprKind::Object(SpeciesName::Class(_)) => RegisterKind::Object,
                _ => return Err(()),
            };
            if of.is_none_or(|of| of == this) { Ok(Some(this)) } else { Err(()) }
        });
        let has_places = !self.has_rooms;
        let is_list = matches!(of, Ok(Some(of)) if !self.registers.contains(&of) && (has_places || !of.is_place()));
        if let (Some(dice), false) = (&self.dice, is_list) {
            let mut values = values;
            for last in (1..values.len()).rev() {
                values.swap(last, dice.below(last as i32 + 1) as usize);
            }
            scope.insert(variable.node.clone(), Held::Array(values));
            return self.work.differs(span, "the array has one order, as drawn for --instantiate");
        }
        let Ok(Some(of)) = of else {
            let what = "only places, monster classes and object classes can be shuffled";
            scope.insert(variable.node.clone(), Held::Unknown("it is shuffled"));
            return self.fail(span, what);
        };
        if !is_list && !self.registers.contains(&of) {
            scope.insert(variable.node.clone(), Held::Unknown("it is shuffled"));
            return self.fail(span, "a level of rooms has no shuffled places");
        }
        if self.registers.contains(&of) {
            scope.insert(variable.node.clone(), Held::Unknown("it is shuffled"));
            return self.fail(span, "a part can have only one shuffled list of each type");
        }
        self.registers.push(of);
        scope.insert(variable.node.clone(), Held::Registers(of, values.len()));
        self.work.same(span, "the array becomes a list of registers, shuffled at the beginning of its part");
        let values = values.into_iter().map(|kind| Expr { kind, span }).collect();
        made.push(Statement { kind: StatementKind::Registers { of, values }, span });
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of an IF, and where it stands")]
    fn condition(
        &mut self,
        condition: &Condition,
        then: &[Statement],
        otherwise: Option<&[Statement]>,
        span: Span,
        scope: &mut Scope,
        made: &mut Vec<Statement>,
        depth: usize,
    ) -> End {
        let before = self.thrown();
        let decided = match condition {
            Condition::Percent(percent) if percent.node >= 100 => Some(true),
            Condition::Percent(percent) if percent.node <= 0 => Some(false),
            Condition::Percent(_) => None,
            Condition::NonZero(number) => match integer(number, &self.known(scope)) {
                Ok(number) => Some(number != 0),
                Err(why) => {
                    self.fail(span, format!("this condition is unknown before the level is loaded: {why}"));
                    return End::Through;
                }
            },
            Condition::Compare { left, comparison, right } => {
                match (integer(left, &self.known(scope)), integer(right, &self.known(scope))) {
                    (Ok(left), Ok(right)) => Some(match comparison {
                        Comparison::Equal => left == right,
                        Comparison::NotEqual => left != right,
                        Comparison::Less => left < right,
                        Comparison::LessEqual => left <= right,
                        Comparison::Greater => left > right,
                        Comparison::GreaterEqual => left >= right,
                    }),
                    (Err(why), _) | (_, Err(why)) => {
                        self.fail(span, format!("this condition is unknown before the level is loaded: {why}"));
                        return End::Through;
                    }
                }
            }
        };
        if let Some(holds) = decided {
            let what = if holds { "the condition always holds" } else { "the condition never holds" };
            self.resolved(before, span, what);
            let block = if holds { then } else { otherwise.unwrap_or_default() };
            return self.block(block, scope, made, depth + 1);
        }
        let Condition::Percent(percent) = condition else { return End::Through };
        let (mut inside, mut inner) = (Vec::new(), scope.clone());
        let end = self.block(then, &mut inner, &mut inside, depth + 1);
        let is_one = |statement: &Statement| {
            matches!(statement.kind, StatementKind::Monster(_) | StatementKind::Object(_) | StatementKind::Trap { .. })
        };
        let problem = match inside.as_slice() {
            _ if end == End::TooMuch => return end,
            _ if end != End::Through => "the end of the level depends on chance",
            _ if otherwise.is_some_and(|block| !block.is_empty()) => {
                "a list cannot express a choice between two things"
            }
            [] => {
                self.work.same(span, "the chance is removed: its block is empty");
                return End::Through;
            }
            [one] if is_one(one) => {
                self.work.same(span, "the chance becomes that of the only thing in its block");
                if let StatementKind::Object(Object { contents: Some(contents), .. }) = &one.kind
                    && !contents.is_empty()
                {
                    self.work.differs_in_contents(span);
                }
                let condition = Condition::Percent(*percent);
                let then = Box::new(inside.remove(0));
                made.push(Statement { kind: StatementKind::Chance { condition, then }, span });
                return End::Through;
            }
            [_] => "only a monster, an object or a trap can have a chance",
            _ => "a list cannot express a common chance of several things",
        };
        if let Some(dice) = self.dice.clone() {
            let holds = dice.below(100) < percent.node;
            let what = if holds { "the condition holds" } else { "the condition does not hold" };
            self.resolved(before, span, what);
            if holds {
                *scope = inner;
                made.append(&mut inside);
                return end;
            }
            for statement in &inside {
                lose(self.work, statement, "it is not drawn for --instantiate");
            }
            return self.block(otherwise.unwrap_or_default(), scope, made, depth + 1);
        }
        self.fail(span, problem);
        for statement in &inside {
            lose(self.work, statement, "the block around it cannot be ported");
        }
        End::Through
    }

    fn switch(
        &mut self,
        on: &Expr,
        cases: &[Case],
        span: Span,
        scope: &mut Scope,
        made: &mut Vec<Statement>,
        depth: usize,
    ) -> End {
        // A constant is the number of values to draw from.
        let draws = on.is_constant() || self.work.from.has(splc_ir::catalog::Feature::SwitchAlwaysDraws);
        let before = self.thrown();
        let chosen = match (integer(on, &self.known(scope)), self.dice.clone()) {
            (Ok(1), _) if draws => 0,
            (Ok(number), _) if !draws => number,
            (Ok(number), Some(dice)) => dice.below(number),
            _ => {
                self.fail(span, "the CASE is drawn when the level is loaded");
                return End::Through;
            }
        };
        let found = cases.iter().position(|case| case.value.is_some_and(|value| value.node == chosen));
        let first = found.or_else(|| cases.iter().position(|case| case.value.is_none()));
        self.resolved(before, span, "the SWITCH is replaced with its CASE");
        for case in first.into_iter().flat_map(|first| &cases[first..]) {
            match self.block(&case.body, scope, made, depth + 1) {
                End::Through => {}
                End::Break => break,
                end => return end,
            }
        }
        End::Through
    }

    /// Returns the state of a drawbridge that may be open or closed.
    fn bridge(&mut self, span: Span) -> DoorState {
        if let Some(dice) = &self.dice {
            let (what, state) =
                if dice.below(2) == 0 { ("closed", DoorState::Closed) } else { ("open", DoorState::Open) };
            self.work.differs(span, format!("it is {what}, as drawn for --instantiate"));
            return state;
        }
        self.work.differs(span, "it is closed: a drawbridge of 3.4.3 cannot be random");
        DoorState::Closed
    }

    /// Returns the statement with its expressions evaluated, or `None` with an error if a value is unknown.
    fn with_values(&mut self, statement: &Statement, scope: &mut Scope, depth: usize) -> Option<Statement> {
        let mut statement = statement.clone();
        // The contents are evaluated like the level.
        let inside = match &mut statement.kind {
            StatementKind::Room(room) => Some(&mut room.body),
            StatementKind::Object(object) => object.contents.as_mut(),
            StatementKind::Monster(monster) => monster.inventory.as_mut(),
            StatementKind::Region(region) => region.body.as_mut(),
            _ => None,
        };
        let inside = inside.map(std::mem::take);
        let before = self.thrown();
        let known = self.known(scope);
        let mut values = Values { known: &known, unknown: None, used: false };
        values.statement(&mut statement);
        let Values { unknown, used, .. } = values;
        if let Some(why) = unknown {
            self.fail(statement.span, why);
            return None;
        }
        if used {
            self.resolved(before, statement.span, "variables and sums are replaced with values");
        }
        if let StatementKind::Drawbridge { state: state @ OrRandom::Random, .. } = &mut statement.kind {
            *state = OrRandom::Is(Spanned::new(self.bridge(statement.span), Span::NOWHERE));
        }
        if let Some(inside) = inside {
            let mut made = Vec::new();
            // EXIT in a block would end the level, but no real level does that.
            let _ = self.block(&inside, scope, &mut made, depth + 1);
            match &mut statement.kind {
                StatementKind::Room(room) => room.body = made,
                StatementKind::Object(object) => object.contents = Some(made),
                StatementKind::Monster(monster) => monster.inventory = Some(made),
                StatementKind::Region(region) => region.body = Some(made),
                _ => {}
            }
        }
        Some(statement)
    }
}

/// Replaces expressions with their values.
struct Values<'s> {
    known: &'s Knowledge<'s>,
    unknown: Option<Unknown>,
    used: bool,
}

impl VisitMut for Values<'_> {
    fn expression(&mut self, expression: &mut Expr) {
        match value(expression, self.known) {
            Ok(known) => {
                self.used |= known != expression.kind;
                expression.kind = known;
            }
            Err(why) => self.unknown = self.unknown.take().or(Some(why)),
        }
    }

    fn selection(&mut self, on: &mut Selection) {
        match selection(on, self.known) {
            Ok(known) => {
                self.used |= known.kind != on.kind;
                *on = known;
            }
            Err(why) => self.unknown = self.unknown.take().or(Some(why)),
        }
    }

    fn statement(&mut self, statement: &mut Statement) {
        walk_mut::statement(self, statement);
    }
}
