//! Writers: [`splc_ir`] in, bytes or text out. They touch no file.
//!
//! [`opcodes`] writes the level files of the script dialects, [`json`] what a des-file says for other programs
//! to read, [`listing`] a program for people to read.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod json;
pub mod listing;
pub mod opcodes;
