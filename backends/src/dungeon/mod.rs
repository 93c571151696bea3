//! Descriptions of dungeons: compiled ([`binary`]), as editable [`text`], as [`lua`] for NetHack 5, and as [`json`] for
//! other programs.

pub mod binary;
pub mod json;
pub mod lua;
pub mod text;
