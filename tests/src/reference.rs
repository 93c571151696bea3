//! Where the reference data lies: what the games' own compilers and loaders made of their own levels.
//!
//! The data is no part of the project. Tests that need it look at `../shared/reference` beside the workspace,
//! or at the folder that the environment variable `SPLC_REFERENCE` names.

use std::env;
use std::path::{Path, PathBuf};

/// The folder of a game's reference data, or `None`, said loudly, if it is not there.
pub fn game(name: &str) -> Option<PathBuf> {
    let folder = env::var_os("SPLC_REFERENCE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/reference"), PathBuf::from);
    let game = folder.join(name);
    if game.is_dir() {
        return Some(game);
    }
    eprintln!("\n*** NOT TESTED: no reference data at {}; set SPLC_REFERENCE ***\n", game.display());
    None
}

/// The files in `folder` whose name ends with `suffix`, sorted.
pub fn files(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.to_string_lossy().ends_with(suffix)).collect();
    files.sort();
    files
}
