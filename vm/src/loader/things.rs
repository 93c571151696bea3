//! Things put into a level: monsters, objects, gold, engravings, graves, altars.
//!
//! The VM puts things where the game puts them. The details of a thing (hit points, weapons, contents) are decided by
//! the game with draws from elsewhere, so a thing takes no such draws here.

use splc_ir::catalog::{Feature, Habit, LoaderRule};
use splc_lua::names;

use super::places::Humidity;
use super::{Loader, schar};
use crate::error::Fault;
use crate::game::is_amphibious;
use crate::level::{
    COLUMNS, Detail, DetailKind, Drawn, Engraving, Epitaph, Gold, Grave, LevelText, Monster, Object, Place, Priest,
    ROWS, Whereabouts, bridge, door, is_ok, wall,
};
use crate::observer::{AppearanceFault, Complaint, Event, Loudness};
use crate::settings::{Alignment, Surrounding};
use crate::terrain::Terrain;

/// A species or object type of which only the class is given.
pub(crate) const UNKNOWN_SPECIES: i32 = -1;
/// Alignment of a monster without a given alignment.
pub(crate) const NO_ALIGNMENT: i32 = -12;
/// Random alignment.
const RANDOM_ALIGNMENT: i32 = -11;
/// Bit for a shrine in an altar's mask.
const SHRINE: i32 = 8;
/// Bit for a high priest's altar.
const SANCTUM: i32 = 16;

/// A script's request for a monster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MonsterRequest<'t> {
    pub species: i32,
    /// Symbol of its class, as stored in the game's `schar`; negative for any.
    pub class: i32,
    pub place: i64,
    pub alignment: i32,
    pub peaceful: i32,
    pub asleep: i32,
    pub name: Option<&'t str>,
    pub appearance: Option<(i32, &'t str)>,
    pub inventory: Inventory,
}

/// A request for a monster's inventory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inventory {
    /// The usual inventory of the species is taken away.
    pub discards: bool,
    /// Objects for it follow.
    pub follows: bool,
}

impl Inventory {
    /// An inventory in place of the usual one, if `given`.
    pub const fn own(given: bool) -> Self {
        Inventory { discards: given, follows: given }
    }
}

/// A script's request for an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectRequest<'t> {
    pub number: i32,
    /// Symbol of its class, as stored in the game's `schar`; negative for any.
    pub class: i32,
    pub place: i64,
    /// 1 if it goes into a container or inventory; 2 if it is a container.
    pub containment: i64,
    pub name: Option<&'t str>,
    /// -1 for none, -2 for random.
    pub monster: i32,
    pub drawn: Drawn,
    pub quantity: i32,
    pub curse: i32,
    pub enchantment: i32,
    pub buried: bool,
    pub lit: bool,
    /// True for the prize of the level.
    pub prize: bool,
}

impl ObjectRequest<'_> {
    /// A request for any object without further details. It goes into a container or inventory if `containment` is 1,
    /// and is a container if it is 2.
    pub fn any(place: i64, containment: i64) -> Self {
        ObjectRequest {
            number: -1,
            class: -1,
            place,
            containment,
            name: None,
            monster: -1,
            drawn: Drawn::Given,
            quantity: -1,
            curse: -1,
            enchantment: -127,
            buried: false,
            lit: false,
            prize: false,
        }
    }
}

/// The result of burying an object.
enum Burial {
    /// It stays where it is.
    None,
    /// It is buried; most lights go out.
    Buried { goes_out: bool },
    /// It becomes part of the ground.
    Gone,
}

/// A request for an altar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AltarRequest {
    pub x: i32,
    pub y: i32,
    pub alignment: i32,
    /// 0 for none, 2 for a high priest's, negative for random.
    pub shrine: i32,
    /// True if the surrounding room is a temple.
    pub temple: bool,
}

impl Loader<'_> {
    // Places for monsters.

    pub(super) fn is_closed_door(&self, x: i32, y: i32) -> bool {
        self.terrain(x, y) == Terrain::DOOR && self.level.flags(x, y) & (door::CLOSED | door::LOCKED) != 0
    }

    /// Returns true if a place is accessible (`accessible`).
    fn is_accessible(&self, x: i32, y: i32) -> bool {
        let mut terrain = self.terrain(x, y);
        if terrain == Terrain::DRAWBRIDGE_UP && self.has(LoaderRule::RaisedBridgesAreLookedUnder) {
            let ice_below = 8;
            let ice = self.level.flags(x, y) & bridge::BELOW == ice_below;
            terrain = if ice { Terrain::ICE } else { Terrain::STONE };
        }
        terrain.is_accessible() && !self.is_closed_door(x, y)
    }

    /// Returns true if a place is suitable for a monster of a species (`goodpos`).
    fn is_good_place(&mut self, x: i32, y: i32, species: Option<u16>) -> bool {
        if !is_ok(x, y) || self.level.monster_at(x, y).is_some() {
            return false;
        }
        let habits = self.game.habits(species);
        let hovers = habits.has(Habit::Floater) || habits.has(Habit::Fly);
        if self.is_pool(x, y) {
            return habits.has(Habit::Swim) || hovers || habits.has(Habit::Cling);
        }
        if self.game.class(species) == Some(';') && self.rn2(13) != 0 {
            return false;
        }
        if self.is_lava(x, y) {
            let eye = species == self.game.floating_eye && !self.has(LoaderRule::EyesHoverOverLava);
            return !eye && (hovers || habits.has(Habit::LavaOk));
        }
        if habits.has(Habit::WalkWalls) {
            let terrain = self.terrain(x, y);
            let trees = self.has(LoaderRule::TreesCanBeImpassable);
            let barrier =
                terrain.is_wall_or_stone() || (trees && matches!(terrain, Terrain::TREE | Terrain::DEAD_TREE));
            if !(barrier && self.level.flags(x, y) & wall::NON_PASSABLE != 0) {
                return true;
            }
        }
        if habits.has(Habit::Amorphous) && self.is_closed_door(x, y) {
            return true;
        }
        self.is_accessible(x, y) && (habits.has(Habit::ThrowsRocks) || !self.level.has_boulder(x, y))
    }

    /// Returns true if a place is suitable for a monster of a species, in a game that checks what scares monsters
    /// (`goodpos`).
    fn is_good_for(&mut self, x: i32, y: i32, species: Option<u16>, scared: bool) -> bool {
        if !is_ok(x, y) || self.level.monster_at(x, y).is_some() {
            return false;
        }
        let habits = self.game.habits(species);
        let in_air = habits.has(Habit::Floater) || habits.has(Habit::Fly);
        if self.is_pool(x, y) {
            return habits.has(Habit::Swim) || (in_air && self.terrain(x, y) != Terrain::WATER);
        }
        if self.game.class(species) == Some(';') && self.rn2(13) != 0 {
            return false;
        }
        if self.is_lava(x, y) {
            return species != self.game.floating_eye && (in_air || habits.has(Habit::LavaOk));
        }
        if habits.has(Habit::WalkWalls) {
            let barrier = self.terrain(x, y).is_wall_or_stone() && self.level.flags(x, y) & wall::NON_PASSABLE != 0;
            if !barrier {
                return true;
            }
        }
        if habits.has(Habit::Amorphous) && self.is_closed_door(x, y) {
            return true;
        }
        if scared && self.scares(x, y, species) {
            return false;
        }
        self.is_accessible(x, y) && (habits.has(Habit::ThrowsRocks) || !self.level.has_boulder(x, y))
    }

    /// Returns true if something at the place scares monsters of a species (`goodpos_onscary`).
    fn scares(&self, x: i32, y: i32, species: Option<u16>) -> bool {
        let habits = self.game.habits(species);
        let class = self.game.class(species);
        if species.is_none() || matches!(class, Some('@' | 'A')) || habits.has(Habit::Unique) {
            return false;
        }
        if self.terrain(x, y) == Terrain::ALTAR && class == Some('V') {
            return true;
        }
        let scroll = self.level.objects.iter().any(|object| {
            (object.x, object.y) == (x, y)
                && object.whereabouts == Whereabouts::Floor
                && object.number.is_some_and(|number| i32::from(number) == self.game.scare_monster)
        });
        if scroll {
            return true;
        }
        if species == self.game.minotaur || habits.has(Habit::Eyeless) {
            return false;
        }
        let mut engravings = self.level.engravings.iter();
        engravings
            .any(|known| (known.x, known.y) == (x, y) && self.level.text(known.text).eq_ignore_ascii_case("Elbereth"))
    }

    /// Finds a place near another: nearest first, and equally near places in random order (`enexto_core`).
    fn place_in_rings(&mut self, (x, y): Place, species: Option<u16>, scared: bool) -> Option<Place> {
        /// Radius searched before the whole level is (`enexto_core`).
        const NEAR: i32 = 3;
        let mut places = std::mem::take(&mut self.scratch.squares);
        let mut found = None;
        let mut skipped = 0;
        for farthest in [NEAR, COLUMNS] {
            self.collect_places(&mut places, (x, y), farthest);
            let candidates = places.iter().skip(skipped);
            for &at in candidates {
                let place = (i32::from(at >> 8), i32::from(at & 0xff));
                if self.is_good_for(place.0, place.1, species, scared) {
                    found = Some(place);
                    break;
                }
            }
            if found.is_some() {
                break;
            }
            skipped = places.len();
        }
        self.scratch.squares = places;
        found
    }

    /// Collects the places around another, ring by ring, with each ring shuffled (`collect_coords`).
    fn collect_places(&mut self, places: &mut Vec<u16>, (center_x, center_y): Place, farthest: i32) {
        places.clear();
        let rows = if center_y < ROWS / 2 { ROWS - 1 - center_y } else { center_y };
        let columns = if center_x < COLUMNS / 2 { COLUMNS - 1 - center_x } else { center_x };
        for radius in 1..=farthest.min(rows.max(columns)) {
            let mut first = places.len();
            let (low_x, high_x) = (center_x - radius, center_x + radius);
            let (low_y, high_y) = (center_y - radius, center_y + radius);
            for y in low_y.max(0)..=high_y.min(ROWS - 1) {
                for x in low_x.max(1)..=high_x.min(COLUMNS - 1) {
                    if x == low_x || x == high_x || y == low_y || y == high_y {
                        places.push((x << 8 | y) as u16);
                    }
                }
            }
            while places.len() - first > 1 {
                let pick = self.rn2((places.len() - first) as i32) as usize;
                places.swap(first, first + pick);
                first += 1;
            }
        }
    }

    /// Finds a place near another for a monster of a species (`enexto`).
    fn place_near(&mut self, (x, y): Place, species: Option<u16>) -> Option<Place> {
        if self.has(LoaderRule::NearPlacesByShuffledRings) {
            let unscared = self.place_in_rings((x, y), species, true);
            return unscared.or_else(|| self.place_in_rings((x, y), species, false));
        }
        const MOST: usize = 15;
        let mut good = [(0, 0); MOST];
        let mut count = 0;
        let by_sides = self.has(LoaderRule::NearPlacesBySides);
        let farthest = (x - 1).max(COLUMNS - 1 - x).max(y.max(ROWS - 1 - y)).max(1);
        for range in 1..=if by_sides { COLUMNS } else { farthest } {
            let (min_x, max_x) = ((x - range).max(1), (x + range).min(COLUMNS - 1));
            let (min_y, max_y) = ((y - range).max(0), (y + range).min(ROWS - 1));
            let (across, down) = (max_x - min_x + 1, max_y - min_y);
            let around = if by_sides { 2 * across + 2 * (down - 1).max(0) } else { 2 * across + 2 * down };
            for step in 0..around {
                let (x, y) = if by_sides {
                    // Top, bottom, left, right; the corners belong to top and bottom.
                    match step - 2 * across {
                        ..0 => (min_x + step % across, if step < across { min_y } else { max_y }),
                        row if row < down - 1 => (min_x, min_y + 1 + row),
                        row => (max_x, min_y + 1 + row - (down - 1)),
                    }
                } else {
                    match step - 2 * across {
                        ..0 => (min_x + step / 2, if step % 2 == 0 { min_y } else { max_y }),
                        row => (if row % 2 == 0 { min_x } else { max_x }, min_y + row / 2),
                    }
                };
                if self.is_good_place(x, y, species) {
                    good[count] = (x, y);
                    count += 1;
                    if count == MOST {
                        break;
                    }
                }
            }
            // The last round of a search by sides fails unless it finds the maximum number of places.
            if count == MOST || (count > 0 && !(by_sides && range == COLUMNS)) {
                return Some(good[self.rn2(count as i32) as usize]);
            }
        }
        None
    }

    /// Requirements for a random place for a monster (`pm_to_humidity`).
    fn humidity_for(&self, species: Option<u16>) -> Humidity {
        let habits = self.game.habits(species);
        if self.has(LoaderRule::SwimmersAloneGetWet) {
            return match (habits.has(Habit::Swim), self.game.class(species)) {
                (true, Some(';')) => Humidity::WET.and(Humidity::HOT),
                (true, _) => Humidity::WET_OR_DRY,
                (false, _) => Humidity::DRY,
            };
        }
        let amphibious = if self.has(LoaderRule::BreathlessMonstersStayDry) {
            habits.has(Habit::Amphibious)
        } else {
            is_amphibious(habits)
        };
        let water = self.game.class(species) == Some(';') || amphibious || habits.has(Habit::Swim);
        let mut humidity = if water { Humidity::WET } else { Humidity::DRY };
        if habits.has(Habit::Fly) || habits.has(Habit::Floater) {
            humidity = humidity.and(Humidity::HOT).and(Humidity::WET);
        }
        if habits.has(Habit::WalkWalls) || habits.has(Habit::Noncorporeal) {
            humidity = humidity.and(Humidity::SOLID);
        }
        if habits.has(Habit::Flaming) {
            humidity = humidity.and(Humidity::HOT);
        }
        humidity
    }

    // Alignments.

    /// Draws an alignment that is not the hero's (`noncoalignment`).
    fn noncoaligned(&mut self) -> Alignment {
        let one = self.rn2(2) != 0;
        match (self.ask(Surrounding::HeroAlignment).hero.alignment, one) {
            (Alignment::Neutral | Alignment::Lawful, true) => Alignment::Chaotic,
            (Alignment::Neutral, false) | (Alignment::Chaotic, true) => Alignment::Lawful,
            (Alignment::Lawful | Alignment::Chaotic, false) => Alignment::Neutral,
        }
    }

    /// Draws the mask of an alignment that is not the hero's. The games' macro (`Align2amask`) evaluates its argument
    /// up to three times, with new draws each time: to compare it with none, to compare it with lawful, and to read its
    /// number. So the mask may be that of no alignment.
    fn quirk_noncoaligned_mask(&mut self) -> i32 {
        self.noncoaligned();
        if self.noncoaligned() == Alignment::Lawful {
            return Alignment::Lawful.mask();
        }
        match self.noncoaligned() {
            Alignment::Chaotic => 1,
            Alignment::Neutral => 2,
            Alignment::Lawful => 3,
        }
    }

    /// Draws an alignment biased towards the dungeon's (`induced_align`), as a mask.
    fn induced_alignment(&mut self) -> i32 {
        if let Some(alignment) = self.settings.alignment
            && self.rn2(100) < 80
        {
            return alignment.mask();
        }
        [Alignment::Chaotic, Alignment::Neutral, Alignment::Lawful][self.rn2(3) as usize % 3].mask()
    }

    fn alignment_mask(&mut self, alignment: i32, is_random: impl Fn(i32) -> bool) -> i32 {
        // An alignment is drawn for monsters without one, too, but not used.
        if alignment != NO_ALIGNMENT && is_random(alignment) {
            self.ask(Surrounding::DungeonAlignment);
        }
        match alignment {
            own if own == self.game.coaligned => self.ask(Surrounding::HeroAlignment).hero.alignment.mask(),
            other if other == self.game.noncoaligned => self.quirk_noncoaligned_mask(),
            random if is_random(random) => self.induced_alignment(),
            register if register < 0 => {
                self.scratch.alignments_matter = true;
                self.alignments.get((-register - 1) as usize).copied().unwrap_or_default()
            }
            mask => mask,
        }
    }

    // Monsters.

    /// Puts a monster at a place, whatever is there (`makemon`). Returns its index.
    pub fn make_monster(&mut self, species: Option<u16>, of_class: bool, x: i32, y: i32) -> usize {
        let catalog = self.game.catalog.clone();
        let known = species.and_then(|number| catalog.monsters.get(usize::from(number)));
        self.report(Event::Monster { x, y, name: known.map(|species| species.name.as_ref()) });
        let monster = self.level.monsters.len();
        if self.has(LoaderRule::OccupiedPlacesTakeNoMonster)
            && let Some(there) = self.level.monster_at(x, y)
        {
            return there;
        }
        self.level.monsters.push(Monster {
            x,
            y,
            species,
            of_class,
            name: None,
            appearance: None,
            peaceful: -1,
            asleep: -1,
            female: false,
            waiting: false,
            shape: (0, 0),
        });
        self.level.set_monster_at(x, y, Some(monster));
        monster
    }

    /// Returns true for the class `#` of games that read the name only when they make the thing, as for a wish. Any
    /// thing takes its place.
    fn is_open_class(&self, class: i32) -> bool {
        class == i32::from(b'#') && self.game.catalog.has(Feature::ClassesByHash)
    }

    /// Resolves the requested species, and draws its alignment. The flag is true if only the class is given.
    pub fn choose_species(&mut self, request: &MonsterRequest<'_>) -> Result<(Option<u16>, bool), Fault> {
        let class = match request.class {
            0.. if !self.is_open_class(request.class) => {
                let symbol = char::from(request.class as u8);
                if !self.game.has_monster_class(symbol) {
                    return Err(Fault::MonsterClass(symbol));
                }
                Some(request.class as u8)
            }
            _ => None,
        };
        self.chosen_alignment = self.alignment_mask(request.alignment, |alignment| alignment <= RANDOM_ALIGNMENT);
        Ok(match class {
            None => (None, false),
            Some(symbol) if request.species == UNKNOWN_SPECIES => (self.game.first_of_class(symbol), true),
            Some(_) => {
                let known =
                    usize::try_from(request.species).is_ok_and(|number| number < self.game.catalog.monsters.len());
                (known.then_some(request.species as u16), false)
            }
        })
    }

    /// Returns true for a unique monster that the level already has: the game makes none again (`propagate`).
    pub fn is_there_already(&self, species: Option<u16>, of_class: bool) -> bool {
        self.has(LoaderRule::UniqueMonstersComeOnce)
            && !of_class
            && self.game.habits(species).has(Habit::Unique)
            && species != self.game.high_cleric
            && self.level.monsters.iter().any(|known| known.species == species && !known.of_class)
    }

    /// Makes a monster requested by a script (`create_monster`).
    pub fn create_monster(&mut self, request: &MonsterRequest<'_>, room: Option<usize>) -> Result<(), Fault> {
        self.draw_certain_chance();
        let (species, of_class) = self.choose_species(request)?;
        if self.is_there_already(species, of_class) {
            return Ok(());
        }
        let place = if species.is_some() && self.has(LoaderRule::SwimmersAloneGetWet) {
            self.location_of(request.place, self.humidity_for(species), room)
        } else if species.is_some() {
            let humidity = self.humidity_for(species);
            match self.location_of(request.place, humidity.and(Humidity::QUIET), room) {
                (-1, -1) => self.location_of(request.place, humidity.and(Humidity::DRY), room),
                place => place,
            }
        } else {
            self.location_of(request.place, Humidity::DRY, room)
        };
        let place = self.beside_others(place, species);
        if let Some(room) = room.filter(|_| self.has(LoaderRule::MonstersStayInTheirRoom))
            && !self.is_inside(room, place.0, place.1)
        {
            return Ok(());
        }
        self.put_monster(request, species, of_class, place);
        Ok(())
    }

    /// Returns the place, or one near it if it is occupied by a monster.
    pub fn beside_others(&mut self, place: Place, species: Option<u16>) -> Place {
        if self.level.monster_at(place.0, place.1).is_none() {
            return place;
        }
        self.place_near(place, species).unwrap_or(place)
    }

    /// Puts a monster at a place with its details.
    pub fn put_monster(&mut self, request: &MonsterRequest<'_>, species: Option<u16>, of_class: bool, place: Place) {
        let (x, y) = place;
        let before = self.level.monsters.len();
        let monster = self.make_monster(species, of_class, x, y);
        if request.alignment != NO_ALIGNMENT && self.has(LoaderRule::TracesAreDetailed) {
            self.report(Event::MonsterAligned(match self.chosen_alignment & 7 {
                1 => -1,
                2 => 0,
                4 => 1,
                _ => -128,
            }));
        }
        if self.level.monsters.len() == before {
            return;
        }
        if let Some(name) = request.name {
            self.report(Event::MonsterNamed(name));
            self.level.monsters[monster].name = Some(self.level.keep_text(name));
        }
        let changes = |kind: i32| {
            const MONSTER: i32 = 3;
            self.has(LoaderRule::AnyoneCanBeDisguised)
                || kind == MONSTER && self.game.habits(species).has(Habit::Shapeshifter)
        };
        let looks = |&(kind, _): &(i32, &str)| self.game.class(species) == Some('m') || changes(kind);
        if let Some((kind, name)) = request.appearance.filter(looks) {
            match self.appearance_fault(species, kind, name) {
                Some(fault) => {
                    let warned = self.has(LoaderRule::PlacesAreWarnedOf);
                    let loudness = if warned { Loudness::Warning } else { Loudness::Impossible };
                    self.complain(Complaint::Appearance { fault, loudness });
                }
                None => self.level.monsters[monster].appearance = Some((kind, self.level.keep_text(name))),
            }
        }
        let roams = request.alignment != NO_ALIGNMENT;
        // A monster with an alignment is peaceful unless the level says otherwise (`mk_roamer`).
        self.level.monsters[monster].peaceful = if roams && request.peaceful == -1 { 1 } else { request.peaceful };
        self.level.monsters[monster].asleep = request.asleep;
        if roams {
            let kind = DetailKind::Alignment(self.chosen_alignment);
            self.level.monster_details.push(Detail { of: monster, kind });
        }
        if request.inventory.discards && !self.game.carries_nothing(species, of_class) {
            self.level.monster_details.push(Detail { of: monster, kind: DetailKind::Inventory });
        }
        if request.inventory.follows {
            self.carrier = Some(monster);
        }
    }

    /// Returns the problem with a mimic's appearance, if any. Names of features are not checked, because the catalog
    /// does not list them.
    fn appearance_fault(&self, species: Option<u16>, kind: i32, name: &str) -> Option<AppearanceFault> {
        const NOTHING: i32 = 0;
        const FEATURE: i32 = 1;
        const OBJECT: i32 = 2;
        const MONSTER: i32 = 3;
        match kind {
            NOTHING => Some(AppearanceFault::NoKind),
            FEATURE => None,
            OBJECT => {
                let known = self.game.catalog.objects.iter().any(|object| object.name == name);
                (!known).then_some(AppearanceFault::NoSuchObject)
            }
            MONSTER if !self.has(LoaderRule::MimicsAreNoMonsters) => {
                let is_random = name.eq_ignore_ascii_case("random");
                // An exact name is found without memory.
                let catalog = &self.game.catalog;
                let loosely = || names::monster(catalog, name).map(|found| found.number);
                let shape = names::corpse(catalog, name).or_else(loosely);
                let can = match shape.and_then(|shape| u16::try_from(shape).ok()) {
                    Some(shape) => self.game.can_look_like(species, shape),
                    None => is_random,
                };
                (!can).then_some(AppearanceFault::NoSuchShape)
            }
            _ => Some(AppearanceFault::UnknownKind),
        }
    }

    // Objects.

    /// Returns true if an object is a boulder. An object given only by its class counts as the first of the class,
    /// which matters if the game checks for boulders.
    pub fn is_boulder(&self, class: usize, number: Option<u16>) -> bool {
        match number {
            Some(number) => i32::from(number) == self.game.boulder,
            None => class == self.game.rock_class && self.has(LoaderRule::DryIsSpaceWithoutBoulders),
        }
    }

    fn add_object(&mut self, class: usize, number: Option<u16>, x: i32, y: i32) -> usize {
        if self.is_boulder(class, number) {
            self.level.set_boulder(x, y, true);
        }
        let object = self.level.objects.len();
        self.level.objects.push(Object {
            x,
            y,
            class,
            number,
            whereabouts: Whereabouts::Floor,
            name: None,
            monster: -1,
            drawn: Drawn::Given,
            quantity: -1,
            curse: -1,
            enchantment: -127,
        });
        object
    }

    /// Puts an object of a type at a place (`mksobj_at`). Returns its index.
    pub fn make_object(&mut self, number: i32, x: i32, y: i32) -> usize {
        let catalog = self.game.catalog.clone();
        let known = usize::try_from(number).ok().and_then(|at| catalog.objects.get(at));
        self.report(Event::Object { x, y, number, name: known.map_or("", |object| object.name.as_ref()) });
        let class = known.and_then(|object| self.game.object_class(object.class)).unwrap_or(0);
        self.add_object(class, u16::try_from(number).ok(), x, y)
    }

    /// Puts an object of a class at a place (`mkobj_at`). Returns its index.
    pub fn make_object_of_class(&mut self, class: usize, x: i32, y: i32) -> usize {
        self.report(Event::ObjectOfClass { x, y, class });
        self.add_object(class, None, x, y)
    }

    /// Puts gold at a place. An amount below 1 is that of the depth (`mkgold`).
    pub fn make_gold(&mut self, amount: i64, x: i32, y: i32) {
        self.report(Event::Gold { x, y, amount });
        self.level.gold_after.push(self.level.objects.len());
        self.level.gold.push(Gold { x, y, amount: amount.max(0) });
    }

    /// Makes an object requested by a script (`create_object`).
    pub fn create_object(&mut self, request: &ObjectRequest<'_>, room: Option<usize>) -> Result<(), Fault> {
        self.draw_certain_chance();
        let place = self.location_of(request.place, Humidity::DRY, room);
        self.put_object(request, place)
    }

    /// Puts an object at a place, into a container, or into an inventory.
    pub fn put_object(&mut self, request: &ObjectRequest<'_>, (x, y): Place) -> Result<(), Fault> {
        // An object that does not stay on the floor leaves the square as it was.
        let had_boulder = self.level.has_boulder(x, y);
        let inside = request.containment & 1 != 0 && self.container_count > 0;
        let object = match request.class {
            ..=0 => self.make_object_of_class(0, x, y),
            class if self.is_open_class(class) => self.make_object_of_class(0, x, y),
            _ if request.number != UNKNOWN_SPECIES => self.make_object(request.number, x, y),
            class => {
                let symbol = char::from(class as u8);
                let class = self.game.object_class(symbol).ok_or(Fault::ObjectClass(symbol))?;
                if class == self.game.gold_class {
                    self.make_gold(0, x, y);
                    self.add_object(class, None, x, y)
                } else {
                    self.make_object_of_class(class, x, y)
                }
            }
        };
        {
            let object = &mut self.level.objects[object];
            object.quantity = request.quantity;
            object.curse = request.curse;
            object.enchantment = request.enchantment;
            object.monster = request.monster;
            object.drawn = request.drawn;
        }
        if request.monster != -1 && !self.has(LoaderRule::MonstersOfObjectsUnnoted) {
            let catalog = self.game.catalog.clone();
            let known = usize::try_from(request.monster).ok().and_then(|number| catalog.monsters.get(number));
            let reported = self.has(LoaderRule::TracesAreDetailed);
            let name = reported.then(|| known.map_or("-", |species| species.name.as_ref()));
            self.report(Event::ObjectOfMonster { number: request.monster, name });
        }
        if let Some(name) = request.name {
            self.report(Event::ObjectNamed(name));
            self.level.objects[object].name = Some(self.level.keep_text(name));
        }
        if request.containment & 1 != 0 {
            match (self.container_count.checked_sub(1), self.carrier) {
                (Some(last), _) => match self.containers[last] {
                    Some(container) => {
                        self.level.objects[object].whereabouts = Whereabouts::Contained(container);
                        self.level.set_boulder(x, y, had_boulder);
                        self.report(Event::ObjectContained);
                    }
                    None => {
                        self.level.objects[object].whereabouts = Whereabouts::Gone;
                        self.level.set_boulder(x, y, had_boulder);
                        return Ok(());
                    }
                },
                (None, Some(monster)) => {
                    self.level.objects[object].whereabouts = Whereabouts::Carried(monster);
                    self.level.set_boulder(x, y, had_boulder);
                    // A saddle is put on, which is not reported as carrying.
                    if request.number != self.game.saddle || !self.has(LoaderRule::TracesAreDetailed) {
                        self.report(Event::ObjectCarried);
                    }
                }
                (None, None) => {}
            }
        }
        if request.containment & 2 != 0 {
            self.level.object_details.push(Detail { of: object, kind: DetailKind::Container });
            match self.containers.get_mut(self.container_count) {
                Some(slot) => {
                    *slot = Some(object);
                    self.container_count += 1;
                }
                None => self.complain(Complaint::DeepContainers),
            }
        }
        if request.prize {
            self.level.object_details.push(Detail { of: object, kind: DetailKind::Prize });
            if self.has(LoaderRule::TracesAreDetailed) {
                self.report(Event::ObjectIsPrize);
            }
        }
        // NetHack 5 buries an object even out of an inventory, at the place drawn for it.
        let can_be_buried = match self.level.objects[object].whereabouts {
            Whereabouts::Floor => true,
            Whereabouts::Carried(_) => self.has(LoaderRule::TracesAreDetailed),
            _ => false,
        };
        let burial = if request.buried && can_be_buried { self.burial(object) } else { Burial::None };
        if request.lit && !(inside && self.has(LoaderRule::TracesAreDetailed)) {
            if !matches!(burial, Burial::Buried { goes_out: true }) {
                self.level.object_details.push(Detail { of: object, kind: DetailKind::Lit });
            }
            self.report(Event::ObjectLit);
        }
        if request.buried {
            self.report(Event::ObjectBuried);
        }
        match burial {
            Burial::None => {}
            Burial::Buried { .. } => {
                self.level.objects[object].whereabouts = Whereabouts::Buried;
                self.level.set_boulder(x, y, had_boulder);
            }
            Burial::Gone => {
                self.level.objects[object].whereabouts = Whereabouts::Gone;
                self.level.set_boulder(x, y, had_boulder);
                if let Some(last) = self.container_count.checked_sub(1) {
                    self.containers[last] = None;
                }
            }
        }
        Ok(())
    }

    /// The result of burying an object (`bury_an_obj`).
    fn burial(&self, object: usize) -> Burial {
        let Object { x, y, number, monster, .. } = self.level.objects[object];
        let catalog = &self.game.catalog;
        let known = number.and_then(|number| catalog.objects.get(usize::from(number)));
        let Some(known) = known else { return Burial::Buried { goes_out: false } };
        let rider = || {
            let species = usize::try_from(monster).ok().and_then(|number| catalog.monsters.get(number));
            species.is_some_and(|species| matches!(species.name.as_ref(), "Death" | "Pestilence" | "Famine"))
        };
        match known.name.as_ref() {
            "Amulet of Yendor" | "Bell of Opening" | "Candelabrum of Invocation" | "Book of the Dead" => Burial::None,
            "corpse" if rider() => Burial::None,
            "rock" if self.terrain(x, y) != Terrain::ICE => Burial::Gone,
            "boulder" if self.has(LoaderRule::BuriedBouldersVanish) => Burial::Gone,
            name => Burial::Buried { goes_out: !(name == "oil" && known.class == '!') },
        }
    }

    /// Ends a container (`spo_pop_container`).
    pub fn pop_container(&mut self) {
        self.container_count = self.container_count.saturating_sub(1);
        self.containers[self.container_count] = None;
    }

    // Engravings and graves.

    /// Engraves a text (`make_engr_at`).
    pub fn engrave(&mut self, x: i32, y: i32, kind: i32, text: &str) {
        const KINDS: i32 = 5;
        let kept = self.has(LoaderRule::EngravingsAreKept);
        let kind = if kind > 0 || !kept { kind } else { self.rnd(KINDS) };
        if !kept || self.has(LoaderRule::TracesAreDetailed) {
            self.report(Event::Engraving { x, y, kind, text });
        }
        self.remove_engraving(x, y);
        let text: LevelText = self.level.keep_text(text);
        self.level.engravings.push(Engraving { x, y, kind, text, degrades: true, guards: false });
    }

    /// Moves objects buried at a place to the floor and removes the engraving there (`unearth_objs`).
    pub fn unearth(&mut self, x: i32, y: i32) {
        for at in 0..self.level.objects.len() {
            let object = &mut self.level.objects[at];
            if object.whereabouts == Whereabouts::Buried && (object.x, object.y) == (x, y) {
                object.whereabouts = Whereabouts::Floor;
                if object.number.is_some_and(|number| i32::from(number) == self.game.boulder) {
                    self.level.set_boulder(x, y, true);
                }
            }
        }
        self.remove_engraving(x, y);
    }

    /// Removes the engraving or epitaph at a place (`del_engr_at`).
    pub fn remove_engraving(&mut self, x: i32, y: i32) {
        self.level.graves.retain(|grave| (grave.x, grave.y) != (x, y));
        if let Some(at) = self.level.engravings.iter().position(|known| (known.x, known.y) == (x, y)) {
            self.level.engravings.remove(at);
        }
    }

    /// Digs a grave (`spo_grave`). Kind 2 has the given epitaph, 1 a random one.
    pub fn dig_grave(&mut self, x: i32, y: i32, kind: i64, text: &str) {
        if !is_ok(x, y) || self.level.trap_at(x, y).is_some() {
            return;
        }
        self.level.set_terrain(x, y, Terrain::GRAVE);
        let epitaph = match kind {
            2 => Some(Epitaph::Text(self.level.keep_text(text))),
            1 => Some(Epitaph::Random),
            _ => None,
        };
        self.remove_engraving(x, y);
        self.level.graves.push(Grave { x, y, epitaph });
        match kind {
            2 => self.report(Event::Grave { x, y, text: Some(text) }),
            1 => self.report(Event::Grave { x, y, text: None }),
            _ => {}
        }
    }

    // Altars.

    /// Makes an altar (`create_altar`). `shrine` is 0 for none, 2 for a high priest's, negative for random.
    pub fn create_altar(&mut self, place: i64, alignment: i32, shrine: i32, room: Option<usize>) -> Result<(), Fault> {
        let temple_kind = self.game.rooms.temple;
        let ((x, y), temple) = match room {
            Some(room) => (self.free_place(place, room)?, self.level.rooms[room].kind == temple_kind),
            None => {
                let (x, y) = self.location_of(place, Humidity::DRY, None);
                ((x, y), self.is_in_temple(x, y))
            }
        };
        self.put_altar(&AltarRequest { x, y, alignment, shrine, temple });
        Ok(())
    }

    /// Returns true if the place is in a temple or its walls.
    pub fn is_in_temple(&self, x: i32, y: i32) -> bool {
        self.room_at(x, y, |room| room.kind == self.game.rooms.temple).is_some()
    }

    /// Makes an altar at a place, with a priest if it is a shrine in a temple.
    pub fn put_altar(&mut self, &AltarRequest { x, y, alignment, shrine, temple }: &AltarRequest) {
        if matches!(self.terrain(x, y), Terrain::STAIRS | Terrain::LADDER) {
            return;
        }
        let mask = self.alignment_mask(alignment, |alignment| alignment == RANDOM_ALIGNMENT);
        self.level.set_terrain(x, y, Terrain::ALTAR);
        self.level.set_flags(x, y, mask);
        if schar(shrine) > 0 && !temple {
            self.complain(crate::observer::Complaint::ShrineWithoutTemple);
        }
        let shrine = if schar(shrine) < 0 { self.rn2(2) } else { shrine };
        if temple && shrine != 0 {
            self.report(Event::Priest { x, y, sanctum: shrine > 1 });
            self.level.priests.push(Priest { x, y, high: shrine > 1 });
            let sanctum = if shrine == 2 && self.has(LoaderRule::SanctumsAreMarked) { SANCTUM } else { 0 };
            self.level.set_flags(x, y, self.level.flags(x, y) | SHRINE | sanctum);
            self.level.level_flags.temple = true;
        }
    }
}
