//! The Lua in which a level runs: what it can reach, how long it may take, and how much memory.
//!
//! As in the game (`nhlL_newstate`, `nhlL_openlibs`), a level has the base functions that cannot harm, the libraries
//! `string`, `table`, `math`, `utf8` and `coroutine`, and nothing that reaches a file, a clock, or the machine; there is
//! no way to load code, so what `string.dump` gives is a text like any other. A call of a function of the level takes
//! about a million steps at most, a level so many times that; what needs more memory than the game gives it, fails.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mlua::{
    ChunkMode, DebugEvent, Error, Function, HookTriggers, Lua, LuaOptions, MultiValue, StdLib, Table, Value, VmState,
};

use splc_ir::catalog::LoaderRule;

use super::errors::{self, CHUNK, Thrown};
use super::{Native, Run, Shared};
use super::{objects, selections, statements, strings, surroundings};
use crate::error::Fault;
use crate::limits::{
    LUA_CALL_COST, LUA_CALL_STEPS, LUA_CALLS, LUA_CAUGHT_ERROR_STEPS, LUA_MEMORY, LUA_NESTED_CALLS, LUA_STEPS_AT_ONCE,
};

/// The base functions of a level (`ct_base_base`); all others are taken away.
const BASE: &[&str] = &[
    "_G",
    "_VERSION",
    "coroutine",
    "ipairs",
    "math",
    "next",
    "pairs",
    "pcall",
    "select",
    "string",
    "table",
    "tonumber",
    "tostring",
    "type",
    "utf8",
    "xpcall",
];

/// Where what functions outside of a run need is kept in Lua.
const STEP: &str = "splc.step";

/// Whether the observer is told of every line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steps {
    Told,
    Passed,
}

/// How many steps of Lua a level may still take.
#[derive(Debug)]
pub(crate) struct Meter {
    /// In this call of a function of the level.
    call: Cell<i64>,
    /// In all.
    all: Cell<i64>,
    /// What a call may take.
    most: i64,
}

impl Meter {
    /// The steps of a level that may take so much `fuel`, which is what an older game's script may run in opcodes.
    pub fn new(fuel: u64) -> Self {
        let most = i64::try_from(fuel.saturating_mul(LUA_CALL_STEPS)).unwrap_or(i64::MAX);
        Meter { call: Cell::new(most), all: Cell::new(most.saturating_mul(LUA_CALLS)), most }
    }

    /// A function of the level is called: it may take so many steps again (`nhl_pcall`).
    fn refill(&self) {
        self.call.set(self.most);
        // A call takes time of its own, so that functions in functions that do next to nothing come to an end.
        self.all.set(self.all.get() - LUA_CALL_COST);
    }

    /// Takes the steps that were counted; false if there are no more.
    fn spend(&self) -> bool {
        self.pay(u64::from(LUA_STEPS_AT_ONCE))
    }

    /// Takes as many steps as something costs that Lua does in one; false if there are no more.
    pub(super) fn pay(&self, steps: u64) -> bool {
        let steps = i64::try_from(steps).unwrap_or(i64::MAX / 2);
        self.call.set(self.call.get() - steps);
        self.all.set(self.all.get() - steps);
        self.call.get() > 0 && self.all.get() > 0
    }
}

/// The function that a level's text is.
pub(super) fn chunk(lua: &Lua, text: &str) -> mlua::Result<Function> {
    // The game leaves out carriage returns at line ends.
    lua.load(text).set_name(format!("={CHUNK}")).set_mode(ChunkMode::Text).into_function()
}

/// Runs the text of a level. The error comes with the number of its line, from 0.
pub(super) fn run(run: &RefCell<Run<'_, '_>>, text: &str, steps: Steps) -> Result<(), (usize, Fault)> {
    let end = start(run, text, steps);
    let (known, lines) = {
        let run = run.borrow();
        (run.fatal.clone(), run.prepared.len())
    };
    let at = |line: usize| if line == 0 { lines } else { (line - 1).min(lines) };
    match (known, end) {
        (Some((fault, line)), _) => Err((at(line), fault)),
        (None, Err(error)) => {
            let (fault, line) = errors::fault(&error);
            Err((at(line), fault))
        }
        (None, Ok(())) => Ok(()),
    }
}

fn start(run: &RefCell<Run<'_, '_>>, text: &str, steps: Steps) -> mlua::Result<()> {
    let libraries = StdLib::COROUTINE | StdLib::TABLE | StdLib::STRING | StdLib::UTF8 | StdLib::MATH;
    let lua = Lua::new_with(libraries, LuaOptions::new().catch_rust_panics(false))?;
    let meter = Rc::clone(&run.borrow().meter);
    lua.set_app_data(selections::Believed(run.borrow().loader.has(LoaderRule::SelectionsKeepBounds)));
    lua.scope(|scope| {
        let globals = lua.globals();
        clear(&globals)?;
        strings::install(&lua, &meter)?;
        let table = |functions: &'static [(&'static str, Native)]| -> mlua::Result<Table> {
            let table = lua.create_table_with_capacity(0, functions.len())?;
            for &(name, function) in functions {
                let bound =
                    scope.create_function(move |lua, arguments: MultiValue| call(lua, run, function, arguments))?;
                table.raw_set(name, bound)?;
            }
            Ok(table)
        };
        globals.raw_set("des", table(statements::FUNCTIONS)?)?;
        globals.raw_set("nh", table(surroundings::FUNCTIONS)?)?;
        globals.raw_set("nhc", surroundings::constants(&lua, run)?)?;
        let selection = table(selections::FUNCTIONS)?;
        lua.set_named_registry_value(selections::METHODS, &selection)?;
        globals.raw_set("selection", selection)?;
        let object = table(objects::FUNCTIONS)?;
        lua.set_named_registry_value(objects::METHODS, &object)?;
        globals.raw_set("obj", object)?;
        let hero = table(surroundings::HERO)?;
        globals.raw_set("u", surroundings::hero(&lua, hero)?)?;
        let ours = table(OURS)?;
        ours.raw_set("from_law", run.borrow().loader.has(LoaderRule::AlignmentsShuffledFromLaw))?;
        let library = lua.load(include_str!("library.lua")).set_name("=nhlib").set_mode(ChunkMode::Text);
        let function = chunk(&lua, text)?;
        lua.set_memory_limit(lua.used_memory() + LUA_MEMORY)?;
        let counted = HookTriggers::new().every_nth_instruction(LUA_STEPS_AT_ONCE);
        let triggers = match steps {
            Steps::Told => {
                let step = scope.create_function(|_, line: usize| {
                    let mut run = run.borrow_mut();
                    run.step(line).map_err(|fault| {
                        run.fatal = Some((fault.clone(), line));
                        Error::external(Thrown { fault, line })
                    })
                })?;
                lua.set_named_registry_value(STEP, step)?;
                counted.every_line()
            }
            Steps::Passed => counted,
        };
        lua.set_global_hook(triggers, move |lua, debug| {
            if debug.event() == DebugEvent::Line {
                let source = debug.source();
                if source.short_src.as_deref() == Some(CHUNK)
                    && let Some(line) = debug.current_line()
                {
                    let step: Function = lua.named_registry_value(STEP)?;
                    step.call::<()>(line)?;
                }
                return Ok(VmState::Continue);
            }
            if meter.spend() {
                return Ok(VmState::Continue);
            }
            Err(Error::external(Thrown { fault: Fault::Steps, line: line(lua) }))
        })?;
        library.call::<()>(ours)?;
        run.borrow().meter.refill();
        function.call::<()>(())
    })
}

/// Takes away what a level must not have.
fn clear(globals: &Table) -> mlua::Result<()> {
    let mut unwanted = Vec::new();
    for pair in globals.pairs::<Value, Value>() {
        let (key, _) = pair?;
        let known = key.as_string().is_some_and(|key| BASE.iter().any(|known| *key == **known));
        if !known {
            unwanted.push(key);
        }
    }
    for key in unwanted {
        globals.raw_set(key, Value::Nil)?;
    }
    Ok(())
}

/// Calls a function of the game. What it throws is told with the line of the level that called it.
fn call(lua: &Lua, run: Shared<'_, '_, '_>, function: Native, arguments: MultiValue) -> mlua::Result<MultiValue> {
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
            state.loader.complain(crate::observer::Complaint::IterationFailed);
            Ok((false, MultiValue::new()))
        }
    }
}

/// What `library.lua` gets from us alone.
const OURS: &[(&str, Native)] = &[("settle", settle), ("words", words), ("fail", fail)];

/// What a protected call of a level comes to: what it gave, or that it failed and why. What the game does not survive
/// cannot be caught.
fn settle(lua: &Lua, run: Shared<'_, '_, '_>, mut results: MultiValue) -> mlua::Result<MultiValue> {
    if matches!(results.front(), Some(Value::Boolean(true))) {
        return Ok(results);
    }
    if !run.borrow().meter.pay(LUA_CAUGHT_ERROR_STEPS) {
        let (fault, line) = (Fault::Steps, line(lua));
        run.borrow_mut().fatal.get_or_insert((fault.clone(), line));
        return Err(Error::external(Thrown { fault, line }));
    }
    let words = match results.get(1) {
        Some(Value::Error(error)) => {
            let (fault, line) = errors::fault(error);
            if !matches!(fault, Fault::Lua(_)) {
                run.borrow_mut().fatal.get_or_insert((fault.clone(), line));
                return Err(Error::external(Thrown { fault, line }));
            }
            Some(errors::words(error))
        }
        Some(Value::String(text)) if *text == "not enough memory" => {
            run.borrow_mut().fatal.get_or_insert((Fault::Memory, 0));
            return Err(Error::external(Thrown { fault: Fault::Memory, line: 0 }));
        }
        _ => None,
    };
    if let Some(words) = words {
        let words = Value::String(lua.create_string(words)?);
        results = MultiValue::from_vec(vec![Value::Boolean(false), words]);
    }
    Ok(results)
}

/// The words of an error, for a handler of the level.
fn words(lua: &Lua, _: Shared<'_, '_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    Ok(match arguments.into_iter().next() {
        Some(Value::Error(error)) => {
            MultiValue::from_vec(vec![Value::String(lua.create_string(errors::words(&error))?)])
        }
        value => value.into_iter().collect(),
    })
}

/// Throws its text as a mistake of the level.
fn fail(_: &Lua, _: Shared<'_, '_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    let text = arguments.front().and_then(|value| value.to_string().ok()).unwrap_or_default();
    Err(mistake(text))
}
