//! The tokens and comments of a des-file as pieces of its text, for formatters that do not need their meaning.

use splc_ir::catalog::{Catalog, Format};
use splc_ir::diagnostic::Severity;
use splc_ir::source::{FileId, Lexeme, LexemeKind, Source};

use crate::{nethack343, script};

/// Splits a des-file into its tokens, maps and comments, in order. The text between them is blank.
///
/// Returns `None` if the text contains something that is not a token in the dialect of `catalog`. The tokens need not
/// form statements.
pub fn lexemes(source: &Source, file: FileId, catalog: &Catalog) -> Option<Vec<Lexeme>> {
    let text = source.text.as_str();
    let mut pieces = Pieces { text, at: 0, pieces: Vec::new() };
    match catalog.format {
        Format::Opcodes => {
            let mut lexer = script::lexer::Lexer::new(text, file, catalog);
            for (start, token, end) in &mut lexer {
                pieces.token(start, end, matches!(token, script::lexer::Token::Map(_)))?;
            }
            if lexer.gave_up || lexer.diagnostics.iter().any(|known| known.severity == Severity::Error) {
                return None;
            }
        }
        Format::Parts => {
            for (start, token, end) in nethack343::lexer::Lexer::new(text, source.charset, catalog) {
                pieces.token(start, end, matches!(token, nethack343::lexer::Token::Map(_)))?;
            }
        }
        Format::Lua => return None,
    }
    pieces.gap(text.len())?;
    Some(pieces.pieces)
}

struct Pieces<'a> {
    text: &'a str,
    /// The end of the last piece.
    at: usize,
    pieces: Vec<Lexeme>,
}

impl Pieces<'_> {
    fn token(&mut self, start: usize, end: usize, map: bool) -> Option<()> {
        // Statement ends are tokens without text.
        if start == end {
            return Some(());
        }
        self.gap(start)?;
        let kind = if map { LexemeKind::Map } else { LexemeKind::Token };
        self.pieces.push(Lexeme { kind, start, end });
        self.at = end;
        Some(())
    }

    /// Adds the comments between the last piece and `end`.
    fn gap(&mut self, end: usize) -> Option<()> {
        let mut at = self.at;
        for line in self.text.get(at..end)?.split_inclusive('\n') {
            let comment = line.trim();
            if comment.starts_with('#') {
                let start = at + (line.len() - line.trim_start().len());
                self.pieces.push(Lexeme { kind: LexemeKind::Comment, start, end: start + comment.len() });
            } else if !comment.is_empty() {
                return None;
            }
            at += line.len();
        }
        self.at = end;
        Some(())
    }
}
