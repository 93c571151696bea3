//! Semantic tokens: words by their meaning, and the squares of maps by their terrain.

use std::ops::Range;

use gen_lsp_types as lsp;
use splc_ir::catalog::Catalog;
use splc_ir::order::Order;

use crate::knowledge::terrain;
use crate::names;
use crate::script;
use crate::view::{Language, View};
use crate::words::Kind;

/// The types of tokens. The first are those of the protocol, which every theme colours; those of squares come with a
/// modifier for each terrain.
const TYPES: &[&str] = &[
    "keyword",
    "string",
    "number",
    "comment",
    "variable",
    "parameter",
    "function",
    "class",
    "enumMember",
    "property",
    "type",
    "macro",
    "mapSquare",
];

/// The modifiers of tokens. Terrain is a modifier of squares.
const MODIFIERS: &[&str] = &[
    "declaration",
    "defaultLibrary",
    "wall",
    "floor",
    "door",
    "water",
    "lava",
    "tree",
    "fixture",
    "ice",
    "corridor",
    "bars",
    "air",
];

const KEYWORD: u32 = 0;
const STRING: u32 = 1;
const NUMBER: u32 = 2;
const COMMENT: u32 = 3;
const VARIABLE: u32 = 4;
const PARAMETER: u32 = 5;
const FUNCTION: u32 = 6;
const ENUM_MEMBER: u32 = 8;
const SQUARE: u32 = 12;

/// A token of the text.
struct Token {
    range: Range<usize>,
    kind: u32,
    modifiers: u32,
}

pub(crate) fn legend() -> lsp::SemanticTokensLegend {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    lsp::SemanticTokensLegend { token_types: owned(TYPES), token_modifiers: owned(MODIFIERS) }
}

fn modifier(name: &str) -> u32 {
    MODIFIERS.iter().position(|known| *known == name).map_or(0, |at| 1 << at)
}

/// Returns the tokens of a file, or of the part of it in `part`.
pub(crate) fn tokens(view: &View, part: Option<lsp::Range>) -> lsp::SemanticTokens {
    let wanted = part.map_or(0..view.text().len(), |part| view.text.offsets(part, view.encoding));
    let mut found = Vec::new();
    match view.language {
        Language::Des => des(view, &wanted, &mut found),
        Language::Lua => lua(view, &mut found),
        Language::Dungeon | Language::Other => {}
    }
    found.retain(|token| token.range.start < wanted.end && wanted.start < token.range.end);
    found.order_by_key(|token| token.range.start);
    lsp::SemanticTokens { result_id: None, data: relative(view, &found) }
}

/// Returns tokens with positions relative to the one before. One of several lines is split.
fn relative(view: &View, tokens: &[Token]) -> Vec<lsp::SemanticToken> {
    let (mut line, mut column, mut end) = (0, 0, 0);
    let mut data = Vec::with_capacity(tokens.len());
    for token in tokens {
        let (first, last) = (view.text.line_of(token.range.start), view.text.line_of(token.range.end));
        for number in first..=last {
            let whole = view.text.line(number);
            let (start, stop) = (token.range.start.max(whole.start).max(end), token.range.end.min(whole.end));
            let Some(text) = view.text().get(start..stop).filter(|text| !text.is_empty()) else { continue };
            let at = view.text.position(start, view.encoding);
            let is_same = at.line == line;
            data.push(lsp::SemanticToken {
                delta_line: at.line - line,
                delta_start: if is_same { at.character - column } else { at.character },
                length: view.encoding.length(text) as u32,
                token_type: token.kind,
                token_modifiers_bitset: token.modifiers,
            });
            (line, column, end) = (at.line, at.character, stop);
        }
    }
    data
}

fn des(view: &View, wanted: &Range<usize>, found: &mut Vec<Token>) {
    let (text, names, catalog) = (view.text(), view.names(), view.catalog());
    let mut uses: Vec<&names::Use> = names.uses.iter().filter(|used| view.span(used.span).is_some()).collect();
    uses.order_by_key(|used| (used.span.start, !used.defines));
    let used_at = |start: usize| {
        let at = uses.partition_point(|used| (used.span.start as usize) < start);
        uses.get(at).filter(|used| used.span.start as usize == start)
    };
    for word in view.words() {
        if word.end < wanted.start || word.start > wanted.end {
            continue;
        }
        let range = word.start..word.end;
        let (kind, modifiers) = match word.kind {
            Kind::Statement => match used_at(word.start) {
                Some(_) => (FUNCTION, 0),
                None => (KEYWORD, 0),
            },
            Kind::Comment => (COMMENT, 0),
            Kind::Number => (NUMBER, 0),
            Kind::Text | Kind::Character => (STRING, 0),
            Kind::Variable => {
                let used = used_at(word.start);
                let declares = if used.is_some_and(|used| used.defines) { modifier("declaration") } else { 0 };
                let of = used.and_then(|used| names.variables.get(&(used.scope, used.name.clone())));
                (if of.is_some_and(|variable| variable.is_parameter) { PARAMETER } else { VARIABLE }, declares)
            }
            Kind::Name => match used_at(word.start) {
                Some(used) if used.kind == names::Kind::Function => {
                    (FUNCTION, if used.defines { modifier("declaration") } else { 0 })
                }
                Some(_) => (VARIABLE, 0),
                None if catalog.core_function(&text[range.clone()]).is_some() => (FUNCTION, modifier("defaultLibrary")),
                None => (ENUM_MEMBER, 0),
            },
            Kind::Map => {
                let end = range.start + "MAP".len();
                found.push(Token { range: range.start..end, kind: KEYWORD, modifiers: 0 });
                squares(&text[end..range.end], end, catalog, found);
                if text[range.clone()].ends_with("ENDMAP") {
                    found.push(Token { range: range.end - "ENDMAP".len()..range.end, kind: KEYWORD, modifiers: 0 });
                }
                continue;
            }
            Kind::Sign(_) => continue,
        };
        found.push(Token { range, kind, modifiers });
    }
}

/// Adds the squares of the rows of a map, those of the same terrain together.
fn squares(rows: &str, start: usize, catalog: &Catalog, found: &mut Vec<Token>) {
    let mut at = start;
    for line in rows.split_inclusive('\n') {
        let row = line.trim_end_matches(['\n', '\r']);
        if !row.starts_with("ENDMAP") {
            let mut run: Option<(Range<usize>, u32)> = None;
            for (offset, character) in row.char_indices() {
                let modifiers = kind_of(character, catalog);
                let (from, to) = (at + offset, at + offset + character.len_utf8());
                match &mut run {
                    Some((range, known)) if Some(*known) == modifiers && range.end == from => range.end = to,
                    _ => {
                        let done = std::mem::replace(&mut run, modifiers.map(|modifiers| (from..to, modifiers)));
                        found.extend(done.map(|(range, modifiers)| Token { range, kind: SQUARE, modifiers }));
                    }
                }
            }
            found.extend(run.map(|(range, modifiers)| Token { range, kind: SQUARE, modifiers }));
        }
        at += line.len();
    }
}

/// Returns the modifier for the terrain of a map character, or `None` for a blank.
fn kind_of(character: char, catalog: &Catalog) -> Option<u32> {
    if character.is_whitespace() {
        return None;
    }
    let Some(name) = terrain(catalog, character) else { return Some(0) };
    let is = |words: &[&str]| words.iter().any(|word| name.contains(word));
    Some(modifier(if is(&["door"]) {
        "door"
    } else if is(&["wall", "stone"]) {
        "wall"
    } else if is(&["lava"]) {
        "lava"
    } else if is(&["water", "moat", "pool", "swamp"]) {
        "water"
    } else if is(&["tree"]) {
        "tree"
    } else if is(&["bars"]) {
        "bars"
    } else if is(&["ice"]) {
        "ice"
    } else if is(&["corridor"]) {
        "corridor"
    } else if is(&["air", "cloud"]) {
        "air"
    } else if is(&["floor", "room", "ground", "grass", "sand"]) {
        "floor"
    } else {
        "fixture"
    }))
}

fn lua(view: &View, found: &mut Vec<Token>) {
    for call in script::calls(view) {
        if let Some(range) = call.name.as_ref().and_then(|name| view.span(name.span)) {
            found.push(Token { range, kind: FUNCTION, modifiers: modifier("defaultLibrary") });
        }
    }
    for (rows, start) in script::maps(view) {
        squares(rows, start, view.catalog(), found);
    }
}
