//! The making of a level, step by step.

use serde::Serialize;
use splc_driver::{Loaded, Runnable};
use splc_ir::catalog::Catalog;
use splc_ir::program::Opcode;
use splc_vm::internals::{index, is_ok};
use splc_vm::{
    COLUMNS, Flow, Level, Machine, Observer, Place, Prepared, ROWS, SQUARES, Settings, SplitMix, StepKind, Terrain,
    View,
};

use crate::limits::MAX_FRAMES;
use crate::palette::{NamedCell, Palette};
use crate::statements::{Statement, Statements};

/// A change of the level by one statement.
#[derive(Clone, Debug, Serialize)]
pub struct Frame {
    /// Number of the statement; `None` for the game's own work at the end.
    pub statement: Option<usize>,
    /// Number of draws so far.
    pub draws: u64,
    /// The last draws of the statement: each a limit and a result below it.
    pub drawn: Vec<[i32; 2]>,
    /// Each changed square with the number of its new appearance.
    pub changes: Vec<[u16; 2]>,
}

/// The making of a level.
#[derive(Clone, Debug, Serialize)]
pub struct Story {
    /// Seed of the run.
    pub seed: u64,
    /// Every appearance of a square.
    pub palette: Vec<NamedCell>,
    /// Number of each square's appearance before the first frame.
    pub start: Vec<u16>,
    /// The frames, in order.
    pub frames: Vec<Frame>,
    /// True if there are more changes than frames.
    pub cut: bool,
    /// The statements.
    pub statements: Vec<Statement>,
}

/// Most draws that a frame lists.
const MAX_DRAWN: usize = 12;

/// A change before its statement is looked up.
struct Change {
    at: usize,
    draws: u64,
    drawn: Vec<[i32; 2]>,
    changes: Vec<[u16; 2]>,
}

/// The parts of a level that frames show, as they were after the last step.
struct Before {
    terrain: Box<[Terrain; SQUARES]>,
    flags: Box<[u8; SQUARES]>,
    things: [usize; 5],
    cells: Vec<u16>,
}

/// Records the frames of a run, and the steps that lit each square.
pub(crate) struct Watch<'a> {
    at: usize,
    acts: bool,
    began: bool,
    draws: u64,
    drawn: Vec<[i32; 2]>,
    lit: Box<[bool; SQUARES]>,
    lighters: Box<[u32; SQUARES]>,
    frames: Option<Frames<'a>>,
}

struct Frames<'a> {
    catalog: &'a Catalog,
    palette: Palette,
    before: Option<Before>,
    start: Vec<u16>,
    list: Vec<Change>,
    cut: bool,
}

impl<'a> Watch<'a> {
    /// Records light and the number of draws only.
    pub fn without_frames() -> Self {
        Watch {
            at: 0,
            acts: false,
            began: false,
            draws: 0,
            drawn: Vec::new(),
            lit: Box::new([false; SQUARES]),
            lighters: Box::new([0; SQUARES]),
            frames: None,
        }
    }

    fn with_frames(catalog: &'a Catalog) -> Self {
        let (palette, start, list) = (Palette::default(), Vec::new(), Vec::new());
        Watch {
            frames: Some(Frames { catalog, palette, before: None, start, list, cut: false }),
            ..Self::without_frames()
        }
    }

    /// Number of draws so far.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Returns the step that lit or darkened a square of the finished level last.
    pub fn light(&self, place: Place, level: &Level) -> Option<usize> {
        let (x, y) = level.mirror().map_or(place, |mirror| mirror.place(place));
        let lighter = if is_ok(x, y) { self.lighters[index(x, y)] } else { 0 };
        usize::try_from(lighter).ok()?.checked_sub(1)
    }

    /// Records the changes of the last step.
    fn look(&mut self, level: &Level) {
        let mark = if self.began { u32::try_from(self.at + 1).unwrap_or(0) } else { 0 };
        let mut lit = false;
        for x in 1..COLUMNS {
            for y in 0..ROWS {
                let at = index(x, y);
                let now = level.is_lit(x, y);
                if self.lit[at] != now {
                    self.lit[at] = now;
                    self.lighters[at] = mark;
                    lit = true;
                }
            }
        }
        if let Some(frames) = &mut self.frames {
            frames.add(self.at, self.draws, &mut self.drawn, lit, level);
        }
    }

    /// Records the work at the end. The last frame has the finished level.
    pub fn finish(&mut self, level: &Level, steps: usize) {
        self.at = steps;
        if let Some(frames) = &mut self.frames {
            frames.add(self.at, self.draws, &mut self.drawn, true, level);
        }
    }
}

impl Frames<'_> {
    fn add(&mut self, at: usize, draws: u64, drawn: &mut Vec<[i32; 2]>, lit: bool, level: &Level) {
        let things = [
            level.monsters().len(),
            level.objects().len(),
            level.gold().len(),
            level.traps().len(),
            level.engravings().len(),
        ];
        if let Some(before) = &self.before {
            let same = before.things == things
                && *before.terrain == *level.all_terrain()
                && *before.flags == *level.all_flags()
                && !lit;
            if same {
                return;
            }
        }
        let cells = self.palette.squares(level, self.catalog);
        let drawn = std::mem::take(drawn);
        match &self.before {
            None => self.start.clone_from(&cells),
            Some(before) => {
                let pairs = (0..).zip(before.cells.iter().zip(&cells));
                let mut changes: Vec<[u16; 2]> =
                    pairs.filter(|(_, (old, new))| old != new).map(|(square, (_, new))| [square, *new]).collect();
                let full = self.list.len() >= MAX_FRAMES;
                self.cut |= full;
                match self.list.last_mut() {
                    Some(last) if full || last.at == at => {
                        (last.at, last.draws) = (at, draws);
                        last.changes.append(&mut changes);
                        last.drawn.extend(drawn);
                        last.drawn.truncate(MAX_DRAWN);
                    }
                    _ if changes.is_empty() => {}
                    _ => self.list.push(Change { at, draws, drawn, changes }),
                }
            }
        }
        let terrain = Box::new(*level.all_terrain());
        self.before = Some(Before { terrain, flags: Box::new(*level.all_flags()), things, cells });
    }
}

impl Observer for Watch<'_> {
    fn draw(&mut self, below: i32, result: i32) {
        self.draws += 1;
        if self.frames.is_some() && self.drawn.len() < MAX_DRAWN {
            self.drawn.push([below, result]);
        }
    }

    fn step(&mut self, view: &View<'_>) -> Flow {
        if self.acts || !self.began {
            self.look(view.level());
        }
        self.began = true;
        self.at = view.at();
        self.acts = !matches!(view.step(), Some(StepKind::Opcode(Opcode::Push)));
        if self.acts {
            self.drawn.clear();
        }
        Flow::Continue
    }

    fn finishing(&mut self, view: &View<'_>) {
        self.look(view.level());
        self.at = view.at();
        self.drawn.clear();
    }
}

/// Runs a level of `loaded` with a seed and records how it is made.
pub fn story(loaded: &Loaded, runnable: &Runnable, settings: &Settings, seed: u64) -> Story {
    let program: &Prepared = &runnable.program;
    let mut machine = Machine::new();
    let mut watch = Watch::with_frames(program.catalog());
    // A level that fails has a story up to that point.
    let _ = machine.run(program, settings, &mut SplitMix::new(seed), &mut watch);
    watch.finish(machine.level(), program.len());
    let mut statements = Statements::new(program, &loaded.sources);
    let (mut palette, mut start, mut frames, mut cut) = (Vec::new(), Vec::new(), Vec::new(), false);
    if let Some(recorded) = watch.frames {
        (palette, start, cut) = (recorded.palette.list(), recorded.start, recorded.cut);
        frames.extend(recorded.list.into_iter().map(|Change { at, draws, drawn, changes }| Frame {
            statement: statements.of_step(at),
            draws,
            drawn,
            changes,
        }));
    }
    Story { seed, palette, start, frames, cut, statements: statements.list() }
}
