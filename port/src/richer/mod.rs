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
mod dependence;
mod order;
mod registers;
mod rooms;
mod things;

pub(crate) use background::{backgrounds, boundaries, corner, drawn_walls, is_lava, left_maps};
pub(crate) use order::{
    Holds, arrivals, level_regions, loader_order, maze_walks, rank_in_part, rank_in_room, unmapped_parts,
};
pub(crate) use registers::registers;
pub(crate) use rooms::{region_flags, room_lists};
pub(crate) use things::{
    END_OF_MAZES, Liquid, SECRET_DOOR, common, compiled_names, containers, defaults, drawn_at, dry_places, has_ice,
    loader_habits, places_in_list, places_in_script, random_places, room_habits, room_places, secret_doors,
};
