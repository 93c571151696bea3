//! Diagnostics as JSON: one object each, on a line of its own.
//!
//! | key | what it is |
//! | --- | --- |
//! | `schema`, `version` | `splc-diagnostic`, and the version of this form |
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
//! | `finding` | of what `splc test` finds: `level`, `seeds` and `of` how many, `first_seed`, `place` on the level, `place_in_map` as the statement counts it, and the `picture` of the level |

use std::io::Write;

use schemars::JsonSchema;
use serde::Serialize;
use splc_driver::test::Found;
use splc_ir::diagnostic::{Diagnostic, Severity};
use splc_ir::source::Span;

use super::Places;

/// What `schema` says in every diagnostic.
const SCHEMA: &str = "splc-diagnostic";

/// Raised by every change that a reader would notice; new keys are no such change.
const SCHEMA_VERSION: u32 = 1;

/// What there is to say about a level, or about how splc was used.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Diagnostic")]
pub(crate) struct Message<'a> {
    /// What the form of this object is called.
    #[schemars(extend("const" = SCHEMA))]
    schema: &'static str,
    /// The version of that form.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    version: u32,
    /// The kind: its stable code.
    code: &'static str,
    /// The name of the kind.
    name: &'static str,
    /// How bad it is.
    severity: Severity,
    /// What is wrong, in one line.
    message: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
    /// What is at the place; may be empty.
    label: &'a str,
    /// Other places.
    labels: Vec<Label<'a>>,
    /// Facts that explain.
    notes: &'a [String],
    /// What to write instead.
    help: Option<&'a str>,
    /// Edits that mend it.
    suggestions: Vec<Suggestion<'a>>,
    /// What `splc test` says of it besides; not there otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<Finding<'a>>,
}

/// What `splc test` says of a finding.
#[derive(Serialize, JsonSchema)]
struct Finding<'a> {
    /// Name of the level.
    level: &'a str,
    /// With how many seeds it comes.
    seeds: u64,
    /// Of how many.
    of: u64,
    /// The first of them; `null` for what holds for all of them together.
    first_seed: Option<u64>,
    /// Where it shows with the first seed: column, from 1, and row, from 0.
    place: Option<[i32; 2]>,
    /// The same as the statement counts it, from the corner of its map or room.
    place_in_map: Option<[i32; 2]>,
    /// The level of the first seed: 21 rows of symbols, or none.
    picture: &'a [String],
}

#[derive(Default, Serialize, JsonSchema)]
struct Place<'a> {
    /// Name of the file.
    file: Option<&'a str>,
    /// Line of its start, from 1.
    line: Option<usize>,
    /// Column of its start in characters, from 1.
    column: Option<usize>,
    /// Line of its end.
    end_line: Option<usize>,
    /// Column after its end.
    end_column: Option<usize>,
    /// Offset of its first byte in the file.
    start: Option<usize>,
    /// Offset after its last byte.
    end: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct Label<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    message: &'a str,
}

#[derive(Serialize, JsonSchema)]
struct Suggestion<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    /// What to write at that place.
    replacement: &'a str,
    /// Whether it may be applied unseen.
    applicable: bool,
}

impl<'a> Place<'a> {
    fn of(span: Span, places: &Places<'a>) -> Self {
        let start = places.locate(span.file, span.start);
        let end = places.locate(span.file, span.end.max(span.start));
        let text = places.has_lines(span.file);
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
    line(diagnostic, None, places, out);
}

/// Writes what `splc test` has found as a line.
pub fn write_found(found: &Found, places: &Places<'_>, out: &mut impl Write) {
    let finding = Finding {
        level: &found.level,
        seeds: found.seeds,
        of: found.of,
        first_seed: found.first,
        place: found.place.map(|(x, y)| [x, y]),
        place_in_map: found.written.map(|(x, y)| [x, y]),
        picture: &found.picture,
    };
    line(&found.diagnostic, Some(finding), places, out);
}

fn line<'a>(diagnostic: &'a Diagnostic, finding: Option<Finding<'a>>, places: &Places<'a>, out: &mut impl Write) {
    let message = Message {
        schema: SCHEMA,
        version: SCHEMA_VERSION,
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
        finding,
    };
    // The buffer is in memory and takes all.
    let _ = serde_json::to_writer(&mut *out, &message);
    let _ = out.write_all(b"\n");
}
