//! `splc fix`.

use super::*;

const OLD_FORM: &str = "LEVEL: \"a\"\r\nMONSTER:'v',\"dust vortex\",(0,4)\r\n# end";
const NEW_FORM: &str = "LEVEL: \"a\"\r\nMONSTER:('v',\"dust vortex\"),(0,4)\r\n# end";
const DOUBTFUL: &str = "LEVEL: \"a\"\nMONSTER: \"gaint ant\", (1,2)\n";

impl Place {
    fn fix(&self, arguments: &[&str]) -> Run {
        self.splc(&[&["fix", "--dialect", "nethack36"], arguments].concat())
    }
}

#[test]
fn safe_fixes_are_applied_and_reported() {
    let place = Place::new();
    place.write("x.des", OLD_FORM);
    let run = place.fix(&["x.des"]).is_fine();
    assert_eq!(place.read("x.des"), NEW_FORM.as_bytes());
    assert_eq!(
        run.out(),
        "x.des: 1 change\n  2:9: `'v',\"dust vortex\"` is now `('v',\"dust vortex\")` (E0010: this MONSTER is written \
         as in NetHack 3.4.3)\n"
    );
    let again = place.fix(&["x.des"]).is_fine();
    assert_eq!(again.out(), "nothing to change\n");
    assert_eq!(place.read("x.des"), NEW_FORM.as_bytes());
}

#[test]
fn messages_mention_available_fixes() {
    let place = Place::new();
    place.write("x.des", OLD_FORM).write("y.des", DOUBTFUL);
    let check = |files: &[&str]| place.splc(&[&["check", "--dialect", "nethack36"], files].concat()).ends(INPUT_ERRORS);
    assert!(check(&["x.des"]).err.ends_with("\nerror: 1 error; fixable with `splc fix`\n"));
    assert!(check(&["x.des", "y.des"]).err.ends_with("\nerror: 2 errors; 1 fixable with `splc fix`\n"));
    assert!(check(&["y.des"]).err.ends_with("\nerror: 1 error\n"));
}

#[test]
fn a_dry_run_prints_a_valid_patch() {
    let place = Place::new();
    place.write("x.des", OLD_FORM.replace('\r', ""));
    let run = place.fix(&["--dry-run", "x.des"]).is_fine();
    assert_eq!(place.read("x.des"), OLD_FORM.replace('\r', "").as_bytes());
    assert_eq!(
        run.out(),
        "--- x.des\n+++ x.des\n@@ -1,3 +1,3 @@\n LEVEL: \"a\"\n-MONSTER:'v',\"dust vortex\",(0,4)\n+MONSTER:('v',\"dust \
         vortex\"),(0,4)\n # end\n\\ No newline at end of file\n"
    );
}

#[test]
fn unsafe_fixes_are_reported_but_not_applied() {
    let place = Place::new();
    place.write("x.des", DOUBTFUL).write("y.des", OLD_FORM);
    let run =
        place.fix(&["x.des", "y.des"]).ends(INPUT_ERRORS).says(&["error[E0201]", "x.des:2:10", "error: 1 error\n"]);
    assert!(run.out().starts_with("y.des: 1 change\n"));
    assert_eq!(place.read("x.des"), DOUBTFUL.as_bytes());
    assert_eq!(place.read("y.des"), NEW_FORM.as_bytes());
}

#[test]
fn mistakes_hidden_by_another_are_fixed_too() {
    let place = Place::new();
    place.write("x.des", "LEVEL: \"a\"\nmonster:'v',\"dust vortex\",(0,4)\nMONSTER;'a',(1,1)\nobject:'*',(2,2)\n");
    place.fix(&["x.des"]).is_fine();
    let expected = "LEVEL: \"a\"\nMONSTER:('v',\"dust vortex\"),(0,4)\nMONSTER:'a',(1,1)\nOBJECT:'*',(2,2)\n";
    assert_eq!(String::from_utf8(place.read("x.des")).unwrap(), expected);
}

#[test]
fn other_bytes_are_not_changed() {
    let place = Place::new();
    let latin = |text: &str| [b"# \xe9\xff\n", text.as_bytes(), b"MESSAGE: \"\xe4\"\n"].concat();
    let (old, new) = (OLD_FORM.replace("# end", ""), NEW_FORM.replace("# end", ""));
    place.write("x.des", latin(&old));
    let run = place.fix(&["--dry-run", "x.des"]).is_fine();
    assert!(run.out.windows(3).any(|bytes| bytes == b"# \xe9"), "the difference is in the file's own bytes");
    place.fix(&["x.des"]).is_fine();
    assert_eq!(place.read("x.des"), latin(&new));
}

#[test]
fn the_standard_input_cannot_be_fixed_along_with_files() {
    let place = Place::new();
    for arguments in [&[][..], &["-", "x.des"]] {
        place.fix(arguments).ends(TROUBLE).says(&["name the des-files"]);
    }
    place.fix(&["missing.des"]).ends(TROUBLE).says(&["cannot read missing.des"]);
}

#[test]
fn included_files_are_not_changed() {
    let place = Place::new();
    let part = "FUNCTION f() {\n  MONSTER:'v',\"dust vortex\",(0,4)\n}\n";
    place.write("part.des", part).write("x.des", "INCLUDE \"part.des\"\nLEVEL: \"a\"\nMESSAGE; \"x\"\n");
    place.splc(&["fix", "--dialect", "unnethack", "x.des"]).ends(INPUT_ERRORS).says(&["part.des:2:"]);
    assert_eq!(place.read("part.des"), part.as_bytes());
    assert!(String::from_utf8(place.read("x.des")).unwrap().contains("MESSAGE: \"x\""));
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    place.write("real/x.des", OLD_FORM);
    fs::set_permissions(place.path("real/x.des"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real/x.des", place.path("x.des")).unwrap();
    place.fix(&["x.des"]).is_fine();
    assert!(fs::symlink_metadata(place.path("x.des")).unwrap().is_symlink());
    assert_eq!(place.read("real/x.des"), NEW_FORM.as_bytes());
    assert_eq!(fs::metadata(place.path("real/x.des")).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(place.names(), ["real", "real/x.des", "x.des"]);
}

#[test]
fn as_many_mistakes_as_there_are_are_fixed_in_one_run() {
    let place = Place::new();
    let count = 3 * splc_ir::limits::MAX_DIAGNOSTICS;
    let text = |word: &str| format!("LEVEL: \"a\"\nNOMAP\n{}", format!("{word}: random, random\n").repeat(count));
    place.write("x.des", text("MONTSER"));
    let run = place.splc(&["fix", "--dialect", "unnethack", "x.des"]).is_fine();
    assert!(run.out().starts_with(&format!("x.des: {count} changes\n")));
    assert_eq!(place.read("x.des"), text("MONSTER").as_bytes());
}
