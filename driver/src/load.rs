//! Prepares levels once, so that they can be run any number of times.

use splc_frontends::Includes;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::source::{SourceMap, Span, Text};
use splc_vm::Prepared;

use crate::input::Input;
use crate::options::Options;
use crate::read::{Levels, levels};
use crate::target::{Target, TargetError};

/// A level that can be run.
#[derive(Clone, Debug)]
pub struct Runnable {
    /// Its name: the file name without extension.
    pub name: Text,
    /// Its span in the source, if there is one.
    pub span: Option<Span>,
    /// The program that generates it.
    pub program: Prepared,
}

/// A des-file or level file whose levels can be run.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The game of its levels.
    pub target: Target,
    /// Its levels, in order. Empty if there were errors.
    pub levels: Vec<Runnable>,
    /// The texts that were read, or a level file without its bytes.
    pub sources: SourceMap,
    /// Its diagnostics.
    pub diagnostics: Diagnostics,
}

/// Reads a des-file or a level file and prepares its levels to run.
///
/// # Errors
/// If its game cannot be determined.
pub fn load(input: Input, options: &Options, includes: &mut dyn Includes) -> Result<Loaded, TargetError> {
    Ok(levels(input, options, includes)?.prepare())
}

impl Levels {
    /// Prepares the levels to run.
    pub fn prepare(self) -> Loaded {
        let Levels { target, levels, spans, sources, mut diagnostics } = self;
        let mut runnable = Vec::with_capacity(levels.len());
        for (level, span) in levels.into_iter().zip(spans) {
            let name = level.name().clone();
            match Prepared::load(level, target.catalog()) {
                Ok(program) => runnable.push(Runnable { name, span, program }),
                Err(problem) => {
                    let message = format!("this level cannot be run: {problem}");
                    diagnostics.push(Diagnostic::new(Code::Target, problem.span, message));
                }
            }
        }
        Loaded { target, levels: runnable, sources, diagnostics }
    }
}
