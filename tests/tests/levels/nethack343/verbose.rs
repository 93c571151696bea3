//! The warnings of the original for the shipped levels under `-w`.

use std::collections::BTreeSet;
use std::fs;

use splc_ir::diagnostic::{Code, Lint, Severity};

use super::{compile, files, reference};

/// Returns the code of a warning of the original.
pub(super) fn code(message: &str) -> Code {
    let known = [
        ("Rock in room", Code::RockInRoom),
        ("NonRock edge in room", Code::OpenCorner),
        ("Unknown room type!", Code::UnknownRoom),
        ("Invalid monster name!", Code::UnknownMonsterName),
        ("Illegal object name!", Code::UnknownObjectName),
        ("Invalid fill character", Code::UnknownFilling),
    ];
    let found = known.iter().find(|(start, _)| message.starts_with(start)).map(|&(_, code)| code);
    found.or(message.contains("placed in wall").then_some(Code::PlacedInWall)).unwrap_or_else(|| panic!("{message}"))
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn shipped_levels_get_the_warnings_of_the_original() {
    let reference = reference();
    let mut theirs = BTreeSet::new();
    for line in fs::read_to_string(reference.join("verbose.txt")).unwrap().lines() {
        let Some((file, rest)) = line.split_once(": line ") else {
            assert!(line.starts_with("== ") && line.ends_with(" exit 0"), "{line}");
            continue;
        };
        let (line, message) = rest.split_once(" : WARNING : ").unwrap();
        theirs.insert((file.to_owned(), line.parse::<usize>().unwrap(), code(message)));
    }
    let mut ours = BTreeSet::new();
    for path in files(&reference.join("des"), ".des") {
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        for (line, diagnostic) in compile(&fs::read(&path).unwrap(), "lp64le").diagnostics {
            let on_with_w = matches!(diagnostic.code, Code::RockInRoom | Code::OpenCorner);
            if diagnostic.severity == Severity::Error || diagnostic.code.lint() != Lint::Allow || on_with_w {
                ours.insert((file.clone(), line, diagnostic.code));
            }
        }
    }
    println!("nethack-3.4.3: {} warnings of -w on the same lines", ours.intersection(&theirs).count());
    assert!(!theirs.is_empty());
    // The original compares no maps with DOORs, and no DOORs with each other.
    assert!(ours.remove(&("Arch.des".to_owned(), 21, Code::DrawnDoor)));
    assert!(ours.remove(&("Rogue.des".to_owned(), 86, Code::RepeatedThing)));
    assert_eq!(ours, theirs);
    assert_eq!(Code::RockInRoom.lint(), Lint::Allow);
    assert_eq!(Code::OpenCorner.lint(), Lint::Allow);
}
