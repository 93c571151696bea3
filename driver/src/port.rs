//! Ports levels from one game to another: read, ported, printed, read back, and verified or compiled.
//!
//! The result is the same as if a person had written the source. It is printed in the dialect of the target, and read
//! and checked again like any des-file. The account refers to the lines of that text.

mod settle;
pub mod verify;

use std::fmt::Write;

use splc_backends::des::{self, Style};
use splc_backends::lua;
use splc_frontends::{Includes, NoIncludes};
use splc_ir::catalog::Format;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::level::{Module, Statement};
use splc_ir::source::{FileId, SourceMap, Span};
use splc_ir::visit::{Visit, says_the_same, walk};
use splc_ir::wording::{counted, visible};
use splc_port::{Account, Effect, Note, Outcome, Section, SectionKind, Verdict};

use crate::Options;
use crate::decompile::raise;
use crate::input::{Form, Input};
use crate::read::{self, Read};
use crate::target::{Target, TargetError};

pub use splc_port::{PASSES, Pass, Replacements, StandInError, StandIns, Strictness, Unused};

/// A ported file of levels.
#[derive(Clone, Debug)]
pub struct Ported {
    /// The source game.
    pub from: Target,
    /// The target game.
    pub to: Target,
    /// The source in the target's dialect. `None` if there are errors, or if its levels are Lua scripts.
    pub text: Option<Vec<u8>>,
    /// The levels as Lua scripts, if the target uses them. Empty if there are errors.
    pub scripts: Vec<Script>,
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
    /// The module read back from the text.
    made: Option<Module>,
}

/// A level as a Lua script.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// The name of the level. The game loads the file of that name with the extension `.lua`.
    pub level: String,
    /// The text of the script.
    pub text: Vec<u8>,
}

/// Ports a des-file, a level file or levels as JSON to the game of `to`.
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
/// let text = String::from_utf8(ported.text.unwrap()).unwrap();
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
    asked: &splc_port::Options,
    includes: &mut dyn Includes,
) -> Result<Ported, TargetError> {
    let form = input.form(&options.wanted);
    let read = match form {
        Form::LevelFile(_) | Form::Lua => raise(&input, options)?,
        Form::Source | Form::Document => read::read(input, options, includes)?,
    };
    let Read { target: from, module, sources, mut diagnostics } = read;
    // Comments are ported with their statements. Levels without a text get a default layout.
    let (trivia, style) = match form {
        Form::Source => (splc_frontends::trivia(&sources, FileId(0), from.catalog()), Style::AsWritten),
        Form::Document | Form::Lua => (Vec::new(), Style::AsWritten),
        Form::LevelFile(_) => (Vec::new(), Style::ReadBack),
    };
    let mut ported = Ported {
        from,
        to,
        text: None,
        scripts: Vec::new(),
        module: Module::default(),
        account: Account::default(),
        lines: Vec::new(),
        diagnostics: Diagnostics::new(),
        sources,
        source: Module::default(),
        made: None,
    };
    if !diagnostics.has_errors() {
        let mut made = splc_port::port(&module, ported.from.catalog(), ported.to.catalog(), asked);
        if let Some(seed) = asked.instantiate {
            made = settle::settle(made, &module, [&ported.from, &ported.to], asked, seed);
        }
        made.diagnostics.into_vec().into_iter().for_each(|diagnostic| diagnostics.push(diagnostic));
        (ported.module, ported.account) = (made.module, made.account);
        ported.module.trivia = trivia;
        match ported.to.catalog().format {
            Format::Lua if diagnostics.has_errors() => {}
            Format::Lua => ported.print_scripts(&mut diagnostics),
            // Ported levels can be compared even if others failed.
            Format::Opcodes | Format::Parts => {
                let text = ported.print(style, &mut diagnostics);
                ported.text = text.filter(|_| !diagnostics.has_errors());
            }
        }
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
    /// Prints the levels and reads them back.
    fn print(&mut self, style: Style, diagnostics: &mut Diagnostics) -> Option<Vec<u8>> {
        let catalog = self.to.catalog();
        // The check infers information about values. The port has already ruled out errors.
        splc_ir::check::check(&mut self.module, catalog, &mut Diagnostics::new());
        let text = match des::print_styled(&self.module, catalog, style) {
            Ok(text) => text,
            Err(unprintable) => {
                for des::Unprintable { span, what } in unprintable {
                    let message = format!("{} cannot express {what}", catalog.title);
                    diagnostics.push(Diagnostic::new(Code::PortImpossible, span, message));
                }
                return None;
            }
        };
        let mut bytes = Vec::with_capacity(text.len());
        self.module.charset.encode_into(&text, &mut bytes);
        let mut sources = SourceMap::new();
        let file = sources.add("ported.des", None, bytes.clone());
        let mut problems = Diagnostics::new();
        let mut again = splc_frontends::parse(&mut sources, file, catalog, &mut NoIncludes, &mut problems);
        splc_ir::check::check(&mut again, catalog, &mut problems);
        if problems.has_errors() || !says_the_same(&self.module, &again) {
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

    /// Prints each level as a Lua script.
    fn print_scripts(&mut self, diagnostics: &mut Diagnostics) {
        let catalog = self.to.catalog();
        // The check infers information about values. The port has already ruled out errors.
        splc_ir::check::check(&mut self.module, catalog, &mut Diagnostics::new());
        let printed = match lua::print(&self.module, catalog) {
            Ok(printed) => printed,
            Err(unprintable) => {
                for des::Unprintable { span, what } in unprintable {
                    let message = format!("{} cannot express {what}", catalog.title);
                    diagnostics.push(Diagnostic::new(Code::PortImpossible, span, message));
                }
                return;
            }
        };
        self.lines = printed.lines;
        for lua::Script { level, text } in printed.scripts {
            let mut bytes = Vec::with_capacity(text.len());
            self.module.charset.encode_into(&text, &mut bytes);
            self.scripts.push(Script { level: level.to_string(), text: bytes });
        }
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
        lines.sort_unstable();
        lines.dedup();
        lines
    }
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
