//! What a game knows of dungeons: its limits, and the levels that it makes without being told to.

use std::borrow::Cow;

use super::Description;
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
    /// Special levels that every game has. Empty, with the next, where they are not known.
    pub special_levels: Table<Name>,
    /// Special levels that only some games have.
    pub rare_levels: Table<Name>,
    /// The file that describes the dungeon, if it is not the one that the game comes with.
    pub described_in: Option<Name>,
}

/// Whether a game's dungeon has a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// In every game.
    Always,
    /// In some games.
    Sometimes,
    /// In none.
    Never,
}

impl Rules {
    /// Whether a level can send somebody to the level called `name`, as a portal does (`fixup_special` in `src/mkmaze.c`,
    /// `find_level` in `src/dungeon.c`). `None` where the levels of the dungeon are not known.
    ///
    /// What begins with a digit is the number of a level of the same dungeon. Capitals do not matter. Levels of the quest
    /// are called by the role of the hero: any of them counts as there, since a level of a role is only made for it.
    pub fn presence(&self, name: &str) -> Option<Presence> {
        if self.special_levels.is_empty() && self.rare_levels.is_empty() {
            return None;
        }
        if name.starts_with(|first: char| first.is_ascii_digit()) {
            return Some(Presence::Always);
        }
        let is_called = |known: &Name| match known.strip_prefix(&*self.quest_prefix) {
            Some(rest) if !self.quest_prefix.is_empty() && !self.roles.is_empty() => {
                self.roles.iter().any(|role| format!("{role}-{rest}").eq_ignore_ascii_case(name))
            }
            _ => known.eq_ignore_ascii_case(name),
        };
        Some(if self.special_levels.iter().any(is_called) {
            Presence::Always
        } else if self.rare_levels.iter().any(is_called) {
            Presence::Sometimes
        } else {
            Presence::Never
        })
    }

    /// The dungeon in words: that of the game called `title`, or the one of a file.
    pub fn dungeon_in_words(&self, title: &str) -> String {
        match &self.described_in {
            Some(file) => format!("the dungeon of {file}"),
            None => format!("the dungeon of {title}"),
        }
    }

    /// The same with the levels of `description`, which stands in `file`.
    pub fn with_levels_of(&self, description: &Description, file: &str) -> Rules {
        const SURE: i32 = 100;
        let (mut special, mut rare) = (Vec::new(), Vec::new());
        for dungeon in &description.dungeons {
            // A chance that is not given is 0 for a dungeon.
            let is_sure = dungeon.chance == 0 || dungeon.chance >= SURE;
            for level in dungeon.levels() {
                let name: Name = Cow::Owned(level.name.node.to_string());
                if is_sure && level.chance >= SURE { special.push(name) } else { rare.push(name) }
            }
        }
        Rules {
            special_levels: special.into(),
            rare_levels: rare.into(),
            described_in: Some(Cow::Owned(file.to_owned())),
            ..self.clone()
        }
    }
}

/// How a `dungeon.def` says that a part of it counts only sometimes (`makedefs -e`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controls {
    /// `%NAME` before a line: it counts if the name is defined.
    Percent,
    /// `^?NAME` or `^!NAME`, `^:`, `^.` in lines of their own: if it is defined or not, otherwise, end.
    Caret,
}
