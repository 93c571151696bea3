//! `splc dlb`: the games' data librarian and more, with atomic changes to archives.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use splc_game::archive::{self, Archive, DIRECTORY, Error, Part};
use splc_game::files;
use splc_game::limits::MAX_DIRECTORY_BYTES;
use splc_ir::wording::visible;

use crate::outcome::Outcome;
use crate::output::{guard, print};
use crate::report::{ColorChoice, Ending, MessageFormat, Reporter};
use crate::trouble::of_archive;

/// `splc dlb`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// What is done.
    #[command(subcommand)]
    pub action: Action,

    /// Format of the diagnostics
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = MessageFormat::Human, global = true)]
    pub message_format: MessageFormat,

    /// Color the output
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto, global = true)]
    pub color: ColorChoice,
}

/// What is done to an archive.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// List the files in an archive
    List {
        /// The archive, e.g. nhdat
        archive: PathBuf,
        /// Show the offset and size of each file, as dlb does
        #[arg(short, long)]
        verbose: bool,
    },
    /// Create an archive, with the files in the order given
    Create {
        /// The archive
        archive: PathBuf,
        /// Files to add; each is stored under its name as given
        files: Vec<PathBuf>,
        /// List of more files to add, one per line
        #[arg(long, value_name = "LIST")]
        list: Option<PathBuf>,
        /// Folder of the files
        #[arg(short = 'C', long, value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Extract files from an archive
    Extract {
        /// The archive
        archive: PathBuf,
        /// Files to extract [default: all]
        names: Vec<String>,
        /// Write the files to DIR [default: the current folder]
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// Add files to the end of an archive
    Add {
        /// The archive
        archive: PathBuf,
        /// Files to add; each is stored under its name without folders
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Replace files in an archive
    Replace {
        /// The archive
        archive: PathBuf,
        /// New files; each replaces the entry with its name without folders
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Remove files from an archive
    Remove {
        /// The archive
        archive: PathBuf,
        /// Names of the files to remove
        #[arg(required = true)]
        names: Vec<String>,
    },
}

/// Performs the action.
pub fn run(arguments: &Arguments) -> Outcome {
    let mut reporter = Reporter::new(arguments.message_format, arguments.color);
    let mut outcome = Outcome::Fine;
    let mut out = String::new();
    let archive = match &arguments.action {
        Action::List { archive, .. }
        | Action::Create { archive, .. }
        | Action::Extract { archive, .. }
        | Action::Add { archive, .. }
        | Action::Replace { archive, .. }
        | Action::Remove { archive, .. } => archive,
    };
    let reads = matches!(arguments.action, Action::List { .. } | Action::Extract { .. });
    let guard = if reads { Ok(None) } else { guard(files::folder_of(archive)).map(Some) };
    if let Err(problem) = guard {
        reporter.report_alone(*problem);
        reporter.finish(Ending::Checking);
        return Outcome::Trouble;
    }
    for problem in act(&arguments.action, &mut out) {
        let (diagnostic, ends) = of_archive(archive, &problem);
        reporter.report_alone(diagnostic);
        outcome = outcome.max(ends);
    }
    let outcome = outcome.max(print(&out));
    reporter.finish(Ending::Checking);
    outcome
}

/// Performs `action`, appends the text to print to `out`, and returns the problems.
fn act(action: &Action, out: &mut String) -> Vec<Error> {
    match action {
        Action::List { archive, verbose } => match archive::open(archive) {
            Ok(archive) => list(&archive, *verbose, out),
            Err(error) => vec![error],
        },
        Action::Create { archive, files, list, folder } => {
            created(create(archive, files, list.as_deref(), folder.as_deref()))
        }
        Action::Extract { archive, names, output } => match archive::open(archive) {
            Ok(mut archive) => extract(&mut archive, names, output.as_deref().unwrap_or(Path::new("."))),
            Err(error) => vec![error],
        },
        Action::Add { archive, files } => {
            created(named(files).and_then(|parts| archive::add(&files::followed(archive), parts)))
        }
        Action::Replace { archive, files } => {
            created(named(files).and_then(|parts| archive::replace(&files::followed(archive), parts)))
        }
        Action::Remove { archive, names } => created(archive::remove(&files::followed(archive), names)),
    }
}

fn created(result: Result<(), Error>) -> Vec<Error> {
    result.err().into_iter().collect()
}

/// Lists `archive` as the game's librarian does. Entries that reach outside the archive are returned as errors.
fn list<R: std::io::Read + std::io::Seek>(archive: &Archive<R>, verbose: bool, out: &mut String) -> Vec<Error> {
    out.push_str(&listing(archive, verbose));
    archive.entries().iter().filter_map(|entry| archive.range(entry).err()).collect()
}

/// Returns the listing that the game's librarian prints for `archive`.
pub(crate) fn listing<R>(archive: &Archive<R>, verbose: bool) -> String
where
    R: std::io::Read + std::io::Seek,
{
    let mut out = String::new();
    for entry in archive.entries() {
        let name = entry.name();
        let name = visible(&name);
        match verbose {
            true => out.push_str(&format!("{name:<14} {:6} {:6}\n", entry.offset, entry.size)),
            false => out.push_str(&format!("{name}\n")),
        }
    }
    if verbose {
        let (revision, count, names) = (archive.revision, archive.entries().len(), archive.names_size);
        out.push_str(&format!("Revision:{revision}  File count:{count}  String size:{names}\n"));
    }
    out
}

fn create(archive: &Path, paths: &[PathBuf], list: Option<&Path>, folder: Option<&Path>) -> Result<(), Error> {
    let mut names: Vec<PathBuf> = paths.to_vec();
    if let Some(list) = list {
        let failed = |error| Error::File { path: list.to_owned(), doing: archive::Doing::Reading, error };
        let text = files::read(list, MAX_DIRECTORY_BYTES).map_err(failed)?;
        let text = String::from_utf8(text).map_err(|_| failed(io::Error::other("it is not UTF-8 text")))?;
        names.extend(text.lines().filter(|line| !line.is_empty()).map(PathBuf::from));
    }
    let folder = folder.unwrap_or(Path::new(""));
    let mut parts = Vec::with_capacity(names.len());
    let mut seen = HashSet::new();
    for name in &names {
        let stored = name.as_os_str().as_encoded_bytes().to_vec();
        let shown = String::from_utf8_lossy(&stored).into_owned();
        let problem = match std::str::from_utf8(&stored) {
            Ok(stored) => files::check_name(stored).err(),
            Err(_) => Some("is not valid UTF-8"),
        };
        if let Some(problem) = problem {
            return Err(Error::Name(shown, problem));
        }
        if !seen.insert(stored.clone()) {
            return Err(Error::Present(shown));
        }
        parts.push(Part::file(stored, folder.join(name)));
    }
    archive::create(&files::followed(archive), &parts)
}

/// Reads the files at `paths` under their names without folders.
fn named(paths: &[PathBuf]) -> Result<Vec<Part>, Error> {
    let part = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| Error::Name(path.display().to_string(), "is not a file name"))?;
        files::check_name(name).map_err(|problem| Error::Name(name.to_owned(), problem))?;
        Ok(Part::file(name, path))
    };
    paths.iter().map(part).collect()
}

/// Extracts the sound entries, and returns the problems with the others.
fn extract(archive: &mut Archive<fs::File>, names: &[String], folder: &Path) -> Vec<Error> {
    let mut problems = Vec::new();
    let mut wanted = Vec::new();
    if names.is_empty() {
        wanted.extend(archive.files().cloned());
    }
    for name in names {
        match archive.find(name) {
            Some(entry) if name != DIRECTORY => wanted.push(entry.clone()),
            _ => problems.push(Error::Missing(name.clone())),
        }
    }
    // If a name leads outside the folder, nothing is written: the archive was not made for it.
    for entry in &wanted {
        if let Err(problem) = files::check_name(&entry.name()) {
            problems.push(Error::Name(entry.name().into_owned(), problem));
        }
    }
    if !problems.is_empty() {
        return problems;
    }
    if let Err(error) = fs::create_dir_all(folder) {
        return vec![Error::File { path: folder.to_owned(), doing: archive::Doing::Writing, error }];
    }
    wanted.iter().filter_map(|entry| archive.extract(entry, folder).err()).collect()
}
