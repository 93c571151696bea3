//! The tree nests containers and rooms; a level file lists both in the order of the source.

use proptest::prelude::*;
use splc_frontends::NoIncludes;
use splc_ir::abi;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::level::{Module, ObjectDetail, RoomPlacement, StatementKind, listed_rooms};
use splc_ir::parts::{self, Body, PartsLevel};
use splc_ir::source::SourceMap;
use splc_ir::visit::{Visit, walk};

use super::CATALOG;

/// A thing: an object or a trap.
#[derive(Clone, Copy, Debug)]
struct Thing {
    word: &'static str,
    chance: Option<i8>,
    /// Its column; `None` for a thing in a container.
    place: Option<i8>,
}

/// A room: its name and, for a subroom, the name of its parent.
#[derive(Clone, Debug)]
struct Room {
    name: Option<&'static str>,
    parent: Option<&'static str>,
    things: Vec<Thing>,
}

fn thing() -> impl Strategy<Value = Thing> {
    let word = prop::sample::select(vec!["OBJECT", "OBJECT", "OBJECT", "CONTAINER", "TRAP"]);
    (word, prop::option::of(1..=99i8), prop::option::of(0..20i8)).prop_map(|(word, chance, place)| Thing {
        word,
        chance,
        place: if word == "TRAP" { Some(place.unwrap_or(3)) } else { place },
    })
}

fn room() -> impl Strategy<Value = Room> {
    let name = prop::option::of(prop::sample::select(vec!["a", "b", "c", "d"]));
    let parent = prop::option::of(prop::sample::select(vec!["a", "b", "c", "d", "nowhere"]));
    (name, parent, prop::collection::vec(thing(), 0..8)).prop_map(|(name, parent, things)| Room {
        name,
        parent,
        things,
    })
}

fn write_things(text: &mut String, things: &[Thing]) {
    for thing in things {
        let chance = thing.chance.map_or(String::new(), |chance| format!("[{chance}%]"));
        let place = thing.place.map_or("contained".to_owned(), |x| format!("({x},1)"));
        let what = if thing.word == "TRAP" { "\"pit\"" } else { "'(',\"chest\"" };
        text.push_str(&format!("{}{chance}:{what},{place}\n", thing.word));
    }
}

/// Returns containment, column and chance of the objects in the order of the source.
fn listed_objects(things: &[Thing]) -> Vec<(i8, i8, i8)> {
    let objects = things.iter().filter(|thing| thing.word != "TRAP");
    objects
        .map(|thing| {
            let containment = match (thing.word, thing.place) {
                ("CONTAINER", _) => 2,
                (_, None) => 1,
                (_, Some(_)) => 0,
            };
            (containment, thing.place.unwrap_or(parts::RANDOM), thing.chance.unwrap_or(100))
        })
        .collect()
}

fn read(text: &str) -> (Module, PartsLevel) {
    let mut sources = SourceMap::new();
    let file = sources.add("x.des", None, text.as_bytes().to_vec());
    let mut diagnostics = Diagnostics::new();
    let module = splc_frontends::parse(&mut sources, file, CATALOG, &mut NoIncludes, &mut diagnostics);
    let mut levels = splc_ir::lower::parts::lower(&module, CATALOG, &abi::ALL[0], &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{text}\n{diagnostics:?}");
    (module, levels.remove(0))
}

/// Counts things and rooms that could be nested but are not.
#[derive(Default)]
struct Loose {
    contained: usize,
}

impl<'tree> Visit<'tree> for Loose {
    fn block(&mut self, statements: &'tree [splc_ir::level::Statement]) {
        let mut container = false;
        for statement in statements {
            let mut kind = &statement.kind;
            while let StatementKind::Chance { then, .. } = kind {
                kind = &then.kind;
            }
            match kind {
                StatementKind::Map(_) => container = false,
                StatementKind::Object(object) => {
                    let placed = object.details.iter().any(|detail| matches!(detail.node, ObjectDetail::Place(_)));
                    self.contained += usize::from(!placed && container);
                    container |= object.contents.is_some();
                }
                _ => {}
            }
            // An object in a container needs no further container.
            if let StatementKind::Room(room) = kind {
                self.block(&room.body);
            }
        }
    }

    fn level(&mut self, level: &'tree splc_ir::level::Level) {
        walk::level(self, level);
    }
}

fn loose(module: &Module) -> usize {
    let mut loose = Loose::default();
    loose.module(module);
    loose.contained
}

proptest! {
    #![proptest_config(ProptestConfig { cases: splc_tests::cases(500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rooms_nest_and_are_listed_in_source_order(rooms in prop::collection::vec(room(), 0..12)) {
        let mut text = "LEVEL:\"l\"\n".to_owned();
        for room in &rooms {
            text.push_str(&match room.parent {
                None => "ROOM:\"ordinary\",lit,random,random,random\n".to_owned(),
                Some(parent) => format!("SUBROOM:\"ordinary\",lit,random,random,\"{parent}\"\n"),
            });
            room.name.iter().for_each(|name| text.push_str(&format!("NAME:\"{name}\"\n")));
            write_things(&mut text, &room.things);
        }
        let (module, level) = read(&text);
        let Body::Rooms(lowered) = &level.body else { panic!("rooms") };
        prop_assert_eq!(lowered.rooms.len(), rooms.len());
        for (room, lowered) in rooms.iter().zip(&lowered.rooms) {
            prop_assert_eq!(room.name, lowered.name.as_deref());
            prop_assert_eq!(room.parent, lowered.parent.as_deref());
            let objects: Vec<_> =
                lowered.objects.iter().map(|object| (object.node.containment, object.node.x, object.node.chance)).collect();
            prop_assert_eq!(listed_objects(&room.things), objects);
        }
        prop_assert_eq!(loose(&module), 0);
        // Every subroom is in the first room with its parent's name, unless that would form a cycle.
        let first = |name: &str| rooms.iter().position(|room| room.name == Some(name));
        let Some(tree) = module.levels().next() else { panic!("a level") };
        for (at, listed) in listed_rooms(&tree.body).iter().enumerate() {
            let mut around = Some(at);
            for _ in 0..=rooms.len() {
                around = around.and_then(|at| rooms[at].parent.and_then(first));
            }
            let circle = around.is_some();
            let expected = rooms[at].parent.and_then(first).filter(|_| !circle);
            prop_assert_eq!(listed.around, expected);
            prop_assert_eq!(matches!(listed.room.placement, RoomPlacement::Room { .. }), expected.is_some());
        }
    }

    #[test]
    fn contents_nest_and_are_listed_in_source_order(
        parts in prop::collection::vec(prop::collection::vec(thing(), 0..10), 1..4),
    ) {
        let mut text = "MAZE:\"m\",' '\n".to_owned();
        for part in &parts {
            text.push_str("NOMAP\n");
            write_things(&mut text, part);
        }
        let (module, level) = read(&text);
        let Body::Maze(maze) = &level.body else { panic!("a maze") };
        for (part, lowered) in parts.iter().zip(&maze.parts) {
            let objects: Vec<_> =
                lowered.objects.iter().map(|object| (object.node.containment, object.node.x, object.node.chance)).collect();
            prop_assert_eq!(listed_objects(part), objects);
        }
        prop_assert_eq!(loose(&module), 0);
    }
}
