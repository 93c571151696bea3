//! Limits of the machine's memory, in one place. Limits of a game are in its catalog.

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
