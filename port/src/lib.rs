//! Levels from one game to another.
//!
//! A port takes the levels of one game and says the same in the language of another, as far as that has words for it.
//! It is a row of *passes* ([`PASSES`]), each of them small, with a name, a condition, and a sentence about what it
//! keeps; a pass takes levels and leaves levels. What became of each statement is in the *account*
//! ([`Account`]): kept, changed (by which pass, how, and whether the level is still the same), or lost.
//!
//! Five ways lead from game to game, and a port finds its own by what the catalogs say:
//!
//! - **richer**, from lists of things (NetHack 3.4.3) to scripts: what the loader of the lists does by itself is written
//!   down;
//! - **poorer**, from scripts to lists of things: what a script comes to whatever the dice say is worked out and written
//!   down; what depends on them otherwise is an error;
//! - **between scripts**: what the other language has no word for is said in other words, or is lost with a word;
//! - to the Lua scripts of NetHack 5 as to a script of any game, and then in the words of its functions;
//! - names of either go over by a table of [stand-ins](StandIns), which users can extend.
//!
//! Nothing here runs a level. This crate depends on `splc-ir` alone; whether a port makes the same level is asked
//! where the VM is at hand.
//!
//! ```
//! use splc_ir::catalog::Catalog;
//! use splc_port::{Options, port};
//!
//! # let module = splc_ir::level::Module::default();
//! let from = Catalog::by_name("nethack-3.4.3").unwrap();
//! let to = Catalog::by_name("unnethack-6.0.4").unwrap();
//! let ported = port(&module, from, to, &Options::default());
//! for level in ported.account.levels() {
//!     println!("{}: {:?}", level.name, level.verdict);
//! }
//! ```
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod account;
mod counters;
mod forms;
mod free_places;
mod functions;
mod left_over;
mod lua;
mod names;
mod origins;
mod passes;
mod poorer;
mod richer;
mod scripts;
mod settled;
mod stand_ins;
mod switches;
mod to_come;
mod walls;
mod work;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use splc_ir::catalog::{Catalog, Format, Habit, Habits, LoaderRule, LoaderRules, NEVER_RANDOM, Name, Species, Table};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevel, LintLevels};
use splc_ir::level::{Item, Level, Module};
use splc_ir::source::{Span, Text};

pub use account::{
    Account, Added, Effect, Entry, MonstersToCome, Note, Outcome, SCHEMA, SCHEMA_VERSION, Section, SectionKind, Verdict,
};
pub use passes::{PASSES, Pass};
pub use stand_ins::{Kind, Replaced, Replacements, StandInError, StandIns, Unused};

use origins::{Origin, Origins};
use work::Work;

/// Rules of loaders that are about how a level is read, or for which a port makes up: a ported level is meant for them as
/// the target has them.
const PORTED_RULES: &[LoaderRule] = &[
    LoaderRule::RandomFlips,
    LoaderRule::GrowsBackwards,
    LoaderRule::ParametersAreReversed,
    LoaderRule::WallifyTakesRegions,
    LoaderRule::SpillTakesNumbers,
    LoaderRule::FilledIsAFlag,
    LoaderRule::GradientsCoverTheirMiddle,
    LoaderRule::DoorsHaveMaterials,
];

/// The game of `to` with the loader of `from`, as far as that is not about how a level is read: what a level that was
/// ported from the one to the other is made by, if it is asked whether the port itself keeps the level.
pub fn with_loader_of(to: &Catalog, from: &Catalog) -> Catalog {
    let is_of = |rule: LoaderRule| match is_ported(rule, from, to) {
        true => to.loader.rules.has(rule),
        false => from.loader.rules.has(rule),
    };
    let mut hybrid = to.clone();
    hybrid.loader.rules = rules(is_of);
    hybrid.loader.stocked_rooms = from.loader.stocked_rooms.clone();
    hybrid.loader.escape_items = common_tools(from, to);
    hybrid.monsters = monsters(to, from).into();
    if to.format == Format::Lua {
        // Scripts know traps by their names alone.
        hybrid.traps = traps(to, from).into();
        hybrid.loader.trap_types = from.loader.trap_types;
        hybrid.loader.vibrating_square = from.loader.vibrating_square;
        hybrid.loader.deep_traps = as_told(from, to).loader.deep_traps;
    } else {
        hybrid.loader.deep_traps = deep_traps(to, from).into();
    }
    hybrid
}

/// The tools that the loader of `from` leaves where there is no other way out, as far as `to` knows them.
fn common_tools(from: &Catalog, to: &Catalog) -> Table<Name> {
    let known = |tool: &&Name| match tool.split_once('@') {
        Some((name, class)) => to.object(name, class.chars().next()).is_some(),
        None => to.object(tool, None).is_some(),
    };
    from.loader.escape_items.iter().filter(known).cloned().collect::<Vec<_>>().into()
}

/// The traps of `to` with the numbers that `from` has for them; the others behind those that `from` draws from.
fn traps(to: &Catalog, from: &Catalog) -> Vec<(Name, i32)> {
    let mut next = from.loader.trap_types;
    let mut number = |name: &str| {
        from.trap(name).unwrap_or_else(|| {
            next += 1;
            next - 1
        })
    };
    to.traps.iter().map(|(name, _)| (name.clone(), number(name))).collect()
}

/// What tells where a monster can be. The other habits are asked for by NetHack 5 alone, which alone tells them.
const PLACE_HABITS: &[Habit] = &[
    Habit::Swim,
    Habit::Fly,
    Habit::Cling,
    Habit::WalkWalls,
    Habit::Amorphous,
    Habit::Amphibious,
    Habit::Breathless,
    Habit::ThrowsRocks,
    Habit::LavaOk,
    Habit::Flaming,
    Habit::Floater,
    Habit::Noncorporeal,
];

/// The monsters of `to` as they are in `from`, those of another name there by the names that `to` has for them, too.
fn monsters(to: &Catalog, from: &Catalog) -> Vec<Species> {
    let mut monsters = to.monsters.to_vec();
    for species in from.monsters.iter().filter(|species| !species.name.is_empty()) {
        let known = to.monster(&species.name, Some(species.class)).and_then(|(number, _)| usize::try_from(number).ok());
        if let Some(there) = known.and_then(|number| monsters.get_mut(number)) {
            there.habits = Habit::ALL.iter().fold(Habits::of(&[]), |habits, &habit| {
                let of = if PLACE_HABITS.contains(&habit) { species.habits } else { there.habits };
                if of.has(habit) { habits.with(habit) } else { habits }
            });
        }
    }
    monsters
}

/// The difficulties from which on random traps of `to` come as they do in `from`, where some never come.
fn deep_traps(to: &Catalog, from: &Catalog) -> Vec<(u16, u16)> {
    let of_source = |name: &str| match from.trap(name) {
        Some(kind) => {
            let deep = from.loader.deep_traps.iter();
            deep.filter(|(deep, _)| i32::from(*deep) == kind).map(|(_, difficulty)| *difficulty).max()
        }
        None => Some(NEVER_RANDOM),
    };
    let kinds = to.traps.iter().filter_map(|(name, kind)| Some((u16::try_from(*kind).ok()?, of_source(name)?)));
    let unnamed = (1..to.loader.trap_types).filter(|kind| !to.traps.iter().any(|(_, known)| known == kind));
    kinds.chain(unnamed.filter_map(|kind| Some((u16::try_from(kind).ok()?, NEVER_RANDOM)))).collect()
}

/// Whether a port makes up for what two loaders do otherwise by this rule.
fn is_ported(rule: LoaderRule, from: &Catalog, to: &Catalog) -> bool {
    match rule {
        // A place that says what it is like says so to every loader; Lua levels have no words for it.
        LoaderRule::SwimmersAloneGetWet => from.loader.rules.has(rule) && to.format != Format::Lua,
        // An opcode is no draw of a thing. In Lua, what draws a chance is known by its name.
        LoaderRule::ThingsDrawTheirChance => to.format != Format::Lua,
        rule => PORTED_RULES.contains(&rule),
    }
}

/// The rules for which the loaders of two games differ, but for those that are about how a level is read.
pub fn other_rules(from: &Catalog, to: &Catalog) -> Vec<LoaderRule> {
    let differs =
        |rule: &LoaderRule| !is_ported(*rule, from, to) && from.loader.rules.has(*rule) != to.loader.rules.has(*rule);
    LoaderRule::ALL.iter().copied().filter(differs).collect()
}

/// The game of `from` as a translation to `to` takes it: what the port only tells of is as the target has it. That is
/// whether levels are mirrored at random, where the target does not, which traps are random, and with which tools somebody
/// gets out who cannot otherwise: each would hide whatever else differs.
pub fn as_told(from: &Catalog, to: &Catalog) -> Catalog {
    let mut told = match to.loader.rules.has(LoaderRule::RandomFlips) {
        true => from.clone(),
        false => with_rule_of(from, LoaderRule::RandomFlips, to),
    };
    let lacking = from.traps.iter().filter(|(name, _)| to.trap(name).is_none());
    let never = lacking.filter_map(|(_, kind)| Some((u16::try_from(*kind).ok()?, NEVER_RANDOM)));
    told.loader.deep_traps = from.loader.deep_traps.iter().copied().chain(never).collect::<Vec<_>>().into();
    told.loader.escape_items = common_tools(from, to);
    told
}

/// `catalog` with `rule` as it is in `other`.
pub fn with_rule_of(catalog: &Catalog, rule: LoaderRule, other: &Catalog) -> Catalog {
    let mut changed = catalog.clone();
    changed.loader.rules = rules(|known| if known == rule { other } else { catalog }.loader.rules.has(known));
    changed
}

fn rules(is_of: impl Fn(LoaderRule) -> bool) -> LoaderRules {
    LoaderRule::ALL.iter().filter(|rule| is_of(**rule)).fold(LoaderRules::of(&[]), |rules, &rule| rules.with(rule))
}

/// Whether a port may change what a level is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// What the target lacks is replaced or left out, and warned of.
    #[default]
    Lenient,
    /// Whatever is not the same in the target is an error.
    Strict,
}

/// What is asked of a port.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What stands for names that the target lacks.
    pub stand_ins: StandIns,
    /// Whether the level may become another one.
    pub strictness: Strictness,
    /// Settles by dice of this seed what a script leaves to chance and lists of things cannot: how often, which of
    /// several. What lists can leave to chance stays so.
    pub instantiate: Option<u64>,
    /// What levels came to when they were run, by their positions among the levels of the module, where that is to go
    /// over in their place.
    pub settled: BTreeMap<usize, Settled>,
    /// Which version of each level this is, if there are several.
    pub version: Option<Version>,
}

/// One of several versions of a level. Its number becomes part of the name: `NAME-1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// Its number, from 1.
    pub number: u32,
    /// How many there are: all of them are called alike but for the number, however few letters a name may have.
    pub of: u32,
}

/// What a level came to in one run.
#[derive(Clone, Debug)]
pub struct Settled {
    /// Statements without variables and jumps, with the places of those that they came from.
    pub level: Level,
    /// The places of statements of which something is drawn in its maps.
    pub drawn: Vec<Span>,
    /// The places of statements of which something was above its map, and is at the edge of that now.
    pub moved: Vec<Span>,
    /// How many squares that are not rock lie where no map of the target reaches.
    pub out_of_reach: usize,
}

/// What a port has come to.
#[derive(Clone, Debug)]
pub struct Ported {
    /// The levels that went over, for the target; with the places of their source.
    pub module: Module,
    /// What became of everything.
    pub account: Account,
    /// What there is to say: errors for levels that cannot go over, warnings for what is not the same any more.
    pub diagnostics: Diagnostics,
}

/// Ports all of `module`, which was [checked](splc_ir::check::check) for the game of `from` without errors, to the game
/// of `to`.
///
/// What is in the module of the result passes the check for `to`, and holds nothing that it [lacks](mod@splc_ir::lacks).
pub fn port(module: &Module, from: &Catalog, to: &Catalog, options: &Options) -> Ported {
    let mut module = flattened(module);
    if let Some(Version { number, .. }) = options.version {
        for level in richer::levels(&mut module) {
            level.name.node = Text::from(format!("{}-{number}", level.name.node));
        }
    }
    let origins = Origins::number(&mut module);
    let mut work = Work {
        from,
        to,
        dice: options.instantiate,
        version: options.version,
        stand_ins: &options.stand_ins,
        settled: &options.settled,
        reached: HashSet::new(),
        origins,
        pass: "",
        replaced: BTreeSet::new(),
        failures: Vec::new(),
        told: HashSet::new(),
    };
    for pass in PASSES.iter().filter(|pass| pass.applies(from, to)) {
        work.pass = pass.name;
        pass.run(&mut work, &mut module);
    }
    let Work { origins, failures, replaced, .. } = work;
    // Who asked for the port decides what is shown.
    let mut lints = LintLevels::default();
    lints.set(Code::PortGames, LintLevel::Warn);
    let mut diagnostics = Diagnostics::with_lints(lints);
    for (_, span, what, help) in &failures {
        let mut diagnostic = Diagnostic::new(Code::PortImpossible, *span, what.clone());
        diagnostic.help = help.map(str::to_owned);
        diagnostics.push(diagnostic);
    }
    let failed: Vec<Origin> = failures.into_iter().map(|(origin, ..)| origin).collect();
    let failed_sections: Vec<Origin> = failed.iter().map(|&origin| origins.section(origin)).collect();
    module.items.retain(|item| {
        let span = match item {
            Item::Level(level) => level.span,
            Item::Function(function) => function.span,
            Item::Include { .. } => return false,
        };
        Origin::of(span).is_none_or(|origin| !failed_sections.contains(&origin))
    });
    let mut account = origins.settle(&mut module, &failed);
    account.replaced = replaced.into_iter().collect();
    if to.format == Format::Parts {
        // What they do stands where they were called.
        module.items.retain(|item| !matches!(item, Item::Function(_)));
    }
    tell(&account, options.strictness, &mut diagnostics);
    Ported { module, account, diagnostics }
}

/// A copy of `module` in which included items stand where their INCLUDE stood: the files that it names are not ported.
fn flattened(module: &Module) -> Module {
    let items = module.all_items().filter(|item| !matches!(item, Item::Include { .. })).cloned().collect();
    Module { items, ..module.clone() }
}

/// Says what is not the same any more.
fn tell(account: &Account, strictness: Strictness, diagnostics: &mut Diagnostics) {
    // Of what does not go over at all, errors say why.
    let over = account.sections.iter().filter(|section| section.verdict != Verdict::NotAtAll);
    let all = over.flat_map(|section| {
        let of_level = section.notes.iter().map(|note| (section.span, note));
        of_level.chain(section.entries.iter().flat_map(|entry| entry.notes.iter().map(|note| (entry.span, note))))
    });
    for (span, note) in all.filter(|(_, note)| note.effect != Effect::Same) {
        let code = match (strictness, note.effect) {
            (_, Effect::Game) => Code::PortGames,
            (Strictness::Strict, _) => Code::PortImpossible,
            (Strictness::Lenient, Effect::Lost) => Code::PortLost,
            (Strictness::Lenient, _) => Code::PortDiffers,
        };
        diagnostics.push(Diagnostic::new(code, span, note.what.clone()));
    }
}
