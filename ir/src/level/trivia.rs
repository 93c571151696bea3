//! Source text between tokens that means nothing to the game, mainly comments and blank lines.

use crate::source::{Span, Text};

/// A comment, or blank lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Trivia {
    /// Its kind.
    pub kind: TriviaKind,
    /// The comment with its `#`, or the skipped text, without surrounding blanks and line end. Empty for blank lines
    /// and ELSE.
    pub text: Text,
    /// The span of the comment; for blank lines, of all of them with their line ends.
    pub span: Span,
}

/// The kind of a [`Trivia`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TriviaKind {
    /// A comment alone on its line.
    Comment,
    /// A comment after a token on its line. The games' compilers accept few of these.
    TrailingComment,
    /// Other text that the game's compiler skips: a MAP line that opens no map (3.4.3).
    Skipped,
    /// One or more consecutive blank lines.
    BlankLines,
    /// The word ELSE, which separates the trivia at the end of one block from the trivia at the start of the next.
    Else,
}
