//! Project files, folders and globs.

use std::time::{Duration, Instant};

use super::*;

/// A level of UnNetHack that NetHack 3.4.3 does not accept.
const YARD: &str = "LEVEL: \"yard\"\nNOMAP\nSTAIR: (5,5), up\nSTAIR: (9,9), down\n";

/// A level with a warning.
const RAGGED: &str = "MAZE:\"rag\",' '\nGEOMETRY:center,center\nMAP\n-----\n|...|\n|.-\n---\nENDMAP\n\
                      STAIR:(1,1),up\nSTAIR:(2,1),down\n";

fn tree(toml: &str) -> Place {
    let place = Place::new();
    place.write("splc.toml", toml).write("dat/yard.des", YARD).write("dat/deep/den.des", YARD.replace("yard", "den"));
    place
}

#[test]
fn a_command_without_files_takes_those_of_the_project() {
    let place = tree("target = \"unnethack-6.0.4\"\nsources = [\"dat/**/*.des\"]\noutput = \"build\"\n");
    place.splc(&[]).is_fine();
    let names = place.names();
    assert!(names.contains(&"build/yard.lev".to_owned()) && names.contains(&"build/den.lev".to_owned()), "{names:?}");
    // The same from a folder below, whose files belong to the project.
    fs::remove_dir_all(place.path("build")).unwrap();
    let mut command = place.command(&["yard.des"]);
    command.current_dir(place.path("dat"));
    Run::of(command).is_fine();
    assert!(place.names().contains(&"build/yard.lev".to_owned()));
    // The command line wins.
    place.splc(&["-o", "here/", "dat/yard.des"]).is_fine();
    place.read("here/yard.lev");
    place.splc(&["check", "--isolated"]).ends(FINE).says(&["(stdin)"]);
}

#[test]
fn a_file_names_its_game() {
    let place = tree("target = \"unnethack-6.0.4\"\nsources = [\"dat/*.des\"]\n");
    let old = format!("# A comment.\n# splc: target(nethack-3.6.7)\n{RAGGED}");
    place.write("dat/old.des", &old).write("dat/bad.des", "# splc: target(unnethak)\nLEVEL: \"bad\"\n");
    let run = place.splc(&["dat/old.des", "-o", "old.lev"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    place.splc(&["--isolated", "--target", "nethack-3.6.7", "dat/old.des", "-o", "again.lev"]).ends(FINE);
    assert_eq!(place.read("old.lev"), place.read("again.lev"));
    place
        .splc(&["check", "dat/bad.des"])
        .ends(TROUBLE)
        .says(&["unknown target: unnethak", "did you mean \"unnethack\"?"]);
    // A target on the command line wins.
    place.splc(&["check", "--target", "unnethack-6.0.4", "dat/bad.des"]).ends(FINE);
    place.write("late.des", "LEVEL: \"late\"\n# splc: target(nethack-3.6.7)\nNOMAP\n");
    place.splc(&["check", "late.des"]).ends(FINE).says(&["W0920", "before its first statement"]);
}

#[test]
fn lints_depend_on_the_path() {
    let toml = "dialect = \"nethack36\"\nsources = [\"**/*.des\"]\n\n[lints]\nragged-map = \"deny\"\n\n\
                [[files]]\npaths = [\"old/**\"]\nlints = { ragged-map = \"allow\" }\n";
    let place = Place::new();
    place.write("splc.toml", toml).write("old/rag.des", RAGGED).write("new/rag.des", RAGGED);
    place.splc(&["check", "old/rag.des"]).is_fine();
    place.splc(&["check", "new/rag.des"]).ends(INPUT_ERRORS).says(&["error[W0456]"]);
    let run = place.splc(&["check", "--message-format", "short"]).ends(INPUT_ERRORS);
    assert!(run.err.contains("new/rag.des") && !run.err.contains("old/rag.des"), "{}", run.err);
    place.splc(&["check", "-A", "ragged-map", "new/rag.des"]).is_fine();
}

#[test]
fn mistakes_in_a_project_file_are_shown() {
    for (toml, says) in [
        ("tagret = \"x\"\n", "did you mean \"target\"?"),
        ("target = \"unnethack-6.0.5\"\nsources = [\"dat/*.des\"]\n", "unnethack-6.0.4"),
        ("sources = [\"none/*.des\"]\n", "`sources` selects no file"),
        ("message-format = \"shrot\"\nsources = [\"dat/*.des\"]\n", "did you mean \"short\"?"),
        ("[test]\nseeds = \"9..1\"\n", "write 1..9"),
    ] {
        let place = tree(toml);
        place.splc(&["test"]).ends(TROUBLE).says(&[says]);
    }
    let place = tree("");
    place.write("other/splc.toml", "").write("other/a.des", YARD);
    place
        .splc(&["check", "dat/yard.des", "other/a.des"])
        .ends(TROUBLE)
        .says(&["do not belong to the project", "--isolated"]);
    place.splc(&["check", "--isolated", "dat/yard.des", "other/a.des"]).ends(FINE);
    place.splc(&["check", "--config", "missing.toml"]).ends(TROUBLE).says(&["missing.toml"]);
}

#[test]
fn folders_and_globs_are_inputs() {
    let place = tree("");
    place.write("dat/ignored.des", "nonsense").write(".gitignore", "ignored.des\n").write("dat/nhlib.lua", "x");
    place.splc(&["check", "--dialect", "unnethack", "dat"]).ends(FINE);
    place.splc(&["--dialect", "unnethack", "dat/**/*.des", "-o", "made/"]).is_fine();
    assert_eq!(place.names().iter().filter(|name| name.starts_with("made/")).count(), 2);
    place.splc(&["decompile", "made", "-o", "back/"]).ends(FINE);
    place.read("back/den.des");
    place.splc(&["check", "x*.des"]).ends(TROUBLE).says(&["no file matches x*.des"]);
    place.splc(&["check", "made"]).ends(TROUBLE).says(&["no des-file or Lua level in made"]);
}

#[test]
fn init_describes_the_tree_and_config_shows_it() {
    let place = Place::new();
    place.splc(&["config"]).ends(FINE);
    let den = fs::read_to_string(corpus().join("bigrm.des")).unwrap();
    place.write("dat/bigrm.des", den).write("dat/dungeon.def", "DUNGEON: \"The Top\" \"T\" (10,3)\n");
    let run = place.splc(&["init"]).ends(FINE);
    assert!(run.out().contains("splc.toml is written, for 1 file"), "{}", run.out());
    let text = String::from_utf8(place.read("splc.toml")).unwrap();
    for line in ["dialect = \"unnethack\"", "sources = [\"dat/*.des\"]", "dungeon-file = \"dat/dungeon.def\""] {
        assert!(text.contains(line), "{line}:\n{text}");
    }
    place.splc(&["init"]).ends(TROUBLE).says(&["already exists"]);
    place.splc(&[]).ends(FINE);
    place.write("dat/old.des", format!("# splc: target(nethack-3.4.3)\n{RAGGED}"));
    let shown = place.splc(&["config", "dat/old.des"]).ends(FINE).out();
    let row = |key: &str| shown.lines().find(|line| line.starts_with(key)).unwrap_or_default().to_owned();
    assert!(row("target").contains("comment in dat/old.des"), "{shown}");
    assert!(row("sources").ends_with("splc.toml:4"), "{shown}");
    assert!(row("emit").ends_with("default"), "{shown}");
}

#[test]
fn a_command_is_repeated_when_a_file_changes() {
    let place = tree("target = \"unnethack-6.0.4\"\nsources = [\"dat/*.des\"]\n");
    let mut command = place.command(&["check", "--watch"]);
    let log = place.path("log.txt");
    let file = fs::File::create(&log).unwrap();
    let mut child = command.stdout(file.try_clone().unwrap()).stderr(file).spawn().unwrap();
    let wait = |text: &str| {
        let until = Instant::now() + Duration::from_secs(600);
        while !fs::read_to_string(&log).unwrap().contains(text) {
            assert!(Instant::now() < until, "{text}: {}", fs::read_to_string(&log).unwrap());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    wait("watching");
    place.write("dat/yard.des", "LEVEL: \"yard\"\nMONSTER: \"gaint ant\", (1,2)\n");
    wait("giant ant");
    child.kill().unwrap();
    child.wait().unwrap();
    place.splc(&["check", "--watch", "-"]).ends(TROUBLE).says(&["--watch needs files"]);
}
