//! Writers: they turn [`splc_ir`] into bytes or text, and touch no files.
//!
//! - [`output`] is the table of all output formats: of levels, sources and dungeons.
//! - [`opcodes`] writes the level files of the script dialects, [`parts`] those of NetHack 3.4.3, [`level_file`] both.
//! - [`json`] writes the contents of a des-file for other programs.
//! - [`des`] writes des-files, [`lua`] the level scripts of NetHack 5, and [`dungeon`] descriptions of dungeons.
//! - [`listing`] writes the data that a game loads in readable form.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod comments;
pub mod des;
pub mod dungeon;
pub mod json;
pub mod level_file;
pub mod listing;
pub mod lua;
pub mod opcodes;
pub mod output;
pub mod parts;
