//! Diagnostics in the formats of CI servers.
//!
//! | format | source |
//! | --- | --- |
//! | annotations | GitHub Actions, "Workflow commands" |
//! | Code Quality | GitLab, "Code Quality report format" |
//! | JUnit | the format of the Ant task, which CI servers read |
//! | SARIF | OASIS SARIF 2.1.0 |
//!
//! Names of files are written as the user gave them, with forward slashes.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hash::Hasher;

use serde_json::{Value, json};
use siphasher::sip128::{Hasher128, SipHasher13};
use splc_ir::diagnostic::{Code, Diagnostic, Severity};
use splc_ir::order::Order;
use splc_ir::source::Span;
use splc_ir::wording::visible;

use super::Places;

/// A place in a file, as CI servers take it. Lines and columns count from 1, columns count characters.
#[derive(Debug)]
pub(super) struct Place {
    file: String,
    /// Start and end as line and column, unless the file is binary. The end is exclusive.
    lines: Option<[(usize, usize); 2]>,
}

impl Place {
    fn of(span: Span, places: &Places<'_>) -> Self {
        let [start, end] = places.ends(span);
        let lines = places.has_lines(span.file).then_some([(start.line, start.column), (end.line, end.column)]);
        Place { file: path(places.name(span.file)), lines }
    }
}

/// Returns a name of a file with forward slashes.
fn path(name: &str) -> String {
    visible(name).replace('\\', "/")
}

/// A diagnostic that is written at the end of the run.
#[derive(Debug)]
pub(super) struct Record {
    code: Code,
    severity: Severity,
    message: String,
    help: Option<String>,
    /// Its file and place, unless it is about no file.
    place: Option<Place>,
    related: Vec<(Place, String)>,
    /// The edits that are safe to apply, each with its place.
    edits: Vec<(Place, String)>,
}

impl Record {
    pub(super) fn new(diagnostic: &Diagnostic, places: &Places<'_>) -> Self {
        let main = || places.main().map(|name| Place { file: path(name), lines: None });
        let applicable = diagnostic.suggestions.iter().all(|edit| edit.applicable);
        let edits = diagnostic.suggestions.iter().filter(|_| applicable);
        Record {
            code: diagnostic.code,
            severity: diagnostic.severity,
            message: visible(diagnostic.message.text()).into_owned(),
            help: diagnostic.help.as_deref().map(|help| visible(help).into_owned()),
            place: diagnostic.span.map_or_else(main, |span| Some(Place::of(span, places))),
            related: diagnostic
                .labels
                .iter()
                .map(|label| (Place::of(label.span, places), visible(&label.message).into_owned()))
                .collect(),
            edits: edits.map(|edit| (Place::of(edit.span, places), edit.replacement.to_string())).collect(),
        }
    }

    fn file(&self) -> &str {
        self.place.as_ref().map_or("", |place| &place.file)
    }

    /// Returns the message with its help.
    fn text(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message),
            None => self.message.clone(),
        }
    }
}

/// Returns a hash of each record that stays the same if lines are inserted above it: of its file, code and message, and
/// of its position among equal ones.
fn fingerprints(records: &[Record]) -> Vec<String> {
    let mut known: BTreeMap<(&str, &str, &str), u32> = BTreeMap::new();
    let mut found = Vec::with_capacity(records.len());
    for record in records {
        let (file, code, message) = (record.file(), record.code.as_str(), record.message.as_str());
        let count = known.entry((file, code, message)).or_default();
        *count += 1;
        let mut hasher = SipHasher13::new();
        for part in [file, code, message] {
            hasher.write(part.as_bytes());
            hasher.write_u8(0);
        }
        hasher.write_u32(*count);
        found.push(format!("{:032x}", hasher.finish128().as_u128()));
    }
    found
}

/// Returns a line that GitHub Actions shows next to the source line.
pub(super) fn github(record: &Record) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let word = match record.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut line = format!("::{word} title={}", property(&format!("splc {}", record.code.as_str())));
    if let Some(place) = &record.place {
        let _ = write!(line, ",file={}", property(&place.file));
        if let Some([start, end]) = place.lines {
            let _ = write!(line, ",line={},endLine={}", start.0, end.0);
            // Columns are only valid within one line.
            if start.0 == end.0 {
                let _ = write!(line, ",col={},endColumn={}", start.1, end.1);
            }
        }
    }
    line + "::" + &data(&record.text()) + "\n"
}

/// Returns a report of GitLab Code Quality.
pub(super) fn gitlab(records: &[Record]) -> String {
    let issue = |(record, fingerprint): (&Record, String)| {
        let line = record.place.as_ref().and_then(|place| place.lines).map_or(1, |[start, _]| start.0);
        json!({
            "description": record.text(),
            "check_name": record.code.as_str(),
            "fingerprint": fingerprint,
            "severity": match record.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Note => "info",
            },
            "location": {"path": record.file(), "lines": {"begin": line}},
        })
    };
    let issues: Vec<Value> = records.iter().zip(fingerprints(records)).map(issue).collect();
    pretty(&Value::Array(issues))
}

/// Returns a JUnit report: a suite for each input, with a failure for each of its diagnostics but notes.
pub(super) fn junit(inputs: &[String], records: &[Record]) -> String {
    let is_failure = |record: &&Record| record.severity != Severity::Note;
    let mut files: Vec<String> = inputs.iter().map(|name| path(name)).collect();
    files.extend(records.iter().filter(is_failure).map(|record| record.file().to_owned()));
    files.order();
    files.dedup();
    let failures = records.iter().filter(is_failure).count();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut suites = String::new();
    let mut tests = 0;
    for file in &files {
        let own: Vec<&Record> = records.iter().filter(is_failure).filter(|record| record.file() == file).collect();
        let count = own.len().max(1);
        tests += count;
        let name = xml(if file.is_empty() { "splc" } else { file });
        let _ =
            writeln!(suites, "  <testsuite name=\"{name}\" tests=\"{count}\" failures=\"{}\" errors=\"0\">", own.len());
        if own.is_empty() {
            let _ = writeln!(suites, "    <testcase name=\"no findings\" classname=\"{name}\"/>");
        }
        for record in own {
            let line = record.place.as_ref().and_then(|place| place.lines).map(|[start, _]| start);
            let place = line.map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
            let code = record.code.as_str();
            let _ = writeln!(suites, "    <testcase name=\"{code}{place}\" classname=\"{name}\">");
            let _ = writeln!(
                suites,
                "      <failure message=\"{}\" type=\"{code}\">{}</failure>",
                xml(&record.message),
                xml(&format!("{}{place}: {}", record.file(), record.text()))
            );
            suites.push_str("    </testcase>\n");
        }
        suites.push_str("  </testsuite>\n");
    }
    let _ = writeln!(out, "<testsuites name=\"splc\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">");
    out + &suites + "</testsuites>\n"
}

/// Returns `text` for an attribute or the content of an element of XML.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            // XML 1.0 cannot contain these at all.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            character if character.is_control() => out.push('\u{fffd}'),
            character => out.push(character),
        }
    }
    out
}

/// Returns a SARIF log.
pub(super) fn sarif(records: &[Record]) -> String {
    let mut codes: Vec<Code> = records.iter().map(|record| record.code).collect();
    codes.order_by_key(|code| code.as_str());
    codes.dedup();
    let rules: Vec<Value> = codes
        .iter()
        .map(|code| {
            json!({
                "id": code.as_str(),
                "name": code.name(),
                "shortDescription": {"text": code.name().replace('-', " ")},
                "fullDescription": {"text": code.explanation()},
                "help": {"text": code.explanation()},
            })
        })
        .collect();
    let results: Vec<Value> = records
        .iter()
        .zip(fingerprints(records))
        .map(|(record, fingerprint)| {
            let mut result = json!({
                "ruleId": record.code.as_str(),
                "ruleIndex": codes.iter().position(|code| *code == record.code),
                "level": record.severity.name(),
                "message": {"text": record.text()},
                "locations": record.place.iter().map(|place| json!({"physicalLocation": physical(place)})).collect::<Vec<_>>(),
                "partialFingerprints": {"splc/v1": fingerprint},
            });
            if !record.related.is_empty() {
                result["relatedLocations"] = record
                    .related
                    .iter()
                    .map(|(place, text)| json!({"physicalLocation": physical(place), "message": {"text": text}}))
                    .collect();
            }
            if !record.edits.is_empty() {
                let changes: Vec<Value> = record
                    .edits
                    .iter()
                    .map(|(place, text)| {
                        let place = physical(place);
                        json!({
                            "artifactLocation": place["artifactLocation"],
                            "replacements": [{"deletedRegion": place["region"], "insertedContent": {"text": text}}],
                        })
                    })
                    .collect();
                result["fixes"] = json!([{"description": {"text": "fix by splc"}, "artifactChanges": changes}]);
            }
            result
        })
        .collect();
    pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "splc",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

/// Returns a place as a `physicalLocation` of SARIF.
fn physical(place: &Place) -> Value {
    let mut location = json!({"artifactLocation": {"uri": uri(&place.file)}});
    if let Some([start, end]) = place.lines {
        location["region"] =
            json!({"startLine": start.0, "startColumn": start.1, "endLine": end.0, "endColumn": end.1});
    }
    location
}

/// Returns a path as a relative or absolute URI.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    match path {
        path if path.starts_with('/') => format!("file://{out}"),
        _ => out,
    }
}

fn pretty(value: &Value) -> String {
    // A JSON value always serializes.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// Returns a table of the number of records by code, the most frequent first.
pub(super) fn statistics(records: &[Record]) -> String {
    let mut counts: BTreeMap<&str, (&str, usize, usize)> = BTreeMap::new();
    for record in records {
        let (_, count, fixable) = counts.entry(record.code.as_str()).or_insert((record.code.name(), 0, 0));
        *count += 1;
        *fixable += usize::from(!record.edits.is_empty());
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.order_by_key(|&(_, (_, count, _))| std::cmp::Reverse(count));
    let mut out = String::new();
    for (code, (name, count, fixable)) in rows {
        let fixable = if fixable > 0 { format!("  ({fixable} fixable)") } else { String::new() };
        let _ = writeln!(out, "{count:>7}  {code}  {name}{fixable}");
    }
    out
}
