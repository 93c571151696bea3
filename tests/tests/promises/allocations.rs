//! A machine that has run a level needs no memory to run it again: nothing is allocated for a draw, a square or a
//! thing.

use std::fs;
use std::path::PathBuf;

use splc_frontends::level_file;
use splc_ir::abi::Abi;
use splc_ir::catalog::Catalog;
use splc_ir::source::FileId;
use splc_tests::{GAMES, corpus, reference};
use splc_vm::{Machine, Prepared, Settings, SplitMix};

/// Levels with non-ASCII texts, which are decoded at each use.
const DECODED: [&str; 1] = ["cafe"];

/// Runs each level of the level files `paths` of `game` twice with some seeds. The second run must not allocate.
/// Returns the number of levels.
fn made_again(game: &str, paths: &[PathBuf]) -> usize {
    let settings = Settings::default();
    let (mut levels, mut wasteful) = (0, Vec::new());
    let catalog = Catalog::by_name(game).unwrap();
    let abi = Abi::by_name("lp64le").unwrap();
    for path in paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let level = level_file::read(&fs::read(path).unwrap(), &name, FileId(0), catalog, abi).unwrap();
        let level = Prepared::load(level.level, catalog).unwrap();
        let mut machine = Machine::new();
        for seed in 1..=3 {
            let mut run = || machine.run(&level, &settings, &mut SplitMix::new(seed), &mut ()).map(|_| ());
            // A failing run allocates its message.
            if run().is_err() || DECODED.contains(&name.as_str()) {
                continue;
            }
            let memory = allocation_counter::measure(|| drop(run()));
            levels += 1;
            if memory.count_total > 0 {
                wasteful.push(format!("{game} {name}, seed {seed}: {} allocations", memory.count_total));
            }
        }
    }
    assert!(wasteful.is_empty(), "{}", wasteful.join("\n"));
    levels
}

#[test]
fn rerunning_a_level_of_the_corpus_allocates_nothing() {
    for (dialect, game) in GAMES {
        let folder = corpus(dialect).join("golden/lp64le");
        let levels = made_again(game, &reference::files(&folder, ".lev"));
        println!("corpus of {dialect}: {levels} levels made again without memory");
        assert!(levels > 60, "{levels} levels of {dialect}");
    }
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn rerunning_a_level_of_a_game_allocates_nothing() {
    for (_, game) in GAMES {
        let levels = made_again(game, &reference::files(&reference::game(game).join("lev/lp64le"), ".lev"));
        println!("{game}: {levels} levels made again without memory");
        assert!(levels > 300, "{levels} levels of {game}");
    }
}
