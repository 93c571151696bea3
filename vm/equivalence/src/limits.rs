//! Limits of a comparison, in one place.

/// Default limit on the runs spent on enumerating all outcomes of a level.
pub const USUAL_PATHS: u64 = 20_000;

/// A level is enumerated if a sample run suggests no more outcomes than the limit on runs times this factor.
pub const MOST_LIKELY_STATES: f64 = 10.0;

/// Maximum bits of the denominator of a probability. A search for a place in a hundred tries has about a thousand.
pub const MAX_PROBABILITY_BITS: u64 = 1 << 13;

/// Two levels count as the same if the total probability of the outcomes in which they differ is below one in this
/// number. The games draw a place a hundred times before they search square by square.
pub const NEGLIGIBLE_ONE_IN: u64 = 1_000_000_000_000;

/// Maximum results of dice, each of which is a state of a script.
pub const MAX_DICE_RESULTS: i64 = 20_000;

/// Maximum steps, about, to compute the probabilities of these results.
pub const MAX_DICE_STEPS: i64 = 1 << 23;

/// Maximum steps, about, to find the fewest facts that differ together.
pub const MAX_CORRELATION_STEPS: usize = 1 << 24;

/// Number of states of usual size that scripts are followed through at least, however few paths of draws are allowed.
pub const MIN_STATEMENT_STATES: u64 = 4096;

/// Number of values, on the stack and in variables, that a state of a script has at most without counting as several.
pub const USUAL_VALUES: u64 = 256;

/// Every path of a level is tried if a sample run suggests no more paths than the limit on paths times this factor.
pub const MIN_LIKELY_PATHS: f64 = 1000.0;

/// Maximum different facts counted for a level. Beyond it, a subset is counted that does not depend on chance.
pub const MAX_FACTS: usize = 1 << 18;

/// Maximum draws recorded of a run.
pub const MAX_RECORDED_DRAWS: usize = 1 << 20;

/// Depths at which a level can be: the planes are above the surface.
pub const DEPTHS: std::ops::RangeInclusive<i32> = -5..=64;

/// Difficulties of levels.
pub const DIFFICULTIES: std::ops::RangeInclusive<i32> = 1..=64;

/// Maximum games that are tried for a proof.
pub const MAX_CASES: usize = 5000;

/// A proof for several games may take this many times the runs of a proof for one.
pub const CASES_TAKE: u64 = 10;

/// Maximum steps named as the cause of a difference.
pub const MAX_STEPS_BEHIND: usize = 8;

/// Maximum levels that are also compared as a whole, to count identical ones.
pub const MAX_WHOLE_LEVELS: u64 = 1 << 15;
