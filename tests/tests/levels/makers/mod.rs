//! The makers of squares and things, for every level of the games: the statement named for a change is the one that was
//! running, and the place named in its coordinates is the one that its text names.
//!
//! Three judges are used. The events of a run, which the reference traces contain too, say which step was running when
//! a thing was placed. Every step's whole level shows which step changed a square. The text of a statement names a
//! literal place, and the text of a MAP its terrain.

mod page;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;

use splc_driver::{Content, Input, Loaded, Options, Runnable, Wanted, load, read};
use splc_ir::catalog::Catalog;
use splc_ir::level::{Expr, ExprKind, MapRows, Statement, StatementKind};
use splc_ir::source::{FileId, SourceMap, Span};
use splc_ir::visit::{self, Visit};
use splc_tests::{Beside, reference};
use splc_vm::{
    COLUMNS, Chronicle, Event, Flow, Level, Machine, Observer, Place, ROWS, SQUARES, Settings, SplitMix, Terrain, Trap,
    View,
};

/// The seeds of each level.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=10;

/// Terrain of map characters that no loader changes after the map is laid. Walls change their shape.
const LAID: [(char, Terrain); 8] = [
    ('.', Terrain::ROOM),
    ('}', Terrain::MOAT),
    ('L', Terrain::LAVA),
    ('I', Terrain::ICE),
    ('T', Terrain::TREE),
    ('F', Terrain::IRON_BARS),
    ('A', Terrain::AIR),
    ('C', Terrain::CLOUD),
];

/// Records the running step of every event, and of every change of a square.
struct Witness {
    began: bool,
    at: usize,
    monsters: Vec<(Place, usize)>,
    objects: Vec<usize>,
    /// The step before which each object was missing: a boulder of a trap has no event.
    grown: Vec<usize>,
    gold: Vec<usize>,
    traps: Vec<(Place, i32, usize)>,
    /// Some games have no events of them.
    engravings: Vec<(Place, usize)>,
    rooms: Vec<usize>,
    subrooms: Vec<usize>,
    squares: Vec<Option<usize>>,
    lights: Vec<Option<usize>>,
    before: Vec<(Terrain, i32, bool)>,
    stairs: [Place; 4],
}

impl Witness {
    fn new() -> Self {
        Witness {
            began: false,
            at: 0,
            monsters: Vec::new(),
            objects: Vec::new(),
            grown: Vec::new(),
            gold: Vec::new(),
            traps: Vec::new(),
            engravings: Vec::new(),
            rooms: Vec::new(),
            subrooms: Vec::new(),
            squares: vec![None; SQUARES],
            lights: vec![None; SQUARES],
            before: vec![(Terrain::STONE, 0, false); SQUARES],
            stairs: [(0, 0); 4],
        }
    }

    fn look(&mut self, level: &Level) {
        self.grown.resize(level.objects().len(), self.at);
        let known: HashSet<Place> = self.engravings.iter().map(|(place, _)| *place).collect();
        let engraved = level.engravings().iter().map(|engraving| (engraving.x, engraving.y));
        self.engravings.extend(engraved.filter(|place| !known.contains(place)).map(|place| (place, self.at)));
        self.rooms.resize(level.rooms().len(), self.at);
        self.subrooms.resize(level.subrooms().len(), self.at);
        // The ground before the first step is not the work of a step.
        let step = self.began.then_some(self.at);
        for place in places() {
            let (x, y) = place;
            let (terrain, flags, lit) = (level.terrain(x, y), level.flags(x, y), level.is_lit(x, y));
            let (then_terrain, then_flags, then_lit) =
                std::mem::replace(&mut self.before[index(place)], (terrain, flags, lit));
            if (then_terrain, then_flags) != (terrain, flags) {
                self.squares[index(place)] = step;
            }
            if then_lit != lit {
                self.lights[index(place)] = step;
            }
        }
        // Stairs are made anew where stairs were, which does not show on the square.
        let stairs = stairs(level);
        for (now, then) in stairs.into_iter().zip(std::mem::replace(&mut self.stairs, stairs)) {
            if now != then && now.0 > 0 {
                self.squares[index(now)] = step;
            }
        }
    }

    /// Returns the step that changed a square of the finished level last.
    fn square(&self, place: Place, level: &Level) -> Option<usize> {
        let terrain = level.terrain(place.0, place.1);
        let then = before_flip(place, level)?;
        // Furniture that was not there before the end is that of level regions.
        let is_late = terrain.is_furniture() && self.before[then].0 != terrain;
        if is_late { Some(self.at) } else { self.squares[then] }
    }

    /// Returns the step that changed the light of a square of the finished level last.
    fn light(&self, place: Place, level: &Level) -> Option<usize> {
        self.lights[before_flip(place, level)?]
    }

    /// Returns the step of each monster of the finished level.
    fn monsters_of(&self, level: &Level) -> Vec<usize> {
        // Some games drop a monster whose place is taken.
        let mut taken = HashSet::new();
        let all = self.monsters.len() == level.monsters().len();
        let monsters = self.monsters.iter().filter(|(place, _)| taken.insert(*place) || all);
        monsters.map(|&(_, step)| step).collect()
    }

    /// Returns the step of each object of the finished level.
    fn objects_of(&self, level: &Level) -> Vec<usize> {
        if self.objects.len() == level.objects().len() {
            return self.objects.clone();
        }
        let mut grown = self.grown.clone();
        grown.resize(level.objects().len(), self.at);
        grown
    }

    /// Returns the step of the event of a trap of the finished level, unless it came while the level was finished.
    fn trap(&self, trap: &Trap, level: &Level, runnable: &Runnable) -> Option<usize> {
        let before = |trap: &Trap| level.mirror().map_or((trap.x, trap.y), |mirror| mirror.place((trap.x, trap.y)));
        let end = runnable.program.len();
        let of_kind = || self.traps.iter().filter(|(_, kind, _)| *kind == trap.kind);
        let before_the_end = || of_kind().filter(|(.., step)| *step < end);
        // The last event at a place is that of the trap which remains. At the end, places are those after the flip.
        let here = before_the_end().rfind(|(there, ..)| *there == before(trap));
        let is_late = || of_kind().any(|(there, _, step)| *step >= end && *there == (trap.x, trap.y));
        // Some flips move a trap to the edge of the level from outside of it. No other one is missing at its place.
        let is_in_place = |there: Place| level.traps().iter().any(|it| it.kind == trap.kind && before(it) == there);
        let moved = || {
            let mut all = before_the_end().filter(|(there, ..)| !is_in_place(*there));
            all.next().filter(|_| all.next().is_none() && !is_late())
        };
        here.or_else(moved).map(|&(.., step)| step)
    }
}

fn index((x, y): Place) -> usize {
    (x * ROWS + y) as usize
}

/// Returns the index of a square of the finished level before the flip; `None` if it was outside the level.
fn before_flip(place: Place, level: &Level) -> Option<usize> {
    let (x, y) = level.mirror().map_or(place, |mirror| mirror.place(place));
    ((1..COLUMNS).contains(&x) && (0..ROWS).contains(&y)).then(|| index((x, y)))
}

fn stairs(level: &Level) -> [Place; 4] {
    let stairs = level.stairs();
    [stairs.up, stairs.down, stairs.ladder_up, stairs.ladder_down]
}

impl Observer for Witness {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Monster { x, y, .. } => self.monsters.push(((x, y), self.at)),
            Event::Object { .. } | Event::ObjectOfClass { .. } => self.objects.push(self.at),
            Event::Gold { .. } => self.gold.push(self.at),
            Event::Trap { x, y, kind } => self.traps.push(((x, y), kind, self.at)),
            _ => {}
        }
    }

    fn step(&mut self, view: &View<'_>) -> Flow {
        self.look(view.level());
        self.began = true;
        self.at = view.at();
        Flow::Continue
    }

    fn finishing(&mut self, view: &View<'_>) {
        self.look(view.level());
        self.at = view.at();
    }
}

fn places() -> impl Iterator<Item = Place> {
    (1..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y)))
}

/// The literal places of statements, and the maps.
#[derive(Default)]
struct Written {
    /// The literal places in each statement that contains no other.
    places: HashMap<Span, Vec<Place>>,
    statement: Span,
    maps: Vec<(Span, Vec<String>)>,
}

impl Written {
    /// Finds the texts of maps in a script: `des.map` with a long string.
    fn script(&mut self, text: &str, file: FileId) {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let call = line.find("des.map").filter(|at| !line[..*at].contains("--"));
            if let Some((_, after)) = call.and_then(|at| text[start + at..].split_once("[[")) {
                let drawing = after.split("]]").next().unwrap();
                let rows = drawing.strip_prefix('\n').unwrap_or(drawing).lines().map(str::to_owned).collect();
                self.maps.push((Span::new(file, start, start + line.len()), rows));
            }
            start += line.len();
        }
    }
}

impl<'a> Visit<'a> for Written {
    fn statement(&mut self, statement: &'a Statement) {
        let outer = std::mem::replace(&mut self.statement, statement.span);
        if let StatementKind::Monster(_)
        | StatementKind::Object(_)
        | StatementKind::Trap { .. }
        | StatementKind::Gold { .. } = statement.kind
        {
            self.places.insert(statement.span, Vec::new());
        }
        visit::walk::statement(self, statement);
        self.statement = outer;
    }

    fn expression(&mut self, expression: &'a Expr) {
        if let (ExprKind::Coordinate { x, y }, Some(places)) = (&expression.kind, self.places.get_mut(&self.statement))
        {
            places.push((*x, *y));
        }
        visit::walk::expression(self, expression);
    }

    fn map_rows(&mut self, rows: &'a MapRows) {
        self.maps.push((rows.span, rows.rows.iter().map(|row| row.to_string()).collect()));
    }
}

/// Returns the step that made the thing at an index.
type MakerOf<'a> = &'a dyn Fn(usize) -> Option<usize>;

/// The result of comparing the levels of a game.
#[derive(Default)]
struct Tally {
    levels: usize,
    things: usize,
    squares: usize,
    literal: usize,
    drawn: usize,
    wrong: BTreeMap<String, usize>,
}

impl Tally {
    fn wrong(&mut self, level: &Runnable, what: &str) {
        *self.wrong.entry(format!("{}: {what}", level.name)).or_default() += 1;
    }

    /// Compares a finished level.
    fn compare(&mut self, level: &Level, runnable: &Runnable, chronicle: &Chronicle, witness: &Witness) {
        let (monsters, objects) = (witness.monsters_of(level), witness.objects_of(level));
        let lists: [(&str, usize, &Vec<usize>, MakerOf<'_>); 3] = [
            ("monster", level.monsters().len(), &monsters, &|at| chronicle.monster(at).map(|maker| maker.at)),
            ("object", level.objects().len(), &objects, &|at| chronicle.object(at).map(|maker| maker.at)),
            ("gold", level.gold().len(), &witness.gold, &|at| chronicle.gold(at).map(|maker| maker.at)),
        ];
        for (what, count, seen, maker) in lists {
            if count != seen.len() {
                self.wrong(runnable, &format!("{count} of {what}, but {} events", seen.len()));
                continue;
            }
            for (at, step) in seen.iter().enumerate() {
                self.things += 1;
                if maker(at) != Some(*step) {
                    self.wrong(runnable, &format!("{what} by step {:?}, but step {step} ran", maker(at)));
                }
            }
        }
        for (at, trap) in level.traps().iter().enumerate() {
            self.things += 1;
            let maker = chronicle.trap(at).map(|maker| maker.at);
            let event = witness.trap(trap, level, runnable);
            if event.is_some() && maker != event {
                self.wrong(runnable, &format!("trap by step {maker:?}, but step {event:?} ran"));
            }
        }
        for (x, y) in places() {
            if before_flip((x, y), level).is_none() {
                continue;
            }
            self.squares += 1;
            let maker = chronicle.square((x, y), level).map(|maker| maker.at);
            let seen = witness.square((x, y), level);
            if maker != seen {
                let word = level.terrain(x, y).word();
                self.wrong(runnable, &format!("{word} by step {maker:?}, but step {seen:?} changed it"));
            }
        }
    }

    /// Compares the makers with the text of their statements.
    fn read(&mut self, level: &Level, runnable: &Runnable, chronicle: &Chronicle, written: &Written, map: &SourceMap) {
        let monsters = level.monsters().iter().enumerate().map(|(at, it)| ((it.x, it.y), chronicle.monster(at)));
        let objects = level.objects().iter().enumerate().map(|(at, it)| ((it.x, it.y), chronicle.object(at)));
        let traps = level.traps().iter().enumerate().map(|(at, it)| ((it.x, it.y), chronicle.trap(at)));
        let gold = level.gold().iter().enumerate().map(|(at, it)| ((it.x, it.y), chronicle.gold(at)));
        for (place, maker) in monsters.chain(objects).chain(traps).chain(gold) {
            let Some(maker) = maker else { continue };
            let Some(span) = runnable.program.span(maker.at) else { continue };
            let Some([literal]) = written.places.get(&span).map(Vec::as_slice) else { continue };
            self.literal += 1;
            let place = chronicle.as_written(place, maker, level);
            // A monster whose place is taken is put next to it.
            let moved = level.monsters().iter().enumerate().any(|(at, other)| {
                let there = chronicle.as_written((other.x, other.y), maker, level);
                there == *literal && chronicle.monster(at).is_some()
            });
            if place != *literal && !moved {
                let line = map.line_column(span.file, span.start).0;
                self.wrong(runnable, &format!("line {line} names {literal:?}, but the place is {place:?}"));
            }
        }
        for (x, y) in places() {
            let Some(maker) = chronicle.square((x, y), level) else { continue };
            if !runnable.program.step(maker.at).is_some_and(splc_vm::StepKind::is_map) {
                continue;
            }
            let Some(span) = runnable.program.span(maker.at) else { continue };
            let meets =
                |(map, _): &&(Span, Vec<String>)| map.file == span.file && map.start < span.end && span.start < map.end;
            let mut maps = written.maps.iter().filter(meets);
            let (Some((_, rows)), None) = (maps.next(), maps.next()) else {
                self.wrong(runnable, "a map step without a map");
                continue;
            };
            let (column, row) = chronicle.as_written((x, y), maker, level);
            let text = usize::try_from(row).ok().and_then(|row| rows.get(row));
            let letter = usize::try_from(column).ok().and_then(|column| text?.chars().nth(column));
            let Some(letter) = letter else {
                // A short row is filled with stone.
                let widest = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
                if text.is_some() && usize::try_from(column).is_ok_and(|column| column < widest) {
                    assert_eq!(level.terrain(x, y), Terrain::STONE);
                    continue;
                }
                self.wrong(
                    runnable,
                    &format!("{} {column},{row} lies outside the map that made it", level.terrain(x, y).word()),
                );
                continue;
            };
            let Some((_, terrain)) = LAID.iter().find(|(known, _)| *known == letter) else { continue };
            self.drawn += 1;
            if level.terrain(x, y) != *terrain {
                let found = level.terrain(x, y).word();
                self.wrong(runnable, &format!("the map says {letter}, but the square is {found}"));
            }
        }
    }
}

fn compare(game: &str, folder: &str, extension: &str) {
    let catalog = Catalog::by_name(game).unwrap();
    let options =
        Options { wanted: Wanted { catalog: Some(catalog.into()), ..Wanted::default() }, ..Options::default() };
    let mut tally = Tally::default();
    let mut pages = page::Pages::new(reference::game(game).join("traces"));
    for path in reference::files(&reference::game(game).join(folder), extension) {
        one(&path, &options, &mut tally, &mut pages);
    }
    let Tally { levels, things, squares, literal, drawn, wrong } = tally;
    println!(
        "{game}: {levels} levels, {things} things, {squares} squares; {literal} literal places, {drawn} squares of maps"
    );
    println!(
        "{game}: {} pages, {} squares and their light, {} things; {} pages compared with traces of the game",
        pages.levels, pages.squares, pages.things, pages.traced
    );
    for (what, count) in wrong.iter().chain(&pages.wrong) {
        println!("  {what} ({count} times)");
    }
    assert!(levels > 90 && things > 1000 && wrong.is_empty(), "{} differences", wrong.len());
    assert!(pages.levels > 900 && pages.wrong.is_empty(), "{} differences on pages", pages.wrong.len());
}

fn one(path: &Path, options: &Options, tally: &mut Tally, pages: &mut page::Pages) {
    let bytes = fs::read(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let input = Input::file(name, path.to_owned(), bytes);
    let mut written = Written::default();
    if let Content::DesFile(module) = read(input.clone(), options, &mut Beside).unwrap().content {
        written.module(&module);
    }
    let loaded = load(input, options, &mut Beside).unwrap();
    let Loaded { levels, sources, .. } = &loaded;
    if options.wanted.catalog.as_ref().is_some_and(|catalog| catalog.dialect == "nethack5") {
        written.script(&sources.get(FileId(0)).text, FileId(0));
    }
    let (mut machine, mut chronicle) = (Machine::new(), Chronicle::new());
    for runnable in levels {
        tally.levels += 1;
        for seed in SEEDS {
            chronicle.clear();
            let mut observer = (Witness::new(), chronicle);
            let draws = &mut SplitMix::new(seed);
            let run = machine.run(&runnable.program, &Settings::default(), draws, &mut observer).map(|_| ());
            let witness = observer.0;
            chronicle = observer.1;
            if run.is_err() {
                continue;
            }
            chronicle.finish(machine.level());
            tally.compare(machine.level(), runnable, &chronicle, &witness);
            tally.read(machine.level(), runnable, &chronicle, &written, sources);
            pages.compare(&loaded, runnable, seed, machine.level(), &witness);
        }
    }
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn unnethack() {
    compare("unnethack-6.0.4", "des", ".des");
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn sporkhack() {
    compare("sporkhack-0.7.0", "des", ".des");
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack_3_6_7() {
    compare("nethack-3.6.7", "des", ".des");
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack_3_4_3() {
    compare("nethack-3.4.3", "des", ".des");
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack_5() {
    compare("nethack-5.0.0", "lua", ".lua");
}
