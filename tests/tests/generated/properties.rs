//! Properties of made-up levels.

use std::collections::HashSet;
use std::sync::atomic::AtomicU64;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestCaseResult};
use splc_backends::{des, json};
use splc_driver::port::{Ported, port};
use splc_driver::{Input, NoIncludes, Options, Target, Wanted, lua};
use splc_equivalence as equivalence;
use splc_equivalence::{Aspect, Verdict};
use splc_frontends::generate::Choices;
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

use crate::games::games;
use crate::{cases, judged, shown};

/// A made-up level of a game.
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

/// Which levels a property is tried with, unless `SPLC_CASES` asks for a long run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Levels {
    /// Others each time.
    Fresh,
    /// The same each time: a long run still finds a level now and then in which the property does not hold.
    Same,
}

fn config(usual: u32, levels: Levels) -> Config {
    let is_long = std::env::var_os("SPLC_CASES").is_some();
    let rng_seed = match levels {
        Levels::Same if !is_long => RngSeed::Fixed(1),
        Levels::Same | Levels::Fresh => RngSeed::Random,
    };
    // A long run must not give up on shrinking early.
    Config { cases: cases(usual), failure_persistence: None, max_shrink_iters: 20_000, rng_seed, ..Config::default() }
}

/// The machines for which the game is known.
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
    // As a careless author would have it.
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

/// Whether a FUNCTION that nobody calls calls another one. The compilers remember the copy of the other one as if it were in
/// the level file, so that later calls of it jump to where there is none: no game can make that level.
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
        // And by way of text.
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

/// What a level's game may do at most here: a level that takes longer is one that hangs, and that is right, too.
fn settings() -> Settings {
    Settings { draws: 200_000, ..Settings::default() }
}

fn runs(Made { catalog, module }: &Made) -> TestCaseResult {
    let abi = machines(catalog).next().unwrap();
    let mut machine = Machine::new();
    for level in lowered(module, catalog, abi) {
        let prepared = Prepared::load(level, *catalog).map_err(|error| TestCaseError::fail(error.to_string()))?;
        for seed in 0..3 {
            // A fault is an answer; a panic would not be.
            let first = machine.run(&prepared, &settings(), &mut SplitMix::new(seed), &mut ()).map(|_| ());
            let again = Machine::new().run(&prepared, &settings(), &mut SplitMix::new(seed), &mut ()).map(|_| ());
            prop_assert_eq!(first, again);
        }
    }
    Ok(())
}

/// The level that a file holds is the one that was compiled: proven, and never found different by counting.
fn read_back_is_equivalent(Made { catalog, module }: &Made) -> TestCaseResult {
    // What a compiler hands over in an int is taken as on x86-64.
    let Some(abi) = machines(catalog).find(|abi| abi.name == "lp64le") else { return Ok(()) };
    for level in lowered(module, catalog, abi) {
        let bytes = encoded(&level, catalog, abi);
        let name = level.name().to_string();
        let read = splc_frontends::level_file::read_any(&bytes, &name, FileId(0), catalog, [abi]);
        let read = read.and_then(Result::ok).expect("it was written here").0.level;
        // Lists of NetHack 3.4.3 hold no difference of an empty text and none.
        let exact = matches!(level, Loadable::Program(_));
        let [one, two] = [level, read].map(|level| Prepared::load(level, *catalog).unwrap());
        prop_assert!(!exact || one.has_code_of(&two));
        let settings = Settings { draws: 5_000, ..settings() };
        let mut options = equivalence::Options { settings, seeds: 64, paths: 60, ..Default::default() };
        // With a map of names, the code is not looked at.
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

/// A des-file of one game, ported to another.
fn ported(text: impl Into<Vec<u8>>, from: &'static Catalog, to: &'static Catalog) -> Ported {
    let wanted = Wanted { catalog: Some(from.into()), abi: machines(from).next(), ..Wanted::default() };
    let options = Options { wanted, ..Options::default() };
    // A game without level files is the same on all machines.
    let to = Target::new(to, machines(to).next().unwrap_or(&abi::ALL[0])).unwrap();
    let input = Input::new("made-up.des", text);
    port(input, &options, to, &splc_port::Options::default(), &mut NoIncludes).unwrap()
}

/// The level, ported to each of these games but its own.
fn ports(Made { catalog, module }: &Made) -> Result<Vec<Ported>, TestCaseError> {
    let text = des::print(module, catalog).map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
    let targets = TARGETS.into_iter().filter(|target| *target != catalog.name);
    Ok(targets.map(|target| ported(text.clone(), catalog, Catalog::by_name(target).unwrap())).collect())
}

/// How levels that nobody wrote are compared: with few seeds, but whatever differs is found.
fn comparison() -> equivalence::Options {
    let settings = Settings { draws: 10_000, ..settings() };
    let until = equivalence::Until::Seeds;
    equivalence::Options { settings, seeds: 100, paths: 60, until, ..Default::default() }
}

fn verdicts(ported: &Ported) -> impl Iterator<Item = splc_port::Verdict> + '_ {
    ported.account.levels().map(|level| level.verdict)
}

/// What is ported can be read back, or the level does not go over and there is an error of it; and the account has every
/// statement once, which is kept, or of which it says what became of it.
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
            prop_assert!(!found.message.contains("cannot read back"), "to {to}: {found:?}");
        }
        let all = verdicts(&ported).all(|verdict| verdict != splc_port::Verdict::NotAtAll);
        prop_assert_eq!(ported.text.is_some(), all && !ported.diagnostics.has_errors(), "to {}", to);
        let entries = || ported.account.sections.iter().flat_map(|section| &section.entries);
        prop_assert_eq!(entries().count(), statements.0, "to {}", to);
        for entry in entries() {
            let told =
                entry.outcome == splc_port::Outcome::Lost || !entry.results.is_empty() || !entry.notes.is_empty();
            prop_assert!(told, "to {to}: {entry:?} is gone without a word");
        }
    }
    Ok(())
}

/// Whether levels differ in that one takes more draws than it may here.
fn hangs(verdict: &Verdict) -> bool {
    let Verdict::Different(difference) = verdict else { return false };
    difference.examples.iter().flat_map(|example| &example.error).any(|error| error.fault == Fault::Hangs)
}

/// Whatever differs after a port is named in its account; and what went over whole is the same level.
fn account_is_complete(made: &Made) -> TestCaseResult {
    for ported in ports(made)? {
        for translation in ported.verify_translation(&comparison(), |_| true) {
            // With more draws, it might not.
            if hangs(&translation.verdict) {
                continue;
            }
            let to = &ported.to.catalog().name;
            let text = String::from_utf8_lossy(ported.text.as_deref().unwrap_or_default());
            let unnamed = &translation.unnamed;
            prop_assert!(unnamed.is_empty(), "to {to}, {}: {unnamed:?}\n{text}", translation.level);
        }
    }
    Ok(())
}

/// Whether the game that a level went to makes something else of it than its own, of that kind: what comes back is then
/// what that game makes of it.
fn games_differ(level: &Prepared, there: Option<&Loadable>, game: &'static Catalog, aspect: Aspect) -> bool {
    let there = there.and_then(|there| Prepared::load(there.clone(), game).ok());
    there.is_some_and(|there| {
        let verdict = equivalence::compare(level, &there, &comparison(), &AtomicU64::new(0));
        let Verdict::Different(difference) = verdict else { return false };
        [&difference.fact].into_iter().chain(&difference.also).any(|fact| fact.aspect == aspect)
    })
}

/// A level that goes over whole, and whole back again, is the level that it was, unless the loader of the other game makes
/// something else of it.
fn there_and_back_is_the_same(made: &Made) -> TestCaseResult {
    let Made { catalog, module } = made;
    let whole = |ported: &Ported| verdicts(ported).all(|verdict| verdict == splc_port::Verdict::Whole);
    for there in ports(made)? {
        let to = Catalog::by_name(&there.to.catalog().name).unwrap();
        let Some(text) = there.text.as_deref().filter(|_| whole(&there)) else { continue };
        let back = ported(text, to, catalog);
        let Some(again) = back.text.as_deref().filter(|_| whole(&back)) else { continue };
        let (text, again) = (String::from_utf8_lossy(text), String::from_utf8_lossy(again));
        // Of two things a port only tells: see there.
        let game = Shared::from(splc_port::as_told(catalog, to));
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

/// Whether a variable is set in the block of a room: where there is no place for the room, it is not set.
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

/// What goes over to the Lua scripts of NetHack 5 is a script for each level, of which our own reader of Lua has nothing
/// to refuse, and which no function of the game refuses when it runs.
fn lua_runs(made: &Made) -> TestCaseResult {
    let Made { catalog, module } = made;
    let game = Catalog::by_name(LUA).unwrap();
    let text = des::print(module, catalog).map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
    let ported = ported(text, catalog, game);
    let over = verdicts(&ported).filter(|verdict| *verdict != splc_port::Verdict::NotAtAll).count();
    let all = over == module.levels().count();
    prop_assert_eq!(ported.scripts.len(), if all { over } else { 0 }, "{:?}", ported.diagnostics);
    let options = Options { wanted: Wanted { catalog: Some(game.into()), ..Wanted::default() }, ..Options::default() };
    let mut machine = Machine::new();
    // What its own game gives up on (a variable that is not set, say), the other may give up on, too; which rooms have a
    // place is up to chance in both.
    let sets_in_rooms = sets_in_rooms(module);
    let own = lowered(module, catalog, machines(catalog).next().unwrap());
    for (script, own) in ported.scripts.iter().zip(own) {
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
            // A place off the level is an error here and nothing elsewhere, and where a room is may be up to chance.
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
    ($($name:ident, $property:ident, $cases:literal, $levels:ident;)*) => {
        /// The properties, by their names.
        pub const ALL: &[(&str, fn(&Made) -> TestCaseResult)] = &[$((stringify!($name), $property)),*];
    $(
        #[test]
        fn $name() {
            proptest!(config($cases, Levels::$levels), |(made in made())| $property(&made)?);
        }
    )*};
}

properties! {
    what_is_printed_is_parsed, printed_is_parsed, 60, Fresh;
    what_is_laid_out_is_the_same, laid_out_is_the_same, 40, Fresh;
    what_is_encoded_is_decoded, encoded_is_decoded, 60, Fresh;
    what_is_raised_is_the_same, raised_is_the_same, 40, Same;
    what_is_json_is_the_same, json_is_the_same, 40, Fresh;
    what_is_made_runs, runs, 40, Fresh;
    what_is_read_back_is_equivalent, read_back_is_equivalent, 8, Fresh;
    what_is_ported_is_good, ported_is_good, 60, Same;
    what_differs_after_a_port_is_named, account_is_complete, 20, Same;
    what_goes_there_and_back_is_the_same, there_and_back_is_the_same, 20, Same;
    what_is_ported_to_lua_runs, lua_runs, 20, Same;
}
