//! `splc run`: runs levels as the game would, and shows the finished levels.
//!
//! The crate of the VM runs and judges levels; this module calls it and prints the results. [`settings`] sets up the
//! game around a level, [`show`] prints levels, [`counts`] prints statistics, [`sheet`] draws, [`bitmap`] and
//! [`markup`] write drawings to files, [`wiki`] writes wikitext, and [`debugger`] steps through a level.

use std::ffi::OsStr;
use std::io::{self, StdoutLock, Write};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::Path;
use std::path::PathBuf;

use anstream::AutoStream;
use clap::{Args, ValueEnum};
use debugger::Debugger;
use serde::Serialize;
use sheet::{Sheet, Theme};
use splc_driver::freeze::{self, FreezeError};
use splc_driver::{Loaded, Options, Runnable, load};
use splc_ir::catalog::{Catalog, Shared};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevels, did_you_mean};
use splc_ir::source::SourceMap;
use splc_ir::wording::visible;
use splc_picture::{Document, Picture};
use splc_vm::{
    Chronicle, DrawLines, Fault, Level, Machine, Maker, Observer, Prepared, Remarks, Settings, SplitMix, Trace, VmError,
};

use crate::dungeon_file::within;
use crate::input::{self, FilesOnDisk};
use crate::interrupt;
use crate::options::groups::{DungeonFile, Sources, Surroundings, Watching};
use crate::options::values::seeds_or_count;
use crate::outcome::Outcome;
use crate::output;
use crate::report::{ColorChoice, Ending, Reporter};

mod bitmap;
mod counts;
mod debugger;
pub(crate) mod markup;

/// `splc run`.
#[derive(Debug, Args)]
pub struct Run {
    /// What is read: des-files or level files.
    #[command(flatten)]
    pub sources: Sources,

    /// Seed for the random numbers
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "seeds")]
    pub seed: u64,

    /// Run with N seeds, starting at 1, or with the seeds A to B
    #[arg(long, value_name = "N|A..B", value_parser = seeds_or_count)]
    pub seeds: Option<RangeInclusive<u64>>,

    /// Only the level with this name; can be repeated
    #[arg(long = "level", value_name = "NAME")]
    pub levels: Vec<String>,

    /// Trace the loader, with or without its random draws
    #[arg(
        long,
        value_name = "WHAT",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "draws",
        conflicts_with_all = ["json", "stats", "step", "png", "svg", "html"]
    )]
    pub trace: Option<TraceLines>,

    /// Print each level as a line of JSON
    #[arg(long, conflicts_with_all = ["stats", "step"])]
    pub json: bool,

    /// Write the level as a source that always makes just this level: a des-file, or a Lua script for NetHack 5
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["seeds", "trace", "json", "stats", "step", "breakpoints"])]
    pub freeze: Option<PathBuf>,

    /// Print a solution of a puzzle of boulders, as those of Sokoban
    #[arg(long, conflicts_with_all = ["trace", "json", "stats", "step", "freeze", "png", "svg", "html", "wiki"])]
    pub solve: bool,

    /// Run many seeds and print statistics
    #[arg(long, conflicts_with = "step")]
    pub stats: bool,

    /// Number of threads for --stats [default: one per core]
    #[arg(long, value_name = "N", requires = "stats")]
    pub threads: Option<NonZeroUsize>,

    /// Write a picture of the level or statistics to this file, or to standard output (`-`)
    #[arg(long, value_name = "FILE.png|-", conflicts_with = "step")]
    pub png: Option<PathBuf>,

    /// Write the picture as SVG
    #[arg(long, value_name = "FILE.svg|-", conflicts_with = "step")]
    pub svg: Option<PathBuf>,

    /// Write the picture as an HTML page
    #[arg(long, value_name = "FILE.html|-", conflicts_with = "step")]
    pub html: Option<PathBuf>,

    /// Write the level as wikitext for the NetHack wiki
    #[arg(long, value_name = "FILE.txt|-", conflicts_with_all = ["step", "stats", "trace", "breakpoints"])]
    pub wiki: Option<PathBuf>,

    /// Colours of the pictures
    #[arg(long, value_name = "THEME", value_enum, default_value_t, hide_possible_values = false)]
    pub theme: Theme,

    /// Step through the level statement by statement; `h` lists the commands
    #[arg(long)]
    pub step: bool,

    /// Step through the level from this line on; can be repeated
    #[arg(
        long = "break",
        value_name = "LINE",
        conflicts_with_all = ["trace", "json", "stats", "png", "svg", "html"]
    )]
    pub breakpoints: Vec<NonZeroUsize>,

    /// The game around the level.
    #[command(flatten)]
    pub surroundings: Surroundings,

    /// The dungeon around.
    #[command(flatten)]
    pub dungeon: DungeonFile,

    /// Repetition.
    #[command(flatten)]
    pub watching: Watching,
}

/// What a trace holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceLines {
    /// Draws, events and the finished level
    Draws,
    /// Events and the finished level
    Events,
}
pub(crate) mod settings;
pub(crate) mod sheet;
pub(crate) mod show;
mod solve;
mod wiki;

/// Most facts of a frozen level that are listed on each side.
const MOST_FACTS: usize = 10;

/// Most levels that go into one picture.
const MAX_PICTURES: usize = 64;

/// The reason why the command ends early.
enum End {
    /// The options or a file are invalid.
    Problem(Box<Diagnostic>),
    /// The reader of the output closed the pipe.
    Closed,
    /// The user quit.
    Quit,
}

impl From<Box<Diagnostic>> for End {
    fn from(problem: Box<Diagnostic>) -> Self {
        End::Problem(problem)
    }
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return End::Closed;
        }
        let message = format!("cannot write to the standard output: {error}");
        End::Problem(Box::new(Diagnostic::new(Code::Unwritable, None, message)))
    }
}

/// Runs the levels and shows them.
pub fn run(arguments: &Run, lints: LintLevels) -> Outcome {
    let mut reporter = Reporter::new(arguments.sources.message_format, arguments.sources.color);
    let outcome = match Session::new(arguments).all(lints, &mut reporter) {
        Ok(outcome) => outcome,
        Err(End::Closed | End::Quit) => Outcome::Fine,
        Err(End::Problem(problem)) => {
            reporter.report_alone(*problem);
            Outcome::Trouble
        }
    };
    reporter.finish(Ending::Checking);
    outcome
}

/// A level that failed: the error, the first seed with it, and the number of seeds.
struct Failure {
    error: VmError,
    seed: u64,
    count: u64,
}

/// One execution of the command.
struct Session<'a> {
    arguments: &'a Run,
    screen: AutoStream<StdoutLock<'static>>,
    machine: Machine,
    /// Worst result of the searches for solutions.
    solved: Outcome,
    sheet: Sheet,
    /// The levels as wikitext, if requested.
    wiki: Vec<String>,
    /// Set if text was printed that needs an empty line after it.
    printed: bool,
    /// Set once a level was frozen.
    frozen: bool,
}

/// Value of `schema` in every level.
const SCHEMA: &str = "splc-run";

/// Format version. It is raised by every change that breaks readers; new keys do not.
const SCHEMA_VERSION: u32 = 1;

/// A finished level as `splc run --json` writes it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Run"))]
pub(crate) struct Made<'a> {
    /// Name of the format of this object.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA)))]
    schema: &'static str,
    /// Version of the format.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA_VERSION)))]
    version: u32,
    /// Name of the level.
    level: &'a str,
    /// Target of the level.
    game: &'a str,
    /// Seed of the run.
    seed: u64,
    /// Number of draws.
    draws: u64,
    /// The upper left corners of its maps, (0,0) of the source, before the level was flipped.
    maps: Vec<[i32; 2]>,
    /// The statements that created the things of the level, in the order of its lists; `null` if unknown.
    origins: Origins,
    #[serde(flatten)]
    document: Document,
}

/// The statements that created the things of a level.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Origins {
    monsters: Vec<Option<Origin>>,
    objects: Vec<Option<Origin>>,
    gold: Vec<Option<Origin>>,
    traps: Vec<Option<Origin>>,
    engravings: Vec<Option<Origin>>,
}

/// The statement that created a thing.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Origin {
    /// Line of the source; `null` for a level file, which has none.
    line: Option<usize>,
    /// Number of the step of the loader.
    step: usize,
    /// The place as the statement counts it, from the corner of its map or room.
    place: [i32; 2],
}

impl Origins {
    fn of(level: &Level, chronicle: &Chronicle, program: &Prepared, sources: &SourceMap) -> Self {
        let origin = |maker: Option<Maker>, place: (i32, i32)| {
            let maker = maker.filter(|maker| maker.at < program.len())?;
            let span = program.span(maker.at).filter(|span| !sources.text(*span).is_empty());
            let (x, y) = chronicle.as_written(place, maker, level);
            let line = span.map(|span| sources.line_column(span.file, span.start).0);
            Some(Origin { line, step: maker.at, place: [x, y] })
        };
        let monsters = level.monsters().iter().enumerate();
        let objects = level.objects().iter().enumerate();
        let gold = level.gold().iter().enumerate();
        let traps = level.traps().iter().enumerate();
        let engravings = level.engravings().iter().enumerate();
        Origins {
            monsters: monsters.map(|(at, it)| origin(chronicle.monster(at), (it.x, it.y))).collect(),
            objects: objects.map(|(at, it)| origin(chronicle.object(at), (it.x, it.y))).collect(),
            gold: gold.map(|(at, it)| origin(chronicle.gold(at), (it.x, it.y))).collect(),
            traps: traps.map(|(at, it)| origin(chronicle.trap(at), (it.x, it.y))).collect(),
            engravings: engravings.map(|(at, it)| origin(chronicle.engraving(at), (it.x, it.y))).collect(),
        }
    }
}

impl<'a> Session<'a> {
    fn new(arguments: &'a Run) -> Self {
        let choice = match arguments.sources.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        Session {
            arguments,
            screen: AutoStream::new(io::stdout().lock(), choice),
            machine: Machine::new(),
            solved: Outcome::Fine,
            sheet: Sheet::with_theme(arguments.theme),
            wiki: Vec::new(),
            printed: false,
            frozen: false,
        }
    }

    fn all(&mut self, lints: LintLevels, reporter: &mut Reporter) -> Result<Outcome, End> {
        let standard = self.on_standard_output();
        if standard > 1 || standard == 1 && self.arguments.json {
            let problem = usage("only one output can go to standard output");
            return Err(Box::new(problem.with_help("write the other pictures to files")).into());
        }
        let mut outcome = Outcome::Fine;
        let mut missing: Vec<&str> = self.arguments.levels.iter().map(String::as_str).collect();
        let mut known: Vec<String> = Vec::new();
        let dungeon = self.arguments.dungeon.file.as_deref();
        let Some(wanted) = within(dungeon, &self.arguments.sources, &lints, reporter)? else {
            return Ok(Outcome::InputErrors);
        };
        let options = Options { wanted, lints };
        for origin in input::Origin::list(&self.arguments.sources.files) {
            if self.steps() && origin == input::Origin::Standard {
                let message = "the debugger reads its commands from standard input, so the level must be a file";
                return Err(usage(message).into());
            }
            let loaded = load(origin.read()?, &options, &mut FilesOnDisk);
            let Loaded { target, levels, sources, diagnostics } =
                loaded.map_err(|problem| Box::new(Diagnostic::from(problem)))?;
            let catalog = target.catalog();
            if diagnostics.has_errors() {
                outcome = outcome.max(Outcome::InputErrors);
            }
            reporter.report(diagnostics, &sources);
            let settings = settings::of(&self.arguments.surroundings, catalog)?;
            for level in &levels {
                known.push(level.name.to_string());
                if !self.arguments.levels.is_empty() {
                    if !self.arguments.levels.iter().any(|name| name == level.name.as_str()) {
                        continue;
                    }
                    missing.retain(|name| *name != level.name);
                }
                for word in level.program.own_statements() {
                    anstream::eprintln!(
                        "note: {}: {word} creates terrain of its name here; any other effect in {} is unknown",
                        visible(level.name.as_str()),
                        visible(&catalog.title)
                    );
                }
                if let Some(path) = &self.arguments.freeze {
                    outcome = outcome.max(self.freeze(level, catalog, &settings, path, reporter)?);
                    continue;
                }
                let failures = self.level(level, catalog, &sources, &settings)?;
                if !failures.is_empty() {
                    outcome = outcome.max(Outcome::InputErrors);
                }
                report_failures(&failures, &level.program, self.seed_count(), &sources, reporter);
                if interrupt::is_requested() {
                    self.draw()?;
                    return Ok(Outcome::Interrupted);
                }
            }
        }
        if let (Some(name), Outcome::Fine) = (missing.first(), outcome) {
            let problem = usage(format!("no level named \"{}\"", visible(name)));
            let near = did_you_mean(name, known.iter().map(String::as_str));
            let list = || format!("the levels are: {}", known.join(", "));
            return Err(Box::new(problem.with_help(near.unwrap_or_else(list))).into());
        }
        self.draw()?;
        Ok(outcome.max(self.solved))
    }

    /// Writes the pictures that the options select.
    fn draw(&mut self) -> Result<(), End> {
        if self.sheet.is_empty() {
            return Ok(());
        }
        if let Some(path) = &self.arguments.png {
            self.picture(path, &bitmap::encode(&self.sheet)?)?;
        }
        if let Some(path) = &self.arguments.svg {
            self.picture(path, markup::svg(&self.sheet).as_bytes())?;
        }
        if let Some(path) = &self.arguments.html {
            self.picture(path, markup::html(&self.sheet).as_bytes())?;
        }
        if let Some(path) = &self.arguments.wiki {
            self.picture(path, self.wiki.join("\n").as_bytes())?;
        }
        Ok(())
    }

    /// Writes a picture to the file at `path`, or (`-`) to the standard output.
    fn picture(&mut self, path: &Path, bytes: &[u8]) -> Result<(), End> {
        if path.as_os_str() != "-" {
            return Ok(output::write_file(path, bytes)?);
        }
        // Bypass the screen: its colour handling must not change a picture.
        self.screen.flush()?;
        Ok(output::write_standard(bytes)?)
    }

    /// Writes a level as a source, and reports what the source does not pin.
    fn freeze(
        &mut self,
        level: &Runnable,
        catalog: &Shared,
        settings: &Settings,
        path: &Path,
        reporter: &mut Reporter,
    ) -> Result<Outcome, End> {
        if std::mem::replace(&mut self.frozen, true) {
            let problem = usage("--freeze writes one level");
            return Err(Box::new(problem.with_help("select it with --level")).into());
        }
        let wanted = freeze::extension(catalog).unwrap_or_default();
        let given = path.extension().and_then(OsStr::to_str).unwrap_or(wanted);
        if ["des", "lua"].contains(&given) && given != wanted && !wanted.is_empty() {
            let problem = usage(format!("the sources of {} are {wanted} files", visible(&catalog.title)));
            return Err(Box::new(problem.with_help(format!("name the file {}.{wanted}", visible(&level.name)))).into());
        }
        let seed = self.arguments.seed;
        let frozen = match freeze::freeze(level.name.as_str(), &level.program, catalog, seed, settings) {
            Ok(frozen) => frozen,
            Err(FreezeError::Run(error)) => {
                let failure = Failure { error, seed, count: 1 };
                report_failures(&[failure], &level.program, 1, &SourceMap::new(), reporter);
                return Ok(Outcome::InputErrors);
            }
            Err(FreezeError::Unwritable(reason)) => {
                let message = format!("{} for {}: {reason}", visible(&level.name), visible(&catalog.title));
                return Err(Box::new(Diagnostic::new(Code::Target, None, message)).into());
            }
            Err(FreezeError::Target(problem)) => return Err(Box::new(Diagnostic::from(problem)).into()),
            Err(FreezeError::Source(problem)) => {
                let (diagnostics, sources) = *problem;
                reporter.report(diagnostics, &sources);
                return Ok(Outcome::InputErrors);
            }
        };
        self.picture(path, frozen.text.as_bytes())?;
        if !frozen.proven && frozen.lost.is_empty() && frozen.added.is_empty() {
            anstream::eprintln!(
                "note: {}: too many outcomes to try all; {} levels of the source are the level of seed {seed}",
                visible(&level.name),
                freeze::SEEDS
            );
        } else if !frozen.proven {
            let message = format!("the frozen {} is not always exactly the level of seed {seed}", visible(&level.name));
            let mut problem = Diagnostic::new(Code::NotPinned, None, message);
            for (facts, what) in [(&frozen.lost, "not always made"), (&frozen.added, "sometimes added")] {
                let shown = facts.iter().take(MOST_FACTS);
                problem = shown.fold(problem, |problem, fact| problem.with_note(format!("{what}: {fact}")));
                if facts.len() > MOST_FACTS {
                    problem = problem.with_note(format!("{what}: {} more", facts.len() - MOST_FACTS));
                }
            }
            reporter.report_alone(problem);
        }
        Ok(Outcome::Fine)
    }

    /// Returns true if the user steps through the level.
    fn steps(&self) -> bool {
        self.arguments.step || !self.arguments.breakpoints.is_empty()
    }

    /// Returns true if the options select a picture.
    fn draws(&self) -> bool {
        self.pictures().next().is_some()
    }

    fn pictures(&self) -> impl Iterator<Item = &'a PathBuf> {
        let Run { png, svg, html, wiki, .. } = self.arguments;
        [png, svg, html, wiki].into_iter().flatten()
    }

    /// Returns the number of pictures for the standard output, which then carries nothing else.
    fn on_standard_output(&self) -> usize {
        self.pictures().filter(|path| path.as_os_str() == "-").count()
    }

    fn seeds(&self) -> std::ops::RangeInclusive<u64> {
        self.arguments.seeds.clone().unwrap_or(self.arguments.seed..=self.arguments.seed)
    }

    fn seed_count(&self) -> u64 {
        let seeds = self.seeds();
        seeds.end() - seeds.start() + 1
    }

    /// Runs a level and shows it as the options say.
    fn level(
        &mut self,
        level: &Runnable,
        catalog: &Catalog,
        sources: &SourceMap,
        settings: &Settings,
    ) -> Result<Vec<Failure>, End> {
        if self.arguments.stats {
            return self.count(level, catalog, sources, settings);
        }
        let mut failures: Vec<Failure> = Vec::new();
        for seed in self.seeds() {
            let result = if self.steps() {
                self.step_through(level, catalog, sources, settings, seed)?
            } else if let Some(lines) = self.arguments.trace {
                self.trace(level, catalog, settings, seed, lines)?
            } else {
                self.show(level, catalog, sources, settings, seed)?
            };
            let Err(error) = result else { continue };
            match failures.iter_mut().find(|failure| failure.error == error) {
                Some(failure) => failure.count += 1,
                None => failures.push(Failure { error, seed, count: 1 }),
            }
        }
        Ok(failures)
    }

    /// Runs a level with `observer`.
    fn make<O: Observer>(
        &mut self,
        level: &Runnable,
        settings: &Settings,
        seed: u64,
        observer: &mut O,
    ) -> Result<(), VmError> {
        self.machine.run(&level.program, settings, &mut SplitMix::new(seed), observer).map(|_| ())
    }

    /// Prints an empty line after previous output.
    fn part(&mut self) -> Result<(), End> {
        if self.printed {
            writeln!(self.screen)?;
        }
        self.printed = true;
        Ok(())
    }

    fn trace(
        &mut self,
        level: &Runnable,
        catalog: &Catalog,
        settings: &Settings,
        seed: u64,
        lines: TraceLines,
    ) -> Result<Result<(), VmError>, End> {
        let mut trace = Trace::new(match lines {
            TraceLines::Draws => DrawLines::Shown,
            TraceLines::Events => DrawLines::Hidden,
        });
        let result = self.make(level, settings, seed, &mut trace);
        // A single level needs no title above its trace.
        if self.printed || self.seed_count() > 1 {
            self.part()?;
            writeln!(self.screen, "level {}, seed {seed}", level.name)?;
        }
        self.printed = true;
        match &result {
            Ok(()) => write!(self.screen, "{}", trace.finish(self.machine.level(), catalog))?,
            // There is no finished level.
            Err(_) => write!(self.screen, "{}", trace.text())?,
        }
        self.screen.flush()?;
        Ok(result)
    }

    fn show(
        &mut self,
        level: &Runnable,
        catalog: &Catalog,
        sources: &SourceMap,
        settings: &Settings,
        seed: u64,
    ) -> Result<Result<(), VmError>, End> {
        let mut observer = ((Remarks::new(), Trace::new(DrawLines::Hidden)), Chronicle::new());
        if let Err(error) = self.make(level, settings, seed, &mut observer) {
            return Ok(Err(error));
        }
        let ((remarks, trace), mut chronicle) = observer;
        chronicle.finish(self.machine.level());
        let title = format!("{}, seed {seed} ({})", level.name, catalog.title);
        if self.draws() {
            if self.sheet.len() >= MAX_PICTURES {
                let problem = usage(format!("a picture shows at most {MAX_PICTURES} levels"));
                return Err(Box::new(problem.with_help("select levels with --level and --seed")).into());
            }
            self.sheet.level(&title, self.machine.level(), catalog);
            if self.arguments.wiki.is_some() {
                self.wiki.push(wiki::level(&title, self.machine.level(), catalog));
            }
        }
        if self.arguments.json {
            let document = Document::of(self.machine.level(), catalog);
            let made = Made {
                schema: SCHEMA,
                version: SCHEMA_VERSION,
                level: &level.name,
                game: &catalog.name,
                seed,
                draws: trace.draws(),
                maps: chronicle.maps().iter().map(|&(x, y)| [x, y]).collect(),
                origins: Origins::of(self.machine.level(), &chronicle, &level.program, sources),
                document,
            };
            let text = serde_json::to_string(&made).map_err(io::Error::from)?;
            writeln!(self.screen, "{text}")?;
        } else if !self.draws() {
            self.part()?;
            let program = &level.program;
            let line = |at| show::line(program, at, sources);
            let text = show::level(&title, self.machine.level(), catalog, &chronicle, line)
                + &show::remarks(remarks.list(), |at| show::place(program, at, sources));
            write!(self.screen, "{text}")?;
            if self.arguments.solve {
                let (text, outcome) = solve::text(self.machine.level(), &program.game);
                write!(self.screen, "{text}")?;
                self.solved = self.solved.max(outcome);
            }
        }
        self.screen.flush()?;
        Ok(Ok(()))
    }

    fn count(
        &mut self,
        level: &Runnable,
        catalog: &Catalog,
        sources: &SourceMap,
        settings: &Settings,
    ) -> Result<Vec<Failure>, End> {
        let seeds = self.seeds();
        let statistics = counts::gather(&level.program, settings, seeds.clone(), self.arguments.threads, &level.name);
        let failed: u64 = statistics.faults().map(|(_, count, _)| count).sum();
        let (done, all) = (statistics.levels() + failed, self.seed_count());
        let range = if done < all {
            format!("interrupted after {done} of seeds {} to {}", seeds.start(), seeds.end())
        } else {
            format!("seeds {} to {}", seeds.start(), seeds.end())
        };
        let title = format!("{}, {range} ({})", level.name, catalog.title);
        if self.draws() && statistics.levels() > 0 {
            if self.sheet.len() >= MAX_PICTURES {
                return Err(usage(format!("a picture shows at most {MAX_PICTURES} levels")).into());
            }
            self.sheet.counts(&title, &statistics, catalog);
        }
        if self.on_standard_output() == 0 {
            self.part()?;
            let program = &level.program;
            let text = counts::text(&title, &statistics, catalog, |at| show::place(program, at, sources));
            write!(self.screen, "{text}")?;
            self.screen.flush()?;
        }
        let failure = |(error, count, seed): (&VmError, u64, u64)| Failure { error: error.clone(), seed, count };
        Ok(statistics.faults().map(failure).collect())
    }

    fn step_through(
        &mut self,
        level: &Runnable,
        catalog: &Catalog,
        sources: &SourceMap,
        settings: &Settings,
        seed: u64,
    ) -> Result<Result<(), VmError>, End> {
        self.part()?;
        let title = format!("{}, seed {seed} ({})", level.name, catalog.title);
        writeln!(self.screen, "{title}")?;
        let lines: Vec<usize> = self.arguments.breakpoints.iter().map(|line| line.get()).collect();
        let input = io::stdin().lock();
        let debugger = Debugger::new(input, &mut self.screen, sources, catalog, lines, self.arguments.step);
        let mut observer = (debugger, Chronicle::new());
        let result = self.machine.run(&level.program, settings, &mut SplitMix::new(seed), &mut observer).map(|_| ());
        let (debugger, mut chronicle) = observer;
        if let Some(error) = debugger.into_error() {
            return Err(error.into());
        }
        match result {
            Ok(()) => {
                chronicle.finish(self.machine.level());
                let line = |at| show::line(&level.program, at, sources);
                let text = show::level(&title, self.machine.level(), catalog, &chronicle, line);
                write!(self.screen, "\n{text}")?;
                Ok(Ok(()))
            }
            Err(error) if error.fault == Fault::Stopped => Err(End::Quit),
            Err(error) => {
                let so_far = show::picture(&Picture::of(self.machine.level(), catalog));
                write!(self.screen, "\nThe level so far:\n{so_far}")?;
                self.screen.flush()?;
                Ok(Err(error))
            }
        }
    }
}

fn usage(message: impl Into<std::borrow::Cow<'static, str>>) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::Usage, None, message))
}

/// Reports the errors that stopped runs, at their statements.
fn report_failures(failures: &[Failure], program: &Prepared, seeds: u64, sources: &SourceMap, reporter: &mut Reporter) {
    let mut diagnostics = Diagnostics::new();
    for Failure { error, seed, count } in failures {
        let has_text = |span: &splc_ir::source::Span| !sources.text(*span).is_empty();
        let span = error.span.filter(has_text);
        let place = if span.is_some() { String::new() } else { format!("{}: ", show::step(program, error.at)) };
        let message = format!("{place}the game cannot load this level: {}", error.fault);
        let note = match (seeds, *count) {
            (1, _) => format!("on seed {seed}"),
            (_, 1) => format!("on 1 of {seeds} seeds: seed {seed}"),
            (..) => format!("on {count} of {seeds} seeds, first on seed {seed}"),
        };
        diagnostics.push(Diagnostic::new(Code::Fault, span, message).with_note(note));
    }
    reporter.report(diagnostics, sources);
}
