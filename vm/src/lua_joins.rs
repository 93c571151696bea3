//! The texts that a level contains, and those that it makes with `..`.
//!
//! No function runs when a level joins texts with `..`, so nothing could charge for it. The level is therefore compiled
//! with a call around each such expression: `a .. b` becomes `(join(a .. b))`, where `join` charges for the text and
//! returns it. The errors of `..` remain Lua's. Lines do not change.

use splc_ir::diagnostic::Diagnostics;
use splc_ir::source::{SourceMap, Span};
use splc_lua::tree::{BinaryOperator, Block, Entry, Expression, ExpressionKind, StatementKind};

/// A level without the parts between its expressions.
pub(crate) struct Texts {
    /// Values of its strings.
    pub literals: Vec<Vec<u8>>,
    /// Chains of `..`, each from its first operand to its last.
    joins: Vec<Span>,
    /// End of the last statement.
    end: usize,
}

/// Reads a level; `None` if it has a syntax error, or is larger than this reader accepts.
pub(crate) fn read(text: &str) -> Option<Texts> {
    let mut sources = SourceMap::new();
    let file = sources.add("", None, text.as_bytes().to_vec());
    let mut diagnostics = Diagnostics::new();
    let chunk = splc_lua::parse(&sources, file, &mut diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let end = chunk.body.statements.last().map_or(0, |statement| statement.span.end as usize);
    let mut texts = Texts { literals: Vec::new(), joins: Vec::new(), end };
    texts.collect(chunk.body);
    Some(texts)
}

/// A part of the tree that is not read yet.
enum Part {
    Block(Block),
    Expression(Expression),
    /// The last operand of a chain.
    Joined(Expression),
}

impl Texts {
    fn collect(&mut self, body: Block) {
        let mut rest = vec![Part::Block(body)];
        while let Some(part) = rest.pop() {
            match part {
                Part::Block(block) => {
                    block.statements.into_iter().for_each(|statement| statement_parts(statement.kind, &mut rest));
                }
                Part::Expression(expression) => self.expression(expression, true, &mut rest),
                Part::Joined(expression) => self.expression(expression, false, &mut rest),
            }
        }
    }

    /// Reads an expression. `whole` is false if it may continue a chain.
    fn expression(&mut self, expression: Expression, whole: bool, rest: &mut Vec<Part>) {
        let Expression { kind, span, .. } = expression;
        let mut add = |expression| rest.push(Part::Expression(expression));
        match kind {
            ExpressionKind::Text(literal) => self.literals.push(literal.value),
            ExpressionKind::Binary(BinaryOperator::Concatenate, operands) => {
                if whole {
                    self.joins.push(span);
                }
                let (first, last) = *operands;
                add(first);
                rest.push(Part::Joined(last));
            }
            ExpressionKind::Binary(_, operands) => {
                add(operands.0);
                add(operands.1);
            }
            ExpressionKind::Unary(_, operand) | ExpressionKind::Parenthesized(operand) => add(*operand),
            ExpressionKind::Field(of, _) => add(*of),
            ExpressionKind::Index(of, key) => {
                add(*of);
                add(*key);
            }
            ExpressionKind::Call(call) => {
                add(call.callee);
                call.arguments.into_iter().for_each(add);
            }
            ExpressionKind::Table(entries) => {
                for entry in entries {
                    match entry {
                        Entry::Item(value) | Entry::Named(_, value) => add(value),
                        Entry::Keyed(key, value) => {
                            add(key);
                            add(value);
                        }
                    }
                }
            }
            ExpressionKind::Function(function) => rest.push(Part::Block(function.body)),
            ExpressionKind::Nil
            | ExpressionKind::Boolean(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Varargs
            | ExpressionKind::Name(_)
            | ExpressionKind::Unread => {}
        }
    }

    /// Returns a script that takes `join` as its argument and returns the level as a function; `None` if the level does
    /// not use `..`.
    pub fn charged(&self, text: &str) -> Option<String> {
        if self.joins.is_empty() {
            return None;
        }
        let mut join = "join".to_owned();
        while text.contains(&join) {
            join.push('_');
        }
        let (before, after) = (format!("({join}("), "))");
        let mut edits: Vec<(usize, &str)> = Vec::with_capacity(2 * self.joins.len() + 1);
        for span in &self.joins {
            edits.push((span.start as usize, &before));
            edits.push((span.end as usize, after));
        }
        // The last line of the level stays the last.
        edits.push((self.end, " end "));
        edits.sort_by_key(|&(at, _)| at);
        let mut script = format!("local {join}=...;return function(...) ");
        let mut copied = 0;
        for (at, edit) in edits {
            script.push_str(text.get(copied..at)?);
            script.push_str(edit);
            copied = at;
        }
        script.push_str(text.get(copied..)?);
        Some(script)
    }
}

/// Adds the blocks and expressions of a statement.
fn statement_parts(statement: StatementKind, rest: &mut Vec<Part>) {
    let mut add = |expressions: Vec<Expression>| rest.extend(expressions.into_iter().map(Part::Expression));
    match statement {
        StatementKind::Local { values, .. } | StatementKind::Return(values) => add(values),
        StatementKind::Assign { targets, values } => {
            add(targets);
            add(values);
        }
        StatementKind::Call(call) => add(vec![call]),
        StatementKind::Do(body) => rest.push(Part::Block(body)),
        StatementKind::While { condition, body } | StatementKind::Repeat { body, condition } => {
            add(vec![condition]);
            rest.push(Part::Block(body));
        }
        StatementKind::If { branches, otherwise } => {
            for (condition, body) in branches {
                rest.push(Part::Expression(condition));
                rest.push(Part::Block(body));
            }
            rest.extend(otherwise.map(Part::Block));
        }
        StatementKind::NumericFor { range: values, body, .. } | StatementKind::GenericFor { values, body, .. } => {
            add(values);
            rest.push(Part::Block(body));
        }
        StatementKind::Function { function, .. } | StatementKind::LocalFunction { function, .. } => {
            rest.push(Part::Block(function.body));
        }
        StatementKind::Break | StatementKind::Goto(_) | StatementKind::Label(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_chain_is_charged_once() {
        let charged = |text: &str| read(text).unwrap().charged(text);
        assert_eq!(charged("local a = 1 + 2 -- .."), None);
        assert_eq!(
            charged("return a .. b .. c -- x").unwrap(),
            "local join=...;return function(...) return (join(a .. b .. c)) end  -- x"
        );
        assert_eq!(
            charged("join((a .. b):f(-c .. 2 ^ d)[e .. f] .. g)").unwrap(),
            "local join_=...;return function(...) \
             join((join_(((join_(a .. b))):f((join_(-c .. 2 ^ d)))[(join_(e .. f))] .. g))) end "
        );
    }
}
