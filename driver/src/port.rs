//! Ports levels from one game to another: read, ported, printed, read back, and verified or compiled.
//!
//! A Lua script is translated to the tree of des-files first ([`splc_lua::translate`]).
//!
//! The result is the same as if a person had written the source. It is printed in the dialect of the target, and read
//! and checked again like any des-file. The account refers to the lines of that text.

mod resolve;
mod script;
pub mod verify;

use std::borrow::Cow;
use std::fmt::Write;

use splc_backends::des::Style;
use splc_backends::output::{DES_FILE, LUA_SCRIPT, Output, WriteScripts, WriteSource, Writer};
use splc_frontends::{Includes, NoIncludes};
use splc_ir::catalog::Format;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use splc_ir::level::{Module, Statement, Trivia, TriviaKind};
use splc_ir::loadable::{Loadable, LuaLevel};
use splc_ir::order::Order;
use splc_ir::raise;
use splc_ir::source::{FileId, SourceMap, Span};
use splc_ir::visit::{Visit, says_the_same, walk};
use splc_ir::wording::{counted, visible};
use splc_port::{Account, Effect, Note, Outcome, Remark, Section, SectionKind, Verdict};

use crate::Options;
use crate::compile::{File, encoded, unprintable};
use crate::decompile::raise_recognised;
use crate::input::{Accepts, Form, Input};
use crate::read::{Content, Read, lower_each};
use crate::target::{Target, TargetError};

pub use splc_port::{PASSES, Pass, Replacements, StandInError, StandIns, Strictness, Unused};

/// A ported file of levels.
#[derive(Clone, Debug)]
pub struct Ported {
    /// The source game.
    pub from: Target,
    /// The target game.
    pub to: Target,
    /// The levels as source for the target.
    pub written: Written,
    /// The levels for the target, with spans in their source.
    pub module: Module,
    /// The fate of every statement.
    pub account: Account,
    /// The line of each ported statement in the text, or in its level's script, from 1, in reading order. Empty if
    /// there are errors.
    pub lines: Vec<usize>,
    /// The diagnostics.
    pub diagnostics: Diagnostics,
    /// The texts that were read.
    pub sources: SourceMap,
    /// The source levels.
    source: Module,
    /// The source, if it is a script.
    script: Option<LuaLevel>,
    /// The module read back from the text.
    made: Option<Module>,
}

/// Ported levels as source.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// Nothing, because there are errors.
    Nothing,
    /// A des-file in the target's dialect.
    DesFile(Vec<u8>),
    /// A Lua script for each level.
    Scripts(Vec<Script>),
}

impl Written {
    /// Returns the des-file, if it is one.
    pub fn text(&self) -> Option<&[u8]> {
        match self {
            Written::DesFile(text) => Some(text),
            Written::Nothing | Written::Scripts(_) => None,
        }
    }

    /// Returns the scripts, if there are any.
    pub fn scripts(&self) -> &[Script] {
        match self {
            Written::Scripts(scripts) => scripts,
            Written::Nothing | Written::DesFile(_) => &[],
        }
    }

    /// Returns the files to write: a des-file called `stem`, or the scripts.
    pub fn into_files(self, stem: &str) -> Vec<File> {
        match self {
            Written::Nothing => Vec::new(),
            Written::DesFile(bytes) => vec![File { name: DES_FILE.file_name(stem), bytes }],
            Written::Scripts(scripts) => {
                let file = |Script { level, text }: Script| File {
                    name: LUA_SCRIPT.file_name(&file_stem(&level)),
                    bytes: text,
                };
                scripts.into_iter().map(file).collect()
            }
        }
    }
}

/// Returns a file name for the name of a level.
fn file_stem(level: &str) -> String {
    let is_safe = |c: char| !c.is_control() && !matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    let stem: String = level.chars().map(|c| if is_safe(c) { c } else { '_' }).collect();
    if stem.is_empty() || stem.starts_with('.') { format!("_{stem}") } else { stem }
}

/// A level as a Lua script.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// The name of the level. The game loads the file of that name with the extension `.lua`.
    pub level: String,
    /// The text of the script.
    pub text: Vec<u8>,
}

/// Ports a des-file, a level file, levels as JSON or a Lua script to the game of `to`.
///
/// ```
/// use splc_driver::games::Dialect;
/// use splc_driver::port::port;
/// use splc_driver::{Input, NoIncludes, Options, Target, Wanted};
///
/// let wanted = Wanted { dialect: Dialect::by_name("nethack343"), ..Wanted::default() };
/// let options = Options { wanted, ..Options::default() };
/// let to = Target::new(Dialect::by_name("unnethack").unwrap().default_target().unwrap(), options.wanted.abi())?;
/// let text = "MAZE:\"yard\",' '\nGEOMETRY:center,center\nMAP\n...\nENDMAP\nMONSTER[50%]:'d',\"jackal\",random\n";
/// let ported = port(Input::new("yard.des", text), &options, to, &splc_port::Options::default(), &mut NoIncludes)?;
/// let text = String::from_utf8_lossy(ported.written.text().unwrap());
/// assert!(text.contains("[50%]: MONSTER: ('d', \"jackal\"), random"), "{text}");
/// # Ok::<(), splc_driver::TargetError>(())
/// ```
///
/// # Errors
/// If its game cannot be determined.
pub fn port(
    input: Input,
    options: &Options,
    to: Target,
    requested: &splc_port::Options,
    includes: &mut dyn Includes,
) -> Result<Ported, TargetError> {
    let recognised = input.recognise(Accepts::Levels, &options.wanted)?;
    // Comments are ported with their statements. Levels without a text get a default layout.
    let (has_comments, style) = match recognised.form {
        Form::Source => (true, Style::AsWritten),
        Form::Document | Form::Lua => (false, Style::AsWritten),
        Form::LevelFile(_) => (false, Style::ReadBack),
    };
    let read = match recognised.form {
        Form::LevelFile(_) => raise_recognised(recognised, options),
        Form::Source | Form::Document | Form::Lua => recognised.read(options, includes),
    };
    let Read { target: from, content, sources, mut diagnostics } = read;
    let mut requested = Cow::Borrowed(requested);
    let (mut script, mut comments) = (None, Vec::new());
    let mut module = match content {
        Content::DesFile(module) | Content::Document(module) => module,
        Content::LevelFile(_) => Module::default(),
        Content::Script(level) => {
            let read = script::translate(&level, &sources, &from, requested.instantiate, &mut diagnostics);
            script = Some(level);
            comments = read.comments;
            requested.to_mut().differences = read.differences;
            read.module
        }
    };
    if !diagnostics.has_errors() {
        // Some errors show only when functions are copied to their calls.
        lowered(&module, &from, &mut diagnostics);
    }
    let trivia = if has_comments { splc_frontends::trivia(&sources, FileId(0), from.catalog()) } else { comments };
    let mut ported = Ported {
        from,
        to,
        written: Written::Nothing,
        module: Module::default(),
        account: Account::default(),
        lines: Vec::new(),
        diagnostics: Diagnostics::new(),
        sources,
        source: Module::default(),
        script,
        made: None,
    };
    if !diagnostics.has_errors() {
        let mut made = splc_port::port(&module, ported.from.catalog(), ported.to.catalog(), &requested);
        let failed = made.account.levels().any(|level| level.verdict == Verdict::NotAtAll);
        if let (true, Some(seed), Some(level)) = (failed, requested.instantiate, &ported.script)
            && let Some(read) = script::run(level, &ported.sources, &ported.from, seed, &mut diagnostics)
        {
            // This run of the script fixed all of its random choices.
            requested.to_mut().differences = read.differences;
            module = read.module;
            made = splc_port::port(&module, ported.from.catalog(), ported.to.catalog(), &requested);
        } else if let Some(seed) = requested.instantiate {
            made = resolve::resolve(made, &module, [&ported.from, &ported.to], &requested, seed);
        }
        made.diagnostics.into_vec().into_iter().for_each(|diagnostic| diagnostics.push(diagnostic));
        (ported.module, ported.account) = (made.module, made.account);
        ported.module.trivia = with_remarks(trivia, made.remarks);
        ported.print(style, &mut diagnostics);
        ported.source = module;
    }
    if diagnostics.has_errors() {
        // Without a text there are no lines.
        ported.lines.clear();
    }
    ported.diagnostics = diagnostics;
    Ok(ported)
}

impl Ported {
    /// Prints the levels.
    fn print(&mut self, style: Style, diagnostics: &mut Diagnostics) {
        let output = Output::source_of(self.to.catalog());
        // The printers need resolved values. The port has already ruled out errors.
        splc_ir::resolve::resolve(&mut self.module, self.to.catalog(), &mut Diagnostics::new());
        match output.writer {
            // Ported levels can be compared even if others failed.
            Writer::Source(write) => {
                let text = self.print_source(write, style, diagnostics);
                if let Some(text) = text.filter(|_| !diagnostics.has_errors()) {
                    self.written = Written::DesFile(text);
                }
            }
            Writer::Scripts(write) if !diagnostics.has_errors() => self.print_scripts(write, diagnostics),
            _ => {}
        }
    }

    /// Prints the levels as a des-file and reads it back.
    fn print_source(&mut self, write: WriteSource, style: Style, diagnostics: &mut Diagnostics) -> Option<Vec<u8>> {
        let catalog = self.to.catalog();
        let text =
            write(&self.module, catalog, style).map_err(|problems| unprintable(problems, catalog, diagnostics)).ok()?;
        let bytes = encoded(self.module.charset, &text);
        let mut sources = SourceMap::new();
        let file = sources.add("ported.des", None, bytes.clone());
        let mut problems = Diagnostics::new();
        let mut again = splc_frontends::parse(&mut sources, file, catalog, &mut NoIncludes, &mut problems);
        splc_ir::check::check(&mut again, catalog, &mut problems);
        if problems.has_errors() || !self.reads_back(&again, &mut problems) {
            // The port only emits what the target accepts, and the printer only what reads back, so this is a bug in
            // splc.
            let message = "splc cannot read the ported level";
            let first = problems.iter().next().map(|problem| problem.message.to_string());
            let problem = Diagnostic::new(Code::PortImpossible, None, message);
            diagnostics.push(match first {
                Some(first) => problem.with_note(first),
                None => problem,
            });
            return None;
        }
        self.lines = statement_spans(&again)
            .into_iter()
            .map(|span| if span.is_nowhere() { 0 } else { sources.line_column(span.file, span.start).0 })
            .collect();
        self.made = Some(again);
        Some(bytes)
    }

    /// Returns true if `again`, read from the text, is the ported module, or a form of it that lowers to the same
    /// levels: a level file does not show how its source was written.
    fn reads_back(&self, again: &Module, problems: &mut Diagnostics) -> bool {
        if says_the_same(&self.module, again) {
            return true;
        }
        let (ours, theirs) = (lowered(&self.module, &self.to, problems), lowered(again, &self.to, problems));
        let (catalog, abi) = (self.to.catalog(), self.to.abi());
        let is_same = |(ours, theirs): (&Loadable, &Loadable)| raise::same(ours, theirs, catalog, abi).is_ok();
        !problems.has_errors()
            && ours.len() == theirs.len()
            && ours.iter().zip(&theirs).all(is_same)
            && statement_spans(&self.module).len() == statement_spans(again).len()
    }

    /// Prints each level as a script.
    fn print_scripts(&mut self, write: WriteScripts, diagnostics: &mut Diagnostics) {
        let printed = match write(&self.module, self.to.catalog()) {
            Ok(printed) => printed,
            Err(problems) => return unprintable(problems, self.to.catalog(), diagnostics),
        };
        self.lines = printed.lines;
        let charset = self.module.charset;
        let script = |script: splc_backends::lua::Script| Script {
            level: script.level.to_string(),
            text: encoded(charset, &script.text),
        };
        self.written = Written::Scripts(printed.scripts.into_iter().map(script).collect());
    }

    /// Returns the account as text: the verdict on each level, followed by the changes to each statement.
    pub fn account_in_words(&self) -> String {
        let mut text = String::new();
        for section in &self.account.sections {
            let kind = match section.kind {
                SectionKind::Level => "level",
                SectionKind::Function => "function",
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{kind} {}: {}", visible(&section.name), summary(section));
            self.notes(&mut text, &section.notes);
            for entry in section.entries.iter().filter(|entry| entry.outcome != Outcome::Kept) {
                let _ = write!(text, "  {}", entry.word);
                if let Some(span) = entry.span.somewhere() {
                    let place = self.sources.place(span.file, span.start);
                    let _ = write!(text, ", line {}", place.line);
                }
                match (entry.outcome, self.result_lines(&entry.results).as_slice()) {
                    (Outcome::Lost, _) => text.push_str(": lost"),
                    (_, []) => text.push_str(": changed"),
                    (_, [line]) => {
                        let _ = write!(text, ": changed, now line {line}");
                    }
                    (_, lines) => {
                        let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
                        let _ = write!(text, ": changed, now lines {}", lines.join(", "));
                    }
                }
                text.push('\n');
                self.notes(&mut text, &entry.notes);
            }
            for added in &section.added {
                let lines = self.result_lines(&[added.result]);
                let _ = match lines.first() {
                    Some(line) => writeln!(text, "  {}, added on line {line}", added.word),
                    None => writeln!(text, "  {}, added", added.word),
                };
            }
        }
        text
    }

    fn notes(&self, text: &mut String, notes: &[Note]) {
        for note in notes {
            let mark = match note.effect {
                Effect::Same => "",
                Effect::Differs => " (differs)",
                Effect::Lost => " (lost)",
                Effect::Game => " (the game)",
            };
            let _ = writeln!(text, "    {}: {}{mark}", note.pass, visible(&note.what));
        }
    }

    /// Returns the lines of statements of the result, without duplicates.
    pub fn result_lines(&self, results: &[usize]) -> Vec<usize> {
        let mut lines: Vec<usize> = results.iter().filter_map(|&at| self.lines.get(at).copied()).collect();
        lines.order();
        lines.dedup();
        lines
    }
}

/// Adds remarks to the comments of a source, directly before their statements.
fn with_remarks(mut trivia: Vec<Trivia>, remarks: Vec<Remark>) -> Vec<Trivia> {
    let comment = |Remark { span, text }: Remark| {
        let span = span.somewhere().map(|span| Span { end: span.start, ..span })?;
        Some(Trivia { kind: TriviaKind::Comment, text: format!("# {text}").into(), span })
    };
    trivia.extend(remarks.into_iter().filter_map(comment));
    // The order is stable: a remark follows the comments of its statement.
    trivia.order_by_key(|trivia| (trivia.span.file.0, trivia.span.start));
    trivia
}

/// Returns the levels of a module as the game loads them. Adds only errors to `diagnostics`.
fn lowered(module: &Module, target: &Target, diagnostics: &mut Diagnostics) -> Vec<Loadable> {
    let mut problems = Diagnostics::new();
    let mut levels = Vec::new();
    if target.catalog().format != Format::Lua {
        lower_each(module, target, &mut problems, |lowered, _| levels.push(lowered.level));
    }
    let errors = problems.into_vec().into_iter().filter(|problem| problem.severity == Severity::Error);
    errors.for_each(|error| diagnostics.push(error));
    levels
}

/// Summarises the port of a level.
fn summary(section: &Section) -> String {
    let verdict = match section.verdict {
        Verdict::Whole => "ported",
        Verdict::WithChanges => "ported with changes",
        Verdict::NotAtAll => "not ported",
    };
    format!(
        "{verdict}; {}: {} kept, {} changed, {} lost",
        counted(section.entries.len(), "statement"),
        section.count(Outcome::Kept),
        section.count(Outcome::Changed),
        section.count(Outcome::Lost)
    )
}

/// Returns the spans of all statements, in reading order.
fn statement_spans(module: &Module) -> Vec<Span> {
    struct Spans(Vec<Span>);

    impl<'tree> Visit<'tree> for Spans {
        fn statement(&mut self, statement: &'tree Statement) {
            self.0.push(statement.span);
            walk::statement(self, statement);
        }
    }

    let mut spans = Spans(Vec::new());
    spans.module(module);
    spans.0
}
