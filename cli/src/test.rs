//! `splc test`: runs levels with many seeds and reports problems on some of them.
//!
//! The crate of the VM judges the levels, and the driver turns the findings into diagnostics. This module calls it and
//! shows them: once for each level, again and again until a time is up ([`soak`]), or as a comparison of two versions
//! ([`compared`]).

mod compared;
mod rates;
mod soak;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use splc_driver::test::{Found, Plan, test};
use splc_driver::{Loaded, Options, Runnable, Wanted, dungeon, load};
use splc_ir::catalog::Format;
use splc_ir::diagnostic::{Code, Diagnostic, LintLevels, Severity, did_you_mean};
use splc_ir::dungeon::{Description, Ways};
use splc_ir::wording::{counted, visible};
use splc_vm::{Settings, Surrounding};

use crate::dungeon_file::within;
use crate::findings::Findings;
use crate::input::{FilesOnDisk, Origin};
use crate::interrupt;
use crate::options::groups::{DungeonFile, Sources, Surroundings, Watching};
use crate::options::values::{duration, seeds_or_count};
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

    /// Run with ever more seeds until the time is up or Ctrl-C, e.g. 90s, 10m, 8h; reports how rare each finding is
    #[arg(long = "for", value_name = "TIME", value_parser = duration, conflicts_with = "compare")]
    pub soak: Option<Duration>,

    /// Compare the rates of the findings in two versions of a file or folder
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["files", "baseline", "write_baseline"])]
    pub compare: Vec<PathBuf>,

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

    /// Repetition.
    #[command(flatten)]
    pub watching: Watching,
}

/// Default number of seeds.
const SEEDS: u64 = 200;

impl Test {
    /// Returns true if the level called `name` is to be tested.
    /// Parts of the game that the options do not give.
    fn vary(&self) -> splc_vm::Surroundings {
        let mut parts = splc_vm::Surroundings::default();
        if self.surroundings.hero.is_none() {
            parts.add(Surrounding::HeroRole);
            parts.add(Surrounding::HeroRace);
        }
        if self.surroundings.depth.is_none() {
            parts.add(Surrounding::Depth);
            parts.add(Surrounding::Difficulty);
        }
        parts
    }

    fn wants(&self, name: &str) -> bool {
        self.levels.is_empty() || self.levels.iter().any(|wanted| wanted == name)
    }
}

/// Tests the levels that the options select.
pub fn run(arguments: &Test, lints: LintLevels) -> Outcome {
    Reporter::run(arguments.sources.message_format, arguments.sources.color, Ending::Checking, |reporter| {
        arguments.treatment.apply(reporter, |reporter| {
            let dungeon = arguments.dungeon.file.as_deref();
            let Some(wanted) = within(dungeon, &arguments.sources, &lints, reporter)? else {
                return Ok(Outcome::InputErrors);
            };
            let options = Options { wanted, lints };
            interrupt::listen();
            if let [old, new] = arguments.compare.as_slice() {
                return compared::compare(arguments, &options, old, new, reporter);
            }
            match arguments.soak {
                Some(time) => soak::soak(arguments, &options, time, reporter),
                None => all(arguments, &options, reporter),
            }
        })
    })
}

/// Reads a file, reports its diagnostics, and returns its levels with the state of the game around them.
fn read(
    origin: &Origin,
    arguments: &Test,
    options: &Options,
    reporter: &mut Reporter,
    outcome: &mut Outcome,
) -> Result<(Loaded, Settings, Option<Description>), Box<Diagnostic>> {
    let loaded = load(origin.read()?, options, &mut FilesOnDisk);
    let mut loaded: Loaded = loaded.map_err(|problem| Box::new(Diagnostic::from(problem)))?;
    if loaded.diagnostics.has_errors() {
        *outcome = (*outcome).max(Outcome::InputErrors);
    }
    reporter.report(loaded.diagnostics.take(), &loaded.sources);
    let settings = settings::of(&arguments.surroundings, loaded.target.catalog())?;
    let dungeon = match &options.wanted.dungeon {
        Some(dungeon) => Some(dungeon.description.clone()),
        None => dungeon_beside(&loaded),
    };
    Ok((loaded, settings, dungeon))
}

/// Returns the dungeon described in the folder of the levels, if it is there and has no errors.
fn dungeon_beside(loaded: &Loaded) -> Option<Description> {
    let folder = loaded.sources.iter().next()?.1.path.as_deref()?.parent()?.to_owned();
    let name = if loaded.target.catalog().format == Format::Lua { "dungeon.lua" } else { "dungeon.def" };
    let path = folder.join(name);
    let input = Origin::of(&path).read().ok().filter(|_| path.is_file())?;
    let wanted = Wanted { catalog: Some(loaded.target.catalog().clone()), ..Wanted::default() };
    let read = dungeon::read(input, &Options { wanted, lints: LintLevels::default() }).ok()?;
    read.description.filter(|_| !read.diagnostics.has_errors())
}

/// Returns the ways that a level needs because of its place in the dungeon.
fn needs(loaded: &Loaded, level: &Runnable, dungeon: Option<&Description>) -> Ways {
    match dungeon {
        Some(dungeon) => dungeon.ways(&level.name, &loaded.target.catalog().dungeon.quest_prefix),
        None => Ways::default(),
    }
}

/// The number of findings by file and lint.
#[derive(Debug, Default)]
struct Summary {
    shown: usize,
    hidden: usize,
    files: BTreeMap<String, BTreeMap<Code, usize>>,
}

impl Summary {
    /// Reports a finding and counts it. One that the baseline lists is counted apart.
    fn add(&mut self, found: &Found, loaded: &Loaded, file: &str, reporter: &mut Reporter, outcome: &mut Outcome) {
        if !reporter.found(found, &loaded.sources) {
            self.hidden += 1;
            return;
        }
        self.shown += 1;
        *self.files.entry(file.to_owned()).or_default().entry(found.diagnostic.code).or_default() += 1;
        if found.diagnostic.severity == Severity::Error {
            *outcome = (*outcome).max(Outcome::InputErrors);
        }
    }

    /// Returns the table by file and lint, and the last line.
    fn text(&self, is_table_wanted: bool, run: &str) -> String {
        let mut text = String::new();
        if is_table_wanted {
            let width = self.files.keys().map(|file| visible(file).chars().count()).max().unwrap_or(0);
            for (file, lints) in &self.files {
                let lints = lints.iter().map(|(code, count)| format!("{} {count}", code.name()));
                let lints = lints.collect::<Vec<_>>().join(", ");
                text.push_str(&format!("{:width$}  {lints}\n", visible(file)));
            }
        }
        let findings = if self.shown == 0 { "no findings".to_owned() } else { counted(self.shown, "finding") };
        let hidden = if self.hidden == 0 { String::new() } else { format!("; {} in the baseline", self.hidden) };
        text.push_str(&format!("{run}: {findings}{hidden}\n"));
        text
    }
}

fn all(arguments: &Test, options: &Options, reporter: &mut Reporter) -> Result<Outcome, Box<Diagnostic>> {
    let mut outcome = Outcome::Fine;
    let seeds = arguments.seeds.clone().unwrap_or(1..=SEEDS);
    let total = (seeds.end() - seeds.start()).saturating_add(1);
    let threads = threads::count(arguments.threads, total);
    let mut interrupted = None;
    let (mut tested, mut summary, mut known) = (0, Summary::default(), Vec::new());
    let mut missing: Vec<&str> = arguments.levels.iter().map(String::as_str).collect();
    let origins = Origin::list(&arguments.sources.files);
    for origin in &origins {
        let (loaded, settings, dungeon) = read(origin, arguments, options, reporter, &mut outcome)?;
        for level in &loaded.levels {
            known.push(level.name.to_string());
            if !arguments.wants(&level.name) {
                continue;
            }
            missing.retain(|name| *name != level.name);
            let needs = needs(&loaded, level, dungeon.as_ref());
            let plan =
                Plan { settings: settings.clone(), seeds: seeds.clone(), threads, needs, vary: arguments.vary() };
            let found = progress::watched(total, &level.name, |progress| {
                let found = test(&loaded, level, &plan, &options.lints, progress);
                if progress.is_stopped() {
                    interrupted = Some(progress.done());
                }
                found
            });
            tested += 1;
            for found in &found {
                summary.add(found, &loaded, &origin.name(), reporter, &mut outcome);
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
        return Err(no_level(name, &known));
    }
    // After an error in the source, nothing was tested.
    let untested = tested == 0 && outcome != Outcome::Fine;
    if arguments.sources.message_format == MessageFormat::Human && !untested {
        let (levels, seeds) = (counted(tested, "level"), counted(usize::try_from(total).unwrap_or(usize::MAX), "seed"));
        outcome = outcome.max(print(&summary.text(origins.len() > 1, &format!("{levels}, {seeds} each"))));
    }
    Ok(outcome)
}

/// Returns the error that no level has the name of an option.
fn no_level(name: &str, known: &[String]) -> Box<Diagnostic> {
    let problem = Diagnostic::new(Code::Usage, None, format!("no level named \"{}\"", visible(name)));
    let near = did_you_mean(name, known.iter().map(String::as_str));
    Box::new(problem.with_help(near.unwrap_or_else(|| format!("the levels are: {}", known.join(", ")))))
}
