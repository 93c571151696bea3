//! Statements about the level as a whole: initialisation, flags, ore, messages, and the end.

use mlua::{Lua, MultiValue};
use splc_ir::catalog::LoaderRule;
use splc_lua::des::{gas_cloud as cloud, level_init as init, mineralize as ore};
use splc_lua::keys::UNSAID;
use splc_lua::words::{LEVEL_FLAGS, LevelFlag, Style};

use super::{Answer, nothing, readable, terrain_of};
use crate::level::Cloud;
use crate::limits::LUA_LEVEL_STEPS;
use crate::loader::{CavernRequest, Flips, MazeRequest};
use crate::lua::arguments::Arguments;
use crate::lua::calls::work;
use crate::lua::raised::{deadly, mistake};
use crate::lua::running::{Run, Shared};
use crate::lua::selections::squares;
use crate::observer::Event;
use crate::terrain::Terrain;

pub(super) fn message(_: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    if arguments.len() < 1 {
        return Err(mistake("Wrong parameters"));
    }
    let text = readable(&arguments.text(1)?);
    let level = &mut run.borrow_mut().loader.level;
    let text = level.keep_text(&text);
    level.messages.push(text);
    nothing()
}

pub(super) fn level_flags(_: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    if arguments.len() < 1 {
        return Err(mistake("expected string params"));
    }
    for number in 1..=arguments.len() {
        let word = readable(&arguments.text(number)?);
        let mut run = run.borrow_mut();
        let Run { loader, wishes, .. } = &mut *run;
        let flag = LEVEL_FLAGS.meaning(&loader.game.catalog, &word);
        let flags = &mut loader.level.level_flags;
        match flag.ok_or_else(|| mistake(format!("Unknown level flag {word}")))? {
            LevelFlag::NoTeleport => flags.no_teleport = true,
            LevelFlag::HardFloor => flags.hard_floor = true,
            LevelFlag::NoMagicMap => flags.no_magic_map = true,
            LevelFlag::ShortSighted => flags.short_sighted = true,
            LevelFlag::Arboreal => flags.arboreal = true,
            LevelFlag::Maze => flags.maze = true,
            LevelFlag::Shroud => flags.shroud = true,
            LevelFlag::Graveyard => flags.graveyard = true,
            LevelFlag::IcedPools => loader.iced_pools = true,
            LevelFlag::CorridorMaze => flags.corridor_maze = true,
            LevelFlag::Premapped => wishes.premapped = true,
            LevelFlag::Solidify => wishes.solid = true,
            LevelFlag::Sokoban => flags.sokoban = true,
            LevelFlag::Inaccessibles => wishes.ways_out = true,
            LevelFlag::NoFlipX => wishes.flips.left_to_right = false,
            LevelFlag::NoFlipY => wishes.flips.top_to_bottom = false,
            LevelFlag::NoFlip => wishes.flips = Flips { top_to_bottom: false, left_to_right: false },
            LevelFlag::Temperate => flags.temperature = 0,
            LevelFlag::Hot => flags.temperature = 1,
            LevelFlag::Cold => flags.temperature = -1,
            LevelFlag::NoRandomMonsters => flags.no_random_monsters = true,
            LevelFlag::NoDeathDrops => flags.no_death_drops = true,
            LevelFlag::NoAutoSearch => flags.no_auto_search = true,
            LevelFlag::Fumaroles => flags.fumaroles = true,
            LevelFlag::Stormy => flags.stormy = true,
            LevelFlag::Added => loader.level.note_flag(&word),
        }
    }
    nothing()
}

pub(super) fn level_init(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    work(lua, LUA_LEVEL_STEPS)?;
    let fields = Arguments::new(arguments).only_table(lua)?;
    let style = fields.word(run, &init::STYLE)?;
    let floor = terrain_of(lua, run, &fields, &init::FOREGROUND)?.unwrap_or(Some(Terrain::ROOM));
    let rock = terrain_of(lua, run, &fields, &init::BACKGROUND)?;
    let smooth = fields.is(&init::SMOOTHED)?;
    let joined = fields.is(&init::JOINED)?;
    let has_own_library = !run.borrow().loader.game.catalog.lua.library.is_empty();
    let mut light = match has_own_library {
        true => fields.truth_or_random(&init::LIT)?,
        false => fields.truth(&init::LIT)?,
    };
    let walled = fields.is(&init::WALLED)?;
    let filling = terrain_of(lua, run, &fields, &init::FILLING)?;
    let request = MazeRequest {
        corridor: fields.number(&init::CORRIDOR_WIDTH)? as i32,
        wall: fields.number(&init::WALL_THICKNESS)? as i32,
        dead_ends: fields.is(&init::DEAD_ENDS)?,
    };
    let usual = if style == Style::Swamp { Terrain::MOAT } else { Terrain::STONE };
    let rock = rock.unwrap_or(Some(usual));
    let mut run = run.borrow_mut();
    run.joined = joined;
    let loader = &mut run.loader;
    loader.init_present = !loader.has(LoaderRule::InitLeavesMaps);
    loader.level.set_random_light(false);
    if light == -1 && matches!(style, Style::SolidFill | Style::Mines | Style::Swamp) {
        light = loader.rn2(2);
        loader.level.set_random_light(light != 0 && style == Style::SolidFill);
    }
    match style {
        Style::SolidFill => loader.fill_solid(filling.unwrap_or(floor), light),
        Style::MazeGrid => loader.fill_maze_grid(rock),
        Style::Maze => loader.create_maze(&request).map_err(deadly)?,
        Style::Rogue => loader.make_rogue_rooms().map_err(deadly)?,
        Style::Swamp => loader.fill_swamp(floor, rock, light),
        Style::Mines => {
            let filled = filling.is_some();
            let filling = filling.flatten();
            let request = CavernRequest { floor, rock, smooth, joined, light, walled, filling, filled };
            loader.fill_and_make_caverns(&request).map_err(deadly)?;
        }
    }
    nothing()
}

pub(super) fn mineralize(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let gems = fields.number(&ore::GEMS)?;
    let gold = fields.number(&ore::GOLD)?;
    let kelp_in_moats = fields.number(&ore::KELP_IN_MOATS)?;
    let kelp_in_pools = fields.number(&ore::KELP_IN_POOLS)?;
    let mut run = run.borrow_mut();
    run.loader.report(Event::Mineralized { kelp_in_pools, kelp_in_moats, gold, gems });
    run.loader.level.mineralize([kelp_in_pools, kelp_in_moats, gold, gems]);
    nothing()
}

/// Empties the level. The game has this function for its own tests.
pub(super) fn reset_level(lua: &Lua, run: Shared<'_, '_>, _: MultiValue) -> Answer {
    work(lua, LUA_LEVEL_STEPS)?;
    run.borrow_mut().start_again();
    nothing()
}

/// Finishes the level. The game has this function for its own tests.
pub(super) fn finalize_level(lua: &Lua, run: Shared<'_, '_>, _: MultiValue) -> Answer {
    work(lua, LUA_LEVEL_STEPS)?;
    let mut run = run.borrow_mut();
    if !run.finished {
        run.finished = true;
        run.finish().map_err(deadly)?;
    }
    nothing()
}

pub(super) fn gas_cloud(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    if arguments.len() != 1 || !arguments.is_table(1) {
        return Err(mistake("wrong parameters"));
    }
    let fields = arguments.only_table(lua)?;
    let (x, y) = fields.place(&cloud::PLACE)?;
    let chosen = match (x, y) {
        (-1, -1) => Some(squares(&fields.get(&cloud::SELECTION)?)?),
        _ => None,
    };
    let damage = fields.number(&cloud::DAMAGE)? as i32;
    let turns = fields.number(&cloud::TURNS)?;
    let mut run = run.borrow_mut();
    let (squares, usual) = match chosen {
        Some(chosen) => (chosen.iter().collect(), -1),
        None => {
            let usual = run.loader.rn1(3, 4);
            (vec![(i32::from(x as i16), i32::from(y as i16))], usual)
        }
    };
    let turns = if turns > UNSAID.into() { turns as i32 } else { usual };
    run.loader.level.clouds.push(Cloud { damage, turns, squares });
    nothing()
}
