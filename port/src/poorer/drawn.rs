//! Draws the terrain statements of a script into the map, square by square.

use splc_ir::catalog::LoaderRule;
use splc_ir::level::*;
use splc_ir::source::{Span, Text};
use splc_ir::words::Irregular;

use super::known::squares;
use crate::left_over::lose;
use crate::tree::{bare, is_anywhere, levels};
use crate::work::Work;

/// Map characters of furniture that a part of 3.4.3 can only have in its map.
const SINK: char = 'K';
const POOL: char = 'P';
/// Map characters of doors, the plain door first. [`WALLS`] are those of squares on which nothing can be placed.
const DOORS: [char; 2] = ['+', 'S'];
const WALLS: [char; 4] = ['-', '|', 'B', ROCK];
const ROCK: char = ' ';

/// Draws TERRAIN and REPLACE_TERRAIN on known squares. A statement on a selection becomes one statement per square.
pub(crate) fn drawn_terrain(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        let in_part = matches!(level.kind, LevelKind::Maze { .. });
        let mut made: Vec<Statement> = Vec::new();
        let mut map: Option<usize> = None;
        let mut is_maze_cut = false;
        for statement in std::mem::take(&mut level.body) {
            let span = statement.span;
            match &statement.kind {
                StatementKind::Map(_) => (map, is_maze_cut) = (Some(made.len()), false),
                StatementKind::MazeWalk { .. } => is_maze_cut = true,
                StatementKind::Wallify { .. } if in_part && is_maze_cut => {
                    lose(work, &statement, "3.4.3 adds these walls before it carves the maze, which they would block");
                    continue;
                }
                StatementKind::Terrain { at, terrain } if in_part => {
                    if let Some(change) = change_of(at, terrain) {
                        draw(work, &mut made, map, span, &change);
                        continue;
                    }
                    refuse(work, span, "the squares to change are drawn when the level is loaded");
                    continue;
                }
                StatementKind::ReplaceTerrain { region, from, to, chance } if in_part => {
                    let change = match (character(from), &region.kind, chance.node >= 100) {
                        (Some(from), ExprKind::Region { corners: [x1, y1, x2, y2] }, true) => {
                            let region = ExprKind::Region { corners: [*x1, *y1, *x2, *y2] };
                            let area = SelectionKind::FilledRectangle(Expr { kind: region, span });
                            change_of(&Selection { kind: area, span }, to)
                                .map(|change| Change { from: Some(from), ..change })
                        }
                        _ => None,
                    };
                    match change {
                        Some(change) => draw(work, &mut made, map, span, &change),
                        None => refuse(work, span, "the squares to change are drawn when the level is loaded"),
                    }
                    continue;
                }
                // Without dice, the `left-over` pass drops it with a note.
                StatementKind::Spill { .. } | StatementKind::WallWalk { .. } if in_part && work.dice.is_some() => {
                    refuse(work, span, "the squares to change are drawn when the level is loaded");
                    continue;
                }
                StatementKind::Sink { at } | StatementKind::Pool { at } if in_part => {
                    let is_sink = matches!(statement.kind, StatementKind::Sink { .. });
                    let to = if is_sink { SINK } else { POOL };
                    if let (Some(squares), true) = (squares(at), work.to.terrain(to).is_some()) {
                        let change = Change { squares, from: None, to, lit: false };
                        draw(work, &mut made, map, span, &change);
                        continue;
                    }
                }
                StatementKind::Fountain { at } => {
                    if let Some(points) = points(at) {
                        each(work, &mut made, span, points, |at| StatementKind::Fountain { at });
                        continue;
                    }
                }
                StatementKind::Door { state, at, also } => {
                    if let (Some(squares), true) = (squares(at), in_part) {
                        doors(work, &mut made, map, span, squares);
                    }
                    if let Some(points) = points(at) {
                        let (state, also) = (*state, also.clone());
                        each(work, &mut made, span, points, |at| StatementKind::Door { state, at, also: also.clone() });
                        continue;
                    }
                }
                _ => {}
            }
            made.push(statement);
        }
        level.body = made;
    }
}

/// Returns the squares of a selection, or `None` if it already is a point.
fn points(at: &Selection) -> Option<Vec<(i32, i32)>> {
    if matches!(at.kind, SelectionKind::Point(_)) { None } else { squares(at) }
}

fn each(
    work: &mut Work<'_>,
    made: &mut Vec<Statement>,
    span: Span,
    points: Vec<(i32, i32)>,
    kind: impl Fn(Selection) -> StatementKind,
) {
    work.same(span, "each square gets a separate statement");
    for (x, y) in points {
        let place = Expr { kind: ExprKind::Coordinate { x, y }, span };
        made.push(Statement { kind: kind(Selection { kind: SelectionKind::Point(place), span }), span });
    }
}

/// Draws missing doors into the map, where the compiler of lists requires them.
fn doors(work: &mut Work<'_>, made: &mut [Statement], map: Option<usize>, span: Span, mut squares: Vec<(i32, i32)>) {
    let Some(Statement { kind: StatementKind::Map(Map::Drawn { rows, .. }), .. }) = map.and_then(|map| made.get(map))
    else {
        return;
    };
    let drawn = drawn_rows(rows);
    let width = drawn.iter().map(Vec::len).max().unwrap_or(0);
    let of = |&(x, y): &(i32, i32)| {
        let row = drawn.get(usize::try_from(y).ok()?)?;
        let x = usize::try_from(x).ok().filter(|&x| x < width)?;
        Some(row.get(x).copied().unwrap_or(ROCK))
    };
    squares.retain(|square| of(square).is_some_and(|character| !DOORS.contains(&character)));
    if squares.is_empty() {
        return;
    }
    // Nothing can be placed in a wall, with or without a door, so the order does not matter.
    let in_walls = squares.iter().all(|square| of(square).is_some_and(|character| WALLS.contains(&character)));
    let change = Change { squares, from: None, to: DOORS[0], lit: false };
    if in_walls {
        if let Some(Statement { kind: StatementKind::Map(Map::Drawn { rows, .. }), .. }) =
            map.and_then(|map| made.get_mut(map))
        {
            draw_in(rows, &change);
        }
        work.same(span, "the door is drawn in the map, as lists require");
    } else {
        draw(work, made, map, span, &change);
    }
}

/// Reports that a statement cannot be ported, and thus its level.
fn refuse(work: &mut Work<'_>, span: Span, what: &'static str) {
    work.lost(span, what);
    work.fail(span, what);
}

/// A change of terrain on some squares.
struct Change {
    squares: Vec<(i32, i32)>,
    /// The terrain to replace, or `None` to replace any.
    from: Option<char>,
    to: char,
    /// Set if the statement gives a light.
    lit: bool,
}

fn character(terrain: &Expr) -> Option<char> {
    match terrain.kind {
        ExprKind::MapCharacter { character, .. } => Some(character),
        _ => None,
    }
}

fn change_of(at: &Selection, terrain: &Expr) -> Option<Change> {
    let ExprKind::MapCharacter { character, light } = terrain.kind else { return None };
    Some(Change { squares: squares(at)?, from: None, to: character, lit: light.is_some() })
}

/// Returns true if the effect of a statement may depend on the terrain of `squares`, or changes it.
fn depends_on(statement: &Statement, squares: &[(i32, i32)]) -> bool {
    match bare(statement) {
        StatementKind::Registers { .. } | StatementKind::Message { .. } | StatementKind::LevelRegion(_) => false,
        // A rectangular region lights the same squares on any terrain.
        StatementKind::Region(region) => {
            let irregular = RoomFlag::Irregular(Irregular::Irregular);
            region.body.is_some() || region.flags.iter().flatten().any(|flag| flag.node == irregular)
        }
        StatementKind::Gold { place, .. } | StatementKind::Engraving { place, .. } => is_anywhere(place),
        StatementKind::Monster(monster) => is_anywhere(&monster.place),
        StatementKind::Object(object) => object.place().is_none_or(is_anywhere),
        StatementKind::Trap { place, .. }
        | StatementKind::Stair { place, .. }
        | StatementKind::Ladder { place, .. } => match place.kind {
            ExprKind::Coordinate { x, y } => squares.contains(&(x, y)),
            _ => true,
        },
        StatementKind::Door { at, .. } | StatementKind::Fountain { at } => match self::squares(at) {
            Some(places) => places.iter().any(|place| squares.contains(place)),
            None => true,
        },
        _ => true,
    }
}

/// Draws `change` into the map at index `map` of the statements in `made`.
fn draw(work: &mut Work<'_>, made: &mut [Statement], map: Option<usize>, span: Span, change: &Change) {
    let between = map.and_then(|map| made.get(map + 1..)).unwrap_or_default();
    let matters = between.iter().any(|statement| depends_on(statement, &change.squares));
    let Some(Statement { kind: StatementKind::Map(Map::Drawn { rows, .. }), .. }) =
        map.and_then(|map| made.get_mut(map))
    else {
        return refuse(work, span, "its squares are not in a map");
    };
    let drawn = drawn_rows(rows);
    let is_door = |x: Option<usize>, y: Option<usize>| {
        y.and_then(|y| drawn.get(y)?.get(x?)).is_some_and(|character| DOORS.contains(character))
    };
    let mut squares = change.squares.iter();
    if work.source_rule(LoaderRule::DoorsAreDoneAtOnce)
        && squares.any(|&(x, y)| is_door(usize::try_from(x + 1).ok(), usize::try_from(y).ok()))
    {
        work.differs(span, "a door to its right now takes its orientation from this square of the map");
    }
    let outside = draw_in(rows, change);
    if outside {
        work.differs(span, "squares outside of its map are not changed");
    }
    if change.lit {
        work.differs(span, "the squares are lit by the regions around them");
    }
    if matters {
        work.differs(span, "it is drawn in the map, before the statements between them");
    } else {
        work.same(span, "it is drawn in the map");
    }
}

/// Returns the squares of a map, row by row, without digits that number its lines.
fn drawn_rows(rows: &MapRows) -> Vec<Vec<char>> {
    rows.rows.iter().map(|row| row.chars().filter(|character| !character.is_ascii_digit()).collect()).collect()
}

/// Draws `change` into a map. Returns true if it would have changed a square outside the map.
fn draw_in(rows: &mut MapRows, change: &Change) -> bool {
    let mut drawn = drawn_rows(rows);
    let width = drawn.iter().map(Vec::len).max().unwrap_or(0);
    let mut outside = false;
    for &(x, y) in &change.squares {
        let square = usize::try_from(y).ok().and_then(|y| drawn.get_mut(y)).and_then(|row| {
            let x = usize::try_from(x).ok().filter(|&x| x < width)?;
            if row.len() <= x {
                row.resize(x + 1, ' ');
            }
            row.get_mut(x)
        });
        match square {
            Some(square) if change.from.is_none_or(|from| *square == from) => *square = change.to,
            Some(_) => {}
            // Outside the map there is no terrain to replace.
            None => outside |= change.from.is_none(),
        }
    }
    for (row, drawn) in rows.rows.iter_mut().zip(drawn) {
        *row = Text::from(drawn.into_iter().collect::<String>());
    }
    outside
}
