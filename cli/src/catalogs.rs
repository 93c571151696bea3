//! Games that are not built in: the catalogs that `--catalog` names, and the target that is meant then.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::TypedValueParser;
use clap::{Args, Command};
use splc_ir::catalog::{Beside, Catalogs, Shared};
use splc_ir::diagnostic::{Diagnostic, Diagnostics};
use splc_ir::source::SourceMap;

use crate::arguments::groups::{Asked, CatalogFiles, Sources};
use crate::arguments::values;
use crate::input;
use crate::outcome::Outcome;
use crate::report::{Ending, Reporter};

/// Catalog files beside the one that extends them.
struct FilesBeside;

impl Beside for FilesBeside {
    fn read(&mut self, name: &str, from: &str) -> Result<(String, Vec<u8>), String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let bytes = input::read_catalog(&path).map_err(|problem| problem.message.into_owned())?;
        Ok((path.display().to_string(), bytes))
    }
}

/// Reads the catalogs that the options name and finds the target that is meant: the one that is named; else the last
/// one that was read, of the dialect if that is said. A level file to match tells it itself.
///
/// # Errors
/// If a catalog cannot be read or has mistakes, which are told, or if no target has that name.
pub fn settle(files: &mut CatalogFiles, asked: Asked<'_>) -> Result<(), Outcome> {
    if !files.files.is_empty() {
        let mut reporter = Reporter::new(asked.format, asked.color);
        let read = load(&files.files, &mut files.known, |diagnostics, sources| reporter.report(diagnostics, sources));
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
    let mut loaded = files.known.loaded().iter().rev();
    files.target = match asked.target {
        Some(name) => Some(target(name, &files.known)?),
        None if asked.is_matched => None,
        None => loaded.find(|catalog| asked.dialect.is_none_or(|dialect| dialect.name == catalog.dialect)).cloned(),
    };
    Ok(())
}

/// Reads the catalogs at `paths`, one after the other, and tells of the mistakes in each.
///
/// # Errors
/// With what keeps a file from being read, or without anything if there are mistakes.
pub fn load(
    paths: &[PathBuf],
    known: &mut Catalogs,
    mut tell: impl FnMut(Diagnostics, &SourceMap),
) -> Result<(), Option<Box<Diagnostic>>> {
    let mut fine = true;
    for path in paths {
        let bytes = input::read_catalog(path).map_err(Some)?;
        let mut sources = SourceMap::new();
        let file = sources.add(path.display().to_string(), Some(path.clone()), bytes);
        let mut diagnostics = Diagnostics::new();
        fine &= known.load(&mut sources, file, &mut FilesBeside, &mut diagnostics).is_some();
        tell(diagnostics, &sources);
    }
    if fine { Ok(()) } else { Err(None) }
}

/// The target called `name`; said as the command line says what is wrong with a value if there is none.
fn target(name: &str, known: &Catalogs) -> Result<Shared, Outcome> {
    let mut command = Sources::augment_args(Command::new("splc"));
    // An argument can be shown only when it is built.
    command.build();
    let argument = command.get_arguments().find(|argument| argument.get_id() == "target");
    let parser = {
        let known = known.clone();
        move |name: &str| values::target(name, &known)
    };
    parser.parse_ref(&command, argument, OsStr::new(name)).map_err(|error| {
        // If the standard error is closed there is nobody to tell.
        let _ = error.print();
        Outcome::Trouble
    })
}
