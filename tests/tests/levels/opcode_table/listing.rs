//! The listing of a level file is that of its source, except for information that the file does not contain.

use std::collections::BTreeMap;
use std::fs;

use splc_backends::listing;
use splc_frontends::opcode_stream;
use splc_ir::abi;
use splc_ir::catalog::Catalog;
use splc_ir::loadable::Loadable;
use splc_ir::program::{Named, Operand, Program, Value};
use splc_ir::source::FileId;
use splc_ir::value::SpeciesName;
use splc_tests::{SCRIPTS, compile, reference};

/// Returns the information that a level file loses about an operand. The two operands, of the source and the file, are
/// pushed as the same value.
fn lost(source: &Operand, file: &Operand, catalog: &Catalog) -> Option<&'static str> {
    match (source.resolve(catalog).ok()?, file.resolve(catalog).ok()?) {
        (Value::Number(one, a), Value::Number(other, b)) if (one, a) == (other, b) => {}
        (Value::Text(_, ""), Value::Text(_, "")) => {}
        _ => return None,
    }
    Some(match (source, file) {
        (Operand::Named(Named::Words(..)), Operand::Named(Named::Words(..))) => WORDS,
        (Operand::Named(Named::Traps { .. }), Operand::Named(Named::Traps { .. })) => "the order of traps",
        (Operand::Named(Named::Terrain(Some(_))), Operand::Named(Named::Terrain(Some(_))))
        | (Operand::MapCharacter { .. }, Operand::MapCharacter { .. }) => "which map character of one terrain it was",
        (Operand::Named(Named::CoreFunction(_)), Operand::Named(Named::CoreFunction(_))) => {
            "which name of a function it was"
        }
        (Operand::Named(Named::MonsterIndex(_)), Operand::Named(Named::MonsterIndex(_))) => "the case of letters",
        (
            Operand::Monster(SpeciesName::ClassAndName(..) | SpeciesName::Name(_)),
            Operand::Monster(SpeciesName::ClassAndName(..) | SpeciesName::Name(_)),
        ) => CLASS,
        (Operand::Object(SpeciesName::ClassAndName(a, _)), Operand::Object(SpeciesName::ClassAndName(b, _)))
            if a == b =>
        {
            "the case of letters of an object's name"
        }
        (Operand::Object(SpeciesName::Name(_)), Operand::Object(SpeciesName::Name(_))) => {
            "the case of letters of an object's name"
        }
        (Operand::String(None), Operand::String(Some(_))) => "that a text is a null pointer, and not empty",
        (Operand::Rows(_), Operand::String(Some(_))) => "the height of an empty map",
        _ => return None,
    })
}

/// Returns the number of different lines in the listings of the source and the file.
fn compare(source: &Program, file: &Program, catalog: &Catalog, counts: &mut BTreeMap<&'static str, usize>) -> usize {
    let text = |program: &Program| {
        let program = Program { vault_frequency: None, ..program.clone() };
        listing::write(&Loadable::Program(program), catalog, None)
    };
    if source.vault_frequency.is_some() {
        *counts.entry(VAULT).or_default() += 1;
    }
    // Operands with a known loss are taken from the file. Nothing else may differ.
    let mut fixed = source.clone();
    assert_eq!(source.ops.len(), file.ops.len(), "{}", source.name);
    let mut operands = 0;
    for (at, op) in file.ops.iter().enumerate() {
        let (Some(ours), Some(read)) = (&source.ops[at].operand, &op.operand) else { continue };
        operands += 1;
        if ours != read
            && let Some(what) = lost(ours, read, catalog)
        {
            *counts.entry(what).or_default() += 1;
            fixed.ops[at].operand = Some(read.clone());
        }
    }
    let (ours, read) = (text(&fixed), text(file));
    for (line, (one, other)) in ours.lines().zip(read.lines()).enumerate() {
        assert_eq!(one, other, "{}, {}, line {}", catalog.name, source.name, line + 1);
    }
    assert_eq!(ours, read, "{}", source.name);
    operands
}

const CLASS: &str = "the class beside a monster's name, and the case of letters";
const WORDS: &str = "the order of words, and which of them were given for several bits";
const VAULT: &str = "the weight of a random vault";

/// Number of losses in the files of each game. Any other difference is an error.
const LOST: [&[(&str, usize)]; 3] = [
    &[(CLASS, 129), (WORDS, 139), (VAULT, 70)],
    &[(CLASS, 42), (WORDS, 37)],
    &[(CLASS, 69), (WORDS, 113), (VAULT, 40)],
];

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn a_file_is_listed_as_its_source() {
    for ((_, game), expected) in SCRIPTS.into_iter().zip(LOST) {
        let catalog = Catalog::by_name(game).unwrap();
        let folder = reference::game(game);
        for abi in abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some()) {
            let (mut files, mut operands, mut counts) = (0, 0, BTreeMap::new());
            for path in reference::files(&folder.join("des"), ".des") {
                let compiled = compile(fs::read(&path).unwrap(), Some(&path), catalog);
                let written: BTreeMap<String, Program> =
                    compiled.programs.into_iter().map(|program| (program.name.to_string(), program)).collect();
                for (name, source) in &written {
                    let bytes = fs::read(folder.join("lev").join(abi.name).join(format!("{name}.lev"))).unwrap();
                    let read = opcode_stream::read(&bytes, name, FileId(0), catalog, abi).unwrap();
                    operands += compare(source, &read.program, catalog, &mut counts);
                    files += 1;
                    // It is also written back unchanged.
                    let again = splc_backends::opcodes::encode(&read.program, catalog, abi, &read.header).unwrap();
                    assert!(again == bytes[..bytes.len() - read.trailing], "{name}.lev of {} differs", abi.name);
                }
            }
            println!("{game}, {}: {files} files, {operands} operands; not in the files: {counts:#?}", abi.name);
            assert!(files > 100);
            assert_eq!(counts.into_iter().collect::<Vec<_>>(), expected);
        }
    }
}
