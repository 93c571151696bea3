//! Levels as JSON instead of des-files.

use serde_json::{Value, json};
use splc_tests::schema::Schema;

use super::*;

/// A minimal level, as a program would write it.
fn little() -> Value {
    json!({
        "schema": "splc-level", "version": splc_ir::level::SCHEMA_VERSION, "target": "unnethack-6.0.4",
        "items": [{"item": "level", "name": "little", "kind": "script", "body": [
            {"statement": "map", "map": "drawn",
             "position": {"aligned": {"horizontal": "center", "vertical": "center"}},
             "rows": {"rows": ["-----", "|...|", "-----"]}},
            {"statement": "monster", "monster": {"monster": {"name": "soldier ant"}}, "place": {"coordinate": {"x": 1, "y": 1}}},
        ]}]
    })
}

#[test]
fn a_document_is_compiled_checked_and_run() {
    let place = Place::new();
    place.write("little.json", serde_json::to_string_pretty(&little()).unwrap());
    place.splc(&["check", "little.json"]).is_fine();
    place.splc(&["little.json"]).is_fine();
    let level = place.read("little.lev");
    place.write(
        "x.des",
        "LEVEL: \"little\"\nGEOMETRY: center, center\nMAP\n-----\n|...|\n-----\nENDMAP\nMONSTER: \"soldier ant\", (1,1)\n",
    );
    place.unnethack(&["x.des", "-o", "des/"]).is_fine();
    assert_eq!(level, place.read("des/little.lev"));
    let run = place.splc(&["run", "--json", "little.json"]).is_fine().out();
    let run: Value = serde_json::from_str(&run).unwrap();
    assert_eq!((&run["schema"], &run["version"], &run["level"]), (&json!("splc-run"), &json!(1), &json!("little")));
    assert!(run["monsters"].as_array().unwrap().iter().any(|monster| monster["what"] == "soldier ant"));
}

#[test]
fn a_dump_compiles_to_the_bytes_of_its_source() {
    let place = Place::new();
    let mut count = 0;
    for path in des_files(&corpus()) {
        place.unnethack(&["-A", "all", &path, "-o", "des/"]).is_fine();
        place.unnethack(&["-A", "all", "--emit", "json", &path, "-o", "dump.json"]).is_fine();
        place.splc(&["-A", "all", "dump.json", "-o", "json/"]).is_fine();
        place.splc(&["-A", "all", "--emit", "json", "dump.json", "-o", "again.json"]).is_fine();
        assert_eq!(place.read("dump.json"), place.read("again.json"), "{path}");
        count += 1;
    }
    let files = place.files();
    let levels: Vec<&String> = files.keys().filter(|name| name.starts_with("des/")).collect();
    for name in &levels {
        assert_eq!(files.get(*name), files.get(&name.replacen("des/", "json/", 1)), "{name}");
    }
    println!("{count} dumps compile to the bytes of their sources, {} files", levels.len());
    assert!(count > 10 && levels.len() > count);
}

#[test]
fn mistakes_are_reported_in_the_document() {
    let place = Place::new();
    let mut wrong = little();
    wrong["items"][0]["body"][1]["monster"]["monster"]["name"] = json!("giant ele");
    place.write("wrong.json", serde_json::to_string_pretty(&wrong).unwrap());
    let run = place.splc(&["check", "--message-format", "json", "wrong.json"]).ends(INPUT_ERRORS);
    let said = run.json().into_iter().find(|said| said["code"] == "E0201").expect("the monster is unknown");
    assert_eq!(
        (&said["schema"], &said["version"], &said["file"]),
        (&json!("splc-diagnostic"), &json!(1), &json!("wrong.json"))
    );
    let text = String::from_utf8(place.read("wrong.json")).unwrap();
    let line = text.lines().position(|line| line.contains("giant ele")).unwrap();
    assert!(said["line"].as_u64().unwrap() as usize <= line + 1 && line < said["end_line"].as_u64().unwrap() as usize);
    assert!(said["notes"][0].as_str().unwrap().starts_with("at items[0].body[1].monster"), "{said}");
    place.write("broken.json", "{\n  \"schema\": \"splc-level\",\n  oops\n}\n");
    place
        .splc(&["check", "broken.json"])
        .ends(INPUT_ERRORS)
        .says(&["error[E0011]", "expected a key in double quotes, found `oops`"]);
}

#[test]
fn the_document_selects_the_game() {
    let place = Place::new();
    let with = |key: &str, value: &str| {
        let mut document = little();
        document.as_object_mut().unwrap().remove("target");
        document[key] = json!(value);
        document.to_string()
    };
    place.write("little.json", little().to_string());
    place.write("dialect.json", with("dialect", "unnethack"));
    place.write("nobody.json", with("charset", "utf8"));
    place.write("unknown.json", with("target", "unnethack-6.0.5"));
    place.splc(&["check", "dialect.json"]).is_fine();
    place.splc(&["check", "nobody.json"]).ends(TROUBLE).says(&["unknown game of the levels"]);
    place.splc(&["check", "--dialect", "unnethack", "nobody.json"]).is_fine();
    place.splc(&["check", "unknown.json"]).ends(TROUBLE).says(&["error[E0015]", "did you mean"]);
    place
        .splc(&["check", "--dialect", "nethack36", "little.json"])
        .ends(INPUT_ERRORS)
        .says(&["error[E0015]: the document is for UnNetHack 6.0.4, not for NetHack 3.6.7"]);
    place.splc(&["check", "--dialect", "nethack343", "dialect.json"]).ends(INPUT_ERRORS).says(&["error[E0015]"]);
}

#[test]
fn output_matches_its_schema() {
    let place = Place::new();
    place.write("little.json", little().to_string());
    place.write("wrong.des", "LEVEL: \"a\"\nMONSTER: (':',\"gecko\", (1,1)\nTRAP: \"pti\", (1,1)\nROOM: \"ordnary\"\n");
    let fits = |subject: &str, lines: &str| {
        let schema: Value = serde_json::from_str(&place.splc(&["schema", subject]).is_fine().out()).unwrap();
        let schema = Schema::new(schema);
        let mut count = 0;
        for line in lines.lines() {
            let value: Value = serde_json::from_str(line).unwrap();
            if let Err(error) = schema.validate(&value) {
                panic!("{subject}: {error}");
            }
            // It is invalid without any one of its keys, and with a key of another type.
            let object = value.as_object().unwrap();
            for key in object.keys().filter(|key| !["target", "dialect", "charset", "files"].contains(&key.as_str())) {
                let (mut without, mut other) = (value.clone(), value.clone());
                without.as_object_mut().unwrap().remove(key);
                other[key] = json!({"x": [1.5]});
                assert!(schema.validate(&without).is_err(), "{subject} without {key}");
                assert!(schema.validate(&other).is_err(), "{subject} with another {key}");
            }
            count += 1;
        }
        count
    };
    assert_eq!(fits("level", &little().to_string()), 1);
    place.write("some.def", "DUNGEON: \"Top\" \"T\" (9, 3)\nPROTOFILE: \"long\"\nPROTOFILE: \"p\"\nDESCRIPTION: mazelike\n\
        ENTRY: -1\nRNDLEVEL: \"inn\" \"none\" @ (2, 3) 2\nLEVELDESC: town\nCHAINBRANCH: \"Low\" \"inn\" + (0, 0) portal up\n\
        DUNGEON: \"Low\" \"none\" (2, 0) 40\nCHAINLEVEL: \"wine\" \"W\" \"\" + (1, 0)\n");
    let compile = ["dungeon", "compile", "--target", "nethack-3.6.7", "--emit", "json", "some.def", "-o", "-"];
    let dungeon: Value = serde_json::from_str(&place.splc(&compile).out()).unwrap();
    assert_eq!(fits("dungeon", &dungeon.to_string()), 1);
    let mut runs = place.splc(&["run", "--json", "little.json", "--seeds", "1..3"]).is_fine().out();
    for path in des_files(&corpus()) {
        runs.push_str(&place.splc(&["run", "--dialect", "unnethack", "-A", "all", "--json", &path]).out());
    }
    let runs = fits("run", &runs);
    assert!(runs > 6, "{runs}");
    let wrong = place
        .splc(&["check", "--dialect", "unnethack", "-W", "all", "--message-format", "json", "wrong.des"])
        .ends(INPUT_ERRORS);
    let mut said = fits("diagnostics", &wrong.err);
    for path in des_files(&corpus()) {
        said += fits(
            "diagnostics",
            &place.splc(&["check", "--dialect", "unnethack", "-W", "all", "--message-format", "json", &path]).err,
        );
    }
    for path in des_files(&splc_tests::corpus("errors/unnethack")) {
        said += fits(
            "diagnostics",
            &place.splc(&["check", "--dialect", "unnethack", "--message-format", "json", &path]).err,
        );
    }
    println!("{runs} levels and {said} diagnostics fit their schemas");
    assert!(said > 100, "{said}");
}

#[test]
fn a_document_is_not_overwritten() {
    let place = Place::new();
    let text = serde_json::to_string_pretty(&little()).unwrap();
    place.write("little.json", &text);
    place.splc(&["--emit", "json", "little.json"]).ends(TROUBLE).says(&["little.json would overwrite an input"]);
    assert_eq!(place.read("little.json"), text.as_bytes());
    place.splc(&["--emit", "json", "little.json", "-o", "other/"]).is_fine();
}

#[test]
fn a_string_ends_at_its_first_nul_in_a_dump_as_well() {
    let place = Place::new();
    place.write("x.des", "LEVEL:\"a\"\nNOMAP\nMESSAGE:\"a\0b\"\n");
    for arguments in [["--emit", "json", "x.des", "-o", "x.json"], ["--emit", "lev", "x.des", "-o", "x.lev"]] {
        place.splc(&[&["--dialect", "unnethack"], &arguments[..]].concat()).is_fine();
    }
    place.splc(&["x.json", "-o", "y.lev"]).is_fine();
    assert_eq!(place.read("x.lev"), place.read("y.lev"));
}
