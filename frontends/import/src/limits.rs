//! Limits on the cost of reading a source tree, whatever it contains.

/// The maximum size of a file in bytes. The largest known one, the monsters of SLASH'EM Extended, has several
/// megabytes.
pub const MAX_FILE_BYTES: usize = 12 << 20;

/// The maximum size of all files together in bytes, counting each as often as it is included.
pub const MAX_TOTAL_BYTES: usize = 256 << 20;

/// The maximum depth of nested includes.
pub const MAX_INCLUDE_DEPTH: usize = 40;

/// The maximum depth of nested conditionals.
pub const MAX_CONDITIONAL_DEPTH: usize = 200;

/// The maximum number of tokens in all files and in all steps of macro expansion together. Some variants write tables
/// with macros that are expanded dozens of times.
pub const MAX_TOKENS: usize = 40_000_000;

/// The maximum number of tokens in all steps of the expansion of one macro call. The longest known one has some
/// thousand.
pub const MAX_CALL_TOKENS: usize = 500_000;

/// The maximum length in bytes of a token that macros paste together or make a string.
pub const MAX_MADE_BYTES: usize = 1 << 16;

/// The maximum number of tokens after expansion of one file.
pub const MAX_EXPANDED: usize = 4_000_000;

/// The maximum number of recorded symbols that a conditional tests and nothing defines.
pub const MAX_SWITCHES: usize = 50;

/// The maximum depth of nested brackets in an expression or initialiser.
pub const MAX_NESTING: usize = 100;

/// The maximum number of notes.
pub const MAX_NOTES: usize = 500;

/// The maximum number of notes of one kind about the entries of one table.
pub const MAX_ALIKE_NOTES: usize = 5;

/// The maximum depth to which the calls of a function for scripts are followed.
pub const MAX_LUA_DEPTH: usize = 8;

/// The maximum number of keys of a function for scripts, and of words of a key.
pub const MAX_LUA_KEYS: usize = 500;

/// The maximum number of tokens in the arguments of a call that reads a key.
pub const MAX_LUA_ARGUMENT_TOKENS: usize = 200;
