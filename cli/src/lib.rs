//! The command line of splc: arguments, files, rendering, exit codes.
//!
//! What splc does is done by the other crates; here it is said in words and put into files. [`arguments`]
//! says what can be asked for, [`games`] which game is meant, [`input`] reads, [`compile`] leads a des-file
//! through front end, check, lowering and back end, [`output`] writes all files or none, [`vaults`] keeps the list of
//! random vaults, [`report`] renders diagnostics. [`fix`] applies what diagnostics offer, [`information`] tells what
//! splc knows. [`run`] makes levels as the game would and shows them.
//!
//! Under the name of a game's own compiler, splc is that compiler: [`lev_comp`]; [`links`] installs it under that
//! name, [`nhdat`] tells for which game.
//!
//! Exit codes: 0 fine, 1 errors in the input, 2 wrong usage, or a file that cannot be read or written.
#![cfg_attr(test, allow(clippy::unwrap_used))]

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::arguments::{Action, Arguments};

pub mod arguments;
pub mod compile;
pub mod dlb;
pub mod fix;
pub mod games;
pub mod information;
pub mod input;
pub mod lev_comp;
pub mod links;
mod new;
pub mod nhdat;
pub mod output;
pub mod report;
pub mod run;
pub mod vaults;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All is well.
    Fine,
    /// The input has errors.
    InputErrors,
    /// What was asked for makes no sense, or a file cannot be read or written.
    Trouble,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Fine => 0,
            Outcome::InputErrors => 1,
            Outcome::Trouble => 2,
        })
    }
}

/// Runs splc with the arguments of a process, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let outcome = match arguments.split_first() {
        Some((program, rest)) if lev_comp::is_name(program) => lev_comp::run(program, rest),
        _ => run(arguments),
    };
    outcome.into()
}

fn run(arguments: Vec<OsString>) -> Outcome {
    let parsed = Arguments::command().try_get_matches_from(arguments).and_then(|matches| {
        arguments::check_order(&matches)?;
        let parsed = Arguments::from_arg_matches(&matches)?;
        let lints = arguments::lint_levels(&matches)?;
        Ok((parsed, lints))
    });
    let (arguments, lints) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            // Help and version go to the standard output, mistakes to the standard error. If that is closed
            // there is nobody to tell.
            let _ = error.print();
            return if error.use_stderr() { Outcome::Trouble } else { Outcome::Fine };
        }
    };
    if let Some(folder) = arguments.install_links {
        return links::install(&folder);
    }
    match arguments.action {
        None => compile::run(&arguments.compile.sources, &compile::Task::Write(&arguments.compile.writing), lints),
        Some(Action::Check(check)) => compile::run(&check.sources, &compile::Task::Check, lints),
        Some(Action::Fix(fix)) => fix::run(&fix, &lints),
        Some(Action::New(new)) => new::run(&new),
        Some(Action::Dlb(asked)) => dlb::run(&asked),
        Some(Action::Run(asked)) => run::run(&asked, lints),
        Some(Action::Targets(targets)) => print(&information::targets(targets.message_format)),
        Some(Action::Explain(explain)) => print(&information::explain(&explain.codes)),
    }
}

/// Prints `text` on the standard output.
pub(crate) fn print(text: &str) -> Outcome {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Ok(()) => Outcome::Fine,
        // Who reads it has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Outcome::Fine,
        Err(error) => {
            let _ = writeln!(io::stderr(), "splc: cannot write to the standard output: {error}");
            Outcome::Trouble
        }
    }
}
