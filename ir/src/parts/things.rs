//! Iteration over the things of a level: in the order of the level file, for writing, reading and listing, and in the
//! order in which the loader creates them.

use super::{Body, Init, List, Part, PartsLevel, PlaceRegisters, Room, Rooms, Structure, Walk};
use crate::source::{Span, Spanned};

/// A receiver of the lists of a part or room, in the order of the level file.
pub trait ListTaker {
    /// Takes a list of things; each is called `name`.
    fn list<S: Structure>(&mut self, name: &'static str, list: &List<S>);

    /// Takes several lists of things of one type.
    fn lists<S: Structure>(&mut self, name: &'static str, lists: &[List<S>]) {
        lists.iter().for_each(|list| self.list(name, list));
    }

    /// Takes the class symbols in registers.
    fn registers(&mut self, name: &'static str, registers: &[i8]);

    /// Takes the columns and rows in place registers.
    fn places(&mut self, name: &'static str, places: &PlaceRegisters);
}

/// A source of the lists of a part or room, in the order of the level file.
pub trait ListGiver {
    /// The error type.
    type Error;

    /// Returns a list of things; each is called `name`.
    ///
    /// # Errors
    /// The reason it cannot be read.
    fn list<S: Structure>(&mut self, name: &'static str) -> Result<List<S>, Self::Error>;

    /// Returns several lists of things of one type, as many as the game has.
    ///
    /// # Errors
    /// The reason they cannot be read.
    fn lists<S: Structure>(&mut self, name: &'static str) -> Result<Vec<List<S>>, Self::Error>;

    /// Returns the class symbols in registers.
    ///
    /// # Errors
    /// The reason they cannot be read.
    fn registers(&mut self, name: &'static str) -> Result<Vec<i8>, Self::Error>;

    /// Returns the columns and rows in place registers.
    ///
    /// # Errors
    /// The reason they cannot be read.
    fn places(&mut self, name: &'static str) -> Result<PlaceRegisters, Self::Error>;
}

/// The lists of a part or room in the order of the level file, each with its form and the name of its things.
macro_rules! lists {
    ($($type:ident { $($field:ident: $how:ident $name:literal,)* })*) => {$(
        impl $type {
            /// Passes its lists to `taker`, in the order of the level file.
            pub fn give_lists<T: ListTaker>(&self, taker: &mut T) {
                $(taker.$how($name, &self.$field);)*
            }

            /// Reads its lists from `giver`, in the order of the level file.
            ///
            /// # Errors
            /// Those of `giver`.
            pub fn take_lists<G: ListGiver>(&mut self, giver: &mut G) -> Result<(), G::Error> {
                $(self.$field = giver.$how($name)?;)*
                Ok(())
            }
        }
    )*};
}

lists! {
    Part {
        level_regions: list "level region",
        random_regions: list "random region",
        object_registers: registers "object",
        place_registers: places "place",
        monster_registers: registers "monster",
        regions: list "region",
        doors: list "door",
        drawbridges: list "drawbridge",
        walks: list "maze walk",
        non_diggable: list "undiggable area",
        non_passwall: list "impassable area",
        ladders: list "ladder",
        stairs: list "stairs",
        altars: list "altar",
        fountains: list "fountain",
        places: lists "place of its own",
        traps: list "trap",
        monsters: list "monster",
        objects: list "object",
        gold: list "gold",
        engravings: list "engraving",
    }
    Room {
        doors: list "door",
        stairs: list "stairs",
        altars: list "altar",
        fountains: list "fountain",
        places: lists "place of its own",
        sinks: list "sink",
        pools: list "pool",
        traps: list "trap",
        monsters: list "monster",
        objects: list "object",
        gold: list "gold",
        engravings: list "engraving",
    }
}

/// The result of a loader step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// INIT_MAP.
    Ground,
    /// The map of a part.
    Map,
    /// A room or subroom, without its contents.
    Room,
    /// The maze dug by a MAZEWALK.
    Maze,
    /// A thing, with its name.
    Thing(&'static str),
}

impl Making {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Making::Ground => "ground",
            Making::Map => "map",
            Making::Room => "room",
            Making::Maze => "maze",
            Making::Thing(name) => name,
        }
    }
}

/// A step of the loader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its result.
    pub making: Making,
    /// The statement it comes from.
    pub span: Span,
    /// Number of following steps for its contents; the loader skips them if a room finds no place.
    pub inside: usize,
}

/// A receiver of loader steps.
///
/// The order is that of NetHack 3.4.3, `src/sp_lev.c` (`load_maze`, `load_rooms`, `build_room`).
pub trait StepTaker {
    /// INIT_MAP.
    fn ground(&mut self, ground: &Spanned<Init>);

    /// The map of a part; the contents of the part follow.
    fn map(&mut self, part: &Part);

    /// A room or subroom; its contents follow, subrooms first.
    fn room(&mut self, room: &Room);

    /// The end of the room's contents.
    fn room_ends(&mut self) {}

    /// The maze dug by a MAZEWALK.
    fn maze(&mut self, walk: &Spanned<Walk>);

    /// A thing, with its name.
    fn thing<S: Structure>(&mut self, name: &'static str, thing: &Spanned<S>);

    /// The class symbols in registers; not a step.
    fn registers(&mut self, name: &'static str, registers: &[i8]) {
        let _ = (name, registers);
    }

    /// The columns and rows in place registers; not a step.
    fn places(&mut self, name: &'static str, places: &[(i8, i8)]) {
        let _ = (name, places);
    }
}

impl PartsLevel {
    /// Returns the steps of the loader, in order.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Steps::default();
        self.give_steps(&mut steps);
        steps.steps
    }

    /// Passes the steps of the loader to `taker`, in order.
    pub fn give_steps<T: StepTaker>(&self, taker: &mut T) {
        if self.init.node.present != 0 {
            taker.ground(&self.init);
        }
        match &self.body {
            Body::Maze(maze) => {
                for part in &maze.parts {
                    taker.map(part);
                    part.give_lists(&mut Forward(taker));
                }
                // The last MAZEWALK runs first.
                maze.parts.iter().flat_map(|part| &part.walks).rev().for_each(|walk| taker.maze(walk));
            }
            Body::Rooms(rooms) => {
                taker.registers("object", &rooms.object_registers);
                taker.registers("monster", &rooms.monster_registers);
                let around: Vec<Option<usize>> = rooms.rooms.iter().map(|room| rooms.around(room)).collect();
                for (at, room) in rooms.rooms.iter().enumerate().filter(|(_, room)| room.parent.is_none()) {
                    taker.room(room);
                    for (subroom, _) in rooms.rooms.iter().zip(&around).filter(|(_, around)| **around == Some(at)) {
                        // The loader gives up at a subroom inside a subroom.
                        taker.room(subroom);
                        subroom.give_things(taker);
                        taker.room_ends();
                    }
                    room.give_things(taker);
                    taker.room_ends();
                }
                rooms.corridors.iter().for_each(|corridor| taker.thing("corridor", corridor));
            }
        }
    }
}

impl Room {
    /// Passes the contents of the room, without subrooms, to `taker`. The loader processes most lists in reverse.
    fn give_things<T: StepTaker>(&self, taker: &mut T) {
        self.stairs.iter().rev().for_each(|thing| taker.thing("stairs", thing));
        self.sinks.iter().rev().for_each(|thing| taker.thing("sink", thing));
        self.pools.iter().rev().for_each(|thing| taker.thing("pool", thing));
        self.fountains.iter().rev().for_each(|thing| taker.thing("fountain", thing));
        let places = self.places.iter().flat_map(|list| list.iter().rev());
        places.for_each(|thing| taker.thing("place of its own", thing));
        self.altars.iter().rev().for_each(|thing| taker.thing("altar", thing));
        self.doors.iter().rev().for_each(|thing| taker.thing("door", thing));
        self.traps.iter().rev().for_each(|thing| taker.thing("trap", thing));
        self.monsters.iter().rev().for_each(|thing| taker.thing("monster", thing));
        self.objects.iter().for_each(|thing| taker.thing("object", thing));
        self.gold.iter().rev().for_each(|thing| taker.thing("gold", thing));
        self.engravings.iter().rev().for_each(|thing| taker.thing("engraving", thing));
    }
}

/// Forwards the lists of a part to a step taker, thing by thing.
struct Forward<'a, T>(&'a mut T);

impl<T: StepTaker> ListTaker for Forward<'_, T> {
    fn list<S: Structure>(&mut self, name: &'static str, list: &List<S>) {
        list.iter().for_each(|thing| self.0.thing(name, thing));
    }

    fn registers(&mut self, name: &'static str, registers: &[i8]) {
        self.0.registers(name, registers);
    }

    fn places(&mut self, name: &'static str, places: &PlaceRegisters) {
        places.lists().into_iter().for_each(|list| self.0.places(name, list));
    }
}

impl Rooms {
    /// Returns the index of the room around a subroom. If several rooms share a name, the first has all subrooms.
    pub fn around(&self, subroom: &Room) -> Option<usize> {
        subroom.parent.as_ref()?;
        self.rooms.iter().position(|around| around.name.is_some() && around.name == subroom.parent)
    }
}

#[derive(Default)]
struct Steps {
    steps: Vec<Step>,
    /// Rooms that have not ended yet.
    open: Vec<usize>,
}

impl Steps {
    fn add(&mut self, making: Making, span: Span) {
        self.steps.push(Step { making, span, inside: 0 });
    }
}

impl StepTaker for Steps {
    fn ground(&mut self, ground: &Spanned<Init>) {
        self.add(Making::Ground, ground.span);
    }

    fn map(&mut self, part: &Part) {
        self.add(Making::Map, part.span);
    }

    fn room(&mut self, room: &Room) {
        self.open.push(self.steps.len());
        self.add(Making::Room, room.span);
    }

    fn room_ends(&mut self) {
        if let Some(first) = self.open.pop() {
            self.steps[first].inside = self.steps.len() - first - 1;
        }
    }

    fn maze(&mut self, walk: &Spanned<Walk>) {
        self.add(Making::Maze, walk.span);
    }

    fn thing<S: Structure>(&mut self, name: &'static str, thing: &Spanned<S>) {
        self.add(Making::Thing(name), thing.span);
    }
}
