//! `splc dungeon`, and splc as `dgn_comp` and `dlb`, from the user's point of view.
#![cfg(unix)]

use std::os::unix::process::CommandExt;
use std::process::Command;

use super::*;

const SMALL: &str = "\
# A comment.
DUNGEON:  \"The Top\" \"T\" (10, 3)
LEVEL:    \"inn\" \"A\" @ (2, 3)
CHAINBRANCH: \"The Cellar\" \"inn\" + (1, 0)

DUNGEON:  \"The Cellar\" \"C\" (2, 0)
LEVEL:    \"wine\" \"none\" @ (-1, 0) 40
";

fn small() -> Place {
    let place = Place::new();
    place.write("dungeon.def", SMALL);
    place
}

#[test]
fn the_dungeons_of_the_games_are_decompiled_and_compiled_again() {
    let place = Place::new();
    for game in ["nethack-3.4.3", "nethack-3.6.7", "sporkhack-0.7.0", "unnethack-6.0.4"] {
        let Some(folder) = splc_tests::reference::find(game) else { continue };
        for abi in ["lp64le", "ilp32le", "lp64be", "ilp32be"] {
            let bytes = std::fs::read(folder.join(format!("dungeon/dungeon.{abi}"))).unwrap();
            place.write("dungeon", &bytes);
            let run = place.splc(&["dungeon", "decompile", "--target", game, "--abi", abi, "dungeon"]);
            assert_eq!(run.status, FINE, "{game} {abi}: {}", run.err);
            let text = run.out();
            place.write("again.def", &text);
            let run = place.splc(&["dungeon", "compile", "--target", game, "--abi", abi, "again.def", "-o", "again"]);
            assert_eq!(run.status, FINE, "{game} {abi}: {}", run.err);
            assert_eq!(place.read("again"), bytes, "{game} {abi}");
        }
    }
}

#[test]
fn a_dungeon_is_compiled_and_read_back() {
    let place = small();
    place.splc(&["dungeon", "compile", "--dialect", "nethack343", "--abi", "m68k", "dungeon.def"]).is_fine();
    let bytes = place.read("dungeon");
    // The file itself identifies its game and machine.
    let text = place.splc(&["dungeon", "decompile", "dungeon"]).is_fine().out();
    place.write("again.def", &text);
    let again = ["dungeon", "compile", "--target", "nethack-3.4.3", "--abi", "m68k", "again.def", "-o", "again"];
    place.splc(&again).is_fine();
    assert_eq!(place.read("again"), bytes);
    let json = place.splc(&["dungeon", "decompile", "dungeon", "--emit", "json"]).is_fine().out();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["schema"], &json["target"]), (&"splc-dungeon".into(), &"nethack-3.4.3".into()));
    assert_eq!(json["dungeons"][1]["items"][0]["level"]["chance"], 40);

    // JSON as written by other programs compiles, too.
    place.write("x.json", json.to_string());
    let from_json = ["dungeon", "compile", "--target", "nethack-3.4.3", "--abi", "m68k", "x.json", "-o", "from-json"];
    place.splc(&from_json).is_fine();
    assert_eq!(place.read("from-json"), bytes);
    place.write("x.json", json.to_string().replace("\"version\":1", "\"version\":9"));
    place.splc(&from_json).ends(INPUT_ERRORS).says(&["version 9 of splc-dungeon", "x.json:1:"]);
    place.write("x.json", json.to_string().replace("\"chance\":40", "\"chanse\":40"));
    place.splc(&from_json).ends(INPUT_ERRORS).says(&["chanse", "did you mean", "dungeons[1].items[0].level"]);
}

#[test]
fn a_dungeon_is_shown_with_its_depths() {
    let place = small();
    let text = place.splc(&["dungeon", "show", "--dialect", "36", "dungeon.def"]).is_fine().out();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["The", "Top", "1", "(10", "to", "12", "levels)"]);
    assert_eq!(lines[1], ["inn", "2", "33.33%,", "3", "33.33%,", "4", "33.33%"]);
    assert_eq!(lines[2][..4], ["stairs", "down", "to", "The"]);
    assert_eq!(lines[2][5..], ["3", "33.33%,", "4", "33.33%,", "5", "33.33%"]);
    assert_eq!(lines[4], ["wine", "5", "13.33%,", "6", "13.33%,", "7", "13.33%", "(absent", "60%)"]);
    let svg = place.splc(&["dungeon", "show", "--dialect", "36", "--emit", "svg", "dungeon.def"]).is_fine().out();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains(">inn<"));
}

#[test]
fn all_mistakes_are_reported_in_one_run() {
    let place = Place::new();
    place.write(
        "wrong.def",
        "LEVEL: \"early\" \"none\" @ (1, 0)\n\
         DUNGEON: \"Top\" \"TT\" (40, 2)\n\
         DESCRIPTION: lawful\n\
         ALIGNMENT: town\n\
         LEVEL: \"a\" \"none\" @ (1, 40)\n\
         LEVEL: \"b\" \"none\" @ (1, 2) 50\n\
         CHAINLEVEL: \"c\" \"none\" \"b\" + (1, 0)\n\
         CHAINLEVEL: \"a\" \"none\" \"a\" + (1, 0)\n\
         CHAINLEVEL: \"d\" \"none\" \"e\" + (1, 0)\n\
         RNDCHAINLEVEL: \"f\" \"none\" \"a\" + (1, 0) 2\n\
         LEVEL: \"a name that is too long for it\" \"none\" @ (1, 0)\n\
         %NOTHING\n\
         LEVEL: \"g\" \"none\" @ (1, 0\n\
         DUNGEON: \"Cellar\" \"C\" (1, 0)\n\
         BRANCH: \"Top\" @ (1, 0)\n\
         LEVEL: \"h",
    );
    let run = place.splc(&["dungeon", "check", "--dialect", "343", "--message-format", "json", "wrong.def"]);
    let said: Vec<_> =
        run.json().iter().map(|said| (said["line"].as_u64(), said["code"].as_str().unwrap().to_owned())).collect();
    for (line, code) in [
        (1, "E0020"),
        (2, "E0612"),
        (2, "E0614"),
        (3, "E0613"),
        (4, "E0613"),
        (5, "E0614"),
        (7, "E0615"),
        (8, "E0617"),
        (9, "E0615"),
        (10, "E0001"),
        (11, "E0619"),
        (12, "E0611"),
        (13, "E0001"),
        (14, "W0622"),
        (15, "E0616"),
        (16, "E0003"),
    ] {
        assert!(said.contains(&(Some(line), code.to_owned())), "{line} {code} is not in {said:?}");
    }
    run.ends(INPUT_ERRORS);
}

#[test]
fn mistakes_that_the_games_compiler_ignores_are_warnings() {
    let place = Place::new();
    place.write(
        "odd.def",
        "DUNGEON: \"Top\" \"T\" (5, 0)\n\
         LEVEL: \"a\" \"A\" @ (1, 0) 50\n\
         LEVEL: \"b\" \"A\" @ (1, 0) 101\n\
         LEVEL: \"a\" \"none\" @ (1, 0)\n\
         LEVEL: \"a-name-of-level\" \"none\" @ (1, 0)\n\
         CHAINLEVEL: \"c\" \"none\" \"a-name-of-level\" + (1, 70000)\n\
         BRANCH: \"Cellar\" @ (1, 0)\n\
         CHAINBRANCH: \"Nowhere\" \"a\" + (1, 0)\n\
         DUNGEON: \"Cellar\" \"T\" (0, 0)\n\
         LEVALIGN: lawful\n\
         ENTRY: 1\n\
         ENTRY: 2\n",
    );
    let run = place.splc(&["dungeon", "check", "--dialect", "343", "--message-format", "json", "odd.def"]).ends(FINE);
    let said: Vec<_> =
        run.json().iter().map(|said| (said["line"].as_u64(), said["code"].as_str().unwrap().to_owned())).collect();
    for (line, code) in [
        (3, "W0621"),
        (3, "W0627"),
        (4, "W0624"),
        (5, "W0620"),
        (6, "W0441"),
        (8, "W0622"),
        (8, "W0623"),
        (9, "W0621"),
        (9, "W0626"),
        (10, "W0625"),
        (12, "W0407"),
    ] {
        assert!(said.contains(&(Some(line), code.to_owned())), "{line} {code} is not in {said:?}");
    }
    place.splc(&["dungeon", "check", "--dialect", "343", "-D", "shared-bones", "odd.def"]).ends(INPUT_ERRORS);
    place.write("empty.def", "# nothing\n");
    place.splc(&["dungeon", "check", "--dialect", "343", "empty.def"]).ends(FINE).says(&["W0628"]);
    place
        .splc(&["dungeon", "show", "--dialect", "343", "odd.def"])
        .ends(INPUT_ERRORS)
        .says(&["E0630", "the game can exit at startup"]);
}

#[test]
fn a_description_is_formatted_and_preprocessed() {
    let place = small();
    place.splc(&["dungeon", "fmt", "--check", "--dialect", "36", "dungeon.def"]).ends(INPUT_ERRORS).says(&["E0629"]);
    place.splc(&["dungeon", "fmt", "--dialect", "36", "dungeon.def"]).is_fine();
    place.splc(&["dungeon", "fmt", "--check", "--dialect", "36", "dungeon.def"]).is_fine();
    let formatted = String::from_utf8(place.read("dungeon.def")).unwrap();
    assert!(formatted.starts_with("# A comment.\nDUNGEON:        \"The Top\" \"T\" (10, 3)\n"), "{formatted}");
    let prepared = place.splc(&["dungeon", "preprocess", "--dialect", "36", "dungeon.def"]).is_fine().out();
    assert!(
        prepared.starts_with("#\tThis data file is generated by 'makedefs'.  Do not edit. \nDUNGEON:"),
        "{prepared}"
    );
    place.splc(&["dungeon", "preprocess", "dungeon.def"]).ends(TROUBLE).says(&["unknown game of the dungeon"]);
}

#[test]
fn damage_is_reported_with_its_place() {
    let place = small();
    place.splc(&["dungeon", "compile", "--dialect", "36", "dungeon.def"]).is_fine();
    let mut bytes = place.read("dungeon");
    bytes.truncate(bytes.len() - 1);
    place.write("dungeon", &bytes);
    place.splc(&["dungeon", "decompile", "dungeon"]).ends(INPUT_ERRORS).says(&["E0305", "the file ends inside"]);
}

/// Runs splc under another name.
fn called(place: &Place, name: &str, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_splc_under_test"));
    command.arg0(name).args(arguments).current_dir(place.0.path()).env_remove("SPLC_TARGET").stdin(Stdio::null());
    Run::of(command)
}

#[test]
fn splc_replaces_dgn_comp() {
    let place = small();
    place.splc(&["dungeon", "preprocess", "--dialect", "36", "dungeon.def", "-o", "dungeon.pdf"]).is_fine();
    place.splc(&["dungeon", "compile", "--dialect", "36", "dungeon.def", "-o", "expected"]).is_fine();
    called(&place, "dgn_comp", &["dungeon.pdf"]).is_fine();
    assert_eq!(place.read("dungeon"), place.read("expected"));

    let refused = called(&place, "dgn_comp", &["dungeon.def"]).ends(1);
    assert_eq!(refused.err, "Error - file name \"dungeon.def\" in wrong format.\n");
    called(&place, "dgn_comp", &["absent.pdf"]).ends(1).says(&["Can't open absent.pdf for input.\n"]);

    // A chain is checked after the next token was read, here on the line after next.
    place.write(
        "wrong.pdf",
        "DUNGEON: \"a\" \"none\" (5, 0)\nCHAINLEVEL: \"b\" \"none\" \"c\" + (1, 0)\n\nLEVEL: \"d\" \"none\" @ 5\n",
    );
    let wrong = called(&place, "dgn_comp", &["wrong.pdf"]).ends(1);
    let lines: Vec<&str> = wrong.err.lines().filter(|line| !line.starts_with(' ')).collect();
    assert!(lines[0].starts_with("wrong.pdf : line 4 : ") && lines[0].ends_with("(line 2)"), "{lines:?}");
    assert!(lines[1] == "wrong.pdf : line 4 : the place of a level must be in parentheses", "{lines:?}");
    assert!(!place.names().contains(&"wrong".to_owned()));

    let mut command = Command::new(env!("CARGO_BIN_EXE_splc_under_test"));
    command.arg0("dgn_comp").current_dir(place.0.path()).env("SPLC_TARGET", "nethack-3.6.7");
    assert_eq!(Run::reading(command, &place.read("dungeon.pdf")).is_fine().out, place.read("expected"));
}

#[test]
fn splc_replaces_dlb() {
    let place = Place::new();
    place.write("a.lev", "a level").write("dungeon", "a dungeon").write("files.lst", "a.lev\ndungeon\n");
    assert_eq!(called(&place, "dlb", &["cvf", "made", "a.lev", "dungeon"]).is_fine().out(), "a.lev\ndungeon\n");
    called(&place, "dlb", &["cI", "files.lst"]).is_fine();
    assert_eq!(place.read("made"), place.read("nhdat"));
    assert_eq!(called(&place, "dlb", &["t"]).is_fine().out(), "Directory\na.lev\ndungeon\n");
    let listed = called(&place, "dlb", &["tv"]).is_fine().out();
    assert!(listed.ends_with("Revision:1  File count:3  String size:24\n"), "{listed}");
    place.write("out/x", "");
    assert_eq!(called(&place, "dlb", &["xvfC", "../nhdat", "out", "a.lev"]).is_fine().out(), "x a.lev\n");
    assert_eq!(place.read("out/a.lev"), b"a level");

    let usage =
        "Usage: dlb [ctxCIfv] arguments... [files...]\n  default library is nhdat\n  default list file is dlb.lst\n";
    assert_eq!(called(&place, "dlb", &[]).ends(1).out(), usage);
    assert!(called(&place, "dlb", &["h"]).ends(1).out().ends_with(usage));
    assert_eq!(called(&place, "dlb", &["tx"]).ends(1).out(), format!("Only one of t,x,c may be specified.\n{usage}"));
    assert_eq!(called(&place, "dlb", &["v"]).ends(1).out(), "Internal error - action.\n");
    assert_eq!(called(&place, "dlb", &["c"]).ends(1).out(), "No files to archive\n");
    assert_eq!(called(&place, "dlb", &["cI", "files.lst", "a.lev"]).ends(1).out(), "Too many arguments.\n");
    assert_eq!(called(&place, "dlb", &["tf", "a.lev"]).ends(1).out(), "Can't open dlb file\n");
    assert_eq!(called(&place, "dlb", &["c", "absent"]).ends(1).out(), "Can't open absent\n");
}

#[test]
fn level_names_are_compared_both_ways() {
    let place = Place::new();
    place.write(
        "dungeon.def",
        "DUNGEON: \"Top\" \"T\" (10, 0)\n\
         LEVEL: \"inn\" \"none\" @ (2, 0)\n\
         RNDLEVEL: \"hall\" \"none\" @ (3, 0) 3\n\
         LEVEL: \"castle\" \"none\" @ (4, 0)\n\
         LEVEL: \"rogue\" \"none\" @ (5, 0)\n\
         BRANCH: \"Tower\" @ (1, 0)\n\
         DUNGEON: \"Tower\" \"T\" (3, 0)\n\
         PROTOFILE: \"tower\"\n\
         LEVEL: \"tower1\" \"none\" @ (1, 0)\n",
    );
    for name in ["hall-1", "hall-2", "hall-4", "hall", "castle-1", "tower1", "tower2", "minefill"] {
        place.write(&format!("levels/{name}.lev"), "");
    }
    place.write("more/inm.des", level("inm", "a name with a mistake")).write("more/notes.txt", "not a level");
    let check =
        ["dungeon", "check", "--target", "nethack-3.6.7", "dungeon.def", "--levels", "levels", "--levels", "more"];
    let run = place.splc(&[&check[..], &["-A", "shared-bones", "--message-format", "json"]].concat()).ends(FINE);
    let said: Vec<(String, Option<u64>)> =
        run.json().iter().map(|said| (said["message"].as_str().unwrap().to_owned(), said["line"].as_u64())).collect();
    let mut expected = vec![
        ("no level named \"inn\"".to_owned(), Some(2)),
        ("no level named \"hall-3\"".to_owned(), Some(3)),
        ("no level named \"castle\"".to_owned(), Some(4)),
        ("no level named \"tower3\"".to_owned(), Some(8)),
        ("\"hall-4\" is not used: \"hall\" has 3 variants".to_owned(), Some(3)),
        ("\"hall\" is not used: it has variants, \"hall-1\" and so on".to_owned(), Some(3)),
        ("\"castle-1\" is not used: \"castle\" has no variants".to_owned(), Some(4)),
        ("no dungeon uses the level \"inm\"".to_owned(), None),
    ];
    let mut found = said.clone();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    place.splc(&check).says(&["did you mean \"inm\"?"]);
    place.splc(&[&check[..], &["-D", "level-missing"]].concat()).ends(INPUT_ERRORS);
}

const OWN: &str = "dungeon = {\n   { name = \"The Top\", base = 9, lvlfill = \"cellar\",\n      \
                   levels = { { name = \"inn\", base = 2 }, { name = \"moon\", base = 5, chance = 30 } } },\n}\n";

/// Portals of NetHack 5 must lead to levels of its dungeon, or of the dungeon given by the user.
#[test]
fn portals_lead_to_levels_of_the_given_dungeon() {
    let place = Place::new();
    place.write("dungeon.lua", OWN);
    let portal = |level: &str| {
        let region = format!("des.levregion({{ region = {{ 2,2, 5,5 }}, type = \"portal\", name = \"{level}\" }})\n");
        format!("des.level_init({{ style = \"solidfill\", fg = \".\", lit = 1 }})\ndes.stair(\"up\", 9, 9)\n{region}")
    };
    for (level, usual, own) in [
        ("fire", None, Some("the dungeon of dungeon.lua has no level \"fire\"")),
        ("INN", Some("the dungeon of NetHack 5.0.0 has no level \"INN\""), None),
        ("moon", Some("has no level \"moon\""), Some("the dungeon of dungeon.lua has no level \"moon\" in some games")),
        ("bigrm", Some("the dungeon of NetHack 5.0.0 has no level \"bigrm\" in some games"), Some("has no level")),
        ("4", None, None),
    ] {
        place.write("x.lua", portal(level));
        for (said, more) in [(usual, &[][..]), (own, &["--dungeon-file", "dungeon.lua"])] {
            let check = place.splc(&[&["check", "x.lua"], more].concat());
            let lacks = said.is_some_and(|said| said.contains("no level") && !said.contains("in some games"));
            match said {
                Some(said) => check.ends(0).says(&["W0633", said, "x.lua:3:"]),
                None => check.is_fine(),
            };
            for command in [&["run", "x.lua"][..], &["test", "--seeds", "3", "x.lua"]] {
                let run = place.splc(&[command, more].concat());
                match lacks {
                    true => run.ends(INPUT_ERRORS).says(&["a portal leads to", "the game crashes", "x.lua:3:"]),
                    false => run.ends(0),
                };
            }
        }
    }
    // Of other games, only the dungeon of a file is known.
    place.write("x.des", "MAZE:\"x\",' '\nNOMAP\nPORTAL:(1,1,3,3),(0,0,0,0),\"in\"\n");
    let check = ["check", "--dialect", "nethack36", "x.des"];
    place.splc(&check).is_fine();
    place.splc(&[&check[..], &["--dungeon-file", "dungeon.lua"]].concat()).ends(0).says(&["W0633", "x.des:3:"]);
    let broken = ["check", "x.lua", "--dungeon-file", "missing.lua"];
    place.splc(&broken).ends(TROUBLE).says(&["cannot read missing.lua"]);
    place.write("missing.lua", "dungeon = 5\n");
    place.splc(&broken).ends(INPUT_ERRORS);
}

/// The levels of NetHack 5 are Lua scripts, and one of them can fill a dungeon.
#[test]
fn scripts_are_levels_of_a_dungeon() {
    let place = Place::new();
    place.write("dungeon.lua", OWN).write("levels/inn.lua", "").write("levels/cellar.lua", "");
    place.write("levels/nhlib.lua", "").write("levels/attic.lua", "");
    let check = ["dungeon", "check", "--message-format", "short", "dungeon.lua", "--levels", "levels"];
    let said = place.splc(&check).ends(0).says(&["no level named \"moon\"", "uses the level \"attic\""]).err;
    assert!(!["\"inn\"", "\"cellar\"", "nhlib"].iter().any(|name| said.contains(name)), "{said}");
}

/// NetHack 5 panics without the Tutorial, and reads the name of the level that fills the Mines.
#[test]
fn a_dungeon_for_nethack_5_has_what_other_games_have_in_their_code() {
    let place = Place::new();
    let mines = "BRANCH: \"The Gnomish Mines\" @ (2, 0)\nDUNGEON: \"The Gnomish Mines\" \"M\" (4, 0)\n";
    place.write("dungeon.def", format!("DUNGEON: \"The Top\" \"T\" (5, 0)\n{mines}"));
    let compile = ["dungeon", "compile", "--dialect", "nethack36", "--emit", "lua", "dungeon.def", "-o", "-"];
    let lua = place.splc(&compile).is_fine().out();
    assert_eq!(lua.matches("lvlfill = \"minefill\"").count(), 1, "{lua}");
    assert_eq!(lua.matches("name = \"The Tutorial\"").count(), 1, "{lua}");
    // A dungeon of NetHack 5 stays as it is.
    place.write("dungeon.lua", &lua);
    assert_eq!(place.splc(&["dungeon", "compile", "--emit", "lua", "dungeon.lua", "-o", "-"]).is_fine().out(), lua);
}

/// Keys for features of dungeon.lua were added later: documents without them are read, and name their game.
#[test]
fn lua_only_keys_are_optional() {
    let place = Place::new();
    place.write("dungeon.lua", OWN);
    let text = place.splc(&["dungeon", "compile", "--emit", "json", "dungeon.lua", "-o", "-"]).is_fine().out();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let lua = json["dungeons"][0].as_object_mut().unwrap().remove("lua").unwrap();
    assert_eq!(lua["filling"], "cellar");
    place.write("old.json", json.to_string());
    let shown = place.splc(&["dungeon", "show", "old.json"]).is_fine().out();
    assert!(shown.contains("inn"), "{shown}");
    json["dungeons"][0]["lua"] = serde_json::json!({ "filling": "cellar" });
    place.write("part.json", json.to_string());
    place.splc(&["dungeon", "show", "part.json"]).is_fine();
    json["dungeons"][0]["lua"] = serde_json::json!({ "filing": "cellar" });
    place.write("wrong.json", json.to_string());
    place.splc(&["dungeon", "show", "wrong.json"]).ends(INPUT_ERRORS).says(&["did you mean"]);
}

#[test]
fn a_name_that_no_description_can_write_is_an_error() {
    let place = small();
    place.splc(&["dungeon", "compile", "--target", "nethack-3.4.3", "dungeon.def"]).is_fine();
    let mut bytes = place.read("dungeon");
    let at = bytes.windows(4).position(|part| part == b"wine").unwrap();
    bytes[at + 1] = b'"';
    place.write("dungeon", &bytes);
    place.splc(&["dungeon", "decompile", "--target", "nethack-3.4.3", "dungeon"]).ends(INPUT_ERRORS).says(&["E0309"]);
}
