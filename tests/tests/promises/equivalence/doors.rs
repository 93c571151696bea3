//! Doors of a variant that numbers their states, and adds flags to them.

use splc_equivalence::Verdict;
use splc_tests::{compile, loaded_catalog};
use splc_vm::{Machine, Prepared, Settings, SplitMix};

use super::verdict;

/// A made-up game. A locked door is a closed one with a flag.
const FLAGGED: &str = r#"
extends = "nethack-3.6.7"
name = "flagged-doors"
title = "Flagged doors"

[words.door_state]
nodoor = 0
broken = 1
open = 2
closed = 3
locked = 7
secret = 32

[words.door_detail]
trapped = 8
irondoor = 16
"#;

/// Prepares a level with these doors, one below the other.
fn level(doors: &[&str]) -> Prepared {
    let mut text = "MAZE: \"doors\", ' '\nGEOMETRY: left, top\nMAP\n---\n...\n...\n...\nENDMAP\n".to_owned();
    for (at, door) in doors.iter().enumerate() {
        text += &format!("DOOR: {door}, (1,{at})\n");
    }
    let mut compiled = compile(text.into_bytes(), None, loaded_catalog(FLAGGED));
    assert_eq!(compiled.messages(), [""; 0]);
    Prepared::new(&compiled.programs.remove(0), loaded_catalog(FLAGGED)).unwrap()
}

#[test]
fn states_of_doors_have_the_numbers_of_their_game() {
    let states = [
        ("nodoor", "doorway"),
        ("broken", "broken door"),
        ("open", "open door"),
        ("closed", "closed door"),
        ("locked", "locked door"),
        ("secret", "closed secret door"),
        ("closed & trapped", "closed door, trapped"),
        ("locked & irondoor", "locked door"),
        ("open & irondoor & trapped", "open door, trapped"),
        ("nodoor & irondoor", "doorway"),
    ];
    for (state, name) in states {
        let prepared = level(&[state]);
        let mut machine = Machine::new();
        machine.run(&prepared, &Settings::default(), &mut SplitMix::new(1), &mut ()).unwrap();
        let made = machine.level();
        let (x, y) = (0..80)
            .flat_map(|x| (0..21).map(move |y| (x, y)))
            .find(|&(x, y)| made.terrain(x, y).is_door_or_secret())
            .unwrap();
        assert_eq!(splc_picture::door_name(made.terrain(x, y), made.flags(x, y)), name, "{state}");
    }
}

#[test]
fn flags_of_doors_are_compared() {
    let all = ["closed", "locked", "open", "closed & irondoor", "closed & trapped", "locked & trapped & irondoor"];
    for (at, one) in all.into_iter().enumerate() {
        for (beside, other) in all.into_iter().enumerate() {
            let verdict = verdict(&level(&[one]), &level(&[other]), 20);
            let is_right = match verdict {
                Verdict::Proven(..) => at == beside,
                Verdict::Different(_) => at != beside,
                Verdict::NotDecided(_) => false,
            };
            assert!(is_right, "{one}, {other}: {verdict:?}");
        }
    }
}
