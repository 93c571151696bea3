//! Dungeons are compiled as by the games' own compiler, read back, printed and compiled again.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use splc_backends::dungeon::{binary, json, text};
use splc_driver::dungeon::lost;
use splc_driver::output::{DUNGEON, DUNGEON_JSON, DUNGEON_LUA};
use splc_frontends::dungeon::{self, Stage, file, format, prepare};
use splc_frontends::json::read_dungeon;
use splc_ir::abi::{self, Abi};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use splc_ir::dungeon::{Controls, Description, check};
use splc_ir::source::{FileId, SourceMap};
use splc_tests::{loaded_catalog, reference, sha256};

/// The games with reference dungeons.
const GAMES: [&str; 4] = ["nethack-3.4.3", "nethack-3.6.7", "sporkhack-0.7.0", "unnethack-6.0.4"];

fn catalog(name: &str) -> &'static Catalog {
    Catalog::by_name(name).unwrap()
}

/// Returns the folders of the games' dungeons.
fn dungeons() -> impl Iterator<Item = (&'static Catalog, PathBuf)> {
    GAMES.iter().map(|name| (catalog(name), reference::game(&format!("{name}/dungeon"))))
}

/// Parses `bytes`. Returns the description and the diagnostics.
fn parse(bytes: &[u8], stage: Stage, catalog: &Catalog) -> (Description, Diagnostics) {
    let mut sources = SourceMap::new();
    let file = sources.add("dungeon.def", None, bytes.to_vec());
    let mut diagnostics = Diagnostics::new();
    let description = dungeon::parse(&sources, file, stage, catalog, &mut diagnostics);
    check::check(&description, catalog, &mut diagnostics);
    (description, diagnostics)
}

fn sound(bytes: &[u8], stage: Stage, catalog: &Catalog) -> Description {
    let (description, diagnostics) = parse(bytes, stage, catalog);
    let errors: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect();
    assert!(!diagnostics.has_errors(), "{errors:?}");
    description
}

fn compiled(description: &Description, catalog: &Catalog, abi: &Abi) -> Vec<u8> {
    binary::encode(description, catalog, abi, catalog.header(abi.name).unwrap()).unwrap()
}

/// Returns the known machines of the game of `catalog`.
fn machines(catalog: &Catalog) -> Vec<&'static Abi> {
    abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some()).collect()
}

/// Returns the compiled files in `folder` with their machines.
fn files(folder: &Path) -> Vec<(&'static Abi, Vec<u8>)> {
    let of = |abi: &'static Abi| Some((abi, fs::read(folder.join(format!("dungeon.{}", abi.name))).ok()?));
    abi::ALL.iter().filter_map(of).collect()
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn every_game_and_machine_gets_the_file_of_its_own_compiler() {
    for (catalog, folder) in dungeons() {
        let files = files(&folder);
        assert!(files.len() >= 4, "{}", catalog.name);
        for (source, stage) in [("dungeon.def", Stage::Written), ("dungeon.pdf", Stage::Prepared)] {
            let description = sound(&fs::read(folder.join(source)).unwrap(), stage, catalog);
            for (abi, expected) in &files {
                let made = compiled(&description, catalog, abi);
                assert!(made == *expected, "{} {} {source}", catalog.name, abi.name);
            }
        }
    }
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn preprocessing_matches_makedefs() {
    for (catalog, folder) in dungeons() {
        let mut sources = SourceMap::new();
        let file = sources.add("dungeon.def", None, fs::read(folder.join("dungeon.def")).unwrap());
        let mut diagnostics = Diagnostics::new();
        let prepared = prepare(sources.get(file), file, catalog, &mut diagnostics);
        assert_eq!(diagnostics.iter().count(), 0);
        let made = prepared.to_file(sources.get(file).charset);
        assert!(made == fs::read(folder.join("dungeon.pdf")).unwrap(), "{}", catalog.name);
    }
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn compiled_files_round_trip() {
    for (catalog, folder) in dungeons() {
        for (abi, bytes) in files(&folder) {
            let read = file::read(&bytes, FileId::default(), catalog, abi).unwrap();
            assert_eq!((read.header.as_slice(), read.trailing), (catalog.header(abi.name).unwrap(), 0));
            assert!(compiled(&read.description, catalog, abi) == bytes, "{} {}", catalog.name, abi.name);
            let printed = text::print(&read.description).unwrap();
            let again = sound(printed.as_bytes(), Stage::Written, catalog);
            assert!(compiled(&again, catalog, abi) == bytes, "{} {}", catalog.name, abi.name);
        }
    }
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn formatting_keeps_the_meaning_and_is_idempotent() {
    for (catalog, folder) in dungeons() {
        let text = fs::read_to_string(folder.join("dungeon.def")).unwrap();
        let once = format::format(&text, catalog.dungeon.controls);
        assert_ne!(once, text);
        assert_eq!(format::format(&once, catalog.dungeon.controls), once);
        let comments =
            |text: &str| text.lines().filter(|line| line.starts_with('#')).map(str::trim_end).collect::<String>();
        assert_eq!(comments(&once), comments(&text));
        let before = sound(text.as_bytes(), Stage::Written, catalog);
        let after = sound(once.as_bytes(), Stage::Written, catalog);
        let abi = &abi::ALL[0];
        assert!(compiled(&before, catalog, abi) == compiled(&after, catalog, abi), "{}", catalog.name);
    }
}

/// Our own description, which has every statement.
const EVERYTHING: &str = "\
# Every statement there is.
DUNGEON:        \"The Top\" \"T\" (10, 3)
ALIGNMENT:      unaligned
LEVEL:          \"zeroth\" \"Z\" @ (1, 0)
LEVEL:          \"first\" \"A\" @ (2, 3)
LEVALIGN:       neutral
LEVELDESC:      town
CHAINLEVEL:     \"next\" \"none\" \"first\" + (1, 2)
RNDLEVEL:       \"several\" \"B\" @ (-4, 2) 40 3
RNDCHLEVEL:     \"far\" \"C\" \"first\" + (4, 1) 50 2
BRANCH:         \"The Cellar\" @ (2, 3)
CHAINBRANCH:    \"The Attic\" \"first\" + (0, 0) no_down up
%REINCARNATION LEVEL: \"rogue\" \"R\" @ (7, 0)

DUNGEON:        \"The Cellar\" \"none\" (3, 0) 60
DESCRIPTION:    mazelike
DESCRIPTION:    hellish
ALIGNMENT:      chaotic
PROTOFILE:      \"cellar\"
ENTRY:          -1
BRANCH:         \"The Portal\" @ (1, -1) portal

DUNGEON:        \"The Attic\" \"none\" (2, 0)
DESCRIPTION:    roguelike
ALIGNMENT:      lawful
LEVEL:          \"roof\" \"D\" @ (-1, 0) 20

DUNGEON:        \"The Portal\" \"P\" (1, 0)
LEVEL:          \"end\" \"none\" @ (1, 0)
";

#[test]
fn every_statement_round_trips() {
    let catalog = catalog("nethack-3.4.3");
    let description = sound(EVERYTHING.as_bytes(), Stage::Written, catalog);
    assert_eq!(description.dungeons.len(), 4);
    let printed = text::print(&description).unwrap();
    for abi in machines(catalog) {
        let bytes = compiled(&description, catalog, abi);
        let again = sound(printed.as_bytes(), Stage::Written, catalog);
        assert_eq!(compiled(&again, catalog, abi), bytes);
        let read = file::read(&bytes, FileId::default(), catalog, abi).unwrap();
        // A file has a dungeon's levels before its branches.
        assert_eq!(compiled(&read.description, catalog, abi), bytes);
    }
}

#[test]
fn conditions_are_evaluated_as_by_makedefs() {
    let made = |text: &str, target: &str| {
        let mut sources = SourceMap::new();
        let file = sources.add("x", None, text.as_bytes().to_vec());
        let mut diagnostics = Diagnostics::new();
        let prepared = prepare(sources.get(file), file, catalog(target), &mut diagnostics);
        let codes: Vec<Code> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        (prepared.text, codes)
    };
    assert_eq!(made("a\n#b\n%REINCARNATION c\nd\n", "nethack-3.4.3"), ("a\n c\nd\n".to_owned(), vec![]));
    assert_eq!(made("a\n%OTHER c\nd\n", "nethack-3.4.3"), ("a\nd\n".to_owned(), vec![Code::Conditional]));
    let nested = "^?MAIL\na\n^!MAIL\nb\n^:\nc\n^.\n^:\nd\n^.\n^?AMIGA\ne\n^?MAIL\nf\n^.\n^:\ng\n^.\n^# h\n^^i\n# j\nk";
    assert_eq!(made(nested, "nethack-3.6.7"), ("a\nc\ng\n^i\nk\n".to_owned(), vec![]));
    let wrong = "^.\n^?XYZ\n^:\n^:\n^x\n^?MAIL\n";
    assert_eq!(made(wrong, "nethack-3.6.7").1, [Code::Conditional; 6]);
}

#[test]
fn a_branch_is_rejected_at_a_level_with_a_chained_branch() {
    // In the second dungeon, the games' compiler checks the second branch and takes the first level there.
    let text = |chance: &str| {
        format!(
            "DUNGEON: \"a\" \"none\" (5, 0)\nLEVEL: \"l\" \"none\" @ (1, 0){chance}\nDUNGEON: \"b\" \"none\" (5, 0)\nBRANCH: \"c\" @ (1, 0)\n"
        )
    };
    let catalog = catalog("nethack-3.6.7");
    assert!(!parse(text("").as_bytes(), Stage::Written, catalog).1.has_errors());
    let (_, refused) = parse(text(" 50").as_bytes(), Stage::Written, catalog);
    let errors: Vec<Code> =
        refused.iter().map(|diagnostic| diagnostic.code).filter(|&code| code == Code::Chain).collect();
    assert_eq!(errors, [Code::Chain]);
}

#[test]
fn no_level_is_chained_to_the_first_level_of_its_dungeon() {
    let text = |first: &str| {
        format!(
            "DUNGEON: \"a\" \"none\" (5, 0)\n{first}LEVEL: \"l\" \"none\" @ (1, 0)\nCHAINLEVEL: \"m\" \"none\" \"l\" + (1, 0)\n"
        )
    };
    let catalog = catalog("nethack-3.6.7");
    assert!(parse(text("").as_bytes(), Stage::Written, catalog).1.has_errors());
    let second = text("LEVEL: \"k\" \"none\" @ (-1, 0)\n");
    assert!(!parse(second.as_bytes(), Stage::Written, catalog).1.has_errors());
    // For a branch, all levels are checked.
    let branch = "DUNGEON: \"a\" \"none\" (5, 0)\nLEVEL: \"l\" \"none\" @ (1, 0)\nCHAINBRANCH: \"b\" \"l\" + (1, 0)\nDUNGEON: \"b\" \"none\" (1, 0)\n";
    assert!(!parse(branch.as_bytes(), Stage::Written, catalog).1.has_errors());
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn the_mistakes_of_the_games_dungeons_are_reported() {
    let count = |name: &str, code: Code| {
        let folder = reference::game(&format!("{name}/dungeon"));
        let (_, diagnostics) = parse(&fs::read(folder.join("dungeon.def")).unwrap(), Stage::Written, catalog(name));
        diagnostics.iter().filter(|diagnostic| diagnostic.code == code).count()
    };
    // "Town" has its alignment before its first level, so it applies to the last level of Sokoban.
    assert_eq!(count("unnethack-6.0.4", Code::StrayDescription), 1);
    assert_eq!(count("unnethack-6.0.4", Code::RepeatedName), 3);
    for name in GAMES {
        assert_eq!(count(name, Code::NoWay), 0, "{name}");
        assert_eq!(count(name, Code::GameRefuses), 0, "{name}");
    }
}

/// The games' compiler copies the name of each PROTOFILE over the previous one. Observed in all four games.
#[test]
fn a_shorter_prototype_keeps_the_end_of_an_earlier_one() {
    let catalog = catalog("nethack-3.4.3");
    let text = "DUNGEON: \"a\" \"A\" (5, 0)\nPROTOFILE: \"abcdefgh\"\nPROTOFILE: \"xyz\"\nPROTOFILE: \"q\"\n";
    let description = sound(text.as_bytes(), Stage::Written, catalog);
    let bytes = compiled(&description, catalog, &abi::ALL[0]);
    let found = bytes.windows(10).filter(|window| window == b"q\0z\0efgh\0\0").count();
    assert_eq!(found, 1);
    let printed = sound(text::print(&description).unwrap().as_bytes(), Stage::Written, catalog);
    assert_eq!(compiled(&printed, catalog, &abi::ALL[0]), bytes);
}

/// Generates descriptions with a few characters changed, moved or removed.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let edit = (any::<prop::sample::Index>(), 0..6_usize, any::<u8>(), any::<prop::sample::Index>());
    proptest::collection::vec(edit, 1..6).prop_map(|edits| {
        let mut text = EVERYTHING.as_bytes().to_vec();
        for (at, what, byte, from) in edits {
            if text.is_empty() {
                break;
            }
            let at = at.index(text.len());
            match what {
                0 => text[at] = byte,
                1 => text[at] = b" \t\n\"(),:@+#%-0123456789"[usize::from(byte) % 23],
                2 => _ = text.remove(at),
                3 => text.insert(at, byte),
                4 => {
                    let from = from.index(text.len());
                    let end = (from + usize::from(byte)).min(text.len());
                    let part = text[from..end].to_vec();
                    text.splice(at..at, part);
                }
                _ => text.truncate(at),
            }
        }
        text
    })
}

/// Returns `description` compiled for one machine, which ignores its places.
fn meaning(description: &Description, catalog: &Catalog) -> Vec<u8> {
    compiled(description, catalog, &abi::ALL[0])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(splc_tests::cases(10_000)))]

    #[test]
    fn damaged_descriptions_are_rejected_or_valid(text in damaged()) {
        for name in ["nethack-3.4.3", "nethack-3.6.7"] {
            let catalog = catalog(name);
            let (description, diagnostics) = parse(&text, Stage::Written, catalog);
            if !diagnostics.has_errors() {
                let bytes = meaning(&description, catalog);
                if !description.dungeons.is_empty() {
                    let read = file::read(&bytes, FileId::default(), catalog, &abi::ALL[0]).unwrap();
                    prop_assert_eq!(meaning(&read.description, catalog), bytes);
                }
            }
            for span in diagnostics.iter().filter_map(|diagnostic| diagnostic.span) {
                prop_assert!(span.start <= span.end);
            }
        }
        let text = String::from_utf8_lossy(&text);
        let once = format::format(&text, Controls::Percent);
        prop_assert_eq!(format::format(&once, Controls::Percent), once);
    }

    #[test]
    fn damaged_files_are_rejected_or_valid(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
        machine in 0..5_usize,
    ) {
        let catalog = catalog("nethack-3.4.3");
        let abi = machines(catalog)[machine];
        let mut bytes = compiled(&sound(EVERYTHING.as_bytes(), Stage::Written, catalog), catalog, abi);
        for (at, byte) in edits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len() * 4));
        if let Ok(read) = file::read(&bytes, FileId::default(), catalog, abi) {
            let again = compiled(&read.description, catalog, abi);
            prop_assert_eq!(again.len() + read.trailing, bytes.len());
            let mut diagnostics = Diagnostics::new();
            check::check(&read.description, catalog, &mut diagnostics);
            // Names with quotes or control characters in them cannot be written as text.
            let shown = format!("{:?}", read.description);
            let cannot_be_written = ["\\\"", "\\u{", "\\n", "\\r", "\\t", "\\0"].iter().any(|part| shown.contains(part));
            if !diagnostics.has_errors() && !cannot_be_written {
                let (printed, problems) = parse(
                    &{
                        let mut bytes = Vec::new();
                        read.description.charset.encode_into(&text::print(&read.description).unwrap(), &mut bytes);
                        bytes
                    },
                    Stage::Prepared,
                    catalog,
                );
                if !problems.has_errors() {
                    prop_assert_eq!(compiled(&printed, catalog, abi), again);
                }
            }
        }
    }
}

/// The dungeon rules of three variants, a description that uses them, and the SHA-256 of the file that the variant's
/// own `dgn_comp` writes for it on x86-64, without the version header.
const VARIANTS: [(&str, &str, &str, &str); 3] = [
    // EvilHack 0.9.3.
    (
        "nethack-3.6.7",
        "traits = { iceq = 16, chaotic = 512, neutral = 1024, lawful = 2048 }\n",
        include_str!("traits.def"),
        "00c83cb6ec681987b34341fe4c7f7b6edd86b4fdcb594fca8bcf9e5e2ef3e733",
    ),
    // SLASH'EM 0.0.8.
    (
        "nethack-3.4.3",
        "fields = [\"flags\", \"chance\", \"levels\", \"branches\"]\n\
         branch_fields = [\"chain\", \"type\", \"up\", \"entry_lev\"]\n",
        include_str!("entries.def"),
        "659e7d0948bc4adb870886527f7866e9d81a9cd1cd13c296766800ad4df144c8",
    ),
    // dNAO 3.23.
    (
        "nethack-3.4.3",
        "fields = [\"flags\", \"chance\", \"levels\", \"alternates\", \"branches\", \"entry_lev\"]\nchance = 100\n",
        include_str!("alternates.def"),
        "bac37ab243f4fd3763b84f06fdc9063219e68cb164fe022169e9d8ecfe77bb4e",
    ),
];

#[test]
fn dungeons_of_variants_are_those_of_their_own_compilers() {
    for (parent, rules, text, hash) in VARIANTS {
        let heading = format!("extends = \"{parent}\"\nname = \"variant\"\ntitle = \"Variant\"\n\n[dungeon]\n");
        let catalog = loaded_catalog(&(heading + rules));
        let machine = Abi::by_name("lp64le").unwrap();
        let write = |description: &Description| {
            let header = catalog.header(machine.name).unwrap();
            let bytes = binary::encode(description, &catalog, machine, header).unwrap();
            (sha256(&bytes[8 * header.len()..]), bytes)
        };
        let description = sound(text.as_bytes(), Stage::Written, &catalog);
        let (written, bytes) = write(&description);
        assert_eq!(written, hash, "{rules}");
        // The file, its source and its JSON lead back to it.
        let read = file::read(&bytes, FileId::default(), &catalog, machine).unwrap().description;
        let source = text::print(&read).unwrap();
        assert_eq!(write(&sound(source.as_bytes(), Stage::Written, &catalog)).0, hash, "{source}");
        let document = json::print(&read, &catalog);
        assert!(lost(&read, &DUNGEON_JSON).is_empty() && lost(&read, &DUNGEON).is_empty(), "{rules}");
        assert_eq!(lost(&read, &DUNGEON_LUA).len(), text.matches(": iceq").count(), "{rules}");
        let mut diagnostics = Diagnostics::new();
        let read = read_dungeon(&document, FileId::default(), &mut diagnostics);
        assert!(!diagnostics.has_errors(), "{document}");
        assert_eq!(write(&read).0, hash, "{document}");
    }
}

#[test]
fn words_of_another_games_dungeon_are_errors() {
    let text = "DUNGEON: \"a\" \"A\" (5, 0)\nDESCRIPTION: iceq\n";
    let (_, diagnostics) = parse(text.as_bytes(), Stage::Written, catalog("nethack-3.6.7"));
    assert!(diagnostics.has_errors());
    // A document can have any word.
    let document = r#"{ "schema": "splc-dungeon", "version": 1, "target": "nethack-3.6.7", "dungeons": [
        { "name": "a", "bones": "A", "size": { "base": 5, "random": 0 }, "chance": 0, "entry": 0, "prototype": "",
          "traits": ["helish"], "items": [] } ] }"#;
    let mut diagnostics = Diagnostics::new();
    let description = read_dungeon(document, FileId::default(), &mut diagnostics);
    assert!(!diagnostics.has_errors());
    check::check(&description, catalog("nethack-3.6.7"), &mut diagnostics);
    let found: Vec<_> = diagnostics.iter().filter(|one| one.code == Code::Descriptor).collect();
    assert_eq!(found.len(), 1);
    assert!(found[0].help.iter().any(|help| help.contains("hellish")), "{:?}", found[0].help);
}

/// Mistakes whose correction the message contains.
#[test]
fn mistakes_are_reported_with_their_correction() {
    let said = |line: &str| {
        let text = format!("DUNGEON: \"Doom\" \"D\" (25,5)\n{line}DUNGEON: \"Mines\" \"M\" (8,2)\n");
        let (_, diagnostics) = parse(text.as_bytes(), Stage::Written, catalog("nethack-3.4.3"));
        let help = |known: &Diagnostic| format!("{} -> {}", known.message, known.help.as_deref().unwrap_or_default());
        let errors = diagnostics.iter().filter(|known| known.severity == Severity::Error);
        errors.map(help).collect::<Vec<_>>()
    };
    assert_eq!(
        said("BRANCH: \"Mines\" @ (2,3) up portal\n"),
        ["these two words are in the wrong order -> write portal up"]
    );
    assert_eq!(
        said("BRANCH: \"Mines\" @ (2,3)\nLEVEL: \"bigrm\" \"B\" @ (10,3) 40 5\n"),
        ["expected a statement, e.g. DUNGEON or LEVEL, found '5' -> remove it, or write RNDLEVEL for a level with 5 \
          variants"]
    );
    assert_eq!(
        said(
            "BRANCH: \"Mines\" @ (2,3)\nLEVEL: \"a\" \"none\" @ (5,0)\nCHAINLEVEL: \"c\" \"none\" \"b\" + (1,0)\n\
             LEVEL: \"b\" \"none\" @ (7,0)\n"
        ),
        ["this dungeon has no level \"b\" before this one -> move the level \"b\" above this line"]
    );
}

/// The game panics at a level past the end of its dungeon (`level_range`).
#[test]
fn levels_past_the_end_of_their_dungeon_are_reported() {
    let refused = |place: &str| {
        let text = format!("DUNGEON: \"Doom\" \"D\" (20,5)\nLEVEL: \"a\" \"none\" @ {place}\n");
        let (_, diagnostics) = parse(text.as_bytes(), Stage::Written, catalog("nethack-3.6.7"));
        diagnostics.iter().filter(|known| known.code == Code::GameRefuses).count()
    };
    assert_eq!(["(24,0)", "(-1,0)", "(20,5)"].map(refused), [0, 0, 0]);
    assert_eq!(refused("(25,0)"), 1);
}
