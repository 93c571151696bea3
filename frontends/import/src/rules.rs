//! Words of a flex lexer: `word  action`.
//!
//! A pattern is understood if it is a word, or words with `|` and optional parts. Other patterns are for tokens that
//! splc's own lexer has anyway: numbers, strings, maps.

use crate::limits::MAX_NOTES;

/// A rule: its words, and the text and line of its action.
#[derive(Debug)]
pub struct Rule<'a> {
    /// The words that it matches.
    pub words: Vec<String>,
    /// The action.
    pub action: &'a str,
    /// Its line number.
    pub line: u32,
}

/// The parts of a flex file: the C text at its top, and its rules.
pub struct LexFile<'a> {
    /// The C text before the rules.
    pub prologue: String,
    /// The rules with words.
    pub rules: Vec<Rule<'a>>,
    /// The pattern for a line of a map, excluding digits.
    pub map_line: Option<(String, u32)>,
    /// Lines that look like rules for words but are not understood.
    pub strange: Vec<(u32, String)>,
}

/// Splits a flex file into its parts.
pub fn take_apart(text: &str) -> LexFile<'_> {
    let mut file = LexFile { prologue: String::new(), rules: Vec::new(), map_line: None, strange: Vec::new() };
    let mut in_code = false;
    let mut in_rules = false;
    let mut offset = 0;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let start = offset;
        offset += line.len();
        let plain = line.trim_end();
        if !in_rules {
            match plain {
                "%{" => in_code = true,
                "%}" => in_code = false,
                "%%" => in_rules = true,
                _ => {}
            }
            let is_code = in_code && plain != "%{";
            file.prologue.push_str(if is_code { plain } else { "" });
            file.prologue.push('\n');
            continue;
        }
        if plain == "%%" {
            break;
        }
        if plain.is_empty() || plain.starts_with([' ', '\t', '}', '#', '/', '%']) {
            continue;
        }
        let (pattern, rest) = split_pattern(plain);
        if pattern.starts_with("<MAPC>[") || pattern.starts_with("<MAP>[") {
            if file.map_line.is_none() {
                file.map_line = character_class(pattern).map(|class| (class, number));
            }
            continue;
        }
        let pattern = pattern.rsplit('>').next().unwrap_or(pattern);
        let Some(words) = words(pattern) else {
            if pattern.bytes().all(|byte| byte.is_ascii_alphabetic() || b"|()_?".contains(&byte))
                && file.strange.len() < MAX_NOTES
            {
                file.strange.push((number, plain.to_owned()));
            }
            continue;
        };
        let action = action(text, start + (plain.len() - rest.len()));
        file.rules.push(Rule { words, action, line: number });
    }
    file
}

/// Splits a rule into its pattern and the rest.
fn split_pattern(line: &str) -> (&str, &str) {
    let mut in_class = false;
    let mut in_quotes = false;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        if escaped {
            escaped = false;
            continue;
        }
        match c {
            '\\' => escaped = true,
            '"' if !in_class => in_quotes = !in_quotes,
            '[' if !in_quotes => in_class = true,
            ']' => in_class = false,
            ' ' | '\t' if !in_class && !in_quotes => return (&line[..at], line[at..].trim_start()),
            _ => {}
        }
    }
    (line, "")
}

/// Returns the action that begins at `start`: a block or a line.
fn action(text: &str, start: usize) -> &str {
    let rest = &text[start..];
    if !rest.starts_with('{') {
        return rest.lines().next().unwrap_or("");
    }
    let mut depth = 0;
    for (at, c) in rest.char_indices().take(4096) {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return &rest[..=at];
                }
            }
            _ => {}
        }
    }
    rest.lines().next().unwrap_or("")
}

/// Returns the words of a pattern: `word`, `"word"`, `(NAME|name)`, `obj(ect)?`. `random\[` is not a word.
fn words(pattern: &str) -> Option<Vec<String>> {
    let is_word = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    let pattern = pattern.trim_matches('"');
    if is_word(pattern) {
        return Some(vec![pattern.to_owned()]);
    }
    let inner = pattern.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(pattern);
    if inner.contains('|') {
        let words: Vec<String> = inner.split('|').map(str::to_owned).collect();
        return words.iter().all(|word| is_word(word)).then_some(words);
    }
    let (start, rest) = pattern.split_once('(')?;
    let (optional, end) = rest.split_once(")?")?;
    let both = vec![format!("{start}{end}"), format!("{start}{optional}{end}")];
    both.iter().all(|word| is_word(word)).then_some(both)
}

/// Returns the characters of `<MAPC>[...]*`, excluding digits.
fn character_class(pattern: &str) -> Option<String> {
    let start = pattern.find('[')? + 1;
    let mut class = String::new();
    let mut characters = pattern[start..].chars();
    while let Some(c) = characters.next() {
        match c {
            ']' => return Some(class),
            '\\' => class.extend(characters.next()),
            _ if c.is_ascii_digit() => {}
            _ => class.push(c),
        }
    }
    None
}
