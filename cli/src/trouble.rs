//! Descriptions of errors of the operating system.

use std::io;

/// Describes the error without the number that the operating system has for it.
pub fn describe(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::IsADirectory {
        return "it is a folder".to_owned();
    }
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((text, _)) => {
            let mut characters = text.chars();
            characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
        }
        None => text,
    }
}
