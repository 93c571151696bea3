//! What the tests that cross crates share.

pub mod reference;
