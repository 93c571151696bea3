//! The state of a machine as a number, for those who ask whether two runs can still part.

use std::fmt;
use std::hash::{DefaultHasher, Hasher};

/// Makes a number of 128 bits of what it is given: like states have like numbers, and others so good as never.
#[doc(hidden)]
pub struct Digest([DefaultHasher; 2]);

#[doc(hidden)]
impl Digest {
    pub fn new() -> Self {
        let mut other = DefaultHasher::new();
        // The halves differ in how they begin.
        other.write_u8(1);
        Digest([DefaultHasher::new(), other])
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        for half in &mut self.0 {
            half.write(bytes);
        }
    }

    pub fn number(&mut self, number: impl Into<i64>) {
        self.bytes(&number.into().to_le_bytes());
    }

    /// A short text and where it ends.
    pub fn text(&mut self, text: &[u8]) {
        self.number(text.len() as i64);
        self.bytes(text);
    }

    /// Anything that is not long, as its `Debug` form: every field of it is in there.
    pub fn shown(&mut self, thing: &impl fmt::Debug) {
        use fmt::Write;
        // Writing into a hash cannot fail.
        let _ = write!(self, "{thing:?};");
    }

    pub fn finish(&self) -> u128 {
        let [one, other] = &self.0;
        u128::from(one.finish()) << 64 | u128::from(other.finish())
    }
}

impl fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}
