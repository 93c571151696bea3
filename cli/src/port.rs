//! `splc port`: ports levels from one game to another.
//!
//! All files are written, or none. No input is overwritten.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use splc_driver::games::{Dialect, usual_abi};
use splc_driver::output::{self, Content, Output};
use splc_driver::port::{PASSES, Ported, StandIns, Strictness, port};
use splc_driver::{Compiler, File, Input, NoIncludes, Options, Target, Wanted};
use splc_equivalence as equivalence;
use splc_ir::abi::Abi;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevels, did_you_mean};
use splc_ir::source::{FileId, SourceMap, Span};
use splc_ir::wording::{counted, visible, visible_lines};
use splc_port::{Note, Outcome as Became, SCHEMA, SCHEMA_VERSION, SectionKind, Verdict, Version};

use crate::dungeon_file::within;
use crate::input::{FilesOnDisk, Origin, read_catalog};
use crate::options::groups::{DungeonFile, Sources};
use crate::outcome::Outcome;
use crate::output::{Destination, print, write_file, write_folder, write_standard};
use crate::progress;
use crate::report::{Ending, Reporter};

/// `splc port`.
#[derive(Debug, Args)]
pub struct Port {
    /// What is ported, and for which game it is now.
    #[command(flatten)]
    pub sources: Sources,

    /// Game or dialect to port to, e.g. unnethack
    #[arg(long, value_name = "TARGET", required_unless_present = "list_passes")]
    pub to: Option<String>,

    /// Table of stand-ins for names the target lacks, tried before the built-in one; can be repeated
    #[arg(long = "map", value_name = "FILE.toml")]
    pub maps: Vec<PathBuf>,

    /// Treat every difference from the source as an error
    #[arg(long)]
    pub strict: bool,

    /// Decide with SEED what the target cannot leave to chance, such as loop counts and branches
    #[arg(long, value_name = "SEED")]
    pub instantiate: Option<u64>,

    /// Write N versions of each level, with SEED and the seeds after it: NAME-1, NAME-2, ..., as for RNDLEVEL
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=99))]
    pub versions: Option<u32>,

    /// Output format
    #[arg(long, value_name = "FORM", default_value = output::DES_FILE.name, value_parser = form())]
    pub emit: Form,

    /// Write to this folder or file, or to standard output (`-`) [default: the current folder]
    #[arg(short, long, value_name = "DIR|FILE|-")]
    pub output: Option<PathBuf>,

    /// Write the account of each statement as JSON to this file, or to standard output (`-`)
    #[arg(long, value_name = "FILE|-")]
    pub account: Option<PathBuf>,

    /// Print the account of each statement
    #[arg(short, long)]
    pub verbose: bool,

    /// Compare each ported level with its source: as translated, and as the target runs it
    #[arg(long)]
    pub verify: bool,

    /// Number of levels to run for --verify
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "verify", value_parser = clap::value_parser!(u64).range(1..))]
    pub seeds: u64,

    /// The dungeon of the target.
    #[command(flatten)]
    pub dungeon: DungeonFile,

    /// List the passes of a port, and exit
    #[arg(long)]
    pub list_passes: bool,
}

/// Output form of ported levels.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Des-files.
    Source,
    /// Files compiled from the des-files.
    Made(&'static Output),
}

/// Parses the name of an output form.
fn form() -> impl TypedValueParser<Value = Form> {
    let source = output::SOURCES.iter().map(|output| output.about).collect::<Vec<_>>().join("; ");
    let source = PossibleValue::new(output::DES_FILE.name).help(source);
    let outputs = output::LEVELS.iter().map(|output| PossibleValue::new(output.name).help(output.about));
    let names = std::iter::once(source).chain(outputs);
    PossibleValuesParser::new(names).map(|name| Output::by_name(output::LEVELS, &name).map_or(Form::Source, Form::Made))
}

/// Ports the files of `arguments`.
pub fn run(arguments: &Port, lints: LintLevels) -> Outcome {
    if arguments.list_passes {
        return print(&passes());
    }
    Reporter::run(arguments.sources.message_format, arguments.sources.color, Ending::Writing, |reporter| {
        port_all(arguments, lints, reporter)
    })
}

/// Lists the passes in order.
fn passes() -> String {
    let mut text = String::new();
    for pass in PASSES {
        text.push_str(&format!("{}\n  when: {}\n  {}\n", pass.name, pass.condition, pass.description));
    }
    text
}

fn port_all(arguments: &Port, lints: LintLevels, reporter: &mut Reporter) -> Result<Outcome, Box<Diagnostic>> {
    let dungeon = arguments.dungeon.file.as_deref();
    let Some(mut wanted) = within(dungeon, &arguments.sources, &lints, reporter)? else {
        return Ok(Outcome::InputErrors);
    };
    // The dungeon is that of the target game.
    let dungeon = wanted.dungeon.take();
    let options = Options { wanted, lints };
    // clap requires the option.
    let mut to = target(arguments.to.as_deref().unwrap_or_default(), arguments.sources.abi, &options.wanted)?;
    if let Some(dungeon) = dungeon {
        to = to.in_dungeon(&dungeon);
    }
    let mut ports = splc_port::Options {
        strictness: if arguments.strict { Strictness::Strict } else { Strictness::Lenient },
        instantiate: arguments.instantiate,
        ..splc_port::Options::default()
    };
    let mut tables = Tables::default();
    for map in &arguments.maps {
        let Some(table) = read_names(map, &mut ports.stand_ins, reporter)? else { return Ok(Outcome::InputErrors) };
        tables.texts.push(table);
    }
    let mut run = Run {
        arguments,
        options,
        to,
        ports,
        tables,
        reporter,
        files: Vec::new(),
        accounts: Vec::new(),
        said: String::new(),
        outcome: Outcome::Fine,
    };
    for origin in Origin::list(&arguments.sources.files) {
        let Some(input) = run.reporter.read(&origin, &mut run.outcome) else { continue };
        run.input(&input)?;
    }
    run.finish()
}

/// A run of the command, and its results so far.
struct Run<'a> {
    arguments: &'a Port,
    options: Options,
    to: Target,
    ports: splc_port::Options,
    tables: Tables,
    reporter: &'a mut Reporter,
    files: Vec<File>,
    accounts: Vec<Account>,
    said: String,
    outcome: Outcome,
}

impl Run<'_> {
    /// Ports an input, as many times as the options say.
    fn input(&mut self, input: &Input) -> Result<(), Box<Diagnostic>> {
        let stem = input.stem();
        let Some(of) = self.arguments.versions else { return self.port(input, &stem) };
        for number in 1..=of {
            self.ports.version = Some(Version { number, of });
            let seed = self.arguments.instantiate.unwrap_or(1).wrapping_add(u64::from(number) - 1);
            self.ports.instantiate = Some(seed);
            self.port(input, &format!("{stem}-{number}"))?;
        }
        Ok(())
    }

    /// Ports an input to files, of which a des-file is called `stem`.
    fn port(&mut self, input: &Input, stem: &str) -> Result<(), Box<Diagnostic>> {
        let ported = port(input.clone(), &self.options, self.to.clone(), &self.ports, &mut FilesOnDisk)
            .map_err(|problem| Box::new(problem.into()))?;
        self.tables.report_unused(&self.ports.stand_ins, &ported, &self.options, self.reporter);
        self.accounts.push(account(&ported, &input.name));
        if self.arguments.verbose {
            self.said.push_str(&ported.account_in_words());
        }
        if self.arguments.verify {
            self.verify(&ported);
        }
        if ported.diagnostics.has_errors() {
            self.outcome = self.outcome.max(Outcome::InputErrors);
        }
        self.reporter.report(ported.diagnostics, &ported.sources);
        let is_source = ported.written.text().is_some();
        for file in ported.written.into_files(stem) {
            match self.arguments.emit {
                // Scripts are not compiled.
                Form::Made(output) if is_source => self.files.extend(made(output, file, &self.to, self.reporter)?),
                Form::Source | Form::Made(_) => self.files.push(file),
            }
        }
        Ok(())
    }

    /// Compares each level with its port.
    fn verify(&mut self, ported: &Ported) {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let options = equivalence::Options { seeds: self.arguments.seeds, threads, ..equivalence::Options::default() };
        let levels = u64::try_from(ported.account.levels().count()).unwrap_or(u64::MAX);
        for verified in progress::watched(levels, "comparison", |progress| ported.verify(&options, progress)) {
            self.said.push_str(&format!("{}\n{}", visible(&verified.level), visible_lines(&verified.in_words())));
            if let Some(fault) = &verified.never_made {
                let message = format!("the ported level {} is never made: {fault}", visible(&verified.level));
                self.reporter.report_alone(Diagnostic::new(Code::PortImpossible, None, message));
                self.outcome = self.outcome.max(Outcome::InputErrors);
            }
            if verified.is_mistranslated() && !verified.unnamed.is_empty() {
                let level = visible(&verified.level);
                let message = format!("the port changes the level {level}, but its account does not report it");
                self.reporter.report_alone(Diagnostic::new(Code::PortImpossible, None, message));
                self.outcome = self.outcome.max(Outcome::InputErrors);
            }
        }
    }

    /// Writes the files, the account and the text.
    fn finish(self) -> Result<Outcome, Box<Diagnostic>> {
        let Run { arguments, files, accounts, said, outcome, .. } = self;
        // For levels that cannot be ported, the account gives the reason.
        if outcome == Outcome::Fine {
            let count = files.len();
            write(arguments, files)?;
            if arguments.output.as_deref() != Some(Path::new("-")) {
                self.reporter.succeed(&format!("{} written\n", counted(count, "file")));
            }
        }
        if let Some(path) = &arguments.account {
            // Accounts always serialize.
            let bytes = serde_json::to_vec_pretty(&accounts).unwrap_or_default();
            match Destination::of(Some(path)) {
                Destination::Standard => write_standard(&bytes)?,
                _ => write_file(path, &bytes)?,
            }
        }
        // Keep the text out of the output itself.
        let standard = Path::new("-");
        if arguments.output.as_deref() == Some(standard) || arguments.account.as_deref() == Some(standard) {
            // Nothing can be reported if the standard error is closed.
            let _ = io::stderr().lock().write_all(visible_lines(&said).as_bytes());
            return Ok(outcome);
        }
        Ok(print(&said).max(outcome))
    }
}

/// Returns the game called `name`, or that of a dialect.
pub(crate) fn target(name: &str, abi: Option<&'static Abi>, wanted: &Wanted) -> Result<Target, Box<Diagnostic>> {
    let by_dialect = || Dialect::by_name(name).and_then(Dialect::default_target).map(Into::into);
    let catalog = wanted.catalogs.by_name(name).or_else(by_dialect).ok_or_else(|| {
        let known: Vec<_> = wanted.catalogs.iter().collect();
        let names = known.iter().map(|catalog| catalog.name.as_ref());
        let dialects = splc_driver::games::dialects().map(|dialect| dialect.name);
        let help = did_you_mean(name, names.chain(dialects))
            .unwrap_or_else(|| "`splc targets` lists the known games".to_owned());
        let message = format!("unknown target {}", visible(name));
        Box::new(Diagnostic::new(Code::Usage, None, message).with_help(help))
    })?;
    let abi = abi.unwrap_or_else(|| usual_abi(&catalog));
    Target::new(catalog, abi).map_err(|problem| Box::new(problem.into()))
}

/// The user's tables of stand-ins.
#[derive(Default)]
struct Tables {
    /// The text of each table, as the only file of its map.
    texts: Vec<SourceMap>,
    /// The games for which unused entries were already reported.
    reported: HashSet<String>,
}

impl Tables {
    /// Warns of entries that have no effect between the games of `ported`, once for each source game.
    fn report_unused(&mut self, stand_ins: &StandIns, ported: &Ported, options: &Options, reporter: &mut Reporter) {
        let (from, to) = (ported.from.catalog(), ported.to.catalog());
        if self.texts.is_empty() || !self.reported.insert(from.name.to_string()) {
            return;
        }
        let games: Vec<_> = options.wanted.catalogs.iter().collect();
        let unused = stand_ins.unused(from, to, games.iter().map(|game| &**game));
        for (table, sources) in self.texts.iter().enumerate() {
            let mut diagnostics = Diagnostics::with_lints(options.lints.clone());
            for entry in unused.iter().filter(|entry| entry.table == table) {
                let span = Span::new(FileId(0), entry.place.start, entry.place.end);
                let mut diagnostic = Diagnostic::new(Code::UnusedStandIn, span, entry.message.clone());
                diagnostic.help.clone_from(&entry.help);
                diagnostics.push(diagnostic);
            }
            reporter.report(diagnostics, sources);
        }
    }
}

/// Reads a table of stand-ins and returns its text. Returns `None` if it has mistakes, which are reported.
pub fn read_names(
    path: &Path,
    stand_ins: &mut StandIns,
    reporter: &mut Reporter,
) -> Result<Option<SourceMap>, Box<Diagnostic>> {
    let mut sources = SourceMap::new();
    let file = sources.add(path.display().to_string(), None, read_catalog(path)?);
    let Err(error) = stand_ins.add(&sources.get(file).text) else { return Ok(Some(sources)) };
    let mut diagnostics = Diagnostics::new();
    let span = Span::new(file, error.place.start, error.place.end);
    diagnostics.push(Diagnostic::new(Code::StandIns, span, error.message));
    reporter.report(diagnostics, &sources);
    Ok(None)
}

/// Compiles a ported des-file to output files.
fn made(
    output: &'static Output,
    source: File,
    to: &Target,
    reporter: &mut Reporter,
) -> Result<Vec<File>, Box<Diagnostic>> {
    let wanted = Wanted { catalog: Some(to.catalog().clone()), abi: Some(to.abi()), ..Wanted::default() };
    let mut compiler = Compiler::new(output, Options { wanted, ..Options::default() });
    let judged = compiler
        .compile(Input::new(source.name, source.bytes), &mut NoIncludes)
        .map_err(|problem| Box::new(problem.into()))?;
    if judged.diagnostics.has_errors() {
        reporter.report(judged.diagnostics, &judged.sources);
    }
    Ok(compiler.finish().files)
}

/// Writes all files, or none.
fn write(arguments: &Port, files: Vec<File>) -> Result<(), Box<Diagnostic>> {
    let destination = Destination::of(arguments.output.as_deref());
    let mut names = HashSet::new();
    if let (Destination::Folder(_), Some(twice)) =
        (&destination, files.iter().find(|file| !names.insert(file.name.clone())))
    {
        let message = format!("two output files have the name {}", visible(&twice.name));
        let help = "rename one of the levels, or port the files into separate folders";
        return Err(Box::new(Diagnostic::new(Code::Usage, None, message).with_help(help)));
    }
    let inputs: Vec<PathBuf> = arguments.sources.files.iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
    let over = |path: &Path| fs::canonicalize(path).is_ok_and(|place| inputs.contains(&place));
    let refuse = |name: String| {
        let message = format!("{} would overwrite an input", visible(&name));
        let help = "choose another folder or file with -o";
        Err(Box::new(Diagnostic::new(Code::Usage, None, message).with_help(help)))
    };
    match destination {
        Destination::Folder(folder) => match files.iter().find(|file| over(&folder.join(&file.name))) {
            Some(file) => refuse(file.name.clone()),
            None => write_folder(&folder, &files),
        },
        Destination::File(path) if over(&path) => refuse(path.display().to_string()),
        Destination::File(path) => match files.as_slice() {
            [file] => write_file(&path, &file.bytes),
            _ => {
                let message = format!("cannot write {} output files to one file", files.len());
                let help = "name a folder with -o, with a trailing slash if it does not exist yet";
                Err(Box::new(Diagnostic::new(Code::Usage, None, message).with_help(help)))
            }
        },
        Destination::Standard => {
            let text = match arguments.emit {
                Form::Source => true,
                Form::Made(output) => output.content == Content::Text,
            };
            if !text && files.len() != 1 {
                let message = format!("cannot write {} output files to one file", files.len());
                return Err(Box::new(Diagnostic::new(Code::Usage, None, message)));
            }
            let all: Vec<u8> = files.into_iter().flat_map(|file| file.bytes).collect();
            write_standard(&all)
        }
    }
}

/// The account of one input.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Account"))]
pub(crate) struct Account {
    /// Name of the format of this object.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA)))]
    schema: &'static str,
    /// Version of the format.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA_VERSION)))]
    version: u32,
    /// Name of the input.
    file: String,
    /// The source game.
    from: String,
    /// The target game.
    to: String,
    /// Its functions and levels. Functions come before the levels.
    sections: Vec<Section>,
}

/// A level or function.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Section {
    /// Its type: level or function.
    kind: SectionKind,
    /// Its name.
    name: String,
    /// The result of the port.
    verdict: Verdict,
    /// Place in the source.
    source: Option<Place>,
    /// Changes to the section as a whole.
    notes: Vec<Note>,
    /// Its statements.
    statements: Vec<StatementAccount>,
    /// Statements of the result that are not in the source.
    added: Vec<Added>,
}

/// A statement of the source.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Statement"))]
struct StatementAccount {
    /// Its keyword in des-files.
    statement: &'static str,
    /// The result of porting it.
    outcome: Became,
    /// Place in the source.
    source: Option<Place>,
    /// The lines of the result that it became, from 1.
    result: Vec<usize>,
    /// Changes to the statement.
    notes: Vec<Note>,
}

/// A statement that is not in the source.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Added {
    /// Its keyword in des-files.
    statement: &'static str,
    /// Its lines in the result, from 1.
    result: Vec<usize>,
}

/// A place in the source.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Place {
    /// Name of the file.
    file: String,
    /// Line of its start, from 1.
    line: usize,
    /// Column of its start in characters, from 1.
    column: usize,
    /// Line of its end.
    end_line: usize,
    /// Column after its end.
    end_column: usize,
}

impl Place {
    fn of(span: Span, sources: &SourceMap) -> Option<Place> {
        let span = span.somewhere()?;
        let (start, end) = (sources.place(span.file, span.start), sources.place(span.file, span.end.max(span.start)));
        Some(Place {
            file: sources.get(span.file).name.clone(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        })
    }
}

/// Returns the account of `ported` as a document.
fn account(ported: &Ported, file: &str) -> Account {
    let place = |span| Place::of(span, &ported.sources);
    let sections = ported.account.sections.iter().map(|section| Section {
        kind: section.kind,
        name: section.name.clone(),
        verdict: section.verdict,
        source: place(section.span),
        notes: section.notes.clone(),
        statements: section
            .entries
            .iter()
            .map(|entry| StatementAccount {
                statement: entry.word,
                outcome: entry.outcome,
                source: place(entry.span),
                result: ported.result_lines(&entry.results),
                notes: entry.notes.clone(),
            })
            .collect(),
        added: section
            .added
            .iter()
            .map(|added| Added { statement: added.word, result: ported.result_lines(&[added.result]) })
            .collect(),
    });
    Account {
        schema: SCHEMA,
        version: SCHEMA_VERSION,
        file: file.to_owned(),
        from: ported.from.catalog().name.to_string(),
        to: ported.to.catalog().name.to_string(),
        sections: sections.collect(),
    }
}
