//! Descriptions of dungeons: compiled, as [`binary`], as [`text`] to read and change, and as [`json`] for other programs.

pub mod binary;
pub mod json;
pub mod text;
