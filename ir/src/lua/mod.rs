//! Levels of NetHack 5: Lua scripts that the game runs.
//!
//! Such a level has no [`Level`](crate::level::Level), because its content is only known when it runs. This module has
//! the facts that are known before:
//!
//! - [`functions`]: the parameters of each function of `des`, `selection`, `nh`, `u` and `obj`: its forms, the keys of
//!   its table, the types and words of each. The runtime, the check and the printer share this table.
//! - [`libraries`]: all libraries and functions, by name.
//! - [`tree`]: the syntax tree of a script, as built by the front end.
//! - [`check`]: checks of a script before it runs.
//! - [`names`]: the game's lookup of monsters and objects by name.
//! - [`sandbox`]: the globals of a level, and the Lua globals that it lacks.
//!
//! Names of monsters, objects, traps, room types and map characters come from the [`catalog`](crate::catalog).

pub mod check;
pub mod functions;
pub mod libraries;
pub mod names;
pub mod sandbox;
pub mod tree;

mod des;
mod nh;
mod selection;

/// Scripts of the game that are not levels, without their `.lua` suffix (`dat/` of NetHack 5.0.0).
pub const NOT_LEVELS: &[&str] = &["dungeon", "nhcore", "nhlib", "quest", "themerms"];
