//! The source lines around a diagnostic as displayed: shortened, and without control characters.

use std::ops::Range;

use codespan_reporting::files::{Error, Files};
use splc_ir::order::Order;
use splc_ir::source::{FileId, Span, floor};
use splc_ir::wording::{picture, visible};

use super::places::Places;

/// Maximum length of a line shown in full, in bytes.
const LONGEST_LINE: usize = 200;

/// The number of bytes of a longer line shown before the marked place.
const BEFORE: usize = 60;

/// The maximum number of lines that a label marks. For a longer range only the first line is marked.
const MOST_LINES: usize = 6;

/// Excerpts of the files that a diagnostic refers to.
#[derive(Default)]
pub struct Excerpts {
    files: Vec<Excerpt>,
}

/// The excerpt of one file.
struct Excerpt {
    file: FileId,
    name: String,
    text: String,
    /// The lines in `text`, in order.
    lines: Vec<Line>,
}

/// A line of an excerpt.
struct Line {
    /// Its number in the file, from 0.
    index: usize,
    /// Its range in the excerpt, newline included.
    range: Range<usize>,
    /// Offsets of each character and of the end, in the source and in the excerpt.
    offsets: Vec<(usize, usize)>,
    /// Column of the first character shown.
    column: usize,
}

/// A requested line.
struct Wanted {
    index: usize,
    /// Offsets of its start and its end, without newline.
    start: usize,
    end: usize,
    /// The first marked offset in it, if any.
    focus: Option<usize>,
}

impl Excerpts {
    /// Adds the lines under `spans`, and returns the file and the range in its excerpt for each span.
    pub fn add(&mut self, spans: &[Span], places: &Places<'_>) -> Vec<(usize, Range<usize>)> {
        let mut ranges = Vec::with_capacity(spans.len());
        let mut wanted: Vec<(FileId, Vec<Wanted>)> = Vec::new();
        for span in spans {
            let text = places.whole(span.file);
            let (start, end) = marked(text, places.range(*span));
            ranges.push((span.file, start, end));
            let place = places.locate(span.file, start as u32);
            let at = wanted.iter().position(|(file, _)| *file == span.file).unwrap_or_else(|| {
                wanted.push((span.file, Vec::new()));
                wanted.len() - 1
            });
            let lines = &mut wanted[at].1;
            let (mut line_start, mut index, mut focus) = (place.line_start, place.line - 1, Some(start));
            loop {
                let line_end = text[line_start..].find('\n').map_or(text.len(), |newline| line_start + newline);
                lines.push(Wanted { index, start: line_start, end: line_end, focus });
                // Add one line after the marked ones: it is shown if it lies between two labels.
                if line_start > end || line_end == text.len() {
                    break;
                }
                (line_start, index) = (line_end + 1, index + 1);
                focus = (line_start <= end).then_some(line_start);
            }
        }
        for (file, lines) in wanted {
            self.files.push(Excerpt::new(file, places, lines));
        }
        let place = |(file, start, end)| {
            let at = self.files.iter().position(|excerpt| excerpt.file == file).unwrap_or(0);
            let excerpt = &self.files[at];
            (at, excerpt.offset(start)..excerpt.offset(end))
        };
        ranges.into_iter().map(place).collect()
    }

    fn get(&self, id: usize) -> Result<&Excerpt, Error> {
        self.files.get(id).ok_or(Error::FileMissing)
    }
}

/// Returns the part of a range of `text` to mark, without a final line end and limited in lines.
fn marked(text: &str, (start, end): (usize, usize)) -> (usize, usize) {
    let inside = &text[start..end];
    let trimmed = inside.trim_end_matches(['\n', '\r']);
    let lines = trimmed.bytes().filter(|&byte| byte == b'\n').take(MOST_LINES).count() + 1;
    let shown = if lines > MOST_LINES { trimmed.lines().next().unwrap_or("") } else { trimmed };
    (start, start + shown.len())
}

impl Excerpt {
    fn new(file: FileId, places: &Places<'_>, mut wanted: Vec<Wanted>) -> Self {
        let source = places.whole(file);
        // Of duplicate lines, keep the one with the first mark.
        wanted.order_by_key(|line| (line.index, line.focus.unwrap_or(usize::MAX)));
        wanted.dedup_by_key(|line| line.index);
        let mut excerpt =
            Excerpt { file, name: visible(places.name(file)).into_owned(), text: String::new(), lines: Vec::new() };
        for line in wanted {
            excerpt.push(source, &line);
        }
        excerpt
    }

    fn push(&mut self, source: &str, wanted: &Wanted) {
        let end = wanted.start + source[wanted.start..wanted.end].trim_end_matches('\r').len();
        let (from, to) = if end - wanted.start <= LONGEST_LINE {
            (wanted.start, end)
        } else {
            let focus = wanted.focus.unwrap_or(wanted.start).min(end);
            let from = floor(source, focus.saturating_sub(BEFORE).max(wanted.start));
            (from, floor(source, (from + LONGEST_LINE).min(end)))
        };
        let start = self.text.len();
        if from > wanted.start {
            self.text.push_str("...");
        }
        let mut offsets = Vec::with_capacity(to - from + 1);
        for (at, character) in source[from..to].char_indices() {
            offsets.push((from + at, self.text.len()));
            self.text.push(picture(character));
        }
        offsets.push((to, self.text.len()));
        if to < end {
            self.text.push_str("...");
        }
        self.text.push('\n');
        self.lines.push(Line {
            index: wanted.index,
            range: start..self.text.len(),
            offsets,
            column: source[wanted.start..from].chars().count() + 1,
        });
    }

    /// Returns the offset in the excerpt of the byte at `offset` of the source, or the nearest one shown.
    fn offset(&self, offset: usize) -> usize {
        let after = self.lines.partition_point(|line| line.offsets.first().is_some_and(|first| first.0 <= offset));
        let Some(line) = self.lines.get(after.saturating_sub(1)) else { return 0 };
        let after = line.offsets.partition_point(|&(source, _)| source <= offset);
        line.offsets.get(after.saturating_sub(1)).map_or(line.range.start, |&(_, excerpt)| excerpt)
    }

    /// Returns the line that contains the byte at `offset` of the excerpt.
    fn line_at(&self, offset: usize) -> Result<&Line, Error> {
        let after = self.lines.partition_point(|line| line.range.start <= offset);
        self.lines.get(after.saturating_sub(1)).ok_or(Error::FileMissing)
    }
}

impl<'a> Files<'a> for Excerpts {
    type FileId = usize;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: usize) -> Result<&'a str, Error> {
        Ok(&self.get(id)?.name)
    }

    fn source(&'a self, id: usize) -> Result<&'a str, Error> {
        Ok(&self.get(id)?.text)
    }

    fn line_index(&'a self, id: usize, byte_index: usize) -> Result<usize, Error> {
        Ok(self.get(id)?.line_at(byte_index)?.index)
    }

    fn column_number(&'a self, id: usize, _line_index: usize, byte_index: usize) -> Result<usize, Error> {
        let line = self.get(id)?.line_at(byte_index)?;
        let before = line.offsets.iter().filter(|&&(_, excerpt)| excerpt < byte_index).count();
        Ok(line.column + before)
    }

    fn line_range(&'a self, id: usize, line_index: usize) -> Result<Range<usize>, Error> {
        let lines = &self.get(id)?.lines;
        let found = lines.binary_search_by_key(&line_index, |line| line.index);
        found.map(|at| lines[at].range.clone()).map_err(|_| Error::LineTooLarge { given: line_index, max: lines.len() })
    }
}
