//! Measures of finished levels: how much of a level a hero can reach, how far things are, and how it is built.
//!
//! A [`Measurer`] takes one finished level after the other and reuses its memory. Nothing here depends on how the level
//! was made. All lengths are moves of a hero on foot, in eight directions, but straight through doorways (`test_move`
//! in `src/hack.c`). [`Way`]s are the obstacles that cost nothing; all others block. Traps and monsters are ignored,
//! and so is the rule that a hero with a heavy load cannot squeeze between corners.
//!
//! | measure | definition |
//! | --- | --- |
//! | `open` | squares to stand on: doors, corridors, floors and everything on floors |
//! | `reachable` | squares with a way from the start, which is included |
//! | `goal` | moves from the start to the goal |
//! | `monster`, `object` | moves from the start to the nearest monster, and to the nearest floor object or gold |
//! | `farthest` | moves from the start to the farthest reachable square |
//! | `things`, `apart` | squares with monsters, floor objects or gold; those without a way from the start |
//! | `dead_ends` | open squares, other than doors, with exactly one passable square among four direct neighbours |
//! | `difficulty`, `hardest` | sum and maximum of the monsters' difficulties (`monstr[]`, `mons[].difficulty`) |
//! | `walls`, `area` | walls, stone and other rock in the smallest rectangle around everything but stone; its squares |
//!
//! The difficulties are those of the game. Monsters that the game chooses when it loads the level do not count.
//!
//! The start is a place, or else the stairs or ladder up, or else every open square of the region in which a hero
//! arrives from above. The goal is a place, or else the stairs or ladder down. Without a start or goal, or without a
//! way, a length is -1.
#![cfg_attr(test, allow(clippy::unwrap_used))]

use splc_ir::catalog::Catalog;
use splc_vm::internals::{door, index, is_ok};
use splc_vm::{Arrival, COLUMNS, Level, Place, ROWS, SQUARES, Terrain, Whereabouts};

/// An obstacle that a hero may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Closed doors.
    Doors,
    /// Locked doors.
    Locked,
    /// Secret doors and corridors.
    Secret,
    /// Boulders.
    Boulders,
    /// Raised drawbridges.
    Drawbridges,
    /// Pools, moats and other water.
    Water,
    /// Lava.
    Lava,
}

impl Way {
    /// All of them, in the order of their names in the documentation.
    pub const ALL: [Way; 7] =
        [Way::Doors, Way::Locked, Way::Secret, Way::Boulders, Way::Drawbridges, Way::Water, Way::Lava];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Way::Doors => "doors",
            Way::Locked => "locked",
            Way::Secret => "secret",
            Way::Boulders => "boulders",
            Way::Drawbridges => "drawbridges",
            Way::Water => "water",
            Way::Lava => "lava",
        }
    }

    /// Returns the way with that name.
    pub fn by_name(name: &str) -> Option<Way> {
        Way::ALL.into_iter().find(|way| way.name() == name)
    }
}

/// A set of ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways(u8);

impl Ways {
    /// Adds a way.
    pub fn add(&mut self, way: Way) {
        self.0 |= 1 << way as u8;
    }

    /// Returns true if the way is in the set.
    pub fn has(self, way: Way) -> bool {
        self.0 & 1 << way as u8 != 0
    }
}

/// The parameters of a measurement.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The obstacles that cost nothing.
    pub ways: Ways,
    /// The start, if it is not that of the level.
    pub start: Option<Place>,
    /// The goal, if it is not that of the level.
    pub goal: Option<Place>,
}

/// The measures of a level, as the module defines them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the table at the top defines each
pub struct Measures {
    pub open: i32,
    pub reachable: i32,
    pub goal: i32,
    pub monster: i32,
    pub object: i32,
    pub farthest: i32,
    pub things: i32,
    pub apart: i32,
    pub dead_ends: i32,
    pub walls: i32,
    pub area: i32,
    pub difficulty: i32,
    pub hardest: i32,
}

impl Measures {
    /// Names of the measures, in the order of [`Measures::numbers`].
    pub const NAMES: [&'static str; 13] = [
        "open",
        "reachable",
        "goal",
        "monster",
        "object",
        "farthest",
        "things",
        "apart",
        "dead_ends",
        "walls",
        "area",
        "difficulty",
        "hardest",
    ];

    /// Returns all measures.
    pub fn numbers(&self) -> [i32; 13] {
        [
            self.open,
            self.reachable,
            self.goal,
            self.monster,
            self.object,
            self.farthest,
            self.things,
            self.apart,
            self.dead_ends,
            self.walls,
            self.area,
            self.difficulty,
            self.hardest,
        ]
    }
}

/// A distance without a way.
const NONE: i16 = -1;

/// Bits of a square: a hero can pass it, and only straight.
const PASSABLE: u8 = 1;
const STRAIGHT: u8 = 2;

/// Directions, the straight ones first.
const DIRECTIONS: [Place; 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)];

/// Measures levels, one after the other.
#[derive(Clone, Debug)]
pub struct Measurer {
    squares: Box<[u8; SQUARES]>,
    distances: Box<[i16; SQUARES]>,
    things: Box<[bool; SQUARES]>,
    way: Vec<Place>,
    /// The number of boulders among the object types of the game.
    boulder: Option<u16>,
    /// The difficulties of the monsters; none if unknown.
    difficulties: Vec<u16>,
}

impl Measurer {
    /// Creates a measurer for levels of `catalog`'s game.
    pub fn new(catalog: &Catalog) -> Self {
        let boulder = catalog.object("boulder", None).and_then(|(number, _)| u16::try_from(number).ok());
        Measurer {
            squares: Box::new([0; SQUARES]),
            distances: Box::new([NONE; SQUARES]),
            things: Box::new([false; SQUARES]),
            way: Vec::with_capacity(SQUARES),
            boulder,
            difficulties: catalog.difficulties(),
        }
    }

    /// Measures a finished level.
    pub fn measure(&mut self, level: &Level, options: &Options) -> Measures {
        self.look(level, options);
        self.spread(level, options);
        let goals = match options.goal {
            Some(goal) => [goal, (0, 0)],
            None => [level.stairs().down, level.stairs().ladder_down],
        };
        let goal = nearest(goals.into_iter().map(|place| self.distance(place)));
        let monster = nearest(level.monsters().iter().map(|it| self.distance((it.x, it.y))));
        let floor = || level.objects().iter().filter(|it| it.whereabouts == Whereabouts::Floor).map(|it| (it.x, it.y));
        let gold = || level.gold().iter().map(|it| (it.x, it.y));
        let object = nearest(floor().chain(gold()).map(|place| self.distance(place)));
        self.things.fill(false);
        let (mut things, mut apart) = (0, 0);
        for (x, y) in level.monsters().iter().map(|it| (it.x, it.y)).chain(floor()).chain(gold()) {
            if is_ok(x, y) && !std::mem::replace(&mut self.things[index(x, y)], true) {
                things += 1;
                apart += i32::from(self.distance((x, y)) == NONE);
            }
        }
        let mut measures = Measures {
            goal: goal.into(),
            monster: monster.into(),
            object: object.into(),
            farthest: NONE.into(),
            things,
            apart,
            ..Measures::default()
        };
        (measures.difficulty, measures.hardest) = self.difficulty(level);
        let (mut left, mut top, mut right, mut bottom) = (COLUMNS, ROWS, 0, -1);
        for x in 1..COLUMNS {
            for y in 0..ROWS {
                let (terrain, distance) = (level.terrain(x, y), self.distances[index(x, y)]);
                measures.reachable += i32::from(distance != NONE);
                measures.farthest = measures.farthest.max(distance.into());
                if terrain.is_accessible() {
                    measures.open += 1;
                    measures.dead_ends += i32::from(terrain != Terrain::DOOR && self.is_dead_end(x, y));
                }
                if terrain != Terrain::STONE {
                    (left, top, right, bottom) = (left.min(x), top.min(y), right.max(x), bottom.max(y));
                }
            }
        }
        for x in left..=right {
            for y in top..=bottom {
                measures.area += 1;
                let terrain = level.terrain(x, y);
                let is_secret = matches!(terrain, Terrain::SECRET_DOOR | Terrain::SECRET_CORRIDOR);
                measures.walls += i32::from(terrain.is_rock() && !is_secret);
            }
        }
        measures
    }

    /// Returns the moves from the start of the level last measured to a place; -1 if no way leads there.
    pub fn distance(&self, (x, y): Place) -> i16 {
        if is_ok(x, y) { self.distances[index(x, y)] } else { NONE }
    }

    /// Returns the sum and the maximum of the difficulties of the monsters; -1 if the game's are unknown.
    fn difficulty(&self, level: &Level) -> (i32, i32) {
        if self.difficulties.is_empty() {
            return (-1, -1);
        }
        let chosen = level.monsters().iter().filter(|monster| !monster.of_class);
        let known = chosen.filter_map(|monster| self.difficulties.get(usize::from(monster.species?)));
        known.fold((0, 0), |(sum, most), &difficulty| (sum + i32::from(difficulty), most.max(difficulty.into())))
    }

    /// Loads the squares of a level.
    fn look(&mut self, level: &Level, options: &Options) {
        let ways = options.ways;
        let passable = |way: Way| if ways.has(way) { PASSABLE } else { 0 };
        for x in 1..COLUMNS {
            for y in 0..ROWS {
                self.squares[index(x, y)] = match level.terrain(x, y) {
                    Terrain::DOOR => match level.flags(x, y) {
                        mask if mask & door::LOCKED != 0 => passable(Way::Locked) | STRAIGHT,
                        mask if mask & door::CLOSED != 0 => passable(Way::Doors) | STRAIGHT,
                        mask if mask & door::OPEN != 0 => PASSABLE | STRAIGHT,
                        _ => PASSABLE,
                    },
                    Terrain::SECRET_DOOR => passable(Way::Secret) | STRAIGHT,
                    Terrain::SECRET_CORRIDOR => passable(Way::Secret),
                    Terrain::POOL | Terrain::MOAT | Terrain::WATER => passable(Way::Water),
                    Terrain::LAVA => passable(Way::Lava),
                    Terrain::DRAWBRIDGE_UP | Terrain::DRAWBRIDGE_WALL => passable(Way::Drawbridges),
                    terrain if terrain.is_accessible() => PASSABLE,
                    _ => 0,
                };
            }
        }
        if !ways.has(Way::Boulders) {
            for object in level.objects() {
                let is_boulder = object.number.is_some() && object.number == self.boulder;
                if is_boulder && object.whereabouts == Whereabouts::Floor && is_ok(object.x, object.y) {
                    self.squares[index(object.x, object.y)] = 0;
                }
            }
        }
    }

    /// Computes the distance of every square from the start.
    fn spread(&mut self, level: &Level, options: &Options) {
        self.distances.fill(NONE);
        self.way.clear();
        let stairs = [level.stairs().up, level.stairs().ladder_up];
        if let Some(start) = options.start {
            self.begin(start);
        } else if stairs.iter().any(|&(x, _)| x != 0) {
            stairs.into_iter().for_each(|place| self.begin(place));
        } else if *level.arrival_from_above() != Arrival::default() {
            let Arrival { within: [x1, y1, x2, y2], outside: [left, top, right, bottom] } = *level.arrival_from_above();
            for x in x1.max(1)..=x2.min(COLUMNS - 1) {
                for y in y1.max(0)..=y2.min(ROWS - 1) {
                    let excluded = (left..=right).contains(&x) && (top..=bottom).contains(&y);
                    if !excluded && level.terrain(x, y).is_accessible() {
                        self.begin((x, y));
                    }
                }
            }
        }
        let mut next = 0;
        while let Some(&(x, y)) = self.way.get(next) {
            next += 1;
            let from = index(x, y);
            for (dx, dy) in DIRECTIONS {
                let (to_x, to_y) = (x + dx, y + dy);
                if !is_ok(to_x, to_y) {
                    continue;
                }
                let to = index(to_x, to_y);
                let bent = dx != 0 && dy != 0 && (self.squares[from] | self.squares[to]) & STRAIGHT != 0;
                if self.distances[to] == NONE && self.squares[to] & PASSABLE != 0 && !bent {
                    self.distances[to] = self.distances[from] + 1;
                    self.way.push((to_x, to_y));
                }
            }
        }
    }

    /// Adds a start.
    fn begin(&mut self, (x, y): Place) {
        if is_ok(x, y) && self.distances[index(x, y)] == NONE {
            self.distances[index(x, y)] = 0;
            self.way.push((x, y));
        }
    }

    fn is_dead_end(&self, x: i32, y: i32) -> bool {
        let straight = DIRECTIONS[..4].iter().map(|&(dx, dy)| (x + dx, y + dy));
        straight.filter(|&(x, y)| is_ok(x, y) && self.squares[index(x, y)] & PASSABLE != 0).count() == 1
    }
}

/// Returns the least distance, or -1 if there is none.
fn nearest(distances: impl Iterator<Item = i16>) -> i16 {
    distances.filter(|&distance| distance != NONE).min().unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(rows: &[&str]) -> Level {
        let mut level = Level::new();
        for (y, row) in (3..).zip(rows) {
            for (x, character) in (10..).zip(row.chars()) {
                let terrain = match character {
                    '.' => Terrain::ROOM,
                    '+' | '|' => Terrain::DOOR,
                    '#' => Terrain::HORIZONTAL_WALL,
                    '}' => Terrain::MOAT,
                    'S' => Terrain::SECRET_DOOR,
                    _ => Terrain::STONE,
                };
                level.set_terrain(x, y, terrain);
                if character == '+' {
                    level.set_flags(x, y, door::CLOSED);
                }
            }
        }
        level
    }

    fn measured(rows: &[&str], ways: &[Way]) -> Measures {
        let mut options = Options { start: Some((11, 4)), goal: Some((17, 4)), ..Options::default() };
        ways.iter().for_each(|&way| options.ways.add(way));
        Measurer::new(catalog()).measure(&level(rows), &options)
    }

    fn catalog() -> &'static Catalog {
        Catalog::by_name("nethack-3.4.3").unwrap()
    }

    #[test]
    fn difficulties_are_those_of_the_game() {
        // `monstr[]`, as makedefs of NetHack 3.4.3 writes it: giant ant, soldier ant, Yeenoghu.
        for (name, difficulty) in [("giant ant", 4), ("soldier ant", 6), ("Yeenoghu", 31)] {
            let (number, _) = catalog().monster(name, None).unwrap();
            assert_eq!(catalog().difficulties()[number as usize], difficulty, "{name}");
        }
        for game in splc_ir::catalog::ALL.iter() {
            assert_eq!(game.difficulties().len(), game.monsters.len(), "{}", game.name);
        }
    }

    #[test]
    fn doors_water_and_secret_doors_block_unless_they_are_ways() {
        let rows = ["#########", "#..+.}..#", "#########"];
        assert_eq!(measured(&rows, &[]).goal, -1);
        assert_eq!(measured(&rows, &[Way::Doors]).goal, -1);
        assert_eq!(measured(&rows, &[Way::Doors, Way::Water]).goal, 6);
        assert_eq!(measured(&rows, &[]).reachable, 2);
        assert_eq!(measured(&["####", "#.S.", "####"], &[Way::Secret]).reachable, 3);
    }

    #[test]
    fn doors_are_passed_straight() {
        // Around the corner through a door takes one move more than through a gap.
        let rows = ["#########", "#.#.....#", "##+######", "#.......#", "#########"];
        assert_eq!(measured(&rows, &[Way::Doors]).goal, -1);
        let rows = ["#########", "#.#.....#", "##|######", "#.......#", "#########"];
        assert_eq!(measured(&rows, &[]).goal, 6);
    }

    #[test]
    fn dead_ends_and_walls_are_counted() {
        let all = measured(&["#########", "#.......#", "###.#####", "#########"], &[]);
        assert_eq!((all.open, all.dead_ends, all.area, all.walls), (8, 3, 36, 28));
        assert_eq!((all.farthest, all.things, all.monster), (6, 0, -1));
    }
}
