//! `dungeon.def`, the description of a game's dungeon, and the binary file `dungeon` that is made of it.
//!
//! [`prepare()`] does what `makedefs -e` does: it leaves out comments and the parts that do not count. [`parse`] reads what
//! is left, as the games' dungeon compiler does (`util/dgn_comp.l`, `util/dgn_comp.y`); [`file`](mod@file) reads the compiled
//! file. [`lua`] reads the `dungeon.lua` of NetHack 5. [`format`](mod@format) writes a description in one style.

mod lexer;
mod noticed;
mod parser;
mod prepare;

pub mod file;
pub mod format;
pub mod lua;

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::dungeon::Description;
use splc_ir::source::{FileId, SourceMap};

pub use self::noticed::noticed;
pub use self::prepare::{Prepared, prepare};

/// In which state a description is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// As people write it (`dungeon.def`): with parts that count only sometimes.
    Written,
    /// As `makedefs -e` leaves it (`dungeon.pdf`).
    Prepared,
}

/// Reads the description of the dungeon in `file` of `sources`, as the games' dungeon compiler does for the game of
/// `catalog`.
///
/// What cannot be read goes into `diagnostics`; the description then holds what could be read.
/// [`check`](splc_ir::dungeon::check::check) judges it.
pub fn parse(
    sources: &SourceMap,
    file: FileId,
    stage: Stage,
    catalog: &Catalog,
    diagnostics: &mut Diagnostics,
) -> Description {
    let source = sources.get(file);
    let prepared = match stage {
        Stage::Written => prepare(source, file, catalog, diagnostics),
        Stage::Prepared => Prepared::as_it_is(&source.text),
    };
    parser::parse(&prepared, file, source.charset, diagnostics)
}
