//! Every level file of the reference data can be read on every ABI, and its opcodes encode to the same bytes.

use std::fs;

use splc_frontends::opcode_stream;
use splc_ir::abi::{self, Abi};
use splc_ir::catalog::{Catalog, Format};
use splc_ir::program::{Op, Opcode, Operand, Program, Value};
use splc_ir::source::FileId;
use splc_ir::value::ValueType;
use splc_tests::reference;

/// Encodes the opcodes of `program`. This is a simple independent encoder, to test the reader alone.
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
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn level_files_are_read_completely() {
    for catalog in splc_ir::catalog::ALL {
        // Variants have no reference data.
        if catalog.format != Format::Opcodes || catalog.extends.is_some() {
            continue;
        }
        let folder = reference::game(&catalog.name);
        for abi in abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some()) {
            let paths = reference::files(&folder.join("lev").join(abi.name), ".lev");
            let (mut all_maps, mut raw, mut trailing) = (0, 0, 0);
            for path in &paths {
                let bytes = fs::read(path).unwrap();
                let level = opcode_stream::read(&bytes, "", FileId(0), catalog, abi).unwrap();
                let start = (catalog.header(abi.name).unwrap().len() + 1) * abi.long;
                let end = bytes.len() - level.trailing;
                let packed = pack(&level.program, catalog, abi);
                assert!(packed == bytes[start..end], "{}: differs", path.display());
                let count = |is: fn(&Op) -> bool| level.program.ops.iter().filter(|op| is(op)).count();
                let maps = count(|op| matches!(op.operand, Some(Operand::Rows(_))));
                let unnamed = count(|op| matches!(op.operand, Some(Operand::Raw(..))));
                // Every map of a real level is recognised, except the empty ones of NOMAP, and nothing else is mistaken
                // for a map. Two numbers follow the map.
                let of_maps = level.program.ops.windows(4).filter(|ops| ops[3].code == Opcode::Map);
                let (drawn, others): (Vec<_>, Vec<_>) =
                    of_maps.partition(|ops| matches!(ops[0].operand, Some(Operand::Rows(_))));
                assert_eq!(maps, drawn.len(), "{}: maps", path.display());
                assert_eq!(maps + others.len(), count(|op| op.code == Opcode::Map), "{}: maps", path.display());
                let empty = |op: &Op| matches!(&op.operand, Some(Operand::String(text)) if text.as_ref().is_none_or(|text| text.is_empty()));
                assert!(others.iter().all(|ops| empty(&ops[0])), "{}: a map is not recognised", path.display());
                all_maps += maps;
                raw += unnamed;
                trailing += usize::from(level.trailing > 0);
            }
            println!(
                "{} {}: {} files, {all_maps} maps, {raw} raw, {trailing} longer",
                catalog.name,
                abi.name,
                paths.len()
            );
            // One level of UnNetHack was written over a longer one.
            assert!(!paths.is_empty() && all_maps > 0 && raw == 0 && trailing <= 1);
        }
    }
}
