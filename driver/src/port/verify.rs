//! Verifies that a port keeps the level. There are two questions, because two things can change it:
//!
//! - *The translation*: the ported level, run by the loader of the source game, is compared with the source. The port
//!   has caused any difference.
//! - *The games*: the ported level, run by the loader of the target, is compared with the source. The target causes any
//!   difference that the translation does not show, with any level. The rules that affect this level are found by
//!   switching them one by one.

use std::collections::HashSet;
use std::sync::atomic::AtomicU64;

use splc_backends::output::{Output, Writer};
use splc_equivalence::{
    Aspect, Conditions, ERROR_PROBABILITY, Evidence, Fact, MadeWith, Names, Options, Parting, PartingKind, Proof,
    Together, Undecided, Verdict, compare, draw_for_draw, power,
};
use splc_ir::catalog::{Catalog, LoaderRule, Shared};
use splc_ir::diagnostic::Diagnostics;
use splc_ir::level::{Module, Statement, StatementKind};
use splc_ir::loadable::{Loadable, LuaLevel};
use splc_ir::source::{SourceMap, Span};
use splc_ir::visit::{VisitMut, walk_mut};
use splc_ir::wording::visible;
use splc_ir::words::Group;
use splc_port::{
    Account, Effect, Kind, Note, Replaced, Replacements, Section, SectionKind, as_noted, other_rules, with_loader_of,
    with_rule_of,
};
use splc_vm::{Machine, Prepared, Progress, SplitMix, Terrain};

use super::{Ported, Written};
use crate::compile::encoded;
use crate::read::lower_each;
use crate::target::Target;

/// The number of seeds for a first test if a level makes the same draws.
const DRAWN_SEEDS: u64 = 30;

/// A level that none of this many seeds makes is never made.
const MADE_SEEDS: u64 = 1000;

/// The comparison of a level with its port.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Name of the level.
    pub level: String,
    /// The verdict on the port itself.
    pub translation: Verdict,
    /// Differences there that notes of the account explain, each with the most relevant note.
    pub named: Vec<(Fact, Note)>,
    /// Differences there that no note of the account explains.
    pub unnamed: Vec<Fact>,
    /// The comparison of draws under the same loader.
    pub together: Together,
    /// The verdict on the target's loader.
    pub games: Verdict,
    /// The reason why the target can never generate the level, though the source game can.
    pub never_made: Option<String>,
    /// The differing loader rules that affect the level. With them, the source's loader generates the same level as the
    /// target's, draw for draw, on all tested seeds.
    pub rules: Vec<Touch>,
}

/// A differing loader rule and its effect on a level.
#[derive(Clone, Debug)]
pub struct Touch {
    /// Its name in catalogs.
    pub rule: String,
    /// The comparison of the level under the source's rules and all earlier entries with the level under this rule as
    /// well.
    pub change: Verdict,
}

/// A difference between two loaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Rule(LoaderRule),
    /// The choice of random traps.
    Traps,
    /// The rooms that are stocked.
    Rooms,
    /// The squares where monsters can be.
    Habits,
    /// The escape items in parts without a way out.
    Tools,
}

impl Turn {
    fn name(self) -> String {
        match self {
            Turn::Rule(rule) => rule.name(),
            Turn::Traps => "trap_types".to_owned(),
            Turn::Rooms => "stocked_rooms".to_owned(),
            Turn::Habits => "habits".to_owned(),
            Turn::Tools => "escape_items".to_owned(),
        }
    }

    /// Returns `catalog` with this property taken from `other`.
    fn of(self, catalog: &Catalog, other: &Catalog) -> Catalog {
        match self {
            Turn::Rule(rule) => with_rule_of(catalog, rule, other),
            Turn::Traps => {
                let mut turned = catalog.clone();
                turned.traps = other.traps.clone();
                turned.loader.trap_types = other.loader.trap_types;
                turned.loader.vibrating_square = other.loader.vibrating_square;
                turned.loader.deep_traps = other.loader.deep_traps.clone();
                turned
            }
            Turn::Rooms => {
                let mut turned = catalog.clone();
                turned.loader.stocked_rooms = other.loader.stocked_rooms.clone();
                turned
            }
            Turn::Habits => {
                let mut turned = catalog.clone();
                turned.monsters = other.monsters.clone();
                turned
            }
            Turn::Tools => {
                let mut turned = catalog.clone();
                turned.loader.escape_items = other.loader.escape_items.clone();
                turned
            }
        }
    }
}

impl Ported {
    /// Verifies each level. `options` has the number of seeds and the settings around the level. Levels that cannot be
    /// run at all are skipped. `progress` counts levels.
    pub fn verify(&self, options: &Options, progress: &Progress) -> Vec<Verified> {
        let games = self.games();
        let each = self.pairs().take_while(|_| !progress.is_stopped());
        let verified = each.map(|pair| {
            let verified = verify(&pair, &games, self, options);
            progress.count();
            verified
        });
        verified.flatten().collect()
    }

    /// Verifies only the translation, for levels whose name is `wanted`.
    pub fn verify_translation(&self, options: &Options, wanted: impl Fn(&str) -> bool) -> Vec<Translation> {
        let games = self.games();
        let pairs = self.pairs().filter(|pair| wanted(pair.source.name()));
        pairs.filter_map(|pair| Translation::of(&pair, &games, self, options)).collect()
    }

    fn games(&self) -> Games {
        let (from, to) = (self.from.catalog(), self.to.catalog());
        Games { before: Shared::from(as_noted(from, to)), hybrid: Shared::from(with_loader_of(to, from)) }
    }

    /// Returns the ported levels with their sources.
    fn pairs(&self) -> impl Iterator<Item = Pair<'_>> {
        let sources = match &self.script {
            Some(script) => vec![Loadable::Lua(script.clone())],
            None => loadables(&self.source, &self.from),
        };
        let results = self.results().unwrap_or_default();
        let names = names(&self.account, self.from.catalog(), self.to.catalog());
        let is_ported = |section: &&Section| section.verdict != splc_port::Verdict::NotAtAll;
        // Levels have the same order before and after, except for those that were not ported.
        let (before, after) = (self.account.levels().count(), self.account.levels().filter(is_ported).count());
        let all_there = before == sources.len() && after == results.len();
        let over = self.account.levels().zip(sources).enumerate().filter(|(_, (section, _))| is_ported(section));
        let pairs = over.zip(results.into_iter().enumerate()).filter(|_| all_there);
        let pairs = pairs.map(|((before, (section, source)), (after, result))| {
            let mut names = names.clone();
            for flag in &section.unsaid_flags {
                names.unsaid_flag(flag);
            }
            if let Some(monster_generation) = &section.monster_generation {
                names.monster_generation(monster_generation.share, &monster_generation.monsters);
            }
            Pair { section, at: [before, after], source, result, names }
        });
        pairs.collect::<Vec<Pair<'_>>>().into_iter()
    }

    /// Compares each level, run by the loader of its source game, with its source: the draws and the result, with the
    /// seeds of `options`, or over all possible draws if there are few. For a level that cannot be run, the reason is
    /// returned.
    pub fn translations(&self, options: &Options) -> Vec<SideBySide> {
        let games = self.games();
        let together = |pair: &Pair<'_>| {
            let source = Prepared::load(pair.source.clone(), &games.before).map_err(|error| error.to_string())?;
            let result = Prepared::load(pair.result.clone(), &games.hybrid).map_err(|error| error.to_string())?;
            let options = Options { names: pair.names.clone(), ..options.clone() };
            let together = draw_for_draw(&source, &result, &options, &AtomicU64::new(0));
            let Together::Separated(parting) = together else { return Ok(Drawn::Alike(together)) };
            let words = self.parting(&parting, pair, [&source, &result]);
            let named = match &parting.kind {
                PartingKind::Outcome(fact) => note_about(fact, pair.section, &self.account, |_, _| true).is_some(),
                PartingKind::Draw { .. } => false,
            };
            Ok(Drawn::Otherwise { words, named })
        };
        let side_by_side = |pair: Pair<'_>| SideBySide { level: pair.source.name().to_string(), made: together(&pair) };
        self.pairs().map(side_by_side).collect()
    }

    /// Describes the first difference between two runs with the same draws.
    fn parting(&self, parting: &Parting, pair: &Pair<'_>, [source, result]: [&Prepared; 2]) -> String {
        let drawn = |side: Option<(u32, usize)>, statement: &dyn Fn(Span) -> String, level: &Prepared| match side {
            None => "makes no more draws".to_owned(),
            Some((below, at)) => {
                let statement = level.span(at).and_then(Span::somewhere).map(statement);
                format!("draws one of {below} for `{}`", visible(&statement.unwrap_or_else(|| "the end".to_owned())))
            }
        };
        let line = |text: &str| text.lines().next().unwrap_or_default().trim().to_owned();
        match &parting.kind {
            PartingKind::Outcome(fact) => format!("the draws are the same, but only one has {fact}"),
            PartingKind::Draw { number, first, second } => {
                let first = drawn(*first, &|span| line(self.sources.text(span)), source);
                let script = match &pair.result {
                    Loadable::Lua(level) => Some(&level.text),
                    Loadable::Program(_) | Loadable::Parts(_) => None,
                };
                let of_result = |span: Span| match script {
                    Some(text) => line(text.get(span.start as usize..span.end as usize).unwrap_or_default()),
                    None => line(self.sources.text(span)),
                };
                let second = drawn(*second, &of_result, result);
                format!("after {number} common draws, the source {first} and the port {second}")
            }
        }
    }

    /// Returns the ported levels as their game loads them.
    fn results(&self) -> Option<Vec<Loadable>> {
        if let Written::Scripts(scripts) = &self.written {
            return Some(scripts.iter().map(|script| script_level(&script.level, script.text.clone())).collect());
        }
        self.made.as_ref().map(|made| loadables(made, &self.to))
    }
}

/// A level, its port, and the replaced names.
struct Pair<'p> {
    section: &'p Section,
    /// The indices of the level in the source and in the result.
    at: [usize; 2],
    source: Loadable,
    result: Loadable,
    names: Names,
}

/// The games of a translation: the source game, except for differences that a port only reports, and the target game
/// with the loader of the source.
struct Games {
    before: Shared,
    hybrid: Shared,
}

/// A level and its port, run by the same loader with the same draws.
#[derive(Clone, Debug)]
pub struct SideBySide {
    /// Name of the level.
    pub level: String,
    /// The comparison, or the reason why the level cannot be run.
    pub made: Result<Drawn, String>,
}

/// The comparison of a level and its port with the same draws.
#[derive(Clone, Debug)]
pub enum Drawn {
    /// Equal.
    Alike(Together),
    /// Different.
    Otherwise {
        /// A description of the first difference.
        words: String,
        /// Set if the draws are equal and the account explains the differences in the result.
        named: bool,
    },
}

/// The verification of a translation.
#[derive(Clone, Debug)]
pub struct Translation {
    /// Name of the level.
    pub level: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Differences that notes of the account explain, each with the most relevant note.
    pub named: Vec<(Fact, Note)>,
    /// Differences that no note of the account explains.
    pub unnamed: Vec<Fact>,
}

impl Translation {
    fn of(pair: &Pair<'_>, games: &Games, ported: &Ported, options: &Options) -> Option<Translation> {
        let source = Prepared::load(pair.source.clone(), &games.before).ok()?;
        let result = Prepared::load(pair.result.clone(), &games.hybrid).ok()?;
        let options = Options { names: pair.names.clone(), ..options.clone() };
        let verdict = verdict(&source, &result, &options);
        let (mut named, mut unnamed) = (Vec::new(), Vec::new());
        let mut without = None;
        if let Verdict::Different(difference) = &verdict {
            without = ported.without_reported(pair, games, &options);
            // A difference that stays without the changed things is not theirs.
            let only_things = ported.noted_words(pair).all(|word| made_by(word).is_some());
            let stays = |fact: &Fact| match &without {
                // The level as a whole still differs if a flag of the level does.
                Some((_, still)) => {
                    let part = !matches!(fact.aspect, Aspect::Level | Aspect::Whole);
                    only_things && part && still.contains(&fact.aspect)
                }
                None => false,
            };
            for fact in [&difference.fact].into_iter().chain(&difference.also) {
                // A flag that reaches this aspect explains it, whatever the statements do.
                let stays = stays(fact);
                // Neither does what is noted on the level depend on them, and an object that is drawn in the map stays
                // there without its statement.
                let drawn = |note: &Note| note.effect == Effect::Game && note.pass == OBJECTS_AS_TERRAIN;
                let explains =
                    |word: &str, note: &Note| note.flag.is_some() || !stays || word == WHOLE_LEVEL || drawn(note);
                match note_about(fact, pair.section, &ported.account, explains) {
                    Some(note) => named.push((fact.clone(), note.clone())),
                    None => unnamed.push(fact.clone()),
                }
            }
        }
        if !unnamed.is_empty()
            && let Some((note, still)) = without
        {
            let (without, with): (Vec<Fact>, Vec<Fact>) =
                unnamed.into_iter().partition(|fact| !still.contains(&fact.aspect));
            named.extend(without.into_iter().map(|fact| (fact, note.clone())));
            unnamed = with;
        }
        Some(Translation { level: pair.source.name().to_string(), verdict, named, unnamed })
    }
}

impl Ported {
    /// Keywords of the statements that notes of the account are about.
    fn noted_words<'p>(&'p self, pair: &'p Pair<'_>) -> impl Iterator<Item = &'static str> + 'p {
        let concerns =
            |section: &&Section| section.kind == SectionKind::Function || std::ptr::eq(*section, pair.section);
        let entries = self.account.sections.iter().filter(concerns).flat_map(|section| &section.entries);
        entries.filter(|entry| entry.notes.iter().any(is_expected)).map(|entry| entry.word)
    }

    /// Compares the levels without the statements that notes of the account are about. A changed statement can block or
    /// free the place of another thing, and such a difference then disappears. Returns the first of these notes and the
    /// aspects that still differ. `None` if this cannot be tried, because there are no such statements or others need
    /// them.
    fn without_reported(&self, pair: &Pair<'_>, games: &Games, options: &Options) -> Option<(Note, HashSet<Aspect>)> {
        // Scripts are not read back.
        let is_script = matches!(self.written, Written::Scripts(_));
        let made = self.made.as_ref().or(is_script.then_some(&self.module))?;
        let (mut reported, mut results, mut first) = (HashSet::new(), HashSet::new(), None);
        let sections = self.account.sections.iter();
        let entries = sections.flat_map(|section| section.entries.iter().map(move |entry| (section, entry)));
        for (at, (section, entry)) in entries.enumerate() {
            let concerns = section.kind == SectionKind::Function || std::ptr::eq(section, pair.section);
            // Removing the map would change everything.
            let note = entry.notes.iter().find(|note| is_expected(note)).filter(|_| concerns && entry.word != MAP);
            if let Some(note) = note {
                reported.insert(at);
                results.extend(entry.results.iter().copied());
                // A flag explains less than a statement.
                first = first.filter(|first: &&Note| first.flag.is_none()).or(Some(note));
            }
        }
        let first = first?.clone();
        let level = |module: &Module, gone: HashSet<usize>, target: &Target, at: usize, game: &Shared| {
            let level = loadables(&without(module, gone), target).into_iter().nth(at)?;
            Prepared::load(level, game).ok()
        };
        let source = level(&self.source, reported, &self.from, pair.at[0], &games.before)?;
        let result = level(made, results, &self.to, pair.at[1], &games.hybrid)?;
        let is_made = |level: &Prepared| {
            let mut machine = Machine::new();
            let seeds = options.first_seed..=options.first_seed.saturating_add(DRAWN_SEEDS);
            let mut seeds = seeds.map(SplitMix::new);
            seeds.any(|mut seed| machine.run(level, &options.settings, &mut seed, &mut ()).is_ok())
        };
        let whole = Prepared::load(pair.source.clone(), &games.before).ok()?;
        if !is_made(&source) && is_made(&whole) {
            return None;
        }
        let still = match verdict(&source, &result, options) {
            Verdict::Different(difference) => {
                [&difference.fact].into_iter().chain(&difference.also).map(|fact| fact.aspect).collect()
            }
            Verdict::Proven(..) | Verdict::NotDecided(_) => HashSet::new(),
        };
        Some((first, still))
    }
}

const MAP: &str = "MAP";

/// The pass that turns an object into terrain.
const OBJECTS_AS_TERRAIN: &str = "objects-as-terrain";

/// Returns a copy of `module` without some statements, given by position in reading order.
fn without(module: &Module, gone: HashSet<usize>) -> Module {
    struct Without {
        gone: HashSet<usize>,
        next: usize,
    }

    impl VisitMut for Without {
        fn block(&mut self, statements: &mut Vec<Statement>) {
            statements.retain_mut(|statement| {
                let at = self.next;
                self.statement(statement);
                let has_chance = matches!(statement.kind, StatementKind::Chance { .. });
                !(self.gone.contains(&at) || has_chance && self.gone.contains(&(at + 1)))
            });
        }

        fn statement(&mut self, statement: &mut Statement) {
            self.next += 1;
            walk_mut::statement(self, statement);
        }
    }

    let mut module = module.clone();
    Without { gone, next: 0 }.module(&mut module);
    module
}

/// Compares two levels. This is fast if they make the same draws.
fn verdict(source: &Prepared, result: &Prepared, options: &Options) -> Verdict {
    let done = AtomicU64::new(0);
    // If there are few possible draws, equality can be proven instead.
    let alike = |seeds: u64| draw_for_draw(source, result, &Options { seeds, ..options.clone() }, &done);
    if let Together::SoFar { .. } = alike(options.seeds.min(DRAWN_SEEDS))
        && let together @ Together::SoFar { seeds } = alike(options.seeds)
    {
        // No run differed, so there are no facts to count.
        let power = power(seeds, 1, ERROR_PROBABILITY);
        let conditions = Conditions::default();
        return Verdict::NotDecided(Undecided { seeds, facts: 0, power, together, conditions });
    }
    compare(source, result, options, &done)
}

/// Returns the note of the account most relevant to a fact, of those that `explains` allows: on a statement that makes
/// such things, on a statement that shapes the level, or on the level or a FUNCTION as a whole.
fn note_about<'a>(
    fact: &Fact,
    level: &'a Section,
    account: &'a Account,
    explains: impl Fn(&str, &Note) -> bool,
) -> Option<&'a Note> {
    let functions = account.sections.iter().filter(|section| section.kind == SectionKind::Function);
    let notes = [level].into_iter().chain(functions).flat_map(|section| {
        let of_level = section.notes.iter().map(|note| (WHOLE_LEVEL, note));
        of_level.chain(section.entries.iter().flat_map(|entry| entry.notes.iter().map(|note| (entry.word, note))))
    });
    let about = notes
        .filter(|(word, note)| is_expected(note) && explains(word, note) && note_is_about(word, note, fact.aspect));
    // The main effect of a statement comes before its side effects.
    let besides = |word: &str| {
        let at = made_by(word).and_then(|makes| makes.iter().position(|made| *made == fact.aspect));
        at.unwrap_or(usize::MAX)
    };
    let rank = |(word, note): &(&str, &Note)| (note.effect == Effect::Game, *word == WHOLE_LEVEL, besides(word));
    about.min_by_key(rank).map(|(_, note)| note)
}

fn note_is_about(word: &str, note: &Note, aspect: Aspect) -> bool {
    // An object that is terrain in the other game counts as floor for placement and movement.
    if note.effect == Effect::Game && matches!(note.pass, "names" | OBJECTS_AS_TERRAIN) {
        return !matches!(aspect, Aspect::Fault | Aspect::Level);
    }
    // Similarly, a random place may be any square of a room.
    if note.effect == Effect::Game && matches!(note.pass, "room-places" | "listed-places") {
        const PLACED: &[Aspect] = &[
            Aspect::Monster,
            Aspect::Object,
            Aspect::Gold,
            Aspect::Trap,
            Aspect::Writing,
            Aspect::Room,
            Aspect::Light,
            Aspect::Whole,
        ];
        return PLACED.contains(&aspect);
    }
    if let Some(flag) = &note.flag {
        // The level as a whole depends on each of its parts.
        return aspect == Aspect::Whole || flag_reaches(flag).is_none_or(|reached| reached.contains(&aspect));
    }
    is_about(word, aspect)
}

/// Returns the aspects that a level flag affects while a level is made; `None` means any.
fn flag_reaches(flag: &str) -> Option<&'static [Aspect]> {
    Some(match flag {
        "noflip" | "noflipx" | "noflipy" => return None,
        "premapped" | "corrmaze" | "mazelevel" => &[Aspect::Level, Aspect::Terrain, Aspect::Feature],
        // A way out of a closed part is a square, a trap, or an object such as a pick-axe (`ensure_way_out`).
        "inaccessibles" => {
            &[Aspect::Level, Aspect::Terrain, Aspect::Feature, Aspect::Trap, Aspect::Object, Aspect::Writing]
        }
        "solidify" | "icedpools" => &[Aspect::Level, Aspect::Feature],
        "noteleport" | "hardfloor" => &[Aspect::Level, Aspect::Trap],
        _ => &[Aspect::Level],
    })
}

/// Returns true if the note reports a difference that is part of the translation; see [`as_noted`].
fn is_expected(note: &Note) -> bool {
    note.effect != Effect::Same && !matches!(note.pass, "mirrors" | "random-traps" | "ways-out" | "monsters-to-come")
}

const WHOLE_LEVEL: &str = "";

/// Returns true if a statement with that keyword, or the level as a whole, affects an aspect.
fn is_about(word: &str, aspect: Aspect) -> bool {
    // The level as a whole depends on each of its parts.
    aspect == Aspect::Whole || made_by(word).is_none_or(|makes| makes.contains(&aspect))
}

/// Returns the aspects that a statement with that keyword affects. `None` means any aspect: a statement that shapes the
/// level or controls others changes the possible places of everything.
fn made_by(word: &str) -> Option<&'static [Aspect]> {
    Some(match word {
        "MONSTER" => &[Aspect::Monster],
        // Monsters are reported with their inventory.
        "OBJECT" | "CONTAINER" => &[Aspect::Object, Aspect::Monster],
        // Webs have spiders, and pits turn their square into floor.
        "TRAP" => &[Aspect::Trap, Aspect::Monster, Aspect::Terrain, Aspect::Stairs],
        "GOLD" => &[Aspect::Gold],
        "ENGRAVING" => &[Aspect::Writing],
        "GRAVE" => &[Aspect::Writing, Aspect::Terrain, Aspect::Object, Aspect::Stairs],
        "MESSAGE" | "MON_GENERATION" | "SOUNDS" | "VAULTGEN" => &[Aspect::Level],
        "STAIR" | "LADDER" => &[Aspect::Stairs, Aspect::Terrain, Aspect::Feature],
        "STAIR with regions" | "PORTAL" | "TELEPORT_REGION" | "BRANCH" => {
            &[Aspect::Level, Aspect::Stairs, Aspect::Terrain, Aspect::Feature, Aspect::Trap]
        }
        // Stairs with regions avoid other things.
        "ALTAR" | "FOUNTAIN" | "SINK" | "POOL" | "DOOR" | "ROOMDOOR" => {
            &[Aspect::Terrain, Aspect::Feature, Aspect::Stairs]
        }
        "NON_DIGGABLE" | "NON_PASSWALL" => &[Aspect::Feature],
        _ => return None,
    })
}

fn verify(pair: &Pair<'_>, games: &Games, ported: &Ported, options: &Options) -> Option<Verified> {
    let translation = Translation::of(pair, games, ported, options)?;
    let (from, to) = (ported.from.catalog(), ported.to.catalog());
    let options = &Options { names: pair.names.clone(), ..options.clone() };
    let done = AtomicU64::new(0);
    let load = |level: &Loadable, game: &Shared| Prepared::load(level.clone(), game).ok();
    let (source, reported) = (Prepared::load(pair.source.clone(), from).ok()?, load(&pair.source, &games.before)?);
    let translated = load(&pair.result, &games.hybrid)?;
    let in_target = Prepared::load(pair.result.clone(), to).ok()?;
    let few = Options { seeds: options.seeds.min(DRAWN_SEEDS), ..options.clone() };
    let never_made = fault_of_all(&in_target, options).filter(|_| fault_of_all(&source, options).is_none());
    let rules = touching(&pair.result, &games.hybrid, from, to, options)?;
    Some(Verified {
        together: draw_for_draw(&reported, &translated, &few, &done),
        games: compare(&source, &in_target, options, &done),
        never_made,
        rules,
        level: translation.level,
        translation: translation.verdict,
        named: translation.named,
        unnamed: translation.unnamed,
    })
}

/// Returns the fault of a level that no seed makes.
fn fault_of_all(level: &Prepared, options: &Options) -> Option<String> {
    let mut machine = Machine::new();
    let mut fault = None;
    for seed in (options.first_seed..).take(options.seeds.min(MADE_SEEDS) as usize) {
        match machine.run(level, &options.settings, &mut SplitMix::new(seed), &mut ()) {
            Ok(_) => return None,
            Err(error) => fault = fault.or(Some(error.fault.to_string())),
        }
    }
    fault
}

/// Returns the rules by which two loaders differ for a level, in an order in which each of them changes the level or
/// its draws, with the effect of each. `None` if the level cannot be run.
fn touching(level: &Loadable, hybrid: &Catalog, from: &Catalog, to: &Catalog, options: &Options) -> Option<Vec<Touch>> {
    let done = AtomicU64::new(0);
    let load = |game: &Catalog| Prepared::load(level.clone(), Shared::from(game.clone())).ok();
    let parts = |one: &Prepared, other: &Prepared, seeds: &Options| match draw_for_draw(one, other, seeds, &done) {
        Together::Separated(parting) => Some(parting.with),
        Together::SameCode | Together::Always { .. } | Together::SoFar { .. } => None,
    };
    // Both sides use the target's names. A difference must be a seed, so possible draws are not enumerated.
    let options = Options { names: Names::new(), ..options.clone() };
    let seeded = Options { paths: 0, ..options.clone() };
    let target = load(to)?;
    let mut rest: Vec<Turn> = other_rules(from, to).into_iter().map(Turn::Rule).collect();
    rest.extend([Turn::Traps, Turn::Rooms, Turn::Habits, Turn::Tools]);
    let (mut game, mut made) = (hybrid.clone(), load(hybrid)?);
    let mut found = Vec::new();
    while let Some(MadeWith::Seed(seed)) = parts(&made, &target, &seeded) {
        // Switch rule by rule until the level of this seed changes.
        let this_seed = Options { seeds: 1, first_seed: seed, threads: 1, ..seeded.clone() };
        let mut turning = game.clone();
        let culprit = rest.iter().position(|turn| {
            turning = turn.of(&turning, to);
            load(&turning).is_none_or(|turned| parts(&made, &turned, &this_seed).is_some())
        });
        let Some(culprit) = culprit else { break };
        let turn = rest.remove(culprit);
        game = turn.of(&game, to);
        let turned = load(&game)?;
        found.push(Touch { rule: turn.name(), change: compare(&made, &turned, &options, &done) });
        made = turned;
    }
    Some(found)
}

pub(super) fn loadables(module: &Module, target: &Target) -> Vec<Loadable> {
    let catalog = target.catalog();
    if let Writer::Scripts(write) = Output::source_of(catalog).writer {
        let mut module = module.clone();
        splc_ir::resolve::resolve(&mut module, catalog, &mut Diagnostics::new());
        let scripts = write(&module, catalog).map_or_else(|_| Vec::new(), |printed| printed.scripts);
        let level =
            |script: splc_backends::lua::Script| script_level(&script.level, encoded(module.charset, &script.text));
        return scripts.into_iter().map(level).collect();
    }
    let mut levels = Vec::new();
    lower_each(module, target, &mut Diagnostics::new(), |lowered, _| levels.push(lowered.level));
    levels
}

fn script_level(name: &str, text: Vec<u8>) -> Loadable {
    let mut sources = SourceMap::new();
    let file = sources.add(name, None, text);
    let text = sources.get(file).text.as_str().into();
    Loadable::Lua(LuaLevel { name: name.into(), text, file })
}

/// Returns the names replaced by the port, for the comparison.
fn names(account: &Account, from: &Catalog, to: &Catalog) -> Names {
    let mut names = Names::new();
    replace(&mut names, &account.replaced, from, to);
    // Flags unknown to the target are not compared.
    for flag in from.words(Group::Flag).filter(|flag| to.word(Group::Flag, flag).is_none()) {
        names.flag(flag, None);
    }
    names
}

/// Returns the names of one game that [tables](splc_port::StandIns) map to those of another, for comparing levels of
/// both.
pub fn names_of_tables(tables: &Replacements, from: &Catalog, to: &Catalog) -> Names {
    let mut names = Names::new();
    replace(&mut names, &tables.replaced, from, to);
    for flag in &tables.dropped_flags {
        names.flag(flag, None);
    }
    names
}

fn replace(names: &mut Names, replaced: &[Replaced], from: &Catalog, to: &Catalog) {
    for replaced in replaced {
        let (old, new) = (&replaced.from, &replaced.to);
        match (replaced.kind, old.1, new.1) {
            (Kind::Monster, ..) => {
                names.monster(&old.0, &new.0);
            }
            (Kind::Object, Some(before), Some(after)) => {
                names.object((before, &old.0), (after, &new.0));
            }
            (Kind::MonsterClass, Some(before), Some(after)) => {
                names.monster_class(before, after);
            }
            (Kind::ObjectClass, Some(before), Some(after)) => {
                names.object_class(before, after);
            }
            (Kind::Trap, ..) => {
                names.trap(&old.0, &new.0);
            }
            (Kind::Room, ..) => {
                names.room(&old.0, &new.0);
            }
            (Kind::Flag, ..) => {
                names.flag(&old.0, Some(new.0.as_str()));
            }
            (Kind::Terrain, Some(before), Some(after)) => {
                if let (Some(before), Some(after)) = (terrain(before, from), terrain(after, to)) {
                    names.terrain(before, after);
                }
            }
            (Kind::TerrainAsObject, Some(before), Some(after)) => {
                if let (Some(before), Some(object)) = (terrain(before, from), own_name(to, &new.0, after)) {
                    names.terrain_as_object(before, (after, object));
                }
            }
            (Kind::ObjectAsTerrain, Some(before), Some(after)) => {
                if let (Some(object), Some(after)) = (own_name(from, &old.0, before), terrain(after, to)) {
                    names.object_as_terrain((before, object), after);
                }
            }
            _ => {}
        }
    }
}

/// Returns the game's spelling of an object.
fn own_name<'c>(catalog: &'c Catalog, name: &str, class: char) -> Option<&'c str> {
    let (number, _) = catalog.object(name, Some(class))?;
    catalog.objects.get(number as usize).map(|object| object.name.as_ref())
}

fn terrain(character: char, catalog: &Catalog) -> Option<Terrain> {
    let number = usize::try_from(catalog.terrain(character)?).ok()?;
    Terrain::from_word(catalog.level_types.get(number)?)
}

impl Verified {
    /// Returns true if the port itself has changed the level.
    pub fn is_mistranslated(&self) -> bool {
        matches!(self.translation, Verdict::Different(_))
    }

    /// Describes the result in two or three lines.
    pub fn in_words(&self) -> String {
        let drawn = match &self.together {
            Together::SameCode | Together::Always { .. } => "draw for draw, for every sequence of draws".to_owned(),
            Together::SoFar { seeds } => format!("draw for draw on {seeds} seeds"),
            Together::Separated(_) => "with different draws".to_owned(),
        };
        let rules = match self.rules.as_slice() {
            [] => "no different rule affects it".to_owned(),
            rules => {
                let rules = rules.iter().map(|touch| format!("\n    {}: {}", touch.rule, in_words(&touch.change)));
                format!("different rules that affect it:{}", rules.collect::<String>())
            }
        };
        let named = match (self.named.first(), self.unnamed.first()) {
            (_, Some(fact)) => format!(", but the account does not mention {fact}"),
            (Some((_, note)), None) => format!(", as noted in the account: {}", note.what),
            (None, None) => String::new(),
        };
        format!(
            "  translation: {}{named}; {drawn}\n  games: {}; {rules}\n",
            in_words(&self.translation),
            in_words(&self.games)
        )
    }
}

/// Describes the result of a comparison.
pub fn in_words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Proven(Proof::SameCode, _) => "proven the same, with the same code".to_owned(),
        Verdict::Proven(Proof::SameStatements, _) => "proven the same, with the same statements".to_owned(),
        Verdict::Proven(Proof::EveryOutcome { outcomes, .. }, _) => {
            format!("proven the same over all {outcomes} outcomes")
        }
        Verdict::Proven(Proof::AllBut { outcomes, apart, .. }, _) => {
            format!("proven the same over all {outcomes} outcomes, except for {apart} of all levels")
        }
        Verdict::NotDecided(undecided) => format!("no difference in {} levels of each", undecided.seeds),
        Verdict::Different(difference) => {
            let often = match &difference.evidence {
                Evidence::Exact { probabilities: [one, two] } => {
                    format!("with probability {one} before and {two} after")
                }
                Evidence::Counted { levels: [one, two], of, .. } => {
                    format!("in {one} of {of} levels before and {two} after")
                }
            };
            format!("different: {} {often}", difference.fact)
        }
    }
}
