//! A machine that has made a level takes no memory to make it again: nothing is allocated for a draw, a square or a
//! thing.
#![allow(clippy::unwrap_used)]

use std::fs;

use splc_frontends::level_file;
use splc_ir::abi::Abi;
use splc_ir::catalog::Catalog;
use splc_ir::source::FileId;
use splc_tests::{reference, workspace};
use splc_vm::{Machine, Prepared, Settings, SplitMix};

/// Levels with texts beyond ASCII, which are decoded whenever they are used.
const DECODED: [&str; 1] = ["cafe"];

#[test]
fn a_level_made_again_takes_no_memory() {
    let settings = Settings::default();
    let (mut levels, mut wasteful) = (0, Vec::new());
    for (dialect, game) in [
        ("unnethack", "unnethack-6.0.4"),
        ("nethack36", "nethack-3.6.7"),
        ("sporkhack", "sporkhack-0.7.0"),
        ("nethack343", "nethack-3.4.3"),
    ] {
        let catalog = Catalog::by_name(game).unwrap();
        let own = reference::files(&workspace().join("corpus").join(dialect).join("golden/lp64le"), ".lev");
        let real = reference::game(game).map(|folder| reference::files(&folder.join("lev/lp64le"), ".lev"));
        for path in own.into_iter().chain(real.into_iter().flatten()) {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let abi = Abi::by_name("lp64le").unwrap();
            let level = level_file::read(&fs::read(&path).unwrap(), &name, FileId(0), catalog, abi).unwrap();
            let level = Prepared::load(level.level, catalog).unwrap();
            let mut machine = Machine::new();
            for seed in 1..=3 {
                let mut run = || machine.run(&level, &settings, &mut SplitMix::new(seed), &mut ()).map(|_| ());
                let first = run();
                let memory = allocation_counter::measure(|| drop(run()));
                levels += 1;
                // A run that fails has a message to write.
                if memory.count_total > 0 && first.is_ok() && !DECODED.contains(&name.as_str()) {
                    wasteful.push(format!("{game} {name}, seed {seed}: {} allocations", memory.count_total));
                }
            }
        }
    }
    assert!(levels > 100, "the levels are gone");
    assert!(wasteful.is_empty(), "{}", wasteful.join("\n"));
}
