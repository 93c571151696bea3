//! Diagnostics as tuples, which `splc/diagnostics.py` converts to records.

use std::collections::HashMap;

use splc_driver::report::{self, Places};
use splc_ir::diagnostic::{Diagnostic, Diagnostics};
use splc_ir::source::{SourceMap, Span};

/// File, line, column, end line, end column (all from 1; 0 in a level file, which has no lines), first byte, and the
/// byte after the last.
type Place = (String, usize, usize, usize, usize, usize, usize);

/// Code, name, severity; message, place, label; other labels, notes, help; edits and the rendered text.
pub type Row = (
    (&'static str, &'static str, &'static str),
    (String, Option<Place>, String),
    (Vec<(Place, String)>, Vec<String>, Option<String>),
    (Vec<(Place, String, bool)>, String),
);

fn place(span: Span, places: &Places<'_>) -> Place {
    let (start, end) = (places.locate(span.file, span.start), places.locate(span.file, span.end.max(span.start)));
    let lines = usize::from(places.has_lines(span.file));
    let name = places.name(span.file).to_owned();
    (name, start.line * lines, start.column * lines, end.line * lines, end.column * lines, start.byte, end.byte)
}

/// Returns all of `diagnostics` in the order of the source. `origins` has the writers of lines of the main source.
pub fn rows(mut diagnostics: Diagnostics, sources: &SourceMap, origins: &HashMap<usize, String>) -> Vec<Row> {
    diagnostics.sort();
    let places = Places::new(sources);
    diagnostics
        .into_vec()
        .into_iter()
        .map(|mut diagnostic| {
            let line = diagnostic.span.filter(|span| span.file.0 == 0).map(|span| places.locate(span.file, span.start));
            if let Some(origin) = line.and_then(|place| origins.get(&place.line)) {
                diagnostic.notes.push(format!("this line was added at {origin}"));
            }
            row(diagnostic, sources, &places)
        })
        .collect()
}

fn row(diagnostic: Diagnostic, sources: &SourceMap, places: &Places<'_>) -> Row {
    let rendered = report::text(&diagnostic, sources);
    let severity = diagnostic.severity.name();
    let labels = diagnostic.labels.into_iter().map(|label| (place(label.span, places), label.message));
    let edits = diagnostic.suggestions.into_iter();
    let edits = edits.map(|edit| (place(edit.span, places), edit.replacement, edit.applicable));
    (
        (diagnostic.code.as_str(), diagnostic.code.name(), severity),
        (
            diagnostic.message.to_string(),
            diagnostic.span.map(|span| place(span, places)),
            diagnostic.label.into_owned(),
        ),
        (labels.collect(), diagnostic.notes, diagnostic.help),
        (edits.collect(), rendered),
    )
}
