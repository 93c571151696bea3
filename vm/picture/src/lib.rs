//! Finished levels for people and for other programs.
//!
//! A [`Picture`] shows a level as the game draws it, [`legend`] lists what is on it, and a [`Document`] is the level
//! as data, which `splc run --json` prints.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod document;
mod picture;

pub use document::{
    AltarEntry, ArrivalEntry, Document, DoorEntry, EngravingEntry, GoldEntry, MirrorEntry, MonsterEntry, ObjectEntry,
    RoomEntry, StairsEntry, TrapEntry, flags,
};
pub use picture::{
    Color, Entry, Layer, Layers, Look, Painter, Picture, RANDOM_MONSTER, RANDOM_OBJECT, Square, Subject, altar_name,
    door_name, legend, legend_with_makers, monster_look, monster_name, object_kind_name, object_look, object_name,
    random_monster, random_object, room_kind, species_name, square_name, terrain_look, terrain_name, trap_name,
};
