//! The dungeon rules of a game: limits, and levels that the game generates without a description.

use std::borrow::Cow;

use super::Description;
use crate::catalog::Name;
pub use crate::catalog::{Controls, Rules};

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
