//! The examples of `splc explain`. Each is run through splc: the wrong part must produce its code, the right part must
//! not.

use std::thread;

use splc_ir::diagnostic::{Code, Lint};

use super::*;

/// An example in `cli/src/explain/examples.txt`.
struct Example {
    code: String,
    kind: Vec<String>,
    wrong: String,
    right: String,
}

fn examples() -> Vec<Example> {
    let text = fs::read_to_string(splc_tests::workspace().join("cli/src/explain/examples.txt")).unwrap();
    let parts = text.strip_prefix("=== ").unwrap().split("\n=== right\n").collect::<Vec<_>>();
    let mut examples = Vec::new();
    let mut head_and_wrong = parts[0];
    for part in &parts[1..] {
        let (right, next) = part.split_once("\n=== ").unwrap_or((part.trim_end(), ""));
        let (head, wrong) = head_and_wrong.split_once('\n').unwrap();
        let mut words = head.split(' ').map(str::to_owned);
        let code = words.next().unwrap();
        let whole = |text: &str| repeated(text) + "\n";
        examples.push(Example { code, kind: words.collect(), wrong: whole(wrong), right: whole(right) });
        head_and_wrong = next;
    }
    examples
}

/// Returns `text` with lines that end in `(N times)` repeated N times.
fn repeated(text: &str) -> String {
    let times = |line: &str| -> Option<String> {
        let (line, count) = line.strip_suffix(" times)")?.rsplit_once(" (")?;
        Some(vec![line; count.parse().ok()?].join("\n"))
    };
    text.lines().map(|line| times(line).unwrap_or_else(|| line.to_owned())).collect::<Vec<_>>().join("\n")
}

/// Writes the files that the command lines of the examples use.
fn files(place: &Place) {
    let room = "ROOM: \"ordinary\", lit, random, random, random {\n}\n";
    place.write("mylevel.des", format!("LEVEL: \"mylevel\"\n{room}"));
    place.write("copy.des", format!("LEVEL: \"mylevel\"\n{room}"));
    place.write("pool.inc", "# Nothing yet.\n");
    // A corridor's door can have a trap, which no des-file can set.
    let small = |at: &str| format!("ROOM: \"ordinary\", lit, ({at}), (center,center), (3,3) {{ }}\n");
    place.write("doors.des", format!("LEVEL: \"doors\"\n{}{}RANDOM_CORRIDORS\n", small("1,1"), small("5,5")));
    place.write("compiled.lua", "\x1bLua\x54\0").write("script.lua", "des.object(\"apple\")\n");
    place.write("dungeon.def", "DUNGEON: \"The Top\" \"T\" (10,3)\nLEVEL: \"inn\" \"none\" @ (2,3)\n");
    place.write("levels/inn.lev", "").write("levels/minefill.lev", "");
    let camp = "FUNCTION camp() {\n  MONSTER: 'o', random\n}\nLEVEL: \"function\"\ncamp()\ncamp()\n";
    place.write("function.des", camp).write("patched.des", "LEVEL: \"patched\"\nMESSAGE: \"one\"\n");
    place.unnethack(&["mylevel.des", "function.des", "patched.des"]).is_fine();
    let mut bytes = place.read("patched.lev");
    // The last opcode, that of MESSAGE, becomes that of POOL.
    let last = bytes.len() - 4;
    bytes[last] = 13;
    place.write("patched.lev", bytes);
    let whole = place.read("mylevel.lev");
    place.write("damaged.lev", &whole[..whole.len() - 3]);
    place.write(
        "doom.def",
        "DUNGEON: \"The Dungeons of Doom\" \"D\" (9,0)\nLEVEL: \"cellar\" \"none\" @ (2,0)\nLEVEL: \"tower\" \"none\" @ (-1,0)\n\
         BRANCH: \"The Caves\" @ (3,0)\nDUNGEON: \"The Caves\" \"C\" (2,0)\nLEVEL: \"hollow\" \"none\" @ (-1,0)\n",
    );
    for level in ["cellar", "tower"] {
        let text = format!("LEVEL: \"{level}\"\nGEOMETRY: center, center\nMAP\n.....\nENDMAP\nSTAIR: (0,0), up\n");
        place.write(&format!("{level}.des"), &text);
    }
    let pit =
        "LEVEL: \"hollow\"\nGEOMETRY: center, center\nMAP\n.....\nENDMAP\nSTAIR: (0,0), up\nTRAP: \"hole\", (3,0)\n";
    place.write("pit.des", pit);
    let mine = "extends = \"nethack-5.0.0\"\nname = \"mygame\"\ntitle = \"My game\"\n";
    place.write("mygame.toml", format!("{mine}[lua.functions]\n\"des.weather\" = {{}}\n"));
    place.write("storm.lua", "des.weather(\"rain\")\n");
    place.splc(&["dlb", "create", "nhdat", "mylevel.lev"]).ends(FINE);
}

/// Returns the codes that splc reports for `text`.
fn codes(place: &Place, example: &Example, text: &str) -> Vec<String> {
    let kind: Vec<&str> = example.kind.iter().map(String::as_str).collect();
    let code = Code::ALL.iter().find(|code| code.as_str() == example.code).unwrap();
    let warn = if code.lint() == Lint::Fixed { vec![] } else { vec!["-W", code.name()] };
    let (file, arguments) = match kind[..] {
        ["des", dialect] => ("x.des", vec!["check", "--dialect", dialect, "x.des"]),
        ["lua", _] => ("x.lua", vec!["check", "x.lua"]),
        ["test-lua", _] => ("x.lua", vec!["test", "x.lua"]),
        ["test", dialect] => ("x.des", vec!["test", "--dialect", dialect, "x.des"]),
        ["json", dialect] => ("x.json", vec!["check", "--dialect", dialect, "x.json"]),
        ["dungeon", dialect] => ("x.def", vec!["dungeon", "check", "--dialect", dialect, "x.def"]),
        ["show", dialect] => ("x.def", vec!["dungeon", "show", "--dialect", dialect, "x.def"]),
        ["port", from, to] => ("x.des", vec!["port", "--dialect", from, "--to", to, "x.des", "-o", "-"]),
        ["project"] => ("splc.toml", vec!["check", "mylevel.des"]),
        ["catalog"] => ("x.toml", vec!["catalog", "validate", "x.toml"]),
        ["stand-ins"] => {
            let map = ["--map", "x.toml", "mylevel.des", "-o", "-"];
            ("x.toml", [&["port", "--dialect", "unnethack", "--to", "nethack36"][..], &map[..]].concat())
        }
        ["commands"] => ("unused", text.split_whitespace().skip(1).collect()),
        _ => panic!("{kind:?}"),
    };
    place.write(file, text);
    let arguments = if kind == ["catalog"] || kind == ["commands"] { arguments } else { [arguments, warn].concat() };
    let run = place.splc(&arguments);
    // `error[E0001]: …`
    run.err
        .split('\n')
        .filter_map(|line| line.split_once('[')?.1.split_once("]: ").map(|(code, _)| code.to_owned()))
        .collect()
}

#[test]
fn examples_produce_their_codes_and_corrections_do_not() {
    let examples = examples();
    let codes_with_examples: Vec<&str> = examples.iter().map(|example| example.code.as_str()).collect();
    let all: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(codes_with_examples, all);
    let judge = |examples: &[Example]| {
        let mut wrong = Vec::new();
        for example in examples {
            let place = Place::new();
            files(&place);
            let drawn = codes(&place, example, &example.wrong);
            if !drawn.contains(&example.code) {
                wrong.push(format!("{}: what is wrong draws {drawn:?}", example.code));
            }
            let drawn = codes(&place, example, &example.right);
            if drawn.iter().any(|code| *code == example.code || code.starts_with('E')) {
                wrong.push(format!("{}: what is right draws {drawn:?}", example.code));
            }
        }
        wrong
    };
    let examples = splc_tests::some_of(examples);
    let half = examples.len() / 2;
    let wrong = thread::scope(|scope| {
        let first = scope.spawn(|| judge(&examples[..half]));
        [judge(&examples[half..]), first.join().unwrap()].concat()
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_code_is_explained_with_a_wrong_and_a_right_example() {
    let place = Place::new();
    let text = place.splc(&["explain", "unknown-trap"]).is_fine().out();
    for part in
        ["E0203 unknown-trap: ", "Wrong, in a level of UnNetHack", "    TRAP: \"bear trap\"", "Right:", "\"bear\""]
    {
        assert!(text.contains(part), "{text}");
    }
    place.splc(&["explain", "E0401"]).ends(TROUBLE).says(&["did you mean \"W0401\"?"]);
}
