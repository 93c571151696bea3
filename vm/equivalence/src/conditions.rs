//! Games around a level for which a verdict holds.
//!
//! A level can query the depth, the hero, the time, and so can its loader. A verdict on levels that query nothing
//! holds in every game. If they query a part with few values, all of its values are gone through. The verdict is
//! limited to the values tried for all other parts.

use splc_ir::order::Order;
use std::collections::BTreeSet;

use splc_vm::{Alignment, Hero, Prepared, Settings, Surrounding, Surroundings, clock_in_words, telling_times};

use crate::limits::{DEPTHS, DIFFICULTIES, MAX_CASES};

/// The games for which a verdict holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// Parts of the game that the levels query, and of which every value was tried.
    pub varied: Vec<Surrounding>,
    /// Parts of the game that the levels query, and of which a single value was tried, in words: "at depth 5".
    pub fixed: Vec<String>,
}

impl Conditions {
    /// Conditions of a verdict found with these settings alone.
    pub(crate) fn fixed(requested: Surroundings, settings: &Settings) -> Self {
        Conditions {
            varied: Vec::new(),
            fixed: {
                let mut fixed: Vec<String> = requested.iter().map(|part| in_words(part, settings)).collect();
                fixed.dedup();
                fixed
            },
        }
    }

    /// Returns true if the verdict holds in every game.
    pub fn is_everywhere(&self) -> bool {
        self.fixed.is_empty()
    }

    /// Describes the games for which the verdict holds: one clause, or `None` if the levels query nothing.
    pub fn in_words(&self) -> Option<String> {
        let varied: Vec<&str> = self.varied.iter().map(|part| name(*part)).collect();
        match (varied.as_slice(), self.fixed.as_slice()) {
            ([], []) => None,
            (varied, []) => Some(format!("tried for every {}", varied.join(" and every "))),
            ([], fixed) => Some(fixed.join(", ")),
            (varied, fixed) => Some(format!("{}, tried for every {}", fixed.join(", "), varied.join(" and every "))),
        }
    }
}

fn name(part: Surrounding) -> &'static str {
    match part {
        Surrounding::Depth => "depth",
        Surrounding::Difficulty => "difficulty",
        Surrounding::DungeonAlignment => "alignment of the dungeon",
        Surrounding::HeroAlignment => "alignment of the hero",
        Surrounding::HeroRole => "role",
        Surrounding::HeroRace => "race",
        Surrounding::HeroName => "name of the hero",
        Surrounding::HeroCarries => "inventory",
        Surrounding::Clock => "time",
        Surrounding::Date => "date",
        Surrounding::Progress => "progress of the game",
        Surrounding::Own => "answer of the game's own functions",
    }
}

/// Describes the value of a part of the game.
fn in_words(part: Surrounding, settings: &Settings) -> String {
    let hero = &settings.hero;
    match part {
        Surrounding::Depth => format!("at depth {}", settings.depth),
        Surrounding::Difficulty => format!("at difficulty {}", settings.difficulty),
        Surrounding::DungeonAlignment => match settings.alignment {
            None => "in a dungeon without an alignment".to_owned(),
            Some(known) => format!("in a {} dungeon", known.as_str()),
        },
        Surrounding::HeroAlignment => format!("for a {} hero", hero.alignment.as_str()),
        Surrounding::HeroRole => format!("for the role {}", hero.role),
        Surrounding::HeroRace => format!("for the race {}", hero.race),
        Surrounding::HeroName => format!("for a hero named \"{}\"", hero.name),
        Surrounding::HeroCarries if hero.carries.is_empty() => "with an empty inventory".to_owned(),
        Surrounding::HeroCarries => format!("with {} given objects in the inventory", hero.carries.len()),
        Surrounding::Clock | Surrounding::Date => format!("on {}", clock_in_words(settings.clock)),
        Surrounding::Progress => "at the beginning of a game".to_owned(),
        Surrounding::Own => "if the game's own functions and values answer nothing".to_owned(),
    }
}

/// The games to try for a proof.
pub(crate) struct Cases {
    /// Settings of each game, without those already tried.
    pub settings: Vec<Settings>,
    /// Conditions of a proof for all of them.
    pub conditions: Conditions,
}

/// Returns the games that cover every value of the parts in `asked`, as far as there are at most `most`. Parts in
/// `given` keep their value.
pub(crate) fn cases(
    settings: &Settings,
    requested: Surroundings,
    given: Surroundings,
    levels: [&Prepared; 2],
    most: usize,
) -> Cases {
    let mut all = vec![settings.clone()];
    let mut conditions = Conditions::default();
    let mut parts: Vec<(Surrounding, Vec<Settings>)> = requested
        .iter()
        .map(|part| (part, if given.has(part) { Vec::new() } else { values(part, settings, levels) }))
        .collect();
    // Parts with few values first, so that many parts are varied.
    parts.order_by_key(|(_, values)| values.len());
    for (part, values) in parts {
        if values.is_empty() || all.len() * values.len() > most.min(MAX_CASES) {
            conditions.fixed.push(in_words(part, settings));
            continue;
        }
        all = all.iter().flat_map(|base| values.iter().map(|value| with(base, part, value))).collect();
        conditions.varied.push(part);
    }
    all.retain(|case| case != settings);
    Cases { settings: all, conditions }
}

/// Returns `base` with a part taken from `value`.
fn with(base: &Settings, part: Surrounding, value: &Settings) -> Settings {
    let mut case = base.clone();
    match part {
        Surrounding::Depth => case.depth = value.depth,
        Surrounding::Difficulty => case.difficulty = value.difficulty,
        Surrounding::DungeonAlignment => case.alignment = value.alignment,
        Surrounding::HeroAlignment => case.hero.alignment = value.hero.alignment,
        Surrounding::HeroRole => case.hero.role.clone_from(&value.hero.role),
        Surrounding::HeroRace => case.hero.race.clone_from(&value.hero.race),
        Surrounding::Clock => case.clock = value.clock,
        Surrounding::HeroName
        | Surrounding::HeroCarries
        | Surrounding::Date
        | Surrounding::Progress
        | Surrounding::Own => {}
    }
    case
}

/// Returns settings with every value of a part; none if there are too many values.
fn values(part: Surrounding, settings: &Settings, levels: [&Prepared; 2]) -> Vec<Settings> {
    let each = |change: &dyn Fn(&mut Settings)| {
        let mut case = settings.clone();
        change(&mut case);
        case
    };
    let alignments = Alignment::ALL;
    match part {
        Surrounding::Depth => {
            DEPTHS.filter(|&depth| depth != 0).map(|depth| each(&|case| case.depth = depth)).collect()
        }
        Surrounding::Difficulty => DIFFICULTIES.map(|number| each(&|case| case.difficulty = number)).collect(),
        Surrounding::DungeonAlignment => {
            let known = alignments.into_iter().map(Some).chain([None]);
            known.map(|known| each(&|case| case.alignment = known)).collect()
        }
        Surrounding::HeroAlignment => {
            alignments.into_iter().map(|known| each(&|case| case.hero.alignment = known)).collect()
        }
        Surrounding::HeroRole => {
            let roles = [levels[0], levels[1]].into_iter().flat_map(|level| Hero::roles(level.catalog()));
            let roles: BTreeSet<String> = roles.chain([settings.hero.role.clone()]).collect();
            roles.iter().map(|role| each(&|case| case.hero.role.clone_from(role))).collect()
        }
        Surrounding::HeroRace => {
            let races: BTreeSet<&str> = Hero::RACES.into_iter().chain([settings.hero.race.as_str()]).collect();
            races.iter().map(|race| each(&|case| case.hero.race = (*race).to_owned())).collect()
        }
        Surrounding::Clock => telling_times().into_iter().map(|time| each(&|case| case.clock = time)).collect(),
        Surrounding::HeroName
        | Surrounding::HeroCarries
        | Surrounding::Date
        | Surrounding::Progress
        | Surrounding::Own => Vec::new(),
    }
}
