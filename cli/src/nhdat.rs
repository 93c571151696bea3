//! The head of a level file in `nhdat`, the archive of an installed game, which tells what game it is.
//!
//! The archive begins with a directory in text: a line of five numbers (revision, files, length of the names,
//! where the files begin, size of all), then a line for each file: a character for how it is stored, its name
//! and where it begins (NetHack 3.4.3 to 3.6.7 and variants, `dlb.c`).

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use splc_driver::HEADER_BYTES;

/// Name of the archive.
pub const FILE_NAME: &str = "nhdat";

/// How much of the archive is looked at for its directory, in bytes: that of a game with some hundred levels
/// takes 10 KB.
const MAX_DIRECTORY_BYTES: u64 = 1 << 20;
/// How much of it is read at a time, in bytes.
const FIRST_READ_BYTES: usize = 1 << 10;

/// The head of the first level file in the archive at `path`: at most [`HEADER_BYTES`]. `None` if there is no
/// such file, or none that can be read.
pub fn level_head(path: &Path) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    // A pipe may never end.
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    // What is looked for is near the beginning.
    let mut directory = BufReader::with_capacity(FIRST_READ_BYTES, file.take(MAX_DIRECTORY_BYTES));
    let mut line = Vec::new();
    directory.read_until(b'\n', &mut line).ok()?;
    let [_, files, ..] = numbers(&line)?;
    for _ in 0..files {
        line.clear();
        directory.read_until(b'\n', &mut line).ok()?;
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let (name, at) = (words.next()?, words.next()?);
        if name.ends_with(b".lev") {
            let at: u64 = std::str::from_utf8(at).ok()?.parse().ok()?;
            let mut file = directory.into_inner().into_inner();
            file.seek(SeekFrom::Start(at)).ok()?;
            let mut head = Vec::with_capacity(HEADER_BYTES);
            file.take(HEADER_BYTES as u64).read_to_end(&mut head).ok()?;
            return Some(head);
        }
    }
    None
}

/// The five numbers of the first line.
fn numbers(line: &[u8]) -> Option<[u64; 5]> {
    let text = std::str::from_utf8(line).ok()?;
    let numbers: Vec<u64> = text.split_whitespace().map_while(|word| word.parse().ok()).collect();
    numbers.try_into().ok()
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
            b"  1        3       20       80      100\nnDirectory        0\nndata       80\nnx-1.lev       200\n";
        let mut archive = archive.to_vec();
        archive.resize(200, b'.');
        archive.extend(b"HEAD");
        assert_eq!(head_in(&archive).as_deref(), Some(&b"HEAD"[..]));
    }

    #[test]
    fn what_is_no_archive_is_none() {
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
