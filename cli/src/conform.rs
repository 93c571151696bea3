//! `splc conform`: compares splc with a game's own level compiler, file by file.
//!
//! The given compiler is run for each file in an empty folder, as its own build runs it. No other command of splc runs
//! a program.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Args;
use splc_driver::output;
use splc_driver::{Options, compile};
use splc_ir::diagnostic::{Diagnostic, LintLevels, Severity};
use splc_ir::order::Order;
use splc_ir::wording::visible;

use crate::input::{FilesOnDisk, Origin};
use crate::options::groups::Sources;
use crate::outcome::Outcome;
use crate::report::{Ending, Reporter};
use crate::wanted::wanted;

/// Time limit of the compiler for one file.
const MAX_TIME: Duration = Duration::from_secs(60);

/// Size limit for the compiler's output that is read.
const MAX_SAID_BYTES: u64 = 1 << 20;

/// `splc conform`.
#[derive(Debug, Args)]
pub struct Conform {
    /// What is compiled, and for which game.
    #[command(flatten)]
    pub sources: Sources,

    /// Level compiler of the game
    #[arg(long, value_name = "LEV_COMP")]
    pub against: PathBuf,
}

/// A compiler's result for one file.
#[derive(Default)]
struct Made {
    accepted: bool,
    files: BTreeMap<String, Vec<u8>>,
    /// Line of the first error.
    line: Option<usize>,
}

/// Compares the compilers. Returns [`Outcome::Fine`] if nothing differs.
pub fn run(arguments: &Conform, lints: LintLevels) -> Outcome {
    Reporter::run(arguments.sources.message_format, arguments.sources.color, Ending::Checking, |_| {
        compare(arguments, lints)
    })
}

fn trouble(message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(splc_ir::diagnostic::Code::Usage, None, message))
}

fn compare(arguments: &Conform, lints: LintLevels) -> Result<Outcome, Box<Diagnostic>> {
    let compiler = fs::canonicalize(&arguments.against)
        .map_err(|error| trouble(format!("{}: {error}", arguments.against.display())))?;
    let options = Options { wanted: wanted(&arguments.sources)?, lints };
    let mut out = std::io::stdout().lock();
    let mut outcome = Outcome::Fine;
    let (mut files, mut same) = (0, 0);
    for origin in Origin::list(&arguments.sources.files) {
        let Some(path) = origin.path() else {
            return Err(trouble("cannot compare standard input: name des-files".to_owned()));
        };
        let theirs = theirs(&compiler, path)?;
        let input = origin.read()?;
        let compiled = compile(input, &output::LEVEL_FILE, options.clone(), &mut FilesOnDisk)
            .map_err(|problem| Box::new(problem.into()))?;
        let ours = ours(compiled);
        let verdict = verdict(&ours, &theirs);
        files += 1;
        same += usize::from(verdict.is_ok());
        let said = match verdict {
            Ok(said) => format!("same       {said}"),
            Err(said) => {
                outcome = Outcome::InputErrors;
                format!("different  {said}")
            }
        };
        // Nothing can be reported if the standard output is closed.
        let _ = writeln!(out, "{:<28} {said}", visible(&path.display().to_string()));
    }
    let _ = writeln!(out, "{same} of {files} files are the same");
    Ok(outcome)
}

/// Returns the verdict on a file: `Ok` if both results are the same, `Err` with the difference otherwise.
fn verdict(ours: &Made, theirs: &Made) -> Result<String, String> {
    match (ours.accepted, theirs.accepted) {
        (true, false) => Err(match theirs.line {
            Some(line) => format!("only splc accepts it; the compiler's first error is on line {line}"),
            None => "only splc accepts it".to_owned(),
        }),
        (false, true) => Err(match ours.line {
            Some(line) => format!("only the compiler accepts it; splc's first error is on line {line}"),
            None => "only the compiler accepts it".to_owned(),
        }),
        (false, false) if ours.line == theirs.line => Ok("rejected by both".to_owned()),
        (false, false) => {
            let line = |line: Option<usize>| line.map_or("no line".to_owned(), |line| format!("line {line}"));
            Ok(format!("rejected by both: splc in {}, the compiler in {}", line(ours.line), line(theirs.line)))
        }
        (true, true) => {
            let names = ours.files.keys().chain(theirs.files.keys());
            let mut different: Vec<&str> =
                names.filter(|name| ours.files.get(*name) != theirs.files.get(*name)).map(String::as_str).collect();
            different.order();
            different.dedup();
            match different.as_slice() {
                [] => Ok(format!("{} level files", ours.files.len())),
                names => {
                    Err(format!("{} of {} level files differ: {}", names.len(), theirs.files.len(), names.join(", ")))
                }
            }
        }
    }
}

fn ours(compiled: splc_driver::Compiled) -> Made {
    let judged = compiled.judged;
    let first = judged.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let line = first
        .filter_map(|diagnostic| diagnostic.span)
        .map(|span| judged.sources.line_column(span.file, span.start).0)
        .min();
    let files = compiled.made.files.into_iter().map(|file| (file.name, file.bytes));
    Made { accepted: !judged.diagnostics.has_errors(), files: files.collect(), line }
}

/// Runs the compiler for the file at `path` in a temporary folder.
fn theirs(compiler: &Path, path: &Path) -> Result<Made, Box<Diagnostic>> {
    let problem = |error: std::io::Error| trouble(format!("{}: {error}", compiler.display()));
    let folder = tempfile::tempdir().map_err(problem)?;
    let source = fs::canonicalize(path).map_err(|error| trouble(format!("{}: {error}", path.display())))?;
    let said = fs::File::create(folder.path().join("said")).map_err(problem)?;
    let mut child = Command::new(compiler)
        .arg(&source)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(said.try_clone().map_err(problem)?)
        .stderr(said)
        .spawn()
        .map_err(problem)?;
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(problem)? {
            break Some(status);
        }
        if begun.elapsed() > MAX_TIME {
            child.kill().map_err(problem)?;
            child.wait().map_err(problem)?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let mut made = Made { accepted: status.is_some_and(|status| status.success()), ..Made::default() };
    let mut text = Vec::new();
    let file = fs::File::open(folder.path().join("said")).map_err(problem)?;
    file.take(MAX_SAID_BYTES).read_to_end(&mut text).map_err(problem)?;
    made.line = first_line(&String::from_utf8_lossy(&text));
    for entry in fs::read_dir(folder.path()).map_err(problem)? {
        let entry = entry.map_err(problem)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".lev") {
            made.files.insert(name, fs::read(entry.path()).map_err(problem)?);
        }
    }
    Ok(made)
}

/// Returns the line named by the first message that is not a warning: `x.des: line 3 : ...`.
fn first_line(said: &str) -> Option<usize> {
    said.lines().filter(|line| !line.contains("WARNING")).find_map(|line| {
        let (_, rest) = line.split_once("line ")?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..digits].parse().ok()
    })
}
