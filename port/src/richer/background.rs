//! What lies below everything: the filling of a MAZE, where maps go, walls that the compiler draws.

use splc_ir::catalog::{Catalog, LoaderRule};
use splc_ir::level::*;
use splc_ir::parts::Grid;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::words::{Horizontal, Vertical};

use super::levels;
use crate::work::Work;

/// The last column and row that a maze reaches: those of a level (80 by 21), rounded down to even numbers
/// (`x_maze_max`, `y_maze_max`).
const MAZE_COLUMNS: i32 = 78;
const MAZE_ROWS: i32 = 20;

/// Rows of a level.
const ROWS: i32 = 21;

/// The flag of levels that are mazes.
const MAZE_FLAG: &str = "mazelevel";

/// WALLIFY of 3.4.3 works on the map when it is compiled: the walls go into the map.
pub(crate) fn drawn_walls(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        let mut map = None;
        let mut at = 0;
        while at < level.body.len() {
            match &level.body[at].kind {
                StatementKind::Map(_) => map = Some(at),
                StatementKind::Wallify { at: None } => {
                    work.same(level.body[at].span, "its walls are drawn in the map, as the compiler does");
                    level.body.remove(at);
                    if let Some(Statement { kind: StatementKind::Map(Map::Drawn { rows, .. }), span }) =
                        map.map(|map| &mut level.body[map])
                    {
                        work.same(*span, "the walls that WALLIFY makes are drawn in it");
                        draw_walls(rows, work.from);
                    }
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }
}

fn draw_walls(rows: &mut MapRows, catalog: &Catalog) {
    let mut grid = Grid::new(rows, catalog);
    let before = grid.squares.clone();
    grid.wallify(catalog);
    for (y, row) in rows.rows.iter_mut().enumerate().take(grid.height) {
        let mut drawn: Vec<char> = row.chars().filter(|character| !character.is_ascii_digit()).collect();
        drawn.resize(grid.width, ' ');
        for (x, character) in drawn.iter_mut().enumerate() {
            let square = y * grid.width + x;
            if before[square] != grid.squares[square] {
                let wall = catalog.map_character(grid.squares[square].into());
                *character = wall.unwrap_or(*character);
            }
        }
        *row = Text::from(drawn.into_iter().collect::<String>());
    }
}

/// MAZE becomes LEVEL, its filling INIT_MAP, and the flag `mazelevel` says the rest.
pub(crate) fn backgrounds(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        let LevelKind::Maze { filling } = level.kind else { continue };
        level.kind = LevelKind::Script;
        let flag = Spanned::new(Text::const_new(MAZE_FLAG), Span::NOWHERE);
        level.flags.get_or_insert_with(Vec::new).push(flag);
        let init = level.body.iter().position(|statement| matches!(statement.kind, StatementKind::InitMap(_)));
        match init {
            Some(at) => {
                level.body[..=at].rotate_right(1);
                work.same(level.span, "MAZE is LEVEL with the flag mazelevel; INIT_MAP goes before its filling");
            }
            None => {
                // With a filling that it does not know, the compiler makes a maze.
                let (init, words) = match filling.filter(|filling| work.from.terrain(filling.node).is_some()) {
                    Some(filling) => (InitMap::Solid { filling, light: None }, "INIT_MAP: solidfill"),
                    None => {
                        let filling = Spanned::new('-', Span::NOWHERE);
                        (InitMap::MazeGrid { filling }, "INIT_MAP: mazegrid")
                    }
                };
                level.body.insert(0, Statement { kind: StatementKind::InitMap(init), span: Span::NOWHERE });
                work.same(level.span, format!("MAZE is LEVEL with {words} and the flag mazelevel"));
            }
        }
    }
}

/// Where INIT_MAP has filled the level, `left` is another column in some games: such a map gets its place in numbers.
pub(crate) fn left_maps(work: &mut Work<'_>, module: &mut Module) {
    let moves = |catalog: &Catalog| catalog.is_script() && !catalog.loader.rules.has(LoaderRule::InitLeavesMaps);
    let (before, after) = (moves(work.from), moves(work.to));
    if before == after {
        return;
    }
    for level in levels(module) {
        // MAZE is about to become INIT_MAP.
        let mut filled = matches!(level.kind, LevelKind::Maze { .. });
        for statement in &mut level.body {
            let span = statement.span;
            filled |= matches!(statement.kind, StatementKind::InitMap(_));
            let StatementKind::Map(Map::Drawn { position, rows, .. }) = &mut statement.kind else { continue };
            if let (true, MapPosition::Aligned { horizontal: Horizontal::Left, vertical }) = (filled, &*position) {
                let (_, y) = corner(Horizontal::Left, *vertical, rows.width() as i32, rows.rows.len() as i32);
                let column = if before { FILLED_LEFT_COLUMN } else { LEFT_COLUMN };
                // A place counts from the second column of the level.
                let place = ExprKind::Coordinate { x: column - 1, y };
                *position = MapPosition::At(Expr { kind: place, span: Span::NOWHERE });
                let what = "left of a level with INIT_MAP is another column in the target: the place is given";
                work.same(span, what);
            }
        }
    }
}

/// The column of `left` of a level that INIT_MAP has filled.
const FILLED_LEFT_COLUMN: i32 = 1;

/// The column of `left`.
const LEFT_COLUMN: i32 = 3;

/// The column and row of the level where 3.4.3 lays the upper left corner of a map (`load_maze`).
pub(crate) fn corner(horizontal: Horizontal, vertical: Vertical, width: i32, height: i32) -> (i32, i32) {
    let odd = |number: i32| if number % 2 == 0 { number + 1 } else { number };
    let x = match horizontal {
        Horizontal::Left => LEFT_COLUMN,
        Horizontal::HalfLeft => 2 + (MAZE_COLUMNS - 2 - width) / 4,
        Horizontal::Center => 2 + (MAZE_COLUMNS - 2 - width) / 2,
        Horizontal::HalfRight => 2 + (MAZE_COLUMNS - 2 - width) * 3 / 4,
        Horizontal::Right => MAZE_COLUMNS - width - 1,
    };
    let y = match vertical {
        Vertical::Top => 3,
        Vertical::Center => 2 + (MAZE_ROWS - 2 - height) / 2,
        Vertical::Bottom => MAZE_ROWS - height - 1,
    };
    let (x, mut y) = (odd(x), odd(y));
    if y < 0 || y + height > ROWS {
        y += if y > 0 { -2 } else { 2 };
        if height == ROWS {
            y = 0;
        }
    }
    (x, y)
}
