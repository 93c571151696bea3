//! The squares of a level as layers of bytes, row by row, like the observations of NLE.
//!
//! A layer has 21 rows of 80 columns. Column x is column x of the game. Column 0 is not part of the map, so the columns
//! from 1 on are the 79 of NLE.

use splc_ir::catalog::Catalog;
use splc_picture::{Layer as Seen, Look, Painter};
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

/// The squares of a layer.
pub type Squares = [u8; LAYER];

/// Fills layers with those of a level of the painter's game.
pub fn fill<'a>(
    layers: impl Iterator<Item = (Layer, &'a mut Squares)>,
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
            Layer::Light => each(|x, y, at| squares[at] = level.is_lit(x, y).into()),
            Layer::Terrain => {
                each(|x, y, at| squares[at] = numbers[usize::from(level.terrain(x, y).number())]);
            }
        }
    }
    if drawn.iter().all(Option::is_none) {
        return;
    }
    let [mut spare_chars, mut spare_colors, mut spare_kinds] = [[0; LAYER]; 3];
    let [chars, colors, kinds] = drawn;
    let chars = chars.unwrap_or(&mut spare_chars);
    let colors = colors.unwrap_or(&mut spare_colors);
    let kinds = kinds.unwrap_or(&mut spare_kinds);
    kinds.fill(0);
    each(|x, y, at| {
        // Column 0 is not part of the map.
        (chars[at], colors[at]) = if x == 0 { (b' ', 0) } else { drawn_as(painter.terrain(level, x, y)) };
    });
    painter.things(level, |(x, y), layer, look| {
        let at = y as usize * WIDTH + x as usize;
        (chars[at], colors[at]) = drawn_as(look);
        kinds[at] = match layer {
            Seen::Terrain => 0,
            Seen::Trap => 1,
            Seen::Object => 2,
            Seen::Monster => 3,
        };
    });
}

/// Returns a symbol and its colour as bytes.
fn drawn_as(look: Look) -> (u8, u8) {
    (look.symbol as u8, look.color.number())
}

/// Calls `put` with the column, row and position in a layer of each square. The order is that of a level's own arrays.
#[inline(always)]
fn each(mut put: impl FnMut(i32, i32, usize)) {
    for x in 0..COLUMNS {
        for y in 0..ROWS {
            put(x, y, y as usize * WIDTH + x as usize);
        }
    }
}
