//! The runtime has the functions, keys and globals of `splc_lua`, and no others.

use std::cell::RefCell;
use std::collections::BTreeSet;

use splc_ir::catalog::Catalog;
use splc_ir::loadable::LuaLevel;
use splc_ir::source::FileId;
use splc_lua::keys::Key;
use splc_lua::libraries::LIBRARIES;
use splc_lua::words::{RANDOM, RANDOM_ALIGNMENT, WALLS};
use splc_lua::{libraries, sandbox};

use super::running::Native;
use super::{objects, selections, statements, surroundings};
use crate::loader::{EAST, NO_ALIGNMENT, NORTH, SOUTH, WEST};
use crate::{Machine, Prepared, Settings, SplitMix};

thread_local! {
    static READ: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
}

/// Records that the runtime reads a key.
pub(super) fn note(key: &Key) {
    READ.with_borrow_mut(|read| read.insert(key.name));
}

/// Runs a script, whose errors do not matter, and returns its messages.
fn run(script: &str) -> Vec<String> {
    let catalog = Catalog::by_name("nethack-5.0.0").unwrap();
    let level = LuaLevel { name: "x".into(), text: script.into(), file: FileId(0) };
    let prepared = Prepared::of_lua(&level, catalog).unwrap();
    let mut machine = Machine::new();
    let _ = machine.run(&prepared, &Settings::default(), &mut SplitMix::new(1), &mut ());
    let level = machine.level();
    level.messages.iter().map(|&message| level.text(message).to_owned()).collect()
}

/// Calls that together read every key of a function. Some keys are read only with certain values of others.
const CALLS: &[(&str, &[&str])] = &[
    ("nh.abscoord", &["nh.abscoord({ x = 1, y = 1 })"]),
    ("des.altar", &["des.altar({})"]),
    ("des.corridor", &["des.corridor({ srcroom = 0, srcdoor = 0, destroom = 0, destdoor = 0 })"]),
    ("des.door", &["des.door({})"]),
    ("des.drawbridge", &["des.drawbridge({})"]),
    ("des.engraving", &["des.engraving({ text = 'x' })"]),
    ("des.exclusion", &["des.exclusion({ region = { 1, 1, 2, 2 } })"]),
    (
        "des.feature",
        &[
            "des.feature({ type = 'fountain' })",
            "des.feature({ type = 'throne' })",
            "des.feature({ type = 'sink' })",
            "des.feature({ type = 'tree' })",
        ],
    ),
    ("des.gas_cloud", &["des.gas_cloud({ selection = selection.new() })"]),
    ("des.gold", &["des.gold({})"]),
    ("selection.gradient", &["selection.gradient({ x = 1, y = 1, maxdist = 1 })"]),
    ("des.grave", &["des.grave({})"]),
    ("des.ladder", &["des.ladder({})"]),
    ("des.level_init", &["des.level_init({})"]),
    ("des.levregion", &["des.levregion({ region = { 1, 1, 2, 2 } })"]),
    ("des.map", &["des.map({ halign = 'center', valign = 'center', map = '...' })"]),
    ("des.mazewalk", &["des.mazewalk({})"]),
    ("des.mineralize", &["des.mineralize({})"]),
    ("des.monster", &["des.monster({})"]),
    ("obj.new", &["obj.new({})"]),
    ("des.object", &["des.object({ id = 'statue' })", "des.object({ id = 'egg' })"]),
    ("des.region", &["des.region({ region = { 1, 1, 5, 5 }, irregular = true, type = 'temple' })"]),
    ("des.replace_terrain", &["des.replace_terrain({ toterrain = '.', mapfragment = '.' })"]),
    ("des.room", &["des.room({})"]),
    ("des.stair", &["des.stair({})"]),
    ("des.teleport_region", &["des.teleport_region({ region = { 1, 1, 2, 2 } })"]),
    ("des.terrain", &["des.terrain({ selection = selection.new(), typ = '.' })"]),
    ("des.trap", &["des.trap({})"]),
    ("des.wall_property", &["des.wall_property({ region = { 1, 1, 2, 2 } })"]),
    ("des.wallify", &["des.wallify({ x1 = 1, y1 = 1, x2 = 2, y2 = 2 })"]),
];

#[test]
fn every_key_is_read() {
    let catalog = Catalog::by_name("nethack-5.0.0").unwrap();
    for library in LIBRARIES {
        for function in library.functions {
            let name = format!("{}.{}", library.name, function.name);
            let calls = CALLS.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, calls)| calls);
            READ.take();
            calls.iter().for_each(|call| drop(run(call)));
            // The keys of debug_flags matter only while somebody plays.
            let keys = function.keys(catalog).filter(|_| function.name != "debug_flags").map(|key| key.name);
            assert_eq!(READ.take(), keys.collect(), "{name}");
        }
    }
}

/// A library: its name, all its functions, and those hidden from levels.
type Library = (&'static str, &'static [(&'static str, Native)], &'static [&'static str]);

#[test]
fn every_function_is_there() {
    let own: [Library; 5] = [
        ("des", statements::FUNCTIONS, &[]),
        ("selection", selections::FUNCTIONS, &[]),
        ("nh", surroundings::FUNCTIONS, &[]),
        ("u", surroundings::HERO, &["index", "refuse"]),
        ("obj", objects::FUNCTIONS, &[]),
    ];
    assert_eq!(own.len(), LIBRARIES.len());
    for (name, functions, hidden) in own {
        let ours: BTreeSet<&str> =
            functions.iter().map(|&(name, _)| name).filter(|name| !hidden.contains(name)).collect();
        let library = libraries::library(name).unwrap();
        assert_eq!(ours, library.functions.iter().map(|function| function.name).collect(), "{name}");
    }
}

/// Returns the names in a table of a level.
fn names(table: &str) -> BTreeSet<String> {
    run(&format!("for name in pairs({table}) do des.message(name) end")).into_iter().collect()
}

#[test]
fn every_global_is_there() {
    let all = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(names("_G"), sandbox::globals().map(str::to_owned).collect());
    assert_eq!(names("nhc"), all(sandbox::CONSTANTS));
    for (library, members) in sandbox::LIBRARIES {
        let mut found = names(library);
        // Our Lua keeps functions of earlier versions. The check does not rely on them.
        found.retain(|name| !sandbox::OUTDATED.iter().any(|(outdated, _)| *outdated == format!("{library}.{name}")));
        assert_eq!(found, all(members), "{library}");
    }
    for name in sandbox::HERO {
        assert_eq!(run(&format!("des.message(type(u.{name}))")).len(), 1, "{name}");
    }
}

#[test]
fn numbers_are_those_of_the_loader() {
    let catalog = Catalog::by_name("nethack-5.0.0").unwrap();
    assert_eq!((RANDOM, RANDOM_ALIGNMENT), (-1, NO_ALIGNMENT));
    for (word, number) in [("north", NORTH), ("south", SOUTH), ("east", EAST), ("west", WEST)] {
        assert_eq!(WALLS.meaning(catalog, word), Some(number));
    }
}
