//! The dungeon rules of a game: limits, and levels that the game generates without a description.

use std::borrow::Cow;

use super::{Description, Trait};
pub use crate::catalog::{Controls, DungeonNumber, Rules};
use crate::catalog::{Name, Table};

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
    /// Returns the bit of `one` in the file `dungeon`, or `None` if the game has no such trait. The bits of NetHack
    /// 3.4.3 count from 1, in order (`include/dgn_file.h`).
    pub fn bit(&self, one: &Trait) -> Option<i32> {
        let own = self.traits.iter().find(|(word, _)| word == one.word()).map(|&(_, bit)| bit as i32);
        own.or_else(|| Trait::ALL.iter().position(|known| known == one).map(|at| 1 << at))
    }

    /// Returns every trait of the game with its bit, the ones of all games first.
    pub fn all_traits(&self) -> impl Iterator<Item = (Trait, i32)> {
        let own = self.traits.iter().map(|(word, _)| Trait::Own(word.clone()));
        let own = own.filter(|one| Trait::ALL.iter().all(|known| known.word() != one.word()));
        Trait::ALL.iter().cloned().chain(own).filter_map(|one| self.bit(&one).map(|bit| (one, bit)))
    }

    /// Returns the traits in `bits`, and the bits that are known.
    pub fn traits_of(&self, bits: i32) -> (Vec<Trait>, i32) {
        let mut known = 0;
        let mut traits: Vec<Trait> = Vec::new();
        for (one, bit) in self.all_traits().filter(|(_, bit)| bits & bit != 0) {
            known |= bit;
            traits.push(one);
        }
        (traits, known)
    }

    /// Returns the numbers that the file `dungeon` has of a dungeon, after its size.
    pub fn numbers_of_dungeons(&self) -> impl Iterator<Item = DungeonNumber> {
        numbers(&self.fields)
    }

    /// Returns the numbers that the file `dungeon` has of a branch, after its place.
    pub fn numbers_of_branches(&self) -> impl Iterator<Item = DungeonNumber> {
        numbers(&self.branch_fields)
    }

    /// Returns true if each branch has its own level of arrival.
    pub fn branches_enter(&self) -> bool {
        self.numbers_of_branches().any(|number| number == DungeonNumber::Entry)
    }

    /// Returns true if a dungeon has a level of arrival for all branches to it.
    pub fn dungeons_enter(&self) -> bool {
        self.numbers_of_dungeons().any(|number| number == DungeonNumber::Entry)
    }

    /// Returns true if dungeons can share a name, and the game makes one of them.
    pub fn has_alternates(&self) -> bool {
        self.numbers_of_dungeons().any(|number| number == DungeonNumber::Alternates)
    }

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

    /// Returns the message about a portal to the level called `name` and the label of that name, if the game, called
    /// `title`, crashes at it.
    pub fn portal_nowhere(&self, name: &str, title: &str) -> Option<(String, &'static str)> {
        let message = format!("{} has no level \"{name}\"", self.dungeon_in_words(title));
        match self.presence(name)? {
            Presence::Always => None,
            Presence::Sometimes => {
                Some((message + " in some games", "in those games, creating the portal crashes the game"))
            }
            Presence::Never => Some((message, "creating the portal crashes the game")),
        }
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

/// Returns the numbers called `names`.
fn numbers(names: &Table<Name>) -> impl Iterator<Item = DungeonNumber> {
    names.iter().filter_map(|name| DungeonNumber::ALL.iter().copied().find(|number| number.as_str() == name))
}
