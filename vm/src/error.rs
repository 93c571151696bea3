//! Errors as values: a level that cannot be prepared, and a run that cannot go on.

use std::fmt;

use splc_ir::program::{Opcode, Unknown};
use splc_ir::source::Span;
use splc_ir::value::ValueType;

use crate::limits::MAX_LEVEL_TEXT_BYTES;

/// The reason a program cannot be prepared for a game.
#[derive(Clone, Debug, PartialEq)]
pub struct PrepareError {
    /// Position of the opcode.
    pub at: usize,
    /// Statement or value that the opcode was compiled from.
    pub span: Span,
    /// The problem.
    pub kind: PrepareErrorKind,
}

/// A problem with a program.
#[derive(Clone, Debug, PartialEq)]
pub enum PrepareErrorKind {
    /// The game lacks a name.
    Unknown(Unknown),
    /// The game lacks an opcode.
    Opcode(Opcode),
    /// The game's level files have another format.
    Format,
    /// The texts exceed the size limit.
    TooLarge,
    /// A Lua script that cannot be read.
    Lua(String),
}

impl fmt::Display for PrepareError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            PrepareErrorKind::Unknown(unknown) => write!(formatter, "the game has no {unknown}"),
            PrepareErrorKind::Opcode(opcode) => write!(formatter, "the game has no opcode \"{opcode}\""),
            PrepareErrorKind::Format => formatter.write_str("the game uses another level format"),
            PrepareErrorKind::Lua(problem) => formatter.write_str(problem),
            PrepareErrorKind::TooLarge => formatter.write_str("the level contains too much text"),
        }
    }
}

impl std::error::Error for PrepareError {}

/// The reason a level could not be generated.
#[derive(Clone, Debug, PartialEq)]
pub struct VmError {
    /// Number of the failing step; one past the last if the level was being finished.
    pub at: usize,
    /// Statement, or value in one, that the step comes from.
    pub span: Option<Span>,
    /// The fault itself.
    pub fault: Fault,
}

impl fmt::Display for VmError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(formatter)
    }
}

impl std::error::Error for VmError {}

/// A fault at which a game gives up (`panic`), crashes or hangs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// A value is popped from an empty stack.
    EmptyStack,
    /// A value has a type that the game does not accept here.
    WrongType {
        /// The required type.
        wanted: ValueType,
        /// Purpose of the value.
        what: &'static str,
    },
    /// A variable that is not set in this function.
    UndefinedVariable(String),
    /// A variable is set to a value of a different type.
    VariableType(String),
    /// An array index is not a number, or is out of range.
    ArrayIndex,
    /// A jump leaves the program.
    BadJump,
    /// RETURN outside of a function.
    NoFrame,
    /// Rooms are nested too deeply.
    RoomNesting,
    /// More rooms than a level can have.
    TooManyRooms,
    /// A room has an impossible size.
    RoomSize,
    /// A room or part has no free place.
    NoPlace,
    /// A map does not fit into the level.
    MapSize,
    /// A map has too few squares.
    MapData,
    /// Walls would be joined outside the level.
    WallBounds,
    /// A monster class that does not exist.
    MonsterClass(char),
    /// An object class that does not exist.
    ObjectClass(char),
    /// A corridor starts at an invalid wall.
    CorridorWall,
    /// A door is requested in an invalid wall.
    DoorWall,
    /// A mazewalk has an invalid direction.
    MazewalkDirection,
    /// A thing uses a register that does not exist.
    Register,
    /// Stairs are outside all rooms.
    StairsRoom,
    /// A selection filter is invalid.
    Filter,
    /// An enclosed place for which no way out can be made.
    NoWayOut,
    /// A flood fill meets more squares than its buffer can store.
    FloodOverrun,
    /// A message is too long after names are substituted.
    MessageLength,
    /// A line that never ends.
    EndlessLine,
    /// A level that draws random numbers forever.
    Hangs,
    /// More values, texts or selections than the machine's memory allows.
    Memory,
    /// More messages, engravings and names than a level can store.
    LevelTexts,
    /// More frames than the machine's memory allows.
    FrameNesting,
    /// An opcode that this loader does not support.
    Opcode(Opcode),
    /// A level region has no squares: its corners are swapped, or it lies outside the level.
    EmptyRegion,
    /// A portal leads to a level that the dungeon does not have.
    MissingLevel {
        /// Name of the level.
        level: String,
        /// Description of the dungeon.
        dungeon: String,
    },
    /// The observer stopped the run.
    Stopped,
    /// A Lua script fails.
    Lua(String),
    /// A Lua script takes more steps than the game allows.
    Steps,
    /// A Lua script causes more work than this machine does for a level. The game sets no such limit.
    Work,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::EmptyStack => formatter.write_str("the stack is empty: a value is missing"),
            Fault::WrongType { wanted, what } => write!(formatter, "{what} is not of type {}", wanted.as_str()),
            Fault::UndefinedVariable(name) => write!(formatter, "the variable {name} has no value here"),
            Fault::VariableType(name) => write!(formatter, "the variable {name} has another type"),
            Fault::ArrayIndex => formatter.write_str("the array index is out of range"),
            Fault::BadJump => formatter.write_str("a jump leads outside of the program"),
            Fault::NoFrame => formatter.write_str("return outside of a function"),
            Fault::RoomNesting => formatter.write_str("rooms are nested too deeply"),
            Fault::TooManyRooms => formatter.write_str("the level has too many rooms"),
            Fault::RoomSize => formatter.write_str("a room has an invalid size"),
            Fault::NoPlace => formatter.write_str("the room or part has no free place"),
            Fault::MapSize => formatter.write_str("the map does not fit the level"),
            Fault::MapData => formatter.write_str("the map has fewer squares than its size requires"),
            Fault::WallBounds => formatter.write_str("walls extend outside of the level"),
            Fault::MonsterClass(class) => write!(formatter, "unknown monster class '{class}'"),
            Fault::ObjectClass(class) => write!(formatter, "unknown object class '{class}'"),
            Fault::CorridorWall => formatter.write_str("a corridor does not start at a wall"),
            Fault::DoorWall => formatter.write_str("a door is not in a wall of its room"),
            Fault::MazewalkDirection => formatter.write_str("a MAZEWALK has no valid direction"),
            Fault::Register => formatter.write_str("a register does not exist"),
            Fault::StairsRoom => formatter.write_str("the stairs are not in a room: corridors cannot be dug"),
            Fault::Filter => formatter.write_str("invalid selection filter"),
            Fault::NoWayOut => formatter.write_str("a place has no exit, and the game cannot add one"),
            Fault::FloodOverrun => formatter.write_str("a flood fill is too large"),
            Fault::MessageLength => formatter.write_str("a message is too long"),
            Fault::EndlessLine => formatter.write_str("a line never ends"),
            Fault::Hangs => formatter.write_str("the level draws random numbers forever: the game would hang"),
            Fault::Memory => formatter.write_str("the script runs out of memory"),
            Fault::LevelTexts => {
                write!(formatter, "the texts of the level exceed {} MiB", MAX_LEVEL_TEXT_BYTES >> 20)
            }
            Fault::FrameNesting => formatter.write_str("functions are nested too deeply"),
            Fault::Opcode(opcode) => write!(formatter, "the opcode \"{opcode}\" cannot be run"),
            Fault::Lua(problem) => formatter.write_str(problem),
            Fault::Steps => formatter.write_str("the script runs too long: the game stops it"),
            Fault::Work => {
                formatter.write_str("the script causes too much work: loading the level would take too long")
            }
            Fault::EmptyRegion => formatter.write_str("a level region has no squares: the game crashes"),
            Fault::MissingLevel { level, dungeon } => {
                write!(formatter, "a portal leads to \"{level}\", which {dungeon} lacks: the game crashes")
            }
            Fault::Stopped => formatter.write_str("stopped"),
        }
    }
}
