//! Sets of squares.

use serde::{Deserialize, Serialize};

use super::{Expr, Variable};
use crate::source::{Span, Spanned};
use crate::words::*;

/// A set of squares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Selection {
    /// What it is.
    pub kind: SelectionKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of selection.
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
        /// The directions, if said.
        directions: Option<Vec<Spanned<Direction>>>,
        /// What grows.
        selection: Box<Selection>,
    },
    /// `filter(N%, selection)`.
    FilterPercent {
        /// How likely each square stays.
        percent: Spanned<i32>,
        /// What is filtered.
        selection: Box<Selection>,
    },
    /// `filter(selection, selection)`: what is in both.
    FilterSelection {
        /// The first.
        filter: Box<Selection>,
        /// The second.
        selection: Box<Selection>,
    },
    /// `filter(terrain, selection)`.
    FilterTerrain {
        /// The terrain that stays.
        terrain: Expr,
        /// What is filtered.
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
        /// Whether it is filled, if said.
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
        /// Whether it is filled, if said.
        filling: Option<Filling>,
    },
    /// `gradient(type, (min-max, limited), center, center)`.
    Gradient {
        /// Its shape.
        gradient: GradientType,
        /// Distance at which squares begin to be left out.
        minimum: Box<Expr>,
        /// Distance at which all are left out.
        maximum: Box<Expr>,
        /// Whether it ends there, if said.
        limited: Option<Limited>,
        /// Its center, or one end of it.
        center: Expr,
        /// The other end, if said.
        center2: Option<Box<Expr>>,
    },
    /// `complement selection`.
    Complement(Box<Selection>),
    /// A variable that holds a selection. One that holds a place is a [`Point`](SelectionKind::Point).
    Variable(Variable),
    /// `(selection)`. It means what is in it; it is kept because a level is printed as it was written.
    Group(Box<Selection>),
    /// `a & b & c`: squares of any of them; at least two.
    Union(Vec<Selection>),
    /// What could not be understood; a diagnostic says why.
    Error,
}
