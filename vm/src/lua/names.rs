//! The sexes of species, and the features that a monster can look like. Other names are looked up by
//! [`splc_lua::names`].

use splc_ir::catalog::Habit;
use splc_lua::names::Gender;

use crate::game::Game;

/// Sex of a species that has only one.
pub(super) fn only_sex(game: &Game, species: u16) -> Option<Gender> {
    let habits = game.habits(Some(species));
    if habits.has(Habit::Female) {
        Some(Gender::Female)
    } else if habits.has(Habit::Male) {
        Some(Gender::Male)
    } else {
        None
    }
}

/// Returns true for a species that players can be.
pub(super) fn is_player(game: &Game, species: Option<u16>) -> bool {
    let number = |name: &str| game.catalog.monster(name, Some('@')).map(|(number, _)| number);
    match (species, number("archeologist"), number("wizard")) {
        (Some(species), Some(first), Some(last)) => (first..=last).contains(&i32::from(species)),
        _ => false,
    }
}

/// Names of the features that a monster can look like, with their numbers in the game's list of symbols (`defsyms`,
/// `include/defsym.h`).
pub(super) const FEATURES: &[(&str, i32)] = &[
    ("stone", 0),
    ("wall", 1),
    ("doorway", 12),
    ("open door", 13),
    ("closed door", 15),
    ("iron bars", 17),
    ("tree", 18),
    ("floor of a room", 19),
    ("dark part of a room", 20),
    ("engraving", 21),
    ("corridor", 22),
    ("lit corridor", 23),
    ("staircase up", 25),
    ("staircase down", 26),
    ("ladder up", 27),
    ("ladder down", 28),
    ("branch staircase up", 29),
    ("branch staircase down", 30),
    ("branch ladder up", 31),
    ("branch ladder down", 32),
    ("altar", 33),
    ("grave", 34),
    ("opulent throne", 35),
    ("sink", 36),
    ("fountain", 37),
    ("water", 38),
    ("ice", 39),
    ("molten lava", 40),
    ("wall of lava", 41),
    ("lowered drawbridge", 42),
    ("raised drawbridge", 44),
    ("air", 46),
    ("cloud", 47),
    ("arrow trap", 49),
    ("dart trap", 50),
    ("falling rock trap", 51),
    ("squeaky board", 52),
    ("bear trap", 53),
    ("land mine", 54),
    ("rolling boulder trap", 55),
    ("sleeping gas trap", 56),
    ("rust trap", 57),
    ("fire trap", 58),
    ("pit", 59),
    ("spiked pit", 60),
    ("hole", 61),
    ("trap door", 62),
    ("teleportation trap", 63),
    ("level teleporter", 64),
    ("magic portal", 65),
    ("web", 66),
    ("statue trap", 67),
    ("magic trap", 68),
    ("anti-magic field", 69),
    ("polymorph trap", 70),
    ("vibrating square", 71),
    ("trapped door", 72),
    ("trapped chest", 73),
];
