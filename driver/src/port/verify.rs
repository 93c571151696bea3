//! Does a port keep the level? Two questions, as two things can change it.
//!
//! - *The translation*: the ported level, made by the loader of the game that it came from, is compared with the source.
//!   Whatever differs there, the port has changed.
//! - *The games*: the ported level, made by the loader of the target, is compared with the source. Whatever differs there
//!   and not in the translation, the target does with any level. The rules that touch this level are found by turning
//!   them one by one.

use std::collections::HashSet;
use std::sync::atomic::AtomicU64;

use splc_equivalence::{
    Aspect, ERROR_PROBABILITY, Evidence, Fact, MadeWith, Names, Options, Parting, PartingKind, Proof, Together,
    Undecided, Verdict, compare, draw_for_draw, power,
};
use splc_ir::catalog::{Catalog, Format, LoaderRule, Shared};
use splc_ir::diagnostic::Diagnostics;
use splc_ir::level::{Module, Statement, StatementKind};
use splc_ir::loadable::{Loadable, LuaLevel};
use splc_ir::source::{FileId, Span};
use splc_ir::visit::{VisitMut, walk_mut};
use splc_ir::wording::visible;
use splc_ir::words::Group;
use splc_port::{
    Account, Effect, Kind, Note, Replaced, Replacements, Section, SectionKind, as_told, other_rules, with_loader_of,
    with_rule_of,
};
use splc_vm::{Machine, Prepared, SplitMix, Terrain};

use super::{Ported, Script};
use crate::read::lower_each;
use crate::target::Target;

/// Seeds with which it is looked at whether a level takes the same draws.
const DRAWN_SEEDS: u64 = 30;

/// What a level and its port are to one another.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Name of the level.
    pub level: String,
    /// Whether the port itself keeps it.
    pub translation: Verdict,
    /// Of what differs there, what notes of the account are about, each with the one that is most of it.
    pub named: Vec<(Fact, Note)>,
    /// Of what differs there, what no note of the account is about.
    pub unnamed: Vec<Fact>,
    /// Whether it takes the same draws under the same loader.
    pub together: Together,
    /// Whether the target makes the same of it.
    pub games: Verdict,
    /// The rules in which the loaders differ that touch the level. With them, the loader of the old game makes what that
    /// of the target makes, draw for draw, with as many seeds as were asked for.
    pub rules: Vec<Touch>,
}

/// A rule in which two loaders differ, and what it changes of a level.
#[derive(Clone, Debug)]
pub struct Touch {
    /// Its name in catalogs.
    pub rule: String,
    /// The level by the rules of its old game and those before this one, compared with the same and this one.
    pub change: Verdict,
}

/// Something in which two loaders differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Rule(LoaderRule),
    /// From which traps a random one is chosen.
    Traps,
    /// Which rooms are stocked.
    Rooms,
    /// Where monsters can be.
    Habits,
    /// With what somebody gets out who cannot otherwise.
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

    /// `catalog` with this as it is in `other`.
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
    /// Verifies each level; `options` says with how many seeds, and what is around the level. Those that cannot be made at
    /// all are left out.
    pub fn verify(&self, options: &Options) -> Vec<Verified> {
        let games = self.games();
        self.pairs().filter_map(|pair| verify(&pair, &games, self, options)).collect()
    }

    /// The translation alone of each level whose name is `wanted`.
    pub fn verify_translation(&self, options: &Options, wanted: impl Fn(&str) -> bool) -> Vec<Translation> {
        let games = self.games();
        let pairs = self.pairs().filter(|pair| wanted(pair.source.name()));
        pairs.filter_map(|pair| Translation::of(&pair, &games, self, options)).collect()
    }

    fn games(&self) -> Games {
        let (from, to) = (self.from.catalog(), self.to.catalog());
        Games { before: Shared::from(as_told(from, to)), hybrid: Shared::from(with_loader_of(to, from)) }
    }

    /// The levels that went over.
    fn pairs(&self) -> impl Iterator<Item = Pair<'_>> {
        let sources = loadables(&self.source, &self.from);
        let results = self.results().unwrap_or_default();
        let names = names(&self.account, self.from.catalog(), self.to.catalog());
        let went_over = |section: &&Section| section.verdict != splc_port::Verdict::NotAtAll;
        // Levels stand in the same order before and after, but for those that did not go over.
        let (before, after) = (self.account.levels().count(), self.account.levels().filter(went_over).count());
        let all_there = before == sources.len() && after == results.len();
        let over = self.account.levels().zip(sources).enumerate().filter(|(_, (section, _))| went_over(section));
        let pairs = over.zip(results.into_iter().enumerate()).filter(|_| all_there);
        let pairs = pairs.map(|((before, (section, source)), (after, result))| {
            let mut names = names.clone();
            for flag in &section.unsaid_flags {
                names.unsaid_flag(flag);
            }
            if let Some(to_come) = &section.monsters_to_come {
                names.monsters_to_come(to_come.share, &to_come.monsters);
            }
            Pair { section, at: [before, after], source, result, names }
        });
        pairs.collect::<Vec<Pair<'_>>>().into_iter()
    }

    /// Whether each level, made by the loader of the game that it is from, takes the same draws as its source and comes to
    /// the same: with the seeds of `options`, unless there are few ways of drawing. Of a level that cannot be made at all
    /// it is told why.
    pub fn translations(&self, options: &Options) -> Vec<SideBySide> {
        let games = self.games();
        let together = |pair: &Pair<'_>| {
            let source = Prepared::load(pair.source.clone(), &games.before).map_err(|error| error.to_string())?;
            let result = Prepared::load(pair.result.clone(), &games.hybrid).map_err(|error| error.to_string())?;
            let options = Options { names: pair.names.clone(), ..options.clone() };
            let together = draw_for_draw(&source, &result, &options, &AtomicU64::new(0));
            let Together::Parted(parting) = together else { return Ok(Drawn::Alike(together)) };
            let words = self.parting(&parting, pair, [&source, &result]);
            let named = match &parting.kind {
                PartingKind::Outcome(fact) => note_about(fact, pair.section, &self.account).is_some(),
                PartingKind::Draw { .. } => false,
            };
            Ok(Drawn::Otherwise { words, named })
        };
        let side_by_side = |pair: Pair<'_>| SideBySide { level: pair.source.name().to_string(), made: together(&pair) };
        self.pairs().map(side_by_side).collect()
    }

    /// Where two runs part that are made with the same draws, in words.
    fn parting(&self, parting: &Parting, pair: &Pair<'_>, [source, result]: [&Prepared; 2]) -> String {
        let drawn = |side: Option<(u32, usize)>, statement: &dyn Fn(Span) -> String, level: &Prepared| match side {
            None => "draws no more".to_owned(),
            Some((below, at)) => {
                let statement = level.span(at).and_then(Span::somewhere).map(statement);
                format!("draws one of {below} for `{}`", visible(&statement.unwrap_or_else(|| "the end".to_owned())))
            }
        };
        let line = |text: &str| text.lines().next().unwrap_or_default().trim().to_owned();
        match &parting.kind {
            PartingKind::Outcome(fact) => format!("the draws are the same, but one alone has {fact}"),
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
                format!("after {number} draws in common the source {first}, and the port {second}")
            }
        }
    }

    /// The ported levels as their game loads them.
    fn results(&self) -> Option<Vec<Loadable>> {
        if self.to.catalog().format == Format::Lua {
            let script = |script: &Script| {
                let text = String::from_utf8_lossy(&script.text).into_owned();
                Loadable::Lua(LuaLevel { name: script.level.as_str().into(), text: text.into(), file: FileId(0) })
            };
            return Some(self.scripts.iter().map(script).collect());
        }
        self.made.as_ref().map(|made| loadables(made, &self.to))
    }
}

/// A level, what it became, and the names that others stand for.
struct Pair<'p> {
    section: &'p Section,
    /// Which level of the source it is, and which of the result.
    at: [usize; 2],
    source: Loadable,
    result: Loadable,
    names: Names,
}

/// The games of a translation: that which the levels are from, but for what a port only tells of, and that which they
/// are for with the loader of the other.
struct Games {
    before: Shared,
    hybrid: Shared,
}

/// A level and its port, made by the same loader with the same draws.
#[derive(Clone, Debug)]
pub struct SideBySide {
    /// Name of the level.
    pub level: String,
    /// What they do together, or why they cannot be made at all.
    pub made: Result<Drawn, String>,
}

/// What a level and its port do with the same draws.
#[derive(Clone, Debug)]
pub enum Drawn {
    /// The same.
    Alike(Together),
    /// Something else.
    Otherwise {
        /// Where they part, in words.
        words: String,
        /// Whether they draw alike and the account names what they come to otherwise.
        named: bool,
    },
}

/// Whether a port itself keeps a level.
#[derive(Clone, Debug)]
pub struct Translation {
    /// Name of the level.
    pub level: String,
    /// Whether it does.
    pub verdict: Verdict,
    /// Of what differs, what notes of the account are about, each with the one that is most of it.
    pub named: Vec<(Fact, Note)>,
    /// Of what differs, what no note of the account is about.
    pub unnamed: Vec<Fact>,
}

impl Translation {
    fn of(pair: &Pair<'_>, games: &Games, ported: &Ported, options: &Options) -> Option<Translation> {
        let source = Prepared::load(pair.source.clone(), &games.before).ok()?;
        let result = Prepared::load(pair.result.clone(), &games.hybrid).ok()?;
        let options = Options { names: pair.names.clone(), ..options.clone() };
        let verdict = verdict(&source, &result, &options);
        let (mut named, mut unnamed) = (Vec::new(), Vec::new());
        if let Verdict::Different(difference) = &verdict {
            for fact in [&difference.fact].into_iter().chain(&difference.also) {
                match note_about(fact, pair.section, &ported.account) {
                    Some(note) => named.push((fact.clone(), note.clone())),
                    None => unnamed.push(fact.clone()),
                }
            }
        }
        if !unnamed.is_empty()
            && let Some((note, still)) = ported.without_told(pair, games, &options)
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
    /// What a statement makes otherwise can be in the way of something else, or make room for it: such a difference has
    /// gone if neither level has the statements that notes of the account are about. Answers with the first of these
    /// notes and the aspects in which the levels still differ without them; `None` if that cannot be tried, as there are
    /// no such statements, or others need them.
    fn without_told(&self, pair: &Pair<'_>, games: &Games, options: &Options) -> Option<(Note, HashSet<Aspect>)> {
        let made = self.made.as_ref()?;
        let (mut told, mut results, mut first) = (HashSet::new(), HashSet::new(), None);
        let sections = self.account.sections.iter();
        let entries = sections.flat_map(|section| section.entries.iter().map(move |entry| (section, entry)));
        for (at, (section, entry)) in entries.enumerate() {
            let concerns = section.kind == SectionKind::Function || std::ptr::eq(section, pair.section);
            // Without its map, a level is another one.
            let note = entry.notes.iter().find(|note| is_told(note)).filter(|_| concerns && entry.word != MAP);
            if let Some(note) = note {
                told.insert(at);
                results.extend(entry.results.iter().copied());
                first = first.or(Some(note));
            }
        }
        let first = first?.clone();
        let level = |module: &Module, gone: HashSet<usize>, target: &Target, at: usize, game: &Shared| {
            let level = loadables(&without(module, gone), target).into_iter().nth(at)?;
            Prepared::load(level, game).ok()
        };
        let source = level(&self.source, told, &self.from, pair.at[0], &games.before)?;
        let result = level(made, results, &self.to, pair.at[1], &games.hybrid)?;
        let is_made = |level: &Prepared| {
            let mut machine = Machine::new();
            let seeds = options.first_seed..=options.first_seed + DRAWN_SEEDS;
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
            Verdict::Proven(_) | Verdict::NotDecided(_) => HashSet::new(),
        };
        Some((first, still))
    }
}

const MAP: &str = "MAP";

/// A copy of `module` without some statements, which are counted in the order of reading.
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

/// Whether two levels make the same level, which is soon known if they take the same draws.
fn verdict(source: &Prepared, result: &Prepared, options: &Options) -> Verdict {
    let done = AtomicU64::new(0);
    // Unless there are few ways of drawing: then it can be proven.
    let alike = |seeds: u64| draw_for_draw(source, result, &Options { seeds, ..options.clone() }, &done);
    if let Together::SoFar { .. } = alike(options.seeds.min(DRAWN_SEEDS))
        && let together @ Together::SoFar { seeds } = alike(options.seeds)
    {
        // Not one level is another one, so facts need not be counted.
        let power = power(seeds, 1, ERROR_PROBABILITY);
        return Verdict::NotDecided(Undecided { seeds, facts: 0, power, together });
    }
    compare(source, result, options, &done)
}

/// The note of the account that is most about what a fact tells: of a statement that makes such things, of one that
/// shapes the level, or of the level or a FUNCTION as a whole.
fn note_about<'a>(fact: &Fact, level: &'a Section, account: &'a Account) -> Option<&'a Note> {
    let functions = account.sections.iter().filter(|section| section.kind == SectionKind::Function);
    let notes = [level].into_iter().chain(functions).flat_map(|section| {
        let of_level = section.notes.iter().map(|note| (WHOLE_LEVEL, note));
        of_level.chain(section.entries.iter().flat_map(|entry| entry.notes.iter().map(|note| (entry.word, note))))
    });
    let about = notes.filter(|(word, note)| is_told(note) && note_is_about(word, note, fact.aspect));
    // What a statement makes comes before what it makes besides.
    let besides = |word: &str| {
        let at = made_by(word).and_then(|makes| makes.iter().position(|made| *made == fact.aspect));
        at.unwrap_or(usize::MAX)
    };
    let rank = |(word, note): &(&str, &Note)| (note.effect == Effect::Game, *word == WHOLE_LEVEL, besides(word));
    about.min_by_key(rank).map(|(_, note)| note)
}

fn note_is_about(word: &str, note: &Note, aspect: Aspect) -> bool {
    // An object that is terrain in the other game is floor to what is put there, and to what goes over it.
    if note.effect == Effect::Game && matches!(note.pass, "names" | "objects-as-terrain") {
        return !matches!(aspect, Aspect::Fault | Aspect::Level);
    }
    // And so may all of a room be to what is placed at random.
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
    is_about(word, aspect)
}

/// Whether the note tells of a difference, and not of one that a translation leaves aside: see [`as_told`].
fn is_told(note: &Note) -> bool {
    note.effect != Effect::Same && !matches!(note.pass, "mirrors" | "random-traps" | "ways-out" | "monsters-to-come")
}

const WHOLE_LEVEL: &str = "";

/// Whether a statement of that word, or else the level as a whole, makes what an aspect is of.
fn is_about(word: &str, aspect: Aspect) -> bool {
    // All together is as likely as what it is made of.
    aspect == Aspect::Whole || made_by(word).is_none_or(|makes| makes.contains(&aspect))
}

/// What a statement of that word makes; `None` if it is not known: what shapes the level, or decides what is made,
/// changes where anything can be.
fn made_by(word: &str) -> Option<&'static [Aspect]> {
    Some(match word {
        "MONSTER" => &[Aspect::Monster],
        // Monsters are told of with what they carry.
        "OBJECT" | "CONTAINER" => &[Aspect::Object, Aspect::Monster],
        // Webs have spiders, and pits make floor of what they are in.
        "TRAP" => &[Aspect::Trap, Aspect::Monster, Aspect::Terrain, Aspect::Stairs],
        "GOLD" => &[Aspect::Gold],
        "ENGRAVING" => &[Aspect::Writing],
        "GRAVE" => &[Aspect::Writing, Aspect::Terrain, Aspect::Object, Aspect::Stairs],
        "MESSAGE" | "MON_GENERATION" | "SOUNDS" | "VAULTGEN" => &[Aspect::Level],
        "STAIR" | "LADDER" => &[Aspect::Stairs, Aspect::Terrain, Aspect::Feature],
        "STAIR with regions" | "PORTAL" | "TELEPORT_REGION" | "BRANCH" => {
            &[Aspect::Level, Aspect::Stairs, Aspect::Terrain, Aspect::Feature, Aspect::Trap]
        }
        // Stairs with regions go where nothing else is.
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
    let (source, told) = (Prepared::load(pair.source.clone(), from).ok()?, load(&pair.source, &games.before)?);
    let translated = load(&pair.result, &games.hybrid)?;
    let in_target = Prepared::load(pair.result.clone(), to).ok()?;
    let few = Options { seeds: options.seeds.min(DRAWN_SEEDS), ..options.clone() };
    let rules = touching(&pair.result, &games.hybrid, from, to, options)?;
    Some(Verified {
        together: draw_for_draw(&told, &translated, &few, &done),
        games: compare(&source, &in_target, options, &done),
        rules,
        level: translation.level,
        translation: translation.verdict,
        named: translation.named,
        unnamed: translation.unnamed,
    })
}

/// The rules that make the difference between two loaders for a level, in an order in which each of them changes what
/// the level comes to, or its draws; and what it changes. `None` if the level cannot be made.
fn touching(level: &Loadable, hybrid: &Catalog, from: &Catalog, to: &Catalog, options: &Options) -> Option<Vec<Touch>> {
    let done = AtomicU64::new(0);
    let load = |game: &Catalog| Prepared::load(level.clone(), Shared::from(game.clone())).ok();
    let parts = |one: &Prepared, other: &Prepared, seeds: &Options| match draw_for_draw(one, other, seeds, &done) {
        Together::Parted(parting) => Some(parting.with),
        Together::SameCode | Together::Always { .. } | Together::SoFar { .. } => None,
    };
    // Names are the target's on both sides. What parts is wanted as a seed, so ways of drawing are not gone through.
    let options = Options { names: Names::new(), ..options.clone() };
    let seeded = Options { paths: 0, ..options.clone() };
    let target = load(to)?;
    let mut rest: Vec<Turn> = other_rules(from, to).into_iter().map(Turn::Rule).collect();
    rest.extend([Turn::Traps, Turn::Rooms, Turn::Habits, Turn::Tools]);
    let (mut game, mut made) = (hybrid.clone(), load(hybrid)?);
    let mut found = Vec::new();
    while let Some(MadeWith::Seed(seed)) = parts(&made, &target, &seeded) {
        // From here to the target rule by rule: somewhere the level of this seed becomes another one.
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
    let mut levels = Vec::new();
    lower_each(module, target, &mut Diagnostics::new(), |lowered, _| levels.push(lowered.level));
    levels
}

/// The names that the port has replaced, for the comparison.
fn names(account: &Account, from: &Catalog, to: &Catalog) -> Names {
    let mut names = Names::new();
    replace(&mut names, &account.replaced, from, to);
    // What the target knows nothing of is not missed.
    for flag in from.words(Group::Flag).filter(|flag| to.word(Group::Flag, flag).is_none()) {
        names.flag(flag, None);
    }
    names
}

/// The names of one game that [tables](splc_port::StandIns) hold to be those of another, for the comparison of levels of
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

/// How the game spells an object.
fn own_name<'c>(catalog: &'c Catalog, name: &str, class: char) -> Option<&'c str> {
    let (number, _) = catalog.object(name, Some(class))?;
    catalog.objects.get(number as usize).map(|object| object.name.as_ref())
}

fn terrain(character: char, catalog: &Catalog) -> Option<Terrain> {
    let number = usize::try_from(catalog.terrain(character)?).ok()?;
    Terrain::from_word(catalog.level_types.get(number)?)
}

impl Verified {
    /// Whether the port itself has changed the level.
    pub fn is_mistranslated(&self) -> bool {
        matches!(self.translation, Verdict::Different(_))
    }

    /// What was found, in two or three lines.
    pub fn in_words(&self) -> String {
        let drawn = match &self.together {
            Together::SameCode | Together::Always { .. } => "draw for draw, whatever is drawn".to_owned(),
            Together::SoFar { seeds } => format!("draw for draw with {seeds} seeds"),
            Together::Parted(_) => "with other draws".to_owned(),
        };
        let rules = match self.rules.as_slice() {
            [] => "no rule that differs touches it".to_owned(),
            rules => {
                let rules = rules.iter().map(|touch| format!("\n    {}: {}", touch.rule, in_words(&touch.change)));
                format!("rules that touch it:{}", rules.collect::<String>())
            }
        };
        let named = match (self.named.first(), self.unnamed.first()) {
            (_, Some(fact)) => format!(", and the account is silent of {fact}"),
            (Some((_, note)), None) => format!(", as the account says: {}", note.what),
            (None, None) => String::new(),
        };
        format!(
            "  translation: {}{named}; {drawn}\n  games: {}; {rules}\n",
            in_words(&self.translation),
            in_words(&self.games)
        )
    }
}

/// What a comparison has found, in a few words.
pub fn in_words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Proven(Proof::SameCode) => "proven, the same code".to_owned(),
        Verdict::Proven(Proof::SameStatements) => "proven, the same statements".to_owned(),
        Verdict::Proven(Proof::EveryOutcome { outcomes, .. }) => {
            format!("proven over all outcomes, which are {outcomes}")
        }
        Verdict::Proven(Proof::AllBut { outcomes, apart, .. }) => {
            format!("proven over all outcomes, which are {outcomes}, but for {apart} of all levels")
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
