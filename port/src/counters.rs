//! Loops that count: unrolled for a language whose variables cannot be set from variables (SporkHack), and noted where
//! the games count differently.

use std::collections::{HashMap, HashSet};

use splc_ir::catalog::{Catalog, Feature, Format};
use splc_ir::level::*;
use splc_ir::source::{Span, Text};
use splc_ir::visit::{Visit, VisitMut, has_expression, walk, walk_mut};

use crate::poorer::known::{Held, Knowledge, Scope, integer};
use crate::tree::levels;
use crate::work::Work;

/// The maximum number of statements into which one LOOP is unrolled.
const MOST_STATEMENTS: usize = 1_000;

/// Replaces values that do not depend on the dice with numbers, and unrolls LOOPs that count in a variable.
pub(crate) fn counted_loops(work: &mut Work<'_>, module: &mut Module) {
    if !work.to.has(Feature::ValuesWithoutVariables) || work.from.has(Feature::ValuesWithoutVariables) {
        return;
    }
    for level in levels(module) {
        Counting { work, scope: Scope::new() }.block(&mut level.body);
    }
}

/// The rule by which a game counts in a FOR.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    /// The numbers are fixed when the loop begins. After the last one, the variable has it.
    Fixed,
    /// The variable is compared with the last number, then changed: the loop ends only if they are equal.
    ComparedFirst,
    /// The variable is changed, then compared with the last number: the loop ends as soon as it is past that.
    ChangedFirst,
}

impl Count {
    fn of(game: &Catalog) -> Self {
        match game.format {
            Format::Parts | Format::Lua => Count::Fixed,
            _ if game.has(Feature::ConstantFor) => Count::ChangedFirst,
            _ => Count::ComparedFirst,
        }
    }

    /// Returns the value of the variable after a loop.
    fn left(self, from: i32, to: i32) -> i64 {
        let step = match self {
            Count::Fixed => 0,
            Count::ComparedFirst => (i64::from(to) - i64::from(from)).signum(),
            Count::ChangedFirst if from <= to => 1,
            Count::ChangedFirst => -1,
        };
        i64::from(to) + step
    }
}

/// Notes each FOR whose block sets its variable, or whose variable is used after it, if the games count differently.
pub(crate) fn loop_variables(work: &mut Work<'_>, module: &mut Module) {
    struct Loops<'w, 'a> {
        work: &'w mut Work<'a>,
        between: [Count; 2],
        /// The FORs around the current statement, with their variables.
        around: Vec<(Text, Span)>,
        /// The last FOR over each variable that may have left its value there, with the depth of its block.
        left: HashMap<Text, (Span, usize)>,
        depth: usize,
    }

    impl Loops<'_, '_> {
        /// Reads a variable.
        fn read(&mut self, variable: &Text) {
            if !self.around.iter().any(|(name, _)| name == variable)
                && let Some(&(of, _)) = self.left.get(variable)
            {
                self.work.differs(of, "its variable is used after it, where the games leave different values in it");
            }
        }

        /// Sets a variable.
        fn set(&mut self, variable: &Text) {
            for at in 0..self.around.len() {
                if self.around[at].0 == *variable {
                    let what = "its block sets its variable, after which the games count differently";
                    self.work.differs(self.around[at].1, what);
                }
            }
            // In a block that may not run, it may keep its value.
            if self.left.get(variable).is_some_and(|(_, depth)| self.depth <= *depth) {
                self.left.remove(variable);
            }
        }
    }

    impl<'tree> Visit<'tree> for Loops<'_, '_> {
        fn level(&mut self, level: &'tree Level) {
            self.left.clear();
            walk::level(self, level);
        }

        fn function(&mut self, function: &'tree Function) {
            // It has its own variables.
            let (around, left) = (std::mem::take(&mut self.around), std::mem::take(&mut self.left));
            walk::function(self, function);
            (self.around, self.left) = (around, left);
        }

        fn statement(&mut self, statement: &'tree Statement) {
            self.depth += 1;
            match &statement.kind {
                StatementKind::For { variable, from, to, body } => {
                    self.expression(from);
                    self.expression(to);
                    self.set(&variable.node);
                    self.around.push((variable.node.clone(), statement.span));
                    body.iter().for_each(|inner| self.statement(inner));
                    self.around.pop();
                    let left = |count: Count| match (&from.kind, &to.kind) {
                        (ExprKind::Integer(from), ExprKind::Integer(to)) => Some(count.left(*from, *to)),
                        _ => None,
                    };
                    let [one, other] = self.between.map(left);
                    if one.is_none() || one != other {
                        self.left.insert(variable.node.clone(), (statement.span, self.depth));
                    }
                }
                kind => {
                    walk::statement(self, statement);
                    if let StatementKind::Define { value: Definition::Copy { variable, .. }, .. } = kind {
                        self.read(&variable.node);
                    }
                    if let StatementKind::Define { variable, .. } | StatementKind::Shuffle { variable } = kind {
                        self.set(&variable.node);
                    }
                }
            }
            self.depth -= 1;
        }

        fn expression(&mut self, expression: &'tree Expr) {
            if let ExprKind::Variable(variable) = &expression.kind {
                self.read(&variable.name);
            }
            walk::expression(self, expression);
        }
    }

    let between = [Count::of(work.from), Count::of(work.to)];
    // The variable of a loop in Lua exists only in the loop.
    if between[0] != between[1] && work.from.format != Format::Lua {
        Loops { work, between, around: Vec::new(), left: HashMap::new(), depth: 0 }.module(module);
    }
}

struct Counting<'w, 'a> {
    work: &'w mut Work<'a>,
    /// Numbers known at the current position.
    scope: Scope,
}

impl Counting<'_, '_> {
    /// Evaluates an expression to a number.
    fn number(&self, expr: &Expr) -> Option<i32> {
        integer(expr, &Knowledge { scope: &self.scope, dice: None }).ok()
    }

    /// Unrolls a LOOP that counts, or returns `None`.
    fn written_out(&mut self, statement: &Statement) -> Option<Vec<Statement>> {
        let StatementKind::Loop { count, body } = &statement.kind else { return None };
        let times = usize::try_from(self.number(count)?).ok()?;
        let counts = body.iter().any(|inner| counted(inner).is_some_and(|variable| self.scope.contains_key(variable)));
        let fits = size(statement).checked_mul(times).is_some_and(|size| size <= MOST_STATEMENTS);
        if !counts || !fits || body.iter().any(Statement::has_break) {
            return None;
        }
        let mut written = Vec::new();
        for _ in 0..times {
            let mut copy = body.clone();
            self.block(&mut copy);
            written.extend(copy);
        }
        let title = self.work.to.title.clone();
        self.work.same(statement.span, format!("it is unrolled, since {title} cannot count in a variable"));
        Some(written)
    }

    fn forget(&mut self, statement: &Statement) {
        let mut set = Set(HashSet::new());
        set.statement(statement);
        self.scope.retain(|name, _| !set.0.contains(name));
    }
}

impl VisitMut for Counting<'_, '_> {
    fn block(&mut self, statements: &mut Vec<Statement>) {
        let mut at = 0;
        while at < statements.len() {
            if let Some(written) = self.written_out(&statements[at]) {
                let count = written.len();
                statements.splice(at..=at, written);
                at += count;
                continue;
            }
            self.statement(&mut statements[at]);
            at += 1;
        }
    }

    fn statement(&mut self, statement: &mut Statement) {
        let of_variables = has_expression(statement, |expression| matches!(expression.kind, ExprKind::Variable(_)));
        if let StatementKind::Define { variable, value: Definition::Value { ty: ValueType::Integer, value } } =
            &mut statement.kind
        {
            match self.number(value) {
                Some(number) => {
                    if of_variables {
                        value.kind = ExprKind::Integer(number);
                        self.work.same(statement.span, "its value is written as a number");
                    }
                    self.scope.insert(variable.node.clone(), Held::One(ExprKind::Integer(number)));
                }
                None => {
                    self.scope.remove(&variable.node);
                }
            }
            return;
        }
        // An assignment inside a block may run once, several times or never.
        self.forget(statement);
        let before = self.scope.clone();
        walk_mut::statement(self, statement);
        self.scope = before;
    }
}

/// Returns the variable that a statement sets to a function of its own value.
fn counted(statement: &Statement) -> Option<&Text> {
    let StatementKind::Define { variable, .. } = &statement.kind else { return None };
    let is_itself =
        |expression: &Expr| matches!(&expression.kind, ExprKind::Variable(known) if known.name == variable.node);
    has_expression(statement, is_itself).then_some(&variable.node)
}

/// Counts a statement and the statements inside it.
fn size(statement: &Statement) -> usize {
    struct Count(usize);

    impl<'tree> Visit<'tree> for Count {
        fn statement(&mut self, statement: &'tree Statement) {
            self.0 += 1;
            walk::statement(self, statement);
        }
    }

    let mut count = Count(0);
    count.statement(statement);
    count.0
}

/// The variables that a statement sets, except inside functions, which have their own.
struct Set(HashSet<Text>);

impl<'tree> Visit<'tree> for Set {
    fn statement(&mut self, statement: &'tree Statement) {
        if let StatementKind::Define { variable, .. }
        | StatementKind::Shuffle { variable }
        | StatementKind::For { variable, .. } = &statement.kind
        {
            self.0.insert(variable.node.clone());
        }
        walk::statement(self, statement);
    }
}
