//! A change, the statements that it is about, and how its text is laid out.

use std::ops::Range;

use gen_lsp_types as lsp;
use splc_ir::level::{Function, Level, Statement};
use splc_ir::order::Order;

use crate::view::View;

/// A change: the text of each range is replaced. The ranges do not overlap.
pub(crate) struct Rewrite {
    pub title: String,
    pub kind: lsp::CodeActionKind,
    pub edits: Vec<(Range<usize>, String)>,
    /// Set if the change must not add warnings either.
    pub keeps_warnings: bool,
}

impl Rewrite {
    pub fn new(title: impl Into<String>, edits: Vec<(Range<usize>, String)>) -> Self {
        Rewrite { title: title.into(), kind: lsp::CodeActionKind::RefactorRewrite, edits, keeps_warnings: false }
    }

    pub fn of_kind(mut self, kind: lsp::CodeActionKind) -> Self {
        self.kind = kind;
        self
    }

    pub fn without_new_warnings(mut self) -> Self {
        self.keeps_warnings = true;
        self
    }

    /// Returns `text` after the change.
    pub fn applied(&self, text: &str) -> String {
        let mut edits: Vec<_> = self.edits.iter().collect();
        edits.order_by_key(|(range, _)| range.start);
        let (mut new, mut at) = (String::with_capacity(text.len()), 0);
        for (range, with) in edits {
            new.push_str(text.get(at..range.start).unwrap_or_default());
            new.push_str(with);
            at = range.end;
        }
        new.push_str(text.get(at..).unwrap_or_default());
        new
    }
}

/// The statements that a change is about.
pub(crate) struct Subject<'t> {
    /// The level around the range.
    pub level: Option<&'t Level>,
    /// The outermost FUNCTION around the range.
    pub function: Option<&'t Function>,
    /// The statements around the start of the range, outermost first. The last is the one under the cursor.
    pub around: Vec<&'t Statement>,
    /// The selected statements, all in one block; empty without a selection of whole statements.
    pub selected: &'t [Statement],
}

impl<'t> Subject<'t> {
    /// Returns the selected statements, or the one under the cursor.
    pub fn statements(&self) -> Vec<&'t Statement> {
        if self.selected.is_empty() {
            self.around.last().copied().into_iter().collect()
        } else {
            self.selected.iter().collect()
        }
    }
}

/// Returns the blanks before the text of the line that contains `offset`.
pub(super) fn indent(view: &View, offset: usize) -> &str {
    let line = view.text.line_text(view.text.line_of(offset));
    &line[..line.len() - line.trim_start().len()]
}

/// The ways in which things move: the word, and the step.
pub(super) const WAYS: [(&str, [i32; 2]); 4] =
    [("left", [-1, 0]), ("right", [1, 0]), ("up", [0, -1]), ("down", [0, 1])];

/// Returns the title of a change that moves something.
pub(super) fn move_title(way: &str) -> String {
    format!("Move {way} by one square")
}

/// Returns the range of the text of `statement`, without blanks after it.
pub(super) fn extent(view: &View, statement: &Statement) -> Option<Range<usize>> {
    let range = view.span(statement.span)?;
    let text = view.text().get(range.clone())?;
    Some(range.start..range.start + text.trim_end().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_apply_in_any_order() {
        let edits = vec![(4..5, "E".to_owned()), (0..1, "AA".to_owned()), (2..2, "-".to_owned())];
        assert_eq!(Rewrite::new("", edits).applied("abcdef"), "AAb-cdEf");
    }
}
