//! The data around a level: after compilation, a level still has to be put into the game.
//!
//! - [`archive`] reads and writes `nhdat`, the file with the levels, the dungeon and the texts of an installed game.
//! - [`depths`] computes where a game puts its dungeons and levels, and how often; [`show`] draws the result.
//! - [`crossing`] compares the levels requested by a dungeon with those that exist.
//! - [`install`] installs levels into a game's folder, and removes them again.
//! - [`files`] is this crate's disk access: valid file names, and atomic replacement of files.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod archive;
pub mod crossing;
pub mod depths;
pub mod files;
pub mod install;
pub mod limits;
pub mod show;
