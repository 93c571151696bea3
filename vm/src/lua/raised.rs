//! Errors of the game's functions, and of Lua's own functions, with the words and places that Lua gives them
//! (`luaL_argerror`, `luaL_where`).

use mlua::{Error, Lua, Value};

use crate::error::Fault;
use crate::lua_errors::{CHUNK, Thrown, bare};

/// A function of Lua: its library, empty for the base library, and its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub library: &'static str,
    pub name: &'static str,
}

/// An error that the level may catch.
pub(super) fn mistake(message: impl Into<String>) -> Error {
    Error::external(Thrown { fault: Fault::Lua(message.into()), line: 0 })
}

/// A fault that ends the game.
pub(super) fn deadly(fault: Fault) -> Error {
    Error::external(Thrown { fault, line: 0 })
}

/// Current line of the level, from 1; 0 if none is running.
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

/// Name of a value's type in Lua.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Integer(_) | Value::Number(_) => "number",
        value => value.type_name(),
    }
}

/// A fault, at the current line.
pub(super) fn fault(lua: &Lua, fault: Fault) -> Error {
    Error::external(Thrown { fault, line: line(lua) })
}

/// An error of the running function, at the place where it was called.
pub(super) fn error(lua: &Lua, message: &str) -> Error {
    let place = lua.inspect_stack(1, |debug| {
        let line = debug.current_line()?;
        Some(format!("{}:{line}: ", debug.source().short_src?))
    });
    Error::RuntimeError(place.flatten().unwrap_or_default() + message)
}

/// An error about the argument `number` of the running function.
pub(super) fn argument(lua: &Lua, function: Named, number: usize, problem: &str) -> Error {
    let (name, method) = lua
        .inspect_stack(0, |debug| {
            let names = debug.names();
            (names.name.map(|name| name.into_owned()), names.name_what == Some("method"))
        })
        .unwrap_or_default();
    let name = name.unwrap_or_else(|| match function.library {
        "" => function.name.to_owned(),
        library => format!("{library}.{}", function.name),
    });
    let number = if method { number - 1 } else { number };
    let message = if number == 0 {
        format!("calling '{name}' on bad self ({problem})")
    } else {
        format!("bad argument #{number} to '{name}' ({problem})")
    };
    error(lua, &message)
}

/// An error about the type of the argument `number` of the running function.
pub(super) fn wrong_type(lua: &Lua, function: Named, number: usize, wanted: &str, value: Option<&Value>) -> Error {
    let found = value.map_or("no value", kind);
    argument(lua, function, number, &format!("{wanted} expected, got {found}"))
}

/// The error of a function that was called in place of the running one. It does not know its name and place.
pub(super) fn relayed(lua: &Lua, function: Named, problem: Error) -> Error {
    let Error::RuntimeError(message) = &problem else { return problem };
    let message = bare(message);
    let of_argument = || {
        let (number, problem) = message.strip_prefix("bad argument #")?.split_once(" to '?' (")?;
        Some((number.parse().ok()?, problem.strip_suffix(')')?))
    };
    match of_argument() {
        Some((number, problem)) => argument(lua, function, number, problem),
        // Lua itself adds no place to an error of an operation within a function that is not Lua.
        None if message.starts_with("attempt to get length of") => Error::RuntimeError(message.to_owned()),
        None => error(lua, message),
    }
}
