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

/// Means required to reach every square from the hero's start.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    means: Box<[Means; SQUARES]>,
    need: Box<[Means; SQUARES]>,
    straight: Box<[bool; SQUARES]>,
    rock: Box<[bool; SQUARES]>,
    way: Vec<u16>,
}

impl Default for Reach {
    fn default() -> Self {
        Reach {
            means: Box::new([Means::Never; SQUARES]),
            need: Box::new([Means::Never; SQUARES]),
            straight: Box::new([false; SQUARES]),
            rock: Box::new([true; SQUARES]),
            way: Vec::with_capacity(SQUARES),
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

    /// Computes the means required to reach every square from `starts`.
    pub fn spread(&mut self, starts: impl IntoIterator<Item = Place>, level: &Level, game: &Game) {
        self.means.fill(Means::Never);
        let mut found = std::mem::take(&mut self.way);
        found.clear();
        for (x, y) in starts {
            if is_ok(x, y) && self.means[index(x, y)] != Means::Foot {
                self.means[index(x, y)] = Means::Foot;
                found.push(index(x, y) as u16);
            }
        }
        for means in
            [Means::Foot, Means::Squeeze, Means::Drawbridge, Means::Teleporter, Means::Crossing, Means::Digging]
        {
            if means == Means::Teleporter {
                let teleports = |trap: &&splc_vm::Trap| {
                    trap.kind == game.traps.teleport
                        && is_ok(trap.x, trap.y)
                        && self.means[index(trap.x, trap.y)] < means
                };
                if level.level_flags.no_teleport || !level.traps.iter().any(|trap| teleports(&trap)) {
                    continue;
                }
                for x in 1..COLUMNS {
                    for y in 0..ROWS {
                        let at = index(x, y);
                        if self.means[at] == Means::Never && self.need[at] == Means::Foot {
                            self.means[at] = means;
                            found.push(at as u16);
                        }
                    }
                }
            }
            // Continue from the squares found with lesser means.
            let mut next = 0;
            while let Some(&at) = found.get(next) {
                next += 1;
                let (x, y) = (i32::from(at) / ROWS, i32::from(at) % ROWS);
                for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)] {
                    let (to_x, to_y) = (x + dx, y + dy);
                    if !is_ok(to_x, to_y) {
                        continue;
                    }
                    let to = index(to_x, to_y);
                    let bent = dx != 0 && dy != 0 && (self.straight[usize::from(at)] || self.straight[to]);
                    // The check of the corners comes last, because few squares need it.
                    let tight = || dx != 0 && dy != 0 && self.rock[index(to_x, y)] && self.rock[index(x, to_y)];
                    if self.means[to] == Means::Never
                        && self.need[to] <= means
                        && !bent
                        && (means > Means::Foot || !tight())
                    {
                        self.means[to] = means;
                        found.push(to as u16);
                    }
                }
            }
        }
        self.way = found;
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
