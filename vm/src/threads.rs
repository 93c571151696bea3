//! The same work on several threads, for runs over many seeds.

use std::thread::{self, Scope, ScopedJoinHandle};

use crate::limits::MAX_THREADS;

/// Runs `work` on `threads` threads, including the calling one, and merges the results. The threads distribute the work
/// among themselves.
pub fn on_each<T: Send>(threads: usize, work: impl Fn() -> T + Sync, mut merge: impl FnMut(&mut T, T)) -> T {
    thread::scope(|scope| {
        let helpers = helpers(scope, threads, &work);
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

/// Runs `work` on all but one of `threads` threads. There are fewer if the system does not provide as many.
pub fn helpers<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    threads: usize,
    work: &'scope (impl Fn() -> T + Sync),
) -> Vec<ScopedJoinHandle<'scope, T>> {
    let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
    (1..threads.clamp(1, MAX_THREADS)).map_while(spawn).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn there_are_only_as_many_threads_as_are_sensible() {
        for (threads, expected) in [(0, 1), (1, 1), (3, 3), (1 << 31, MAX_THREADS), (usize::MAX, MAX_THREADS)] {
            let count = AtomicUsize::new(0);
            let work = || count.fetch_add(1, Ordering::Relaxed);
            on_each(threads, work, |_, _| {});
            assert_eq!(count.into_inner(), expected);
        }
    }
}
