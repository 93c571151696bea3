//! Ports levels from one game to another.
//!
//! A port rewrites the levels of one game in the language of another, as far as that language can express them. It is a
//! sequence of small *passes* ([`PASSES`]). Each pass takes levels and returns levels, and has a name, a condition and
//! a sentence that says what it preserves. The *account* ([`Account`]) records the fate of each statement: kept,
//! changed (by which pass, how, and whether the level is still the same), or lost.
//!
//! The catalogs of the two games select the passes:
//!
//! - **richer**, from lists of things (NetHack 3.4.3) to scripts: everything that the loader of the lists does
//!   implicitly is written out;
//! - **poorer**, from scripts to lists of things: the parts of a script that do not depend on the dice are evaluated
//!   and written out; any other dependence on them is an error;
//! - **between scripts**: a construct that the other language lacks is rewritten, or is lost with a warning;
//! - to the Lua scripts of NetHack 5: as to any other script, then adapted to the functions of Lua levels;
//! - names are replaced in every direction from a table of [stand-ins](StandIns), which users can extend.
//!
//! Nothing here runs a level, and this crate depends on `splc-ir` alone. Callers that have the VM verify that a port
//! generates the same level.
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
mod flags;
mod forms;
mod free_places;
mod functions;
mod left_over;
mod lua;
mod monster_generation;
mod names;
mod origins;
mod own_names;
mod passes;
mod poorer;
mod resolved;
mod richer;
mod scripts;
mod stand_ins;
mod switches;
mod translated;
mod tree;
mod walls;
mod work;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use splc_ir::catalog::{Catalog, Format, Habit, Habits, LoaderRule, LoaderRules, NEVER_RANDOM, Name, Species, Table};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevel, LintLevels};
use splc_ir::level::{Item, Level, Module};
use splc_ir::source::{Span, Text};

pub use account::{
    Account, Added, Effect, Entry, MonsterGeneration, Note, Outcome, SCHEMA, SCHEMA_VERSION, Section, SectionKind,
    Verdict,
};
pub use passes::{PASSES, Pass};
pub use stand_ins::{Kind, Replaced, Replacements, StandInError, StandIns, Unused};
pub use translated::Difference;

use origins::{Origin, Origins};
use work::Work;

/// Loader rules that only affect how a level is read, or for which a port compensates. A ported level is written for
/// the target's version of these rules.
const PORTED_RULES: &[LoaderRule] =
    &[LoaderRule::RandomFlips, LoaderRule::GrowsBackwards, LoaderRule::GradientsCoverTheirMiddle];

/// Returns the game of `to` with the loader of `from`, except for the rules for which a port compensates. Running a
/// ported level with it shows whether the port itself preserves the level.
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
        // Scripts refer to traps by name only.
        hybrid.traps = traps(to, from).into();
        hybrid.loader.trap_types = from.loader.trap_types;
        hybrid.loader.vibrating_square = from.loader.vibrating_square;
        hybrid.loader.deep_traps = as_noted(from, to).loader.deep_traps;
    } else {
        hybrid.loader.deep_traps = deep_traps(to, from).into();
        // Without this, the last types of the other game would be those of doors and chests.
        if from.loader.rules.has(LoaderRule::DoorsAndChestsAreTraps) {
            hybrid.loader.trap_types = from.loader.trap_types;
        }
    }
    hybrid
}

/// Returns the escape items that the loader of `from` may leave in unreachable parts, as far as `to` has them.
fn common_tools(from: &Catalog, to: &Catalog) -> Table<Name> {
    let known = |tool: &&Name| match tool.split_once('@') {
        Some((name, class)) => to.object(name, class.chars().next()).is_some(),
        None => to.object(tool, None).is_some(),
    };
    from.loader.escape_items.iter().filter(known).cloned().collect::<Vec<_>>().into()
}

/// Returns the traps of `to` with their numbers in `from`. Traps that `from` lacks are numbered after its random traps.
fn traps(to: &Catalog, from: &Catalog) -> Vec<(Name, i64)> {
    let mut next = from.loader.trap_types;
    let mut number = |name: &str| {
        from.trap(name).unwrap_or_else(|| {
            next += 1;
            next - 1
        })
    };
    to.traps.iter().map(|(name, _)| (name.clone(), number(name).into())).collect()
}

/// Habits that decide where a monster can be placed. Only NetHack 5 uses the other habits, and only its catalog has
/// them.
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

/// Returns the monsters of `to` with the place habits that they have in `from`. Names are matched as `to` matches them.
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

/// Returns the minimum difficulties of random traps of `to`, taken from `from`. Traps that `from` lacks are never
/// random.
fn deep_traps(to: &Catalog, from: &Catalog) -> Vec<(u16, u16)> {
    let of_source = |name: &str| match from.trap(name) {
        Some(kind) => {
            let deep = from.loader.deep_traps.iter();
            deep.filter(|(deep, _)| i32::from(*deep) == kind).map(|(_, difficulty)| *difficulty).max()
        }
        None => Some(NEVER_RANDOM),
    };
    let kinds = to.traps.iter().filter_map(|(name, kind)| Some((u16::try_from(*kind).ok()?, of_source(name)?)));
    let unnamed =
        (1..to.loader.trap_types).filter(|kind| !to.traps.iter().any(|(_, known)| *known == i64::from(*kind)));
    kinds.chain(unnamed.filter_map(|kind| Some((u16::try_from(kind).ok()?, NEVER_RANDOM)))).collect()
}

/// Returns true if a port compensates for a difference between the two loaders in this rule.
fn is_ported(rule: LoaderRule, from: &Catalog, to: &Catalog) -> bool {
    match rule {
        // The port adds explicit terrain to random places, which every loader obeys. Lua levels cannot express it.
        LoaderRule::SwimmersAloneGetWet => from.loader.rules.has(rule) && to.format != Format::Lua,
        // In a level file the chance is an opcode, not a draw of the thing. In Lua it is recognised by its function's
        // name.
        LoaderRule::ThingsDrawTheirChance => to.format != Format::Lua,
        // No other game knows the sex of a monster while it loads a level.
        LoaderRule::MonstersHaveSexes => from.format == Format::Lua && to.format != Format::Lua,
        // A level file has bytes for coordinates, and -1 is a random place in some of them.
        LoaderRule::CoordinatesAreWide => from.format == Format::Lua && to.format != Format::Lua,
        rule => PORTED_RULES.contains(&rule),
    }
}

/// Returns the rules in which the loaders of two games differ, without those for which a port compensates.
pub fn other_rules(from: &Catalog, to: &Catalog) -> Vec<LoaderRule> {
    let differs =
        |rule: &LoaderRule| !is_ported(*rule, from, to) && from.loader.rules.has(*rule) != to.loader.rules.has(*rule);
    LoaderRule::ALL.iter().copied().filter(differs).collect()
}

/// Returns the game of `from` with the differences that a port to `to` only reports set as in the target: random
/// mirroring of levels where the target has none, the sexes of monsters, the choice of random traps, and the escape
/// items. Each of these would hide every other difference.
pub fn as_noted(from: &Catalog, to: &Catalog) -> Catalog {
    let mut adapted = match to.loader.rules.has(LoaderRule::RandomFlips) {
        true => from.clone(),
        false => with_rule_of(from, LoaderRule::RandomFlips, to),
    };
    if is_ported(LoaderRule::MonstersHaveSexes, from, to) {
        adapted = with_rule_of(&adapted, LoaderRule::MonstersHaveSexes, to);
    }
    let lacking = from.traps.iter().filter(|(name, _)| to.trap(name).is_none());
    let never = lacking.filter_map(|(_, kind)| Some((u16::try_from(*kind).ok()?, NEVER_RANDOM)));
    adapted.loader.deep_traps = from.loader.deep_traps.iter().copied().chain(never).collect::<Vec<_>>().into();
    adapted.loader.escape_items = common_tools(from, to);
    adapted
}

/// Returns `catalog` with `rule` set as in `other`.
pub fn with_rule_of(catalog: &Catalog, rule: LoaderRule, other: &Catalog) -> Catalog {
    let mut changed = catalog.clone();
    changed.loader.rules = rules(|known| if known == rule { other } else { catalog }.loader.rules.has(known));
    changed
}

fn rules(is_of: impl Fn(LoaderRule) -> bool) -> LoaderRules {
    LoaderRule::ALL.iter().filter(|rule| is_of(**rule)).fold(LoaderRules::of(&[]), |rules, &rule| rules.with(rule))
}

/// The treatment of differences between the source and the ported level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Replace or drop anything that the target lacks, with a warning.
    #[default]
    Lenient,
    /// Report every difference as an error.
    Strict,
}

/// Options of a port.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Replacements for names that the target lacks.
    pub stand_ins: StandIns,
    /// The treatment of differences.
    pub strictness: Strictness,
    /// The seed for resolving chance that a script can express and lists of things cannot: how often, which of several.
    /// Chance that lists can express stays. `None` leaves it unresolved.
    pub instantiate: Option<u64>,
    /// Levels resolved by running them, by position among the levels of the module. Each is ported in place of the
    /// original.
    pub resolved: BTreeMap<usize, Resolved>,
    /// The version of each level, if there are several.
    pub version: Option<Version>,
    /// Differences between a script and the module that it was translated to.
    pub differences: Vec<Difference>,
}

/// One of several versions of a level. Its number becomes part of the name: `NAME-1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// Its number, from 1.
    pub number: u32,
    /// The number of versions. All of them share one name before the number, however short names must be.
    pub of: u32,
}

/// The result of running a level once.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// Statements without variables and jumps, with the spans of the statements that produced them.
    pub level: Level,
    /// Spans of statements partly or fully drawn into the maps.
    pub drawn: Vec<Span>,
    /// Spans of statements that placed something above their map, moved to the map's edge.
    pub moved: Vec<Span>,
    /// The number of squares other than rock that no map of the target reaches.
    pub out_of_reach: usize,
}

/// A comment on a statement of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The span of the statement in the source.
    pub span: Span,
    /// One line, without a comment sign.
    pub text: String,
}

/// The result of a port.
#[derive(Clone, Debug)]
pub struct Ported {
    /// The ported levels, for the target, with spans in the source.
    pub module: Module,
    /// The fate of every statement.
    pub account: Account,
    /// Comments for its readers.
    pub remarks: Vec<Remark>,
    /// Errors for levels that cannot be ported, warnings for differences.
    pub diagnostics: Diagnostics,
}

/// Ports all of `module` from the game of `from` to the game of `to`. The module must have passed the
/// [check](splc_ir::check::check) for `from` without errors.
///
/// The resulting module passes the check for `to`, and contains nothing that `to` [lacks](mod@splc_ir::lacks).
pub fn port(module: &Module, from: &Catalog, to: &Catalog, options: &Options) -> Ported {
    let mut module = flattened(module);
    if let Some(Version { number, .. }) = options.version {
        for level in crate::tree::levels(&mut module) {
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
        resolved: &options.resolved,
        differences: &options.differences,
        reached: HashSet::new(),
        origins,
        pass: "",
        replaced: BTreeSet::new(),
        failures: Vec::new(),
        remarks: Vec::new(),
        reported: HashSet::new(),
    };
    for pass in PASSES.iter().filter(|pass| pass.applies(from, to)) {
        work.pass = pass.name;
        pass.run(&mut work, &mut module);
    }
    let Work { origins, failures, replaced, remarks, .. } = work;
    // A statement may be copied. Levels and functions themselves have no remarks.
    let mut remarked = HashSet::new();
    let is_new = |remark: &(Span, String)| origins.is_statement(remark.0) && remarked.insert(remark.clone());
    let remarks = remarks.into_iter().filter(is_new);
    let remarks = remarks.map(|(span, text)| Remark { span: origins.place(span), text }).collect();
    // The caller decides whether these are shown.
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
    let mut account = origins.resolve(&mut module, &failed);
    account.replaced = replaced.into_iter().collect();
    if to.format == Format::Parts {
        // Their bodies have been inlined into the calls.
        module.items.retain(|item| !matches!(item, Item::Function(_)));
    }
    report(&account, options.strictness, &mut diagnostics);
    Ported { module, account, remarks, diagnostics }
}

/// Returns a copy of `module` with included items in place of their INCLUDE. The included files are not ported.
fn flattened(module: &Module) -> Module {
    let items = module.all_items().filter(|item| !matches!(item, Item::Include { .. })).cloned().collect();
    Module { items, ..module.clone() }
}

/// Reports every difference.
fn report(account: &Account, strictness: Strictness, diagnostics: &mut Diagnostics) {
    // Errors have already been reported for sections that cannot be ported.
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
        diagnostics.push(Diagnostic::new(code, note.at.unwrap_or(span), note.what.clone()));
    }
}
