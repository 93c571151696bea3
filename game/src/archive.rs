//! `nhdat`, the archive of an installed game's data files.
//!
//! The archive begins with a directory in text (NetHack 3.4.3 to 3.6.7 and their variants, `src/dlb.c`). Its first line
//! has five numbers: the revision, the number of entries, the space that the names take, the offset of the first file
//! and the total size. A line for each entry follows, with a letter for the storage method, the name, and the offset.
//! The first entry is the directory itself. A file ends where the next one begins. The contents follow in that order.
//!
//! [`Archive`] reads archives. [`write()`] produces the same bytes as the game's own librarian (`util/dlb_main.c`) for
//! the same files in the same order. [`create`], [`add`], [`replace`] and [`remove`] change a file on a disk, which at
//! any moment is the old archive or the new one. Contents are streamed, so an archive is never in memory as a whole.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::files;
use crate::limits::{MAX_ARCHIVE_BYTES, MAX_ARCHIVE_FILES, MAX_DIRECTORY_BYTES};

/// File name of an installed game's archive.
pub const FILE_NAME: &str = "nhdat";

/// File names of the archives of a game that has two, one of which has its dungeon and levels (SLASH'EM,
/// `include/dlb.h`).
pub const TWO_FILE_NAMES: [&str; 2] = ["nhushare", "nhshare"];

/// Name of the directory's own entry.
pub const DIRECTORY: &str = "Directory";

/// The revision of the format that the games read and write.
const REVISION: i64 = 1;

/// The storage method: uncompressed. No game knows another.
const PLAIN: u8 = b'n';

/// Length of the first line of a directory, and of the other lines without the name.
const HEADER_BYTES: u64 = 40;
const LINE_BYTES: u64 = 11;

/// An error in an archive or in writing one.
#[derive(Debug)]
pub enum Error {
    /// The file does not begin with the directory of an archive.
    NotAnArchive {
        /// Offset of the invalid byte.
        at: u64,
        /// A description of the problem.
        problem: String,
    },
    /// An entry does not lie within the archive.
    Damaged {
        /// Its name.
        entry: String,
        /// Its offset according to the directory.
        at: i64,
        /// A description of the problem.
        problem: String,
    },
    /// There is no such entry.
    Missing(String),
    /// The entry already exists.
    Present(String),
    /// A name that is invalid for an entry or for an extracted file, with the reason.
    Name(String, &'static str),
    /// The content exceeds the limits of an archive.
    TooLarge(String),
    /// A file cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// The failed operation.
        doing: Doing,
        /// The system's error.
        error: io::Error,
    },
    /// A file changed while it was read.
    Changed(PathBuf),
    /// The archive itself cannot be read or written.
    Io(io::Error),
}

/// The purpose of opening a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Reading.
    Reading,
    /// Writing.
    Writing,
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotAnArchive { at, problem } => write!(out, "byte {at}: {problem}"),
            Error::Damaged { entry, at, problem } => write!(out, "\"{entry}\", at byte {at}: {problem}"),
            Error::Missing(name) => write!(out, "the archive has no \"{name}\""),
            Error::Present(name) => write!(out, "the archive already has a \"{name}\""),
            Error::Name(name, problem) => write!(out, "the name \"{name}\" {problem}"),
            Error::TooLarge(problem) => out.write_str(problem),
            Error::File { path, doing, error } => {
                let doing = if *doing == Doing::Reading { "read" } else { "write" };
                write!(out, "cannot {doing} {}: {error}", path.display())
            }
            Error::Changed(path) => write!(out, "{} changed while it was being read", path.display()),
            Error::Io(error) => write!(out, "{error}"),
        }
    }
}

impl std::error::Error for Error {}

/// A file in an archive, as listed in the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name in bytes. In a damaged archive it can contain anything but blanks.
    pub name: Vec<u8>,
    /// Offset of its content.
    pub offset: i64,
    /// The largest offset of the entries before it. Only a damaged archive has entries in another order.
    after: i64,
    /// Length of its content, up to the next entry's offset. In a damaged archive it can be any number.
    pub size: i64,
}

impl Entry {
    /// Returns its name for display.
    pub fn name(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.name)
    }
}

/// An archive open for reading.
#[derive(Debug)]
pub struct Archive<R> {
    source: R,
    /// Size of the archive.
    length: u64,
    /// Revision of its format.
    pub revision: i64,
    /// The space for its names according to the directory, which the games reserve in memory.
    pub names_size: i64,
    entries: Vec<Entry>,
}

/// Opens the archive at `path`.
///
/// # Errors
/// [`Error::File`], or those of [`Archive::read`].
pub fn open(path: &Path) -> Result<Archive<File>, Error> {
    let failed = |error| Error::File { path: path.to_owned(), doing: Doing::Reading, error };
    let (file, _) = files::open(path).map_err(failed)?;
    Archive::read(file)
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the directory of an archive. Its entries are not yet checked against the archive.
    /// [`content`](Archive::content) does that, so that intact entries of a damaged archive can be used.
    ///
    /// # Errors
    /// [`Error::NotAnArchive`] for a directory that the games reject as well, and [`Error::TooLarge`].
    pub fn read(mut source: R) -> Result<Self, Error> {
        let length = source.seek(SeekFrom::End(0))?;
        source.rewind()?;
        let mut directory = Directory { bytes: Vec::new(), at: 0, source: source.by_ref().take(MAX_DIRECTORY_BYTES) };
        let revision = directory.number("the revision of the archive")?;
        if revision != REVISION {
            return Err(directory
                .wrong(0, format!("the archive has revision {revision}, but the games read revision {REVISION}")));
        }
        let count = directory.number("the number of files")?;
        let names_size = directory.number("the space for names")?;
        directory.number("the place of the first file")?;
        let total = directory.number("the size of the archive")?;
        let sound = usize::try_from(count).is_ok_and(|count| count <= MAX_ARCHIVE_FILES) && names_size >= 0;
        if !sound {
            let problem = format!("the directory claims {count} entries with {names_size} bytes of names");
            return Err(directory.wrong(0, problem));
        }
        directory.blanks()?;
        let mut entries: Vec<Entry> = Vec::new();
        for number in 1..=count {
            let mut entry = directory.entry(number)?;
            if let Some(last) = entries.last_mut() {
                last.size = entry.offset.saturating_sub(last.offset);
                entry.after = last.offset.max(last.after);
            }
            entries.push(entry);
        }
        if let Some(last) = entries.last_mut() {
            last.size = total.saturating_sub(last.offset);
        }
        Ok(Archive { source, length, revision, names_size, entries })
    }

    /// Returns its entries in order. The first is the [`DIRECTORY`].
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the files in it: the entries without the [`DIRECTORY`].
    pub fn files(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.name != DIRECTORY.as_bytes())
    }

    /// Returns the first entry called `name`, which is the entry that the games use.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name.as_bytes())
    }

    /// Returns the content of `entry`.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the entry does not lie within the archive.
    pub fn content(&mut self, entry: &Entry) -> Result<impl Read + use<'_, R>, Error> {
        let (start, size) = self.range(entry)?;
        self.source.seek(SeekFrom::Start(start))?;
        Ok(self.source.by_ref().take(size))
    }

    /// Returns the offset and the length of the content of `entry`.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the entry does not lie within the archive.
    pub fn range(&self, entry: &Entry) -> Result<(u64, u64), Error> {
        let damaged = |problem: String| Error::Damaged { entry: entry.name().into_owned(), at: entry.offset, problem };
        let (Ok(start), Ok(size)) = (u64::try_from(entry.offset), u64::try_from(entry.size)) else {
            return Err(damaged(format!("its length in the directory is {} bytes", entry.size)));
        };
        // Otherwise the entries of a small archive could amount to any size.
        if entry.offset < entry.after {
            return Err(damaged("it overlaps an earlier entry".to_owned()));
        }
        match start.checked_add(size) {
            Some(end) if end <= self.length => Ok((start, size)),
            _ => Err(damaged(format!("its length is {size} bytes, but the archive ends at byte {}", self.length))),
        }
    }

    /// Reads the file called `name` into memory.
    ///
    /// # Errors
    /// [`Error::Missing`], [`Error::Damaged`], or [`Error::TooLarge`].
    pub fn bytes(&mut self, name: &str) -> Result<Vec<u8>, Error> {
        let entry = self.find(name).cloned().ok_or_else(|| Error::Missing(name.to_owned()))?;
        if entry.size > MAX_ARCHIVE_BYTES as i64 {
            return Err(Error::TooLarge(format!("\"{name}\" is larger than {MAX_ARCHIVE_BYTES} bytes")));
        }
        let mut bytes = Vec::new();
        self.content(&entry)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes the content of `entry` into `folder`, under its name. An existing file is replaced atomically. A symbolic
    /// link is replaced, not followed.
    ///
    /// # Errors
    /// [`Error::Name`] for a name that leads out of the folder, [`Error::Damaged`], [`Error::File`].
    pub fn extract(&mut self, entry: &Entry, folder: &Path) -> Result<PathBuf, Error> {
        let refused = |problem| Error::Name(entry.name().into_owned(), problem);
        let name = std::str::from_utf8(&entry.name).map_err(|_| refused("is not valid UTF-8"))?;
        files::check_name(name).map_err(refused)?;
        let place = folder.join(name);
        let mut content = self.content(entry)?;
        files::replace(&place, |out| io::copy(&mut content, out).map(|_| ())).map_err(|error| Error::File {
            path: place.clone(),
            doing: Doing::Writing,
            error,
        })?;
        Ok(place)
    }
}

/// The directory of an archive, scanned like the games do: numbers and names between blanks, regardless of lines.
struct Directory<R> {
    bytes: Vec<u8>,
    at: usize,
    source: R,
}

impl<R: Read> Directory<R> {
    fn wrong(&self, at: usize, problem: String) -> Error {
        Error::NotAnArchive { at: at as u64, problem }
    }

    /// Returns the next byte without consuming it.
    fn peek(&mut self) -> Result<Option<u8>, Error> {
        if self.at == self.bytes.len() {
            let mut more = [0; 4096];
            let count = loop {
                match self.source.read(&mut more) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => break read?,
                }
            };
            self.bytes.extend_from_slice(&more[..count]);
        }
        Ok(self.bytes.get(self.at).copied())
    }

    fn blanks(&mut self) -> Result<(), Error> {
        while self.peek()?.is_some_and(is_blank) {
            self.at += 1;
        }
        Ok(())
    }

    fn word(&mut self) -> Result<&[u8], Error> {
        self.blanks()?;
        let start = self.at;
        while self.peek()?.is_some_and(|byte| !is_blank(byte)) {
            self.at += 1;
        }
        Ok(&self.bytes[start..self.at])
    }

    fn number(&mut self, what: &str) -> Result<i64, Error> {
        self.blanks()?;
        let start = self.at;
        if matches!(self.peek()?, Some(b'+' | b'-')) {
            self.at += 1;
        }
        while self.peek()?.is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        let text = std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default();
        // A number that does not fit a `long` is clamped.
        let number = text.parse::<i128>().ok().map(|number| number.clamp(i64::MIN.into(), i64::MAX.into()) as i64);
        let digits = text.len() - usize::from(text.starts_with(['+', '-']));
        match number {
            Some(number) => Ok(number),
            None if digits > 0 => Ok(if text.starts_with('-') { i64::MIN } else { i64::MAX }),
            None => Err(self.wrong(start, format!("expected {what}, a number"))),
        }
    }

    fn entry(&mut self, number: i64) -> Result<Entry, Error> {
        let start = self.at;
        if self.peek()?.is_none() {
            return Err(self.wrong(start, format!("the directory ends before entry {number}")));
        }
        // The storage method, which no game reads.
        self.at += 1;
        let name = self.word()?.to_vec();
        if name.is_empty() {
            return Err(self.wrong(start, format!("entry {number} has no name")));
        }
        let offset = self.number(&format!("the place of \"{}\"", String::from_utf8_lossy(&name)))?;
        self.blanks()?;
        Ok(Entry { name, offset, after: 0, size: 0 })
    }
}

/// Returns true if C's `isspace` does.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// A file to store in an archive.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name in the archive.
    pub name: Vec<u8>,
    /// The source of its content.
    pub content: Content,
}

/// The source of a [`Part`]'s content.
#[derive(Clone, Debug)]
pub enum Content {
    /// A file on the disk.
    File(PathBuf),
    /// Bytes in memory.
    Bytes(Vec<u8>),
    /// An entry of the archive that is being changed.
    Kept(Entry),
}

impl Part {
    /// Creates a part from the file at `path`.
    pub fn file(name: impl Into<Vec<u8>>, path: impl Into<PathBuf>) -> Self {
        Part { name: name.into(), content: Content::File(path.into()) }
    }

    /// Creates a part from `bytes`.
    pub fn bytes(name: impl Into<Vec<u8>>, bytes: impl Into<Vec<u8>>) -> Self {
        Part { name: name.into(), content: Content::Bytes(bytes.into()) }
    }

    fn kept(entry: &Entry) -> Self {
        Part { name: entry.name.clone(), content: Content::Kept(entry.clone()) }
    }

    /// # Errors
    /// [`Error::Name`] for a name that a directory cannot contain: blanks end it.
    fn check_name(&self) -> Result<(), Error> {
        let refused = |problem| Err(Error::Name(String::from_utf8_lossy(&self.name).into_owned(), problem));
        match &self.name {
            name if name.is_empty() => refused("is empty"),
            name if name.iter().any(|&byte| is_blank(byte) || byte == 0) => refused("contains a blank"),
            name if name == DIRECTORY.as_bytes() => refused("is reserved for the archive's directory"),
            _ => Ok(()),
        }
    }
}

/// Writes an archive of `parts`, as the game's own librarian does. `old` is the archive whose entries are kept.
///
/// # Errors
/// [`Error::Name`], [`Error::TooLarge`], [`Error::File`], [`Error::Changed`], and [`Error::Damaged`] for a kept entry.
///
/// # Panics
/// If a part is kept and there is no old archive.
pub fn write<R: Read + Seek>(
    out: &mut impl Write,
    parts: &[Part],
    mut old: Option<&mut Archive<R>>,
) -> Result<(), Error> {
    if parts.len() >= MAX_ARCHIVE_FILES {
        return Err(Error::TooLarge(format!("an archive contains fewer than {MAX_ARCHIVE_FILES} files")));
    }
    let mut sizes = Vec::with_capacity(parts.len());
    let mut names = DIRECTORY.len() as u64;
    for part in parts {
        part.check_name()?;
        names += part.name.len() as u64;
        sizes.push(match &part.content {
            Content::File(path) => {
                let failed = |error| Error::File { path: path.clone(), doing: Doing::Reading, error };
                files::open(path).map_err(failed)?.1
            }
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::Kept(entry) => old.as_ref().expect("entries are kept of an archive").range(entry)?.1,
        });
    }
    let entries = parts.len() as u64 + 1;
    let first = HEADER_BYTES + entries * LINE_BYTES + names;
    let total = sizes.iter().try_fold(first, |sum: u64, &size| sum.checked_add(size));
    let total = total.filter(|&total| total <= MAX_ARCHIVE_BYTES).ok_or_else(|| {
        Error::TooLarge(format!("an archive has at most {MAX_ARCHIVE_BYTES} bytes, including its directory"))
    })?;
    writeln!(out, "{REVISION:3} {entries:8} {:8} {first:8} {total:8}", names + entries)?;
    let mut line = |name: &[u8], place: u64| -> io::Result<()> {
        out.write_all(&[PLAIN])?;
        out.write_all(name)?;
        writeln!(out, " {place:8}")
    };
    line(DIRECTORY.as_bytes(), 0)?;
    let mut place = first;
    for (part, size) in parts.iter().zip(&sizes) {
        line(&part.name, place)?;
        place += size;
    }
    for (part, &size) in parts.iter().zip(&sizes) {
        match &part.content {
            Content::Bytes(bytes) => out.write_all(bytes)?,
            Content::Kept(entry) => {
                let old = old.as_mut().expect("entries are kept of an archive");
                io::copy(&mut old.content(entry)?, out)?;
            }
            Content::File(path) => {
                let failed = |error| Error::File { path: path.clone(), doing: Doing::Reading, error };
                let mut file = BufReader::with_capacity(1 << 16, files::open(path).map_err(failed)?.0);
                // Reading one byte more than expected shows that the file grew.
                if io::copy(&mut file.by_ref().take(size + 1), out)? != size {
                    return Err(Error::Changed(path.clone()));
                }
            }
        }
    }
    Ok(())
}

/// Creates an archive of `parts` at `path`. An existing file is replaced once the new archive is complete.
///
/// # Errors
/// As [`write()`]; `path` is then unchanged.
pub fn create(path: &Path, parts: &[Part]) -> Result<(), Error> {
    put(path, parts, None)
}

/// Writes the archive of `parts`, some of which may be kept from `old`, to `path`.
///
/// # Errors
/// As [`write()`]; `path` is then unchanged.
pub fn put(path: &Path, parts: &[Part], old: Option<&mut Archive<File>>) -> Result<(), Error> {
    files::replace(path, |out| write(out, parts, old))
}

/// Returns the current parts of `archive`, for editing.
pub fn parts<R: Read + Seek>(archive: &Archive<R>) -> Vec<Part> {
    archive.files().map(Part::kept).collect()
}

/// Adds `new` files at the end of the archive at `path`.
///
/// # Errors
/// [`Error::Present`] if a file already exists, and as [`write()`]; the archive is then unchanged.
pub fn add(path: &Path, new: Vec<Part>) -> Result<(), Error> {
    let mut old = open(path)?;
    let mut all = parts(&old);
    let mut names: HashSet<Vec<u8>> = all.iter().map(|part| part.name.clone()).collect();
    for part in new {
        if !names.insert(part.name.clone()) {
            return Err(Error::Present(String::from_utf8_lossy(&part.name).into_owned()));
        }
        all.push(part);
    }
    put(path, &all, Some(&mut old))
}

/// Replaces files of the archive at `path` with `new` files of the same names. Their order stays the same.
///
/// # Errors
/// [`Error::Missing`] if a file does not exist, and as [`write()`]; the archive is then unchanged.
pub fn replace(path: &Path, new: Vec<Part>) -> Result<(), Error> {
    let mut old = open(path)?;
    let mut all = parts(&old);
    for part in new {
        match all.iter_mut().find(|known| known.name == part.name) {
            Some(place) => *place = part,
            None => return Err(Error::Missing(String::from_utf8_lossy(&part.name).into_owned())),
        }
    }
    put(path, &all, Some(&mut old))
}

/// Removes the files called `names` from the archive at `path`.
///
/// # Errors
/// [`Error::Missing`] if a file does not exist, and as [`write()`]; the archive is then unchanged.
pub fn remove(path: &Path, names: &[String]) -> Result<(), Error> {
    let mut old = open(path)?;
    let mut all = parts(&old);
    for name in names {
        let at = all.iter().position(|part| part.name == name.as_bytes());
        all.remove(at.ok_or_else(|| Error::Missing(name.clone()))?);
    }
    put(path, &all, Some(&mut old))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn archive(parts: &[Part]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, parts, None::<&mut Archive<Cursor<&[u8]>>>).unwrap();
        bytes
    }

    fn small() -> Vec<u8> {
        archive(&[Part::bytes("a.lev", "first"), Part::bytes("empty", ""), Part::bytes("b", vec![0, 255, b'\n'])])
    }

    #[test]
    fn what_is_written_is_read_again() {
        let bytes = small();
        let mut read = Archive::read(Cursor::new(&bytes)).unwrap();
        let names: Vec<_> = read.entries().iter().map(|entry| entry.name().into_owned()).collect();
        assert_eq!(names, [DIRECTORY, "a.lev", "empty", "b"]);
        assert_eq!(read.entries()[0].size as u64, HEADER_BYTES + 4 * LINE_BYTES + 9 + 5 + 5 + 1);
        assert_eq!(read.bytes("a.lev").unwrap(), b"first");
        assert_eq!(read.bytes("empty").unwrap(), b"");
        assert_eq!(read.bytes("b").unwrap(), [0, 255, b'\n']);
        assert!(matches!(read.bytes("c"), Err(Error::Missing(name)) if name == "c"));
        let mut again = Vec::new();
        let all = parts(&read);
        write(&mut again, &all, Some(&mut read)).unwrap();
        assert_eq!(again, bytes);
    }

    #[test]
    fn an_entry_behind_the_end_is_named_and_the_others_are_read() {
        let mut bytes = small();
        bytes.truncate(bytes.len() - 1);
        let mut read = Archive::read(Cursor::new(&bytes)).unwrap();
        assert_eq!(read.bytes("a.lev").unwrap(), b"first");
        let error = read.bytes("b").unwrap_err();
        assert!(matches!(&error, Error::Damaged { entry, .. } if entry == "b"), "{error}");
    }

    #[test]
    fn what_is_not_an_archive_is_refused_where_it_ceases_to_be_one() {
        for (bytes, place) in [
            (&b""[..], 0),
            (b"  2 1 1 1 1\n", 0),
            (b"  1 x", 4),
            (b"1 -1 1 1 1\n", 0),
            (b"1 99999999999999999999999 1 1 1\n", 0),
            (b"1 2 9 9 9\nna 7\n", 15),
            (b"1 1 9 9 9\nna x\n", 13),
            (b"1 1 9 9 9\nn", 10),
        ] {
            match Archive::read(Cursor::new(bytes)) {
                Err(Error::NotAnArchive { at, .. }) => assert_eq!(at, place, "{bytes:?}"),
                other => panic!("{bytes:?}: {other:?}"),
            }
        }
    }

    #[test]
    fn names_that_a_directory_cannot_hold_are_refused() {
        for name in ["", "a b", "a\n", "a\u{b}b", "Directory"] {
            let written = write(&mut Vec::new(), &[Part::bytes(name, "")], None::<&mut Archive<Cursor<&[u8]>>>);
            assert!(matches!(written, Err(Error::Name(..))), "{name:?}");
        }
    }

    #[test]
    fn nothing_is_extracted_outside_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        for name in ["../out", "/tmp/out", "a/b", ".."] {
            let bytes = archive(&[Part::bytes(name, "x")]);
            let mut read = Archive::read(Cursor::new(&bytes)).unwrap();
            let entry = read.find(name).cloned().unwrap();
            assert!(matches!(read.extract(&entry, &inner), Err(Error::Name(..))), "{name:?}");
        }
        assert_eq!(std::fs::read_dir(&inner).unwrap().count(), 0);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_change_that_fails_leaves_the_archive_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        create(&path, &[Part::bytes("a", "1"), Part::bytes("b", "2")]).unwrap();
        let before = std::fs::read(&path).unwrap();
        assert!(matches!(add(&path, vec![Part::bytes("c", "3"), Part::bytes("a", "")]), Err(Error::Present(_))));
        assert!(matches!(replace(&path, vec![Part::bytes("c", "3")]), Err(Error::Missing(_))));
        assert!(matches!(remove(&path, &["a".into(), "c".into()]), Err(Error::Missing(_))));
        assert!(matches!(add(&path, vec![Part::file("c", folder.path().join("c"))]), Err(Error::File { .. })));
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);

        replace(&path, vec![Part::bytes("a", "longer")]).unwrap();
        add(&path, vec![Part::bytes("c", "3")]).unwrap();
        remove(&path, &["b".into()]).unwrap();
        let mut read = open(&path).unwrap();
        let names: Vec<_> = read.files().map(|entry| entry.name().into_owned()).collect();
        assert_eq!(names, ["a", "c"]);
        assert_eq!((read.bytes("a").unwrap(), read.bytes("c").unwrap()), (b"longer".to_vec(), b"3".to_vec()));
    }
}
