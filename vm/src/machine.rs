//! The machine: memory in which levels are run, one after the other.
//!
//! The loader is large, so it is compiled only once, for any source of draws and any observer. The two common cases,
//! the
//! reference stream and no observer, cost a comparison instead of a call through a table of functions.

use crate::error::{Fault, VmError};
use crate::level::Level;
use crate::loader::Scratch;
use crate::lua;
use crate::lua::records::Transcript;
use crate::observer::Observer;
use crate::parts::Parts;
use crate::prepared::{Form, Prepared};
use crate::rng::{Rng, Source};
use crate::script::Script;
use crate::settings::{Settings, Surroundings};
use crate::themes::{Choice, Filled, Themes};
use crate::value::Memory;

fn failed(program: &Prepared, (at, fault): (usize, Fault)) -> VmError {
    VmError { at, span: program.span(at), fault }
}

/// Returns the observer, unless it observes nothing.
fn observing(observer: &mut dyn Observer) -> Option<&mut dyn Observer> {
    if observer.observes() { Some(observer) } else { None }
}

/// Runs levels. It reuses its memory, so a run allocates none. Every run starts with an empty level, whatever happened
/// before.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    level: Level,
    scratch: Scratch,
    memory: Memory,
}

impl Machine {
    /// Creates a machine.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs a level as its game would. `settings` describes the game around it, `rng` supplies the draws, and
    /// `observer` watches the run (`()` does not).
    ///
    /// # Errors
    /// [`VmError`] if the game would give up, crash or hang, with the step and its span. The level up to that point is
    /// in [`Machine::level`].
    pub fn run(
        &mut self,
        program: &Prepared,
        settings: &Settings,
        rng: &mut dyn Rng,
        observer: &mut dyn Observer,
    ) -> Result<&Level, VmError> {
        let end = match rng.reference_stream() {
            Some(stream) => self.make(program, settings, Source::Stream(stream), observing(observer)),
            None => self.make(program, settings, Source::Other(rng), observing(observer)),
        };
        match end {
            Ok(()) => Ok(&self.level),
            Err(end) => Err(failed(program, end)),
        }
    }

    fn make<'a>(
        &'a mut self,
        program: &'a Prepared,
        settings: &'a Settings,
        rng: Source<'a>,
        observer: Option<&'a mut dyn Observer>,
    ) -> Result<(), (usize, Fault)> {
        let Machine { level, scratch, memory } = self;
        match &program.form {
            Form::Script => Script::run(program, settings, level, scratch, memory, rng, observer),
            Form::Parts(plan) => Parts::run(program, plan, settings, level, scratch, memory, rng, observer),
            Form::Lua(plan) => lua::run(program, plan, settings, level, scratch, memory, rng, observer),
        }
    }

    /// Runs a Lua level without carrying out its statements, and returns their digest: levels of one game whose digests
    /// have the same distribution are the same. `None` if the level is not a script in Lua, fails, or does something
    /// that cannot be recorded.
    #[doc(hidden)]
    pub fn record(&mut self, program: &Prepared, settings: &Settings, rng: &mut dyn Rng) -> Option<u128> {
        let Form::Lua(plan) = &program.form else { return None };
        let Machine { level, scratch, memory } = self;
        lua::record(program, plan, settings, (level, scratch, memory), rng)
    }

    /// Runs a Lua level, and returns the script that it executes: its statements with the values of the run. `None` if
    /// the level is not a script.
    ///
    /// # Errors
    /// As for [`run`](Self::run), and if a value of the run cannot be written.
    pub fn transcribe(
        &mut self,
        program: &Prepared,
        settings: &Settings,
        rng: &mut dyn Rng,
    ) -> Result<Option<Transcript>, VmError> {
        let Form::Lua(plan) = &program.form else { return Ok(None) };
        let Machine { level, scratch, memory } = self;
        let written = lua::transcribe(program, plan, settings, (level, scratch, memory), rng);
        written.map(Some).map_err(|end| failed(program, end))
    }

    /// Returns true if a run has used alignments by their numbers since they were last
    /// [forgotten](Self::forget_alignments). Only then are they part of the [state](Observer::state).
    #[doc(hidden)]
    pub fn alignments_matter(&self) -> bool {
        self.scratch.alignments_matter
    }

    #[doc(hidden)]
    pub fn forget_alignments(&mut self) {
        self.scratch.alignments_matter = false;
    }

    /// Parts of the game around the level that runs have queried since they were last
    /// [forgotten](Self::forget_queried): levels that query none are the same in every game.
    pub fn queried(&self) -> Surroundings {
        self.scratch.queried
    }

    /// Parts of the game that statements of levels have queried, not the loader, since they were last
    /// [forgotten](Self::forget_queried).
    pub fn queried_by_level(&self) -> Surroundings {
        self.scratch.queried_by_level
    }

    /// Forgets the parts queried.
    pub fn forget_queried(&mut self) {
        self.scratch.queried = Surroundings::default();
        self.scratch.queried_by_level = Surroundings::default();
    }

    /// Reads the entries of a file of themed rooms; a level has none.
    ///
    /// # Errors
    /// [`VmError`] if the file ends with an error.
    pub fn themes(&mut self, program: &Prepared, settings: &Settings) -> Result<Themes, VmError> {
        let Form::Lua(plan) = &program.form else { return Ok(Themes::default()) };
        let Machine { level, scratch, memory } = self;
        lua::themes((program, plan), settings, (level, scratch, memory)).map_err(|end| failed(program, end))
    }

    /// Computes the exact probabilities with which a file of themed rooms chooses a room, or a fill for a room.
    /// `lines` are the lines, from 1, of the draws in loops that keep their last hit
    /// ([`splc_lua::chooser::last_hit_draws`]).
    ///
    /// # Errors
    /// [`VmError`] if the file ends with an error.
    pub fn choice(
        &mut self,
        program: &Prepared,
        settings: &Settings,
        filled: Option<Filled>,
        lines: &[usize],
    ) -> Result<Choice, VmError> {
        let Form::Lua(plan) = &program.form else { return Ok(Choice::default()) };
        let Machine { level, scratch, memory } = self;
        let choice = lua::choice((program, plan), settings, (level, scratch, memory), filled, lines);
        choice.map_err(|end| failed(program, end))
    }

    /// Level of the last run.
    pub fn level(&self) -> &Level {
        &self.level
    }
}
