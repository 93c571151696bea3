//! The functions of Lua's `string` that use patterns, with counted steps: `find`, `match`, `gmatch`, `gsub`.
//!
//! They behave like Lua's own ([`patterns`]), but each comparison is charged to the level, so that an exploding pattern
//! ends like an endless loop. No result is longer than Lua's memory.

use std::rc::Rc;

use mlua::{Error, Lua, MultiValue, Table, Value};

use super::meter::Meter;
use super::patterns::{self, Anchor, Capture, Match, PatternError, Search};
use super::raised::{self, Named};
use crate::error::Fault;
use crate::limits::{LUA_BYTES_A_STEP, LUA_MEMORY};

/// Replaces Lua's own functions.
pub(super) fn install(lua: &Lua, meter: &Rc<Meter>) -> mlua::Result<()> {
    let string: Table = lua.globals().raw_get("string")?;
    for (name, which) in [("find", Which::Find), ("match", Which::Match)] {
        let meter = Rc::clone(meter);
        string.raw_set(name, lua.create_function(move |lua, given: MultiValue| find(lua, &meter, given, which))?)?;
    }
    let of_gmatch = Rc::clone(meter);
    string.raw_set("gmatch", lua.create_function(move |lua, given: MultiValue| gmatch(lua, &of_gmatch, given))?)?;
    let of_gsub = Rc::clone(meter);
    string.raw_set("gsub", lua.create_function(move |lua, given: MultiValue| gsub(lua, &of_gsub, given))?)
}

/// The function called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    Find,
    Match,
}

fn named(name: &'static str) -> Named {
    Named { library: "string", name }
}

fn refused(lua: &Lua, meter: &Meter, problem: PatternError) -> Error {
    match problem {
        PatternError::Malformed(message) => raised::error(lua, &message),
        PatternError::Steps => raised::fault(lua, meter.fault()),
        PatternError::TooLong => raised::fault(lua, Fault::Memory),
    }
}

fn pay(lua: &Lua, meter: &Meter, bytes: usize) -> mlua::Result<()> {
    meter.pay((bytes / LUA_BYTES_A_STEP) as u64).map_err(|fault| raised::fault(lua, fault))
}

/// Reads the argument at `at` as a text.
fn text(lua: &Lua, given: &MultiValue, at: usize, name: &'static str) -> mlua::Result<mlua::LuaString> {
    let value = given.get(at);
    let text = match value {
        Some(value @ (Value::String(_) | Value::Integer(_) | Value::Number(_))) => lua.coerce_string(value.clone())?,
        _ => None,
    };
    text.ok_or_else(|| raised::wrong_type(lua, named(name), at + 1, "string", value))
}

/// Reads the argument at `at` as a number, if it is present.
fn number(lua: &Lua, given: &MultiValue, at: usize, name: &'static str) -> mlua::Result<Option<i64>> {
    match given.get(at) {
        None | Some(Value::Nil) => Ok(None),
        Some(value) => match lua.coerce_integer(value.clone())? {
            Some(number) => Ok(Some(number)),
            None if lua.coerce_number(value.clone())?.is_some() => {
                Err(raised::argument(lua, named(name), at + 1, "number has no integer representation"))
            }
            None => Err(raised::wrong_type(lua, named(name), at + 1, "number", Some(value))),
        },
    }
}

/// Start of a search, from 0 (`posrelatI`).
fn start(init: Option<i64>, length: usize) -> usize {
    let length = length as i64;
    let from_one = match init {
        None | Some(0) => 1,
        Some(init) if init > 0 => init,
        Some(init) if init < -length => 1,
        Some(init) => length + init + 1,
    };
    (from_one - 1) as usize
}

fn value(lua: &Lua, meter: &Meter, text: &[u8], capture: &Capture) -> mlua::Result<Value> {
    Ok(match capture {
        Capture::Part(range) => {
            pay(lua, meter, range.len())?;
            Value::String(lua.create_string(&text[range.clone()])?)
        }
        Capture::Place(place) => Value::Integer(*place as i64),
        Capture::Open => return Err(raised::error(lua, patterns::UNFINISHED)),
    })
}

fn find(lua: &Lua, meter: &Meter, given: MultiValue, which: Which) -> mlua::Result<MultiValue> {
    let name = if which == Which::Find { "find" } else { "match" };
    let (text, pattern) = (text(lua, &given, 0, name)?, text(lua, &given, 1, name)?);
    let (text, pattern) = (text.as_bytes(), pattern.as_bytes());
    let from = start(number(lua, &given, 2, name)?, text.len());
    let nothing = MultiValue::from_vec(vec![Value::Nil]);
    if from > text.len() {
        return Ok(nothing);
    }
    let plain = given.get(3).is_some_and(|plain| !matches!(plain, Value::Nil | Value::Boolean(false)));
    let spend = &mut |steps| meter.pay(steps).is_ok();
    if which == Which::Find && (plain || patterns::is_plain(&pattern)) {
        let found =
            patterns::find_plain(&text, &pattern, from, spend).map_err(|problem| refused(lua, meter, problem))?;
        return Ok(match found {
            Some(at) => {
                let (first, last) = (at as i64 + 1, (at + pattern.len()) as i64);
                MultiValue::from_vec(vec![Value::Integer(first), Value::Integer(last)])
            }
            None => nothing,
        });
    }
    let Some(found) = patterns::find(&text, &pattern, from, spend).map_err(|problem| refused(lua, meter, problem))?
    else {
        return Ok(nothing);
    };
    let mut results = Vec::new();
    let captures = match which {
        Which::Find => {
            results.push(Value::Integer(found.range.start as i64 + 1));
            results.push(Value::Integer(found.range.end as i64));
            found.captures
        }
        Which::Match => found.results(),
    };
    for capture in &captures {
        results.push(value(lua, meter, &text, capture)?);
    }
    Ok(MultiValue::from_vec(results))
}

fn gmatch(lua: &Lua, meter: &Rc<Meter>, given: MultiValue) -> mlua::Result<mlua::Function> {
    let (text, pattern) = (text(lua, &given, 0, "gmatch")?, text(lua, &given, 1, "gmatch")?);
    let length = text.as_bytes().len();
    let from = start(number(lua, &given, 2, "gmatch")?, length);
    let meter = Rc::clone(meter);
    let mut place = patterns::Progress::at(from.min(length + 1));
    lua.create_function_mut(move |lua, (): ()| {
        let (meter, text, pattern) = (&*meter, text.as_bytes(), pattern.as_bytes());
        let mut search = Search::resume(&text, &pattern, place, Anchor::Letter);
        let found =
            search.next(&mut |steps| meter.pay(steps).is_ok()).map_err(|problem| refused(lua, meter, problem))?;
        place = search.progress();
        let Some(found) = found else { return Ok(MultiValue::from_vec(vec![Value::Nil])) };
        let results =
            found.results().iter().map(|capture| value(lua, meter, &text, capture)).collect::<mlua::Result<Vec<_>>>();
        Ok(MultiValue::from_vec(results?))
    })
}

fn gsub(lua: &Lua, meter: &Meter, given: MultiValue) -> mlua::Result<MultiValue> {
    let (text, pattern) = (text(lua, &given, 0, "gsub")?, text(lua, &given, 1, "gsub")?);
    let (text, pattern) = (text.as_bytes(), pattern.as_bytes());
    let replacement = match given.get(2) {
        Some(Value::Table(table)) => Replacement::Table(table.clone()),
        Some(Value::Function(function)) => Replacement::Function(function.clone()),
        Some(Value::String(_) | Value::Integer(_) | Value::Number(_)) => {
            Replacement::Text(self::text(lua, &given, 2, "gsub")?)
        }
        other => return Err(raised::wrong_type(lua, named("gsub"), 3, "string/function/table", other)),
    };
    let most = number(lua, &given, 3, "gsub")?.map_or(text.len() as u64 + 1, |most| u64::try_from(most).unwrap_or(0));
    let mut search = Search::new(&text, &pattern, 0, Anchor::Holds);
    let (mut out, mut copied, mut count) = (Vec::new(), 0, 0_u64);
    while count < most {
        let found =
            search.next(&mut |steps| meter.pay(steps).is_ok()).map_err(|problem| refused(lua, meter, problem))?;
        let Some(found) = found else { break };
        count += 1;
        append(&mut out, &text[copied..found.range.start]).map_err(|problem| refused(lua, meter, problem))?;
        let before = out.len();
        replacement.put(lua, meter, &text, &found, &mut out)?;
        copied = found.range.end;
        pay(lua, meter, out.len() - before)?;
    }
    append(&mut out, &text[copied..]).map_err(|problem| refused(lua, meter, problem))?;
    meter.text(&out).map_err(|fault| raised::fault(lua, fault))?;
    Ok(MultiValue::from_vec(vec![Value::String(lua.create_string(&out)?), Value::Integer(count as i64)]))
}

/// Appends a part to a text that must fit into the memory of Lua.
fn append(out: &mut Vec<u8>, part: &[u8]) -> Result<(), PatternError> {
    if out.len() + part.len() > LUA_MEMORY {
        return Err(PatternError::TooLong);
    }
    out.extend_from_slice(part);
    Ok(())
}

/// Replacement of `gsub`.
enum Replacement {
    Text(mlua::LuaString),
    Table(Table),
    Function(mlua::Function),
}

impl Replacement {
    fn put(&self, lua: &Lua, meter: &Meter, text: &[u8], found: &Match, out: &mut Vec<u8>) -> mlua::Result<()> {
        let problem = |problem| refused(lua, meter, problem);
        let results = || found.results();
        let put = match self {
            Replacement::Text(replacement) => {
                return patterns::substitute(text, found, &replacement.as_bytes(), &mut |part| append(out, part))
                    .map_err(problem);
            }
            Replacement::Table(table) => {
                let key = results().first().map(|capture| value(lua, meter, text, capture)).transpose()?;
                table.get::<Value>(key.unwrap_or(Value::Nil))?
            }
            Replacement::Function(function) => {
                let given = results()
                    .iter()
                    .map(|capture| value(lua, meter, text, capture))
                    .collect::<mlua::Result<Vec<_>>>()?;
                function.call::<Value>(MultiValue::from_vec(given))?
            }
        };
        match put {
            Value::Nil | Value::Boolean(false) => append(out, &text[found.range.clone()]).map_err(problem)?,
            Value::String(_) | Value::Integer(_) | Value::Number(_) => {
                if let Some(put) = lua.coerce_string(put)? {
                    append(out, &put.as_bytes()).map_err(problem)?;
                }
            }
            other => {
                let kind = if let Value::Boolean(_) = other { "boolean" } else { other.type_name() };
                return Err(raised::error(lua, &format!("invalid replacement value (a {kind})")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls made in both states, of which one has Lua's own functions.
    const CALLS: &str = r#"
        local text, pattern, put, init = ...
        local function words(...)
            local found = table.pack(...)
            for at = 1, found.n do found[at] = tostring(found[at]) .. ":" .. type(found[at]) end
            return table.concat(found, ",")
        end
        local results = {}
        local function try(call, ...)
            results[#results + 1] = words(pcall(call, ...))
        end
        try(string.find, text, pattern, init)
        try(string.find, text, pattern, init, true)
        try(string.match, text, pattern, init)
        try(string.gsub, text, pattern, put)
        try(string.gsub, text, pattern, put, init)
        try(string.gsub, text, pattern, { a = "A", [1] = "one", b = false })
        try(string.gsub, text, pattern, function(...) return words(...) end)
        try(function()
            local found = {}
            for one, other in string.gmatch(text, pattern, init) do
                found[#found + 1] = words(one, other)
                if #found > 40 then break end
            end
            return table.concat(found, ";")
        end)
        return table.concat(results, "\n")
    "#;

    /// Strips the place of the error from a message.
    fn bare(said: &str) -> String {
        let lines = said.lines().map(|line| match line.strip_prefix("false:boolean,") {
            Some(error) => format!("error {}", error.trim_end_matches(":string").trim_end_matches(":userdata")),
            None => line.to_owned(),
        });
        let lines = lines.map(|line| line.split(" (line ").next().unwrap_or("").to_owned());
        // Only one of the two reports where an error comes from.
        let lines = lines.map(|line| match line.strip_prefix("error ") {
            Some(error) => format!("error {}", error.rsplit(": ").next().unwrap_or(error)),
            None => line,
        });
        lines
            .filter(|line| !line.starts_with("stack traceback") && !line.starts_with('\t') && line != ":userdata")
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn they_do_what_those_of_lua_do() {
        const PIECES: &[&str] = &[
            "a", "b", ".", "%a", "%d", "%s", "%w", "[ab]", "[^a]", "[a-c]", "[%w_]", "[]]", "[^]]", "[a-]", "*", "+",
            "-", "?", "(", ")", "()", "^", "$", "%1", "%2", "%b()", "%bab", "%f[a]", "%f[%w]", "%", "[", "]", "%%",
            "%.", " ", "%p", "%u", "%x", "%g", "%c", "%l", "%S", "[%]", "[%a-z]", "[--z]",
        ];
        const PUTS: &[&str] = &["x", "%0", "%1", "%2", "%%", "<%1>", "%", "%a", "", "%9"];
        let (theirs, ours) = (Lua::new(), Lua::new());
        install(&ours, &Rc::new(Meter::new(u64::MAX / 1_000_000))).unwrap();
        let functions = [&theirs, &ours].map(|lua| lua.load(CALLS).into_function().unwrap());
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = |most: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % most as u64) as usize
        };
        for _ in 0..5_000 {
            let text: String = (0..next(12)).map(|_| char::from(b"aab b1()xA-%]c"[next(14)])).collect();
            let pattern: String = (0..next(6)).map(|_| PIECES[next(PIECES.len())]).collect();
            let (put, init) = (PUTS[next(PUTS.len())], next(9) as i64 - 4);
            let [theirs, ours] = functions
                .each_ref()
                .map(|call| call.call::<String>((text.as_str(), pattern.as_str(), put, init)).unwrap());
            assert_eq!(bare(&ours), bare(&theirs), "{text:?} {pattern:?} {put:?} {init}");
        }
    }

    #[test]
    fn a_pattern_that_explodes_runs_out_of_steps() {
        let lua = Lua::new();
        install(&lua, &Rc::new(Meter::new(100))).unwrap();
        for script in [
            "return (('a'):rep(1000)):find(('.*'):rep(20) .. 'b')",
            "return (('a'):rep(1000)):match(('a?'):rep(30) .. ('a'):rep(1000) .. 'b')",
            "return (('a'):rep(1000)):gsub(('.-'):rep(20) .. 'b', '')",
            "for one in (('a'):rep(1000)):gmatch(('.*'):rep(20) .. 'b') do end",
            "for at = 1, 1e7 do (('a'):rep(100000)):find('b', 1, true) end",
        ] {
            let error = lua.load(script).exec().unwrap_err();
            assert_eq!(crate::lua_errors::fault(&error).0, Fault::Steps, "{script}: {error}");
        }
    }
}
