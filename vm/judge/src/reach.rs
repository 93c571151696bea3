//! Reachability of squares for a hero, and the means required.
//!
//! A hero on foot moves in eight directions, but through doorways only in four (`test_move` in `src/hack.c`). Doors can
//! be opened, unlocked or kicked in, and secret doors found. Obstacles can be pushed or killed. Everything else
//! requires further [`Means`].

use splc_vm::internals::{Game, index, is_ok, wall};
use splc_vm::{COLUMNS, Level, Place, ROWS, SQUARES, Terrain};

/// Means required to reach a place, in ascending order. Each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Means {
    /// Feet, and patience for locks and secret doors.
    Foot,
    /// A step between two squares of rock that touch at a corner, which neither a hero with a heavy load nor a large
    /// one can take.
    Squeeze,
    /// A drawbridge.
    Drawbridge,
    /// A teleportation trap that can be stepped on.
    Teleporter,
    /// A means of crossing water or lava.
    Crossing,
    /// A means of passing through rock, walls, trees or bars.
    Digging,
    /// No means suffice: the surroundings are undiggable.
    Never,
}

/// All means that suffice for some square.
const MEANS: [Means; 6] =
    [Means::Foot, Means::Squeeze, Means::Drawbridge, Means::Teleporter, Means::Crossing, Means::Digging];

/// Means required to reach every square from the hero's start.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    means: Box<[Means; SQUARES]>,
    need: Box<[Means; SQUARES]>,
    straight: Box<[bool; SQUARES]>,
    rock: Box<[bool; SQUARES]>,
    /// The squares to continue from, by their means.
    open: [Vec<u16>; MEANS.len()],
}

impl Default for Reach {
    fn default() -> Self {
        Reach {
            means: Box::new([Means::Never; SQUARES]),
            need: Box::new([Means::Never; SQUARES]),
            straight: Box::new([false; SQUARES]),
            rock: Box::new([true; SQUARES]),
            open: std::array::from_fn(|_| Vec::new()),
        }
    }
}

/// Returns true if a hero can stand on the terrain.
pub(crate) fn is_footing(terrain: Terrain) -> bool {
    terrain.is_accessible()
}

/// Returns true for lava that can be crossed: not for walls of lava.
pub(crate) fn is_open_lava(terrain: Terrain) -> bool {
    terrain.is_lava() && terrain != Terrain::LAVA_WALL
}

impl Reach {
    /// Loads the squares of a level.
    pub fn look(&mut self, level: &Level) {
        const BROKEN: i32 = 1;
        for x in 1..COLUMNS {
            for y in 0..ROWS {
                let (terrain, at) = (level.terrain(x, y), index(x, y));
                self.rock[at] = terrain.is_rock();
                let hard = level.flags(x, y) & wall::NON_DIGGABLE != 0;
                self.need[at] = match terrain {
                    _ if is_footing(terrain) => Means::Foot,
                    Terrain::SECRET_DOOR | Terrain::SECRET_CORRIDOR => Means::Foot,
                    Terrain::DRAWBRIDGE_WALL | Terrain::DRAWBRIDGE_UP => Means::Drawbridge,
                    _ if terrain.is_water() || is_open_lava(terrain) => Means::Crossing,
                    _ if hard => Means::Never,
                    _ => Means::Digging,
                };
                self.straight[at] = match terrain {
                    Terrain::DOOR => level.flags(x, y) & !BROKEN != 0,
                    Terrain::SECRET_DOOR => true,
                    _ => false,
                };
            }
        }
    }

    /// Computes the means required to reach every square from `starts`: the greatest on a way there, for the way on
    /// which that is least. Squares are taken in ascending order of their means, so each is settled once. Squares
    /// that require more than `limit` may have any means above it until [`Reach::widen`].
    pub fn spread(&mut self, starts: impl IntoIterator<Item = Place>, limit: Means, level: &Level, game: &Game) {
        self.means.fill(Means::Never);
        self.open.iter_mut().for_each(Vec::clear);
        for (x, y) in starts {
            if is_ok(x, y) {
                self.offer(index(x, y), Means::Foot);
            }
        }
        self.widen(limit, level, game);
    }

    /// Continues [`Reach::spread`] up to a higher limit.
    pub fn widen(&mut self, limit: Means, level: &Level, game: &Game) {
        for means in MEANS.into_iter().take_while(|means| *means <= limit) {
            if means == Means::Teleporter && self.has_teleporter(level, game) {
                for at in ROWS as usize..SQUARES {
                    if self.need[at] == Means::Foot {
                        self.offer(at, means);
                    }
                }
            }
            while let Some(at) = self.open[means as usize].pop() {
                // Squares that were found with lesser means since are settled.
                if self.means[usize::from(at)] == means {
                    self.step_from(usize::from(at), means);
                }
            }
        }
    }

    /// Takes `means` for a square, unless lesser ones suffice.
    fn offer(&mut self, at: usize, means: Means) {
        if means < self.means[at] {
            self.means[at] = means;
            self.open[means as usize].push(at as u16);
        }
    }

    /// Finds the neighbours of a square that is reached with `means`.
    fn step_from(&mut self, at: usize, means: Means) {
        let (x, y) = (at as i32 / ROWS, at as i32 % ROWS);
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)] {
            let (to_x, to_y) = (x + dx, y + dy);
            if !is_ok(to_x, to_y) {
                continue;
            }
            let to = index(to_x, to_y);
            let mut needed = means.max(self.need[to]);
            if needed >= self.means[to] {
                continue;
            }
            if dx != 0 && dy != 0 {
                if self.straight[at] || self.straight[to] {
                    continue;
                }
                if needed == Means::Foot && self.rock[index(to_x, y)] && self.rock[index(x, to_y)] {
                    needed = Means::Squeeze;
                }
            }
            self.offer(to, needed);
        }
    }

    /// Returns true if a hero can get onto a teleportation trap that works.
    fn has_teleporter(&self, level: &Level, game: &Game) -> bool {
        let works = |trap: &splc_vm::Trap| {
            trap.kind == game.traps.teleport
                && is_ok(trap.x, trap.y)
                && self.means[index(trap.x, trap.y)] < Means::Teleporter
        };
        !level.level_flags.no_teleport && level.traps.iter().any(works)
    }

    /// Returns true if the level protects walls from digging.
    pub fn has_hard_walls(&self) -> bool {
        // Column 0 is not part of the level.
        self.need[ROWS as usize..].contains(&Means::Never)
    }

    /// Means required to reach a place.
    pub fn means(&self, (x, y): Place) -> Means {
        if is_ok(x, y) { self.means[index(x, y)] } else { Means::Never }
    }

    /// Returns the squares connected to a place on foot, the place first, and removes them from `left`.
    pub fn patch(&mut self, (x, y): Place, left: &mut [bool; SQUARES]) -> Vec<Place> {
        let mut patch = vec![(x, y)];
        left[index(x, y)] = false;
        let mut next = 0;
        while let Some(&(x, y)) = patch.get(next) {
            next += 1;
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)] {
                let (x, y) = (x + dx, y + dy);
                if is_ok(x, y) && left[index(x, y)] {
                    left[index(x, y)] = false;
                    patch.push((x, y));
                }
            }
        }
        patch
    }
}
