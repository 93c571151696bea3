//! Made-up pairs of levels: edits that keep a level, and edits that change it, by construction. No answer is wrong.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use splc_equivalence::{Options, Verdict, compare};
use splc_vm::Prepared;

use super::prepared;

/// Pairs that are made up for each script dialect. `SPLC_PAIRS` sets another number.
const PAIRS: u32 = 200;

const MAP: &str = "MAP\n-----------\n|.........|\n|.........|\n|.........|\n-----------\nENDMAP\n";

/// A statement on a square of its own, and the same with one detail changed.
struct Piece {
    text: &'static str,
    changed: &'static str,
}

/// `@` is the place.
const PIECES: &[Piece] = &[
    Piece { text: "MONSTER:('h',\"dwarf\"),@", changed: "MONSTER:('h',\"hobbit\"),@" },
    Piece { text: "MONSTER:('h',\"dwarf\"),@,asleep", changed: "MONSTER:('h',\"dwarf\"),@,awake" },
    Piece { text: "MONSTER:('h',\"dwarf\"),@,peaceful", changed: "MONSTER:('h',\"dwarf\"),@,hostile" },
    Piece { text: "MONSTER:('h',\"dwarf\"),@,female", changed: "MONSTER:('h',\"dwarf\"),@" },
    Piece { text: "MONSTER:('h',\"dwarf\"),@,fleeing:7", changed: "MONSTER:('h',\"dwarf\"),@,fleeing:8" },
    Piece { text: "MONSTER:('h',\"dwarf\"),@,\"Bob\"", changed: "MONSTER:('h',\"dwarf\"),@,\"Tom\"" },
    Piece { text: "MONSTER:('h',\"dwarf\"),@", changed: "MONSTER:('h',\"dwarf\"),@ {\n}" },
    Piece { text: "MONSTER:('m',\"small mimic\"),@,m_object \"statue\"", changed: "MONSTER:('m',\"small mimic\"),@" },
    Piece { text: "OBJECT:('!',\"oil\"),@,blessed", changed: "OBJECT:('!',\"oil\"),@,cursed" },
    Piece { text: "OBJECT:('(',\"chest\"),@,locked", changed: "OBJECT:('(',\"chest\"),@,broken" },
    Piece { text: "OBJECT:('(',\"chest\"),@,trapped", changed: "OBJECT:('(',\"chest\"),@" },
    Piece { text: "OBJECT:('`',\"statue\"),@,montype:\"newt\"", changed: "OBJECT:('`',\"statue\"),@,montype:':'" },
    Piece { text: "OBJECT:(')',\"dagger\"),@,3", changed: "OBJECT:(')',\"dagger\"),@,4" },
    Piece { text: "OBJECT:(')',\"dagger\"),@,eroded:1", changed: "OBJECT:(')',\"dagger\"),@,eroded:2" },
    Piece { text: "OBJECT:(')',\"dagger\"),@,greased", changed: "OBJECT:(')',\"dagger\"),@" },
    Piece { text: "OBJECT:('*',\"diamond\"),@,quantity:3", changed: "OBJECT:('*',\"diamond\"),@,quantity:4" },
    Piece {
        text: "CONTAINER:('(',\"chest\"),@ {\nOBJECT:('%',\"apple\")\n}",
        changed: "CONTAINER:('(',\"chest\"),@ {\nOBJECT:('%',\"orange\")\n}",
    },
    Piece { text: "GOLD:7,@", changed: "GOLD:8,@" },
    Piece { text: "TRAP:\"arrow\",@", changed: "TRAP:\"rust\",@" },
    Piece { text: "ENGRAVING:@,burn,\"a\"", changed: "ENGRAVING:@,burn,\"b\"" },
    Piece { text: "GRAVE:@,\"a\"", changed: "GRAVE:@,\"b\"" },
    Piece { text: "FOUNTAIN:@", changed: "SINK:@" },
    Piece { text: "ALTAR:@,law,altar", changed: "ALTAR:@,chaos,altar" },
    Piece { text: "TERRAIN:@,'L'", changed: "TERRAIN:@,'I'" },
    Piece { text: "IF [30%] {\nGOLD:7,@\n}", changed: "IF [31%] {\nGOLD:7,@\n}" },
    Piece { text: "IF [level.depth < 9] {\nGOLD:7,@\n}", changed: "IF [level.depth < 8] {\nGOLD:7,@\n}" },
    Piece {
        text: "IF [1%] {\nIF [1%] {\nIF [1%] {\nIF [1%] {\nIF [1%] {\nIF [1%] {\nIF [1%] {\nGOLD:7,@\n}\n}\n}\n}\n}\n}\n}",
        changed: "$n = 1",
    },
    Piece { text: "SWITCH [3] {\nCASE 0:\nGOLD:7,@\nBREAK\n}", changed: "SWITCH [4] {\nCASE 0:\nGOLD:7,@\nBREAK\n}" },
];

/// Edits that keep a statement's effect: the statement and its replacement, of which `@` is the place.
const SAME: &[(&str, &str)] = &[
    ("GOLD:7,@", "GOLD:3,@\nGOLD:4,@"),
    (
        "OBJECT:('*',\"diamond\"),@,quantity:3",
        "OBJECT:('*',\"diamond\"),@,quantity:1\nOBJECT:('*',\"diamond\"),@,quantity:2",
    ),
    ("IF [30%] {\nGOLD:7,@\n}", "SWITCH [10] {\nCASE 0:\nCASE 4:\nCASE 7:\nGOLD:7,@\nBREAK\n}"),
    ("IF [level.depth < 9] {\nGOLD:7,@\n}", "IF [level.depth <= 8] {\nGOLD:7,@\n}"),
    ("MONSTER:('h',\"dwarf\"),@,fleeing:7", "MONSTER:('h',\"dwarf\"),@,fleeing:134"),
    ("OBJECT:(')',\"dagger\"),@,greased", "OBJECT:(')',\"dagger\"),@,greased,invisible"),
    ("OBJECT:('(',\"chest\"),@,locked", "OBJECT:('(',\"chest\"),@,locked,broken"),
];

/// Pieces of a level: positions in [`PIECES`], each on its own square, which is its position.
fn body(pieces: &[usize], replaced: Option<(usize, &str)>) -> String {
    let place = |at: usize| format!("({},{})", at % 9 + 1, at / 9 + 1);
    let texts = pieces.iter().enumerate().map(|(at, &piece)| {
        let text = match replaced {
            Some((changed, text)) if changed == at => text,
            _ => PIECES[piece].text,
        };
        text.replace('@', &place(at)) + "\n"
    });
    texts.collect()
}

fn level(dialect: &str, body: &str) -> Prepared {
    let flags = if dialect == "nethack36" { "" } else { "FLAGS: noflip\n" };
    prepared(dialect, &format!("LEVEL: \"x\"\n{flags}GEOMETRY: center,center\n{MAP}{body}"))
}

/// A wrapping that keeps the meaning of a whole body.
fn kept(body: &str, how: usize, pieces: &[usize]) -> String {
    match how {
        0 => format!("$idle = 3\n{body}"),
        1 => format!("LOOP [1] {{\n{body}}}\n"),
        2 => format!("IF [2 > 1] {{\n{body}}}\n"),
        3 => format!("SWITCH [2] {{\nCASE 0:\n$idle = 1\nBREAK\nDEFAULT:\nBREAK\n}}\n{body}"),
        // Each piece has a square of its own.
        4 => pieces
            .iter()
            .enumerate()
            .rev()
            .map(|(at, &piece)| {
                let place = format!("({},{})", at % 9 + 1, at / 9 + 1);
                PIECES[piece].text.replace('@', &place) + "\n"
            })
            .collect(),
        _ => format!("# a comment\n\n{body}"),
    }
}

#[test]
fn no_answer_is_wrong() {
    let options = Options { seeds: 60, ..Options::default() };
    let answer = |one: &Prepared, two: &Prepared| compare(one, two, &options, &Default::default());
    let mut runner = TestRunner::deterministic();
    let (mut proven, mut different, mut undecided) = (0, 0, 0);
    let picks =
        (proptest::collection::vec(0..PIECES.len(), 1..5), 0..6_usize, any::<prop::sample::Index>(), 0..3_usize);
    let pairs = splc_tests::cases(PAIRS);
    for dialect in ["unnethack", "nethack36"] {
        for _ in 0..pairs {
            let (pieces, how, at, kind) = picks.new_tree(&mut runner).unwrap().current();
            let one = body(&pieces, None);
            // NetHack 3.6 has no such variables.
            if dialect == "nethack36" && pieces.iter().any(|&piece| PIECES[piece].text.contains("level.")) {
                continue;
            }
            let at = at.index(pieces.len());
            let same = SAME.iter().find(|(text, _)| *text == PIECES[pieces[at]].text);
            let (two, is_same) = match (kind, same) {
                (0, _) => (body(&pieces, Some((at, PIECES[pieces[at]].changed))), false),
                (1, Some((_, other))) => (body(&pieces, Some((at, other))), true),
                _ => (kept(&one, how, &pieces), true),
            };
            let verdict = answer(&level(dialect, &one), &level(dialect, &two));
            match (&verdict, is_same) {
                (Verdict::Proven(..), true) => proven += 1,
                (Verdict::Different(_), false) => different += 1,
                (Verdict::NotDecided(_), _) => undecided += 1,
                _ => panic!("{dialect}: {}:\n{one}---\n{two}{verdict:?}", if is_same { "same" } else { "different" }),
            }
        }
    }
    assert!(undecided * 20 <= pairs && proven > pairs / 2 && different > pairs / 2, "{proven} {different} {undecided}");
}
