//! Frozen levels: the level of one seed as a source, compared with the level.

use splc_equivalence::{Fact, compare_frozen};
use splc_freeze::{Origin, Unwritable};
use splc_frontends::NoIncludes;
use splc_ir::catalog::Shared;
use splc_ir::diagnostic::{Diagnostics, Severity};
use splc_ir::source::SourceMap;
use splc_vm::{Machine, Prepared, Settings, SplitMix, VmError};

use crate::input::Input;
use crate::load::load;
use crate::options::Options;
use crate::target::{TargetError, Wanted};

pub use splc_freeze::extension;

/// Number of seeds that are compared if not every outcome can be tried.
pub const SEEDS: u64 = 100;

/// The level of one seed as a source.
#[derive(Clone, Debug)]
pub struct Frozen {
    /// The source.
    pub text: String,
    /// True if the source makes exactly that level on every run.
    pub proven: bool,
    /// Facts of the level that the source does not make on every run.
    pub lost: Vec<Fact>,
    /// Facts that the source makes on some run, and that the level does not have.
    pub added: Vec<Fact>,
}

/// The reason why a level cannot be frozen.
#[derive(Clone, Debug)]
pub enum FreezeError {
    /// The level cannot be run.
    Run(VmError),
    /// The language of the game has no such source.
    Unwritable(Unwritable),
    /// The source has errors.
    Source(Box<(Diagnostics, SourceMap)>),
    /// The target of the source is unknown.
    Target(TargetError),
}

/// Freezes the level that `program` of `catalog`'s game, called `name`, makes with `seed`.
///
/// # Errors
/// If the level cannot be run or written.
pub fn freeze(
    name: &str,
    program: &Prepared,
    catalog: &Shared,
    seed: u64,
    settings: &Settings,
) -> Result<Frozen, FreezeError> {
    let extension = extension(catalog).ok_or(FreezeError::Unwritable(Unwritable::Language))?;
    let mut machine = Machine::new();
    let made = machine.run(program, settings, &mut SplitMix::new(seed), &mut ()).map_err(FreezeError::Run)?;
    let origin = Origin { name, seed };
    let text = splc_freeze::source(made, catalog, origin).map_err(FreezeError::Unwritable)?;
    let wanted = Wanted { catalog: Some(catalog.clone()), ..Wanted::default() };
    let options = Options { wanted, ..Options::default() };
    let input = Input::new(format!("{name}.{extension}"), text.as_bytes());
    let loaded = load(input, &options, &mut NoIncludes).map_err(FreezeError::Target)?;
    let found = match loaded.levels.first() {
        Some(frozen) if !loaded.diagnostics.has_errors() => {
            let options = splc_equivalence::Options { seeds: SEEDS, settings: settings.clone(), ..Default::default() };
            compare_frozen(program, seed, &frozen.program, &options)
        }
        _ => {
            let mut errors = Diagnostics::new();
            for diagnostic in loaded.diagnostics.into_vec() {
                if diagnostic.severity == Severity::Error {
                    errors.push(diagnostic);
                }
            }
            return Err(FreezeError::Source(Box::new((errors, loaded.sources))));
        }
    };
    Ok(Frozen { text, proven: found.is_proven(), lost: found.lost, added: found.added })
}
