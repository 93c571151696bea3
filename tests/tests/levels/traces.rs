//! The VM compared with the games' own loaders: every reference trace, in full.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use splc_frontends::level_file;
use splc_ir::abi::Abi;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::loadable::{Loadable, LuaLevel, lower_each};
use splc_ir::source::{FileId, SourceMap};
use splc_tests::{Beside, corpus, reference};
use splc_vm::{DrawLines, Machine, Prepared, Settings, SplitMix, Trace};

/// Returns the levels of a game, by name, from the level files of its own compiler.
fn levels(folder: &Path, catalog: &'static Catalog) -> BTreeMap<String, Prepared> {
    let abi = Abi::by_name("lp64le").unwrap();
    let mut levels = BTreeMap::new();
    for path in reference::files(&folder.join("lev/lp64le"), ".lev") {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let file = level_file::read(&fs::read(&path).unwrap(), &name, FileId(0), catalog, abi).unwrap();
        levels.insert(name, Prepared::load(file.level, catalog).unwrap());
    }
    levels
}

/// Returns the levels of a game, by name, as compiled by splc from the des-files.
fn compiled_levels(folder: &Path, catalog: &'static Catalog) -> BTreeMap<String, Prepared> {
    let abi = Abi::by_name("lp64le").unwrap();
    let mut levels = BTreeMap::new();
    for path in reference::files(&folder.join("des"), ".des") {
        let mut sources = SourceMap::new();
        let file = sources.add("x.des", Some(path.clone()), fs::read(&path).unwrap());
        let mut diagnostics = Diagnostics::new();
        let mut module = splc_frontends::parse(&mut sources, file, catalog, &mut Beside, &mut diagnostics);
        splc_ir::check::check(&mut module, catalog, &mut diagnostics);
        assert!(!diagnostics.has_errors(), "{}", path.display());
        lower_each(&module, catalog, abi, &mut diagnostics, |_, level, _| {
            levels.insert(level.name().to_string(), Prepared::load(level, catalog).unwrap());
        });
        assert!(!diagnostics.has_errors(), "{}", path.display());
    }
    levels
}

/// Compares every trace of a game. Reports the differing traces with the first different line.
fn compare(game: &str, levels: impl Fn(&Path, &'static Catalog) -> BTreeMap<String, Prepared>) {
    compare_in(&reference::game(game), Catalog::by_name(game).unwrap(), levels);
}

/// Compares every trace in a folder.
fn compare_in(
    folder: &Path,
    catalog: &'static Catalog,
    levels: impl Fn(&Path, &'static Catalog) -> BTreeMap<String, Prepared>,
) {
    let game = &catalog.name;
    let mut machine = Machine::new();
    let levels = levels(folder, catalog);
    let (mut count, mut differing) = (0, Vec::new());
    for path in reference::files(&folder.join("traces"), ".txt") {
        let file = path.file_name().unwrap().to_str().unwrap();
        let (level, seed) = file.strip_suffix(".txt").unwrap().rsplit_once('.').unwrap();
        let expected = read(&path);
        let draws =
            if expected.lines().any(|line| line.starts_with("D ")) { DrawLines::Shown } else { DrawLines::Hidden };
        let mut trace = Trace::new(draws);
        let mut draws = SplitMix::new(seed.parse().unwrap());
        let settings = Settings::default();
        let run = machine.run(&levels[level], &settings, &mut draws, &mut trace).map(|_| ());
        let mut text = trace.finish(machine.level(), catalog);
        if let Err(error) = run {
            text.push_str(&format!("error: {error} at {}\n", error.at));
        }
        count += 1;
        if text != expected {
            let line = expected.lines().zip(text.lines()).position(|(left, right)| left != right).unwrap_or(0);
            let at = |text: &str| text.lines().nth(line).unwrap_or("").to_owned();
            differing.push(format!("{file} line {}: game {:?}, VM {:?}", line + 1, at(&expected), at(&text)));
            if let Ok(out) = std::env::var("SPLC_TRACE_OUT") {
                fs::write(Path::new(&out).join(file), text).unwrap();
            }
        }
    }
    println!("{game}: {} of {count} traces identical", count - differing.len());
    for line in &differing {
        println!("  {line}");
    }
    assert!(count > 0 && differing.is_empty(), "{} of {count} traces differ", differing.len());
}

/// Reads a trace as text. Strings of levels may have any encoding.
fn read(path: &Path) -> String {
    String::from_utf8(fs::read(path).unwrap())
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn unnethack() {
    compare("unnethack-6.0.4", levels);
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack_3_6_7() {
    compare("nethack-3.6.7", levels);
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack_3_4_3() {
    compare("nethack-3.4.3", levels);
}

/// The sources produce the same as the level files.
#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack_3_4_3_from_sources() {
    compare("nethack-3.4.3", compiled_levels);
}

/// Returns the levels of a game, by name, that are Lua scripts.
fn scripts(folder: &Path, catalog: &'static Catalog) -> BTreeMap<String, Prepared> {
    let mut levels = BTreeMap::new();
    for path in reference::files(&folder.join("lua"), ".lua") {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let script = LuaLevel { name: name.as_str().into(), text: read(&path).into(), file: FileId(0) };
        levels.insert(name, Prepared::load(Loadable::Lua(script), catalog).unwrap());
    }
    levels
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack_5_0_0() {
    compare("nethack-5.0.0", scripts);
}

/// The limits on the work of scripts leave room: no level of the game needs a twentieth of what is allowed.
#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack_5_0_0_needs_little_work() {
    let catalog = Catalog::by_name("nethack-5.0.0").unwrap();
    let mut machine = Machine::new();
    let settings = Settings { fuel: Settings::default().fuel / 20, ..Settings::default() };
    for (name, level) in scripts(&reference::game("nethack-5.0.0"), catalog) {
        if ["dungeon", "nhlib", "themerms"].contains(&name.as_str()) {
            continue;
        }
        for seed in 1..=3 {
            let run = machine.run(&level, &settings, &mut SplitMix::new(seed), &mut ()).map(|_| ());
            assert_eq!(run, Ok(()), "{name}, seed {seed}");
        }
    }
}

/// Small levels that use features beyond the game's own levels.
#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack_5_0_0_beyond_its_own_levels() {
    let catalog = Catalog::by_name("nethack-5.0.0").unwrap();
    compare_in(&reference::game("nethack-5.0.0").join("extra"), catalog, scripts);
}

/// SporkHack has no stored traces. Its own loader has run every level of our corpus, and only the hashes are stored.
#[test]
fn sporkhack_corpus() {
    let catalog = Catalog::by_name("sporkhack-0.7.0").unwrap();
    let abi = Abi::by_name("lp64le").unwrap();
    let golden = corpus("sporkhack/golden");
    let mut machine = Machine::new();
    let (mut made, mut stopped, mut differing) = (0, 0, Vec::new());
    for line in fs::read_to_string(golden.join("traces.txt")).unwrap().lines().filter(|line| !line.starts_with('#')) {
        let [level, seed, expected] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let bytes = fs::read(golden.join(format!("lp64le/{level}.lev"))).unwrap();
        let file = level_file::read(&bytes, level, FileId(0), catalog, abi).unwrap();
        let prepared = Prepared::load(file.level, catalog).unwrap();
        let mut trace = Trace::new(DrawLines::Hidden);
        let mut draws = SplitMix::new(seed.parse().unwrap());
        let run = machine.run(&prepared, &Settings::default(), &mut draws, &mut trace).map(|_| ());
        let text = trace.finish(machine.level(), catalog);
        let found = match run {
            Err(_) => vec!["stops".to_owned()],
            Ok(()) => {
                let draws = text.lines().find_map(|line| line.strip_prefix("draws ")).unwrap();
                // The game writes the bytes of the level, in any encoding.
                let latin1: Option<Vec<u8>> = text.chars().map(|letter| u8::try_from(letter).ok()).collect();
                let texts = latin1.iter().map(Vec::as_slice).chain([text.as_bytes()]);
                texts.map(|bytes| format!("{draws} {:016x}", hash(bytes))).collect()
            }
        };
        if expected == "stops" {
            stopped += 1;
        } else {
            made += 1;
        }
        if !found.iter().any(|found| found == expected) {
            differing.push(format!("{level} {seed}: game {expected}, VM {}", found.join(" or ")));
        }
    }
    println!("sporkhack: {made} levels made and {stopped} given up; {} differ", differing.len());
    assert_eq!((made, stopped), (255, 25), "runs of SporkHack's loader");
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
