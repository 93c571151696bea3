//! Level regions, for arrivals from elsewhere, and exclusion zones (`levregion_add`).

use mlua::{Lua, MultiValue};

use super::{Answer, nothing, readable, text_of};
use crate::level::Zone;
use crate::loader::{Humidity, pack_given};
use crate::lua::arguments::{Arguments, Fields, Words};
use crate::lua::calls::{line, mistake};
use crate::lua::running::{Run, Shared};

/// Stores a level region (`l_get_lregion`, `levregion_add`).
fn add_region(run: Shared<'_, '_, '_>, fields: &Fields, kind: i64, target: &str) -> mlua::Result<()> {
    let Some(within) = fields.region("region")? else { return Err(mistake("\"region\" is missing")) };
    let outside = fields.region("exclude")?.unwrap_or([-1; 4]);
    let within_level = fields.is("region_islev")?;
    let outside_level = fields.is("exclude_islev")? || outside[0] < 0;
    let short = |corners: [i64; 4]| corners.map(|number| i32::from(number as i16));
    run.borrow_mut().loader.add_region((short(within), within_level), (short(outside), outside_level), kind, target);
    Ok(())
}

impl Run<'_, '_> {
    /// Number of a type of level region in this game.
    fn region_number(&self, name: &str) -> i64 {
        let known = self.loader.game.catalog.level_regions.iter().find(|(known, _)| known == name);
        known.map_or(-1, |&(_, number)| number)
    }
}

pub(super) fn teleport_region(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let kinds: Words<&str> = &[("both", "teleport"), ("down", "down_teleport"), ("up", "up_teleport")];
    let kind = fields.word("dir", Some("both"), kinds)?;
    let kind = run.borrow().region_number(kind);
    add_region(run, &fields, kind, "")?;
    nothing()
}

pub(super) fn level_region(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let kinds: Words<&str> = &[
        ("stair-down", "down_stairs"),
        ("stair-up", "up_stairs"),
        ("portal", "portal"),
        ("branch", "branch"),
        ("teleport", "teleport"),
        ("teleport-up", "up_teleport"),
        ("teleport-down", "down_teleport"),
    ];
    let kind = fields.word("type", Some("stair-down"), kinds)?;
    fields.integer_or("padding", 0)?;
    let name = text_of(lua, run, &fields, "name")?.map(|name| readable(&name));
    if kind == "portal" && name.is_none() {
        return Err(mistake("a portal needs the name of the level that it leads to"));
    }
    let kind = run.borrow().region_number(kind);
    add_region(run, &fields, kind, name.as_deref().unwrap_or(""))?;
    if let Some(region) = run.borrow_mut().loader.scratch.regions.last_mut() {
        region.line = line(lua);
    }
    nothing()
}

pub(super) fn exclusion(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let kinds: Words<i32> = &[("teleport", 4), ("teleport-up", 5), ("teleport-down", 6), ("monster-generation", 7)];
    let kind = fields.word("type", Some("teleport"), kinds)?;
    let Some([x1, y1, x2, y2]) = fields.region("region")? else { return Err(mistake("\"region\" is missing")) };
    let mut run = run.borrow_mut();
    let room = run.room();
    let (x1, y1) = run.loader.location_of(pack_given(x1, y1), Humidity::ANY, room);
    let (x2, y2) = run.loader.location_of(pack_given(x2, y2), Humidity::ANY, room);
    run.loader.level.zones.push(Zone { kind, area: [x1, y1, x2, y2] });
    nothing()
}
