//! Diagnostics as JSON: one object per line.
//!
//! | key | meaning |
//! | --- | --- |
//! | `schema`, `version` | `splc-diagnostic`, and the version of this format |
//! | `code`, `name` | the diagnostic: stable code (`E0101`) and its name (`unknown-variable`) |
//! | `severity` | `error`, `warning` or `note` |
//! | `message` | the problem, one line |
//! | `file`, `line`, `column`, `end_line`, `end_column` | the place; lines and columns count from 1, columns count characters, the end is exclusive. All but `file` are `null` if it has no place, and `file` too if it is not about a file |
//! | `start`, `end` | the place as a half-open range of bytes of the file; a level file has no lines, so only these are set |
//! | `label` | text for that place, perhaps empty |
//! | `labels` | other places: objects with the keys of a place, and `message` |
//! | `notes` | explanations, a list of texts |
//! | `help` | the suggested action, or `null` |
//! | `suggestions` | edits that fix it: objects with the keys of a place, `replacement`, and `applicable`: true if it is safe to apply without review |
//! | `finding` | for a finding of `splc test`: `level`, `seeds` and `of` (numbers of seeds), `first_seed`, `place` on the level, `place_in_map` as the statement counts it, and the `picture` of the level |

use std::io::Write;

use serde::Serialize;
use splc_driver::test::Found;
use splc_ir::diagnostic::{Diagnostic, Severity};
use splc_ir::source::Span;

use super::Places;

/// Value of `schema` in every diagnostic.
const SCHEMA: &str = "splc-diagnostic";

/// Format version. It is raised by every change that breaks readers; new keys do not.
const SCHEMA_VERSION: u32 = 1;

/// A diagnostic about a level, or about the use of splc.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Diagnostic"))]
pub(crate) struct Message<'a> {
    /// Name of the format of this object.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA)))]
    schema: &'static str,
    /// Version of the format.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA_VERSION)))]
    version: u32,
    /// Stable code of the diagnostic.
    code: &'static str,
    /// Name of the diagnostic.
    name: &'static str,
    /// Severity.
    severity: Severity,
    /// The problem, in one line.
    message: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
    /// Text for the place; may be empty.
    label: &'a str,
    /// Other places.
    labels: Vec<Label<'a>>,
    /// Explanations.
    notes: &'a [String],
    /// The suggested action.
    help: Option<&'a str>,
    /// Edits that fix it.
    suggestions: Vec<Suggestion<'a>>,
    /// Further data of a finding of `splc test`; absent in other diagnostics.
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<Finding<'a>>,
}

/// Data of a finding of `splc test`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Finding<'a> {
    /// Name of the level.
    level: &'a str,
    /// Number of seeds that show it.
    seeds: u64,
    /// Number of seeds that were run.
    of: u64,
    /// The first seed that shows it; `null` for a finding about all runs together.
    first_seed: Option<u64>,
    /// Its place with the first seed: column, from 1, and row, from 0.
    place: Option<[i32; 2]>,
    /// The same place as the statement counts it, from the corner of its map or room.
    place_in_map: Option<[i32; 2]>,
    /// The level of the first seed: 21 rows of symbols, or empty.
    picture: &'a [String],
}

#[derive(Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Label<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    message: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Suggestion<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    /// Text to write at that place.
    replacement: &'a str,
    /// True if it is safe to apply without review.
    applicable: bool,
}

impl<'a> Place<'a> {
    fn of(span: Span, places: &Places<'a>) -> Self {
        let [start, end] = places.ends(span);
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

/// Writes `diagnostic` as one line.
pub fn write(diagnostic: &Diagnostic, places: &Places<'_>, out: &mut impl Write) {
    line(diagnostic, None, places, out);
}

/// Writes a finding of `splc test` as one line.
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
        message: diagnostic.message.text(),
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
    // Writing to a buffer in memory does not fail.
    let _ = serde_json::to_writer(&mut *out, &message);
    let _ = out.write_all(b"\n");
}
