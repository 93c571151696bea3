//! What is around a level: a compiled level is not in the game yet.
//!
//! [`archive`] reads and writes `nhdat`, the file in which an installed game keeps its levels, its dungeon and its
//! texts. [`files`] is how this crate touches a disk: what a name may be, and how a file is replaced without a moment
//! in which it is half written.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod archive;
pub mod files;
pub mod limits;
