//! What is known of a square besides its terrain, a bit each.

use crate::terrain::Terrain;

/// It is lit.
pub(crate) const LIT: u8 = 1;
/// What stands in it lies along the row: a door, a wall, bars (`horizontal`).
pub(crate) const HORIZONTAL: u8 = 2;
/// It bounds a room (`edge`).
pub(crate) const EDGE: u8 = 4;
/// The level itself put something there (`SpLev_Map`).
pub(crate) const TOUCHED: u8 = 8;
/// A boulder lies there.
pub(crate) const BOULDER: u8 = 16;

/// Exchanges the marks of two squares; whether the level touched them stays.
#[inline]
pub(crate) fn swap_marks(one: &mut u8, other: &mut u8) {
    let different = (*one ^ *other) & !TOUCHED;
    *one ^= different;
    *other ^= different;
}

/// The marks of a square that a map lays; there always are some.
#[inline]
pub(crate) fn laid_marks(terrain: Terrain) -> u8 {
    let along = (terrain == Terrain::HORIZONTAL_WALL) | (terrain == Terrain::IRON_BARS);
    let lit = terrain == Terrain::LAVA;
    TOUCHED | if along { HORIZONTAL } else { 0 } | if lit { LIT } else { 0 }
}
