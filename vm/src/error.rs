//! What can go wrong, as values: a level that cannot be prepared, and a script that cannot go on.

use std::fmt;

use splc_ir::program::{Opcode, Unknown};
use splc_ir::source::Span;
use splc_ir::value::ValueType;

/// Why a program cannot be prepared for a game.
#[derive(Clone, Debug, PartialEq)]
pub struct PrepareError {
    /// Position of the opcode.
    pub at: usize,
    /// The statement or value that it was made for.
    pub span: Span,
    /// What is wrong.
    pub kind: PrepareErrorKind,
}

/// What is wrong with a program.
#[derive(Clone, Debug, PartialEq)]
pub enum PrepareErrorKind {
    /// The game lacks a name.
    Unknown(Unknown),
    /// The game lacks an opcode.
    Opcode(Opcode),
    /// The game's level files are of another kind.
    Format,
    /// More texts than fit.
    TooLarge,
    /// A Lua script that cannot be read.
    Lua(String),
}

impl fmt::Display for PrepareError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            PrepareErrorKind::Unknown(unknown) => write!(formatter, "the game has no {unknown}"),
            PrepareErrorKind::Opcode(opcode) => write!(formatter, "the game has no opcode \"{opcode}\""),
            PrepareErrorKind::Format => formatter.write_str("the game's levels are of another kind"),
            PrepareErrorKind::Lua(problem) => formatter.write_str(problem),
            PrepareErrorKind::TooLarge => formatter.write_str("the level has more text than fits"),
        }
    }
}

impl std::error::Error for PrepareError {}

/// Why a level could not be made.
#[derive(Clone, Debug, PartialEq)]
pub struct VmError {
    /// Number of the step at which it happened; one past the last if the level was being finished.
    pub at: usize,
    /// The statement, or value of one, that the step was made for.
    pub span: Option<Span>,
    /// What happened.
    pub fault: Fault,
}

impl fmt::Display for VmError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(formatter)
    }
}

impl std::error::Error for VmError {}

/// What happens where a game gives up (`panic`), crashes or hangs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// A value is taken from an empty stack.
    EmptyStack,
    /// A value of one type where the game accepts only another.
    WrongType {
        /// What is needed.
        wanted: ValueType,
        /// What the value is for.
        what: &'static str,
    },
    /// A variable that is not set in this function.
    UndefinedVariable(String),
    /// A variable is set to a value of another type.
    VariableType(String),
    /// An array is indexed by what is no number, or has no such element.
    ArrayIndex,
    /// A jump out of the program.
    BadJump,
    /// RETURN outside of a function.
    NoFrame,
    /// Rooms in rooms in rooms.
    RoomNesting,
    /// More rooms than a level can have.
    TooManyRooms,
    /// A room whose size makes no sense.
    RoomSize,
    /// A room or part in which no place is free.
    NoPlace,
    /// A map that does not fit the level.
    MapSize,
    /// A map without enough squares.
    MapData,
    /// Walls are to be joined outside the level.
    WallBounds,
    /// A monster class that does not exist.
    MonsterClass(char),
    /// An object class that does not exist.
    ObjectClass(char),
    /// A corridor starts at a wall that is none.
    CorridorWall,
    /// A door is asked for in a wall that is none.
    DoorWall,
    /// A maze is walked into a direction that is none.
    MazewalkDirection,
    /// A thing takes a register that does not exist.
    Register,
    /// Stairs are in no room.
    StairsRoom,
    /// A selection is filtered by what is no filter.
    Filter,
    /// A place that cannot be left, for which there is no way out.
    NoWayOut,
    /// A flood fill that comes by more squares than it can remember.
    FloodOverrun,
    /// A message that is too long once names are put into it.
    MessageLength,
    /// A line without an end.
    EndlessLine,
    /// A level that takes draws without end.
    Hangs,
    /// More values, texts or selections than fit the machine's memory.
    Memory,
    /// More frames than fit the machine's memory.
    FrameNesting,
    /// An opcode that this loader does not run.
    Opcode(Opcode),
    /// A level region has no squares: its corners are swapped, or it lies beside the level.
    EmptyRegion,
    /// A portal leads to a level that the dungeon lacks.
    MissingLevel {
        /// Name of the level.
        level: String,
        /// The dungeon in words.
        dungeon: String,
    },
    /// The observer stopped the run.
    Stopped,
    /// A Lua script does something wrong.
    Lua(String),
    /// A Lua script takes more steps than the game lets it.
    Steps,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::EmptyStack => formatter.write_str("a value is missing: the stack is empty"),
            Fault::WrongType { wanted, what } => write!(formatter, "{what} is not of type {}", wanted.as_str()),
            Fault::UndefinedVariable(name) => write!(formatter, "the variable {name} has no value here"),
            Fault::VariableType(name) => write!(formatter, "the variable {name} has a value of another type"),
            Fault::ArrayIndex => formatter.write_str("an array has no element of that index"),
            Fault::BadJump => formatter.write_str("a jump leads out of the program"),
            Fault::NoFrame => formatter.write_str("a return outside of a function"),
            Fault::RoomNesting => formatter.write_str("rooms are nested too deeply"),
            Fault::TooManyRooms => formatter.write_str("the level has too many rooms"),
            Fault::RoomSize => formatter.write_str("a room has a size that makes no sense"),
            Fault::NoPlace => formatter.write_str("the room or part has no free place"),
            Fault::MapSize => formatter.write_str("the map does not fit the level"),
            Fault::MapData => formatter.write_str("the map has fewer squares than its size says"),
            Fault::WallBounds => formatter.write_str("walls reach out of the level"),
            Fault::MonsterClass(class) => write!(formatter, "there is no monster class '{class}'"),
            Fault::ObjectClass(class) => write!(formatter, "there is no object class '{class}'"),
            Fault::CorridorWall => formatter.write_str("a corridor starts at no wall"),
            Fault::DoorWall => formatter.write_str("a door is in no wall of its room"),
            Fault::MazewalkDirection => formatter.write_str("a maze is walked into no direction"),
            Fault::Register => formatter.write_str("a thing takes a register that does not exist"),
            Fault::StairsRoom => formatter.write_str("the stairs are in no room, so corridors cannot be made"),
            Fault::Filter => formatter.write_str("a selection is filtered by what is no filter"),
            Fault::NoWayOut => formatter.write_str("a place cannot be left, and no way out can be made"),
            Fault::FloodOverrun => formatter.write_str("a flood fill spreads too far"),
            Fault::MessageLength => formatter.write_str("a message gets too long"),
            Fault::EndlessLine => formatter.write_str("a line never ends"),
            Fault::Hangs => formatter.write_str("the level takes random numbers without end: the game would hang"),
            Fault::Memory => formatter.write_str("the script fills the memory"),
            Fault::FrameNesting => formatter.write_str("functions call functions too deeply"),
            Fault::Opcode(opcode) => write!(formatter, "the opcode \"{opcode}\" cannot be run"),
            Fault::Lua(problem) => formatter.write_str(problem),
            Fault::Steps => formatter.write_str("the script runs too long: the game stops it"),
            Fault::EmptyRegion => formatter.write_str("a level region has no squares: the game crashes"),
            Fault::MissingLevel { level, dungeon } => {
                write!(formatter, "a portal leads to \"{level}\", a level that {dungeon} lacks: the game crashes")
            }
            Fault::Stopped => formatter.write_str("stopped"),
        }
    }
}
