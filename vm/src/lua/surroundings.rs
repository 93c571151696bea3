//! Tables about the game around a level: `nh`, `nhc` and `u` (`nhlua.c`).
//!
//! Functions that only matter in a running game (windows, options, queued keys, timers) are noted in the level and
//! otherwise ignored.

use mlua::{Lua, MultiValue, Table, Value};
use splc_lua::nh::abscoord;
use splc_lua::{names, own, sandbox};

use super::arguments::Arguments;
use super::calls::call_in_words;
use super::choosing;
use super::own::plain;
use super::raised::{line, mistake};
use super::running::{Native, Run, Shared};
use super::selections::{numbers, two_numbers};
use crate::level::{COLUMNS, ROWS, is_ok};
use crate::observer::Event;
use crate::settings::Surrounding;

/// The functions of `nh`.
pub(super) const FUNCTIONS: &[(&str, Native)] = &[
    ("test", nothing),
    ("getmap", square),
    ("gettrap", trap),
    ("deltrap", remove_trap),
    ("has_timer_at", no),
    ("peek_timer_at", zero),
    ("stop_timer_at", |_, run, arguments| noted(run, "stop_timer_at", arguments).map(|_| number(0))),
    ("start_timer_at", |_, run, arguments| noted(run, "start_timer_at", arguments)),
    ("abscoord", absolute),
    ("impossible", complain),
    ("pline", |_, run, arguments| said(run, "pline", arguments)),
    ("verbalize", |_, run, arguments| said(run, "verbalize", arguments)),
    ("menu", |_, run, arguments| noted(run, "menu", arguments)),
    ("text", |_, run, arguments| noted(run, "text", arguments)),
    ("getlin", empty),
    ("eckey", key),
    ("callback", |_, run, arguments| noted(run, "callback", arguments)),
    ("gamestate", |_, run, arguments| noted(run, "gamestate", arguments)),
    ("makeplural", plural),
    ("makesingular", singular),
    ("s_suffix", possessive),
    ("ing_suffix", gerund),
    ("an", with_article),
    ("rn2", rn2),
    ("random", random),
    ("level_difficulty", difficulty),
    ("is_genocided", genocided),
    ("debug_themerm", nothing),
    ("parse_config", |_, run, arguments| noted(run, "parse_config", arguments)),
    ("get_config", empty),
    ("get_config_errors", nothing),
    ("dump_fmtstr", empty),
    ("dnum_name", dungeon),
    ("int_to_pmname", monster_name),
    ("int_to_objname", object_name),
    ("variable", variable),
    ("stairways", stairways),
    ("pushkey", |_, run, arguments| noted(run, "pushkey", arguments)),
    ("doturn", |_, run, arguments| noted(run, "doturn", arguments)),
    ("debug_flags", |_, run, arguments| noted(run, "debug_flags", arguments)),
    ("flip_level", |_, run, arguments| noted(run, "flip_level", arguments)),
];

/// Functions behind the table `u`.
pub(super) const HERO: &[(&str, Native)] = &[
    ("index", hero_value),
    ("refuse", refuse),
    ("clear_inventory", |_, run, arguments| noted(run, "u.clear_inventory", arguments)),
    ("giveobj", |_, run, arguments| noted(run, "u.giveobj", arguments)),
];

/// Registry key of the variables that a level sets for the game.
const VARIABLES: &str = "splc.variables";

type Answer = mlua::Result<MultiValue>;

fn one(value: Value) -> Answer {
    Ok(MultiValue::from_vec(vec![value]))
}

fn text(lua: &Lua, text: impl AsRef<str>) -> Answer {
    one(Value::String(lua.create_string(text.as_ref())?))
}

/// The table `nhc`.
pub(super) fn constants(lua: &Lua, run: Shared<'_, '_>) -> mlua::Result<Table> {
    let catalog = &run.borrow().loader.game.catalog.clone();
    let constant = |name: &&'static str| {
        let value = match *name {
            "COLNO" => COLUMNS.into(),
            "ROWNO" => ROWS.into(),
            "NUMMONS" => catalog.monsters.len() as i64,
            "HIGH_PM" => catalog.monsters.len() as i64 - 1,
            "FIRST_OBJECT" => 1,
            "LAST_OBJECT" => catalog.objects.len() as i64 - 1,
            _ => 0,
        };
        (*name, value)
    };
    let table = numbers(lua, &sandbox::CONSTANTS.iter().map(constant).collect::<Vec<_>>())?;
    for name in own::members(catalog, "nhc").filter(|name| !sandbox::CONSTANTS.contains(name)) {
        let kind = own::value(catalog, "nhc", name).unwrap_or_default();
        table.raw_set(name, plain(lua, kind)?)?;
    }
    Ok(table)
}

/// Creates the table `u`, which computes its fields on access.
pub(super) fn hero(lua: &Lua, functions: Table) -> mlua::Result<Table> {
    let hero = lua.create_table()?;
    for pair in functions.pairs::<String, Value>() {
        let (name, function) = pair?;
        if !["index", "refuse"].contains(&name.as_str()) {
            hero.raw_set(name, function)?;
        }
    }
    let metatable = lua.create_table()?;
    metatable.raw_set("__index", functions.raw_get::<Value>("index")?)?;
    metatable.raw_set("__newindex", functions.raw_get::<Value>("refuse")?)?;
    hero.set_metatable(Some(metatable))?;
    Ok(hero)
}

fn hero_value(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let mut run = run.borrow_mut();
    let key = String::from_utf8_lossy(&arguments.text(2)?).into_owned();
    if !sandbox::HERO.contains(&key.as_str())
        && let Some(kind) = own::value(&run.loader.game.catalog, "u", &key)
    {
        run.loader.ask(Surrounding::Own);
        return one(plain(lua, kind)?);
    }
    let settings = run.loader.ask_for_level(match key.as_str() {
        "role" | "umonster" | "umonnum" => Surrounding::HeroRole,
        "inventory" => Surrounding::HeroCarries,
        "depth" | "dlevel" => Surrounding::Depth,
        _ => Surrounding::Progress,
    });
    if !sandbox::HERO.contains(&key.as_str()) {
        return Err(mistake(format!("Unknown u table index \"{key}\"")));
    }
    one(Value::Integer(match key.as_str() {
        "role" => return text(lua, &settings.hero.role),
        "inventory" => return one(Value::UserData(lua.create_userdata(super::objects::Handle(None))?)),
        "invocation_level" => return one(Value::Boolean(false)),
        "depth" | "dlevel" => settings.depth.into(),
        "ulevel" | "ulevelmax" => 1,
        "uhunger" => 900,
        // The values of an archeologist.
        "uhp" | "uhpmax" => 13,
        "uen" | "uenmax" => 1,
        "moves" | "nv_range" => 1,
        "xray_range" => -1,
        "umonster" | "umonnum" => {
            let role = names::corpse(&run.loader.game.catalog, &settings.hero.role);
            role.map_or(0, |number| number as i64)
        }
        _ => 0,
    }))
}

fn refuse(_: &Lua, _: Shared<'_, '_>, _: MultiValue) -> Answer {
    Err(mistake("Cannot set u table values"))
}

fn nothing(_: &Lua, _: Shared<'_, '_>, _: MultiValue) -> Answer {
    Ok(MultiValue::new())
}

fn no(_: &Lua, _: Shared<'_, '_>, _: MultiValue) -> Answer {
    one(Value::Boolean(false))
}

fn zero(_: &Lua, _: Shared<'_, '_>, _: MultiValue) -> Answer {
    one(Value::Integer(0))
}

fn empty(lua: &Lua, _: Shared<'_, '_>, _: MultiValue) -> Answer {
    text(lua, "")
}

/// Reads a place of the level, which must be on the map.
fn place(run: &Run<'_>, arguments: &Arguments) -> mlua::Result<(i32, i32)> {
    let (x, y) = two_numbers(arguments, 1)?.ok_or_else(|| mistake("Incorrect arguments"))?;
    let (from_x, from_y) = run.origin();
    let place = (i32::from(x as i16) + from_x, i32::from(y as i16) + from_y);
    if is_ok(place.0, place.1) { Ok(place) } else { Err(mistake("Coordinates out of range")) }
}

fn square(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let run = run.borrow();
    let (x, y) = place(&run, &Arguments::new(arguments))?;
    let level = &run.loader.level;
    let catalog = &run.loader.game.catalog;
    let terrain = level.terrain(x, y);
    let number = terrain.number_in(catalog).unwrap_or(0);
    let table = numbers(
        lua,
        &[("typ", number.into()), ("roomno", level.room_number(x, y).into()), ("glyph", 0), ("seenv", 0)],
    )?;
    table.raw_set("typ_name", catalog.level_types.get(number as usize).map_or(terrain.word(), |name| name.as_ref()))?;
    let drawn = if terrain.is_wall() {
        if terrain.word() == "vwall" { '|' } else { '-' }
    } else {
        catalog.map_character(number).unwrap_or('x')
    };
    table.raw_set("mapchr", drawn.to_string())?;
    for (key, truth) in [
        ("horizontal", level.is_horizontal(x, y)),
        ("lit", level.is_lit(x, y)),
        ("waslit", false),
        ("edge", level.is_edge(x, y)),
        ("candig", false),
        ("has_trap", level.trap_at(x, y).is_some()),
    ] {
        table.raw_set(key, truth)?;
    }
    let flags = lua.create_table()?;
    let bits = level.flags(x, y);
    if terrain == crate::terrain::Terrain::DOOR {
        flags.raw_set("nodoor", bits == 0)?;
        for (key, bit) in [("broken", 1), ("isopen", 2), ("closed", 4), ("locked", 8), ("trapped", 16)] {
            flags.raw_set(key, bits & bit != 0)?;
        }
    }
    table.raw_set("flags", flags)?;
    one(Value::Table(table))
}

fn trap(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let run = run.borrow();
    let (x, y) = place(&run, &Arguments::new(arguments))?;
    let Some(at) = run.loader.level.trap_at(x, y) else { return Err(mistake("No trap at location")) };
    let known = &run.loader.level.traps[at];
    let table =
        numbers(lua, &[("tx", x.into()), ("ty", y.into()), ("ttyp", known.kind.into()), ("tnote", known.note.into())])?;
    let name = run.loader.game.catalog.traps.iter().find(|(_, kind)| *kind == i64::from(known.kind));
    if let Some((name, _)) = name {
        table.raw_set("ttyp_name", name.as_ref())?;
    }
    for (key, truth) in [("tseen", known.seen), ("madeby_u", false), ("once", false)] {
        table.raw_set(key, truth)?;
    }
    one(Value::Table(table))
}

fn remove_trap(_: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let mut run = run.borrow_mut();
    let (x, y) = place(&run, &Arguments::new(arguments))?;
    if let Some(at) = run.loader.level.trap_at(x, y) {
        run.loader.level.remove_trap(at);
    }
    Ok(MultiValue::new())
}

fn absolute(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let (from_x, from_y) = run.borrow().origin();
    let add = |number: i64, from: i32| i64::from(i32::from(number as i16).wrapping_add(from));
    if arguments.len() == 2 {
        let place = [add(arguments.integer_or_zero(1), from_x), add(arguments.integer_or_zero(2), from_y)];
        return Ok(place.map(Value::Integer).into_iter().collect());
    }
    let fields = match arguments.len() {
        1 if arguments.is_table(1) => arguments.only_table(lua)?,
        _ => return Err(mistake("nhl_abs_coord: Wrong args")),
    };
    let (x, y) = (fields.number(&abscoord::X)?, fields.number(&abscoord::Y)?);
    one(Value::Table(numbers(lua, &[("x", add(x, from_x)), ("y", add(y, from_y))])?))
}

fn complain(_: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let words = Arguments::new(arguments).text(1)?;
    let words = format!("E impossible {}", String::from_utf8_lossy(&words));
    run.borrow_mut().loader.report(Event::Said(&words));
    Ok(MultiValue::new())
}

/// Notes a message, which the player reads while the level is generated.
fn said(run: Shared<'_, '_>, name: &str, arguments: MultiValue) -> Answer {
    Arguments::new(arguments.clone()).text(1)?;
    noted(run, name, arguments)
}

/// Notes a call of a function that only matters in a running game.
fn noted(run: Shared<'_, '_>, name: &str, arguments: MultiValue) -> Answer {
    let words = call_in_words(name, &arguments);
    let level = &mut run.borrow_mut().loader.level;
    let words = level.keep_text(&words);
    level.calls.push(words);
    Ok(MultiValue::new())
}

fn number(number: i64) -> MultiValue {
    MultiValue::from_vec(vec![Value::Integer(number)])
}

fn genocided(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    run.borrow_mut().loader.ask(Surrounding::Progress);
    no(lua, run, arguments)
}

/// Default key of a command (`cmd_from_ecname`).
fn key(lua: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let command = Arguments::new(arguments).text(1)?;
    let command = String::from_utf8_lossy(&command).into_owned();
    let known = KEYS.iter().find(|(name, _)| *name == command);
    match known {
        Some((_, key)) => text(lua, key),
        None => text(lua, format!("#{command}")),
    }
}

/// Commands and their keys (`extcmdlist`).
const KEYS: &[(&str, &str)] = &[
    ("apply", "a"),
    ("cast", "Z"),
    ("close", "c"),
    ("down", ">"),
    ("drop", "d"),
    ("eat", "e"),
    ("engrave", "E"),
    ("fire", "f"),
    ("glance", ";"),
    ("inventory", "i"),
    ("jump", "M-j"),
    ("kick", "^D"),
    ("look", ":"),
    ("loot", "M-l"),
    ("moveeast", "l"),
    ("movenorth", "k"),
    ("movenortheast", "u"),
    ("movenorthwest", "y"),
    ("movesouth", "j"),
    ("movesoutheast", "n"),
    ("movesouthwest", "b"),
    ("movewest", "h"),
    ("open", "o"),
    ("pickup", ","),
    ("pray", "M-p"),
    ("puton", "P"),
    ("quaff", "q"),
    ("quiver", "Q"),
    ("read", "r"),
    ("remove", "R"),
    ("run", "G"),
    ("save", "S"),
    ("search", "s"),
    ("swap", "x"),
    ("takeoff", "T"),
    ("throw", "t"),
    ("tip", "M-T"),
    ("travel", "_"),
    ("twoweapon", "X"),
    ("untrap", "M-u"),
    ("up", "<"),
    ("wait", "."),
    ("wear", "W"),
    ("wield", "w"),
    ("zap", "z"),
];

/// Returns a changed word.
fn changed(lua: &Lua, arguments: MultiValue, change: impl Fn(&str) -> String) -> Answer {
    let word = Arguments::new(arguments).text(1)?;
    text(lua, change(&String::from_utf8_lossy(&word)))
}

fn plural(lua: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    changed(lua, arguments, |word| format!("{word}s"))
}

fn singular(lua: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    changed(lua, arguments, |word| word.strip_suffix('s').unwrap_or(word).to_owned())
}

fn possessive(lua: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    changed(lua, arguments, |word| format!("{word}{}", if word.ends_with('s') { "'" } else { "'s" }))
}

fn gerund(lua: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    changed(lua, arguments, |word| format!("{}ing", word.strip_suffix('e').unwrap_or(word)))
}

fn with_article(lua: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    changed(lua, arguments, |word| {
        let vowel = word.chars().next().is_some_and(|letter| "aeiouAEIOU".contains(letter));
        format!("{} {word}", if vowel { "an" } else { "a" })
    })
}

fn rn2(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    if arguments.len() != 1 {
        return Err(mistake("Wrong args"));
    }
    let below = arguments.integer(1)? as i32;
    if let Some(decided) = choosing::drawn(lua, below, || line(lua)) {
        return one(decided?);
    }
    one(Value::Integer(run.borrow_mut().loader.rn2(below).into()))
}

fn random(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let draw = |below: i64| match choosing::drawn(lua, below as i32, || 0) {
        Some(decided) => decided.map(|value| value.as_integer().unwrap_or(0)),
        None => Ok(i64::from(run.borrow_mut().loader.rn2(below as i32))),
    };
    one(Value::Integer(match arguments.len() {
        1 => draw(arguments.integer(1)?)?,
        2 => arguments.integer(1)?.wrapping_add(draw(arguments.integer(2)?)?),
        _ => return Err(mistake("Wrong args")),
    }))
}

fn difficulty(_: &Lua, run: Shared<'_, '_>, _: MultiValue) -> Answer {
    one(Value::Integer(run.borrow_mut().loader.ask_for_level(Surrounding::Difficulty).difficulty.into()))
}

fn dungeon(lua: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let number = Arguments::new(arguments).integer(1)?;
    text(lua, if number == 0 { "The Dungeons of Doom" } else { "" })
}

fn monster_name(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let number = usize::try_from(Arguments::new(arguments).integer(1)?).ok();
    let catalog = run.borrow().loader.game.catalog.clone();
    let known = number.and_then(|number| catalog.monsters.get(number));
    text(lua, known.map_or("", |species| species.name.as_ref()))
}

fn object_name(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let number = usize::try_from(Arguments::new(arguments).integer(1)?).ok();
    let catalog = run.borrow().loader.game.catalog.clone();
    let known = number.and_then(|number| catalog.objects.get(number)).filter(|object| !object.name.is_empty());
    let (name, class) = known.map_or(("", String::new()), |object| (object.name.as_ref(), object.class.to_string()));
    [name, &class].into_iter().map(|word| lua.create_string(word).map(Value::String)).collect()
}

fn variable(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let all = arguments.clone();
    let arguments = Arguments::new(arguments);
    let key = lua.create_string(arguments.text(1)?)?;
    let variables: Value = lua.named_registry_value(VARIABLES)?;
    let variables = match variables {
        Value::Table(table) => table,
        _ => {
            let table = lua.create_table()?;
            lua.set_named_registry_value(VARIABLES, &table)?;
            table
        }
    };
    match arguments.len() {
        1 => {
            let value: Value = variables.raw_get(key)?;
            // Other levels set variables, too.
            if value.is_nil() {
                run.borrow_mut().loader.ask(Surrounding::Progress);
            }
            one(value)
        }
        2 => {
            variables.raw_set(key, arguments.get(2).clone())?;
            noted(run, "variable", all)?;
            Ok(MultiValue::new())
        }
        _ => Err(mistake("Wrong number of arguments")),
    }
}

fn stairways(lua: &Lua, run: Shared<'_, '_>, _: MultiValue) -> Answer {
    let mut run = run.borrow_mut();
    let depth = run.loader.ask(Surrounding::Depth).depth;
    let list = lua.create_table()?;
    for (number, known) in (1..).zip(run.loader.level.stairways.iter().rev()) {
        let depth = i64::from(depth) + if known.up { -1 } else { 1 };
        let table = numbers(lua, &[("x", known.x.into()), ("y", known.y.into()), ("dnum", 0), ("dlevel", depth)])?;
        table.raw_set("up", known.up)?;
        table.raw_set("ladder", known.ladder)?;
        list.raw_set(number, table)?;
    }
    one(Value::Table(list))
}
