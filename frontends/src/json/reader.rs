//! Conversion of JSON values to the types of [`level`](splc_ir::level), with serde. Each type's form is defined by the
//! type alone.
//!
//! The types request the values they need and never see an error. An error is reported at its position and replaced by
//! a harmless value, so that all errors are found at once. The result for a document with errors is discarded.
//!
//! Programs that write levels may use shorter forms than a dump. A span may be omitted and is then the position in the
//! JSON text. A node with a span (`{"node": ..., "span": ...}`, `{"kind": ..., "span": ...}`) may be written as just
//! its content, and so may `{"is": ...}`. Optional values and lists may be omitted.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;

use serde::Deserialize;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, EnumAccess, SeqAccess, VariantAccess, Visitor};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean};
use splc_ir::level::tag_of;
use splc_ir::limits::{MAX_DIAGNOSTICS, MAX_INCLUDE_DEPTH, MAX_NESTING};
use splc_ir::source::{Charset, FileId, Span};

use super::document::{Document, Kind, Node};

/// The state shared by all values of a document.
pub(super) struct Reader<'de> {
    pub document: &'de Document<'de>,
    /// The JSON text in the sources.
    pub file: FileId,
    /// The lengths of the files that spans of the document may refer to.
    pub lengths: Vec<u32>,
    /// The character set that strings must fit.
    pub charset: Charset,
    diagnostics: RefCell<&'de mut Diagnostics>,
    mistakes: Cell<usize>,
    /// The current nesting of each group of [`NESTING`].
    nested: [Cell<usize>; NESTING.len()],
}

/// Types that can contain themselves, with their maximum nesting: that of a des-file with [`MAX_NESTING`] nested
/// brackets and blocks, each with a condition. This limits the recursion of every walk over a level.
const NESTING: [(&[&str], usize); 3] = [
    (&["Statement"], 2 * MAX_NESTING + 4),
    (&["Expr", "Selection"], 4 * MAX_NESTING),
    (&["Item"], MAX_INCLUDE_DEPTH + 1),
];

/// Fields that documents may omit in addition to spans, lists and optional values. They were added later, and zero, an
/// empty string or the first variant is the earlier behaviour, as their `serde(default)` says.
const LATER: &[(&str, &[&str])] = &[
    ("Dungeon", &["lua"]),
    ("Branch", &["entry"]),
    ("InLua", &["filling", "theme_rooms", "unconnected"]),
    ("message", &["to"]),
];

impl<'de> Reader<'de> {
    pub fn new(document: &'de Document<'de>, file: FileId, diagnostics: &'de mut Diagnostics) -> Self {
        Reader {
            document,
            file,
            lengths: Vec::new(),
            charset: Charset::Utf8,
            diagnostics: RefCell::new(diagnostics),
            mistakes: Cell::new(0),
            nested: Default::default(),
        }
    }

    /// Reads the value at `node` as a `T`. Errors are reported, and the result is then arbitrary.
    pub fn read<T: Deserialize<'de>>(&self, node: Node) -> Option<T> {
        let value = T::deserialize(At { reader: self, value: Value::Node(node) });
        value.map_err(|Unfit(message)| self.report(Code::JsonValue, node, message, None)).ok()
    }

    /// Returns the number of errors found.
    pub fn mistakes(&self) -> usize {
        self.mistakes.get()
    }

    /// Returns the span of `node` in the JSON text.
    pub fn span(&self, node: Node) -> Span {
        let (start, end) = self.document.range(node);
        Span::new(self.file, start, end)
    }

    /// Reports an error at `node`.
    pub fn report(&self, code: Code, node: Node, message: impl Into<Cow<'static, str>>, help: Option<String>) {
        self.mistakes.set(self.mistakes.get() + 1);
        let mut diagnostic = Diagnostic::new(code, self.span(node), message);
        if !self.is_flooded() {
            let path = self.document.path(node);
            if !path.is_empty() {
                diagnostic = diagnostic.with_note(super::path_note(&path));
            }
            diagnostic.help = help;
        }
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    /// Returns true if further errors would not be shown.
    fn is_flooded(&self) -> bool {
        self.mistakes.get() > MAX_DIAGNOSTICS
    }

    /// Reports that `name` is not one of `known`, with `message`.
    fn report_unknown(&self, code: Code, node: Node, message: String, name: &str, known: &[&str]) {
        let help = if self.is_flooded() {
            None
        } else {
            did_you_mean(name, known.iter().copied()).or_else(|| match known.len() {
                0 | 17.. => None,
                // The message itself lists a small set of words.
                ..=8 if code != Code::JsonKey => None,
                _ => Some(format!("write one of {}", known.join(", "))),
            })
        };
        self.report(code, node, message, help);
    }

    fn describe(&self, node: Node) -> &'static str {
        match self.document.kind(node) {
            Kind::Null => "null",
            Kind::True => "true",
            Kind::False => "false",
            Kind::Number if self.document.integer(node).is_none() => "a number with a fraction or too many digits",
            Kind::Number => "a number",
            Kind::Text => "a string",
            Kind::List => "an array",
            Kind::Object => "an object",
        }
    }
}

/// A value to read: one of the document, or a substitute.
#[derive(Clone, Copy)]
enum Value {
    /// A value as written.
    Node(Node),
    /// An object without the keys that name the variant: its other keys.
    Beside(Node, [&'static str; 2]),
    /// A value omitted from the object or list at `of`.
    LeftOut { of: Node, key: &'static str },
    /// The span in the JSON text of each value of a list.
    PlacesOf(Node),
    /// Zero, an empty string, a first variant: an error was reported, or the value may be omitted.
    Anything(Node),
}

/// A value, as a deserializer.
#[derive(Clone, Copy)]
struct At<'r, 'de> {
    reader: &'r Reader<'de>,
    value: Value,
}

/// An error of a type itself, about a value that it rejects. Other errors are reported without ending the conversion.
#[derive(Debug)]
pub(super) struct Unfit(String);

impl fmt::Display for Unfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Unfit {}

impl de::Error for Unfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Unfit(message.to_string())
    }
}

/// Variants that only splc itself creates, mainly for source that it could not read.
pub(super) const INTERNAL: &[(&str, &[&str])] = &[
    ("StatementKind", &["error"]),
    ("ExprKind", &["error"]),
    ("SelectionKind", &["error"]),
    ("ValueType", &["null", "variable"]),
];

/// Returns the variants of the type `name` that a document may use.
fn nameable(name: &str, variants: &'static [&'static str]) -> Cow<'static, [&'static str]> {
    match INTERNAL.iter().find(|(internal, _)| *internal == name) {
        Some((_, hidden)) => variants.iter().copied().filter(|variant| !hidden.contains(variant)).collect(),
        None => Cow::Borrowed(variants),
    }
}

/// Returns a noun phrase for a value of the type `name`: `DoorState` is `a door state`.
fn called(name: &str) -> String {
    let mut words = String::new();
    let name = match name {
        "ExprKind" | "Expr" => "Expression",
        "OrRandom" => "Word",
        "Spanned" => "Value",
        "MapRows" => "ListOfRows",
        "RegionSpec" => "Region",
        "AlignmentSpec" => "Alignment",
        name => name.strip_suffix("Kind").unwrap_or(name),
    };
    for character in name.chars() {
        if character.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(character.to_ascii_lowercase());
    }
    let article = if words.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {words}")
}

impl<'r, 'de> At<'r, 'de> {
    fn at(self, value: Value) -> Self {
        At { value, ..self }
    }

    /// Returns the node of the value, or the nearest one.
    fn node(self) -> Node {
        match self.value {
            Value::Node(node)
            | Value::Beside(node, _)
            | Value::LeftOut { of: node, .. }
            | Value::PlacesOf(node)
            | Value::Anything(node) => node,
        }
    }

    /// Returns the node, if the value is written and of this kind.
    fn of_kind(self, kind: Kind) -> Option<Node> {
        match self.value {
            Value::Node(node) if self.reader.document.kind(node) == kind => Some(node),
            _ => None,
        }
    }

    fn report(self, code: Code, message: String) {
        self.reader.report(code, self.node(), message, None);
    }

    /// Reports that `what` was expected, unless an error was reported already. Returns an arbitrary value.
    fn expected(self, what: &str) -> Self {
        match self.value {
            Value::Anything(_) => {}
            Value::LeftOut { of, key } if self.reader.document.kind(of) == Kind::Object => {
                self.report(Code::JsonKey, format!("`{key}` is missing"));
            }
            Value::LeftOut { key, .. } => {
                self.report(Code::JsonKey, format!("`{key}` needs {what}: {{\"{key}\": ...}}"))
            }
            Value::Node(node) | Value::Beside(node, _) | Value::PlacesOf(node) => {
                self.report(Code::JsonValue, format!("expected {what}, found {}", self.reader.describe(node)));
            }
        }
        self.at(Value::Anything(self.node()))
    }

    /// Calls `read` for a value of the type `name`, or reports that it is nested too deeply.
    fn nested<T>(self, name: &str, read: impl FnOnce(Self) -> T) -> T {
        let Some(kind) = NESTING.iter().position(|(names, _)| names.contains(&name)) else { return read(self) };
        let (count, most) = (&self.reader.nested[kind], NESTING[kind].1);
        count.set(count.get() + 1);
        let mut at = self;
        if count.get() > most && !matches!(self.value, Value::Anything(_)) {
            self.report(Code::Nesting, format!("nested more than {most} deep"));
            at = self.at(Value::Anything(self.node()));
        }
        let value = read(at);
        count.set(count.get() - 1);
        value
    }

    /// Reads an integer from `low` to `high`. Returns 0 after an error.
    fn integer(self, low: i64, high: i64) -> i64 {
        let number = self.of_kind(Kind::Number).and_then(|node| self.reader.document.integer(node));
        match number {
            Some(number) if (low..=high).contains(&number) => number,
            Some(number) => {
                self.report(Code::JsonValue, format!("{number} is not in the range {low} to {high}"));
                0
            }
            None => {
                self.expected("a whole number");
                0
            }
        }
    }

    /// Reads a string that fits the character set. Returns an empty string after an error.
    fn text(self, what: &str) -> Cow<'de, str> {
        let Some(node) = self.of_kind(Kind::Text) else {
            self.expected(what);
            return Cow::Borrowed("");
        };
        let text = self.reader.document.string(node);
        for character in text.chars() {
            if character == '\0' {
                self.report(Code::JsonValue, "a string cannot contain a NUL character".to_owned());
                break;
            }
            if self.reader.charset == Charset::Latin1 && u32::from(character) > 0xff {
                let message = format!("'{character}' is not in latin1, the charset of the document");
                self.report(Code::JsonValue, message);
                break;
            }
        }
        text
    }

    /// Reads a span: `[file, start, end]`, or `null` for nowhere. If omitted, it is the position in the JSON text.
    fn span(self) -> Span {
        let reader = self.reader;
        let here = reader.span(self.node());
        if let Value::LeftOut { key: "parent_span" | "contained_span", .. } = self.value {
            // These spans are optional.
            return Span::NOWHERE;
        }
        if let Value::LeftOut { .. } | Value::Anything(_) | Value::PlacesOf(_) | Value::Beside(..) = self.value {
            return here;
        }
        if self.of_kind(Kind::Null).is_some() {
            return Span::NOWHERE;
        }
        let numbers: Option<Vec<Option<u32>>> = self.of_kind(Kind::List).map(|list| {
            let number = |node| reader.document.integer(node).and_then(|number| u32::try_from(number).ok());
            reader.document.children(list).take(4).map(number).collect()
        });
        let Some([Some(file), Some(start), Some(end)]) = numbers.as_deref() else {
            self.expected("a place: [file, start, end], or null");
            return here;
        };
        match reader.lengths.get(*file as usize) {
            None => {
                let message =
                    format!("this place is in file {file}, but the length of `files` is {}", reader.lengths.len());
                reader.report(
                    Code::JsonValue,
                    self.node(),
                    message,
                    Some("correct it, or leave out the places".to_owned()),
                );
            }
            Some(length) if start > end || end > length => {
                self.report(Code::JsonValue, format!("{start} to {end} is not a range in a file of {length} bytes"));
            }
            Some(_) => {}
        }
        Span { file: FileId(*file), start: *start, end: *end }
    }

    /// Returns true if the value is written as just its content, without its span.
    fn is_bare(self, name: &str, fields: &[&str]) -> bool {
        let document = self.reader.document;
        match (self.value, fields) {
            (Value::Node(node), ["node", "span"]) => document.get(node, "node").is_none(),
            (Value::Node(node), ["kind", "span"]) => match tag_of(&format!("{name}Kind")) {
                Some(tag) => document.get(node, tag).is_some(),
                // `{"span": ...}` alone lacks its kind.
                None => document.get(node, "kind").is_none() && document.get(node, "span").is_none(),
            },
            _ => false,
        }
    }

    /// Returns the value of each of `fields` of an object.
    fn fields(self, name: &str, fields: &'static [&'static str]) -> Vec<Value> {
        let document = self.reader.document;
        let (node, tags) = match self.value {
            Value::Node(node) if document.kind(node) == Kind::Object => (node, [""; 2]),
            Value::Beside(node, tags) => (node, tags),
            _ => {
                let at = self.expected(&if name.is_empty() { "an object".to_owned() } else { called(name) });
                return vec![at.value; fields.len()];
            }
        };
        let mut values: Vec<Value> = fields.iter().map(|&key| Value::LeftOut { of: node, key }).collect();
        let mut seen_tags = [false; 2];
        for (key, value) in document.pairs(node) {
            let text = document.string(key);
            let twice = if let Some(tag) = tags.iter().position(|tag| !tag.is_empty() && *tag == text) {
                std::mem::replace(&mut seen_tags[tag], true)
            } else if let Some(field) = fields.iter().position(|field| *field == text) {
                let twice = !matches!(values[field], Value::LeftOut { .. });
                values[field] = Value::Node(value);
                twice
            } else {
                let what = if name.is_empty() { "this object".to_owned() } else { called(name) };
                let message = format!("`{text}` is not a key of {what}");
                self.reader.report_unknown(Code::JsonKey, key, message, &text, fields);
                false
            };
            if twice {
                self.reader.report(Code::JsonKey, key, format!("duplicate key `{text}`"), None);
            }
        }
        if name == "MapRows" {
            self.places_of_rows(fields, &mut values);
        }
        let later = LATER.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, later)| later);
        for (field, value) in fields.iter().zip(&mut values) {
            if later.contains(field) && matches!(value, Value::LeftOut { .. }) {
                *value = Value::Anything(node);
            }
        }
        values
    }

    /// Fills in the spans of map rows. If omitted, each is the position in the JSON text.
    fn places_of_rows(self, fields: &[&str], values: &mut [Value]) {
        let document = self.reader.document;
        let position = |name: &str| fields.iter().position(|field| *field == name);
        let (Some(rows), Some(places)) = (position("rows"), position("row_spans")) else { return };
        let Value::Node(rows) = values[rows] else { return };
        match values[places] {
            Value::LeftOut { .. } => values[places] = Value::PlacesOf(rows),
            Value::Node(node) if document.children(node).count() != document.children(rows).count() => {
                self.at(Value::Node(node))
                    .report(Code::JsonValue, "the number of places differs from the number of rows".to_owned());
            }
            _ => {}
        }
    }

    /// Returns the variant that is named, and its content.
    fn variant(self, name: &'static str, variants: &'static [&'static str]) -> (&'static str, At<'r, 'de>) {
        let document = self.reader.document;
        let allowed = nameable(name, variants);
        let find = |text: &str| allowed.iter().copied().find(|variant| *variant == text);
        let anything = |at: At<'r, 'de>| {
            // Prefer a variant for unread source.
            let harmless = variants.iter().copied().find(|variant| *variant == "error");
            (harmless.or(variants.first().copied()).unwrap_or(""), at.at(Value::Anything(at.node())))
        };
        let unknown = |node: Node, text: &str| {
            let message = match allowed.as_ref() {
                // A small set of words is listed instead of its type.
                [most @ .., last] if (1..8).contains(&most.len()) => {
                    format!("expected {} or {last}, found `{text}`", most.join(", "))
                }
                _ => format!("`{text}` is not {}", called(name)),
            };
            self.reader.report_unknown(Code::JsonValue, node, message, text, &allowed);
            anything(self)
        };
        if let Some(tag) = tag_of(name) {
            let (node, beside) = match self.value {
                Value::Node(node) if document.kind(node) == Kind::Object => (node, [tag, ""]),
                Value::Beside(node, [first, _]) => (node, [first, tag]),
                _ => return anything(self.expected(&called(name))),
            };
            let Some(named) = document.get(node, tag) else {
                self.report(Code::JsonKey, format!("`{tag}` is missing"));
                return anything(self);
            };
            if document.kind(named) != Kind::Text {
                return anything(self.at(Value::Node(named)).expected(&format!("the name of {}", called(name))));
            }
            let text = document.string(named);
            return match find(&text) {
                Some(variant) => (variant, self.at(Value::Beside(node, beside))),
                None => unknown(named, &text),
            };
        }
        let Value::Node(node) = self.value else { return anything(self.expected(&called(name))) };
        let bare = |at: At<'r, 'de>| ("is", at);
        let optional = allowed.contains(&"is");
        match document.kind(node) {
            Kind::Text => {
                let text = document.string(node);
                match find(&text) {
                    Some("is") => bare(self),
                    Some(variant) => (variant, self.at(Value::LeftOut { of: node, key: variant })),
                    None if optional => bare(self),
                    None => unknown(node, &text),
                }
            }
            Kind::Object => {
                let mut pairs = document.pairs(node);
                match (pairs.next(), pairs.next()) {
                    (Some((key, value)), None) => {
                        let text = document.string(key);
                        match find(&text) {
                            Some(variant) => (variant, self.at(Value::Node(value))),
                            None if optional => bare(self),
                            None => unknown(key, &text),
                        }
                    }
                    _ if optional => bare(self),
                    (None, _) => {
                        self.report(Code::JsonValue, format!("expected {}, found an empty object", called(name)));
                        anything(self)
                    }
                    (Some(_), Some((second, _))) => {
                        let what = called(name);
                        let message = format!("{what} must be an object with one key, its variant");
                        self.reader.report(Code::JsonKey, second, message, None);
                        anything(self)
                    }
                }
            }
            _ if optional => bare(self),
            _ => anything(self.expected(&called(name))),
        }
    }
}

macro_rules! integers {
    ($($method:ident: $type:ty),*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
            let (low, high) = (i64::try_from(<$type>::MIN), i64::try_from(<$type>::MAX));
            visitor.visit_i64(self.integer(low.unwrap_or(i64::MIN), high.unwrap_or(i64::MAX)))
        })*
    };
}

impl<'de> Deserializer<'de> for At<'_, 'de> {
    type Error = Unfit;

    integers!(
        deserialize_i8: i8, deserialize_i16: i16, deserialize_i32: i32, deserialize_i64: i64,
        deserialize_u8: u8, deserialize_u16: u16, deserialize_u32: u32, deserialize_u64: u64
    );

    serde::forward_to_deserialize_any! { f32 f64 bytes byte_buf unit_struct tuple_struct map }

    /// Unsupported, because every type of a level requests its form.
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Unfit> {
        Err(Unfit("this cannot be read from JSON".to_owned()))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        if let Value::LeftOut { .. } = self.value {
            self.expected("a value");
        }
        visitor.visit_unit()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let yes = self.of_kind(Kind::True).is_some();
        if !yes && self.of_kind(Kind::False).is_none() {
            self.expected("true or false");
        }
        visitor.visit_bool(yes)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let text = self.text("a character");
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => visitor.visit_char(character),
            (first, _) => {
                if self.of_kind(Kind::Text).is_some() {
                    let found = if first.is_none() { "an empty string" } else { "more than one" };
                    self.report(Code::JsonValue, format!("expected one character, found {found}"));
                }
                visitor.visit_char(' ')
            }
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        match self.text("a string") {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        self.deserialize_str(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        if self.of_kind(Kind::Null).is_none() {
            self.expected("null");
        }
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        match self.value {
            Value::Node(node) if self.reader.document.kind(node) == Kind::Null => visitor.visit_none(),
            Value::LeftOut { .. } | Value::Anything(_) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Unfit> {
        if name == Span::FORM {
            return visitor.visit_newtype_struct(PlaceNumbers(self.span()));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let document = self.reader.document;
        let places = match self.value {
            Value::Node(node) if document.kind(node) == Kind::List => false,
            Value::PlacesOf(node) if document.kind(node) == Kind::List => true,
            Value::LeftOut { .. } | Value::PlacesOf(_) => return visitor.visit_seq(Elements::none(self)),
            _ => return visitor.visit_seq(Elements::none(self.expected("an array"))),
        };
        visitor.visit_seq(Elements { at: self, nodes: document.children(self.node()), places, missing: 0 })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Unfit> {
        let document = self.reader.document;
        let found = self.of_kind(Kind::List).map(|node| document.children(node).take(length + 1).count());
        if found == Some(length) {
            let nodes = document.children(self.node());
            return visitor.visit_seq(Elements { at: self, nodes, places: false, missing: 0 });
        }
        let at = match found {
            Some(found) => {
                let found = if found > length { "more".to_owned() } else { found.to_string() };
                self.report(Code::JsonValue, format!("expected an array of length {length}, found {found}"));
                self.at(Value::Anything(self.node()))
            }
            None => self.expected(&format!("an array of length {length}")),
        };
        visitor.visit_seq(Elements { at, nodes: std::iter::empty(), places: false, missing: length })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        self.nested(name, |at| {
            let values = if at.is_bare(name, fields) {
                vec![at.value, Value::LeftOut { of: at.node(), key: "span" }]
            } else {
                at.fields(name, fields)
            };
            // The fields are complete and in order, so the types need not look for their names, which is more code.
            visitor.visit_seq(Fields { at, values: &values })
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        self.nested(name, |at| {
            let (variant, content) = at.variant(name, variants);
            visitor.visit_enum(Variant { variant, content })
        })
    }
}

/// The numbers of a span, in the form that [`Span`] requests.
struct PlaceNumbers(Span);

impl<'de> Deserializer<'de> for PlaceNumbers {
    type Error = Unfit;

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq
        tuple tuple_struct map struct enum identifier ignored_any
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let Span { file, start, end } = self.0;
        visitor.visit_seq(de::value::SeqDeserializer::new([file.0, start, end].into_iter()))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        if self.0.is_nowhere() { visitor.visit_none() } else { visitor.visit_some(self) }
    }
}

/// The values of a list.
struct Elements<'r, 'de, I> {
    at: At<'r, 'de>,
    nodes: I,
    /// True if their spans are read instead of their values.
    places: bool,
    /// The number of missing values.
    missing: usize,
}

impl<'r, 'de> Elements<'r, 'de, std::iter::Empty<Node>> {
    fn none(at: At<'r, 'de>) -> Self {
        Elements { at, nodes: std::iter::empty(), places: false, missing: 0 }
    }
}

impl<'de, I: Iterator<Item = Node>> SeqAccess<'de> for Elements<'_, 'de, I> {
    type Error = Unfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Unfit> {
        let value = match self.nodes.next() {
            Some(node) if self.places => Value::LeftOut { of: node, key: "" },
            Some(node) => Value::Node(node),
            None if self.missing > 0 => {
                self.missing -= 1;
                self.at.value
            }
            None => return Ok(None),
        };
        seed.deserialize(self.at.at(value)).map(Some)
    }
}

/// The fields of a struct.
struct Fields<'v, 'r, 'de> {
    at: At<'r, 'de>,
    values: &'v [Value],
}

impl<'de> SeqAccess<'de> for Fields<'_, '_, 'de> {
    type Error = Unfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Unfit> {
        let Some((&value, rest)) = self.values.split_first() else { return Ok(None) };
        self.values = rest;
        seed.deserialize(self.at.at(value)).map(Some)
    }
}

/// A variant and its content.
struct Variant<'r, 'de> {
    variant: &'static str,
    content: At<'r, 'de>,
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Unfit;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Unfit> {
        let variant = seed.deserialize(BorrowedStrDeserializer::new(self.variant))?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Unfit;

    fn unit_variant(self) -> Result<(), Unfit> {
        match self.content.value {
            Value::LeftOut { .. } | Value::Anything(_) => {}
            Value::Beside(..) => drop(self.content.fields(self.variant, &[])),
            _ if self.content.of_kind(Kind::Null).is_some() => {}
            _ => {
                let message = format!("`{}` takes no value: write \"{}\" alone", self.variant, self.variant);
                self.content.report(Code::JsonValue, message);
            }
        }
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Unfit> {
        seed.deserialize(self.content)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Unfit> {
        self.content.deserialize_tuple(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Unfit> {
        self.content.deserialize_struct(self.variant, fields, visitor)
    }
}
