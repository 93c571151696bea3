//! Statements about the level as a whole: initialisation, flags, ore, messages, and the end.

use mlua::{Lua, MultiValue};
use splc_ir::catalog::LoaderRule;

use super::{Answer, nothing, readable, terrain_of};
use crate::level::Cloud;
use crate::loader::{CavernRequest, MazeRequest};
use crate::lua::arguments::{Arguments, Words};
use crate::lua::calls::{deadly, mistake};
use crate::lua::running::{Run, Shared};
use crate::lua::selections::squares;
use crate::observer::Event;
use crate::terrain::Terrain;

pub(super) fn message(_: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
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

pub(super) fn level_flags(_: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    if arguments.len() < 1 {
        return Err(mistake("expected string params"));
    }
    for number in 1..=arguments.len() {
        let word = readable(&arguments.text(number)?);
        let mut run = run.borrow_mut();
        let Run { loader, wishes, .. } = &mut *run;
        let flags = &mut loader.level.level_flags;
        match word.to_ascii_lowercase().as_str() {
            "noteleport" => flags.no_teleport = true,
            "hardfloor" => flags.hard_floor = true,
            "nommap" => flags.no_magic_map = true,
            "shortsighted" => flags.short_sighted = true,
            "arboreal" => flags.arboreal = true,
            "mazelevel" => flags.maze = true,
            "shroud" => flags.shroud = true,
            "graveyard" => flags.graveyard = true,
            "icedpools" => loader.iced_pools = true,
            "corrmaze" => flags.corridor_maze = true,
            "premapped" => wishes.premapped = true,
            "solidify" => wishes.solid = true,
            "sokoban" => flags.sokoban = true,
            "inaccessibles" => wishes.ways_out = true,
            "noflipx" => wishes.flips.left_to_right = false,
            "noflipy" => wishes.flips.top_to_bottom = false,
            "noflip" => {
                wishes.flips.left_to_right = false;
                wishes.flips.top_to_bottom = false;
            }
            "temperate" => flags.temperature = 0,
            "hot" => flags.temperature = 1,
            "cold" => flags.temperature = -1,
            "nomongen" => flags.no_random_monsters = true,
            "nodeathdrops" => flags.no_death_drops = true,
            "noautosearch" => flags.no_auto_search = true,
            "fumaroles" => flags.fumaroles = true,
            "stormy" => flags.stormy = true,
            _ => return Err(mistake(format!("Unknown level flag {word}"))),
        }
    }
    nothing()
}

/// Styles of level initialisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    SolidFill,
    MazeGrid,
    Maze,
    Rogue,
    Mines,
    Swamp,
}

const STYLES: Words<Style> = &[
    ("solidfill", Style::SolidFill),
    ("mazegrid", Style::MazeGrid),
    ("maze", Style::Maze),
    ("rogue", Style::Rogue),
    ("mines", Style::Mines),
    ("swamp", Style::Swamp),
];

pub(super) fn level_init(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let style = fields.word("style", Some("solidfill"), STYLES)?;
    let floor = terrain_of(lua, run, &fields, "fg")?.unwrap_or(Some(Terrain::ROOM));
    let rock = terrain_of(lua, run, &fields, "bg")?;
    let smooth = fields.is("smoothed")?;
    let joined = fields.is("joined")?;
    let mut light = fields.truth_or("lit", -1)?;
    let walled = fields.is("walled")?;
    let filling = terrain_of(lua, run, &fields, "filling")?;
    let request = MazeRequest {
        corridor: fields.integer_or("corrwid", -1)? as i32,
        wall: fields.integer_or("wallthick", -1)? as i32,
        dead_ends: fields.truth_or("deadends", 1)? != 0,
    };
    let usual = if style == Style::Swamp { Terrain::MOAT } else { Terrain::STONE };
    let rock = rock.unwrap_or(Some(usual));
    let mut run = run.borrow_mut();
    run.joined = joined;
    let loader = &mut run.loader;
    loader.init_present = !loader.has(LoaderRule::InitLeavesMaps);
    if light == -1 && matches!(style, Style::SolidFill | Style::Mines | Style::Swamp) {
        light = loader.rn2(2);
    }
    match style {
        Style::SolidFill => loader.fill_solid(filling.unwrap_or(floor), light),
        Style::MazeGrid => loader.fill_maze_grid(rock),
        Style::Maze => loader.create_maze(&request).map_err(deadly)?,
        Style::Rogue => loader.make_rogue_rooms().map_err(deadly)?,
        Style::Swamp => loader.fill_swamp(floor, rock, light),
        Style::Mines => {
            let filled = filling.is_some();
            let filling = filling.unwrap_or(floor);
            if filled || loader.has(LoaderRule::CavernRoomsAreForgotten) {
                loader.fill_solid(filling, 0);
            }
            let request = CavernRequest { floor, rock, smooth, joined, light, walled, filling, filled };
            loader.make_caverns(&request).map_err(deadly)?;
        }
    }
    nothing()
}

pub(super) fn mineralize(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let gems = fields.integer_or("gem_prob", -1)?;
    let gold = fields.integer_or("gold_prob", -1)?;
    let kelp_in_moats = fields.integer_or("kelp_moat", -1)?;
    let kelp_in_pools = fields.integer_or("kelp_pool", -1)?;
    let mut run = run.borrow_mut();
    run.loader.tell(Event::Mineralized { kelp_in_pools, kelp_in_moats, gold, gems });
    run.loader.level.ore.push([kelp_in_pools, kelp_in_moats, gold, gems]);
    nothing()
}

/// Empties the level. The game has this function for its own tests.
pub(super) fn reset_level(_: &Lua, run: Shared<'_, '_, '_>, _: MultiValue) -> Answer {
    run.borrow_mut().start_again();
    nothing()
}

/// Finishes the level. The game has this function for its own tests.
pub(super) fn finalize_level(_: &Lua, run: Shared<'_, '_, '_>, _: MultiValue) -> Answer {
    let mut run = run.borrow_mut();
    if !run.finished {
        run.finished = true;
        run.finish().map_err(deadly)?;
    }
    nothing()
}

pub(super) fn gas_cloud(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    /// Duration if the level leaves it to the game.
    const UNSAID: i64 = -2;
    let arguments = Arguments::new(arguments);
    if arguments.len() != 1 || !arguments.is_table(1) {
        return Err(mistake("wrong parameters"));
    }
    let fields = arguments.only_table(lua)?;
    let (x, y) = fields.place()?;
    let chosen = match (x, y) {
        (-1, -1) => Some(squares(&fields.get("selection")?)?),
        _ => None,
    };
    let damage = fields.integer_or("damage", 0)? as i32;
    let turns = fields.integer_or("ttl", UNSAID)?;
    let mut run = run.borrow_mut();
    let (squares, usual) = match chosen {
        Some(chosen) => (chosen.iter().collect(), -1),
        None => {
            let usual = run.loader.rn1(3, 4);
            (vec![(i32::from(x as i16), i32::from(y as i16))], usual)
        }
    };
    let turns = if turns > UNSAID { turns as i32 } else { usual };
    run.loader.level.clouds.push(Cloud { damage, turns, squares });
    nothing()
}
