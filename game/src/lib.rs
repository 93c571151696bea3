//! What is around a level: a compiled level is not in the game yet.
//!
//! [`archive`] reads and writes `nhdat`, the file in which an installed game keeps its levels, its dungeon and its
//! texts. [`depths`] tells where a game puts its dungeons and levels and how often, [`show`] draws that; [`crossing`] compares the levels that a dungeon asks for
//! with those that there are. [`install`] puts levels into
//! a game's folder, and takes them out again. [`files`] is how this crate touches a disk: what a name may be, and how a file is replaced without a moment
//! in which it is half written.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod archive;
pub mod crossing;
pub mod depths;
pub mod files;
pub mod install;
pub mod limits;
pub mod show;
