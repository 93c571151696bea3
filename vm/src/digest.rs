//! Hashes of the machine's state, used to tell whether two runs can still diverge.
//!
//! SipHash-1-3 with 128 bits, of the crate `siphasher`: a published function that does not change between versions of
//! Rust, fast on short fields, and not prone to the accidental collisions of weaker mixing.

use std::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher13};

/// A 128-bit hash. Equal states have equal hashes; different states practically never do.
#[doc(hidden)]
#[derive(Default)]
pub struct Digest(SipHasher13);

#[doc(hidden)]
impl Digest {
    pub fn finish128(&self) -> u128 {
        self.0.finish128().as_u128()
    }
}

impl Hasher for Digest {
    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    fn write_u8(&mut self, number: u8) {
        self.0.write_u8(number);
    }

    fn write_u32(&mut self, number: u32) {
        self.0.write_u32(number);
    }

    fn write_u64(&mut self, number: u64) {
        self.0.write_u64(number);
    }

    fn write_usize(&mut self, number: usize) {
        // The same on every machine.
        self.0.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0.finish()
    }
}
