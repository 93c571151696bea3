//! The tables of a tree.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::dungeon;
use crate::evaluate::{Constants, Unknown, constants_of, evaluate, evaluate_with};
use crate::initialisers::{Element, array, array_of, fields, typed_fields};
use crate::preprocessor::{Preprocessor, value_of};
use crate::rules;
use crate::squares;
use crate::tokens::{Kind, Names, Token, logical_lines, tokens};
use crate::types::Types;
use crate::writes;
use crate::{Found, MonsterRow, ObjectRow, PlaceStatement, Settings, SourceTables, Tree, TreeError, WordRow};

/// Reads all tables into `found`.
pub fn read(tree: &mut Tree<'_>, settings: &Settings, found: &mut SourceTables) -> Result<(), TreeError> {
    species(tree, settings, found)?;
    compiler(tree, settings, found)?;
    words(tree, settings, found)?;
    grammar(tree, settings, found)?;
    version(tree, settings, found)?;
    squares::read(tree, settings, found)?;
    dungeon::read(tree, settings, found)
}

/// Reads the classes, monsters, objects and artifacts.
pub fn species(tree: &mut Tree<'_>, settings: &Settings, found: &mut SourceTables) -> Result<(), TreeError> {
    drawing(tree, settings, found)?;
    monsters(tree, settings, found)?;
    objects(tree, settings, found)?;
    artifacts(tree, found)
}

pub fn missing(tree: &mut Tree<'_>, file: &str, what: &str) {
    tree.note(file.to_owned(), format!("{what} not found; those of the parent are used"));
}

/// Reads the symbols of classes: `src/drawing.c`.
fn drawing(tree: &mut Tree<'_>, settings: &Settings, found: &mut SourceTables) -> Result<(), TreeError> {
    // Some trees have them in another file.
    for path in ["src/drawing.c", "src/symclass.c", "src/decl.c"] {
        let mut preprocessor = Preprocessor::new(tree, settings)?;
        if preprocessor.anywhere(path)? {
            let output = std::mem::take(&mut preprocessor.output);
            symbols_of_classes(tree, &output, found);
        }
        if found.monster_classes.is_some() && found.object_classes.is_some() {
            return Ok(());
        }
    }
    missing(tree, "src/drawing.c", "symbols of classes");
    Ok(())
}

/// Reads the symbols of classes from the tokens of a file.
fn symbols_of_classes(tree: &mut Tree<'_>, output: &[Token], found: &mut SourceTables) {
    let constants = constants_of(output);
    for (name, what) in [("def_monsyms", "monster classes"), ("def_oc_syms", "object classes")] {
        let Some((elements, start)) = array(output, name) else { continue };
        let mut symbols = Vec::new();
        for element in elements.iter().skip(1) {
            let value = element.list().and_then(|row| row.first()).unwrap_or(element).value();
            let symbol = value.and_then(|value| evaluate(value, &constants, Unknown::Fails));
            if symbol.is_none() {
                tree.note(tree.place(start.file, start.line), format!("cannot evaluate a symbol of the {what}"));
            }
            symbols.push(symbol.and_then(|symbol| u8::try_from(symbol & 0xff).ok()).map_or('\0', char::from));
        }
        let place = tree.place(start.file, start.line);
        let symbols = Some(Found { table: symbols, place });
        if name == "def_monsyms" {
            found.monster_classes = symbols;
        } else {
            found.object_classes = symbols;
        }
    }
}

/// Names that a level can use for a monster: of both sexes, and of males and females if they differ (`NAMS`).
fn names_of(element: Option<&Element<'_>>) -> (String, Option<(String, String)>) {
    let text = |element: &Element<'_>| element.text().unwrap_or_default();
    match element.and_then(Element::list) {
        Some([male, female, either]) => {
            let (male, female) = (text(male), text(female));
            let differ = !male.is_empty() || !female.is_empty();
            (text(either), differ.then_some((male, female)))
        }
        _ => (element.map(text).unwrap_or_default(), None),
    }
}

/// Flags of monsters (`include/monflag.h`): the field with the flag, the flag and the habit.
const HABITS: &[(&str, &str, &str)] = &[
    ("mflags1", "M1_SWIM", "swim"),
    ("mflags1", "M1_FLY", "fly"),
    ("mflags1", "M1_CLING", "cling"),
    ("mflags1", "M1_WALLWALK", "walk_walls"),
    ("mflags1", "M1_AMORPHOUS", "amorphous"),
    ("mflags1", "M1_AMPHIBIOUS", "amphibious"),
    ("mflags1", "M1_BREATHLESS", "breathless"),
    ("mflags2", "M2_ROCKTHROW", "throws_rocks"),
    ("mresists", "MR_FIRE", "resists_fire"),
];

/// Flags of monsters whose names depend on their sex.
const SEXES: &[(&str, &str, &str)] =
    &[("mflags2", "M2_MALE", "male"), ("mflags2", "M2_FEMALE", "female"), ("mflags2", "M2_NEUTER", "neuter")];

/// Reads the monsters: `src/monst.c`.
fn monsters(tree: &mut Tree<'_>, settings: &Settings, found: &mut SourceTables) -> Result<(), TreeError> {
    let path = "src/monst.c";
    let mut preprocessor = Preprocessor::new(tree, settings)?;
    preprocessor.anywhere(path)?;
    found.switches = preprocessor.switches().iter().map(|name| name.to_string()).collect();
    let output = std::mem::take(&mut preprocessor.output);
    let constants = constants_of(&output);
    let fields = fields(&output, "permonst").unwrap_or_default();
    let column = |name: &str| fields.iter().position(|field| field == name);
    let sexes = if column("pmnames").is_some() { SEXES } else { &[] };
    let mut bits = Vec::new();
    for (field, flag, habit) in HABITS.iter().chain(sexes) {
        if let Some(bit) = value_of(&mut preprocessor, &constants, flag)? {
            bits.push((*field, bit, *habit));
        }
    }
    let nemesis = value_of(&mut preprocessor, &constants, "MS_NEMESIS")?;
    let rows = array(&output, "mons").or_else(|| array_of(&output, "permonst"));
    let Some((rows, start)) = rows else {
        missing(tree, path, "the monsters (mons[])");
        return Ok(());
    };
    let flag_columns = squares::flag_columns(&output);
    let (name_column, class_column) = (column("mname").or(column("pmnames")).unwrap_or(0), column("mlet").unwrap_or(1));
    let mut table = Vec::new();
    for row in &rows {
        let Some(row) = row.list() else { continue };
        let number = |at: Option<usize>| {
            at.and_then(|at| row.get(at))
                .and_then(Element::value)
                .and_then(|value| evaluate(value, &constants, Unknown::Fails))
        };
        let (name, forms) = names_of(row.get(name_column));
        let class = number(Some(class_column));
        if class == Some(0) {
            break;
        }
        found.monster_forms.extend(forms.map(|(male, female)| (table.len(), male, female)));
        let Some(class) = class.and_then(|class| usize::try_from(class).ok()) else {
            tree.note(
                tree.place(start.file, start.line),
                format!("cannot evaluate the class of the monster \"{name}\""),
            );
            table.push(MonsterRow {
                name,
                class: 0,
                is_nemesis: false,
                habits: Vec::new(),
                flags: Vec::new(),
                color: None,
            });
            continue;
        };
        let habits = bits.iter().filter(|(field, bit, _)| number(column(field)).is_some_and(|flags| flags & bit != 0));
        let habits = habits.map(|(_, _, habit)| *habit).collect();
        let flags = flag_columns.iter().filter_map(|(column, field)| Some((field.clone(), number(Some(*column))?)));
        let (flags, color) = (flags.collect(), number(column("mcolor")).and_then(squares::nearest_color));
        let is_nemesis = nemesis.is_some() && number(column("msound")) == nemesis;
        table.push(MonsterRow { name, class, is_nemesis, habits, flags, color });
    }
    found.monsters = Some(Found { table, place: tree.place(start.file, start.line) });
    Ok(())
}

/// Reads the artifacts: the macros `A("name", OBJECT, ...)` of `include/artilist.h`. Their objects are constants of a
/// header that the game's build generates, so they stay names.
fn artifacts(tree: &mut Tree<'_>, found: &mut SourceTables) -> Result<(), TreeError> {
    let Some((file, text)) = tree.find("include/artilist.h")? else { return Ok(()) };
    let mut names = Names::default();
    for (number, line) in logical_lines(&text) {
        let line = tokens(&line, file, number, &mut names);
        for words in line.windows(5) {
            if let [macro_name, open, name, comma, object] = words
                && macro_name.names("A")
                && open.is("(")
                && comma.is(",")
                && (name.kind, object.kind) == (Kind::String, Kind::Identifier)
                && !name.text.is_empty()
            {
                found.artifact_objects.push((name.text.to_string(), object.text.to_string()));
            }
        }
    }
    Ok(())
}

/// Reads the objects: `src/objects.c`.
fn objects(tree: &mut Tree<'_>, settings: &Settings, found: &mut SourceTables) -> Result<(), TreeError> {
    let path = "src/objects.c";
    let mut preprocessor = Preprocessor::new(tree, settings)?;
    preprocessor.anywhere(path)?;
    let output = std::mem::take(&mut preprocessor.output);
    let constants = constants_of(&output);
    let illegal = value_of(&mut preprocessor, &constants, "ILLOBJ_CLASS")?;
    let rows = array(&output, "objects").or_else(|| array_of(&output, "objclass"));
    let Some((rows, start)) = rows else {
        missing(tree, path, "the objects (objects[])");
        return Ok(());
    };
    let names = array(&output, "obj_descr")
        .or_else(|| array_of(&output, "objdescr"))
        .map(|(names, _)| names)
        .unwrap_or_default();
    let fields = fields(&output, "objclass").unwrap_or_default();
    let column = |name: &str| fields.iter().position(|field| field == name);
    let (class_column, merge_column) = (column("oc_class"), column("oc_merge"));
    // If there is no separate table of names, they are in the table of objects.
    let name_column = column("oc_name").filter(|_| names.is_empty());
    let mut table = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let Some(row) = row.list() else { continue };
        let number = |column: Option<usize>| {
            let value = column.and_then(|column| row.get(column)).and_then(Element::value);
            value.and_then(|value| evaluate(value, &constants, Unknown::Fails))
        };
        let class = number(class_column);
        let name = match name_column {
            Some(column) => row.get(column),
            None => names.get(at).and_then(Element::list).and_then(|row| row.first()),
        };
        let name = name.and_then(Element::text).unwrap_or_default();
        // The second object of NetHack 3.7 stands for all strange ones. The last has no name.
        if at > 0 && class == illegal && (at > 1 || name.is_empty()) {
            break;
        }
        let described = names.get(at).and_then(Element::list).and_then(|row| row.get(1)).and_then(Element::text);
        found.object_descriptions.extend(described.map(|described| (table.len(), described)));
        let class = class.and_then(|class| usize::try_from(class).ok()).unwrap_or_else(|| {
            tree.note(
                tree.place(start.file, start.line),
                format!("cannot evaluate the class of the object \"{name}\""),
            );
            0
        });
        let (merges, color) = (number(merge_column), number(column("oc_color")));
        let merges = merges.is_some_and(|merges| merges != 0);
        let is_rare = number(column("oc_prob")) == Some(0);
        table.push(ObjectRow { name, class, merges, is_rare, color: color.and_then(squares::nearest_color) });
    }
    found.objects = Some(Found { table, place: tree.place(start.file, start.line) });
    Ok(())
}

/// Prefixes of the constants that catalogs use.
const PREFIXES: &[&str] = &[
    "SPO_",
    "SPOVAR_",
    "SP_M_V_",
    "SP_O_V_",
    "LR_",
    "LVLINIT_",
    "DB_",
    "MAX_",
    "MAXRTYPE",
    "MAP_X_LIM",
    "MAP_Y_LIM",
    "COLNO",
    "ROWNO",
    "MAXNROFROOMS",
    "TRAPNUM",
    "VIBRATING_SQUARE",
    "MAXDUNGEON",
    "MAXLEVEL",
];

/// Reads the tables of `util/lev_main.c` and its headers.
fn compiler(tree: &mut Tree<'_>, settings: &Settings, found: &mut SourceTables) -> Result<(), TreeError> {
    let path = "util/lev_main.c";
    let mut preprocessor = Preprocessor::new(tree, settings)?;
    preprocessor.anywhere(path)?;
    let output = std::mem::take(&mut preprocessor.output);
    let constants = constants_of(&output);
    traps_and_rooms(&mut preprocessor, path, &output, &constants, found);

    match map_characters(&output, &constants) {
        Some((table, start)) => {
            let place = preprocessor.tree.place(start.file, start.line);
            found.map_characters = Some(Found { table, place });
        }
        None => missing(preprocessor.tree, path, "the map characters (what_map_char)"),
    }
    level_types(&mut preprocessor, &output, &constants, found)?;
    numbers(&mut preprocessor, &constants, found)?;
    opcodes(&mut preprocessor, &output, found);
    if found.opcodes.is_some() {
        found.packing = writes::packing(&mut preprocessor, &constants)?;
    } else {
        found.writes = writes::writes(&output);
        for name in STRUCTURES {
            if let Some(fields) = typed_fields(&output, name) {
                found.structures.insert((*name).to_owned(), fields);
            }
        }
    }
    if let Some((names, start)) = array(&output, "artifact_names") {
        let table: Vec<String> = names.iter().map_while(Element::text).collect();
        let place = preprocessor.tree.place(start.file, start.line);
        found.door_artifacts = Some(Found { table, place });
    } else if let Some((rows, start)) = array(&output, "artilist") {
        // The artifacts themselves. The first string of each is its name.
        let name = |row: &Element<'_>| row.list().and_then(|row| row.iter().find_map(Element::text));
        let table: Vec<String> = rows.iter().map_while(name).collect();
        let place = preprocessor.tree.place(start.file, start.line);
        found.door_artifacts = Some(Found { table, place });
    }
    if let Some((names, start)) = array(&output, "god_names") {
        // The first and the last entry are null pointers, not gods.
        let mut table: Vec<String> = names.iter().map(|name| name.text().unwrap_or_default()).collect();
        let named = table.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        table.truncate(named);
        let place = preprocessor.tree.place(start.file, start.line);
        found.gods = Some(Found { table, place });
    }
    Ok(())
}

/// Reads the names of traps and of types of rooms, from the tokens of the file at `path`.
pub fn traps_and_rooms(
    preprocessor: &mut Preprocessor<'_, '_>,
    path: &str,
    output: &[Token],
    constants: &Constants,
    found: &mut SourceTables,
) {
    for (name, what) in [("trap_types", "the traps"), ("room_types", "the room types")] {
        let Some((rows, start)) = array(output, name) else {
            missing(preprocessor.tree, path, what);
            continue;
        };
        let mut table: Vec<(String, i64)> = Vec::new();
        let place = preprocessor.tree.place(start.file, start.line);
        // Rows in braces, or alternating names and numbers.
        let pairs: Vec<&[Element<'_>]> = match rows.first() {
            Some(Element::List(_)) => rows.iter().filter_map(Element::list).collect(),
            _ => rows.chunks(2).collect(),
        };
        for row in pairs {
            let [called, number, ..] = row else { continue };
            let (Some(called), Some(value)) = (called.text(), number.value()) else { continue };
            match evaluate(value, constants, Unknown::Fails) {
                Some(number) if !table.iter().any(|(known, _)| *known == called) => table.push((called, number)),
                Some(_) => {}
                None => preprocessor.tree.note(place.clone(), format!("cannot evaluate the number of \"{called}\"")),
            }
        }
        let table = Some(Found { table, place });
        if name == "trap_types" {
            found.traps = table;
        } else {
            found.rooms = table;
        }
    }
}

/// Keeps the constants that catalogs use.
pub fn numbers(
    preprocessor: &mut Preprocessor<'_, '_>,
    constants: &Constants,
    found: &mut SourceTables,
) -> Result<(), TreeError> {
    let known: Vec<String> = preprocessor
        .macros()
        .into_iter()
        .filter(|(name, known)| !known.takes_arguments() && PREFIXES.iter().any(|prefix| name.starts_with(prefix)))
        .map(|(name, _)| name.to_string())
        .collect();
    for name in known {
        if let Some(value) = value_of(preprocessor, constants, &name)? {
            found.constants.insert(name, value);
        }
    }
    for (name, value) in constants {
        if PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
            found.constants.insert(name.to_string(), *value);
        }
    }
    Ok(())
}

/// Structures of level files without opcodes (`include/sp_lev.h`), and the structures that contain their lists.
const STRUCTURES: &[&str] = &[
    "lev_init",
    "door",
    "room_door",
    "trap",
    "monster",
    "object",
    "altar",
    "drawbridge",
    "walk",
    "digpos",
    "lad",
    "stair",
    "region",
    "lev_region",
    "gold",
    "engraving",
    "fountain",
    "corridor",
    "mazepart",
];

/// Returns the cases of `what_map_char`, and its first token.
fn map_characters<'a>(output: &'a [Token], constants: &Constants) -> Option<(Vec<(char, i64)>, &'a Token)> {
    let start = output.windows(3).position(|window| {
        matches!(window, [name, open, parameter] if name.names("what_map_char") && open.is("(") && parameter.kind == Kind::Identifier)
            && is_definition(output, window)
    })?;
    let body = &output[start..];
    let mut table = Vec::new();
    let mut waiting: Vec<char> = Vec::new();
    let mut at = 0;
    let mut depth = 0_usize;
    while let Some(token) = body.get(at) {
        at += 1;
        if token.is("{") {
            depth += 1;
        } else if token.is("}") {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                break;
            }
        } else if token.names("case") {
            waiting.extend(
                body.get(at).filter(|token| token.kind == Kind::Character).and_then(|token| token.text.chars().next()),
            );
        } else if token.names("default") {
            break;
        } else if token.names("return") {
            let length = body[at..].iter().position(|token| token.is(";"))?;
            let value = evaluate(&body[at..at + length], constants, Unknown::Fails);
            for character in waiting.drain(..) {
                table.extend(value.map(|value| (character, value)));
            }
        }
    }
    Some((table, &output[start]))
}

/// Returns true if `window` is the start of a function with a body, not of a declaration or call.
fn is_definition(output: &[Token], window: &[Token]) -> bool {
    // The window is a slice of the output, so this is its index.
    let at = (window.as_ptr() as usize - output.as_ptr() as usize) / std::mem::size_of::<Token>();
    let mut rest = output[at..].iter().take(20).peekable();
    let mut closed = false;
    while let Some(token) = rest.next() {
        if closed && (token.is(")") || token.is("(") || token.is("=")) {
            return false;
        } else if token.is(")") {
            closed = true;
            if rest.peek().is_some_and(|next| next.is(";")) {
                return false;
            }
        } else if closed && token.is("{") {
            return true;
        }
    }
    false
}

/// Returns the names in the enumeration that contains `name`, up to that name.
fn enumeration_with<'a>(tokens: &'a [Token], name: &str) -> Vec<&'a str> {
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.names("enum")) {
        let rest = &tokens[at..];
        let Some(open) = rest.iter().take(3).position(|token| token.is("{")) else { continue };
        let body = rest[open + 1..].iter().take_while(|token| !token.is("}"));
        let mut before = "{";
        let mut names = Vec::new();
        for token in body {
            if token.kind == Kind::Identifier && matches!(before, "{" | ",") {
                if &*token.text == name {
                    return names;
                }
                names.push(&*token.text);
            }
            before = &token.text;
        }
    }
    Vec::new()
}

/// Reads the names of the types of squares: macros of `include/rm.h`, or an enumeration.
pub fn level_types(
    preprocessor: &mut Preprocessor<'_, '_>,
    output: &[Token],
    constants: &Constants,
    found: &mut SourceTables,
) -> Result<(), TreeError> {
    let Some((file, _)) = preprocessor.tree.find("include/rm.h")? else { return Ok(()) };
    let Some(count) = value_of(preprocessor, constants, "MAX_TYPE")?.and_then(|count| usize::try_from(count).ok())
    else {
        missing(preprocessor.tree, "include/rm.h", "the types of squares (MAX_TYPE)");
        return Ok(());
    };
    let last = preprocessor.macro_named("MAX_TYPE").map_or(usize::MAX, |known| known.order);
    let mut names: Vec<Option<String>> = vec![None; count.min(127)];
    let mut keep = |name: &str, value: i64| {
        if let Some(slot) = usize::try_from(value).ok().and_then(|value| names.get_mut(value))
            && slot.is_none()
        {
            *slot = Some(name.to_ascii_lowercase());
        }
    };
    let enumerated = enumeration_with(output, "MAX_TYPE");
    for name in &enumerated {
        if let Some(value) = constants.get(*name) {
            keep(name, *value);
        }
    }
    if enumerated.is_empty() {
        let candidates: Vec<String> = preprocessor
            .macros()
            .into_iter()
            .filter(|(_, known)| known.file == file && !known.takes_arguments() && known.order < last)
            .map(|(name, _)| name.to_string())
            .collect();
        for name in candidates {
            if let Some(value) = value_of(preprocessor, constants, &name)? {
                keep(&name, value);
            }
        }
    }
    let table =
        names.into_iter().zip(0..).map(|(name, number)| name.unwrap_or_else(|| format!("type_{number}"))).collect();
    found.level_types = Some(Found { table, place: "include/rm.h".to_owned() });
    Ok(())
}

/// Reads the opcodes and their encoding: `include/sp_lev.h`.
fn opcodes(preprocessor: &mut Preprocessor<'_, '_>, output: &[Token], found: &mut SourceTables) {
    let mut numbered: Vec<(i64, String)> = found
        .constants
        .iter()
        .filter_map(|(name, value)| Some((*value, name.strip_prefix("SPO_")?.to_ascii_lowercase())))
        .filter(|(value, name)| *value >= 0 && !name.starts_with("max"))
        .collect();
    numbered.sort();
    if numbered.is_empty() {
        return;
    }
    let mut table = Vec::new();
    let most = found.constants.get("MAX_SP_OPCODES").copied().unwrap_or(i64::MAX);
    for (value, name) in numbered {
        if value == table.len() as i64 && value < most {
            table.push(name);
        } else if value >= table.len() as i64 {
            preprocessor.tree.note("include/sp_lev.h".to_owned(), format!("there is a gap before the opcode {name}"));
            break;
        }
    }
    found.opcodes = Some(Found { table, place: "include/sp_lev.h".to_owned() });
    let at = output
        .windows(2)
        .position(|window| matches!(window, [_, name] if name.names("spovartyp") || name.names("svtyp")));
    found.value_type_bytes = at.map(|at| match &*output[at].text {
        "short" | "coordxy" | "int16_t" | "sint16" | "xint16" => 2,
        "int" => 4,
        _ => 1,
    });
}

/// A file of the tree: its path, number and text.
type FoundFile = (&'static str, u16, Rc<str>);
fn first_of(tree: &mut Tree<'_>, paths: &[&'static str]) -> Result<Option<FoundFile>, TreeError> {
    for path in paths {
        if let Some((file, text)) = tree.find(path)? {
            return Ok(Some((path, file, text)));
        }
    }
    Ok(None)
}

/// Reads the words of the lexer: `util/lev_comp.l`.
fn words(tree: &mut Tree<'_>, settings: &Settings, found: &mut SourceTables) -> Result<(), TreeError> {
    let Some((path, file, text)) = first_of(tree, &["util/lev_comp.l", "util/lev_lex.l", "util/lev_scan.l"])? else {
        missing(tree, "util/lev_comp.l", "the keywords of the level compiler");
        return Ok(());
    };
    let lex = rules::take_apart(&text);
    let mut preprocessor = Preprocessor::new(tree, settings)?;
    preprocessor.text(path, file, &lex.prologue)?;
    let constants = constants_of(&preprocessor.output);
    let mut table = BTreeMap::new();
    for rule in &lex.rules {
        let action = preprocessor.expand_text(rule.action, file, rule.line)?;
        let Some(token) = action.iter().rposition(|token| token.names("return")).and_then(|at| action.get(at + 1..))
        else {
            continue;
        };
        let Some(token) = token.iter().find(|token| token.kind == Kind::Identifier) else { continue };
        let assigned = action.windows(4).position(|window| {
            matches!(window, [value, dot, field, equals]
                if value.names("yylval") && dot.is(".") && field.names("i") && equals.is("="))
        });
        let mut value = None;
        if let Some(at) = assigned {
            let rest = &action[at + 4..];
            let mut open = 0_i32;
            let ends = |token: &Token| {
                open += i32::from(token.is("(")) - i32::from(token.is(")"));
                open < 0 || token.is(";")
            };
            let end = rest.iter().position(ends).unwrap_or(rest.len());
            value = evaluate(&rest[..end], &constants, Unknown::Fails);
            if value.is_none() {
                let place = preprocessor.tree.place(file, rule.line);
                preprocessor.tree.note(place, format!("cannot evaluate the number of `{}`", rule.words.join("|")));
            }
        }
        for word in &rule.words {
            table.entry(word.clone()).or_insert_with(|| WordRow { token: token.text.to_string(), value });
        }
    }
    for (line, text) in &lex.strange {
        let place = preprocessor.tree.place(file, *line);
        preprocessor.tree.note(place, format!("cannot parse the rule `{text}`"));
    }
    if let Some((class, line)) = lex.map_line {
        found.map_line = Some(Found { table: class, place: tree.place(file, line) });
    } else {
        missing(tree, path, "the characters of map lines");
    }
    found.words = Some(Found { table, place: path.to_owned() });
    Ok(())
}

/// Reads the statements of one place: `util/lev_comp.y`.
fn grammar(tree: &mut Tree<'_>, settings: &Settings, found: &mut SourceTables) -> Result<(), TreeError> {
    let Some((path, file, text)) = first_of(tree, &["util/lev_comp.y", "util/lev_yacc.y", "util/lev_parse.y"])? else {
        missing(tree, "util/lev_comp.y", "the grammar of the level compiler");
        return Ok(());
    };
    found.has_grammar = true;
    let mut names = Names::default();
    let mut all = Vec::new();
    for (number, line) in logical_lines(&text) {
        let line = tokens(&line, file, number, &mut names);
        tree.spend(line.len())?;
        all.extend(line);
    }
    let Some(words) = &found.words else { return Ok(()) };
    for (at, window) in all.windows(4).enumerate() {
        let [word, colon, operand, open] = window else { continue };
        let is_rule = word.kind == Kind::Identifier
            && colon.kind == Kind::Character
            && &*colon.text == ":"
            && (operand.names("ter_selection") || operand.names("coordinate"))
            && open.is("{");
        if !is_rule {
            continue;
        }
        let action = all[at + 4..].iter().take_while(|token| !token.is("}"));
        let opcode = action.filter_map(|token| token.text.strip_prefix("SPO_")).last();
        let begins = words.table.iter().find(|(_, row)| row.token == *word.text);
        let opcode = opcode.map(str::to_ascii_lowercase).or_else(|| operand.names("coordinate").then(String::new));
        if let (Some(opcode), Some((begins, _))) = (opcode, begins) {
            found.place_statements.push(PlaceStatement { word: begins.clone(), opcode });
        }
    }
    forms(&all, found);
    conditions(tree, settings, path, file, &text, found)
}

/// Reads the optional forms of the grammar with the tokens `all`.
fn forms(all: &[Token], found: &mut SourceTables) {
    let character = |token: &Token, text: &str| token.kind == Kind::Character && &*token.text == text;
    let forms = &mut found.forms;
    for (at, window) in all.windows(4).enumerate() {
        let [one, two, three, four] = window else { continue };
        if one.names("LEV") && character(two, "(") && character(three, ")") {
            forms.empty_level_regions = true;
        } else if one.names("coordinate") && character(two, "[") && character(four, "]") {
            found.place_check.get_or_insert_with(|| three.text.to_string());
        } else if one.names("OBJFLAGS_ID") && character(two, ":") {
            // The list of words is a separate rule, further on.
            let rule = all[at + 3..].windows(2).position(|rule| rule[0].text == three.text && rule[1].is(":"));
            let body = rule.map_or(&[][..], |rule| &all[at + 3 + rule..]);
            let token =
                body.iter().skip(1).take(12).find(|token| token.kind == Kind::Identifier && *token.text != *three.text);
            found.object_flags = token.map(|token| token.text.to_string());
        } else if two.is("==") && character(three, "#") {
            forms.hash_class = true;
        } else if one.names("math_expr_var")
            && character(two, ",")
            && three.names("math_expr_var")
            && all[..at].iter().rev().take(8).any(|token| token.names("GRADIENT_TYPE"))
        {
            forms.comma_gradients = true;
        } else if character(one, ":") && two.names("INTEGER") && three.is("{") {
            // The action on the number identifies the statement.
            let action = all[at + 3..].iter().take_while(|token| !token.is("}")).take(60);
            forms.vault_depths |=
                action.filter(|token| token.kind == Kind::Identifier).any(|token| token.text.contains("mindepth"));
        } else if one.names("prefilled") && (character(two, ":") || two.is(":")) {
            let rule = all[at..].iter().take(120).collect::<Vec<_>>();
            forms.irregular_truth |= rule
                .windows(3)
                .any(|window| window[0].names("FILLING") && character(window[1], ",") && window[2].names("BOOLEAN"));
        }
    }
}

/// Returns the condition of the last `if` before `end`.
fn condition_before(tokens: &[Token], end: usize) -> Option<&[Token]> {
    let start = tokens[..end].iter().rposition(|token| token.names("if"))?;
    let mut depth = 0_usize;
    for (at, token) in tokens[start + 1..end].iter().enumerate() {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return tokens.get(start + 2..start + 1 + at);
            }
        }
    }
    None
}

/// Evaluates `condition` with these values of names. Returns `None` if it is not understood.
fn holds(condition: &[Token], constants: &Constants, names: &[(&str, i64)]) -> Option<bool> {
    let mut constants = constants.clone();
    for (name, value) in names {
        constants.insert((*name).into(), *value);
    }
    // Of `init_lev.fg`, the last name is the relevant one.
    let fields = condition.iter().enumerate().filter(|(at, token)| {
        !token.is(".") && !condition.get(at + 1).is_some_and(|next| next.is(".") && token.kind == Kind::Identifier)
    });
    let plain: Vec<Token> = fields.map(|(_, token)| token.clone()).collect();
    Some(evaluate(&plain, &constants, Unknown::Fails)? != 0)
}

/// Reads facts from the conditions in the actions of the grammar.
fn conditions(
    tree: &mut Tree<'_>,
    settings: &Settings,
    path: &str,
    file: u16,
    text: &str,
    found: &mut SourceTables,
) -> Result<(), TreeError> {
    let mut preprocessor = Preprocessor::new(tree, settings)?;
    preprocessor.text(path, file, text)?;
    let output = std::mem::take(&mut preprocessor.output);
    let constants = constants_of(&output);
    let types = found.level_types.as_ref().map_or(0, |types| types.table.len() as i64);
    for (at, token) in output.iter().enumerate().filter(|(_, token)| token.kind == Kind::String) {
        let message = token.text.to_ascii_lowercase();
        found.forms.chances_of_types_only |= message.contains("typed rooms can have a chance");
        if message.starts_with("spill: invalid count")
            && let Some(condition) = condition_before(&output, at)
        {
            found.forms.empty_spills = holds(condition, &constants, &[("c", 0)]) == Some(false);
        }
        if message.contains("type for joined map") && found.joined.is_none() {
            let Some(condition) = condition_before(&output, at) else { continue };
            let fits = |number: &i64| holds(condition, &constants, &[("fg", *number), ("joined", 1)]) == Some(false);
            let table: Vec<i64> = (0..types).filter(fits).collect();
            let place = tree.place(token.file, token.line);
            if !table.is_empty() {
                found.joined = Some(Found { table, place });
            }
        } else if message.contains("room position") && found.room_positions.is_none() {
            let Some(condition) = condition_before(&output, at) else { continue };
            let fits = |x: i64, y: i64| holds(condition, &constants, &[("$2", x), ("$4", y)]) == Some(false);
            let range = |fits: &dyn Fn(i64) -> bool| {
                let all: Vec<i64> = (0..=127).filter(|number| fits(*number)).collect();
                Some((*all.first()?, *all.last()?))
            };
            if let (Some(columns), Some(rows)) = (range(&|x| fits(x, 1)), range(&|y| fits(1, y))) {
                found.room_positions = Some([columns, rows]);
            }
        }
    }
    for (at, window) in output.windows(10).enumerate() {
        let names = ["RANDOM_TYPE", "{", "current_coord", ".", "x", "=", "current_coord", ".", "y", "="];
        if !window.iter().zip(names).all(|(token, name)| &*token.text == name) {
            continue;
        }
        let rest = &output[at + 10..];
        let length = rest.iter().position(|token| token.is(";")).unwrap_or(0);
        found.random_place = evaluate(&rest[..length], &constants, Unknown::Fails);
    }
    Ok(())
}

/// Reads parts of the version header: `util/makedefs.c`, `make_version`.
fn version(tree: &mut Tree<'_>, settings: &Settings, found: &mut SourceTables) -> Result<(), TreeError> {
    let path = "util/makedefs.c";
    let mut preprocessor = Preprocessor::new(tree, settings)?;
    if !preprocessor.anywhere(path)? {
        missing(tree, path, "the version header");
        return Ok(());
    }
    let output = std::mem::take(&mut preprocessor.output);
    let constants = constants_of(&output);
    for (at, field) in ["incarnation", "feature_set"].into_iter().enumerate() {
        let Some(assigned) = assignment(&output, field) else { continue };
        found.header[at] = evaluate(assigned, &constants, Unknown::Fails).map(|value| value as u64);
    }
    for abi in splc_ir::abi::ALL {
        let types = Types::read(&output, &constants, abi);
        if abi.long == 8 && found.header_bytes.is_none() {
            let header = preprocessor.expand_text("struct version_info", 0, 0)?;
            found.header_bytes = types.size_of(&header).and_then(|size| usize::try_from(size).ok());
        }
        let mut sizes = Vec::new();
        for field in ["struct_sizes", "struct_sizes1", "struct_sizes2"] {
            let Some(assigned) = assignment(&output, field) else { continue };
            match evaluate_with(assigned, &constants, Unknown::Fails, &|tokens| types.size_of(tokens)) {
                Some(value) => sizes.push(value as u64),
                None => {
                    sizes.clear();
                    break;
                }
            }
        }
        if !sizes.is_empty() {
            found.struct_sizes.insert(abi.name, sizes);
        }
    }
    if let Some((names, start)) = array(&output, "artifact_names") {
        let table: Vec<String> = names.iter().skip(1).map_while(Element::text).collect();
        found.artifacts = Some(Found { table, place: tree.place(start.file, start.line) });
    } else {
        missing(tree, path, "the artifacts");
    }
    if let (Some(artifacts), Some(objects), Some(monsters)) = (&found.artifacts, &found.objects, &found.monsters) {
        // Each count is shifted above the next, even if it does not fit into its bits.
        let (artifacts, objects, monsters) = (artifacts.table.len(), objects.table.len(), monsters.table.len());
        found.header[2] = Some((((artifacts as u64) << 12 | objects as u64) << 12) | monsters as u64);
    }
    Ok(())
}

/// Returns the expression assigned to a field of the version header.
fn assignment<'a>(output: &'a [Token], field: &str) -> Option<&'a [Token]> {
    let at = output.windows(4).position(|window| {
        matches!(window, [version, dot, name, equals]
            if version.names("version") && dot.is(".") && name.names(field) && equals.is("="))
    })?;
    let rest = output.get(at + 4..)?;
    let end = rest.iter().position(|token| token.is(";")).unwrap_or(rest.len());
    rest.get(..end)
}
