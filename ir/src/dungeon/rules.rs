//! The dungeon rules of a game: limits, and levels that the game generates without a description.

use std::borrow::Cow;

use super::Description;
use crate::catalog::{Name, Table};

/// The dungeon rules of a game.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Most dungeons in its compiler; the game allows one fewer.
    pub dungeons: i32,
    /// Most levels of a dungeon.
    pub depth: i32,
    /// Most special levels in all dungeons together.
    pub levels: i32,
    /// Most branches in all dungeons together.
    pub branches: i32,
    /// Bytes of a name in the file `dungeon`, including the terminator.
    pub name: i32,
    /// Bytes of a level's name in the game, including the terminator.
    pub level_name: i32,
    /// Bytes of a prototype's name in the game, including the terminator.
    pub prototype: i32,
    /// Syntax of conditional parts in its `dungeon.def`.
    pub controls: Controls,
    /// Names that such a part can depend on; the number is nonzero if the usual build of the game defines the name.
    pub defines: Table<(Name, i64)>,
    /// Levels that the game generates itself, without a level file.
    pub built: Table<Name>,
    /// Level files that the game requests by fixed names, for levels that are not described.
    pub fillings: Table<Name>,
    /// Prefix of quest levels in the dungeon; each role has its own versions.
    pub quest_prefix: Name,
    /// Prefixes of the roles' levels, which replace the quest prefix.
    pub roles: Table<Name>,
    /// Name endings of quest levels that are not described.
    pub quest_fillings: Table<Name>,
    /// Special levels present in every game. This list and the next are empty if unknown.
    pub special_levels: Table<Name>,
    /// Special levels present only in some games.
    pub rare_levels: Table<Name>,
    /// The file that describes the dungeon, if it does not come with the game.
    pub described_in: Option<Name>,
}

/// Presence of a level in the dungeon of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// In every game.
    Always,
    /// In some games.
    Sometimes,
    /// In no game.
    Never,
}

impl Rules {
    /// Returns the presence of the level called `name` as the destination of a portal (`fixup_special` in
    /// `src/mkmaze.c`, `find_level` in `src/dungeon.c`), or `None` if the levels of the dungeon are not known.
    ///
    /// A name that begins with a digit is the number of a level in the same dungeon. Case is ignored. Quest levels are
    /// named after the role of the hero; any role counts as present, since the levels of a role are generated only for
    /// that role.
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

    /// Describes the dungeon for messages: the dungeon of the game called `title`, or of a file.
    pub fn dungeon_in_words(&self, title: &str) -> String {
        match &self.described_in {
            Some(file) => format!("the dungeon of {file}"),
            None => format!("the dungeon of {title}"),
        }
    }

    /// Returns the same rules with the levels of `description` from `file`.
    pub fn with_levels_of(&self, description: &Description, file: &str) -> Rules {
        const SURE: i32 = 100;
        let (mut special, mut rare) = (Vec::new(), Vec::new());
        for dungeon in &description.dungeons {
            // The chance of a dungeon is 0 if none is given.
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

/// The syntax of conditional parts in a `dungeon.def` (`makedefs -e`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controls {
    /// `%NAME` before a line: the line counts if the name is defined.
    Percent,
    /// `^?NAME` (if defined) or `^!NAME` (if undefined), `^:` (otherwise) and `^.` (end), each on a line of its own.
    Caret,
}
