//! Inputs that once failed, and a few random ones, keep the promises.
#![allow(clippy::unwrap_used)]

use splc_fuzz::{TARGETS, random, saved};

/// The number of random executions of each target.
const EXECUTIONS: u64 = 60;

#[test]
fn saved_inputs_keep_the_promises() {
    let mut broken = Vec::new();
    for &target in TARGETS {
        for entry in std::fs::read_dir(saved().join(target.name)).into_iter().flatten() {
            let path = entry.unwrap().path();
            if let Err(message) = random::run(target, &std::fs::read(&path).unwrap()) {
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
        for seed in 1..=EXECUTIONS {
            if let Err(message) = random::run(target, &random::bytes(seed)) {
                broken.push(format!("{} with seed {seed}: {}: {message}", target.name, target.promise));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
