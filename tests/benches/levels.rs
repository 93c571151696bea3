//! Benchmark of level runs: the median time of each level of a folder, and the median over all of them.
//!
//! The levels are those of UnNetHack in the reference data if it is available (see `splc_tests::reference`), or else
//! the UnNetHack corpus.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use splc_frontends::opcode_stream;
use splc_ir::abi::Abi;
use splc_ir::catalog::Catalog;
use splc_ir::source::FileId;
use splc_tests::{compile, corpus, reference};
use splc_vm::{Machine, Prepared, Settings, SplitMix};

const GAME: &str = "unnethack-6.0.4";

/// Names and programs of the levels.
fn levels() -> &'static [(String, Prepared)] {
    static LEVELS: OnceLock<Vec<(String, Prepared)>> = OnceLock::new();
    LEVELS.get_or_init(|| {
        let catalog = Catalog::by_name(GAME).unwrap();
        match reference::find(GAME) {
            Some(folder) => {
                let abi = Abi::by_name("lp64le").unwrap();
                let files = reference::files(&folder.join("lev/lp64le"), ".lev");
                let read = |path: &std::path::PathBuf| {
                    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                    let file = opcode_stream::read(&fs::read(path).unwrap(), &name, FileId(0), catalog, abi).unwrap();
                    (name, Prepared::new(&file.program, catalog).unwrap())
                };
                files.iter().map(read).collect()
            }
            None => reference::files(&corpus("unnethack"), ".des")
                .iter()
                .flat_map(|path| compile(fs::read(path).unwrap(), Some(path), catalog).programs)
                .map(|program| (program.name.to_string(), Prepared::new(&program, catalog).unwrap()))
                .collect(),
        }
    })
}

fn names() -> impl Iterator<Item = &'static str> {
    levels().iter().map(|(name, _)| name.as_str())
}

#[divan::bench(args = names())]
fn level(bencher: divan::Bencher<'_, '_>, name: &str) {
    let (_, program) = levels().iter().find(|(known, _)| known == name).unwrap();
    let settings = Settings::default();
    let mut machine = Machine::new();
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        let _ = machine.run(program, &settings, &mut SplitMix::new(seed), &mut ());
    });
}

/// The median over all levels of the median of each.
fn summary() {
    const RUNS: u64 = 51;
    let settings = Settings::default();
    let mut machine = Machine::new();
    let mut medians: Vec<Duration> = Vec::new();
    for (_, program) in levels() {
        let mut times: Vec<Duration> = (1..=RUNS)
            .map(|seed| {
                let start = Instant::now();
                let _ = machine.run(program, &settings, &mut SplitMix::new(seed), &mut ());
                start.elapsed()
            })
            .collect();
        times.sort();
        medians.push(times[times.len() / 2]);
    }
    medians.sort();
    let at = |share: usize| medians[(medians.len() - 1) * share / 100];
    println!(
        "{} levels of {GAME}: median {:?}, a tenth below {:?}, a tenth above {:?}, slowest {:?}",
        medians.len(),
        at(50),
        at(10),
        at(90),
        at(100)
    );
}

fn main() {
    // `cargo test --benches` only checks that it runs.
    if std::env::args().any(|argument| argument == "--bench") {
        summary();
    }
    divan::main();
}
