//! Levels of NetHack 5: Lua scripts that the game runs.
//!
//! A level runs on a real Lua 5.4 in the game's sandbox ([`sandbox`]), with what the game gives it: the tables `des`
//! ([`statements`]), `selection` ([`selections`]), `nh`, `nhc` and `u` ([`surroundings`]), `obj` ([`objects`]), and the
//! functions of `nhlib.lua` in our own words (`library.lua`). What they do is bound to the loader, the same that makes
//! levels of the older games: the rules of the catalog decide how, so that a level can also be run by the rules of
//! another game.
//!
//! Patterns of texts are matched by our own [`patterns`], whose steps are counted, behind Lua's functions ([`strings`]).
//!
//! Every line of the file is a step. What a level does wrong becomes a [`Fault`] with the line where it happened. A
//! fault that the game would not survive cannot be caught by the level.

mod arguments;
mod errors;
mod names;
mod objects;
mod patterns;
mod sandbox;
mod selections;
mod selector;
mod statements;
mod strings;
mod surroundings;

use std::cell::RefCell;
use std::sync::Arc;

use mlua::{Lua, MultiValue};
use splc_ir::source::Span;

use crate::error::Fault;
use crate::level::{Level, Place};
use crate::limits::{MAX_NESTED_ROOMS, MAX_THINGS};
use crate::loader::{Finish, Flips, Loader, Scratch};
use crate::observer::{Flow, Observer};
use crate::prepared::Prepared;
use crate::rng::Rng;
use crate::settings::Settings;
use crate::value::Memory;
use crate::view::View;

pub(crate) use errors::syntax_error;

/// A level of Lua, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct LuaPlan {
    pub text: Arc<str>,
    /// What each line does, as far as others ask.
    pub lines: Vec<Line>,
}

/// What a line does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// It lays a map.
    Map,
    /// It makes a room.
    Room,
    /// It has the level made otherwise.
    Statement,
    /// It does something else, or nothing.
    Other,
}

impl LuaPlan {
    /// The plan of a text, and where each of its lines is in the file.
    pub fn new(text: &Arc<str>, span: impl Fn(usize, usize) -> Span) -> (Self, Vec<Span>) {
        let (mut lines, mut spans) = (Vec::new(), Vec::new());
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let bare = line.trim();
            let first = start + (line.len() - line.trim_start().len());
            spans.push(span(first.min(start + line.len()), first + bare.len()));
            lines.push(Line::of(bare));
            start += line.len();
        }
        (LuaPlan { text: Arc::clone(text), lines }, spans)
    }
}

impl Line {
    /// What a line without the blanks around it does, by the first function of the game's that it calls.
    fn of(line: &str) -> Line {
        let Some((_, call)) = line.split_once("des.") else { return Line::Other };
        if line.starts_with("--") {
            return Line::Other;
        }
        let name: &str =
            call.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next().unwrap_or("");
        match name {
            "map" => Line::Map,
            "room" => Line::Room,
            "" => Line::Other,
            _ => Line::Statement,
        }
    }
}

/// The loader of a level that runs, for any source of draws and anybody who looks on: the functions of the game are
/// built once.
type AnyLoader<'a, 'b> = Loader<'a, &'b mut (dyn Rng + 'b), &'b mut (dyn Observer + 'b)>;

/// A level that runs.
pub(crate) struct Run<'a, 'b> {
    pub loader: AnyLoader<'a, 'b>,
    prepared: &'a Prepared,
    memory: &'a Memory,
    /// The rooms that statements are in; `None` for the level itself.
    rooms: [Option<usize>; MAX_NESTED_ROOMS + 1],
    /// Whether what would be in a room is left out, since there is none.
    failed: [bool; MAX_NESTED_ROOMS + 1],
    /// How many rooms there are, the level included.
    depth: usize,
    joined: bool,
    wishes: Finish,
    /// What the game does not survive, and the line where it happened.
    fatal: Option<(Fault, usize)>,
    /// How many functions of the level are called from within the game's.
    nested: u32,
    meter: std::rc::Rc<sandbox::Meter>,
    /// Whether the level finished itself.
    finished: bool,
}

/// What functions of the game get to work with.
pub(crate) type Shared<'s, 'a, 'b> = &'s RefCell<Run<'a, 'b>>;

/// A function of the game.
pub(crate) type Native = for<'s, 'a, 'b, 'l> fn(&'l Lua, Shared<'s, 'a, 'b>, MultiValue) -> mlua::Result<MultiValue>;

/// Runs a level on an empty level and finishes it. The error comes with the number of its line, from 0.
#[allow(clippy::too_many_arguments)] // as the runs of the other forms of levels
pub(crate) fn run<R: Rng, O: Observer>(
    prepared: &Prepared,
    plan: &LuaPlan,
    settings: &Settings,
    level: &mut Level,
    scratch: &mut Scratch,
    memory: &mut Memory,
    rng: &mut R,
    observer: &mut O,
) -> Result<(), (usize, Fault)> {
    memory.clear();
    let (mut rng, mut observer): (&mut dyn Rng, &mut dyn Observer) = (rng, observer);
    let loader = Loader::new(level, scratch, &prepared.game, settings, &mut rng, &mut observer);
    let steps = loader.observer.wants_steps();
    let meter = std::rc::Rc::new(sandbox::Meter::new(settings.fuel));
    let run = RefCell::new(Run {
        loader,
        prepared,
        memory,
        rooms: [None; MAX_NESTED_ROOMS + 1],
        failed: [false; MAX_NESTED_ROOMS + 1],
        depth: 1,
        joined: false,
        wishes: Finish {
            flips: Flips { top_to_bottom: true, left_to_right: true },
            ways_out: false,
            solid: false,
            premapped: false,
        },
        fatal: None,
        nested: 0,
        meter,
        finished: false,
    });
    let end = sandbox::run(&run, &plan.text, if steps { sandbox::Steps::Told } else { sandbox::Steps::Passed });
    let mut run = run.into_inner();
    end?;
    if run.finished {
        return Ok(());
    }
    run.finish().map_err(|fault| (plan.lines.len(), fault))
}

impl<'a> Run<'a, '_> {
    /// Does what is done when the script is over.
    fn finish(&mut self) -> Result<(), Fault> {
        let (at, origin) = (self.prepared.len(), self.origin());
        let view = View { prepared: self.prepared, memory: self.memory, level: self.loader.level, at, origin };
        self.loader.observer.finishing(&view);
        let wishes = self.wishes;
        self.loader.finish(&wishes)
    }

    /// Tells that a line is about to run.
    fn step(&mut self, line: usize) -> Result<(), Fault> {
        let (at, origin) = (line.saturating_sub(1).min(self.prepared.len().saturating_sub(1)), self.origin());
        let view = View { prepared: self.prepared, memory: self.memory, level: self.loader.level, at, origin };
        match self.loader.observer.step(&view) {
            Flow::Continue => Ok(()),
            Flow::Stop => Err(Fault::Stopped),
        }
    }

    /// The room that statements are in.
    fn room(&self) -> Option<usize> {
        self.rooms[self.depth - 1]
    }

    /// What places count from: the room that statements are in, or the last map.
    fn origin(&self) -> Place {
        match self.room() {
            Some(room) => (self.loader.level.rooms[room].low_x, self.loader.level.rooms[room].low_y),
            None => (self.loader.start_x, self.loader.start_y),
        }
    }

    /// Forgets where the last map lies.
    fn reset_map(&mut self) {
        (self.loader.start_x, self.loader.start_y) = (1, 0);
        (self.loader.size_x, self.loader.size_y) = (crate::level::COLUMNS - 1, crate::level::ROWS);
    }

    /// What comes next is in a room, or left out if there is none (`tmproomlist`, `failed_room`).
    fn open_room(&mut self, room: Option<usize>) {
        self.rooms[self.depth] = room;
        self.failed[self.depth] = room.is_none();
        self.depth += 1;
    }

    /// The end of a room, or of a region that is one (`spo_endroom`).
    fn close_room(&mut self) {
        if self.depth > 1 {
            self.depth -= 1;
            self.rooms[self.depth] = None;
            self.failed[self.depth] = true;
        }
    }

    /// Empties the level (`lspo_reset_level`).
    fn start_again(&mut self) {
        self.loader.level.clear();
        self.loader.scratch.regions.clear();
        self.loader.scratch.rectangles.clear();
        self.loader.scratch.joined.fill(0);
        self.reset_map();
        self.rooms = [None; MAX_NESTED_ROOMS + 1];
        self.failed = [false; MAX_NESTED_ROOMS + 1];
        self.depth = 1;
        self.joined = false;
        self.finished = false;
        self.loader.init_present = false;
        self.loader.iced_pools = false;
        self.loader.container_count = 0;
        self.loader.carrier = None;
        self.wishes = Finish {
            flips: Flips { top_to_bottom: true, left_to_right: true },
            ways_out: false,
            solid: false,
            premapped: false,
        };
    }

    /// Levels have so many things of a kind at most, and a level takes so many draws.
    fn check(&self) -> Result<(), Fault> {
        let level = &self.loader.level;
        let things = [
            level.monsters.len(),
            level.objects.len(),
            level.traps.len(),
            level.gold.len(),
            level.engravings.len(),
            level.messages.len(),
            level.zones.len(),
            level.clouds.len(),
            level.stairways.len(),
            level.graves.len(),
            level.ore.len(),
            self.loader.scratch.regions.len(),
        ];
        if things.into_iter().any(|count| count >= MAX_THINGS) {
            return Err(Fault::Memory);
        }
        self.loader.check_draws()
    }
}
