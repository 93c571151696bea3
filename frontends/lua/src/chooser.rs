//! Draws of a loop that keeps its last hit.
//!
//! A file of themed rooms chooses an entry like this:
//!
//! ```lua
//! for i = 1, #entries do
//!    total = total + frequency(entries[i])
//!    if nh.rn2(total) < frequency(entries[i]) then
//!       pick = i
//!    end
//! end
//! ```
//!
//! If nothing else in the loop reads or sets what the hit assigns, then the draws do not depend on each other, and the
//! choice depends only on the last hit. Their probabilities can be multiplied.

use splc_ir::source::Span;

use crate::tree::{
    BinaryOperator, Block, Call, Chunk, Entry, Expression, ExpressionKind, Function, Statement, StatementKind,
};

/// Returns the draw, `nh.rn2(...)`, of each of these global functions that has a loop that keeps its last hit. The draw
/// is the left side of the comparison `<` that decides about the hit, and no other call is part of the condition.
pub fn last_hit_draws(chunk: &Chunk, functions: &[&str]) -> Vec<Span> {
    let wanted = |statement: &Statement| match &statement.kind {
        StatementKind::Function { name, fields, function } if fields.is_empty() => {
            functions.contains(&name.text.as_str()).then(|| draw_of_function(&function.body))?
        }
        _ => None,
    };
    chunk.body.statements.iter().filter_map(wanted).collect()
}

/// Returns the draw of a function's only loop, if it is the only hit in it and independent of earlier hits.
fn draw_of_function(function: &Block) -> Option<Span> {
    let mut found = None;
    for statement in &function.statements {
        let (StatementKind::NumericFor { body, .. } | StatementKind::GenericFor { body, .. }) = &statement.kind else {
            continue;
        };
        let mut hits = Vec::new();
        find_hits(body, &mut hits);
        match (&hits[..], found) {
            ([], _) => {}
            (&[(draw, hit)], None) => found = Some((body, draw, hit)),
            // Draws of a second loop can depend on the hits of the first.
            _ => return None,
        }
    }
    let (body, draw, hit) = found?;
    let is_local = |name: &str| {
        let declares = |statement: &Statement| match &statement.kind {
            StatementKind::Local { names, .. } => names.iter().any(|(known, _)| known.text.as_str() == name),
            _ => false,
        };
        function.statements.iter().any(declares)
    };
    for statement in &hit.statements {
        let StatementKind::Assign { targets, values } = &statement.kind else { return None };
        for target in targets {
            let ExpressionKind::Name(name) = &target.kind else { return None };
            // Elsewhere in the loop, nothing names what the hit keeps.
            let kept = name.as_str();
            let set = |statement: &Statement| match &statement.kind {
                StatementKind::Assign { targets, .. } => targets.iter().map(|target| uses_in(target, kept)).sum(),
                _ => 0,
            };
            if !is_local(kept) || uses(body, kept) != hit.statements.iter().map(set).sum::<usize>() {
                return None;
            }
        }
        if !values.iter().all(is_plain) {
            return None;
        }
    }
    (!hit.statements.is_empty() && !has_function(function)).then_some(draw)
}

/// Returns true if a block contains a function, which can name the block's locals.
fn has_function(block: &Block) -> bool {
    let mut found = false;
    for statement in &block.statements {
        parts(statement, &mut |part| {
            found |= match part {
                Part::Function(_) => true,
                Part::Block(block) => has_function(block),
                Part::Expression(_) | Part::Target(_) => false,
            }
        });
    }
    found
}

/// An expression without calls, functions and tables: its value cannot depend on anything hidden.
fn is_plain(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Nil
        | ExpressionKind::Boolean(_)
        | ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::Text(_)
        | ExpressionKind::Name(_) => true,
        ExpressionKind::Field(of, _) | ExpressionKind::Unary(_, of) | ExpressionKind::Parenthesized(of) => is_plain(of),
        ExpressionKind::Index(of, at) => is_plain(of) && is_plain(at),
        ExpressionKind::Binary(_, sides) => is_plain(&sides.0) && is_plain(&sides.1),
        _ => false,
    }
}

/// Finds `if ... nh.rn2(...) < ... then ... end` in a block and the blocks in it, except for those of inner loops.
fn find_hits<'a>(block: &'a Block, hits: &mut Vec<(Span, &'a Block)>) {
    for statement in &block.statements {
        match &statement.kind {
            StatementKind::If { branches, otherwise } => {
                if let ([(condition, then)], None) = (&branches[..], otherwise)
                    && let Some(draw) = draw_of(condition)
                {
                    hits.push((draw, then));
                    continue;
                }
                branches.iter().for_each(|(_, then)| find_hits(then, hits));
                otherwise.iter().for_each(|block| find_hits(block, hits));
            }
            StatementKind::Do(block) => find_hits(block, hits),
            _ => {}
        }
    }
}

/// Returns the draw that alone decides a condition after plain ones: `plain and nh.rn2(plain) < plain`.
fn draw_of(condition: &Expression) -> Option<Span> {
    match &condition.kind {
        ExpressionKind::Parenthesized(inner) => draw_of(inner),
        ExpressionKind::Binary(BinaryOperator::And, sides) if is_plain(&sides.0) => draw_of(&sides.1),
        ExpressionKind::Binary(BinaryOperator::Less, sides) if is_plain(&sides.1) => {
            let ExpressionKind::Call(call) = &sides.0.kind else { return None };
            let Call { callee, arguments, method, .. } = &**call;
            let ExpressionKind::Field(table, name) = &callee.kind else { return None };
            let of_nh = matches!(&table.kind, ExpressionKind::Name(table) if table.as_str() == "nh");
            let draws = of_nh && name.text.as_str() == "rn2" && method.is_none() && arguments.iter().all(is_plain);
            draws.then_some(sides.0.span)
        }
        _ => None,
    }
}

/// A part of a statement or expression.
enum Part<'a> {
    Block(&'a Block),
    Function(&'a Function),
    Expression(&'a Expression),
    /// A variable that is assigned.
    Target(&'a Expression),
}

/// Calls `with` for the direct parts of a statement, including functions in its expressions.
fn parts<'a>(statement: &'a Statement, with: &mut dyn FnMut(Part<'a>)) {
    let expressions = |list: &'a [Expression], with: &mut dyn FnMut(Part<'a>)| {
        for expression in list {
            with(Part::Expression(expression));
            functions_of(expression, with);
        }
    };
    match &statement.kind {
        StatementKind::Local { values, .. } | StatementKind::Return(values) => expressions(values, with),
        StatementKind::Assign { targets, values } => {
            targets.iter().for_each(|target| with(Part::Target(target)));
            expressions(values, with);
        }
        StatementKind::Call(call) => expressions(std::slice::from_ref(call), with),
        StatementKind::Do(block) => with(Part::Block(block)),
        StatementKind::While { condition, body } | StatementKind::Repeat { condition, body } => {
            expressions(std::slice::from_ref(condition), with);
            with(Part::Block(body));
        }
        StatementKind::If { branches, otherwise } => {
            for (condition, then) in branches {
                expressions(std::slice::from_ref(condition), with);
                with(Part::Block(then));
            }
            otherwise.iter().for_each(|block| with(Part::Block(block)));
        }
        StatementKind::NumericFor { range, body, .. } => {
            expressions(range, with);
            with(Part::Block(body));
        }
        StatementKind::GenericFor { values, body, .. } => {
            expressions(values, with);
            with(Part::Block(body));
        }
        StatementKind::Function { function, .. } | StatementKind::LocalFunction { function, .. } => {
            with(Part::Function(function));
        }
        StatementKind::Break | StatementKind::Goto(_) | StatementKind::Label(_) => {}
    }
}

/// Calls `with` for the functions in an expression, but not for those inside them.
fn functions_of<'a>(expression: &'a Expression, with: &mut dyn FnMut(Part<'a>)) {
    if let ExpressionKind::Function(function) = &expression.kind {
        with(Part::Function(function));
        return;
    }
    children(expression, &mut |child| functions_of(child, with));
}

/// Calls `with` for the direct operands of an expression.
fn children<'a>(expression: &'a Expression, with: &mut dyn FnMut(&'a Expression)) {
    match &expression.kind {
        ExpressionKind::Field(of, _) | ExpressionKind::Unary(_, of) | ExpressionKind::Parenthesized(of) => with(of),
        ExpressionKind::Index(of, at) => {
            with(of);
            with(at);
        }
        ExpressionKind::Binary(_, sides) => {
            with(&sides.0);
            with(&sides.1);
        }
        ExpressionKind::Call(call) => {
            with(&call.callee);
            call.arguments.iter().for_each(with);
        }
        ExpressionKind::Table(entries) => {
            for entry in entries {
                if let Entry::Keyed(key, _) = entry {
                    with(key);
                }
                with(entry.value());
            }
        }
        _ => {}
    }
}

/// Counts the uses of a name in a block: everything that reads or sets it.
fn uses(block: &Block, name: &str) -> usize {
    let mut count = 0;
    for statement in &block.statements {
        parts(statement, &mut |part| {
            count += match part {
                Part::Block(block) => uses(block, name),
                Part::Function(function) => uses(&function.body, name),
                Part::Expression(expression) | Part::Target(expression) => uses_in(expression, name),
            }
        });
    }
    count
}

fn uses_in(expression: &Expression, name: &str) -> usize {
    let mut count = usize::from(matches!(&expression.kind, ExpressionKind::Name(text) if text.as_str() == name));
    children(expression, &mut |child| count += uses_in(child, name));
    count
}

#[cfg(test)]
mod tests {
    use splc_ir::diagnostic::Diagnostics;
    use splc_ir::source::SourceMap;

    use super::*;

    fn draws(body: &str) -> Vec<String> {
        let mut sources = SourceMap::new();
        let text = format!("function choose()\n{body}\nend\n");
        let file = sources.add("themes.lua", None, text.into_bytes());
        let mut diagnostics = Diagnostics::default();
        let chunk = crate::parse(&sources, file, &mut diagnostics);
        assert!(!diagnostics.has_errors(), "{body}");
        last_hit_draws(&chunk, &["choose"]).into_iter().map(|span| sources.text(span).to_owned()).collect()
    }

    #[test]
    fn a_loop_that_keeps_its_last_hit_is_found() {
        let body = "local pick, total = nil, 0\nfor i = 1, #list do if fits(list[i]) then total = total + list[i].f\n\
                    if list[i].f > 0 and nh.rn2(total) < list[i].f then pick = i end end end\nlist[pick].contents()";
        assert_eq!(draws(body), ["nh.rn2(total)"]);
    }

    #[test]
    fn loops_whose_draws_depend_on_earlier_hits_are_not() {
        for body in [
            "local pick for i = 1, 9 do if pick == nil and nh.rn2(i) < 1 then pick = i end end",
            "local pick for i = 1, 9 do if nh.rn2(i) < 1 then pick = i end if pick then break end end",
            "local count = 0 for i = 1, 9 do if nh.rn2(i) < 1 then count = count + 1 end end",
            "for i = 1, 9 do if nh.rn2(i) < 1 then pick = i end end",
            "local pick for i = 1, 9 do if nh.rn2(i) < 1 then pick = i else other() end end",
            "local pick local f = function() return pick end for i = 1, 9 do if nh.rn2(f()) < 1 then pick = i end end",
            "local a, b for i = 1, 9 do if nh.rn2(i) < 1 then a = i end end \
             for i = 1, a do if nh.rn2(i) < 1 then b = i end end",
            "local pick for i = 1, 9 do if nh.rn2(i) < 1 then pick = nh.rn2(3) end end",
            "local pick for i = 1, 9 do if nh.rn2(i) == 0 then pick = i end end",
        ] {
            assert_eq!(draws(body), [] as [&str; 0], "{body}");
        }
    }
}
