//! Level files of opcodes: UnNetHack, SporkHack, NetHack 3.6.
//!
//! A file is a dump of C variables of the machine for which the game was built (UnNetHack 6.0.4, `util/lev_main.c`,
//! `write_maze`):
//!
//! - the version header: `unsigned long`s
//! - the number of opcodes: `long`
//! - each opcode: `int`; after a push, its type in one byte, and then a `long`, or for texts and names their
//!   length as `int` and their bytes

use splc_ir::abi::{Abi, INT};
use splc_ir::catalog::{Catalog, Feature};
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::program::{Opcode, Program, Value};
use splc_ir::value::ValueType;

/// Encodes the level file of `program` for the game of `catalog` on a machine with `abi`.
///
/// `header` is the version header, one number for each `unsigned long`: that of the catalog, or one taken from another
/// level file of the game.
///
/// # Errors
/// If the game lacks something that the program uses.
pub fn encode(program: &Program, catalog: &Catalog, abi: &Abi, header: &[u64]) -> Result<Vec<u8>, Diagnostic> {
    let mut numbers = [None; Opcode::ALL.len()];
    for (number, opcode) in catalog.opcodes.iter().enumerate() {
        numbers[*opcode as usize] = Some(number as i32);
    }
    let mut tags = [None; ValueType::Selection as usize + 1];
    for tag in ValueType::PUSHED {
        tags[*tag as usize] = catalog.value_type(tag.as_str()).and_then(|number| u8::try_from(number).ok());
    }
    let refuse = |span, what: String| {
        Diagnostic::new(Code::Target, span, format!("{} has no {what}", catalog.title))
            .with_help("choose another --target, or remove it from the level")
    };

    let wide = catalog.has(Feature::WideValueTypes);
    // An opcode takes an int, a push about a type and a long in addition.
    let mut out = Vec::with_capacity(program.ops.len() * (INT + abi.long) + 64);
    for &long in header {
        abi.put_long(&mut out, long as i64);
    }
    abi.put_long(&mut out, program.ops.len() as i64);
    for op in &program.ops {
        let number =
            numbers[op.code as usize].ok_or_else(|| refuse(op.span, format!("opcode '{}'", op.code.as_str())))?;
        abi.put_int(&mut out, number);
        let Some(operand) = &op.operand else { continue };
        let value = operand.resolve(catalog).map_err(|unknown| refuse(op.span, unknown.to_string()))?;
        let tag = operand.value_type();
        let number = tags[tag as usize].ok_or_else(|| refuse(op.span, format!("values of type {}", tag.as_str())))?;
        if wide {
            abi.put_short(&mut out, i16::from(number));
        } else {
            out.push(number);
        }
        match value {
            Value::Number(ValueType::Null, _) => {}
            Value::Number(_, number) => abi.put_long(&mut out, number),
            Value::Narrow(_, number) => abi.put_long(&mut out, quirk_narrow(number, abi)),
            Value::Text(_, text) => {
                // C strings end at a null byte.
                let text = text.split('\0').next().unwrap_or("");
                abi.put_int(&mut out, program.charset.encoded_len(text) as i32);
                program.charset.encode_into(text, &mut out);
            }
            Value::Bytes(bytes) => {
                abi.put_int(&mut out, bytes.len() as i32);
                out.extend_from_slice(&bytes);
            }
        }
    }
    Ok(out)
}

/// Returns a negative `int` as read from a `long`: on x86-64 the upper half of the register is zero.
fn quirk_narrow(number: i32, abi: &Abi) -> i64 {
    if abi.narrow_arguments { i64::from(number as u32) } else { i64::from(number) }
}
