//! Themed rooms of NetHack 5: the rooms of whole levels draw for draw as the game's level maker makes them, and the
//! exact probabilities of a file of our own, computed by hand.

use std::collections::BTreeMap;
use std::fs;

use splc_driver::{Input, Loaded, NoIncludes, Options, load, themes};
use splc_tests::reference::{files, game};
use splc_vm::{DrawLines, Fraction, Kind, Level, Machine, Settings, SplitMix, Task, Trace};

fn loaded(name: &str, text: impl Into<Vec<u8>>) -> Loaded {
    load(Input::new(name, text), &Options::default(), &mut NoIncludes).unwrap()
}

fn own() -> Loaded {
    let path = splc_tests::corpus("nethack5").join("themed.lua");
    loaded("themed.lua", fs::read(path).unwrap())
}

fn settings(depth: i32) -> Settings {
    Settings { depth, difficulty: depth, ..Settings::default() }
}

fn share(numerator: u128, denominator: u128) -> Fraction {
    Fraction::new(numerator, denominator).unwrap()
}

/// By hand: the frequencies of the rooms are 12, 3, 1 (from 4), 5 (to 9), 1 (never), 1 and 1 (at 2), and the chance of
/// each is its frequency over the sum of those that fit.
#[test]
fn chances_of_rooms_are_exact() {
    let loaded = own();
    let file = themes::File::new(&loaded).unwrap().unwrap();
    let spans = file.chances(&Settings::default(), 1..=20, None).unwrap();
    let expected: [(i32, i32, [u128; 7]); 5] = [
        (1, 1, [12, 3, 0, 5, 0, 1, 0]),
        (2, 2, [12, 3, 0, 5, 0, 1, 1]),
        (3, 3, [12, 3, 0, 5, 0, 1, 0]),
        (4, 9, [12, 3, 1, 5, 0, 1, 0]),
        (10, 20, [12, 3, 1, 0, 0, 1, 0]),
    ];
    assert_eq!(spans.len(), expected.len());
    for (span, (from, to, frequencies)) in spans.iter().zip(expected) {
        assert_eq!((span.from, span.to), (from, to));
        let total = frequencies.iter().sum();
        let exact: Vec<Fraction> = frequencies.iter().map(|&frequency| share(frequency, total)).collect();
        assert_eq!(span.choice.entries, exact, "{from}");
        assert_eq!((span.choice.none, span.choice.unknown), (Some(Fraction::ZERO), None));
    }
    let treasury = themes::Place { kind: Kind::Room, number: 4 };
    assert!(file.never(treasury, &[&spans]).unwrap().message.text().contains("\"Treasury\" is never chosen"));
    assert_eq!(file.never(themes::Place { number: 3, ..treasury }, &[&spans]), None);
}

/// By hand: frequencies 2, 1 (without light) and 3 (from 6), drawn with one ticket each.
#[test]
fn chances_of_fills_are_exact_without_the_usual_loop() {
    let loaded = own();
    let file = themes::File::new(&loaded).unwrap().unwrap();
    for (lit, shallow, deep) in [(true, [2, 0, 0], [2, 0, 3]), (false, [2, 1, 0], [2, 1, 3])] {
        let spans = file.chances(&Settings::default(), 1..=9, Some(lit)).unwrap();
        let reach: Vec<(i32, i32)> = spans.iter().map(|span| (span.from, span.to)).collect();
        assert_eq!(reach, [(1, 5), (6, 9)]);
        for (span, frequencies) in spans.iter().zip([shallow, deep]) {
            let total = frequencies.iter().sum();
            assert_eq!(span.choice.entries, frequencies.map(|frequency| share(frequency, total)));
            assert_eq!(span.choice.fields, ["lit"]);
        }
    }
}

#[test]
fn choices_that_cannot_be_computed_have_a_reason() {
    let chooser = |body: &str| {
        let text = format!(
            "themerooms = {{ {{ contents = function() end }}, {{ contents = function() end }} }}\n\
                            function themerooms_generate()\n{body}\nend\n"
        );
        let loaded = loaded("themes.lua", text);
        let file = themes::File::new(&loaded).unwrap().unwrap();
        file.chances(&Settings::default(), 1..=1, None).unwrap().remove(0).choice
    };
    let choice = chooser("local n = nh.rn2(3) themerooms[n < 2 and 1 or 2].contents()");
    assert_eq!(choice.entries, [share(2, 3), share(1, 3)]);
    // A draw on the line of the loop's draw that is used in another way.
    let choice = chooser(
        "local pick = 1 for i = 1, 2 do local n = i if nh.rn2(4) == 0 then n = 0 end \
                          if nh.rn2(i) < n then pick = i end end themerooms[pick].contents()",
    );
    assert_eq!(choice.entries, [share(1, 4), share(3, 4)]);
    // Draws that are repeated until they are good have no end.
    let choice = chooser("local n repeat n = nh.rn2(3) until n > 0 themerooms[n].contents()");
    assert_eq!((choice.entries.len(), choice.unknown), (0, Some(splc_vm::Unknown::TooManyOutcomes)));
    let choice = chooser("calls = (calls or 0) + 1 themerooms[1 + calls % 2].contents()");
    assert_eq!(choice.unknown, Some(splc_vm::Unknown::NotRepeatable));
    // Work without end.
    let choice = chooser("for i = 1, 1e4 do nh.rn2(0) end for i = 1, 9 do nh.rn2(9) end themerooms[1].contents()");
    assert_eq!(choice.unknown, Some(splc_vm::Unknown::TooLong));
    // An outcome without a room, and one with an error.
    let choice =
        chooser("if percent(25) then themerooms[3].contents() elseif percent(50) then themerooms[1].contents() end");
    assert_eq!((choice.entries[0], choice.none), (share(3, 8), Some(share(5, 8))));
    assert!(choice.error.unwrap().contains("index a nil value"));
}

/// The exact chances agree with what the level maker does on many levels.
#[test]
fn chances_agree_with_levels() {
    let loaded = own();
    let program = loaded.levels[0].program.with_rooms(Task::Level).unwrap();
    let (mut machine, mut counts, mut total) = (Machine::new(), [0_u32; 7], 0);
    for seed in 1..=300 {
        let level = machine.run(&program, &settings(5), &mut SplitMix::new(seed), &mut ()).unwrap();
        for choice in level.themes().iter().filter(|choice| choice.kind == Kind::Room) {
            counts[choice.number] += 1;
            total += 1;
        }
    }
    let file = themes::File::new(&loaded).unwrap().unwrap();
    let spans = file.chances(&Settings::default(), 5..=5, None).unwrap();
    for (count, chance) in counts.into_iter().zip(&spans[0].choice.entries) {
        let (expected, count) = (chance.value() * f64::from(total), f64::from(count));
        // Six standard deviations.
        let width = 6.0 * (expected * (1.0 - chance.value())).sqrt();
        assert!((count - expected).abs() <= width, "{count} of {total}, expected {expected}");
    }
}

/// Lines of a trace that the recorder of the level maker has too.
fn comparable(trace: &str) -> Vec<&str> {
    let kept = ["D ", "E theme ", "E mon ", "E obj ", "E gold ", "E trap ", "E victim ", "E impossible ", "draws "];
    let made = ["M ", "L ", "door ", "altar ", "room ", "subroom "];
    trace.lines().filter(|line| kept.iter().chain(&made).any(|beginning| line.starts_with(beginning))).collect()
}

/// The level's monsters, objects and traps, without an order.
fn things(trace: &str) -> BTreeMap<String, usize> {
    let mut things = BTreeMap::new();
    for line in trace.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let taken = match words[0] {
            "mon" | "obj" | "buried" => 3,
            "trap" => 4,
            _ => continue,
        };
        *things.entry(words[..taken].join(" ")).or_default() += 1;
    }
    things
}

fn trace(level: &Level, trace: Trace, catalog: &splc_ir::catalog::Catalog) -> String {
    trace.finish(level, catalog)
}

/// The recorder is NetHack 5.0.0's own level maker with the draws of the reference traces: all of `makerooms`.
#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn rooms_of_levels_are_those_of_the_game() {
    let folder = game("nethack-5.0.0");
    let traces = files(&folder.join("themerooms"), ".txt");
    if traces.is_empty() {
        eprintln!("NOT RUN: the reference data has no levels with themed rooms");
        return;
    }
    let loaded = loaded("themerms.lua", fs::read(folder.join("lua/themerms.lua")).unwrap());
    let program = loaded.levels[0].program.with_rooms(Task::Level).unwrap();
    let catalog = loaded.target.catalog();
    let mut wrong = Vec::new();
    let mut machine = Machine::new();
    for path in &traces {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (depth, seed) = stem.split_once('.').unwrap();
        let expected = fs::read_to_string(path).unwrap();
        let mut observer = Trace::new(DrawLines::Shown);
        let seed = seed.parse().unwrap();
        let end = machine.run(&program, &settings(depth.parse().unwrap()), &mut SplitMix::new(seed), &mut observer);
        let made = match end {
            Ok(level) => trace(level, observer, catalog),
            Err(error) => format!("{}\n{error}", observer.text()),
        };
        let (ours, theirs) = (comparable(&made), comparable(&expected));
        if ours != theirs || things(&made) != things(&expected) {
            let first = ours.iter().zip(&theirs).position(|(one, other)| one != other);
            let at = first.unwrap_or(ours.len().min(theirs.len()));
            let near = |lines: &[&str]| lines[at.saturating_sub(4)..lines.len().min(at + 3)].join("\n    ");
            wrong.push(format!("{stem} line {at}\n  ours\n    {}\n  the game's\n    {}", near(&ours), near(&theirs)));
        }
    }
    println!("{} of {} levels identical", traces.len() - wrong.len(), traces.len());
    let shown = wrong.len().min(8);
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), traces.len(), wrong[..shown].join("\n"));
}
