//! Our own levels, which cover every production of each dialect, compared with the bytes that the games' own compilers
//! wrote for them. This needs no other data.

use std::collections::BTreeSet;

use splc_ir::abi;
use splc_ir::catalog::Catalog;
use splc_tests::compile;
use splc_tests::reference::files;

/// Compiles every file of `corpus/<dialect>` for every ABI and compares with `golden/<abi>`.
fn corpus(dialect: &str, target: &str) {
    let catalog = Catalog::by_name(target).unwrap();
    let folder = splc_tests::corpus(dialect);
    let (mut same, mut wrong) = (0, Vec::new());
    let mut made = BTreeSet::new();
    for path in files(&folder, ".des") {
        let compiled = compile(std::fs::read(&path).unwrap(), Some(&path), catalog);
        if compiled.diagnostics.has_errors() {
            wrong.push(format!("{}: {:#?}", path.display(), compiled.messages()));
            continue;
        }
        for abi in abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some()) {
            for (name, bytes) in compiled.levels(catalog, abi) {
                let golden = folder.join("golden").join(abi.name).join(format!("{name}.lev"));
                match std::fs::read(&golden) {
                    Ok(expected) if expected == bytes => same += 1,
                    Ok(_) => wrong.push(format!("{}: other bytes", golden.display())),
                    Err(error) => wrong.push(format!("{}: {error}", golden.display())),
                }
                made.insert(golden);
            }
        }
    }
    // A golden file that is no longer produced would hide a lost level.
    for abi in abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some()) {
        for golden in files(&folder.join("golden").join(abi.name), ".lev") {
            if !made.contains(&golden) {
                wrong.push(format!("{}: no level of this name is made", golden.display()));
            }
        }
    }
    println!("corpus/{dialect}: {same} level files identical, {} not", wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(same > 0, "corpus/{dialect} is empty");
}

#[test]
fn unnethack_corpus_is_identical() {
    corpus("unnethack", "unnethack-6.0.4");
}

#[test]
fn nethack36_corpus_is_identical() {
    corpus("nethack36", "nethack-3.6.7");
}

#[test]
fn sporkhack_corpus_is_identical() {
    corpus("sporkhack", "sporkhack-0.7.0");
}
