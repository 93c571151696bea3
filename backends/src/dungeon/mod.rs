//! Descriptions of dungeons: compiled, as [`binary`], and as [`text`] to read and change.

pub mod binary;
pub mod text;
