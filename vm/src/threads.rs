//! The same work on several threads, for runs over many seeds.

use std::thread;

/// Runs `work` on `threads` threads, including the calling one, and merges the results. The threads distribute the work
/// among themselves.
pub fn on_each<T: Send>(threads: usize, work: impl Fn() -> T + Sync, mut merge: impl FnMut(&mut T, T)) -> T {
    thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(&work)).collect();
        let mut all = work();
        for helper in helpers {
            // The work does not panic; if it ever does, pass the panic on.
            match helper.join() {
                Ok(other) => merge(&mut all, other),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    })
}
