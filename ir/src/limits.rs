//! Limits of splc itself, in one place.
//!
//! These bound what one input can cost in memory, stack and time. Limits of a game (how long a
//! level name may be, how many cases a SWITCH takes) are data of that game: see [`crate::catalog`].

/// Largest source or level file that is read, in bytes.
pub const MAX_SOURCE_BYTES: u64 = 96 << 20;

/// Longest line of source in bytes; longer ones are not des-files but accidents.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// Deepest nesting of brackets, blocks, chained conditions and prefix operators.
pub const MAX_NESTING: usize = 100;

/// Deepest nesting of subrooms. A loader of NetHack 3.4.3 makes no subroom of a subroom.
pub const MAX_SUBROOM_NESTING: usize = 10;

/// Deepest nesting of lists and objects in a level as JSON. A dump nests up to nine of them (a sum as an argument of a
/// call) for each bracket or block of its des-file, which nest up to [`MAX_NESTING`] deep; the rest is for levels that
/// are made by other programs.
pub const MAX_JSON_DEPTH: usize = 4000;

/// Most files that a level as JSON may name.
pub const MAX_JSON_FILES: usize = 10_000;

/// How many files may include one another in a chain (UnNetHack 6.0.4, lev_comp: 5).
pub const MAX_INCLUDE_DEPTH: usize = 5;

/// How many catalogs may extend one another in a chain.
pub const MAX_CATALOG_DEPTH: usize = 16;

/// Largest catalog file that is read, in bytes.
pub const MAX_CATALOG_BYTES: u64 = 4 << 20;

/// How many diagnostics one file may give before the rest is only counted.
pub const MAX_DIAGNOSTICS: usize = 200;

/// How many places of one file that do not fit the grammar are looked at before the rest is only counted; several of
/// them may be of one mistake.
pub const MAX_FAILURES: usize = 4 * MAX_DIAGNOSTICS;

/// Longest text of a message in bytes: names in it come from the source and have any length.
pub const MAX_MESSAGE_BYTES: usize = 400;

/// Most opcodes in one level. Functions are copied into a level at their first call, so a short
/// source can ask for a long program.
pub const MAX_OPCODES: usize = 1 << 20;

/// Most statements in one des-file; a level can have fewer opcodes than that, and people write some hundreds.
pub const MAX_STATEMENTS: usize = 1 << 20;

/// Most tokens in one statement of a NetHack 3.4.3 des-file; longer ones are not statements but accidents (its own
/// compiler gives up at about half as many).
pub const MAX_STATEMENT_TOKENS: usize = 10_000;

/// Most rows of a map that are kept; what fits a level is far less.
pub const MAX_MAP_ROWS: usize = 256;

/// Most bytes of a map of a NetHack 3.4.3 des-file that are looked at, and of a row in it that are kept (lev_comp.l has
/// room for so many in a whole map).
pub const MAX_MAP_BYTES: usize = 4096;

/// Widest number in the name of a level, in digits: `%100i`. Names that fit a game are far shorter.
pub const MAX_NUMBER_WIDTH: usize = 100;

/// How much of a file is looked at to guess its dialect, in bytes.
pub const MAX_DETECTED_BYTES: usize = 1 << 20;

/// Largest des-file, in bytes, that is read for one dialect after the other if it is not clear which one it is in and
/// the first has errors.
pub const MAX_TRIED_BYTES: usize = 1 << 20;

/// Deepest nesting of blocks, brackets and operators of a Lua script (Lua 5.4, `LUAI_MAXCCALLS`).
pub const MAX_LUA_NESTING: usize = 200;

/// Deepest tree of a Lua script: besides what nests, each call, index and operator of a chain is one deeper. Lua itself
/// has no such limit; a level with a chain of a thousand is an accident.
pub const MAX_LUA_DEPTH: usize = 1000;

/// Most statements and expressions of a Lua script. The game gives a level 1 MiB of memory, of which each takes at least
/// four bytes.
pub const MAX_LUA_NODES: usize = 1 << 18;
