//! Diagnostic codes that no other test covers: each is reported for its mistake, on its line.
//!
//! The mistakes of `corpus/errors` and the tests of 3.4.3 cover the others.

use splc_ir::catalog::Catalog;
use splc_ir::limits::{MAX_OPCODES, MAX_STATEMENTS};

use super::*;

/// The beginning of a 3.4.3 level; the statements under test start on line 9.
const MAZE: &str = "MAZE:\"a\",' '\nGEOMETRY:center,center\nMAP\n-----\n|...|\n|...|\n-----\nENDMAP\n";

#[track_caller]
fn gives(target: &str, text: &str, line: usize, code: &str) {
    let place = Place::new();
    place.write("a.des", text);
    let run = place.splc(&["check", "--target", target, "-W", "all", "--message-format", "json", "a.des"]);
    let said: Vec<_> = run.json().iter().map(|said| (said["line"].as_u64(), said["code"].to_string())).collect();
    assert!(
        said.contains(&(Some(line as u64), format!("\"{code}\""))),
        "{code} is not given for:\n{text}\nbut {said:?}"
    );
}

#[test]
fn of_parts() {
    for (statement, code) in [
        ("OBJECT:'!',random,contained", "W0436"),
        ("REGION:(1,1,3,2),lit,\"shop\"", "W0437"),
        ("OBJECT:random,\"dagger\",(1,1)", "W0439"),
        ("OBJECT:'%',\"corpse\",(1,1),random,\"nobody\",0", "W0440"),
        ("OBJECT:')',\"dagger\",(1,1),random,70000", "W0441"),
        ("OBJECT:object[1],random,(1,1)", "W0442"),
    ] {
        gives("nethack-3.4.3", &format!("{MAZE}{statement}\n"), 9, code);
    }
    gives("nethack-3.4.3", "MAZE:\"a\",' '\nNOMAP\nDOOR:open,(1,1)\n", 3, "E0237");
    gives("nethack-3.4.3", "MAZE:\"a\",' '\nGEOMETRY:center,center\nMAP\n---1\n|.|2\n--- 3\nENDMAP\n", 6, "W0438");
    let most = Catalog::by_name("nethack-3.4.3").unwrap().limits.of_type as usize;
    gives("nethack-3.4.3", &format!("{MAZE}{}", "TRAP:random,random\n".repeat(most)), 8 + most, "E0232");
}

#[test]
fn of_scripts() {
    gives("unnethack-6.0.4", "LEVEL: \"a\"\n$x = 3\n", 2, "W0405");
    let inner = "LOOP [2] {\n    BREAK\n  }";
    gives("unnethack-6.0.4", &format!("LEVEL: \"a\"\nSWITCH [3] {{\nCASE 0:\n  BREAK\n  {inner}\n}}\n"), 4, "W0408");
    let functions = "FUNCTION g() {\n  MESSAGE: \"g\"\n}\nFUNCTION f() {\n  g()\n}\n";
    gives("unnethack-6.0.4", &format!("LEVEL: \"a\"\n{functions}f()\ng()\n"), 9, "W0408");
    let of_3_4_3 = format!("{MAZE}RANDOM_PLACES:(1,1)\nMONSTER:'d',\"jackal\",place[0]\n");
    gives("unnethack-6.0.4", &of_3_4_3, 10, "N0502");
}

#[test]
fn level_with_too_many_opcodes() {
    // Two opcodes each.
    let enough = MAX_OPCODES / 2 + 1;
    let text = format!("LEVEL: \"a\"\n{}", "MESSAGE:\"a\"\n".repeat(enough));
    gives("unnethack-6.0.4", &text, enough, "E0216");
}

#[test]
fn file_with_too_many_statements() {
    let text = format!("LEVEL: \"a\"\n{}", "EXIT\n".repeat(MAX_STATEMENTS + 1));
    gives("unnethack-6.0.4", &text, MAX_STATEMENTS + 1, "E0008");
}
