//! What stands between the tokens of a source and means nothing to the game: comments and blank lines above all.

use crate::source::{Span, Text};

/// A comment, or blank lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Trivia {
    /// Which of them.
    pub kind: TriviaKind,
    /// The comment with its `#`, or what is skipped, without the blanks around it and the line end; nothing for blank
    /// lines and ELSE.
    pub text: Text,
    /// Where the comment stands; for blank lines, all of them with their line ends.
    pub span: Span,
}

/// The kinds of [`Trivia`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TriviaKind {
    /// A comment with a line of its own.
    Comment,
    /// A comment behind a token of its line. The games' compilers take few of them.
    TrailingComment,
    /// Something else that the game's compiler passes over: a line MAP that opens no map (3.4.3).
    Skipped,
    /// One or more blank lines, one behind the other.
    BlankLines,
    /// The word ELSE, which parts what stands at the end of one block from what stands at the beginning of the other.
    Else,
}
