//! Conventions that people expect of a command line program.

use super::*;

const MISTAKEN: &str = "LEVEL: \"a\"\nMONTSER: 'a', (1,1)\nTRAP: \"bear trap\", (1,1)\n";

#[test]
fn help_is_a_command_as_well() {
    let place = Place::new();
    let requested = place.splc(&["run", "--help"]).ends(FINE).out();
    assert_eq!(place.splc(&["help", "run"]).ends(FINE).out(), requested);
    assert_eq!(place.splc(&["help"]).ends(FINE).out(), place.splc(&["--help"]).ends(FINE).out());
}

#[test]
fn a_misspelt_command_gets_a_suggestion() {
    let place = Place::new();
    place.write("x.des", level("a", "1"));
    place
        .splc(&["chekc", "x.des"])
        .ends(TROUBLE)
        .says(&["cannot read chekc", "did you mean the command `splc check`?"]);
    let run = place.splc(&["nothing.des"]).ends(TROUBLE);
    assert!(!run.err.contains("did you mean"), "{}", run.err);
}

#[test]
fn fix_is_a_filter() {
    let place = Place::new();
    let run = Run::reading(place.command(&["fix", "--dialect", "unnethack", "-"]), MISTAKEN.as_bytes()).is_fine();
    assert_eq!(run.out(), "LEVEL: \"a\"\nMONSTER: 'a', (1,1)\nTRAP: \"bear\", (1,1)\n");
    let run =
        Run::reading(place.command(&["fix", "--dialect", "unnethack", "-"]), level("a", "1").as_bytes()).is_fine();
    assert_eq!(run.out(), level("a", "1"));
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn checked_files_may_have_levels_of_the_same_name() {
    let place = Place::new();
    place.write("a.des", level("same", "1")).write("b.des", level("same", "2"));
    place.splc(&["check", "--dialect", "unnethack", "a.des", "b.des"]).ends(FINE);
    place.unnethack(&["a.des", "b.des"]).ends(INPUT_ERRORS).says(&["error[E0302]"]);
}

#[test]
fn binary_input_is_reported_but_not_shown() {
    let place = Place::new();
    let utf16 = "\u{feff}LEVEL: \"a\"\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    picture.extend([0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 1, 0, 0xfe, 0x1b, b'[', b'2', b'J']);
    place.write("u.des", utf16).write("p.des", picture).write("r.des", "LEVEL: \"a\"\rMESSAGE: \"b\"\r");
    for (name, said) in [("u.des", "is in UTF-16"), ("p.des", "is not text"), ("r.des", "carriage returns only")] {
        let run = place.unnethack(&[name]).ends(INPUT_ERRORS).says(&[said, "help: "]);
        assert!(run.err.lines().count() < 8 && !run.err.contains("IHDR") && !run.err.contains('\u{1b}'), "{}", run.err);
    }
}

#[test]
fn a_byte_order_mark_is_reported_and_fixed() {
    let place = Place::new();
    for (dialect, text) in [("unnethack", "LEVEL: \"a\"\nMESSAGE: \"b\"\n"), ("nethack343", "MAZE:\"a\",' '\nNOMAP\n")]
    {
        place.write("x.des", format!("\u{feff}{text}"));
        let run = place.splc(&["check", "--dialect", dialect, "x.des"]).ends(INPUT_ERRORS);
        let run = run.says(&["the file begins with a byte-order mark"]);
        assert!(run.err.contains("error: 1 error"), "{}", run.err);
        place.splc(&["fix", "--dialect", dialect, "x.des"]).ends(FINE);
        assert_eq!(place.read("x.des"), text.as_bytes());
    }
}

#[test]
fn more_threads_than_cores_are_not_started() {
    let place = Place::new();
    place.write("x.des", level("a", "1")).unnethack(&["x.des"]).is_fine();
    let out = |threads: &str| {
        place.splc(&["run", "a.lev", "--stats", "--seeds", "1..1000", "--threads", threads]).is_fine().out()
    };
    assert_eq!(out("99999999"), out("1"));
}

#[test]
fn seed_counts_start_from_one() {
    let place = Place::new();
    place.write("x.des", level("a", "1")).unnethack(&["x.des"]).is_fine();
    let out = |seeds: &str| place.splc(&["run", "a.lev", "--stats", "--seeds", seeds]).is_fine().out();
    assert_eq!(out("7"), out("1..7"));
}

#[test]
fn a_new_level_needs_only_a_name() {
    let place = Place::new();
    place.splc(&["new", "yard"]).ends(FINE);
    place.splc(&["check", "yard.des"]).ends(FINE);
}

#[test]
fn the_short_format_includes_the_help() {
    let place = Place::new();
    let run = place.write("x.des", MISTAKEN).unnethack(&["--message-format", "short", "x.des"]).ends(INPUT_ERRORS);
    let lines: Vec<&str> = run.err.lines().collect();
    assert_eq!(lines[0], "x.des:2:1: error[E0001]: unknown statement MONTSER (help: did you mean \"MONSTER\"?)");
    assert_eq!(lines.len(), 3, "{}", run.err);
}

#[test]
fn binary_input_is_reported_before_detecting_a_game() {
    let place = Place::new();
    place.write("r.des", "LEVEL: \"a\"\rMESSAGE: \"b\"\r");
    let run = place.splc(&["check", "r.des"]).ends(INPUT_ERRORS).says(&["carriage returns only"]);
    assert!(!run.err.contains("is read as") && !run.err.contains("no level"), "{}", run.err);
}

#[test]
fn the_standard_output_takes_only_one_picture() {
    let place = Place::new();
    place.write("x.des", level("a", "1")).unnethack(&["x.des"]).is_fine();
    let run = place.splc(&["run", "a.lev", "--png", "-"]).is_fine();
    assert!(run.out.starts_with(b"\x89PNG") && run.out.ends_with(b"IEND\xaeB`\x82"));
    let run = place.splc(&["run", "a.lev", "--stats", "--seeds", "3", "--svg", "-"]).is_fine();
    assert!(run.out().starts_with("<svg ") && run.out().ends_with("</svg>\n"), "{}", run.out());
    place.splc(&["run", "a.lev", "--json", "--png", "-"]).ends(TROUBLE).says(&["only one output"]);
    assert_eq!(place.names(), ["a.lev", "x.des"]);
}

#[test]
fn the_named_file_is_written() {
    let place = Place::new();
    place.write("x.des", level("a", "1"));
    assert!(place.unnethack(&["-v", "-o", "other.lev", "x.des"]).is_fine().out().starts_with("File: 'other.lev', "));
    assert!(place.unnethack(&["-v", "x.des"]).is_fine().out().starts_with("File: 'a.lev', "));
}

#[test]
fn completions_and_manuals_have_the_commands() {
    let place = Place::new();
    let script = place.splc(&["completions", "bash"]).is_fine().out();
    assert!(script.contains("decompile") && script.contains("nethack-3.6.7"), "{script}");
    assert!(place.splc(&["man", "run"]).is_fine().out().contains(".SH SYNOPSIS"));
    place.splc(&["man", "rnu"]).ends(TROUBLE).says(&["did you mean \"run\"?"]);
    place.splc(&["man", "-o", "pages/"]).is_fine();
    assert!(place.path("pages/splc.1").exists() && place.path("pages/splc-dungeon-check.1").exists());
}

#[cfg(unix)]
#[test]
fn ctrl_c_shows_partial_results() {
    let place = Place::new();
    place.write("x.des", level("a", "1")).unnethack(&["x.des"]).is_fine();
    for (arguments, said) in [
        (&["run", "a.lev", "--stats", "--seeds", "1..1000000000"][..], "a, interrupted after "),
        (&["test", "a.lev", "--seeds", "1..1000000000"][..], "interrupted at level \"a\", after "),
    ] {
        // A signal before the handler is installed ends the program. The next attempt then waits longer.
        let run = (0..12)
            .map(|round| {
                let mut command = place.command(arguments);
                let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
                std::thread::sleep(std::time::Duration::from_millis(50 << round));
                assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
                child.wait_with_output().unwrap()
            })
            .find(|output| output.status.code().is_some())
            .expect("the handler is installed at some time");
        let run = Run::ended(run).ends(130);
        assert!(run.out().contains(said), "{}", run.out());
    }
}
