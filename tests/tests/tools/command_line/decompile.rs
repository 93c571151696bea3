//! `splc decompile`: to the standard output, into a folder, from an archive, and levels without source.

use super::*;

const YARD: &str = "\
MAZE:\"yard\",' '
GEOMETRY:center,center
MAP
------------
|..........|
|..........+
------------
ENDMAP

STAIR:(1,1),up
MONSTER:'h',\"dwarf\",(2,1)
DOOR:locked,(11,2)
";

/// Compiles `text` as `yard.des`.
fn yard(dialect: &str, text: &str) -> Place {
    let place = Place::new();
    place.write("yard.des", text);
    place.splc(&["--dialect", dialect, "yard.des"]).is_fine();
    fs::rename(place.path("yard.des"), place.path("kept.des")).unwrap();
    place
}

#[test]
fn the_source_is_printed_by_default() {
    let place = yard("343", YARD);
    let source = place.splc(&["decompile", "yard.lev"]).is_fine().out();
    let (head, rest) = source.split_once("\n\n").unwrap();
    assert!(head.starts_with("# yard.lev: decompiled by splc "), "{head}");
    assert!(head.contains("from a level file of NetHack 3.4.3 (lp64le)."), "{head}");
    assert!(rest.starts_with("MAZE:\"yard\",' '\nGEOMETRY:center,center\n#         1\n#12345678901\nMAP\n"), "{rest}");
    place.write("again.des", source);
    let before = place.read("yard.lev");
    place.splc(&["--dialect", "343", "-o", "again.lev", "again.des"]).is_fine();
    assert_eq!(place.read("again.lev"), before);
}

#[test]
fn sources_are_written_to_a_folder_or_a_file() {
    let place = yard("343", YARD);
    fs::copy(place.path("yard.lev"), place.path("court.lev")).unwrap();
    assert_eq!(place.splc(&["decompile", "-o", "sources/", "yard.lev", "court.lev"]).is_fine().out(), "");
    let (yard, court) = (place.read("sources/yard.des"), place.read("sources/court.des"));
    place.splc(&["decompile", "-o", "all.des", "yard.lev", "court.lev"]).is_fine();
    assert_eq!(place.read("all.des"), [yard.as_slice(), b"\n", &court].concat());
    fs::create_dir(place.path("other")).unwrap();
    fs::copy(place.path("yard.lev"), place.path("other/yard.lev")).unwrap();
    place.splc(&["decompile", "-o", "sources/", "yard.lev", "other/yard.lev"]).ends(TROUBLE).says(&["E0302"]);
}

#[test]
fn levels_in_an_archive_are_decompiled() {
    let place = yard("343", YARD);
    place.splc(&["dlb", "create", "nhdat", "yard.lev"]).is_fine();
    let source = place.splc(&["decompile", "nhdat:yard.lev"]).is_fine().out();
    assert!(source.starts_with("# nhdat:yard.lev: decompiled") && source.contains("MAZE:\"yard\",' '\n"), "{source}");
}

#[test]
fn invented_names_are_reported() {
    let place =
        yard("unnethack", "FUNCTION camp() {\nMONSTER: 'o', random\n}\nLEVEL: \"yard\"\nNOMAP\ncamp()\ncamp()\n");
    let run = place.splc(&["decompile", "yard.lev"]).says(&["N0504", "function_1"]);
    let source = run.out();
    assert!(source.contains("FUNCTION function_1() {\n  MONSTER: 'o', random\n}\n"), "{source}");
    assert!(source.contains("# Note: function names are invented"), "{source}");
}

/// A level with a replaced opcode, so that no source compiles to it.
fn without_source() -> Place {
    let place = yard("unnethack", "LEVEL: \"yard\"\nNOMAP\nMESSAGE: \"one\"\n");
    let mut bytes = place.read("yard.lev");
    // The last opcode, that of MESSAGE, becomes that of POOL.
    let last = bytes.len() - 4;
    bytes[last] = 13;
    place.write("yard.lev", bytes);
    place
}

#[test]
fn levels_without_source_are_reported_and_can_be_listed() {
    let place = without_source();
    let refused = place.splc(&["decompile", "-o", "out/", "yard.lev"]).ends(INPUT_ERRORS);
    refused.says(&["E0309", "yard.lev", "opcode 9"]);
    assert!(!place.path("out").exists());
    let listed = place.splc(&["decompile", "--listing", "yard.lev"]).ends(INPUT_ERRORS);
    assert!(listed.says(&["E0309"]).out().starts_with("; level \"yard\", UnNetHack 6.0.4\n"));
    place.splc(&["decompile", "--listing", "-o", "out/", "yard.lev"]).ends(INPUT_ERRORS);
    assert!(place.path("out/yard.asm").exists());
}

#[test]
fn the_file_name_need_not_match_the_level() {
    let place = yard("343", YARD);
    fs::copy(place.path("yard.lev"), place.path("yard.old.lev")).unwrap();
    let run = place.splc(&["decompile", "yard.old.lev"]).ends(FINE).says(&["N0504", "is not a valid level name"]);
    assert!(run.out().contains("MAZE:\"level\",' '\n"));
}

#[test]
fn other_files_are_rejected() {
    let place = yard("343", YARD);
    place.splc(&["decompile", "kept.des"]).ends(INPUT_ERRORS).says(&["E0305", "kept.des is not a level file"]);
    let whole = place.read("yard.lev");
    place.write("cut.lev", &whole[..whole.len() - 3]);
    place.splc(&["decompile", "cut.lev"]).ends(INPUT_ERRORS).says(&["E0305", "the file ends inside"]);
    place.splc(&["decompile", "nowhere.lev"]).ends(TROUBLE).says(&["E0009"]);
}
