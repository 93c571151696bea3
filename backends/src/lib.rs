//! Writers: [`splc_ir`] in, bytes or text out. They touch no file.
//!
//! [`output`] is the table of all that can be made; what asks for an output by name goes through it. [`opcodes`] writes
//! the level files of the script dialects, [`parts`] those of NetHack 3.4.3, [`level_file`] either, [`json`] what a
//! des-file says for other programs to read, [`lua`] the scripts that NetHack 5 has for levels, [`listing`] what a game loads for people to read.
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
