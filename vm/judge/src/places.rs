//! Checks of the places of things, stairs and arrivals, and of their reachability.

use splc_ir::catalog::{Habit, LoaderRule};
use splc_vm::internals::{Game, index, is_ok};
use splc_vm::{Arrival, COLUMNS, Level, Place, ROWS, Room, SQUARES, Terrain, Whereabouts};

use crate::reach::{Means, is_footing, is_open_lava};
use crate::{Defect, Judge, Scene, Subject, Way};

/// Bits of stairs (`LA_UP`, `LA_DOWN`).
const UP: i32 = 1;
const DOWN: i32 = 2;

/// Maximum size of an isolated pocket that is not reported.
const POCKET: usize = 3;

/// Least squares of air, and of floor, of a level in which a hero arrives in the air.
const OPEN_AIR: usize = 50;

/// Returns true for terrain in which ordinary things cannot be. A secret corridor can be found, with what lies in it.
fn is_solid(terrain: Terrain) -> bool {
    (terrain.is_rock() || terrain.is_barrier()) && terrain != Terrain::SECRET_CORRIDOR
}

/// Returns true if a hero who comes without stairs finds a square, unless the level has both regions of arrival
/// (`bad_location`). Traps do not block a hero.
fn can_land(level: &Level, game: &Game) -> bool {
    let arrivals = [&level.arrival_from_above, &level.arrival_from_below];
    arrivals.iter().all(|arrival| **arrival != Arrival::default())
        || level.all_terrain().iter().any(|&terrain| match terrain {
            Terrain::CORRIDOR => level.level_flags.maze,
            terrain => game.has_landing_on(terrain),
        })
}

/// Squares of a region of arrival.
pub(crate) fn squares_of(arrival: &Arrival) -> impl Iterator<Item = Place> {
    let [x1, y1, x2, y2] = match arrival.within {
        // The whole level.
        [0, ..] => [1, 0, COLUMNS - 1, ROWS - 1],
        within => within,
    };
    let [left, top, right, bottom] = arrival.outside;
    let excluded = move |x: i32, y: i32| x >= left && x <= right && y >= top && y <= bottom;
    (x1..=x2).flat_map(move |x| (y1..=y2).map(move |y| (x, y))).filter(move |&(x, y)| is_ok(x, y) && !excluded(x, y))
}

impl Judge {
    /// Finds things in rock, and monsters that drown.
    pub(crate) fn things(&mut self, scene: &Scene<'_>) {
        let (level, chronicle, game) = (scene.level, scene.chronicle, &scene.program.game);
        let steps = scene.program.len();
        // Things made while the level is finished are where the game intends them.
        let by_level = |maker: Option<splc_vm::Maker>| maker.filter(|maker| maker.at < steps).map(|maker| maker.at);
        let solid = |(x, y): Place| is_ok(x, y) && is_solid(level.terrain(x, y));
        for (number, monster) in level.monsters.iter().enumerate() {
            let Some(at) = by_level(chronicle.monster(number)) else { continue };
            let place = (monster.x, monster.y);
            let habits = game.habits(monster.species);
            let subject = Subject::Monster(number);
            if solid(place) && !habits.has(Habit::WalkWalls) && !habits.has(Habit::Noncorporeal) {
                self.add(Defect::ThingInRock, Some(at), Some(place), subject);
            }
            let known = monster.species.is_some() && !monster.of_class;
            let hovers = habits.has(Habit::Fly) || habits.has(Habit::Floater) || habits.has(Habit::Cling);
            let drowns = match level.terrain(place.0, place.1) {
                terrain if terrain.is_water() => {
                    !hovers
                        && !habits.has(Habit::Swim)
                        && !habits.has(Habit::Amphibious)
                        && !habits.has(Habit::Breathless)
                }
                terrain if is_open_lava(terrain) => {
                    let survives = [Habit::LavaOk, Habit::Flaming, Habit::ResistsFire];
                    !hovers && !survives.iter().any(|habit| habits.has(*habit))
                }
                _ => false,
            };
            if known && drowns {
                self.add(Defect::Drowns, Some(at), Some(place), subject);
            }
        }
        for (number, object) in level.objects.iter().enumerate() {
            let place = (object.x, object.y);
            if object.whereabouts == Whereabouts::Floor
                && solid(place)
                && let Some(at) = by_level(chronicle.object(number))
            {
                self.add(Defect::ThingInRock, Some(at), Some(place), Subject::Object(number));
            }
        }
        for (number, gold) in level.gold.iter().enumerate() {
            if let (true, Some(at)) = (solid((gold.x, gold.y)), by_level(chronicle.gold(number))) {
                self.add(Defect::ThingInRock, Some(at), Some((gold.x, gold.y)), Subject::Gold);
            }
        }
        for (number, trap) in level.traps.iter().enumerate() {
            if let (true, Some(at)) = (solid((trap.x, trap.y)), by_level(chronicle.trap(number))) {
                self.add(Defect::ThingInRock, Some(at), Some((trap.x, trap.y)), Subject::Trap(number));
            }
        }
        for (number, engraving) in level.engravings.iter().enumerate() {
            let place = (engraving.x, engraving.y);
            if let (true, Some(at)) = (solid(place), by_level(chronicle.engraving(number))) {
                self.add(Defect::ThingInRock, Some(at), Some(place), Subject::Engraving);
            }
        }
    }

    /// Finds covered stairs, and duplicate stairs in a direction.
    pub(crate) fn stairs(&mut self, scene: &Scene<'_>) {
        let level = scene.level;
        let stairs = level.stairs;
        let known = [
            (stairs.up, Terrain::STAIRS, Way::Up),
            (stairs.down, Terrain::STAIRS, Way::Down),
            (stairs.ladder_up, Terrain::LADDER, Way::Up),
            (stairs.ladder_down, Terrain::LADDER, Way::Down),
        ];
        for (place, terrain, way) in known {
            if place.0 != 0 && level.terrain(place.0, place.1) != terrain {
                self.add(Defect::CoveredStairs(way), scene.square(place), Some(place), Subject::Level);
            }
        }
        for x in 1..COLUMNS {
            for y in 0..ROWS {
                let terrain = level.terrain(x, y);
                if !matches!(terrain, Terrain::STAIRS | Terrain::LADDER) || stairs.branch == (x, y) {
                    continue;
                }
                let flags = level.flags(x, y);
                let way = if flags & DOWN != 0 {
                    Way::Down
                } else if flags & UP != 0 {
                    Way::Up
                } else {
                    // Stairs drawn in a map lead nowhere.
                    continue;
                };
                if !known.contains(&((x, y), terrain, way)) {
                    self.add(Defect::DuplicateStairs(way), scene.square((x, y)), Some((x, y)), Subject::Level);
                }
            }
        }
    }

    /// Checks the entrances of the level, and the squares reachable from them.
    pub(crate) fn ways(&mut self, scene: &Scene<'_>) {
        let (level, game) = (scene.level, &scene.program.game);
        let stairs = level.stairs;
        let exists = |place: &Place| place.0 != 0;
        let walkable = |place: &Place| is_footing(level.terrain(place.0, place.1));
        let mut starts: Vec<Place> =
            [stairs.up, stairs.ladder_up, stairs.down, stairs.ladder_down, stairs.branch].into_iter().collect();
        starts.retain(exists);
        let portals = level.traps.iter().filter(|trap| trap.kind == game.traps.magic_portal);
        starts.extend(portals.map(|trap| (trap.x, trap.y)));
        let is_lax = game.catalog.loader.rules.has(LoaderRule::LaxRegions);
        let lands = |place: &Place| match level.terrain(place.0, place.1) {
            terrain if is_lax => is_footing(terrain),
            Terrain::CORRIDOR => level.level_flags.maze,
            terrain => game.has_landing_on(terrain),
        };
        let mut from_above: Vec<Place> = [stairs.up, stairs.ladder_up].into_iter().filter(exists).collect();
        for (way, arrival) in [(Way::Down, &level.arrival_from_above), (Way::Up, &level.arrival_from_below)] {
            if *arrival == Arrival::default() {
                continue;
            }
            let before = starts.len();
            starts.extend(squares_of(arrival).filter(walkable));
            if !squares_of(arrival).any(|place| lands(&place)) {
                let same = level.arrival_from_above == level.arrival_from_below;
                let place = Some((arrival.within[0], arrival.within[1])).filter(exists);
                match (same, way) {
                    (true, Way::Down) => self.add(Defect::ArrivalBlocked(None), None, place, Subject::Level),
                    (true, Way::Up) => {}
                    (false, way) => self.add(Defect::ArrivalBlocked(Some(way)), None, place, Subject::Level),
                }
            }
            if way == Way::Down {
                from_above.extend(&starts[before..]);
            }
        }
        // Places for the stairs to another dungeon, if there are any.
        let branches = level.branches.iter().filter(|branch| branch.within[0] != 0);
        starts.extend(branches.flat_map(squares_of).filter(walkable));
        if starts.is_empty() {
            self.add(Defect::NoWayIn, None, None, Subject::Level);
        } else if !game.catalog.loader.rules.has(LoaderRule::LaxRegions) && !can_land(level, game) {
            self.add(Defect::NoLanding, None, None, Subject::Level);
        }
        self.reach.look(level);
        let down = [stairs.down, stairs.ladder_down].into_iter().filter(exists);
        if !from_above.is_empty() && down.clone().next().is_some() {
            let is_far = |means: Means| means > Means::Teleporter || means == Means::Squeeze;
            self.reach.spread(from_above, Means::Teleporter, level, game);
            if down.clone().all(|place| is_far(self.reach.means(place))) {
                self.reach.widen(Means::Never, level, game);
            }
            let nearest = down.min_by_key(|&place| self.reach.means(place));
            if let Some(place) = nearest.filter(|&place| is_far(self.reach.means(place))) {
                let defect = Defect::StairsApart(self.reach.means(place));
                self.add(defect, scene.square(place), Some(place), Subject::Level);
            }
        }
        let floor = (1..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y))).filter(walkable);
        if starts.is_empty() {
            // The game drops the hero anywhere: most likely in the largest patch.
            self.left.fill(false);
            floor.clone().for_each(|(x, y)| self.left[index(x, y)] = true);
            for place in floor.clone() {
                if self.left[index(place.0, place.1)] {
                    let patch = self.reach.patch(place, &mut self.left);
                    if patch.len() > starts.len() {
                        starts = patch;
                    }
                }
            }
        }
        self.reach.spread(starts, Means::Teleporter, level, game);
        let vaults: Vec<_> = level.rooms().iter().filter(|room| room.kind == game.rooms.vault).collect();
        self.left.fill(false);
        for (x, y) in floor.clone() {
            let in_vault = vaults.iter().any(|vault| vault.has(x, y));
            let means = self.reach.means((x, y));
            self.left[index(x, y)] = (means > Means::Teleporter || means == Means::Squeeze) && !in_vault;
        }
        if self.left.contains(&true) {
            self.reach.widen(Means::Never, level, game);
        }
        for place in floor.clone() {
            if self.left[index(place.0, place.1)] {
                self.apart(place, scene);
            }
        }
        self.arrivals(scene, &vaults);
    }

    /// Finds places where a hero who falls or teleports into the level arrives, and which have no way out on foot
    /// (`u_on_rndspot`, `bad_location`). Nobody falls into a puzzle of boulders.
    fn arrivals(&mut self, scene: &Scene<'_>, vaults: &[&Room]) {
        let level = scene.level;
        let stairs = level.stairs;
        let walkable = |place: &Place| is_footing(level.terrain(place.0, place.1));
        let mut exits: Vec<Place> =
            [stairs.up, stairs.ladder_up, stairs.down, stairs.ladder_down, stairs.branch].into_iter().collect();
        exits.retain(|place| place.0 != 0);
        let portal = scene.program.game.traps.magic_portal;
        exits.extend(level.traps.iter().filter(|trap| trap.kind == portal).map(|trap| (trap.x, trap.y)));
        let branches = level.branches.iter().filter(|branch| branch.within[0] != 0);
        exits.extend(branches.flat_map(squares_of).filter(walkable));
        if exits.is_empty() || level.level_flags.premapped {
            return;
        }
        let everywhere = Arrival::default();
        let region = &level.arrival_from_above;
        self.left.fill(false);
        if *region == everywhere {
            let count = |terrain: Terrain| level.all_terrain().iter().filter(|known| **known == terrain).count();
            if count(Terrain::AIR) >= OPEN_AIR && count(Terrain::ROOM) >= OPEN_AIR {
                self.add(Defect::ArrivalInAir, None, None, Subject::Level);
            }
        }
        let landing: Vec<Place> = squares_of(if *region == everywhere { &everywhere } else { region })
            .filter(|&(x, y)| match level.terrain(x, y) {
                Terrain::ROOM | Terrain::AIR => !vaults.iter().any(|vault| vault.has(x, y)),
                Terrain::CORRIDOR => level.level_flags.maze,
                _ => false,
            })
            .collect();
        self.reach.spread(exits, Means::Crossing, level, &scene.program.game);
        for &place in &landing {
            self.left[index(place.0, place.1)] = self.reach.means(place) > Means::Crossing;
        }
        if self.left.contains(&true) {
            self.reach.widen(Means::Never, level, &scene.program.game);
        }
        for &place in &landing {
            if !self.left[index(place.0, place.1)] {
                continue;
            }
            let is_hard = self.reach.means(place) == Means::Never;
            let patch = self.reach.patch(place, &mut self.left);
            // Joined caverns still have small pockets (`join_map`). A level that protects no walls counts on digging.
            if is_hard || (patch.len() > POCKET && self.reach.has_hard_walls()) {
                let count = Subject::Squares(patch.len());
                self.add(Defect::ArrivalApart, scene.square(place), Some(place), count);
            }
        }
    }

    /// Reports a patch of squares that a hero cannot reach, and the things on it.
    fn apart(&mut self, place: Place, scene: &Scene<'_>) {
        let (level, chronicle, steps) = (scene.level, scene.chronicle, scene.program.len());
        let means = self.reach.means(place);
        let patch = self.reach.patch(place, &mut self.left);
        // Random terrain has tight places by chance; those of a map are its author's.
        let is_drawn = |(x, y): &Place| {
            let around = (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| (x, y)));
            around.filter(|&(x, y)| is_ok(x, y)).all(|near| scene.square(near) == scene.square(place))
        };
        if means == Means::Squeeze && !patch.iter().all(is_drawn) {
            return;
        }
        let mut inside = [false; SQUARES];
        patch.iter().for_each(|&(x, y)| inside[index(x, y)] = true);
        let is_inside = |x: i32, y: i32| is_ok(x, y) && inside[index(x, y)];
        let before = self.found.len();
        for (number, object) in level.objects.iter().enumerate() {
            let lies = object.whereabouts == Whereabouts::Floor && is_inside(object.x, object.y);
            if let Some(maker) = chronicle.object(number).filter(|maker| lies && maker.at < steps) {
                let place = Some((object.x, object.y));
                self.add(Defect::ThingApart(means), Some(maker.at), place, Subject::Object(number));
            }
        }
        for (number, gold) in level.gold.iter().enumerate() {
            if let Some(maker) = chronicle.gold(number).filter(|maker| is_inside(gold.x, gold.y) && maker.at < steps) {
                self.add(Defect::ThingApart(means), Some(maker.at), Some((gold.x, gold.y)), Subject::Gold);
            }
        }
        // Joined caverns still have pockets of up to three squares (`join_map`).
        if self.found.len() > before || patch.len() > POCKET {
            let count = Subject::Squares(patch.len());
            self.add(Defect::SquaresApart(means), scene.square(place), Some(place), count);
        }
    }
}
