//! The levels that ship with the game.

use std::fs;

use super::{ABIS, compile, files, reference};

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn shipped_levels_are_identical_byte_for_byte() {
    let reference = reference();
    let mut compared = 0;
    let mut different = Vec::new();
    for abi in ABIS {
        for path in files(&reference.join("des"), ".des") {
            let compiled = compile(&fs::read(&path).unwrap(), abi);
            for (line, diagnostic) in compiled.errors() {
                different.push(format!("{}: line {line}: {}", path.display(), diagnostic.message));
            }
            for (name, bytes) in compiled.levels {
                let expected = fs::read(reference.join("lev").join(abi).join(format!("{name}.lev"))).unwrap();
                compared += 1;
                if bytes != expected {
                    let at = bytes.iter().zip(&expected).position(|(ours, theirs)| ours != theirs);
                    different.push(format!("{abi} {name}: {} for {} bytes, from {at:?}", bytes.len(), expected.len()));
                }
            }
        }
    }
    println!("nethack-3.4.3: {} level files identical, {} not", compared - different.len(), different.len());
    assert_eq!(different, Vec::<String>::new());
    assert_eq!(compared, 113 * ABIS.len());
}
