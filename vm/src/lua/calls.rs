//! Calls between a level and the game, either way, and what is thrown across them.

use mlua::{Error, Function, Lua, MultiValue};

use super::errors::{self, CHUNK, Thrown};
use super::running::{Native, Shared};
use crate::error::Fault;
use crate::limits::LUA_NESTED_CALLS;
use crate::observer::Complaint;

/// Calls a function of the game. What it throws is told with the line of the level that called it.
pub(super) fn call(
    lua: &Lua,
    run: Shared<'_, '_, '_>,
    function: Native,
    arguments: MultiValue,
) -> mlua::Result<MultiValue> {
    if let Some((fault, line)) = run.borrow().fatal.clone() {
        return Err(Error::external(Thrown { fault, line }));
    }
    let checked = run.borrow().check();
    let result = match checked {
        Ok(()) => function(lua, run, arguments),
        Err(fault) => Err(deadly(fault)),
    };
    result.map_err(|error| placed(lua, run, error))
}

/// An error of the level, which it may catch.
pub(super) fn mistake(message: impl Into<String>) -> Error {
    Error::external(Thrown { fault: Fault::Lua(message.into()), line: 0 })
}

/// A fault that the game does not survive.
pub(super) fn deadly(fault: Fault) -> Error {
    Error::external(Thrown { fault, line: 0 })
}

/// The error with the line of the level that is running. What is not a mistake of the level is remembered, as the level
/// cannot go on after it.
fn placed(lua: &Lua, run: Shared<'_, '_, '_>, error: Error) -> Error {
    let Some(known) = errors::thrown(&error) else { return error };
    if known.line != 0 {
        return error;
    }
    let (fault, line) = (known.fault.clone(), line(lua));
    if !matches!(fault, Fault::Lua(_)) {
        run.borrow_mut().fatal.get_or_insert((fault.clone(), line));
    }
    Error::external(Thrown { fault, line })
}

/// The line of the level that is running, from 1; 0 if none is.
pub(super) fn line(lua: &Lua) -> usize {
    const DEEPEST: usize = 64;
    for level in 0..DEEPEST {
        let found = lua.inspect_stack(level, |debug| {
            let of_level = debug.source().short_src.as_deref() == Some(CHUNK);
            if of_level { debug.current_line() } else { None }
        });
        match found {
            Some(Some(line)) => return line,
            Some(None) => {}
            None => break,
        }
    }
    0
}

/// Whether the game goes on if a function of the level that it calls fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It gives up (`NHLpa_panic`).
    Deadly,
    /// It complains (`NHLpa_impossible`); true is answered if it did not fail.
    Survived,
}

/// Calls a function of the level from within one of the game's (`nhl_pcall_handle`); false if it failed and that is
/// survived.
pub(super) fn call_back(
    lua: &Lua,
    run: Shared<'_, '_, '_>,
    function: &Function,
    arguments: MultiValue,
    failure: Failure,
) -> mlua::Result<(bool, MultiValue)> {
    {
        let mut run = run.borrow_mut();
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
            let (fault, at) = errors::fault(&error);
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
