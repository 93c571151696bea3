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
use crate::error::Fault;
use crate::loader::{EAST, NO_ALIGNMENT, NORTH, SOUTH, WEST};
use crate::{DrawLines, Machine, Prepared, Settings, SplitMix, Trace};

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

/// Runs a script with a part of the usual limits, and returns its fault.
fn fault(script: &str, part: u64) -> Fault {
    let catalog = Catalog::by_name("nethack-5.0.0").unwrap();
    let level = LuaLevel { name: "x".into(), text: script.into(), file: FileId(0) };
    let prepared = Prepared::of_lua(&level, catalog).unwrap();
    let usual = Settings::default();
    let settings = Settings { fuel: usual.fuel / part, ..usual };
    let mut machine = Machine::new();
    let end = machine.run(&prepared, &settings, &mut SplitMix::new(1), &mut ()).map(|_| ());
    end.expect_err(script).fault
}

/// A table whose length is 2^32, although it has few elements.
const SPARSE: &str = "local s = {[1]=1,[2]=1,[4]=1,[8]=1,[16]=1,[32]=1,[64]=1,[128]=1,[256]=1,[512]=1,[1024]=1,[2048]=1,\
                      [4096]=1,[8192]=1,[16384]=1,[32768]=1,[65536]=1,[131072]=1,[262144]=1,[524288]=1,[1048576]=1,\
                      [2097152]=1,[4194304]=1,[8388608]=1,[16777216]=1,[33554432]=1,[67108864]=1,[134217728]=1,\
                      [268435456]=1,[536870912]=1,[1073741824]=1,[2147483648]=1,[4294967296]=1} ";

/// Without charges, most of these run for minutes or forever, and some need gigabytes.
#[test]
fn work_that_lua_does_not_count_is_charged() {
    let long = "local s = ('0'):rep(400000) ";
    let two = "local s = ('x'):rep(300000) local t = ('x'):rep(299999) .. 'x' ";
    let forever = |before: &str, body: &str| format!("{before} while true do {body} end");
    for script in [
        "('').rep('', 1e15)".to_owned(),
        "('x'):rep(1e6):rep(0) while true do ('x'):rep(400000) end".to_owned(),
        "table.move({}, 1, 1e12, 2)".to_owned(),
        format!("{SPARSE} table.insert(s, 1, 1)"),
        format!("{SPARSE} table.remove(s, 1)"),
        format!("{SPARSE} while true do pcall(table.concat, s) end"),
        format!("{SPARSE} while true do pcall(table.unpack, s) end"),
        forever("local t = {} for i = 1, 3000 do t[i] = i % 7 end", "pcall(table.sort, t, math.type)"),
        forever("local t = {} for i = 1, 3000 do t[i] = 3000 - i end", "table.sort(t, math.ult)"),
        forever("local t = {} for i = 1, 9000 do t[i] = i end", "select('#', table.unpack(t))"),
        forever("local t = {} for i = 1, 100 do t[i] = ('x'):rep(4000) end", "table.concat(t)"),
        forever(long, "local t = s .. 1"),
        forever(long, "local t = {} t[s .. 'y'] = nil"),
        forever(long, "local t = s + 0"),
        forever(long, "utf8.len(s)"),
        forever(long, "local t = s:upper()"),
        forever(long, "local t = s:sub(2)"),
        forever(long, "local t = s:format()"),
        forever(long, "tonumber(s, 16)"),
        forever(long, "pline('%s', s)"),
        forever("local s = ('x'):rep(100000)", "table_stringify({ s })"),
        forever(two, "local u = s == t"),
        forever(two, "local u = s < t"),
        forever("local s, t = ('\\0'):rep(99999) .. 'a', ('\\0'):rep(99999) .. 'b'", "local u = s < t"),
        forever("local t = {} for i = 1, 9000 do t[i] = i end for i = 1, 9000 do t[i] = nil end", "next(t)"),
        forever("local function f(...) while true do select('#', ...) end end", "f(table.unpack({}, 1, 9000))"),
        forever("local s = ('.\\n'):rep(100000)", "pcall(des.map, s) pcall(selection.match, s)"),
        forever("local s = selection.negate()", "s = s & s | s ~ -s"),
        forever("", "selection.negate():grow()"),
        forever("", "des.wallify()"),
        forever("", "des.reset_level()"),
        forever("", "selection.new():set(5, 5):iterate(function() local s = ('x'):rep(300000) .. 'a' end)"),
        "for i = 1, 2 ^ 32 do des.trap() end".to_owned(),
        "for i = 1, 2 ^ 32 do des.region({ region = { 1, 1, 9, 9 }, irregular = false, type = 'ordinary', lit = 1, \
         contents = function() for i = 1, 2 ^ 32 do des.trap() end end }) end"
            .to_owned(),
    ] {
        let fault = fault(&script, 16);
        assert!(matches!(fault, Fault::Steps | Fault::Work), "{script}: {fault:?}");
    }
}

#[test]
fn memory_is_bounded() {
    for script in [
        "local s = ('x'):rep(100000) s:gsub('^.*', ('%0'):rep(100000))",
        "local s = ('x'):rep(100000) s:gsub('.', s)",
        "('x'):rep(1e9)",
        "('x'):rep(2000, ('y'):rep(400000))",
        "local s = ('x'):rep(10000) local t = {} while true do t[#t + 1] = s .. #t end",
        "local t = {} while true do t[#t + 1] = {} end",
        "table.concat({ ('x'):rep(400000), ('x'):rep(400000) }, ('y'):rep(400000))",
        "string.format(('%s'):rep(9), ('x'):rep(400000), ('x'):rep(400000), ('x'):rep(400000), 4, 5, 6, 7, 8, 9)",
    ] {
        assert_eq!(fault(script, 1), Fault::Memory, "{script}");
        assert_eq!(fault(&format!("pcall(function() {script} end)"), 1), Fault::Memory, "caught: {script}");
    }
    for call in ["des.message(s)", "des.engraving({ text = s })", "des.monster({ name = s })"] {
        let floor = "des.level_init({ style = 'solidfill', fg = '.' })";
        let script = format!("{floor} local s = ('x'):rep(200000) for i = 1, 60000 do {call} end");
        assert_eq!(fault(&script, 1), Fault::LevelTexts, "{script}");
    }
}

/// Garbage is not memory in use, and long texts are allowed.
#[test]
fn much_work_is_possible() {
    let script = "local s = ('x'):rep(100000) local n = 0 for i = 1, 50 do n = n + #(s .. i) end des.message('' .. n)";
    assert_eq!(run(script), ["5000091"]);
    let script = "local t = {} for i = 1, 1000 do t = { i, t[1] } local s = ('x'):rep(1000) .. i end des.message(t[2])";
    assert_eq!(run(script), ["999"]);
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
        // Lua's own makefile, with which NetHack is built on Unix, keeps functions of earlier versions, and so does our
        // Lua (LUA_COMPAT_5_3). The check does not rely on them, because other builds lack them.
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

/// The number and hash of the draws that NetHack 5.0.0 itself takes.
#[test]
fn draws_are_those_of_the_game() {
    let catalog = Catalog::by_name("nethack-5.0.0").unwrap();
    let all = "des.level_init({ style = \"solidfill\", fg = \".\" })";
    let becoming = |who: &str, shape: &str| format!("des.monster({{ id = \"{who}\", appear_as = \"mon:{shape}\" }})");
    let shapes = [becoming("vampire", "wolf"), becoming("vampire leader", "wolf"), becoming("vampire", "fog cloud")];
    for (script, draws) in [
        ("des.level_init({ style = \"rogue\" })\ndes.random_corridors()".to_owned(), "draws 1503 743c2ea2511ca00e"),
        (format!("{all}\n{}", shapes.join("\n")), "draws 18 e756e51ea70e657a"),
    ] {
        let level = LuaLevel { name: "x".into(), text: script.as_str().into(), file: FileId(0) };
        let prepared = Prepared::of_lua(&level, catalog).unwrap();
        let mut machine = Machine::new();
        let mut trace = Trace::new(DrawLines::Hidden);
        machine.run(&prepared, &Settings::default(), &mut SplitMix::new(1), &mut trace).unwrap();
        let text = trace.finish(machine.level(), catalog);
        assert!(text.lines().any(|line| line == draws), "{script}: {text}");
    }
}
