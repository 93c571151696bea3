//! Judges a level over many seeds and adds up the findings.

use std::cell::LazyCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

use splc_ir::catalog::Catalog;
use splc_ir::dungeon::Ways;
use splc_picture::{monster_name, object_name, room_kind, terrain_name, trap_name};
use splc_vm::internals::on_each;
use splc_vm::{
    Chronicle, Level, Machine, Place, Prepared, Progress, Remarks, Settings, SplitMix, Surroundings, Terrain, Trap,
    VmError,
};

use crate::hazards::is_nemesis;
use crate::{Defect, Finding, Judge, Means, Subject, Way, coverage, traits};

/// Maximum different findings stored for a level over all seeds. The rest are dropped, last kinds first.
const MAX_CASES: usize = 1000;

/// Least statements for objects of one type, and for other things, in walls or rock that are meant.
const DECOR: usize = 4;
const CREATURES: usize = 10;

/// Least ways in one direction of which all but the last are meant as decoys.
const DECOYS: usize = 3;

/// A room that finds no place on fewer than one seed in this number is one of the game's own mishaps.
const MISHAP: u64 = 10;

/// Kind of level of a quest, which gives the ways that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestLevel {
    /// The first level, which a portal leads to.
    Start,
    /// A level between the first and the last.
    Between,
    /// The last level, with the nemesis.
    Goal,
}

impl QuestLevel {
    /// Returns the kind of the level `name`, if it is called like a level of a quest: the three letters of the role
    /// come first. Variants have roles of their own.
    pub fn of(name: &str) -> Option<Self> {
        let (role, kind) = name.split_once('-')?;
        if role.len() != 3 || !role.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
        match kind.to_ascii_lowercase().as_str() {
            "strt" => Some(QuestLevel::Start),
            "loca" | "fila" | "filb" => Some(QuestLevel::Between),
            "goal" => Some(QuestLevel::Goal),
            _ => None,
        }
    }

    /// Returns true if the level needs a way in that direction.
    fn needs(self, way: Way) -> bool {
        match way {
            Way::Up => self != QuestLevel::Start,
            Way::Down => self != QuestLevel::Goal,
        }
    }
}

/// A finding over many seeds. Everything except the count is from the first seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The defect.
    pub defect: Defect,
    /// Step to blame, if known.
    pub at: Option<usize>,
    /// Number of seeds with the finding.
    pub seeds: u64,
    /// First seed with the finding.
    pub first: u64,
    /// Place of the finding in the level of that seed.
    pub place: Option<Place>,
    /// Description of the subject; may be empty.
    pub what: String,
    /// Terrain at the place, with its article; may be empty.
    pub terrain: String,
    /// Number of further statements to blame in the same way.
    pub others: usize,
}

/// A case without its key.
#[derive(Clone, Debug, PartialEq)]
struct Record {
    seeds: u64,
    first: u64,
    place: Option<Place>,
    what: String,
    terrain: String,
    /// True if the place was another one on another seed.
    moved: bool,
    /// The kind of subject that is in a wall or stone.
    embedded: Embedded,
}

/// Kind of thing in a wall or stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Embedded {
    Object,
    /// An object that a later map has covered on some seed.
    Covered,
    Other,
    /// The finding is elsewhere.
    No,
}

/// Findings over all seeds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Number of levels generated.
    levels: u64,
    cases: BTreeMap<(Defect, Option<usize>), Record>,
    /// For each defect, the number of seeds with it, whichever step is to blame.
    seeds: BTreeMap<Defect, u64>,
    /// For each direction, the levels with and without stairs or ladders, and the first seed without.
    stairs: [Stairways; 2],
    /// Number of times each step ran, and number of seeds with which it ran.
    runs: Vec<u64>,
    ran: Vec<u64>,
    /// Number of seeds with which each step changed terrain.
    effects: Vec<u64>,
    /// Number of seeds with which each step made an object, which it may do by chance.
    objects: Vec<u64>,
    /// Number of levels with a magic portal or the vibrating square.
    portals: u64,
    /// Number of levels with the nemesis of a quest.
    nemeses: u64,
    /// Number of levels with a hole or trap door.
    holes: u64,
    /// Number of levels with a place for the way to another dungeon.
    branches: u64,
    /// For each trait of the catalog, whether a level had it.
    traits: Vec<bool>,
    /// Parts of the game around the level that its statements have queried.
    queried: Surroundings,
    faults: BTreeMap<String, (u64, u64, VmError)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Stairways {
    with: u64,
    /// A step that made the stairs.
    maker: Option<usize>,
    without: u64,
    first_without: u64,
}

impl Verdict {
    /// Number of levels generated; other runs ended in a fault.
    pub fn levels(&self) -> u64 {
        self.levels
    }

    /// Parts of the game around the level that its statements have queried.
    pub fn queried(&self) -> Surroundings {
        self.queried
    }

    /// Runs that ended in an error: the error, its number of occurrences, and the first seed with it.
    pub fn faults(&self) -> impl Iterator<Item = (&VmError, u64, u64)> {
        self.faults.values().map(|(count, seed, error)| (error, *count, *seed))
    }

    /// Findings, in the order of defects and steps.
    ///
    /// If chance occasionally puts a thing into a bad place, all statements that do so form one case. A statement that
    /// does so on (almost) every run is a separate case. For things in unreachable places it is the other way round:
    /// those that are always there form one case, and those that are there by chance are not reported, because the
    /// place itself is.
    ///
    /// `needs` are the ways that the level must have because of its place in the dungeon, and `name` is its name.
    pub fn cases(&self, program: &Prepared, needs: Ways, name: &str) -> Vec<Case> {
        let quest = QuestLevel::of(name);
        let case = |(&(defect, at), record): (&(Defect, Option<usize>), &Record)| {
            let Record { seeds, first, place, what, terrain, .. } = record.clone();
            Case { defect, at, seeds, first, place, what, terrain, others: 0 }
        };
        let mut cases: Vec<Case> = Vec::new();
        let is_closed = traits::is_closed(program, name);
        let decor = self.decor();
        let ways =
            |way: Way| self.cases.keys().filter(move |(defect, _)| *defect == Defect::DuplicateStairs(way)).count();
        let decoys = [Way::Up, Way::Down].map(|way| ways(way) + 1 >= DECOYS);
        let mut rare: BTreeMap<Defect, Case> = BTreeMap::new();
        for case in self.cases.iter().map(case) {
            let ran = case.at.and_then(|at| self.ran.get(at)).copied().unwrap_or(0);
            // Allow for other causes in one of ten runs.
            let always = case.seeds * 10 >= ran * 9;
            // Other levels have open air to fly in.
            if case.defect == Defect::ArrivalInAir && quest != Some(QuestLevel::Start) {
                continue;
            }
            if is_closed && matches!(case.defect, Defect::SquaresApart(_) | Defect::ThingApart(_)) {
                continue;
            }
            // Many things of one type that are always in walls are meant to be there, and so is an object at a random
            // place that a later map always covers.
            let is_covered = || self.is_covered(case.defect, case.at);
            if case.defect == Defect::ThingInRock && (decor.contains(case.what.as_str()) || is_covered()) {
                continue;
            }
            if matches!(case.defect, Defect::DuplicateStairs(way) if decoys[usize::from(way == Way::Down)]) {
                continue;
            }
            if case.defect == Defect::RoomFails && case.seeds * MISHAP < ran {
                continue;
            }
            // Caverns have tight places by chance; those of a map are its author's.
            let squeezes =
                matches!(case.defect, Defect::StairsApart(Means::Squeeze) | Defect::SquaresApart(Means::Squeeze));
            if squeezes && case.seeds * 10 < self.levels * 9 {
                continue;
            }
            // Light by chance is not a region that ends too early, and terrain by chance not a gap. A random trap is
            // sometimes a statue trap.
            let certain = matches!(
                case.defect,
                Defect::ShortRegion
                    | Defect::GapInWall
                    | Defect::DarkMapInLitCavern
                    | Defect::StatueBelowTrap
                    | Defect::TrapWithoutStatue
                    | Defect::StatueTrapAtRisk
                    | Defect::OddAttitude
                    | Defect::OddLeader
            );
            if certain && !always {
                continue;
            }
            // Random traps sometimes meet.
            if case.defect == Defect::TrapReplaced && !(always && case.seeds * 4 >= self.levels) {
                continue;
            }
            // Random traps are never trap doors there.
            if case.defect == Defect::HoleAtBottom && !(needs.bottom && always) {
                continue;
            }
            // A random cavern sometimes has a closed part.
            if case.defect == Defect::ArrivalApart && case.seeds * 20 < self.levels {
                continue;
            }
            let joined = match case.defect {
                Defect::ThingApart(Means::Squeeze) => continue,
                Defect::ThingApart(_) if always => true,
                Defect::ThingApart(_) => continue,
                Defect::ThingInRock | Defect::Drowns => !always,
                Defect::TrapBeforeFurniture | Defect::HoleAtBottom => true,
                Defect::TrapOnFurniture | Defect::TrapInShop | Defect::ArrivalApart => !always,
                _ => false,
            };
            if !joined {
                cases.push(case);
                continue;
            }
            match rare.entry(case.defect) {
                Entry::Vacant(entry) => {
                    entry.insert(case);
                }
                Entry::Occupied(mut entry) => {
                    let others = entry.get().others + 1;
                    if case.first < entry.get().first {
                        entry.insert(case);
                    }
                    entry.get_mut().others = others;
                }
            }
        }
        // The cause covers its results.
        if rare.contains_key(&Defect::TrapBeforeFurniture) {
            rare.remove(&Defect::TrapOnFurniture);
        }
        cases.extend(rare.into_values().map(|case| {
            let seeds = self.seeds.get(&case.defect).copied().unwrap_or(case.seeds);
            Case { seeds, ..case }
        }));
        for (way, stairs) in [Way::Up, Way::Down].into_iter().zip(&self.stairs) {
            if stairs.with > 0 && stairs.without > 0 {
                let defect = Defect::LacksStairs(way);
                let (seeds, first) = (stairs.without, stairs.first_without);
                let (what, terrain) = (String::new(), String::new());
                cases.push(Case { defect, at: stairs.maker, seeds, first, place: None, what, terrain, others: 0 });
            }
        }
        for (way, needed) in [(Way::Up, needs.up), (Way::Down, needs.down)] {
            let [stairs, others] = [way == Way::Down, way == Way::Up].map(|down| &self.stairs[usize::from(down)]);
            // A level without any stairs is reached in another way, as the elemental planes are. A place for the way
            // to another dungeon does not replace them.
            let is_needed = match quest {
                Some(quest) => quest.needs(way),
                None => needed && (others.with > 0 || (self.branches == self.levels && !needs.branch)),
            };
            // A hole is a way down. Random traps are sometimes trap doors.
            let is_needed = is_needed && !(way == Way::Down && self.holes * 10 >= self.levels * 9);
            if is_needed && self.portals == 0 && stairs.with == 0 && stairs.without > 0 {
                let (defect, seeds, first) = (Defect::LacksWay(way), stairs.without, stairs.first_without);
                let (what, terrain) = (String::new(), String::new());
                cases.push(Case { defect, at: None, seeds, first, place: None, what, terrain, others: 0 });
            }
        }
        let down = &self.stairs[usize::from(true)];
        if needs.bottom && down.with > 0 && quest.is_none() {
            let (defect, seeds) = (Defect::LeadsNowhere(Way::Down), down.with);
            let (what, terrain) = (String::new(), String::new());
            cases.push(Case { defect, at: down.maker, seeds, first: 0, place: None, what, terrain, others: 0 });
        }
        if quest == Some(QuestLevel::Goal)
            && self.levels > 0
            && self.nemeses == 0
            && !program.game.catalog.loader.nemeses.is_empty()
        {
            let (what, terrain) = (String::new(), String::new());
            let (defect, seeds) = (Defect::NoNemesis, self.levels);
            cases.push(Case { defect, at: None, seeds, first: 0, place: None, what, terrain, others: 0 });
        }
        for at in traits::lacking(&self.traits, traits::wanted(program, name)) {
            let (what, terrain) = (traits::words(at, program), String::new());
            let (defect, seeds) = (Defect::LacksTrait(at), self.levels);
            cases.push(Case { defect, at: None, seeds, first: 0, place: None, what, terrain, others: 0 });
        }
        let idle = self
            .ran
            .iter()
            .zip(&self.effects)
            .enumerate()
            .filter(|(at, (ran, effects))| **ran > 0 && **effects == 0 && coverage::changes_terrain(program, *at));
        for (at, (&seeds, _)) in idle {
            let (defect, what, terrain) = (Defect::NoEffect, String::new(), String::new());
            cases.push(Case { defect, at: Some(at), seeds, first: 0, place: None, what, terrain, others: 0 });
        }
        // After a fault, the remaining steps did not run.
        if self.levels > 0 && self.faults.is_empty() {
            for at in coverage::never(program, &self.runs) {
                let (defect, seeds) = (Defect::NeverRuns, self.levels);
                let (what, terrain) = (String::new(), String::new());
                cases.push(Case { defect, at: Some(at), seeds, first: 0, place: None, what, terrain, others: 0 });
            }
        }
        cases
    }

    /// Descriptions of things of which a level puts many into walls or rock, on all seeds.
    fn decor(&self) -> BTreeSet<&str> {
        let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
        for ((defect, _), record) in &self.cases {
            if *defect == Defect::ThingInRock && record.seeds == self.levels && record.embedded != Embedded::No {
                let is_object = record.embedded != Embedded::Other;
                *counts.entry((record.what.as_str(), is_object)).or_default() += 1;
            }
        }
        let is_decor =
            |&((_, is_object), count): &((&str, bool), usize)| count >= if is_object { DECOR } else { CREATURES };
        counts.into_iter().filter(is_decor).map(|((what, _), _)| what).collect()
    }

    /// Returns true if a later map covers the object of a statement (almost) whenever it makes one, at random places.
    fn is_covered(&self, defect: Defect, at: Option<usize>) -> bool {
        let record = self.cases.get(&(defect, at));
        let Some(record) = record.filter(|record| record.moved && record.embedded == Embedded::Covered) else {
            return false;
        };
        let count = |counts: &[u64]| at.and_then(|at| counts.get(at).copied()).unwrap_or(0);
        let made = count(&self.objects);
        made > 0 && record.seeds * 10 >= made * 9 && count(&self.runs) == count(&self.ran)
    }

    /// Adds the findings of `other`.
    pub fn merge(&mut self, other: Verdict) {
        self.levels += other.levels;
        for (key, record) in other.cases {
            match self.cases.entry(key) {
                Entry::Vacant(entry) => {
                    entry.insert(record);
                }
                Entry::Occupied(mut entry) => {
                    let mine = entry.get_mut();
                    let seeds = mine.seeds + record.seeds;
                    let moved = mine.moved || record.moved || mine.place != record.place;
                    let is_covered = [mine.embedded, record.embedded].contains(&Embedded::Covered);
                    if record.first < mine.first {
                        *mine = record;
                    }
                    (mine.seeds, mine.moved) = (seeds, moved);
                    if is_covered {
                        mine.embedded = Embedded::Covered;
                    }
                }
            }
        }
        self.bound();
        for (mine, other) in self.stairs.iter_mut().zip(other.stairs) {
            if other.without > 0 && (mine.without == 0 || other.first_without < mine.first_without) {
                mine.first_without = other.first_without;
            }
            mine.with += other.with;
            mine.without += other.without;
            // Of several makers, take the first in the program, independently of the threads.
            mine.maker = [mine.maker, other.maker].into_iter().flatten().min();
        }
        for (mine, theirs) in [
            (&mut self.runs, other.runs),
            (&mut self.ran, other.ran),
            (&mut self.effects, other.effects),
            (&mut self.objects, other.objects),
        ] {
            if mine.len() < theirs.len() {
                mine.resize(theirs.len(), 0);
            }
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        }
        if self.traits.len() < other.traits.len() {
            self.traits.resize(other.traits.len(), false);
        }
        self.traits.iter_mut().zip(other.traits).for_each(|(mine, theirs)| *mine |= theirs);
        self.portals += other.portals;
        self.holes += other.holes;
        self.branches += other.branches;
        self.nemeses += other.nemeses;
        self.queried = self.queried.and(other.queried);
        for (defect, seeds) in other.seeds {
            *self.seeds.entry(defect).or_default() += seeds;
        }
        for (key, (count, seed, error)) in other.faults {
            let mine = self.faults.entry(key).or_insert_with(|| (0, seed, error.clone()));
            mine.0 += count;
            if seed < mine.1 {
                (mine.1, mine.2) = (seed, error);
            }
        }
    }

    /// Number of runs, with those that ended in a fault.
    pub fn runs(&self) -> u64 {
        self.levels + self.faults.values().map(|(count, ..)| count).sum::<u64>()
    }

    /// Keeps the first cases in order. A dropped case was never among the first and never will be, so the cases kept
    /// are counted in full.
    fn bound(&mut self) {
        while self.cases.len() > MAX_CASES {
            self.cases.pop_last();
        }
    }

    fn count(&mut self, seed: u64, found: &[Finding], level: &Level, chronicle: &Chronicle, program: &Prepared) {
        let (catalog, traps) = (program.catalog(), &program.game.traps);
        self.levels += 1;
        let is_map = |at: &usize| program.step(*at).is_some_and(|step| step.is_map());
        let last_map = LazyCell::new(|| (0..program.len()).rev().find(is_map));
        for (at, finding) in found.iter().enumerate() {
            let key = (finding.defect, finding.at);
            if !found[..at].iter().any(|other| other.defect == finding.defect) {
                *self.seeds.entry(finding.defect).or_default() += 1;
            }
            // The same finding twice in one level counts once.
            if found[..at].iter().any(|other| (other.defect, other.at) == key) {
                continue;
            }
            let record = self.cases.entry(key).or_insert_with(|| {
                let what = words(finding.subject, level, catalog);
                let terrain = finding.place.map(|(x, y)| level.terrain(x, y));
                let embedded = match finding.subject {
                    _ if !terrain.is_some_and(Terrain::is_wall_or_stone) => Embedded::No,
                    Subject::Object(_) => Embedded::Object,
                    _ => Embedded::Other,
                };
                let terrain = terrain.map(|terrain| with_article(terrain, catalog)).unwrap_or_default();
                Record { seeds: 0, first: seed, place: finding.place, what, terrain, moved: false, embedded }
            });
            record.seeds += 1;
            record.moved |= record.place != finding.place;
            if record.embedded == Embedded::Object && is_below_map(finding, level, chronicle, program, *last_map) {
                record.embedded = Embedded::Covered;
            }
        }
        self.bound();
        self.objects.resize(program.len(), 0);
        let mut last = None;
        for at in (0..level.objects().len()).filter_map(|number| chronicle.object(number)).map(|maker| maker.at) {
            if let Some(objects) = self.objects.get_mut(at).filter(|_| last != Some(at)) {
                *objects += 1;
            }
            last = Some(at);
        }
        // The invocation makes the stairs.
        let leads = |trap: &Trap| trap.kind == traps.magic_portal || trap.kind == traps.vibrating_square;
        self.portals += u64::from(level.traps().iter().any(leads));
        self.holes += u64::from(level.traps().iter().any(|trap| traps.is_hole(trap.kind)));
        self.branches += u64::from(level.branches().iter().any(|branch| branch.within[0] != 0));
        self.nemeses += u64::from(level.monsters().iter().any(|monster| is_nemesis(monster, &program.game)));
        let stairs = level.stairs();
        let ways = [[stairs.up, stairs.ladder_up], [stairs.down, stairs.ladder_down]];
        for (mine, places) in self.stairs.iter_mut().zip(ways) {
            match places.into_iter().find(|place| place.0 != 0) {
                Some(place) => {
                    mine.with += 1;
                    let maker = chronicle.square(place, level).map(|maker| maker.at);
                    mine.maker = [mine.maker, maker].into_iter().flatten().min();
                }
                None => {
                    if mine.without == 0 {
                        mine.first_without = seed;
                    }
                    mine.without += 1;
                }
            }
        }
    }
}

/// Returns true if a map that is later than the subject of a finding has made its square. The end of a level joins
/// the walls of maps, of which `last` is the last.
fn is_below_map(
    finding: &Finding,
    level: &Level,
    chronicle: &Chronicle,
    program: &Prepared,
    last: Option<usize>,
) -> bool {
    let square = finding.place.and_then(|place| chronicle.square(place, level));
    square.is_some_and(|square| match program.step(square.at) {
        Some(step) => step.is_map() && Some(square.at) > finding.at,
        None => last > finding.at,
    })
}

/// Describes the subject of a finding.
fn words(subject: Subject, level: &Level, catalog: &Catalog) -> String {
    let found = match subject {
        Subject::Level => None,
        Subject::Monster(at) => level.monsters().get(at).map(|monster| monster_name(monster, level, catalog)),
        Subject::Object(at) => level.objects().get(at).map(|object| object_name(object, level, catalog)),
        Subject::Trap(at) => level.traps().get(at).map(|trap| trap_with_noun(trap_name(trap.kind, catalog))),
        Subject::Gold => Some("gold".to_owned()),
        Subject::Engraving => Some("engraving".to_owned()),
        Subject::Squares(1) => Some("1 square".to_owned()),
        Subject::Squares(count) => Some(format!("{count} squares")),
        Subject::Room(kind) => Some(room_kind(kind, catalog)),
    };
    match (subject, found) {
        (_, None) => String::new(),
        (Subject::Level | Subject::Squares(_) | Subject::Room(_), Some(name)) => name,
        (_, Some(name)) if name.starts_with("random ") => format!("a {name}"),
        (_, Some(name)) => format!("the {name}"),
    }
}

/// The name of a trap with the noun that the games leave out, e.g. "dart trap".
fn trap_with_noun(name: String) -> String {
    /// Last words of the names that need no noun.
    const NOUNS: [&str; 10] = ["board", "door", "field", "hole", "mine", "pit", "portal", "square", "trap", "web"];
    if NOUNS.iter().any(|noun| name.ends_with(noun)) { name } else { format!("{name} trap") }
}

/// Returns the terrain's name with its article, as used after "in".
fn with_article(terrain: Terrain, catalog: &Catalog) -> String {
    let name = if terrain.is_own() { terrain_name(terrain, catalog) } else { terrain.name().to_owned() };
    match terrain {
        Terrain::STONE | Terrain::IRON_BARS | Terrain::WATER | Terrain::LAVA | Terrain::STAIRS => name,
        _ if name.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

/// Runs the level `name` with all `seeds` on `threads` threads (at least one) and judges the results. `progress` is
/// updated during the work. If it is stopped, only some of the seeds count. Otherwise the result does not depend on the
/// number of threads.
pub fn examine(
    program: &Prepared,
    name: &str,
    settings: &Settings,
    seeds: RangeInclusive<u64>,
    threads: usize,
    progress: &Progress,
) -> Verdict {
    let (first, last) = (*seeds.start(), *seeds.end());
    if first > last {
        return Verdict::default();
    }
    let next = AtomicU64::new(0);
    let wanted = traits::wanted(program, name);
    let work = || {
        let (mut machine, mut judge, mut verdict) = (Machine::new(), Judge::new(), Verdict::default());
        let mut observer = (Remarks::new(), Chronicle::new());
        loop {
            // Each thread takes its seeds in order, so the first seed it finds is its lowest.
            let start = next.fetch_add(1, Ordering::Relaxed);
            if start > last - first || progress.is_stopped() {
                verdict.queried = machine.queried_by_level();
                return verdict;
            }
            let seed = first + start;
            observer.0.clear();
            observer.1.clear();
            match machine.run(program, settings, &mut SplitMix::new(seed), &mut observer) {
                Ok(level) => {
                    let (remarks, chronicle) = &mut observer;
                    chronicle.finish(level);
                    let found = judge.level(level, program, chronicle, remarks);
                    verdict.count(seed, found, level, chronicle, program);
                    traits::find(&mut verdict.traits, &wanted, level, chronicle, program);
                }
                Err(error) => {
                    let key = format!("{:06} {error}", error.at);
                    let entry = verdict.faults.entry(key).or_insert_with(|| (0, seed, error));
                    entry.0 += 1;
                }
            }
            verdict.runs.resize(program.len(), 0);
            verdict.ran.resize(program.len(), 0);
            for (at, (runs, ran)) in verdict.runs.iter_mut().zip(&mut verdict.ran).enumerate() {
                *runs += u64::from(observer.1.runs(at));
                *ran += u64::from(observer.1.runs(at) > 0);
            }
            verdict.effects.resize(program.len(), 0);
            for (at, effects) in verdict.effects.iter_mut().enumerate() {
                *effects += u64::from(observer.1.had_effect(at));
            }
            progress.count();
        }
    };
    on_each(threads, work, Verdict::merge)
}
