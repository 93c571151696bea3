//! The same work on several threads, as many-seed runs do it.

use std::thread;

/// Does `work` on `threads` threads, the calling one among them, and puts together what they come to. They share out
/// among themselves what there is to do.
pub fn on_each<T: Send>(threads: usize, work: impl Fn() -> T + Sync, mut merge: impl FnMut(&mut T, T)) -> T {
    thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(&work)).collect();
        let mut all = work();
        for helper in helpers {
            // The work does not panic; if it ever does, that shows here.
            match helper.join() {
                Ok(other) => merge(&mut all, other),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    })
}
