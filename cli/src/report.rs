//! Rendering of diagnostics: with the source line, on one line, or as JSON.
//!
//! All of it goes to the standard error. No text of the input reaches a terminal unchanged: control characters are
//! shown as pictures, and long lines are shortened.

use std::io::{self, IsTerminal, Write};

use clap::ValueEnum;
use codespan_reporting::term::termcolor::{Buffer, Color, ColorSpec, WriteColor};
use splc_driver::Input;
pub(crate) use splc_driver::report::Places;
use splc_driver::report::{Reader, Renderer};
use splc_driver::test::Found;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use splc_ir::source::SourceMap;
use splc_ir::wording::{counted, visible};

use crate::input::Origin;
use crate::outcome::Outcome;
use crate::width;

pub(crate) mod baseline;
mod documents;
pub(crate) mod json;

use baseline::Baseline;
use documents::Record;

/// Number of rows above and below a place that are drawn, and of columns on either side.
const FIGURE_ROWS: usize = 4;
const FIGURE_COLUMNS: usize = 30;

/// Forms of diagnostics. Those for other programs are written to the standard output, all others to the standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// Readable text with the source line
    Human,
    /// One line per diagnostic
    Short,
    /// One JSON object per line
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// A report of GitLab Code Quality
    Gitlab,
    /// A JUnit report, for other CI servers
    Junit,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

impl MessageFormat {
    /// Returns true if the diagnostics are one document, written at the end of the run.
    fn is_document(self) -> bool {
        matches!(self, MessageFormat::Gitlab | MessageFormat::Junit | MessageFormat::Sarif)
    }

    /// Returns true if people read it, so that a summary follows.
    pub fn is_text(self) -> bool {
        matches!(self, MessageFormat::Human | MessageFormat::Short)
    }
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// If the output is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Renders diagnostics and counts them.
#[derive(Debug)]
pub struct Reporter {
    format: MessageFormat,
    buffer: Buffer,
    renderer: Renderer,
    errors: usize,
    warnings: usize,
    /// Number of reported diagnostics that `splc fix` can fix.
    fixable: usize,
    /// Names of the inputs, if the format is a document.
    inputs: Vec<String>,
    /// The diagnostics, if the format is a document or they are counted by code.
    records: Vec<Record>,
    /// True if a table of the counts by code is printed at the end.
    statistics: bool,
    /// The known diagnostics, which are not reported.
    baseline: Option<Baseline>,
}

/// The effect of a run, for the closing summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It writes files if there are no errors.
    Writing,
    /// It writes nothing.
    Checking,
    /// It writes fixed files.
    Fixing,
}

impl Reporter {
    /// Creates a reporter that writes in `format`.
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
            renderer: Renderer::new(Reader::CommandLine).wrapped_to(width::errors()),
            errors: 0,
            warnings: 0,
            fixable: 0,
            inputs: Vec::new(),
            records: Vec::new(),
            statistics: false,
            baseline: None,
        }
    }

    /// Reads an input. On failure, reports it, makes `outcome` at least as bad, and returns `None`. A file that is too
    /// large is an error in the input; one that cannot be read is trouble.
    pub fn read(&mut self, origin: &Origin, outcome: &mut Outcome) -> Option<Input> {
        match origin.read() {
            Ok(input) => Some(input),
            Err(problem) => {
                let found = if problem.code == Code::TooLarge { Outcome::InputErrors } else { Outcome::Trouble };
                *outcome = (*outcome).max(found);
                self.report_alone(*problem);
                None
            }
        }
    }

    /// Prints a table of the counts by code at the end.
    pub fn count_by_code(&mut self) {
        self.statistics = true;
    }

    /// Drops diagnostics that `baseline` lists, and adds the others to it.
    pub fn compare_with(&mut self, baseline: Baseline) {
        self.baseline = Some(baseline);
    }

    /// Returns the baseline, with the diagnostics of this run added.
    pub fn take_baseline(&mut self) -> Option<Baseline> {
        self.baseline.take()
    }

    /// Prints `text` if people read the output.
    pub fn remark(&mut self, text: &str) {
        if self.format.is_text() {
            let _ = self.buffer.write_all(text.as_bytes());
            self.flush();
        }
    }

    /// Prints `text`, the word on success, if a person reads it and nothing else was reported.
    pub fn succeed(&mut self, text: &str) {
        if self.format == MessageFormat::Human && self.errors + self.warnings == 0 && io::stderr().is_terminal() {
            self.remark(text);
        }
    }

    /// Returns the number of reported errors.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Reports all of `diagnostics`, in the order of the source. A diagnostic without a place is about the first file
    /// of `sources`, if there is one.
    pub fn report(&mut self, mut diagnostics: Diagnostics, sources: &SourceMap) {
        let places = Places::new(sources);
        if let Some(baseline) = &mut self.baseline {
            baseline.note_checked(&places);
            diagnostics.retain(|diagnostic| baseline.is_new(diagnostic, &places));
        }
        self.errors += diagnostics.errors();
        self.warnings += diagnostics.warnings();
        diagnostics.sort();
        let dropped = diagnostics.dropped();
        if let (true, Some(name)) = (self.format.is_document(), places.main()) {
            self.inputs.push(name.to_owned());
        }
        for diagnostic in diagnostics.iter() {
            let edits = &diagnostic.suggestions;
            self.fixable += usize::from(!edits.is_empty() && edits.iter().all(|edit| edit.applicable));
            self.render(diagnostic, &places);
        }
        if dropped > 0 && self.format.is_text() {
            let _ = writeln!(self.buffer, "... and {dropped} more");
        }
        self.flush();
    }

    /// Reports a finding of `splc test`: the diagnostic, and below it the level that shows it. Returns false if the
    /// baseline lists it.
    pub fn found(&mut self, found: &Found, sources: &SourceMap) -> bool {
        let diagnostic = &found.diagnostic;
        let places = Places::new(sources);
        if self.baseline.as_mut().is_some_and(|baseline| !baseline.is_new(diagnostic, &places)) {
            return false;
        }
        match diagnostic.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => {}
        }
        match self.format {
            MessageFormat::Json => {
                self.record(diagnostic, &places);
                json::write_found(found, &places, &mut self.buffer);
            }
            MessageFormat::Human => {
                self.render(diagnostic, &places);
                self.figure(found);
            }
            _ => self.render(diagnostic, &places),
        }
        self.flush();
        true
    }

    /// Draws the part of a level around the place of a finding, and marks the place.
    fn figure(&mut self, found: &Found) {
        let (Some((x, y)), false) = (found.place, found.picture.is_empty()) else { return };
        let (column, row) = ((x - 1).max(0) as usize, y.max(0) as usize);
        let rows = row.saturating_sub(FIGURE_ROWS)..(row + FIGURE_ROWS + 1).min(found.picture.len());
        let drawn = |at: &usize| *at == row || !found.picture[*at].trim().is_empty();
        let (first, last) = (rows.clone().find(drawn).unwrap_or(row), rows.rev().find(drawn).unwrap_or(row));
        // `>` and a margin.
        let around = width::errors().map_or(FIGURE_COLUMNS, |width| FIGURE_COLUMNS.min(width.saturating_sub(4) / 2));
        let columns = column.saturating_sub(around)..column + around + 1;
        if row >= found.picture.len() {
            return;
        }
        // Writing to a buffer in memory does not fail.
        let _ = writeln!(self.buffer, "   {:width$}v", "", width = column - columns.start);
        for at in first..=last {
            let line = found.picture[at].chars().skip(columns.start).take(columns.len());
            let line: Vec<char> = line.collect();
            let _ = write!(self.buffer, "{}", if at == row { " > " } else { "   " });
            let (before, rest) = line.split_at((column - columns.start).min(line.len()));
            let _ = write!(self.buffer, "{}", before.iter().collect::<String>());
            if let (true, Some((marked, rest))) = (at == row, rest.split_first()) {
                let _ = self.buffer.set_color(ColorSpec::new().set_fg(Some(Color::Black)).set_bg(Some(Color::Yellow)));
                let _ = write!(self.buffer, "{marked}");
                let _ = self.buffer.reset();
                let _ = writeln!(self.buffer, "{}", rest.iter().collect::<String>().trim_end());
            } else {
                let _ = writeln!(self.buffer, "{}", rest.iter().collect::<String>().trim_end());
            }
        }
        let _ = writeln!(self.buffer);
    }

    /// Performs the `work` of a command and reports a summary. An error is reported and results in
    /// [`Outcome::Trouble`].
    pub fn run(
        format: MessageFormat,
        color: ColorChoice,
        ending: Ending,
        work: impl FnOnce(&mut Reporter) -> Result<Outcome, Box<Diagnostic>>,
    ) -> Outcome {
        let mut reporter = Reporter::new(format, color);
        let outcome = work(&mut reporter).unwrap_or_else(|problem| {
            reporter.report_alone(*problem);
            Outcome::Trouble
        });
        reporter.finish(ending);
        outcome
    }

    /// Reports a diagnostic that has no place in a source.
    pub fn report_alone(&mut self, diagnostic: Diagnostic) {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        self.report(diagnostics, &SourceMap::new());
    }

    /// Prints a summary of the run, if there is something to summarize.
    pub fn finish(mut self, ending: Ending) {
        if self.format.is_document() {
            let document = match self.format {
                MessageFormat::Sarif => documents::sarif(&self.records),
                MessageFormat::Gitlab => documents::gitlab(&self.records),
                _ => documents::junit(&self.inputs, &self.records),
            };
            // Nothing can be reported if that is closed.
            let _ = io::stdout().lock().write_all(document.as_bytes());
        }
        if self.statistics {
            let _ = self.buffer.write_all(documents::statistics(&self.records).as_bytes());
            self.flush();
        }
        let (errors, warnings) = (counted(self.errors, "error"), counted(self.warnings, "warning"));
        let (severity, summary) = match (self.errors, self.warnings) {
            (0, 0) => return,
            (0, _) => (Severity::Warning, warnings),
            (_, 0) => (Severity::Error, errors),
            _ => (Severity::Error, format!("{errors}, {warnings}")),
        };
        if !self.format.is_text() {
            return;
        }
        let (word, color) = match severity {
            Severity::Error => ("error", Color::Red),
            _ => ("warning", Color::Yellow),
        };
        let nothing = if severity == Severity::Error && ending == Ending::Writing { "; nothing written" } else { "" };
        let correct = match self.fixable {
            0 => String::new(),
            _ if ending == Ending::Fixing => String::new(),
            fixable if fixable == self.errors + self.warnings => "; fixable with `splc fix`".to_owned(),
            fixable => format!("; {fixable} fixable with `splc fix`"),
        };
        // Writing to a buffer in memory does not fail.
        let _ = self.buffer.set_color(ColorSpec::new().set_fg(Some(color)).set_bold(true).set_intense(true));
        let _ = write!(self.buffer, "{word}");
        let _ = self.buffer.reset();
        let _ = writeln!(self.buffer, ": {summary}{nothing}{correct}");
        self.flush();
    }

    /// Keeps `diagnostic` for the end of the run, if it is needed there.
    fn record(&mut self, diagnostic: &Diagnostic, places: &Places<'_>) {
        if self.statistics || self.format.is_document() {
            self.records.push(Record::new(diagnostic, places));
        }
    }

    fn render(&mut self, diagnostic: &Diagnostic, places: &Places<'_>) {
        self.record(diagnostic, places);
        // Writing to a buffer in memory does not fail, and the spans are valid.
        match self.format {
            MessageFormat::Human => self.renderer.render(diagnostic, places, &mut self.buffer),
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
                let word = diagnostic.severity.name();
                let message = visible(diagnostic.message.text());
                let _ = write!(self.buffer, "{word}[{}]: {message}", diagnostic.code.as_str());
                let _ = match &diagnostic.help {
                    Some(help) => writeln!(self.buffer, " (help: {})", visible(help)),
                    None => writeln!(self.buffer),
                };
            }
            MessageFormat::Json => json::write(diagnostic, places, &mut self.buffer),
            MessageFormat::Github => {
                let _ = self.buffer.write_all(documents::github(&Record::new(diagnostic, places)).as_bytes());
            }
            MessageFormat::Gitlab | MessageFormat::Junit | MessageFormat::Sarif => {}
        }
    }

    /// Writes the rendered text.
    fn flush(&mut self) {
        // Nothing can be reported if that is closed.
        let _ = match self.format {
            MessageFormat::Github => io::stdout().lock().write_all(self.buffer.as_slice()),
            _ => io::stderr().lock().write_all(self.buffer.as_slice()),
        };
        self.buffer.clear();
    }
}

/// Returns true if the standard error is a terminal on which colours are not disabled.
fn terminal_takes_color() -> bool {
    let unset = |name: &str| std::env::var_os(name).is_none_or(|value| value.is_empty());
    io::stderr().is_terminal() && unset("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
