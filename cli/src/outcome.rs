//! Outcomes of a run, and their exit codes.

use crate::interrupt;

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Success.
    Fine,
    /// `splc equiv` can prove neither that the levels are equivalent nor that they differ, or `splc run --solve` finds
    /// no solution.
    NotDecided,
    /// The input has errors, or does not have the required form.
    InputErrors,
    /// The run was ended by Ctrl-C; its output is incomplete.
    Interrupted,
    /// Wrong usage, or a file cannot be read or written.
    Trouble,
}

impl Outcome {
    /// Returns the exit code.
    pub fn code(self) -> u8 {
        match self {
            Outcome::Fine => 0,
            Outcome::NotDecided => 3,
            Outcome::InputErrors => 1,
            Outcome::Trouble => 2,
            Outcome::Interrupted => interrupt::EXIT_CODE,
        }
    }
}
