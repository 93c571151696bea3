//! The dialect of a file, told from its text.
#![allow(clippy::unwrap_used)] // these are tests

use std::fs;
use std::path::{Path, PathBuf};

use splc_frontends::detect::{Certainty, detect};

#[test]
fn shipped_levels_are_told_apart() {
    let reference = match std::env::var_os("SPLC_REFERENCE") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/reference"),
    };
    if !reference.is_dir() {
        eprintln!("NOT RUN: no reference data in {} (set SPLC_REFERENCE)", reference.display());
        return;
    }
    let (mut sure, mut open, mut wrong) = (0, 0, Vec::new());
    for (game, dialect) in [
        ("nethack-3.4.3", "nethack343"),
        ("nethack-3.6.7", "nethack36"),
        ("unnethack-6.0.4", "unnethack"),
        ("sporkhack-0.7.0", "sporkhack"),
    ] {
        for entry in fs::read_dir(reference.join(game).join("des")).unwrap() {
            let path = entry.unwrap().path();
            let text: String = fs::read(&path).unwrap().into_iter().map(char::from).collect();
            let guess = detect(&text);
            if guess.dialect == dialect {
                sure += usize::from(guess.certainty == Certainty::Sure);
            } else if guess.certainty == Certainty::Open && dialect != "nethack343" && guess.dialect != "nethack343" {
                // A script that says nothing which only one of the games knows.
                open += 1;
            } else {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                wrong.push(format!("{game}/{name}: {} {:?}: {}", guess.dialect, guess.certainty, guess.reason));
            }
        }
    }
    println!("{sure} sure, {open} that fit several games");
    // A file that its own compiler rejects: its statements are in the form of NetHack 3.4.3.
    wrong.retain(|line: &String| !line.starts_with("sporkhack-0.7.0/functions.des"));
    assert_eq!(wrong, Vec::<String>::new());
    assert!(sure >= 80 && open <= 15, "{sure} sure, {open} open");
}
