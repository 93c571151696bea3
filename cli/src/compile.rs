//! `splc` and `splc check`: compiles inputs, and writes all outputs or none.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use splc_driver::output::{Content, LEVEL_FILE, Output};
use splc_driver::{Compiler, File, Made, Options, Summary, other_dialect, vaults};
use splc_ir::diagnostic::{Code, Diagnostic, LintLevels};
use splc_ir::wording::{counted, visible};

use crate::dungeon_file::within;
use crate::findings::Findings;
use crate::input::{FilesOnDisk, Origin};
use crate::options::groups::{DungeonFile, Sources, Watching, Writing};
use crate::outcome::Outcome;
use crate::output::{self, Destination};
use crate::report::{Ending, Reporter};

/// Compiling.
#[derive(Debug, Args)]
pub struct Compile {
    /// What is read.
    #[command(flatten)]
    pub sources: Sources,
    /// What is written.
    #[command(flatten)]
    pub writing: Writing,
    /// Repetition.
    #[command(flatten)]
    pub watching: Watching,
}

/// `splc check`.
#[derive(Debug, Args)]
pub struct Check {
    /// What is read.
    #[command(flatten)]
    pub sources: Sources,

    /// The dungeon around.
    #[command(flatten)]
    pub dungeon: DungeonFile,

    /// The treatment of what it finds.
    #[command(flatten)]
    pub findings: Findings,

    /// Repetition.
    #[command(flatten)]
    pub watching: Watching,
}

/// The use of the compiled levels.
#[derive(Debug)]
pub enum Task<'a> {
    /// Write them.
    Write(&'a Writing),
    /// Check them as levels of a dungeon.
    Check(&'a DungeonFile, &'a Findings),
}

impl Task<'_> {
    fn output(&self) -> &'static Output {
        match self {
            Task::Write(writing) => writing.emit,
            // A level that cannot become a level file has errors.
            Task::Check(..) => &LEVEL_FILE,
        }
    }

    fn dungeon(&self) -> Option<&Path> {
        match self {
            Task::Write(_) => None,
            Task::Check(dungeon, _) => dungeon.file.as_deref(),
        }
    }

    fn ending(&self) -> Ending {
        match self {
            Task::Write(_) => Ending::Writing,
            Task::Check(..) => Ending::Checking,
        }
    }
}

/// Reads all of `sources` and performs `task`.
pub fn run(sources: &Sources, task: &Task<'_>, lints: LintLevels) -> Outcome {
    let work = |reporter: &mut Reporter| match within(task.dungeon(), sources, &lints, reporter)? {
        None => Ok(Outcome::InputErrors),
        Some(wanted) => Ok(process(sources, task, Options { wanted, lints: lints.clone() }, reporter)),
    };
    Reporter::run(sources.message_format, sources.color, task.ending(), |reporter| match task {
        Task::Write(_) => work(reporter),
        Task::Check(_, findings) => findings.apply(reporter, work),
    })
}

/// Compiles every file.
fn process(sources: &Sources, task: &Task<'_>, options: Options, reporter: &mut Reporter) -> Outcome {
    let mut compiler = Compiler::new(task.output(), options);
    if let Task::Check(..) = task {
        // Nothing is written, so levels of several files may have the same name.
        compiler.discard();
    }
    let mut outcome = Outcome::Fine;
    let mut levels = Vec::new();
    for origin in Origin::list(&sources.files) {
        let Some(input) = reporter.read(&origin, &mut outcome) else {
            compiler.discard();
            continue;
        };
        match compiler.compile(input, &mut FilesOnDisk) {
            Ok(mut judged) => {
                if judged.diagnostics.has_errors() {
                    outcome = outcome.max(Outcome::InputErrors);
                    if let Some(note) =
                        other_dialect(judged.target.catalog(), &judged.sources, &judged.diagnostics, &mut FilesOnDisk)
                    {
                        judged.diagnostics.push(note);
                    }
                }
                reporter.report(judged.diagnostics, &judged.sources);
                levels.extend(judged.levels);
            }
            Err(problem) => {
                outcome = outcome.max(Outcome::Trouble);
                reporter.report_alone(problem.into());
            }
        }
    }
    match task {
        Task::Write(writing) if outcome == Outcome::Fine => {
            let made = compiler.finish();
            let problem = over_input(writing, &made, &sources.files);
            match problem.map_or_else(|| write(writing, made, &levels), Err) {
                Ok(()) => {
                    if !(sources.quiet || writing.verbose) {
                        reporter.succeed(&format!("{} written\n", counted(levels.len(), "level")));
                    }
                    Outcome::Fine
                }
                Err(problem) => {
                    reporter.report_alone(*problem);
                    Outcome::Trouble
                }
            }
        }
        Task::Check(..) if outcome == Outcome::Fine && !sources.quiet => {
            reporter.succeed(&format!("no mistakes in {}\n", counted(levels.len(), "level")));
            outcome
        }
        _ => outcome,
    }
}

/// Returns an error if an output file would overwrite one of `inputs`, e.g. a JSON document dumped in place.
fn over_input(writing: &Writing, made: &Made, inputs: &[PathBuf]) -> Option<Box<Diagnostic>> {
    let Destination::Folder(folder) = Destination::of(writing.output.as_deref()) else { return None };
    let alike = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == writing.emit.extension);
    let inputs: Vec<PathBuf> = inputs.iter().filter(alike).filter_map(|path| fs::canonicalize(path).ok()).collect();
    if inputs.is_empty() {
        return None;
    }
    let is_input = |file: &&File| fs::canonicalize(folder.join(&file.name)).is_ok_and(|place| inputs.contains(&place));
    let file = made.files.iter().find(is_input)?;
    let message = format!("{} would overwrite an input", file.name);
    Some(Box::new(Diagnostic::new(Code::Usage, None, message).with_help("choose another folder or file with -o")))
}

/// Writes all files `made` from `levels`, or none.
///
/// # Errors
/// Fails if something cannot be written.
pub fn write(writing: &Writing, made: Made, levels: &[Summary]) -> Result<(), Box<Diagnostic>> {
    let Made { mut files, vaults } = made;
    let destination = Destination::of(writing.output.as_deref());
    match &destination {
        Destination::Folder(folder) => {
            if !vaults.is_empty() {
                let existing = output::read_existing(&folder.join(vaults::FILE_NAME))?;
                // The list is last, so that it never names a level that does not exist yet.
                let bytes = vaults::update(&existing, &vaults);
                files.push(File { name: vaults::FILE_NAME.to_owned(), bytes });
            }
            output::write_folder(folder, &files)?;
        }
        Destination::File(path) => output::write_file(path, &the_one(files)?)?,
        // Texts can be concatenated, level files cannot.
        Destination::Standard => match writing.emit.content {
            Content::LevelFile | Content::Dungeon => output::write_standard(&the_one(files)?)?,
            Content::Text => {
                let all: Vec<u8> = files.into_iter().flat_map(|file| file.bytes).collect();
                output::write_standard(&all)?;
            }
        },
    }
    if writing.verbose {
        list_levels(levels, writing.emit.extension, &destination);
    }
    Ok(())
}

/// Returns the bytes of the only file in `files`.
fn the_one(files: Vec<File>) -> Result<Vec<u8>, Box<Diagnostic>> {
    let count = files.len();
    let mut files = files.into_iter();
    if let (Some(file), None) = (files.next(), files.next()) {
        return Ok(file.bytes);
    }
    let message = format!("cannot write {} to one file", counted(count, "output file"));
    let help = "name a folder with -o, with a trailing slash if it does not exist yet";
    Err(Box::new(Diagnostic::new(Code::Usage, None, message).with_help(help)))
}

/// Lists the written levels in the wording of the games' compilers (`-v`). Each has the name of its file, which is the
/// name of the level unless the file was named with `-o`.
fn list_levels(levels: &[Summary], extension: &str, destination: &Destination) {
    let mut text = String::new();
    for level in levels {
        if let Some((what, count)) = level.size {
            let file = match destination {
                Destination::File(path) => path.display().to_string(),
                Destination::Folder(_) | Destination::Standard => format!("{}.{extension}", level.name),
            };
            text.push_str(&format!("File: '{}', {what}: {count}\n", visible(&file)));
        }
    }
    // Keep the list out of the output itself.
    let _ = match destination {
        Destination::Standard => io::stderr().lock().write_all(text.as_bytes()),
        _ => io::stdout().lock().write_all(text.as_bytes()),
    };
}
