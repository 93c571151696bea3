//! Finds entries of users' tables without any effect between two games, such as entries with typing errors.
//!
//! Of several stand-ins for a name, one that the target knows is enough: the others may be meant for other games.

use std::ops::Range;

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::did_you_mean;
use splc_ir::dungeon::Presence;
use splc_ir::order::Order;
use splc_ir::wording::visible;
use splc_ir::words::Group;

use super::{Games, Kind, Listed, SAME_THING, StandIns, Table, class_of, split_class, symbol};

/// An entry of a user's table that has no effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Unused {
    /// The index of its table, in the order in which tables were [added](StandIns::add), from 0.
    pub table: usize,
    /// Its position, in bytes of the table's text.
    pub place: Range<usize>,
    /// The reason, as a sentence without a full stop.
    pub message: String,
    /// A suggestion, as a question.
    pub help: Option<String>,
}

impl StandIns {
    /// Returns the entries of users' tables without effect between `from` and `to`: names that the first game lacks,
    /// stand-ins that the second lacks, and pairs that name a game which is not among `games`. They are sorted by
    /// table, and by position within a table.
    pub fn unused<'c>(
        &self,
        from: &Catalog,
        to: &Catalog,
        games: impl IntoIterator<Item = &'c Catalog>,
    ) -> Vec<Unused> {
        let known: Vec<&str> = games.into_iter().flat_map(|game| [&*game.name, &*game.dialect]).collect();
        let mut unused = Vec::new();
        for table in &self.tables {
            let Some(file) = table.file else { continue };
            unused.extend(
                unknown_games(&table.from, &known)
                    .chain(unknown_games(&table.to, &known))
                    .map(|(place, message, help)| Unused { table: file, place, message, help }),
            );
        }
        for table in self.between(from, to) {
            let Table { file: Some(file), names, .. } = table else { continue };
            for ((kind, key), listed) in names {
                if let Some((place, message, help)) = idle(*kind, key, listed, from, to) {
                    unused.push(Unused { table: *file, place, message, help });
                }
            }
        }
        unused.order_by_key(|entry| (entry.table, entry.place.start));
        unused
    }
}

/// A position in a table, the message and the suggestion.
type Remark = (Range<usize>, String, Option<String>);

/// Returns the unknown games of a pair.
fn unknown_games<'t>(games: &'t Games, known: &'t [&str]) -> impl Iterator<Item = Remark> + 't {
    games.iter().filter(|(name, _)| !known.contains(&name.as_str())).map(|(name, place)| {
        let message = format!("unknown game or dialect \"{}\"", visible(name));
        (place.clone(), message, did_you_mean(name, known.iter().copied()))
    })
}

/// Returns the reason why an entry has no effect between two games, or `None` if it has one.
fn idle(kind: Kind, key: &str, listed: &Listed, from: &Catalog, to: &Catalog) -> Option<Remark> {
    let noun = noun_of_key(kind);
    if !knows_key(kind, key, from) {
        let message = format!("{} has no {noun} \"{}\"", from.title, visible(key));
        return Some((listed.key_place.clone(), message, near(kind, Side::From, key, from)));
    }
    let meant: Vec<&str> = listed.names.iter().map(|name| name.strip_prefix(SAME_THING).unwrap_or(name)).collect();
    // An empty list forbids stand-ins.
    if meant.is_empty() || meant.iter().any(|name| knows_stand_in(kind, name, to)) {
        return None;
    }
    let noun = noun_of_stand_in(kind);
    let message = match meant.as_slice() {
        [only] => format!("{} has no {noun} \"{}\" to stand in", to.title, visible(only)),
        _ => format!("{} has no {noun} with any of these names to stand in", to.title),
    };
    let help = meant.iter().find_map(|name| near(kind, Side::To, name, to));
    Some((listed.place.clone(), message, help))
}

/// The game that a name belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    From,
    To,
}

fn noun_of_key(kind: Kind) -> &'static str {
    match kind {
        Kind::Monster => "monster",
        Kind::Object | Kind::ObjectAsTerrain => "object",
        Kind::MonsterClass => "monster class",
        Kind::ObjectClass => "object class",
        Kind::Trap => "trap",
        Kind::Room => "room type",
        Kind::Flag => "level flag",
        Kind::Terrain | Kind::TerrainAsObject => "map character",
        Kind::Portal => "level",
    }
}

fn noun_of_stand_in(kind: Kind) -> &'static str {
    match kind {
        Kind::TerrainAsObject => noun_of_key(Kind::Object),
        Kind::ObjectAsTerrain => noun_of_key(Kind::Terrain),
        Kind::Portal => "level in every dungeon",
        kind => noun_of_key(kind),
    }
}

/// Returns true if a game knows the key of an entry of this type.
fn knows_key(kind: Kind, name: &str, catalog: &Catalog) -> bool {
    match kind {
        Kind::TerrainAsObject => knows(Kind::Terrain, name, catalog),
        Kind::ObjectAsTerrain => knows(Kind::Object, name, catalog),
        // A catalog need not list the levels of its dungeon.
        Kind::Portal => true,
        kind => knows(kind, name, catalog),
    }
}

/// Returns true if a game knows a stand-in of this type.
fn knows_stand_in(kind: Kind, name: &str, catalog: &Catalog) -> bool {
    match kind {
        // The class is required.
        Kind::TerrainAsObject => split_class(name).1.is_some() && knows(Kind::Object, name, catalog),
        Kind::ObjectAsTerrain => knows(Kind::Terrain, name, catalog),
        Kind::Portal => catalog.dungeon.presence(name).is_none_or(|presence| presence == Presence::Always),
        kind => knows(kind, name, catalog),
    }
}

/// Returns true if a game has a name of this type.
fn knows(kind: Kind, name: &str, catalog: &Catalog) -> bool {
    let (bare, class) = split_class(name);
    let is = |known: fn(&Catalog, char) -> bool| symbol(name).is_some_and(|symbol| known(catalog, symbol));
    match kind {
        Kind::Monster => {
            let of_class = catalog.monsters.iter().filter(|known| class.is_none_or(|class| class == known.class));
            of_class.into_iter().any(|known| known.name.eq_ignore_ascii_case(bare))
                || catalog.forms_of(bare, class).next().is_some()
        }
        Kind::Object => match class {
            None => class_of(&catalog.objects, bare).is_some(),
            Some(class) => {
                catalog.objects.iter().any(|known| known.class == class && known.name.eq_ignore_ascii_case(bare))
            }
        },
        Kind::MonsterClass => is(|catalog, class| catalog.monster_class(class).is_some()),
        Kind::ObjectClass => is(|catalog, class| catalog.object_class(class).is_some()),
        Kind::Trap => catalog.trap(name).is_some(),
        Kind::Room => catalog.room(name).is_some(),
        Kind::Flag => catalog.word(Group::Flag, name).is_some(),
        Kind::Terrain | Kind::TerrainAsObject | Kind::ObjectAsTerrain => {
            is(|catalog, character| catalog.terrain(character).is_some())
        }
        Kind::Portal => true,
    }
}

/// Suggests a similar name.
fn near(kind: Kind, side: Side, name: &str, catalog: &Catalog) -> Option<String> {
    let (bare, class) = split_class(name);
    let of_class = |all: &'_ [splc_ir::catalog::Species]| {
        let all = all.iter().filter(|known| class.is_none_or(|class| class == known.class));
        did_you_mean(bare, all.map(|known| &*known.name))
    };
    match (kind, side) {
        (Kind::Monster, _) => of_class(&catalog.monsters),
        (Kind::Object, _) | (Kind::ObjectAsTerrain, Side::From) | (Kind::TerrainAsObject, Side::To) => {
            of_class(&catalog.objects)
        }
        (Kind::Trap, _) => did_you_mean(name, catalog.traps.iter().map(|(known, _)| &**known)),
        (Kind::Room, _) => did_you_mean(name, catalog.rooms.iter().map(|(known, _)| &**known)),
        (Kind::Flag, _) => did_you_mean(name, catalog.words(Group::Flag)),
        _ => None,
    }
}
