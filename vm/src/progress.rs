//! Progress and early termination of work on many levels.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Progress of work on many levels. Other threads can read it, and stop the work early, while it goes on.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    stopped: AtomicBool,
}

impl Progress {
    /// Number of levels done.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Requests an early end: no more levels are started, and the result covers those done so far.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Returns true if an early end was requested.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Counts one more level.
    #[doc(hidden)]
    pub fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// The bare counter, for work that cannot end early.
    pub fn counter(&self) -> &AtomicU64 {
        &self.done
    }
}
