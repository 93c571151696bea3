//! Options for the findings of a check: counted, compared with a baseline, or without effect on the exit code.

use std::path::PathBuf;

use clap::Args;
use splc_ir::diagnostic::Diagnostic;
use splc_ir::wording::{counted, visible};

use crate::outcome::Outcome;
use crate::output;
use crate::report::Reporter;
use crate::report::baseline::Baseline;

/// The treatment of findings.
#[derive(Debug, Args)]
pub struct Findings {
    /// Print the number of diagnostics of each code
    #[arg(long)]
    pub statistics: bool,

    /// Report only diagnostics that FILE does not list
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    pub baseline: Option<PathBuf>,

    /// List all diagnostics in FILE, for --baseline
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,

    /// Exit with 0 even if there are errors
    #[arg(long)]
    pub exit_zero: bool,
}

impl Findings {
    /// Performs `work` with these options.
    ///
    /// # Errors
    /// Those of `work`, and of reading and writing the baseline.
    pub fn apply(
        &self,
        reporter: &mut Reporter,
        work: impl FnOnce(&mut Reporter) -> Result<Outcome, Box<Diagnostic>>,
    ) -> Result<Outcome, Box<Diagnostic>> {
        if self.statistics {
            reporter.count_by_code();
        }
        if let Some(path) = &self.baseline {
            reporter.compare_with(Baseline::open(path)?);
        } else if let Some(path) = &self.write_baseline {
            reporter.compare_with(Baseline::of_this_run(path));
        }
        let outcome = work(reporter)?;
        // An incomplete run says nothing about the diagnostics that it did not reach.
        let baseline = reporter.take_baseline().filter(|_| outcome != Outcome::Interrupted);
        let written = match (&self.write_baseline, baseline) {
            (Some(path), Some(baseline)) => {
                output::write_file(path, baseline.text().as_bytes())?;
                let (listed, name) = (counted(baseline.seen(), "diagnostic"), path.display().to_string());
                reporter.remark(&format!("{listed} listed in {}\n", visible(&name)));
                true
            }
            (None, Some(baseline)) => {
                let gone = baseline.gone();
                if gone > 0 {
                    let gone = counted(gone, "diagnostic");
                    reporter
                        .remark(&format!("{gone} of the baseline no longer found; update it with --write-baseline\n"));
                }
                false
            }
            _ => false,
        };
        Ok(match outcome {
            Outcome::InputErrors if self.exit_zero || written => Outcome::Fine,
            // All errors are in the baseline.
            Outcome::InputErrors if self.baseline.is_some() && reporter.errors() == 0 => Outcome::Fine,
            outcome => outcome,
        })
    }
}
