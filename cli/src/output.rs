//! Writing: all files of a run or none, and each of them as a whole.
//!
//! Every file is first written under a temporary name in the same folder, and is renamed only when all files are
//! written. A file is therefore either the old one or the complete new one, and a full disk changes nothing. A file
//! that would stay byte for byte the same is not rewritten; it only gets a new modification time.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use splc_driver::File;
use splc_game::files;
use splc_game::install::{self, Guard};
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::limits::MAX_SOURCE_BYTES;
use splc_ir::wording::{visible, visible_lines};
use tempfile::{Builder, TempPath};

use crate::outcome::Outcome;
use crate::trouble::{Trouble, describe};

/// The destination of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Files in this folder.
    Folder(PathBuf),
    /// A single file.
    File(PathBuf),
    /// The standard output.
    Standard,
}

impl Destination {
    /// Returns the destination for the value of `-o`. `-` is the standard output, and an existing folder or a path that
    /// ends like one is a folder.
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

/// Writes all of `files` into `folder`, or none. The folder is created if necessary.
///
/// # Errors
/// [`Code::Unwritable`]. Then nothing has changed, unless written files could not be moved to their places; the message
/// says so.
pub fn write_folder(folder: &Path, files: &[File]) -> Result<(), Box<Diagnostic>> {
    if !folder.is_dir() {
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &describe(&error)))?;
    }
    let _guard = guard(folder)?;
    // Resolved once instead of for each file. Everything works without it as well.
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let mut staged = Vec::with_capacity(files.len());
    for file in files {
        let place = folder.join(&file.name);
        let existing = match fs::symlink_metadata(&place) {
            // A link is replaced, because its target may be anywhere.
            Ok(metadata) if metadata.is_symlink() => None,
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(unwritable(&place, &describe(&error))),
        };
        staged.push((stage(&whole, &place, existing, &file.bytes)?, place));
    }
    commit(staged)
}

/// Writes `bytes` to the file at `path`: atomically if it is a regular file, directly if it is a device or a pipe.
///
/// # Errors
/// [`Code::Unwritable`].
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Box<Diagnostic>> {
    let existing = fs::metadata(path).ok();
    if existing.is_some_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        let written = OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(bytes));
        return written.map_err(|error| unwritable(path, &describe(&error)));
    }
    let _guard = guard(files::folder_of(path))?;
    commit(vec![stage_named(path, bytes)?])
}

/// Keeps other processes from changing the game in `folder`, if there is one.
pub(crate) fn guard(folder: &Path) -> Result<Guard, Box<Diagnostic>> {
    install::guard(folder).map_err(|problem| Trouble::from(problem).0)
}

/// Writes all of `files` or none. They must be regular files or not exist yet.
///
/// # Errors
/// [`Code::Unwritable`], as [`write_folder`].
pub fn write_files(files: &[(PathBuf, Vec<u8>)]) -> Result<(), Box<Diagnostic>> {
    let staged: Result<Vec<_>, _> = files.iter().map(|(path, bytes)| stage_named(path, bytes)).collect();
    commit(staged?)
}

/// [Stages](stage) `bytes` for the file that the user named `path`.
fn stage_named(path: &Path, bytes: &[u8]) -> Result<(Staged, PathBuf), Box<Diagnostic>> {
    // The user named this file, so a link is followed.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let staged = stage(folder, &place, fs::metadata(path).ok(), bytes)?;
    Ok((staged, place))
}

/// Prints `text` on the standard output. Control characters in it, which come from the input, are shown as pictures.
pub fn print(text: &str) -> Outcome {
    let mut out = io::stdout().lock();
    let written = out.write_all(visible_lines(text).as_bytes()).and_then(|()| out.flush());
    match written {
        Ok(()) => Outcome::Fine,
        // The reader closed the pipe, e.g. `head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Outcome::Fine,
        Err(error) => {
            let _ = writeln!(io::stderr(), "splc: cannot write to standard output: {error}");
            Outcome::Trouble
        }
    }
}

/// Writes `bytes`, the content of a file, to the standard output. On a terminal, control characters are shown as
/// pictures.
///
/// # Errors
/// [`Code::Unwritable`].
pub fn write_standard(bytes: &[u8]) -> Result<(), Box<Diagnostic>> {
    let mut out = io::stdout().lock();
    let shown;
    let bytes = if out.is_terminal() {
        shown = visible_lines(&String::from_utf8_lossy(bytes)).into_owned();
        shown.as_bytes()
    } else {
        bytes
    };
    let written = out.write_all(bytes).and_then(|()| out.flush());
    if written.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        // The reader closed the pipe, e.g. `head`.
        return Ok(());
    }
    written.map_err(|error| unwritable(Path::new("(stdout)"), &describe(&error)))
}

/// Reads a file that is about to be replaced. Returns no bytes if it does not exist.
///
/// # Errors
/// [`Code::Unwritable`], because the new file depends on the old one.
pub fn read_existing(path: &Path) -> Result<Vec<u8>, Box<Diagnostic>> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(unwritable(path, &describe(&error))),
        Ok(metadata) if !metadata.is_file() => Err(unwritable(path, not_regular(&metadata))),
        Ok(metadata) if metadata.len() > MAX_SOURCE_BYTES => Err(unwritable(path, "the existing file is too large")),
        Ok(_) => fs::read(path).map_err(|error| unwritable(path, &describe(&error))),
    }
}

fn not_regular(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() { "it is a folder" } else { "it is not a regular file" }
}

fn unwritable(path: &Path, problem: &str) -> Box<Diagnostic> {
    let name = path.display().to_string();
    Box::new(Diagnostic::new(Code::Unwritable, None, format!("cannot write {}: {problem}", visible(&name))))
}

/// A file that is ready to be moved to its place.
enum Staged {
    /// A file written under a temporary name; dropping it deletes the file.
    New(TempPath),
    /// The existing file, which already has the content.
    Same,
}

/// Writes the content of `place` under a temporary name in `folder`, unless the existing file already has it.
fn stage(folder: &Path, place: &Path, existing: Option<Metadata>, bytes: &[u8]) -> Result<Staged, Box<Diagnostic>> {
    if let Some(metadata) = existing.as_ref().filter(|metadata| !metadata.is_file()) {
        return Err(unwritable(place, not_regular(metadata)));
    }
    if existing.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
        return Err(unwritable(place, "the existing file is read-only"));
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
            // Make and similar tools must see a new modification time.
            Staged::Same => {
                OpenOptions::new().write(true).open(&place).and_then(|file| file.set_modified(SystemTime::now()))
            }
        };
        moved.map_err(|error| {
            let diagnostic = unwritable(&place, &describe(&error));
            match at {
                0 => diagnostic,
                _ => Box::new(diagnostic.with_note(format!("{at} of {count} files are already written"))),
            }
        })?;
    }
    Ok(())
}
