//! Properties of a square other than its terrain, one bit each.

use crate::terrain::Terrain;

/// The square is lit.
pub(crate) const LIT: u8 = 1;
/// The door, wall or bars in the square run horizontally (`horizontal`).
pub(crate) const HORIZONTAL: u8 = 2;
/// The square bounds a room (`edge`).
pub(crate) const EDGE: u8 = 4;
/// The level itself placed something in the square (`SpLev_Map`).
pub(crate) const TOUCHED: u8 = 8;
/// The square contains a boulder.
pub(crate) const BOULDER: u8 = 16;
/// The secret door in the square looks like a tree (`arboreal_sdoor`).
pub(crate) const LIKE_TREE: u8 = 32;

/// Swaps the marks of two squares, except `TOUCHED`.
#[inline]
pub(crate) fn swap_marks(one: &mut u8, other: &mut u8) {
    let different = (*one ^ *other) & !TOUCHED;
    *one ^= different;
    *other ^= different;
}

/// Marks of a square laid by a map; never 0.
#[inline]
pub(crate) fn laid_marks(terrain: Terrain) -> u8 {
    let along = (terrain == Terrain::HORIZONTAL_WALL) | (terrain == Terrain::IRON_BARS);
    let lit = terrain == Terrain::LAVA;
    TOUCHED | if along { HORIZONTAL } else { 0 } | if lit { LIT } else { 0 }
}
