//! Where the reference data lies: what the games' own compilers and loaders made of their own levels.
//!
//! The data is not part of the project. Tests that need it look at `../shared/reference` beside the workspace, or at
//! the folder that the environment variable `SPLC_REFERENCE` names. When the tests are built and the data is not
//! there, they are ignored: each such test has the attribute
//!
//! ```text
//! #[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
//! ```
//!
//! so that the test program lists and counts what was not run. A test that runs without its data fails.

use std::env;
use std::path::{Path, PathBuf};

fn folder(game: &str) -> PathBuf {
    let folder = env::var_os("SPLC_REFERENCE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/reference"), PathBuf::from);
    folder.join(game)
}

/// The folder of a game's reference data, for a test that cannot do without.
///
/// # Panics
/// If it is not there.
pub fn game(name: &str) -> PathBuf {
    let folder = folder(name);
    assert!(folder.is_dir(), "no reference data at {}; set SPLC_REFERENCE", folder.display());
    folder
}

/// The folder of a game's reference data if it is there, for tests and benchmarks that have other data, too; if not, it
/// is said that this is left out.
pub fn find(name: &str) -> Option<PathBuf> {
    let folder = folder(name);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("NOT RUN with the data of {name}: it is not at {}; set SPLC_REFERENCE", folder.display());
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
