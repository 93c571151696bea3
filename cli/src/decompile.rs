//! `splc decompile`: turns level files back into source, in the language of their own game.
//!
//! All files are written, or none. With `--listing`, a level without source becomes a listing.

use std::path::{Path, PathBuf};

use clap::Args;
use splc_driver::output::{self, Output};
use splc_driver::{File, Input, Options, decompile};
use splc_ir::diagnostic::{Code, Diagnostic, LintLevels};
use splc_ir::order::Order;
use splc_ir::wording::counted;

use crate::input::Origin;
use crate::options::groups::Sources;
use crate::outcome::Outcome;
use crate::output::{Destination, write_file, write_folder, write_standard};
use crate::report::{Ending, Reporter};
use crate::wanted::wanted;

/// `splc decompile`.
#[derive(Debug, Args)]
pub struct Decompile {
    /// What is read: level files, also out of an archive (`nhdat:castle.lev`).
    #[command(flatten)]
    pub sources: Sources,

    /// Write the source to this folder or file, or to standard output (`-`) [default: -]
    #[arg(short, long, value_name = "DIR|FILE|-")]
    pub output: Option<PathBuf>,

    /// Write a listing of levels that cannot be decompiled
    #[arg(long)]
    pub listing: bool,
}

/// Decompiles the files of `arguments`. Returns [`Outcome::InputErrors`] if a level has no source.
pub fn run(arguments: &Decompile, lints: LintLevels) -> Outcome {
    Reporter::run(arguments.sources.message_format, arguments.sources.color, Ending::Checking, |reporter| {
        decompile_all(arguments, lints, reporter)
    })
}

fn decompile_all(
    arguments: &Decompile,
    lints: LintLevels,
    reporter: &mut Reporter,
) -> Result<Outcome, Box<Diagnostic>> {
    let options = Options { wanted: wanted(&arguments.sources)?, lints };
    let mut outcome = Outcome::Fine;
    let mut files = Vec::new();
    let mut complete = true;
    for origin in &Origin::list(&arguments.sources.files) {
        let Some(input) = reporter.read(origin, &mut outcome) else {
            complete = false;
            continue;
        };
        let decompiled = decompile(&input, &options).map_err(|problem| Box::new(problem.into()))?;
        reporter.report(decompiled.diagnostics, &decompiled.sources);
        let listing = decompiled.listing.filter(|_| arguments.listing);
        match (decompiled.source, listing) {
            (Some(source), _) => files.push(named(&input, &output::DES_FILE, source)),
            (None, Some(listing)) => {
                outcome = outcome.max(Outcome::InputErrors);
                files.push(named(&input, &output::LISTING, listing.into_bytes()));
            }
            (None, None) => {
                outcome = outcome.max(Outcome::InputErrors);
                complete = false;
            }
        }
    }
    if complete {
        let count = files.len();
        write(arguments.output.as_deref(), files)?;
        if arguments.output.as_ref().is_some_and(|path| path.as_os_str() != "-") {
            reporter.succeed(&format!("{} written\n", counted(count, "level")));
        }
    }
    Ok(outcome)
}

fn named(input: &Input, output: &Output, bytes: Vec<u8>) -> File {
    File { name: output.file_name(&input.stem()), bytes }
}

/// Writes all of `files`, or none. Several texts can go to the standard output.
fn write(output: Option<&Path>, files: Vec<File>) -> Result<(), Box<Diagnostic>> {
    let destination = output.map_or(Destination::Standard, |output| Destination::of(Some(output)));
    if let Destination::Folder(folder) = &destination {
        let mut names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        names.order();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let message = format!("two inputs write {}", twice[0]);
            return Err(Box::new(Diagnostic::new(Code::DuplicateOutput, None, message)));
        }
        return write_folder(folder, &files);
    }
    let mut all = Vec::new();
    for file in files {
        if !all.is_empty() {
            all.push(b'\n');
        }
        all.extend(file.bytes);
    }
    match destination {
        Destination::File(path) => write_file(&path, &all),
        _ => write_standard(&all),
    }
}
