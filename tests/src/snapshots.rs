//! Snapshot texts that people have reviewed, in files under `tests/snapshots`.
//!
//! `UPDATE_SNAPSHOTS=1` rewrites them. A run that has rewritten a snapshot names it and fails, so that a test only
//! passes by comparing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::reference::files;

/// Compares `text` with the file at `path`.
///
/// # Panics
/// Panics if they differ, with the first different line; also after rewriting the file.
#[track_caller]
pub fn compare_file(path: &Path, text: &str) {
    judge(path, [(path.to_owned(), Some(text))]);
}

/// Compares `texts`, by file name, with the files with that extension (`.txt`) in `folder`. A file that has no text
/// anymore counts as different.
///
/// # Panics
/// Panics if anything differs, with the differences; also after rewriting the files.
#[track_caller]
pub fn compare_folder(folder: &Path, extension: &str, texts: &BTreeMap<String, String>) {
    let left = files(folder, extension).into_iter().filter(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy());
        !name.is_some_and(|name| texts.contains_key(&*name))
    });
    let texts = texts.iter().map(|(name, text)| (folder.join(name), Some(text.as_str())));
    judge(folder, texts.chain(left.map(|path| (path, None))));
}

/// Compares `texts`, by path below `folder`, with the files there.
///
/// # Panics
/// Panics if anything differs, with the differences; also after rewriting the files.
#[track_caller]
pub fn compare_files(folder: &Path, texts: &BTreeMap<String, String>) {
    judge(folder, texts.iter().map(|(name, text)| (folder.join(name), Some(text.as_str()))));
}

/// Compares each file with its text, or expects it not to exist.
#[track_caller]
fn judge<'a>(place: &Path, expected: impl IntoIterator<Item = (PathBuf, Option<&'a str>)>) {
    let update = std::env::var_os("UPDATE_SNAPSHOTS").is_some();
    let mut wrong = String::new();
    for (path, text) in expected {
        let known = fs::read_to_string(&path).ok();
        if known.as_deref() == text {
            continue;
        }
        let change = match (known, text) {
            (None, _) => "is new".to_owned(),
            (_, None) => "nothing makes it any more".to_owned(),
            (Some(known), Some(text)) => difference(&known, text),
        };
        let _ = writeln!(wrong, "{}: {change}", path.display());
        if update {
            let parent = path.parent().unwrap_or(place);
            let done = match text {
                Some(text) => fs::create_dir_all(parent).and_then(|()| fs::write(&path, text)),
                None => fs::remove_file(&path),
            };
            done.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
    if wrong.is_empty() {
        return;
    }
    let place = place.display();
    if update {
        panic!("REWRITTEN: {place}; read the changes, then test again without UPDATE_SNAPSHOTS\n{wrong}");
    }
    panic!("{place} has something else; UPDATE_SNAPSHOTS=1 rewrites it\n{wrong}");
}

/// Returns the first different line of both texts.
fn difference(known: &str, now: &str) -> String {
    let (mut known, mut now) = (known.lines(), now.lines());
    for line in 1.. {
        match (known.next(), now.next()) {
            (None, None) => break,
            (known, now) if known != now => {
                let shown = |line: Option<&str>| line.map_or("nothing".to_owned(), |line| format!("{line:?}"));
                return format!("line {line} was {} and is {}", shown(known), shown(now));
            }
            _ => {}
        }
    }
    "the line ends differ".to_owned()
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_first_difference_is_reported() {
        assert_eq!(difference("a\nb\n", "a\nc\n"), "line 2 was \"b\" and is \"c\"");
        assert_eq!(difference("a\n", "a\nb\n"), "line 2 was nothing and is \"b\"");
        assert_eq!(difference("a\n", "a"), "the line ends differ");
    }
}
