//! A finished level as facts that can be compared across games.
//!
//! Numbers of a game become names. Names of the first game become their counterparts in the second ([`Names`]). The
//! order in which a level makes its things is ignored: monsters, traps, gold, engravings and rooms are sets. So are the
//! objects on a square, in a container or in an inventory, except for the top object of a pile, which a player sees.
//!
//! | subject | compared by |
//! | --- | --- |
//! | a square | terrain; light, but not of solid rock; state and orientation of a door, alignment of an altar, direction of a drawbridge and the terrain below it, diggability and passability of a wall, direction of stairs, marks of a fountain, throne, sink or tree |
//! | stairs, ladders, branches | place |
//! | rooms | rectangle, type, light, stocking, being a subroom; the squares of an irregular room |
//! | monsters | place, species or class, all details that the loader heeds, inventory; priests of altars |
//! | objects | place, type or class, all details that the loader heeds, contents; sure stacks as one object |
//! | gold | place, total amount on the square |
//! | traps, graves, engravings | place, type, text, destination, protection |
//! | the level | flags, arrivals, messages line by line, sounds, monsters to come, ore and the ground it is in, calls of the game |
//! | a failed run | the fault |
//!
//! Ignored, because no player meets it: marks of the loader, numbers of rooms, permission for corridors to join a room,
//! the tone of a squeaky board.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use splc_ir::catalog::{Catalog, Format, LoaderRule};
use splc_ir::words::Group;
use splc_picture::{altar_name, door_name, flags, random_monster, random_object};
use splc_vm::internals::{Detail, DetailKind, Drawn, Epitaph, bridge, door, feature, index, is_ok, wall};
use splc_vm::{Arrival, COLUMNS, Level, Monster, Object, Place, ROWS, Room, SQUARES, Terrain, VmError, Whereabouts};

use crate::names::{Names, any_of, in_words};

/// The subject of a [`Fact`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// Fault of a failed run.
    Fault,
    /// The terrain of a square.
    Terrain,
    /// Details of a square: the state of a door, an altar's alignment.
    Feature,
    /// Light of a square.
    Light,
    /// Stairs, ladders, branches.
    Stairs,
    /// A room.
    Room,
    /// A monster.
    Monster,
    /// An object.
    Object,
    /// Gold.
    Gold,
    /// A trap.
    Trap,
    /// An engraving or epitaph.
    Writing,
    /// A property of the level as a whole: flags, arrivals, messages, sounds.
    Level,
    /// The complete level.
    Whole,
}

impl Aspect {
    /// Name of the aspect in data.
    pub fn as_str(self) -> &'static str {
        match self {
            Aspect::Fault => "fault",
            Aspect::Terrain => "terrain",
            Aspect::Feature => "feature",
            Aspect::Light => "light",
            Aspect::Stairs => "stairs",
            Aspect::Room => "room",
            Aspect::Monster => "monster",
            Aspect::Object => "object",
            Aspect::Gold => "gold",
            Aspect::Trap => "trap",
            Aspect::Writing => "writing",
            Aspect::Level => "level",
            Aspect::Whole => "whole",
        }
    }
}

/// A property that a finished level has or lacks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// Subject of the fact.
    pub aspect: Aspect,
    /// Place in the VM's coordinates: columns from 1, rows from 0.
    pub place: Option<Place>,
    /// Description, in the names of the second level's game.
    pub what: String,
    /// With a place, the ordinal among equal things there; without, the total in the level.
    pub count: u32,
}

impl Fact {
    /// Order among equally telling facts, of which the lowest is reported: a place rather than a number, and notable
    /// terrain rather than plain ground.
    pub(crate) fn rank(&self) -> impl Ord {
        (self.aspect, self.place.is_none(), self.count, self.is_ground(), &self.place, &self.what)
    }

    /// Returns true for plain ground.
    pub(crate) fn is_ground(&self) -> bool {
        self.aspect == Aspect::Terrain && GROUND.iter().any(|ground| ground.name() == self.what)
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fact { aspect, place, what, count } = self;
        match (place, aspect) {
            (Some((x, y)), Aspect::Light) => write!(formatter, "the square {x},{y} is {what}"),
            (Some((x, y)), _) if *count > 1 => write!(formatter, "{count} x {what} at {x},{y}"),
            (Some((x, y)), _) => write!(formatter, "{what} at {x},{y}"),
            (None, Aspect::Monster | Aspect::Object | Aspect::Gold | Aspect::Trap | Aspect::Writing) => {
                write!(formatter, "{count} x {what} in the level")
            }
            (None, Aspect::Fault) => write!(formatter, "the level fails to load: {what}"),
            (None, _) if *count > 1 => write!(formatter, "{count} x {what}"),
            (None, _) => formatter.write_str(what),
        }
    }
}

/// Terrain of plain ground.
const GROUND: [Terrain; 3] = [Terrain::ROOM, Terrain::STONE, Terrain::CORRIDOR];

/// The thing that a fact comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Square,
    Monster(usize),
    Object(usize),
    Gold(usize),
    Trap(usize),
    Engraving(usize),
    Other,
}

/// A square packed into bits: its terrain, its light, and its details.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Square(u32);

const LIT: u32 = 1 << 8;
const DETAIL: u32 = 16;
/// Marks a detail as present, even if its bits are 0.
const DETAILED: u32 = 1 << 8;
const ALONG_ROW: u32 = 1 << 5;
const LIKE_TREE: u32 = 1 << 6;

impl Square {
    fn of(level: &Level, x: i32, y: i32, names: &Names) -> Self {
        let own = level.terrain(x, y);
        let bits = level.flags(x, y) as u32;
        let hard = (wall::NON_DIGGABLE | wall::NON_PASSABLE) as u32;
        let detail = match own {
            Terrain::DOOR | Terrain::SECRET_DOOR => {
                // A secret door without a state is closed when it is found (`cvt_sdoor_to_door`).
                let states = (door::BROKEN | door::OPEN | door::CLOSED | door::LOCKED) as u32;
                let stateless = own == Terrain::SECRET_DOOR && bits & states == 0;
                let closed = if stateless { door::CLOSED as u32 } else { 0 };
                let looks = if own == Terrain::SECRET_DOOR && level.is_like_tree(x, y) { LIKE_TREE } else { 0 };
                DETAILED | bits | closed | looks | if level.is_horizontal(x, y) { ALONG_ROW } else { 0 }
            }
            Terrain::ALTAR | Terrain::STAIRS | Terrain::LADDER => DETAILED | bits,
            Terrain::ICE if bits != 0 => DETAILED | bits,
            Terrain::FOUNTAIN | Terrain::THRONE | Terrain::SINK if bits & marks_of(own) != 0 => {
                DETAILED | bits & marks_of(own)
            }
            Terrain::TREE if bits & (hard | marks_of(own)) != 0 => DETAILED | bits & (hard | marks_of(own)),
            own if own.is_drawbridge() => DETAILED | bits,
            own if bits & hard != 0 && (own.is_wall_or_stone() || own == Terrain::IRON_BARS) => DETAILED | bits & hard,
            _ => 0,
        };
        let lit = if own != Terrain::STONE && level.is_lit(x, y) { LIT } else { 0 };
        Square(u32::from(names.of_terrain(own).number()) | lit | detail << DETAIL)
    }

    pub fn terrain(self) -> Terrain {
        Terrain::ALL.get((self.0 & 0xff) as usize).copied().unwrap_or_default()
    }

    /// The same square with different terrain and no details.
    fn of_terrain(self, terrain: Terrain) -> Self {
        Square(u32::from(terrain.number()) | self.0 & LIT)
    }

    pub fn is_lit(self) -> bool {
        self.0 & LIT != 0
    }

    /// Details of the square; 0 for none.
    pub fn detail(self) -> u32 {
        self.0 >> DETAIL
    }
}

/// Marks of a feature, in a square's flags.
fn marks_of(terrain: Terrain) -> u32 {
    let marks = match terrain {
        Terrain::FOUNTAIN => feature::LOOTED | feature::WARNED,
        Terrain::THRONE => feature::LOOTED,
        Terrain::SINK => feature::PUDDING | feature::DISHWASHER | feature::RING,
        Terrain::TREE => feature::LOOTED | feature::SWARM,
        _ => 0,
    };
    marks as u32
}

/// Describes the marks of a feature.
fn marks_in_words(terrain: Terrain, bits: i32) -> String {
    let all: &[(i32, &str)] = match terrain {
        Terrain::FOUNTAIN => &[(feature::LOOTED, "looted"), (feature::WARNED, "with its warning given")],
        Terrain::SINK => &[
            (feature::PUDDING, "without a pudding left"),
            (feature::DISHWASHER, "without a dishwasher left"),
            (feature::RING, "without a ring left"),
        ],
        Terrain::TREE => &[(feature::LOOTED, "looted"), (feature::SWARM, "without a swarm left")],
        _ => &[(feature::LOOTED, "looted")],
    };
    let said: Vec<&str> = all.iter().filter(|(mark, _)| bits & mark != 0).map(|&(_, word)| word).collect();
    format!("{} {}", terrain.name(), said.join(", "))
}

pub(crate) fn terrain_fact(place: Place, terrain: Terrain) -> Fact {
    let what = match terrain {
        wall if wall.is_wall() => format!("{} ({})", wall.name(), wall.word()),
        Terrain::DOOR => "door".to_owned(),
        other => other.name().to_owned(),
    };
    Fact { aspect: Aspect::Terrain, place: Some(place), what, count: 1 }
}

pub(crate) fn light_fact(place: Place) -> Fact {
    Fact { aspect: Aspect::Light, place: Some(place), what: "lit".to_owned(), count: 1 }
}

pub(crate) fn detail_fact(place: Place, terrain: Terrain, detail: u32) -> Fact {
    let bits = (detail & 0x1f) as i32;
    let what = match terrain {
        Terrain::DOOR | Terrain::SECRET_DOOR => {
            let lies = if detail & ALONG_ROW != 0 { "row" } else { "column" };
            let looks = if detail & LIKE_TREE != 0 { ", like a tree" } else { "" };
            format!("{} along the {lies}{looks}", door_name(terrain, bits))
        }
        Terrain::ALTAR => altar_name(bits),
        Terrain::STAIRS | Terrain::LADDER => {
            format!("{} {}", terrain.name(), if bits & 2 != 0 { "down" } else { "up" })
        }
        Terrain::ICE => "ice over water".to_owned(),
        Terrain::FOUNTAIN | Terrain::THRONE | Terrain::SINK => marks_in_words(terrain, bits),
        Terrain::TREE if bits & (wall::NON_DIGGABLE | wall::NON_PASSABLE) == 0 => marks_in_words(terrain, bits),
        terrain if terrain.is_drawbridge() => {
            let way = ["north", "south", "east", "west"][(bits & bridge::DIRECTION) as usize & 3];
            let below = match bits & bridge::BELOW {
                bridge::MOAT_BELOW => "a moat".to_owned(),
                bridge::LAVA_BELOW => "lava".to_owned(),
                other => format!("ground of type {other}"),
            };
            format!("{} leading {way} over {below}", terrain.name())
        }
        terrain => {
            let both = wall::NON_DIGGABLE | wall::NON_PASSABLE;
            let fast = match bits {
                bits if bits & both == both => "dug or passed",
                bits if bits & wall::NON_DIGGABLE != 0 => "dug",
                _ => "passed",
            };
            let marked = bits as u32 & marks_of(terrain) != 0;
            let what = if marked { marks_in_words(terrain, bits) } else { terrain.name().to_owned() };
            format!("{what} that cannot be {fast}")
        }
    };
    Fact { aspect: Aspect::Feature, place: Some(place), what, count: 1 }
}

/// A level, or the fault of a failed run, in comparable form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    /// Squares, column by column; empty if the run failed.
    pub squares: Vec<Square>,
    /// All other facts, sorted.
    pub facts: Vec<Fact>,
}

impl Snapshot {
    /// Takes a snapshot of the result of a run.
    pub fn of(made: Result<&Level, &VmError>, catalog: &Catalog, names: &Names) -> Self {
        Self::with_origins(made, catalog, names).0
    }

    /// Takes a snapshot, with the origin of each fact.
    pub fn with_origins(made: Result<&Level, &VmError>, catalog: &Catalog, names: &Names) -> (Self, Vec<Origin>) {
        let level = match made {
            Ok(level) => level,
            Err(error) => {
                let fault = Fact { aspect: Aspect::Fault, place: None, what: error.fault.to_string(), count: 1 };
                return (Snapshot { squares: Vec::new(), facts: vec![fault] }, vec![Origin::Other]);
            }
        };
        let mut squares = vec![Square::default(); SQUARES];
        for x in 1..COLUMNS {
            for y in 0..ROWS {
                squares[index(x, y)] = Square::of(level, x, y, names);
            }
        }
        let mut taker = Taker {
            level,
            catalog,
            names,
            found: Vec::new(),
            object_terrain: Vec::new(),
            monster_details: in_order(&level.monster_details),
            object_details: in_order(&level.object_details),
        };
        taker.take();
        for &((x, y), terrain) in &taker.object_terrain {
            squares[index(x, y)] = squares[index(x, y)].of_terrain(terrain);
        }
        let (facts, origins) = counted(taker.found);
        (Snapshot { squares, facts }, origins)
    }

    /// Returns true if the fact holds.
    pub fn has(&self, fact: &Fact) -> bool {
        let square =
            || fact.place.and_then(|(x, y)| self.squares.get(index(x, y)).copied().map(|square| ((x, y), square)));
        match fact.aspect {
            Aspect::Terrain => square().is_some_and(|(place, square)| terrain_fact(place, square.terrain()) == *fact),
            Aspect::Light => square().is_some_and(|(_, square)| square.is_lit()),
            Aspect::Feature => square().is_some_and(|(place, square)| {
                square.detail() != 0 && detail_fact(place, square.terrain(), square.detail()) == *fact
            }),
            Aspect::Whole => self.whole() == *fact,
            _ => self.facts.binary_search(fact).is_ok(),
        }
    }

    /// Returns the facts of the squares with these numbers.
    pub fn of_squares(&self, wanted: impl Fn(usize) -> bool) -> Vec<Fact> {
        let mut all = Vec::new();
        for (at, square) in self.squares.iter().enumerate().filter(|(at, _)| wanted(*at)) {
            let place = (at as i32 / ROWS, at as i32 % ROWS);
            all.push(terrain_fact(place, square.terrain()));
            if square.is_lit() {
                all.push(light_fact(place));
            }
            if square.detail() != 0 {
                all.push(detail_fact(place, square.terrain(), square.detail()));
            }
        }
        all
    }

    /// Returns the complete level as one fact, identified by a hash.
    pub fn whole(&self) -> Fact {
        use std::hash::{DefaultHasher, Hash as _, Hasher as _};
        let mut hasher = DefaultHasher::new();
        self.squares.len().hash(&mut hasher);
        // Most squares of most levels are dark rock without details.
        for (at, square) in self.squares.iter().enumerate().filter(|(_, square)| square.0 != 0) {
            hasher.write_u64((at as u64) << 32 | u64::from(square.0));
        }
        self.facts.hash(&mut hasher);
        let what = format!("exactly this level ({:016x})", hasher.finish());
        Fact { aspect: Aspect::Whole, place: None, what, count: 1 }
    }

    /// Returns the first fact that holds in only one of two levels.
    pub fn first_difference(&self, other: &Snapshot) -> Option<Fact> {
        for (at, (one, two)) in self.squares.iter().zip(&other.squares).enumerate() {
            if one != two {
                let place = (at as i32 / ROWS, at as i32 % ROWS);
                return Some(if one.terrain() != two.terrain() {
                    terrain_fact(place, one.terrain())
                } else if one.is_lit() != two.is_lit() {
                    light_fact(place)
                } else {
                    let (with, terrain) = if one.detail() != 0 { (one, one.terrain()) } else { (two, two.terrain()) };
                    detail_fact(place, terrain, with.detail())
                });
            }
        }
        let missing = |of: &Snapshot, from: &Snapshot| {
            of.facts.iter().find(|fact| from.facts.binary_search(fact).is_err()).cloned()
        };
        missing(self, other).or_else(|| missing(other, self))
    }
}

/// Numbers equal facts at one place, and adds the totals of equal things in the level.
fn counted(mut found: Vec<(Fact, Origin)>) -> (Vec<Fact>, Vec<Origin>) {
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut same = 0;
    for at in 0..found.len() {
        same = if at > 0 && like(&found[at - 1].0, &found[at].0) { same + 1 } else { 1 };
        found[at].0.count = same;
    }
    let totals = totals(&found);
    // Without a place, only the total is kept.
    let mut kept: Vec<(Fact, Origin)> = Vec::with_capacity(found.len() + totals.len());
    for (fact, origin) in found {
        match kept.last_mut() {
            Some((last, _)) if fact.place.is_none() && like(last, &fact) => last.count = fact.count,
            _ => kept.push((fact, origin)),
        }
    }
    kept.extend(totals.into_iter().map(|total| (total, Origin::Other)));
    kept.sort_by(|(one, _), (other, _)| one.cmp(other));
    // The totals of equal things with and without places can coincide and are one fact.
    kept.dedup_by(|(one, _), (other, _)| one == other);
    kept.into_iter().unzip()
}

/// Totals of all things that have a place.
fn totals(found: &[(Fact, Origin)]) -> Vec<Fact> {
    let placed = found.iter().filter(|(fact, _)| fact.place.is_some());
    let mut kinds: Vec<(Aspect, &str)> =
        placed.map(|(fact, _)| (fact.aspect, fact.what.strip_suffix(ON_TOP).unwrap_or(&fact.what))).collect();
    kinds.sort_unstable();
    let alike = kinds.chunk_by(|one, other| one == other);
    alike
        .map(|alike| Fact { aspect: alike[0].0, place: None, what: alike[0].1.to_owned(), count: alike.len() as u32 })
        .collect()
}

/// Returns a rectangle in words.
fn area([x1, y1, x2, y2]: &[i32; 4]) -> String {
    format!("{x1},{y1} to {x2},{y2}")
}

fn like(one: &Fact, other: &Fact) -> bool {
    (one.aspect, one.place, &one.what) == (other.aspect, other.place, &other.what)
}

/// Suffix of a fact about an object that lies on others.
const ON_TOP: &str = ", on top of others";

/// Collects the facts of a level.
struct Taker<'a> {
    level: &'a Level,
    catalog: &'a Catalog,
    names: &'a Names,
    found: Vec<(Fact, Origin)>,
    /// Places of objects that the other game expresses as terrain.
    object_terrain: Vec<(Place, Terrain)>,
    /// Details of monsters and of objects, in the order of the things.
    monster_details: Cow<'a, [Detail]>,
    object_details: Cow<'a, [Detail]>,
}

/// Gold on a square: an amount, a number of random amounts, and the first gold of the heap.
struct Heap {
    fixed: i64,
    random: u32,
    first: usize,
}

/// Contents and inventories: sorted pairs of holder and object.
struct Held {
    by_object: Vec<(usize, usize)>,
    by_monster: Vec<(usize, usize)>,
}

/// An object in words.
struct Described {
    /// Everything but the quantity.
    text: String,
    /// Its quantity; 0 if the game chooses it.
    quantity: i64,
    /// True if the game surely stacks it with equal objects of given quantity.
    stacks: bool,
}

impl Described {
    fn whole(self) -> String {
        if self.quantity > 0 { format!("{} {}", self.quantity, self.text) } else { self.text }
    }
}

fn of(pairs: &[(usize, usize)], holder: usize) -> impl Iterator<Item = usize> + '_ {
    let start = pairs.partition_point(|&(of, _)| of < holder);
    pairs[start..].iter().take_while(move |&&(of, _)| of == holder).map(|&(_, object)| object)
}

/// Details in the order of their things. They are made in that order, except for additions to earlier things.
fn in_order(list: &[Detail]) -> Cow<'_, [Detail]> {
    if list.is_sorted_by_key(|detail| detail.of) {
        return Cow::Borrowed(list);
    }
    let mut sorted = list.to_vec();
    sorted.sort_by_key(|detail| detail.of);
    Cow::Owned(sorted)
}

fn details(list: &[Detail], of: usize) -> impl Iterator<Item = DetailKind> + '_ {
    let start = list.partition_point(|detail| detail.of < of);
    list[start..].iter().take_while(move |detail| detail.of == of).map(|detail| detail.kind)
}

impl<'a> Taker<'a> {
    fn put(&mut self, aspect: Aspect, place: Option<Place>, what: impl Into<String>, origin: Origin) {
        self.found.push((Fact { aspect, place, what: what.into(), count: 1 }, origin));
    }

    fn take(&mut self) {
        let level = self.level;
        self.of_level();
        for (rooms, within) in [(level.rooms(), ""), (level.subrooms(), "subroom, ")] {
            for room in rooms {
                let what = self.room(room, within);
                self.put(Aspect::Room, None, what, Origin::Other);
            }
        }
        let stairs = level.stairs();
        let branch = level.branch.unwrap_or(stairs.branch);
        for (what, place) in [
            ("the stairs up", stairs.up),
            ("the stairs down", stairs.down),
            ("the ladder up", stairs.ladder_up),
            ("the ladder down", stairs.ladder_down),
            ("the stairs to another dungeon", branch),
        ] {
            if place.0 != 0 {
                self.put(Aspect::Stairs, Some(place), what, Origin::Square);
            }
        }
        for stairway in &level.stairways {
            let what = match (stairway.ladder, stairway.up) {
                (false, true) => "stairs up",
                (false, false) => "stairs down",
                (true, true) => "a ladder up",
                (true, false) => "a ladder down",
            };
            self.put(Aspect::Stairs, Some((stairway.x, stairway.y)), what, Origin::Square);
        }
        for (at, trap) in level.traps().iter().enumerate() {
            let mut what = self.trap(trap.kind);
            if let Some(target) = trap.target {
                let _ = write!(what, " to \"{}\"", level.text(target));
            }
            if let Some((x, y)) = trap.fixed {
                let _ = write!(what, " to {x},{y}");
            }
            if let Some((x, y)) = trap.launch {
                let _ = write!(what, " with a boulder from {x},{y}");
            }
            if trap.down != 0 {
                let _ = write!(what, " {} levels deep", trap.down);
            }
            if trap.seen {
                what.push_str(", known");
            }
            self.put(Aspect::Trap, Some((trap.x, trap.y)), what, Origin::Trap(at));
        }
        self.gold();
        for (at, engraving) in level.engravings().iter().enumerate() {
            let how = ["", "dust ", "engraved ", "burned ", "marked ", "blood "];
            let how = usize::try_from(engraving.kind).ok().and_then(|kind| how.get(kind)).copied().unwrap_or("");
            let mut what = format!("{how}engraving \"{}\"", level.text(engraving.text));
            if !engraving.degrades {
                what.push_str(", which does not wear off");
            }
            if engraving.guards {
                what.push_str(", guarding the objects on it");
            }
            self.put(Aspect::Writing, Some((engraving.x, engraving.y)), what, Origin::Engraving(at));
        }
        for grave in &level.graves {
            // A grave that was dug away no longer counts.
            if level.terrain(grave.x, grave.y) != Terrain::GRAVE {
                continue;
            }
            let what = match grave.epitaph {
                None => continue,
                Some(Epitaph::Random) => "random epitaph".to_owned(),
                Some(Epitaph::Text(text)) => format!("epitaph \"{}\"", level.text(text)),
            };
            self.put(Aspect::Writing, Some((grave.x, grave.y)), what, Origin::Square);
        }
        for priest in &level.priests {
            let what = if priest.high { "high priest of the altar" } else { "priest of the altar" };
            self.put(Aspect::Monster, Some((priest.x, priest.y)), what, Origin::Square);
        }
        self.things();
    }

    /// Heaps of gold: the games merge all gold on a square.
    fn gold(&mut self) {
        let level = self.level;
        let gold_class = self.catalog.object_class('$');
        // Gold made as an object is also in the list of objects, at the position that its heap notes.
        let mut heaps: BTreeMap<Place, Heap> = BTreeMap::new();
        for (at, (gold, &after)) in level.gold().iter().zip(&level.gold_after).enumerate() {
            let object = level.objects().get(after).filter(|object| {
                Some(object.class) == gold_class && object.number.is_none() && (object.x, object.y) == (gold.x, gold.y)
            });
            if object.is_some_and(|object| object.whereabouts != Whereabouts::Floor) {
                heaps.remove(&(gold.x, gold.y));
                continue;
            }
            let heap = heaps.entry((gold.x, gold.y)).or_insert(Heap { fixed: 0, random: 0, first: at });
            match (gold.amount, object.map_or(0, |object| object.quantity)) {
                (_, quantity @ 1..) => (heap.fixed, heap.random) = (quantity.into(), 0),
                (amount @ 1.., _) => heap.fixed += amount,
                _ => heap.random += 1,
            }
        }
        for (place, Heap { fixed, random, first }) in heaps {
            let what = match (fixed, random) {
                (0, 1) => "gold".to_owned(),
                (0, count) => format!("{count} random amounts of gold"),
                (amount, 0) => format!("{amount} gold"),
                (amount, 1) => format!("{amount} gold and a random amount"),
                (amount, count) => format!("{amount} gold and {count} random amounts"),
            };
            self.put(Aspect::Gold, Some(place), what, Origin::Gold(first));
        }
    }

    fn of_level(&mut self) {
        let level = self.level;
        let names = self.names;
        let mut known: Vec<&str> = flags(level).into_iter().filter_map(|flag| names.of_flag(flag)).collect();
        // A random vault is a part that the game puts into other levels.
        known.extend(names.of_flag("rndvault").filter(|_| level.level_flags().random_vault));
        let unsaid: Vec<&str> = names.unsaid_flags().filter(|flag| !known.contains(flag)).collect();
        known.extend(unsaid);
        for flag in known {
            self.put(Aspect::Level, None, format!("flag {flag}"), Origin::Other);
        }
        for &flag in &level.own_flags {
            self.put(Aspect::Level, None, format!("flag {}", level.text(flag)), Origin::Other);
        }
        for (from, arrival) in [("below", level.arrival_from_below()), ("above", level.arrival_from_above())] {
            if *arrival != Arrival::default() {
                let Arrival { within, outside } = arrival;
                // An exclusion without squares of the area excludes nothing.
                let [x1, y1, x2, y2] = outside;
                let apart = *x2 < within[0] || *x1 > within[2] || *y2 < within[1] || *y1 > within[3];
                let what = match apart {
                    true => format!("arrival from {from} in {}", area(within)),
                    false => format!("arrival from {from} in {}, but not in {}", area(within), area(outside)),
                };
                self.put(Aspect::Level, None, what, Origin::Other);
            }
        }
        for zone in &level.zones {
            let what = format!("zone of kind {} in {}", zone.kind, area(&zone.area));
            self.put(Aspect::Level, None, what, Origin::Other);
        }
        for cloud in &level.clouds {
            let mut squares = cloud.squares.clone();
            squares.sort_unstable();
            let what = format!("cloud of damage {} for {} turns at {squares:?}", cloud.damage, cloud.turns);
            self.put(Aspect::Level, None, what, Origin::Other);
        }
        let all: Vec<&str> = level.messages().collect();
        let lines = all.join("\n");
        for (at, line) in lines.split_terminator('\n').enumerate() {
            self.put(Aspect::Level, None, format!("line {} of the messages: \"{line}\"", at + 1), Origin::Other);
        }
        self.ore();
        self.room_sounds();
        for (&(x, y), &material) in &level.materials {
            if !level.terrain(x, y).is_door_or_secret() {
                continue;
            }
            let word = self.catalog.words(Group::DoorDetail);
            let mut word = word.filter(|word| self.catalog.word(Group::DoorDetail, word) == Some(material));
            let what = match word.next() {
                Some(word) => format!("a door of {word} at {x},{y}"),
                None => format!("a door of material {material} at {x},{y}"),
            };
            self.put(Aspect::Level, None, what, Origin::Other);
        }
        let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
        for &call in &level.calls {
            let call = level.text(call);
            let function = call.split('(').next().unwrap_or_default();
            let number = calls.entry(function).or_default();
            *number += 1;
            let what = format!("call {number} of {function}: {call}");
            self.put(Aspect::Level, None, what, Origin::Other);
        }
        let said = level.generation.chance.map(|chance| {
            let entries = level.generation.entries.iter().map(|&[weight, class, number]| {
                let who = if class != 0 {
                    let symbol = u8::try_from(number).map_or('?', char::from);
                    any_of(names.of_monster_class(symbol))
                } else {
                    self.species(usize::try_from(number).ok()).into_owned()
                };
                (weight, who)
            });
            in_words(chance, entries)
        });
        if let Some(what) = names.reported_monsters(said) {
            self.put(Aspect::Level, None, what, Origin::Other);
        }
        if let Some(frequency) = level.sounds.frequency {
            let entries = level.sounds.entries.iter().map(|&(kind, text)| format!("{kind} \"{}\"", level.text(text)));
            let mut entries: Vec<String> = entries.collect();
            entries.sort();
            let what = format!("sounds, one in {frequency} turns: {}", entries.join(", "));
            self.put(Aspect::Level, None, what, Origin::Other);
        }
    }

    /// Ore and kelp: the defaults in numbers, and the ground if it has changed since.
    fn ore(&mut self) {
        const USUAL_IN_POOLS: i64 = 10;
        const USUAL_IN_MOATS: i64 = 30;
        let level = self.level;
        let last = if level.ore.is_empty() { Default::default() } else { level.ground() };
        for (at, &[pools, moats, gold, gems]) in level.ore.iter().enumerate() {
            let or = |given: i64, usual: i64| if given < 0 { usual } else { given };
            let (pools, moats) = (or(pools, USUAL_IN_POOLS), or(moats, USUAL_IN_MOATS));
            let gems = match (gold, gems) {
                (0.., ..0) => (gold / 4).to_string(),
                (_, ..0) => "as usual".to_owned(),
                _ => gems.to_string(),
            };
            let gold = if gold < 0 { "as usual".to_owned() } else { gold.to_string() };
            let mut what = format!("kelp in pools {pools}, kelp in moats {moats}, gold {gold}, gems {gems}");
            let ground = level.grounds.iter().rev().find(|(from, _)| *from <= at).map(|(_, ground)| ground);
            if let Some(ground) = ground.filter(|ground| **ground != last) {
                what.push_str(", before the ground changed at");
                for square in (0..SQUARES).filter(|&square| ground.kind(square) != last.kind(square)) {
                    let kind = ground.kind(square).map_or("no", |kind| ["stone", "pool", "moat"][kind]);
                    let _ = write!(what, " {},{} ({kind})", square as i32 / ROWS, square as i32 % ROWS);
                }
            }
            self.put(Aspect::Level, None, what, Origin::Other);
        }
    }

    /// Sounds of rooms, which a hero hears from afar (`dosounds`): the games note the types of rooms that they fill or
    /// count as filled.
    fn room_sounds(&mut self) {
        const HEARD: [&str; 8] = ["vault", "zoo", "throne", "morgue", "beehive", "barracks", "temple", "swamp"];
        let level = self.level;
        let rooms = level.rooms().iter().chain(level.subrooms());
        let mut heard: Vec<String> = rooms
            .filter(|room| room.fill != 0)
            .map(|room| splc_picture::room_kind(room.kind, self.catalog))
            .filter(|kind| HEARD.contains(&kind.as_str()))
            .collect();
        if level.level_flags().temple {
            heard.push("temple".to_owned());
        }
        heard.sort();
        heard.dedup();
        for kind in heard {
            let what = format!("sounds of a {}", self.names.of_room(&kind));
            self.put(Aspect::Level, None, what, Origin::Other);
        }
    }

    fn room(&self, room: &Room, within: &str) -> String {
        let kind = splc_picture::room_kind(room.kind, self.catalog);
        let kind = self.names.of_room(&kind);
        let light = if room.lit { "lit" } else { "unlit" };
        let stocked = if room.stocked { ", stocked" } else { "" };
        let Room { low_x, low_y, high_x, high_y, .. } = *room;
        let mut text = format!("{within}room {low_x},{low_y} to {high_x},{high_y}, {kind}, {light}{stocked}");
        if room.irregular {
            text.push_str(", of the squares");
            // Squares of irregular rooms have the room's number, whose value does not matter.
            let level = self.level;
            let number = self.number_of(room);
            for x in low_x.max(1)..=high_x.min(COLUMNS - 1) {
                for y in low_y.max(0)..=high_y.min(ROWS - 1) {
                    if Some(level.room_number(x, y)) == number && !level.is_edge(x, y) {
                        let _ = write!(text, " {x},{y}");
                    }
                }
            }
        }
        text
    }

    /// Room number on the squares of a room.
    fn number_of(&self, room: &Room) -> Option<i32> {
        let all = self.level.rooms.iter();
        all.enumerate()
            .find(|(_, other)| std::ptr::eq(*other, room))
            .map(|(at, _)| (at as i32 + splc_vm::internals::FIRST_ROOM_NUMBER) & 0x3f)
    }

    fn trap(&self, kind: i32) -> String {
        self.names.of_trap(&splc_picture::trap_name(kind, self.catalog)).to_owned()
    }

    fn species(&self, number: Option<usize>) -> Cow<'a, str> {
        match number.and_then(|number| self.catalog.monsters.get(number)) {
            Some(species) => Cow::Borrowed(self.names.of_monster(&species.name)),
            None => Cow::Borrowed("random monster"),
        }
    }

    fn things(&mut self) {
        let level = self.level;
        let mut held = Held { by_object: Vec::new(), by_monster: Vec::new() };
        for (at, object) in level.objects().iter().enumerate() {
            match object.whereabouts {
                Whereabouts::Contained(holder) => held.by_object.push((holder, at)),
                Whereabouts::Carried(holder) => held.by_monster.push((holder, at)),
                Whereabouts::Floor | Whereabouts::Buried | Whereabouts::Gone => {}
            }
        }
        held.by_object.sort_unstable();
        held.by_monster.sort_unstable();
        for (at, monster) in level.monsters().iter().enumerate() {
            let what = self.monster(at, monster, &held);
            self.put(Aspect::Monster, Some((monster.x, monster.y)), what, Origin::Monster(at));
        }
        let mut piles: BTreeMap<Place, Vec<(Described, Origin)>> = BTreeMap::new();
        for ((x, y), what) in self.terrain_as_objects() {
            self.put(Aspect::Object, Some((x, y)), what, Origin::Square);
        }
        let heaps = level.gold();
        for (at, object) in level.objects().iter().enumerate() {
            let place = (object.x, object.y);
            if let Some(terrain) = self.as_terrain(object) {
                self.object_terrain.push((place, terrain));
                continue;
            }
            match object.whereabouts {
                Whereabouts::Floor => {
                    // Gold is described as gold.
                    let is_gold = object.number.is_none() && Some(object.class) == self.catalog.object_class('$');
                    if is_gold && heaps.iter().any(|gold| (gold.x, gold.y) == place) {
                        continue;
                    }
                    let described = self.object(at, object, &held, 0);
                    stack(piles.entry(place).or_default(), described, Origin::Object(at));
                }
                Whereabouts::Buried => {
                    let what = format!("buried {}", self.object(at, object, &held, 0).whole());
                    self.put(Aspect::Object, Some(place).filter(|&(x, y)| is_ok(x, y)), what, Origin::Object(at));
                }
                Whereabouts::Contained(_) | Whereabouts::Carried(_) | Whereabouts::Gone => {}
            }
        }
        for (place, pile) in piles {
            // The last object on a square lies on top.
            let terrain_on_top = self.names.object_for(level.terrain(place.0, place.1)).is_some();
            let count = pile.len();
            for (at, (described, origin)) in pile.into_iter().enumerate() {
                let mut what = described.whole();
                if count > 1 && at + 1 == count && !terrain_on_top {
                    what.push_str(ON_TOP);
                }
                self.put(Aspect::Object, Some(place).filter(|&(x, y)| is_ok(x, y)), what, origin);
            }
        }
    }

    /// Squares that the other game expresses as objects, with the description of the object.
    fn terrain_as_objects(&self) -> Vec<(Place, String)> {
        let (level, names) = (self.level, self.names);
        if !names.has_terrain_as_objects() {
            return Vec::new();
        }
        let places = (1..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y)));
        let objects = places.filter_map(|(x, y)| {
            let (class, name) = names.object_for(level.terrain(x, y))?;
            Some(((x, y), format!("{class} {name}")))
        });
        objects.collect()
    }

    /// Terrain by which the other game expresses an object.
    fn as_terrain(&self, object: &Object) -> Option<Terrain> {
        let kind = self.catalog.objects.get(usize::from(object.number?))?;
        let terrain = self.names.terrain_for(kind.class, &kind.name)?;
        let lies = object.whereabouts == Whereabouts::Floor && self.level.terrain(object.x, object.y).is_room();
        lies.then_some(terrain)
    }

    fn monster(&self, at: usize, monster: &Monster, held: &Held) -> String {
        let level = self.level;
        let mut text = String::new();
        match monster.peaceful {
            0 => text.push_str("hostile "),
            1 => text.push_str("peaceful "),
            _ => {}
        }
        // A monster with an alignment is awake unless the level says otherwise (`mk_roamer`).
        let is_aligned = || details(&self.monster_details, at).any(|kind| matches!(kind, DetailKind::Alignment(_)));
        match monster.asleep {
            1 => text.push_str("sleeping "),
            0 => text.push_str("waking "),
            _ if is_aligned() => text.push_str("waking "),
            _ => {}
        }
        if monster.waiting {
            text.push_str("meditating ");
        }
        let mut own: Vec<DetailKind> = details(&self.monster_details, at).collect();
        let parts = &self.catalog.monster_parts;
        let is_female =
            |kind: &DetailKind| matches!(part(*kind, parts), Some(("female", number)) if number as i16 != 0);
        if monster.female || own.iter().any(is_female) {
            text.push_str("female ");
        }
        own.retain(|kind| !matches!(part(*kind, parts), Some(("female", _))));
        let number = monster.species.map(usize::from);
        match number.and_then(|number| self.catalog.monsters.get(number)) {
            Some(first) if monster.of_class => {
                let _ = write!(text, "{}", random_monster(self.names.of_monster_class(first.class)));
            }
            _ => text.push_str(&self.species(number)),
        }
        if let Some(name) = monster.name.map(|name| level.text(name)).filter(|name| !name.is_empty()) {
            let _ = write!(text, " named \"{name}\"");
        }
        if let Some((kind, name)) = monster.appearance {
            let of = ["", "the feature ", "the object ", "the monster "];
            let of = usize::try_from(kind).ok().and_then(|kind| of.get(kind)).copied().unwrap_or("");
            let _ = write!(text, " looking like {of}\"{}\"", self.appearance(kind, level.text(name)));
        }
        let mut all: Vec<String> = own.into_iter().filter_map(|kind| self.of_monster(kind)).collect();
        all.sort();
        text.extend(all);
        self.holds(&mut text, of(&held.by_monster, at), held, 0);
        text
    }

    fn appearance<'t>(&'t self, kind: i32, name: &'t str) -> &'t str {
        const OBJECT: i32 = 2;
        const MONSTER: i32 = 3;
        match kind {
            OBJECT => match self.catalog.objects.iter().find(|object| object.name == name) {
                Some(object) => self.names.of_object(object.class, &object.name).1,
                None => name,
            },
            // The games ignore the case of such a name (`name_to_mon`).
            MONSTER => match self.catalog.monsters.iter().find(|known| known.name.eq_ignore_ascii_case(name)) {
                Some(known) => self.names.of_monster(&known.name),
                None => self.names.of_monster(name),
            },
            _ => name,
        }
    }

    /// Describes a detail of a monster, or returns `None` if the game ignores it (`create_monster`).
    fn of_monster(&self, kind: DetailKind) -> Option<String> {
        /// Counters wrap at this number.
        const COUNTED: i16 = 127;
        /// The highest level of a species. The loader keeps an adjusted level between 0 and 49.
        const MAX_LEVEL: i16 = 50;
        let Some((name, number)) = part(kind, &self.catalog.monster_parts) else { return self.other(kind) };
        // The games store these numbers in a short.
        let short = number as i16;
        Some(match name {
            "seentraps" => match number {
                0 => return None,
                -1 => ", knowing all traps".to_owned(),
                mask => {
                    let traps = (0..63).filter(|bit| mask >> bit & 1 != 0).map(|bit| self.trap(bit + 1));
                    let mut traps: Vec<String> = traps.collect();
                    traps.sort();
                    format!(", knowing {}", traps.join("|"))
                }
            },
            _ if short == 0 => return None,
            "fleeing" | "blinded" | "paralyzed" => format!(", {name} {}", short % COUNTED),
            "m_lev_adj" => format!(", {:+} levels", short.clamp(-MAX_LEVEL, MAX_LEVEL)),
            "invis" => ", invisible".to_owned(),
            "avenge" => ", avenging".to_owned(),
            "cancelled" | "revived" | "stunned" | "confused" => format!(", {name}"),
            // The games store it in an int, so all bits set is -1, even if the level file has more bits.
            _ => format!(", {name} {}", number as i32),
        })
    }

    /// Describes a detail that is not a numbered part.
    fn other(&self, kind: DetailKind) -> Option<String> {
        let name = |parts: &'a [(Cow<'static, str>, i64)], part: i64| {
            parts.iter().find(|(_, number)| *number == part).map_or("part", |(name, _)| name.as_ref())
        };
        Some(match kind {
            DetailKind::Number(..) | DetailKind::Named(..) => return None,
            DetailKind::Text(part, value) => {
                format!(", {} \"{}\"", name(&self.catalog.monster_parts, part), self.level.text(value))
            }
            DetailKind::Alignment(mask) => format!(", alignment {mask}"),
            DetailKind::Inventory => ", with its own inventory".to_owned(),
            DetailKind::Container => ", a container".to_owned(),
            DetailKind::Lit => ", burning".to_owned(),
            DetailKind::Prize => ", the prize of the level".to_owned(),
            DetailKind::Words(words) => format!(", {words}"),
            DetailKind::Call(call) => format!(", {}", self.level.text(call)),
        })
    }

    /// Describes the details of an object as far as the game follows them (`create_object`). Sorted, because the source
    /// may list them in any order. An object that is `empty` anyway is not emptied.
    fn of_object(&self, at: usize, empty: bool) -> Vec<String> {
        let mut all = Vec::new();
        let (mut locked, mut broken, mut trapped, mut known) = (None, false, None, None);
        for kind in details(&self.object_details, at).filter(|kind| !(empty && *kind == DetailKind::Container)) {
            let Some((name, number)) = part(kind, &self.catalog.object_parts) else {
                all.extend(self.other(kind));
                continue;
            };
            let by_name = matches!(kind, DetailKind::Named(..));
            let short = number as i16;
            match name {
                // Scripts can lock an object, but not unlock it.
                "locked" if by_name || short != 0 => locked = Some(short != 0),
                "broken" => broken = short != 0,
                "trapped" if matches!(short, 0 | 1) => trapped = Some(short == 1),
                "trap_known" if matches!(short, 0 | 1) => known = Some(short == 1),
                "eroded" if short < 0 => all.push(", erodeproof".to_owned()),
                "eroded" if short != 0 => all.push(format!(", eroded {} and {}", short % 4, (short >> 2) % 4)),
                "recharged" if short % 8 != 0 => all.push(format!(", recharged {}", short % 8)),
                "greased" if short != 0 => all.push(", greased".to_owned()),
                // No game is compiled with invisible objects.
                "locked" | "trapped" | "trap_known" | "eroded" | "recharged" | "greased" | "invis" => {}
                _ if number == 0 => {}
                _ => all.push(format!(", {name} {}", number as i32)),
            }
        }
        match locked {
            Some(true) => all.push(", locked".to_owned()),
            Some(false) => all.push(", unlocked".to_owned()),
            None if broken => all.push(", broken".to_owned()),
            None => {}
        }
        all.extend(trapped.map(|trapped| if trapped { ", trapped" } else { ", without a trap" }.to_owned()));
        let known = known.filter(|_| trapped != Some(false));
        all.extend(known.map(|known| if known { ", its trap known" } else { ", its trap unknown" }.to_owned()));
        all.sort();
        all
    }

    fn holds(&self, text: &mut String, objects: impl Iterator<Item = usize>, held: &Held, depth: usize) {
        let mut list: Vec<(Described, Origin)> = Vec::new();
        for at in objects {
            if let Some(object) = self.level.objects().get(at) {
                stack(&mut list, self.object(at, object, held, depth + 1), Origin::Object(at));
            }
        }
        let mut list: Vec<String> = list.into_iter().map(|(described, _)| described.whole()).collect();
        if !list.is_empty() {
            list.sort();
            let _ = write!(text, ", containing ({})", list.join("; "));
        }
    }

    /// Describes an object with its contents, `depth` containers deep. No level nests containers any deeper.
    fn object(&self, at: usize, object: &Object, held: &Held, depth: usize) -> Described {
        const USUAL: i32 = -127;
        let (level, catalog) = (self.level, self.catalog);
        let mut text = String::new();
        text.push_str(match object.curse {
            1 => "blessed ",
            2 => "uncursed ",
            3 => "cursed ",
            4 => "not cursed ",
            5 => "blessed or cursed ",
            6 => "not blessed ",
            _ => "",
        });
        let number = object.number.map(usize::from);
        let kind = number.and_then(|number| catalog.objects.get(number));
        let likeness = kind.is_some_and(|kind| matches!(kind.name.as_ref(), "statue" | "corpse"));
        match marks(object.enchantment, catalog).filter(|_| likeness) {
            Some(marks) => text.push_str(&marks),
            None if object.enchantment == USUAL => {}
            // Without a number of their own, these have 0 (`mksobj`).
            None if object.enchantment == 0 && kind.is_some_and(|kind| is_unmarked(&kind.name)) => {}
            None => {
                let _ = write!(text, "{:+} ", object.enchantment);
            }
        }
        match kind {
            Some(kind) => {
                let (class, name) = self.names.of_object(kind.class, &kind.name);
                let _ = write!(text, "{class} {name}");
            }
            None => {
                let class = object.class.checked_sub(1).and_then(|at| catalog.object_classes.chars().nth(at));
                match class {
                    Some(class) => {
                        let _ = write!(text, "{}", random_object(self.names.of_object_class(class)));
                    }
                    None => text.push_str("random object"),
                }
            }
        }
        let species = usize::try_from(object.monster).ok();
        match (object.drawn, object.monster) {
            (Drawn::Any, _) => text.push_str(" of a random common monster"),
            (Drawn::Given, -1) => {}
            (Drawn::Given, -2) => text.push_str(" of a random monster"),
            (Drawn::Given, _) => {
                let _ = write!(text, " of {}", self.species(species));
            }
            (Drawn::OfClass, _) => {
                let class = species.and_then(|number| catalog.monsters.get(number)).map_or('?', |known| known.class);
                let _ = write!(text, " of a {}", random_monster(self.names.of_monster_class(class)));
            }
        }
        match object.name.map(|name| level.text(name)) {
            // The game makes no random artifact of a named object, even if the name is empty.
            Some("") if kind.is_none_or(|kind| matches!(kind.class, ')' | '[')) => text.push_str(", never an artifact"),
            Some("") | None => {}
            Some(name) => {
                let _ = write!(text, " named \"{name}\"");
            }
        }
        let plain = text.len();
        // Only tools and statues have contents that the loader could take away.
        let empty = kind.is_some_and(|kind| !matches!(kind.class, '(' | '`' | '0'));
        text.extend(self.of_object(at, empty));
        if depth <= splc_vm::internals::limits::MAX_CONTAINERS {
            self.holds(&mut text, of(&held.by_object, at), held, depth);
        }
        // Objects that do not stack are made one by one, whatever quantity is queried.
        let merges = object.number.is_none_or(|number| {
            let mut ranges = catalog.loader.merging_objects.iter();
            ranges.any(|&(first, last)| (i32::from(first)..=i32::from(last)).contains(&i32::from(number)))
        });
        let quantity = if merges { i64::from(object.quantity.max(0)) } else { 0 };
        let blessing = matches!(object.curse, 1..=3);
        let alike = kind.is_some_and(|kind| match kind.class {
            // Neither gems nor rocks are blessed or cursed, except those that do not stack.
            '*' => true,
            '!' | '?' => blessing,
            '%' => blessing && !matches!(kind.name.as_ref(), "corpse" | "egg" | "tin"),
            _ => false,
        });
        let stacks = alike && merges && quantity > 0 && object.name.is_none() && text.len() == plain;
        Described { text, quantity, stacks }
    }
}

/// Number of a thing's part, with the name of the part.
fn part<'p>(kind: DetailKind, parts: &'p [(Cow<'static, str>, i64)]) -> Option<(&'p str, i64)> {
    match kind {
        DetailKind::Named(name, number) => Some((name, number)),
        DetailKind::Number(part, number) => {
            let name = parts.iter().find(|(_, known)| *known == part).map_or("part", |(name, _)| name.as_ref());
            Some((name, number))
        }
        _ => None,
    }
}

/// Adds an object to a pile. The game merges it with an equal one, and then it lies on top (`stackobj`).
fn stack(pile: &mut Vec<(Described, Origin)>, mut object: Described, origin: Origin) {
    let equal = |known: &Described| known.stacks && object.stacks && known.text == object.text;
    if let Some(at) = pile.iter().position(|(known, _)| equal(known)) {
        object.quantity += pile.remove(at).0.quantity;
    }
    pile.push((object, origin));
}

/// Returns true if the game gives an object of this name the enchantment 0 unless told otherwise.
fn is_unmarked(name: &str) -> bool {
    matches!(name, "egg" | "figurine")
}

/// Describes the marks of a statue or corpse, whose numbers differ between the games: NetHack 3.6's `STATUE_HISTORIC`
/// and its sexes, NetHack 5's `CORPSTAT_HISTORIC` and its sexes. `None` for a number that is not of this kind.
fn marks(number: i32, catalog: &Catalog) -> Option<String> {
    let marked = catalog.format == Format::Lua && catalog.loader.rules.has(LoaderRule::CorpsesAreMarked);
    let (historic, sex) = match marked {
        true => (number & 4 != 0, ["", "female ", "male ", "neuter "].get(number as usize & 3)?),
        false => (number & 1 != 0, ["", "male ", "female "].get(number as usize >> 1)?),
    };
    (0..8).contains(&number).then(|| format!("{}{sex}", if historic { "historic " } else { "" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_fact_is_there_twice() {
        let gold = |place| (Fact { aspect: Aspect::Gold, place, what: "gold".to_owned(), count: 1 }, Origin::Other);
        let (facts, _) = counted(vec![gold(None), gold(Some((1, 1))), gold(None), gold(Some((2, 1)))]);
        let reported: Vec<(Option<Place>, u32)> = facts.iter().map(|fact| (fact.place, fact.count)).collect();
        assert_eq!(reported, [(None, 2), (Some((1, 1)), 1), (Some((2, 1)), 1)]);
    }
}
