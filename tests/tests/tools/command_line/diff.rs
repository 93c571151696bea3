//! `splc diff`.

use std::process::Command;

use super::*;

/// A level with a shrine, in which `{}` is a statement.
fn den(statement: &str) -> String {
    format!(
        "LEVEL: \"den\"\nFLAGS: noteleport\nGEOMETRY: center, center\nMAP\n-------\n|.....|\n|.....|\n-------\nENDMAP\n\
         STAIR: (1,1), up\nSTAIR: (5,2), down\n{statement}\n"
    )
}

fn diff(place: &Place, arguments: &[&str]) -> Run {
    place.splc(&[&["diff", "--dialect", "unnethack", "--seeds", "300"], arguments].concat())
}

#[test]
fn levels_are_added_removed_changed_and_rewritten() {
    let place = Place::new();
    let trap = "TRAP: \"pit\", (3,1)";
    place.write("a/same.des", den("").replace("den", "same")).write("b/same.des", den("").replace("den", "same"));
    place.write("a/den.des", den(trap)).write("b/den.des", den("IF [50%] {\n  TRAP: \"pit\", (3,1)\n}"));
    place.write("a/gone.des", den("").replace("den", "gone")).write("b/new.des", den("").replace("den", "new"));
    let looped = "LOOP [1] {\n  TRAP: \"pit\", (3,1)\n}";
    place.write("a/way.des", den(trap).replace("den", "way"));
    place.write("b/way.des", den(looped).replace("den", "way"));
    let out = diff(&place, &["a", "b"]).ends(FINE).out();
    for line in [
        "a, b: 1 level added, 1 removed, 1 changed, 1 rewritten",
        "den (den.des): changed",
        "gone (gone.des): removed",
        "new (new.des): added",
        "way (way.des): rewritten",
        "proven the same",
        "- TRAP: \"pit\", (3,1)",
        "+ IF [50%] {",
        "less likely: pit (traps), in ",
    ] {
        assert!(out.contains(line), "{line} is not in:\n{out}");
    }
    assert!(!out.contains("same.des"), "{out}");
    // The mark is below the square of the trap, which the picture after it shows.
    let lines: Vec<&str> = out.lines().collect();
    let marks: Vec<usize> = lines.iter().enumerate().filter(|(_, line)| line.trim() == "^").map(|(at, _)| at).collect();
    assert_eq!(marks.len(), 1, "{out}");
    assert_eq!(lines[marks[0]].find('^'), lines[marks[0] - 1].find('|').map(|wall| wall + 3), "{out}");
    diff(&place, &["--exit-code", "a", "b"]).ends(INPUT_ERRORS);
    diff(&place, &["--exit-code", "a", "a"]).ends(FINE);
}

#[test]
fn findings_come_and_go() {
    let place = Place::new();
    place.write("one.des", den("")).write("two.des", den("TERRAIN: (3,1), '|'\nTERRAIN: (3,2), '|'"));
    let out = diff(&place, &["one.des", "two.des"]).ends(FINE).out();
    assert!(out.contains("new finding: W0908"), "{out}");
    let out = diff(&place, &["two.des", "one.des"]).ends(FINE).out();
    assert!(out.contains("no longer found: W0908"), "{out}");
}

#[test]
fn every_form_has_the_change() {
    let place = Place::new();
    place.write("one.des", den("")).write("two.des", den("FOUNTAIN: (3,1)"));
    let of = |arguments: &[&str]| diff(&place, &[arguments, &["one.des", "two.des"]].concat()).ends(FINE).out();
    let json: serde_json::Value = serde_json::from_str(&of(&["--format", "json"])).unwrap();
    assert_eq!((&json["schema"], &json["levels"][0]["change"]), (&"splc-diff".into(), &"changed".into()));
    assert_eq!(json["levels"][0]["squares"].as_array().map(Vec::len), Some(1));
    let markdown = of(&["--format", "markdown", "--pictures", "pictures"]);
    assert!(markdown.contains("+ FOUNTAIN: (3,1)") && markdown.contains("](pictures/1-den.svg)"), "{markdown}");
    assert!(String::from_utf8(place.read("pictures/1-den.svg")).unwrap().starts_with("<svg "));
    let html = of(&["--format", "html"]);
    assert!(html.contains("<ins>+ FOUNTAIN: (3,1)</ins>") && html.contains("<svg "), "{html}");
}

#[test]
fn revisions_of_git_are_compared() {
    let place = Place::new();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];
        let run = Command::new("git").args(identity).args(arguments).current_dir(place.0.path()).output();
        run.is_ok_and(|run| run.status.success())
    };
    if !git(&["init", "-q"]) {
        return;
    }
    place.write("dat/pool.inc", "FUNCTION pool() {\n  POOL: (3,1)\n}\n");
    place.write("dat/den.des", format!("INCLUDE \"pool.inc\"\n{}", den("pool()")));
    assert!(git(&["add", "-A"]) && git(&["commit", "-q", "-m", "one"]));
    place.write("dat/pool.inc", "FUNCTION pool() {\n  FOUNTAIN: (3,1)\n}\n");
    assert!(git(&["commit", "-q", "-a", "-m", "two"]));
    let out = diff(&place, &["HEAD~1..HEAD"]).ends(FINE).out();
    assert!(out.contains("HEAD~1, HEAD: 1 level changed"), "{out}");
    let out = diff(&place, &["HEAD"]).ends(FINE).out();
    assert!(out.contains("no level differs"), "{out}");
    place.write("dat/den.des", den("SINK: (3,1)"));
    let out = diff(&place, &["HEAD"]).ends(FINE).out();
    assert!(out.contains("+ SINK: (3,1)"), "{out}");
    // An option of git is not a revision.
    diff(&place, &["--", "--output=x", "HEAD"]).ends(TROUBLE).says(&["neither a file nor a git revision"]);
    assert!(!place.names().contains(&"x".to_owned()));
}
