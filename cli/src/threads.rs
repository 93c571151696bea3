//! Number of threads for a task.

use std::num::NonZeroUsize;
use std::thread;

/// Returns the number of threads: as many as `requested`, or one for each core. It never exceeds the number of cores or
/// of `pieces` of work, as further threads would have nothing to do.
pub fn count(requested: Option<NonZeroUsize>, pieces: u64) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let pieces = usize::try_from(pieces).unwrap_or(usize::MAX);
    requested.map_or(cores, NonZeroUsize::get).min(cores).min(pieces).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_never_exceed_work_or_cores() {
        let many = NonZeroUsize::new(99_999_999);
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        assert_eq!([count(many, 1000), count(None, 1), count(many, 0)], [cores.min(1000), 1, 1]);
        assert_eq!(count(NonZeroUsize::new(1), 1000), 1);
    }
}
