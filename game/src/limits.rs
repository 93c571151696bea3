//! Limits imposed by splc on the data around a level.

/// Maximum size of an archive's directory, in bytes. That of a game with a thousand levels takes 30 KB.
pub const MAX_DIRECTORY_BYTES: u64 = 1 << 20;

/// Maximum number of files in an archive.
pub const MAX_ARCHIVE_FILES: usize = 10_000;

/// Maximum size of an archive, in bytes. Offsets in its directory have eight digits, and the games' librarian assumes
/// that width when it computes the offset of the first file.
pub const MAX_ARCHIVE_BYTES: u64 = 99_999_999;

/// Maximum number of states tracked at once when the levels of a dungeon are placed. Those of the games need some
/// hundred.
pub const MAX_STATES: usize = 100_000;

/// Maximum number of optional levels for which each combination is tracked separately.
pub const MAX_PRESENCES: usize = 10;

/// Maximum number of sets of places that the branches of one dungeon take. Those of the games need some hundred.
pub const MAX_PLACEMENTS: usize = 300_000;
