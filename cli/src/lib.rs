//! The command line of splc: arguments, files, rendering, exit codes.
//!
//! The other crates do the work, most of all `splc-driver`. This crate reports their results and writes them to files.
//! `arguments` defines the commands, `options` the options that they share; `project` adds the settings of a project
//! file; `input` reads, `output` writes all files or none, `report` renders diagnostics; `compile`, `fix`, `new`,
//! `run`, `test` and `information` are the commands.
//!
//! Called under the name of a game's own program, splc acts as that program: `lev_comp`, `dgn_comp`, and `dlb` (in
//! `data_librarian`). `links` installs it under those names, and `nhdat` identifies the game.
//!
//! Exit codes: 0 fine, 1 errors in the input, 2 wrong usage, or a file that cannot be read or written, 130 ended by
//! Ctrl-C. `equiv` has its own.
#![cfg_attr(test, allow(clippy::unwrap_used))]

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use arguments::{Action, Arguments, lints};
pub use generate::text as generated_level;
use outcome::Outcome;
use output::print;
pub use project::{Around as AroundProject, around as around_project};

mod arguments;
mod catalog;
mod catalogs;
mod compile;
mod completions;
mod config;
mod conform;
mod data_librarian;
mod decompile;
mod defaults;
mod dgn_comp;
mod diff;
mod dlb;
mod dungeon;
mod dungeon_file;
mod equiv;
mod explain;
mod findings;
mod fix;
mod fmt;
mod generate;
mod information;
mod init;
mod input;
mod install;
mod interrupt;
mod lev_comp;
mod links;
mod luals;
mod man;
mod new;
mod nhdat;
mod options;
mod outcome;
mod output;
mod port;
mod preview;
mod progress;
mod project;
mod report;
mod run;
pub mod schema;
mod server;
mod test;
mod themerooms;
mod threads;
mod trouble;
mod wanted;
mod watch;
mod width;

/// Runs splc with the arguments of a process, including the program name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    ExitCode::from(status(arguments, env::current_exe().ok()))
}

/// Runs splc within another program, and returns its exit code. `executable` is the file that `--install-links` links
/// to, if there is one.
pub fn status(arguments: impl IntoIterator<Item = OsString>, executable: Option<PathBuf>) -> u8 {
    interrupt::report_large_files();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let outcome = match arguments.split_first() {
        Some((program, rest)) if lev_comp::is_name(program) => lev_comp::run(program, rest),
        Some((program, rest)) if dgn_comp::is_name(program) => dgn_comp::run(program, rest),
        Some((program, rest)) if data_librarian::is_name(program) => data_librarian::run(program, rest),
        _ => run(arguments, executable),
    };
    outcome.code()
}

fn run(mut arguments: Vec<OsString>, executable: Option<PathBuf>) -> Outcome {
    // Without arguments on a terminal, show the help instead of waiting for input.
    if arguments.len() <= 1 && io::stdin().is_terminal() && splc_project::find(Path::new("")).is_none() {
        arguments.push("--help".into());
    }
    // `splc help run` is `splc run --help`.
    if arguments.get(1).is_some_and(|first| first == "help") && !Path::new("help").exists() {
        arguments.remove(1);
        arguments.push("--help".into());
    }
    let mut command = Arguments::command();
    if !io::stdout().is_terminal() {
        command = command.term_width(width::USUAL);
    }
    let parsed = command.try_get_matches_from(arguments).and_then(|matches| {
        arguments::check_order(&matches)?;
        let parsed = Arguments::from_arg_matches(&matches)?;
        let lints = lints::requested(&matches)?;
        Ok((parsed, matches, lints))
    });
    let (mut arguments, matches, requested) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            // Help and version go to the standard output, mistakes to the standard error. Nothing can be reported if
            // that is closed.
            let _ = error.print();
            return if error.use_stderr() { Outcome::Trouble } else { Outcome::Fine };
        }
    };
    let lints = match defaults::apply(&mut arguments, &matches, &requested) {
        Ok(lints) => lints,
        Err(outcome) => return outcome,
    };
    if let Some(files) = arguments.watched() {
        return watch::run(files);
    }
    if let Some((files, request)) = arguments.catalog_files()
        && let Err(outcome) = catalogs::resolve(files, request)
    {
        return outcome;
    }
    if let Some(folder) = arguments.install_links {
        return links::install(&folder, executable);
    }
    match arguments.action {
        None => compile::run(&arguments.compile.sources, &compile::Task::Write(&arguments.compile.writing), lints),
        Some(Action::Check(check)) => {
            compile::run(&check.sources, &compile::Task::Check(&check.dungeon, &check.findings), lints)
        }
        Some(Action::Fix(fix)) => fix::run(&fix, lints),
        Some(Action::Format(request)) => fmt::run(&request, lints),
        Some(Action::Decompile(request)) => decompile::run(&request, lints),
        Some(Action::Generate(request)) => generate::run(&request),
        Some(Action::New(new)) => new::run(&new),
        Some(Action::Install(request)) => install::install(&request, lints),
        Some(Action::Uninstall(request)) => install::uninstall(&request),
        Some(Action::Dlb(request)) => dlb::run(&request),
        Some(Action::Dungeon(request)) => dungeon::run(&request, &lints),
        Some(Action::Port(request)) => port::run(&request, lints),
        Some(Action::Run(request)) => run::run(&request, lints),
        Some(Action::Preview(request)) => preview::run(&request, lints),
        Some(Action::Test(request)) => test::run(&request, lints),
        Some(Action::Themerooms(request)) => themerooms::run(&request, lints),
        Some(Action::Diff(request)) => diff::run(&request, lints),
        Some(Action::Equivalence(request)) => equiv::run(&request, lints),
        Some(Action::Targets(targets)) => print(&information::targets(&targets.catalogs.known, targets.message_format)),
        Some(Action::Catalog(request)) => catalog::run(&request),
        Some(Action::Conform(request)) => conform::run(&request, lints),
        Some(Action::Schema(schema)) => schema::run(schema.subject),
        Some(Action::Server(request)) => server::run(&request),
        Some(Action::Luals(request)) => luals::run(&request),
        Some(Action::Config(request)) => config::run(&request),
        Some(Action::Init(request)) => init::run(&request),
        Some(Action::Completions(request)) => completions::run(&request, Arguments::command()),
        Some(Action::Man(request)) => man::run(&request, Arguments::command()),
        Some(Action::Explain(explain)) => print(&width::fitted(&explain::explain(&explain.topics))),
    }
}
