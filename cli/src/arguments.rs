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
    about = "Compiles special levels of NetHack and its variants",
    after_help = "Examples:\n  \
                  splc mylevel.des                    writes the level files into the current folder\n  \
                  splc --target unnethack-6.0.4 --abi ilp32le -o lev/ *.des\n\n\
                  `splc help COMMAND` and `splc COMMAND --help` say more about a command.\n\
                  A file with the name of a command is given with its folder: ./check\n\
                  Exit codes: 0 fine, 1 errors in the input, 2 wrong usage or trouble with files",
    disable_help_subcommand = true
)]
pub struct Arguments {
    /// What to do, if not to compile.
    #[command(subcommand)]
    pub action: Option<Action>,

    /// Makes links to splc in the folder, under the names of the games' compilers (lev_comp), and does no more
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
        /// Reports all mistakes in des-files and Lua scripts; writes nothing
        Check(Check) = "check",
        /// Corrects what needs no second thought
        Fix(Fix) = "fix",
        /// Formats des-files: indentation and blanks, nothing else
        Format(Format) = "fmt",
        /// Turns compiled level files back into source, in the language of their game
        Decompile(Decompile) = "decompile",
        /// Prints a random level, for those who test a game
        Generate(generate::Arguments) = "gen",
        /// Writes a commented level to start from
        New(New) = "new",
        /// Translates levels of one game into the language of another, and accounts for each statement
        Port(port::Port) = "port",
        /// Makes levels as the game would, and shows them
        Run(Run) = "run",
        /// Makes levels with many seeds, and reports what goes wrong on some of them
        Test(Test) = "test",
        /// Says whether two files make the same level, and shows where they differ
        Equivalence(equiv::Arguments) = "equiv",
        /// Puts levels into an installed game
        Install(install::Install) = "install",
        /// Undoes what `splc install` has done to a game
        Uninstall(install::Uninstall) = "uninstall",
        /// Compiles, reads back and checks dungeon.def, which says where the levels are
        Dungeon(dungeon::Arguments) = "dungeon",
        /// Lists, makes and changes nhdat, the archive of a game's data files
        Dlb(dlb::Arguments) = "dlb",
        /// Lists the games and machines that levels can be made for
        Targets(Targets) = "targets",
        /// Compares with a game's own level compiler, file by file
        Conform(conform::Conform) = "conform",
        /// Makes a catalog from a variant's source tree; shows, compares and checks catalogs
        Catalog(catalog::Arguments) = "catalog",
        /// Prints a JSON Schema of what splc reads or writes as JSON
        Schema(Schema) = "schema",
        /// Explains the codes of errors and warnings, with examples
        Explain(Explain) = "explain",
        /// Prints completions for a shell
        Completions(completions::Completions) = "completions",
        /// Prints manual pages
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

    /// Shows what would change, as a unified diff, and changes nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// `splc fmt`.
#[derive(Debug, Args)]
pub struct Format {
    /// What is laid out.
    #[command(flatten)]
    pub sources: Sources,

    /// Says which files would change, and changes nothing; exit code 1 if there are any
    #[arg(long)]
    pub check: bool,
}

/// `splc decompile`.
#[derive(Debug, Args)]
pub struct Decompile {
    /// What is read: level files, also out of an archive (`nhdat:castle.lev`).
    #[command(flatten)]
    pub sources: Sources,

    /// Folder for the sources, or the one file [default: the standard output]
    #[arg(short, long, value_name = "DIR|FILE|-")]
    pub output: Option<PathBuf>,

    /// Gives the listing of a level that has no source
    #[arg(long)]
    pub listing: bool,
}

/// `splc run`.
#[derive(Debug, Args)]
pub struct Run {
    /// What is read: des-files or level files.
    #[command(flatten)]
    pub sources: Sources,

    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "seeds")]
    pub seed: u64,

    /// Several seeds: how many, from 1 on, or the first and the last
    #[arg(long, value_name = "N|A..B", value_parser = seeds_or_count)]
    pub seeds: Option<RangeInclusive<u64>>,

    /// Only the level of this name; can be given several times
    #[arg(long = "level", value_name = "NAME")]
    pub levels: Vec<String>,

    /// Writes down what the loader does, draw by draw, or without the draws
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

    /// Writes the level as JSON, one object a line
    #[arg(long, conflicts_with_all = ["stats", "step"])]
    pub json: bool,

    /// Makes many levels and counts what they have
    #[arg(long, conflicts_with = "step")]
    pub stats: bool,

    /// How many threads count [default: one for each core]
    #[arg(long, value_name = "N", requires = "stats")]
    pub threads: Option<NonZeroUsize>,

    /// Draws the level, or what was counted, as a picture into this file, or (`-`) to the standard output
    #[arg(long, value_name = "FILE.png|-", conflicts_with = "step")]
    pub png: Option<PathBuf>,

    /// The same as SVG
    #[arg(long, value_name = "FILE.svg|-", conflicts_with = "step")]
    pub svg: Option<PathBuf>,

    /// The same as a page of HTML
    #[arg(long, value_name = "FILE.html|-", conflicts_with = "step")]
    pub html: Option<PathBuf>,

    /// Goes through the level statement by statement; `h` explains
    #[arg(long)]
    pub step: bool,

    /// Goes through the level step by step from this line on; can be given several times
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

    /// The seeds that levels are made with: how many, from 1 on, or the first and the last [default: 200]
    #[arg(long, value_name = "N|A..B", value_parser = seeds_or_count)]
    pub seeds: Option<RangeInclusive<u64>>,

    /// Only the level of this name; can be given several times
    #[arg(long = "level", value_name = "NAME")]
    pub levels: Vec<String>,

    /// How many threads make levels [default: one for each core]
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
    /// Draws, events, and the finished level
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

    /// How they are listed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}

/// `splc new`.
#[derive(Debug, Args)]
pub struct New {
    /// Name of the level
    pub name: String,

    /// Language that it is written in
    #[arg(long, value_name = "DIALECT", value_parser = dialect, default_value = "nethack36")]
    pub dialect: &'static Dialect,

    /// What it is made of
    #[arg(long, value_name = "KIND", value_enum, default_value_t = LevelKind::Maze)]
    pub kind: LevelKind,

    /// The file to write [default: NAME.des]; `-`: the standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// How diagnostics are written
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,

    /// Whether diagnostics are coloured
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
    /// What it describes
    #[arg(value_name = "WHAT", value_enum)]
    pub subject: Subject,
}

/// What there is a schema of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Subject {
    /// Levels: what `--emit json` writes, and what is read in place of a des-file
    Level,
    /// Dungeons: what `splc dungeon compile --emit json` writes, and what is read in place of dungeon.def
    Dungeon,
    /// What `splc run --json` writes in each line
    Run,
    /// What `--message-format json` writes in each line
    Diagnostics,
    /// What `splc port --account` writes: a list of these, one for each input
    Account,
    /// What `splc equiv --message-format json` writes in each line
    Equivalence,
}

/// `splc explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// Codes or names of diagnostics, e.g. E0101; without one, all are listed
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
    let problem = format!("options and files go behind the command: splc {command} ...");
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
