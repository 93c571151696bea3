//! Lua scripts of NetHack 5 ported to des-files: translated with their control flow, and verified.

use splc_driver::port::verify::{Translation, in_words};
use splc_driver::port::{Ported, port};
use splc_driver::{Input, NoIncludes, Options, Target, Wanted};
use splc_equivalence as equivalence;
use splc_equivalence::Verdict;
use splc_ir::catalog::Catalog;
use splc_ir::loadable::{Loadable, LuaLevel};
use splc_ir::source::FileId;
use splc_tests::reference::{self, files};
use splc_vm::{Machine, Prepared, Settings, SplitMix};

fn ported(text: &str, to: &str) -> Ported {
    ported_with(text, to, None)
}

fn ported_with(text: &str, to: &str, instantiate: Option<u64>) -> Ported {
    let options = Options { wanted: Wanted::default(), ..Options::default() };
    let to = Target::new(Catalog::by_name(to).unwrap(), options.wanted.abi()).unwrap();
    let requested = splc_port::Options { instantiate, ..splc_port::Options::default() };
    port(Input::new("x.lua", text), &options, to, &requested, &mut NoIncludes).unwrap()
}

fn des_file(text: &str, to: &str) -> String {
    let ported = ported(text, to);
    let problem = ported.diagnostics.iter().next().map(|problem| problem.message.to_string());
    let text = ported.written.text().unwrap_or_else(|| panic!("{problem:?}\n{text}"));
    String::from_utf8(text.to_vec()).unwrap()
}

/// Asserts that a port generates the same levels by the rules of NetHack 5.
fn assert_same(text: &str, to: &str) {
    let ported = ported(text, to);
    let options = equivalence::Options { seeds: 30, paths: 0, ..equivalence::Options::default() };
    let verified = ported.verify_translation(&options, |_| true);
    assert_eq!(verified.len(), 1, "{text}");
    for Translation { verdict, unnamed, .. } in verified {
        let same = matches!(verdict, Verdict::Proven(..) | Verdict::NotDecided(_));
        assert!(same || unnamed.is_empty(), "{to}: {}\n{text}", in_words(&verdict));
    }
}

const MAP: &str = "des.level_init({ style = \"solidfill\", fg = \" \" })\n\
                   des.level_flags(\"mazelevel\", \"noflip\")\n\
                   des.map([[\n.......\n.......\n.......\n]])\n";

/// Scripts with what des-files express, each with a line of its port to NetHack 3.6.
const LEVELS: &[(&str, &str)] = &[
    ("des.stair(\"up\", 1, 1)", "STAIR: (1,1), up"),
    // Random stairs are not on the floor of furniture, if there is any other.
    ("des.feature(\"sink\", 1, 1) des.ladder(\"up\")", "LADDER: random, up"),
    ("des.gold(-5, 1, 1)", "GOLD: (-1), (1,1)"),
    (
        "des.monster({ id = \"gnome lord\", x = 2, y = 1, peaceful = 0, asleep = true })",
        "\"gnome lord\"), (2,1), hostile",
    ),
    (
        "des.object({ id = \"chest\", x = 1, y = 1, contents = function() des.object(\"scroll of light\") end })",
        "CONTAINER",
    ),
    ("des.object({ id = \"statue\", x = 1, y = 1, historic = true })", "\"statue\"), (1,1), +1"),
    ("if percent(30) then des.trap(\"pit\", 1, 1) else des.trap(\"web\", 2, 2) end", "IF [30%]"),
    ("if math.random(0, 2) == 0 then des.feature(\"fountain\", 3, 1) end", "IF [1d3 == 1]"),
    ("for i = 1, 3 do des.object(\"!\") end", "LOOP [3]"),
    ("for i = 1, math.random(2, 4) do des.monster(\"a\") end", "LOOP [1d3 + 1]"),
    ("for i = 1, 3 do des.object(\"!\", i, i - 1) end", "OBJECT: '!', (2,1)"),
    (
        "local p = { {1,1}, {2,1}, {3,1} }\nshuffle(p)\ndes.stair(\"up\", p[1])\ndes.stair(\"down\", p[2])",
        "SHUFFLE: $p",
    ),
    ("local p = { {1,1}, {2,1} }\nlocal i = math.random(1, #p)\ndes.stair(\"up\", p[i])", "STAIR: $p["),
    (
        "local c = { \"!\", \"?\" }\nshuffle(c)\nfor i, class in ipairs(c) do des.object(class, i, 0) end",
        "OBJECT: $c[1], (2,0)",
    ),
    (
        "local function guard(x, y) des.monster(\"soldier\", x, y) end\nguard(1, 1)\nguard(2, 1)",
        "MONSTER: ('@', \"soldier\"), (2,1)",
    ),
    ("local n = 1\nif percent(50) then n = 2 end\ndes.object(\"!\", n, 0)", "IF [50%]"),
    (
        "local f = { function() des.trap(\"pit\", 1, 1) end, function() des.trap(\"web\", 2, 1) end }\n\
         f[math.random(1, #f)]()",
        "SWITCH",
    ),
    ("des.object({ id = percent(25) and \"dagger\" or \"arrow\", x = 1, y = 1 })", "IF [25%]"),
    ("local s = selection.area(0,0,3,2) & selection.area(2,0,6,2)\ndes.terrain(s, \"}\")", "TERRAIN"),
    (
        "local s = selection.new()\ns:set(1,1)\ns:set(3,1)\ndes.stair(\"up\", s:rndcoord(1))\n\
         des.stair(\"down\", s:rndcoord(1))",
        "SHUFFLE",
    ),
    (
        "des.replace_terrain({ region = {0,0,6,2}, fromterrain = \".\", toterrain = \"T\", chance = 20 })",
        "REPLACE_TERRAIN",
    ),
    ("des.region(selection.area(0,0,6,2), \"lit\")\ndes.non_diggable()", "NON_DIGGABLE: (0,0,6,2)"),
    ("des.altar({ x = 1, y = 1, align = align[1], type = \"altar\" })", "align[0]"),
    ("des.levregion({ region = {1,0,10,20}, region_islev = 1, type = \"branch\" })", "BRANCH"),
    ("des.teleport_region({ region = {1,0,10,20}, region_islev = 1, dir = \"down\" })", "TELEPORT_REGION"),
    ("selection.area(1,1,2,1):iterate(function(x, y) des.gold(10, x, y) end)", "GOLD: 10, (2,1)"),
    ("if percent(50) then return end\ndes.trap(\"pit\", 1, 1)", "IF [50%]"),
    (
        "if percent(40) then\n   t = { \"L\", \"T\" }\n   shuffle(t)\n   des.terrain(1, 1, t[1])\nend",
        "$t = terrain: { 'L', 'T' }",
    ),
    ("for i = 1, 2 do\n   local t = { i, 5 }\n   shuffle(t)\n   des.gold(t[1], i, 1)\nend", "$tb = { 2, 5 }"),
    (
        "local n = 1\nif percent(50) then n = 2 end\nlocal t = { n, 5 }\nshuffle(t)\n\
         for i = n, 2 do des.gold(t[1], i, 1) end",
        "$t = { 2, 5 }",
    ),
    ("des.mazewalk({ x = 1, y = 1, dir = \"west\", typ = \"#\" })", "west, true, '#'"),
    ("des.level_flags(\"corrmaze\")\ndes.mazewalk(1, 1, \"west\")", "west, true, '.'"),
    ("if percent(40) then nh.pline(\"You smell smoke.\") end", "MESSAGE: \"You smell smoke.\""),
    ("des.level_init({ style = \"solidfill\", fg = \".\", filling = \"T\", lit = 1 })", "solidfill, ('T', lit)"),
];

#[test]
fn scripts_become_des_files_with_their_control_flow() {
    for (script, expected) in LEVELS {
        let text = des_file(&format!("{MAP}{script}\n"), "nethack-3.6.7");
        assert!(text.contains(expected), "{script}\nhas no {expected}:\n{text}");
    }
}

#[test]
fn translated_scripts_generate_the_same_levels() {
    for (script, _) in LEVELS {
        let text = format!("{MAP}{script}\n");
        assert_same(&text, "nethack-3.6.7");
    }
}

#[test]
fn rooms_are_nested_and_comments_stay_with_their_statements() {
    let script = "-- The tavern.\ndes.room({ type = \"ordinary\", lit = 1, x = 3, y = 3,\n\
                  xalign = \"center\", yalign = \"center\",\n\
                  w = 11, h = 9, contents = function()\n   des.stair(\"up\")\n\
                  des.room({ type = \"shop\", x = 2, y = 2, w = 3, h = 3, contents = function()\n\
                  -- Its door.\n des.door({ state = \"locked\", wall = \"south\" }) end })\nend })\n\
                  des.room({ contents = function() des.stair(\"down\") end })\ndes.random_corridors()\n";
    let text = des_file(script, "unnethack-6.0.4");
    assert!(text.contains("# The tavern.\nROOM: \"ordinary\", lit, (3,3), (center,center), (11,9) {"), "{text}");
    assert!(text.contains("SUBROOM: \"shop\""), "{text}");
    assert!(text.contains("# Its door.\n    ROOMDOOR: false, locked, south, random"), "{text}");
    assert_same(script, "unnethack-6.0.4");
}

#[test]
fn comments_at_the_top_are_above_the_level() {
    let text = format!("-- The vault\n--\n-- by Ann\n\n{MAP}-- A heading\ndes.stair(\"up\", 1, 1)\n");
    let port = des_file(&text, "nethack-3.6.7");
    assert!(port.starts_with("# The vault\n#\n# by Ann\n\nLEVEL: \"x\"\n"), "{port}");
    assert!(port.contains("# A heading\nSTAIR:"), "{port}");
}

#[test]
fn a_statement_that_is_written_for_each_value_keeps_its_notes() {
    let text = format!(
        "{MAP}for i = 1, math.random(1, 3) do\n\
         des.monster({{ id = \"newt\", m_lev_adj = (i == 1) and 3 or 0 }})\nend\n"
    );
    let ported = ported(&text, "nethack-3.6.7");
    let notes: Vec<&str> = ported.diagnostics.iter().map(|problem| problem.message.text()).collect();
    assert_eq!(notes, ["a des-file has no counterpart for the key `m_lev_adj`"]);
    // Without the key, both values make the same monster.
    assert!(!des_file(&text, "nethack-3.6.7").contains("IF"));
}

#[test]
fn what_has_no_counterpart_is_an_error_with_its_place() {
    let cases = [
        ("local b = selection.match(\".\"):bounds()\ndes.object(\"!\", b.lx, b.ly)", "cannot look at the squares"),
        ("des.level_init({ style = \"swamp\" })", "no level_init of the style swamp"),
        ("local n = math.random(1, 100)\ndes.object({ id = \"dagger\", name = \"no. \" .. n })", "cannot combine"),
        ("local i = 0\nwhile percent(50) do i = i + 1 end", "depend on each other"),
    ];
    for (script, expected) in cases {
        let ported = ported(&format!("{MAP}{script}\n"), "nethack-3.6.7");
        let problem = ported.diagnostics.iter().find(|problem| problem.code.as_str() == "E0803");
        let problem = problem.unwrap_or_else(|| panic!("{script}: {:?}", ported.diagnostics.iter().next()));
        assert!(problem.message.text().contains(expected), "{script}: {}", problem.message);
        assert!(problem.span.is_some_and(|span| !span.is_nowhere()), "{script}");
        assert!(ported.written.text().is_none());
    }
}

/// A script without a counterpart is ported as the run with the seed of `--instantiate` made it, and whatever has a
/// counterpart stays as it is.
#[test]
fn a_run_decides_what_has_no_counterpart() {
    let script = format!(
        "{MAP}local n = math.random(1, 1000)\ndes.engraving({{ coord = {{ 1, 1 }}, type = \"burn\", text = \"no. \" .. n }})\n\
         local i = 0\nwhile i < 7 and percent(70) do\n   des.gold(i + 1, i, 2)\n   i = i + 1\nend\n"
    );
    let level = LuaLevel { name: "x".into(), text: script.as_str().into(), file: FileId(0) };
    let prepared = Prepared::load(Loadable::Lua(level), Catalog::by_name("nethack-5.0.0").unwrap()).unwrap();
    let mut texts = Vec::new();
    for seed in 1..=8 {
        let text = |to| {
            let ported = ported_with(&script, to, Some(seed));
            let problem = ported.diagnostics.iter().next().map(|problem| problem.message.to_string());
            let text = ported.written.text().unwrap_or_else(|| panic!("{to} {seed}: {problem:?}"));
            String::from_utf8(text.to_vec()).unwrap()
        };
        let (scripted, listed) = (text("nethack-3.6.7"), text("nethack-3.4.3"));
        let mut machine = Machine::new();
        let run = machine.run(&prepared, &Settings::default(), &mut SplitMix::new(seed), &mut ()).unwrap();
        let written = format!("\"{}\"", run.text(run.engravings()[0].text));
        let amounts = run.gold().len();
        for text in [&scripted, &listed] {
            assert!(text.contains(&written), "{seed}: no {written} in\n{text}");
            assert_eq!(text.matches("GOLD").count(), amounts, "{seed}:\n{text}");
        }
        texts.push(scripted);
    }
    texts.sort();
    texts.dedup();
    assert!(texts.len() > 4, "{texts:#?}");
    // Without a need for it, the seed changes nothing.
    let plain = format!("{MAP}if percent(30) then des.trap(\"pit\", 1, 1) end\n");
    assert_eq!(
        ported_with(&plain, "nethack-3.6.7", Some(3)).written.text(),
        ported(&plain, "nethack-3.6.7").written.text()
    );
}

#[test]
fn a_script_of_many_draws_ends_in_bounded_time() {
    let draws: String = (0..40).map(|at| format!("local n{at} = 0\nif percent(50) then n{at} = 1 end\n")).collect();
    let sum = (0..40).map(|at| format!("n{at}")).collect::<Vec<_>>().join(" + ");
    let ported = ported(&format!("{MAP}{draws}des.gold({sum}, 1, 1)\n"), "nethack-3.6.7");
    assert!(ported.diagnostics.has_errors());
}

#[test]
fn a_script_that_grows_ends_with_an_error() {
    let long = "percent(50) and percent(50)";
    let branches: String = (0..26).map(|at| format!("elseif {long} then des.trap(\"pit\", {at}, 1)\n")).collect();
    let branches = format!("if {long} then des.trap(\"web\")\n{branches}end");
    let sum = vec!["math.random(3)"; 90].join(" + ");
    let cases = [
        "local s = \"xxxxxxxxxxxxxxxx\"\nfor i = 1, 40 do s = s .. s end\ndes.message(s)",
        &branches,
        "local t, i = {}, 0\nwhile i < 40000 do table.insert(t, 1) i = i + 1 end",
        "local t = { x = math.random(3) }\nfor i = 1, 60 do t = { x = t.x + t.x } end\ndes.gold(t.x, 1, 1)",
        "local t = { x = selection.fillrect(1,1,2,2):percentage(50) }\nfor i = 1, 60 do t = { x = t.x | t.x } end",
        "local t = { x = percent(50) }\nfor i = 1, 60 do t = { x = t.x and t.x } end",
        "local i = 0\nwhile true do i = i + 1 end",
        "while true do selection.area(0,0,60,20):rndcoord(1) end",
        "local s = selection.new()\nwhile true do s:set(math.random(40), math.random(20)) end",
        "local function f() des.trap() f() f() end\nf()",
        &format!("des.gold({sum}, 1, 1)"),
        &format!("local t = {{ {} }}\nwhile true do local u = t[1] end", "1,".repeat(20_000)),
    ];
    for script in cases {
        let ported = ported(&format!("{MAP}{script}\n"), "nethack-3.6.7");
        let start: String = script.chars().take(80).collect();
        assert!(
            ported.diagnostics.iter().any(|problem| problem.code.as_str() == "E0803"),
            "{start}: {:?}",
            ported.diagnostics.iter().next().map(|problem| problem.message.to_string())
        );
    }
}

#[test]
fn numbers_of_any_size_are_refused_or_translated() {
    let (least, most) = (i64::MIN, i64::MAX);
    let numbers = [least, least + 1, i64::from(i32::MIN), -1, 0, 1, i64::from(i32::MAX), most - 1, most];
    let statements = [
        "for i = N, M do des.trap() end",
        "for i = N, M, -1 do des.trap(\"pit\", i, 1) end",
        "for i = N, math.random(3, 9) do des.trap() end",
        "des.gold(math.random(N, M), 1, 1)",
        "des.gold(math.random(3) - N, 1, 1)",
        "des.gold(math.random(3) * N + M, 1, 1)",
        "local t = { 1, 2 }\nt[N] = M",
        "des.gold(d(N, M), nh.rn2(N), nh.random(N, M))",
        "des.monster({ x = N, y = M, align = align[N] })",
        "if math.random(3) + N == M then des.trap() end",
        "des.map({ map = \"..\\n..\", x = N, y = M })\ndes.region(selection.area(N,N,M,M), \"lit\")",
        "des.map(\"\\n\\n\\n\")\ndes.region(selection.area(0,0,N,M), \"lit\")",
        "des.non_diggable(selection.area(N,M,1,1))",
        "for x = 1, 2 do f = d(2, N) // d(2, M) end",
    ];
    let text =
        |number: i64| if number == least { "(-9223372036854775807 - 1)".to_owned() } else { format!("({number})") };
    for statement in statements {
        for one in numbers {
            for other in [least, 0, 3, most] {
                let script = statement.replace('N', &text(one)).replace('M', &text(other));
                let ported = ported(&format!("{MAP}{script}\n"), "nethack-3.6.7");
                assert!(ported.diagnostics.has_errors() || ported.written.text().is_some(), "{script}");
            }
        }
    }
}

/// Ports the shipped levels of NetHack 5. With `SPLC_MEASURE_SEEDS`, each is verified and reported.
#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn shipped_levels_are_translated() {
    let folder = reference::game("nethack-5.0.0").join("lua");
    let seeds: u64 = std::env::var("SPLC_MEASURE_SEEDS").map_or(0, |seeds| seeds.parse().expect("a number"));
    let to = std::env::var("SPLC_MEASURE_TO").unwrap_or_else(|_| "nethack-3.6.7".to_owned());
    let only = std::env::var("SPLC_MEASURE_LEVELS").unwrap_or_default();
    let (mut translated, mut not) = (0, Vec::new());
    for path in files(&folder, ".lua") {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        if splc_lua::NOT_LEVELS.contains(&stem.as_str()) || !stem.contains(&only) {
            continue;
        }
        let ported = ported(&std::fs::read_to_string(&path).unwrap(), &to);
        if ported.written.text().is_none() {
            let problem = ported.diagnostics.iter().next().map(|problem| problem.message.to_string());
            not.push(format!("{stem}: {problem:?}"));
            continue;
        }
        translated += 1;
        if seeds == 0 {
            continue;
        }
        let options = equivalence::Options { seeds, paths: 0, ..equivalence::Options::default() };
        for Translation { verdict, unnamed, named, .. } in ported.verify_translation(&options, |_| true) {
            let same = matches!(verdict, Verdict::Proven(..) | Verdict::NotDecided(_));
            match unnamed.first() {
                Some(fact) => println!("UNNAMED {stem}: {fact}: {}", in_words(&verdict)),
                None if same => println!("SAME {stem}"),
                None => {
                    println!("NAMED {stem}: {:?}", named.first().map(|(fact, note)| (fact.to_string(), &note.what)))
                }
            }
        }
    }
    if only.is_empty() && to == "nethack-3.6.7" {
        assert!(translated >= SHIPPED, "{translated}: {not:#?}");
    }
}

/// Shipped levels of NetHack 5 that are translated to NetHack 3.6 with their control flow.
const SHIPPED: usize = 111;
