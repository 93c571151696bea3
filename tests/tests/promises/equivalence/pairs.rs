//! Pairs of small levels whose answer a person knows from the games' sources.

use std::sync::atomic::AtomicU64;

use splc_equivalence::{Options, Verdict, compare};
use splc_tests::{cases, some_of};

use super::arguments::prepare;

const PAIRS: &str = include_str!("pairs.txt");

/// The levels are small: those that the first outcomes do not decide are tried on a few seeds.
const SEEDS: u64 = 60;
const PATHS: u64 = 1_500;

/// The form of a level, and its dialect, by the game of a pair.
fn form(game: &str) -> (&'static str, &'static str) {
    match game {
        "3.4.3" => ("parts", "nethack343"),
        "3.6" => ("script", "nethack36"),
        "unnethack" => ("script", "unnethack"),
        "sporkhack" => ("script", "sporkhack"),
        "5" => ("lua", ""),
        _ => panic!("{game}"),
    }
}

#[test]
fn known_pairs_get_no_wrong_answer() {
    let (mut tried, mut undecided, mut wrong) = (0, Vec::new(), Vec::new());
    let lines = PAIRS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in some_of(lines.collect()) {
        let cells: Vec<&str> = line.splitn(3, " | ").collect();
        let [answer, games, pair] = cells[..] else { panic!("{line}") };
        let is_same = match answer {
            "same" => true,
            "other" => false,
            _ => panic!("{line}"),
        };
        let (one, two) = pair.split_once(" => ").unwrap_or_else(|| panic!("{line}"));
        for game in games.split(' ') {
            let (form, dialect) = form(game);
            let [one, two] = [one, two].map(|level| {
                let level = if level == "-" { "" } else { level };
                prepare(form, dialect, level).unwrap_or_else(|error| panic!("{game}: {line}: {error}"))
            });
            tried += 1;
            let options = Options { seeds: SEEDS, paths: PATHS, threads: 2, ..Options::default() };
            match compare(&one, &two, &options, &AtomicU64::new(0)) {
                Verdict::Proven(..) if is_same => {}
                Verdict::Different(_) if !is_same => {}
                Verdict::NotDecided(_) => undecided.push(format!("{game}: {line}")),
                verdict => wrong.push(format!("{game}: {line}: {verdict:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(
        tried > cases(500) && undecided.len() * 20 < tried as usize,
        "{} of {tried}:\n{}",
        undecided.len(),
        undecided.join("\n")
    );
}
