//! The sources as a report needs them: names, texts, and places that are made to fit.

use splc_ir::source::{FileId, Form, Place, SourceMap, Span};

/// Finds places in sources.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    sources: &'a SourceMap,
}

impl<'a> Places<'a> {
    /// Places in `sources`.
    pub fn new(sources: &'a SourceMap) -> Self {
        Places { sources }
    }

    /// Name of the file that was read first, and led to the others.
    pub fn main(&self) -> Option<&'a str> {
        self.sources.main().map(|source| source.name.as_str())
    }

    /// Name of `file`.
    pub fn name(&self, file: FileId) -> &'a str {
        &self.sources.get(file).name
    }

    /// Whether `file` has lines, which may not be at hand.
    pub fn has_lines(&self, file: FileId) -> bool {
        !matches!(self.sources.get(file).form, Form::Bytes { .. })
    }

    /// Whether `file` is text, which has lines to show.
    pub fn is_text(&self, file: FileId) -> bool {
        self.sources.get(file).form == Form::Text
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
        let range = self.sources.get(span.file).range(span);
        (range.start, range.end)
    }

    /// The place of the byte at `offset` of `file`.
    pub fn locate(&self, file: FileId, offset: u32) -> Place {
        self.sources.place(file, offset)
    }
}
