//! A level printed as source reads back as the same level. Checked for every des-file of the reference games and of our
//! corpora.

use std::path::Path;

use splc_backends::des;
use splc_ir::abi;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::level::{Trivia, TriviaKind};
use splc_ir::source::SourceMap;
use splc_tests::reference::{self, files};
use splc_tests::{Beside, compile};

/// Returns the comments in alphabetical order, because a comment after a statement may move before it.
fn comments(trivia: &[Trivia]) -> Vec<&str> {
    let is_comment = |trivia: &&Trivia| matches!(trivia.kind, TriviaKind::Comment | TriviaKind::TrailingComment);
    let mut comments: Vec<&str> = trivia.iter().filter(is_comment).map(|trivia| trivia.text.as_str()).collect();
    comments.sort_unstable();
    comments
}

/// Prints every des-file of `folder` that the game of `catalog` accepts, and compares the compiled levels of both texts
/// on every machine.
fn same_when_printed(folder: &Path, catalog: &'static Catalog) {
    let (mut same, mut wrong) = (0, Vec::new());
    for path in files(folder, ".des") {
        let bytes = std::fs::read(&path).unwrap();
        let before = compile(bytes.clone(), Some(&path), catalog);
        if before.diagnostics.has_errors() {
            continue;
        }
        let mut sources = SourceMap::new();
        let file = sources.add("x.des", Some(path.clone()), bytes);
        let mut diagnostics = Diagnostics::new();
        let mut module = splc_frontends::parse(&mut sources, file, catalog, &mut Beside, &mut diagnostics);
        module.trivia = splc_frontends::trivia(&sources, file, catalog);
        let written = comments(&module.trivia);
        let text = match des::print(&module, catalog) {
            Ok(text) => text,
            Err(problems) => {
                wrong.push(format!("{}: {problems:?}", path.display()));
                continue;
            }
        };
        let mut printed = Vec::new();
        module.charset.encode_into(&text, &mut printed);
        let mut again = SourceMap::new();
        let file = again.add("x.des", None, printed.clone());
        let kept = splc_frontends::trivia(&again, file, catalog);
        let kept = comments(&kept);
        if kept != written {
            wrong.push(format!("{}: comments were {written:?}, are {kept:?}", path.display()));
            continue;
        }
        let after = compile(printed, Some(&path), catalog);
        if after.diagnostics.has_errors() {
            wrong.push(format!("{}: {:#?}\n{text}", path.display(), after.messages()));
            continue;
        }
        let abis = || abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some());
        if abis().all(|abi| before.levels(catalog, abi) == after.levels(catalog, abi)) {
            same += 1;
        } else {
            wrong.push(format!("{}: other bytes\n{text}", path.display()));
        }
    }
    println!("{}: {same} files printed identical, {} not", folder.display(), wrong.len());
    if let Some(first) = wrong.first() {
        panic!("{} files, the first: {first}", wrong.len());
    }
    assert!(same > 0, "{} is empty", folder.display());
}

fn game(name: &str, corpus: &str) {
    let catalog = Catalog::by_name(name).unwrap();
    same_when_printed(&splc_tests::corpus(corpus), catalog);
    if let Some(folder) = reference::find(name) {
        same_when_printed(&folder.join("des"), catalog);
        same_when_printed(&folder.join("damaged"), catalog);
    }
}

#[test]
fn unnethack() {
    game("unnethack-6.0.4", "unnethack");
}

#[test]
fn sporkhack() {
    game("sporkhack-0.7.0", "sporkhack");
}

#[test]
fn nethack36() {
    game("nethack-3.6.7", "nethack36");
}

#[test]
fn nethack343() {
    game("nethack-3.4.3", "nethack343");
}

/// Comments at the end of one block of a condition and at the beginning of the other stay in their blocks, also in
/// nested conditions, and after a port.
#[test]
fn comments_stay_in_their_block_of_a_condition() {
    let text = "LEVEL: \"x\"\nNOMAP\nIF [50%] {\n  # first\n  FOUNTAIN: (1,1)\n  # last\n} ELSE {\n  # other\n  \
                IF [30%] {\n    # only\n  } ELSE {\n    SINK: (1,1)\n    # end\n  }\n  # behind\n}\nIF [20%] {\n  \
                FOUNTAIN: (2,2)\n} ELSE {\n  # nothing\n}\n# all\n";
    let from = Catalog::by_name("unnethack-6.0.4").unwrap();
    let mut sources = SourceMap::new();
    let file = sources.add("x.des", None, text.as_bytes().to_vec());
    let mut diagnostics = Diagnostics::new();
    let mut module = splc_frontends::parse(&mut sources, file, from, &mut Beside, &mut diagnostics);
    splc_ir::check::check(&mut module, from, &mut diagnostics);
    assert!(!diagnostics.has_errors());
    module.trivia = splc_frontends::trivia(&sources, file, from);
    assert_eq!(des::print(&module, from).unwrap(), text);
    let to = Catalog::by_name("nethack-3.6.7").unwrap();
    let mut ported = splc_port::port(&module, from, to, &splc_port::Options::default()).module;
    ported.trivia = module.trivia;
    let printed = des::print(&ported, to).unwrap();
    assert!(printed.ends_with(text.split_once("NOMAP\n").unwrap().1), "{printed}");
}
