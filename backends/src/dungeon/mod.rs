//! Descriptions of dungeons: compiled, as [`binary`], as [`text`] to read and change, as [`lua`] for NetHack 5, and as
//! [`json`] for other programs.

pub mod binary;
pub mod json;
pub mod lua;
pub mod text;
