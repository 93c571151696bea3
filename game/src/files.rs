//! Files on a disk: names confined to their folder, and atomic replacement.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::Builder;

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
    let mut builder = Builder::new();
    builder.prefix(".splc-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    let mut out = BufWriter::with_capacity(1 << 16, file.as_file_mut());
    write(&mut out)?;
    out.flush()?;
    drop(out);
    if let Ok(existing) = fs::metadata(path)
        && existing.is_file()
    {
        file.as_file().set_permissions(existing.permissions())?;
    }
    file.as_file().sync_all()?;
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
