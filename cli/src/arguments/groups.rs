//! Groups of options that several commands have.

use std::path::PathBuf;

use clap::{ArgAction, Args};
use splc_driver::games::Dialect;
use splc_driver::output::{self, Output};
use splc_ir::abi::Abi;
use splc_ir::catalog::{Catalogs, Shared};
use splc_vm::Hero;

use super::values::{dialect, emit, hero, machine, time};
use crate::report::{ColorChoice, MessageFormat};

/// Games that are not built in.
#[derive(Debug, Args)]
pub struct CatalogFiles {
    /// Catalog of a game that is not built in; can be given several times. The last one is the target, unless
    /// another one is named
    #[arg(id = "catalog", long = "catalog", value_name = "FILE.toml", action = ArgAction::Append)]
    pub files: Vec<PathBuf>,

    /// What was read of them, and so every game that is known.
    #[arg(skip)]
    pub known: Catalogs,

    /// The game that is meant, by its name or because its catalog was given.
    #[arg(skip)]
    pub target: Option<Shared>,
}

/// What is read, for which game, and how is spoken of it.
#[derive(Debug, Args)]
pub struct Sources {
    /// Des-files; `-` or none: the standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Language of the des-files, e.g. unnethack
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub dialect: Option<&'static Dialect>,

    /// Game that the levels are for, e.g. unnethack-6.0.4 [default: the latest of the dialect]
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,

    /// What is known of further games.
    #[command(flatten)]
    pub catalogs: CatalogFiles,

    /// Machine that the game was built for [default: lp64le]
    #[arg(long, value_name = "ABI", value_parser = machine)]
    pub abi: Option<&'static Abi>,

    /// A level file of your game, e.g. nhdat:oracle.lev: target, ABI and version header are taken from it
    #[arg(long = "match", value_name = "FILE.lev")]
    pub matched: Option<PathBuf>,

    /// How diagnostics are written
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,

    /// Whether output is coloured
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,

    /// Turns a warning on, by name or code; `warnings` stands for those that are on by default, `all` for all
    #[arg(short = 'W', long = "warn", value_name = "LINT", action = ArgAction::Append)]
    pub warn: Vec<String>,

    /// Makes a warning an error
    #[arg(short = 'D', long = "deny", value_name = "LINT", action = ArgAction::Append)]
    pub deny: Vec<String>,

    /// Turns a warning off
    #[arg(short = 'A', long = "allow", value_name = "LINT", action = ArgAction::Append)]
    pub allow: Vec<String>,
}

impl Sources {
    /// Returns the catalog options, with the other options that affect them.
    pub fn catalog_files(&mut self) -> (&mut CatalogFiles, Asked<'_>) {
        let asked = Asked {
            target: self.target.as_deref(),
            dialect: self.dialect,
            is_matched: self.matched.is_some(),
            format: self.message_format,
            color: self.color,
        };
        (&mut self.catalogs, asked)
    }
}

/// What is written, and where.
#[derive(Debug, Args)]
pub struct Writing {
    /// What is made of the levels
    #[arg(long, value_name = "FORM", default_value = output::ALL[0].name, value_parser = emit())]
    pub emit: &'static Output,

    /// Folder for the files, or the one file, or `-` for the standard output [default: the current folder]
    #[arg(short, long, value_name = "DIR|FILE|-")]
    pub output: Option<PathBuf>,

    /// Lists the files that are written, as the games' compilers do
    #[arg(short, long)]
    pub verbose: bool,
}

/// The dungeon that levels are in.
#[derive(Debug, Args)]
pub struct DungeonFile {
    /// The dungeon that the levels are in, if it is not the one that the game comes with: a dungeon.lua, dungeon.def or
    /// compiled file. Portals have to lead to its levels
    #[arg(id = "dungeon-file", long = "dungeon-file", value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// The game around a level that is made.
#[derive(Debug, Args)]
pub struct Surroundings {
    /// Depth of the level, which is its difficulty too [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=127))]
    pub depth: Option<i32>,

    /// Who plays, e.g. Anna/Valkyrie/dwarf/lawful [default: wizard/Archeologist/human/neutral]
    #[arg(long, value_name = "NAME/ROLE/RACE/ALIGNMENT", value_parser = hero)]
    pub hero: Option<Hero>,

    /// An object that the hero carries; can be given several times
    #[arg(long = "carry", value_name = "OBJECT")]
    pub carried: Vec<String>,

    /// The hero's clock: 2001-09-09T01:46:40, a day alone, or seconds since 1970 [default: 2001-09-09T01:46:40]
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub time: Option<i64>,
}

/// Options that affect how catalogs are loaded and reported.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
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
