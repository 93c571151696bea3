//! Inputs that once failed, and a few random ones, keep the promises.

use splc_fuzz::{Case, TARGETS, random, saved};
use splc_tests::either;

/// The numbers of random executions of each target, in the short and in the long form.
const EXECUTIONS: [u32; 2] = [20, 60];

fn executions() -> u64 {
    let [short, all] = EXECUTIONS;
    either(short, all).into()
}

#[test]
fn saved_inputs_keep_the_promises() {
    let mut broken = Vec::new();
    for &target in TARGETS {
        for entry in std::fs::read_dir(saved().join(target.name)).into_iter().flatten() {
            let path = entry.unwrap().path();
            let case = Case::read(&std::fs::read(&path).unwrap()).unwrap_or_else(|| panic!("{}", path.display()));
            if let Err(message) = random::run(target, &case) {
                broken.push(format!("{}: {}: {message}", path.display(), target.promise));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn random_inputs_keep_the_promises() {
    let mut broken = Vec::new();
    for &target in TARGETS {
        let mut tested = 0;
        for seed in 1..=executions() {
            let result =
                random::case(target, seed).and_then(|case| case.map_or(Ok(false), |case| random::run(target, &case)));
            tested += usize::from(result == Ok(true));
            if let Err(message) = result {
                broken.push(format!("{} with seed {seed}: {}: {message}", target.name, target.promise));
            }
        }
        // Otherwise the target cannot fail.
        assert!(tested > 0, "{} tests no case", target.name);
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_case_is_read_as_it_was_written() {
    for &target in TARGETS {
        for seed in 1..=executions() {
            if let Ok(Some(case)) = random::case(target, seed) {
                assert_eq!(Case::read(&case.write()), Some(case), "{} with seed {seed}", target.name);
            }
        }
    }
}
