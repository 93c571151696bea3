//! The surroundings of a level: archives, dungeons and folders of games, compared with the output of the games' own
//! programs.

mod archive;
mod depths;
mod dungeon;
mod windows;
