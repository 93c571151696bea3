//! Levels as JSON: a dump can be read, the result is the original, and invalid documents are reported.

mod docs;
mod mistakes;
mod round_trip;
mod schema;

use std::path::{Path, PathBuf};

use splc_frontends::json;
use splc_ir::abi;
use splc_ir::catalog::Catalog;
use splc_ir::check;
use splc_ir::diagnostic::{Diagnostic, Diagnostics};
use splc_ir::level::Module;
use splc_ir::loadable::lower_each;
use splc_ir::source::SourceMap;
use splc_tests::{Beside, GAMES, corpus, corpus_files, reference, workspace};

/// A module and its source.
struct Read {
    module: Module,
    sources: SourceMap,
    diagnostics: Diagnostics,
}

/// Reads a des-file, and checks it if `judge`.
fn des_file(path: &Path, catalog: &'static Catalog, judge: bool) -> Read {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add(path.to_string_lossy(), Some(path.to_owned()), std::fs::read(path).unwrap());
    let mut module = splc_frontends::parse(&mut sources, file, catalog, &mut Beside, &mut diagnostics);
    if judge {
        check::check(&mut module, catalog, &mut diagnostics);
    }
    Read { module, sources, diagnostics }
}

/// Reads JSON, or returns its diagnostics.
fn document(text: &str) -> Result<Read, (SourceMap, Vec<Diagnostic>)> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let dump = json::read(&mut sources, "level.json", None, text.as_bytes().to_vec(), &mut diagnostics);
    match dump {
        Some(dump) => {
            assert!(!diagnostics.has_errors(), "what has errors is not read");
            Ok(Read { module: dump.module, sources, diagnostics })
        }
        None => {
            assert!(diagnostics.has_errors(), "what is not read has errors");
            diagnostics.sort();
            Err((sources, diagnostics.iter().cloned().collect()))
        }
    }
}

/// Returns the document of a module.
fn dump(read: &Read, catalog: &Catalog) -> String {
    let mut bytes = Vec::new();
    splc_backends::json::write(&read.module, catalog, &read.sources, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Returns the level files of a checked module for every machine in the catalog.
fn level_files(module: &Module, catalog: &'static Catalog) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for abi in abi::ALL.iter() {
        let Some(header) = catalog.header(abi.name) else { continue };
        let mut diagnostics = Diagnostics::new();
        lower_each(module, catalog, abi, &mut diagnostics, |_, level, _| {
            files.push(splc_backends::level_file::encode(&level, catalog, abi, header).unwrap());
        });
    }
    files
}

/// Returns every des-file of the corpus and the reference data that has no errors, with its game.
fn all_des_files() -> Vec<(PathBuf, &'static Catalog)> {
    let mut files = Vec::new();
    for (folder, target) in GAMES {
        let catalog = Catalog::by_name(target).unwrap();
        let mut folders = vec![corpus(folder)];
        folders.extend(reference::find(target));
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "des") {
                    files.push((path, catalog));
                }
            }
        }
    }
    files.sort_by(|(left, _), (right, _)| left.cmp(right));
    files
}
