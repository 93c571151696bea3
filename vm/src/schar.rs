//! Numbers that the games store in a byte.

/// Converts a number to the games' `schar`: the low eight bits, signed.
#[inline]
pub(crate) fn schar(number: i32) -> i32 {
    i32::from(number as i8)
}

/// Converts a `long` to its low eight bits, signed.
#[inline]
pub(crate) fn schar_of(number: i64) -> i32 {
    i32::from(number as i8)
}
