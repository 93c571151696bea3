//! Random bytes for the targets, without a fuzzing engine.

use std::panic::{self, AssertUnwindSafe};

use crate::Target;

/// The maximum number of bytes of an input.
const MAX_LENGTH: u64 = 400;

/// Returns the bytes of an execution: at least 8 and at most 408 of them, from SplitMix64.
pub fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    };
    let length = 8 + next() % MAX_LENGTH;
    (0..length).map(|_| next() as u8).collect()
}

/// Checks the promise of `target` for `bytes`.
///
/// # Errors
/// The message of the panic.
pub fn run(target: Target, bytes: &[u8]) -> Result<(), String> {
    panic::catch_unwind(AssertUnwindSafe(|| (target.check)(bytes))).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message").to_owned()
    })
}

/// Returns the beginning of a message without its numbers, which distinguishes faults.
pub fn kind(message: &str) -> String {
    message.chars().filter(|character| !character.is_ascii_digit()).take(30).collect()
}

/// Returns a shorter input for which the target fails with a message of the same [`kind`]: bytes are removed and zeroed
/// as long as that is so.
pub fn shrunk(target: Target, bytes: Vec<u8>, message: &str) -> Vec<u8> {
    let wanted = kind(message);
    let fails = |bytes: &[u8]| run(target, bytes).is_err_and(|message| kind(&message) == wanted);
    let mut best = bytes;
    let mut step = best.len() / 2;
    while step > 0 {
        let mut at = 0;
        while at < best.len() {
            let mut shorter = best.clone();
            shorter.drain(at..(at + step).min(best.len()));
            if fails(&shorter) {
                best = shorter;
            } else {
                at += step;
            }
        }
        step /= 2;
    }
    for at in 0..best.len() {
        let mut zeroed = best.clone();
        zeroed[at] = 0;
        if zeroed != best && fails(&zeroed) {
            best = zeroed;
        }
    }
    best
}
