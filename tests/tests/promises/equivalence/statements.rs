//! Scripts with the same statements in other wording: proven equivalent, no matter how much is left to chance.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use splc_equivalence::{Options, Proof, Verdict, compare};
use splc_vm::Prepared;

use super::prepared;

const HEAD: &str = "LEVEL: \"x\"\nGEOMETRY: center,center\nMAP\n----------------\n|..............|\n|..............|\n\
                    |..............|\n----------------\nENDMAP\n";

fn level(body: &str) -> Prepared {
    prepared("unnethack", &format!("{HEAD}{body}"))
}

/// Returns the verdict without trying every path of draws.
fn verdict(first: &Prepared, second: &Prepared) -> Verdict {
    let options = Options { paths: 1, seeds: 1, ..Options::default() };
    compare(first, second, &options, &std::sync::atomic::AtomicU64::new(0))
}

fn is_proven(one: &str, two: &str) -> bool {
    matches!(verdict(&level(one), &level(two)), Verdict::Proven(Proof::SameStatements, _))
}

#[test]
fn other_wording_is_proven_equivalent() {
    let many = "MONSTER: 'o', random\nOBJECT: '%', random\nTRAP: random, random\n";
    let loops = format!("LOOP [3] {{\n{many}}}\n");
    let unrolled = many.repeat(3);
    assert!(is_proven(&loops, &unrolled));
    let called = format!("FUNCTION crowd() {{\n{many}}}\ncrowd()\ncrowd()\ncrowd()\n");
    let level_of = |text: &str| prepared("unnethack", text);
    let with_function = called.replacen("crowd()\ncrowd()", &format!("{HEAD}crowd()\ncrowd()"), 1);
    let same = verdict(&level_of(&with_function), &level(&unrolled));
    assert!(matches!(same, Verdict::Proven(Proof::SameStatements, _)), "{same:?}");
    // Chances in other wording, and draws in another order.
    let chance = format!("IF [25%] {{\n{many}}}\n{many}");
    let switch =
        format!("$r = 1d4\nSWITCH [2] {{\nCASE 0:\nBREAK\nDEFAULT:\nBREAK\n}}\nIF [$r == 3] {{\n{many}}}\n{many}");
    assert!(is_proven(&chance, &switch));
    assert!(!is_proven(&chance, &switch.replace("1d4", "1d5")));
    // One of several places.
    let shuffled = format!("$place = {{ (1,1),(3,1),(5,2) }}\nSHUFFLE: $place\nALTAR: $place[0], law, altar\n{many}");
    let drawn = format!("$place = {{ (5,2),(1,1),(3,1) }}\n$r = 1d3\n$at = $place[$r]\nALTAR: $at, law, altar\n{many}");
    assert!(is_proven(&shuffled, &drawn));
    assert!(!is_proven(&shuffled, &drawn.replace("(5,2)", "(5,1)")));
    // A result of the loader stays symbolic.
    let answered = format!("$at = rndcoord(fillrect(1,1,9,2))\n{many}FOUNTAIN: $at\n");
    let idle = format!("$idle = 7\n{answered}");
    assert!(is_proven(&answered, &idle));
    let other =
        format!("$at = rndcoord(fillrect(1,1,9,2))\n$other = rndcoord(fillrect(1,1,9,2))\n{many}FOUNTAIN: $at\n");
    assert!(!is_proven(&other, &other.replace("FOUNTAIN: $at", "FOUNTAIN: $other")));
}

/// Statements that draw, loop and store, so that no search through their states ends.
const LONG: &str = "$many = { (1,1),(2,1),(3,1),(4,1),(5,1),(6,1),(7,1),(8,1),(9,1),(10,1),(11,1),(12,1) }\n\
                    SHUFFLE: $many\n$times = 2d4\nLOOP [$times] {\nIF [30%] {\nOBJECT: '%', random\n}\n\
                    LOOP [1d3] {\nMONSTER: 'o', random\n}\nSWITCH [3] {\nCASE 0:\nTRAP: random, random\nBREAK\n\
                    CASE 1:\nGOLD: 10, random\nBREAK\n}\n}\nTRAP: \"pit\", $many[0]\nTRAP: \"web\", $many[3]\n\
                    TRAP: \"pit\", $many[5]\nTRAP: \"web\", $many[7]\nTRAP: \"pit\", $many[9]\n";

#[test]
fn variables_that_nothing_reads_change_nothing() {
    for unread in [
        "$idle = 7\n",
        "$idle = 2d6\n",
        "$idle = \"seven\"\n",
        "$idle = (3,2)\n",
        "$idle = { 1, 2, 3 }\n",
        "$idle = 7\n$other = 8\n$idle = 9\n",
    ] {
        let inside = LONG.replace("MONSTER: 'o', random\n", &format!("{unread}MONSTER: 'o', random\n{unread}"));
        let branch = LONG.replace("OBJECT: '%', random\n", &format!("OBJECT: '%', random\n{unread}"));
        let case = LONG.replace("GOLD: 10, random\n", &format!("{unread}GOLD: 10, random\n"));
        let first = format!("{unread}{LONG}");
        for other in [first.clone(), format!("{LONG}{unread}"), inside, branch, case] {
            assert!(is_proven(LONG, &other) && is_proven(&other, LONG), "{other}");
            if other != first {
                continue;
            }
            // Something else differs too.
            for (from, to) in [
                ("[30%]", "[31%]"),
                ("2d4", "2d5"),
                ("1d3", "1d4"),
                ("$many[7]", "$many[8]"),
                ("CASE 1", "CASE 2"),
                ("(12,1)", "(12,2)"),
                ("BREAK\nCASE 1", "CASE 1"),
                ("SHUFFLE: $many\n", ""),
            ] {
                let changed = other.replace(from, to);
                assert!(changed != other && !is_proven(LONG, &changed), "{changed}");
            }
        }
    }
}

#[test]
fn variables_that_something_reads_count() {
    for (one, other) in [
        ("$idle = 7\n", "$idle = 8\n"),
        ("$idle = 1d7\n", "$idle = 1d8\n"),
        ("", "$times = 3\n"),
        ("", "$times = 1d3\n"),
        ("", "$idle = $times\n$times = $idle\n$times = 2\n"),
    ] {
        let read = if one.is_empty() { "" } else { "GOLD: $idle, (1,1)\n" };
        let [one, other] =
            [one, other].map(|unread| LONG.replace("LOOP [$times]", &format!("{unread}{read}LOOP [$times]")));
        assert!(!is_proven(&one, &other), "{other}");
    }
}

/// The game stops a script after a number of opcodes, so one more can be one too many.
#[test]
fn a_script_that_may_be_stopped_is_not_proven() {
    let level = |times: u32, unread: &str| {
        format!(
            "$many = {{ (1,1),(2,1) }}\nSHUFFLE: $many\n{unread}LOOP [{times}] {{\nGOLD: 1d3, $many[0]\n{unread}}}\n"
        )
    };
    let idle = "$idle = 7\n";
    assert!(is_proven(&level(1000, ""), &level(1000, idle)));
    assert!(!is_proven(&level(6000, ""), &level(6000, idle)));
    // A loop that changes its counter may run for ever.
    let once = level(10, "");
    assert!(!is_proven(&once, &once.replace("[10]", "[10000]")));
}

/// If a room finds no place, variables in its block are not set.
#[test]
fn statements_skipped_by_a_failed_room_count() {
    let rooms = |inside: &str, behind: &str| {
        prepared(
            "unnethack",
            &format!(
                "LEVEL: \"x\"\nROOM: \"ordinary\", random, random, random, random {{\n{inside}OBJECT: '%', random\n}}\n\
                 ROOM: \"ordinary\", random, random, random, random {{\n{behind}}}\nRANDOM_CORRIDORS\n"
            ),
        )
    };
    let (before, set) = (rooms("$a = 1\n", "MONSTER: 'o', random\n"), rooms("", "MONSTER: 'o', random\n"));
    assert!(matches!(verdict(&before, &set), Verdict::Proven(Proof::SameStatements, _)));
    let counts = |first: &str| {
        let text = format!(
            "LEVEL: \"x\"\n{first}ROOM: \"ordinary\", random, random, random, random {{\n$a = 2\nOBJECT: '%', random\n}}\n\
             ROOM: \"ordinary\", random, random, random, random {{\nLOOP [$a] {{\nMONSTER: 'o', random\n}}\n}}\nRANDOM_CORRIDORS\n"
        );
        prepared("unnethack", &text)
    };
    // Only if the first room fails does the second have another number of orcs.
    let verdict = verdict(&counts("$a = 1\n"), &counts("$a = 3\n"));
    assert!(!matches!(verdict, Verdict::Proven(..)), "{verdict:?}");
}

/// Statements that interfere with each other, and values that a script may keep.
const STATEMENTS: &[&str] = &[
    "IF [50%] {\n$count = 1\n} ELSE {\n$count = 2\n}\n",
    "$count = 2\n",
    "LOOP [$count] {\nOBJECT:('%',\"apple\"),(2,1)\n}\n",
    "SHUFFLE: $place\n",
    "TRAP:\"arrow\",$place[0]\n",
    "GOLD:10,$place[1]\n",
    "$one = $place[2]\nFOUNTAIN:$one\n",
    "IF [$count == 2] {\nTERRAIN:(5,1),'T'\n}\n",
    "SWITCH [3] {\nCASE 0:\nTRAP:\"web\",(2,2)\nBREAK\nCASE 1:\n$count = 2\nBREAK\n}\n",
    "$place = { (1,1),(1,1),(4,2) }\n",
];

/// Nothing is proven that trying every path of draws refutes.
#[test]
fn proofs_are_correct() {
    let small = "LEVEL: \"x\"\nFLAGS: noflip\nGEOMETRY: center,center\nMAP\n-------\n|.....|\n|.....|\n-------\nENDMAP\n\
                 $place = { (1,1),(3,1),(5,2) }\n$count = 1\n";
    let body = || {
        proptest::collection::vec(0..STATEMENTS.len(), 1..6)
            .prop_map(|picked| picked.into_iter().map(|at| STATEMENTS[at]).collect::<String>())
    };
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut proven, mut refuted) = (0, 0);
    for case in 0..splc_tests::cases(200) as usize {
        let (one, mut two) = (body(), body()).new_tree(&mut runner).unwrap().current();
        if case % 2 == 0 {
            // The same statements in another order, which is sometimes equivalent.
            let mut lines: Vec<&str> = STATEMENTS.iter().copied().filter(|line| one.contains(line)).collect();
            let turn = case / 2 % lines.len().max(1);
            lines.rotate_left(turn);
            two = lines.concat();
        }
        let (first, second) =
            (prepared("unnethack", &format!("{small}{one}")), prepared("unnethack", &format!("{small}{two}")));
        let exact = super::verdict(&first, &second, 1);
        match verdict(&first, &second) {
            Verdict::Proven(Proof::SameStatements, _) => {
                assert!(matches!(exact, Verdict::Proven(..)), "{one}---\n{two}{exact:?}");
                proven += 1;
            }
            Verdict::Proven(Proof::SameCode, _) => {}
            _ => refuted += usize::from(matches!(exact, Verdict::Different(_))),
        }
    }
    assert!(proven > 0 && refuted > splc_tests::cases(50) as usize, "{proven} {refuted}");
}
