//! The search for a project file.

use std::path::{Component, Path, PathBuf, absolute};

/// The name of a project file.
pub const FILE_NAME: &str = "splc.toml";

/// Most bytes of a project file.
pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// Returns the project file of the folder `start`: in it, or in the nearest folder above it. The search is one look at
/// the file system for each folder.
///
/// The path is relative if the current folder, or one above it, has the file.
pub fn find(start: &Path) -> Option<PathBuf> {
    let whole = absolute(if start.as_os_str().is_empty() { Path::new(".") } else { start }).ok()?;
    let folder = whole.ancestors().find(|folder| folder.join(FILE_NAME).is_file())?;
    let shown = absolute(".").ok().and_then(|current| shorter(folder, &current));
    Some(shown.unwrap_or_else(|| folder.to_owned()).join(FILE_NAME))
}

/// Returns `folder` relative to `current`, if one contains the other.
fn shorter(folder: &Path, current: &Path) -> Option<PathBuf> {
    if let Ok(below) = folder.strip_prefix(current) {
        return Some(below.to_owned());
    }
    let up = current.strip_prefix(folder).ok()?;
    Some(up.components().map(|_| Component::ParentDir).collect())
}

/// Returns `path` relative to `folder`, which contains it, without looking at the file system. Globs of a project are
/// about such paths.
pub fn relative(path: &Path, folder: &Path) -> Option<PathBuf> {
    if folder.as_os_str().is_empty() && path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Some(path.to_owned());
    }
    let whole = |path: &Path| absolute(if path.as_os_str().is_empty() { Path::new(".") } else { path }).map(plain);
    whole(path).ok()?.strip_prefix(whole(folder).ok()?).ok().map(Path::to_owned)
}

/// Resolves `..` by name.
fn plain(path: PathBuf) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_short() {
        assert_eq!(shorter(Path::new("/a"), Path::new("/a/b/c")), Some("../..".into()));
        assert_eq!(shorter(Path::new("/a/b"), Path::new("/a")), Some("b".into()));
        assert_eq!(shorter(Path::new("/a"), Path::new("/a")), Some("".into()));
        assert_eq!(shorter(Path::new("/a"), Path::new("/b")), None);
        assert_eq!(relative(Path::new("x/a.des"), Path::new("")), Some("x/a.des".into()));
        assert_eq!(relative(Path::new("x/../y/a.des"), Path::new("y")), Some("a.des".into()));
        assert_eq!(relative(Path::new("/x/a.des"), Path::new("/y")), None);
    }
}
