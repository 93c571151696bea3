//! Limits of splc itself.
//!
//! They bound the memory, stack and time that one input can cost. The limits of a game, such as the length of a level
//! name or the number of cases in a SWITCH, are part of its catalog: see [`crate::catalog`].

/// Largest source or level file, in bytes.
pub const MAX_SOURCE_BYTES: u64 = 96 << 20;

/// Longest line of source, in bytes. A file with longer lines is not a des-file.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// Deepest nesting of brackets, blocks, chained conditions and prefix operators.
pub const MAX_NESTING: usize = 100;

/// Deepest nesting of subrooms. The loader of NetHack 3.4.3 creates no subrooms inside subrooms.
pub const MAX_SUBROOM_NESTING: usize = 10;

/// Deepest nesting of lists and objects in a level as JSON.
///
/// A dump nests up to nine of them (a sum as an argument of a call) for each bracket or block of its des-file, and
/// those nest up to [`MAX_NESTING`] deep. The rest is a margin for levels written by other programs.
pub const MAX_JSON_DEPTH: usize = 4000;

/// Most files that a level as JSON may name.
pub const MAX_JSON_FILES: usize = 10_000;

/// Longest chain of files that include each other (UnNetHack 6.0.4, lev_comp: 5).
pub const MAX_INCLUDE_DEPTH: usize = 5;

/// Longest chain of catalogs that extend each other.
pub const MAX_CATALOG_DEPTH: usize = 16;

/// Largest catalog file, in bytes.
pub const MAX_CATALOG_BYTES: u64 = 4 << 20;

/// Largest list of known diagnostics (`--baseline`), in bytes.
pub const MAX_BASELINE_BYTES: u64 = 64 << 20;

/// Most tables in a catalog file, counted generously: by the characters that can begin one. Those of the games have
/// fewer than 2000.
pub const MAX_CATALOG_TABLES: usize = 50_000;

/// Most diagnostics kept for one file; the rest are only counted.
pub const MAX_DIAGNOSTICS: usize = 200;

/// Most diagnostics kept for a file whose mistakes are corrected by a program. Correcting a few at a time would read
/// the file again for each few.
pub const MAX_CORRECTED_DIAGNOSTICS: usize = 100_000;

/// Most syntax errors examined for each diagnostic kept; the rest are only counted. Several may belong to one mistake.
pub const MAX_FAILURES_PER_DIAGNOSTIC: usize = 4;

/// Longest message, in bytes: the names in it come from the source and have any length.
pub const MAX_MESSAGE_BYTES: usize = 400;

/// Most opcodes in one level. Functions are copied into a level at their first call, so a short source can produce a
/// long program.
pub const MAX_OPCODES: usize = 1 << 20;

/// Most work of translating a script of NetHack 5 to a des-file, in nodes of the tree that are made or copied. The
/// game's own scripts take up to 50,000.
pub const MAX_TRANSLATION_WORK: usize = 1_000_000;

/// Deepest nesting of calls, blocks, operators and expressions in such a translation.
pub const MAX_TRANSLATION_DEPTH: usize = 60;

/// Most statements in one des-file. A level allows fewer opcodes than that, and real files have some hundreds.
pub const MAX_STATEMENTS: usize = 1 << 20;

/// Most tokens in one statement of a NetHack 3.4.3 des-file. Real statements are far shorter, and the game's own
/// compiler gives up at about half as many.
pub const MAX_STATEMENT_TOKENS: usize = 10_000;

/// Most rows kept of a map; a level has far fewer.
pub const MAX_MAP_ROWS: usize = 256;

/// Most bytes read of a map in a NetHack 3.4.3 des-file, and most bytes kept of one of its rows. lev_comp.l allows that
/// many in a whole map.
pub const MAX_MAP_BYTES: usize = 4096;

/// Widest number in a level name, in digits: `%100i`. Names that fit a game are far shorter.
pub const MAX_NUMBER_WIDTH: usize = 100;

/// Number of bytes at the start of a file that are examined to guess its dialect.
pub const MAX_DETECTED_BYTES: usize = 1 << 20;

/// Largest des-file, in bytes, that is parsed in several dialects in turn if its dialect is unclear and the first
/// attempt has errors.
pub const MAX_TRIED_BYTES: usize = 1 << 20;

/// The most values of one statement that are laid over the slots of its forms.
pub const MAX_ALIGNED: usize = 16;

/// The most steps of the search for alignments of one statement with one form.
pub const MAX_ALIGNMENT_STEPS: usize = 4000;
