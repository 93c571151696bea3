//! Writing: all files of a run or none, and each of them as a whole.
//!
//! Every file is first written beside its place under another name, and takes its place only when all are
//! written. So a file is either the old one or the whole new one, and a full disk leaves all as it was. A file
//! that would stay the same to the byte is not written anew: it only gets its new time.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use splc_driver::File;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::limits::MAX_SOURCE_BYTES;
use splc_ir::wording::visible;
use tempfile::{Builder, TempPath};

use crate::outcome::Outcome;
use crate::trouble::describe;

/// Where output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Files in this folder.
    Folder(PathBuf),
    /// The one file.
    File(PathBuf),
    /// The standard output.
    Standard,
}

impl Destination {
    /// What `-o` stands for: `-` is the standard output, what is a folder or ends like one is a folder.
    pub fn of(output: Option<&Path>) -> Self {
        match output {
            None => Destination::Folder(PathBuf::from(".")),
            Some(path) if path.as_os_str() == "-" => Destination::Standard,
            Some(path) if ends_like_folder(path) || path.is_dir() => Destination::Folder(path.to_owned()),
            Some(path) => Destination::File(path.to_owned()),
        }
    }
}

fn ends_like_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|&last| std::path::is_separator(char::from(last)))
}

/// Writes all of `files` into `folder`, which is made if it is not there, or none of them.
///
/// # Errors
/// [`Code::Unwritable`]. Then nothing has changed, unless files that were written could not be moved to
/// their places: the message says so.
pub fn write_folder(folder: &Path, files: &[File]) -> Result<(), Box<Diagnostic>> {
    if !folder.is_dir() {
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &describe(&error)))?;
    }
    // Found out once, not again for each file; without it all works as well.
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let mut staged = Vec::with_capacity(files.len());
    for file in files {
        let place = folder.join(&file.name);
        let existing = match fs::symlink_metadata(&place) {
            // A link is replaced, as what it leads to may be anywhere.
            Ok(metadata) if metadata.is_symlink() => None,
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(unwritable(&place, &describe(&error))),
        };
        staged.push((stage(&whole, &place, existing, &file.bytes)?, place));
    }
    commit(staged)
}

/// Writes `bytes` to the file at `path`: as a whole if it is a regular file, straight if it is a device or
/// a pipe.
///
/// # Errors
/// [`Code::Unwritable`].
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Box<Diagnostic>> {
    let existing = fs::metadata(path).ok();
    if existing.is_some_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        let written = OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(bytes));
        return written.map_err(|error| unwritable(path, &describe(&error)));
    }
    commit(vec![stage_named(path, bytes)?])
}

/// Writes all of `files`, which are regular files or not there yet, or none of them.
///
/// # Errors
/// [`Code::Unwritable`], as [`write_folder`].
pub fn write_files(files: &[(PathBuf, Vec<u8>)]) -> Result<(), Box<Diagnostic>> {
    let staged: Result<Vec<_>, _> = files.iter().map(|(path, bytes)| stage_named(path, bytes)).collect();
    commit(staged?)
}

/// [`stage`]s `bytes` for the file that the user named `path`.
fn stage_named(path: &Path, bytes: &[u8]) -> Result<(Staged, PathBuf), Box<Diagnostic>> {
    // The user named this very file, so a link is followed.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let staged = stage(folder, &place, fs::metadata(path).ok(), bytes)?;
    Ok((staged, place))
}

/// Prints `text` on the standard output.
pub fn print(text: &str) -> Outcome {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Ok(()) => Outcome::Fine,
        // Who reads it has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Outcome::Fine,
        Err(error) => {
            let _ = writeln!(io::stderr(), "splc: cannot write to the standard output: {error}");
            Outcome::Trouble
        }
    }
}

/// Writes `bytes` to the standard output.
///
/// # Errors
/// [`Code::Unwritable`].
pub fn write_standard(bytes: &[u8]) -> Result<(), Box<Diagnostic>> {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    if written.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        // Who reads it has seen enough.
        return Ok(());
    }
    written.map_err(|error| unwritable(Path::new("(stdout)"), &describe(&error)))
}

/// Reads a file that is about to be replaced; nothing if it is not there.
///
/// # Errors
/// [`Code::Unwritable`], as the new file cannot be made without the old one.
pub fn read_existing(path: &Path) -> Result<Vec<u8>, Box<Diagnostic>> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(unwritable(path, &describe(&error))),
        Ok(metadata) if !metadata.is_file() => Err(unwritable(path, not_regular(&metadata))),
        Ok(metadata) if metadata.len() > MAX_SOURCE_BYTES => Err(unwritable(path, "the file there is too large")),
        Ok(_) => fs::read(path).map_err(|error| unwritable(path, &describe(&error))),
    }
}

fn not_regular(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() { "there is a folder of that name" } else { "there is something that is not a regular file" }
}

fn unwritable(path: &Path, problem: &str) -> Box<Diagnostic> {
    let name = path.display().to_string();
    Box::new(Diagnostic::new(Code::Unwritable, None, format!("cannot write {}: {problem}", visible(&name))))
}

/// What is going to be at a place.
enum Staged {
    /// A file that is written, under another name; it is gone if it is dropped.
    New(TempPath),
    /// The file that is there: it would stay as it is.
    Same,
}

/// Writes what is to be at `place` under another name in `folder`, if it is not there already.
fn stage(folder: &Path, place: &Path, existing: Option<Metadata>, bytes: &[u8]) -> Result<Staged, Box<Diagnostic>> {
    if let Some(metadata) = existing.as_ref().filter(|metadata| !metadata.is_file()) {
        return Err(unwritable(place, not_regular(metadata)));
    }
    if existing.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
        return Err(unwritable(place, "the file there is read-only"));
    }
    let same = |metadata: &Metadata| {
        metadata.len() == bytes.len() as u64 && fs::read(place).is_ok_and(|existing| existing == bytes)
    };
    if existing.as_ref().is_some_and(same) {
        return Ok(Staged::Same);
    }
    let write = || {
        let mut builder = Builder::new();
        builder.prefix(".splc-").suffix(".tmp");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(bytes)?;
        if let Some(wanted) = existing.as_ref().map(Metadata::permissions)
            && file.as_file().metadata()?.permissions() != wanted
        {
            file.as_file().set_permissions(wanted)?;
        }
        Ok(Staged::New(file.into_temp_path()))
    };
    write().map_err(|error: io::Error| unwritable(place, &describe(&error)))
}

/// Moves all staged files to their places.
fn commit(staged: Vec<(Staged, PathBuf)>) -> Result<(), Box<Diagnostic>> {
    let count = staged.len();
    for (at, (file, place)) in staged.into_iter().enumerate() {
        let moved = match file {
            Staged::New(file) => file.persist(&place).map_err(|error| error.error),
            // For make and its like, it was made now.
            Staged::Same => {
                OpenOptions::new().write(true).open(&place).and_then(|file| file.set_modified(SystemTime::now()))
            }
        };
        moved.map_err(|error| {
            let diagnostic = unwritable(&place, &describe(&error));
            match at {
                0 => diagnostic,
                _ => Box::new(diagnostic.with_note(format!("{at} of {count} files are written already"))),
            }
        })?;
    }
    Ok(())
}
