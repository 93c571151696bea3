//! splc under the names of the games' own compilers.

use super::*;

/// Exit code of the original compilers after errors.
const FAILURE: i32 = 1;

/// A level written for 3.6 by somebody used to NetHack 3.4.3 (facebookresearch/minihack, issue 59).
const OLD_FORM: &str = "\
MAZE: \"mylevel\", ' '
GEOMETRY: center, center
MAP
|.....|
|.....|
|.....|
ENDMAP
REGION: (0,0,6,2), lit, \"ordinary\"
$place = { (1,1), (2,2) }
MONSTER:'v',\"dust vortex\",(0,4)
";

/// Returns the header of NetHack 3.6.7, in its usual build or that of NLE.
fn header(target: &str) -> Vec<u8> {
    let catalog = splc_ir::catalog::Catalog::by_name(target).unwrap();
    let abi = &splc_ir::abi::ALL[0];
    let mut bytes = Vec::new();
    catalog.header(abi.name).unwrap().iter().for_each(|&long| abi.put_long(&mut bytes, long as i64));
    bytes
}

impl Place {
    fn lev_comp_in(&self, target: Option<&str>, arguments: &[&str], input: &[u8]) -> Run {
        if !self.path("bin/lev_comp").exists() {
            self.splc(&["--install-links", "bin"]).is_fine();
        }
        let mut command = Command::new(self.path(&format!("bin/lev_comp{}", std::env::consts::EXE_SUFFIX)));
        command.args(arguments).current_dir(self.0.path()).env_remove("SPLC_TARGET");
        if let Some(target) = target {
            command.env("SPLC_TARGET", target);
        }
        Run::reading(command, input)
    }

    pub(crate) fn lev_comp(&self, target: &str, arguments: &[&str]) -> Run {
        self.lev_comp_in(Some(target), arguments, b"")
    }
}

#[test]
fn levels_are_written_to_the_current_folder() {
    let place = Place::new();
    place.write("des/x.des", level("a", "1") + &level("b", "2")).write("y.des", level("c", "3"));
    let run = place.lev_comp("unnethack", &["des/x.des", "y.des"]).is_fine();
    assert!(run.out.is_empty());
    let by_name = ["a.lev", "b.lev", "c.lev"].map(|name| place.read(name));
    place.unnethack(&["-o", "splc/", "des/x.des", "y.des"]).is_fine();
    assert_eq!(by_name, ["splc/a.lev", "splc/b.lev", "splc/c.lev"].map(|name| place.read(name)));
}

#[test]
fn without_arguments_the_standard_input_is_read() {
    let place = Place::new();
    place.lev_comp_in(Some("unnethack"), &[], level("a", "1").as_bytes()).is_fine();
    place.read("a.lev");
    let run = place.lev_comp_in(Some("unnethack"), &[], b"LEVEL: \"a\"\nTRAP: \"xyzzy\", (1,2)\n").ends(FAILURE);
    assert!(run.err.starts_with("(stdin): line 2, pos 6 : "), "{}", run.err);
    // An option counts as an argument, so the originals read nothing.
    place.lev_comp_in(Some("unnethack"), &["-v"], b"nonsense").is_fine();
}

#[test]
fn verbose_lists_levels_and_shows_more_warnings() {
    let place = Place::new();
    place.write("x.des", "LEVEL: \"a\"\n$unused = 1\nMONSTER: \"GIANT ANT\", (1,2)\n");
    place.lev_comp("unnethack", &["x.des"]).is_fine();
    let run = place.lev_comp("unnethack", &["-v", "x.des"]).ends(FINE);
    let run = run.says(&["x.des: line 2 : WARNING : ", "x.des: line 3 : WARNING : "]);
    assert_eq!(run.out(), "File: 'a.lev', opcodes: 11\n");
    let run = place.lev_comp("unnethack", &["-w", "x.des"]).ends(FINE).says(&["x.des: line 3 : WARNING : "]);
    assert_eq!(run.out(), "");
    // An option applies to the files after it.
    let run = place.lev_comp("unnethack", &["x.des", "-v"]).is_fine();
    assert_eq!(run.out(), "");
}

#[test]
fn errors_have_the_form_of_each_compiler() {
    let script = "LEVEL: \"first\"\nMESSAGE: \"fine\"\nLEVEL: \"second\"\n  MONSTER: (';', \"giant eal\"), (1,2)\n";
    let help = "    help: did you mean \"giant eel\"?\n";
    let total = "x.des: 1 errors detected for level \"second\". No output created!\n";
    for (target, line) in [
        ("unnethack", "x.des: line 4, pos 11 : UnNetHack 6.0.4 has no monster \"giant eal\" of class ';'\n"),
        ("nethack36", "x.des: line 4, pos 11: NetHack 3.6.7 has no monster \"giant eal\" of class ';'\n"),
        ("sporkhack", "x.des: line 4 : SporkHack 0.7.0 has no monster \"giant eal\" of class ';'\n"),
    ] {
        let place = Place::new();
        place.write("x.des", script);
        let run = place.lev_comp(target, &["x.des"]).ends(FAILURE);
        assert_eq!(run.err, format!("{line}{help}{total}"));
        assert!(!place.path("first.lev").exists() && !place.path("second.lev").exists());
    }
    let place = Place::new();
    place.write("x.des", "MAZE: \"first\", ' '\nMONSTER: ';', \"giant eal\", random\n");
    let run = place.lev_comp("nethack343", &["x.des"]).ends(FAILURE);
    assert!(run.err.starts_with("x.des: line 2 : "), "{}", run.err);
    assert!(run.err.ends_with("\nx.des : 1 errors detected. No output created!\n"), "{}", run.err);
}

#[test]
fn the_line_is_that_of_the_original() {
    let script = "LEVEL: \"first\"\nMESSAGE: \"fine\"\n\nsoko_loot()\n";
    for (target, line) in [
        ("unnethack", "x.des: line 4, pos 0 : function 'soko_loot' is not defined\n"),
        ("sporkhack", "x.des: line 2 : function 'soko_loot' is not defined (line 4)\n"),
    ] {
        let place = Place::new();
        place.write("x.des", script);
        let run = place.lev_comp(target, &["x.des"]).ends(FAILURE);
        assert!(run.err.starts_with(line), "{}", run.err);
        // splc itself shows the actual place.
        let run = place.splc(&["check", "--dialect", target, "--message-format", "short", "x.des"]).ends(INPUT_ERRORS);
        assert!(run.err.starts_with("x.des:4:1: error[E0103]"), "{}", run.err);
    }
}

#[test]
fn errors_come_in_the_order_of_the_original() {
    // A subroom's room is looked up at the end of the level.
    let place = Place::new();
    place.write(
        "x.des",
        "\
LEVEL:\"first\"
ROOM:\"ordinary\",random,random,random,random
SUBROOM:\"ordinary\",random,(1,1),(2,2),\"hall\"
ROOM:\"ordinary\",random,random,random,random
TRAP:\"xyzzy\",random
RANDOM_CORRIDORS
",
    );
    let run = place.lev_comp("nethack343", &["x.des"]).ends(FAILURE);
    let lines: Vec<&str> = run.err.lines().filter(|line| line.contains(" : ")).collect();
    assert!(lines[0].starts_with("x.des: line 5 : unknown trap"), "{}", run.err);
    assert_eq!(lines[1], "x.des: line 5 : no room has the name \"hall\" (line 3)", "{}", run.err);
    assert_eq!(lines[2], "x.des : 2 errors detected. No output created!");
}

#[test]
fn errors_are_counted_level_by_level() {
    let place = Place::new();
    let bad = "OBJECT: \"xyzzy\", (1,2)\n";
    place.write("x.des", format!("LEVEL: \"a\"\n{bad}{bad}LEVEL: \"b\"\nLEVEL: \"c\"\n{bad}"));
    let run = place.lev_comp("unnethack", &["x.des"]).ends(FAILURE);
    let starts: Vec<&str> = run.err.lines().filter(|line| !line.starts_with(' ')).map(|line| &line[..14]).collect();
    let expected = ["x.des: line 2,", "x.des: line 3,", "x.des: 2 error", "x.des: line 6,", "x.des: 1 error"]
        .map(|line| &line[..14]);
    assert_eq!(starts, expected, "{}", run.err);
    assert!(run.err.contains("2 errors detected for level \"a\"") && run.err.contains("for level \"c\""));
}

#[test]
fn files_are_compiled_independently() {
    let place = Place::new();
    place.write("a.des", level("a", "1")).write("bad.des", "nonsense\n").write("b.des", level("b", "2"));
    let run = place.lev_comp("unnethack", &["a.des", "missing.des", "bad.des", "b.des"]).ends(FAILURE);
    assert!(run.err.starts_with("Can't open \"missing.des\" for input.\nmissing.des: "), "{}", run.err);
    run.says(&["bad.des: line 1, pos 0 : "]);
    place.read("a.lev");
    place.read("b.lev");
    // A second level of the same name overwrites the first.
    place.write("c.des", level("a", "other"));
    place.lev_comp("unnethack", &["a.des", "c.des"]).is_fine();
    place.unnethack(&["-o", "splc/", "c.des"]).is_fine();
    assert_eq!(place.read("a.lev"), place.read("splc/a.lev"));
}

#[test]
fn the_variable_or_the_source_selects_the_game() {
    let place = Place::new();
    place.write("maze.des", "MAZE: \"a\", ' '\nMONSTER: ('v',\"dust vortex\"), (1,1)\n");
    place.lev_comp_in(None, &["maze.des"], b"").is_fine();
    assert!(place.read("a.lev").starts_with(&header("nethack-3.6.7")));
    place.lev_comp("nethack-3.6.7-nle", &["maze.des"]).is_fine();
    assert!(place.read("a.lev").starts_with(&header("nethack-3.6.7-nle")));
    place.write("old.des", "MAZE: \"a\", ' '\nNOMAP\nMONSTER: 'v', \"dust vortex\", random\n");
    place.lev_comp_in(None, &["old.des"], b"").is_fine();
    assert!(place.read("a.lev").starts_with(&header("nethack-3.4.3")));
    let run = place.lev_comp("nethack-3.6.8", &["maze.des"]).ends(FAILURE);
    assert!(
        run.err.starts_with("lev_comp: SPLC_TARGET names an unknown game \"nethack-3.6.8\"; did you mean"),
        "{}",
        run.err
    );
}

#[test]
fn next_to_an_installed_game_it_compiles_for_that_game() {
    let place = Place::new();
    place.write("x.des", level("a", "1"));
    // A build of NetHack 3.6.7 with a different header.
    let mut build = header("nethack-3.6.7");
    build[8] ^= 1;
    let mut archive = b"  1      2       20       200     300\nnDirectory        0\nna-1.lev       200\n".to_vec();
    archive.resize(200, b' ');
    archive.extend(&build);
    archive.extend([0; 64]);
    place.write("bin/nhdat", archive);
    place.lev_comp_in(None, &["x.des"], b"").is_fine();
    assert!(place.read("a.lev").starts_with(&build));
    place.lev_comp("nethack36", &["x.des"]).is_fine();
    assert!(place.read("a.lev").starts_with(&build));
    place.lev_comp("unnethack", &["x.des"]).is_fine();
    assert!(place.read("a.lev").starts_with(&header("unnethack-6.0.4")));
}

#[test]
fn a_monster_in_the_form_of_343_is_reported_and_fixed() {
    let place = Place::new();
    place.write("mylevel.des", OLD_FORM);
    let run = place.lev_comp("nethack-3.6.7-nle", &["mylevel.des"]).ends(FAILURE);
    assert_eq!(
        run.err,
        "mylevel.des: line 10, pos 12: this MONSTER is written as in NetHack 3.4.3\n    help: write \
         MONSTER:('v',\"dust vortex\"),(0,4) (fixable with `splc fix`)\nmylevel.des: 1 errors detected for level \
         \"mylevel\". No output created!\n"
    );
    place.splc(&["fix", "--target", "nethack-3.6.7-nle", "mylevel.des"]).ends(FINE);
    assert_eq!(place.read("mylevel.des"), OLD_FORM.replace("'v',\"dust vortex\"", "('v',\"dust vortex\")").as_bytes());
    place.lev_comp("nethack-3.6.7-nle", &["mylevel.des"]).is_fine();
    place.read("mylevel.lev");
}

#[test]
fn help_and_version_are_available() {
    let place = Place::new();
    let run = place.lev_comp("unnethack", &["--version"]).is_fine();
    assert!(run.out().starts_with("lev_comp: splc "));
    assert!(place.lev_comp("unnethack", &["--help"]).is_fine().out().contains("SPLC_TARGET"));
}

#[test]
fn control_characters_of_the_input_are_escaped() {
    let place = Place::new();
    place.write("\u{1b}x.des", "LEVEL: \"\u{1b}[2J\"\nMONSTER: \"\u{1b}[31m\u{7}\", (1,2)\n");
    let run = place.lev_comp("unnethack", &["\u{1b}x.des", "\u{1b}none.des"]).ends(FAILURE);
    assert!(!run.err.contains(|character: char| character != '\n' && character.is_control()), "{:?}", run.err);
}

#[test]
fn a_flood_of_errors_is_counted() {
    let place = Place::new();
    place.write("x.des", "LEVEL: \"a\"\n".to_owned() + &"OBJECT: \"xyzzy\", (1,2)\n".repeat(5000));
    let run = place.lev_comp("unnethack", &["x.des"]).ends(FAILURE);
    assert!(run.err.ends_with("\nx.des: 5000 errors detected. No output created!\n"), "{}", run.err);
    assert!(run.err.len() < 100_000);
}

#[test]
fn links_do_not_replace_other_files() {
    let place = Place::new();
    place.splc(&["--install-links", "new/folder"]).is_fine();
    let run = place.splc(&["--install-links", "new/folder"]).is_fine();
    assert!(run.out().contains("lev_comp is already a "), "{}", run.out());
    let name = format!("other/lev_comp{}", std::env::consts::EXE_SUFFIX);
    place.write(&name, "the game's own");
    place.splc(&["--install-links", "other"]).ends(TROUBLE).says(&["already exists", "move it away first"]);
    assert_eq!(place.read(&name), b"the game's own");
    place.write("file", "");
    place.splc(&["--install-links", "file"]).ends(TROUBLE).says(&["cannot make file"]);
    place.splc(&["--install-links", "x", "a.des"]).ends(TROUBLE);
}
