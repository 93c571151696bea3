//! Levels of NetHack 5: messages for the game's own levels, and hostile scripts.

use std::fmt::Write as _;
use std::fs;

use splc_driver::{Input, Options, lua};
use splc_ir::diagnostic::{Code, Severity};
use splc_tests::reference::{files, game};

/// Returns the messages for a script: line, code and text of each.
fn said(name: &str, text: impl Into<Vec<u8>>) -> Vec<(usize, Code, String)> {
    let script = lua::check(Input::new(name, text), &Options::default()).unwrap();
    let line = |problem: &splc_ir::diagnostic::Diagnostic| {
        problem.span.map_or(0, |span| script.sources.line_column(span.file, span.start).0)
    };
    script.diagnostics.iter().map(|problem| (line(problem), problem.code, problem.message.to_string())).collect()
}

#[test]
fn scripts_have_the_lints_of_whole_levels() {
    let level = |rest: &str| {
        let map = "-----------\n|....|....|\n|....+....|\n|....|.}}.|\n-----------";
        format!("des.level_init({{ style = 'solidfill', fg = ' ' }})\ndes.map([[\n{map}\n]])\n{rest}\n")
    };
    let codes = |rest: &str| {
        let found = said("hut.lua", level(rest)).into_iter();
        found.map(|(line, code, _)| (line, code)).collect::<Vec<_>>()
    };
    assert_eq!(codes("des.stair('down', 5, 1)"), [(9, Code::PlacedInWall)]);
    assert_eq!(codes("local at = { 5, 1 }\ndes.stair('down', at)"), [(10, Code::PlacedInWall)]);
    assert_eq!(codes("des.door('closed', 5, 2)\ndes.door('closed', 3, 2)"), [(10, Code::OddDoor)]);
    assert_eq!(codes("for i = 1, 2 do des.stair('up', i, 1) end"), [(9, Code::DuplicateStairs)]);
    assert_eq!(codes("des.monster('giant eel', 1, 1)"), [(9, Code::DrowningMonster)]);
    let shop = "des.region({ region = {6,1,9,3}, lit = 1, type = 'shop', filled = 1 })\ndes.terrain(5, 2, '|')";
    assert_eq!(codes(shop), []);
    // The row of the map that draws the door.
    assert_eq!(codes("des.door('closed', 4, 2)"), [(9, Code::DrawnDoor)]);
    assert_eq!(codes("if percent(50) then des.terrain(5, 1, '.') end\ndes.stair('down', 5, 1)"), []);
    // A des-file cannot express this level.
    assert_eq!(codes("local sum = selection.new():numpoints()\ndes.stair('down', 5, 1)"), []);
}

#[test]
fn the_script_of_the_dungeon_is_checked_as_such() {
    let text = "dungeon = { {\n  name = \"The Cave\", base = 5,\n  flags = { \"mazelke\" },\n} }\n";
    let found = said("dungeon.lua", text);
    assert_eq!(found.iter().map(|(line, code, _)| (*line, *code)).collect::<Vec<_>>(), [(3, Code::LuaWord)]);
    assert_eq!(said("other.lua", text), []);
}

/// First and last line of consecutive faults, and their code.
type Fault = (usize, usize, Code);

/// The faults of the game's own levels. Each was verified in the level and in the game's source.
const FAULTS: &[(&str, &[Fault])] = &[
    ("Arc-strt.lua", &[(23, 23, Code::DrawnDoor)]),
    ("Rog-strt.lua", &[(93, 93, Code::RepeatedThing)]),
    ("Tou-loca.lua", &[(127, 128, Code::LuaAmbiguous)]),
    ("Wiz-goal.lua", &[(71, 71, Code::LuaKey), (97, 114, Code::LuaKey), (123, 123, Code::LuaKey)]),
    ("medusa-1.lua", &[(107, 107, Code::DrowningMonster)]),
    ("medusa-3.lua", &[(41, 41, Code::LuaIgnored), (46, 46, Code::LuaIgnored), (48, 48, Code::LuaIgnored)]),
    ("medusa-4.lua", &[(47, 47, Code::LuaIgnored), (52, 52, Code::LuaIgnored)]),
    ("minetn-3.lua", &[(61, 61, Code::LuaKey), (68, 68, Code::LuaKey), (93, 93, Code::LuaKey), (99, 99, Code::LuaKey)]),
];

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn the_games_own_levels_have_only_known_faults() {
    let folder = game("nethack-5.0.0");
    let listed = fs::read_to_string(folder.join("levels.txt")).unwrap();
    let levels: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert!(levels.len() >= 126, "{}", levels.len());
    let mut wrong = String::new();
    for level in levels {
        let name = level.rsplit('/').next().unwrap();
        let found = said(name, fs::read(folder.join("lua").join(name)).unwrap());
        let reported: Vec<(usize, Code)> = found.iter().map(|(line, code, _)| (*line, *code)).collect();
        let known = FAULTS.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, faults)| faults);
        let known: Vec<(usize, Code)> =
            known.iter().flat_map(|&(first, last, code)| (first..=last).map(move |line| (line, code))).collect();
        if reported != known {
            writeln!(wrong, "{name}: {found:#?}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    // Levels for testing the loader. One has a character that is invalid in maps, to test that the loader ignores it;
    // another makes a unique monster twice.
    for path in files(&folder.join("extra/lua"), ".lua") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let codes: Vec<Code> = said(&name, fs::read(&path).unwrap()).into_iter().map(|(_, code, _)| code).collect();
        let expected: &[Code] = match name.as_str() {
            "x-maze.lua" => &[Code::LuaMap],
            "x-mons.lua" => &[Code::RepeatedThing],
            _ => &[],
        };
        assert_eq!(codes, expected, "{name}");
    }
}

#[test]
fn nesting_of_any_kind_ends_with_an_error() {
    let deep = 100_000;
    let around = |open: &str, middle: &str, close: &str| open.repeat(deep) + middle + &close.repeat(deep);
    let scripts = [
        format!("x = {}", around("(", "1", ")")),
        format!("x = {}", around("{", "", "}")),
        format!("x = {}", around("f(", "1", ")")),
        format!("x = {}", around("a[", "1", "]")),
        format!("x = {}", around("- ", "1", "")),
        format!("x = {}", around("not ", "1", "")),
        format!("x = {}", around("function() return ", "1", " end")),
        format!("x = {}", around("a .. ", "b", "")),
        format!("x = {}", around("2 ^ ", "2", "")),
        format!("x = {}", around("1 + ", "1", "")),
        format!("x = {}", around("a", "", ".b")),
        format!("x = f{}", "()".repeat(deep)),
        format!("x = f{}", ":g()".repeat(deep)),
        format!("x = f{}", "{}".repeat(deep)),
        around("do ", "", " end"),
        around("while a do ", "", " end"),
        around("if a then ", "", " end"),
        around("repeat ", "", " until a"),
        around("for i = 1, 2 do ", "", " end"),
        around("if a then else ", "", " end"),
        around("function f() ", "", " end"),
        around("(", "", ""),
        around("{", "", ""),
        around("f(", "", ""),
        around("do ", "", ""),
    ];
    for script in &scripts {
        let found = said("deep.lua", script.as_str());
        let known = [Code::Nesting, Code::Syntax];
        assert!(found.iter().any(|(_, code, _)| known.contains(code)), "{}: {found:?}", &script[..60]);
    }
    // Less deeply nested scripts are read.
    let fine = |open: &str, middle: &str, close: &str| open.repeat(90) + middle + &close.repeat(90);
    for script in
        [format!("x = {}", fine("(", "1", ")")), fine("do ", "", " end"), format!("x = {}", fine("{", "", "}"))]
    {
        assert!(said("fine.lua", script.as_str()).is_empty(), "{script}");
    }
}

#[test]
fn chains_of_variables_are_followed_to_a_bounded_depth() {
    let mut script = "local v0 = 1\n".to_owned();
    for at in 1..100 {
        writeln!(script, "local v{at} = v{}{}", at - 1, " + 1".repeat(900)).unwrap();
    }
    script.push_str("des.gold({ amount = v99 })\n");
    assert!(said("chain.lua", script.as_str()).is_empty());
    // A string that doubles on each line.
    let mut script = "local t0 = \"xxxxxxxxxxxxxxxx\"\n".to_owned();
    for at in 1..100 {
        writeln!(script, "local t{at} = t{0} .. t{0}", at - 1).unwrap();
    }
    script.push_str("des.message(t99)\n");
    assert!(said("double.lua", script.as_str()).is_empty());
    // Variables that are set to each other.
    assert!(said("round.lua", "a = b\nb = c\nc = a\ndes.message(a)\n").is_empty());
}

#[test]
fn large_scripts_are_read_in_one_pass() {
    // Quadratic time would not finish.
    let size = splc_tests::cases(2_000_000) as usize;
    let fill = |line: &str| line.repeat(size / line.len());
    let scripts = [
        fill("-- a comment\n"),
        fill("\n"),
        fill(")"),
        fill("]=]="),
        fill("x"),
        fill("\""),
        fill("\"a\\"),
        fill("!"),
        fill("\u{201c}"),
        fill("1"),
        fill("x = 1\n"),
        fill("des.object()\n"),
        fill("des.mnster(\"nwet\", { 1 })\n"),
        fill("local a, b, c\n"),
        fill("goto a\n"),
        fill("::a::\n"),
        fill("f(\n"),
        fill("end\n"),
        fill("}"),
        format!("x = {{ {} }}", fill("y = 1, ")),
        format!("des.monster({{ {} }})", fill("y = 1, ")),
        format!("x = [[{}", fill("]=")),
        format!("x = [===[{}", fill("]==")),
        format!("des.map([[{}]])", fill("x\n")),
        format!("x = \"{}\"", fill("a")),
        format!("--[[{}", fill("a]")),
    ];
    for script in &scripts {
        let script = lua::check(Input::new("large.lua", script.as_str()), &Options::default()).unwrap();
        assert!(script.diagnostics.iter().count() <= 3 * splc_ir::limits::MAX_DIAGNOSTICS);
    }
}

#[test]
fn other_files_are_not_scripts() {
    let code = |bytes: &[u8]| said("x.lua", bytes).first().map(|(_, code, _)| *code);
    assert_eq!(code(b"\x1bLua\x54\x00\x19\x93\r\n"), Some(Code::LuaCompiled));
    assert_eq!(code(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0"), Some(Code::Lexical));
    assert!(Input::new("(stdin)", &b"\x1bLua\x54"[..]).is_script());
    assert!(Input::new("(stdin)", "-- a level\ndes.map(\"x\")").is_script());
    assert!(!Input::new("(stdin)", "LEVEL: \"x\"\n").is_script());
    assert!(!Input::new("x.des", "-- a level\n").is_script());
}

#[test]
fn several_mistakes_are_reported_at_once() {
    let text = "des.monster({ id = \"newt\"\ndes.trap(\"pitt\")\nif true\n  des.object(\"applle\")\nend\nx = = 3\ndes.door(\"opn\", 1,1)\n";
    let found = said("several.lua", text);
    let errors: Vec<(usize, Code)> = found.iter().map(|(line, code, _)| (*line, *code)).collect();
    let expected = [
        (1, Code::Syntax),
        (2, Code::UnknownTrap),
        (3, Code::Syntax),
        (4, Code::UnknownObject),
        (6, Code::Syntax),
        (7, Code::LuaWord),
    ];
    assert_eq!(errors, expected, "{found:#?}");
}

#[test]
fn a_comment_allows_a_lint() {
    let text = "-- splc: allow(lua-key)\ndes.monster({ id = \"newt\", peacefull = 1 })\n";
    assert!(said("x.lua", text).is_empty());
    let script = lua::check(Input::new("x.lua", text.replace("lua-key", "lua-kye")), &Options::default()).unwrap();
    assert!(script.diagnostics.iter().any(|problem| problem.code == Code::UnknownLint));
    assert!(script.diagnostics.iter().all(|problem| problem.severity == Severity::Warning));
}

#[test]
fn a_script_may_add_functions_to_a_library() {
    let own = "function des.camp(x)\n  des.trap(\"pit\", x, 2)\nend\nfunction des:web()\n  des.trap(\"web\")\nend\n\
               des.monster = function(n) return n end\n";
    let calls = "des.camp(3)\ndes:web()\ndes.monster({ 1, 2, 3 }, 4)\n";
    let map = "des.map([[\n........\n........\n........\n]])\n";
    assert_eq!(said("x.lua", format!("{map}{own}{calls}")), []);
    assert!(said("x.lua", format!("{map}{calls}")).iter().any(|(.., message)| message == "des has no `camp`"));
}

#[test]
fn a_difference_of_numbers_is_a_limit() {
    let text = "local n = math.random(5 - 2) + math.random(2, 2) + d(2, 6) + math.random(nh.level_difficulty())\n\
                for i = 1, n do des.trap() end\n";
    assert_eq!(said("x.lua", text), []);
}

mod hostile {
    use splc_driver::{Input, NoIncludes, Options, load};
    use splc_vm::{Machine, Settings, SplitMix};

    /// Runs a level and returns its result.
    fn end(script: &str) -> Result<(), String> {
        let loaded = load(Input::new("x.lua", script), &Options::default(), &mut NoIncludes).unwrap();
        let Some(level) = loaded.levels.first() else {
            return Err(loaded.diagnostics.iter().map(|problem| problem.message.to_string()).collect());
        };
        let mut machine = Machine::new();
        // Lower limits than usual, to keep the test short.
        let settings = Settings { fuel: 2000, draws: 100_000, ..Settings::default() };
        let run = machine.run(&level.program, &settings, &mut SplitMix::new(1), &mut ());
        run.map(|_| ()).map_err(|problem| problem.to_string())
    }

    #[test]
    fn hostile_scripts_end_with_an_error() {
        let scripts = [
            "while true do end",
            "::again:: goto again",
            "local function f() return f() end f()",
            "local function f() f() f() end f()",
            "local function f() return 1 + f() end f()",
            "while true do pcall(function() while true do end end) end",
            "pcall(function() while true do end end) while true do end",
            "xpcall(function() while true do end end, function() while true do end end) while true do end",
            "local function f() pcall(f) f() end f()",
            "local w = coroutine.wrap(function() while true do coroutine.yield() end end) while true do w() end",
            "local function f() coroutine.wrap(f)() end f()",
            "coroutine.wrap(function() while true do end end)()",
            "local s = selection.area(0,0,70,20) s:iterate(function() s:iterate(function() s:iterate(function() end) end) end)",
            "local s = 'a' while true do s = s .. s end",
            "local s = ('a'):rep(1 << 40)",
            "local t = {} while true do t[#t + 1] = {} end",
            "local t = {} for i = 1, 1e6 do t[i] = ('x'):rep(1000) .. i end table.concat(t)",
            "string.format('%99999d', 1)",
            "local t = {} for i = 1, 1000 do t[i] = i % 7 end table.sort(t, function() return true end) while true do end",
            "('a'):rep(5000):find(('.*'):rep(20) .. 'b')",
            "('a'):rep(5000):gsub(('.-'):rep(20) .. 'b', '')",
            "('a'):rep(1000):gsub('', function() while true do end end)",
            "('a'):rep(100000):gsub('a', ('x'):rep(1000))",
            "for one in ('a'):rep(3000):gmatch(('a*'):rep(20) .. 'b') do end",
            "while true do des.object() end",
            "while true do des.monster() end",
            "while true do selection.new() end",
            "local s = selection.new() while true do s = s:negate() end",
            "local function f() des.object({ id = 'chest', contents = f }) end f()",
            "selection.negate():iterate(function() while true do end end)",
            "while true do nh.rn2(2) end",
            "print('out')",
            "os.exit(1)",
            "io.open('/etc/passwd')",
            "require('os')",
            "load('x = 1')()",
            "dofile('/etc/passwd')",
            "debug.getregistry()",
            "string.dump(print)",
            "getmetatable('').__index = nil",
            "setmetatable({}, {})",
            "local t = nil t.x = 1",
            "error('no')",
            "des.monster({ id = 'nobody at all' })",
            "u.role = 'Monk'",
            "coroutine.close(coroutine.running())",
            "utf8.char(1 << 40)",
            "table.unpack({}, 1, 1e8)",
            "select(-1)",
            "string.rep('a', 1e9, 'b')",
            "string.pack('s8', ('a'):rep(1 << 40))",
        ];
        for script in scripts {
            let ended = end(script);
            assert!(ended.is_err(), "{script} ends well");
            assert!(!ended.unwrap_err().trim().is_empty(), "{script}");
        }
        assert_eq!(end("\x1bLua"), Err("x.lua is compiled Lua".to_owned()));
    }

    #[test]
    fn levels_after_a_hostile_level_are_not_affected() {
        let fine =
            "des.level_init({ style = 'solidfill', fg = '.' })\nlocal s = ('abc'):gsub('b', 'x')\ndes.message(s)";
        assert_eq!(end(fine), Ok(()));
        assert!(end("string.rep = nil table.sort = nil pcall = nil while true do end").is_err());
        assert_eq!(end(fine), Ok(()));
    }
}

mod dungeon {
    use super::*;
    use splc_backends::dungeon::lua::print;
    use splc_frontends::dungeon::lua::parse;
    use splc_ir::catalog::Catalog;
    use splc_ir::diagnostic::Diagnostics;
    use splc_ir::dungeon::{Description, check};
    use splc_ir::source::SourceMap;

    fn read(text: &str) -> (Description, Vec<String>) {
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add("dungeon.lua", None, text.as_bytes().to_vec());
        let description = parse(&sources, file, &mut diagnostics);
        check::check(&description, Catalog::by_name("nethack-5.0.0").unwrap(), &mut diagnostics);
        (description, diagnostics.iter().map(|problem| problem.message.to_string()).collect())
    }

    /// Returns a description without its places.
    fn bare(description: &Description) -> String {
        splc_backends::dungeon::json::print(description, Catalog::by_name("nethack-5.0.0").unwrap())
    }

    #[test]
    #[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
    fn the_games_own_dungeon_is_read_and_written() {
        let text = fs::read_to_string(game("nethack-5.0.0").join("lua/dungeon.lua")).unwrap();
        let (description, reported) = read(&text);
        assert_eq!((description.dungeons.len(), reported), (9, vec![]));
        assert_eq!(description.dungeons[1].lua.filling.as_str(), "hellfill");
        let written = print(&description);
        let (again, reported) = read(&written);
        assert_eq!((bare(&again), reported), (bare(&description), vec![]));
        assert_eq!(print(&again), written);
    }

    #[test]
    fn mistakes_in_a_dungeon_are_reported() {
        let reported = |text: &str| read(text).1;
        assert_eq!(reported("dungeon = { { nam = \"A\", base = 3 } }")[0], "a dungeon has no key `nam`");
        assert_eq!(reported("dungeon = { { name = \"A\" } }")[0], "a dungeon needs the key `base`");
        assert_eq!(
            reported("dungeon = { { name = \"A\", base = 3, flags = \"mazlike\" } }"),
            ["unknown value \"mazlike\" for flags"]
        );
        assert_eq!(reported("dungeon = { { name = \"A\", base = 1 + 2 } }"), ["expected a number, found '1 + 2'"]);
        assert_eq!(reported("x = 1"), ["a dungeon script is read without running it", "no dungeon in this file"]);
        assert_eq!(reported("dungeon = { { name = \"A\", base = 3, range = -1, entry = -1 } }").len(), 1);
    }
}
