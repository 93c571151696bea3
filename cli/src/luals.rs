//! `splc luals`: definition files of the game's functions, for language servers of Lua.

use std::path::PathBuf;

use clap::Args;
use splc_ir::catalog::dialect::LUA;
use splc_ir::catalog::{Catalog, Shared};
use splc_lua::definitions::definitions;

use crate::options::groups::CatalogFiles;
use crate::outcome::Outcome;
use crate::output::{print, write_files};

/// Name of the definition file.
const NAME: &str = "nethack.lua";

/// `splc luals`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Folder for the definition file
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// Game whose functions are defined, e.g. nethack-5.0.0 [default: the latest with levels in Lua]
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,

    /// What is known of further games.
    #[command(flatten)]
    pub catalogs: CatalogFiles,
}

/// Writes the definition file.
pub fn run(arguments: &Arguments) -> Outcome {
    let usual = || LUA.default_target().map(Shared::from);
    let Some(catalog) = arguments.catalogs.target.clone().or_else(usual) else { return Outcome::Trouble };
    let catalog: &Catalog = &catalog;
    let text = definitions(catalog);
    let path = arguments.output.join(NAME);
    if let Err(error) = std::fs::create_dir_all(&arguments.output) {
        eprintln!("error: cannot create {}: {error}", arguments.output.display());
        return Outcome::Trouble;
    }
    match write_files(&[(path.clone(), text.into_bytes())]) {
        Ok(()) => print(&format!("{}\n", path.display())),
        Err(problem) => {
            eprintln!("error: {}", problem.message);
            Outcome::Trouble
        }
    }
}
