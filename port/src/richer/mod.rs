//! From levels that are lists (NetHack 3.4.3) to levels that are scripts.
//!
//! The loader of the lists makes one kind of thing after the other, and a script makes one statement after the other;
//! what the lists leave to the loader, a script says. Each pass here does one of these things, and leaves a level that
//! the next can read. What each keeps is in the table of [passes](crate::PASSES).
//!
//! Sources: NetHack 3.4.3, `src/sp_lev.c` and `util/lev_main.c`; the loaders of UnNetHack 6.0.4, SporkHack 0.7.0 and
//! NetHack 3.6.7, as the VM has them.

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

/// The levels of a module without INCLUDEs.
pub(crate) fn levels(module: &mut Module) -> impl Iterator<Item = &mut Level> {
    module.items.iter_mut().filter_map(|item| match item {
        Item::Level(level) => Some(level),
        Item::Function(_) | Item::Include { .. } => None,
    })
}

/// Takes a body apart: what stands before the first MAP, and the parts, each with its MAP.
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

/// The statement itself, without its chance.
pub(crate) fn bare(statement: &Statement) -> &StatementKind {
    match &statement.kind {
        StatementKind::Chance { then, .. } => &then.kind,
        kind => kind,
    }
}
