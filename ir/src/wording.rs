//! Text for messages: terminal-safe strings, lists, counts.

use std::borrow::Cow;

/// Returns `text` in a form that is safe for a terminal: nothing in it moves the cursor or changes the direction of
/// writing.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| picture(character) == character) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().map(picture).collect())
    }
}

/// Returns a text of several lines in a form that is safe for a terminal, with its tabs.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    let shown = |character| if matches!(character, '\n' | '\t') { character } else { picture(character) };
    if text.chars().all(|character| shown(character) == character) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().map(shown).collect())
    }
}

/// Returns the visible replacement of a control character, or `character` itself.
pub fn picture(character: char) -> char {
    match character {
        '\t' => ' ',
        '\u{7f}' => '\u{2421}',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}

/// Returns the name of a character without a shape, such as `a NUL byte`. Blanks and line ends have none.
pub fn unseen(character: char) -> Option<String> {
    Some(match character {
        '\t' | '\n' | '\r' => return None,
        '\u{1a}' => "a Ctrl-Z (the end-of-file mark of DOS)".to_owned(),
        '\0' => "a NUL byte".to_owned(),
        '\u{c}' => "a form feed".to_owned(),
        '\u{feff}' => "a byte order mark".to_owned(),
        '\u{200b}'..='\u{200d}' | '\u{2060}' => "an invisible character".to_owned(),
        _ if character.is_control() => format!("a control character (U+{:04X})", u32::from(character)),
        _ => return None,
    })
}

/// Returns a count with its noun: `1 error`, `2 errors`. `what` is the singular of a noun with a regular plural.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Wraps a paragraph into lines of at most `width` columns, unless a word is longer. Leading blanks are kept, and all
/// lines but the first get `indent`. The text does not end with a newline.
pub fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let blanks = text.len() - text.trim_start_matches(' ').len();
    let mut lines = text[..blanks].to_owned();
    let (mut column, mut fresh) = (blanks, true);
    for word in text[blanks..].split(' ') {
        let length = word.chars().count();
        if !fresh && column + 1 + length > width {
            lines.truncate(lines.trim_end_matches(' ').len());
            lines.push('\n');
            lines.push_str(indent);
            (column, fresh) = (indent.chars().count(), true);
        }
        if !fresh {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
        fresh = false;
    }
    lines.truncate(lines.trim_end_matches(' ').len());
    lines
}

/// The conjunction before the last word of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conjunction {
    /// All of them: `one, two and three`.
    And,
    /// Any of them: `one, two or three`.
    Or,
}

/// Joins `words` into a list for a sentence; empty if there are none.
pub fn listed<W: AsRef<str>>(words: impl IntoIterator<Item = W>, conjunction: Conjunction) -> String {
    let before_last = match conjunction {
        Conjunction::And => " and ",
        Conjunction::Or => " or ",
    };
    let mut words = words.into_iter().peekable();
    let mut list = String::new();
    while let Some(word) = words.next() {
        list.push_str(match (list.is_empty(), words.peek()) {
            (true, _) => "",
            (false, Some(_)) => ", ",
            (false, None) => before_last,
        });
        list.push_str(word.as_ref());
    }
    list
}

/// The distance between two tab stops.
pub const TAB_STOP: usize = 8;

/// Returns the spaces up to its tab stop for each tab of a row of a map, with the offset of the tab, if the row then is
/// as wide as a neighbour.
pub fn spaces_for_tabs<'t>(row: &str, neighbours: impl IntoIterator<Item = &'t str>) -> Option<Vec<(usize, String)>> {
    let mut spaces = Vec::new();
    let mut width = 0;
    for (at, character) in row.trim_end().char_indices() {
        let step = if character == '\t' { TAB_STOP - width % TAB_STOP } else { 1 };
        if character == '\t' {
            spaces.push((at, " ".repeat(step)));
        }
        width += step;
    }
    let fits = |neighbour: &str| !neighbour.contains('\t') && neighbour.trim_end().chars().count() == width;
    let is_certain = !spaces.is_empty() && neighbours.into_iter().any(fits);
    is_certain.then_some(spaces)
}

/// Returns the help to write the spaces of [`spaces_for_tabs`].
pub fn help_for_tabs(spaces: &[(usize, String)]) -> String {
    match spaces {
        [(_, only)] => format!("write {} instead of the tab", counted(only.len(), "space")),
        _ => "write spaces up to each tab stop of 8".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_wrapped_between_words() {
        assert_eq!(wrapped("  one two three", 9, "    "), "  one two\n    three");
        assert_eq!(wrapped("a verylongword b", 5, ""), "a\nverylongword\nb");
        assert_eq!(wrapped("", 5, ""), "");
    }

    #[test]
    fn nothing_visible_moves_the_cursor() {
        assert_eq!(visible("plain \u{e9}"), "plain \u{e9}");
        assert_eq!(visible("a\tb\u{1b}[2J\u{7f}\u{85}\u{202e}"), "a b\u{241b}[2J\u{2421}\u{fffd}\u{fffd}");
        assert_eq!(visible_lines("a\tb\n\u{1b}c\r\n"), "a\tb\n\u{241b}c\u{240d}\n");
        for code in (0..0x20).chain(0x7f..0xa0) {
            let character = char::from_u32(code).unwrap();
            assert!(!picture(character).is_control(), "{code:#x}");
        }
    }

    #[test]
    fn lists_have_one_conjunction() {
        let of = |words: &[&str]| listed(words, Conjunction::And);
        assert_eq!([of(&[]), of(&["a"]), of(&["a", "b"])], ["", "a", "a and b"]);
        assert_eq!(listed(["a", "b", "c"], Conjunction::Or), "a, b or c");
        assert_eq!(of(&["doors"]), "doors");
        assert_eq!(of(&["doors", "stairs", "altars"]), "doors, stairs and altars");
    }

    #[test]
    fn one_thing_is_singular() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "error")), ["0 errors", "1 error", "2 errors"]);
    }
}
