//! Games that are not built in: loads the catalogs of `--catalog` and selects the target.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::TypedValueParser;
use clap::{Args, Command};
use splc_ir::catalog::{Beside, Catalogs, Shared};
use splc_ir::diagnostic::{Diagnostic, Diagnostics};
use splc_ir::source::SourceMap;

use crate::input;
use crate::options::groups::{CatalogFiles, Request, Sources};
use crate::options::values;
use crate::outcome::Outcome;
use crate::report::{Ending, Reporter};

/// Reads catalog files from the folder of the catalog that extends them.
struct FilesBeside;

impl Beside for FilesBeside {
    fn read(&mut self, name: &str, from: &str) -> Result<(String, Vec<u8>), String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let bytes = input::read_parent_catalog(&path).map_err(|problem| problem.message.to_string())?;
        Ok((path.display().to_string(), bytes))
    }

    fn is_outside(&self, name: &str, from: &str) -> bool {
        let folder = Path::new(from).parent().unwrap_or(Path::new(""));
        let current = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        match (current.canonicalize(), folder.join(name).canonicalize()) {
            (Ok(folder), Ok(path)) => !path.starts_with(folder),
            _ => true,
        }
    }
}

/// Loads the catalogs that the options name and selects the target. This is the named target, or else the last catalog
/// loaded (of the given dialect, if one is given). No target is selected here if a level file to match determines it.
///
/// # Errors
/// Fails if a catalog cannot be read or has mistakes (which are reported), or if no target has that name.
pub fn resolve(files: &mut CatalogFiles, request: Request<'_>) -> Result<(), Outcome> {
    let mut others = 0;
    if !(files.files.is_empty() && files.others.is_empty()) {
        let mut reporter = Reporter::new(request.format, request.color);
        let mut report = |diagnostics, sources: &SourceMap| reporter.report(diagnostics, sources);
        let read = load(&files.others, &mut files.known, &mut report).and_then(|()| {
            others = files.known.loaded().len();
            load(&files.files, &mut files.known, &mut report)
        });
        if let Err(problem) = read {
            if let Some(problem) = problem {
                reporter.report_alone(*problem);
                reporter.finish(Ending::Checking);
                return Err(Outcome::Trouble);
            }
            reporter.finish(Ending::Checking);
            return Err(Outcome::InputErrors);
        }
    }
    let mut loaded = files.known.loaded()[others..].iter().rev();
    files.target = match request.target {
        Some(name) => Some(target(name, &files.known)?),
        None if request.is_matched => None,
        None => loaded.find(|catalog| request.dialect.is_none_or(|dialect| dialect.name == catalog.dialect)).cloned(),
    };
    Ok(())
}

/// Loads the catalogs at `paths` in order, and passes the diagnostics of each to `report`.
///
/// # Errors
/// Returns the diagnostic for a file that cannot be read, or `None` if the catalogs have mistakes.
pub fn load(
    paths: &[PathBuf],
    known: &mut Catalogs,
    mut report: impl FnMut(Diagnostics, &SourceMap),
) -> Result<(), Option<Box<Diagnostic>>> {
    let mut fine = true;
    for path in paths {
        let bytes = input::read_catalog(path).map_err(Some)?;
        let mut sources = SourceMap::new();
        let file = sources.add(path.display().to_string(), Some(path.clone()), bytes);
        let mut diagnostics = Diagnostics::new();
        fine &= known.load(&mut sources, file, &mut FilesBeside, &mut diagnostics).is_some();
        report(diagnostics, &sources);
    }
    if fine { Ok(()) } else { Err(None) }
}

/// Returns the target called `name`. An unknown name is reported like any invalid argument value.
fn target(name: &str, known: &Catalogs) -> Result<Shared, Outcome> {
    let mut command = Sources::augment_args(Command::new("splc"));
    // clap can only print an argument of a built command.
    command.build();
    let argument = command.get_arguments().find(|argument| argument.get_id() == "target");
    let parser = {
        let known = known.clone();
        move |name: &str| values::target(name, &known)
    };
    parser.parse_ref(&command, argument, OsStr::new(name)).map_err(|error| {
        // Nothing can be reported if the standard error is closed.
        let _ = error.print();
        Outcome::Trouble
    })
}
