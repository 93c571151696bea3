//! What somebody who waits for many levels is told, and can say.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How far a work on many levels is. Others may look at it, and end the work early, while it goes on.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    stopped: AtomicBool,
}

impl Progress {
    /// How many levels are done.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Asks for the end: no more levels are begun, and what there is so far is the result.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the end was asked for.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// One more level is done.
    #[doc(hidden)]
    pub fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// The counter alone, for work that cannot end early.
    pub fn counter(&self) -> &AtomicU64 {
        &self.done
    }
}
