//! Comments and blank lines: the text between the tokens of a lexer.

use splc_ir::level::{Trivia, TriviaKind};
use splc_ir::source::{FileId, Span, Text};

/// The word between the two blocks of a condition.
const ELSE: &str = "ELSE";

/// Returns the comments and blank lines of `text`, a file whose tokens are at `tokens`, in order. Between tokens there
/// are only blanks and comments.
pub(crate) fn between(text: &str, file: FileId, tokens: impl Iterator<Item = (usize, usize)>) -> Vec<Trivia> {
    let mut found = Vec::new();
    let mut end = 0;
    for (start, next) in tokens {
        if start > end {
            gap(text, file, end, start, &mut found);
        }
        if text.get(start..next) == Some(ELSE) {
            found.push(Trivia { kind: TriviaKind::Else, text: Text::default(), span: Span::new(file, start, next) });
        }
        end = end.max(next);
    }
    gap(text, file, end, text.len(), &mut found);
    found
}

/// Adds the trivia in the gap between two tokens.
fn gap(text: &str, file: FileId, from: usize, to: usize, found: &mut Vec<Trivia>) {
    let Some(between) = text.get(from..to) else { return };
    let mut at = from;
    for line in between.split_inclusive('\n') {
        let whole = at == 0 || text.as_bytes().get(at - 1) == Some(&b'\n');
        let content = line.trim();
        if !content.is_empty() {
            let start = at + (line.len() - line.trim_start().len());
            let kind = match whole {
                _ if !content.starts_with('#') => TriviaKind::Skipped,
                true => TriviaKind::Comment,
                false => TriviaKind::TrailingComment,
            };
            found.push(Trivia { kind, text: Text::from(content), span: Span::new(file, start, start + content.len()) });
        } else if whole && line.ends_with('\n') {
            let end = at + line.len();
            match found.last_mut() {
                Some(Trivia { kind: TriviaKind::BlankLines, span, .. }) if span.end as usize == at => {
                    span.end = end as u32
                }
                _ => found.push(Trivia {
                    kind: TriviaKind::BlankLines,
                    text: Text::default(),
                    span: Span::new(file, at, end),
                }),
            }
        }
        at += line.len();
    }
}

/// Returns the token ranges of a map from `start` to `end` with these rows. The text between them is comments.
pub(crate) fn of_map(
    text: &str,
    (start, end): (usize, usize),
    rows: impl Iterator<Item = (usize, usize)>,
) -> Vec<(usize, usize)> {
    const MAP: &str = "MAP";
    const ENDMAP: &str = "ENDMAP";
    let map = text.get(start..end).unwrap_or("");
    let last = if map.ends_with(ENDMAP) { end - ENDMAP.len() } else { end };
    let first = (start + MAP.len()).min(last);
    let mut tokens = vec![(start, first)];
    tokens.extend(rows.filter(|&(from, to)| from >= first && to <= last));
    tokens.push((last, end));
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_distinguished() {
        let text = "# first\n\n \na # behind\n  # own\nb\n\n\n#last";
        let tokens: Vec<(usize, usize)> =
            ["a", "b\n"].iter().map(|token| text.find(token).map_or((0, 0), |at| (at, at + 1))).collect();
        let found = between(text, FileId(0), tokens.into_iter());
        let shown: Vec<(TriviaKind, &str, &str)> = found
            .iter()
            .map(|trivia| {
                (trivia.kind, trivia.text.as_str(), &text[trivia.span.start as usize..trivia.span.end as usize])
            })
            .collect();
        assert_eq!(
            shown,
            [
                (TriviaKind::Comment, "# first", "# first"),
                (TriviaKind::BlankLines, "", "\n \n"),
                (TriviaKind::TrailingComment, "# behind", "# behind"),
                (TriviaKind::Comment, "# own", "# own"),
                (TriviaKind::BlankLines, "", "\n\n"),
                (TriviaKind::Comment, "#last", "#last"),
            ]
        );
    }
}
