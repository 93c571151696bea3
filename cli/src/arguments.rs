//! The options and commands of the command line.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, Parser, ValueEnum};
use splc_driver::games::Dialect;
use splc_ir::diagnostic::Code;

use crate::report::{ColorChoice, MessageFormat};
use crate::{catalog, completions, conform, dlb, dungeon, equiv, generate, install, man, port};
use commands::commands;
use groups::{Asked, CatalogFiles, DungeonFile, Sources, Surroundings, Writing};
use lints::any_code;
use values::{dialect, seeds_or_count};

pub mod commands;
pub mod groups;
mod help;
pub mod lints;
pub mod values;

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
        /// Run levels with many seeds, and report what goes wrong
        Test(Test) = "test",
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
        /// Explain the codes of errors and warnings, with examples
        Explain(Explain) = "explain",
        /// Print completions for a shell
        Completions(completions::Completions) = "completions",
        /// Print manual pages
        Man(man::Asked) = "man",
    }
}

/// Compiling.
#[derive(Debug, Args)]
pub struct Compile {
    /// What is read.
    #[command(flatten)]
    pub sources: Sources,
    /// What is written.
    #[command(flatten)]
    pub writing: Writing,
}

/// `splc check`.
#[derive(Debug, Args)]
pub struct Check {
    /// What is read.
    #[command(flatten)]
    pub sources: Sources,

    /// The dungeon around.
    #[command(flatten)]
    pub dungeon: DungeonFile,
}

/// `splc fix`.
#[derive(Debug, Args)]
pub struct Fix {
    /// What is mended.
    #[command(flatten)]
    pub sources: Sources,

    /// Print a unified diff instead of changing files
    #[arg(long)]
    pub dry_run: bool,
}

/// `splc fmt`.
#[derive(Debug, Args)]
pub struct Format {
    /// What is laid out.
    #[command(flatten)]
    pub sources: Sources,

    /// List the files that would change instead of changing them; exit with 1 if there are any
    #[arg(long)]
    pub check: bool,
}

/// `splc decompile`.
#[derive(Debug, Args)]
pub struct Decompile {
    /// What is read: level files, also out of an archive (`nhdat:castle.lev`).
    #[command(flatten)]
    pub sources: Sources,

    /// Write the source to this folder or file, or to standard output (`-`) [default: -]
    #[arg(short, long, value_name = "DIR|FILE|-")]
    pub output: Option<PathBuf>,

    /// Write a listing of levels that cannot be decompiled
    #[arg(long)]
    pub listing: bool,
}

/// `splc run`.
#[derive(Debug, Args)]
pub struct Run {
    /// What is read: des-files or level files.
    #[command(flatten)]
    pub sources: Sources,

    /// Seed for the random numbers
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "seeds")]
    pub seed: u64,

    /// Run with N seeds, starting at 1, or with the seeds A to B
    #[arg(long, value_name = "N|A..B", value_parser = seeds_or_count)]
    pub seeds: Option<RangeInclusive<u64>>,

    /// Only the level with this name; can be repeated
    #[arg(long = "level", value_name = "NAME")]
    pub levels: Vec<String>,

    /// Trace the loader, with or without its random draws
    #[arg(
        long,
        value_name = "WHAT",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "draws",
        conflicts_with_all = ["json", "stats", "step", "png", "svg", "html"]
    )]
    pub trace: Option<TraceLines>,

    /// Print each level as a line of JSON
    #[arg(long, conflicts_with_all = ["stats", "step"])]
    pub json: bool,

    /// Run many seeds and print statistics
    #[arg(long, conflicts_with = "step")]
    pub stats: bool,

    /// Number of threads for --stats [default: one per core]
    #[arg(long, value_name = "N", requires = "stats")]
    pub threads: Option<NonZeroUsize>,

    /// Write a picture of the level or statistics to this file, or to standard output (`-`)
    #[arg(long, value_name = "FILE.png|-", conflicts_with = "step")]
    pub png: Option<PathBuf>,

    /// Write the picture as SVG
    #[arg(long, value_name = "FILE.svg|-", conflicts_with = "step")]
    pub svg: Option<PathBuf>,

    /// Write the picture as an HTML page
    #[arg(long, value_name = "FILE.html|-", conflicts_with = "step")]
    pub html: Option<PathBuf>,

    /// Step through the level statement by statement; `h` lists the commands
    #[arg(long)]
    pub step: bool,

    /// Step through the level from this line on; can be repeated
    #[arg(
        long = "break",
        value_name = "LINE",
        conflicts_with_all = ["trace", "json", "stats", "png", "svg", "html"]
    )]
    pub breakpoints: Vec<NonZeroUsize>,

    /// The game around the level.
    #[command(flatten)]
    pub surroundings: Surroundings,

    /// The dungeon around.
    #[command(flatten)]
    pub dungeon: DungeonFile,
}

/// `splc test`.
#[derive(Debug, Args)]
pub struct Test {
    /// What is read: des-files or level files.
    #[command(flatten)]
    pub sources: Sources,

    /// Run with N seeds, starting at 1, or with the seeds A to B [default: 200]
    #[arg(long, value_name = "N|A..B", value_parser = seeds_or_count)]
    pub seeds: Option<RangeInclusive<u64>>,

    /// Only the level with this name; can be repeated
    #[arg(long = "level", value_name = "NAME")]
    pub levels: Vec<String>,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// The game around the levels.
    #[command(flatten)]
    pub surroundings: Surroundings,

    /// The dungeon around.
    #[command(flatten)]
    pub dungeon: DungeonFile,
}

/// What a trace holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceLines {
    /// Draws, events and the finished level
    Draws,
    /// Events and the finished level
    Events,
}

/// `splc targets`.
#[derive(Debug, Args)]
pub struct Targets {
    /// What is known of further games.
    #[command(flatten)]
    pub catalogs: CatalogFiles,

    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}

/// `splc new`.
#[derive(Debug, Args)]
pub struct New {
    /// Name of the level
    pub name: String,

    /// Language to write the level in
    #[arg(long, value_name = "DIALECT", value_parser = dialect, default_value = "nethack36")]
    pub dialect: &'static Dialect,

    /// Structure of the level
    #[arg(long, value_name = "KIND", value_enum, default_value_t = LevelKind::Maze)]
    pub kind: LevelKind,

    /// Write to FILE, or to standard output (`-`) [default: NAME.des]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Format of the diagnostics
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,

    /// Color the diagnostics
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}

/// What a level is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LevelKind {
    /// Drawn maps
    Maze,
    /// Rooms and corridors
    Rooms,
}

/// `splc schema`.
#[derive(Debug, Args)]
pub struct Schema {
    /// Format to describe
    #[arg(value_name = "WHAT", value_enum)]
    pub subject: Subject,
}

/// What there is a schema of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Subject {
    /// Levels: the output of `--emit json`, and input in place of a des-file
    Level,
    /// Dungeons: the output of `splc dungeon compile --emit json`, and input in place of dungeon.def
    Dungeon,
    /// Each line of `splc run --json`
    Run,
    /// Each line of `--message-format json`
    Diagnostics,
    /// Each element of the list that `splc port --account` writes, one per input
    Account,
    /// Each line of `splc equiv --message-format json`
    Equivalence,
}

/// `splc explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// Codes or names of diagnostics, e.g. E0101 [default: list all of them]
    #[arg(value_name = "CODE", value_parser = any_code)]
    pub codes: Vec<Code>,
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
    /// Returns the catalog options of the command, with the options for reporting mistakes in catalogs. Returns `None`
    /// if the command has no such options.
    pub fn catalog_files(&mut self) -> Option<(&mut CatalogFiles, Asked<'_>)> {
        let sources = match &mut self.action {
            None => &mut self.compile.sources,
            Some(Action::Check(check)) => &mut check.sources,
            Some(Action::Fix(fix)) => &mut fix.sources,
            Some(Action::Format(format)) => &mut format.sources,
            Some(Action::Decompile(decompile)) => &mut decompile.sources,
            Some(Action::Port(port)) => &mut port.sources,
            Some(Action::Run(run)) => &mut run.sources,
            Some(Action::Conform(conform)) => &mut conform.sources,
            Some(Action::Test(test)) => &mut test.sources,
            Some(Action::Targets(targets)) => {
                let Targets { catalogs, message_format } = targets;
                let format = *message_format;
                let asked = Asked { target: None, dialect: None, is_matched: false, format, color: ColorChoice::Auto };
                return Some((catalogs, asked));
            }
            Some(Action::Generate(asked)) => {
                let generate::Arguments { dialect, target, catalogs, message_format, color, .. } = asked;
                let (dialect, format, color) = (*dialect, *message_format, *color);
                return Some((
                    catalogs,
                    Asked { target: target.as_deref(), dialect, is_matched: false, format, color },
                ));
            }
            Some(Action::Equivalence(asked)) => &mut asked.sources,
            Some(Action::Install(install)) => &mut install.sources,
            Some(Action::Dungeon(dungeon)) => dungeon.sources_mut(),
            Some(Action::Catalog(catalog)) => return catalog.catalog_files(),
            Some(
                Action::New(_)
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
        assert_eq!(words, commands::WORDS);
    }
}
