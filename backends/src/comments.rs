//! Placement of source comments between the two blocks of a condition.

use splc_ir::level::{Statement, Trivia, TriviaKind};
use splc_ir::source::Span;

/// Returns the end of the ELSE of the condition at `span`, whose second block is `otherwise`. `waiting` are the
/// comments of its file that have not been written yet, in order. Comments before the returned end belong to the first
/// block.
pub(crate) fn end_of_else<'t>(
    waiting: impl Iterator<Item = &'t Trivia>,
    span: Span,
    otherwise: &[Statement],
) -> Option<u32> {
    let second = otherwise.iter().find_map(|statement| statement.span.somewhere());
    let end = second.filter(|second| second.file == span.file).map_or(span.end, |second| second.start);
    // The ELSEs of nested conditions in the first block come first.
    let before = waiting.take_while(|trivia| trivia.span.start < end);
    before.filter(|trivia| trivia.kind == TriviaKind::Else).last().map(|word| word.span.end)
}
