//! From levels that are scripts to levels that are lists (NetHack 3.4.3).
//!
//! A script computes its contents, and lists only enumerate them. The passes here evaluate the parts of a script that
//! do not depend on the dice and write out the result. A dependence on the dice that lists cannot express is an error
//! at its span. Such a level can still be ported as one of its possible outcomes: dice resolve the draws (`unrolled`),
//! and a caller runs whatever depends on the level during generation (see `crate::settled`).
//!
//! Sources: NetHack 3.4.3, `src/sp_lev.c` and `util/lev_main.c`; the compilers and loaders of UnNetHack 6.0.4,
//! SporkHack
//! 0.7.0 and NetHack 3.6.7, as implemented in `splc_ir::lower` and the VM.

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
