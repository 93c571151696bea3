//! The surroundings of a level: archives, dungeons and folders of games, compared with the output of the games' own
//! programs.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod archive;
mod depths;
mod dungeon;
mod windows;
