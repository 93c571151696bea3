//! From levels that are scripts to levels that are lists (NetHack 3.4.3).
//!
//! A script computes what it makes, and lists only hold it: what a script comes to whatever the dice say is worked out
//! here, and written down. What depends on the dice in a way that lists cannot say is an error, at its place; such a
//! level can still go over as one of those that it can be: dice settle what it draws (`unrolled`), and what depends on
//! the level while it is made, somebody has to run (see `crate::settled`).
//!
//! Sources: NetHack 3.4.3, `src/sp_lev.c` and `util/lev_main.c`; the compilers and loaders of UnNetHack 6.0.4, SporkHack
//! 0.7.0 and NetHack 3.6.7, as `splc_ir::lower` and the VM have them.

mod details;
mod drawn;
mod habits;
pub(crate) mod known;
mod order;
mod shape;
mod unrolled;

pub(crate) use details::details;
pub(crate) use drawn::drawn_terrain;
pub(crate) use habits::{free_places, list_habits, listed_places};
pub(crate) use order::list_order;
pub(crate) use shape::{background, listed_regions, map_edges, map_places};
pub(crate) use unrolled::unrolled;
