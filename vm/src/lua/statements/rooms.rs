//! Rooms, regions that are rooms or only lit, their doors, and corridors.

use mlua::{Lua, MultiValue, Table, Value};
use splc_ir::catalog::LoaderRule;
use splc_lua::des::{corridor as corridors, door as doors, region as regions, room as rooms};
use splc_lua::keys::{Number, Text, Typed, Word};
use splc_lua::words::{LIGHTS, RANDOM};

use super::maps::size;
use super::{Answer, no_region, nothing, readable, text_of};
use crate::error::Fault;
use crate::level::{self, is_ok};
use crate::limits::{LUA_LEVEL_STEPS, MAX_NESTED_ROOMS};
use crate::loader::{
    CorridorEnd, EAST, NORTH, Need, RegionRequest, RoomDoorRequest, RoomRequest, SOUTH, WEST, pack_given,
};
use crate::lua::arguments::{Arguments, Fields};
use crate::lua::calls::{call_contents, work};
use crate::lua::raised::{deadly, mistake};
use crate::lua::running::{Run, Shared};
use crate::lua::selections;
use crate::observer::Complaint;

pub(super) fn door(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let (x, y, state, fields);
    if arguments.len() == 3 {
        state = arguments.word(run, 1, &doors::STATE)?;
        (x, y) = (arguments.integer(2)?, arguments.integer(3)?);
        fields = None;
    } else {
        let table = arguments.only_table(lua)?;
        (x, y) = table.place(&doors::PLACE)?;
        state = table.word(run, &doors::STATE)?;
        fields = Some(table);
    }
    let (x, y) = (i64::from(x as i16), i64::from(y as i16));
    let in_wall = (x, y) == (-1, -1);
    let drawn = {
        let mut run = run.borrow_mut();
        let twice = run.loader.has(LoaderRule::DoorStatesDrawnTwice);
        if state == RANDOM && (twice || !in_wall) { run.loader.random_door_state() } else { state }
    };
    if in_wall {
        let (position, wall) = match &fields {
            Some(fields) => (fields.number(&doors::POSITION)?, fields.word(run, &doors::WALL)?),
            None => (-1, NORTH | SOUTH | EAST | WEST),
        };
        let mut run = run.borrow_mut();
        let Some(room) = run.room() else { return Err(mistake("a door in a wall has to be in a room")) };
        let mut request = RoomDoorRequest {
            wall,
            position: i32::from(position as i16),
            secret: i32::from(drawn == level::door::SECRET),
            state,
        };
        if run.loader.has(LoaderRule::DoorsDrawTheirWall) && wall == NORTH | SOUTH | EAST | WEST {
            request.wall = -1;
        }
        run.loader.create_room_door(request, room);
        return nothing();
    }
    let mut run = run.borrow_mut();
    let room = run.room();
    let humidity = run.loader.anywhere();
    let (x, y) = run.loader.location_of(pack_given(x, y), humidity, room);
    if !is_ok(x, y) {
        return Err(mistake("door coord not ok"));
    }
    run.loader.set_door_at(x, y, drawn);
    nothing()
}

/// Creates the table passed to a room's function (`l_push_mkroom_table`).
fn room_table(lua: &Lua, run: &Run<'_>, number: usize) -> mlua::Result<Table> {
    let room = run.loader.level.rooms[number];
    let table = size(lua, room.width(), room.height())?;
    let corners = [("x1", room.low_x), ("y1", room.low_y), ("x2", room.high_x), ("y2", room.high_y)];
    let corners = corners.map(|(key, number)| (key, i64::from(number)));
    table.raw_set("region", selections::numbers(lua, &corners)?)?;
    table.raw_set("lit", room.lit)?;
    table.raw_set("irregular", room.irregular)?;
    table.raw_set("needjoining", room.joined)?;
    let name = run.loader.game.catalog.rooms.iter().find(|(_, kind)| *kind == i64::from(room.kind));
    table.raw_set("type", name.map_or("unknown", |(name, _)| name.as_ref()))?;
    Ok(table)
}

/// Reads a room type from a table (`get_table_roomtype_opt`). The game complains about an unknown one.
fn room_type(lua: &Lua, run: Shared<'_, '_>, fields: &Fields, key: &Typed<Text>) -> mlua::Result<i32> {
    const ORDINARY: i32 = 0;
    let Some(name) = text_of(lua, run, fields, key)?.filter(|name| !name.is_empty()) else { return Ok(ORDINARY) };
    let name = readable(&name);
    let mut run = run.borrow_mut();
    let rooms = &run.loader.game.catalog.rooms;
    let known = rooms.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name)).map(|&(_, kind)| kind as i32);
    if known.is_none() {
        run.loader.complain(Complaint::RoomType);
    }
    Ok(known.unwrap_or(ORDINARY))
}

/// Calls the function for a room's contents, and ends the room (`lspo_room`, `lspo_region`).
fn fill_room(lua: &Lua, run: Shared<'_, '_>, contents: Value, number: usize) -> mlua::Result<()> {
    if let Value::Function(function) = contents {
        let table = room_table(lua, &run.borrow(), number)?;
        call_contents(lua, run, &function, MultiValue::from_vec(vec![Value::Table(table)]))?;
    }
    let mut run = run.borrow_mut();
    run.close_room();
    run.loader.add_doors_to(number);
    Ok(())
}

pub(super) fn room(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let making = run.borrow().loader.making;
    if making.has_failed() {
        return nothing();
    }
    let fields = Arguments::new(arguments).only_table(lua)?;
    if run.borrow().depth > MAX_NESTED_ROOMS {
        return Err(deadly(Fault::RoomNesting));
    }
    let (x, y) = fields.place(&rooms::PLACE)?;
    if (x == -1 || y == -1) && x != y {
        return Err(mistake("Room must have both x and y"));
    }
    let (width, height) = (fields.number(&rooms::WIDTH)?, fields.number(&rooms::HEIGHT)?);
    if (width == -1 || height == -1) && width != height {
        return Err(mistake("Room must have both w and h"));
    }
    let align_x = fields.word(run, &rooms::ACROSS)?;
    let align_y = fields.word(run, &rooms::DOWN)?;
    let kind = room_type(lua, run, &fields, &rooms::TYPE)?;
    let short = |number: i64| i32::from(number as i16);
    let certain = if run.borrow().loader.has(LoaderRule::RoomsWithoutChanceDrawNone) { 0 } else { 100 };
    let chance = short(fields.number_or(&rooms::CHANCE, certain)?);
    let light = short(fields.number(&rooms::LIT)?);
    // Themed rooms are not filled unless they say so.
    let fill = fields.number_or(&rooms::FILLED, if making.themed { 0 } else { 1 })?;
    let request = RoomRequest {
        x: short(x),
        y: short(y),
        width: short(width),
        height: short(height),
        align_x,
        align_y,
        kind,
        chance,
        light,
        filled: fill != 0,
        joined: fields.is(&rooms::JOINED)?,
    };
    let made = {
        let mut run = run.borrow_mut();
        let parent = run.room();
        let made = match run.failed[run.depth - 1] {
            true => None,
            false => run.loader.build_room(&request, parent).map_err(deadly)?,
        };
        if made.is_none() {
            run.loader.making.failed = true;
            // The level maker tries another room.
            if !making.themed {
                run.loader.complain(Complaint::RoomFailed);
            }
        }
        if let Some(room) = made {
            run.loader.level.rooms[room].fill = fill.clamp(0, 255) as u8;
        }
        run.open_room(made);
        made
    };
    match made {
        Some(room) => fill_room(lua, run, fields.get(&rooms::CONTENTS)?, room)?,
        None => run.borrow_mut().close_room(),
    }
    nothing()
}

pub(super) fn corridor(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let end = |room: &Typed<Number>, door: &Typed<Number>, wall: &Typed<Word<i32>>| -> mlua::Result<CorridorEnd> {
        Ok(CorridorEnd {
            room: fields.number(room)? as i32,
            door: fields.number(door)? as i32,
            wall: fields.word(run, wall)?,
        })
    };
    let from = end(&corridors::FROM_ROOM, &corridors::FROM_DOOR, &corridors::FROM_WALL)?;
    let to = end(&corridors::TO_ROOM, &corridors::TO_DOOR, &corridors::TO_WALL)?;
    let mut run = run.borrow_mut();
    if from.room != -1 && (from.wall == 0 || to.wall == 0) {
        run.loader.complain(Complaint::RandomWall);
        return nothing();
    }
    run.loader.create_corridor(from, to).map_err(deadly)?;
    nothing()
}

pub(super) fn random_corridors(lua: &Lua, run: Shared<'_, '_>, _: MultiValue) -> Answer {
    work(lua, LUA_LEVEL_STEPS)?;
    // In games with several styles of corridors, the door number is the style; use the first.
    let end = CorridorEnd { room: -1, wall: -1, door: 0 };
    run.borrow_mut().loader.create_corridor(end, end).map_err(deadly)?;
    nothing()
}

pub(super) fn region(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    if arguments.len() == 2 {
        let mut selector = selections::read(arguments.get(1))?;
        let lit = arguments.keyword(run, 2, "lit", Word { words: LIGHTS, usual: Some("lit") })?;
        if lit {
            selector.grow(NORTH | SOUTH | EAST | WEST, crate::selection::Growth::Everywhere);
        }
        let mut run = run.borrow_mut();
        run.loader.level.set_random_light(false);
        for (x, y) in selector.squares().iter().filter(|&(x, y)| is_ok(x, y)) {
            let light = lit || run.loader.terrain(x, y).is_lava();
            run.loader.level.set_lit(x, y, light);
        }
        return nothing();
    }
    if arguments.len() > 2 {
        return Err(mistake("Wrong parameters"));
    }
    let fields = arguments.only_table(lua)?;
    let fill = fields.number(&regions::FILLED)?;
    let irregular = fields.is(&regions::IRREGULAR)?;
    let joined = fields.is(&regions::JOINED)?;
    let arrival = fields.is(&regions::ARRIVAL_ROOM)?;
    let kind = room_type(lua, run, &fields, &regions::TYPE)?;
    let light = fields.number(&regions::LIT)?;
    let corners = fields.corners(&regions::CORNERS)?.ok_or_else(no_region)?;
    if corners == [-1; 4] {
        return Err(mistake("region needs region"));
    }
    let made = {
        let mut run = run.borrow_mut();
        run.loader.level.set_random_light(false);
        let lit = if light < 0 { run.loader.random_light() } else { light as u8 != 0 };
        let [x1, y1, x2, y2] = corners.map(|number| i32::from(number as i16));
        let humidity = run.loader.anywhere();
        let (x1, y1) = run.loader.location(x1, y1, humidity, None);
        let (x2, y2) = run.loader.location(x2, y2, humidity, None);
        let request =
            RegionRequest { area: [x1, y1, x2, y2], kind: kind.into(), light, filled: false, irregular, joined };
        let themed = run.loader.making.themed;
        let need = if kind == 0 && !irregular && !arrival && !themed { Need::LightOnly } else { Need::Room };
        let fill = Some(fill.clamp(0, 255) as u8);
        let made =
            run.loader.declare_region(&request, kind.into(), need, fill, [x1, y1, x2, y2], lit).map_err(deadly)?;
        match made {
            Some(_) if run.depth > 1 => {
                run.loader.complain(Complaint::RegionAsSubroom);
                None
            }
            Some(room) => {
                run.open_room(Some(room));
                Some(room)
            }
            None => None,
        }
    };
    if let Some(room) = made {
        fill_room(lua, run, fields.get(&regions::CONTENTS)?, room)?;
    }
    nothing()
}
