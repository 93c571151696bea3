//! Readers: text or bytes in, [`splc_ir`] out.
//!
//! Each language has a folder, each the same inside: `lexer.rs`, `grammar.lalrpop`, `lower.rs`. UnNetHack,
//! SporkHack and NetHack 3.6 are one language, [`script`]; the catalog says in what they differ. [`nethack343`]
//! is the language before it.
//!
//! Compiled level files are read by [`opcode_stream`] and, those of NetHack 3.4.3, by [`parts_file`]; [`level_file`]
//! reads either. [`json`] reads levels that splc or another program has written as JSON, [`generate`] makes levels up. [`detect`] guesses the dialect of a des-file, [`templates`] are des-files to begin with.
//! [`source_tree`] reads the C files of a variant.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod detect;
pub mod dungeon;
pub mod generate;
pub mod json;
mod level_bytes;
pub mod level_file;
mod lexemes;
pub mod lua;
pub mod nethack343;
pub mod opcode_stream;
pub mod parts_file;
pub mod script;
pub mod source_tree;
mod teach;
pub mod templates;
mod trivia;

use std::io;
use std::path::{Path, PathBuf};

pub use lexemes::lexemes;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::level::{Module, Trivia};
use splc_ir::limits::MAX_SOURCE_BYTES;
use splc_ir::source::{FileId, SourceMap, Span};

/// Where included files come from.
///
/// A closure of the same shape does as well.
pub trait Includes {
    /// Reads the file that INCLUDE names `path`, in the file at `from` if that is a file.
    ///
    /// Gives its place, the same for the same file however it is named, and its bytes, of which there can be `most`.
    ///
    /// # Errors
    /// Whatever keeps it from being read; [`too_large`] if it has more bytes.
    fn read(&mut self, path: &str, from: Option<&Path>, most: u64) -> io::Result<(PathBuf, Vec<u8>)>;
}

impl<F: FnMut(&str, Option<&Path>, u64) -> io::Result<(PathBuf, Vec<u8>)>> Includes for F {
    fn read(&mut self, path: &str, from: Option<&Path>, most: u64) -> io::Result<(PathBuf, Vec<u8>)> {
        self(path, from, most)
    }
}

/// Says that an included file, together with the file that includes it and all others, has more than
/// [`MAX_SOURCE_BYTES`].
pub fn too_large() -> io::Error {
    let message = format!("with it, the des-file is larger than {} MiB", MAX_SOURCE_BYTES >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

/// No included files.
pub struct NoIncludes;

impl Includes for NoIncludes {
    fn read(&mut self, _: &str, _: Option<&Path>, _: u64) -> io::Result<(PathBuf, Vec<u8>)> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "no files can be included here"))
    }
}

/// Reads a des-file in the dialect of `catalog`.
///
/// `file` is a file of `sources`; included files are asked of `includes` and added there. What is wrong goes
/// into `diagnostics`; the module then holds what could be understood.
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

/// The comments and blank lines of `file`, a des-file in the dialect of `catalog`: with them, every byte of the file
/// that is not blank is in a token or in a comment. [`parse`] does not look for them; whoever prints a level puts those
/// of its files into [`Module::trivia`].
pub fn trivia(sources: &SourceMap, file: FileId, catalog: &Catalog) -> Vec<Trivia> {
    match catalog.format {
        Format::Opcodes => script::trivia(sources, file, catalog),
        Format::Parts => nethack343::trivia(sources, file, catalog),
        Format::Lua => Vec::new(),
    }
}
