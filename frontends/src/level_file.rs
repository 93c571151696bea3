//! Reader for compiled level files of any game.

use splc_ir::abi::Abi;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::loadable::Loadable;
use splc_ir::source::{FileId, Span};

use crate::{opcode_stream, parts_file};

/// The content of a level file.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelFile {
    /// The unsigned longs of its header.
    pub header: Vec<u64>,
    /// Its level. Its spans are byte ranges of the file.
    pub level: Loadable,
    /// The number of bytes after the level, which the games do not read.
    pub trailing: usize,
}

/// Reads the level file `bytes` of `catalog`'s game, written by a machine of `abi`.
///
/// `name` becomes the level's name, because the file does not contain it. Spans refer to `file`.
///
/// # Errors
/// [`Code::Damaged`] with the offset of the first invalid byte; [`Code::Target`] if the game is not known on this ABI.
pub fn read(bytes: &[u8], name: &str, file: FileId, catalog: &Catalog, abi: &Abi) -> Result<LevelFile, Diagnostic> {
    Ok(match catalog.format {
        Format::Opcodes => {
            let opcode_stream::LevelFile { header, program, trailing } =
                opcode_stream::read(bytes, name, file, catalog, abi)?;
            LevelFile { header, level: Loadable::Program(program), trailing }
        }
        Format::Parts => {
            let parts_file::LevelFile { header, level, trailing } = parts_file::read(bytes, name, file, catalog, abi)?;
            LevelFile { header, level: Loadable::Parts(level), trailing }
        }
        Format::Lua => {
            let message = format!("{} has no level files: its levels are Lua scripts", catalog.title);
            return Err(Diagnostic::new(Code::Target, Span::new(file, 0, 0), message));
        }
    })
}

/// Reads a level file like [`read`], trying each of `machines`, and returns the best reading with its machine: the
/// first that leaves the fewest bytes over. The header alone does not always identify the machine.
///
/// # Errors
/// Like [`read`], the first error if every reading fails. Returns [`None`] if there are no machines.
pub fn read_any<'a>(
    bytes: &[u8],
    name: &str,
    file: FileId,
    catalog: &Catalog,
    machines: impl IntoIterator<Item = &'a Abi>,
) -> Option<Result<(LevelFile, &'a Abi), Diagnostic>> {
    let readings = machines.into_iter().map(|abi| read(bytes, name, file, catalog, abi).map(|read| (read, abi)));
    best_reading(readings, |(read, _)| read.trailing)
}

/// Returns the first of several readings of a file with the fewest bytes left over, or the first error if all fail.
pub fn best_reading<T, E>(
    readings: impl IntoIterator<Item = Result<T, E>>,
    left_over: impl Fn(&T) -> usize,
) -> Option<Result<T, E>> {
    readings.into_iter().reduce(|best, read| match (&best, &read) {
        (Err(_), Ok(_)) => read,
        (Ok(known), Ok(other)) if left_over(other) < left_over(known) => read,
        _ => best,
    })
}
