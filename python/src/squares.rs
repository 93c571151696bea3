//! The squares of a level as layers of bytes, row by row, like the observations of NLE.
//!
//! A layer has 21 rows of 80 columns. Column x is column x of the game. Column 0 is not part of the map, so the columns
//! from 1 on are the 79 of NLE.

use splc_ir::catalog::Catalog;
use splc_picture::{Layer as Seen, Picture};
use splc_vm::{COLUMNS, Level, ROWS, SQUARES, Terrain};

/// Size of a layer in bytes.
pub const LAYER: usize = SQUARES;

/// The content of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Symbols.
    Chars,
    /// Colours, as NLE numbers them.
    Colors,
    /// 1 for lit squares.
    Light,
    /// Types of squares, as the game numbers them.
    Terrain,
    /// 0 terrain, 1 a trap, 2 an object, 3 a monster.
    Kinds,
}

impl Layer {
    /// Every layer, in the order in which they are returned.
    pub const ALL: [Layer; 5] = [Layer::Chars, Layer::Colors, Layer::Light, Layer::Terrain, Layer::Kinds];

    /// Returns the layer with that name.
    pub fn by_name(name: &str) -> Option<Layer> {
        Layer::ALL.into_iter().find(|layer| layer.name() == name)
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Chars => "chars",
            Layer::Colors => "colors",
            Layer::Light => "light",
            Layer::Terrain => "terrain",
            Layer::Kinds => "kinds",
        }
    }
}

/// Maps splc's terrain numbers to those of the game.
pub type Numbers = [u8; 256];

/// Returns the terrain numbers of the game of `catalog`. Terrain that it does not have is 255, and does not occur.
pub fn numbers(catalog: &Catalog) -> Numbers {
    let mut numbers = [u8::MAX; 256];
    for (number, word) in (0..).zip(catalog.level_types.iter()) {
        if let Some(terrain) = Terrain::from_word(word) {
            numbers[usize::from(terrain.number())] = number;
        }
    }
    numbers
}

/// Fills layers with those of a level. Each is as long as [`LAYER`].
pub fn fill<'a>(
    layers: impl Iterator<Item = (Layer, &'a mut [u8])>,
    level: &Level,
    catalog: &Catalog,
    numbers: &Numbers,
) {
    let [mut chars, mut colors, mut kinds] = [const { None }; 3];
    for (layer, squares) in layers {
        match layer {
            Layer::Chars => chars = Some(squares),
            Layer::Colors => colors = Some(squares),
            Layer::Kinds => kinds = Some(squares),
            Layer::Light => each(squares, |x, y| level.is_lit(x, y).into()),
            Layer::Terrain => each(squares, |x, y| numbers[usize::from(level.terrain(x, y).number())]),
        }
    }
    if chars.is_none() && colors.is_none() && kinds.is_none() {
        return;
    }
    let picture = Picture::of(level, catalog);
    let mut at = 0;
    for y in 0..ROWS {
        for x in 0..COLUMNS {
            let square = picture.square(x, y);
            if let Some(chars) = &mut chars {
                chars[at] = square.map_or(b' ', |square| square.symbol as u8);
            }
            if let Some(colors) = &mut colors {
                colors[at] = square.map_or(0, |square| square.color.number());
            }
            if let Some(kinds) = &mut kinds {
                kinds[at] = match square.map(|square| square.layer) {
                    None | Some(Seen::Terrain) => 0,
                    Some(Seen::Trap) => 1,
                    Some(Seen::Object) => 2,
                    Some(Seen::Monster) => 3,
                };
            }
            at += 1;
        }
    }
}

/// Fills the squares of a layer one by one.
fn each(layer: &mut [u8], value: impl Fn(i32, i32) -> u8) {
    for (y, row) in (0..ROWS).zip(layer.chunks_exact_mut(COLUMNS as usize)) {
        for (x, square) in (0..COLUMNS).zip(row) {
            *square = value(x, y);
        }
    }
}
