//! What a game knows of dungeons: its limits, and the levels that it makes without being told to.

use crate::catalog::{Name, Table};

/// What a game knows of dungeons.
#[derive(Clone, Debug)]
pub struct Rules {
    /// How many dungeons its compiler has room for; the game takes one less.
    pub dungeons: i32,
    /// How many levels a dungeon can have.
    pub depth: i32,
    /// How many special levels there can be in all dungeons together.
    pub levels: i32,
    /// How many branches there can be in all dungeons together.
    pub branches: i32,
    /// Bytes of a name in the file `dungeon`, with one for its end.
    pub name: i32,
    /// Bytes of a level's name in the game, with one for its end.
    pub level_name: i32,
    /// Bytes of a prototype's name in the game, with one for its end.
    pub prototype: i32,
    /// How its `dungeon.def` says that a part of it counts only sometimes.
    pub controls: Controls,
    /// The names that such a part can depend on, and whether the usual build of the game defines them.
    pub defines: Table<(Name, i64)>,
    /// Levels that the game makes itself, so that no level file of theirs is needed.
    pub built: Table<Name>,
    /// Level files that the game asks for by names of its own, for levels that are not described.
    pub fillings: Table<Name>,
    /// Levels of the quest as the dungeon names them begin with this; each role has its own.
    pub quest_prefix: Name,
    /// What the names of the roles' levels begin with instead.
    pub roles: Table<Name>,
    /// What the names of levels of the quest that are not described end with.
    pub quest_fillings: Table<Name>,
}

/// How a `dungeon.def` says that a part of it counts only sometimes (`makedefs -e`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controls {
    /// `%NAME` before a line: it counts if the name is defined.
    Percent,
    /// `^?NAME` or `^!NAME`, `^:`, `^.` in lines of their own: if it is defined or not, otherwise, end.
    Caret,
}
