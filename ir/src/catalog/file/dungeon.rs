//! The dungeon section of a catalog file.

use super::reader::Section;
use super::{Edit, Kind, MAX_ENTRIES, Numbers};

/// Keys for the numbers in [`crate::dungeon::Rules`], each with its maximum.
pub const DUNGEON_NUMBERS: &[(&str, i64)] = &[
    ("dungeons", 127),
    ("depth", 63),
    ("levels", 10_000),
    ("branches", 10_000),
    ("name", 1_000),
    ("level_name", 1_000),
    ("prototype", 1_000),
];

/// Syntaxes for conditional parts of a dungeon.def.
pub const CONTROLS: &[&str] = &["percent", "caret"];

/// The dungeon rules of a game.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // as the fields of `dungeon::Rules`
pub struct DungeonDraft {
    /// In the order of `DUNGEON_NUMBERS`.
    pub numbers: [i64; DUNGEON_NUMBERS.len()],
    pub controls: String,
    /// Sorted.
    pub defines: Numbers,
    pub built: Vec<String>,
    pub fillings: Vec<String>,
    pub quest_prefix: String,
    pub roles: Vec<String>,
    pub quest_fillings: Vec<String>,
    pub special_levels: Vec<String>,
    pub rare_levels: Vec<String>,
}

impl Default for DungeonDraft {
    /// Returns the limits of NetHack 3.4.3, with empty lists of names.
    fn default() -> Self {
        DungeonDraft {
            numbers: [16, 32, 50, 32, 24, 15, 15],
            controls: "percent".to_owned(),
            defines: Vec::new(),
            built: Vec::new(),
            fillings: Vec::new(),
            quest_prefix: "x-".to_owned(),
            roles: Vec::new(),
            quest_fillings: Vec::new(),
            special_levels: Vec::new(),
            rare_levels: Vec::new(),
        }
    }
}

impl Edit<'_> {
    pub(super) fn dungeon(&mut self, section: &mut Section<'_, '_>) {
        let Some(mut section) = section.section("dungeon", self.problems) else { return };
        let mut dungeon = std::mem::take(&mut self.draft.dungeon);
        for (&(key, most), number) in DUNGEON_NUMBERS.iter().zip(&mut dungeon.numbers) {
            if let Some(given) = section.take(key).and_then(|field| field.integer(1..=most, self.problems)) {
                *number = given;
            }
        }
        if let Some(field) = section.take("controls")
            && let Some(given) = field.text(self.problems)
        {
            if CONTROLS.contains(&given) {
                dungeon.controls = given.to_owned();
            } else {
                let message = format!("unknown controls \"{given}\"");
                let help = "write \"percent\" or \"caret\"".to_owned();
                self.problems.push(Kind::Entry, field.place(), message, Some(help));
            }
        }
        if let Some(given) = section.text("quest_prefix", self.problems) {
            dungeon.quest_prefix = given.to_owned();
        }
        if let Some(mut names) = section.section("defines", self.problems) {
            for field in names.rest().into_iter().take(MAX_ENTRIES) {
                let Some(defined) = field.integer(0..=1, self.problems) else { continue };
                dungeon.defines.retain(|(known, _)| known != field.name());
                dungeon.defines.push((field.name().to_owned(), defined));
            }
            dungeon.defines.sort();
        }
        for (key, names) in [
            ("built", &mut dungeon.built),
            ("fillings", &mut dungeon.fillings),
            ("roles", &mut dungeon.roles),
            ("quest_fillings", &mut dungeon.quest_fillings),
            ("special_levels", &mut dungeon.special_levels),
            ("rare_levels", &mut dungeon.rare_levels),
        ] {
            self.names(&mut section, key, names, |_, _, _| true);
        }
        section.finish(self.problems);
        self.draft.dungeon = dungeon;
    }
}
