//! The steps of a level that cause a fact.

use std::fmt;

use splc_ir::catalog::Catalog;
use splc_vm::{
    Flow, Level, LevelFlags, Machine, Observer, Place, Prepared, Scripted, Settings, SplitMix, Terrain, View, VmError,
};

use crate::facts::{Aspect, Fact, Origin, Snapshot};
use crate::limits::MAX_STEPS_BEHIND;
use crate::names::Names;

/// Draws used for an [`Example`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MadeWith {
    /// The draws of a seed.
    Seed(u64),
    /// Explicit draws.
    Draws(Box<[u32]>),
}

/// A level that demonstrates a difference.
#[derive(Clone)]
pub struct Example {
    /// Its draws.
    pub with: MadeWith,
    /// The level; incomplete if the run failed.
    pub level: Box<Level>,
    /// Error, if the run failed.
    pub error: Option<VmError>,
    /// Numbers of the steps that made the differing things, or the things present instead; empty if unknown.
    pub steps: Vec<usize>,
}

impl fmt::Debug for Example {
    /// Omits the level, which has thousands of squares.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Example { with, error, steps, .. } = self;
        formatter
            .debug_struct("Example")
            .field("with", with)
            .field("error", error)
            .field("steps", steps)
            .finish_non_exhaustive()
    }
}

/// Records which step makes which thing.
struct Tracker<'a> {
    at: usize,
    place: Option<Place>,
    square: (Terrain, bool, i32),
    /// Steps that last changed the terrain, the light, and the other details of the square.
    changed: [Option<usize>; 3],
    monsters: Vec<usize>,
    objects: Vec<usize>,
    gold: Vec<usize>,
    traps: Vec<(Place, usize)>,
    engravings: Vec<(Place, usize)>,
    /// State for facts about rooms and the level as a whole.
    whole: Whole<'a>,
}

/// Records the step since which a fact without a place holds.
struct Whole<'a> {
    fact: Option<&'a Fact>,
    catalog: &'a Catalog,
    names: &'a Names,
    /// Signs of a change since the last check.
    signs: (LevelFlags, [usize; 7]),
    since: Option<usize>,
}

impl Whole<'_> {
    fn look(&mut self, level: &Level, at: usize) {
        let Some(fact) = self.fact else { return };
        let counts = [
            level.messages.len(),
            level.room_count,
            level.subroom_count,
            level.ore.len(),
            level.zones.len(),
            level.sounds.entries.len(),
            level.generation.entries.len(),
        ];
        let signs = (level.level_flags, counts);
        if signs == self.signs {
            return;
        }
        self.signs = signs;
        if !Snapshot::of(Ok(level), self.catalog, self.names).has(fact) {
            self.since = None;
        } else if self.since.is_none() {
            self.since = Some(at);
        }
    }
}

impl Tracker<'_> {
    /// Attributes all changes since the last call to the step that ran.
    fn look(&mut self, level: &Level) {
        self.whole.look(level, self.at);
        if let Some((x, y)) = self.place {
            let square = (level.terrain(x, y), level.is_lit(x, y), level.flags(x, y));
            let [terrain, light, flags] = &mut self.changed;
            if square.0 != self.square.0 {
                *terrain = Some(self.at);
            }
            if square.1 != self.square.1 {
                *light = Some(self.at);
            }
            if square.2 != self.square.2 || square.0 != self.square.0 {
                *flags = Some(self.at);
            }
            self.square = square;
        }
        self.monsters.resize(level.monsters().len(), self.at);
        self.objects.resize(level.objects().len(), self.at);
        self.gold.resize(level.gold().len(), self.at);
        follow(&mut self.traps, level.traps().len(), |at| (level.traps()[at].x, level.traps()[at].y), self.at);
        let engravings = level.engravings();
        follow(&mut self.engravings, engravings.len(), |at| (engravings[at].x, engravings[at].y), self.at);
    }
}

/// Follows a list whose elements may also be removed.
fn follow(known: &mut Vec<(Place, usize)>, length: usize, place: impl Fn(usize) -> Place, step: usize) {
    let mut at = 0;
    known.retain(|&(old, _)| {
        let stays = at < length && place(at) == old;
        at += usize::from(stays);
        stays
    });
    known.extend((known.len()..length).map(|at| (place(at), step)));
}

impl Observer for Tracker<'_> {
    fn step(&mut self, view: &View<'_>) -> Flow {
        self.look(view.level());
        self.at = view.at();
        Flow::Continue
    }

    fn finishing(&mut self, view: &View<'_>) {
        self.look(view.level());
        self.at = view.at();
    }
}

/// Runs the level again and finds the steps that cause `fact`.
pub(crate) fn example(
    program: &Prepared,
    settings: &Settings,
    names: &Names,
    fact: &Fact,
    with: MadeWith,
    machine: &mut Machine,
) -> Example {
    let mut tracker = Tracker {
        at: 0,
        place: fact.place,
        square: (Terrain::STONE, false, 0),
        changed: [None; 3],
        monsters: Vec::new(),
        objects: Vec::new(),
        gold: Vec::new(),
        traps: Vec::new(),
        engravings: Vec::new(),
        whole: Whole {
            fact: Some(fact).filter(|fact| matches!(fact.aspect, Aspect::Room | Aspect::Level)),
            catalog: program.catalog(),
            names,
            signs: (LevelFlags::default(), [0; 7]),
            since: None,
        },
    };
    let error = match &with {
        MadeWith::Seed(seed) => machine.run(program, settings, &mut SplitMix::new(*seed), &mut tracker).err(),
        MadeWith::Draws(draws) => machine.run(program, settings, &mut Scripted::new(draws), &mut tracker).err(),
    };
    let level = machine.level();
    tracker.look(level);
    let made = error.as_ref().map_or(Ok(level), Err);
    let (snapshot, origins) = Snapshot::with_origins(made, program.catalog(), names);
    let same_thing = |known: &Fact| match fact.place {
        Some(_) => known == fact,
        // A fact about the number of things is caused by all of them.
        None => known.aspect == fact.aspect && known.place.is_some() && known.what.starts_with(&fact.what),
    };
    let mut steps: Vec<usize> = match fact.aspect {
        Aspect::Fault => error.iter().map(|error| error.at).collect(),
        Aspect::Terrain | Aspect::Stairs => tracker.changed[0].into_iter().collect(),
        Aspect::Light => tracker.changed[1].into_iter().collect(),
        Aspect::Feature => tracker.changed[2].into_iter().collect(),
        Aspect::Room | Aspect::Level => tracker.whole.since.into_iter().collect(),
        Aspect::Whole => Vec::new(),
        Aspect::Monster | Aspect::Object | Aspect::Gold | Aspect::Trap | Aspect::Writing => {
            let there = snapshot.facts.iter().zip(&origins).filter(|(known, _)| same_thing(known));
            let step = |origin: &Origin| match *origin {
                Origin::Square => tracker.changed[0],
                Origin::Monster(at) => tracker.monsters.get(at).copied(),
                Origin::Object(at) => tracker.objects.get(at).copied(),
                Origin::Gold(at) => tracker.gold.get(at).copied(),
                Origin::Trap(at) => tracker.traps.get(at).map(|&(_, step)| step),
                Origin::Engraving(at) => tracker.engravings.get(at).map(|&(_, step)| step),
                Origin::Other => None,
            };
            let exactly: Vec<usize> = there.filter_map(|(_, origin)| step(origin)).collect();
            if exactly.is_empty() && fact.place.is_some() {
                // Things present instead.
                let alike = |known: &Fact| known.aspect == fact.aspect && known.place == fact.place;
                let there = snapshot.facts.iter().zip(&origins).filter(|(known, _)| alike(known));
                there.filter_map(|(_, origin)| step(origin)).collect()
            } else {
                exactly
            }
        }
    };
    steps.sort_unstable();
    steps.dedup();
    steps.truncate(MAX_STEPS_BEHIND);
    Example { with, level: Box::new(level.clone()), error, steps }
}
