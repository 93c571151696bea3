//! stub
use super::lexer::Token;
use lalrpop_util::ParseError;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::source::{FileId, Source, Span};
pub(super) fn map_stranger(text: &str, file: FileId, at: usize, catalog: &Catalog) -> Diagnostic {
    let _ = (text, catalog);
    Diagnostic::new(Code::MapText, Span::new(file, at, at + 1), "no map character")
}
pub(super) fn unfinished_map(text: &str, file: FileId, start: usize, at: usize) -> Diagnostic {
    let _ = (text, start);
    Diagnostic::new(Code::MapText, Span::new(file, at, at + 1), "no ENDMAP")
}
pub(super) fn stray_map(span: Span) -> Diagnostic {
    Diagnostic::new(Code::Placement, span, "MAP without GEOMETRY")
}
pub(super) fn door_of_a_map(span: Span) -> Diagnostic {
    Diagnostic::new(Code::Door, span, "form")
}
pub(super) fn door_of_a_room(span: Span) -> Diagnostic {
    Diagnostic::new(Code::Door, span, "form")
}
pub(super) fn explain(
    source: &Source,
    file: FileId,
    catalog: &Catalog,
    start: usize,
    error: &ParseError<usize, Token<'_>, ()>,
) -> Diagnostic {
    let _ = (source, catalog);
    let at = match error {
        ParseError::UnrecognizedToken { token, .. } => token.0,
        ParseError::UnrecognizedEof { location, .. } => *location,
        _ => start,
    };
    Diagnostic::new(Code::Syntax, Span::new(file, at, at), "syntax")
}
