//! `splc fix`: applies the edits of diagnostics that are safe without review.
//!
//! All files are written, or none. Included files are not changed, because the user did not name them.

use std::path::PathBuf;

use clap::Args;
use similar::TextDiff;
use splc_driver::Options;
use splc_driver::fix::correct;
use splc_ir::diagnostic::{Code, Diagnostic, LintLevels};
use splc_ir::wording::{counted, visible, wrapped};

use crate::input::{FilesOnDisk, Origin};
use crate::options::groups::Sources;
use crate::outcome::Outcome;
use crate::output::{write_files, write_standard};
use crate::report::baseline::Baseline;
use crate::report::{Ending, Reporter};
use crate::wanted::wanted;
use crate::width;

/// `splc fix`.
#[derive(Debug, Args)]
pub struct Fix {
    /// The files to fix.
    #[command(flatten)]
    pub sources: Sources,

    /// Print a unified diff instead of changing files
    #[arg(long)]
    pub dry_run: bool,

    /// Report only diagnostics that FILE does not list
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
}

/// Lines around a change that `--dry-run` shows.
const CONTEXT_LINES: usize = 3;

/// Fixes the files of `fix`. Returns [`Outcome::Fine`] if none of them has errors afterwards.
pub fn run(fix: &Fix, lints: LintLevels) -> Outcome {
    Reporter::run(fix.sources.message_format, fix.sources.color, Ending::Fixing, |reporter| {
        fix_all(fix, lints, reporter)
    })
}

fn fix_all(fix: &Fix, lints: LintLevels, reporter: &mut Reporter) -> Result<Outcome, Box<Diagnostic>> {
    let origins = Origin::list(&fix.sources.files);
    let filter = origins == [Origin::Standard] && !fix.sources.files.is_empty();
    if origins.contains(&Origin::Standard) && !filter {
        let problem = Diagnostic::new(Code::Usage, None, "cannot fix both files and standard input");
        let help = "name the des-files: splc fix FILE..., or use it as a filter: splc fix -";
        return Err(Box::new(problem.with_help(help)));
    }
    let options = Options { wanted: wanted(&fix.sources)?, lints };
    if let Some(path) = &fix.baseline {
        reporter.compare_with(Baseline::open(path)?);
    }
    let mut outcome = Outcome::Fine;
    let mut said = Vec::new();
    let mut changed: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for origin in &origins {
        let Some(input) = reporter.read(origin, &mut outcome) else { continue };
        let fixed = correct(&input, &options, &mut FilesOnDisk).map_err(|problem| Box::new(problem.into()))?;
        if fixed.diagnostics.has_errors() {
            outcome = outcome.max(Outcome::InputErrors);
        }
        if filter {
            said = match fix.dry_run {
                true if fixed.changes.is_empty() => Vec::new(),
                true => difference(&input.name, &input.bytes, &fixed.bytes),
                false => fixed.bytes,
            };
        } else if let (false, Some(path)) = (fixed.changes.is_empty(), origin.path()) {
            if fix.dry_run {
                said.extend(difference(&input.name, &input.bytes, &fixed.bytes));
            } else {
                let count = counted(fixed.changes.len(), "change");
                said.extend(format!("{}: {count}\n", visible(&input.name)).into_bytes());
                for change in &fixed.changes {
                    let line = format!("  {}", visible(&change.to_string()));
                    let line = width::terminal().map_or(line.clone(), |width| wrapped(&line, width, "    "));
                    said.extend(format!("{line}\n").into_bytes());
                }
            }
            changed.push((path.to_owned(), fixed.bytes));
        }
        reporter.report(fixed.diagnostics, &fixed.sources);
    }
    if !fix.dry_run {
        write_files(&changed)?;
    }
    // All errors are in the baseline.
    if fix.baseline.is_some() && outcome == Outcome::InputErrors && reporter.errors() == 0 {
        outcome = Outcome::Fine;
    }
    if changed.is_empty() && outcome == Outcome::Fine && !filter {
        said.extend(b"nothing to change\n");
    }
    write_standard(&said)?;
    Ok(outcome)
}

/// Returns the difference between `before` and `after` in the format of `patch`.
fn difference(name: &str, before: &[u8], after: &[u8]) -> Vec<u8> {
    let diff = TextDiff::from_lines(before, after);
    let mut text = format!("--- {name}\n+++ {name}\n", name = visible(name)).into_bytes();
    let mut unified = diff.unified_diff();
    // Written hunk by hunk, because only a hunk writes bytes that are not UTF-8 unchanged.
    for hunk in unified.context_radius(CONTEXT_LINES).iter_hunks() {
        // Writing to a buffer in memory does not fail.
        let _ = hunk.to_writer(&mut text);
    }
    text
}
