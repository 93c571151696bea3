//! Sequential access to the bytes of a level file, with errors that give the offset. Shared by the readers of all
//! formats.

use splc_ir::abi::{Abi, INT, SHORT};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::source::{Charset, FileId, Span, Text};

/// A level file being read.
pub(crate) struct LevelBytes<'a> {
    pub bytes: &'a [u8],
    /// The offset of the next byte.
    pub at: usize,
    pub abi: &'a Abi,
    file: FileId,
}

impl<'a> LevelBytes<'a> {
    /// Starts reading `bytes`, written by a machine of `abi`. Spans refer to `file`.
    pub fn new(bytes: &'a [u8], file: FileId, abi: &'a Abi) -> Self {
        LevelBytes { bytes, at: 0, abi, file }
    }

    /// Returns the number of bytes left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Returns the span from `start` to the current offset.
    pub fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at.max(start))
    }

    /// Returns the error that the bytes at `at` are invalid.
    pub fn damaged(&self, at: usize, message: String) -> Diagnostic {
        Diagnostic::new(Code::Damaged, self.span(at), message)
    }

    /// Reads `count` bytes.
    pub fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], Diagnostic> {
        let taken = self.at.checked_add(count).and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or_else(|| self.damaged(self.at, format!("the file ends inside {what}")))?;
        self.at += count;
        Ok(taken)
    }

    /// Reads a byte.
    pub fn byte(&mut self, what: &str) -> Result<u8, Diagnostic> {
        Ok(self.take(1, what)?[0])
    }

    /// Reads a `short`.
    pub fn short(&mut self, what: &str) -> Result<i16, Diagnostic> {
        let start = self.at;
        self.take(SHORT, what)?;
        Ok(self.abi.short(self.bytes, start).unwrap_or_default())
    }

    /// Reads an `int`.
    pub fn int(&mut self, what: &str) -> Result<i32, Diagnostic> {
        let start = self.at;
        self.take(INT, what)?;
        Ok(self.abi.int(self.bytes, start).unwrap_or_default())
    }

    /// Reads a `long`.
    pub fn long(&mut self, what: &str) -> Result<i64, Diagnostic> {
        let start = self.at;
        self.take(self.abi.long, what)?;
        Ok(self.abi.long(self.bytes, start).unwrap_or_default())
    }

    /// Reads a string of `length` bytes. The length was read at `start`.
    pub fn text(&mut self, length: i32, start: usize) -> Result<&'a [u8], Diagnostic> {
        let left = self.left();
        match usize::try_from(length) {
            Ok(length) if length <= left => self.take(length, "a string"),
            _ => {
                let message = format!("the string length is {length}, but the file has {left} bytes left");
                Err(self.damaged(start, message))
            }
        }
    }

    /// Reads the version header of a level file of `catalog`'s game.
    ///
    /// # Errors
    /// [`Code::Target`] if the game is not known on this ABI, [`Code::Damaged`] if the file has another version.
    pub fn header(&mut self, catalog: &Catalog) -> Result<Vec<u64>, Diagnostic> {
        let known = catalog.header(self.abi.name).ok_or_else(|| {
            let message =
                format!("no version header is known for {} on {} ({})", catalog.title, self.abi.name, self.abi.machine);
            Diagnostic::new(Code::Target, None, message)
        })?;
        let mut header = Vec::with_capacity(known.len());
        for (index, &expected) in known.iter().enumerate() {
            let start = self.at;
            let long = self.long("the version header")?;
            let long = if self.abi.long == 4 { u64::from(long as u32) } else { long as u64 };
            // The first long is the game's version. The others differ between builds of the same game.
            if index == 0 && long != expected {
                let message = format!("the file has version {long:#010x}, but {} has {expected:#010x}", catalog.title);
                let help = "choose the game and the machine that the file was compiled for";
                return Err(self.damaged(start, message).with_help(help));
            }
            header.push(long);
        }
        Ok(header)
    }
}

/// Decodes a string of a level file in `charset`. If it is not valid, each byte becomes a character.
pub(crate) fn decode(text: &[u8], charset: Charset) -> Text {
    match (charset, std::str::from_utf8(text)) {
        (Charset::Utf8, Ok(text)) => text.into(),
        _ => text.iter().map(|&byte| char::from(byte)).collect(),
    }
}
