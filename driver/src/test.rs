//! Finds problems in the levels generated from a des-file or level file.
//!
//! A level that was [loaded](crate::load) is run with many seeds, and the finished levels are judged by the game's
//! rules ([`splc_judge::Judge`]). The findings become diagnostics: [lints](Code::lint), which can be allowed and denied
//! like all others, also by the des-file itself.
//!
//! ```
//! use splc_driver::{Input, NoIncludes, Options, load, test};
//! use splc_ir::diagnostic::Code;
//! use splc_vm::{Progress, Settings};
//!
//! let text = "MAZE: \"cellar\", ' '\nGEOMETRY: center, center\nMAP\n-------\n|..|..|\n-------\nENDMAP\nSTAIR: (1,1), up\nSTAIR: (4,1), down\n";
//! let options = Options::default();
//! let loaded = load(Input::new("cellar.des", text), &options, &mut NoIncludes)?;
//! let settings = Settings::default();
//! let plan = test::Plan { settings, seeds: 1..=20, threads: 1, needs: Default::default(), vary: Default::default() };
//! let found = test::test(&loaded, &loaded.levels[0], &plan, &options.lints, &Progress::default());
//! assert_eq!(found[0].diagnostic.code, Code::UnreachableStairs);
//! assert_eq!((found[0].seeds, found[0].of), (20, 20));
//! # Ok::<(), splc_driver::TargetError>(())
//! ```

use std::ops::RangeInclusive;

use splc_ir::catalog::Group;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevel, LintLevels};
use splc_ir::dungeon::Ways;
use splc_ir::order::Order;
use splc_ir::source::Span;
pub use splc_judge::Verdict;
use splc_judge::{Case, Defect, Means, Way, examine};
use splc_picture::Picture;
use splc_vm::{Chronicle, Hero, Machine, Progress, Settings, SplitMix, Surrounding, Surroundings};

use crate::load::{Loaded, Runnable};

/// The parameters of a test.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The state of the game around the level.
    pub settings: Settings,
    /// The seeds.
    pub seeds: RangeInclusive<u64>,
    /// The number of threads, at least one. It does not affect the findings.
    pub threads: usize,
    /// The ways that the level must have because of its place in the dungeon.
    pub needs: Ways,
    /// Parts of the game of which other values are tried too, if the level queries them: role, race, depth and
    /// difficulty.
    pub vary: Surroundings,
}

/// A finding in a level.
#[derive(Clone, Debug)]
pub struct Found {
    /// The diagnostic, with the span of the statement.
    pub diagnostic: Diagnostic,
    /// Name of the level.
    pub level: String,
    /// The number of seeds that show it.
    pub seeds: u64,
    /// The number of seeds tested.
    pub of: u64,
    /// The first seed that shows it, or `None` for a finding about all seeds together, such as a statement that never
    /// runs.
    pub first: Option<u64>,
    /// Its place with the first seed: column, from 1, and row.
    pub place: Option<(i32, i32)>,
    /// The same place in the statement's coordinates, relative to its map or room.
    pub written: Option<(i32, i32)>,
    /// The finished level of the first seed as the game draws it: rows of symbols, from column 1. Empty if there is
    /// none.
    pub picture: Vec<String>,
}

/// Runs a level of `loaded` according to `plan` and judges the finished levels. `lints` and the des-file select the
/// findings. `progress` shows the number of finished seeds. If it is stopped, only these seeds count.
///
/// Findings on seeds with which the game could not generate the level come first, then the rest in source order.
pub fn test(loaded: &Loaded, level: &Runnable, plan: &Plan, lints: &LintLevels, progress: &Progress) -> Vec<Found> {
    let verdict = judge(level, plan, progress);
    let mut found = findings(loaded, level, plan, lints, &verdict);
    let (first, last) = (*plan.seeds.start(), *plan.seeds.end());
    let most = (last.saturating_sub(first) / OTHER_GAMES).max(FEWEST_SEEDS);
    for (settings, option) in other_games(plan, verdict.queried(), loaded) {
        if progress.is_stopped() {
            break;
        }
        let seeds = first..=last.min(first.saturating_add(most));
        let other = Plan { settings, seeds, vary: Surroundings::default(), ..plan.clone() };
        let verdict = judge(level, &other, &Progress::default());
        for mut more in findings(loaded, level, &other, lints, &verdict) {
            // The draws of another game differ, so a rare finding is due to chance, not to that game.
            let is_frequent = more.first.is_some() && more.seeds.saturating_mul(4) >= more.of;
            let of_game = |known: &Found| {
                let (known, more) = (&known.diagnostic, &more.diagnostic);
                known.code == more.code && (known.span == more.span || known.message == more.message)
            };
            if is_frequent && !found.iter().any(of_game) {
                more.diagnostic.notes.push(format!("only with another game: {option}"));
                found.push(more);
            }
        }
    }
    found
}

/// Share of the seeds, as a fraction, with which each other game is tried, and the fewest of them.
const OTHER_GAMES: u64 = 8;
const FEWEST_SEEDS: u64 = 20;

/// Depths that are tried, which are also the difficulty: near the surface, in the middle and at the bottom of the main
/// dungeon, and in Gehennom.
const DEPTHS: [i32; 4] = [1, 12, 26, 44];

/// Returns the games that differ from that of `plan` in one part, which the level has queried. Each has the option that
/// selects it.
fn other_games(plan: &Plan, queried: Surroundings, loaded: &Loaded) -> Vec<(Settings, String)> {
    let mut games = Vec::new();
    for part in queried.iter().filter(|part| plan.vary.has(*part)) {
        let mut add = |change: &dyn Fn(&mut Settings)| {
            let mut settings = plan.settings.clone();
            change(&mut settings);
            if settings != plan.settings && !games.iter().any(|(known, _)| *known == settings) {
                let hero = &settings.hero;
                let alignment = hero.alignment.as_str();
                let option = match part {
                    Surrounding::Depth | Surrounding::Difficulty => format!("--depth {}", settings.depth),
                    _ => format!("--hero {}/{}/{}/{alignment}", hero.name, hero.role, hero.race),
                };
                games.push((settings, option));
            }
        };
        match part {
            Surrounding::HeroRole => Hero::roles(loaded.target.catalog())
                .into_iter()
                .for_each(|role| add(&|settings| settings.hero.role.clone_from(&role))),
            Surrounding::HeroRace => {
                Hero::RACES.into_iter().for_each(|race| add(&|settings| settings.hero.race = race.to_owned()));
            }
            Surrounding::Depth | Surrounding::Difficulty => DEPTHS.into_iter().for_each(|depth| {
                add(&|settings| (settings.depth, settings.difficulty) = (depth, depth));
            }),
            _ => {}
        }
    }
    games
}

/// Runs a level according to `plan`. The verdicts of different seeds can be [merged](Verdict::merge).
pub fn judge(level: &Runnable, plan: &Plan, progress: &Progress) -> Verdict {
    examine(&level.program, &level.name, &plan.settings, plan.seeds.clone(), plan.threads, progress)
}

/// Returns the findings of `verdict` as [`test`](test()) does.
pub fn findings(loaded: &Loaded, level: &Runnable, plan: &Plan, lints: &LintLevels, verdict: &Verdict) -> Vec<Found> {
    let of = verdict.runs();
    let mut lints = lints.of(loaded.sources.iter().next().and_then(|(_, source)| source.path.as_deref())).clone();
    for allowance in loaded.diagnostics.allowances() {
        if level.span.is_some_and(|span| covers(allowance.span, span)) {
            lints.set(allowance.code, LintLevel::Allow);
        }
    }
    let mut showing = Showing { loaded, level, plan, of, machine: Machine::new(), chronicle: Chronicle::new() };
    let mut found = showing.faults(verdict);
    let rules = &loaded.target.catalog().dungeon;
    let mut cases = verdict.cases(&level.program, plan.needs, &level.name);
    // The nemeses of other roles may be unknown, and that of tourists is another role's leader.
    let roles = rules.roles.iter().filter(|role| *role != "Tou");
    let is_goal = roles.into_iter().any(|role| level.name.eq_ignore_ascii_case(&format!("{role}-goal")));
    cases.retain(|case| case.defect != Defect::NoNemesis || is_goal);
    cases.retain(|case| case.defect != Defect::ThingInRock || !showing.is_unchecked(case));
    cases.order_by_key(|case| case.at.and_then(|at| showing.span(at)).map(|span| (span.file, span.start)));
    let changed = changed_rooms(loaded, level);
    for case in &cases {
        if showing.is_changed_later(case, &changed) {
            continue;
        }
        let mut judged = Diagnostics::with_lints(lints.clone());
        judged.push(showing.diagnostic(case));
        if let Some(diagnostic) = judged.into_vec().pop() {
            found.push(showing.found(diagnostic, case));
        }
    }
    found
}

/// Returns the types of the rooms that the game changes after it has loaded the level. Versions of a level have a
/// number at the end of their names.
fn changed_rooms(loaded: &Loaded, level: &Runnable) -> Vec<i32> {
    let catalog = loaded.target.catalog();
    let is_level = |name: &str| {
        let rest = level.name.get(..name.len()).filter(|start| start.eq_ignore_ascii_case(name));
        rest.is_some_and(|_| matches!(level.name.as_bytes().get(name.len()), None | Some(b'-')))
    };
    let entries = catalog.loader.changed_rooms.iter().filter_map(|entry| entry.rsplit_once('@'));
    entries.filter(|(name, _)| is_level(name)).filter_map(|(_, kind)| catalog.room(kind)).collect()
}

/// Returns true if a level begins within the extent of a comment.
fn covers(allowed: Span, level: Span) -> bool {
    allowed.file == level.file && (allowed.start..allowed.end).contains(&level.start)
}

/// The context for presenting findings.
struct Showing<'a> {
    loaded: &'a Loaded,
    level: &'a Runnable,
    plan: &'a Plan,
    of: u64,
    machine: Machine,
    chronicle: Chronicle,
}

impl Showing<'_> {
    /// Returns the span of the text that produced the step with that index.
    fn span(&self, at: usize) -> Option<Span> {
        self.level.program.span(at).filter(|span| !self.loaded.sources.text(*span).is_empty())
    }

    /// Returns true if the statement of a case says that its square is meant, as `(1,2)[skipcheck]` does.
    fn is_unchecked(&self, case: &Case) -> bool {
        let catalog = self.loaded.target.catalog();
        let Some(span) = case.at.and_then(|at| self.span(at)) else { return false };
        let text = self.loaded.sources.text(span);
        let mut words = catalog.words(Group::PlaceCheck);
        words.any(|word| catalog.word(Group::PlaceCheck, word) == Some(0) && text.contains(&format!("[{word}]")))
    }

    /// Returns true if a case is about a room of one of the types `changed`, which the game changes later.
    fn is_changed_later(&mut self, case: &Case, changed: &[i32]) -> bool {
        let shop = self.loaded.target.catalog().room("shop");
        let is_of_shop = match case.defect {
            Defect::SquaresApart(_) | Defect::ThingApart(_) | Defect::ArrivalApart => false,
            Defect::TrapInShop
            | Defect::WayInShop
            | Defect::ShopWithoutDoor
            | Defect::ShopWithDoors
            | Defect::ShopIsOpen => true,
            _ => return false,
        };
        if changed.is_empty() {
            return false;
        }
        if is_of_shop {
            return shop.is_some_and(|shop| changed.contains(&shop));
        }
        let Some((x, y)) = case.place else { return false };
        let (program, settings) = (&self.level.program, &self.plan.settings);
        let made = self.machine.run(program, settings, &mut SplitMix::new(case.first), &mut self.chronicle);
        made.is_ok_and(|level| level.rooms().iter().any(|room| changed.contains(&room.kind) && room.has(x, y)))
    }

    /// Describes the number of seeds and the first of them.
    fn share(&self, seeds: u64, first: u64) -> String {
        let level = &self.level.name;
        let percent = 100.0 * seeds as f64 / self.of.max(1) as f64;
        match (seeds, self.of) {
            (_, 1) => format!("in level \"{level}\", on seed {first}"),
            (1, of) => format!("in level \"{level}\", on 1 of {of} seeds: seed {first}"),
            (seeds, of) if seeds == of => {
                format!("in level \"{level}\", on all {of} seeds, first on seed {first}")
            }
            (seeds, of) => {
                format!("in level \"{level}\", on {seeds} of {of} seeds ({percent:.1} %), first on seed {first}")
            }
        }
    }

    /// Returns the findings on seeds with which the game gives up, crashes or hangs.
    fn faults(&mut self, verdict: &Verdict) -> Vec<Found> {
        let fault = |(error, seeds, first): (&splc_vm::VmError, u64, u64)| {
            let span = self.span(error.at);
            let message = format!("the game cannot load this level: {}", error.fault);
            let mut diagnostic = Diagnostic::new(Code::Fault, span, message).with_note(self.share(seeds, first));
            if let (None, Some(step)) = (span, self.level.program.step(error.at)) {
                diagnostic = diagnostic.with_note(format!("at {} {} ({})", step.noun(), error.at, step.name()));
            }
            Found {
                diagnostic,
                level: self.level.name.to_string(),
                seeds,
                of: self.of,
                first: Some(first),
                place: None,
                written: None,
                picture: Vec::new(),
            }
        };
        verdict.faults().map(fault).collect()
    }

    fn diagnostic(&self, case: &Case) -> Diagnostic {
        let span = case.at.and_then(|at| self.span(at));
        let (code, message) = words(case);
        let share = match case.defect {
            Defect::NoEffect => {
                format!("in level \"{}\", on each of {} seeds with which it runs", self.level.name, case.seeds)
            }
            Defect::LeadsNowhere(_) => format!("in level \"{}\"", self.level.name),
            Defect::NoNemesis | Defect::LacksTrait(_) | Defect::NeverRuns => {
                format!("in level \"{}\", on none of {} seeds", self.level.name, self.of)
            }
            _ => self.share(case.seeds, case.first),
        };
        let mut diagnostic = Diagnostic::new(code, span, message).with_note(share);
        if let (None, Some((at, step))) = (span, case.at.and_then(|at| Some((at, self.level.program.step(at)?)))) {
            diagnostic = diagnostic.with_note(format!("at {} {at} ({})", step.noun(), step.name()));
        }
        match case.others {
            0 => {}
            1 => diagnostic = diagnostic.with_note("the same applies to 1 more statement"),
            others => diagnostic = diagnostic.with_note(format!("the same applies to {others} more statements")),
        }
        match help(case.defect) {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }
    }

    /// Returns a case with the finished level that shows it.
    fn found(&mut self, diagnostic: Diagnostic, case: &Case) -> Found {
        let mut found = Found {
            diagnostic,
            level: self.level.name.to_string(),
            seeds: case.seeds,
            of: self.of,
            first: (!matches!(
                case.defect,
                Defect::NeverRuns
                    | Defect::NoEffect
                    | Defect::NoNemesis
                    | Defect::LacksTrait(_)
                    | Defect::LeadsNowhere(_)
            ))
            .then_some(case.first),
            place: case.place,
            written: None,
            picture: Vec::new(),
        };
        if found.first.is_none() {
            return found;
        }
        self.chronicle.clear();
        let (program, settings) = (&self.level.program, &self.plan.settings);
        let made = self.machine.run(program, settings, &mut SplitMix::new(case.first), &mut self.chronicle);
        if let Ok(level) = made {
            self.chronicle.finish(level);
            let picture = Picture::of(level, program.catalog());
            found.picture = picture.rows().map(|row| row.iter().map(|square| square.symbol).collect()).collect();
            found.written = case.place.and_then(|place| {
                // Prefer the statement that made the square, otherwise the map that contains it.
                let maker = self.chronicle.maker_at(place, case.at?, level)?;
                Some(self.chronicle.as_written(place, maker, level))
            });
            if let (Some((x, y)), Some((column, row))) = (found.written, found.place) {
                found.diagnostic.notes.push(format!("at ({x},{y}), in the level at {column},{row}"));
            } else if let Some((column, row)) = found.place {
                found.diagnostic.notes.push(format!("in the level at {column},{row}"));
            }
        }
        found
    }
}

/// Returns the missing means as the end of a sentence.
fn without(means: Means) -> &'static str {
    match means {
        Means::Foot => "on foot",
        Means::Squeeze => "without squeezing between two corners",
        Means::Drawbridge => "without a drawbridge",
        Means::Teleporter => "without a teleportation trap",
        Means::Crossing => "without crossing water or lava",
        Means::Digging => "without digging",
        Means::Never => "at all: nothing around it can be dug",
    }
}

/// Returns the code for something that the hero cannot reach.
fn apart(code: Code, means: Means) -> Code {
    match means {
        Means::Crossing => Code::BeyondWater,
        Means::Squeeze => Code::TightSqueeze,
        _ => code,
    }
}

/// Describes a case.
fn words(case: &Case) -> (Code, String) {
    let what = &case.what;
    match case.defect {
        Defect::Complaint { words, aloud: true } => (Code::LoaderComplaint, format!("the loader complains: {words}")),
        Defect::Complaint { words, aloud: false } => (Code::PassedOver, words.to_owned()),
        Defect::RoomFails => {
            (Code::RoomWithoutPlace, "this room finds no place: it and its contents are skipped".to_owned())
        }
        Defect::NoWayIn => {
            let message = "this level has no way in: no stairs, ladder, portal or arrival region";
            (Code::NoWayIn, message.to_owned())
        }
        Defect::NoLanding => {
            let message = "this level has no floor to arrive on when falling or teleporting";
            (Code::BlockedArrival, message.to_owned())
        }
        Defect::LacksStairs(way) => {
            (Code::MissingStairs, format!("on some seeds this level has no way {}", way.word()))
        }
        Defect::CoveredStairs(way) => (Code::MissingStairs, format!("something covers the stairs {}", way.word())),
        Defect::DuplicateStairs(way) => {
            (Code::DuplicateStairs, format!("this level has several ways {}: the game only uses the last", way.word()))
        }
        Defect::ArrivalBlocked(way) => {
            let from = match way {
                None => "another level",
                Some(Way::Down) => "above",
                Some(Way::Up) => "below",
            };
            (Code::BlockedArrival, format!("the square of arrival from {from} is blocked"))
        }
        Defect::StairsApart(means) => {
            let message = format!("the way down cannot be reached from the way up {}", without(means));
            (apart(Code::UnreachableStairs, means), message)
        }
        Defect::SquaresApart(means) => {
            (apart(Code::UnreachableSquare, means), format!("{what} cannot be reached {}", without(means)))
        }
        Defect::ThingApart(means) => {
            (apart(Code::UnreachableThing, means), format!("{what} cannot be reached {}", without(means)))
        }
        Defect::ThingInRock => (Code::ThingInRock, format!("{what} is inside {}", case.terrain)),
        Defect::Drowns => (Code::DrowningMonster, format!("{what} is placed in {} and dies there", case.terrain)),
        Defect::ShopWithoutDoor => {
            (Code::EmptyShop, format!("this {what} has no door: it gets no shopkeeper and no goods"))
        }
        Defect::ShopIsEmpty => {
            (Code::EmptyShop, format!("this {what} gets no goods: every square is next to the door"))
        }
        Defect::ShopWithDoors => {
            (Code::OpenShop, format!("this {what} has more than one door: the shopkeeper guards only one"))
        }
        Defect::ShopIsOpen => (Code::OpenShop, format!("this {what} can be left without passing its door")),
        Defect::TrapOnFurniture => (Code::TrapOnFurniture, format!("{what} is on {}", case.terrain)),
        Defect::TrapBeforeFurniture => {
            let message = format!("this random trap can be on the same square as {}, created later", case.terrain);
            (Code::TrapOnFurniture, message)
        }
        Defect::HoleAtBottom => {
            (Code::HoleAtBottom, format!("{what} leads nowhere: this is the last level of its dungeon"))
        }
        Defect::TrapInShop => (Code::TrapInShop, format!("{what} is in a shop")),
        Defect::WayInShop => (Code::WayInShop, format!("the way to another level can be in this {what}")),
        Defect::ContainerInContainer => {
            (Code::ContainerInContainer, format!("{what} in a container can be a chest or a large box"))
        }
        Defect::TreasureTrapped => {
            (Code::TrappedTreasure, format!("{what} with a wand of wishing is trapped in one game of ten"))
        }
        Defect::RareObjectTrapped => (
            Code::TrappedTreasure,
            format!("{what} with an object that is not made at random is trapped in one game of ten"),
        ),
        Defect::NoBell => (Code::NoBell, format!("{what} has no Bell of Opening: this inventory replaces its own")),
        Defect::FewBoulders => (Code::BoulderPuzzle, "this level has fewer boulders than pits and holes".to_owned()),
        Defect::Unsolvable => (Code::BoulderPuzzle, "this puzzle of boulders has no solution".to_owned()),
        Defect::BouldersBehindGaps => {
            let message = "no boulder can be reached from the stairs down without crossing a pit or hole";
            (Code::BoulderPuzzle, message.to_owned())
        }
        Defect::ArrivalApart => (
            Code::ClosedArrival,
            format!("a hero who falls in can arrive on {what} that cannot be left without digging"),
        ),
        Defect::LacksWay(way) => {
            let message = format!(
                "this level has no way {}, and is not at the {} of its dungeon",
                way.word(),
                match way {
                    Way::Up => "top",
                    Way::Down => "bottom",
                }
            );
            (Code::DeadEnd, message)
        }
        Defect::LeadsNowhere(way) => (
            Code::DeadEnd,
            format!("these stairs {} are at the end of their dungeon: the game does not make them", way.word()),
        ),
        Defect::ArrivalInAir => {
            (Code::ClosedArrival, "a hero who falls or teleports into this level can arrive in the air".to_owned())
        }
        Defect::NotTheArtifact => {
            (Code::ArtifactObject, format!("{what} is not the artifact, which is another object"))
        }
        Defect::MisspeltArtifact => {
            (Code::ArtifactObject, format!("{what} is not an artifact: the name is only similar to that of one"))
        }
        Defect::ArtifactTwice => {
            (Code::ArtifactTwice, format!("{what} already exists in this level: an artifact is unique"))
        }
        Defect::RockInThroneRoom => (
            Code::RockInFilledRoom,
            format!("this throne room has {} inside, and can get its throne and chest there", case.terrain),
        ),
        Defect::NoNemesis => (Code::NoNemesis, "this level never has the nemesis of its quest".to_owned()),
        Defect::LitByChance => {
            (Code::LitByChance, "this level is lit in one game of two, and dark in the others".to_owned())
        }
        Defect::ShortRegion => (
            Code::ShortRegion,
            format!(
                "{what} at the edge of this map {} other light than the rest",
                if what == "1 square" { "has" } else { "have" }
            ),
        ),
        Defect::NoShrine => {
            (Code::NoEffect, "the altar is not in a temple: the game makes neither a shrine nor a priest".to_owned())
        }
        Defect::TrapReplaced => (Code::PassedOver, "this trap replaces another one at the same place".to_owned()),
        Defect::GapInWall => (
            Code::GapInWall,
            format!("{what} of floor in this map {} next to solid rock", if what == "1 square" { "is" } else { "are" }),
        ),
        Defect::LacksTrait(_) => (Code::MissingTrait, what.clone()),
        Defect::RockInShop => (
            Code::RockInFilledRoom,
            format!("this {what} has {} inside: its region does not match the map", case.terrain),
        ),
        Defect::StatueBelowTrap => {
            (Code::StatueOfTrap, "this statue trap puts a statue of its own on top of the one here".to_owned())
        }
        Defect::StatueTrapAtRisk => {
            (Code::StatueOfTrap, "a random trap created later can replace this statue trap".to_owned())
        }
        Defect::TrapWithoutStatue => {
            (Code::StatueOfTrap, "no statue is on this statue trap, unlike the others of the level".to_owned())
        }
        Defect::OddAttitude => {
            (Code::OddAttitude, format!("{what} can be peaceful or hostile, unlike the others of the level"))
        }
        Defect::OddLeader => (
            Code::OddAttitude,
            format!("{} can be peaceful, in the company of hostile monsters", what.trim_start_matches("the ")),
        ),
        Defect::DarkMapInLitCavern => {
            (Code::ShortRegion, "this map is dark, and the cavern that it is open to is lit".to_owned())
        }
        Defect::NoPuzzleRules => {
            let message = "this puzzle of boulders lacks the flag `sokoban`: the game does not apply its rules";
            (Code::BoulderPuzzle, message.to_owned())
        }
        Defect::NoEffect => (Code::NoEffect, "this statement changes nothing".to_owned()),
        Defect::NeverRuns => (Code::NeverRuns, "this statement never runs".to_owned()),
    }
}

/// Returns advice, unless it is obvious.
fn help(defect: Defect) -> Option<&'static str> {
    Some(match defect {
        Defect::RoomFails => "use fewer or smaller rooms, or fixed places",
        Defect::ShopWithoutDoor => "a shop needs one door in its wall",
        Defect::TrapOnFurniture | Defect::TrapInShop => {
            "choose the places of traps from a selection without these squares"
        }
        Defect::WayInShop => "choose a region or place outside of the shop",
        Defect::TrapBeforeFurniture => "put altars, fountains and stairs before random traps",
        Defect::LitByChance => "give des.level_init the key lit",
        Defect::ShortRegion => "extend the region to the edge of the map",
        Defect::GapInWall => "draw the wall or the floor that is missing",
        Defect::RockInShop => "correct the corners of the region",
        Defect::StatueTrapAtRisk => "put the random traps first",
        Defect::StatueBelowTrap => "put the trap before the statue",
        Defect::TrapWithoutStatue => "correct the place of the trap or of the statue",
        Defect::OddAttitude | Defect::OddLeader => "say that it is hostile or peaceful",
        Defect::DarkMapInLitCavern => "give the cavern the light of the map",
        Defect::NoPuzzleRules => "add the flag to des.level_flags",
        Defect::RockInThroneRoom => "write irregular, or correct the corners of the region",
        Defect::ContainerInContainer => "name the tool",
        Defect::TreasureTrapped | Defect::RareObjectTrapped => "say that it is not trapped",
        Defect::NoBell => "add the Bell of Opening to the inventory, or keep the monster's own",
        Defect::BouldersBehindGaps => "swap the stairs if they are reversed: the hero arrives from below",
        Defect::LeadsNowhere(_) => "place the way to the other dungeon with BRANCH",
        Defect::ArrivalInAir | Defect::ArrivalApart => "add a teleport region, so that heroes arrive elsewhere",
        Defect::StairsApart(_) => "connect them with a door or corridor, or add an arrival region",
        _ => return None,
    })
}
