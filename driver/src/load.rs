//! Levels made ready to run, once, to be run as often as wanted.

use splc_frontends::Includes;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::source::{SourceMap, Span, Text};
use splc_vm::Prepared;

use crate::input::Input;
use crate::options::Options;
use crate::read::levels;
use crate::target::{Target, TargetError};

/// A level that can be made.
#[derive(Clone, Debug)]
pub struct Runnable {
    /// Its name, as its file is called.
    pub name: Text,
    /// Where the source has it, if there is a source.
    pub span: Option<Span>,
    /// What makes it.
    pub program: Prepared,
}

/// A des-file or level file whose levels can be made.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The game that its levels are for.
    pub target: Target,
    /// Its levels, in order; none if there were errors in reading.
    pub levels: Vec<Runnable>,
    /// What was read: texts, or the bytes of a level file, which are not kept.
    pub sources: SourceMap,
    /// What there is to say about it.
    pub diagnostics: Diagnostics,
}

/// Reads a des-file or a level file and makes its levels ready to run.
///
/// # Errors
/// If it cannot be told for which game it is.
pub fn load(input: Input, options: &Options, includes: &mut dyn Includes) -> Result<Loaded, TargetError> {
    let mut read = levels(input, options, includes)?;
    let lowered = std::mem::take(&mut read.levels);
    let mut runnable = Vec::with_capacity(lowered.len());
    for (level, span) in lowered.into_iter().zip(read.spans) {
        let name = level.name().clone();
        match Prepared::load(level, read.target.catalog()) {
            Ok(program) => runnable.push(Runnable { name, span, program }),
            Err(problem) => {
                let message = format!("this cannot be run: {problem}");
                read.diagnostics.push(Diagnostic::new(Code::Target, problem.span, message));
            }
        }
    }
    Ok(Loaded { target: read.target, levels: runnable, sources: read.sources, diagnostics: read.diagnostics })
}
