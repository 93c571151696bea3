//! The tables of NetHack 3.7's family, whose levels are Lua scripts: the functions that scripts can call, and the keys
//! and words that they read.
//!
//! `src/sp_lev.c`, `src/nhlua.c`, `src/nhlsel.c` and `src/nhlobj.c` register their functions in arrays of `luaL_Reg`.
//! A function reads its table with calls such as `get_table_int_opt(L, "key", 1)`, either itself or in a function to
//! which it passes its state. Words are arrays of strings, each with an array of numbers next to it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use splc_ir::catalog::{Color, ValueKind};

use crate::dungeon;
use crate::evaluate::{Constants, Unknown, constants_of, evaluate};
use crate::initialisers::{Element, array};
use crate::limits::{MAX_LUA_ARGUMENT_TOKENS, MAX_LUA_DEPTH, MAX_LUA_KEYS};
use crate::preprocessor::Preprocessor;
use crate::squares;
use crate::tables;
use crate::tokens::{Kind, Token};
use crate::{Found, LuaKeyRow, LuaTables, LuaWordRow, Settings, SourceTables, SquareLook, Tree, TreeError};

/// Files required to read a game whose levels are Lua scripts.
pub const NEEDED: &[&str] = &["src/monst.c", "src/objects.c", "src/sp_lev.c", "src/nhlua.c", "include/rm.h"];

/// The files with functions for scripts, and the library of each array of `luaL_Reg`; an array without a name is any.
const LIBRARIES: &[(&str, &[(&str, &str)])] = &[
    ("src/sp_lev.c", &[("", "des")]),
    ("src/nhlsel.c", &[("l_selection_methods", "selection")]),
    ("src/nhlobj.c", &[("l_obj_methods", "obj")]),
    ("src/nhlua.c", &[("nhl_functions", "nh"), ("nhl_u_functions", "u")]),
];

/// The script that runs before each level.
const LIBRARY: &str = "dat/nhlib.lua";

/// The description of the dungeon.
const DUNGEON: &str = "dat/dungeon.lua";

/// Reads the tables of a tree of this family.
pub fn read(tree: &mut Tree<'_>, settings: &Settings, found: &mut SourceTables) -> Result<(), TreeError> {
    tables::species(tree, settings, found)?;
    let mut lua = LuaTables::default();
    let symbols = symbols(tree, settings)?;
    // Words of keys that other files of the game define: `materialnm[]`.
    let declared = source(tree, settings, "src/decl.c")?;
    let mut helpers: Option<Source> = None;
    // All libraries use the functions of nhlua.c.
    for (path, arrays) in LIBRARIES.iter().rev() {
        let mut preprocessor = Preprocessor::new(tree, settings)?;
        if !preprocessor.anywhere(path)? {
            tables::missing(tree, path, "functions for levels");
            continue;
        }
        let source = Source::new(std::mem::take(&mut preprocessor.output));
        if *path == "src/sp_lev.c" {
            tables::traps_and_rooms(&mut preprocessor, path, &source.tokens, &source.constants, found);
            // Levels call the choice of the game "random".
            for table in [&mut found.traps, &mut found.rooms].into_iter().flatten() {
                table.table.retain(|(name, _)| name != "random");
            }
            tables::level_types(&mut preprocessor, &source.tokens, &source.constants, found)?;
            tables::numbers(&mut preprocessor, &source.constants, found)?;
            lua.flags = flags(&source, preprocessor.tree);
        }
        if *path == "src/nhlua.c" {
            map_characters(preprocessor.tree, &source, found);
            lua.values = values(&source);
        }
        for (array, library) in *arrays {
            for (name, function) in source.registered(array) {
                let full = format!("{library}.{name}");
                let others = [helpers.as_ref(), declared.as_ref()];
                let mut reading = Reading { tree: preprocessor.tree, others, seen: HashSet::new(), keys: Vec::new() };
                reading.function(&source, &function, 0)?;
                lua.keys.extend(reading.keys.into_iter().map(|key| LuaKeyRow { function: full.clone(), ..key }));
                lua.functions.push((full, result(source.body(&function))));
            }
        }
        if *path == "src/nhlua.c" {
            helpers = Some(source);
        }
    }
    terrain_words(&mut lua, found);
    lua.looks = looks(&symbols, found);
    if let Some((_, text)) = tree.find(DUNGEON)? {
        lua.dungeon = text.to_string();
    }
    match tree.find(LIBRARY)? {
        Some((_, text)) => lua.library = text.replace("\r\n", "\n"),
        None => tables::missing(tree, LIBRARY, "the functions of levels"),
    }
    found.lua = Some(lua);
    found.landing = squares::landing(tree, settings)?;
    dungeon::read(tree, settings, found)
}

/// Preprocesses the file at `path`, if there is one.
fn source(tree: &mut Tree<'_>, settings: &Settings, path: &str) -> Result<Option<Source>, TreeError> {
    let mut preprocessor = Preprocessor::new(tree, settings)?;
    let is_there = preprocessor.anywhere(path)?;
    Ok(is_there.then(|| Source::new(std::mem::take(&mut preprocessor.output))))
}

/// Returns the brace that opens a function's body after its parameters, which older C declares in between.
fn body_after(tokens: &[Token], start: usize) -> Option<usize> {
    /// Most tokens of the declarations of parameters.
    const DECLARED: usize = 100;
    let declared =
        |token: &Token| token.kind == Kind::Identifier || ["*", ",", ";", "[", "]"].iter().any(|text| token.is(text));
    let rest = tokens.get(start..)?;
    let length = rest.iter().take(DECLARED).take_while(|token| declared(token)).count();
    let is_list = length == 0 || (rest[0].kind == Kind::Identifier && rest[length - 1].is(";"));
    (is_list && rest.get(length)?.is("{")).then_some(start + length)
}

/// A preprocessed file, with its functions and tables by name.
struct Source {
    tokens: Vec<Token>,
    constants: Constants,
    /// The body of each function: its first token, and its closing brace.
    functions: HashMap<Rc<str>, (usize, usize)>,
    /// The names of arrays with an initialiser, where they are.
    arrays: HashMap<Rc<str>, Vec<usize>>,
}

impl Source {
    fn new(tokens: Vec<Token>) -> Source {
        let constants = constants_of(&tokens);
        let partners = partners(&tokens);
        let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
        let (mut functions, mut arrays) = (HashMap::new(), HashMap::<Rc<str>, Vec<usize>>::new());
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let next = at + 1;
            if token.is("{") {
                // A body can contain arrays, but no functions.
                let end = partners.get(&at).copied().unwrap_or(at);
                arrays_in(&tokens, at..end, &partners, &mut arrays);
                at = end.max(at) + 1;
                continue;
            }
            if token.kind == Kind::Identifier
                && is(next, "(")
                && let Some(&close) = partners.get(&next)
                && let Some(open) = body_after(&tokens, close + 1)
                && let Some(&end) = partners.get(&open)
            {
                functions.entry(token.text.clone()).or_insert((open + 1, end));
                at = open;
                continue;
            }
            arrays_in(&tokens, at..next, &partners, &mut arrays);
            at = next;
        }
        Source { tokens, constants, functions, arrays }
    }

    /// Returns the rows of the array `name`, the one in `body` if there is one.
    fn array(&self, name: &str, body: Option<(usize, usize)>) -> Option<Vec<Element<'_>>> {
        let places = self.arrays.get(name)?;
        let inside = body.and_then(|(start, end)| places.iter().find(|place| (start..end).contains(place)));
        let place = *inside.or(places.first())?;
        array(self.tokens.get(place..)?, name).map(|(rows, _)| rows)
    }

    /// Returns the tokens of a function's body.
    fn body(&self, name: &str) -> &[Token] {
        self.functions.get(name).and_then(|&(start, end)| self.tokens.get(start..end)).unwrap_or_default()
    }

    /// Returns the functions in the arrays of `luaL_Reg` called `wanted`, or in all of them, with their names in
    /// scripts.
    fn registered(&self, wanted: &str) -> Vec<(String, Rc<str>)> {
        let mut places: Vec<(usize, &Rc<str>)> =
            self.arrays.iter().flat_map(|(name, places)| places.iter().map(move |place| (*place, name))).collect();
        places.sort();
        let mut all = Vec::new();
        for (place, name) in places {
            let is_list =
                place.checked_sub(1).and_then(|at| self.tokens.get(at)).is_some_and(|kind| kind.names("luaL_Reg"));
            if !is_list || (!wanted.is_empty() && &**name != wanted) {
                continue;
            }
            let rows = self.tokens.get(place..).and_then(|rest| array(rest, name)).map(|(rows, _)| rows);
            for row in rows.unwrap_or_default() {
                let Some([called, function, ..]) = row.list() else { continue };
                let function = function.value().and_then(|tokens| tokens.last());
                let (Some(called), Some(function)) = (called.text(), function) else { continue };
                // Others are for Lua itself.
                if function.kind == Kind::Identifier && !called.starts_with("__") {
                    all.push((called, function.text.clone()));
                }
            }
        }
        all
    }
}

/// Returns the closing bracket of each opening one.
fn partners(tokens: &[Token]) -> HashMap<usize, usize> {
    let mut open: Vec<usize> = Vec::new();
    let mut partners = HashMap::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Punctuation) {
        let opening = match &*token.text {
            "(" | "{" | "[" => {
                open.push(at);
                continue;
            }
            ")" => "(",
            "}" => "{",
            "]" => "[",
            _ => continue,
        };
        // A bracket that closes nothing is skipped.
        if open.last().is_some_and(|&last| tokens[last].is(opening)) {
            partners.extend(open.pop().map(|last| (last, at)));
        }
    }
    partners
}

/// Adds the arrays with an initialiser whose names are in `range`.
fn arrays_in(
    tokens: &[Token],
    range: Range<usize>,
    partners: &HashMap<usize, usize>,
    arrays: &mut HashMap<Rc<str>, Vec<usize>>,
) {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    for at in range {
        let Some(token) = tokens.get(at).filter(|token| token.kind == Kind::Identifier) else { continue };
        let mut next = at + 1;
        while is(next, "[") {
            let Some(&close) = partners.get(&next) else { break };
            next = close + 1;
        }
        if next > at + 1 && is(next, "=") && is(next + 1, "{") {
            arrays.entry(token.text.clone()).or_default().push(at);
        }
    }
}

/// Returns the strings with which a function compares its own, each with the position of the comparison.
fn comparisons(body: &[Token]) -> impl Iterator<Item = (usize, String)> {
    body.windows(2).enumerate().filter_map(|(at, window)| {
        let [compare, open] = window else { return None };
        // `strcmpi` can be a macro for `strncmpi`.
        let is_comparison = matches!(&*compare.text, "strcmp" | "strcmpi" | "strncmpi" | "strcasecmp" | "stricmp");
        let arguments = arguments(body.get(at + 2..).filter(|_| is_comparison && open.is("("))?);
        Some((at, arguments.into_iter().find_map(|argument| Element::Value(argument).text())?))
    })
}

/// Reads the level flags that `lspo_level_flags` compares.
fn flags(source: &Source, tree: &mut Tree<'_>) -> Vec<String> {
    let flags: Vec<String> = comparisons(source.body("lspo_level_flags")).map(|(_, flag)| flag).collect();
    if flags.is_empty() {
        tables::missing(tree, "src/sp_lev.c", "level flags");
    }
    flags
}

/// Reads the map characters: `char2typ[]`.
fn map_characters(tree: &mut Tree<'_>, source: &Source, found: &mut SourceTables) {
    let Some(rows) = source.array("char2typ", None) else {
        tables::missing(tree, "src/nhlua.c", "the map characters (char2typ)");
        return;
    };
    let number = |value: &Element<'_>| evaluate(value.value()?, &source.constants, Unknown::Fails);
    let any_wall = source.constants.get("MATCH_WALL").copied();
    let mut table: Vec<(char, i64)> = Vec::new();
    for row in rows.iter().filter_map(Element::list) {
        let [character, terrain, ..] = row else { continue };
        let character = number(character).and_then(|number| u8::try_from(number).ok()).map(char::from);
        if let (Some(character), Some(terrain)) = (character.filter(|c| *c != '\0'), number(terrain))
            && Some(terrain) != any_wall
            && !table.iter().any(|(known, _)| *known == character)
        {
            table.push((character, terrain));
        }
    }
    let place = "src/nhlua.c".to_owned();
    let all: String = table.iter().map(|(character, _)| *character).collect();
    found.map_line = Some(Found { table: all, place: place.clone() });
    found.map_characters = Some(Found { table, place });
}

/// Reads the values of `u` and `nhc`.
fn values(source: &Source) -> Vec<(String, ValueKind)> {
    let mut values = Vec::new();
    let names = |name: &str| {
        let rows = source.array(name, None).unwrap_or_default();
        let first = |row: &Element<'_>| row.list().and_then(|row| row.first()).and_then(Element::text);
        rows.iter().filter_map(first).collect::<Vec<String>>()
    };
    values.extend(names("nhl_consts").into_iter().map(|name| (format!("nhc.{name}"), ValueKind::Number)));
    values.extend(names("ustruct").into_iter().map(|name| (format!("u.{name}"), ValueKind::Number)));
    let body = source.body("nhl_meta_u_index");
    for (at, name) in comparisons(body) {
        let pushed = body[at..].iter().take(MAX_LUA_ARGUMENT_TOKENS).find(|token| token.text.contains("_push"));
        let kind = match pushed.map_or("", |token| &*token.text) {
            "lua_pushstring" => ValueKind::Text,
            "lua_pushboolean" => ValueKind::Boolean,
            "lua_pushinteger" => ValueKind::Number,
            _ => ValueKind::Any,
        };
        values.push((format!("u.{name}"), kind));
    }
    values
}

/// The reading of one function's keys.
struct Reading<'r, 'f> {
    tree: &'r mut Tree<'f>,
    /// Other files with functions and words.
    others: [Option<&'r Source>; 2],
    /// The functions that were read.
    seen: HashSet<Rc<str>>,
    keys: Vec<LuaKeyRow>,
}

impl Reading<'_, '_> {
    /// Collects the keys that a function reads, with those of the functions to which it passes its state.
    fn function(&mut self, source: &Source, name: &Rc<str>, depth: usize) -> Result<(), TreeError> {
        let Some(&(start, end)) = source.functions.get(name).filter(|_| depth <= MAX_LUA_DEPTH) else { return Ok(()) };
        if !self.seen.insert(name.clone()) {
            return Ok(());
        }
        let body = source.tokens.get(start..end).unwrap_or_default();
        self.tree.spend(body.len())?;
        for (at, window) in body.windows(3).enumerate() {
            let [called, open, state] = window else { continue };
            if !(called.kind == Kind::Identifier && open.is("(") && state.names("L")) {
                continue;
            }
            let arguments = arguments(&body[at + 2..]);
            let text = |number: usize| match arguments.get(number) {
                Some([only]) if only.kind == Kind::String => Some(only.text.to_string()),
                _ => None,
            };
            if let Some(kind) = reader(&called.text) {
                // Functions that read places or entries of lists do so from tables of their own.
                if called.names("lua_getfield") && depth > 0 {
                    continue;
                }
                let key = if called.names("lua_getfield") { text(2) } else { text(1) };
                let Some(key) = key.filter(|key| !key.is_empty()) else { continue };
                let words = match (kind, arguments.get(3)) {
                    (ValueKind::Word, Some([words])) => self.words(source, &words.text, (start, end)),
                    _ => Vec::new(),
                };
                self.add(key, kind, words);
            } else if let Some(key) = (1..arguments.len()).find_map(text).filter(|_| called.text.contains("flag")) {
                // The functions of the game for flags of squares read yes or no.
                self.add(key, ValueKind::Boolean, Vec::new());
            } else if source.functions.contains_key(&called.text) {
                self.function(source, &called.text, depth + 1)?;
            } else if let Some(helpers) = self.others[0] {
                self.function(helpers, &called.text, depth + 1)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, name: String, kind: ValueKind, words: Vec<LuaWordRow>) {
        if self.keys.len() < MAX_LUA_KEYS && !self.keys.iter().any(|key| key.name == name) {
            self.keys.push(LuaKeyRow { function: String::new(), name, kind, words });
        }
    }

    /// Returns the words in the array `name`, with their numbers if there is an array of them.
    fn words(&self, source: &Source, name: &str, body: (usize, usize)) -> Vec<LuaWordRow> {
        let here = source.array(name, Some(body));
        let there = || self.others.iter().flatten().find_map(|other| other.array(name, None));
        let words = here.or_else(there).unwrap_or_default();
        let number = |row: &Element<'_>| evaluate(row.value()?, &source.constants, Unknown::Fails);
        let numbers: Vec<Option<i64>> =
            source.array(&format!("{name}2i"), Some(body)).unwrap_or_default().iter().map(number).collect();
        let words = words.iter().map_while(Element::text).enumerate();
        let row = |(at, word)| LuaWordRow { word, number: numbers.get(at).copied().flatten(), terrain: None };
        words.map(row).take(MAX_LUA_KEYS).collect()
    }
}

/// Returns the arguments of a call whose opening bracket is before `tokens`.
fn arguments(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0_usize;
    let (mut all, mut start) = (Vec::new(), 0);
    for (at, token) in tokens.iter().enumerate().take(MAX_LUA_ARGUMENT_TOKENS) {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") && depth > 0 {
            depth -= 1;
        } else if depth == 0 && (token.is(",") || token.is(")")) {
            all.push(&tokens[start..at]);
            start = at + 1;
            if token.is(")") {
                break;
            }
        }
    }
    all
}

/// Returns the kind of result of a function with this body: what it pushes last.
fn result(body: &[Token]) -> ValueKind {
    let kind = |token: &Token| {
        Some(match &*token.text {
            "lua_pushboolean" => ValueKind::Boolean,
            "lua_pushinteger" | "lua_pushnumber" => ValueKind::Number,
            "lua_pushstring" | "lua_pushfstring" | "lua_pushlstring" => ValueKind::Text,
            "l_selection_push_new" | "l_selection_push_copy" => ValueKind::Selection,
            "nhl_push_obj" => ValueKind::Object,
            "lua_newtable" | "lua_createtable" => ValueKind::Table,
            _ => return None,
        })
    };
    // The fields of a table are pushed after it.
    let all: Vec<ValueKind> = body.iter().filter_map(kind).collect();
    let table = all.iter().find(|kind| **kind == ValueKind::Table);
    *table.or(all.last()).unwrap_or(&ValueKind::Nothing)
}

/// Returns the kind of values that a function of nhlua.c or Lua reads from a table.
fn reader(name: &str) -> Option<ValueKind> {
    Some(match name {
        "get_table_boolean" | "get_table_boolean_opt" => ValueKind::Boolean,
        "get_table_int" | "get_table_int_opt" => ValueKind::Number,
        "get_table_int_or_random" => ValueKind::NumberOrRandom,
        "get_table_str" | "get_table_str_opt" => ValueKind::Text,
        "get_table_option" => ValueKind::Word,
        "get_table_mapchr" | "get_table_mapchr_opt" => ValueKind::MapCharacter,
        "get_table_traptype_opt" => ValueKind::Trap,
        "get_table_roomtype_opt" => ValueKind::Room,
        "get_table_region" => ValueKind::Region,
        "lua_getfield" => ValueKind::Any,
        _ => return None,
    })
}

/// Gives the words for features the names of their terrain.
fn terrain_words(lua: &mut LuaTables, found: &SourceTables) {
    let Some(types) = &found.level_types else { return };
    let features = lua.keys.iter_mut().filter(|key| key.function == "des.feature" && key.name == "type");
    for word in features.flat_map(|key| &mut key.words) {
        let number = word.number.and_then(|number| usize::try_from(number).ok());
        word.terrain = number.and_then(|number| types.table.get(number)).cloned();
    }
}

/// A symbol for a square: its character, its description and its colour.
type Symbol = (char, String, Option<Color>);

/// Reads the symbols of squares by name: `forge` for `S_forge`.
fn symbols(tree: &mut Tree<'_>, settings: &Settings) -> Result<BTreeMap<String, Symbol>, TreeError> {
    let mut all = BTreeMap::new();
    let Some(source) = source(tree, settings, "src/drawing.c")? else { return Ok(all) };
    let rows = source.array("defsyms", None).unwrap_or_default();
    for (name, number) in &source.constants {
        let Some(name) = name.strip_prefix("S_") else { continue };
        let row = usize::try_from(*number).ok().and_then(|number| rows.get(number)).and_then(Element::list);
        let Some([symbol, description, color, ..]) = row else { continue };
        let number = |element: &Element<'_>| evaluate(element.value()?, &source.constants, Unknown::Fails);
        let symbol = number(symbol).and_then(|symbol| u8::try_from(symbol).ok()).map(char::from);
        let color = number(color).and_then(Color::numbered);
        if let Some(symbol) = symbol.filter(char::is_ascii_graphic) {
            all.insert(name.to_owned(), (symbol, description.text().unwrap_or_default(), color));
        }
    }
    Ok(all)
}

/// Returns the appearance of the types of squares that have a symbol of their own name.
fn looks(symbols: &BTreeMap<String, Symbol>, found: &SourceTables) -> Vec<SquareLook> {
    let types = found.level_types.iter().flat_map(|found| &found.table);
    let look = |of: &String| {
        let (symbol, description, color) = symbols.get(of)?;
        let (symbol, name, color) = (*symbol, description.clone(), *color);
        Some(SquareLook { of: of.clone(), symbol, name, color })
    };
    types.filter_map(look).collect()
}
