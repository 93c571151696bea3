//! Regions of light that end before their map does, and gaps in the walls of maps.
//!
//! A region of light also lights the squares next to it. Authors count columns and rows from 1, or enlarge a map and
//! forget its region. The last rows or columns of the floor then have other light than the rest, although nothing
//! separates them.

use std::collections::BTreeMap;

use splc_vm::internals::is_ok;
use splc_vm::{Place, Terrain};

use crate::{Defect, Judge, Scene, Subject, places};

/// Least squares of floor of a map that is examined.
const FLOOR: usize = 60;

/// Most rows or columns that count as an edge.
const DEPTH: i32 = 3;

/// Part of the floor that an edge is at most, as a divisor.
const SHARE: usize = 6;

/// Least pairs of neighbours across the end of the region.
const OPEN: usize = 3;

/// Least squares of wall of a level that is examined for gaps.
const WALLS: usize = 40;

/// Squares of rock that a gap opens on.
const SOLID: i32 = 4;

impl Judge {
    /// Finds squares of floor of a map that are in line with a wall and open on rock.
    pub(crate) fn gaps(&mut self, scene: &Scene<'_>) {
        let level = scene.level;
        if level.all_terrain().iter().filter(|terrain| terrain.is_wall()).count() < WALLS {
            return;
        }
        let mut gaps: BTreeMap<usize, Vec<Place>> = BTreeMap::new();
        for (x, y) in places().filter(|&(x, y)| is_ok(x, y) && level.terrain(x, y) == Terrain::ROOM) {
            let is_wall = |dx: i32, dy: i32| is_ok(x + dx, y + dy) && level.terrain(x + dx, y + dy).is_wall();
            // In a maze, the next passage is nearer. Streets that end at the edge of the level are meant.
            let is_rock = |dx: i32, dy: i32| {
                let mut outwards = (1..=SOLID).map(|step| (x + step * dx, y + step * dy));
                outwards.all(|(x, y)| is_ok(x, y) && level.terrain(x, y) == Terrain::STONE)
            };
            let is_floor = |dx: i32, dy: i32| is_ok(x + dx, y + dy) && level.terrain(x + dx, y + dy).is_room();
            let opens =
                |dx: i32, dy: i32| (is_rock(dx, dy) && is_floor(-dx, -dy)) || (is_rock(-dx, -dy) && is_floor(dx, dy));
            let is_gap =
                (is_wall(0, -1) && is_wall(0, 1) && opens(1, 0)) || (is_wall(-1, 0) && is_wall(1, 0) && opens(0, 1));
            if !is_gap {
                continue;
            }
            let is_map = |&at: &usize| scene.program.step(at).is_some_and(|step| step.is_map());
            if let Some(at) = scene.square((x, y)).filter(is_map) {
                gaps.entry(at).or_default().push((x, y));
            }
        }
        for (at, gaps) in gaps {
            self.add(Defect::GapInWall, Some(at), gaps.first().copied(), Subject::Squares(gaps.len()));
        }
    }

    /// Finds maps whose last rows or columns have other light than the rest of the floor, which they are open to.
    pub(crate) fn edges(&mut self, scene: &Scene<'_>) {
        let level = scene.level;
        let mut floors: BTreeMap<usize, Vec<Place>> = BTreeMap::new();
        for (x, y) in places().filter(|&(x, y)| level.terrain(x, y).is_accessible()) {
            if level.terrain(x, y).is_door_or_secret() {
                continue;
            }
            if let Some(at) =
                scene.square((x, y)).filter(|&at| scene.program.step(at).is_some_and(|step| step.is_map()))
            {
                floors.entry(at).or_default().push((x, y));
            }
        }
        for (at, floor) in floors.iter().filter(|(_, floor)| floor.len() >= FLOOR) {
            let (lit, dark): (Vec<Place>, Vec<Place>) = floor.iter().copied().partition(|&(x, y)| level.is_lit(x, y));
            let (few, most) = if lit.len() < dark.len() { (lit, dark) } else { (dark, lit) };
            if few.is_empty() || few.len() * SHARE > floor.len() {
                continue;
            }
            let is_edge = |turn: fn(&Place) -> Place| {
                let (few, most): (Vec<Place>, Vec<Place>) =
                    (few.iter().map(turn).collect(), most.iter().map(turn).collect());
                let first = few.iter().map(|place| place.0).min().unwrap_or(0);
                let last = few.iter().map(|place| place.0).max().unwrap_or(0);
                if last - first >= DEPTH || most.iter().any(|place| place.0 >= first) {
                    return false;
                }
                let row = few.iter().filter(|place| place.0 == first);
                let open = row.clone().filter(|(along, across)| most.contains(&(along - 1, *across))).count();
                open >= OPEN && open * 2 >= row.count()
            };
            let turns: [fn(&Place) -> Place; 4] =
                [|&(x, y)| (x, y), |&(x, y)| (-x, y), |&(x, y)| (y, x), |&(x, y)| (-y, x)];
            if turns.into_iter().any(is_edge) {
                self.add(Defect::ShortRegion, Some(*at), few.first().copied(), Subject::Squares(few.len()));
            }
        }
    }
}
