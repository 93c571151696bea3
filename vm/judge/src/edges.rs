//! Regions of light that end before their map does, and gaps in the walls of maps.
//!
//! A region of light also lights the squares next to it. Authors count columns and rows from 1, or enlarge a map and
//! forget its region. The last rows or columns of the floor then have other light than the rest, although nothing
//! separates them.

use std::collections::{BTreeMap, BTreeSet};

use splc_vm::internals::{index, is_ok};
use splc_vm::{COLUMNS, Level, Place, ROWS, SQUARES, Terrain};

use crate::{Defect, Judge, Scene, Subject, places};

/// Least squares of floor of a map that is examined.
const FLOOR: usize = 60;

/// Least squares of a room.
const SMALL: usize = 12;

/// Most rows or columns that count as an edge.
const DEPTH: i32 = 5;

/// Part of the floor that an edge is at most, as a divisor.
const SHARE: usize = 4;

/// Least pairs of neighbours across the end of the region.
const OPEN: usize = 3;

/// Least squares of wall of a level that is examined for gaps.
const WALLS: usize = 40;

/// Most squares of floor next to rock that are gaps.
const GAPS: usize = 2;

/// Least squares of floor of a level that is examined for gaps.
const ROOM: usize = 40;

/// Least squares of floor of a cavern around a map.
const CAVERN: usize = 100;

/// Squares of a level by what they are.
#[derive(Default)]
struct Counts {
    walls: usize,
    /// Floor with light, and without.
    lit: usize,
    dark: usize,
}

impl Counts {
    fn of(level: &Level) -> Self {
        let mut counts = Counts::default();
        let mut squares = level.all_terrain().iter();
        for x in 0..COLUMNS {
            for (y, terrain) in (0..ROWS).zip(&mut squares) {
                let count = match terrain {
                    &Terrain::STONE => continue,
                    terrain if terrain.is_wall() => &mut counts.walls,
                    terrain if !terrain.is_accessible() || terrain.is_door_or_secret() => continue,
                    _ if level.is_lit(x, y) => &mut counts.lit,
                    _ => &mut counts.dark,
                };
                *count += 1;
            }
        }
        counts
    }
}

impl Judge {
    /// Finds faults of maps, which most levels cannot have.
    pub(crate) fn maps(&mut self, scene: &Scene<'_>) {
        let Counts { walls, lit, dark } = Counts::of(scene.level);
        if lit > 0 && dark > 0 && lit + dark >= FLOOR {
            self.edges(scene);
        }
        if walls >= WALLS {
            self.gaps(scene);
        }
        if dark >= FLOOR && lit >= CAVERN {
            self.dark_map(scene);
        }
    }

    /// Finds the few squares of floor of a walled map that are next to rock: a wall is missing there, or floor is.
    fn gaps(&mut self, scene: &Scene<'_>) {
        let level = scene.level;
        let is = |x: i32, y: i32, terrain: Terrain| is_ok(x, y) && level.terrain(x, y) == terrain;
        const SIDES: [Place; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let squares = level.all_terrain();
        let floor = || squares.iter().enumerate().zip(places()).filter(|((_, terrain), _)| **terrain == Terrain::ROOM);
        // Columns follow each other.
        const STEPS: [isize; 4] = [1, -1, ROWS as isize, -(ROWS as isize)];
        let is_near = |number: usize| {
            let mut around = STEPS.into_iter().filter_map(|step| squares.get(number.checked_add_signed(step)?));
            around.any(|terrain| *terrain == Terrain::STONE)
        };
        let opens = |&(x, y): &Place| {
            // Niches behind doors are intentional.
            let is_door = |(dx, dy): Place| is_ok(x + dx, y + dy) && level.terrain(x + dx, y + dy).is_door_or_secret();
            let is_rock = |(dx, dy): Place| {
                // So is a street that ends at the edge of the map.
                let mut beyond = (1..COLUMNS).map(|step| (x + step * dx, y + step * dy));
                is(x + dx, y + dy, Terrain::STONE)
                    && beyond.any(|(x, y)| is_ok(x, y) && level.terrain(x, y) != Terrain::STONE)
            };
            SIDES.into_iter().any(is_rock) && !SIDES.into_iter().any(is_door)
        };
        // Caverns and other levels without walls have many.
        let near = floor().filter(|((number, _), _)| is_near(*number)).map(|(_, place)| place);
        let open: Vec<Place> = near.filter(opens).take(GAPS + 1).collect();
        if open.is_empty() || open.len() > GAPS || floor().count() < ROOM {
            return;
        }
        let mut gaps: BTreeMap<usize, Vec<Place>> = BTreeMap::new();
        for place in open {
            let is_map = |&at: &usize| scene.program.step(at).is_some_and(|step| step.is_map());
            if let Some(at) = scene.square(place).filter(is_map) {
                gaps.entry(at).or_default().push(place);
            }
        }
        for (at, gaps) in gaps {
            self.add(Defect::GapInWall, Some(at), gaps.first().copied(), Subject::Squares(gaps.len()));
        }
    }

    /// Finds a dark map that is open to a cavern which the level makes lit.
    fn dark_map(&mut self, scene: &Scene<'_>) {
        let level = scene.level;
        let is_floor = |x: i32, y: i32| is_ok(x, y) && level.terrain(x, y) == Terrain::ROOM;
        let floor = || places().filter(|&(x, y)| is_floor(x, y));
        let dark = || floor().filter(|&(x, y)| !level.is_lit(x, y));
        // The rectangle of the dark squares.
        let rectangle = dark().fold(None, |known, (x, y)| {
            let [x1, y1, x2, y2] = known.unwrap_or([x, y, x, y]);
            Some([x.min(x1), y.min(y1), x.max(x2), y.max(y2)])
        });
        let Some([x1, y1, x2, y2]) = rectangle else { return };
        let is_inside = |x: i32, y: i32| (x1..=x2).contains(&x) && (y1..=y2).contains(&y);
        let maker = |place: Place| scene.square(place).and_then(|at| Some((at, scene.program.step(at)?.is_map())));
        let (mut inside, mut around, mut of_cavern, mut open, mut map) = (0, 0, 0, 0, None);
        for (x, y) in floor() {
            if is_inside(x, y) {
                inside += 1;
                let outwards = [(x1 - 1, y), (x2 + 1, y), (x, y1 - 1), (x, y2 + 1)];
                let near = |&(to_x, to_y): &Place| (to_x - x).abs() + (to_y - y).abs() == 1 && is_floor(to_x, to_y);
                open += usize::from(!level.is_lit(x, y) && outwards.iter().any(near));
                map = map.or(maker((x, y)).filter(|(_, is_map)| *is_map));
            } else {
                around += 1;
                of_cavern += usize::from(maker((x, y)).is_some_and(|(_, is_map)| !is_map));
            }
        }
        let is_cavern = around >= CAVERN && of_cavern * 2 >= around;
        if let (Some((at, _)), true, true) = (map, is_cavern, open >= OPEN) {
            let dark = dark().count();
            if dark >= FLOOR && dark * 2 > inside {
                self.add(Defect::DarkMapInLitCavern, Some(at), Some((x1, y1)), Subject::Level);
            }
        }
    }

    /// Finds maps whose last rows or columns have other light than the rest of the floor, which they are open to.
    fn edges(&mut self, scene: &Scene<'_>) {
        let level = scene.level;
        let is_floor = |&(x, y): &Place| {
            let terrain = level.terrain(x, y);
            terrain.is_accessible() && !terrain.is_door_or_secret()
        };
        let mut floors: BTreeMap<usize, Vec<Place>> = BTreeMap::new();
        for (x, y) in places().filter(is_floor) {
            if let Some(at) =
                scene.square((x, y)).filter(|&at| scene.program.step(at).is_some_and(|step| step.is_map()))
            {
                floors.entry(at).or_default().push((x, y));
            }
        }
        // Most floors have the same light everywhere, and so have their rooms.
        let is_mixed = |floor: &[Place]| {
            let mut lights = floor.iter().map(|&(x, y)| level.is_lit(x, y));
            lights.next().is_some_and(|first| lights.any(|light| light != first))
        };
        for (at, floor) in floors.iter().filter(|(_, floor)| floor.len() >= FLOOR && is_mixed(floor)) {
            if let Some(few) = edge(floor, level).or_else(|| rooms(floor).find_map(|room| edge(&room, level))) {
                self.add(Defect::ShortRegion, Some(*at), few.first().copied(), Subject::Squares(few.len()));
            }
        }
    }
}

/// Returns the squares at an edge of a floor that have other light than the rest, which they are open to.
fn edge(floor: &[Place], level: &Level) -> Option<Vec<Place>> {
    let (lit, dark): (Vec<Place>, Vec<Place>) = floor.iter().copied().partition(|&(x, y)| level.is_lit(x, y));
    let (few, most) = if lit.len() < dark.len() { (lit, dark) } else { (dark, lit) };
    if few.is_empty() || few.len() * SHARE > floor.len() {
        return None;
    }
    let is_edge = |turn: fn(&Place) -> Place| {
        let (few, most): (Vec<Place>, Vec<Place>) = (few.iter().map(turn).collect(), most.iter().map(turn).collect());
        let first = few.iter().map(|place| place.0).min().unwrap_or(0);
        let last = few.iter().map(|place| place.0).max().unwrap_or(0);
        if last - first >= DEPTH || most.iter().any(|place| place.0 >= first) {
            return false;
        }
        let before: BTreeSet<i32> = most.iter().filter(|place| place.0 == first - 1).map(|place| place.1).collect();
        let row = few.iter().filter(|place| place.0 == first);
        let open = row.clone().filter(|(_, across)| before.contains(across)).count();
        open >= OPEN && open * 2 >= row.count()
    };
    let turns: [fn(&Place) -> Place; 4] = [|&(x, y)| (x, y), |&(x, y)| (-x, y), |&(x, y)| (y, x), |&(x, y)| (-y, x)];
    turns.into_iter().any(is_edge).then_some(few)
}

/// The parts of a floor that are separated by walls and doors, if they are large enough to be rooms.
fn rooms(floor: &[Place]) -> impl Iterator<Item = Vec<Place>> + '_ {
    let mut left = [false; SQUARES];
    floor.iter().for_each(|&(x, y)| left[index(x, y)] = true);
    let mut takes = move |(x, y): Place| is_ok(x, y) && std::mem::take(&mut left[index(x, y)]);
    let room = move |&start: &Place| {
        let mut room: Vec<Place> = takes(start).then_some(start).into_iter().collect();
        let mut next = 0;
        while let Some(&(x, y)) = room.get(next) {
            next += 1;
            room.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)].into_iter().filter(|&side| takes(side)));
        }
        room
    };
    floor.iter().map(room).filter(|room| room.len() >= SMALL)
}
