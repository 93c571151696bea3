//! Random bytes for the targets, without a fuzzing engine.

use std::panic::{self, AssertUnwindSafe};

use arbitrary::Unstructured;

use crate::{Case, Target};

/// The maximum number of bytes of choices.
const MAX_LENGTH: u64 = 400;

/// The number of runs for which a failing case is made smaller.
const MAX_SHRINKING: usize = 5_000;

/// Returns the choices of an execution: at least 8 and at most 408 bytes, from SplitMix64.
pub fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    };
    let length = (8 + next() % MAX_LENGTH) as usize;
    let mut bytes = Vec::with_capacity(length + 8);
    while bytes.len() < length {
        bytes.extend_from_slice(&next().to_le_bytes());
    }
    bytes.truncate(length);
    bytes
}

/// Returns the case that `target` builds from `seed`, or `None` if there are too few bytes for one.
///
/// # Errors
/// The message of the panic, if the generator breaks.
pub fn case(target: Target, seed: u64) -> Result<Option<Case>, String> {
    let bytes = bytes(seed);
    caught(|| (target.build)(&mut Unstructured::new(&bytes)).ok())
}

/// Checks the promise of `target` for `case`. Returns false if the promise says nothing about it.
///
/// # Errors
/// The message of the panic.
pub fn run(target: Target, case: &Case) -> Result<bool, String> {
    caught(|| (target.check)(case))
}

fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message").to_owned()
    })
}

/// Returns the beginning of a message without its numbers, which distinguishes faults.
pub fn kind(message: &str) -> String {
    message.chars().filter(|character| !character.is_ascii_digit()).take(60).collect()
}

/// Returns a smaller case for which the target fails with a message of the same [`kind`]: lines, then single bytes, are
/// removed as long as that is so.
pub fn shrunk(target: Target, case: Case, message: &str) -> Case {
    let wanted = kind(message);
    let mut left = MAX_SHRINKING;
    let mut best = case;
    for by_lines in [true, false] {
        let pieces = |bytes: &[u8]| -> Vec<Vec<u8>> {
            match by_lines {
                true => bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect(),
                false => bytes.chunks(1).map(<[u8]>::to_vec).collect(),
            }
        };
        let mut list = pieces(&best.bytes);
        let mut step = list.len().div_ceil(2);
        while step > 0 {
            let mut at = 0;
            while at < list.len() && left > 0 {
                left -= 1;
                let mut fewer = list.clone();
                fewer.drain(at..(at + step).min(fewer.len()));
                let smaller = Case { bytes: fewer.concat(), ..best.clone() };
                if run(target, &smaller).is_err_and(|message| kind(&message) == wanted) {
                    (best, list) = (smaller, fewer);
                } else {
                    at += step;
                }
            }
            step /= 2;
        }
    }
    best
}
