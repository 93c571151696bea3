//! Where a game puts its dungeons and special levels, and how often: exactly, by the rules of its loader.
//!
//! The loaders of all games draw alike (`init_dungeons` and what it calls in `src/dungeon.c`). Of each dungeon in turn,
//! the number of levels comes first, then the branch to it, then which of its special levels there are, and then their
//! places, one level after the other: each in a place that is drawn among the free ones of its range, and another one
//! if what follows finds no place then. So among the places from which all others can still be placed, each is as
//! likely as the others.
//!
//! [`depths`] follows all draws at once. Of the levels that are placed, only what later levels can tell apart is kept:
//! how many places of each kind are taken, where two places are of a kind if the ranges of later levels have both or
//! neither; and the places of levels that others are counted from. For each such state and each place, the probability
//! that the place is still free goes along, from which follows how often a level is put there.

use std::collections::BTreeMap;

use splc_ir::dungeon::{Branch, Connection, Description, Direction, Dungeon};

mod placing;

use placing::{MOST_LEVELS, Placing};

/// Probabilities of numbers: levels, depths, sizes.
pub type Distribution = BTreeMap<i32, f64>;

/// Where a dungeon is.
#[derive(Clone, Debug, PartialEq)]
pub struct DungeonDepths {
    /// How often there is such a dungeon.
    pub presence: f64,
    /// How many levels it has.
    pub size: Distribution,
    /// The depth of its top level.
    pub top: Distribution,
    /// Where the branch to it begins; `None` for the first dungeon.
    pub branch: Option<BranchDepths>,
    /// Its special levels, in order.
    pub levels: Vec<LevelDepths>,
}

/// Where a branch begins.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchDepths {
    /// The number of the dungeon that it begins in.
    pub parent: usize,
    /// The number of the branch among those of that dungeon.
    pub number: usize,
    /// The level of that dungeon, counted from its top.
    pub level: Distribution,
    /// Its depth.
    pub depth: Distribution,
}

/// Where a special level is, if its dungeon is there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelDepths {
    /// The level of the dungeon, counted from its top; what is missing to 1 is how often there is no such level.
    pub level: Distribution,
    /// Its depth, likewise.
    pub depth: Distribution,
}

impl LevelDepths {
    /// How often there is such a level.
    pub fn presence(&self) -> f64 {
        self.level.values().sum()
    }
}

/// Why it cannot be told where everything is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// In some games, or in all, the loader ends the game as it cannot do what it is told; about what.
    GameEnds(String),
    /// There are too many ways in which it can go.
    TooManyWays(String),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Problem::GameEnds(text) => write!(out, "the game can end as it begins: {text}"),
            Problem::TooManyWays(text) => out.write_str(text),
        }
    }
}

impl std::error::Error for Problem {}

/// Name of the level that moves its dungeon up by one level if there is room (`init_dungeons`).
const DUMMY: &str = "dummy";

/// Where everything in `description` is, in a game that is not played in wizard mode; for each dungeon, in order.
///
/// # Errors
/// If the game ends in some games, or if there are too many ways to follow.
pub fn depths(description: &Description) -> Result<Vec<DungeonDepths>, Problem> {
    let mut placed: Vec<Placed<'_>> = Vec::with_capacity(description.dungeons.len());
    for (number, dungeon) in description.dungeons.iter().enumerate() {
        let next = Placed::new(description, number, dungeon, &mut placed)?;
        placed.push(next);
    }
    Ok(placed.into_iter().map(Placed::result).collect())
}

/// A dungeon that is placed.
struct Placed<'a> {
    dungeon: &'a Dungeon,
    presence: f64,
    sizes: Vec<Sized>,
    /// Numbers of the levels that branches are counted from.
    chained: Vec<usize>,
    branch: Option<BranchDepths>,
}

/// A dungeon of a certain number of levels.
struct Sized {
    probability: f64,
    /// How many levels it has.
    size: i32,
    /// The depth of its top level.
    top: Distribution,
    /// For each level, how often it is where.
    levels: Vec<Distribution>,
    /// Ways in which the levels that branches are counted from lie together.
    ways: Vec<Way>,
}

/// One way in which the levels that branches are counted from lie.
struct Way {
    probability: f64,
    /// The place of each of [`Placed::chained`]; 0 for a level that is not there.
    places: Vec<u8>,
    /// Sets of levels that have a branch already, each with its probability.
    taken: BTreeMap<u64, f64>,
}

impl<'a> Placed<'a> {
    fn new(
        description: &'a Description,
        number: usize,
        dungeon: &'a Dungeon,
        before: &mut [Placed<'a>],
    ) -> Result<Self, Problem> {
        let ends = |text: String| Problem::GameEnds(format!("the dungeon \"{}\" {text}", dungeon.name.node));
        // No chance given is as good as all.
        let presence = if dungeon.chance == 0 { 1.0 } else { f64::from(dungeon.chance.clamp(0, 100)) / 100.0 };
        if number == 0 && presence < 1.0 {
            return Err(ends("is where a game begins, and it is not always there".to_owned()));
        }
        let levels: Vec<Placing> = dungeon
            .levels()
            .map(|level| {
                let chain = level.chain.as_ref().filter(|chain| !chain.node.is_empty());
                Placing::new(level, chain.and_then(|chain| dungeon.level_chained(&chain.node)))
            })
            .collect();
        if levels.iter().enumerate().any(|(at, level)| level.chain.is_some_and(|chain| chain >= at)) {
            return Err(ends("has a level that is chained to a later one".to_owned()));
        }
        let mut chained: Vec<usize> = dungeon.branches().filter_map(|branch| chain_of(branch, dungeon)).collect();
        chained.sort_unstable();
        chained.dedup();

        let (base, random) = (i32::from(dungeon.size.base as i16), i32::from(dungeon.size.random as i16));
        if base < 1 || random < 0 {
            return Err(ends("may have no level at all".to_owned()));
        }
        let count = random.max(1);
        let rooted = number == 0 || dungeon.lua.unconnected;
        let branch = if rooted { None } else { Some(branch_to(description, number, before)?) };
        let mut sizes = Vec::new();
        for drawn in base..base + count {
            let size = drawn.min(MOST_LEVELS as i32);
            let entry = match dungeon.entry {
                0 => 1,
                entry if entry < 0 => drawn.saturating_add(entry).saturating_add(1).max(1),
                entry => entry.min(drawn),
            };
            let places = placing::place(&levels, size, &chained)?;
            let own_end: u64 = if branch.is_none() { 0 } else { 1 << entry.min(63) };
            let way = |(places, probability)| Way { probability, places, taken: BTreeMap::from([(own_end, 1.0)]) };
            let mut top = Distribution::new();
            match &branch {
                None => _ = top.insert(1, 1.0),
                Some((_, depths)) => {
                    for (&depth, &probability) in depths {
                        *top.entry(depth - (entry - 1)).or_default() += probability;
                    }
                }
            }
            sizes.push(Sized {
                probability: 1.0 / f64::from(count),
                size,
                top,
                levels: places.levels,
                ways: places.together.into_iter().map(way).collect(),
            });
        }
        Ok(Placed { dungeon, presence, sizes, chained, branch: branch.map(|(branch, _)| branch) })
    }

    fn result(self) -> DungeonDepths {
        let mut levels = vec![LevelDepths::default(); self.dungeon.levels().count()];
        let (mut size, mut top) = (Distribution::new(), Distribution::new());
        for sized in &self.sizes {
            *size.entry(sized.size).or_default() += sized.probability;
            // When all dungeons are placed, one with a dummy level moves up if there is room.
            let dummy = self.dungeon.levels().any(|level| level.name.node == *DUMMY && level.chance >= 100);
            let moved = |&depth: &i32| if dummy && sized.size > 1 - depth { depth - 1 } else { depth };
            let tops: Distribution = sized.top.iter().map(|(depth, &often)| (moved(depth), often)).collect();
            for (&depth, &often) in &tops {
                *top.entry(depth).or_default() += often * sized.probability;
            }
            for (level, places) in levels.iter_mut().zip(&sized.levels) {
                for (&place, &probability) in places {
                    *level.level.entry(place).or_default() += probability * sized.probability;
                    for (&top, &often) in &tops {
                        let probability = probability * sized.probability * often;
                        *level.depth.entry(top + place - 1).or_default() += probability;
                    }
                }
            }
        }
        DungeonDepths { presence: self.presence, size, top, branch: self.branch, levels }
    }
}

/// The number of the level of `dungeon` that `branch` is counted from.
fn chain_of(branch: &Branch, dungeon: &Dungeon) -> Option<usize> {
    let chain = branch.chain.as_ref().filter(|chain| !chain.node.is_empty())?;
    dungeon.branch_chained(&chain.node)
}

/// Draws where the branch to the dungeon of that number begins (`parent_dlevel`). Gives, besides, the depth of the
/// level that it leads to.
fn branch_to(
    description: &Description,
    number: usize,
    before: &mut [Placed<'_>],
) -> Result<(BranchDepths, Distribution), Problem> {
    let child = &description.dungeons[number];
    let name = &child.name.node;
    // The first branch of that name, of those in dungeons that have been read by then.
    let found = before.iter().enumerate().find_map(|(parent, placed)| {
        let number = placed.dungeon.branches().position(|branch| branch.target.node == *name)?;
        Some((parent, number))
    });
    let Some((parent, branch_number)) = found else {
        return Err(Problem::GameEnds(format!("no earlier dungeon has a branch to \"{name}\"")));
    };
    let placed = &mut before[parent];
    if placed.presence < 1.0 {
        let message = format!("\"{name}\" is reached from \"{}\", which is not always there", placed.dungeon.name.node);
        return Err(Problem::GameEnds(message));
    }
    let Some(branch) = placed.dungeon.branches().nth(branch_number) else {
        return Err(Problem::GameEnds(format!("no earlier dungeon has a branch to \"{name}\"")));
    };
    let chain = chain_of(branch, placed.dungeon);
    let chained = chain.and_then(|chain| placed.chained.iter().position(|&known| known == chain));
    let presence = if child.chance == 0 { 1.0 } else { f64::from(child.chance.clamp(0, 100)) / 100.0 };
    let down = match (branch.connection, branch.direction) {
        (Connection::Portal, _) => 0,
        (_, Direction::Up) => -1,
        (_, Direction::Down) => 1,
    };
    let (mut level, mut depth, mut entry_depth) = (Distribution::new(), Distribution::new(), Distribution::new());
    let called = format!("the branch to \"{name}\"");
    for sized in &mut placed.sizes {
        for way in &mut sized.ways {
            let from = chained.map(|at| i32::from(way.places[at]));
            let span = placing::span(&called, branch.place.base, branch.place.random, from, sized.size)?;
            let mut taken = BTreeMap::new();
            for (&set, &probability) in &way.taken {
                if presence < 1.0 {
                    *taken.entry(set).or_default() += probability * (1.0 - presence);
                }
                for drawn in 0..span.count {
                    let place = span.start + free_after(drawn, span, set);
                    let share = probability / f64::from(span.count);
                    *taken.entry(set | 1 << place).or_default() += share * presence;
                    let share = share * way.probability * sized.probability;
                    *level.entry(place).or_default() += share;
                    for (&top, &often) in &sized.top {
                        *depth.entry(top + place - 1).or_default() += share * often;
                        *entry_depth.entry(top + place - 1 + down).or_default() += share * often;
                    }
                }
            }
            way.taken = taken;
        }
    }
    Ok((BranchDepths { parent, number: branch_number, level, depth }, entry_depth))
}

/// The place within `span` of the first level behind `drawn` that is not in `taken`, going round; `drawn` itself is the
/// last one that is looked at, and taken in any case.
fn free_after(drawn: i32, span: placing::Span, taken: u64) -> i32 {
    let mut at = drawn;
    loop {
        at = (at + 1) % span.count;
        if taken & (1 << (span.start + at)) == 0 || at == drawn {
            return at;
        }
    }
}
