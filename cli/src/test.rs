//! `splc test`: runs levels with many seeds and reports problems on some of them.
//!
//! The crate of the VM judges the levels, and the driver turns the findings into diagnostics. This module calls it and
//! shows them.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use clap::Args;
use splc_driver::test::{Plan, test};
use splc_driver::{Loaded, Options, load};
use splc_ir::diagnostic::{Code, Diagnostic, LintLevels, Severity, did_you_mean};
use splc_ir::wording::{counted, visible};

use crate::dungeon_file::within;
use crate::findings::Findings;
use crate::input::{FilesOnDisk, Origin};
use crate::interrupt;
use crate::options::groups::{DungeonFile, Sources, Surroundings};
use crate::options::values::seeds_or_count;
use crate::outcome::Outcome;
use crate::output::print;
use crate::progress;
use crate::report::{Ending, MessageFormat, Reporter};
use crate::run::settings;
use crate::threads;

/// `splc test`.
#[derive(Debug, Args)]
pub struct Test {
    /// What is read: des-files or level files.
    #[command(flatten)]
    pub sources: Sources,

    /// Run with N seeds, starting at 1, or with the seeds A to B [default: 200]
    #[arg(long, value_name = "N|A..B", value_parser = seeds_or_count)]
    pub seeds: Option<RangeInclusive<u64>>,

    /// Only the level with this name; can be repeated
    #[arg(long = "level", value_name = "NAME")]
    pub levels: Vec<String>,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// The game around the levels.
    #[command(flatten)]
    pub surroundings: Surroundings,

    /// The dungeon around.
    #[command(flatten)]
    pub dungeon: DungeonFile,

    /// The treatment of what it finds.
    #[command(flatten)]
    pub treatment: Findings,
}

/// Default number of seeds.
const SEEDS: u64 = 200;

/// Tests the levels that the options select.
pub fn run(arguments: &Test, lints: LintLevels) -> Outcome {
    Reporter::run(arguments.sources.message_format, arguments.sources.color, Ending::Checking, |reporter| {
        arguments.treatment.apply(reporter, |reporter| all(arguments, lints, reporter))
    })
}

fn all(arguments: &Test, lints: LintLevels, reporter: &mut Reporter) -> Result<Outcome, Box<Diagnostic>> {
    let mut outcome = Outcome::Fine;
    let dungeon = arguments.dungeon.file.as_deref();
    let Some(wanted) = within(dungeon, &arguments.sources, &lints, reporter)? else { return Ok(Outcome::InputErrors) };
    let options = Options { wanted, lints };
    let seeds = arguments.seeds.clone().unwrap_or(1..=SEEDS);
    let total = (seeds.end() - seeds.start()).saturating_add(1);
    let threads = threads::count(arguments.threads, total);
    interrupt::listen();
    let mut interrupted = None;
    let (mut tested, mut findings, mut known) = (0, 0, Vec::new());
    let mut missing: Vec<&str> = arguments.levels.iter().map(String::as_str).collect();
    for origin in Origin::list(&arguments.sources.files) {
        let loaded = load(origin.read()?, &options, &mut FilesOnDisk);
        let mut loaded: Loaded = loaded.map_err(|problem| Box::new(Diagnostic::from(problem)))?;
        if loaded.diagnostics.has_errors() {
            outcome = outcome.max(Outcome::InputErrors);
        }
        reporter.report(loaded.diagnostics.take(), &loaded.sources);
        let settings = settings::of(&arguments.surroundings, loaded.target.catalog())?;
        for level in &loaded.levels {
            known.push(level.name.to_string());
            if !arguments.levels.is_empty() && !arguments.levels.iter().any(|name| name == level.name.as_str()) {
                continue;
            }
            missing.retain(|name| *name != level.name);
            let plan = Plan { settings: settings.clone(), seeds: seeds.clone(), threads };
            let found = progress::watched(total, &level.name, |progress| {
                let found = test(&loaded, level, &plan, &options.lints, progress);
                if progress.is_stopped() {
                    interrupted = Some(progress.done());
                }
                found
            });
            tested += 1;
            findings += found.len();
            for found in found {
                if found.diagnostic.severity == Severity::Error {
                    outcome = outcome.max(Outcome::InputErrors);
                }
                reporter.found(&found, &loaded.sources);
            }
            if let Some(done) = interrupted {
                let done = counted(usize::try_from(done).unwrap_or(usize::MAX), "seed");
                let name = visible(&level.name);
                let _ = print(&format!("interrupted at level \"{name}\", after {done}\n"));
                return Ok(Outcome::Interrupted);
            }
        }
    }
    if let (Some(name), Outcome::Fine) = (missing.first(), outcome) {
        let problem = Diagnostic::new(Code::Usage, None, format!("no level named \"{}\"", visible(name)));
        let near = did_you_mean(name, known.iter().map(String::as_str));
        return Err(Box::new(
            problem.with_help(near.unwrap_or_else(|| format!("the levels are: {}", known.join(", ")))),
        ));
    }
    if arguments.sources.message_format == MessageFormat::Human {
        let (levels, seeds) = (counted(tested, "level"), counted(usize::try_from(total).unwrap_or(usize::MAX), "seed"));
        let findings = if findings == 0 { "no findings".to_owned() } else { counted(findings, "finding") };
        outcome = outcome.max(print(&format!("{levels}, {seeds} each: {findings}\n")));
    }
    Ok(outcome)
}
