//! The result of a comparison on the stack, and the jumps taken for it.

use std::cmp::Ordering;

use splc_ir::program::Opcode;

/// Bits of a comparison's result.
const LESS: i64 = 1;
const GREATER: i64 = 2;
#[doc(hidden)]
pub const EQUAL: i64 = 4;

/// Compares two numbers: the later one on the stack with the one below it.
pub fn compared(later: i64, below: i64) -> i64 {
    match later.cmp(&below) {
        Ordering::Greater => LESS,
        Ordering::Less => GREATER,
        Ordering::Equal => EQUAL,
    }
}

/// Returns true if a conditional jump is taken for the result of a comparison.
pub fn is_taken(jump: Opcode, result: i64) -> bool {
    let mask = match jump {
        Opcode::Jl => LESS,
        Opcode::Jle => LESS | EQUAL,
        Opcode::Jg => GREATER,
        Opcode::Jge => GREATER | EQUAL,
        Opcode::Je => EQUAL,
        _ => !EQUAL,
    };
    result & mask != 0
}
