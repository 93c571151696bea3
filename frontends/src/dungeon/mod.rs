//! `dungeon.def`, the description of a game's dungeon, and the binary file `dungeon` compiled from it.
//!
//! [`prepare()`] does the work of `makedefs -e`: it removes comments and inactive parts. [`parse`] reads the result, as
//! the games' dungeon compiler does (`util/dgn_comp.l`, `util/dgn_comp.y`). [`file`](mod@file) reads the compiled file.
//! [`lua`] reads the `dungeon.lua` of NetHack 5. [`format`](mod@format) formats a description.

mod lexer;
mod noticed;
mod parser;
mod prepare;
mod vocabulary;

pub mod file;
pub mod format;
pub mod lua;

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::dungeon::Description;
use splc_ir::reread;
use splc_ir::source::{FileId, SourceMap};

pub use self::noticed::noticed;
pub use self::prepare::{Prepared, prepare};
pub use self::vocabulary::{Operands, Use, operands, words};

/// The processing stage of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The source (`dungeon.def`), with conditional parts.
    Written,
    /// The output of `makedefs -e` (`dungeon.pdf`).
    Prepared,
}

/// Reads the description of the dungeon in `file` of `sources`, as the dungeon compiler of `catalog`'s game does.
///
/// Errors go to `diagnostics`; the description then contains the parts that could be read.
/// [`check`](splc_ir::dungeon::check::check) checks it.
pub fn parse(
    sources: &SourceMap,
    file: FileId,
    stage: Stage,
    catalog: &Catalog,
    diagnostics: &mut Diagnostics,
) -> Description {
    let conflicts = |text: &str| reread::without_conflicts(text, file, "#");
    reread::read(sources.get(file), diagnostics, &[&conflicts], |source, diagnostics| {
        let prepared = match stage {
            Stage::Written => prepare(source, file, catalog, diagnostics),
            Stage::Prepared => Prepared::as_it_is(&source.text),
        };
        parser::parse(&prepared, file, source.charset, catalog, diagnostics)
    })
}
