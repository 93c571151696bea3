//! Every level file of the reference data is read, on every ABI, and its opcodes pack to the very bytes again.
#![allow(clippy::unwrap_used)]

use std::fs;

use splc_frontends::opcode_stream;
use splc_ir::abi::{self, Abi};
use splc_ir::catalog::{Catalog, Format};
use splc_ir::program::{Opcode, Operand, Program, Value};
use splc_ir::source::FileId;
use splc_ir::value::ValueType;
use splc_tests::reference;

/// The opcodes of `program` as bytes: the plainest encoder, to test the reader alone.
fn pack(program: &Program, catalog: &Catalog, abi: &Abi) -> Vec<u8> {
    let mut out = Vec::new();
    for op in &program.ops {
        abi.put_int(&mut out, catalog.opcode(op.code).unwrap());
        let Some(operand) = &op.operand else { continue };
        let (tag, bytes) = match operand.resolve(catalog).unwrap() {
            Value::Number(tag, number) => {
                let mut bytes = Vec::new();
                abi.put_long(&mut bytes, number);
                (tag, bytes)
            }
            Value::Narrow(tag, number) => {
                let mut bytes = Vec::new();
                let number = if abi.narrow_arguments { i64::from(number as u32) } else { i64::from(number) };
                abi.put_long(&mut bytes, number);
                (tag, bytes)
            }
            Value::Text(tag, text) => (tag, {
                let mut bytes = Vec::new();
                abi.put_int(&mut bytes, program.charset.encoded_len(text) as i32);
                program.charset.encode_into(text, &mut bytes);
                bytes
            }),
            Value::Bytes(map) => (ValueType::String, {
                let mut bytes = Vec::new();
                abi.put_int(&mut bytes, map.len() as i32);
                bytes.extend_from_slice(&map);
                bytes
            }),
        };
        out.push(catalog.value_type(tag.as_str()).unwrap() as u8);
        out.extend_from_slice(&bytes);
    }
    out
}

#[test]
fn level_files_are_read_to_the_last_byte() {
    for catalog in splc_ir::catalog::ALL {
        // There is no reference for variants.
        if catalog.format != Format::Opcodes || catalog.extends.is_some() {
            continue;
        }
        let Some(folder) = reference::game(&catalog.name) else { continue };
        for abi in abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some()) {
            let paths = reference::files(&folder.join("lev").join(abi.name), ".lev");
            let (mut maps, mut raw, mut trailing) = (0, 0, 0);
            for path in &paths {
                let bytes = fs::read(path).unwrap();
                let level = opcode_stream::read(&bytes, "", FileId(0), catalog, abi).unwrap();
                let start = (catalog.header(abi.name).unwrap().len() + 1) * abi.long;
                let end = bytes.len() - level.trailing;
                let packed = pack(&level.program, catalog, abi);
                assert!(packed == bytes[start..end], "{}: differs", path.display());
                for op in &level.program.ops {
                    maps += usize::from(matches!(op.operand, Some(Operand::Rows(_))));
                    raw += usize::from(matches!(op.operand, Some(Operand::Raw(..))));
                    // Every map of a real level is known for one.
                    assert!(op.code != Opcode::Map || maps > 0);
                }
                trailing += usize::from(level.trailing > 0);
            }
            println!("{} {}: {} files, {maps} maps, {raw} raw, {trailing} longer", catalog.name, abi.name, paths.len());
            // One level of UnNetHack was written over a longer one.
            assert!(!paths.is_empty() && raw == 0 && trailing <= 1);
        }
    }
}
