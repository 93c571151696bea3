//! The project file: finds it, reads it, and returns the seeds and the surroundings that it sets.
//!
//! Without a project file, this is one look at the file system for each folder above the first input.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::source::SourceMap;
use splc_ir::wording::visible;
use splc_project::{Project, find};
use splc_vm::{DEPTHS, Hero};

use crate::input;
use crate::options::groups::{ProjectFile, Surroundings};
use crate::options::values;
use crate::report::Reporter;

/// A project with the text of its file, for messages.
pub struct Known {
    pub project: Project,
    pub sources: SourceMap,
}

/// A problem, with the text that it is about.
pub struct Trouble(Diagnostics, SourceMap);

impl From<Box<Diagnostic>> for Trouble {
    fn from(problem: Box<Diagnostic>) -> Self {
        Trouble::at(&SourceMap::new(), *problem)
    }
}

impl Trouble {
    /// A problem in a text of `sources`.
    pub fn at(sources: &SourceMap, problem: Diagnostic) -> Self {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(problem);
        Trouble(diagnostics, sources.clone())
    }

    /// Returns its messages.
    pub fn text(&self) -> String {
        self.0.iter().map(|problem| problem.message.text()).collect::<Vec<_>>().join("; ")
    }

    /// Reports it.
    pub fn report(self, reporter: &mut Reporter) {
        reporter.report(self.0, &self.1);
    }
}

/// Finds and reads the project file for `files`: the one that the options name, or the nearest above the first file.
///
/// # Errors
/// If the file cannot be read or has mistakes, or another file belongs to another project.
pub fn of(options: &ProjectFile, files: &[PathBuf]) -> Result<Option<Known>, Trouble> {
    if options.isolated {
        return Ok(None);
    }
    if let Some(path) = &options.config {
        return read(path).map(Some);
    }
    let folders: Vec<PathBuf> = if files.is_empty() { vec![PathBuf::new()] } else { folders(files) };
    let Some(path) = folders.first().and_then(|folder| find(folder)) else { return Ok(None) };
    let other = folders[1..].iter().find(|folder| find(folder).is_some_and(|other| other != path));
    if let Some(folder) = other {
        let names = (path.display().to_string(), folder.display().to_string());
        let message = format!("the files in {} do not belong to the project {}", visible(&names.1), visible(&names.0));
        let help = "run splc for each project, or choose one with --config, or none with --isolated";
        return Err(Box::new(Diagnostic::new(Code::Usage, None, message).with_help(help)).into());
    }
    read(&path).map(Some)
}

/// Returns the folders of `files`, each once.
fn folders(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    let mut folders = Vec::new();
    for file in files {
        let folder = match file.parent() {
            _ if file.as_os_str() == "-" => Path::new(""),
            _ if files.len() < 100 && file.is_dir() => file,
            Some(parent) => parent,
            None => file,
        };
        // A glob is not the name of a folder, but the folders above it exist.
        if seen.insert(folder) {
            folders.push(folder.to_owned());
        }
    }
    folders
}

/// Reads the project file at `path`.
///
/// # Errors
/// If it cannot be read or has mistakes.
pub fn read(path: &Path) -> Result<Known, Trouble> {
    let bytes = input::read_project(path)?;
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add(path.display().to_string(), Some(path.to_owned()), bytes);
    match Project::read(&sources, file, &mut diagnostics) {
        Some(project) => Ok(Known { project, sources }),
        None => Err(Trouble(diagnostics, sources)),
    }
}

/// Returns the seeds of `splc test`.
///
/// # Errors
/// If the project's text for them is neither a number nor a range.
pub fn seeds(project: &Project) -> Result<Option<RangeInclusive<u64>>, Box<Diagnostic>> {
    let Some(wanted) = &project.settings.test.seeds else { return Ok(None) };
    let text = match wanted.get_ref() {
        splc_project::Seeds::Count(count) => count.to_string(),
        splc_project::Seeds::Range(text) => text.clone(),
    };
    let invalid = |problem: values::Invalid| Box::new(project.wrong(wanted, problem.to_string(), None));
    values::seeds_or_count(&text).map(Some).map_err(invalid)
}

/// The game around a project's levels, for programs other than the command line.
#[derive(Clone, Debug)]
pub struct Around {
    /// Seeds of tests.
    pub seeds: Option<RangeInclusive<u64>>,
    /// Depth of the levels.
    pub depth: Option<i32>,
    /// Seconds on the hero's clock.
    pub time: Option<i64>,
    /// The hero.
    pub hero: Option<Hero>,
    /// Names of the objects that the hero carries.
    pub carried: Vec<String>,
}

/// Returns the game around a project's levels.
///
/// # Errors
/// If a value is invalid.
pub fn around(project: &Project) -> Result<Around, Box<Diagnostic>> {
    let mut around = Surroundings { depth: None, hero: None, carried: Vec::new(), time: None };
    complete_surroundings(&mut around, project)?;
    let Surroundings { depth, hero, carried, time } = around;
    Ok(Around { seeds: seeds(project)?, depth, time, hero, carried })
}

/// Sets the surroundings that `around` lacks.
///
/// # Errors
/// If a value is invalid.
pub fn complete_surroundings(around: &mut Surroundings, project: &Project) -> Result<(), Box<Diagnostic>> {
    let run = &project.settings.run;
    if let (Some(depth), None) = (&run.depth, around.depth) {
        if !DEPTHS.contains(depth.get_ref()) {
            let message = format!("a depth is a number from {} to {}", DEPTHS.start(), DEPTHS.end());
            return Err(Box::new(project.wrong(depth, message, None)));
        }
        around.depth = Some(*depth.get_ref());
    }
    if let (Some(hero), None) = (&run.hero, &around.hero) {
        let invalid = |problem: values::Invalid| Box::new(project.wrong(hero, problem.to_string(), None));
        around.hero = Some(values::hero(hero.get_ref()).map_err(invalid)?);
    }
    if let (Some(time), None) = (&run.time, around.time) {
        let invalid = |problem: values::Invalid| Box::new(project.wrong(time, problem.to_string(), None));
        around.time = Some(values::time(time.get_ref()).map_err(invalid)?);
    }
    if around.carried.is_empty() {
        around.carried = run.carry.iter().map(|object| object.get_ref().clone()).collect();
    }
    Ok(())
}
