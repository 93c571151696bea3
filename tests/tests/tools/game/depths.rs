//! The level depths that `show` reports, compared with simulated games that follow the loader's rules.

use std::collections::BTreeMap;
use std::fs;

use splc_frontends::dungeon::{self, Stage};
use splc_game::depths::{Distribution, DungeonDepths, Problem, depths};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::dungeon::{Connection, Description, Direction, Rules};
use splc_ir::source::SourceMap;
use splc_tests::reference;

/// Number of simulated games.
const GAMES: u32 = 100_000;

/// Most standard deviations between a frequency and its probability. There are some hundred frequencies.
const DEVIATIONS: f64 = 5.0;

/// Random number generator (xorshift64*) of the simulated games.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: i32) -> i32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let drawn = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        (drawn % u64::from(limit as u32)) as i32
    }
}

/// A dungeon of one game.
#[derive(Default)]
struct Dug {
    size: i32,
    top: i32,
    /// Levels at which branches begin or end.
    ends: Vec<i32>,
    /// The place of each special level.
    levels: Vec<Option<i32>>,
}

/// Returns the first place and the number of places.
fn range(base: i32, random: i32, from: Option<i32>, size: i32) -> (i32, i32) {
    let start = match from {
        Some(from) => from + base,
        None if base < 0 => size + base + 1,
        None => base,
    };
    assert!(start >= 1 && start <= size);
    let count =
        if random == -1 || (random != 0 && start + random - 1 > size) { size - start + 1 } else { random.max(1) };
    (start, count)
}

/// Places level `at` and all later ones, by backtracking.
fn place(at: usize, ranges: &[(i32, i32, Option<usize>)], dug: &mut Dug, there: &[bool], dice: &mut Dice) -> bool {
    if at == ranges.len() {
        return true;
    }
    if !there[at] {
        return place(at + 1, ranges, dug, there, dice);
    }
    let (base, random, chain) = ranges[at];
    let (start, count) = range(base, random, chain.map(|chain| dug.levels[chain].unwrap()), dug.size);
    let mut open: Vec<i32> = (start..start + count).filter(|place| !dug.levels[..at].contains(&Some(*place))).collect();
    while !open.is_empty() {
        let place_here = open.remove(dice.below(open.len() as i32) as usize);
        dug.levels[at] = Some(place_here);
        if place(at + 1, ranges, dug, there, dice) {
            return true;
        }
        dug.levels[at] = None;
    }
    false
}

/// Returns the dungeons of one game, and for each but the first the start of the branch to it: dungeon and level.
fn game(description: &Description, dice: &mut Dice) -> Vec<(Dug, Option<(usize, i32)>)> {
    let mut all: Vec<(Dug, Option<(usize, i32)>)> = Vec::new();
    for (number, dungeon) in description.dungeons.iter().enumerate() {
        let mut dug = Dug { size: dungeon.size.base, top: 1, ..Dug::default() };
        if dungeon.size.random != 0 {
            dug.size += dice.below(dungeon.size.random);
        }
        let entry = match dungeon.entry {
            0 => 1,
            entry if entry < 0 => (dug.size + entry + 1).max(1),
            entry => entry.min(dug.size),
        };
        let mut branch = None;
        if number > 0 {
            let found = description.dungeons[..number].iter().enumerate().find_map(|(parent, outer)| {
                Some((parent, outer.branches().find(|branch| branch.target.node == dungeon.name.node)?))
            });
            let (parent, described) = found.unwrap();
            let outer = &description.dungeons[parent];
            let from = described
                .chain
                .as_ref()
                .map(|chain| all[parent].0.levels[outer.branch_chained(&chain.node).unwrap()].unwrap());
            let (start, count) = range(described.place.base, described.place.random, from, all[parent].0.size);
            let drawn = dice.below(count);
            let mut at = drawn;
            loop {
                at = (at + 1) % count;
                if !all[parent].0.ends.contains(&(start + at)) || at == drawn {
                    break;
                }
            }
            let begins = start + at;
            all[parent].0.ends.push(begins);
            branch = Some((parent, begins));
            let step = match (described.connection, described.direction) {
                (Connection::Portal, _) => 0,
                (_, Direction::Up) => -1,
                (_, Direction::Down) => 1,
            };
            dug.top = all[parent].0.top + begins - 1 + step - (entry - 1);
            dug.ends.push(entry);
        }
        let ranges: Vec<_> = dungeon
            .levels()
            .map(|level| {
                let chain = level.chain.as_ref().map(|chain| dungeon.level_chained(&chain.node).unwrap());
                (level.place.base, level.place.random, chain)
            })
            .collect();
        let there: Vec<bool> = dungeon.levels().map(|level| level.chance > dice.below(100)).collect();
        dug.levels = vec![None; ranges.len()];
        assert!(place(0, &ranges, &mut dug, &there, dice));
        all.push((dug, branch));
    }
    for ((dug, _), dungeon) in all.iter_mut().zip(&description.dungeons) {
        if dungeon.levels().any(|level| level.name.node == *"dummy") && dug.size > 1 - dug.top {
            dug.top -= 1;
        }
    }
    all
}

/// Expects `counted` to match `expected` over [`GAMES`] games.
fn compare(what: &str, expected: &Distribution, counted: &BTreeMap<i32, u32>) {
    let keys: Vec<i32> = expected.keys().chain(counted.keys()).copied().collect();
    for key in keys {
        let probability = expected.get(&key).copied().unwrap_or_default();
        let frequency = f64::from(counted.get(&key).copied().unwrap_or_default()) / f64::from(GAMES);
        let deviation = (probability * (1.0 - probability) / f64::from(GAMES)).max(0.0).sqrt();
        assert!(
            (frequency - probability).abs() <= DEVIATIONS * deviation + 1e-9,
            "{what} at {key}: {probability} expected, {frequency} counted"
        );
    }
}

fn total(distribution: &Distribution) -> f64 {
    distribution.values().sum()
}

fn agree(name: &str, description: &Description, rules: &Rules) {
    let known: Vec<DungeonDepths> = depths(description, rules).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    let mut tops = vec![BTreeMap::<i32, u32>::new(); known.len()];
    let mut sizes = tops.clone();
    let mut branches = tops.clone();
    let mut levels: Vec<Vec<BTreeMap<i32, u32>>> =
        known.iter().map(|dungeon| vec![BTreeMap::new(); dungeon.levels.len()]).collect();
    let mut dice = Dice(0x5eed);
    for _ in 0..GAMES {
        let played = game(description, &mut dice);
        for (number, (dug, branch)) in played.iter().enumerate() {
            *tops[number].entry(dug.top).or_default() += 1;
            *sizes[number].entry(dug.size).or_default() += 1;
            for (at, place) in dug.levels.iter().enumerate() {
                if let Some(place) = place {
                    *levels[number][at].entry(dug.top + place - 1).or_default() += 1;
                }
            }
            if let Some((parent, begins)) = branch {
                assert_eq!(known[number].branch.as_ref().map(|branch| branch.parent), Some(*parent));
                *branches[number].entry(*begins).or_default() += 1;
            }
        }
    }
    for (number, (known, dungeon)) in known.iter().zip(&description.dungeons).enumerate() {
        let what = format!("{name}, {}", dungeon.name.node);
        compare(&format!("{what}, top"), &known.top, &tops[number]);
        compare(&format!("{what}, size"), &known.size, &sizes[number]);
        assert!((total(&known.top) - 1.0).abs() < 1e-9 && (total(&known.size) - 1.0).abs() < 1e-9);
        if let Some(branch) = &known.branch {
            compare(&format!("{what}, branch"), &branch.level, &branches[number]);
            assert!((total(&branch.depth) - 1.0).abs() < 1e-9, "{what}");
        }
        for (at, (level, described)) in known.levels.iter().zip(dungeon.levels()).enumerate() {
            let what = format!("{what}, {}", described.name.node);
            compare(&what, &level.depth, &levels[number][at]);
            let presence = f64::from(described.chance) / 100.0;
            assert!(
                (total(&level.depth) - presence).abs() < 1e-9 && (level.presence() - presence).abs() < 1e-9,
                "{what}"
            );
        }
    }
}

fn parsed(bytes: Vec<u8>, catalog: &Catalog) -> Description {
    let mut sources = SourceMap::new();
    let file = sources.add("dungeon.def", None, bytes);
    let mut diagnostics = Diagnostics::new();
    let description = dungeon::parse(&sources, file, Stage::Written, catalog, &mut diagnostics);
    assert!(!diagnostics.has_errors());
    description
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn depths_of_levels_match_100_000_games() {
    for name in ["nethack-3.4.3", "nethack-3.6.7", "sporkhack-0.7.0", "unnethack-6.0.4"] {
        let folder = reference::game(&format!("{name}/dungeon"));
        let catalog = Catalog::by_name(name).unwrap();
        agree(name, &parsed(fs::read(folder.join("dungeon.def")).unwrap(), catalog), &catalog.dungeon);
    }
}

/// A description with crowded levels, so that the possible places of one depend on the presence of the others.
const CROWDED: &str = "
DUNGEON: \"top\" \"none\" (9, 2)
LEVEL: \"z\" \"none\" @ (-1, 0)
LEVEL: \"a\" \"none\" @ (1, 3)
LEVEL: \"b\" \"none\" @ (1, 4) 50
CHAINLEVEL: \"c\" \"none\" \"a\" + (1, 2) 70
LEVEL: \"d\" \"none\" @ (2, 2)
LEVEL: \"e\" \"none\" @ (2, 3) 30
LEVEL: \"f\" \"none\" @ (-2, 2)
LEVEL: \"g\" \"none\" @ (4, -1) 60
CHAINBRANCH: \"one\" \"a\" + (0, 2)
CHAINBRANCH: \"two\" \"d\" + (0, 3) up
BRANCH: \"three\" @ (1, 4) portal
DUNGEON: \"one\" \"none\" (2, 2)
ENTRY: -1
LEVEL: \"h\" \"none\" @ (-1, 0)
BRANCH: \"four\" @ (1, -1)
DUNGEON: \"two\" \"none\" (2, 0)
ENTRY: 5
DUNGEON: \"three\" \"none\" (1, 0)
DUNGEON: \"four\" \"none\" (1, 3)
ENTRY: -2
LEVEL: \"dummy\" \"none\" @ (1, 0)
";

#[test]
fn depths_of_crowded_levels_match_100_000_games() {
    let catalog = Catalog::by_name("nethack-3.4.3").unwrap();
    agree("crowded", &parsed(CROWDED.into(), catalog), &catalog.dungeon);
}

#[test]
fn a_game_that_can_end_at_its_start_is_reported() {
    let catalog = Catalog::by_name("nethack-3.4.3").unwrap();
    for (text, about) in [
        ("DUNGEON: \"x\" \"none\" (2, 0)\nLEVEL: \"a\" \"none\" @ (3, 0)\n", "\"a\" would be on level 3"),
        (
            "DUNGEON: \"x\" \"none\" (2, 0)\nLEVEL: \"a\" \"none\" @ (1, 0)\nLEVEL: \"b\" \"none\" @ (1, 0)\n",
            "no possible place",
        ),
        ("DUNGEON: \"x\" \"none\" (2, 0)\nDUNGEON: \"y\" \"none\" (2, 0)\n", "no earlier dungeon has a branch"),
        ("DUNGEON: \"x\" \"none\" (0, 0)\n", "may have no levels"),
        (
            "DUNGEON: \"x\" \"none\" (3, 0)\nLEVEL: \"a\" \"none\" @ (1, 0) 50\nCHAINBRANCH: \"y\" \"a\" + (0, 0)\nDUNGEON: \"y\" \"none\" (2, 0)\n",
            "not always exist",
        ),
    ] {
        match depths(&parsed(text.into(), catalog), &catalog.dungeon) {
            Err(Problem::GameEnds(message)) => assert!(message.contains(about), "{message}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}
