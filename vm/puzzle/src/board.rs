//! The squares of a puzzle with their neighbours, and sets of squares.

use std::collections::VecDeque;

use splc_vm::internals::{index, is_ok};
use splc_vm::{Level, Place, SQUARES};

use crate::{MOVES, is_door};

/// Maximum squares of floor in a puzzle.
pub const MAX_SQUARES: usize = 512;

/// Maximum pits and holes in a puzzle.
pub const MAX_GAPS: usize = 64;

/// No neighbour.
pub(crate) const NONE: u16 = u16::MAX;

/// Squares beside a diagonal step that are not floor: rock, over which nothing squeezes, and the rest.
const ROCK: u16 = u16::MAX;
const OPEN: u16 = u16::MAX - 1;

/// Distance of a square from which there is no way.
pub(crate) const FAR: u16 = u16::MAX;

/// A set of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Squares([u64; MAX_SQUARES / 64]);

impl Squares {
    pub fn has(&self, at: u16) -> bool {
        self.0[usize::from(at) / 64] & (1 << (at % 64)) != 0
    }

    pub fn add(&mut self, at: u16) {
        self.0[usize::from(at) / 64] |= 1 << (at % 64);
    }

    pub fn remove(&mut self, at: u16) {
        self.0[usize::from(at) / 64] &= !(1 << (at % 64));
    }

    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the squares in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u16> {
        (0..).step_by(64).zip(self.0).flat_map(|(first, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(first + bit as u16)
            })
        })
    }
}

/// The unchanging part of a puzzle. Squares are numbers below [`MAX_SQUARES`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// The neighbour of each square in each of [`MOVES`].
    near: Vec<[u16; 8]>,
    /// For each diagonal step, the two squares beside it.
    beside: Vec<[[u16; 2]; 4]>,
    /// For each square, the number of its gap; `u8::MAX` for none.
    gap: Vec<u8>,
    /// Pits and holes.
    pub gaps: Vec<u16>,
    /// Boulders at the start.
    pub boulders: Squares,
    /// The hero's start.
    pub start: u16,
    /// All must be reached.
    pub goals: Vec<u16>,
}

impl Board {
    /// `squares` must contain all other places, and be at most [`MAX_SQUARES`].
    pub fn new(
        level: &Level,
        squares: &[Place],
        gaps: &[Place],
        boulders: &[Place],
        start: Place,
        goals: &[Place],
    ) -> Self {
        let mut numbers = [NONE; SQUARES];
        for (at, place) in squares.iter().enumerate() {
            numbers[index(place.0, place.1)] = at as u16;
        }
        let number = |place: &Place| if is_ok(place.0, place.1) { numbers[index(place.0, place.1)] } else { NONE };
        let beside = |place: Place| match number(&place) {
            NONE if is_ok(place.0, place.1) && !level.terrain(place.0, place.1).is_rock() => OPEN,
            at => at,
        };
        let mut board = Board {
            near: Vec::with_capacity(squares.len()),
            beside: Vec::with_capacity(squares.len()),
            gap: vec![u8::MAX; squares.len()],
            gaps: gaps.iter().map(number).collect(),
            boulders: Squares::default(),
            start: number(&start),
            goals: goals.iter().map(number).collect(),
        };
        board.gaps.sort_unstable();
        board.gaps.dedup();
        for (at, &gap) in board.gaps.iter().enumerate() {
            board.gap[usize::from(gap)] = at as u8;
        }
        boulders.iter().for_each(|place| board.boulders.add(number(place)));
        for &(x, y) in squares {
            let mut near = MOVES.map(|(dx, dy)| number(&(x + dx, y + dy)));
            for (to, (dx, dy)) in near.iter_mut().zip(MOVES).skip(4) {
                if *to != NONE && (is_door(level, (x, y)) || is_door(level, (x + dx, y + dy))) {
                    *to = NONE;
                }
            }
            board.near.push(near);
            board.beside.push([0, 1, 2, 3].map(|at| {
                let (dx, dy) = MOVES[4 + at];
                [beside((x + dx, y)), beside((x, y + dy))]
            }));
        }
        board
    }

    /// Number of squares.
    pub fn len(&self) -> usize {
        self.near.len()
    }

    /// Returns the neighbour of a square in a direction, or [`NONE`].
    pub fn near(&self, at: u16, direction: usize) -> u16 {
        self.near[usize::from(at)][direction]
    }

    /// Returns the bit of the gap at a square, if it is not `filled`.
    pub fn gap(&self, at: u16, filled: u64) -> Option<u64> {
        let gap = self.gap[usize::from(at)];
        (gap != u8::MAX && filled & (1 << gap) == 0).then(|| 1 << gap)
    }

    /// Returns the square that a hero reaches in one step, if nothing is in the way.
    pub fn step(&self, at: u16, direction: usize, boulders: &Squares, filled: u64) -> Option<u16> {
        let to = self.near(at, direction);
        if to == NONE || boulders.has(to) || self.gap(to, filled).is_some() {
            return None;
        }
        if direction >= 4 {
            let blocks = |at: u16| at == ROCK || (at != OPEN && boulders.has(at));
            let [one, other] = self.beside[usize::from(at)][direction - 4];
            if blocks(one) && blocks(other) {
                return None;
            }
        }
        Some(to)
    }

    /// Returns the pushes that a boulder needs from each square to one of the `targets` if it is the only boulder, or
    /// [`FAR`].
    pub fn pushes(&self, targets: &[u16], filled: u64) -> Vec<u16> {
        let mut distances = vec![FAR; self.len()];
        targets.iter().for_each(|&target| distances[usize::from(target)] = 0);
        let mut queue: VecDeque<u16> = targets.iter().copied().collect();
        while let Some(at) = queue.pop_front() {
            for direction in 0..4 {
                let Some((from, _)) = self.pull(at, direction, filled) else { continue };
                if distances[usize::from(from)] == FAR {
                    distances[usize::from(from)] = distances[usize::from(at)] + 1;
                    queue.push_back(from);
                }
            }
        }
        distances
    }

    /// Returns the square from which a push in a direction moves a boulder to `at`, and the hero's before it.
    pub fn pull(&self, at: u16, direction: usize, filled: u64) -> Option<(u16, u16)> {
        let floor = |at: u16| (at != NONE && self.gap(at, filled).is_none()).then_some(at);
        let from = floor(self.near(at, direction ^ 1))?;
        Some((from, floor(self.near(from, direction ^ 1))?))
    }

    /// Returns the least gaps on a way from `start` to each square, with gaps at both ends, if there were no boulders.
    pub fn crossings(&self, start: u16, filled: u64) -> Vec<u16> {
        let cost = |at: u16| u16::from(self.gap(at, filled).is_some());
        let mut least = vec![FAR; self.len()];
        least[usize::from(start)] = cost(start);
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            for direction in 0..8 {
                let to = self.near(at, direction);
                if to == NONE || (direction >= 4 && self.beside[usize::from(at)][direction - 4] == [ROCK, ROCK]) {
                    continue;
                }
                let crossed = least[usize::from(at)] + cost(to);
                if crossed < least[usize::from(to)] {
                    least[usize::from(to)] = crossed;
                    if cost(to) == 0 { queue.push_front(to) } else { queue.push_back(to) }
                }
            }
        }
        least
    }
}
