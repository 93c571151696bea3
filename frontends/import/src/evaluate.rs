//! Constant expressions of C.

use std::collections::HashMap;
use std::rc::Rc;

use crate::limits::MAX_NESTING;
use crate::tokens::{Kind, Token};

/// The values of names.
pub type Constants = HashMap<Rc<str>, i64>;

/// The treatment of undefined identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The expression has no value.
    Fails,
    /// Their value is 0, as in `#if`.
    IsZero,
}

/// Returns the size in bytes of a type, for `sizeof` with the tokens in its parentheses.
pub type SizeOf<'a> = &'a dyn Fn(&[Token]) -> Option<i64>;

/// Returns the value of the expression that consists of `tokens`, if it has one.
pub fn evaluate(tokens: &[Token], constants: &Constants, unknown: Unknown) -> Option<i64> {
    evaluate_with(tokens, constants, unknown, &|_| None)
}

/// Evaluates like [`evaluate`], with `sizeof`.
pub fn evaluate_with(tokens: &[Token], constants: &Constants, unknown: Unknown, size_of: SizeOf<'_>) -> Option<i64> {
    let mut reader = Reader { tokens, at: 0, constants, unknown, size_of, depth: 0 };
    let value = reader.ternary()?;
    (reader.at == tokens.len()).then_some(value)
}

pub fn constants_of(tokens: &[Token]) -> Constants {
    let mut constants = Constants::new();
    enumerations(tokens, &mut constants);
    constants
}

/// Adds the constants of the enumerations in `tokens`.
fn enumerations(tokens: &[Token], constants: &mut Constants) {
    let mut at = 0;
    while at < tokens.len() {
        let open = match &tokens[at..] {
            [word, open, ..] if word.names("enum") && open.is("{") => at + 2,
            [word, name, open, ..] if word.names("enum") && name.kind == Kind::Identifier && open.is("{") => at + 3,
            _ => {
                at += 1;
                continue;
            }
        };
        at = open;
        let mut next = Some(0);
        while let Some(name) = tokens.get(at).filter(|token| token.kind == Kind::Identifier) {
            at += 1;
            if tokens.get(at).is_some_and(|token| token.is("=")) {
                let length = tokens[at + 1..].iter().position(|token| token.is(",") || token.is("}")).unwrap_or(0);
                next = evaluate(&tokens[at + 1..at + 1 + length], constants, Unknown::Fails);
                at += 1 + length;
            }
            if let Some(value) = next {
                constants.insert(name.text.clone(), value);
                next = value.checked_add(1);
            }
            if tokens.get(at).is_some_and(|token| token.is(",")) {
                at += 1;
            }
        }
    }
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    constants: &'a Constants,
    unknown: Unknown,
    size_of: SizeOf<'a>,
    depth: usize,
}

const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

const TYPE_WORDS: &[&str] = &[
    "char",
    "short",
    "int",
    "long",
    "unsigned",
    "signed",
    "const",
    "void",
    "float",
    "double",
    "struct",
    "xchar",
    "schar",
    "uchar",
    "boolean",
    "aligntyp",
    "size_t",
    "coordxy",
    "genericptr_t",
];

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.is(text));
        self.at += usize::from(found);
        found
    }

    fn ternary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return None;
        }
        let condition = self.binary(0)?;
        let value = if self.take("?") {
            let then = self.ternary()?;
            if !self.take(":") {
                return None;
            }
            let otherwise = self.ternary()?;
            if condition != 0 { then } else { otherwise }
        } else {
            condition
        };
        self.depth -= 1;
        Some(value)
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.peek().filter(|token| operators.iter().any(|operator| token.is(operator))) {
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = match &*operator.text {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<<" => left.checked_shl(u32::try_from(right).ok()?)?,
                ">>" => left.checked_shr(u32::try_from(right).ok()?)?,
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                "/" => left.checked_div(right)?,
                _ => left.checked_rem(right)?,
            };
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<i64> {
        let token = self.peek()?;
        self.at += 1;
        match token.kind {
            Kind::Number => number(&token.text),
            Kind::Character => token.text.chars().next().map(|c| i64::from(c as u32 as u8 as i8)),
            Kind::String => None,
            Kind::Identifier if &*token.text == "sizeof" => {
                let inner = self.bracketed()?;
                (self.size_of)(inner)
            }
            Kind::Identifier => match self.constants.get(&token.text) {
                Some(value) => Some(*value),
                None if self.unknown == Unknown::IsZero => {
                    // The apparent call of an undefined macro.
                    if self.peek().is_some_and(|token| token.is("(")) {
                        self.bracketed()?;
                    }
                    Some(0)
                }
                None => None,
            },
            Kind::Punctuation => self.sign(&token.text),
        }
    }

    fn sign(&mut self, sign: &str) -> Option<i64> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return None;
        }
        let value = match sign {
            "-" => self.unary()?.wrapping_neg(),
            "+" => self.unary()?,
            "!" => i64::from(self.unary()? == 0),
            "~" => !self.unary()?,
            "(" => {
                if let Some(cast) = self.cast() {
                    let value = self.unary()?;
                    cast.of(value)
                } else {
                    let value = self.ternary()?;
                    if !self.take(")") {
                        return None;
                    }
                    value
                }
            }
            _ => return None,
        };
        self.depth -= 1;
        Some(value)
    }

    /// Returns the tokens between the next bracket and its closing bracket.
    fn bracketed(&mut self) -> Option<&'a [Token]> {
        if !self.take("(") {
            return None;
        }
        let start = self.at;
        let mut depth = 1;
        while let Some(token) = self.peek() {
            self.at += 1;
            if token.is("(") {
                depth += 1;
            } else if token.is(")") {
                depth -= 1;
                if depth == 0 {
                    return Some(&self.tokens[start..self.at - 1]);
                }
            }
        }
        None
    }

    /// Reads a cast whose opening bracket was read, if it is one.
    fn cast(&mut self) -> Option<Cast> {
        let rest = &self.tokens[self.at..];
        let length = rest.iter().position(|token| token.is(")"))?;
        let words = &rest[..length];
        let is_type = |token: &Token| {
            token.kind == Kind::Identifier
                && (TYPE_WORDS.contains(&&*token.text)
                    || !self.constants.contains_key(&token.text) && token.text.ends_with("_t"))
        };
        if !words.first().is_some_and(is_type) {
            return None;
        }
        self.at += length + 1;
        let has = |text: &str| words.iter().any(|token| token.names(text));
        let pointer = words.iter().any(|token| token.is("*"));
        Some(match () {
            () if pointer => Cast::None,
            () if has("uchar") || has("unsigned") && has("char") => Cast::Unsigned(8),
            () if has("char") || has("schar") || has("xchar") || has("aligntyp") => Cast::Signed(8),
            () if has("short") && has("unsigned") => Cast::Unsigned(16),
            () if has("short") => Cast::Signed(16),
            () if has("long") => Cast::None,
            () if has("unsigned") => Cast::Unsigned(32),
            () if has("int") => Cast::Signed(32),
            () => Cast::None,
        })
    }
}

/// The effect of a cast on a number.
#[derive(Clone, Copy)]
enum Cast {
    None,
    Signed(u32),
    Unsigned(u32),
}

impl Cast {
    fn of(self, value: i64) -> i64 {
        match self {
            Cast::None => value,
            Cast::Signed(bits) => value << (64 - bits) >> (64 - bits),
            Cast::Unsigned(bits) => value & ((1 << bits) - 1),
        }
    }
}

fn number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        u64::from_str_radix(hex, 16).ok()?
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(digits, 8).ok()?
    } else {
        digits.parse().ok()?
    };
    Some(value as i64)
}
