//! Hostile input: a clear error, nothing written, no panic, no hang.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use super::*;
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
    place.unnethack(&["folder"]).ends(TROUBLE).says(&["error[E0308]: no des-file or Lua level in folder"]);
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
    for name in
        ["/etc/evil", "../evil", "..", ".", "a/b", "a\\b", "a\u{1b}b", "", "this name is far too long for a level"]
    {
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
    // Each type of mistake on many lines: diagnostics that are not shown are not built.
    let lines = splc_tests::either(10_000, 100_000) as usize;
    for line in ["MONTSER: 'a', (1,1)", "TRAP: pit, (1,1)", "MONSTER: 'ab', (1,1)", "TRAP: \"xyzzy\", (1,1)"] {
        let place = Place::new();
        place.write("x.des", format!("LEVEL: \"a\"\n{}", format!("{line}\n").repeat(lines)));
        let run = place.unnethack(&["x.des"]).ends(INPUT_ERRORS).says(&[&format!("{lines} errors"), "nothing written"]);
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

#[cfg(target_os = "linux")]
#[test]
fn pipes_are_inputs_if_somebody_writes_to_them() {
    let place = Place::new();
    assert!(std::process::Command::new("mkfifo").arg(place.path("pipe.des")).status().unwrap().success());
    place
        .splc(&["check", "--dialect", "unnethack", "pipe.des"])
        .ends(TROUBLE)
        .says(&["cannot read pipe.des: nobody writes to this pipe"]);
    place.write("x.des", "INCLUDE \"pipe.des\"\n");
    place
        .splc(&["check", "--dialect", "unnethack", "x.des"])
        .ends(INPUT_ERRORS)
        .says(&["E0303", "it is not a regular file"]);
    place.write("x.toml", "extends = \"pipe\"\n");
    assert!(std::process::Command::new("mkfifo").arg(place.path("pipe.toml")).status().unwrap().success());
    place.splc(&["catalog", "validate", "x.toml"]).ends(INPUT_ERRORS).says(&["it is not a regular file"]);

    let path = place.path("pipe.des");
    let writer = std::thread::spawn(move || {
        let mut pipe = File::options().write(true).open(path).unwrap();
        for line in level("slow", "").lines() {
            writeln!(pipe, "{line}").unwrap();
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    });
    place.unnethack(&["pipe.des"]).is_fine();
    writer.join().unwrap();
    place.read("slow.lev");
    let run = place.unnethack_reading(level("piped", "").as_bytes(), &["/dev/stdin"]);
    run.is_fine();
    place.read("piped.lev");
}

#[test]
fn nothing_is_shown_of_files_in_other_folders() {
    let secret = "token = \"hunter2\"\nroot:x:0:0:hunter2\n";
    let place = Place::new();
    place.write("secret.toml", secret).write("project/own.inc", "hunter3\n");
    place.write("fine.inc", "FUNCTION f() {\nEXIT\n}\n");
    place.write("project/x.des", "INCLUDE \"../secret.toml\"\nLEVEL: \"a\"\n");
    place.write("project/x.toml", "extends = \"../secret\"\n");
    for format in ["human", "short", "json"] {
        let run = place
            .splc(&["check", "--dialect", "unnethack", "--message-format", format, "project/x.des"])
            .ends(INPUT_ERRORS);
        assert!(run.err.contains("E0303") && !run.err.contains("hunter") && !run.err.contains("root"), "{}", run.err);
    }
    let run = place.splc(&["catalog", "validate", "project/x.toml"]).ends(INPUT_ERRORS);
    assert!(run.err.contains("is in another folder") && !run.err.contains("hunter"), "{}", run.err);
    place.write("secret.toml", "extends = \"hunter2\"\n");
    let run = place.splc(&["catalog", "validate", "project/x.toml"]).ends(INPUT_ERRORS);
    assert!(run.err.contains("is in another folder") && !run.err.contains("hunter"), "{}", run.err);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret.toml", place.path("project/link.inc")).unwrap();
        place.write("secret.toml", secret).write("project/link.des", "INCLUDE \"link.inc\"\nLEVEL: \"a\"\n");
        let run = place.splc(&["check", "--dialect", "unnethack", "project/link.des"]).ends(INPUT_ERRORS);
        assert!(!run.err.contains("hunter"), "{}", run.err);
    }
    // Levels in other folders work as in the games, and files in the same folder are shown.
    place.write("project/y.des", "INCLUDE \"../fine.inc\"\nLEVEL: \"a\"\nf()\n");
    place.splc(&["check", "--dialect", "unnethack", "project/y.des"]).ends(FINE);
    place.write("project/z.des", "INCLUDE \"own.inc\"\nLEVEL: \"a\"\n");
    place.splc(&["check", "--dialect", "unnethack", "project/z.des"]).ends(INPUT_ERRORS).says(&["hunter3"]);
}

#[test]
fn names_in_files_do_not_control_the_terminal() {
    let place = Place::new();
    place.write("d.def", "DUNGEON: \"To\u{1b}[2Jp\" \"T\" (3, 0)\n");
    let run = place.splc(&["dungeon", "show", "--dialect", "36", "d.def"]);
    let (out, err) = (run.out, run.err);
    assert!(!out.contains(&0x1b) && !err.contains('\u{1b}'), "{err}");
    for (path, text) in [
        (
            "tree/src/monst.c",
            "#include \"\u{1b}[2J.h\"\nstruct permonst mons[] = { { \"i\u{1b}[2Jmp\", 1 }, { \"\", 0 } };\n",
        ),
        ("tree/src/objects.c", "struct objclass objects[] = { \u{1b}[2J(3) };\n"),
        ("tree/util/lev_main.c", ""),
        ("tree/include/rm.h", ""),
    ] {
        place.write(path, text);
    }
    let run = place.splc(&["catalog", "import", "tree", "-o", "x.toml", "--title", "\u{1b}[2J"]);
    assert!(!run.out.contains(&0x1b) && !run.err.contains('\u{1b}'), "{}", run.err);
}

#[test]
fn macros_that_double_are_refused() {
    let doubled = (1..40).map(|at| format!("#define X{at} X{} X{}\n", at - 1, at - 1)).collect::<String>();
    let (open, close) = ("D(".repeat(40), ")".repeat(40));
    for (text, says) in [
        (format!("#define X0 a b\n{doubled}int x[] = {{ X39 }};\n"), "expands to more than 500000 tokens"),
        (
            format!("#define J(a,b) a##b\n#define D(a) J(a,a)\nint x[] = {{ {open}aaaa{close} }};\n"),
            "makes a word of more than 65536 bytes",
        ),
    ] {
        let place = Place::new();
        place.write("tree/src/monst.c", text).write("tree/src/objects.c", "");
        place.write("tree/util/lev_main.c", "").write("tree/include/rm.h", "");
        place.splc(&["catalog", "import", "tree", "-o", "x.toml"]).ends(INPUT_ERRORS).says(&[says]);
    }
}

#[test]
fn a_catalog_of_many_tables_is_refused() {
    let place = Place::new();
    place.write("x.toml", format!("name = \"x\"\n{}", format!("a.{}c = 1\n", "b.".repeat(60)).repeat(2000)));
    place.splc(&["catalog", "validate", "x.toml"]).ends(INPUT_ERRORS).says(&["a catalog has at most 50000 tables"]);
}

#[test]
fn dungeons_with_many_branches_are_shown_or_refused() {
    let place = Place::new();
    let with = |count: usize, range: usize| {
        let branches: String = (0..count).map(|at| format!("BRANCH: \"B{at}\" @ (2, {range})\n")).collect();
        let dungeons: String = (0..count).map(|at| format!("DUNGEON: \"B{at}\" \"none\" (2, 0)\n")).collect();
        format!("DUNGEON: \"Top\" \"T\" (29, 3)\n{branches}{dungeons}")
    };
    place.write("many.def", with(9, 27)).write("few.def", with(4, 9)).write("alike.def", with(9, 1));
    let run = place.splc(&["dungeon", "show", "--dialect", "36", "many.def"]).ends(INPUT_ERRORS);
    run.says(&["the places are not computed", "more than 300000 placements"]);
    place.splc(&["dungeon", "show", "--dialect", "36", "few.def"]).ends(FINE);
    place.splc(&["dungeon", "show", "--dialect", "36", "alike.def"]).ends(FINE);
}

#[test]
fn paths_bound_the_proof_that_levels_are_the_same() {
    let place = Place::new();
    let array: String = (0..5000).map(|at| format!(",({},{})", at % 70 + 1, at % 20 + 1)).collect();
    let blocks: String = (0..60).map(|at| format!("IF [50%] {{\nTRAP:\"hole\",$p[{at}]\n}}\n")).collect();
    let text = format!("LEVEL: \"a\"\nINIT_MAP: mazegrid, '-'\n$p = {{ (1,1){array} }}\n{blocks}");
    // The same place in other words, so the levels take different steps.
    place.write("a.des", &text).write("b.des", text.replace("$p[59]", "(59,19)"));
    // Without the bound, it takes about a minute and decides.
    place.splc(&["equiv", "--dialect", "unnethack", "a.des", "b.des", "--seeds", "20", "--paths", "10"]).ends(3);
}
