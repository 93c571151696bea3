//! Levels of NetHack 5, which are Lua scripts that the game runs.
//!
//! Such a level has no [`Level`](crate::level::Level): what it makes is only known when it runs. Here is what is known
//! before that:
//!
//! - [`functions`]: what each function of `des`, `selection`, `nh`, `u` and `obj` takes: its forms, the keys of its
//!   table, the types and words of each. One table, by which the runtime reads arguments, a check judges them, and a
//!   printer writes them.
//! - [`sandbox`]: which globals a level has, and which of Lua's own it lacks.
//!
//! Names (monsters, objects, traps, room types, map characters) are the [`catalog`](crate::catalog)'s.

pub mod functions;
pub mod sandbox;

mod des;
mod nh;
mod selection;
