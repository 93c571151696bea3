//! Hostile input: a clear error, nothing written, no panic, no hang.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use crate::*;
use splc_ir::limits::{MAX_INCLUDE_DEPTH, MAX_SOURCE_BYTES};

/// Compiles `text` and expects errors that include `said`, and no output.
#[track_caller]
fn rejected(text: impl AsRef<[u8]>, said: &[&str]) {
    let place = Place::new();
    place.write("x.des", text);
    let run = place.unnethack(&["x.des"]).ends(INPUT_ERRORS).says(said).says(&["nothing written"]);
    assert!(run.err.len() < 200_000, "{} bytes of messages", run.err.len());
    assert_eq!(place.names(), ["x.des"]);
}

#[test]
fn unreadable_files() {
    let place = Place::new();
    place.write("folder/x", "").write("good.des", level("a", ""));
    place
        .unnethack(&["good.des", "missing.des"])
        .ends(TROUBLE)
        .says(&["error[E0009]: cannot read missing.des: no such file"]);
    place.unnethack(&["folder"]).ends(TROUBLE).says(&["error[E0009]: cannot read folder: it is a folder", "*.des"]);
    place.unnethack(&["good.des/x"]).ends(TROUBLE).says(&["error[E0009]"]);
    place.unnethack(&["bad\u{1b}name"]).ends(TROUBLE).says(&["error[E0009]"]);
    assert_eq!(place.names(), ["folder", "folder/x", "good.des"]);
}

#[cfg(target_os = "linux")]
#[test]
fn files_with_read_errors() {
    // It can be opened, but its first byte cannot be read.
    Place::new().unnethack(&["/proc/self/mem"]).ends(TROUBLE).says(&["error[E0009]: cannot read /proc/self/mem"]);
}

#[cfg(target_os = "linux")]
#[test]
fn endless_files() {
    let run = Place::new().unnethack(&["/dev/zero"]).ends(INPUT_ERRORS);
    run.says(&["error[E0008]: /dev/zero is larger than 96 MiB"]);
}

#[test]
fn files_above_the_limit() {
    let place = Place::new();
    File::create(place.path("x.des")).unwrap().set_len(MAX_SOURCE_BYTES + 1).unwrap();
    place.unnethack(&["x.des"]).ends(INPUT_ERRORS).says(&["error[E0008]: x.des is larger than 96 MiB"]);
}

#[test]
fn a_line_of_100_megabytes() {
    let place = Place::new();
    let mut file = BufWriter::new(File::create(place.path("x.des")).unwrap());
    file.write_all(b"LEVEL: \"a\"\n").unwrap();
    for _ in 0..100 {
        file.write_all(&[b'x'; 1_000_000]).unwrap();
    }
    file.flush().unwrap();
    let run = place.unnethack(&["x.des"]).ends(INPUT_ERRORS).says(&["error[E0008]", "x.des:2:1"]);
    assert!(run.err.len() < 3000, "{}", run.err);
}

#[test]
fn level_names_outside_the_folder() {
    for name in [
        "/etc/evil",
        "../evil",
        "..",
        ".",
        "a/b",
        "a\\b",
        "a\0b",
        "a\u{1b}b",
        "",
        "this name is far too long for a level",
    ] {
        rejected(level(name, ""), &["error[E0301]"]);
    }
    // Only `%i` is replaced by a number.
    for name in ["a%s", "a%n", "a%", "%i%i", "a%99999999999999999999i"] {
        rejected(level(name, ""), &["error[E0301]"]);
    }
}

#[test]
fn deep_nesting() {
    let deep = |before: &str, open: &str, middle: &str, close: &str, depth: usize| {
        format!("LEVEL: \"a\"\n{before}{}{middle}{}\n", open.repeat(depth), close.repeat(depth))
    };
    for depth in [1_000, 100_000] {
        rejected(deep("", "LOOP [2] {\n", "EXIT\n", "}\n", depth), &["error["]);
        rejected(deep("", "IF [50%] {\n", "EXIT\n", "}\n", depth), &["error["]);
        rejected(deep("$x = ", "(", "1", ")", depth), &["error["]);
        rejected(deep("TERRAIN: ", "(", "(1,1)", ")", depth), &["error["]);
        rejected(deep("TERRAIN: ", "grow(", "(1,1)", ")", depth), &["error["]);
        rejected(deep("", "[50%]: ", "EXIT", "", depth), &["error["]);
        rejected(deep("", "{", "", "", depth), &["error["]);
        rejected(deep("", "}", "", "", depth), &["error["]);
        rejected(deep("", "CONTAINER: '(', random {\n", "", "}\n", depth), &["error["]);
        rejected(deep("", "ROOM: \"ordinary\", random, random, random, random {\n", "", "}\n", depth), &["error["]);
    }
}

#[test]
fn numbers_too_large_for_any_machine() {
    for number in ["2147483648", "4294967296", "9223372036854775808", "18446744073709551616", &"9".repeat(5000)] {
        for statement in [
            "$x = {}",
            "GOLD: {}, (1,1)",
            "VAULTGEN: {}",
            "LOOP [{}] { EXIT }",
            "MONSTER: 'a', ({},1)",
            "$x = {}d6",
            "IF [{}%] { EXIT }",
        ] {
            rejected(
                format!("LEVEL: \"a\"\nFLAGS: rndvault\n{}\n", statement.replace("{}", number)),
                &["error[", "x.des:3:"],
            );
        }
    }
}

#[test]
fn too_many_cases() {
    let cases = |count: usize| {
        let cases: String = (0..count).map(|at| format!("CASE {at}:\n BREAK\n")).collect();
        format!("LEVEL: \"a\"\nSWITCH [{count}] {{\n{cases}}}\n")
    };
    rejected(cases(21), &["error[E0108]"]);
    rejected(cases(20_000), &["error[E0108]"]);
    let place = Place::new();
    place.write("x.des", cases(20)).unnethack(&["x.des"]).is_fine();
}

#[test]
fn missing_includes() {
    let place = Place::new();
    place.write("missing.des", "INCLUDE \"nothing.inc\"\n").write("folder.des", "INCLUDE \"sub\"\n").write("sub/x", "");
    place
        .write("itself.des", "INCLUDE \"itself.des\"\n")
        .write("a.des", "INCLUDE \"b.des\"\n")
        .write("b.des", "INCLUDE \"a.des\"\n");
    place.write("nul.des", b"INCLUDE \"a\0b\"\n").write("sub/itself.des", "INCLUDE \"../sub/./itself.des\"\n");
    for at in 0..MAX_INCLUDE_DEPTH + 2 {
        place.write(&format!("deep{at}.des"), format!("INCLUDE \"deep{}.des\"\n", at + 1));
    }
    place.write(&format!("deep{}.des", MAX_INCLUDE_DEPTH + 2), "# the end\n");
    let before = place.files();
    for (name, said) in [
        ("missing.des", "nothing.inc"),
        ("folder.des", "sub"),
        ("itself.des", "includes itself"),
        ("sub/itself.des", "includes itself"),
        ("a.des", "includes itself"),
        ("nul.des", "INCLUDE"),
        ("deep0.des", "deep"),
    ] {
        place.unnethack(&[name]).ends(INPUT_ERRORS).says(&["error[E0", said, "nothing written"]);
    }
    assert_eq!(place.files(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn includes_of_special_files() {
    let place = Place::new();
    for target in ["/dev/zero", "/dev/stdin", "/dev/tty"] {
        place.write("x.des", format!("INCLUDE \"{target}\"\n"));
        place.unnethack(&["x.des"]).ends(INPUT_ERRORS).says(&["error[E0303]"]);
    }
}

#[test]
fn includes_count_towards_the_size_of_a_file() {
    // Each file includes the next one a hundred times: without a limit, ten thousand million files are read.
    let place = Place::new();
    for at in 0..4 {
        place.write(&format!("{at}.des"), format!("INCLUDE \"{}.des\"\n", at + 1).repeat(100));
    }
    place.write("4.des", format!("#{}\n", "x".repeat(1_000_000)));
    place.unnethack(&["0.des"]).ends(INPUT_ERRORS).says(&["error[E0303]", "larger than 96 MiB"]);
}

#[test]
fn includes_are_relative_to_the_file() {
    let place = Place::new();
    place.write("sub/x.des", "INCLUDE \"f.inc\"\nLEVEL: \"a\"\nf()\n").write("sub/f.inc", "FUNCTION f() {\nEXIT\n}\n");
    place.unnethack(&["sub/x.des"]).is_fine();
    // Or in the current folder, where the game's compiler searches.
    place.write("y.des", "").write("other/y.des", "INCLUDE \"sub/f.inc\"\nLEVEL: \"b\"\nf()\n");
    place.unnethack(&["other/y.des"]).is_fine();
    place.read("b.lev");
}

#[test]
fn a_flood_of_errors_is_counted() {
    // Each type of mistake on 100,000 lines: diagnostics that are not shown are not built.
    for line in ["MONTSER: 'a', (1,1)", "TRAP: pit, (1,1)", "MONSTER: 'ab', (1,1)", "TRAP: \"xyzzy\", (1,1)"] {
        let place = Place::new();
        place.write("x.des", format!("LEVEL: \"a\"\n{}", format!("{line}\n").repeat(100_000)));
        let run = place.unnethack(&["x.des"]).ends(INPUT_ERRORS).says(&["100000 errors", "nothing written"]);
        assert!(run.err.len() < 200_000, "{line}: {} bytes of messages", run.err.len());
    }
}

#[test]
fn unknown_names_in_a_long_file() {
    let place = Place::new();
    let variables: String = (0..20_000).map(|at| format!("GOLD: $c{at},(1,1)\n")).collect();
    place.write("v.des", format!("LEVEL: \"a\"\n{variables}"));
    place.unnethack(&["v.des"]).ends(INPUT_ERRORS).says(&["20000 errors"]);
    let place = Place::new();
    let calls = "unknown()\n".repeat(20_000);
    place.write("c.des", format!("LEVEL: \"a\"\nTRAP: (\n{calls}"));
    place.unnethack(&["c.des"]).ends(INPUT_ERRORS);
    let place = Place::new();
    let functions: String = (0..4_000).map(|at| format!("FUNCTION f{at}() {{\nEXIT\n}}\n")).collect();
    let calls: String = (0..4_000).map(|at| format!("g{at}()\n")).collect();
    place.write("f.des", format!("{functions}LEVEL: \"a\"\n{calls}"));
    place.unnethack(&["f.des"]).ends(INPUT_ERRORS).says(&["4000 errors"]);
}

#[test]
fn rubbish() {
    // Any input must be accepted or rejected.
    let mut state = 1_u64;
    let mut byte = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    for length in [1, 10, 1000, 100_000] {
        let bytes: Vec<u8> = (0..length).map(|_| byte()).collect();
        let place = Place::new();
        let run = place.write("x.des", bytes).unnethack(&["x.des"]);
        assert!(run.status == INPUT_ERRORS || run.err.contains("W0306"), "{}: {}", run.status, run.err);
    }
}
