//! Groups of options that several commands have.

use std::path::PathBuf;

use clap::{ArgAction, Args};
use splc_driver::games::Dialect;
use splc_driver::output::{self, Output};
use splc_ir::abi::Abi;
use splc_ir::catalog::{Catalogs, Shared};
use splc_vm::{DEPTHS, Hero};

use super::values::{dialect, hero, machine, output_of, time};
use crate::report::{ColorChoice, MessageFormat};

/// Games that are not built in.
#[derive(Debug, Args)]
pub struct CatalogFiles {
    /// Catalog of a game that is not built in; can be repeated. The last one is the target, unless --target names
    /// another game
    #[arg(hide_short_help = true, id = "catalog", long = "catalog", value_name = "FILE.toml", action = ArgAction::Append)]
    pub files: Vec<PathBuf>,

    /// Further catalogs, which are not the target unless it is named.
    #[arg(skip)]
    pub others: Vec<PathBuf>,

    /// What was read of them, and so every game that is known.
    #[arg(skip)]
    pub known: Catalogs,

    /// The game that is meant, by its name or because its catalog was given.
    #[arg(skip)]
    pub target: Option<Shared>,
}

/// The project file.
#[derive(Clone, Debug, Default, Args)]
pub struct ProjectFile {
    /// Project file [default: the nearest splc.toml above the first file]
    #[arg(hide_short_help = true, long, value_name = "FILE.toml")]
    pub config: Option<PathBuf>,

    /// Ignore project files
    #[arg(hide_short_help = true, long, conflicts_with = "config")]
    pub isolated: bool,
}

/// Repetition of a command.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Watching {
    /// Repeat the command whenever one of its files changes
    #[arg(long)]
    pub watch: bool,
}

/// What is read, for which game, and how is spoken of it.
#[derive(Debug, Args)]
pub struct Sources {
    /// Des-files, folders or globs [default: those of splc.toml, else standard input, also `-`]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The project file.
    #[command(flatten)]
    pub project: ProjectFile,

    /// True if the game is that of the project file, so that a file may name another.
    #[arg(skip)]
    pub game_is_default: bool,

    /// Language of the des-files, e.g. unnethack
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub dialect: Option<&'static Dialect>,

    /// Game to compile for, e.g. unnethack-6.0.4 [default: the latest of the dialect]
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,

    /// What is known of further games.
    #[command(flatten)]
    pub catalogs: CatalogFiles,

    /// Machine the game was built for [default: lp64le]
    #[arg(hide_short_help = true, long, value_name = "ABI", value_parser = machine)]
    pub abi: Option<&'static Abi>,

    /// Take target, ABI and version header from a level file of your game, e.g. nhdat:oracle.lev
    #[arg(hide_short_help = true, long = "match", value_name = "FILE.lev")]
    pub matched: Option<PathBuf>,

    /// Print nothing on success, even on a terminal
    #[arg(hide_short_help = true, short, long)]
    pub quiet: bool,

    /// Format of the diagnostics
    #[arg(long, visible_alias = "output-format", value_name = "FORMAT", value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,

    /// Color the output
    #[arg(hide_short_help = true, long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,

    /// Enable a lint by name or code; `warnings` means all that are on by default, `all` means all
    #[arg(hide_short_help = true, short = 'W', long = "warn", value_name = "LINT", action = ArgAction::Append)]
    pub warn: Vec<String>,

    /// Treat a lint as an error
    #[arg(hide_short_help = true, short = 'D', long = "deny", value_name = "LINT", action = ArgAction::Append)]
    pub deny: Vec<String>,

    /// Disable a lint
    #[arg(hide_short_help = true, short = 'A', long = "allow", value_name = "LINT", action = ArgAction::Append)]
    pub allow: Vec<String>,
}

impl Sources {
    /// Returns the catalog options, with the other options that affect them.
    pub fn catalog_files(&mut self) -> (&mut CatalogFiles, Request<'_>) {
        let request = Request {
            target: self.target.as_deref(),
            dialect: self.dialect,
            is_matched: self.matched.is_some(),
            format: self.message_format,
            color: self.color,
        };
        (&mut self.catalogs, request)
    }
}

/// What is written, and where.
#[derive(Debug, Args)]
pub struct Writing {
    /// Output format
    #[arg(long, value_name = "FORM", default_value = output::LEVELS[0].name, value_parser = output_of(output::LEVELS))]
    pub emit: &'static Output,

    /// Write to this folder or file, or to standard output (`-`) [default: the current folder]
    #[arg(short, long, value_name = "DIR|FILE|-")]
    pub output: Option<PathBuf>,

    /// List the files written, as the games' compilers do
    #[arg(short, long)]
    pub verbose: bool,
}

/// The dungeon that levels are in.
#[derive(Debug, Args)]
pub struct DungeonFile {
    /// Dungeon of the levels, if not the game's own: a dungeon.lua, dungeon.def or compiled file. Portals must
    /// lead to its levels
    #[arg(id = "dungeon-file", long = "dungeon-file", value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// The game around a level that is made.
#[derive(Clone, Debug, Args)]
pub struct Surroundings {
    /// Depth of the level, also its difficulty [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(i64::from(*DEPTHS.start())..=i64::from(*DEPTHS.end())))]
    pub depth: Option<i32>,

    /// The hero, e.g. Anna/Valkyrie/dwarf/lawful [default: wizard/Archeologist/human/neutral]
    #[arg(long, value_name = "NAME/ROLE/RACE/ALIGNMENT", value_parser = hero)]
    pub hero: Option<Hero>,

    /// Object the hero carries; can be repeated
    #[arg(long = "carry", value_name = "OBJECT")]
    pub carried: Vec<String>,

    /// Local time of the game: a time, a date, or seconds since 1970 [default: 2001-09-09T01:46:40]
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub time: Option<i64>,
}

/// Options that affect how catalogs are loaded and reported.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Name of the target.
    pub target: Option<&'a str>,
    /// The dialect.
    pub dialect: Option<&'static Dialect>,
    /// True if the game is taken from a level file.
    pub is_matched: bool,
    /// Format of diagnostics.
    pub format: MessageFormat,
    /// Colour choice for diagnostics.
    pub color: ColorChoice,
}
