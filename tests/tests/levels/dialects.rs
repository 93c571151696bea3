//! Differences between the script dialects: small sources that one game's compiler accepts and another rejects. The
//! expectations are the behaviour of the games' own compilers.

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Code;
use splc_tests::{Compiled, compile};

const UNNETHACK: &str = "unnethack-6.0.4";
const SPORKHACK: &str = "sporkhack-0.7.0";
const NETHACK_36: &str = "nethack-3.6.7";

/// Statements of a level, and the compilers that accept them: UnNetHack, SporkHack, NetHack 3.6.
const STATEMENTS: &[(&str, [bool; 3])] = &[
    ("$a = 5 $b = $a MESSAGE: \"x\"", [true, true, true]),
    ("$a = 5 $b = $a + 1", [true, false, true]),
    ("$a = 5 $b = $a - 1", [true, false, false]),
    ("$a = 5 $b = $a + (-1)", [true, false, true]),
    ("$a = 5 $a = $a", [true, false, true]),
    ("$a1 = 5", [true, true, false]),
    ("$a = 5 GOLD: $a, (1,1)", [true, false, true]),
    ("$a = 5 FOUNTAIN: (1,$a)", [false, true, false]),
    ("$a = 5 FOUNTAIN: coord($a,2d3)", [true, true, false]),
    ("$a = { 1, 2 } $b = $a SHUFFLE: $b", [false, true, false]),
    ("$a = \"x\" . \"y\"", [true, false, true]),
    ("$a = random", [true, true, true]),
    ("$a = random[wet]", [true, false, true]),
    ("$a = terrain: '.'", [true, false, true]),
    ("$a = TERRAIN: '.'", [true, true, true]),
    ("$a = TERRAIN: '.' $b = TERRAIN: $a", [true, false, true]),
    ("FUNCTION f() { } f()", [true, true, false]),
    ("FUNCTION f($x: int) { MESSAGE: \"x\" } f(1)", [true, false, false]),
    ("FUNCTION f() { $x = 1 } LOOP [$x] { }", [false, true, false]),
    ("MONSTER[50%]: 'v', random", [false, true, false]),
    ("OBJECT[2 < 3]: '*', random", [false, true, false]),
    ("[50%]: MONSTER: 'v', random", [true, false, true]),
    ("IF [50%] { }", [true, true, true]),
    ("IF [150%] { }", [false, true, false]),
    ("IF [1] { }", [true, false, true]),
    ("ROOM: \"zoo\" [150%], lit, random, random, random { }", [false, false, false]),
    ("FOR $i = 1 TO 3 { }", [true, true, true]),
    ("FOR $i = 1 .. 2d3 { }", [true, false, true]),
    ("FOR $i = 3 TO 1 { BREAK }", [true, false, true]),
    ("SWITCH [2] { CASE 0: BREAK DEFAULT: EXIT BREAK }", [true, true, true]),
    ("SWITCH [2] { CASE 0: IF [50%] { BREAK } }", [true, false, true]),
    ("TERRAIN: line (1,1)-(2,2), '.'", [true, true, false]),
    ("TERRAIN: line (1,1),(2,2), '.'", [false, false, true]),
    ("TERRAIN: randline (1,1) - (2,2), 5, '.'", [true, true, false]),
    ("TERRAIN: filter('.', (1,1)), '.'", [true, false, true]),
    ("TERRAIN: gradient(radial, (1 - 5), (3,3)), '.'", [true, false, false]),
    ("WALLIFY: (1,1,3,3)", [false, true, false]),
    ("WALLIFY: rect (1,1,3,3)", [true, false, true]),
    ("SPILL: (1,1), ('.',lit), north, 3", [true, true, false]),
    ("SPILL: (1,1), 'x', north, 3", [true, false, false]),
    ("SPILL: (1,1), '.', north, 0", [true, false, false]),
    ("TOPOLOGIZE: (1,1)", [false, true, false]),
    ("REGION: (1,1,2,2), lit, \"ordinary\" { EXIT }", [true, false, true]),
    ("REGION: (1,1,2,2), lit, \"ordinary\", unfilled { EXIT }", [true, true, true]),
    ("REGION: (1,1,2,2), lit, \"zoo\" { EXIT }", [true, true, true]),
    ("REGION: (1,1,2,2), lit, \"zoo\", irregular, irregular", [true, false, true]),
    ("REGION: (1,1,2,2), lit, \"zoo\", filled, filled", [true, true, true]),
    ("REGION: (1,1,2,2), lit, \"zoo\", joined", [true, false, true]),
    ("MINERALIZE", [true, false, true]),
    ("OBJECT: '(', random, not_trapped", [true, false, true]),
    ("OBJECT: '(', random, name: \"x\"", [true, false, true]),
    ("OBJECT: '(', random, NAME: \"x\"", [true, true, true]),
];

fn compiled(source: &str, target: &str) -> Compiled {
    compile(source.as_bytes().to_vec(), None, Catalog::by_name(target).unwrap())
}

#[test]
fn each_compiler_accepts_its_own_dialect() {
    let mut wrong = Vec::new();
    for (statements, takes) in STATEMENTS {
        for (target, takes) in [UNNETHACK, SPORKHACK, NETHACK_36].into_iter().zip(takes) {
            let compiled = compiled(&format!("LEVEL: \"x\"\n{statements}\n"), target);
            if compiled.diagnostics.has_errors() == *takes {
                wrong.push(format!("{target}: {statements}: {:?}", compiled.messages()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns the code and the place of the first error.
fn first_error(source: &str, target: &str) -> (Code, String) {
    let compiled = compiled(source, target);
    let error = compiled.diagnostics.iter().find(|known| known.code.as_str().starts_with('E')).expect("an error");
    let span = error.span.expect("a place");
    let (line, column) = compiled.sources.line_column(span.file, span.start);
    (error.code, format!("{line}:{column}"))
}

#[test]
fn features_of_another_dialect_are_named() {
    let at = |source: &str, target| first_error(&format!("LEVEL: \"x\"\n{source}\n"), target);
    assert_eq!(at("FUNCTION f() { }", NETHACK_36), (Code::WrongDialect, "2:10".into()));
    assert_eq!(at("$a = 5\n$b = $a - 1", NETHACK_36), (Code::WrongDialect, "3:9".into()));
    assert_eq!(at("MONSTER: 'v', \"dust vortex\", (0,4)", NETHACK_36), (Code::WrongDialect, "2:15".into()));
    assert_eq!(at("$a = 5\nGOLD: $a, (1,1)", SPORKHACK), (Code::WrongDialect, "3:7".into()));
}

#[test]
fn an_unterminated_string_is_reported_at_its_start() {
    let source = "LEVEL: \"x\"\nTRAP: \"pit, (1,1)\nTRAP: \"hole\", (2,2)\n";
    for target in [UNNETHACK, SPORKHACK, NETHACK_36] {
        assert_eq!(first_error(source, target), (Code::UnterminatedString, "2:7".into()), "{target}");
    }
}

#[test]
fn level_names_are_numbered_in_unnethack_only() {
    let names = |target| -> Vec<String> {
        let compiled = compiled("LEVEL: \"v%i\"\nLEVEL: \"v%02i\"\n", target);
        compiled.programs.iter().map(|program| program.name.to_string()).collect()
    };
    assert_eq!(names(UNNETHACK), ["v1", "v02"]);
    assert_eq!(names(NETHACK_36), ["v%i", "v%02i"]);
}

#[test]
fn sporkhack_never_forgets_a_vault() {
    let source = "LEVEL: \"a\"\nFLAGS: rndvault\nVAULTGEN: 7\nLEVEL: \"b\"\nLEVEL: \"c\"\nFLAGS: rndvault\n\
                  LEVEL: \"d\"\nVAULTGEN: 3\n";
    let weights = |compiled: &Compiled| -> Vec<Option<i32>> {
        compiled.programs.iter().map(|program| program.vault_frequency).collect()
    };
    assert_eq!(weights(&compiled(source, SPORKHACK)), [Some(7), Some(7), Some(1), Some(3)]);
    assert_eq!(first_error(source, UNNETHACK), (Code::VaultGeneration, "8:1".into()));
}
