//! What is around a level: archives, dungeons and folders of games, compared with what the games' own programs make.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod archive;
mod depths;
mod dungeon;
mod windows;
