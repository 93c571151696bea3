//! What a level is made of, thing after thing: in the order of the level file, for those who write, read or show it,
//! and in the order in which the loader makes it.

use super::{Body, Init, List, Part, PartsLevel, PlaceRegisters, Room, Rooms, Structure, Walk};
use crate::source::{Span, Spanned};

/// Somebody who takes the lists of a part or room, in the order of the level file.
pub trait ListTaker {
    /// A list of things, and what one of them is called.
    fn list<S: Structure>(&mut self, name: &'static str, list: &List<S>);

    /// Several lists of things of one kind.
    fn lists<S: Structure>(&mut self, name: &'static str, lists: &[List<S>]) {
        lists.iter().for_each(|list| self.list(name, list));
    }

    /// Symbols of classes in registers.
    fn registers(&mut self, name: &'static str, registers: &[i8]);

    /// Columns and rows of places in registers.
    fn places(&mut self, name: &'static str, places: &PlaceRegisters);
}

/// Somebody who gives the lists of a part or room, in the order of the level file.
pub trait ListGiver {
    /// What can go wrong.
    type Error;

    /// A list of things, one of which is called `name`.
    ///
    /// # Errors
    /// Whatever keeps it from being read.
    fn list<S: Structure>(&mut self, name: &'static str) -> Result<List<S>, Self::Error>;

    /// Several lists of things of one kind: as many as the game has.
    ///
    /// # Errors
    /// Whatever keeps them from being read.
    fn lists<S: Structure>(&mut self, name: &'static str) -> Result<Vec<List<S>>, Self::Error>;

    /// Symbols of classes in registers.
    ///
    /// # Errors
    /// Whatever keeps them from being read.
    fn registers(&mut self, name: &'static str) -> Result<Vec<i8>, Self::Error>;

    /// Columns and rows of places in registers.
    ///
    /// # Errors
    /// Whatever keeps them from being read.
    fn places(&mut self, name: &'static str) -> Result<PlaceRegisters, Self::Error>;
}

/// The lists of a part or room in the order of the level file, how each is stored, and what its things are called.
macro_rules! lists {
    ($($type:ident { $($field:ident: $how:ident $name:literal,)* })*) => {$(
        impl $type {
            /// Hands its lists to `taker`, in the order of the level file.
            pub fn give_lists<T: ListTaker>(&self, taker: &mut T) {
                $(taker.$how($name, &self.$field);)*
            }

            /// Takes its lists from `giver`, in the order of the level file.
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

/// What a step of the loader makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// INIT_MAP.
    Ground,
    /// The map of a part.
    Map,
    /// A room or subroom, without what is in it.
    Room,
    /// The maze behind the start of a walk.
    Maze,
    /// A thing, and what it is called.
    Thing(&'static str),
}

impl Making {
    /// What that is, in words.
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

/// A step of the loader: something that it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What.
    pub making: Making,
    /// The statement that asks for it.
    pub span: Span,
    /// How many of the next steps make what is in it: they are left out if a room finds no place.
    pub inside: usize,
}

/// Somebody who takes what the loader makes, step by step.
///
/// The loader makes it in this order: NetHack 3.4.3, `src/sp_lev.c` (`load_maze`, `load_rooms`, `build_room`).
pub trait StepTaker {
    /// INIT_MAP.
    fn ground(&mut self, ground: &Spanned<Init>);

    /// The map of a part; what is in the part follows.
    fn map(&mut self, part: &Part);

    /// A room or subroom; what is in it follows, its subrooms first.
    fn room(&mut self, room: &Room);

    /// There is no more in the room.
    fn room_ends(&mut self) {}

    /// The maze behind the start of a walk.
    fn maze(&mut self, walk: &Spanned<Walk>);

    /// A thing, and what it is called.
    fn thing<S: Structure>(&mut self, name: &'static str, thing: &Spanned<S>);

    /// Symbols of classes in registers; that is no step.
    fn registers(&mut self, name: &'static str, registers: &[i8]) {
        let _ = (name, registers);
    }

    /// Columns and rows of places in registers; that is no step.
    fn places(&mut self, name: &'static str, places: &[(i8, i8)]) {
        let _ = (name, places);
    }
}

impl PartsLevel {
    /// All that the loader makes, in its order.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Steps::default();
        self.give_steps(&mut steps);
        steps.steps
    }

    /// Hands all that the loader makes to `taker`, in its order.
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
                // The last is walked first.
                maze.parts.iter().flat_map(|part| &part.walks).rev().for_each(|walk| taker.maze(walk));
            }
            Body::Rooms(rooms) => {
                taker.registers("object", &rooms.object_registers);
                taker.registers("monster", &rooms.monster_registers);
                let around: Vec<Option<usize>> = rooms.rooms.iter().map(|room| rooms.around(room)).collect();
                for (at, room) in rooms.rooms.iter().enumerate().filter(|(_, room)| room.parent.is_none()) {
                    taker.room(room);
                    for (subroom, _) in rooms.rooms.iter().zip(&around).filter(|(_, around)| **around == Some(at)) {
                        // The loader gives up at a subroom in a subroom.
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
    /// What is in the room, its subrooms aside. The loader has most lists the other way round.
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

/// Lists of a part, thing by thing.
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
    /// The number of the room around a subroom: of rooms that share a name, the first has all subrooms.
    pub fn around(&self, subroom: &Room) -> Option<usize> {
        subroom.parent.as_ref()?;
        self.rooms.iter().position(|around| around.name.is_some() && around.name == subroom.parent)
    }
}

#[derive(Default)]
struct Steps {
    steps: Vec<Step>,
    /// Rooms that have not ended.
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
