//! `splc port` from the user's point of view.

use super::*;

#[test]
fn a_random_level_is_ported_in_versions() {
    let place = Place::new();
    let body = "GEOMETRY: center, center\nMAP\n.....\nENDMAP\nLOOP [1d4] {\nTRAP: \"pit\", random\n}\n";
    place.write("cave.des", format!("LEVEL: \"cave\"\n{body}"));
    let port = ["port", "--dialect", "36", "--to", "343", "cave.des", "-o", "out/"];
    place.splc(&port).ends(INPUT_ERRORS).says(&["the count of this LOOP", "--instantiate SEED"]);
    place.splc(&[&port[..], &["--instantiate", "7"]].concat()).ends(FINE);
    let one = place.read("out/cave.des");
    place.splc(&[&port[..], &["--instantiate", "7", "--versions", "3"]].concat()).ends(FINE);
    let versions: Vec<String> =
        (1..=3).map(|number| String::from_utf8(place.read(&format!("out/cave-{number}.des"))).unwrap()).collect();
    // The first version uses the given seed, the others the following seeds.
    assert_eq!(versions[0].replace("cave-1", "cave"), String::from_utf8(one).unwrap());
    assert!(versions.iter().enumerate().all(|(at, text)| text.contains(&format!("\"cave-{}\"", at + 1))));
    place.splc(&["--dialect", "343", "out/cave-1.des", "out/cave-2.des", "out/cave-3.des", "-o", "made/"]).ends(FINE);
}

/// A lost flag and a lost call are reported at their lines, not at the first statement.
#[test]
fn losses_of_a_script_are_reported_at_their_lines() {
    let place = Place::new();
    let script = "des.level_init({ style = \"solidfill\", fg = \" \" })\n\ndes.level_flags(\"mazelevel\", \"stormy\")\n\
                  des.map([[\n...\n]])\ndes.exclusion({ type = \"teleport\", region = { 0, 0, 1, 0 } })\n";
    place.write("gale.lua", script);
    let port = ["port", "--to", "36", "gale.lua", "-o", "-", "--message-format", "short"];
    place.splc(&port).ends(FINE).says(&[
        "gale.lua:3:1: warning[W0802]: NetHack 3.6.7 has no level flag stormy",
        "gale.lua:7:1: warning[W0801]: a des-file has no exclusion zones",
    ]);
}

/// Entries of a user's table that have no effect between these games are reported at their place, with a suggestion.
#[test]
fn unused_entries_of_a_table_are_reported() {
    let place = Place::new();
    place.write("cave.des", "LEVEL: \"cave\"\nNOMAP\nTRAP: \"cold\", (3,4)\nMONSTER: ('@', \"Executioner\"), (5,5)\n");
    let table = "schema = 1\n\n[monster]\nExecutionr = [\"minotaur\"]\nExecutioner = [\"minotaurr\"]\n\n[trap]\n\
                 cold = [\"pitt\", \"pit\"]\n\n[terrain]\nt = [\"?\"]\n\n[[pair]]\nfrom = [\"unethack\"]\nto = [\"nethack-3.4.3\"]\n\
                 trap = { magic = [\"nothing\"] }\n\n[[pair]]\nfrom = [\"nethack-3.6.7\"]\nflag = { nosuch = [] }\n";
    place.write("names.toml", table);
    let port = ["port", "--dialect", "unnethack", "--to", "36", "--map", "names.toml", "cave.des", "-o", "-"];
    let run = place.splc(&[&port[..], &["--message-format", "short"]].concat()).ends(FINE);
    let reported: Vec<&str> = run.err.lines().filter(|line| line.contains("W0806")).collect();
    // Entries for other games are not checked, and one known stand-in is enough.
    let expected = [
        ("names.toml:4:1:", "UnNetHack 6.0.4 has no monster \"Executionr\""),
        ("names.toml:5:15:", "NetHack 3.6.7 has no monster \"minotaurr\" to stand in"),
        ("names.toml:11:5:", "NetHack 3.6.7 has no map character \"?\" to stand in"),
        ("names.toml:14:9:", "unknown game or dialect \"unethack\""),
    ];
    assert_eq!(reported.len(), expected.len(), "{}", run.err);
    for (line, (at, what)) in reported.iter().zip(expected) {
        assert!(line.starts_with(at) && line.contains(what), "{line}: {at} {what}");
    }
    place.splc(&port).ends(FINE).says(&[
        "did you mean \"Executioner\"?",
        "did you mean \"minotaur\"?",
        "did you mean \"unnethack\" or",
    ]);
    let allowed = place.splc(&[&port[..], &["-A", "unused-stand-in"]].concat()).ends(FINE);
    assert!(!allowed.err.contains("W0806") && allowed.err.contains("W0802"), "{}", allowed.err);
    // It is reported once per table, for any number of ported files.
    place.write("hole.des", "LEVEL: \"hole\"\nNOMAP\nTRAP: \"hole\", (3,4)\n");
    let both =
        ["port", "--dialect", "unnethack", "--to", "36", "--map", "names.toml", "cave.des", "hole.des", "-o", "out/"];
    assert_eq!(place.splc(&both).ends(FINE).err.matches("W0806").count(), expected.len());
}

/// If a level cannot be ported, the account gives the reason; the other levels are not written either.
#[test]
fn levels_that_cannot_be_ported_have_an_account() {
    let place = Place::new();
    place.write(
        "two.des",
        "LEVEL: \"good\"\nFLAGS: mazelevel\nNOMAP\nTRAP: \"pit\", (3,4)\n\nLEVEL: \"bad\"\nFLAGS: mazelevel\nNOMAP\nLOOP [1d4] {\n  TRAP: \"pit\", random\n}\n",
    );
    let port = ["port", "--dialect", "36", "--to", "343", "two.des", "-o", "out/", "-v", "--account", "account.json"];
    let said = place.splc(&port).ends(INPUT_ERRORS).out();
    assert!(said.contains("level good: ported") && said.contains("level bad: not ported"), "{said}");
    assert!(said.contains("the count of this LOOP"), "{said}");
    assert!(!place.path("out/two.des").exists());
    let account: serde_json::Value = serde_json::from_slice(&place.read("account.json")).unwrap();
    let verdicts: Vec<&str> =
        account[0]["sections"].as_array().unwrap().iter().map(|section| section["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["whole", "not_at_all"]);
    let statements = account[0]["sections"][1]["statements"].as_array().unwrap();
    let reason = &statements.iter().find(|statement| statement["statement"] == "LOOP").unwrap()["notes"][0]["what"];
    assert!(reason.as_str().unwrap().contains("the count of this LOOP"), "{reason}");
    // There is no output text, so no lines of the result.
    let lines = statements.iter().chain(account[0]["sections"][0]["statements"].as_array().unwrap());
    assert!(
        lines.clone().count() > 3 && lines.into_iter().all(|statement| statement["result"] == serde_json::json!([]))
    );
}
