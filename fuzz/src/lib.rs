//! Properties of splc that hold for every input.
//!
//! A [`Target`] is a property and a generator: it builds a [`Case`] from any bytes, and panics if splc breaks its
//! promise for that case. Fuzzers supply the bytes. The program of this crate supplies random ones on stable Rust,
//! `fuzz/libfuzzer` those that reach new code. `saved` contains cases that once failed, and `cargo test` repeats them.
//! A case is saved itself, not the bytes that it was built from: those would mean another case as soon as a generator
//! or a file of the corpus changes.
//!
//! The generators damage real levels: bytes choose a file of `corpus`, a level of one, a collected mistake, or a level
//! of `splc gen`, and edits of its tokens. So most inputs get past the parser.
#![allow(clippy::expect_used, clippy::unwrap_used)] // a broken promise panics

mod case;
pub mod inputs;
pub mod random;
mod targets;

use std::path::PathBuf;

use arbitrary::{Result, Unstructured};

pub use case::Case;

/// A property of splc that holds for every input.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name on the command line, and of its folder in `saved`.
    pub name: &'static str,
    /// The promise, as one sentence.
    pub promise: &'static str,
    /// Builds a case from bytes. Fails if there are too few.
    pub build: fn(&mut Unstructured<'_>) -> Result<Case>,
    /// Checks the promise for a case, and panics if splc breaks it. Returns false if the promise says nothing about the
    /// case: a level with errors has no bytes to compare.
    pub check: fn(&Case) -> bool,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "compile",
        promise: "a des-file without errors has level files",
        build: inputs::des_case,
        check: targets::compile,
    },
    Target {
        name: "fix",
        promise: "fixing never adds errors, and has an end",
        build: inputs::des_case,
        check: targets::fix,
    },
    Target {
        name: "format",
        promise: "a formatted file has the same tokens, comments and level files",
        build: inputs::des_case,
        check: targets::format,
    },
    Target {
        name: "print",
        promise: "a printed level compiles to the same bytes",
        build: inputs::light_case,
        check: targets::print,
    },
    Target {
        name: "json",
        promise: "a level written as JSON compiles to the same bytes",
        build: inputs::light_case,
        check: targets::json,
    },
    Target {
        name: "decompile",
        promise: "a decompiled level compiles to the same bytes",
        build: inputs::light_case,
        check: targets::decompile,
    },
    Target {
        name: "level-file",
        promise: "a damaged level file is read or refused",
        build: inputs::level_file,
        check: targets::level_file,
    },
    Target {
        name: "port",
        promise: "a port without errors is a file that the target accepts",
        build: inputs::port,
        check: targets::port,
    },
    Target {
        name: "verify",
        promise: "a port and its way back change nothing that their accounts do not mention",
        build: inputs::port,
        check: targets::verify,
    },
    Target {
        name: "port-lua",
        promise: "a script is ported as a des-file is, and back",
        build: inputs::port_lua,
        check: targets::port_lua,
    },
    Target { name: "run", promise: "a run ends with a level or an error", build: inputs::run, check: targets::run },
    Target {
        name: "lua",
        promise: "the run of a script ends, and with an error if the check found one in it",
        build: inputs::lua,
        check: targets::lua,
    },
    Target {
        name: "dungeon",
        promise: "a dungeon reads back from each of its forms",
        build: inputs::dungeon_case,
        check: targets::dungeon,
    },
    Target {
        name: "archive",
        promise: "an archive is refused, or written as it was read",
        build: inputs::archive,
        check: targets::archive,
    },
    Target {
        name: "catalog",
        promise: "a catalog is refused, or written as it was read",
        build: inputs::catalog_case,
        check: targets::catalog,
    },
    Target {
        name: "import",
        promise: "a source tree is refused, or its catalog is loaded but for contradictions of the tree",
        build: inputs::tree_case,
        check: targets::import,
    },
];

/// Returns the target called `name`.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}

/// Returns the folder of the cases that once failed, with a folder for each target.
pub fn saved() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("saved")
}
