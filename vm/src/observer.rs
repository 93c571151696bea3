//! Observing a run.
//!
//! The loader reports to an [`Observer`] every draw, everything that it places in the level, and its complaints. `()`
//! observes nothing, and then reporting costs next to nothing.

use splc_ir::value::ValueType;

use crate::view::View;

/// An action of the loader. Places are those at the time of the action: a level may be flipped later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    /// A monster was placed.
    Monster {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
        /// Species name; for a class alone, its first species. `None`: random.
        name: Option<&'a str>,
    },
    /// The monster got a name.
    MonsterNamed(&'a str),
    /// An object given only by its class was placed.
    ObjectOfClass {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
        /// Number of the class; 0 for any.
        class: usize,
    },
    /// An object was placed.
    Object {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
        /// Number of the object type.
        number: i32,
        /// Name of the object type.
        name: &'a str,
    },
    /// The object got a name.
    ObjectNamed(&'a str),
    /// The object is, or contains, the remains of a monster.
    ObjectOfMonster {
        /// Number of the species; -1: random.
        number: i32,
        /// Species name, if the reference traces contain it.
        name: Option<&'a str>,
    },
    /// The monster has an alignment: -1 chaotic, 0 neutral, 1 lawful, -128 none.
    MonsterAligned(i32),
    /// The object is the prize of the level.
    ObjectIsPrize,
    /// The level was flipped: bit 1 swaps top and bottom, bit 2 left and right.
    Flipped {
        /// The flip chosen.
        how: i32,
        /// The flips allowed.
        allowed: i32,
    },
    /// The object was put into a container.
    ObjectContained,
    /// The object was put into a monster's inventory.
    ObjectCarried,
    /// The object is lit.
    ObjectLit,
    /// The object is buried.
    ObjectBuried,
    /// Gold was placed.
    Gold {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
        /// Amount; 0 means that the game chooses it.
        amount: i64,
    },
    /// A trap was placed.
    Trap {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
        /// Number of the trap type.
        kind: i32,
    },
    /// A grave was placed.
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
        /// Number of the engraving type.
        kind: i32,
        /// Engraved text.
        text: &'a str,
    },
    /// A shop was stocked.
    ShopStocked {
        /// Number of the shop type, from 0.
        kind: i32,
        /// First column of the room.
        x: i32,
        /// First row of the room.
        y: i32,
    },
    /// A room was filled with its usual contents.
    RoomFilled {
        /// Number of the room type.
        kind: i32,
        /// First column of the room.
        x: i32,
        /// First row of the room.
        y: i32,
    },
    /// A priest was placed next to an altar.
    Priest {
        /// Column of the altar.
        x: i32,
        /// Row of the altar.
        y: i32,
        /// True for the high priest's altar.
        sanctum: bool,
    },
    /// Ore and kelp were requested.
    Mineralized {
        /// One in this many pools has kelp.
        kelp_in_pools: i64,
        /// One in this many moat squares has kelp.
        kelp_in_moats: i64,
        /// Probability of gold, in thousandths.
        gold: i64,
        /// Probability of gems, in thousandths.
        gems: i64,
    },
    /// The hero knows the level's map from the start.
    Premapped,
    /// The game showed the player a message.
    Said(&'a str),
}

/// A problem that the loader reports without giving up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // the games' messages are in `text`
pub enum Complaint {
    // Complaints of the games.
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
    /// A mimic's appearance is invalid.
    Appearance {
        /// The problem.
        fault: AppearanceFault,
        /// Severity in the game.
        loudness: Loudness,
    },
    // Problems that the games ignore silently.
    WrongType {
        /// Type that the statement requires.
        wanted: ValueType,
    },
    DivisionByZero,
    /// A hole or trap door is requested in a level with a hard floor.
    HoleInHardFloor,
    /// Stairs are made in a wall.
    StairsInWall,
    /// A trap of a given type is made where there is one already.
    TrapReplaced,
    /// A shrine is requested outside a temple.
    ShrineWithoutTemple,
    RoomFailed,
    CorridorRoom,
    ArrayOfItself,
}

/// A problem with the appearance of a mimic (`create_monster`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppearanceFault {
    /// It has a name, but no type.
    NoKind,
    /// It names an object that does not exist.
    NoSuchObject,
    /// Its type is not one that mimics have.
    UnknownKind,
    /// It names a monster that does not exist, or that a vampire cannot become.
    NoSuchShape,
}

impl AppearanceFault {
    /// The games' message: the format string, without its values.
    pub fn text(self) -> &'static str {
        match self {
            AppearanceFault::NoKind => "create_monster: mon has an appearance, \"%s\", but no type",
            AppearanceFault::NoSuchObject => "create_monster: can't find object \"%s\"",
            AppearanceFault::UnknownKind => "create_monster: unimplemented mon appear type [%d,\"%s\"]",
            AppearanceFault::NoSuchShape => "create_monster: invalid %s (\"%s\")",
        }
    }
}

/// Severity of a complaint in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loudness {
    /// `impossible`: an internal error.
    Impossible,
    /// `warning`: a problem with the level.
    Warning,
    /// Not reported by the game, only by splc.
    Silent,
}

impl Complaint {
    /// Severity and message in the games: the format string, without its values.
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
            Complaint::WrongType { .. } => (Silent, "a value has the wrong type: the statement does nothing"),
            Complaint::DivisionByZero => (Silent, "division by zero or less results in 0"),
            Complaint::CorridorRoom => (Silent, "the corridor joins a room that does not exist: it is skipped"),
            Complaint::ArrayOfItself => {
                (Silent, "an array is read while it is reassigned: the game has freed it and may crash")
            }
            Complaint::HoleInHardFloor => {
                (Silent, "the floor of this level is hard: the game makes a falling rock trap instead of a hole")
            }
            Complaint::StairsInWall => (Silent, "these stairs replace a wall"),
            Complaint::TrapReplaced => (Silent, "this trap replaces another one at the same place"),
            Complaint::ShrineWithoutTemple => {
                (Silent, "the altar is not in a temple: the game makes neither a shrine nor a priest")
            }
            Complaint::RoomFailed => (Silent, "the room finds no place: it and its contents are skipped"),
        }
    }

    /// Returns the message with the word that the game puts before it, `impossible: ` or `warning: `.
    pub fn as_reported(self) -> String {
        let (loudness, message) = self.message();
        let word = match loudness {
            Loudness::Impossible => "impossible: ",
            Loudness::Warning => "warning: ",
            Loudness::Silent => "",
        };
        format!("{word}{message}")
    }

    /// The loudness and a message without placeholders: the games' own text, or a description where their text is a
    /// format.
    pub fn message(self) -> (Loudness, &'static str) {
        let (loudness, text) = self.text();
        let message = match self {
            Complaint::PlaceOffLevel | Complaint::PlaceOutside => "get_location: the place is out of bounds",
            Complaint::CoreFunction => "unknown core function",
            Complaint::SecretDoorWalls => "couldn't create the secret door on any wall",
            Complaint::RegionPlace => "couldn't place the level region",
            Complaint::StairsGround => "mkstairs: the terrain at the place of the stairs is not suitable",
            Complaint::RoomType => "unknown room type",
            Complaint::IterationFailed => "Lua error in the function of an iteration",
            Complaint::NoSuchLevel => "couldn't find the level that the portal leads to",
            Complaint::BogusStairs => "mkstairs: the place of the stairs is out of bounds",
            Complaint::NoWallForDoor => "no wall for the door of a corridor",
            Complaint::CorridorGoesNowhere => "the door of a corridor leads nowhere",
            Complaint::NeverConnected => "a corridor is never connected",
            Complaint::ConvertedTo => "spo_convert_type: cannot convert to this type",
            Complaint::ConvertedFrom => "spo_convert_type: cannot convert from this type",
            Complaint::Appearance { fault: AppearanceFault::NoKind, .. } => {
                "the monster has the name of an appearance, but not its type"
            }
            Complaint::Appearance { fault: AppearanceFault::NoSuchObject, .. } => {
                "the game finds no object with the name of the monster's appearance"
            }
            Complaint::Appearance { fault: AppearanceFault::UnknownKind, .. } => {
                "the game does not support this type of appearance"
            }
            Complaint::Appearance { fault: AppearanceFault::NoSuchShape, .. } => {
                "the monster cannot look like this monster"
            }
            _ => text,
        };
        (loudness, message)
    }
}

/// Decision of an observer about the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The run goes on.
    Continue,
    /// The run stops.
    Stop,
}

/// An observer of a run.
pub trait Observer {
    /// Returns false if nothing is observed. The loader then reports nothing.
    #[inline]
    fn observes(&self) -> bool {
        true
    }

    /// Reports a draw below `below` and its result.
    #[inline]
    fn draw(&mut self, below: i32, result: i32) {
        let _ = (below, result);
    }

    /// Announces `count` draws whose results are not used. Returns true if they may be skipped; otherwise each of them
    /// is reported like any other draw.
    #[inline]
    fn pass_over(&mut self, count: u64) -> bool {
        let _ = count;
        false
    }

    /// Reports an action of the loader.
    #[inline]
    fn event(&mut self, event: Event<'_>) {
        let _ = event;
    }

    /// Reports a complaint of the loader.
    #[inline]
    fn complaint(&mut self, complaint: Complaint) {
        let _ = complaint;
    }

    /// Announces a trap at a random place in an area: its first column and row, and its last.
    #[inline]
    fn random_trap(&mut self, area: [i32; 4]) {
        let _ = area;
    }

    /// Returns true if every step must be reported.
    #[inline]
    fn wants_steps(&self) -> bool {
        true
    }

    /// Reports that a step is about to run: an opcode, or one item of a level of parts. Opcodes that are skipped, for
    /// example in a room that found no place, are not steps.
    #[inline]
    fn step(&mut self, view: &View<'_>) -> Flow {
        let _ = view;
        Flow::Continue
    }

    /// Returns true if the observer needs states. A Lua script then keeps a digest of what it learns.
    #[inline]
    fn follows_states(&self) -> bool {
        false
    }

    /// Returns true if [`state`](Self::state) must be called before the next step. Computing the state is slow.
    #[inline]
    fn wants_state(&self) -> bool {
        false
    }

    /// Reports the state of the machine before the next step, as a number. Two runs of one level with the same number
    /// continue identically if their draws are identical.
    #[inline]
    fn state(&mut self, state: u128) {
        let _ = state;
    }

    /// Reports that all steps are done and that the level is about to be finished. The number of the view is one past
    /// the last step.
    #[inline]
    fn finishing(&mut self, view: &View<'_>) {
        let _ = view;
    }
}

impl Observer for () {
    #[inline]
    fn observes(&self) -> bool {
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

/// The observer of a run, or `None` if it observes nothing. Not observing costs a comparison a report.
impl Observer for Option<&mut dyn Observer> {
    #[inline]
    fn observes(&self) -> bool {
        self.is_some()
    }

    #[inline]
    fn draw(&mut self, below: i32, result: i32) {
        if let Some(observer) = self {
            observer.draw(below, result);
        }
    }

    #[inline]
    fn pass_over(&mut self, count: u64) -> bool {
        self.as_mut().is_none_or(|observer| observer.pass_over(count))
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) {
        if let Some(observer) = self {
            observer.event(event);
        }
    }

    #[inline]
    fn complaint(&mut self, complaint: Complaint) {
        if let Some(observer) = self {
            observer.complaint(complaint);
        }
    }

    #[inline]
    fn random_trap(&mut self, area: [i32; 4]) {
        if let Some(observer) = self {
            observer.random_trap(area);
        }
    }

    #[inline]
    fn wants_steps(&self) -> bool {
        self.as_ref().is_some_and(|observer| observer.wants_steps())
    }

    #[inline]
    fn step(&mut self, view: &View<'_>) -> Flow {
        self.as_mut().map_or(Flow::Continue, |observer| observer.step(view))
    }

    #[inline]
    fn follows_states(&self) -> bool {
        self.as_ref().is_some_and(|observer| observer.follows_states())
    }

    #[inline]
    fn wants_state(&self) -> bool {
        self.as_ref().is_some_and(|observer| observer.wants_state())
    }

    #[inline]
    fn state(&mut self, state: u128) {
        if let Some(observer) = self {
            observer.state(state);
        }
    }

    #[inline]
    fn finishing(&mut self, view: &View<'_>) {
        if let Some(observer) = self {
            observer.finishing(view);
        }
    }
}

/// Both observe the run; either can stop it.
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
    fn random_trap(&mut self, area: [i32; 4]) {
        self.0.random_trap(area);
        self.1.random_trap(area);
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
    fn follows_states(&self) -> bool {
        self.0.follows_states() || self.1.follows_states()
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
