//! The additions of a game's catalog to the functions, keys, words, values and globals of NetHack 5.0.0.

use std::collections::BTreeMap;

use splc_ir::catalog::{Catalog, OwnFunction, OwnKey, ValueKind};
use splc_ir::diagnostic::Diagnostics;
use splc_ir::source::SourceMap;

use crate::kinds::Kind;
use crate::tree::{Block, ExpressionKind, Function, StatementKind};

/// Returns the function that the game of `catalog` adds under this full name, e.g. `nh.weather`.
pub fn function<'c>(catalog: &'c Catalog, name: &str) -> Option<&'c OwnFunction> {
    let functions = &catalog.lua.functions;
    functions.binary_search_by(|known| known.name.as_ref().cmp(name)).ok().map(|at| &functions[at])
}

/// Returns the keys that the game of `catalog` adds to a function, or extends with words.
pub fn keys<'c>(catalog: &'c Catalog, function: &str) -> &'c [OwnKey] {
    let keys = &catalog.lua.keys;
    let from = keys.partition_point(|key| key.function.as_ref() < function);
    let count = keys[from..].partition_point(|key| key.function == function);
    &keys[from..from + count]
}

/// Returns the key `name` that the game of `catalog` adds to a function, or extends with words.
pub fn key<'c>(catalog: &'c Catalog, function: &str, name: &str) -> Option<&'c OwnKey> {
    keys(catalog, function).iter().find(|key| key.name == name)
}

/// Returns the word that `word` is like, or an empty text, if the game of `catalog` adds it to those that the key or
/// argument `name` of a function accepts.
pub fn word<'c>(catalog: &'c Catalog, function: &str, name: &str, word: &str) -> Option<&'c str> {
    let words = &key(catalog, function, name)?.words;
    words.iter().find(|(known, _)| known == word).map(|(_, like)| like.as_ref())
}

/// Returns the names that the game of `catalog` adds to one of its tables, e.g. `weather` to `nh`.
pub fn members<'c>(catalog: &'c Catalog, library: &'c str) -> impl Iterator<Item = &'c str> + Clone {
    let functions = catalog.lua.functions.iter().map(|function| function.name.as_ref());
    let names = functions.chain(catalog.lua.values.iter().map(|(name, _)| name.as_ref()));
    names.filter_map(move |name| name.strip_prefix(library)?.strip_prefix('.'))
}

/// Returns the kind of value in the table `library` that the game of `catalog` adds under `name`.
pub fn value(catalog: &Catalog, library: &str, name: &str) -> Option<ValueKind> {
    let is = |known: &str| known.strip_prefix(library).and_then(|rest| rest.strip_prefix('.')) == Some(name);
    catalog.lua.values.iter().find(|(known, _)| is(known)).map(|(_, kind)| *kind)
}

/// Returns the kind of argument for a kind of values in a catalog. The words of [`ValueKind::Word`] are in the catalog.
pub fn kind(kind: ValueKind) -> Kind {
    match kind {
        ValueKind::Any | ValueKind::Nothing => Kind::Any,
        ValueKind::Boolean => Kind::Boolean,
        ValueKind::Number => Kind::Integer,
        ValueKind::NumberOrRandom => Kind::IntegerOrRandom,
        ValueKind::Text => Kind::TextOrFunction,
        ValueKind::Word => Kind::Text,
        ValueKind::Monster => Kind::MonsterOrClass,
        ValueKind::MonsterClass => Kind::MonsterClass,
        ValueKind::Object => Kind::ObjectOrClass,
        ValueKind::ObjectClass => Kind::ObjectClass,
        ValueKind::Trap => Kind::Trap,
        ValueKind::Room => Kind::Room,
        ValueKind::MapCharacter => Kind::MapCharacter,
        ValueKind::Place => Kind::Place,
        ValueKind::Region => Kind::Region,
        ValueKind::Selection => Kind::Selection,
        ValueKind::Function => Kind::Function,
        ValueKind::Table => Kind::Table,
    }
}

/// Returns the globals that the `nhlib.lua` of the game sets, or `None` if the game has that of NetHack 5.0.0. A
/// function has its number of parameters.
pub fn globals(catalog: &Catalog) -> Option<BTreeMap<String, Option<usize>>> {
    let text = catalog.lua.library.as_ref();
    if text.is_empty() {
        return None;
    }
    let mut sources = SourceMap::new();
    let file = sources.add("nhlib.lua", None, text.as_bytes().to_vec());
    let chunk = crate::parse(&sources, file, &mut Diagnostics::new());
    let mut globals = BTreeMap::new();
    set_in(&chunk.body, &mut globals);
    Some(globals)
}

/// Collects the globals that the statements of a block set, without those inside functions.
fn set_in(block: &Block, globals: &mut BTreeMap<String, Option<usize>>) {
    let parameters = |function: &Function| (!function.varargs).then_some(function.parameters.len());
    for statement in &block.statements {
        match &statement.kind {
            StatementKind::Assign { targets, values } => {
                for (at, target) in targets.iter().enumerate() {
                    let ExpressionKind::Name(name) = &target.kind else { continue };
                    let count = match values.get(at).map(|value| &value.kind) {
                        Some(ExpressionKind::Function(function)) => parameters(function),
                        _ => None,
                    };
                    globals.insert(name.as_str().to_owned(), count);
                }
            }
            StatementKind::Function { name, fields, function } if fields.is_empty() => {
                globals.insert(name.text.as_str().to_owned(), parameters(function));
            }
            StatementKind::Do(body) => set_in(body, globals),
            StatementKind::If { branches, otherwise } => {
                branches.iter().map(|(_, body)| body).chain(otherwise).for_each(|body| set_in(body, globals));
            }
            _ => {}
        }
    }
}
