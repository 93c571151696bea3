//! Levels through the compiler: their bytes, draws, round trips, ports and messages. Each module is about one promise.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests may fail loudly

mod corpus;
mod detect;
mod dialects;
mod errors;
mod from_lua;
mod import;
mod import_lua;
mod json;
mod lacks;
mod layout;
mod lua;
mod lua_ports;
mod makers;
mod mistakes;
mod nethack343;
mod opcode_table;
mod opcodes;
mod parts_runs;
mod ports;
mod print;
mod raise;
mod read_level_files;
mod resolve;
mod run;
mod survey;
mod themerooms;
mod traces;
mod trivia;
mod variants;
mod visit;
