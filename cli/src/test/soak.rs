//! `splc test --for TIME`: runs all levels with ever more seeds until the time is up, and reports how rare each finding
//! is.
//!
//! The levels take turns, each with the same number of seeds in a turn, and the turns become longer. So no level waits
//! for another one that is slow, and an end at any time leaves each level with almost as many seeds as the others.

use std::time::{Duration, Instant};

use splc_driver::test::{Plan, Verdict, findings, judge};
use splc_driver::{Loaded, Options};
use splc_ir::diagnostic::Diagnostic;
use splc_ir::dungeon::Description;
use splc_ir::wording::counted;
use splc_vm::Settings;

use super::{SEEDS, Summary, Test, needs, no_level, rates, read};
use crate::input::Origin;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::output::print;
use crate::progress;
use crate::report::{MessageFormat, Reporter};
use crate::threads;

/// Most seeds of a turn.
const LONGEST_TURN: u64 = 20_000;

/// A file with its levels, and the verdict of each so far.
struct Tested {
    name: String,
    loaded: Loaded,
    settings: Settings,
    dungeon: Option<Description>,
    verdicts: Vec<Verdict>,
}

pub(super) fn soak(
    arguments: &Test,
    options: &Options,
    time: Duration,
    reporter: &mut Reporter,
) -> Result<Outcome, Box<Diagnostic>> {
    let end = Instant::now() + time;
    let mut outcome = Outcome::Fine;
    let mut files = Vec::new();
    for origin in Origin::list(&arguments.sources.files) {
        let (mut loaded, settings, dungeon) = read(&origin, arguments, options, reporter, &mut outcome)?;
        loaded.levels.retain(|level| arguments.wants(&level.name));
        let verdicts = loaded.levels.iter().map(|_| Verdict::default()).collect();
        files.push(Tested { name: origin.name(), loaded, settings, dungeon, verdicts });
    }
    let levels: usize = files.iter().map(|file| file.verdicts.len()).sum();
    if levels == 0 {
        return match arguments.levels.first() {
            Some(name) => Err(no_level(name, &[])),
            None => Ok(outcome),
        };
    }
    let threads = threads::count(arguments.threads, LONGEST_TURN);
    let (mut first, mut turn) = (arguments.seeds.as_ref().map_or(1, |seeds| *seeds.start()), SEEDS);
    let is_over = || interrupt::is_requested() || Instant::now() >= end;
    while !is_over() {
        let last = first.saturating_add(turn - 1);
        for file in &mut files {
            for (level, verdict) in file.loaded.levels.iter().zip(&mut file.verdicts) {
                if is_over() {
                    break;
                }
                let needs = needs(&file.loaded, level, file.dungeon.as_ref());
                let plan = Plan {
                    settings: file.settings.clone(),
                    seeds: first..=last,
                    threads,
                    needs,
                    vary: Default::default(),
                };
                verdict.merge(progress::until(end, |progress| judge(level, &plan, progress)));
            }
        }
        first = last.saturating_add(1);
        turn = (turn * 2).min(LONGEST_TURN);
    }
    let (mut summary, mut seeds) = (Summary::default(), 0);
    for file in &files {
        for (level, verdict) in file.loaded.levels.iter().zip(&file.verdicts) {
            seeds += verdict.runs();
            let needs = needs(&file.loaded, level, file.dungeon.as_ref());
            let plan = Plan { settings: file.settings.clone(), seeds: 1..=1, threads, needs, vary: Default::default() };
            for mut found in findings(&file.loaded, level, &plan, &options.lints, verdict) {
                if found.first.is_some() && found.of > 0 {
                    let (low, high) = rates::interval(found.seeds, found.of);
                    let (low, high) = (rates::in_words(low), rates::in_words(high));
                    let note = format!("rate with 95 % confidence: between {low} and {high}");
                    found.diagnostic.notes.push(note);
                }
                summary.add(&found, &file.loaded, &file.name, reporter, &mut outcome);
            }
        }
    }
    if arguments.sources.message_format == MessageFormat::Human {
        let seeds = counted(usize::try_from(seeds).unwrap_or(usize::MAX), "seed");
        let run = format!("{}, {seeds} in total", counted(levels, "level"));
        outcome = outcome.max(print(&summary.text(files.len() > 1, &run)));
    }
    Ok(outcome)
}
