//! The table `obj`: functions that inspect or make objects of the level (`nhlobj.c`).

use mlua::{Lua, MetaMethod, MultiValue, Table, UserData, UserDataMethods, Value};
use splc_lua::names::{self, FoundObject};
use splc_lua::nh::object as keys;

use super::arguments::{Arguments, Fields, text};
use super::calls::call_in_words;
use super::raised::{kind, mistake};
use super::running::{Native, Run, Shared};
use crate::level::{Detail, DetailKind, Drawn, Object, Whereabouts, is_ok};

/// Registry key of the methods of objects.
pub(super) const METHODS: &str = "splc.object";

/// An object of the level by its index, or no object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle(pub Option<usize>);

impl UserData for Handle {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_function(MetaMethod::Index, |lua, (_, key): (Value, Value)| {
            let methods: Table = lua.named_registry_value(METHODS)?;
            methods.raw_get::<Value>(key)
        });
    }
}

/// The functions. Timers only matter in a running game: they are noted with the object.
pub(super) const FUNCTIONS: &[(&str, Native)] = &[
    ("new", new),
    ("isnull", is_null),
    ("at", at),
    ("next", next),
    ("totable", to_table),
    ("class", class),
    ("placeobj", put),
    ("container", container),
    ("contents", contents),
    ("addcontent", add_content),
    ("has_timer", has_timer),
    ("peek_timer", peek_timer),
    ("stop_timer", |_, run, arguments| timer(run, "stop_timer", arguments)),
    ("start_timer", |_, run, arguments| timer(run, "start_timer", arguments)),
    ("bury", bury),
];

type Answer = mlua::Result<MultiValue>;

fn one(value: Value) -> Answer {
    Ok(MultiValue::from_vec(vec![value]))
}

fn give(lua: &Lua, object: Option<usize>) -> Answer {
    one(Value::UserData(lua.create_userdata(Handle(object))?))
}

/// Converts a value to an object.
fn handle(value: &Value) -> mlua::Result<Handle> {
    match value {
        Value::UserData(data) if data.is::<Handle>() => Ok(*data.borrow::<Handle>()?),
        value => Err(mistake(format!("obj expected, got {}", kind(value)))),
    }
}

impl Run<'_> {
    /// Notes something about an object that only matters in a running game.
    fn note(&mut self, of: usize, words: &str) {
        let level = &mut self.loader.level;
        let words = level.keep_text(words);
        let details = &mut level.object_details;
        let at = details.partition_point(|detail| detail.of <= of);
        details.insert(at, Detail { of, kind: DetailKind::Call(words) });
    }

    fn object(&self, handle: Handle) -> Option<&Object> {
        handle.0.and_then(|at| self.loader.level.objects.get(at))
    }
}

fn numbered(found: Option<FoundObject>) -> Option<u16> {
    found.and_then(|found| u16::try_from(found.number).ok())
}

fn new(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let mut run = run.borrow_mut();
    let mut wished = None;
    let (number, class) = match arguments.get(1) {
        Value::String(_) => {
            let wish = String::from_utf8_lossy(&arguments.text(1)?).into_owned();
            // The other words of a wish do not affect the object's place.
            let words = ["blessed ", "cursed ", "uncursed ", "a ", "an ", "the "];
            let name = words.iter().fold(wish.as_str(), |name, word| name.strip_prefix(word).unwrap_or(name));
            let number = numbered(names::object(&run.loader.game.catalog, name, None));
            wished = Some(format!("wished for as \"{wish}\"")).filter(|_| number.is_none() || name != wish);
            (number, None)
        }
        Value::Table(table) => {
            let fields = Fields(table.clone());
            let class = text(&fields.raw(keys::CLASS.key())?);
            let class = class.and_then(|class| if let [class] = class[..] { Some(char::from(class)) } else { None });
            let number = match text(&fields.raw(keys::ID.key())?) {
                Some(id) => {
                    let name = String::from_utf8_lossy(&id).into_owned();
                    let number = numbered(names::object(&run.loader.game.catalog, &name, class));
                    Some(number.ok_or_else(|| mistake(format!("Unknown object id \"{name}\"")))?)
                }
                None => None,
            };
            (number, class)
        }
        _ => return Err(mistake("l_obj_new_readobjname: Wrong args")),
    };
    let game = run.loader.game;
    let class = match number {
        Some(number) => {
            game.catalog.objects.get(usize::from(number)).and_then(|object| game.object_class(object.class))
        }
        None => class.and_then(|class| game.object_class(class)),
    };
    let objects = &mut run.loader.level.objects;
    let made = objects.len();
    objects.push(Object {
        x: 0,
        y: 0,
        class: class.unwrap_or(0),
        number,
        whereabouts: Whereabouts::Gone,
        name: None,
        monster: -1,
        drawn: Drawn::Given,
        quantity: -1,
        curse: -1,
        enchantment: -127,
    });
    if let Some(wished) = wished {
        run.note(made, &wished);
    }
    give(lua, Some(made))
}

fn is_null(_: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let handle = handle(Arguments::new(arguments).get(1))?;
    one(Value::Boolean(run.borrow().object(handle).is_none()))
}

/// Reads a place relative to the corner of the map or room.
fn place(run: &Run<'_>, arguments: &Arguments, first: usize) -> mlua::Result<(i32, i32)> {
    let (x, y) = (arguments.integer(first)?, arguments.integer(first + 1)?);
    let (from_x, from_y) = run.origin();
    Ok((i32::from(x as i16) + from_x, i32::from(y as i16) + from_y))
}

fn at(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    if arguments.len() != 2 {
        return Err(mistake("l_obj_at: Wrong args"));
    }
    let run = run.borrow();
    let place = place(&run, &arguments, 1)?;
    let found = run
        .loader
        .level
        .objects
        .iter()
        .rposition(|object| (object.x, object.y) == place && object.whereabouts == Whereabouts::Floor);
    give(lua, found)
}

fn next(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let run = run.borrow();
    let objects = &run.loader.level.objects;
    if arguments.len() == 0 {
        return give(lua, objects.iter().rposition(|object| object.whereabouts == Whereabouts::Floor));
    }
    let handle = handle(arguments.get(1))?;
    let here = !matches!(arguments.get(2), Value::Nil | Value::Boolean(false));
    let Some(object) = run.object(handle) else { return Ok(MultiValue::new()) };
    let before = objects.get(..handle.0.unwrap_or(0)).unwrap_or_default();
    let found = before.iter().rposition(|other| {
        other.whereabouts == object.whereabouts && (!here || (other.x, other.y) == (object.x, object.y))
    });
    give(lua, found)
}

fn to_table(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let handle = handle(Arguments::new(arguments).get(1))?;
    let run = run.borrow();
    let table = lua.create_table()?;
    let Some(object) = run.object(handle) else {
        table.raw_set("NO_OBJ", 1)?;
        return one(Value::Table(table));
    };
    let catalog = &run.loader.game.catalog;
    let known = object.number.and_then(|number| catalog.objects.get(usize::from(number)));
    let whereabouts = match object.whereabouts {
        Whereabouts::Gone => 0,
        Whereabouts::Floor => 1,
        Whereabouts::Contained(_) => 2,
        Whereabouts::Carried(_) => 4,
        Whereabouts::Buried => 6,
    };
    let holds =
        run.loader.level.objects.iter().any(|inner| Some(inner.whereabouts) == handle.0.map(Whereabouts::Contained));
    let numbers = [
        ("ox", i64::from(object.x)),
        ("oy", i64::from(object.y)),
        ("otyp", object.number.map_or(0, i64::from)),
        ("quan", i64::from(object.quantity.max(1))),
        ("spe", if object.enchantment == -127 { 0 } else { object.enchantment.into() }),
        ("where", whereabouts),
        ("cursed", i64::from(object.curse == 3)),
        ("blessed", i64::from(object.curse == 1)),
        ("corpsenm", object.monster.into()),
        ("has_contents", i64::from(holds)),
        ("has_oname", i64::from(object.name.is_some())),
    ];
    for (key, number) in numbers {
        table.raw_set(key, number)?;
    }
    if let Some(known) = known {
        table.raw_set("otyp_name", known.name.as_ref())?;
        table.raw_set("oclass", known.class.to_string())?;
    }
    let monster = usize::try_from(object.monster).ok().and_then(|number| catalog.monsters.get(number));
    if let Some(monster) = monster {
        table.raw_set("corpsenm_name", monster.name.as_ref())?;
    }
    if let Some(name) = object.name {
        table.raw_set("oname", run.loader.level.text(name))?;
    }
    one(Value::Table(table))
}

fn class(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let run = run.borrow();
    let number = match arguments.get(1) {
        Value::Integer(number) => usize::try_from(*number).ok(),
        value => run.object(handle(value)?).and_then(|object| object.number).map(usize::from),
    };
    let catalog = &run.loader.game.catalog;
    let Some(known) = number.and_then(|number| catalog.objects.get(number)) else {
        return Err(mistake("l_obj_objects_to_table: Wrong args"));
    };
    let table = lua.create_table()?;
    table.raw_set("name", known.name.as_ref())?;
    table.raw_set("class", known.class.to_string())?;
    let merges =
        number.and_then(|number| i32::try_from(number).ok()).is_some_and(|number| run.loader.game.merges(number));
    table.raw_set("merge", i64::from(merges))?;
    one(Value::Table(table))
}

/// Moves an object to a new location.
fn move_to(run: &mut Run<'_>, handle: Handle, (x, y): (i32, i32), whereabouts: Whereabouts) {
    let boulder = run.loader.game.boulder;
    let level = &mut run.loader.level;
    let Some(object) = handle.0.and_then(|at| level.objects.get_mut(at)) else { return };
    let is_boulder = object.number.is_some_and(|number| i32::from(number) == boulder);
    let from = (object.x, object.y, object.whereabouts);
    (object.x, object.y, object.whereabouts) = (x, y, whereabouts);
    if is_boulder {
        if from.2 == Whereabouts::Floor {
            level.set_boulder(from.0, from.1, false);
        }
        if whereabouts == Whereabouts::Floor {
            level.set_boulder(x, y, true);
        }
    }
}

fn put(_: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    if arguments.len() != 3 {
        return Err(mistake("l_obj_placeobj: Wrong args"));
    }
    let handle = handle(arguments.get(1))?;
    let mut run = run.borrow_mut();
    let (x, y) = place(&run, &arguments, 2)?;
    if is_ok(x, y) {
        move_to(&mut run, handle, (x, y), Whereabouts::Floor);
    }
    Ok(MultiValue::new())
}

fn container(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let handle = handle(Arguments::new(arguments).get(1))?;
    let around = match run.borrow().object(handle).map(|object| object.whereabouts) {
        Some(Whereabouts::Contained(container)) => Some(container),
        _ => None,
    };
    give(lua, around)
}

fn contents(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let handle = handle(Arguments::new(arguments).get(1))?;
    let Some(container) = handle.0 else { return Err(mistake("l_obj_getcontents: no obj")) };
    let inner = Whereabouts::Contained(container);
    let found = run.borrow().loader.level.objects.iter().rposition(|object| object.whereabouts == inner);
    give(lua, found)
}

fn add_content(_: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let (around, inner) = (handle(arguments.get(1))?, handle(arguments.get(2))?);
    let mut run = run.borrow_mut();
    if let (Some(container), Some(object)) = (around.0.filter(|_| around.0 != inner.0), run.object(inner).copied()) {
        move_to(&mut run, inner, (object.x, object.y), Whereabouts::Contained(container));
    }
    Ok(MultiValue::new())
}

fn has_timer(_: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    handle(Arguments::new(arguments).get(1))?;
    one(Value::Boolean(false))
}

fn peek_timer(_: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    handle(Arguments::new(arguments).get(1))?;
    one(Value::Integer(0))
}

fn timer(run: Shared<'_, '_>, name: &str, arguments: MultiValue) -> Answer {
    let mut others = arguments.clone();
    others.pop_front();
    if let Some(of) = handle(Arguments::new(arguments).get(1))?.0 {
        run.borrow_mut().note(of, &call_in_words(name, &others));
    }
    Ok(MultiValue::new())
}

fn bury(_: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let handle = handle(arguments.get(1))?;
    let mut run = run.borrow_mut();
    let at = match arguments.len() {
        1 => run.object(handle).map(|object| (object.x, object.y)),
        3 => Some(place(&run, &arguments, 2)?),
        _ => return Err(mistake("l_obj_bury: Wrong args")),
    };
    if let Some((x, y)) = at.filter(|&(x, y)| is_ok(x, y)) {
        move_to(&mut run, handle, (x, y), Whereabouts::Buried);
    }
    one(Value::Boolean(false))
}
