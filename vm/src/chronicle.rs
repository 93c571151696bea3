//! The makers of a level: the step, and thus the statement, that made each thing and square.

use crate::level::{COLUMNS, Level, Place, ROWS, SQUARES, Stairs, Trap, index, is_ok};
use crate::observer::{Event, Flow, Observer};
use crate::prepared::StepKind;
use crate::terrain::Terrain;
use crate::view::View;
use splc_ir::program::Opcode;

/// Most steps with random traps that are remembered.
const MAX_RISKS: usize = 64;

/// Number of squares in a column.
const COLUMN: usize = ROWS as usize;

/// The step that made something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maker {
    /// Number of the step; one past the last for things made while the level is finished.
    pub at: usize,
    /// Origin of the step's coordinates, before the level was flipped.
    pub origin: Place,
}

/// Records which step made what. It must also see the [finished](Chronicle::finish) level.
#[derive(Clone, Debug)]
pub struct Chronicle {
    running: Maker,
    /// True if the current step can change the level.
    acts: bool,
    monsters: Vec<Maker>,
    objects: Vec<Maker>,
    gold: Vec<Maker>,
    traps: Vec<(Trap, Maker)>,
    engravings: Vec<(Place, Maker)>,
    /// Corners of the maps laid, each once.
    maps: Vec<Place>,
    lays: bool,
    /// True while the level is finished.
    ends: bool,
    rooms: Vec<Maker>,
    subrooms: Vec<Maker>,
    stairs: Stairs,
    /// Terrain and flags before the current step.
    terrain: Box<[Terrain; SQUARES]>,
    flags: Box<[u8; SQUARES]>,
    /// Step that last changed each square, plus one (0 means none), and its origin.
    squares: Box<[(u32, i8, i8); SQUARES]>,
    /// Number of times each step ran.
    runs: Vec<u32>,
    /// True for each step that changed terrain or its flags.
    effects: Vec<bool>,
    /// Steps that put a trap at a random place, with the area.
    random_traps: Vec<(usize, [i32; 4])>,
    /// The same for the finished level.
    placed_at_random: Vec<(usize, [i32; 4])>,
    /// True if an object is the prize of the level.
    has_prize: bool,
    /// Such steps with a place in their area where a later step made furniture.
    risks: Vec<(usize, Place)>,
}

impl Default for Chronicle {
    fn default() -> Self {
        Chronicle {
            running: Maker { at: 0, origin: (0, 0) },
            acts: false,
            monsters: Vec::new(),
            objects: Vec::new(),
            gold: Vec::new(),
            traps: Vec::new(),
            engravings: Vec::new(),
            maps: Vec::new(),
            lays: false,
            ends: false,
            rooms: Vec::new(),
            subrooms: Vec::new(),
            stairs: Stairs::default(),
            terrain: Box::new([Terrain::STONE; SQUARES]),
            flags: Box::new([0; SQUARES]),
            squares: Box::new([(0, 0, 0); SQUARES]),
            runs: Vec::new(),
            effects: Vec::new(),
            random_traps: Vec::new(),
            placed_at_random: Vec::new(),
            has_prize: false,
            risks: Vec::new(),
        }
    }
}

impl Chronicle {
    /// Creates an empty record.
    pub fn new() -> Self {
        Self::default()
    }

    /// Clears the record for another run.
    pub fn clear(&mut self) {
        self.acts = false;
        self.monsters.clear();
        self.objects.clear();
        self.gold.clear();
        self.traps.clear();
        self.engravings.clear();
        self.maps.clear();
        self.lays = false;
        self.ends = false;
        self.rooms.clear();
        self.subrooms.clear();
        self.stairs = Stairs::default();
        self.terrain.fill(Terrain::STONE);
        self.flags.fill(0);
        self.squares.fill((0, 0, 0));
        self.runs.clear();
        self.effects.clear();
        self.random_traps.clear();
        self.placed_at_random.clear();
        self.has_prize = false;
        self.risks.clear();
    }

    /// Records everything done after the last step. Before this call, the answers describe the level without it.
    pub fn finish(&mut self, level: &Level) {
        self.things(level);
        // Finishing turns walls and removes marks of maps, which keep their makers, and makes the stairs of level
        // regions.
        let mark = (u32::try_from(self.running.at + 1).unwrap_or(0), 0, 0);
        for x in 1..COLUMNS {
            for y in 0..ROWS {
                let (was_x, was_y) = level.mirror().map_or((x, y), |mirror| mirror.place((x, y)));
                let terrain = level.terrain(x, y);
                if is_ok(was_x, was_y) && terrain.is_furniture() && self.terrain[index(was_x, was_y)] != terrain {
                    self.squares[index(was_x, was_y)] = mark;
                }
            }
        }
    }

    /// Maker of the monster at that index.
    pub fn monster(&self, index: usize) -> Option<Maker> {
        self.monsters.get(index).copied()
    }

    /// Maker of the object at that index.
    pub fn object(&self, index: usize) -> Option<Maker> {
        self.objects.get(index).copied()
    }

    /// Maker of the gold at that index.
    pub fn gold(&self, index: usize) -> Option<Maker> {
        self.gold.get(index).copied()
    }

    /// Maker of the trap at that index.
    pub fn trap(&self, index: usize) -> Option<Maker> {
        self.traps.get(index).map(|&(_, maker)| maker)
    }

    /// Maker of the engraving at that index.
    pub fn engraving(&self, index: usize) -> Option<Maker> {
        self.engravings.get(index).map(|&(_, maker)| maker)
    }

    /// Upper left corners of the maps laid, each once, before the level was flipped.
    pub fn maps(&self) -> &[Place] {
        &self.maps
    }

    /// Maker of the room at that index.
    pub fn room(&self, index: usize) -> Option<Maker> {
        self.rooms.get(index).copied()
    }

    /// Maker of the subroom at that index.
    pub fn subroom(&self, index: usize) -> Option<Maker> {
        self.subrooms.get(index).copied()
    }

    /// Step that last changed a square of the finished level; `None` for the ground on which the first step builds.
    pub fn square(&self, (x, y): Place, level: &Level) -> Option<Maker> {
        let (x, y) = level.mirror().map_or((x, y), |mirror| mirror.place((x, y)));
        let (at, origin_x, origin_y) = if is_ok(x, y) { self.squares[index(x, y)] } else { return None };
        let at = usize::try_from(at).ok()?.checked_sub(1)?;
        Some(Maker { at, origin: (origin_x.into(), origin_y.into()) })
    }

    /// Returns the step `at` as the maker of a thing at a place of the finished level, or otherwise of the square
    /// itself.
    pub fn maker_at(&self, place: Place, at: usize, level: &Level) -> Option<Maker> {
        let monsters = level.monsters().iter().map(|monster| (monster.x, monster.y)).zip(&self.monsters);
        let objects = level.objects().iter().map(|object| (object.x, object.y)).zip(&self.objects);
        let gold = level.gold().iter().map(|gold| (gold.x, gold.y)).zip(&self.gold);
        let traps = self.traps.iter().map(|(trap, maker)| ((trap.x, trap.y), maker));
        let engravings = self.engravings.iter().map(|(place, maker)| (*place, maker));
        let things = monsters.chain(objects).chain(gold).chain(traps).chain(engravings);
        let made = things.filter(|(there, maker)| *there == place && maker.at == at).map(|(_, maker)| *maker).next();
        made.or_else(|| self.square(place, level))
    }

    /// Number of times the step ran.
    pub fn runs(&self, at: usize) -> u32 {
        self.runs.get(at).copied().unwrap_or(0)
    }

    /// Returns true if the step changed terrain or its flags.
    pub fn had_effect(&self, at: usize) -> bool {
        self.effects.get(at).is_some_and(|effect| *effect)
    }

    /// Steps that put traps at random places, each with a place of the finished level where a later step made
    /// furniture.
    pub fn traps_before_furniture<'a>(&'a self, level: &'a Level) -> impl Iterator<Item = (usize, Place)> + 'a {
        self.risks.iter().map(|&(at, place)| (at, level.mirror().map_or(place, |mirror| mirror.place(place))))
    }

    /// Returns true if a step after `at` puts a trap at a random place in an area that contains a place of the finished
    /// level, and `at` itself does not.
    pub fn random_trap_follows(&self, at: usize, place: Place, level: &Level) -> bool {
        let (x, y) = level.mirror().map_or(place, |mirror| mirror.place(place));
        let covers = |[x1, y1, x2, y2]: [i32; 4]| (x1..=x2).contains(&x) && (y1..=y2).contains(&y);
        self.placed_at_random.iter().all(|&(step, _)| step != at)
            && self.placed_at_random.iter().any(|&(step, area)| step > at && covers(area))
    }

    /// Returns true if an object is the prize of the level.
    pub fn has_prize(&self) -> bool {
        self.has_prize
    }

    /// Converts a place of the finished level to the coordinates of `maker`'s statement.
    pub fn as_written(&self, place: Place, maker: Maker, level: &Level) -> Place {
        let (x, y) = level.mirror().map_or(place, |mirror| mirror.place(place));
        (x - maker.origin.0, y - maker.origin.1)
    }

    /// Attributes new things to the step that ran.
    fn things(&mut self, level: &Level) {
        let running = self.running;
        self.monsters.resize(level.monsters.len(), running);
        self.objects.resize(level.objects.len(), running);
        self.gold.resize(level.gold.len(), running);
        self.rooms.resize(level.rooms().len(), running);
        self.subrooms.resize(level.subrooms().len(), running);
        let same = |(known, _): &(Trap, Maker), trap: &Trap| known == trap;
        if self.traps.len() != level.traps.len()
            || !self.traps.iter().zip(&level.traps).all(|(known, trap)| same(known, trap))
        {
            let known = std::mem::take(&mut self.traps);
            // A flip moves all traps and keeps their order.
            let moved = level.mirror.is_some() && known.len() == level.traps.len();
            self.traps.extend(level.traps.iter().enumerate().map(|(at, trap)| {
                let place = level.mirror.map_or((trap.x, trap.y), |mirror| mirror.place((trap.x, trap.y)));
                let there = known.iter().find(|(old, _)| (old.x, old.y, old.kind) == (place.0, place.1, trap.kind));
                // A trap may also replace a trap of a different kind.
                let same = known.get(at).filter(|(old, _)| moved && old.kind == trap.kind);
                let maker = there.or(same).map(|&(_, maker)| maker);
                (*trap, maker.unwrap_or(running))
            }));
        }
        let places = level.engravings.iter().map(|engraving| (engraving.x, engraving.y));
        if self.engravings.len() != level.engravings.len()
            || !self.engravings.iter().zip(places.clone()).all(|(known, place)| known.0 == place)
        {
            let known = std::mem::take(&mut self.engravings);
            self.engravings.extend(places.map(|place| {
                let before = level.mirror.map_or(place, |mirror| mirror.place(place));
                let maker = known.iter().find(|(old, _)| *old == before).map(|&(_, maker)| maker);
                (place, maker.unwrap_or(running))
            }));
        }
    }

    /// Attributes changed squares to the step that ran.
    fn squares(&mut self, level: &Level) {
        let (terrain, flags) = (level.all_terrain(), level.all_flags());
        if !differs(&*self.terrain, terrain) && *self.flags == *flags && self.stairs == level.stairs {
            return;
        }
        let Maker { at, origin: (x, y) } = self.running;
        let mark = (u32::try_from(at + 1).unwrap_or(0), x as i8, y as i8);
        if self.effects.len() <= at {
            self.effects.resize(at + 1, false);
        }
        self.effects[at] = true;
        for (number, squares) in self.squares.chunks_mut(COLUMN).enumerate() {
            let column = number * COLUMN..number * COLUMN + squares.len();
            let (old, new) = (&self.terrain[column.clone()], &terrain[column.clone()]);
            let (old_flags, new_flags) = (&self.flags[column.clone()], &flags[column]);
            if !differs(old, new) && old_flags == new_flags {
                continue;
            }
            for (at, square) in squares.iter_mut().enumerate() {
                if old[at] != new[at] || old_flags[at] != new_flags[at] {
                    *square = mark;
                }
            }
        }
        if !self.random_traps.is_empty() {
            self.furniture(at, terrain);
        }
        let list = |stairs: &Stairs| [stairs.up, stairs.down, stairs.ladder_up, stairs.ladder_down];
        for (old, (x, y)) in list(&self.stairs).into_iter().zip(list(&level.stairs)) {
            if old != (x, y) && is_ok(x, y) {
                self.squares[index(x, y)] = mark;
            }
        }
        self.terrain.copy_from_slice(terrain);
        self.flags.copy_from_slice(flags);
        self.stairs = level.stairs;
    }

    /// Notes the furniture that the step `at` made where a trap of an earlier step could be.
    fn furniture(&mut self, at: usize, terrain: &[Terrain; SQUARES]) {
        let is_new = |square: usize| terrain[square].is_furniture() && self.terrain[square] == Terrain::ROOM;
        for place in (1..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y))).filter(|&(x, y)| is_new(index(x, y))) {
            let (x, y) = place;
            for &(trap, [x1, y1, x2, y2]) in &self.random_traps {
                let inside = (x1..=x2).contains(&x) && (y1..=y2).contains(&y);
                if trap != at && inside && self.risks.len() < MAX_RISKS && !self.risks.iter().any(|risk| risk.0 == trap)
                {
                    self.risks.push((trap, place));
                }
            }
        }
    }

    /// Ends the step that ran.
    fn resolve(&mut self, view: &View<'_>) {
        let laid = std::mem::take(&mut self.lays);
        if laid {
            // The coordinates of a map are its own, not those of the map before it.
            self.running.origin = view.origin();
        }
        if self.acts {
            self.things(view.level());
            self.squares(view.level());
        } else if self.runs.is_empty() {
            // No statement fills the level before the first step.
            self.terrain.copy_from_slice(view.level().all_terrain());
            self.flags.copy_from_slice(view.level().all_flags());
        }
        self.running = Maker { at: view.at(), origin: view.origin() };
        if laid && !self.maps.contains(&view.origin()) {
            self.maps.push(view.origin());
        }
    }
}

impl Observer for Chronicle {
    fn step(&mut self, view: &View<'_>) -> Flow {
        self.resolve(view);
        self.acts = !matches!(view.step(), Some(StepKind::Opcode(Opcode::Push)));
        self.lays = view.step().is_some_and(StepKind::is_map);
        if self.runs.len() <= view.at() {
            self.runs.resize(view.at() + 1, 0);
        }
        self.runs[view.at()] += 1;
        Flow::Continue
    }

    fn event(&mut self, event: Event<'_>) {
        self.has_prize |= matches!(event, Event::ObjectIsPrize);
        // A trap that replaces one of its kind does not change the list. At the end, the level may be flipped.
        if let Event::Trap { x, y, kind } = event
            && !self.ends
        {
            let running = self.running;
            let same = self.traps.iter_mut().filter(|(trap, _)| (trap.x, trap.y, trap.kind) == (x, y, kind));
            same.for_each(|(_, maker)| *maker = running);
        }
    }

    fn random_trap(&mut self, area: [i32; 4]) {
        let known = self.random_traps.last() == Some(&(self.running.at, area));
        if !known && self.random_traps.len() < MAX_RISKS {
            self.random_traps.push((self.running.at, area));
        }
    }

    fn finishing(&mut self, view: &View<'_>) {
        self.resolve(view);
        // Furniture made while the level is finished avoids traps.
        std::mem::swap(&mut self.placed_at_random, &mut self.random_traps);
        self.random_traps.clear();
        self.acts = true;
        self.ends = true;
    }
}

/// Returns true if any terrain differs. Blocks are compared without an early exit, which compiles to vector
/// instructions.
fn differs(before: &[Terrain], after: &[Terrain]) -> bool {
    let mut blocks = before.chunks(128).zip(after.chunks(128));
    blocks.any(|(before, after)| before.iter().zip(after).fold(false, |found, (old, new)| found | (old != new)))
}
