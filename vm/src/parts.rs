//! The loader of NetHack 3.4.3 (`sp_lev.c`), which walks the lists of a level in the game's order.
//!
//! A level of this game is not a program. It has parts, laid over the level one after the other, or rooms. Every part
//! or room has lists of things, which are processed one list after the other. [`Loader`] applies the things to the
//! level; this module decides on their order, and on the places that this game finds in its own way.

mod maze;
mod places;
mod rooms;
mod things;

use std::hash::Hash;

use splc_ir::catalog::LoaderRule;
use splc_ir::parts::{Body, LevelRegion};

use crate::digest::Digest;
use crate::error::Fault;
use crate::level::{Level, Place};
use crate::limits::MAX_THINGS;
use crate::limits::REGISTERS;
use crate::loader::{CavernRequest, Loader, Scratch};
use crate::observer::{Event, Flow, Observer};
use crate::prepared::{Plan, Prepared};
use crate::rng::Source;
use crate::settings::Settings;
use crate::value::Memory;
use crate::view::View;
use maze::Walks;

/// A level of parts while it runs.
pub(crate) struct Parts<'a> {
    loader: Loader<'a>,
    prepared: &'a Prepared,
    plan: &'a Plan,
    /// A script's memory, always empty.
    memory: &'a Memory,
    /// Classes and places in registers, as in the level file. They persist from part to part.
    object_registers: [i8; REGISTERS],
    monster_registers: [i8; REGISTERS],
    place_registers: [(i8, i8); REGISTERS],
    /// Further lists of places, and regions for places, which only some games have.
    place_lists: Vec<[(i8, i8); REGISTERS]>,
    random_regions: Vec<LevelRegion>,
    /// MAZEWALKs that wait until the last part is laid.
    walks: Walks,
    /// The last stairs of the current part.
    last_stair: Option<Place>,
    /// The room being furnished.
    room: Option<usize>,
    /// Numbers of the current and the next step.
    at: usize,
    next: usize,
}

impl<'a> Parts<'a> {
    /// Runs a level of parts on an empty level. An error carries the number of its step.
    #[allow(clippy::too_many_arguments)]
    pub fn run(
        prepared: &'a Prepared,
        plan: &'a Plan,
        settings: &'a Settings,
        level: &'a mut Level,
        scratch: &'a mut Scratch,
        memory: &'a mut Memory,
        rng: Source<'a>,
        observer: Option<&'a mut dyn Observer>,
    ) -> Result<(), (usize, Fault)> {
        memory.clear();
        let mut parts = Parts {
            loader: Loader::new(level, scratch, &prepared.game, settings, rng, observer),
            prepared,
            plan,
            memory,
            object_registers: [0; REGISTERS],
            monster_registers: [0; REGISTERS],
            place_registers: [(0, 0); REGISTERS],
            place_lists: Vec::new(),
            random_regions: Vec::new(),
            walks: Walks::NONE,
            last_stair: None,
            room: None,
            at: 0,
            next: 0,
        };
        parts.load().map_err(|fault| (parts.at, fault))
    }

    /// Loads the level and finishes it (`load_special`, `fixup_special`).
    fn load(&mut self) -> Result<(), Fault> {
        let source = &self.plan.level;
        self.head(matches!(source.body, Body::Maze(_)))?;
        match &source.body {
            Body::Maze(maze) => self.maze(maze)?,
            Body::Rooms(rooms) => self.rooms(rooms)?,
        }
        self.end();
        if !self.loader.has(LoaderRule::DoorsAreDoneAtOnce) {
            self.loader.turn_doors();
        }
        // The game prepends each level region to its list.
        self.loader.scratch.regions.reverse();
        self.loader.place_regions()?;
        // An empty line counts, except at the end.
        for line in source.message.split_terminator('\n') {
            let message = self.loader.level.keep_text(line);
            self.loader.level.messages.push(message);
            self.loader.report(Event::Said(line));
        }
        Ok(())
    }

    /// Processes the common header of all levels (`load_common_data`).
    fn head(&mut self, maze: bool) -> Result<(), Fault> {
        let source = &self.plan.level;
        self.loader.shuffle_alignments();
        self.loader.level.level_flags.maze = maze;
        let init = &source.init.node;
        if init.present != 0 {
            self.begin()?;
            let loader = &mut self.loader;
            loader.init_present = true;
            let light = if init.light < 0 { loader.rn2(2) } else { init.light.into() };
            loader.make_caverns(&CavernRequest {
                floor: loader.game.terrain(init.foreground.into()),
                rock: loader.game.terrain(init.background.into()),
                smooth: init.smoothed != 0,
                joined: init.joined != 0,
                light,
                walled: init.walled != 0,
                filling: None,
                filled: false,
            })?;
        }
        let loader = &mut self.loader;
        let bits = loader.game.flag_bits;
        let has = |bit: i64| i64::from(source.flags) & bit != 0;
        let flags = &mut loader.level.level_flags;
        flags.no_teleport = has(bits.no_teleport);
        flags.hard_floor = has(bits.hard_floor);
        flags.no_magic_map = has(bits.no_magic_map);
        flags.short_sighted = has(bits.short_sighted);
        flags.arboreal = has(bits.arboreal);
        let own = loader.game.own_flags.iter().filter(|(_, bits)| has(*bits));
        own.for_each(|(word, _)| loader.level.note_flag(word));
        Ok(())
    }

    /// Begins the next step.
    fn begin(&mut self) -> Result<(), Fault> {
        self.at = self.next;
        self.next += 1;
        let level = &*self.loader.level;
        let most = level.monsters.len().max(level.objects.len()).max(level.traps.len()).max(level.gold.len());
        if most >= MAX_THINGS {
            return Err(Fault::Memory);
        }
        self.loader.check_limits()?;
        self.report_state();
        let (origin, corner) = (self.origin(), (self.loader.start_x, self.loader.start_y));
        let (prepared, memory, level, at) = (self.prepared, self.memory, &*self.loader.level, self.at);
        match self.loader.observer.step(&View { prepared, memory, level, at, origin, corner, blocks: 0 }) {
            Flow::Continue => Ok(()),
            Flow::Stop => Err(Fault::Stopped),
        }
    }

    /// Reports to the observer all state that determines the rest of the run, except its draws.
    fn report_state(&mut self) {
        if !self.loader.observer.wants_state() {
            return;
        }
        // No `..`: a new field must be considered here.
        let Parts {
            loader,
            prepared: _,
            plan: _,
            memory: _,
            object_registers,
            monster_registers,
            place_registers,
            place_lists,
            random_regions,
            walks,
            last_stair,
            room,
            at,
            next,
        } = self;
        let mut digest = Digest::default();
        loader.digest(&mut digest);
        (object_registers, monster_registers, place_registers, place_lists, random_regions).hash(&mut digest);
        (walks.list(), last_stair, room, at, next).hash(&mut digest);
        loader.observer.state(digest.finish128());
    }

    /// Origin of coordinates: the room being furnished, or the part.
    fn origin(&self) -> Place {
        match self.room.and_then(|room| self.loader.level.rooms.get(room)) {
            Some(room) => (room.low_x, room.low_y),
            None => (self.loader.start_x, self.loader.start_y),
        }
    }

    /// Skips the contents of the current step's room.
    fn leave_out(&mut self) {
        self.next += self.plan.steps.get(self.at).map_or(0, |step| step.inside);
    }

    /// Reports the end of all steps.
    fn end(&mut self) {
        debug_assert_eq!(self.next, self.plan.steps.len());
        self.at = self.plan.steps.len();
        self.report_state();
        let (origin, corner) = (self.origin(), (self.loader.start_x, self.loader.start_y));
        let (prepared, memory, level, at) = (self.prepared, self.memory, &*self.loader.level, self.at);
        self.loader.observer.finishing(&View { prepared, memory, level, at, origin, corner, blocks: 0 });
    }

    /// Shuffles the values of registers (`sp_lev_shuffle`).
    fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            let other = self.loader.rn2(last as i32 + 1) as usize;
            values.swap(last, other.min(last));
        }
    }

    /// Fills registers with a list and shuffles them. Registers after the end of the list keep their values.
    fn fill_registers<T: Copy>(&mut self, mut registers: [T; REGISTERS], values: &[T]) -> [T; REGISTERS] {
        let count = values.len().min(REGISTERS);
        registers[..count].copy_from_slice(&values[..count]);
        self.shuffle(&mut registers[..count]);
        registers
    }
}
