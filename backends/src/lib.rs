//! Back ends: what a level becomes.
//!
//! A back end takes a [`Module`](splc_ir::level::Module) or a [`Program`](splc_ir::program::Program), a target
//! and perhaps an ABI, and gives bytes or text. It touches no file.
//!
//! - [`opcodes`]: the level files of the script dialects' games.
//! - [`json`]: what a des-file says, for other programs to read.
//! - [`listing`]: a program for people to read.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod json;
pub mod listing;
pub mod opcodes;
