//! A running level: the state that the game's functions work on.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Lua, MultiValue};

use super::answers::Answers;
use super::meter::Meter;
use super::records::{Recorder, Transcript};
use crate::error::Fault;
use crate::level::{COLUMNS, Place, ROWS};
use crate::limits::{MAX_NESTED_ROOMS, MAX_THINGS};
use crate::loader::{Finish, Flips, Loader};
use crate::observer::{Flow, Observer};
use crate::prepared::Prepared;
use crate::value::Memory;
use crate::view::View;

/// A running level.
pub(crate) struct Run<'a> {
    pub loader: Loader<'a>,
    pub(super) prepared: &'a Prepared,
    pub(super) memory: &'a Memory,
    /// Rooms that statements are in; `None` for the level itself.
    pub(super) rooms: [Option<usize>; MAX_NESTED_ROOMS + 1],
    /// True for a room that could not be made, whose contents are skipped.
    pub(super) failed: [bool; MAX_NESTED_ROOMS + 1],
    /// Number of rooms, including the level.
    pub(super) depth: usize,
    pub(super) joined: bool,
    pub(super) wishes: Finish,
    /// A fault that ends the game, and its line.
    pub(super) fatal: Option<(Fault, usize)>,
    /// Number of level functions currently called from within the game's functions.
    pub(super) nested: u32,
    pub(super) meter: Rc<Meter>,
    /// True if the level finished itself.
    pub(super) finished: bool,
    /// The game's function that runs: its library and its name.
    pub(super) calling: (&'static str, &'static str),
    /// The statements of a level that is only recorded.
    pub(super) recorder: Option<Recorder>,
    /// The statements so far, if they are written.
    pub(super) transcript: Option<Transcript>,
    /// The game's answers so far, if the observer follows the states of the run.
    pub(super) answers: Option<Answers>,
}

/// The state passed to the game's functions.
pub(crate) type Shared<'s, 'a> = &'s RefCell<Run<'a>>;

/// A function of the game.
pub(crate) type Native = for<'s, 'a, 'l> fn(&'l Lua, Shared<'s, 'a>, MultiValue) -> mlua::Result<MultiValue>;

impl<'a> Run<'a> {
    /// Finishes the level after the script.
    pub(super) fn finish(&mut self) -> Result<(), Fault> {
        self.report_state();
        let (at, origin) = (self.prepared.len(), self.origin());
        let (corner, blocks) = ((self.loader.start_x, self.loader.start_y), 0);
        let (prepared, memory, level) = (self.prepared, self.memory, &*self.loader.level);
        let view = View { prepared, memory, level, at, origin, corner, blocks };
        self.loader.observer.finishing(&view);
        let wishes = self.wishes;
        self.loader.finish(&wishes)
    }

    /// Reports that a line is about to run.
    pub(super) fn step(&mut self, line: usize) -> Result<(), Fault> {
        let (at, origin) = (line.saturating_sub(1).min(self.prepared.len().saturating_sub(1)), self.origin());
        let (corner, blocks) = ((self.loader.start_x, self.loader.start_y), 0);
        let (prepared, memory, level) = (self.prepared, self.memory, &*self.loader.level);
        let view = View { prepared, memory, level, at, origin, corner, blocks };
        match self.loader.observer.step(&view) {
            Flow::Continue => Ok(()),
            Flow::Stop => Err(Fault::Stopped),
        }
    }

    /// The current room.
    pub(super) fn room(&self) -> Option<usize> {
        self.rooms[self.depth - 1]
    }

    /// Origin of coordinates: the current room, or the last map.
    pub(super) fn origin(&self) -> Place {
        match self.room() {
            Some(room) => (self.loader.level.rooms[room].low_x, self.loader.level.rooms[room].low_y),
            None => (self.loader.start_x, self.loader.start_y),
        }
    }

    /// Resets the place of the last map.
    pub(super) fn reset_map(&mut self) {
        self.loader.last_stairs = None;
        (self.loader.start_x, self.loader.start_y) = (1, 0);
        (self.loader.size_x, self.loader.size_y) = (COLUMNS - 1, ROWS);
    }

    /// Enters a room. Its contents are skipped if it could not be made (`tmproomlist`, `failed_room`).
    pub(super) fn open_room(&mut self, room: Option<usize>) {
        self.rooms[self.depth] = room;
        self.failed[self.depth] = room.is_none();
        self.depth += 1;
    }

    /// Leaves a room, or a region that is a room (`spo_endroom`).
    pub(super) fn close_room(&mut self) {
        if self.depth > 1 {
            self.depth -= 1;
            self.rooms[self.depth] = None;
            self.failed[self.depth] = true;
        }
    }

    /// Empties the level (`lspo_reset_level`).
    pub(super) fn start_again(&mut self) {
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
        self.loader.chance_drawn = false;
        self.wishes = Finish {
            flips: Flips { top_to_bottom: true, left_to_right: true },
            ways_out: false,
            solid: false,
            premapped: false,
        };
    }

    /// Checks the limits on things and texts in a level and on draws.
    pub(super) fn check(&self) -> Result<(), Fault> {
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
        self.loader.check_limits()
    }
}
