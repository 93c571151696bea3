//! `splc dlb` from the user's point of view.

use super::*;

fn with_archive() -> Place {
    let place = Place::new();
    place.write("castle.lev", "a level").write("dungeon", "a dungeon").write("rumors", "");
    place.splc(&["dlb", "create", "nhdat", "castle.lev", "dungeon"]).is_fine();
    place
}

#[test]
fn an_archive_is_created_listed_and_extracted() {
    let place = with_archive();
    assert_eq!(place.splc(&["dlb", "list", "nhdat"]).is_fine().out(), "Directory\ncastle.lev\ndungeon\n");
    let listing = place.splc(&["dlb", "list", "--verbose", "nhdat"]).is_fine().out();
    let lines: Vec<_> = listing.lines().collect();
    assert_eq!(
        lines,
        [
            "Directory           0     99",
            "castle.lev         99      7",
            "dungeon           106      9",
            "Revision:1  File count:3  String size:29"
        ]
    );
    place.splc(&["dlb", "extract", "nhdat", "-o", "out"]).is_fine();
    assert_eq!(place.read("out/castle.lev"), b"a level");
    assert_eq!(place.read("out/dungeon"), b"a dungeon");
    place.splc(&["dlb", "extract", "nhdat", "dungeon", "-o", "one"]).is_fine();
    assert_eq!(place.names().iter().filter(|name| name.starts_with("one/")).count(), 1);
}

#[test]
fn files_come_from_a_list_and_a_folder() {
    let place = with_archive();
    place.write("in/rumors", "true").write("files.lst", "rumors\n");
    place.splc(&["dlb", "create", "-C", "in", "--list", "files.lst", "other"]).is_fine();
    place.splc(&["dlb", "extract", "other", "-o", "out"]).is_fine();
    assert_eq!(place.read("out/rumors"), b"true");
}

#[test]
fn files_are_added_replaced_and_removed() {
    let place = with_archive();
    place.write("new/castle.lev", "another level");
    place.splc(&["dlb", "add", "nhdat", "rumors"]).is_fine();
    place.splc(&["dlb", "replace", "nhdat", "new/castle.lev"]).is_fine();
    place.splc(&["dlb", "remove", "nhdat", "dungeon"]).is_fine();
    assert_eq!(place.splc(&["dlb", "list", "nhdat"]).is_fine().out(), "Directory\ncastle.lev\nrumors\n");
    place.splc(&["dlb", "extract", "nhdat", "-o", "out"]).is_fine();
    assert_eq!(place.read("out/castle.lev"), b"another level");
}

#[test]
fn failures_are_reported_and_change_nothing() {
    let place = with_archive();
    place.write("text", "This is not an archive.").write("new", "x").write("sub/new", "y");
    let before = place.files();
    place.splc(&["dlb", "add", "nhdat", "new", "dungeon"]).ends(INPUT_ERRORS).says(&[
        "E0601",
        "already has a \"dungeon\"",
        "`splc dlb replace`",
    ]);
    place.splc(&["dlb", "replace", "nhdat", "new"]).ends(INPUT_ERRORS).says(&["has no \"new\""]);
    place.splc(&["dlb", "remove", "nhdat", "new"]).ends(INPUT_ERRORS).says(&["has no \"new\"", "`splc dlb list`"]);
    place.splc(&["dlb", "extract", "nhdat", "new"]).ends(INPUT_ERRORS).says(&["has no \"new\""]);
    place.splc(&["dlb", "list", "text"]).ends(INPUT_ERRORS).says(&["text is not an archive: byte 0"]);
    place.splc(&["dlb", "list", "absent"]).ends(TROUBLE).says(&["cannot read absent: no such file"]);
    place.splc(&["dlb", "add", "nhdat", "absent"]).ends(TROUBLE).says(&["cannot read absent: no such file"]);
    place.splc(&["dlb", "create", "nhdat", "sub/new"]).ends(INPUT_ERRORS).says(&["contains a path separator"]);
    place.splc(&["dlb", "create", "nhdat", "new", "new"]).ends(INPUT_ERRORS).says(&["already has a \"new\""]);
    place.splc(&["dlb", "create", "nhdat", "sub"]).ends(TROUBLE).says(&["cannot read sub: it is a folder"]);
    assert_eq!(place.files(), before);
}

#[test]
fn a_damaged_entry_is_named_and_the_others_are_extracted() {
    let place = with_archive();
    let mut bytes = place.read("nhdat");
    bytes.truncate(bytes.len() - 1);
    place.write("nhdat", &bytes);
    let damaged = "nhdat is damaged: \"dungeon\", at byte 106: its length is 9 bytes, but the archive ends at byte 114";
    place.splc(&["dlb", "list", "nhdat"]).ends(INPUT_ERRORS).says(&[damaged]);
    place.splc(&["dlb", "extract", "nhdat", "-o", "out"]).ends(INPUT_ERRORS).says(&[damaged]);
    assert_eq!(place.read("out/castle.lev"), b"a level");
    assert!(!place.names().contains(&"out/dungeon".to_owned()));
    place.splc(&["dlb", "add", "nhdat", "rumors"]).ends(INPUT_ERRORS).says(&[damaged]);
    assert_eq!(place.read("nhdat"), bytes);
}

#[cfg(unix)]
#[test]
fn links_are_followed_to_the_archive_but_not_when_extracting() {
    let place = with_archive();
    std::os::unix::fs::symlink("nhdat", place.path("link")).unwrap();
    place.splc(&["dlb", "add", "link", "rumors"]).is_fine();
    assert!(fs::symlink_metadata(place.path("link")).unwrap().is_symlink());
    assert_eq!(place.splc(&["dlb", "list", "nhdat"]).is_fine().out().lines().count(), 4);

    place.write("outside", "mine");
    fs::create_dir(place.path("out")).unwrap();
    std::os::unix::fs::symlink("../outside", place.path("out/castle.lev")).unwrap();
    place.splc(&["dlb", "extract", "nhdat", "-o", "out"]).is_fine();
    assert_eq!(place.read("outside"), b"mine");
    assert_eq!(place.read("out/castle.lev"), b"a level");
}

#[test]
fn files_in_an_archive_are_accepted_as_inputs() {
    let place = Place::new();
    place.write("inn.des", level("inn", "welcome")).write("dungeon.def", "DUNGEON: \"Top\" \"T\" (3, 0)\n");
    place.splc(&["--dialect", "36", "inn.des"]).is_fine();
    place.splc(&["dungeon", "compile", "--dialect", "36", "dungeon.def"]).is_fine();
    place.splc(&["dlb", "create", "nhdat", "inn.lev", "dungeon"]).is_fine();

    let listed = place.splc(&["--emit", "asm", "-o", "-", "nhdat:inn.lev"]).is_fine().out();
    assert_eq!(listed, place.splc(&["--emit", "asm", "-o", "-", "inn.lev"]).is_fine().out());
    place.splc(&["--emit", "asm", "-o", "out/", "nhdat:inn.lev"]).is_fine();
    assert!(place.names().contains(&"out/inn.asm".to_owned()), "{:?}", place.names());
    place.splc(&["run", "nhdat:inn.lev"]).ends(FINE);
    assert!(place.splc(&["dungeon", "decompile", "nhdat:dungeon"]).is_fine().out().starts_with("DUNGEON:"));
    place.splc(&["--match", "nhdat:inn.lev", "inn.des", "-o", "matched/"]).is_fine();
    assert_eq!(place.read("matched/inn.lev"), place.read("inn.lev"));

    place.splc(&["--emit", "asm", "nhdat:out.lev"]).ends(TROUBLE).says(&["E0601", "has no \"out.lev\""]);
    place.splc(&["--emit", "asm", "absent:inn.lev"]).ends(TROUBLE).says(&["cannot read absent:inn.lev"]);
    // An existing file with such a name takes precedence.
    place.write("nhdat:inn.des", level("other", "another"));
    place.splc(&["--dialect", "36", "nhdat:inn.des"]).is_fine();
    assert!(place.names().contains(&"other.lev".to_owned()));
}

#[test]
fn entries_that_overlap_are_damaged() {
    let place = Place::new();
    let header = |total: usize| format!("{:3} {:8} {:8} {:8} {total:8}\n", 1, 202, 4000, 10_000);
    let mut archive = header(1_000_000) + "nDirectory        0\n";
    for number in 0..201 {
        let at = if number % 2 == 0 { 10_000 } else { 1_000_000 };
        archive.push_str(&format!("nfile{number} {at:8}\n"));
    }
    let mut archive = archive.into_bytes();
    archive.resize(1_000_000, b'.');
    place.write("nhdat", archive);
    place.splc(&["dlb", "extract", "nhdat", "-o", "out"]).ends(INPUT_ERRORS).says(&["overlaps an earlier entry"]);
    let bytes: usize = place.files().iter().filter(|(name, _)| name.starts_with("out")).map(|(_, it)| it.len()).sum();
    assert!(bytes <= 1_000_000, "{bytes} bytes are extracted");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_archives() {
    let place = Place::new();
    assert!(std::process::Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    place.write("a", "");
    for (arguments, says) in [
        (&["dlb", "list", "pipe"][..], "cannot read pipe: it is not a regular file"),
        (&["dlb", "list", "/dev/zero"], "cannot read /dev/zero: it is not a regular file"),
        (&["dlb", "create", "nhdat", "pipe"], "cannot read pipe: it is not a regular file"),
        (&["dlb", "create", "nhdat", "a", "--list", "pipe"], "cannot read pipe: it is not a regular file"),
        (&["dlb", "add", "pipe", "a"], "it is not a regular file"),
    ] {
        place.splc(arguments).ends(TROUBLE).says(&[says]);
    }
}

#[test]
fn a_change_waits_for_the_end_of_another() {
    let place = with_archive();
    let guard = splc_game::install::guard(&place.path(".")).unwrap();
    let mut child = place.command(&["dlb", "add", "nhdat", "rumors"]).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none());
    assert!(!place.splc(&["dlb", "list", "nhdat"]).is_fine().out().contains("rumors"));
    drop(guard);
    assert!(child.wait().unwrap().success());
    assert!(place.splc(&["dlb", "list", "nhdat"]).is_fine().out().contains("rumors"));
    assert!(!place.path(".splc-lock").exists());
}
