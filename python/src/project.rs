//! Project files: the settings of `splc.toml`, as the command line applies them.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use splc_cli::{AroundProject, around_project};
use splc_driver::{HEADER_BYTES, Wanted};
use splc_ir::catalog::Catalogs;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevel, LintLevels};
use splc_ir::source::SourceMap;
use splc_project::{MAX_FILE_BYTES, find};

use crate::around::Around;
use crate::catalogs::on_disk;
use crate::diagnostics::{Row, rows};

/// A project.
#[pyclass(frozen, module = "splc._splc")]
pub struct Project {
    project: splc_project::Project,
    around: AroundProject,
    /// Path and first bytes of the level file that has the game.
    matched: Option<(PathBuf, Vec<u8>)>,
}

/// Reads the project file `config`, or else the one in the folder `start` or the nearest above it. Returns its
/// mistakes, too.
#[pyfunction]
pub fn project(start: Option<PathBuf>, config: Option<PathBuf>) -> PyResult<(Option<Project>, Vec<Row>)> {
    let Some(path) = config.or_else(|| find(&start?)) else { return Ok((None, Vec::new())) };
    let unreadable = |path: &PathBuf, error: std::io::Error| PyOSError::new_err(format!("{}: {error}", path.display()));
    let (_, bytes) = on_disk(&path, MAX_FILE_BYTES).map_err(|error| unreadable(&path, error))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(PyOSError::new_err(format!("{} is larger than {MAX_FILE_BYTES} bytes", path.display())));
    }
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add(path.display().to_string(), Some(path), bytes);
    let mut made = None;
    if let Some(project) = splc_project::Project::read(&sources, file, &mut diagnostics) {
        match around_project(&project) {
            Ok(around) => {
                let matched = match project.settings.r#match.as_ref().map(|path| project.at(path.get_ref())) {
                    Some(path) => {
                        let (_, head) =
                            on_disk(&path, HEADER_BYTES as u64).map_err(|error| unreadable(&path, error))?;
                        Some((path, head))
                    }
                    None => None,
                };
                made = Some(Project { project, around, matched });
            }
            Err(problem) => diagnostics.push(*problem),
        }
    }
    Ok((made, rows(diagnostics, &sources, &HashMap::new())))
}

#[pymethods]
impl Project {
    /// The path of its file.
    #[getter]
    fn file(&self) -> PathBuf {
        self.project.file.clone()
    }

    /// The paths of its catalogs.
    #[getter]
    fn catalogs(&self) -> Vec<PathBuf> {
        self.project.settings.catalogs.iter().map(|path| self.project.at(path.get_ref())).collect()
    }

    /// The path of the dungeon of its levels.
    #[getter]
    fn dungeon(&self) -> Option<PathBuf> {
        self.project.settings.dungeon_file.as_ref().map(|path| self.project.at(path.get_ref()))
    }

    /// The first and last seed of tests.
    #[getter]
    fn seeds(&self) -> Option<(u64, u64)> {
        self.around.seeds.as_ref().map(|seeds| (*seeds.start(), *seeds.end()))
    }

    /// The game around its levels.
    #[getter]
    fn around(&self) -> Around {
        let AroundProject { depth, time, hero, carried, .. } = &self.around;
        let hero = hero.clone();
        let alignment = hero.as_ref().map(|hero| hero.alignment.as_str().to_owned());
        let (name, role, race) = match hero {
            Some(hero) => (Some(hero.name), Some(hero.role), Some(hero.race)),
            None => (None, None, None),
        };
        (*depth, *time, name, role, race, alignment, carried.clone())
    }
}

impl Project {
    /// Returns its game, among `catalogs`, which include its own.
    pub fn wanted(&self, catalogs: Catalogs) -> Result<Wanted, Box<Diagnostic>> {
        let wanted = self.project.wanted(catalogs)?;
        match &self.matched {
            Some((path, head)) => {
                wanted.matching(head, &path.display().to_string()).map_err(|problem| Box::new(problem.into()))
            }
            None => Ok(wanted),
        }
    }

    /// Returns the levels of lints for all files, and of those of `files` that have their own, with the `chosen` levels
    /// after them.
    pub fn lints(&self, files: &[PathBuf], chosen: &[(Code, LintLevel)]) -> LintLevels {
        let with_chosen = |mut levels: LintLevels| {
            chosen.iter().for_each(|&(code, level)| levels.set(code, level));
            levels
        };
        let mut levels = with_chosen(self.project.lints());
        for file in files {
            if let Some(own) = self.project.lints_of(file) {
                let place = fs::canonicalize(file).unwrap_or_else(|_| file.clone());
                levels.set_for(place, with_chosen(own));
            }
        }
        levels
    }
}
