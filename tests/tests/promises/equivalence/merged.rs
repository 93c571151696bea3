//! The outcomes of a level found by merging states are those found by trying every path of draws.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use serde_json::Value;
use splc_driver::{Input, NoIncludes, Options, load};
use splc_equivalence::{Proof, Verdict};
use splc_picture::Document;
use splc_vm::{Exhaustive, Machine, Prepared, Settings};

use super::{prepared, verdict, verdict_here};

/// A language with the parts of its levels.
struct Language {
    /// Most paths of draws that are all tried.
    most_paths: usize,
    prepared: fn(&str) -> Prepared,
    head: &'static str,
    /// Statements that draw, keep what they drew for later, read it from the level, or forget it.
    statements: &'static [&'static str],
    /// A statement that draws, but only sets a variable.
    idle: &'static str,
}

const SCRIPTS: Language = Language {
    most_paths: 4_000,
    prepared: |text| prepared("unnethack", text),
    head: HEAD,
    statements: &[
        "SWITCH [2] {\nCASE 0:\nTRAP:\"pit\",(2,1)\nBREAK\nDEFAULT:\nBREAK\n}\n",
        "SWITCH [3] {\nCASE 0:\nTRAP:\"web\",(2,2)\nBREAK\nCASE 1:\n$count = 2\nBREAK\n}\n",
        "IF [50%] {\n$count = 3\n} ELSE {\n$count = 2\n}\n",
        "$count = 1\n",
        "LOOP [$count] {\nOBJECT:('%',\"apple\"),(4,2)\n}\n",
        "SHUFFLE: $place\n",
        "TRAP:\"arrow\",$place[0]\n",
        "GOLD:10,$place[1]\n",
        "ALTAR:(4,1),align[0],altar\n",
        "ALTAR:(1,2),align[1],shrine\n",
        "$other = rndcoord(fillrect(1,1,3,1))\nTERRAIN:$other,'L'\n",
        "$one = $place[2]\nFOUNTAIN:$one\n",
        "TERRAIN:(5,1),'T'\n",
        "IF [$count == 2] {\nTERRAIN:(5,1),'.'\n}\n",
    ],
    idle: "SWITCH [2] {\nCASE 0:\n$idle = 1\nBREAK\nDEFAULT:\nBREAK\n}\n",
};

const LUA: Language = Language {
    most_paths: 1_000,
    prepared: lua,
    head: "des.level_flags(\"noflip\")\ndes.map([[\n-------\n|.....|\n|.....|\n-------\n]])\n\
           local place = { { 1, 1 }, { 3, 1 }, { 5, 2 } }\nlocal seen, count, squares = \"\", 1, selection.new()\n",
    statements: &[
        "if math.random(2) == 1 then des.trap(\"pit\", 2, 1) end\n",
        "count = math.random(2)\n",
        "count = 1\n",
        "for at = 1, count do des.trap(\"web\", at, 2) end\n",
        "shuffle(place)\n",
        "des.trap(\"arrow\", place[1])\n",
        // The script does not get the squares that these change, and looks for them afterwards.
        "des.replace_terrain({ region = { 1, 1, 1, 1 }, fromterrain = \".\", toterrain = \"L\", chance = 50 })\n",
        "seen = nh.getmap(1, 1).mapchr\n",
        "count = selection.match(\"L\"):numpoints()\n",
        "squares = selection.match(\"L\")\n",
        "des.terrain(selection.area(1, 1, 2, 1), \".\")\n",
        "if seen == \"L\" then des.terrain(5, 1, \"T\") end\n",
        "squares:iterate(function(x, y) des.terrain(x + 2, y + 1, \"I\") end)\n",
        "local at = selection.rndcoord(selection.area(4, 2, 5, 2)) squares = selection.area(3, 2, at.x, at.y)\n",
        "squares:set(3, math.random(2))\n",
        "des.terrain(squares & selection.area(3, 1, 5, 2), \"C\")\n",
        "des.object({ id = \"sack\", x = 3, y = 2, contents = function()\n\
           if math.random(2) == 1 then des.object(\"apple\") end\n\
           if seen == \"L\" then count = 2 end\nend })\n",
        "pcall(des.trap, \"pit\", count == 1 and 4 or \"four\", 1)\n",
    ],
    idle: "local idle = math.random(2)\n",
};

const HEAD: &str = "LEVEL: \"x\"\nFLAGS: noflip\nGEOMETRY: center,center\nMAP\n-------\n|.....|\n|.....|\n-------\nENDMAP\n\
                    $place = { (1,1),(3,1),(5,2) }\n$count = 1\n";

fn lua(text: &str) -> Prepared {
    let mut loaded = load(Input::new("x.lua", text), &Options::default(), &mut NoIncludes).unwrap();
    assert!(!loaded.diagnostics.has_errors(), "{:#?}", loaded.diagnostics.iter().collect::<Vec<_>>());
    loaded.levels.remove(0).program
}

/// Returns the outcomes of a level by trying every path of draws, with their shares of all paths. Returns `None` if
/// there are too many paths.
fn every_way(level: &Prepared, most_paths: usize) -> Option<BTreeMap<String, f64>> {
    let (mut machine, mut rng) = (Machine::new(), Exhaustive::new());
    let mut outcomes = BTreeMap::new();
    for _ in 0..most_paths {
        let made = machine.run(level, &Settings::default(), &mut rng, &mut ()).unwrap();
        let mut document = serde_json::to_value(Document::of(made, level.catalog())).unwrap();
        // The order in which things were created does not matter.
        for list in document.as_object_mut().unwrap().values_mut() {
            if let Value::Array(list) = list
                && list.iter().all(Value::is_object)
            {
                list.sort_by_key(Value::to_string);
            }
        }
        *outcomes.entry(document.to_string()).or_insert(0.0) += 1.0 / rng.probability()? as f64;
        if !rng.advance() {
            return Some(outcomes);
        }
    }
    None
}

fn alike(one: &BTreeMap<String, f64>, two: &BTreeMap<String, f64>) -> bool {
    one.len() == two.len()
        && one.iter().zip(two).all(|((one, first), (two, second))| one == two && (first - second).abs() < 1e-9)
}

fn body(of: &Language) -> impl Strategy<Value = String> {
    let statements = of.statements;
    proptest::collection::vec(0..statements.len(), 1..7)
        .prop_map(|picked| picked.into_iter().map(|at| statements[at]).collect::<String>())
}

#[test]
fn states_have_the_outcomes_of_paths() {
    verdicts_are_those_of_paths(&SCRIPTS);
}

#[test]
fn states_of_lua_have_the_outcomes_of_paths() {
    verdicts_are_those_of_paths(&LUA);
}

/// Verdicts on pairs of levels are those of trying every path of draws.
fn verdicts_are_those_of_paths(of: &Language) {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut proven, mut different) = (0, 0);
    for _ in 0..splc_tests::either(20, 60) {
        let (one, two) = (body(of), body(of)).new_tree(&mut runner).unwrap().current();
        // Two random bodies are hardly ever equivalent.
        let two = if proven < different { format!("{}{one}", of.idle) } else { two };
        let (first, second) =
            ((of.prepared)(&format!("{}{one}", of.head)), (of.prepared)(&format!("{}{two}", of.head)));
        let (Some(ways), Some(others)) = (every_way(&first, of.most_paths), every_way(&second, of.most_paths)) else {
            continue;
        };
        match verdict_here(&first, &second, 1) {
            Verdict::Proven(Proof::SameCode, _) => assert!(alike(&ways, &others)),
            // What the loader does with the statements may depend on the game around the level.
            Verdict::Proven(Proof::SameStatements, _) => {
                assert!(alike(&ways, &others), "proven:\n{one}---\n{two}");
                proven += 1;
            }
            Verdict::Proven(Proof::EveryOutcome { outcomes, .. }, _) => {
                assert!(alike(&ways, &others), "proven:\n{one}---\n{two}");
                assert_eq!(outcomes, ways.len() as u64, "{one}");
                proven += 1;
            }
            Verdict::Different(_) => {
                assert!(!alike(&ways, &others), "different:\n{one}---\n{two}");
                different += 1;
            }
            Verdict::Proven(Proof::AllBut { .. }, _) | Verdict::NotDecided(_) => {
                panic!("not decided:\n{one}---\n{two}")
            }
        }
    }
    let least = splc_tests::either(1, 10);
    assert!(proven > least && different > least, "{proven} {different}");
}

/// Ten chances have 100^10 paths of draws, but the level needs little more than a thousand runs.
#[test]
fn many_chances_are_few_states() {
    let level = |percent: u32| {
        let trap = |at: u32| format!("IF [{percent}%] {{\nTRAP:\"pit\",({},{})\n}}\n", at % 5 + 1, at / 5 + 1);
        prepared("unnethack", &(HEAD.to_owned() + &(0..6).map(trap).collect::<String>()))
    };
    let other = prepared(
        "unnethack",
        &(HEAD.to_owned()
            + &(0..6)
                .map(|at: u32| format!("[50%]: TRAP:\"pit\",({},{})\n", at % 5 + 1, at / 5 + 1))
                .rev()
                .collect::<String>()),
    );
    let same = verdict(&level(50), &other, 1);
    assert!(matches!(same, Verdict::Proven(Proof::EveryOutcome { outcomes: 64, .. }, _)), "{same:?}");
    let differs = verdict(&level(51), &other, 1);
    assert!(matches!(differs, Verdict::Different(_)), "{differs:?}");
}

/// Every thing of NetHack 3.4.3 draws for its chance, even if that is 100 %.
#[test]
fn certain_chances_are_one_state() {
    let head = "MAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n-----\n|...|\n-----\nENDMAP\n";
    let things =
        ["TRAP:\"pit\",(1,1)\n", "OBJECT:'%',\"apple\",(2,1)\n", "TRAP[40%]:\"web\",(3,1)\n", "GOLD:5,(2,1)\n"];
    let level = |order: [usize; 4]| {
        let body: String = order.map(|at| things[at]).concat();
        prepared("nethack343", &format!("{head}{body}"))
    };
    let same = verdict(&level([0, 1, 2, 3]), &level([2, 3, 1, 0]), 1);
    assert!(matches!(same, Verdict::Proven(Proof::EveryOutcome { outcomes: 2, .. }, _)), "{same:?}");
}
