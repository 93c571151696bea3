//! Changes of the statement under the cursor, or of the selected statements.
//!
//! A change is a list of edits of the text. It is offered only if the file has no more errors afterwards than before,
//! so that none of the modules below has to know every rule of every game.

mod arrays;
mod blocks;
mod functions;
mod mirror;
mod places;
mod rewrite;
mod script;
mod stairs;

use std::ops::Range;

use gen_lsp_types as lsp;
use splc_driver::{NoIncludes, read};
use splc_ir::diagnostic::{Diagnostics, Severity};
use splc_ir::level::{Function, Level, Statement};
use splc_ir::visit::{Visit, walk};

use self::rewrite::{Rewrite, Subject, extent};
use crate::layout::input;
use crate::server::Server;
use crate::view::{Language, View, change};

/// Returns the changes of the statements at `range` of a des-file or script.
pub(crate) fn rewrites(server: &Server, view: &View, range: Range<usize>) -> Vec<lsp::CodeAction> {
    let mut found = match view.language {
        Language::Des => arrays::of_registers(view, &range),
        Language::Lua => script::rewrites(view, &range),
        Language::Dungeon | Language::Other => Vec::new(),
    };
    if let Some(module) = view.module() {
        let subject = Subject { level: None, function: None, around: Vec::new(), selected: &[] };
        let mut finder = Finder { range, view, subject, open: Vec::new() };
        finder.module(module);
        let subject = finder.subject;
        found.extend(blocks::rewrites(view, &subject));
        found.extend(functions::inline(view, &subject));
        found.extend(functions::extract(view, &subject));
        found.extend(places::moves(view, &subject));
        found.extend(places::of_the_level(server, view, &subject));
        found.extend(mirror::mirrors(view, &subject));
        found.extend(stairs::missing(view, &subject));
    }
    found.retain(|rewrite| is_as_correct(server, view, rewrite));
    found.iter().map(|rewrite| action(view, rewrite)).collect()
}

fn action(view: &View, rewrite: &Rewrite) -> lsp::CodeAction {
    let edit = |(range, new): &(Range<usize>, String)| lsp::TextEdit {
        range: view.range(range.clone()),
        new_text: new.clone(),
    };
    lsp::CodeAction {
        title: rewrite.title.clone(),
        kind: Some(rewrite.kind.clone()),
        edit: Some(change(view, rewrite.edits.iter().map(edit).collect())),
        ..Default::default()
    }
}

/// Returns true if the file has no more errors after a change than before.
fn is_as_correct(server: &Server, view: &View, rewrite: &Rewrite) -> bool {
    let Some((mut input, options)) = input(server, view) else { return false };
    input.bytes = rewrite.applied(view.text()).into_bytes();
    let faults = |found: &Diagnostics| {
        let warnings = found.iter().filter(|known| known.severity == Severity::Warning).count();
        (found.errors(), if rewrite.keeps_warnings { warnings } else { 0 })
    };
    let before = view.diagnostics().map_or((0, 0), &faults);
    // Included files are the same before and after, but may be missing here.
    let includes = view.sources().map_or(0, |sources| sources.len()) > 1;
    includes
        || read(input, &options, &mut NoIncludes).is_ok_and(|after| {
            let after = faults(&after.diagnostics);
            after.0 <= before.0 && after.1 <= before.1
        })
}

/// Finds the statements that a change is about.
struct Finder<'v, 't> {
    range: Range<usize>,
    view: &'v View,
    subject: Subject<'t>,
    open: Vec<&'t Statement>,
}

impl<'t> Visit<'t> for Finder<'_, 't> {
    fn level(&mut self, level: &'t Level) {
        if self.view.span(level.span).is_some_and(|span| span.start <= self.range.start && self.range.start < span.end)
        {
            self.subject.level = Some(level);
            walk::level(self, level);
        }
    }

    fn function(&mut self, function: &'t Function) {
        let contains = |span: Range<usize>| span.start <= self.range.start && self.range.start <= span.end;
        if self.view.span(function.span).is_some_and(contains) {
            self.subject.function = self.subject.function.or(Some(function));
            walk::function(self, function);
        }
    }

    fn block(&mut self, block: &'t [Statement]) {
        let extents: Vec<Range<usize>> =
            block.iter().map(|statement| extent(self.view, statement).unwrap_or(usize::MAX..usize::MAX)).collect();
        let first = extents.iter().position(|extent| extent.end > self.range.start).unwrap_or(block.len());
        let last = extents.iter().rposition(|extent| extent.start < self.range.end).map_or(0, |last| last + 1);
        let is_whole = |inner: &Range<usize>| self.range.start <= inner.start && inner.end <= self.range.end;
        // The outermost block of which whole statements are selected.
        if self.subject.selected.is_empty() && first < last && extents[first..last].iter().all(is_whole) {
            self.subject.selected = &block[first..last];
        }
        walk::block(self, block);
    }

    fn statement(&mut self, statement: &'t Statement) {
        let contains = |span: Range<usize>| span.start <= self.range.start && self.range.start <= span.end;
        let is_around = self.view.span(statement.span).is_some_and(contains);
        let touches = |span: Range<usize>| span.start < self.range.end && self.range.start <= span.end;
        if is_around || self.view.span(statement.span).is_some_and(touches) {
            self.open.push(statement);
            if is_around {
                self.subject.around.clone_from(&self.open);
            }
            walk::statement(self, statement);
            self.open.pop();
        }
    }
}
