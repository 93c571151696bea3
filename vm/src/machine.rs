//! The machine: memory that runs programs, one after the other.

use crate::error::VmError;
use crate::level::Level;
use crate::loader::Scratch;
use crate::observer::Observer;
use crate::parts::{Parts, PreparedParts};
use crate::prepared::Prepared;
use crate::rng::Rng;
use crate::script::Script;
use crate::settings::Settings;
use crate::value::Memory;

/// Runs programs. It keeps its memory from run to run, so that a run takes none; every run starts with an empty
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

    /// Makes the level of a program as the game would: `settings` is the game around it, `rng` decides, and
    /// `observer` looks on (`()` does not).
    ///
    /// # Errors
    /// [`VmError`] where the game would give up, crash or hang, with the opcode and its span; the level so far is
    /// in [`Machine::level`].
    pub fn run<R: Rng, O: Observer>(
        &mut self,
        program: &Prepared,
        settings: &Settings,
        rng: &mut R,
        observer: &mut O,
    ) -> Result<&Level, VmError> {
        let Machine { level, scratch, memory } = self;
        match Script::run(program, settings, level, scratch, memory, rng, observer) {
            Ok(()) => Ok(&self.level),
            Err((at, fault)) => Err(VmError { at, span: program.span(at), fault }),
        }
    }

    /// Makes a level of parts or rooms as NetHack 3.4.3 would; the rest is as in [`Machine::run`].
    ///
    /// # Errors
    /// [`VmError`] where the game would give up, crash or hang, with the span of the statement; the level so far is
    /// in [`Machine::level`].
    pub fn run_parts<R: Rng, O: Observer>(
        &mut self,
        program: &PreparedParts,
        settings: &Settings,
        rng: &mut R,
        observer: &mut O,
    ) -> Result<&Level, VmError> {
        let Machine { level, scratch, .. } = self;
        Parts::run(program, settings, level, scratch, rng, observer)?;
        Ok(&self.level)
    }

    /// The level of the last run.
    pub fn level(&self) -> &Level {
        &self.level
    }
}
