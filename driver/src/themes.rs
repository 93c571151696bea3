//! Files of themed rooms (`themerms.lua` of NetHack 5): the probability of each room and fill, and what they make.
//!
//! The probabilities are exact: see [`splc_vm::Choice`]. Everything else is counted over seeds: each entry is made
//! alone on an empty level, and judged as [`test`](crate::test) judges levels.
//!
//! ```
//! use splc_driver::{Input, NoIncludes, Options, load, themes};
//! use splc_vm::Kind;
//!
//! let text = "themerooms = { { name = 'plain', frequency = 3, contents = function() end },\n\
//!             { name = 'rare', mindiff = 4, contents = function() end } }\n\
//!             function themerooms_generate()\n\
//!             local pick, total = nil, 0\n\
//!             for i = 1, #themerooms do\n\
//!             local this = themerooms[i].frequency or 1\n\
//!             if nh.level_difficulty() >= (themerooms[i].mindiff or 0) then\n\
//!             total = total + this\n\
//!             if nh.rn2(total) < this then pick = i end\n\
//!             end end\n\
//!             themerooms[pick].contents()\n\
//!             end\n";
//! let loaded = load(Input::new("themerms.lua", text), &Options::default(), &mut NoIncludes)?;
//! let file = themes::File::new(&loaded)?.unwrap();
//! let spans = file.chances(&Default::default(), 1..=9, None)?;
//! assert_eq!(spans.len(), 2);
//! assert_eq!((spans[1].from, spans[1].to), (4, 9));
//! let rare = spans[1].choice.entries[1];
//! assert_eq!((rare.numerator, rare.denominator), (1, 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ops::RangeInclusive;

use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevels};
use splc_ir::source::Span;
use splc_lua::chooser::last_hit_draws;
use splc_vm::{
    Choice, Entry, Filled, Fraction, Kind, Level, Machine, Prepared, Progress, Settings, SplitMix, Task, Themes,
    Unknown, VmError,
};

use crate::load::{Loaded, Runnable};
use crate::test::{Found, Plan, test};

/// The greatest difficulty of a level that is filled with rooms: no dungeon of the games is deeper.
pub const GREATEST_DIFFICULTY: i32 = 50;

/// The functions of a file that choose.
const CHOOSERS: &[&str] = &["themerooms_generate", "themeroom_fill"];

/// The room that the chances of fills are computed for; only its light matters to the game's own fills.
const ROOM: (i32, i32) = (7, 5);

/// A file of themed rooms.
#[derive(Debug)]
pub struct File<'a> {
    loaded: &'a Loaded,
    program: &'a Prepared,
    /// Its entries.
    pub themes: Themes,
    /// Lines of draws in loops that keep their last hit.
    lines: Vec<usize>,
}

/// Difficulties with the same probabilities.
#[derive(Clone, Debug)]
pub struct Difficulties {
    /// The lowest.
    pub from: i32,
    /// The highest.
    pub to: i32,
    /// The probabilities.
    pub choice: Choice,
}

/// An entry of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its list.
    pub kind: Kind,
    /// Its number in the list, from 0.
    pub number: usize,
}

/// An entry made alone, over many seeds.
#[derive(Clone, Debug)]
pub struct Made {
    /// Number of seeds on which it and all rooms in it found a place.
    pub made: u64,
    /// Number of seeds tried.
    pub of: u64,
    /// The first of these seeds.
    pub first: Option<u64>,
    /// The depth of the level.
    pub depth: i32,
    /// The program that makes it.
    pub program: Prepared,
    /// The game around the level.
    pub settings: Settings,
    /// The findings in it.
    pub found: Vec<Found>,
}

impl<'a> File<'a> {
    /// Reads the entries of a loaded file. Returns `None` if it could not be loaded.
    ///
    /// # Errors
    /// [`VmError`] if the file ends with an error.
    pub fn new(loaded: &'a Loaded) -> Result<Option<Self>, VmError> {
        let Some(level) = loaded.levels.first() else { return Ok(None) };
        let themes = Machine::new().themes(&level.program, &Settings::default())?;
        let sources = &loaded.sources;
        let lines = level.program.span(0).map_or(Vec::new(), |span| {
            let chunk = splc_lua::parse(sources, span.file, &mut Diagnostics::new());
            let line = |span: Span| sources.line_column(span.file, span.start).0;
            last_hit_draws(&chunk, CHOOSERS).into_iter().map(line).collect()
        });
        Ok(Some(File { loaded, program: &level.program, themes, lines }))
    }

    /// Returns an entry.
    pub fn entry(&self, place: Place) -> Option<&Entry> {
        self.themes.of(place.kind).get(place.number)
    }

    /// Returns the name of an entry, or its kind and number.
    pub fn name(&self, place: Place) -> String {
        let name = self.entry(place).and_then(|entry| entry.name.clone());
        name.unwrap_or_else(|| format!("{} {}", place.kind.noun(), place.number + 1))
    }

    /// Returns all entries: rooms first.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        let of = |kind: Kind| (0..self.themes.of(kind).len()).map(move |number| Place { kind, number });
        of(Kind::Room).chain(of(Kind::Fill))
    }

    /// Returns the span of an entry's function.
    pub fn span(&self, place: Place) -> Option<Span> {
        self.entry(place)?.line.and_then(|line| self.program.span(line.checked_sub(1)?))
    }

    /// Computes the probabilities of the rooms by difficulty, or those of the fills for a room with or without light.
    ///
    /// # Errors
    /// [`VmError`] if the file ends with an error.
    pub fn chances(
        &self,
        settings: &Settings,
        difficulties: RangeInclusive<i32>,
        lit: Option<bool>,
    ) -> Result<Vec<Difficulties>, VmError> {
        let filled = lit.map(|lit| Filled { width: ROOM.0, height: ROOM.1, lit });
        let mut spans: Vec<Difficulties> = Vec::new();
        for difficulty in difficulties.clone() {
            let settings = Settings { depth: difficulty, difficulty, ..settings.clone() };
            let choice = Machine::new().choice(self.program, &settings, filled, &self.lines)?;
            let (last, hopeless) = (*difficulties.end(), choice.unknown == Some(Unknown::TooLong));
            match spans.last_mut() {
                Some(span) if span.choice == choice => span.to = difficulty,
                _ => spans.push(Difficulties { from: difficulty, to: difficulty, choice }),
            }
            // Another difficulty would take as long.
            if let Some(span) = spans.last_mut().filter(|_| hopeless) {
                span.to = last;
                break;
            }
        }
        Ok(spans)
    }

    /// Returns a warning for an entry whose probability is 0 at every difficulty of `chances`.
    pub fn never(&self, place: Place, chances: &[&[Difficulties]]) -> Option<Diagnostic> {
        let spans = || chances.iter().flat_map(|spans| spans.iter());
        let never = |span: &Difficulties| span.choice.entries.get(place.number) == Some(&Fraction::ZERO);
        let (from, to) = (spans().map(|span| span.from).min()?, spans().map(|span| span.to).max()?);
        if !spans().all(never) {
            return None;
        }
        let message = format!("{} \"{}\" is never chosen", place.kind.noun(), self.name(place));
        let reach = if from == to {
            format!("its chance at difficulty {from} is 0")
        } else {
            format!("its chance is 0 at every difficulty from {from} to {to}")
        };
        Some(Diagnostic::new(Code::NeverRuns, self.span(place), message).with_note(reach))
    }

    /// Makes an entry alone on an empty level with each of `seeds`, and judges it. A fill is made in a room with light
    /// or without, `lit`. The depth is changed to one at which the entry is eligible, unless `fixed`.
    pub fn make(
        &self,
        place: Place,
        lit: bool,
        plan: &Plan,
        fixed: bool,
        lints: &LintLevels,
        progress: &Progress,
    ) -> Option<Made> {
        let entry = self.entry(place)?;
        let task = match place.kind {
            Kind::Room => Task::Room(place.number),
            Kind::Fill => Task::Fill { number: place.number, lit },
        };
        let program = self.program.with_rooms(task)?;
        let mut settings = plan.settings.clone();
        if !fixed {
            let bound = |limit: Option<i64>| limit.and_then(|limit| i32::try_from(limit).ok());
            let depth = settings.depth.max(bound(entry.least).unwrap_or(1)).min(bound(entry.most).unwrap_or(i32::MAX));
            (settings.depth, settings.difficulty) = (depth.max(1), depth.max(1));
        }
        let (mut made, mut of, mut first) = (0, 0, None);
        let mut machine = Machine::new();
        for seed in plan.seeds.clone() {
            if progress.is_stopped() {
                break;
            }
            of += 1;
            let end = machine.run(&program, &settings, &mut SplitMix::new(seed), &mut ());
            if end.is_ok_and(|level| has_place(level, place.kind)) {
                made += 1;
                first = first.or(Some(seed));
            }
        }
        let named = Runnable { name: self.name(place).into(), span: None, program };
        let plan = Plan { settings, ..plan.clone() };
        let mut found = test(self.loaded, &named, &plan, lints, progress);
        found.retain(|found| applies(found.diagnostic.code));
        let Plan { settings, .. } = plan;
        Some(Made { made, of, first, depth: settings.depth, program: named.program, settings, found })
    }

    /// Makes the rooms of whole levels, and judges them. Findings at the place of one in `known` are left out.
    pub fn levels(&self, plan: &Plan, known: &[&Found], lints: &LintLevels, progress: &Progress) -> Vec<Found> {
        let (Some(level), Some(program)) = (self.loaded.levels.first(), self.program.with_rooms(Task::Level)) else {
            return Vec::new();
        };
        let named = Runnable { program, span: None, name: level.name.clone() };
        let place = |found: &Found| (found.diagnostic.code, found.diagnostic.span);
        let mut found = test(self.loaded, &named, plan, lints, progress);
        found.retain(|found| applies(found.diagnostic.code) && !known.iter().any(|known| place(known) == place(found)));
        found
    }

    /// Returns a warning for a room that found a place on no seed.
    pub fn never_fits(&self, place: Place, made: &Made) -> Option<Diagnostic> {
        let failed = made.found.iter().any(|found| found.diagnostic.code == Code::Fault);
        if made.made > 0 || made.of == 0 || failed {
            return None;
        }
        let message = format!("{} \"{}\" never fits", place.kind.noun(), self.name(place));
        let note = format!("alone on an empty level, it or a part of it finds no place on any of {} seeds", made.of);
        Some(Diagnostic::new(Code::RoomWithoutPlace, self.span(place), message).with_note(note))
    }
}

/// Returns true if the level has the room that was to be made, with all rooms in it.
fn has_place(level: &Level, kind: Kind) -> bool {
    match kind {
        Kind::Room => level.themes().iter().any(|choice| choice.kind == Kind::Room && choice.made),
        Kind::Fill => level.themes().iter().any(|choice| choice.kind == Kind::Fill),
    }
}

/// Returns true for findings that make sense for a room alone, without stairs, corridors and other rooms.
fn applies(code: Code) -> bool {
    matches!(
        code,
        Code::Fault
            | Code::LoaderComplaint
            | Code::PassedOver
            | Code::ThingInRock
            | Code::DrowningMonster
            | Code::EmptyShop
            | Code::OpenShop
    )
}
