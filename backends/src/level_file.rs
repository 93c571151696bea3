//! Level files of any game.

use splc_ir::abi::Abi;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::loadable::Loadable;
use splc_ir::parts::Layouts;

use crate::{opcodes, parts};

/// Encodes the level file of `level` for the game of `catalog` on a machine with `abi`.
///
/// `header` is the version header, one number for each `unsigned long`: that of the catalog, or one taken from another
/// level file of the game.
///
/// # Errors
/// If the game lacks something that the level uses.
pub fn encode(level: &Loadable, catalog: &Catalog, abi: &Abi, header: &[u64]) -> Result<Vec<u8>, Diagnostic> {
    if let Some(reason) = catalog.unverified.first() {
        let message = format!("splc cannot vouch for level files of {}: {reason}", catalog.title);
        let help = "remove `unverified` from its catalog to write them nevertheless, and compare them with those of the \
                    game's own compiler";
        return Err(Diagnostic::new(Code::Target, None, message).with_help(help));
    }
    match level {
        Loadable::Program(program) => opcodes::encode(program, catalog, abi, header),
        Loadable::Parts(level) => Ok(parts::encode_as(level, Layouts::of(catalog), abi, header)),
        Loadable::Lua(_) => Err(no_level_file(catalog)),
    }
}

/// Returns the diagnostic that a Lua script is not compiled.
fn no_level_file(catalog: &Catalog) -> Diagnostic {
    let message = format!("{} has no level files: it runs Lua scripts directly", catalog.title);
    Diagnostic::new(Code::Target, None, message)
}
