//! Sets of squares.

use serde::{Deserialize, Serialize};

use super::{Expr, Variable};
use crate::source::{Span, Spanned};
use crate::words::*;

/// A set of squares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Selection {
    /// Its kind.
    pub kind: SelectionKind,
    /// Its span in the source.
    pub span: Span,
}

/// The kind of a selection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SelectionKind {
    /// One square.
    Point(Expr),
    /// `rect`: the border of a region.
    Rectangle(Expr),
    /// `fillrect`: all of a region.
    FilledRectangle(Expr),
    /// `line a-b`.
    Line(Expr, Box<Expr>),
    /// `randline a-b, roughness`.
    RandomLine(Expr, Box<Expr>, Box<Expr>),
    /// `grow(selection)`, `grow(north|west, selection)`.
    Grow {
        /// The directions, if written.
        directions: Option<Vec<Spanned<Direction>>>,
        /// The selection that grows.
        selection: Box<Selection>,
    },
    /// `filter(N%, selection)`.
    FilterPercent {
        /// The chance that a square is kept, in percent.
        percent: Spanned<i32>,
        /// The selection to filter.
        selection: Box<Selection>,
    },
    /// `filter(selection, selection)`: the squares in both.
    FilterSelection {
        /// The first.
        filter: Box<Selection>,
        /// The second.
        selection: Box<Selection>,
    },
    /// `filter(terrain, selection)`.
    FilterTerrain {
        /// The terrain to keep.
        terrain: Expr,
        /// The selection to filter.
        selection: Box<Selection>,
    },
    /// `floodfill place`.
    FloodFill(Expr),
    /// `circle(center, radius, filled)`.
    Circle {
        /// Its center.
        center: Expr,
        /// Its radius.
        radius: Box<Expr>,
        /// Filled or not, if written.
        filling: Option<Filling>,
    },
    /// `ellipse(center, x radius, y radius, filled)`.
    Ellipse {
        /// Its center.
        center: Expr,
        /// Its horizontal radius.
        x_radius: Box<Expr>,
        /// Its vertical radius.
        y_radius: Box<Expr>,
        /// Filled or not, if written.
        filling: Option<Filling>,
    },
    /// `gradient(type, (min-max, limited), center, center)`.
    Gradient {
        /// Its shape.
        gradient: GradientType,
        /// The distance from which squares begin to be left out.
        minimum: Box<Expr>,
        /// The distance from which all squares are left out.
        maximum: Box<Expr>,
        /// Limited to the maximum distance or not, if written.
        limited: Option<Limited>,
        /// Its center, or one of its two ends.
        center: Expr,
        /// The other end, if written.
        center2: Option<Box<Expr>>,
    },
    /// `complement selection`.
    Complement(Box<Selection>),
    /// A variable whose value is a selection. A variable whose value is a place is a [`Point`](SelectionKind::Point).
    Variable(Variable),
    /// `(selection)`. It means the same as the selection inside; it is kept so that a level prints as it was written.
    Group(Box<Selection>),
    /// `a & b & c`: the squares of any of them; at least two operands.
    Union(Vec<Selection>),
    /// A selection that could not be read; a diagnostic says why.
    Error,
}
