//! Levels from one game to another: read, ported, printed, read back, and made into whatever is wanted.
//!
//! What comes out is what a person would get who had written the source: it is printed in the dialect of the target, read
//! again and judged like any des-file. The account names the lines of that text.

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

/// A file of levels that was ported.
#[derive(Clone, Debug)]
pub struct Ported {
    /// The game that the levels are from.
    pub from: Target,
    /// The game that they are for now.
    pub to: Target,
    /// The source in the dialect of that game; none if there are errors, or if its levels are Lua scripts.
    pub text: Option<Vec<u8>>,
    /// The levels as scripts of that game, if its levels are such; none if there are errors.
    pub scripts: Vec<Script>,
    /// The levels for that game, with the places of their source.
    pub module: Module,
    /// What became of everything.
    pub account: Account,
    /// The line of each statement of what went over, or of its level's script, from 1, in the order of reading; none if
    /// there are errors.
    pub lines: Vec<usize>,
    /// What there is to say.
    pub diagnostics: Diagnostics,
    /// The texts that were read.
    pub sources: SourceMap,
    /// What was read.
    source: Module,
    /// What the text says, read back.
    made: Option<Module>,
}

/// A level as a Lua script.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// The name of the level. The game asks for the file of that name with `.lua` behind it.
    pub level: String,
    /// The script.
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
/// If it cannot be told for which game it is.
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
    // Comments go over with the statements that they stand at. What was in no text is laid out.
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
            // Levels that went over can be compared, even if others did not.
            Format::Opcodes | Format::Parts => {
                let text = ported.print(style, &mut diagnostics);
                ported.text = text.filter(|_| !diagnostics.has_errors());
            }
        }
        ported.source = module;
    }
    if diagnostics.has_errors() {
        // There is no text that they could be lines of.
        ported.lines.clear();
    }
    ported.diagnostics = diagnostics;
    Ok(ported)
}

impl Ported {
    /// Prints the levels and reads them back.
    fn print(&mut self, style: Style, diagnostics: &mut Diagnostics) -> Option<Vec<u8>> {
        let catalog = self.to.catalog();
        // What is found out of values on the way is part of the level; that nothing is wrong, the port has seen to.
        splc_ir::check::check(&mut self.module, catalog, &mut Diagnostics::new());
        let text = match des::print_styled(&self.module, catalog, style) {
            Ok(text) => text,
            Err(unprintable) => {
                for des::Unprintable { span, what } in unprintable {
                    let message = format!("{} cannot spell {what}", catalog.title);
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
            // A port gives only what the target takes, and a printer what reads back: a mistake of splc.
            let message = "splc cannot read back what it has ported";
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
        // What is found out of values on the way is part of the level; that nothing is wrong, the port has seen to.
        splc_ir::check::check(&mut self.module, catalog, &mut Diagnostics::new());
        let printed = match lua::print(&self.module, catalog) {
            Ok(printed) => printed,
            Err(unprintable) => {
                for des::Unprintable { span, what } in unprintable {
                    let message = format!("{} cannot be told {what}", catalog.title);
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

    /// The account in words: for each level how it went over, and then what was done to each statement.
    pub fn account_in_words(&self) -> String {
        let mut text = String::new();
        for section in &self.account.sections {
            let kind = match section.kind {
                SectionKind::Level => "level",
                SectionKind::Function => "function",
            };
            // Writing to a text does not fail.
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
                    Some(line) => writeln!(text, "  {}, added in line {line}", added.word),
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

    /// The lines of statements of the result, each once.
    pub fn result_lines(&self, results: &[usize]) -> Vec<usize> {
        let mut lines: Vec<usize> = results.iter().filter_map(|&at| self.lines.get(at).copied()).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

/// How a level went over, in a few words.
fn summary(section: &Section) -> String {
    let verdict = match section.verdict {
        Verdict::Whole => "whole",
        Verdict::WithChanges => "with changes",
        Verdict::NotAtAll => "not at all",
    };
    format!(
        "{verdict}; {}: {} kept, {} changed, {} lost",
        counted(section.entries.len(), "statement"),
        section.count(Outcome::Kept),
        section.count(Outcome::Changed),
        section.count(Outcome::Lost)
    )
}

/// The places of all statements, in the order of reading.
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
