//! What the page of `splc preview` says about every square and thing, compared with the steps that were seen to run.
//!
//! The games' traces name no statements. They say what was placed where, and in which order, and show the finished
//! level. Where there is a trace, the page shows its squares, and the events of the witness are its lines, one by one.
//! The witness knows the step that ran during each. SporkHack has no stored traces.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::PathBuf;

use splc_driver::{Loaded, Runnable};
use splc_ir::source::{Form, Span};
use splc_preview::{Drawn, drawn};
use splc_vm::{COLUMNS, Level, Place, ROWS, Settings, Terrain, Whereabouts};

use super::{Witness, places};

/// A statement as the page names it: the number of its source, and its lines and columns.
type Named = (u32, [usize; 2], [usize; 2]);

/// The subject of a thing, its place and the statement that made it.
type Made = (&'static str, Option<[i32; 2]>, Option<Named>);

/// The result of comparing pages.
#[derive(Default)]
pub struct Pages {
    pub levels: usize,
    pub squares: usize,
    pub things: usize,
    /// Levels that were compared with a trace of the game's own loader.
    pub traced: usize,
    pub wrong: BTreeMap<String, usize>,
    /// Traces of the game.
    traces: PathBuf,
    /// The statement of each step of the level that was compared last, and the name of that level.
    statements: (String, HashMap<usize, Option<Named>>),
}

/// Returns the statement of a step from the text alone.
fn statement(loaded: &Loaded, runnable: &Runnable, step: usize) -> Option<Named> {
    let span: Span = runnable.program.span(step)?;
    let source = loaded.sources.get(span.file);
    let (start, end) = (span.start as usize, span.end as usize);
    if source.form != Form::Text || start == end {
        return None;
    }
    let position = |offset: usize| {
        let before = &source.text[..offset];
        let line = before.rsplit('\n').next().unwrap();
        [before.matches('\n').count() + 1, line.encode_utf16().count()]
    };
    Some((span.file.0, position(start), position(end)))
}

impl Pages {
    pub fn new(traces: PathBuf) -> Self {
        Pages { traces, ..Pages::default() }
    }

    fn wrong(&mut self, name: &str, what: &str) {
        *self.wrong.entry(format!("{name}: {what}")).or_default() += 1;
    }

    fn statement(&mut self, loaded: &Loaded, runnable: &Runnable, step: Option<usize>) -> Option<Named> {
        if self.statements.0 != runnable.name.as_str() {
            self.statements = (runnable.name.to_string(), HashMap::new());
        }
        let step = step?;
        *self.statements.1.entry(step).or_insert_with(|| statement(loaded, runnable, step))
    }

    /// Compares the page of a level with what `witness` saw of the same run, which ended with `level`.
    pub fn compare(&mut self, loaded: &Loaded, runnable: &Runnable, seed: u64, level: &Level, witness: &Witness) {
        let page = drawn(loaded, runnable, &Settings::default(), seed);
        assert!(page.failed.is_none(), "{}", runnable.name);
        self.levels += 1;
        let name = runnable.name.to_string();
        let name = name.as_str();
        let named: Vec<Named> = page.statements.iter().map(|it| (it.source, it.from, it.to)).collect();
        let by = |number: i32| usize::try_from(number).ok().map(|number| named[number]);
        let row_by_row = (0..ROWS).flat_map(|y| (1..COLUMNS).map(move |x| (x, y)));
        for (number, place) in row_by_row.enumerate() {
            self.squares += 1;
            let seen = self.statement(loaded, runnable, witness.square(place, level));
            if by(page.made[number]) != seen {
                let word = level.terrain(place.0, place.1).word();
                self.wrong(name, &format!("{word} by {:?}, but {seen:?} changed it", by(page.made[number])));
            }
            let seen = self.statement(loaded, runnable, witness.light(place, level));
            if by(page.lit_by[number]) != seen {
                self.wrong(name, &format!("light by {:?}, but {seen:?} changed it", by(page.lit_by[number])));
            }
        }
        let mut expected = self.expected(loaded, runnable, level, witness);
        for group in &page.things {
            for thing in group.each.iter().filter(|_| group.subject != "features") {
                self.things += 1;
                let key = (group.subject, thing.place, thing.statement.map(|number| named[number]));
                match expected.get_mut(&key).filter(|count| **count > 0) {
                    Some(count) => *count -= 1,
                    None => self.wrong(name, &format!("{} by {key:?}, which did not run then", group.what)),
                }
            }
        }
        for (key, count) in expected.into_iter().filter(|(_, count)| *count > 0) {
            self.wrong(name, &format!("{count} of {key:?} are not on the page"));
        }
        let trace = self.traces.join(format!("{name}.{seed}.txt"));
        // The trace is that of the last level with this name.
        let is_last = loaded
            .levels
            .iter()
            .rfind(|known| known.name == runnable.name)
            .is_some_and(|last| last.span == runnable.span);
        if let (true, Ok(bytes)) = (is_last, fs::read(trace)) {
            self.traced += 1;
            let text: String = bytes.into_iter().map(char::from).collect();
            self.trace(name, &text, &page, witness);
        }
    }

    /// Counts the things of `level` by place and by the statement of the step that was seen to run.
    fn expected(
        &mut self,
        loaded: &Loaded,
        runnable: &Runnable,
        level: &Level,
        witness: &Witness,
    ) -> HashMap<Made, usize> {
        let mut things = Vec::new();
        let mut add = |subject, place: Option<Place>, step| things.push((subject, place.map(|(x, y)| [x, y]), step));
        let of = |steps: &[usize], at: usize| Some(steps.get(at).copied().unwrap_or(witness.at));
        let monsters = witness.monsters_of(level);
        for (at, monster) in level.monsters().iter().enumerate() {
            add("monsters", Some((monster.x, monster.y)), of(&monsters, at));
        }
        let objects = witness.objects_of(level);
        for (at, object) in level.objects().iter().enumerate() {
            if matches!(object.whereabouts, Whereabouts::Floor | Whereabouts::Buried) {
                add("objects", Some((object.x, object.y)), of(&objects, at));
            }
        }
        for (at, gold) in level.gold().iter().enumerate() {
            add("objects", Some((gold.x, gold.y)), of(&witness.gold, at));
        }
        for trap in level.traps() {
            add("traps", Some((trap.x, trap.y)), Some(witness.trap(trap, level, runnable).unwrap_or(witness.at)));
        }
        for engraving in level.engravings() {
            let place = (engraving.x, engraving.y);
            let before = level.mirror().map_or(place, |mirror| mirror.place(place));
            let step = witness.engravings.iter().rfind(|(there, _)| *there == before).map(|&(_, step)| step);
            add("engravings", Some(place), step);
        }
        for (at, _) in level.rooms().iter().enumerate() {
            add("rooms", None, of(&witness.rooms, at));
        }
        for (at, _) in level.subrooms().iter().enumerate() {
            add("rooms", None, of(&witness.subrooms, at));
        }
        let mut counts = HashMap::new();
        for (subject, place, step) in things {
            let named = self.statement(loaded, runnable, step);
            *counts.entry((subject, place, named)).or_default() += 1;
        }
        counts
    }

    /// Compares the page and the events of the run with the trace of the game's own loader.
    fn trace(&mut self, name: &str, trace: &str, page: &Drawn, witness: &Witness) {
        let cells = serde_json::to_value(&page.palette).unwrap();
        let cell = |number: usize| &cells[usize::from(page.squares[number])];
        let mark = |number: usize| {
            let word = cell(number)["terrain"].as_str().unwrap();
            char::from(Terrain::ALL.iter().find(|terrain| terrain.word() == word).unwrap().trace_mark())
        };
        let light = |number: usize| if cell(number)["lit"].as_bool().unwrap() { '1' } else { '0' };
        let rows = |letter: &str| -> Vec<char> {
            trace.lines().filter_map(|line| line.strip_prefix(letter)).flat_map(str::chars).collect()
        };
        let all = 0..places().count();
        if rows("M ") != all.clone().map(mark).collect::<Vec<_>>() {
            self.wrong(name, "the page shows other terrain than the trace");
        }
        if rows("L ") != all.map(light).collect::<Vec<_>>() {
            self.wrong(name, "the page shows other light than the trace");
        }
        let lines = |prefix: &str| -> Vec<Place> {
            let lines = trace.lines().filter_map(|line| line.strip_prefix(prefix));
            let place = |line: &str| {
                let mut words = line.split(' ');
                let mut number = || words.next().unwrap().parse().unwrap();
                (number(), number())
            };
            lines.map(place).collect()
        };
        if lines("E mon ") != witness.monsters.iter().map(|&(place, _)| place).collect::<Vec<_>>() {
            self.wrong(name, "the trace has other monsters");
        }
        if lines("E trap ") != witness.traps.iter().map(|&(place, ..)| place).collect::<Vec<_>>() {
            self.wrong(name, "the trace has other traps");
        }
        if lines("E gold ").len() != witness.gold.len() {
            self.wrong(name, "the trace has other gold");
        }
        if lines("E obj ").len() != witness.objects.len() {
            self.wrong(name, "the trace has other objects");
        }
    }
}
