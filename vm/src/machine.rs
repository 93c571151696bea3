//! The machine: memory in which levels are made, one after the other.
//!
//! The loader is generic over who draws and who looks on, and large. It is built in this crate alone, and only four
//! times: for the reference stream with nobody who looks on, with what counts, and with anybody; and for any draws with
//! anybody. Whoever that is, is asked through a table of functions.

use crate::error::{Fault, VmError};
use crate::level::Level;
use crate::loader::Scratch;
use crate::lua;
use crate::observer::Observer;
use crate::parts::Parts;
use crate::prepared::{Form, Prepared};
use crate::rng::{Rng, SplitMix};
use crate::script::Script;
use crate::settings::Settings;
use crate::value::Memory;

/// Makes levels. It keeps its memory from run to run, so that a run takes none; every run starts with an empty
/// level, whatever happened before.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    level: Level,
    scratch: Scratch,
    memory: Memory,
}

impl Machine {
    /// A machine.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a level as its game would: `settings` is the game around it, `rng` decides, and `observer` looks on (`()`
    /// does not).
    ///
    /// # Errors
    /// [`VmError`] where the game would give up, crash or hang, with the step and its span; the level so far is
    /// in [`Machine::level`].
    pub fn run<R: Rng, O: Observer>(
        &mut self,
        program: &Prepared,
        settings: &Settings,
        rng: &mut R,
        observer: &mut O,
    ) -> Result<&Level, VmError> {
        let end = match rng.reference_stream() {
            Some(stream) if observer.looks_on() => self.watched(program, settings, stream, observer),
            Some(stream) => self.alone(program, settings, stream),
            None => self.drawn(program, settings, rng, observer),
        };
        self.ended(program, end)
    }

    /// As [`run`](Self::run), with a loader that is built for this observer.
    #[doc(hidden)]
    pub fn run_for<O: Observer>(
        &mut self,
        program: &Prepared,
        settings: &Settings,
        stream: &mut SplitMix,
        observer: &mut O,
    ) -> Result<&Level, VmError> {
        let end = self.make(program, settings, stream, observer);
        self.ended(program, end)
    }

    fn ended(&self, program: &Prepared, end: Result<(), (usize, Fault)>) -> Result<&Level, VmError> {
        match end {
            Ok(()) => Ok(&self.level),
            Err((at, fault)) => Err(VmError { at, span: program.span(at), fault }),
        }
    }

    /// Draws from the reference stream, and nobody looks on.
    fn alone(&mut self, program: &Prepared, settings: &Settings, stream: &mut SplitMix) -> Result<(), (usize, Fault)> {
        self.make(program, settings, stream, &mut ())
    }

    /// Draws from the reference stream.
    fn watched(
        &mut self,
        program: &Prepared,
        settings: &Settings,
        stream: &mut SplitMix,
        mut observer: &mut dyn Observer,
    ) -> Result<(), (usize, Fault)> {
        self.make(program, settings, stream, &mut observer)
    }

    /// Draws from anything.
    fn drawn(
        &mut self,
        program: &Prepared,
        settings: &Settings,
        mut rng: &mut dyn Rng,
        mut observer: &mut dyn Observer,
    ) -> Result<(), (usize, Fault)> {
        self.make(program, settings, &mut rng, &mut observer)
    }

    #[inline]
    fn make<R: Rng, O: Observer>(
        &mut self,
        program: &Prepared,
        settings: &Settings,
        rng: &mut R,
        observer: &mut O,
    ) -> Result<(), (usize, Fault)> {
        let Machine { level, scratch, memory } = self;
        match &program.form {
            Form::Script => Script::run(program, settings, level, scratch, memory, rng, observer),
            Form::Parts(plan) => Parts::run(program, plan, settings, level, scratch, memory, rng, observer),
            Form::Lua(plan) => lua::run(program, plan, settings, level, scratch, memory, rng, observer),
        }
    }

    /// Whether a run asked for alignments by their numbers since that was [forgotten](Self::forget_alignments). Only then
    /// they are part of the [state](Observer::state).
    #[doc(hidden)]
    pub fn alignments_matter(&self) -> bool {
        self.scratch.alignments_matter
    }

    #[doc(hidden)]
    pub fn forget_alignments(&mut self) {
        self.scratch.alignments_matter = false;
    }

    /// The level of the last run.
    pub fn level(&self) -> &Level {
        &self.level
    }
}
