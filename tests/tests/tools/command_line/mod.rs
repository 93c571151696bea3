//! Tests of the command line from the user's point of view: the program is run, and judged by its files, output and
//! exit code.

mod arguments;
mod catalogs;
mod ci;
mod codes;
mod conform;
mod damaged;
mod decompile;
mod diff;
mod dlb;
mod dump;
mod dungeon;

mod explain;
mod fix;
mod fmt;
mod hostile;
mod install;
mod install_faults;
mod json;
mod lev_comp;
mod manners;
mod messages;
mod outputs;
mod parts;
mod port;
mod project;
mod run;
mod solve;
mod terminal;
mod test;
mod themerooms;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Exit codes of splc.
const FINE: i32 = 0;
const INPUT_ERRORS: i32 = 1;
const TROUBLE: i32 = 2;

/// A temporary folder for a test, in which splc runs.
struct Place(TempDir);

/// The result of a run.
struct Run {
    status: i32,
    out: Vec<u8>,
    err: String,
}

impl Place {
    fn new() -> Self {
        Place(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}; there are {:?}", self.names()))
    }

    /// Returns all files by their path in the place. Links and folders have no content.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(self.0.path()).unwrap().to_string_lossy().into_owned();
                let metadata = fs::symlink_metadata(&path).unwrap();
                if metadata.is_file() {
                    files.insert(name, fs::read(path).unwrap());
                } else {
                    files.insert(name, Vec::new());
                    if metadata.is_dir() {
                        folders.push(path);
                    }
                }
            }
        }
        files
    }

    fn names(&self) -> Vec<String> {
        self.files().into_keys().collect()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_splc_under_test"));
        command.args(arguments).current_dir(self.0.path());
        // The user's terminal and settings must not change the output.
        for name in ["CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "SPLC_TARGET", "TERM"]
        {
            command.env_remove(name);
        }
        command.stdin(Stdio::null());
        command
    }

    /// Runs splc for UnNetHack.
    fn unnethack(&self, arguments: &[&str]) -> Run {
        self.splc(&[&["--dialect", "unnethack"], arguments].concat())
    }

    fn splc(&self, arguments: &[&str]) -> Run {
        Run::of(self.command(arguments))
    }

    /// Runs splc for UnNetHack with `input` as its standard input.
    fn unnethack_reading(&self, input: &[u8], arguments: &[&str]) -> Run {
        Run::reading(self.command(&[&["--dialect", "unnethack"], arguments].concat()), input)
    }
}

impl Run {
    fn of(mut command: Command) -> Self {
        Run::ended(command.output().unwrap())
    }

    fn reading(mut command: Command, input: &[u8]) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A run that stops early does not read all input.
        let _ = child.stdin.take().unwrap().write_all(input);
        Run::ended(child.wait_with_output().unwrap())
    }

    fn ended(output: std::process::Output) -> Self {
        let err = String::from_utf8(output.stderr).expect("messages are UTF-8");
        // A signal leaves no exit code.
        let status = output.status.code().unwrap_or_else(|| panic!("splc was killed: {err}"));
        assert!(!err.contains("panicked"), "{err}");
        Run { status, out: output.stdout, err }
    }

    /// Expects exit code `status`.
    #[track_caller]
    fn ends(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{}", self.err);
        self
    }

    /// Expects success and no messages.
    #[track_caller]
    #[allow(clippy::wrong_self_convention)] // it reads as a sentence
    fn is_fine(self) -> Self {
        assert_eq!((self.status, self.err.as_str()), (FINE, ""));
        self
    }

    /// Expects the messages to contain each of `texts`.
    #[track_caller]
    fn says(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(self.err.contains(text), "\"{text}\" is not in:\n{}", self.err);
        }
        self
    }

    fn out(&self) -> String {
        String::from_utf8(self.out.clone()).expect("text is UTF-8")
    }

    /// Returns the diagnostics of a run with `--message-format json`.
    fn json(&self) -> Vec<serde_json::Value> {
        self.err.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
    }
}

/// Returns a level called `name` with the message `text`.
fn level(name: &str, text: &str) -> String {
    format!("LEVEL: \"{name}\"\nMESSAGE: \"{text}\"\n")
}

/// Returns the folder of the UnNetHack corpus.
fn corpus() -> PathBuf {
    splc_tests::corpus("unnethack")
}

/// Returns the des-files in `folder`.
fn des_files(folder: &Path) -> Vec<String> {
    let files = splc_tests::reference::files(folder, ".des");
    files.iter().map(|path| path.to_str().unwrap().to_owned()).collect()
}
