//! Promises that hold for every input: random levels, random damage, proofs of equality, work in proportion.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests may fail loudly

mod allocations;
mod edits;
mod equivalence;
mod faults;
mod generated;
mod properties;
mod proportion;
mod saved;
