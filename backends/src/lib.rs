//! Back ends: from levels and programs to bytes and text. They touch no file.

pub mod parts;
