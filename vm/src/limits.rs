//! Limits, in one place: of the machine itself, so that no level takes more memory or time than it should, and of the
//! games' loaders where all have the same. In what the games differ is in their catalogs.

/// Most bytes of all texts of a program.
pub const MAX_TEXT_BYTES: usize = 64 << 20;

/// Most bytes of the texts that a run makes.
pub const MAX_RUN_TEXT_BYTES: usize = 4 << 20;

/// Most values on the stacks of a run.
pub const MAX_STACK: usize = 1 << 17;

/// Most values in all arrays of a run.
pub const MAX_ARRAY_VALUES: usize = 1 << 18;

/// Most selections that a run makes.
pub const MAX_SELECTIONS: usize = 1 << 16;

/// Most functions that call each other in a chain.
pub const MAX_FRAMES: usize = 1 << 12;

/// Most variables that are set at a time.
pub const MAX_VARIABLES: usize = 1 << 16;

/// Most things of a kind in a level.
pub const MAX_THINGS: usize = (1 << 16) - 2;

/// Most different remarks that are kept of a run.
pub const MAX_REMARKS: usize = 1000;

/// Most draws of a run, unless the [settings](crate::Settings::draws) say otherwise: levels take some thousands.
pub const USUAL_DRAWS: u64 = 20_000_000;

/// Most opcodes that a game runs (`SPCODER_MAX_RUNTIME`); see [`Settings::fuel`](crate::Settings::fuel).
pub const MAX_RUN_OPCODES: u64 = 65_536;

/// How many steps of Lua a call of a function of a level may take for each opcode that a script of an older game may run:
/// together about a million, as in NetHack 5.0.0 (`load_special`).
pub const LUA_CALL_STEPS: u64 = 16;

/// How many such calls a level may take in all; the game sets no end.
pub const LUA_CALLS: i64 = 32;

/// Steps of Lua that a caught error costs: more than a call, as it is put into words.
pub const LUA_CAUGHT_ERROR_STEPS: u64 = 1000;

/// What a call of a function of the level costs in steps, besides those that it takes.
pub const LUA_CALL_COST: i64 = 100;

/// Steps of Lua are counted so many at once (`NHL_SB_STEPSIZE`).
pub const LUA_STEPS_AT_ONCE: u32 = 1000;

/// Bytes that a level of Lua may ask for besides those that the game's own tables take (`load_special`).
pub const LUA_MEMORY: usize = 1 << 20;

/// Most functions of a level that are called from functions of the game that are called from functions of the level.
pub const LUA_NESTED_CALLS: u32 = 32;

/// Most rooms that a script can make (`MAXNROFROOMS`).
pub const MAX_ROOMS: usize = 40;

/// Most subrooms of a room (`MAX_SUBROOMS`).
pub const MAX_SUBROOMS: usize = 24;

/// Most doors that belong to rooms (`DOORMAX`).
pub const MAX_DOORS: usize = 120;

/// Most rooms within each other (`MAX_NESTED_ROOMS`).
pub const MAX_NESTED_ROOMS: usize = 5;

/// Most containers within each other (`MAX_CONTAINMENT`).
pub const MAX_CONTAINERS: usize = 10;

/// Most free rectangles of a level (`MAXRECT`).
pub const MAX_RECTANGLES: usize = 50;

/// Most MAZEWALKs of a level of NetHack 3.4.3 that wait until all parts are there (`walklist`).
pub const MAX_WALKS: usize = 50;

/// Most kinds of details of a monster or object that a script can give (the games have 17 and 16).
pub const MAX_DETAILS: usize = 32;

/// Registers of a kind in NetHack 3.4.3 (`robjects`, `rloc_x`, `rmonst`).
pub const REGISTERS: usize = 10;

/// So many bytes of a message are read where names are put into it (`in_line`).
pub const MESSAGE_READ: usize = 79;

/// A message with names in it is shorter than this (`out_line`).
pub const MESSAGE_MADE: usize = 128;

/// How often a place for a room is looked for where there is no list of free rectangles (`create_room`).
pub const ROOM_TRIES: i32 = 10_000;

/// Most opcodes of a course; no game loads more.
pub const MAX_COURSE_OPCODES: usize = 1 << 16;

/// Most values of the stack that are looked at for a statement of a course; none takes as many.
pub const MAX_COURSE_VALUES: usize = 1000;
