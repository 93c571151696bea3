//! The table `selection`: sets of squares (`nhlsel.c`).

use mlua::{AnyUserData, Lua, MetaMethod, MultiValue, Table, UserData, UserDataMethods, Value};
use splc_ir::catalog::LoaderRule;
use splc_lua::keys::Word;
use splc_lua::selection::gradient as keys;
use splc_lua::words::{RANDOM, WALLS};

use super::arguments::Arguments;
use super::calls::{Failure, call_back, work};
use super::raised::{deadly, kind, mistake};
use super::running::{Native, Run, Shared};
use super::selector::Selector;
use crate::level::{COLUMNS, FIRST_ROOM_NUMBER, Place, ROWS, SQUARES, is_ok};
use crate::limits::{LUA_AREA_STEPS, LUA_BYTES_A_STEP, LUA_LEVEL_STEPS};
use crate::loader::{
    DIVISIONS, EAST, Gradient, Humidity, MapFragment, MapSquare, NORTH, SOUTH, WEST, pack, pack_given,
};
use crate::selection::{Growth, Selection};

/// Registry key of the methods of selections.
pub(super) const METHODS: &str = "splc.selection";

/// The functions.
pub(super) const FUNCTIONS: &[(&str, Native)] = &[
    ("new", new),
    ("clone", clone),
    ("get", get),
    ("set", set),
    ("numpoints", count),
    ("negate", negate),
    ("percentage", percentage),
    ("rndcoord", random_place),
    ("line", line),
    ("randline", random_line),
    ("rect", rectangle),
    ("fillrect", area),
    ("area", area),
    ("grow", grow),
    ("filter_mapchar", filter_terrain),
    ("match", matching),
    ("floodfill", flood),
    ("circle", circle),
    ("ellipse", ellipse),
    ("gradient", gradient),
    ("iterate", iterate),
    ("bounds", bounds),
    ("room", room),
    ("describe_size", describe_size),
];

/// True if the game trusts the stored bounds of the selections that it combines.
pub(super) struct Believed(pub bool);

impl UserData for Selector {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_function(MetaMethod::Index, |lua, (_, key): (Value, Value)| {
            let methods: Table = lua.named_registry_value(METHODS)?;
            methods.raw_get::<Value>(key)
        });
        methods.add_meta_function(MetaMethod::BAnd, |lua, pair| combine(lua, pair, |one, other| one & other));
        methods.add_meta_function(MetaMethod::BXor, |lua, pair| combine_surely(lua, pair, |one, other| one ^ other));
        methods.add_meta_function(MetaMethod::Sub, |lua, pair| combine_surely(lua, pair, |one, other| one & !other));
        methods.add_meta_function(MetaMethod::BOr, unite);
        methods.add_meta_function(MetaMethod::Add, unite);
        methods.add_meta_function(MetaMethod::BNot, |lua, value: Value| negated(lua, &value));
        methods.add_meta_function(MetaMethod::Unm, |lua, value: Value| negated(lua, &value));
    }
}

fn believed(lua: &Lua) -> bool {
    lua.app_data_ref::<Believed>().is_some_and(|believed| believed.0)
}

fn combine(lua: &Lua, (one, other): (Value, Value), keep: fn(bool, bool) -> bool) -> mlua::Result<Selector> {
    work(lua, LUA_AREA_STEPS)?;
    let (mut one, mut other) = (read(&one)?, read(&other)?);
    Ok(Selector::combine(&mut one, &mut other, believed(lua), keep))
}

/// Combines selections and recomputes the bounds of the result.
fn combine_surely(lua: &Lua, pair: (Value, Value), keep: fn(bool, bool) -> bool) -> mlua::Result<Selector> {
    let mut result = combine(lua, pair, keep)?;
    result.find_bounds();
    Ok(result)
}

fn unite(lua: &Lua, (one, other): (Value, Value)) -> mlua::Result<Selector> {
    let (mut one, mut other) = (read(&one)?, read(&other)?);
    let mut result = Selector::combine(&mut one, &mut other, believed(lua), |one, other| one | other);
    result.believe(&one, &other);
    Ok(result)
}

fn negated(lua: &Lua, value: &Value) -> mlua::Result<Selector> {
    work(lua, LUA_AREA_STEPS)?;
    let mut selector = read(value)?;
    selector.negate();
    Ok(selector)
}

/// Converts a value to a selection.
fn handle(value: &Value) -> mlua::Result<AnyUserData> {
    match value {
        Value::UserData(data) if data.is::<Selector>() => Ok(data.clone()),
        value => Err(mistake(format!("selection expected, got {}", kind(value)))),
    }
}

/// Copies the selection in a value.
pub(super) fn read(value: &Value) -> mlua::Result<Selector> {
    Ok(*handle(value)?.borrow::<Selector>()?)
}

/// Squares of the selection in a value, as the game iterates over them. Recomputes its bounds.
pub(super) fn squares(value: &Value) -> mlua::Result<Selection> {
    Ok(handle(value)?.borrow_mut::<Selector>()?.within_bounds())
}

/// Converts a selection to a Lua value.
pub(super) fn give(lua: &Lua, selector: impl Into<Selector>) -> mlua::Result<MultiValue> {
    work(lua, LUA_AREA_STEPS)?;
    let data = lua.create_userdata(selector.into())?;
    Ok(one(Value::UserData(data)))
}

fn one(value: Value) -> MultiValue {
    MultiValue::from_vec(vec![value])
}

/// Creates a table of numbers.
pub(super) fn numbers(lua: &Lua, fields: &[(&str, i64)]) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, fields.len())?;
    for &(key, number) in fields {
        table.raw_set(key, number)?;
    }
    Ok(table)
}

impl Run<'_> {
    /// Resolves a place for a selection, which may be anywhere.
    fn anywhere_at(&mut self, packed: i64) -> Place {
        let (room, humidity) = (self.room(), Humidity::ANY);
        let humidity = if self.loader.has(LoaderRule::AnywhereIsWetOrDry) { self.loader.anywhere() } else { humidity };
        self.loader.location_of(packed, humidity, room)
    }
}

fn new(lua: &Lua, _: Shared<'_, '_>, _: MultiValue) -> mlua::Result<MultiValue> {
    give(lua, Selector::default())
}

fn clone(lua: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    give(lua, read(Arguments::new(arguments).get(1))?)
}

fn set(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    let arguments = Arguments::new(arguments);
    let (selection, x, y, on) = match arguments.len() {
        0 => return Err(mistake("Selection setpoint error")),
        1 => (handle(arguments.get(1))?, -1, -1, 1),
        2 => {
            let (x, y) = (arguments.integer(1)?, arguments.integer(2)?);
            (lua.create_userdata(Selector::default())?, x, y, 1)
        }
        _ => {
            let selection = handle(arguments.get(1))?;
            (selection, arguments.integer(2)?, arguments.integer(3)?, arguments.integer_or(4, 1)?)
        }
    };
    let (x, y) = run.borrow_mut().anywhere_at(pack(i64::from(x as i16), i64::from(y as i16)));
    selection.borrow_mut::<Selector>()?.set(x, y, on != 0);
    Ok(one(Value::UserData(selection)))
}

fn count(lua: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    work(lua, LUA_AREA_STEPS)?;
    let squares = squares(Arguments::new(arguments).get(1))?;
    Ok(one(Value::Integer(squares.iter().count() as i64)))
}

/// Reads a place given as two numbers or as a table (`nhl_get_xy_params`).
pub(super) fn two_numbers(arguments: &Arguments, first: usize) -> mlua::Result<Option<(i64, i64)>> {
    match arguments.len() + 1 - first {
        2 => Ok(Some((arguments.integer_or_zero(first), arguments.integer_or_zero(first + 1)))),
        1 if arguments.is_table(first) => super::arguments::place(arguments.get(first)),
        _ => Ok(None),
    }
}

fn get(_: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    let arguments = Arguments::new(arguments);
    let selector = read(arguments.get(1))?;
    let (x, y) = two_numbers(&arguments, 2)?.ok_or_else(|| mistake("l_selection_getpoint: Incorrect params"))?;
    let (x, y) = run.borrow_mut().anywhere_at(pack(i64::from(x as i16), i64::from(y as i16)));
    Ok(one(Value::Number(if selector.has(x, y) { 1.0 } else { 0.0 })))
}

fn negate(lua: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    let arguments = Arguments::new(arguments);
    if arguments.len() == 0 {
        return give(lua, Selector::everything());
    }
    give(lua, negated(lua, arguments.get(1))?)
}

fn percentage(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    work(lua, LUA_AREA_STEPS)?;
    let arguments = Arguments::new(arguments);
    let squares = squares(arguments.get(1))?;
    let chance = arguments.integer(2)? as i32;
    let mut run = run.borrow_mut();
    let mut left = Selector::default();
    for (x, y) in squares.iter() {
        if run.loader.rn2(100) < chance {
            left.set(x, y, true);
        }
    }
    give(lua, left)
}

fn random_place(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    work(lua, LUA_AREA_STEPS)?;
    let arguments = Arguments::new(arguments);
    let selection = handle(arguments.get(1))?;
    let remove = arguments.integer_or(2, 0)? != 0;
    let mut run = run.borrow_mut();
    let mut selector = selection.borrow_mut::<Selector>()?;
    let mut squares = selector.within_bounds();
    if !run.loader.has(LoaderRule::ColumnZeroIsOutside) {
        for y in 0..ROWS {
            squares.remove(0, y);
        }
    }
    let all = squares.iter().count();
    let found = if all > 0 { squares.iter().nth(run.loader.rn2(all as i32) as usize) } else { None };
    let place = match found {
        Some((x, y)) => {
            if remove {
                selector.set(x, y, false);
            }
            let (from_x, from_y) = run.origin();
            (x - from_x, y - from_y)
        }
        None => (-1, -1),
    };
    if run.loader.has(LoaderRule::PlacesAreTwoNumbers) {
        let number = |number: i32| Value::Integer(number.into());
        return Ok(MultiValue::from_iter([number(place.0), number(place.1)]));
    }
    let table = numbers(lua, &[("x", place.0.into()), ("y", place.1.into())])?;
    Ok(one(Value::Table(table)))
}

/// Reads a selection, or creates a new one, and the two places after it (`params_sel_2coords`).
fn with_two_places(run: Shared<'_, '_>, arguments: &Arguments) -> mlua::Result<(Selector, Place, Place)> {
    let (selector, first) = match arguments.len() {
        4 => (Selector::default(), 1),
        5 => (read(arguments.get(1))?, 2),
        _ => return Err(mistake("illegal arguments: x1,y1, x2,y2 expected")),
    };
    let (from, to) = two_places(run, arguments, first)?;
    Ok((selector, from, to))
}

fn two_places(run: Shared<'_, '_>, arguments: &Arguments, first: usize) -> mlua::Result<(Place, Place)> {
    let mut numbers = [0; 4];
    for (at, number) in numbers.iter_mut().enumerate() {
        *number = arguments.integer(first + at)?;
    }
    let [x1, y1, x2, y2] = numbers;
    let mut run = run.borrow_mut();
    Ok((run.anywhere_at(pack_given(x1, y1)), run.anywhere_at(pack_given(x2, y2))))
}

/// Adds a line, which may be a point.
fn add_line(selector: &mut Selector, from: Place, to: Place) -> mlua::Result<()> {
    let mut squares = Selection::new();
    squares.add(from.0, from.1);
    if from != to && !squares.add_line(from, to) {
        return Err(deadly(crate::error::Fault::EndlessLine));
    }
    selector.add(&squares);
    Ok(())
}

fn line(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    let (mut selector, from, to) = with_two_places(run, &Arguments::new(arguments))?;
    add_line(&mut selector, from, to)?;
    give(lua, selector)
}

fn rectangle(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    let (mut selector, (x1, y1), (x2, y2)) = with_two_places(run, &Arguments::new(arguments))?;
    for (from, to) in [((x1, y1), (x2, y1)), ((x1, y1), (x1, y2)), ((x2, y1), (x2, y2)), ((x1, y2), (x2, y2))] {
        add_line(&mut selector, from, to)?;
    }
    give(lua, selector)
}

fn area(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    let (mut selector, (x1, y1), (x2, y2)) = with_two_places(run, &Arguments::new(arguments))?;
    for y in y1..=y2 {
        for x in x1.min(x2).max(0)..=x1.max(x2).min(COLUMNS - 1) {
            selector.set(x, y, true);
        }
    }
    give(lua, selector)
}

fn random_line(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    const USUAL_ROUGHNESS: i64 = 7;
    let arguments = Arguments::new(arguments);
    let (selector, (from, to), rough) = match arguments.len() {
        6 => (read(arguments.get(1))?, two_places(run, &arguments, 2)?, arguments.integer(6)?),
        5 if arguments.is_number(1) => (Selector::default(), two_places(run, &arguments, 1)?, arguments.integer(5)?),
        _ => {
            let selector = read(arguments.get(1))?;
            let mut run = run.borrow_mut();
            let corner = run.anywhere_at(pack_given(0, 0));
            (selector, (corner, corner), USUAL_ROUGHNESS)
        }
    };
    let mut squares = Selection::new();
    let mut run = run.borrow_mut();
    // The older games move the ends of a line into the level.
    let ((x1, y1), (x2, y2)) = (from, to);
    let inside = !run.loader.has(LoaderRule::RandomLinesReachTheirEnd);
    let (from, to) = match inside {
        true => ((x1.max(0), y1.max(0)), (x2.min(COLUMNS - 1), y2.min(ROWS - 1))),
        false => (from, to),
    };
    run.loader.random_line(&mut squares, from, to, i32::from(rough as i8), DIVISIONS).map_err(deadly)?;
    let mut selector = selector;
    selector.add(&squares);
    give(lua, selector)
}

impl Run<'_> {
    /// Resolves a direction, with a draw if it is random (`random_wdir`).
    pub(super) fn direction(&mut self, direction: i32) -> i32 {
        if direction != RANDOM {
            return direction;
        }
        [NORTH, SOUTH, EAST, WEST][self.loader.rn2(4) as usize % 4]
    }
}

fn grow(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    work(lua, LUA_LEVEL_STEPS)?;
    let arguments = Arguments::new(arguments);
    let mut selector = read(arguments.get(1))?;
    let direction = arguments.keyword(run, 2, "direction", Word { words: WALLS, usual: Some("all") })?;
    let mut run = run.borrow_mut();
    let direction = run.direction(direction);
    let growth = if run.loader.has(LoaderRule::GrowsBackwards) {
        Growth::Backward
    } else if run.loader.has(LoaderRule::ColumnZeroIsOutside) {
        Growth::Everywhere
    } else {
        Growth::Forward
    };
    selector.grow(direction, growth);
    give(lua, selector)
}

/// Meaning of a text of one character on a map (`check_mapchr`).
pub(super) fn terrain(run: &Run<'_>, text: &[u8]) -> mlua::Result<MapSquare> {
    let square = match text {
        [character] => run.loader.map_square(Some(*character)),
        _ => MapSquare::Unknown,
    };
    match square {
        MapSquare::Unknown => Err(mistake(format!("Erroneous map char \"{}\"", String::from_utf8_lossy(text)))),
        square => Ok(square),
    }
}

fn filter_terrain(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    work(lua, LUA_AREA_STEPS)?;
    let arguments = Arguments::new(arguments);
    let squares = squares(arguments.get(1))?;
    let mut run = run.borrow_mut();
    let wanted = terrain(&run, &arguments.text(2)?)?;
    let light = arguments.integer_or(3, -2)?;
    let mut left = Selector::default();
    for (x, y) in squares.iter() {
        if !wanted.fits(run.loader.terrain(x, y)) {
            continue;
        }
        match light {
            -1 => {
                let taken = run.loader.rn2(2) != 0;
                left.set(x, y, taken);
            }
            0 | 1 => {
                if run.loader.level.is_lit(x, y) == (light == 1) {
                    left.set(x, y, true);
                }
            }
            _ => left.set(x, y, true),
        }
    }
    give(lua, left)
}

/// Parses a map fragment to search for.
pub(super) fn fragment(lua: &Lua, run: &Run<'_>, text: &[u8]) -> mlua::Result<MapFragment> {
    // It may be compared at each square of the level.
    work(lua, (text.len() * SQUARES / LUA_BYTES_A_STEP) as u64)?;
    let map = MapFragment::new(text).ok_or_else(|| mistake("mapfragment error"))?;
    match map.mistake(|character| run.loader.map_square(character)) {
        Some(problem) => Err(mistake(problem)),
        None => Ok(map),
    }
}

fn matching(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    work(lua, LUA_LEVEL_STEPS)?;
    let arguments = Arguments::new(arguments);
    if arguments.len() != 1 {
        return Err(mistake("wrong parameters"));
    }
    let run = run.borrow();
    let map = fragment(lua, &run, &arguments.text(1)?)?;
    let mut found = Selection::new();
    for x in 1..COLUMNS {
        for y in 0..ROWS {
            if run.loader.fits_map(&map, x, y) {
                found.add(x, y);
            }
        }
    }
    give(lua, found)
}

fn flood(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    work(lua, LUA_LEVEL_STEPS)?;
    let arguments = Arguments::new(arguments);
    if !(2..=3).contains(&arguments.len()) {
        return Err(mistake("wrong parameters"));
    }
    let (x, y) = (arguments.integer(1)?, arguments.integer(2)?);
    let diagonals = !matches!(arguments.get(3), Value::Nil | Value::Boolean(false));
    let mut run = run.borrow_mut();
    let place = run.anywhere_at(pack_given(x, y));
    let mut squares = Selection::new();
    if is_ok(place.0, place.1) {
        run.loader.flood(&mut squares, place, diagonals).map_err(deadly)?;
    }
    give(lua, squares)
}

/// Adds an ellipse to the selection in the first argument, or to a new one.
fn add_ellipse(
    lua: &Lua,
    run: Shared<'_, '_>,
    arguments: &Arguments,
    first: usize,
    radii: (i64, i64),
    filled: i64,
) -> mlua::Result<MultiValue> {
    let (x, y) = (arguments.integer(first)?, arguments.integer(first + 1)?);
    let center = run.borrow_mut().anywhere_at(pack_given(x, y));
    let mut squares = Selection::new();
    squares.add_ellipse(center, radii.0 as i32, radii.1 as i32, filled != 0);
    let selection = match first {
        1 => lua.create_userdata(Selector::default())?,
        _ => handle(arguments.get(1))?,
    };
    selection.borrow_mut::<Selector>()?.add(&squares);
    Ok(one(Value::UserData(selection)))
}

fn circle(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    work(lua, LUA_AREA_STEPS)?;
    let arguments = Arguments::new(arguments);
    let first = match arguments.len() {
        3 => 1,
        4 if arguments.is_number(1) => 1,
        4 | 5 => 2,
        _ => return Err(mistake("wrong parameters")),
    };
    let radius = arguments.integer(first + 2)?;
    let filled = arguments.integer_or(first + 3, 0)?;
    add_ellipse(lua, run, &arguments, first, (radius, radius), filled)
}

fn ellipse(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    work(lua, LUA_AREA_STEPS)?;
    let arguments = Arguments::new(arguments);
    let first = match arguments.len() {
        4 => 1,
        5 if arguments.is_number(1) => 1,
        5 | 6 => 2,
        _ => return Err(mistake("wrong parameters")),
    };
    let radii = (arguments.integer(first + 2)?, arguments.integer(first + 3)?);
    let filled = arguments.integer_or(first + 4, 0)?;
    add_ellipse(lua, run, &arguments, first, radii, filled)
}

fn gradient(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    work(lua, LUA_LEVEL_STEPS)?;
    let arguments = Arguments::new(arguments);
    if arguments.len() != 1 || !arguments.is_table(1) {
        return Err(mistake("selection.gradient requires table argument"));
    }
    let fields = arguments.only_table(lua)?;
    let square = fields.word(run, &keys::TYPE)?;
    let (x, y) = (fields.number(&keys::X)?, fields.number(&keys::Y)?);
    let (x2, y2) = (fields.number(&keys::X2)?, fields.number(&keys::Y2)?);
    let (most, least) = (fields.number(&keys::MOST)?, fields.number(&keys::LEAST)?);
    let mut run = run.borrow_mut();
    let (from_x, from_y) = run.origin();
    let place = |x: i64, y: i64| (i32::from(x as i16).wrapping_add(from_x), i32::from(y as i16).wrapping_add(from_y));
    let (from, mut to) = (place(x, y), place(x2, y2));
    // The game tests this after adding the corner of the map.
    if to == (-1, -1) {
        to = from;
    }
    let (least, most) = (i64::from(least as i16), i64::from(most as i16));
    let squares = run.loader.gradient(&Gradient { from, to, least, most, limited: false, square });
    give(lua, squares)
}

fn iterate(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    work(lua, LUA_AREA_STEPS)?;
    let arguments = Arguments::new(arguments);
    let (2, Value::Function(function)) = (arguments.len(), arguments.get(2)) else {
        return Err(mistake("wrong parameters"));
    };
    let selection = handle(arguments.get(1))?;
    let [low_x, low_y, high_x, high_y] = selection.borrow_mut::<Selector>()?.bounds();
    for y in low_y..=high_y {
        for x in low_x.max(1)..=high_x {
            if !selection.borrow::<Selector>()?.has(x, y) {
                continue;
            }
            let (from_x, from_y) = run.borrow().origin();
            let place = [x - from_x, y - from_y].map(|number| Value::Integer(number.into()));
            let (fine, _) = call_back(lua, run, function, MultiValue::from_vec(place.to_vec()), Failure::Survived)?;
            if !fine {
                return Ok(MultiValue::new());
            }
        }
    }
    Ok(MultiValue::new())
}

fn bounds(lua: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    work(lua, LUA_AREA_STEPS)?;
    let selection = handle(Arguments::new(arguments).get(1))?;
    let [low_x, low_y, high_x, high_y] = selection.borrow_mut::<Selector>()?.bounds().map(i64::from);
    let table = numbers(lua, &[("lx", low_x), ("ly", low_y), ("hx", high_x), ("hy", high_y)])?;
    Ok(one(Value::Table(table)))
}

fn room(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    work(lua, LUA_AREA_STEPS)?;
    let arguments = Arguments::new(arguments);
    let run = run.borrow();
    let requested = match arguments.len() {
        1 => usize::try_from(arguments.integer(1)?).ok().filter(|&room| room < run.loader.level.room_count),
        _ => None,
    };
    let mut squares = Selection::new();
    if let Some(number) = requested.or(run.room()) {
        let room = &run.loader.level.rooms[number];
        let mark = number as i32 + FIRST_ROOM_NUMBER;
        for x in room.low_x..=room.high_x {
            for y in room.low_y..=room.high_y {
                let level = &run.loader.level;
                if is_ok(x, y) && !level.is_edge(x, y) && level.room_number(x, y) == mark {
                    squares.add(x, y);
                }
            }
        }
    }
    give(lua, squares)
}

fn describe_size(lua: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    let arguments = Arguments::new(arguments);
    if arguments.len() != 1 {
        return Err(mistake("wrong parameters"));
    }
    let selection = handle(arguments.get(1))?;
    let mut selector = selection.borrow_mut::<Selector>()?;
    let [low_x, low_y, high_x, high_y] = selector.bounds();
    let (columns, rows) = (high_x - low_x + 1, high_y - low_y + 1);
    let holes = (low_x..=high_x).any(|x| (low_y..=high_y).any(|y| is_ok(x, y) && !selector.has(x, y)));
    let shape = match (holes, columns == rows) {
        (true, _) => "irregularly shaped",
        (false, true) => "square",
        (false, false) => "rectangular",
    };
    Ok(one(Value::String(lua.create_string(format!("{shape} {columns} by {rows}"))?)))
}
