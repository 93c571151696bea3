//! What is asked of everything that reads.

use splc_ir::diagnostic::LintLevels;

use crate::target::Wanted;

/// What is asked of a compilation, besides what is to be made.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What is known of the game.
    pub wanted: Wanted,
    /// What is warned of.
    pub lints: LintLevels,
}
