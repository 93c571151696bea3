//! Reading of des-files, level files, the standard input, included files, and heads of level files.
//!
//! Every read has a limit, so that a device or a wrong file costs no more than a large des-file. An input that the user
//! names may be a pipe, as the shell's `<(...)` is. All other files are regular ones.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use splc_driver::{HEADER_BYTES, Includes, Input, too_large};
use splc_game::{archive, files};
use splc_ir::diagnostic::{Code, Diagnostic, nearest};
use splc_ir::limits::{MAX_CATALOG_BYTES, MAX_SOURCE_BYTES};
use splc_project::MAX_FILE_BYTES;

use crate::options::COMMANDS;
use crate::trouble::{describe, of_archive};

/// The origin of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// A file in an archive, by name.
    Entry(PathBuf, String),
    /// The standard input.
    Standard,
}

/// Splits a `path` such as `nhdat:castle.lev` into the archive and the name in it. Returns `None` if a file with that
/// very name exists.
fn entry(path: &Path) -> Option<(PathBuf, String)> {
    let (archive, name) = path.to_str()?.rsplit_once(':')?;
    let archive = Path::new(archive);
    (!name.is_empty() && fs::symlink_metadata(path).is_err() && archive.is_file())
        .then(|| (archive.to_owned(), name.to_owned()))
}

impl Origin {
    /// Returns the inputs for the arguments `files`. `-` or no argument is the standard input. A file that is named
    /// twice is read once.
    pub fn list(files: &[PathBuf]) -> Vec<Origin> {
        if files.is_empty() {
            return vec![Origin::Standard];
        }
        let mut inputs = Vec::with_capacity(files.len());
        let mut seen = std::collections::HashSet::new();
        for file in files {
            let input = if file.as_os_str() == "-" { Origin::Standard } else { Origin::of(file) };
            // A file may have several paths. A single argument needs no file system access.
            let identity = match &input {
                Origin::File(path) if files.len() > 1 => fs::canonicalize(path).unwrap_or_else(|_| path.clone()),
                _ => file.clone(),
            };
            if seen.insert(identity) {
                inputs.push(input);
            }
        }
        inputs
    }

    /// Returns the input at `path`: a file, or a file in an archive.
    pub fn of(path: &Path) -> Origin {
        match entry(path) {
            Some((archive, name)) => Origin::Entry(archive, name),
            None => Origin::File(path.to_owned()),
        }
    }

    /// Its name for display.
    pub fn name(&self) -> String {
        match self {
            Origin::File(path) => path.display().to_string(),
            Origin::Entry(archive, name) => format!("{}:{name}", archive.display()),
            Origin::Standard => "(stdin)".to_owned(),
        }
    }

    /// Its canonical path if it is a file. Files that INCLUDE themselves are detected by it.
    fn place(&self) -> Option<PathBuf> {
        self.path().map(|path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
    }

    /// Its path, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Origin::File(path) => Some(path),
            Origin::Entry(..) | Origin::Standard => None,
        }
    }

    /// Reads the whole input.
    ///
    /// # Errors
    /// [`Code::Unreadable`], or [`Code::TooLarge`] for more than [`MAX_SOURCE_BYTES`].
    pub fn read(&self) -> Result<Input, Box<Diagnostic>> {
        let read = match self {
            Origin::Standard => read_at_most(io::stdin().lock(), 0, MAX_SOURCE_BYTES),
            Origin::File(path) => open(path).and_then(|(file, length)| read_at_most(file, length, MAX_SOURCE_BYTES)),
            Origin::Entry(archive, name) => {
                return match read_entry(archive, name, MAX_SOURCE_BYTES) {
                    Ok(bytes) => Ok(Input { name: self.name(), place: None, bytes }),
                    Err(problem) => Err(Box::new(of_archive(archive, &problem).0)),
                };
            }
        };
        match read {
            Ok(Content::Whole(bytes)) => Ok(Input { name: self.name(), place: self.place(), bytes }),
            Ok(Content::TooLarge) => {
                let message = format!("{} is larger than {} MiB", self.name(), MAX_SOURCE_BYTES >> 20);
                let diagnostic = Diagnostic::new(Code::TooLarge, None, message);
                Err(Box::new(diagnostic.with_help("a des-file is text of some kilobytes")))
            }
            Err(error) => Err(unreadable(&self.name(), &error)),
        }
    }
}

/// Reads the first bytes, at most `most`, of the file `name` in the archive at `path`.
fn read_entry(path: &Path, name: &str, most: u64) -> Result<Vec<u8>, archive::Error> {
    let mut archive = archive::open(path)?;
    let entry = archive.find(name).cloned().ok_or_else(|| archive::Error::Missing(name.to_owned()))?;
    let mut bytes = Vec::new();
    archive.content(&entry)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the diagnostic for a file `name` that cannot be read.
fn unreadable(name: &str, error: &io::Error) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::new(Code::Unreadable, None, format!("cannot read {name}: {}", describe(error)));
    Box::new(match error.kind() {
        io::ErrorKind::IsADirectory => diagnostic.with_help("name the files in it, e.g. FOLDER/*.des"),
        // A name without an extension may be a misspelt command.
        io::ErrorKind::NotFound if !name.contains(['.', '/', '\\']) => match nearest(name, COMMANDS).first() {
            Some(command) => diagnostic.with_help(format!("did you mean the command `splc {command}`?")),
            None => diagnostic,
        },
        _ => diagnostic,
    })
}

/// The result of a limited read.
enum Content {
    /// The whole content.
    Whole(Vec<u8>),
    /// The content exceeds the limit.
    TooLarge,
}

/// Maximum time to wait for the first byte of a named pipe, and the time between two attempts to read one.
const PIPE_WAIT: Duration = Duration::from_secs(5);
const PIPE_PAUSE: Duration = Duration::from_millis(2);

/// Opens the file, pipe or device at `path`, which the user named. Returns its length too, or 0 if it has none.
fn open(path: &Path) -> io::Result<(Box<dyn Read>, u64)> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() || metadata.is_dir() {
        let (file, length) = files::open(path)?;
        return Ok((Box::new(file), length));
    }
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY);
    // A pipe of the shell has no place in the file system, and somebody writes to it already.
    let is_named = fs::canonicalize(path).is_ok_and(|place| !place.starts_with("/dev"));
    let until = is_named.then(|| Instant::now() + PIPE_WAIT);
    Ok((Box::new(Pipe { file: options.open(path)?, until }), 0))
}

/// A pipe or a device that is read without blocking, so that one that nobody writes to is an error.
struct Pipe {
    file: File,
    /// The end of the wait for somebody who writes to it; `None` if there is, or was, somebody.
    until: Option<Instant>,
}

impl Read for Pipe {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match (self.file.read(bytes), self.until) {
                (Ok(0), Some(until)) if Instant::now() > until => {
                    return Err(io::Error::new(io::ErrorKind::TimedOut, "nobody writes to this pipe"));
                }
                (Ok(0), Some(_)) => {}
                (Err(error), _) if error.kind() == io::ErrorKind::WouldBlock => self.until = None,
                (read, _) => {
                    self.until = None;
                    return read;
                }
            }
            thread::sleep(PIPE_PAUSE);
        }
    }
}

/// Reads up to `limit` bytes. `length` is the expected number.
fn read_at_most(from: impl Read, length: u64, limit: u64) -> io::Result<Content> {
    if length > limit {
        return Ok(Content::TooLarge);
    }
    // One extra byte, so that the end is found without growing the buffer.
    let mut bytes = Vec::with_capacity(length as usize + 1);
    from.take(limit + 1).read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 > limit { Content::TooLarge } else { Content::Whole(bytes) })
}

/// Reads the head of the level file at `path`, which identifies its game.
///
/// # Errors
/// [`Code::Unreadable`].
pub fn read_header(path: &Path) -> Result<Vec<u8>, Box<Diagnostic>> {
    if let Some((archive, name)) = entry(path) {
        let head = read_entry(&archive, &name, HEADER_BYTES as u64);
        return head.map_err(|problem| Box::new(of_archive(&archive, &problem).0));
    }
    let read = || {
        let (file, _) = open(path)?;
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        file.take(HEADER_BYTES as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error| unreadable(&path.display().to_string(), &error))
}

/// Reads the catalog file at `path`, which the user named.
///
/// # Errors
/// [`Code::Unreadable`], or [`Code::TooLarge`] for more than [`MAX_CATALOG_BYTES`].
pub fn read_catalog(path: &Path) -> Result<Vec<u8>, Box<Diagnostic>> {
    read_file(path, MAX_CATALOG_BYTES)
}

/// Reads the file at `path`, which the user named, of at most `limit` bytes.
///
/// # Errors
/// [`Code::Unreadable`], [`Code::TooLarge`].
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, Box<Diagnostic>> {
    whole(path, open(path).and_then(|(file, length)| read_at_most(file, length, limit)), limit)
}

/// Reads the project file at `path`.
///
/// # Errors
/// As [`read_catalog`].
pub fn read_project(path: &Path) -> Result<Vec<u8>, Box<Diagnostic>> {
    read_file(path, MAX_FILE_BYTES)
}

/// Reads the catalog file at `path`, which another catalog extends.
///
/// # Errors
/// As [`read_catalog`].
pub fn read_parent_catalog(path: &Path) -> Result<Vec<u8>, Box<Diagnostic>> {
    let read = files::open(path).and_then(|(file, length)| read_at_most(file, length, MAX_CATALOG_BYTES));
    whole(path, read, MAX_CATALOG_BYTES)
}

fn whole(path: &Path, read: io::Result<Content>, limit: u64) -> Result<Vec<u8>, Box<Diagnostic>> {
    let name = path.display().to_string();
    match read {
        Ok(Content::Whole(bytes)) => Ok(bytes),
        Ok(Content::TooLarge) => {
            let message = format!("{name} is larger than {} MiB", limit >> 20);
            Err(Box::new(Diagnostic::new(Code::TooLarge, None, message)))
        }
        Err(error) => Err(unreadable(&name, &error)),
    }
}

/// Reads included files from disk: from the folder of the including file, or else, as the games' compilers do, from the
/// current folder.
#[derive(Debug)]
pub struct FilesOnDisk;

impl Includes for FilesOnDisk {
    fn read(&mut self, path: &str, from: Option<&Path>, most: u64) -> io::Result<(PathBuf, Vec<u8>)> {
        included(path, from, most).map_err(|error| io::Error::new(error.kind(), describe(&error)))
    }
}

/// Reads an included file.
fn included(path: &str, from: Option<&Path>, most: u64) -> io::Result<(PathBuf, Vec<u8>)> {
    let beside = from.and_then(Path::parent).unwrap_or(Path::new("")).join(path);
    let found = match fs::metadata(&beside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => PathBuf::from(path),
        _ => beside,
    };
    let (file, length) = files::open(&found)?;
    match read_at_most(file, length, most)? {
        Content::Whole(bytes) => Ok((fs::canonicalize(&found)?, bytes)),
        Content::TooLarge => Err(too_large()),
    }
}
