//! Solver for puzzles of boulders, as the levels of Sokoban: a hero pushes boulders into pits and holes until the way
//! to the goal is free.
//!
//! [`Puzzle::of`] reads a finished level, and [`Puzzle::solve`] searches for a solution. The rules are those of the
//! games in the Sokoban branch (`moverock`, `test_move` in `src/hack.c`): a boulder is pushed straight, never
//! diagonally; it fills the first pit or hole on its way; the hero never crosses one, and never squeezes
//! diagonally between boulders and rock. Doors are opened or kicked in, and monsters killed. The hero breaks no
//! boulders, squeezes past none, and reads no scroll that makes more.
//!
//! ```
//! # use splc_puzzle::MAX_SQUARES;
//! // A level with more squares of floor is not a puzzle that the solver takes.
//! assert_eq!(MAX_SQUARES, 512);
//! ```
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod board;
mod search;

use board::Board;
use splc_vm::internals::{Game, door, index, is_ok};
use splc_vm::{COLUMNS, Level, Place, ROWS, SQUARES, Terrain, Trap, Whereabouts};

pub use board::{MAX_GAPS, MAX_SQUARES};

/// Moves in the eight directions: west, east, north, south, then the diagonals.
const MOVES: [(i32, i32); 8] = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

/// The games' keys for [`MOVES`].
const KEYS: [char; 8] = ['h', 'l', 'k', 'j', 'y', 'u', 'b', 'n'];

/// The scroll that drops boulders.
const EARTH: &str = "earth";

/// A puzzle of boulders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    board: Board,
    /// Squares of the board.
    squares: Vec<Place>,
    /// True if the level has something that the rules leave out, so that a failed search proves nothing.
    has_more: bool,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A solution, not necessarily the shortest.
    Solved(Vec<Move>),
    /// No solution exists.
    Unsolvable,
    /// Neither was found within the limit, or the level has other means: scrolls of earth, water, other traps.
    Undecided,
}

/// A boulder moved on, without any other boulder in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Start of the boulder.
    pub from: Place,
    /// Its end. It is gone if `fills` is true.
    pub to: Place,
    /// True if it fills a pit or hole at its end.
    pub fills: bool,
    /// Number of pushes.
    pub pushes: usize,
    /// The hero's steps as the games' keys, e.g. `"jjlll"`, pushes included.
    pub keys: String,
}

impl Puzzle {
    /// Reads the puzzle of a level. The hero starts on the stairs or ladder down, or on the stairs to another dungeon,
    /// and the goal is the stairs or ladder up. On the last level, the objects beyond the pits and holes are the goal.
    ///
    /// Returns `None` for a level without boulders, gaps, start or goal, for a goal that can be reached without
    /// filling a gap or that is walled off, and for a level of more than [`MAX_SQUARES`] squares or [`MAX_GAPS`] gaps.
    pub fn of(level: &Level, game: &Game) -> Option<Self> {
        let is_gap = |trap: &&Trap| game.traps.is_pit(trap.kind) || game.traps.is_hole(trap.kind);
        let gaps: Vec<Place> = level.traps().iter().filter(is_gap).map(|trap| (trap.x, trap.y)).collect();
        let on_floor = || level.objects().iter().filter(|object| object.whereabouts == Whereabouts::Floor);
        let number = |number: Option<u16>| number.map_or(-1, i32::from);
        let boulders: Vec<Place> = on_floor()
            .filter(|object| number(object.number) == game.boulder)
            .map(|object| (object.x, object.y))
            .collect();
        let exists = |place: &Place| place.0 != 0;
        let stairs = level.stairs();
        let start = [stairs.down, stairs.ladder_down, stairs.branch].into_iter().find(exists).or_else(|| {
            let branch = level.branches().first()?;
            Some((branch.within[0], branch.within[1])).filter(exists)
        })?;
        if gaps.is_empty() || boulders.is_empty() {
            return None;
        }
        let walkable = |place: Place| is_ok(place.0, place.1) && is_floor(level.terrain(place.0, place.1));
        let squares = flood(start, walkable, |_| false);
        let mut goals: Vec<Place> = [stairs.up, stairs.ladder_up].into_iter().filter(exists).collect();
        if goals.is_empty() {
            let near = flood(start, walkable, |place| gaps.contains(&place));
            let lies_beyond = |place: &Place| squares.contains(place) && !near.contains(place);
            goals = on_floor().map(|object| (object.x, object.y)).filter(lies_beyond).collect();
            goals.retain(|place| !boulders.contains(place) && !gaps.contains(place));
            goals.sort_unstable();
            goals.dedup();
        }
        goals.retain(|place| squares.contains(place));
        let is_whole = [&gaps, &boulders].into_iter().flatten().all(|place| squares.contains(place))
            && !gaps.iter().any(|place| boulders.contains(place))
            && !gaps.contains(&start)
            && !boulders.contains(&start);
        if goals.is_empty() || !is_whole || squares.len() > MAX_SQUARES || gaps.len() > MAX_GAPS {
            return None;
        }
        let is_earth = |object: &splc_vm::Object| {
            let known = object.number.and_then(|number| game.catalog.objects.get(usize::from(number)));
            known.is_some_and(|known| known.name == EARTH)
        };
        let has_liquid = squares.iter().any(|&(x, y)| {
            MOVES[..4].iter().any(|(dx, dy)| {
                let (x, y) = (x + dx, y + dy);
                is_ok(x, y) && (level.terrain(x, y).is_water() || level.terrain(x, y).is_lava())
            })
        });
        let has_more =
            level.objects().iter().any(is_earth) || level.traps().iter().any(|trap| !is_gap(&trap)) || has_liquid;
        let board = Board::new(level, &squares, &gaps, &boulders, start, &goals);
        Some(Puzzle { board, squares, has_more })
    }

    /// Searches for a solution until `limit` positions were stored.
    pub fn solve(&self, limit: usize) -> Answer {
        match search::solve(&self.board, limit) {
            search::Found::Solution(pushes) => {
                Answer::Solved(pushes.iter().map(|group| self.movement(group)).collect())
            }
            search::Found::Nothing if !self.has_more => Answer::Unsolvable,
            search::Found::Nothing | search::Found::Limit => Answer::Undecided,
        }
    }

    /// Turns the steps of one boulder into a move.
    fn movement(&self, group: &search::Group) -> Move {
        let place = |at: u16| self.squares[usize::from(at)];
        Move {
            from: place(group.from),
            to: place(group.to),
            fills: group.fills,
            pushes: group.pushes,
            keys: group.steps.iter().map(|&step| KEYS[usize::from(step)]).collect(),
        }
    }
}

/// Returns true for terrain that a hero walks on, if necessary after opening a door.
fn is_floor(terrain: Terrain) -> bool {
    terrain.is_accessible() || terrain.is_door_or_secret() || terrain == Terrain::SECRET_CORRIDOR
}

/// Returns the squares that are connected with a place, in the order of columns.
fn flood(start: Place, walkable: impl Fn(Place) -> bool, blocked: impl Fn(Place) -> bool) -> Vec<Place> {
    let mut seen = [false; SQUARES];
    let mut way = vec![start];
    if is_ok(start.0, start.1) {
        seen[index(start.0, start.1)] = true;
    }
    while let Some((x, y)) = way.pop() {
        for (dx, dy) in MOVES {
            let to = (x + dx, y + dy);
            if walkable(to) && !seen[index(to.0, to.1)] && !blocked(to) {
                seen[index(to.0, to.1)] = true;
                way.push(to);
            }
        }
    }
    let all = (1..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y)));
    all.filter(|&(x, y)| seen[index(x, y)]).collect()
}

/// Returns true for a door, which is passed straight only. Doorways without a door and broken doors are not doors.
fn is_door(level: &Level, (x, y): Place) -> bool {
    match level.terrain(x, y) {
        Terrain::DOOR => level.flags(x, y) & !door::BROKEN != 0,
        Terrain::SECRET_DOOR => true,
        _ => false,
    }
}
