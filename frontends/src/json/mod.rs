//! Levels and dungeons as JSON, written by `splc` or by another program. The format is documented in
//! `docs/reference/json.md`.
//!
//! `document` parses the text, and `reader` converts it to the types of [`level`](splc_ir::level). The content of a
//! level is not checked here but, as for any module, when it is resolved and checked. Types in a dump are not relied
//! on.
//!
//! Documents are untrusted: depth and size are limited, every span must lie in a file that the document names, and
//! every error is reported with its line, column and path.

mod document;
mod reader;
#[cfg(feature = "schema")]
pub mod schema;

use std::path::PathBuf;

use serde::Deserialize;
use serde::de::IgnoredAny;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::dungeon;
use splc_ir::dungeon::{Description, Dungeon};
use splc_ir::level::{Item, Module, SCHEMA, SCHEMA_VERSION};
use splc_ir::limits::MAX_JSON_FILES;
use splc_ir::source::{Charset, FileId, SourceMap, Span, Spanned, Text};

use self::document::{Document, Kind, SyntaxError};
use self::reader::Reader;

/// A form of document.
struct Form {
    /// The value of its `schema`.
    schema: &'static str,
    /// The value of its `version`.
    version: u32,
    /// Its content, with an article.
    what: &'static str,
    /// The command that writes it.
    command: &'static str,
}

const LEVEL: Form = Form {
    schema: SCHEMA,
    version: SCHEMA_VERSION,
    what: "a level",
    command: "regenerate it from its des-file with `splc --emit json`",
};

const DUNGEON: Form = Form {
    schema: dungeon::SCHEMA,
    version: dungeon::SCHEMA_VERSION,
    what: "a dungeon",
    command: "regenerate it with `splc dungeon compile --emit json`",
};

/// The content of a document.
#[derive(Debug)]
pub struct Dump {
    /// The language of the des-file that it was made from, if given.
    pub dialect: Option<Spanned<Text>>,
    /// The game that it is meant for, if given.
    pub target: Option<Spanned<Text>>,
    /// The levels.
    pub module: Module,
    /// The JSON text among the sources.
    pub file: FileId,
}

/// Levels of NetHack and its variants, as splc reads and writes them.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "Document")]
struct Head {
    /// The name of this form.
    #[serde(rename = "schema")]
    #[cfg_attr(feature = "schema", schemars(with = "Text"))]
    _schema: IgnoredAny,
    /// The version of this form.
    #[serde(rename = "version")]
    #[cfg_attr(feature = "schema", schemars(with = "u32"))]
    _version: IgnoredAny,
    /// The language of the des-file that it was made from, whose rules the levels follow: `unnethack`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Text>"))]
    dialect: Option<Spanned<Text>>,
    /// The game that it is meant for: `unnethack-6.0.4`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Text>"))]
    target: Option<Spanned<Text>>,
    /// The character set in which its strings become bytes; `utf8` if omitted.
    charset: Option<Charset>,
    /// The files that spans refer to.
    files: Vec<File>,
    /// Functions, included files and levels, in order.
    #[serde(rename = "items")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Item>"))]
    _items: IgnoredAny,
}

/// A file that spans refer to.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct File {
    /// Its name, as it was given.
    name: Text,
    /// The character set in which it was read.
    charset: Option<Charset>,
    /// The length of its text in bytes.
    length: u32,
    /// The offsets at which its lines begin, in ascending order from 0.
    line_starts: Vec<u32>,
}

/// Returns the `dialect` and the `target` of a document with these `bytes`, where it gives them. Returns `None` if it
/// cannot be read as a document.
pub fn names(bytes: &[u8]) -> Option<(Option<String>, Option<String>)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let document = Document::parse(text.strip_prefix('\u{feff}').unwrap_or(text)).ok()?;
    let text = |key: &str| {
        let node = document.get(ROOT, key)?;
        (document.kind(node) == Kind::Text).then(|| document.string(node).into_owned())
    };
    let schema = text("schema")?;
    [LEVEL.schema, DUNGEON.schema].contains(&schema.as_str()).then(|| (text("dialect"), text("target")))
}

/// Returns true if `bytes` can only be JSON among the inputs that splc accepts: they begin with a brace.
pub fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

/// Returns true if `bytes` are a document with the schema of a dungeon.
pub fn is_dungeon(bytes: &[u8]) -> bool {
    let document = std::str::from_utf8(bytes).ok().and_then(|text| Document::parse(text).ok());
    document.is_some_and(|document| {
        let is_schema = |node| document.kind(node) == Kind::Text && document.string(node) == DUNGEON.schema;
        document.get(ROOT, "schema").is_some_and(is_schema)
    })
}

/// Reads a document called `name`, which is the file at `place` if it is one.
///
/// The files that the document names are added to `sources` in order, followed by the document itself. Omitted spans
/// refer to the document's text. Returns `None` if there are errors. They go to `diagnostics`, except those hidden by
/// an error in the syntax or the version.
pub fn read(
    sources: &mut SourceMap,
    name: &str,
    place: Option<PathBuf>,
    bytes: Vec<u8>,
    diagnostics: &mut Diagnostics,
) -> Option<Dump> {
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let file = sources.add(name, place, error.into_bytes());
            // One byte only: later invalid bytes may be shown as two characters.
            let message = "JSON must be UTF-8";
            diagnostics.push(Diagnostic::new(Code::JsonSyntax, Span::new(file, at, at + 1), message));
            return None;
        }
    };
    // Some programs write a byte order mark. It counts as blanks.
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => format!("   {rest}"),
        None => text,
    };
    let document = match Document::parse(&text) {
        Ok(document) => document,
        Err(error) => {
            let file = sources.add(name, place, text.clone().into_bytes());
            diagnostics.push(syntax(error, file));
            return None;
        }
    };
    let nodes: Vec<_> = document.get(ROOT, "files").map_or_else(Vec::new, |files| document.children(files).collect());
    if nodes.len() > MAX_JSON_FILES {
        let file = sources.add(name, place, text.clone().into_bytes());
        let message = format!("the document names more than {MAX_JSON_FILES} files");
        diagnostics.push(Diagnostic::new(Code::TooLarge, Span::new(file, 0, 1), message));
        return None;
    }
    // The files that it names come first in `sources`, so that their spans keep their meaning.
    let file = FileId((sources.len() + nodes.len()) as u32);
    let mut reader = Reader::new(&document, file, diagnostics);
    let head: Option<Head> = if is_of_this_version(&reader, &LEVEL) { reader.read(ROOT) } else { None };
    let files = head.as_ref().map_or(&[][..], |head| head.files.as_slice());
    for (index, &node) in nodes.iter().enumerate() {
        let Some(File { name, charset, length, line_starts }) = files.get(index) else {
            sources.add_absent("", Charset::Utf8, 0, Vec::new());
            continue;
        };
        let starts = if line_starts.is_empty() { vec![0] } else { line_starts.clone() };
        let ascend = starts.first() == Some(&0) && starts.windows(2).all(|pair| pair[0] < pair[1]);
        if !ascend || starts.last() > Some(length) {
            let message = "`line_starts` must be ascending offsets in the file, starting at 0";
            reader.report(Code::JsonValue, node, message, None);
        }
        reader.lengths.push(*length);
        sources.add_absent(name.as_str(), charset.unwrap_or_default(), *length, starts);
    }
    let charset = head.as_ref().and_then(|head| head.charset).unwrap_or_default();
    let items = head.as_ref().and_then(|_| document.get(ROOT, "items"));
    let module = items.and_then(|items| {
        reader.charset = charset;
        with_enough_stack(document.depth, move || {
            let items = reader.read::<Vec<Item>>(items).filter(|_| reader.mistakes() == 0)?;
            Some(Module { charset, items, ..Module::default() })
        })
    });
    let named = sources.add(name, place, text.into_bytes());
    debug_assert_eq!(named, file);
    if module.is_none() && !diagnostics.has_errors() {
        let message = "not enough memory for a document nested this deeply";
        diagnostics.push(Diagnostic::new(Code::TooLarge, Span::new(file, 0, 1), message));
    }
    sources.set_document(named);
    let (Head { dialect, target, .. }, module) = (head?, module?);
    Some(Dump { dialect, target, module, file })
}

/// Runs `work` for a document of this depth, on a large enough stack. Types are read recursively, and each kind of
/// statement adds to the stack size needed.
fn with_enough_stack<T: Send>(depth: usize, work: impl FnOnce() -> Option<T> + Send) -> Option<T> {
    /// The depth that is safe on any thread's stack.
    const SHALLOW: usize = 100;
    /// Far more than the deepest document needs, which was measured as less than 3 MiB.
    const STACK: usize = 32 << 20;
    if depth <= SHALLOW {
        return work();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()?;
        thread.join().ok().flatten()
    })
}

/// The outermost value.
const ROOT: usize = 0;

/// Returns true if the document has the expected `form` and version. Reports an error otherwise.
fn is_of_this_version(reader: &Reader<'_>, form: &Form) -> bool {
    let document = reader.document;
    let &Form { schema: name, version: known, what, command } = form;
    let help = || Some(format!("begin the document with {{\"schema\": \"{name}\", \"version\": {known}, ...}}"));
    let Some(schema) = document.get(ROOT, "schema") else {
        let message = format!("this JSON is not {what}: `schema` is missing");
        reader.report(Code::JsonSchema, ROOT, message, help());
        return false;
    };
    if document.raw(schema) != format!("\"{name}\"") {
        let message = format!("the schema of {what} must be \"{name}\"");
        reader.report(Code::JsonSchema, schema, message, None);
        return false;
    }
    let Some(version) = document.get(ROOT, "version") else {
        reader.report(Code::JsonSchema, ROOT, "`version` is missing", help());
        return false;
    };
    let (message, help) = match document.integer(version) {
        Some(number) if number == i64::from(known) => return true,
        Some(number) if (1..i64::from(known)).contains(&number) => {
            (format!("version {number} of {name} is from an earlier splc; this splc reads version {known}"), command)
        }
        Some(number) if number > i64::from(known) => (
            format!("version {number} of {name} is from a later splc; this splc reads version {known}"),
            "update splc, or regenerate the document with this version",
        ),
        _ => (format!("the version of {name} must be {known}"), "write that number"),
    };
    reader.report(Code::JsonSchema, version, message, Some(help.to_owned()));
    false
}

/// A game's dungeon, as splc reads and writes it.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "DungeonDocument")]
struct DungeonHead {
    /// The name of this form.
    #[serde(rename = "schema")]
    #[cfg_attr(feature = "schema", schemars(with = "Text"))]
    _schema: IgnoredAny,
    /// The version of this form.
    #[serde(rename = "version")]
    #[cfg_attr(feature = "schema", schemars(with = "u32"))]
    _version: IgnoredAny,
    /// The game that it was read for: `nethack-3.6.7`.
    #[serde(rename = "target")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Text>"))]
    _target: IgnoredAny,
    /// The character set in which its strings become bytes; `utf8` if omitted.
    charset: Option<Charset>,
    /// The dungeons. The game begins in the first one.
    dungeons: Vec<Dungeon>,
}

/// Reads the JSON form of a dungeon description from `text`, which is `file` in the sources. Errors go to
/// `diagnostics`; the description is then empty.
pub fn read_dungeon(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> Description {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            diagnostics.push(syntax(error, file));
            return Description::default();
        }
    };
    let reader = Reader::new(&document, file, diagnostics);
    let head: Option<DungeonHead> = if is_of_this_version(&reader, &DUNGEON) { reader.read(ROOT) } else { None };
    let head = head.filter(|_| reader.mistakes() == 0);
    head.map_or_else(Description::default, |head| Description {
        charset: head.charset.unwrap_or_default(),
        dungeons: head.dungeons,
    })
}

fn syntax(error: SyntaxError, file: FileId) -> Diagnostic {
    let code = if error.too_deep { Code::Nesting } else { Code::JsonSyntax };
    let mut diagnostic = Diagnostic::new(code, Span::new(file, error.start, error.end), error.message);
    diagnostic.help = error.help.map(str::to_owned);
    diagnostic
}

/// Adapts diagnostics of a module to the document `file` that it was read from. Each one in its text gets the path to
/// the value (`items[0].body[3].kind.place`). Edits, which are meant for a des-file, become advice.
pub fn adapt<'a>(diagnostics: impl Iterator<Item = &'a mut Diagnostic>, file: FileId, sources: &SourceMap) {
    let mut document = None;
    for diagnostic in diagnostics {
        let edits = std::mem::take(&mut diagnostic.suggestions);
        if let (None, [edit]) = (&diagnostic.help, edits.as_slice()) {
            diagnostic.help = Some(format!("write {}", edit.replacement));
        }
        let Some(span) = diagnostic.span.filter(|span| span.file == file) else { continue };
        let document = document.get_or_insert_with(|| Document::parse(&sources.get(file).text).ok());
        let Some(document) = document else { continue };
        let path = document.path(document.around(span.start as usize, span.end as usize));
        let note = path_note(&path);
        if !path.is_empty() && !diagnostic.notes.contains(&note) {
            diagnostic.notes.push(note);
        }
    }
}

/// Returns the note that gives the path of a value in a document.
fn path_note(path: &str) -> String {
    format!("at {path}")
}
