//! The free rectangles of a level, in which random rooms are placed (`rect.c`).

use super::Loader;
use crate::level::{COLUMNS, ROWS};
use crate::limits::MAX_RECTANGLES;

/// The rest of a used rectangle is kept if it is wider or higher than this (`XLIM`, `YLIM`).
const X_LIMIT: i32 = 4;
const Y_LIMIT: i32 = 3;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Rectangle {
    pub low_x: i32,
    pub low_y: i32,
    pub high_x: i32,
    pub high_y: i32,
}

impl Rectangle {
    fn contains(&self, other: &Rectangle) -> bool {
        other.low_x >= self.low_x
            && other.low_y >= self.low_y
            && other.high_x <= self.high_x
            && other.high_y <= self.high_y
    }

    fn intersection(&self, other: &Rectangle) -> Option<Rectangle> {
        let both = Rectangle {
            low_x: self.low_x.max(other.low_x),
            low_y: self.low_y.max(other.low_y),
            high_x: self.high_x.min(other.high_x),
            high_y: self.high_y.min(other.high_y),
        };
        (both.low_x <= both.high_x && both.low_y <= both.high_y).then_some(both)
    }
}

/// The list of free rectangles. Entries past its end keep their contents, because splitting reads them.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Rectangles {
    list: [Rectangle; MAX_RECTANGLES + 1],
    count: usize,
}

impl Default for Rectangles {
    fn default() -> Self {
        let mut rectangles = Rectangles { list: [Rectangle::default(); MAX_RECTANGLES + 1], count: 0 };
        rectangles.clear();
        rectangles
    }
}

impl Rectangles {
    /// Makes the whole level free.
    pub fn clear(&mut self) {
        self.list.fill(Rectangle::default());
        self.list[0] = Rectangle { low_x: 0, low_y: 0, high_x: COLUMNS - 1, high_y: ROWS - 1 };
        self.count = 1;
    }

    /// Returns the first rectangle that contains `inner` (`get_rect`).
    pub fn around(&self, inner: &Rectangle) -> Option<Rectangle> {
        self.list[..self.count].iter().copied().find(|outer| outer.contains(inner))
    }

    fn remove(&mut self, rectangle: &Rectangle) {
        if let Some(at) = self.list[..self.count].iter().position(|known| known == rectangle) {
            self.count -= 1;
            self.list[at] = self.list[self.count];
        }
    }

    fn add(&mut self, rectangle: Rectangle) {
        if self.count < MAX_RECTANGLES && self.around(&rectangle).is_none() {
            self.list[self.count] = rectangle;
            self.count += 1;
        }
    }

    /// Removes `inner`, which lies in `outer`, and its surroundings (`split_rects`).
    pub fn split(&mut self, outer: Rectangle, inner: &Rectangle) {
        self.split_nested(outer, inner, 0);
    }

    fn split_nested(&mut self, outer: Rectangle, inner: &Rectangle, depth: usize) {
        self.remove(&outer);
        // Deeper nesting than the number of rectangles has nothing left to split.
        if depth <= 2 * MAX_RECTANGLES {
            for at in (0..self.count).rev() {
                if let Some(both) = self.list[at].intersection(inner) {
                    self.split_nested(self.list[at], &both, depth + 1);
                }
            }
        }
        let border = |at_edge: bool, limit: i32| if at_edge { limit + 1 } else { 2 * limit } + 4;
        if inner.low_y - outer.low_y - 1 > border(outer.high_y >= ROWS - 1, Y_LIMIT) {
            self.add(Rectangle { high_y: inner.low_y - 2, ..outer });
        }
        if inner.low_x - outer.low_x - 1 > border(outer.high_x >= COLUMNS - 1, X_LIMIT) {
            self.add(Rectangle { high_x: inner.low_x - 2, ..outer });
        }
        if outer.high_y - inner.high_y - 1 > border(outer.low_y <= 0, Y_LIMIT) {
            self.add(Rectangle { low_y: inner.high_y + 2, ..outer });
        }
        if outer.high_x - inner.high_x - 1 > border(outer.low_x <= 0, X_LIMIT) {
            self.add(Rectangle { low_x: inner.high_x + 2, ..outer });
        }
    }
}

impl Loader<'_> {
    /// Draws a free rectangle (`rnd_rect`).
    pub fn random_rectangle(&mut self) -> Option<Rectangle> {
        if self.scratch.rectangles.count == 0 {
            return None;
        }
        let at = self.rn2(self.scratch.rectangles.count as i32);
        Some(self.scratch.rectangles.list[at as usize])
    }
}
