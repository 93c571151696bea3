//! The structure of a file: symbols, folds, selections.

use std::ops::Range;

use gen_lsp_types as lsp;
use splc_ir::level::*;
use splc_ir::order::Order;
use splc_ir::source::Span;
use splc_lua::tree;

use crate::dungeon;
use crate::view::{Language, View, symbol};
use crate::words::Kind;

/// Most characters of a statement in an outline.
const WIDTH: usize = 60;

/// Returns the symbols of a file: levels with their parts, functions, variables.
pub(crate) fn symbols(view: &View) -> Vec<lsp::DocumentSymbol> {
    match view.language {
        Language::Des => view.module().map_or_else(Vec::new, |module| items(view, &module.items)),
        Language::Lua => script_symbols(view, &view.chunk().body),
        Language::Dungeon => dungeon::symbols(view),
        Language::Other => Vec::new(),
    }
}

fn items(view: &View, items: &[Item]) -> Vec<lsp::DocumentSymbol> {
    let one = |item: &Item| match item {
        Item::Function(function) => symbol(
            view,
            function.name.node.to_string(),
            String::new(),
            lsp::SymbolKind::Function,
            function.span,
            function.name.span,
            block(view, &function.body),
        ),
        // The items of the other file are not in this one.
        Item::Include { path, .. } => symbol(
            view,
            path.node.to_string(),
            "INCLUDE".to_owned(),
            lsp::SymbolKind::File,
            path.span,
            path.span,
            vec![],
        ),
        Item::Level(level) => symbol(
            view,
            level.name.node.to_string(),
            "level".to_owned(),
            lsp::SymbolKind::Module,
            level.span,
            level.name.span,
            block(view, &level.body),
        ),
    };
    items.iter().filter_map(one).collect()
}

fn block(view: &View, statements: &[Statement]) -> Vec<lsp::DocumentSymbol> {
    statements.iter().filter_map(|statement| of_statement(view, statement)).collect()
}

fn of_statement(view: &View, statement: &Statement) -> Option<lsp::DocumentSymbol> {
    use lsp::SymbolKind as Is;
    let (kind, children) = match &statement.kind {
        StatementKind::Map(_) => (Is::Struct, Vec::new()),
        StatementKind::Room(room) => (Is::Namespace, block(view, &room.body)),
        StatementKind::Region(region) => {
            (Is::Namespace, region.body.as_deref().map_or_else(Vec::new, |body| block(view, body)))
        }
        StatementKind::Monster(monster) => {
            (Is::Class, monster.inventory.as_deref().map_or_else(Vec::new, |body| block(view, body)))
        }
        StatementKind::Object(_) | StatementKind::Gold { .. } => (Is::Object, Vec::new()),
        StatementKind::Trap { .. } => (Is::Event, Vec::new()),
        StatementKind::Define { .. } | StatementKind::Registers { .. } => (Is::Variable, Vec::new()),
        StatementKind::Function(function) => (Is::Function, block(view, &function.body)),
        StatementKind::Call { .. } => (Is::Method, Vec::new()),
        StatementKind::If { then, otherwise, .. } => (
            Is::Operator,
            block(view, then).into_iter().chain(block(view, otherwise.as_deref().unwrap_or_default())).collect(),
        ),
        StatementKind::Chance { then, .. } => (Is::Operator, of_statement(view, then).into_iter().collect()),
        StatementKind::Switch { cases, .. } => {
            (Is::Enum, cases.iter().flat_map(|case| block(view, &case.body)).collect())
        }
        StatementKind::For { body, .. } | StatementKind::Loop { body, .. } => (Is::Operator, block(view, body)),
        StatementKind::Stair { .. } | StatementKind::Ladder { .. } | StatementKind::LevelRegion(_) => {
            (Is::Interface, Vec::new())
        }
        StatementKind::Error => return None,
        _ => (Is::Property, Vec::new()),
    };
    let text = view.text().get(view.span(statement.span)?)?;
    let head = text.lines().next().unwrap_or("").trim_end().trim_end_matches('{').trim_end();
    let shown: String = head.chars().take(WIDTH).collect();
    symbol(view, shown, String::new(), kind, statement.span, statement.span, children)
}

fn script_symbols(view: &View, body: &tree::Block) -> Vec<lsp::DocumentSymbol> {
    use tree::StatementKind as Is;
    let mut found = Vec::new();
    for statement in &body.statements {
        let (name, kind, span, children) = match &statement.kind {
            Is::LocalFunction { name, function } => {
                (name.text.to_string(), lsp::SymbolKind::Function, name.span, script_symbols(view, &function.body))
            }
            Is::Function { name, fields, function } => {
                let full =
                    std::iter::once(name).chain(fields).map(|name| name.text.as_str()).collect::<Vec<_>>().join(".");
                (full, lsp::SymbolKind::Function, name.span, script_symbols(view, &function.body))
            }
            Is::Local { names, .. } => {
                let Some((first, _)) = names.first() else { continue };
                let all = names.iter().map(|(name, _)| name.text.as_str()).collect::<Vec<_>>().join(", ");
                (all, lsp::SymbolKind::Variable, first.span, Vec::new())
            }
            Is::Call(call) => {
                let Some((name, children)) = call_symbol(view, call) else { continue };
                (name, lsp::SymbolKind::Method, call.span, children)
            }
            Is::If { branches, otherwise } => {
                found.extend(branches.iter().flat_map(|(_, block)| script_symbols(view, block)));
                found.extend(otherwise.iter().flat_map(|block| script_symbols(view, block)));
                continue;
            }
            Is::While { body, .. }
            | Is::Repeat { body, .. }
            | Is::NumericFor { body, .. }
            | Is::GenericFor { body, .. }
            | Is::Do(body) => {
                found.extend(script_symbols(view, body));
                continue;
            }
            _ => continue,
        };
        found.extend(symbol(view, name, String::new(), kind, statement.span, span, children));
    }
    found
}

/// Returns the first line of a call of the game, and the symbols in the function that it takes.
fn call_symbol(view: &View, expression: &tree::Expression) -> Option<(String, Vec<lsp::DocumentSymbol>)> {
    let tree::ExpressionKind::Call(call) = &expression.kind else { return None };
    let tree::ExpressionKind::Field(library, _) = &call.callee.kind else { return None };
    let tree::ExpressionKind::Name(library) = &library.kind else { return None };
    if library.as_str() != "des" {
        return None;
    }
    let text = view.text().get(view.span(expression.span)?)?;
    let shown: String = text.lines().next().unwrap_or("").chars().take(WIDTH).collect();
    let mut children = Vec::new();
    for argument in &call.arguments {
        match &argument.kind {
            tree::ExpressionKind::Function(function) => children.extend(script_symbols(view, &function.body)),
            tree::ExpressionKind::Table(entries) => {
                for entry in entries {
                    if let tree::ExpressionKind::Function(function) = &entry.value().kind {
                        children.extend(script_symbols(view, &function.body));
                    }
                }
            }
            _ => {}
        }
    }
    Some((shown, children))
}

/// Returns the parts of a file that can be folded: blocks, maps, levels, comments.
pub(crate) fn folds(view: &View) -> Vec<lsp::FoldingRange> {
    let mut folds: Vec<(Range<usize>, Option<lsp::FoldingRangeKind>)> = Vec::new();
    match view.language {
        Language::Des => {
            let mut open = Vec::new();
            let mut comments: Option<Range<usize>> = None;
            for word in view.words() {
                if word.kind != Kind::Comment || !is_next_line(view, comments.as_ref(), word.start) {
                    folds.extend(comments.take().map(|range| (range, Some(lsp::FoldingRangeKind::Comment))));
                }
                match word.kind {
                    Kind::Map => folds.push((word.start..word.end, Some(lsp::FoldingRangeKind::Region))),
                    Kind::Sign(b'{') => open.push(word.start),
                    Kind::Sign(b'}') => folds.extend(open.pop().map(|start| (start..word.start, None))),
                    Kind::Comment => {
                        let start = comments.as_ref().map_or(word.start, |range| range.start);
                        comments = Some(start..word.end);
                    }
                    _ => {}
                }
            }
            folds.extend(comments.map(|range| (range, Some(lsp::FoldingRangeKind::Comment))));
            let levels = view.module().map_or_else(Vec::new, |module| module.levels().collect());
            for level in levels {
                if let Some(range) = view.span(level.span) {
                    let text = view.text().get(range.clone()).unwrap_or_default();
                    folds.push((range.start..range.start + text.trim_end().len(), None));
                }
            }
        }
        Language::Lua => block_folds(view, &view.chunk().body, &mut folds),
        Language::Dungeon => folds.extend(dungeon::folds(view).into_iter().map(|range| (range, None))),
        Language::Other => {}
    }
    let line = |offset| view.text.line_of(offset) as u32;
    let fold = |(range, kind): (Range<usize>, _)| lsp::FoldingRange {
        start_line: line(range.start),
        start_character: None,
        end_line: line(range.end),
        end_character: None,
        kind,
        collapsed_text: None,
    };
    let mut all: Vec<lsp::FoldingRange> =
        folds.into_iter().map(fold).filter(|fold| fold.start_line < fold.end_line).collect();
    all.order_by_key(|fold| (fold.start_line, fold.end_line));
    all.dedup_by_key(|fold| fold.start_line);
    all
}

fn is_next_line(view: &View, before: Option<&Range<usize>>, start: usize) -> bool {
    before.is_none_or(|before| view.text.line_of(before.end) + 1 == view.text.line_of(start))
}

fn block_folds(view: &View, block: &tree::Block, folds: &mut Vec<(Range<usize>, Option<lsp::FoldingRangeKind>)>) {
    for statement in &block.statements {
        if let Some(range) = view.span(statement.span) {
            folds.push((range, None));
        }
        script_blocks(statement, &mut |block| block_folds(view, block, folds));
    }
}

/// Calls `work` with each block in a statement of a script, those of functions in its values included.
fn script_blocks(statement: &tree::Statement, work: &mut dyn FnMut(&tree::Block)) {
    use tree::StatementKind as Is;
    match &statement.kind {
        Is::Do(body)
        | Is::While { body, .. }
        | Is::Repeat { body, .. }
        | Is::NumericFor { body, .. }
        | Is::GenericFor { body, .. } => {
            work(body);
        }
        Is::If { branches, otherwise } => {
            branches.iter().for_each(|(_, block)| work(block));
            otherwise.iter().for_each(work);
        }
        Is::Function { function, .. } | Is::LocalFunction { function, .. } => work(&function.body),
        Is::Local { values, .. } | Is::Assign { values, .. } | Is::Return(values) => {
            values.iter().for_each(|value| functions(value, work));
        }
        Is::Call(call) => functions(call, work),
        Is::Break | Is::Goto(_) | Is::Label(_) => {}
    }
}

fn functions(expression: &tree::Expression, work: &mut dyn FnMut(&tree::Block)) {
    match &expression.kind {
        tree::ExpressionKind::Function(function) => work(&function.body),
        tree::ExpressionKind::Call(call) => call.arguments.iter().for_each(|argument| functions(argument, work)),
        tree::ExpressionKind::Table(entries) => entries.iter().for_each(|entry| functions(entry.value(), work)),
        tree::ExpressionKind::Parenthesized(inner) => functions(inner, work),
        _ => {}
    }
}

/// Returns the selections around `offset`, from the word to the file.
pub(crate) fn selection(view: &View, offset: usize) -> lsp::SelectionRange {
    let text = view.text();
    let mut ranges: Vec<Range<usize>> =
        vec![view.text.word(offset), view.text.line(view.text.line_of(offset)), 0..text.len()];
    match view.language {
        Language::Des => {
            ranges.extend(
                view.words()
                    .iter()
                    .filter(|word| word.start <= offset && offset <= word.end)
                    .map(|word| word.start..word.end),
            );
            let mut spans = Spans { offset, view, found: Vec::new() };
            if let Some(module) = view.module() {
                splc_ir::visit::Visit::module(&mut spans, module);
            }
            ranges.extend(spans.found);
        }
        Language::Lua => around(view, &view.chunk().body, offset, &mut ranges),
        Language::Dungeon | Language::Other => {}
    }
    ranges.retain(|range| range.start <= offset && offset <= range.end && range.end <= text.len());
    ranges.order_by_key(|range| range.len());
    // Each must contain the one before it.
    let mut nested: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        let fits =
            nested.last().is_none_or(|last| *last != range && range.start <= last.start && last.end <= range.end);
        if fits {
            nested.push(range);
        }
    }
    let mut whole: Option<Box<lsp::SelectionRange>> = None;
    for range in nested.into_iter().rev() {
        whole = Some(Box::new(lsp::SelectionRange { range: view.range(range), parent: whole }));
    }
    whole.map_or_else(|| lsp::SelectionRange { range: view.range(offset..offset), parent: None }, |whole| *whole)
}

fn around(view: &View, block: &tree::Block, offset: usize, ranges: &mut Vec<Range<usize>>) {
    for statement in &block.statements {
        if let Some(range) = view.span(statement.span).filter(|range| range.start <= offset && offset <= range.end) {
            ranges.push(range);
            script_blocks(statement, &mut |block| around(view, block, offset, ranges));
        }
    }
}

/// Collects the spans around an offset.
struct Spans<'a> {
    offset: usize,
    view: &'a View,
    found: Vec<Range<usize>>,
}

impl<'t> splc_ir::visit::Visit<'t> for Spans<'_> {
    fn span(&mut self, span: &'t Span) {
        let range = self.view.span(*span).filter(|range| range.start <= self.offset && self.offset <= range.end);
        self.found.extend(range);
    }
}
