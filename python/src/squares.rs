//! The squares of a level as layers of bytes, row by row, like the observations of NLE.
//!
//! A layer has 21 rows of 80 columns. Column x is column x of the game. Column 0 is not part of the map, so the columns
//! from 1 on are the 79 of NLE.

use splc_ir::catalog::Catalog;
use splc_picture::{Layer as Seen, Painter};
use splc_vm::{COLUMNS, Level, ROWS, SQUARES, Terrain};

/// Size of a layer in bytes.
pub const LAYER: usize = SQUARES;

/// Size of a row in bytes.
const WIDTH: usize = COLUMNS as usize;

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

/// Fills layers with those of a level of the painter's game. Each is as long as [`LAYER`].
pub fn fill<'a>(
    layers: impl Iterator<Item = (Layer, &'a mut [u8])>,
    level: &Level,
    painter: &mut Painter<'_>,
    numbers: &Numbers,
) {
    let mut drawn = [const { None }; 3];
    for (layer, squares) in layers {
        match layer {
            Layer::Chars => drawn[0] = Some(squares),
            Layer::Colors => drawn[1] = Some(squares),
            Layer::Kinds => drawn[2] = Some(squares),
            Layer::Light => each(squares, |x, y| level.is_lit(x, y).into()),
            Layer::Terrain => each(squares, |x, y| numbers[usize::from(level.terrain(x, y).number())]),
        }
    }
    if drawn.iter().all(Option::is_none) {
        return;
    }
    let mut spare = [[0; LAYER]; 3];
    let mut spare = spare.each_mut().map(|squares| &mut squares[..]).into_iter();
    let [chars, colors, kinds] = drawn.map(|squares| squares.or(spare.next()).unwrap_or_default());
    kinds.fill(0);
    for (y, (chars, colors)) in (0..ROWS).zip(chars.chunks_mut(WIDTH).zip(colors.chunks_mut(WIDTH))) {
        // Column 0 is not part of the map.
        (chars[0], colors[0]) = (b' ', 0);
        for (x, (symbol, color)) in (1..COLUMNS).zip(chars[1..].iter_mut().zip(&mut colors[1..])) {
            let look = painter.terrain(level, x, y);
            (*symbol, *color) = (look.symbol as u8, look.color.number());
        }
    }
    painter.things(level, |(x, y), layer, look| {
        let at = y as usize * WIDTH + x as usize;
        (chars[at], colors[at]) = (look.symbol as u8, look.color.number());
        kinds[at] = match layer {
            Seen::Terrain => 0,
            Seen::Trap => 1,
            Seen::Object => 2,
            Seen::Monster => 3,
        };
    });
}

/// Fills the squares of a layer one by one.
fn each(layer: &mut [u8], mut value: impl FnMut(i32, i32) -> u8) {
    for (y, row) in (0..ROWS).zip(layer.chunks_exact_mut(WIDTH)) {
        for (x, square) in (0..COLUMNS).zip(row) {
            *square = value(x, y);
        }
    }
}
