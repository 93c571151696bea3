//! Lowering conforms to the table, and a wrong entry would be found.

use std::cell::Cell;
use std::collections::BTreeSet;

use splc_ir::catalog::{Catalog, Catalogs, NothingBeside};
use splc_ir::diagnostic::Diagnostics;
use splc_ir::program::{Opcode, Parameter, Parts, Program, Role, Signature, Takes, verify, verify_by};
use splc_ir::source::SourceMap;
use splc_ir::words::Group;
use splc_tests::{SCRIPTS, compile};

use super::programs;

/// Opcodes that no des-file needs.
const UNUSED: [Opcode; 4] = [Opcode::Null, Opcode::Inc, Opcode::FramePush, Opcode::FramePop];

/// Wrong entries that no compiled program reveals.
const UNTOLD: [&str; 22] = [
    // It is then unknown if the copy is an array, so its first use makes the stack unknown.
    "var_init: Below(0): without source",
    // A number produced by an opcode has no name that would reveal its role.
    "pop: value in another role",
    // No des-file needs it.
    "inc: number in another role",
    "inc: without number",
    "inc: number twice",
    "inc: gives nothing",
    // Functions have no parameters in these games, and no function of any game returns a value.
    "call: ParametersAreReversed: argument in another role",
    "call: ParametersAreReversed: without argument",
    "call: ParametersAreReversed: argument twice",
    "call: gives nothing",
    "return: result in another role",
    "return: without result",
    "return: result twice",
    // Compilers only convert numbers to places.
    "convert_type: Type(Coordinate): from in another role",
    "convert_type: Type(Coordinate): without from",
    "convert_type: Type(Coordinate): from twice",
    "convert_type: Type(Coordinate): to in another role",
    "convert_type: Type(Coordinate): without to",
    "convert_type: Type(Coordinate): to twice",
    "convert_type: Type(Coordinate): place in another role",
    "convert_type: Type(Coordinate): without place",
    "convert_type: Type(Coordinate): place twice",
];

thread_local! {
    /// The changed entry and its new signature.
    static CHANGED: Cell<Option<(Opcode, &'static Signature)>> = const { Cell::new(None) };
}

fn changed_table(opcode: Opcode) -> &'static Signature {
    match CHANGED.get() {
        Some((changed, signature)) if changed == opcode => signature,
        _ => opcode.signature(),
    }
}

/// Returns another role, with another type if the role has a type.
fn other(role: Role) -> Role {
    match role {
        Role::Word(Group::Altar) => Role::Word(Group::Light),
        Role::Word(_) => Role::Word(Group::Altar),
        Role::Words(_) => Role::Words(Group::Trapped),
        Role::Place | Role::MapAlignment => Role::Region,
        _ if role.value_type().is_some() => Role::Place,
        // A value of any type cannot be a jump.
        _ => Role::Jump,
    }
}

/// Returns every list that differs from `takes` in one place, with a description of the difference.
fn changes(takes: &[Takes]) -> Vec<(String, Vec<Takes>)> {
    let mut all = Vec::new();
    for (at, take) in takes.iter().enumerate() {
        let mut with = |what: String, changed: &[Takes]| {
            all.push((what, [&takes[..at], changed, &takes[at + 1..]].concat()));
        };
        match *take {
            Takes::One(Parameter { name, role }) => {
                with(format!("{name} in another role"), &[Takes::One(Parameter { name, role: other(role) })]);
                with(format!("without {name}"), &[]);
                with(format!("{name} twice"), &[*take, *take]);
            }
            Takes::Repeat(inner) => {
                for (what, changed) in changes(inner) {
                    with(what, &[Takes::Repeat(changed.leak())]);
                }
            }
            Takes::Choice { below, cases } => {
                for (which, (case, inner)) in cases.iter().enumerate() {
                    for (what, changed) in changes(inner) {
                        let mut cases = cases.to_vec();
                        cases[which] = (*case, changed.leak());
                        with(format!("{case:?}: {what}"), &[Takes::Choice { below, cases: cases.leak() }]);
                    }
                }
            }
            Takes::ByGame(rule, one, two) => {
                for (what, changed) in changes(one) {
                    with(format!("{rule:?}: {what}"), &[Takes::ByGame(rule, changed.leak(), two)]);
                }
                for (what, changed) in changes(two) {
                    with(format!("not {rule:?}: {what}"), &[Takes::ByGame(rule, one, changed.leak())]);
                }
            }
            Takes::Parts(Parts { role, details }) => {
                for (which, (part, inner)) in details.iter().enumerate() {
                    for (what, changed) in changes(inner) {
                        let mut details = details.to_vec();
                        details[which] = (part, changed.leak());
                        with(format!("{part}: {what}"), &[Takes::Parts(Parts { role, details: details.leak() })]);
                    }
                }
            }
            Takes::Arguments => {}
        }
    }
    all
}

/// A game with features that no built-in game has: statements of one place, and doors with materials.
const VARIANT: &str = r#"
extends = "nethack-3.6.7"
name = "variant-1"
title = "Variant 1"
add_features = ["doors_have_materials"]
place_statements = ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8"]
add_opcodes = [
    { name = "place_1" }, { name = "place_2" }, { name = "place_3" }, { name = "place_4" }, { name = "place_5" },
    { name = "place_6" }, { name = "place_7" }, { name = "place_8" },
]

[words.door_detail]
iron = 12
"#;

const VARIANT_LEVEL: &str = r#"LEVEL: "x"
ROOM: "ordinary", lit, (3,3), (center,center), (9,5) {
  P1: (1,1)
  P2: (1,1)
  P3: (1,1)
  P4: (1,1)
  P5: (1,1)
  P6: (1,1)
  P7: (1,1)
  P8: (1,1)
  ROOMDOOR: iron, false, closed, north, 1
  DOOR: iron, locked, (1,1)
  DOOR: open, (2,1)
}
"#;

/// Returns the programs of the made-up variant.
fn variant_programs() -> Vec<(&'static Catalog, Program)> {
    let mut sources = SourceMap::new();
    let file = sources.add("variant.toml", None, VARIANT.as_bytes().to_vec());
    let mut diagnostics = Diagnostics::new();
    let loaded = Catalogs::default().load(&mut sources, file, &mut NothingBeside, &mut diagnostics);
    let catalog: &'static Catalog = Box::leak(Box::new((*loaded.expect("the catalog is right")).clone()));
    let compiled = compile(VARIANT_LEVEL.as_bytes().to_vec(), None, catalog);
    assert_eq!(compiled.programs.len(), 1);
    compiled.programs.into_iter().map(|program| (catalog, program)).collect()
}

/// Returns the programs of every game.
fn all_programs() -> Vec<(&'static Catalog, Program)> {
    let games = SCRIPTS.iter().map(|&(dialect, game)| (dialect, Catalog::by_name(game).unwrap()));
    let built_in =
        games.flat_map(|(dialect, catalog)| programs(dialect, catalog).into_iter().map(move |one| (catalog, one)));
    built_in.chain(variant_programs()).collect()
}

#[test]
fn every_program_conforms_to_the_table() {
    let programs = all_programs();
    let mut used = BTreeSet::new();
    for (catalog, program) in &programs {
        if let Err(mismatch) = verify(program, catalog) {
            panic!("{}, {}: {mismatch}", catalog.name, program.name);
        }
        used.extend(program.ops.iter().map(|op| op.code));
    }
    let unused: Vec<Opcode> = Opcode::ALL.iter().copied().filter(|code| !used.contains(code)).collect();
    println!("{} programs keep to the table; opcodes that none of them has: {unused:?}", programs.len());
    assert_eq!(unused, UNUSED);
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn a_wrong_entry_is_found() {
    let programs = all_programs();
    let (mut found, mut missed) = (0, Vec::new());
    for &opcode in Opcode::ALL {
        let concerned: Vec<_> =
            programs.iter().filter(|(_, program)| program.ops.iter().any(|op| op.code == opcode)).collect();
        let signature = opcode.signature();
        for (what, takes) in changes(signature.takes) {
            let changed: &'static Signature =
                Box::leak(Box::new(Signature { takes: takes.leak(), gives: signature.gives }));
            CHANGED.set(Some((opcode, changed)));
            let is_found =
                concerned.iter().any(|(catalog, program)| verify_by(program, catalog, changed_table).is_err());
            CHANGED.set(None);
            if is_found { found += 1 } else { missed.push(format!("{opcode}: {what}")) }
        }
        for at in 0..signature.gives.len() {
            let mut gives = signature.gives.to_vec();
            gives.remove(at);
            let changed: &'static Signature =
                Box::leak(Box::new(Signature { takes: signature.takes, gives: gives.leak() }));
            CHANGED.set(Some((opcode, changed)));
            let is_found =
                concerned.iter().any(|(catalog, program)| verify_by(program, catalog, changed_table).is_err());
            CHANGED.set(None);
            if is_found { found += 1 } else { missed.push(format!("{opcode}: gives nothing")) }
        }
    }
    println!("{found} wrong entries are found, {} are not", missed.len());
    let unexpected: Vec<_> = missed.iter().filter(|what| !UNTOLD.contains(&what.as_str())).collect();
    assert!(unexpected.is_empty(), "{unexpected:#?}");
    assert_eq!(missed.len(), UNTOLD.len());
}
