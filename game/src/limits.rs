//! Limits of splc itself for what is around a level.

/// Largest directory of an archive, in bytes; that of a game with a thousand levels takes 30 KB.
pub const MAX_DIRECTORY_BYTES: u64 = 1 << 20;

/// Most files in an archive.
pub const MAX_ARCHIVE_FILES: usize = 10_000;

/// Largest archive, in bytes: its directory has eight digits for a place, and the games' librarian reckons with
/// just as many when it decides where the first file begins.
pub const MAX_ARCHIVE_BYTES: u64 = 99_999_999;
