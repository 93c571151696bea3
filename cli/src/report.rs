//! Rendering diagnostics: with the source line for people, in one line, or as JSON.
//!
//! All of it goes to the standard error. Nothing of the input reaches a terminal as it is: control
//! characters are shown as pictures, and of long lines only a part is shown.

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};

use clap::ValueEnum;
use codespan_reporting::diagnostic::{self as codespan, LabelStyle};
use codespan_reporting::term::termcolor::{Buffer, Color, ColorSpec, WriteColor};
use codespan_reporting::term::{self, Config};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Lint, Severity};
use splc_ir::source::{SourceMap, Span};
use splc_ir::wording::{counted, visible};

use excerpt::Excerpts;
use places::Places;

mod excerpt;
pub(crate) mod json;
pub(crate) mod places;

/// Forms of diagnostics, and of the list of targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// For people: diagnostics with the source line, targets as a table
    Human,
    /// One line each
    Short,
    /// One JSON object each, on a line
    Json,
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Says what there is to say, and counts it.
#[derive(Debug)]
pub struct Reporter {
    format: MessageFormat,
    buffer: Buffer,
    config: Config,
    errors: usize,
    warnings: usize,
    /// How many of what was shown `splc fix` takes away.
    mendable: usize,
    /// Lints of which it was said how to allow them.
    introduced: HashSet<Code>,
}

/// What a run that is over has left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Files, if there were no errors.
    Writing,
    /// Nothing, as nothing was to be written.
    Checking,
    /// Files without what could be mended.
    Mending,
}

impl Reporter {
    /// A reporter that writes in `format`.
    pub fn new(format: MessageFormat, color: ColorChoice) -> Self {
        let colored = format == MessageFormat::Human
            && match color {
                ColorChoice::Always => true,
                ColorChoice::Never => false,
                ColorChoice::Auto => terminal_takes_color(),
            };
        Reporter {
            format,
            buffer: if colored { Buffer::ansi() } else { Buffer::no_color() },
            config: Config::default(),
            errors: 0,
            warnings: 0,
            mendable: 0,
            introduced: HashSet::new(),
        }
    }

    /// Reports all of `diagnostics`, in the order of the source. They are about the first file of `sources`,
    /// if there is one and nothing else is said.
    pub fn report(&mut self, mut diagnostics: Diagnostics, sources: &SourceMap) {
        self.errors += diagnostics.errors();
        self.warnings += diagnostics.warnings();
        diagnostics.sort();
        let dropped = diagnostics.dropped();
        let places = Places::new(sources);
        for diagnostic in diagnostics.iter() {
            let edits = &diagnostic.suggestions;
            self.mendable += usize::from(!edits.is_empty() && edits.iter().all(|edit| edit.applicable));
            self.render(diagnostic, &places);
        }
        if dropped > 0 && self.format != MessageFormat::Json {
            let _ = writeln!(self.buffer, "... and {dropped} more");
        }
        self.flush();
    }

    /// Reports something that has no place in a source.
    pub fn report_alone(&mut self, diagnostic: Diagnostic) {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        self.report(diagnostics, &SourceMap::new());
    }

    /// Says how it went all in all, if there was anything to say.
    pub fn finish(mut self, ending: Ending) {
        let (errors, warnings) = (counted(self.errors, "error"), counted(self.warnings, "warning"));
        let (severity, summary) = match (self.errors, self.warnings) {
            (0, 0) => return,
            (0, _) => (Severity::Warning, warnings),
            (_, 0) => (Severity::Error, errors),
            _ => (Severity::Error, format!("{errors}, {warnings}")),
        };
        if self.format == MessageFormat::Json {
            return;
        }
        let (word, color) = match severity {
            Severity::Error => ("error", Color::Red),
            _ => ("warning", Color::Yellow),
        };
        let nothing = if severity == Severity::Error && ending == Ending::Writing { "; nothing written" } else { "" };
        let mend = match self.mendable {
            0 => String::new(),
            _ if ending == Ending::Mending => String::new(),
            mendable if mendable == self.errors + self.warnings => "; `splc fix` mends that".to_owned(),
            mendable => format!("; `splc fix` mends {mendable} of them"),
        };
        // A buffer in memory takes all.
        let _ = self.buffer.set_color(ColorSpec::new().set_fg(Some(color)).set_bold(true).set_intense(true));
        let _ = write!(self.buffer, "{word}");
        let _ = self.buffer.reset();
        let _ = writeln!(self.buffer, ": {summary}{nothing}{mend}");
        self.flush();
    }

    fn render(&mut self, diagnostic: &Diagnostic, places: &Places<'_>) {
        // Writing to a buffer in memory does not fail, and neither do spans: they are made to fit.
        match self.format {
            MessageFormat::Human => self.human(diagnostic, places),
            MessageFormat::Short => {
                if let Some(span) = diagnostic.span {
                    let place = places.locate(span.file, span.start);
                    let name = visible(places.name(span.file));
                    let _ = match places.has_lines(span.file) {
                        true => write!(self.buffer, "{name}:{}:{}: ", place.line, place.column),
                        false => write!(self.buffer, "{name}: byte {}: ", place.byte),
                    };
                } else if let Some(name) = places.main() {
                    let _ = write!(self.buffer, "{}: ", visible(name));
                }
                let word = word(diagnostic.severity);
                let message = visible(&diagnostic.message);
                let _ = writeln!(self.buffer, "{word}[{}]: {message}", diagnostic.code.as_str());
            }
            MessageFormat::Json => json::write(diagnostic, places, &mut self.buffer),
        }
    }

    fn human(&mut self, diagnostic: &Diagnostic, places: &Places<'_>) {
        let mut excerpts = Excerpts::default();
        let primary = diagnostic.span.map(|span| (LabelStyle::Primary, span, diagnostic.label.as_ref()));
        let secondary =
            diagnostic.labels.iter().map(|label| (LabelStyle::Secondary, label.span, label.message.as_str()));
        // Of bytes there are no lines to show; the notes name them.
        let is_text = |span: Span| places.is_text(span.file);
        let labels: Vec<_> = primary.into_iter().chain(secondary).filter(|&(_, span, _)| is_text(span)).collect();
        let spans: Vec<_> = labels.iter().map(|&(_, span, _)| span).collect();
        let places_of_labels = excerpts.add(&spans, places);
        let labels = labels.iter().zip(places_of_labels).map(|(&(style, _, message), (file, range))| {
            codespan::Label::new(style, file, range).with_message(visible(message))
        });
        let rendered = codespan::Diagnostic::new(match diagnostic.severity {
            Severity::Error => codespan::Severity::Error,
            Severity::Warning => codespan::Severity::Warning,
            Severity::Note => codespan::Severity::Note,
        })
        .with_code(diagnostic.code.as_str())
        .with_message(visible(&diagnostic.message))
        .with_labels(labels.collect())
        .with_notes(self.notes(diagnostic, places));
        let _ = term::emit(&mut self.buffer, &self.config, &excerpts, &rendered);
    }

    fn notes(&mut self, diagnostic: &Diagnostic, places: &Places<'_>) -> Vec<String> {
        let mut notes = Vec::new();
        match diagnostic.span {
            None => notes.extend(places.main().map(|name| format!("in {}", visible(name)))),
            Some(span) if places.is_text(span.file) => {}
            Some(span) if places.has_lines(span.file) => {
                let place = places.locate(span.file, span.start);
                let name = visible(places.name(span.file));
                notes.push(format!("in {name}, line {}, column {}", place.line, place.column));
            }
            Some(span) => {
                let (start, _) = places.range(span);
                notes.push(format!("in {}, at byte {start}", visible(places.name(span.file))));
            }
        }
        notes.extend(diagnostic.notes.iter().map(|note| format!("note: {}", visible(note))));
        match (&diagnostic.help, diagnostic.suggestions.as_slice()) {
            (Some(help), _) => notes.push(format!("help: {}", visible(help))),
            (None, [suggestion]) => notes.push(match visible(places.text(suggestion.span)) {
                old if old.is_empty() => format!("help: insert `{}`", visible(&suggestion.replacement)),
                old => format!("help: write `{}` instead of `{old}`", visible(&suggestion.replacement)),
            }),
            _ => {}
        }
        let name = diagnostic.code.name();
        if diagnostic.code.lint() != Lint::Fixed && self.introduced.insert(diagnostic.code) {
            notes.push(match diagnostic.severity {
                Severity::Error => format!("note: an error because of `-D`; `-A {name}` allows it"),
                _ => format!("note: `-A {name}` allows it"),
            });
        }
        notes
    }

    /// Hands over to the standard error what was rendered.
    fn flush(&mut self) {
        // There is nobody to tell if that is closed.
        let _ = io::stderr().lock().write_all(self.buffer.as_slice());
        self.buffer.clear();
    }
}

/// Whether the standard error is a terminal, and one that wants colours.
fn terminal_takes_color() -> bool {
    let unset = |name: &str| std::env::var_os(name).is_none_or(|value| value.is_empty());
    io::stderr().is_terminal() && unset("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
