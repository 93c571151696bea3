//! `--watch`: repeats a command whenever one of its files changes.
//!
//! Each repetition is a new process, so that it begins as the first run did: with the options, the project file and the
//! folders as they are then. The files are compared a few times a second by their times and sizes, which works on every
//! system and network drive.

use splc_ir::order::Order;
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, SystemTime};

use splc_project::FILE_NAME;

use crate::outcome::Outcome;

/// Time between two looks at the files.
const PAUSE: Duration = Duration::from_millis(250);

/// Extensions of files that commands write next to their inputs.
const WRITTEN: &[&str] = &["lev", "asm", "json", "dat", "png", "svg", "html", "tmp", "swp"];

/// The time and size of each file.
type State = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Repeats this command, until Ctrl-C ends it. Its inputs are `files`.
pub fn run(files: &[PathBuf]) -> Outcome {
    if files.is_empty() || files.iter().any(|file| file.as_os_str() == "-") {
        eprintln!("error: --watch needs files: the standard input does not change");
        return Outcome::Trouble;
    }
    let Ok(program) = env::current_exe() else {
        eprintln!("error: cannot find the program of splc, to repeat the command");
        return Outcome::Trouble;
    };
    let arguments: Vec<OsString> = env::args_os().skip(1).filter(|argument| argument != "--watch").collect();
    let folders = folders(files);
    loop {
        let before = state(&folders);
        if io::stdout().is_terminal() {
            print!("\x1b[2J\x1b[3J\x1b[H");
        }
        let _ = io::stdout().flush();
        let ended = Command::new(&program).args(&arguments).status();
        match ended {
            Ok(status) if status.code() == Some(Outcome::Interrupted.code().into()) => return Outcome::Interrupted,
            Ok(_) => {}
            Err(error) => {
                eprintln!("error: cannot run {}: {error}", program.display());
                return Outcome::Trouble;
            }
        }
        eprintln!("watching {} for changes; Ctrl-C ends", named(&folders));
        while state(&folders) == before {
            thread::sleep(PAUSE);
        }
    }
}

/// Returns the folders of `files`, in which included files and new levels may appear, and the folders of their project.
fn folders(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = files.iter().map(|file| parent(file)).collect();
    if let Some(project) = folders.first().and_then(|folder| splc_project::find(folder)) {
        folders.push(parent(&project));
    }
    folders.order();
    folders.dedup();
    folders
}

fn parent(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn named(folders: &[PathBuf]) -> String {
    match folders {
        [folder] => folder.display().to_string(),
        _ => format!("{} folders", folders.len()),
    }
}

/// Returns the files in `folders`, except those that splc writes.
fn state(folders: &[PathBuf]) -> State {
    let mut state = State::new();
    for folder in folders {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            let is_hidden = entry.file_name().as_encoded_bytes().first() == Some(&b'.');
            if is_hidden || WRITTEN.contains(&extension) && entry.file_name() != FILE_NAME {
                continue;
            }
            // An editor may replace a file while it is looked at.
            if let Ok(metadata) = fs::metadata(&path)
                && metadata.is_file()
            {
                state.insert(path, (metadata.modified().ok(), metadata.len()));
            }
        }
    }
    state
}
