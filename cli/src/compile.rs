//! From des-files to what is made of them.

use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;

use indexmap::IndexMap;
use indexmap::map::Entry;
use splc_backends::{json, listing};
use splc_frontends::{detect, level_file};
use splc_ir::abi::Abi;
use splc_ir::catalog::{Catalog, Feature};
use splc_ir::check;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevels};
use splc_ir::loadable::{Loadable, lower_each};
use splc_ir::lower::number_name;
use splc_ir::program::Program;
use splc_ir::source::{Charset, FileId, SourceMap, Span, Text};

use crate::Outcome;
use crate::arguments::{Emit, Sources, Writing};
use crate::games::{self, Build, DEFAULT_ABI, Dialect};
use crate::input::{self, IncludedFiles, Input};
use crate::output::{self, Destination, OutputFile, SYSTEM};
use crate::report::{Ending, Reporter, counted, visible};
use crate::vaults;

/// What is done with what is read.
#[derive(Debug)]
pub enum Task<'a> {
    /// It is written.
    Write(&'a Writing),
    /// It is judged.
    Check,
}

impl Task<'_> {
    fn emit(&self) -> Emit {
        match self {
            Task::Write(writing) => writing.emit,
            // What cannot become a level file is wrong.
            Task::Check => Emit::Lev,
        }
    }

    fn ending(&self) -> Ending {
        match self {
            Task::Write(_) => Ending::Writing,
            Task::Check => Ending::Checking,
        }
    }
}

/// The game that levels are made for.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    /// What it knows.
    pub catalog: &'static Catalog,
    /// The machine it was built for.
    pub abi: &'static Abi,
    /// The header of its level files.
    pub header: Vec<u64>,
}

/// What a run has made so far.
#[derive(Default)]
pub(crate) struct Made {
    /// By the name of the file, the extension left out.
    files: IndexMap<String, MadeFile>,
    /// Each compiled level in order: its name, and how large it is.
    levels: Vec<(String, (&'static str, usize))>,
    /// Names and weights of random vaults, in order.
    vaults: Vec<(Vec<u8>, i32)>,
}

/// What is going to be a file.
struct MadeFile {
    bytes: Vec<u8>,
    /// Which input it was made of.
    input: usize,
    /// Where that names it.
    span: Option<Span>,
    /// Name of the file and number of the line, for other inputs to tell.
    place: (Rc<str>, usize),
    /// Whether its name was made with a number.
    numbered: bool,
}

/// Reads all of `sources` and does `task` with it.
pub fn run(sources: &Sources, task: &Task<'_>, lints: LintLevels) -> Outcome {
    let mut reporter = Reporter::new(sources.message_format, sources.color);
    let outcome = match game(sources) {
        Ok(game) => process(sources, task, &lints, game.as_ref(), &mut reporter),
        Err(problem) => {
            reporter.report_alone(*problem);
            Outcome::Trouble
        }
    };
    reporter.finish(task.ending());
    outcome
}

/// Compiles every file; for `game`, or if that is `None` each for the game that its text tells.
fn process(
    sources: &Sources,
    task: &Task<'_>,
    lints: &LintLevels,
    game: Option<&Game>,
    reporter: &mut Reporter,
) -> Outcome {
    let mut made = Made::default();
    let mut outcome = Outcome::Fine;
    for (index, input) in Input::list(&sources.files).iter().enumerate() {
        match input.read() {
            Ok(bytes) => {
                // What is not going to be written need not be kept.
                let mut unwanted = Made::default();
                let kept = if outcome == Outcome::Fine { &mut made } else { &mut unwanted };
                let mut diagnostics = Diagnostics::with_lints(lints.clone());
                let told;
                let game = match game {
                    Some(game) => game,
                    None => match game_of(task.emit(), sources.abi, &bytes, input) {
                        Ok((game, note)) => {
                            note.into_iter().for_each(|note| diagnostics.push(note));
                            told = game;
                            &told
                        }
                        Err(problem) => {
                            outcome = outcome.max(Outcome::Trouble);
                            reporter.report_alone(*problem);
                            continue;
                        }
                    },
                };
                let mut compilation = Compilation::new(game, task.emit(), input, index, kept);
                compilation.compile(bytes, &mut diagnostics);
                let Compilation { sources, .. } = compilation;
                if diagnostics.has_errors() {
                    outcome = outcome.max(Outcome::InputErrors);
                    if let Some(note) = other_dialect(game, &sources) {
                        diagnostics.push(note);
                    }
                }
                reporter.report(diagnostics, &sources);
            }
            Err(problem) => {
                let found = if problem.code == Code::TooLarge { Outcome::InputErrors } else { Outcome::Trouble };
                outcome = outcome.max(found);
                reporter.report_alone(*problem);
            }
        }
    }
    match task {
        Task::Write(writing) if outcome == Outcome::Fine => match write(writing, made) {
            Ok(()) => Outcome::Fine,
            Err(problem) => {
                reporter.report_alone(*problem);
                Outcome::Trouble
            }
        },
        _ => outcome,
    }
}

// --- Which game

/// The game that the options name; `None` if they name none.
///
/// # Errors
/// If they do not fit together.
pub(crate) fn game(sources: &Sources) -> Result<Option<Game>, Box<Diagnostic>> {
    let usage = |message: String| Box::new(Diagnostic::new(Code::Usage, None, message));
    if let (Some(dialect), Some(target)) = (sources.dialect, sources.target) {
        if dialect.name != target.dialect {
            let other = Dialect::of(target).map_or(target.dialect.as_ref(), |dialect| dialect.name);
            let message = format!("{} is not made from the dialect {}", target.title, dialect.name);
            return Err(Box::new(usage(message).with_help(format!("its dialect is {other}"))));
        }
    }
    if let Some(path) = &sources.matched {
        return matched_game(sources, path).map(Some);
    }
    let target = sources.target.or_else(|| sources.dialect.and_then(Dialect::default_target));
    target.map(|catalog| game_on(catalog, sources.abi.unwrap_or(DEFAULT_ABI))).transpose()
}

/// The usual build of the game of `catalog` for `abi`.
///
/// # Errors
/// If its level files on that machine are not known.
pub(crate) fn game_on(catalog: &'static Catalog, abi: &'static Abi) -> Result<Game, Box<Diagnostic>> {
    let Some(header) = catalog.header(abi.name) else {
        let known: Vec<&str> = catalog.headers.iter().map(|(name, _)| name.as_ref()).collect();
        let message = format!("the level files of {} on {} ({}) are not known", catalog.title, abi.name, abi.machine);
        let problem = Diagnostic::new(Code::Usage, None, message);
        return Err(Box::new(problem.with_help(format!("known are: {}", known.join(", ")))));
    };
    Ok(Game { catalog, abi, header: header.to_vec() })
}

/// The game that the text of the file called `name` tells, with a note that says so.
///
/// # Errors
/// If its level files on that machine are not known.
pub(crate) fn told_game(
    abi: Option<&'static Abi>,
    bytes: &[u8],
    name: &str,
) -> Result<(Game, Diagnostic), Box<Diagnostic>> {
    let guess = detect::detect(&String::from_utf8_lossy(bytes));
    let dialect = Dialect::by_name(guess.dialect);
    let target = dialect.and_then(Dialect::default_target);
    let Some(catalog) = target else {
        let problem = Diagnostic::new(Code::Usage, None, "which game are the levels for?");
        return Err(Box::new(problem.with_help("say --dialect; `splc targets` lists them")));
    };
    let game = game_on(catalog, abi.unwrap_or(DEFAULT_ABI))?;
    let message = format!("{} is taken for {}", visible(name), catalog.title);
    let note = Diagnostic::new(Code::Dialect, None, message)
        .with_note(guess.reason)
        .with_help(format!("--dialect {} says so, or another one", guess.dialect));
    Ok((game, note))
}

/// The game that a file tells, with a note if it is only likely: a level file that is to be listed by its header, a
/// des-file by its text.
///
/// # Errors
/// As [`told_game`].
fn game_of(
    emit: Emit,
    abi: Option<&'static Abi>,
    bytes: &[u8],
    input: &Input,
) -> Result<(Game, Option<Diagnostic>), Box<Diagnostic>> {
    let build = if emit == Emit::Asm { input.build(bytes, |_| true, abi) } else { None };
    let found = build.and_then(|build| Some((Catalog::by_name(build.catalog)?, build)));
    match found {
        Some((catalog, build)) => Ok((Game { catalog, abi: build.abi, header: build.header }, None)),
        None => told_game(abi, bytes, &input.name()).map(|(game, note)| (game, Some(note))),
    }
}

/// A note that the file with errors looks like another dialect, if it does.
fn other_dialect(game: &Game, sources: &SourceMap) -> Option<Diagnostic> {
    let (file, source) = sources.iter().next()?;
    let guess = detect::looks_like_another(&source.text, &game.catalog.dialect)?;
    let span = guess.evidence.map(|(start, end)| Span::new(file, start, end));
    let message = format!("the file looks like one of {}", detect::title(guess.dialect));
    Some(
        Diagnostic::new(Code::OtherDialect, span, message)
            .with_label("this tells")
            .with_note(guess.reason)
            .with_help(format!("compile it with --dialect {}", guess.dialect)),
    )
}

/// The game of the level file at `path`, with its very header.
fn matched_game(sources: &Sources, path: &Path) -> Result<Game, Box<Diagnostic>> {
    let head = input::read_header(path)?;
    let wanted = |catalog: &Catalog| {
        sources.target.is_none_or(|target| target.name == catalog.name)
            && sources.dialect.is_none_or(|dialect| dialect.name == catalog.dialect)
    };
    let build = games::recognise(&head, wanted, sources.abi);
    let found = build.and_then(|build| Some((Catalog::by_name(build.catalog)?, build)));
    if let Some((catalog, build)) = found {
        return Ok(Game { catalog, abi: build.abi, header: build.header });
    }
    let name = path.display().to_string();
    let problem = Diagnostic::new(Code::Damaged, None, format!("{} is no level file of a known game", visible(&name)));
    Err(Box::new(match games::recognise(&head, |_| true, None) {
        Some(build) => problem.with_note(format!("it looks like one of {} on {}", build.catalog, build.abi.name)),
        None => problem.with_help("`splc targets` lists the known games"),
    }))
}

// --- Compiling

/// One des-file on its way.
pub(crate) struct Compilation<'a> {
    game: &'a Game,
    emit: Emit,
    input: &'a Input,
    index: usize,
    /// The texts that were read.
    pub sources: SourceMap,
    /// If there are errors, each level as far as it could be read: its name and where it stands.
    pub levels: Vec<(Text, Span)>,
    /// The file that was named last.
    name: Option<(FileId, Rc<str>)>,
    made: &'a mut Made,
}

impl<'a> Compilation<'a> {
    /// Will put what it makes of `input` for `game` into `made`; `index` tells that input from others.
    pub fn new(game: &'a Game, emit: Emit, input: &'a Input, index: usize, made: &'a mut Made) -> Self {
        let (sources, levels) = (SourceMap::new(), Vec::new());
        Compilation { game, emit, input, index, sources, levels, name: None, made }
    }

    /// Makes all that the des-file with these `bytes` gives; stops after a stage that found errors.
    pub fn compile(&mut self, bytes: Vec<u8>, diagnostics: &mut Diagnostics) {
        let Game { catalog, abi, .. } = *self.game;
        if self.emit == Emit::Asm {
            // Which machine it is from, the file tells.
            if let Some(build) = self.input.build(&bytes, |game| game.name == catalog.name, None) {
                return self.level_file(&bytes, &build, diagnostics);
            }
        }
        let mut includes = IncludedFiles::new(bytes.len());
        let file = self.sources.add(self.input.name(), self.input.place(), bytes);
        let mut module = splc_frontends::parse(&mut self.sources, file, catalog, &mut includes, diagnostics);
        check::check(&mut module, catalog, diagnostics);
        if diagnostics.has_errors() {
            self.levels = module.levels().map(|level| (level.name.node.clone(), level.span)).collect();
            return;
        }
        if self.emit == Emit::Json {
            let mut text = Vec::new();
            match json::write(&module, catalog, &self.sources, &mut text) {
                Ok(()) => self.keep(self.input.stem(), text, None, false, diagnostics),
                Err(error) => diagnostics.push(Diagnostic::new(Code::Unwritable, None, error.to_string())),
            }
            return;
        }
        let mut counter = 1;
        lower_each(&module, catalog, abi, diagnostics, |source, mut level, diagnostics| {
            let (name, numbered) = number_name(level.name(), counter, catalog);
            counter += usize::from(numbered);
            level.rename(name);
            // What cannot be lowered is no level.
            if !diagnostics.has_errors() {
                self.level(&level, source.name.span, numbered, diagnostics);
            }
        });
    }

    /// Lists the level file with these `bytes`.
    fn level_file(&mut self, bytes: &[u8], build: &Build, diagnostics: &mut Diagnostics) {
        let file = self.sources.add_bytes(self.input.name(), self.input.place(), bytes.len());
        let catalog = self.game.catalog;
        match level_file::read_any(bytes, &self.input.stem(), file, catalog, build.machines()) {
            Some(Ok(read)) => {
                let text = listing::write(&read.level, catalog, None).into_bytes();
                self.made.levels.push((self.input.stem(), read.level.size()));
                self.keep(self.input.stem(), text, None, false, diagnostics);
            }
            Some(Err(problem)) => diagnostics.push(problem),
            None => {}
        }
    }

    /// Makes what `level` becomes.
    fn level(&mut self, level: &Loadable, span: Span, numbered: bool, diagnostics: &mut Diagnostics) {
        let name = level.name().to_string();
        if let Err(problem) = output::check_name(&name, SYSTEM) {
            let message = format!("\"{name}\" cannot be the name of a level file: {problem}");
            diagnostics.push(Diagnostic::new(Code::LevelName, span, message));
            return;
        }
        let Game { catalog, abi, header } = self.game;
        let bytes = match self.emit {
            Emit::Asm => listing::write(level, catalog, Some(&self.sources)).into_bytes(),
            _ => match splc_backends::level_file::encode(level, catalog, abi, header) {
                Ok(bytes) => bytes,
                Err(problem) => return diagnostics.push(problem),
            },
        };
        if let Loadable::Program(Program { charset, vault_frequency: Some(weight), .. }) = level {
            self.made.vaults.push((bytes_of(&name, *charset), *weight));
        }
        self.made.levels.push((name.clone(), level.size()));
        self.keep(name, bytes, Some(span), numbered, diagnostics);
    }

    /// Name of the file and number of the line of `span`.
    fn place(&mut self, span: Span) -> (Rc<str>, usize) {
        let source = self.sources.get(span.file);
        let name = match &self.name {
            Some((file, name)) if *file == span.file => name.clone(),
            _ => source.name.as_str().into(),
        };
        self.name = Some((span.file, Rc::clone(&name)));
        (name, source.place(span.start as usize).line)
    }

    /// Keeps `bytes` for the file called `name`, if there is not one already.
    fn keep(
        &mut self,
        name: String,
        mut bytes: Vec<u8>,
        span: Option<Span>,
        numbered: bool,
        diagnostics: &mut Diagnostics,
    ) {
        // Most levels are far smaller than the memory in which they were made, and are kept until all are.
        bytes.shrink_to_fit();
        let extension = self.emit.extension();
        let place = self.place(span.unwrap_or_default());
        let made = MadeFile { bytes, input: self.index, span, place, numbered };
        match self.made.files.entry(name) {
            Entry::Vacant(entry) => {
                entry.insert(made);
            }
            Entry::Occupied(mut entry) if entry.get().input == self.index => {
                // Names that are the same as they are written, the check has seen.
                if numbered || entry.get().numbered {
                    let message = format!("a second level comes to the name \"{}\"", entry.key());
                    let mut diagnostic = Diagnostic::new(Code::DuplicateLevel, made.span, message)
                        .with_label("it is written over the first one");
                    if let Some(first) = entry.get().span {
                        diagnostic = diagnostic.with_secondary(first, "the first one");
                    }
                    diagnostics.push(diagnostic);
                }
                let earlier = entry.insert(made);
                if self.emit == Emit::Lev && self.game.catalog.has(Feature::NoTruncation) {
                    quirk_overlay(&earlier.bytes, &mut entry.get_mut().bytes);
                }
            }
            Entry::Occupied(entry) => {
                let message = format!("\"{}.{extension}\" is made from another file already", entry.key());
                let (first, line) = &entry.get().place;
                let diagnostic = Diagnostic::new(Code::DuplicateOutput, made.span, message)
                    .with_note(format!("the first one is at {first}:{line}"))
                    .with_help("give one of them another name, or compile them into two folders");
                diagnostics.push(diagnostic);
            }
        }
    }
}

/// Lets `later` be what a game's compiler leaves that writes it over `earlier` without cutting that off: what
/// is longer of the earlier one stays (all four games' compilers, `write_level_file`).
fn quirk_overlay(earlier: &[u8], later: &mut Vec<u8>) {
    if let Some(tail) = earlier.get(later.len()..) {
        later.extend_from_slice(tail);
    }
}

fn bytes_of(text: &str, charset: Charset) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    charset.encode_into(text, &mut bytes);
    bytes
}

// --- Writing

/// Writes all that was made, or nothing.
///
/// # Errors
/// For what cannot be written.
pub(crate) fn write(writing: &Writing, made: Made) -> Result<(), Box<Diagnostic>> {
    let Made { files, levels, vaults } = made;
    let extension = writing.emit.extension();
    let destination = Destination::of(writing.output.as_deref());
    match &destination {
        Destination::Folder(folder) => {
            let mut outputs: Vec<OutputFile> = files
                .into_iter()
                .map(|(stem, file)| OutputFile { name: format!("{stem}.{extension}"), bytes: file.bytes })
                .collect();
            if writing.emit == Emit::Lev && !vaults.is_empty() {
                let list: Vec<(&[u8], i32)> = vaults.iter().map(|(name, weight)| (name.as_slice(), *weight)).collect();
                let existing = output::read_existing(&folder.join(vaults::FILE_NAME))?;
                // Last, so that the list never names a level that is not there.
                let bytes = vaults::update(&existing, &list);
                outputs.push(OutputFile { name: vaults::FILE_NAME.to_owned(), bytes });
            }
            output::write_folder(folder, &outputs)?;
        }
        Destination::File(path) => output::write_file(path, &the_one(files)?)?,
        // Texts can follow one another, level files cannot.
        Destination::Standard if writing.emit == Emit::Lev => output::write_standard(&the_one(files)?)?,
        Destination::Standard => {
            let all: Vec<u8> = files.into_values().flat_map(|file| file.bytes).collect();
            output::write_standard(&all)?;
        }
    }
    if writing.verbose {
        list_levels(&levels, extension, &destination);
    }
    Ok(())
}

/// The bytes of the one file among `files`.
fn the_one(files: IndexMap<String, MadeFile>) -> Result<Vec<u8>, Box<Diagnostic>> {
    let count = files.len();
    let mut files = files.into_values();
    if let (Some(file), None) = (files.next(), files.next()) {
        return Ok(file.bytes);
    }
    let message = format!("{} cannot go into one file", counted(count, "output file"));
    let help = "name a folder with -o, ending in a slash if it is not there yet";
    Err(Box::new(Diagnostic::new(Code::Usage, None, message).with_help(help)))
}

/// Says which levels were written, in the words of the games' compilers (`-v`).
fn list_levels(levels: &[(String, (&'static str, usize))], extension: &str, destination: &Destination) {
    let mut text = String::new();
    for (name, (what, count)) in levels {
        text.push_str(&format!("File: '{}.{extension}', {what}: {count}\n", visible(name)));
    }
    // Not among the output itself.
    let _ = match destination {
        Destination::Standard => io::stderr().lock().write_all(text.as_bytes()),
        _ => io::stdout().lock().write_all(text.as_bytes()),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlay_keeps_the_longer_tail() {
        let overlay = |earlier: &[u8], later: &[u8]| {
            let mut later = later.to_vec();
            quirk_overlay(earlier, &mut later);
            later
        };
        assert_eq!(overlay(b"abcdef", b"XY"), b"XYcdef");
        assert_eq!(overlay(b"ab", b"XYZ"), b"XYZ");
        assert_eq!(overlay(b"ab", b"XY"), b"XY");
    }
}
