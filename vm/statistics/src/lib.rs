//! Counts of a level's contents over many runs.
//!
//! [`Statistics`] can be merged in any order, so that the result does not depend on how the runs were distributed over
//! threads. Squares are counted where they were before the game flipped the level, so that the levels of all seeds lie
//! on each other.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

use splc_ir::catalog::Catalog;
use splc_ir::order::Order;
use splc_picture::{object_kind_name, species_name, trap_name};
use splc_vm::internals::{index, is_ok, on_each};
use splc_vm::{
    COLUMNS, Complaint, Flow, Level, Machine, Observer, Place, Prepared, Progress, ROWS, SQUARES, Settings, SplitMix,
    StepKind, Terrain, View, VmError, Whereabouts,
};

/// Types of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Monsters.
    Monster,
    /// Objects, wherever they are; the map counts only those on the floor.
    Object,
    /// Heaps of gold.
    Gold,
    /// Traps.
    Trap,
    /// Stairs and ladders.
    Stairs,
}

impl Kind {
    /// All types.
    pub const ALL: [Kind; 5] = [Kind::Monster, Kind::Object, Kind::Gold, Kind::Trap, Kind::Stairs];

    /// Plural name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Monster => "monsters",
            Kind::Object => "objects",
            Kind::Gold => "gold",
            Kind::Trap => "traps",
            Kind::Stairs => "stairs",
        }
    }
}

/// Occurrences of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Total over all levels.
    pub total: u64,
    /// Number of levels with at least one.
    pub levels: u64,
    /// Minimum in a level that has any.
    pub fewest: u64,
    /// Maximum in a level.
    pub most: u64,
}

impl Tally {
    const NONE: Tally = Tally { total: 0, levels: 0, fewest: u64::MAX, most: 0 };

    fn one_level(count: u64) -> Self {
        Tally { total: count, levels: 1, fewest: count, most: count }
    }

    fn add(&mut self, other: Tally) {
        self.total += other.total;
        self.levels += other.levels;
        self.fewest = self.fewest.min(other.fewest);
        self.most = self.most.max(other.most);
    }
}

/// Numeric identity of a thing: type, class and number.
type Key = (Kind, i32, Option<u16>);

/// The number of times that each square has something, column by column.
pub type Squares = [u32; SQUARES];

/// A thing with its tally and the squares that have it.
#[derive(Clone, Debug, PartialEq)]
struct Spread {
    tally: Tally,
    squares: Box<Squares>,
}

/// Counts over runs of one program.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    levels: u64,
    /// Counts per square, one block of all squares for each terrain.
    terrain: Vec<u32>,
    /// Number of levels with at least one square of each terrain.
    levels_with: Vec<u32>,
    lit: Vec<u32>,
    things: BTreeMap<Key, Spread>,
    rooms: BTreeMap<usize, u64>,
    tried: BTreeMap<usize, u64>,
    failed: BTreeMap<usize, u64>,
    /// Number of levels in which each step ran.
    ran: Vec<u32>,
    complaints: BTreeMap<(&'static str, usize), (u64, u64)>,
    draws: (u64, u64, u64),
    faults: BTreeMap<String, (u64, u64, VmError)>,
}

impl Default for Statistics {
    fn default() -> Self {
        Statistics {
            levels: 0,
            terrain: vec![0; SQUARES * Terrain::ALL.len()],
            levels_with: vec![0; Terrain::ALL.len()],
            lit: vec![0; SQUARES],
            things: BTreeMap::new(),
            rooms: BTreeMap::new(),
            tried: BTreeMap::new(),
            failed: BTreeMap::new(),
            ran: Vec::new(),
            complaints: BTreeMap::new(),
            draws: (0, u64::MAX, 0),
            faults: BTreeMap::new(),
        }
    }
}

impl Statistics {
    /// Creates empty statistics.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of levels generated.
    pub fn levels(&self) -> u64 {
        self.levels
    }

    /// Number of levels in which the square has that terrain.
    pub fn terrain(&self, x: i32, y: i32, terrain: Terrain) -> u32 {
        let at = usize::from(terrain.number()) * SQUARES + index(x, y);
        if is_ok(x, y) { self.terrain[at] } else { 0 }
    }

    /// Number of levels with at least one square of that terrain.
    pub fn levels_with(&self, terrain: Terrain) -> u32 {
        self.levels_with[usize::from(terrain.number())]
    }

    /// Most common terrain of the square, with its count. Of equally common ones, the first.
    pub fn most_common(&self, x: i32, y: i32) -> (Terrain, u32) {
        let counts = Terrain::ALL.iter().map(|&terrain| (terrain, self.terrain(x, y, terrain)));
        counts.reduce(|best, next| if next.1 > best.1 { next } else { best }).unwrap_or_default()
    }

    /// Number of levels in which the square is lit.
    pub fn lit(&self, x: i32, y: i32) -> u32 {
        if is_ok(x, y) { self.lit[index(x, y)] } else { 0 }
    }

    /// Number of things of a type on each square, over all levels.
    pub fn squares_of(&self, kind: Kind) -> Box<Squares> {
        let mut all = Box::new([0; SQUARES]);
        for spread in self.things.iter().filter(|(key, _)| key.0 == kind).map(|(_, spread)| spread) {
            add(&mut *all, &*spread.squares);
        }
        all
    }

    /// Tallies of each thing with the squares that have it, by type and then by total.
    pub fn things<'a>(&'a self, catalog: &Catalog) -> Vec<(Kind, String, Tally, &'a Squares)> {
        let thing =
            |(&key, spread): (&Key, &'a Spread)| (key.0, thing_name(key, catalog), spread.tally, &*spread.squares);
        let mut list: Vec<_> = self.things.iter().map(thing).collect();
        list.order_by(|one, other| {
            one.0.cmp(&other.0).then(other.2.total.cmp(&one.2.total)).then_with(|| one.1.cmp(&other.1))
        });
        list
    }

    /// Number of levels in which the step with that number ran.
    pub fn ran(&self, at: usize) -> u32 {
        self.ran.get(at).copied().unwrap_or(0)
    }

    /// Number of levels for each total of rooms and subrooms.
    pub fn rooms(&self) -> &BTreeMap<usize, u64> {
        &self.rooms
    }

    /// ROOM and SUBROOM statements: step number, number of attempts, and number of attempts that found no place.
    pub fn room_statements(&self) -> impl Iterator<Item = (usize, u64, u64)> + '_ {
        self.tried.iter().map(|(&at, &tried)| (at, tried, self.failed.get(&at).copied().unwrap_or(0)))
    }

    /// Complaints of the loader, except for rooms that found no place: message, step number, occurrences, and number of
    /// levels.
    pub fn complaints(&self) -> impl Iterator<Item = (&'static str, usize, u64, u64)> + '_ {
        self.complaints.iter().map(|(&(text, at), &(count, levels))| (text, at, count, levels))
    }

    /// Minimum, maximum and average number of draws of a level. `None` if there is no level.
    pub fn draws(&self) -> Option<(u64, u64, f64)> {
        let (total, fewest, most) = self.draws;
        (self.levels > 0).then(|| (fewest, most, total as f64 / self.levels as f64))
    }

    /// Runs that ended in an error: the error, its number of occurrences, and the first seed with it.
    pub fn faults(&self) -> impl Iterator<Item = (&VmError, u64, u64)> {
        self.faults.values().map(|(count, seed, error)| (error, *count, *seed))
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Statistics) {
        self.levels += other.levels;
        self.ran.resize(self.ran.len().max(other.ran.len()), 0);
        let lists = [
            (&mut self.terrain, &other.terrain),
            (&mut self.levels_with, &other.levels_with),
            (&mut self.lit, &other.lit),
            (&mut self.ran, &other.ran),
        ];
        for (mine, theirs) in lists {
            add(mine, theirs);
        }
        for (&key, spread) in &other.things {
            match self.things.entry(key) {
                Entry::Occupied(mut mine) => {
                    mine.get_mut().tally.add(spread.tally);
                    add(&mut *mine.get_mut().squares, &*spread.squares);
                }
                Entry::Vacant(entry) => {
                    entry.insert(spread.clone());
                }
            }
        }
        let counts =
            [(&mut self.rooms, &other.rooms), (&mut self.tried, &other.tried), (&mut self.failed, &other.failed)];
        for (mine, theirs) in counts {
            for (&key, &count) in theirs {
                *mine.entry(key).or_default() += count;
            }
        }
        for (&key, &(count, levels)) in &other.complaints {
            let mine = self.complaints.entry(key).or_default();
            *mine = (mine.0 + count, mine.1 + levels);
        }
        self.draws.0 += other.draws.0;
        self.draws.1 = self.draws.1.min(other.draws.1);
        self.draws.2 = self.draws.2.max(other.draws.2);
        for (key, (count, seed, error)) in &other.faults {
            let mine = self.faults.entry(key.clone()).or_insert_with(|| (0, *seed, error.clone()));
            mine.0 += count;
            if *seed < mine.1 {
                (mine.1, mine.2) = (*seed, error.clone());
            }
        }
    }

    /// Counts a level.
    fn count(&mut self, level: &Level, watch: &Watch) {
        self.levels += 1;
        let mirror = level.mirror();
        let unflipped = |place: Place| mirror.map_or(place, |mirror| mirror.place(place));
        let mut has = vec![0; self.levels_with.len()];
        for x in 1..COLUMNS {
            for y in 0..ROWS {
                // A flip beyond the map has no square to count.
                let (was_x, was_y) = unflipped((x, y));
                if !is_ok(was_x, was_y) {
                    continue;
                }
                let at = index(was_x, was_y);
                let terrain = level.terrain(x, y);
                let terrain = mirror.map_or(terrain, |mirror| mirror.terrain(terrain));
                self.terrain[usize::from(terrain.number()) * SQUARES + at] += 1;
                has[usize::from(terrain.number())] = 1;
                self.lit[at] += u32::from(level.is_lit(x, y));
            }
        }
        add(&mut self.levels_with, &has);
        let mut counts: BTreeMap<Key, u64> = BTreeMap::new();
        let things = &mut self.things;
        let mut put = |key: Key, place: Option<Place>| {
            *counts.entry(key).or_default() += 1;
            let none = || Spread { tally: Tally::NONE, squares: Box::new([0; SQUARES]) };
            let spread = things.entry(key).or_insert_with(none);
            if let Some((x, y)) = place.map(unflipped).filter(|&(x, y)| is_ok(x, y)) {
                spread.squares[index(x, y)] += 1;
            }
        };
        for monster in level.monsters() {
            let place = Some((monster.x, monster.y));
            put((Kind::Monster, i32::from(monster.of_class), monster.species), place);
        }
        for object in level.objects().iter().filter(|object| object.whereabouts != Whereabouts::Gone) {
            let place = (object.whereabouts == Whereabouts::Floor).then_some((object.x, object.y));
            // The type of an object implies its class.
            let class = if object.number.is_some() { 0 } else { object.class as i32 };
            put((Kind::Object, class, object.number), place);
        }
        for gold in level.gold() {
            put((Kind::Gold, 0, None), Some((gold.x, gold.y)));
        }
        for trap in level.traps() {
            put((Kind::Trap, trap.kind, None), Some((trap.x, trap.y)));
        }
        let stairs = level.stairs();
        let stairs = [stairs.up, stairs.down, stairs.ladder_up, stairs.ladder_down, stairs.branch];
        for (which, &place) in (0..).zip(&stairs).filter(|(_, place)| place.0 != 0) {
            put((Kind::Stairs, which, None), Some(place));
        }
        for (key, count) in counts {
            if let Some(spread) = self.things.get_mut(&key) {
                spread.tally.add(Tally::one_level(count));
            }
        }
        self.ran.resize(self.ran.len().max(watch.ran.len()), 0);
        for (mine, &ran) in self.ran.iter_mut().zip(&watch.ran) {
            *mine += u32::from(ran);
        }
        *self.rooms.entry(level.rooms().len() + level.subrooms().len()).or_default() += 1;
        for (&at, &count) in &watch.tried {
            *self.tried.entry(at).or_default() += count;
        }
        for (&(complaint, at), &count) in &watch.complaints {
            if complaint == Complaint::RoomFailed.message().1 {
                *self.failed.entry(at).or_default() += count;
            } else {
                let mine = self.complaints.entry((complaint, at)).or_default();
                *mine = (mine.0 + count, mine.1 + 1);
            }
        }
        self.draws.0 += watch.draws;
        self.draws.1 = self.draws.1.min(watch.draws);
        self.draws.2 = self.draws.2.max(watch.draws);
    }
}

/// Adds counts to others.
fn add(mine: &mut [u32], theirs: &[u32]) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine = mine.saturating_add(*theirs);
    }
}

/// Name of a counted thing.
fn thing_name((kind, class, number): Key, catalog: &Catalog) -> String {
    const STAIRS: [&str; 5] = ["stairs up", "stairs down", "ladder up", "ladder down", "stairs to another dungeon"];
    match kind {
        Kind::Monster => species_name(number, class != 0, catalog),
        Kind::Object => object_kind_name(usize::try_from(class).unwrap_or(0), number, catalog),
        Kind::Gold => "gold".to_owned(),
        Kind::Trap => trap_name(class, catalog),
        Kind::Stairs => {
            usize::try_from(class).ok().and_then(|at| STAIRS.get(at)).copied().unwrap_or("stairs").to_owned()
        }
    }
}

/// Data collected during a run.
#[derive(Default)]
struct Watch {
    at: usize,
    draws: u64,
    tried: BTreeMap<usize, u64>,
    ran: Vec<bool>,
    complaints: BTreeMap<(&'static str, usize), u64>,
}

impl Observer for Watch {
    fn draw(&mut self, _: i32, _: i32) {
        self.draws += 1;
    }

    fn pass_over(&mut self, count: u64) -> bool {
        self.draws += count;
        true
    }

    fn complaint(&mut self, complaint: Complaint) {
        *self.complaints.entry((complaint.message().1, self.at)).or_default() += 1;
    }

    fn step(&mut self, view: &View<'_>) -> Flow {
        self.at = view.at();
        if self.ran.len() <= self.at {
            self.ran.resize(self.at + 1, false);
        }
        self.ran[self.at] = true;
        if view.step().is_some_and(StepKind::is_room) {
            *self.tried.entry(self.at).or_default() += 1;
        }
        Flow::Continue
    }

    fn finishing(&mut self, view: &View<'_>) {
        self.at = view.at();
    }
}

/// Runs the level with all `seeds` on `threads` threads (at least one) and counts its contents. `progress` is updated
/// during the work. If it is stopped, only some of the seeds are counted.
pub fn gather(
    program: &Prepared,
    settings: &Settings,
    seeds: RangeInclusive<u64>,
    threads: usize,
    progress: &Progress,
) -> Statistics {
    /// Number of seeds that a thread takes at a time.
    const PORTION: u64 = 16;
    let (first, last) = (*seeds.start(), *seeds.end());
    if first > last {
        return Statistics::new();
    }
    // More threads than portions would be idle.
    let portions = usize::try_from((last - first) / PORTION + 1).unwrap_or(usize::MAX);
    let threads = threads.min(portions);
    let next = AtomicU64::new(0);
    let work = || {
        let mut machine = Machine::new();
        let mut statistics = Statistics::new();
        loop {
            let start = next.fetch_add(PORTION, Ordering::Relaxed);
            // `start` cannot overflow: every thread stops at the first portion past the end.
            if start > last - first || progress.is_stopped() {
                return statistics;
            }
            for seed in first + start..=last.min((first + start).saturating_add(PORTION - 1)) {
                if progress.is_stopped() {
                    break;
                }
                let mut watch = Watch::default();
                match machine.run(program, settings, &mut SplitMix::new(seed), &mut watch) {
                    Ok(level) => statistics.count(level, &watch),
                    Err(error) => {
                        let key = format!("{:06} {error}", error.at);
                        let entry = statistics.faults.entry(key).or_insert_with(|| (0, seed, error));
                        entry.0 += 1;
                    }
                }
                progress.count();
            }
        }
    };
    on_each(threads, work, |all, other| all.merge(&other))
}
