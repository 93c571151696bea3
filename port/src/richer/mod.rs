//! From levels that are lists (NetHack 3.4.3) to levels that are scripts.
//!
//! The loader of lists processes one type of statement after the other, and a script runs statement by statement.
//! Everything that lists leave to the loader is explicit in a script. Each pass here makes one such thing explicit and
//! leaves a level that the next pass can read. The properties that each preserves are in the table of
//! [passes](crate::PASSES).
//!
//! Sources: NetHack 3.4.3, `src/sp_lev.c` and `util/lev_main.c`; the loaders of UnNetHack 6.0.4, SporkHack 0.7.0 and
//! NetHack 3.6.7, as implemented in the VM.

mod background;
mod order;
mod registers;
mod rooms;
mod things;

use splc_ir::level::*;

pub(crate) use background::{backgrounds, boundaries, corner, drawn_walls, left_maps};
pub(crate) use order::{
    Holds, arrivals, level_regions, loader_order, maze_walks, rank_in_part, rank_in_room, unmapped_parts,
};
pub(crate) use registers::registers;
pub(crate) use rooms::{region_flags, room_lists};
pub(crate) use things::{
    Liquid, common, compiled_names, containers, defaults, dry_places, has_ice, is_anywhere, loader_habits,
    places_in_list, places_in_script, random_places, room_habits, room_places, secret_doors,
};

/// Returns the levels of a module without INCLUDEs.
pub(crate) fn levels(module: &mut Module) -> impl Iterator<Item = &mut Level> {
    module.items.iter_mut().filter_map(|item| match item {
        Item::Level(level) => Some(level),
        Item::Function(_) | Item::Include { .. } => None,
    })
}

/// Splits a body into the statements before the first MAP and the parts, each beginning with its MAP.
pub(crate) fn parts(body: &mut Vec<Statement>) -> Vec<Vec<Statement>> {
    let mut parts = vec![Vec::new()];
    for statement in body.drain(..) {
        match (&statement.kind, parts.last_mut()) {
            (StatementKind::Map(_), _) | (_, None) => parts.push(vec![statement]),
            (_, Some(part)) => part.push(statement),
        }
    }
    parts
}

/// Returns the statement without its chance.
pub(crate) fn bare(statement: &Statement) -> &StatementKind {
    match &statement.kind {
        StatementKind::Chance { then, .. } => &then.kind,
        kind => kind,
    }
}
