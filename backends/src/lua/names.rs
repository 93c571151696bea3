//! Names of objects as the game finds them, and the game's words for those of splc.

use splc_ir::catalog::Catalog;
use splc_ir::words::{AltarType, Direction, DoorState, Horizontal, UpDown, Vertical};
use splc_lua::names::name_in_levels;

/// Classes whose objects the game finds as "scroll of light", not by their bare names (`find_objtype`).
const PREFIXES: &[(char, &str)] =
    &[('=', "ring of "), ('!', "potion of "), ('?', "scroll of "), ('+', "spellbook of "), ('/', "wand of ")];

/// Returns the name by which the game finds the object `name`, and the class if it must be given as well.
///
/// A bare name means the first object of that name, or else the first with that appearance (`find_objtype` of
/// `src/sp_lev.c`).
pub(super) fn object(catalog: &Catalog, name: &str, class: Option<char>) -> (String, Option<char>) {
    let Some((number, _)) = catalog.object(name, class) else { return (name.to_owned(), None) };
    let species = &catalog.objects[number as usize];
    let prefix = PREFIXES.iter().find(|(class, _)| *class == species.class).map(|(_, prefix)| prefix);
    let first = catalog.object(name, None).map(|(first, _)| first);
    match prefix {
        // "novel" and "Book of the Dead" take no prefix.
        Some(prefix) if species.name.chars().all(|c| !c.is_uppercase()) && species.name != "novel" => {
            (format!("{prefix}{}", species.name), None)
        }
        _ if first == Some(number) => (name_in_levels(&species.name).to_owned(), None),
        _ => (name_in_levels(&species.name).to_owned(), Some(species.class)),
    }
}

/// Returns the state of a door on a square. The words are those of des-files.
pub(super) fn door(state: DoorState) -> &'static str {
    state.as_str()
}

pub(super) fn up_down(direction: UpDown) -> &'static str {
    direction.as_str()
}

pub(super) fn wall(direction: Direction) -> &'static str {
    direction.as_str()
}

pub(super) fn horizontal(word: Horizontal) -> &'static str {
    word.as_str()
}

pub(super) fn vertical(word: Vertical) -> &'static str {
    word.as_str()
}

pub(super) fn altar(word: AltarType) -> &'static str {
    word.as_str()
}
