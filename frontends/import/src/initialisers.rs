//! Initialisers of C: the content of a table's braces.

use crate::limits::MAX_NESTING;
use crate::tokens::{Kind, Token};

/// An element of an initialiser.
#[derive(Clone, Debug)]
pub enum Element<'a> {
    /// An expression.
    Value(&'a [Token]),
    /// A list in braces.
    List(Vec<Element<'a>>),
}

impl<'a> Element<'a> {
    /// Returns the expression, if it is one.
    pub fn value(&self) -> Option<&'a [Token]> {
        match self {
            Element::Value(tokens) => Some(tokens),
            Element::List(elements) => match elements.as_slice() {
                [only] => only.value(),
                _ => None,
            },
        }
    }

    /// Returns the elements of a list in braces.
    pub fn list(&self) -> Option<&[Element<'a>]> {
        match self {
            Element::Value(_) => None,
            Element::List(elements) => Some(elements),
        }
    }

    /// Returns the text of one or more adjacent string literals, or `None` for anything else.
    pub fn text(&self) -> Option<String> {
        let mut tokens = self.value()?;
        while let [open, inner @ .., close] = tokens
            && open.is("(")
            && close.is(")")
        {
            tokens = inner;
        }
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

/// Returns the initialiser of the array `name`, and its first token.
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

/// Returns the initialiser of the first array of `struct name`, whatever the array's name, and its first token.
pub fn array_of<'a>(tokens: &'a [Token], name: &str) -> Option<(Vec<Element<'a>>, &'a Token)> {
    let found = tokens.windows(4).find(|window| {
        window[0].names("struct")
            && window[1].names(name)
            && window[2].kind == Kind::Identifier
            && window[3].is("[")
            && array(tokens, &window[2].text).is_some()
    })?;
    array(tokens, &found[2].text)
}

/// Reads the elements up to the closing brace. `at` is after the opening one.
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
        // Designators follow the order of the fields, so they can be skipped.
        if value.first().is_some_and(|token| token.is("[") || token.is("."))
            && let Some(equals) = value.iter().position(|token| token.is("="))
        {
            value = &value[equals + 1..];
        }
        elements.push(Element::Value(value));
    }
}

/// Returns the names of the fields of `struct name`, in order, if it is declared.
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

/// Returns the fields of `typedef struct { ... } name` with their types in level files, if it is declared. A field of a
/// nested structure is prefixed with the name of that structure.
pub fn typed_fields(tokens: &[Token], name: &str) -> Option<Vec<(String, &'static str)>> {
    let end = tokens.windows(3).enumerate().find(|(at, window)| {
        window[0].is("}") && window[1].names(name) && window[2].is(";") && declares(tokens, *at, "struct").is_some()
    });
    let (end, _) = end?;
    let start = declares(tokens, end, "struct")?;
    let mut fields = Vec::new();
    let unions = unions(tokens);
    members(&tokens[start + 1..end], "", &mut fields, &unions, 0)?;
    Some(fields)
}

/// Returns the names of union types: `typedef union { ... } name;`.
fn unions(tokens: &[Token]) -> Vec<&str> {
    let ends = tokens
        .windows(3)
        .enumerate()
        .filter(|(_, window)| window[0].is("}") && window[1].kind == Kind::Identifier && window[2].is(";"));
    ends.filter(|(at, _)| declares(tokens, *at, "union").is_some()).map(|(_, window)| &*window[1].text).collect()
}

/// Returns the opening brace of the closing one at `end`, if it begins a `what`: a structure or union.
fn declares(tokens: &[Token], end: usize, what: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (0..=end).rev().take(4096) {
        if tokens[at].is("}") {
            depth += 1;
        } else if tokens[at].is("{") {
            depth -= 1;
            if depth == 0 {
                return tokens[..at].iter().rev().take(2).any(|token| token.names(what)).then_some(at);
            }
        }
    }
    None
}

/// Returns the kind of field for a type in C.
fn kind(words: &[Token], unions: &[&str]) -> &'static str {
    let has = |name: &str| words.iter().any(|word| word.names(name));
    match () {
        () if has("union") || unions.iter().any(|name| has(name)) => "text",
        () if has("long") => "long",
        () if has("short") => "short",
        () if has("int") || has("unsigned") && !has("char") => "int",
        () => "char",
    }
}

fn members(
    tokens: &[Token],
    prefix: &str,
    fields: &mut Vec<(String, &'static str)>,
    unions: &[&str],
    depth: usize,
) -> Option<()> {
    if depth > MAX_NESTING {
        return None;
    }
    let mut rest = tokens;
    while !rest.is_empty() {
        let mut open = 0_usize;
        let end = rest.iter().position(|token| {
            open += usize::from(token.is("{"));
            open -= usize::from(token.is("}")).min(open);
            open == 0 && token.is(";")
        })?;
        let member = &rest[..end];
        rest = &rest[end + 1..];
        let brace = member.iter().position(|token| token.is("{"));
        let close = member.iter().rposition(|token| token.is("}"));
        if let (Some(brace), Some(close)) = (brace, close) {
            for called in member[close + 1..].iter().filter(|token| token.kind == Kind::Identifier) {
                let called = &called.text;
                if member.first().is_some_and(|token| token.names("union")) {
                    fields.push((format!("{prefix}{called}"), "text"));
                } else {
                    members(&member[brace + 1..close], &format!("{prefix}{called}."), fields, unions, depth + 1)?;
                }
            }
            continue;
        }
        // The names come last, with commas between them.
        let mut parts = member.split(|token| token.is(","));
        let first = parts.next()?;
        let kind = kind(first, unions);
        for part in std::iter::once(first).chain(parts) {
            let name = part.iter().rev().find(|token| token.kind == Kind::Identifier)?;
            fields.push((format!("{prefix}{}", name.text), kind));
        }
    }
    Some(())
}
