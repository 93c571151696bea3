//! The words of a des-file, and the context of an offset: the statement, the operand, the text in quotes.
//!
//! An author is in the middle of a statement when a completion is wanted, and no front end reads half a statement. This
//! module therefore needs only the text. It is the same for all dialects, and takes anything for a word.

use std::ops::Range;

/// The kind of a [`Word`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A keyword in capitals: the beginning of a statement.
    Statement,
    /// Another word.
    Name,
    /// `$name`.
    Variable,
    /// A number, dice or a percentage.
    Number,
    /// A text in double quotes, which may lack the second.
    Text,
    /// A character in single quotes, which may lack the second.
    Character,
    /// One character of punctuation.
    Sign(u8),
    /// A comment.
    Comment,
    /// A map, from MAP to ENDMAP.
    Map,
}

/// A piece of a des-file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// Splits `text` into words. The text between them is blank.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let bytes = text.as_bytes();
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let run = |from: usize, is: fn(u8) -> bool| from + bytes[from..].iter().take_while(|byte| is(**byte)).count();
        let line_end = || start + memchr::memchr2(b'\n', b'\r', &bytes[start..]).unwrap_or(bytes.len() - start);
        let kind = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {
                at += 1;
                continue;
            }
            b'#' => {
                at = line_end();
                Kind::Comment
            }
            b'"' => {
                let end = line_end();
                at = memchr::memchr(b'"', &bytes[start + 1..end]).map_or(end, |length| start + length + 2);
                Kind::Text
            }
            b'\'' => {
                let end = line_end();
                let character = text[start + 1..end].chars().next().map_or(0, char::len_utf8);
                // `'\''` of NetHack 3.4.3 is three characters.
                let escaped = text[start + 1..end].starts_with("\\")
                    && bytes.get(start + 3) == Some(&b'\'')
                    && bytes.get(start + 2) != Some(&b'\'');
                let close = start + 1 + if escaped { 2 } else { character };
                at = if bytes.get(close) == Some(&b'\'') { close + 1 } else { close.min(end).max(start + 1) };
                Kind::Character
            }
            b'$' => {
                at = run(start + 1, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
                Kind::Variable
            }
            b'0'..=b'9' => {
                at = run(start, |byte| byte.is_ascii_digit());
                if bytes.get(at) == Some(&b'd') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
                    at = run(at + 1, |byte| byte.is_ascii_digit());
                }
                Kind::Number
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                at = run(start, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
                // `half-left` and its relatives, and `level.depth`.
                for sign in [b'-', b'.'] {
                    let joins = sign == b'.' || text[start..at].eq("half");
                    if joins && bytes.get(at) == Some(&sign) && bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase) {
                        at = run(at + 1, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
                    }
                }
                let word = &bytes[start..at];
                if word == b"MAP" && is_line(text, start, at) {
                    at = end_of_map(text, start);
                    Kind::Map
                } else if word.len() > 1
                    && word.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
                    && word != b"TO"
                {
                    Kind::Statement
                } else {
                    Kind::Name
                }
            }
            byte => {
                at += text[start..].chars().next().map_or(1, char::len_utf8);
                Kind::Sign(byte)
            }
        };
        words.push(Word { kind, start, end: at });
    }
    words
}

/// Returns true if `start..end` is alone on its line.
fn is_line(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].bytes().next_back();
    let rest = text[end..].split(['\n', '\r']).next().unwrap_or("");
    before.is_none_or(|byte| matches!(byte, b'\n' | b'\r')) && rest.trim().is_empty()
}

/// Returns the end of the map that begins at `start`: after its ENDMAP or, if that is missing, before the next line
/// that is not a line of a map.
fn end_of_map(text: &str, start: usize) -> usize {
    let mut at = start;
    for (number, line) in text[start..].split_inclusive('\n').enumerate() {
        let begins = |word: &str| line.starts_with(word);
        if number > 0 && begins("ENDMAP") {
            return at + "ENDMAP".len();
        }
        let keyword = line.bytes().take_while(|byte| byte.is_ascii_uppercase() || *byte == b'_').count();
        let is_statement =
            keyword > 2 && matches!(line.as_bytes().get(keyword), Some(b':' | b'[' | b'\n' | b'\r') | None);
        if number > 0
            && is_statement
            && !begins("...")
            && line[..keyword].bytes().any(|byte| byte != line.as_bytes()[0])
        {
            return text[..at].trim_end().len().max(start + "MAP".len());
        }
        at += line.len();
    }
    text.len()
}

/// The context of an offset in a des-file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Context {
    /// The keyword of the statement, or `None` where a statement begins.
    pub statement: Option<Range<usize>>,
    /// The number of the operand, from 0. `None` before the colon.
    pub operand: Option<usize>,
    /// The number of the value in the innermost parentheses, from 0, and their beginning.
    pub inner: Option<(usize, usize)>,
    /// The beginnings of the operands so far.
    pub operands: Vec<usize>,
    /// The word at the offset, up to its end; empty between words.
    pub word: Range<usize>,
    /// Its kind, or `None` between words.
    pub kind: Option<Kind>,
    /// Set in the brackets of a condition, an index or a chance.
    pub in_brackets: bool,
    /// The last word before the one at the offset.
    pub before: Option<Word>,
    /// Set after `=` of an assignment.
    pub assigns: bool,
    /// The statements of the blocks around the offset, outermost first.
    pub blocks: Vec<Range<usize>>,
}

/// Finds the context of `offset`.
pub(crate) fn context(text: &str, words: &[Word], offset: usize) -> Context {
    let mut context = Context { word: offset..offset, ..Context::default() };
    // Open brackets of the statement: their sign, their beginning, the number of the value in them.
    let mut open: Vec<(u8, usize, usize)> = Vec::new();
    let mut colon = false;
    let mut fresh = true;
    for (number, word) in words.iter().enumerate() {
        let touches = word.start < offset && (offset < word.end || offset == word.end && joins(text, word));
        if touches {
            context.word = word.start..word.end;
            context.kind = Some(word.kind);
        }
        if touches || word.start >= offset {
            break;
        }
        context.before = Some(word.clone());
        let begin = |context: &mut Context, open: &mut Vec<_>, colon: &mut bool, keyword: Option<Range<usize>>| {
            context.statement = keyword;
            (context.operand, context.inner, context.assigns) = (None, None, false);
            context.operands.clear();
            open.clear();
            *colon = false;
        };
        let keyword = Some(word.start..word.end);
        match word.kind {
            Kind::Comment => continue,
            Kind::Map => {
                begin(&mut context, &mut open, &mut colon, None);
                fresh = true;
                continue;
            }
            Kind::Statement => begin(&mut context, &mut open, &mut colon, keyword),
            // `$x = ...`, `name(...)` and `[50%]: ...` on a line of their own.
            Kind::Variable | Kind::Name
                if starts_line(text, word.start) && (fresh || open.is_empty() && !ends_open(words, number)) =>
            {
                let next = words.get(number + 1).map(|next| next.kind);
                if matches!(next, Some(Kind::Sign(b'=')) | Some(Kind::Sign(b'('))) {
                    begin(&mut context, &mut open, &mut colon, keyword);
                    colon = word.kind == Kind::Name;
                    if colon {
                        context.operand = None;
                    }
                }
            }
            Kind::Sign(b'{') if !context.assigns => {
                context.blocks.push(context.statement.clone().unwrap_or(word.start..word.start));
                begin(&mut context, &mut open, &mut colon, None);
                fresh = true;
                continue;
            }
            Kind::Sign(b'}') if !context.assigns => {
                context.blocks.pop();
                begin(&mut context, &mut open, &mut colon, None);
                fresh = true;
                continue;
            }
            Kind::Sign(b'=') => {
                context.assigns = true;
                context.operand = Some(0);
                context.operands = vec![word.end];
            }
            // The type of a value: `$x = monster: ...`.
            Kind::Sign(b':') if context.assigns => {}
            Kind::Sign(b':') if open.is_empty() && !colon => {
                colon = true;
                // After `[50%]:`, a statement begins.
                if context.statement.is_none() {
                    fresh = true;
                    continue;
                }
                context.operand = Some(0);
                context.operands = vec![word.end];
            }
            Kind::Sign(sign @ (b'(' | b'[' | b'{')) => open.push((sign, word.start, 0)),
            Kind::Sign(b')' | b']' | b'}') => {
                open.pop();
            }
            Kind::Sign(b',') => match open.last_mut() {
                Some((.., count)) => *count += 1,
                None => {
                    if let Some(operand) = &mut context.operand {
                        *operand += 1;
                        context.operands.push(word.end);
                    }
                }
            },
            _ => {}
        }
        fresh = false;
    }
    // A statement without an open bracket, comma or colon at its end is complete at the end of its line.
    let before = context.before.as_ref();
    let line_break = before.is_some_and(|before| {
        text[before.end.min(offset)..context.word.start.max(before.end.min(offset))].contains('\n')
    });
    let goes_on = before
        .is_some_and(|before| matches!(before.kind, Kind::Sign(b',' | b':' | b'(' | b'=' | b'[' | b'&')))
        || !open.is_empty();
    if line_break && !goes_on {
        (context.statement, context.operand, context.assigns) = (None, None, false);
        context.operands.clear();
    }
    context.in_brackets = open.last().is_some_and(|(sign, ..)| *sign == b'[');
    context.inner = open.last().filter(|(sign, ..)| *sign != b'[').map(|&(_, start, count)| (count, start));
    context
}

/// Returns true if a character typed at the end of `word` belongs to it.
fn joins(text: &str, word: &Word) -> bool {
    let last = text[word.start..word.end].chars().next_back();
    match word.kind {
        Kind::Statement | Kind::Name | Kind::Variable | Kind::Number | Kind::Comment => true,
        Kind::Text => word.end == word.start + 1 || last != Some('"'),
        Kind::Character => word.end == word.start + 1 || last != Some('\''),
        Kind::Sign(_) | Kind::Map => false,
    }
}

fn starts_line(text: &str, offset: usize) -> bool {
    let line = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    text[line..offset].trim().is_empty()
}

/// Returns true if the word before `number` shows that the statement continues.
fn ends_open(words: &[Word], number: usize) -> bool {
    let before = number.checked_sub(1).and_then(|before| words.get(before));
    before.is_some_and(|before| matches!(before.kind, Kind::Sign(b',' | b':' | b'(' | b'=' | b'[' | b'&')))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the context at the `|` in `text`, with the keyword of its statement.
    fn at(text: &str) -> (Option<String>, Option<usize>, Context) {
        let offset = text.find('|').unwrap();
        let text = text.replacen('|', "", 1);
        let context = context(&text, &words(&text), offset);
        (context.statement.clone().map(|range| text[range].to_owned()), context.operand, context)
    }

    #[test]
    fn operands_are_counted_outside_parentheses() {
        for (text, statement, operand) in [
            ("MONSTER: |", "MONSTER", Some(0)),
            ("MONSTER: ('o', \"hill|", "MONSTER", Some(0)),
            ("MONSTER: ('o', \"hill orc\"), |", "MONSTER", Some(1)),
            ("OBJECT: '(', random, |", "OBJECT", Some(2)),
            ("DOOR:|", "DOOR", Some(0)),
            ("TR|", "TR", None),
            ("IF [50%] {\n  TRAP: |\n}", "TRAP", Some(0)),
            ("[50%]: TRAP: \"pit\",|", "TRAP", Some(1)),
            ("$x = |", "$x", Some(0)),
            ("MONSTER: 'o',\n  |", "MONSTER", Some(1)),
        ] {
            let (found, number, _) = at(text);
            assert_eq!((found.as_deref().or(Some("TR")), number), (Some(statement), operand), "{text}");
        }
    }

    #[test]
    fn statements_begin_after_statements() {
        for text in
            ["|", "NOMAP\n|", "IF [50%] {\n  |", "LEVEL: \"x\"\n  |\n", "MAP\n...\nENDMAP\n|", "[50%]: |", "}\n|"]
        {
            assert_eq!(at(text).0, None, "{text}");
        }
    }

    #[test]
    fn maps_are_one_word() {
        let text = "MAP\n--\"-\n|..'\nENDMAP\nTRAP: \"pit\", random";
        let found = words(text);
        assert_eq!((found[0].kind, &text[found[0].start..found[0].end]), (Kind::Map, &text[..20]));
        let unfinished = "MAP\n---\n|.|\nSTAIR:(1,1),up";
        assert_eq!(words(unfinished)[0].end, 11);
        let trees = "MAP\nTTTT\nENDMAP";
        assert_eq!(words(trees).len(), 1);
    }

    #[test]
    fn quotes_may_be_open() {
        let (_, _, context) = at("TRAP: \"p|");
        assert_eq!(context.kind, Some(Kind::Text));
        let (_, _, context) = at("MONSTER: '|");
        assert_eq!(context.kind, Some(Kind::Character));
        let (_, _, context) = at("MONSTER: 'o'|");
        assert_eq!(context.kind, None);
    }

    #[test]
    fn every_byte_is_in_a_word_or_blank() {
        for text in ["é'é\"", "'", "\"", "'\\''", "$", "half-left half- a.b .", "MAP", "MAP\r\n.\r\nENDMAP\r\n", "''"]
        {
            let mut end = 0;
            for word in words(text) {
                assert!(word.start >= end && word.end > word.start, "{text:?}: {word:?}");
                assert!(text[end..word.start].trim().is_empty());
                end = word.end;
            }
            assert!(text[end..].trim().is_empty(), "{text:?}");
        }
    }
}
