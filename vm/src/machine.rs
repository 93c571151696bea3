//! The machine: memory in which levels are made, one after the other.

use crate::error::VmError;
use crate::level::Level;
use crate::loader::Scratch;
use crate::lua;
use crate::observer::Observer;
use crate::parts::Parts;
use crate::prepared::{Form, Prepared};
use crate::rng::Rng;
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
        let Machine { level, scratch, memory } = self;
        let end = match &program.form {
            Form::Script => Script::run(program, settings, level, scratch, memory, rng, observer),
            Form::Parts(plan) => Parts::run(program, plan, settings, level, scratch, memory, rng, observer),
            Form::Lua(plan) => lua::run(program, plan, settings, level, scratch, memory, rng, observer),
        };
        match end {
            Ok(()) => Ok(&self.level),
            Err((at, fault)) => Err(VmError { at, span: program.span(at), fault }),
        }
    }

    /// Whether a run asked for alignments by their numbers since that was [forgotten](Self::forget_alignments). Only then
    /// they are part of the [state](Observer::state).
    pub(crate) fn alignments_matter(&self) -> bool {
        self.scratch.alignments_matter
    }

    pub(crate) fn forget_alignments(&mut self) {
        self.scratch.alignments_matter = false;
    }

    /// The level of the last run.
    pub fn level(&self) -> &Level {
        &self.level
    }
}
