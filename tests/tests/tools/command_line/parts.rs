//! NetHack 3.4.3, whose levels are not programs. Everything that works for the other games works for it.

use super::*;

const ABIS: [&str; 5] = ["lp64le", "ilp32le", "ilp32be", "lp64be", "m68k"];

/// Two levels, one of each type.
const LEVELS: &str = "\
MAZE:\"yard\",' '
FLAGS:noteleport
MESSAGE:\"A yard.\"
GEOMETRY:center,center
MAP
-----
|...|
|...+
-----
ENDMAP
MONSTER:'h',\"dwarf\",(2,1)
OBJECT:'(',\"chest\",(3,1)
TRAP:\"pit\",(1,2)
STAIR:(1,1),up
DOOR:locked,(4,2)

LEVEL:\"crowd\"
ROOM:\"ordinary\",lit,random,random,(15,15)
NAME:\"big\"
SUBROOM:\"ordinary\",lit,(1,1),(3,3),\"big\"
DOOR:false,nodoor,north,random
ROOM:\"ordinary\",lit,random,random,(15,15)
ROOM:\"ordinary\",lit,random,random,(15,15)
STAIR:random,up
ROOM:\"ordinary\",lit,random,random,(15,15)
ROOM:\"ordinary\",lit,random,random,(15,15)
NAME:\"last\"
SUBROOM:\"ordinary\",lit,(1,1),(3,3),\"last\"
RANDOM_CORRIDORS
";

fn place() -> Place {
    let place = Place::new();
    place.write("two.des", LEVELS);
    place
}

fn run(place: &Place, arguments: &[&str]) -> Run {
    place.splc(&[&["run", "--dialect", "343"], arguments].concat())
}

fn run_reading(place: &Place, input: &str, arguments: &[&str]) -> Run {
    Run::reading(place.command(&[&["run", "--dialect", "343"], arguments].concat()), input.as_bytes())
}

#[test]
fn levels_are_drawn() {
    let place = place();
    let out = run(&place, &["two.des", "--level", "yard"]).is_fine().out();
    assert!(out.starts_with("yard, seed 1 (NetHack 3.4.3)\n") && out.contains("|<h(|\n"), "{out}");
    for entry in ["<  stairs up: ", "+  locked door: ", "^  pit: ", "h  dwarf: ", "(  chest: ", "\n     A yard.\n"] {
        assert!(out.contains(entry), "{entry} is not in:\n{out}");
    }
    let both = run(&place, &["two.des", "--seeds", "1..2"]).is_fine().out();
    for title in ["yard, seed 1 ", "yard, seed 2 ", "crowd, seed 1 ", "crowd, seed 2 "] {
        assert!(both.contains(title), "{title} is not in:\n{both}");
    }
    // The dialect is optional, because no other one matches.
    let out = place.splc(&["run", "two.des", "--level", "yard"]).is_fine().out();
    assert!(out.starts_with("yard, seed 1 (NetHack 3.4.3)\n"), "{out}");
}

#[test]
fn json_has_the_level() {
    let out = run(&place(), &["two.des", "--level", "yard", "--json"]).is_fine().out();
    let level: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&level["level"], &level["game"]), (&"yard".into(), &"nethack-3.4.3".into()));
    assert_eq!(level["monsters"][0]["what"], "dwarf");
    assert_eq!(level["messages"][0], "A yard.");
}

#[test]
fn level_files_of_all_machines_run_as_their_source() {
    let place = place();
    for level in ["yard", "crowd"] {
        let source = run(&place, &["two.des", "--level", level, "--trace"]).is_fine().out();
        assert!(source.contains("\nD ") || source.starts_with("D "), "{source}");
        for abi in ABIS {
            place.splc(&["--dialect", "343", "--abi", abi, "-o", &format!("{abi}/"), "two.des"]).is_fine();
            let file = format!("{abi}/{level}.lev");
            assert_eq!(place.splc(&["run", &file, "--trace"]).is_fine().out(), source, "{file}");
            assert_eq!(run(&place, &[&file, "--abi", abi, "--trace"]).is_fine().out(), source, "{file}");
        }
    }
}

/// A build of the game with other options has another header, which contains less information about its machine.
#[test]
fn level_files_of_other_builds_run_too() {
    let place = place();
    let source = run(&place, &["two.des", "--level", "yard", "--trace"]).is_fine().out();
    for (abi, long) in [("lp64le", 8), ("ilp32le", 4), ("ilp32be", 4), ("lp64be", 8), ("m68k", 4)] {
        place.splc(&["--dialect", "343", "--abi", abi, "two.des"]).is_fine();
        let mut bytes = place.read("yard.lev");
        (long..4 * long).for_each(|at| bytes[at] ^= u8::from(bytes[at] != 0 && bytes[at] != 1));
        place.write("other.lev", bytes);
        assert_eq!(place.splc(&["run", "other.lev", "--trace"]).is_fine().out(), source, "{abi}");
    }
}

#[test]
fn damaged_level_files_are_reported() {
    let place = place();
    place.splc(&["--dialect", "343", "two.des"]).is_fine();
    let mut damaged = place.read("yard.lev");
    damaged.truncate(damaged.len() - 3);
    place.write("yard.lev", damaged);
    place.splc(&["run", "yard.lev"]).ends(INPUT_ERRORS).says(&["E0305", "byte ", "the file ends inside "]);
    place.splc(&["--emit", "asm", "yard.lev"]).ends(INPUT_ERRORS).says(&["E0305", "the file ends inside "]);
}

#[test]
fn statistics_add_up() {
    let place = place();
    let arguments = ["two.des", "--level", "yard", "--stats", "--seeds", "1..50"];
    let out = run(&place, &arguments).is_fine().out();
    assert!(out.contains("50 levels, ") && out.contains("distribution of monsters"), "{out}");
    let dwarf = out.lines().find(|line| line.trim_start().starts_with("dwarf")).unwrap();
    assert_eq!(dwarf.split_whitespace().collect::<Vec<_>>()[1..], ["1.000", "1", "1", "100", "%"]);
    for threads in ["1", "3"] {
        assert_eq!(run(&place, &[&arguments[..], &["--threads", threads]].concat()).is_fine().out(), out);
    }
}

#[test]
fn failed_rooms_are_counted_with_their_lines() {
    let place = place();
    let out = run(&place, &["two.des", "--level", "crowd", "--stats", "--seeds", "1..50"]).ends(FINE).out();
    let failing = |line: &str| {
        let line = out.lines().find(|found| found.trim_start().starts_with(line)).unwrap_or_else(|| panic!("{out}"));
        let numbers: Vec<u64> =
            line.split_whitespace().filter_map(|word| word.trim_end_matches(',').parse().ok()).collect();
        (numbers[0], numbers[1])
    };
    let (failed, tried) = failing("two.des:26: ");
    assert!(tried == 50 && failed > 0, "{out}");
    // The content of a failed room is not reported.
    assert!(!out.contains("two.des:28: ") || failing("two.des:28: ").1 == tried - failed, "{out}");
    // A level file has no lines, but numbers.
    place.splc(&["--dialect", "343", "two.des"]).is_fine();
    let out = place.splc(&["run", "crowd.lev", "--stats", "--seeds", "1..50"]).is_fine().out();
    assert!(out.contains(&format!(" (room): {failed} of {tried} times, ")), "{out}");
}

#[test]
fn remarks_have_lines() {
    let place = place();
    let out = run(&place, &["two.des", "--level", "crowd", "--seeds", "1..20"]).is_fine().out();
    assert!(out.contains("two.des:26: the room finds no place: it and its contents are skipped"), "{out}");
}

#[test]
fn a_picture_is_a_png_file() {
    let place = place();
    run(&place, &["two.des", "--png", "two.png"]).is_fine();
    let bytes = place.read("two.png");
    let reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let (width, height) = reader.info().size();
    // Two boards of 21 rows, each with at least a title and an axis.
    assert!(width >= 79 * 8 && height >= 2 * 23 * 16, "{width} x {height}");
}

/// The loader creates things type by type, regardless of the order of the statements.
#[test]
fn a_level_can_be_stepped_thing_by_thing() {
    let place = place();
    let steps = ["two.des:4: GEOMETRY", "two.des:15: DOOR", "two.des:14: STAIR", "two.des:13: TRAP"];
    let out = run_reading(&place, "n\nn\ni\nm\np\ns\nc\n", &["two.des", "--level", "yard", "--step"]).is_fine().out();
    let mut rest = out.as_str();
    for step in steps {
        rest = rest.split_once(step).unwrap_or_else(|| panic!("{step} is not in its place in:\n{out}")).1;
    }
    for part in ["|<..|\n", "two.des:11: MONSTER", "  thing 4: monster\n", "it has no variables\n", "\nyard, seed 1 "] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
    let out = run_reading(&place, "l\nc\n", &["two.des", "--level", "yard", "--break", "12"]).is_fine().out();
    assert!(out.contains("two.des:12: OBJECT") && out.contains(">*   12  OBJECT"), "{out}");
    // Without a source, things are shown.
    place.splc(&["--dialect", "343", "two.des"]).is_fine();
    let out = run_reading(&place, "n\nl\nq\n", &["yard.lev", "--step"]).is_fine().out();
    assert!(out.contains("thing 0: map\nthing 1: door\nno source\n"), "{out}");
}

#[test]
fn a_fault_is_shown_at_its_statement() {
    let place = Place::new();
    let text = "MAZE:\"bad\",' '\nGEOMETRY:center,center\nMAP\n...\n...\nENDMAP\nALTAR:(1,1),law,altar\nMONSTER:'k',\"kobold\",place[3]\nMONSTER:'!',random,(1,1)\n";
    place.write("bad.des", text.replace("'!'", "'k'"));
    run(&place, &["bad.des", "--seeds", "1..3", "-A", "all"]).is_fine();
    // A class that no check covers.
    place.splc(&["--dialect", "343", "-A", "all", "bad.des"]).is_fine();
    let mut bytes = place.read("bad.lev");
    let class = bytes.iter().rposition(|&byte| byte == b'k').unwrap();
    bytes[class] = b'\r';
    let number = bytes[..class].iter().rposition(|&byte| byte == 0xff).unwrap();
    assert!(number < class);
    place.write("bad.lev", bytes);
    let said = place.splc(&["run", "bad.lev"]).ends(INPUT_ERRORS);
    said.says(&["E0501", "thing 3 (monster): the game cannot load this level: unknown monster class '␍'"]);
}

#[test]
fn faults_point_to_statements() {
    let place = Place::new();
    // A room with only one square, which is occupied.
    let text =
        "LEVEL:\"full\"\nROOM:\"ordinary\",lit,(3,3),(center,center),(1,1)\nSTAIR:(0,0),up\nALTAR:(0,0),law,altar\n";
    place.write("full.des", text);
    let stops = ["full.des:4:1", "E0501", "has no free place"];
    run(&place, &["full.des", "-A", "all"]).ends(INPUT_ERRORS).says(&stops);
    run(&place, &["full.des", "-A", "all", "--stats", "--seeds", "1..9"]).ends(INPUT_ERRORS).says(&stops);
}

#[test]
fn verbose_lists_the_output() {
    let place = place();
    let said = "File: 'yard.lev', parts: 1\nFile: 'crowd.lev', rooms: 7\n";
    assert_eq!(place.splc(&["--dialect", "343", "-v", "two.des"]).is_fine().out(), said);
}

#[test]
fn listings_follow_the_loader() {
    let place = place();
    place.splc(&["--dialect", "343", "--emit", "asm", "two.des"]).is_fine();
    let listing = String::from_utf8(place.read("yard.asm")).unwrap();
    for part in [
        "; level \"yard\", NetHack 3.4.3\n",
        "; flags noteleport (1)\n",
        "; message \"A yard.\"\n",
        "; 4: GEOMETRY:center,center\n",
        "     0  map             5 by 4, horizontal center (3), vertical center (3)\n",
        "                        ; |...+\n",
        "     1  door            x 4, y 2, state locked (8)\n",
        "     4  monster         number \"dwarf\" (",
    ] {
        assert!(listing.contains(part), "{part:?} is not in:\n{listing}");
    }
    // The listing of the level file is the same without lines.
    let without = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.contains(" ; ") || line.contains("; |") || line.contains("; -"));
        lines.map(str::to_owned).collect()
    };
    for abi in ABIS {
        place.splc(&["--dialect", "343", "--abi", abi, "two.des"]).is_fine();
        place.splc(&["--emit", "asm", "-o", "from.asm", "yard.lev"]).is_fine();
        let from = String::from_utf8(place.read("from.asm")).unwrap();
        assert_eq!(without(&from), without(&listing), "{abi}");
    }
}

#[test]
fn dumps_match_their_documentation() {
    let place = place();
    place.splc(&["--dialect", "343", "--emit", "json", "two.des"]).is_fine();
    let dump: serde_json::Value = serde_json::from_slice(&place.read("two.json")).unwrap();
    assert_eq!((&dump["schema"], &dump["dialect"]), (&"splc-level".into(), &"nethack343".into()));
    assert_eq!(dump["items"][0]["kind"], serde_json::json!({"maze": {"filling": {"node": " ", "span": [0, 12, 15]}}}));
    assert_eq!(dump["items"][1]["kind"], "rooms");
    let body = &dump["items"][1]["body"];
    let room = &body[0]["kind"];
    assert_eq!((&room["statement"], &room["name"]["node"]), (&"room".into(), &"big".into()));
    // The subroom is in the room that it names, and the place of that name is kept.
    let subroom = &room["body"].as_array().unwrap().last().unwrap()["kind"];
    let parent = &subroom["placement"]["parent_span"];
    let (start, end) = (parent[1].as_u64().unwrap() as usize, parent[2].as_u64().unwrap() as usize);
    assert_eq!((&subroom["statement"], &subroom["placement"]["in"]), (&"room".into(), &"room".into()));
    assert_eq!(&place.read("two.des")[start..end], b"\"big\"");
}

#[test]
fn other_builds_are_matched() {
    let place = place();
    place.splc(&["--dialect", "343", "--abi", "m68k", "-o", "m68k/", "two.des"]).is_fine();
    place.splc(&["--match", "m68k/yard.lev", "-o", "again/", "two.des"]).is_fine();
    assert_eq!(place.read("again/crowd.lev"), place.read("m68k/crowd.lev"));
}
