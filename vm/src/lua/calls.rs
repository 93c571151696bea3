//! Calls between a level and the game, in both directions, and the errors thrown across them.

use splc_ir::order::Order;
use std::rc::Rc;

use mlua::{Error, Function, Lua, MultiValue, Value};

use super::answers::Call;
use super::meter::Meter;
use super::raised::{self, deadly, line};
use super::running::Shared;
use crate::error::Fault;
use crate::limits::{LUA_BYTES_A_STEP, LUA_GAME_CALL_STEPS, LUA_NESTED_CALLS};
use crate::lua_errors::{self, Thrown};
use crate::observer::Complaint;

/// Calls a function of the game. Its errors get the line of the level that called it.
pub(super) fn call<'s, 'a>(
    lua: &Lua,
    run: Shared<'s, 'a>,
    function: impl FnOnce(&Lua, Shared<'s, 'a>, MultiValue) -> mlua::Result<MultiValue>,
    arguments: MultiValue,
) -> mlua::Result<MultiValue> {
    if let Some((fault, line)) = run.borrow().fatal.clone() {
        return Err(Error::external(Thrown { fault, line }));
    }
    let checked = run.borrow().check().and_then(|()| {
        let run = run.borrow();
        run.meter.draw(run.loader.draws)?;
        run.meter.work(LUA_GAME_CALL_STEPS + (run.meter.longest() / LUA_BYTES_A_STEP) as u64)
    });
    let call = Call::begin(run, &arguments);
    let result = match checked {
        Ok(()) => function(lua, run, arguments),
        Err(fault) => Err(deadly(fault)),
    };
    let result = result.map_err(|error| placed(lua, run, error));
    if let Some(call) = call {
        call.end(run, &result);
    }
    result
}

/// Charges for work of the game.
pub(super) fn work(lua: &Lua, steps: u64) -> mlua::Result<()> {
    let spent = lua.app_data_ref::<Rc<Meter>>().map_or(Ok(()), |meter| meter.work(steps));
    spent.map_err(|fault| raised::fault(lua, fault))
}

/// Adds the current line of the level to an error. A fault that is not an ordinary error is stored, because the level
/// cannot continue after it.
fn placed(lua: &Lua, run: Shared<'_, '_>, error: Error) -> Error {
    let Some(known) = lua_errors::thrown(&error) else { return error };
    if known.line != 0 {
        return error;
    }
    let (fault, line) = (known.fault.clone(), line(lua));
    if !matches!(fault, Fault::Lua(_)) {
        run.borrow_mut().fatal.get_or_insert((fault.clone(), line));
    }
    Error::external(Thrown { fault, line })
}

/// Effect of a failing level function on the game that calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The game gives up (`NHLpa_panic`).
    Deadly,
    /// The game complains and goes on (`NHLpa_impossible`).
    Survived,
}

/// Calls the function for the contents of a thing. The game's function then only ends what it has begun in the level,
/// so that the state of the level determines the rest.
pub(super) fn call_contents(
    lua: &Lua,
    run: Shared<'_, '_>,
    function: &Function,
    arguments: MultiValue,
) -> mlua::Result<()> {
    called_back(lua, run, function, arguments, Failure::Deadly).map(|_| ())
}

/// Calls a function of the level from within one of the game's (`nhl_pcall_handle`). The flag is false if it failed and
/// the game goes on.
pub(super) fn call_back(
    lua: &Lua,
    run: Shared<'_, '_>,
    function: &Function,
    arguments: MultiValue,
    failure: Failure,
) -> mlua::Result<(bool, MultiValue)> {
    if let Some(answers) = &mut run.borrow_mut().answers {
        answers.hidden += 1;
    }
    let result = called_back(lua, run, function, arguments, failure);
    if let Some(answers) = &mut run.borrow_mut().answers {
        answers.hidden -= 1;
    }
    result
}

fn called_back(
    lua: &Lua,
    run: Shared<'_, '_>,
    function: &Function,
    arguments: MultiValue,
    failure: Failure,
) -> mlua::Result<(bool, MultiValue)> {
    {
        let mut run = run.borrow_mut();
        if let Some(answers) = &mut run.answers {
            answers.get(&arguments);
        }
        if run.nested >= LUA_NESTED_CALLS {
            return Err(deadly(Fault::FrameNesting));
        }
        run.nested += 1;
        run.meter.refill();
    }
    let result = function.call::<MultiValue>(arguments);
    let mut state = run.borrow_mut();
    state.nested -= 1;
    match result {
        Ok(values) => Ok((true, values)),
        Err(error) => {
            let (fault, at) = lua_errors::fault(&error);
            let lost = state.fatal.is_some() || !matches!(fault, Fault::Lua(_));
            if lost || failure == Failure::Deadly {
                let line = if at == 0 { line(lua) } else { at };
                state.fatal.get_or_insert((fault.clone(), line));
                return Err(Error::external(Thrown { fault, line }));
            }
            state.loader.complain(Complaint::IterationFailed);
            Ok((false, MultiValue::new()))
        }
    }
}

/// Writes a call with its arguments. Tables are written with their strings, numbers and booleans.
pub(super) fn call_in_words(name: &str, arguments: &MultiValue) -> String {
    let arguments: Vec<String> = arguments.iter().map(|argument| value_in_words(argument, true)).collect();
    format!("{name}({})", arguments.join(", "))
}

/// Writes a value. A table is written with its entries if `deep` is true.
pub(super) fn value_in_words(value: &Value, deep: bool) -> String {
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("\"{}\"", text.to_string_lossy()),
        Value::Table(table) if deep => {
            let pairs = table.pairs::<Value, Value>().flatten();
            let mut pairs: Vec<String> = pairs
                .map(|(key, value)| format!("{} = {}", value_in_words(&key, false), value_in_words(&value, false)))
                .collect();
            pairs.order();
            format!("{{ {} }}", pairs.join(", "))
        }
        other => other.type_name().to_owned(),
    }
}
