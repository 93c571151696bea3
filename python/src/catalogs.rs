//! Catalogs of further games, and files on the disk.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use splc_ir::catalog::{self, Beside};
use splc_ir::diagnostic::Diagnostics;
use splc_ir::limits::MAX_CATALOG_BYTES;
use splc_ir::source::SourceMap;

use crate::diagnostics::{Row, rows};

/// Catalogs of further games.
#[pyclass(frozen, module = "splc._splc")]
pub struct Catalogs {
    pub known: catalog::Catalogs,
}

/// A file that a catalog extends: its name in the catalog, the name of the extending file, its own, and its bytes.
type Parent = (String, String, String, Vec<u8>);

/// Loads catalogs, each with its name and bytes. Returns them with the diagnostics and the files that they extend.
/// Those are searched in the folder of the extending file, and among `recorded`.
#[pyfunction]
pub fn catalogs(files: Vec<(String, PyBackedBytes)>, recorded: Vec<Parent>) -> (Catalogs, Vec<Row>, Vec<Parent>) {
    let mut known = catalog::Catalogs::default();
    let mut beside = Parents { recorded, read: Vec::new() };
    let mut all = Vec::new();
    for (name, bytes) in files {
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add(name, None, bytes.to_vec());
        known.load(&mut sources, file, &mut beside, &mut diagnostics);
        all.extend(rows(diagnostics, &sources, &HashMap::new()));
    }
    (Catalogs { known }, all, beside.read)
}

/// Reads catalogs that others extend.
struct Parents {
    recorded: Vec<Parent>,
    read: Vec<Parent>,
}

impl Beside for Parents {
    fn read(&mut self, name: &str, from: &str) -> Result<(String, Vec<u8>), String> {
        let recorded = self.recorded.iter().find(|(known, by, ..)| known == name && by == from);
        let (shown, bytes) = match recorded {
            Some((_, _, shown, bytes)) => (shown.clone(), bytes.clone()),
            None => {
                let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
                let (_, bytes) =
                    on_disk(&path, MAX_CATALOG_BYTES).map_err(|error| format!("{}: {error}", path.display()))?;
                if bytes.len() as u64 > MAX_CATALOG_BYTES {
                    return Err(format!("{} is larger than {} MiB", path.display(), MAX_CATALOG_BYTES >> 20));
                }
                (path.display().to_string(), bytes)
            }
        };
        self.read.push((name.to_owned(), from.to_owned(), shown.clone(), bytes.clone()));
        Ok((shown, bytes))
    }
}

/// Returns the name, title and dialect of each game, the built-in ones first.
#[pyfunction]
pub fn targets(catalogs: Option<&Catalogs>) -> Vec<(String, String, String)> {
    let loaded = catalogs.map(|catalogs| catalogs.known.loaded()).unwrap_or_default();
    let game = |name: &str, title: &str, dialect: &str| (name.to_owned(), title.to_owned(), dialect.to_owned());
    let built_in = catalog::ALL.iter().map(|it| game(&it.name, &it.title, &it.dialect));
    built_in.chain(loaded.iter().map(|it| game(&it.name, &it.title, &it.dialect))).collect()
}

/// Reads the file at `path`, which may have at most `most` bytes.
pub fn on_disk(path: &Path, most: u64) -> io::Result<(PathBuf, Vec<u8>)> {
    // A pipe or terminal may never end.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok((fs::canonicalize(path)?, bytes))
}
