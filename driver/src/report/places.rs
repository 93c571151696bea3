//! The sources as a report needs them: names, texts, and valid positions.

use splc_ir::source::{FileId, Form, Place, SourceMap, Span};

/// Looks up positions in sources.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    sources: &'a SourceMap,
}

impl<'a> Places<'a> {
    /// Creates a lookup in `sources`.
    pub fn new(sources: &'a SourceMap) -> Self {
        Places { sources }
    }

    /// Returns the name of the file that was read first, and led to the others.
    pub fn main(&self) -> Option<&'a str> {
        self.sources.main().map(|source| source.name.as_str())
    }

    /// Returns the name of `file`.
    pub fn name(&self, file: FileId) -> &'a str {
        &self.sources.get(file).name
    }

    /// Returns true if `file` has lines, even if its text is not available.
    pub fn has_lines(&self, file: FileId) -> bool {
        !matches!(self.sources.get(file).form, Form::Bytes { .. })
    }

    /// Returns true if `file` is text, with lines to show.
    pub fn is_text(&self, file: FileId) -> bool {
        self.sources.get(file).form == Form::Text
    }

    /// Returns the text of `file`.
    pub fn whole(&self, file: FileId) -> &'a str {
        &self.sources.get(file).text
    }

    /// Returns the text under `span`.
    pub fn text(&self, span: Span) -> &'a str {
        self.sources.text(span)
    }

    /// Returns the offsets of `span`, clamped to its file.
    pub fn range(&self, span: Span) -> (usize, usize) {
        let range = self.sources.get(span.file).range(span);
        (range.start, range.end)
    }

    /// Returns the positions of the start and the end of `span`. The end is exclusive, and never before the start.
    pub fn ends(&self, span: Span) -> [Place; 2] {
        [self.locate(span.file, span.start), self.locate(span.file, span.end.max(span.start))]
    }

    /// Returns the position of the byte at `offset` of `file`.
    pub fn locate(&self, file: FileId, offset: u32) -> Place {
        self.sources.place(file, offset)
    }
}
