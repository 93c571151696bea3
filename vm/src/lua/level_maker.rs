//! The rooms of an ordinary level of NetHack 5 (`makerooms`), with the themed rooms of `themerms.lua`.
//!
//! The file runs first and leaves two tables, `themerooms` and `themeroom_fills`, and the functions that choose from
//! them. The level maker then calls these functions until the level has enough rooms. While it does, a failed room or
//! map sets a flag (`themeroom_failed`) that skips the rest of that call.

use mlua::{Function, Lua, MultiValue, Table, Value};

use super::arguments::Arguments;
use super::calls::{Failure, call_back};
use super::choosing;
use super::raised::{deadly, mistake};
use super::running::{Run, Shared};
use super::theme_tables::{entries, watch};
use crate::error::Fault;
use crate::level::{Kind, ThemeChoice};
use crate::limits::{MAX_ROOMS, MAX_THINGS};
use crate::lua_plan::Task;
use crate::observer::{Complaint, Event};

/// Makes a room whose contents are a fill.
const ROOM_WITH_FILL: &str = r#"
local room, lit, fill = ...
room({ type = "themed", lit = lit, contents = fill })
"#;

/// Makes the rooms of a task. `note` is [`note`], bound to the run.
pub(super) fn make(lua: &Lua, run: Shared<'_, '_>, note: &Function, task: Task) -> mlua::Result<()> {
    watch(lua, note)?;
    during(run, || call_named(lua, run, "pre_themerooms_generate", Failure::Survived))?;
    match task {
        Task::Level => {
            rooms_of_level(lua, run)?;
            run.borrow_mut().reset_map();
            during(run, || call_named(lua, run, "post_themerooms_generate", Failure::Deadly))
        }
        Task::Room(number) => {
            let contents = contents(lua, Kind::Room, number)?;
            one_room(lua, run, || call_back(lua, run, &contents, MultiValue::new(), Failure::Deadly).map(|_| ()))
        }
        Task::Fill { number, lit } => {
            let fill = contents(lua, Kind::Fill, number)?;
            let room: Value = lua.globals().get::<Table>("des")?.get("room")?;
            let make: Function = lua.load(ROOM_WITH_FILL).set_name("=themes").into_function()?;
            one_room(lua, run, || make.call((room.clone(), i64::from(lit), fill.clone())))
        }
    }
}

/// Makes a room alone on the level, and ends the level as after all rooms.
fn one_room(lua: &Lua, run: Shared<'_, '_>, make: impl FnOnce() -> mlua::Result<()>) -> mlua::Result<()> {
    during(run, || {
        make()?;
        let mut run = run.borrow_mut();
        resolve(&mut run);
        Ok(())
    })?;
    run.borrow_mut().reset_map();
    during(run, || call_named(lua, run, "post_themerooms_generate", Failure::Deadly))?;
    run.borrow_mut().reset_map();
    during(run, || call_named(lua, run, "post_level_generate", Failure::Deadly))?;
    run.borrow_mut().loader.wallify_level().map_err(deadly)
}

/// Runs a part of the level maker with the rules for themed rooms (`in_mk_themerooms`).
fn during(run: Shared<'_, '_>, part: impl FnOnce() -> mlua::Result<()>) -> mlua::Result<()> {
    run.borrow_mut().loader.making.begin();
    let done = part();
    run.borrow_mut().loader.making.themed = false;
    done
}

/// Makes rooms until the level has enough of them, or no place is left (the loop of `makerooms`).
fn rooms_of_level(lua: &Lua, run: Shared<'_, '_>) -> mlua::Result<()> {
    // Failures after which the level maker gives up, if it has few rooms.
    const MOST_FAILURES: u32 = 10;
    const FEW: usize = MAX_ROOMS / 6;
    let (mut failures, mut vault_tried) = (0, false);
    loop {
        {
            let mut run = run.borrow_mut();
            let loader = &mut run.loader;
            loader.check_limits().map_err(deadly)?;
            if loader.level.room_count >= MAX_ROOMS - 1 || loader.random_rectangle().is_none() {
                return Ok(());
            }
            if loader.level.room_count >= FEW && loader.rn2(2) != 0 && !vault_tried {
                vault_tried = true;
                loader.reserve_vault().map_err(deadly)?;
                continue;
            }
        }
        during(run, || call_named(lua, run, "themerooms_generate", Failure::Deadly))?;
        let mut run = run.borrow_mut();
        resolve(&mut run);
        if run.loader.making.failed {
            failures += 1;
            if failures > MOST_FAILURES + 1 || run.loader.level.room_count >= FEW {
                return Ok(());
            }
        }
    }
}

/// Records the success of the last room chosen.
fn resolve(run: &mut Run<'_>) {
    let made = !run.loader.making.failed;
    let last = run.loader.level.themes.iter_mut().rev().find(|choice| choice.kind == Kind::Room);
    if let Some(choice) = last {
        choice.made = made;
    }
}

/// Calls a function of the file by its name.
fn call_named(lua: &Lua, run: Shared<'_, '_>, name: &str, failure: Failure) -> mlua::Result<()> {
    match lua.globals().get::<Value>(name)? {
        Value::Function(function) => call_back(lua, run, &function, MultiValue::new(), failure).map(|_| ()),
        _ if failure == Failure::Survived => {
            run.borrow_mut().loader.complain(Complaint::IterationFailed);
            Ok(())
        }
        other => Err(deadly(Fault::Lua(format!("attempt to call a {} value (global '{name}')", other.type_name())))),
    }
}

/// Notes that the file has chosen an entry: its kind and its number, from 1.
pub(super) fn note(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> mlua::Result<MultiValue> {
    let arguments = Arguments::new(arguments);
    let kind = if arguments.integer(1)? == 0 { Kind::Room } else { Kind::Fill };
    let number = usize::try_from(arguments.integer(2)?).unwrap_or_default().saturating_sub(1);
    if choosing::picked(lua, kind, number) {
        return Err(mistake("chosen"));
    }
    let loader = &mut run.borrow_mut().loader;
    loader.report(Event::Said(&format!("E theme {} {}", kind.noun(), number + 1)));
    if loader.level.themes.len() < MAX_THINGS {
        loader.level.themes.push(ThemeChoice { kind, number, made: kind == Kind::Fill });
    }
    Ok(MultiValue::new())
}

/// Returns the function of an entry.
fn contents(lua: &Lua, kind: Kind, number: usize) -> mlua::Result<Function> {
    let found = match entries(lua, kind)?.and_then(|list| list.raw_get::<Value>(number + 1).ok()) {
        Some(Value::Function(function)) => Some(function),
        Some(Value::Table(entry)) => entry.get::<Option<Function>>("contents").ok().flatten(),
        _ => None,
    };
    found.ok_or_else(|| deadly(Fault::Lua(format!("{} {} has no contents", kind.noun(), number + 1))))
}
