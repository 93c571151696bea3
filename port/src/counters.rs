//! Unrolls counting loops for a language whose variables cannot be set from variables (SporkHack).

use std::collections::HashSet;

use splc_ir::catalog::Feature;
use splc_ir::level::*;
use splc_ir::source::Text;
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
