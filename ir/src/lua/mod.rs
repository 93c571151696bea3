//! Levels of NetHack 5, which are Lua scripts that the game runs.
//!
//! Such a level has no [`Level`](crate::level::Level): what it makes is only known when it runs. Here is what is known
//! before that:
//!
//! - [`functions`]: what each function of `des`, `selection`, `nh`, `u` and `obj` takes: its forms, the keys of its
//!   table, the types and words of each. One table, by which the runtime reads arguments, a check judges them, and a
//!   printer writes them.
//! - [`libraries`]: all of them, found by their names.
//! - [`tree`]: the syntax of the script, as the front end reads it.
//! - [`check`]: what can be said of a script before it runs.
//! - [`names`]: how the game finds monsters and objects by what a level calls them.
//! - [`sandbox`]: which globals a level has, and which of Lua's own it lacks.
//!
//! Names (monsters, objects, traps, room types, map characters) are the [`catalog`](crate::catalog)'s.

pub mod check;
pub mod functions;
pub mod libraries;
pub mod names;
pub mod sandbox;
pub mod tree;

mod des;
mod nh;
mod selection;

/// Scripts of the game that are not levels, without the `.lua` behind them (`dat/` of NetHack 5.0.0).
pub const NOT_LEVELS: &[&str] = &["dungeon", "nhcore", "nhlib", "quest", "themerms"];
