//! Limits, in one place: those of the machine, which bound the memory and time of a level, and those of the games'
//! loaders where all games agree. Limits that differ between games are in the catalogs.

/// Maximum total bytes of a program's texts.
pub const MAX_TEXT_BYTES: usize = 64 << 20;

/// Maximum total bytes of the texts that a run creates.
pub const MAX_RUN_TEXT_BYTES: usize = 4 << 20;

/// Maximum values on the stacks of a run.
pub const MAX_STACK: usize = 1 << 17;

/// Maximum values in all arrays of a run.
pub const MAX_ARRAY_VALUES: usize = 1 << 18;

/// Maximum selections that a run creates.
pub const MAX_SELECTIONS: usize = 1 << 16;

/// Maximum depth of function calls.
pub const MAX_FRAMES: usize = 1 << 12;

/// Maximum variables set at the same time.
pub const MAX_VARIABLES: usize = 1 << 16;

/// Maximum total bytes of the messages, engravings, names and other texts of a level.
pub const MAX_LEVEL_TEXT_BYTES: usize = 16 << 20;

/// Maximum things of each type in a level.
pub const MAX_THINGS: usize = (1 << 16) - 2;

/// Maximum threads for runs over many seeds.
pub const MAX_THREADS: usize = 256;

/// Maximum different remarks stored for a run.
pub const MAX_REMARKS: usize = 1000;

/// Default limit on the draws of a run (see [settings](crate::Settings::draws)). Levels take some thousands.
pub const USUAL_DRAWS: u64 = 20_000_000;

/// Maximum opcodes that a game runs (`SPCODER_MAX_RUNTIME`); see [`Settings::fuel`](crate::Settings::fuel).
pub const MAX_RUN_OPCODES: u64 = 65_536;

/// Lua steps that a call of a level's function may take for each opcode that a script of an older game may run. The
/// total is about a million, as in NetHack 5.0.0 (`load_special`).
pub const LUA_CALL_STEPS: u64 = 16;

/// Number of full call budgets that a whole level may use; the game sets no limit. All work for the level counts: its
/// own steps, and that of the functions it calls.
pub const LUA_CALLS: i64 = 32;

/// Bytes that Lua's functions and operators copy or compare for one step.
pub const LUA_BYTES_A_STEP: usize = 64;

/// Bytes that Lua's functions read one by one for one step.
pub const LUA_BYTES_READ_A_STEP: usize = 8;

/// Bytes of memory in use that make each step of a level count for one more: a step can read a table or a list of
/// arguments that fills the memory.
pub const LUA_MEMORY_A_STEP: usize = 4096;

/// Bytes of the longest text of a level that make each step count for one more: a step can compare two such texts.
pub const LUA_TEXT_A_STEP: usize = 512;

/// Zero bytes in a text of a level that make each step count for one more: Lua compares the parts between them one by
/// one.
pub const LUA_ZEROS_A_STEP: usize = 8;

/// Length of a text made by `..` from which on its bytes are charged.
pub const LUA_SHORT_TEXT: usize = 256;

/// Lua steps that count for a full collection of garbage.
pub const LUA_COLLECTION_STEPS: u64 = 1 << 16;

/// Lua steps that count for a call of a function of the game, in addition to its own.
pub const LUA_GAME_CALL_STEPS: u64 = 100;

/// Lua steps that count for an operation on all squares of a level.
pub const LUA_AREA_STEPS: u64 = 500;

/// Lua steps that count for an operation on all squares of a level and their neighbours.
pub const LUA_LEVEL_STEPS: u64 = 5000;

/// Lua steps that count for a random number drawn by the game.
pub const LUA_DRAW_STEPS: u64 = 2;

/// Lua steps charged for a caught error: more than for a call, because its message is formatted.
pub const LUA_CAUGHT_ERROR_STEPS: u64 = 1000;

/// Lua steps charged for calling a function of the level, in addition to those it takes.
pub const LUA_CALL_COST: i64 = 100;

/// Number of Lua steps counted at a time (`NHL_SB_STEPSIZE`).
pub const LUA_STEPS_AT_ONCE: u32 = 1000;

/// Bytes that a Lua level may use in addition to the game's own tables (`load_special`).
pub const LUA_MEMORY: usize = 1 << 20;

/// Bytes that a Lua level may use until its garbage is collected.
pub const LUA_MEMORY_WITH_GARBAGE: usize = LUA_MEMORY + LUA_MEMORY / 4;

/// Maximum nesting of level functions called by game functions that were called by level functions.
pub const LUA_NESTED_CALLS: u32 = 32;

/// Maximum runs of a function that chooses a themed room, to find all its outcomes.
pub const MAX_CHOICE_RUNS: usize = 1 << 14;

/// Number of full budgets of a level that all these runs together may use.
pub const CHOICE_BUDGETS: u32 = 8;

/// Maximum draws of one of these runs.
pub const MAX_CHOICE_DRAWS: usize = 1 << 8;

/// Maximum rooms that a script can create (`MAXNROFROOMS`).
pub const MAX_ROOMS: usize = 40;

/// Maximum subrooms of a room (`MAX_SUBROOMS`).
pub const MAX_SUBROOMS: usize = 24;

/// Maximum doors that belong to rooms (`DOORMAX`).
pub const MAX_DOORS: usize = 120;

/// Maximum nesting of rooms (`MAX_NESTED_ROOMS`).
pub const MAX_NESTED_ROOMS: usize = 5;

/// Maximum nesting of containers (`MAX_CONTAINMENT`).
pub const MAX_CONTAINERS: usize = 10;

/// Maximum free rectangles of a level (`MAXRECT`).
pub const MAX_RECTANGLES: usize = 50;

/// Maximum MAZEWALKs of a NetHack 3.4.3 level that wait until all parts are laid (`walklist`).
pub const MAX_WALKS: usize = 50;

/// Maximum types of details of a monster or object that a script can set (the games have 17 and 16).
pub const MAX_DETAILS: usize = 32;

/// Registers of each type in NetHack 3.4.3 (`robjects`, `rloc_x`, `rmonst`).
pub const REGISTERS: usize = 10;

/// Bytes of a message that are read when names are substituted (`in_line`).
pub const MESSAGE_READ: usize = 79;

/// Size of the buffer for a message with names substituted; the message itself is shorter (`out_line`).
pub const MESSAGE_MADE: usize = 128;

/// Attempts to find a place for a room in games without a list of free rectangles (`create_room`).
pub const ROOM_TRIES: i32 = 10_000;

/// Maximum opcodes of a course; no game loads more.
pub const MAX_COURSE_OPCODES: usize = 1 << 16;

/// Maximum size of the script that a run of a Lua level executes, in bytes.
pub const MAX_TRANSCRIPT_BYTES: usize = 1 << 22;

/// Maximum stack values examined for a statement of a course; no statement takes as many.
pub const MAX_COURSE_VALUES: usize = 1000;
