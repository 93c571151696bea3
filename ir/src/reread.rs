//! Texts that are read again with a correction, because what the compiler makes of them says little about the mistake:
//! merge conflicts that a version control system has left, strings without a closing quote.

use std::ops::Range;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{FileId, Source, Span};

/// A corrected text, with the same offsets, and an error for each correction.
pub type Correction = (String, Vec<Diagnostic>);

/// A correction of texts, for those that it can correct.
pub type Correct<'c> = dyn Fn(&str) -> Option<Correction> + 'c;

/// Reads `source`. If it has errors, reads it again with each correction in turn, and keeps those with which it has
/// fewer.
pub fn read<T>(
    source: &Source,
    diagnostics: &mut Diagnostics,
    corrections: &[&Correct<'_>],
    read: impl Fn(&Source, &mut Diagnostics) -> T,
) -> T {
    let earlier = diagnostics.take();
    let mut value = read(source, diagnostics);
    let mut corrected: Option<Source> = None;
    for correction in corrections {
        let text = &corrected.as_ref().unwrap_or(source).text;
        if !diagnostics.has_errors() {
            break;
        }
        let Some((text, errors)) = correction(text) else { continue };
        let again = source.with_text(text);
        let known = diagnostics.take();
        let other = read(&again, diagnostics);
        if diagnostics.errors() + errors.len() <= known.errors() {
            value = other;
            corrected = Some(again);
            errors.into_iter().for_each(|error| diagnostics.push(error));
        } else {
            *diagnostics = known;
        }
    }
    diagnostics.prepend(earlier);
    value
}

/// The markers, in their order. The common ancestor of both versions, after the second marker, is optional.
const MARKERS: [&str; 4] = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];

/// Returns the index of the marker that the line consists of, or begins with.
fn marker(line: &str) -> Option<usize> {
    let kind = MARKERS.iter().position(|marker| line.starts_with(marker))?;
    let rest = &line[MARKERS[kind].len()..];
    (rest.trim_end().is_empty() || kind != 2 && rest.starts_with(' ')).then_some(kind)
}

/// Returns `text` with the first version of each merge conflict alone. The other lines become comments, which begin
/// with `comment`.
///
/// A text may contain such lines by chance, in a string or comment. They are markers only if the text can be read
/// better without them.
pub fn without_conflicts(text: &str, file: FileId, comment: &str) -> Option<Correction> {
    if !MARKERS.iter().any(|marker| text.starts_with(marker) || text.contains(&format!("\n{marker}"))) {
        return None;
    }
    let span = |range: &Range<usize>| Span::new(file, range.start, range.start + MARKERS[0].len());
    let (mut right, mut errors) = (String::with_capacity(text.len()), Vec::new());
    // The error of the conflict that is open, and its last marker.
    let mut open: Option<(Diagnostic, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let found = marker(line.trim_end_matches(['\r', '\n']));
        match (found, &mut open) {
            (Some(0), _) => {
                errors.extend(open.take().map(|(error, _)| error));
                let error = Diagnostic::new(Code::Syntax, span(&range), "this merge conflict is not resolved")
                    .with_label("the first version begins here")
                    .with_help("keep one of the versions, and delete the lines with the markers");
                open = Some((error, 0));
            }
            (Some(kind), Some((error, last))) if kind > *last => {
                let message = match kind {
                    1 => "their common ancestor begins here",
                    2 => "the second version begins here",
                    _ => "the conflict ends here",
                };
                *error = std::mem::replace(error, Diagnostic::new(Code::Syntax, None, ""))
                    .with_secondary(span(&range), message);
                *last = kind;
                if kind == 3 {
                    errors.extend(open.take().map(|(error, _)| error));
                }
            }
            (Some(_), _) => errors.push(
                Diagnostic::new(Code::Syntax, span(&range), "a marker of a merge conflict is left over")
                    .with_help("delete this line"),
            ),
            (None, Some((_, 1 | 2))) => {}
            (None, _) => {
                right.push_str(line);
                continue;
            }
        }
        let content = line.trim_end_matches(['\r', '\n']);
        // A row of a map may begin with the sign of a comment, but it contains no `~`.
        let (begin, fill) = if content.len() > comment.len() { (comment, '~') } else { ("", ' ') };
        right.push_str(begin);
        right.extend(std::iter::repeat_n(fill, content.len() - begin.len()));
        right.push_str(&line[content.len()..]);
    }
    errors.extend(open.map(|(error, _)| error));
    (!errors.is_empty()).then_some((right, errors))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conflicts(text: &str) -> (String, Vec<(u32, usize)>) {
        let (right, errors) = without_conflicts(text, FileId(0), "#").unwrap_or_default();
        (right, errors.iter().map(|error| (error.span.map_or(0, |span| span.start), error.labels.len())).collect())
    }

    #[test]
    fn the_first_version_is_kept() {
        let text = "a\n<<<<<<< HEAD\nb\n||||||| old\nc\n=======\nd\n>>>>>>> new\ne\n";
        let (right, errors) = conflicts(text);
        let lines: Vec<_> = right.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(lines, ["a", "b", " ", " ", "e"]);
        assert_eq!((right.len(), right.find('e')), (text.len(), text.rfind("e\n")));
        assert_eq!(errors, [(2, 3)]);
    }

    #[test]
    fn a_marker_alone_is_left_over() {
        assert_eq!(conflicts("a\r\n=======\r\nb\r\n"), ("a\r\n#~~~~~~\r\nb\r\n".to_owned(), vec![(3, 0)]));
        assert_eq!(conflicts("<<<<<<< a\nb\n<<<<<<< c\n").1, [(0, 0), (12, 0)]);
    }

    #[test]
    fn other_lines_are_not_markers() {
        for text in ["a\n <<<<<<< b\n", "========\n", "======= a\n", ">>>>>>>>\n", "|||||||.|\n"] {
            assert_eq!(conflicts(text), (String::new(), Vec::new()), "{text}");
        }
    }
}
