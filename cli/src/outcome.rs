//! How a run of splc ends.

use std::process::ExitCode;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All is well.
    Fine,
    /// Nothing is certain: `splc equiv` neither proves that levels are alike nor that they are not.
    NotDecided,
    /// The input has errors, or is not what it should be.
    InputErrors,
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
        })
    }
}
