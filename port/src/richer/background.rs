//! The background of a level: the filling of a MAZE, the positions of maps, and walls drawn by the compiler.

use splc_ir::catalog::{Catalog, LoaderRule};
use splc_ir::level::*;
use splc_ir::parts::Grid;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::words::{Horizontal, Vertical};

use super::has_ice;
use crate::tree::{levels, parts};
use crate::work::Work;

/// The last column and row that a maze can reach: those of a level (80 by 21), rounded down to even numbers
/// (`x_maze_max`, `y_maze_max`).
pub(super) const MAZE_COLUMNS: i32 = 78;
pub(super) const MAZE_ROWS: i32 = 20;

/// Columns of a level. The first is never used.
pub(super) const COLUMNS: i32 = 80;

/// Rows of a level.
pub(super) const ROWS: i32 = 21;

/// The flag of maze levels.
const MAZE_FLAG: &str = "mazelevel";

/// Draws the walls of WALLIFY into the map, since the compiler of 3.4.3 applies it to the map at compile time.
pub(crate) fn drawn_walls(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        let mut map = None;
        let mut at = 0;
        while at < level.body.len() {
            match &level.body[at].kind {
                StatementKind::Map(_) => map = Some(at),
                StatementKind::Wallify { at: None } => {
                    work.same(level.body[at].span, "its walls are drawn in the map, as by the compiler");
                    level.body.remove(at);
                    if let Some(Statement { kind: StatementKind::Map(Map::Drawn { rows, .. }), span }) =
                        map.map(|map| &mut level.body[map])
                    {
                        work.same(*span, "the walls of WALLIFY are drawn in it");
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

/// Turns cross walls into floor with TERRAIN. They only mark the bounds of regions. The loader of 3.4.3 turns them into
/// floor once the regions and doors of the part exist, the loader of a script at the very end (`remove_boundary_syms`).
pub(crate) fn boundaries(work: &mut Work<'_>, module: &mut Module) {
    const CROSS_WALL: &str = "crosswall";
    let number = work.from.level_types.iter().position(|name| name == CROSS_WALL);
    let Some(cross_wall) = number.and_then(|number| u8::try_from(number).ok()) else { return };
    for level in levels(module).filter(|level| matches!(level.kind, LevelKind::Maze { .. })) {
        for mut part in parts(&mut level.body) {
            let grid = part.iter().find_map(|statement| match &statement.kind {
                StatementKind::Map(Map::Drawn { rows, .. }) => Some((Grid::new(rows, work.from), statement.span)),
                _ => None,
            });
            // A door replaces the cross wall on its square.
            let doors: Vec<Option<(i32, i32)>> = part.iter().filter_map(door_place).collect();
            if let Some((grid, span)) = grid.filter(|(grid, _)| grid.squares.contains(&cross_wall)) {
                if doors.contains(&None) {
                    work.differs(span, "a door at a random place may have been on a cross wall, and is floor now");
                }
                work.same(span, "its cross walls become floor after the regions and doors, as by the loader");
                let is_there = |x: usize, y: usize| {
                    grid.squares[y * grid.width + x] == cross_wall && !doors.contains(&Some((x as i32, y as i32)))
                };
                for y in 0..grid.height {
                    let mut x = 0;
                    while x < grid.width {
                        let width = (x..grid.width).take_while(|&x| is_there(x, y)).count();
                        if width > 0 {
                            part.push(floor(x as i32, y as i32, width as i32));
                        }
                        x += width.max(1);
                    }
                }
            }
            level.body.extend(part);
        }
    }
}

/// Returns the place of a DOOR, or `Some(None)` if it is drawn at random.
fn door_place(statement: &Statement) -> Option<Option<(i32, i32)>> {
    match &statement.kind {
        StatementKind::Door { at: Selection { kind: SelectionKind::Point(place), .. }, .. } => Some(match place.kind {
            ExprKind::Coordinate { x, y } => Some((x, y)),
            _ => None,
        }),
        StatementKind::Door { .. } => Some(None),
        _ => None,
    }
}

/// Returns a TERRAIN that turns consecutive squares of a row into floor.
fn floor(x: i32, y: i32, width: i32) -> Statement {
    const FLOOR: char = '.';
    let expression = |kind| Expr { kind, span: Span::NOWHERE };
    let kind = match width {
        1 => SelectionKind::Point(expression(ExprKind::Coordinate { x, y })),
        _ => SelectionKind::FilledRectangle(expression(ExprKind::Region { corners: [x, y, x + width - 1, y] })),
    };
    let terrain = expression(ExprKind::MapCharacter { character: FLOOR, light: None });
    let kind = StatementKind::Terrain { at: Selection { span: Span::NOWHERE, kind }, terrain };
    Statement { kind, span: Span::NOWHERE }
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

/// Rewrites MAZE as LEVEL with its filling as INIT_MAP and the flag `mazelevel`.
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
                work.same(level.span, "MAZE becomes LEVEL with the flag mazelevel; INIT_MAP overrides its filling");
            }
            None => {
                // The compiler makes a maze if it does not know the filling.
                let (init, words) = match filling.filter(|filling| work.from.terrain(filling.node).is_some()) {
                    Some(filling) => (InitMap::Solid { filling, light: None }, "INIT_MAP: solidfill"),
                    None => {
                        let filling = Spanned::new('-', Span::NOWHERE);
                        (InitMap::MazeGrid { filling }, "INIT_MAP: mazegrid")
                    }
                };
                if let InitMap::Solid { filling, .. } = &init
                    && is_lava(filling.node, work.from)
                {
                    work.differs(level.span, "lava that fills a MAZE of 3.4.3 is dark, lava of INIT_MAP is lit");
                }
                level.body.insert(0, Statement { kind: StatementKind::InitMap(init), span: Span::NOWHERE });
                work.same(level.span, format!("MAZE becomes LEVEL with {words} and the flag mazelevel"));
            }
        }
    }
}

pub(crate) fn is_lava(character: char, catalog: &Catalog) -> bool {
    let number = catalog.terrain(character).and_then(|number| usize::try_from(number).ok());
    number.and_then(|number| catalog.level_types.get(number)).is_some_and(|name| name == "lavapool")
}

/// Positions maps at `left` by number if INIT_MAP has filled the level, because `left` is then another column in some
/// games.
pub(crate) fn left_maps(work: &mut Work<'_>, module: &mut Module) {
    let moves = |catalog: &Catalog| catalog.is_script() && !catalog.loader.rules.has(LoaderRule::InitLeavesMaps);
    let (before, after) = (moves(work.from), moves(work.to));
    if before == after {
        return;
    }
    for level in levels(module) {
        let with_init =
            |level: &Level| level.body.iter().any(|statement| matches!(statement.kind, StatementKind::InitMap(_)));
        if work.from.is_script() && with_init(level) && has_ice(level) {
            let (with, without) = if before { (work.from, work.to) } else { (work.to, work.from) };
            let what = format!(
                "ice on a level with INIT_MAP has water below it in {}, but not in {}",
                with.title, without.title
            );
            work.game(level.span, what);
        }
        // A later pass turns MAZE into INIT_MAP.
        let mut filled = matches!(level.kind, LevelKind::Maze { .. });
        for statement in &mut level.body {
            let span = statement.span;
            filled |= matches!(statement.kind, StatementKind::InitMap(_));
            let StatementKind::Map(Map::Drawn { position, rows, .. }) = &mut statement.kind else { continue };
            if let (true, MapPosition::Aligned { horizontal: Horizontal::Left, vertical }) = (filled, &*position) {
                let (_, y) = corner(Horizontal::Left, *vertical, rows.width() as i32, rows.rows.len() as i32);
                let column = if before { FILLED_LEFT_COLUMN } else { LEFT_COLUMN };
                // Coordinates count from the second column of the level.
                let place = ExprKind::Coordinate { x: column - 1, y };
                *position = MapPosition::At(Expr { kind: place, span: Span::NOWHERE });
                let what =
                    "`left` on a level with INIT_MAP is another column in the target: its place is given in numbers";
                work.same(span, what);
            }
        }
    }
}

/// The column of `left` in a level filled by INIT_MAP.
const FILLED_LEFT_COLUMN: i32 = 1;

/// The column of `left`.
const LEFT_COLUMN: i32 = 3;

/// Returns the column and row at which 3.4.3 places the upper left corner of a map (`load_maze`).
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
