//! `splc dungeon`: the games' dungeon compiler, a decompiler, and more.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use splc_driver::output::{self as outputs, Content, LEVEL_FILE, Output};
use splc_driver::{Compiler, File, Input, Options, Target, Wanted, dungeon, vaults};
use splc_frontends::dungeon::{format, prepare};
use splc_game::depths::{self, depths};
use splc_game::show;
use splc_game::{archive, crossing};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevels};
use splc_ir::dungeon::Description;
use splc_ir::order::Order;
use splc_ir::source::SourceMap;
use splc_ir::wording::{visible, visible_lines};
use splc_lua::NOT_LEVELS;

use crate::dungeon_file::{Loaded, Reading, Trouble};
use crate::input::{FilesOnDisk, Origin};
use crate::options::groups::Sources;
use crate::options::values::output_of;
use crate::outcome::Outcome;
use crate::output::{self, Destination};
use crate::report::{Ending, Reporter};
use crate::trouble::describe;

/// Name of the file that the games read, and the stem of all others.
const FILE_NAME: &str = "dungeon";

/// `splc dungeon`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// What is done.
    #[command(subcommand)]
    pub action: Action,
}

impl Arguments {
    /// Returns the source options.
    pub fn sources_mut(&mut self) -> &mut Sources {
        match &mut self.action {
            Action::Compile { sources, .. }
            | Action::Decompile { sources, .. }
            | Action::Check { sources, .. }
            | Action::Show { sources, .. }
            | Action::Fmt { sources, .. }
            | Action::Preprocess { sources, .. } => sources,
        }
    }
}

/// What is done with a description of a dungeon.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Compile dungeon.def to the file the game reads
    Compile {
        /// What is read: dungeon.def, or what `makedefs -e` makes of it, or a compiled file.
        #[command(flatten)]
        sources: Sources,
        /// Output format
        #[arg(long, value_name = "FORM", default_value = outputs::DUNGEON.name, value_parser = output_of(outputs::DUNGEONS))]
        emit: &'static Output,
        /// Write to this file or folder, or to standard output (`-`) [default: dungeon]
        #[arg(short, long, value_name = "FILE|DIR|-")]
        output: Option<PathBuf>,
    },
    /// Decompile a dungeon to dungeon.def
    Decompile {
        /// What is read: the file `dungeon` of a game, or out of its archive.
        #[command(flatten)]
        sources: Sources,
        /// Output format
        #[arg(long, value_name = "FORM", default_value = outputs::DUNGEON_TEXT.name, value_parser = output_of(outputs::DUNGEONS))]
        emit: &'static Output,
        /// Write to FILE [default: standard output]
        #[arg(short, long, value_name = "FILE|-")]
        output: Option<PathBuf>,
    },
    /// Check dungeon descriptions, without writing files
    Check {
        /// What is read.
        #[command(flatten)]
        sources: Sources,
        /// Compare with these levels: des-files, level files, archives, vaults.dat, or folders of them; can be repeated
        #[arg(long, value_name = "DIR|FILE")]
        levels: Vec<PathBuf>,
    },
    /// Show the dungeon as a tree: its levels, their possible depths and probabilities
    Show {
        /// What is read, in any form.
        #[command(flatten)]
        sources: Sources,
        /// Output format
        #[arg(long, value_name = "FORM", value_enum, default_value_t = Picture::Text)]
        emit: Picture,
        /// Write to FILE [default: standard output]
        #[arg(short, long, value_name = "FILE|-")]
        output: Option<PathBuf>,
    },
    /// Format dungeon descriptions: one statement per line, in columns
    Fmt {
        /// What is read.
        #[command(flatten)]
        sources: Sources,
        /// List the files that are not formatted instead of changing them
        #[arg(long)]
        check: bool,
    },
    /// Preprocess dungeon.def, as `makedefs -e` does
    Preprocess {
        /// What is read: dungeon.def.
        #[command(flatten)]
        sources: Sources,
        /// Write to FILE [default: standard output]
        #[arg(short, long, value_name = "FILE|-")]
        output: Option<PathBuf>,
    },
}

/// Ways to show a dungeon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Picture {
    /// Text
    Text,
    /// A picture as SVG
    Svg,
}

/// Performs the action.
pub fn run(arguments: &Arguments, lints: &LintLevels) -> Outcome {
    let (sources, ending) = match &arguments.action {
        Action::Compile { sources, .. }
        | Action::Decompile { sources, .. }
        | Action::Show { sources, .. }
        | Action::Preprocess { sources, .. } => (sources, Ending::Writing),
        Action::Check { sources, .. } | Action::Fmt { sources, .. } => (sources, Ending::Checking),
    };
    let mut reporter = Reporter::new(sources.message_format, sources.color);
    let mut outcome = Outcome::Fine;
    let inputs = Origin::list(&sources.files);
    let single = matches!(
        arguments.action,
        Action::Compile { .. } | Action::Decompile { .. } | Action::Show { .. } | Action::Preprocess { .. }
    );
    if single && inputs.len() > 1 {
        let problem = Diagnostic::new(Code::Usage, None, "name one file: a game has one dungeon");
        reporter.report_alone(problem);
        outcome = Outcome::Trouble;
    } else {
        for input in &inputs {
            let mut run = Run { sources, lints, input, reporter: &mut reporter };
            outcome = outcome.max(match run.act(&arguments.action) {
                Ok(outcome) => outcome,
                Err(Trouble(problem, outcome)) => {
                    reporter.report_alone(*problem);
                    outcome
                }
            });
        }
    }
    reporter.finish(ending);
    outcome
}

struct Run<'a> {
    sources: &'a Sources,
    lints: &'a LintLevels,
    input: &'a Origin,
    reporter: &'a mut Reporter,
}

impl<'a> Run<'a> {
    fn act(&mut self, action: &Action) -> Result<Outcome, Trouble> {
        match action {
            Action::Compile { emit, output, .. } => self.write(emit, output.as_deref()),
            Action::Decompile { emit, output, .. } => self.write(emit, output.as_deref().or(Some(Path::new("-")))),
            Action::Check { levels, .. } => self.check(levels),
            Action::Show { emit, output, .. } => self.show(*emit, output.as_deref()),
            Action::Fmt { check, .. } => self.format(*check),
            Action::Preprocess { output, .. } => self.preprocess(output.as_deref()),
        }
    }

    fn reading(&self) -> Reading<'a> {
        Reading { sources: self.sources, lints: self.lints, input: self.input }
    }

    /// Reports the parts of a description that `emit` cannot express.
    fn losses(&mut self, description: &Description, emit: &Output) {
        let mut diagnostics = Diagnostics::with_lints(self.lints.clone());
        for lost in dungeon::lost(description, emit) {
            diagnostics.push(Diagnostic::new(Code::PortLost, None, lost));
        }
        self.reporter.report(diagnostics, &SourceMap::new());
    }

    /// Checks the description, and compares it with the levels in `paths`.
    fn check(&mut self, paths: &[PathBuf]) -> Result<Outcome, Trouble> {
        let Some(Loaded { description, target, sources }) = self.reading().load(self.reporter)? else {
            return Ok(Outcome::InputErrors);
        };
        if paths.is_empty() {
            return Ok(Outcome::Fine);
        }
        let mut levels = Levels::default();
        for path in paths {
            levels.add(path, &target)?;
        }
        let mut diagnostics = Diagnostics::with_lints(self.lints.clone());
        let found = crossing::cross(&description, &target.catalog().dungeon, &levels.names, &levels.vaults);
        found.into_iter().for_each(|diagnostic| diagnostics.push(diagnostic));
        let failed = diagnostics.has_errors();
        self.reporter.report(diagnostics, &sources);
        Ok(if failed { Outcome::InputErrors } else { Outcome::Fine })
    }

    fn damaged(&self, mut problem: Diagnostic) -> Trouble {
        problem.span = None;
        problem.message = format!("{}: {}", visible(&self.input.name()), problem.message).into();
        Trouble(Box::new(problem), Outcome::InputErrors)
    }

    fn write(&mut self, emit: &Output, output: Option<&Path>) -> Result<Outcome, Trouble> {
        let Some(Loaded { description, target, .. }) = self.reading().load(self.reporter)? else {
            return Ok(Outcome::InputErrors);
        };
        if emit.content == Content::Dungeon && !target.catalog().has_level_files() {
            let message = format!("{} has no compiled dungeon: it reads dungeon.lua", target.catalog().title);
            let problem = Diagnostic::new(Code::Usage, None, message).with_help("use --emit lua, text or json");
            return Err(Trouble(Box::new(problem), Outcome::Trouble));
        }
        self.losses(&description, emit);
        let bytes = dungeon::write(&description, emit, &target).map_err(|problem| self.damaged(problem))?;
        put(&Destination::of(output), &emit.file_name(FILE_NAME), &bytes)?;
        Ok(Outcome::Fine)
    }

    fn show(&mut self, emit: Picture, output: Option<&Path>) -> Result<Outcome, Trouble> {
        let Some(Loaded { description, target, .. }) = self.reading().load(self.reporter)? else {
            return Ok(Outcome::InputErrors);
        };
        let depths = depths(&description, &target.catalog().dungeon).map_err(|problem| {
            let code = match problem {
                depths::Problem::GameEnds(_) => Code::GameEnds,
                depths::Problem::TooManyWays(_) => Code::TooLarge,
            };
            self.damaged(Diagnostic::new(code, None, problem.to_string()))
        })?;
        let (text, name) = match emit {
            Picture::Text => (show::text(&description, &depths), "dungeon.txt"),
            Picture::Svg => (show::svg(&description, &depths), "dungeon.svg"),
        };
        // Names in a description can contain control characters.
        let text = visible_lines(&text);
        put(&Destination::of(output.or(Some(Path::new("-")))), name, text.as_bytes())?;
        Ok(Outcome::Fine)
    }

    fn format(&mut self, check: bool) -> Result<Outcome, Trouble> {
        let game = self.reading().named_game()?;
        let mut sources = SourceMap::new();
        let Input { name, place, bytes } = self.input.read()?;
        let file = sources.add(name, place, bytes);
        let source = sources.get(file);
        let formatted = format::format(&source.text, game.catalog().dungeon.controls);
        let mut bytes = Vec::new();
        source.charset.encode_into(&formatted, &mut bytes);
        if check {
            let same = formatted == source.text;
            if !same {
                let message = format!("{} is not formatted", visible(&source.name));
                self.reporter.report_alone(Diagnostic::new(Code::Style, None, message));
            }
            return Ok(if same { Outcome::Fine } else { Outcome::InputErrors });
        }
        match self.input.path() {
            Some(path) => output::write_file(path, &bytes)?,
            None => output::write_standard(&bytes)?,
        }
        Ok(Outcome::Fine)
    }

    fn preprocess(&mut self, output: Option<&Path>) -> Result<Outcome, Trouble> {
        let game = self.reading().named_game()?;
        let mut sources = SourceMap::new();
        let Input { name, place, bytes } = self.input.read()?;
        let file = sources.add(name, place, bytes);
        let mut diagnostics = Diagnostics::with_lints(self.lints.clone());
        let prepared = prepare(sources.get(file), file, game.catalog(), &mut diagnostics);
        let failed = diagnostics.has_errors();
        let charset = sources.get(file).charset;
        self.reporter.report(diagnostics, &sources);
        if failed {
            return Ok(Outcome::InputErrors);
        }
        put(&Destination::of(output.or(Some(Path::new("-")))), "dungeon.pdf", &prepared.to_file(charset))?;
        Ok(Outcome::Fine)
    }
}

/// The existing levels.
#[derive(Default)]
struct Levels {
    names: BTreeSet<String>,
    /// The random vaults among them.
    vaults: BTreeSet<String>,
}

impl Levels {
    /// Adds the levels at `path`: a level file, a des-file, an archive, or a folder of these.
    fn add(&mut self, path: &Path, game: &Target) -> Result<(), Trouble> {
        if !path.is_dir() {
            return self.add_file(path, game);
        }
        let unreadable = |error: &std::io::Error| {
            let shown = path.display().to_string();
            let message = format!("cannot read {}: {}", visible(&shown), describe(error));
            Box::new(Diagnostic::new(Code::Unreadable, None, message))
        };
        let entries = std::fs::read_dir(path).map_err(|error| unreadable(&error))?;
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.order();
        let is_level = |file: &PathBuf| {
            file.extension().is_some_and(|extension| extension == "lev" || extension == "des" || extension == "lua")
                || file.file_name().is_some_and(|name| name == archive::FILE_NAME || name == vaults::FILE_NAME)
        };
        files.iter().filter(|file| is_level(file)).try_for_each(|file| self.add_file(file, game))
    }

    fn add_file(&mut self, path: &Path, game: &Target) -> Result<(), Trouble> {
        if path.file_name().is_some_and(|name| name == vaults::FILE_NAME) {
            self.vaults.extend(vaults::names(&Origin::File(path.to_owned()).read()?.bytes));
            return Ok(());
        }
        let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
        match extension.as_deref() {
            Some("lev") => self.names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned())),
            Some("lua") => {
                self.names.extend(path.file_stem().map(|stem| stem.to_string_lossy()).and_then(script_level))
            }
            Some("des") => {
                let catalog = Some(game.catalog().clone());
                let wanted = Wanted { catalog, abi: Some(game.abi()), ..Wanted::default() };
                let mut compiler = Compiler::new(&LEVEL_FILE, Options { wanted, ..Options::default() });
                let input = Origin::File(path.to_owned()).read()?;
                let judged = compiler.compile(input, &mut FilesOnDisk).map_err(|problem| Box::new(problem.into()))?;
                self.names.extend(judged.levels.iter().map(|level| level.name.to_string()));
                let vaults = compiler.finish().vaults;
                self.vaults.extend(vaults.iter().map(|vault| String::from_utf8_lossy(&vault.name).into_owned()));
            }
            _ => {
                let archive = archive::open(path).map_err(|error| {
                    let (problem, outcome) = crate::trouble::of_archive(path, &error);
                    Trouble(Box::new(problem), outcome)
                })?;
                let names: Vec<String> = archive.files().map(|entry| entry.name().into_owned()).collect();
                let level = |name: &String| match name.strip_suffix(".lev") {
                    Some(level) => Some(level.to_owned()),
                    None => script_level(name.strip_suffix(".lua")?.into()),
                };
                self.names.extend(names.iter().filter_map(level));
            }
        }
        Ok(())
    }
}

/// Returns the name of the level in the script `stem`.lua, or `None` if it is one of the game's other scripts.
fn script_level(stem: Cow<'_, str>) -> Option<String> {
    (!NOT_LEVELS.contains(&stem.as_ref())).then(|| stem.into_owned())
}

fn put(destination: &Destination, name: &str, bytes: &[u8]) -> Result<(), Box<Diagnostic>> {
    match destination {
        Destination::Standard => output::write_standard(bytes),
        Destination::File(path) => output::write_file(path, bytes),
        Destination::Folder(folder) => {
            output::write_folder(folder, &[File { name: name.to_owned(), bytes: bytes.to_vec() }])
        }
    }
}
