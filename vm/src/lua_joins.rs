//! The texts that a level contains, and those that it makes with `..`.
//!
//! No function runs when a level joins texts with `..`, so nothing could charge for it. The level is therefore compiled
//! with a call around each such expression: `a .. b` becomes `(join(a .. b))`, where `join` charges for the text and
//! returns it. The errors of `..` remain Lua's. Lines do not change.

use std::collections::HashMap;

use splc_ir::diagnostic::Diagnostics;
use splc_ir::order::Order;
use splc_ir::source::{SourceMap, Span, Text};
use splc_lua::tree::{
    BinaryOperator, Block, Entry, Expression, ExpressionKind, Statement, StatementKind, UnaryOperator,
};

/// A level without the parts between its expressions.
pub(crate) struct Texts {
    /// Values of its strings.
    pub literals: Vec<Vec<u8>>,
    /// Chains of `..`, each from its first operand to its last.
    joins: Vec<Span>,
    /// Declarations of a single local, whose value can be computed without an effect.
    locals: Vec<(Text, Span)>,
    comments: Vec<Span>,
    strings: Vec<Span>,
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
    let mut texts = Texts {
        literals: Vec::new(),
        joins: Vec::new(),
        locals: Vec::new(),
        comments: chunk.comments,
        strings: Vec::new(),
        end,
    };
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
                    for Statement { kind, span } in block.statements {
                        if let StatementKind::Local { names, values } = &kind
                            && let [(name, None)] = names.as_slice()
                            && values.iter().all(is_without_effect)
                        {
                            self.locals.push((name.text.clone(), span));
                        }
                        statement_parts(kind, &mut rest);
                    }
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
            ExpressionKind::Text(literal) => {
                self.strings.push(span);
                self.literals.push(literal.value);
            }
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

    /// Returns the script in as few lines as possible, without comments and without the locals that it declares and
    /// never mentions again.
    pub fn bare(&self, text: &str) -> String {
        fn blank(script: &mut [u8], span: Span) -> &mut [u8] {
            let blanked = script.get_mut(span.start as usize..span.end as usize).unwrap_or_default();
            blanked.fill(b' ');
            blanked
        }
        let mut script = text.as_bytes().to_vec();
        let mut kept: Vec<bool> = vec![false; script.len()];
        for span in &self.strings {
            kept.get_mut(span.start as usize..span.end as usize).unwrap_or_default().fill(true);
        }
        for (byte, _) in script.iter_mut().zip(kept).filter(|(byte, kept)| matches!(**byte, b'\n' | b'\r') && !kept) {
            *byte = b' ';
        }
        self.comments.iter().for_each(|&span| _ = blank(&mut script, span));
        let mut mentions: HashMap<&str, usize> = self.locals.iter().map(|(name, _)| (name.as_str(), 0)).collect();
        for word in script.split(|&byte| !byte.is_ascii_alphanumeric() && byte != b'_') {
            if let Some(count) = std::str::from_utf8(word).ok().and_then(|word| mentions.get_mut(word)) {
                *count += 1;
            }
        }
        for (name, span) in &self.locals {
            if mentions.get(name.as_str()) == Some(&1)
                && let Some(first) = blank(&mut script, *span).first_mut()
            {
                // The next statement must not continue the one before it.
                *first = b';';
            }
        }
        String::from_utf8(script).unwrap_or_else(|_| text.to_owned())
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
        edits.order_by_key(|&(at, _)| at);
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

/// Returns true for an expression that draws nothing, fails never and changes nothing.
fn is_without_effect(expression: &Expression) -> bool {
    let mut rest = vec![expression];
    while let Some(Expression { kind, .. }) = rest.pop() {
        match kind {
            ExpressionKind::Nil
            | ExpressionKind::Boolean(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Text(_)
            | ExpressionKind::Function(_) => {}
            ExpressionKind::Parenthesized(inner) => rest.push(inner),
            ExpressionKind::Unary(UnaryOperator::Minus, of)
                if matches!(of.kind, ExpressionKind::Integer(_) | ExpressionKind::Float(_)) => {}
            ExpressionKind::Table(entries) if !entries.iter().any(|entry| matches!(entry, Entry::Keyed(..))) => {
                rest.extend(entries.iter().map(Entry::value));
            }
            _ => return false,
        }
    }
    true
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
    fn comments_and_unused_locals_go() {
        let bare = |text: &str| read(text).unwrap().bare(text);
        let declared = " ".repeat("local a = { 1, \"x\" }".len());
        assert_eq!(bare("f()\nlocal a = { 1, \"x\" }\n(g)() -- a"), format!("f() ;{declared}(g)()     "));
        assert_eq!(bare("f([[\n]])\n"), "f([[\n]]) ");
        for used in
            ["local a = 1 f('a')", "local a = f()", "local a, b = 1", "local a <const> = 1", "local a = {} .. x"]
        {
            assert_eq!(bare(used), used);
        }
    }

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
