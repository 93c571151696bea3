//! Levels of NetHack 5: Lua scripts that the game runs.
//!
//! A level runs on a real Lua 5.4 in the game's sandbox ([`sandbox`]), with the game's tables: `des` ([`statements`]),
//! `selection` ([`selections`]), `nh`, `nhc` and `u` ([`surroundings`]), `obj` ([`objects`]), and the functions of
//! `nhlib.lua`, reimplemented in `library.lua`. They are bound to the loader that also runs the levels of the older
//! games. The rules of the catalog control the behaviour, so a level can also be run by the rules of another game.
//!
//! A level is charged for all work that it causes ([`meter`]): its steps, the functions of Lua whose cost depends on
//! their arguments ([`charged`], [`sorting`]), and those of the game ([`calls`]). Patterns are matched by our own
//! [`patterns`], which count their steps; Lua's string functions ([`strings`]) use them.
//!
//! Every line of the file is a step. An error in a level becomes a [`Fault`] with its line. A level cannot catch a
//! fault that would crash the game.

mod answers;
mod arguments;
mod calls;
mod charged;
mod choosing;
mod level_maker;
pub(crate) mod meter;
mod names;
mod objects;
mod own;
mod patterns;
mod raised;
mod recorded;
pub(crate) mod records;
mod running;
mod sandbox;
mod selections;
mod selector;
mod sorting;
mod statements;
mod strings;
mod surroundings;
#[cfg(test)]
mod tests;
mod theme_tables;
mod transcript;

use std::cell::RefCell;
use std::rc::Rc;

use crate::error::Fault;
use crate::level::Level;
use crate::limits::MAX_NESTED_ROOMS;
use crate::loader::{Finish, Flips, Loader, Scratch};
use crate::lua_plan::LuaPlan;
use crate::observer::Observer;
use crate::prepared::Prepared;
use crate::rng::{Rng, Source, SplitMix};
use crate::settings::Settings;
use crate::themes::{Choice, Filled, Themes};
use crate::value::Memory;
use answers::Answers;
use meter::Meter;
use mlua::{Function, Lua};
use records::{Recorder, Transcript};
use running::{Run, Shared};

/// Runs a level on an empty level and finishes it. An error carries the number of its line, from 0.
#[allow(clippy::too_many_arguments)] // like the runs of the other forms of levels
pub(crate) fn run<'a>(
    prepared: &'a Prepared,
    plan: &LuaPlan,
    settings: &'a Settings,
    level: &'a mut Level,
    scratch: &'a mut Scratch,
    memory: &'a mut Memory,
    rng: Source<'a>,
    observer: Option<&'a mut dyn Observer>,
) -> Result<(), (usize, Fault)> {
    run_then(prepared, plan, settings, level, scratch, memory, rng, observer, &mut |lua, run, note| match plan.task {
        Some(task) => {
            level_maker::make(lua, run, note, task)?;
            // The loader's last steps are not for ordinary levels.
            run.borrow_mut().finished = true;
            Ok(())
        }
        None => Ok(()),
    })
}

/// Reads the entries of a file of themed rooms.
pub(crate) fn themes(
    (prepared, plan): (&Prepared, &LuaPlan),
    settings: &Settings,
    (level, scratch, memory): (&mut Level, &mut Scratch, &mut Memory),
) -> Result<Themes, (usize, Fault)> {
    let (mut themes, mut rng) = (Themes::default(), SplitMix::new(1));
    run_then(prepared, plan, settings, level, scratch, memory, Source::Stream(&mut rng), None, &mut |lua, run, _| {
        themes = theme_tables::list(lua)?;
        run.borrow_mut().finished = true;
        Ok(())
    })?;
    Ok(themes)
}

/// Computes the choice of a themed room, or of a fill for a room.
pub(crate) fn choice(
    (prepared, plan): (&Prepared, &LuaPlan),
    settings: &Settings,
    (level, scratch, memory): (&mut Level, &mut Scratch, &mut Memory),
    filled: Option<Filled>,
    lines: &[usize],
) -> Result<Choice, (usize, Fault)> {
    let (mut choice, mut rng) = (Choice::default(), SplitMix::new(1));
    run_then(
        prepared,
        plan,
        settings,
        level,
        scratch,
        memory,
        Source::Stream(&mut rng),
        None,
        &mut |lua, run, note| {
            choice = choosing::choose(lua, run, note, filled, lines)?;
            run.borrow_mut().finished = true;
            Ok(())
        },
    )?;
    Ok(choice)
}

/// The work of the game after a text has run: with the run, and the function that notes chosen entries.
type After<'f> = &'f mut dyn FnMut(&Lua, Shared<'_, '_>, &Function) -> mlua::Result<()>;

#[allow(clippy::too_many_arguments)] // like the runs of the other forms of levels
fn run_then<'a>(
    prepared: &'a Prepared,
    plan: &LuaPlan,
    settings: &'a Settings,
    level: &'a mut Level,
    scratch: &'a mut Scratch,
    memory: &'a mut Memory,
    rng: Source<'a>,
    observer: Option<&'a mut dyn Observer>,
    after: After<'_>,
) -> Result<(), (usize, Fault)> {
    let mut run = started(prepared, plan, settings, level, scratch, memory, rng, observer);
    // The level maker has a state of its own.
    run.answers = (plan.task.is_none() && run.loader.observer.follows_states()).then(Answers::default);
    let run = RefCell::new(run);
    let steps = run.borrow().loader.observer.wants_steps();
    let end = sandbox::run(&run, plan, if steps { sandbox::Steps::Reported } else { sandbox::Steps::Passed }, after);
    let mut run = run.into_inner();
    end?;
    if run.finished {
        return Ok(());
    }
    run.finish().map_err(|fault| (run.loader.scratch.wrong_region.checked_sub(1).unwrap_or(plan.lines.len()), fault))
}

/// Runs a level without carrying out its statements, and returns their digest. `None` if it fails, or does something
/// that cannot be recorded.
pub(crate) fn record(
    prepared: &Prepared,
    plan: &LuaPlan,
    settings: &Settings,
    (level, scratch, memory): (&mut Level, &mut Scratch, &mut Memory),
    rng: &mut dyn Rng,
) -> Option<u128> {
    // The effects of a game's own library, and the rooms around a level, are not recorded.
    if plan.task.is_some() || plan.library.is_some() {
        return None;
    }
    let mut run = started(prepared, plan, settings, level, scratch, memory, Source::Other(rng), None);
    run.recorder = Some(Recorder::default());
    let run = RefCell::new(run);
    sandbox::run(&run, plan, sandbox::Steps::Passed, &mut |_, _, _| Ok(())).ok()?;
    run.into_inner().recorder.and_then(Recorder::finish)
}

/// Runs a level, and returns the statements that it executes.
pub(crate) fn transcribe(
    prepared: &Prepared,
    plan: &LuaPlan,
    settings: &Settings,
    (level, scratch, memory): (&mut Level, &mut Scratch, &mut Memory),
    rng: &mut dyn Rng,
) -> Result<Transcript, (usize, Fault)> {
    let mut run = started(prepared, plan, settings, level, scratch, memory, Source::Other(rng), None);
    run.transcript = Some(Transcript::default());
    let run = RefCell::new(run);
    sandbox::run(&run, plan, sandbox::Steps::Passed, &mut |_, _, _| Ok(()))?;
    Ok(run.into_inner().transcript.unwrap_or_default())
}

/// Returns a run of a level that begins with an empty one.
#[allow(clippy::too_many_arguments)]
fn started<'a>(
    prepared: &'a Prepared,
    plan: &LuaPlan,
    settings: &'a Settings,
    level: &'a mut Level,
    scratch: &'a mut Scratch,
    memory: &'a mut Memory,
    rng: Source<'a>,
    observer: Option<&'a mut dyn Observer>,
) -> Run<'a> {
    memory.clear();
    let loader = Loader::new(level, scratch, &prepared.game, settings, rng, observer);
    let meter = Rc::new(Meter::new(settings.fuel));
    meter.know(plan.texts);
    Run {
        loader,
        prepared,
        memory,
        rooms: [None; MAX_NESTED_ROOMS + 1],
        failed: [false; MAX_NESTED_ROOMS + 1],
        depth: 1,
        joined: false,
        wishes: Finish {
            flips: Flips { top_to_bottom: true, left_to_right: true },
            ways_out: false,
            solid: false,
            premapped: false,
        },
        fatal: None,
        nested: 0,
        meter,
        finished: false,
        calling: ("", ""),
        recorder: None,
        transcript: None,
        answers: None,
    }
}
