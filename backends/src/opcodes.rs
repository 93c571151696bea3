//! STAND-IN for the encoder, until it is merged: the header, and a name for each opcode.

use splc_ir::abi::Abi;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostic;
use splc_ir::program::Program;

/// STAND-IN.
pub fn encode(program: &Program, _catalog: &Catalog, abi: &Abi, header: &[u64]) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = Vec::new();
    for &long in header {
        abi.put_long(&mut bytes, long as i64);
    }
    for op in &program.ops {
        bytes.extend_from_slice(format!("{op:?}\n").as_bytes());
    }
    Ok(bytes)
}
