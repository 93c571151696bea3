//! `splc --install-links DIR`: installs the names under which splc acts as other programs.
//!
//! On Unix they are symbolic links to this program, elsewhere copies of it. Existing files that are something else are
//! not replaced.

use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use splc_ir::wording::visible;

use crate::outcome::Outcome;
use crate::output::print;
use crate::trouble::describe;
use crate::{data_librarian, dgn_comp, lev_comp};

/// The names of all programs that splc can replace.
const NAMES: &[&str] = &[lev_comp::NAME, dgn_comp::NAME, data_librarian::NAME];

/// Description of an installed file.
const HOW: &str = if cfg!(unix) { "link to" } else { "copy of" };

/// The result of installing a link.
enum Installed {
    /// It was created.
    Made,
    /// It already existed.
    AlreadyThere,
}

/// The reason why a link cannot be installed.
#[derive(Debug)]
enum Problem {
    /// The folder cannot be created.
    Folder(PathBuf, io::Error),
    /// The path of the running program is unknown.
    Program(io::Error),
    /// The existing file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// Another file exists at the path.
    Occupied(PathBuf),
    /// The link cannot be created.
    Unwritable(PathBuf, io::Error),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Folder(path, error) | Problem::Unwritable(path, error) => {
                write!(f, "cannot make {}: {}", shown(path), describe(error))
            }
            Problem::Program(error) => write!(f, "cannot find the splc executable: {}", describe(error)),
            Problem::Unreadable(path, error) => write!(f, "cannot read {}: {}", shown(path), describe(error)),
            Problem::Occupied(path) => {
                let place = shown(path);
                write!(f, "{place} already exists and is not this splc\n  = help: to replace it, ")?;
                write!(f, "move it away first: mv {place} {place}.original")
            }
        }
    }
}

/// Installs all links to `executable` in `folder`, which is created if necessary.
pub fn install(folder: &Path, executable: Option<PathBuf>) -> Outcome {
    let done = program(executable).and_then(|program| {
        fs::create_dir_all(folder).map_err(|error| Problem::Folder(folder.to_owned(), error))?;
        let mut text = String::new();
        for name in NAMES {
            let place = folder.join(format!("{name}{}", env::consts::EXE_SUFFIX));
            let was = match install_one(&program, &place)? {
                Installed::Made => "is",
                Installed::AlreadyThere => "is already",
            };
            text.push_str(&format!("{} {was} a {HOW} {}\n", shown(&place), shown(&program)));
        }
        Ok(text)
    });
    match done {
        Ok(text) => print(&text),
        Err(problem) => {
            eprintln!("error: {problem}");
            Outcome::Trouble
        }
    }
}

fn shown(path: &Path) -> String {
    visible(&path.display().to_string()).into_owned()
}

/// Returns the path of the program with links resolved: a link to a link would break with it.
fn program(executable: Option<PathBuf>) -> Result<PathBuf, Problem> {
    let found = executable.ok_or_else(|| io::ErrorKind::NotFound.into()).and_then(fs::canonicalize);
    found.map_err(Problem::Program)
}

fn install_one(program: &Path, place: &Path) -> Result<Installed, Problem> {
    match fs::symlink_metadata(place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(Problem::Unreadable(place.to_owned(), error)),
        Ok(_) if is_same(program, place) => return Ok(Installed::AlreadyThere),
        Ok(_) => return Err(Problem::Occupied(place.to_owned())),
    }
    link(program, place).map_err(|error| Problem::Unwritable(place.to_owned(), error))?;
    Ok(Installed::Made)
}

/// Returns true if the file at `place` is a link to `program` or a copy of it.
fn is_same(program: &Path, place: &Path) -> bool {
    let same_file = fs::canonicalize(place).is_ok_and(|target| target == program);
    let same_size = || Some(fs::metadata(place).ok()?.len() == fs::metadata(program).ok()?.len());
    let same_bytes = || Some(fs::read(place).ok()? == fs::read(program).ok()?);
    same_file || (same_size() == Some(true) && same_bytes() == Some(true))
}

#[cfg(unix)]
fn link(program: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(program, place)
}

#[cfg(not(unix))]
fn link(program: &Path, place: &Path) -> io::Result<()> {
    fs::copy(program, place).map(|_| ())
}
