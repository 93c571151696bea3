//! What holds for any input: nothing panics, and what is written can be read back.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use proptest::sample::select;
use splc_ir::abi;
use splc_ir::catalog::{self, Catalog, Format};
use splc_ir::program::{Op, Opcode, Operand, Program};
use splc_ir::source::{FileId, Span};
use splc_ir::value::ValueType;
use splc_tests::reference::files;
use splc_tests::{compile, workspace};

/// The dialects that have a front end.
fn catalogs() -> Vec<&'static Catalog> {
    catalog::ALL.iter().copied().filter(|catalog| catalog.format == Format::Opcodes).collect()
}

/// Texts of the corpus, cut into pieces that a random file can be put together from.
fn pieces() -> Vec<String> {
    let mut pieces: Vec<String> = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ",",
        ":",
        "'",
        "\"",
        "\n",
        "MAP\n",
        "ENDMAP\n",
        "$",
        "%",
        "\u{e9}",
        "\0",
        "\r\n",
        "99999999999",
        "#",
    ]
    .map(str::to_owned)
    .to_vec();
    for folder in std::fs::read_dir(workspace().join("corpus")).unwrap().flatten() {
        if !folder.path().is_dir() {
            continue;
        }
        for file in files(&folder.path(), ".des") {
            let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
            pieces.extend(text.split_inclusive('\n').map(str::to_owned));
            pieces.extend(text.split_inclusive([' ', ',', '(', ')', ':']).map(str::to_owned));
        }
    }
    pieces.sort();
    pieces.dedup();
    pieces
}

/// A file of the corpus with one piece replaced by another.
fn damaged_corpus() -> impl Strategy<Value = Vec<u8>> {
    let corpus: Vec<Vec<u8>> =
        files(&workspace().join("corpus/unnethack"), ".des").iter().map(|file| std::fs::read(file).unwrap()).collect();
    (select(corpus), any::<prop::sample::Index>(), 0..60_usize, select(pieces())).prop_map(
        |(mut bytes, at, length, piece)| {
            let start = at.index(bytes.len());
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, piece.into_bytes());
            bytes
        },
    )
}

fn operand() -> impl Strategy<Value = Operand> {
    let typed = select(vec![
        ValueType::Coordinate,
        ValueType::Region,
        ValueType::MapCharacter,
        ValueType::Monster,
        ValueType::Object,
    ]);
    prop_oneof![
        any::<i32>().prop_map(|number| Operand::Integer(number.into())),
        "[ -~]{0,40}".prop_map(|text| Operand::String(Some(text.into()))),
        "\\$[a-z]{1,9}".prop_map(|name| Operand::Variable(name.into())),
        (typed, any::<i32>()).prop_map(|(tag, number)| Operand::Raw(tag, number.into())),
    ]
}

fn program() -> impl Strategy<Value = (&'static Catalog, Program)> {
    select(catalogs()).prop_flat_map(|catalog| {
        let plain: Vec<Opcode> = catalog.opcodes.iter().copied().filter(|&code| code != Opcode::Push).collect();
        let op = prop_oneof![
            select(plain).prop_map(|code| Op { code, operand: None, span: Span::default() }),
            operand().prop_map(|operand| Op { code: Opcode::Push, operand: Some(operand), span: Span::default() }),
        ];
        prop::collection::vec(op, 0..200).prop_map(move |ops| (catalog, Program { ops, ..Program::default() }))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::default())]

    #[test]
    fn any_bytes_are_judged(bytes in prop::collection::vec(any::<u8>(), 0..2000), catalog in select(catalogs())) {
        compile(bytes, None, catalog);
    }

    #[test]
    fn any_pieces_are_judged(pieces in prop::collection::vec(select(pieces()), 0..200), catalog in select(catalogs())) {
        compile(pieces.concat().into_bytes(), None, catalog);
    }

    #[test]
    fn any_damage_is_judged(bytes in damaged_corpus(), catalog in select(catalogs())) {
        let compiled = compile(bytes, None, catalog);
        // Every place that is pointed to is one of the text.
        for diagnostic in compiled.diagnostics.iter() {
            if let Some(span) = diagnostic.span {
                let text = &compiled.sources.get(span.file).text;
                prop_assert!(text.get(span.start as usize..span.end as usize).is_some(), "{:?}", diagnostic);
            }
        }
    }

    #[test]
    fn what_is_written_is_read_back((catalog, program) in program(), abi in select(abi::ALL[..4].to_vec())) {
        // Not every build of a game is known on every machine.
        let Some(header) = catalog.header(abi.name) else { return Ok(()) };
        let bytes = splc_backends::opcodes::encode(&program, catalog, &abi, header).unwrap();
        let read = splc_frontends::opcode_stream::read(&bytes, "level", FileId(0), catalog, &abi).unwrap();
        // The reader may find names for numbers, so compare what both come to.
        let again = splc_backends::opcodes::encode(&read.program, catalog, &abi, header).unwrap();
        prop_assert_eq!(bytes, again);
        prop_assert_eq!(read.program.ops.len(), program.ops.len());
    }
}
