//! The level compiler in the Python package `nle` against splc: the levels that it ships, and those of MiniHack.
//!
//! These tests need files of others, and are run only when asked for: `cargo test -p splc-tests --test nle --
//! --ignored --nocapture`, with SPLC_NLE set to the folder `nethackdir` of an unpacked wheel of nle, and
//! SPLC_MINIHACK to MiniHack's folder of des-files. What is not set is said, and not tested.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use splc_ir::abi;
use splc_ir::catalog::Catalog;
use splc_tests::compile;
use splc_tests::reference::files;

/// The level files by name, or `None` if the source was refused.
type Levels = Option<BTreeMap<String, Vec<u8>>>;

/// The folder that the environment variable names.
fn folder(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    if folder.is_none() {
        println!("NOT RUN: {variable} is not set");
    }
    folder
}

/// What the package's own compiler makes of the file.
fn theirs(nle: &Path, source: &Path) -> Levels {
    let scratch = tempfile::tempdir().unwrap();
    let run = Command::new(nle.join("lev_comp")).arg(source).current_dir(scratch.path()).output().unwrap();
    run.status.success().then(|| {
        let read = |path: &PathBuf| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(path).unwrap())
        };
        files(scratch.path(), ".lev").iter().map(read).collect()
    })
}

/// What splc makes of it.
fn ours(source: &Path) -> Levels {
    let catalog = Catalog::by_name("nethack-3.6.7-nle").unwrap();
    let compiled = compile(std::fs::read(source).unwrap(), Some(source), catalog);
    (!compiled.diagnostics.has_errors()).then(|| compiled.levels(catalog, &abi::ALL[0]))
}

/// Compiles each file with both; both must make the same bytes or both refuse it.
fn compare(nle: &Path, sources: &[PathBuf]) {
    assert!(!sources.is_empty(), "no des-files are there");
    let (mut same, mut refused, mut different) = (0, 0, Vec::new());
    for source in sources {
        let (theirs, ours) = (theirs(nle, source), ours(source));
        match (&theirs, &ours) {
            (None, None) => refused += 1,
            (Some(levels), Some(_)) if theirs == ours => same += levels.len(),
            _ => different.push(source.display().to_string()),
        }
    }
    println!("{} des-files: {same} level files identical, {refused} files refused by both", sources.len());
    assert!(different.is_empty(), "{different:#?}");
}

#[test]
#[ignore = "needs an unpacked wheel of nle (SPLC_NLE)"]
fn levels_of_nle_are_identical() {
    let Some(nle) = folder("SPLC_NLE") else { return };
    compare(&nle, &files(&nle.join("dat"), ".des"));
}

#[test]
#[ignore = "needs an unpacked wheel of nle (SPLC_NLE) and MiniHack's des-files (SPLC_MINIHACK)"]
fn levels_of_minihack_are_identical() {
    let (Some(nle), Some(minihack)) = (folder("SPLC_NLE"), folder("SPLC_MINIHACK")) else { return };
    compare(&nle, &files(&minihack, ".des"));
}
