//! Records the statements of a level instead of carrying them out, to compare scripts whatever the loader does.
//!
//! Lua runs as always, with its draws. Functions of `des`, and those of `selection` that draw or read the level, are
//! added to a digest with their arguments. Their results are [opaque](Opaque): a level can pass them on and combine
//! selections, but a level that inspects one cannot be recorded, nor can one that catches errors or asks about the
//! level so far. The contents of a room are recorded both ways, because the room may find no place.

use splc_ir::order::Order;
use std::cell::Cell;
use std::hash::Hash;
use std::rc::Rc;

use mlua::{AnyUserData, Error, Function, Lua, MetaMethod, MultiValue, Table, UserData, UserDataMethods, Value};

use super::calls::{Failure, call_back};
use super::raised::mistake;
use super::running::Shared;
use super::selections;
use crate::digest::Digest;
use crate::limits::{LUA_BYTES_A_STEP, LUA_GAME_CALL_STEPS};

/// Maximum nesting of tables in arguments.
const MAX_DEPTH: usize = 16;

/// Functions of `nh` that a recorded level may call: they draw, or ask about the game around the level.
pub(super) const ANSWERED: &[&str] = &["rn2", "random", "level_difficulty"];

/// Shares the flag of the recorder with functions that have no access to it.
struct Unknown(Rc<Cell<bool>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Selection,
    /// A square, an object, or the argument of a function for contents.
    Other,
}

/// A result of the loader, identified by the statements that led to it.
#[derive(Clone, Copy, Debug)]
struct Opaque {
    kind: Kind,
    digest: u128,
}

/// Ends the recording.
fn unknown(lua: &Lua) -> Error {
    if let Some(Unknown(unknown)) = lua.app_data_ref::<Unknown>().as_deref() {
        unknown.set(true);
    }
    mistake("this level cannot be recorded")
}

impl UserData for Opaque {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_function(MetaMethod::Index, |lua, (of, key): (AnyUserData, Value)| {
            let known = if of.borrow::<Opaque>()?.kind == Kind::Selection {
                lua.named_registry_value::<Table>(selections::METHODS)?.raw_get::<Value>(key)?
            } else {
                Value::Nil
            };
            if known.is_nil() { Err(unknown(lua)) } else { Ok(known) }
        });
        for (operator, mark) in [
            (MetaMethod::BAnd, 1_u8),
            (MetaMethod::BXor, 2),
            (MetaMethod::Sub, 3),
            (MetaMethod::BOr, 4),
            (MetaMethod::Add, 5),
        ] {
            methods.add_meta_function(operator, move |lua, (one, other): (Value, Value)| {
                let (one, other) = (selection_in(lua, &one)?, selection_in(lua, &other)?);
                Ok(Opaque { kind: Kind::Selection, digest: digest_of(&(mark, one, other)) })
            });
        }
        for operator in [MetaMethod::BNot, MetaMethod::Unm] {
            methods.add_meta_function(operator, |lua, (of, _): (Value, Value)| {
                Ok(Opaque { kind: Kind::Selection, digest: digest_of(&("negate", selection_in(lua, &of)?)) })
            });
        }
        for operator in [
            MetaMethod::NewIndex,
            MetaMethod::Eq,
            MetaMethod::Lt,
            MetaMethod::Le,
            MetaMethod::Len,
            MetaMethod::Concat,
            MetaMethod::ToString,
            MetaMethod::Call,
            MetaMethod::Pairs,
        ] {
            methods.add_meta_function(operator, |lua, _: MultiValue| Err::<Value, _>(unknown(lua)));
        }
    }
}

fn digest_of(what: &impl Hash) -> u128 {
    let mut digest = Digest::default();
    what.hash(&mut digest);
    digest.finish128()
}

fn opaque_in(value: &Value) -> Option<(AnyUserData, Opaque)> {
    let Value::UserData(data) = value else { return None };
    let opaque = *data.borrow::<Opaque>().ok()?;
    Some((data.clone(), opaque))
}

fn selection_in(lua: &Lua, value: &Value) -> mlua::Result<u128> {
    match opaque_in(value) {
        Some((_, Opaque { kind: Kind::Selection, digest })) => Ok(digest),
        _ => Err(unknown(lua)),
    }
}

/// Arguments of a statement.
#[derive(Default)]
struct Said {
    digest: Digest,
    /// Functions for contents, in the order of their keys.
    contents: Vec<Function>,
    /// Results of the loader among the arguments. A statement may change them.
    opaque: Vec<AnyUserData>,
}

impl Said {
    fn add(&mut self, lua: &Lua, value: &Value, key: &[u8], depth: usize) -> mlua::Result<()> {
        match value {
            Value::Nil => 0_u8.hash(&mut self.digest),
            Value::Boolean(truth) => (1_u8, truth).hash(&mut self.digest),
            Value::Integer(number) => (2_u8, number).hash(&mut self.digest),
            Value::Number(number) => (3_u8, number.to_bits()).hash(&mut self.digest),
            Value::String(text) => (4_u8, &*text.as_bytes()).hash(&mut self.digest),
            Value::Table(table) if depth < MAX_DEPTH && table.metatable().is_none() => self.table(lua, table, depth)?,
            Value::Function(function) if depth == 1 && matches!(key, b"contents" | b"inventory") => {
                6_u8.hash(&mut self.digest);
                self.contents.push(function.clone());
            }
            value => match opaque_in(value) {
                Some((data, Opaque { kind, digest })) => {
                    (7_u8, kind, digest).hash(&mut self.digest);
                    self.opaque.push(data);
                }
                None => return Err(unknown(lua)),
            },
        }
        Ok(())
    }

    fn table(&mut self, lua: &Lua, table: &Table, depth: usize) -> mlua::Result<()> {
        let (mut numbers, mut texts) = (Vec::new(), Vec::new());
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair?;
            match key {
                Value::Integer(number) => numbers.push((number, value)),
                Value::String(text) => texts.push((text.as_bytes().to_vec(), value)),
                _ => return Err(unknown(lua)),
            }
        }
        charge(lua, numbers.len() + texts.len())?;
        numbers.order_by_key(|(number, _)| *number);
        texts.order_by(|(one, _), (other, _)| one.cmp(other));
        (5_u8, numbers.len(), texts.len()).hash(&mut self.digest);
        for (number, value) in numbers {
            number.hash(&mut self.digest);
            self.add(lua, &value, &[], depth + 1)?;
        }
        for (text, value) in texts {
            text.hash(&mut self.digest);
            self.add(lua, &value, &text, depth + 1)?;
        }
        Ok(())
    }
}

fn charge(lua: &Lua, items: usize) -> mlua::Result<()> {
    super::calls::work(lua, LUA_GAME_CALL_STEPS + (items / LUA_BYTES_A_STEP) as u64)
}

/// Adds a statement to the recording.
fn record(
    lua: &Lua,
    run: Shared<'_, '_>,
    name: &'static str,
    arguments: &MultiValue,
) -> mlua::Result<(u128, Vec<Function>)> {
    charge(lua, arguments.len())?;
    let mut said = Said::default();
    (name, arguments.len()).hash(&mut said.digest);
    for value in arguments.iter() {
        said.add(lua, value, &[], 0)?;
    }
    let mut run = run.borrow_mut();
    let Some(recorder) = &mut run.recorder else { return Err(unknown(lua)) };
    recorder.add(&said.digest.finish128());
    // The game recomputes the bounds of selections that it uses.
    for data in said.opaque {
        let mut opaque = data.borrow_mut::<Opaque>()?;
        opaque.digest = digest_of(&(opaque.digest, recorder.said));
    }
    Ok((recorder.said, said.contents))
}

fn mark(run: Shared<'_, '_>, mark: &'static str) {
    if let Some(recorder) = &mut run.borrow_mut().recorder {
        recorder.add(&mark);
    }
}

/// Records a call of a function of `des`, and of the functions for its contents.
pub(super) fn statement(
    lua: &Lua,
    run: Shared<'_, '_>,
    name: &'static str,
    arguments: &MultiValue,
) -> mlua::Result<MultiValue> {
    let (digest, contents) = record(lua, run, name, arguments)?;
    for function in contents {
        // Both possibilities are recorded, as likely as each other on both sides of a comparison.
        let is_sure = !matches!(name, "room" | "region");
        if !is_sure && run.borrow_mut().loader.rn2(2) != 0 {
            mark(run, "skipped");
            continue;
        }
        mark(run, "contents");
        let argument = lua.create_userdata(Opaque { kind: Kind::Other, digest: digest_of(&("argument", digest)) })?;
        call_back(lua, run, &function, MultiValue::from_vec(vec![Value::UserData(argument)]), Failure::Deadly)?;
        mark(run, "end");
    }
    let kind = match name {
        "map" => Kind::Selection,
        "object" => Kind::Other,
        _ => return Ok(MultiValue::new()),
    };
    give(lua, Opaque { kind, digest })
}

fn give(lua: &Lua, opaque: Opaque) -> mlua::Result<MultiValue> {
    Ok(MultiValue::from_vec(vec![Value::UserData(lua.create_userdata(opaque)?)]))
}

/// Records a call of a function of `selection`, unless its result is the same whenever it is called.
pub(super) fn selection(
    lua: &Lua,
    run: Shared<'_, '_>,
    name: &'static str,
    arguments: &MultiValue,
) -> mlua::Result<MultiValue> {
    // A negative number can mean a random place.
    let numbers = |count: usize| {
        let given = |value: &Value| matches!(value, Value::Integer(0..=255));
        arguments.len() == count && arguments.iter().all(given)
    };
    let selections = || match arguments.front() {
        Some(value) if arguments.len() == 1 => selection_in(lua, value).is_ok(),
        _ => false,
    };
    let is_pure = match name {
        "new" => arguments.is_empty(),
        "line" | "rect" | "fillrect" | "area" => numbers(4),
        "clone" | "negate" => selections(),
        "numpoints" | "bounds" | "get" | "iterate" | "describe_size" => return Err(unknown(lua)),
        _ => false,
    };
    let kind = if name == "rndcoord" { Kind::Other } else { Kind::Selection };
    if !is_pure {
        let (digest, contents) = record(lua, run, name, arguments)?;
        if !contents.is_empty() {
            return Err(unknown(lua));
        }
        // It changes its selection and returns it.
        return match (name, arguments.front()) {
            ("set", Some(value @ Value::UserData(_))) => Ok(MultiValue::from_vec(vec![value.clone()])),
            _ => give(lua, Opaque { kind, digest }),
        };
    }
    charge(lua, arguments.len())?;
    let mut said = Said::default();
    // Its place depends on the map or room that it is in.
    let so_far = run.borrow().recorder.as_ref().map_or(0, |recorder| recorder.said);
    (name, so_far).hash(&mut said.digest);
    for value in arguments.iter() {
        said.add(lua, value, &[], 0)?;
    }
    give(lua, Opaque { kind, digest: said.digest.finish128() })
}

/// Fails for a function whose result cannot be recorded.
pub(super) fn unrecorded(lua: &Lua) -> mlua::Result<MultiValue> {
    Err(unknown(lua))
}

/// Prepares a state for recording: functions of Lua that would reveal an opaque value or catch an error fail.
pub(super) fn install(lua: &Lua, run: Shared<'_, '_>) -> mlua::Result<()> {
    if let Some(recorder) = &run.borrow().recorder {
        lua.set_app_data(Unknown(Rc::clone(&recorder.unknown)));
    }
    let globals = lua.globals();
    let plain: Function = globals.raw_get("type")?;
    let checked = lua.create_function(move |lua, value: Value| match opaque_in(&value) {
        Some((_, Opaque { kind: Kind::Other, .. })) => Err(unknown(lua)),
        _ => plain.call::<Value>(value),
    })?;
    globals.raw_set("type", checked)
}

/// Removes what a recorded level must not have, after the library is loaded.
pub(super) fn restrict(lua: &Lua) -> mlua::Result<()> {
    let globals = lua.globals();
    for name in ["pcall", "xpcall", "coroutine"] {
        let fails = lua.create_function(|lua, _: MultiValue| Err::<Value, _>(unknown(lua)))?;
        globals.raw_set(name, fails)?;
    }
    Ok(())
}
