//! A selection of a level: a set of squares with the bounds that the game stores for it (`struct selectionvar`).

use crate::level::{COLUMNS, ROWS};
use crate::selection::{Growth, Selection};

/// A set of squares with bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Selector {
    squares: Selection,
    /// First column and row, last column and row. The first are past the end of the level if the set is empty.
    bounds: [i32; 4],
    /// True if a square was removed since the bounds were computed.
    stale: bool,
}

const NOTHING: [i32; 4] = [COLUMNS, ROWS, 0, 0];
const ALL: [i32; 4] = [0, 0, COLUMNS - 1, ROWS - 1];

impl Default for Selector {
    fn default() -> Self {
        Selector { squares: Selection::new(), bounds: NOTHING, stale: false }
    }
}

impl From<Selection> for Selector {
    /// Computes the bounds of the squares.
    fn from(squares: Selection) -> Self {
        let mut selector = Selector { squares, bounds: NOTHING, stale: true };
        selector.find_bounds();
        selector
    }
}

impl Selector {
    /// All squares, including column 0.
    pub fn everything() -> Self {
        Selector { squares: Selection::new().complement(), bounds: ALL, stale: false }
    }

    pub fn squares(&self) -> &Selection {
        &self.squares
    }

    pub fn has(&self, x: i32, y: i32) -> bool {
        self.squares.has(x, y)
    }

    /// Adds or removes a square (`selection_setpoint`). While the bounds are stale, adding does not update them.
    pub fn set(&mut self, x: i32, y: i32, on: bool) {
        if !(0..COLUMNS).contains(&x) || !(0..ROWS).contains(&y) {
            return;
        }
        if !on {
            self.stale = true;
            self.squares.remove(x, y);
            return;
        }
        self.squares.add(x, y);
        if !self.stale {
            let [low_x, low_y, high_x, high_y] = self.bounds;
            self.bounds = [low_x.min(x), low_y.min(y), high_x.max(x), high_y.max(y)];
        }
    }

    /// Adds all squares of a set.
    pub fn add(&mut self, squares: &Selection) {
        for (x, y) in squares.iter() {
            self.set(x, y, true);
        }
    }

    /// Recomputes the bounds if squares were removed (`selection_recalc_bounds`).
    pub fn find_bounds(&mut self) {
        if !self.stale {
            return;
        }
        self.bounds = NOTHING;
        for (x, y) in self.squares.iter() {
            let [low_x, low_y, high_x, high_y] = self.bounds;
            self.bounds = [low_x.min(x), low_y.min(y), high_x.max(x), high_y.max(y)];
        }
        self.stale = false;
    }

    /// Returns the bounds, or those of the level if the set is empty (`selection_getbounds`).
    pub fn bounds(&mut self) -> [i32; 4] {
        self.find_bounds();
        if self.bounds[0] >= COLUMNS { ALL } else { self.bounds }
    }

    /// Returns the squares within the bounds, column by column, as the game iterates over them.
    pub fn within_bounds(&mut self) -> Selection {
        let [low_x, low_y, high_x, high_y] = self.bounds();
        let mut squares = Selection::new();
        for (x, y) in self.squares.iter() {
            if (low_x..=high_x).contains(&x) && (low_y..=high_y).contains(&y) {
                squares.add(x, y);
            }
        }
        squares
    }

    /// Combines two sets: `keep` decides for each square from its presence in the two. Only squares within the stored
    /// bounds of both sets together are considered; the bounds are first recomputed unless the game trusts them
    /// (`believed`).
    pub fn combine(
        one: &mut Selector,
        other: &mut Selector,
        believed: bool,
        keep: impl Fn(bool, bool) -> bool,
    ) -> Selector {
        if !believed {
            one.find_bounds();
            other.find_bounds();
        }
        let bounds = [
            one.bounds[0].min(other.bounds[0]),
            one.bounds[1].min(other.bounds[1]),
            one.bounds[2].max(other.bounds[2]),
            one.bounds[3].max(other.bounds[3]),
        ];
        let mut result = Selector::default();
        for x in bounds[0]..=bounds[2].min(COLUMNS - 1) {
            for y in bounds[1]..=bounds[3].min(ROWS - 1) {
                result.set(x, y, keep(one.has(x, y), other.has(x, y)));
            }
        }
        result
    }

    /// Sets the bounds to those of two sets together, whatever the contents.
    pub fn believe(&mut self, one: &Selector, other: &Selector) {
        self.bounds = [
            one.bounds[0].min(other.bounds[0]),
            one.bounds[1].min(other.bounds[1]),
            one.bounds[2].max(other.bounds[2]),
            one.bounds[3].max(other.bounds[3]),
        ];
    }

    /// Inverts the set (`selection_not`).
    pub fn negate(&mut self) {
        *self = Selector::from(self.squares.complement());
    }

    /// Adds the adjacent squares (`selection_do_grow`).
    pub fn grow(&mut self, directions: i32, how: Growth) {
        self.find_bounds();
        let mut grown = self.within_bounds();
        grown.grow(directions, how);
        self.add(&grown);
    }
}
