//! JSON text (RFC 8259) as a tree in which every value has its position.
//!
//! serde_json returns values without positions, or a single error with a line and a column. Here all errors of a level
//! are reported at once, each at its position. Nothing is copied: a value is a range of the text, decoded on demand.
//! The tree is stored flat in text order and built without recursion, so deep documents need no stack.

use std::borrow::Cow;
use std::fmt::Write;

use splc_ir::limits::MAX_JSON_DEPTH;

/// A value or a key: its index in the document.
pub(super) type Node = usize;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    True,
    False,
    Number,
    Text,
    List,
    Object,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: Kind,
    /// Its start offset.
    start: u32,
    end: u32,
    /// The next node after it and its descendants.
    next: u32,
}

/// A document. Its outermost value is node 0.
#[derive(Debug)]
pub(super) struct Document<'t> {
    text: &'t str,
    nodes: Vec<Entry>,
    /// The maximum nesting of its lists and objects.
    pub depth: usize,
}

/// The reason why a text is not JSON.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SyntaxError {
    /// The message.
    pub message: String,
    /// The start of its range in the text.
    pub start: usize,
    pub end: usize,
    /// The advice for the help line.
    pub help: Option<&'static str>,
    /// True if the text is well-formed so far, but too deep.
    pub too_deep: bool,
}

impl<'t> Document<'t> {
    /// Parses `text`.
    ///
    /// # Errors
    /// Returns an error if it is not JSON, or nested deeper than [`MAX_JSON_DEPTH`].
    pub fn parse(text: &'t str) -> Result<Self, SyntaxError> {
        let mut parser = Parser { text, at: 0, nodes: Vec::new(), open: Vec::new(), depth: 0 };
        parser.document()?;
        Ok(Document { text, nodes: parser.nodes, depth: parser.depth })
    }

    /// Returns the kind of `node`.
    pub fn kind(&self, node: Node) -> Kind {
        self.nodes[node].kind
    }

    /// Returns the range of `node` in the text.
    pub fn range(&self, node: Node) -> (usize, usize) {
        let Entry { start, end, .. } = self.nodes[node];
        (start as usize, end as usize)
    }

    /// Returns the text of `node`.
    pub fn raw(&self, node: Node) -> &'t str {
        let (start, end) = self.range(node);
        &self.text[start..end]
    }

    /// Returns the values of a list, or the alternating keys and values of an object.
    pub fn children(&self, node: Node) -> impl Iterator<Item = Node> {
        let end = self.nodes[node].next as usize;
        let first = (node + 1 < end).then_some(node + 1);
        std::iter::successors(first, move |&child| Some(self.nodes[child].next as usize).filter(|&next| next < end))
    }

    /// Returns the keys and values of an object.
    pub fn pairs(&self, node: Node) -> impl Iterator<Item = (Node, Node)> {
        self.children(node).step_by(2).map(|key| (key, self.nodes[key].next as usize))
    }

    /// Returns the value of the first `key` of an object.
    pub fn get(&self, node: Node, key: &str) -> Option<Node> {
        if self.kind(node) != Kind::Object {
            return None;
        }
        self.pairs(node).find(|&(name, _)| self.string(name) == key).map(|(_, value)| value)
    }

    /// Returns the string of a key or [`Kind::Text`]. Unpaired surrogates become U+FFFD.
    pub fn string(&self, node: Node) -> Cow<'t, str> {
        let raw = self.raw(node);
        let inside = &raw[1..raw.len() - 1];
        if inside.contains('\\') { Cow::Owned(unescape(inside)) } else { Cow::Borrowed(inside) }
    }

    /// Returns an integer, or `None` if it has a fraction or does not fit into an `i64`.
    pub fn integer(&self, node: Node) -> Option<i64> {
        let raw = self.raw(node);
        raw.parse().ok().or_else(|| {
            // Some programs write integers as 3.0 or 1e2.
            let number: f64 = raw.parse().ok()?;
            let exact = number.fract() == 0.0 && number.abs() < (1_u64 << 53) as f64;
            exact.then_some(number as i64)
        })
    }

    /// Returns the path from the outermost value to `node`: `items[0].body[3].kind.place`. It is empty for the
    /// outermost value itself.
    pub fn path(&self, node: Node) -> String {
        let mut path = String::new();
        let mut around = 0;
        while around != node {
            let within = |child: Node| (child..self.nodes[child].next as usize).contains(&node);
            match self.kind(around) {
                Kind::List => {
                    let Some((index, child)) = self.children(around).enumerate().find(|&(_, child)| within(child))
                    else {
                        break;
                    };
                    // Writing to a string cannot fail.
                    let _ = write!(path, "[{index}]");
                    around = child;
                }
                _ => {
                    let Some((key, value)) = self.pairs(around).find(|&(key, value)| key == node || within(value))
                    else {
                        break;
                    };
                    let name = self.string(key);
                    let plain = |name: &str| {
                        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && !name.is_empty()
                    };
                    if !plain(&name) {
                        let _ = write!(path, "[{}]", self.raw(key));
                    } else if path.is_empty() {
                        path.push_str(&name);
                    } else {
                        let _ = write!(path, ".{name}");
                    }
                    around = if key == node { node } else { value };
                }
            }
        }
        path
    }

    /// Returns the innermost value that contains the range `start..end` of the text.
    pub fn around(&self, start: usize, end: usize) -> Node {
        let mut found = 0;
        loop {
            let within = |child: &Node| {
                let (from, to) = self.range(*child);
                from <= start && end <= to
            };
            match self.children(found).find(within) {
                Some(child) => found = child,
                None => return found,
            }
        }
    }
}

/// Decodes a string with escapes.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(backslash) = rest.find('\\') {
        out.push_str(&rest[..backslash]);
        let escape = rest.as_bytes().get(backslash + 1).copied().unwrap_or(b'\\');
        rest = rest.get(backslash + 2..).unwrap_or("");
        match escape {
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{c}'),
            b'n' => out.push('\n'),
            b'r' => out.push('\r'),
            b't' => out.push('\t'),
            b'u' => {
                let unit = |text: &str| text.get(..4).and_then(|digits| u16::from_str_radix(digits, 16).ok());
                let mut units = [unit(rest).unwrap_or(0), 0];
                rest = rest.get(4..).unwrap_or("");
                let second = rest.strip_prefix("\\u").and_then(unit).filter(|low| (0xdc00..0xe000).contains(low));
                let mut length = 1;
                if let (0xd800..0xdc00, Some(low)) = (units[0], second) {
                    (units[1], length) = (low, 2);
                    rest = rest.get(6..).unwrap_or("");
                }
                out.extend(
                    char::decode_utf16(units[..length].iter().copied())
                        .map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER)),
                );
            }
            other => out.push(char::from(other)),
        }
    }
    out.push_str(rest);
    out
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    nodes: Vec<Entry>,
    /// The lists and objects around the current position.
    open: Vec<Node>,
    /// The maximum length of `open` so far.
    depth: usize,
}

impl Parser<'_> {
    fn document(&mut self) -> Result<(), SyntaxError> {
        loop {
            self.blanks();
            if self.value()? {
                continue;
            }
            // After a value.
            loop {
                self.blanks();
                let Some(&around) = self.open.last() else {
                    if self.at < self.text.len() {
                        return Err(self.unexpected("the end of the text"));
                    }
                    return Ok(());
                };
                let object = self.nodes[around].kind == Kind::Object;
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        self.blanks();
                        if let Some(b']' | b'}') = self.peek() {
                            return Err(self.error("nothing follows this comma", self.at - 1, self.at));
                        }
                        if object {
                            self.key()?;
                        }
                        break;
                    }
                    Some(b'}') if object => self.close(),
                    Some(b']') if !object => self.close(),
                    _ if object => return Err(self.unexpected("`,` or `}`")),
                    _ => return Err(self.unexpected("`,` or `]`")),
                }
            }
        }
    }

    /// Reads a value, or the beginning of a list or object. Returns true if another value must follow.
    fn value(&mut self) -> Result<bool, SyntaxError> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::List,
            Some(b'"') => {
                self.string()?;
                self.push(Kind::Text, start);
                return Ok(false);
            }
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                self.push(Kind::Number, start);
                return Ok(false);
            }
            _ => {
                for (word, kind) in [("null", Kind::Null), ("true", Kind::True), ("false", Kind::False)] {
                    if self.text[self.at..].starts_with(word) {
                        self.at += word.len();
                        self.push(kind, start);
                        return Ok(false);
                    }
                }
                return Err(self.unexpected("a value"));
            }
        };
        if self.open.len() == MAX_JSON_DEPTH {
            let message = format!("arrays and objects are nested more than {MAX_JSON_DEPTH} deep");
            return Err(SyntaxError { too_deep: true, ..self.error(message, start, start + 1) });
        }
        self.at += 1;
        self.open.push(self.nodes.len());
        self.depth = self.depth.max(self.open.len());
        self.push(kind, start);
        self.blanks();
        match (self.peek(), kind) {
            (Some(b'}'), Kind::Object) | (Some(b']'), Kind::List) => {
                self.close();
                Ok(false)
            }
            (_, Kind::Object) => self.key().map(|()| true),
            _ => Ok(true),
        }
    }

    /// Reads a key and its colon.
    fn key(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a key in double quotes"));
        }
        self.string()?;
        self.push(Kind::Text, start);
        self.blanks();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        self.at += 1;
        loop {
            match bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    let digits = |at: usize| {
                        bytes.get(at..at + 4).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
                    };
                    self.at += match bytes.get(self.at + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') if digits(self.at + 2) => 6,
                        _ => return Err(self.error("invalid escape in a JSON string", self.at, self.at + 1)),
                    };
                }
                Some(0..=0x1f) => {
                    let message = "unescaped control character in a string: write an escape such as \\n";
                    return Err(self.error(message, self.at, self.at + 1));
                }
                Some(_) => self.at += 1,
                None => return Err(self.error("this string has no closing quote", start, start + 1)),
            }
        }
    }

    fn number(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        let digits = |parser: &mut Self| {
            let from = parser.at;
            while parser.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                parser.at += 1;
            }
            parser.at - from
        };
        self.at += usize::from(self.peek() == Some(b'-'));
        let zero = self.peek() == Some(b'0');
        let mut sound = match digits(self) {
            0 => false,
            1 => true,
            _ => !zero,
        };
        if self.peek() == Some(b'.') {
            self.at += 1;
            sound &= digits(self) > 0;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            sound &= digits(self) > 0;
        }
        if sound { Ok(()) } else { Err(self.error("invalid JSON number", start, self.at)) }
    }

    fn push(&mut self, kind: Kind, start: usize) {
        // Offsets and counts fit: the text is shorter than 4 GiB (MAX_SOURCE_BYTES).
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Entry { kind, start: start as u32, end: self.at as u32, next });
    }

    /// Closes the innermost list or object.
    fn close(&mut self) {
        self.at += 1;
        let next = self.nodes.len() as u32;
        if let Some(node) = self.open.pop() {
            self.nodes[node].end = self.at as u32;
            self.nodes[node].next = next;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn error(&self, message: impl Into<String>, start: usize, end: usize) -> SyntaxError {
        SyntaxError { message: message.into(), start, end, help: None, too_deep: false }
    }

    fn unexpected(&self, wanted: &str) -> SyntaxError {
        let rest = &self.text[self.at..];
        let Some(character) = rest.chars().next() else {
            let mut error = self.error(format!("expected {wanted}, found the end of the text"), self.at, self.at);
            if let Some(&around) = self.open.last() {
                // The opening bracket is more helpful than the end of the text.
                let start = self.nodes[around].start as usize;
                (error.start, error.end) = (start, start + 1);
            }
            return error;
        };
        let help = match character {
            '\'' => Some("use double quotes"),
            '/' | '#' => Some("remove the comment: JSON has no comments"),
            _ => None,
        };
        let word = rest.find(|character: char| !character.is_alphanumeric()).unwrap_or(rest.len());
        let length = if word == 0 { character.len_utf8() } else { word };
        let found = &rest[..length];
        let message = match found.chars().count() {
            0..=20 => format!("expected {wanted}, found `{found}`"),
            _ => format!("expected {wanted}"),
        };
        SyntaxError { help, ..self.error(message, self.at, self.at + length) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_places() {
        let text = " {\"a\": [1, {\"b c\": null}], \"d\": \"x\\u00e9\\ud83d\\ude00\\n\"} ";
        let document = Document::parse(text).unwrap();
        let a = document.get(0, "a").unwrap();
        assert_eq!(document.raw(a), "[1, {\"b c\": null}]");
        let inner: Vec<Node> = document.children(a).collect();
        assert_eq!(document.integer(inner[0]), Some(1));
        let null = document.get(inner[1], "b c").unwrap();
        assert_eq!((document.kind(null), document.path(null).as_str()), (Kind::Null, "a[1][\"b c\"]"));
        let d = document.get(0, "d").unwrap();
        assert_eq!((document.string(d).as_ref(), document.path(d).as_str()), ("x\u{e9}\u{1f600}\n", "d"));
        assert_eq!((document.get(0, "e"), document.path(0).as_str()), (None, ""));
        let (start, end) = document.range(null);
        assert_eq!(document.around(start + 1, end), null);
    }

    #[test]
    fn json_errors_have_a_place() {
        let reported = |text: &str| {
            let error = Document::parse(text).unwrap_err();
            (error.message, error.start, error.end)
        };
        let cases: &[(&str, &str, usize, usize)] = &[
            ("", "expected a value, found the end of the text", 0, 0),
            ("{\"a\": 1", "expected `,` or `}`, found the end of the text", 0, 1),
            ("[1, ]", "nothing follows this comma", 3, 4),
            ("{'a': 1}", "expected a key in double quotes, found `'`", 1, 2),
            ("[1 2]", "expected `,` or `]`, found `2`", 3, 4),
            ("{\"a\" 1}", "expected `:`, found `1`", 5, 6),
            ("[nil]", "expected a value, found `nil`", 1, 4),
            ("[01]", "invalid JSON number", 1, 3),
            ("[1.]", "invalid JSON number", 1, 3),
            ("[\"a]", "this string has no closing quote", 1, 2),
            ("[\"\\x\"]", "invalid escape in a JSON string", 2, 3),
            ("1 2", "expected the end of the text, found `2`", 2, 3),
        ];
        for &(text, message, start, end) in cases {
            assert_eq!(reported(text), (message.to_owned(), start, end), "{text}");
        }
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Document::parse(&deep(MAX_JSON_DEPTH)).is_ok());
        assert!(Document::parse(&deep(MAX_JSON_DEPTH + 1)).unwrap_err().too_deep);
        assert!(Document::parse(&"[".repeat(1 << 20)).unwrap_err().too_deep);
    }

    #[test]
    fn numbers_are_whole() {
        let number = |text: &str| Document::parse(text).unwrap().integer(0);
        assert_eq!([number("-3"), number("3.0"), number("1e2"), number("-0")], [Some(-3), Some(3), Some(100), Some(0)]);
        assert_eq!([number("1.5"), number("1e300"), number("99999999999999999999")], [None; 3]);
    }
}
