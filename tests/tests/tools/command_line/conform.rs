//! `splc conform`, compared with a script that replaces a game's level compiler.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;

use super::{FINE, INPUT_ERRORS, Place, TROUBLE};

const LEVEL: &str = "MAZE: \"x\", ' '\nGEOMETRY: center, center\nMAP\n...\nENDMAP\n";

fn compiler(place: &Place, script: &str) {
    place.write("lev_comp", format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(place.path("lev_comp"), std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn identical_files_conform() {
    let place = Place::new();
    place.write("x.des", LEVEL);
    assert_eq!(place.splc(&["--dialect", "nethack343", "x.des"]).status, FINE);
    let made = place.path("x.lev");
    compiler(&place, &format!("cp {} .", made.display()));
    let run = place.splc(&["conform", "--against", "./lev_comp", "--dialect", "nethack343", "x.des"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    let said = String::from_utf8(run.out).unwrap();
    assert!(said.contains("same       1 level files") && said.ends_with("1 of 1 files are the same\n"), "{said}");
}

#[test]
fn differences_are_reported() {
    let place = Place::new();
    place.write("x.des", LEVEL).write("bad.des", "MAZE: \"x\", ' '\nNOMAP\nTRAP: \"pti\", (1,1)\n");
    for (script, file, said) in [
        ("printf abc > x.lev", "x.des", "different  1 of 1 level files differ: x.lev"),
        ("true", "bad.des", "only the compiler accepts it; splc's first error is on line 3"),
        ("echo 'x.des: line 2 : syntax error'; exit 1", "x.des", "the compiler's first error is on line 2"),
    ] {
        compiler(&place, script);
        let run = place.splc(&["conform", "--against", "./lev_comp", "--dialect", "nethack343", file]);
        assert_eq!(run.status, INPUT_ERRORS, "{}", run.err);
        let out = String::from_utf8(run.out).unwrap();
        assert!(out.contains(said), "{script}: {out}");
    }
    compiler(&place, "echo 'line 1 : WARNING : odd'; echo 'bad.des: line 3 : no'; exit 1");
    let run = place.splc(&["conform", "--against", "./lev_comp", "--dialect", "nethack343", "bad.des"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    assert!(String::from_utf8(run.out).unwrap().contains("rejected by both\n"));
    let run = place.splc(&["conform", "--against", "./nothing", "--dialect", "nethack343", "x.des"]);
    assert_eq!(run.status, TROUBLE);
}
