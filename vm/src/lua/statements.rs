//! The table `des`, whose functions build the level (`sp_lev.c`). This module contains the table and shared helpers.
//! The functions themselves are in the submodules, by subject.

mod furniture;
mod level;
mod level_regions;
mod maps;
mod monsters;
mod objects;
mod rooms;
mod terrain;

use mlua::{Lua, MultiValue, Value};
use splc_lua::keys::{Text, Typed};

use super::arguments::{Fields, text};
use super::calls::{Failure, call_back};
use super::raised::mistake;
use super::running::{Native, Shared};
use super::selections;
use crate::loader::MapSquare;
use crate::terrain::Terrain;

/// The functions.
pub(super) const FUNCTIONS: &[(&str, Native)] = &[
    ("message", level::message),
    ("monster", monsters::monster),
    ("object", objects::object),
    ("level_flags", level::level_flags),
    ("level_init", level::level_init),
    ("engraving", furniture::engraving),
    ("mineralize", level::mineralize),
    ("door", rooms::door),
    ("stair", furniture::stair),
    ("ladder", furniture::ladder),
    ("grave", furniture::grave),
    ("altar", furniture::altar),
    ("map", maps::map),
    ("feature", furniture::feature),
    ("terrain", terrain::terrain),
    ("replace_terrain", terrain::replace_terrain),
    ("room", rooms::room),
    ("corridor", rooms::corridor),
    ("random_corridors", rooms::random_corridors),
    ("gold", objects::gold),
    ("trap", furniture::trap),
    ("mazewalk", terrain::mazewalk),
    ("drawbridge", furniture::drawbridge),
    ("region", rooms::region),
    ("levregion", level_regions::level_region),
    ("exclusion", level_regions::exclusion),
    ("wallify", terrain::wallify),
    ("wall_property", terrain::wall_property),
    ("non_diggable", terrain::non_diggable),
    ("non_passwall", terrain::non_passwall),
    ("teleport_region", level_regions::teleport_region),
    ("reset_level", level::reset_level),
    ("finalize_level", level::finalize_level),
    ("gas_cloud", level::gas_cloud),
];

type Answer = mlua::Result<MultiValue>;

fn nothing() -> Answer {
    Ok(MultiValue::new())
}

/// The error for a call without an area.
fn no_region() -> mlua::Error {
    mistake("\"region\" is missing: a list of four numbers")
}

/// Decodes bytes of a level.
fn readable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Reads a text from a table; a function that returns one is called (`get_table_str_opt`).
fn text_of(lua: &Lua, run: Shared<'_, '_>, fields: &Fields, key: &Typed<Text>) -> mlua::Result<Option<Vec<u8>>> {
    let key = key.key();
    let mut value = fields.raw(key)?;
    if let Value::Function(function) = &value {
        let (_, answers) = call_back(lua, run, function, MultiValue::new(), Failure::Deadly)?;
        value = answers.into_iter().next().unwrap_or(Value::Nil);
        if value.is_nil() {
            return Ok(None);
        }
        return text(&value).map(Some).ok_or_else(|| super::arguments::wrong(key, "a string", &value));
    }
    match &value {
        Value::Nil => Ok(None),
        Value::String(_) => Ok(text(&value)),
        value => Err(super::arguments::wrong(key, "a string", value)),
    }
}

/// Stores further details of a thing, by the names of its parts.
fn keep_details(said: &[(&'static str, i64)], of: usize, details: &mut Vec<crate::level::Detail>) {
    let named = said.iter().map(|&(part, value)| crate::level::DetailKind::Named(part, value));
    details.extend(named.map(|kind| crate::level::Detail { of, kind }));
}

/// Reads terrain from a map character in a table; `Some(None)` is transparent (`get_table_mapchr_opt`).
fn terrain_of(
    lua: &Lua,
    run: Shared<'_, '_>,
    fields: &Fields,
    key: &Typed<Text>,
) -> mlua::Result<Option<Option<Terrain>>> {
    let Some(character) = text_of(lua, run, fields, key)?.filter(|text| !text.is_empty()) else { return Ok(None) };
    Ok(Some(match selections::terrain(&run.borrow(), &character)? {
        MapSquare::Terrain(terrain) => Some(terrain),
        _ => None,
    }))
}
