//! Properties of splc that hold for every input.
//!
//! A [`Target`] is a property and a generator: it takes any bytes, builds an input from them, and panics if splc breaks
//! its promise for that input. Fuzzers supply the bytes. The program of this crate supplies random ones on stable Rust,
//! `fuzz/libfuzzer` those that reach new code. `saved` contains inputs that once failed, and `cargo test` repeats them.
//!
//! The generators damage real levels: bytes choose a file of `corpus`, or a seed of `splc gen`, and edits of its
//! tokens. So most inputs get past the parser.
#![allow(clippy::expect_used, clippy::unwrap_used)] // a broken promise panics

pub mod inputs;
pub mod random;
mod targets;

use std::path::PathBuf;

/// A property of splc that holds for every input.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name on the command line, and of its folder in `saved`.
    pub name: &'static str,
    /// The promise, as one sentence.
    pub promise: &'static str,
    /// Builds an input from bytes and checks the promise for it. Panics if splc breaks it.
    pub check: fn(&[u8]),
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "compile", promise: "a des-file without errors has level files", check: targets::compile },
    Target { name: "fix", promise: "fixing never adds errors, and has an end", check: targets::fix },
    Target { name: "format", promise: "a formatted file compiles to the same bytes", check: targets::format },
    Target { name: "json", promise: "a level written as JSON compiles to the same bytes", check: targets::json },
    Target { name: "decompile", promise: "a decompiled level compiles to the same bytes", check: targets::decompile },
    Target { name: "level-file", promise: "a damaged level file is read or refused", check: targets::level_file },
    Target { name: "port", promise: "a port without errors is a file that the target accepts", check: targets::port },
    Target { name: "port-lua", promise: "a script is ported as a des-file is, and back", check: targets::port_lua },
    Target { name: "run", promise: "a run ends with a level or an error", check: targets::run },
    Target { name: "lua", promise: "a script is checked, and its run ends", check: targets::lua },
    Target { name: "dungeon", promise: "a dungeon reads back from each of its forms", check: targets::dungeon },
    Target { name: "archive", promise: "a damaged archive is read or refused", check: targets::archive },
    Target { name: "catalog", promise: "a catalog is loaded or refused", check: targets::catalog },
];

/// Returns the target called `name`.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}

/// Returns the folder of the inputs that once failed, with a folder for each target.
pub fn saved() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("saved")
}
