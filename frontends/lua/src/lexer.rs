//! Tokens of Lua 5.4.

use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::source::{FileId, Span};
use splc_ir::wording::{unseen, visible};

use crate::tree::TextForm;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'s> {
    Name(&'s str),
    Keyword(Keyword),
    Integer(i64),
    Float(f64),
    Text(Vec<u8>, TextForm),
    Sign(&'static str),
    /// Text that is not a token of Lua. A diagnostic was reported.
    Unread,
    End,
}

/// A keyword of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    And,
    Break,
    Do,
    Else,
    Elseif,
    End,
    False,
    For,
    Function,
    Goto,
    If,
    In,
    Local,
    Nil,
    Not,
    Or,
    Repeat,
    Return,
    Then,
    True,
    Until,
    While,
}

/// The keywords with their spelling.
const KEYWORDS: [(&str, Keyword); 22] = [
    ("and", Keyword::And),
    ("break", Keyword::Break),
    ("do", Keyword::Do),
    ("else", Keyword::Else),
    ("elseif", Keyword::Elseif),
    ("end", Keyword::End),
    ("false", Keyword::False),
    ("for", Keyword::For),
    ("function", Keyword::Function),
    ("goto", Keyword::Goto),
    ("if", Keyword::If),
    ("in", Keyword::In),
    ("local", Keyword::Local),
    ("nil", Keyword::Nil),
    ("not", Keyword::Not),
    ("or", Keyword::Or),
    ("repeat", Keyword::Repeat),
    ("return", Keyword::Return),
    ("then", Keyword::Then),
    ("true", Keyword::True),
    ("until", Keyword::Until),
    ("while", Keyword::While),
];

/// Operators and punctuation, longer ones before their prefixes.
const SIGNS: [&str; 33] = [
    "...", "<<", ">>", "//", "==", "~=", "<=", ">=", "::", "..", "+", "-", "*", "/", "%", "^", "#", "&", "~", "|", "<",
    ">", "=", "(", ")", "{", "}", "[", "]", ";", ":", ",", ".",
];

/// Operators of other languages, with their Lua equivalents.
const FOREIGN: [(&str, &str); 13] = [
    ("<>", "~="),
    ("!==", "~="),
    ("!=", "~="),
    ("===", "=="),
    ("&&", "and"),
    ("||", "or"),
    ("+=", ""),
    ("-=", ""),
    ("*=", ""),
    ("/=", ""),
    ("++", ""),
    ("/*", "--[["),
    ("!", "not"),
];

impl Keyword {
    /// Returns the keyword as written.
    pub(super) fn as_str(self) -> &'static str {
        KEYWORDS.iter().find(|&&(_, keyword)| keyword == self).map_or("", |&(text, _)| text)
    }
}

impl Token<'_> {
    /// Returns the token as shown in a message.
    pub(super) fn shown(&self, text: &str) -> String {
        match self {
            Token::End => "the end of the file".to_owned(),
            _ => {
                let first = text.lines().next().unwrap_or("");
                let short: String = first.chars().take(40).collect();
                let dots = if short.len() < text.len() { "…" } else { "" };
                format!("'{}{dots}'", visible(&short))
            }
        }
    }
}

/// The longest rest of a line that is examined for the end of a string in single quotes.
const MAX_NEAR: usize = 400;

/// A lexer, which reads the tokens of a text one by one.
pub(super) struct Lexer<'s> {
    text: &'s str,
    file: FileId,
    at: usize,
    comments: Vec<Span>,
    /// True if the file ended inside a long bracket.
    cut_short: bool,
}

impl<'s> Lexer<'s> {
    pub(super) fn new(text: &'s str, file: FileId) -> Self {
        let mut lexer = Lexer { text, file, at: 0, comments: Vec::new(), cut_short: false };
        // The first line may name an interpreter (`luaL_loadfilex`); the game's reader accepts that too.
        if text.starts_with("#!") {
            lexer.skip_line();
        }
        lexer
    }

    /// Returns true if the file ended inside a long bracket. Anything missing at the end is then not a separate error.
    pub(super) fn is_cut_short(&self) -> bool {
        self.cut_short
    }

    /// Returns the comments read so far.
    pub(super) fn into_comments(self) -> Vec<Span> {
        self.comments
    }

    fn rest(&self) -> &'s [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or(&[])
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn skip_line(&mut self) {
        self.at += memchr::memchr2(b'\n', b'\r', self.rest()).unwrap_or(self.rest().len());
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    /// Returns the next token, its span, and true if it is the first on its line.
    pub(super) fn next(&mut self, diagnostics: &mut Diagnostics) -> (Token<'s>, Span, bool) {
        let mut first = self.at == 0;
        loop {
            match self.byte(0) {
                None => return (Token::End, Span::new(self.file, self.text.len(), self.text.len()), true),
                Some(b'\n' | b'\r') => {
                    first = true;
                    self.at += 1;
                }
                Some(b' ' | b'\t' | 0x0b | 0x0c) => self.at += 1,
                Some(b'-') if self.byte(1) == Some(b'-') => first |= self.comment(diagnostics),
                Some(_) => break,
            }
        }
        let start = self.at;
        let token = self.token(diagnostics);
        (token, self.span(start), first)
    }

    /// Skips a comment. Returns true if it spans several lines.
    fn comment(&mut self, diagnostics: &mut Diagnostics) -> bool {
        let start = self.at;
        self.at += 2;
        let long = self.level_of_bracket();
        if let Some(level) = long {
            self.long_bracket(start, level, "comment", diagnostics);
        } else {
            self.skip_line();
        }
        self.comments.push(self.span(start));
        long.is_some() && self.text.get(start..self.at).is_some_and(|text| text.contains('\n'))
    }

    /// Returns the number of `=` in a long bracket, if one opens here.
    fn level_of_bracket(&self) -> Option<usize> {
        let rest = self.rest().strip_prefix(b"[")?;
        let level = rest.iter().take_while(|&&byte| byte == b'=').count();
        (rest.get(level) == Some(&b'[')).then_some(level)
    }

    /// Reads a long bracket. Returns the range of its content, if it is closed.
    fn long_bracket(
        &mut self,
        start: usize,
        level: usize,
        what: &str,
        diagnostics: &mut Diagnostics,
    ) -> Option<(usize, usize)> {
        let opening = Span::new(self.file, start, self.at + level + 2);
        self.at += level + 2;
        // A line end directly after the opening bracket is skipped.
        match (self.byte(0), self.byte(1)) {
            (Some(b'\r'), Some(b'\n')) | (Some(b'\n'), Some(b'\r')) => self.at += 2,
            (Some(b'\n' | b'\r'), _) => self.at += 1,
            _ => {}
        }
        let content = self.at;
        for bracket in memchr::memchr_iter(b']', self.rest()) {
            let after = self.text.as_bytes().get(content + bracket + 1..).unwrap_or(&[]);
            let equal = after.iter().take(level).take_while(|&&byte| byte == b'=').count();
            if equal == level && after.get(level) == Some(&b']') {
                self.at = content + bracket + level + 2;
                return Some((content, content + bracket));
            }
        }
        self.at = self.text.len();
        let closing = format!("]{}]", "=".repeat(level.min(40)));
        // A line that begins with a single bracket was likely meant as its end.
        let lines = self.text.get(content..).unwrap_or("").match_indices("\n]").map(|(at, _)| content + at + 1);
        let meant = lines.into_iter().next().map(|at| {
            let rest = self.text.get(at..).unwrap_or("");
            Span::new(self.file, at, at + rest.len() - rest.trim_start_matches([']', '=']).len())
        });
        let message = format!("this long {what} is not closed");
        let problem = match meant {
            Some(end) => Diagnostic::new(Code::UnterminatedString, end, format!("this does not close the long {what}"))
                .with_secondary(opening, "it begins here")
                .with_help(format!("write `{closing}`"))
                .with_suggestion(end, closing, true),
            None => Diagnostic::new(Code::UnterminatedString, opening, message)
                .with_label(format!("it runs to the end of the file: there is no `{closing}`"))
                .with_help(format!("close it with `{closing}`")),
        };
        diagnostics.push(problem);
        self.cut_short = true;
        None
    }

    fn token(&mut self, diagnostics: &mut Diagnostics) -> Token<'s> {
        let start = self.at;
        let Some(byte) = self.byte(0) else { return Token::End };
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let length =
                    self.rest().iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                self.at += length;
                let word = self.text.get(start..self.at).unwrap_or("");
                match KEYWORDS.binary_search_by(|&(known, _)| known.cmp(word)) {
                    Ok(at) => Token::Keyword(KEYWORDS[at].1),
                    Err(_) => Token::Name(word),
                }
            }
            b'0'..=b'9' => self.number(diagnostics),
            b'.' if self.byte(1).is_some_and(|byte| byte.is_ascii_digit()) => self.number(diagnostics),
            b'"' | b'\'' => self.quoted(byte, diagnostics),
            b'[' if self.level_of_bracket().is_some() => {
                let level = self.level_of_bracket().unwrap_or(0);
                let Some((from, to)) = self.long_bracket(start, level, "string", diagnostics) else {
                    return Token::Unread;
                };
                let raw = self.text.as_bytes().get(from..to).unwrap_or(&[]);
                if raw.contains(&b'\r') {
                    return Token::Text(line_feeds(raw), TextForm::Escaped);
                }
                Token::Text(raw.to_vec(), TextForm::Plain(from as u32))
            }
            _ => self.sign(diagnostics),
        }
    }

    /// Returns true if selections are made on the line of `at`, near it.
    fn joins_selections(&self, at: usize) -> bool {
        let (before, after) = self.near(at);
        let has = |part: &[u8], word: &[u8]| part.windows(word.len()).any(|at| at == word);
        (has(before, b"selection.") || has(after, b"selection.")) && !has(before, b"if ")
    }

    /// Returns the text of the line before and after `at`, near it.
    fn near(&self, at: usize) -> (&[u8], &[u8]) {
        const NEAR: usize = 200;
        let bytes = self.text.as_bytes();
        let before = bytes.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
        let after = bytes.get(at..bytes.len().min(at + NEAR)).unwrap_or_default();
        let is_end = |byte: &u8| *byte == b'\n';
        (before.rsplit(is_end).next().unwrap_or_default(), after.split(is_end).next().unwrap_or_default())
    }

    /// Returns true for an argument of a call of the game's library, which may be a selection.
    fn is_in_call(&self, at: usize) -> bool {
        let (before, _) = self.near(at);
        let call = before.windows(4).rposition(|part| part == b"des.");
        call.is_some_and(|call| before[call..].contains(&b'(') && !before[call..].contains(&b')'))
    }

    fn sign(&mut self, diagnostics: &mut Diagnostics) -> Token<'s> {
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or("");
        // `a == -b` and `x = - - y` are valid Lua; these operators are not.
        if let Some(&(sign, instead)) = FOREIGN.iter().find(|(sign, _)| rest.starts_with(sign)) {
            self.at += sign.len();
            let span = self.span(start);
            let problem = Diagnostic::new(Code::Lexical, span, format!("Lua has no '{sign}'"));
            let problem = match (sign, instead) {
                ("++", _) => problem.with_help("write x = x + 1"),
                ("&&" | "||", _) if self.joins_selections(start) => {
                    let right = &sign[..1];
                    let help = format!("write `{right}` between selections");
                    problem.with_help(help).with_suggestion(span, right.to_owned(), true)
                }
                ("&&" | "||", _) if self.is_in_call(start) => problem
                    .with_help(format!("write `{}` between selections, or `{instead}` between conditions", &sign[..1])),
                (_, "") => problem.with_help(format!("write x = x {} ...", &sign[..1])),
                _ => problem.with_help(format!("write `{instead}`")).with_suggestion(
                    span,
                    if sign == "!" { "not " } else { instead },
                    sign != "/*",
                ),
            };
            let comment = rest.strip_prefix("/*").and_then(|inner| inner.find("*/").map(|end| &inner[..end]));
            let problem = match comment.filter(|comment| !comment.contains("]]")) {
                Some(comment) => {
                    let end = start + 2 + comment.len();
                    let shown = if comment.contains('\n') { " ... " } else { comment };
                    let mut problem = problem.with_help(format!("write --[[{shown}]]"));
                    problem.suggestions.iter_mut().for_each(|edit| edit.applicable = true);
                    problem.with_suggestion(Span::new(self.file, end, end + 2), "]]", true)
                }
                None => problem,
            };
            diagnostics.push(problem);
            return match sign {
                "<>" | "!==" | "!=" => Token::Sign("~="),
                "===" => Token::Sign("=="),
                "&&" => Token::Keyword(Keyword::And),
                "||" => Token::Keyword(Keyword::Or),
                "!" => Token::Keyword(Keyword::Not),
                "+=" | "-=" | "*=" | "/=" => Token::Sign("="),
                "/*" => {
                    self.at = rest.find("*/").map_or(self.text.len(), |end| start + end + 2);
                    self.token_behind(diagnostics)
                }
                _ => Token::Unread,
            };
        }
        if let Some(&sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            self.at += sign.len();
            return Token::Sign(sign);
        }
        if let Some(text) = self.curly(rest, diagnostics) {
            return text;
        }
        // A run of invalid characters is a single error.
        let odd = |character: char| {
            !character.is_ascii()
                || matches!(character, '!' | '$' | '@' | '`' | '?' | '\\')
                || character.is_control() && !character.is_ascii_whitespace()
        };
        let length: usize = rest.chars().take_while(|&character| odd(character)).map(char::len_utf8).sum();
        self.at += length.max(rest.chars().next().map_or(1, char::len_utf8));
        let span = self.span(start);
        let found = visible(self.text.get(start..self.at).unwrap_or("")).chars().take(20).collect::<String>();
        if let Some(name) = rest.chars().next().and_then(unseen) {
            let problem = Diagnostic::new(Code::Lexical, span, format!("there is {name}")).with_help("delete it");
            let is_all_unseen = rest[..self.at - start].chars().all(|character| unseen(character).is_some());
            diagnostics.push(if is_all_unseen { problem.with_suggestion(span, "", true) } else { problem });
            return Token::Unread;
        }
        let mut problem = Diagnostic::new(Code::Lexical, span, format!("'{found}' is not valid in Lua"));
        problem = match found.chars().next() {
            Some('“' | '”' | '„' | '‘' | '’') => problem.with_help("use straight quotes: \"...\""),
            Some('?') => problem.with_help("write `condition and this or that` to choose a value"),
            Some('$') => problem.with_help("remove the `$`: a Lua variable has no prefix"),
            Some('`') => problem.with_help("use straight quotes: \"...\""),
            _ => problem.with_help("remove it, or put it in quotes if it belongs to a string"),
        };
        diagnostics.push(problem);
        Token::Unread
    }

    /// Reads a string in typographic quotes.
    fn curly(&mut self, rest: &str, diagnostics: &mut Diagnostics) -> Option<Token<'s>> {
        let mut characters = rest.chars();
        if !matches!(characters.next(), Some('“' | '”' | '„' | '‘' | '’')) {
            return None;
        }
        // The strings of a level are not longer than this.
        let near = rest.get(..splc_ir::source::floor(rest, 1000)).unwrap_or(rest);
        let line = near.lines().next().unwrap_or("");
        let open = line.chars().next().map_or(0, char::len_utf8);
        let inner = line.get(open..)?;
        let length = inner.find(['“', '”', '‘', '’', '"', '\''])?;
        let close = inner.get(length..)?.chars().next().map_or(0, char::len_utf8);
        let (start, value) = (self.at, inner.get(..length)?.to_owned());
        self.at += open + length + close;
        let span = self.span(start);
        let quoted = format!("\"{value}\"");
        let applicable = !value.contains('\\');
        let problem = Diagnostic::new(Code::Lexical, span, "typographic quotes are not valid in Lua")
            .with_label("expected straight quotes")
            .with_help(format!("write {quoted}"))
            .with_suggestion(span, quoted, applicable);
        diagnostics.push(problem);
        Some(Token::Text(value.into_bytes(), TextForm::Escaped))
    }

    /// Returns the token after the skipped text.
    fn token_behind(&mut self, diagnostics: &mut Diagnostics) -> Token<'s> {
        while self.byte(0).is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        if self.rest().starts_with(b"/*") { Token::Unread } else { self.token(diagnostics) }
    }

    /// Reads a number like Lua's `read_numeral`: every character that could belong to one.
    fn number(&mut self, diagnostics: &mut Diagnostics) -> Token<'s> {
        let start = self.at;
        let hexadecimal = self.byte(0) == Some(b'0') && matches!(self.byte(1), Some(b'x' | b'X'));
        if hexadecimal {
            self.at += 2;
        }
        while let Some(byte) = self.byte(0) {
            let exponent = if hexadecimal { matches!(byte, b'p' | b'P') } else { matches!(byte, b'e' | b'E') };
            if exponent && matches!(self.byte(1), Some(b'+' | b'-')) {
                self.at += 2;
            } else if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') {
                // Like Lua, read `1..2` as one malformed number.
                self.at += 1;
            } else {
                break;
            }
        }
        let text = self.text.get(start..self.at).unwrap_or("");
        if let Some(token) = numeral(text, hexadecimal) {
            return token;
        }
        let span = self.span(start);
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let dice = text.split_once('d').filter(|(count, sides)| digits(count) && digits(sides));
        let dice = dice.map(|(count, sides)| format!("d({count},{sides})"));
        let help = match &dice {
            Some(dice) => format!("write {dice} for dice"),
            None if text.contains("..") => {
                "write a comma between two limits, as in `1, 3`, or a space between the number and `..`".to_owned()
            }
            None => "start a name with a letter, and put a string in quotes".to_owned(),
        };
        let text: String = text.chars().take(40).collect();
        let problem = Diagnostic::new(Code::Lexical, span, format!("'{text}' is not a number")).with_help(help);
        diagnostics.push(match dice {
            Some(dice) => problem.with_suggestion(span, dice, true),
            None => problem,
        });
        Token::Unread
    }

    fn quoted(&mut self, quote: u8, diagnostics: &mut Diagnostics) -> Token<'s> {
        let start = self.at;
        self.at += 1;
        let content = self.at;
        let mut value = Vec::new();
        let mut escaped = false;
        loop {
            let plain = memchr::memchr3(quote, b'\\', b'\n', self.rest()).unwrap_or(self.rest().len());
            let carriage = memchr::memchr(b'\r', &self.rest()[..plain]);
            let plain = carriage.unwrap_or(plain);
            value.extend_from_slice(&self.rest()[..plain]);
            self.at += plain;
            match self.byte(0) {
                Some(byte) if byte == quote => {
                    self.at += 1;
                    if let Some(end) = self.apostrophe(quote) {
                        value.push(quote);
                        value.extend_from_slice(&self.text.as_bytes()[self.at..end - 1]);
                        self.at = end;
                        let right = format!("\"{}\"", self.text.get(content..end - 1).unwrap_or(""));
                        let span = self.span(start);
                        let certain = !right[1..right.len() - 1].contains(['"', '\\']);
                        diagnostics.push(
                            Diagnostic::new(Code::UnterminatedString, span, "the ' inside this string ends it")
                                .with_help(format!("write {right}"))
                                .with_suggestion(span, right, certain),
                        );
                    }
                    break;
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape(&mut value, diagnostics);
                }
                _ => {
                    self.unterminated(start, quote, diagnostics);
                    return Token::Unread;
                }
            }
        }
        Token::Text(value, if escaped { TextForm::Escaped } else { TextForm::Plain(content as u32) })
    }

    /// Returns the end of a string in single quotes that an apostrophe ended too early: `'You're here'`. In such a
    /// line, the number of quotes is odd.
    fn apostrophe(&self, quote: u8) -> Option<usize> {
        let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
        let rest = self.rest();
        let before = self.text.as_bytes().get(self.at.checked_sub(2)?);
        if quote != b'\'' || !letter(rest.first()) || !letter(before) {
            return None;
        }
        let near = &rest[..rest.len().min(MAX_NEAR)];
        let line = &near[..memchr::memchr2(b'\n', b'\r', near).unwrap_or(near.len())];
        let is_other = line.contains(&b'"')
            || line.contains(&b'\\')
            || [b"--", b"[["].iter().any(|sign| line.windows(2).any(|pair| pair == *sign));
        let quotes = memchr::memchr_iter(b'\'', line);
        if is_other || line.len() == MAX_NEAR || quotes.clone().count().is_multiple_of(2) {
            return None;
        }
        // The next one ends the string, unless it is an apostrophe too.
        quotes.into_iter().find(|at| !letter(line.get(at + 1))).map(|at| self.at + at + 1)
    }

    /// Reports a string that does not end on its line, and continues where it likely should have ended.
    fn unterminated(&mut self, start: usize, quote: u8, diagnostics: &mut Diagnostics) {
        let line = self.text.get(start..self.at).unwrap_or("").trim_end();
        if line.len() == 1 {
            // The text begins on the next line.
            let rest = self.text.get(self.at..).unwrap_or("");
            let ends = [rest.find("]]").map(|at| at + 2), rest.find(char::from(quote)).map(|at| at + 1)];
            // A quote that is not alone on its line belongs to another string.
            let is_closing = |end: &usize| {
                let line = rest[..*end].rsplit('\n').next().unwrap_or("").len();
                let line = rest[end - line..].lines().next().unwrap_or("");
                rest[..*end].ends_with("]]") || !line.matches(char::from(quote)).count().is_multiple_of(2)
            };
            let end = ends.into_iter().flatten().min();
            if end.is_some_and(|end| !is_closing(&end)) {
                self.at = start + 1;
                let span = self.span(start);
                let is_surplus = self.text[..start].trim_end().ends_with(')');
                let problem =
                    Diagnostic::new(Code::UnterminatedString, span, "this quote opens a string without an end");
                diagnostics.push(match is_surplus {
                    true => problem.with_help("remove it").with_suggestion(span, "", true),
                    false => problem.with_help("write the text and a closing quote after it, on the same line"),
                });
                return;
            }
            if let Some(end) = end {
                self.at += end;
                let span = Span::new(self.file, start, start + 1);
                diagnostics.push(
                    Diagnostic::new(Code::UnterminatedString, span, "a string in quotes must end on its line")
                        .with_help("write a text of several lines as [[...]]"),
                );
                return;
            }
        }
        // `"\"`: the backslash escapes the quote that was meant to close it.
        let escaping = line.match_indices('\\').map(|(at, _)| at).find(|&at| {
            // Only the last of several backslashes is before a quote.
            let Some(after) = line[at + 1..].strip_prefix(char::from(quote)) else { return false };
            let is_escaped = line[..at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
            let ends = after.is_empty()
                || after.trim_start().starts_with([',', ';', ')', '}', ']'])
                || after.starts_with(" ..");
            !is_escaped && ends
        });
        if let Some(at) = escaping {
            let end = start + at + 2;
            self.at = end;
            let right = format!("{}\\\\{}", &line[..at], char::from(quote));
            let sign = Span::new(self.file, end - 2, end - 1);
            let message = "the backslash escapes the quote, so the string does not end";
            diagnostics.push(
                Diagnostic::new(Code::UnterminatedString, Span::new(self.file, start, end), message)
                    .with_help(format!("write {right}"))
                    .with_suggestion(sign, "\\\\", true),
            );
            return;
        }
        // `"pit'`: the other quote was meant to close it.
        let other = if quote == b'"' { '\'' } else { '"' };
        if let Some((text, rest)) = line[1..].split_once(other)
            && !rest.contains(other)
            && (rest.is_empty() || rest.trim_start().starts_with([',', ';', ')', '}', ']']) || rest.starts_with(" .."))
        {
            let end = start + 1 + text.len() + 1;
            self.at = end;
            let (quote, closing) = (char::from(quote), Span::new(self.file, end - 1, end));
            let message = format!("a string that begins with {quote} must end with {quote}");
            let problem = Diagnostic::new(Code::UnterminatedString, Span::new(self.file, start, end), message)
                .with_help(format!("write {quote}{text}{quote}"))
                .with_suggestion(closing, quote.to_string(), true);
            diagnostics.push(problem);
            return;
        }
        // Closing brackets and separators are probably not part of the string, unless it opens them.
        let mut open = 0_usize;
        let mut end = line.trim_end_matches([')', '}', ',', ';', ' ']).len();
        for (at, sign) in line.bytes().enumerate() {
            match sign {
                b'(' | b'{' => open += 1,
                b')' | b'}' if open > 0 => (open, end) = (open - 1, end.max(at + 1)),
                _ => {}
            }
        }
        let end = (start + end).max(start + 1);
        self.at = end;
        let quote = char::from(quote);
        let span = Span::new(self.file, start, end);
        let problem = Diagnostic::new(Code::UnterminatedString, span, "this string is not closed on its line")
            .with_label(format!("the closing {quote} is missing"))
            .with_help(format!("close it with {quote}, or write a multi-line string as [[...]]"))
            .with_suggestion(Span::new(self.file, end, end), quote.to_string(), false);
        diagnostics.push(problem);
    }

    fn escape(&mut self, value: &mut Vec<u8>, diagnostics: &mut Diagnostics) {
        let start = self.at;
        self.at += 1;
        let Some(byte) = self.byte(0) else { return };
        self.at += 1;
        let simple = match byte {
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'\\' | b'"' | b'\'' => byte,
            b'\n' | b'\r' => {
                if matches!((byte, self.byte(0)), (b'\n', Some(b'\r')) | (b'\r', Some(b'\n'))) {
                    self.at += 1;
                }
                b'\n'
            }
            b'z' => {
                self.at += self.rest().iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0x0b).count();
                return;
            }
            b'x' => {
                let digits = self.rest().iter().take(2).take_while(|byte| byte.is_ascii_hexdigit()).count();
                let text = self.text.get(self.at..self.at + digits).unwrap_or("");
                let number = u8::from_str_radix(text, 16).ok().filter(|_| digits == 2);
                self.at += digits;
                match number {
                    Some(number) => number,
                    None => return self.bad_escape(start, "write two hexadecimal digits after \\x", diagnostics),
                }
            }
            b'0'..=b'9' => {
                let more = self.rest().iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
                let number = self.text.get(start + 1..self.at + more).unwrap_or("").parse::<u16>().unwrap_or(u16::MAX);
                self.at += more;
                match u8::try_from(number) {
                    Ok(number) => number,
                    Err(_) => return self.bad_escape(start, "write a number up to \\255", diagnostics),
                }
            }
            b'u' => {
                let rest = self.text.get(self.at..).unwrap_or("");
                let digits = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(digits, _)| digits);
                let number =
                    digits.filter(|digits| digits.len() <= 8).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let number = number.filter(|&number| number < 1 << 31);
                let Some((digits, number)) = digits.zip(number) else {
                    return self.bad_escape(start, "write a hexadecimal number in braces: \\u{2014}", diagnostics);
                };
                self.at += digits.len() + 2;
                push_utf8(value, number);
                return;
            }
            _ => {
                self.at = splc_ir::source::floor(self.text, self.at);
                while !self.text.is_char_boundary(self.at) {
                    self.at += 1;
                }
                return self.bad_escape(start, "write \\\\ for a backslash", diagnostics);
            }
        };
        value.push(simple);
    }

    fn bad_escape(&mut self, start: usize, help: &'static str, diagnostics: &mut Diagnostics) {
        let start = splc_ir::source::floor(self.text, start);
        let mut end = self.at.max(start + 1);
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        self.at = end;
        let found = visible(self.text.get(start..end).unwrap_or("")).into_owned();
        let problem = Diagnostic::new(Code::Lexical, self.span(start), format!("invalid escape '{found}'"));
        diagnostics.push(problem.with_help(help));
    }
}

/// Returns `text` with each line end as a line feed, as Lua reads long brackets.
fn line_feeds(text: &[u8]) -> Vec<u8> {
    let mut value = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if matches!(byte, b'\r' | b'\n') {
            let other = if byte == b'\r' { b'\n' } else { b'\r' };
            at += usize::from(text.get(at) == Some(&other));
            value.push(b'\n');
        } else {
            value.push(byte);
        }
    }
    value
}

/// Appends the UTF-8 encoding of `number`, in the old form of up to six bytes (Lua 5.4, `luaO_utf8esc`).
fn push_utf8(value: &mut Vec<u8>, number: u32) {
    if number < 0x80 {
        return value.push(number as u8);
    }
    let mut rest = number;
    let mut tail = Vec::new();
    let mut first = 0x3f;
    while rest > first {
        tail.push(0x80 | (rest & 0x3f) as u8);
        rest >>= 6;
        first >>= 1;
    }
    value.push((!first << 1) as u8 | rest as u8);
    value.extend(tail.iter().rev());
}

/// Converts a numeral (Lua 5.4, `luaO_str2num`). Integers that do not fit become floats; hexadecimal ones wrap.
fn numeral<'s>(text: &str, hexadecimal: bool) -> Option<Token<'s>> {
    if hexadecimal {
        let digits = &text[2..];
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let wrapped = digits.bytes().fold(0_u64, |sum, byte| {
                sum.wrapping_mul(16).wrapping_add(u64::from(char::from(byte).to_digit(16).unwrap_or(0)))
            });
            return Some(Token::Integer(wrapped as i64));
        }
        return hexadecimal_float(digits).map(Token::Float);
    }
    if text.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(number) = text.parse()
    {
        return Some(Token::Integer(number));
    }
    // Rust also accepts words such as "inf", but they do not begin with a digit. Neither accepts "_".
    let form = |text: &str| {
        let (mantissa, exponent) =
            text.split_once(['e', 'E']).map_or((text, None), |(left, right)| (left, Some(right)));
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let exponent = exponent.map(|text| text.strip_prefix(['+', '-']).unwrap_or(text));
        digits(whole)
            && digits(part)
            && whole.len() + part.len() > 0
            && exponent.is_none_or(|text| !text.is_empty() && digits(text))
    };
    if form(text) { text.parse().ok().map(Token::Float) } else { None }
}

/// Converts a hexadecimal number with a fraction or a binary exponent.
fn hexadecimal_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['p', 'P']).map_or((text, None), |(left, right)| (left, Some(right)));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.len() + part.len() == 0 || !whole.bytes().chain(part.bytes()).all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let digits = whole.bytes().chain(part.bytes());
    let value = digits.fold(0.0, |sum, byte| sum * 16.0 + f64::from(char::from(byte).to_digit(16).unwrap_or(0)));
    let exponent: i32 = match exponent {
        Some(text) if text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-')) => {
            text.parse::<i32>().ok()?.clamp(-10_000, 10_000)
        }
        Some(_) => return None,
        None => 0,
    };
    let fraction = i32::try_from(part.len()).unwrap_or(i32::MAX / 8).min(i32::MAX / 8) * 4;
    Some(value * 2_f64.powi(exponent.saturating_sub(fraction)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> (Vec<Token<'_>>, Vec<String>) {
        let (mut lexer, mut diagnostics) = (Lexer::new(text, FileId(0)), Diagnostics::new());
        let mut found = Vec::new();
        loop {
            match lexer.next(&mut diagnostics).0 {
                Token::End => break,
                token => found.push(token),
            }
        }
        (found, diagnostics.iter().map(|problem| problem.message.to_string()).collect())
    }

    #[test]
    fn keywords_are_sorted() {
        assert!(KEYWORDS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(SIGNS.iter().enumerate().all(|(at, sign)| SIGNS[..at].iter().all(|before| !sign.starts_with(before))));
    }

    #[test]
    fn numbers_are_those_of_lua() {
        let number = |text: &'static str| tokens(text).0.remove(0);
        assert_eq!(number("007"), Token::Integer(7));
        assert_eq!(number("0xA"), Token::Integer(10));
        assert_eq!(number("0xffffffffffffffff"), Token::Integer(-1));
        assert_eq!(number("9223372036854775808"), Token::Float(9223372036854775808.0));
        assert_eq!(number("3."), Token::Float(3.0));
        assert_eq!(number(".5e1"), Token::Float(5.0));
        assert_eq!(number("0x.8p1"), Token::Float(1.0));
        assert_eq!(tokens("3x").1, ["'3x' is not a number"]);
        assert_eq!(tokens("1..2").1, ["'1..2' is not a number"]);
    }

    #[test]
    fn texts_are_those_of_lua() {
        let text = |text: &'static str| match tokens(text).0.remove(0) {
            Token::Text(value, _) => String::from_utf8_lossy(&value).into_owned(),
            other => format!("{other:?}"),
        };
        assert_eq!(text(r#""a\n\65\x42\u{2014}\z   c""#), "a\nAB\u{2014}c");
        assert_eq!(text("[[\r\na\r\nb]]"), "a\nb");
        assert_eq!(text("[==[]]]==]"), "]]");
        assert_eq!(tokens("\"a").1, ["this string is not closed on its line"]);
        assert_eq!(tokens("[[a").1, ["this long string is not closed"]);
        assert_eq!(tokens(r#""\q""#).1, ["invalid escape '\\q'"]);
    }
}
