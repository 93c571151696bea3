//! Renders diagnostics as text, with the source lines that they refer to.
//!
//! Requires the feature `report`. Colours, machine-readable formats and the destination are up to the shell. The input
//! is never shown raw: control characters become pictures, and long lines are shortened.

use std::collections::HashSet;

use codespan_reporting::diagnostic::{self as codespan, LabelStyle};
use codespan_reporting::term::termcolor::{Buffer, WriteColor};
use codespan_reporting::term::{self, Config, Styles, StylesWriter};
use splc_ir::diagnostic::{Code, Diagnostic, Lint, Severity};
use splc_ir::source::{SourceMap, Span};
use splc_ir::wording::{visible, wrapped};

use excerpt::Excerpts;
pub use places::Places;

mod excerpt;
mod places;

/// The reader of the rendered text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reader {
    /// A user of the command line, who learns the option that allows a lint.
    CommandLine,
    /// A user of another program.
    #[default]
    Elsewhere,
}

/// Columns before a note: the number of a line, and `= `.
const MARGIN: usize = 9;

/// Renders diagnostics as text, one after the other.
#[derive(Debug, Default)]
pub struct Renderer {
    config: Config,
    styles: Styles,
    reader: Reader,
    /// Columns that messages and notes are wrapped to.
    width: Option<usize>,
    /// Lints whose option has already been shown.
    introduced: HashSet<Code>,
}

impl Renderer {
    /// Creates a renderer for `reader`.
    pub fn new(reader: Reader) -> Self {
        Renderer { reader, ..Self::default() }
    }

    /// Wraps messages and notes to `width` columns, if there is a width. Lines of the source stay as they are.
    pub fn wrapped_to(mut self, width: Option<usize>) -> Self {
        self.width = width;
        self
    }

    /// Wraps a message that follows `heading` columns.
    fn message(&self, text: String, heading: usize) -> String {
        let Some(width) = self.width else { return text };
        let lines = wrapped(&format!("{:heading$}{text}", ""), width, "    ");
        lines.get(heading..).map_or(text, str::to_owned)
    }

    /// Writes `diagnostic` to `out`, a buffer in memory to which writing cannot fail.
    pub fn render(&mut self, diagnostic: &Diagnostic, places: &Places<'_>, out: &mut dyn WriteColor) {
        let mut excerpts = Excerpts::default();
        let primary = diagnostic.span.map(|span| (LabelStyle::Primary, span, diagnostic.label.as_ref()));
        let secondary =
            diagnostic.labels.iter().map(|label| (LabelStyle::Secondary, label.span, label.message.as_str()));
        // Binary files have no lines to show. The notes give the position.
        let is_text = |span: Span| places.is_text(span.file);
        let labels: Vec<_> = primary.into_iter().chain(secondary).filter(|&(_, span, _)| is_text(span)).collect();
        let spans: Vec<_> = labels.iter().map(|&(_, span, _)| span).collect();
        let places_of_labels = excerpts.add(&spans, places);
        let labels = labels.iter().zip(places_of_labels).map(|(&(style, _, message), (file, range))| {
            codespan::Label::new(style, file, range).with_message(visible(message))
        });
        // `error[E0001]: `
        let heading = diagnostic.severity.name().len() + diagnostic.code.as_str().len() + "[]: ".len();
        let rendered = codespan::Diagnostic::new(match diagnostic.severity {
            Severity::Error => codespan::Severity::Error,
            Severity::Warning => codespan::Severity::Warning,
            Severity::Note => codespan::Severity::Note,
        })
        .with_code(diagnostic.code.as_str())
        .with_message(self.message(visible(diagnostic.message.text()).into_owned(), heading))
        .with_labels(labels.collect())
        .with_notes(self.notes(diagnostic, places));
        // The ranges of the excerpts are always valid.
        let _ =
            term::emit_to_write_style(&mut StylesWriter::new(out, &self.styles), &self.config, &excerpts, &rendered);
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
        let reported = self.reader == Reader::CommandLine && diagnostic.code.lint() != Lint::Fixed;
        if reported && self.introduced.insert(diagnostic.code) {
            notes.push(match diagnostic.severity {
                Severity::Error => format!("note: an error because of `-D`; `-A {name}` allows it"),
                _ => format!("note: `-A {name}` allows it"),
            });
        }
        if let Some(width) = self.width {
            let width = width.saturating_sub(MARGIN);
            notes.iter_mut().for_each(|note| *note = wrapped(note, width, "      "));
        }
        notes
    }
}

/// Renders `diagnostic`, which refers to `sources`, as text without colours.
pub fn text(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let mut buffer = Buffer::no_color();
    Renderer::new(Reader::Elsewhere).render(diagnostic, &Places::new(sources), &mut buffer);
    String::from_utf8_lossy(buffer.as_slice()).into_owned()
}
