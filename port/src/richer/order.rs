//! Writes statements in the order in which the loader of 3.4.3 executes them, where that shows.

use std::collections::HashSet;

use splc_ir::catalog::Catalog;
use splc_ir::lacks::word;
use splc_ir::level::*;
use splc_ir::order::Order;
use splc_ir::source::{Span, Text};
use splc_ir::visit::has_expression;
use splc_ir::words::UpDown;

use super::background::{COLUMNS, MAZE_COLUMNS, MAZE_ROWS, ROWS, corner};
use super::dependence::{self, Ground, has_keepers};
use crate::tree::{bare, is_anywhere, levels, parts};
use crate::work::Work;

/// Returns the rank of a statement in the order in which a part is built; see [`splc_ir::parts::Part`].
pub(crate) fn rank_in_part(statement: &Statement) -> u8 {
    match bare(statement) {
        StatementKind::InitMap(_) => 0,
        StatementKind::Map(_) => 1,
        StatementKind::Message { .. } => 2,
        StatementKind::LevelRegion(_) => 3,
        StatementKind::Define { .. } | StatementKind::Shuffle { .. } => 4,
        StatementKind::Region(_) => 5,
        StatementKind::Door { .. } => 6,
        // Represents the end of cross walls.
        StatementKind::Terrain { .. } => 7,
        StatementKind::Drawbridge { .. } => 8,
        StatementKind::MazeWalk { .. } => 9,
        StatementKind::NonDiggable { .. } => 10,
        StatementKind::NonPasswall { .. } => 11,
        StatementKind::Ladder { .. } => 12,
        StatementKind::Stair { .. } => 13,
        StatementKind::Altar { .. } => 14,
        StatementKind::Fountain { .. } => 15,
        StatementKind::Trap { .. } => 16,
        StatementKind::Monster(_) => 17,
        StatementKind::Object(_) => 18,
        StatementKind::Gold { .. } => 19,
        _ => 20,
    }
}

/// Returns the rank of a statement in a level of rooms.
fn rank_in_level(statement: &Statement) -> u8 {
    match &statement.kind {
        StatementKind::InitMap(_) => 0,
        StatementKind::Message { .. } => 1,
        StatementKind::Define { .. } | StatementKind::Shuffle { .. } => 2,
        StatementKind::Room(_) => 3,
        _ => 4,
    }
}

/// Returns the rank of a statement in a room, and true if the loader builds its list from the last entry; see
/// [`splc_ir::parts::Room`].
pub(crate) fn rank_in_room(statement: &Statement) -> (u8, bool) {
    match bare(statement) {
        StatementKind::Room(_) => (0, false),
        StatementKind::Stair { .. } => (1, true),
        StatementKind::Sink { .. } => (2, true),
        StatementKind::Pool { .. } => (3, true),
        StatementKind::Fountain { .. } => (4, true),
        StatementKind::Altar { .. } => (5, true),
        StatementKind::RoomDoor { .. } => (6, true),
        StatementKind::Trap { .. } => (7, true),
        StatementKind::Monster(_) => (8, true),
        StatementKind::Object(_) => (9, false),
        StatementKind::Gold { .. } => (10, true),
        _ => (11, true),
    }
}

/// Orders the statements of parts and rooms by rank, where that shows, and reverses level regions, as the loader does.
pub(crate) fn loader_order(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        let mut arranging = Arranging { keepers: has_keepers(&level.body), said: HashSet::new() };
        match level.kind {
            LevelKind::Maze { .. } => {
                let parts = parts(&mut level.body);
                for part in parts {
                    level.body.extend(arranging.arranged(work, part, |at, statement| match statement.kind {
                        StatementKind::LevelRegion(_) => (rank_in_part(statement), -(at as i64)),
                        _ => (rank_in_part(statement), at as i64),
                    }));
                }
            }
            LevelKind::Rooms => {
                let body = std::mem::take(&mut level.body);
                level.body = sorted(work, body, |at, statement| (rank_in_level(statement), at as i64));
                arranging.rooms(work, &mut level.body);
            }
            LevelKind::Script => {}
        }
    }
}

/// Sorts `body` by `key`, and notes the statements that moved past others.
fn sorted(work: &mut Work<'_>, body: Vec<Statement>, key: impl Fn(usize, &Statement) -> (u8, i64)) -> Vec<Statement> {
    let mut order: Vec<usize> = (0..body.len()).collect();
    order.order_by_key(|&at| key(at, &body[at]));
    for (&from, _) in order.iter().zip(longest_rise(&order)).filter(|(_, unmoved)| !unmoved) {
        work.same(body[from].span, MOVED);
    }
    in_order(body, &order)
}

fn in_order(body: Vec<Statement>, order: &[usize]) -> Vec<Statement> {
    let mut body: Vec<Option<Statement>> = body.into_iter().map(Some).collect();
    order.iter().filter_map(|&at| body[at].take()).collect()
}

const MOVED: &str = "it is moved to its place in the loader's order";

/// The arrangement of a level.
struct Arranging {
    /// Set if a variable of the level may contain a monster that looks at its room.
    keepers: bool,
    /// The reasons written as comments, each once.
    said: HashSet<String>,
}

impl Arranging {
    fn rooms(&mut self, work: &mut Work<'_>, body: &mut [Statement]) {
        for statement in body {
            if let StatementKind::Room(room) = &mut statement.kind {
                let inside = std::mem::take(&mut room.body);
                room.body = self.arranged(work, inside, |at, statement| {
                    let (rank, from_the_last) = rank_in_room(statement);
                    (rank, if from_the_last { -(at as i64) } else { at as i64 })
                });
                self.rooms(work, &mut room.body);
            }
        }
    }

    /// Orders `body` by `key` where that shows, and notes the statements that moved past others. A remark at the first
    /// of them says why.
    fn arranged(
        &mut self,
        work: &mut Work<'_>,
        body: Vec<Statement>,
        key: impl Fn(usize, &Statement) -> (u8, i64),
    ) -> Vec<Statement> {
        let mut loader: Vec<usize> = (0..body.len()).collect();
        loader.order_by_key(|&at| key(at, &body[at]));
        let ground = Ground::of(&body, self.keepers, work.from);
        let order = dependence::order(&body, &loader, &ground);
        let unmoved = longest_rise(&order);
        // MAZEWALKs are moved again, to the end of the level.
        let moves = |at: &usize| !unmoved[*at] && !is_walk(&body[order[*at]]);
        let moved: Vec<usize> = (0..order.len()).filter(moves).collect();
        for &at in &moved {
            work.same(body[order[at]].span, MOVED);
        }
        if let Some(&first) = moved.first() {
            let reason = reason(&body, &order, first, &ground, work.from);
            if !reason.is_empty() && self.said.insert(reason.clone()) {
                work.remark(body[order[first]].span, reason);
            }
        }
        in_order(body, &order)
    }
}

fn is_walk(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::MazeWalk { .. })
}

/// Returns the reason for the place of a statement that moved past others.
fn reason(body: &[Statement], order: &[usize], at: usize, ground: &Ground<'_>, from: &Catalog) -> String {
    let here = order[at];
    let shows = |other: &usize| dependence::shows(&body[here], &body[*other], ground);
    let before = order[..at].iter().rev().copied().filter(|&other| other > here).find(shows);
    let after = || order[at + 1..].iter().copied().filter(|&other| other < here).find(shows);
    let Some((first, second)) = before.map(|other| (other, here)).or_else(|| after().map(|other| (here, other))) else {
        return String::new();
    };
    let is_region = |at: usize| matches!(body[at].kind, StatementKind::LevelRegion(_));
    let (first_word, second_word) = (word(bare(&body[first])), word(bare(&body[second])));
    if is_region(first) && is_region(second) {
        format!("Moved: {} runs the regions of the level from the last one.", from.title)
    } else if first_word == second_word {
        format!("Moved: {} runs every {first_word} of a room from the last one.", from.title)
    } else {
        format!("Moved: {} runs every {first_word} before any {second_word}.", from.title)
    }
}

/// Marks the members of a longest increasing subsequence of `numbers`, which are distinct.
fn longest_rise(numbers: &[usize]) -> Vec<bool> {
    // The end of the best subsequence of each length, and each number's predecessor in its subsequence.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; numbers.len()];
    for (at, &number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|&end| numbers[end] < number);
        before[at] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut in_row = vec![false; numbers.len()];
    let mut at = ends.last().copied();
    while let Some(here) = at {
        in_row[here] = true;
        at = before[here];
    }
    in_row
}

/// The part whose arrival regions take effect.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// The first part, as in lists: the loader processes level regions from the last one.
    First,
    /// The last part, as in scripts.
    Last,
}

/// Removes arrival regions that another part overrides.
pub(crate) fn arrivals(work: &mut Work<'_>, level: &mut Level, holds: Holds) {
    let bits = |direction: Option<UpDown>| match direction {
        None => 3,
        Some(UpDown::Up) => 1,
        Some(UpDown::Down) => 2,
    };
    let mut parts = parts(&mut level.body);
    if holds == Holds::Last {
        parts.reverse();
    }
    let mut said = 0;
    for part in &mut parts {
        let before = said;
        part.retain_mut(|statement| {
            let StatementKind::LevelRegion(region) = &mut statement.kind else { return true };
            let LevelRegionKind::Teleport(direction) = &mut region.kind else { return true };
            said |= bits(*direction);
            let left = bits(*direction) & !before;
            if left != bits(*direction) {
                let other = if holds == Holds::First { "an earlier" } else { "a later" };
                work.same(statement.span, format!("the arrivals of {other} part take effect instead of these"));
                *direction = Some(if left == 1 { UpDown::Up } else { UpDown::Down });
            }
            left != 0
        });
    }
    if holds == Holds::Last {
        parts.reverse();
    }
    level.body = parts.into_iter().flatten().collect();
}

/// Removes the arrivals that an earlier part overrides.
pub(crate) fn level_regions(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        arrivals(work, level, Holds::First);
    }
}

/// Moves MAZEWALKs to the end, last one first, as the loader runs them after all parts. Only one stocks the maze.
pub(crate) fn maze_walks(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        if !matches!(level.kind, LevelKind::Maze { .. }) {
            continue;
        }
        let mut parts = parts(&mut level.body);
        let last = parts.len() - 1;
        let mut walks: Vec<(usize, Statement)> = Vec::new();
        for (number, part) in parts.iter_mut().enumerate() {
            for statement in std::mem::take(part) {
                match statement.kind {
                    StatementKind::MazeWalk { .. } => walks.push((number, statement)),
                    _ => part.push(statement),
                }
            }
        }
        walks.reverse();
        let elsewhere = walks.iter().any(|&(part, _)| part != last);
        let filled = level_has_init(parts.iter().flatten());
        let corner = |part: &Vec<Statement>| part.first().and_then(|first| map_corner(first, filled));
        let corners: Vec<Option<(i32, i32)>> = parts.iter().map(corner).collect();
        level.body = parts.into_iter().flatten().collect();
        let count = walks.len();
        if count > 0 && elsewhere {
            // Coordinates count from the corner of the level again.
            level.body.push(Statement { kind: StatementKind::Map(Map::None), span: Span::NOWHERE });
        }
        for (at, (part, mut walk)) in walks.into_iter().enumerate() {
            let span = walk.span;
            work.same(span, "mazes are carved after all parts, the last MAZEWALK first");
            if let StatementKind::MazeWalk { place, stocked, .. } = &mut walk.kind {
                if at + 1 < count {
                    *stocked = Some(false);
                    work.same(span, "the maze is stocked once, after the last MAZEWALK");
                }
                if elsewhere {
                    match (&mut place.kind, corners[part]) {
                        (ExprKind::Coordinate { x, y }, Some((column, row))) => {
                            *x += column - NOMAP_COLUMN;
                            *y += row;
                            work.same(span, "its place is relative to the level, since a later part would change it");
                        }
                        _ => work.differs(span, "its place is relative to the level, not to its part"),
                    }
                }
            }
            level.body.push(walk);
        }
    }
}

/// The column of the level from which coordinates count after NOMAP.
const NOMAP_COLUMN: i32 = 1;

/// The position of NOMAP's single square of rock in 3.4.3, unless INIT_MAP has filled the level (`load_maze`).
const UNMAPPED_CORNER: (i32, i32) = (3, 3);

fn level_has_init<'s>(mut statements: impl Iterator<Item = &'s Statement>) -> bool {
    statements.any(|statement| matches!(statement.kind, StatementKind::InitMap(_)))
}

/// Rewrites maps of a single square in levels without INIT_MAP. NOMAP of 3.4.3 is then such a map, a square of rock
/// from which the coordinates of its part count. A script ignores a map of one square, so it gets a second square that
/// changes nothing.
pub(crate) fn unmapped_parts(work: &mut Work<'_>, module: &mut Module) {
    const ROCK: &str = " ";
    let most = work.to.max_terrain;
    let unchanged = (' '..='~').find(|&character| most > 0 && work.to.terrain(character) == Some(most));
    for level in levels(module) {
        if !matches!(level.kind, LevelKind::Maze { .. }) || level_has_init(level.body.iter()) {
            continue;
        }
        for mut part in parts(&mut level.body) {
            // A map added by a pass covers the whole level.
            let map = part.first().filter(|first| !first.span.is_nowhere());
            let single = map.and_then(|map| Some((map.span, single_square(map)?, map_corner(map, false)?)));
            if let Some((span, square, (column, row))) = single {
                let nomap = square.is_none();
                if part.iter().any(has_random_place) {
                    let what = match nomap {
                        true => "3.4.3 gives up on random places of NOMAP without INIT_MAP, which has one square",
                        false => "a random place of this map may also be the square below it, which 3.4.3 lacks",
                    };
                    work.differs(span, what);
                }
                match unchanged {
                    Some(unchanged) => {
                        let square = square.unwrap_or(Text::const_new(ROCK));
                        let rows = vec![square, Text::from(unchanged.to_string())];
                        let place = ExprKind::Coordinate { x: column - NOMAP_COLUMN, y: row };
                        let position = MapPosition::At(Expr { kind: place, span: Span::NOWHERE });
                        let rows = MapRows { row_spans: vec![Span::NOWHERE; rows.len()], rows, span: Span::NOWHERE };
                        part[0].kind = StatementKind::Map(Map::Drawn { position, keep_regions: None, rows });
                        let what = match nomap {
                            true => "NOMAP without INIT_MAP is a map of one square of rock in 3.4.3",
                            false => {
                                "the map of one square gets a second, transparent one: otherwise it would not count as a map"
                            }
                        };
                        work.same(span, what);
                        if nomap {
                            part.iter_mut().for_each(|statement| corners_on_level(work, statement, (column, row)));
                        }
                    }
                    None if nomap => {
                        let what = "without INIT_MAP, places of NOMAP are relative to column 3 and row 3 in 3.4.3";
                        work.differs(span, what);
                    }
                    None => work.differs(span, format!("{} ignores a map of one square", work.to.title)),
                }
            }
            level.body.extend(part);
        }
    }
}

/// Returns the square of a single-square map: `Some(None)` for NOMAP, `None` for any other map.
fn single_square(map: &Statement) -> Option<Option<Text>> {
    match &map.kind {
        StatementKind::Map(Map::None) => Some(None),
        StatementKind::Map(Map::Drawn { rows, .. }) => match rows.rows.as_slice() {
            [row] if rows.width() == 1 => Some(Some(row.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// Moves corners of areas that lie off the level to the end of the mazes, as 3.4.3 does (`get_location`).
fn corners_on_level(work: &mut Work<'_>, statement: &mut Statement, (column, row): (i32, i32)) {
    let mut moved = false;
    let mut put = |corners: &mut [i32; 4]| {
        for corner in corners.chunks_exact_mut(2) {
            if corner[0] + column >= COLUMNS || corner[1] + row >= ROWS {
                corner.copy_from_slice(&[MAZE_COLUMNS - column, MAZE_ROWS - row]);
                moved = true;
            }
        }
    };
    match &mut statement.kind {
        StatementKind::NonDiggable { region: area }
        | StatementKind::NonPasswall { region: area }
        | StatementKind::Region(Region { area, .. }) => {
            if let ExprKind::Region { corners } = &mut area.kind {
                put(corners);
            }
        }
        StatementKind::LevelRegion(region) => {
            let places = [&mut region.inside, &mut region.outside].into_iter().filter(|place| !place.level);
            places.for_each(|place| put(&mut place.corners));
        }
        _ => {}
    }
    if moved {
        work.same(statement.span, "a corner off the level is moved to the end of its mazes, as by the loader");
    }
}

/// Returns true if the statement places something at random in its part.
fn has_random_place(statement: &Statement) -> bool {
    // The contents of a container also get a random place.
    let filled =
        matches!(bare(statement), StatementKind::Object(object) if object.contents.iter().flatten().next().is_some());
    filled || has_expression(statement, is_anywhere)
}

/// Returns the corner of a part's map. `filled` is true if INIT_MAP has filled the level.
fn map_corner(statement: &Statement, filled: bool) -> Option<(i32, i32)> {
    match &statement.kind {
        StatementKind::Map(Map::None) if filled => Some((NOMAP_COLUMN, 0)),
        StatementKind::Map(Map::None) => Some(UNMAPPED_CORNER),
        StatementKind::Map(Map::Drawn { position: MapPosition::Aligned { horizontal, vertical }, rows, .. }) => {
            Some(corner(*horizontal, *vertical, rows.width() as i32, rows.rows.len() as i32))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::longest_rise;

    #[test]
    fn as_few_as_can_be_have_moved() {
        let moved = |numbers: &[usize]| longest_rise(numbers).iter().filter(|stays| !**stays).count();
        assert_eq!(moved(&[0, 1, 2, 3]), 0);
        assert_eq!(moved(&[3, 0, 1, 2]), 1);
        assert_eq!(moved(&[1, 2, 3, 0]), 1);
        assert_eq!(moved(&[3, 2, 1, 0]), 3);
        assert_eq!(moved(&[]), 0);
    }
}
