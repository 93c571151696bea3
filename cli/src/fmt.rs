//! `splc fmt`: formats des-files in place, or from the standard input to the standard output.
//!
//! All files are written, or none.

use std::path::PathBuf;

use clap::Args;
use splc_driver::Options;
use splc_driver::format::format;
use splc_ir::diagnostic::{Code, Diagnostic, LintLevels};
use splc_ir::wording::visible;

use crate::input::{FilesOnDisk, Origin};
use crate::options::groups::Sources;
use crate::outcome::Outcome;
use crate::output::{write_files, write_standard};
use crate::report::{Ending, Reporter};
use crate::wanted::wanted;

/// `splc fmt`.
#[derive(Debug, Args)]
pub struct Format {
    /// What is laid out.
    #[command(flatten)]
    pub sources: Sources,

    /// List the files that would change instead of changing them; exit with 1 if there are any
    #[arg(long)]
    pub check: bool,
}

/// Formats the files of `arguments`. With `--check`, returns [`Outcome::InputErrors`] if something would change.
pub fn run(arguments: &Format, lints: LintLevels) -> Outcome {
    Reporter::run(arguments.sources.message_format, arguments.sources.color, Ending::Fixing, |reporter| {
        format_all(arguments, lints, reporter)
    })
}

fn format_all(arguments: &Format, lints: LintLevels, reporter: &mut Reporter) -> Result<Outcome, Box<Diagnostic>> {
    let options = Options { wanted: wanted(&arguments.sources)?, lints };
    let mut outcome = Outcome::Fine;
    let mut said = Vec::new();
    let mut changed: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for origin in &Origin::list(&arguments.sources.files) {
        let Some(input) = reporter.read(origin, &mut outcome) else { continue };
        let (name, before) = (input.name.clone(), input.bytes.clone());
        let mut formatted = format(input, &options, &mut FilesOnDisk).map_err(|problem| Box::new(problem.into()))?;
        if formatted.bytes.is_none() {
            outcome = outcome.max(Outcome::InputErrors);
            if !formatted.diagnostics.has_errors() {
                let message = format!("{} contains an invalid token and is left unchanged", visible(&name));
                formatted.diagnostics.push(Diagnostic::new(Code::Lexical, None, message));
            }
        }
        reporter.report(formatted.diagnostics, &formatted.sources);
        let after = formatted.bytes.unwrap_or_else(|| before.clone());
        let differs = after != before;
        match origin.path() {
            _ if arguments.check => {
                if differs {
                    outcome = outcome.max(Outcome::InputErrors);
                    said.extend(format!("{}: would change\n", visible(&name)).into_bytes());
                }
            }
            None => said.extend(after),
            Some(path) if differs => changed.push((path.to_owned(), after)),
            Some(_) => {}
        }
    }
    write_files(&changed)?;
    write_standard(&said)?;
    Ok(outcome)
}
