//! Source files, and positions in them.
//!
//! A [`SourceMap`] owns the text of every file that one compilation reads, included ones too.
//! A [`Span`] is a byte range in one of them; it is what statements, expressions and diagnostics
//! carry, and the only thing they carry of the source.

use std::borrow::Borrow;
use std::cell::OnceCell;
use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;

use compact_str::CompactString;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A short text of a level: a name, a keyword, a message.
///
/// Up to 24 bytes are stored in place, which nearly every name in a des-file is.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text(CompactString);

impl Text {
    /// A text that is known when splc is built.
    pub const fn const_new(text: &'static str) -> Self {
        Text(CompactString::const_new(text))
    }

    /// The text.
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

/// Index of a file in a [`SourceMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A half-open byte range `start..end` in one source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset past the last byte.
    pub end: u32,
}

impl Span {
    /// The name under which serde sees a span.
    pub const FORM: &'static str = "Span";

    /// A span over `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        // Offsets fit: MAX_SOURCE_BYTES is below 2^32.
        Span { file, start: start as u32, end: end as u32 }
    }

    /// The span from the start of `self` to the end of `other` (in the same file).
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start, end: other.end.max(self.start) }
    }
}

impl Serialize for Span {
    /// `[file, start, end]`: small, as nearly every node of a JSON dump has one.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(Span::FORM, &(self.file.0, self.start, self.end))
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// The three numbers, under a name by which a reader knows that a place is asked for.
        struct Numbers;

        impl<'de> Visitor<'de> for Numbers {
            type Value = Span;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a place: [file, start, end]")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Span, D::Error> {
                let (file, start, end) = Deserialize::deserialize(deserializer)?;
                Ok(Span { file: FileId(file), start, end })
            }
        }

        deserializer.deserialize_newtype_struct(Span::FORM, Numbers)
    }
}

/// A value with the place where the source says it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spanned<T> {
    /// The value.
    pub node: T,
    /// Where it stands.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Pairs `node` with `span`.
    pub fn new(node: T, span: Span) -> Self {
        Spanned { node, span }
    }
}

/// How the bytes of a source file became text, and so how text becomes bytes again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Charset {
    /// The file is valid UTF-8.
    #[default]
    Utf8,
    /// The file is not UTF-8; each byte is one character of ISO 8859-1. The games' compilers work
    /// on bytes, so this gives back just what was read.
    Latin1,
}

impl Charset {
    /// Appends `text` to `out` as the bytes that it was read from.
    pub fn encode_into(self, text: &str, out: &mut Vec<u8>) {
        match self {
            Charset::Utf8 => out.extend_from_slice(text.as_bytes()),
            // Characters above U+00FF cannot come from a Latin-1 file; '?' marks a misuse.
            Charset::Latin1 => {
                out.extend(text.chars().map(|character| u8::try_from(u32::from(character)).unwrap_or(b'?')))
            }
        }
    }

    /// Length of `text` in bytes, as [`Charset::encode_into`] writes it.
    pub fn encoded_len(self, text: &str) -> usize {
        match self {
            Charset::Utf8 => text.len(),
            Charset::Latin1 => text.chars().count(),
        }
    }
}

/// One source file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name for people: the path as given, or `(stdin)`.
    pub name: String,
    /// Where it was read from, if it is a file; INCLUDE looks beside it.
    pub path: Option<PathBuf>,
    /// Its text.
    pub text: String,
    /// How the text came from bytes.
    pub charset: Charset,
    /// Where lines start; found when first asked for.
    line_starts: OnceCell<Vec<u32>>,
}

impl Source {
    /// Byte offset of the start of each line; there is always a first line.
    pub fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let after_newline = |(at, _): (usize, &str)| at as u32 + 1;
            std::iter::once(0).chain(self.text.match_indices('\n').map(after_newline)).collect()
        })
    }
}

/// All source files of a compilation.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<Source>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file from its bytes; see [`Charset`] for what is not UTF-8.
    pub fn add(&mut self, name: impl Into<String>, path: Option<PathBuf>, bytes: Vec<u8>) -> FileId {
        let (text, charset) = match String::from_utf8(bytes) {
            Ok(text) => (text, Charset::Utf8),
            Err(error) => (error.into_bytes().into_iter().map(char::from).collect(), Charset::Latin1),
        };
        let id = FileId(self.files.len() as u32);
        self.files.push(Source { name: name.into(), path, text, charset, line_starts: OnceCell::new() });
        id
    }

    /// The file `id`.
    ///
    /// # Panics
    /// If `id` is from another map.
    pub fn get(&self, id: FileId) -> &Source {
        &self.files[id.0 as usize]
    }

    /// All files, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter().enumerate().map(|(index, source)| (FileId(index as u32), source))
    }

    /// The text under `span`, empty if the span does not fit the file.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column (both from 1, the column in characters) of the byte at `offset`.
    pub fn line_column(&self, file: FileId, offset: u32) -> (usize, usize) {
        let text = &self.get(file).text;
        let mut offset = (offset as usize).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let starts = self.get(file).line_starts();
        let line = starts.partition_point(|&start| start as usize <= offset);
        let line_start = starts.get(line - 1).map_or(0, |&start| start as usize);
        (line, text[line_start..offset].chars().count() + 1)
    }
}
