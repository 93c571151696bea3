//! A finished level, and what both languages need of it.

use std::collections::{HashMap, HashSet};

use splc_ir::catalog::Catalog;
use splc_picture::Picture;
use splc_vm::internals::{Detail, DetailKind, FIRST_ROOM_NUMBER, bridge, wall};
use splc_vm::{Arrival, COLUMNS, Engraving, Level, Object, Place, ROWS, Room, Terrain, Trap, Whereabouts};

use crate::Origin;

/// Steps to the north, south, east and west, in the order of the directions of drawbridges.
const STEPS: [Place; 4] = [(0, -1), (0, 1), (1, 0), (-1, 0)];
/// Words of those directions.
pub(crate) const DIRECTIONS: [&str; 4] = ["north", "south", "east", "west"];

/// The value for "as usual" of an enchantment.
pub(crate) const USUAL: i32 = -127;
/// The flag of an altar in a shrine.
pub(crate) const SHRINE: i32 = 8;
/// Types of engravings, from 1.
const ENGRAVINGS: [&str; 5] = ["dust", "engrave", "burn", "mark", "blood"];

/// Corners of a rectangle: the first column and row, and the last.
pub(crate) type Area = [i32; 4];

/// A level, with an index of its things.
pub(crate) struct Survey<'a> {
    pub level: &'a Level,
    pub catalog: &'a Catalog,
    /// Squares that the statement of a drawbridge turns into its portcullis.
    portcullises: HashSet<Place>,
    characters: HashMap<Terrain, char>,
    /// Objects by the object that contains them, and by the monster that carries them.
    contained: HashMap<usize, Vec<usize>>,
    carried: HashMap<usize, Vec<usize>>,
    /// Details by their thing.
    of_monsters: HashMap<usize, Vec<DetailKind>>,
    of_objects: HashMap<usize, Vec<DetailKind>>,
}

impl<'a> Survey<'a> {
    pub fn new(level: &'a Level, catalog: &'a Catalog) -> Self {
        let mut portcullises = HashSet::new();
        for (x, y) in places() {
            if level.terrain(x, y).is_drawbridge() {
                let (dx, dy) = STEPS[direction(level.flags(x, y))];
                portcullises.insert((x + dx, y + dy));
            }
        }
        let character = |&terrain: &Terrain| {
            let number = terrain.number_in(catalog)?;
            Some((terrain, catalog.map_character(number)?))
        };
        let (mut contained, mut carried) = (HashMap::<usize, Vec<usize>>::new(), HashMap::<usize, Vec<usize>>::new());
        for (at, object) in level.objects().iter().enumerate() {
            match object.whereabouts {
                Whereabouts::Contained(holder) => contained.entry(holder).or_default().push(at),
                Whereabouts::Carried(holder) => carried.entry(holder).or_default().push(at),
                Whereabouts::Floor | Whereabouts::Buried | Whereabouts::Gone => {}
            }
        }
        let by_thing = |details: &[Detail]| {
            let mut all = HashMap::<usize, Vec<DetailKind>>::new();
            details.iter().for_each(|detail| all.entry(detail.of).or_default().push(detail.kind));
            all
        };
        Survey {
            level,
            catalog,
            portcullises,
            characters: Terrain::ALL.iter().filter_map(character).collect(),
            contained,
            carried,
            of_monsters: by_thing(&level.monster_details),
            of_objects: by_thing(&level.object_details),
        }
    }

    /// Returns the lines at the top: the origin, and a picture.
    pub fn heading(&self, origin: Origin<'_>) -> Vec<String> {
        let Origin { name, seed } = origin;
        let name: String = name.chars().filter(|c| !c.is_control()).collect();
        let version = env!("CARGO_PKG_VERSION");
        let mut lines = vec![format!("{name}, seed {seed}, for {}. Frozen by splc {version}.", self.catalog.title)];
        let picture = Picture::of(self.level, self.catalog).text();
        let rows = picture.lines().map(str::trim_end).filter(|row| !row.is_empty());
        lines.extend(rows.map(|row| format!("  {row}")));
        lines
    }

    /// Returns the character of a square on a map; that of floor where a statement sets the terrain.
    fn character(&self, (x, y): Place) -> char {
        let terrain = self.level.terrain(x, y);
        if terrain.is_drawbridge() {
            return match self.level.flags(x, y) & bridge::BELOW {
                bridge::MOAT_BELOW => '}',
                bridge::LAVA_BELOW => 'L',
                8 => 'I',
                _ => '.',
            };
        }
        // A drawbridge is only made next to a wall (`create_drawbridge`).
        if self.portcullises.contains(&(x, y)) {
            return '|';
        }
        match terrain {
            Terrain::VERTICAL_WALL => '|',
            // The loader joins walls, whatever their shape on the map.
            terrain if terrain.is_wall() && terrain != Terrain::DRAWBRIDGE_WALL => {
                self.characters.get(&terrain).copied().unwrap_or('-')
            }
            // Statements set them.
            Terrain::STAIRS | Terrain::LADDER | Terrain::FOUNTAIN | Terrain::SINK | Terrain::ALTAR | Terrain::GRAVE => {
                '.'
            }
            terrain => self.characters.get(&terrain).copied().unwrap_or('.'),
        }
    }

    /// Returns the rectangles of the terrain other than stone, with their characters and their light.
    pub fn terrain(&self) -> Vec<(char, bool, Area)> {
        self.rectangles(|place| {
            let character = self.character(place);
            (character != ' ').then(|| (character, self.level.is_lit(place.0, place.1)))
        })
        .into_iter()
        .map(|((character, lit), area)| (character, lit, area))
        .collect()
    }

    /// Returns the rectangles of the terrain without its light, which is needed before rooms are declared.
    pub fn plain_terrain(&self) -> Vec<(char, Area)> {
        self.rectangles(|place| Some(self.character(place)).filter(|&character| character != ' '))
    }

    /// Divides the squares that have a key into rectangles with equal keys.
    fn rectangles<K: PartialEq + Copy>(&self, key: impl Fn(Place) -> Option<K>) -> Vec<(K, Area)> {
        let mut done = HashSet::new();
        let mut all = Vec::new();
        for (x1, y1) in places() {
            let Some(wanted) = key((x1, y1)).filter(|_| !done.contains(&(x1, y1))) else { continue };
            let fits = |place: Place, done: &HashSet<Place>| {
                place.0 < COLUMNS && place.1 < ROWS && !done.contains(&place) && key(place) == Some(wanted)
            };
            let (mut x2, mut y2) = (x1, y1);
            while fits((x2 + 1, y1), &done) {
                x2 += 1;
            }
            while (x1..=x2).all(|x| fits((x, y2 + 1), &done)) {
                y2 += 1;
            }
            done.extend(squares([x1, y1, x2, y2]));
            all.push((wanted, [x1, y1, x2, y2]));
        }
        all
    }

    /// Returns rectangles whose walls all have the bit. Squares that are not walls can be in any of them.
    pub fn hard(&self, bit: i32) -> Vec<Area> {
        let (mut left, mut free) = (HashSet::new(), HashSet::new());
        for (x, y) in places() {
            let terrain = self.level.terrain(x, y);
            let is_hard = terrain.is_wall_or_stone() || matches!(terrain, Terrain::TREE | Terrain::IRON_BARS);
            if !is_hard {
                free.insert((x, y));
            } else if self.level.flags(x, y) & bit != 0 {
                left.insert((x, y));
            }
        }
        let good: HashSet<Place> = left.union(&free).copied().collect();
        let mut all = Vec::new();
        for (x1, y1) in places() {
            if !left.contains(&(x1, y1)) {
                continue;
            }
            let (mut x2, mut y2) = (x1, y1);
            while good.contains(&(x2 + 1, y1)) {
                x2 += 1;
            }
            while (x1..=x2).all(|x| good.contains(&(x, y2 + 1))) {
                y2 += 1;
            }
            squares([x1, y1, x2, y2]).for_each(|place| {
                left.remove(&place);
            });
            all.push([x1, y1, x2, y2]);
        }
        all
    }

    /// Returns the rooms, each with the subrooms inside it.
    pub fn rooms(&self) -> Vec<(&'a Room, Vec<&'a Room>)> {
        let mut left: Vec<&Room> = self.level.subrooms().iter().collect();
        let mut all = Vec::new();
        for room in self.level.rooms() {
            let inside = |it: &&Room| {
                room.low_x <= it.low_x && room.low_y <= it.low_y && it.high_x <= room.high_x && it.high_y <= room.high_y
            };
            let within: Vec<&Room> = left.iter().copied().filter(inside).collect();
            left.retain(|it| !inside(it));
            all.push((room, within));
        }
        all
    }

    /// Returns the area of a region that makes a room. The loader spreads an irregular room from the first corner, so
    /// that is one of its squares.
    pub fn region(&self, room: &Room) -> Area {
        let Room { low_x, low_y, high_x, high_y, .. } = *room;
        let area = [low_x, low_y, high_x, high_y];
        let number = self.level.rooms().iter().position(|it| std::ptr::eq(it, room)).and_then(|at| at.try_into().ok());
        let Some(number) = number.filter(|_| room.irregular).map(|at: i32| FIRST_ROOM_NUMBER + at) else { return area };
        let is_inside = |&(x, y): &Place| self.level.room_number(x, y) == number && !self.level.is_edge(x, y);
        squares(area).find(is_inside).map_or(area, |(x, y)| [x, y, high_x, high_y])
    }

    /// Returns true for the square of a door that is written as one.
    pub fn is_door(&self, place: Place) -> bool {
        self.level.terrain(place.0, place.1).is_door_or_secret() && !self.portcullises.contains(&place)
    }

    /// Returns the directions of the stairs and ladders: place, up, ladder. The last of a direction is the one that a
    /// game with one of each uses.
    pub fn stairways(&self) -> Vec<(Place, bool, bool)> {
        let level = self.level;
        if !level.stairways.is_empty() {
            return level.stairways.iter().map(|it| ((it.x, it.y), it.up, it.ladder)).collect();
        }
        let stairs = level.stairs();
        let named = [
            (stairs.up, true, false),
            (stairs.down, false, false),
            (stairs.ladder_up, true, true),
            (stairs.ladder_down, false, true),
        ];
        let is_named = |place| place == stairs.branch || named.iter().any(|&(known, ..)| known == place);
        let others = places()
            .filter(|&(x, y)| matches!(level.terrain(x, y), Terrain::STAIRS | Terrain::LADDER) && !is_named((x, y)));
        let mut all: Vec<(Place, bool, bool)> =
            others.map(|(x, y)| ((x, y), level.flags(x, y) & 2 == 0, level.terrain(x, y) == Terrain::LADDER)).collect();
        all.extend(named.into_iter().filter(|((x, _), ..)| *x != 0));
        all
    }

    /// Returns the areas in which the branch is: one square if the level has chosen it.
    pub fn branches(&self) -> Vec<Arrival> {
        match self.level.branch {
            Some((x, y)) => vec![Arrival { within: [x, y, x, y], outside: elsewhere((x, y)) }],
            None => self.level.branches().to_vec(),
        }
    }

    /// Returns the areas in which a hero arrives by other means than stairs, and the directions of those arrivals.
    pub fn arrivals(&self) -> impl Iterator<Item = (&'a Arrival, &'static str)> {
        let all = [(self.level.arrival_from_above(), "down"), (self.level.arrival_from_below(), "up")];
        all.into_iter().filter(|(arrival, _)| **arrival != Arrival::default())
    }

    /// Returns the engravings that can be written, with the words of their types.
    pub fn engravings(&self) -> impl Iterator<Item = (&'static str, &'a Engraving)> {
        self.level.engravings().iter().filter_map(|it| {
            let kind = usize::try_from(it.kind).ok()?.checked_sub(1)?;
            Some((*ENGRAVINGS.get(kind)?, it))
        })
    }

    /// Returns the monsters that a statement of their own makes, by their numbers, and the webs that must come after
    /// them, because their spiders share the square with an earlier monster. The spider of a web comes with it.
    pub fn monsters_without_spiders(&self) -> (Vec<usize>, HashSet<Place>) {
        let spider = self.catalog.monster("giant spider", None).and_then(|(number, _)| u16::try_from(number).ok());
        let web = self.catalog.trap("web");
        let is_web = |trap: &&Trap| Some(trap.kind) == web;
        let mut webs: HashSet<Place> = self.level.traps().iter().filter(is_web).map(|it| (it.x, it.y)).collect();
        let (mut own, mut taken, mut late) = (Vec::new(), HashSet::new(), HashSet::new());
        for (at, monster) in self.level.monsters().iter().enumerate() {
            let place = (monster.x, monster.y);
            let is_plain = spider.is_some()
                && monster.species == spider
                && !monster.of_class
                && monster.name.is_none()
                && (monster.peaceful, monster.asleep) == (-1, -1)
                && self.of_monster(at).is_empty()
                && self.carried(at).is_empty();
            if is_plain && webs.remove(&place) {
                late.extend(taken.contains(&place).then_some(place));
            } else {
                own.push(at);
            }
            taken.insert(place);
        }
        (own, late)
    }

    /// Returns the objects in an object.
    pub fn contained(&self, object: usize) -> &[usize] {
        self.contained.get(&object).map_or(&[], Vec::as_slice)
    }

    /// Returns the objects of a monster.
    pub fn carried(&self, monster: usize) -> &[usize] {
        self.carried.get(&monster).map_or(&[], Vec::as_slice)
    }

    /// Returns the details of a monster.
    pub fn of_monster(&self, monster: usize) -> &[DetailKind] {
        self.of_monsters.get(&monster).map_or(&[], Vec::as_slice)
    }

    /// Returns the details of an object.
    pub fn of_object(&self, object: usize) -> &[DetailKind] {
        self.of_objects.get(&object).map_or(&[], Vec::as_slice)
    }

    /// Returns the name and number of a detail that is a part of a thing.
    pub fn part<'p>(kind: DetailKind, parts: &'p [(std::borrow::Cow<'static, str>, i64)]) -> Option<(&'p str, i64)> {
        match kind {
            DetailKind::Named(name, number) => Some((name, number)),
            DetailKind::Number(part, number) => {
                parts.iter().find(|(_, known)| *known == part).map(|(name, _)| (name.as_ref(), number))
            }
            _ => None,
        }
    }

    /// Returns the class and name of a species, as far as the level chooses it.
    pub fn species(&self, number: Option<u16>, of_class: bool) -> (Option<char>, Option<&'a str>) {
        let known = number.and_then(|number| self.catalog.monsters.get(usize::from(number)));
        known.map_or((None, None), |it| (Some(it.class), (!of_class).then(|| it.name.as_ref())))
    }

    /// Returns the class and name of an object, as far as the level chooses it.
    pub fn kind(&self, object: &Object) -> (Option<char>, Option<&'a str>) {
        let known = object.number.and_then(|number| self.catalog.objects.get(usize::from(number)));
        let class = object.class.checked_sub(1).and_then(|class| self.catalog.object_classes.chars().nth(class));
        (known.map(|it| it.class).or(class), known.map(|it| it.name.as_ref()))
    }

    /// Returns the word of an alignment, as a mask.
    pub fn alignment(mask: i32) -> &'static str {
        match mask & 7 {
            1 => "chaos",
            2 => "neutral",
            4 => "law",
            _ => "noalign",
        }
    }

    /// Returns the word of the state of a door.
    pub fn door_state(&self, (x, y): Place) -> &'static str {
        match self.level.flags(x, y) & 15 {
            1 => "broken",
            2 => "open",
            4 => "closed",
            8 => "locked",
            _ => "nodoor",
        }
    }

    /// Returns the direction of a drawbridge, and true if it is open.
    pub fn bridge(&self, (x, y): Place) -> (&'static str, bool) {
        let way = DIRECTIONS[direction(self.level.flags(x, y))];
        (way, self.level.terrain(x, y) == Terrain::DRAWBRIDGE_DOWN)
    }

    /// Returns the areas for walls that cannot be dug, and for those that cannot be passed.
    pub fn hard_walls(&self) -> [Vec<Area>; 2] {
        [wall::NON_DIGGABLE, wall::NON_PASSABLE].map(|bit| self.hard(bit))
    }
}

fn direction(flags: i32) -> usize {
    (flags & bridge::DIRECTION) as usize & 3
}

/// Returns an area that does not have the place.
pub(crate) fn elsewhere(place: Place) -> Area {
    if place == (1, 0) { [2, 0, 2, 0] } else { [1, 0, 1, 0] }
}

/// All squares, row by row.
pub(crate) fn places() -> impl Iterator<Item = Place> {
    (0..ROWS).flat_map(|y| (1..COLUMNS).map(move |x| (x, y)))
}

fn squares([x1, y1, x2, y2]: Area) -> impl Iterator<Item = Place> {
    (x1..=x2).flat_map(move |x| (y1..=y2).map(move |y| (x, y)))
}
