//! Formatting a des-file keeps its tokens, its comments and its bytes, and formatting it again changes nothing. Checked
//! for every des-file of the reference games and of our corpora.

use std::path::Path;

use splc_backends::des;
use splc_ir::abi;
use splc_ir::catalog::Catalog;
use splc_ir::source::{LexemeKind, SourceMap};
use splc_tests::compile;
use splc_tests::reference::{self, files};

/// Returns the lexemes of a text.
fn pieces(bytes: &[u8], catalog: &Catalog) -> Option<Vec<(LexemeKind, String)>> {
    let mut sources = SourceMap::new();
    let file = sources.add("x.des", None, bytes.to_vec());
    let source = sources.get(file);
    let lexemes = splc_frontends::lexemes(source, file, catalog)?;
    Some(lexemes.iter().map(|lexeme| (lexeme.kind, source.text[lexeme.start..lexeme.end].to_owned())).collect())
}

fn laid_out(bytes: &[u8], catalog: &Catalog) -> Option<Vec<u8>> {
    let mut sources = SourceMap::new();
    let file = sources.add("x.des", None, bytes.to_vec());
    let source = sources.get(file);
    let text = des::lay_out(&source.text, &splc_frontends::lexemes(source, file, catalog)?, catalog);
    let mut bytes = Vec::new();
    source.charset.encode_into(&text, &mut bytes);
    Some(bytes)
}

fn same_when_formatted(folder: &Path, catalog: &'static Catalog) -> Vec<String> {
    let (mut same, mut comments, mut left, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for path in files(folder, ".des") {
        let bytes = std::fs::read(&path).unwrap();
        let before = compile(bytes.clone(), Some(&path), catalog);
        if before.diagnostics.has_errors() {
            continue;
        }
        let (Some(once), Some(old)) = (laid_out(&bytes, catalog), pieces(&bytes, catalog)) else {
            left.push(path.file_name().unwrap().to_string_lossy().into_owned());
            continue;
        };
        let text = String::from_utf8_lossy(&once).into_owned();
        if pieces(&once, catalog).as_ref() != Some(&old) {
            wrong.push(format!("{}: other tokens\n{text}", path.display()));
        } else if laid_out(&once, catalog).as_ref() != Some(&once) {
            wrong.push(format!("{}: the second time is not as the first\n{text}", path.display()));
        } else {
            let after = compile(once, Some(&path), catalog);
            let abis = || abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some());
            if abis().all(|abi| before.levels(catalog, abi) == after.levels(catalog, abi)) {
                same += 1;
                comments += old.iter().filter(|(kind, _)| *kind == LexemeKind::Comment).count();
            } else {
                wrong.push(format!("{}: other bytes\n{text}", path.display()));
            }
        }
    }
    println!(
        "{}: {same} files laid out identical, {comments} comments among them, {} not",
        folder.display(),
        wrong.len()
    );
    if let Some(first) = wrong.first() {
        panic!("{} files, the first: {first}", wrong.len());
    }
    assert!(same > 0 && comments > 0, "{} is empty", folder.display());
    left
}

/// Checks a game. `left` are the files of the corpus with invalid tokens, which are left unchanged.
fn game(name: &str, corpus: &str, left: &[&str]) {
    let catalog = Catalog::by_name(name).unwrap();
    assert_eq!(same_when_formatted(&splc_tests::corpus(corpus), catalog), left);
    if let Some(folder) = reference::find(name) {
        assert!(same_when_formatted(&folder.join("des"), catalog).is_empty());
        same_when_formatted(&folder.join("damaged"), catalog);
    }
}

#[test]
fn unnethack() {
    game("unnethack-6.0.4", "unnethack", &[]);
}

#[test]
fn sporkhack() {
    game("sporkhack-0.7.0", "sporkhack", &[]);
}

#[test]
fn nethack36() {
    game("nethack-3.6.7", "nethack36", &[]);
}

#[test]
fn nethack343() {
    // A MAP line at an invalid position.
    game("nethack-3.4.3", "nethack343", &["quirks.des"]);
}

#[test]
fn line_ends_in_strings_are_not_those_of_the_file() {
    let catalog = Catalog::by_name("nethack-3.4.3").unwrap();
    let once = laid_out(b"MAZE:\"a\r\nb\"\n,' '\nNOMAP\n", catalog).unwrap();
    assert_eq!(String::from_utf8_lossy(&once), "MAZE:\"a\r\nb\"\n  ,' '\nNOMAP\n");
    assert_eq!(laid_out(&once, catalog).unwrap(), once);
}
