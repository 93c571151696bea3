//! Values: the operands of statements and selections.

use serde::{Deserialize, Serialize};

use super::{OrRandom, RegisterKind, Selection, SpeciesName, Type};
use crate::source::{Span, Spanned, Text};
use crate::words::*;

/// A value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its span in the source.
    pub span: Span,
}

/// The kind of a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExprKind {
    /// A number.
    Integer(i32),
    /// `NdM`: dice.
    Dice {
        /// The number of dice.
        count: i32,
        /// The number of sides.
        sides: i32,
    },
    /// A string.
    String(Text),
    /// `(x,y)`.
    Coordinate {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
    },
    /// `coord(x,y)`, in SporkHack also `($x,$y)`: a place with computed coordinates.
    ComputedCoordinate {
        /// Column.
        x: Box<Expr>,
        /// Row.
        y: Box<Expr>,
    },
    /// `random` or `random[dry,wet]` as a place.
    RandomCoordinate {
        /// The terrain that the place must have.
        humidity: Vec<Spanned<Humidity>>,
    },
    /// `rndcoord(selection)`: a random square of a selection.
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
        /// Its light, if written.
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
        // Boxed: it is rare, and would make every expression larger.
        variable: Box<Spanned<Text>>,
        /// Its type.
        ty: Type,
        /// The method.
        method: Text,
    },
    /// A core function.
    CoreCall(CoreCall),
    /// A chain of operators of one precedence, from left to right: `first op next op next`.
    ///
    /// A list instead of nested pairs, so that a sum of ten thousand terms is not a tree of that depth.
    Chain {
        /// The first value.
        first: Box<Expr>,
        /// The operators and the values after them.
        rest: Vec<(Operator, Expr)>,
    },
    /// `(x,y)[word]`: a place with a catalog-defined word that says whether the compiler checks the square.
    Checked {
        /// The place.
        place: Box<Expr>,
        /// The word.
        word: Text,
    },
    /// `(value)`. It means the same as the value inside; it is kept so that a level prints as it was written.
    Group(Box<Expr>),
    /// `place[n]`, `object[n]`, `monster[n]` (3.4.3).
    Register {
        /// The kind of register.
        of: RegisterKind,
        /// Its index.
        index: Spanned<i32>,
    },
    /// `object[n],"name"` or `monster[n],"name"` (3.4.3).
    NamedRegister {
        /// The kind of register.
        of: RegisterKind,
        /// Its index.
        index: Spanned<i32>,
        /// The name.
        name: Text,
    },
    /// `random` in place of a number (3.4.3: enchantments, amounts of gold).
    Random,
    /// A value that could not be read; a diagnostic says why.
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
    /// `.` between strings
    #[serde(rename = ".")]
    Concatenate,
}

impl Operator {
    /// Returns the operator as a des-file writes it.
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

    /// Returns its precedence: an operator with a higher number binds closer. Operators of one number are evaluated
    /// from the left.
    pub fn binding(self) -> u8 {
        match self {
            Operator::Concatenate => 0,
            Operator::Add | Operator::Subtract => 1,
            Operator::Multiply | Operator::Divide | Operator::Remainder => 2,
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

/// A call of a core function, which reads the state of the hero, the level or the clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CoreCall {
    /// Its name, as written.
    // Boxed: it is rare, and would make every expression larger.
    pub function: Box<Spanned<Text>>,
    /// Its arguments, or `None` without parentheses.
    pub arguments: Option<Vec<Expr>>,
}

impl Expr {
    /// Returns true if it is `""`.
    pub fn is_empty_text(&self) -> bool {
        matches!(&self.kind, ExprKind::String(text) if text.is_empty())
    }

    /// Returns true if the script compilers treat it as a constant: it consists of integers only.
    pub fn is_constant(&self) -> bool {
        match &self.kind {
            ExprKind::Integer(_) => true,
            ExprKind::Group(inner) => inner.is_constant(),
            ExprKind::Chain { first, rest } => first.is_constant() && rest.iter().all(|(_, value)| value.is_constant()),
            _ => false,
        }
    }
}
