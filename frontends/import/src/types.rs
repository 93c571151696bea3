//! Sizes of C types: the result of `sizeof` for the structures declared in a tree's headers, on a machine of some ABI.
//!
//! The version header of level files contains such sizes (`util/makedefs.c`, `make_version`). Declarations are read
//! from preprocessed tokens. A declaration that is not understood has no size, and neither has any type that uses it.

use std::collections::HashMap;
use std::rc::Rc;

use splc_ir::abi::{Abi, INT, SHORT};

use crate::evaluate::{Constants, Unknown, evaluate_with};
use crate::limits::MAX_NESTING;
use crate::tokens::{Kind, Token};

/// The size and alignment of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    bytes: u64,
    alignment: u64,
}

/// The types declared in a sequence of tokens.
pub struct Types<'a> {
    abi: &'static Abi,
    constants: &'a Constants,
    /// Structures, unions and enumerations, by keyword and tag.
    tagged: HashMap<(Rc<str>, Rc<str>), Size>,
    named: HashMap<Rc<str>, Size>,
}

/// Types of system headers, which are not in a tree: unsigned numbers of this many bytes, 0 for a `long`.
const SYSTEM: &[(&str, usize)] = &[
    ("size_t", 0),
    ("time_t", 0),
    ("off_t", 0),
    ("ssize_t", 0),
    ("pid_t", 4),
    ("uid_t", 4),
    ("gid_t", 4),
    ("mode_t", 4),
    ("int8_t", 1),
    ("uint8_t", 1),
    ("int16_t", 2),
    ("uint16_t", 2),
    ("int32_t", 4),
    ("uint32_t", 4),
    ("int64_t", 8),
    ("uint64_t", 8),
    ("bool", 1),
    ("_Bool", 1),
];

/// Words that do not affect sizes.
const QUALIFIERS: &[&str] = &[
    "const",
    "volatile",
    "static",
    "extern",
    "register",
    "inline",
    "signed",
    "typedef",
    "auto",
    "restrict",
    "NEARDATA",
    "__inline",
    "__inline__",
];

impl<'a> Types<'a> {
    /// Reads the types that `tokens` declare, for a machine of `abi`.
    pub fn read(tokens: &[Token], constants: &'a Constants, abi: &'static Abi) -> Self {
        let mut types = Types { abi, constants, tagged: HashMap::new(), named: HashMap::new() };
        for &(name, bytes) in SYSTEM {
            let size = types.number(if bytes == 0 { abi.long } else { bytes });
            types.named.insert(name.into(), size);
        }
        let mut at = 0;
        while at < tokens.len() {
            let start = at;
            let is_typedef = tokens[at].names("typedef");
            let declares = is_typedef || ["struct", "union", "enum"].iter().any(|word| tokens[at].names(word));
            if declares {
                let size = types.specifiers(tokens, &mut at, 0);
                if is_typedef {
                    types.typedef(tokens, &mut at, size);
                }
            }
            // Skip to the end of the declaration or function.
            let mut depth = 0_usize;
            while let Some(token) = tokens.get(at) {
                at += 1;
                if token.is("{") || token.is("(") {
                    depth += 1;
                } else if token.is("}") || token.is(")") {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && token.is("}") {
                        break;
                    }
                } else if token.is(";") && depth == 0 {
                    break;
                }
            }
            at = at.max(start + 1);
        }
        types
    }

    /// Returns the size of the type in `tokens`, the operand of `sizeof`.
    pub fn size_of(&self, tokens: &[Token]) -> Option<i64> {
        if tokens.iter().any(|token| token.is("*")) {
            return Some(self.abi.pointer as i64);
        }
        let size = match tokens {
            [word, tag] if tag.kind == Kind::Identifier => {
                self.tagged.get(&(word.text.clone(), tag.text.clone())).copied().or_else(|| self.plain(tokens))
            }
            _ => self.plain(tokens),
        }?;
        i64::try_from(size.bytes).ok()
    }

    fn number(&self, bytes: usize) -> Size {
        Size { bytes: bytes as u64, alignment: bytes.min(self.abi.alignment) as u64 }
    }

    /// Returns the size of a type without braces.
    fn plain(&self, words: &[Token]) -> Option<Size> {
        let count = |name: &str| words.iter().filter(|word| word.names(name)).count();
        if let Some(named) = words.iter().find_map(|word| self.named.get(&word.text)) {
            return Some(*named);
        }
        Some(self.number(match () {
            () if count("double") > 0 => 8,
            () if count("float") > 0 => 4,
            () if count("char") > 0 => 1,
            () if count("short") > 0 => SHORT,
            () if count("long") > 1 => 8,
            () if count("long") > 0 => self.abi.long,
            () if count("int") > 0 || count("unsigned") > 0 || count("signed") > 0 => INT,
            () if count("void") > 0 => 1,
            () => return None,
        }))
    }

    /// Reads the type before a declarator, including the braces of its declaration.
    fn specifiers(&mut self, tokens: &[Token], at: &mut usize, depth: usize) -> Option<Size> {
        let start = *at;
        let mut known: Option<Option<Size>> = None;
        let mut has_word = false;
        while let Some(token) = tokens.get(*at).filter(|token| token.kind == Kind::Identifier) {
            let word = &*token.text;
            if matches!(word, "struct" | "union" | "enum") {
                *at += 1;
                known = Some(self.tag(tokens, at, &token.text, depth));
            } else if QUALIFIERS.contains(&word) {
                *at += 1;
            } else if matches!(word, "unsigned" | "long" | "short" | "int" | "char" | "float" | "double" | "void") {
                has_word = true;
                *at += 1;
            } else if !has_word && known.is_none() {
                // The name of a type. The next name is that of a field.
                has_word = true;
                *at += 1;
            } else {
                break;
            }
        }
        known.unwrap_or_else(|| self.plain(&tokens[start..*at]))
    }

    /// Reads `struct tag { ... }`, after the keyword.
    fn tag(&mut self, tokens: &[Token], at: &mut usize, word: &Rc<str>, depth: usize) -> Option<Size> {
        let tag = tokens.get(*at).filter(|token| token.kind == Kind::Identifier).map(|token| token.text.clone());
        *at += usize::from(tag.is_some());
        let key = tag.map(|tag| (word.clone(), tag));
        if !tokens.get(*at).is_some_and(|token| token.is("{")) {
            let known = key.and_then(|key| self.tagged.get(&key).copied());
            return if &**word == "enum" { Some(self.number(INT)) } else { known };
        }
        *at += 1;
        let size = match &**word {
            "enum" => {
                while tokens.get(*at).is_some_and(|token| !token.is("}")) {
                    *at += 1;
                }
                Some(self.number(INT))
            }
            word => self.members(tokens, at, word == "union", depth + 1),
        };
        // The closing brace.
        *at += 1;
        if let (Some(key), Some(size)) = (key, size) {
            self.tagged.insert(key, size);
        }
        size
    }

    /// Reads the members up to the closing brace.
    fn members(&mut self, tokens: &[Token], at: &mut usize, is_union: bool, depth: usize) -> Option<Size> {
        let mut layout = Members { bits: 0, widest: 0, alignment: 1, is_union };
        let mut is_known = depth <= MAX_NESTING;
        while let Some(token) = tokens.get(*at) {
            if token.is("}") {
                break;
            }
            if token.is(";") || depth > MAX_NESTING {
                *at += 1;
                continue;
            }
            let start = *at;
            let size = self.specifiers(tokens, at, depth);
            // An anonymous structure has no declarator.
            if tokens.get(*at).is_some_and(|token| token.is(";")) {
                match size {
                    Some(size) => layout.add(size),
                    None => is_known = false,
                }
            }
            while tokens.get(*at).is_some_and(|token| !token.is(";") && !token.is("}")) {
                match self.declarator(tokens, at, size) {
                    Some(Declared::Field(size)) => layout.add(size),
                    Some(Declared::Bits(size, bits)) => layout.add_bits(size, bits),
                    None => is_known = false,
                }
                if tokens.get(*at).is_some_and(|token| token.is(",")) {
                    *at += 1;
                } else if tokens.get(*at).is_some_and(|token| !token.is(";") && !token.is("}")) {
                    is_known = false;
                    *at += 1;
                }
            }
            *at = (*at).max(start + usize::from(*at == start));
        }
        is_known.then(|| layout.size())
    }

    /// Reads a declarator, which modifies the type before it, up to a comma or semicolon.
    fn declarator(&self, tokens: &[Token], at: &mut usize, size: Option<Size>) -> Option<Declared> {
        let mut pointer = false;
        let mut count = 1_u64;
        let mut bits = None;
        let mut is_known = true;
        while let Some(token) = tokens.get(*at) {
            if token.is(",") || token.is(";") || token.is("}") {
                break;
            }
            *at += 1;
            if token.is("*") {
                pointer = true;
            } else if token.is("(") {
                // A pointer to a function, or its parameters.
                let mut depth = 1;
                while let Some(token) = tokens.get(*at).filter(|_| depth > 0) {
                    pointer |= token.is("*") && depth == 1;
                    depth += usize::from(token.is("("));
                    depth -= usize::from(token.is(")"));
                    *at += 1;
                }
            } else if token.is("[") {
                let length = tokens[*at..].iter().position(|token| token.is("]")).unwrap_or(0);
                match self.value(&tokens[*at..*at + length]).and_then(|value| u64::try_from(value).ok()) {
                    Some(value) => count = count.saturating_mul(value),
                    None => is_known = false,
                }
                *at += length + 1;
            } else if token.is(":") {
                let ends = |token: &Token| token.is(",") || token.is(";") || token.is("}");
                let length = tokens[*at..].iter().position(ends).unwrap_or(0);
                bits = self.value(&tokens[*at..*at + length]).and_then(|value| u64::try_from(value).ok());
                is_known &= bits.is_some();
                *at += length;
            }
        }
        let size = if pointer { Some(self.number(self.abi.pointer)) } else { size };
        let size = size.filter(|_| is_known)?;
        Some(match bits {
            Some(bits) => Declared::Bits(size, bits),
            None => Declared::Field(Size { bytes: size.bytes.saturating_mul(count), alignment: size.alignment }),
        })
    }

    fn value(&self, tokens: &[Token]) -> Option<i64> {
        evaluate_with(tokens, self.constants, Unknown::Fails, &|tokens| self.size_of(tokens))
    }

    /// Reads `typedef TYPE a, *b;`, after the type.
    fn typedef(&mut self, tokens: &[Token], at: &mut usize, size: Option<Size>) {
        while tokens.get(*at).is_some_and(|token| !token.is(";")) {
            let start = *at;
            let declared = self.declarator(tokens, at, size);
            // The first name is that of the type; parameters of functions follow it.
            let name = tokens[start..*at].iter().find(|token| token.kind == Kind::Identifier);
            // If there is none, the specifiers have consumed it.
            let name = name.or_else(|| tokens[..start].last().filter(|token| token.kind == Kind::Identifier));
            if let (Some(Declared::Field(size)), Some(name)) = (declared, name) {
                self.named.insert(name.text.clone(), size);
            }
            *at += usize::from(tokens.get(*at).is_some_and(|token| token.is(",")));
            if *at == start {
                break;
            }
        }
    }
}

enum Declared {
    Field(Size),
    Bits(Size, u64),
}

/// The layout of the members of a structure or union.
struct Members {
    bits: u64,
    widest: u64,
    alignment: u64,
    is_union: bool,
}

impl Members {
    fn add(&mut self, size: Size) {
        let alignment = size.alignment.max(1);
        self.alignment = self.alignment.max(alignment);
        self.bits = self.bits.next_multiple_of(alignment * 8).saturating_add(size.bytes.saturating_mul(8));
        self.close();
    }

    /// Adds a bit field in an integer of this size. It does not cross a multiple of that size.
    fn add_bits(&mut self, size: Size, bits: u64) {
        let unit = size.bytes.max(1) * 8;
        self.alignment = self.alignment.max(size.alignment.max(1));
        if bits == 0 || self.bits % unit + bits > unit {
            self.bits = self.bits.next_multiple_of(unit);
        }
        self.bits = self.bits.saturating_add(bits);
        self.close();
    }

    fn close(&mut self) {
        self.widest = self.widest.max(self.bits);
        if self.is_union {
            self.bits = 0;
        }
    }

    fn size(&self) -> Size {
        Size { bytes: self.widest.div_ceil(8).next_multiple_of(self.alignment), alignment: self.alignment }
    }
}
