//! The inputs of a call besides the source: the game, the lints, and included files.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use splc_driver::games::{DIALECTS, Dialect};
use splc_driver::{Includes, Input, Options, OtherDungeon, TargetError, Wanted, dungeon, too_large};
use splc_ir::abi::{self, Abi};
use splc_ir::diagnostic::{Code, LintLevel, LintLevels, did_you_mean};

use crate::catalogs::{Catalogs, on_disk};
use crate::diagnostics::{Row, rows};
use crate::project::Project;

/// An included file: the name in the INCLUDE statement, the including file, the path of the file, and its bytes.
pub type Included = (String, Option<PathBuf>, PathBuf, Vec<u8>);

/// A source: its name, its path if it is a file, and its bytes.
pub type Source = (String, Option<PathBuf>, PyBackedBytes);

/// The options of a call.
#[pyclass(frozen, module = "splc._splc")]
pub struct Requested {
    pub options: Options,
    /// Files to include, by the name in the INCLUDE statement.
    files: HashMap<String, Vec<u8>>,
    /// Files that were included before, for a level that is loaded again.
    recorded: Vec<Included>,
}

#[pymethods]
impl Requested {
    #[new]
    #[pyo3(signature = (target, abi, allow, deny, files, recorded, catalogs, project, paths))]
    #[allow(clippy::too_many_arguments)] // the one caller is in Python
    fn new(
        target: Option<&str>,
        abi: Option<&str>,
        allow: Vec<String>,
        deny: Vec<String>,
        files: HashMap<String, PyBackedBytes>,
        recorded: Vec<(String, Option<PathBuf>, PathBuf, PyBackedBytes)>,
        catalogs: Option<&Catalogs>,
        project: Option<(PyRef<'_, Project>, bool)>,
        paths: Vec<PathBuf>,
    ) -> PyResult<Self> {
        let mut wanted = Wanted::default();
        if let Some(catalogs) = catalogs {
            wanted.catalogs = catalogs.known.clone();
        }
        let of_project = project.as_ref().filter(|(_, has_game)| *has_game);
        match target {
            None if of_project.is_some() => {
                if let Some((project, _)) = of_project {
                    wanted = project
                        .wanted(wanted.catalogs)
                        .map_err(|problem| PyValueError::new_err(problem.message.to_string()))?;
                }
            }
            Some(name) => {
                wanted.catalog = wanted.catalogs.by_name(name);
                wanted.dialect = if wanted.catalog.is_none() { Dialect::by_name(name) } else { None };
                if wanted.catalog.is_none() && wanted.dialect.is_none() {
                    let known: Vec<_> = wanted.catalogs.iter().collect();
                    let names = known.iter().map(|catalog| catalog.name.as_ref());
                    let dialects = DIALECTS.iter().map(|dialect| dialect.name);
                    return Err(unknown("target", name, names.chain(dialects)));
                }
            }
            None => wanted.catalog = wanted.catalogs.loaded().last().cloned(),
        }
        if let Some(name) = abi {
            let known = Abi::by_name(name);
            wanted.abi = Some(known.ok_or_else(|| unknown("abi", name, abi::ALL.iter().map(|abi| abi.name)))?);
        }
        let mut chosen = Vec::new();
        for (names, level) in [(allow, LintLevel::Allow), (deny, LintLevel::Deny)] {
            for name in names {
                let code = Code::ALL.iter().copied().find(|code| code.name() == name || code.as_str() == name);
                let usual = LintLevels::default();
                let code = code.filter(|&code| usual.get(code).is_some());
                let all = Code::ALL.iter().filter(|&&code| usual.get(code).is_some()).map(|code| code.name());
                chosen.push((code.ok_or_else(|| unknown("lint", &name, all))?, level));
            }
        }
        let lints = match &project {
            Some((project, _)) => project.lints(&paths, &chosen),
            None => {
                let mut lints = LintLevels::default();
                chosen.into_iter().for_each(|(code, level)| lints.set(code, level));
                lints
            }
        };
        let files = files.into_iter().map(|(name, bytes)| (name, bytes.to_vec())).collect();
        let recorded =
            recorded.into_iter().map(|(name, from, place, bytes)| (name, from, place, bytes.to_vec())).collect();
        Ok(Requested { options: Options { wanted, lints }, files, recorded })
    }
}

/// Returns the options with the dungeon of the levels, or with its mistakes.
#[pyfunction]
pub fn in_dungeon(py: Python<'_>, requested: &Requested, source: Source) -> PyResult<(Option<Requested>, Vec<Row>)> {
    let read = py.detach(|| dungeon::read(input(&source), &requested.options)).map_err(no_target)?;
    let made = read.description.filter(|_| !read.diagnostics.has_errors()).map(|description| {
        let dungeon = Some(Arc::new(OtherDungeon { name: source.0.clone(), description }));
        let Requested { options, files, recorded } = requested;
        let wanted = Wanted { dungeon, ..options.wanted.clone() };
        let options = Options { wanted, lints: options.lints.clone() };
        Requested { options, files: files.clone(), recorded: recorded.clone() }
    });
    Ok((made, rows(read.diagnostics, &read.sources, &HashMap::new())))
}

impl Requested {
    /// Returns a reader of included files.
    pub fn includes(&self) -> Files<'_> {
        Files { requested: self, read: Vec::new() }
    }
}

/// Returns `source` as an input.
pub fn input((name, place, bytes): &Source) -> Input {
    Input { name: name.clone(), place: place.clone(), bytes: bytes.to_vec() }
}

/// Finds included files: among those passed by the caller, and in the folder of the including file. A source that is
/// not a file includes nothing from the disk.
pub struct Files<'a> {
    requested: &'a Requested,
    /// The files that were included.
    pub read: Vec<Included>,
}

impl Includes for Files<'_> {
    fn read(&mut self, path: &str, from: Option<&Path>, most: u64) -> io::Result<(PathBuf, Vec<u8>)> {
        let recorded =
            self.requested.recorded.iter().find(|(name, place, ..)| name == path && place.as_deref() == from);
        let (place, bytes) = match (recorded, self.requested.files.get(path), from.and_then(Path::parent)) {
            (Some((_, _, place, bytes)), ..) => (place.clone(), bytes.clone()),
            (None, Some(bytes), _) => (PathBuf::from(path), bytes.clone()),
            (None, None, Some(folder)) => on_disk(&folder.join(path), most)?,
            (None, None, None) => return Err(io::ErrorKind::NotFound.into()),
        };
        if bytes.len() as u64 > most {
            return Err(too_large());
        }
        self.read.push((path.to_owned(), from.map(Path::to_owned), place.clone(), bytes.clone()));
        Ok((place, bytes))
    }
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> PyErr {
    let near = did_you_mean(name, known.clone());
    let near = near.unwrap_or_else(|| format!("choose from: {}", known.collect::<Vec<_>>().join(", ")));
    PyValueError::new_err(format!("unknown {what} {name:?}; {near}"))
}

/// Returns the exception for a game that the driver cannot determine.
pub fn no_target(error: TargetError) -> PyErr {
    PyValueError::new_err(match error {
        TargetError::Unknown => "unknown game of the level: name it with target=".to_owned(),
        other => other.to_string(),
    })
}

/// Returns true if a text is a Lua script by its first lines.
#[pyfunction]
pub fn is_script(bytes: &[u8]) -> bool {
    Input::new("", bytes).is_script()
}
