//! Looking on while a level is made.
//!
//! The loader tells an [`Observer`] of every draw, of everything that it puts into the level, and of what it
//! complains about. `()` looks at nothing, and then nothing is spent on telling.

use splc_ir::value::ValueType;

use crate::view::View;

/// Something that the loader did. Places are those of the moment: a level may be flipped afterwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    /// A monster was put somewhere.
    Monster {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
        /// Its name; one of a class alone counts as the first of it. `None`: random.
        name: Option<&'a str>,
    },
    /// The monster got a name.
    MonsterNamed(&'a str),
    /// An object of a class was put somewhere.
    ObjectOfClass {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
        /// Number of the class; 0: any.
        class: usize,
    },
    /// An object was put somewhere.
    Object {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
        /// Its number.
        number: i32,
        /// Its name.
        name: &'a str,
    },
    /// The object got a name.
    ObjectNamed(&'a str),
    /// The object is, or holds, what is left of a monster of this number.
    ObjectOfMonster {
        /// Number of the species; -1: random.
        number: i32,
        /// Its name, where the reference traces tell it.
        name: Option<&'a str>,
    },
    /// The monster is of an alignment: -1 chaotic, 0 neutral, 1 lawful, -128 none.
    MonsterAligned(i32),
    /// The object is what the level is won for.
    ObjectIsPrize,
    /// The level was flipped: bit 1 upside down, bit 2 left and right.
    Flipped {
        /// How.
        how: i32,
        /// How it might have been.
        allowed: i32,
    },
    /// The object went into a container.
    ObjectContained,
    /// The object went into a monster's inventory.
    ObjectCarried,
    /// The object burns.
    ObjectLit,
    /// The object is buried.
    ObjectBuried,
    /// Gold was put somewhere.
    Gold {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
        /// How much; 0: as much as the game likes.
        amount: i64,
    },
    /// A trap was set.
    Trap {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
        /// Its number.
        kind: i32,
    },
    /// A grave was dug.
    Grave {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
        /// The epitaph; `None`: random.
        text: Option<&'a str>,
    },
    /// Something was engraved.
    Engraving {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
        /// How.
        kind: i32,
        /// What.
        text: &'a str,
    },
    /// A shop was stocked.
    ShopStocked {
        /// Number of the kind of shop, from 0.
        kind: i32,
        /// First column of the room.
        x: i32,
        /// First row of the room.
        y: i32,
    },
    /// A room was filled with its crowd.
    RoomFilled {
        /// Number of the room type.
        kind: i32,
        /// First column of the room.
        x: i32,
        /// First row of the room.
        y: i32,
    },
    /// A priest was put beside an altar.
    Priest {
        /// Column of the altar.
        x: i32,
        /// Row of the altar.
        y: i32,
        /// Whether it is the high priest's.
        sanctum: bool,
    },
    /// Ore and kelp were asked for.
    Mineralized {
        /// One pool in so many has kelp.
        kelp_in_pools: i64,
        /// One moat square in so many has kelp.
        kelp_in_moats: i64,
        /// Gold in a thousand.
        gold: i64,
        /// Gems in a thousand.
        gems: i64,
    },
    /// The level is known to the hero from the start.
    Premapped,
    /// The game said something to the player.
    Said(&'a str),
}

/// Something that the loader did not like, without giving up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // the games' words are in `text`
pub enum Complaint {
    // What the games complain about.
    NoPlace,
    PlaceOutside,
    PlaceOffLevel,
    EmptyStack,
    CoreFunction,
    TooManyRooms,
    DoorPlace,
    SecretDoorWalls,
    Drawbridge,
    DrawbridgeDirection,
    MazewalkDirection,
    InitStyle,
    RegionAsSubroom,
    RegionPlace,
    RegionKindPlace(i32),
    StairsGround,
    RandomWall,
    RoomType,
    IterationFailed,
    NoSuchLevel,
    PortalOnPortal,
    BogusStairs,
    DeepContainers,
    NoContainer,
    TooMuchTime,
    DifferentTypesCompared,
    NothingToCompare,
    DifferentTypesAdded,
    WeirdTypesAdded,
    NoWallForDoor,
    CorridorGoesNowhere,
    NeverConnected,
    JoinPlace,
    RegularRoomInJoinedMap,
    TooManyDoors,
    Relocation,
    MonsterGenerationTwice,
    SoundsTwice,
    ConvertedToSame,
    ConvertedTo,
    ConvertedFrom,
    NoSounds,
    /// Of a mimic.
    Appearance {
        /// What makes no sense.
        fault: AppearanceFault,
        /// How loudly the game says so.
        loudness: Loudness,
    },
    // What the games pass over in silence.
    WrongType {
        /// What the statement needs.
        wanted: ValueType,
    },
    DivisionByZero,
    RoomFailed,
    CorridorRoom,
    ArrayOfItself,
}

/// What is wrong with the appearance of a mimic (`create_monster`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppearanceFault {
    /// It has a name, but is of no kind.
    NoKind,
    /// It is that of an object, but there is none of that name.
    NoSuchObject,
    /// It is of a kind that mimics do not have.
    UnknownKind,
}

impl AppearanceFault {
    /// The games' words: the format, without its values.
    pub fn text(self) -> &'static str {
        match self {
            AppearanceFault::NoKind => "create_monster: mon has an appearance, \"%s\", but no type",
            AppearanceFault::NoSuchObject => "create_monster: can't find object \"%s\"",
            AppearanceFault::UnknownKind => "create_monster: unimplemented mon appear type [%d,\"%s\"]",
        }
    }
}

/// How loudly a game complains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loudness {
    /// `impossible`: something is broken.
    Impossible,
    /// `warning`: something is wrong with the level.
    Warning,
    /// Not at all; only splc says so.
    Silent,
}

impl Complaint {
    /// How loudly the games say so, and in which words: the format, without its values.
    pub fn text(self) -> (Loudness, &'static str) {
        use Loudness::{Impossible, Silent, Warning};
        match self {
            Complaint::NoPlace => (Impossible, "get_location:  can't find a place!"),
            Complaint::PlaceOffLevel => (Impossible, "get_location:  (%d,%d) out of bounds"),
            Complaint::PlaceOutside => (Warning, "get_location:  (%d,%d) out of bounds"),
            Complaint::EmptyStack => (Impossible, "splev_stack_pop: empty stack?"),
            Complaint::CoreFunction => (Impossible, "Unknown sp_lev core function %li"),
            Complaint::TooManyRooms => (Impossible, "Too many rooms on new level!"),
            Complaint::DoorPlace => (Impossible, "create_door: Can't find a proper place!"),
            Complaint::SecretDoorWalls => (Impossible, "couldn't create secret door on any walls 0x%x"),
            Complaint::Drawbridge => (Impossible, "Cannot create drawbridge."),
            Complaint::DrawbridgeDirection => (Impossible, "bad direction in create_drawbridge"),
            Complaint::MazewalkDirection => (Impossible, "sp_level_coder: Bad MAZEWALK direction"),
            Complaint::InitStyle => (Impossible, "Unrecognized level init style."),
            Complaint::RegionAsSubroom => (Impossible, "region as subroom"),
            Complaint::RegionPlace => (Impossible, "Couldn't place lregion type %d!"),
            Complaint::RegionKindPlace(kind) => (
                Impossible,
                match kind {
                    0 => "Couldn't place lregion type 0!",
                    1 => "Couldn't place lregion type 1!",
                    2 => "Couldn't place lregion type 2!",
                    _ => "Couldn't place lregion type 3!",
                },
            ),
            Complaint::StairsGround => (Impossible, "mkstairs:  placing stairs %s on %s at <%d,%d>"),
            Complaint::RandomWall => (Impossible, "create_corridor to/from a random wall"),
            Complaint::RoomType => (Impossible, "Unknown room type '%s'"),
            Complaint::IterationFailed => (Impossible, "Lua error: %d:%s %s"),
            Complaint::NoSuchLevel => (Warning, "Couldn't find_level \"%s\"."),
            Complaint::PortalOnPortal => (Impossible, "portal on top of portal??"),
            Complaint::BogusStairs => (Impossible, "mkstairs:  bogus stair attempt at <%d,%d>"),
            Complaint::NoContainer => (Impossible, "create_object: no container"),
            Complaint::DeepContainers => (Impossible, "create_object: too deeply nested containers."),
            Complaint::TooMuchTime => (Impossible, "Level script is taking too much time, stopping."),
            Complaint::DifferentTypesCompared => (Impossible, "spo_cmp: trying to compare differing datatypes"),
            Complaint::NothingToCompare => (Impossible, "spo_cmp: no values in stack"),
            Complaint::DifferentTypesAdded => (Impossible, "adding different types"),
            Complaint::WeirdTypesAdded => (Impossible, "adding weird types"),
            Complaint::NoWallForDoor => (Impossible, "down: no wall at %d,%d?"),
            Complaint::CorridorGoesNowhere => (Impossible, "down door from %d,%d going nowhere?"),
            Complaint::NeverConnected => (Impossible, "left end of %d, %d never connected?"),
            Complaint::JoinPlace => (Impossible, "No start/end room loc in join_map."),
            Complaint::RegularRoomInJoinedMap => (Impossible, "regular room in joined map"),
            Complaint::TooManyDoors => (Impossible, "DOORMAX exceeded?"),
            Complaint::Relocation => (Warning, "rloc(): couldn't relocate monster"),
            Complaint::MonsterGenerationTwice => (Impossible, "monster generation override already defined."),
            Complaint::ConvertedToSame => (Impossible, "spo_convert_type: trying to convert to same type"),
            Complaint::ConvertedTo => (Impossible, "spo_convert_type: cannot convert to type %li"),
            Complaint::ConvertedFrom => (Impossible, "spo_convert_type: cannot convert from type %li"),
            Complaint::SoundsTwice => (Impossible, "level sounds already defined."),
            Complaint::NoSounds => (Impossible, "no level sounds attached to the sound opcode?"),
            Complaint::Appearance { fault, loudness } => (loudness, fault.text()),
            Complaint::WrongType { .. } => (Silent, "a value of another type: the statement does nothing"),
            Complaint::DivisionByZero => (Silent, "division by zero or less gives 0"),
            Complaint::CorridorRoom => (Silent, "the corridor is of a room that does not exist: it is left out"),
            Complaint::ArrayOfItself => {
                (Silent, "an array is read while it is set again: the game has freed it, and may crash")
            }
            Complaint::RoomFailed => (Silent, "the room finds no place; what is in it is left out"),
        }
    }
}

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// On.
    Continue,
    /// No further.
    Stop,
}

/// Somebody who looks on.
pub trait Observer {
    /// Whether anybody looks on at all: for nobody, the loader is built without what is only told.
    #[inline]
    fn looks_on(&self) -> bool {
        true
    }

    /// A draw below `below` that gave `result`.
    #[inline]
    fn draw(&mut self, below: i32, result: i32) {
        let _ = (below, result);
    }

    /// So many draws are coming whose outcomes nobody wants. Whether they may be passed over: if not, each of them is
    /// told as all others are.
    #[inline]
    fn pass_over(&mut self, count: u64) -> bool {
        let _ = count;
        false
    }

    /// The loader did something.
    #[inline]
    fn event(&mut self, event: Event<'_>) {
        let _ = event;
    }

    /// The loader did not like something.
    #[inline]
    fn complaint(&mut self, complaint: Complaint) {
        let _ = complaint;
    }

    /// Whether it wants to be told of every step.
    #[inline]
    fn wants_steps(&self) -> bool {
        true
    }

    /// A step is about to run: an opcode, or what makes a thing of a level of parts. Opcodes that are passed over, as
    /// they are in a room that found no place, are no steps.
    #[inline]
    fn step(&mut self, view: &View<'_>) -> Flow {
        let _ = view;
        Flow::Continue
    }

    /// Whether [`state`](Self::state) is wanted before the step that comes next. That takes long.
    #[inline]
    fn wants_state(&self) -> bool {
        false
    }

    /// The state of the machine before the step that comes next, as a number: two runs of one level with the same
    /// number go on alike if they draw alike.
    #[inline]
    fn state(&mut self, state: u128) {
        let _ = state;
    }

    /// All steps are done, and the level is about to be finished. The number of the view is one past the last step.
    #[inline]
    fn finishing(&mut self, view: &View<'_>) {
        let _ = view;
    }
}

impl Observer for () {
    #[inline]
    fn looks_on(&self) -> bool {
        false
    }

    #[inline]
    fn wants_steps(&self) -> bool {
        false
    }

    #[inline]
    fn pass_over(&mut self, _: u64) -> bool {
        true
    }
}

impl<T: Observer + ?Sized> Observer for &mut T {
    #[inline]
    fn looks_on(&self) -> bool {
        (**self).looks_on()
    }

    #[inline]
    fn draw(&mut self, below: i32, result: i32) {
        (**self).draw(below, result);
    }

    #[inline]
    fn pass_over(&mut self, count: u64) -> bool {
        (**self).pass_over(count)
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) {
        (**self).event(event);
    }

    #[inline]
    fn complaint(&mut self, complaint: Complaint) {
        (**self).complaint(complaint);
    }

    #[inline]
    fn wants_steps(&self) -> bool {
        (**self).wants_steps()
    }

    #[inline]
    fn step(&mut self, view: &View<'_>) -> Flow {
        (**self).step(view)
    }

    #[inline]
    fn wants_state(&self) -> bool {
        (**self).wants_state()
    }

    #[inline]
    fn state(&mut self, state: u128) {
        (**self).state(state);
    }

    #[inline]
    fn finishing(&mut self, view: &View<'_>) {
        (**self).finishing(view);
    }
}

/// Both look on; either can stop the run.
impl<A: Observer, B: Observer> Observer for (A, B) {
    #[inline]
    fn draw(&mut self, below: i32, result: i32) {
        self.0.draw(below, result);
        self.1.draw(below, result);
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) {
        self.0.event(event);
        self.1.event(event);
    }

    #[inline]
    fn complaint(&mut self, complaint: Complaint) {
        self.0.complaint(complaint);
        self.1.complaint(complaint);
    }

    #[inline]
    fn wants_steps(&self) -> bool {
        self.0.wants_steps() || self.1.wants_steps()
    }

    #[inline]
    fn step(&mut self, view: &View<'_>) -> Flow {
        match (self.0.step(view), self.1.step(view)) {
            (Flow::Continue, Flow::Continue) => Flow::Continue,
            _ => Flow::Stop,
        }
    }

    #[inline]
    fn wants_state(&self) -> bool {
        self.0.wants_state() || self.1.wants_state()
    }

    #[inline]
    fn state(&mut self, state: u128) {
        self.0.state(state);
        self.1.state(state);
    }

    #[inline]
    fn finishing(&mut self, view: &View<'_>) {
        self.0.finishing(view);
        self.1.finishing(view);
    }
}
