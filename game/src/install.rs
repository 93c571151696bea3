//! Installs levels into a game, and removes them again.
//!
//! The data of a game is in its folder, in the archive `nhdat` or in separate files. [`Folder`] reads and changes them
//! so that the game can be started at any moment. An archive is replaced atomically. Among separate files, new levels
//! come first, and the dungeon that requests them last. The originals are kept before the first change, and
//! [`Locked::restore`] restores them byte for byte.
//!
//! Only one process changes a folder at a time: it has [locked](Folder::lock) it. Everything that needs space on the
//! disk is written first, under temporary names, so that a full disk changes nothing. Temporary files of a process that
//! was killed are removed by the next one.
//!
//! [`plan`] computes the changes that make the game find a level: its file, the dungeon, and new names of levels that
//! become one of several.
//!
//! Symbolic links are followed if they lead to a file in the folder, and never written through.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, TryLockError};
use std::io::{self, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use splc_ir::dungeon::{Branch, Connection, Description, Direction, Dungeon, Item, Level, Range, Rules};
use splc_ir::order::Order;
use splc_ir::source::{Span, Spanned, Text};
use tempfile::TempPath;

use crate::archive::{self, Archive, Part};
use crate::files;

/// Name of the file with the dungeon.
pub const DUNGEON: &str = "dungeon";

/// File extension of level files.
pub const EXTENSION: &str = ".lev";

/// Suffix for the original of an archive.
const BACKUP: &str = ".splc-original";

/// Folder for the originals of separate files.
const BACKUP_FOLDER: &str = ".splc-original";

/// Suffix of an empty file in that folder that marks a file which did not exist.
const ABSENT: &str = ".absent";

/// File that is locked, and exists, while splc changes the game.
const LOCK: &str = ".splc-lock";

/// Maximum time to wait for another process that changes the game, and the time between two attempts.
const LOCK_WAIT: Duration = Duration::from_secs(20);
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// Prefix of the temporary names of new files. Only the process with the lock uses it, so other files with it are
/// leftovers.
const STAGED: &str = ".splc-install-";

/// Age from which a temporary file of another command is a leftover.
const LEFTOVER_AGE: Duration = Duration::from_secs(600);

/// Maximum size of a game file that is read, in bytes.
const MAX_FILE_BYTES: u64 = crate::limits::MAX_ARCHIVE_BYTES;

/// An error that prevents an installation.
#[derive(Debug)]
pub enum Error {
    /// The folder contains no game data.
    NoGame(PathBuf),
    /// A file is a symbolic link that leads out of the folder.
    Outside(PathBuf),
    /// A file cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The archive cannot be read or written.
    Archive(PathBuf, archive::Error),
    /// The request does not fit the game. Contains the message and the help.
    Request(String, Option<String>),
    /// Nothing has been installed, so nothing can be restored.
    NothingInstalled(PathBuf),
    /// The place for an original is taken by something that splc has not put there, e.g. a symbolic link.
    Foreign(PathBuf),
    /// Another process is changing the game.
    Busy(PathBuf),
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoGame(path) => write!(out, "{} contains no game data: neither nhdat nor dungeon", path.display()),
            Error::Outside(path) => {
                write!(out, "{} is a symbolic link to a place outside of the game's folder", path.display())
            }
            Error::File { path, error } => write!(out, "{}: {error}", path.display()),
            Error::Archive(path, error) => write!(out, "{}: {error}", path.display()),
            Error::Request(message, _) => out.write_str(message),
            Error::NothingInstalled(path) => write!(out, "splc has not changed {}", path.display()),
            Error::Foreign(path) => {
                write!(out, "{} is not an original that splc has kept: it is a link or a special file", path.display())
            }
            Error::Busy(path) => write!(out, "another process is changing {}", path.display()),
        }
    }
}

impl std::error::Error for Error {}

/// The folder of an installed game.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    /// Its archive, if it has one.
    archive: Option<PathBuf>,
}

/// The wanted state of a game file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its name.
    pub name: String,
    /// Its new content, or `None` to remove it.
    pub bytes: Option<Vec<u8>>,
}

fn failed(path: &Path) -> impl Fn(io::Error) -> Error + use<> {
    let path = path.to_owned();
    move |error| Error::File { path: path.clone(), error }
}

impl Folder {
    /// Opens the game in the folder at `root`.
    ///
    /// # Errors
    /// [`Error::NoGame`], [`Error::Outside`], [`Error::File`].
    pub fn open(root: &Path) -> Result<Self, Error> {
        let root = fs::canonicalize(root).map_err(failed(root))?;
        let mut folder = Folder { root, archive: None };
        folder.archive = folder.existing(archive::FILE_NAME)?;
        for name in archive::TWO_FILE_NAMES {
            if folder.archive.is_some() {
                break;
            }
            if let Some(path) = folder.existing(name)?
                && folder.open_archive(&path)?.find(DUNGEON).is_some()
            {
                folder.archive = Some(path);
            }
        }
        if folder.archive.is_none() && folder.existing(DUNGEON)?.is_none() {
            return Err(Error::NoGame(folder.root));
        }
        Ok(folder)
    }

    /// Returns the location of its data, for messages.
    pub fn place(&self) -> &Path {
        self.archive.as_deref().unwrap_or(&self.root)
    }

    /// Returns true if its data is in an archive.
    pub fn has_archive(&self) -> bool {
        self.archive.is_some()
    }

    /// Returns the file called `name` in the folder, following links within the folder.
    fn existing(&self, name: &str) -> Result<Option<PathBuf>, Error> {
        let path = self.root.join(name);
        let metadata = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            metadata => metadata.map_err(failed(&path))?,
        };
        if !metadata.is_symlink() {
            return Ok(Some(path));
        }
        let target = fs::canonicalize(&path).map_err(failed(&path))?;
        if target.starts_with(&self.root) { Ok(Some(target)) } else { Err(Error::Outside(path)) }
    }

    /// Returns the path of the original of the archive.
    fn backup(archive: &Path) -> PathBuf {
        let mut name = archive.as_os_str().to_owned();
        name.push(BACKUP);
        PathBuf::from(name)
    }

    /// Reads the game file called `name`.
    ///
    /// # Errors
    /// [`Error::Archive`], [`Error::File`], [`Error::Outside`].
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match &self.archive {
            Some(path) => {
                let mut archive = self.open_archive(path)?;
                if archive.find(name).is_none() {
                    return Ok(None);
                }
                archive.bytes(name).map(Some).map_err(|error| Error::Archive(path.clone(), error))
            }
            None => match self.existing(name)? {
                Some(path) => read_file(&path).map(Some),
                None => Ok(None),
            },
        }
    }

    fn open_archive(&self, path: &Path) -> Result<Archive<fs::File>, Error> {
        archive::open(path).map_err(|error| Error::Archive(path.to_owned(), error))
    }

    /// Returns the names of its level files, without extension.
    ///
    /// # Errors
    /// [`Error::Archive`], [`Error::File`].
    pub fn levels(&self) -> Result<Vec<String>, Error> {
        let names: Vec<String> = match &self.archive {
            Some(path) => self.open_archive(path)?.files().map(|entry| entry.name().into_owned()).collect(),
            None => {
                let entries = fs::read_dir(&self.root).map_err(failed(&self.root))?;
                entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
            }
        };
        let mut levels: Vec<String> =
            names.iter().filter_map(|name| Some(name.strip_suffix(EXTENSION)?.to_owned())).collect();
        levels.order();
        Ok(levels)
    }

    /// Returns true if all `changes` have already been made.
    ///
    /// # Errors
    /// As [`read`](Folder::read).
    pub fn is_done(&self, changes: &[Change]) -> Result<bool, Error> {
        for change in changes {
            if self.read(&change.name)? != change.bytes {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the path for the originals.
    pub fn kept(&self) -> PathBuf {
        match &self.archive {
            Some(path) => Self::backup(path),
            None => self.root.join(BACKUP_FOLDER),
        }
    }

    /// Returns the path of the originals, if they exist.
    ///
    /// # Errors
    /// [`Error::NothingInstalled`], [`Error::Foreign`], [`Error::File`].
    pub fn original(&self) -> Result<PathBuf, Error> {
        let kept = self.kept();
        let is_there = if self.has_archive() { is_own_file(&kept)? } else { is_own_folder(&kept)? };
        if is_there { Ok(kept) } else { Err(Error::NothingInstalled(self.root.clone())) }
    }

    /// Returns the names of the files in the folder of the originals. All of them are regular files.
    fn originals(&self) -> Result<Vec<String>, Error> {
        let folder = self.root.join(BACKUP_FOLDER);
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).map_err(failed(&folder))? {
            let entry = entry.map_err(failed(&folder))?;
            let name = entry.file_name().into_string().map_err(|_| Error::Foreign(entry.path()))?;
            // A run that was killed left it.
            if files::is_temporary(&name) {
                continue;
            }
            if !is_own_file(&entry.path())? {
                return Err(Error::Foreign(entry.path()));
            }
            names.push(name);
        }
        Ok(names)
    }

    /// Returns the names of the files that [`restore`](Locked::restore) would change, regardless of the program that
    /// changed them after the originals were kept.
    ///
    /// # Errors
    /// [`Error::NothingInstalled`], [`Error::Archive`], [`Error::File`].
    pub fn taken_back(&self) -> Result<Vec<String>, Error> {
        let kept = self.original()?;
        let Some(path) = &self.archive else {
            let names = self.originals()?.into_iter();
            let mut names: Vec<String> =
                names.map(|name| name.strip_suffix(ABSENT).map(str::to_owned).unwrap_or(name)).collect();
            names.order();
            return Ok(names);
        };
        let (mut old, mut new) = (self.open_archive(&kept)?, self.open_archive(path)?);
        let names = |archive: &Archive<fs::File>| -> BTreeSet<String> {
            archive.files().map(|entry| entry.name().into_owned()).collect()
        };
        let mut changed = Vec::new();
        for name in names(&old).union(&names(&new)) {
            // An entry that is unreadable in both counts as different.
            let same = match (old.bytes(name), new.bytes(name)) {
                (Ok(old), Ok(new)) => old == new,
                _ => false,
            };
            if !same {
                changed.push(name.clone());
            }
        }
        Ok(changed)
    }

    /// Locks the game for changes, and removes the temporary files of processes that were killed. Waits if another
    /// process has locked it.
    ///
    /// # Errors
    /// [`Error::Busy`] after some time, [`Error::Foreign`], [`Error::File`].
    pub fn lock(self) -> Result<Locked, Error> {
        let _lock = Lock::take(&self.root)?;
        // Another process may have changed it in the meantime.
        let folder = Folder::open(&self.root)?;
        folder.clear();
        Ok(Locked { folder, _lock })
    }

    /// Removes the temporary files of processes that were killed. A file that cannot be removed does no harm.
    fn clear(&self) {
        let data = self.archive.as_deref().map_or(&*self.root, files::folder_of);
        let kept = self.root.join(BACKUP_FOLDER);
        for (folder, is_ours) in [(&*self.root, false), (data, false), (&kept, true)] {
            if !is_own_folder(folder).unwrap_or_default() {
                continue;
            }
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let Some(name) = name.to_str().filter(|name| files::is_temporary(name)) else { continue };
                let Ok(metadata) = fs::symlink_metadata(entry.path()) else { continue };
                let age = metadata.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
                let is_left = is_ours || name.starts_with(STAGED) || age.is_some_and(|age| age > LEFTOVER_AGE);
                if metadata.is_file() && is_left {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }
}

/// Returns true if there is a regular file at `path`, and false if there is nothing.
///
/// # Errors
/// [`Error::Foreign`] for anything else, [`Error::File`].
fn is_own_file(path: &Path) -> Result<bool, Error> {
    is_own(path, fs::Metadata::is_file)
}

/// Returns true if there is a folder at `path`, and false if there is nothing.
///
/// # Errors
/// [`Error::Foreign`] for anything else, [`Error::File`].
fn is_own_folder(path: &Path) -> Result<bool, Error> {
    is_own(path, fs::Metadata::is_dir)
}

fn is_own(path: &Path, is_right: fn(&fs::Metadata) -> bool) -> Result<bool, Error> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed(path)(error)),
        Ok(metadata) if is_right(&metadata) => Ok(true),
        Ok(_) => Err(Error::Foreign(path.to_owned())),
    }
}

/// The lock of a game's folder: a file that exists only as long as a process has locked it.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    /// The lock ends with it, even if the process is killed.
    _file: fs::File,
}

impl Lock {
    fn take(root: &Path) -> Result<Lock, Error> {
        let path = root.join(LOCK);
        let until = Instant::now() + LOCK_WAIT;
        loop {
            if let Some(file) = Lock::attempt(&path).map_err(|error| match error.kind() {
                io::ErrorKind::InvalidInput => Error::Foreign(path.clone()),
                _ => failed(root)(error),
            })? {
                return Ok(Lock { path, _file: file });
            }
            if Instant::now() > until {
                return Err(Error::Busy(root.to_owned()));
            }
            thread::sleep(LOCK_PAUSE);
        }
    }

    /// Creates and locks the file at `path`. Returns `None` if another process has locked it.
    fn attempt(path: &Path) -> io::Result<Option<fs::File>> {
        if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let mut options = fs::File::options();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
        let file = options.open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            locked => locked?,
        }
        // The process that had locked it has removed it, and yet another one may have created a new one.
        Ok(is_at(path, &file)?.then_some(file))
    }
}

/// Returns true if the open `file` is the one at `path`. Needs no other open file, of which a process has few.
#[cfg(unix)]
fn is_at(path: &Path, file: &fs::File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let own = identity(file.metadata()?);
    Ok(fs::symlink_metadata(path).is_ok_and(|metadata| identity(metadata) == own))
}

#[cfg(not(unix))]
fn is_at(path: &Path, file: &fs::File) -> io::Result<bool> {
    let own = same_file::Handle::from_file(file.try_clone()?)?;
    Ok(same_file::Handle::from_path(path).is_ok_and(|found| found == own))
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is locked, so that nobody else can have locked it. A file that stays does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

/// Permission to change the files of a folder, until the value is dropped. See [`guard`].
#[derive(Debug)]
pub struct Guard {
    _lock: Option<Lock>,
}

/// Locks the game in `folder` while another command than `install` writes there, so that neither sees the other's
/// files half written. Without a game, or where no file can be created, it locks nothing.
///
/// # Errors
/// [`Error::Busy`] after some time, [`Error::Foreign`].
pub fn guard(folder: &Path) -> Result<Guard, Error> {
    let Ok(folder) = Folder::open(folder) else { return Ok(Guard { _lock: None }) };
    match Lock::take(&folder.root) {
        Err(Error::File { .. }) => Ok(Guard { _lock: None }),
        taken => Ok(Guard { _lock: Some(taken?) }),
    }
}

/// A game's folder that this process may change, until the value is dropped.
#[derive(Debug)]
pub struct Locked {
    folder: Folder,
    _lock: Lock,
}

impl Deref for Locked {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.folder
    }
}

/// A file that is written, and its place.
type Staged = (TempPath, PathBuf);

impl Locked {
    /// Applies `changes` in order, so that the game can be started at any moment. Files that already have the wanted
    /// content are left alone. The originals are kept until [`restore`](Locked::restore).
    ///
    /// # Errors
    /// [`Error::Archive`], [`Error::File`], [`Error::Outside`], [`Error::Foreign`]. Nothing has changed then, unless a
    /// complete file could not be moved to its place.
    pub fn apply(&self, changes: &[Change]) -> Result<(), Error> {
        let mut wanted = Vec::new();
        for change in changes {
            files::check_name(&change.name)
                .map_err(|problem| Error::Request(format!("the name \"{}\" {problem}", change.name), None))?;
            if self.read(&change.name)? != change.bytes {
                wanted.push(change);
            }
        }
        match &self.archive {
            _ if wanted.is_empty() => Ok(()),
            Some(path) => self.apply_to_archive(path, &wanted),
            None => self.apply_to_files(&wanted),
        }
    }

    fn apply_to_archive(&self, path: &Path, changes: &[&Change]) -> Result<(), Error> {
        let wrong = |error| Error::Archive(path.to_owned(), error);
        let mut old = archive::open(path).map_err(wrong)?;
        let mut parts = archive::parts(&old);
        for change in changes {
            let at = parts.iter().position(|part| part.name == change.name.as_bytes());
            match (&change.bytes, at) {
                (Some(bytes), Some(at)) => parts[at] = Part::bytes(change.name.as_str(), bytes.as_slice()),
                (Some(bytes), None) => parts.push(Part::bytes(change.name.as_str(), bytes.as_slice())),
                (None, Some(at)) => _ = parts.remove(at),
                (None, None) => {}
            }
        }
        let folder = files::folder_of(path);
        let new = files::stage(folder, STAGED, path, |out| archive::write(out, &parts, Some(&mut old)));
        let mut originals = Vec::new();
        let backup = Folder::backup(path);
        if !is_own_file(&backup)? {
            originals.push((copy(path, folder)?, backup));
        }
        move_all(originals, vec![(Some(new.map_err(wrong)?), path.to_owned())])
    }

    fn apply_to_files(&self, changes: &[&Change]) -> Result<(), Error> {
        let folder = self.root.join(BACKUP_FOLDER);
        let is_new = !is_own_folder(&folder)?;
        let (mut originals, mut new) = (Vec::new(), Vec::new());
        for change in changes {
            let path = self.existing(&change.name)?.unwrap_or_else(|| self.root.join(&change.name));
            let (kept, absent) = (folder.join(&change.name), folder.join(format!("{}{ABSENT}", change.name)));
            if !is_own_file(&kept)? && !is_own_file(&absent)? {
                if is_own_file(&path)? {
                    originals.push((copy(&path, &self.root)?, kept));
                } else {
                    let marker = files::stage(&self.root, STAGED, &absent, |_| Ok::<(), io::Error>(()));
                    originals.push((marker.map_err(failed(&absent))?, absent));
                }
            }
            let written = change.bytes.as_ref().map(|bytes| {
                files::stage(files::folder_of(&path), STAGED, &path, |out| out.write_all(bytes)).map_err(failed(&path))
            });
            new.push((written.transpose()?, path));
        }
        if is_new {
            fs::create_dir(&folder).map_err(failed(&folder))?;
        }
        let moved = move_all(originals, new);
        if moved.is_err() && is_new {
            // It is removed only if nothing has changed: then it is empty.
            let _ = fs::remove_dir(&folder);
        }
        moved
    }

    /// Restores the originals and removes the backup.
    ///
    /// # Errors
    /// [`Error::NothingInstalled`], [`Error::Foreign`], [`Error::File`].
    pub fn restore(&self) -> Result<(), Error> {
        let kept = self.original()?;
        if let Some(path) = &self.archive {
            fs::rename(&kept, path).map_err(failed(path))?;
            files::sync_folder(files::folder_of(path));
            return Ok(());
        }
        let mut names = self.originals()?;
        // Levels of the old dungeon first, then the dungeon, then files that it no longer requests.
        names.order_by_key(|name| (name.ends_with(ABSENT), name == DUNGEON, name.clone()));
        for name in names {
            let original = kept.join(&name);
            match name.strip_suffix(ABSENT) {
                Some(name) => {
                    let path = self.root.join(name);
                    match fs::remove_file(&path) {
                        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(&path)(error)),
                        _ => fs::remove_file(&original).map_err(failed(&original))?,
                    }
                }
                None => {
                    let path = self.existing(&name)?.unwrap_or_else(|| self.root.join(&name));
                    fs::rename(&original, &path).map_err(failed(&path))?;
                }
            }
        }
        fs::remove_dir(&kept).map_err(failed(&kept))?;
        files::sync_folder(&self.root);
        Ok(())
    }
}

/// Copies the file at `path` to a temporary file in `folder`.
fn copy(path: &Path, folder: &Path) -> Result<TempPath, Error> {
    let copied = files::open(path).and_then(|(mut original, _)| {
        files::stage(folder, STAGED, path, |out| io::copy(&mut original, out).map(|_| ()))
    });
    copied.map_err(failed(path))
}

/// Moves `originals` to their places, and then the `new` files, or removes those without a new content. If no new file
/// could be moved, the originals are removed again.
fn move_all(originals: Vec<Staged>, new: Vec<(Option<TempPath>, PathBuf)>) -> Result<(), Error> {
    let mut kept = Vec::new();
    let mut changed = 0;
    let moved = (|| {
        for (original, place) in originals {
            original.persist(&place).map_err(|error| failed(&place)(error.error))?;
            kept.push(place);
        }
        if let Some(place) = kept.first() {
            files::sync_folder(files::folder_of(place));
        }
        for (file, place) in new {
            match file {
                Some(file) => file.persist(&place).map_err(|error| failed(&place)(error.error))?,
                None => fs::remove_file(&place).map_err(failed(&place))?,
            }
            changed += 1;
            files::sync_folder(files::folder_of(&place));
        }
        Ok(())
    })();
    if moved.is_err() && changed == 0 {
        for place in kept {
            let _ = fs::remove_file(place);
        }
    }
    moved
}

fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    files::read(path, MAX_FILE_BYTES).map_err(failed(path))
}

/// A level to install.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLevel {
    /// Its name: the file name without extension.
    pub name: String,
    /// The content of its file.
    pub bytes: Vec<u8>,
}

/// The position of new levels in the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// Replaces the level of this name.
    As(String),
    /// Becomes another variant of the level of this name. The game chooses one at random.
    Variant(String),
    /// Is added to a dungeon.
    Add {
        /// The dungeon.
        dungeon: String,
        /// Its place in the dungeon: the first place, and the number of places to choose from.
        at: (i32, i32),
        /// The probability that it exists, in percent.
        chance: i32,
    },
    /// Become a separate dungeon, one level below the other.
    Branch {
        /// The new dungeon.
        dungeon: String,
        /// The dungeon that the branch to it begins in.
        from: String,
        /// The place of the branch in that dungeon.
        at: (i32, i32),
        /// The type of the branch.
        connection: Connection,
        /// The direction of the branch.
        direction: Direction,
        /// The other levels of the dungeon, if it has more than the named ones.
        fillers: Option<Fillers>,
    },
}

/// The identical filler levels of a new dungeon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fillers {
    /// The level used for them, one of those being installed.
    pub level: String,
    /// The total number of levels of the dungeon.
    pub size: i32,
}

/// The changes to make and their consequences.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Changes to files other than the dungeon, in the order in which they must be made.
    pub changes: Vec<Change>,
    /// The new dungeon, if it has to change.
    pub dungeon: Option<Description>,
    /// Files that the changed dungeon no longer requests.
    pub leftovers: Vec<Change>,
    /// The consequences, one per line.
    pub notes: Vec<String>,
}

fn request(message: String) -> Error {
    Error::Request(message, None)
}

/// Computes the changes that install `levels` as `how` describes into the game in `folder`, whose dungeon is `dungeon`.
///
/// # Errors
/// [`Error::Request`] if that does not fit the game; [`Error::Archive`], [`Error::File`] for unreadable files.
pub fn plan(
    folder: &Folder,
    dungeon: &Description,
    rules: &Rules,
    levels: &[NewLevel],
    how: &How,
) -> Result<Plan, Error> {
    match how {
        How::As(name) => replace_level(folder, dungeon, the_one(levels)?, name),
        How::Variant(name) => add_variant(folder, dungeon, the_one(levels)?, name),
        How::Add { dungeon: target, at, chance } => {
            let mut plan = add_files(folder, dungeon, levels, Some(target))?;
            let mut changed = dungeon.clone();
            let outer = find(&mut changed, target)?;
            for level in levels {
                let new = described(&level.name, *at, *chance);
                let item = outer
                    .items
                    .iter_mut()
                    .find(|item| matches!(item, Item::Level(known) if known.name.node == *level.name));
                match item {
                    Some(item) => *item = Item::Level(new),
                    None => outer.items.push(Item::Level(new)),
                }
                plan.notes.push(format!("\"{}\" is in \"{target}\" at ({}, {})", level.name, at.0, at.1));
            }
            plan.dungeon = Some(changed);
            Ok(plan)
        }
        How::Branch { dungeon: new, from, at, connection, direction, fillers } => {
            let Laid { files, places, size, prototype } = match fillers {
                None => one_below_the_other(levels),
                Some(fillers) => with_fillers(levels, fillers, *direction)?,
            };
            let mut plan = add_files(folder, dungeon, &files, Some(new))?;
            let mut changed = dungeon.clone();
            changed.dungeons.retain(|dungeon| dungeon.name.node != *new.as_str());
            let outer = find(&mut changed, from)?;
            let up = *direction == Direction::Up;
            // SLASH'EM looks at another branch to decide if 0 means the top (`add_branch` in `src/dungeon.c`).
            let (of_dungeon, of_branch) = match rules.dungeons_enter() {
                true => (if up { -1 } else { 0 }, 0),
                false => (0, if up { -1 } else { 1 }),
            };
            let branch = Branch {
                span: Span::default(),
                target: text(new),
                chain: None,
                place: range(*at),
                connection: *connection,
                direction: *direction,
                entry: of_branch,
            };
            outer.items.retain(|item| !matches!(item, Item::Branch(known) if known.target.node == *new.as_str()));
            outer.items.push(Item::Branch(branch));
            let items = places.iter().map(|(name, at)| Item::Level(described(name, (*at, 0), 100)));
            changed.dungeons.push(Dungeon {
                span: Span::default(),
                name: text(new),
                bones: Spanned::new(None, Span::default()),
                size: range((size, 0)),
                chance: rules.chance,
                entry: of_dungeon,
                prototype: text(&prototype),
                overwritten: Vec::new(),
                lua: Default::default(),
                traits: Vec::new(),
                items: items.collect(),
            });
            plan.notes.push(format!(
                "the dungeon \"{new}\" has {size} levels, entered from \"{from}\" at ({}, {})",
                at.0, at.1
            ));
            plan.dungeon = Some(changed);
            Ok(plan)
        }
    }
}

/// The levels of a new dungeon.
struct Laid {
    /// Their files.
    files: Vec<NewLevel>,
    /// The levels named in the dungeon, with their places.
    places: Vec<(String, i32)>,
    /// The number of levels.
    size: i32,
    /// The name on which the other levels are based, or empty if there are none.
    prototype: String,
}

fn one_below_the_other(levels: &[NewLevel]) -> Laid {
    let places = levels.iter().zip(1..).map(|(level, at)| (level.name.clone(), at)).collect();
    Laid { files: levels.to_vec(), places, size: levels.len() as i32, prototype: String::new() }
}

/// Puts the last level at the far end of the dungeon and the others at the entrance, with fillers between. The game
/// requests a level without a description by the prototype's name and its number in the dungeon (`makemaz` in
/// mkmaze.c), so each filler is a separate file.
fn with_fillers(levels: &[NewLevel], fillers: &Fillers, direction: Direction) -> Result<Laid, Error> {
    let &Fillers { level: ref filler, size } = fillers;
    let Some(model) = levels.iter().find(|level| level.name == *filler) else {
        let names: Vec<&str> = levels.iter().map(|level| level.name.as_str()).collect();
        let help = format!("the des-files contain {}", names.join(", "));
        return Err(Error::Request(format!("no level named \"{filler}\" to fill the dungeon with"), Some(help)));
    };
    let named: Vec<&NewLevel> = levels.iter().filter(|level| level.name != *filler).collect();
    if size <= named.len() as i32 {
        let message = format!("a dungeon of {size} levels is too small for {} levels and fillers", named.len());
        return Err(Error::Request(message, Some("use a larger number with --levels".to_owned())));
    }
    let mut laid = Laid { files: Vec::new(), places: Vec::new(), size, prototype: filler.clone() };
    for (level, index) in named.iter().zip(1..) {
        let from_entrance = if index == named.len() as i32 { size } else { index };
        let at = if direction == Direction::Up { size + 1 - from_entrance } else { from_entrance };
        laid.files.push((*level).clone());
        laid.places.push((level.name.clone(), at));
    }
    for at in (1..=size).filter(|at| laid.places.iter().all(|(_, taken)| taken != at)) {
        // In a dungeon of one level the name has no number.
        let name = if size == 1 { filler.clone() } else { format!("{filler}{at}") };
        laid.files.push(NewLevel { name, bytes: model.bytes.clone() });
    }
    Ok(laid)
}

fn the_one(levels: &[NewLevel]) -> Result<&NewLevel, Error> {
    match levels {
        [one] => Ok(one),
        _ => {
            let message = format!("{} levels cannot replace one level", levels.len());
            let help = "name a des-file with a single level, or use --dungeon and --at";
            Err(Error::Request(message, Some(help.to_owned())))
        }
    }
}

fn text(text: &str) -> Spanned<Text> {
    Spanned::new(text.into(), Span::default())
}

fn range((base, random): (i32, i32)) -> Range {
    Range { span: Span::default(), base, random }
}

fn described(name: &str, at: (i32, i32), chance: i32) -> Level {
    Level {
        span: Span::default(),
        name: text(name),
        bones: Spanned::new(None, Span::default()),
        chain: None,
        place: range(at),
        chance,
        variants: 0,
        traits: Vec::new(),
    }
}

fn find<'a>(description: &'a mut Description, name: &str) -> Result<&'a mut Dungeon, Error> {
    let known: Vec<String> = description.dungeons.iter().map(|dungeon| format!("\"{}\"", dungeon.name.node)).collect();
    let found = description.dungeons.iter_mut().find(|dungeon| dungeon.name.node == *name);
    found.ok_or_else(|| {
        Error::Request(
            format!("the game has no dungeon named \"{name}\""),
            Some(format!("its dungeons are: {}", known.join(", "))),
        )
    })
}

fn file_name(level: &str) -> String {
    format!("{level}{EXTENSION}")
}

/// Returns the level to which the file `name` belongs: the level of that name, or the level of which it is a variant.
fn owner<'a>(dungeon: &'a Description, name: &str) -> Option<&'a Level> {
    let levels = || dungeon.dungeons.iter().flat_map(Dungeon::levels);
    let exact = levels().find(|level| level.variants == 0 && level.name.node == *name);
    exact.or_else(|| {
        let (base, number) = name.rsplit_once('-')?;
        let number: i32 = number.parse().ok()?;
        levels().find(|level| level.name.node == *base && (1..=level.variants).contains(&number))
    })
}

/// Returns true if the level `name` is one of those without a description in the existing dungeon `target`.
fn is_filler_of(description: &Description, target: Option<&str>, name: &str) -> bool {
    let outer = description.dungeons.iter().find(|dungeon| Some(dungeon.name.node.as_str()) == target);
    outer.is_some_and(|outer| {
        let prototype = &*outer.prototype.node;
        let number = name.strip_prefix(prototype).filter(|_| !prototype.is_empty());
        number.is_some_and(|number| number.chars().all(|digit| digit.is_ascii_digit()))
    })
}

/// Plans the files of new levels. None of them may replace a file used for something else.
fn add_files(folder: &Folder, dungeon: &Description, levels: &[NewLevel], target: Option<&str>) -> Result<Plan, Error> {
    let mut plan = Plan::default();
    let mut seen = BTreeMap::new();
    for level in levels {
        if seen.insert(&level.name, ()).is_some() {
            return Err(request(format!("two levels are named \"{}\"", level.name)));
        }
        let name = file_name(&level.name);
        let existing = folder.read(&name)?;
        let is_own = owner(dungeon, &level.name).is_some_and(|known| {
            let outer =
                dungeon.dungeons.iter().find(|dungeon| dungeon.levels().any(|level| std::ptr::eq(level, known)));
            outer.is_some_and(|outer| Some(outer.name.node.as_str()) == target)
        }) || is_filler_of(dungeon, target, &level.name);
        if existing.as_ref().is_some_and(|existing| *existing != level.bytes) && !is_own {
            let message = format!("the game already has a level named \"{}\"", level.name);
            let help = format!("use --as {0} to replace it, or rename the new level", level.name);
            return Err(Error::Request(message, Some(help)));
        }
        if existing.as_ref() != Some(&level.bytes) {
            let verb = if existing.is_some() { "replaced" } else { "added" };
            plan.notes.push(format!("{name} is {verb} ({} bytes)", level.bytes.len()));
        }
        plan.changes.push(Change { name, bytes: Some(level.bytes.clone()) });
    }
    Ok(plan)
}

fn replace_level(folder: &Folder, dungeon: &Description, level: &NewLevel, name: &str) -> Result<Plan, Error> {
    let file = file_name(name);
    let Some(existing) = folder.read(&file)? else {
        let variants = dungeon.dungeons.iter().flat_map(Dungeon::levels).find(|level| level.name.node == *name);
        let help = match variants {
            Some(level) if level.variants > 0 => {
                format!(
                    "it has variants: use --as {name}-1 to {name}-{}, or --random-versions to add one",
                    level.variants
                )
            }
            _ => {
                let known = folder.levels()?;
                splc_ir::diagnostic::did_you_mean(name, known.iter().map(String::as_str))
                    .unwrap_or_else(|| "use --dungeon and --at to add a level".to_owned())
            }
        };
        return Err(Error::Request(format!("the game has no level file {file}"), Some(help)));
    };
    let mut plan = Plan::default();
    if existing != level.bytes {
        plan.notes.push(format!("{file} is replaced ({} bytes instead of {})", level.bytes.len(), existing.len()));
    }
    plan.changes.push(Change { name: file, bytes: Some(level.bytes.clone()) });
    Ok(plan)
}

/// Returns the removal of the file that became the first variant of `name`, if an installation was killed after it
/// changed the dungeon and before it removed the file.
fn unnumbered(folder: &Folder, name: &str) -> Result<Option<Change>, Error> {
    let old = file_name(name);
    let Some(bytes) = folder.read(&old)? else { return Ok(None) };
    let is_first = folder.read(&file_name(&format!("{name}-1")))? == Some(bytes);
    Ok(is_first.then_some(Change { name: old, bytes: None }))
}

fn add_variant(folder: &Folder, dungeon: &Description, level: &NewLevel, name: &str) -> Result<Plan, Error> {
    let mut changed = dungeon.clone();
    let found = changed.dungeons.iter_mut().flat_map(|dungeon| &mut dungeon.items).find_map(|item| match item {
        Item::Level(known) if known.name.node == *name => Some(known),
        _ => None,
    });
    let Some(known) = found else {
        let names = dungeon.dungeons.iter().flat_map(Dungeon::levels).map(|level| level.name.node.as_str());
        let help = splc_ir::diagnostic::did_you_mean(name, names);
        return Err(Error::Request(format!("no dungeon of the game has a level named \"{name}\""), help));
    };
    let mut plan = Plan::default();
    let count = known.variants.max(0);
    // Already installed: it keeps its number.
    for number in 1..=count {
        if folder.read(&file_name(&format!("{name}-{number}")))?.as_ref() == Some(&level.bytes) {
            if let Some(old) = unnumbered(folder, name)? {
                plan.notes.push(format!("{} is removed: it is one of the {count} variants of \"{name}\"", old.name));
                plan.leftovers.push(old);
            }
            return Ok(plan);
        }
    }
    let count = if count == 0 {
        let old = file_name(name);
        let first = file_name(&format!("{name}-1"));
        let bytes = folder.read(&old)?.ok_or_else(|| request(format!("the game has no level file {old}")))?;
        plan.notes.push(format!("{old} becomes {first}, one of 2 variants of \"{name}\""));
        plan.changes.push(Change { name: first, bytes: Some(bytes) });
        plan.leftovers.push(Change { name: old, bytes: None });
        2
    } else {
        count + 1
    };
    let file = file_name(&format!("{name}-{count}"));
    plan.notes
        .push(format!("{file} is added ({} bytes); the game chooses one of {count} at random", level.bytes.len()));
    plan.changes.push(Change { name: file, bytes: Some(level.bytes.clone()) });
    known.variants = count;
    plan.dungeon = Some(changed);
    Ok(plan)
}
