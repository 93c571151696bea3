//! Source files and positions in them.
//!
//! A [`SourceMap`] contains every file that one compilation reads, including INCLUDEs: the content of text files, and
//! the length of level files. A [`Span`] is a range in one of them. Statements, expressions and diagnostics refer to
//! the source by spans alone. Code without a source has the span [`Span::NOWHERE`].
//!
//! Any span may be looked up, even one from another map or past the end of its file: ranges are clamped, and a missing
//! file is empty and has no name.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::OnceLock;

use compact_str::CompactString;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A short string of a level: a name, a keyword, a message.
///
/// Up to 24 bytes are stored inline, enough for nearly every name in a des-file.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text(CompactString);

impl Text {
    /// Creates a `Text` at compile time.
    pub const fn const_new(text: &'static str) -> Self {
        Text(CompactString::const_new(text))
    }

    /// Returns the text as a string slice.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Appends `text`.
    pub fn push_str(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// Appends `character`.
    pub fn push(&mut self, character: char) {
        self.0.push(character);
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text(text.into())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text(text.into())
    }
}

impl FromIterator<char> for Text {
    fn from_iter<I: IntoIterator<Item = char>>(characters: I) -> Self {
        Text(characters.into_iter().collect())
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<Text> for str {
    fn eq(&self, other: &Text) -> bool {
        self == other.as_str()
    }
}

impl PartialEq<Text> for &str {
    fn eq(&self, other: &Text) -> bool {
        *self == other.as_str()
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), formatter)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Span, Text};

    impl JsonSchema for Text {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            "Text".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({"type": "string"})
        }
    }

    impl JsonSchema for Span {
        fn schema_name() -> Cow<'static, str> {
            Span::FORM.into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "A place: a file index and a half-open byte range in its text, or null for none.",
                "type": ["array", "null"],
                "items": {"type": "integer", "minimum": 0, "maximum": u32::MAX},
                "minItems": 3,
                "maxItems": 3
            })
        }
    }
}

/// Index of a file in a [`SourceMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A half-open byte range `start..end` in one source file, or nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset past the last byte.
    pub end: u32,
}

impl Default for Span {
    fn default() -> Self {
        Span::NOWHERE
    }
}

impl Span {
    /// The name of a span in serde.
    pub const FORM: &'static str = "Span";

    /// The span of nodes without source text, such as those created by a program or a port.
    pub const NOWHERE: Span = Span { file: FileId(u32::MAX), start: 0, end: 0 };

    /// Returns true if this is [`NOWHERE`](Span::NOWHERE).
    pub fn is_nowhere(self) -> bool {
        self.file == Span::NOWHERE.file
    }

    /// Returns the span, or `None` if it is nowhere.
    pub fn somewhere(self) -> Option<Span> {
        if self.is_nowhere() { None } else { Some(self) }
    }

    /// Creates a span over `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        // Offsets fit: MAX_SOURCE_BYTES is below 2^32.
        Span { file, start: start as u32, end: end as u32 }
    }

    /// Returns the span from the start of `self` to the end of `other`, which must be in the same file. If one of them
    /// is nowhere, returns the other.
    pub fn to(self, other: Span) -> Span {
        if other.is_nowhere() {
            return self;
        }
        if self.is_nowhere() {
            return other;
        }
        Span { file: self.file, start: self.start, end: other.end.max(self.start) }
    }
}

impl Serialize for Span {
    /// Writes `[file, start, end]`, or `null` for nowhere. The form is short because nearly every node of a JSON dump
    /// has a span.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let numbers = self.somewhere().map(|span| (span.file.0, span.start, span.end));
        serializer.serialize_newtype_struct(Span::FORM, &numbers)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Visits the three numbers; the name of the newtype tells the deserializer to expect a span.
        struct Numbers;

        impl<'de> Visitor<'de> for Numbers {
            type Value = Span;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a place: [file, start, end], or null")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Span, D::Error> {
                let numbers: Option<(u32, u32, u32)> = Deserialize::deserialize(deserializer)?;
                Ok(numbers.map_or(Span::NOWHERE, |(file, start, end)| Span { file: FileId(file), start, end }))
            }
        }

        deserializer.deserialize_newtype_struct(Span::FORM, Numbers)
    }
}

/// A piece of source text between blanks: a token, a map or a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// Its kind.
    pub kind: LexemeKind,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset past its last byte.
    pub end: usize,
}

/// The kind of a [`Lexeme`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexemeKind {
    /// A token of the language.
    Token,
    /// A map, from MAP to ENDMAP.
    Map,
    /// A comment, without its line end.
    Comment,
}

/// A value with its span in the source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spanned<T> {
    /// The value.
    pub node: T,
    /// Its position.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Pairs `node` with `span`.
    pub fn new(node: T, span: Span) -> Self {
        Spanned { node, span }
    }
}

/// The character encoding of a source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Charset {
    /// The file is valid UTF-8.
    #[default]
    Utf8,
    /// The file is not UTF-8; each byte is one character of ISO 8859-1. The games' compilers work on bytes, so encoding
    /// it again restores the original bytes.
    Latin1,
}

impl Charset {
    /// Appends `text` to `out` in this encoding.
    pub fn encode_into(self, text: &str, out: &mut Vec<u8>) {
        match self {
            Charset::Utf8 => out.extend_from_slice(text.as_bytes()),
            // A Latin-1 file cannot contain characters above U+00FF; '?' marks misuse.
            Charset::Latin1 => {
                out.extend(text.chars().map(|character| u8::try_from(u32::from(character)).unwrap_or(b'?')))
            }
        }
    }

    /// Returns the length of `text` in bytes, as [`Charset::encode_into`] writes it.
    pub fn encoded_len(self, text: &str) -> usize {
        match self {
            Charset::Utf8 => text.len(),
            Charset::Latin1 => text.chars().count(),
        }
    }
}

/// The form of a source file, and with it the form of positions in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Text: positions are lines and columns.
    #[default]
    Text,
    /// Bytes, as in a level file: positions are offsets.
    Bytes {
        /// Length in bytes.
        length: u32,
    },
    /// Text that is not available, as a level as JSON names it: positions are lines and columns, the latter in bytes.
    Absent {
        /// Length in bytes.
        length: u32,
    },
}

/// One source file.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Display name: the path as given, or `(stdin)`.
    pub name: String,
    /// The path it was read from, if any; INCLUDE looks in the same directory.
    pub path: Option<PathBuf>,
    /// Text or bytes.
    pub form: Form,
    /// Its text. Empty for a file of bytes, which are not kept, and for text that is not available.
    pub text: String,
    /// Encoding of the text.
    pub charset: Charset,
    /// Offsets of the lines of a text that is not available, in ascending order, the first 0.
    absent_lines: Vec<u32>,
    /// Counts before each block of the text, computed on first use.
    blocks: OnceLock<Vec<Count>>,
}

/// Counts the `bytes` for which `is_such` returns true. Summing in `u8` chunks lets the compiler vectorise it.
pub(crate) fn count_bytes(bytes: &[u8], is_such: impl Fn(u8) -> bool) -> usize {
    let count = |part: &[u8]| part.iter().map(|&byte| u8::from(is_such(byte))).sum::<u8>();
    bytes.chunks(u8::MAX.into()).map(|part| usize::from(count(part))).sum()
}

/// Size of a block in bytes: the most that is scanned to find a position in a text. An index of lines would be larger
/// than the text if its lines are empty.
const BLOCK: usize = 4096;

/// Newlines and characters before a block.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    newlines: u32,
    characters: u32,
}

impl Count {
    fn add(&mut self, bytes: &[u8]) {
        self.newlines += count_bytes(bytes, |byte| byte == b'\n') as u32;
        self.characters += count_bytes(bytes, |byte| byte & 0xc0 != 0x80) as u32;
    }
}

/// A position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Offset of the start of the line in the text.
    pub line_start: usize,
    /// Offset in the bytes of the file.
    pub byte: usize,
}

impl Source {
    /// Returns the source with another text.
    pub fn with_text(&self, text: String) -> Source {
        Source { text, blocks: OnceLock::new(), ..self.clone() }
    }

    /// Returns the length in bytes: of its text, or of the file if it is bytes.
    pub fn len(&self) -> usize {
        match self.form {
            Form::Text => self.text.len(),
            Form::Bytes { length } | Form::Absent { length } => length as usize,
        }
    }

    /// Returns true if the file is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the last character boundary at or before `offset`.
    pub fn floor(&self, offset: usize) -> usize {
        match self.form {
            Form::Text => floor(&self.text, offset),
            Form::Bytes { length } | Form::Absent { length } => offset.min(length as usize),
        }
    }

    /// Returns the offsets of `span`, clamped to the file.
    pub fn range(&self, span: Span) -> std::ops::Range<usize> {
        let start = self.floor(span.start as usize);
        start..self.floor(span.end as usize).max(start)
    }

    /// Returns the position of the byte at `offset`; a file of bytes is a single line.
    pub fn place(&self, offset: usize) -> Place {
        let offset = self.floor(offset);
        if let Form::Bytes { .. } = self.form {
            return Place { line: 1, column: offset + 1, line_start: 0, byte: offset };
        }
        if let Form::Absent { .. } = self.form {
            let line = self.absent_lines.partition_point(|&start| start as usize <= offset);
            let line_start = line.checked_sub(1).map_or(0, |before| self.absent_lines[before] as usize);
            return Place { line: line.max(1), column: offset - line_start + 1, line_start, byte: offset };
        }
        let blocks = self.blocks();
        let block = (offset / BLOCK).min(blocks.len().saturating_sub(1));
        let mut count = blocks.get(block).copied().unwrap_or_default();
        count.add(&self.text.as_bytes()[block * BLOCK..offset]);
        let line_start = self.text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        Place {
            line: count.newlines as usize + 1,
            column: self.text[line_start..offset].chars().count() + 1,
            line_start,
            byte: match self.charset {
                Charset::Utf8 => offset,
                Charset::Latin1 => count.characters as usize,
            },
        }
    }

    /// Returns the number of lines. The text after the last line end counts as a line, even if it is empty.
    pub fn line_count(&self) -> usize {
        self.place(self.text.len()).line
    }

    /// Returns line `number`, counted from 1, with its line end; empty if there is no such line.
    pub fn line(&self, number: usize) -> &str {
        let Some(before) = number.checked_sub(1) else { return "" };
        let blocks = self.blocks();
        let block = blocks.partition_point(|count| (count.newlines as usize) < before).saturating_sub(1);
        let mut newlines = blocks.get(block).map_or(0, |count| count.newlines as usize);
        let mut start = block * BLOCK;
        if newlines < before {
            for (at, &byte) in self.text.as_bytes().iter().enumerate().skip(start) {
                newlines += usize::from(byte == b'\n');
                if newlines == before {
                    start = at + 1;
                    break;
                }
            }
        }
        if newlines < before {
            return "";
        }
        let rest = self.text.get(start..).unwrap_or("");
        rest.find('\n').map_or(rest, |newline| &rest[..=newline])
    }

    /// Returns the offsets of the lines, in order.
    pub fn line_starts(&self) -> impl Iterator<Item = usize> {
        let first = if let Form::Absent { .. } = self.form { None } else { Some(0) };
        let absent = self.absent_lines.iter().map(|&start| start as usize);
        absent.chain(first).chain(self.text.match_indices('\n').map(|(newline, _)| newline + 1))
    }

    fn blocks(&self) -> &[Count] {
        self.blocks.get_or_init(|| {
            let mut count = Count::default();
            let before = self.text.as_bytes().chunks(BLOCK).map(|block| {
                let before = count;
                count.add(block);
                before
            });
            before.collect()
        })
    }
}

/// Returns the last character boundary of `text` at or before `offset`.
pub fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// All source files of a compilation.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<Source>,
    /// The JSON document that contains the levels, if they come from one.
    document: Option<FileId>,
    /// The empty file returned for an unknown [`FileId`].
    nowhere: Source,
}

impl SourceMap {
    /// Creates an empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text file from its bytes; see [`Charset`] for files that are not UTF-8.
    pub fn add(&mut self, name: impl Into<String>, path: Option<PathBuf>, bytes: Vec<u8>) -> FileId {
        let (text, charset) = match String::from_utf8(bytes) {
            Ok(text) => (text, Charset::Utf8),
            Err(error) => (error.into_bytes().into_iter().map(char::from).collect(), Charset::Latin1),
        };
        self.push(Source { name: name.into(), path, text, charset, ..Source::default() })
    }

    /// Adds a binary file of `length` bytes.
    pub fn add_bytes(&mut self, name: impl Into<String>, path: Option<PathBuf>, length: usize) -> FileId {
        // Larger level files than MAX_SOURCE_BYTES are not read.
        let form = Form::Bytes { length: u32::try_from(length).unwrap_or(u32::MAX) };
        self.push(Source { name: name.into(), path, form, ..Source::default() })
    }

    /// Adds a text file that is not available, by its charset, its length in bytes and the offsets of its lines.
    pub fn add_absent(
        &mut self,
        name: impl Into<String>,
        charset: Charset,
        length: u32,
        absent_lines: Vec<u32>,
    ) -> FileId {
        let form = Form::Absent { length };
        self.push(Source { name: name.into(), form, charset, absent_lines, ..Source::default() })
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns true if there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Sets the JSON document that the levels come from, in place of the first file.
    pub fn set_document(&mut self, document: FileId) {
        self.document = Some(document);
    }

    /// Returns the JSON document that contains the levels, if they come from one.
    pub fn document(&self) -> Option<FileId> {
        self.document
    }

    /// Returns the file that was read first and led to the others.
    pub fn main(&self) -> Option<&Source> {
        self.files.get(self.document.map_or(0, |document| document.0 as usize))
    }

    fn push(&mut self, source: Source) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(source);
        id
    }

    /// Returns the file `id`, or an empty file without a name if it is not in the map.
    pub fn get(&self, id: FileId) -> &Source {
        self.files.get(id.0 as usize).unwrap_or(&self.nowhere)
    }

    /// Returns all files, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter().enumerate().map(|(index, source)| (FileId(index as u32), source))
    }

    /// Returns the text of `span`, or an empty string if the span does not fit the file.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Returns the position of the byte at `offset` of `file`.
    pub fn place(&self, file: FileId, offset: u32) -> Place {
        self.get(file).place(offset as usize)
    }

    /// Returns the line and column of the byte at `offset`, both from 1, the column in characters.
    pub fn line_column(&self, file: FileId, offset: u32) -> (usize, usize) {
        let place = self.place(file, offset);
        (place.line, place.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns line, column and byte by scanning the text from its beginning.
    fn counted(source: &Source, offset: usize) -> (usize, usize, usize) {
        let before = &source.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let byte = if source.charset == Charset::Utf8 { offset } else { before.chars().count() };
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1, byte)
    }

    #[test]
    fn places_are_those_that_counting_finds() {
        let mut sources = SourceMap::new();
        let long = format!("a\u{e9}\n{}\u{2500}x\n\nend", "line\n".repeat(3 * BLOCK / 5).repeat(2));
        let latin = [b"\xe9\n".repeat(BLOCK), b"\xe9\xe9x".to_vec()].concat();
        let files = [long.into_bytes(), latin, Vec::new(), b"\n".repeat(2 * BLOCK)];
        for bytes in files {
            let file = sources.add("x", None, bytes);
            let source = sources.get(file);
            let length = source.text.len();
            for offset in (0..length).step_by(7).chain(length.saturating_sub(20)..length + 3) {
                let place = source.place(offset);
                let expected = counted(source, floor(&source.text, offset));
                assert_eq!((place.line, place.column, place.byte), expected, "{offset}");
                assert!(source.line(place.line).len() + place.line_start >= floor(&source.text, offset));
            }
            let lines: Vec<&str> = (1..=source.line_count()).map(|number| source.line(number)).collect();
            assert_eq!(lines.concat(), source.text);
            assert_eq!((source.line(0), source.line(source.line_count() + 1)), ("", ""));
            assert_eq!(source.line_starts().count(), source.line_count());
        }
    }

    #[test]
    fn no_span_is_too_strange_to_ask_about() {
        let mut sources = SourceMap::new();
        let text = sources.add("text", None, "\u{e9}x".into());
        let bytes = sources.add_bytes("bytes", None, 12);
        let mut spans = vec![Span::NOWHERE, Span::default()];
        for file in [text, bytes, FileId(7), FileId(u32::MAX - 1)] {
            for (start, end) in [(0, 0), (1, 2), (2, 1), (0, u32::MAX), (u32::MAX, u32::MAX), (u32::MAX, 0)] {
                spans.push(Span { file, start, end });
            }
        }
        for span in spans {
            let source = sources.get(span.file);
            let range = source.range(span);
            assert!(range.start <= range.end && range.end <= source.len(), "{span:?}");
            assert!(sources.text(span).len() <= source.len());
            assert!(sources.place(span.file, span.start).byte <= source.len());
        }
        assert_eq!(sources.place(bytes, 5).byte, 5);
        assert_eq!(Span::NOWHERE.to(Span::new(text, 1, 2)), Span::new(text, 1, 2));
        assert_eq!(Span::new(text, 1, 2).to(Span::NOWHERE), Span::new(text, 1, 2));
    }
}
