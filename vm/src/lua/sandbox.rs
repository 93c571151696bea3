//! The Lua state of a level: the functions available, and the limits on time and memory.
//!
//! As in the game (`nhlL_newstate`, `nhlL_openlibs`), a level has the harmless base functions, the libraries `string`,
//! `table`, `math`, `utf8` and `coroutine`, and nothing that reaches a file, a clock, or the machine. Code cannot be
//! loaded, so the result of `string.dump` is just a text. A call of a level function may take about a million steps, a
//! whole level a multiple of that ([`meter`](super::meter)). Memory beyond the game's limit is an error: at once if an
//! allocation cannot be met, or with the next steps if garbage is collected and too much remains.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::LazyLock;

use mlua::chunk::ChunkMode;
use mlua::debug::DebugEvent;
use mlua::{Error, Function, HookTriggers, Lua, LuaOptions, MultiValue, StdLib, Table, Value, VmState};

use splc_ir::catalog::LoaderRule;
use splc_lua::own;
use splc_lua::sandbox::LACKING;

use super::calls::call;
use super::own as additions;
use super::raised;
use super::raised::{line, mistake};
use super::running::{Native, Run, Shared};
use super::{
    After, charged, level_maker, objects, recorded, selections, statements, strings, surroundings, transcript,
};
use crate::error::Fault;
use crate::limits::{LUA_CAUGHT_ERROR_STEPS, LUA_MEMORY, LUA_MEMORY_WITH_GARBAGE, LUA_SHORT_TEXT, LUA_STEPS_AT_ONCE};
use crate::lua_errors::{self, CHUNK, Thrown};
use crate::lua_plan::{LuaPlan, compiled};

/// Registry key of the data that functions need outside of a run.
const STEP: &str = "splc.step";

/// Reporting of lines to the observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steps {
    Reported,
    Passed,
}

/// The tables of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Statements,
    Selections,
    Objects,
    Game,
    Others,
}

/// Functions available to every level, as bytecode. It begins by removing the globals that a level must not have.
static LIBRARY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let unwanted: String = LACKING.iter().map(|(name, _)| format!("{name}=nil;")).collect();
    // The text is our own and known to parse.
    compiled(&(unwanted + include_str!("library.lua")), "nhlib").unwrap_or_default()
});

/// The function that is called for texts made by `..`: it charges for those that are not short.
static JOIN: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let text =
        "local charge, short = ... return function(text) if #text < short then return text end return charge(text) end";
    compiled(text, "nhlib").unwrap_or_default()
});

/// Runs the code of a level, and then `after`. An error carries the number of its line, from 0.
pub(super) fn run(
    run: &RefCell<Run<'_>>,
    plan: &LuaPlan,
    steps: Steps,
    after: After<'_>,
) -> Result<(), (usize, Fault)> {
    let end = start(run, plan, steps, after);
    let (known, lines) = {
        let run = run.borrow();
        (run.fatal.clone(), run.prepared.len())
    };
    let at = |line: usize| if line == 0 { lines } else { (line - 1).min(lines) };
    match (known, end) {
        (Some((fault, line)), _) => Err((at(line), fault)),
        (None, Err(error)) => {
            let (fault, line) = lua_errors::fault(&error);
            Err((at(line), fault))
        }
        (None, Ok(())) => Ok(()),
    }
}

fn start(run: &RefCell<Run<'_>>, plan: &LuaPlan, steps: Steps, after: After<'_>) -> mlua::Result<()> {
    let libraries = StdLib::COROUTINE | StdLib::TABLE | StdLib::STRING | StdLib::UTF8 | StdLib::MATH;
    let lua = Lua::new_with(libraries, LuaOptions::new().catch_rust_panics(false))?;
    let meter = Rc::clone(&run.borrow().meter);
    lua.set_app_data(Rc::clone(&meter));
    lua.set_app_data(selections::Believed(run.borrow().loader.has(LoaderRule::SelectionsKeepBounds)));
    lua.scope(|scope| {
        let globals = lua.globals();
        charged::install(&lua, &meter)?;
        strings::install(&lua, &meter)?;
        let records = run.borrow().recorder.is_some();
        let writes = run.borrow().transcript.is_some();
        let catalog = run.borrow().loader.game.catalog.clone();
        let table =
            |of: Of, library: &'static str, functions: &'static [(&'static str, Native)]| -> mlua::Result<Table> {
                let table = lua.create_table_with_capacity(0, functions.len())?;
                for &(name, function) in functions {
                    let full = (!catalog.lua.keys.is_empty()).then(|| format!("{library}.{name}"));
                    let full = full.filter(|full| !own::keys(&catalog, full).is_empty());
                    let bound = scope.create_function(move |lua, arguments: MultiValue| match of {
                        Of::Statements if records => recorded::statement(lua, run, name, &arguments),
                        Of::Selections if records => recorded::selection(lua, run, name, &arguments),
                        Of::Objects if records => recorded::unrecorded(lua),
                        Of::Game if records && !recorded::ANSWERED.contains(&name) => recorded::unrecorded(lua),
                        _ => {
                            let run_function = |lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue| {
                                run.borrow_mut().calling = (library, name);
                                if let (Some(full), Some(Value::Table(table))) = (&full, arguments.front()) {
                                    additions::keep(run, full, table)?;
                                }
                                function(lua, run, arguments)
                            };
                            if !(writes && matches!(of, Of::Statements)) {
                                return call(lua, run, run_function, arguments);
                            }
                            let written = |lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue| {
                                let execute = |arguments| run_function(lua, run, arguments);
                                transcript::statement(lua, run, name, arguments, execute)
                            };
                            call(lua, run, written, arguments)
                        }
                    })?;
                    table.raw_set(name, bound)?;
                }
                for own in catalog.lua.functions.iter() {
                    let name = own.name.strip_prefix(library).and_then(|rest| rest.strip_prefix('.'));
                    let Some(name) = name.filter(|name| !functions.iter().any(|(known, _)| known == name)) else {
                        continue;
                    };
                    let (full, gives) = (own.name.to_string(), own.gives);
                    let bound = scope.create_function(move |lua, arguments: MultiValue| {
                        if records {
                            return recorded::unrecorded(lua);
                        }
                        call(
                            lua,
                            run,
                            |lua, run, arguments| additions::called(lua, run, &full, gives, &arguments),
                            arguments,
                        )
                    })?;
                    table.raw_set(name, bound)?;
                }
                Ok(table)
            };
        if records {
            recorded::install(&lua, run)?;
        }
        globals.raw_set("des", table(Of::Statements, "des", statements::FUNCTIONS)?)?;
        globals.raw_set("nh", table(Of::Game, "nh", surroundings::FUNCTIONS)?)?;
        globals.raw_set("nhc", surroundings::constants(&lua, run)?)?;
        let selection = table(Of::Selections, "selection", selections::FUNCTIONS)?;
        lua.set_named_registry_value(selections::METHODS, &selection)?;
        globals.raw_set("selection", selection)?;
        let object = table(Of::Objects, "obj", objects::FUNCTIONS)?;
        lua.set_named_registry_value(objects::METHODS, &object)?;
        globals.raw_set("obj", object)?;
        let hero = table(Of::Others, "u", surroundings::HERO)?;
        globals.raw_set("u", surroundings::hero(&lua, hero)?)?;
        let ours = table(Of::Others, "", OURS)?;
        if records {
            ours.raw_set("records", true)?;
            ours.raw_set("setmetatable", globals.raw_get::<Value>("setmetatable")?)?;
        }
        ours.raw_set("from_law", run.borrow().loader.has(LoaderRule::AlignmentsShuffledFromLaw))?;
        ours.raw_set("chances_count", run.borrow().loader.has(LoaderRule::ThingsDrawTheirChance))?;
        ours.raw_set("replaced", plan.library.is_some())?;
        let ready = |code: &[u8]| lua.load(code).set_mode(ChunkMode::Binary).into_function();
        let charging = |code: &[u8], joins: bool| -> mlua::Result<Function> {
            let function = ready(code)?;
            if !joins {
                return Ok(function);
            }
            let meter = Rc::clone(&meter);
            let charge = lua.create_function(move |lua, text: mlua::LuaString| {
                meter.text(&text.as_bytes()).map_err(|fault| raised::fault(lua, fault))?;
                Ok(text)
            })?;
            let join: Function = ready(&JOIN)?.call((charge, LUA_SHORT_TEXT))?;
            function.call(join)
        };
        let (library, function) = (ready(&LIBRARY)?, charging(&plan.code, plan.joins)?);
        let own_library = plan.library.as_ref().map(|own| charging(&own.code, own.joins)).transpose()?;
        let before = lua.used_memory();
        lua.set_memory_limit(before + LUA_MEMORY_WITH_GARBAGE)?;
        let counted = HookTriggers::new().every_nth_instruction(LUA_STEPS_AT_ONCE);
        let triggers = match steps {
            Steps::Reported => {
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
            let used = || lua.used_memory().saturating_sub(before);
            let spent = if used() <= LUA_MEMORY {
                meter.spend(used())
            } else {
                lua.gc_collect()?;
                if used() > LUA_MEMORY { Err(Fault::Memory) } else { meter.collect() }
            };
            spent.map(|()| VmState::Continue).map_err(|fault| raised::fault(lua, fault))
        })?;
        let note: Function = ours.raw_get("theme")?;
        library.call::<()>(ours)?;
        if let Some(own) = own_library {
            own.call::<()>(())?;
        }
        if records {
            recorded::restrict(&lua)?;
        }
        run.borrow().meter.refill();
        function.call::<()>(())?;
        after(&lua, run, &note)
    })
}

/// Functions passed only to `library.lua`.
const OURS: &[(&str, Native)] = &[
    ("settle", resolve),
    ("words", words),
    ("fail", fail),
    ("chance", chance),
    ("happens", happens),
    ("theme", level_maker::note),
];

/// Records that a chance was already drawn for the next thing, which will be made. Any other argument than true clears
/// the record.
fn chance(_: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    run.borrow_mut().loader.chance_drawn = arguments.front() == Some(&Value::Boolean(true));
    Ok(MultiValue::new())
}

/// Draws a chance in percent.
fn happens(_: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    let percent = match arguments.front() {
        Some(Value::Integer(percent)) => (*percent).clamp(0, 100) as i32,
        _ => 0,
    };
    let happens = run.borrow_mut().loader.happens(percent);
    Ok(MultiValue::from_vec(vec![Value::Boolean(happens)]))
}

/// Converts the results of a protected call: its values, or its failure and message. A fault that ends the game cannot
/// be caught.
fn resolve(lua: &Lua, run: Shared<'_, '_>, mut results: MultiValue) -> mlua::Result<MultiValue> {
    if matches!(results.front(), Some(Value::Boolean(true))) {
        return Ok(results);
    }
    let paid = run.borrow().meter.pay(LUA_CAUGHT_ERROR_STEPS);
    if let Err(fault) = paid {
        let line = line(lua);
        run.borrow_mut().fatal.get_or_insert((fault.clone(), line));
        return Err(Error::external(Thrown { fault, line }));
    }
    let words = match results.get(1) {
        Some(Value::Error(error)) => {
            let (fault, line) = lua_errors::fault(error);
            if !matches!(fault, Fault::Lua(_)) {
                run.borrow_mut().fatal.get_or_insert((fault.clone(), line));
                return Err(Error::external(Thrown { fault, line }));
            }
            Some(lua_errors::words(error))
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

/// Message of an error, for a level's handler.
fn words(lua: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    Ok(match arguments.into_iter().next() {
        Some(Value::Error(error)) => {
            MultiValue::from_vec(vec![Value::String(lua.create_string(lua_errors::words(&error))?)])
        }
        value => value.into_iter().collect(),
    })
}

/// Throws a text as an error of the level.
fn fail(_: &Lua, _: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    let text = arguments.front().and_then(|value| value.to_string().ok()).unwrap_or_default();
    Err(mistake(text))
}
