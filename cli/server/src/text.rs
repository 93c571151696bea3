//! A text with its lines, and conversions between byte offsets and the positions of the protocol.

use std::ops::Range;

use gen_lsp_types as lsp;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use splc_ir::source::{Charset, floor};

/// The unit in which a client counts columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Units of UTF-16, which every client knows.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// Returns the length of `text` in this unit.
    pub fn length(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => text.chars().count(),
        }
    }

    /// Returns the offset in `line` of the column `wanted`, or its length if it is shorter.
    fn offset(self, line: &str, wanted: usize) -> usize {
        match self {
            Encoding::Utf8 => floor(line, wanted),
            _ if line.is_ascii() => wanted.min(line.len()),
            _ => {
                let mut column = 0;
                for (at, character) in line.char_indices() {
                    if column >= wanted {
                        return at;
                    }
                    column += if self == Encoding::Utf16 { character.len_utf16() } else { 1 };
                }
                line.len()
            }
        }
    }
}

/// A text and the offsets of its lines. A line ends with a line feed, a carriage return, or both.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    text: String,
    starts: Vec<u32>,
}

impl Text {
    pub fn new(text: impl Into<String>) -> Self {
        let mut new = Text { text: text.into(), starts: Vec::new() };
        new.find_lines();
        new
    }

    fn find_lines(&mut self) {
        let bytes = self.text.as_bytes();
        self.starts.clear();
        self.starts.push(0);
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            // A carriage return before a line feed belongs to the same line end.
            if bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n') {
                self.starts.push(at as u32 + 1);
            }
        }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the number of lines, counting the text after the last line end.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the number of the line that contains `offset`, from 0.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= offset).saturating_sub(1)
    }

    /// Returns the range of line `number`, without its line end. Past the last line, it is empty.
    pub fn line(&self, number: usize) -> Range<usize> {
        let Some(&start) = self.starts.get(number) else { return self.text.len()..self.text.len() };
        let start = start as usize;
        let end = self.starts.get(number + 1).map_or(self.text.len(), |&next| next as usize);
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// Returns the text of line `number`, without its line end.
    pub fn line_text(&self, number: usize) -> &str {
        &self.text[self.line(number)]
    }

    /// Returns the offset of `position`.
    pub fn offset(&self, position: lsp::Position, encoding: Encoding) -> usize {
        let line = self.line(position.line as usize);
        line.start + encoding.offset(&self.text[line.clone()], position.character as usize)
    }

    /// Returns the position of `offset`.
    pub fn position(&self, offset: usize, encoding: Encoding) -> lsp::Position {
        let offset = floor(&self.text, offset);
        let line = self.line_of(offset);
        let start = self.starts.get(line).map_or(0, |&start| start as usize);
        lsp::Position { line: line as u32, character: encoding.length(&self.text[start..offset]) as u32 }
    }

    pub fn range(&self, range: Range<usize>, encoding: Encoding) -> lsp::Range {
        lsp::Range { start: self.position(range.start, encoding), end: self.position(range.end, encoding) }
    }

    /// Returns the offsets of `range`, in ascending order.
    pub fn offsets(&self, range: lsp::Range, encoding: Encoding) -> Range<usize> {
        let start = self.offset(range.start, encoding);
        start..self.offset(range.end, encoding).max(start)
    }

    /// Replaces `range`, clamped to the text.
    pub fn replace(&mut self, range: Range<usize>, with: &str) {
        let start = floor(&self.text, range.start);
        let end = floor(&self.text, range.end).max(start);
        self.text.replace_range(start..end, with);
        self.find_lines();
    }

    /// Returns edits that turn the text into `new`, line by line, so that cursors and folds elsewhere stay.
    pub fn edits(&self, new: &str, encoding: Encoding) -> Vec<lsp::TextEdit> {
        let old = self.as_str();
        let (before, after): (Vec<&str>, Vec<&str>) =
            (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
        let starts = |lines: &[&str]| -> Vec<usize> {
            let mut at = 0;
            let mut starts = vec![0];
            starts.extend(lines.iter().map(|line| {
                at += line.len();
                at
            }));
            starts
        };
        let (old_starts, new_starts) = (starts(&before), starts(&after));
        let slice = |starts: &[usize], lines: Range<usize>| starts[lines.start]..starts[lines.end];
        capture_diff_slices(Algorithm::Myers, &before, &after)
            .into_iter()
            .filter(|change| !matches!(change, DiffOp::Equal { .. }))
            .map(|change| lsp::TextEdit {
                range: self.range(slice(&old_starts, change.old_range()), encoding),
                new_text: new[slice(&new_starts, change.new_range())].to_owned(),
            })
            .collect()
    }

    /// Returns the word around `offset`: letters, digits and underscores.
    pub fn word(&self, offset: usize) -> Range<usize> {
        word_at(&self.text, offset)
    }
}

/// Returns the word around `offset`: letters, digits and underscores.
pub(crate) fn word_at(text: &str, offset: usize) -> Range<usize> {
    let offset = floor(text, offset);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let bytes = text.as_bytes();
    let start = offset - bytes[..offset].iter().rev().take_while(|byte| is_word(byte)).count();
    start..offset + bytes[offset..].iter().take_while(|byte| is_word(byte)).count()
}

/// Returns the bytes of `text` as the file has them: in Latin-1 if `charset` is, unless a character does not fit or the
/// bytes would be taken for UTF-8.
pub(crate) fn encoded(text: &str, charset: Charset) -> Vec<u8> {
    if charset == Charset::Latin1 && text.chars().all(|character| u32::from(character) < 0x100) {
        let mut bytes = Vec::with_capacity(text.len());
        charset.encode_into(text, &mut bytes);
        if text.is_ascii() || std::str::from_utf8(&bytes).is_err() {
            return bytes;
        }
    }
    text.as_bytes().to_vec()
}

/// Decodes a text in UTF-8 or Latin-1.
pub(crate) fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(line: u32, character: u32) -> lsp::Position {
        lsp::Position { line, character }
    }

    #[test]
    fn columns_are_counted_in_the_unit_of_the_client() {
        let text = Text::new("aä🐉b\nsecond");
        for (encoding, column) in [(Encoding::Utf8, 7), (Encoding::Utf16, 4), (Encoding::Utf32, 3)] {
            assert_eq!(text.offset(position(0, column), encoding), 7, "{encoding:?}");
            assert_eq!(text.position(7, encoding), position(0, column), "{encoding:?}");
        }
    }

    #[test]
    fn positions_outside_the_text_are_clamped() {
        let text = Text::new("one\r\ntwo\rthree\n");
        let offset = |line, column| text.offset(position(line, column), Encoding::Utf16);
        assert_eq!([offset(0, 9), offset(1, 9), offset(2, 1), offset(3, 1), offset(9, 0)], [3, 8, 10, 15, 15]);
        assert_eq!(text.position(99, Encoding::Utf16), position(3, 0));
        assert_eq!(text.line_text(0), "one");
    }

    #[test]
    fn every_offset_survives_a_round_trip() {
        let text = Text::new("é\r\n\r\nx🐉y\n\rz");
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for (at, _) in text.as_str().char_indices() {
                // Between the two parts of a line end, the position is that of the end of the line.
                if text.as_str()[..at].ends_with('\r') && text.as_str()[at..].starts_with('\n') {
                    continue;
                }
                assert_eq!(text.offset(text.position(at, encoding), encoding), at, "{encoding:?}");
            }
        }
    }

    #[test]
    fn latin_1_is_kept_if_it_can_be_read_again() {
        assert_eq!(encoded("é", Charset::Latin1), [0xe9]);
        assert_eq!(encoded("é", Charset::Utf8), "é".as_bytes());
        assert_eq!(encoded("Ã©", Charset::Latin1), "Ã©".as_bytes());
        assert_eq!(encoded("–é", Charset::Latin1), "–é".as_bytes());
    }
}
