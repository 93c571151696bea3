//! Our own levels, compared with the bytes that the game's own compiler wrote for them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{ABIS, CATALOG, compile, files};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/nethack343")
}

#[test]
fn corpus_is_identical_byte_for_byte() {
    let mut different = Vec::new();
    for abi in ABIS {
        let golden = corpus().join("golden").join(abi);
        let mut expected: BTreeSet<PathBuf> = files(&golden, ".lev").into_iter().collect();
        assert!(!expected.is_empty());
        for path in files(&corpus(), ".des") {
            let compiled = compile(&fs::read(&path).unwrap(), abi);
            for (line, diagnostic) in compiled.errors() {
                different.push(format!("{}: line {line}: {}", path.display(), diagnostic.message));
            }
            for (name, bytes) in compiled.levels {
                let file = golden.join(format!("{name}.lev"));
                assert!(expected.remove(&file), "{}", file.display());
                let theirs = fs::read(&file).unwrap();
                if bytes != theirs {
                    let at = bytes.iter().zip(&theirs).position(|(ours, theirs)| ours != theirs);
                    different.push(format!("{abi} {name}: {} for {} bytes, from {at:?}", bytes.len(), theirs.len()));
                }
            }
        }
        assert!(expected.is_empty(), "not made: {expected:?}");
    }
    assert_eq!(different, Vec::<String>::new());
}

#[test]
fn corpus_has_every_keyword_of_the_language() {
    let mut words = BTreeSet::new();
    for path in files(&corpus(), ".des") {
        let text: String = fs::read(path).unwrap().into_iter().map(char::from).collect();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
            words.extend(line.split(|letter| !word(letter)).map(str::to_owned));
        }
    }
    let missing: Vec<_> = CATALOG.keywords.iter().filter(|word| !words.contains(word.as_ref())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
