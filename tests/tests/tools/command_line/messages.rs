//! The format of diagnostics, and which of them are shown.

use std::fmt::Write as _;

use super::*;

const BAD: &str = "LEVEL: \"a\"\nMONSTER: \"gaint ant\", (1,2)\nOBJECT: \"xyzzy\", random\n";

/// A level with a room type that the game does not have, which is a warning.
const WARNED: &str = "LEVEL: \"a\"\nREGION: (1,1,2,2), lit, \"zooo\"\n";

#[test]
fn the_human_format_shows_the_source_line() {
    let place = Place::new();
    let run = place.write("x.des", BAD).unnethack(&["x.des"]).ends(INPUT_ERRORS);
    run.says(&[
        "error[E0201]: ",
        "┌─ x.des:2:10",
        "2 │ MONSTER: \"gaint ant\", (1,2)\n  │          ^^^^^^^^^^^",
        "help: did you mean \"giant ant\"",
        "┌─ x.des:3:9",
        "error: 2 errors; nothing written\n",
    ]);
}

#[test]
fn the_short_format_has_one_line_each() {
    let place = Place::new();
    let run = place.write("x.des", BAD).unnethack(&["--message-format", "short", "x.des"]).ends(INPUT_ERRORS);
    let lines: Vec<&str> = run.err.lines().collect();
    assert_eq!(lines.len(), 3, "{}", run.err);
    assert!(lines[0].starts_with("x.des:2:10: error[E0201]: "), "{}", lines[0]);
    assert!(lines[1].starts_with("x.des:3:9: error[E0202]: "), "{}", lines[1]);
    assert_eq!(lines[2], "error: 2 errors; nothing written");
}

#[test]
fn json_has_one_object_per_line() {
    let place = Place::new();
    let run = place.write("x.des", BAD).unnethack(&["--message-format", "json", "x.des"]).ends(INPUT_ERRORS);
    let messages = run.json();
    assert_eq!(messages.len(), 2);
    for (message, (code, line, text)) in messages.iter().zip([("E0201", 2, "\"gaint ant\""), ("E0202", 3, "\"xyzzy\"")])
    {
        assert_eq!(message["code"], code);
        assert_eq!(message["severity"], "error");
        assert_eq!(message["file"], "x.des");
        assert_eq!((&message["line"], &message["end_line"]), (&line.into(), &line.into()));
        let range = message["start"].as_u64().unwrap() as usize..message["end"].as_u64().unwrap() as usize;
        assert_eq!(&BAD[range], text);
        let width = message["end_column"].as_u64().unwrap() - message["column"].as_u64().unwrap();
        assert_eq!(width as usize, text.len());
        for list in ["labels", "notes", "suggestions"] {
            assert!(message[list].is_array(), "{list}");
        }
    }
    assert!(messages[0]["help"].as_str().unwrap().contains("giant ant"));
}

#[test]
fn errors_of_unreadable_files_are_json_too() {
    let place = Place::new();
    let run = place.unnethack(&["--message-format", "json", "missing.des"]).ends(TROUBLE);
    let messages = run.json();
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0]["code"], "E0009");
    assert!(messages[0]["file"].is_null() && messages[0]["line"].is_null());
}

#[test]
fn places_are_in_bytes_of_the_file() {
    let place = Place::new();
    let latin = b"LEVEL: \"a\"\n# \xe9\xe9\xe9\nMONSTER: \"xyzzy\", (1,2)\n";
    let utf8 = "LEVEL: \"a\"\n# \u{e9}\u{e9}\u{e9}\nMONSTER: \"xyzzy\", (1,2)\n";
    for content in [&latin[..], utf8.as_bytes()] {
        let run = place.write("x.des", content).unnethack(&["--message-format", "json", "x.des"]).ends(INPUT_ERRORS);
        let message = &run.json()[0];
        let range = message["start"].as_u64().unwrap() as usize..message["end"].as_u64().unwrap() as usize;
        assert_eq!(&content[range], b"\"xyzzy\"");
    }
}

#[test]
fn a_message_without_a_place_names_its_file() {
    let place = Place::new();
    place.write("empty.des", "# nothing\n").write("x.des", level("a", "1"));
    place.unnethack(&["x.des", "empty.des"]).ends(FINE).says(&["warning[W0306]", "in empty.des"]);
    place.unnethack(&["--message-format", "short", "empty.des"]).ends(FINE).says(&["empty.des: warning[W0306]: "]);
}

#[test]
fn warnings_are_counted() {
    let place = Place::new();
    place.write("x.des", WARNED).write("bad.des", BAD);
    let run = place.unnethack(&["x.des"]).ends(FINE).says(&["warning[W0401]", "`-A unknown-room` allows it"]);
    assert!(run.err.ends_with("\nwarning: 1 warning\n"), "{}", run.err);
    place.read("a.lev");
    let run = place.unnethack(&["x.des", "bad.des"]).ends(INPUT_ERRORS);
    assert!(run.err.ends_with("\nerror: 2 errors, 1 warning; nothing written\n"), "{}", run.err);
}

#[test]
fn lints_can_be_allowed_and_denied() {
    let place = Place::new();
    place.write("x.des", WARNED);
    for allowed in ["unknown-room", "W0401", "w0401", "warnings", "all"] {
        place.unnethack(&["-A", allowed, "x.des"]).is_fine();
    }
    for denied in ["unknown-room", "W0401", "warnings", "all"] {
        place
            .unnethack(&["-D", denied, "x.des"])
            .ends(INPUT_ERRORS)
            .says(&["error[W0401]", "1 error; nothing written"]);
    }
    // The last option wins.
    place.unnethack(&["-D", "W0401", "-A", "W0401", "x.des"]).is_fine();
    place.unnethack(&["-A", "W0401", "-D", "W0401", "x.des"]).ends(INPUT_ERRORS);
    place.unnethack(&["-D", "warnings", "-W", "unknown-room", "x.des"]).ends(FINE).says(&["warning[W0401]"]);
    place.splc(&["check", "--dialect", "unnethack", "-D", "W0401", "x.des"]).ends(INPUT_ERRORS);
    for (name, said) in [
        ("unknown-rom", "did you mean \"unknown-room\"?"),
        ("W0499", "unknown lint 'W0499'"),
        ("E0001", "is not a lint"),
    ] {
        place.unnethack(&["-W", name, "x.des"]).ends(TROUBLE).says(&[said]);
    }
}

#[test]
fn lints_that_are_off_can_be_turned_on() {
    let place = Place::new();
    place.write("x.des", "LEVEL: \"a\"\nMONSTER: \"GIANT ANT\", (1,2)\n");
    place.unnethack(&["x.des"]).is_fine();
    place.unnethack(&["-W", "name-case", "x.des"]).ends(FINE).says(&["warning[W0404]", "x.des:2:10"]);
}

#[test]
fn a_flood_of_messages_is_only_counted() {
    let place = Place::new();
    let mut text = String::from("LEVEL: \"a\"\n");
    for at in 0..5000 {
        let _ = writeln!(text, "MONSTER: \"monster {at}\", (1,2)");
    }
    let run = place.write("x.des", text).unnethack(&["x.des"]).ends(INPUT_ERRORS);
    let run = run.says(&["... and 4800 more", "error: 5000 errors; nothing written"]);
    assert!(run.err.len() < 200 * 500, "{}", run.err.len());
}

#[test]
fn colors_are_for_terminals_or_on_request() {
    let place = Place::new();
    place.write("x.des", BAD);
    for (arguments, colored) in
        [(&["x.des"][..], false), (&["--color", "never", "x.des"], false), (&["--color", "always", "x.des"], true)]
    {
        let run = place.unnethack(arguments).ends(INPUT_ERRORS);
        assert_eq!(run.err.contains("\u{1b}["), colored, "{arguments:?}");
    }
}

#[test]
fn control_characters_of_the_input_are_escaped() {
    let place = Place::new();
    let hostile =
        "LEVEL: \"a\"\nMONSTER: \"\u{1b}[2J\u{7}\u{202e}\u{9b}evil\", (1,2) # \u{1b}]0;title\u{7}\n\u{1b}[31m oops\n";
    let name = "\u{1b}[1m.des";
    place.write(name, hostile);
    for format in ["human", "short", "json"] {
        let run = place.unnethack(&["--message-format", format, name]).ends(INPUT_ERRORS);
        let bad = |character: char| {
            character != '\n' && (character.is_ascii_control() || (format != "json" && character.is_control()))
        };
        assert!(!run.err.contains(bad), "{format}: {:?}", run.err);
    }
}

#[test]
fn long_lines_are_cut() {
    let place = Place::new();
    let long =
        format!("LEVEL: \"a\"\n{}MONSTER: \"xyzzy\", (1,2) #{}\n", " ".repeat(300_000), "\u{e9}".repeat(300_000));
    let run = place.write("x.des", long).unnethack(&["x.des"]).ends(INPUT_ERRORS);
    let run = run.says(&["x.des:2:300010", "MONSTER: \"xyzzy\", (1,2)", "^^^^^^^"]);
    assert!(run.err.len() < 2000, "{}", run.err.len());
    let marker = run.err.lines().find(|line| line.contains("^^^")).unwrap();
    let shown = run.err.lines().find(|line| line.contains("xyzzy") && line.contains("MONSTER")).unwrap();
    let column = |line: &str, what: &str| line[..line.find(what).unwrap()].chars().count();
    assert_eq!(column(marker, "^"), column(shown, "\"xyzzy\""));
}
