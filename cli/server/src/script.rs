//! Lua levels: the context of an offset, and everything that follows from the table of the game's functions.

use std::ops::Range;

use gen_lsp_types as lsp;
use splc_ir::catalog::Catalog;
use splc_ir::level::SpeciesName;
use splc_ir::source::Span;
use splc_ir::visit::{NameRole, SpeciesRole};
use splc_lua::check::Binding;
use splc_lua::functions::{BOOLEAN_WORDS, Form, Function, Gives, Need};
use splc_lua::keys::Key;
use splc_lua::kinds::Kind;
use splc_lua::libraries::{LIBRARIES, function, library};
use splc_lua::prose;
use splc_lua::{sandbox, tree};

use crate::items::{Item, List};
use crate::knowledge::{code, named, species, species_detail, species_text, terrain};
use crate::limits::MAX_ITEMS;
use crate::text::word_at;
use crate::view::{View, information, markdown};

const KEYWORDS: &[&str] = &[
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
];

pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Returns the variable at `offset`.
pub(crate) fn binding_at(view: &View, offset: usize) -> Option<&Binding> {
    let touches = |span: &Span| view.span(*span).is_some_and(|range| (range.start..=range.end).contains(&offset));
    view.bindings().iter().find(|binding| binding.places.iter().any(touches))
}

/// An open bracket before an offset.
#[derive(Clone, Debug, Default)]
struct Open {
    sign: u8,
    /// The called function: library and name.
    callee: Option<(String, String)>,
    /// The number of the argument or item.
    number: usize,
    /// The key whose value is being written, in a table.
    key: Option<String>,
    /// The keys so far.
    keys: Vec<String>,
}

/// The context of an offset in a script.
#[derive(Clone, Debug, Default)]
struct Context {
    open: Vec<Open>,
    /// The content of the string around the offset.
    string: Option<Range<usize>>,
    comment: bool,
    /// The name before a dot, and the sign, if the word follows one.
    owner: Option<(String, u8)>,
}

/// Finds the context of `offset` from the text alone.
fn context(text: &str, offset: usize) -> Context {
    let bytes = text.as_bytes();
    let mut context = Context::default();
    let mut at = 0;
    // The last names: `a.b` before a bracket.
    let (mut chain, mut last_sign): (Vec<String>, u8) = (Vec::new(), 0);
    while at < offset.min(bytes.len()) {
        let byte = bytes[at];
        let long = |from: usize| {
            let after = bytes.get(from + 1..).unwrap_or_default();
            let level = after.iter().take_while(|byte| **byte == b'=').count();
            (bytes.get(from) == Some(&b'[') && bytes.get(from + 1 + level) == Some(&b'[')).then_some(level)
        };
        let close = |from: usize, level: usize| {
            let wanted = format!("]{}]", "=".repeat(level));
            text[from..].find(&wanted).map_or(text.len(), |found| from + found + wanted.len())
        };
        if bytes[at..].starts_with(b"--") {
            let end = match long(at + 2) {
                Some(level) => close(at + 2, level),
                None => at + memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at),
            };
            if offset <= end {
                context.comment = true;
                return context;
            }
            at = end;
            continue;
        }
        if byte.is_ascii_alphabetic() || byte == b'_' {
            let range = word_at(text, at);
            // The word at the offset is not part of the context.
            if range.end >= offset {
                break;
            }
            let word = text[range.clone()].to_owned();
            if !matches!(last_sign, b'.' | b':') {
                chain.clear();
            }
            chain.push(word);
            last_sign = 0;
            at = range.end;
            continue;
        }
        match byte {
            b'"' | b'\'' => {
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != byte && bytes[end] != b'\n' {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                let end = end.min(bytes.len());
                if offset <= end {
                    context.string = Some(at + 1..splc_ir::source::floor(text, end));
                    return context;
                }
                at = end + 1;
                (last_sign, chain) = (b'"', Vec::new());
                continue;
            }
            b'[' if long(at).is_some() => {
                let level = long(at).unwrap_or(0);
                let end = close(at, level);
                let is_closed = text[..end].ends_with(&format!("]{}]", "=".repeat(level)));
                if offset < end || !is_closed {
                    let brackets = if is_closed { 2 + level } else { 0 };
                    context.string = Some(at + 2 + level..end - brackets);
                    return context;
                }
                at = end;
                (last_sign, chain) = (b'"', Vec::new());
                continue;
            }
            b'(' | b'{' | b'[' => {
                let callee = match chain.as_slice() {
                    [library, name] if byte != b'[' => Some((library.clone(), name.clone())),
                    _ => None,
                };
                context.open.push(Open { sign: byte, callee, ..Open::default() });
                chain.clear();
            }
            b')' | b'}' | b']' => {
                context.open.pop();
                chain.clear();
            }
            b',' | b';' => {
                if let Some(open) = context.open.last_mut() {
                    open.number += 1;
                    open.key = None;
                }
                chain.clear();
            }
            b'=' if bytes.get(at + 1) != Some(&b'=') && !matches!(last_sign, b'=' | b'~' | b'<' | b'>') => {
                if let (Some(open), [name]) = (context.open.last_mut(), chain.as_slice())
                    && open.sign == b'{'
                {
                    open.key = Some(name.clone());
                    open.keys.push(name.clone());
                }
                chain.clear();
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b'\n' => {
                at += 1;
                continue;
            }
            b'.' | b':' => {}
            _ => chain.clear(),
        }
        last_sign = byte;
        at += 1;
    }
    if matches!(last_sign, b'.' | b':') {
        context.owner = chain.last().map(|owner| (owner.clone(), last_sign));
    }
    context
}

/// The slot that a value at an offset fills.
struct Slot {
    function: &'static Function,
    library: &'static str,
    /// The key of the table, if it is one.
    key: Option<&'static Key>,
    /// The kinds of values that fit.
    kinds: Vec<Kind>,
    /// Set where a key of the table begins.
    wants_key: bool,
    keys: Vec<String>,
    number: usize,
}

fn slot(context: &Context, catalog: &Catalog) -> Option<Slot> {
    let top = context.open.last()?;
    let (callee, is_table) = match top.sign {
        b'(' => (top.callee.as_ref()?, false),
        b'{' => match (&top.callee, context.open.len().checked_sub(2).and_then(|below| context.open.get(below))) {
            (Some(callee), _) => (callee, true),
            (None, Some(below)) if below.sign == b'(' => (below.callee.as_ref()?, true),
            _ => return None,
        },
        _ => return None,
    };
    // A method of a selection is a function of its library.
    let library =
        library(&callee.0).or_else(|| library("selection").filter(|known| known.function(&callee.1).is_some()))?;
    let function = library.function(&callee.1)?;
    let slot = Slot {
        function,
        library: library.name,
        key: None,
        kinds: Vec::new(),
        wants_key: false,
        keys: top.keys.clone(),
        number: top.number,
    };
    if is_table {
        if !function.takes_keys() {
            return None;
        }
        return Some(match &top.key {
            Some(name) => {
                let key = function.key(catalog, name);
                Slot { key, kinds: key.iter().map(|key| key.kind).collect(), ..slot }
            }
            None => Slot { wants_key: true, ..slot },
        });
    }
    let argument = |form: &Form| {
        let at = if form.repeated { top.number.min(form.arguments.len().saturating_sub(1)) } else { top.number };
        form.arguments.get(at).map(|argument| argument.kind)
    };
    Some(Slot { kinds: function.forms.iter().filter_map(argument).collect(), ..slot })
}

/// Returns the completions at `offset`. After a blank that was just typed, only the values of a key: most blanks begin
/// nothing.
pub(crate) fn completion(view: &View, offset: usize, is_blank: bool, list: &mut List) {
    let (text, catalog) = (view.text(), view.catalog());
    let context = context(text, offset);
    if context.comment {
        return;
    }
    let slot = slot(&context, catalog);
    let word = text.get(word_at(text, offset)).map_or(offset..offset, |_| word_at(text, offset));
    // In the body of a function, a statement may begin instead.
    let before = text.get(..word.start).unwrap_or("").trim_end();
    let is_value = slot.is_some() && before.ends_with(['=', '(', ',']);
    if is_blank && !(is_value && before.ends_with('=')) {
        return;
    }
    if let Some(string) = &context.string {
        list.replace = string.clone();
        // The rest of the line does not belong to a string that is still open.
        if !text[string.end.min(text.len())..].starts_with(['"', '\'', ']']) {
            list.replace.end = offset;
        }
        for kind in slot.iter().flat_map(|slot| &slot.kinds) {
            values(*kind, catalog, true, list);
        }
        return;
    }
    list.replace = word;
    if let Some((owner, sign)) = &context.owner {
        let known = if *sign == b':' { library("selection") } else { library(owner) };
        for function in known.iter().flat_map(|library| library.functions) {
            let forms = forms(function).join("\n");
            list.add(
                Item::new(function.name, lsp::CompletionItemKind::Function)
                    .detail(forms.lines().next().unwrap_or_default())
                    .documentation(documentation(known.map_or("", |library| library.name), function, catalog)),
            );
        }
        for name in splc_lua::own::members(catalog, known.map_or(owner.as_str(), |library| library.name)) {
            list.add(Item::new(name, lsp::CompletionItemKind::Function).detail(&catalog.title));
        }
        let others = sandbox::LIBRARIES.iter().filter(|(name, _)| name == owner).flat_map(|(_, functions)| *functions);
        for name in others.filter(|_| *sign == b'.') {
            list.add(Item::new(name, lsp::CompletionItemKind::Function).detail("Lua"));
        }
        return;
    }
    if let Some(slot) = &slot {
        if slot.wants_key {
            for key in slot.function.keys(catalog).filter(|key| !slot.keys.iter().any(|known| known == key.name)) {
                list.add(
                    Item::new(key.name, lsp::CompletionItemKind::Property)
                        .insert(&format!("{} = ", key.name))
                        .detail(&key_detail(key, catalog)),
                );
            }
            return;
        }
        for kind in &slot.kinds {
            values(*kind, catalog, false, list);
        }
        // The values of the slot come first.
        list.items.iter_mut().filter(|_| is_value).for_each(|item| item.rank = item.rank.min(1));
    }
    for binding in view.bindings() {
        let before = binding.declared.is_some_and(|span| (span.start as usize) < offset && span.end as usize != offset);
        if before {
            list.add(Item::new(&binding.name, lsp::CompletionItemKind::Variable));
        }
    }
    for library in LIBRARIES {
        list.add(Item::new(library.name, lsp::CompletionItemKind::Module).detail("NetHack"));
    }
    for (name, _) in sandbox::GAME {
        list.add(Item::new(name, lsp::CompletionItemKind::Function).detail("NetHack"));
    }
    for name in sandbox::BASE {
        list.add(Item::new(name, lsp::CompletionItemKind::Function).detail("Lua"));
    }
    // Only these begin a value.
    let begins_value = |word: &&str| !is_value || ["function", "nil", "not"].contains(word);
    for word in KEYWORDS.iter().copied().filter(begins_value) {
        list.add(Item::new(word, lsp::CompletionItemKind::Keyword));
    }
}

/// Adds the values that a kind allows: as text within a string, otherwise with quotes.
fn values(kind: Kind, catalog: &Catalog, in_string: bool, list: &mut List) {
    let words = |names: Vec<&str>, item: lsp::CompletionItemKind, detail: &str, list: &mut List| {
        for name in names {
            let mut one = Item::new(name, item).detail(detail);
            if !in_string {
                one = one.insert(&format!("\"{name}\""));
            }
            list.add(one);
        }
    };
    let all = |role: SpeciesRole, list: &mut List| {
        let of = if role == SpeciesRole::Monster { &catalog.monsters } else { &catalog.objects };
        // Objects called generic have no place in a level: they are symbols of their classes.
        for one in of.iter().filter(|one| !one.name.is_empty() && !one.name.starts_with("generic ")).take(MAX_ITEMS) {
            let mut item =
                Item::new(&one.name, lsp::CompletionItemKind::Value).species(role).detail(&species_detail(role, one));
            if !in_string {
                item = item.insert(&format!("\"{}\"", one.name));
            }
            list.add(item);
        }
        // The game also knows the names of the males and females of a monster.
        for (number, male, female) in catalog.monster_forms().iter().filter(|_| role == SpeciesRole::Monster) {
            let of = catalog.monsters.get(usize::from(*number)).map_or("", |one| one.name.as_ref());
            for form in [male, female] {
                let item = Item::new(form, lsp::CompletionItemKind::Value).detail(&format!("monster, a {of}"));
                list.add(if in_string { item } else { item.insert(&format!("\"{form}\"")) });
            }
        }
    };
    let classes = |symbols: &str, noun: &str, list: &mut List| {
        for class in symbols.chars().filter(|class| !class.is_control()) {
            let quoted = if class == '"' || class == '\\' { format!("\"\\{class}\"") } else { format!("\"{class}\"") };
            let mut item = Item::new(&class.to_string(), lsp::CompletionItemKind::EnumMember).detail(noun);
            if !in_string {
                item = item.insert(&quoted);
            }
            list.add(item);
        }
    };
    match kind {
        Kind::Boolean | Kind::Truth if !in_string => {
            ["true", "false"].iter().for_each(|word| list.add(Item::new(word, lsp::CompletionItemKind::Keyword)))
        }
        Kind::Boolean => words(BOOLEAN_WORDS.to_vec(), lsp::CompletionItemKind::EnumMember, "boolean", list),
        Kind::IntegerOrRandom => words(vec!["random"], lsp::CompletionItemKind::EnumMember, "a random number", list),
        Kind::Word(list_of) => words(list_of.all(catalog), lsp::CompletionItemKind::EnumMember, "", list),
        Kind::Monster => all(SpeciesRole::Monster, list),
        Kind::MonsterOrClass | Kind::Montype => {
            all(SpeciesRole::Monster, list);
            classes(&catalog.monster_classes, "monster class", list);
        }
        Kind::MonsterClass => classes(&catalog.monster_classes, "monster class", list),
        Kind::Object => all(SpeciesRole::Object, list),
        Kind::ObjectOrClass => {
            all(SpeciesRole::Object, list);
            classes(&catalog.object_classes, "object class", list);
        }
        Kind::ObjectClass => classes(&catalog.object_classes, "object class", list),
        Kind::Trap => words(
            catalog.traps.iter().map(|(name, _)| name.as_ref()).collect(),
            lsp::CompletionItemKind::Value,
            "trap",
            list,
        ),
        Kind::Room => words(
            catalog.rooms.iter().map(|(name, _)| name.as_ref()).collect(),
            lsp::CompletionItemKind::Value,
            "room type",
            list,
        ),
        Kind::MapCharacter => {
            for &(character, _) in catalog.terrain.iter() {
                let mut item = Item::new(&character.to_string(), lsp::CompletionItemKind::EnumMember)
                    .detail(terrain(catalog, character).unwrap_or(""));
                if !in_string {
                    let escape = if matches!(character, '\\' | '"') { "\\" } else { "" };
                    item = item.insert(&format!("\"{escape}{character}\""));
                }
                list.add(item);
            }
        }
        Kind::Contents | Kind::Function if !in_string => {
            list.add(Item::new("function() end", lsp::CompletionItemKind::Snippet).snippet("function()\n\t$0\nend"));
        }
        Kind::Selection if !in_string => {
            list.add(Item::new("selection", lsp::CompletionItemKind::Module).detail("NetHack"))
        }
        _ => {}
    }
}

/// Returns the noun for the values that a kind allows.
fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Any => "any value",
        Kind::Boolean | Kind::Truth => "boolean",
        Kind::Integer => "integer",
        Kind::IntegerOrRandom => "integer or \"random\"",
        Kind::Text => "string",
        Kind::TextOrFunction => "string or function",
        Kind::Word(_) => "one of the words",
        Kind::Monster => "monster",
        Kind::MonsterOrClass => "monster or class",
        Kind::MonsterClass => "monster class",
        Kind::Object => "object",
        Kind::ObjectOrClass => "object or class",
        Kind::ObjectClass => "object class",
        Kind::Montype => "monster or class",
        Kind::Appearance => "disguise: \"obj:\", \"mon:\" or \"ter:\" and a name",
        Kind::Trap => "trap",
        Kind::Room => "room type",
        Kind::Destination => "level",
        Kind::MapCharacter => "map character",
        Kind::Map => "map",
        Kind::MapFragment => "small map",
        Kind::Place => "place: { x, y }",
        Kind::Region => "area: { x1, y1, x2, y2 }",
        Kind::Selection => "selection",
        Kind::Contents | Kind::Function => "function",
        Kind::Keys | Kind::Table => "table",
        Kind::ObjectHandle => "object",
    }
}

fn key_detail(key: &Key, catalog: &Catalog) -> String {
    let need = if key.need == Need::Required { ", required" } else { "" };
    let only = if key.only.is_empty() { String::new() } else { format!(", only for {}", key.only.join(", ")) };
    let value = match key.kind {
        Kind::Word(words) => words.all(catalog).join(", "),
        kind => noun(kind).to_owned(),
    };
    format!("{value}{need}{only}")
}

/// Returns the forms of calling a function, one for each.
fn forms(function: &Function) -> Vec<String> {
    let one = |form: &Form| {
        let arguments: Vec<String> =
            form.arguments.iter().map(|argument| argument_text(argument.name, argument.need, argument.kind)).collect();
        let more = if form.repeated { ", ..." } else { "" };
        format!("{}({}{more})", function.name, arguments.join(", "))
    };
    function.forms.iter().map(one).collect()
}

fn argument_text(name: &str, need: Need, kind: Kind) -> String {
    let optional = if need == Need::Optional { "?" } else { "" };
    match kind {
        Kind::Keys => "{ ... }".to_owned(),
        _ => format!("{name}{optional}"),
    }
}

fn gives(gives: Gives) -> &'static str {
    match gives {
        Gives::Nothing => "",
        Gives::Selection => "Returns a selection.",
        Gives::Object => "Returns an object.",
        Gives::Place => "Returns a table with `x` and `y`.",
        Gives::Number => "Returns a number.",
        Gives::Text => "Returns a string.",
        Gives::Other => "Returns a value.",
    }
}

/// Describes a function: its forms, its keys, its result.
fn documentation(library: &str, function: &Function, catalog: &Catalog) -> String {
    let forms: Vec<String> = forms(function).iter().map(|form| format!("{library}.{form}")).collect();
    let mut text = format!("```lua\n{}\n```", forms.join("\n"));
    if let Some(prose) = prose::of_function(library, function.name) {
        text.push_str(&format!("\n\n{prose}"));
    }
    if function.takes_keys() {
        text.push_str("\n\n| key | value | |\n| --- | --- | --- |");
        for key in function.keys(catalog) {
            let prose = prose::of_key(library, function.name, key.name).unwrap_or_default();
            text.push_str(&format!("\n| `{}` | {} | {prose} |", key.name, key_detail(key, catalog)));
        }
    }
    let result = gives(function.gives);
    if !result.is_empty() {
        text.push_str(&format!("\n\n{result}"));
    }
    text
}

/// Returns the signatures of the call around `offset`.
pub(crate) fn signature(view: &View, offset: usize) -> Option<lsp::SignatureHelp> {
    let context = context(view.text(), offset);
    if context.comment {
        return None;
    }
    let slot = slot(&context, view.catalog())?;
    let is_table = slot.wants_key || slot.key.is_some();
    let active = if is_table { 0 } else { slot.number };
    let signatures: Vec<lsp::SignatureInformation> = slot
        .function
        .forms
        .iter()
        .zip(forms(slot.function))
        .map(|(form, label)| {
            let parameters =
                form.arguments.iter().map(|argument| argument_text(argument.name, argument.need, argument.kind));
            information(format!("{}.{label}", slot.library), parameters.collect(), Some(active))
        })
        .collect();
    let takes = |form: &Form| {
        let keys = form.arguments.iter().any(|argument| matches!(argument.kind, Kind::Keys));
        if is_table {
            keys
        } else {
            !keys && active < form.arguments.len().max(usize::from(form.repeated) * usize::MAX)
        }
    };
    let fits = slot.function.forms.iter().position(takes).unwrap_or(0);
    Some(lsp::SignatureHelp {
        signatures,
        active_signature: Some(fits as u32),
        active_parameter: Some(lsp::ActiveParameter::Int(active as u32)),
    })
}

/// Describes the name at `offset`.
pub(crate) fn hover(view: &View, offset: usize) -> Option<lsp::Hover> {
    let (text, catalog) = (view.text(), view.catalog());
    let word = word_at(text, offset);
    let name = text.get(word.clone())?;
    // The context of the beginning of the word, so that the word itself does not count.
    let context = context(text, if word.is_empty() { offset } else { word.start });
    if context.comment {
        return None;
    }
    let slot = slot(&context, catalog);
    if let Some(string) = &context.string {
        if let Some((rows, start)) =
            maps(view).into_iter().find(|(rows, start)| (*start..start + rows.len()).contains(&offset))
        {
            return square(view, rows, start, offset);
        }
        let value = text.get(string.clone())?;
        let described = slot.iter().flat_map(|slot| &slot.kinds).find_map(|kind| value_text(*kind, value, catalog))?;
        return Some(markdown(view, string.clone(), described));
    }
    if let Some((owner, b'.')) = &context.owner
        && let Some(function) = function(owner, name)
    {
        return Some(markdown(view, word, documentation(owner, function, catalog)));
    }
    if let Some((_, b':')) = &context.owner
        && let Some(function) = function("selection", name)
    {
        return Some(markdown(view, word, documentation("selection", function, catalog)));
    }
    if let Some(slot) = slot.filter(|slot| slot.wants_key)
        && let Some(key) = slot.function.key(catalog, name)
    {
        let mut described = format!(
            "**{name}** — {}\n\nkey of `{}.{}`",
            key_detail(key, view.catalog()),
            slot.library,
            slot.function.name
        );
        if let Some(prose) = prose::of_key(slot.library, slot.function.name, name) {
            described.push_str(&format!("\n\n{prose}"));
        }
        return Some(markdown(view, word, described));
    }
    let binding = binding_at(view, offset)?;
    let Some(declared) = binding.declared else {
        let (call, prose) = prose::of_global(name)?;
        return Some(markdown(view, word, format!("```lua\n{call}\n```\n\n{prose}")));
    };
    let line = view.text.line_text(view.text.line_of(declared.start as usize)).trim();
    let kind = if binding.local { "local variable" } else { "variable" };
    let uses = match binding.places.len().saturating_sub(1) {
        1 => "once".to_owned(),
        uses => format!("{uses} times"),
    };
    let described = format!("```lua\n{line}\n```\n\n{kind}, used {uses}");
    Some(markdown(view, word, described))
}

/// Describes a value that a kind allows.
fn value_text(kind: Kind, value: &str, catalog: &Catalog) -> Option<String> {
    let by_name = |role| {
        let name = SpeciesName::Name(value.into());
        species(catalog, role, &name).map(|found| species_text(catalog, role, found))
    };
    match kind {
        Kind::Monster | Kind::MonsterOrClass | Kind::Montype => by_name(SpeciesRole::Monster),
        Kind::Object | Kind::ObjectOrClass => by_name(SpeciesRole::Object),
        Kind::Trap => named(catalog, NameRole::Trap, value),
        Kind::Room => named(catalog, NameRole::RoomType, value),
        Kind::MapCharacter => {
            let mut characters = value.chars();
            let first = characters.next()?;
            terrain(catalog, first).filter(|_| characters.next().is_none()).map(|name| format!("`{first}` — {name}"))
        }
        Kind::Word(words) if words.accepts(catalog, value) => crate::knowledge::flag(value)
            .map(|text| format!("**{value}**\n\n{text}"))
            .or_else(|| Some(format!("one of {}", words.all(catalog).join(", ")))),
        _ => None,
    }
}

fn square(view: &View, rows: &str, start: usize, offset: usize) -> Option<lsp::Hover> {
    let before = view.text().get(start..offset)?;
    // The game skips a line end right after the brackets.
    let y = before.matches('\n').count();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let x = before[line..].chars().count();
    let character = rows.get(offset - start..)?.chars().next().filter(|character| !matches!(character, '\n' | '\r'))?;
    let name = terrain(view.catalog(), character).unwrap_or("unknown terrain");
    Some(markdown(
        view,
        offset..offset + character.len_utf8(),
        format!("{} — {name}\n\nx {x}, y {y} of the map", code(character)),
    ))
}

/// A call of a function of the game.
pub(crate) struct CallSite<'t> {
    pub name: Option<&'t tree::Name>,
    pub function: &'static Function,
    pub call: &'t tree::Call,
}

/// Returns all calls of functions of the game.
pub(crate) fn calls(view: &View) -> Vec<CallSite<'_>> {
    let mut found = Vec::new();
    nodes(&view.chunk().body, &mut |node| {
        let Node::Expression(tree::Expression { kind: tree::ExpressionKind::Call(call), .. }) = node else { return };
        let tree::ExpressionKind::Field(owner, name) = &call.callee.kind else { return };
        let tree::ExpressionKind::Name(owner) = &owner.kind else { return };
        if let Some(function) = function(owner.as_str(), name.text.as_str()) {
            found.push(CallSite { name: Some(name), function, call });
        }
    });
    found
}

/// Returns the maps of a script, each with the offset of its first row.
pub(crate) fn maps(view: &View) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    for call in calls(view).into_iter().filter(|call| call.function.name == "map") {
        for argument in &call.call.arguments {
            let mut take = |expression: &tree::Expression| {
                if let tree::ExpressionKind::Text(tree::TextLiteral { form: tree::TextForm::Plain(start), value }) =
                    &expression.bare().kind
                {
                    let start = *start as usize;
                    found.extend(view.text().get(start..start + value.len()).map(|rows| (rows, start)));
                }
            };
            take(argument);
            if let tree::ExpressionKind::Table(entries) = &argument.kind {
                entries.iter().for_each(|entry| match entry {
                    tree::Entry::Named(name, value) if name.text.as_str() == "map" => take(value),
                    _ => {}
                });
            }
        }
    }
    found
}

/// A part of a script.
#[derive(Clone, Copy)]
pub(crate) enum Node<'t> {
    Block(&'t tree::Block),
    Expression(&'t tree::Expression),
}

/// Calls `work` with a block and all blocks and expressions in it, each before those that it contains.
pub(crate) fn nodes<'t>(body: &'t tree::Block, work: &mut dyn FnMut(Node<'t>)) {
    use tree::StatementKind as Is;
    work(Node::Block(body));
    for statement in &body.statements {
        match &statement.kind {
            Is::Local { values, .. } | Is::Return(values) => values.iter().for_each(|value| walk(value, work)),
            Is::Assign { targets, values } => targets.iter().chain(values).for_each(|value| walk(value, work)),
            Is::Call(call) => walk(call, work),
            Is::Do(body) => nodes(body, work),
            Is::While { condition, body } | Is::Repeat { body, condition } => {
                walk(condition, work);
                nodes(body, work);
            }
            Is::If { branches, otherwise } => {
                for (condition, body) in branches {
                    walk(condition, work);
                    nodes(body, work);
                }
                otherwise.iter().for_each(|body| nodes(body, work));
            }
            Is::NumericFor { range: values, body, .. } | Is::GenericFor { values, body, .. } => {
                values.iter().for_each(|value| walk(value, work));
                nodes(body, work);
            }
            Is::Function { function, .. } | Is::LocalFunction { function, .. } => nodes(&function.body, work),
            Is::Break | Is::Goto(_) | Is::Label(_) => {}
        }
    }
}

fn walk<'t>(expression: &'t tree::Expression, work: &mut dyn FnMut(Node<'t>)) {
    use tree::ExpressionKind as Is;
    work(Node::Expression(expression));
    match &expression.kind {
        Is::Function(function) => nodes(&function.body, work),
        Is::Field(inner, _) | Is::Unary(_, inner) | Is::Parenthesized(inner) => walk(inner, work),
        Is::Index(table, key) => {
            walk(table, work);
            walk(key, work);
        }
        Is::Binary(_, operands) => {
            walk(&operands.0, work);
            walk(&operands.1, work);
        }
        Is::Call(call) => {
            walk(&call.callee, work);
            call.arguments.iter().for_each(|argument| walk(argument, work));
        }
        Is::Table(entries) => entries.iter().for_each(|entry| {
            if let tree::Entry::Keyed(key, _) = entry {
                walk(key, work);
            }
            walk(entry.value(), work);
        }),
        Is::Nil
        | Is::Boolean(_)
        | Is::Integer(_)
        | Is::Float(_)
        | Is::Text(_)
        | Is::Varargs
        | Is::Name(_)
        | Is::Unread => {}
    }
}

#[cfg(test)]
mod tests {
    use super::context;

    #[test]
    fn an_open_long_string_ends_with_the_text() {
        for (text, string) in [("x = [[🐉", 6..10), ("x = [[a]]", 6..7), ("x = [=[a]]", 7..10)] {
            assert_eq!(context(text, 6 + usize::from(text.contains("=["))).string, Some(string), "{text}");
        }
    }

    /// An author completes at the end of a text that is not finished.
    #[test]
    fn every_beginning_of_a_script_has_a_context() {
        let script =
            "--[==[ a\n]==] des.map([[\n-\n]]) -- b\nlocal c = \"d\\\"\" .. 'e' --[[ f ]] des.trap({ g = h })--";
        for end in 0..=script.len() {
            for offset in 0..=end {
                context(&script[..end], offset);
            }
        }
        assert!(context("--", 2).comment);
    }
}
