//! Levels of each game, ported to the others: the result compiles, prints and reads back the same.

use std::collections::BTreeMap;

use splc_backends::des;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::check::check;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::lacks::{Node, lacks};
use splc_ir::level::Module;
use splc_ir::source::SourceMap;
use splc_ir::visit::says_the_same;
use splc_port::{Effect, Options, Outcome, Verdict, Version, port};
use splc_tests::reference::{self, files};
use splc_tests::{Beside, GAMES, SCRIPTS};

fn catalog(name: &str) -> &'static Catalog {
    Catalog::by_name(name).unwrap()
}

/// Reads the text of a des-file, with its diagnostics.
fn read(bytes: Vec<u8>, name: &str, catalog: &Catalog) -> (Module, Diagnostics, SourceMap) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, Some(name.into()), bytes);
    let mut diagnostics = Diagnostics::new();
    let mut module = splc_frontends::parse(&mut sources, file, catalog, &mut Beside, &mut diagnostics);
    check(&mut module, catalog, &mut diagnostics);
    (module, diagnostics, sources)
}

/// Returns the mistake in a port, if any.
fn mistake(module: &Module, to: &Catalog, name: &str) -> Option<String> {
    let mut module = module.clone();
    if let Some(lack) = lacks(Node::Module(&module), to).first() {
        return Some(format!("{name}: {:?}", lack.construct));
    }
    let mut diagnostics = Diagnostics::new();
    check(&mut module, to, &mut diagnostics);
    if let Some(first) =
        diagnostics.iter().find(|diagnostic| diagnostic.severity == splc_ir::diagnostic::Severity::Error)
    {
        return Some(format!("{name}: {first:?}"));
    }
    if to.format == Format::Lua {
        return match splc_backends::lua::print(&module, to) {
            Ok(printed) => {
                (printed.scripts.len() != module.levels().count()).then(|| format!("{name}: scripts are missing"))
            }
            Err(problems) => Some(format!("{name}: {problems:?}")),
        };
    }
    let text = match des::print(&module, to) {
        Ok(text) => text,
        Err(problems) => return Some(format!("{name}: {problems:?}")),
    };
    let mut bytes = Vec::new();
    module.charset.encode_into(&text, &mut bytes);
    let (again, diagnostics, sources) = read(bytes, "ported.des", to);
    if diagnostics.has_errors() {
        let first = diagnostics.iter().next().unwrap();
        let line = first.span.map(|span| sources.line_column(span.file, span.start).0);
        let line = line.and_then(|line| text.lines().nth(line - 1)).unwrap_or("");
        return Some(format!("{name}: {}: {line}", first.message));
    }
    if !says_the_same(&module, &again) {
        return Some(format!("{name}: reads back otherwise\n{text}"));
    }
    None
}

/// Numbers of levels by the result of their port.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    whole: usize,
    changed: usize,
    not: usize,
}

/// Ports every des-file of a game, and counts its levels.
fn count(from: &str, to: &str) -> Counts {
    count_with(from, to, &Options::default())
}

fn count_with(from: &str, to: &str, options: &Options) -> Counts {
    let (from, to) = (catalog(from), catalog(to));
    let mut counts = Counts::default();
    let mut wrong = Vec::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for path in files(&reference::game(&from.name).join("des"), ".des") {
        let name = path.display().to_string();
        let (module, diagnostics, _) = read(std::fs::read(&path).unwrap(), &name, from);
        if diagnostics.has_errors() {
            continue;
        }
        // Instantiating may require a run of the level.
        let (module, account) = if options.instantiate.is_some() {
            let ported = ported_with(&name, std::fs::read(&path).unwrap(), Some(path), from, &to.name, options);
            (ported.module, ported.account)
        } else {
            let ported = port(&module, from, to, options);
            (ported.module, ported.account)
        };
        for level in account.levels() {
            match level.verdict {
                Verdict::Whole => counts.whole += 1,
                Verdict::WithChanges => counts.changed += 1,
                Verdict::NotAtAll => counts.not += 1,
            }
            for note in level.all_notes().filter(|note| note.effect.is_change()) {
                *reasons.entry(format!("{} {:?}: {}", note.pass, note.effect, note.what)).or_default() += 1;
            }
            for entry in &level.entries {
                assert!(
                    entry.outcome == Outcome::Lost || !entry.results.is_empty() || !entry.notes.is_empty(),
                    "{name}: {entry:?} is gone without a word"
                );
            }
        }
        wrong.extend(mistake(&module, to, &name));
    }
    println!("{} to {}: {counts:?}", from.name, to.name);
    if std::env::var_os("SPLC_PORT_REASONS").is_some() {
        for (reason, count) in &reasons {
            println!("  {count} {reason}");
        }
    }
    assert!(wrong.is_empty(), "{} files, the first: {}", wrong.len(), wrong[0]);
    counts
}

/// Returns the table on the page about ports, by source and target game.
fn table() -> BTreeMap<(String, String), Counts> {
    let page = std::fs::read_to_string(splc_tests::workspace().join("docs/reference/port-table.md")).unwrap();
    let rows = page.lines().skip_while(|line| !line.starts_with("| levels of | to |")).skip(2);
    let cells = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<String>>());
    cells
        .map(|cells| {
            let number = |at: usize| cells[at].parse::<usize>().unwrap();
            let counts = Counts { whole: number(3), changed: number(4), not: number(5) };
            assert_eq!(number(2), counts.whole + counts.changed + counts.not, "{cells:?}");
            ((cells[0].clone(), cells[1].clone()), counts)
        })
        .collect()
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn ports_match_the_table() {
    let by_title = |title: &str| {
        splc_ir::catalog::ALL
            .iter()
            .find(|catalog| catalog.title == title)
            .unwrap_or_else(|| panic!("{title}"))
            .name
            .as_ref()
    };
    let table = table();
    assert!(table.len() >= 8, "{table:?}");
    let mut wrong = Vec::new();
    for ((from, to), said) in &table {
        let (to, instantiate) = match to.split_once(", `--instantiate ") {
            None => (to.as_str(), None),
            Some((to, seed)) => (to, Some(seed.trim_end_matches('`').parse().unwrap())),
        };
        let found = count_with(by_title(from), by_title(to), &Options { instantiate, ..Options::default() });
        if found != *said {
            wrong.push(format!("from {from} to {to}: {found:?}, but the table says {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn every_level_of_nethack_343_is_ported_completely_or_with_named_stand_ins() {
    for to in ["unnethack-6.0.4", "sporkhack-0.7.0", "nethack-3.6.7"] {
        let counts = count("nethack-3.4.3", to);
        assert_eq!((counts.whole + counts.changed, counts.not), (113, 0));
    }
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn some_scripts_can_be_ported_to_nethack_343() {
    for (from, levels) in [("unnethack-6.0.4", 305), ("sporkhack-0.7.0", 162), ("nethack-3.6.7", 120)] {
        let counts = count(from, "nethack-3.4.3");
        assert_eq!(counts.whole + counts.changed + counts.not, levels, "{from}");
        assert!(counts.whole > 0 && counts.changed > 0 && counts.not > 0, "{from}: {counts:?}");
    }
}

/// Instantiated levels can be ported in more cases, are as good, and are the same for the same seed.
#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn instantiated_levels_are_ported_to_nethack_343() {
    for from in ["unnethack-6.0.4", "sporkhack-0.7.0", "nethack-3.6.7"] {
        let plain = count(from, "nethack-3.4.3");
        for seed in 1..=3 {
            let options = Options { instantiate: Some(seed), ..Options::default() };
            let resolved = count_with(from, "nethack-3.4.3", &options);
            assert!(resolved.not == 0 && plain.not > 0, "{from}: {resolved:?}");
            assert_eq!(resolved, count_with(from, "nethack-3.4.3", &options));
        }
    }
}

/// Instantiating resolves counts and choices. Chances that lists support stay chances.
#[test]
fn instantiating_resolves_chances_that_lists_lack() {
    let text = "LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n.....\nENDMAP\n[30%]: MONSTER: 'a', (1,0)\n\
        LOOP [1d4] {\nTRAP: \"pit\", random\n}\nIF [50%] {\nFOUNTAIN: (2,0)\n} ELSE {\nSTAIR: (3,0), up\n}\n";
    let from = catalog("nethack-3.6.7");
    let (module, diagnostics, _) = read(text.into(), "x.des", from);
    assert!(!diagnostics.has_errors());
    let to = catalog("nethack-3.4.3");
    assert!(port(&module, from, to, &Options::default()).diagnostics.has_errors());
    let (mut traps, mut fountains) = ([0; 5], 0);
    for seed in 0..400 {
        let options =
            Options { instantiate: Some(seed), version: Some(Version { number: 2, of: 2 }), ..Options::default() };
        let ported = port(&module, from, to, &options);
        let printed = des::print(&ported.module, to).unwrap();
        assert!(printed.contains("MAZE:\"x-2\"") && printed.contains("MONSTER[30%]:'a',random,(1,0)"), "{printed}");
        traps[printed.matches("TRAP:").count()] += 1;
        let is_fountain = printed.contains("FOUNTAIN:");
        fountains += usize::from(is_fountain);
        assert_ne!(is_fountain, printed.contains("STAIR:"), "{printed}");
    }
    // Five standard deviations.
    assert!(traps[0] == 0 && traps[1..].iter().all(|count| (57..=143).contains(count)), "{traps:?}");
    assert!((150..=250).contains(&fountains), "{fountains}");
}

/// Values that depend on the running level are taken from one run. The account has each statement with its result.
#[test]
fn values_of_the_running_level_come_from_a_run() {
    use Outcome::{Changed, Kept};
    let text = "LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n.......\n.|-.-|.\n.......\nENDMAP\n$place = (1,0)\n\
                REPLACE_TERRAIN: (0,0,6,2), '-', 'L', 50%\n$dry = selection: filter('.', fillrect(0,0,6,2))\nLOOP [3] {\n  \
                OBJECT: '%', rndcoord($dry)\n}\nMONSTER: 'a', $place\nTRAP: \"pit\", random\nIF [level.depth > 50] {\n  \
                STAIR: (0,0), up\n} ELSE {\n  STAIR: (0,0), down\n}\n";
    let (from, to) = (catalog("unnethack-6.0.4"), catalog("nethack-3.4.3"));
    let mut levels = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let requested = Options { instantiate: Some(seed), ..Options::default() };
        let ported = ported_with("x.des", text.into(), None, from, "nethack-3.4.3", &requested);
        let said =
            String::from_utf8(ported.written.text().unwrap_or_else(|| panic!("{:?}", ported.diagnostics)).into())
                .unwrap();
        assert_eq!(mistake(&ported.module, to, "x"), None);
        assert!(said.contains("MONSTER:'a',random,(1,0)\n") && said.contains("TRAP:\"pit\",random\n"), "{said}");
        assert!(said.contains("STAIR:(0,0),down\n") && !said.contains(",up\n"), "{said}");
        assert_eq!(said.matches("OBJECT:'%',random,(").count(), 3, "{said}");
        let outcomes: Vec<(&str, Outcome)> =
            ported.account.sections[0].entries.iter().map(|entry| (entry.word, entry.outcome)).collect();
        let monster = outcomes.iter().find(|(word, _)| *word == "MONSTER");
        let trap = outcomes.iter().find(|(word, _)| *word == "TRAP");
        assert_eq!((monster.unwrap().1, trap.unwrap().1), (Changed, Kept), "{outcomes:?}");
        assert_eq!(ported.account.sections[0].verdict, Verdict::WithChanges);
        levels.insert(said);
    }
    assert!(levels.len() > 10, "{}", levels.len());
    // Trees on every square that can be reached.
    let text = "LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n..---..\n..|.|..\n..---..\nENDMAP\nTERRAIN: floodfill(0,0), 'T'\n";
    let requested = Options { instantiate: Some(1), ..Options::default() };
    let ported = ported_with("x.des", text.into(), None, catalog("nethack-3.6.7"), "nethack-3.4.3", &requested);
    let said = String::from_utf8(ported.written.text().unwrap().into()).unwrap();
    assert!(said.contains("MAP\nTT---..\nTT|.|..\nTT---..\nENDMAP\n"), "{said}");
}

/// Runs the level of a text with a seed.
fn made(text: &[u8], catalog: &'static Catalog, seed: u64) -> splc_vm::Level {
    let wanted = splc_driver::Wanted { catalog: Some(catalog.into()), ..splc_driver::Wanted::default() };
    let options = splc_driver::Options { wanted, ..splc_driver::Options::default() };
    let input = splc_driver::Input { name: "x.des".into(), place: None, bytes: text.to_vec() };
    let mut levels = splc_driver::levels(input, &options, &mut Beside).unwrap().levels;
    let level = splc_vm::Prepared::load(levels.remove(0), catalog).unwrap();
    let settings = splc_vm::Settings::default();
    splc_vm::Machine::new().run(&level, &settings, &mut splc_vm::SplitMix::new(seed), &mut ()).unwrap().clone()
}

/// Caves, terrain before and outside the map, transparent squares, a mazewalk that is not stocked, and the block of a
/// REGION are ported to lists from one run: every square that a map of 3.4.3 covers, and every place.
#[test]
fn a_run_is_copied_square_by_square() {
    let text = "LEVEL: \"x\"\nINIT_MAP: mines, '.', ' ', true, true, lit, true\n\
                TERRAIN: filter(30%, fillrect(0,0,78,20)), '}'\nGEOMETRY: center, center\nMAP\n\
                xxxxxxxxxxxxx\nx-----------x\nx|.........|x\nx|.........|x\nx|.........|x\nx-----------x\n\
                xxxxxxxxxxxxx\nENDMAP\nREPLACE_TERRAIN: (3,2,10,4), '.', 'P', 20%\n\
                TERRAIN: filter(50%, fillrect(14,0,20,6)), 'L'\n\
                REGION: (2,2,10,4), unlit, \"ordinary\", unfilled {\n  ROOMDOOR: true, closed, north|south, random\n  \
                LOOP [4] {\n    MONSTER: 'a', random\n  }\n  OBJECT: '%', random\n  TRAP: \"bear\", (0,1)\n}\n\
                DOOR: locked, (11,3)\n";
    const LAST_COLUMN: i32 = 78;
    for from in ["nethack-3.6.7", "sporkhack-0.7.0"] {
        for seed in 0..30 {
            let requested = Options { instantiate: Some(seed), ..Options::default() };
            let ported = ported_with("x.des", text.into(), None, catalog(from), "nethack-3.4.3", &requested);
            let said = ported.written.text().unwrap_or_else(|| panic!("{from}, {seed}: {:?}", ported.diagnostics));
            let before = made(text.as_bytes(), catalog(from), seed);
            for again in 1..=2 {
                let after = made(said, catalog("nethack-3.4.3"), again);
                for (x, y) in (0..21).flat_map(|y| (1..=LAST_COLUMN).map(move |x| (x, y))) {
                    let (one, other) = (before.terrain(x, y), after.terrain(x, y));
                    let walls = one.is_wall() && other.is_wall();
                    assert!(one == other || walls, "{from}, {seed}: {one:?} and {other:?} at ({x},{y})");
                    let doors = one.is_door_or_secret().then(|| (before.flags(x, y), after.flags(x, y)));
                    assert!(doors.is_none_or(|(one, other)| one == other), "{from}, {seed}: {doors:?}");
                    let lit = [&before, &after].map(|level| level.is_lit(x, y));
                    // Doors are lit like the walls around them, which no script says.
                    assert!(!one.is_space() || lit[0] == lit[1], "{from}, {seed}: {lit:?} at ({x},{y})");
                }
                // Lists are processed backwards.
                let monsters = |level: &splc_vm::Level| {
                    let ants = level.monsters().iter().filter(|monster| monster.of_class);
                    ants.map(|monster| (monster.x, monster.y)).collect::<std::collections::BTreeSet<_>>()
                };
                let objects = |level: &splc_vm::Level| {
                    level.objects().iter().map(|object| (object.x, object.y)).collect::<Vec<_>>()
                };
                let traps =
                    |level: &splc_vm::Level| level.traps().iter().map(|trap| (trap.x, trap.y)).collect::<Vec<_>>();
                assert_eq!((monsters(&before), 4), (monsters(&after), monsters(&after).len()), "{from}, {seed}");
                assert_eq!(objects(&before)[0], objects(&after)[0], "{from}, {seed}");
                assert_eq!(traps(&before), traps(&after), "{from}, {seed}");
            }
            let lost = ported.account.sections[0].entries.iter().find(|entry| entry.outcome == Outcome::Lost);
            assert!(lost.is_none(), "{from}, {seed}: {lost:?}");
        }
    }
}

/// Transparent squares of a map over caves become rock in lists, or their terrain in one run.
#[test]
fn transparent_squares_over_caves_are_resolved() {
    let text = "LEVEL: \"x\"\nFLAGS: mazelevel\nINIT_MAP: mines, '.', ' ', true, true, lit, true\nGEOMETRY: center, center\nMAP\n\
                xxxxxx\nx....x\nx....x\nxxxxxx\nENDMAP\nOBJECT: '%', random\n";
    let (from, to) = (catalog("nethack-3.6.7"), "nethack-3.4.3");
    let notes = |ported: &splc_driver::port::Ported| {
        let of_level = ported.account.sections[0].all_notes().filter(|note| note.effect.is_change());
        of_level.map(|note| note.what.clone()).collect::<Vec<String>>()
    };
    let plain = ported_with("x.des", text.into(), None, from, to, &Options::default());
    assert!(notes(&plain).iter().any(|what| what.contains("no terrain 'x'")), "{:?}", notes(&plain));
    for seed in 0..5 {
        let requested = Options { instantiate: Some(seed), ..Options::default() };
        let resolved = ported_with("x.des", text.into(), None, from, to, &requested);
        let said = resolved.written.text().unwrap_or_else(|| panic!("{seed}: {:?}", resolved.diagnostics));
        assert!(!notes(&resolved).iter().any(|what| what.contains("'x'")), "{seed}: {:?}", notes(&resolved));
        let (before, after) = (made(text.as_bytes(), from, seed), made(said, catalog(to), seed));
        for (x, y) in (0..21).flat_map(|y| (1..=78).map(move |x| (x, y))) {
            let (one, other) = (before.terrain(x, y), after.terrain(x, y));
            assert!(one == other || one.is_wall() && other.is_wall(), "{seed}: {one:?} and {other:?} at ({x},{y})");
        }
    }
}

/// A note on a LOOP that cannot be ported is reported once.
#[test]
fn a_note_in_a_loop_is_reported_once() {
    let text = "LEVEL: \"x\"\nNOMAP\n$place = selection: floodfill(3,4)\nLOOP [5] {\n  \
                MONSTER: 'a', rndcoord($place)\n}\n";
    let ported = ported("x.des", text.into(), None, catalog("nethack-3.6.7"), "nethack-3.4.3");
    let errors =
        ported.diagnostics.iter().filter(|problem| problem.severity == splc_ir::diagnostic::Severity::Error).count();
    assert_eq!(errors, 1, "{:?}", ported.diagnostics);
}

/// Statements are moved to their position in lists: doors into the map, registers to the beginning, things outside
/// rooms into rooms. Areas that exceed a map are clipped to it.
#[test]
fn statements_are_moved_to_their_position_in_lists() {
    let port_of = |text: &str, seed: Option<u64>| {
        let requested = Options { instantiate: seed, ..Options::default() };
        let ported = ported_with("x.des", text.into(), None, catalog("nethack-3.6.7"), "nethack-3.4.3", &requested);
        assert!(ported.written.text().is_some(), "{:?}", ported.diagnostics);
        let lost = ported.account.sections[0].entries.iter().find(|entry| entry.outcome == Outcome::Lost);
        assert!(lost.is_none(), "{lost:?}");
        String::from_utf8(ported.written.text().unwrap().into()).unwrap()
    };
    let said = port_of(
        "LEVEL: \"x\"\nFLAGS: mazelevel\nGEOMETRY: center, center\nMAP\n-----\n|...|\n-----\nENDMAP\n\
         REGION: (0,0,9,9), lit, \"ordinary\"\nDOOR: locked, (4,1)\n$place = { (1,1), (3,1) }\nSHUFFLE: $place\n\
         STAIR: $place[0], up\nDRAWBRIDGE: (2,1), north, random\n",
        None,
    );
    assert!(said.contains("|...+\n") && said.contains("DOOR:locked,(4,1)"), "{said}");
    assert!(said.contains("REGION:(0,0,4,2),lit,\"ordinary\""), "{said}");
    assert!(said.find("RANDOM_PLACES:").unwrap() < said.find("REGION:").unwrap(), "{said}");
    assert!(said.contains("DRAWBRIDGE:(2,1),north,closed"), "{said}");
    let rooms = "LEVEL: \"x\"\nROOM: \"ordinary\", random, random, random, random {\n  \
                 $class = monster: { 'a', 'b' }\n  SHUFFLE: $class\n  MONSTER: $class[0], random\n}\n\
                 ROOM: \"ordinary\", random, random, random, random {\n  TRAP: \"pit\", random\n}\n\
                 MONSTER: 'c', random\nMONSTER: 'd', random\nRANDOM_CORRIDORS\n";
    let said = port_of(rooms, None);
    let at = |what: &str| said.find(what).unwrap_or_else(|| panic!("{what}: {said}"));
    assert!(at("RANDOM_MONSTERS:") < at("ROOM:"), "{said}");
    assert!(at("MONSTER:'c'") < at("TRAP:") && at("MONSTER:'d'") > at("MONSTER:'c'"), "{said}");
    let said = port_of("LEVEL: \"x\"\nNOMAP\nMESSAGE: \"Hello.\"\nMONSTER: 'a', (0,0)\n", None);
    assert!(said.find("INIT_MAP:").unwrap() < said.find("MESSAGE:").unwrap(), "{said}");
    // Existing terrain is not a change, and does not need a map either.
    let text = "LEVEL: \"x\"\nTERRAIN: filter(50%, fillrect(0,0,9,9)), ' '\nMONSTER: 'a', (20,9)\n";
    let requested = Options { instantiate: Some(1), ..Options::default() };
    let ported = ported_with("x.des", text.into(), None, catalog("nethack-3.6.7"), "nethack-3.4.3", &requested);
    assert!(ported.written.text().is_some(), "{:?}", ported.diagnostics);
    let mut bridges = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let said = port_of(
            "LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n---\n...\nENDMAP\nDRAWBRIDGE: (1,1), north, random\n",
            Some(seed),
        );
        bridges.insert(said.lines().find(|line| line.starts_with("DRAWBRIDGE")).unwrap().to_owned());
    }
    assert_eq!(bridges.len(), 2, "{bridges:?}");
}

/// A level that its game cannot run with the seed is reported at the failing statement.
#[test]
fn a_failing_run_is_reported() {
    let text = "LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n-----\n|PPP|\n-----\nENDMAP\n\
                REGION: (1,1,3,1), lit, \"ordinary\", unfilled {\n  TRAP: \"bear\", (0,0)\n}\n";
    let requested = Options { instantiate: Some(3), ..Options::default() };
    let ported = ported_with("x.des", text.into(), None, catalog("sporkhack-0.7.0"), "nethack-3.4.3", &requested);
    assert!(ported.written.text().is_none());
    let reported =
        ported.diagnostics.iter().find(|problem| problem.message.text().contains("fails to load with seed 3"));
    let span = reported.and_then(|problem| problem.span).unwrap_or_else(|| panic!("{:?}", ported.diagnostics));
    assert_eq!(&text[span.start as usize..][..4], "TRAP");
}

/// Versions of levels with long names still have distinct names, which end in their numbers.
#[test]
fn versions_have_valid_level_names() {
    let mut names = std::collections::BTreeSet::new();
    let mut stems = std::collections::BTreeSet::new();
    let levels = ["Rog-strt", "Rog-fila", "Rog-filb", "castle", "bigrm-1", "bigrm-10", "bigrm-11"];
    let text: String = levels.iter().map(|name| format!("LEVEL: \"{name}\"\nNOMAP\n\n")).collect();
    for version in 1..=12 {
        let requested =
            Options { instantiate: Some(1), version: Some(Version { number: version, of: 12 }), ..Options::default() };
        let ported =
            ported_with("x.des", text.clone().into(), None, catalog("nethack-3.6.7"), "nethack-3.4.3", &requested);
        let said = String::from_utf8(ported.written.text().unwrap().into()).unwrap();
        for name in said.lines().filter_map(|line| line.strip_prefix("MAZE:\"")?.split('"').next()) {
            assert!(name.len() <= 8, "{name}");
            let stem = name.strip_suffix(&format!("-{version}")).unwrap_or_else(|| panic!("{name}"));
            stems.insert(stem.to_owned());
            assert!(names.insert(name.to_owned()), "{name} twice");
        }
    }
    assert_eq!(stems.len(), levels.len(), "{stems:?}");
}

/// Of two regions for the same arrival, the last one counts in a script, and the first one in lists.
#[test]
fn level_regions_are_ordered_for_the_loader() {
    let text = "MAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n.....\nENDMAP\nTELEPORT_REGION:(0,0,0,0),(4,0,4,0)\n\
                FOUNTAIN:(2,0)\nTELEPORT_REGION:(1,0,1,0),(4,0,4,0)\n";
    let (lists, script) = (catalog("nethack-3.4.3"), catalog("nethack-3.6.7"));
    let there = ported("x.des", text.into(), None, lists, "nethack-3.6.7").written.text().unwrap().to_vec();
    let back = ported("x.des", there, None, script, "nethack-3.4.3").written.text().unwrap().to_vec();
    let regions = |text: &str| {
        text.lines().filter(|line| line.starts_with("TELEPORT_REGION")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(regions(&String::from_utf8(back).unwrap()), regions(text));
}

/// The files of the corpora without errors are ported, too.
#[test]
fn ports_of_the_corpora_are_valid() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (folder, from) in GAMES {
        for path in files(&splc_tests::corpus(folder), ".des") {
            let name = path.display().to_string();
            let (module, diagnostics, _) = read(std::fs::read(&path).unwrap(), &name, catalog(from));
            if diagnostics.has_errors() {
                continue;
            }
            let scripts = SCRIPTS.iter().map(|(_, to)| *to).chain(["nethack-5.0.0"]);
            for to in scripts.filter(|to| *to != from) {
                let ported = port(&module, catalog(from), catalog(to), &Options::default());
                wrong.extend(mistake(&ported.module, catalog(to), &format!("{name} to {to}")));
                count += 1;
            }
        }
    }
    println!("{count} ports of files of the corpora, {} wrong", wrong.len());
    assert!(
        wrong.is_empty(),
        "{} wrong: {:#?}",
        wrong.len(),
        wrong.iter().map(|wrong| &wrong[..wrong.len().min(300)]).collect::<Vec<_>>()
    );
    assert!(count > 50, "{count}");
}

/// Ports a level and returns the outcome of each statement in the order of the source.
fn outcomes(text: &str, from: &str, to: &str) -> Vec<(&'static str, Outcome)> {
    let (module, diagnostics, _) = read(text.into(), "x.des", catalog(from));
    assert!(!diagnostics.has_errors(), "{:?}", diagnostics.iter().next());
    let ported = port(&module, catalog(from), catalog(to), &Options::default());
    ported.account.sections[0].entries.iter().map(|entry| (entry.word, entry.outcome)).collect()
}

#[test]
fn the_account_has_every_statement_once() {
    use Outcome::{Changed, Kept, Lost};
    let text = "LEVEL: \"a\"\nNOMAP\nMON_GENERATION: 50%, (10, 'd')\nIF [50%] {\n  TRAP: \"pit\", (3,4)\n  \
                MONSTER: ('D',\"draken\"), (5,5)\n}\n";
    let expected = [("MAP", Kept), ("MON_GENERATION", Lost), ("IF", Kept), ("TRAP", Kept), ("MONSTER", Changed)];
    let found = outcomes(text, "unnethack-6.0.4", "nethack-3.6.7");
    assert_eq!(found[1..], expected[1..]);
}

/// By class, then by where they can live, then by difficulty, and none that is unique or changes its shape.
#[test]
fn a_monster_is_replaced_by_one_that_fits() {
    for (class, name, stand_in) in [
        ('o', "deep orc", "orc-captain"),
        (':', "giant turtle", "crocodile"),
        ('h', "Cthulhu", "master mind flayer"),
        ('&', "Durin's Bane", "balrog"),
        ('@', "One-eyed Sam", "captain"),
    ] {
        let text = format!("LEVEL: \"a\"\nNOMAP\nMONSTER: ('{class}',\"{name}\"), (5,5)\n");
        let (module, diagnostics, _) = read(text.into(), "x.des", catalog("unnethack-6.0.4"));
        assert!(!diagnostics.has_errors(), "{name}");
        let to = catalog("nethack-3.6.7");
        let ported = port(&module, catalog("unnethack-6.0.4"), to, &Options::default());
        let printed = des::print(&ported.module, to).unwrap();
        assert!(printed.contains(&format!("('{class}', \"{stand_in}\")")), "{name}: {printed}");
    }
}

#[test]
fn functions_are_inlined_at_their_calls() {
    let text = "FUNCTION pit($n: int) {\n  LOOP [$n] {\n    TRAP: \"pit\", random\n  }\n}\nLEVEL: \"a\"\nNOMAP\n$n = 7\npit(2)\n\
                pit(3)\nLOOP [$n] {\n  TRAP: \"web\", random\n}\n";
    let (module, diagnostics, _) = read(text.into(), "x.des", catalog("unnethack-6.0.4"));
    assert!(!diagnostics.has_errors());
    let to = catalog("nethack-3.6.7");
    let ported = port(&module, catalog("unnethack-6.0.4"), to, &Options::default());
    let printed = des::print(&ported.module, to).unwrap();
    assert_eq!(mistake(&ported.module, to, "x"), None);
    assert!(!printed.contains("FUNCTION") && printed.matches("\"pit\"").count() == 2, "{printed}");
    // The variable of the level keeps its value.
    assert_eq!(printed.matches("LOOP [$n]").count(), 1, "{printed}");
}

/// Ports a des-file as `splc port` does.
fn ported(
    name: &str,
    bytes: Vec<u8>,
    place: Option<std::path::PathBuf>,
    from: &'static Catalog,
    to: &str,
) -> splc_driver::port::Ported {
    ported_with(name, bytes, place, from, to, &Options::default())
}

fn ported_with(
    name: &str,
    bytes: Vec<u8>,
    place: Option<std::path::PathBuf>,
    from: &'static Catalog,
    to: &str,
    requested: &Options,
) -> splc_driver::port::Ported {
    let wanted = splc_driver::Wanted { catalog: Some(from.into()), ..splc_driver::Wanted::default() };
    let options = splc_driver::Options { wanted, ..splc_driver::Options::default() };
    let to = splc_driver::Target::new(catalog(to), options.wanted.abi()).unwrap();
    let input = splc_driver::Input { name: name.into(), place, bytes };
    splc_driver::port::port(input, &options, to, requested, &mut Beside).unwrap()
}

fn few(seeds: u64) -> splc_equivalence::Options {
    splc_equivalence::Options { seeds, ..splc_equivalence::Options::default() }
}

fn thorough(seeds: u64) -> splc_equivalence::Options {
    splc_equivalence::Options { until: splc_equivalence::Until::Seeds, ..few(seeds) }
}

#[test]
fn a_port_is_verified() {
    use splc_equivalence::Verdict::{Different, Proven};
    let text = "# Two places.\nMAZE:\"grove\",' '\nGEOMETRY:left,center\nMAP\n.......\n.T.}.T.\n.......\nENDMAP\n\
                RANDOM_PLACES:(0,0),(6,2)\nTRAP[50%]:\"web\",place[0]\nSTAIR:place[1],up\n";
    for to in ["unnethack-6.0.4", "nethack-3.6.7"] {
        let good = ported("grove.des", text.into(), None, catalog("nethack-3.4.3"), to);
        let said = String::from_utf8(good.written.text().unwrap().into()).unwrap();
        assert!(said.contains("# Two places."), "{said}");
        let [grove] = good.verify(&few(200), &splc_vm::Progress::default()).try_into().unwrap();
        assert!(matches!(grove.translation, Proven(..)), "{to}: {}", grove.in_words());
    }
    // A trap that the target lacks changes the level, not only a name.
    let text = "LEVEL: \"a\"\nNOMAP\nTRAP: \"cold\", (3,4)\n";
    let changed = ported("a.des", text.into(), None, catalog("unnethack-6.0.4"), "nethack-3.6.7");
    let [level] = changed.verify(&few(200), &splc_vm::Progress::default()).try_into().unwrap();
    assert!(!matches!(level.translation, Different(_)), "{}", level.in_words());
}

/// Returns the verdict on a verified port, and the notes of its account on the level and its statements.
fn verified(text: &str, from: &str, to: &str) -> (splc_equivalence::Verdict, String, Vec<(&'static str, String)>) {
    let ported = ported("x.des", text.into(), None, catalog(from), to);
    assert!(!ported.diagnostics.has_errors(), "{to}: {:?}", ported.diagnostics);
    let said = String::from_utf8(ported.written.text().unwrap().into()).unwrap();
    let [level] = ported.verify_translation(&thorough(splc_tests::cases(300).into()), |_| true).try_into().unwrap();
    assert!(level.unnamed.is_empty(), "{to}: {:?}\n{said}", level.unnamed);
    let section = &ported.account.sections[0];
    let of_statements = section.entries.iter().flat_map(|entry| entry.notes.iter().map(|note| (entry.word, note)));
    let notes = section.notes.iter().map(|note| ("", note)).chain(of_statements);
    // Every level has a note that a game mirrors levels.
    let reported = notes.filter(|(_, note)| note.effect != Effect::Same && note.pass != "mirrors");
    let reported = reported.map(|(word, note)| (word, note.what.clone()));
    (level.verdict, said, reported.collect())
}

/// SporkHack draws below the value of a SWITCH in every case, the other script dialects only below a plain number.
#[test]
fn a_switch_keeps_its_chances() {
    use splc_equivalence::Verdict::Proven;
    let cases = "CASE 0:\nTRAP:\"pit\",(1,1)\nBREAK\nCASE 1:\nTRAP:\"web\",(1,1)\nCASE 2:\nTRAP:\"hole\",(3,1)\nBREAK\n\
                 CASE 3:\nTRAP:\"fire\",(1,1)\nBREAK\n}\n";
    for value in splc_tests::some_of(vec!["1d3", "1d2 + 1", "3"]) {
        let text = format!("LEVEL:\"x\"\nNOMAP\nSWITCH [{value}] {{\n{cases}");
        for (from, to) in [
            ("sporkhack-0.7.0", "unnethack-6.0.4"),
            ("sporkhack-0.7.0", "nethack-3.6.7"),
            ("unnethack-6.0.4", "sporkhack-0.7.0"),
            ("nethack-3.6.7", "sporkhack-0.7.0"),
        ] {
            let (verdict, said, reported) = verified(&text, from, to);
            assert!(matches!(verdict, Proven(..)), "{from} to {to}: {verdict:?}\n{said}");
            assert_eq!(reported, [], "{from} to {to}");
        }
    }
    // One game draws below a variable. The other cannot express that, and uses IFs on the way back.
    let cases = "CASE 1:\nTRAP:\"pit\",(1,1)\nBREAK\nDEFAULT:\nTRAP:\"web\",(1,1)\nBREAK\nCASE 2:\nTRAP:\"fire\",(3,1)\nBREAK\n}\n";
    let text = format!("LEVEL:\"x\"\nNOMAP\n$n = 1d3\nSWITCH [$n] {{\n{cases}");
    let (verdict, said, reported) = verified(&text, "nethack-3.6.7", "sporkhack-0.7.0");
    assert!(
        matches!(verdict, Proven(..)) && reported.is_empty() && !said.contains("SWITCH"),
        "{verdict:?} {reported:?}\n{said}"
    );
    let (_, _, reported) = verified(&text, "sporkhack-0.7.0", "nethack-3.6.7");
    assert!(matches!(&reported[..], [("SWITCH", _)]), "{reported:?}");
}

/// Scripts keep an empty name, which keeps an object from becoming an artifact. NetHack 3.4.3 has none.
#[test]
fn an_empty_name_is_one_in_scripts_only() {
    use splc_equivalence::Verdict::Proven;
    let lists =
        "MAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n.....\nENDMAP\nOBJECT:'(',\"chest\",(1,0),random,random,\"\"\n";
    let script = "LEVEL:\"x\"\nGEOMETRY:center,center\nMAP\n.....\nENDMAP\nOBJECT:('(',\"chest\"),(1,0),NAME:\"\"\n";
    for game in ["sporkhack-0.7.0", "nethack-3.6.7"] {
        let (verdict, said, reported) = verified(lists, "nethack-3.4.3", game);
        assert!(matches!(verdict, Proven(..)) && !said.contains("name"), "{game}: {verdict:?}\n{said}");
        assert!(!reported.iter().any(|(word, _)| *word == "OBJECT"), "{reported:?}");
        let (_, _, reported) = verified(script, game, "nethack-3.4.3");
        let names = reported.iter().filter(|(_, what)| what.contains("empty name")).count();
        assert_eq!(names, 1, "{reported:?}");
    }
}

/// The variables of a function are local, also in SporkHack, whose compiler has one scope for all.
#[test]
fn functions_have_local_variables() {
    let text = "LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n.....\nENDMAP\n$n = 1\nFUNCTION more() {\n  $n = 3\n}\n\
                more()\nLOOP [$n] {\n  TRAP: \"pit\", random\n}\n";
    let ways = [
        ("sporkhack-0.7.0", ["unnethack-6.0.4", "nethack-3.6.7", "nethack-3.4.3", "nethack-5.0.0"]),
        ("unnethack-6.0.4", ["sporkhack-0.7.0", "nethack-3.6.7", "nethack-3.4.3", "nethack-5.0.0"]),
    ];
    for (from, targets) in ways {
        assert_eq!(made(text.as_bytes(), catalog(from), 1).traps().len(), 1, "{from}");
        for to in targets {
            let ported = ported("x.des", text.into(), None, catalog(from), to);
            assert!(!ported.diagnostics.has_errors(), "{to}: {:?}", ported.diagnostics);
            let [level] = ported.verify_translation(&thorough(50), |_| true).try_into().unwrap();
            assert!(level.unnamed.is_empty(), "{from} to {to}: {:?}", level.unnamed);
            let traps = |fact: &splc_equivalence::Fact| fact.aspect == splc_equivalence::Aspect::Trap;
            assert!(!level.named.iter().any(|(fact, _)| traps(fact)), "{from} to {to}: {:?}", level.named);
        }
    }
}

/// A level may call functions of an earlier level of its file.
#[test]
fn functions_of_earlier_levels_are_ported() {
    let text = "LEVEL: \"a\"\nGEOMETRY: center, center\nMAP\n.....\nENDMAP\nFUNCTION pits($n: int) {\n  LOOP [$n] {\n    \
                TRAP: \"pit\", random\n  }\n}\nLEVEL: \"b\"\nGEOMETRY: center, center\nMAP\n.....\nENDMAP\npits(2)\n";
    for to in ["sporkhack-0.7.0", "nethack-3.6.7", "nethack-3.4.3", "nethack-5.0.0"] {
        let ported = ported("x.des", text.into(), None, catalog("unnethack-6.0.4"), to);
        assert!(!ported.diagnostics.has_errors(), "{to}: {:?}", ported.diagnostics);
        let verified = ported.verify_translation(&thorough(50), |_| true);
        assert_eq!(verified.len(), 2, "{to}");
        for level in verified {
            assert!(level.unnamed.is_empty(), "{to}: {:?}", level.unnamed);
        }
    }
}

/// The loader of lists creates things type by type. The consequences are reported for the affected statements only.
#[test]
fn changed_order_in_lists_is_reported() {
    let text = "MAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n|....+..|\n|....|..|\nENDMAP\nOBJECT:'(',random\nOBJECT:')',(2,0)\n\
                ENGRAVING:(1,1),burn,\"X\"\nENGRAVING:(2,1),burn,\"Y\"\nTRAP:\"pit\",(1,1)\nMONSTER:'a',(3,1)\nTRAP:\"web\",(3,1)\n\
                DOOR:closed,(5,0)\nSTAIR:(1,0),up\nGOLD:20,random\n";
    let (_, _, reported) = verified(text, "nethack-3.6.7", "nethack-3.4.3");
    let reported: Vec<(&str, &str)> = reported.iter().map(|(word, what)| (*word, what.as_str())).collect();
    // Nothing was ever on the door of the map, and gold comes after the stairs in both.
    assert_eq!(
        reported,
        [
            ("OBJECT", "NetHack 3.4.3 creates stairs before it, so it cannot be on their squares"),
            ("ENGRAVING", "NetHack 3.4.3 sets traps before it engraves, so no pit wipes it out"),
            ("MONSTER", "NetHack 3.4.3 sets traps before it, so the spider of a web is there first"),
        ]
    );
    let bounded = "MAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n..B..\nENDMAP\nOBJECT:'(',random\nGOLD:20,(0,0)\n";
    let (_, _, reported) = verified(bounded, "nethack-3.6.7", "nethack-3.4.3");
    let floor = "NetHack 3.4.3 turns cross walls into floor before it, so it can be there";
    assert_eq!(reported, [("OBJECT", floor.to_owned())]);
    // The compiler creates the walls, and the loader cuts the maze.
    let maze =
        "MAZE:\"x\",'-'\nGEOMETRY:center,center\nMAP\n - - \n-----\n -.- \nENDMAP\nMAZEWALK:(2,2),north\nWALLIFY\n";
    let (_, said, reported) = verified(maze, "nethack-3.6.7", "nethack-3.4.3");
    let wallify = reported.iter().find(|(word, _)| *word == "WALLIFY");
    assert!(!said.contains("WALLIFY") && wallify.is_some(), "{reported:?}\n{said}");
    let alone = "MAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n|.....|\nENDMAP\nSTAIR:(1,0),up\nOBJECT:'(',random\nGOLD:20,random\n";
    let (verdict, _, reported) = verified(alone, "nethack-3.6.7", "nethack-3.4.3");
    assert!(
        !matches!(verdict, splc_equivalence::Verdict::Different(_)) && reported.is_empty(),
        "{verdict:?} {reported:?}"
    );
}

/// Features with an exact equivalent in lists: registers at the beginning of their part, rock that pads a map to the
/// size that its place needs, hard rock around a map, a lit field.
#[test]
fn exact_equivalents_in_lists_are_used() {
    use splc_equivalence::Verdict::Different;
    let shuffled = "MAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n......\nENDMAP\nTRAP:\"pit\",(5,0)\n$place = { (0,0),(1,0),(2,0) }\n\
                    SHUFFLE:$place\nALTAR:$place[0],chaos,altar\nOBJECT:'(',$place[1]\n";
    let (verdict, said, reported) = verified(shuffled, "nethack-3.6.7", "nethack-3.4.3");
    assert!(said.contains("ENDMAP\nRANDOM_PLACES:(0,0),(1,0),(2,0)\n") && reported.is_empty(), "{reported:?}\n{said}");
    assert!(!matches!(verdict, Different(_)), "{verdict:?}\n{said}");
    let on_the_left = "LEVEL:\"x\"\nFLAGS:noflip,mazelevel\nINIT_MAP:solidfill,' '\nGEOMETRY:left,center\nMAP\n....................\n....................\nENDMAP\n\
                       OBJECT:'(',random\nTRAP:\"pit\",(5,0)\n";
    let (verdict, said, reported) = verified(on_the_left, "unnethack-6.0.4", "nethack-3.4.3");
    assert!(said.contains("GEOMETRY:right,center\n") && reported.is_empty(), "{reported:?}\n{said}");
    assert!(!matches!(verdict, Different(_)), "{verdict:?}\n{said}");
    let solid = "MAZE:\"x\",' '\nFLAGS:solidify\nGEOMETRY:center,center\nMAP\n|....|\nENDMAP\n$place = { (1,0),(2,0) }\n\
                 SHUFFLE:$place\nOBJECT:'(',$place[1]\n";
    for to in ["nethack-3.4.3", "sporkhack-0.7.0"] {
        let (verdict, said, reported) = verified(solid, "nethack-3.6.7", to);
        assert!(said.matches("(0,0,78,20)\n").count() == 2 && reported.is_empty(), "{to}: {reported:?}\n{said}");
        assert!(!matches!(verdict, Different(_)), "{to}: {verdict:?}\n{said}");
    }
    let field = "LEVEL:\"x\"\nFLAGS:mazelevel\nINIT_MAP:solidfill,('.',lit)\nGEOMETRY:center,center\nMAP\n|....|\nENDMAP\nSTAIR:(9,0),up\n";
    let (verdict, said, _) = verified(field, "sporkhack-0.7.0", "nethack-3.4.3");
    assert!(said.contains("INIT_MAP:'.','.',false,false,lit,false\n") && said.contains("STAIR:(9,0),up\n"), "{said}");
    // The columns at the edges are floor, too, as the account says.
    assert!(
        matches!(&verdict, Different(found) if found.fact.place.is_some_and(|(x, _)| x == 1 || x == 79)),
        "{verdict:?}"
    );
}

/// The effect of MON_GENERATION on quest levels, which some games derive from the hero's role.
#[test]
fn quest_enemies_are_generated_in_every_game() {
    use splc_equivalence::Verdict::Different;
    let text = "MAZE:\"Sam-goal\",' '\nGEOMETRY:center,center\nMAP\n|.....|\nENDMAP\nMONSTER:'d',random,random\n";
    let enemies = "MON_GENERATION: 86%, (64, \"wolf\"), (16, 'd'), (16, \"stalker\"), (4, 'E')\n";
    let (unnethack, scripts) = ("unnethack-6.0.4", ["unnethack-6.0.4", "sporkhack-0.7.0"]);
    for to in splc_tests::some_of(scripts.to_vec()) {
        let (verdict, there, reported) = verified(text, "nethack-3.4.3", to);
        assert!(!matches!(verdict, Different(_)) && there.contains("wolf"), "{to}: {verdict:?}\n{there}");
        assert!(to != unnethack || there.contains(enemies), "{there}");
        assert!(
            matches!(&reported[..], [("", what)] if what.contains("six of seven generated monsters")),
            "{to}: {reported:?}"
        );
        for back in ["nethack-3.4.3", "nethack-3.6.7"] {
            let (verdict, said, reported) = verified(&there, to, back);
            assert!(!said.contains("wolf") && !matches!(verdict, Different(_)), "{to} to {back}: {verdict:?}\n{said}");
            assert!(
                reported.iter().all(|(word, what)| *word == "MON_GENERATION" && what.contains("86 in 100")),
                "{reported:?}"
            );
        }
        // Anything that differs from the game's own behaviour is lost, and so is MON_GENERATION on other levels.
        for (before, after) in [("86%", "85%"), ("wolf", "jackal"), ("(4,", "(5,"), ("Sam-goal", "cave")] {
            let other = there.replace(before, after);
            assert_ne!(other, there, "{before}");
            let (verdict, _, reported) = verified(&other, to, "nethack-3.6.7");
            let lost = reported.iter().any(|(word, what)| *word == "MON_GENERATION" && what.contains("cannot contain"));
            assert!(lost && matches!(verdict, Different(_)), "{to}, {after}: {verdict:?} {reported:?}");
        }
    }
    // It is kept between games that have it.
    let level = format!("LEVEL: \"Sam-goal\"\nNOMAP\n{enemies}");
    let (_, said, reported) = verified(&level, unnethack, "sporkhack-0.7.0");
    assert!(said.contains("stalker") && reported.is_empty(), "{reported:?}\n{said}");
}

/// NetHack 3.4.3 recognises Sokoban by its place in the dungeon, so its levels need no flags. On other levels the flags
/// are lost.
#[test]
fn levels_of_sokoban_need_no_flags_in_nethack_343() {
    let text = "LEVEL:\"soko2-1\"\nFLAGS:mazelevel,premapped\nINIT_MAP:solidfill,' '\nGEOMETRY:center,center\nMAP\n\
                |.....|\nENDMAP\nOBJECT:('`',\"boulder\"),(2,0)\n";
    for from in ["unnethack-6.0.4", "sporkhack-0.7.0", "nethack-3.6.7"] {
        let (_, there, reported) = verified(text, from, "nethack-3.4.3");
        assert!(reported.is_empty() && !there.contains("premapped"), "{from}: {reported:?}\n{there}");
        let (_, back, _) = verified(&there, "nethack-3.4.3", from);
        assert!(back.contains("premapped"), "{back}");
        let (_, _, reported) = verified(&text.replace("soko2-1", "cave"), from, "nethack-3.4.3");
        assert!(matches!(&reported[..], [("", what)] if what.contains("premapped")), "{from}: {reported:?}");
    }
}

/// WALLIFY of SporkHack stays within its map, that of the others extends around it. Reported if there is floor at the
/// edge.
#[test]
fn a_wider_wallify_is_reported() {
    use splc_equivalence::Verdict::Different;
    let level = |row: &str, more: &str| {
        format!(
            "LEVEL:\"x\"\nFLAGS:mazelevel\nINIT_MAP:solidfill,' '\nGEOMETRY:center,center\nMAP\n     \n{row}\n ... \n     \n\
             ENDMAP\n{more}WALLIFY\n"
        )
    };
    for to in splc_tests::some_of(vec!["unnethack-6.0.4", "nethack-3.6.7"]) {
        for more in ["", "TERRAIN:(1,2),' '\nMONSTER:'a',random\n", "IF [50%] {\nTERRAIN:fillrect(1,1,2,3),'.'\n}\n"] {
            let (verdict, said, reported) = verified(&level(" ... ", more), "sporkhack-0.7.0", to);
            assert!(reported.is_empty() && !matches!(verdict, Different(_)), "{to}: {verdict:?} {reported:?}\n{said}");
        }
        for (row, more) in
            [(".... ", ""), (" ... ", "TERRAIN:(0,1),'.'\n"), (" ... ", "TERRAIN:fillrect(1,0,2,2),'.'\n")]
        {
            let (verdict, _, reported) = verified(&level(row, more), "sporkhack-0.7.0", to);
            assert!(matches!(&reported[..], [("WALLIFY", _)]) && matches!(verdict, Different(_)), "{to}: {reported:?}");
        }
    }
    // In the other direction, the area can be given, also in a block.
    for from in ["unnethack-6.0.4", "nethack-3.6.7"] {
        let text = level(".... ", "IF [50%] {\nTERRAIN:(0,1),'.'\nWALLIFY\n}\n");
        let (verdict, said, reported) = verified(&text, from, "sporkhack-0.7.0");
        assert!(reported.is_empty() && !matches!(verdict, Different(_)), "{from}: {verdict:?} {reported:?}\n{said}");
    }
}

/// SporkHack cannot count in a variable, so such a loop is unrolled.
#[test]
fn a_counting_loop_is_unrolled_for_sporkhack() {
    use splc_equivalence::Verdict::Different;
    let text = "LEVEL:\"x\"\nNOMAP\n$n = 0\n$k = 5\nLOOP [3] {\n$n = $n + 1\nIF [50%] {\nIF [$n == 2] {\n\
                TRAP:\"pit\",(1,1)\n} ELSE {\nTRAP:\"web\",(3,1)\n}\n}\n}\n$k = $n * 2\nIF [$k == 6] {\nTRAP:\"fire\",(5,1)\n}\n";
    for from in ["unnethack-6.0.4", "nethack-3.6.7"] {
        let (verdict, said, reported) = verified(text, from, "sporkhack-0.7.0");
        assert!(!matches!(verdict, Different(_)) && reported.is_empty(), "{from}: {verdict:?} {reported:?}\n{said}");
        assert!(said.contains("$n = 3\n") && said.contains("$k = 6\n") && !said.contains("LOOP"), "{said}");
    }
    // An assignment in a block may be executed or not.
    let text =
        "LEVEL:\"x\"\nNOMAP\n$n = 0\nIF [50%] {\n$n = 1\n}\n$m = $n + 1\nIF [$m == 1] {\nTRAP:\"pit\",(1,1)\n}\n";
    let (_, _, reported) = verified(text, "nethack-3.6.7", "sporkhack-0.7.0");
    assert!(!reported.is_empty());
}

/// The directions of porting, with the seed for `--instantiate`.
const WAYS: &[(&str, &str, Option<u64>)] = &[
    ("nethack-3.4.3", "unnethack-6.0.4", None),
    ("nethack-3.4.3", "sporkhack-0.7.0", None),
    ("nethack-3.4.3", "nethack-3.6.7", None),
    ("unnethack-6.0.4", "nethack-3.6.7", None),
    ("unnethack-6.0.4", "sporkhack-0.7.0", None),
    ("sporkhack-0.7.0", "nethack-3.6.7", None),
    ("sporkhack-0.7.0", "unnethack-6.0.4", None),
    ("nethack-3.6.7", "unnethack-6.0.4", None),
    ("nethack-3.6.7", "sporkhack-0.7.0", None),
    ("unnethack-6.0.4", "nethack-3.4.3", None),
    ("sporkhack-0.7.0", "nethack-3.4.3", None),
    ("nethack-3.6.7", "nethack-3.4.3", None),
    ("unnethack-6.0.4", "nethack-3.4.3", Some(1)),
    ("sporkhack-0.7.0", "nethack-3.4.3", Some(1)),
    ("nethack-3.6.7", "nethack-3.4.3", Some(1)),
];

/// Every difference after a port is named in its account.
///
/// Environment variables restrict the run. `SPLC_PORT_WAYS` is a list of directions, or of words that a direction must
/// contain (`nethack-3.4.3>unnethack-6.0.4,instantiate`). `SPLC_PORT_LEVELS` is a list of beginnings of level names.
/// `SPLC_PORT_SEEDS` is the number of seeds.
#[test]
#[ignore = "a long run: every level of every game with 10,000 seeds, each way"]
fn every_difference_is_named() {
    use splc_equivalence::Verdict::{Different, NotDecided, Proven};
    let variable = |name: &str| std::env::var(name).ok();
    let wanted = |name: &str, list: &Option<String>, fits: fn(&str, &str) -> bool| {
        list.as_ref().is_none_or(|list| list.split(',').any(|part| fits(name, part)))
    };
    let (ways, levels) = (variable("SPLC_PORT_WAYS"), variable("SPLC_PORT_LEVELS"));
    let seeds = variable("SPLC_PORT_SEEDS").map_or(10_000, |seeds| seeds.parse().unwrap());
    let mut wrong = Vec::new();
    for (from, to, instantiate) in WAYS {
        let way = format!("{from}>{to}{}", if instantiate.is_some() { " instantiate" } else { "" });
        let is_selected = |way: &str, part: &str| if part.contains('>') { way == part } else { way.contains(part) };
        if !wanted(&way, &ways, is_selected) {
            continue;
        }
        let (from, mut counts) = (catalog(from), [0; 4]);
        let requested = Options { instantiate: *instantiate, ..Options::default() };
        for path in files(&reference::game(&from.name).join("des"), ".des") {
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            let ported = ported_with(&file, std::fs::read(&path).unwrap(), Some(path), from, to, &requested);
            let levels = |level: &str| wanted(level, &levels, |level, part| level.starts_with(part));
            for translation in ported.verify_translation(&thorough(seeds), levels) {
                let kind = match (&translation.verdict, translation.unnamed.as_slice()) {
                    (Proven(..), _) => 0,
                    (NotDecided(_), _) => 1,
                    (Different(_), []) => 2,
                    (Different(_), _) => 3,
                };
                counts[kind] += 1;
                if kind >= 2 {
                    let level = &translation.level;
                    println!("{way} {level}: {}", splc_driver::port::verify::in_words(&translation.verdict));
                    for (fact, note) in &translation.named {
                        println!("    named: {fact}: {} ({:?}, {})", note.what, note.effect, note.pass);
                    }
                    for fact in &translation.unnamed {
                        println!("    without a word: {fact}");
                        wrong.push(format!("{way} {level}: {fact}"));
                    }
                }
            }
        }
        let [proven, undecided, named, unnamed] = counts;
        println!(
            "{way}: {proven} proven, {undecided} without a difference in {seeds} levels, {named} with one that the \
             account names, {unnamed} without a word"
        );
    }
    assert!(wrong.is_empty(), "{} without a word:\n{}", wrong.len(), wrong.join("\n"));
}

/// A comment goes where the statement goes that it precedes. A heading stays above statements that only change their
/// order among themselves. Only what depends on the loader's order moves, and one line says why.
#[test]
fn comments_move_with_their_statements() {
    let text = "# The level\nMAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n.....\n.....\nENDMAP\n# Floor\nFOUNTAIN:(3,0)\n\
                # Treasure\nOBJECT:'(',\"chest\",(0,0)\nOBJECT:'*',random,(1,0)\n\n# Guards\nMONSTER:'D',random,(2,0)\n\
                # Walls\nNON_DIGGABLE:(0,0,1,1)\n# Arrivals\nBRANCH:levregion(1,0,2,1),(0,0,1,1)\n\
                STAIR:levregion(5,0,6,1),(0,0,1,1),up\n# Light\nREGION:(0,0,4,1),lit,\"ordinary\"\n# End\n";
    let from = catalog("nethack-3.4.3");
    let made = ported("x.des", text.as_bytes().to_vec(), None, from, "unnethack-6.0.4");
    let printed = String::from_utf8(made.written.text().unwrap().to_vec()).unwrap();
    let (_, statements) = printed.split_once("ENDMAP\n").unwrap();
    let expected = "# Floor\nFOUNTAIN: (3,0)\n\n# Guards\n\
                    # Moved: NetHack 3.4.3 runs every MONSTER before any OBJECT.\nMONSTER: 'D', (2,0)\n# Treasure\n\
                    OBJECT: ('(', \"chest\"), (0,0)\nOBJECT: '*', (1,0)\n# Walls\nNON_DIGGABLE: (0,0,1,1)\n\
                    # Arrivals\nSTAIR: levregion(5,0,6,1), (0,0,1,1), up\nBRANCH: levregion(1,0,2,1), (0,0,1,1)\n\
                    # Light\nREGION: (0,0,4,1), lit, \"ordinary\"\n# End\n";
    assert_eq!(statements, expected);
    assert!(printed.starts_with("# The level\nLEVEL: \"x\"\n"), "{printed}");
}
