//! Command line arguments.

use splc_driver::games::DIALECTS;
use splc_ir::abi::Abi;
use splc_ir::catalog::{self, Catalog};

use super::*;

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

#[test]
fn every_template_compiles_and_passes_the_tests() {
    let kinds = ["maze", "rooms", "temple", "shop", "vault", "sokoban", "town", "goal", "random", "minihack", "themed"];
    for dialect in DIALECTS.iter().map(|dialect| dialect.name).chain(["nethack5"]) {
        let place = Place::new();
        for kind in kinds {
            let run = place.splc(&["new", kind, "--kind", kind, "--dialect", dialect]);
            let is_lua = dialect == "nethack5";
            if kind == "themed" && !is_lua {
                run.ends(TROUBLE).says(&["no such template"]);
                continue;
            }
            run.is_fine();
            let file = format!("{kind}.{}", if is_lua { "lua" } else { "des" });
            let text = String::from_utf8(place.read(&file)).unwrap();
            assert!(!text.contains("template"), "{file}: {text}");
            place.splc(&["check", "--dialect", dialect, &file]).is_fine();
            // The explained templates have vaults, traps and shops that are there by chance.
            let out = place.splc(&["test", "--dialect", dialect, "--seeds", "30", &file]).ends(FINE);
            if !["maze", "rooms"].contains(&kind) {
                assert!(out.out().contains("no findings"), "{dialect:?} {kind}: {}{}", out.out(), out.err);
            }
        }
    }
}

#[test]
fn names_of_the_games_are_explained() {
    let place = Place::new();
    for name in ["giant eel", "long sword", "pit", "zoo", "noteleport", "magic missile"] {
        let run = place.splc(&["explain", name]);
        assert!(run.status == FINE && run.out().contains("UnNetHack 6.0.4"), "{name}: {}{}", run.out(), run.err);
    }
    // Each example compiles.
    let out = place.splc(&["explain", "giant eel"]).out();
    let examples: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    assert_eq!(examples.len(), 3, "{out}");
    for (example, (file, dialect)) in
        examples.iter().zip([("x.des", "nethack36"), ("x.des", "nethack343"), ("x.lua", "nethack5")])
    {
        let head = match dialect {
            "nethack36" => "LEVEL: \"x\"\n",
            "nethack343" => "MAZE: \"x\", ' '\nGEOMETRY: center, center\nMAP\n}}}\nENDMAP\n",
            _ => "",
        };
        place.write(file, format!("{head}{example}\n"));
        place.splc(&["check", "--dialect", dialect, file]).is_fine();
    }
    place.splc(&["explain", "giant eal"]).ends(TROUBLE);
}
