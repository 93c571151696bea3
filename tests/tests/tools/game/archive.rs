//! Archives are the same as those of the game's own librarian, and damaged ones cannot write outside a folder or panic.

use std::fs;
use std::io::{Cursor, Read};

use proptest::prelude::*;
use splc_game::archive::{self, Archive, Part};
use splc_tests::reference;

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn archives_match_those_of_the_games_librarian() {
    let folder = reference::game("dlb");
    let expected = fs::read(folder.join("nhdat")).unwrap();
    let list = fs::read_to_string(folder.join("files.lst")).unwrap();
    let parts: Vec<Part> = list.lines().map(|name| Part::file(name, folder.join(name))).collect();
    assert!(parts.len() >= 4);
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("nhdat");
    archive::create(&path, &parts).unwrap();
    assert_eq!(fs::read(&path).unwrap(), expected);

    let mut read = archive::open(&path).unwrap();
    let out = scratch.path().join("out");
    fs::create_dir(&out).unwrap();
    for entry in read.files().cloned().collect::<Vec<_>>() {
        let place = read.extract(&entry, &out).unwrap();
        assert_eq!(fs::read(place).unwrap(), fs::read(folder.join(&*entry.name())).unwrap(), "{}", entry.name());
    }
    let parts: Vec<Part> = list.lines().map(|name| Part::file(name, out.join(name))).collect();
    archive::create(&path, &parts).unwrap();
    assert_eq!(fs::read(&path).unwrap(), expected);
}

/// Generates names of files, some of which lead outside a folder.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Z0-9.-]{1,12}", "(\\.\\./|/|[a-c]|\\.){1,5}"]
}

fn made(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let parts: Vec<Part> = files.iter().map(|(name, bytes)| Part::bytes(name.as_str(), bytes.as_slice())).collect();
    let mut bytes = Vec::new();
    archive::write(&mut bytes, &parts, None::<&mut Archive<Cursor<&[u8]>>>).unwrap();
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(splc_tests::cases(10_000)))]

    #[test]
    fn extracted_files_are_the_added_files(
        files in proptest::collection::vec((name(), proptest::collection::vec(any::<u8>(), 0..64)), 0..12),
    ) {
        let bytes = made(&files);
        let mut read = Archive::read(Cursor::new(&bytes)).unwrap();
        let entries: Vec<_> = read.files().cloned().collect();
        prop_assert_eq!(entries.len(), files.len());
        for (entry, (name, expected)) in entries.iter().zip(&files) {
            let mut content = Vec::new();
            read.content(entry).unwrap().read_to_end(&mut content).unwrap();
            prop_assert_eq!((&entry.name[..], &content), (name.as_bytes(), expected));
        }
    }

    #[test]
    fn damage_is_reported_and_confined_to_the_folder(
        files in proptest::collection::vec((name(), proptest::collection::vec(any::<u8>(), 0..64)), 1..8),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = made(&files);
        for (at, byte) in edits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len() * 2));
        let scratch = tempfile::tempdir().unwrap();
        let inner = scratch.path().join("inner");
        fs::create_dir(&inner).unwrap();
        if let Ok(mut read) = Archive::read(Cursor::new(&bytes)) {
            for entry in read.entries().to_vec() {
                match read.extract(&entry, &inner) {
                    Ok(place) => {
                        prop_assert_eq!(place.parent(), Some(inner.as_path()));
                        prop_assert_eq!(fs::metadata(place).unwrap().len() as i64, entry.size);
                    }
                    Err(error) => prop_assert!(!error.to_string().is_empty()),
                }
            }
        }
        prop_assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1);
    }
}
