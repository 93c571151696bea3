//! Level regions, for arrivals from elsewhere, and exclusion zones (`levregion_add`).

use mlua::{Lua, MultiValue};
use splc_lua::des::{exclusion as zone, levregion, teleport_region as arrivals};
use splc_lua::keys::Areas;

use super::{Answer, nothing, readable, text_of};
use crate::level::Zone;
use crate::loader::{Humidity, pack_given};
use crate::lua::arguments::{Arguments, Fields};
use crate::lua::raised::{line, mistake};
use crate::lua::running::{Run, Shared};

/// Stores a level region (`l_get_lregion`, `levregion_add`).
fn add_region(run: Shared<'_, '_>, fields: &Fields, keys: &Areas, kind: &str, target: &str) -> mlua::Result<()> {
    let Some(within) = fields.region(&keys.region)? else { return Err(mistake("\"region\" is missing")) };
    let outside = fields.region(&keys.exclude)?.unwrap_or([-1; 4]);
    let within_level = fields.is(&keys.region_in_level)?;
    let outside_level = fields.is(&keys.exclude_in_level)? || outside[0] < 0;
    let short = |corners: [i64; 4]| corners.map(|number| i32::from(number as i16));
    let mut run = run.borrow_mut();
    let kind = run.region_number(kind);
    run.loader.add_region((short(within), within_level), (short(outside), outside_level), kind, target);
    Ok(())
}

impl Run<'_> {
    /// Number of a type of level region in this game.
    fn region_number(&self, name: &str) -> i64 {
        let known = self.loader.game.catalog.level_regions.iter().find(|(known, _)| known == name);
        known.map_or(-1, |&(_, number)| number)
    }
}

pub(super) fn teleport_region(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let kind = fields.word(run, &arrivals::DIRECTION)?;
    add_region(run, &fields, &arrivals::AREAS, kind, "")?;
    nothing()
}

pub(super) fn level_region(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let kind = fields.word(run, &levregion::TYPE)?;
    fields.number(&levregion::PADDING)?;
    let name = text_of(lua, run, &fields, &levregion::NAME)?.map(|name| readable(&name));
    if kind == "portal" && name.is_none() {
        return Err(mistake("a portal needs the name of the level that it leads to"));
    }
    add_region(run, &fields, &levregion::AREAS, kind, name.as_deref().unwrap_or(""))?;
    if let Some(region) = run.borrow_mut().loader.scratch.regions.last_mut() {
        region.line = line(lua);
    }
    nothing()
}

pub(super) fn exclusion(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let kind = fields.word(run, &zone::TYPE)?;
    let Some([x1, y1, x2, y2]) = fields.region(&zone::REGION)? else { return Err(mistake("\"region\" is missing")) };
    let mut run = run.borrow_mut();
    let room = run.room();
    let (x1, y1) = run.loader.location_of(pack_given(x1, y1), Humidity::ANY, room);
    let (x2, y2) = run.loader.location_of(pack_given(x2, y2), Humidity::ANY, room);
    run.loader.level.zones.push(Zone { kind, area: [x1, y1, x2, y2] });
    nothing()
}
