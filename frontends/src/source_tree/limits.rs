//! What reading a source tree may cost, whatever is in it.

/// Most bytes of one file; the largest that is known, the monsters of SLASH'EM Extended, has some megabytes.
pub const MAX_FILE_BYTES: usize = 12 << 20;

/// Most bytes of all files together, each counted as often as it is included.
pub const MAX_TOTAL_BYTES: usize = 256 << 20;

/// How deep files include one another.
pub const MAX_INCLUDE_DEPTH: usize = 40;

/// How deep conditionals nest.
pub const MAX_CONDITIONAL_DEPTH: usize = 200;

/// Most tokens that all files have, and that macros are made of on the way, together: some variants write tables in
/// macros that are gone through dozens of times.
pub const MAX_TOKENS: usize = 40_000_000;

/// Most tokens that come out of one file.
pub const MAX_EXPANDED: usize = 4_000_000;

/// Most symbols that are remembered because a conditional asks for them and nothing defines them.
pub const MAX_SWITCHES: usize = 50;

/// How deep brackets nest where something is evaluated or taken apart.
pub const MAX_NESTING: usize = 100;

/// Most notes that are kept.
pub const MAX_NOTES: usize = 500;

/// Most notes of one kind about the entries of one table.
pub const MAX_ALIKE_NOTES: usize = 5;
