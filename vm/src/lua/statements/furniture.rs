//! Furniture of squares: features, altars, stairs, drawbridges, graves, engravings, traps.

use mlua::{Lua, MultiValue, Value};
use splc_ir::catalog::LoaderRule;
use splc_lua::des::{altar as altars, drawbridge as bridges, engraving as engravings, feature as features};
use splc_lua::des::{grave as graves, stair as stairs, trap as traps};
use splc_lua::keys::UNSAID;
use splc_lua::words::RANDOM;

use super::{Answer, nothing, readable, text_of};
use crate::level::{feature as marks, is_ok};
use crate::loader::{Humidity, NO_ALIGNMENT, TrapWishes, pack, pack_given};
use crate::lua::arguments::{Arguments, place, text};
use crate::lua::raised::{deadly, mistake};
use crate::lua::running::Shared;
use crate::lua::selections;
use crate::terrain::Terrain;

pub(super) fn engraving(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let (mut degrades, mut guards) = (true, false);
    let ((x, y), kind, text) = match arguments.len() {
        1 => {
            let fields = arguments.only_table(lua)?;
            let at = fields.place(&engravings::PLACE)?;
            let kind = fields.word(run, &engravings::TYPE)?;
            let text = fields.text(&engravings::TEXT)?;
            degrades = fields.truth(&engravings::DEGRADE)? != 0;
            // The game keeps one bit.
            guards = fields.truth(&engravings::GUARD_OBJECTS)? & 1 != 0;
            (at, kind, text)
        }
        3 => {
            let at = place(arguments.get(1))?.unwrap_or((-1, -1));
            (at, arguments.word(run, 2, &engravings::TYPE)?, arguments.text(3)?)
        }
        _ => return Err(mistake("Wrong parameters")),
    };
    let mut run = run.borrow_mut();
    let room = run.room();
    let (x, y) = run.loader.location_of(pack(i64::from(x as i16), i64::from(y as i16)), Humidity::DRY, room);
    run.loader.engrave(x, y, kind, &readable(&text));
    if let Some(made) = run.loader.level.engravings.last_mut() {
        (made.degrades, made.guards) = (degrades, guards);
    }
    nothing()
}

fn stairway(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue, is_ladder: bool) -> Answer {
    let mut values = arguments;
    let arguments = Arguments::new(values.clone());
    let (up, (x, y));
    if arguments.len() == 1 && arguments.is_table(1) {
        let fields = arguments.only_table(lua)?;
        let at = fields.place(&stairs::PLACE)?;
        up = fields.word(run, &stairs::DIRECTION)?;
        (x, y) = at;
    } else {
        up = if arguments.is_text(1) {
            values.pop_front();
            arguments.word(run, 1, &stairs::DIRECTION)?
        } else {
            false
        };
        (x, y) = selections::two_numbers(&Arguments::new(values), 1)?.unwrap_or((-1, -1));
    }
    let place = pack(i64::from(x as i16), i64::from(y as i16));
    let mut run = run.borrow_mut();
    let room = run.room();
    if is_ladder {
        run.loader.create_ladder(place, up, room);
    } else {
        run.loader.create_stairs(place, up, room);
    }
    nothing()
}

pub(super) fn stair(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    stairway(lua, run, arguments, false)
}

pub(super) fn ladder(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    stairway(lua, run, arguments, true)
}

pub(super) fn grave(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let ((x, y), text) = if arguments.len() == 3 {
        ((arguments.integer(1)?, arguments.integer(2)?), Some(arguments.text(3)?))
    } else {
        let fields = arguments.only_table(lua)?;
        (fields.place(&graves::PLACE)?, text_of(lua, run, &fields, &graves::TEXT)?)
    };
    let mut run = run.borrow_mut();
    let room = run.room();
    let (x, y) = run.loader.location_of(pack(i64::from(x as i16), i64::from(y as i16)), Humidity::DRY, room);
    match text {
        Some(text) => run.loader.dig_grave(x, y, 2, &readable(&text)),
        None => run.loader.dig_grave(x, y, 1, ""),
    }
    nothing()
}

pub(super) fn altar(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let (x, y) = fields.place(&altars::PLACE)?;
    // Altars have a different number for a random alignment.
    let alignment = match fields.word(run, &altars::ALIGN)? {
        NO_ALIGNMENT => -11,
        alignment => alignment,
    };
    let shrine = fields.word(run, &altars::TYPE)?;
    let mut run = run.borrow_mut();
    let room = run.room();
    run.loader.create_altar(pack(x, y), alignment, shrine, room).map_err(deadly)?;
    nothing()
}

pub(super) fn feature(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let mut fields = None;
    let (said, (x, y)) = if arguments.len() == 1 && arguments.is_text(1) {
        (arguments.get(1).clone(), (-1, -1))
    } else if arguments.len() == 2 && arguments.is_text(1) && arguments.is_table(2) {
        (arguments.get(1).clone(), place(arguments.get(2))?.unwrap_or((-1, -1)))
    } else if arguments.len() == 3 {
        (arguments.get(1).clone(), (arguments.integer(2)?, arguments.integer(3)?))
    } else {
        let table = arguments.only_table(lua)?;
        let at = table.place(&features::PLACE)?;
        let said = table.raw(features::TYPE.key())?;
        fields = Some(table);
        (said, at)
    };
    let own = text(&said).and_then(|word| run.borrow().own_feature(&readable(&word)));
    let (name, kind) = match own {
        Some(own) => ("", own),
        None => {
            let name = match &fields {
                Some(fields) => fields.word(run, &features::TYPE)?,
                None => arguments.word(run, 1, &features::TYPE)?,
            };
            (name, Terrain::from_word(name))
        }
    };
    let Some(kind) = kind else { return nothing() };
    let packed = pack(i64::from(x as i16), i64::from(y as i16));
    let (x, y) = {
        let mut run = run.borrow_mut();
        let room = run.room();
        let Some((x, y)) = run.loader.feature_place(packed, room) else { return nothing() };
        if is_ok(x, y) {
            run.loader.set_feature_at(x, y, kind);
        }
        (x, y)
    };
    let Some(fields) = fields.filter(|_| run.borrow().loader.terrain(x, y) == kind) else { return nothing() };
    let flags = [
        (features::LOOTED, marks::LOOTED),
        (features::WARNED, marks::WARNED),
        (features::PUDDING, marks::PUDDING),
        (features::DISHWASHER, marks::DISHWASHER),
        (features::RING, marks::RING),
        (features::SWARM, marks::SWARM),
    ];
    for (key, mark) in flags.iter().filter(|(key, _)| key.key().only.contains(&name)) {
        let said = fields.truth(key)?;
        if said == UNSAID {
            continue;
        }
        let level = &mut run.borrow_mut().loader.level;
        let flags = level.flags(x, y);
        level.set_flags(x, y, if said != 0 { flags | mark } else { flags & !mark });
    }
    nothing()
}

pub(super) fn trap(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let kind = |name: &[u8]| -> Option<i32> {
        let name = readable(name);
        let run = run.borrow();
        let traps = &run.loader.game.catalog.traps;
        let known = traps.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name)).map(|&(_, kind)| kind as i32);
        known.or_else(|| name.eq_ignore_ascii_case("random").then_some(RANDOM))
    };
    let mut wishes = TrapWishes::NONE;
    let short = if arguments.len() == 1 && arguments.is_text(1) {
        Some((-1, -1))
    } else if arguments.len() == 2 && arguments.is_text(1) && arguments.is_table(2) {
        Some(place(arguments.get(2))?.unwrap_or((-1, -1)))
    } else if arguments.len() == 3 {
        Some((arguments.integer(2)?, arguments.integer(3)?))
    } else {
        None
    };
    let (kind, (x, y)) = match short {
        Some(at) => {
            let name = arguments.text(1)?;
            let unknown = || mistake(format!("Unknown trap type \"{}\"", readable(&name)));
            (kind(&name).ok_or_else(unknown)?, at)
        }
        None => {
            let fields = arguments.only_table(lua)?;
            let at = fields.place(&traps::PLACE)?;
            let name = text_of(lua, run, &fields, &traps::TYPE)?.filter(|name| !name.is_empty());
            // To the game, an unknown trap is a random one.
            let kind = name.and_then(|name| kind(&name)).unwrap_or(RANDOM);
            wishes.spider = fields.is(&traps::SPIDER_ON_WEB)?;
            wishes.seen = fields.is(&traps::SEEN)?;
            wishes.victim = fields.is(&traps::VICTIM)?;
            for key in [traps::LAUNCH_FROM, traps::DESTINATION] {
                let value = fields.get(&key)?;
                if matches!(value, Value::Table(_)) {
                    let (x, y) = place(&value)?.unwrap_or((-1, -1));
                    let (x, y) = (i32::from(x as i16), i32::from(y as i16));
                    wishes.fixed = is_ok(x, y).then_some((x, y));
                    wishes.launch = Some((x, y));
                }
            }
            (kind, at)
        }
    };
    let mut run = run.borrow_mut();
    // Coordinates are relative to the map even inside a room.
    let (from_x, from_y) = (run.loader.start_x, run.loader.start_y);
    wishes.fixed = wishes.fixed.map(|(x, y)| (x + from_x, y + from_y));
    let room = run.room();
    run.loader.create_trap(kind, pack(x, y), &wishes, room).map_err(deadly)?;
    nothing()
}

pub(super) fn drawbridge(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let (given_x, given_y) = fields.place(&bridges::PLACE)?;
    let direction = fields.word(run, &bridges::DIRECTION)?;
    let state = fields.word(run, &bridges::STATE)?;
    let mut run = run.borrow_mut();
    let room = run.room();
    let humidity = Humidity::DRY.and(Humidity::WET).and(Humidity::HOT);
    let (x, y) = run.loader.location_of(pack_given(given_x, given_y), humidity, room);
    let given = i32::try_from(given_x).ok().zip(i32::try_from(given_y).ok());
    if !given.is_some_and(|(x, y)| is_ok(x, y)) {
        return Err(mistake("drawbridge coord not ok"));
    }
    let high = run.loader.has(LoaderRule::HighDrawOpensBridges);
    let open = match state {
        RANDOM => (run.loader.rn2(2) != 0) == high,
        state => state != 0,
    };
    run.loader.create_drawbridge(x, y, direction, open);
    run.loader.level.touch(x, y);
    nothing()
}
