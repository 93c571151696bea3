//! Files on a disk: names confined to their folder, reading that never waits, and atomic replacement.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempPath};

/// Prefix and suffix of the temporary names of files that are being written.
pub const TEMPORARY: (&str, &str) = (".splc-", ".tmp");

/// Checks that `name`, which may be untrusted, stays in its folder on any system.
///
/// # Errors
/// A description of the problem, to be appended to "the name".
pub fn check_name(name: &str) -> Result<(), &'static str> {
    if name.is_empty() {
        return Err("is empty");
    }
    if name.contains(['/', '\\']) {
        return Err("contains a path separator");
    }
    if name == "." || name.contains("..") {
        return Err("leads out of the folder");
    }
    if name.chars().any(char::is_control) {
        return Err("contains a control character");
    }
    if cfg!(windows) {
        // Windows treats these as devices, whatever the extension, or as streams of another file.
        let base = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
        let numbered = ["com", "lpt"]
            .iter()
            .any(|device| base.strip_prefix(device).is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9'])));
        if numbered || ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(&base.as_str()) {
            return Err("is a device name");
        }
        if name.contains(['<', '>', ':', '"', '|', '?', '*']) {
            return Err("contains a character that file names cannot have");
        }
    }
    Ok(())
}

/// Opens the regular file at `path` for reading, and returns its length too. A pipe or a device, which may never end,
/// is refused without waiting for it.
///
/// # Errors
/// Those of the disk, and for anything but a regular file.
pub fn open(path: &Path) -> io::Result<(File, u64)> {
    // Opening a device can have effects.
    regular(&fs::metadata(path)?)?;
    let mut options = File::options();
    options.read(true);
    // Another file may have taken its place since.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY);
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    regular(&metadata)?;
    Ok((file, metadata.len()))
}

fn regular(metadata: &Metadata) -> io::Result<()> {
    match metadata {
        metadata if metadata.is_file() => Ok(()),
        metadata if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

/// Reads the regular file at `path`, of at most `most` bytes.
///
/// # Errors
/// Those of [`open`], and [`FileTooLarge`](io::ErrorKind::FileTooLarge).
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (file, length) = open(path)?;
    let mut bytes = Vec::with_capacity(length.min(most) as usize + 1);
    // One extra byte shows that the file is larger.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {most} bytes")));
    }
    Ok(bytes)
}

/// Returns true for the name of a file that a run of splc left unfinished.
pub fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1)
}

/// Writes a file with a temporary name in `folder`, which begins with `prefix`, and flushes it to the disk. Its
/// permissions are those of `like`, if that file exists. It is deleted when the result is dropped.
///
/// # Errors
/// Those of `write`, and of the disk.
pub fn stage<E: From<io::Error>>(
    folder: &Path,
    prefix: &str,
    like: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<(), E>,
) -> Result<TempPath, E> {
    let mut builder = Builder::new();
    builder.prefix(prefix).suffix(TEMPORARY.1);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    let mut out = BufWriter::with_capacity(1 << 16, file.as_file_mut());
    write(&mut out)?;
    out.flush()?;
    drop(out);
    if let Ok(existing) = fs::metadata(like)
        && existing.is_file()
    {
        file.as_file().set_permissions(existing.permissions())?;
    }
    file.as_file().sync_all()?;
    Ok(file.into_temp_path())
}

/// Replaces the file at `path` atomically: `write` fills another file in the same folder, which is then renamed. After
/// an error or a crash at any moment, the file at `path` is either the old or the new one, complete. A symbolic link at
/// `path` is replaced by the file, and its target is left alone.
///
/// # Errors
/// Those of `write`, and of the disk.
pub fn replace<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<(), E>,
) -> Result<(), E> {
    let folder = folder_of(path);
    let file = stage(folder, TEMPORARY.0, path, write)?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder);
    Ok(())
}

/// Returns the folder that contains `path`.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Flushes changes in `folder` to the disk, if the system supports that for folders.
pub fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// Returns `path`, or the target if it is a symbolic link.
pub fn followed(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_leave_the_folder_are_refused() {
        for name in ["", ".", "..", "../a", "/a", "a/b", "a\\b", "a\0", "a\nb", "x..y"] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
        for name in ["castle.lev", "quest.dat", ".hidden", "a b", "\u{e9}"] {
            assert_eq!(check_name(name), Ok(()), "{name:?}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        let failed = replace(&path, |out| {
            out.write_all(b"new")?;
            Err::<(), _>(io::Error::other("stop"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        replace(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn only_regular_files_up_to_a_limit_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(read(&path, 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read(folder.path(), 5).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        if cfg!(unix) {
            assert_eq!(read(Path::new("/dev/null"), 5).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_replaced_and_what_it_leads_to_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        replace(&link, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"old");
        assert_eq!(fs::read(&link).unwrap(), b"new");
        assert!(!fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}
