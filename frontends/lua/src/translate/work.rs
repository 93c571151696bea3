//! The cost of a translation: the size of every value that it evaluates and copies.

use splc_ir::level::{Condition, Expr, Selection, Statement};
use splc_ir::source::{Span, Text};
use splc_ir::visit::{Visit, walk};

use super::values::{Drawn, Logic, Number, Squares, Table, Thing, Value};

/// The bytes of a text that cost as much as a node of the tree.
const BYTES_PER_NODE: usize = 16;

/// The size of a part of the tree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    /// Its nodes. Long texts count as several.
    pub nodes: usize,
    /// The deepest nesting of its expressions.
    pub depth: usize,
    nesting: usize,
}

impl Size {
    /// Measures statements.
    pub fn of_statements(statements: &[Statement]) -> Size {
        let mut size = Size::default();
        for statement in statements {
            size.statement(statement);
        }
        size
    }

    /// Measures a value, without the contents of a table or selection.
    pub fn of_value(value: &Value<'_>) -> Size {
        let mut size = Size::default();
        size.value(value);
        size
    }

    /// Measures a table, without the contents of tables in it, or a selection.
    pub fn of_thing(thing: &Thing<'_>) -> Size {
        let mut size = Size::default();
        size.nodes += 1;
        match thing {
            Thing::Table(Table { items, named }) => {
                for value in items.iter().chain(named.values()) {
                    size.value(value);
                }
            }
            Thing::Selection(Squares { of, .. }) => {
                if let Some(of) = of {
                    size.selection(of);
                }
            }
        }
        size
    }

    fn value(&mut self, value: &Value<'_>) {
        self.nodes += 1;
        match value {
            Value::Text(text) => self.nodes += text.len() / BYTES_PER_NODE,
            Value::Number(Number { expr, .. })
            | Value::Place(expr)
            | Value::Element { index: Number { expr, .. }, .. } => {
                self.expression(expr);
            }
            Value::Condition(Drawn { condition, .. }) => self.logic(condition),
            _ => {}
        }
    }

    fn logic(&mut self, logic: &Logic) {
        self.nested(|size| match logic {
            Logic::Plain(condition) => size.condition(condition),
            Logic::Not(inner) => size.logic(inner),
            Logic::Both(one, other) | Logic::Either(one, other) => {
                size.logic(one);
                size.logic(other);
            }
        });
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self)) {
        self.nodes += 1;
        self.nesting += 1;
        self.depth = self.depth.max(self.nesting);
        inner(self);
        self.nesting -= 1;
    }
}

impl<'tree> Visit<'tree> for Size {
    fn statement(&mut self, statement: &'tree Statement) {
        self.nodes += 1;
        walk::statement(self, statement);
    }

    fn condition(&mut self, condition: &'tree Condition) {
        self.nodes += 1;
        walk::condition(self, condition);
    }

    fn expression(&mut self, expression: &'tree Expr) {
        self.nested(|size| walk::expression(size, expression));
    }

    fn selection(&mut self, selection: &'tree Selection) {
        self.nested(|size| walk::selection(size, selection));
    }

    fn text(&mut self, text: &'tree Text, _: Span) {
        self.nodes += text.len() / BYTES_PER_NODE;
    }
}
