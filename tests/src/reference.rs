//! Location of the reference data: the output of the games' own compilers and loaders for their own levels.
//!
//! The data is not part of the project. Tests that need it use `../shared/reference` next to the workspace, or the
//! folder named by the environment variable `SPLC_REFERENCE`. If the data is missing when the tests are built, they are
//! ignored: each such test has the attribute
//!
//! ```text
//! #[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
//! ```
//!
//! so that the test program lists and counts the tests that were not run. A test that runs without its data fails.

use std::env;
use std::path::{Path, PathBuf};

fn folder(game: &str) -> PathBuf {
    let folder = env::var_os("SPLC_REFERENCE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/reference"), PathBuf::from);
    folder.join(game)
}

/// Returns the folder of a game's reference data, for a test that needs it.
///
/// # Panics
/// Panics if the folder does not exist.
pub fn game(name: &str) -> PathBuf {
    let folder = folder(name);
    assert!(folder.is_dir(), "no reference data at {}; set SPLC_REFERENCE", folder.display());
    folder
}

/// Returns the folder of a game's reference data if it exists, for tests and benchmarks that have other data as well.
/// Otherwise prints that this data is skipped.
pub fn find(name: &str) -> Option<PathBuf> {
    let folder = folder(name);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("NOT RUN with the data of {name}: it is not at {}; set SPLC_REFERENCE", folder.display());
    None
}

/// Returns the files in `folder` whose names end with `suffix`, sorted.
pub fn files(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.to_string_lossy().ends_with(suffix)).collect();
    files.sort();
    files
}
