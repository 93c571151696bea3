//! Places and types that the games draw again until they fit: decided by the search, as by the games' own draws.

use std::collections::BTreeSet;

use splc_equivalence::{Evidence, Proof, Verdict};
use splc_vm::{Exhaustive, Machine, Prepared, Rng, Scripted, Settings, SplitMix};

use super::{prepared, verdict, verdict_here};

/// A map of 28 squares, of which 10 are floor.
const ROOM: &str =
    "LEVEL: \"x\"\nFLAGS: noflip\nGEOMETRY: center,center\nMAP\n-------\n|.....|\n|.....|\n-------\nENDMAP\n";

const APPLE: &str = "OBJECT: ('%',\"apple\"), ";

fn level(body: &str) -> Prepared {
    prepared("unnethack", &format!("{ROOM}{body}"))
}

/// Selects one of several statements with equal probability.
fn one_of(statements: &[String]) -> String {
    let cases = statements.iter().enumerate().map(|(at, statement)| format!("CASE {at}:\n{statement}BREAK\n"));
    format!("SWITCH [{}] {{\n{}}}\n", statements.len(), cases.collect::<String>())
}

fn places(columns: i32) -> Vec<String> {
    let squares = (1..=columns).flat_map(|x| [(x, 1), (x, 2)]);
    squares.map(|(x, y)| format!("{APPLE}({x},{y})\n")).collect()
}

/// A hundred tries that each fail in 18 of 28 cases all fail once in 10^19 levels; the game then takes the first
/// square.
#[test]
fn a_random_place_is_any_valid_place() {
    let same = verdict(&level(&format!("{APPLE}random\n")), &level(&one_of(&places(5))), 1);
    let Verdict::Proven(Proof::AllBut { outcomes: 10, apart, .. }, _) = same else { panic!("{same:?}") };
    let expected = 0.9 * (18.0_f64 / 28.0).powi(100);
    assert!((apart.to_f64() / expected - 1.0).abs() < 1e-9, "{apart}");
    let less = verdict(&level(&format!("{APPLE}random\n")), &level(&one_of(&places(4))), 1);
    let Verdict::Different(difference) = less else { panic!("{less:?}") };
    let Evidence::Exact { probabilities: [one, two] } = &difference.evidence else { panic!("{difference:?}") };
    assert!((one.to_f64() - 0.1).abs() < 1e-9 && (two.is_never() || two.to_string() == "1/8"), "{one} {two}");
    // The examples show it when run again from their draws.
    let (x, y) = difference.fact.place.unwrap();
    let lies = difference
        .examples
        .each_ref()
        .map(|example| example.level.objects().iter().any(|object| (object.x, object.y) == (x, y)));
    assert_ne!(lies[0], lies[1], "{}", difference.fact);
}

/// The same search twice, with other wording around it.
#[test]
fn identical_searches_are_exactly_equivalent() {
    let twice = format!("{APPLE}random\nGOLD: 5, random\n");
    let looped = format!("LOOP [1] {{\n{APPLE}random\n}}\nGOLD: 5, random\n");
    let same = verdict(&level(&twice), &level(&looped), 1);
    assert!(matches!(same, Verdict::Proven(Proof::EveryOutcome { outcomes: 100, .. }, _)), "{same:?}");
    // A monster avoids the squares of earlier monsters.
    let (one, two) = ("MONSTER: 'F', random\nMONSTER: 'j', random\n", "MONSTER: 'j', random\nMONSTER: 'F', random\n");
    let differs = verdict(&level(one), &level(two), 1);
    let Verdict::Different(difference) = differs else { panic!("{differs:?}") };
    assert!(matches!(difference.evidence, Evidence::Exact { .. }));
}

/// Trap types that do not suit the depth are drawn again, without limit; a hole remains once in seven times.
#[test]
fn a_random_trap_is_any_suitable_trap() {
    let random = level("TRAP: random, (2,1)\n");
    let mut kinds = BTreeSet::new();
    let mut machine = Machine::new();
    for seed in 0..3000 {
        let made = machine.run(&random, &Settings::default(), &mut SplitMix::new(seed), &mut ()).unwrap();
        kinds.extend(made.traps().iter().map(|trap| splc_picture::trap_name(trap.kind, random.catalog()).to_string()));
    }
    assert!(kinds.len() > 5, "{kinds:?}");
    let (mut chosen, mut below) = (String::new(), 0);
    for kind in &kinds {
        let first = below;
        below += if kind == "hole" { 1 } else { 7 };
        chosen += &format!("IF [$r > {first}] {{\nIF [$r <= {below}] {{\nTRAP: \"{kind}\", (2,1)\n}}\n}}\n");
    }
    let same = verdict_here(&random, &level(&format!("$r = 1d{below}\n{chosen}")), 1);
    assert!(matches!(same, Verdict::Proven(Proof::EveryOutcome { .. }, _)), "{same:?}");
}

/// Lists of things search for their places as scripts do.
#[test]
fn parts_search_too() {
    let head = "MAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n-----\n|...|\n-----\nENDMAP\n";
    let level = |body: &str| prepared("nethack343", &format!("{head}{body}"));
    let one = level("OBJECT:'%',\"apple\",random\nTRAP:random,(1,1)\nTRAP:\"pit\",random\n");
    let two = level("TRAP:\"pit\",random\nTRAP:random,(1,1)\nOBJECT:'%',\"apple\",random\n");
    let differs = verdict(&one, &two, 1);
    // The second trap on a square replaces the first.
    assert!(
        matches!(&differs, Verdict::Different(difference)
        if matches!(difference.evidence, Evidence::Exact { .. })),
        "{differs:?}"
    );
    let (orange, pear) = ("OBJECT:'%',\"orange\",(1,1)\n", "OBJECT:'%',\"pear\",(2,1)\n");
    let rest = "TRAP:random,(1,1)\nTRAP:\"pit\",random\nOBJECT[40%]:'%',\"apple\",random\n";
    let (one, two) = (level(&format!("{orange}{pear}{rest}")), level(&format!("{pear}{orange}{rest}")));
    let same = verdict(&one, &two, 1);
    assert!(matches!(same, Verdict::Proven(Proof::EveryOutcome { .. }, _)), "{same:?}");
}

/// The outcome of a search is the outcome of its draws.
#[test]
fn searches_have_the_outcome_of_their_draws() {
    /// Takes searches as a whole, and records the draws that they replace.
    struct Taker {
        source: SplitMix,
        draws: Vec<u32>,
        searches: usize,
    }

    impl Rng for Taker {
        fn takes_searches(&self) -> bool {
            true
        }

        fn search(&mut self, search: splc_vm::Search) -> Option<usize> {
            self.searches += 1;
            let ways = search.good.len() + usize::from(search.bad.is_some() && search.tries.is_some());
            let way = self.source.below(ways as u32) as usize;
            match (search.good.get(way), search.bad) {
                (Some(good), _) => self.draws.extend(good.draws.as_slice()),
                (None, Some(bad)) => self.draws.extend(bad.draws.as_slice().repeat(search.tries.unwrap() as usize)),
                (None, None) => unreachable!(),
            }
            (way < search.good.len()).then_some(way)
        }

        fn below(&mut self, below: u32) -> u32 {
            let result = self.source.below(below);
            self.draws.push(result);
            result
        }
    }

    let body = "STAIR: random, up\nTRAP: random, random\nALTAR: random, random, random\nMONSTER: 'o', random\n\
                OBJECT: random, random\nTELEPORT_REGION: (1,1,2,2), (0,0,0,0), down\nSTAIR: levregion(1,1,60,15), (0,0,0,0), down\n\
                FOUNTAIN: random\nGOLD: 5, random\n";
    let mut levels = vec![level(body)];
    let rooms = "LEVEL: \"r\"\nROOM: \"ordinary\", lit, (3,3), (center,center), (9,5) {\nSTAIR: random, up\n\
                 TRAP: random, random\nALTAR: random, law, shrine\nOBJECT: '%', random\nMONSTER: 'F', random\n}\n";
    levels.push(prepared("unnethack", rooms));
    levels.push(prepared("nethack36", rooms));
    let parts = "MAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n-----\n|...|\n-----\nENDMAP\nSTAIR:random,up\n\
                 STAIR:levregion(1,1,60,15),(0,0,0,0),down\nTRAP:random,random\nOBJECT:random,random,random\n";
    levels.push(prepared("nethack343", parts));
    let mut machine = Machine::new();
    for level in &levels {
        let mut searches = 0;
        for seed in 0..300 {
            let mut taker = Taker { source: SplitMix::new(seed), draws: Vec::new(), searches: 0 };
            let settings = Settings::default();
            let document = |made: Result<&splc_vm::Level, splc_vm::VmError>| {
                made.map(|made| serde_json::to_string(&splc_picture::Document::of(made, level.catalog())).unwrap())
            };
            let taken = document(machine.run(level, &settings, &mut taker, &mut ()));
            let mut script = Scripted::new(&taker.draws);
            let drawn = document(machine.run(level, &settings, &mut script, &mut ()));
            assert_eq!(taken, drawn, "seed {seed}");
            assert_eq!((script.taken(), script.misfits()), (taker.draws.len(), 0), "seed {seed}");
            searches += taker.searches;
        }
        assert!(searches > 300, "{searches}");
    }
    // All others take the draws.
    assert!(!Exhaustive::new().takes_searches());
}
