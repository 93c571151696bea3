//! Limits of splc itself for what is around a level.

/// Largest directory of an archive, in bytes; that of a game with a thousand levels takes 30 KB.
pub const MAX_DIRECTORY_BYTES: u64 = 1 << 20;

/// Most files in an archive.
pub const MAX_ARCHIVE_FILES: usize = 10_000;

/// Largest archive, in bytes: its directory has eight digits for a place, and the games' librarian reckons with
/// just as many when it decides where the first file begins.
pub const MAX_ARCHIVE_BYTES: u64 = 99_999_999;

/// Most states of a dungeon that are followed at once when its levels are placed; those of the games have some hundred.
pub const MAX_STATES: usize = 100_000;

/// Most levels that are not always there of which each combination is followed by itself.
pub const MAX_PRESENCES: usize = 10;
