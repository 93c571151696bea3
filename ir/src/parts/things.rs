//! What a level is made of, thing after thing: in the order of the level file, for those who write, read or show it,
//! and in the order in which the loader makes it.

use super::{Body, List, Part, PartsLevel, Room, Rooms, Structure};
use crate::source::Span;

/// Somebody who takes the lists of a part or room, in the order of the level file.
pub trait ListTaker {
    /// A list of things, and what one of them is called.
    fn list<S: Structure>(&mut self, name: &'static str, list: &List<S>);

    /// Symbols of classes in registers.
    fn registers(&mut self, name: &'static str, registers: &[i8]);

    /// Columns and rows of places in registers.
    fn places(&mut self, name: &'static str, places: &[(i8, i8)]);
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

    /// Symbols of classes in registers.
    ///
    /// # Errors
    /// Whatever keeps them from being read.
    fn registers(&mut self, name: &'static str) -> Result<Vec<i8>, Self::Error>;

    /// Columns and rows of places in registers.
    ///
    /// # Errors
    /// Whatever keeps them from being read.
    fn places(&mut self, name: &'static str) -> Result<Vec<(i8, i8)>, Self::Error>;
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

impl PartsLevel {
    /// All that the loader makes, in its order.
    ///
    /// Source: NetHack 3.4.3, `src/sp_lev.c` (`load_maze`, `load_rooms`, `build_room`).
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Steps::default();
        if self.init.node.present != 0 {
            steps.add(Making::Ground, self.init.span);
        }
        match &self.body {
            Body::Maze(maze) => {
                for part in &maze.parts {
                    steps.add(Making::Map, part.span);
                    part.give_lists(&mut steps);
                }
                // The last is walked first.
                for walk in maze.parts.iter().flat_map(|part| &part.walks).rev() {
                    steps.add(Making::Maze, walk.span);
                }
            }
            Body::Rooms(rooms) => {
                let around: Vec<Option<usize>> = rooms.rooms.iter().map(|room| rooms.around(room)).collect();
                for (at, room) in rooms.rooms.iter().enumerate().filter(|(_, room)| room.parent.is_none()) {
                    let first = steps.begin_room(room);
                    for (subroom, _) in rooms.rooms.iter().zip(&around).filter(|(_, around)| **around == Some(at)) {
                        // The loader gives up at a subroom in a subroom.
                        let first = steps.begin_room(subroom);
                        steps.end_room(subroom, first);
                    }
                    steps.end_room(room, first);
                }
                steps.list("corridor", &rooms.corridors);
            }
        }
        steps.steps
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
}

impl Steps {
    fn add(&mut self, making: Making, span: Span) {
        self.steps.push(Step { making, span, inside: 0 });
    }

    /// A list that the loader has the other way round.
    fn reversed<S: Structure>(&mut self, name: &'static str, list: &List<S>) {
        for thing in list.iter().rev() {
            self.add(Making::Thing(name), thing.span);
        }
    }

    /// A room, before what is in it. Gives the number of the step.
    fn begin_room(&mut self, room: &Room) -> usize {
        self.add(Making::Room, room.span);
        self.steps.len() - 1
    }

    /// What is in a room, its subrooms aside.
    fn end_room(&mut self, room: &Room, first: usize) {
        self.reversed("stairs", &room.stairs);
        self.reversed("sink", &room.sinks);
        self.reversed("pool", &room.pools);
        self.reversed("fountain", &room.fountains);
        self.reversed("altar", &room.altars);
        self.reversed("door", &room.doors);
        self.reversed("trap", &room.traps);
        self.reversed("monster", &room.monsters);
        self.list("object", &room.objects);
        self.reversed("gold", &room.gold);
        self.reversed("engraving", &room.engravings);
        self.steps[first].inside = self.steps.len() - first - 1;
    }
}

impl ListTaker for Steps {
    fn list<S: Structure>(&mut self, name: &'static str, list: &List<S>) {
        for thing in list {
            self.add(Making::Thing(name), thing.span);
        }
    }

    fn registers(&mut self, _: &'static str, _: &[i8]) {}

    fn places(&mut self, _: &'static str, _: &[(i8, i8)]) {}
}
