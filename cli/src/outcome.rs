//! How a run of splc ends.

use std::process::ExitCode;

use crate::interrupt;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All is well.
    Fine,
    /// Nothing is certain: `splc equiv` neither proves that levels are alike nor that they are not.
    NotDecided,
    /// The input has errors, or is not what it should be.
    InputErrors,
    /// Ctrl-C has ended it: what it shows is not all.
    Interrupted,
    /// What was asked for makes no sense, or a file cannot be read or written.
    Trouble,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Fine => 0,
            Outcome::NotDecided => 3,
            Outcome::InputErrors => 1,
            Outcome::Trouble => 2,
            Outcome::Interrupted => interrupt::EXIT_CODE,
        })
    }
}
