//! Limits of a comparison, in one place.

/// Most runs that are spent to know all that a level comes to, unless asked for more.
pub const USUAL_PATHS: u64 = 20_000;

/// A level is enumerated if one of its runs looks as if it were one of so many times the runs that may be spent on it.
pub const MOST_LIKELY_STATES: f64 = 10.0;

/// Most bits of the denominator of a probability. A search for a place in a hundred tries has about a thousand.
pub const MAX_PROBABILITY_BITS: u64 = 1 << 13;

/// If two levels part in less than one of so many, in all that they can come to, they are the same but for that: the games
/// draw a place a hundred times before they look for one square by square.
pub const NEGLIGIBLE_ONE_IN: u64 = 1_000_000_000_000;

/// Most states between two statements that are gone through to know whether two scripts say the same.
pub const MAX_STATEMENT_STATES: u64 = 20_000;

/// Every path of a level is tried if one of its runs is not less likely than one in so many times the ways that may
/// be tried.
pub const MIN_LIKELY_PATHS: f64 = 1000.0;

/// Most different facts that are counted of a level. Of more, a part is counted that does not depend on chance.
pub const MAX_FACTS: usize = 1 << 18;

/// Most draws of a run that are written down.
pub const MAX_RECORDED_DRAWS: usize = 1 << 20;

/// Most steps that are named behind a difference.
pub const MAX_STEPS_BEHIND: usize = 8;

/// Of so many levels at most it is counted which are the very same.
pub const MAX_WHOLE_LEVELS: u64 = 1 << 15;
