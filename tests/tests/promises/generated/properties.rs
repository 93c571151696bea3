//! Properties of generated levels.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::AtomicU64;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, FileFailurePersistence, RngSeed, TestCaseError, TestCaseResult};
use splc_backends::{des, json};
use splc_driver::port::{Ported, port};
use splc_driver::{Input, NoIncludes, Options, Target, Wanted, lua};
use splc_equivalence as equivalence;
use splc_equivalence::{Aspect, Verdict};
use splc_generate::Choices;
use splc_ir::abi::{self, Abi};
use splc_ir::catalog::{Catalog, Shared};
use splc_ir::check;
use splc_ir::diagnostic::{Diagnostics, Severity};
use splc_ir::level::{Function, Module, Room, Statement, StatementKind};
use splc_ir::loadable::{Loadable, LuaLevel, lower_each};
use splc_ir::raise::{RaiseError, raise, same};
use splc_ir::source::{FileId, SourceMap, Span, Text};
use splc_ir::visit::{Visit, forget_places, says_the_same, walk};
use splc_vm::{Fault, Machine, Prepared, Settings, SplitMix, VmError};

use super::games::games;
use super::{cases, judged, shown};

/// A generated level of a game.
#[derive(Clone)]
pub struct Made {
    pub catalog: &'static Catalog,
    pub module: Module,
}

impl std::fmt::Debug for Made {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:\n{}", self.catalog.name, shown(&self.module, self.catalog))
    }
}

fn made() -> impl Strategy<Value = Made> {
    (select(games()), prop::collection::vec(any::<u32>(), 0..400)).prop_map(|(catalog, list)| {
        let (module, _) = judged(catalog, Choices::of_list(list), 40);
        Made { catalog, module }
    })
}

/// Returns the seed of this run: 1, so that a run has the same result on every machine, or the one in `SPLC_SEED`. If
/// that is `fresh`, it is a new one. It is printed, and shown if the test fails.
fn seed() -> u64 {
    let seed = match std::env::var("SPLC_SEED") {
        Ok(seed) if seed == "fresh" => RandomState::new().hash_one(()),
        Ok(seed) => seed.parse().expect("SPLC_SEED is a number or `fresh`"),
        Err(_) => 1,
    };
    println!("SPLC_SEED={seed} repeats this run");
    seed
}

/// Failures are kept in the file `failures`, and tried first in later runs.
fn config(usual: u32, failures: &'static str) -> Config {
    Config {
        cases: cases(usual),
        rng_seed: RngSeed::Fixed(seed()),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(failures))),
        // A long run must not give up on shrinking early.
        max_shrink_iters: 20_000,
        ..Config::default()
    }
}

/// Returns the machines for which the game is known.
fn machines(catalog: &Catalog) -> impl Iterator<Item = &'static Abi> {
    abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some())
}

fn lowered(module: &Module, catalog: &Catalog, abi: &Abi) -> Vec<Loadable> {
    let mut levels = Vec::new();
    lower_each(module, catalog, abi, &mut Diagnostics::new(), |_, level, _| levels.push(level));
    levels
}

fn encoded(level: &Loadable, catalog: &Catalog, abi: &Abi) -> Vec<u8> {
    let header = catalog.header(abi.name).unwrap();
    splc_backends::level_file::encode(level, catalog, abi, header).unwrap()
}

fn parsed(text: &str, catalog: &'static Catalog) -> Result<Module, TestCaseError> {
    let mut sources = SourceMap::new();
    let file = sources.add("made-up.des", None, text.as_bytes().to_vec());
    let mut diagnostics = Diagnostics::new();
    let mut module = splc_frontends::parse(&mut sources, file, catalog, &mut NoIncludes, &mut diagnostics);
    check::check(&mut module, catalog, &mut diagnostics);
    if diagnostics.has_errors() {
        let messages: Vec<String> =
            diagnostics.iter().map(|found| format!("{:?}: {}", found.span, found.message)).collect();
        return Err(TestCaseError::fail(format!("what is printed is refused: {}\n{text}", messages.join("\n"))));
    }
    Ok(module)
}

fn printed_is_parsed(Made { catalog, module }: &Made) -> TestCaseResult {
    let text = match des::print(module, catalog) {
        Ok(text) => text,
        Err(problems) => return Err(TestCaseError::fail(format!("{problems:?}"))),
    };
    let again = parsed(&text, catalog)?;
    let printed = des::print(&again, catalog).ok();
    prop_assert_eq!(printed.as_deref(), Some(text.as_str()));
    if !says_the_same(module, &again) {
        let [mut one, mut two] = [module.clone(), again];
        forget_places(&mut one);
        forget_places(&mut two);
        prop_assert_eq!(format!("{one:#?}"), format!("{two:#?}"));
    }
    for abi in machines(catalog) {
        for (one, two) in lowered(module, catalog, abi).iter().zip(&lowered(&parsed(&text, catalog)?, catalog, abi)) {
            prop_assert!(encoded(one, catalog, abi) == encoded(two, catalog, abi), "other bytes on {}", abi.name);
        }
    }
    Ok(())
}

fn laid_out_is_the_same(Made { catalog, module }: &Made) -> TestCaseResult {
    let Ok(text) = des::print(module, catalog) else { return Ok(()) };
    // The layout of a careless author.
    let careless = text.replace(", ", " ,\t").replace("\n  ", "\n        ");
    let wanted = Wanted { catalog: Some((*catalog).into()), ..Wanted::default() };
    let options = Options { wanted, ..Options::default() };
    for text in [text, careless] {
        let compiled = |text: &str| {
            parsed(text, catalog).map(|module| {
                machines(catalog)
                    .flat_map(|abi| {
                        lowered(&module, catalog, abi).into_iter().map(|level| encoded(&level, catalog, abi))
                    })
                    .collect::<Vec<_>>()
            })
        };
        let Ok(before) = compiled(&text) else { continue };
        let formatted = splc_driver::format::format(Input::new("x.des", text), &options, &mut NoIncludes).unwrap();
        let bytes = formatted.bytes.expect("it has tokens only");
        let after = String::from_utf8(bytes.clone()).unwrap();
        prop_assert!(compiled(&after)? == before, "other bytes: {after}");
        let twice = splc_driver::format::format(Input::new("x.des", bytes.clone()), &options, &mut NoIncludes).unwrap();
        prop_assert_eq!(twice.bytes.unwrap(), bytes);
    }
    Ok(())
}

fn encoded_is_decoded(Made { catalog, module }: &Made) -> TestCaseResult {
    for abi in machines(catalog) {
        for level in lowered(module, catalog, abi) {
            let bytes = encoded(&level, catalog, abi);
            let name = level.name().to_string();
            let read = splc_frontends::level_file::read_any(&bytes, &name, FileId(0), catalog, [abi]);
            let read = match read {
                Some(Ok((read, _))) => read.level,
                Some(Err(problem)) => return Err(TestCaseError::fail(format!("{}: {}", abi.name, problem.message))),
                None => return Err(TestCaseError::fail(format!("{} is not known by its header", abi.name))),
            };
            prop_assert!(encoded(&read, catalog, abi) == bytes, "other bytes on {}", abi.name);
        }
    }
    Ok(())
}

/// Returns true if a FUNCTION that is never called calls another one. The compilers treat the copy of the other one as
/// if it were in the level file, so that later calls of it have no valid target. No game can run that level.
fn calls_from_nowhere(module: &Module) -> bool {
    #[derive(Default)]
    struct Calls {
        called: HashSet<Text>,
        calling: Vec<Text>,
        within: Vec<Text>,
    }

    impl<'tree> Visit<'tree> for Calls {
        fn function(&mut self, function: &'tree Function) {
            self.within.push(function.name.node.clone());
            walk::function(self, function);
            self.within.pop();
        }

        fn statement(&mut self, statement: &'tree Statement) {
            if let StatementKind::Call { function, .. } = &statement.kind {
                self.called.insert(function.node.clone());
                self.calling.extend(self.within.last().cloned());
            }
            walk::statement(self, statement);
        }
    }

    let mut calls = Calls::default();
    calls.module(module);
    calls.calling.iter().any(|function| !calls.called.contains(function))
}

fn raised_is_the_same(Made { catalog, module }: &Made) -> TestCaseResult {
    let abi = machines(catalog).next().unwrap();
    for level in lowered(module, catalog, abi) {
        let raised = raise(&level, catalog, abi);
        let is_astray = |error: &RaiseError| error.message.contains("calls what is not a function");
        if raised.as_ref().is_err_and(is_astray) && calls_from_nowhere(module) {
            continue;
        }
        let raised = raised.map_err(|error| TestCaseError::fail(format!("not raised: {error:?}")))?;
        let again = lowered(&raised.module, catalog, abi);
        prop_assert_eq!(again.len(), 1);
        if let Err(error) = same(&level, &again[0], catalog, abi) {
            return Err(TestCaseError::fail(format!("other code: {error:?}")));
        }
        // The same through text.
        let text = des::print(&raised.module, catalog).map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
        let parsed = parsed(&text, catalog)?;
        let again = lowered(&parsed, catalog, abi);
        if let Err(error) = same(&level, &again[0], catalog, abi) {
            return Err(TestCaseError::fail(format!("other code by way of text: {error:?}\n{text}")));
        }
    }
    Ok(())
}

fn json_is_the_same(Made { catalog, module }: &Made) -> TestCaseResult {
    let mut text = Vec::new();
    json::write(module, catalog, &SourceMap::new(), &mut text).unwrap();
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let dump = splc_frontends::json::read(&mut sources, "x.json", None, text.clone(), &mut diagnostics);
    let messages: Vec<String> = diagnostics.iter().map(|found| found.message.to_string()).collect();
    prop_assert!(!diagnostics.has_errors(), "{messages:?}");
    let mut again = dump.unwrap().module;
    check::check(&mut again, catalog, &mut diagnostics);
    prop_assert!(!diagnostics.has_errors());
    if !says_the_same(module, &again) {
        let [mut one, mut two] = [module.clone(), again.clone()];
        forget_places(&mut one);
        forget_places(&mut two);
        prop_assert_eq!(format!("{one:#?}"), format!("{two:#?}"));
    }
    Ok(())
}

/// Limits of a run. A level that exceeds them hangs, which is a valid outcome.
fn settings() -> Settings {
    Settings { draws: 200_000, ..Settings::default() }
}

fn runs(Made { catalog, module }: &Made) -> TestCaseResult {
    let abi = machines(catalog).next().unwrap();
    let mut machine = Machine::new();
    for level in lowered(module, catalog, abi) {
        let prepared = Prepared::load(level, *catalog).map_err(|error| TestCaseError::fail(error.to_string()))?;
        for seed in 0..3 {
            // A fault is a valid answer, a panic is not.
            let first = machine.run(&prepared, &settings(), &mut SplitMix::new(seed), &mut ()).map(|_| ());
            let again = Machine::new().run(&prepared, &settings(), &mut SplitMix::new(seed), &mut ()).map(|_| ());
            prop_assert_eq!(first, again);
        }
    }
    Ok(())
}

/// The level in a level file is the compiled one: proven equivalent, and never found different by counting.
fn read_back_is_equivalent(Made { catalog, module }: &Made) -> TestCaseResult {
    // A compiler's int values are taken as on x86-64.
    let Some(abi) = machines(catalog).find(|abi| abi.name == "lp64le") else { return Ok(()) };
    for level in lowered(module, catalog, abi) {
        let bytes = encoded(&level, catalog, abi);
        let name = level.name().to_string();
        let read = splc_frontends::level_file::read_any(&bytes, &name, FileId(0), catalog, [abi]);
        let read = read.and_then(Result::ok).expect("it was written here").0.level;
        // Lists of NetHack 3.4.3 do not distinguish an empty text from a missing one.
        let exact = matches!(level, Loadable::Program(_));
        let [one, two] = [level, read].map(|level| Prepared::load(level, *catalog).unwrap());
        prop_assert!(!exact || one.has_code_of(&two));
        let settings = Settings { draws: 5_000, ..settings() };
        let mut options = equivalence::Options { settings, seeds: 64, paths: 60, ..Default::default() };
        // A map of names disables the comparison of code.
        options.names.monster("nobody", "nobody");
        let verdict = equivalence::compare(&one, &two, &options, &AtomicU64::new(0));
        prop_assert!(!matches!(verdict, Verdict::Different(_)), "{verdict:?}");
    }
    Ok(())
}

/// The games that levels are ported to.
const TARGETS: [&str; 4] = ["nethack-3.4.3", "unnethack-6.0.4", "sporkhack-0.7.0", "nethack-3.6.7"];

/// The game whose levels are Lua scripts.
const LUA: &str = "nethack-5.0.0";

/// Ports a des-file from one game to another.
fn ported(text: impl Into<Vec<u8>>, from: &'static Catalog, to: &'static Catalog) -> Ported {
    let wanted = Wanted { catalog: Some(from.into()), abi: machines(from).next(), ..Wanted::default() };
    let options = Options { wanted, ..Options::default() };
    // A game without level files is the same on all machines.
    let to = Target::new(to, machines(to).next().unwrap_or(&abi::ALL[0])).unwrap();
    let input = Input::new("made-up.des", text);
    port(input, &options, to, &splc_port::Options::default(), &mut NoIncludes).unwrap()
}

/// Ports the level to each of these games but its own.
fn ports(Made { catalog, module }: &Made) -> Result<Vec<Ported>, TestCaseError> {
    let text = des::print(module, catalog).map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
    let targets = TARGETS.into_iter().filter(|target| *target != catalog.name);
    Ok(targets.map(|target| ported(text.clone(), catalog, Catalog::by_name(target).unwrap())).collect())
}

/// Options for comparing generated levels: few seeds, but every difference is found.
fn comparison() -> equivalence::Options {
    let settings = Settings { draws: 10_000, ..settings() };
    let until = equivalence::Until::Seeds;
    equivalence::Options { settings, seeds: 100, paths: 60, until, ..Default::default() }
}

fn verdicts(ported: &Ported) -> impl Iterator<Item = splc_port::Verdict> + '_ {
    ported.account.levels().map(|level| level.verdict)
}

/// A ported level can be read back, or it is not ported and there is an error. The account has every statement once, as
/// kept or with its changes.
fn ported_is_good(made: &Made) -> TestCaseResult {
    struct Statements(usize);

    impl<'tree> Visit<'tree> for Statements {
        fn statement(&mut self, statement: &'tree Statement) {
            self.0 += 1;
            walk::statement(self, statement);
        }
    }

    let mut statements = Statements(0);
    statements.module(&made.module);
    for ported in ports(made)? {
        let to = &ported.to.catalog().name;
        for found in ported.diagnostics.iter() {
            prop_assert!(!found.message.text().contains("cannot read back"), "to {to}: {found:?}");
        }
        let all = verdicts(&ported).all(|verdict| verdict != splc_port::Verdict::NotAtAll);
        prop_assert_eq!(ported.written.text().is_some(), all && !ported.diagnostics.has_errors(), "to {}", to);
        let entries = || ported.account.sections.iter().flat_map(|section| &section.entries);
        prop_assert_eq!(entries().count(), statements.0, "to {}", to);
        for entry in entries() {
            let reported =
                entry.outcome == splc_port::Outcome::Lost || !entry.results.is_empty() || !entry.notes.is_empty();
            prop_assert!(reported, "to {to}: {entry:?} is gone without a word");
        }
    }
    Ok(())
}

/// Returns true if the only difference is that one level exceeds the limit of draws.
fn hangs(verdict: &Verdict) -> bool {
    let Verdict::Different(difference) = verdict else { return false };
    difference.examples.iter().flat_map(|example| &example.error).any(|error| error.fault == Fault::Hangs)
}

/// Every difference after a port is named in the account, and a level that is ported completely is equivalent.
fn account_is_complete(made: &Made) -> TestCaseResult {
    for ported in ports(made)? {
        for translation in ported.verify_translation(&comparison(), |_| true) {
            // It might not hang with a higher limit.
            if hangs(&translation.verdict) {
                continue;
            }
            let to = &ported.to.catalog().name;
            let text = String::from_utf8_lossy(ported.written.text().unwrap_or_default());
            let unnamed = &translation.unnamed;
            prop_assert!(unnamed.is_empty(), "to {to}, {}: {unnamed:?}\n{text}", translation.level);
        }
    }
    Ok(())
}

/// Returns true if the target game runs a ported level differently in `aspect`. The level ported back is then the
/// target's version.
fn games_differ(level: &Prepared, there: Option<&Loadable>, game: &'static Catalog, aspect: Aspect) -> bool {
    let there = there.and_then(|there| Prepared::load(there.clone(), game).ok());
    there.is_some_and(|there| {
        let verdict = equivalence::compare(level, &there, &comparison(), &AtomicU64::new(0));
        let Verdict::Different(difference) = verdict else { return false };
        [&difference.fact].into_iter().chain(&difference.also).any(|fact| fact.aspect == aspect)
    })
}

/// A level that is ported completely and back again is the original level, unless the loader of the other game treats
/// it differently.
fn there_and_back_is_the_same(made: &Made) -> TestCaseResult {
    let Made { catalog, module } = made;
    let whole = |ported: &Ported| verdicts(ported).all(|verdict| verdict == splc_port::Verdict::Whole);
    for there in ports(made)? {
        let to = Catalog::by_name(&there.to.catalog().name).unwrap();
        let Some(text) = there.written.text().filter(|_| whole(&there)) else { continue };
        let back = ported(text, to, catalog);
        let Some(again) = back.written.text().filter(|_| whole(&back)) else { continue };
        let (text, again) = (String::from_utf8_lossy(text), String::from_utf8_lossy(again));
        // A port only reports two of the differences: see there.
        let game = Shared::from(splc_port::as_noted(catalog, to));
        let abi = machines(catalog).next().unwrap();
        let (before, after) = (lowered(module, catalog, abi), lowered(&parsed(&again, catalog)?, catalog, abi));
        prop_assert_eq!(before.len(), after.len());
        let made_there = lowered(&parsed(&text, to)?, to, machines(to).next().unwrap());
        for (at, (one, two)) in before.into_iter().zip(after).enumerate() {
            let [one, two] = [one, two].map(|level| Prepared::load(level, &game));
            let (Ok(one), Ok(two)) = (one, two) else { continue };
            let verdict = equivalence::compare(&one, &two, &comparison(), &AtomicU64::new(0));
            if let Verdict::Different(difference) = verdict {
                let (fact, evidence) = (&difference.fact, difference.evidence);
                if games_differ(&one, made_there.get(at), to, fact.aspect) {
                    continue;
                }
                return Err(TestCaseError::fail(format!("by {}: {fact}: {evidence:?}\n{text}\n{again}", to.name)));
            }
        }
    }
    Ok(())
}

/// Returns true if a variable is set in the block of a room. If the room finds no place, it is not set.
fn sets_in_rooms(module: &Module) -> bool {
    struct Sets {
        room: bool,
        found: bool,
    }

    impl<'tree> Visit<'tree> for Sets {
        fn statement(&mut self, statement: &'tree Statement) {
            self.found |= self.room && matches!(statement.kind, StatementKind::Define { .. });
            walk::statement(self, statement);
        }

        fn room(&mut self, room: &'tree Room, span: Span) {
            let outer = std::mem::replace(&mut self.room, true);
            walk::room(self, room, span);
            self.room = outer;
        }
    }

    let mut sets = Sets { room: false, found: false };
    sets.module(module);
    sets.found
}

/// A port to NetHack 5 is a Lua script for each level, in which our own reader of Lua finds no errors, and which no
/// function of the game rejects at run time.
fn lua_runs(made: &Made) -> TestCaseResult {
    let Made { catalog, module } = made;
    let game = Catalog::by_name(LUA).unwrap();
    let text = des::print(module, catalog).map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
    let ported = ported(text, catalog, game);
    let over = verdicts(&ported).filter(|verdict| *verdict != splc_port::Verdict::NotAtAll).count();
    let all = over == module.levels().count();
    prop_assert_eq!(ported.written.scripts().len(), if all { over } else { 0 }, "{:?}", ported.diagnostics);
    let options = Options { wanted: Wanted { catalog: Some(game.into()), ..Wanted::default() }, ..Options::default() };
    let mut machine = Machine::new();
    // If the source game gives up on a level (because of an unset variable, say), the other game may, too. In both
    // games it is random which rooms find a place.
    let sets_in_rooms = sets_in_rooms(module);
    let own = lowered(module, catalog, machines(catalog).next().unwrap());
    for (script, own) in ported.written.scripts().iter().zip(own) {
        let own = Prepared::load(own, *catalog).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let mut fails = |seed| machine.run(&own, &settings(), &mut SplitMix::new(seed), &mut ()).is_err();
        let fragile = (0..30).any(&mut fails);
        let text = String::from_utf8(script.text.clone()).unwrap();
        let read = lua::check(Input::new(format!("{}.lua", script.level), text.as_str()), &options).unwrap();
        for found in read.diagnostics.iter() {
            prop_assert!(found.severity != Severity::Error, "{}\n{text}", found.message);
        }
        let level = LuaLevel { name: script.level.as_str().into(), text: text.as_str().into(), file: FileId(0) };
        let prepared = Prepared::load(Loadable::Lua(level), game);
        let prepared = prepared.map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        for seed in 0..3 {
            let run = machine.run(&prepared, &settings(), &mut SplitMix::new(seed), &mut ()).map(|_| ());
            // A place off the level is an error in NetHack 5 only, and the place of a room may be random.
            let is_place = |problem: &str| problem.ends_with("coord not ok");
            let is_unset = |problem: &str| sets_in_rooms && problem.contains("a nil value");
            if let Err(VmError { fault: Fault::Lua(problem), .. }) = run
                && !fragile
                && !is_place(&problem)
                && !is_unset(&problem)
            {
                return Err(TestCaseError::fail(format!("seed {seed}: {problem}\n{text}")));
            }
        }
    }
    Ok(())
}

macro_rules! properties {
    ($($name:ident, $property:ident, $cases:literal;)*) => {
        /// The properties by name.
        pub const ALL: &[(&str, fn(&Made) -> TestCaseResult)] = &[$((stringify!($name), $property)),*];
    $(
        #[test]
        fn $name() {
            let failures = concat!("regressions/", stringify!($name), ".txt");
            proptest!(config($cases, failures), |(made in made())| $property(&made)?);
        }
    )*};
}

properties! {
    printed_levels_are_parsed, printed_is_parsed, 60;
    formatted_levels_are_the_same, laid_out_is_the_same, 40;
    encoded_levels_are_decoded, encoded_is_decoded, 60;
    raised_levels_are_the_same, raised_is_the_same, 40;
    json_levels_are_the_same, json_is_the_same, 40;
    generated_levels_run, runs, 40;
    levels_read_back_are_equivalent, read_back_is_equivalent, 8;
    ported_levels_are_valid, ported_is_good, 60;
    differences_after_a_port_are_named, account_is_complete, 20;
    levels_ported_back_are_the_same, there_and_back_is_the_same, 20;
    levels_ported_to_lua_run, lua_runs, 20;
}
