//! Readers from text or bytes to [`splc_ir`].
//!
//! Each language of des-files has a folder with a `lexer.rs` and a `grammar.lalrpop`. UnNetHack, SporkHack and NetHack
//! 3.6 share one language, [`script`]; the catalog has their differences. [`nethack343`] is the older language of
//! NetHack 3.4.3. The Lua of NetHack 5 has its own crate, `splc_lua`; [`dungeon::lua`] reads its dungeon description.
//!
//! [`opcode_stream`] and, for NetHack 3.4.3, [`parts_file`] read compiled level files; [`level_file`] reads either.
//! [`json`] reads levels that splc or another program has written as JSON. [`detect`] guesses the dialect of a
//! des-file. [`templates`] has des-files to start from, [`manual`] a page about each statement.
//!
//! Two more crates are in this folder: `generate` generates random levels, `import` reads the C files of a variant.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod detect;
pub mod dungeon;
pub mod json;
mod level_bytes;
pub mod level_file;
mod lexemes;
pub mod manual;
pub mod nethack343;
pub mod opcode_stream;
pub mod parts_file;
mod quotes;
pub mod script;
mod teach;
pub mod templates;
mod trivia;
pub mod vocabulary;

use std::io;
use std::path::{Path, PathBuf};

pub use lexemes::lexemes;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::level::{Module, Trivia};
use splc_ir::limits::MAX_SOURCE_BYTES;
use splc_ir::source::{FileId, SourceMap, Span};

/// The source of included files.
///
/// A closure with the same signature implements it too.
pub trait Includes {
    /// Reads the file that an INCLUDE of `path` refers to, from the file at `from` if that is a file.
    ///
    /// Returns its location, which is the same however the file is named, and its bytes, at most `most` of them.
    ///
    /// # Errors
    /// Returns any error of reading the file, and [`too_large`] if it has more bytes.
    fn read(&mut self, path: &str, from: Option<&Path>, most: u64) -> io::Result<(PathBuf, Vec<u8>)>;
}

impl<F: FnMut(&str, Option<&Path>, u64) -> io::Result<(PathBuf, Vec<u8>)>> Includes for F {
    fn read(&mut self, path: &str, from: Option<&Path>, most: u64) -> io::Result<(PathBuf, Vec<u8>)> {
        self(path, from, most)
    }
}

/// Returns the error that an included file, together with all other files of its des-file, has more than
/// [`MAX_SOURCE_BYTES`].
pub fn too_large() -> io::Error {
    let message = format!("including it makes the des-file larger than {} MiB", MAX_SOURCE_BYTES >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

/// An [`Includes`] without any files.
pub struct NoIncludes;

impl Includes for NoIncludes {
    fn read(&mut self, _: &str, _: Option<&Path>, _: u64) -> io::Result<(PathBuf, Vec<u8>)> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "includes are not available here"))
    }
}

/// Reads a des-file in the dialect of `catalog`.
///
/// `file` is a file of `sources`. Included files are read through `includes` and added to `sources`. Errors go to
/// `diagnostics`; the module then contains the parts that could be read.
pub fn parse(
    sources: &mut SourceMap,
    file: FileId,
    catalog: &Catalog,
    includes: &mut dyn Includes,
    diagnostics: &mut Diagnostics,
) -> Module {
    match catalog.format {
        Format::Opcodes => script::parse(sources, file, catalog, includes, diagnostics),
        Format::Parts => nethack343::parse(sources, file, catalog, diagnostics),
        Format::Lua => {
            let message = format!("{} has no des-files: its levels are Lua scripts", catalog.title);
            diagnostics.push(Diagnostic::new(Code::Target, Span::new(file, 0, 0), message));
            Module::default()
        }
    }
}

/// Returns the comments and blank lines of `file`, a des-file in the dialect of `catalog`. Every byte of the file that
/// is not blank is in a token or in a comment. [`parse`] does not collect them; a printer stores those of its files in
/// [`Module::trivia`].
pub fn trivia(sources: &SourceMap, file: FileId, catalog: &Catalog) -> Vec<Trivia> {
    match catalog.format {
        Format::Opcodes => script::trivia(sources, file, catalog),
        Format::Parts => nethack343::trivia(sources, file, catalog),
        Format::Lua => Vec::new(),
    }
}
