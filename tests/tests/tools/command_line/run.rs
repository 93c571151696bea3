//! All options of `splc run`.

use super::*;

/// Runs `splc run` for UnNetHack with `arguments`, and `input` as its standard input.
fn run_reading(place: &Place, input: &str, arguments: &[&str]) -> Run {
    Run::reading(place.command(&[&["run", "--dialect", "unnethack"], arguments].concat()), input.as_bytes())
}

fn run(place: &Place, arguments: &[&str]) -> Run {
    place.splc(&[&["run", "--dialect", "unnethack"], arguments].concat())
}

/// A level with one of everything that is easy to see.
const YARD: &str = "\
LEVEL: \"yard\"
GEOMETRY: center,center
MAP
-----
|...|
|...+
-----
ENDMAP
STAIR: (1,1), up
MONSTER: ('h', \"dwarf\"), (2,1)
OBJECT: ('(', \"chest\"), (3,1)
TRAP: \"web\", (1,2)
$turns = 2d3
LOOP [$turns] {
  MONSTER: 'o', random
}
DOOR: locked, (4,2)
";

fn yard() -> Place {
    let place = Place::new();
    place.write("yard.des", format!("{YARD}\nLEVEL: \"other\"\nFOUNTAIN: (10,10)\n"));
    place
}

#[test]
fn a_level_is_drawn_with_a_legend() {
    let out = run(&yard(), &["yard.des", "--level", "yard"]).is_fine().out();
    assert!(out.starts_with("yard, seed 1 (UnNetHack 6.0.4)\n"), "{out}");
    assert!(out.contains("|<h"), "{out}");
    assert!(out.contains("+\n"), "{out}");
    for entry in ["<  stairs up: ", "+  locked door: ", "\"  web: ", "h  dwarf: ", "(  chest: ", "o  random o (orc): "]
    {
        assert!(out.contains(entry), "{entry} is not in:\n{out}");
    }
    assert!(!out.contains('\u{1b}') && !out.contains("fountain"), "{out}");
}

#[test]
fn all_levels_are_drawn_unless_some_are_named() {
    let place = yard();
    let out = run(&place, &["yard.des"]).is_fine().out();
    assert!(out.contains("yard, seed 1") && out.contains("\n\nother, seed 1"), "{out}");
    let both = run(&place, &["yard.des", "--level", "yard", "--level", "other"]).is_fine().out();
    assert_eq!(out, both);
    let run = run(&place, &["yard.des", "--level", "yart"]).ends(TROUBLE).says(&["did you mean \"yard\"?"]);
    assert!(run.out.is_empty());
}

#[test]
fn colour_is_used_on_request() {
    let place = yard();
    let coloured = run(&place, &["yard.des", "--color", "always"]).is_fine().out();
    assert!(coloured.contains("\u{1b}["));
    let plain = run(&place, &["yard.des", "--color", "never"]).is_fine().out();
    let mut stripped = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        stripped.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    stripped.push_str(rest);
    assert_eq!(stripped, plain);
}

#[test]
fn seeds_determine_the_level() {
    let place = yard();
    let one = run(&place, &["yard.des", "--seed", "3"]).is_fine().out();
    assert!(one.starts_with("yard, seed 3 "));
    assert_eq!(one, run(&place, &["yard.des", "--seed", "3"]).is_fine().out());
    let several = run(&place, &["yard.des", "--level", "yard", "--seeds", "2..4"]).is_fine().out();
    let titles: Vec<&str> = several.lines().filter(|line| line.starts_with("yard, seed ")).collect();
    assert_eq!(titles.len(), 3);
    assert!(
        one.starts_with(&several[several.find("yard, seed 3").unwrap()..several.find("\n\nyard, seed 4").unwrap()])
    );
    for (wrong, said) in [("five", "A..B"), ("9..3", "3..9"), ("a..b", "is not a number")] {
        run(&place, &["yard.des", "--seeds", wrong]).ends(TROUBLE).says(&[said]);
    }
    run(&place, &["yard.des", "--seed", "1", "--seeds", "1..2"]).ends(TROUBLE).says(&["--seeds"]);
}

#[test]
fn a_level_file_runs_as_its_source_does() {
    let place = yard();
    place.unnethack(&["yard.des"]).is_fine();
    let source = run(&place, &["yard.des", "--level", "yard", "--trace"]).is_fine().out();
    assert_eq!(place.splc(&["run", "yard.lev", "--trace"]).is_fine().out(), source);
    assert_eq!(place.splc(&["run", "yard.lev", "--target", "unnethack-6.0.4", "--trace"]).is_fine().out(), source);
    place.splc(&["run", "yard.des"]).ends(FINE).says(&["yard.des is read as"]);
    let mut damaged = place.read("yard.lev");
    damaged.truncate(damaged.len() - 3);
    place.write("yard.lev", damaged);
    place.splc(&["run", "yard.lev"]).ends(INPUT_ERRORS).says(&["the file ends inside"]);
}

#[test]
fn a_trace_has_draws_events_and_the_level() {
    let place = yard();
    let trace = run(&place, &["yard.des", "--level", "yard", "--trace"]).is_fine().out();
    let events = run(&place, &["yard.des", "--level", "yard", "--trace=events"]).is_fine().out();
    assert!(trace.lines().any(|line| line.starts_with("D ")) && trace.contains("\nE mon "), "{trace}");
    let without: String = trace.split_inclusive('\n').filter(|line| !line.starts_with("D ")).collect();
    assert_eq!(without, events);
    let draws = trace.lines().filter(|line| line.starts_with("D ")).count();
    assert!(trace.contains(&format!("\ndraws {draws} ")), "{trace}");
    let several = run(&place, &["yard.des", "--level", "yard", "--trace", "--seeds", "1..2"]).is_fine().out();
    assert!(several.starts_with(&format!("level yard, seed 1\n{trace}\nlevel yard, seed 2\n")), "{several}");
}

#[test]
fn json_has_the_level() {
    let place = yard();
    let out = run(&place, &["yard.des", "--level", "yard", "--json", "--seeds", "1..2"]).is_fine().out();
    let levels: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(levels.len(), 2);
    let level = &levels[0];
    assert_eq!(
        (&level["level"], &level["seed"], &level["game"]),
        (&"yard".into(), &1.into(), &"unnethack-6.0.4".into())
    );
    for rows in ["terrain", "picture", "light"] {
        let rows = level[rows].as_array().unwrap();
        assert!(rows.len() == 21 && rows.iter().all(|row| row.as_str().unwrap().len() == 79));
    }
    assert_eq!(level["monsters"][0]["what"], "dwarf");
    assert_eq!(level["objects"][0]["what"], "chest");
    assert_eq!(level["traps"][0]["what"], "web");
    assert_eq!(level["stairs"][0]["what"], "up");
    assert_eq!(level["doors"][0]["state"], "locked door");
    // The picture shows the dwarf at its place.
    let (x, y) = (level["monsters"][0]["x"].as_u64().unwrap(), level["monsters"][0]["y"].as_u64().unwrap());
    assert_eq!(&level["picture"][y as usize].as_str().unwrap()[x as usize - 1..x as usize], "h");
}

#[test]
fn the_game_around_the_level_can_be_set() {
    let place = Place::new();
    let asking = "\
LEVEL: \"asks\"
$role = ROLE()
IF [$role == \"Valkyrie\"] { MESSAGE: \"a Valkyrie\" }
";
    place.write("asks.des", asking);
    // The corpus covers the dialect's own expressions for these settings; only the options are tested here.
    for (arguments, said) in [
        (&["--depth", "0"][..], "0"),
        (&["--hero", "a/b/c/evil"], "lawful, neutral and chaotic"),
        (&["--time", "tomorrow"], "2001-09-09T01:46:40"),
        (&["--time", "2001-02-30"], "is not a valid time"),
    ] {
        run(&place, &[&["asks.des"], arguments].concat()).ends(TROUBLE).says(&[said]);
    }
    let place = yard();
    run(&place, &["yard.des", "--carry", "chesst"]).ends(TROUBLE).says(&["did you mean \"chest\"?"]);
    run(&place, &["yard.des", "--hero", "Anna/Walkyrie"])
        .ends(TROUBLE)
        .says(&["no role", "did you mean \"Valkyrie\"?"]);
    let arguments = ["yard.des", "--carry", "chest", "--hero", "Anna/Valkyrie", "--depth", "9", "--time", "2020-10-31"];
    run(&place, &arguments).is_fine();
}

#[test]
fn statistics_add_up() {
    let place = yard();
    let arguments = ["yard.des", "--level", "yard", "--stats", "--seeds", "1..200"];
    let out = run(&place, &arguments).is_fine().out();
    for part in ["200 levels, ", "most common terrain of each square", "distribution of monsters", "monsters per level"]
    {
        assert!(out.contains(part), "{part} is not in:\n{out}");
    }
    // The game flips the level on some seeds, but the squares are counted where they were before.
    assert!(!out.contains("how often the terrain differs from it"), "{out}");
    place.write("tree.des", "LEVEL: \"tree\"\nGEOMETRY: left,top\nMAP\n...\nENDMAP\n[50%]: TERRAIN: (0,0), 'T'\n");
    let varied = run(&place, &["tree.des", "--stats", "--seeds", "1..200"]).out();
    assert!(varied.contains("how often the terrain differs from it: 1 square"), "{varied}");
    let line = |name: &str| {
        let line = out.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(line("dwarf")[1..], ["1.000", "1", "1", "100", "%"]);
    // 2d3: from 2 to 6.
    assert_eq!(line("random o (orc)")[4..6], ["2", "6"]);
    for threads in ["1", "5"] {
        assert_eq!(run(&place, &[&arguments[..], &["--threads", threads]].concat()).is_fine().out(), out);
    }
}

#[test]
fn failed_rooms_are_counted() {
    let place = Place::new();
    let crowded = "ROOM: \"ordinary\", lit, random, random, (15,15) { }\n".repeat(8);
    place.write("crowd.des", format!("LEVEL: \"crowd\"\n{crowded}"));
    let out = run(&place, &["crowd.des", "-A", "no-corridors", "--stats", "--seeds", "1..50"]).is_fine().out();
    assert!(out.contains("crowd.des:9: ") && out.contains(" of 50 times, "), "{out}");
}

#[test]
fn a_picture_is_a_png_file() {
    let place = yard();
    for (arguments, panels) in [(&["--level", "yard"][..], 1), (&[], 2), (&["--stats", "--seeds", "1..20"], 4)] {
        run(&place, &[&["yard.des", "--png", "yard.png"], arguments].concat()).is_fine();
        let bytes = place.read("yard.png");
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let (width, height) = reader.info().size();
        // Boards of some rows, each with at least a title and an axis. Levels are cropped.
        assert!(width >= 40 * 8 && height >= panels * 8 * 16, "{width} x {height}");
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let first = pixels[..3].to_vec();
        assert!(pixels.chunks_exact(3).any(|pixel| pixel != first), "the picture is empty");
    }
    let arguments = ["yard.des", "--level", "yard", "--svg", "yard.svg", "--html", "yard.html"];
    run(&place, &arguments).is_fine();
    for (name, begin, end) in [("yard.svg", "<svg ", "</svg>\n"), ("yard.html", "<!DOCTYPE html>", "</html>\n")] {
        let text = String::from_utf8(place.read(name)).unwrap();
        assert!(text.starts_with(begin) && text.ends_with(end), "{text}");
        // The title, an axis, the legend, and symbols that have a meaning in markup.
        for part in ["yard, seed 1 (UnNetHack 6.0.4)", "&lt;", "dwarf", "web"] {
            assert!(text.contains(part), "{part} is not in {name}");
        }
    }
    let wiki = run(&place, &["yard.des", "--level", "yard", "--wiki", "-"]).is_fine().out();
    assert!(wiki.starts_with("'''yard, seed 1 (UnNetHack 6.0.4)'''\n<div class=\"ttyscreen\">"), "{wiki}");
    for part in ["{{white|&#60;}}", "* {{red|h}} ", "{{brown|+}}", "<br>\n", "</div>\n\n;"] {
        assert!(wiki.contains(part), "{part} is not in {wiki}");
    }
    // The only markup is that of the templates: no letter of the level is markup.
    let screen = wiki.split_once("ttyscreen\">").unwrap().1.split_once("</div>").unwrap().0;
    for line in screen.split("<br>\n") {
        assert_eq!(line.matches("{{").count(), line.matches("}}").count(), "{line}");
        assert_eq!(line.matches('|').count(), line.matches("{{").count(), "{line}");
    }
    run(&place, &["yard.des", "--png", "nowhere/yard.png"]).ends(TROUBLE).says(&["nowhere/yard.png"]);
    run(&place, &["yard.des", "--seeds", "1..99", "--png", "x.png"]).ends(TROUBLE).says(&["64 levels"]);
    assert!(!place.names().contains(&"x.png".to_owned()));
}

#[test]
fn a_script_can_be_stepped() {
    let place = yard();
    let commands = "n\nn\nn\nm\nb 15\nb\nc\np\nl\ns\ns\nd 15\nd 15\nb 999\nwhat\nh\nc\n";
    let out = run_reading(&place, commands, &["yard.des", "--level", "yard", "--step"]).is_fine().out();
    for part in [
        "yard.des:1: LEVEL: \"yard\"\n",
        "yard.des:2: GEOMETRY: center,center\n",
        "yard.des:9: STAIR: (1,1), up\n",
        "|<..|\n",
        "breakpoint at line 15:   MONSTER: 'o', random\n",
        "breakpoints: 15\n",
        "yard.des:15:   MONSTER: 'o', random\n",
        "$turns = ",
        ">*   15    MONSTER: 'o', random\n",
        "  opcode ",
        "deleted the breakpoint at line 15\n",
        "no breakpoint at line 15\n",
        "the des-file has lines 1 to ",
        "unknown command 'what'; h lists the commands\n",
        "n, next        run to the next statement",
        "\nyard, seed 1 (UnNetHack 6.0.4)\n",
    ] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
}

#[test]
fn a_breakpoint_stops_every_time() {
    let place = yard();
    let out = run_reading(&place, "c\nc\nq\n", &["yard.des", "--level", "yard", "--break", "15"]).is_fine().out();
    // The loop runs four times with this seed.
    assert_eq!(out.matches("yard.des:15: ").count(), 3, "{out}");
    // At the end of the input the level runs on.
    let out = run_reading(&place, "", &["yard.des", "--level", "yard", "--break", "15"]).is_fine().out();
    assert_eq!(out.matches("yard.des:15: ").count(), 1, "{out}");
    assert!(out.contains("\nfeatures\n"), "{out}");
    let out = run_reading(&place, "q\n", &["yard.des", "--step"]).is_fine().out();
    assert!(!out.contains("features"), "{out}");
    run_reading(&place, "", &["-", "--step"]).ends(TROUBLE).says(&["the level must be a file"]);
    // Without a source, opcodes are shown.
    place.unnethack(&["yard.des"]).is_fine();
    let out = run_reading(&place, "s\nn\nl\np\nq\n", &["yard.lev", "--step"]).is_fine().out();
    assert!(out.contains("opcode 0: ") && out.contains("no source\n"), "{out}");
}

#[test]
fn a_fault_is_shown_at_its_statement() {
    let place = Place::new();
    let text = "LEVEL: \"bad\"\nIF [50%] {\n  $foe = monster: 'o'\n}\nMONSTER: $foe, (10,10)\n";
    place.write("bad.des", text);
    let stops = ["bad.des:5:1", "E0501", "the variable $foe has no value here"];
    let seeds = ["--seeds", "1..20"];
    let shown = run(&place, &[&["bad.des"], &seeds[..]].concat()).ends(INPUT_ERRORS).says(&stops);
    assert!(shown.out().contains("bad, seed "), "{}", shown.out());
    assert!(shown.err.contains(" of 20 seeds, first on seed "), "{}", shown.err);
    let counted = run(&place, &[&["bad.des", "--stats"], &seeds[..]].concat()).ends(INPUT_ERRORS).says(&stops);
    assert!(counted.out().contains(" of the levels fail to load"), "{}", counted.out());
    assert_eq!(counted.err, shown.err);
}

/// The picture of a run, without its title.
fn picture(run: Run) -> String {
    run.is_fine().out().split_once('\n').unwrap().1.split("\n\n\n").next().unwrap().to_owned()
}

#[test]
fn a_frozen_level_is_always_the_level_of_its_seed() {
    let place = yard();
    let level = ["yard.des", "--level", "yard", "--seed"];
    for seed in ["1", "2", "3"] {
        let frozen = [&level[..], &[seed, "--freeze", "frozen.des"]].concat();
        run(&place, &frozen).is_fine();
        let wanted = picture(run(&place, &[&level[..], &[seed]].concat()));
        for other in ["7", "8"] {
            assert_eq!(picture(run(&place, &["frozen.des", "--seed", other])), wanted);
        }
    }
    let text = String::from_utf8(place.read("frozen.des")).unwrap();
    assert_eq!(run(&place, &[&level[..], &["3", "--freeze", "-"]].concat()).is_fine().out(), text);
}

#[test]
fn a_frozen_script_is_a_script() {
    let place = Place::new();
    let map = "des.map([[\n-----\n|...|\n|...|\n-----\n]])\n";
    let things = "des.monster(\"newt\")\ndes.object({ id = \"chest\", contents = function() des.object(\"apple\") end })\n\
                  des.trap(\"web\")\ndes.stair(\"down\")\ndes.engraving({ 1,1 }, \"burn\", 'a \"word\"')\n";
    place.write("hut.lua", format!("{map}{things}"));
    place.splc(&["run", "hut.lua", "--seed", "4", "--freeze", "frozen.lua"]).is_fine();
    let wanted = picture(place.splc(&["run", "hut.lua", "--seed", "4"]));
    assert_eq!(picture(place.splc(&["run", "frozen.lua", "--seed", "9"])), wanted);
    let wrong = place.splc(&["run", "hut.lua", "--freeze", "frozen.des"]);
    wrong.ends(TROUBLE).says(&["the sources of NetHack 5.0.0 are lua files", "name the file hut.lua"]);
}

/// The loader spreads an irregular room from a corner of its region, which is in another room here. Gold with the
/// amount 0 gets one later.
#[test]
fn a_room_around_another_and_gold_without_an_amount_are_frozen() {
    let place = Place::new();
    let map = "des.level_flags(\"noflip\")\ndes.map([[\n-------\n|..|..|\n|..|..|\n|--+..|\n|.....|\n-------\n]])\n";
    let room = "des.region({ region = { 4,1, 4,1 }, type = \"ordinary\", irregular = true, arrival_room = true })\n";
    place.write("rooms.lua", format!("{map}{room}des.gold({{ amount = 0, x = 1, y = 1 }})\n"));
    let run = place.splc(&["run", "rooms.lua", "--seed", "2", "--freeze", "frozen.lua"]).is_fine();
    assert!(!run.err.contains("W0502"), "{}", run.err);
}

#[test]
fn one_level_is_frozen_and_no_list_of_parts() {
    let place = yard();
    run(&place, &["yard.des", "--freeze", "-"]).ends(TROUBLE).says(&["--freeze writes one level", "--level"]);
    place.write("old.des", "MAZE:\"old\",' '\nGEOMETRY:center,center\nMAP\n...\nENDMAP\n");
    let old = place.splc(&["run", "--dialect", "nethack343", "old.des", "--freeze", "-"]);
    old.ends(TROUBLE).says(&["levels in this language cannot be frozen"]);
}
