//! Values: what statements and selections are given.

use serde::{Deserialize, Serialize};

use super::{OrRandom, RegisterKind, Selection, SpeciesName, Type};
use crate::source::{Span, Spanned, Text};
use crate::words::*;

/// A value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExprKind {
    /// A number.
    Integer(i32),
    /// `NdM`.
    Dice {
        /// N.
        count: i32,
        /// M.
        sides: i32,
    },
    /// A text.
    String(Text),
    /// `(x,y)`.
    Coordinate {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
    },
    /// `coord(x,y)`, also written `($x,$y)` (SporkHack): a place from computed numbers.
    ComputedCoordinate {
        /// Column.
        x: Box<Expr>,
        /// Row.
        y: Box<Expr>,
    },
    /// `random` or `random[dry,wet]` as a place.
    RandomCoordinate {
        /// What the place may be like.
        humidity: Vec<Spanned<Humidity>>,
    },
    /// `rndcoord(selection)`.
    SelectedCoordinate(Box<Selection>),
    /// `(x1,y1,x2,y2)`.
    Region {
        /// x1, y1, x2, y2.
        corners: [i32; 4],
    },
    /// A piece of terrain.
    MapCharacter {
        /// Its map character.
        character: char,
        /// Its light, if said.
        light: Option<OrRandom<Light>>,
    },
    /// A monster.
    Monster(SpeciesName),
    /// An object.
    Object(SpeciesName),
    /// A selection as a value.
    Selection(Box<Selection>),
    /// A variable.
    Variable(Variable),
    /// `$variable.method`.
    Method {
        /// The variable.
        // In a box, as what is rare shall not make every expression large.
        variable: Box<Spanned<Text>>,
        /// Its type.
        ty: Type,
        /// The method.
        method: Text,
    },
    /// A core function.
    CoreCall(CoreCall),
    /// A chain of operators of one rank, from left to right: `first op next op next`.
    ///
    /// A chain instead of nested pairs, so that a sum of ten thousand terms is not a tree of that
    /// depth.
    Chain {
        /// The first value.
        first: Box<Expr>,
        /// The operators and the values after them.
        rest: Vec<(Operator, Expr)>,
    },
    /// `(x,y)[word]`: a place, and whether the compiler looks at what is there, which a word says that a catalog adds.
    Checked {
        /// The place.
        place: Box<Expr>,
        /// The word.
        word: Text,
    },
    /// `(value)`. It means what is in it; it is kept because a level is printed as it was written.
    Group(Box<Expr>),
    /// `place[n]`, `object[n]`, `monster[n]` (3.4.3).
    Register {
        /// Of what.
        of: RegisterKind,
        /// Which.
        index: Spanned<i32>,
    },
    /// `object[n],"name"` or `monster[n],"name"` (3.4.3).
    NamedRegister {
        /// Of what.
        of: RegisterKind,
        /// Which.
        index: Spanned<i32>,
        /// The name.
        name: Text,
    },
    /// `random` where a number stands (3.4.3: enchantments, amounts of gold).
    Random,
    /// What could not be understood; a diagnostic says why.
    Error,
}

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Operator {
    /// `+`
    #[serde(rename = "+")]
    Add,
    /// `-`
    #[serde(rename = "-")]
    Subtract,
    /// `*`
    #[serde(rename = "*")]
    Multiply,
    /// `/`
    #[serde(rename = "/")]
    Divide,
    /// `%`
    #[serde(rename = "%")]
    Remainder,
    /// `.` between texts
    #[serde(rename = ".")]
    Concatenate,
}

impl Operator {
    /// As a des-file writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::Concatenate => ".",
        }
    }
}

/// A use of a variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Variable {
    /// Its name, with its `$`.
    pub name: Text,
    /// The index, for an array.
    pub index: Option<Box<Expr>>,
    /// Its type, resolved by the front end.
    pub ty: Type,
}

/// A call of a core function: what the game knows of hero, level and time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CoreCall {
    /// Its name as written.
    // In a box, as what is rare shall not make every expression large.
    pub function: Box<Spanned<Text>>,
    /// Its arguments; `None` without parentheses.
    pub arguments: Option<Vec<Expr>>,
}

impl Expr {
    /// Whether the script compilers count it as a constant: made of whole numbers alone.
    pub fn is_constant(&self) -> bool {
        match &self.kind {
            ExprKind::Integer(_) => true,
            ExprKind::Group(inner) => inner.is_constant(),
            ExprKind::Chain { first, rest } => first.is_constant() && rest.iter().all(|(_, value)| value.is_constant()),
            _ => false,
        }
    }
}
