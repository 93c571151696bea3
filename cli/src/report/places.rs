//! Lines and columns of spans, found without going through a file again and again.

use splc_ir::source::{Charset, FileId, SourceMap, Span};

/// How many bytes are gone through to find a place in a file, besides its line.
const BLOCK: usize = 4096;

/// Finds places in sources.
pub struct Places<'a> {
    sources: &'a SourceMap,
    /// For each file, as far as it was asked for: what stands before each of its blocks.
    blocks: Vec<Option<Vec<Count>>>,
}

/// What stands before a block.
#[derive(Clone, Copy, Default)]
struct Count {
    newlines: usize,
    characters: usize,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Offset of the line in the text.
    pub line_start: usize,
    /// Offset of the place in the file's own bytes.
    pub byte: usize,
}

impl Count {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.newlines += usize::from(byte == b'\n');
            self.characters += usize::from(byte & 0xc0 != 0x80);
        }
    }
}

impl<'a> Places<'a> {
    /// Places in `sources`.
    pub fn new(sources: &'a SourceMap) -> Self {
        Places { sources, blocks: Vec::new() }
    }

    /// Name of the first file, which is the one that others are included from.
    pub fn main(&self) -> Option<&'a str> {
        self.sources.iter().next().map(|(_, source)| source.name.as_str())
    }

    /// Name of `file`.
    pub fn name(&self, file: FileId) -> &'a str {
        &self.sources.get(file).name
    }

    /// All of `file`.
    pub fn whole(&self, file: FileId) -> &'a str {
        &self.sources.get(file).text
    }

    /// The text under `span`.
    pub fn text(&self, span: Span) -> &'a str {
        self.sources.text(span)
    }

    /// `span`'s offsets, made to fit its file.
    pub fn range(&self, span: Span) -> (usize, usize) {
        let text = self.whole(span.file);
        let start = floor(text, span.start as usize);
        (start, floor(text, span.end as usize).max(start))
    }

    /// The place of the byte at `offset` of `file`.
    pub fn locate(&mut self, file: FileId, offset: u32) -> Place {
        let source = self.sources.get(file);
        let text = source.text.as_str();
        let offset = floor(text, offset as usize);
        let index = file.0 as usize;
        if self.blocks.len() <= index {
            self.blocks.resize_with(index + 1, || None);
        }
        let blocks = self.blocks[index].get_or_insert_with(|| {
            let mut count = Count::default();
            let before = text.as_bytes().chunks(BLOCK).map(|block| {
                let before = count;
                count.add(block);
                before
            });
            before.collect()
        });
        let block = offset / BLOCK;
        let mut count = blocks.get(block).or(blocks.last()).copied().unwrap_or_default();
        let from = if block < blocks.len() { block } else { blocks.len().saturating_sub(1) } * BLOCK;
        count.add(&text.as_bytes()[from..offset]);
        let line_start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        Place {
            line: count.newlines + 1,
            column: text[line_start..offset].chars().count() + 1,
            line_start,
            byte: match source.charset {
                Charset::Utf8 => offset,
                Charset::Latin1 => count.characters,
            },
        }
    }
}

/// The last place at or before `offset` where a character of `text` begins.
pub fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_source_map() {
        let mut sources = SourceMap::new();
        let long = format!("a\u{e9}\n{}\u{2500}x\n\nend", "line\n".repeat(3 * BLOCK / 5).repeat(2));
        let files = [sources.add("long", None, long.into_bytes()), sources.add("none", None, Vec::new())];
        let mut places = Places::new(&sources);
        for file in files {
            let length = sources.get(file).text.len() as u32;
            for offset in (0..length).step_by(7).chain(length.saturating_sub(20)..length + 3) {
                let place = places.locate(file, offset);
                assert_eq!((place.line, place.column), sources.line_column(file, offset), "{offset}");
            }
        }
    }

    #[test]
    fn bytes_are_those_of_the_file() {
        let mut sources = SourceMap::new();
        let latin = sources.add("latin", None, b"\xe9\xe9\xe9x".to_vec());
        let utf8 = sources.add("utf8", None, "\u{e9}x".into());
        let mut places = Places::new(&sources);
        assert_eq!(places.locate(latin, 6).byte, 3);
        assert_eq!(places.locate(utf8, 2).byte, 2);
    }
}
