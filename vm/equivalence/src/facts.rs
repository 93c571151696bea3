//! A finished level as facts that can be compared across games.
//!
//! Numbers of a game become names. Names of the first game become their counterparts in the second ([`Names`]). The
//! order in which a level makes its things is ignored: monsters, traps, gold, engravings and rooms are sets. So are the
//! objects on a square, in a container or in an inventory, except for the top object of a pile, which a player sees.
//!
//! | subject | compared by |
//! | --- | --- |
//! | a square | terrain; light, but not of solid rock; state and orientation of a door, alignment of an altar, direction of a drawbridge and the terrain below it, diggability and passability of a wall, direction of stairs |
//! | stairs, ladders, branches | place |
//! | rooms | rectangle, type, light, stocking, being a subroom; the squares of an irregular room |
//! | monsters | place, species or class, all details set by the level, inventory |
//! | objects | place, type or class, all details set by the level, contents |
//! | gold, traps, graves, engravings | place, type, amount, text, destination |
//! | the level | flags, arrivals, messages line by line, sounds, monsters to come, ore |
//! | a failed run | the fault |
//!
//! Ignored, because no player meets it: marks of the loader, numbers of rooms, permission for corridors to join a room,
//! the tone of a squeaky board.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use splc_ir::catalog::Catalog;
use splc_picture::{altar_name, door_name, flags, random_monster, random_object};
use splc_vm::internals::{Detail, DetailKind, Epitaph, bridge, index, is_ok, wall};
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
        let is_ground = self.aspect == Aspect::Terrain && GROUND.iter().any(|ground| ground.name() == self.what);
        (self.aspect, self.place.is_none(), self.count, is_ground, &self.place, &self.what)
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

impl Square {
    fn of(level: &Level, x: i32, y: i32, names: &Names) -> Self {
        let own = level.terrain(x, y);
        let bits = level.flags(x, y) as u32;
        let hard = (wall::NON_DIGGABLE | wall::NON_PASSABLE) as u32;
        let detail = match own {
            Terrain::DOOR | Terrain::SECRET_DOOR => {
                DETAILED | bits | if level.is_horizontal(x, y) { ALONG_ROW } else { 0 }
            }
            Terrain::ALTAR | Terrain::STAIRS | Terrain::LADDER => DETAILED | bits,
            Terrain::ICE if bits != 0 => DETAILED | bits,
            own if own.is_drawbridge() => DETAILED | bits,
            own if bits & hard != 0
                && (own.is_wall_or_stone() || matches!(own, Terrain::TREE | Terrain::IRON_BARS)) =>
            {
                DETAILED | bits & hard
            }
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
            format!("{} along the {lies}", door_name(terrain, bits))
        }
        Terrain::ALTAR => altar_name(bits),
        Terrain::STAIRS | Terrain::LADDER => {
            format!("{} {}", terrain.name(), if bits & 2 != 0 { "down" } else { "up" })
        }
        Terrain::ICE => "ice over water".to_owned(),
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
            format!("{} that cannot be {fast}", terrain.name())
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
        let mut taker = Taker { level, catalog, names, found: Vec::new(), object_terrain: Vec::new() };
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
}

/// Contents and inventories: sorted pairs of holder and object.
struct Held {
    by_object: Vec<(usize, usize)>,
    by_monster: Vec<(usize, usize)>,
}

fn of(pairs: &[(usize, usize)], holder: usize) -> impl Iterator<Item = usize> + '_ {
    let start = pairs.partition_point(|&(of, _)| of < holder);
    pairs[start..].iter().take_while(move |&&(of, _)| of == holder).map(|&(_, object)| object)
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
            if trap.down != 0 {
                let _ = write!(what, " {} levels deep", trap.down);
            }
            if trap.seen {
                what.push_str(", known");
            }
            self.put(Aspect::Trap, Some((trap.x, trap.y)), what, Origin::Trap(at));
        }
        for (at, gold) in level.gold().iter().enumerate() {
            let what = if gold.amount == 0 { "gold".to_owned() } else { format!("{} gold", gold.amount) };
            self.put(Aspect::Gold, Some((gold.x, gold.y)), what, Origin::Gold(at));
        }
        for (at, engraving) in level.engravings().iter().enumerate() {
            let how = ["", "dust ", "engraved ", "burned ", "marked ", "blood "];
            let how = usize::try_from(engraving.kind).ok().and_then(|kind| how.get(kind)).copied().unwrap_or("");
            let what = format!("{how}engraving \"{}\"", level.text(engraving.text));
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
        self.things();
    }

    fn of_level(&mut self) {
        let level = self.level;
        let names = self.names;
        let mut known: Vec<&str> = flags(level).into_iter().filter_map(|flag| names.of_flag(flag)).collect();
        let unsaid: Vec<&str> = names.unsaid_flags().filter(|flag| !known.contains(flag)).collect();
        known.extend(unsaid);
        for flag in known {
            self.put(Aspect::Level, None, format!("flag {flag}"), Origin::Other);
        }
        for (from, arrival) in [("below", level.arrival_from_below()), ("above", level.arrival_from_above())] {
            if *arrival != Arrival::default() {
                let Arrival { within, outside } = arrival;
                let what = format!("arrival from {from} within {within:?}, outside of {outside:?}");
                self.put(Aspect::Level, None, what, Origin::Other);
            }
        }
        for zone in &level.zones {
            let what = format!("zone of kind {} {:?}", zone.kind, zone.area);
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
        for [pools, moats, gold, gems] in &level.ore {
            let what = format!("kelp in pools {pools}, kelp in moats {moats}, gold {gold}, gems {gems}");
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
        if let Some(what) = names.told_monsters(said) {
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
        // The last object on a square lies on top.
        let mut piles: BTreeMap<Place, (usize, usize)> = BTreeMap::new();
        for (place, what) in self.terrain_as_objects() {
            piles.insert(place, (1, usize::MAX));
            self.put(Aspect::Object, Some(place), what, Origin::Square);
        }
        for (at, object) in level.objects().iter().enumerate() {
            if object.whereabouts == Whereabouts::Floor && self.as_terrain(object).is_none() {
                let pile = piles.entry((object.x, object.y)).or_default();
                *pile = (pile.0 + 1, at);
            }
        }
        for (at, object) in level.objects().iter().enumerate() {
            let place = (object.x, object.y);
            if let Some(terrain) = self.as_terrain(object) {
                self.object_terrain.push((place, terrain));
                continue;
            }
            let mut what = match object.whereabouts {
                Whereabouts::Floor => String::new(),
                Whereabouts::Buried => "buried ".to_owned(),
                Whereabouts::Contained(_) | Whereabouts::Carried(_) | Whereabouts::Gone => continue,
            };
            self.object(&mut what, at, object, &held, 0);
            if object.whereabouts == Whereabouts::Floor
                && piles.get(&place).is_some_and(|&(count, last)| count > 1 && last == at)
            {
                what.push_str(ON_TOP);
            }
            self.put(Aspect::Object, Some(place).filter(|&(x, y)| is_ok(x, y)), what, Origin::Object(at));
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
        match monster.asleep {
            0 => text.push_str("waking "),
            1 => text.push_str("sleeping "),
            _ => {}
        }
        if monster.waiting {
            text.push_str("meditating ");
        }
        if monster.female {
            text.push_str("female ");
        }
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
            let _ = write!(text, " looking like \"{}\"", self.appearance(kind, level.text(name)));
        }
        self.details(&mut text, details(&level.monster_details, at), &self.catalog.monster_parts);
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
            MONSTER => self.names.of_monster(name),
            _ => name,
        }
    }

    /// Sorted, because the source may list them in any order.
    fn details(
        &self,
        text: &mut String,
        details: impl Iterator<Item = DetailKind>,
        parts: &[(Cow<'static, str>, i64)],
    ) {
        let mut all: Vec<String> = details
            .map(|detail| {
                let mut text = String::new();
                self.detail(&mut text, detail, parts);
                text
            })
            .collect();
        all.sort();
        text.extend(all);
    }

    fn detail(&self, text: &mut String, detail: DetailKind, parts: &[(Cow<'static, str>, i64)]) {
        let name =
            |part: i64| parts.iter().find(|(_, number)| *number == part).map_or("part", |(name, _)| name.as_ref());
        let _ = match detail {
            // To the game, 0 means unset, except for traps in containers.
            DetailKind::Number(part, 0) if name(part) != "trapped" => Ok(()),
            DetailKind::Number(part, -1) if name(part) == "seentraps" => write!(text, ", knowing all traps"),
            DetailKind::Number(part, mask) if name(part) == "seentraps" => {
                let traps = (0..63).filter(|bit| mask >> bit & 1 != 0).map(|bit| self.trap(bit + 1));
                let mut traps: Vec<String> = traps.collect();
                traps.sort();
                write!(text, ", knowing {}", traps.join("|"))
            }
            // The games store it in an int, so all bits set is -1, even if the level file has more bits.
            DetailKind::Number(part, number) => write!(text, ", {} {}", name(part), number as i32),
            DetailKind::Text(part, value) => write!(text, ", {} \"{}\"", name(part), self.level.text(value)),
            DetailKind::Alignment(mask) => write!(text, ", alignment {mask}"),
            DetailKind::Inventory => write!(text, ", with its own inventory"),
            DetailKind::Container => write!(text, ", a container"),
            DetailKind::Lit => write!(text, ", burning"),
        };
    }

    fn holds(&self, text: &mut String, objects: impl Iterator<Item = usize>, held: &Held, depth: usize) {
        let mut list: Vec<String> = objects
            .filter_map(|at| {
                let mut text = String::new();
                self.object(&mut text, at, self.level.objects().get(at)?, held, depth + 1);
                Some(text)
            })
            .collect();
        if !list.is_empty() {
            list.sort();
            let _ = write!(text, ", containing ({})", list.join("; "));
        }
    }

    /// Describes an object with its contents, `depth` containers deep. No level nests containers any deeper.
    fn object(&self, text: &mut String, at: usize, object: &Object, held: &Held, depth: usize) {
        const USUAL: i32 = -127;
        let level = self.level;
        if object.quantity > 0 {
            let _ = write!(text, "{} ", object.quantity);
        }
        text.push_str(match object.curse {
            1 => "blessed ",
            2 => "uncursed ",
            3 => "cursed ",
            _ => "",
        });
        if object.enchantment != USUAL {
            let _ = write!(text, "{:+} ", object.enchantment);
        }
        let number = object.number.map(usize::from);
        match number.and_then(|number| self.catalog.objects.get(number)) {
            Some(kind) => {
                let (class, name) = self.names.of_object(kind.class, &kind.name);
                let _ = write!(text, "{class} {name}");
            }
            None => {
                let class = object.class.checked_sub(1).and_then(|at| self.catalog.object_classes.chars().nth(at));
                match class {
                    Some(class) => {
                        let _ = write!(text, "{}", random_object(self.names.of_object_class(class)));
                    }
                    None => text.push_str("random object"),
                }
            }
        }
        match object.monster {
            -1 => {}
            -2 => text.push_str(" of a random monster"),
            monster => {
                let _ = write!(text, " of {}", self.species(usize::try_from(monster).ok()));
            }
        }
        if let Some(name) = object.name.map(|name| level.text(name)).filter(|name| !name.is_empty()) {
            let _ = write!(text, " named \"{name}\"");
        }
        self.details(text, details(&level.object_details, at), &self.catalog.object_parts);
        if depth <= splc_vm::internals::limits::MAX_CONTAINERS {
            self.holds(text, of(&held.by_object, at), held, depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_fact_is_there_twice() {
        let gold = |place| (Fact { aspect: Aspect::Gold, place, what: "gold".to_owned(), count: 1 }, Origin::Other);
        let (facts, _) = counted(vec![gold(None), gold(Some((1, 1))), gold(None), gold(Some((2, 1)))]);
        let told: Vec<(Option<Place>, u32)> = facts.iter().map(|fact| (fact.place, fact.count)).collect();
        assert_eq!(told, [(None, 2), (Some((1, 1)), 1), (Some((2, 1)), 1)]);
    }
}
