//! Diagnostics as JSON: one object each, on a line of its own.
//!
//! | key | what it is |
//! | --- | --- |
//! | `code`, `name` | the kind: stable code (`E0101`) and its name (`unknown-variable`) |
//! | `severity` | `error`, `warning` or `note` |
//! | `message` | what is wrong, one line |
//! | `file`, `line`, `column`, `end_line`, `end_column` | the place; lines and columns count from 1, columns count characters, the end is exclusive. All but `file` are `null` if it has no place, and `file` too if it is about none |
//! | `start`, `end` | the place as a half-open range of bytes of the file; in a level file, which has no lines, this is all |
//! | `label` | what is at that place, perhaps empty |
//! | `labels` | other places: objects with the keys of a place, and `message` |
//! | `notes` | facts that explain, a list of texts |
//! | `help` | what to write instead, or `null` |
//! | `suggestions` | edits that mend it: objects with the keys of a place, `replacement`, and `applicable`: whether it may be applied unseen |

use std::io::Write;

use serde::Serialize;
use splc_ir::diagnostic::{Diagnostic, Severity};
use splc_ir::source::Span;

use super::places::Places;

#[derive(Serialize)]
struct Message<'a> {
    code: &'static str,
    name: &'static str,
    severity: Severity,
    message: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
    label: &'a str,
    labels: Vec<Label<'a>>,
    notes: &'a [String],
    help: Option<&'a str>,
    suggestions: Vec<Suggestion<'a>>,
}

#[derive(Default, Serialize)]
struct Place<'a> {
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
}

#[derive(Serialize)]
struct Label<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    message: &'a str,
}

#[derive(Serialize)]
struct Suggestion<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    replacement: &'a str,
    applicable: bool,
}

impl<'a> Place<'a> {
    fn of(span: Span, places: &Places<'a>) -> Self {
        let start = places.locate(span.file, span.start);
        let end = places.locate(span.file, span.end.max(span.start));
        let text = places.is_text(span.file);
        Place {
            file: Some(places.name(span.file)),
            line: text.then_some(start.line),
            column: text.then_some(start.column),
            end_line: text.then_some(end.line),
            end_column: text.then_some(end.column),
            start: Some(start.byte),
            end: Some(end.byte),
        }
    }
}

/// Writes `diagnostic` as a line.
pub fn write(diagnostic: &Diagnostic, places: &Places<'_>, out: &mut impl Write) {
    let message = Message {
        code: diagnostic.code.as_str(),
        name: diagnostic.code.name(),
        severity: diagnostic.severity,
        message: &diagnostic.message,
        place: match diagnostic.span {
            Some(span) => Place::of(span, places),
            None => Place { file: places.main(), ..Place::default() },
        },
        label: &diagnostic.label,
        labels: diagnostic
            .labels
            .iter()
            .map(|label| Label { place: Place::of(label.span, places), message: &label.message })
            .collect(),
        notes: &diagnostic.notes,
        help: diagnostic.help.as_deref(),
        suggestions: diagnostic
            .suggestions
            .iter()
            .map(|suggestion| Suggestion {
                place: Place::of(suggestion.span, places),
                replacement: &suggestion.replacement,
                applicable: suggestion.applicable,
            })
            .collect(),
    };
    // The buffer is in memory and takes all.
    let _ = serde_json::to_writer(&mut *out, &message);
    let _ = out.write_all(b"\n");
}
