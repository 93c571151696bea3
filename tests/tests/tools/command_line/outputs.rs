//! Output files: names, places, and that either all or none are written.

use std::fs;
use std::path::Path;

use splc_tests::reference::{self, files};

use super::*;

/// Compiles `inputs` for every ABI of `golden` and compares each file in there. Returns the number of compared files.
#[track_caller]
fn compare(inputs: &[String], golden: &Path, vaults: &Path) -> usize {
    let mut same = 0;
    for abi in ["lp64le", "ilp32le", "ilp32be", "lp64be"] {
        let place = Place::new();
        let mut arguments = vec!["--abi", abi];
        arguments.extend(inputs.iter().map(String::as_str));
        place.unnethack(&arguments).ends(FINE);
        let expected = files(&golden.join(abi), ".lev");
        assert_eq!(expected.len() + 1, place.names().len(), "level files and vaults.dat");
        for path in expected {
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(place.read(name) == fs::read(&path).unwrap(), "{name} for {abi}");
            same += 1;
        }
        assert_eq!(place.read("vaults.dat"), fs::read(vaults).unwrap());
    }
    same
}

#[test]
fn the_corpus_in_one_run_is_identical() {
    let folder = corpus();
    let same = compare(&des_files(&folder), &folder.join("golden"), &folder.join("golden/vaults.dat"));
    println!("corpus in one run: {same} level files identical");
    assert!(same > 0);
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn the_whole_game_in_one_run_is_identical() {
    let folder = reference::game("unnethack-6.0.4");
    let same = compare(&des_files(&folder.join("des")), &folder.join("lev"), &folder.join("vaults.dat"));
    println!("all levels of UnNetHack in one run: {same} level files identical");
    assert_eq!(same, 303 * 4);
}

#[test]
fn levels_are_written_to_the_current_folder_by_default() {
    let place = Place::new();
    place.write("in/two.des", level("one", "1") + &level("two-%i", "2") + &level("two-%02i", "3"));
    place.unnethack(&["in/two.des"]).is_fine();
    assert_eq!(place.names(), ["in", "in/two.des", "one.lev", "two-02.lev", "two-1.lev"]);
}

#[test]
fn the_output_folder_is_created() {
    let place = Place::new();
    place.write("x.des", level("a", "1") + &level("b", "2")).write("there/old", "");
    place.unnethack(&["-o", "there", "x.des"]).is_fine();
    place.unnethack(&["-o", "new/folder/", "x.des"]).is_fine();
    for name in ["there/a.lev", "there/b.lev", "new/folder/a.lev", "new/folder/b.lev"] {
        place.read(name);
    }
    assert!(!place.path("a.lev").exists());
}

#[test]
fn one_level_can_be_written_to_a_named_file() {
    let place = Place::new();
    place.write("x.des", level("a", "1"));
    place.unnethack(&["x.des"]).is_fine();
    place.unnethack(&["x.des", "-o", "other.bin"]).is_fine();
    assert_eq!(place.read("other.bin"), place.read("a.lev"));
    assert_eq!(place.unnethack(&["x.des", "-o", "-"]).is_fine().out, place.read("a.lev"));
}

#[test]
fn many_levels_do_not_fit_into_one_file() {
    let place = Place::new();
    place.write("x.des", level("a", "1") + &level("b", "2"));
    for output in ["one.lev", "-"] {
        let run = place.unnethack(&["x.des", "-o", output]).ends(TROUBLE);
        let run = run.says(&["error[E0308]", "cannot write 2 output files to one file", "nothing written"]);
        assert!(run.out.is_empty());
    }
    assert_eq!(place.names(), ["x.des"]);
}

#[test]
fn the_standard_input_is_read() {
    let place = Place::new();
    for arguments in [&[][..], &["-"], &["-", "-"]] {
        place.unnethack_reading(level("a", "1").as_bytes(), arguments).is_fine();
        place.read("a.lev");
        fs::remove_file(place.path("a.lev")).unwrap();
    }
    place.unnethack_reading(b"LEVEL: 5\n", &[]).ends(INPUT_ERRORS).says(&["(stdin):1:8"]);
    assert!(place.names().is_empty());
}

#[test]
fn line_ends_and_encodings_do_not_matter() {
    let place = Place::new();
    let text = level("a", "caf\u{e9}");
    let windows = text.replace('\n', "\r\n");
    let latin: Vec<u8> = text.trim_end().chars().map(|character| character as u8).collect();
    place.write("unix.des", &text).write("windows.des", &windows).write("no-newline.des", text.trim_end());
    place.write("latin.des", &latin);
    place.unnethack(&["unix.des"]).is_fine();
    let expected = place.read("a.lev");
    for name in ["windows.des", "no-newline.des"] {
        place.unnethack(&[name]).is_fine();
        assert_eq!(place.read("a.lev"), expected, "{name}");
    }
    // The bytes of a string are those of the file.
    place.unnethack(&["latin.des"]).is_fine();
    let latin = place.read("a.lev");
    assert_eq!(latin.len() + 1, expected.len());
    assert!(latin.windows(4).any(|bytes| bytes == b"caf\xe9"));
}

#[test]
fn nothing_is_written_if_any_file_has_errors() {
    let place = Place::new();
    place.write("good.des", level("good", "")).write("bad.des", "LEVEL: \"bad\"\nMONSTER: \"xyzzy\", (1,1)\n");
    place.write("good.lev", "old");
    for inputs in [["good.des", "bad.des"], ["bad.des", "good.des"]] {
        let run = place.unnethack(&inputs).ends(INPUT_ERRORS);
        run.says(&["error[E0201]", "bad.des:2:10", "error: 1 error; nothing written"]);
    }
    place.unnethack(&["good.des", "missing.des"]).ends(TROUBLE).says(&["missing.des", "nothing written"]);
    assert_eq!(place.read("good.lev"), b"old");
    assert_eq!(place.names(), ["bad.des", "good.des", "good.lev"]);
}

#[test]
fn check_writes_nothing() {
    let place = Place::new();
    place.write("good.des", level("good", "")).write("bad.des", "LEVEL: \"bad\"\nMONSTER: \"xyzzy\", (1,1)\n");
    place.splc(&["check", "--dialect", "unnethack", "good.des"]).is_fine();
    let run = place.splc(&["check", "--dialect", "unnethack", "good.des", "bad.des"]).ends(INPUT_ERRORS);
    assert!(run.err.ends_with("error: 1 error\n"), "{}", run.err);
    assert_eq!(place.names(), ["bad.des", "good.des"]);
}

#[test]
fn a_file_given_twice_is_compiled_once() {
    let place = Place::new();
    place.write("in/x.des", level("a", "1"));
    let run = place.unnethack(&["-v", "in/x.des", "in/../in/x.des", "in/x.des"]).is_fine();
    assert_eq!(run.out().lines().count(), 1);
}

#[test]
fn two_files_cannot_define_the_same_level() {
    let place = Place::new();
    place.write("x.des", level("a", "1")).write("y.des", format!("\n\n{}", level("a", "2")));
    let run = place.unnethack(&["x.des", "y.des"]).ends(INPUT_ERRORS);
    run.says(&["error[E0302]: another file also writes \"a.lev\"", "y.des:3:8", "the first level is at x.des:1"]);
    assert_eq!(place.names(), ["x.des", "y.des"]);
}

/// The games' compilers open a level file without truncating it.
#[test]
fn a_second_level_of_the_same_name_overwrites_the_first() {
    for target in ["unnethack-6.0.4", "unnethack-5.1.0", "sporkhack-0.7.0", "nethack-3.6.7", "nethack-3.6.7-nle"] {
        let place = Place::new();
        let compile = |arguments: &[&str]| place.splc(&[&["--target", target], arguments].concat());
        let (long, short) = (level("a", "a long text"), level("a", "short"));
        let alone = |text: &str| {
            place.write("x.des", text);
            compile(&["x.des"]).is_fine();
            place.read("a.lev")
        };
        let (long_bytes, short_bytes) = (alone(&long), alone(&short));
        assert!(long_bytes.len() > short_bytes.len());
        place.write("long-first.des", format!("{long}{short}")).write("short-first.des", format!("{short}{long}"));
        compile(&["short-first.des"]).ends(FINE).says(&["warning[W0406]", "short-first.des:3:8"]);
        assert_eq!(place.read("a.lev"), long_bytes);
        compile(&["long-first.des"]).ends(FINE).says(&["warning[W0406]"]);
        let tail = &long_bytes[short_bytes.len()..];
        assert_eq!(place.read("a.lev"), [short_bytes.as_slice(), tail].concat(), "{target}");
        // An existing file of another run is replaced as a whole.
        assert_eq!(alone(&short), short_bytes);
        compile(&["-D", "duplicate-level", "long-first.des"]).ends(INPUT_ERRORS).says(&["error[W0406]"]);
    }
}

#[test]
fn numbered_names_can_collide_with_others() {
    let place = Place::new();
    place.write("x.des", level("a-1", "1") + &level("a-%i", "2"));
    place.unnethack(&["x.des"]).ends(FINE).says(&["warning[W0406]", "x.des:3:8"]);
}

#[test]
fn a_listed_vault_is_replaced_in_place() {
    let vault = |name: &str, weight: i32| format!("LEVEL: \"{name}\"\nFLAGS: rndvault\nVAULTGEN: {weight}\n");
    let place = Place::new();
    place.write("x.des", vault("a", 1) + &vault("b", 2) + &level("no-vault", ""));
    place.unnethack(&["x.des"]).is_fine();
    assert_eq!(place.read("vaults.dat"), b"1 a\n2 b\n");
    place.write("x.des", vault("c", 7) + &vault("a", 5)).unnethack(&["x.des"]).is_fine();
    assert_eq!(place.read("vaults.dat"), b"5 a\n2 b\n7 c\n");
    // Text output is not listed as vaults.
    fs::remove_file(place.path("vaults.dat")).unwrap();
    place.unnethack(&["--emit", "asm", "x.des"]).is_fine();
    assert!(!place.path("vaults.dat").exists());
}

#[test]
fn an_unwritable_list_of_vaults_prevents_all_output() {
    let place = Place::new();
    place.write("x.des", "LEVEL: \"a\"\nFLAGS: rndvault\n").write("vaults.dat/x", "");
    place.unnethack(&["x.des"]).ends(TROUBLE).says(&["error[E0307]", "vaults.dat", "a folder"]);
    assert_eq!(place.names(), ["vaults.dat", "vaults.dat/x", "x.des"]);
}

#[test]
fn a_folder_with_the_name_of_a_level_prevents_all_output() {
    let place = Place::new();
    place.write("x.des", level("a", "1") + &level("b", "2") + &level("c", "3"));
    place.write("a.lev", "old").write("c.lev/keep", "me");
    let before = place.files();
    place.unnethack(&["x.des"]).ends(TROUBLE).says(&["error[E0307]: cannot write ./c.lev", "a folder"]);
    assert_eq!(place.files(), before);
}

#[test]
fn an_unwritable_output_is_an_error() {
    let place = Place::new();
    place.write("x.des", level("a", "1")).write("file", "");
    let before = place.files();
    for output in ["file/", "file/below", "missing/a.lev"] {
        place.unnethack(&["x.des", "-o", output]).ends(TROUBLE).says(&["error[E0307]"]);
    }
    assert_eq!(place.files(), before);
}

#[cfg(unix)]
#[test]
fn permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |place: &Place| fs::metadata(place.path("a.lev")).unwrap().permissions().mode() & 0o7777;
    let place = Place::new();
    place.write("x.des", level("a", "1")).write("plain", "");
    place.unnethack(&["x.des"]).is_fine();
    let usual = fs::metadata(place.path("plain")).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&place), usual, "a new file is as any other");
    for wanted in [0o600, 0o664, 0o755] {
        fs::set_permissions(place.path("a.lev"), fs::Permissions::from_mode(wanted)).unwrap();
        place.unnethack(&["x.des"]).is_fine();
        assert_eq!(mode(&place), wanted);
    }
    place.write("a.lev", "old");
    fs::set_permissions(place.path("a.lev"), fs::Permissions::from_mode(0o444)).unwrap();
    place.unnethack(&["x.des"]).ends(TROUBLE).says(&["error[E0307]", "read-only"]);
    assert_eq!(place.read("a.lev"), b"old");
}

#[cfg(unix)]
#[test]
fn links_in_the_folder_are_replaced_and_named_ones_followed() {
    let place = Place::new();
    place.write("x.des", level("a", "1")).write("elsewhere", "keep me");
    std::os::unix::fs::symlink("elsewhere", place.path("a.lev")).unwrap();
    place.unnethack(&["x.des"]).is_fine();
    assert_eq!(place.read("elsewhere"), b"keep me");
    assert!(!fs::symlink_metadata(place.path("a.lev")).unwrap().is_symlink());
    std::os::unix::fs::symlink("elsewhere", place.path("link")).unwrap();
    place.unnethack(&["x.des", "-o", "link"]).is_fine();
    assert_eq!(place.read("elsewhere"), place.read("a.lev"));
    assert!(fs::symlink_metadata(place.path("link")).unwrap().is_symlink());
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_to_but_not_replaced() {
    let place = Place::new();
    place.write("x.des", level("a", "1"));
    place.unnethack(&["x.des", "-o", "/dev/null"]).is_fine();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    place
        .unnethack(&["x.des", "-o", "/dev/full"])
        .ends(TROUBLE)
        .says(&["error[E0307]: cannot write /dev/full: no space"]);
    let mut command = place.command(&["--dialect", "unnethack", "x.des", "-o", "-"]);
    command.stdout(fs::File::options().write(true).open("/dev/full").unwrap());
    Run::of(command).ends(TROUBLE).says(&["error[E0307]: cannot write (stdout): no space"]);
}

/// Levels that need more space than the disk has.
#[cfg(unix)]
fn too_much() -> String {
    (0..40).map(|at| level(&format!("a{at}"), &"x".repeat(4000))).collect()
}

/// Runs on a file system of 64 KiB.
#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(not(may_mount), ignore = "a small file system is mounted, which this user may not")]
fn a_full_disk_changes_nothing() {
    let place = Place::new();
    fs::create_dir(place.path("small")).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=64k", "splc-test"])
        .arg(place.path("small"))
        .status()
        .unwrap();
    assert!(mounted.success());
    place.write("many.des", too_much()).write("one.des", level("a0", "small"));
    place.unnethack(&["one.des", "-o", "small"]).is_fine();
    let before = place.files();
    let run = place.unnethack(&["many.des", "-o", "small"]);
    let after = place.files();
    let unmounted = Command::new("umount").arg(place.path("small")).status();
    run.ends(TROUBLE).says(&["error[E0307]: cannot write small/a", "no space left", "nothing written"]);
    assert!(before == after, "{:?}", after.keys());
    assert!(unmounted.is_ok_and(|status| status.success()));
}

/// Simulates a full disk for unprivileged users: a limit on the file size that all levels but the first exceed.
#[cfg(unix)]
#[test]
fn an_incomplete_file_changes_nothing() {
    let place = Place::new();
    place.write("many.des", level("first", "short") + &too_much()).write("one.des", level("a0", "small"));
    place.unnethack(&["one.des"]).is_fine();
    let before = place.files();
    let mut shell = Command::new("sh");
    let command = "trap '' XFSZ; ulimit -f 2; exec \"$0\" --dialect unnethack many.des";
    shell.args(["-c", command, env!("CARGO_BIN_EXE_splc_under_test")]).current_dir(place.0.path());
    let run = Run::of(shell).ends(TROUBLE);
    run.says(&["error[E0307]: cannot write ./a", "nothing written"]);
    assert!(before == place.files());
}

#[test]
fn a_closed_pipe_does_not_panic() {
    let place = Place::new();
    let many: String = (0..2000).map(|at| level(&format!("a{at}"), "text")).collect();
    place.write("x.des", many);
    for arguments in
        [&["--dialect", "unnethack", "--emit", "json", "-o", "-", "x.des"][..], &["targets"], &["explain"], &["--help"]]
    {
        let mut child = place.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let run = Run::ended(child.wait_with_output().unwrap());
        assert_eq!(run.err, "", "{arguments:?}");
    }
}

#[test]
fn verbose_prints_what_the_original_prints() {
    let place = Place::new();
    place.write("x.des", level("a", "1") + &level("b", "2"));
    let said = "File: 'a.lev', opcodes: 4\nFile: 'b.lev', opcodes: 4\n";
    assert_eq!(place.unnethack(&["-v", "x.des"]).is_fine().out(), said);
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn verbose_prints_what_the_original_prints_for_each_file_of_the_game() {
    let place = Place::new();
    let folder = reference::game("unnethack-6.0.4");
    // The output of the game's compiler for each file: warnings, and the levels.
    let said = fs::read_to_string(folder.join("verbose.txt")).unwrap();
    let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut file = String::new();
    for line in said.lines() {
        match line.strip_prefix("== ").and_then(|line| line.split_once(' ')) {
            Some((name, _)) => file = name.to_owned(),
            None if line.starts_with("File: ") => expected.entry(file.clone()).or_default().push(line.to_owned()),
            None => {}
        }
    }
    for (file, lines) in &expected {
        let path = folder.join("des").join(file);
        let run = place.unnethack(&["-v", path.to_str().unwrap()]).ends(FINE);
        assert_eq!(&run.out().lines().map(str::to_owned).collect::<Vec<_>>(), lines, "{file}");
    }
    println!("-v: {} files as the original", expected.len());
    assert_eq!(expected.len(), des_files(&folder.join("des")).len());
}
