//! The prose of a file: its comments, texts and string literals, without the code around them.
//!
//! [`read`] recognises Rust (and LALRPOP), Python, Markdown, TOML, YAML, Lua and shell scripts by the name of the
//! file. It only distinguishes comments, literals and code, which is enough to check wording.

use std::path::Path;

/// The part of a file that a passage comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A string literal of a program.
    Message,
    /// A page, or the docstring of a Python program.
    Page,
    /// A comment, with doc comments.
    Comment,
}

/// Consecutive lines of prose.
#[derive(Debug)]
pub struct Passage {
    /// The part of the file.
    pub kind: Kind,
    /// Its lines with their numbers, from 1, without comment markers and without code blocks.
    pub lines: Vec<(usize, String)>,
}

/// A word of a passage.
#[derive(Debug, PartialEq, Eq)]
pub struct Word {
    /// The word in lower case. A code span is a backtick, a placeholder of a format string is `{}`.
    pub text: String,
    /// The number of its line.
    pub line: usize,
    /// True if only blanks separate it from the word before.
    pub joined: bool,
}

/// The contents of a file that its style depends on.
#[derive(Default)]
pub struct Prose {
    /// Its passages, in order.
    pub passages: Vec<Passage>,
    /// The identifiers of a Rust file with their line numbers, in order, with repetitions.
    pub names: Vec<(usize, String)>,
    /// The numbers of lines that belong to code blocks of comments and pages.
    pub code_blocks: Vec<usize>,
}

/// Reads the prose of `text`, the contents of the file at `path`. Files of unknown types have none.
pub fn read(path: &Path, text: &str) -> Prose {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let mut scan = Scan::new(text);
    match extension {
        "rs" | "lalrpop" => scan.rust(),
        "py" | "pyi" => scan.python(),
        "md" => scan.page(),
        "toml" | "yml" => scan.marked("#"),
        "lua" => scan.marked("--"),
        "" if text.starts_with("#!") => scan.marked("#"),
        _ => {}
    }
    scan.finish()
}

impl Passage {
    /// Returns the words of the passage.
    pub fn words(&self) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        let mut joined = false;
        let mut in_code = false;
        for (line, text) in &self.lines {
            let mut rest = text.as_str();
            while let Some(first) = rest.chars().next() {
                let placeholder = self.kind == Kind::Message && first == '{';
                let (length, word) = if first == '`' {
                    in_code = !in_code;
                    (1, in_code.then(|| "`".to_owned()))
                } else if in_code {
                    (rest.find('`').unwrap_or(rest.len()), None)
                } else if placeholder && let Some(end) = rest.find('}') {
                    (end + 1, Some("{}".to_owned()))
                } else if first.is_alphanumeric() {
                    let end = rest.find(|at: char| !(at.is_alphanumeric() || "'-_".contains(at)));
                    let word = &rest[..end.unwrap_or(rest.len())];
                    (word.len(), Some(word.trim_end_matches(['\'', '-']).to_lowercase()))
                } else {
                    joined &= first.is_whitespace();
                    (first.len_utf8(), None)
                };
                if let Some(text) = word {
                    words.push(Word { text, line: *line, joined });
                    joined = true;
                }
                rest = &rest[length..];
            }
        }
        words
    }
}

/// A reader of one file.
struct Scan<'a> {
    text: &'a str,
    /// The current offset.
    at: usize,
    /// The line number of the current offset.
    line: usize,
    prose: Prose,
    /// True if the last passage can be continued by a comment with this marker on the next line.
    open: Option<&'static str>,
    in_fence: bool,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str) -> Self {
        Scan { text, at: 0, line: 1, prose: Prose::default(), open: None, in_fence: false }
    }

    fn finish(self) -> Prose {
        self.prose
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Returns the next `length` bytes and moves past them.
    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.rest()[..length];
        self.at += length;
        self.line += taken.matches('\n').count();
        taken
    }

    /// Returns the rest of the line and moves to its end.
    fn take_line(&mut self) -> &'a str {
        self.take(self.rest().find('\n').unwrap_or(self.rest().len()))
    }

    /// True if only blanks precede the current offset on its line.
    fn begins_line(&self) -> bool {
        self.text[..self.at].rsplit('\n').next().is_some_and(|before| before.trim().is_empty())
    }

    fn push(&mut self, kind: Kind, lines: Vec<(usize, String)>) {
        self.open = None;
        self.prose.passages.push(Passage { kind, lines });
    }

    /// Adds one line of a comment with `marker`, which continues the comment on the line before.
    fn comment(&mut self, marker: &'static str, line: usize, text: &str, whole_line: bool) {
        let last = self.prose.passages.last_mut().filter(|_| whole_line && self.open == Some(marker));
        let next = last.as_ref().is_some_and(|last| last.lines.last().is_some_and(|(last, _)| last + 1 == line));
        self.in_fence &= next;
        let fence = text.trim_start().starts_with("```");
        let code = fence || self.in_fence;
        self.in_fence ^= fence;
        if code {
            self.prose.code_blocks.push(line);
        }
        let text = if code { String::new() } else { text.to_owned() };
        match last {
            Some(last) if next => last.lines.push((line, text)),
            _ => self.push(Kind::Comment, vec![(line, text)]),
        }
        self.open = whole_line.then_some(marker);
    }

    fn rust(&mut self) {
        while let Some(first) = self.rest().chars().next() {
            let rest = self.rest();
            if rest.starts_with("//") {
                let (line, whole_line) = (self.line, self.begins_line());
                let marker = ["///", "//!", "//"].into_iter().find(|marker| rest.starts_with(marker)).unwrap_or("//");
                let text = &self.take_line()[marker.len()..];
                self.comment(marker, line, text, whole_line);
            } else if rest.starts_with("/*") {
                let (line, length) = (self.line, nested(rest));
                let text = self.take(length);
                self.push(Kind::Comment, numbered(line, text));
            } else if first == '"' {
                self.literal();
            } else if first == '\'' {
                let mut after = rest.chars().skip(1);
                let length = match (after.next(), after.next()) {
                    (Some('\\'), _) => rest[3..].find('\'').map_or(rest.len(), |end| end + 4),
                    (Some(character), Some('\'')) => character.len_utf8() + 2,
                    _ => 1,
                };
                self.take(length);
            } else if first.is_alphabetic() || first == '_' {
                let end = rest.find(|at: char| !(at.is_alphanumeric() || at == '_')).unwrap_or(rest.len());
                let (name, after) = rest.split_at(end);
                let hashes = after.len() - after.trim_start_matches('#').len();
                if ["r", "br", "cr"].contains(&name) && after[hashes..].starts_with('"') {
                    self.raw(end, hashes);
                } else {
                    self.prose.names.push((self.line, name.to_owned()));
                    self.take(end);
                }
            } else {
                let digits = rest.find(|at: char| !(at.is_alphanumeric() || at == '_')).unwrap_or(rest.len());
                self.take(digits.max(first.len_utf8()));
            }
        }
    }

    /// Reads a string literal with escapes.
    fn literal(&mut self) {
        let (line, mut at) = (self.line, 1);
        let rest = self.rest();
        let mut value = String::new();
        while let Some(character) = rest[at..].chars().next() {
            at += character.len_utf8();
            match character {
                '"' => break,
                '\\' => {
                    let escaped = rest[at..].chars().next().unwrap_or('\\');
                    at += escaped.len_utf8();
                    match escaped {
                        '\n' => value.push('\n'),
                        'n' => value.push_str(" ; "),
                        't' => value.push(' '),
                        _ => value.push(escaped),
                    }
                }
                _ => value.push(character),
            }
        }
        self.take(at);
        self.push(Kind::Message, numbered(line, &value));
    }

    /// Reads a raw string literal after a prefix of `prefix` bytes.
    fn raw(&mut self, prefix: usize, hashes: usize) {
        let line = self.line;
        let begin = prefix + hashes + 1;
        let close = format!("\"{}", "#".repeat(hashes));
        let end = self.rest()[begin..].find(&close).map_or(self.rest().len(), |end| begin + end);
        let value = &self.rest()[begin..end];
        self.take((end + close.len()).min(self.rest().len()));
        self.push(Kind::Message, numbered(line, value));
    }

    fn python(&mut self) {
        while let Some(first) = self.rest().chars().next() {
            let rest = self.rest();
            let triple = ["\"\"\"", "'''"].into_iter().find(|quotes| rest.starts_with(quotes));
            if first == '#' {
                let (line, whole_line) = (self.line, self.begins_line());
                let text = &self.take_line()[1..];
                self.comment("#", line, text, whole_line);
            } else if let Some(quotes) = triple {
                let kind = if self.begins_line() { Kind::Page } else { Kind::Message };
                let line = self.line;
                let end = rest[3..].find(quotes).map_or(rest.len(), |end| end + 3);
                self.take((end + 3).min(rest.len()));
                self.push(kind, numbered(line, &rest[3..end]));
            } else if first == '"' || first == '\'' {
                let mut escaped = false;
                let end = rest.char_indices().skip(1).find(|(_, at)| {
                    let ends = *at == '\n' || (*at == first && !escaped);
                    escaped = *at == '\\' && !escaped;
                    ends
                });
                let end = end.map_or(rest.len(), |(at, _)| at);
                let line = self.line;
                self.take((end + 1).min(rest.len()));
                self.push(Kind::Message, numbered(line, &rest[1..end]));
            } else {
                self.take(first.len_utf8());
            }
        }
    }

    /// Reads a page: its paragraphs without code blocks.
    fn page(&mut self) {
        let mut paragraph = Vec::new();
        let mut fence: Option<&str> = None;
        for (index, text) in self.text.lines().enumerate() {
            let trimmed = text.trim_start();
            let ticks = &trimmed[..trimmed.len() - trimmed.trim_start_matches('`').len()];
            let is_fence = ticks.len() >= 3 && fence.is_none_or(|open| ticks.len() >= open.len());
            if is_fence {
                fence = if fence.is_some() { None } else { Some(ticks) };
            }
            if is_fence || fence.is_some() {
                self.prose.code_blocks.push(index + 1);
            }
            if is_fence || fence.is_some() || trimmed.is_empty() {
                self.push(Kind::Page, std::mem::take(&mut paragraph));
            } else {
                paragraph.push((index + 1, text.to_owned()));
            }
        }
        self.push(Kind::Page, paragraph);
    }

    /// Reads the comments of a file whose comments begin with `marker` and end with the line. Trailing comments count
    /// if a blank precedes the marker and the line has no quotes after it.
    fn marked(&mut self, marker: &'static str) {
        for (index, text) in self.text.lines().enumerate() {
            if let Some(comment) = text.trim_start().strip_prefix(marker) {
                if !comment.starts_with('!') {
                    self.comment(marker, index + 1, comment, true);
                }
            } else if let Some((_, comment)) = text.split_once(&format!(" {marker} "))
                && !comment.contains(['"', '\''])
            {
                self.comment(marker, index + 1, comment, false);
            }
        }
    }
}

/// Returns the lines of `text` with their numbers, the first of which is `first`.
fn numbered(first: usize, text: &str) -> Vec<(usize, String)> {
    text.split('\n').enumerate().map(|(index, line)| (first + index, line.to_owned())).collect()
}

/// Returns the length of the nested block comment that `text` begins with.
fn nested(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let (change, length): (isize, usize) = match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (1, 2),
            [b'*', b'/', ..] => (-1, 2),
            _ => (0, 1),
        };
        depth = depth.saturating_add_signed(change);
        at += length;
        if depth == 0 {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(path: &str, text: &str) -> Vec<String> {
        let prose = read(Path::new(path), text);
        prose.passages.iter().flat_map(Passage::words).map(|word| word.text).collect()
    }

    #[test]
    fn rust_comments_and_literals_are_prose() {
        let text =
            "/// One `two` three\n/// four.\nfn five<'a>(c: char) { \"six {seven}\"; r#\"eight\"#; '\"'; } // nine\n";
        assert_eq!(words("x.rs", text), ["one", "`", "three", "four", "six", "{}", "eight", "nine"]);
        let prose = read(Path::new("x.rs"), text);
        let names: Vec<_> = prose.names.iter().map(|(line, name)| (*line, name.as_str())).collect();
        assert_eq!(names, [(3, "fn"), (3, "five"), (3, "a"), (3, "c"), (3, "char")]);
    }

    #[test]
    fn code_blocks_are_not_prose() {
        assert_eq!(words("x.rs", "/// One\n/// ```\n/// two\n/// ```\n/// three\n"), ["one", "three"]);
        assert_eq!(words("x.md", "one\n```sh\ntwo\n```\nthree\n"), ["one", "three"]);
    }

    #[test]
    fn punctuation_separates_words() {
        let prose = read(Path::new("x.md"), "one two, three\nfour");
        let joined: Vec<bool> = prose.passages[0].words().iter().map(|word| word.joined).collect();
        assert_eq!(joined, [false, true, false, true]);
    }

    #[test]
    fn docstrings_and_comments_of_python_are_prose() {
        let prose = read(Path::new("x.py"), "def f():\n    \"\"\"One.\"\"\"\n    return 'two' # three\n");
        let kinds: Vec<Kind> = prose.passages.iter().map(|passage| passage.kind).collect();
        assert_eq!(kinds, [Kind::Page, Kind::Message, Kind::Comment]);
    }
}
