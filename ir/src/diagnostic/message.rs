//! Messages of diagnostics. Their text is for readers: code that must recognise a diagnostic looks at its [`Mistake`].

use std::borrow::Cow;
use std::fmt::{self, Display};

/// The message of a diagnostic, without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    text: Cow<'static, str>,
    mistake: Option<Box<Mistake>>,
}

/// The mistake that a message describes, for those by which code recognises a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Mistake {
    /// A token where the parser expects others, which are listed.
    Expected {
        /// The tokens it expects.
        expected: String,
        /// The token it finds, unless it finds nothing.
        found: Option<String>,
    },
    /// A token that the parser does not expect.
    Unexpected(String),
    /// A bracket that closes nothing, where a statement begins.
    Stray(String),
    /// A value that is not a region, where one is needed.
    NotRegion,
    /// A word that is not a statement, where one begins.
    UnknownStatement(String),
    /// A statement or a call outside of any level.
    BeforeFirstLevel(String),
    /// A CASE or DEFAULT outside a SWITCH.
    OutsideSwitch(String),
    /// An ELSE that does not follow an IF.
    ElseWithoutIf,
    /// A control statement without its block.
    NoBlock(String),
    /// A control statement whose block has no braces.
    BlockWithoutBraces(String),
    /// An INCLUDE after the first level.
    LateInclude,
    /// A GEOMETRY after its map.
    LateGeometry,
    /// A variable with a digit in its name.
    NumberedVariable,
    /// A statement that ends too early.
    Incomplete(String),
    /// A string without its closing quote.
    UnclosedString,
    /// Blocks in braces, in a game without them.
    ForeignBlocks(String),
    /// Something at a place that the map fills with a wall or rock.
    InWall {
        /// The thing.
        thing: String,
        /// The column and row.
        place: (i32, i32),
    },
}

impl Mistake {
    /// Returns the mistake of a `found` token where another is `expected`.
    pub fn expected(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Mistake::Expected { expected: expected.into(), found: Some(found.into()) }
    }
}

impl Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mistake::Expected { expected, found: Some(found) } => write!(f, "expected {expected}, found {found}"),
            Mistake::Expected { expected, found: None } => write!(f, "expected {expected}"),
            Mistake::Unexpected(found) => write!(f, "unexpected {found}"),
            Mistake::Stray(found) => write!(f, "expected a statement, found {found}"),
            Mistake::NotRegion => f.write_str("expected a region"),
            Mistake::UnknownStatement(word) => write!(f, "unknown statement {word}"),
            Mistake::BeforeFirstLevel(what) => write!(f, "{what} before the first level"),
            Mistake::OutsideSwitch(word) => write!(f, "{word} outside a SWITCH"),
            Mistake::ElseWithoutIf => f.write_str("ELSE without an IF"),
            Mistake::NoBlock(word) => write!(f, "this {word} has no block"),
            Mistake::BlockWithoutBraces(word) => write!(f, "the block of this {word} is not in braces"),
            Mistake::LateInclude => f.write_str("INCLUDE is too late"),
            Mistake::LateGeometry => f.write_str("GEOMETRY must come before its MAP"),
            Mistake::NumberedVariable => f.write_str("the name of a variable has only letters and `_`"),
            Mistake::Incomplete(what) => write!(f, "this {what} is incomplete"),
            Mistake::UnclosedString => f.write_str("this string is not closed"),
            Mistake::ForeignBlocks(game) => write!(f, "{game} has no blocks in braces"),
            Mistake::InWall { thing, place: (x, y) } => write!(f, "{thing} is in a wall at ({x},{y})"),
        }
    }
}

impl Message {
    /// Returns the text, to show it. Code that decides by a message looks at its [mistake](Self::mistake).
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the mistake, if code recognises it.
    pub fn mistake(&self) -> Option<&Mistake> {
        self.mistake.as_deref()
    }

    /// Shortens a text that is too long to show.
    pub(super) fn shorten(&mut self) {
        super::shorten(self.text.to_mut());
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl<T: Into<Cow<'static, str>>> From<T> for Message {
    fn from(text: T) -> Self {
        Message { text: text.into(), mistake: None }
    }
}

impl From<Mistake> for Message {
    fn from(mistake: Mistake) -> Self {
        Message { text: mistake.to_string().into(), mistake: Some(Box::new(mistake)) }
    }
}
