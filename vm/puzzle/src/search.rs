//! Search for a solution, boulder by boulder.
//!
//! A step of the search moves one boulder any distance. Positions are grouped in stages by the number of gaps that are
//! still to be filled, and each stage in turn continues from its most promising position, so a bad position of a late
//! stage does not keep the search from better ones of an early stage.
//!
//! Boulders that can be pushed into a gap at once are pushed there first. That removes an obstacle and never blocks a
//! way. Since it may still fill the wrong gap of several, a search that finds nothing is repeated with all steps.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use crate::board::{Board, FAR, Squares};

/// Result of a search.
pub(crate) enum Found {
    /// The steps to the goal.
    Solution(Vec<Group>),
    /// No solution exists.
    Nothing,
    /// The limit was reached.
    Limit,
}

/// Steps of the hero that move one boulder.
pub(crate) struct Group {
    /// Start of the boulder.
    pub from: u16,
    /// End of the boulder.
    pub to: u16,
    /// True if it fills a gap there.
    pub fills: bool,
    /// Number of pushes.
    pub pushes: usize,
    /// Directions of the hero's steps.
    pub steps: Vec<u8>,
}

/// Searches until `limit` positions are stored.
pub(crate) fn solve(board: &Board, limit: usize) -> Found {
    match Search::new(board, false).run(limit) {
        Found::Nothing => Search::new(board, true).run(limit),
        found => found,
    }
}

/// A position of the search.
#[derive(Clone, Copy)]
struct Position {
    boulders: Squares,
    /// Filled gaps, as bits.
    filled: u64,
    /// The first of the squares that the hero can reach.
    hero: u16,
    /// The position before, and the boulder that moved.
    before: u32,
    boulder: u16,
    /// Number of the boulder's way in [`Search::ways`].
    way: u16,
    /// Boulders moved since a gap was filled.
    moved: u16,
    expanded: bool,
}

/// No position before.
const FIRST: u32 = u32::MAX;

/// A way of one boulder, with the others in place.
#[derive(Clone, Copy)]
struct Way {
    /// Square of the boulder.
    at: u16,
    /// A square that the hero can reach then.
    hero: u16,
    /// Number of the way without the last push, and the direction of that push; `None` for no push.
    before: Option<(u16, u8)>,
    /// The gap that the last push fills.
    fills: Option<u64>,
}

/// Part of the search that depends on the filled gaps only.
struct Plan {
    /// Least gaps that must still be filled.
    needed: usize,
    /// The gaps that come next on a shortest way.
    targets: Vec<u16>,
}

/// Weights of the distance to the next gap, of the boulders moved, and of the squares out of reach. No single one is
/// good for all puzzles: the searches by either take turns.
const WEIGHTS: [[u32; 3]; 2] = [[2, 10, 1], [1, 10, 0]];

/// Positions by priority, for each of [`WEIGHTS`].
type Stage = [BinaryHeap<(Reverse<u32>, Reverse<u32>)>; WEIGHTS.len()];

/// Pushes for which an obstacle counts.
const OBSTACLE: u32 = 10;

/// Distance of a position in which no boulder has a way to the next gap.
const NO_WAY: u32 = 1000;

struct Search<'b> {
    board: &'b Board,
    /// True if steps are tried that leave a gap unfilled although a boulder could fill it.
    is_complete: bool,
    /// Squares from which a boulder can reach a gap if nothing is in its way.
    live: Squares,
    plans: HashMap<u64, Plan>,
    seen: HashSet<(Squares, u64, u16)>,
    positions: Vec<Position>,
    stages: Vec<Stage>,
    /// Squares that the hero reaches in the position looked at last.
    reached: Squares,
    stack: Vec<u16>,
    costs: Vec<u32>,
    heap: BinaryHeap<(Reverse<u32>, u16)>,
}

impl<'b> Search<'b> {
    fn new(board: &'b Board, is_complete: bool) -> Self {
        let mut live = Squares::default();
        let distances = board.pushes(&board.gaps, u64::MAX);
        (0..).zip(distances).filter(|&(_, distance)| distance != FAR).for_each(|(at, _)| live.add(at));
        Search {
            board,
            is_complete,
            live,
            plans: HashMap::new(),
            seen: HashSet::new(),
            positions: Vec::new(),
            stages: Vec::new(),
            reached: Squares::default(),
            stack: Vec::new(),
            costs: Vec::new(),
            heap: BinaryHeap::new(),
        }
    }

    fn run(&mut self, limit: usize) -> Found {
        let (boulders, hero) = (self.board.boulders, self.board.start);
        let first =
            Position { boulders, filled: 0, hero, before: FIRST, boulder: 0, way: 0, moved: 0, expanded: false };
        if self.add(first) {
            return Found::Solution(Vec::new());
        }
        let mut turn = 0;
        loop {
            turn += 1;
            let Some(at) = self.next(turn) else { return Found::Nothing };
            if self.expand(at) {
                return Found::Solution(self.solution());
            }
            if self.positions.len() >= limit {
                return Found::Limit;
            }
        }
    }

    /// Takes the next position: of each stage in turn, and within it by each of the weights in turn.
    fn next(&mut self, turn: usize) -> Option<u32> {
        let (count, by) = (self.stages.len(), turn / self.stages.len().max(1) % WEIGHTS.len());
        for at in 0..count {
            let stage = &mut self.stages[(turn + at) % count];
            for heap in [by, (by + 1) % WEIGHTS.len()] {
                while let Some((_, Reverse(found))) = stage[heap].pop() {
                    let position = &mut self.positions[found as usize];
                    if !position.expanded {
                        position.expanded = true;
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    /// Adds the positions after one move of a boulder. Returns true if the last position added is a solution.
    fn expand(&mut self, at: u32) -> bool {
        let position = self.positions[at as usize];
        let mut found: Vec<(u16, u16, Way)> = Vec::new();
        for boulder in position.boulders.iter() {
            let ways = self.ways(&position, boulder);
            found.extend((0..).zip(ways).skip(1).map(|(number, way)| (boulder, number, way)));
        }
        let fills = !self.is_complete && found.iter().any(|(.., way)| way.fills.is_some());
        for (boulder, number, way) in found {
            if fills && way.fills.is_none() {
                continue;
            }
            let mut next = Position { hero: way.hero, before: at, boulder, way: number, expanded: false, ..position };
            next.boulders.remove(boulder);
            next.moved += 1;
            match way.fills {
                Some(gap) => (next.filled, next.moved) = (next.filled | gap, 0),
                None => next.boulders.add(way.at),
            }
            if self.add(next) {
                return true;
            }
        }
        false
    }

    /// Returns all ways of a boulder while the others stay in place, the first of them without a push.
    fn ways(&mut self, position: &Position, boulder: u16) -> Vec<Way> {
        let (board, filled) = (self.board, position.filled);
        let mut rest = position.boulders;
        rest.remove(boulder);
        let mut seen: HashSet<(u16, u16)> = HashSet::new();
        let mut ways = vec![Way { at: boulder, hero: position.hero, before: None, fills: None }];
        let mut next = 0;
        while let Some(&Way { at, hero, fills, .. }) = ways.get(next) {
            let number = next as u16;
            next += 1;
            if fills.is_some() {
                continue;
            }
            let mut boulders = rest;
            boulders.add(at);
            let first = self.reach(hero, &boulders, filled);
            // Ways that end in the same position stay in the list, so that its numbers are those of the solution.
            if !seen.insert((at, first)) {
                continue;
            }
            for direction in 0..4 {
                let (behind, to) = (board.near(at, direction ^ 1), board.near(at, direction));
                let is_free = behind != crate::board::NONE && to != crate::board::NONE && self.reached.has(behind);
                if is_free && !rest.has(to) {
                    let fills = board.gap(to, filled);
                    if fills.is_some() || self.is_complete || self.live.has(to) {
                        ways.push(Way { at: to, hero: at, before: Some((number, direction as u8)), fills });
                    }
                }
            }
        }
        ways
    }

    /// Adds a position unless it is known or hopeless. Returns true if it is a solution.
    fn add(&mut self, mut position: Position) -> bool {
        let board = self.board;
        position.hero = self.reach(position.hero, &position.boulders, position.filled);
        if !self.seen.insert((position.boulders, position.filled, position.hero)) {
            return false;
        }
        let is_solved = board.goals.iter().all(|&goal| self.reached.has(goal));
        let useful = self.useful(&position.boulders);
        let Plan { needed, targets } =
            self.plans.entry(position.filled).or_insert_with(|| Plan::of(board, position.filled));
        let needed = *needed;
        if needed > useful && !is_solved {
            return false;
        }
        self.costs.clear();
        self.costs.resize(board.len(), u32::MAX);
        self.heap.clear();
        for &target in targets.iter() {
            self.costs[usize::from(target)] = 0;
            self.heap.push((Reverse(0), target));
        }
        let distance = self.distance(&position.boulders, position.filled);
        let out = board.len() as u32 - self.reached.count();
        let number = self.positions.len() as u32;
        if self.stages.len() <= needed {
            self.stages.resize_with(needed + 1, Default::default);
        }
        for (heap, [near, moved, reached]) in self.stages[needed].iter_mut().zip(WEIGHTS) {
            let priority = near * distance + moved * u32::from(position.moved) + reached * out;
            heap.push((Reverse(priority), Reverse(number)));
        }
        self.positions.push(position);
        is_solved
    }

    /// Fills [`Self::reached`] with the squares that the hero can reach, and returns the first of them.
    fn reach(&mut self, from: u16, boulders: &Squares, filled: u64) -> u16 {
        self.reached = Squares::default();
        self.reached.add(from);
        self.stack.push(from);
        let mut first = from;
        while let Some(at) = self.stack.pop() {
            first = first.min(at);
            for direction in 0..8 {
                if let Some(to) = self.board.step(at, direction, boulders, filled)
                    && !self.reached.has(to)
                {
                    self.reached.add(to);
                    self.stack.push(to);
                }
            }
        }
        first
    }

    /// Number of boulders that can perhaps be pushed into a gap: those on live squares that are not held in place, in
    /// both directions, by rock and by boulders that are held themselves.
    fn useful(&self, boulders: &Squares) -> usize {
        let mut held = *boulders;
        loop {
            let before = held;
            for at in before.iter() {
                let free = |direction: usize| {
                    let to = self.board.near(at, direction);
                    to != crate::board::NONE && !held.has(to)
                };
                if (free(0) && free(1)) || (free(2) && free(3)) {
                    held.remove(at);
                }
            }
            if held == before {
                return boulders.iter().filter(|&at| !held.has(at) && self.live.has(at)).count();
            }
        }
    }

    /// Returns the least pushes of a boulder from its place to the targets in the heap, with [`OBSTACLE`] for each
    /// other boulder in the way of it or of the hero behind it.
    fn distance(&mut self, boulders: &Squares, filled: u64) -> u32 {
        while let Some((Reverse(cost), at)) = self.heap.pop() {
            if cost > self.costs[usize::from(at)] {
                continue;
            }
            if boulders.has(at) {
                return cost.saturating_sub(OBSTACLE);
            }
            for direction in 0..4 {
                let Some((from, hero)) = self.board.pull(at, direction, filled) else { continue };
                let obstacles = u32::from(boulders.has(from)) + u32::from(boulders.has(hero));
                let next = cost + 1 + OBSTACLE * obstacles;
                if next < self.costs[usize::from(from)] {
                    self.costs[usize::from(from)] = next;
                    self.heap.push((Reverse(next), from));
                }
            }
        }
        NO_WAY
    }

    /// Returns the steps to the last position.
    fn solution(&mut self) -> Vec<Group> {
        let mut chain = Vec::new();
        let mut at = self.positions.len() as u32 - 1;
        while at != FIRST {
            chain.push(at);
            at = self.positions[at as usize].before;
        }
        let mut hero = self.board.start;
        let mut groups = Vec::new();
        for pair in chain.iter().rev().collect::<Vec<_>>().windows(2) {
            let [before, after] = [pair[0], pair[1]].map(|&at| self.positions[at as usize]);
            let ways = self.ways(&before, after.boulder);
            let mut pushes = Vec::new();
            let last = ways[usize::from(after.way)];
            let mut way = last;
            while let Some((number, direction)) = way.before {
                pushes.push(direction);
                way = ways[usize::from(number)];
            }
            let mut boulders = before.boulders;
            let mut boulder = after.boulder;
            let mut steps = Vec::new();
            for &direction in pushes.iter().rev() {
                let behind = self.board.near(boulder, usize::from(direction ^ 1));
                self.walk(hero, behind, &boulders, before.filled, &mut steps);
                steps.push(direction);
                hero = boulder;
                boulders.remove(boulder);
                boulder = self.board.near(boulder, usize::from(direction));
                boulders.add(boulder);
            }
            let fills = last.fills.is_some();
            groups.push(Group { from: after.boulder, to: last.at, fills, pushes: pushes.len(), steps });
        }
        // The last steps lead to the goals.
        let end = self.positions[self.positions.len() - 1];
        if let Some(group) = groups.last_mut() {
            for &goal in &self.board.goals {
                self.walk(hero, goal, &end.boulders, end.filled, &mut group.steps);
                hero = goal;
            }
        }
        groups
    }

    /// Adds the directions of a shortest walk, which exists.
    fn walk(&self, from: u16, to: u16, boulders: &Squares, filled: u64, steps: &mut Vec<u8>) {
        // From the end, so that the directions are found in their order.
        let mut distances = vec![FAR; self.board.len()];
        distances[usize::from(to)] = 0;
        let mut queue = vec![to];
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            for direction in 0..8 {
                if let Some(near) = self.board.step(at, direction, boulders, filled)
                    && distances[usize::from(near)] == FAR
                {
                    distances[usize::from(near)] = distances[usize::from(at)] + 1;
                    queue.push(near);
                }
            }
        }
        let mut at = from;
        while at != to {
            let nearer = (0..8).find_map(|direction| {
                let near = self.board.step(at, direction, boulders, filled)?;
                (distances[usize::from(near)] < distances[usize::from(at)]).then_some((direction, near))
            });
            let Some((direction, near)) = nearer else { return };
            steps.push(direction as u8);
            at = near;
        }
    }
}

impl Plan {
    fn of(board: &Board, filled: u64) -> Self {
        let from = board.crossings(board.start, filled);
        let (mut needed, mut targets) = (0, Vec::new());
        for &goal in &board.goals {
            let to = board.crossings(goal, filled);
            let need = from[usize::from(goal)];
            needed = needed.max(usize::from(need));
            let comes_next = |gap: &u16| from[usize::from(*gap)] == 1 && to[usize::from(*gap)] == need;
            targets
                .extend(board.gaps.iter().copied().filter(|&gap| board.gap(gap, filled).is_some()).filter(comes_next));
        }
        Plan { needed, targets }
    }
}
