//! Options of everything that reads inputs.

use splc_ir::diagnostic::LintLevels;

use crate::target::Wanted;

/// Options of a compilation, besides the output.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The known properties of the game.
    pub wanted: Wanted,
    /// The levels of lints.
    pub lints: LintLevels,
}
