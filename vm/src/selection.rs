//! Sets of squares, as selected by a script.

use crate::level::{COLUMNS, ROWS, SQUARES};

const WORDS: usize = SQUARES.div_ceil(64);

/// A set of squares of a level, which may include squares of column 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Selection([u64; WORDS]);

impl Default for Selection {
    fn default() -> Self {
        Selection([0; WORDS])
    }
}

#[inline]
fn position(x: i32, y: i32) -> Option<usize> {
    ((0..COLUMNS).contains(&x) && (0..ROWS).contains(&y)).then_some((x * ROWS + y) as usize)
}

impl Selection {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns true if the square is in the set; never true for squares outside the level.
    #[inline]
    pub fn has(&self, x: i32, y: i32) -> bool {
        position(x, y).is_some_and(|at| self.0[at / 64] >> (at % 64) & 1 != 0)
    }

    /// Adds a square if it is in the level.
    #[inline]
    pub fn add(&mut self, x: i32, y: i32) {
        if let Some(at) = position(x, y) {
            self.0[at / 64] |= 1 << (at % 64);
        }
    }

    /// Removes a square.
    #[inline]
    pub fn remove(&mut self, x: i32, y: i32) {
        if let Some(at) = position(x, y) {
            self.0[at / 64] &= !(1 << (at % 64));
        }
    }

    /// Iterates over the squares, column by column.
    pub fn iter(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                left &= left.wrapping_sub(1);
                let at = index as i32 * 64 + bit as i32;
                (bit < 64).then_some((at / ROWS, at % ROWS))
            })
        })
    }

    /// Number of squares, not counting those in column 0 (`isok`).
    pub fn count_on_map(&self) -> i32 {
        let all: u32 = self.0.iter().map(|word| word.count_ones()).sum();
        let column_0 = (self.0[0] & ((1 << ROWS) - 1)).count_ones();
        (all - column_0) as i32
    }

    /// Returns the square at `position` among those counted by [`Selection::count_on_map`].
    pub fn nth_on_map(&self, position: i32) -> Option<(i32, i32)> {
        self.iter().skip_while(|&(x, _)| x < 1).nth(usize::try_from(position).ok()?)
    }

    /// Returns the squares that are in either set.
    pub fn union(&self, other: &Selection) -> Selection {
        self.combine(other, |one, other| one | other)
    }

    /// Returns the squares that are in both sets.
    pub fn intersection(&self, other: &Selection) -> Selection {
        self.combine(other, |one, other| one & other)
    }

    /// Returns the squares that are not in the set.
    pub fn complement(&self) -> Selection {
        let mut result = self.combine(self, |one, _| !one);
        result.0[WORDS - 1] &= (1 << (SQUARES % 64)) - 1;
        result
    }

    fn combine(&self, other: &Selection, with: impl Fn(u64, u64) -> u64) -> Selection {
        let mut result = Selection::new();
        for ((word, &one), &other) in result.0.iter_mut().zip(&self.0).zip(&other.0) {
            *word = with(one, other);
        }
        result
    }

    /// Adds a line between two squares, both included (`selection_do_line`, Bresenham's algorithm).
    ///
    /// The games step with eight-bit numbers and never end if they miss the last square. That cannot happen within a
    /// level. In that case the function returns false.
    #[must_use]
    pub fn add_line(&mut self, (mut x, mut y): (i32, i32), (x2, y2): (i32, i32)) -> bool {
        let (dx, dy) = ((x2 - x).abs(), (y2 - y).abs());
        let (step_x, step_y) = (if x < x2 { 1 } else { -1 }, if y < y2 { 1 } else { -1 });
        self.add(x, y);
        let (long, short) = (dx.max(dy), dx.min(dy));
        let along_x = dx > dy;
        let (diagonal, straight) = ((short - long) * 2, short * 2);
        let mut error = straight - long;
        for _ in 0..512 {
            let aside = error >= 0;
            error += if aside { diagonal } else { straight };
            if along_x || aside {
                x += step_x;
            }
            if !along_x || aside {
                y += step_y;
            }
            (x, y) = (x as i8 as i32, y as i8 as i32);
            self.add(x, y);
            if (along_x && x == x2) || (!along_x && y == y2) {
                return true;
            }
        }
        false
    }

    /// Adds an ellipse (`selection_do_ellipse`, McIlroy's algorithm).
    pub fn add_ellipse(&mut self, (xc, yc): (i32, i32), a: i32, b: i32, filled: bool) {
        let (mut x, mut y) = (0_i64, i64::from(b));
        let (a, b) = (i64::from(a), i64::from(b));
        // A larger ellipse cannot reach the level, and the sums below stay within 64 bits.
        const FARTHEST: i64 = 1 << 14;
        if !(-FARTHEST..=FARTHEST).contains(&a) || !(-FARTHEST..=FARTHEST).contains(&b) {
            return;
        }
        let (a2, b2) = (a * a, b * b);
        let crit1 = -(a2 / 4 + a % 2 + b2);
        let crit2 = -(b2 / 4 + b % 2 + a2);
        let crit3 = -(b2 / 4 + b % 2);
        let mut t = -a2 * y;
        let (mut dxt, mut dyt) = (0, -2 * a2 * y);
        let (d2xt, d2yt) = (2 * b2, 2 * a2);
        let mut width = 1;
        let at = |dx: i64, dy: i64| (xc.wrapping_add(dx as i32), yc.wrapping_add(dy as i32));
        while y >= 0 && x <= a {
            if !filled {
                for (dx, dy) in [(x, y), (-x, -y), (x, -y), (-x, y)] {
                    let (px, py) = at(dx, dy);
                    self.add(px, py);
                }
            }
            let outward = t + b2 * x <= crit1 || t + a2 * y <= crit3;
            let inward = !outward && t - a2 * y > crit2;
            if filled && !outward {
                let first = i64::from(xc) - x;
                for column in first.max(0)..(first + width).min(i64::from(COLUMNS)) {
                    for dy in [-y, y] {
                        self.add(column as i32, at(0, dy).1);
                    }
                }
            }
            if !inward {
                x += 1;
                dxt += d2xt;
                t += dxt;
            }
            if !outward {
                y -= 1;
                dyt += d2yt;
                t += dyt;
            }
            if !inward {
                width += 2;
            }
        }
    }

    /// Adds the adjacent squares. `directions` has a bit for each of north (1), south (2), east (4), west (8).
    pub fn grow(&mut self, directions: i32, how: Growth) {
        let [north, south, east, west] = [1, 2, 4, 8].map(|bit| directions & bit != 0);
        let before = *self;
        let mut grow = |dx: i32, dy: i32, on: bool| {
            if on {
                for (x, y) in before.iter() {
                    // Growth starts from column 0 too, but reaches column 0 only if the game's own loop does.
                    if how != Growth::Forward || x + dx >= 1 {
                        self.add(x + dx, y + dy);
                    }
                }
            }
        };
        match how {
            Growth::Backward => {
                grow(1, 0, west);
                grow(1, 1, west || north);
                grow(0, 1, north);
                grow(-1, 1, north || east);
                grow(-1, 0, east);
                grow(-1, -1, east || south);
                grow(0, -1, south);
                grow(1, -1, south || west);
            }
            Growth::Forward | Growth::Everywhere => {
                grow(-1, 0, west);
                grow(-1, -1, west && north);
                grow(0, -1, north);
                grow(1, -1, north && east);
                grow(1, 0, east);
                grow(1, 1, east && south);
                grow(0, 1, south);
                grow(-1, 1, south && west);
            }
        }
    }
}

/// The squares that [`Selection::grow`] adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// In the given directions, and diagonally between two of them, but not in column 0.
    Forward,
    /// Like `Forward`, but also in column 0 (NetHack 5.0.0).
    Everywhere,
    /// Opposite to the given directions, and diagonally on both sides of that (UnNetHack 6.0.4).
    Backward,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_sets() {
        let mut one = Selection::new();
        one.add(1, 1);
        one.add(79, 20);
        one.add(0, 3);
        one.add(80, 0);
        one.add(5, 21);
        assert_eq!(one.iter().collect::<Vec<_>>(), [(0, 3), (1, 1), (79, 20)]);
        assert_eq!(one.count_on_map(), 2);
        assert_eq!(one.nth_on_map(1), Some((79, 20)));
        assert_eq!(one.union(&one.complement()).iter().count(), SQUARES);
        assert_eq!(one.intersection(&one.complement()), Selection::new());
    }

    #[test]
    fn forward_growth_needs_both_directions_for_a_corner() {
        let mut point = Selection::new();
        point.add(10, 10);
        let mut grown = point;
        grown.grow(1, Growth::Forward);
        assert_eq!(grown.iter().collect::<Vec<_>>(), [(10, 9), (10, 10)]);
        let mut grown = point;
        grown.grow(15, Growth::Forward);
        assert_eq!(grown.iter().count(), 9);
        let mut grown = point;
        grown.grow(1, Growth::Backward);
        assert_eq!(grown.iter().collect::<Vec<_>>(), [(9, 11), (10, 10), (10, 11), (11, 11)]);
    }
}
