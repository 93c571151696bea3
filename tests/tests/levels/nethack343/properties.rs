//! No input makes splc panic or hang.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use splc_frontends::parts_file;
use splc_ir::abi::Abi;
use splc_ir::source::FileId;

use super::{ABIS, CATALOG, compile};

/// Compiles `text`. A rejected text must have an error on one of its lines, and a written level must be readable.
fn judge(text: &[u8], abi: &str) -> TestCaseResult {
    let compiled = compile(text, abi);
    let lines = text.iter().filter(|&&byte| byte == b'\n').count() + 1;
    for (line, diagnostic) in &compiled.diagnostics {
        prop_assert!(
            *line <= lines && (*line > 0) == diagnostic.span.is_some(),
            "line {line} of {lines}: {diagnostic:?}"
        );
    }
    prop_assert!(compiled.levels.is_empty() || compiled.errors().next().is_none());
    for (name, bytes) in &compiled.levels {
        let abi = Abi::by_name(abi).unwrap();
        let read = parts_file::read(bytes, name, FileId(0), CATALOG, abi).map_err(|error| error.message);
        prop_assert!(read.is_ok(), "{name}: {:?}", read.err());
    }
    Ok(())
}

/// Generates pieces of des-files that can be combined in any order.
fn piece() -> impl Strategy<Value = String> {
    let words: Vec<String> = CATALOG.keywords.iter().map(|word| word.to_string()).collect();
    let numbers = ["0", "-1", "5", "79", "128", "-300", "99999999999", "2147483648"];
    let odd = [
        "\n",
        "\n",
        "\nMAP\n",
        "\nENDMAP\n",
        "\n|...|\n",
        "#",
        "\n#",
        ";",
        "{",
        "$x",
        "\r",
        "\0",
        "é",
        "\t",
        "MAP",
        "'",
        "\"",
    ];
    let values =
        ["'a'", "'('", "' '", "'\\''", "\"\"", "\"pit\"", "\"shop\"", "\"giant ant\"", "\"a\nb\"", "[50%]", "[500%]"];
    prop_oneof![
        4 => prop::sample::select(words),
        4 => prop::sample::select(vec![":", ",", "(", ")", "[", "]", " "]).prop_map(str::to_owned),
        2 => prop::sample::select(numbers.to_vec()).prop_map(str::to_owned),
        2 => prop::sample::select(values.to_vec()).prop_map(str::to_owned),
        2 => prop::sample::select(odd.to_vec()).prop_map(str::to_owned),
    ]
}

/// Generates whole statements, valid and invalid.
fn statement() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "MAZE:\"m\",' '",
        "LEVEL:\"l\"",
        "NOMAP",
        "GEOMETRY:left,top\nMAP\n-----\n|...+\n-----\nENDMAP",
        "GEOMETRY:left,top\nMAP\nENDMAP",
        "GEOMETRY:left,top\nMAP\n..",
        "INIT_MAP:'.',' ',true,true,lit,true",
        "WALLIFY",
        "ROOM:\"shop\",lit,random,random,random",
        "SUBROOM:\"zoo\",lit,(1,1),(300,2),\"x\"",
        "NAME:\"x\"",
        "CHANCE:50",
        "DOOR:open,(4,1)",
        "DOOR:random,random",
        "DOOR:true,random,north,0",
        "DRAWBRIDGE:(2,1),north,open",
        "DRAWBRIDGE:(0,0),north,open",
        "REGION:(1,1,3,1),lit,\"shop\",filled,true",
        "REGION:(0,0,79,21),lit,\"vault\"",
        "RANDOM_PLACES:(1,1),(2,1)",
        "RANDOM_OBJECTS:'(','['",
        "MONSTER:monster[-1],\"giant ant\",place[-1]",
        "OBJECT:object[-128],\"long sword\",place[1]",
        "OBJECT:'%',\"corpse\",contained,\"jackal\",99999",
        "CONTAINER:random,\"chest\",random",
        "TRAP:\"pit\",(200,-5)",
        "STAIR:levregion(1,0,79,20),(0,0,0,0),up",
        "CORRIDOR:(0,north,0),(1,south,random)",
        "CORRIDOR:(0,north,0),5",
        "RANDOM_CORRIDORS",
        "MESSAGE:\"hello\"",
        "FLAGS:noteleport",
        "monster:'a'",
        "-----",
        "GOLD:-2147483648,(1,1)",
    ])
    .prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: splc_tests::cases(2000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        judge(&bytes, "lp64le")?;
    }

    #[test]
    fn any_pieces(pieces in prop::collection::vec(piece(), 0..80)) {
        judge(pieces.concat().as_bytes(), "ilp32be")?;
    }

    #[test]
    fn any_statements(statements in prop::collection::vec(statement(), 0..30), abi in prop::sample::select(ABIS.to_vec())) {
        judge(statements.join("\n").as_bytes(), abi)?;
    }
}
