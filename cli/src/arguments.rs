//! The options and commands of the command line.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, Parser};

use crate::compile::{Check, Compile};
use crate::config::Config;
use crate::decompile::Decompile;
use crate::diff::Diff;
use crate::explain::Explain;
use crate::fix::Fix;
use crate::fmt::Format;
use crate::information::Targets;
use crate::init::Init;
use crate::new::New;
use crate::options::groups::{CatalogFiles, Request};
use crate::preview::Preview;
use crate::report::{ColorChoice, MessageFormat};
use crate::run::Run;
use crate::schema::Schema;
use crate::test::Test;
use crate::themerooms::Themerooms;
use crate::{catalog, completions, conform, dlb, dungeon, equiv, generate, install, luals, man, port, server};
use commands::commands;

pub mod commands;
mod help;
pub mod lints;

/// splc compiles special levels of NetHack and its variants.
#[derive(Debug, Parser)]
#[command(
    name = "splc",
    version,
    about = "Compile special levels of NetHack and its variants",
    after_help = "Examples:\n  \
                  splc mylevel.des                    write the level files to the current folder\n  \
                  splc --target unnethack-6.0.4 --abi ilp32le -o lev/ *.des\n\n\
                  Run `splc help COMMAND` or `splc COMMAND --help` for the options of a command.\n\
                  A file named like a command needs its folder: ./check\n\
                  Exit codes: 0 success, 1 errors in the input, 2 wrong usage or unreadable or unwritable files",
    disable_help_subcommand = true
)]
pub struct Arguments {
    /// What to do, if not to compile.
    #[command(subcommand)]
    pub action: Option<Action>,

    /// Link splc into DIR under the names of the games' own tools (lev_comp, dgn_comp, dlb), and exit
    #[arg(long, value_name = "DIR", exclusive = true)]
    pub install_links: Option<PathBuf>,

    /// What to compile.
    #[command(flatten)]
    pub compile: Compile,
}

commands! {
    /// Things to do besides compiling.
    #[derive(Debug)]
    pub enum Action {
        /// Write splc.toml, the settings of a tree of levels
        Init(Init) = "init",
        /// Show the settings that hold for a file or folder, and their origins
        Config(Config) = "config",
        /// Check des-files and Lua scripts for errors, without writing files
        Check(Check) = "check",
        /// Fix errors and warnings that have a safe fix
        Fix(Fix) = "fix",
        /// Format des-files: indentation and spaces only
        Format(Format) = "fmt",
        /// Decompile level files to source in the language of their game
        Decompile(Decompile) = "decompile",
        /// Generate a random level, to test a game with
        Generate(generate::Arguments) = "gen",
        /// Create a commented level to start from
        New(New) = "new",
        /// Port levels from one game to another, with an account of each statement
        Port(port::Port) = "port",
        /// Run levels as the game would, and show them
        Run(Run) = "run",
        /// Show levels in a browser next to their sources, and follow every change
        Preview(Preview) = "preview",
        /// Run levels with many seeds, and report what goes wrong
        Test(Test) = "test",
        /// Show the themed rooms of NetHack 5: chances, pictures, and what goes wrong
        Themerooms(Themerooms) = "themerooms",
        /// Show how the levels of two files, folders or git revisions differ, for a review
        Diff(Diff) = "diff",
        /// Compare the levels of two files, and show how they differ
        Equivalence(equiv::Arguments) = "equiv",
        /// Install levels into a game
        Install(install::Install) = "install",
        /// Undo everything `splc install` did to a game
        Uninstall(install::Uninstall) = "uninstall",
        /// Compile, decompile and check dungeon.def, the list of a game's dungeons and levels
        Dungeon(dungeon::Arguments) = "dungeon",
        /// List, create and change nhdat, the archive of a game's data files
        Dlb(dlb::Arguments) = "dlb",
        /// List the supported games and machines
        Targets(Targets) = "targets",
        /// Compare splc with a game's own level compiler, file by file
        Conform(conform::Conform) = "conform",
        /// Import a catalog from a variant's source tree; show, compare and check catalogs
        Catalog(catalog::Arguments) = "catalog",
        /// Print the JSON Schema of a format that splc reads or writes
        Schema(Schema) = "schema",
        /// Explain errors, warnings and statements, with examples
        Explain(Explain) = "explain",
        /// Serve an editor: the language server for des-files and Lua levels
        Server(server::Arguments) = "server",
        /// Write definitions of the game's Lua functions, for language servers of Lua
        Luals(luals::Arguments) = "luals",
        /// Print completions for a shell
        Completions(completions::Completions) = "completions",
        /// Print manual pages
        Man(man::Arguments) = "man",
    }
}

/// Checks that no option is written before a command, as it would have no effect on the command.
///
/// # Errors
/// Fails if there is such an option.
pub fn check_order(matches: &ArgMatches) -> Result<(), clap::Error> {
    let Some((command, _)) = matches.subcommand() else { return Ok(()) };
    let early = |id: &clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    if !matches.ids().any(early) {
        return Ok(());
    }
    let problem = format!("options and files must follow the command: splc {command} ...");
    Err(Arguments::command().error(ErrorKind::ArgumentConflict, problem))
}

impl Arguments {
    /// Returns the files of a command that is to be repeated when they change.
    pub fn watched(&self) -> Option<&[PathBuf]> {
        let (sources, watching) = match &self.action {
            None => (&self.compile.sources, self.compile.watching),
            Some(Action::Check(check)) => (&check.sources, check.watching),
            Some(Action::Run(run)) => (&run.sources, run.watching),
            Some(Action::Test(test)) => (&test.sources, test.watching),
            Some(_) => return None,
        };
        watching.watch.then_some(&sources.files)
    }

    /// Returns the catalog options of the command, with the options for reporting mistakes in catalogs. Returns `None`
    /// if the command has no such options.
    pub fn catalog_files(&mut self) -> Option<(&mut CatalogFiles, Request<'_>)> {
        let sources = match &mut self.action {
            None => &mut self.compile.sources,
            Some(Action::Check(check)) => &mut check.sources,
            Some(Action::Fix(fix)) => &mut fix.sources,
            Some(Action::Format(format)) => &mut format.sources,
            Some(Action::Decompile(decompile)) => &mut decompile.sources,
            Some(Action::Port(port)) => &mut port.sources,
            Some(Action::Run(run)) => &mut run.sources,
            Some(Action::Preview(preview)) => &mut preview.sources,
            Some(Action::Conform(conform)) => &mut conform.sources,
            Some(Action::Test(test)) => &mut test.sources,
            Some(Action::Themerooms(request)) => &mut request.sources,
            Some(Action::Targets(targets)) => {
                let Targets { catalogs, message_format } = targets;
                let format = message_format.of_messages();
                let request =
                    Request { target: None, dialect: None, is_matched: false, format, color: ColorChoice::Auto };
                return Some((catalogs, request));
            }
            Some(Action::Generate(request)) => {
                let generate::Arguments { dialect, target, catalogs, message_format, color, .. } = request;
                let (dialect, format, color) = (*dialect, *message_format, *color);
                return Some((
                    catalogs,
                    Request { target: target.as_deref(), dialect, is_matched: false, format, color },
                ));
            }
            Some(Action::Server(request)) => {
                let server::Arguments { dialect, target, catalogs, .. } = request;
                let (format, color) = (MessageFormat::Human, ColorChoice::Auto);
                let dialect = *dialect;
                return Some((
                    catalogs,
                    Request { target: target.as_deref(), dialect, is_matched: false, format, color },
                ));
            }
            Some(Action::Luals(request)) => {
                let luals::Arguments { target, catalogs, .. } = request;
                let (format, color) = (MessageFormat::Human, ColorChoice::Auto);
                let target = target.as_deref();
                return Some((catalogs, Request { target, dialect: None, is_matched: false, format, color }));
            }
            Some(Action::Diff(request)) => &mut request.sources,
            Some(Action::Equivalence(request)) => &mut request.sources,
            Some(Action::Install(install)) => &mut install.sources,
            Some(Action::Dungeon(dungeon)) => dungeon.sources_mut(),
            Some(Action::Catalog(catalog)) => return catalog.catalog_files(),
            Some(
                Action::New(_)
                | Action::Init(_)
                | Action::Config(_)
                | Action::Dlb(_)
                | Action::Uninstall(_)
                | Action::Schema(_)
                | Action::Explain(_)
                | Action::Completions(_)
                | Action::Man(_),
            ) => return None,
        };
        Some(sources.catalog_files())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lists_every_command() {
        let command = Arguments::command();
        let words: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(words, crate::options::COMMANDS);
    }
}
