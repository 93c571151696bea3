//! Levels of other games as Lua scripts of NetHack 5: they are equivalent, and run there.

use std::collections::BTreeMap;
use std::path::Path;

use splc_driver::port::verify::{Drawn, SideBySide, Translation, in_words};
use splc_driver::port::{Ported, port};
use splc_driver::{Input, Options, Target, Wanted, lua as lua_script};
use splc_equivalence as equivalence;
use splc_equivalence::Verdict;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Severity;
use splc_ir::loadable::{Loadable, LuaLevel};
use splc_ir::source::FileId;
use splc_tests::reference::{self, files};
use splc_tests::{Beside, GAMES, cases};
use splc_vm::{Machine, Prepared, Progress, Rng, Settings, SplitMix};

/// Number of seeds on which a level and its port are compared draw for draw.
const SEEDS: u64 = 30;

/// The same, for many large levels.
const FEW_SEEDS: u64 = 5;

/// Number of runs of each level if their draws differ.
const LEVELS: u64 = 200;

/// Returns the value of an environment variable as a number.
fn number_or(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).map_or(usual, |value| value.parse().expect("the variable is a number"))
}

fn lua() -> &'static Catalog {
    Catalog::by_name("nethack-5.0.0").unwrap()
}

fn ported(path: &Path, from: &str) -> Ported {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let input = Input { name, place: Some(path.to_path_buf()), bytes: std::fs::read(path).unwrap() };
    port_of(input, from)
}

fn port_of(input: Input, from: &str) -> Ported {
    let wanted = Wanted { catalog: Catalog::by_name(from).map(Into::into), ..Wanted::default() };
    let options = Options { wanted, ..Options::default() };
    let to = Target::new(lua(), options.wanted.abi()).unwrap();
    port(input, &options, to, &splc_port::Options::default(), &mut Beside).unwrap()
}

/// Returns the script of the only level of a des-file.
fn script(text: &str, from: &str) -> String {
    let ported = port_of(Input::new("x.des", text), from);
    let [script] = <[_; 1]>::try_from(ported.written.scripts().to_vec())
        .unwrap_or_else(|_| panic!("{:?}", ported.diagnostics.iter().next()));
    String::from_utf8(script.text).unwrap()
}

/// The results for the levels of a folder of des-files.
#[derive(Debug, Default)]
struct Found {
    levels: usize,
    /// Levels that are the same as their source, draw for draw, in the loader of their own game.
    same: usize,
    /// Levels that take other draws, but show no difference in their finished levels.
    alike: Vec<String>,
    /// Levels that differ, with the difference named in the account.
    named: Vec<String>,
    /// Levels that differ without a note in the account.
    silent: Vec<String>,
    /// Levels that NetHack 5 cannot run.
    broken: Vec<String>,
}

/// Compares all levels of a folder with their ports on `seeds` seeds. Levels whose draws differ are also compared by
/// `levels` runs of each, unless that is 0.
fn look(folder: &Path, from: &str, seeds: u64, levels: u64) -> Found {
    // If there are few paths of draws, all are tried, which takes long for a script.
    let paths = 1000;
    let options = equivalence::Options { seeds, paths, ..equivalence::Options::default() };
    let until = equivalence::Until::Seeds;
    let counted = equivalence::Options { seeds: levels, paths, until, ..equivalence::Options::default() };
    let mut found = Found::default();
    let mut machine = Machine::new();
    for path in files(folder, ".des") {
        let ported = ported(&path, from);
        for script in ported.written.scripts() {
            let text = String::from_utf8_lossy(&script.text).into_owned();
            let level = LuaLevel { name: script.level.as_str().into(), text: text.into(), file: FileId(0) };
            match Prepared::load(Loadable::Lua(level), lua()) {
                Err(error) => found.broken.push(format!("{}: {error}", script.level)),
                Ok(prepared) => {
                    for seed in 1..=3 {
                        let run = machine.run(&prepared, &Settings::default(), &mut SplitMix::new(seed), &mut ());
                        if let Err(error) = run {
                            found.broken.push(format!("{} {seed}: {error}", script.level));
                            break;
                        }
                    }
                }
            }
        }
        let mut partings = BTreeMap::new();
        for SideBySide { level, made } in ported.translations(&options) {
            found.levels += 1;
            match made {
                Ok(Drawn::Alike(_)) => found.same += 1,
                Ok(Drawn::Otherwise { words, named: true }) => found.named.push(format!("{level}: {words}")),
                Ok(Drawn::Otherwise { words, named: false }) => {
                    partings.insert(level, words);
                }
                Err(error) => found.silent.push(format!("{level}: {error}")),
            }
        }
        if levels == 0 {
            found.alike.extend(partings.into_iter().map(|(level, words)| format!("{level}: {words}")));
            continue;
        }
        for translation in ported.verify_translation(&counted, |level| partings.contains_key(level)) {
            let Translation { level, verdict, unnamed, .. } = translation;
            let parting = partings.get(&level).map_or("", String::as_str);
            let line = format!("{level}: {}; {parting}", in_words(&verdict));
            match (verdict, unnamed.first()) {
                (Verdict::Proven(..) | Verdict::NotDecided(_), _) => found.alike.push(line),
                (Verdict::Different(_), None) => found.named.push(line),
                (Verdict::Different(_), Some(fact)) => found.silent.push(format!("{level}: {fact}; {parting}")),
            }
        }
    }
    println!("{from}: {:?} of {} levels, {} do not run", found.counts(), found.levels, found.broken.len());
    let Found { alike, named, silent, broken, .. } = &found;
    for (what, lines) in [("alike", alike), ("named", named), ("silent", silent), ("broken", broken)] {
        lines.iter().for_each(|line| println!("  {what}: {line}"));
    }
    found
}

impl Found {
    /// Returns the numbers of levels that are the same draw for draw, are alike, differ with a note, and differ without
    /// one.
    fn counts(&self) -> [usize; 4] {
        [self.same, self.alike.len(), self.named.len(), self.silent.len()]
    }
}

/// Returns the row of the game `title` in the table of translations to NetHack 5: the number of levels, and their
/// results.
fn row(title: &str) -> (usize, [usize; 4]) {
    let page = std::fs::read_to_string(splc_tests::workspace().join("docs/reference/record.md")).unwrap();
    let (_, table) = page.split_once("## Translations to NetHack 5").expect("the heading of the table");
    let row = table.lines().find(|line| line.starts_with(&format!("| {title} |"))).expect("a row of the game");
    let cells: Vec<usize> = row.split('|').filter_map(|cell| cell.trim().parse().ok()).collect();
    let [levels, counts @ ..] = cells.as_slice() else { panic!("{row}") };
    (*levels, counts.try_into().expect("four numbers behind that of the levels"))
}

/// Checks that the results for a game are those on the page, and that the levels run by the rules of NetHack 5.
fn assert_results_match_the_page(game: &str, title: &str, seeds: u64) {
    let found = look(&reference::game(game).join("des"), game, seeds, LEVELS);
    assert!(found.broken.is_empty(), "{:#?}", found.broken);
    assert_eq!((found.levels, found.counts()), row(title), "{:#?}\n{:#?}", found.alike, found.silent);
    assert!(found.silent.is_empty(), "{:#?}", found.silent);
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn levels_of_nethack_367_are_the_same_draw_for_draw() {
    assert_results_match_the_page("nethack-3.6.7", "NetHack 3.6.7", SEEDS);
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn levels_of_nethack_343_are_the_same_draw_for_draw() {
    assert_results_match_the_page("nethack-3.4.3", "NetHack 3.4.3", SEEDS);
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn levels_of_sporkhack_differ_only_as_noted() {
    assert_results_match_the_page("sporkhack-0.7.0", "SporkHack 0.7.0", FEW_SEEDS);
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn levels_of_unnethack_run() {
    let found = look(&reference::game("unnethack-6.0.4").join("des"), "unnethack-6.0.4", 1, 0);
    assert_eq!((found.levels, found.broken.len()), (305, 0), "{:#?}", found.broken);
}

/// Compares the levels of another folder: `SPLC_LUA_PORTS=FOLDER` with `SPLC_LUA_PORTS_FROM=nethack-3.6.7-nle`, for
/// example those of MiniHack. `SPLC_LUA_PORT_SEEDS` is the number of seeds, and `SPLC_LUA_PORT_LEVELS` the number of
/// runs of levels whose draws differ.
#[test]
#[ignore = "needs a folder of des-files"]
fn levels_of_a_folder_are_the_same_draw_for_draw() {
    let folder = std::env::var_os("SPLC_LUA_PORTS").expect("SPLC_LUA_PORTS is not set");
    let from = std::env::var("SPLC_LUA_PORTS_FROM").unwrap_or_else(|_| "nethack-3.6.7".to_owned());
    let (seeds, levels) = (number_or("SPLC_LUA_PORT_SEEDS", SEEDS), number_or("SPLC_LUA_PORT_LEVELS", LEVELS));
    let found = look(Path::new(&folder), &from, seeds, levels);
    assert!(found.levels > 0 && found.silent.is_empty(), "{:#?}", found.silent);
}

/// The effect of each rule in which the loader of NetHack 5 differs from that of the source: the number of levels of a
/// game that it changes, and of those that become different levels. `SPLC_LUA_PORT_SEEDS` is the number of runs of
/// each.
#[test]
#[ignore = "a long run: every level of two games, rule by rule"]
fn every_difference_belongs_to_a_rule() {
    let seeds = number_or("SPLC_LUA_PORT_SEEDS", 10_000);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let options = equivalence::Options { seeds, threads, ..equivalence::Options::default() };
    let wanted = std::env::var("SPLC_LUA_PORTS_FROM").ok();
    for game in ["nethack-3.4.3", "nethack-3.6.7"] {
        if wanted.as_deref().is_some_and(|wanted| wanted != game) {
            continue;
        }
        let mut rules: BTreeMap<String, [usize; 2]> = BTreeMap::new();
        let (mut levels, mut untouched, mut changed) = (0, 0, 0);
        for path in files(&reference::game(game).join("des"), ".des") {
            for verified in ported(&path, game).verify(&options, &Progress::default()) {
                print!("{game} {}\n{}", verified.level, verified.in_words());
                levels += 1;
                let differs = matches!(verified.games, Verdict::Different(_));
                changed += usize::from(differs);
                untouched += usize::from(verified.rules.is_empty());
                assert!(!differs || !verified.rules.is_empty(), "{} differs by no rule", verified.level);
                for touch in &verified.rules {
                    let counts = rules.entry(touch.rule.clone()).or_default();
                    counts[0] += 1;
                    counts[1] += usize::from(matches!(touch.change, Verdict::Different(_)));
                }
            }
        }
        println!("{game}, {seeds} levels of each: {levels}, {untouched} untouched, {changed} different");
        for (rule, [touched, changed]) in rules {
            println!("| `{rule}` | {touched} | {changed} |");
        }
    }
}

/// NetHack 5 can run the ports of all levels of the corpora, and our own `check` reports no errors in them.
#[test]
fn levels_of_the_corpora_run() {
    let options = Options { wanted: Wanted { catalog: Some(lua().into()), ..Wanted::default() }, ..Options::default() };
    let mut machine = Machine::new();
    let mut problems = Vec::new();
    for (folder, game) in GAMES {
        for path in files(&splc_tests::corpus(folder), ".des") {
            for script in ported(&path, game).written.scripts() {
                let text = String::from_utf8_lossy(&script.text).into_owned();
                let input = Input::new(format!("{}.lua", script.level), text.as_str());
                let checked = lua_script::check(input, &options).unwrap();
                let found = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
                problems.extend(found.map(|found| format!("{game} {}: {}", script.level, found.message)));
                let level = LuaLevel { name: script.level.as_str().into(), text: text.into(), file: FileId(0) };
                let prepared = Prepared::load(Loadable::Lua(level), lua()).unwrap();
                let mut run =
                    |seed| machine.run(&prepared, &Settings::default(), &mut SplitMix::new(seed), &mut ()).err();
                problems.extend((1..=10).find_map(&mut run).map(|error| format!("{game} {}: {error}", script.level)));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// A FUNCTION is placed so that Lua knows it at each call: at the top, with all functions that it calls, if it is in a
/// block or belongs to an earlier level.
#[test]
fn functions_are_placed_before_their_calls() {
    let text = "LEVEL: \"x\"\nNOMAP\nFUNCTION one() {\n  GOLD: 1, random\n}\nFUNCTION two() {\n  GOLD: 2, random\n}\n\
                LOOP [2] {\n  FUNCTION three() {\n    one()\n  }\n  two()\n}\nthree()\nLEVEL: \"y\"\nNOMAP\nthree()\n";
    let ported = port_of(Input::new("x.des", text), "unnethack-6.0.4");
    let texts: Vec<String> =
        ported.written.scripts().iter().map(|script| String::from_utf8(script.text.clone()).unwrap()).collect();
    let [x, y] = texts.try_into().unwrap();
    let order = |text: &str, names: &[&str]| {
        let places: Vec<usize> =
            names.iter().map(|name| text.find(name).unwrap_or_else(|| panic!("{name} is not in\n{text}"))).collect();
        assert!(places.is_sorted(), "{names:?} in\n{text}");
    };
    order(&x, &["local function one", "local function three", "\nlocal function two", "for i = 1, 2", "\nthree()"]);
    order(&y, &["local function one", "local function three", "\nthree()"]);
    assert!(!y.contains("two") && x.matches("function").count() == 3, "{x}\n{y}");
}

/// Four equal statements in a row are a loop, unless a comment or a line is between them. The account still has the
/// line of each. A loop around them keeps its variable.
#[test]
fn equal_statements_in_a_row_are_a_loop() {
    let trap = "TRAP: random, random\n";
    let text = format!(
        "LEVEL: \"x\"\nFLAGS: noflip\nGEOMETRY: left, top\nMAP\n....\n....\nENDMAP\n{}# three more\n{}GOLD: 5, (1,1)\n\
         FOR $i = 1 TO 2 {{\n{}}}\nSTAIR: (0,0), up\n",
        trap.repeat(5),
        trap.repeat(3),
        "GOLD: $i, random\n".repeat(4),
    );
    let ported = port_of(Input::new("x.des", text.as_str()), "unnethack-6.0.4");
    let script = String::from_utf8(ported.written.scripts()[0].text.clone()).unwrap();
    let three = "des.trap()\n".repeat(3);
    let expected = format!("for i = 1, 5 do\n   des.trap()\nend\n-- three more\n{three}des.gold(5, 1, 1)\nfor ");
    assert!(script.contains(&expected), "{script}");
    assert_eq!(script.matches("des.gold({ amount = ").count(), 4, "{script}");
    let lines: Vec<&str> = script.lines().collect();
    let written: Vec<&str> = ported.lines.iter().map(|&line| lines[line - 1].trim()).collect();
    assert_eq!(written.iter().filter(|line| **line == "des.trap()").count(), 8, "{written:?}\n{script}");
    assert_eq!(written.last(), Some(&"des.stair(\"up\", 0, 0)"), "{script}");
}

/// An exclusion is written where it excludes a square of the region, and in a Wizard's Tower, where the game reads it.
#[test]
fn exclusions_of_nothing_are_left_out() {
    for (name, region, is_written) in [
        ("x", "TELEPORT_REGION: (1,1,3,1), (0,0,0,0), down", false),
        ("x", "TELEPORT_REGION: (1,1,3,1), (3,1,4,1), down", true),
        ("x", "TELEPORT_REGION: levregion(1,1,3,3), (0,0,0,0), down", true),
        ("x", "BRANCH: (0,0,3,1), (0,0,0,0)", true),
        ("wizard1", "TELEPORT_REGION: (1,1,3,1), (0,0,0,0), down", true),
    ] {
        let text = format!("MAZE: \"{name}\", ' '\nGEOMETRY: left, top\nMAP\n.....\n.....\nENDMAP\n{region}\n");
        let script = script(&text, "nethack-3.6.7");
        assert_eq!(script.contains("exclude"), is_written, "{name}: {region}\n{script}");
    }
}

/// Mistakes that are easily made when porting by hand, because they are silent.
#[test]
fn required_keys_are_written() {
    let level = "MAZE: \"x\", ' '\nGEOMETRY: left, top\nMAP\n|...|\n|.}.|\nENDMAP\n";
    for (statement, says) in [
        ("", "des.level_init({ style = \"solidfill\", fg = \" \", lit = 0 })"),
        ("", "des.level_flags(\"mazelevel\", \"noflip\")"),
        ("", "des.map({ halign = \"left\", valign = \"top\", map = [[\n|...|\n|.}.|\n]] })"),
        ("MONSTER: ('G', \"gnome lord\"), (1,0)", "des.monster(\"gnome leader\", 1, 0)"),
        ("MONSTER: ('&', \"succubus\"), random", "des.monster(\"succubus\")"),
        (
            "MONSTER: ('@', \"aligned priest\"), (1,0), hostile, asleep",
            "{ id = \"aligned cleric\", x = 1, y = 0, peaceful = 0, asleep = 1 }",
        ),
        ("OBJECT: ('+', \"light\"), (1,0)", "des.object(\"spellbook of light\", 1, 0)"),
        ("OBJECT: ('/', \"striking\"), random", "des.object(\"wand of striking\")"),
        ("OBJECT: ('[', \"helm of brilliance\"), random", "des.object(\"helm of brilliance\")"),
        ("REGION: (0,0,4,1), lit, \"zoo\"", "{ region = { 0, 0, 4, 1 }, lit = 1, type = \"zoo\", filled = 1 }"),
        ("REGION: (0,0,4,1), unlit, \"temple\", unfilled", "type = \"temple\", filled = 2 }"),
        ("REGION: (0,0,4,1), random, \"ordinary\"", "des.region({ region = { 0, 0, 4, 1 }, type = \"ordinary\" })"),
        ("TELEPORT_REGION: (0,0,4,1), (0,0,0,0)", "{ region = { 0, 0, 4, 1 }, exclude = { 0, 0, 0, 0 } }"),
        ("BRANCH: levregion(1,0,9,9), (0,0,0,0)", "   region_islev = 1,\n   exclude = { 0, 0, 0, 0 },\n"),
        ("OBJECT: ('`', \"statue\"), (1,0), montype:'C', 3", "montype = \"C\", historic = 1, male = 1 })"),
        (
            "FOUNTAIN: random",
            "selection.iterate(selection.set(selection.new()), function(x, y) des.feature(\"fountain\", x, y) end)",
        ),
        (
            "$a = { (1,0), (2,0) }\nSHUFFLE: $a\nTRAP: \"pit\", $a[1]",
            "local a = { { x = 1, y = 0 }, { x = 2, y = 0 } }\nshuffle(a)\ndes.trap(\"pit\", a[2])",
        ),
        ("GOLD: 2d6, (1,0)", "des.gold(d(2, 6), 1, 0)"),
        (
            "DOOR: closed, (4,9)",
            "selection.iterate(selection.set(selection.new(), 4, 9), function(x, y) des.door(\"closed\", x, y) end)",
        ),
        ("# a note\nSTAIR: (1,0), up", "-- a note\ndes.stair(\"up\", 1, 0)"),
    ] {
        let script = script(&format!("{level}{statement}\n"), "nethack-3.6.7");
        assert!(script.contains(says), "{statement}:\n{script}");
    }
    // A map that is placed by numbers counts from column 1 in a des-file.
    let script = script("LEVEL: \"x\"\nGEOMETRY: (3,4)\nMAP\n..\nENDMAP\n", "nethack-3.6.7");
    assert!(script.contains("des.map({ x = 4, y = 4, map = [["), "{script}");
}

#[test]
fn doors_of_rooms_may_be_in_several_walls() {
    let text = "LEVEL: \"x\"\nROOM: \"ordinary\", lit, random, random, random {\n  ROOMDOOR: false, closed, north|west, random\n  \
                ROOMDOOR: true, locked, east, 2\n}\n";
    let script = script(text, "nethack-3.6.7");
    assert!(script.contains("wall = ({ \"north\", \"west\" })[math.random(2)]"), "{script}");
    assert!(script.contains("des.door({ state = \"secret\", wall = \"east\", pos = 2 })"), "{script}");
}

/// BREAK, cases that fall through, EXIT within a function, and variables that outlive their block.
#[test]
fn control_flow_is_translated_to_lua() {
    let text = "FUNCTION leave($n: int) {\n  IF [$n > 2] {\n    EXIT\n  }\n  TRAP: \"pit\", random\n}\nLEVEL: \"x\"\nNOMAP\n\
                SWITCH [3] {\nCASE 0:\n$b = 1\nBREAK\nCASE 1:\nCASE 2:\n  IF [50%] {\n    BREAK\n  }\n  $b = 2\n}\n\
                FOR $i = 1 TO 3 {\n  leave($i)\n}\nGOLD: $b, random\n";
    let script = script(text, "unnethack-6.0.4");
    for part in [
        "local function leave(n)\n   if n > 2 then\n      finished = true\n      return\n   end\n   des.trap(\"pit\")\nend",
        "choice_1 == 1 or choice_1 == 2",
        "until true",
        "for i = 1, 3 do\n   leave(i)\n   if finished then return end\nend",
        "des.gold({ amount = b })",
    ] {
        assert!(script.contains(part), "{part}\nis not in\n{script}");
    }
    let level = LuaLevel { name: "x".into(), text: script.as_str().into(), file: FileId(0) };
    let prepared = Prepared::load(Loadable::Lua(level), lua()).unwrap();
    let run = Machine::new().run(&prepared, &Settings::default(), &mut SplitMix::new(1), &mut ()).map(|_| ());
    assert!(run.is_ok(), "{run:?}\n{script}");
}

/// A portal to a level that NetHack 5's dungeon lacks would crash the game, so it is dropped. It is kept if the user's
/// dungeon has the level, or a table gives another destination.
#[test]
fn portals_lead_to_existing_levels() {
    let text = "LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n.....\nENDMAP\nPORTAL: (0,0,1,0), (3,0,3,0), \"fire\"\n\
                IF [50%] {\n  PORTAL: (1,0,2,0), (3,0,3,0), \"random_plane\"\n}\nSTAIR: (4,0), up\n";
    let wanted = Wanted { catalog: Catalog::by_name("unnethack-6.0.4").map(Into::into), ..Wanted::default() };
    let options = Options { wanted, ..Options::default() };
    let ported = |to: Target, stand_ins: &str| {
        let mut requested = splc_port::Options::default();
        requested.stand_ins.add(stand_ins).unwrap();
        let ported = port(Input::new("x.des", text), &options, to, &requested, &mut Beside).unwrap();
        let script = String::from_utf8(ported.written.scripts()[0].text.clone()).unwrap();
        let reported: Vec<String> = ported.diagnostics.iter().map(|reported| reported.message.to_string()).collect();
        (script, reported.join("\n"))
    };
    let to = || Target::new(lua(), options.wanted.abi()).unwrap();
    let (script, reported) = ported(to(), "schema = 1\n");
    assert!(script.contains("name = \"fire\"") && !script.contains("random_plane"), "{script}");
    assert!(reported.contains("the dungeon of NetHack 5.0.0 has no level \"random_plane\""), "{reported}");

    let (script, reported) = ported(to(), "schema = 1\nportal = { random_plane = [\"moon\", \"air\"] }\n");
    assert!(script.contains("name = \"air\""), "{script}");
    assert!(reported.contains("the portal leads to \"air\""), "{reported}");

    let description = {
        let text = "dungeon = { { name = \"Top\", base = 3, levels = { { name = \"random_plane\", base = 1 } } } }\n";
        let mut sources = splc_ir::source::SourceMap::new();
        let file = sources.add("my.lua", None, text.as_bytes().to_vec());
        splc_frontends::dungeon::lua::parse(&sources, file, &mut splc_ir::diagnostic::Diagnostics::new())
    };
    let own = splc_driver::OtherDungeon { name: "my.lua".to_owned(), description };
    let (script, reported) = ported(to().in_dungeon(&own), "schema = 1\n");
    assert!(script.contains("name = \"random_plane\"") && !script.contains("\"fire\""), "{script}");
    assert!(reported.contains("the dungeon of my.lua has no level \"fire\""), "{reported}");
}

/// A drawbridge without a place, or in the first column of a map, has no Lua equivalent. It is dropped, but not its
/// level.
#[test]
fn inexpressible_drawbridges_are_dropped_alone() {
    for place in ["random", "(0,1)"] {
        let text = format!(
            "LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n.}}.\n.}}.\nENDMAP\nDRAWBRIDGE: {place}, east, closed\nDRAWBRIDGE: (1,1), east, open\n"
        );
        let ported = port_of(Input::new("x.des", text), "nethack-3.6.7");
        assert!(!ported.diagnostics.has_errors(), "{place}: {:?}", ported.diagnostics);
        let script = String::from_utf8(ported.written.scripts()[0].text.clone()).unwrap();
        assert_eq!(script.matches("des.drawbridge").count(), 1, "{script}");
        let reported: Vec<&str> = ported.diagnostics.iter().map(|reported| reported.message.text()).collect();
        assert!(
            reported.iter().any(|reported| reported.contains("a DRAWBRIDGE at a random place, or in column 0")),
            "{reported:?}"
        );
    }
}

/// An index past the end of an array wraps around in des-files; in Lua, the element is nil.
/// An amount below -1 is that of the depth in des-files, like 0, and another random one in NetHack 5.
#[test]
fn negative_amounts_of_gold_keep_their_meaning() {
    for (amount, expected) in
        [("-5", "des.gold(0, 1, 1)"), ("3 - 7", "des.gold(0, 1, 1)"), ("-1", "des.gold((-1), 1, 1)")]
    {
        let said = script(&format!("LEVEL: \"x\"\nNOMAP\nGOLD: ({amount}), (1,1)\n"), "unnethack-6.0.4");
        assert!(said.contains(expected), "{amount}: {said}");
    }
    let computed = "LEVEL: \"x\"\nNOMAP\n$n = 3 - 1d9\nGOLD: $n, (1,1)\n";
    let ported = port_of(Input::new("x.des", computed), "unnethack-6.0.4");
    let mut notes = ported.account.levels().flat_map(|level| level.all_notes());
    assert!(notes.any(|note| note.what.starts_with("an amount below -1 is")), "{:?}", ported.account);
}

#[test]
fn indices_wrap_around() {
    let text = "LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n...\nENDMAP\n$a = { (0,0), (1,0) }\nFOR $n = 0 TO 1 {\n  TRAP: \"pit\", $a[$n]\n}\n\
                FOR $m = 0 TO 2 {\n  TRAP: \"web\", $a[$m]\n}\nTRAP: \"arrow\", $a[3]\nGOLD: 5, $a[1d2]\n";
    let script = script(text, "nethack-3.6.7");
    for says in ["\"pit\", a[n + 1])", "\"web\", a[m % #a + 1])", "\"arrow\", a[2])", "a[d(1, 2) % #a + 1])"] {
        assert!(script.contains(says), "{says}:\n{script}");
    }
    let options = equivalence::Options { seeds: cases(SEEDS as u32).into(), ..equivalence::Options::default() };
    for SideBySide { made, .. } in port_of(Input::new("x.des", text), "nethack-3.6.7").translations(&options) {
        assert!(matches!(made, Ok(Drawn::Alike(_))), "{made:?}\n{script}");
    }
}

/// The loaders of des-files choose a random place if a selection is empty (`get_location`), as they do for a random
/// place in a variable. NetHack 5 fails on both, or treats the door as a room's door, so its selections draw the place.
/// A drawbridge cannot be drawn, and is checked.
#[test]
fn possibly_random_squares_are_drawn_by_selections() {
    let port = |game: &str, body: &str, compare: bool| {
        let text = format!("LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n|.+.|\n|...|\nENDMAP\n{body}");
        let ported = port_of(Input::new("x.des", text.as_str()), game);
        let script = script(&text, game);
        let options = equivalence::Options { seeds: cases(SEEDS as u32).into(), ..equivalence::Options::default() };
        for SideBySide { made, .. } in ported.translations(&options) {
            assert!(!compare || matches!(made, Ok(Drawn::Alike(_))), "{game}: {made:?}\n{script}");
        }
        let level = LuaLevel { name: "x".into(), text: script.as_str().into(), file: FileId(0) };
        let prepared = Prepared::load(Loadable::Lua(level), lua()).unwrap();
        for seed in 0..cases(SEEDS as u32).into() {
            let run =
                Machine::new().run(&prepared, &Settings::default(), &mut SplitMix::new(seed), &mut ()).map(|_| ());
            assert!(run.is_ok(), "{run:?}\n{script}");
        }
        script
    };
    let nowhere = "rndcoord(filter(fillrect (0,0,4,0), fillrect (0,1,4,1)))";
    let sometimes = "rndcoord(filter(20%, fillrect (0,0,4,1)))";
    let statements =
        "DOOR: open, *\nDOOR: random, *\nTERRAIN: *, 'T'\nTERRAIN: *, ('.', lit)\nFOUNTAIN: *\nGOLD: 10, *\n";
    for place in [nowhere, sometimes] {
        // SporkHack has them only here.
        port("sporkhack-0.7.0", &"TERRAIN: *, 'T'\nGOLD: 10, *\n".replace('*', place), true);
        for game in ["nethack-3.6.7", "unnethack-6.0.4"] {
            port(game, &statements.replace('*', place), true);
            port(game, &format!("$a = {place}\n{}", statements.replace('*', "$a")), true);
        }
    }
    // A selection of one square takes a draw, too, so the draws for a maze are others.
    port("nethack-3.6.7", &format!("MAZEWALK: {nowhere}, east\n"), false);
    let script = port("nethack-3.6.7", &format!("$a = {nowhere}\nDRAWBRIDGE: $a, east, open\n"), false);
    assert!(script.contains("if a.x > 0 and a.y >= 0 then\n   des.drawbridge("), "{script}");
    let drawn = "$a = { random, (2,0) }\nDOOR: open, $a[0]\nTERRAIN: $a[1d2], 'T'\nMAZEWALK: $a[0], east\n";
    let script = port("nethack-3.6.7", drawn, false);
    assert!(
        script.contains("(selection.set(selection.new(), a[1].x, a[1].y),\n   function(x, y) des.door("),
        "{script}"
    );
    // A draw is taken only once.
    assert_eq!(script.matches("d(1, 2)").count(), 1, "{script}");
    // Nothing is added if there is always a square.
    let certain = "$a = { (1,1), (2,0) }\nDOOR: open, $a[1d2]\nDOOR: closed, rndcoord(fillrect (1,1,3,1))\n";
    let script = port("nethack-3.6.7", certain, true);
    assert!(!script.contains("if ") && !script.contains("iterate"), "{script}");
}

/// A function of Lua has no more than 200 locals.
#[test]
fn a_level_may_have_any_number_of_variables() {
    let functions: String =
        (0..100).map(|number| format!("FUNCTION f{number}() {{\n  TRAP: \"pit\", random\n}}\n")).collect();
    let calls: String = (0..100).map(|number| format!("f{number}()\n")).collect();
    let doors: String =
        (0..150).map(|column| format!("$v{column} = {column}\nDOOR: random, ({},0)\n", column % 70)).collect();
    let array = (0..100).map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
    let map = "+".repeat(70);
    let text = format!(
        "{functions}LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n{map}\nENDMAP\n{doors}$a = {{ {array} }}\n{calls}"
    );
    let script = script(&text, "unnethack-6.0.4");
    let level = LuaLevel { name: "x".into(), text: script.as_str().into(), file: FileId(0) };
    let prepared = Prepared::load(Loadable::Lua(level), lua()).unwrap();
    let run = Machine::new().run(&prepared, &Settings::default(), &mut SplitMix::new(1), &mut ()).map(|_| ());
    assert!(run.is_ok(), "{run:?}\n{script}");
}

/// NetHack 5 crashes at a level region whose corners are swapped.
#[test]
fn corners_of_level_regions_are_sorted() {
    let text = "LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n.....\n.....\nENDMAP\nBRANCH: (3,1,1,0), (0,0,0,0)\nSTAIR: (1,0,3,1), (0,0,0,0), up\n";
    let ported = port_of(Input::new("x.des", text), "nethack-3.6.7");
    let script = String::from_utf8(ported.written.scripts()[0].text.clone()).unwrap();
    assert_eq!(script.matches("region = { 1, 0, 3, 1 }").count(), 2, "{script}");
    let reported: Vec<&str> = ported.diagnostics.iter().map(|reported| reported.message.text()).collect();
    assert!(reported.iter().filter(|reported| reported.contains("corners of its region")).count() == 1, "{reported:?}");
}

/// Random text of a source stays text, whatever it contains: ends of lines, of strings and of comments, control
/// characters, bytes that are not UTF-8. Lua itself judges: a run makes what the statements say, and nothing else.
#[test]
fn text_never_becomes_code() {
    const PIECES: [&[u8]; 17] = [
        b"\r",
        b"\r\r",
        b"]]",
        b"--[[",
        b"[[",
        b"]=]",
        b"--",
        b"'",
        b"\\",
        b"\\\\",
        b"\x1a",
        b"\x0b",
        b"\x80\xff",
        b"\xc3\xa9",
        b"{ } #",
        b"x",
        b" ",
    ];
    /// Code that makes an object, in Lua and in des-files.
    const CODE: [&[u8]; 2] = [b" des.object('boulder', 0, 0) ", b" OBJECT: ('`', 'boulder'), (0,0) "];
    // A comment may also contain quotes, and a text line feeds. A file with NUL is not a des-file.
    const IN_COMMENT: [&[u8]; 1] = [b"\""];
    const IN_TEXT: [&[u8]; 1] = [b"\n"];
    let mut dice = SplitMix::new(26);
    let mut text = |more: &[&[u8]]| -> Vec<u8> {
        let all: Vec<&[u8]> = PIECES.iter().chain(&CODE).chain(more).copied().collect();
        let count = dice.below(8);
        (0..count).flat_map(|_| all[dice.below(all.len() as u32) as usize].to_vec()).collect()
    };
    for game in ["unnethack-6.0.4", "sporkhack-0.7.0", "nethack-3.6.7", "nethack-3.4.3"] {
        let is_list = game == "nethack-3.4.3";
        for _ in 0..60 {
            let comments: Vec<Vec<u8>> = (0..4).map(|_| [b"#", text(&IN_COMMENT).as_slice()].concat()).collect();
            let says = text(&IN_TEXT);
            let mut bytes = if is_list { b"MAZE:\"x\",' '\n".to_vec() } else { b"LEVEL:\"x\"\n".to_vec() };
            let engraving = [b"ENGRAVING:(1,0),burn,\"".as_slice(), &says, b"\""].concat();
            let statements: [&[u8]; 4] =
                [b"GEOMETRY:center,center\nMAP\n..\nENDMAP", b"FOUNTAIN:(0,0)", &engraving, b""];
            for (comment, statement) in comments.iter().zip(statements) {
                bytes.extend([comment, b"\n".as_slice(), statement, b"\n"].concat());
            }
            let shown = String::from_utf8_lossy(&bytes).into_owned();
            for (_, to) in GAMES.iter().filter(|(_, to)| *to != game) {
                let to = Target::new(Catalog::by_name(to).unwrap(), Wanted::default().abi()).unwrap();
                let wanted = Wanted { catalog: Catalog::by_name(game).map(Into::into), ..Wanted::default() };
                let options = Options { wanted, ..Options::default() };
                let input = Input { name: "x.des".into(), place: None, bytes: bytes.clone() };
                let made = port(input, &options, to, &splc_port::Options::default(), &mut Beside).unwrap();
                assert!(!made.diagnostics.has_errors(), "{:?}\n{shown:?}", made.diagnostics.iter().next());
                // The text was read back, so the statements are those of the level.
                let text = String::from_utf8_lossy(made.written.text().unwrap()).into_owned();
                assert!(!text.split('\n').any(|line| line.starts_with("OBJECT")) || says.contains(&b'\n'), "{text}");
                assert!(!text.contains(['\r', '\0']) || says.contains(&b'\r'), "{text:?}");
            }
            let made = port_of(Input { name: "x.des".into(), place: None, bytes: bytes.clone() }, game);
            let [script] = made.written.scripts() else { panic!("{:?}\n{shown:?}", made.diagnostics.iter().next()) };
            let text = String::from_utf8_lossy(&script.text).into_owned();
            let level = LuaLevel { name: "x".into(), text: text.clone().into(), file: FileId(0) };
            let prepared =
                Prepared::load(Loadable::Lua(level), lua()).unwrap_or_else(|error| panic!("{error}\n{text:?}"));
            let mut machine = Machine::new();
            let level = machine.run(&prepared, &Settings::default(), &mut SplitMix::new(1), &mut ());
            let level = level.unwrap_or_else(|error| panic!("{error}\n{text:?}"));
            assert!(level.objects.is_empty() && level.engravings.len() == 1, "{text:?}");
            assert_eq!(level.text(level.engravings[0].text), String::from_utf8_lossy(&says), "{text:?}");
        }
    }
}

/// A level file does not show parentheses: they are added where a source needs them.
#[test]
fn sums_in_products_keep_their_parentheses() {
    let text = "LEVEL: \"x\"\n$n = (1 + 2) * 3\nLOOP [$n] {\n  GOLD: 1, random\n}\n";
    let game = "unnethack-6.0.4";
    let wanted = Wanted { catalog: Catalog::by_name(game).map(Into::into), ..Wanted::default() };
    let options = Options { wanted, ..Options::default() };
    let compiled =
        splc_driver::compile(Input::new("x.des", text), &splc_driver::output::LEVEL_FILE, options.clone(), &mut Beside);
    let level = compiled.unwrap().made.files.remove(0).bytes;
    let port_to = |to: &str| {
        let to = Target::new(Catalog::by_name(to).unwrap(), options.wanted.abi()).unwrap();
        let input = Input { name: "x.lev".into(), place: None, bytes: level.clone() };
        port(input, &options, to, &splc_port::Options::default(), &mut Beside).unwrap()
    };
    for to in [game, "nethack-3.6.7"] {
        let made = port_to(to);
        let text = String::from_utf8_lossy(made.written.text().expect("it is ported")).into_owned();
        assert!(text.contains("$n = (1 + 2) * 3\n"), "{text}");
    }
    let script = String::from_utf8(port_to("nethack-5.0.0").written.scripts()[0].text.clone()).unwrap();
    assert!(script.contains("n = (1 + 2) * 3\n"), "{script}");
}

/// A function that calls itself is an error of the source, as when it is compiled.
#[test]
fn recursive_functions_are_reported() {
    let text = "LEVEL: \"x\"\nFUNCTION f() {\n  IF [50%] {\n    f()\n  }\n}\nf()\n";
    for game in ["unnethack-6.0.4", "sporkhack-0.7.0"] {
        let made = port_of(Input::new("x.des", text), game);
        assert_eq!(made.diagnostics.iter().map(|problem| problem.code.as_str()).collect::<Vec<_>>(), ["E0105"]);
        assert!(made.written.scripts().is_empty());
    }
}

/// The notice of the authors and the comments of a FUNCTION are in every script that is made of the file.
#[test]
fn every_script_has_the_notice_and_its_comments() {
    let text = "# Copyright (c) 1990 by A. Author\n# NetHack may be freely redistributed.  See license for details.\n#\n\
                # Two levels.\n\n# digs\nFUNCTION dig() {\n  # a pit\n  TRAP: \"pit\", random\n  # dug\n}\n\n# The first.\n\
                LEVEL: \"one\"\ndig()\n# end of one\n\n# The second.\nLEVEL: \"two\"\ndig()\n\
                LOOP [2] {\n  # twice\n  GOLD: 1, random\n}\n# end of two\n";
    let ported = port_of(Input::new("x.des", text), "unnethack-6.0.4");
    let texts: Vec<String> =
        ported.written.scripts().iter().map(|script| String::from_utf8(script.text.clone()).unwrap()).collect();
    let function = "\n-- digs\nlocal function dig()\n   -- a pit\n   des.trap(\"pit\")\n   -- dug\nend\n";
    for text in &texts {
        let notice =
            "-- Copyright (c) 1990 by A. Author\n-- NetHack may be freely redistributed.  See license for details.\n";
        assert!(text.starts_with(notice) && text.contains(function), "{text}");
    }
    let [one, two] = texts.try_into().unwrap();
    assert!(one.contains("-- Two levels.\n\n-- The first.\n") && one.contains("dig()\n-- end of one\n"), "{one}");
    assert!(!one.contains("second") && !two.contains("first") && !two.contains("end of one"), "{one}\n{two}");
    assert!(two.contains("-- The second.\n") && two.contains("for i = 1, 2 do\n   -- twice\n   des.gold"), "{two}");
    assert!(two.ends_with("end\n-- end of two\n"), "{two}");
}

/// Lines of scripts have at most 100 columns: a long table has a key a line, and other code breaks after commas and
/// before operators, never in a string. A `return` at the end of a block needs no block of its own, a count that is at
/// least 1 no maximum, and nothing is negated twice.
#[test]
fn scripts_are_written_as_by_hand() {
    let long = "long, and longer | ".repeat(7);
    let text = format!(
        "LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n....\n....\nENDMAP\nENGRAVING: (0,0), burn, \"{long}\"\nLOOP [4 + 2d5] {{\n  GOLD: 1, random\n}}\n\
         MONSTER: ('@', \"human\"), (1,1), hostile, asleep, female, cancelled, m_object \"boulder\", \"Someone\"\n\
         $a = object: {{ '[', ')', '*', '%', '?', '!', '=', '/', '\\\"', '+', '(', '$', '`', '0', '_' }}\nIF [50%] {{\n  EXIT\n}}\n"
    );
    let script = script(&text, "nethack-3.6.7");
    assert!(script.lines().all(|line| line.chars().count() <= 100 || line.contains(&long)), "{script}");
    assert!(script.contains("for i = 1, 4 + d(2, 5) do"), "{script}");
    assert!(script.contains("   peaceful = 0,\n   asleep = 1,\n") && script.contains("\n})\n"), "{script}");
    assert!(script.contains("then\n   return\nend") && script.contains(&long), "{script}");
    let level = LuaLevel { name: "x".into(), text: script.as_str().into(), file: FileId(0) };
    assert!(Prepared::load(Loadable::Lua(level), lua()).is_ok(), "{script}");
}

/// A comment has the name that a stand-in replaces, and nothing unique replaces what is common.
#[test]
fn stand_ins_name_the_original() {
    let script = script("LEVEL: \"x\"\nNOMAP\nMONSTER: ('@', \"prison guard\"), random\n", "unnethack-6.0.4");
    assert!(script.contains("-- was: prison guard\ndes.monster(\"soldier\")\n"), "{script}");
    for game in ["unnethack-6.0.4", "sporkhack-0.7.0"] {
        let common =
            Catalog::by_name(game).unwrap().monsters.iter().filter(|kind| kind.class == '@' || kind.class == 'D');
        let common = common.filter(|kind| kind.name.chars().next().is_some_and(char::is_lowercase));
        let monsters: String =
            common.map(|kind| format!("MONSTER: ('{}', \"{}\"), random\n", kind.class, kind.name)).collect();
        let script = self::script(&format!("LEVEL: \"x\"\nNOMAP\n{monsters}"), game);
        for (was, is) in script.lines().zip(script.lines().skip(1)).filter(|(was, _)| was.contains("was: ")) {
            for special in ["Oracle", "shopkeeper", "\"guard\"", "Medusa", "Chromatic", "Ixoth", "cleric"] {
                assert!(!is.contains(special), "{was}\n{is}");
            }
        }
    }
}
