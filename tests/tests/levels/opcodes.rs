//! The script dialects, compared with the output of the games' own compilers for the same files.

use splc_ir::abi::{self, Abi};
use splc_ir::catalog::{Catalog, Feature};
use splc_tests::reference::{files, game};
use splc_tests::{Damaged, compile, sha256};

/// Number of damaged files of each game.
const DAMAGED: usize = 400;

fn abis(catalog: &Catalog) -> Vec<&'static Abi> {
    abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some()).collect()
}

/// Compiles every shipped file for every ABI and compares each level file. The files in `rejected` must be rejected.
fn shipped(target: &str, levels_expected: usize, rejected: &[&str]) {
    let folder = game(target);
    let catalog = Catalog::by_name(target).unwrap();
    let (mut same, mut different) = (0, Vec::new());
    for path in files(&folder.join("des"), ".des") {
        let compiled = compile(std::fs::read(&path).unwrap(), Some(&path), catalog);
        let refused = rejected.iter().any(|name| path.ends_with(name));
        if compiled.diagnostics.has_errors() || refused {
            if !compiled.diagnostics.has_errors() || !refused {
                different.push(format!("{}: {:?}", path.display(), compiled.messages()));
            }
            continue;
        }
        for abi in abis(catalog) {
            for (name, bytes) in compiled.levels(catalog, abi) {
                let golden = std::fs::read(folder.join("lev").join(abi.name).join(format!("{name}.lev"))).unwrap();
                if bytes == golden { same += 1 } else { different.push(format!("{}/{name}.lev", abi.name)) }
            }
        }
    }
    println!("{target}: {same} level files identical, {} not", different.len());
    assert!(different.is_empty(), "{different:#?}");
    assert_eq!(same, levels_expected * abis(catalog).len());
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn unnethack_levels_are_identical() {
    shipped("unnethack-6.0.4", 303, &[]);
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn sporkhack_levels_are_identical() {
    // The game ships functions for old-style files that its own compiler rejects.
    shipped("sporkhack-0.7.0", 162, &["functions.des"]);
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack_3_6_levels_are_identical() {
    shipped("nethack-3.6.7", 120, &[]);
}

/// A difference between splc and the original compiler.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Difference {
    /// The original accepts the file.
    Rejected,
    /// The first error is on another line.
    OtherLine,
}
use Difference::{OtherLine, Rejected};

/// A deliberate difference: the file, its type, and the reason.
type Deliberate = (&'static str, Difference, &'static str);

/// Compiles every damaged file. It must be accepted if the original accepts it, with the same bytes, or rejected with
/// the first error on the same line, except for `deliberate` differences.
fn damaged(target: &str, deliberate: &[Deliberate]) {
    let folder = game(target).join("damaged");
    let catalog = Catalog::by_name(target).unwrap();
    let expected: Vec<Damaged> = serde_json::from_slice(&std::fs::read(folder.join("expected.json")).unwrap()).unwrap();
    assert_eq!(expected.len(), DAMAGED);
    let (mut accepted, mut same_line, mut by_colons, mut rejected, mut wrong) = (0, 0, 0, 0, Vec::new());
    let unknown = deliberate.iter().filter(|(file, ..)| expected.iter().all(|case| case.file != *file));
    wrong.extend(unknown.map(|(file, ..)| format!("{file}: listed as different, but is not there")));
    for case in &expected {
        let compiled = compile(std::fs::read(folder.join(&case.file)).unwrap(), None, catalog);
        let listed = deliberate.iter().find(|(file, ..)| *file == case.file).map(|&(_, difference, _)| difference);
        if case.exit == 0 && compiled.diagnostics.has_errors() && listed == Some(Rejected) {
            continue;
        }
        let is_listed = listed.is_some();
        if (case.exit == 0) == compiled.diagnostics.has_errors() {
            wrong.push(format!(
                "{}: exit {} there: {:?}; here {:?}",
                case.file,
                case.exit,
                case.stderr,
                compiled.messages()
            ));
            continue;
        }
        if case.exit == 0 {
            accepted += 1;
            let lp64le = &abi::ALL[0];
            if is_listed {
                wrong.push(format!("{}: listed as different, but accepted as there", case.file));
            }
            let hashes: Vec<(String, String)> = compiled
                .levels(catalog, lp64le)
                .into_iter()
                .map(|(name, bytes)| (format!("{name}.lev"), sha256(&bytes)))
                .collect();
            if hashes != case.levels.clone().into_iter().collect::<Vec<_>>() {
                wrong.push(format!("{}: other bytes", case.file));
            }
            continue;
        }
        rejected += 1;
        let (there, here) = (case.first_error_line(), compiled.first_error_line());
        let by_colon = catalog.has(Feature::ErrorsByColon) && there == compiled.first_error_colon_line();
        match (there == here || by_colon, is_listed) {
            (true, false) => {
                same_line += usize::from(there == here);
                by_colons += usize::from(there != here);
            }
            (false, true) => {}
            (true, true) => wrong.push(format!("{}: listed as different, but the line is the same", case.file)),
            (false, false) => {
                wrong.push(format!(
                    "{}: {there:?} there, {:?}; here {:?}",
                    case.file,
                    case.stderr,
                    compiled.messages()
                ));
            }
        }
    }
    println!(
        "{target}: {accepted} damaged files accepted with identical bytes, {rejected} rejected: {same_line} of them on \
         the same line, {by_colons} in the same place, named by the line of the last colon, {} deliberate differences:",
        deliberate.len()
    );
    for (file, _, why) in deliberate {
        println!("    {file}: {why}");
    }
    assert!(wrong.is_empty(), "{} differ: {wrong:#?}", wrong.len());
    assert!((same_line + by_colons) * 100 >= rejected * 95);
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn unnethack_damaged_files_have_the_same_verdict() {
    damaged(
        "unnethack-6.0.4",
        &[
            ("0052.des", Rejected, "a MAP without ENDMAP; the original reads on as if the word were not there"),
            ("0113.des", Rejected, "a number beyond an int, whose value depends on the machine"),
            ("0187.des", OtherLine, "a MAP without GEOMETRY is shown where it begins, not where it ends"),
            ("0245.des", OtherLine, "a map that is too large is shown where it begins, not where it ends"),
            ("0341.des", OtherLine, "a map that is too large is shown where it begins, not where it ends"),
            ("0363.des", OtherLine, "the object that lacks a place is shown itself, not the statement behind it"),
        ],
    );
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn sporkhack_damaged_files_have_the_same_verdict() {
    damaged(
        "sporkhack-0.7.0",
        &[
            ("0171.des", Rejected, "a MAP without ENDMAP; the original reads on as if the word were not there"),
            ("0321.des", OtherLine, "an index is read to its end, and its bracket is missed on the next line"),
            ("0379.des", OtherLine, "a MAP without GEOMETRY is shown where it begins, not where it ends"),
        ],
    );
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack_3_6_damaged_files_have_the_same_verdict() {
    damaged(
        "nethack-3.6.7",
        &[
            ("0105.des", OtherLine, "a MAP without GEOMETRY is shown where it begins, not where it ends"),
            ("0106.des", OtherLine, "a map that is too large is shown where it begins, not where it ends"),
            ("0159.des", OtherLine, "a container without its closing brace is shown, not what follows from that"),
            ("0233.des", OtherLine, "a MAP without GEOMETRY is shown where it begins, not where it ends"),
            ("0251.des", OtherLine, "a MAP without GEOMETRY is shown where it begins, not where it ends"),
            ("0324.des", OtherLine, "a map that is too large is shown where it begins; the original stops in its rows"),
        ],
    );
}
