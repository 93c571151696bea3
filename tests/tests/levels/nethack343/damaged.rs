//! Damaged levels: the same files are accepted, with the same bytes, and the first error is on the same line.

use std::fs;

use serde_json::Value;
use splc_ir::diagnostic::Code;

use super::{compile, reference};

/// Files that the original accepts and splc rejects.
const REJECTED_ON_PURPOSE: &[(&str, &str)] = &[(
    "0029.des",
    "a number that no int holds: what becomes of it depends on the machine that compiles (32-bit ones take the \
     greatest int, 64-bit ones its lower half)",
)];

/// Files whose first error splc reports on another line than the original: file, our line, its line, reason.
const OTHER_LINE: &[(&str, usize, usize, &str)] = &[
    ("0096.des", 25, 2, "map too high: we show the first row too many, the original its last colon before the map"),
    ("0195.des", 16, 48, "subroom without a parent: we show the SUBROOM, the original the end of the level"),
    ("0294.des", 1, 2, "maze without a part: we show the MAZE, the original the one after it"),
    ("0322.des", 25, 3, "map too wide: we show the row, the original its last colon before the map"),
    ("0354.des", 3, 24, "MAP without GEOMETRY: we show the MAP, the original its ENDMAP"),
];

/// Returns the line of the first error that the original reports.
fn first_error_line(stderr: &[Value]) -> Option<usize> {
    stderr.iter().filter_map(Value::as_str).find_map(|line| {
        let (line, message) = line.strip_prefix("x.des: line ")?.split_once(" : ")?;
        if message.starts_with("WARNING") { None } else { line.parse().ok() }
    })
}

/// Warnings that the original has without `-w`.
const OF_THE_ORIGINAL: [Code; 5] =
    [Code::PlacedInWall, Code::UnknownMonsterName, Code::UnknownObjectName, Code::UnknownRoom, Code::UnknownFilling];

/// Returns the line and code of a warning of the original.
fn warning(line: &str) -> Option<(usize, Code)> {
    let (line, message) = line.strip_prefix("x.des: line ")?.split_once(" : WARNING : ")?;
    Some((line.parse().ok()?, super::verbose::code(message)))
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn damaged_levels_are_treated_as_by_the_original() {
    let reference = reference();
    let folder = reference.join("damaged");
    let expected: Value = serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let (mut accepted, mut rejected, mut same_line, mut on_purpose) = (0, 0, 0, 0);
    let mut problems = Vec::new();
    assert_eq!(expected.as_array().unwrap().len(), 400);
    for case in expected.as_array().unwrap() {
        let file = case["file"].as_str().unwrap();
        let compiled = compile(&fs::read(folder.join(file)).unwrap(), "lp64le");
        if case["exit"] == 0 {
            accepted += 1;
            if let Some((line, diagnostic)) = compiled.errors().next() {
                if REJECTED_ON_PURPOSE.iter().any(|(deliberate, _)| *deliberate == file) {
                    on_purpose += 1;
                    continue;
                }
                problems.push(format!("{file} rejected: line {line}: {}", diagnostic.message));
                continue;
            }
            let mut warnings: Vec<(usize, Code)> =
                compiled.diagnostics.iter().map(|(line, diagnostic)| (*line, diagnostic.code)).collect();
            warnings.retain(|(_, code)| OF_THE_ORIGINAL.contains(code));
            let mut their_warnings: Vec<(usize, Code)> =
                case["stderr"].as_array().unwrap().iter().filter_map(Value::as_str).filter_map(warning).collect();
            their_warnings.sort();
            warnings.sort();
            if warnings != their_warnings {
                problems.push(format!("{file}: warnings {warnings:?} for {their_warnings:?}"));
            }
            let theirs = case["levels"].as_object().unwrap();
            if theirs.len() != compiled.levels.len() {
                problems.push(format!("{file}: {} levels for {}", compiled.levels.len(), theirs.len()));
            }
            for (name, bytes) in &compiled.levels {
                let ours = splc_tests::sha256(bytes);
                if theirs.get(&format!("{name}.lev")).and_then(Value::as_str) != Some(&ours) {
                    problems.push(format!("{file}: {name}: other bytes"));
                }
            }
        } else {
            rejected += 1;
            let theirs = first_error_line(case["stderr"].as_array().unwrap()).unwrap();
            match compiled.errors().next() {
                None => problems.push(format!("{file} accepted, the original has an error in line {theirs}")),
                Some((line, _)) if *line == theirs => same_line += 1,
                Some((line, _))
                    if OTHER_LINE.iter().any(|&(at, ours, its, _)| (at, ours, its) == (file, *line, theirs)) =>
                {
                    on_purpose += 1;
                }
                Some((line, diagnostic)) => {
                    problems.push(format!("{file}: line {line} for {theirs}: {}", diagnostic.message));
                }
            }
        }
    }
    for (file, reason) in REJECTED_ON_PURPOSE {
        println!("{file}: rejected on purpose: {reason}");
    }
    for (file, ours, theirs, reason) in OTHER_LINE {
        println!("{file}: line {ours} instead of {theirs} on purpose: {reason}");
    }
    println!(
        "nethack-3.4.3: {accepted} damaged files accepted, {rejected} rejected, {same_line} with the first error on the same \
         line"
    );
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(on_purpose, REJECTED_ON_PURPOSE.len() + OTHER_LINE.len(), "a deliberate difference is gone");
    assert!(same_line * 100 >= rejected * 95);
}
