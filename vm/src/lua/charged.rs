//! Lua's own functions whose cost depends on their arguments, with counted steps.
//!
//! The hook of Lua sees a call of such a function as one step. Here its cost is computed first and charged to the
//! level; then Lua's function does the work, so that its results and the words of its errors are Lua's. The functions
//! that use patterns are in [`strings`](super::strings), because only the match itself can tell its cost, and
//! `table.sort` in [`sorting`](super::sorting). The other functions of the sandbox have a fixed cost, or one that is
//! bounded by the memory in use, which the [`meter`](super::meter) considers.

use std::rc::Rc;

use mlua::{Function, Lua, MultiValue, Table, Value};

use super::meter::Meter;
use super::raised::{self, Named};
use super::sorting::sort;
use crate::limits::{LUA_BYTES_A_STEP, LUA_BYTES_READ_A_STEP, LUA_COLLECTION_STEPS, LUA_MEMORY};

/// The arguments of a call.
struct Given<'a> {
    lua: &'a Lua,
    values: &'a MultiValue,
}

impl Given<'_> {
    /// Bytes of the texts among the arguments.
    fn bytes(&self) -> usize {
        self.values.iter().map(length).sum()
    }

    /// Bytes of the argument at `at`, if it is a text.
    fn length(&self, at: usize) -> usize {
        self.values.get(at).map_or(0, length)
    }

    /// The whole number at `at`; `otherwise` if there is none.
    fn number(&self, at: usize, otherwise: i64) -> i64 {
        let value = self.values.get(at).cloned().unwrap_or(Value::Nil);
        self.lua.coerce_integer(value).ok().flatten().unwrap_or(otherwise)
    }

    /// Number of elements of the table at `at`.
    fn elements(&self, at: usize) -> Option<i64> {
        self.values.get(at).and_then(Value::as_table).map(|table| table.raw_len() as i64)
    }
}

fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.as_bytes().len(),
        // A number is converted to a short text.
        _ => 0,
    }
}

/// Number of steps that a call takes, apart from its results and the number of its arguments.
type Cost = fn(&Given<'_>) -> u64;

/// Steps of a call that reads its texts byte by byte.
fn reads(given: &Given<'_>) -> u64 {
    (given.bytes() / LUA_BYTES_READ_A_STEP) as u64
}

/// Steps of a call that reads only its first text byte by byte.
fn reads_first(given: &Given<'_>) -> u64 {
    (given.length(0) / LUA_BYTES_READ_A_STEP) as u64
}

/// Steps of a call whose cost is that of its arguments or results.
fn no_more(_: &Given<'_>) -> u64 {
    0
}

/// Steps of a call that reads the elements from one argument to another, by default all.
fn elements(given: &Given<'_>, first: usize, last: usize) -> u64 {
    let Some(elements) = given.elements(0) else { return 0 };
    let (first, last) = (given.number(first, 1), given.number(last, elements));
    // More elements than fit into memory end with an error at the first that is missing, or for which there is no room.
    let count = last.checked_sub(first).map_or(u64::MAX, |count| u64::try_from(count).unwrap_or(0));
    count.min((given.lua.used_memory() / LEAST_ELEMENT) as u64)
}

fn concat(given: &Given<'_>) -> u64 {
    let separators = (given.length(1) / LUA_BYTES_A_STEP) as u64;
    elements(given, 2, 3).saturating_mul(1 + separators)
}

fn unpack(given: &Given<'_>) -> u64 {
    elements(given, 1, 2)
}

fn insert(given: &Given<'_>) -> u64 {
    let (Some(elements), 3) = (given.elements(0), given.values.len()) else { return 0 };
    shifted(given.number(1, 0), elements.saturating_add(1))
}

fn remove(given: &Given<'_>) -> u64 {
    let Some(elements) = given.elements(0) else { return 0 };
    shifted(given.number(1, elements), elements)
}

/// Elements from a position to the last. A position outside is an error.
fn shifted(position: i64, last: i64) -> u64 {
    if position < 1 { 0 } else { u64::try_from(last.saturating_sub(position)).unwrap_or(0) }
}

/// Steps of `table.move`, whose numbers may be anything that does not overflow.
fn moves(given: &Given<'_>) -> u64 {
    let (first, last, to) = (given.number(1, 1), given.number(2, 0), given.number(3, 1));
    let count = last.checked_sub(first).and_then(|count| count.checked_add(1)).filter(|&count| count > 0);
    match (given.elements(0), count) {
        (Some(_), Some(count)) if to <= i64::MAX - count + 1 => count as u64,
        _ => 0,
    }
}

fn rep(given: &Given<'_>) -> u64 {
    let count = u64::try_from(given.number(1, 0)).unwrap_or(0);
    let bytes = (given.length(0) + given.length(2)) as u64;
    if bytes > 0 && bytes.saturating_mul(count) > 2 * LUA_MEMORY as u64 {
        // The text is not made, because it does not fit into memory.
        return LUA_COLLECTION_STEPS;
    }
    count / 4 + bytes * count / LUA_BYTES_A_STEP as u64
}

fn offset(given: &Given<'_>) -> u64 {
    given.number(1, 0).unsigned_abs().min(given.length(0) as u64)
}

/// The smallest size of an element of a table.
const LEAST_ELEMENT: usize = 8;

/// Steps charged for each argument and each result.
const VALUE_STEPS: usize = 4;

/// The functions and their costs, by library.
const FUNCTIONS: &[(&str, &[(&str, Cost)])] = &[
    ("_G", &[("tonumber", reads_first)]),
    (
        "string",
        &[
            ("byte", no_more),
            ("char", no_more),
            ("dump", no_more),
            ("format", reads),
            ("lower", reads),
            ("pack", reads),
            ("packsize", reads),
            ("rep", rep),
            ("reverse", reads),
            ("sub", no_more),
            ("unpack", reads_first),
            ("upper", reads),
        ],
    ),
    (
        "table",
        &[
            ("concat", concat),
            ("insert", insert),
            ("move", moves),
            ("pack", no_more),
            ("remove", remove),
            ("unpack", unpack),
        ],
    ),
    ("utf8", &[("char", no_more), ("codepoint", no_more), ("len", reads_first), ("offset", offset)]),
];

/// Operators on texts that stand for numbers (`stringmetamethods`).
const OPERATORS: &[&str] = &["__add", "__sub", "__mul", "__mod", "__pow", "__div", "__idiv", "__unm"];

/// Replaces Lua's own functions.
pub(super) fn install(lua: &Lua, meter: &Rc<Meter>) -> mlua::Result<()> {
    for &(library, functions) in FUNCTIONS {
        let table: Table = lua.globals().raw_get(library)?;
        for &(name, cost) in functions {
            // A function of the base library is known without its table.
            let named = Named { library: if library == "_G" { "" } else { library }, name };
            table.raw_set(name, charged(lua, meter, table.raw_get(name)?, named, cost)?)?;
        }
    }
    let table: Table = lua.globals().raw_get("table")?;
    let of_sort = Rc::clone(meter);
    table.raw_set("sort", lua.create_function(move |lua, given: MultiValue| sort(lua, &of_sort, &given))?)?;
    let Some(operators) = lua.type_metatable::<mlua::LuaString>() else { return Ok(()) };
    for &name in OPERATORS {
        let named = Named { library: "string", name };
        operators.raw_set(name, charged(lua, meter, operators.raw_get(name)?, named, reads)?)?;
    }
    Ok(())
}

/// Wraps a function of Lua.
fn charged(lua: &Lua, meter: &Rc<Meter>, own: Function, named: Named, cost: Cost) -> mlua::Result<Function> {
    let meter = Rc::clone(meter);
    lua.create_function(move |lua, values: MultiValue| {
        let refused = |fault| raised::fault(lua, fault);
        let given = Given { lua, values: &values };
        meter.pay(cost(&given).saturating_add((values.len() * VALUE_STEPS) as u64)).map_err(refused)?;
        match own.call::<MultiValue>(values) {
            Ok(results) => {
                for result in &results {
                    if let Value::String(text) = result {
                        meter.text(&text.as_bytes()).map_err(refused)?;
                    }
                }
                meter.pay((results.len() * VALUE_STEPS) as u64).map_err(refused)?;
                Ok(results)
            }
            Err(problem) => {
                // The function may have copied much before it failed.
                meter.pay((lua.used_memory() / LUA_BYTES_A_STEP) as u64).map_err(refused)?;
                Err(raised::relayed(lua, named, problem))
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lua::strings;
    use crate::lua_errors::words;

    /// Calls, one a line.
    const CALLS: &str = include_str!("library_calls.txt");

    /// Runs a call, and shows its results or its error. `told` converts an error that is not Lua's own.
    const SHOW: &str = r#"
        local call, told = ...
        local found = table.pack(pcall(load("return " .. call, "=level")))
        for at = 1, found.n do
            local kind = math.type(found[at]) or type(found[at])
            if kind == "userdata" then found[at], kind = told(found[at]), "string" end
            if kind == "table" or kind == "function" then found[at] = kind end
            if kind == "string" then found[at] = ("%q"):format(found[at]) end
            found[at] = kind .. " " .. tostring(found[at])
        end
        return table.concat(found, ", ")
    "#;

    #[test]
    fn they_do_what_those_of_lua_do() {
        let (theirs, ours) = (Lua::new(), Lua::new());
        let meter = Rc::new(Meter::new(1 << 40));
        install(&ours, &meter).unwrap();
        strings::install(&ours, &meter).unwrap();
        let show = |lua: &Lua, call: &str| {
            let reported = lua.create_function(|_, problem: mlua::Error| Ok(words(&problem))).unwrap();
            lua.load(SHOW).call::<String>((call, reported)).unwrap()
        };
        let mut differ = Vec::new();
        for call in CALLS.lines() {
            let (theirs, ours) = (show(&theirs, call), show(&ours, call));
            if theirs != ours {
                differ.push(format!("{call}\n  Lua: {theirs}\n  here: {ours}"));
            }
        }
        assert!(differ.is_empty(), "{}", differ.join("\n"));
    }
}
