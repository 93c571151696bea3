//! The exact probabilities of the positions of a game's dungeons and special levels, by the rules of its loader.
//!
//! The loaders of all games draw alike (`init_dungeons` and its callees in `src/dungeon.c`). For each dungeon in turn
//! they draw the number of levels, then the branch to it, then the set of its special levels that exist, and then their
//! places one after the other. Each level gets a place drawn among the free ones of its range, and another one if the
//! following levels then find no place. Thus each place from which all others can still be placed is equally likely.
//!
//! [`depths`] follows all draws at once. Of the levels already placed, it tracks only what later levels can
//! distinguish. This is the number of taken places of each kind, where two places are of the same kind if each range of
//! a later level contains both or neither, and the places of levels relative to which others are placed. Each such
//! state also carries the probability that each place is still free, which yields the probability that a level is
//! placed there.

use std::collections::{BTreeMap, HashMap};

use splc_ir::dungeon::{Branch, Connection, Description, Direction, Dungeon, Rules};
use splc_ir::order::Order;

use crate::limits::MAX_PLACEMENTS;

mod placing;

use placing::{MOST_LEVELS, Placing};

/// Probabilities of numbers such as levels, depths and sizes.
pub type Distribution = BTreeMap<i32, f64>;

/// The position of a dungeon.
#[derive(Clone, Debug, PartialEq)]
pub struct DungeonDepths {
    /// The probability that the dungeon exists.
    pub presence: f64,
    /// Its number of levels.
    pub size: Distribution,
    /// The depth of its top level.
    pub top: Distribution,
    /// The start of the branch to it, or `None` for the first dungeon.
    pub branch: Option<BranchDepths>,
    /// Its special levels, in order.
    pub levels: Vec<LevelDepths>,
}

/// The start of a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchDepths {
    /// The index of the dungeon that it begins in.
    pub parent: usize,
    /// The index of the branch among those of that dungeon.
    pub number: usize,
    /// The level of that dungeon, counted from its top.
    pub level: Distribution,
    /// Its depth.
    pub depth: Distribution,
}

/// The position of a special level, given that its dungeon exists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelDepths {
    /// The level of the dungeon, counted from its top. The probabilities add up to the probability that the level
    /// exists.
    pub level: Distribution,
    /// Its depth, with the same total.
    pub depth: Distribution,
}

impl LevelDepths {
    /// Returns the probability that the level exists.
    pub fn presence(&self) -> f64 {
        self.level.values().sum()
    }
}

/// The reason why the positions cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The loader always or sometimes ends the game, because it cannot satisfy the description. Contains the reason.
    GameEnds(String),
    /// There are too many possibilities to follow.
    TooManyWays(String),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Problem::GameEnds(text) => write!(out, "the game can exit at startup: {text}"),
            Problem::TooManyWays(text) => write!(out, "the places are not computed: {text}"),
        }
    }
}

impl std::error::Error for Problem {}

/// Name of the level that moves its dungeon up by one level if possible (`init_dungeons`).
const DUMMY: &str = "dummy";

/// Returns the positions of everything in `description`, for each dungeon in order, in a game with `rules` outside
/// wizard mode.
///
/// # Errors
/// If the loader can end the game, or if there are too many possibilities to follow.
pub fn depths(description: &Description, rules: &Rules) -> Result<Vec<DungeonDepths>, Problem> {
    let mut placed: Vec<Placed<'_>> = Vec::with_capacity(description.dungeons.len());
    let routes = routes(description);
    for (number, dungeon) in description.dungeons.iter().enumerate() {
        let next = Placed::new(description, rules, &routes, number, dungeon, &mut placed)?;
        placed.push(next);
    }
    Ok(placed.into_iter().map(Placed::result).collect())
}

/// The branch to each dungeon: the index of the dungeon that it begins in, and its index among the branches there.
type Routes = Vec<Option<(usize, usize)>>;

/// Finds the branch to each dungeon: the first one of its name, among the dungeons read before it.
fn routes(description: &Description) -> Routes {
    let mut first: HashMap<&str, (usize, usize)> = HashMap::new();
    let mut routes = Vec::with_capacity(description.dungeons.len());
    for (at, dungeon) in description.dungeons.iter().enumerate() {
        routes.push(first.get(dungeon.name.node.as_str()).copied());
        for (number, branch) in dungeon.branches().enumerate() {
            first.entry(branch.target.node.as_str()).or_insert((at, number));
        }
    }
    routes
}

/// Returns the probability that `dungeon` exists. Of alternatives, each is as likely.
fn presence(description: &Description, rules: &Rules, dungeon: &Dungeon) -> f64 {
    // A missing chance means always.
    let presence = if dungeon.chance == 0 { 1.0 } else { f64::from(dungeon.chance.clamp(0, 100)) / 100.0 };
    if rules.has_alternates() { presence / (1 + description.alternates(dungeon)) as f64 } else { presence }
}

/// A dungeon that has been placed.
struct Placed<'a> {
    dungeon: &'a Dungeon,
    presence: f64,
    sizes: Vec<Sized>,
    /// Indices of the levels relative to which branches are placed.
    chained: Vec<usize>,
    branch: Option<BranchDepths>,
}

/// A dungeon with a fixed number of levels.
struct Sized {
    probability: f64,
    /// Its number of levels.
    size: i32,
    /// The depth of its top level.
    top: Distribution,
    /// For each level, the probability of each place.
    levels: Vec<Distribution>,
    /// Joint placements of the levels relative to which branches are placed.
    ways: Vec<Way>,
}

/// A joint placement of the levels relative to which branches are placed.
struct Way {
    probability: f64,
    /// The place of each level in [`Placed::chained`], or 0 if it does not exist.
    places: Vec<u8>,
    /// Sets of levels that already have a branch, with their probabilities.
    taken: BTreeMap<u64, f64>,
}

impl<'a> Placed<'a> {
    fn new(
        description: &'a Description,
        rules: &Rules,
        routes: &Routes,
        number: usize,
        dungeon: &'a Dungeon,
        before: &mut [Placed<'a>],
    ) -> Result<Self, Problem> {
        let ends = |text: String| Problem::GameEnds(format!("the dungeon \"{}\" {text}", dungeon.name.node));
        let presence = presence(description, rules, dungeon);
        if number == 0 && presence < 1.0 {
            return Err(ends("is where a game begins, but it does not always exist".to_owned()));
        }
        let levels: Vec<Placing> = dungeon
            .levels()
            .map(|level| {
                let chain = level.chain.as_ref().filter(|chain| !chain.node.is_empty());
                Placing::new(level, chain.and_then(|chain| dungeon.level_chained(&chain.node)))
            })
            .collect();
        if levels.iter().enumerate().any(|(at, level)| level.chain.is_some_and(|chain| chain >= at)) {
            return Err(ends("has a level chained to a later level".to_owned()));
        }
        let mut chained: Vec<usize> = dungeon.branches().filter_map(|branch| chain_of(branch, dungeon)).collect();
        chained.order();
        chained.dedup();

        let (base, random) = (i32::from(dungeon.size.base as i16), i32::from(dungeon.size.random as i16));
        if base < 1 || random < 0 {
            return Err(ends("may have no levels".to_owned()));
        }
        let count = random.max(1);
        let rooted = number == 0 || dungeon.lua.unconnected;
        let branch = if rooted { None } else { Some(branch_to(description, routes, number, presence, before)?) };
        let route = routes[number].filter(|_| !rooted);
        let arrives = route.and_then(|(from, at)| description.dungeons[from].branches().nth(at));
        let arrival = arrives.map_or(0, |branch| branch.entry);
        let arrival = if rules.branches_enter() && arrival != 0 { arrival } else { dungeon.entry };
        let mut sizes = Vec::new();
        for drawn in base..base + count {
            let size = drawn.min(MOST_LEVELS as i32);
            let entry = match arrival {
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
            // Once all dungeons are placed, a dungeon with a dummy level moves up if possible.
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

/// Returns the index of the level of `dungeon` relative to which `branch` is placed.
fn chain_of(branch: &Branch, dungeon: &Dungeon) -> Option<usize> {
    let chain = branch.chain.as_ref().filter(|chain| !chain.node.is_empty())?;
    dungeon.branch_chained(&chain.node)
}

/// Draws the start of the branch to the dungeon with that index (`parent_dlevel`). Also returns the depth of the level
/// that it leads to.
fn branch_to(
    description: &Description,
    routes: &Routes,
    number: usize,
    presence: f64,
    before: &mut [Placed<'_>],
) -> Result<(BranchDepths, Distribution), Problem> {
    let child = &description.dungeons[number];
    let name = &child.name.node;
    let Some((parent, branch_number)) = routes[number] else {
        return Err(Problem::GameEnds(format!("no earlier dungeon has a branch to \"{name}\"")));
    };
    let later: Vec<&Branch> = routes[number + 1..]
        .iter()
        .flatten()
        .filter(|(from, _)| *from == parent)
        .filter_map(|&(_, number)| description.dungeons[parent].branches().nth(number))
        .collect();
    let placed = &mut before[parent];
    if placed.presence < 1.0 {
        let message =
            format!("\"{name}\" is reached from \"{}\", which does not always exist", placed.dungeon.name.node);
        return Err(Problem::GameEnds(message));
    }
    let Some(branch) = placed.dungeon.branches().nth(branch_number) else {
        return Err(Problem::GameEnds(format!("no earlier dungeon has a branch to \"{name}\"")));
    };
    let chain = chain_of(branch, placed.dungeon);
    let chained = chain.and_then(|chain| placed.chained.iter().position(|&known| known == chain));
    let down = match (branch.connection, branch.direction) {
        (Connection::Portal, _) => 0,
        (_, Direction::Up) => -1,
        (_, Direction::Down) => 1,
    };
    let (mut level, mut depth, mut entry_depth) = (Distribution::new(), Distribution::new(), Distribution::new());
    let called = format!("the branch to \"{name}\"");
    let mut placements = 0;
    for sized in &mut placed.sizes {
        for way in &mut sized.ways {
            let from = chained.map(|at| i32::from(way.places[at]));
            let span = placing::span(&called, branch.place.base, branch.place.random, from, sized.size)?;
            // Only places that a later branch can take have to be tracked.
            let tracked = later
                .iter()
                .fold(0, |places, branch| places | reach(branch, placed.dungeon, &placed.chained, way, sized.size));
            let mut taken = BTreeMap::new();
            for (&set, &probability) in &way.taken {
                if presence < 1.0 {
                    *taken.entry(set & tracked).or_default() += probability * (1.0 - presence);
                }
                for drawn in 0..span.count {
                    let place = span.start + free_after(drawn, span, set);
                    let share = probability / f64::from(span.count);
                    *taken.entry((set | 1 << place) & tracked).or_default() += share * presence;
                    let share = share * way.probability * sized.probability;
                    *level.entry(place).or_default() += share;
                    for (&top, &often) in &sized.top {
                        *depth.entry(top + place - 1).or_default() += share * often;
                        *entry_depth.entry(top + place - 1 + down).or_default() += share * often;
                    }
                }
            }
            placements += taken.len();
            if placements > MAX_PLACEMENTS {
                let name = &placed.dungeon.name.node;
                let message = format!("the branches of \"{name}\" have more than {MAX_PLACEMENTS} placements");
                return Err(Problem::TooManyWays(message));
            }
            way.taken = taken;
        }
    }
    Ok((BranchDepths { parent, number: branch_number, level, depth }, entry_depth))
}

/// Returns the places that `branch` can take in a dungeon of `size` levels, one bit each.
fn reach(branch: &Branch, dungeon: &Dungeon, chained: &[usize], way: &Way, size: i32) -> u64 {
    let chain = chain_of(branch, dungeon).and_then(|chain| chained.iter().position(|&known| known == chain));
    let from = chain.map(|at| i32::from(way.places[at]));
    match placing::span("", branch.place.base, branch.place.random, from, size) {
        Ok(span) => placing::set(span),
        // Reported when it is placed.
        Err(_) => u64::MAX,
    }
}

/// Returns the first place after `drawn`, cyclically within `span`, that is not in `taken`. `drawn` itself comes last
/// and is returned even if it is taken.
fn free_after(drawn: i32, span: placing::Span, taken: u64) -> i32 {
    let mut at = drawn;
    loop {
        at = (at + 1) % span.count;
        if taken & (1 << (span.start + at)) == 0 || at == drawn {
            return at;
        }
    }
}
