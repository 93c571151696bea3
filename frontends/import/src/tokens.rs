//! Tokens of C, as needed for a game's tables: identifiers, numbers, strings, characters, punctuation.

use std::collections::HashSet;
use std::rc::Rc;

/// A token with its position.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// Its text. For a string or character, its value.
    pub text: Rc<str>,
    /// The number of its file in the [tree](super::Tree).
    pub file: u16,
    /// Its line, from 1.
    pub line: u32,
    /// True if blanks precede it: `#define F (x)` is not `#define F(x)`.
    pub spaced: bool,
    /// The macros that it was expanded from, which are not expanded in it again.
    pub hidden: Option<Rc<Hidden>>,
}

/// A list of macros that are not expanded again.
#[derive(Debug)]
pub struct Hidden {
    name: Rc<str>,
    next: Option<Rc<Hidden>>,
    /// The length of the list.
    pub length: usize,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Identifier,
    /// A number.
    Number,
    /// A string, without its quotes.
    String,
    /// A character, without its quotes.
    Character,
    /// Anything else.
    Punctuation,
}

impl Token {
    /// Returns true if it is this punctuation.
    pub fn is(&self, text: &str) -> bool {
        self.kind == Kind::Punctuation && &*self.text == text
    }

    /// Returns true if it is this name.
    pub fn names(&self, text: &str) -> bool {
        self.kind == Kind::Identifier && &*self.text == text
    }

    /// Returns true if it was expanded from the macro `name`.
    pub fn hides(&self, name: &str) -> bool {
        let mut next = self.hidden.as_ref();
        while let Some(hidden) = next {
            if &*hidden.name == name {
                return true;
            }
            next = hidden.next.as_ref();
        }
        false
    }
}

/// Returns `hidden` with `name` added.
pub fn hide(hidden: Option<&Rc<Hidden>>, name: &Rc<str>) -> Option<Rc<Hidden>> {
    let length = hidden.map_or(0, |hidden| hidden.length) + 1;
    Some(Rc::new(Hidden { name: name.clone(), next: hidden.cloned(), length }))
}

/// Returns the common elements of two lists.
pub fn both(one: Option<&Rc<Hidden>>, other: Option<&Rc<Hidden>>) -> Option<Rc<Hidden>> {
    match (one, other) {
        (Some(one), Some(other)) if Rc::ptr_eq(one, other) => Some(one.clone()),
        (Some(one), Some(_)) => {
            let rest = both(one.next.as_ref(), other);
            let mut next = other;
            while let Some(hidden) = next {
                if hidden.name == one.name {
                    // Reuse the list if no element is missing.
                    return if rest.as_ref().map(Rc::as_ptr) == one.next.as_ref().map(Rc::as_ptr) {
                        Some(one.clone())
                    } else {
                        hide(rest.as_ref(), &one.name)
                    };
                }
                next = hidden.next.as_ref();
            }
            rest
        }
        _ => None,
    }
}

/// A set of interned strings.
#[derive(Debug, Default)]
pub struct Names(HashSet<Rc<str>>);

impl Names {
    /// Returns the interned string.
    pub fn keep(&mut self, text: &str) -> Rc<str> {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let kept: Rc<str> = text.into();
        self.0.insert(kept.clone());
        kept
    }
}

/// Returns the lines of a file as C's preprocessor sees them: joined if they end in a backslash, and without comments.
/// Each comes with the number of its first line.
pub fn logical_lines(text: &str) -> Vec<(u32, String)> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let (mut number, mut first) = (1, 1);
    let mut bytes = text.chars().filter(|&c| c != '\r').peekable();
    // The open quote.
    let mut quote: Option<char> = None;
    while let Some(c) = bytes.next() {
        match (c, quote) {
            ('\\', _) if bytes.peek() == Some(&'\n') => {
                bytes.next();
                number += 1;
            }
            ('\n', _) => {
                number += 1;
                quote = None;
                lines.push((first, std::mem::take(&mut line)));
                first = number;
            }
            ('\\', Some(_)) => {
                line.push(c);
                line.extend(bytes.next());
            }
            (_, Some(open)) => {
                line.push(c);
                if c == open {
                    quote = None;
                }
            }
            ('"' | '\'', None) => {
                line.push(c);
                quote = Some(c);
            }
            ('/', None) if bytes.peek() == Some(&'*') => {
                bytes.next();
                line.push(' ');
                let mut before = ' ';
                for c in bytes.by_ref() {
                    if c == '\n' {
                        number += 1;
                    }
                    if before == '*' && c == '/' {
                        break;
                    }
                    before = c;
                }
            }
            ('/', None) if bytes.peek() == Some(&'/') => {
                // Lines are joined first, so a backslash at the end of a line continues the comment on the next line.
                let mut before = ' ';
                while let Some(&c) = bytes.peek() {
                    if c == '\n' && before != '\\' {
                        break;
                    }
                    number += u32::from(c == '\n');
                    before = c;
                    bytes.next();
                }
            }
            _ => line.push(c),
        }
    }
    if !line.is_empty() {
        lines.push((first, line));
    }
    lines
}

const LONG: &[&str] = &[
    "<<=", ">>=", "...", "##", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "++", "--", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=",
];

/// Returns the tokens of a line.
pub fn tokens(line: &str, file: u16, number: u32, names: &mut Names) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = line;
    let mut spaced = false;
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_whitespace() {
            rest = &rest[1..];
            spaced = true;
            continue;
        }
        let word = |part: fn(char) -> bool| rest.find(|c| !part(c)).unwrap_or(rest.len());
        let (kind, text, length) = if c.is_ascii_alphabetic() || c == '_' || c == '$' {
            let length = word(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
            (Kind::Identifier, names.keep(&rest[..length]), length)
        } else if c.is_ascii_digit() {
            let length = word(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
            (Kind::Number, names.keep(&rest[..length]), length)
        } else if c == '"' || c == '\'' {
            let (text, length) = quoted(rest, c);
            let kind = if c == '"' { Kind::String } else { Kind::Character };
            (kind, names.keep(&text), length)
        } else {
            let long = LONG.iter().find(|long| rest.starts_with(**long));
            let length = long.map_or(c.len_utf8(), |long| long.len());
            (Kind::Punctuation, names.keep(&rest[..length]), length)
        };
        tokens.push(Token { kind, text, file, line: number, spaced, hidden: None });
        rest = &rest[length..];
        spaced = false;
    }
    tokens
}

/// Returns the value of the string or character at the beginning of `text`, and its length in bytes.
fn quoted(text: &str, quote: char) -> (String, usize) {
    let mut value = String::new();
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = characters.next() {
        if c == quote {
            return (value, at + 1);
        }
        if c != '\\' {
            value.push(c);
            continue;
        }
        let Some((_, escaped)) = characters.next() else { break };
        value.push(match escaped {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'v' => '\x0b',
            'x' => {
                let mut number = 0;
                while let Some(digit) = characters.peek().and_then(|(_, c)| c.to_digit(16)) {
                    number = (number * 16 + digit) & 0xff;
                    characters.next();
                }
                char::from(number as u8)
            }
            '0'..='7' => {
                let mut number = escaped as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(digit) = characters.peek().and_then(|(_, c)| c.to_digit(8)) else { break };
                    number = number * 8 + digit;
                    characters.next();
                }
                char::from(number as u8)
            }
            other => other,
        });
    }
    (value, text.len())
}
