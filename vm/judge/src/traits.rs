//! Traits that a level has in every game: flags, walls that cannot be dug, its owner.

use splc_ir::catalog::Name;
use splc_vm::internals::{Game, wall};
use splc_vm::{Arrival, Chronicle, Level, Prepared};

use crate::hazards::type_name;

/// Least squares of wall of a level whose walls matter.
const WALLS: usize = 40;

/// Least squares of wall with a property. The game itself protects the towers of drawbridges.
const PROTECTED: usize = 5;

/// Numbers of the traits in the catalog that the level `name` has in every game.
pub(crate) fn wanted(program: &Prepared, name: &str) -> Vec<usize> {
    let catalog = program.catalog();
    let is_wanted = |(at, entry): (usize, &Name)| {
        let (of, levels) = entry.rsplit_once('@')?;
        let exists = match of.split_once(' ') {
            Some(("room", kind)) => catalog.room(kind).is_some(),
            Some(("monster", species)) => catalog.monsters.iter().any(|known| known.name == species),
            Some(("object", kind)) => catalog.objects.iter().any(|known| known.name == kind),
            _ => true,
        };
        (exists && levels.split(' ').any(|level| is_level(name, level))).then_some(at)
    };
    catalog.loader.level_traits.iter().enumerate().filter_map(is_wanted).collect()
}

/// Notes which of the `wanted` traits a finished level has: `found` has an element for each of the catalog.
pub(crate) fn find(found: &mut Vec<bool>, wanted: &[usize], level: &Level, chronicle: &Chronicle, program: &Prepared) {
    let game = &program.game;
    let entries = &game.catalog.loader.level_traits;
    found.resize(entries.len(), false);
    for &at in wanted {
        if !found[at]
            && let Some((of, _)) = entries[at].rsplit_once('@')
        {
            found[at] = if of == "prize" { chronicle.has_prize() } else { has(of, level, game) };
        }
    }
}

/// Numbers of the `wanted` traits that none of the finished levels has.
pub(crate) fn lacking(found: &[bool], wanted: Vec<usize>) -> impl Iterator<Item = usize> {
    wanted.into_iter().filter(|&at| found.get(at) == Some(&false))
}

/// Returns true if the level `name` has parts that are meant to be closed.
pub(crate) fn is_closed(program: &Prepared, name: &str) -> bool {
    let mut entries = program.catalog().loader.level_traits.iter().filter_map(|entry| entry.strip_prefix("closed@"));
    entries.any(|levels| levels.split(' ').any(|level| is_level(name, level)))
}

/// Says that a level lacks the trait with that number.
pub(crate) fn words(at: usize, program: &Prepared) -> String {
    let entry = program.catalog().loader.level_traits.get(at).and_then(|entry| entry.rsplit_once('@'));
    match entry.map(|(of, _)| of).unwrap_or_default() {
        "nondiggable" => "the walls of this level can be dug".to_owned(),
        "nonpasswall" => "no wall of this level stops monsters that walk through walls".to_owned(),
        "arrival" => "this level has no arrival region".to_owned(),
        "prize" => "no object of this level has the key `achievement`".to_owned(),
        of => match of.split_once(' ') {
            Some(("room", kind)) => format!("this level has no room of type \"{kind}\""),
            Some(("monster", name)) => format!("{name} is never in this level"),
            Some((_, name)) => format!("no {name} is in this level"),
            None => format!("this level lacks the flag `{of}`"),
        },
    }
}

/// Returns true if `name` is the level `level` or a version of it, with a number at the end, or a level of a quest
/// that ends in it.
fn is_level(name: &str, level: &str) -> bool {
    if level.starts_with('-') {
        return name.len() == level.len() + 3 && name.is_char_boundary(3) && name[3..].eq_ignore_ascii_case(level);
    }
    let start = name.get(..level.len()).filter(|start| start.eq_ignore_ascii_case(level));
    start.is_some() && matches!(name.as_bytes().get(level.len()), None | Some(b'-'))
}

fn has(of: &str, level: &Level, game: &Game) -> bool {
    let protects = |property: i32| {
        let hard = level
            .all_terrain()
            .iter()
            .zip(level.all_flags())
            .filter(|(terrain, flags)| terrain.is_rock() && i32::from(**flags) & property != 0);
        let is_open = || level.all_terrain().iter().filter(|terrain| terrain.is_wall()).count() < WALLS;
        hard.take(PROTECTED).count() == PROTECTED || is_open()
    };
    match of.split_once(' ') {
        None => match of {
            "noteleport" => level.level_flags.no_teleport,
            "hardfloor" => level.level_flags.hard_floor,
            "nondiggable" => protects(wall::NON_DIGGABLE),
            "nonpasswall" => protects(wall::NON_PASSABLE),
            "arrival" => {
                [level.arrival_from_above, level.arrival_from_below].iter().any(|region| *region != Arrival::default())
            }
            _ => true,
        },
        Some(("room", kind)) => game.catalog.room(kind).is_none_or(|kind| {
            level.rooms().iter().chain(level.subrooms()).any(|room| room.high_x >= 0 && room.kind == kind)
        }),
        Some(("monster", species)) => level.monsters().iter().filter(|monster| !monster.of_class).any(|monster| {
            let known = monster.species.and_then(|number| game.catalog.monsters.get(usize::from(number)));
            known.is_some_and(|known| known.name == species)
        }),
        Some(("object", kind)) => level.objects().iter().any(|object| type_name(object, game) == Some(kind)),
        Some(_) => true,
    }
}
