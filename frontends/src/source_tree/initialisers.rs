//! Initialisers of C: what stands between the braces of a table.

use super::limits::MAX_NESTING;
use super::tokens::{Kind, Token};

/// An element of an initialiser.
#[derive(Clone, Debug)]
pub enum Element<'a> {
    /// An expression.
    Value(&'a [Token]),
    /// Something in braces.
    List(Vec<Element<'a>>),
}

impl<'a> Element<'a> {
    /// The expression.
    pub fn value(&self) -> Option<&'a [Token]> {
        match self {
            Element::Value(tokens) => Some(tokens),
            Element::List(elements) => match elements.as_slice() {
                [only] => only.value(),
                _ => None,
            },
        }
    }

    /// The elements of what is in braces.
    pub fn list(&self) -> Option<&[Element<'a>]> {
        match self {
            Element::Value(_) => None,
            Element::List(elements) => Some(elements),
        }
    }

    /// The text of a string, or of several behind one another; nothing for anything else.
    pub fn text(&self) -> Option<String> {
        let tokens = self.value()?;
        let tokens = match tokens {
            [open, inner @ .., close] if open.is("(") && close.is(")") => inner,
            _ => tokens,
        };
        let mut text = String::new();
        for token in tokens {
            if token.kind != Kind::String {
                return None;
            }
            text.push_str(&token.text);
        }
        (!tokens.is_empty()).then_some(text)
    }
}

/// The initialiser of the array `name`, and where it begins.
pub fn array<'a>(tokens: &'a [Token], name: &str) -> Option<(Vec<Element<'a>>, &'a Token)> {
    let mut at = 0;
    while let Some(found) = tokens.get(at..)?.iter().position(|token| token.names(name)) {
        let start = at + found;
        at = start + 1;
        // Brackets, then `=` and a brace.
        let mut next = at;
        let mut is_array = false;
        while tokens.get(next).is_some_and(|token| token.is("[")) {
            is_array = true;
            while tokens.get(next).is_some_and(|token| !token.is("]")) {
                next += 1;
            }
            next += 1;
        }
        let opens = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
        if is_array && opens(next, "=") && opens(next + 1, "{") {
            let mut end = next + 2;
            let elements = list(tokens, &mut end, 0)?;
            return Some((elements, &tokens[start]));
        }
    }
    None
}

/// The elements up to the brace that closes; `at` is behind the one that opens.
fn list<'a>(tokens: &'a [Token], at: &mut usize, depth: usize) -> Option<Vec<Element<'a>>> {
    if depth > MAX_NESTING {
        return None;
    }
    let mut elements = Vec::new();
    loop {
        let token = tokens.get(*at)?;
        if token.is("}") {
            *at += 1;
            return Some(elements);
        }
        if token.is(",") {
            *at += 1;
            continue;
        }
        if token.is("{") {
            *at += 1;
            elements.push(Element::List(list(tokens, at, depth + 1)?));
            continue;
        }
        let start = *at;
        let mut open = 0_usize;
        while let Some(token) = tokens.get(*at) {
            if token.is("(") {
                open += 1;
            } else if token.is(")") {
                open = open.saturating_sub(1);
            } else if open == 0 && (token.is(",") || token.is("}")) {
                break;
            }
            *at += 1;
        }
        let mut value = &tokens[start..*at];
        // A designator says what stands there anyway.
        if value.first().is_some_and(|token| token.is("[") || token.is("."))
            && let Some(equals) = value.iter().position(|token| token.is("="))
        {
            value = &value[equals + 1..];
        }
        elements.push(Element::Value(value));
    }
}

/// The names of the fields of `struct name`, in order, if it is declared.
pub fn fields(tokens: &[Token], name: &str) -> Option<Vec<String>> {
    let starts = tokens.windows(3).position(
        |window| matches!(window, [word, called, open] if word.names("struct") && called.names(name) && open.is("{")),
    )?;
    let mut fields = Vec::new();
    let mut at = starts + 3;
    let mut depth = 0;
    let mut last: Option<&Token> = None;
    let mut in_brackets = false;
    let mut in_bits = false;
    while let Some(token) = tokens.get(at) {
        at += 1;
        if token.is("{") {
            depth += 1;
        } else if token.is("}") {
            if depth == 0 {
                return Some(fields);
            }
            depth -= 1;
        } else if depth == 0 {
            match &*token.text {
                "[" => in_brackets = true,
                "]" => in_brackets = false,
                ":" if token.kind == Kind::Punctuation => in_bits = true,
                "," | ";" if token.kind == Kind::Punctuation => {
                    in_bits = false;
                    fields.extend(last.take().map(|name| name.text.to_string()));
                }
                _ if token.kind == Kind::Identifier && !in_brackets && !in_bits => last = Some(token),
                _ => {}
            }
        }
    }
    None
}
