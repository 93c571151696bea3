//! Faults of things that are each in a good place: traps under furniture and wares, treasure at risk, lost quest
//! objects, and puzzles of boulders that cannot begin.
//!
//! The rules are those of the games: a chest is trapped one time in ten unless the level says otherwise (`mksobj`), a
//! random tool can be a chest (`mkobj`), a monster with an inventory of the level loses its own (`create_monster`), and
//! a boulder fills one pit or hole.

use splc_ir::catalog::Format;
use splc_ir::diagnostic::nearest;
use splc_puzzle::{Answer, Puzzle};
use splc_vm::internals::{DetailKind, Game, index, is_ok};
use splc_vm::{COLUMNS, Level, Object, Place, ROWS, SQUARES, Terrain, Trap, Whereabouts};

use crate::{Defect, Judge, Scene, Subject};

/// Class of tools, some of which are containers.
const TOOLS: char = '(';

/// The object that the nemesis of a quest must carry.
const BELL: &str = "Bell of Opening";

/// The object that is too valuable to be blown up with its chest.
const WISHES: &str = "wishing";

/// The object of a statue trap.
const STATUE: &str = "statue";

/// The scroll that drops boulders.
const EARTH: &str = "earth";

/// Returns true if a monster is the nemesis of a quest.
pub(crate) fn is_nemesis(monster: &splc_vm::Monster, game: &Game) -> bool {
    let species = monster.species.filter(|_| !monster.of_class);
    let known = species.and_then(|number| game.catalog.monsters.get(usize::from(number)));
    known.is_some_and(|species| game.catalog.loader.nemeses.contains(&species.name))
}

/// Returns the name of an object's type, if the level gives it.
pub(crate) fn type_name<'g>(object: &Object, game: &'g Game) -> Option<&'g str> {
    let known = game.catalog.objects.get(usize::from(object.number?))?;
    Some(&known.name)
}

/// Returns true if the level says whether a container is trapped.
fn trapping_is_given(container: usize, level: &Level, game: &Game) -> bool {
    let part = game.catalog.object_parts.iter().find(|(name, _)| name == "trapped").map(|&(_, number)| number);
    level.object_details.iter().filter(|detail| detail.of == container).any(|detail| match detail.kind {
        DetailKind::Named(name, _) => name == "trapped",
        DetailKind::Number(number, _) => Some(number) == part,
        _ => false,
    })
}

impl Judge {
    /// Finds faults of traps, containers, and the nemesis.
    pub(crate) fn hazards(&mut self, scene: &Scene<'_>) {
        self.misplaced_traps(scene);
        self.statues(scene);
        self.containers(scene);
        self.nemesis(scene);
        if scene.level.level_flags.premapped {
            self.boulders(scene);
        }
    }

    /// Finds traps on furniture and stairs, and on the floor of shops.
    fn misplaced_traps(&mut self, scene: &Scene<'_>) {
        let (level, game, steps) = (scene.level, &scene.program.game, scene.program.len());
        let shops: Vec<_> = level
            .rooms
            .iter()
            .filter(|room| room.high_x >= 0 && room.kind >= game.rooms.shop && room.stocked)
            .collect();
        for (number, trap) in level.traps.iter().enumerate() {
            let Some(maker) = scene.chronicle.trap(number).filter(|maker| maker.at < steps) else { continue };
            if trap.kind == game.traps.magic_portal || trap.kind == game.traps.vibrating_square {
                continue;
            }
            let place = (trap.x, trap.y);
            if game.traps.is_hole(trap.kind) {
                self.add(Defect::HoleAtBottom, Some(maker.at), Some(place), Subject::Trap(number));
            }
            let defect = match level.terrain(trap.x, trap.y) {
                Terrain::ALTAR | Terrain::FOUNTAIN | Terrain::SINK | Terrain::THRONE => Defect::TrapOnFurniture,
                Terrain::STAIRS | Terrain::LADDER => Defect::TrapOnFurniture,
                _ if shops.iter().any(|shop| is_within(shop, place)) => Defect::TrapInShop,
                _ => continue,
            };
            self.add(defect, Some(maker.at), Some(place), Subject::Trap(number));
        }
        for (at, place) in scene.chronicle.traps_before_furniture(level) {
            self.add(Defect::TrapBeforeFurniture, Some(at), Some(place), Subject::Level);
        }
    }

    /// Finds statues that are not those of the statue traps: a trap makes a statue of its own, which lies on top of an
    /// earlier one (`mk_trap_statue`, `activate_statue_trap`).
    fn statues(&mut self, scene: &Scene<'_>) {
        let (level, game, steps) = (scene.level, &scene.program.game, scene.program.len());
        let is_trap = |&(_, trap): &(usize, &Trap)| trap.kind == game.traps.statue && trap.kind != 0;
        let makers = |number: usize| scene.chronicle.trap(number).filter(|maker| maker.at < steps);
        let traps: Vec<_> = level
            .traps
            .iter()
            .enumerate()
            .filter(is_trap)
            .filter_map(|(number, trap)| Some((number, (trap.x, trap.y), makers(number)?.at)))
            .collect();
        if traps.is_empty() {
            return;
        }
        let is_statue = |&(_, object): &(usize, &Object)| {
            object.whereabouts == Whereabouts::Floor && type_name(object, game) == Some(STATUE)
        };
        let maker = |number: usize| scene.chronicle.object(number).filter(|maker| maker.at < steps);
        let statues: Vec<_> = level
            .objects
            .iter()
            .enumerate()
            .filter(is_statue)
            .filter_map(|(number, object)| Some(((object.x, object.y), maker(number)?.at)))
            .collect();
        let has_statue = |place: Place| statues.iter().any(|statue| statue.0 == place);
        let elsewhere = statues.iter().any(|statue| !traps.iter().any(|trap| trap.1 == statue.0));
        let bare = traps.iter().filter(|trap| !has_statue(trap.1)).count();
        for &(number, place, at) in &traps {
            let mut here = statues.iter().filter(|statue| statue.0 == place).peekable();
            if here.peek().is_none() && bare == 1 && traps.len() > 1 && elsewhere {
                self.add(Defect::TrapWithoutStatue, Some(at), Some(place), Subject::Trap(number));
            } else if here.peek().is_some() && here.all(|statue| statue.1 < at) {
                self.add(Defect::StatueBelowTrap, Some(at), Some(place), Subject::Trap(number));
            } else if has_statue(place) && scene.chronicle.random_trap_follows(at, place, level) {
                self.add(Defect::StatueTrapAtRisk, Some(at), Some(place), Subject::Trap(number));
            }
        }
    }

    /// Finds containers that may be inside another one, and treasure in containers that may be trapped.
    fn containers(&mut self, scene: &Scene<'_>) {
        let (level, game) = (scene.level, &scene.program.game);
        let tools = game.object_class(TOOLS);
        for (number, object) in level.objects.iter().enumerate() {
            let Whereabouts::Contained(container) = object.whereabouts else { continue };
            let at = scene.chronicle.object(number).map(|maker| maker.at).filter(|&at| at < scene.program.len());
            let Some(outer) = level.objects.get(container) else { continue };
            let place = Some((outer.x, outer.y)).filter(|&(x, y)| is_ok(x, y));
            if object.number.is_none() && Some(object.class) == tools {
                self.add(Defect::ContainerInContainer, at, place, Subject::Object(number));
            }
            let kind = type_name(object, game);
            let is_rare = kind.is_some_and(|kind| game.catalog.loader.treasures.iter().any(|name| name == kind));
            // Of equipment in store, one piece can be lost.
            let is_only = || level.objects.iter().filter(|other| type_name(other, game) == kind).nth(1).is_none();
            let is_treasure = kind == Some(WISHES) || (is_rare && is_only());
            let can_be_trapped = matches!(type_name(outer, game), Some("chest" | "large box"));
            if is_treasure && can_be_trapped && !trapping_is_given(container, level, game) {
                let maker =
                    scene.chronicle.object(container).map(|maker| maker.at).filter(|&at| at < scene.program.len());
                let defect = if is_rare { Defect::RareObjectTrapped } else { Defect::TreasureTrapped };
                self.add(defect, maker, place, Subject::Object(container));
            }
        }
    }

    /// Finds a quest nemesis whose inventory from the level replaces its own and lacks the Bell.
    fn nemesis(&mut self, scene: &Scene<'_>) {
        let (level, game) = (scene.level, &scene.program.game);
        for (number, monster) in level.monsters.iter().enumerate() {
            if !is_nemesis(monster, game) {
                continue;
            }
            let mut details = level.monster_details.iter().filter(|detail| detail.of == number);
            let replaces = details.any(|detail| detail.kind == DetailKind::Inventory);
            let is_bell = |object: &&Object| type_name(object, game) == Some(BELL);
            let carried = Whereabouts::Carried(number);
            let has_bell = level.objects.iter().filter(is_bell).any(|object| object.whereabouts == carried);
            if replaces && !has_bell {
                let at = scene.chronicle.monster(number).map(|maker| maker.at).filter(|&at| at < scene.program.len());
                self.add(Defect::NoBell, at, Some((monster.x, monster.y)), Subject::Monster(number));
            }
        }
    }

    /// Finds objects with the name of an artifact that is another object, or that the level makes twice
    /// (`artifact_name`, `oname`).
    pub(crate) fn artifacts(&mut self, scene: &Scene<'_>) {
        let (level, game) = (scene.level, &scene.program.game);
        let known = &game.catalog.loader.artifact_objects;
        if known.is_empty() {
            return;
        }
        let bare = |name: &str| name.strip_prefix("The ").or(name.strip_prefix("the ")).unwrap_or(name).to_lowercase();
        let mut seen: Vec<&str> = Vec::new();
        for (number, object) in level.objects.iter().enumerate() {
            let (Some(name), Some(kind)) = (object.name, type_name(object, game)) else { continue };
            let name = bare(level.text(name));
            let artifact =
                known.iter().filter_map(|entry| entry.rsplit_once('@')).find(|(known, _)| bare(known) == name);
            let at = scene.chronicle.object(number).map(|maker| maker.at).filter(|&at| at < scene.program.len());
            let place = Some((object.x, object.y)).filter(|&(x, y)| is_ok(x, y));
            let Some((artifact, is)) = artifact else {
                let same = known.iter().filter_map(|entry| entry.rsplit_once('@')).filter(|(_, is)| *is == kind);
                if !nearest(&name, same.map(|(known, _)| bare(known)).collect::<Vec<_>>().iter().map(String::as_str))
                    .is_empty()
                {
                    self.add(Defect::MisspeltArtifact, at, place, Subject::Object(number));
                }
                continue;
            };
            if is != kind {
                self.add(Defect::NotTheArtifact, at, place, Subject::Object(number));
            } else if seen.contains(&artifact) {
                self.add(Defect::ArtifactTwice, at, place, Subject::Object(number));
            } else {
                seen.push(artifact);
            }
        }
    }

    /// Checks a puzzle of boulders, which a hero enters from below: it needs a boulder for each pit and hole, and a
    /// boulder that can be reached before any of them is filled.
    fn boulders(&mut self, scene: &Scene<'_>) {
        let (level, game) = (scene.level, &scene.program.game);
        let is_gap = |trap: &&Trap| game.traps.is_pit(trap.kind) || game.traps.is_hole(trap.kind);
        let gaps: Vec<Place> = level.traps.iter().filter(is_gap).map(|trap| (trap.x, trap.y)).collect();
        let is_boulder = |object: &&Object| {
            object.whereabouts == Whereabouts::Floor
                && object.number.is_some_and(|number| i32::from(number) == game.boulder)
        };
        let boulders: Vec<Place> = level.objects.iter().filter(is_boulder).map(|object| (object.x, object.y)).collect();
        if gaps.is_empty() || boulders.is_empty() {
            return;
        }
        if game.catalog.format == Format::Lua && !level.level_flags.sokoban {
            self.add(Defect::NoPuzzleRules, None, None, Subject::Level);
        }
        // A scroll of earth drops boulders.
        let has_more = level.objects.iter().any(|object| type_name(object, game) == Some(EARTH));
        if boulders.len() < gaps.len() && !has_more {
            self.add(Defect::FewBoulders, None, gaps.first().copied(), Subject::Level);
        }
        let stairs = level.stairs;
        let way = |places: [Place; 2]| places.into_iter().find(|place| place.0 != 0);
        let (down, up) = (way([stairs.down, stairs.ladder_down]), way([stairs.up, stairs.ladder_up]));
        // Without stairs up, the stairs down may be the goal.
        if let (Some(start), Some(end)) = (down, up)
            && !reaches(start, &boulders, &gaps, level)
            && reaches(end, &boulders, &gaps, level)
        {
            self.add(Defect::BouldersBehindGaps, scene.square(start), Some(start), Subject::Level);
        } else if boulders.len() >= gaps.len() && self.has_no_solution(level, game) {
            self.add(Defect::Unsolvable, None, gaps.first().copied(), Subject::Level);
        }
    }

    /// Returns true if a short search proves that a puzzle of boulders has no solution. Most levels have the same
    /// puzzle with every seed, or mirrored.
    fn has_no_solution(&mut self, level: &Level, game: &Game) -> bool {
        let Some(puzzle) = Puzzle::of(level, game) else { return false };
        if let Some((_, result)) = self.puzzles.iter().find(|(known, _)| *known == puzzle) {
            return *result;
        }
        if self.puzzles.len() >= MAX_PUZZLES {
            return false;
        }
        let result = puzzle.solve(MAX_POSITIONS) == Answer::Unsolvable;
        self.puzzles.push((puzzle, result));
        result
    }
}

/// Maximum different puzzles of a level that are searched.
const MAX_PUZZLES: usize = 16;

/// Maximum positions of a search for a solution. Puzzles without a solution that need more are not reported.
const MAX_POSITIONS: usize = 50;

/// Returns true if a hero can walk from `start` to one of `boulders` without crossing `gaps`, never diagonally.
fn reaches(start: Place, boulders: &[Place], gaps: &[Place], level: &Level) -> bool {
    let mut seen = [false; SQUARES];
    let mut way = vec![start];
    seen[index(start.0, start.1)] = true;
    let mut next = 0;
    while let Some(&(x, y)) = way.get(next) {
        next += 1;
        if boulders.contains(&(x, y)) {
            return true;
        }
        for (x, y) in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
            if !(1..COLUMNS).contains(&x) || !(0..ROWS).contains(&y) || seen[index(x, y)] {
                continue;
            }
            seen[index(x, y)] = true;
            let terrain = level.terrain(x, y);
            if (terrain.is_accessible() || terrain.is_door_or_secret()) && !gaps.contains(&(x, y)) {
                way.push((x, y));
            }
        }
    }
    false
}

/// Returns true if a place is on the floor of a room.
fn is_within(room: &splc_vm::Room, (x, y): Place) -> bool {
    (room.low_x..=room.high_x).contains(&x) && (room.low_y..=room.high_y).contains(&y)
}
