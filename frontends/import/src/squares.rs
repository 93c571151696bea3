//! The properties of the types of squares, and the habits of monsters: what the game's own macros and functions say.
//!
//! The macros on types of squares (`include/rm.h`) and on monsters (`include/mondata.h`) are expanded and evaluated for
//! every type and every monster. The functions that compare a square with types (`is_lava`, `is_ok_location`) are
//! searched for the types that they name.

use std::collections::BTreeSet;
use std::rc::Rc;

use splc_ir::catalog::Color;

use crate::evaluate::{Constants, Unknown, constants_of, evaluate};
use crate::initialisers::{Element, array, fields};
use crate::preprocessor::Preprocessor;
use crate::tokens::{Kind, Token};
use crate::{Found, Ground, Settings, SourceTables, SquareRow, Tree, TreeError};

/// Functions whose comparisons say which types of squares are alike, with the files that contain them.
const FUNCTIONS: &[(&str, &[&str])] = &[
    ("is_pool", &["src/dbridge.c"]),
    ("is_lava", &["src/dbridge.c"]),
    ("is_ok_location", &["src/sp_lev.c"]),
    ("bad_location", &["src/mkmaze.c"]),
];

/// Macros on monsters, and the habits that they define.
const HABITS: &[(&str, &str)] = &[
    ("is_swimmer", "swim"),
    ("is_flyer", "fly"),
    ("is_clinger", "cling"),
    ("passes_walls", "walk_walls"),
    ("amorphous", "amorphous"),
    ("amphibious", "amphibious"),
    ("breathless", "breathless"),
    ("throws_rocks", "throws_rocks"),
    ("likes_lava", "lava_ok"),
    ("flaming", "flaming"),
    ("is_floater", "floater"),
    ("noncorporeal", "noncorporeal"),
    // The names of dNAO, where other things give the same habits.
    ("species_swims", "swim"),
    ("species_flies", "fly"),
    ("species_floats", "floater"),
    ("species_passes_walls", "walk_walls"),
];

/// Reads the properties of squares and monsters into `found`.
pub fn read(tree: &mut Tree<'_>, settings: &Settings, found: &mut SourceTables) -> Result<(), TreeError> {
    // The files are read for their macros; the tables report the headers that are missing.
    let notes = tree.notes.len();
    let result = properties(tree, settings, found);
    tree.notes.truncate(notes);
    result
}

fn properties(tree: &mut Tree<'_>, settings: &Settings, found: &mut SourceTables) -> Result<(), TreeError> {
    let Some(types) = found.level_types.clone() else { return Ok(()) };
    let mut preprocessor = Preprocessor::new(tree, settings)?;
    if !preprocessor.anywhere("src/display.c")? {
        return Ok(());
    }
    let display = std::mem::take(&mut preprocessor.output);
    let constants = constants_of(&display);
    let drawn = drawn(&mut preprocessor, settings, &display, &constants)?;
    let mut rows = Vec::with_capacity(types.table.len());
    for number in (0_i64..).take(types.table.len()) {
        let mut is = |of: &str| -> Result<Option<bool>, TreeError> {
            let expanded = preprocessor.expand_text(&format!("{of}({number})"), 0, 0)?;
            Ok(evaluate(&expanded, &constants, Unknown::Fails).map(|value| value != 0))
        };
        let (wall, rock, accessible) = (is("IS_STWALL")?, is("IS_ROCK")?, is("ACCESSIBLE")?);
        let (pool, furniture, air) = (is("IS_POOL")?, is("IS_FURNITURE")?, is("IS_AIR")?);
        let ground = match () {
            () if rock.is_none() || accessible.is_none() => None,
            () if wall == Some(true) => Some(Ground::Wall),
            () if accessible == Some(true) && furniture == Some(true) => Some(Ground::Furniture),
            () if accessible == Some(true) && air == Some(true) => Some(Ground::Air),
            () if accessible == Some(true) => Some(Ground::Floor),
            () if rock == Some(true) => Some(Ground::Rock),
            () if pool == Some(true) => Some(Ground::Pool),
            () => Some(Ground::Barrier),
        };
        let look = drawn.iter().find(|(of, ..)| *of == number);
        rows.push(SquareRow {
            ground,
            symbol: look.map(|(_, look)| look.0),
            description: look.map(|(_, look)| look.1.clone()).filter(|name| !name.is_empty()),
            color: look.and_then(|(_, look)| look.2),
            is_dry: None,
            is_landing: None,
        });
    }
    habits(&mut preprocessor, &constants, found)?;
    found.leaves_out_rooms = leaves_out_rooms(tree, settings)?;
    for (function, paths) in FUNCTIONS {
        let Some(named) = compared(tree, settings, function, paths)? else { continue };
        for (number, row) in (0_i64..).zip(&mut rows) {
            let is_named = named.contains(&number);
            match *function {
                "is_pool" if is_named && row.ground == Some(Ground::Barrier) => row.ground = Some(Ground::Pool),
                "is_lava" if is_named && row.ground == Some(Ground::Barrier) => row.ground = Some(Ground::Lava),
                "is_ok_location" => row.is_dry = Some(is_named),
                "bad_location" => row.is_landing = Some(is_named),
                _ => {}
            }
        }
    }
    found.squares = Some(Found { table: rows, place: types.place });
    Ok(())
}

/// A symbol, a description and a colour.
type Look = (char, String, Option<Color>);

/// Names of the function that draws a square without things.
const DRAWING: [&str; 3] = ["back_to_glyph", "back_to_defsym", "back_to_cmap"];

/// Returns the looks of types of squares: the cases of `back_to_glyph` name entries of `defsyms`.
fn drawn(
    preprocessor: &mut Preprocessor<'_, '_>,
    settings: &Settings,
    display: &[Token],
    constants: &Constants,
) -> Result<Vec<(i64, Look)>, TreeError> {
    let mut entries: Vec<(i64, i64)> = Vec::new();
    let mut waiting: Vec<i64> = Vec::new();
    let bodies = DRAWING.iter().filter_map(|name| body_of(display, name));
    let body = bodies.max_by_key(|body| body.iter().filter(|token| token.names("case")).count()).unwrap_or_default();
    let mut depth = 0_usize;
    for (at, token) in body.iter().enumerate() {
        depth += usize::from(token.is("{"));
        depth = depth.saturating_sub(usize::from(token.is("}")));
        // Inner choices depend on the state of a drawbridge.
        if depth > 1 {
            continue;
        }
        if token.names("case") {
            let length = body[at + 1..].iter().position(|token| token.is(":")).unwrap_or(0);
            waiting.extend(evaluate(&body[at + 1..at + 1 + length], constants, Unknown::Fails));
        } else if token.names("break") {
            waiting.clear();
        } else if (token.names("idx") || token.names("cmap")) && body.get(at + 1).is_some_and(|token| token.is("=")) {
            let length = body[at + 2..].iter().position(|token| token.is(";")).unwrap_or(0);
            let value = &body[at + 2..at + 2 + length];
            // Of a choice, the first: a door's state and a stairway's direction are known only in the level.
            let start = value.iter().position(|token| token.is("?")).map_or(0, |at| at + 1);
            let first = value[start..].split(|token| token.is(":")).next().unwrap_or_default();
            if let Some(entry) = evaluate(first, constants, Unknown::Fails) {
                entries.extend(waiting.drain(..).map(|of| (of, entry)));
            }
        }
    }
    // Symbols are macros or an enumeration; both are known after `display.c`.
    let mut drawing = Preprocessor::new(preprocessor.tree, settings)?;
    drawing.anywhere("src/drawing.c")?;
    let output = std::mem::take(&mut drawing.output);
    let colors = constants_of(&output);
    let Some((symbols, _)) = array(&output, "defsyms") else { return Ok(Vec::new()) };
    let look = |entry: i64| {
        let row = symbols.get(usize::try_from(entry).ok()?)?.list()?;
        let number = |element: &Element<'_>| evaluate(element.value()?, &colors, Unknown::Fails);
        let symbol = char::from(u8::try_from(number(row.first()?)? & 0xff).ok()?);
        let description = row.iter().find_map(Element::text).unwrap_or_default();
        let color = row.iter().skip(2).find_map(number).and_then(nearest_color);
        (symbol.is_ascii_graphic() || symbol == ' ').then_some((symbol, description, color))
    };
    let mut looks: Vec<(i64, Look)> = Vec::new();
    for (of, entry) in entries {
        if !looks.iter().any(|(known, _)| *known == of) {
            looks.extend(look(entry).map(|look| (of, look)));
        }
    }
    Ok(looks)
}

/// Returns the colour with this number, or the nearest one for a number of the 256 colours of a terminal.
pub fn nearest_color(number: i64) -> Option<Color> {
    /// The red, green and blue of the colours, in their order.
    const SHADES: [[i64; 3]; 15] = [
        [0, 0, 0],
        [205, 0, 0],
        [0, 205, 0],
        [205, 130, 0],
        [0, 0, 205],
        [205, 0, 205],
        [0, 205, 205],
        [190, 190, 190],
        [255, 130, 0],
        [0, 255, 0],
        [255, 255, 0],
        [90, 90, 255],
        [255, 0, 255],
        [0, 255, 255],
        [255, 255, 255],
    ];
    let shade = match number {
        0..=15 => return Color::numbered(number),
        16..=231 => {
            let level = |at: i64| if at == 0 { 0 } else { 55 + 40 * at };
            let at = number - 16;
            [level(at / 36), level(at / 6 % 6), level(at % 6)]
        }
        232..=255 => [8 + 10 * (number - 232); 3],
        _ => return None,
    };
    let distance = |other: &[i64; 3]| shade.iter().zip(other).map(|(one, two)| (one - two) * (one - two)).sum::<i64>();
    let nearest = SHADES.iter().zip(Color::ALL).min_by_key(|(other, _)| distance(other));
    nearest.map(|(_, color)| *color)
}

/// Returns the body of the function `name`, without its braces.
pub fn body_of<'a>(tokens: &'a [Token], name: &str) -> Option<&'a [Token]> {
    /// Tokens between a function's name and its body, such as the declarations of its parameters.
    const HEAD: usize = 80;
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.names(name)) {
        if !tokens.get(at + 1).is_some_and(|token| token.is("(")) {
            continue;
        }
        let mut depth = 0_i32;
        let mut closed = false;
        let mut start = None;
        for (offset, token) in tokens[at + 1..].iter().take(HEAD).enumerate() {
            let is_after = closed && tokens[at + offset].is(")");
            if !closed {
                depth += i32::from(token.is("(")) - i32::from(token.is(")"));
                closed = depth == 0;
            } else if token.is("{") {
                start = Some(at + 2 + offset);
                break;
            } else if token.kind != Kind::Identifier && (is_after || ![",", ";", "*"].contains(&&*token.text)) {
                // A prototype, or a call. Between the brackets and the body are at most declarations of parameters.
                break;
            }
        }
        let Some(start) = start else { continue };
        let mut depth = 1_usize;
        for (offset, token) in tokens[start..].iter().enumerate() {
            depth += usize::from(token.is("{"));
            depth -= usize::from(token.is("}"));
            if depth == 0 {
                return Some(&tokens[start..start + offset]);
            }
        }
    }
    None
}

/// Returns the types of squares on which heroes and stairs are put (`bad_location`), if the function was found.
pub fn landing(tree: &mut Tree<'_>, settings: &Settings) -> Result<Option<BTreeSet<i64>>, TreeError> {
    compared(tree, settings, "bad_location", &["src/mkmaze.c"])
}

/// Returns true if the loader of level files leaves out rooms by chance: `build_room` returns at once.
fn leaves_out_rooms(tree: &mut Tree<'_>, settings: &Settings) -> Result<bool, TreeError> {
    let mut preprocessor = Preprocessor::new(tree, settings)?;
    preprocessor.anywhere("src/sp_lev.c")?;
    let body = body_of(&preprocessor.output, "build_room").unwrap_or_default();
    Ok(body.windows(2).any(|pair| pair[0].names("return") && pair[1].is(";")))
}

/// Returns the types of squares that the function `name` compares with `==` or in a `switch`.
fn compared(
    tree: &mut Tree<'_>,
    settings: &Settings,
    name: &str,
    paths: &[&str],
) -> Result<Option<BTreeSet<i64>>, TreeError> {
    for path in paths {
        let mut preprocessor = Preprocessor::new(tree, settings)?;
        preprocessor.anywhere(path)?;
        let output = std::mem::take(&mut preprocessor.output);
        let constants = constants_of(&output);
        let Some(body) = body_of(&output, name) else { continue };
        let mut named = BTreeSet::new();
        for (at, token) in body.iter().enumerate() {
            let value = body.get(at + 1).filter(|_| token.is("==") || token.names("case"));
            let on_type = token.names("case")
                || at > 0 && body[at - 1].kind == Kind::Identifier && body[at - 1].text.ends_with("typ");
            let value = value.filter(|_| on_type).map(std::slice::from_ref);
            named.extend(value.and_then(|value| evaluate(value, &constants, Unknown::Fails)));
        }
        return Ok(Some(named));
    }
    Ok(None)
}

/// Returns the macro body `tokens` with the monster's fields as plain names: `(ptr)->mlet` becomes `mlet`, `&mons[N]`
/// becomes `N`, and the monster itself `SELF`.
fn plain(tokens: &[Token]) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is = |offset: usize, text: &str| tokens.get(at + offset).is_some_and(|token| token.is(text));
        let names = |offset: usize, text: &str| tokens.get(at + offset).is_some_and(|token| token.names(text));
        if is(0, "(") && names(1, SELF) && is(2, ")") && is(3, "->") {
            at += 4;
        } else if names(0, SELF) && is(1, "->") {
            at += 2;
        } else if is(0, "&") && names(1, "mons") && is(2, "[") {
            at += 3;
        } else if is(0, "]") {
            at += 1;
        } else {
            out.push(token.clone());
            at += 1;
        }
    }
    out
}

/// The argument for macros on monsters.
const SELF: &str = "splc_self";

/// Reads the habits that macros define, for every monster.
fn habits(
    preprocessor: &mut Preprocessor<'_, '_>,
    constants: &Constants,
    found: &mut SourceTables,
) -> Result<(), TreeError> {
    let Some(monsters) = &mut found.monsters else { return Ok(()) };
    let mut constants = constants.clone();
    for (number, row) in (0_i64..).zip(&monsters.table) {
        // As `makedefs` names them; a name that occurs again is another monster's.
        let name: String =
            row.name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
        constants.entry(Rc::from(format!("PM_{name}"))).or_insert(number);
    }
    for (of, habit) in HABITS {
        let body = plain(&preprocessor.expand_text(&format!("{of}({SELF})"), 0, 0)?);
        if body.len() <= 4 && body.iter().any(|token| token.names(of)) {
            continue;
        }
        // Monsters that the build leaves out.
        for token in body.iter().filter(|token| token.kind == Kind::Identifier && token.text.starts_with("PM_")) {
            constants.entry(token.text.clone()).or_insert(-1);
        }
        // A macro that depends on more than the monster's type has no value.
        let mut has = Vec::with_capacity(monsters.table.len());
        for (number, row) in (0_i64..).zip(&monsters.table) {
            constants.insert(Rc::from(SELF), number);
            constants.insert(Rc::from("mlet"), row.class as i64);
            for (field, flags) in &row.flags {
                constants.insert(Rc::from(field.as_str()), *flags);
            }
            has.push(evaluate(&body, &constants, Unknown::Fails));
        }
        if has.iter().all(Option::is_some) {
            for (row, has) in monsters.table.iter_mut().zip(has) {
                row.habits.retain(|known| known != habit);
                if has.is_some_and(|has| has != 0) {
                    row.habits.push(habit);
                }
            }
            found.known_habits.push(habit);
        }
    }
    Ok(())
}

/// Returns the fields of monsters that contain flags, with their columns.
pub fn flag_columns(tokens: &[Token]) -> Vec<(usize, String)> {
    let fields = fields(tokens, "permonst").unwrap_or_default();
    fields.into_iter().enumerate().filter(|(_, field)| field.starts_with("mflags")).collect()
}
