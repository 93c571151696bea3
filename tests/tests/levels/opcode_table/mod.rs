//! The table of opcodes, compared with everything that depends on it: lowering, the reader of level files, and the
//! machine.

mod listing;
mod lowering;
mod machine;

use std::fs;

use splc_ir::catalog::Catalog;
use splc_ir::program::Program;
use splc_tests::{compile, corpus, reference};

/// Returns every program of the corpus and, if available, of the reference data.
fn programs(dialect: &str, catalog: &'static Catalog) -> Vec<Program> {
    let mut files = reference::files(&corpus(dialect), ".des");
    if let Some(folder) = reference::find(&catalog.name) {
        files.extend(reference::files(&folder.join("des"), ".des"));
    }
    let compiled = files.iter().map(|path| compile(fs::read(path).unwrap(), Some(path), catalog));
    compiled.flat_map(|file| file.programs).collect()
}
