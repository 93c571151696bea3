//! Command line arguments.

use splc_ir::abi::Abi;
use splc_ir::catalog::{self, Catalog};

use crate::*;

#[test]
fn wrong_usage_is_reported() {
    let place = Place::new();
    place.write("x.des", level("a", "1"));
    for (arguments, said) in [
        (&["--dialect", "unnethak", "x.des"][..], "did you mean \"unnethack\"?"),
        (&["--dialect", "unnethack", "--target", "nethack-3.6.7", "x.des"], "its dialect is nethack36"),
        (&["--target", "unnethack-6.0.3", "x.des"], "did you mean \"unnethack-6.0.4\""),
        (&["--dialect", "unnethack", "--abi", "m68k", "x.des"], "the known ABIs are:"),
        (&["--dialect", "unnethack", "--abi", "lp64", "x.des"], "lp64le"),
        (&["--dialect", "unnethack", "--emit", "exe", "x.des"], "[possible values: lev, json, asm]"),
        (&["--dialect", "unnethack", "check", "x.des"], "options and files must follow the command: splc check ..."),
        (&["--bogus"], "unexpected argument '--bogus'"),
        (&["explain", "E9999"], "E9999"),
    ] {
        let run = place.splc(arguments).ends(TROUBLE).says(&[said]);
        assert!(run.out.is_empty(), "{arguments:?}");
    }
    assert_eq!(place.names(), ["x.des"]);
}

#[test]
fn help_and_version_go_to_the_standard_output() {
    let place = Place::new();
    for arguments in [["--help"], ["--version"], ["-h"]] {
        assert!(place.splc(&arguments).is_fine().out().contains("splc"));
    }
}

#[test]
fn a_target_implies_its_dialect() {
    let place = Place::new();
    place.write("x.des", level("a", "1"));
    place.splc(&["--target", "unnethack-6.0.4", "x.des"]).is_fine();
    let by_target = place.read("a.lev");
    place.splc(&["--dialect", "unnethack", "x.des"]).is_fine();
    assert_eq!(place.read("a.lev"), by_target);
}

/// Returns the first unsigned longs of a file.
fn longs(bytes: &[u8], abi: &Abi) -> Vec<u64> {
    let mask = if abi.long == 4 { u64::from(u32::MAX) } else { u64::MAX };
    (0..4).map(|at| abi.long(bytes, at * abi.long).unwrap() as u64 & mask).collect()
}

#[test]
fn a_level_file_of_the_game_sets_target_abi_and_header() {
    let place = Place::new();
    place.write("x.des", level("a", "1"));
    let catalog = Catalog::by_name("unnethack-6.0.4").unwrap();
    for (name, header) in catalog.headers.iter() {
        let abi = Abi::by_name(name).unwrap();
        // Another build of the game, with other features and checksums.
        let header: Vec<u64> =
            header.iter().enumerate().map(|(at, &long)| if at == 0 { long } else { long ^ 0x40 }).collect();
        let mut bytes = Vec::new();
        header.iter().for_each(|&long| abi.put_long(&mut bytes, long as i64));
        bytes.extend(b"whatever");
        place.write("game.lev", &bytes);
        place.splc(&["--match", "game.lev", "x.des"]).is_fine();
        let matched = place.read("a.lev");
        assert_eq!(longs(&matched, abi), header, "{name}");
        // The rest is the same as for the machine itself.
        place.splc(&["--dialect", "unnethack", "--abi", name, "x.des"]).is_fine();
        assert_eq!(place.read("a.lev")[4 * abi.long..], matched[4 * abi.long..], "{name}");
    }
}

#[test]
fn mismatches_are_reported() {
    let place = Place::new();
    place.write("x.des", level("a", "1")).write("text.lev", "LEVEL: \"a\"\n").write("empty.lev", "");
    place.unnethack(&["x.des"]).is_fine();
    for name in ["text.lev", "empty.lev"] {
        place.splc(&["--match", name, "x.des"]).ends(TROUBLE).says(&[
            "error[E0305]",
            name,
            "is not a level file of a known game",
        ]);
    }
    let run = place.splc(&["--match", "a.lev", "--target", "nethack-3.6.7", "x.des"]).ends(TROUBLE);
    run.says(&["it looks like a level file of unnethack-6.0.4 on lp64le"]);
    place.splc(&["--match", "missing.lev", "x.des"]).ends(TROUBLE).says(&["error[E0009]", "missing.lev"]);
    place.splc(&["--match", ".", "x.des"]).ends(TROUBLE).says(&["error[E0009]", "a folder"]);
}

#[test]
fn targets_are_listed() {
    let place = Place::new();
    let table = place.splc(&["targets"]).is_fine().out();
    let lines = place.splc(&["targets", "--message-format", "json"]).is_fine().out();
    let listed: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(listed.len(), catalog::ALL.len());
    for (catalog, target) in catalog::ALL.iter().zip(&listed) {
        // Columns stay separate for any length of names.
        assert!(table.contains(&format!("{} ", catalog.name)) && table.contains(&format!("{}  ", catalog.title)));
        assert_eq!(
            (target["target"].as_str(), target["dialect"].as_str()),
            (Some(catalog.name.as_ref()), Some(catalog.dialect.as_ref()))
        );
        assert_eq!(target["abis"].as_array().unwrap().len(), catalog.headers.len());
    }
}

#[test]
fn codes_are_explained() {
    let place = Place::new();
    let text = place.splc(&["explain", "w0401", "E0001", "duplicate-level"]).is_fine().out();
    for part in ["W0401 unknown-room:", "-A unknown-room", "E0001 syntax:", "W0406 duplicate-level:"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(place.splc(&["explain", "dialect"]).is_fine().out().contains("\nA note: "));
    let all = place.splc(&["explain"]).is_fine().out();
    let statements = splc_frontends::manual::PAGES.len();
    assert_eq!(all.lines().count(), splc_ir::diagnostic::Code::ALL.len() + statements);
}
