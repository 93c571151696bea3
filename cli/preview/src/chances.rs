//! Chances over many seeds, on squares as they were before the game flipped the level.

use std::collections::BTreeMap;

use serde::Serialize;
use splc_driver::{Loaded, Runnable};
use splc_ir::source::Span;
use splc_statistics::{Squares, gather};
use splc_vm::internals::{index, is_ok, on_each};
use splc_vm::{COLUMNS, Chronicle, Machine, Progress, ROWS, Settings, SplitMix, Terrain};

use crate::palette::squares;
use crate::statements::{Statement, Statements};

/// Numbers of squares and their counts, alternating. Squares are numbered row by row from column 1.
pub type Sparse = Vec<u32>;

/// Counts over many seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Chances {
    /// Number of levels.
    pub levels: u64,
    /// Number of seeds with which the game cannot load the level.
    pub failed: u64,
    /// Each type of terrain with the squares that have it.
    pub terrain: Vec<TerrainChance>,
    /// The squares that are lit.
    pub lit: Sparse,
    /// Each thing with the squares that have it.
    pub things: Vec<ThingChance>,
    /// Number of levels for each number of rooms.
    pub rooms: Vec<[u64; 2]>,
    /// Minimum, maximum and average number of draws.
    pub draws: Option<(u64, u64, f64)>,
    /// Number of levels in which each statement ran.
    pub ran: Vec<u32>,
    /// The statements.
    pub statements: Vec<Statement>,
}

/// Counts of a type of terrain.
#[derive(Clone, Debug, Serialize)]
pub struct TerrainChance {
    /// Its name in the catalogs.
    pub terrain: &'static str,
    /// Its plain name.
    pub name: String,
    /// The squares that have it.
    pub squares: Sparse,
}

/// Counts of a thing.
#[derive(Clone, Debug, Serialize)]
pub struct ThingChance {
    /// Type of the thing, e.g. "monsters".
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Total over all levels.
    pub total: u64,
    /// Number of levels with at least one.
    pub levels: u64,
    /// Minimum in a level.
    pub fewest: u64,
    /// Maximum in a level.
    pub most: u64,
    /// The squares that have it.
    pub squares: Sparse,
}

/// The squares that a statement changes or fills over many seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Spread {
    /// Number of levels.
    pub levels: u64,
    /// The number of levels in which the statement made each square or something on it.
    pub squares: Sparse,
}

/// Converts counts column by column to sparse ones row by row.
fn sparse(count: impl Fn(i32, i32) -> u32) -> Sparse {
    let mut sparse = Vec::new();
    for (number, (x, y)) in (0..).zip(squares()) {
        let count = count(x, y);
        if count > 0 {
            sparse.extend([number, count]);
        }
    }
    sparse
}

/// Counts the contents of a level of `loaded` with `seeds` seeds, from 1, on `threads` threads.
pub fn chances(loaded: &Loaded, runnable: &Runnable, settings: &Settings, seeds: u64, threads: usize) -> Chances {
    let (program, catalog) = (&runnable.program, loaded.target.catalog());
    let statistics = gather(program, settings, 1..=seeds, threads, &Progress::default());
    let of = |squares: &Squares| sparse(|x, y| squares[index(x, y)]);
    let terrain = Terrain::ALL.iter().map(|&terrain| TerrainChance {
        terrain: terrain.word(),
        name: splc_picture::terrain_name(terrain, catalog),
        squares: sparse(|x, y| statistics.terrain(x, y, terrain)),
    });
    let levels = statistics.levels();
    let things = statistics.things(catalog).into_iter().map(|(kind, name, tally, squares)| ThingChance {
        kind: kind.name(),
        name,
        total: tally.total,
        levels: tally.levels,
        fewest: if tally.levels < levels { 0 } else { tally.fewest },
        most: tally.most,
        squares: of(squares),
    });
    let mut statements = Statements::new(program, &loaded.sources);
    let mut ran = BTreeMap::new();
    for at in 0..program.len() {
        if let Some(number) = statements.of_step(at) {
            let known: &mut u32 = ran.entry(number).or_default();
            *known = (*known).max(statistics.ran(at));
        }
    }
    Chances {
        levels,
        failed: statistics.faults().map(|(_, count, _)| count).sum(),
        terrain: terrain.filter(|terrain| !terrain.squares.is_empty()).collect(),
        lit: sparse(|x, y| statistics.lit(x, y)),
        things: things.collect(),
        rooms: statistics.rooms().iter().map(|(&rooms, &levels)| [rooms as u64, levels]).collect(),
        draws: statistics.draws(),
        ran: ran.into_values().collect(),
        statements: statements.list(),
    }
}

/// Counts the squares that the statement at `span` makes or fills with `seeds` seeds, from 1, on `threads` threads.
pub fn spread(runnable: &Runnable, span: Span, settings: &Settings, seeds: u64, threads: usize) -> Spread {
    let program = &runnable.program;
    let is_it: Vec<bool> = (0..program.len()).map(|at| program.span(at) == Some(span)).collect();
    let is_it = |at: usize| is_it.get(at).copied().unwrap_or(false);
    let next = std::sync::atomic::AtomicU64::new(1);
    let work = || {
        let (mut machine, mut chronicle) = (Machine::new(), Chronicle::new());
        let (mut levels, mut counts) = (0, vec![0_u32; (COLUMNS * ROWS) as usize]);
        loop {
            let seed = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if seed > seeds {
                return (levels, counts);
            }
            chronicle.clear();
            let Ok(level) = machine.run(program, settings, &mut SplitMix::new(seed), &mut chronicle) else { continue };
            chronicle.finish(level);
            levels += 1;
            let mut hit = vec![false; counts.len()];
            let mut mark = |place: (i32, i32)| {
                let (x, y) = level.mirror().map_or(place, |mirror| mirror.place(place));
                if is_ok(x, y) {
                    hit[index(x, y)] = true;
                }
            };
            for place in squares() {
                if chronicle.square(place, level).is_some_and(|maker| is_it(maker.at)) {
                    mark(place);
                }
            }
            let monsters = level.monsters().iter().enumerate().map(|(at, it)| ((it.x, it.y), chronicle.monster(at)));
            let objects = level.objects().iter().enumerate().map(|(at, it)| ((it.x, it.y), chronicle.object(at)));
            let gold = level.gold().iter().enumerate().map(|(at, it)| ((it.x, it.y), chronicle.gold(at)));
            let traps = level.traps().iter().enumerate().map(|(at, it)| ((it.x, it.y), chronicle.trap(at)));
            for (place, maker) in monsters.chain(objects).chain(gold).chain(traps) {
                if maker.is_some_and(|maker| is_it(maker.at)) {
                    mark(place);
                }
            }
            for (count, hit) in counts.iter_mut().zip(hit) {
                *count += u32::from(hit);
            }
        }
    };
    let (levels, counts) = on_each(threads, work, |all, other| {
        all.0 += other.0;
        all.1.iter_mut().zip(other.1).for_each(|(mine, theirs)| *mine += theirs);
    });
    Spread { levels, squares: sparse(|x, y| counts[index(x, y)]) }
}
