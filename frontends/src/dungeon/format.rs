//! Formatter for dungeon descriptions: one statement per line, operands aligned in one column, single blanks between
//! tokens.
//!
//! Comments, controls and blank lines keep their positions. Tokens are copied unchanged. A statement that contains a
//! comment or a control, or that cannot be read, is copied as it is.

use splc_ir::dungeon::Controls;

use super::lexer::{Kind, Token, Word, tokens};

/// The column in which operands begin.
const COLUMN: usize = 16;

/// Returns `text`, a description with these `controls`, formatted.
pub fn format(text: &str, controls: Controls) -> String {
    // A carriage return at the end would become part of a line end.
    let text = text.trim_end_matches('\r');
    // Lines inside a string that spans several lines must not be interpreted.
    if tokens(text, &[]).iter().any(|token| matches!(token.kind, Kind::Text(text) if text.contains('\n'))) {
        return text.to_owned();
    }
    let mut out = String::new();
    // Lines of the current group; only its first line begins a statement.
    let mut pending = String::new();
    for line in text.split_inclusive('\n') {
        if is_apart(line, controls) {
            flush(&mut pending, &mut out);
            out.push_str(line.trim_end());
            out.push('\n');
        } else if line.trim().is_empty() {
            flush(&mut pending, &mut out);
            // Several blank lines become one.
            if !out.is_empty() && !out.ends_with("\n\n") {
                out.push('\n');
            }
        } else {
            if begins_statement(line, controls) {
                flush(&mut pending, &mut out);
            }
            pending.push_str(line);
        }
    }
    flush(&mut pending, &mut out);
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

/// Returns true if `line` is a comment or a control without a statement.
fn is_apart(line: &str, controls: Controls) -> bool {
    line.starts_with('#') || (controls == Controls::Caret && line.starts_with('^'))
}

/// Splits off the control at the start of `line`.
fn split_control(line: &str, controls: Controls) -> (&str, &str) {
    if controls == Controls::Percent && line.starts_with('%') {
        let end = line[1..].find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        return line.split_at(end.map_or(line.len(), |end| end + 1));
    }
    ("", line)
}

fn begins_statement(line: &str, controls: Controls) -> bool {
    let (control, rest) = split_control(line, controls);
    !control.is_empty() || matches!(tokens(rest, &[]).first(), Some(Token { kind: Kind::Word(Word::Statement(_)), .. }))
}

/// Writes the lines of `pending`, formatted if possible.
fn flush(pending: &mut String, out: &mut String) {
    if pending.is_empty() {
        return;
    }
    let (control, rest) = split_control(pending, Controls::Percent);
    let lines = statements(rest).filter(|lines| control.is_empty() || lines.len() == 1);
    match lines {
        Some(lines) => {
            for line in lines {
                if !control.is_empty() {
                    out.push_str(control);
                    out.push(' ');
                }
                out.push_str(&line);
                out.push('\n');
            }
        }
        None => {
            out.push_str(pending);
            if !pending.ends_with('\n') {
                out.push('\n');
            }
        }
    }
    pending.clear();
}

/// Returns the statements of `text`, one per line, or `None` if it contains invalid tokens or does not begin with a
/// statement.
fn statements(text: &str) -> Option<Vec<String>> {
    let tokens = tokens(text, &[]);
    let readable = |token: &Token<'_>| match token.kind {
        Kind::Other(character) => matches!(character, ':' | '@' | '+' | '(' | ')' | ','),
        Kind::OpenText => false,
        Kind::End => text[token.start..].trim().is_empty(),
        Kind::Word(_) | Kind::Number(_) => true,
        // A string that spans several lines is copied as it is.
        Kind::Text(text) => !text.contains('\n'),
    };
    if !tokens.iter().all(readable) {
        return None;
    }
    let mut lines: Vec<String> = Vec::new();
    let mut previous = Kind::End;
    for token in &tokens[..tokens.len() - 1] {
        let shown = &text[token.start..token.end];
        if let Kind::Word(Word::Statement(_)) = token.kind {
            lines.push(shown.to_owned());
        } else {
            let line = lines.last_mut()?;
            let begins = matches!(previous, Kind::Other(':'));
            let close = matches!(token.kind, Kind::Other(':' | ',' | ')')) || matches!(previous, Kind::Other('('));
            if begins {
                let width = line.chars().count();
                line.extend(std::iter::repeat_n(' ', COLUMN.saturating_sub(width).max(1)));
            } else if !close {
                line.push(' ');
            }
            line.push_str(shown);
        }
        previous = token.kind;
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_lined_up_and_comments_stay() {
        let text = "# A comment  \nDUNGEON :\t\"x\"\"none\"(5,\n 2)LEVEL:\"a\" \"A\" @ ( 1 , -1 )  40\n\n\n%REINCARNATION LEVEL: \"rogue\" \"R\" @ (15,4)\n";
        let expected = "# A comment\nDUNGEON:        \"x\" \"none\" (5, 2)\nLEVEL:          \"a\" \"A\" @ (1, -1) 40\n\n%REINCARNATION LEVEL:          \"rogue\" \"R\" @ (15, 4)\n";
        let formatted = format(text, Controls::Percent);
        assert_eq!(formatted, expected);
        assert_eq!(format(&formatted, Controls::Percent), expected);
    }

    #[test]
    fn what_cannot_be_read_stays() {
        for text in ["LEVEL: \"a\n", "nonsense $\n", "LEVEL:  \"a\nb\"\n", "DUNGEON:   \u{e9}\n"] {
            assert_eq!(format(text, Controls::Percent), text);
        }
    }
}
