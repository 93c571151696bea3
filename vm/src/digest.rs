//! Hashes of the machine's state, used to tell whether two runs can still diverge.

use std::fmt;
use std::hash::{DefaultHasher, Hasher};

/// A 128-bit hash. Equal states have equal hashes; different states practically never do.
#[doc(hidden)]
pub struct Digest([DefaultHasher; 2]);

#[doc(hidden)]
impl Digest {
    pub fn new() -> Self {
        let mut other = DefaultHasher::new();
        // Start the two halves from different states.
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

    /// Hashes a short text, prefixed with its length.
    pub fn text(&mut self, text: &[u8]) {
        self.number(text.len() as i64);
        self.bytes(text);
    }

    /// Hashes a small value through its `Debug` form, which covers every field.
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
