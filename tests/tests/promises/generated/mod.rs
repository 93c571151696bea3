//! Properties of random levels, generated for every game by `splc_generate`.
//!
//! A failure is shrunk to a few lines and shown as a des-file,
//! with the seed of the run, which `SPLC_SEED` repeats. It is kept in `tests/regressions`.

mod found;
mod games;
mod properties;
mod reach;
mod typed;

use splc_generate::{self as generate, Choices};
use splc_ir::catalog::Catalog;
use splc_ir::check;
use splc_ir::diagnostic::{Diagnostics, Severity};
use splc_ir::level::Module;

pub use splc_tests::cases;

/// Generates and checks a module. Returns it with its errors, of which there should be none.
pub fn judged(catalog: &Catalog, mut choices: Choices, size: usize) -> (Module, Vec<String>) {
    let mut module = generate::module(catalog, &mut choices, size);
    let mut diagnostics = Diagnostics::new();
    check::check(&mut module, catalog, &mut diagnostics);
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let errors = errors.map(|error| format!("{}: {}", error.code.as_str(), error.message)).collect();
    (module, errors)
}

/// Returns a module as source, or as the tree if it cannot be printed.
pub fn shown(module: &Module, catalog: &Catalog) -> String {
    splc_backends::des::print(module, catalog).unwrap_or_else(|problems| format!("{problems:?}\n{module:#?}"))
}
