//! The head of a level file in `nhdat`, the archive of an installed game. It identifies the game.

use std::io::Read;
use std::path::Path;

use splc_driver::HEADER_BYTES;
use splc_game::archive;
pub use splc_game::archive::FILE_NAME;

/// Returns the head of the first level file in the archive at `path`, at most [`HEADER_BYTES`] long. Returns `None` if
/// there is no readable one.
pub fn level_head(path: &Path) -> Option<Vec<u8>> {
    let mut archive = archive::open(path).ok()?;
    let level = archive.files().find(|entry| entry.name.ends_with(b".lev"))?.clone();
    let mut head = Vec::with_capacity(HEADER_BYTES);
    archive.content(&level).ok()?.take(HEADER_BYTES as u64).read_to_end(&mut head).ok()?;
    Some(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head_in(archive: &[u8]) -> Option<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        std::fs::write(&path, archive).unwrap();
        level_head(&path)
    }

    #[test]
    fn the_first_level_is_found() {
        let archive =
            b"  1        3       20       80      204\nnDirectory        0\nndata       80\nnx-1.lev       200\n";
        let mut archive = archive.to_vec();
        archive.resize(200, b'.');
        archive.extend(b"HEAD");
        assert_eq!(head_in(&archive).as_deref(), Some(&b"HEAD"[..]));
    }

    #[test]
    fn other_files_are_not_archives() {
        for archive in [
            &b""[..],
            b"\n",
            b"1 2 3\n",
            b"1 99999999999 1 1 1\n",
            b"1 2 1 1 1\nnx.lev\n",
            b"1 2 1 1 1\nnx.lev x\n",
            b"1 2 1 1 1\n\xff\xfe 7\n",
            b"1 1 1 1 1\nndata 7\n",
        ] {
            assert_eq!(head_in(archive), None, "{archive:?}");
        }
        assert_eq!(level_head(Path::new("/nowhere/nhdat")), None);
        assert_eq!(level_head(Path::new(".")), None);
    }
}
