//! Terrain, mazes, and properties of walls.

use mlua::{Lua, MultiValue};
use splc_ir::catalog::LoaderRule;
use splc_lua::des::{
    mazewalk as maze, replace_terrain as replaced, terrain as keys, wall_property as property, wallify as walls,
};
use splc_lua::keys::UNCHANGED;

use super::{Answer, no_region, nothing, terrain_of, text_of};
use crate::level::{COLUMNS, ROWS, is_ok, wall};
use crate::limits::{LUA_AREA_STEPS, LUA_LEVEL_STEPS};
use crate::loader::{MapSquare, pack_given};
use crate::lua::arguments::{Arguments, place};
use crate::lua::calls::work;
use crate::lua::raised::{deadly, mistake};
use crate::lua::running::Shared;
use crate::lua::selections::{self, squares};
use crate::selection::Selection;
use crate::terrain::Terrain;

/// Converts terrain for a function; a transparent square changes nothing.
fn square(square: MapSquare) -> mlua::Result<Option<Terrain>> {
    match square {
        MapSquare::Terrain(terrain) => Ok(Some(terrain)),
        _ => Ok(None),
    }
}

pub(super) fn terrain(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    work(lua, LUA_AREA_STEPS)?;
    let arguments = Arguments::new(arguments);
    let (mut at, mut selection, mut light) = ((0, 0), None, UNCHANGED);
    let character;
    match arguments.len() {
        1 => {
            let fields = arguments.only_table(lua)?;
            at = fields.place(&keys::PLACE)?;
            if at == (-1, -1) {
                selection = Some(squares(&fields.get(&keys::SELECTION)?)?);
            }
            character = fields.text(&keys::TYPE)?;
            light = fields.number(&keys::LIT)?;
        }
        2 if arguments.is_table(1) && arguments.is_text(2) => {
            character = arguments.text(2)?;
            at = place(arguments.get(1))?.unwrap_or((0, 0));
        }
        2 => {
            selection = Some(squares(arguments.get(1))?);
            character = arguments.text(2)?;
        }
        3 => {
            at = (arguments.integer(1)?, arguments.integer(2)?);
            character = arguments.text(3)?;
        }
        _ => return Err(mistake("wrong parameters")),
    }
    let mut run = run.borrow_mut();
    let kind = square(selections::terrain(&run, &character)?)?;
    let light = i32::from(light as i8);
    match selection {
        Some(selection) => {
            for (x, y) in selection.iter().filter(|&(x, y)| is_ok(x, y)) {
                run.loader.set_terrain_at(x, y, kind, light);
            }
        }
        None => {
            let room = run.room();
            let humidity = run.loader.anywhere();
            let (x, y) = run.loader.location_of(pack_given(at.0, at.1), humidity, room);
            if !is_ok(x, y) {
                return Err(mistake("terrain coord not ok"));
            }
            run.loader.set_terrain_at(x, y, kind, light);
        }
    }
    nothing()
}

pub(super) fn replace_terrain(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    work(lua, LUA_LEVEL_STEPS)?;
    let fields = Arguments::new(arguments).only_table(lua)?;
    let to = match selections::terrain(&run.borrow(), &fields.text(&replaced::TO)?)? {
        MapSquare::Terrain(terrain) => terrain,
        _ => return nothing(),
    };
    let from = text_of(lua, run, &fields, &replaced::FROM)?.filter(|text| !text.is_empty());
    let from = match from {
        Some(from) => Some(selections::terrain(&run.borrow(), &from)?),
        None => None,
    };
    let drawn = match from {
        None => Some(selections::fragment(lua, &run.borrow(), &fields.text(&replaced::FRAGMENT)?)?),
        Some(_) => None,
    };
    let chance = fields.number(&replaced::CHANCE)? as i32;
    let light = i32::from(fields.number(&replaced::LIT)? as i8);
    let corners = fields.corners(&replaced::CORNERS)?.unwrap_or([-1; 4]);
    let mut chosen = None;
    if corners == [-1; 4] {
        let value = fields.get(&replaced::SELECTION)?;
        if !value.is_nil() {
            chosen = Some(squares(&value)?);
        }
    }
    let mut run = run.borrow_mut();
    let chosen = match chosen {
        Some(chosen) => chosen,
        None if corners == [-1; 4] => Selection::new().complement(),
        None => {
            let room = run.room();
            let [x1, y1, x2, y2] = corners.map(|number| number as i32);
            let humidity = run.loader.anywhere();
            let (x1, y1) = run.loader.location(x1, y1, humidity, room);
            let (x2, y2) = run.loader.location(x2, y2, humidity, room);
            let mut squares = Selection::new();
            for x in x1.max(0)..=x2.min(COLUMNS - 1) {
                for y in y1.max(0)..=y2.min(ROWS - 1) {
                    squares.add(x, y);
                }
            }
            squares
        }
    };
    let first = i32::from(run.loader.has(LoaderRule::ColumnZeroIsOutside));
    for (x, y) in chosen.iter().filter(|&(x, _)| x >= first) {
        let there = run.loader.terrain(x, y);
        let fits = match (&drawn, from) {
            (Some(drawn), _) => run.loader.fits_map(drawn, x, y),
            (None, Some(MapSquare::Wall)) => there.is_wall_or_stone(),
            (None, Some(MapSquare::Terrain(from))) => there == from,
            (None, _) => false,
        };
        if fits && run.loader.rn2(100) < chance {
            run.loader.set_terrain_and_light(x, y, Some(to), light);
        }
    }
    nothing()
}

pub(super) fn mazewalk(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    work(lua, LUA_LEVEL_STEPS)?;
    let arguments = Arguments::new(arguments);
    let (x, y, direction, mut stocked, mut floor) = if arguments.len() == 3 {
        let direction = arguments.word(run, 3, &maze::DIRECTION)?;
        (arguments.integer(1)?, arguments.integer(2)?, direction, true, Some(Terrain::ROOM))
    } else {
        let fields = arguments.only_table(lua)?;
        let (x, y) = fields.place(&maze::PLACE)?;
        let floor = terrain_of(lua, run, &fields, &maze::TYPE)?.unwrap_or(Some(Terrain::ROOM));
        let stocked = fields.is(&maze::STOCKED)?;
        (x, y, fields.word(run, &maze::DIRECTION)?, stocked, floor)
    };
    let mut run = run.borrow_mut();
    let room = run.room();
    let humidity = run.loader.anywhere();
    let place = run.loader.location_of(pack_given(x, y), humidity, room);
    if !is_ok(place.0, place.1) {
        return Err(mistake("mazewalk coord not ok"));
    }
    let direction = run.direction(direction);
    if floor == Some(Terrain::STONE) {
        floor = None;
    }
    let catalog = &run.loader.game.catalog;
    let floor = floor.and_then(|floor| floor.number_in(catalog)).unwrap_or(0);
    stocked &= true;
    run.loader.mazewalk(place, direction, floor.into(), stocked).map_err(deadly)?;
    nothing()
}

pub(super) fn wallify(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    work(lua, LUA_LEVEL_STEPS)?;
    let arguments = Arguments::new(arguments);
    let mut corners = [-1; 4];
    if arguments.len() == 1 {
        let fields = arguments.only_table(lua)?;
        for (corner, key) in corners.iter_mut().zip([walls::X1, walls::Y1, walls::X2, walls::Y2]) {
            *corner = fields.number(&key)?;
        }
    }
    run.borrow_mut().loader.wallify_or_map(corners.map(|number| i32::from(number as i16)));
    nothing()
}

pub(super) fn wall_property(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let [x1, y1, x2, y2] =
        fields.corners(&property::CORNERS)?.ok_or_else(no_region)?.map(|number| i32::from(number as i16));
    let property = fields.word(run, &property::PROPERTY)?;
    let mut run = run.borrow_mut();
    let loader = &mut run.loader;
    let or = |given: i32, otherwise: i32| if given == -1 { otherwise } else { given };
    let x1 = or(x1, loader.start_x - 1);
    let y1 = or(y1, loader.start_y - 1);
    let x2 = or(x2, loader.start_x + loader.size_x + 1);
    let y2 = or(y2, loader.start_y + loader.size_y + 1);
    let humidity = loader.anywhere();
    let (x1, y1) = loader.location(x1, y1, humidity, None);
    let (x2, y2) = loader.location(x2, y2, humidity, None);
    loader.set_wall_property([x1, y1, x2, y2], property);
    nothing()
}

fn harden(run: Shared<'_, '_>, arguments: MultiValue, property: i32) -> Answer {
    let arguments = Arguments::new(arguments);
    let chosen = match arguments.len() {
        0 => Selection::new().complement(),
        1 => squares(arguments.get(1))?,
        _ => return nothing(),
    };
    let loader = &mut run.borrow_mut().loader;
    for (x, y) in chosen.iter().filter(|&(x, y)| is_ok(x, y)) {
        loader.set_wall_property([x, y, x, y], property);
    }
    nothing()
}

pub(super) fn non_diggable(_: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    harden(run, arguments, wall::NON_DIGGABLE)
}

pub(super) fn non_passwall(_: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    harden(run, arguments, wall::NON_PASSABLE)
}
