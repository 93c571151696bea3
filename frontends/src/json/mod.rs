//! Levels and dungeons as JSON, made by `splc` or by another program: docs in `docs/json.md`.
//!
//! `document` reads the text, `reader` makes the types of [`level`](splc_ir::level) of it. What a level may say is
//! not judged here but, as for any module, by resolving and checking it; what a dump says of types is not relied on.
//!
//! Nothing in a document is trusted: depth and size are bounded, every place is held to the files that the document
//! names, every mistake is told at its line, column and path.

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

/// What a document is a form of.
struct Form {
    /// What it says under `schema`.
    schema: &'static str,
    /// What it says under `version`.
    version: u32,
    /// What it is, with its article.
    what: &'static str,
    /// What writes it.
    command: &'static str,
}

const LEVEL: Form = Form {
    schema: SCHEMA,
    version: SCHEMA_VERSION,
    what: "a level",
    command: "write it anew from its des-file with `splc --emit json`",
};

const DUNGEON: Form = Form {
    schema: dungeon::SCHEMA,
    version: dungeon::SCHEMA_VERSION,
    what: "a dungeon",
    command: "write it anew with `splc dungeon compile --emit json`",
};

/// What a document says.
#[derive(Debug)]
pub struct Dump {
    /// The language of the des-file that it was made of, if it names one.
    pub dialect: Option<Spanned<Text>>,
    /// The game that it is for, if it names one.
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
    /// What this form is called.
    #[serde(rename = "schema")]
    #[cfg_attr(feature = "schema", schemars(with = "Text"))]
    _schema: IgnoredAny,
    /// The version of this form.
    #[serde(rename = "version")]
    #[cfg_attr(feature = "schema", schemars(with = "u32"))]
    _version: IgnoredAny,
    /// The language of the des-file that it was made of, which the levels keep to: `unnethack`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Text>"))]
    dialect: Option<Spanned<Text>>,
    /// The game that it is for: `unnethack-6.0.4`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Text>"))]
    target: Option<Spanned<Text>>,
    /// How its texts turn into bytes; `utf8` if it is left out.
    charset: Option<Charset>,
    /// The files that places point into.
    files: Vec<File>,
    /// Functions, included files and levels, in order.
    #[serde(rename = "items")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Item>"))]
    _items: IgnoredAny,
}

/// A file that places point into.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct File {
    /// Its name, as it was given.
    name: Text,
    /// How its bytes became text.
    charset: Option<Charset>,
    /// How many bytes its text has.
    length: u32,
    /// Where its lines begin, from 0 upwards.
    line_starts: Vec<u32>,
}

/// What a document with these `bytes` says that it is for: its `dialect` and its `target`, where it names them. `None` if
/// it is not a document that can be read.
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

/// Whether `bytes` can only be JSON, of the inputs that splc knows: they begin with a brace.
pub fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

/// Reads a document called `name`, which is the file at `place` if it is one.
///
/// The files that the document names come into `sources`, in its order, and after them the document itself. Spans that
/// the document leaves out lie in its own text. `None` if it has mistakes; they go into `diagnostics`, all that are
/// not hidden by a mistake in the text or in its version.
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
            // As it is shown, each byte after the first wrong one may be two.
            let message = "this is not UTF-8, as JSON must be";
            diagnostics.push(Diagnostic::new(Code::JsonSyntax, Span::new(file, at, at + 1), message));
            return None;
        }
    };
    // A byte order mark, which some programs write, is a blank.
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
    // Before it come the files that it names: so their spans stay what they are.
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
            let message = "`line_starts` are offsets in the file, from 0 upwards";
            reader.tell(Code::JsonValue, node, message, None);
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
        let message = "there is not enough memory for a document that is nested so deeply";
        diagnostics.push(Diagnostic::new(Code::TooLarge, Span::new(file, 0, 1), message));
    }
    sources.set_document(named);
    let (Head { dialect, target, .. }, module) = (head?, module?);
    Some(Dump { dialect, target, module, file })
}

/// Does `work` on a document of that depth, where the stack is large enough for it: types read one another, and each
/// kind of statement has its part in what that takes.
fn with_enough_stack<T: Send>(depth: usize, work: impl FnOnce() -> Option<T> + Send) -> Option<T> {
    /// What fits into the stack of any thread.
    const SHALLOW: usize = 100;
    /// Far more than the deepest document was seen to take, which is less than 3 MiB.
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

/// Whether the document says that it is of the `form` that is read here.
fn is_of_this_version(reader: &Reader<'_>, form: &Form) -> bool {
    let document = reader.document;
    let &Form { schema: name, version: known, what, command } = form;
    let help = || Some(format!("a document begins {{\"schema\": \"{name}\", \"version\": {known}, ...}}"));
    let Some(schema) = document.get(ROOT, "schema") else {
        let message = format!("this JSON does not say that it is {what}: `schema` is missing");
        reader.tell(Code::JsonSchema, ROOT, message, help());
        return false;
    };
    if document.raw(schema) != format!("\"{name}\"") {
        let message = format!("the schema of {what} is \"{name}\"; this is something else");
        reader.tell(Code::JsonSchema, schema, message, None);
        return false;
    }
    let Some(version) = document.get(ROOT, "version") else {
        reader.tell(Code::JsonSchema, ROOT, "`version` is missing", help());
        return false;
    };
    let (message, help) = match document.integer(version) {
        Some(number) if number == i64::from(known) => return true,
        Some(number) if (1..i64::from(known)).contains(&number) => {
            (format!("this is version {number} of {name}, from an earlier splc; version {known} is read"), command)
        }
        Some(number) if number > i64::from(known) => (
            format!("this is version {number} of {name}; this splc reads version {known}"),
            "a later splc has written it",
        ),
        _ => (format!("the version of {name} is {known}"), "write that number"),
    };
    reader.tell(Code::JsonSchema, version, message, Some(help.to_owned()));
    false
}

/// A game's dungeon, as splc reads and writes it.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "DungeonDocument")]
struct DungeonHead {
    /// What this form is called.
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
    /// How its texts turn into bytes; `utf8` if it is left out.
    charset: Option<Charset>,
    /// The dungeons; the first one is where a game begins.
    dungeons: Vec<Dungeon>,
}

/// Reads the JSON form of a description of a dungeon out of `text`, which is `file` among the sources. What is wrong
/// with it goes into `diagnostics`; the description is then empty.
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

/// Makes what was said about a module of the document `file` say it of the document: each diagnostic in its text tells
/// how one gets to the place (`items[0].body[3].kind.place`), and edits, which are meant for a des-file, become advice.
pub fn adapt<'a>(diagnostics: impl Iterator<Item = &'a mut Diagnostic>, file: FileId, sources: &SourceMap) {
    let mut document = None;
    for diagnostic in diagnostics {
        let edits = std::mem::take(&mut diagnostic.suggestions);
        if let (None, [edit]) = (&diagnostic.help, edits.as_slice()) {
            diagnostic.help = Some(format!("it should be {}", edit.replacement));
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

/// How it is said where in a document a value is.
fn path_note(path: &str) -> String {
    format!("it is at {path}")
}
