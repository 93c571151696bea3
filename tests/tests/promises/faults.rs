//! Levels with planted faults: `splc test` finds all of them, and reports no false ones.
//!
//! The first line of each file of `corpus/faults` lists its findings in order: `# finds: unreachable-stairs`.

use std::collections::BTreeSet;
use std::path::Path;

use splc_driver::games::Dialect;
use splc_driver::test::{Found, Plan, test};
use splc_driver::{Input, Options, Wanted, load};
use splc_ir::diagnostic::{Code, Lint, LintLevel, LintLevels, Severity};
use splc_vm::{Progress, Settings};

const DIALECTS: [&str; 4] = ["nethack343", "nethack36", "sporkhack", "unnethack"];

/// Turns on every lint.
fn all_lints() -> LintLevels {
    let mut lints = LintLevels::default();
    for &code in Code::ALL.iter().filter(|code| code.lint() == Lint::Allow) {
        lints.set(code, LintLevel::Warn);
    }
    lints
}

/// Returns the findings in all levels of `text`.
fn found(name: &str, text: &str, dialect: &str, lints: &LintLevels, threads: usize) -> Vec<Found> {
    let wanted = Wanted { dialect: Dialect::by_name(dialect), ..Wanted::default() };
    let options = Options { wanted, lints: lints.clone() };
    let loaded = load(Input::new(name, text), &options, &mut splc_tests::Beside).unwrap();
    assert!(!loaded.diagnostics.has_errors(), "{name}: {:?}", loaded.diagnostics);
    let plan = Plan {
        settings: Settings::default(),
        seeds: 1..=200,
        threads,
        needs: Default::default(),
        vary: Default::default(),
    };
    let each = |level| test(&loaded, level, &plan, lints, &Progress::default());
    loaded.levels.iter().flat_map(each).collect()
}

fn files(dialect: &str) -> Vec<(String, String)> {
    let folder = splc_tests::corpus(&format!("faults/{dialect}"));
    let text = |path: &Path| std::fs::read_to_string(path).unwrap();
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    splc_tests::reference::files(&folder, ".des").iter().map(|path| (name(path), text(path))).collect()
}

/// Returns the codes of the findings without repetition, in order.
fn codes(found: &[Found]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in found.iter().map(|found| found.diagnostic.code.name()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

#[test]
fn only_planted_faults_are_found() {
    let (mut count, mut kinds) = (0, BTreeSet::new());
    for dialect in DIALECTS {
        for (name, text) in files(dialect) {
            let finds = text.lines().next().unwrap().strip_prefix("# finds: ").unwrap();
            let found = found(&name, &text, dialect, &all_lints(), 2);
            assert_eq!(codes(&found), finds, "{dialect}/{name}");
            kinds.extend(finds.split(", ").map(str::to_owned));
            count += 1;
        }
    }
    assert!(count >= 50, "{count} files");
    assert!(kinds.len() >= 14, "{kinds:?}");
}

#[test]
fn findings_do_not_depend_on_threads() {
    for dialect in DIALECTS {
        for (name, text) in splc_tests::some_of(files(dialect)) {
            let shown = |threads| {
                let found = found(&name, &text, dialect, &all_lints(), threads);
                found.iter().map(|found| format!("{found:?}")).collect::<Vec<String>>()
            };
            assert_eq!(shown(1), shown(3), "{dialect}/{name}");
        }
    }
}

#[test]
fn a_finding_points_to_its_statement_and_square() {
    let text = &files("unnethack").into_iter().find(|(name, _)| name == "closet.des").unwrap().1;
    let found = found("closet.des", text, "unnethack", &LintLevels::default(), 1);
    let thing = found.iter().find(|found| found.diagnostic.code == Code::UnreachableThing).unwrap();
    let span = thing.diagnostic.span.unwrap();
    assert!(text[span.start as usize..].starts_with("OBJECT: ('(', \"chest\"), (12,2)"));
    assert_eq!((thing.seeds, thing.of, thing.first), (200, 200, Some(1)));
    // The level may be mirrored, but the statement is not.
    assert_eq!(thing.written, Some((12, 2)));
    let (x, y) = thing.place.unwrap();
    assert_eq!(thing.picture[y as usize].chars().nth(x as usize - 1), Some('('));
}

/// Returns two levels with the same fault, and `comment` between them.
fn two_levels(comment: &str) -> String {
    let level = |name: &str| {
        format!(
            "LEVEL: \"{name}\"\nGEOMETRY: center, center\nMAP\n-----------\n|....|....|\n|....|....|\n-----------\nENDMAP\n\
             STAIR: (1,1), up\nSTAIR: (9,2), down\n"
        )
    };
    format!("{}\n{comment}\n{}", level("one"), level("two"))
}

#[test]
fn a_comment_allows_a_lint_for_its_level() {
    let lines = |text: &str, lints: &LintLevels| -> Vec<String> {
        found("two.des", text, "unnethack", lints, 1).iter().map(|found| found.level.clone()).collect()
    };
    let usual = LintLevels::default();
    assert_eq!(lines(&two_levels("# two"), &usual), ["one", "two"]);
    assert_eq!(lines(&two_levels("# splc: allow(unreachable-stairs)"), &usual), ["one"]);
    assert_eq!(lines(&two_levels("#splc: allow( no-way-in , w0908 ) since it is so"), &usual), ["one"]);
    // It also counts after the header, and allows even lints that the command line denies.
    let inside = two_levels("").replacen("GEOMETRY", "# splc: allow(unreachable-stairs)\nGEOMETRY", 1);
    let mut denied = LintLevels::default();
    denied.set(Code::UnreachableStairs, LintLevel::Deny);
    assert_eq!(lines(&inside, &denied), ["two"]);
    let severity = found("two.des", &inside, "unnethack", &denied, 1)[0].diagnostic.severity;
    assert_eq!(severity, Severity::Error);
}

#[test]
fn a_comment_allows_ordinary_lints_and_is_checked_itself() {
    let text = "# splc: allow(unknown-room)\nLEVEL: \"one\"\nROOM: \"salon\", random, random, random, random { }\n\
                LEVEL: \"two\"\nROOM: \"salon\", random, random, random, random { }\n# splc: allow(unknown-rom)\n# splc: deny\n";
    let options = Options {
        wanted: Wanted { dialect: Dialect::by_name("unnethack"), ..Wanted::default() },
        ..Options::default()
    };
    let read = splc_driver::read(Input::new("x.des", text), &options, &mut splc_tests::Beside).unwrap();
    let said: Vec<(&str, usize)> = read
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let span = diagnostic.span.unwrap();
            (diagnostic.code.name(), read.sources.line_column(span.file, span.start).0)
        })
        .collect();
    assert_eq!(said, [("unknown-lint", 6), ("unknown-lint", 7), ("unknown-room", 5)]);
}

/// Returns the findings in a Lua script of NetHack 5 with some seeds.
fn found_in_script(text: &str, seeds: std::ops::RangeInclusive<u64>) -> Vec<(Found, usize)> {
    let options = Options { lints: all_lints(), ..Options::default() };
    let loaded = load(Input::new("x.lua", text), &options, &mut splc_tests::Beside).unwrap();
    assert!(!loaded.diagnostics.has_errors(), "{text}: {:?}", loaded.diagnostics);
    let plan =
        Plan { settings: Settings::default(), seeds, threads: 2, needs: Default::default(), vary: Default::default() };
    let found = test(&loaded, &loaded.levels[0], &plan, &options.lints, &Progress::default());
    let line =
        |found: &Found| found.diagnostic.span.map_or(0, |span| loaded.sources.line_column(span.file, span.start).0);
    found.into_iter().map(|found| (line(&found), found)).map(|(line, found)| (found, line)).collect()
}

/// Errors and complaints of a NetHack 5 script that occur only on some seeds: each is found with its line, the number
/// of seeds, and the first seed. It occurs with that seed alone, and not with the seeds before.
#[test]
fn faults_of_a_script_on_some_seeds_are_found_with_line_and_seed() {
    const FILLED: &str = "des.level_init({ style = \"solidfill\", fg = \".\", lit = 1 })\ndes.stair(\"up\", 3, 3)\n";
    const CLOSET: &str = "des.level_init({ style = \"solidfill\", fg = \" \", lit = 0 })\n\
                          des.map([[\n---\n|}|\n---\n]])\n";
    let cases = [
        // A name that is composed while the level runs.
        (
            FILLED,
            "if percent(10) then\n   des.monster({ id = string.rep(\"z\", 3) })\nend\n",
            4,
            Code::Fault,
            "\"zzz\"",
        ),
        // A door that lies outside the level on three of six draws.
        (FILLED, "local column = 76 + nh.rn2(6)\ndes.door(\"open\", column, 3)\n", 4, Code::Fault, "door coord not ok"),
        // An error that occurs for one order of a shuffled list.
        (
            FILLED,
            "local what = { 1, 2, 3, {} }\nshuffle(what)\ndes.gold(what[1] + 5, 9, 9)\n",
            5,
            Code::Fault,
            "arithmetic",
        ),
        // If there is only water, an apple has no place, nor have stairs, which are created anyway.
        (
            CLOSET,
            "if percent(25) then\n   des.object(\"apple\")\nend\n",
            8,
            Code::LoaderComplaint,
            "can't find a place",
        ),
        (CLOSET, "if percent(40) then\n   des.stair(\"down\")\nend\n", 8, Code::LoaderComplaint, "place of the stairs"),
        // The corners of a region are swapped on some draws.
        (
            FILLED,
            "local column = 3 + nh.rn2(9)\n\
             des.levregion({ region = { 7, 5, column, 9 }, type = \"stair-down\" })\n",
            4,
            Code::Fault,
            "has no squares",
        ),
        // The portal leads to a level that the dungeon lacks.
        (
            FILLED,
            "local plane = ({ \"fire\", \"air\", \"moon\" })[math.random(3)]\n\
             des.levregion({ region = { 5, 5, 9, 9 }, type = \"portal\", name = plane })\n",
            4,
            Code::Fault,
            "\"moon\", which the dungeon of NetHack 5.0.0 lacks",
        ),
    ];
    for (level, script, line, code, words) in cases {
        let text = format!("{level}{script}");
        let is_it = |(found, at): &(Found, usize)| {
            found.diagnostic.code == code && *at == line && found.diagnostic.message.text().contains(words)
        };
        let all = found_in_script(&text, 1..=200);
        let (found, _) = all.iter().find(|found| is_it(found)).unwrap_or_else(|| panic!("{script}: {all:#?}"));
        assert!(found.seeds > 0 && found.seeds < 200 && found.of == 200, "{script}: {found:?}");
        let first = found.first.unwrap();
        assert!(found_in_script(&text, first..=first).iter().any(is_it), "{script}: seed {first}");
        if first > 1 {
            assert!(!found_in_script(&text, 1..=first - 1).iter().any(is_it), "{script}: before seed {first}");
        }
    }
}

#[test]
fn a_puzzle_of_a_script_needs_the_flag_of_its_rules() {
    let lacks = |flags: &str| {
        let text = format!(
            "des.level_init({{ style = \"solidfill\", fg = \" \", lit = 1 }})\ndes.level_flags({flags})\ndes.map([[\n\
             ---------\n|.......|\n---------\n]])\ndes.stair(\"down\", 1, 1)\ndes.stair(\"up\", 7, 1)\n\
             des.object(\"boulder\", 3, 1)\ndes.trap(\"pit\", 5, 1)\n"
        );
        let found = found_in_script(&text, 1..=2);
        found.iter().any(|(found, _)| found.diagnostic.message.text().contains("lacks the flag `sokoban`"))
    };
    assert!(lacks("\"premapped\", \"hardfloor\""));
    assert!(!lacks("\"premapped\", \"hardfloor\", \"sokoban\""));
}
