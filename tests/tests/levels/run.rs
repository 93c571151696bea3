//! Levels that the VM runs: pictures of the corpus, and arbitrary programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::sync::OnceLock;

use proptest::prelude::*;
use splc_ir::catalog::{Catalog, Feature};
use splc_ir::loadable::Loadable;
use splc_ir::program::{Op, Opcode, Operand, Program, Rows};
use splc_ir::source::Span;
use splc_ir::value::ValueType;
use splc_picture::{Document, Picture, legend};
use splc_statistics::gather;
use splc_tests::{Compiled, SCRIPTS, compile, reference, snapshots, workspace};
use splc_vm::{Complaint, Fault, Machine, Prepared, Progress, Remarks, Rng, Settings, SplitMix, Trace};

/// The dialect whose levels are not programs, and its game.
const PARTS: (&str, &str) = ("nethack343", "nethack-3.4.3");

/// Compiles the corpus of a dialect.
fn compiled(dialect: &str, catalog: &'static Catalog) -> Vec<Compiled> {
    let files = reference::files(&splc_tests::corpus(dialect), ".des");
    files.iter().map(|path| compile(fs::read(path).unwrap(), Some(path), catalog)).collect()
}

/// Returns every program of the corpus of a dialect.
fn corpus(dialect: &str, catalog: &'static Catalog) -> Vec<Program> {
    let files = compiled(dialect, catalog).into_iter();
    files.flat_map(|file| file.programs).filter(|program| !program.ops.is_empty()).collect()
}

/// Returns every level of the corpus of a dialect, by name, ready to run.
fn levels(dialect: &str, catalog: &'static Catalog) -> Vec<(String, Prepared)> {
    let programs = corpus(dialect, catalog).into_iter().map(Loadable::Program);
    let parts = compiled(dialect, catalog).into_iter().flat_map(|file| file.parts).map(Loadable::Parts);
    programs.chain(parts).map(|level| (level.name().to_string(), Prepared::load(level, catalog).unwrap())).collect()
}

/// Returns the level with seed 1 as picture and legend, or its error.
fn snapshot(prepared: &Prepared, catalog: &'static Catalog) -> String {
    let mut machine = Machine::new();
    match machine.run(prepared, &Settings::default(), &mut SplitMix::new(1), &mut ()) {
        Err(error) => format!("error: {error}\n"),
        Ok(level) => {
            let mut text = Picture::of(level, catalog).text();
            for entry in legend(level, catalog) {
                let places: String = entry.places.iter().map(|(x, y)| format!(" {x},{y}")).collect();
                let line = format!("{}: {} {}:{places}", entry.subject.name(), entry.symbol, entry.what);
                writeln!(text, "{}", line.trim_end_matches(':')).unwrap();
            }
            text
        }
    }
}

/// Compares the levels of the corpus with the pictures in `snapshots/run`.
#[test]
fn levels_of_the_corpus_match_their_snapshots() {
    for (dialect, game) in SCRIPTS.into_iter().chain([PARTS]) {
        let catalog = Catalog::by_name(game).unwrap();
        // Of two levels of the same name in a file the later one counts, as in the folder of level files.
        let made: BTreeMap<String, String> = levels(dialect, catalog)
            .iter()
            .map(|(name, level)| (format!("{name}.txt"), snapshot(level, catalog)))
            .collect();
        assert!(made.len() > 10, "the corpus of {dialect} is gone");
        snapshots::compare_folder(&workspace().join("tests/snapshots/run").join(dialect), ".txt", &made);
    }
}

/// Statistics are the same on one thread and on many, and agree with single runs.
#[test]
fn counts_do_not_depend_on_threads() {
    // A lower limit, so that levels that hang stop sooner.
    let settings = Settings { draws: 20_000, ..Settings::default() };
    let of = |(dialect, game)| levels(dialect, Catalog::by_name(game).unwrap());
    for (name, prepared) in of(SCRIPTS[0]).into_iter().chain(of(PARTS)) {
        let catalog = prepared.catalog();
        let progress = Progress::default();
        let alone = gather(&prepared, &settings, 1..=12, 1, &progress);
        let many = gather(&prepared, &settings, 1..=12, 7, &progress);
        assert!(alone == many, "{name}");
        assert_eq!(progress.done(), 24);
        let mut machine = Machine::new();
        let (mut levels, mut monsters) = (0, 0);
        for seed in 1..=12 {
            if let Ok(level) = machine.run(&prepared, &settings, &mut SplitMix::new(seed), &mut ()) {
                levels += 1;
                monsters += level.monsters().len() as u64;
            }
        }
        let failed: u64 = alone.faults().map(|(_, count, _)| count).sum();
        assert_eq!((alone.levels(), failed), (levels, 12 - levels), "{name}");
        let counted = alone.things(catalog).into_iter().filter(|(kind, ..)| *kind == splc_statistics::Kind::Monster);
        assert_eq!(counted.map(|(_, _, tally, _)| tally.total).sum::<u64>(), monsters, "{name}");
    }
}

/// Returns the tried and failed rooms of a script, with their lines.
fn tried(text: &str, seeds: u64) -> Vec<(usize, u64, u64)> {
    let catalog = Catalog::by_name("unnethack-6.0.4").unwrap();
    let compiled = compile(text.as_bytes().to_vec(), None, catalog);
    let prepared = Prepared::new(&compiled.programs[0], catalog).unwrap();
    let statistics = gather(&prepared, &Settings::default(), 1..=seeds, 1, &Progress::default());
    let line = |at: usize| {
        let span = prepared.span(at).unwrap();
        compiled.sources.line_column(span.file, span.start).0
    };
    statistics.room_statements().map(|(at, tried, failed)| (line(at), tried, failed)).collect()
}

/// Subrooms of a room that found no place are not tried.
#[test]
fn skipped_subrooms_are_not_tried() {
    let large = "ROOM: \"ordinary\", lit, random, random, (15,15) { }\n".repeat(2);
    let last =
        "ROOM: \"ordinary\", lit, random, random, (15,15) {\n  SUBROOM: \"ordinary\", lit, (1,1), (3,3) { }\n}\n";
    let rooms = tried(&format!("LEVEL: \"crowd\"\n{large}{last}"), 50);
    let [.., (4, outer, failed), (5, inner, _)] = rooms[..] else { panic!("{rooms:?}") };
    assert_eq!(outer, 50);
    assert!((1..50).contains(&failed) && inner == outer - failed, "{rooms:?}");
}

/// `fix_stair_rooms` uses the room of the stairs, and stairs of a map have none: the games crash there.
#[test]
fn random_corridors_need_stairs_made_in_a_room() {
    for (_, game) in SCRIPTS {
        let catalog = Catalog::by_name(game).unwrap();
        let run = |stairs: &str| {
            let source = format!(
                "LEVEL: \"x\"\nROOM: \"ordinary\", lit, (3,3), (center,center), (9,5) {{\n{}}}\n{}RANDOM_CORRIDORS\n",
                if stairs == "within" { "STAIR: (1,1), up\n" } else { "" },
                if stairs == "outside" { "STAIR: (40,10), up\n" } else { "" }
            );
            let programs = compile(source.into_bytes(), None, catalog).programs;
            let prepared = Prepared::new(&programs[0], catalog).unwrap();
            let mut machine = Machine::new();
            let run = machine.run(&prepared, &Settings::default(), &mut SplitMix::new(1), &mut ()).map(|_| ());
            run.map_err(|error| error.to_string())
        };
        assert_eq!(run("none"), Ok(()));
        assert_eq!(run("within"), Ok(()));
        assert_eq!(run("outside").unwrap_err(), "the stairs are not in a room: corridors cannot be dug");
    }
}

/// The games free an array before they evaluate its new value, which may use the array itself.
#[test]
fn an_array_set_from_itself_is_a_complaint() {
    for (_, game) in SCRIPTS {
        let catalog = Catalog::by_name(game).unwrap();
        // The old language cannot express such an array.
        if catalog.has(Feature::ValuesWithoutVariables) {
            continue;
        }
        let remarks = |again: &str| {
            let source = format!("LEVEL: \"x\"\n$a = {{ 1, 2 }}\n$b = {{ 3, 4 }}\n$a = {{ {again}, 5 }}\n");
            let programs = compile(source.into_bytes(), None, catalog).programs;
            let prepared = Prepared::new(&programs[0], catalog).unwrap();
            let mut remarks = Remarks::new();
            Machine::new().run(&prepared, &Settings::default(), &mut SplitMix::new(1), &mut remarks).unwrap();
            remarks.list().iter().filter(|remark| remark.complaint == Complaint::ArrayOfItself).count()
        };
        assert_eq!((remarks("$a[0]"), remarks("$b[0]")), (1, 0), "{game}");
    }
}

// --- Arbitrary programs

/// Returns programs to start from: the corpora.
fn seeds() -> &'static [(&'static Catalog, Program)] {
    static SEEDS: OnceLock<Vec<(&'static Catalog, Program)>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let games = SCRIPTS.iter().map(|&(dialect, game)| (dialect, Catalog::by_name(game).unwrap()));
        let mut all: Vec<(&'static Catalog, Program)> = games
            .flat_map(|(dialect, catalog)| corpus(dialect, catalog).into_iter().map(move |program| (catalog, program)))
            .collect();
        // And the empty program, to which everything is added.
        for (_, game) in SCRIPTS {
            all.push((Catalog::by_name(game).unwrap(), Program::default()));
        }
        all
    })
}

/// Returns a number that is likely to matter.
fn number(rng: &mut SplitMix) -> i64 {
    match rng.below(8) {
        0 => i64::from(rng.below(u32::MAX)) << 16 ^ i64::from(rng.below(u32::MAX)),
        1 => -i64::from(rng.below(5)),
        2 => i64::from(rng.below(1 << 16)),
        3 => i64::from(i32::MAX) - i64::from(rng.below(2)),
        4 => i64::from(rng.below(80)) | i64::from(rng.below(21)) << 16,
        5 => i64::MIN + i64::from(rng.below(2)),
        _ => i64::from(rng.below(30)),
    }
}

fn operand(rng: &mut SplitMix, catalog: &Catalog) -> Operand {
    let tags =
        [ValueType::Coordinate, ValueType::Region, ValueType::MapCharacter, ValueType::Monster, ValueType::Object];
    match rng.below(12) {
        0 => Operand::String(Some("gnome".into())),
        1 => Operand::Variable(["a", "b", "c"][rng.below(3) as usize].into()),
        2 => {
            let width = 1 + rng.below(30) as usize;
            let letters: Vec<u8> = catalog.map_characters.bytes().collect();
            let cells = (0..width * rng.below(22) as usize).map(|_| letters[rng.below(letters.len() as u32) as usize]);
            Operand::Rows(Rows { cells: cells.collect(), width })
        }
        3..=7 => Operand::Raw(tags[rng.below(5) as usize], number(rng)),
        _ => Operand::Integer(number(rng)),
    }
}

fn op(rng: &mut SplitMix, catalog: &Catalog) -> Op {
    let code = match rng.below(2) {
        0 => Opcode::Push,
        _ => catalog.opcodes[rng.below(catalog.opcodes.len() as u32) as usize],
    };
    let operand = (code == Opcode::Push).then(|| operand(rng, catalog));
    Op { code, operand, span: Span::default() }
}

/// Returns one of the programs with the given number of changes.
fn changed(which: usize, seed: u64, changes: usize) -> (&'static Catalog, Program) {
    let rng = &mut SplitMix::new(seed);
    let (catalog, program) = &seeds()[which % seeds().len()];
    let mut program = program.clone();
    if program.ops.is_empty() {
        program.ops = (0..rng.below(200)).map(|_| op(rng, catalog)).collect();
    }
    // Code after the changes rarely runs, so shorter programs are more effective.
    program.ops.truncate(400);
    for _ in 0..changes {
        let at = rng.below(program.ops.len().max(1) as u32) as usize;
        let kind = rng.below(6);
        match program.ops.get_mut(at) {
            Some(old) if kind == 0 => *old = op(rng, catalog),
            Some(old) if kind <= 2 && old.code == Opcode::Push => old.operand = Some(operand(rng, catalog)),
            Some(_) if kind == 3 => drop(program.ops.remove(at)),
            Some(_) if kind == 4 => {
                let other = rng.below(program.ops.len() as u32) as usize;
                program.ops.swap(at, other);
            }
            _ => program.ops.insert(at.min(program.ops.len()), op(rng, catalog)),
        }
    }
    (catalog, program)
}

/// Limits of opcodes and draws for a run of any program.
const FUEL: u64 = 5_000;
const DRAWS: u64 = 100_000;

/// Most draws of one opcode. The slowest ones try each square of the level a few times.
const MOST_DRAWS_OF_AN_OPCODE: u64 = 1_000_000;

/// Changed programs are realistic: many of them run to the end, and many others stop with a fault.
#[test]
fn changed_programs_reach_both_ends() {
    let (mut done, mut stopped) = (0, 0);
    for seed in 0..400 {
        let (catalog, program) = changed(seed as usize, seed, seed as usize % 30);
        let prepared = Prepared::new(&program, catalog).unwrap();
        let settings = Settings { fuel: FUEL, draws: DRAWS, ..Settings::default() };
        match Machine::new().run(&prepared, &settings, &mut SplitMix::new(seed), &mut ()) {
            Ok(_) => done += 1,
            Err(_) => stopped += 1,
        };
    }
    assert!(done > 40 && stopped > 40, "{done} done, {stopped} stopped");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(splc_tests::cases(256)))]

    /// Every program ends, and its level can be shown.
    #[test]
    fn any_program_ends(which in any::<usize>(), seed in any::<u64>(), changes in 0..30_usize, draw in any::<u64>()) {
        let (catalog, program) = changed(which, seed, changes);
        let prepared = Prepared::new(&program, catalog).unwrap();
        let settings = Settings { fuel: FUEL, draws: DRAWS, ..Settings::default() };
        let mut machine = Machine::new();
        let mut trace = Trace::new(splc_vm::DrawLines::Hidden);
        _ = machine.run(&prepared, &settings, &mut SplitMix::new(draw), &mut trace);
        // The limit is checked between opcodes.
        prop_assert!(trace.draws() < DRAWS + MOST_DRAWS_OF_AN_OPCODE, "{} draws", trace.draws());
        let level = machine.level();
        prop_assert!(trace.finish(level, catalog).lines().count() > 42);
        // Showing takes longer than running, so a sample is enough.
        if seed % 16 == 0 {
            prop_assert_eq!(Picture::of(level, catalog).text().lines().count(), 21);
            legend(level, catalog);
            prop_assert_eq!(Document::of(level, catalog).terrain.len(), 21);
        }
    }
}

/// A maze whose map leaves no place for the things that the game adds to mazes. An observer sees every draw for them;
/// without one, the draws are skipped.
#[test]
fn a_full_maze_is_the_same_with_or_without_observed_draws() {
    let catalog = Catalog::by_name("nethack-3.6.7-nle").unwrap();
    let map = format!("{0}\n{1}{0}\n", "-".repeat(13), format!("|{}|\n", " ".repeat(11)).repeat(11));
    let text = format!(
        "MAZE: \"mylevel\", ' '\nGEOMETRY: center, center\nMAP\n{map}ENDMAP\nMAZEWALK: (5,5), east\nSTAIR: random, up\n"
    );
    let program = compile(text.into_bytes(), None, catalog).programs.remove(0);
    let prepared = Prepared::new(&program, catalog).unwrap();
    let (mut one, mut other) = (Machine::new(), Machine::new());
    for seed in 1..=20 {
        let settings = Settings::default();
        let mut trace = Trace::new(splc_vm::DrawLines::Hidden);
        let passed = one.run(&prepared, &settings, &mut SplitMix::new(seed), &mut ()).unwrap();
        let taken = other.run(&prepared, &settings, &mut SplitMix::new(seed), &mut trace).unwrap();
        assert_eq!(
            serde_json::to_string(&Document::of(passed, catalog)).unwrap(),
            serde_json::to_string(&Document::of(taken, catalog)).unwrap()
        );
        assert!(trace.draws() > 20_000, "seed {seed} takes {} draws", trace.draws());
        let counted = gather(&prepared, &settings, seed..=seed, 1, &Progress::default()).draws().unwrap();
        assert_eq!(counted.0, trace.draws());
    }
}

/// A run does not store texts without bounds, in any dialect.
#[test]
fn the_texts_of_a_level_are_bounded() {
    let long = "x".repeat(200_000);
    for (dialect, game) in SCRIPTS {
        let catalog = Catalog::by_name(game).unwrap();
        for statement in ["MESSAGE: $s", "ENGRAVING: random, burn, $s"] {
            let source = format!("LEVEL: \"x\"\n$s = \"{long}\"\nLOOP [5000] {{\n{statement}\n}}\n");
            let level = compile(source.into_bytes(), None, catalog).programs.pop().expect(dialect);
            let prepared = Prepared::load(Loadable::Program(level), catalog).unwrap();
            let mut machine = Machine::new();
            let end = machine.run(&prepared, &Settings::default(), &mut SplitMix::new(1), &mut ()).map(|_| ());
            // SporkHack stores 127 bytes of a message, so its result differs.
            let cut = dialect == "sporkhack" && statement.starts_with("MESSAGE");
            let expected = if cut { Ok(()) } else { Err(Fault::LevelTexts) };
            assert_eq!(end.map_err(|error| error.fault), expected, "{dialect}: {statement}");
        }
    }
}
