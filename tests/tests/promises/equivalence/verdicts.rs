//! Small levels with a known verdict.

use std::sync::atomic::AtomicU64;

use splc_equivalence::{
    Aspect, Evidence, MadeWith, Options, PartingKind, Proof, Together, Verdict, compare, draw_for_draw,
};

use super::{prepared, verdict, verdict_here};

const ROOM: &str = "LEVEL: \"x\"\nFLAGS: noflip\nGEOMETRY: center,center\nMAP\n-----\n|...|\n|...|\n-----\nENDMAP\n";

fn unnethack(body: &str) -> splc_vm::Prepared {
    prepared("unnethack", &format!("{ROOM}{body}"))
}

fn exact(verdict: &Verdict) -> (String, String, String) {
    match verdict {
        Verdict::Different(difference) => match &difference.evidence {
            Evidence::Exact { probabilities: [one, two] } => {
                (difference.fact.to_string(), one.to_string(), two.to_string())
            }
            Evidence::Counted { .. } => panic!("{difference:?} is counted"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_same_text_is_the_same_code() {
    let text = "MONSTER: 'o', random\n";
    // The spans differ.
    let verdict = verdict(&unnethack(text), &unnethack(&format!("\n\n{text}")), 10);
    assert!(matches!(verdict, Verdict::Proven(Proof::SameCode, _)), "{verdict:?}");
}

#[test]
fn other_code_with_the_same_outcomes_is_proven() {
    let chance = "IF [25%] {\nMONSTER: 'o', (1,1)\n}\n";
    let switch = "SWITCH [4] {\nCASE 2:\nMONSTER: 'o', (1,1)\nBREAK\n}\n";
    let verdict = verdict(&unnethack(chance), &unnethack(switch), 10);
    // The alignments of a level are shuffled by separate draws, and 25 of 100 is the same chance as 1 of 4.
    let Verdict::Proven(Proof::EveryOutcome { outcomes, paths }, _) = verdict else { panic!("{verdict:?}") };
    assert_eq!((outcomes, paths[0] / paths[1]), (2, 25));
}

#[test]
fn a_difference_is_exact_if_all_outcomes_are_tried() {
    let verdict = verdict(
        &unnethack("IF [25%] {\nMONSTER: ('o',\"Mordor orc\"), (1,1)\n}\n"),
        &unnethack("SWITCH [5] {\nCASE 2:\nMONSTER: ('o',\"Mordor orc\"), (1,1)\nBREAK\n}\n"),
        10,
    );
    let (fact, one, two) = exact(&verdict);
    assert!(fact.starts_with("Mordor orc at "), "{fact}");
    assert_eq!((one.as_str(), two.as_str()), ("1/4", "1/5"));
    let Verdict::Different(difference) = verdict else { unreachable!() };
    let [shown, lacking] = &difference.examples;
    assert!(matches!(shown.with, MadeWith::Draws(_)));
    assert_eq!((shown.level.monsters().len(), lacking.level.monsters().len()), (1, 0));
    assert_eq!(shown.steps.len(), 1);
    assert!(lacking.steps.is_empty());
}

#[test]
fn correlated_facts_are_distinguished_from_independent_ones() {
    let coin = |body: &str| format!("SWITCH [2] {{\nCASE 0:\n{body}BREAK\n}}\n");
    let (orc, kobold) = ("MONSTER: 'o', (1,1)\n", "MONSTER: 'k', (2,1)\n");
    let (together, apart) = (coin(&format!("{orc}{kobold}")), coin(orc) + &coin(kobold));
    let verdict = verdict(&unnethack(&together), &unnethack(&apart), 10);
    let Verdict::Different(difference) = verdict else { panic!("{verdict:?}") };
    assert_eq!(difference.fact.aspect, Aspect::Whole);
}

/// Details that the VM keeps only for comparisons count as well.
#[test]
fn every_detail_counts() {
    let pairs = [
        ("MONSTER: 'o', (1,1)", "MONSTER: 'o', (1,1), female"),
        ("MONSTER: 'o', (1,1), fleeing: 10", "MONSTER: 'o', (1,1), fleeing: 11"),
        ("MONSTER: 'o', (1,1), seen_traps: \"web\"", "MONSTER: 'o', (1,1), seen_traps: \"pit\""),
        ("MONSTER: 'o', (1,1)", "MONSTER: 'o', (1,1) {\n}"),
        ("OBJECT: ('(',\"chest\"), (1,1)", "CONTAINER: ('(',\"chest\"), (1,1) {\n}"),
        ("OBJECT: ('(',\"chest\"), (1,1)", "OBJECT: ('(',\"chest\"), (1,1), locked"),
        ("OBJECT: ('(',\"oil lamp\"), (1,1)", "OBJECT: ('(',\"oil lamp\"), (1,1), lit"),
        ("GRAVE: (1,1), \"a\"", "GRAVE: (1,1), \"b\""),
        ("GRAVE: (1,1), random", "GRAVE: (1,1), \"b\""),
        ("ENGRAVING: (1,1), burn, \"a\"", "ENGRAVING: (1,1), dust, \"a\""),
        ("PORTAL: (1,1,1,1), (0,0,0,0), \"air\"", "PORTAL: (1,1,1,1), (0,0,0,0), \"water\""),
        ("BRANCH: (1,1,1,1), (0,0,0,0)", "BRANCH: (2,1,2,1), (0,0,0,0)"),
        ("MINERALIZE: 1, 2, 3, 4", "MINERALIZE: 1, 2, 3, 5"),
        ("REGION: (1,1,3,2), lit, \"zoo\", filled", "REGION: (1,1,3,2), lit, \"zoo\", unfilled"),
        ("NON_DIGGABLE: (0,0,4,3)", "NON_PASSWALL: (0,0,4,3)"),
        ("OBJECT: '*', (1,1)\nOBJECT: '!', (1,1)", "OBJECT: '!', (1,1)\nOBJECT: '*', (1,1)"),
    ];
    for (one, two) in pairs {
        let verdict = verdict(&unnethack(&format!("{one}\n")), &unnethack(&format!("{two}\n")), 10);
        let (fact, ..) = exact(&verdict);
        assert!(!fact.is_empty(), "{one} {two}");
    }
}

#[test]
fn the_order_of_creation_does_not_count() {
    let one = "MONSTER: 'o', (1,1)\nTRAP: \"pit\", (2,2)\nGOLD: 7, (1,1)\nOBJECT: '!', (1,2)\nOBJECT: '?', (3,2)\n";
    let two = "OBJECT: '?', (3,2)\nOBJECT: '!', (1,2)\nGOLD: 7, (1,1)\nTRAP: \"pit\", (2,2)\nMONSTER: 'o', (1,1)\n";
    let verdict = verdict(&unnethack(one), &unnethack(two), 10);
    assert!(matches!(verdict, Verdict::Proven(Proof::EveryOutcome { outcomes: 1, .. }, _)), "{verdict:?}");
}

/// With too many outcomes to try, a difference is found by counting, and equivalence stays undecided.
#[test]
fn counted_verdicts_are_marked_as_such() {
    let many = |count: usize| unnethack(&"MONSTER: 'o', random\n".repeat(count));
    let Verdict::Different(difference) = verdict(&many(6), &many(7), 600) else { panic!("not different") };
    assert!(matches!(difference.evidence, Evidence::Counted { error, .. } if error < 1e-9), "{difference:?}");
    let in_order = unnethack(&"MONSTER: 'o', random\n\nMONSTER: 'k', random\n".repeat(3));
    let other_order = unnethack(&"MONSTER: 'k', random\nMONSTER: 'o', random\n".repeat(3));
    let Verdict::NotDecided(undecided) = verdict(&in_order, &other_order, 400) else { panic!("decided") };
    assert_eq!(undecided.seeds, 400);
    let never = undecided.power.never.unwrap();
    assert!(never > 0.05 && never < 0.5, "{never}");
    let Together::Separated(parting) = undecided.together else { panic!("{undecided:?}") };
    assert!(matches!(parting.kind, PartingKind::Outcome(_)), "{parting:?}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let one = unnethack("MONSTER: 'o', random\nOBJECT: random, random\nOBJECT: random, random\nTRAP: random, random\n");
    let two = unnethack("OBJECT: random, random\nMONSTER: 'o', random\nTRAP: random, random\nOBJECT: random, random\n");
    let with = |threads| {
        let options = Options { seeds: 300, threads, ..Options::default() };
        match compare(&one, &two, &options, &AtomicU64::new(0)) {
            Verdict::NotDecided(undecided) => undecided,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(with(1), with(4));
}

#[test]
fn names_are_compared_through_a_map() {
    let one = prepared("unnethack", &format!("{ROOM}MONSTER: ('o',\"Mordor orc\"), (1,1)\nTRAP: \"bear\", (2,1)\n"));
    let two = prepared("unnethack", &format!("{ROOM}MONSTER: ('o',\"Uruk-hai\"), (1,1)\nTRAP: \"pit\", (2,1)\n"));
    let mut options = Options::default();
    options.names.monster("Mordor orc", "Uruk-hai").trap("bear", "pit");
    let verdict = compare(&one, &two, &options, &AtomicU64::new(0));
    assert!(matches!(verdict, Verdict::Proven(Proof::EveryOutcome { .. }, _)), "{verdict:?}");
}

/// Two games, each with its own rules and numbers.
#[test]
fn levels_of_two_games_are_compared() {
    let body = "MONSTER: ('o',\"Mordor orc\"), (1,1)\nOBJECT: ('!',\"water\"), (2,1)\nTRAP: \"bear\", (3,1)\n";
    let one = prepared("unnethack", &format!("{ROOM}{body}"));
    let map = "LEVEL: \"x\"\nGEOMETRY: center,center\nMAP\n-----\n|...|\n|...|\n-----\nENDMAP\n";
    let same = prepared("nethack36", &format!("{map}{body}"));
    // On shallow levels, a trap of NetHack 3.6 may have a victim.
    assert!(matches!(verdict(&one, &same, 100), Verdict::Different(_)));
    let seeds = splc_tests::cases(100).into();
    let verdict_of = verdict_here(&one, &same, seeds);
    assert!(matches!(verdict_of, Verdict::Proven(Proof::EveryOutcome { .. }, _)), "{verdict_of:?}");
    let other = prepared("nethack36", &format!("{map}{body}GOLD: 100, (3,1)\n"));
    let (fact, ..) = exact(&verdict(&one, &other, seeds));
    assert!(fact.starts_with("100 gold at"), "{fact}");
}

#[test]
fn translations_are_compared_draw_for_draw() {
    let options = Options::default();
    let together = |one: &str, two: &str| draw_for_draw(&unnethack(one), &unnethack(two), &options, &AtomicU64::new(0));
    let chance = "IF [25%] {\nMONSTER: 'o', (1,1)\n}\n";
    let twice = "IF [25%] {\nMONSTER: 'o', (1,1)\n} ELSE {\n$a = 1\n}\n";
    // Three alignments are shuffled in six ways; a random orc draws one of them.
    assert_eq!(together(chance, twice), Together::Always { paths: 6 * (75 + 25 * 3) });
    let switch = "SWITCH [4] {\nCASE 2:\nMONSTER: 'o', (1,1)\nBREAK\n}\n";
    let Together::Separated(parting) = together(chance, switch) else { panic!() };
    assert!(
        matches!(parting.kind, PartingKind::Draw { number: 2, first: Some((100, _)), second: Some((4, _)) }),
        "{parting:?}"
    );
}

#[test]
fn the_last_seeds_are_compared_without_overflow() {
    let levels = [unnethack("MONSTER: 'o', random\n"), unnethack("MONSTER: 'k', random\n")];
    for first_seed in [u64::MAX, u64::MAX - 3, u64::MAX - 4, u64::MAX - (1 << 32) - 1] {
        let options = Options { seeds: u64::MAX, first_seed, paths: 0, threads: 2, ..Options::default() };
        let verdict = compare(&levels[0], &levels[1], &options, &AtomicU64::new(0));
        assert!(matches!(verdict, Verdict::Different(_) | Verdict::NotDecided(_)), "{verdict:?}");
        let together = draw_for_draw(&levels[0], &levels[1], &options, &AtomicU64::new(0));
        assert!(matches!(together, Together::Separated(_) | Together::SoFar { .. }), "{together:?}");
    }
}

/// Each thing is as probable in both levels, but in one of them they never come together.
#[test]
fn a_correlation_is_shown_as_one() {
    let one = "IF [50%] {\nTRAP: \"web\", (1,1)\n} ELSE {\nFOUNTAIN: (3,1)\n}\n";
    let two = "IF [50%] {\nTRAP: \"web\", (1,1)\n}\nIF [50%] {\nFOUNTAIN: (3,1)\n}\n";
    let verdict = verdict_here(&unnethack(one), &unnethack(two), 10);
    let (fact, one, two) = exact(&verdict);
    assert!(fact.contains("web at ") && fact.contains(" together with ") && !fact.contains("exactly"), "{fact}");
    let probabilities = if fact.contains("fountain at ") { ("0", "1/4") } else { ("1/2", "1/4") };
    assert_eq!((one.as_str(), two.as_str()), probabilities, "{fact}");
    let Verdict::Different(difference) = verdict else { unreachable!() };
    assert!(!difference.by_searches);
}

/// The default filling of a MAZEWALK is floor, unless the mazes of the level are corridors.
#[test]
fn a_default_written_out_is_the_same() {
    let level = |flags: &str, walk: &str| {
        let text = format!(
            "LEVEL: \"x\"\nFLAGS: noflip{flags}\nINIT_MAP: mazegrid, '-'\nGEOMETRY: center,center\nMAP\n...\n...\nENDMAP\n{walk}\n"
        );
        prepared("unnethack", &text)
    };
    let verdict_on = |flags: &str, one: &str, two: &str| verdict(&level(flags, one), &level(flags, two), 10);
    let proven = verdict_on("", "MAZEWALK: (0,0), west", "MAZEWALK: (0,0), west, true, '.'");
    assert!(matches!(proven, Verdict::Proven(Proof::SameStatements, _)), "{proven:?}");
    let other = verdict_on("", "MAZEWALK: (0,0), west", "MAZEWALK: (0,0), west, true, 'L'");
    assert!(!matches!(other, Verdict::Proven(..)), "{other:?}");
    let corridors = verdict_on(",corrmaze", "MAZEWALK: (0,0), west", "MAZEWALK: (0,0), west, true, '.'");
    assert!(!matches!(corridors, Verdict::Proven(..)), "{corridors:?}");
}

/// SporkHack mirrors no levels, so a random vault differs in nothing else.
#[test]
fn a_random_vault_is_not_a_level_of_its_own() {
    let [one, other] = ["noteleport", "noteleport,rndvault"].map(|flags| ROOM.replace("noflip", flags));
    let (fact, ..) = exact(&verdict(&prepared("sporkhack", &one), &prepared("sporkhack", &other), 10));
    assert_eq!(fact, "flag rndvault");
}
