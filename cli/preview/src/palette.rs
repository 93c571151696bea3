//! The appearances of a level's squares, each once with a number.

use std::collections::HashMap;

use serde::Serialize;
use splc_ir::catalog::Catalog;
use splc_picture::{Look, Picture, square_name};
use splc_vm::internals::wall;
use splc_vm::{COLUMNS, Level, ROWS, Terrain};

/// A symbol and the number of its colour.
pub type Sign = (char, u8);

/// One appearance of a square, with all its layers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Cell {
    /// Type of its terrain, by its name in the catalogs, e.g. "hwall".
    pub terrain: &'static str,
    /// The game's bits about it: the state of a door, the protection of a wall.
    pub flags: i32,
    /// True if a door, wall or bars run horizontally.
    pub horizontal: bool,
    /// True if it is lit.
    pub lit: bool,
    /// Number of its room, from 0; `None` outside all rooms.
    pub room: Option<i32>,
    /// True if it cannot be dug.
    pub undiggable: bool,
    /// True if it cannot be phased through.
    pub impassable: bool,
    /// Its terrain as the game draws it.
    pub ground: Sign,
    /// Its trap.
    pub trap: Option<Sign>,
    /// The topmost of its objects.
    pub object: Option<Sign>,
    /// Its monster.
    pub monster: Option<Sign>,
    /// True if something is engraved there.
    pub engraved: bool,
}

/// The cells of a level, each appearance once.
#[derive(Debug, Default)]
pub(crate) struct Palette {
    cells: Vec<NamedCell>,
    known: HashMap<Cell, u16>,
}

/// A cell with its name.
#[derive(Clone, Debug, Serialize)]
pub struct NamedCell {
    #[serde(flatten)]
    cell: Cell,
    /// Its name, e.g. "locked door".
    name: String,
}

impl Palette {
    /// Returns the cells, in the order of their numbers.
    pub fn list(self) -> Vec<NamedCell> {
        self.cells
    }

    /// Returns the number of the appearance of each square, row by row.
    pub fn squares(&mut self, level: &Level, catalog: &Catalog) -> Vec<u16> {
        let picture = Picture::of(level, catalog);
        let engraved: Vec<(i32, i32)> = level.engravings().iter().map(|it| (it.x, it.y)).collect();
        let sign = |Look { symbol, color }: Look| (symbol, color as u8);
        let mut numbers = Vec::with_capacity((COLUMNS * ROWS) as usize);
        for (x, y) in squares() {
            let Some(layers) = picture.layers(x, y) else { continue };
            let (terrain, flags) = (level.terrain(x, y), level.flags(x, y));
            let protected = terrain.is_wall_or_stone() || terrain == Terrain::TREE || terrain == Terrain::IRON_BARS;
            let room = level.room_number(x, y) - splc_vm::internals::FIRST_ROOM_NUMBER;
            let cell = Cell {
                terrain: terrain.word(),
                flags,
                horizontal: level.is_horizontal(x, y),
                lit: layers.lit,
                room: (room >= 0).then_some(room),
                undiggable: protected && flags & wall::NON_DIGGABLE != 0,
                impassable: protected && flags & wall::NON_PASSABLE != 0,
                ground: sign(layers.terrain),
                trap: layers.trap.map(sign),
                object: layers.object.map(sign),
                monster: layers.monster.map(sign),
                engraved: engraved.contains(&(x, y)),
            };
            let cells = &mut self.cells;
            numbers.push(*self.known.entry(cell).or_insert_with_key(|cell| {
                cells.push(NamedCell { cell: cell.clone(), name: square_name(level, catalog, x, y) });
                (cells.len() - 1) as u16
            }));
        }
        numbers
    }
}

/// Returns the places of a level, row by row, in the order of the page.
pub(crate) fn squares() -> impl Iterator<Item = (i32, i32)> {
    (0..ROWS).flat_map(|y| (1..COLUMNS).map(move |x| (x, y)))
}
