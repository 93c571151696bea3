//! Writers: [`splc_ir`] in, bytes or text out. They touch no file.
//!
//! [`opcodes`] writes the level files of the script dialects.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod opcodes;
