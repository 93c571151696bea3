//! Numbers that the games keep in a byte.

/// What the games keep in a `schar`: the low eight bits, signed.
#[inline]
pub(crate) fn schar(number: i32) -> i32 {
    i32::from(number as i8)
}

/// The low eight bits of a `long`, signed.
#[inline]
pub(crate) fn schar_of(number: i64) -> i32 {
    i32::from(number as i8)
}
