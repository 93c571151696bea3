//! The loader of NetHack 3.4.3 (`sp_lev.c`): goes through the lists of a level in the order in which the game does.
//!
//! A level of this game is no program. It has parts, laid over the level one after the other, or rooms, and every
//! part or room has lists of things, which are made kind after kind. What the things do to the level is the business
//! of [`Loader`]; here is when they do it, and where the game looks for places in its own way.

mod maze;
mod places;
mod rooms;
mod things;

use splc_ir::catalog::{Catalog, Format};
use splc_ir::parts::{Body, PartsLevel};
use splc_ir::source::Span;

use crate::error::{Fault, PrepareError, PrepareErrorKind, VmError};
use crate::game::Game;
use crate::level::Level;
use crate::limits::MAX_THINGS;
use crate::loader::{CavernRequest, Loader, Scratch};
use crate::observer::{Event, Flow, Observer};
use crate::rng::Rng;
use crate::settings::Settings;

/// A level of parts or rooms ready to run.
///
/// It is made once and run as often as wanted, by several machines at the same time.
#[derive(Clone, Debug)]
pub struct PreparedParts {
    level: PartsLevel,
    game: Game,
}

impl PreparedParts {
    /// Makes `level` ready for `catalog`'s game.
    ///
    /// # Errors
    /// [`PrepareErrorKind::Format`] if the game's levels are scripts.
    pub fn new(level: PartsLevel, catalog: &'static Catalog) -> Result<Self, PrepareError> {
        if catalog.format != Format::Parts {
            return Err(PrepareError { at: 0, span: Span::default(), kind: PrepareErrorKind::Format });
        }
        Ok(PreparedParts { level, game: Game::new(catalog) })
    }

    /// The game that it is ready for.
    pub fn catalog(&self) -> &'static Catalog {
        self.game.catalog
    }

    /// The level.
    pub fn level(&self) -> &PartsLevel {
        &self.level
    }
}

/// How many registers of a kind there are (`robjects`, `rloc_x`, `rmonst`).
const REGISTERS: usize = 10;

/// A level of parts that is being made.
pub(crate) struct Parts<'a, R, O> {
    loader: Loader<'a, R, O>,
    source: &'a PartsLevel,
    /// Classes and places in registers, as the level file has them. They stay from part to part.
    object_registers: [i8; REGISTERS],
    monster_registers: [i8; REGISTERS],
    place_registers: [(i8, i8); REGISTERS],
    /// The statement that asks for what is being made, and how many there were before it.
    span: Option<Span>,
    begun: usize,
}

impl<'a, R: Rng, O: Observer> Parts<'a, R, O> {
    /// Makes a level on an empty one.
    pub fn run(
        prepared: &'a PreparedParts,
        settings: &'a Settings,
        level: &'a mut Level,
        scratch: &'a mut Scratch,
        rng: &'a mut R,
        observer: &'a mut O,
    ) -> Result<(), VmError> {
        let mut parts = Parts {
            loader: Loader::new(level, scratch, &prepared.game, settings, rng, observer),
            source: &prepared.level,
            object_registers: [0; REGISTERS],
            monster_registers: [0; REGISTERS],
            place_registers: [(0, 0); REGISTERS],
            span: None,
            begun: 0,
        };
        parts.load().map_err(|fault| VmError { at: parts.begun, span: parts.span, fault })
    }

    /// Loads the level and does what is left to do (`load_special`, `fixup_special`).
    fn load(&mut self) -> Result<(), Fault> {
        let source = self.source;
        self.head(matches!(source.body, Body::Maze(_)))?;
        match &source.body {
            Body::Maze(maze) => self.maze(maze)?,
            Body::Rooms(rooms) => self.rooms(rooms)?,
        }
        self.span = None;
        // The game puts each level region before those that it has.
        self.loader.scratch.regions.reverse();
        self.loader.place_regions();
        // An empty line is a line, but not at the end.
        for line in source.message.split_terminator('\n') {
            let message = self.loader.level.keep_text(line);
            self.loader.level.messages.push(message);
            self.loader.tell(Event::Said(line));
        }
        Ok(())
    }

    /// What all levels begin with (`load_common_data`).
    fn head(&mut self, maze: bool) -> Result<(), Fault> {
        let source = self.source;
        let loader = &mut self.loader;
        loader.shuffle_alignments();
        loader.level.level_flags.maze = maze;
        let init = &source.init;
        if init.present != 0 {
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
        let bits = loader.game.flag_bits;
        let has = |bit: i64| i64::from(source.flags) & bit != 0;
        let flags = &mut loader.level.level_flags;
        flags.no_teleport = has(bits.no_teleport);
        flags.hard_floor = has(bits.hard_floor);
        flags.no_magic_map = has(bits.no_magic_map);
        flags.short_sighted = has(bits.short_sighted);
        flags.arboreal = has(bits.arboreal);
        Ok(())
    }

    /// Something is about to be made that the statement at `span` asks for.
    fn begin(&mut self, span: Span) -> Result<(), Fault> {
        self.span = Some(span);
        self.begun += 1;
        let level = &*self.loader.level;
        let most = level.monsters.len().max(level.objects.len()).max(level.traps.len()).max(level.gold.len());
        if most >= MAX_THINGS {
            return Err(Fault::Memory);
        }
        self.loader.check_draws()?;
        match self.loader.observer.thing(span, self.loader.level) {
            Flow::Continue => Ok(()),
            Flow::Stop => Err(Fault::Stopped),
        }
    }

    /// Shuffles what is in registers (`sp_lev_shuffle`).
    fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            let other = self.loader.rn2(last as i32 + 1) as usize;
            values.swap(last, other.min(last));
        }
    }

    /// Fills registers with a list and shuffles them; what is behind its end stays as it is.
    fn fill_registers<T: Copy>(&mut self, mut registers: [T; REGISTERS], values: &[T]) -> [T; REGISTERS] {
        let count = values.len().min(REGISTERS);
        registers[..count].copy_from_slice(&values[..count]);
        self.shuffle(&mut registers[..count]);
        registers
    }
}
