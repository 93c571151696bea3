//! `splc test`: exit codes, output formats, and the selection of levels and seeds.

use serde_json::Value;

use super::*;

const CELLARS: &str = "\
LEVEL: \"closed\"
GEOMETRY: center, center
MAP
-----------
|....|....|
|....|....|
-----------
ENDMAP
STAIR: (1,1), up
STAIR: (9,2), down

LEVEL: \"open\"
GEOMETRY: center, center
MAP
------
|....|
------
ENDMAP
STAIR: (1,1), up
STAIR: (4,1), down
";

fn cellars() -> Place {
    let place = Place::new();
    place.write("cellars.des", CELLARS);
    place
}

fn test(place: &Place, arguments: &[&str]) -> Run {
    place.splc(&[&["test", "--dialect", "unnethack"], arguments].concat())
}

#[test]
fn findings_come_with_the_statement_and_a_picture() {
    let run = test(&cellars(), &["cellars.des"]).ends(FINE).says(&[
        "W0908",
        "cannot be reached from the way up without digging",
        "cellars.des:10:1",
        "on all 200 seeds, first on seed 1",
    ]);
    assert!(run.err.lines().any(|line| line.starts_with(" > ") && line.contains('>')), "{}", run.err);
    assert_eq!(run.out(), "2 levels, 200 seeds each: 1 finding\n");
}

#[test]
fn other_heroes_and_depths_are_tried() {
    let place = Place::new();
    place.write(
        "hall.des",
        "LEVEL: \"open\"\nGEOMETRY: center, center\nMAP\n------\n|....|\n------\nENDMAP\nSTAIR: (1,1), up\n\
         IF [level.depth > 20] {\n  OBJECT: ('(', \"chest\"), (2,0)\n}\n",
    );
    let run = test(&place, &["hall.des"]).ends(FINE).says(&["hall.des:10:3", "only with another game: --depth 26"]);
    assert_eq!(run.err.matches("W0912").count(), 1, "{}", run.err);
    // The option that it names shows the finding.
    test(&place, &["--depth", "26", "hall.des"]).ends(FINE).says(&["W0912", "on all 200 seeds"]);
    test(&place, &["--depth", "3", "hall.des"]).ends(FINE).says(&[]);
    place.write(
        "hall.lua",
        "des.level_init({ style = \"solidfill\", fg = \" \", lit = 1 })\ndes.map([[\n------\n|....|\n------\n]])\n\
         des.stair(\"up\", 1, 1)\nif u.role == \"Samurai\" then\n  des.object(\"chest\", 1, 0)\nend\n",
    );
    place.splc(&["test", "hall.lua"]).ends(FINE).says(&["W0912", "--hero wizard/Samurai/human/neutral"]);
}

#[test]
fn denied_findings_are_errors() {
    let place = cellars();
    test(&place, &["-D", "unreachable-stairs", "cellars.des"]).ends(INPUT_ERRORS);
    test(&place, &["-A", "unreachable-stairs", "cellars.des"]).ends(FINE).says(&[]);
    test(&place, &["--level", "open", "cellars.des"]).ends(FINE).says(&[]);
    test(&place, &["--level", "opn", "cellars.des"]).ends(TROUBLE).says(&["did you mean \"open\"?"]);
}

#[test]
fn json_has_the_place_and_the_counts() {
    let run = test(&cellars(), &["--message-format", "json", "--seeds", "5..24", "cellars.des"]).ends(FINE);
    let found: Value = serde_json::from_str(run.err.lines().next().unwrap()).unwrap();
    assert_eq!(found["name"], "unreachable-stairs");
    assert_eq!(found["line"], 10);
    let finding = &found["finding"];
    assert_eq!((&finding["level"], &finding["first_seed"]), (&Value::from("closed"), &Value::from(5)));
    assert_eq!((&finding["seeds"], &finding["of"]), (&Value::from(20), &Value::from(20)));
    assert_eq!(finding["place_in_map"], serde_json::json!([9, 2]));
    assert_eq!(finding["picture"].as_array().unwrap().len(), 21);
    assert!(run.out().is_empty());
}

#[test]
fn the_report_does_not_depend_on_threads() {
    let place = cellars();
    let report = |threads: &str| test(&place, &["--seeds", "50", "--threads", threads, "cellars.des"]).err;
    assert_eq!(report("1"), report("5"));
    assert_eq!(report("1"), report("99999999"));
}

#[test]
fn a_dungeon_beside_the_levels_says_which_stairs_they_need() {
    let place = Place::new();
    let level = "LEVEL: \"cellar\"\nGEOMETRY: center, center\nMAP\n....\nENDMAP\nSTAIR: (0,0), up\n";
    place.write("cellar.des", level);
    let is_silent = || test(&place, &["--seeds", "3", "cellar.des"]).ends(FINE).err.is_empty();
    assert!(is_silent());
    let dungeon = "DUNGEON: \"The Dungeons of Doom\" \"D\" (9,0)\nLEVEL: \"cellar\" \"none\" @ (2,0)\n";
    place.write("dungeon.def", dungeon);
    test(&place, &["--seeds", "3", "cellar.des"]).ends(FINE).says(&["W0938", "has no way down"]);
    // A hole is a way down.
    place.write("cellar.des", format!("{level}TRAP: \"hole\", (3,0)\n"));
    assert!(is_silent());
    place.write("cellar.des", level);
    // A dungeon that no option names and has errors is not used.
    place.write("dungeon.def", format!("{dungeon}LEVEL: 5\n"));
    assert!(is_silent());
}

#[test]
fn a_thing_in_a_wall_whose_check_is_skipped_is_meant() {
    let place = Place::new();
    let words = "extends = \"nethack-3.4.3\"\nname = \"own\"\ntitle = \"Own\"\n[words.place_check]\nnoskipcheck = 1\nskipcheck = 0\n";
    place.write("own.toml", words);
    let level = |check: &str| {
        format!(
            "MAZE: \"crypt\", ' '\nGEOMETRY: center, center\nMAP\n----\n|..|\n----\nENDMAP\nSTAIR: (1,1), up\nOBJECT: '?', \"fire\", (0,0){check}\n"
        )
    };
    let run = |check: &str| {
        place.write("crypt.des", level(check));
        place.splc(&["test", "--catalog", "own.toml", "--seeds", "3", "crypt.des"]).ends(FINE)
    };
    run("").says(&["W0912", "inside a wall"]);
    assert!(!run("[skipcheck]").err.contains("W0912"));
}

#[test]
fn some_games_leave_out_an_ordinary_room_by_its_chance() {
    let place = Place::new();
    let game = |rules: &str| {
        let own = "name = \"own\"\ntitle = \"Own\"\nfeatures = [\"ordinary_room_chances\"]";
        format!("extends = \"nethack-3.4.3\"\n{own}\n{rules}")
    };
    let level = "LEVEL: \"inn\"\nROOM: \"ordinary\", lit, random, random, (5,5)\nSTAIR: random, up\n\
        ROOM: \"ordinary\", lit, random, random, (5,5)\nCHANCE: 50\nSTAIR: random, down\nRANDOM_CORRIDORS\n";
    place.write("inn.des", level);
    let run = |rules: &str| {
        place.write("own.toml", game(rules));
        place.splc(&["test", "--catalog", "own.toml", "--seeds", "20", "inn.des"]).ends(FINE).err
    };
    assert_eq!(run(""), "");
    let found = run("[loader]\nrules = [\"unlikely_rooms_are_left_out\"]\n");
    assert!(found.contains("on some seeds this level has no way down"), "{found}");
    assert!(!found.contains("W0903"), "{found}");
}

#[test]
fn stairs_out_of_a_dungeon_and_a_branch_in_place_of_stairs_are_reported() {
    let place = Place::new();
    let level = |stairs: &str| format!("LEVEL: \"cellar\"\nGEOMETRY: center, center\nMAP\n....\nENDMAP\n{stairs}");
    let dungeon = "DUNGEON: \"The Dungeons of Doom\" \"D\" (9,0)\nBRANCH: \"The Cellars\" @ (2,0)\n\
                   DUNGEON: \"The Cellars\" \"C\" (2,0)\nLEVEL: \"cellar\" \"none\" @ (2,0)\n";
    place.write("dungeon.def", dungeon);
    let run = |stairs: &str| {
        place.write("cellar.des", level(stairs));
        test(&place, &["--seeds", "3", "cellar.des"]).ends(FINE)
    };
    run("STAIR: (0,0), up\nSTAIR: (3,0), down\n").says(&["W0938", "at the end of their dungeon"]);
    run("BRANCH: (0,0,0,0), (0,0,0,0)\n").says(&["W0938", "has no way up"]);
    assert!(run("STAIR: (0,0), up\n").err.is_empty());
}

#[test]
fn nobody_falls_out_of_the_last_level_of_a_dungeon_but_the_first() {
    let place = Place::new();
    let level =
        "LEVEL: \"cellar\"\nGEOMETRY: center, center\nMAP\n....\nENDMAP\nSTAIR: (0,0), up\nTRAP: \"hole\", (3,0)\n";
    place.write("cellar.des", level);
    let last = "LEVEL: \"cellar\" \"none\" @ (-1,0)\n";
    let first = "DUNGEON: \"The Dungeons of Doom\" \"D\" (9,0)\n";
    place.write("dungeon.def", format!("{first}{last}"));
    assert!(test(&place, &["--seeds", "3", "cellar.des"]).ends(FINE).err.is_empty());
    let second = "BRANCH: \"The Cellars\" @ (2,0)\nDUNGEON: \"The Cellars\" \"C\" (2,0)\n";
    place.write("dungeon.def", format!("{first}{second}{last}"));
    test(&place, &["--seeds", "3", "cellar.des"]).ends(FINE).says(&["W0944", "leads nowhere"]);
}
